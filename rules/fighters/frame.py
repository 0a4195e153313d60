"""What all fighters of a warband have in common: its list, its rules, and what single fighters add for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent, freeze
from rules.content.schema import ItemOffer, UpgradeOffer
from rules.fighters.foreign import foreign_offers
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes
from rules.fighters.memory import number_of
from rules.fighters.sources import Cause, EffectSource, picks
from rules.force import Force, ForceFighter, ForceItem, ForceSkill
from rules.vocabulary import Effect, ItemTest

PAIRS = "fireteams"  # the warband's choice that holds its declared pairs


class Firsts(NamedTuple):
    """Which pieces are the warband's first copies where those cost less: rows of fighters, pieces of the stash, and their items."""

    tests: tuple[ItemTest, ...] = ()
    rows: Mapping[str, frozenset[int]] = {}
    stash: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()


NO_FIRSTS = Firsts()


class Frame:
    """What all fighters of a warband have in common: its list, the rules in force and what was chosen for them."""

    __slots__ = (
        "content", "effects", "firsts", "foreign", "in_force", "key", "linked", "list", "outranked", "prices", "sources", "wide",
    )  # fmt: skip

    def __init__(self, content: Content, key: Any, force: Force) -> None:
        self.content = content
        self.key = key
        self.list: ListContent = content.lists[force.list]
        rules = list(self.list.rules)
        for effect in (e for part in (self.list.army.choices, *(r.effects for r in self.list.rules)) for e in part):
            if isinstance(effect, v.ChooseEffect) and effect.of == "list-rule":
                rules += [content.rules[r] for r in picks(force.choices, effect.key) if r in content.rules]
        self.in_force = frozenset(r.id for r in rules)
        self.outranked: frozenset[str] = frozenset()
        kept = force.state.get("lasting") or {}
        chosen = {
            str(entry.get("id")): entry.get("choices") or {} for entry in kept.values() if isinstance(entry, Mapping)
        }
        self.sources: list[EffectSource] = [
            EffectSource("rule", r.id, r.name, r.summary, r.source or self.list.army.name, r.effects, -1, force.choices)
            for r in rules
        ]
        self.sources += [
            EffectSource("lasting", x.id, x.name, x.summary, x.name, x.effects, -1, chosen.get(x.id, {}))
            for x in (content.lasting[i] for i in force.lasting if i in content.lasting)
        ]
        self.effects: dict[type, list[Cause]] = {}
        for source in self.sources:
            for effect in source.effects:
                self.effects.setdefault(type(effect), []).append(Cause(source, effect))
        for effect in self.list.army.choices:
            source = EffectSource(
                "rule", self.list.army.id, self.list.army.name, "", self.list.army.name, (effect,), -1, force.choices
            )
            self.effects.setdefault(type(effect), []).append(Cause(source, effect))
        self.wide: tuple[Cause, ...] = ()
        self.prices: tuple[v.PriceEffect, ...] = ()
        self.firsts = NO_FIRSTS
        self.linked: dict[str, tuple[EffectSource, ...]] = {}
        self.foreign: dict[str, tuple[ItemOffer, ...]] = {}

    def of(self, kind: type) -> Sequence[Cause]:
        """The warband's own effects of one type."""
        return self.effects.get(kind, ())

    def upgrade_entries(self, upgrade: str) -> tuple[UpgradeOffer, ...]:
        """The entries of an upgrade that are open: on the list, and under a rule in force where they ask for one."""
        entries = self.list.by_upgrade.get(upgrade, ())
        if all(not o.rule for o in entries):
            return entries
        return tuple(o for o in entries if not o.rule or o.rule in self.in_force)


def frame_of(content: Content, force: Force) -> Frame:
    """The frame of a warband. Raises KeyError for a list the pack does not hold."""
    own = {key: value for key, value in force.choices.items() if key != PAIRS}
    key = (force.list, freeze(own), force.lasting, freeze(force.state.get("lasting") or {}))
    frames: dict[Any, Frame] = content.cache.setdefault("frames", {})
    bare = frames.get(key)
    if bare is None:
        if len(frames) > 500:
            frames.clear()
        bare = frames[key] = Frame(content, number_of(content, key), force)
    return _with_the_living(content, force, bare)


def at_work_when_lost(content: Content) -> frozenset[str]:
    """Items with an effect that stays when the piece is lost with its bearer."""
    found: frozenset[str] | None = content.cache.get("at-work-when-lost")
    if found is None:
        found = frozenset(
            item.id
            for item in content.pack.items
            if any(isinstance(e, v.RaiseLimitEffect) and e.stays for e in item.effects)
        )
        content.cache["at-work-when-lost"] = found
    return found


