"""`make bench-tables`: how soon the other phone shows a press, polled and streamed, and what forty tables at once do to a press.

On PostgreSQL, with two gunicorn workers and the stream beside them, behind one address as a proxy gives it. Two phones are two pages of a
browser, and what is timed is from the thumb on one to the marker on the other. At the forty tables each of eighty phones asks every two
seconds, and somebody presses at each table every six; they are a process of their own. Exit status 1 when a budget is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import secrets
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.bench.growth import database, on_server

ROOT = Path(__file__).resolve().parents[2]
SITE, STREAM, PROXY = (8700 + os.getpid() % 60 * 5 + place for place in range(3))
STREAMED_BUDGET_MS, POLLED_BUDGET_MS = 300, 2500
PRESS_BUDGET = 10.0  # the slowest presses but one in twenty, in medians of a press at the only table
IDLE_BUDGET = 500_000  # bytes of an hour at a table where nobody presses
BEATS = 240  # of the stream in an hour
PAUSE, BETWEEN_PRESSES = 2.0, 6.0
TOKEN, TRACKER = re.compile(r'name="token" value="([^"]+)"'), re.compile(r'data-version="([^"]+)"')


def main() -> int:
    """Build, serve, measure. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=20, help="how many presses the other phone is timed for")
    parser.add_argument("--tables", type=int, default=40, help="0: only the two phones")
    parser.add_argument("--seconds", type=int, default=60, help="how long the tables are played at")
    parser.add_argument(
        "--idle", type=int, default=60, help="for how many minutes of its own clock a phone is left alone"
    )
    parser.add_argument("--play", type=float, help=argparse.SUPPRESS)  # as the process of the phones at the tables
    given = parser.parse_args()
    if given.play:
        print(json.dumps(play(json.load(sys.stdin), given.play)))
        return 0
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        raise SystemExit("This needs PostgreSQL: run it by `make bench-tables`, or set DATABASE_URL.")
    name = f"bench_tables_{os.getpid()}"
    os.environ.update(
        DEVELOPMENT="1", DATABASE_URL=database(server, name), DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR", STREAM_URL="/stream/"
    )  # fmt: skip
    on_server(server, f'CREATE DATABASE "{name}"')
    try:
        tables = build(max(1, given.tables))
        with served() as proxy:
            missed = two_phones(tables[0], given.presses)
            missed |= idle_hour(tables[0], proxy, given.idle)
            if given.tables:
                missed |= forty_tables(tables, given.seconds)
        return int(missed)
    finally:
        on_server(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def build(count: int) -> list[dict[str, Any]]:
    """Set up so many tables. For each its address, and for both players a cookie and a fighter."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.urls import reverse

    from campaigns.report_prefill import table_state
    from campaigns.services.tracker import begin_table
    from tests import campaign_stories as c
    from tests.bench.visitor import signed_in
    from tests.conftest import person

    call_command("migrate", verbosity=0)
    ada, ben, cleo = (person(name) for name in ("ada", "ben", "cleo"))
    found = []
    for _ in range(count):
        battle = c.mustered(c.club(cleo, ada, ben), ada, ben)
        begin_table(battle=battle, actor=ada)
        state = table_state(battle)
        assert state is not None
        sides = [str(c.side(battle, user).pk) for user in (ada, ben)]
        phones = [(signed_in(user), state.of(side)[0].key) for user, side in zip((ada, ben), sides, strict=True)]
        found.append({"path": reverse("battle-track", args=[battle.pk]), "port": SITE, "phones": phones})
    connection.close()
    return found


# --- serving ------------------------------------------------------------------------------------------------------------------


@contextmanager
def served() -> Iterator[Proxy]:
    """The site with two workers, the stream, and what leads to both under one address."""
    common = ["--no-control-socket", "--log-level", "error", "--graceful-timeout", "2"]
    commands = [
        ["gunicorn", "config.wsgi", "--workers", "2", "--bind", f"127.0.0.1:{SITE}", *common],
        ["gunicorn", "config.stream", "--worker-class", "asgi", "--workers", "1", "--bind", f"127.0.0.1:{STREAM}", *common],
    ]  # fmt: skip
    with ExitStack() as stack:
        for command in commands:
            process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT)
            stack.callback(process.wait, 20)
            stack.callback(process.terminate)
        proxy = Proxy()
        stack.callback(proxy.close)
        for port in (SITE, STREAM):
            wait_for(port)
        yield proxy


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            ask = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            ask.request("GET", "/healthz")
            status = ask.getresponse().status
            ask.close()
            if status in (200, 404):  # the stream knows no such address, but listens
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit(f"Nothing answers at port {port}.")


class Proxy:
    """Passes connections on: to the stream for addresses below /stream/, else to the site, which answers one request on each.

    `passed` counts requests and bytes, both ways.
    """

    def __init__(self) -> None:
        self.passed = Counter[str]()
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._pass_on, "127.0.0.1", PROXY))
        ready.set()
        self._loop.run_forever()

    async def _pass_on(self, near: Any, back: Any) -> None:
        first = await near.readline()
        port = STREAM if b" /stream/" in first else SITE
        far, there = await asyncio.open_connection("127.0.0.1", port)
        there.write(first)
        self.passed.update(requests=1, bytes=len(first))
        await asyncio.gather(self._copy(near, there), self._copy(far, back), return_exceptions=True)

    async def _copy(self, read: Any, write: Any) -> None:
        try:
            while data := await read.read(65536):
                write.write(data)
                self.passed["bytes"] += len(data)
                await write.drain()
        finally:
            write.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)


# --- two phones -----------------------------------------------------------------------------------------------------------------

SHOWN = """(id) => new Promise((done, failed) => {
    const row = () => document.getElementById(id).textContent, before = row();
    setTimeout(failed, 30000, new Error("The press was never shown on the other phone."));
    const seen = new MutationObserver(() => {
        if (row() === before) return;
        seen.disconnect();
        done(Date.now());
    });
    seen.observe(document.getElementById("tracker"), {subtree: true, childList: true, attributes: true});
})"""
COUNTED = """window.under = 0;
const asked = window.fetch;
window.fetch = (...what) => { window.under += 1; return asked(...what).finally(() => { window.under -= 1; }); };"""
WITHOUT_STREAM = "window.EventSource = class extends EventTarget { close() {} };"


def two_phones(table: dict[str, Any], presses: int) -> bool:
    """Print how soon one phone shows what the other pressed. Returns whether a budget was missed."""
    missed = False
    for transport, budget in (("streamed", STREAMED_BUDGET_MS), ("polled", POLLED_BUDGET_MS)):
        times = timed_presses(table, presses, streamed=transport == "streamed")
        median = statistics.median(times)
        good = median < budget if transport == "streamed" else max(times) < budget
        missed |= not good
        print(
            f"{'ok  ' if good else 'OVER'}  press to marker on the other phone, {transport}, {len(times)} presses: median {median:.0f} ms, "
            f"slowest {max(times):.0f} ms   {'median' if transport == 'streamed' else 'each'} under {budget} ms",
            flush=True,
        )
    return missed


def timed_presses(table: dict[str, Any], presses: int, *, streamed: bool) -> list[float]:
    """Milliseconds from each press on one page to the figure on the other."""
    times = []
    with two_pages(table, streamed=streamed) as (mine, theirs):
        key = table["phones"][0][1]
        mine.locator(f"#f{key}").click()
        mine.wait_for_timeout(1000)
        for place in range(presses):
            theirs.evaluate(f"void (window.shown = ({SHOWN})('f{key}'))")
            button = f"m{key}_blood_{'minus' if place % 2 else 'plus'}"
            pressed = mine.evaluate(
                "(id) => { const now = Date.now(); document.getElementById(id).click(); return now; }", button
            )
            times.append(theirs.evaluate("window.shown") - pressed)
            mine.wait_for_timeout(300 + 170 * (place % 9))  # at any moment between two looks of the other
    return times


@contextmanager
def two_pages(table: dict[str, Any], *, streamed: bool) -> Iterator[list[Any]]:
    """The table on the phones of both players, in a browser."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import BROWSERS, PHONE

    found = next(path for path in map(shutil.which, BROWSERS) if path)
    site = f"http://localhost:{PROXY}"
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=flags)
        pages = []
        for cookie, _ in table["phones"]:
            context = chromium.new_context(
                base_url=site, viewport={"width": PHONE, "height": 740}, service_workers="block"
            )
            key, _, value = cookie.partition("=")
            context.add_cookies([{"name": key, "value": value, "url": site}])
            if not streamed:
                context.add_init_script(WITHOUT_STREAM)
            page = context.new_page()
            page.goto(table["path"])
            page.get_by_text("in sync").wait_for()
            pages.append(page)
        yield pages
        chromium.close()


