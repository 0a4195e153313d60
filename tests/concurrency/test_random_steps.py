"""Random acts of several people at once, on PostgreSQL: no drift, no lost update, nothing that was told as done is missing, no broken page.

Four writers are processes of their own (`tests/steps.py`), each with its seed. 10,000 acts, under `make drills`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from campaigns.models import Battle, Table, TableAct
from tests import campaign_stories as c
from tests.concurrency.test_killed import assert_table_is_its_log
from tests.databases import url_of_run
from tests.drills import WHOLE
from tests.unit.test_settings import ROOT
from warbands.chain import check
from warbands.field_values import leaf_of, paths_overlap, plain_value, split_path
from warbands.models import Chain, Change, Event, EventSubject, LedgerEntry, Warband
from warbands.reconcile import differences

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]

WRITERS, ACTS, CAMPAIGNS = 4, 10_000, 3
TELLING = {
    "hire done",
    "buy done",
    "undo done",
    "muster done",
    "press done",
    "report done",
    "confirm done",
    "void done",
    "task done",
}


@pytest.mark.skipif(not WHOLE, reason="A drill: what it finds depends on who comes first.")
def test_random_acts_of_several_people_leave_everything_right(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time.")
    for _number in range(CAMPAIGNS):
        c.mustered(c.club(cleo, ada, ben, dora), ada, ben)
    connection.close()
    told = write(WRITERS, ACTS)
    counts = sum((Counter(each["counts"]) for each in told), Counter())
    assert [error for each in told for error in each["errors"]] == []
    assert [name for name in counts if "40P01" in name] == []  # a deadlock
    done = sum(number for name, number in counts.items() if name.endswith(" done"))
    assert done > ACTS / 3, counts
    assert TELLING - set(counts) == set()
    events, acts = ({pk for each in told for pk in each[what]} for what in ("events", "table_acts"))
    assert events - set(Event.objects.values_list("pk", flat=True)) == set()
    assert acts - set(TableAct.objects.values_list("pk", flat=True)) == set()
    assert_nothing_drifted()


def write(writers: int, acts: int) -> list[dict[str, Any]]:
    """Let so many writers do so many acts in all, at the same time. Returns what each of them tells."""
    keep = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    how = {**keep, "DEVELOPMENT": "1", "DATABASE_URL": url_of_run(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.steps", str(seed), str(acts // writers)],
            cwd=ROOT, env=how, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for seed in range(writers)
    ]  # fmt: skip
    found = []
    for process in running:
        out, errors = process.communicate()
        assert process.returncode == 0, errors[-3000:]
        found.append(json.loads(out))
    return found


def assert_nothing_drifted() -> None:
    """Whatever is worked out from acts is what it comes to, and each act saw what the one before it had left."""
    assert [line for row in Warband.objects.select_related("terms") for line in differences(row)] == []
    assert [f"{chain}: {line}" for chain in Chain.objects.all() for line in check(chain).faults] == []
    assert list(lost_updates()) == []
    assert list(gaps()) == []
    for table in Table.objects.exclude(battle__status=Battle.Status.CANCELLED):
        assert_table_is_its_log(Battle.objects.select_related("campaign__terms").get(pk=table.battle_id))


def lost_updates() -> Iterator[str]:
    """Yield a sentence for each act that did not see what the act before it left in a field, and for each last one that did not stay."""
    last: dict[tuple[str, int, str], dict[str, tuple[Any, int]]] = {}
    for change in Change.objects.exclude(field="").order_by("event_id", "pk"):
        of_field = last.setdefault((change.label, change.row_id, change.field), {})
        for path in [path for path in of_field if paths_overlap(path, change.path)]:
            left, event = of_field.pop(path)
            if change.path == path or change.path.startswith(f"{path}/") or not path:
                inner = split_path(change.path)[len(split_path(path)) :]
                if (leaf_of(left, inner) if inner else left) != change.before:
                    yield f"{change.label} {change.row_id} {change.field}/{change.path}: event {event} left {left!r}, event {change.event_id} saw {change.before!r}."
        of_field[change.path] = (change.after, change.event_id)
    for (label, pk, name), paths in last.items():
        model = apps.get_model(label)
        row = model._base_manager.get(pk=pk)
        field = model._meta.get_field(name)
        value = plain_value(field, getattr(row, field.attname))
        for path, (left, event) in paths.items():
            if (leaf_of(value, split_path(path)) if path else value) != left:
                yield f"{label} {pk} {name}/{path}: event {event} left {left!r}, and it is {value!r}."


def gaps() -> Iterator[str]:
    """Yield a sentence for each row whose events are not numbered one by one."""
    numbers: dict[tuple[str, int], list[int]] = {}
    rows = EventSubject.objects.filter(number__isnull=False).order_by("event_id")
    for label, pk, number in rows.values_list("label", "row_id", "number"):
        numbers.setdefault((label, pk), []).append(number)
    for (label, pk), found in numbers.items():
        if found != list(range(1, len(found) + 1)):
            yield f"{label} {pk}: {found}"


def test_there_is_something_to_lose(ada: Any) -> None:
    """Each kind of damage is found."""
    from tests import stories as s

    warband = s.small_warband(ada)
    assert_nothing_drifted()
    ottla = s.fighter(warband, "Ottla")
    from warbands.services.roster import rename_fighter

    rename_fighter(fighter=ottla, name="Ottla the Grey", actor=ada)
    rename_fighter(fighter=ottla, name="Ottla the White", actor=ada)
    first, second = Change.objects.filter(field="name", row_id=ottla.pk, label="warbands.Fighter").order_by("pk")
    type(ottla).objects.filter(pk=ottla.pk).update(name="Ottla")
    assert len(list(lost_updates())) == 1
    type(ottla).objects.filter(pk=ottla.pk).update(name="Ottla the White")
    Change.objects.filter(pk=second.pk).update(before="Ottla")
    assert len(list(lost_updates())) == 1
    EventSubject.objects.filter(event=first.event).update(number=99)
    assert len(list(gaps())) == 1
    assert LedgerEntry.objects.exists()
