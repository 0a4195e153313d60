"""The odds of units' attacks equal a second enumeration that knows the printed rules and none of the app's code."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from rules.gloom_trench.game import SYSTEM as GLOOM
from rules.parts.unit_attacks import UnitOdds
from rules.problems import Refusal
from rules.trench_too_far.game import SYSTEM as TOO_FAR

SITUATIONS = 40
Shares = dict[int, Fraction]


def spread(odds: UnitOdds, label: str) -> Shares:
    found = next(each for each in odds.spreads if each.label == label)
    return {int(name): share for name, share in found.shares if share}


def face_to_face(game, mine, theirs):
    """Lay two fresh sample units on a table."""
    content, part = game.content("core"), game.unit_attacks
    return content, part, part.facing(content, part.bare_force(content, mine), part.bare_force(content, theirs))


def rolled(dice: int, chance: Fraction) -> Shares:
    """Return the chances of so many successes: one die after another, without a formula."""
    found = {0: Fraction(1)}
    for _die in range(dice):
        after: Shares = {}
        for count, share in found.items():
            after[count] = after.get(count, Fraction(0)) + share * (1 - chance)
            after[count + 1] = after.get(count + 1, Fraction(0)) + share * chance
        found = after
    return {count: share for count, share in found.items() if share}


def gone(lost: Shares, size: int, wounds: int = 1) -> Shares:
    found: Shares = {}
    for damage, share in lost.items():
        models = min(damage // wounds, size)
        found[models] = found.get(models, Fraction(0)) + share
    return found


# --- Gloom Trench: Dice; Target Number; Shooting; Saving Throws

LADDER = ("D6", "D8", "D12")
RIFLE = {"8": "D12", "16": "D8", "24": "D6"}
# Sample units that are shot at: Save, models, Wounds of each.
SHOT_AT = {
    "sample-rifles": ("D6", 8, 1), "sample-conscripts": ("D6", 9, 1), "sample-officer": ("D8", 1, 3),
    "sample-scouts": ("D6", 2, 1), "sample-captain": ("D6", 1, 3), "sample-armoured-car": ("D12", 1, 6),
}  # fmt: skip


def chance_of_five(die: str, steps: int, added: int) -> Fraction:
    """Return the chance of a 5 or more on a die moved up its ladder; a natural 1 fails."""
    place = LADDER.index(die) + (1 if steps > 0 else 0)
    added += max(0, steps - 1)
    if place >= len(LADDER):
        place, added = place - 1, added + 1
    sides = int(LADDER[place][1:])
    return Fraction(sum(face != 1 and face + added >= 5 for face in range(1, sides + 1)), sides)


def shot_by_hand(told: dict[str, str], target: str) -> tuple[Shares, Shares, Shares]:
    save, size, wounds = SHOT_AT[target]
    size -= int(told.get("theirs_lost", 0))
    added = -(told["action"] == "advance") - (size <= 2) - int(told.get("obscured", 0)) - int(told["opponent_tp"])
    if told["cover"] == "light":
        added -= 1
    if told["cover"] == "heavy":
        added -= 2
    if told["cover"] == "solid":
        added -= 1
    hits = chance_of_five(RIFLE[told["distance"]], int(told["tp"]), added)
    saved = chance_of_five(
        save, int(told["save_tp"]) + (told["cover"] == "solid"),
        int(told["dug_in"]) - int(told["discard"]) - int(told["save_opponent_tp"]),
    )  # fmt: skip
    dice = 8 - int(told.get("mine_lost", 0))
    return rolled(dice, hits), rolled(dice, hits * saved), gone(rolled(dice, hits * (1 - saved)), size, wounds)


def test_shooting_equals_the_printed_rules_in_sampled_situations() -> None:
    chance = random.Random(1926)
    for _time in range(SITUATIONS):
        target = chance.choice(sorted(SHOT_AT))
        told = {
            name: chance.choice("01")
            for name in ("tp", "opponent_tp", "save_tp", "save_opponent_tp", "discard", "dug_in")
        }
        told |= {
            "action": chance.choice(("open-up", "advance")), "distance": chance.choice(sorted(RIFLE)),
            "cover": chance.choice(("none", "light", "heavy", "solid")), "obscured": chance.choice("012"),
            "mine_lost": chance.choice("037"),
        }  # fmt: skip
        told["los_0"] = str(8 - int(told["mine_lost"]))
        if SHOT_AT[target][1] > 1:
            told["theirs_lost"] = chance.choice("01")
        content, part, table = face_to_face(GLOOM, "sample-rifles", target)
        odds = part.odds(content, table, "mine:1", "theirs:1", "shoot", told)
        hits, saved, lost = shot_by_hand(told, target)
        assert spread(odds, "Hits") == hits, (target, told)
        assert spread(odds, "Saves made") == saved, (target, told)
        assert spread(odds, "Models they lose") == lost, (target, told)


def melee_by_hand(mine: int, theirs: int, my_hit: Fraction, their_hit: Fraction, save: Fraction) -> dict[str, Fraction]:
    """Return who takes more damage in one round of two units of one Wound each, and all that follows from it."""
    found: dict[str, Fraction] = {}
    dealt, taken = rolled(mine, my_hit * (1 - save)), rolled(theirs, their_hit * (1 - save))
    for (hurt, one), (harm, other) in product(dealt.items(), taken.items()):
        won = "win" if hurt > harm else "lose" if hurt < harm else "draw"
        if won == "draw" and not (mine - harm and theirs - hurt):
            won = "win" if mine - harm else "lose" if theirs - hurt else "both"
        found[won] = found.get(won, Fraction(0)) + one * other
    return found


def test_a_charge_is_contact_and_a_round_with_one_more_on_the_dice() -> None:
    content, part, table = face_to_face(GLOOM, "sample-rifles", "sample-conscripts")
    for gap, reaction in product(("7", "9", "12"), ("none", "brace")):
        odds = part.odds(content, table, "mine:1", "theirs:1", "charge", {"gap": gap, "reaction": reaction})
        chances = dict(odds.chances)
        assert (
            chances["Contact"] == Fraction(min(6, 6 + 7 - int(gap) + 1), 6) if gap != "7" else chances["Contact"] == 1
        )
        bonus = 0 if reaction == "brace" and gap != "7" else 1
        by_hand = melee_by_hand(
            8, 9, chance_of_five("D6", 0, bonus), chance_of_five("D6", 0, 0), chance_of_five("D6", 0, 0)
        )
        first = dict(next(each for each in odds.spreads if each.label == "After the first round").shares)
        assert first.get("Another round", 0) == by_hand["draw"]
        assert first["I win"] == by_hand["win"]
        assert sum(share for _name, share in odds.spreads[0].shares) == 1


def test_a_charge_into_hold_and_shoot_meets_what_is_left() -> None:
    content, part, table = face_to_face(GLOOM, "sample-scouts", "sample-rifles")
    odds = part.odds(content, table, "mine:1", "theirs:1", "charge", {"gap": "9", "reaction": "hold-and-shoot"})
    hit, saved = chance_of_five("D6", 0, -1), chance_of_five("D6", 1, 0)
    lost = gone(rolled(8, hit * (1 - saved)), 2)
    assert dict(odds.chances)["Shot down as I charge"] == lost[2]
    assert sum(share for _name, share in odds.spreads[0].shares) == 1


# --- A Trench Too Far: Fire; Shock and Disruption; Assaulting; Tanks

POSITIONS = {"closed": None, "dispersed": 6, "prone": 5, "cover": 4, "entrenched": 3}
FIRERS = {  # attack dice at 12″ and at 18″, and whether its company loses by Advance
    "sample-rifle-platoon": (4, 4), "sample-rifle-platoon-lmg": (6, 6), "sample-militia-platoon": (4, 0), "sample-lmg": (2, 2),
    "sample-riders": (4, 0),
}  # fmt: skip


def d6(need: int | None) -> Fraction:
    return Fraction(0) if need is None else Fraction(max(0, 7 - need), 6)


def test_fire_equals_the_printed_rules_in_sampled_situations() -> None:
    chance = random.Random(1917)
    for _time in range(SITUATIONS):
        firer, target = chance.choice(sorted(FIRERS)), chance.choice(("sample-rifle-platoon", "sample-militia-platoon"))
        far = chance.choice((0, 1))
        told = {
            "order": chance.choice(("fire", "move", "advance", "defend")), "position": chance.choice(sorted(POSITIONS)),
            "defend": chance.choice("01"), "mine_shocked": chance.choice("01"), "theirs_lost": chance.choice("02"),
            "tally": chance.choice("03"), "moved": "1",
        }  # fmt: skip
        content, part, table = face_to_face(TOO_FAR, firer, target)
        stops = [value for value, _words in part.asks(content, table, "mine:1", "theirs:1", "fire")[1].options]
        told["distance"] = "18" if far and "18" in stops else "12" if "12" in stops else stops[-1]
        dice = FIRERS[firer][1 if told["distance"] == "18" else 0]
        if not dice:
            with pytest.raises(Refusal):
                part.odds(content, table, "mine:1", "theirs:1", "fire", told)
            continue
        odds = part.odds(content, table, "mine:1", "theirs:1", "fire", told)
        hits = d6(6 if told["order"] == "advance" or told["mine_shocked"] == "1" else 5)
        need = POSITIONS[told["position"]]
        if told["defend"] == "1" and (need is None or need > 5):
            need = 5
        bases = 4 - int(told["theirs_lost"])
        lost = gone(rolled(dice, hits * (1 - d6(need))), bases)
        assert spread(odds, "Hits") == rolled(dice, hits), (firer, target, told)
        assert spread(odds, "Saves made") == rolled(dice, hits * d6(need)), (firer, target, told)
        assert spread(odds, "Bases they lose") == lost, (firer, target, told)
        counted = dice - (told["order"] == "advance") + int(told["tally"])
        limit = bases + 2 * (told["defend"] == "1") + (told["position"] == "entrenched")
        alive = sum(share for count, share in lost.items() if count < bases)
        assert dict(odds.chances).get("Shocked", 0) == (alive if counted > limit else 0), (firer, target, told)


def damage_by_hand(dice: int, save: int) -> dict[str, Fraction]:
    """Return the worst that befalls one sound vehicle: every hit, every save, every damage roll in turn."""
    found: dict[str, Fraction] = {}

    def fall(left: int, state: tuple[bool, bool, bool], worst: int, share: Fraction) -> None:
        if not left:
            name = ("No effect", "Immobilised", "Damaged", "Destroyed")[worst]
            found[name] = found.get(name, Fraction(0)) + share
            return
        through = Fraction(1, 3) * (1 - d6(save))
        fall(left - 1, state, worst, share * (1 - through))
        for low in (1, 3, 5):
            stuck, hurt, dead = state
            if dead or low == 5 or (low == 3 and hurt) or (low == 1 and stuck and hurt):
                after, result = (stuck, hurt, True), 3
            elif low == 3 or stuck:
                after, result = (stuck, True, False), 2
            else:
                after, result = (True, hurt, False), 1
            fall(left - 1, after, max(worst, result), share * through / 3)

    fall(dice, (False, False, False), 0, Fraction(1))
    return found


@pytest.mark.parametrize(
    ("firer", "dice", "modifier"), [("sample-hmg", 2, 1), ("sample-mortar", 1, 0), ("sample-field-gun", 2, -1)]
)
def test_fire_at_a_vehicle_equals_every_roll_in_turn(firer: str, dice: int, modifier: int) -> None:
    content, part, table = face_to_face(TOO_FAR, firer, "sample-armoured-cars")
    odds = part.odds(content, table, "mine:1", "theirs:1", "fire", {"distance": "8"})
    worst = {name: share for name, share in odds.spreads[0].shares if share}
    assert worst == damage_by_hand(dice, 5 - modifier)
    assert spread(odds, "Damage rolls") == rolled(dice, Fraction(1, 3) * (1 - d6(5 - modifier)))


def test_an_assault_adds_up_and_its_losses_are_those_of_the_fight() -> None:
    content, part, table = face_to_face(TOO_FAR, "sample-rifle-platoon", "sample-lmg")
    odds = part.odds(content, table, "mine:1", "theirs:1", "assault", {"position": "entrenched"})
    # Five dice on 5+ against one base that strikes back with one: the exchange in which nobody falls is divided out.
    attack, back = 1 - Fraction(2, 3) ** 5, Fraction(1, 3)
    assert spread(odds, "Bases they lose")[1] == dict(odds.chances)["I drive them off"]
    clean = attack / (1 - (1 - attack) * (1 - back))
    assert spread(odds, "Bases I lose")[0] == clean
    for each in odds.spreads:
        assert sum(share for _name, share in each.shares) == 1


# --- whatever units are chosen


@pytest.mark.parametrize("game", [GLOOM, TOO_FAR], ids=lambda game: game.id)
def test_every_attack_of_every_sample_adds_up(game) -> None:
    content, part = game.content("core"), game.unit_attacks
    names = [key for key, _name in part.samples(content)]
    checked = 0
    for mine in names:
        for theirs in names[:: 1 if len(names) < 12 else 4]:
            _content, _part, table = face_to_face(game, mine, theirs)
            for way in part.ways(content, table, "mine:1", "theirs:1"):
                odds = part.odds(content, table, "mine:1", "theirs:1", way.key, {})
                assert odds.short, (mine, theirs, way.key)
                assert odds.need, (mine, theirs, way.key)
                for each in odds.spreads:
                    assert sum(share for _name, share in each.shares) == 1, (mine, theirs, way.key, each.label)
                checked += 1
    assert checked > 40


def test_a_tank_platoon_fires_more_weapons_than_it_has_vehicles() -> None:
    content, part, table = face_to_face(TOO_FAR, "sample-light-tanks", "sample-rifle-platoon")
    odds = part.odds(content, table, "mine:1", "theirs:1", "fire", {"distance": "8"})
    assert spread(odds, "Hits") == rolled(3, d6(5))  # one cannon, two machine guns


def test_what_only_the_table_knows_is_named() -> None:
    content, part, table = face_to_face(GLOOM, "sample-rifles", "sample-armoured-car")
    found = part.odds(content, table, "mine:1", "theirs:1", "shoot", {}).unreckoned
    assert ("theirs", "Wheels") in found
    assert ("mine", "Unit order: Aimed volley") in found
    content, part, table = face_to_face(GLOOM, "sample-trench-gun", "sample-rifles")
    found = part.odds(content, table, "mine:1", "theirs:1", "shoot", {}).unreckoned
    assert any("8 MU" in words for _whose, words in found)


def test_the_part_refuses_what_cannot_be() -> None:
    content, part, table = face_to_face(GLOOM, "sample-rifles", "sample-rifles")
    with pytest.raises(Refusal):
        part.odds(content, table, "mine:1", "theirs:1", "sing", {})
    with pytest.raises(Refusal):
        part.odds(content, table, "mine:1", "theirs:9", "shoot", {})
    with pytest.raises(Refusal):
        part.odds(content, table, "mine:1", "theirs:1", "shoot", {"los_0": "0"})
    with pytest.raises(KeyError):
        part.bare_force(content, "sample-nobody")
