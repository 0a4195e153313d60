"""What stands on the sheets of A Trench Too Far: Tolerance, assault dice and tables as the rules of the table have them."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom.reference import ReferencePart
from rules.force import Force
from rules.trench_too_far import print_sheets
from rules.trench_too_far.charts import MOVEMENT, TANK_WEAPONS, WEAPONS
from rules.trench_too_far.game import SYSTEM
from tests.unit.rules.custom_forces import far, profile, row

CONTENT = SYSTEM.content("core")


def force(document: dict[str, Any] | None = None) -> Force:
    read, problems = SYSTEM.documents.read_document(document or far())
    assert problems == ()
    return read


def drawn(sheet: str, of: Force | None = None, content: Any = CONTENT) -> Any:
    return SYSTEM.print_sheets.drawn_sheet(content, of or force(), sheet).data


def block(document: dict[str, Any] | None = None, place: int = 0, content: Any = CONTENT) -> print_sheets.CompanyBlock:
    found: print_sheets.CompanyBlock = drawn("companies", force(document), content).blocks[place]
    return found


def left(of: print_sheets.PlatoonRow) -> list[tuple[int, int, int]]:
    return [(each.bases, each.tolerance, each.dice) for part in of.left for each in part]


def part(title: str, content: Any = CONTENT) -> ReferencePart:
    return next(p for column in drawn("reference", content=content).columns for p in column if p.title == title)


def test_the_game_tells_its_sheets_and_draws_each() -> None:
    told = [choice.id for choice in SYSTEM.print_sheets.sheet_choices(CONTENT)]
    assert told == ["companies", "reference", "orders", "cards"]
    for sheet in told:
        assert SYSTEM.print_sheets.drawn_sheet(CONTENT, force(), sheet).id == sheet
    with pytest.raises(KeyError):
        SYSTEM.print_sheets.drawn_sheet(CONTENT, force(), "roster")


def test_the_company_of_the_specification_stands_in_one_block() -> None:
    company = block()
    assert company.name == "Test Company"
    assert [row.name for row in company.platoons] == ["1. Platoon", "2. Platoon", "3. Platoon", "4. Platoon"]
    assert [row.name for row in company.teams] == ["Guns", "Mortar"]
    assert dict(drawn("companies").figures) == {
        "Companies": "1",
        "Platoons": "4",
        "Teams": "2",
        "Vehicles": "0",
        "Bases": "20",
    }


def test_a_steady_platoon_tolerates_as_many_dice_as_it_has_bases() -> None:
    assert [(bases, tolerance) for bases, tolerance, _ in left(block().platoons[0])] == [(4, 4), (3, 3), (2, 2), (1, 1)]


def test_attached_stands_count_and_stand_apart() -> None:
    fourth = block().platoons[3]
    assert [bases for bases, _, _ in left(fourth)] == [5, 4, 3, 2, 1]
    assert [(base.name, base.attached, len(base.boxes)) for base in fourth.bases] == [
        ("Rifles", False, 4),
        ("LMG", True, 1),
    ]


def test_quality_veterans_and_an_outstanding_officer_add_to_tolerance() -> None:
    document = far()
    profile(document, "Rifles").update(quality="determined", traits=["veteran"])
    assert [tolerance for _, tolerance, _ in left(block(document).platoons[0])] == [6, 5, 4, 3]
    profile(document, "Company")["commander"] = "outstanding"
    assert [tolerance for _, tolerance, _ in left(block(document).platoons[0])] == [7, 6, 5, 4]


def test_assault_dice_are_those_of_the_worked_example() -> None:
    document = far()
    profile(document, "Rifles").update(type="assault", traits=["veteran"], close_combat_weapons=True)
    profile(document, "Company")["commander"] = "outstanding"
    first = block(document).platoons[0]
    assert left(first)[0][2] == 14  # AT-33
    assert first.assault == "4+, close combat weapons"


def test_a_reading_of_the_table_reaches_the_sheet() -> None:
    document = far()
    profile(document, "Rifles")["traits"] = ["aggressive"]
    read = SYSTEM.content("core", (), {"readings": {"aggressive-tolerance": "stubborn"}})
    assert left(block(document).platoons[0])[0][1] == 4
    assert left(block(document, content=read).platoons[0])[0][1] == 6


def test_advance_is_barred_unless_the_company_may() -> None:
    document = far()
    assert ("Advance", False) in block(document).orders
    profile(document, "Company")["advance_allowed"] = True
    assert ("Advance", True) in block(document).orders
    assert [order for order, _ in block(document).orders] == ["Move", "Fire", "Assault", "Advance", "Defend", "Recover"]


def test_what_belongs_to_no_company_stands_last() -> None:
    document = far()
    del row(document, "Mortar")["company"]
    assert [row.name for row in block(document, 1).teams] == ["Mortar"]
    assert block(document, 1).name == "Independent"
    assert block(document, 1).has_commander is False


def test_losses_are_ticked_and_full_strength_is_what_is_reckoned_from() -> None:
    document = far()
    row(document, "1. Platoon")["left"] = {"rifles": 2}
    first = block(document).platoons[0]
    assert first.bases[0].boxes == (False, False, True, True)
    assert left(first)[0][0] == 4


def test_vehicles_are_told_with_save_reliability_and_guns() -> None:
    document = far()
    document["profiles"].append({
        "kind": "tanks", "name": "Tanks",
        "data": {"vehicles": [
            {"name": "Big", "class": "heavy", "movement": 4, "reliability": "unreliable", "machine_guns": 2, "guns": ["Tank gun, AP"]},
        ]},
    })  # fmt: skip
    document["fighters"].append({"name": "Landships", "profile": "Tanks"})
    vehicle = block(document, 1).tanks[0].vehicles[0]
    assert (vehicle.save, vehicle.reliability, vehicle.move) == ("Heavy tank 2+", "Unreliable 3+", "4″")
    assert vehicle.arms.startswith("2 machine guns; Tank gun, AP: 24″")
    assert "save −2" in vehicle.arms
    assert dict(drawn("companies", force(document)).figures)["Vehicles"] == "1"


def test_the_deck_has_a_card_for_each_company_one_rally_one_artillery_and_one_for_each_order() -> None:
    cards = drawn("orders").cards
    assert [card.kind for card in cards] == ["company", "rally", "artillery"] + ["order"] * 6
    assert len({card.mark for card in cards}) == len(cards)
    assert cards[0].title == "Test Company"


def test_every_platoon_team_and_tank_platoon_has_its_card() -> None:
    cards = drawn("cards")
    assert len(cards.platoons) == 4
    assert [row.name for row in cards.teams] == ["Guns", "Mortar"]
    assert {row.company for row in (*(card.row for card in cards.platoons), *cards.teams)} == {"Test Company"}


def test_the_reference_tells_every_row_of_the_printed_tables() -> None:
    weapons = {name: rest for name, *rest in part("Weapons").rows}
    assert [name for name in weapons if name in {w.name for w in WEAPONS}] == [w.name for w in WEAPONS]
    assert weapons["HMG"] == ["24″ (30″)", "4", "8″", "2", "+1"]
    assert weapons["Heavy infantry arms"] == ["18″", "1, 2 to 12″", "12″", "1", "+1"]
    assert weapons["Anti-tank rifle"] == ["–", "–", "8″", "1", "0"]
    assert {w.save_modifier for w in TANK_WEAPONS} == {1, 0, -1, 2, -2}
    rates = {name: rest for name, *rest in part("Movement").rows}
    assert [rates[rate.name] for rate in MOVEMENT] == [["4″", "6″"], ["8″", "10″"], ["2″", "6″"], ["1″", "4″"]]


def test_saves_are_worked_out_by_the_rules_of_the_table() -> None:
    assert {name: rest for name, *rest in part("Saves").rows} == {
        "Closed order": ["–", "5+", "–"], "Dispersed": ["6+", "5+", "6+"], "Prone": ["5+", "5+", "5+"],
        "Cover": ["4+", "4+", "5+"], "Entrenched": ["3+", "3+", "3+"],
    }  # fmt: skip
    read = SYSTEM.content("core", (), {"readings": {"defend-save": "prone"}})
    assert {name: rest[1] for name, *rest in part("Saves", read).rows}["Entrenched"] == "5+"


def test_weapons_that_a_card_has_no_room_for_stand_on_the_next() -> None:
    document = far()
    guns = [
        {"name": f"Repeating rifle of the {n}. pattern", "range": 20, "attacks": 2, "tank_range": 6, "tank_attacks": 1, "tank_save": 2, "jams": True}
        for n in range(6)
    ]  # fmt: skip
    profile(document, "Rifles").update(weapons=guns, bases=[{"weapon": gun["name"], "count": 1, "kind": "squad" if n < 4 else "attached"} for n, gun in enumerate(guns)])  # fmt: skip
    cards = [card for card in drawn("cards", force(document)).platoons if card.row.name == "1. Platoon"]
    assert len(cards) > 1
    assert [card.number for card in cards if card.is_first] == [1]
    assert [name for card in cards for name, _ in card.weapons] == [gun["name"] for gun in guns]
