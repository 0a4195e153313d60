"""The stream of news from tables: an application of its own, which gunicorn's asyncio worker serves beside the site.

    gunicorn config.stream --worker-class asgi --workers 1 --bind 127.0.0.1:8001 --graceful-timeout 2

One connection to PostgreSQL listens for all tables (`campaigns/stream.py` says what is announced). Each open page has a response that
does not end: an event `table` for each new version, an event `beat` while there is none. Neither says more than a table's id and version;
what changed the page asks the site. Rights are those of the table's page, checked when a stream opens and every minute.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import OperationalError, connection  # noqa: E402
from django.http import parse_cookie  # noqa: E402

from campaigns.stream import CHANNEL, Heard, heard_at  # noqa: E402

log = logging.getLogger("config.stream")

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Check = Callable[[str, str], Heard | None]

BEAT, RECHECK = 15.0, 60.0  # seconds
ALIVE, SOONEST, LATEST = (
    20.0,
    1.0,
    30.0,
)  # seconds: how often the listening connection is tried, and when it is opened again
PATIENCE = 10.0  # seconds for the database to answer
MOST_OF_A_PERSON, MOST_BY_LINK = 6, 100  # streams at once; a person has a phone, a tablet and a few pages
CHECKS_AT_ONCE = 2  # connections to the database, besides the one that listens

HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),  # nginx would keep news back
]


def fault_here() -> str:
    """Return why there is no stream on this site, in a sentence; "" if there is."""
    return "" if settings.STREAM_URL else "STREAM_URL is not set. Set it for the stream and for the site alike."


class Watcher:
    """One open stream. Only the newest version counts, so that nothing piles up behind a slow phone."""

    def __init__(self) -> None:
        self.version = 0
        self.is_over = False
        self._changed = asyncio.Event()

    def hear(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self._changed.set()

    def end(self) -> None:
        self.is_over = True
        self._changed.set()

    async def wait(self) -> None:
        """Wait for a newer version, or the end."""
        await self._changed.wait()
        self._changed.clear()


class Announcements:
    """The versions that were announced, and who waits for them."""

    KEPT = 1000

    def __init__(self) -> None:
        self.watchers: dict[int, set[Watcher]] = {}
        self.newest: dict[int, int] = {}  # table: version, of the tables heard of last

    def tell(self, payload: str) -> None:
        """Hand on an announcement, "table version"."""
        table, version = map(int, payload.split())
        self.newest.pop(table, None)
        self.newest[table] = version
        if len(self.newest) > self.KEPT:
            del self.newest[next(iter(self.newest))]
        for watcher in self.watchers.get(table, ()):
            watcher.hear(version)

    def end(self) -> None:
        """End all streams: what is announced from now on may not be heard. Browsers then poll, and come back."""
        self.newest.clear()
        for watcher in [one for watchers in self.watchers.values() for one in watchers]:
            watcher.end()

    @asynccontextmanager
    async def watched(self, heard: Heard) -> AsyncIterator[Watcher]:
        """Yield a watcher that knows what was announced since this version was read."""
        watcher = Watcher()
        self.watchers.setdefault(heard.table, set()).add(watcher)
        watcher.hear(max(heard.version, self.newest.get(heard.table, 0)))
        try:
            yield watcher
        finally:
            self.watchers[heard.table].discard(watcher)
            if not self.watchers[heard.table]:
                del self.watchers[heard.table]


class Stream:
    """The application. `check` returns what may be heard at an address in a session; it runs in a thread."""

    def __init__(self, check: Check = heard_at, *, beat: float = BEAT, recheck: float = RECHECK) -> None:
        self.news = Announcements()
        self.is_listening = False
        self._check, self._beat, self._recheck = check, beat, recheck
        self._open: Counter[str] = Counter()
        self._threads = ThreadPoolExecutor(CHECKS_AT_ONCE, thread_name_prefix="check")
        self._listener: asyncio.Task[None] | None = None

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    # --- the process ------------------------------------------------------------------------------------------------------

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                if fault := fault_here():
                    return await send({"type": "lifespan.startup.failed", "message": fault})
                self._listener = asyncio.create_task(self._listen_always())
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._listener is not None:
                    self._listener.cancel()
                self.news.end()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _listen_always(self) -> None:
        wait = SOONEST
        while True:
            try:
                async with self._listening() as listening:
                    wait = SOONEST
                    await self._hand_on(listening)
            except (psycopg.Error, TimeoutError, OSError) as error:
                log.warning("The listening connection is lost, and tried again in %.0f s: %s", wait, error)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LATEST)

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        params = connection.get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold"):
            params.pop(name, None)
        async with asyncio.timeout(PATIENCE):
            listening = await psycopg.AsyncConnection.connect(**params, autocommit=True)
        try:
            await listening.execute(f"LISTEN {CHANNEL}")
            self.is_listening = True
            log.info("Listening for news of tables.")
            yield listening
        finally:
            self.is_listening = False
            self.news.end()
            await listening.close()

    async def _hand_on(self, listening: psycopg.AsyncConnection[Any]) -> None:
        while True:
            async for notice in listening.notifies(timeout=ALIVE):
                self.news.tell(notice.payload)
            async with asyncio.timeout(PATIENCE):
                await listening.execute("SELECT 1")

    # --- one response -----------------------------------------------------------------------------------------------------

    async def _answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            return await _refuse(send, HTTPStatus.METHOD_NOT_ALLOWED)
        if not self.is_listening:
            return await _refuse(send, HTTPStatus.SERVICE_UNAVAILABLE)
        heard = await self._heard(scope)
        if heard is None:
            return await _refuse(send, HTTPStatus.NOT_FOUND)
        most = MOST_OF_A_PERSON if heard.reader.startswith("user") else MOST_BY_LINK
        if self._open[heard.reader] >= most:
            return await _refuse(send, HTTPStatus.TOO_MANY_REQUESTS)
        self._open[heard.reader] += 1
        try:
            async with self.news.watched(heard) as watcher:
                await self._stream(scope, heard, watcher, receive, send)
        finally:
            self._open[heard.reader] -= 1
            self._open += Counter()  # forgets those at zero

    async def _stream(
        self, scope: dict[str, Any], heard: Heard, watcher: Watcher, receive: Receive, send: Send
    ) -> None:
        await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": HEADERS})
        gone = asyncio.create_task(_until_gone(receive))
        clock = asyncio.get_running_loop().time
        checked = clock()
        try:
            while True:
                news = await _first(watcher, gone, self._beat)
                if gone.done() or watcher.is_over:
                    break
                if clock() - checked >= self._recheck:
                    checked = clock()
                    again = await self._heard(scope)
                    if again is None or again.table != heard.table:
                        break
                    watcher.hear(again.version)
                text = _event("table", {"table": heard.table, "version": watcher.version}) if news else _event("beat")
                await send({"type": "http.response.body", "body": text, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()

    async def _heard(self, scope: dict[str, Any]) -> Heard | None:
        cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
        session = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._checked, scope["path"], session)

    def _checked(self, path: str, session: str) -> Heard | None:
        try:
            return self._check(path, session)
        except OperationalError as error:
            log.warning("Rights could not be read: %s", error)
            return None  # the browser polls, and comes back
        finally:
            connection.close()


async def _first(watcher: Watcher, gone: asyncio.Task[None], seconds: float) -> bool:
    """Wait for news, for so many seconds or until the browser is gone. Return whether there are any."""
    news = asyncio.create_task(watcher.wait())
    await asyncio.wait({news, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if news.done():
        return True
    news.cancel()
    with suppress(asyncio.CancelledError):
        await news
    return False


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: Any = None) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


async def _refuse(send: Send, status: HTTPStatus) -> None:
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": status.phrase.encode()})


application = Stream()
