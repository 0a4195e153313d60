"""Everything that the fighters of a warband share: its list, its rules, and what single fighters add for all."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, get_args

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent, freeze
from rules.content.schema import ItemEntry, ItemOffer, ListRule, Skill, Upgrade, UpgradeOffer
from rules.fighters.foreign import foreign_offers
from rules.fighters.kit import bought_piece
from rules.fighters.matching import passes_any
from rules.fighters.sources import Cause, EffectSource, picks, source_of
from rules.force import Force, ForceFighter, ForceItem, ForceSkill
from rules.translation import gettext
from rules.vocabulary import Effect, ItemTest

PAIRS = "fireteams"  # the warband's choice that stores its declared pairs
_MAX_FRAMES = 500
_MAX_NUMBERS = 4_000
_WIDE_KINDS: tuple[type, ...] = tuple(kind for kind in get_args(Effect) if kind.warband_wide)
_WideEntry = TypeVar("_WideEntry", Skill, ItemEntry, Upgrade)


class Firsts(NamedTuple):
    """The warband's first copies of items that cost less as a first copy.

    `rows` are rows of fighters, `stash` items of the stash, `items` their item ids.
    """

    tests: tuple[ItemTest, ...] = ()
    rows: Mapping[str, frozenset[int]] = {}
    stash: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()


_NO_FIRSTS = Firsts()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Everything that the fighters of a warband share. Frames with equal keys give a fighter the same facts."""

    content: Content
    key: int
    list: ListContent
    in_force: frozenset[str]  # the rules that apply to the warband
    sources: tuple[EffectSource, ...]
    effects: Mapping[type, Sequence[Cause]]
    outranked: frozenset[str] = frozenset()  # leader entries of fighters that follow another leader on the roster
    wide: tuple[Cause, ...] = ()  # effects that reach beyond their bearer
    prices: tuple[v.PriceEffect, ...] = ()
    firsts: Firsts = _NO_FIRSTS
    linked: Mapping[str, tuple[EffectSource, ...]] = field(default_factory=dict)  # by fighter key
    foreign: Mapping[str, tuple[ItemOffer, ...]] = field(
        default_factory=dict
    )  # by fighter key; "": for the whole warband
    opened: frozenset[str] = frozenset()  # upgrade entries that effects of the warband open

    def of(self, kind: type) -> Sequence[Cause]:
        """Return the warband's own effects of one type."""
        return self.effects.get(kind, ())

    def upgrade_entries(self, upgrade: str) -> tuple[UpgradeOffer, ...]:
        """Return the open entries of an upgrade.

        These are those on the list whose required rule, if any, is in force, and which an effect opens if they ask for
        one.
        """
        entries = self.list.by_upgrade.get(upgrade, ())
        if all(not o.rule and not o.opened for o in entries):
            return entries
        return tuple(
            o for o in entries if (not o.rule or o.rule in self.in_force) and (not o.opened or o.id in self.opened)
        )


class _FrameMemory:
    """A cache of the frames of one content, and small numbers for long keys: cheap to hash, the same for equal keys.

    No number is used twice, so a result cached under an old number is never mistaken for another.
    """

    _numbers = itertools.count()

    def __init__(self, _content: Content) -> None:
        self.frames: dict[Hashable, Frame] = {}
        self.numbers: dict[Hashable, int] = {}

    def number_of(self, key: Hashable) -> int:
        if len(self.numbers) > _MAX_NUMBERS:
            self.numbers.clear()
        if key not in self.numbers:
            self.numbers[key] = next(self._numbers)
        return self.numbers[key]


def frame_of(content: Content, force: Force) -> Frame:
    """Return the frame of a warband. Raises KeyError for a list that is not in the pack."""
    own = {key: value for key, value in force.choices.items() if key != PAIRS}
    key = (force.list, freeze(own), force.lasting, freeze(force.state.get("lasting") or {}))
    memory = content.once(_FrameMemory)
    frame = memory.frames.get(key)
    if frame is None:
        if len(memory.frames) > _MAX_FRAMES:
            memory.frames.clear()
        frame = memory.frames[key] = _bare_frame(content, memory.number_of(key), force)
    return _with_the_living(content, force, frame)


# --- the list, its rules and the warband's lasting finds ---


def _bare_frame(content: Content, key: int, force: Force) -> Frame:
    """Return the frame without the additions of fighters and items."""
    list_content = content.lists[force.list]
    army = list_content.army
    rules = (*list_content.rules, *_chosen_rules(content, list_content, force.choices))
    sources = [source_of("rule", rule, army.name, choices=force.choices) for rule in rules]
    sources += _sources_of_finds(content, force)
    of_army = [
        EffectSource("rule", army.id, army.name, "", army.name, (effect,), -1, force.choices) for effect in army.choices
    ]
    effects: dict[type, list[Cause]] = {}
    for source in (*sources, *of_army):
        for effect in source.effects:
            effects.setdefault(type(effect), []).append(Cause(source, effect))
    return Frame(
        content,
        key,
        list_content,
        frozenset(rule.id for rule in rules),
        tuple(sources),
        effects,
        wide=tuple(cause for kind in _WIDE_KINDS for cause in effects.get(kind, ())),
    )


