"""Collects all effects on a fighter from their sources, and the abilities that they grant and remove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ProfileEntry
from rules.fighters.frame import Frame
from rules.fighters.kit import CarriedItem
from rules.fighters.sources import NO_CHOICES, Cause, EffectSource, picks, source_of
from rules.force import ForceFighter
from rules.vocabulary import AimedEffect

_CHOOSE = ("profile", "ability", "upgrade", "skill", "item")  # kinds of sources that may let a fighter choose


class Gathered(NamedTuple):
    """A fighter's abilities, each with the name of its source ("" when printed), and its effects by type."""

    abilities: dict[str, str]
    effects: dict[type, list[Cause]]


def gathered_effects(
    content: Content,
    frame: Frame,
    fighter: ForceFighter,
    profile: ProfileEntry,
    *,
    for_hire: bool,
    taken: Sequence[EffectSource],
    linked: Sequence[EffectSource],
    pieces: Sequence[CarriedItem],
) -> Gathered:
    """Return every effect that applies to the fighter.

    `taken` are its upgrades, `linked` the sources that it gains from links, `pieces` the items it carries.
    """
    shared = _shared(content, frame, for_hire)
    learned = _skill_sources(content, fighter)
    suffered = _trauma_sources(content, fighter, profile)
    carried = _item_sources(fighter, pieces)
    given = _by_type((*shared, *taken, *learned, *suffered, *linked, *carried), profile)
    changes = given.get(v.AbilityEffect, ())
    gained = [(ability, cause.source.name) for cause in changes for ability in cause.effect.gain]
    lost = {ability for cause in changes for ability in cause.effect.lose}
    own = _own_sources(content, profile, gained, lost)
    effects = _by_type(own, profile)
    choosing = (*effects.get(v.ChooseEffect, ()), *given.get(v.ChooseEffect, ()))
    for source, effect, pick in _picked(fighter, choosing) if choosing else ():
        _add(effects, _chosen_source(content, source, effect, pick), profile)
        if effect.of == "ability":
            gained.append((pick, source.name))
    for kind, causes in given.items():
        effects[kind] = [*effects[kind], *causes] if kind in effects else causes
    abilities = {a: "" for a in profile.abilities if a not in lost and a in content.abilities}
    for ability, given_by in gained:
        if ability in content.abilities and ability not in lost:
            abilities.setdefault(ability, given_by)
    return Gathered(abilities, effects)


def _by_type(sources: Iterable[EffectSource], profile: ProfileEntry) -> dict[type, list[Cause]]:
    """Return the effects of these sources that apply to the profile, by type."""
    effects: dict[type, list[Cause]] = {}
    _add(effects, sources, profile)
    return effects


def _add(effects: dict[type, list[Cause]], sources: Iterable[EffectSource], profile: ProfileEntry) -> None:
    for source in sources:
        for effect in source.effects:
            if isinstance(effect, AimedEffect) and effect.for_profiles and profile.id not in effect.for_profiles:
                continue
            kind = type(effect)
            if kind in effects:
                effects[kind].append(Cause(source, effect))
            else:
                effects[kind] = [Cause(source, effect)]


def upgrade_sources(content: Content, fighter: ForceFighter) -> list[EffectSource]:
    """Return the fighter's upgrades, and the sub-choice of each."""
    return [
        source_of("upgrade", content.upgrades[upgrade], row=row, choices=taken.choices)
        for row, taken in enumerate(fighter.upgrades)
        for upgrade in (taken.upgrade, taken.option)
        if upgrade in content.upgrades
    ]


def _skill_sources(content: Content, fighter: ForceFighter) -> list[EffectSource]:
    return [
        source_of("skill", content.skills[s.skill], choices=s.choices)
        for s in fighter.skills
        if s.skill in content.skills
    ]


def _item_sources(fighter: ForceFighter, pieces: Iterable[CarriedItem]) -> list[EffectSource]:
    return [
        source_of("item", h.item, row=h.row, choices=fighter.kit[h.row].choices if h.row >= 0 else NO_CHOICES)
        for h in pieces
    ]


def _shared(content: Content, frame: Frame, for_hire: bool) -> Sequence[EffectSource]:
    """Return the warband's own sources as they apply to a fighter.

    If the edition does not apply list rules to mercenaries, mercenaries get only the restrictions of those rules.
    """
    if not for_hire or content.pack.mercenaries_share_rules:
        return frame.sources
    return [
        msgspec.structs.replace(s, effects=tuple([e for e in s.effects if isinstance(e, v.MayCarryEffect)]))
        if s.kind == "rule"
        else s
        for s in frame.sources
    ]


def _trauma_sources(content: Content, fighter: ForceFighter, profile: ProfileEntry) -> list[EffectSource]:
    """Return the traumas of the fighter, except those to which its profile is immune."""
    sources = []
    for suffered in fighter.traumas:
        trauma = content.traumas.get(suffered.trauma)
        if trauma is not None and not any(
            isinstance(e, v.NoScarForEffect) and profile.id in e.profiles for e in trauma.effects
        ):
            sources.append(source_of("trauma", trauma, choices=suffered.details))
    return sources


def _own_sources(
    content: Content, profile: ProfileEntry, gained: Iterable[tuple[str, str]], lost: set[str]
) -> list[EffectSource]:
    """Return the profile, its abilities, and the abilities it gained."""
    added = [ability for ability, _ in gained if ability not in profile.abilities]
    return [
        source_of("profile", profile),
        *[
            source_of("ability", content.abilities[ability], profile.name)
            for ability in (*profile.abilities, *added)
            if ability in content.abilities and ability not in lost
        ],
    ]


def _picked(fighter: ForceFighter, choosing: Iterable[Cause]) -> Iterator[tuple[EffectSource, v.ChooseEffect, str]]:
    """Yield the picks that the fighter's own sources let it make.

    Picks of profiles and abilities are stored with the fighter.
    """
    for cause in choosing:
        source, effect = cause.source, cause.effect
        if effect.of == "list-rule" or source.kind not in _CHOOSE:
            continue
        choices = fighter.choices if source.kind in ("profile", "ability") else source.choices
        for pick in picks(choices, effect.key):
            yield source, effect, pick


def _chosen_source(content: Content, source: EffectSource, effect: v.ChooseEffect, pick: str) -> list[EffectSource]:
    """Return the entry that was picked, as a separate source; an empty list for an unknown entry."""
    entries: Mapping[str, Any] = {
        "ability": content.abilities, "upgrade": content.upgrades, "skill": content.skills
    }[effect.of]  # fmt: skip
    return [source_of(effect.of, entries[pick], source.where)] if pick in entries else []
