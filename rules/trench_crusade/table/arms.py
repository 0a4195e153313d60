"""From a roster to the table: how a fighter may attack, and what a given attack on a given foe is told to the resolver.

Weapon lines are read by the printed terms of the edition ("+1 DICE to hit", "+1 INJURY DICE", "AUTOMATIC 2"); what fighters bring
besides stands in the pack as `table` effects. Whatever is not reckoned is named, so that nobody takes the odds for more than they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.effects import Facts, Held, item_passes
from rules.force import Force, ForceFighter
from rules.legality.warband import Exam, examine
from rules.problems import Refusal
from rules.table.situation import Arm, Situation, Toggle
from rules.trench_crusade.table.attack import IGNORES
from rules.trench_crusade.table.attack import causes as attack_causes
from rules.trench_crusade.table.inputs import Attack, negated, words_of

HIT = (re.compile(r"^([+-]\d+) DICE to hit$"), re.compile(r"^([+-]\d+) DICE$"))
INJURY = (re.compile(r"^([+-]\d+) DICE to injuries$"), re.compile(r"^([+-]\d+) INJURY DICE$"))
FLAT = (re.compile(r"^([+-]\d+) to injuries$"), re.compile(r"^([+-]\d+) INJURY MODIFIER$"))
ATTACKS = (re.compile(r"^(\d+) attacks$"), re.compile(r"^AUTOMATIC (\d+)$"), re.compile(r"^CLEAVE (\d+)$"))
THREE = ("3D6 injury roll", "3D6 on injuries")
AS_KEYWORD = {"ignores armour": "IGNORE ARMOUR", "ignores cover": "IGNORE COVER", "hits automatically": "FLAMETHROWER"}
FROM_KIND = {"-1 DICE to hit for chargers": "BLOCK"}
# Keywords that change nothing in an attack's own dice, or that the resolver reads by itself.
SILENT = {
    "HEAVY", "ASSAULT", "CONSUMABLE", "SHIELD COMBO", "BAYONET LUG", "CUMBERSOME", "GRENADE", "FIRE", "GAS", "SHRAPNEL", "CRITICAL",
    "DEADLY", "IGNORE ARMOUR", "ARMOUR PIERCING", "IGNORE COVER", "IGNORE LONG RANGE", "IGNORE OFF-HAND WEAPON", "IGNORE OFF-HAND",
    "IGNORE ELEVATED POSITION", "IGNORE DEFENDED OBSTACLE", "SHOTGUN", "PISTOL",
    "RISKY", "RISKY ACTION", "RELOAD", "SCATTER", "BLOCK", "FLAMETHROWER", "BLAST", "BLAST (X)", "HELD", "POLEARM",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Terms:
    """A weapon's line as numbers. `left` are printed terms that are not reckoned."""

    hit: int = 0
    injury: int = 0
    flat: int = 0
    base: int = 2
    attacks: int = 1
    keywords: frozenset[str] = frozenset()
    blast: bool = False
    left: tuple[str, ...] = ()


def terms_of(content: Content, held: Held) -> Terms:
    """Read the line of a weapon: its modifiers and its keywords."""
    numbers = {"hit": 0, "injury": 0, "flat": 0}
    base, attacks, blast = 2, 1, False
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
        for pattern in ATTACKS:
            if match := pattern.match(plain):
                attacks, found = max(attacks, int(match[1])), True
        if plain in THREE:
            base, found = 3, True
        if plain.startswith("BLAST"):
            blast, found = True, True
            keywords.add("BLAST")
        word = AS_KEYWORD.get(plain) or FROM_KIND.get(plain)
        if word:
            keywords.add(word)
        elif plain in SILENT:
            keywords.add(plain.removesuffix(" ACTION") if plain == "RISKY ACTION" else plain)
        elif not found:
            left.append(term)
    return Terms(
        numbers["hit"], numbers["injury"], numbers["flat"], base, attacks, frozenset(keywords), blast, tuple(left)
    )


