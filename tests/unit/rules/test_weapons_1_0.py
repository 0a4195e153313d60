"""Every weapon of edition 1.0 against every kind of target, held against a second reading of the reference, worked out by brute force.

The lines below are written from the reference figures alone (Battlekit of the rulebook and of the warbands, and the units' own weapons);
nothing of `table.arms`, `table.attack` or `table.injury` is used to work out what they come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from rules.resolvers.situation import Situation
from rules.trench_crusade.content import content_of
from rules.trench_crusade.resolvers import rules as table
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.attack_situation import situation
from tests.unit.rules.test_arms import NEW, YEOMAN, fresh

TROOPER, KNIGHT = "heretic-legion.heretic-trooper", "court-of-the-seven-headed-serpent.hell-knight"


@dataclass(frozen=True)
class Line:
    """What the books print of a weapon."""

    hit: int = 0
    injury: int = 0
    flat: int = 0
    base: int = 2
    attacks: int = 1
    later: int = 0  # dice to hit of every attack after the first
    critical: int = 1  # dice of a Critical Success
    critical_from: int = 12
    rolls: bool = True
    ignores: bool = False
    critical_ignores: bool = False
    no_shield: bool = False
    pierces: int = 0
    marks: tuple[str, ...] = ()  # FIRE, GAS, SHRAPNEL
    more: int = 0
    double: bool = False
    infects: bool = False
    infects_more: bool = False
    six: bool = False  # against any armour or shield
    unrolled: bool = False
    minor_is_down: bool = False
    long: int = -1  # dice to hit at long range
    cover: int = -1
    short_injury: int = 0
    long_injury: int = 0
    against_demonic: int = 0
    more_against_fallen: int = 0
    down_injury: int = 0
    down_ignores: bool = False
    armoured: tuple[str, ...] = ()  # marks against a target in armour
    off_hand: int = -1
    elevated: int = 1


SHOTGUN = {"long": 0, "long_injury": -1}
THROWN = {"long": 0, "cover": 0}
BOMB = {**THROWN, "elevated": 0}
LINES: Mapping[str, Line] = {
    # melee
    "melee-chassis:melee": Line(hit=1, attacks=2, later=-1, off_hand=0),
    "geirr:melee": Line(),
    "improvised-melee-weapon:melee": Line(hit=1, base=3, critical=2),
    "void-blade:melee": Line(injury=2),
    "anaza-spear:melee": Line(ignores=True, down_injury=1),
    "kayanin-mace:melee": Line(flat=2, armoured=("SHRAPNEL",)),
    "khyber-knife:melee": Line(pierces=1, critical=2, more=1),
    "bident:melee": Line(against_demonic=1),  # the trooper is HERETIC, see `expected`
    "damascus-talons:melee": Line(flat=2),
    "crushing-beak:melee": Line(injury=1),
    "beelzebubs-axe:melee": Line(injury=2, infects=True),
    "plague-blade:melee": Line(infects=True),
    "butcher-bayonet:melee": Line(injury=1, critical_from=11),
    "pestilent-fang:melee": Line(flat=1, critical_ignores=True, infects_more=True),
    "arquebus:melee": Line(),
    "head-taker:melee": Line(),
    "malebranche-sword:melee": Line(base=3),
    "torture-instrument:melee": Line(base=1, double=True),
    "shovel:melee": Line(),
    "marid-shovel:melee": Line(),
    "assassins-dagger:melee": Line(flat=1, critical=2),
    "golden-khanjar:melee": Line(flat=1, attacks=2),
    "kilij:melee": Line(flat=1, critical=2),
    "titan-zulfiqar:melee": Line(flat=2, critical=2),
    "bayonet:melee": Line(),
    "blasphemous-staff:melee": Line(critical=2, marks=("FIRE",)),
    "chain-maw:melee": Line(hit=1, injury=1, ignores=True),
    "coin-hammer:melee": Line(injury=1),
    "executioners-axe:melee": Line(injury=2, attacks=2, critical=2),
    "gavel-of-justice:melee": Line(critical=2, more=1, more_against_fallen=1),
    "double-handed-blunt-weapon:melee": Line(flat=1),
    "greatsword-greataxe:melee": Line(injury=1, critical=2),
    "mamluk-greatsword:melee": Line(injury=1, critical=2),
    "halberd-gun:melee": Line(),
    "hellblade:melee": Line(injury=1, marks=("FIRE",)),
    "iron-clawed-hands:melee": Line(attacks=2, later=-1, critical=2),
    "lochaber-axe:melee": Line(injury=2, critical=2),
    "misericordia:melee": Line(down_ignores=True),
    "trench-polearm:melee": Line(),
    "sacrificial-knife:melee": Line(flat=2),
    "shotel:melee": Line(critical=2, no_shield=True),
    "shredding-claws:melee": Line(injury=1),
    "sword-axe:melee": Line(critical=2),
    "tank-splitter-sword:melee": Line(injury=1, critical=2, six=True),
    "tartarus-claws:melee": Line(attacks=2, critical=2),
    "tenderizer-maul:melee": Line(flat=1),
    "trench-club:melee": Line(),
    "knife-dagger:melee": Line(hit=-1),
    "vivisector:melee": Line(),
    "anti-tank-hammer:melee": Line(injury=1, critical=2, ignores=True),
    "scourge-battle-whip-flail:melee": Line(hit=1, off_hand=-2),
    "donkeys-jawbone:melee": Line(injury=2),
    "catherine-wheel:melee": Line(hit=1, base=3),
    "bonebreaker-mace:melee": Line(injury=1),
    "crook:melee": Line(marks=("SHRAPNEL",)),
    "dane-axe:melee": Line(injury=1, critical=2, pierces=2),
    "automatic-pistol:melee": Line(),
    "pistol-revolver:melee": Line(),
    "silenced-pistol:melee": Line(),
    "limpet-mine:melee": Line(base=3),
    # ranged
    "phosphor-bomb:ranged": Line(base=3, more=1, marks=("FIRE",), **BOMB),
    "abus-gun:ranged": Line(injury=2, pierces=1),
    "chain-kura:ranged": Line(minor_is_down=True, **THROWN),
    "corruption-belcher:ranged": Line(rolls=False, ignores=True, marks=("GAS",)),
    "infested-rifle:ranged": Line(pierces=1),
    "locust-spitter:ranged": Line(injury=-1, ignores=True),
    "parasite-grenades:ranged": Line(**THROWN),
    "putrid-shotgun:ranged": Line(hit=1, infects=True, **SHOTGUN),
    "viscera-cannon:ranged": Line(hit=2),
    "black-spot-rifle:ranged": Line(hit=1, injury=-1, infects=True),
    "vomitus:ranged": Line(flat=1, infects=True, rolls=False),
    "arquebus:ranged": Line(),
    "ophidian-rifle:ranged": Line(long=1, cover=1),
    "serpent-assault-gun:ranged": Line(attacks=2, marks=("GAS",)),
    "bow-of-lethe:ranged": Line(injury=2),
    "alaybozan:ranged": Line(marks=("SHRAPNEL",)),
    "bow-of-alamut:ranged": Line(critical=2, ignores=True),
    "flame-cannon:ranged": Line(rolls=False, ignores=True, marks=("FIRE",)),
    "murad-bombard:ranged": Line(base=3),
    "masterworks-jezzail:ranged": Line(hit=1, critical=2),
    "sultanate-grand-cannon:ranged": Line(injury=2, ignores=True),
    "halberd-gun:ranged": Line(),
    "anti-materiel-rifle:ranged": Line(injury=1, critical=2, ignores=True),
    "automatic-pistol:ranged": Line(attacks=2),
    "automatic-rifle:ranged": Line(attacks=2),
    "automatic-shotgun:ranged": Line(hit=1, **SHOTGUN),
    "bolt-action-rifle:ranged": Line(),
    "demonic-aura-grenade:ranged": Line(ignores=True, double=True, cover=0),
    "flamethrower:ranged": Line(injury=-1, rolls=False, ignores=True, marks=("FIRE",)),
    "grenades:ranged": Line(marks=("SHRAPNEL",), **THROWN),
    "infernal-gas-bomb:ranged": Line(injury=-1, ignores=True, marks=("GAS",), **BOMB),
    "gas-grenade-launcher:ranged": Line(injury=-1, ignores=True, marks=("GAS",), cover=0),
    "gas-grenades:ranged": Line(injury=-1, ignores=True, marks=("GAS",), **THROWN),
    "grenade-launcher:ranged": Line(marks=("SHRAPNEL",), cover=0),
    "heavy-flamethrower:ranged": Line(injury=-1, attacks=2, rolls=False, ignores=True, marks=("FIRE",)),
    "heavy-shotgun:ranged": Line(hit=1, injury=1, short_injury=1, **SHOTGUN),
    "incendiary-grenades:ranged": Line(critical_ignores=True, marks=("FIRE",), **THROWN),
    "infernal-bomb:ranged": Line(base=3, marks=("SHRAPNEL",), **BOMB),
    "jezzail:ranged": Line(),
    "machine-gun:ranged": Line(attacks=3),
    "musket:ranged": Line(injury=-1),
    "pistol-revolver:ranged": Line(),
    "rocket-propelled-grenade:ranged": Line(injury=1, ignores=True),
    "satchel-charge:ranged": Line(injury=1, ignores=True, cover=0),
    "semi-automatic-rifle:ranged": Line(),
    "shotgun:ranged": Line(hit=1, **SHOTGUN),
    "siege-jezzail:ranged": Line(injury=1),
    "silenced-pistol:ranged": Line(),
    "sniper-rifle:ranged": Line(hit=1, critical=2, critical_ignores=True),
    "submachine-gun:ranged": Line(),
    "tormentor-chain:ranged": Line(unrolled=True, more=1, marks=("SHRAPNEL",), **THROWN),
    "blunderbuss:ranged": Line(marks=("SHRAPNEL",)),
    "war-cross:ranged": Line(long=0),
    "molotov-cocktail:ranged": Line(injury=-1, critical_ignores=True, marks=("FIRE",), **THROWN),
    "holy-grenade:ranged": Line(marks=("SHRAPNEL",), against_demonic=1, **THROWN),
    "punt-gun:ranged": Line(hit=1, injury=1, marks=("SHRAPNEL",), **SHOTGUN),
    "trench-mortar:ranged": Line(injury=1, marks=("FIRE",), cover=0),
    "autocannon:ranged": Line(injury=1, attacks=3),
    "gas-censer:ranged": Line(rolls=False, ignores=True, marks=("GAS",)),
    "fumigator:ranged": Line(injury=-1, rolls=False, ignores=True, marks=("GAS",)),
    "heavy-fumigator:ranged": Line(attacks=2, rolls=False, ignores=True, marks=("GAS",)),
    "relic-alaybozan:ranged": Line(hit=1, marks=("SHRAPNEL",), **SHOTGUN),
    "limpet-mine:ranged": Line(base=3),
    "greek-fire:ranged": Line(base=3, marks=("FIRE",)),
}  # fmt: skip
FALLEN = {"bident:melee", "gavel-of-justice:melee"}  # these count HERETIC among whom they hate


@dataclass(frozen=True)
class Foe:
    """A target: what its armour and its shield take off, and what of it nothing ignores."""

    who: str = TROOPER
    wears: tuple[str, ...] = ()
    armour: int = 0
    shield: int = 0
    never: int = 0
    down: bool = False
    demonic: bool = False
    blocks: bool = False


PLAIN = Foe()
SHIELDED = Foe(wears=("standard-armour", "trench-shield"), armour=-1, shield=-1)
FOES = {
    "plain": PLAIN, "shielded": SHIELDED, "down": replace(SHIELDED, down=True), "knight": Foe(KNIGHT, never=-2, demonic=True),
    "polearm": Foe(wears=("trench-polearm",), blocks=True),
}  # fmt: skip
TOLD = {
    "ranged": ({}, {"long_range": 1}, {"cover": 1}, {"long_range": 1, "cover": 1}, {"elevated": 1}, {"down": 1}),
    "melee": ({}, {"off_hand": 1}, {"charged": 1}, {"defended_obstacle": 1}, {"down": 1}),
}


@cache
def totals(count: int, net: int, sixes: int = 0) -> Mapping[int, Fraction]:
    """The totals of so many dice that count, by trying all that can fall."""
    rolled = count + abs(net) - sixes
    found: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=rolled):
        kept = sorted((*faces, *[6] * sixes), reverse=net >= 0)[:count]
        found[sum(kept)] = found.get(sum(kept), Fraction(0)) + Fraction(1, 6**rolled)
    return found


Result = dict[tuple[str, int, int], Fraction]  # outcome, blood, infection


def injured(key: str, line: Line, foe: Foe, told: Mapping[str, int], *, critical: bool, melee: bool) -> Result:
    """What a hit does, by the books' own words."""
    marks = len([m for m in line.marks if not (foe.demonic and m == "FIRE")])
    if foe.armour or foe.never:
        marks += len(line.armoured)
    more = line.more + line.more_against_fallen
    if line.unrolled:
        return {("no-effect", marks + more, 0): Fraction(1)}
    hated = foe.demonic or key in FALLEN
    net = line.injury + (line.against_demonic if hated else 0) + (line.critical if critical else 0)
    net += 1 if foe.down and melee else 0
    net += line.down_injury if foe.down else 0
    if not melee:
        net += line.long_injury if told.get("long_range") else line.short_injury
    ignores = line.ignores or (critical and line.critical_ignores) or (foe.down and line.down_ignores)
    armour = foe.never
    if not ignores:
        armour += foe.armour + (0 if line.no_shield else foe.shield)
        armour = min(0, armour + line.pierces)
    flat = line.flat + max(-3, armour)
    six = int(line.six and bool(foe.armour or foe.shield or foe.never))
    found: Result = {}
    for total, chance in totals(line.base, net, six).items():
        total += flat
        outcome = (
            "out-of-action" if total >= 9 else "down" if total >= 7 else "minor-hit" if total >= 2 else "no-effect"
        )
        if line.minor_is_down and outcome == "minor-hit":
            outcome = "down"
        placed = 0
        if outcome != "out-of-action":
            placed = {"no-effect": 0, "minor-hit": 1, "down": 2 if foe.down else 1}[outcome]
            placed = placed * (2 if line.double else 1) + more + marks
        infection = (placed if line.infects else 0) + (1 if line.infects_more and placed else 0)
        result = (outcome, 0 if line.infects else placed, infection)
        found[result] = found.get(result, Fraction(0)) + chance
    return found


