"""News of tables for the stream: where a page listens, what an act announces, and who may hear it.

The stream is a process of its own (`config/stream.py`), and optional. It needs PostgreSQL, which carries the news from the process that
wrote an act. Without it phones poll, and with it they still do, only rarely.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest

from campaigns.access import table_read, table_read_by_code, table_read_by_slug
from campaigns.models import Battle, Table

CHANNEL = "muster_roll_table"
ROUTE = re.compile(r"watch/(?P<code>[-\w]{1,24})/|(?:c/(?P<slug>[-\w]{1,80})/)?battles/(?P<pk>\d{1,18})/")


def stream_address(battle: Battle, *, by_link: bool = False, code: str = "") -> str:
    """Return where news of the table of this battle is streamed, "" on a site without a stream."""
    if not settings.STREAM_URL:
        return ""
    if code:
        return f"{settings.STREAM_URL}watch/{code}/"
    shown = f"c/{battle.campaign.slug}/" if by_link else ""
    return f"{settings.STREAM_URL}{shown}battles/{battle.pk}/"


def announce(table: Table) -> None:
    """Tell the stream of a table's new version, once this transaction is committed. One query on a site with a stream."""
    if settings.STREAM_URL and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table.pk} {table.version}"])


@dataclass(frozen=True, slots=True)
class Heard:
    """What one reader may hear: the id of a table, its version now, and whose streams are counted together."""

    table: int
    version: int
    reader: str


def heard_at(address: str, session_key: str) -> Heard | None:
    """Return what is streamed at an address to the person of a session; None if there is nothing, or nothing for them.

    It asks what the page of the table asks. Three queries; nothing is written.
    """
    route = (
        ROUTE.fullmatch(address.removeprefix(settings.STREAM_URL)) if address.startswith(settings.STREAM_URL) else None
    )
    if route is None:
        return None
    by_link = f"link {route['code'] or route['pk']}"
    if route["code"]:
        table, reader = table_read_by_code(route["code"]), by_link
    elif route["slug"]:
        table, reader = table_read_by_slug(route["slug"], int(route["pk"])), by_link
    else:
        user = _person_of(session_key)
        table, reader = table_read(user, int(route["pk"])), f"user {user.pk}"
    return Heard(table.pk, table.version, reader) if table is not None else None


def _person_of(session_key: str) -> Any:
    request = HttpRequest()
    request.session = _unwritten(session_key)
    return get_user(request)


def _unwritten(session_key: str) -> Any:
    """Return a session that is only read: a stream cannot hand a browser the new key of a session that was renewed."""
    session: Any = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    for name in ("save", "delete", "cycle_key"):
        setattr(session, name, lambda *given, **more: None)
    return session
