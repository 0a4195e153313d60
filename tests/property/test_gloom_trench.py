"""What holds of Gloom Trench's table whatever is asked: odds against throwing every die, fair bags, and what can only help."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice import NeedDice, TypedDice
from rules.gloom_trench.interpretations import READINGS
from rules.gloom_trench.resolvers.dice import LADDER, SIDES, p_success, shifted
from rules.gloom_trench.resolvers.melee import MeleeRound, round_ways
from rules.gloom_trench.resolvers.rules import RULES, odds, resolve
from tests.drills import WHOLE, examples
from tests.unit.rules.gloom import Played, rolled, shares, told

dice = st.sampled_from(LADDER)
flat = st.integers(-4, 4)
steps = st.lists(st.sampled_from([1, -1]), max_size=5)
covers = st.sampled_from(["none", "light", "heavy", "solid"])
read = st.fixed_dictionaries({}, optional={r.key: st.sampled_from([o for o, _ in r.options]) for r in READINGS})


def thrown_out(rule: str, given_: dict[str, Any], readings: dict[str, str] | None = None) -> dict[str, Fraction]:
    """The odds of a rule by rolling every face of every die it asks for, one die after another."""
    weight: dict[str, Fraction] = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, share = waiting.pop()
        try:
            done = resolve(Played(readings or {}), rule, given_, TypedDice(faces))
        except NeedDice as need:
            waiting += [((*faces, face), share / need.sides) for face in range(1, need.sides + 1)]
            continue
        weight[done.outcome] = weight.get(done.outcome, Fraction(0)) + share
    return weight


@given(dice, steps, flat)
def test_the_order_of_modifiers_does_not_matter(base: Any, change: list[int], roll: int) -> None:
    die, modifier = shifted(base, change, roll)
    assert shifted(base, list(reversed(change)), roll) == (die, modifier)
    moved = LADDER.index(die) - LADDER.index(base)
    assert abs(moved) <= 1
    assert moved + modifier - roll == sum(change)


@given(dice, st.integers(-30, 30))
def test_one_die_against_its_faces(die: str, modifier: int) -> None:
    faces = range(1, SIDES[die] + 1)
    assert p_success(SIDES[die], modifier) == Fraction(sum(f != 1 and f + modifier >= 5 for f in faces), SIDES[die])
    assert p_success(SIDES[die], modifier) <= p_success(SIDES[die], modifier + 1)


@given(dice, st.integers(-2, 8))
def test_a_bigger_die_never_hurts(die: str, modifier: int) -> None:
    bigger, more = shifted(die, [1], modifier)  # type: ignore[arg-type]
    assert p_success(SIDES[bigger], more) >= p_success(SIDES[die], modifier)


@settings(max_examples=examples(25))
@given(
    st.integers(0, 2), st.sampled_from(["D6", "D8"]), covers, st.booleans(), st.sampled_from(["D6", "D8"]), flat, read
)
def test_shooting_against_every_face(
    models: int, die: str, cover: str, small: bool, save: str, roll: int, readings: dict[str, str]
) -> None:
    given_ = {
        "models": models, "die": die, "cover": cover, "small": small, "save_die": save, "save_roll_mods": roll, "damage": 2,
        "wounds": 2, "target_models": 1,
    }  # fmt: skip
    for rule in ("shoot", "shoot-hits", "shoot-stress", "shoot-losses"):
        assert _odds(Played(readings), rule, given_) == thrown_out(rule, given_, readings)


def _odds(content: Played, rule: str, given_: dict[str, Any]) -> dict[str, Fraction]:
    found = odds(content, rule, given_).outcomes
    assert sum(found.values()) == 1
    return found


@settings(max_examples=examples(15))
@given(st.integers(0, 2), st.integers(0, 3), read)
def test_rolls_for_stress_against_every_face(command: int, stress: int, readings: dict[str, str]) -> None:
    given_ = {"command": command, "stress": stress, "models": 2}
    for rule in ("morale-check", "morale-losses", "morale-stress"):
        assert _odds(Played(readings), rule, given_) == thrown_out(rule, given_, readings)
    for rule in ("rally", "stress-test"):
        told_ = {name: given_[name] for name in ("command", "stress")}
        assert _odds(Played(readings), rule, told_) == thrown_out(rule, told_, readings)
    activated = {"command": command, "stress": stress, "near_horror": True, "coherent": False}
    assert _odds(Played(readings), "start-activation", activated) == thrown_out("start-activation", activated, readings)


@settings(max_examples=5 if WHOLE else 1)
@given(st.integers(1, 2), covers, st.booleans(), st.integers(1, 2), read)
def test_a_round_of_melee_against_every_face(
    models: int, cover: str, braced: bool, damage: int, readings: dict[str, str]
) -> None:
    given_ = {
        "active": {"models": models, "combat": "D6", "damage": damage, "save": "D6"},
        "defender": {"models": 1, "defence": "D6", "save": "D6", "wounds": 2},
        "cover": cover, "braced": braced,
    }  # fmt: skip
    assert _odds(Played(readings), "melee-round", given_) == thrown_out("melee-round", given_, readings)


@settings(max_examples=examples(20))
@given(st.integers(1, 3), st.integers(1, 3), dice, dice, dice, st.integers(1, 2), st.integers(1, 3), read)
def test_a_whole_melee_comes_to_an_end(
    a: int, d: int, combat: str, defence: str, save: str, damage: int, wounds: int, readings: dict[str, str]
) -> None:
    """The odds of the end satisfy the recursion of a single round: what a round decides, and what the rest does after a draw."""
    given_ = {
        "active": {"models": a, "combat": combat, "save": save, "damage": damage, "wounds": wounds},
        "defender": {"models": d, "defence": defence, "save": save, "damage": 1, "wounds": wounds},
        "round": 2,
    }  # fmt: skip
    data = RULES["melee"].read(given_)
    assert isinstance(data, MeleeRound)
    whole = _odds(Played(readings), "melee", given_)
    by_hand: dict[str, Fraction] = {}
    for (outcome, hurt), share in round_ways(Played(readings), data).items():
        if outcome != "draw":
            by_hand[outcome] = by_hand.get(outcome, Fraction(0)) + share
            continue
        rest = {
            "active": {**given_["active"], "models": a - hurt // wounds, "recorded_damage": hurt % wounds},
            "defender": {**given_["defender"], "models": d - hurt // wounds, "recorded_damage": hurt % wounds},
            "round": 3,
        }  # fmt: skip
        for name, more in (_odds(Played(readings), "melee", rest) if hurt else whole).items():
            by_hand[name] = by_hand.get(name, Fraction(0)) + share * more
    assert by_hand == whole


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 3))
def test_the_bag_is_fair(a: int, b: int, fog: int) -> None:
    found = shares("draw-chit", {"bag": {"A": a, "B": b, "fog": fog}})
    if a + b:
        drawn = 1 - found.get("ends", Fraction(0))
        assert found.get("A", 0) == drawn * Fraction(a, a + b)
    else:
        assert found == {"ends": 1}


def test_the_bag_is_fair_over_every_order() -> None:
    chits = ["A", "A", "B", "Fog", "Fog", "Fog"]
    first: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    orders = list(permutations(range(len(chits))))
    for order in orders:
        drawn: list[str] = []
        for place in order:
            drawn.append(chits[place])
            if drawn.count("Fog") == 3 or len(drawn) - drawn.count("Fog") == 3:
                break
        done = told(rolled("draw-chit", {"bag": {"A": 2, "B": 1, "fog": 3}, "drawn": drawn}))
        assert done["ended"] is True
        first[done["order"][0] if done["order"] else "ends"] += 1
        counts[str(done["activations"])] += 1
    single = shares("draw-chit", {"bag": {"A": 2, "B": 1, "fog": 3}})
    assert {name: Fraction(ways, len(orders)) for name, ways in first.items()} == single
    whole = shares("fog", {"chits": 3})
    assert {name: Fraction(ways, len(orders)) for name, ways in counts.items()} == whole
    assert thrown_out("fog", {"chits": 3}) == whole


@given(st.integers(0, 12), st.integers(1, 3))
def test_each_chit_is_drawn_as_often_as_the_fog_says(chits: int, fog: int) -> None:
    expected = sum(int(k) * share for k, share in shares("fog", {"chits": chits, "fog": fog}).items())
    assert expected == chits * shares("chit-drawn", {"mine": chits, "theirs": 0, "fog": fog})["drawn"]


@settings(max_examples=examples(20))
@given(st.integers(0, 3), st.integers(0, 3))
def test_the_initiative_against_every_face(a: int, b: int) -> None:
    whole = shares("initiative", {"dice_a": a, "dice_b": b})
    mirrored = shares("initiative", {"dice_a": b, "dice_b": a})
    assert whole.get("win", 0) == mirrored.get("lose", 0)
    if a + b <= 4:
        assert whole == thrown_out("initiative", {"dice_a": a, "dice_b": b})


@given(st.integers(0, 30), st.booleans())
def test_a_longer_charge_arrives_less_often(gap: int, point: bool) -> None:
    near = shares("charge-move", {"gap": gap, "tp": point}).get("contact", Fraction(0))
    far = shares("charge-move", {"gap": gap + 0.5, "tp": point}).get("contact", Fraction(0))
    assert far <= near
    assert shares("charge-move", {"gap": gap, "tp": True}).get("contact", Fraction(0)) >= near


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 40), st.integers(1, 4), st.integers(0, 3), st.booleans())
def test_no_damage_is_lost_or_made(
    models: int, others: int, damage: int, wounds: int, recorded: int, swap: bool
) -> None:
    recorded = min(recorded, wounds - 1)
    unit = {
        "models": [{"name": "a", "count": models}, {"name": "b", "count": others, "wounds": wounds + 1}],
        "wounds": wounds, "recorded_damage": recorded, "recorded_on": "a",
    }  # fmt: skip
    found = told(
        rolled("allocate-damage", {"unit": unit, "damage": damage, "profile_choice": "b" if swap and others else "a"})
    )
    removed = found["removed"]
    taken = removed.get("a", 0) * wounds + removed.get("b", 0) * (wounds + 1)
    assert taken + found["recorded"] + found["discarded"] == damage + recorded
    assert found["discarded"] == 0 or found["models_left"] == 0
    begun = [
        name for name, left in found["left"].items() if left and (removed.get(name) or found.get("recorded_on") == name)
    ]
    assert len(begun) <= 1