def printed(content: Content, held: Held) -> tuple[str, ...]:
    """A piece's keywords with their figures, without those it has lost, and with those it has gained."""
    family = content.item_keywords[held.item.id]
    lost = family - held.keywords
    kept = [word for key in held.item.keywords if (word := content.keyword(key)) not in lost]
    return (*kept, *sorted(held.keywords - family))


def arms(content: Content, force: Force, fighter: str) -> tuple[Arm, ...]:
    """Every way in which a fighter attacks, each weapon it carries once for shooting and once for fighting. Raises KeyError."""
    who = _facts(content, force, fighter)
    found: dict[str, Arm] = {}
    for held in who.held:
        if not held.item.weapon:
            continue
        for kind in _kinds(held):
            key = f"{held.item.id}:{kind}"
            if key not in found and who.stats[kind].value is not None:
                words = f"{held.item.range_inches}″" if kind == "ranged" and held.item.range_inches else ""
                found[key] = Arm(key, held.item.name, kind, words or ("melee" if kind == "melee" else ""))
    play = content.pack.play
    fights = who.stats["melee"].value is not None and not any(arm.kind == "melee" for arm in found.values())
    if fights and play is not None and play.unarmed == "allowed":
        found["unarmed:melee"] = Arm("unarmed:melee", "Unarmed", "melee", "melee")
    return tuple(found.values())


def _kinds(held: Held) -> tuple[Literal["ranged", "melee"], ...]:
    ranged = held.item.category == "ranged" or held.item.slot == "grenade" or held.item.usable_at_range
    melee = held.item.category == "melee" or held.item.usable_in_melee or "PISTOL" in held.keywords
    return (*(("ranged",) if ranged else ()), *(("melee",) if melee else ()))


def _facts(content: Content, force: Force, fighter: str) -> Facts:
    exam: Exam = examine(content, force)
    for row, who in zip(exam.fighters, exam.facts, strict=True):
        if row.key == fighter:
            return who
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
    """Attacker and target as the rules see them."""

    content: Content
    mine: Facts
    theirs: Facts
    held: Held | None
    kind: Literal["ranged", "melee"]
    terms: Terms = field(default_factory=Terms)


def situation(
    content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
) -> Situation:
    """An attack by a fighter of one force on a fighter of another, with what the table tells, as the resolver's input.

    `told` holds the values of `Situation.toggles` by key. Raises Refusal for an attack that this fighter does not have, KeyError for a
    fighter nobody knows.
    """
    me, foe = _facts(content, *mine), _facts(content, *theirs)
    item, _, kind = arm.partition(":")
    if arm not in {known.key for known in arms(content, *mine)}:
        raise Refusal("This fighter does not attack like that.", code="not-offered")
    held = next((h for h in me.held if h.item.id == item), None)
    sides = Sides(
        content, me, foe, held, "melee" if kind == "melee" else "ranged", terms_of(content, held) if held else Terms()
    )
    given = _given(sides, told)
    toggles = _toggles(sides)
    play = content.pack.play
    one = given["attacks"][0] if "attacks" in given else given
    bears = attack_causes(play, msgspec.convert(one, Attack)) if play is not None else ()
    if "attacks" in given:
        bears = (f"{len(given['attacks'])} attacks, one after the other", *bears)
    return Situation(
        rule="attack",
        given=given,
        toggles=tuple(toggle for toggle in toggles),
        causes=bears,
        unreckoned=_unreckoned(sides),
    )