def _wide_sources(content: Content) -> frozenset[tuple[str, str]]:
    """Skills, upgrades, items and traumas with an effect beyond their bearer."""
    found = content.cache.get("wide")
    if found is None:
        kinds = (
            v.PriceEffect,
            v.EliteCapEffect,
            v.RaiseLimitEffect,
            v.LinkEffect,
            v.ForeignPickEffect,
            v.ShopCapEffect,
            v.OpensOffersEffect,
        )
        found = frozenset(
            (kind, entry.id)
            for kind, entries in (
                ("skill", content.pack.skills),
                ("item", content.pack.items),
                ("upgrade", content.pack.upgrades),
            )
            for entry in entries
            if any(isinstance(e, kinds) for e in entry.effects)
        )
        content.cache["wide"] = found
    return found


def _picked_skills(content: Content, held: ForceSkill) -> tuple[str, ...]:
    """The skills picked through a skill that lets its bearer choose one."""
    entry = content.skills.get(held.skill)
    keys = [e.key for e in (entry.effects if entry else ()) if isinstance(e, v.ChooseEffect) and e.of == "skill"]
    return tuple(pick for key in keys for pick in picks(held.choices, key))


def _with_the_living(content: Content, force: Force, bare: Frame) -> Frame:
    """The frame with what single fighters and finds add for the whole warband."""
    wide = _wide_sources(content)
    causes: list[tuple[str, Cause]] = []
    for kind in (
        v.PriceEffect,
        v.RaiseLimitEffect,
        v.LinkEffect,
        v.ForeignPickEffect,
        v.OpensOffersEffect,
        v.ShopCapEffect,
    ):
        causes += [("", c) for c in bare.of(kind)]
    if wide:
        for fighter in force.fighters:
            if fighter.status not in ("active", "captive"):
                continue
            for row, skill in enumerate(fighter.skills):
                for one in (skill.skill, *_picked_skills(content, skill)):
                    if ("skill", one) not in wide:
                        continue
                    entry = content.skills[one]
                    source = EffectSource(
                        "skill", entry.id, entry.name, entry.summary, entry.source, entry.effects, row, skill.choices
                    )
                    causes += [(fighter.key, Cause(source, e)) for e in entry.effects]
            for row, piece in enumerate(fighter.kit):
                if ("item", piece.item) in wide:
                    thing = content.items[piece.item]
                    source = EffectSource(
                        "item", thing.id, thing.name, thing.summary, thing.source, thing.effects, row, piece.choices
                    )
                    causes += [(fighter.key, Cause(source, e)) for e in thing.effects]
            for row, upgrade in enumerate(fighter.upgrades):
                if ("upgrade", upgrade.upgrade) in wide:
                    taken = content.upgrades[upgrade.upgrade]
                    source = EffectSource(
                        "upgrade",
                        taken.id,
                        taken.name,
                        taken.summary,
                        taken.source,
                        taken.effects,
                        row,
                        upgrade.choices,
                    )
                    causes += [(fighter.key, Cause(source, e)) for e in taken.effects]
    for piece in force.stash:
        if ("item", piece.item) in wide:  # a raised limit stays raised, whoever carries what raised it
            thing = content.items[piece.item]
            source = EffectSource(
                "item", thing.id, thing.name, thing.summary, thing.source, thing.effects, -1, piece.choices
            )
            causes += [("", Cause(source, e)) for e in thing.effects if isinstance(e, v.RaiseLimitEffect)]
    for piece in force.lost:
        if piece.item in at_work_when_lost(content):
            thing = content.items[piece.item]
            source = EffectSource(
                "item", thing.id, thing.name, thing.summary, thing.source, thing.effects, -1, piece.choices
            )
            causes += [("", Cause(source, e)) for e in thing.effects if isinstance(e, v.RaiseLimitEffect) and e.stays]
    pairs = declared_pairs(force)
    halved = tuple(test for c in bare.of(v.FirstCopyEffect) for test in c.effect.items)
    outranked = _outranked(content, force, bare.list)
    if not causes and not pairs and not halved and not outranked:
        return bare
    frame = object.__new__(Frame)
    frame.content, frame.list, frame.sources, frame.effects = content, bare.list, bare.sources, bare.effects
    frame.in_force, frame.outranked = bare.in_force, outranked
    frame.wide = tuple(c for _, c in causes)
    frame.prices = tuple(c.effect for _, c in causes if isinstance(c.effect, v.PriceEffect))
    frame.firsts = _first_copies(content, force, halved)
    frame.linked = {}
    frame.foreign = {}
    for owner, cause in causes:
        if isinstance(cause.effect, v.LinkEffect):
            for target in picks(cause.source.choices, "link"):
                source = _link_source(content, cause)
                fighters, of_item = force.fighters, cause.effect.of == "item"  # keys of both may be the same numbers
                bearer = next(
                    (f.key for f in fighters if (_holds(f, target) if of_item else f.key == target)),
                    "",
                )
                if bearer:
                    frame.linked[bearer] = (*frame.linked.get(bearer, ()), source)
        elif isinstance(cause.effect, v.ForeignPickEffect):
            who = owner if cause.effect.own else ""
            frame.foreign[who] = (*frame.foreign.get(who, ()), *foreign_offers(content, frame.list, cause))
        elif isinstance(cause.effect, v.OpensOffersEffect):
            opened = tuple(content.item_offers[o] for o in cause.effect.offers if o in content.item_offers)
            frame.foreign[""] = (*frame.foreign.get("", ()), *opened)
    _link_pairs(frame, force, pairs)
    foreign = tuple(sorted((k, tuple(o.id for o in x)) for k, x in frame.foreign.items()))
    frame.key = number_of(content, (bare.key, frame.prices, foreign, outranked))
    return frame


