"""From a roster to the table: how a fighter may attack, and what a given attack on a given foe is told to the resolver.

Weapon lines are read by the printed terms of the edition ("+1 DICE to hit", "+1 INJURY DICE", "AUTOMATIC 2"); what fighters bring
besides stands in the pack as `table` effects. Whatever is not reckoned is named, so that nobody takes the odds for more than they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.fighters.sources import Cause
from rules.force import Force, ForceFighter
from rules.legality.warband import RosterState, examine
from rules.problems import Refusal
from rules.resolvers.situation import Arm, Situation, Toggle
from rules.trench_crusade.resolvers.attack import IGNORES
from rules.trench_crusade.resolvers.attack import causes as attack_causes
from rules.trench_crusade.resolvers.brings import (
    MOST_MARKERS,
    AttackFacts,
    Bearing,
    Brought,
    bearings,
    brought,
    left_out,
    speaks,
    switches,
    waiting,
)
from rules.trench_crusade.resolvers.injury import INFECTS, INFECTS_ALWAYS, INFECTS_MORE, NO_ROLL, TAKEN_DOWN
from rules.trench_crusade.resolvers.inputs import AgainstDown, Attack, negated, words_of
from rules.trench_crusade.resolvers.success import CRITICAL

HIT = (re.compile(r"^([+-]\d+) DICE to hit$"), re.compile(r"^([+-]\d+) DICE$"))
INJURY = (re.compile(r"^([+-]\d+) DICE to injuries$"), re.compile(r"^([+-]\d+) INJURY DICE$"))
FLAT = (re.compile(r"^([+-]\d+) to injuries$"), re.compile(r"^([+-]\d+) INJURY MODIFIER$"))
# How many attacks, of which kind; "" for the kind that the piece is a weapon of.
ATTACKS = (
    (re.compile(r"^(\d+) attacks$"), ""),
    (re.compile(r"^AUTOMATIC (\d+)$"), "ranged"),
    (re.compile(r"^CLEAVE (\d+)$"), "melee"),
)
BASE = {"3D6 injury roll": 3, "3D6 on injuries": 3, "1D6 on injuries": 1}
# Printed terms that the resolver knows as a keyword.
AS_KEYWORD = {
    "ignores armour": "IGNORE ARMOUR", "ignores cover": "IGNORE COVER", "ignores long range": "IGNORE LONG RANGE",
    "ignores height": "IGNORE ELEVATED POSITION", "ignores shields": "IGNORE SHIELD", "armour counts for 1 less": "ARMOUR PIERCING",
    "hits automatically": "FLAMETHROWER", "no Success Roll": "FLAMETHROWER", "-1 DICE to hit for chargers": "BLOCK", "no injury roll": "NO INJURY ROLL",
    "double BLOOD MARKERS": "DOUBLE MARKERS", "ends the Activation": "RELOAD", "INFECTION in place of BLOOD": INFECTS,
    "1 INFECTION MARKER more": INFECTS_MORE, "1 INFECTION MARKER always": INFECTS_ALWAYS, "one BLOOD MARKER more": "ONE BLOOD MARKER MORE", "Minor Hits become Down": "MINOR HITS ARE DOWN",
    "leaps on to others": "STRIKES OTHERS TOO",
}  # fmt: skip
STRIKES_ALL = "strikes all "  # a line or a cloud: printed before its measure
# Keywords that change nothing in an attack's own dice, or that the resolver reads by itself.
SILENT = {
    "HEAVY", "ASSAULT", "CONSUMABLE", "SHIELD COMBO", "BAYONET LUG", "CUMBERSOME", "GRENADE", "FIRE", "GAS", "SHRAPNEL", "CRITICAL",
    "DEADLY", "IGNORE ARMOUR", "ARMOUR PIERCING", "ARMOUR PIERCING 2", "IGNORE COVER", "IGNORE LONG RANGE", "IGNORE OFF-HAND WEAPON", "IGNORE OFF-HAND",
    "IGNORE ELEVATED POSITION", "IGNORE DEFENDED OBSTACLE", "SHOTGUN", "PISTOL",
    "RISKY", "RISKY ACTION", "RELOAD", "SCATTER", "may be wielded", "BLOCK", "FLAMETHROWER", "BLAST", "BLAST (X)", "HELD", "POLEARM", "INFECTION MARKERS", "DEPLOYABLE",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AttackTerms:
    """A weapon's line as numbers. `shots` and `blows`: its attacks at range and in melee. `left` are printed terms that are not reckoned."""

    hit: int = 0
    injury: int = 0
    flat: int = 0
    base: int = 2
    shots: int = 1
    blows: int = 1
    keywords: frozenset[str] = frozenset()
    left: tuple[str, ...] = ()


