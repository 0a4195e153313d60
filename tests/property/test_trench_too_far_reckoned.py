"""A Trench Too Far reckoned a second time: fire and fights by a plain sum over every face, written from the rules alone."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.trench_too_far.resolvers.common import Readings
from rules.trench_too_far.resolvers.rules import odds, resolve_typed
from tests.drills import examples

# Core rules, "Fire": range and dice, and the saves by position.
WEAPONS = {
    "Rifles": (18, 1), "Carbines": (12, 1), "LMG": (18, 2), "HMG": (24, 4), "Trench mortar": (15, 2), "Field artillery": (36, 2),
    "Tank cannon": (24, 1), "Militia": (12, 1), "Anti tank gun": (36, 1),
}  # fmt: skip
SAVES = {"Closed": 7, "Dispersed": 6, "Prone": 5, "Cover": 4, "Entrenched": 3}
QUALITY = {"Shaky": 0, "Uncertain": 0, "Steady": 0, "Determined": 1, "Stubborn": 2}
BASE_DICE = {
    "Rifle": 1,
    "Militia": 1,
    "Heavy infantry": 1,
    "Assault": 2,
    "Cavalry": 2,
    "Engineers": 1,
    "Remnant": 1,
}

faces = st.lists(st.integers(1, 6), min_size=40, max_size=40)
platoons = st.fixed_dictionaries(
    {
        "bases": st.integers(1, 6), "quality": st.sampled_from(sorted(QUALITY)), "position": st.sampled_from(sorted(SAVES)),
        "veteran": st.booleans(), "outstanding_officer": st.booleans(), "dice_tally": st.integers(0, 6), "flanked": st.booleans(),
        "tally_had_indirect": st.booleans(), "shocked": st.booleans(), "order": st.sampled_from(["", "Defend"]),
    }
)  # fmt: skip
sides = st.fixed_dictionaries(
    {
        "type": st.sampled_from(sorted(BASE_DICE)), "bases": st.integers(1, 5), "veteran": st.booleans(), "grenades": st.booleans(),
        "outstanding_officer": st.booleans(), "close_combat_weapons": st.booleans(),
    }
)  # fmt: skip


# What this reckoning calls otherwise than the schema of the rules' input.
FIELDS = {"dice_tally": "tally", "flanked": "enemy_to_flank_or_rear"}


def as_input(unit: dict[str, Any]) -> dict[str, Any]:
    """Return a unit as `resolve --list` describes it."""
    fields = {FIELDS.get(field, field): value for field, value in unit.items() if field != "veteran"}
    return {**fields, "traits": ["veteran"] if unit["veteran"] else []}


def binomial(count: int, each: Fraction) -> list[Fraction]:
    return [comb(count, k) * each**k * (1 - each) ** (count - k) for k in range(count + 1)]


@settings(max_examples=examples(120), deadline=None)
@given(
    platoons, st.sampled_from(sorted(WEAPONS)), st.integers(1, 4), st.sampled_from(["Fire", "Move", "Advance"]), st.integers(1, 40),
    st.booleans(), faces,
)  # fmt: skip
def test_an_attack_by_fire_comes_out_as_reckoned_by_hand(
    target: dict[str, Any], weapon: str, bases: int, order: str, distance: int, shocked: bool, fallen: list[int]
) -> None:
    reach, attacks = WEAPONS[weapon]
    bases = 1 if weapon == "HMG" else bases  # several are several teams, each with a jam of its own
    dice = attacks * bases if distance <= reach else 0
    advancing = order == "Advance" and weapon != "HMG"  # one that does not move fires as usual
    closed = target["position"] == "Closed"
    hit = 6 if advancing or shocked else 4 if weapon == "Field artillery" and closed else 5
    save = min(5, SAVES[target["position"]]) if target["order"] else SAVES[target["position"]]
    hits = sum(face >= hit for face in fallen[:dice])
    saves = fallen[dice : dice + hits] if save < 7 else []
    lost = min(target["bases"], hits - sum(face >= save for face in saves))
    struck = target["dice_tally"] + (dice - 1 if advancing and dice else dice)
    sheltered = target["position"] == "Entrenched" and not target["flanked"] and not target["tally_had_indirect"]
    tolerance = (
        target["bases"] + QUALITY[target["quality"]] + target["veteran"] + target["outstanding_officer"]
        + (sheltered and weapon not in ("Trench mortar", "Field artillery")) + (2 if target["order"] else 0)
    )  # fmt: skip
    asked = {
        "platoon": {"weapon": weapon, "bases": bases, "shocked": shocked}, "order": order, "distance": distance, "target": as_input(target),
    }  # fmt: skip
    done = resolve_typed(Readings(), "fire", asked, (*fallen[:dice], *saves))
    assert (done.total, done.effect("dice"), done.effect("hits")) == (lost, dice, hits)
    if dice:
        left = target["bases"] - lost
        assert (done.effect("tally"), done.effect("tolerance"), done.effect("bases_left")) == (struck, tolerance, left)
        assert done.effect("shocked") is (left > 0 and (target["shocked"] or struck > tolerance))
    shares: dict[str, Fraction] = {}
    for count, share in enumerate(binomial(dice, Fraction(7 - hit, 6) * Fraction(save - 1, 6))):
        key = str(min(count, target["bases"]))
        shares[key] = shares.get(key, Fraction(0)) + share
    assert odds(Readings(), "fire", asked).outcomes == shares


def thrown(side: dict[str, Any], left: int) -> int:
    return left * (BASE_DICE[side["type"]] + side["veteran"]) + side["grenades"] + side["outstanding_officer"]


def needed(side: dict[str, Any]) -> int:
    return 4 if side["type"] == "Engineers" or side["close_combat_weapons"] else 5


@settings(max_examples=examples(60), deadline=None)
@given(sides, sides)
def test_a_fight_is_won_as_often_as_reckoned_by_hand(attacker: dict[str, Any], defender: dict[str, Any]) -> None:
    @lru_cache(None)
    def wins(ours: int, theirs: int) -> Fraction:
        won = idle = Fraction(0)
        for hits, share in enumerate(binomial(thrown(attacker, ours), Fraction(7 - needed(attacker), 6))):
            if hits >= min(2, theirs):
                won += share
                continue
            back = binomial(thrown(defender, theirs - hits), Fraction(7 - needed(defender), 6))
            for lost, again in enumerate(back[: min(2, ours)]):
                if hits or lost:
                    won += share * again * wins(ours - lost, theirs - hits)
                else:
                    idle += share * again
        return won / (1 - idle)

    fighting = {"attacker": as_input(attacker), "defender": as_input(defender)}
    told = odds(Readings(), "assault-round", fighting).outcomes
    assert told.get("attacker-wins", Fraction(0)) == wins(attacker["bases"], defender["bases"])
    assert sum(told.values()) == 1


@settings(max_examples=examples(60), deadline=None)
@given(sides, sides, st.lists(st.integers(1, 6), min_size=400, max_size=400))
def test_a_fight_goes_blow_by_blow_as_reckoned_by_hand(
    attacker: dict[str, Any], defender: dict[str, Any], fallen: list[int]
) -> None:
    sides_now, left, rolled, turn = (attacker, defender), [attacker["bases"], defender["bases"]], 0, 0
    while True:
        dice = thrown(sides_now[turn], left[turn])
        blow = fallen[rolled : rolled + dice]
        rolled += dice
        if len(blow) < dice:
            return  # such a run of bad luck is left to the odds
        destroyed = min(left[1 - turn], sum(face >= needed(sides_now[turn]) for face in blow))
        left[1 - turn] -= destroyed
        if destroyed >= 2 or not left[1 - turn]:
            break
        turn = 1 - turn
    fighting = {"attacker": as_input(attacker), "defender": as_input(defender)}
    done = resolve_typed(Readings(), "assault-round", fighting, tuple(fallen[:rolled]))
    assert done.effect("winner") == ("attacker", "defender")[turn]
    assert (done.effect("attacker_bases_left"), done.effect("defender_bases_left")) == tuple(left)
    beaten = ("defender", "attacker")[turn]
    assert done.effect("shocked") == (beaten if left[1 - turn] else None)
