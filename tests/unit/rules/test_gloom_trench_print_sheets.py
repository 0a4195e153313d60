"""What stands on the sheets of Gloom Trench 1926: every figure as the rules of its table have it, in the force's own unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import pytest

from rules.custom.reference import ReferencePart
from rules.force import Force
from rules.gloom_trench import print_cards, print_sheets, print_units
from rules.gloom_trench.game import SYSTEM
from rules.gloom_trench.interpretations import DISTANCE_POINTS, OBSCURED, SOLID_IN_MELEE, WHEN_TESTED
from rules.gloom_trench.resolvers.dice import SIDES, p_success
from tests.unit.rules.custom_forces import bands, gloom, profile, row

CONTENT = SYSTEM.content("core")


def force(document: dict[str, Any] | None = None) -> Force:
    read, problems = SYSTEM.documents.read_document(document or gloom())
    assert problems == ()
    return read


def drawn(sheet: str, of: Force | None = None, content: Any = CONTENT) -> Any:
    return SYSTEM.print_sheets.drawn_sheet(content, of or force(), sheet).data


def block(name: str, of: Force | None = None, content: Any = CONTENT) -> print_units.UnitBlock:
    found: print_units.UnitBlock = next(unit for unit in drawn("force", of, content).units if unit.name == name)
    return found


def read_as(**readings: str) -> Any:
    return SYSTEM.content("core", (), {"readings": readings})


def words_of(thing: Any) -> Iterator[str]:
    """Every text of a sheet."""
    if isinstance(thing, str):
        yield thing
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from words_of(getattr(thing, field.name))
    elif isinstance(thing, tuple):
        for each in thing:
            yield from words_of(each)


def part(title: str, content: Any = CONTENT, of: Force | None = None) -> ReferencePart:
    parts = [p for column in drawn("reference", of, content).columns for p in column]
    return next(p for p in parts if p.title.startswith(title))


def cells(of: ReferencePart) -> dict[str, tuple[str, ...]]:
    return {head: rest for head, *rest in ((row[0], *row[1:]) for row in of.rows)}  # type: ignore[misc]


# --- the force -----------------------------------------------------------------------------------------------------------


def test_the_game_tells_its_sheets_and_draws_each() -> None:
    told = [choice.id for choice in SYSTEM.print_sheets.sheet_choices(CONTENT)]
    assert told == ["force", "turn", "reference", "chits", "cards"]
    for sheet in told:
        assert SYSTEM.print_sheets.drawn_sheet(CONTENT, force(), sheet).id == sheet
    with pytest.raises(KeyError):
        SYSTEM.print_sheets.drawn_sheet(CONTENT, force(), "roster")


def test_the_head_counts_what_the_specification_counts() -> None:
    assert dict(drawn("force").figures) == {
        "Units": "4", "Models": "20", "Command": "3", "Starting TP": "3", "Chits": "4",
    }  # fmt: skip


def test_a_formation_adds_to_the_points_at_the_start_and_is_told_in_full() -> None:
    document = gloom(formation="Patrol")
    document["profiles"].append({
        "kind": "formation", "name": "Patrol",
        "data": {"text": "Two squads go ahead.", "tactical_points": 2, "required": "Two squads"},
    })  # fmt: skip
    sheet = drawn("force", force(document))
    assert dict(sheet.figures)["Starting TP"] == "5"
    assert ("Formation", "Patrol") in sheet.facts
    assert sheet.formation == (("Patrol", "Two squads go ahead. +2 TP at the start."), ("Asks for", "Two squads"))


def test_points_are_printed_where_somebody_counts_them() -> None:
    document = gloom()
    profile(document, "Test Rifles")["points"] = 12
    assert dict(drawn("force", force(document)).figures)["Points"] == "24"
    limited = SYSTEM.content("core", (), {"points_limit": 30})
    assert dict(drawn("force", force(document), limited).figures)["Points"] == "24 of 30"
    assert block("First", force(document)).rating_words == "12 pts"


@pytest.mark.parametrize("sheet", [choice.id for choice in print_sheets.CHOICES])
def test_a_force_in_15_mm_is_printed_in_centimetres_and_never_in_inches(sheet: str) -> None:
    document = gloom(scale="15mm")
    profile(document, "Test Officer")["special_rules"] = [{"name": "Smoke", "text": "", "effect": "obscuring"}]
    words = list(words_of(drawn(sheet, force(document))))
    assert not [text for text in words if "″" in text or "inch" in text]
    assert not [text for text in words_of(drawn(sheet)) if "cm" in text or "centimetre" in text]


def test_bands_are_told_with_reach_and_die_and_a_missing_one_stays_empty() -> None:
    rifle = block("First").weapons[0]
    assert rifle.bands == (
        print_units.WeaponBandRow("8″", "D12"),
        print_units.WeaponBandRow("16″", "D8"),
        print_units.WeaponBandRow("24″", "D6"),
    )
    assert rifle.dice == "8"
    assert rifle.carried == "7 Rifle, 1 NCO"
    pistol = block("Officer").weapons[0]
    assert pistol.bands == (print_units.WeaponBandRow("6″", "D8"), None, None)
    assert pistol.carried == ""


def test_only_the_weapons_somebody_carries_are_printed() -> None:
    document = gloom()
    rifles = profile(document, "Test Rifles")
    rifles["weapons"] += [
        {"name": "Pistol", **bands((6, "D8"))},
        {"name": "Mortar", "dice_per_model": 2, **bands((30, "D8"))},
    ]
    rifles["models"][1]["weapon"] = "Mortar"
    found = {weapon.name: weapon for weapon in block("First", force(document)).weapons}
    assert list(found) == ["Rifle", "Mortar"]
    assert found["Rifle"].dice == "7"
    assert found["Mortar"].dice == "2 (2 a model)"


def test_the_bar_stands_after_as_many_boxes_as_the_unit_has_command() -> None:
    first = block("First")
    assert [box.number for box in first.stress if box.bar] == [3]
    assert [box.tests for box in first.stress] == [False, False, True, True, True, True, True, True]
    assert first.stress_words == "right of the bar: test (Command 2; 1 without NCO)"
    assert [box.number for box in block("Guns").stress if box.bar] == [2]
    assert "without" not in block("Officer").stress_words


def test_where_any_stress_is_tested_the_bar_stands_before_all_boxes() -> None:
    stress = block("First", content=read_as(**{WHEN_TESTED: "any-stress"})).stress
    assert [box.number for box in stress if box.bar] == [1]
    assert all(box.tests for box in stress)


def test_command_beyond_the_boxes_needs_no_bar() -> None:
    document = gloom()
    profile(document, "Test Officer")["command"] = 9
    officer = block("Officer", force(document))
    assert not any(box.bar or box.tests for box in officer.stress)
    assert officer.stress_words == "test above 9"


def test_each_model_has_its_circle_with_its_wounds_and_losses_are_filled() -> None:
    document = gloom()
    row(document, "First")["left"] = {"rifle": 4}
    rifles, nco = block("First", force(document)).models
    assert rifles.circles == (False,) * 4 + (True,) * 3
    assert (rifles.count, rifles.lost, len(rifles.pips)) == (7, 3, 0)
    assert block("First", force(document)).weapons[0].dice == "5"
    assert nco.is_leader
    assert [(figure.label, figure.words) for figure in nco.figures] == [("Command", "2")]
    assert len(block("Officer").models[0].pips) == 3


def test_orders_and_special_rules_are_printed_in_full() -> None:
    document = gloom()
    long = "It does something at length. " * 20
    profile(document, "Test MG Team")["special_rules"] = [{"name": "Belt", "text": long.strip()}]
    profile(document, "Test MG Team")["unit_orders"] = [{"name": "Traverse", "text": "Two targets."}]
    guns = block("Guns", force(document))
    assert guns.rules == (("Belt", long.strip()),)
    assert guns.orders == (("Traverse", "Two targets."),)


# --- the turn, chits and cards ---------------------------------------------------------------------------------------------


def test_the_turn_has_five_lines_then_activations_then_four_with_tea() -> None:
    sheet = drawn("turn")
    assert [(phase, len(steps)) for phase, steps in sheet.phases] == [
        ("Tactical Phase", 5),
        ("Activations", 3),
        ("Turn End", 4),
    ]
    assert sheet.phases[-1][1][-1].name == "Tea"
    assert (len(sheet.pool), len(sheet.fog)) == (20, 3)
    pool = sheet.phases[0][1][2].words
    assert "3 D6" in pool
    assert "1 for its Commander" in pool


def test_chits_are_one_for_each_unit_and_one_more_of_both_sides_and_three_of_fog() -> None:
    counted = [
        (title, len(chits), {chit.kind for chit in chits}, {chit.letter for chit in chits})
        for title, _, chits in drawn("chits").groups
    ]
    assert counted == [("Side A", 5, {"a"}, {"A"}), ("Side B", 5, {"b"}, {"B"}), ("Fog of War", 3, {"fog"}, {"F"})]


def test_a_short_unit_fits_one_card() -> None:
    cards = drawn("cards").cards
    assert [(card.block.name, card.number, card.of) for card in cards] == [
        (name, 1, 1) for name in ("First", "Second", "Guns", "Officer")
    ]
    assert all(card.weapons == card.block.weapons for card in cards)


def test_what_does_not_fit_a_card_goes_on_upon_the_next_and_nothing_is_lost() -> None:
    document = gloom()
    guns = profile(document, "Test MG Team")
    guns["weapons"] = [
        {"name": f"Gun of a rather long name, number {n}", "special": "Slow to turn about.", **bands((6, "D8"))}
        for n in range(9)
    ]
    guns["models"] = [
        {"name": f"Crew {n}", "least": 1, "most": 1, "usual": 1, "weapon": gun["name"]}
        for n, gun in enumerate(guns["weapons"][:8])
    ]
    rules = [{"name": f"Rule {n}", "text": " ".join(f"word{n}x{m}" for m in range(100))} for n in range(4)]
    guns["special_rules"] = rules
    cards = [card for card in drawn("cards", force(document)).cards if card.block.name == "Guns"]
    assert [card.number for card in cards] == list(range(1, len(cards) + 1))
    assert {card.of for card in cards} == {len(cards)}
    assert [weapon.name for card in cards for weapon in card.weapons] == [gun["name"] for gun in guns["weapons"][:8]]
    said: dict[str, str] = {}
    for name, words in (text for card in cards for text in card.texts):
        key = name.removesuffix(print_cards.CONTINUED)
        said[key] = f"{said[key]} {words}" if key in said else words
    assert said == {rule["name"]: rule["text"] for rule in rules}


# --- the reference ---------------------------------------------------------------------------------------------------------


def test_what_a_die_needs_agrees_with_its_odds() -> None:
    dice = part("Dice")
    assert [die for die, *_ in dice.rows] == ["D6", "D8", "D12"]
    for die, *needs in dice.rows:
        for modifier, need in zip(range(-4, 5), needs, strict=True):
            faces = SIDES[die]
            good = 0 if need == "–" else faces - int(need) + 1
            assert Fraction(good, faces) == p_success(faces, modifier), (die, modifier)


def test_the_cover_table_is_that_of_the_rules() -> None:
    assert cells(part("Cover")) == {
        "Light": ["−1", "–", "–", "–"], "Heavy": ["−2", "–", "–", "+1"], "Solid": ["−1", "d+1", "−1", "+1"],
    }  # fmt: skip


def test_the_odds_of_a_charge_are_those_of_the_specification() -> None:
    charge = part("Charge")
    assert charge.head[1:] == ("8″", "9″", "10″", "11″", "12″", "13″", "14″", "15″")
    assert cells(charge) == {
        "D6": ["sure", "5/6", "2/3", "1/2", "1/3", "1/6", "–", "–"],
        "D8": ["sure", "7/8", "3/4", "5/8", "1/2", "3/8", "1/4", "1/8"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "reading", "before", "after"),
    [
        ("Shooting", {OBSCURED: "dice"}, "−1", "a die fewer"),
        ("Stress rolled", {WHEN_TESTED: "any-stress"}, "Stress above Command", "with any Stress"),
        ("Cover", {SOLID_IN_MELEE: "charger"}, "−1", "charger only"),
        ("A Tactical Point", {DISTANCE_POINTS: "none"}, "(1 TP)", "(free)"),
    ],
)
def test_the_reference_follows_how_the_table_reads_its_rules(
    title: str, reading: dict[str, str], before: str, after: str
) -> None:
    plain, read = " ".join(words_of(part(title))), " ".join(words_of(part(title, read_as(**reading))))
    assert before in plain
    assert after not in plain
    assert after in read


def test_the_seven_actions_are_there_once() -> None:
    names = [name for name, *_ in part("Actions").rows]
    assert names == ["Advance", "Take that Ground", "Charge", "Open Up", "Dig In", "Rally", "Do Nothing"]
