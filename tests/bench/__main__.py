"""`make bench`: ratios measured in one run, through gunicorn, with the budgets beside them.

Every page of the site is measured against a bare page for a signed-in user behind the same middleware, turn and turn about, by the
median; a page over its budget is measured again with more turns before that counts. Acts by htmx are measured the same way. The
roster PDF against WeasyPrint on that very HTML from a file and on prose of the same number of pages; legality as checks a second
on one core, of the scene's warband and of every list; pages while forty phones keep a table; all editions loaded at once; the memory of the web worker after it made PDFs;
and how soon presses stand on a phone with a slow processor. Exit status 1 when a budget is missed.
"""

from __future__ import annotations

import argparse
import http.client
import os
import platform
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PORT = 8765
AGAIN = (1, 3, 10)
PDF_SAME_BUDGET, PDF_PROSE_BUDGET = 1.3, 3.0
SECOND_PRINT_BUDGET_MS = 100
CHECKS_BUDGET, MEMORY_BUDGET_MB = 2000, 200
LOAD_BUDGET, LOAD_BUDGET_MB = 1.0, 80

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run all measurements and print them. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="PAGE", help="measure pages whose names begin so, and nothing else"
    )
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DEVELOPMENT="1",
            SECRET_KEY=secrets.token_urlsafe(60),
            DATABASE_URL=f"sqlite:///{folder}/bench.sqlite3",
            STATIC_ROOT=f"{folder}/static",
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"], ["demo"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        import django

        django.setup()
        from tests.bench.scene import prepare

        scene = prepare()
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "tests.bench.wsgi", "-b", f"127.0.0.1:{PORT}", "-w", "1", "--log-level", "error",
             "--timeout", "120"], cwd=ROOT
        )  # fmt: skip
        try:
            return measure(server.pid, scene, told.turns, tuple(told.only))
        finally:
            server.terminate()
            server.wait(timeout=20)


