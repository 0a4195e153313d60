"""What fighters bring to an attack beside their weapons: attacks without one, and what texts change, on either side.

The chances are held against a second reading of the reference, worked out by brute force over every fall of the dice; nothing of
`table.arms`, `table.brings`, `table.attack` or `table.injury` is used to work out what they come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from rules import vocabulary as v
from rules.content.compiled import Content, compile_content
from rules.content.house import HouseRules
from rules.dice import TypedDice
from rules.force import Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, ForceUpgrade
from rules.legality.fighter import fighter_findings
from rules.legality.roster_state import examine
from rules.resolvers.situation import Situation
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers import brings
from rules.trench_crusade.resolvers.arms import arms, bare, profiles_by_list
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.defences import defence
from rules.trench_crusade.resolvers.rules import odds, resolve

OLD, NEW = "1.6.3", "1.0"


@dataclass(frozen=True)
class Who:
    """A fighter: its profile ("list.profile") and what it has on top."""

    profile: str
    kit: tuple[str, ...] = ()
    upgrades: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    traumas: tuple[str, ...] = ()


def force_of(edition: str, *people: Who) -> Force:
    """A force of these fighters, the first of whose list it is."""
    content = content_of(edition)
    rows: list[ForceFighter] = []
    forces = []
    for place, who in enumerate(people):
        list_id, _, profile = who.profile.partition(".")
        force = bare(content, profile, list_id)
        forces.append(force)
        rows.append(
            replace(
                force.fighters[0],
                key=str(place + 1),
                kit=tuple(ForceItem(key=f"k{n}", item=item) for n, item in enumerate(who.kit)),
                upgrades=tuple(ForceUpgrade(f"u{n}", each) for n, each in enumerate(who.upgrades)),
                skills=tuple(ForceSkill(f"s{n}", each) for n, each in enumerate(who.skills)),
                traumas=tuple(ForceTrauma(f"t{n}", each) for n, each in enumerate(who.traumas)),
            )
        )
    return replace(forces[0], fighters=tuple(rows))


def strike(
    edition: str, mine: Who | tuple[Who, ...], arm: str, theirs: Who | tuple[Who, ...], **told: Any
) -> Situation:
    """An attack of the first of either side; switches of texts are thrown by words that stand in them ("on" as a mapping)."""
    mates = mine if isinstance(mine, tuple) else (mine,)
    others = theirs if isinstance(theirs, tuple) else (theirs,)
    content = content_of(edition)
    sides = (force_of(edition, *mates), "1"), (force_of(edition, *others), "1")
    thrown = told.pop("on", {})
    found = situation(content, sides[0], arm, sides[1], told)
    if thrown:
        for words, value in thrown.items():
            key = next((toggle.key for toggle in found.toggles if words in toggle.words), None)
            assert key is not None, (words, [toggle.words for toggle in found.toggles])
            told[key] = value
        found = situation(content, sides[0], arm, sides[1], told)
    return found


# --- the second reading ----------------------------------------------------------------------------------------------------


@cache
def pool(base: int, net: int) -> Mapping[int, Fraction]:
    """Totals of the dice that count, each with its chance."""
    found: dict[int, int] = {}
    count = base + abs(net)
    for faces in product(range(1, 7), repeat=count):
        total = sum(sorted(faces, reverse=net >= 0)[:base])
        found[total] = found.get(total, 0) + 1
    return {total: Fraction(number, 6**count) for total, number in found.items()}


@dataclass(frozen=True)
class Sum:
    """What the books come to for one attack: dice to hit and to injure, what is added, and what saves the target."""

    hit: int = 0
    injury: int = 0
    flat: int = 0
    hit_flat: int = 0
    hit_base: int = 2
    critical: int = 1
    critical_from: int = 12
    rolls: bool = True
    armour: int = 0  # taken off by what may be ignored; a critical hit may ignore it
    critical_ignores: bool = False
    six: bool = False
    tough: bool = False
    down_is: str = "down"
    minor_is: str = "minor-hit"
    out_is: str = "out-of-action"
    tough_is: str = "down"


def chances(one: Sum) -> dict[str, Fraction]:
    """The outcomes of one attack with their chances."""
    found: dict[str, Fraction] = {}

    def add(outcome: str, chance: Fraction) -> None:
        found[outcome] = found.get(outcome, Fraction(0)) + chance

    ways: list[tuple[bool, Fraction]] = [(False, Fraction(1))]
    if one.rolls:
        ways = []
        for total, chance in pool(one.hit_base, one.hit).items():
            if total + one.hit_flat < 7:
                add("failure", chance)
            else:
                ways.append((total + one.hit_flat >= one.critical_from, chance))
    for keen, chance in ways:
        net = one.injury + (one.critical if keen else 0)
        armour = 0 if keen and one.critical_ignores else one.armour
        for total, share in (six(net) if one.six else pool(2, net)).items():
            result = total + one.flat + armour
            row = (
                one.out_is if result >= 9 and not one.tough else one.tough_is if result >= 9
                else one.down_is if result >= 7 else one.minor_is if result >= 2 else "no-effect"
            )  # fmt: skip
            add(row, chance * share)
    return {outcome: chance for outcome, chance in found.items() if chance}


def six(net: int) -> Mapping[int, Fraction]:
    """Totals of an injury of which one die is set to 6."""
    found: dict[int, int] = {}
    count = 1 + abs(net)
    for faces in product(range(1, 7), repeat=count):
        total = sum(sorted((6, *faces), reverse=net >= 0)[:2])
        found[total] = found.get(total, 0) + 1
    return {total: Fraction(number, 6**count) for total, number in found.items()}


@dataclass(frozen=True)
class Case:
    """Somebody attacks somebody; what the texts come to by the books."""

    edition: str
    mine: Who | tuple[Who, ...]
    arm: str
    theirs: Who | tuple[Who, ...]
    expected: Sum
    told: Mapping[str, Any] = field(default_factory=dict)


YEOMAN = "new-antioch.yeoman"
TROOPER = Who("heretic-legion.heretic-trooper")
PLAIN = Who(YEOMAN)
RIFLE, CLUB, SWORD = "bolt-action-rifle", "trench-club", "sword-axe"
SHOT, BLOW = f"{RIFLE}:ranged", f"{CLUB}:melee"
SHOOTER, FIGHTER = Who(YEOMAN, (RIFLE,)), Who(YEOMAN, (CLUB,))
JEZZAIL = "jezzail"


def skilled(*skills: str, kit: tuple[str, ...] = (RIFLE, CLUB)) -> Who:
    return Who(YEOMAN, kit, skills=skills)


def wearing(*kit: str) -> Who:
    return Who("heretic-legion.heretic-trooper", kit)


BOTH = [
    Case(edition, *rest)
    for edition in EDITIONS
    for rest in (
        # what the target's texts take off the hit
        (SHOOTER, SHOT, Who("heretic-legion.death-commando"), Sum(hit=-1)),
        (FIGHTER, BLOW, Who("heretic-legion.death-commando"), Sum()),
        (SHOOTER, SHOT, Who("new-antioch.observer"), Sum(hit=-1, armour=-1)),
        (FIGHTER, BLOW, Who("new-antioch.observer"), Sum(hit=-1, armour=-1)),
        (SHOOTER, SHOT, wearing("cloak-of-alamut"), Sum()),
        (SHOOTER, SHOT, wearing("cloak-of-alamut"), Sum(hit=-2), {"cover": 1}),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("dodge",)), Sum(hit=-1)),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("shadow-walker",)), Sum()),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("shadow-walker",)), Sum(hit=-2), {"long_range": 1}),
        # what its texts do to the injury
        (SHOOTER, SHOT, Who(TROOPER.profile, traumas=("chest-wound",)), Sum(injury=1)),
        (SHOOTER, SHOT, wearing("martyrdom-pills"), Sum(injury=-1), {"on": {"Martyrdom Pills": 1}}),
        (SHOOTER, SHOT, wearing("martyrdom-pills"), Sum()),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("stand-firm",)), Sum(down_is="minor-hit")),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("stand-firm",)), Sum(), {"on": {"used up": 1}}),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("hard-as-nails",)), Sum(down_is="no-effect")),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("sixth-sense",)), Sum(down_is="minor-hit")),
        (SHOOTER, SHOT, Who(TROOPER.profile, skills=("sixth-sense",)), Sum(), {"target_blood": 2}),
        (SHOOTER, SHOT, Who("new-antioch.lieutenant", ("machine-armour",)), Sum(armour=-3, down_is="minor-hit", tough=True)),
        (Who(YEOMAN, ("gas-grenades",)), "gas-grenades:ranged", wearing("alchemist-armour"), Sum(injury=-2)),
        (Who(YEOMAN, ("gas-grenades",)), "gas-grenades:ranged", Who("heretic-legion.artillery-witch"), Sum(injury=-2)),
        (Who(YEOMAN, ("grenades",)), "grenades:ranged", Who("new-antioch.combat-engineer"), Sum(injury=-1, armour=-2)),
        # what the attacker's own texts bring
        (skilled("close-quarter-combat"), BLOW, TROOPER, Sum()),
        (skilled("close-quarter-combat"), BLOW, TROOPER, Sum(hit=1, injury=1), {"on": {"I touch terrain": 1}}),
        (skilled("relentless-charge"), BLOW, TROOPER, Sum(hit=1), {"charged": 1}),
        (skilled("relentless-charge"), BLOW, TROOPER, Sum()),
        (skilled("assassinate"), SHOT, TROOPER, Sum(hit=1), {"target_to_act": 1}),
        (skilled("assassinate"), SHOT, TROOPER, Sum()),
        (skilled("snipers-nest"), SHOT, TROOPER, Sum(hit=2), {"elevated": 1}),
        (skilled("hunter"), SHOT, TROOPER, Sum(), {"cover": 1}),
        (skilled("sharp-eyes"), SHOT, TROOPER, Sum(), {"long_range": 1}),
        (skilled("head-shot"), SHOT, wearing("reinforced-armour"), Sum(armour=-2, critical_ignores=True)),
        (skilled("surgical-strike"), BLOW, wearing("reinforced-armour"), Sum(armour=0), {"on": {"Surgical Strike": 1}}),
        (skilled("surgical-strike"), BLOW, wearing("reinforced-armour"), Sum(armour=-2)),
        (skilled("gures"), BLOW, TROOPER, Sum(hit=1, injury=2), {"target_down": 1, "down": 1}),
        (skilled("janissary-training"), BLOW, TROOPER, Sum(hit=1), {"charged": 1, "off_hand": 1}),
        (Who("iron-sultanate.janissary", (CLUB,)), BLOW, TROOPER, Sum(hit=2), {"charged": 1}),
        (Who("iron-sultanate.janissary", (CLUB,)), BLOW, TROOPER, Sum(hit=1)),
        (Who("iron-sultanate.yuzbasi-captain", (CLUB,)), BLOW, Who("new-antioch.lieutenant"), Sum(hit=2, injury=1, tough=True)),
        (Who("iron-sultanate.azeb", (JEZZAIL, "alchemical-ammunition")), f"{JEZZAIL}:ranged", TROOPER, Sum(hit=1)),
        (Who("new-antioch.combat-medic", ("misericordia",)), "misericordia:melee", TROOPER, Sum(injury=2), {"target_down": 1}),
        (Who("new-antioch.sniper-priest", (RIFLE,)), SHOT, TROOPER, Sum(hit=4), {"on": {"Aim": 1}}),
        (Who("court-of-the-seven-headed-serpent.hell-knight", (CLUB,)), BLOW, PLAIN, Sum(hit=2, injury=1), {"on": {"Blood Magic": 1}}),
        (Who(YEOMAN, (CLUB,), traumas=("hand-wound",)), BLOW, TROOPER, Sum(hit=-1), {"on": {"injured hand": 1}}),
        (Who("iron-sultanate.jabirean-alchemist", (CLUB,)), BLOW, wearing("alchemist-armour"), Sum(hit=1, injury=-1, armour=-2), {"on": {"it chose FIRE": 1}}),
        # what others of either side bring
        ((SHOOTER, Who("new-antioch.mendelist-ammo-monk")), SHOT, TROOPER, Sum(hit=1), {"on": {"sacrament of +1 DICE": 1}}),
        ((SHOOTER, Who("new-antioch.mendelist-ammo-monk")), SHOT, TROOPER, Sum(flat=1), {"on": {"sacrament of +1 to injuries": 1}}),
        (SHOOTER, SHOT, (TROOPER, Who("heretic-legion.heretic-chorister")), Sum(hit=-1), {"on": {"Unholy Hymns": 1}}),
        (SHOOTER, SHOT, (TROOPER, Who("heretic-legion.heretic-chorister")), Sum()),
        (SHOOTER, SHOT, Who("heretic-legion.heretic-chorister"), Sum(hit=-1), {"on": {"Unholy Hymns": 1}}),
        ((SHOOTER, Who("trench-ghosts.barbed-wire-banshee")), SHOT, TROOPER, Sum(injury=1), {"on": {"Death Wail": 1}}),
        (SHOOTER, SHOT, (Who("cult-of-the-black-grail.grail-thrall"), Who("cult-of-the-black-grail.corpse-guard", ("urn-of-bitter-ashes",))),
            Sum(hit=-1, injury=-1), {"on": {"Urn of Bitter Ashes": 1}}),
        (SHOOTER, SHOT, Who("cult-of-the-black-grail.corpse-guard", ("urn-of-bitter-ashes",)), Sum(hit=-1, injury=-1)),
    )
]  # fmt: skip
APART = [
    Case(OLD, skilled("sharp-eyes"), SHOT, Who(TROOPER.profile, skills=("shadow-walker",)), Sum(hit=-1), {"long_range": 1}),
    Case(NEW, skilled("sharp-eyes"), SHOT, Who(TROOPER.profile, skills=("shadow-walker",)), Sum(), {"long_range": 1}),
    Case(NEW, Who(YEOMAN, ("gas-grenades",)), "gas-grenades:ranged", wearing("cloak-of-alamut"), Sum(injury=-1), {"cover": 1}),
    Case(OLD, Who("new-antioch.sniper-priest", ("sniper-rifle", "sniper-scope")), "sniper-rifle:ranged", TROOPER,
         Sum(hit=3, critical=2, critical_ignores=True), {"long_range": 1}),
    Case(OLD, Who(YEOMAN, ("molotov-cocktail",)), "molotov-cocktail:ranged", Who("heretic-legion.anointed-heavy-infantry"),
         Sum(injury=-2, armour=-2, critical_ignores=True)),
    Case(NEW, Who(YEOMAN, ("molotov-cocktail",)), "molotov-cocktail:ranged", Who("heretic-legion.anointed-heavy-infantry"), Sum(injury=-1, armour=-2, critical_ignores=True)),
    Case(OLD, Who("house-of-wisdom.jabirean-alchemist", ("gas-grenades",)), "gas-grenades:ranged", wearing("gas-mask"), Sum(hit=2, injury=-2)),
    Case(NEW, Who("house-of-wisdom.jabirean-alchemist", ("gas-grenades",)), "gas-grenades:ranged", wearing("gas-mask"), Sum(hit=2, injury=-1)),
    Case(OLD, skilled("champion"), BLOW, TROOPER, Sum()),
    Case(OLD, skilled("sadistic"), BLOW, TROOPER, Sum(injury=1)),
    Case(OLD, skilled("sadistic"), SHOT, TROOPER, Sum(hit=1, injury=2), {"target_down": 1}),
    Case(NEW, skilled("sadistic"), SHOT, TROOPER, Sum(), {"target_down": 1}),
    Case(NEW, skilled("sadistic"), BLOW, TROOPER, Sum(hit=1, injury=2), {"target_down": 1}),
    Case(OLD, skilled("dragonslayer"), BLOW, TROOPER, Sum(injury=1, six=True), {"target_down": 1}),
    Case(OLD, skilled("david-and-goliath"), BLOW, Who("heretic-legion.anointed-heavy-infantry"), Sum(armour=-2)),
    Case(OLD, skilled("david-and-goliath"), BLOW, Who("trench-pilgrims.anchorite-shrine"), Sum(hit=-1, hit_base=3, armour=-3, tough=True)),
    Case(NEW, skilled("david-and-goliath"), BLOW, Who("trench-pilgrims.anchorite-shrine"), Sum(armour=-3, tough=True)),
    Case(OLD, Who(YEOMAN, (CLUB, "lock-of-samsons-hair")), BLOW, TROOPER, Sum(flat=1)),
    Case(NEW, Who(YEOMAN, (CLUB, "lock-of-samsons-hair")), BLOW, TROOPER, Sum(injury=1)),
    Case(OLD, skilled("hard-as-nails"), BLOW, Who("new-antioch.lieutenant", skills=("hard-as-nails",)),
         Sum(down_is="no-effect", tough=True, tough_is="no-effect")),
    Case(NEW, skilled("hard-as-nails"), BLOW, Who("new-antioch.lieutenant", skills=("hard-as-nails",)), Sum(down_is="no-effect", tough=True)),
    Case(OLD, SHOOTER, SHOT, Who("heretic-legion.heretic-priest", ("machine-armour",)), Sum(armour=-3, tough=True)),
    Case(NEW, SHOOTER, SHOT, Who("heretic-legion.heretic-priest", ("machine-armour",)), Sum(armour=-3, tough=True, down_is="minor-hit")),
    Case(OLD, Who("expeditionary-forces-of-abyssinia.yeoman", (RIFLE,)), SHOT, TROOPER, Sum(hit=1)),
    Case(OLD, Who("expeditionary-forces-of-abyssinia.yeoman", (RIFLE,)), SHOT, TROOPER, Sum(hit=-1), {"long_range": 1}),
    Case(OLD, Who("kingdom-of-alba-assault-detachment.yeoman", (CLUB,)), BLOW, TROOPER, Sum(), {"defended_obstacle": 1}),
    Case(OLD, Who("defenders-of-the-iron-wall.azeb", (JEZZAIL,)), f"{JEZZAIL}:ranged", TROOPER, Sum(hit=2), {"elevated": 1}),
    Case(NEW, Who("nomads-of-al-badia.azeb", (JEZZAIL,)), f"{JEZZAIL}:ranged", TROOPER, Sum(hit_flat=1, flat=1)),
    Case(NEW, Who("nomads-of-al-badia.azeb", (JEZZAIL,)), f"{JEZZAIL}:ranged", TROOPER, Sum(hit=-1), {"long_range": 1}),
    Case(OLD, SHOOTER, SHOT, Who("new-antioch.combat-engineer"), Sum(hit=-1, armour=-2), {"on": {"Fortify": 1}}),
    Case(NEW, SHOOTER, SHOT, Who("iron-sultanate.sultanate-sapper"), Sum(hit=-1), {"on": {"Shovel": 1}}),
    Case(OLD, SHOOTER, SHOT, Who("iron-sultanate.brazen-bull", ("iron-wall-kalkan",)), Sum(hit=-1, injury=-1, tough=True)),
    Case(OLD, Who("red-brigade.crimson-communicant", (CLUB,)), BLOW, TROOPER, Sum(hit=4), {"own_blood": 3}),
    Case(OLD, Who("cult-of-the-black-grail.herald-of-beelzebub", ("grail-devotee",)), "unarmed:melee", PLAIN, Sum(flat=1)),
    Case(OLD, SHOOTER, SHOT, Who("court-of-the-seven-headed-serpent.sorcerer"), Sum(flat=-2), {"on": {"Serpent Moon": 2}}),
    # fighters without weapons
    Case(OLD, Who("cult-of-the-black-grail.grail-thrall"), "unarmed:melee", PLAIN, Sum(hit=-1)),
    Case(OLD, Who("cult-of-the-black-grail.grail-thrall"), "unarmed:melee", PLAIN, Sum(hit=2), {"on": {"Overwhelming Horde": 3}}),
    Case(OLD, Who("cult-of-the-black-grail.hound-of-the-black-grail"), "unarmed:melee", PLAIN, Sum(hit=1)),
    Case(OLD, Who("iron-sultanate.lion-of-jabir"), "unarmed:melee", PLAIN, Sum(hit=1)),
    Case(OLD, Who("house-of-wisdom.takwin-homunculus"), "unarmed:melee", PLAIN, Sum()),
    Case(OLD, Who("court-of-the-seven-headed-serpent.pit-locust"), "unarmed:melee", PLAIN, Sum(hit=2)),
    Case(OLD, Who("trench-pilgrims.ecclesiastic-prisoner"), "unarmed:melee", PLAIN, Sum(hit=-1, injury=-1)),
    Case(OLD, PLAIN, "unarmed:melee", TROOPER, Sum(hit=-1, injury=-1)),
    Case(NEW, Who("iron-sultanate.lion-of-jabir"), "natural-teeth-and-claws:melee", PLAIN, Sum(hit=1)),
    Case(NEW, Who("cult-of-the-black-grail.grail-thrall"), "natural-overwhelming-horde:melee", PLAIN, Sum(hit=-1)),
    Case(NEW, Who("cult-of-the-black-grail.hound-of-the-black-grail"), "natural-hound-teeth-and-claws:melee", PLAIN, Sum(hit=1)),
    Case(NEW, Who("house-of-wisdom.takwin-homunculus"), "natural-pummelling-blows:melee", PLAIN, Sum()),
    Case(NEW, Who("trench-pilgrims.ecclesiastic-prisoner"), "natural-feeble-flailing:melee", PLAIN, Sum(hit=-1)),
    Case(NEW, Who("great-hunger.matagot-hag"), "natural-pestilent:melee", PLAIN, Sum(hit=2, critical=2)),
    Case(NEW, Who("iron-sultanate.brazen-bull"), "natural-trample:melee", wearing("reinforced-armour"), Sum(hit=2, injury=1)),
    Case(NEW, Who("trench-pilgrims.scripture-guardian"), "natural-vengeful-scripture:ranged", wearing("reinforced-armour"),
         Sum(hit=1, flat=2, armour=-2, critical_ignores=True), {"long_range": 1, "target_blood": 2}),
    Case(NEW, Who("trench-pilgrims.scripture-guardian"), "natural-vengeful-scripture:ranged", TROOPER, Sum(hit=2)),
]  # fmt: skip


@pytest.mark.parametrize("case", [*BOTH, *APART], ids=lambda case: f"{case.edition} {case.arm}")
def test_an_attack_comes_to_what_the_books_say(case: Case) -> None:
    found = strike(case.edition, case.mine, case.arm, case.theirs, **dict(case.told))
    given = found.given["attacks"][0] if "attacks" in found.given else found.given
    worked_out = odds(content_of(case.edition), "attack", given).outcomes
    assert {outcome: chance for outcome, chance in worked_out.items() if chance} == chances(case.expected), found.causes


@pytest.mark.parametrize(
    ("edition", "who", "arm", "count", "told"),
    [
        (OLD, "court-of-the-seven-headed-serpent.pit-locust", "unarmed:melee", 1, {}),
        (OLD, "court-of-the-seven-headed-serpent.pit-locust", "unarmed:melee", 2, {"charged": 1}),
        (OLD, "great-hunger.gregori-gula", "unarmed:melee", 2, {}),
        (OLD, "great-hunger.gregori-gula", "unarmed:melee", 3, {"charged": 1}),
        (OLD, "cult-of-the-black-grail.lord-of-tumours", "natural-beelzebubs-touch:melee", 2, {}),
        (OLD, "new-antioch.observer", "trench-polearm:melee", 2, {}),
        (NEW, "new-antioch.observer", "trench-polearm:melee", 2, {}),
        (NEW, "court-of-the-seven-headed-serpent.pit-locust", "natural-poison-stingers:melee", 2, {}),
        (NEW, "great-hunger.gregori-gula", "natural-gnashing-and-tearing:melee", 2, {}),
        (NEW, "great-hunger.gregori-gula", "natural-gnashing-and-tearing:melee", 3, {"charged": 1}),
        (NEW, "cult-of-the-black-grail.lord-of-tumours", "natural-crushing-blows:melee", 2, {}),
        (NEW, "trench-pilgrims.communicant-anti-tank-hunter", "natural-iron-fists:melee", 2, {}),
    ],
)
def test_a_text_brings_several_attacks(edition: str, who: str, arm: str, count: int, told: dict[str, int]) -> None:
    given = strike(edition, Who(who), arm, TROOPER if "antioch" in who or "trench" in who else PLAIN, **told).given
    assert len(given.get("attacks", (given,))) == count


def test_the_second_fist_of_an_anti_tank_hunter_is_off_hand_and_a_champions_second_blow_is_harder() -> None:
    hunter = strike(NEW, Who("trench-pilgrims.communicant-anti-tank-hunter"), "natural-iron-fists:melee", TROOPER)
    assert [bool(one.get("off_hand")) for one in hunter.given["attacks"]] == [False, True]
    for edition in EDITIONS:
        champion = strike(edition, skilled("champion"), BLOW, TROOPER).given["attacks"]
        assert [sum(each["dice"] for each in one["modifiers"]) for one in champion] == [0, -1]


def test_only_the_first_sting_of_a_pit_locust_of_the_older_edition_leaves_shrapnel() -> None:
    found = strike(OLD, Who("court-of-the-seven-headed-serpent.pit-locust"), "unarmed:melee", TROOPER, charged=1)
    assert ["SHRAPNEL" in one["keywords"] for one in found.given["attacks"]] == [True, False]


def test_the_captain_of_the_seeds_example_shoots_at_one_die_less() -> None:
    """Turns and actions 1.0, the example of a Shoot ACTION: +2 +1 −1 −1 −2 = −1 DICE; 2, 3 and 5 miss."""
    captain = Who("iron-sultanate.yuzbasi-captain", ("halberd-gun", "alchemical-ammunition"))
    found = strike(
        NEW, captain, "halberd-gun:ranged", Who("heretic-legion.heretic-priest"), cover=1, long_range=1, blood_spent=2
    )
    done = resolve(content_of(NEW), "attack", found.given, TypedDice((2, 3, 5)))
    assert (done.outcome, done.steps[0].kept, len(done.rolled)) == ("failure", (2, 3), 3)
    assert "+1 DICE to hit: Alchemical Ammunition" in found.causes


@pytest.mark.parametrize("edition", EDITIONS)
def test_alchemical_ammunition_helps_no_other_weapon(edition: str) -> None:
    found = strike(edition, Who("iron-sultanate.azeb", ("musket", "alchemical-ammunition")), "musket:ranged", TROOPER)
    assert not [words for words in found.causes if "Alchemical" in words]


# --- words, each laid on a plain club ------------------------------------------------------------------------------------------


def with_words(edition: str, *effects: v.Effect) -> Content:
    """The edition's content with these effects on a Trench Club and no others."""
    pack = content_of(edition).pack
    laid = [msgspec.structs.replace(item, effects=effects) if item.id == CLUB else item for item in pack.items]
    return compile_content(msgspec.structs.replace(pack, items=tuple(laid)), HouseRules())


