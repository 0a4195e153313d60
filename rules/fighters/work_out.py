"""Works out the current state of a fighter step by step: identity, kit, effects, keywords, characteristics, prices and hands.

Results are cached by everything that the fighter consists of, so a roster with one changed fighter recalculates only
that fighter. This
module does not decide whether anything is legal: `rules.checker` does.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content, freeze
from rules.content.schema import ItemOffer
from rules.fighters.effects import gathered_effects, upgrade_sources
from rules.fighters.facts import Bearer, Facts
from rules.fighters.frame import Frame
from rules.fighters.hands import used_hands
from rules.fighters.identity import Identity, identity_of
from rules.fighters.keywords import Keywords, keywords_of, with_item_keywords
from rules.fighters.kit import CarriedItem, kit_of
from rules.fighters.prices import priced_kit, worth_of
from rules.fighters.sources import Cause, EffectSource
from rules.fighters.stats import characteristics_of
from rules.force import ForceFighter

_MAX_REMEMBERED = 4_000


class RememberedFacts(dict[Hashable, Facts]):
    """A cache of fighters' facts under one content, by everything that they depend on."""

    def __init__(self, _content: Content) -> None:
        super().__init__()


def facts(content: Content, frame: Frame, fighter: ForceFighter, *, explicit: bool = False) -> Facts:
    """Return the facts of one fighter.

    `explicit`: swappable kit counts as present only if listed (rows); otherwise it is implied (a document).
    """
    linked = frame.linked.get(fighter.key, ())
    foreign = frame.foreign.get(fighter.key, ()) if frame.foreign else ()
    links = tuple([(x.id, x.name, x.effects) for x in linked])
    firsts = frame.firsts.rows.get(fighter.key, ())
    key = (frame.key, explicit, links, tuple([o.id for o in foreign]), firsts, _fingerprint(fighter))
    remembered = content.once(RememberedFacts)
    found = remembered.get(key)
    if found is None:
        if len(remembered) > _MAX_REMEMBERED:
            remembered.clear()
        found = remembered[key] = _work_out(content, frame, fighter, explicit, linked, foreign)
    return found


def _fingerprint(fighter: ForceFighter) -> tuple[Any, ...]:
    """Return everything that a fighter's facts depend on.

    It is equal for two fighters that differ only in name and keys.
    """
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


def _work_out(
    content: Content,
    frame: Frame,
    fighter: ForceFighter,
    explicit: bool,
    linked: tuple[EffectSource, ...],
    foreign: tuple[ItemOffer, ...],
) -> Facts:
    taken = upgrade_sources(content, fighter)
    identity = identity_of(content, frame, fighter, taken)
    profile = identity.profile
    kit = kit_of(content, fighter, profile, taken, explicit)
    abilities, effects = gathered_effects(
        content,
        frame,
        fighter,
        profile,
        for_hire=identity.for_hire,
        taken=taken,
        linked=linked,
        pieces=kit.pieces,
    )
    keywords = keywords_of(content, fighter, profile, effects, mercenary=identity.mercenary, leader=identity.leader)
    stats, movement, base = characteristics_of(fighter, profile, effects)
    pieces = with_item_keywords(content, kit.pieces, effects.get(v.ItemKeywordEffect, ()))
    bearer = _bearer(fighter, identity, keywords, base, pieces, effects)
    held = priced_kit(frame, fighter, bearer, pieces, foreign)
    hands = used_hands(content, bearer, held, effects)
    worth = worth_of(frame, fighter, identity.offer, identity.becomes, held, kit.removed, effects)
    return Facts(
        profile=profile,
        counts_as=bearer.counts_as,
        counts_except=bearer.counts_except,
        mercenary=bearer.mercenary,
        elite=bearer.elite,
        keywords=bearer.keywords,
        kit_keywords=bearer.kit_keywords,
        base=base,
        item_ids=bearer.item_ids,
        item_keywords=bearer.item_keywords,
        groups=bearer.groups,
        upgrades=bearer.upgrades,
        skills=bearer.skills,
        printed=identity.printed,
        becomes=identity.becomes,
        offer=identity.offer,
        leader=identity.leader,
        keyword_causes=keywords.causes,
        abilities=abilities,
        effects=effects,
        stats=stats,
        movement=movement,
        held=held,
        removed_sets=kit.removed,
        missing=tuple([("item", item.item) for item in fighter.kit if item.item not in content.items]),
        hands_ranged=hands.ranged,
        hands_melee=hands.melee,
        hand_uses=hands.uses,
        rating=worth.rating,
        spent=worth.spent,
        profile_price=worth.profile,
        upgrade_prices=worth.upgrades,
        explicit=explicit,
    )


def _bearer(
    fighter: ForceFighter,
    identity: Identity,
    keywords: Keywords,
    base: int,
    pieces: Sequence[CarriedItem],
    effects: Mapping[type, list[Cause]],
) -> Bearer:
    """Return the fighter as requirements see it."""
    counts_except = {
        cause.effect.profile: frozenset(cause.effect.except_items)
        for cause in effects.get(v.CountsAsEffect, ())
        if cause.effect.profile
    }
    stood_for = [e.item for held in pieces for e in held.item.effects if isinstance(e, v.CountsAsEffect) and e.item]
    return Bearer(
        profile=identity.profile,
        counts_as=frozenset(counts_except),
        counts_except=counts_except,
        mercenary=identity.mercenary,
        elite="ELITE" in keywords.now,
        keywords=keywords.now,
        kit_keywords=keywords.kit,
        base=base,
        item_ids=frozenset([held.item.id for held in pieces] + stood_for),
        item_keywords=frozenset().union(*[held.keywords for held in pieces]),
        groups=frozenset([group for held in pieces for group in held.item.groups]),
        upgrades=frozenset([u for taken in fighter.upgrades for u in (taken.upgrade, taken.option) if u]),
        skills=frozenset([skill.skill for skill in fighter.skills]),
    )