def _chosen_rules(content: Content, army: ListContent, choices: Mapping[str, Any]) -> Iterator[ListRule]:
    """Yield the rules that were picked where the list or one of its rules lets the player choose."""
    for effect in itertools.chain(army.army.choices, *(rule.effects for rule in army.rules)):
        if isinstance(effect, v.ChooseEffect) and effect.of == "list-rule":
            yield from (content.rules[r] for r in picks(choices, effect.key) if r in content.rules)


def _sources_of_finds(content: Content, force: Force) -> Iterator[EffectSource]:
    """Yield the warband's lasting finds, each with the choices made for it."""
    records = (force.state.get("lasting") or {}).values()
    chosen = {str(one.get("id")): one.get("choices") or {} for one in records if isinstance(one, Mapping)}
    for find in (content.lasting[i] for i in force.lasting if i in content.lasting):
        choices = chosen.get(find.id, {})
        yield EffectSource("lasting", find.id, find.name, find.words, find.name, find.effects, -1, choices)


# --- the additions of single fighters and items ---


class _WideEntries:
    """The entries of a content with an effect beyond their bearer."""

    def __init__(self, content: Content) -> None:
        self.skills = _wide(content.pack.skills)
        self.items = _wide(content.pack.items)
        self.upgrades = _wide(content.pack.upgrades)

    def __bool__(self) -> bool:
        return bool(self.skills or self.items or self.upgrades)


def _wide(entries: Iterable[_WideEntry]) -> dict[str, _WideEntry]:
    return {entry.id: entry for entry in entries if any(effect.warband_wide for effect in entry.effects)}


def at_work_when_lost(content: Content) -> frozenset[str]:
    """Return the items with an effect that remains when the item is lost with its bearer."""
    return content.once(_stays_when_lost)


def _stays_when_lost(content: Content) -> frozenset[str]:
    return frozenset(
        item.id
        for item in content.pack.items
        if any(isinstance(e, v.RaiseLimitEffect) and e.stays for e in item.effects)
    )


def _with_the_living(content: Content, force: Force, bare: Frame) -> Frame:
    """Return the frame with what single fighters and finds add for the whole warband."""
    causes = [("", cause) for cause in bare.wide]
    causes += _of_fighters(content, force)
    causes += _of_loose_pieces(content, force)
    pairs = declared_pairs(force)
    first_copies = tuple([test for cause in bare.of(v.FirstCopyEffect) for test in cause.effect.items])
    outranked = _outranked(content, force, bare.list)
    if not causes and not pairs and not first_copies and not outranked:
        return bare
    prices = tuple([cause.effect for _, cause in causes if isinstance(cause.effect, v.PriceEffect)])
    foreign = _foreign_of(content, bare.list, causes)
    foreign_key = tuple(sorted((owner, tuple([o.id for o in offers])) for owner, offers in foreign.items()))
    opened = frozenset(o for _, c in causes if isinstance(c.effect, v.OpensUpgradesEffect) for o in c.effect.offers)
    return Frame(
        content,
        content.once(_FrameMemory).number_of((bare.key, prices, foreign_key, outranked, opened)),
        bare.list,
        bare.in_force,
        bare.sources,
        bare.effects,
        outranked,
        tuple([cause for _, cause in causes]),
        prices,
        _first_copies(content, force, first_copies),
        _linked_of(force, causes, pairs),
        foreign,
        opened,
    )


def _of_fighters(content: Content, force: Force) -> Iterator[tuple[str, Cause]]:
    """Yield the effects beyond their bearer of all skills, items and upgrades of the fighters, each with the fighter's key."""
    wide = content.once(_WideEntries)
    if not wide:
        return
    for fighter in force.fighters:
        if fighter.status not in ("active", "captive"):
            continue
        for source in _wide_sources(content, wide, fighter):
            for effect in source.effects:
                if effect.warband_wide:
                    yield fighter.key, Cause(source, effect)


def _wide_sources(content: Content, wide: _WideEntries, fighter: ForceFighter) -> Iterator[EffectSource]:
    for row, skill in enumerate(fighter.skills):
        for skill_id in (skill.skill, *_picked_skills(content, skill)):
            if skill_id in wide.skills:
                yield source_of("skill", wide.skills[skill_id], "", row, skill.choices)
    for row, piece in enumerate(fighter.kit):
        if piece.item in wide.items:
            yield source_of("item", wide.items[piece.item], "", row, piece.choices)
    for row, taken in enumerate(fighter.upgrades):
        if taken.upgrade in wide.upgrades:
            yield source_of("upgrade", wide.upgrades[taken.upgrade], "", row, taken.choices)


def _picked_skills(content: Content, held: ForceSkill) -> Iterator[str]:
    """Yield the skills picked through a skill that lets its bearer choose one."""
    if held.skill in content.skills:
        for effect in content.skills[held.skill].effects:
            if isinstance(effect, v.ChooseEffect) and effect.of == "skill":
                yield from picks(held.choices, effect.key)