class Visitor:
    """One signed-in visitor; each request is a connection of its own, since gunicorn's plain workers keep none alive."""

    def __init__(self, cookie: str) -> None:
        self._cookie = cookie

    def get(self, path: str, cookie: str = "") -> bytes:
        """The body of a page, as this visitor or another one opens it. Raises SystemExit for anything but a 200."""
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
        connection.request("GET", path, headers={"Cookie": cookie or self._cookie, "Accept-Encoding": "identity"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}")
        return body


def timed(act: Callable[[], object]) -> float:
    """Seconds that the act took."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def measure(server: int, scene: object, turns: int, only: tuple[str, ...] = ()) -> int:
    """Print every measurement. Returns 0, or 1 when a budget is missed."""
    visitor = Visitor(scene.cookie)  # type: ignore[attr-defined]
    for _ in range(100):
        try:
            visitor.get("/bare/")
            break
        except OSError:
            time.sleep(0.1)
    missed = False

    def report(what: str, value: str, budget: str, good: bool) -> None:
        nonlocal missed
        missed |= not good
        print(f"{'ok  ' if good else 'OVER'}  {what:<58} {value:>16}   {budget}")

    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {turns} turns, one gunicorn worker\n"
    )
    for page in scene.pages:  # type: ignore[attr-defined]
        if only and not page.name.startswith(only):
            continue
        for _ in range(3):
            visitor.get(page.path, page.cookie), visitor.get("/bare/")
        for more in AGAIN:  # a page over its budget is looked at again before that counts
            pairs = [
                (timed(lambda: visitor.get("/bare/")), timed(lambda p=page: visitor.get(p.path, p.cookie)))
                for _ in range(turns * more)
            ]
            bare, spent = statistics.median(b for b, _ in pairs), statistics.median(p for _, p in pairs)
            if spent / bare <= page.budget:
                break
        report(
            page.name,
            f"{spent / bare:.1f}x ({spent * 1000:.1f} ms)",
            f"at most {page.budget:g}x of {bare * 1000:.1f} ms",
            spent / bare <= page.budget,
        )
    from tests.bench.acts import ACT_BUDGET, Presser, pressed

    presser = Presser(PORT, scene.cookie)  # type: ignore[attr-defined]
    for act in scene.acts:  # type: ignore[attr-defined]
        if only and not act.name.startswith(only):
            continue
        pressed(presser, act, timed)
        pairs = [(timed(lambda: visitor.get("/bare/")), pressed(presser, act, timed)) for _ in range(turns)]
        bare, spent = statistics.median(b for b, _ in pairs), statistics.median(p for _, p in pairs)
        report(
            act.name,
            f"{spent / bare:.1f}x ({spent * 1000:.1f} ms)",
            f"at most {ACT_BUDGET:g}x of {bare * 1000:.1f} ms",
            spent / bare <= ACT_BUDGET,
        )
    if only:
        return int(missed)
    size = len(visitor.get(scene.builder)) / 1024  # type: ignore[attr-defined]
    report("builder of 12 fighters, HTML", f"{size:.0f} KB", "under 120 KB", size < 120)

    from tests.bench.pairing import PAIRING_BUDGET_MS, SEATS, slowest_round

    slowest = slowest_round() * 1000
    report(
        f"a round of {SEATS} suggested, the slowest of a season",
        f"{slowest:.0f} ms",
        f"under {PAIRING_BUDGET_MS} ms",
        slowest < PAIRING_BUDGET_MS,
    )

    from tests.bench.pdfs import compare, compare_work, second_print

    ours, same, prose, pages = compare(scene, visitor)  # type: ignore[arg-type]
    report(
        f"roster PDF ({pages} pages) to the bare engine",
        f"{ours / same:.2f}x ({ours:.2f} s)",
        f"at most {PDF_SAME_BUDGET:g}x",
        ours / same <= PDF_SAME_BUDGET,
    )
    for collection, (mine, bare) in compare_work(scene).items():
        report(
            f"roster PDF to the bare engine, work of the processor, {collection} garbage collection",
            f"{mine / bare:.2f}x ({mine:.2f} s)",
            f"at most {PDF_SAME_BUDGET:g}x",
            mine / bare <= PDF_SAME_BUDGET,
        )
    report(
        "roster PDF to prose of as many pages",
        f"{ours / prose:.2f}x",
        f"at most {PDF_PROSE_BUDGET:g}x",
        ours / prose <= PDF_PROSE_BUDGET,
    )

    again = second_print(scene, visitor)
    report(
        "second print of the same version",
        f"{again * 1000:.0f} ms",
        f"under {SECOND_PRINT_BUDGET_MS} ms",
        again * 1000 < SECOND_PRINT_BUDGET_MS,
    )

    from tests.bench.phones import BUDGET as PHONES_BUDGET
    from tests.bench.phones import beside_phones

    beside, (unchanged, other) = beside_phones(scene, lambda path: timed(lambda: visitor.get(path)), turns * 6)
    for name, idle, busy in beside:
        report(
            f"{name}, forty phones at a table",
            f"{busy / idle:.2f}x ({busy * 1000:.1f} ms)",
            f"at most {PHONES_BUDGET:g}x of {idle * 1000:.1f} ms",
            busy / idle <= PHONES_BUDGET,
        )
    report(
        "what they heard, nothing new and else",
        f"{unchanged} and {other}",
        "all nothing new",
        not other and unchanged > 0,
    )

    from tests.bench import first_visit

    paint, files, weight = first_visit.measure()
    report(
        "first visit, 150 ms and 1.6 Mbit/s: first paint",
        f"{paint:.2f} s ({weight / 1024:.0f} KB)",
        f"under {first_visit.PAINT_BUDGET_S:g} s",
        paint < first_visit.PAINT_BUDGET_S,
    )
    report("first visit, files", f"{files}", f"at most {first_visit.FILES_BUDGET}", files <= first_visit.FILES_BUDGET)

    from tests.bench import presses
    from warbands.models import Warband

    act = scene.acts[0]  # type: ignore[attr-defined]
    for press in presses.measure(Warband.objects.get(pk=act.warband), act.actor):
        report(
            f"{press.name}, processor slowed {presses.SLOWER} times ({press.weight})",
            f"{press.stood_ms:.0f} ms",
            f"under {presses.STANDS_BUDGET_MS} ms",
            press.stood_ms < presses.STANDS_BUDGET_MS,
        )
        feedback = f"{press.seen_ms:.0f} ms"
        good = press.seen_ms < presses.FEEDBACK_BUDGET_MS
        report(f"{press.name}, feedback", feedback, f"under {presses.FEEDBACK_BUDGET_MS} ms", good)

    from tests.bench.editions import load

    editions, seconds, loaded = load()
    report(f"{len(editions)} editions loaded", f"{seconds:.2f} s", f"under {LOAD_BUDGET:g} s", seconds < LOAD_BUDGET)
    report("the process that loaded them", f"{loaded:.0f} MB", f"under {LOAD_BUDGET_MB} MB", loaded < LOAD_BUDGET_MB)

    rate = scene.checks_per_second()  # type: ignore[attr-defined]
    report(
        "legality of 12 fighters, one core", f"{rate:,.0f}/s", f"at least {CHECKS_BUDGET:,}/s", rate >= CHECKS_BUDGET
    )
    from tests.bench.legality import measure as legality_of_every_list

    rates = legality_of_every_list()
    slowest = rates[0]
    report(
        f"slowest of {len(rates)} lists, {slowest.list} {slowest.edition}",
        f"{slowest.slower:,.0f}/s",
        f"at least {CHECKS_BUDGET:,}/s",
        slowest.slower >= CHECKS_BUDGET,
    )
    memory = max(resident_mb(pid) for pid in children(server))
    report("web worker after PDFs", f"{memory:.0f} MB", f"under {MEMORY_BUDGET_MB} MB", memory < MEMORY_BUDGET_MB)
    return int(missed)


def children(pid: int) -> list[int]:
    """Process ids of the children."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True).stdout
    return [int(word) for word in found.split()]


def resident_mb(pid: int) -> float:
    """Resident memory in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(match[1]) / 1024 if match else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