def expected(key: str, line: Line, foe: Foe, told: Mapping[str, int]) -> Result:
    """The first attack of a weapon in the hands of who has no dice of its own."""
    melee = key.endswith(":melee")
    net = line.hit - (1 if told.get("down") else 0)
    if melee:
        net += line.off_hand if told.get("off_hand") else 0
        net -= 1 if told.get("charged") and foe.blocks else 0
        net -= 1 if told.get("defended_obstacle") else 0
    else:
        net += line.elevated if told.get("elevated") else 0
        net += (line.long if told.get("long_range") else 0) + (line.cover if told.get("cover") else 0)
    found: Result = {}
    hits = {False: Fraction(1), True: Fraction(0)}
    if line.rolls:
        hits = {False: Fraction(0), True: Fraction(0)}
        for total, chance in totals(2, net).items():
            if total >= 7:
                hits[total >= line.critical_from] += chance
    missed = 1 - sum(hits.values())
    if missed:
        found["failure", 0, 0] = missed
    for critical, chance in hits.items():
        if chance:
            for result, share in injured(key, line, foe, told, critical=critical, melee=melee).items():
                found[result] = found.get(result, Fraction(0)) + chance * share
    return found


def attack(key: str, foe: Foe, told: Mapping[str, int]) -> Situation:
    """The attack of a Yeoman, who has no dice of his own, as the product has it."""
    mine, other = fresh(NEW, YEOMAN, key.partition(":")[0]), fresh(NEW, foe.who, *foe.wears)
    return situation(content_of(NEW), (mine, "1"), key, (other, "1"), {**told, "target_down": int(foe.down)})


