"""Readings of 1.0 that go by what the data let a profile take, each from both sides."""

from __future__ import annotations

from typing import Any

import pytest

from rules.formatting import plural
from rules.registry import system

GAME = system("trench-crusade")
LEADS = {
    "Trench Pilgrims": "War Prophet", "Court of the Seven-Headed Serpent": "Praetor", "New Antioch": "Lieutenant",
    "Heretic Legion": "Heretic Priest", "Cult of the Black Grail": "Lord of Tumours", "Iron Sultanate": "Yüzbaşı Captain",
}  # fmt: skip
SIN = {"Court of the Seven-Headed Serpent": {"choices": {"sin": "Pride"}}}


def codes(faction: str, profile: str, *kit: str) -> list[str]:
    document: dict[str, Any] = {
        "game": "trench-crusade", "edition": "1.0", "faction": faction, "variant": None, "mode": "one-off",
        "budget": {"ducats": 3000, "glory": 60}, **SIN.get(faction, {}),
        "fighters": [{"profile": LEADS[faction]}, {"profile": profile, "kit": list(kit)}],
    }  # fmt: skip
    return sorted(p["code"] for p in GAME.documents.judge(document)["problems"])


@pytest.mark.parametrize("faction", LEADS)
@pytest.mark.parametrize("weapon", ["Polearm", "Sword/Axe", "Great Hammer/Maul", "Trench Club"])
def test_a_scripture_guardian_takes_what_anybody_may_have(faction: str, weapon: str) -> None:
    hands = GAME.content("1.0").items[str(GAME.content("1.0").resolve("item", weapon))].hands.melee
    assert codes(faction, "Scripture Guardian", *[weapon] * (2 // hands)) == []


@pytest.mark.parametrize(
    ("faction", "weapon"),
    [
        ("Court of the Seven-Headed Serpent", "Headtaker"), ("Court of the Seven-Headed Serpent", "Hellblade"),
        ("Court of the Seven-Headed Serpent", "Malebranche Sword"), ("Trench Pilgrims", "Misericordia"),
    ],
)  # fmt: skip
def test_a_scripture_guardian_takes_what_has_a_limit(faction: str, weapon: str) -> None:
    one_handed = [] if weapon in ("Hellblade", "Malebranche Sword") else ["Trench Club"]
    assert codes(faction, "Scripture Guardian", weapon, *one_handed) == []


def test_what_is_for_some_only_is_not_for_a_guardian() -> None:
    assert codes("Trench Pilgrims", "Scripture Guardian", "Anti-Tank Hammer") == ["only-for"]
    assert codes("Court of the Seven-Headed Serpent", "Scripture Guardian", "Torture Instrument") == []


@pytest.mark.parametrize(
    ("faction", "profile"), [("Trench Pilgrims", "Trench Pilgrim"), ("Cult of the Black Grail", "Corpse Guard")]
)
def test_a_bayonet_fits_a_blunderbuss(faction: str, profile: str) -> None:
    assert codes(faction, profile, "Blunderbuss", "Bayonet") == []
    assert codes(faction, profile, "Pistol", "Bayonet") == ["only-for"]


def test_chewa_is_for_models_of_the_list_alone() -> None:
    document: dict[str, Any] = {
        "game": "trench-crusade", "edition": "1.0", "faction": "New Antioch", "variant": "Expeditionary Forces of Abyssinia",
        "budget": {"ducats": 3000, "glory": 60}, "fighters": [{"profile": "Lieutenant", "upgrades": ["Chewa"]}],
    }  # fmt: skip
    assert GAME.documents.judge(document)["problems"] == []
    document["fighters"].append({"profile": "Witchburner", "upgrades": ["Chewa"]})
    assert [p["code"] for p in GAME.documents.judge(document)["problems"]] == ["only-for"]


def test_a_name_with_of_has_its_plural_before_it() -> None:
    assert plural("Hound of the Black Grail") == "Hounds of the Black Grail"
    assert plural("Hounds of the Black Grail") == "Hounds of the Black Grail"
    assert plural("Lion of Jabir") == "Lions of Jabir"
    assert plural("Polearm") == "Polearms"


def test_problems_name_the_book_of_their_edition() -> None:
    old = GAME.documents.judge({**_two_suits("1.6.3")})["problems"]
    new = GAME.documents.judge({**_two_suits("1.0")})["problems"]
    assert {p["source"] for p in old if p["code"] == "slot-armour"} == {"Condensed rules 1.6.3, General Equipment"}
    assert {p["source"] for p in new if p["code"] == "slot-armour"} == {"Core rules 1.0, General Equipment"}


def _two_suits(edition: str) -> dict[str, object]:
    row = {"name": "Agnes", "profile": "Lieutenant", "kit": ["Standard Armour", "Reinforced Armour"]}
    return {"game": "trench-crusade", "edition": edition, "faction": "New Antioch", "fighters": [row]}
