"""Rosters as people type them: names beside profiles, tables, other languages, prices and states in any place."""

from __future__ import annotations

from typing import Any

import pytest

from rules.trench_crusade.roster_files.report import read_report
from rules.trench_crusade.roster_files.write import write_roster
from tests.source_lines import lost_lines

HEAD = "The Wardens\nNew Antioch\n"


def told_of(text: str) -> dict[str, Any]:
    told = read_report(text.encode(), edition="1.0")[0]
    assert lost_lines(text.encode(), told) == []
    return told


def fighters_of(text: str) -> list[tuple[str, str, list[str]]]:
    told = told_of(text)
    assert [row["source"] for row in told["lines"] if row["state"] == "unknown"] == []
    return [(row["name"], row["profile"], row["kit"]) for row in told["roster"]["fighters"]]


OTTLA = [("Ottla", "Combat Engineer", ["Shotgun", "Gas Mask"])]


@pytest.mark.parametrize(
    "line",
    [
        "Ottla the Combat Engineer (80d): Shotgun, Gas Mask",
        "Combat Engineer Ottla with Shotgun and Gas Mask",
        "Ottla Combat Engineer - Shotgun - 10 ducats, Gas Mask - 5 ducats",
        "Ottla / Combat Engineer / Shotgun, Gas Mask",
        "Combat Engineer 80 (Ottla) + Shotgun 10 + Gas Mask 5 = 95",
        "1x Combat Engineer (Ottla) [80]\n  1x Shotgun [10]\n  1x Gas Mask [5]",
        "Ottla – Combat Engineer [95 ducats] 🔧\n   🔸 Shotgun\n   🔸 Gas Mask",
        "Combat Engineer &quot;Ottla&quot; - 80 ducats\n - Shotgun\n - Gas Mask",
        "Combat Engineer (Ottla): Shotgun / Gas Mask",
    ],
)
def test_one_fighter_is_the_same_however_typed(line: str) -> None:
    assert fighters_of(HEAD + line) == OTTLA


def test_a_name_with_slashes_is_one_name_between_slashes() -> None:
    text = "Band\nTrench Pilgrims\nTom / War Prophet / Trench Club, Scourge / Battle-Whip / Flail / XP 6 / dead"
    fighter = read_report(text.encode(), edition="1.6.3")[0]["roster"]["fighters"][0]
    assert fighter["kit"] == ["Trench Club", "Scourge / Battle-Whip / Flail"]
    assert (fighter["name"], fighter["experience"], fighter["status"]) == ("Tom", 6, "dead")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Combat Engineer (Ottla) [80] dead", "dead"),
        ("Ottla - Combat Engineer 💀 dead", "dead"),
        ("Combat Engineer 80 (Ottla) + Shotgun 10 = 90 dead", "dead"),
        ("Ottla the Combat Engineer: Shotgun [captured]", "captive"),
        ("Ottla - Combat Engineer\nStatus: dead", "dead"),
        ("Ottla - Combat Engineer\nStatus: alive", "active"),
    ],
)
def test_what_became_of_a_fighter_is_read_wherever_it_stands(line: str, status: str) -> None:
    assert [row["status"] for row in told_of(HEAD + line)["roster"]["fighters"]] == [status]


def test_fighters_told_by_an_article_say_which_list_of_a_name_is_meant() -> None:
    text = "The Test\nHeretic Naval Raiders\n\nPip the Heretic Captain (95d): Boarding Axe, Gas Mask\n"
    text += "Nine Fingers the Abyssal Commando (95d): Tartarus Claws\n"
    told = read_report(text.encode())[0]
    assert told["roster"]["faction"] == "Heretic Naval Raiders"
    assert [row["state"] for row in told["lines"] if row["state"] in ("unknown", "guessed")] == []


def test_the_last_word_of_a_name_is_no_state() -> None:
    told = read_report(b"Band\nTrench Pilgrims\nTom - Ecclesiastic Prisoner\n", edition="1.0")[0]
    assert [row["status"] for row in told["roster"]["fighters"]] == ["active"]


@pytest.mark.parametrize(
    "table",
    [
        "| Name | Model | Equipment | XP | Cost |\n|---|---|---|---|---|\n| Ottla | Combat Engineer | Shotgun, Gas Mask | 4 | 95 |",
        "Name\tType\tGear\tXP\nOttla\tCombat Engineer\tShotgun, Gas Mask\t4",
        'name,profile,kit,experience,status\nOttla,Combat Engineer,"Shotgun, Gas Mask",4,active',
    ],
)
def test_a_table_is_read_by_its_head(table: str) -> None:
    assert fighters_of(HEAD + table) == OTTLA
    assert told_of(HEAD + table)["roster"]["fighters"][0]["experience"] == 4