def terms_of(content: Content, held: CarriedItem) -> AttackTerms:
    """Read the line of a weapon: its modifiers and its keywords."""
    numbers = {"hit": 0, "injury": 0, "flat": 0}
    base = 2
    attacks = {"ranged": 1, "melee": 1}
    keywords: set[str] = set()
    left: list[str] = []
    for term in dict.fromkeys((*held.item.modifiers, *printed(content, held))):
        plain = term.replace("−", "-")
        found = False
        for name, patterns in (("hit", HIT), ("injury", INJURY), ("flat", FLAT)):
            for pattern in patterns:
                if match := pattern.match(plain):
                    numbers[name] += int(match[1])
                    found = True
        for pattern, kind in ATTACKS:
            if match := pattern.match(plain):
                kind = kind or ("melee" if held.item.category == "melee" else "ranged")
                attacks[kind], found = max(attacks[kind], int(match[1])), True
        if plain in BASE:
            base, found = BASE[plain], True
        for start, keyword in (("BLAST", "BLAST"), (STRIKES_ALL, "STRIKES OTHERS TOO")):
            if plain.startswith(start):
                keywords.add(keyword)
                found = True
        word = AS_KEYWORD.get(plain)
        if word:
            keywords.add(word)
        elif plain in SILENT:
            keywords.add(plain.removesuffix(" ACTION") if plain == "RISKY ACTION" else plain)
        elif not found:
            left.append(term)
    return AttackTerms(
        numbers["hit"], numbers["injury"], numbers["flat"], base, attacks["ranged"], attacks["melee"],
        frozenset(keywords), tuple(left),
    )  # fmt: skip


def printed(content: Content, held: CarriedItem) -> tuple[str, ...]:
    """A piece's keywords with their figures, without those it has lost, and with those it has gained."""
    family = content.item_keywords[held.item.id]
    lost = family - held.keywords
    kept = [word for key in held.item.keywords if (word := content.keyword(key)) not in lost]
    return (*kept, *sorted(held.keywords - family))


def arms(content: Content, force: Force, fighter: str) -> tuple[Arm, ...]:
    """Every way in which a fighter attacks: each weapon once for shooting and once for fighting, then what takes no weapon. Raises KeyError."""
    return tuple(way.arm for way in _ways(content, _facts(content, force, fighter)))


@dataclass(frozen=True)
class AttackMode:
    """One way of attacking: with a piece, by a text of its own (`natural`), or with bare hands."""

    arm: Arm
    held: CarriedItem | None = None
    natural: Cause | None = None

    @property
    def text(self) -> v.NaturalEffect | None:
        """What a text says of an attack without a weapon."""
        effect: v.NaturalEffect | None = self.natural.effect if self.natural is not None else None
        return effect


UNARMED = "unarmed"
NATURAL = "natural-"  # before the id of the text that gives an attack without a weapon


def _ways(content: Content, who: Facts) -> tuple[AttackMode, ...]:
    found: dict[str, AttackMode] = {}
    for held in who.held:
        if not held.item.weapon:
            continue
        for kind in _kinds(held):
            key = f"{held.item.id}:{kind}"
            if key not in found and who.stats[kind].value is not None:
                words = f"{held.item.range_inches}″" if kind == "ranged" and held.item.range_inches else ""
                found[key] = AttackMode(
                    Arm(key, held.item.name, kind, words or ("melee" if kind == "melee" else "")), held
                )
    armed = any(way.arm.kind == "melee" for way in found.values())
    fights = who.stats["melee"].value is not None
    bare_hands = fights and not armed and content.pack.play is not None and content.pack.play.unarmed == "allowed"
    for cause in who.of(v.NaturalEffect):
        effect: v.NaturalEffect = cause.effect
        is_unarmed = effect.name == UNARMED.capitalize()
        key = f"{UNARMED if is_unarmed else NATURAL + cause.source.id}:{effect.kind}"
        able = effect.characteristic == "none" or who.stats[effect.kind].value is not None
        if key in found or not able or (armed and not effect.with_weapons) or not _blows_of(effect, who):
            continue
        words = f"{effect.range_inches}″" if effect.range_inches else "melee"
        found[key] = AttackMode(Arm(key, effect.name or cause.source.name, effect.kind, words), None, cause)
        bare_hands = bare_hands and (effect.kind == "ranged" or effect.on_down or effect.besides)
    if bare_hands:
        key = f"{UNARMED}:melee"
        found[key] = AttackMode(Arm(key, UNARMED.capitalize(), "melee", "melee"))
    return tuple(found.values())


