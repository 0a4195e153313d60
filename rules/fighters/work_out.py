"""Works out what a fighter is right now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content, freeze
from rules.content.schema import ItemOffer, ProfileEntry, ProfileOffer
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame
from rules.fighters.hands import set_hands
from rules.fighters.keywords import set_keywords
from rules.fighters.kit import kit_of
from rules.fighters.matching import passes_any
from rules.fighters.memory import MOST_REMEMBERED
from rules.fighters.prices import entry_of, price_of, set_money
from rules.fighters.sources import Cause, EffectSource, picks
from rules.fighters.stats import set_stats
from rules.force import ForceFighter
from rules.vocabulary import Effect

NOTHING: Mapping[str, Any] = {}


def fingerprint(fighter: ForceFighter) -> tuple[Any, ...]:
    """Everything of a fighter that its facts depend on; equal for two fighters alike but for name and keys."""
    return (
        fighter.profile,
        fighter.offer,
        fighter.hired_as,
        fighter.promoted,
        fighter.demoted,
        fighter.paid,
        tuple([(i.item, i.origin, i.offer, i.paid, freeze(i.choices) if i.choices else ()) for i in fighter.kit]),
        tuple(
            [(u.upgrade, u.offer, u.option, u.paid, freeze(u.choices) if u.choices else ()) for u in fighter.upgrades]
        ),
        tuple([(s.skill, freeze(s.choices) if s.choices else ()) for s in fighter.skills]),
        tuple([(t.trauma, t.scar, freeze(t.details) if t.details else ()) for t in fighter.traumas]),
        freeze(fighter.choices) if fighter.choices else (),
    )


def facts(content: Content, frame: Frame, fighter: ForceFighter, *, explicit: bool = False) -> Facts:
    """The facts of one fighter. `explicit`: swappable kit is listed where it is still there (rows), not implied (a document)."""
    linked = frame.linked.get(fighter.key, ())
    foreign = frame.foreign.get(fighter.key, ()) if frame.foreign else ()
    links = tuple([(x.id, x.name, x.effects) for x in linked])
    firsts = frame.firsts.rows.get(fighter.key, ())
    key = (frame.key, explicit, links, tuple([o.id for o in foreign]), firsts, fingerprint(fighter))
    remembered: dict[Any, Facts] = content.cache.setdefault("facts", {})
    found = remembered.get(key)
    if found is None:
        if len(remembered) > MOST_REMEMBERED:
            remembered.clear()
        found = remembered[key] = _work_out(content, frame, fighter, explicit, linked, foreign)
    return found


def _base_sources(
    content: Content, frame: Frame, profile: ProfileEntry, gained: Iterable[tuple[str, str]], lost: set[str]
) -> list[EffectSource]:
    sources = [
        EffectSource(
            "profile", profile.id, profile.name, profile.summary, profile.source or profile.name, profile.effects
        )
    ]
    for ability_id in profile.abilities:
        if ability_id in content.abilities and ability_id not in lost:
            a = content.abilities[ability_id]
            sources.append(EffectSource("ability", a.id, a.name, a.summary, a.source or profile.name, a.effects))
    for ability_id, _cause in gained:
        if ability_id in content.abilities and ability_id not in lost and ability_id not in profile.abilities:
            a = content.abilities[ability_id]
            sources.append(EffectSource("ability", a.id, a.name, a.summary, a.source or profile.name, a.effects))
    return sources


def _shared(content: Content, frame: Frame, mercenary: bool) -> Sequence[EffectSource]:
    """The warband's own sources as they reach a fighter. Where the edition keeps them from mercenaries, those get only what rules forbid."""
    if not mercenary or content.pack.mercenaries_share_rules:
        return frame.sources
    return [
        s._replace(effects=tuple([e for e in s.effects if isinstance(e, v.MayCarryEffect)])) if s.kind == "rule" else s
        for s in frame.sources
    ]


def _applies(effect: Effect, profile: ProfileEntry) -> bool:
    limited: tuple[str, ...] = getattr(effect, "for_profiles", ())
    return not limited or profile.id in limited


