"""QR codes of our own links, as SVG: on a screen and on paper."""

from __future__ import annotations

from io import BytesIO

import segno
from django.utils.safestring import SafeString, mark_safe


def code_of(address: str) -> SafeString:
    """Return a link as a QR code in SVG, dark on white in either colour scheme, with its quiet zone."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(drawn)  # safe: the code encodes one of our own URLs


def printed_code(link: str, words: str) -> SafeString:
    """Return a link as a QR code for a sheet, "" for no link. `words` tell a screen reader of the PDF what it opens."""
    if not link:
        return mark_safe("")
    out = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, title=words)
    return mark_safe(out.getvalue().decode())  # safe: the code encodes one of our own URLs