def _blows_of(effect: v.NaturalEffect, who: Facts) -> int:
    """How many attacks one ACTION brings: with `by_hands` one for each hand that holds nothing."""
    used, had = who.hands_melee
    return min(effect.attacks, max(0, had - used)) if effect.by_hands else effect.attacks


def _terms(content: Content, who: Facts, way: AttackMode, *, first: bool = True) -> AttackTerms:
    """The line of an attack; of several, of the `first` or of those after it."""
    if way.held is not None:
        return terms_of(content, way.held)
    effect = way.text
    if effect is None:
        return AttackTerms()
    count = _blows_of(effect, who)
    keywords = frozenset((*effect.keywords, *(effect.first_keywords if first else ())))
    return AttackTerms(effect.hit, effect.injury, effect.flat, 2, count, count, keywords)


def _kinds(held: CarriedItem) -> tuple[Literal["ranged", "melee"], ...]:
    ranged = held.item.category == "ranged" or held.item.slot == "grenade" or held.item.usable_at_range
    melee = held.item.category == "melee" or held.item.usable_in_melee or "PISTOL" in held.keywords
    return (*(("ranged",) if ranged else ()), *(("melee",) if melee else ()))


def _facts(content: Content, force: Force, fighter: str) -> Facts:
    return _company(content, force, fighter)[0]


def _company(content: Content, force: Force, fighter: str) -> tuple[Facts, tuple[Facts, ...]]:
    """A fighter, and everybody else of its force."""
    exam: RosterState = examine(content, force)
    people = tuple(zip(exam.fighters, exam.facts, strict=True))
    for row, who in people:
        if row.key == fighter:
            return who, tuple(other for mate, other in people if mate.key != fighter)
    raise KeyError(fighter)


def bare(content: Content, profile: str, list_id: str = "") -> Force:
    """A force of one fighter fresh from its profile, to be attacked or to attack. Raises KeyError for an unknown profile."""
    offers = [o for o in content.pack.profile_offers if o.profile == profile and (not list_id or list_id in o.lists)]
    if profile not in content.profiles or not offers:
        raise KeyError(profile)
    row = ForceFighter(key="1", name=content.profiles[profile].name, profile=profile, offer=offers[0].id)
    return Force(
        game=content.pack.game, edition=content.pack.edition, list=list_id or offers[0].lists[0], fighters=(row,)
    )


def profiles_by_list(content: Content) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Every profile of every list that is open, kept with the content: the list's name, and ("list.profile", name) for each."""
    kept = content.cache.get("profiles-by-list")
    if kept is None:
        found = []
        for list_id, compiled in content.lists.items():
            if compiled.closed:
                continue
            ids = dict.fromkeys(o.profile for o in content.pack.profile_offers if list_id in o.lists)
            entries = tuple((f"{list_id}.{profile}", content.profiles[profile].name) for profile in ids)
            found.append((compiled.army.name, entries))
        kept = content.cache["profiles-by-list"] = tuple(found)
    return kept