def _outranked(content: Content, force: Force, army: ListContent) -> frozenset[str]:
    """Leader entries whose fighters follow another on the roster."""
    below = [o for o in army.profile_offers if o.leads_without]
    if not below:
        return frozenset()
    present = [f for f in force.fighters if f.status in ("active", "captive")]
    hired = {f.offer for f in present if f.offer}
    unsaid = {f.profile for f in present if not f.offer}
    return frozenset(
        o.id for o in below if o.leads_without in hired or content.profile_offers[o.leads_without].profile in unsaid
    )


def _first_copies(content: Content, force: Force, tests: tuple[ItemTest, ...]) -> Firsts:
    """The first bought copy of each item matching one of the tests: on fighters in their order, mercenaries left out, then in the stash."""
    if not tests:
        return NO_FIRSTS
    seen: set[str] = set()

    def is_first(piece: ForceItem) -> bool:
        if piece.origin != "bought" or piece.item in seen or piece.item not in content.items:
            return False
        held = CarriedItem(content.items[piece.item], -1, "bought", content.item_keywords[piece.item], None)
        if not any(item_passes(test, held, None, content) for test in tests):
            return False
        seen.add(piece.item)
        return True

    rows: dict[str, frozenset[int]] = {}
    for fighter in force.fighters:
        profile = content.profiles.get(fighter.profile)
        if fighter.status not in ("active", "captive") or profile is None or profile.role == "mercenary":
            continue
        found = frozenset([row for row, piece in enumerate(fighter.kit) if is_first(piece)])
        if found:
            rows[fighter.key] = found
    stash = frozenset([piece.key for piece in force.stash if is_first(piece)])
    return Firsts(tests, rows, stash, frozenset(seen))


def declared_pairs(force: Force) -> tuple[tuple[str, str], ...]:
    """The fireteams that the warband has declared, as fighter keys; whatever else stands there is left out."""
    kept = force.choices.get(PAIRS)
    if not isinstance(kept, list | tuple):
        return ()
    pairs = [pair for pair in kept if isinstance(pair, list | tuple) and len(pair) == 2]
    return tuple((str(one), str(two)) for one, two in pairs)


def _link_pairs(frame: Frame, force: Force, pairs: Sequence[tuple[str, str]]) -> None:
    """Both fighters of a declared pair gain FIRETEAM while both are on the roster."""
    if not pairs:
        return
    names = {f.key: f.name for f in force.fighters if f.active}
    for pair in pairs:
        if pair[0] == pair[1] or not all(key in names for key in pair):
            continue
        for key, other in (pair, pair[::-1]):
            source = EffectSource("link", PAIRS, f"with {names[other]}", "", "", (v.KeywordEffect(gain=("FIRETEAM",)),))
            frame.linked[key] = (*frame.linked.get(key, ()), source)


def _holds(fighter: ForceFighter, piece: str) -> bool:
    """Whether a fighter carries the piece with this key, as a row or as part of what comes with it."""
    return piece.startswith(f"{fighter.key}+") or any(i.key == piece for i in fighter.kit)


def _link_source(content: Content, cause: Cause) -> EffectSource:
    effect: v.LinkEffect = cause.effect
    given: list[Effect] = []
    if effect.gain_keywords:
        given.append(v.KeywordEffect(gain=effect.gain_keywords))
    if effect.ability:
        given.append(v.AbilityEffect(gain=(effect.ability,)))
    return EffectSource(
        "link", cause.source.id, cause.source.name, cause.source.words, cause.source.where, tuple(given)
    )
