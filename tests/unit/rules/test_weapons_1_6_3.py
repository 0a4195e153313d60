"""Every weapon of 1.6.3 counted a second time: its figures as the armouries print them, its chances from all the dice there are.

Nothing here reads the pack's terms or uses the resolver. A line is a weapon's printed figures and what its text adds under a condition;
`chances` goes through every fall of the dice. Both must come to the same fractions, for every weapon, kind of attack, foe and scene.
Source: armouries and Attacks 1.6, of 1.6.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

import pytest

from rules.force import Force, ForceItem
from rules.resolvers.situation import Situation
from rules.trench_crusade.content import content_of
from rules.trench_crusade.resolvers.arms import arms, bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import odds

CONTENT = content_of("1.6.3")
YEOMAN = "new-antioch.yeoman"  # nothing to hit, nothing to injure


@dataclass(frozen=True)
class Line:
    """A weapon. `when`: (condition, what it then does), several changes with blanks between."""

    kinds: str
    hit: int = 0
    injury: int = 0
    flat: int = 0
    words: str = ""
    shots: int = 1
    blows: int = 1
    base: int = 2
    when: tuple[tuple[str, str], ...] = ()


def shot(words: str = "", hit: int = 0, injury: int = 0, *when: tuple[str, str], **more: Any) -> Line:
    return Line("R", hit, injury, words=words, when=when, **more)


def blow(words: str = "", hit: int = 0, injury: int = 0, *when: tuple[str, str], **more: Any) -> Line:
    return Line("M", hit, injury, words=words, when=when, **more)


BEYOND = ("around", "injury-1")  # others in a blast
LINES: dict[str, Line] = {
    # ranged
    "alaybozan": shot("shrapnel"),
    "anti-materiel-rifle": shot("critical noarmour", 0, 1),
    "arquebus": Line("RM"),
    "autocannon": shot("", 0, 1, ("switch:Five attacks", "shots+2 risky"), shots=3),
    "automatic-pistol": Line("RM", 0, -1, shots=2, words="pistol"),
    "automatic-rifle": shot(shots=2),
    "automatic-shotgun": shot("nolong", 1, 0, ("long", "injury-1")),
    "black-spot-rifle": shot("infects", 1),
    "blunderbuss": shot("shrapnel"),
    "bolt-action-rifle": shot(),
    "bow-of-alamut": shot("critical noarmour"),
    "bow-of-lethe": shot("", 0, 0, ("unless:Armour is ignored", "injury+2"), ("switch:Armour is ignored", "noarmour")),
    "corruption-belcher": shot("gas auto noarmour"),
    "flame-cannon": shot("fire auto noarmour"),
    "flamethrower": shot("fire auto noarmour", 0, -1),
    "gas-censer": shot("gas auto", 0, 0, ("open", "noarmour")),
    "gas-grenade-launcher": shot("gas nocover noarmour", 0, -1),
    "grenade-launcher": shot("shrapnel nocover"),
    "heavy-flamethrower": shot("fire auto noarmour"),
    "heavy-shotgun": shot("", 1, 0, ("short", "injury+2")),
    "infernal-bomb": shot("shrapnel nocover nolong noheight", 0, 0, ("direct", "base3"), ("switch:In Cover from", "injury-1")),
    "infernal-gas-bomb": shot("gas noarmour nocover nolong noheight", 0, 0, BEYOND, ("switch:In Cover from", "injury-1")),
    "infested-rifle": shot("pierce"),
    "jezzail": shot(),
    "locust-spitter": shot("noarmour", 0, -1),
    "machine-gun": shot(shots=3),
    "masterworks-jezzail": shot("critical", 1),
    "murad-bombard": shot("nocover", 0, 0, ("direct", "base3"), ("around", "goesdown")),
    "musket": shot("", 0, -1),
    "ophidian-rifle": shot("nocover nolong", 0, 0, ("long", "hit+1"), ("cover", "hit+1")),
    "pistol-revolver": Line("RM", words="pistol"),
    "punt-gun": shot("shrapnel", 1, 1),
    "putrid-shotgun": shot("infects", 1),
    "rocket-propelled-grenade": shot("critical noarmour", 0, 1),
    "semi-automatic-rifle": shot(),
    "serpent-assault-gun": shot("gas", shots=2),
    "shotgun": shot("nolong", 1, 0, ("long", "injury-1")),
    "siege-jezzail": shot("", 0, 1),
    "silenced-pistol": Line("RM", words="pistol", when=(("ranged switch:Shot from behind", "hit+1"),)),
    "sniper-rifle": shot("risky critical", 1, 0, ("critical", "noarmour")),
    "submachine-gun": shot(shots=2),
    "sultanate-grand-cannon": shot("noarmour", 0, 2),
    "tormentor-chain": shot("shrapnel nolong nocover noroll"),
    "trench-mortar": shot("fire nocover", 0, 1),
    "viscera-cannon": shot("", 2, 0, ("switch:BLOOD MARKERS taken", "taken")),
    # thrown
    "demonic-aura-grenade": shot("lob noarmour double"),
    "gas-grenades": shot("lob gas noarmour", 0, -1),
    "grenades": shot("lob shrapnel", 0, 0, BEYOND),
    "holy-grenade": shot("lob shrapnel", 0, 0, BEYOND, ("DEMONIC or BLACK GRAIL", "injury+1")),
    "incendiary-grenades": shot("lob fire", 0, 0, ("critical", "noarmour")),
    "molotov-cocktail": shot("lob fire", 0, -1, ("critical", "noarmour")),
    "parasite-grenades": shot("lob"),
    "satchel-charge": shot("lob", 0, 1, ("direct", "noarmour")),
    "war-cross": shot("nolong"),
    # melee
    "anti-tank-hammer": blow("risky critical noarmour", 0, 1),
    "assassins-dagger": blow("critical", flat=1),
    "bayonet": blow(),
    "beelzebubs-axe": blow("infects", 0, 2),
    "blasphemous-staff": blow("fire critical"),
    "bonebreaker-mace": blow("risky alwaysoff", 0, 1),
    "butcher-bayonet": blow("", 0, 1),
    "catherine-wheel": blow("risky", 1, base=3),
    "chain-maw": blow("risky noarmour", 1, 1),
    "coin-hammer": blow("", 0, 1),
    "donkeys-jawbone": blow("", 0, 2),
    "double-handed-blunt-weapon": blow(flat=1),
    "executioners-axe": blow("critical afterhit", 0, 2, blows=2),
    "gavel-of-justice": blow("judged"),
    "golden-khanjar": blow("critical", flat=1, blows=2),
    "greatsword-greataxe": blow("critical", 0, 1),
    "halberd-gun": Line("RM"),
    "head-taker": blow("", 0, 0, ("switch:not Activated yet", "flat+2")),
    "hellblade": blow("fire", 0, 1),
    "kilij": blow("critical", flat=1),
    "knife-dagger": blow("", -1),
    "lochaber-axe": blow("critical", flat=1),
    "malebranche-sword": blow(base=3),
    "mamluk-greatsword": blow("critical", 0, 1),
    "marid-shovel": blow(),
    "misericordia": blow("", 0, 0, ("foe down", "noarmour")),
    "pestilent-fang": blow("", 0, 0, ("critical", "noarmour"), flat=1),
    "plague-blade": blow("infects"),
    "sacrificial-knife": blow("risky", flat=2),
    "scourge-battle-whip-flail": blow("", 0, 0, ("main hand", "hit+1")),
    "shotel": blow("critical noshield"),
    "shovel": blow(),
    "shredding-claws": blow("risky alwaysoff", 0, 1),
    "sword-axe": blow("critical"),
    "tank-splitter-sword": blow("critical", 0, 1, ("armoured", "six")),
    "tartarus-claws": blow("neveroff", blows=2),
    "tenderizer-maul": blow(flat=1),
    "titan-zulfiqar": blow("critical", flat=2),
    "torture-instrument": blow("double", base=1),
    "trench-club": blow(),
    "trench-polearm": blow(),
    "vivisector": blow(),
}  # fmt: skip


@dataclass(frozen=True)
class Foe:
    """A target: its profile with kit on top, and what that comes to. `firm`: armour that nothing ignores; `body`: armour but no shield."""

    profile: str
    kit: tuple[str, ...] = ()
    armour: int = 0
    shield: int = 0
    firm: int = 0
    body: bool = False
    keywords: str = ""


TROOPER = "heretic-legion.heretic-trooper"
BLADE = Foe(TROOPER)
FOES = {
    "bare": BLADE,
    "standard armour and shield": Foe(TROOPER, ("standard-armour", "trench-shield"), 1, 1, body=True),
    "reinforced armour": Foe(TROOPER, ("reinforced-armour",), 2, body=True),
    "machine armour": Foe(TROOPER, ("machine-armour",), 3, body=True),
    "a shield alone": Foe(TROOPER, ("trench-shield",), 0, 1),
    "holy icons": Foe(TROOPER, ("holy-icon-armour", "holy-icon-shield"), 0, 0, 2, body=True),
    "holy icon shield on reinforced armour": Foe(
        TROOPER, ("reinforced-armour", "holy-icon-shield"), 2, 0, 1, body=True
    ),
    "damascus armour": Foe(TROOPER, ("damascus-armour",), 0, 0, 2, body=True),
    "infernal iron": Foe("court-of-the-seven-headed-serpent.hell-knight", (), 0, 0, 2, body=True, keywords="DEMONIC"),
    "undead": Foe("cult-of-the-black-grail.grail-thrall", (), keywords="FEAR,BLACK GRAIL,UNDEAD"),
    "polearm": Foe(TROOPER, ("halberd-gun",), keywords="POLEARM"),
}

RANGED = (
    {}, {"long_range"}, {"cover"}, {"elevated"}, {"long_range", "cover"}, {"down"}, {"target_down"}, {"around"}, {"switch"},
    {"switch", "long_range", "target_down"}, {"around", "switch"},
)  # fmt: skip
MELEE = (
    {}, {"off_hand"}, {"defended_obstacle"}, {"charged"}, {"diving_charge", "defended_obstacle"}, {"target_down", "defended_obstacle"},
    {"down", "off_hand"}, {"switch"}, {"switch", "charged", "target_down"},
)  # fmt: skip
RANKS = ("failure", "no-effect", "minor-hit", "down", "out-of-action")


# --- the dice ----------------------------------------------------------------------------------------------------------------


@cache
def totals(count: int, net: int, sixes: int = 0) -> dict[int, Fraction]:
    """Every total of a pool, with its share of all the ways in which its dice can fall."""
    rolled = count + abs(net) - sixes
    found: dict[int, Fraction] = {}
    for faces in combinations_with_replacement(range(1, 7), rolled):
        ways = factorial(rolled)
        for face in set(faces):
            ways //= factorial(faces.count(face))
        total = sum(sorted((*faces, *[6] * sixes), reverse=net >= 0)[:count])
        found[total] = found.get(total, Fraction(0)) + Fraction(ways, 6**rolled)
    return found


def holds(condition: str, line: Line, kind: str, foe: Foe, scene: set[str], *, critical: bool) -> bool:
    """Whether a condition of a text is met."""
    name, _, switched = condition.partition("switch:")
    if switched:
        return "switch" in scene and (not name or name.strip() == {"R": "ranged", "M": "melee"}[kind])
    if condition.startswith("unless:"):
        return "switch" not in scene
    return {
        "long": "long_range" in scene, "short": "long_range" not in scene, "cover": "cover" in scene, "open": "cover" not in scene,
        "around": "around" in scene, "direct": "around" not in scene, "foe down": "target_down" in scene,
        "main hand": "off_hand" not in scene, "critical": critical, "armoured": foe.body,
        "DEMONIC or BLACK GRAIL": "DEMONIC" in foe.keywords or "BLACK GRAIL" in foe.keywords,
    }[condition]  # fmt: skip


@dataclass
class Read:
    """A line as it stands in a scene."""

    hit: int
    injury: int
    flat: int
    base: int
    count: int
    words: set[str]


def read(line: Line, kind: str, foe: Foe, scene: set[str], *, critical: bool = False) -> Read:
    now = Read(
        line.hit, line.injury, line.flat, line.base, line.shots if kind == "R" else line.blows, set(line.words.split())
    )
    for condition, changes in line.when:
        if not holds(condition, line, kind, foe, scene, critical=critical):
            continue
        for change in changes.split():
            name, sign, figure = change.partition("+" if "+" in change else "-")
            if sign:
                name = {"shots": "count"}.get(name, name)
                setattr(now, name, getattr(now, name) + int(sign + figure))
            elif change.startswith("base"):
                now.base = int(change[4:])
            else:
                now.words.add(change)
    return now


State = tuple[bool, bool]  # it is Down, it is out


def one_attack(
    line: Line, kind: str, foe: Foe, scene: set[str], state: State
) -> Iterator[tuple[int, int, State, Fraction]]:
    """Every way an attack can go: rank of its outcome, markers placed, the target afterwards, the chance."""
    now = read(line, kind, foe, scene)
    lies = state[0]
    hit = now.hit - ("down" in scene)
    if kind == "R":
        lobbed = "lob" in now.words
        hit -= "long_range" in scene and not lobbed and "nolong" not in now.words
        hit -= "cover" in scene and not lobbed and "nocover" not in now.words
        hit += "elevated" in scene and "noheight" not in now.words
    else:
        dives = "diving_charge" in scene
        hit -= ("off_hand" in scene or "alwaysoff" in now.words) and "neveroff" not in now.words
        hit -= "defended_obstacle" in scene and not lies and not dives
        hit -= "FEAR" in foe.keywords
        hit -= "charged" in scene and "POLEARM" in foe.keywords
        hit += dives
    if "auto" in now.words:
        struck = {"success": Fraction(1)}
    else:
        fell = totals(2, hit)
        struck = {
            "failure": sum((p for total, p in fell.items() if total < 7), Fraction(0)),
            "success": sum((p for total, p in fell.items() if 7 <= total < 12), Fraction(0)),
            "critical": sum((p for total, p in fell.items() if total >= 12), Fraction(0)),
        }
    if struck.get("failure"):
        yield 0, 0, state, struck["failure"]
    for how in ("success", "critical"):
        if struck.get(how):
            for rank, markers, after, chance in injured(line, kind, foe, scene, state, critical=how == "critical"):
                yield rank, markers, after, chance * struck[how]


def injured(
    line: Line, kind: str, foe: Foe, scene: set[str], state: State, *, critical: bool
) -> Iterator[tuple[int, int, State, Fraction]]:
    now = read(line, kind, foe, scene, critical=critical)
    lies = state[0]
    spared = {"fire": "DEMONIC" in foe.keywords, "gas": "UNDEAD" in foe.keywords, "shrapnel": False}
    more = sum(word in now.words and not spared[word] for word in spared)
    more += "taken" in now.words
    if "judged" in now.words:  # Divine Judgement: two for whom it hates
        more += (
            2
            if foe.profile.startswith("heretic") or any(word in foe.keywords for word in ("DEMONIC", "BLACK GRAIL"))
            else 1
        )
    if "noroll" in now.words:
        yield 1, more, state, Fraction(1)
        return
    if "goesdown" in now.words:
        yield 3, 0, (True, False), Fraction(1)
        return
    dice = now.injury + (critical and (2 if "critical" in now.words else 1)) + lies
    dice += kind == "M" and "diving_charge" in scene
    dice -= "UNDEAD" in foe.keywords and "fire" not in now.words
    armour = 0 if "noarmour" in now.words else foe.armour + (0 if "noshield" in now.words else foe.shield)
    worn = armour + foe.firm
    if "pierce" in now.words and "noarmour" not in now.words:
        worn = max(0, worn - 1)
    times = 2 if "double" in now.words else 1
    for total, chance in totals(now.base, dice, "six" in now.words).items():
        worth = total + now.flat - worn
        if worth >= 9:
            yield 4, 0, (lies, True), chance
        elif worth >= 7:
            yield 3, times * (2 if lies else 1) + more, (True, False), chance
        elif worth >= 2:
            yield 2, times + more, state, chance
        else:
            yield 1, more, state, chance


def chances(line: Line, kind: str, foe: Foe, scene: set[str]) -> tuple[dict[str, Fraction], Fraction]:
    """The chance of the worst outcome of all attacks of one ACTION, and how many markers it places on average."""
    now = read(line, kind, foe, scene)
    ways: dict[tuple[int, State, bool, bool], Fraction] = {
        (0, ("target_down" in scene, False), False, True): Fraction(1)
    }
    placed = Fraction(0)
    for place in range(now.count):
        after: dict[tuple[int, State, bool, bool], Fraction] = {}
        for (worst, state, ended, landed), chance in ways.items():
            if ended or state[1] or (place and "afterhit" in now.words and not landed):
                key = (worst, state, ended, False)
                after[key] = after.get(key, Fraction(0)) + chance
                continue
            for rank, markers, then, each in one_attack(line, kind, foe, scene, state):
                key = (max(worst, rank), then, rank == 0 and "risky" in now.words, rank > 0)
                after[key] = after.get(key, Fraction(0)) + chance * each
                placed += chance * each * markers
        ways = after
    found: dict[str, Fraction] = {}
    for (worst, *_), chance in ways.items():
        found[RANKS[worst]] = found.get(RANKS[worst], Fraction(0)) + chance
    return found, placed


# --- what the product says -----------------------------------------------------------------------------------------------------


def fresh(who: str, *kit: str) -> Force:
    list_id, _, profile = who.partition(".")
    force = bare(CONTENT, profile, list_id)
    pieces = tuple(ForceItem(key=f"k{place}", item=item) for place, item in enumerate(kit))
    return replace(force, fighters=(replace(force.fighters[0], kit=pieces),))


def told(item: str, kind: str, foe: Foe, scene: set[str]) -> Situation:
    """The attack as the odds page, the crib and the table are told it, with every switch of the weapon's own thrown where one is."""
    mine, theirs = (fresh(YEOMAN, item), "1"), (fresh(foe.profile, *foe.kit), "1")
    arm = f"{item}:{'ranged' if kind == 'R' else 'melee'}"
    said = dict.fromkeys(scene - {"switch"}, 1)
    found = situation(CONTENT, mine, arm, theirs, said)
    if "switch" in scene:
        said |= {toggle.key: 1 for toggle in found.toggles if toggle.key.startswith("when_")}
        found = situation(CONTENT, mine, arm, theirs, said)
    return found


