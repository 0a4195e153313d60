"""Pasted text with headings that say what became of those below them, with costs in full, and with lines that nothing is kept of."""

from __future__ import annotations

from typing import Any

import pytest

from rules.registry import system
from rules.trench_crusade.text_import.read import read_roster

GAME = system("trench-crusade")

PENANCE = """## The Long Wait ##

Faction: {faction}
Rating: {rating} Ducats | 0 Glory
Patron: None

## Elites ##

Mother Ruth, of Köln - {leader}
• Cost: {cost} Ducats | 0 Glory
  Upgrades & Choices:
    {upgrade}
• Equipment: Gas Mask

## Troops ##

Amos - {troop}
• Cost: {troop_cost} Ducats | 0 Glory

## Reserves ##

{troop}
• Cost: {troop_cost} Ducats | 0 Glory

## Lost & Captured ##

Brother - of no house - {troop}
• Cost: {troop_cost} Ducats | 0 Glory

## Dead ##

Nine - {troop}
• Cost: {dead_cost} Ducats | 0 Glory
• Equipment: Combat Helmet

## Stash ##

Stashed Ducats: {held}
Unspent Glory: 5

Gas Mask, Trench Club

## Modifiers ##

Trench Club
• Doubled

## Fireteams ##

Able
• Mother Ruth, Amos

## Locations ##

Moonshine Stash

---

View online:
https://example.com/warband/detail/400123"""

SULTANATE = {
    "faction": "Iron Sultanate",
    "leader": "Jabirean Alchemist",
    "troop": "Azeb",
    "upgrade": "Secrets of Takwin",
}


def read(edition: str, text: str) -> Any:
    return read_roster(GAME.content(edition), text)


def rating(edition: str, profile: str, *kit: str, upgrades: tuple[str, ...] = ()) -> int:
    """What the books ask for a fighter alone."""
    row = {"name": "x", "profile": profile, "kit": list(kit), "upgrades": list(upgrades)}
    document = {"game": "trench-crusade", "edition": edition, "faction": SULTANATE["faction"], "fighters": [row]}
    ducats = GAME.documents.judge(document)["rating"]["ducats"]
    assert isinstance(ducats, int)
    return ducats


def penance(edition: str, **changed: Any) -> str:
    leader = rating(edition, SULTANATE["leader"], "Gas Mask", upgrades=(SULTANATE["upgrade"],))
    troop = rating(edition, SULTANATE["troop"])
    return PENANCE.replace("\n\n", "\n  \n").format(
        **{
            "held": 658,
            "cost": leader,
            "troop_cost": troop,
            "dead_cost": troop + 5,
            "rating": leader + troop,
            **SULTANATE,
            **changed,
        }
    )


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_a_heading_speaks_of_those_below_it(edition: str) -> None:
    roster = read(edition, penance(edition))
    assert [(f["name"], f["status"]) for f in roster.document["fighters"]] == [
        ("Mother Ruth, of Köln", "active"), ("Amos", "active"), ("Azeb", "active"), ("Brother - of no house", "captive"), ("Nine", "dead"),
    ]  # fmt: skip
    assert roster.document["fighters"][4]["kit"] == ["Combat Helmet"]
    assert roster.document["fighters"][0]["upgrades"] == [SULTANATE["upgrade"]]
    assert roster.unread == ()
    assert [r for r in roster.remarks if "reserves" in r or "captive" in r] == [
        "Azeb stands among the reserves: read as on the roster.",
        "Brother - of no house is lost or captured: read as captive.",
    ]


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_what_is_in_the_stash_and_what_is_nobodys_is_told_apart(edition: str) -> None:
    document = read(edition, penance(edition)).document
    assert document["stash"] == ["Gas Mask", "Trench Club"]
    assert document["record"]["strongbox"] == {"ducats": 658, "glory": 5}
    assert document["campaign"] == {"locations": {"Moonshine Stash": ""}}
    assert document["patron"] is None
    assert "record" not in read(edition, penance(edition, held="-12").replace("Unspent Glory: 5\n", "")).document
    for said in ("Unlimited", "-12"):
        assert read(edition, penance(edition, held=said)).unread == ()


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_a_printed_cost_that_differs_is_told(edition: str) -> None:
    own = [r for r in read(edition, penance(edition)).remarks if "text says" in r]
    assert own == []
    leader = rating(edition, SULTANATE["leader"], "Gas Mask", upgrades=(SULTANATE["upgrade"],))
    dearer = read(edition, penance(edition, cost=leader + 7)).remarks
    assert (
        f"Mother Ruth, of Köln: the text says {leader + 7} ducats with everything, the books {leader} ducats." in dearer
    )
    total = read(edition, penance(edition, rating=999)).remarks
    assert any(r.startswith("The text says that all are worth 999 ducats, the books ") for r in total)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("New Antioch\n# Dead\nOttla - Yeoman\n# Troops\nJonas - Yeoman", ["dead", "active"]),
        ("New Antioch\nOttla - Yeoman\n\nDead:\nJonas - Yeoman", ["active", "dead"]),
        ("New Antioch\nOttla - Yeoman\n\nDead\nJonas - Yeoman", ["active", "dead"]),
        ("New Antioch\nOttla - Yeoman\n++ Lost and Captured ++\nJonas - Yeoman", ["active", "captive"]),
        ("New Antioch\n### Dead [1 model]\nOttla - Yeoman\n### Troops (1)\nJonas - Yeoman", ["dead", "active"]),
        ("New Antioch\nFireteams:\nAble\nTroops (1)\nJonas - Yeoman", ["active"]),
        ("New Antioch\nOttla - Yeoman (dead)\nJonas - Yeoman", ["dead", "active"]),
        ("New Antioch\nOttla - Yeoman\n  dead\nJonas - Yeoman", ["dead", "active"]),
    ],
)
def test_a_heading_and_a_word_beside_a_fighter_are_told_apart(text: str, states: list[str]) -> None:
    for edition in ("1.6.3", "1.0"):
        assert [f["status"] for f in read(edition, text).document["fighters"]] == states
