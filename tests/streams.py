"""The stream of news as a test asks it: in a loop of its own, without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from config.stream import Stream

PATIENCE = 10.0  # seconds, on a machine with much else to do


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a story in a thread: the one of the tests may have Playwright's loop in it."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, story()).result()


class Opened:
    """One answer of the stream, as it comes."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_over = False
        self._heard: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.leave = asyncio.Event()  # the browser goes away

    async def receive(self) -> dict[str, Any]:
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        if self.status == 200 and message.get("body"):
            name, data, *rest = message["body"].decode().split("\n")
            assert rest == ["", ""]
            await self._heard.put((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        self.is_over = not message.get("more_body")

    async def next(self) -> tuple[str, Any]:
        """Return the next event: its name and data."""
        return await asyncio.wait_for(self._heard.get(), PATIENCE)

    async def version(self) -> int:
        """Return the next version that it tells of, past what else comes."""
        while True:
            name, data = await self.next()
            if name == "table":
                return int(data["version"])


async def until(true_of: Any) -> None:
    for _ in range(int(PATIENCE / 0.02)):
        if true_of():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("It did not come to pass.")


@asynccontextmanager
async def opened(stream: Stream, path: str, cookie: str = "", method: str = "GET") -> AsyncIterator[Opened]:
    """Ask the stream, and leave at the end of the block."""
    scope = {"type": "http", "method": method, "path": path, "headers": [(b"cookie", cookie.encode())]}
    answer = Opened()
    task = asyncio.create_task(stream(scope, answer.receive, answer.send))
    await until(lambda: answer.status or task.done())
    try:
        yield answer
    finally:
        answer.leave.set()
        await asyncio.wait_for(task, PATIENCE)


@asynccontextmanager
async def living(stream: Stream) -> AsyncIterator[list[dict[str, Any]]]:
    """Start the stream as a server does, wait until it listens, and stop it. Yields what it told the server."""
    asked: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    told: list[dict[str, Any]] = []

    async def tell(message: dict[str, Any]) -> None:
        told.append(message)

    await asked.put({"type": "lifespan.startup"})
    task = asyncio.create_task(stream({"type": "lifespan"}, asked.get, tell))
    await until(lambda: told)
    if told[0]["type"] == "lifespan.startup.complete":
        await until(lambda: stream.is_listening)
        yield told
        await asked.put({"type": "lifespan.shutdown"})
    else:
        yield told
    await asyncio.wait_for(task, PATIENCE)