def test_a_table_may_say_who_is_dead() -> None:
    told = told_of(HEAD + "Name,Profile,Kit,Status\nOttla,Combat Engineer,Shotgun,dead\nTam,Yeoman,,active")
    assert [row["status"] for row in told["roster"]["fighters"]] == ["dead", "active"]


GERMAN = """\
Kriegsbande: Die Wächter
Fraktion: New Antioch
Dukaten: 12
Ruhm: 3

== Truppen ==
Ottla (Combat Engineer) - 95 Dukaten
  Ausrüstung: Shotgun, Gas Mask
  Erfahrung: 4
  Verletzungen: Leg Wound

== Vorrat ==
Shovel
"""
SPANISH = """\
Banda: Los Guardias
Facción: New Antioch
Ducados: 12
Gloria: 3

TROPAS:
Ottla, Combat Engineer - 95 ducados
  Equipo: Shotgun, Gas Mask
  Experiencia: 4
  Heridas: Leg Wound

ALIJO:
- Shovel
"""
FRENCH = """\
Bande: Les Gardes
Faction: New Antioch
Ducats: 12
Gloire: 3

TROUPES:
Ottla, Combat Engineer - 95 ducats
  Équipement: Shotgun, Gas Mask
  Expérience: 4
  Blessures: Leg Wound

Stash: Shovel
"""


@pytest.mark.parametrize("text", [GERMAN, SPANISH, FRENCH])
def test_headings_and_labels_may_be_of_another_language(text: str) -> None:
    assert fighters_of(text) == OTTLA
    roster = told_of(text)["roster"]
    assert (roster["fighters"][0]["experience"], roster["fighters"][0]["traumas"]) == (4, ["Leg Wound"])
    assert (roster["record"]["strongbox"], roster["stash"]) == ({"ducats": 12, "glory": 3}, ["Shovel"])


def test_a_debt_is_told_and_no_unknown_name() -> None:
    told = told_of(HEAD + "Debt: 20 ducats to Jim\nYeoman: Shovel")
    assert [row["state"] for row in told["lines"] if "Debt" in row["source"]] == ["noted"]


def test_a_skill_is_no_upgrade_that_other_profiles_have() -> None:
    told = told_of("Sultans\nIron Sultanate\nYüzbaşı Captain (Sam): Pistol, Gunslinger")
    assert [(row["upgrades"], row["skills"]) for row in told["roster"]["fighters"]] == [([], ["Gunslinger"])]


def test_an_unknown_name_weighs_more_than_a_guess_for_the_edition() -> None:
    text = "Wardens\nNew Antioch\nYemoan (30): Pitol (6)\nHomuncculus (50)\n"
    assert read_report(text.encode())[0]["edition"] == "1.0"


@pytest.mark.parametrize("form", ["text", "discord"])
def test_a_text_of_this_app_comes_back_with_all_it_tells(form: str) -> None:
    roster = {
        "game": "trench-crusade", "edition": "1.0", "faction": "The Principality of New Antioch", "name": "Mud Choir",
        "fighters": [
            {"name": "Edda", "profile": "Lieutenant", "kit": ["Pistol"], "experience": 4, "skills": ["Sharp Eyes"], "traumas": ["Leg Wound"]},
            {"name": "Otto", "profile": "Yeoman", "kit": ["Trench Knife"], "experience": 2},
        ],
        "stash": ["Trench Knife"], "record": {"strongbox": {"ducats": 21, "glory": 3}},
    }  # fmt: skip
    told = told_of(write_roster(roster, form))
    assert [row["source"] for row in told["lines"] if row["state"] in ("unknown", "guessed")] == []
    fields = ("name", "profile", "kit", "experience", "skills", "traumas")
    assert [[row[field] for field in fields] for row in told["roster"]["fighters"]] == [
        ["Edda", "Lieutenant", ["Pistol"], 4, ["Sharp Eyes"], ["Leg Wound"]],
        ["Otto", "Yeoman", ["Trench Knife"], 2, [], []],
    ]
    assert (told["roster"]["stash"], told["roster"]["record"]) == (roster["stash"], roster["record"])
