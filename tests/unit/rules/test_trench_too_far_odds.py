"""A Trench Too Far: every figure of the odds its specification lists (section 5.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.problems import Refusal
from tests.unit.rules.too_far import full_odds, odds, roll

R4: dict[str, Any] = {"bases": 4}


@pytest.mark.parametrize(
    ("firer", "target", "mean", "shares"),
    [
        (R4, {"position": "dispersed"}, Fraction(10, 9), (0.2721, 0.4186, 0.2415, 0.0619, 0.0060)),
        (R4, {"position": "cover"}, Fraction(2, 3), (0.4823, 0.3858, 0.1157, 0.0154, 0.0008)),
        ({"type": "hmg"}, {"position": "cover"}, Fraction(2, 3), (0.4823, 0.3858, 0.1157, 0.0154, 0.0008)),
        (R4, {"position": "entrenched"}, Fraction(4, 9), (0.6243, 0.3121, 0.0585, 0.0049, 0.0002)),
        (R4 | {"order": "advance"}, {"position": "cover"}, Fraction(1, 3), (0.7061, 0.2568, 0.0350, 0.0021, 0.0000)),
        (
            R4 | {"traits": ["rifle-drill"]},
            {"position": "closed"},
            Fraction(2),
            (0.0878, 0.2634, 0.3292, 0.2195, 0.1001),
        ),
        (
            {"type": "heavy-infantry", "bases": 4},
            {"position": "prone"},
            Fraction(16, 9),
            (0.1339, 0.3061, 0.3061, 0.1749, 0.0790),
        ),
        ({"type": "field-artillery"}, {"position": "closed"}, Fraction(1), (0.25, 0.5, 0.25)),
        ({"type": "sniper"}, {"position": "entrenched"}, Fraction(5, 36), (0.8611, 0.1389)),
    ],
)
def test_bases_lost_to_fire(
    firer: dict[str, Any], target: dict[str, Any], mean: Fraction, shares: tuple[float, ...]
) -> None:
    found = full_odds("fire", platoon=firer, distance=6, target=target)
    assert found.expected == mean
    assert sum(found.outcomes.values()) == 1
    told = [float(found.outcomes.get(str(k), 0)) for k in range(4)]
    told.append(float(sum(share for name, share in found.outcomes.items() if int(name) >= 4)))
    assert told[: len(shares)] == pytest.approx(shares, abs=0.00006)


def test_an_hmg_jams_in_7_of_432() -> None:
    assert odds("hmg-jam")["jammed"] == Fraction(7, 432)
    assert full_odds("fire", type="hmg", target={"position": "cover"}).also["jammed"] == Fraction(7, 432)
    assert odds("hmg-jam", dice=3)["jammed"] == Fraction(1, 216)


@pytest.mark.parametrize(
    ("quality", "share"),
    [
        ("shaky", Fraction(1, 6)),
        ("uncertain", Fraction(1, 3)),
        ("steady", Fraction(1, 2)),
        ("determined", Fraction(2, 3)),
        ("stubborn", Fraction(5, 6)),
    ],
)
def test_morale(quality: str, share: Fraction) -> None:
    assert odds("morale-test", quality=quality)["passes"] == share
    closed = {"quality": quality, "traits": ["close-order"], "fresh": False}
    assert odds("assault-motivation", platoon=closed)["passes"] == min(Fraction(1), share + Fraction(1, 6))


def test_single_dice() -> None:
    for k in range(1, 9):
        assert odds("disruption-check", shocked_platoons=k).get("disrupted", 0) == Fraction(min(k, 6), 6)
    assert odds("order-check", order="assault")["assault"] == Fraction(1, 2)
    assert odds("end-turn-rally", shocked_platoons=1)["1"] == Fraction(1, 3)
    assert odds("end-turn-rally", disrupted_companies=1)["1"] == Fraction(1, 3)
    assert odds("defend-stick")["must-defend"] == Fraction(1, 6)
    assert odds("identify-team")["identified"] == Fraction(1, 2)
    assert odds("disruption", cause="medium-artillery")["disrupted"] == Fraction(1, 3)
    assert odds("tank-repair")["mobile"] == Fraction(1, 6)
    assert odds("shock", traits=["close-order"], bases_left=2)["shocked"] == Fraction(2, 3)


def test_initiative() -> None:
    assert odds("roll-initiative") == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert odds("roll-initiative", a_attacker=True)["a"] == Fraction(21, 31)
    assert odds("roll-initiative", a_militia=True)["b"] == Fraction(21, 31)
    assert odds("roll-initiative", a_attacker=True, b_militia=True)["a"] == Fraction(26, 32)


@pytest.mark.parametrize(
    ("dice", "share"),
    [
        (2, 0.1111),
        (3, 0.2593),
        (4, 0.4074),
        (5, 0.5391),
        (6, 0.6488),
        (8, 0.8049),
        (9, 0.8569),
        (10, 0.8960),
        (12, 0.9460),
        (14, 0.9726),
    ],
)
def test_two_destroyed_in_one_roll(dice: int, share: float) -> None:
    found = odds("assault-round", attacker={"bases": dice}, defender={"bases": 9}, most_rolls=1)
    assert float(found["attacker-wins"]) == pytest.approx(share, abs=0.00006)


def test_two_destroyed_on_4s() -> None:
    side = {"bases": 4, "close_combat_weapons": True}
    assert odds("assault-round", attacker=side, defender=R4, most_rolls=1)["attacker-wins"] == Fraction(11, 16)


@pytest.mark.parametrize(
    ("attacker", "defender", "share"),
    [
        (R4, R4, 0.6841),
        (R4 | {"grenades": True}, R4 | {"grenades": True}, 0.7181),
        ({"type": "assault", "bases": 4, "grenades": True}, R4, 0.9545),
        (
            {"type": "assault", "bases": 4, "grenades": True, "traits": ["veteran"], "outstanding_officer": True},
            R4,
            0.9922,
        ),
        (R4, {"bases": 2}, 0.9635),
        ({"type": "assault", "bases": 4, "close_combat_weapons": True}, R4, 0.9900),
    ],
)
def test_whole_fights(attacker: dict[str, Any], defender: dict[str, Any], share: float) -> None:
    assert float(odds("assault-round", attacker=attacker, defender=defender)["attacker-wins"]) == pytest.approx(
        share, abs=0.00006
    )


def test_an_assault_multiplies_nerve_and_fight() -> None:
    fight = odds("assault-round", attacker=R4, defender=R4)["attacker-wins"]
    attacker, defender = R4 | {"fresh": False, "quality": "determined"}, R4 | {"quality": "steady"}
    found = full_odds("assault", attacker=attacker, defender=defender)
    assert found.also["attacker_prevails"] == Fraction(2, 3) * (Fraction(1, 2) + Fraction(1, 2) * fight)
    assert found.outcomes["stays"] == Fraction(1, 3)
    assert found.outcomes["falls-back"] == Fraction(1, 3)
    behind = full_odds("assault", attacker=R4 | {"fresh": True}, defender=R4 | {"position": "entrenched"})
    assert behind.also["attacker_prevails"] == fight
    assert sum(found.outcomes.values()) == sum(behind.outcomes.values()) == 1


@pytest.mark.parametrize(("lost", "share"), [(1, 0.333), (2, 0.556), (3, 0.704), (4, 0.802), (6, 0.912)])
def test_at_least_one_remnant(lost: int, share: float) -> None:
    found = full_odds("recover-remnants", lost=lost)
    assert float(found.also["at_least_one"]) == pytest.approx(share, abs=0.0006)
    assert found.expected == Fraction(lost, 3)


TANKS = ("armoured-car", "light", "medium", "heavy")


@pytest.mark.parametrize(
    ("firer", "dice", "shares"),
    [
        ({"type": "hmg"}, 2, (Fraction(1, 6), Fraction(1, 9), Fraction(1, 18), Fraction(0))),
        ({"type": "trench-mortar"}, 1, (Fraction(2, 9), Fraction(1, 6), Fraction(1, 9), Fraction(1, 18))),
        ({"type": "anti-tank-rifle"}, 1, (Fraction(2, 9), Fraction(1, 6), Fraction(1, 9), Fraction(1, 18))),
        ({"type": "field-artillery"}, 2, (Fraction(5, 18), Fraction(2, 9), Fraction(1, 6), Fraction(1, 9))),
        (
            {"type": "tank", "weapon": "tank-gun-shell", "bases": 1},
            1,
            (Fraction(5, 18), Fraction(2, 9), Fraction(1, 6), Fraction(1, 9)),
        ),
        (
            {"type": "tank", "weapon": "tank-gun-ap", "bases": 1},
            1,
            (Fraction(1, 3), Fraction(5, 18), Fraction(2, 9), Fraction(1, 6)),
        ),
        ({"type": "anti-tank-gun"}, 1, (Fraction(1, 3), Fraction(5, 18), Fraction(2, 9), Fraction(1, 6))),
        ({"bases": 1}, 1, (Fraction(1, 9), Fraction(1, 18), Fraction(0), Fraction(0))),
        ({"type": "lmg"}, 1, (Fraction(1, 9), Fraction(1, 18), Fraction(0), Fraction(0))),
        ({"type": "heavy-infantry", "bases": 1}, 1, (Fraction(1, 6), Fraction(1, 9), Fraction(1, 18), Fraction(0))),
    ],
)
def test_damage_to_tanks(firer: dict[str, Any], dice: int, shares: tuple[Fraction, ...]) -> None:
    for name, share in zip(TANKS, shares, strict=True):
        found = full_odds("tank-fire", platoon=firer, distance=6, **{"class": name})
        assert found.also["damage_per_die"] == share
        assert found.also["destroyed_outright"] == 1 - (1 - share / 3) ** dice
        assert sum(found.outcomes.values()) == 1


def test_artillery_destroys_outright() -> None:
    light = full_odds("tank-fire", type="field-artillery", **{"class": "light"}).also["destroyed_outright"]
    heavy = full_odds("tank-fire", type="field-artillery", **{"class": "heavy"}).also["destroyed_outright"]
    assert (float(light), float(heavy)) == pytest.approx((0.1427, 0.0727), abs=0.00006)


@pytest.mark.parametrize(
    ("kind", "open_ground", "crossing"),
    [
        ("unreliable", Fraction(2, 3), Fraction(1, 2)),
        ("stable", Fraction(5, 6), Fraction(2, 3)),
        ("sturdy", Fraction(1), Fraction(5, 6)),
    ],
)
def test_reliability(kind: str, open_ground: Fraction, crossing: Fraction) -> None:
    assert odds("reliability", kind=kind)["passes"] == open_ground
    assert odds("reliability", kind=kind, crossing=True)["passes"] == crossing


def test_dice_still_needed_for_shock() -> None:
    assert roll("add-fire", dice=4, tolerance=6).effect("still_needed") == 3
    assert roll("add-fire", dice=4, tolerance=3).effect("still_needed") == 0


def test_odds_are_asked_for_before_dice_fall() -> None:
    with pytest.raises(Refusal, match="before dice fall"):
        odds("fire", bases=4, rolls=[1, 2, 3, 4])
    assert odds("morale-test", quality="steady", roll=4) == {"passes": 1}


def test_cards_come_first_equally_often() -> None:
    found = odds("card-deck", companies=["Red", "Blue"], with_rally=True, with_artillery=True)
    assert found == dict.fromkeys(("Artillery", "Blue", "Rally", "Red"), Fraction(1, 4))