def _toggles(sides: Sides) -> Iterable[Toggle]:
    ignored = words_of(_keywords(sides))
    if sides.kind == "ranged":
        if not ignored & IGNORES["long_range"]:
            yield Toggle("long_range", "Long range")
        if not ignored & IGNORES["cover"]:
            yield Toggle("cover", "Cover")
        if not ignored & IGNORES["elevated"]:
            yield Toggle("elevated", "I stand higher")
    else:
        if not ignored & IGNORES["off_hand"]:
            yield Toggle("off_hand", "Off-hand weapon")
        if not ignored & IGNORES["defended_obstacle"]:
            yield Toggle("defended_obstacle", "Defended Obstacle")
        yield Toggle("charged", "I charged")
        yield Toggle("diving_charge", "Diving Charge")
    yield Toggle("down", "I am Down")
    yield Toggle("target_down", "The target is Down")
    yield Toggle("dice", "Other dice to hit", -6, 6)
    yield Toggle("injury_dice", "Other dice to injure", -6, 6)
    yield Toggle("blood_spent", "Markers spent on me", 0, 6)
    yield Toggle("blessing_spent", "My blessings spent", 0, 6)
    yield Toggle("injury_blood_spent", "Markers spent on the target", 0, 6)
    yield Toggle("injury_blessing_spent", "Its blessings spent", 0, 6)
    yield Toggle("bloodbath", "Bloodbath")


def _keywords(sides: Sides) -> frozenset[str]:
    """The weapon's keywords, and what whoever attacks with it ignores by a keyword of its own."""
    return sides.terms.keywords | {word for word in sides.mine.keywords if word.startswith("IGNORE ")}