# --- a situation -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sides:
    """Attacker and target as the rules see them, the attack's line, what the table tells, and what either side brings to it."""

    content: Content
    mine: Facts
    theirs: Facts
    way: AttackMode
    terms: AttackTerms
    told: Mapping[str, Any]
    bearings: tuple[Bearing, ...]

    @property
    def held(self) -> CarriedItem | None:
        """The weapon, None where it takes none."""
        return self.way.held

    @property
    def kind(self) -> Literal["ranged", "melee"]:
        """Shot or fought."""
        return self.way.arm.kind

    @cached_property
    def blow(self) -> AttackFacts:
        """The attack as effects ask about it: the line's keywords, and what whoever attacks ignores by a keyword of its own."""
        own = {word for word in self.mine.keywords if word.startswith("IGNORE ")}
        keywords = self.terms.keywords | own
        text = self.way.natural.source.id if self.way.natural is not None else ""
        return AttackFacts(self.content, self.kind, self.held, keywords, self.told, text)

    @cached_property
    def brought(self) -> Brought:
        """What both sides bring."""
        return brought(self.bearings, self.blow)

    @cached_property
    def keywords(self) -> frozenset[str]:
        """All keywords of the attack."""
        return self.blow.keywords | self.brought.keywords

    @cached_property
    def acting(self) -> tuple[v.AttackEffect, ...]:
        """The effects that count for who attacks."""
        return tuple(self.brought.of(acts=True))

    @cached_property
    def met(self) -> tuple[v.AttackEffect, ...]:
        """The effects that count for who is attacked."""
        return tuple(self.brought.of(acts=False))

    @cached_property
    def covered(self) -> frozenset[str]:
        """What shields the target wherever it stands. Source: core rules 1.0, COVER."""
        always = ["cover", "defended obstacle"] if "COVER" in self.theirs.keywords else []
        for one in self.bearings:
            if not one.acts and (not one.key or self.told.get(one.key)):
                always += one.effect.covered
        charged = self.told.get("charged") or self.told.get("diving_charge")
        return frozenset(
            "defended obstacle" if charged and word == "defended obstacle against charges" else word for word in always
        )

    @property
    def is_bare(self) -> bool:
        """Whether nothing shields the target anywhere."""
        return any(not one.acts and one.effect.uncovered for one in self.bearings)


def situation(
    content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
) -> Situation:
    """An attack by a fighter of one force on a fighter of another, with what the table tells, as the resolver's input.

    `told` holds the values of `Situation.toggles` by key. Raises Refusal for an attack that this fighter does not have, KeyError for a
    fighter nobody knows.
    """
    sides = _sides(content, mine, arm, theirs, told)
    toggles = tuple(_toggles(sides))
    given = _several(sides, {toggle.key: toggle for toggle in toggles})
    play = content.pack.play
    one = given["attacks"][0] if "attacks" in given else given
    bears = attack_causes(play, msgspec.convert(one, Attack)) if play is not None else ()
    if "attacks" in given:
        only_after = ", each further one only after a hit" if given["attacks"][1].get("after_hit") else ""
        bears = (f"{len(given['attacks'])} attacks, one after the other{only_after}", *bears)
    effects = sides.held.item.effects if sides.held is not None else ()
    told_by_effects = (
        sides.held.item.modifiers
        if any(isinstance(e, v.AttackEffect) and speaks(e, acts=True) for e in effects) and sides.held
        else ()
    )
    terms = tuple(("mine", term) for term in sides.terms.left if term not in told_by_effects)
    waits = waiting(sides.bearings, sides.blow)
    left = (*terms, *left_out(content, sides.mine, sides.theirs, sides.held), *waits)
    return Situation(rule="attack", given=given, toggles=toggles, causes=bears, unreckoned=tuple(dict.fromkeys(left)))


def _sides(
    content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
) -> Sides:
    me, mates = _company(content, *mine)
    foe, others = _company(content, *theirs)
    way = next((known for known in _ways(content, me) if known.arm.key == arm), None)
    if way is None:
        raise Refusal("This fighter does not attack like that.", code="not-offered")
    said = {key: value for key, value in told.items() if key not in OF_THE_OTHER[way.arm.kind]}
    if way.text is not None and way.text.on_down:
        said["target_down"] = 1
    found = bearings(content, me, foe, mates, others, way.held, melee=way.arm.kind == "melee")
    sides = Sides(content, me, foe, way, _terms(content, me, way), said, found)
    if sides.is_bare:
        return replace(sides, told={**said, "cover": 0, "defended_obstacle": 0})
    always = {word.replace(" ", "_"): 1 for word in sides.covered if word in ("cover", "defended obstacle")}
    return replace(sides, told={**said, **always})


# What the table says of the one kind of attack means nothing for the other.
OF_THE_OTHER = {
    "ranged": frozenset({"off_hand", "defended_obstacle", "charged", "diving_charge"}),
    "melee": frozenset({"long_range", "cover", "elevated"}),
}


def _toggles(sides: Sides) -> Iterable[Toggle]:
    known = tuple(_plain_toggles(sides))
    asked = {toggle.key for toggle in known}
    further = [toggle for toggle in switches(sides.bearings, sides.blow) if toggle.key not in asked]
    place = next(place for place, toggle in enumerate(known) if toggle.key in ("down", "target_down"))
    yield from (*known[:place], *further, *known[place:])