def idle_hour(table: dict[str, Any], proxy: Proxy, minutes: int) -> bool:
    """Print what a phone that nobody touches takes in an hour, by a clock that runs fast. Returns whether the budget was missed.

    Of a stream the beats are counted by their pace, as they come by the server's clock.
    """
    with two_pages(table, streamed=False) as (page, other):
        other.close()
        page.add_init_script(COUNTED)
        page.clock.install()
        page.reload()
        page.get_by_text("in sync").wait_for()
        before = proxy.passed.copy()
        for _ in range(30 * minutes):
            page.clock.run_for(2000)
            while page.evaluate("window.under"):  # its clock stands still while the server answers
                page.wait_for_timeout(5)
        looks, size = (proxy.passed[what] - before[what] for what in ("requests", "bytes"))
    each = size / looks
    polled = (
        size + max(0, 60 - minutes) * 6 * each
    )  # by the pace of a quiet table, where it was not watched for the hour
    streamed = each * 3600 / 30 + BEATS * len("event: beat\ndata: null\n\n")
    good = polled < IDLE_BUDGET
    print(
        f"{'ok  ' if good else 'OVER'}  an hour of an idle table on one phone: {polled / 1000:.0f} kB polled ({looks} looks in {minutes} "
        f"minutes, {each:.0f} bytes each, both ways), {streamed / 1000:.0f} kB streamed   under {IDLE_BUDGET / 1000:.0f} kB"
    )
    return not good


