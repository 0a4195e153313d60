"""Movement and powers at the table: who may not move, how far a charge gets, what asks no die, and what a power takes."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules import vocabulary as v
from rules.dice import TypedDice
from rules.fighters.views import views
from rules.force import ForceItem
from rules.problems import Refusal
from rules.registry import system
from rules.resolvers.roller import Resolved
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers.arms import bare
from rules.trench_crusade.resolvers.rules import odds, resolve_typed

OLD, NEW = "1.6.3", "1.0"


def moved(edition: str, rule: str, given: dict[str, Any], *faces: int) -> Resolved:
    """A rule with exactly these dice."""
    return resolve_typed(content_of(edition), rule, given, faces)


@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_is_struck_down_does_not_retreat(edition: str) -> None:
    found = moved(edition, "retreat", {"struck": True, "enemies": 2, "movement": 6})
    assert (found.outcome, found.effect("moves"), found.effect("attacks_first")) == ("stays", None, 2)
    assert moved(edition, "retreat", {"movement": 6}).effect("moves") == 6
    assert moved(edition, "retreat", {"struck": True, "down": True}).outcome == "stays"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("given", [
    ("dash", {"movement": 6}), ("climb", {"height": 3}), ("climb", {"height": 1}), ("climb", {"height": 3, "flying": True}),
    ("jump", {"gap": 2, "movement": 6}), ("jump", {"gap": 2, "flying": True}), ("charge", {"distance": 5}), ("retreat", {}),
])  # fmt: skip
def test_nobody_moves_while_down(edition: str, given: tuple[str, dict[str, Any]]) -> None:
    rule, how = given
    with pytest.raises(Refusal, match="while Down") as refusal:
        moved(edition, rule, {**how, "down": True}, 6, 6, 6)
    assert refusal.value.mend == "Stand up first."
    with pytest.raises(Refusal):
        odds(content_of(edition), rule, {**how, "down": True})


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charge_ends_at_twelve_inches(edition: str) -> None:
    assert moved(edition, "charge", {"movement": 10}, 6).effect("moves") == 12
    assert moved(edition, "charge", {"movement": 8}, 6).outcome == "12"
    assert moved(edition, "charge", {"movement": 6}, 5).outcome == "11"
    assert moved(edition, "charge", {"movement": 12, "distance": 12}, 1).outcome == "reaches"
    with pytest.raises(Refusal, match="within 12"):
        moved(edition, "charge", {"movement": 12, "distance": 12.5}, 6)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charge_bonus_may_be_a_d3_or_the_best_of_two(edition: str) -> None:
    small = {"movement": 6, "bonus_die": "D3"}
    assert [moved(edition, "charge", small, face).outcome for face in range(1, 7)] == ["7", "7", "8", "8", "9", "9"]
    assert moved(edition, "charge", {"movement": 6, "bonus_dice": 2}, 2, 5).outcome == "11"
    assert moved(edition, "charge", {**small, "bonus_dice": 2}, 2, 5).outcome == "9"
    best = odds(content_of(edition), "charge", {"movement": 4, "bonus_dice": 2, "distance": 11}).outcomes
    assert best["reaches"] == Fraction(11, 36)
    assert odds(content_of(edition), "charge", {**small, "distance": 10}).outcomes["reaches"] == Fraction(1, 3)
    assert moved(edition, "charge", {**small, "heavy": True}).outcome == "6"


@pytest.mark.parametrize(("edition", "who", "kit", "facts"), [
    (OLD, "new-antioch.lieutenant", ("machine-armour",), {"charge_die": "D3"}),
    (OLD, "heretic-legion.heretic-priest", ("machine-armour",), {"charge_die": "D3"}),
    (OLD, "kingdom-of-alba-assault-detachment.highland-lieutenant", ("highland-machine-armour",), {}),
    (OLD, "heretic-legion.heretic-priest", ("highland-machine-armour",), {"charge_die": "D3"}),
    (OLD, "new-antioch.shocktrooper", (), {"charge_dice": 2}), (OLD, "new-antioch.yeoman", (), {}),
    (NEW, "new-antioch.lieutenant", ("machine-armour",), {"charge_die": "D3"}),
    (NEW, "new-antioch.shocktrooper", (), {"charge_dice": 2}), (NEW, "new-antioch.yeoman", (), {}),
])  # fmt: skip
def test_the_roster_tells_the_charge_bonus(edition: str, who: str, kit: tuple[str, ...], facts: dict[str, Any]) -> None:
    found = table_facts(edition, who, *kit)
    assert {name: found[name] for name in ("charge_die", "charge_dice") if name in found} == facts


def tracker(edition: str) -> Tracker:
    return system("trench-crusade").battle.tracker(content_of(edition))


def table_facts(edition: str, who: str, *kit: str) -> dict[str, Any]:
    """What the table knows of a fighter fresh from its profile with this kit on top."""
    content = content_of(edition)
    list_id, _, profile = who.partition(".")
    force = bare(content, profile, list_id)
    pieces = tuple(ForceItem(key=f"k{place}", item=item) for place, item in enumerate(kit))
    force = replace(force, fighters=(replace(force.fighters[0], kit=pieces),))
    view = views(content, force)["1"]
    return dict(tracker(edition).facts(view))


def table(edition: str, **facts: Any) -> TableState:
    """One fighter with these facts against one that holds markers."""
    return TableState(
        sides=(TableSide("A", "Ada"), TableSide("B", "Ben")),
        fighters=(
            TableFighter(key="a1", side="A", name="Ilse", facts=facts),
            TableFighter(key="b1", side="B", name="Rosk", markers={"blood": 6, "infection": 6}),
        ),
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_table_rolls_the_bonus_of_the_roster(edition: str) -> None:
    _, given = tracker(edition).question(
        table(edition, movement=6, charge_die="D3", charge_dice=2), "charge", {"fighter": "a1"}
    )
    assert (given["bonus_die"], given["bonus_dice"]) == ("D3", 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_low_climb_asks_no_die(edition: str) -> None:
    for height in (0.5, 1):
        assert moved(edition, "climb", {"height": height}).outcome == "success"
        assert odds(content_of(edition), "climb", {"height": height}).outcomes == {"success": 1}
    assert moved(edition, "climb", {"height": 1.5}, 1, 2).outcome == "failure"
    assert moved(edition, "climb", {}, 1, 2).outcome == "failure"
    with pytest.raises(Refusal, match="no markers"):
        moved(edition, "climb", {"height": 1, "blood_spent": 1})
    with pytest.raises(Refusal, match="does not clear"):
        moved(edition, "climb", {"height": 1, "movement_left": 0.5})


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_table_rolls_a_climb_of_unknown_height(edition: str) -> None:
    _, given = tracker(edition).question(table(edition), "climb", {"fighter": "a1"})
    assert "height" not in given


@pytest.mark.parametrize("edition", EDITIONS)
def test_elevation_counts_from_the_inches_that_the_browser_tells(edition: str) -> None:
    content = content_of(edition)
    least = content.pack.play.elevated_from if content.pack.play else 0
    words = next(entry.words for entry in content.pack.reference if entry.id == "elevation")
    assert f'{least:g}" or more' in words
    for higher, level in ((least, 1), (least - 0.1, 0)):
        given = {"higher_by": higher, "ranged": 0}
        told = [
            m for m in moved(edition, "attack", given, *((1,) * (2 + level))).modifiers if m[1] == "Elevated position"
        ]
        assert len(told) == level


# --- powers


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_power_takes_its_own_numbers_of_markers(edition: str) -> None:
    for spends in (2, 4, 6):
        assert moved(edition, "goetic", {"steps": [2, 4, 6], "spends": spends}).effect("markers_spent") == spends
    for spends in (0, 1, 3, 5, 7):
        with pytest.raises(Refusal, match="2, 4, 6"):
            moved(edition, "goetic", {"steps": [2, 4, 6], "spends": spends})
    assert moved(edition, "goetic", {"steps": [2, 4, 6]}).effect("markers_spent") == 2
    assert moved(edition, "goetic", {"steps": [3], "markers": 3}).effect("markers_spent") == 3
    with pytest.raises(Refusal, match="1 to 3"):
        moved(edition, "goetic", {"markers": 1, "markers_most": 3, "spends": 4})
    with pytest.raises(Refusal, match="not rolled for"):
        moved(edition, "goetic", {"markers": 1, "blood_spent": 1})


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_packs_powers_say_what_they_take(edition: str) -> None:
    """Every text that names a price in markers has the same steps as the effect."""
    pack = content_of(edition).pack
    seen = 0
    for entry in (*pack.abilities, *pack.upgrades):
        named = re.match(r"(GOETIC|PUTRESCERE|Spell) \(([0-9/\-]+)\)", entry.words)
        effects = [effect for effect in entry.effects if isinstance(effect, v.PowerEffect)]
        assert bool(named) == bool(effects), entry.id
        if named is None:
            continue
        low, _, high = named[2].partition("-")
        steps = tuple(range(int(low), int(high) + 1)) if high else tuple(int(n) for n in named[2].split("/"))
        assert (effects[0].steps, effects[0].of == "infection") == (steps, named[1] == "PUTRESCERE"), entry.id
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_form_of_a_power_offers_its_steps(edition: str) -> None:
    state = table(edition, powers=[["Serpent Moon", [2, 4, 6], "blood"], ["Virulent Clot", [1, 2], "infection"]])
    of = tracker(edition)
    asks = {ask.name: ask for ask in of.asking(state, "goetic", {"fighter": "a1"}).asks}
    assert [label for _, label in asks["power"].options] == ["Serpent Moon", "Virulent Clot", "Another power"]
    assert [value for value, _ in asks["asked"].options] == ["2", "4", "6"]
    rule, given = of.question(state, "goetic", {"fighter": "a1", "power": "0", "asked": "4", "givers": "b1"})
    found = resolve_typed(content_of(edition), rule, given, ())
    assert found.effect("markers_spent") == 4
    with pytest.raises(Refusal, match="2, 4, 6"):
        resolve_typed(
            content_of(edition),
            *of.question(state, "goetic", {"fighter": "a1", "power": "0", "asked": "3", "givers": "b1"}),
            (),
        )
    data = {"fighter": "a1", "power": "1", "asked": "2", "givers": "b1"}
    rule, given = of.question(state, "goetic", data)
    game = system("trench-crusade")
    after, _ = of.apply(
        state, of.rolled(state, "goetic", data, game.resolvers.resolve(content_of(edition), rule, given, TypedDice(())))
    )
    assert after.fighter("b1").markers == {"blood": 6, "infection": 4}
    plain = of.asking(state, "goetic", {"fighter": "a1", "power": "other"})
    assert next(ask for ask in plain.asks if ask.name == "asked").kind == "number"


@pytest.mark.parametrize(("edition", "who", "upgrade"), [
    (OLD, "court-of-the-seven-headed-serpent.sorcerer", ("Blessings of the Serpent Moon", [2, 4, 6], "blood")),
    (NEW, "court-of-the-seven-headed-serpent.sorcerer", ("Blessings of the Serpent Moon", [2, 4, 6], "blood")),
])  # fmt: skip
def test_the_roster_tells_the_powers_of_a_fighter(edition: str, who: str, upgrade: tuple[str, list[int], str]) -> None:
    powers = table_facts(edition, who)["powers"]
    assert any(
        [name.replace("Blessing of", "Blessings of"), steps, kind] == list(upgrade) for name, steps, kind in powers
    )