def worded(
    edition: str, effect: v.AttackEffect, mine: tuple[Who, ...], theirs: tuple[Who, ...], arm: str = SHOT, **told: Any
) -> Situation:
    """An attack where a club says something; `thrown` throws the switch that stands in its words."""
    content = with_words(edition, effect)
    sides = (force_of(edition, *mine), "1"), (force_of(edition, *theirs), "1")
    thrown = told.pop("thrown", 0)
    if thrown:
        calm = situation(content, sides[0], arm, sides[1], told)
        told[next(toggle.key for toggle in calm.toggles if "near" in toggle.words)] = thrown
    return situation(content, sides[0], arm, sides[1], told)


CARRIER, FOE_CARRIER = Who(YEOMAN, (CLUB,)), Who(TROOPER.profile, (CLUB,))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_reaches_friends_and_enemies_counts_once_they_are_near(edition: str) -> None:
    def dice(found: Situation, name: str = "modifiers") -> int:
        return sum(one["dice"] for one in found.given[name])

    friends = v.AttackEffect(hit=1, injury_against=-1, reach="friends", switch="near")
    assert dice(worded(edition, friends, (SHOOTER, CARRIER), (TROOPER,))) == 0
    assert dice(worded(edition, friends, (SHOOTER, CARRIER), (TROOPER,), thrown=1)) == 1
    assert dice(worded(edition, friends, (Who(YEOMAN, (RIFLE, CLUB)),), (TROOPER,))) == 1
    assert dice(worded(edition, friends, (SHOOTER,), (TROOPER, FOE_CARRIER), thrown=1), "injury_modifiers") == -1
    others = v.AttackEffect(hit=1, reach="others", switch="near")
    assert dice(worded(edition, others, (Who(YEOMAN, (RIFLE, CLUB)),), (TROOPER,))) == 0
    assert dice(worded(edition, others, (SHOOTER, CARRIER), (TROOPER,), thrown=1)) == 1
    enemies = v.AttackEffect(hit=-2, reach="enemies", switch="near")
    assert dice(worded(edition, enemies, (SHOOTER,), (TROOPER, FOE_CARRIER), thrown=1)) == -2
    assert dice(worded(edition, enemies, (SHOOTER, CARRIER), (TROOPER,))) == 0
    assert dice(worded(edition, enemies, (SHOOTER,), (FOE_CARRIER,))) == 0
    blow = worded(edition, enemies, (Who(YEOMAN, ("sword-axe",)),), (FOE_CARRIER,), "sword-axe:melee")
    assert dice(blow) == -2, "who stands in melee with the bearer is near"
    barred = v.AttackEffect(hit=-2, reach="enemies", switch="near", not_at=(v.Trait(keyword="NEW ANTIOCH"),))
    assert not [
        toggle
        for toggle in worded(edition, barred, (SHOOTER,), (TROOPER, FOE_CARRIER)).toggles
        if "near" in toggle.words
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_reaches_a_target_changes_how_it_is_met(edition: str) -> None:
    lust = v.AttackEffect(gives_against=("IGNORE ARMOUR",), reach="enemies", switch="near")
    assert "IGNORE ARMOUR" in worded(edition, lust, (SHOOTER, CARRIER), (TROOPER,), thrown=1).given["keywords"]
    assert "IGNORE ARMOUR" not in worded(edition, lust, (SHOOTER, CARRIER), (TROOPER,)).given["keywords"]
    sloth = v.AttackEffect(minor_is_down=True, reach="enemies", switch="near")
    assert worded(edition, sloth, (SHOOTER, CARRIER), (TROOPER,), thrown=1).given["target"]["minor_is_down"]
    assert not worded(edition, sloth, (SHOOTER, CARRIER), (TROOPER,)).given["target"]["minor_is_down"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_shields_a_target_everywhere_and_nowhere(edition: str) -> None:
    always = v.AttackEffect(covered=("cover", "defended obstacle against charges"))
    shot = worded(edition, always, (SHOOTER,), (FOE_CARRIER,))
    assert shot.given["cover"] is True
    assert "cover" not in {toggle.key for toggle in shot.toggles}
    for charged in (0, 1):
        blow = worded(
            edition, always, (Who(YEOMAN, ("sword-axe",)),), (FOE_CARRIER,), "sword-axe:melee", charged=charged
        )
        assert blow.given.get("defended_obstacle", False) is bool(charged)
    never = worded(edition, v.AttackEffect(uncovered=True), (SHOOTER,), (FOE_CARRIER,), cover=1)
    assert "cover" not in never.given
    assert "cover" not in {toggle.key for toggle in never.toggles}


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_effect_may_count_several_times_for_markers_or_on_the_first_attack_alone(edition: str) -> None:
    me = (Who(YEOMAN, (RIFLE, "combat-helmet")),)
    several = worded(edition, v.AttackEffect(flat_against=-1, switch="near", most=3), me, (FOE_CARRIER,), thrown=5)
    assert several.given["injury_flats"] == [{"number": -3, "why": "Trench Club"}]
    marked = worded(edition, v.AttackEffect(injury_against=1, per="own blood"), me, (FOE_CARRIER,), target_blood=4)
    assert [one["dice"] for one in marked.given["injury_modifiers"]] == [4]
    fighter = (Who(YEOMAN, (CLUB,)),)
    first = worded(edition, v.AttackEffect(attacks=1), fighter, (TROOPER,), BLOW)
    assert len(first.given["attacks"]) == 2
    content = with_words(
        edition, v.AttackEffect(attacks=1), v.AttackEffect(gives=("IGNORE ARMOUR",), hit=2, first_only=True)
    )
    found = situation(content, (force_of(edition, *fighter), "1"), BLOW, (force_of(edition, TROOPER), "1"), {})
    assert [("IGNORE ARMOUR" in one["keywords"], len(one["modifiers"])) for one in found.given["attacks"]] == [
        (True, 1),
        (False, 0),
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_being_down_may_cost_nothing(edition: str) -> None:
    found = worded(edition, v.AttackEffect(ignores=("down",)), (Who(YEOMAN, (CLUB,)),), (TROOPER,), BLOW, down=1)
    assert not [words for words in found.causes if "Down" in words]


# --- markers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "who", "negated"),
    [
        (OLD, wearing("combat-helmet"), {"SHRAPNEL"}), (OLD, wearing("gas-mask"), {"GAS"}), (OLD, wearing("alchemist-armour"), {"FIRE", "GAS"}),
        (OLD, Who("heretic-legion.anointed-heavy-infantry"), {"FIRE"}), (OLD, Who("new-antioch.combat-engineer"), {"SHRAPNEL"}),
        (OLD, Who("trench-pilgrims.communicant"), {"GAS", "SHRAPNEL"}), (OLD, Who("cult-of-the-black-grail.grail-thrall"), {"GAS"}),
        (OLD, Who("heretic-legion.artillery-witch"), {"GAS"}), (OLD, Who("trench-ghosts.heretic-trooper"), {"GAS"}),
        (NEW, wearing("combat-helmet"), {"SHRAPNEL"}), (NEW, wearing("gas-mask"), {"GAS"}), (NEW, wearing("alchemist-armour"), {"FIRE", "GAS"}),
        (NEW, Who("heretic-legion.anointed-heavy-infantry"), {"FIRE"}), (NEW, Who("new-antioch.combat-engineer"), {"SHRAPNEL"}),
    ],
)  # fmt: skip
def test_what_places_no_marker_on_a_fighter(edition: str, who: Who, negated: set[str]) -> None:
    for found in (
        strike(edition, SHOOTER, SHOT, who).given["target"]["negates"],
        defence(content_of(edition), force_of(edition, who), "1")["target"]["negates"],
    ):
        assert set(found) & {"FIRE", "GAS", "SHRAPNEL"} == negated


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_berserker_takes_no_markers_and_bleeds_no_less_for_it(edition: str) -> None:
    berserker = Who("eire-rangers.eire-lieutenant", upgrades=("berserker",))
    found = strike(edition, Who(TROOPER.profile, (RIFLE,)), SHOT, berserker)
    done = resolve(content_of(edition), "attack", found.given, TypedDice((4, 4, 2, 3)))
    assert (done.outcome, done.effect("blood_markers")) == ("minor-hit", None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_texts_bound_what_may_be_spent(edition: str) -> None:
    def keys(found: Situation) -> set[str]:
        return {toggle.key for toggle in found.toggles}

    priest = Who("new-antioch.sniper-priest", (RIFLE, CLUB))
    assert "blood_spent" not in keys(strike(edition, priest, SHOT, TROOPER))
    assert "blood_spent" in keys(strike(edition, priest, BLOW, TROOPER))
    chemist = Who(TROOPER.profile, skills=("mendelist-chemicals",))
    assert "injury_blood_spent" not in keys(strike(edition, SHOOTER, SHOT, chemist))
    assert "bloodbath" in keys(strike(edition, SHOOTER, SHOT, chemist))
    school = strike(edition, skilled("sniper-school"), SHOT, TROOPER, target_down=1, bloodbath=1)
    assert school.given["bloodbath_cost"] == 2
    assert "bloodbath_cost" not in strike(edition, skilled("sniper-school"), BLOW, TROOPER).given


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_first_down_is_spared_once_in_a_row_of_attacks(edition: str) -> None:
    target = {"name": "x", "first_down": "minor-hit"}
    given = {"attacks": [{"kind": "melee", "target": target}, {"kind": "melee", "target": target}]}
    done = resolve(content_of(edition), "attack", given, TypedDice((4, 4, 3, 4, 4, 4, 3, 4)))
    assert [step.outcome for step in done.steps] == ["minor-hit", "down"]
    assert done.effect("first_down_used") is True


@pytest.mark.parametrize("net", range(-3, 4))
def test_a_die_that_is_turned_to_six_is_the_lowest_that_fell(net: int) -> None:
    given = {"dice": net, "keywords": ["ONE DIE TURNS TO 6"]}
    worked_out = odds(content_of(NEW), "injury", given).outcomes
    falls = list(product(range(1, 7), repeat=2 + abs(net)))
    found = [sum(sorted((6, *sorted(faces)[1:]), reverse=net >= 0)[:2]) for faces in falls]
    assert worked_out["out-of-action"] == Fraction(sum(total >= 9 for total in found), len(falls))
    assert worked_out.get("down", Fraction(0)) == Fraction(sum(7 <= total < 9 for total in found), len(falls))
    done = resolve(content_of(NEW), "injury", given, TypedDice((1, *(2,) * (1 + abs(net)))))
    assert done.total == (8 if net >= 0 else 4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_spared_while_unmarked_is_spared_no_more_once_it_bleeds(edition: str) -> None:
    target = {"name": "x", "unmarked_down_is_minor": True}
    given = {"attacks": [{"kind": "melee", "target": target}, {"kind": "melee", "target": target}]}
    done = resolve(content_of(edition), "attack", given, TypedDice((4, 4, 3, 4, 4, 4, 3, 4)))
    assert [step.outcome for step in done.steps] == ["minor-hit", "down"]
    marked = {"target": {**target, "blood": 1}}
    assert resolve(content_of(edition), "injury", marked, TypedDice((3, 4))).outcome == "down"


@pytest.mark.parametrize("edition", EDITIONS)
def test_where_a_minor_hit_is_down_nothing_softens_it(edition: str) -> None:
    target = {"minor_is_down": True, "down_is_minor": True, "first_down": "no-effect"}
    for dice in ((1, 2), (3, 4)):
        assert resolve(content_of(edition), "injury", {"target": target}, TypedDice(dice)).outcome == "down"


@pytest.mark.parametrize("edition", EDITIONS)
def test_several_numbers_of_an_injury_are_told_each_with_its_cause(edition: str) -> None:
    given = {"flats": [{"number": 2, "why": "One"}, {"number": -1, "why": "Another"}]}
    done = resolve(content_of(edition), "injury", given, TypedDice((3, 3)))
    assert done.total == 7
    assert {"One", "Another"} <= {why for _, why in done.modifiers}


# --- nothing is left out in silence ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_text_that_speaks_of_attacks_is_calculated_or_named(edition: str) -> None:
    """What counts only once its switch is thrown is named until then, and by its switch."""
    pills = wearing("martyrdom-pills")
    calm = strike(edition, SHOOTER, SHOT, pills)
    assert any(whose == "theirs" and words.startswith("Martyrdom Pills") for whose, words in calm.unreckoned)
    thrown = strike(edition, SHOOTER, SHOT, pills, on={"Martyrdom Pills": 1})
    assert not [words for _, words in thrown.unreckoned if words.startswith("Martyrdom Pills")]
    assert any("Martyrdom Pills" in words for words in thrown.causes)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_list_rule_that_no_word_calculates_is_named(edition: str) -> None:
    content = content_of(edition)
    told = [
        rule
        for army in content.lists.values()
        for rule in army.rules
        for effect in rule.effects
        if isinstance(effect, v.ReminderEffect) and effect.when in ("attack", "battle") and not effect.for_profiles
        and not any(isinstance(e, (v.AttackEffect, v.NaturalEffect)) for e in rule.effects)
    ]  # fmt: skip
    assert {rule.id for rule in told} <= {"eternal-appetence", "arcana-putrescere"}, [rule.id for rule in told]


def test_every_field_of_a_table_effect_is_known_to_be_own_or_of_others() -> None:
    asks = {
        "kind", "keyword", "unless", "unless_any", "items", "not_items", "natural", "armed", "bearer_keyword", "foe", "not_foe",
        "circumstances", "switch", "unless_switch", "most", "per", "per_each", "reach", "at", "not_at", "for_profiles", "first_only", "tough_too",
        "reroll_below", "backfires", "own_when", "even_missed", "unignorable", "most_spent", "most_spent_against", "with_modifier",
    }  # fmt: skip
    assert set(v.AttackEffect.__struct_fields__) == asks | set(brings.OF_OWN) | set(brings.OF_OTHERS)
    assert {each.name for each in fields(brings.Bearing)} >= {"cause", "at", "foe", "acts"}


# --- who has an attack -------------------------------------------------------------------------------------------------------

NO_ATTACK = {OLD: set(), NEW: {"mendelist-ammo-monk"}}  # its own text says so


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_fighter_that_may_attack_has_an_attack(edition: str) -> None:
    """Either fresh from its profile, or with a weapon that its list sells to it."""
    content = content_of(edition)
    without = set()
    seen = 0
    for _, entries in profiles_by_list(content):
        for value, _name in entries:
            list_id, _, profile = value.partition(".")
            seen += 1
            force = bare(content, profile, list_id)
            if not arms(content, force, "1") and not _may_buy_a_weapon(content, force, list_id):
                without.add(profile)
    assert without == NO_ATTACK[edition]
    assert seen > 60


def _may_buy_a_weapon(content: Any, force: Force, list_id: str) -> bool:
    who = examine(content, force).facts[0]
    if any(isinstance(effect, v.FixedKitEffect) for effect in who.profile.effects):
        return False
    held = {item for item in content.items if content.items[item].weapon}
    for offer in content.lists[list_id].item_offers:
        if offer.item in held and _carries(content, force, offer.item):
            return True
    return False


def _carries(content: Any, force: Force, item: str) -> bool:
    laden = replace(force, fighters=(replace(force.fighters[0], kit=(ForceItem(key="k", item=item),)),))
    exam = examine(content, laden)
    findings = fighter_findings(content, exam.frame, exam.fighters[0], exam.facts[0])
    return not [each for each in findings if each.row == 0]
