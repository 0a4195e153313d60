"""What the army sheet says of weapons and of kit that is built in, and how it names a list."""

from __future__ import annotations

from typing import Any

import pytest

from rules.force import Force, ForceFighter, ForceItem
from rules.parts.sheet import FighterSheet
from rules.price import Price
from rules.registry import system

GAME = system("trench-crusade")
CONTENT = {edition: GAME.content(edition) for edition in GAME.editions()}
BOTH = pytest.mark.parametrize("edition", sorted(CONTENT))


def sheet(edition: str, list_id: str, profile: str, *kit: str) -> Any:
    """The sheet of one fighter alone."""
    entry = next(o for o in CONTENT[edition].lists[list_id].profile_offers if o.profile == profile)
    items = tuple(ForceItem(f"i{n}", item, "bought") for n, item in enumerate(kit))
    one = ForceFighter("one", "Somebody", profile, entry.id, entry.price, kit=items)
    force = Force(
        "trench-crusade",
        edition,
        name="A Warband",
        list=list_id,
        mode="campaign",
        founding=True,
        fighters=(one,),
        budget=Price(ducats=700),
    )
    return GAME.documents.sheet(CONTENT[edition], force)


def fighter(edition: str, list_id: str, profile: str, *kit: str) -> FighterSheet:
    """The one fighter on that sheet."""
    found: FighterSheet = sheet(edition, list_id, profile, *kit).fighters[0]
    return found


def test_a_short_rule_stands_in_the_column() -> None:
    knight = fighter("1.6.3", "cult-of-the-black-grail", "plague-knight", "plague-blade")
    assert [w.effect_words for w in knight.weapons] == ["INFECTION in place of BLOOD MARKERS"]
    assert "Plague Blade" not in dict(knight.lines)
    thrall = fighter("1.6.3", "trench-pilgrims", "trench-pilgrim", "musket")
    assert [w.effect_words for w in thrall.weapons] == ["Injuries at −1 DICE"]


def test_a_long_rule_stands_on_a_line_of_its_own() -> None:
    fiend = fighter("1.6.3", "court-of-the-seven-headed-serpent", "yoke-fiend", "torture-instrument")
    assert [w.effect_words for w in fiend.weapons] == ["1D6 on injuries; double BLOOD MARKERS"]
    assert dict(fiend.lines)["Torture Instrument"].startswith("Injuries are rolled with one D6")
    lord = fighter("1.0", "cult-of-the-black-grail", "lord-of-tumours", "viscera-cannon")
    assert "up to 3 BLOOD MARKERS" in dict(lord.lines)["Viscera Cannon"]


@BOTH
def test_a_weapon_without_a_rule_says_nothing(edition: str) -> None:
    pilgrim = fighter(edition, "trench-pilgrims", "trench-pilgrim", "trench-club", "bolt-action-rifle")
    assert {w.effect_words for w in pilgrim.weapons} == {""}
    assert not {"Trench Club", "Bolt-Action Rifle"} & set(dict(pilgrim.lines))


@BOTH
def test_every_rule_of_a_weapon_is_told_in_one_place(edition: str) -> None:
    content = CONTENT[edition]
    profile, list_id = "war-prophet", "trench-pilgrims"
    weapons = [i for i in content.items.values() if i.weapon and i.words.removeprefix("No further rules.").strip()]
    assert len(weapons) > 40
    for item in weapons:
        told = fighter(edition, list_id, profile, item.id)
        column = next(w.effect_words for w in told.weapons if w.name == item.name).removesuffix(" †")
        said = item.words.removeprefix("No further rules.").strip()
        on_line = dict(told.lines).get(item.name, "").removesuffix(" †")
        assert (on_line == said) != (column.replace("−", "-") == said.removesuffix("."))


@BOTH
def test_kit_that_is_built_in_is_told(edition: str) -> None:
    communicant = fighter(edition, "trench-pilgrims", "communicant")
    assert dict(communicant.lines)["Communicant Cross"]


def test_a_list_without_variants_is_not_called_plain() -> None:
    court = "court-of-the-seven-headed-serpent"
    assert "plain" not in sheet("1.6.3", court, "praetor").list_words
    assert sheet("1.6.3", "trench-pilgrims", "war-prophet").list_words == "Trench Pilgrims, standard list"


@BOTH
def test_notes_stand_one_after_the_other_without_a_full_stop(edition: str) -> None:
    """A sheet sets semicolons between them."""
    lines = [
        line
        for list_id, army in CONTENT[edition].lists.items()
        for _title, told in sheet(edition, list_id, army.profile_offers[0].profile).notes
        for line in told
    ]
    assert len(lines) > 5
    assert [line for line in lines if line.endswith(".")] == []
