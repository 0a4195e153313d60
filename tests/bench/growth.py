"""`make bench-growth`: the same pages on PostgreSQL while the site grows, in width and in one campaign.

In width: 200 campaigns with 2,000 warbands, 25,000 fighters and 500,000 events, beside one hundredth of them. They are written in under five
minutes, and every page keeps within 1.3 times. In one campaign: it grows tenfold and a hundredfold. Pages of a quiet club beside it must not
notice; its own pages may take 1.5 times as long at ten times the size, and three times at a hundred.

Each database has a gunicorn worker of its own. They are asked turn and turn about, so that a busy machine is busy for all of them. A page
that misses is measured again with more turns before it counts. Then every query of every page is explained on the largest database: none may
walk through a table that grows. Exit status 1 when anything is missed.
"""

from __future__ import annotations

import argparse
import http.client
import logging
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parents[2]
FLOOR_MS = 0.5  # what two runs of the same page differ by at least
BUILD_BUDGET_S = 300
PORT = 8700 + os.getpid() % 60 * 5


@dataclass(frozen=True, slots=True)
class Growth:
    """A way to grow: the sizes, what makes each, and how many times its first time a page may take at each size."""

    words: str
    scales: tuple[int, ...]
    grow: Callable[[Any, int], Any]
    budgets: Callable[[Any, int], float]
    has_site_pages: bool = False


def growths() -> dict[str, Growth]:
    from tests.bench.grown import grow, widen

    of_large = {10: 1.5, 100: 3.0}
    return {
        "wide": Growth("club", (2, 200), widen, lambda page, scale: 1.3, has_site_pages=True),
        "long": Growth(
            "large", (1, 10, 100), grow, lambda page, scale: of_large.get(scale, 3.0) if page.is_large else 1.15
        ),
    }


def main() -> int:
    """Build the sites, measure, explain. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15, help="0: only explain the queries")
    parser.add_argument("--grow", choices=("wide", "long"), help="only the one")
    parser.add_argument("--scales", default="", help="other sizes than its own, with commas")
    parser.add_argument("--only", default="", help="a part of the names of the pages to measure")
    given = parser.parse_args()
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        raise SystemExit("This needs PostgreSQL: run it by `make bench-growth`, or set DATABASE_URL.")
    if given.grow is None:  # each in a process of its own, since settings are read once
        words = [sys.executable, "-m", "tests.bench.growth", *sys.argv[1:], "--grow"]
        return max(subprocess.run([*words, name], cwd=ROOT, check=False).returncode for name in ("wide", "long"))
    os.environ.update(DEVELOPMENT="1", DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR")
    return int(measured(server, given))


def measured(server: str, given: argparse.Namespace) -> bool:
    """Grow a site in one way and measure its pages. Returns whether a budget was missed."""
    import django

    first = f"bench_growth_{os.getpid()}_first"
    os.environ["DATABASE_URL"] = database(server, first)
    django.setup()
    logging.getLogger("django.request").setLevel(logging.ERROR)  # pages that are not for somebody
    growth = growths()[given.grow]
    scales = [int(scale) for scale in given.scales.split(",")] if given.scales else list(growth.scales)
    names = {scale: f"bench_growth_{os.getpid()}_{scale}" for scale in scales}
    started = time.monotonic()
    try:
        pages, missed = build(server, first, names, growth)
        print(f"{len(pages)} pages; built in {time.monotonic() - started:.0f} s\n")
        if given.turns:
            with servers(server, names):
                wanted = [page for page in pages if given.only in page.name]
                missed |= measure(wanted, scales, given.turns, growth.budgets)
        missed |= explained(server, names[scales[-1]], pages)
        print(f"\n{time.monotonic() - started:.0f} s in all (load {os.getloadavg()[0]:.1f})\n")
        return missed
    finally:
        for name in (first, *names.values()):
            on_server(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def database(server: str, name: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


def on_server(server: str, *statements: str) -> None:
    """Run statements outside of any transaction."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


def build(server: str, first: str, names: dict[int, str], growth: Growth) -> tuple[list[Any], bool]:
    """Make one database for each scale, each grown from a copy of the one before.

    Returns the pages to look at, and whether writing the rows took too long.
    """
    on_server(server, f'CREATE DATABASE "{first}"')
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    from tests.bench.growth_pages import growing_pages, pages_of_the_site
    from tests.scene import make_scene

    scene = make_scene()
    pages, before, is_slow = [], first, False
    for scale, name in names.items():
        connection.close()
        on_server(server, f'CREATE DATABASE "{name}" TEMPLATE "{before}"')
        connection.settings_dict["NAME"] = name
        start = time.monotonic()
        grown = growth.grow(scene.wardens, scale)
        spent = time.monotonic() - start
        is_slow |= spent > BUILD_BUDGET_S
        print(
            f"{'OVER' if spent > BUILD_BUDGET_S else 'ok  '}  {growth.words}, {scale}: {counted()}, grown in {spent:.0f} s"
        )
        if not pages:
            pages = growing_pages(scene, grown, growth.words)
            pages += pages_of_the_site() if growth.has_site_pages else []
        before = name
    connection.close()
    return pages, is_slow


