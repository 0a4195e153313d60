"""The stream of news from tables: who hears what, for how long, and what it answers to everybody else. No database is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from campaigns.stream import Heard
from config.stream import MOST_OF_A_PERSON, Stream
from tests.streams import living, opened, run

pytestmark = pytest.mark.django_db  # a thread that checks closes its connection, which opens none

HERE = "/stream/battles/5/"


def of_one_person(path: str, session: str) -> Heard | None:
    """What the tests' streams ask instead of the database: table 7 at version 3, for whoever has a session."""
    return Heard(7, 3, f"user {session}") if session and path == HERE else None


def listening(check: Callable[[str, str], Heard | None] = of_one_person, **how: float) -> Stream:
    stream = Stream(check, **how)
    stream.is_listening = True
    return stream


def cookie(session: str) -> str:
    return f"csrftoken=x; sessionid={session}"


def test_it_tells_the_version_at_once_and_each_that_is_announced_and_of_no_other_table() -> None:
    async def story() -> None:
        stream = listening()
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert answer.status == 200
            assert answer.headers["content-type"] == "text/event-stream"
            assert answer.headers["cache-control"] == "no-store"
            assert await answer.next() == ("table", {"table": 7, "version": 3})
            stream.news.tell("8 40")
            stream.news.tell("7 4")
            assert await answer.next() == ("table", {"table": 7, "version": 4})
        assert stream.news.watchers == {}

    run(story)


def test_of_many_at_once_a_slow_phone_hears_the_newest() -> None:
    async def story() -> None:
        stream = listening()
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert await answer.version() == 3
            for version in (6, 5, 9, 8):
                stream.news.tell(f"7 {version}")
            assert await answer.version() == 9

    run(story)


def test_what_was_announced_while_it_opened_is_told() -> None:
    async def story() -> None:
        stream = listening(lambda path, session: (stream.news.tell("7 12"), Heard(7, 3, "user 1"))[1])
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert await answer.version() == 12

    run(story)


def test_it_beats_while_there_is_nothing_new() -> None:
    async def story() -> None:
        async with opened(listening(beat=0.02), HERE, cookie("ada")) as answer:
            assert await answer.version() == 3
            assert [await answer.next() for _ in range(2)] == [("beat", None)] * 2

    run(story)


@pytest.mark.parametrize(
    ("path", "session", "method", "status"),
    [
        (HERE, "", "GET", 404),
        ("/stream/battles/6/", "ada", "GET", 404),
        ("/stream/", "ada", "GET", 404),
        (HERE, "ada", "POST", 405),
        (HERE, "ada", "HEAD", 405),
    ],
)
def test_nobody_else_hears_anything(path: str, session: str, method: str, status: int) -> None:
    async def story() -> None:
        async with opened(listening(), path, cookie(session), method) as answer:
            assert answer.status == status
            assert answer.is_over

    run(story)


def test_without_a_connection_that_listens_it_promises_nothing() -> None:
    async def story() -> None:
        stream = listening()
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert await answer.version() == 3
            stream.is_listening = False
            stream.news.end()
            async with opened(stream, HERE, cookie("ada")) as other:
                assert other.status == 503
            while not answer.is_over:
                await asyncio.sleep(0.01)

    run(story)


def test_a_person_has_so_many_streams_and_no_more_and_others_theirs() -> None:
    async def story() -> None:
        stream = listening()
        async with asyncio.TaskGroup() as group:
            leave = asyncio.Event()

            async def stay() -> None:
                async with opened(stream, HERE, cookie("ada")) as answer:
                    assert answer.status == 200
                    await leave.wait()

            for _ in range(MOST_OF_A_PERSON):
                group.create_task(stay())
            while sum(map(len, stream.news.watchers.values())) < MOST_OF_A_PERSON:
                await asyncio.sleep(0.01)
            async with opened(stream, HERE, cookie("ada")) as answer:
                assert answer.status == 429
            async with opened(stream, HERE, cookie("ben")) as answer:
                assert answer.status == 200
            leave.set()
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert answer.status == 200

    run(story)


def test_rights_are_checked_again_and_whoever_lost_them_hears_no_more() -> None:
    async def story() -> None:
        may = [Heard(7, 3, "user 1"), Heard(7, 5, "user 1"), None]
        stream = listening(lambda path, session: may.pop(0), beat=0.02, recheck=0.05)
        async with opened(stream, HERE, cookie("ada")) as answer:
            assert await answer.version() == 3
            assert await answer.version() == 5  # read anew, should an announcement have been lost
            while not answer.is_over:
                await asyncio.sleep(0.01)
        assert may == []

    run(story)


def test_a_site_without_a_stream_starts_none() -> None:
    async def story() -> None:
        async with living(Stream()) as told:
            assert told[0]["type"] == "lifespan.startup.failed"
            assert told[0]["message"].startswith("STREAM_URL is not set.")

    run(story)
