"""Saves every page that the people of the demonstration club can reach, to compare the site before and after a change.

    python -m tests.nets.crawl make SITE          # seeds a database file, once
    python -m tests.nets.crawl save SITE FOLDER   # writes one file for each person and address

`diff -r` of two folders is then what the change does to the pages. Tokens, hashes in asset addresses and the clock are
fixed or stripped, so two crawls of the same tree are equal.
"""

from __future__ import annotations

import os
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote

MOST = 600  # addresses for each person; the demonstration club has fewer
VISITOR = ""
STRIPPED = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*'), r"\1"),
    (re.compile(r'(name="(?:token|form_token)" value=")[^"]*'), r"\1"),
    (re.compile(r'("X-CSRFToken": ")[^"]*|(X-CSRFToken&quot;: &quot;)[^&]*'), r"\1\2"),
    (re.compile(r'(data-csrf=")[^"]*'), r"\1"),
    (re.compile(r"\.[0-9a-f]{12}\."), "."),
)
LINK = re.compile(r'href="(/[^"#]*)')
LEAVE_OUT = re.compile(r"^/(static|media|admin|accounts/logout)|\.(pdf|svg|png|webmanifest|js)\b")


def main(arguments: list[str]) -> int:
    """Seed or save; returns the exit status."""
    if len(arguments) not in (2, 3) or arguments[0] not in ("make", "save"):
        sys.stderr.write(__doc__ or "")
        return 2
    site = Path(arguments[1]).resolve()
    os.environ.update(DEVELOPMENT="1", DATABASE_URL=f"sqlite:///{site}", DJANGO_SETTINGS_MODULE="config.settings")
    import django

    django.setup()
    if arguments[0] == "make":
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("demo")
    else:
        print(f"{save(Path(arguments[2]))} pages")  # noqa: T201
    return 0


def save(folder: Path) -> int:
    """Write what each person of the site sees; returns how many answers were written."""
    from django.contrib.auth import get_user_model

    from warbands.models import Event

    latest = Event.objects.latest("pk")
    when = max(value for field in latest._meta.fields if isinstance(value := getattr(latest, field.attname), datetime))
    names = [VISITOR, *get_user_model().objects.order_by("pk").values_list("username", flat=True)]
    written = 0
    now = when + timedelta(hours=1)
    signed_at = mock.patch("django.core.signing.time.time", return_value=now.timestamp())
    with mock.patch("django.utils.timezone.now", return_value=now), signed_at:
        for name in names:
            of_one = folder / (name or "visitor")
            of_one.mkdir(parents=True, exist_ok=True)
            for address, text in sorted(seen_by(name).items()):
                (of_one / (quote(address, safe="") or "root")).with_suffix(".html").write_text(text)
                written += 1
    return written


def seen_by(name: str) -> dict[str, str]:
    """All pages that links lead this person to, from the desk on: address to status and stripped HTML."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(raise_request_exception=False)
    if name:
        client.force_login(get_user_model().objects.get(username=name))
    found: dict[str, str] = {}
    waiting = ["/", "/library/", "/rules/", "/account/", "/campaigns/", "/warbands/"]
    while waiting and len(found) < MOST:
        address = waiting.pop(0)
        if address in found:
            continue
        answer: Any = client.get(address, HTTP_HOST="localhost")
        text = answer.content.decode() if answer.headers["Content-Type"].startswith("text/html") else ""
        for pattern, left in STRIPPED:
            text = pattern.sub(left, text)
        found[address] = f"{answer.status_code} {answer.headers.get('Location', '')}\n{text}"
        links = [link.replace("&amp;", "&") for link in LINK.findall(text)]
        if len(address.partition("?")[2].split("&")) > 2:
            continue  # combinations of filters multiply without end
        waiting += sorted({link for link in links if not LEAVE_OUT.search(link)} - set(found) - set(waiting))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