def _plain_toggles(sides: Sides) -> Iterable[Toggle]:
    ignored = words_of(sides.keywords)
    play = sides.content.pack.play
    rolls = "FLAMETHROWER" not in ignored
    lobbed = "GRENADE" in ignored and play is not None and play.grenades_ignore
    bare = sides.is_bare
    if sides.kind == "ranged":
        if rolls and not lobbed and not ignored & IGNORES["long_range"]:
            yield Toggle("long_range", "Long range")
        if rolls and not lobbed and not ignored & IGNORES["cover"] and not bare and "cover" not in sides.covered:
            yield Toggle("cover", "Cover")
        if rolls and not ignored & IGNORES["elevated"]:
            yield Toggle("elevated", "I stand higher")
    else:
        text = sides.way.text
        one_way = text is not None and not text.by_hands
        always = one_way or any(effect.always_off_hand for effect in sides.acting)
        if rolls and not ignored & IGNORES["off_hand"] and not always:
            yield Toggle("off_hand", "Off-hand weapon")
        shielded = bare or "defended obstacle" in sides.covered
        if rolls and not ignored & IGNORES["defended_obstacle"] and not shielded:
            yield Toggle("defended_obstacle", "Defended Obstacle")
        yield Toggle("charged", "I charged")
        yield Toggle("diving_charge", "Diving Charge")
    if rolls:
        yield Toggle("down", "I am Down")
    if sides.way.text is None or not sides.way.text.on_down:
        yield Toggle("target_down", "The target is Down")
    if rolls:
        yield Toggle("dice", "Other dice to hit", -6, 6)
    injures = not ignored & {NO_ROLL, TAKEN_DOWN}
    if injures:
        yield Toggle("injury_dice", "Other dice to injure", -6, 6)
    if rolls:
        if most := _most_spent(effect.most_spent for effect in sides.acting):
            yield Toggle("blood_spent", "Markers spent on me", 0, most)
        yield Toggle("blessing_spent", "My blessings spent", 0, MOST_MARKERS)
    if injures:
        if most := _most_spent(effect.most_spent_against for effect in sides.met):
            yield Toggle("injury_blood_spent", "Markers spent on the target", 0, most)
        yield Toggle("injury_blessing_spent", "Its blessings spent", 0, MOST_MARKERS)
        yield Toggle("bloodbath", "Bloodbath")


def _most_spent(bounds: Iterable[int]) -> int:
    """How many markers may be spent, of what texts allow."""
    return min((bound for bound in bounds if bound >= 0), default=MOST_MARKERS)


FLAGS = (
    "long_range",
    "cover",
    "elevated",
    "off_hand",
    "defended_obstacle",
    "charged",
    "diving_charge",
    "down",
    "bloodbath",
)
COUNTS = ("dice", "injury_dice", "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent")


