"""Processes that are killed at any moment of trade, table, report and post-battle: nothing acknowledged is missing, nothing is half done."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from django.db import connection

from campaigns.models import Battle, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import begin_table
from rules.tracker.acts import read_act
from rules.tracker.state import read_state
from rules.tracker.tracker import fold
from tests import campaign_stories as c
from tests import stories as s
from tests.databases import url_of_run
from tests.drills import WHOLE
from tests.unit.test_settings import ROOT
from warbands.chain import check
from warbands.models import Chain, Event, Warband
from warbands.reconcile import differences

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]

ROUNDS = 60 if WHOLE else 2


class Process:
    """One process that acts, and what it has told so far."""

    def __init__(self, kind: str, key: int) -> None:
        self.kind, self.key = kind, key
        self.told: list[str] = []
        self.errors: list[str] = []
        self.start(0)

    def start(self, seed: int) -> None:
        keep = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        how = {**keep, "DEVELOPMENT": "1", "DATABASE_URL": url_of_run(), "DJANGO_SETTINGS_MODULE": "config.settings"}
        words = [sys.executable, "-m", "tests.killed", self.kind, str(self.key), str(seed)]
        self.running = subprocess.Popen(
            words, cwd=ROOT, env=how, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.reader = threading.Thread(target=self._read, args=(self.running,))
        self.before = len(self.told)
        self.reader.start()

    def _read(self, running: Any) -> None:
        for line in running.stdout:
            if line.endswith("\n"):
                self.told.append(line.strip())

    def has_begun(self) -> bool:
        if self.running.poll() is not None:
            raise AssertionError(f"{self.kind} ended by itself: {self.running.stderr.read()[-2000:]}")
        return len(self.told) > self.before

    def kill(self) -> None:
        self.running.kill()
        self.running.wait()
        self.reader.join(30)
        self.running.stderr.close()


def test_nothing_acknowledged_is_missing_after_kills(ada: Any, ben: Any, cleo: Any) -> None:
    trading = s.small_warband(ada)
    table, report, post = (c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare") for _ in range(3))
    begin_table(battle=table, actor=ada)
    c.fight(post, by=ada)
    c.begin(post, ben)
    connection.close()
    keys = {"trade": trading.pk, "table": table.pk, "report": report.pk, "post-battle": post.pk}
    processes = [Process(kind, key) for kind, key in keys.items()]
    drawn = random.Random(7)
    try:
        for number in range(1, ROUNDS + 1):
            deadline = time.monotonic() + 90
            while not all(process.has_begun() for process in processes):
                assert time.monotonic() < deadline, [process.kind for process in processes if not process.has_begun()]
                time.sleep(0.05)
            time.sleep(drawn.random() * 0.3)
            for process in drawn.sample(processes, len(processes) if number == ROUNDS else 2):
                process.kill()
                if number < ROUNDS:
                    process.start(number)
    finally:
        for process in processes:
            if process.running.poll() is None:
                process.kill()
    told = [line.split() for process in processes for line in process.told]
    events, acts = ({int(pk) for label, pk in told if label == kind} for kind in ("event", "table"))
    assert len(events) > 5
    assert acts
    assert events - set(Event.objects.values_list("pk", flat=True)) == set()
    assert acts - set(TableAct.objects.values_list("pk", flat=True)) == set()
    assert [line for row in Warband.objects.select_related("terms") for line in differences(row)] == []
    assert [line for chain in Chain.objects.all() for line in check(chain).faults] == []
    assert_table_is_its_log(table)


def assert_table_is_its_log(battle: Battle) -> None:
    """The state of a table is what its acts come to."""
    terms = battle.campaign.terms
    acts = TableAct.objects.filter(table__battle=battle).order_by("number")
    assert [act.number for act in acts] == list(range(1, len(acts) + 1))
    live = [act for act in acts if act.data["kind"] != "undo" and act.undone_by_id is None]
    tracker = terms.game.battle.tracker(terms.content)
    again = fold(tracker, read_state(live[0].data["state"]), [read_act(act.data) for act in live[1:]])
    assert again == table_state(battle)