def first(found: Situation) -> dict[str, Any]:
    one = dict(found.given["attacks"][0] if "attacks" in found.given else found.given)
    assert one["ranged"] == one["melee"] == 0
    return one


def summed(result: Mapping[tuple[str, int, int], Fraction], place: int) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for key, chance in result.items():
        found[key[place]] = found.get(key[place], Fraction(0)) + chance
    return found


def test_every_weapon_of_the_edition_is_here() -> None:
    there = {
        arm.key
        for item in content_of(NEW).pack.items
        if item.weapon
        for arm in arms(content_of(NEW), fresh(NEW, YEOMAN, item.id), "1")
        if arm.key.startswith(f"{item.id}:")
    }
    assert there == set(LINES)


@pytest.mark.parametrize("key", LINES)
def test_a_weapon_does_what_the_books_say(key: str) -> None:
    line, kind = LINES[key], key.partition(":")[2]
    for name, foe in FOES.items():
        for told in TOLD[kind]:
            odds = table.odds(content_of(NEW), "attack", first(attack(key, foe, told)))
            wanted = expected(key, line, foe, told)
            outcomes = {outcome: chance for outcome, chance in odds.outcomes.items() if chance}
            assert outcomes == summed(wanted, 0), (name, told)
            assert odds.blood == summed(wanted, 1), (name, told)
            assert odds.infection == summed(wanted, 2), (name, told)


