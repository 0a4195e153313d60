"""Every place in JSON that holds the key of a row is declared: played with keys that are no other number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from campaigns.campaign_file.contents import IN, OF_ACTS, OUT, model_of
from campaigns.campaign_file.keys import KEYLESS, SHAPES, marked, marked_path
from campaigns.campaign_file.marks import as_it_stood, escaped, mark_of, unmarked
from campaigns.services.tracker import act_at_table, begin_table
from config.backup.tables import set_next_number
from tests import campaign_stories as c
from tests import stories as s
from tests.campaign_files import MARK, file_of, tables_of
from warbands.models import Fighter

APPS = ("accounts", "campaigns", "notifications", "warbands")
FAR, APART = 10**10, 10**8
# Words that people read keep the number by which they knew a battle.
WORDS = {"warbands.Event.sentence", "warbands.Snapshot.reason", "warbands.Fighter.name", "warbands.LedgerEntry.reason"}
WORDS |= {"warbands.Chain.uid", "warbands.ChainLink.event_uid"}  # by chance


def test_each_table_is_in_the_file_or_has_a_reason() -> None:
    tables = {model._meta.label for model in apps.get_models() if model._meta.app_label in APPS}
    assert {*IN, *OF_ACTS} | OUT == tables
    assert not {*IN, *OF_ACTS} & OUT


def test_each_json_field_of_the_file_says_whether_it_holds_keys() -> None:
    fields = {
        f"{label}.{field.name}"
        for label in (*IN, *OF_ACTS)
        for field in model_of(label)._meta.concrete_fields
        if isinstance(field, models.JSONField)
    } - {"warbands.Change.before", "warbands.Change.after"}
    assert fields - SHAPES.keys() == KEYLESS
    assert not SHAPES.keys() & KEYLESS


def test_each_shape_is_of_a_field() -> None:
    for where in SHAPES:
        label, _, name = where.rpartition(".")
        assert label in (*IN, *OF_ACTS)
        model_of(label)._meta.get_field(name)


def _numbers(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _numbers(str(name), f"{path}/*")
            yield from _numbers(each, f"{path}/{re.sub('[0-9]{9,}', 'n', MARK.sub('n', str(name)))}")
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each, f"{path}/[]")
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        for found in re.findall(r"(?<![0-9a-f])[0-9]{11,12}(?![0-9a-f])", MARK.sub("", str(value))):
            yield path, found


def undeclared(data: bytes) -> set[str]:
    """The places of a file that hold a key which is not marked."""
    found = set()
    for label, rows in tables_of(data).items():
        for field in model_of(label)._meta.concrete_fields:
            if field.is_relation or field.primary_key or field.name == "row_id" or f"{label}.{field.name}" in WORDS:
                continue
            for row in rows:
                where = f"{label}.{field.name}"
                if label == "warbands.Change":
                    where = f"{row['label']}.{row['field']} ({field.name})"
                    where += re.sub("[0-9]{9,}", "n", MARK.sub("n", row["path"])) if field.name != "path" else ""
                for path, _number in _numbers(row[str(field.column)], where):
                    if not path.startswith("campaigns.TableAct.dice/[]/identity"):
                        found.add(path)
    return found


@pytest.fixture
def far_keys(db: None) -> None:
    """Keys that are no other number, those of each table apart."""
    models_ = [model for model in apps.get_models() if model._meta.app_label in APPS]
    for place, model in enumerate(models_):
        if isinstance(model._meta.pk, models.AutoField):
            set_next_number(model, connection, FAR + place * APART)


def test_an_evening_leaves_no_key_unmarked(far_keys: None, ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    table = begin_table(battle=row, actor=ada)
    fighter = next(each for each in table.state["fighters"])
    act_at_table(battle=row, actor=ada, data={"kind": "down", "fighter": fighter["key"]})
    fallen = {each: Fighter.objects.filter(warband=club.warband(each)).earliest("pk").name for each in (ada, ben)}
    c.fight(row, by=ada, winner=ada, out={each: [name] for each, name in fallen.items()})
    c.resolve(row, ada, seed=3)
    c.resolve(row, ben, seed=4)
    s.take_back(s.last_event(club.warband(ada)), cleo)
    data = file_of(club.campaign)
    assert undeclared(data) == set()
    marks = MARK.findall(json.dumps(tables_of(data), ensure_ascii=False))
    assert {label for _, label, _ in marks} >= {
        "warbands.Fighter",
        "warbands.Event",
        "campaigns.Side",
        "campaigns.Battle",
    }


def test_an_undeclared_place_would_be_found(far_keys: None, ada: Any, cleo: Any) -> None:
    club = c.club(cleo, ada)
    club.campaign.settings = {"somebody": str(club.warband(ada).pk)}
    club.campaign.save(update_fields=["settings"])
    assert undeclared(file_of(club.campaign)) == {"campaigns.Campaign.settings/somebody"}


@pytest.mark.parametrize(
    ("where", "path", "value", "there"),
    [
        ("campaigns.Report.data", (), {"winner": "3", "points": {"3": 4, "5": 0}}, None),
        ("campaigns.Report.data", (), {"deeds": [["first-blood", "3", "12"], ["flag", "5", ""]]}, None),
        ("campaigns.PostBattle.record", ("choices", "promotion"), {"dice": {"12": 2}, "die-1": "12"}, None),
        ("campaigns.PostBattle.record", ("choices", "exploration"), {"ducats": "12", "mod-1-face": "5"}, "unmarked"),
        ("campaigns.PostBattle.record", ("written", "income-12-b7-advance-12-2-coin-0"), 40, None),
        ("campaigns.TableAct.data", (), {"kind": "out", "fighter": "g3-1", "by": "5", "turn": 3}, None),
        ("warbands.Fighter.state", ("skills",), {"b7-advance-12-2": {"id": "lucky"}}, None),
        ("warbands.Event.data", (), {"undoings": [12, 40], "task": "trauma-12", "die": 12}, None),
        ("campaigns.Publication.left_out", (), ["7-deed-flag-3", "7-died-12"], None),
    ],
)
def test_what_is_marked_reads_back_as_it_stood(where: str, path: tuple[str, ...], value: Any, there: Any) -> None:
    found = marked(where, value, lambda label, key: True, path)
    assert unmarked(found, as_it_stood) == value
    assert ("⟦" in json.dumps(found, ensure_ascii=False)) is (there is None)
    moved = unmarked(found, lambda label, key: key + 1000)
    assert (moved != value) is (there is None)


def test_what_people_wrote_is_no_mark() -> None:
    for text in ("⟦warbands.Fighter 12⟧", "⟦", "⟦⟦", "a ⟦b⟧", "⟦#warbands.Event 1⟧"):
        assert unmarked(escaped(text), lambda label, key: 99) == text
        assert unmarked(marked("warbands.Warband.notes", text, lambda label, key: True), as_it_stood) == text
    with pytest.raises(ValueError, match="mark"):
        unmarked("⟦warbands.Fighter x⟧", as_it_stood)
    with pytest.raises(ValueError, match="same"):
        unmarked({mark_of("a.B", 1): 1, mark_of("c.D", 1): 2}, lambda label, key: 7)


def test_a_path_is_marked_as_the_json_that_it_leads_to() -> None:
    path = marked_path("campaigns.PostBattle.record", "written/trauma-12", lambda label, key: True)
    assert path == "written/trauma-⟦warbands.Fighter 12⟧"
    assert marked_path("warbands.Warband.notes", "", lambda label, key: True) == ""
