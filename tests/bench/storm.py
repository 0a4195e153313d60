"""`make bench-storm`: a whole club at once. Forty people on their rosters, forty tables, two workers, PostgreSQL; afterwards the books add up.

Each person opens a page every few seconds: desk, roster, shop, history, campaign, standings; every third time they hire, rename or take
back. Eighty phones look at forty tables every two seconds, and somebody presses at each every six. What each kind of page and press takes is
compared with its own median on the idle site. Exit status 1 when anything fails, when one answer in twenty takes over ten times its idle
median, or when `reconcile` or `verify` finds anything.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from typing import Any
from urllib.parse import urlencode

from tests.bench.acts import FIELD, FORM, Act, Presser
from tests.bench.growth import database, on_server
from tests.bench.tables import PRESS_BUDGET, ROOT, SITE, Phone, build, play, served

PAUSE = 4.0  # seconds between two pages of one person
MOST_HIRED = 4


def main() -> int:
    """Build, serve, storm, check. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--play", choices=("walk", "tables"), help=argparse.SUPPRESS)  # as a process of its own
    given = parser.parse_args()
    if given.play == "walk":
        print(json.dumps(walk(json.load(sys.stdin), given.seconds)))
        return 0
    if given.play == "tables":
        print(json.dumps(play(json.load(sys.stdin), given.seconds)))
        return 0
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        raise SystemExit("This needs PostgreSQL: run it by `make bench-storm`, or set DATABASE_URL.")
    name = f"bench_storm_{os.getpid()}"
    os.environ.update(
        DEVELOPMENT="1", DATABASE_URL=database(server, name), DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR", STREAM_URL="/stream/"
    )  # fmt: skip
    on_server(server, f'CREATE DATABASE "{name}"')
    try:
        tables = build(given.tables)
        people = gather(given.people)
        with served():
            idle = measured_idle(tables, people[0])
            told = storm(people, tables, given.seconds)
        missed = compared(idle, told, f"{len(people)} people and {len(tables)} tables, two workers, {given.seconds} s")
        return int(missed | wrong_books())
    finally:
        on_server(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def gather(count: int) -> list[dict[str, Any]]:
    """Make so many people with a warband each, who watch the campaigns of the tables. For each a cookie and their addresses."""
    from django.db import connection
    from django.urls import reverse

    from campaigns.models import Campaign
    from tests import stories as s
    from tests.bench.visitor import signed_in
    from tests.conftest import person

    campaigns = list(Campaign.objects.filter(kind="series").order_by("pk"))
    Campaign.objects.update(seen_by=Campaign.SeenBy.LINK)
    found = []
    for place in range(count):
        user = person(f"storm-{place}")
        warband = s.small_warband(user)
        fighter = warband.fighters.filter(is_undone=False, status="active").first()
        assert fighter is not None
        campaign = campaigns[place % len(campaigns)]
        pages = {
            "desk": reverse("desk-show"),
            "roster": reverse("warband-show", args=[warband.pk]),
            "shop": reverse("kit-buy", args=[fighter.pk]),
            "history": reverse("history-show", args=[warband.pk]),
            "campaign": reverse("campaign-watch", args=[campaign.slug]),
            "news": reverse("news-watch", args=[campaign.slug]),
        }
        acts = {
            "hire": reverse("fighter-hire", args=[warband.pk]),
            "rename": reverse("fighter-rename", args=[fighter.pk]),
        }
        found.append({"port": SITE, "cookie": signed_in(user), "pages": pages, "acts": acts})
    connection.close()
    return found


class Person:
    """Somebody on a roster. `times` are the seconds of each answer, by what was asked; `faults` what should not have come."""

    def __init__(self, given: dict[str, Any], seed: int) -> None:
        self.given, self.drawn = given, random.Random(seed)
        self.presser = Presser(given["port"], given["cookie"])
        self.times: dict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []
        self.hired = 0

    def open(self, name: str, path: str) -> str:
        start = time.perf_counter()
        status, page = self.presser.ask("GET", path)
        self.times[name].append(time.perf_counter() - start)
        if status != 200:
            self.faults.append(f"{name}: {status}")
        return page

    def send(self, name: str, path: str, fields: dict[str, str], more: dict[str, str] | None = None) -> None:
        head = {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": fields.get("csrfmiddlewaretoken", ""),
            **(more or {}),
        }
        start = time.perf_counter()
        status, page = self.presser.ask("POST", path, urlencode(fields), head)
        self.times[name].append(time.perf_counter() - start)
        if status not in (200, 302):
            self.faults.append(f"{name}: {status} {page[:200]}")

    def look(self) -> None:
        name = self.drawn.choice(sorted(self.given["pages"]))
        self.open(name, self.given["pages"][name])

    def act(self) -> None:
        """Rename somebody; now and then hire one more, as long as the purse and the list let."""
        path = self.given["acts"]["rename"]
        if self.hired < MOST_HIRED and self.drawn.random() < 1 / 3:
            self.hire()
            return
        page = self.open("form of rename", path)
        form = next(form for form in FORM.findall(page) if 'name="name"' in form)
        self.send("rename", path, dict(FIELD.findall(form)) | {"name": f"Number {self.drawn.randrange(10**6)}"})

    def hire(self) -> None:
        try:
            address, target, fields = self.presser.form(Act("hire", self.given["acts"]["hire"], "offer", 0, None))
        except SystemExit:  # no button is open any more
            self.hired = MOST_HIRED
            return
        self.hired += 1
        self.send("hire", address, fields, {"HX-Request": "true", "HX-Target": f"div#{target}"})


def measured_idle(tables: list[dict[str, Any]], given: dict[str, Any]) -> dict[str, float]:
    """The median seconds of each page and press while nobody else is there."""
    person = Person(given, 0)
    for _ in range(8):
        for name, path in given["pages"].items():
            person.open(name, path)
    for _ in range(12):
        person.act()
    idle = {name: statistics.median(times) for name, times in person.times.items()}
    phone = Phone(tables[0], 0)
    idle["table press"] = statistics.median(phone.press() for _ in range(25))
    if person.faults:
        raise SystemExit(f"On the idle site: {person.faults[:3]}")
    return idle


def storm(people: list[dict[str, Any]], tables: list[dict[str, Any]], seconds: int) -> dict[str, Any]:
    """Everybody at once, in two processes. Returns what both tell."""
    running = {}
    for kind, given in (("walk", people), ("tables", tables)):
        words = [sys.executable, "-m", "tests.bench.storm", "--play", kind, "--seconds", str(seconds)]
        running[kind] = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert running[kind].stdin is not None
        running[kind].stdin.write(json.dumps(given))
        running[kind].stdin.close()
    told = {}
    for kind, process in running.items():
        assert process.stdout is not None
        told[kind] = json.loads(process.stdout.read())
        process.wait()
    return told


def walk(people: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Let each person look and act for so long. Returns the seconds of each answer, and what failed."""
    over = threading.Event()
    there = [Person(given, place) for place, given in enumerate(people)]

    def go(place: int, person: Person) -> None:
        over.wait(PAUSE * place / len(people))
        while not over.is_set():
            start = time.monotonic()
            try:
                person.act() if person.drawn.random() < 1 / 3 else person.look()
            except (OSError, StopIteration) as error:
                person.faults.append(repr(error))
            over.wait(max(0.0, PAUSE * (0.5 + person.drawn.random()) - (time.monotonic() - start)))

    threads = [threading.Thread(target=go, args=each) for each in enumerate(there)]
    for thread in threads:
        thread.start()
    over.wait(seconds)
    over.set()
    for thread in threads:
        thread.join()
    times: dict[str, list[float]] = defaultdict(list)
    for person in there:
        for name, found in person.times.items():
            times[name] += found
    return {"times": times, "faults": [fault for person in there for fault in person.faults]}


def compared(idle: dict[str, float], told: dict[str, Any], what: str) -> bool:
    """Print what each took beside its idle median. Returns whether the budget was missed or anything failed."""
    times = {**told["walk"]["times"], "table press": told["tables"]["presses"]}
    ratios = []
    for name, found in sorted(times.items()):
        alone = idle.get(name)
        if alone is None or len(found) < 2:
            continue
        ratios += [each / alone for each in found]
        slow = statistics.quantiles(found, n=20)[-1]
        print(
            f"      {name:<16}{len(found):>6} answers, idle {alone * 1000:>5.0f} ms, median {statistics.median(found) * 1000:>5.0f} ms, "
            f"95 % within {slow * 1000:>5.0f} ms   {slow / alone:.1f}x"
        )
    slow, faults = statistics.quantiles(ratios, n=20)[-1], told["walk"]["faults"]
    failed = told["tables"]["failed"] + len(faults)
    good = slow < PRESS_BUDGET and not failed
    load = os.getloadavg()[0]
    print(
        f"{'ok  ' if good else 'OVER'}  {what}: {len(ratios)} answers and "
        f"{told['tables']['looks']} looks, {failed} failed; 95 % within {slow:.1f}x of the idle median, under {PRESS_BUDGET:g}x "
        f"({os.cpu_count()} processors, load {load:.1f})"
    )
    for fault in faults[:5]:
        print(f"      {fault}")
    return not good


def wrong_books() -> bool:
    """Print what reconcile and verify find. Returns whether there is anything."""
    wrong = False
    for words in (["reconcile"], ["verify"]):
        done = subprocess.run(
            [sys.executable, "manage.py", *words], capture_output=True, text=True, check=False, cwd=ROOT
        )
        wrong |= done.returncode != 0
        print(
            f"{'ok  ' if done.returncode == 0 else 'OVER'}  {words[0]}: {done.stderr.strip().splitlines()[-1]}{done.stdout[:500]}"
        )
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