def _work_out(
    content: Content,
    frame: Frame,
    fighter: ForceFighter,
    explicit: bool,
    linked: tuple[EffectSource, ...],
    foreign: tuple[ItemOffer, ...],
) -> Facts:
    who = Facts()
    who.findings = None
    who.under = None
    who.explicit = explicit
    missing: list[tuple[str, str]] = []
    printed = content.profiles[fighter.profile]
    who.printed = printed

    # sources beyond the profile
    taken: list[EffectSource] = []
    for row, upgrade in enumerate(fighter.upgrades):
        for upgrade_id in (upgrade.upgrade, upgrade.option):
            if upgrade_id and upgrade_id in content.upgrades:
                u = content.upgrades[upgrade_id]
                taken.append(
                    EffectSource(
                        "upgrade", u.id, u.name, u.summary, u.source or u.name, u.effects, row, upgrade.choices
                    )
                )
    becomes = next((e for s in taken for e in s.effects if isinstance(e, v.BecomesEffect)), None)
    profile = content.profiles.get(becomes.profile, printed) if becomes else printed
    who.profile = profile
    who.becomes = becomes
    hired = content.profile_offers.get(fighter.offer)
    if becomes is not None and hired is not None and hired.profile in content.profiles:
        who.printed = content.profiles[hired.profile]
    for_hire = profile.role == "mercenary" or (hired is not None and hired.hired_as == "mercenary")
    shared = _shared(content, frame, for_hire)
    learned: list[EffectSource] = []
    for skill in fighter.skills:
        if skill.skill in content.skills:
            k = content.skills[skill.skill]
            learned.append(
                EffectSource("skill", k.id, k.name, k.summary, k.source or k.name, k.effects, -1, skill.choices)
            )
    suffered: list[EffectSource] = []
    for trauma in fighter.traumas:
        if trauma.trauma in content.traumas:
            t = content.traumas[trauma.trauma]
            spared = any(isinstance(e, v.NoScarForEffect) and profile.id in e.profiles for e in t.effects)
            if not spared:
                suffered.append(
                    EffectSource("trauma", t.id, t.name, t.summary, t.source or t.name, t.effects, -1, trauma.details)
                )

    # kit
    held, removed = kit_of(content, fighter, profile, taken, explicit)
    carried = [
        EffectSource(
            "item",
            h.item.id,
            h.item.name,
            h.item.summary,
            h.item.source or h.item.name,
            h.item.effects,
            h.row,
            fighter.kit[h.row].choices if h.row >= 0 else NOTHING,
        )
        for h in held
    ]

    # abilities gained and lost
    gained: list[tuple[str, str]] = []
    lost: set[str] = set()
    for source in (*shared, *taken, *learned, *suffered, *linked, *carried):
        for effect in source.effects:
            if isinstance(effect, v.AbilityEffect) and _applies(effect, profile):
                gained += [(a, source.name) for a in effect.gain]
                lost.update(effect.lose)
    first = _base_sources(content, frame, profile, gained, lost)
    chosen: list[EffectSource] = []
    for source in (*first, *taken, *learned, *carried):
        for effect in source.effects:
            if isinstance(effect, v.ChooseEffect) and effect.of != "list-rule":
                own = fighter.choices if source.kind in ("profile", "ability") else source.choices
                for pick in picks(own, effect.key):
                    _add_pick(content, effect, pick, chosen, source)
                    if effect.of == "ability":
                        gained.append((pick, source.name))
    abilities = {a: "" for a in profile.abilities if a not in lost and a in content.abilities}
    for ability_id, given_by in gained:
        if ability_id in content.abilities and ability_id not in lost:
            abilities.setdefault(ability_id, given_by)
    who.abilities = abilities

    sources = (*first, *chosen, *shared, *taken, *learned, *suffered, *linked, *carried)
    effects: dict[type, list[Cause]] = {}
    for source in sources:
        for effect in source.effects:
            if _applies(effect, profile):
                effects.setdefault(type(effect), []).append(Cause(source, effect))
    who.sources = sources
    who.effects = effects

    # who it is
    offer: ProfileOffer | ItemOffer | None = content.profile_offers.get(fighter.offer) or content.item_offers.get(
        fighter.offer
    )
    if offer is None:
        entries = frame.list.by_profile.get(who.printed.id, ())
        offer = entries[0] if entries else None
    who.offer = offer
    hired_as = offer.hired_as if isinstance(offer, ProfileOffer) else fighter.hired_as
    who.mercenary = profile.role == "mercenary" or hired_as == "mercenary"
    who.leader = isinstance(offer, ProfileOffer) and offer.leader and offer.id not in frame.outranked
    counts: dict[str, frozenset[str]] = {}
    for cause in effects.get(v.CountsAsEffect, ()):
        if cause.effect.profile:
            counts[cause.effect.profile] = frozenset(cause.effect.except_items)
    who.counts_as = frozenset(counts)
    who.counts_except = counts
    set_keywords(content, who, fighter, effects)
    set_stats(content, who, fighter, effects)

    # items as they are on this fighter
    for cause in effects.get(v.ItemKeywordEffect, ()):
        change: v.ItemKeywordEffect = cause.effect
        for h in held:
            if passes_any(change.items, h, None, content):
                h.keywords = (h.keywords | {content.keyword(k) for k in change.gain}) - {
                    content.keyword(k) for k in change.lose
                }
    who.held = tuple(held)
    who.item_ids = frozenset(
        [h.item.id for h in held]
        + [e.item for h in held for e in h.item.effects if isinstance(e, v.CountsAsEffect) and e.item]
    )
    who.item_keywords = frozenset(k for h in held for k in h.keywords)
    who.groups = frozenset(g for h in held for g in h.item.groups)
    who.upgrades = frozenset(u for x in fighter.upgrades for u in (x.upgrade, x.option) if u)
    who.skills = frozenset(s.skill for s in fighter.skills)
    for place, h in enumerate(held):
        if h.included is None:
            h.offer = entry_of(content, frame, fighter, who, h, foreign)
            h.price = price_of(content, frame, fighter, h, place)
        if h.offer is not None and h.offer.hands is not None:
            h.hands = h.offer.hands
    for item in fighter.kit:
        if item.item not in content.items:
            missing.append(("item", item.item))
    who.missing = tuple(missing)
    set_hands(content, who, effects)
    who.removed_sets = removed
    set_money(content, frame, fighter, who, offer, becomes)
    return who


def _add_pick(
    content: Content, effect: v.ChooseEffect, pick: str, chosen: list[EffectSource], source: EffectSource
) -> None:
    table: Mapping[str, Any] = {"ability": content.abilities, "upgrade": content.upgrades, "skill": content.skills}[
        effect.of
    ]
    entry = table.get(pick)
    if entry is not None:
        chosen.append(
            EffectSource(effect.of, entry.id, entry.name, entry.summary, entry.source or source.where, entry.effects)
        )
