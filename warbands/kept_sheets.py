"""Keeps the PDFs of rosters, since drawing one takes a hundred times as long as reading it.

A PDF depends on the HTML of its sheet and on what draws it. The HTML holds the version, the options, the printed link, and
everything from outside the roster, such as the round of its campaign. So nothing has to be forgotten when something changes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from warbands.models import KeptSheet, Warband
from warbands.pdf_process import has_whole_fonts

KEPT_FOR = timedelta(days=7)
KEPT_OF_A_WARBAND = 4


def kept_pdf(warband: Warband, html: str, draw: Callable[[str], bytes]) -> bytes:
    """Return the PDF of a sheet of this warband. `draw` is asked where none is kept. One query, four if it is drawn.

    A warband keeps its newest few PDFs, and no PDF is kept for more than a week.
    """
    key = key_of(html)
    found = KeptSheet.objects.filter(warband=warband, key=key, kept_at__gte=timezone.now() - KEPT_FOR).first()
    if found is not None:
        return bytes(found.pdf)
    pdf = draw(html)
    kept = KeptSheet.objects.filter(warband=warband)
    newest = list(kept.order_by("-pk").values_list("pk", flat=True)[: KEPT_OF_A_WARBAND - 1])
    old = KeptSheet.objects.filter(kept_at__lt=timezone.now() - KEPT_FOR)
    (kept.exclude(pk__in=newest) | old).delete()
    KeptSheet.objects.bulk_create([KeptSheet(warband=warband, key=key, pdf=pdf)], ignore_conflicts=True)
    return pdf


def key_of(html: str) -> str:
    """Return a key that differs where the sheet or what draws it differs."""
    release = what_draws.__wrapped__ if settings.DEBUG else what_draws  # a developer sees style changes at once
    return sha256(f"{release()} {has_whole_fonts()}\n{html}".encode()).hexdigest()


@cache
def what_draws() -> str:
    """Return a hash of all that draws sheets in this release: styles, fonts, our code around the engine, and its version."""
    from importlib.metadata import version

    base = Path(settings.BASE_DIR)
    files = sorted(
        [
            base / "static" / "css" / "tokens.css",
            *(base / "static" / "css" / "print").glob("*.css"),
            *(base / "static" / "fonts").glob("*.woff2"),
            *(base / "warbands").glob("pdf*.py"),
        ]
    )
    found = sha256("".join(version(name) for name in ("weasyprint", "pydyf")).encode())
    for file in files:
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()