@pytest.mark.parametrize("key", LINES)
def test_a_weapon_attacks_as_often_as_the_books_say(key: str) -> None:
    line, found = LINES[key], attack(key, PLAIN, {})
    attacks = found.given.get("attacks", (found.given,))
    assert len(attacks) == line.attacks
    dice = [sum(each["dice"] for each in one["modifiers"]) - int(one.get("off_hand", False)) for one in attacks]
    assert dice == [line.hit, *[line.hit + line.later] * (line.attacks - 1)]


# --- switches of the table


@pytest.mark.parametrize(("key", "words", "changed"), [
    ("autocannon:ranged", "Full auto", {"attacks": 5}),
    ("bow-of-lethe:ranged", "IGNORE ARMOUR in place of +2 INJURY DICE", {"injury": 0, "ignores": True}),
    ("void-blade:melee", "IGNORE ARMOUR in place of +2 INJURY DICE", {"injury": 0, "ignores": True}),
    ("melee-chassis:melee", "With the Misericordia", {"attacks": 1, "hit": 0, "down_ignores": True}),
    ("silenced-pistol:ranged", "In contact with terrain that lies towards the target", {"hit": 1}),
    ("head-taker:melee", "The target has yet to act this turn", {"flat": 2}),
    ("infernal-bomb:ranged", "In Cover from where it lands", {"injury": -1}),
    ("phosphor-bomb:ranged", "In Cover from where it lands", {"injury": -1}),
    ("infernal-bomb:ranged", "In the blast, not hit directly", {"base": 2}),
    ("phosphor-bomb:ranged", "In the blast, not hit directly", {"base": 2, "more": 0}),
    ("limpet-mine:ranged", "In the blast, not hit directly", {"base": 2}),
    ("greek-fire:ranged", "In the blast, not hit directly", {"base": 2, "injury": 1}),
    ("punt-gun:ranged", "Overcharged", {}),
])  # fmt: skip
def test_a_switch_of_the_table_changes_the_weapon(key: str, words: str, changed: Mapping[str, Any]) -> None:
    toggles = {toggle.words: toggle.key for toggle in attack(key, PLAIN, {}).toggles}
    line, told = replace(LINES[key], **changed), {toggles[words]: 1}
    if words.startswith("In the blast"):  # a Critical Success counts for who is aimed at
        line = replace(line, critical_from=99)
    for foe in FOES.values():
        found = attack(key, foe, told)
        wanted = expected(key, line, foe, {})
        odds = table.odds(content_of(NEW), "attack", first(found))
        assert {outcome: chance for outcome, chance in odds.outcomes.items() if chance} == summed(wanted, 0)
        assert odds.blood == summed(wanted, 1)
        assert len(found.given.get("attacks", (0,))) == line.attacks