def _given(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    terms, told, mine, foe, text = sides.terms, sides.told, sides.mine, sides.theirs, sides.way.text
    hit, injury = _dice(sides)
    flats = [(terms.flat, sides.way.arm.name), *sides.brought.flats]
    armour, shield, unignorable = _armour(foe)
    reckons = text is None or text.characteristic != "none"
    given: dict[str, Any] = {
        "kind": sides.kind,
        "weapon": sides.way.arm.name if sides.held is not None or text is not None else "",
        "ranged": (mine.stats["ranged"].value or 0) if reckons else 0,
        "melee": (mine.stats["melee"].value or 0) if reckons else 0,
        "modifiers": [{"dice": dice, "why": why} for dice, why in hit],
        "modifier": sides.brought.hit_flat,
        "injury_modifiers": [{"dice": dice, "why": why} for dice, why in injury],
        "injury_modifier": sum(number for number, _ in flats),
        "injury_modifier_why": " and ".join(dict.fromkeys(why for number, why in flats if number)) or "told",
        "injury_flats": [{"number": number, "why": why} for number, why in sides.brought.flats_against],
        "hit_base": max((effect.hit_base for effect in sides.acting), default=0) or 2,
        "base_dice": max((effect.base_dice for effect in sides.acting if effect.base_dice), default=terms.base),
        "keywords": sorted(sides.keywords),
        "critical_keywords": sorted({word for effect in sides.acting for word in effect.on_critical}),
        "armour": armour,
        "shield": shield,
        "unignorable_armour": unignorable,
        "unarmed": sides.held is None and text is None,
        "pistol": sides.held is not None and ("pistol" in sides.held.item.groups or "PISTOL" in sides.held.keywords),
        "grenade": "GRENADE" in sides.keywords,
        "automatic_hit": "FLAMETHROWER" in sides.keywords,
        "fear_immune": _fear_immune(mine) or any(effect.fear_immune for effect in sides.acting),
        "target": {**_defence(sides.content, foe, sides.met), "down": bool(told.get("target_down"))},
    }
    if (cost := _bloodbath(sides)) is not None:
        given["bloodbath_cost"] = cost
    for key in FLAGS:
        if told.get(key) and (key in allowed or key in ("cover", "defended_obstacle")):
            given[key] = True
    for key in COUNTS:
        if key in allowed and told.get(key):
            given[key] = max(allowed[key].least, min(allowed[key].most, int(told[key])))
    if told.get("around"):
        given["aimed"] = False
    if sides.kind == "melee" and any(effect.by_ranged for effect in sides.acting):
        given["by_ranged"] = True
    if any(effect.always_off_hand for effect in sides.acting):
        given["off_hand"] = True
    first = min((effect.critical_from for effect in sides.acting if effect.critical_from), default=CRITICAL)
    sooner = sum(one.effect.critical_sooner * times for one, times in sides.brought.counting if one.acts)
    if first - sooner < CRITICAL:
        given["critical_from"] = max(2, first - sooner)
    return given


def _several(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    """The attack, or those of one ACTION, one after the other; markers are spent on the first alone."""
    given = _given(sides, allowed)
    count = sides.terms.shots if sides.kind == "ranged" else sides.terms.blows
    acting = [(one, times) for one, times in sides.brought.counting if one.acts]
    own = count if sides.held is None else min(count, _printed_count(sides.held, sides.kind))
    count += sum(one.effect.attacks * times for one, times in acting)
    if count < 2:
        return given
    rest = replace(
        sides, terms=_terms(sides.content, sides.mine, sides.way, first=False),
        bearings=tuple(one for one in sides.bearings if not one.effect.first_only),
    )  # fmt: skip
    later = _given(rest, allowed)
    later = {k: x for k, x in later.items() if not k.endswith("_spent") and not k.startswith("bloodbath")}
    by_text = sides.way.text is not None and sides.way.text.later == "off-hand"
    if by_text or any(one.effect.later_off_hand for one, _ in acting):
        later["off_hand"] = True
    if any(one.effect.after_hit for one, _ in acting):
        later["after_hit"] = True
    if not sides.told.get("target_down"):
        lying = _given(replace(rest, told={**sides.told, "target_down": 1}), allowed)
        if any(lying[key] != later[key] for key in OF_A_LINE):
            later["against_down"] = {key: lying[key] for key in OF_A_LINE}
    less = [
        {"dice": one.effect.later_hit, "why": f"{one.name}, not the first attack"}
        for one, _ in acting
        if one.effect.later_hit
    ]
    added = _with_dice(later, less)
    return {"attacks": [given, *(added if place >= own else later for place in range(1, count))]}


# What of an attack may be otherwise once an attack before it has put the target Down.
OF_A_LINE = tuple(AgainstDown.__struct_fields__)


def _with_dice(given: dict[str, Any], more: list[dict[str, Any]]) -> dict[str, Any]:
    """An attack with further dice to hit, against a target that stands and against one that went Down."""
    if not more:
        return given
    found = {**given, "modifiers": [*given["modifiers"], *more]}
    if "against_down" in given:
        found["against_down"] = _with_dice(given["against_down"], more)
    return found


def _printed_count(held: CarriedItem, kind: str) -> int:
    """How many attacks a weapon has by its own printed line."""
    counts = [1]
    for term in (*held.item.modifiers, *held.item.keywords):
        for pattern, of in ATTACKS:
            if (match := pattern.match(term)) and (of or held.item.category) == kind:
                counts.append(int(match[1]))
    return max(counts)


def _bloodbath(sides: Sides) -> int | None:
    """What a Bloodbath takes, where a text says so."""
    told = [effect.bloodbath_cost for effect in sides.acting if effect.bloodbath_cost]
    less = sum(effect.bloodbath for effect in sides.acting)
    if not told and not less:
        return None
    return max(0, min([3 if sides.told.get("target_down") else 6, *told]) + less)


def _defence(content: Content, foe: Facts, effects: Iterable[v.AttackEffect]) -> dict[str, Any]:
    """What a fighter meets injuries with, its armour apart."""
    effects = tuple(effects)
    first = [e for e in effects if e.first_down]
    return {
        "name": "target",
        "tough": "TOUGH" in foe.keywords,
        "golem": "GOLEM" in foe.keywords,
        "fear": "FEAR" in foe.keywords,
        "polearm": any("BLOCK" in terms_of(content, held).keywords for held in foe.held if held.item.weapon),
        "base": foe.base if 20 <= foe.base <= 200 else None,
        "down_is_minor": any(e.down_is_minor and "unmarked" not in e.circumstances for e in effects),
        "unmarked_down_is_minor": any(e.down_is_minor and "unmarked" in e.circumstances for e in effects),
        "ignores_out": any(e.ignores_out for e in effects),
        "first_down": max((e.first_down for e in first), key=lambda to: to == "no-effect", default=""),
        "first_down_tough": any(e.tough_too for e in first),
        "minor_is_down": any(e.minor_is_down for e in effects),
        "no_markers": any(e.unmarked for e in effects),
        "negates": sorted(negates(foe) | {word for e in effects for word in e.negates}),
    }


def negates(who: Facts) -> frozenset[str]:
    """Keywords of weapons that place no marker on a fighter, by its own keywords and by what it is immune to."""
    immune = {content_word.upper() for cause in who.of(v.ImmuneEffect) for content_word in cause.effect.keywords}
    own = {word.removeprefix("NEGATE ") for word in who.keywords if word.startswith("NEGATE ")}
    return frozenset(own | immune | negated(who.keywords))


def defence(content: Content, force: Force, fighter: str) -> dict[str, Any]:
    """A fighter as an injury meets it, whoever deals it: `armour`, `shield`, `unignorable_armour`, and the `target` of the resolver's input.

    What is taken off the dice stands among the target's resistances. Raises KeyError.
    """
    who = _facts(content, force, fighter)
    armour, shield, unignorable = _armour(who)
    always = [cause for cause in who.of(v.AttackEffect) if _always(cause.effect, who)]
    target = _defence(content, who, (cause.effect for cause in always if not cause.effect.keyword))
    target["resistances"] = [
        {
            "dice": cause.effect.injury_against,
            "keyword": cause.effect.keyword,
            "unless": cause.effect.unless,
            "why": cause.source.name,
        }
        for cause in always
        if cause.effect.injury_against
    ]
    return {"armour": armour, "shield": shield, "unignorable_armour": unignorable, "target": target}


def _always(effect: v.AttackEffect, who: Facts) -> bool:
    """Whether an effect holds whoever attacks, and from wherever."""
    asks = (
        effect.reach,
        effect.switch,
        effect.unless_switch,
        effect.per,
        effect.kind,
        effect.circumstances,
        effect.foe,
        effect.items,
    )
    return not any(asks) and (not effect.bearer_keyword or effect.bearer_keyword in who.keywords)


def _dice(sides: Sides) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Dice of the attack's line and of what either side brings: to hit, and to injure."""
    terms, name = sides.terms, sides.way.arm.name
    hit = [(terms.hit, name), *sides.brought.hit]
    injury = [(terms.injury, name), *sides.brought.injury]
    return [each for each in hit if each[0]], [each for each in injury if each[0]]


def _fear_immune(who: Facts) -> bool:
    immune = {word.upper() for cause in who.of(v.ImmuneEffect) for word in cause.effect.keywords}
    return "FEAR" in immune or bool(who.keywords & {"FEAR", "GOLEM", "NEGATE FEAR"})


def _armour(who: Facts) -> tuple[int, int, int]:
    """What the target's armour takes off an injury: what may be ignored of its armour, of its shield, and what never is."""
    total = who.stats["armour"].value or 0
    kept = shield = 0
    for held in who.held:
        worth = sum(e.add for e in held.item.effects if isinstance(e, v.StatEffect) and e.stat == "armour")
        firm = "IMPERVIOUS" in held.keywords or any(
            isinstance(effect, v.AttackEffect) and effect.unignorable for effect in held.item.effects
        )
        if firm:
            kept += worth
        elif held.item.slot == "shield":
            shield += worth
    kept = max(kept, total)
    shield = max(shield, total - kept)
    return max(-9, total - kept - shield), max(-3, shield), max(-9, kept)