def _given(sides: Sides, told: Mapping[str, Any]) -> dict[str, Any]:
    terms, content = sides.terms, sides.content
    mine, foe = sides.mine, sides.theirs
    hit, injury = _dice(sides)
    flags = (
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
    counts = ("dice", "injury_dice", "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent")
    allowed = {toggle.key: toggle for toggle in _toggles(sides)}
    armour, unignorable = _armour(foe)
    given: dict[str, Any] = {
        "kind": sides.kind,
        "weapon": sides.held.item.name if sides.held else "",
        "ranged": mine.stats["ranged"].value or 0,
        "melee": mine.stats["melee"].value or 0,
        "modifiers": [{"dice": dice, "why": why} for dice, why in hit],
        "injury_modifiers": [{"dice": dice, "why": why} for dice, why in injury],
        "injury_modifier": terms.flat,
        "injury_modifier_why": sides.held.item.name if sides.held else "told",
        "base_dice": terms.base,
        "keywords": sorted(_keywords(sides)),
        "armour": armour,
        "unignorable_armour": unignorable,
        "unarmed": sides.held is None,
        "pistol": sides.held is not None and ("pistol" in sides.held.item.groups or "PISTOL" in sides.held.keywords),
        "grenade": sides.held is not None and sides.held.item.slot == "grenade",
        "automatic_hit": "FLAMETHROWER" in terms.keywords,
        "fear_immune": _fear_immune(mine),
        "target": {**_defence(content, foe), "down": bool(told.get("target_down"))},
    }
    for key in flags:
        if key in allowed and told.get(key):
            given[key] = True
    for key in counts:
        if key in allowed and told.get(key):
            given[key] = max(allowed[key].least, min(allowed[key].most, int(told[key])))
    if terms.attacks > 1 and (sides.kind == "ranged" or _cleaves(sides)):
        later = {k: x for k, x in given.items() if not k.endswith("_spent") and k != "bloodbath"}
        return {"attacks": [given, *[later] * (terms.attacks - 1)]}
    return given


def _defence(content: Content, foe: Facts) -> dict[str, Any]:
    """What a fighter meets injuries with, its armour apart."""
    return {
        "name": "target",
        "tough": "TOUGH" in foe.keywords,
        "golem": "GOLEM" in foe.keywords,
        "fear": "FEAR" in foe.keywords,
        "polearm": any("BLOCK" in terms_of(content, held).keywords for held in foe.held if held.item.weapon),
        "base": foe.base if 20 <= foe.base <= 200 else None,
        "down_is_minor": _has(foe, "down_is_minor"),
        "ignores_out": _has(foe, "ignores_out"),
        "negates": sorted(
            {word.removeprefix("NEGATE ") for word in foe.keywords if word.startswith("NEGATE ")}
            | negated(foe.keywords)
        ),
    }


def defence(content: Content, force: Force, fighter: str) -> dict[str, Any]:
    """A fighter as an injury meets it: `armour`, `unignorable_armour`, and the `target` of the resolver's input. Raises KeyError."""
    who = _facts(content, force, fighter)
    armour, unignorable = _armour(who)
    return {"armour": armour, "unignorable_armour": unignorable, "target": _defence(content, who)}


def blasts(content: Content, force: Force, fighter: str, arm: str) -> bool:
    """Whether this weapon catches fighters around its target, or the point where it lands. Raises KeyError."""
    who, item = _facts(content, force, fighter), arm.partition(":")[0]
    return any(held.item.id == item and terms_of(content, held).blast for held in who.held)


def _cleaves(sides: Sides) -> bool:
    return sides.held is not None and any(word.startswith("CLEAVE") for word in printed(sides.content, sides.held))


def _dice(sides: Sides) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Dice of the weapon and of either fighter's `table` effects: to hit, and to injure."""
    terms, name = sides.terms, sides.held.item.name if sides.held else "Unarmed"
    hit = [(terms.hit, name)] if terms.hit else []
    injury = [(terms.injury, name)] if terms.injury else []
    for cause in sides.mine.of(v.TableEffect):
        if _applies(sides, cause.effect, sides.mine):
            hit += [(cause.effect.hit, cause.source.name)] if cause.effect.hit else []
            injury += [(cause.effect.injury, cause.source.name)] if cause.effect.injury else []
    for cause in sides.theirs.of(v.TableEffect):
        if _applies(sides, cause.effect, sides.theirs):
            hit += [(cause.effect.hit_against, cause.source.name)] if cause.effect.hit_against else []
            injury += [(cause.effect.injury_against, cause.source.name)] if cause.effect.injury_against else []
    return hit, injury


def _applies(sides: Sides, effect: v.TableEffect, bearer: Facts) -> bool:
    keywords = sides.terms.keywords
    return (
        effect.kind in ("", sides.kind)
        and (not effect.keyword or effect.keyword in keywords)
        and not (effect.unless and effect.unless in keywords)
        and (not effect.bearer_keyword or effect.bearer_keyword in bearer.keywords)
        and (
            not effect.items
            or (
                sides.held is not None
                and any(item_passes(test, sides.held, None, sides.content) for test in effect.items)
            )
        )
    )


def _has(who: Facts, name: str) -> bool:
    return any(
        getattr(cause.effect, name) and (not cause.effect.bearer_keyword or cause.effect.bearer_keyword in who.keywords)
        for cause in who.of(v.TableEffect)
    )


def _fear_immune(who: Facts) -> bool:
    return bool(who.keywords & {"FEAR", "GOLEM", "NEGATE FEAR"}) or _has(who, "fear_immune")


def _armour(who: Facts) -> tuple[int, int]:
    """What the target's armour takes off an injury: the part that may be ignored, and the part that never is."""
    total = who.stats["armour"].value or 0
    kept = 0
    for held in who.held:
        firm = "IMPERVIOUS" in held.keywords or any(
            isinstance(effect, v.TableEffect) and effect.unignorable for effect in held.item.effects
        )
        if firm:
            kept += sum(e.add for e in held.item.effects if isinstance(e, v.StatEffect) and e.stat == "armour")
    kept = max(kept, total)
    return max(-9, total - kept), max(-9, kept)


def _unreckoned(sides: Sides) -> tuple[tuple[str, str], ...]:
    """What either side brings that is not in the odds: (whose, words)."""
    found: list[tuple[str, str]] = [("mine", term) for term in sides.terms.left]
    for whose, who, moments in (
        ("mine", sides.mine, ("attack", "battle")),
        ("theirs", sides.theirs, ("defence", "battle")),
    ):
        reckoned = {cause.source.id for cause in who.of(v.TableEffect)}
        for cause in who.of(v.ReminderEffect):
            own = cause.source.kind != "rule" or bool(cause.effect.for_profiles)
            if own and cause.effect.when in moments and cause.source.id not in reckoned:
                found.append((whose, f"{cause.source.name}: {cause.source.words}"))
    return tuple(dict.fromkeys(found))