def test_keywords_of_a_mode_come_with_its_switch() -> None:
    for key, words, keywords in (
        ("autocannon:ranged", "Full auto", {"RELOAD", "RISKY"}),
        ("punt-gun:ranged", "Overcharged", {"RELOAD", "BLAST"}),
    ):
        plain = attack(key, PLAIN, {})
        switch = next(toggle.key for toggle in plain.toggles if toggle.words == words)
        assert not keywords & set(first(plain)["keywords"])
        assert keywords <= set(first(attack(key, PLAIN, {switch: 1}))["keywords"])


def test_others_in_the_blast_of_a_murad_bombard_go_down_unrolled() -> None:
    odds = table.odds(content_of(NEW), "injury", {"keywords": first(attack("murad-bombard:ranged", SHIELDED, {"around": 1}))["keywords"]})  # fmt: skip
    assert {outcome for outcome, chance in odds.outcomes.items() if chance} == {"down"}


def test_a_vivisector_is_critical_the_sooner_the_more_its_target_bleeds() -> None:
    for blood, critical in ((0, 12), (1, 11), (4, 8), (6, 6)):
        line = replace(LINES["vivisector:melee"], critical_from=critical)
        odds = table.odds(content_of(NEW), "attack", first(attack("vivisector:melee", PLAIN, {"target_blood": blood})))
        wanted = summed(expected("vivisector:melee", line, PLAIN, {}), 0)
        assert {outcome: chance for outcome, chance in odds.outcomes.items() if chance} == wanted


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("butcher-bayonet:melee", "A Critical Success from 11 on"),
        ("sniper-rifle:ranged", "On a Critical Success: IGNORE ARMOUR"),
        ("infernal-bomb:ranged", "The injury is rolled with 3D6"),
        ("torture-instrument:melee", "Twice the BLOOD MARKERS of the result"),
        ("flame-cannon:ranged", "It hits by itself"),
    ],
)
def test_what_a_weapon_does_is_told(key: str, words: str) -> None:
    assert words in attack(key, PLAIN, {}).causes


