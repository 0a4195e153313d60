"""News of a table as PostgreSQL carries them: from a press, once it is committed, to everybody who may read the table, and to nobody else."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings as site
from django.db import connection, transaction
from django.test import Client

from campaigns.models import Battle, Campaign
from campaigns.services.tracker import act_at_table, begin_table, undo_at_table
from campaigns.stream import stream_address
from config.stream import Stream
from tests import campaign_stories as c
from tests.streams import living, opened, run, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.both_databases,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL carries the news; on SQLite phones poll"),
]


@pytest.fixture(autouse=True)
def with_a_stream(settings: Any) -> None:
    settings.STREAM_URL = "/stream/"


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any, dora: Any) -> Battle:
    found = c.mustered(c.club(cleo, ada, ben, dora), ada, ben)
    begin_table(battle=found, actor=ada)
    return found


def cookie(user: Any) -> str:
    client = Client()
    client.force_login(user)
    return f"{site.SESSION_COOKIE_NAME}={client.cookies[site.SESSION_COOKIE_NAME].value}"


def note(battle: Battle, user: Any) -> None:
    act_at_table(battle=battle, actor=user, data={"kind": "note", "side": str(c.side(battle, user).pk), "words": "Fog"})


async def elsewhere(act: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """Do something in a thread, whose connection is closed afterwards."""

    def done() -> Any:
        try:
            return act(*args, **how)
        finally:
            connection.close()

    return await asyncio.to_thread(done)


def test_a_press_and_an_undo_are_heard_by_who_plays_and_who_watches(battle: Battle, ada: Any, ben: Any) -> None:
    Campaign.objects.update(seen_by=Campaign.SeenBy.LINK, rosters=Campaign.Rosters.OPEN)
    theirs, watched = stream_address(battle), stream_address(battle, by_link=True)
    bens = cookie(ben)

    async def story() -> None:
        stream = Stream()
        async with living(stream), opened(stream, theirs, bens) as other, opened(stream, watched) as anybody:
            assert [await one.version() for one in (other, anybody)] == [1, 1]
            await elsewhere(note, battle, ada)
            assert [await one.version() for one in (other, anybody)] == [2, 2]
            await elsewhere(undo_at_table, battle=battle, actor=ada, number=2)
            assert [await one.version() for one in (other, anybody)] == [3, 3]

    run(story)


def test_what_was_not_committed_is_not_told(battle: Battle, ada: Any, ben: Any) -> None:
    bens = cookie(ben)

    def taken_back() -> None:
        with transaction.atomic():
            note(battle, ada)
            transaction.set_rollback(True)

    async def story() -> None:
        stream = Stream(beat=0.3)
        async with living(stream), opened(stream, stream_address(battle), bens) as other:
            assert await other.version() == 1
            await elsewhere(taken_back)
            assert await other.next() == ("beat", None)
            await elsewhere(note, battle, ada)
            assert await other.version() == 2

    run(story)


def test_it_asks_for_the_rights_of_the_page(battle: Battle, ada: Any, cleo: Any, dora: Any) -> None:
    here, link = stream_address(battle), stream_address(battle, by_link=True)
    cookies = {name: cookie(user) for name, user in {"ada": ada, "cleo": cleo, "dora": dora}.items()}

    async def story() -> None:
        stream = Stream()

        async def answers() -> list[int]:
            found = []
            asked = [(here, cookies["ada"]), (here, cookies["cleo"]), (here, cookies["dora"]), (here, ""), (link, "")]
            for path, whose in asked:
                async with opened(stream, path, whose) as answer:
                    found.append(answer.status)
            return found

        async with living(stream):
            shown = {"rosters": Campaign.Rosters.OPEN, "seen_by": Campaign.SeenBy.LINK}
            hidden = {"rosters": Campaign.Rosters.OPPONENTS, "seen_by": Campaign.SeenBy.PLAYERS}
            await elsewhere(Campaign.objects.update, **shown)
            assert await answers() == [200, 200, 200, 404, 200]
            await elsewhere(Campaign.objects.update, **hidden)
            assert await answers() == [200, 200, 404, 404, 404]

    run(story)


def test_whoever_signs_out_hears_no_more_and_the_check_writes_nothing(battle: Battle, ada: Any, ben: Any) -> None:
    from django.contrib.sessions.models import Session

    bens = cookie(ben)
    before = list(Session.objects.values_list("session_key", "expire_date"))

    async def story() -> None:
        stream = Stream(beat=0.05, recheck=0.1)
        async with living(stream), opened(stream, stream_address(battle), bens) as answer:
            assert await answer.version() == 1
            for _ in range(4):
                assert await answer.next() == ("beat", None)
            ben.set_password("another-long-password")
            await elsewhere(ben.save)
            await until(lambda: answer.is_over)

    run(story)
    assert list(Session.objects.values_list("session_key", "expire_date")) == before


def test_a_lost_connection_ends_the_streams_and_is_opened_again(battle: Battle, ada: Any, ben: Any) -> None:
    bens = cookie(ben)

    def cut() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query ILIKE 'LISTEN %%' AND pid <> pg_backend_pid()"
            )
            assert cursor.rowcount == 1

    async def story() -> None:
        stream = Stream()
        async with living(stream):
            async with opened(stream, stream_address(battle), bens) as answer:
                assert await answer.version() == 1
                await elsewhere(cut)
                await until(lambda: answer.is_over)
            await elsewhere(note, battle, ada)
            await until(lambda: stream.is_listening)
            async with opened(stream, stream_address(battle), bens) as answer:
                assert await answer.version() == 2
                await elsewhere(note, battle, ada)
                assert await answer.version() == 3

    run(story)


def test_gunicorn_serves_it(battle: Battle, ada: Any, ben: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serves = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.stream", "--worker-class", "asgi", "--workers", "1", "--no-control-socket",
         "--bind", f"127.0.0.1:{port}", "--graceful-timeout", "2", "--log-level", "warning"],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DEVELOPMENT": "1", "STREAM_URL": "/stream/", "DATABASE_URL": here()},
    )  # fmt: skip
    try:
        answer = asked(port, stream_address(battle), cookie(ben))
        assert answer.getheader("Content-Type") == "text/event-stream"
        assert lines(answer) == ["event: table", f'data: {{"table": {battle.table.pk}, "version": 1}}']
        note(battle, ada)
        assert lines(answer) == ["event: table", f'data: {{"table": {battle.table.pk}, "version": 2}}']
    finally:
        serves.terminate()
        serves.wait(timeout=20)


def here() -> str:
    """The address of the tests' own database."""
    params = {name: value for name, value in connection.get_connection_params().items() if isinstance(value, str)}
    known = psycopg.conninfo.conninfo_to_dict(
        **{k: params[k] for k in ("user", "password", "host", "port") if k in params}
    )
    name = quote(params["dbname"], safe="")
    who = quote(str(known.get("user", "")), safe="") + (
        f":{quote(str(known['password']), safe='')}" if "password" in known else ""
    )
    where = quote(str(known.get("host", "")), safe="") + (f":{known['port']}" if "port" in known else "")
    return f"postgresql://{who + '@' if who else ''}{where}/{name}"


def asked(port: int, path: str, cookie: str) -> http.client.HTTPResponse:
    """Ask until it answers with a stream: it takes a moment to start and to listen."""
    for _ in range(100):
        ask = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            ask.request("GET", path, headers={"Cookie": cookie})
            answer = ask.getresponse()
            if answer.status == 200:
                return answer
        except OSError:
            pass
        time.sleep(0.2)
    raise AssertionError("The stream did not start.")


def lines(answer: http.client.HTTPResponse) -> list[str]:
    """The lines of the next event."""
    found = []
    while line := answer.readline().decode().strip():
        found.append(line)
    return found
