"""`make bench-growth`: the same pages on PostgreSQL while one campaign of the site grows tenfold and a hundredfold.

Three databases, each behind a gunicorn worker of its own, are asked turn and turn about, so that a busy machine is busy for all of them.
Pages of a quiet club beside the large campaign must not notice it; pages of the large campaign may take 1.5 times as long at ten times
the size, and three times at a hundred. A page that misses is measured again with more turns before it counts. Then every query of every
page is explained on the largest database: none may walk through a table that grows. Exit status 1 when anything is missed.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parents[2]
SCALES = (1, 10, 100)
QUIET_BUDGET, LARGE_BUDGETS = 1.15, {10: 1.5, 100: 3.0}
FLOOR_MS = 0.5  # what two runs of the same page differ by at least
PORT = 8700 + os.getpid() % 60 * 5


def main() -> int:
    """Build the sites, measure, explain. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15, help="0: only explain the queries")
    parser.add_argument("--scales", default=",".join(str(scale) for scale in SCALES))
    parser.add_argument("--only", default="", help="a part of the names of the pages to measure")
    given = parser.parse_args()
    scales = [int(scale) for scale in given.scales.split(",")]
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        raise SystemExit("This needs PostgreSQL: run it by `make bench-growth`, or set DATABASE_URL.")
    names = {scale: f"bench_growth_{os.getpid()}_{scale}" for scale in scales}
    os.environ.update(
        DEVELOPMENT="1", DATABASE_URL=database(server, names[scales[0]]), DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR"
    )  # fmt: skip
    started = time.monotonic()
    try:
        pages = build(server, names)
        print(f"{len(pages)} pages; built in {time.monotonic() - started:.0f} s\n")
        missed = False
        if given.turns:
            with servers(server, names):
                missed = measure([page for page in pages if given.only in page.name], scales, given.turns)
        missed |= explained(server, names[scales[-1]], pages)
        print(f"\n{time.monotonic() - started:.0f} s in all")
        return int(missed)
    finally:
        for name in names.values():
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


def build(server: str, names: dict[int, str]) -> list[Any]:
    """Make one database for each scale, each grown from a copy of the one before. Returns the pages to look at."""
    import django

    on_server(server, f'CREATE DATABASE "{names[min(names)]}"')
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    from tests.bench.grown import grow
    from tests.bench.growth_pages import growing_pages
    from tests.scene import make_scene

    scene = make_scene()
    before = None
    for scale, name in names.items():
        if before is not None:
            connection.close()
            on_server(server, f'CREATE DATABASE "{name}" TEMPLATE "{before}"')
            connection.settings_dict["NAME"] = name
        start = time.monotonic()
        grown = grow(scene.wardens, scale)
        with connection.cursor() as cursor:
            cursor.execute("SELECT (SELECT count(*) FROM warbands_warband), (SELECT count(*) FROM campaigns_battle),"
                           " (SELECT count(*) FROM warbands_event)")  # fmt: skip
            warbands, battles, events = cursor.fetchone()
        print(
            f"{scale}x: {warbands} warbands, {battles} battles, {events:,} events, grown in {time.monotonic() - start:.0f} s"
        )
        if before is None:
            pages = growing_pages(scene, grown)
        before = name
    connection.close()
    return pages


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


def measure(pages: list[Any], scales: list[int], turns: int) -> bool:
    """Print a row for each page. Returns whether a budget was missed."""
    missed = False
    heads = "".join(f"{f'{scale}x':>16}" for scale in scales)
    print(f"      {'page':<58}{heads}   budget")
    for page in pages:
        budgets = [1.0, *((LARGE_BUDGETS.get(scale, 3.0) if page.is_large else QUIET_BUDGET) for scale in scales[1:])]
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
    """Explain every query of every page on the largest database. Returns whether one walks through a table that grows."""
    from django.db import connection
    from django.test import Client

    from tests.bench.plans import scans_of

    connection.close()
    connection.settings_dict["NAME"] = name
    found: dict[str, str] = {}
    for page in pages:
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
