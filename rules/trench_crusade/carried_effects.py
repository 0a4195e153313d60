"""The effects active in a warband, each with the entry and the fighter that carry it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.content.compiled import Content
from rules.content.schema import ItemOffer, Skill
from rules.fighters.matching import holder_fits
from rules.force import Force, ForceFighter, ForceItem
from rules.legality.hiring import raised
from rules.legality.roster_state import examine
from rules.vocabulary import ChooseEffect, Effect, Holder


@dataclass(frozen=True, slots=True)
class CarriedEffect:
    """One active effect.

    The key is stable, `name` is the entry's name as players know it, and `fighter` is "" for the warband.
    """

    key: str
    name: str
    effect: Effect
    fighter: str = ""
    skill_kind: str = ""


def has_effect(entry: Any, kind: type) -> bool:
    """Return whether an entry of the pack has an effect of this kind; False if there is no entry."""
    return any(isinstance(effect, kind) for effect in (entry.effects if entry else ()))


def skill_picks(skill: Skill, choices: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the skills picked through a skill that lets its bearer choose one."""
    picks: list[str] = []
    for effect in skill.effects:
        if isinstance(effect, ChooseEffect) and effect.of == "skill":
            picked = choices.get(effect.key, ())
            picks.extend([picked] if isinstance(picked, str) else [str(pick) for pick in picked])
    return tuple(picks)


def known_skills(content: Content, fighter: ForceFighter) -> frozenset[str]:
    """Return every skill of a fighter, including those picked through another skill."""
    found: set[str] = set()
    for learned in fighter.skills:
        found.add(learned.skill)
        if learned.skill in content.skills:
            found.update(skill_picks(content.skills[learned.skill], learned.choices))
    return frozenset(found)


def full_skills(content: Content, force: Force, key: str) -> frozenset[str]:
    """Return the skills closed to a fighter: others have as many as there may be, or it is not one to learn them."""
    limited = {skill.id: skill.most for skill in content.pack.skills if skill.most is not None}
    others = [known_skills(content, f) for f in force.fighters if f.active and f.key != key] if limited else []
    full = {skill for skill, maximum in limited.items() if sum(skill in known for known in others) >= maximum}
    return frozenset(full | _not_to_learn(content, force, key))


def _not_to_learn(content: Content, force: Force, key: str) -> set[str]:
    """Return the skills that are kept for others than this fighter."""
    kept = [skill for skill in content.pack.skills if skill.who != Holder()]
    who = next((w for f, w in examine(content, force).people if f.key == key), None) if kept else None
    return {skill.id for skill in kept if who is not None and not holder_fits(skill.who, who, content)}


def _of_entry(entry: Any, key: str, fighter: str = "", skill_kind: str = "") -> Iterator[CarriedEffect]:
    """Yield the effects of an entry of the pack, or nothing if the pack no longer has the entry."""
    for index, effect in enumerate(entry.effects if entry else ()):
        yield CarriedEffect(f"{key}-{index}", entry.name, effect, fighter, skill_kind)


def _of_items(content: Content, kit: Iterable[ForceItem], fighter: str) -> Iterator[CarriedEffect]:
    for piece in kit:
        yield from _of_entry(content.items.get(piece.item), f"{fighter or 'stash'}-{piece.key}", fighter)


def _of_fighter(content: Content, fighter: ForceFighter) -> Iterator[CarriedEffect]:
    key = fighter.key
    profile = content.profiles.get(fighter.profile)
    if profile is not None:
        yield from _of_entry(profile, f"{key}-profile", key)
        for ability_id in profile.abilities:
            yield from _of_entry(content.abilities.get(ability_id), f"{key}-{ability_id}", key)
    for taken in fighter.upgrades:
        for upgrade_id in (taken.upgrade, taken.option):
            yield from _of_entry(content.upgrades.get(upgrade_id), f"{key}-{taken.key}-{upgrade_id}", key)
    for learned in fighter.skills:
        skill = content.skills.get(learned.skill)
        for skill_id in (skill.id, *skill_picks(skill, learned.choices)) if skill else ():
            part = content.skills.get(skill_id)
            yield from _of_entry(part, f"{key}-{learned.key}-{skill_id}", key, part.kind if part else "")
    for suffered in fighter.traumas:
        yield from _of_entry(content.traumas.get(suffered.trauma), f"{key}-{suffered.key}", key)
    yield from _of_items(content, fighter.kit, key)


def sources(content: Content, force: Force) -> tuple[CarriedEffect, ...]:
    """Return every active effect in a warband: from its list's rules, lasting finds, active fighters and stash."""
    found: list[CarriedEffect] = []
    for rule_id in content.lists[force.list].army.rules:
        found.extend(_of_entry(content.rules.get(rule_id), f"rule-{rule_id}"))
    for lasting_id in force.lasting:
        found.extend(_of_entry(content.lasting.get(lasting_id), f"lasting-{lasting_id}"))
    for fighter in force.fighters:
        if fighter.active:
            found.extend(_of_fighter(content, fighter))
    found.extend(_of_items(content, force.stash, ""))
    return tuple(found)


def count_owned(force: Force, item: str) -> int:
    """Return how many of an item the warband owns.

    It counts items carried by active fighters, in the stash, or lost but still in effect.
    """
    carried = sum(1 for f in force.fighters if f.active for i in f.kit if i.item == item and i.origin != "mandatory")
    return carried + sum(1 for i in (*force.stash, *force.lost) if i.item == item)


def limit_of(content: Content, force: Force, offer: ItemOffer) -> int | None:
    """Return the LIMIT of an armoury entry for this warband, including what raises it. None means any number."""
    limit = content.limit_of(offer.limit, offer.id, offer.item)
    return None if limit is None else limit + raised(examine(content, force), offer.id, offer.item)
