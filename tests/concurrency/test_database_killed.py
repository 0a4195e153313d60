"""PostgreSQL itself is killed under presses: the site says so in a sentence, comes back by itself, and has all that it acknowledged.

On a server of this test's own, since that of the run is needed. Two workers, and four phones that press without end.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import secrets
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.databases import MAKE_TABLES
from tests.drills import WHOLE
from tests.own_postgres import own_postgres, programs
from tests.unit.test_plain_http import free_port
from tests.unit.test_settings import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(programs() is None, reason="No PostgreSQL on this machine.")]

KILLS = 30 if WHOLE else 2
TOKEN = re.compile(r'name="token" value="([^"]+)"')
AWAY = "The server is busy"  # the head of the page while the database is away

CLUB = """
import json
from django.urls import reverse
from campaigns.report_prefill import table_state
from campaigns.services.tracker import begin_table
from tests import campaign_stories as c
from tests.bench.visitor import signed_in
from tests.conftest import person
ada, ben, cleo = map(person, ("ada", "ben", "cleo"))
battle = c.mustered(c.club(cleo, ada, ben), ada, ben)
begin_table(battle=battle, actor=ada)
state, phones = table_state(battle), []
for user in (ada, ben):
    side = c.side(battle, user)
    fighter = side.warband.fighters.filter(is_undone=False, status="active").first()
    phones.append({"cookie": signed_in(user), "rename": reverse("fighter-rename", args=[fighter.pk])})
    phones.append({"cookie": signed_in(user), "table": reverse("battle-track", args=[battle.pk]), "fighter": state.of(str(side.pk))[0].key})
print(json.dumps(phones))
"""
KEPT = """
import json
import sys
import django
django.setup()
from campaigns.models import Battle, Table, TableAct
from tests.concurrency.test_killed import assert_table_is_its_log
from warbands.models import Event
for table in Table.objects.all():
    assert_table_is_its_log(Battle.objects.select_related("campaign__terms").get(pk=table.battle_id))
asked = json.load(sys.stdin)
found = [*Event.objects.filter(token__in=asked), *TableAct.objects.filter(token__in=asked)]
from warbands.chain import check
from warbands.models import Chain, Warband
from warbands.reconcile import differences
faults = [line for row in Warband.objects.select_related("terms") for line in differences(row)]
faults += [line for chain in Chain.objects.all() for line in check(chain).faults]
print(json.dumps([[row.token for row in found], faults]))
"""


class Phone(threading.Thread):
    """Presses until told to stop, each press again until it is answered by more than "busy"."""

    def __init__(self, port: int, given: dict[str, str], seed: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.port, self.given, self.over = port, given, over
        self.drawn = random.Random(seed)
        self.cookies = dict([given["cookie"].split("=", 1)])
        self.acknowledged: list[str] = []
        self.answers: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.last = 0.0  # when a press was acknowledged

    def run(self) -> None:
        path = self.given.get("rename") or self.given["table"]
        while not self.over.is_set():
            status, page = self.ask("GET", path)
            if status == 200 and (found := TOKEN.search(page)):
                self.press(path, ".".join([*found[1].split(".")[:2], secrets.token_hex(8)]))

    def press(self, path: str, token: str) -> None:
        if "rename" in self.given:
            fields = {"name": f"Number {self.drawn.randrange(10**6)}"}
        else:
            fields = {"press": f"marker {self.given['fighter']} blood {self.drawn.choice(('1', '-1'))}"}
        while not self.over.is_set():
            status, _page = self.ask("POST", path, {**fields, "token": token})
            if status in (200, 302):
                self.acknowledged.append(token)
                self.last = time.monotonic()
            if status in (200, 302, 422):
                return

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text of an answer; 0 where the line broke."""
        head = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if fields is not None:
            head |= {
                "X-CSRFToken": self.cookies.get("csrftoken", ""),
                "Content-Type": "application/x-www-form-urlencoded",
            }
            if "table" in self.given:
                head["X-Table"] = "1"
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            asked.request(method, path, urlencode(fields) if fields is not None else None, head)
            answer = asked.getresponse()
            status, page = answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append(f"{method} {path}: {error!r}")
            return 0, ""
        finally:
            asked.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        self.answers[status] += 1
        if status == 503 and (AWAY not in page or not answer.getheader("Retry-After")):
            self.wrong.append(f"{method} {path}: 503 without its words: {page[:300]}")
        elif status not in (200, 302, 422, 503):
            self.wrong.append(f"{method} {path}: {status} {page[:1500]}")
        return status, page


@contextmanager
def served(environment: dict[str, str]) -> Iterator[int]:
    """The site with two workers."""
    port = free_port()
    web = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--workers",
        "2",
        "--preload",
        "--no-control-socket",
        "--bind",
        f"127.0.0.1:{port}",
    ]
    running = subprocess.Popen([*web, "--log-level", "error"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            try:
                asked.request("GET", "/healthz")
                if asked.getresponse().status == 200:
                    break
            except OSError:
                time.sleep(0.1)
            finally:
                asked.close()
        yield port
    finally:
        running.terminate()
        running.wait(30)


def test_killing_the_database_loses_nothing_that_was_acknowledged() -> None:
    keep = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    with own_postgres() as server:
        how = {
            **keep, "DEVELOPMENT": "1", "DATABASE_URL": server.url, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR",
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip

        def told(script: str, given: str = "") -> Any:
            run = [sys.executable, "-c", script]
            done = subprocess.run(run, cwd=ROOT, env=how, input=given, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        drawn, over = random.Random(5), threading.Event()
        with served(how) as port:
            phones = [
                Phone(port, given, seed, over)
                for seed, given in enumerate(told(f"import django; django.setup()\n{MAKE_TABLES}\n{CLUB}"))
            ]
            for phone in phones:
                phone.start()
            try:
                for _number in range(KILLS):
                    wait_until_all_press(phones)
                    time.sleep(drawn.random())
                    server.kill()
                    time.sleep(drawn.random())
                    server.start()
                wait_until_all_press(phones)
            finally:
                over.set()
                for phone in phones:
                    phone.join(60)
        answers = sum((phone.answers for phone in phones), Counter())
        assert [line for phone in phones for line in phone.wrong] == []
        assert answers[503] >= 1
        acknowledged = [token for phone in phones for token in phone.acknowledged]
        kept, faults = told(KEPT, json.dumps(acknowledged))
        assert sorted(kept) == sorted(acknowledged)  # each once
        assert faults == []


def wait_until_all_press(phones: list[Phone]) -> None:
    """Return once every phone had a press acknowledged after now: the site has come back by itself."""
    now, deadline = time.monotonic(), time.monotonic() + 60
    while any(phone.last <= now for phone in phones):
        assert time.monotonic() < deadline, [(phone.given, phone.answers, phone.wrong[-1:]) for phone in phones]
        time.sleep(0.02)