def agrees(item: str, kind: str, foe: Foe, scene: set[str]) -> None:
    line = LINES[item]
    found = odds(CONTENT, "attack", told(item, kind, foe, scene).given)
    expected, placed = chances(line, kind, foe, scene)
    outcomes = {name: chance for name, chance in found.outcomes.items() if chance}
    assert outcomes == {name: chance for name, chance in expected.items() if chance}, (item, kind, sorted(scene))
    counted = found.infection if "infects" in line.words else found.blood
    if item == "pestilent-fang":  # on top of its blood, whenever it hits somebody who stays
        lasting = 1 - found.outcomes.get("failure", 0) - found.outcomes.get("out-of-action", 0)
        assert sum(count * chance for count, chance in found.infection.items()) == lasting
    assert sum(count * chance for count, chance in counted.items()) == placed, (item, kind, sorted(scene))


EACH = [(item, kind) for item, line in LINES.items() for kind in line.kinds]


@pytest.mark.parametrize(("item", "kind"), EACH, ids=[f"{item}-{kind}" for item, kind in EACH])
def test_a_weapon_has_the_same_chances_by_a_second_count(item: str, kind: str) -> None:
    for scene in RANGED if kind == "R" else MELEE:
        for name in ("bare", "standard armour and shield"):
            agrees(item, kind, FOES[name], set(scene))
    for foe in FOES.values():
        agrees(item, kind, foe, set())
        agrees(item, kind, foe, {"target_down", "charged"} if kind == "M" else {"target_down", "cover"})


def test_every_weapon_of_the_edition_is_counted() -> None:
    known = {item.id for item in CONTENT.pack.items if item.weapon}
    assert known == set(LINES)
    for item, line in LINES.items():
        kinds = {
            arm.kind[0].upper() for arm in arms(CONTENT, fresh(YEOMAN, item), "1") if arm.key.startswith(f"{item}:")
        }
        assert kinds == set(line.kinds), item
