"""The ways in which a fighter of a roster may attack: with each weapon, by a rule text, or with bare hands."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes
from rules.fighters.sources import Cause
from rules.force import Force, ForceFighter
from rules.legality.roster_state import examine
from rules.resolvers.situation import Arm
from rules.trench_crusade.resolvers.weapon_lines import AttackTerms, terms_of

UNARMED = "unarmed"
NATURAL = "natural-"  # prefix of the id of the text that gives an attack without a weapon


@dataclass(frozen=True)
class AttackMode:
    """One way of attacking: with a piece, by a rule text (`natural`), or with bare hands."""

    arm: Arm
    held: CarriedItem | None = None
    natural: Cause | None = None

    @property
    def text(self) -> v.NaturalEffect | None:
        """What a text says of an attack without a weapon."""
        effect: v.NaturalEffect | None = self.natural.effect if self.natural is not None else None
        return effect


def arms(content: Content, force: Force, fighter: str) -> tuple[Arm, ...]:
    """Every way in which a fighter attacks: each weapon once for shooting and once for fighting, then what takes no weapon. Raises KeyError."""
    return tuple(mode.arm for mode in attack_modes(content, facts_of(content, force, fighter)[0]))


def attack_modes(content: Content, fighter: Facts) -> tuple[AttackMode, ...]:
    """The same with what each of them is made with."""
    armed = _armed_modes(content, fighter)
    has_blade = any("melee" in _kinds(mode.held, fights=False) for mode in armed.values() if mode.held is not None)
    natural = _natural_modes(fighter, armed, armed=has_blade)
    play = content.pack.play
    texts = [mode.text for mode in natural.values() if mode.text is not None]
    found = (*armed.values(), *natural.values())
    if has_blade or fighter.stats["melee"].value is None or play is None or play.unarmed != "allowed":
        return found
    if not all(text.kind == "ranged" or text.on_down or text.besides for text in texts):
        return found
    return (*found, AttackMode(Arm(f"{UNARMED}:melee", UNARMED.capitalize(), "melee", "melee")))


def _armed_modes(content: Content, fighter: Facts) -> dict[str, AttackMode]:
    found: dict[str, AttackMode] = {}
    tests = [test for cause in fighter.of(v.FightsWithEffect) for test in cause.effect.items]
    for held in fighter.held:
        by_text = any(item_passes(test, held, None, content) for test in tests)
        for kind in _kinds(held, fights=by_text) if held.item.weapon else ():
            key = f"{held.item.id}:{kind}"
            if key in found or fighter.stats[kind].value is None:
                continue
            reach = f"{held.item.range_inches}″" if held.item.range_inches else ""
            found[key] = AttackMode(Arm(key, held.item.name, kind, "melee" if kind == "melee" else reach), held)
    return found


def _kinds(held: CarriedItem, *, fights: bool) -> tuple[Literal["ranged", "melee"], ...]:
    ranged = held.item.category == "ranged" or held.item.slot == "grenade" or held.item.usable_at_range
    melee = fights or held.item.category == "melee" or held.item.usable_in_melee or "PISTOL" in held.keywords
    return (*(("ranged",) if ranged else ()), *(("melee",) if melee else ()))


def _natural_modes(fighter: Facts, taken: Collection[str], *, armed: bool) -> dict[str, AttackMode]:
    """Attacks that texts give without a weapon. `armed`: the fighter has a melee weapon."""
    found: dict[str, AttackMode] = {}
    for cause in fighter.of(v.NaturalEffect):
        effect: v.NaturalEffect = cause.effect
        is_unarmed = effect.name == UNARMED.capitalize()
        key = f"{UNARMED if is_unarmed else NATURAL + cause.source.id}:{effect.kind}"
        if effect.slot and not any(held.item.slot == effect.slot for held in fighter.held):
            continue
        able = effect.characteristic == "none" or fighter.stats[effect.kind].value is not None
        if key in taken or key in found or not able or (armed and not effect.with_weapons):
            continue
        if _blows_of(effect, fighter):
            reach = f"{effect.range_inches}″" if effect.range_inches else "melee"
            found[key] = AttackMode(Arm(key, effect.name or cause.source.name, effect.kind, reach), None, cause)
    return found


def _blows_of(effect: v.NaturalEffect, fighter: Facts) -> int:
    """How many attacks one ACTION brings: with `by_hands` one for each hand that holds nothing."""
    used, had = fighter.hands_melee
    return min(effect.attacks, max(0, had - used)) if effect.by_hands else effect.attacks


def mode_terms(content: Content, fighter: Facts, mode: AttackMode, *, first: bool = True) -> AttackTerms:
    """The line of an attack; of several, of the `first` or of those after it."""
    if mode.held is not None:
        return terms_of(content, mode.held)
    effect = mode.text
    if effect is None:
        return AttackTerms()
    count = _blows_of(effect, fighter)
    keywords = frozenset((*effect.keywords, *(effect.first_keywords if first else ())))
    return AttackTerms(effect.hit, effect.injury, effect.flat, 2, count, count, keywords)


def facts_of(content: Content, force: Force, fighter: str) -> tuple[Facts, tuple[Facts, ...]]:
    """A fighter, and everybody else of its force. Raises KeyError."""
    state = examine(content, force)
    people = dict(zip((row.key for row in state.fighters), state.facts, strict=True))
    return people[fighter], tuple(other for key, other in people.items() if key != fighter)


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
    """Every profile of every list that is open, cached with the content: the list's name, and ("list.profile", name) for each."""
    cached = content.cache.get("profiles-by-list")
    if cached is None:
        found = []
        for list_id, compiled in content.lists.items():
            if compiled.closed:
                continue
            ids = dict.fromkeys(o.profile for o in content.pack.profile_offers if list_id in o.lists)
            entries = tuple((f"{list_id}.{profile}", content.profiles[profile].name) for profile in ids)
            found.append((compiled.army.name, entries))
        cached = content.cache["profiles-by-list"] = tuple(found)
    return cached