def counted() -> str:
    """How many rows there are of what a site is measured by."""
    from django.db import connection

    tables = {"campaigns": "campaigns_campaign", "warbands": "warbands_warband", "fighters": "warbands_fighter"}
    tables |= {"battles": "campaigns_battle", "events": "warbands_event", "changes": "warbands_change"}
    found = []
    with connection.cursor() as cursor:
        for words, table in tables.items():
            cursor.execute(f"SELECT count(*) FROM {table}")
            found.append(f"{cursor.fetchone()[0]:,} {words}")
    return ", ".join(found)


@contextmanager
def servers(server: str, names: dict[int, str]) -> Iterator[None]:
    """A gunicorn worker for each database."""
    running = []
    for place, name in enumerate(names.values()):
        running.append(
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "gunicorn",
                    "tests.bench.wsgi",
                    "--no-control-socket",
                    "-b",
                    f"127.0.0.1:{PORT + place}",
                    "-w",
                    "1",
                    "--log-level",
                    "error",
                    "--timeout",
                    "120",
                ],
                cwd=ROOT,
                env={**os.environ, "DATABASE_URL": database(server, name)},
            )
        )
    try:
        yield
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=20)


def get(place: int, path: str, cookie: str) -> float:
    """Milliseconds that a page took on one of the servers."""
    for again in range(100):
        connection = http.client.HTTPConnection("127.0.0.1", PORT + place, timeout=120)
        try:
            start = time.perf_counter()
            connection.request("GET", path, headers={"Cookie": cookie})
            answer = connection.getresponse()
            body = answer.read()
            spent = time.perf_counter() - start
        except ConnectionRefusedError:
            if again == 99:
                raise
            time.sleep(0.1)
            continue
        finally:
            connection.close()
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status} on server {place}: {body[:300]!r}")
        return spent * 1000
    raise SystemExit("No server answers.")


def timed(page: Any, count: int, turns: int) -> list[float]:
    """The median milliseconds of a page on each server, asked turn and turn about."""
    for place in range(count):
        get(place, page.path, page.cookie), get(place, page.path, page.cookie)
    rows = [[get(place, page.path, page.cookie) for place in range(count)] for _ in range(turns)]
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def measure(pages: list[Any], scales: list[int], turns: int, budgets_of: Callable[[Any, int], float]) -> bool:
    """Print a row for each page. Returns whether a budget was missed."""
    missed = False
    heads = "".join(f"{scale:>16}" for scale in scales)
    print(f"      {'page':<58}{heads}   budget")
    for page in pages:
        budgets = [1.0, *(budgets_of(page, scale) for scale in scales[1:])]
        for more in (1, 3, 6):
            spent = timed(page, len(scales), turns * more)
            good = all(
                each <= max(budget * spent[0], spent[0] + FLOOR_MS) for each, budget in zip(spent, budgets, strict=True)
            )
            if good:
                break
        missed |= not good
        told = "".join(f"{f'{each:.1f} ms {each / spent[0]:.2f}x':>16}" for each in spent)
        limits = " and ".join(f"{budget:g}x" for budget in dict.fromkeys(budgets[1:]))
        print(f"{'ok  ' if good else 'OVER'}  {page.name:<58}{told}   {limits}")
    return missed


def explained(server: str, name: str, pages: list[Any]) -> bool:
    """Explain every query of every page on the largest database. Returns whether one walks through a table that grows.

    Lists of the site owner are of the whole site, so they may.
    """
    from django.db import connection
    from django.test import Client

    from tests.bench.plans import scans_of

    connection.close()
    connection.settings_dict["NAME"] = name
    found: dict[str, str] = {}
    for page in pages:
        if page.is_of_site:
            continue
        client = Client(headers={"host": "localhost"})
        if match := re.match(r"(\w+)=(\w+)", page.cookie):
            client.cookies[match[1]] = match[2]
        for scan in scans_of(client, page.path):
            found.setdefault(str(scan), page.name)
    connection.close()
    print(f"\n{'OVER' if found else 'ok  '}  {len(found)} plans walk through a table that grows")
    for scan, page_name in found.items():
        print(f"      {page_name}: {scan}")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
