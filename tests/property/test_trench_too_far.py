"""A Trench Too Far: odds are whole, agree with every throw of the dice, and move the way they must."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.trench_too_far.interpretations import READINGS
from rules.trench_too_far.resolvers.common import Readings, odds_by_ways
from rules.trench_too_far.resolvers.rules import RULES, odds, resolve_typed
from tests.drills import examples

QUALITIES = ("shaky", "uncertain", "steady", "determined", "stubborn")
POSITIONS = ("closed", "dispersed", "prone", "cover", "entrenched")
KINDS = ("rifle", "militia", "heavy-infantry", "assault", "cavalry", "engineers", "remnant")
readings = st.fixed_dictionaries({r.key: st.sampled_from([value for value, _ in r.options]) for r in READINGS}).map(
    lambda chosen: Readings(tuple(sorted(chosen.items())))
)
sides = st.fixed_dictionaries(
    {
        "type": st.sampled_from(KINDS), "bases": st.integers(1, 5), "quality": st.sampled_from(QUALITIES), "position": st.sampled_from(POSITIONS),
        "grenades": st.booleans(), "outstanding_officer": st.booleans(), "close_combat_weapons": st.booleans(), "heavy_teams": st.integers(0, 1),
        "traits": st.sets(st.sampled_from(["veteran", "aggressive", "close-order"])).map(sorted), "fresh": st.booleans(),
        "shocked": st.booleans(),
    }
)  # fmt: skip
shots = st.fixed_dictionaries(
    {
        "platoon": st.fixed_dictionaries(
            {
                "bases": st.lists(
                    st.fixed_dictionaries({"weapon": st.sampled_from(["rifles", "lmg", "hmg", "carbines"])}),
                    min_size=1, max_size=2,
                ),
                "order": st.sampled_from(["fire", "advance", "move"]), "shocked": st.booleans(),
            }
        ),
        "target": st.fixed_dictionaries(
            {
                "bases": st.integers(1, 5), "position": st.sampled_from(POSITIONS), "tally": st.integers(0, 6),
                "traits": st.sets(st.sampled_from(["veteran", "close-order"])).map(sorted), "order": st.sampled_from(["", "defend"]),
            }
        ),
        "distance": st.integers(0, 20),
    }
)  # fmt: skip


@settings(max_examples=examples(15), deadline=None)
@given(shots, readings)
def test_the_odds_of_fire_are_those_of_the_rule_run_through_every_way(asked: dict[str, Any], by: Readings) -> None:
    rule = RULES["fire"]
    data = rule.read(asked)
    told = odds(by, "fire", asked)
    walked = odds_by_ways(lambda roller: rule.resolve(by, data, roller), (), ("jammed", "shocked", "wiped_out"))
    assert sum(told.outcomes.values()) == 1
    assert told.outcomes == walked.outcomes
    assert told.also == walked.also  # type: ignore[attr-defined]


@settings(max_examples=examples(40), deadline=None)
@given(sides, sides, readings, st.integers(1, 3))
def test_a_bounded_fight_has_the_odds_of_the_rule_run_through_every_way(
    attacker: dict[str, Any], defender: dict[str, Any], by: Readings, most: int
) -> None:
    asked = {"attacker": attacker, "defender": defender, "most_rolls": most}
    rule = RULES["assault-round"]
    data = rule.read(asked)
    told = odds(by, "assault-round", asked)
    assert sum(told.outcomes.values()) == 1
    assert told.outcomes == odds_by_ways(lambda roller: rule.resolve(by, data, roller), rule.outcomes).outcomes


@settings(max_examples=examples(40), deadline=None)
@given(sides, sides, readings, st.integers(0, 2))
def test_a_fight_is_what_its_first_rolls_leave_of_it(
    attacker: dict[str, Any], defender: dict[str, Any], by: Readings, joining: int
) -> None:
    asked = {"attacker": attacker, "defender": defender, "joining_bases": joining}
    whole = odds(by, "assault-round", asked)
    assert sum(whole.outcomes.values()) == 1
    # After many rolls next to nothing is undecided, and what is decided never exceeds the whole.
    early = odds(by, "assault-round", {**asked, "most_rolls": 60})
    open_still = early.outcomes.get("goes-on", Fraction(0)) - whole.outcomes.get("goes-on", Fraction(0))
    for outcome in ("attacker-wins", "defender-wins"):
        gap = whole.outcomes.get(outcome, Fraction(0)) - early.outcomes.get(outcome, Fraction(0))
        assert 0 <= gap <= open_still
    assert open_still < Fraction(1, 100)


@settings(max_examples=examples(60), deadline=None)
@given(sides, sides, readings)
def test_a_whole_assault_adds_up(attacker: dict[str, Any], defender: dict[str, Any], by: Readings) -> None:
    told = odds(by, "assault", {"attacker": attacker, "defender": defender})
    assert sum(told.outcomes.values()) == 1
    won = told.outcomes.get("attacker-wins", Fraction(0)) + told.outcomes.get("falls-back", Fraction(0))
    assert told.also["attacker_prevails"] == won  # type: ignore[attr-defined]


@settings(max_examples=examples(40), deadline=None)
@given(
    st.sampled_from(["hmg", "trench-mortar", "field-artillery", "anti-tank-gun", "anti-tank-rifle", "rifle", "heavy-infantry"]),
    st.lists(
        st.fixed_dictionaries(
            {"class": st.sampled_from(["armoured-car", "light", "medium", "heavy"]), "immobilised": st.booleans(), "damaged": st.booleans()}
        ),
        min_size=1, max_size=2,
    ),
    readings,
)  # fmt: skip
def test_fire_at_tanks_has_the_odds_of_the_rule_run_through_every_way(
    kind: str, tanks: list[dict[str, Any]], by: Readings
) -> None:
    asked = {"platoon": {"type": kind, "bases": 1}, "tanks": tanks, "distance": 4}
    rule = RULES["tank-fire"]
    data = rule.read(asked)
    told = odds(by, "tank-fire", asked)
    assert sum(told.outcomes.values()) == 1
    assert told.outcomes == odds_by_ways(lambda roller: rule.resolve(by, data, roller), rule.outcomes).outcomes


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(1, 2), st.integers(4, 6), st.sampled_from([None, 3, 4, 5, 6]), st.integers(0, 3))
def test_exhaustive_dice_agree_with_the_odds_of_plain_fire(dice: int, hit: int, save: int | None, bases: int) -> None:
    asked = {"dice": dice, "hit_target": hit, "save_target": save, "bases": bases}
    found: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2 * dice):
        hits = sum(face >= hit for face in faces[:dice])
        used = faces[: dice + (hits if save is not None else 0)]
        found[resolve_typed(Readings(), "resolve-fire", asked, used).outcome] += 1
    assert odds(Readings(), "resolve-fire", asked).outcomes == {
        name: Fraction(count, 6 ** (2 * dice)) for name, count in found.items()
    }


def lost(asked: dict[str, Any]) -> Fraction:
    mean = odds(Readings(), "fire", asked).expected  # type: ignore[attr-defined]
    assert isinstance(mean, Fraction)
    return mean


@settings(max_examples=examples(40), deadline=None)
@given(shots, st.integers(0, 3))
def test_more_bases_never_fire_worse_and_better_ground_never_saves_less(asked: dict[str, Any], place: int) -> None:
    more = {**asked, "platoon": asked["platoon"] | {"bases": [*asked["platoon"]["bases"], {"weapon": "rifles"}]}}
    assert lost(more) >= lost(asked)
    plain = asked["target"] | {"traits": []}
    worse = {**asked, "target": plain | {"position": POSITIONS[place]}}
    better = {**asked, "target": plain | {"position": POSITIONS[place + 1]}}
    assert lost(better) <= lost(worse)


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(1, 6), st.integers(2, 6))
def test_more_attackers_never_win_less_often(attackers: int, defenders: int) -> None:
    def wins(count: int) -> Fraction:
        asked = {"attacker": {"bases": count}, "defender": {"bases": defenders}}
        return odds(Readings(), "assault-round", asked).outcomes.get("attacker-wins", Fraction(0))

    assert wins(attackers + 1) >= wins(attackers)


@given(st.sampled_from(QUALITIES), st.integers(1, 5), st.integers(-2, 2))
def test_a_higher_die_never_turns_a_pass_into_a_fail(quality: str, face: int, bonus: int) -> None:
    def passes(shown: int) -> bool:
        return (
            resolve_typed(Readings(), "morale-test", {"quality": quality, "bonus": bonus}, (shown,)).outcome == "passes"
        )

    assert passes(face + 1) >= passes(face)


@given(sides, st.integers(0, 30), st.integers(0, 12))
def test_dice_add_up_to_shock_when_as_many_fall_as_are_still_needed(
    side: dict[str, Any], tally: int, dice: int
) -> None:
    found = resolve_typed(Readings(), "add-fire", {"platoon": side | {"tally": tally}, "dice": dice}, ())
    needed = found.effect("still_needed")
    assert (needed == 0) == (found.outcome == "exceeds")
    if needed:
        again = {"platoon": side | {"tally": found.effect("tally")}}
        assert resolve_typed(Readings(), "add-fire", again | {"dice": needed}, ()).outcome == "exceeds"
        assert resolve_typed(Readings(), "add-fire", again | {"dice": needed - 1}, ()).outcome == "within"