# --- forty tables ---------------------------------------------------------------------------------------------------------------


class Phone:
    """A phone without a browser: it asks, and presses a marker on and off again."""

    def __init__(self, table: dict[str, Any], side: int) -> None:
        cookie, self.fighter = table["phones"][side]
        self.path, self.port = table["path"], table["port"]
        self.cookies = dict([cookie.split("=", 1)])
        _, page = self._ask("GET", self.path)
        token, version = TOKEN.search(page), TRACKER.search(page)
        assert token is not None
        assert version is not None
        self.token, self.version, self.figure = token[1].split("."), version[1], 0

    def _ask(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        ask = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        ask.request(method, path, body, {"Cookie": cookies, **headers})
        answer = ask.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        ask.close()
        return answer, text

    def look(self) -> int:
        """Ask what changed. Returns the status."""
        answer, _ = self._ask("GET", f"{self.path}?since={self.version}", **{"X-Table": "1"})
        self.version = answer.getheader("X-Table-Version") or self.version
        return answer.status

    def press(self) -> float:
        """Press. Returns the seconds until the answer was there. Raises SystemExit if the site refuses it."""
        change = 1 if self.figure == 0 else -1
        fields = {
            "press": f"marker {self.fighter} blood {change} {self.figure}",
            "token": ".".join([*self.token[:2], secrets.token_hex(8)]),
        }
        headers = {
            "X-Table": "1",
            "X-CSRFToken": self.cookies["csrftoken"],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        start = time.perf_counter()
        answer, text = self._ask("POST", f"{self.path}?since={self.version}", urlencode(fields), **headers)
        seconds = time.perf_counter() - start
        if answer.status != 200:
            raise SystemExit(f"A press was answered {answer.status}: {text[:300]}")
        self.figure += change
        self.version = answer.getheader("X-Table-Version") or self.version
        return seconds


def forty_tables(tables: list[dict[str, Any]], seconds: int) -> bool:
    """Print what a press takes at the only table and at one of many. Returns whether the budget was missed."""
    alone = Phone(tables[0], 0)
    for _ in range(5):
        alone.press()
    idle = statistics.median(alone.press() for _ in range(40))
    command = [sys.executable, "-m", "tests.bench.tables", "--play", str(seconds)]
    told = subprocess.run(command, input=json.dumps(tables), capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(told.stdout)
    presses, looks = found["presses"], found["looks"]
    slow = statistics.quantiles(presses, n=20)[-1]
    good = slow < PRESS_BUDGET * idle and found["failed"] == 0
    print(
        f"{'ok  ' if good else 'OVER'}  {len(tables)} tables, two workers, {seconds} s: {len(presses)} presses, median "
        f"{statistics.median(presses) * 1000:.0f} ms, 95 % within {slow * 1000:.0f} ms; {looks} looks, {found['failed']} failed"
        f"   {slow / idle:.1f}x, under {PRESS_BUDGET:g}x of {idle * 1000:.0f} ms"
    )
    return not good


def play(tables: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Let two phones at each table look and press in turn for so long. Returns the seconds of each press, how many looks, how many failed."""
    presses: list[float] = []
    counted = {"looks": 0, "failed": 0}
    over = threading.Event()

    def keep(place: int, side: int) -> None:
        phone = Phone(tables[place], side)
        over.wait(PAUSE * (2 * place + side) / (2 * len(tables)))
        turn = (2 * place + side) % int(2 * BETWEEN_PRESSES / PAUSE)
        while not over.is_set():
            start = time.monotonic()
            try:
                if turn % int(2 * BETWEEN_PRESSES / PAUSE) == 0:
                    presses.append(phone.press())
                counted["failed"] += phone.look() not in (200, 204)
            except OSError:
                counted["failed"] += 1
            counted["looks"] += 1
            turn += 1
            over.wait(max(0.0, PAUSE - (time.monotonic() - start)))

    threads = [threading.Thread(target=keep, args=(place, side)) for place in range(len(tables)) for side in (0, 1)]
    for thread in threads:
        thread.start()
    over.wait(seconds)
    over.set()
    for thread in threads:
        thread.join()
    return {"presses": presses, **counted}


if __name__ == "__main__":
    raise SystemExit(main())