def _of_loose_pieces(content: Content, force: Force) -> Iterator[tuple[str, Cause]]:
    """Yield the limits raised by items that nobody carries. A raised limit remains, whoever carries the item."""
    items = content.once(_WideEntries).items
    in_stash = ((piece, False) for piece in force.stash)
    lost = ((piece, True) for piece in force.lost)
    for piece, is_lost in itertools.chain(in_stash, lost):
        if piece.item in items:
            source = source_of("item", items[piece.item], "", choices=piece.choices)
            for effect in source.effects:
                if isinstance(effect, v.RaiseLimitEffect) and (effect.stays or not is_lost):
                    yield "", Cause(source, effect)


def _outranked(content: Content, force: Force, army: ListContent) -> frozenset[str]:
    """Return the leader entries of fighters that follow another leader on the roster."""
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
    """Return the first bought copy of each item that matches one of the tests.

    Fighters come first, in their order and without mercenaries, then the stash.
    """
    if not tests:
        return _NO_FIRSTS
    seen: set[str] = set()

    def is_first(piece: ForceItem) -> bool:
        if piece.origin != "bought" or piece.item in seen or piece.item not in content.items:
            return False
        if not passes_any(tests, bought_piece(content, piece.item), None, content):
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


def _foreign_of(
    content: Content, army: ListContent, causes: Iterable[tuple[str, Cause]]
) -> dict[str, tuple[ItemOffer, ...]]:
    """Return the entries of other lists that are open: to single fighters by their key, to the whole warband under ""."""
    foreign: dict[str, tuple[ItemOffer, ...]] = {}
    for bearer, cause in causes:
        effect = cause.effect
        if isinstance(effect, v.ForeignPickEffect):
            owner = bearer if effect.own else ""
            foreign[owner] = (*foreign.get(owner, ()), *foreign_offers(content, army, cause))
        elif isinstance(effect, v.OpensOffersEffect):
            opened = [content.item_offers[o] for o in effect.offers if o in content.item_offers]
            foreign[""] = (*foreign.get("", ()), *opened)
    return foreign


# --- links and pairs ---


def declared_pairs(force: Force) -> tuple[tuple[str, str], ...]:
    """Return the fireteams that the warband has declared, as fighter keys; any other stored data is ignored."""
    declared = force.choices.get(PAIRS)
    if not isinstance(declared, list | tuple):
        return ()
    pairs = [pair for pair in declared if isinstance(pair, list | tuple) and len(pair) == 2]
    return tuple((str(one), str(two)) for one, two in pairs)


def _linked_of(
    force: Force, causes: Iterable[tuple[str, Cause]], pairs: Sequence[tuple[str, str]]
) -> dict[str, tuple[EffectSource, ...]]:
    """Return the sources that fighters gain from links and declared pairs, by fighter key."""
    linked: dict[str, tuple[EffectSource, ...]] = {}
    for key, source in itertools.chain(_links(force, causes), _fireteams(force, pairs)):
        linked[key] = (*linked.get(key, ()), source)
    return linked


def _links(force: Force, causes: Iterable[tuple[str, Cause]]) -> Iterator[tuple[str, EffectSource]]:
    for _, cause in causes:
        source, effect = cause.source, cause.effect
        if isinstance(effect, v.LinkEffect):
            for target in picks(source.choices, "link"):
                to_item = effect.of == "item"  # keys of fighters and of items may be the same numbers
                bearers = (f.key for f in force.fighters if (_holds(f, target) if to_item else f.key == target))
                for key in itertools.islice(bearers, 1):
                    yield key, _link_source(source, effect)


def _fireteams(force: Force, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, EffectSource]]:
    """Yield FIRETEAM for both fighters of each declared pair while both are on the roster."""
    if not pairs:
        return
    names = {f.key: f.name for f in force.fighters if f.active}
    for pair in pairs:
        if pair[0] != pair[1] and names.keys() >= set(pair):
            for key, other in (pair, pair[::-1]):
                gained = (v.KeywordEffect(gain=("FIRETEAM",)),)
                yield (
                    key,
                    EffectSource("link", PAIRS, gettext("with {names}").format(names=names[other]), "", "", gained),
                )


def _holds(fighter: ForceFighter, piece: str) -> bool:
    """Return whether a fighter carries the item with this key, as a row or as part of the kit that comes with it."""
    return piece.startswith(f"{fighter.key}+") or any(i.key == piece for i in fighter.kit)


def _link_source(source: EffectSource, effect: v.LinkEffect) -> EffectSource:
    """Return the effects of a link on its target, as a source."""
    gained: list[Effect] = []
    if effect.gain_keywords:
        gained.append(v.KeywordEffect(gain=effect.gain_keywords))
    if effect.ability:
        gained.append(v.AbilityEffect(gain=(effect.ability,)))
    return EffectSource("link", source.id, source.name, source.words, source.where, tuple(gained))