def test_a_shotgun_tells_why_it_injures_less_at_long_range() -> None:
    assert "−1 INJURY DICE to injure: Long range, SHOTGUN" in attack("shotgun:ranged", PLAIN, {"long_range": 1}).causes


# --- what stays with the table is named

LEFT = {
    "locust-spitter", "parasite-grenades", "black-spot-rifle", "vomitus", "bow-of-alamut", "masterworks-jezzail", "sultanate-grand-cannon",
    "assassins-dagger", "tartarus-claws", "tenderizer-maul", "vivisector", "demonic-aura-grenade", "infernal-gas-bomb", "infernal-bomb",
    "phosphor-bomb", "rocket-propelled-grenade", "tormentor-chain",
}  # fmt: skip


@pytest.mark.parametrize("key", LINES)
def test_what_is_not_calculated_of_a_weapon_is_named(key: str) -> None:
    item = content_of(NEW).items[key.partition(":")[0]]
    found = attack(key, PLAIN, {})
    bare = attack("trench-club:melee", PLAIN, {}).unreckoned
    named = [words for whose, words in found.unreckoned if whose == "mine" and (whose, words) not in bare]
    assert bool(named) is (item.id in LEFT), named


def test_friends_of_a_butcher_bayonet_are_critical_sooner_where_they_stand_near() -> None:
    """Its bearer with every melee weapon of his, a friend once the table says so, and no shot."""
    bearer, friend = fresh(NEW, YEOMAN, "butcher-bayonet", "trench-club", "bolt-action-rifle"), fresh(NEW, YEOMAN, "trench-club")  # fmt: skip
    both = replace(bearer, fighters=(*bearer.fighters, replace(friend.fighters[0], key="2")))
    foe = fresh(NEW, TROOPER)

    def critical(who: str, key: str, told: Mapping[str, int]) -> int:
        found = situation(content_of(NEW), (both, who), key, (foe, "1"), told)
        return int(found.given.get("critical_from", 12))

    near = {toggle.words: toggle.key for toggle in situation(content_of(NEW), (both, "2"), "trench-club:melee", (foe, "1"), {}).toggles}  # fmt: skip
    assert critical("1", "trench-club:melee", {}) == critical("1", "butcher-bayonet:melee", {}) == 11
    assert critical("1", "bolt-action-rifle:ranged", {}) == 12
    assert critical("2", "trench-club:melee", {}) == 12
    assert critical("2", "trench-club:melee", {near["Butcher Bayonet: within 3″ of it"]: 1}) == 11


def test_the_jezzail_of_a_mamluk_faris_has_its_ammunition() -> None:
    """The unit's own weapon is printed as +1 DICE and ASSAULT."""
    mine, foe = fresh(NEW, "new-antioch.mamluk-faris"), fresh(NEW, TROOPER)
    given = situation(content_of(NEW), (mine, "1"), "jezzail:ranged", (foe, "1"), {}).given
    assert sum(one["dice"] for one in given["modifiers"]) == 1
    assert "ASSAULT" in given["keywords"]


def test_a_limpet_mine_is_fixed_to_a_foe_by_the_ranged_characteristic() -> None:
    """An Artillery Witch has none of it, and a die less in melee."""
    witch, foe = fresh(NEW, "heretic-legion.artillery-witch", "limpet-mine", "trench-club"), fresh(NEW, TROOPER)
    causes = {
        key: situation(content_of(NEW), (witch, "1"), f"{key}:melee", (foe, "1"), {}).causes
        for key in ("limpet-mine", "trench-club")
    }
    assert "−1 DICE to hit: Melee Characteristic" in causes["trench-club"]
    assert not [words for words in causes["limpet-mine"] if "Characteristic" in words]
