"""What a fighter is right now: every effect of its profile, abilities, kit, upgrades, skills, traumas and list, put together.

`facts` works one fighter out (and remembers the answer by what the fighter is made of, so that a roster in which one fighter changed
costs one fighter). `views` shows the result with the cause of each number. Nothing here says whether it is allowed: `rules.checker`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent, freeze
from rules.content.schema import Hands, ItemEntry, ItemOffer, KitSet, ProfileEntry, ProfileOffer, Trauma, UpgradeOffer
from rules.force import Counted, FighterView, Force, ForceFighter, ForceItem, ForceSkill, ForceTrauma, GainedWord
from rules.price import ZERO, Price, add
from rules.vocabulary import Effect, Holder, ItemTest, Trait

MOST_REMEMBERED = 4_000
NO_HANDS = Hands()
WORN = {"shield", "standard", "instrument"}
STATS = ("movement", "ranged", "melee", "armour")
PAIRS = "fireteams"  # the warband's choice that holds its declared pairs
NOTHING: Mapping[str, Any] = {}


class EffectSource(NamedTuple):
    """Where effects come from. `row` is the place in the fighter's kit for an item, else -1; `choices` what was chosen with it."""

    kind: str
    id: str
    name: str
    words: str
    where: str
    effects: tuple[Effect, ...]
    row: int = -1
    choices: Mapping[str, Any] = {}


class Cause(NamedTuple):
    """One effect with its source."""

    source: EffectSource
    effect: Any


class CarriedItem:
    """One carried piece. `row` is its place in the fighter's kit (-1: implied by the profile), `included` the set it belongs to."""

    __slots__ = ("fixed", "hands", "included", "item", "keywords", "offer", "origin", "price", "row")

    def __init__(
        self, item: ItemEntry, row: int, origin: str, keywords: frozenset[str], included: KitSet | None
    ) -> None:
        self.item = item
        self.row = row
        self.origin = origin
        self.keywords = keywords
        self.included = included
        self.fixed = included is not None and included.fixed
        self.offer: ItemOffer | None = None
        self.hands = item.hands
        self.price = ZERO


OF_THE_ITEM = ("item", "category", "slot", "group", "weapon", "melee_hands", "ranged_hands")


class SortedTests(NamedTuple):
    """Tests of items by what they look at: the items that pass those of the printed item alone, and the other tests.

    The tests themselves stay with them, so that nothing else is ever kept under their place in memory.
    """

    tests: tuple[ItemTest, ...]
    items: frozenset[str]
    others: tuple[ItemTest, ...]


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


class Facts:
    """One fighter worked out. Built by `facts`, read by checker, offers and views; never changed afterwards."""

    __slots__ = (
        "abilities", "base", "becomes", "causes", "counts_as", "counts_except", "effects", "elite", "explicit", "findings", "groups", "hands_melee",
        "hands_ranged", "held", "item_ids", "item_keywords", "keyword_causes", "keywords", "kit_keywords", "leader", "mercenary",
        "missing", "movement", "offer", "printed", "profile", "profile_price", "rating", "removed_sets", "skills", "sources", "spent",
        "stats", "strong", "under", "upgrade_prices", "upgrades",
    )  # fmt: skip

    profile: ProfileEntry
    printed: ProfileEntry
    offer: ProfileOffer | ItemOffer | None
    counts_as: frozenset[str]
    counts_except: dict[str, frozenset[str]]
    keywords: frozenset[str]
    kit_keywords: frozenset[str]
    keyword_causes: tuple[GainedWord, ...]
    abilities: dict[str, str]
    held: tuple[CarriedItem, ...]
    effects: dict[type, list[Cause]]
    sources: tuple[EffectSource, ...]
    stats: dict[str, Counted]
    base: int
    movement: str
    elite: bool
    leader: bool
    mercenary: bool
    strong: bool
    hands_ranged: tuple[int, int]
    hands_melee: tuple[int, int]
    item_ids: frozenset[str]
    item_keywords: frozenset[str]
    groups: frozenset[str]
    upgrades: frozenset[str]
    skills: frozenset[str]
    rating: Price
    spent: Price
    profile_price: Price
    upgrade_prices: tuple[Price, ...]
    removed_sets: tuple[KitSet, ...]
    missing: tuple[tuple[str, str], ...]
    explicit: bool  # made from rows, which leave nothing unsaid
    findings: tuple[Any, ...] | None
    under: tuple[tuple[CarriedItem, ...], ...] | None  # the pieces under each of the warband's rules on what it owns
    becomes: v.BecomesEffect | None

    def of(self, kind: type) -> Sequence[Cause]:
        """The fighter's effects of one type (its warband's included)."""
        return self.effects.get(kind, ())

    def is_profile(self, profile: str, item: str = "") -> bool:
        """Whether a rule naming this profile means the fighter (for `item`, where it counts as another except for some items)."""
        if profile == self.profile.id:
            return True
        return profile in self.counts_as and not (item and item in self.counts_except.get(profile, ()))


def picks(choices: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """What was chosen under a key: one value or several, as a tuple of texts."""
    value = choices.get(key)
    if value is None or value == "":
        return ()
    return tuple(str(x) for x in value) if isinstance(value, list | tuple) else (str(value),)


def place_of(picked: Sequence[str], count: int) -> int | None:
    """The place among `count` options that was picked by its number, None for anything else: a document may hold any text."""
    return next((n for n in range(count) if picked and picked[0] == str(n)), None)


# --- tests of fighters and items -------------------------------------------------------------------------------------------


def trait_holds(trait: Trait, who: Facts, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Whether a fighter passes one test. `owned`: for kit it carries already, ELITE is not lost by a head wound."""
    if trait.profile and not who.is_profile(trait.profile, item):
        return False
    keywords = who.kit_keywords if owned else who.keywords
    if trait.keyword and content.keyword(trait.keyword) not in keywords:
        return False
    if trait.lacks_keyword and content.keyword(trait.lacks_keyword) in keywords:
        return False
    if trait.role and trait.role != _role(who):
        return False
    if trait.item and trait.item not in who.item_ids:
        return False
    if trait.item_keyword and content.keyword(trait.item_keyword) not in who.item_keywords:
        return False
    if trait.item_group and trait.item_group not in who.groups:
        return False
    if trait.upgrade and trait.upgrade not in who.upgrades:
        return False
    if trait.skill and trait.skill not in who.skills:
        return False
    if trait.base_from_mm and who.base < trait.base_from_mm:
        return False
    return not (trait.base_at_most_mm and who.base > trait.base_at_most_mm)


def _role(who: Facts) -> str:
    if who.mercenary:
        return "mercenary"
    return "elite" if who.elite else ("troop" if who.profile.role == "elite" else who.profile.role)


def holder_fits(holder: Holder, who: Facts, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Whether a fighter may hold what names this holder."""
    if holder.only_for and not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.only_for):
        return False
    if holder.and_also and not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.and_also):
        return False
    return not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.not_for)


def item_passes(test: ItemTest, held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Whether a piece, as held, passes one test."""
    item = held.item
    if test.item and test.item != item.id and test.item not in content.stands_for.get(item.id, ()):
        return False
    if test.category and test.category != item.category:
        return False
    if test.slot and test.slot != item.slot:
        return False
    if test.group and test.group not in item.groups:
        return False
    if test.weapon and not item.weapon:
        return False
    if test.keyword and content.keyword(test.keyword) not in held.keywords:
        return False
    if test.lacks_keyword and content.keyword(test.lacks_keyword) in held.keywords:
        return False
    if test.restricted and not (
        held.offer and (held.offer.who.only_for or held.offer.who.and_also or held.offer.who.not_for)
    ):
        return False
    if test.limited and (held.offer is None or held.offer.limit is None):
        return False
    if test.over_ducats is not None:
        price = held.offer.price if held.offer else content.any_price.get(item.id, ZERO)
        if price.ducats <= test.over_ducats:
            return False
    if test.for_glory and not (held.offer and held.offer.price.glory):
        return False
    if test.melee_hands and test.melee_hands != item.hands.melee:
        return False
    if test.ranged_hands and test.ranged_hands != item.hands.ranged:
        return False
    if test.carrier_has_item_keyword:
        return who is not None and content.keyword(test.carrier_has_item_keyword) in who.item_keywords
    return True


def passes_any(tests: tuple[ItemTest, ...], held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Whether a piece, as held, passes one of the tests. What asks for the printed item alone is sorted out once per content."""
    if not tests:
        return False
    known: dict[int, SortedTests] = content.cache.setdefault("tests", {})
    found = known.get(id(tests))
    if found is None:
        found = known[id(tests)] = _sorted_tests(tests, content)
    if held.item.id in found.items:
        return True
    return bool(found.others) and any(item_passes(test, held, who, content) for test in found.others)


def _sorted_tests(tests: tuple[ItemTest, ...], content: Content) -> SortedTests:
    plain = [t for t in tests if t == ItemTest(**{name: getattr(t, name) for name in OF_THE_ITEM})]
    pieces = [CarriedItem(item, -1, "bought", content.item_keywords[item.id], None) for item in content.items.values()]
    items = frozenset([p.item.id for p in pieces if any(item_passes(t, p, None, content) for t in plain)])
    return SortedTests(tests, items, tuple([t for t in tests if t not in plain]))


# --- frames ----------------------------------------------------------------------------------------------------------------


def frame_of(content: Content, force: Force) -> Frame:
    """The frame of a warband. Raises KeyError for a list the pack does not hold."""
    own = {key: value for key, value in force.choices.items() if key != PAIRS}
    key = (force.list, freeze(own), force.lasting, freeze(force.state.get("lasting") or {}))
    frames: dict[Any, Frame] = content.cache.setdefault("frames", {})
    bare = frames.get(key)
    if bare is None:
        if len(frames) > 500:
            frames.clear()
        bare = frames[key] = Frame(content, _number(content, key), force)
    return _with_the_living(content, force, bare)


# Never used twice, so that what is remembered under an old number is never mistaken for another.
_numbers = itertools.count()


def _number(content: Content, key: Any) -> int:
    """A small number for a long key: cheap to hash, the same for equal keys."""
    numbers: dict[Any, int] = content.cache.setdefault("numbers", {})
    if len(numbers) > MOST_REMEMBERED:
        numbers.clear()
        content.cache.pop("frames", None)
        content.cache.pop("facts", None)
    found = numbers.get(key)
    if found is None:
        found = numbers[key] = next(_numbers)
    return found


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
    frame.key = _number(content, (bare.key, frame.prices, foreign, outranked))
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


def foreign_key(cause_source: EffectSource, effect: v.ForeignPickEffect) -> str:
    """The key under which a foreign pick is kept: the rule's id, with the list where a rule has one pick per list."""
    several = sum(isinstance(e, v.ForeignPickEffect) for e in cause_source.effects) > 1
    return f"{cause_source.id}-{effect.lists[0]}" if several and effect.lists else cause_source.id


def foreign_candidates(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> tuple[ItemOffer, ...]:
    """Armoury entries of other lists that a foreign pick may choose: those the own list lacks, within the pick's bounds. Remembered."""
    known: dict[Any, tuple[ItemOffer, ...]] = content.cache.setdefault("foreign-candidates", {})
    key = (army.army.id, effect)
    if key not in known:
        known[key] = _foreign_candidates(content, army, effect)
    return known[key]


def _foreign_candidates(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> tuple[ItemOffer, ...]:
    lists = effect.lists or tuple(
        x.army.id for x in content.lists.values() if not x.army.faction and x.army.id != army.faction and not x.closed
    )
    found = []
    banned = [t for r in army.rules for e in r.effects if isinstance(e, v.WarbandBanEffect) for t in e.items]
    for list_id in lists:
        held = content.lists[list_id].item_offers if list_id in content.lists else None
        if held is None:  # a list that is not in yet: what the pack already holds of its armoury
            held = tuple(o for o in content.pack.item_offers if list_id in o.lists)
        for offer in held:
            item = content.items[offer.item]
            own = army.by_item.get(offer.item, ())
            if not army.army.third_party:  # what a third party's visitor brings along is not of the armoury
                own = tuple(o for o in own if not o.third_party)
            if effect.held_for_some:
                own = tuple(o for o in own if not o.who.only_for)
            if own or offer.id in army.item_offer_ids or offer.exploration_only:
                continue
            piece = CarriedItem(item, -1, "bought", content.item_keywords[item.id], None)
            if any(item_passes(t, piece, None, content) for t in banned):
                continue
            if effect.categories and item.category not in effect.categories:
                continue
            if item.slot in effect.not_slots:
                continue
            only = offer.who.only_for
            if effect.no_profile_only and only and all(t.profile for t in only):
                continue
            if any(isinstance(e, v.BuysFighterEffect) for e in item.effects):
                continue
            found.append(offer)
    return tuple(found)


def foreign_offers(content: Content, army: ListContent, cause: Cause) -> tuple[ItemOffer, ...]:
    """The entries chosen through a foreign pick."""
    effect: v.ForeignPickEffect = cause.effect
    chosen = (*picks(cause.source.choices, foreign_key(cause.source, effect)), *picks(cause.source.choices, "item"))
    if not chosen:
        return ()
    known = foreign_candidates(content, army, effect)
    found: list[ItemOffer] = []
    for pick in chosen:
        match = next((o for o in known if pick in (o.id, o.item)), None)
        if match is not None and match not in found:
            found.append(match)
    return tuple(found[: effect.count])


# --- one fighter -----------------------------------------------------------------------------------------------------------


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
    held, removed = _kit(content, fighter, profile, taken, explicit)
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
    _keywords(content, who, fighter, effects)
    _stats(content, who, fighter, effects)

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
            h.offer = _entry_of(content, frame, fighter, who, h, foreign)
            h.price = _price_of(content, frame, fighter, h, place)
        if h.offer is not None and h.offer.hands is not None:
            h.hands = h.offer.hands
    for item in fighter.kit:
        if item.item not in content.items:
            missing.append(("item", item.item))
    who.missing = tuple(missing)
    _hands(content, who, effects)
    who.removed_sets = removed
    _money(content, frame, fighter, who, offer, becomes)
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


def _kit(
    content: Content, fighter: ForceFighter, profile: ProfileEntry, taken: Sequence[EffectSource], explicit: bool
) -> tuple[list[CarriedItem], tuple[KitSet, ...]]:
    """Everything carried: kit that comes with the profile (matched with what is listed), then the rest; and swappable sets that are gone."""
    swaps: list[v.SwapKitEffect] = [e for s in taken for e in s.effects if isinstance(e, v.SwapKitEffect)]
    stripped = any(isinstance(e, v.KitToStashEffect) for s in taken for e in s.effects)
    open_rows = {row: item for row, item in enumerate(fighter.kit) if item.item in content.items}
    held: list[CarriedItem] = []
    removed: list[KitSet] = []

    def listed(item_id: str) -> int | None:
        match = None
        for row, item in open_rows.items():
            if item.item != item_id:
                continue
            if item.origin == "mandatory":
                return row
            if match is None and not item.offer and not item.paid and item.origin == "bought":
                match = row
        return match

    def take(item_id: str, kit: KitSet) -> None:
        if item_id not in content.items:
            return
        row = listed(item_id)
        if row is not None:
            del open_rows[row]
        held.append(
            CarriedItem(
                content.items[item_id], -1 if row is None else row, "mandatory", content.item_keywords[item_id], kit
            )
        )

    for kit in profile.kit:
        items = list(kit.items)
        for swap in swaps:
            if kit.id in swap.take or set(swap.take) <= set(items):
                gone = [i for i in items if i in swap.take or kit.id in swap.take]
                items = [i for i in items if i not in gone] + list(swap.give)
                for item_id in gone:  # what is listed of the replaced kit stands for what replaced it
                    row = listed(item_id)
                    if row is not None:
                        del open_rows[row]
        if not kit.fixed and not _is_kept(content, fighter, profile, kit, items, explicit, stripped):
            removed.append(kit)
            continue
        if kit.one_of:
            items += _loadout(fighter, kit, open_rows)
        for item_id in items:
            take(item_id, kit)
    for row, item in open_rows.items():
        held.append(CarriedItem(content.items[item.item], row, item.origin, content.item_keywords[item.item], None))
    held.sort(key=lambda h: (h.row < 0, h.row))
    return held, tuple(removed)


def _is_kept(
    content: Content,
    fighter: ForceFighter,
    profile: ProfileEntry,
    kit: KitSet,
    items: Sequence[str],
    explicit: bool,
    stripped: bool,
) -> bool:
    """Whether a swappable set is still with its fighter.

    Rows say so themselves. A roster document may leave it unsaid: then it is there, unless the fighter lists another weapon of the
    same kind (one that takes its place in the hands, or of a group of which the profile carries one) and not the set's own.
    """
    if any(i.origin == "mandatory" and i.item in items for i in fighter.kit):
        return True
    if fighter.choices.get(f"returned-{kit.id}") or kit.id in picks(fighter.choices, "returned"):
        return False
    if explicit or stripped:
        return False
    if any(i.item in items for i in fighter.kit):
        return True
    slots = {content.items[i].slot for i in items if i in content.items}
    single = {e.among.group for e in profile.effects if isinstance(e, v.CarryLimitEffect) and e.most == 1}
    groups = {group for i in items if i in content.items for group in content.items[i].groups} & single
    return not any(
        (content.items[i.item].slot in slots and content.items[i.item].slot != "equipment")
        or not groups.isdisjoint(content.items[i.item].groups)
        for i in fighter.kit
        if i.item in content.items
    )


def _loadout(fighter: ForceFighter, kit: KitSet, open_rows: Mapping[int, ForceItem]) -> list[str]:
    picked = picks(fighter.choices, f"loadout-{kit.id}")
    place = place_of(picked, len(kit.one_of))
    if place is not None:
        return list(kit.one_of[place])
    listed = {item.item for item in open_rows.values()}
    best = max(range(len(kit.one_of)), key=lambda n: (sum(i in listed for i in kit.one_of[n]), -n))
    return list(kit.one_of[best])


def _keywords(content: Content, who: Facts, fighter: ForceFighter, effects: Mapping[type, list[Cause]]) -> None:
    printed = [content.keyword(k) for k in who.profile.keywords]
    if who.profile.role == "elite" and "ELITE" not in printed and not who.mercenary:
        printed.insert(0, "ELITE")
    words: dict[str, GainedWord] = {k: GainedWord(content.keyword_id(k), k) for k in printed}

    def gain(name: str, cause: str) -> None:
        if name not in words or words[name].state == "lost":
            words[name] = GainedWord(
                content.keyword_id(name),
                name,
                "printed" if name in printed else "gained",
                "" if name in printed else cause,
            )

    def lose(name: str, cause: str) -> None:
        if name in words:
            words[name] = GainedWord(content.keyword_id(name), name, "lost", cause)

    changes: list[Cause] = list(effects.get(v.KeywordEffect, ()))
    for cause in changes:
        if not cause.effect.last:
            for k in cause.effect.lose:
                lose(content.keyword(k), cause.source.name)
    if who.leader:
        gain("LEADER", "Leads the warband")
    if fighter.promoted:
        gain("ELITE", "Promotion")
    for cause in changes:
        for k in cause.effect.gain:
            gain(content.keyword(k), cause.source.name)
    who.kit_keywords = frozenset(k for k, word in words.items() if word.state != "lost")
    for cause in changes:
        if cause.effect.last:
            for k in cause.effect.lose:
                lose(content.keyword(k), cause.source.name)
                if content.keyword(k) != "ELITE":
                    who.kit_keywords -= {content.keyword(k)}
    if fighter.demoted:
        cause_name = next((c.source.name for c in effects.get(v.DemotedEffect, ())), "Demoted")
        lose("ELITE", cause_name)
    elif fighter.promoted or who.profile.role == "elite":
        # promoted again after a head wound, or the wound was undone: the flag on the fighter decides, not the trauma
        gain("ELITE", "Promotion")
    who.keyword_causes = tuple(words.values())
    who.keywords = frozenset(k for k, word in words.items() if word.state != "lost")
    who.elite = "ELITE" in who.keywords
    who.strong = "STRONG" in who.keywords


def _stats(content: Content, who: Facts, fighter: ForceFighter, effects: Mapping[type, list[Cause]]) -> None:
    line = who.profile.statline
    values: dict[str, int | None] = {
        "movement": line.movement_inches,
        "ranged": line.ranged,
        "melee": line.melee,
        "armour": line.armour,
    }
    causes: dict[str, list[str]] = {stat: [] for stat in (*STATS, "base")}
    stats: list[Cause] = list(effects.get(v.StatEffect, ()))
    for cause in stats:
        if cause.effect.set is not None:
            values[cause.effect.stat] = cause.effect.set
            causes[cause.effect.stat].append(
                f"{cause.source.name} {_signed(cause.effect.stat, cause.effect.set, sets=True)}"
            )
    for cause in stats:
        if cause.effect.add and values[cause.effect.stat] is not None:
            values[cause.effect.stat] = (values[cause.effect.stat] or 0) + cause.effect.add
            causes[cause.effect.stat].append(f"{cause.source.name} {_signed(cause.effect.stat, cause.effect.add)}")
    movement: str = line.movement
    for cause in effects.get(v.MovementTypeEffect, ()):
        movement = cause.effect.movement
        causes["movement"].append(f"{cause.source.name}: {movement}")
    printed_base = line.base_mm
    base = printed_base
    for cause in effects.get(v.BaseChoiceEffect, ()):
        picked = picks(fighter.choices, "base")
        place = place_of(picked, len(cause.effect.mm)) or 0
        base = cause.effect.mm[place]
        if cause.effect.movement and place < len(cause.effect.movement):
            values["movement"] = cause.effect.movement[place]
    for cause in effects.get(v.BaseEffect, ()):
        wanted = not cause.effect.optional or bool(fighter.choices.get("base-optional"))
        if wanted and max(cause.effect.mm) > max(base):
            base = cause.effect.mm
            causes["base"].append(cause.source.name)
    who.base = max(base)
    who.movement = movement
    printed = {"movement": line.movement_inches, "ranged": line.ranged, "melee": line.melee, "armour": line.armour}
    who.stats = {stat: Counted(values[stat], printed[stat], tuple(causes[stat])) for stat in STATS}
    who.stats["base"] = Counted(max(base), max(printed_base), tuple(causes["base"]))


def _signed(stat: str, number: int, *, sets: bool = False) -> str:
    figure = f"{abs(number)}″" if stat == "movement" else str(abs(number))
    if sets:
        return f"sets {'−' if number < 0 else ''}{figure}"
    return f"{'−' if number < 0 else '+'}{figure}"


def _entry_of(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, held: CarriedItem, foreign: tuple[ItemOffer, ...]
) -> ItemOffer | None:
    """The armoury entry a piece was bought through, or (for finds) the one it would be bought through."""
    chosen = (*foreign, *frame.foreign.get("", ())) if frame.foreign else foreign
    named = named_entry(frame, held.item.id, fighter.kit[held.row].offer if held.row >= 0 else "", chosen)
    if named is not None:
        return named
    entries = (*frame.list.by_item.get(held.item.id, ()), *(o for o in chosen if o.item == held.item.id))
    if not entries:
        return None if held.origin == "bought" else content.finds.get(held.item.id)
    fitting = [o for o in entries if holder_fits(o.who, who, content, item=held.item.id, owned=True)]
    return min(fitting or entries, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))


def named_entry(frame: Frame, item: str, offer: str, chosen: tuple[ItemOffer, ...]) -> ItemOffer | None:
    """The entry with this id; None where the list sells the piece through others now, as when an entry was parted in two.

    `chosen`: entries of other lists that were picked.
    """
    known = frame.content.item_offers.get(offer)
    if known is None or not known.lists or frame.list.army.id in known.lists or known in chosen:
        return known
    return None if item in frame.list.by_item else known


def price_under(frame: Frame, item: ItemEntry, offer: ItemOffer, *, first: bool | None = None) -> Price:
    """What an armoury entry asks of this warband: its price, under the warband's price effects.

    `first`: whether the piece is the warband's first copy; None for one about to be bought.
    """
    price = offer.price
    firsts = frame.firsts
    if not (frame.prices or firsts.tests) or not price.ducats:
        return price
    ducats = price.ducats
    piece = CarriedItem(item, -1, "bought", frame.content.item_keywords[item.id], None)
    piece.offer = offer
    for effect in frame.prices:
        if effect.items and price.ducats >= effect.from_ducats and passes_any(effect.items, piece, None, frame.content):
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    halved = item.id not in firsts.items if first is None else first
    if halved and any(item_passes(t, piece, None, frame.content) for t in firsts.tests):
        ducats = (ducats + 1) // 2
    return Price(ducats=max(0, ducats), glory=price.glory)


def _price_of(content: Content, frame: Frame, fighter: ForceFighter, held: CarriedItem, place: int) -> Price:
    """What a piece is worth on the roster: its price on the own list now, else on any list, else what was paid."""
    if held.origin == "mandatory":
        return Price(ducats=content.swappable.get(held.item.id, 0))
    if content.repriced and held.row >= 0 and held.offer is not None and held.offer.id in content.repriced:
        paid = fighter.kit[held.row].paid
        if paid:
            return paid  # house rules never reprice what was bought
    if held.offer is not None:
        return price_under(frame, held.item, held.offer, first=held.row in frame.firsts.rows.get(fighter.key, ()))
    known = content.any_price.get(held.item.id)
    if known is not None:
        return known
    return fighter.kit[held.row].paid if held.row >= 0 else ZERO


Use = tuple[CarriedItem, int, int]  # a piece, and the hands it takes when shooting and when fighting


def hand_uses(content: Content, who: Facts) -> tuple[Use, ...]:
    """What takes the fighter's hands, piece by piece; a shield that takes none beside its weapon is told with none."""
    told: list[Use] = []
    _hands(content, who, who.effects, told)
    return tuple(told)


def _hands(content: Content, who: Facts, effects: Mapping[type, list[Cause]], told: list[Use] | None = None) -> None:
    """Work out hands used and had. `told` gathers what takes them."""
    marks: list[Use] = []
    ranged_of, melee_of = 2, 2
    pool: int | None = None
    strong_arms = 1
    strong_ranged = no_combo = False
    for cause in effects.get(v.HandsEffect, ()):
        change: v.HandsEffect = cause.effect
        if change.set_ranged is not None:
            ranged_of = change.set_ranged
        if change.set_melee is not None:
            melee_of = change.set_melee
        if change.pool is not None:
            pool = change.pool
        if change.strong_arms is not None:
            strong_arms = change.strong_arms
        strong_ranged = strong_ranged or change.strong_for_ranged
        no_combo = no_combo or change.no_shield_combo
    for cause in effects.get(v.HandsEffect, ()):
        ranged_of += cause.effect.add_ranged
        melee_of += cause.effect.add_melee
    cost_hands = content.reading("shields_cost_hands", True)
    light = [c.effect for c in effects.get(v.HandsEffect, ()) if c.effect.in_one_hand is not None]
    lighter = sum(e.in_one_hand or 0 for e in light)
    arms = strong_arms if who.strong and not light else 0
    gun_arms = strong_arms if who.strong and strong_ranged and not light else 0
    ranged = melee = shields = 0
    combo_ranged = combo_melee = False
    for h in who.held:
        item = h.item
        if told is not None:
            marks.append((h, ranged, melee))
        if item.category == "ranged" and "SHIELD COMBO" in h.keywords:
            combo_ranged = True
        if item.category == "melee" and "SHIELD COMBO" in h.keywords:
            combo_melee = True
        if item.built_in or any(isinstance(e, v.NoSlotEffect) for e in item.effects):
            continue
        if item.slot in WORN:
            if not cost_hands:
                continue
            if item.slot == "shield":
                shields += 1
            else:
                ranged += h.hands.ranged or 1
                melee += h.hands.melee or 1
            continue
        if item.slot == "grenade":
            continue
        needs = h.hands
        if lighter and max(needs.melee, needs.ranged) >= 2 and _any_passes(light, h, who, content):
            lighter -= 1
            melee, ranged = melee + min(needs.melee, 1), ranged + min(needs.ranged, 1)
            continue
        if needs.melee >= 2 and arms and "CUMBERSOME" not in h.keywords:
            melee += 1
            arms -= 1
        else:
            melee += needs.melee
        if needs.ranged >= 2 and gun_arms and "CUMBERSOME" not in h.keywords:
            ranged += 1
            gun_arms -= 1
        else:
            ranged += needs.ranged
    if told is not None:
        ends = [*((after, later) for _, after, later in marks[1:]), (ranged, melee)]
        for (held, before, earlier), (after, later) in zip(marks, ends, strict=False):
            if after > before or later > earlier:
                told.append((held, after - before, later - earlier))
        if shields:
            each = int(not combo_ranged or no_combo), int(not combo_melee or no_combo)
            told += [(h, *each) for h in who.held if h.item.slot == "shield" and not h.item.built_in]
    if shields:
        ranged += 0 if combo_ranged and not no_combo else shields
        melee += 0 if combo_melee and not no_combo else shields
    if pool is not None:
        # one budget for everything: a shield is held once
        total = ranged + melee - (shields if shields else 0)
        who.hands_ranged = who.hands_melee = (total, pool)
        return
    who.hands_ranged, who.hands_melee = (ranged, max(0, ranged_of)), (melee, max(0, melee_of))


def _any_passes(light: Sequence[v.HandsEffect], held: CarriedItem, who: Facts, content: Content) -> bool:
    return any(item_passes(t, held, who, content) for e in light for t in e.in_one_hand_items)


def upgrade_price(frame: Frame, content: Content, fighter: ForceFighter, row: int) -> Price:
    """What an upgrade counts: its entry's price (or what was paid) under the warband's price effects."""
    taken = fighter.upgrades[row]
    entries = frame.upgrade_entries(taken.upgrade) or frame.list.by_upgrade.get(taken.upgrade, ())
    offer = content.upgrade_offers.get(taken.offer) or next(iter(entries), None)
    if offer is None or (offer.id in content.repriced and taken.paid):
        return taken.paid
    return upgrade_price_under(frame, content, offer.price, taken.upgrade)


def upgrade_price_under(frame: Frame, content: Content, price: Price, upgrade: str) -> Price:
    """The price of an upgrade for this warband."""
    ducats = price.ducats
    category = content.upgrades[upgrade].category if upgrade in content.upgrades else ""
    for effect in frame.prices:
        if effect.upgrade_category and effect.upgrade_category == category and ducats >= effect.from_ducats:
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    return Price(ducats=max(0, ducats), glory=price.glory)


def _money(
    content: Content,
    frame: Frame,
    fighter: ForceFighter,
    who: Facts,
    offer: ProfileOffer | ItemOffer | None,
    becomes: v.BecomesEffect | None,
) -> None:
    """Rating (what it adds to the warband's worth) and spending (what it took from the budget)."""
    bought_before = offer is not None and offer.id in content.repriced and bool(fighter.paid)
    listed = content.hire_price(offer) if offer is not None and not bought_before else fighter.paid
    gone = sum(kit.adds_ducats for kit in who.removed_sets)
    back = paid_on_top(content, fighter, gone)
    credit = Price(ducats=-back if bought_before else -gone)
    free = sum(c.effect.free_ducats for c in who.effects.get(v.UpgradeBudgetEffect, ()))
    prices = [upgrade_price(frame, content, fighter, row) for row in range(len(fighter.upgrades))]
    if becomes is not None:
        for row, upgrade in enumerate(fighter.upgrades):
            taken = content.upgrades.get(upgrade.upgrade)
            if taken and becomes in taken.effects and becomes.worth_ducats is not None:
                prices[row] = ZERO
    ducats = max(0, sum(p.ducats for p in prices) - free)
    upgrades = Price(ducats=ducats, glory=sum(p.glory for p in prices))
    worth = Price(ducats=becomes.worth_ducats) if becomes is not None and becomes.worth_ducats is not None else listed
    own = add(worth, credit)
    who.profile_price = own
    who.upgrade_prices = tuple(prices)
    who.rating = add(own, upgrades, *(h.price for h in who.held if h.included is None))
    bought = [h for h in who.held if h.included is None and h.origin == "bought"]
    found = isinstance(offer, ProfileOffer) and offer.hired_as == "find"
    asked = add(fighter.paid, Price(ducats=-back)) if fighter.paid else add(listed, credit)
    who.spent = add(ZERO if found else asked, upgrades, *(_spent_on(fighter, h) for h in bought))


def paid_on_top(content: Content, fighter: ForceFighter, ducats: int) -> int:
    """How much of these ducats for swappable kit is in what was paid for the fighter: none where it was hired without."""
    entry = content.profile_offers.get(fighter.offer)
    return max(0, min(ducats, fighter.paid.ducats - entry.price.ducats)) if entry is not None and ducats else ducats


def _spent_on(fighter: ForceFighter, held: CarriedItem) -> Price:
    paid = fighter.kit[held.row].paid if held.row >= 0 else ZERO
    if paid:
        return paid
    return held.price if held.offer is not None else ZERO


# --- views -----------------------------------------------------------------------------------------------------------------


class Views(Mapping[str, FighterView]):
    """Fighters by key, each made when it is looked at."""

    def __init__(self, content: Content, force: Force, frame: Frame | None) -> None:
        self._content = content
        self._fighters = {f.key: f for f in force.fighters if frame is not None and f.profile in content.profiles}
        self._frame = frame
        self._explicit = force.strongbox is not None
        self._made: dict[str, FighterView] = {}

    def __getitem__(self, key: str) -> FighterView:
        if key not in self._made:
            fighter = self._fighters[key]
            assert self._frame is not None
            who = facts(self._content, self._frame, fighter, explicit=self._explicit)
            self._made[key] = view_of(self._content, fighter, who)
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fighters)

    def __len__(self) -> int:
        return len(self._fighters)


def views(content: Content, force: Force) -> Mapping[str, FighterView]:
    """Every fighter after all effects, by key (fighters of unknown profile are left out)."""
    return Views(content, force, frame_of(content, force) if force.list in content.lists else None)


def implied_key(fighter: ForceFighter, held: CarriedItem, place: int) -> str:
    """The key of a piece that comes with the profile and is no row of its own."""
    included = held.included.id if held.included else "kit"
    return f"{fighter.key}+{included}+{place}"


def scars_of(fighter: ForceFighter) -> int:
    """Scars: as recorded, else counted from the traumas."""
    return fighter.scars if fighter.scars is not None else sum(t.scar for t in fighter.traumas)


OVERCOME = "overcome"  # a detail of a trauma that bars experience: a promotion die succeeded since


def barring(known: Mapping[str, Trauma], suffered: Iterable[ForceTrauma]) -> tuple[ForceTrauma, ...]:
    """The traumas that keep a fighter from experience: those that bar it and were not overcome by a promotion die since."""
    return tuple(
        t
        for t in suffered
        if t.trauma in known
        and not t.details.get(OVERCOME)
        and any(isinstance(effect, v.NoExperienceEffect) for effect in known[t.trauma].effects)
    )


def career(who: Facts) -> str:
    """How far a fighter may rise: as its profile says, or all the way where something it has lets it."""
    return "full" if who.of(v.PromotableEffect) else who.profile.advancement


def advances(content: Content, who: Facts) -> bool:
    """Whether a fighter of its kind rises and learns: what its profile says, and for mercenaries what the edition says."""
    hired = content.pack.campaign is not None and content.pack.campaign.rules.mercenaries_advance
    return (hired or not who.mercenary) and career(who) in ("full", "limited")


def may_learn(content: Content, who: Facts, fighter: ForceFighter) -> bool:
    """Whether it gains experience and learns skills: ELITE, of a kind that can, and kept from it by no wound."""
    return (
        who.elite and advances(content, who) and not fighter.demoted and not barring(content.traumas, fighter.traumas)
    )


def advance_marks(content: Content, who: Facts) -> tuple[int, ...]:
    """Experience at which skills fall due for this fighter."""
    numbers = content.campaign
    if career(who) == "limited":
        return numbers.advances_at[: numbers.limited_advances]
    return numbers.advances_at if career(who) == "full" else ()


def _own(cause: Cause) -> bool:
    """Whether a reminder is the fighter's own; what a list's rule says to all stands with the warband."""
    return cause.source.kind != "rule" or bool(cause.effect.for_profiles)


def _charge_bonus(who: Facts) -> dict[str, Any]:
    """The Charge Bonus where it is more or less than a D6."""
    bonus = [c.effect for c in who.of(v.ChargeEffect) if c.effect.lacks_keyword not in who.keywords]
    small = any(effect.die == "D3" for effect in bonus) and not any(effect.whole for effect in bonus)
    dice = max((effect.dice for effect in bonus), default=1)
    return {**({"charge_die": "D3"} if small else {}), **({"charge_dice": dice} if dice > 1 else {})}


def _powers(who: Facts) -> dict[str, Any]:
    """The powers it may cast, each with its name, how many markers pay for it, and of which kind."""
    found = [[c.source.name, list(c.effect.steps), c.effect.of] for c in who.of(v.PowerEffect)]
    return {"powers": found} if found else {}


def view_of(content: Content, fighter: ForceFighter, who: Facts) -> FighterView:
    """The fighter as pages, sheets and resolvers see it."""
    numbers = content.pack.campaign
    marks = advance_marks(content, who) if numbers else ()
    kit = tuple(
        fighter.kit[h.row] if h.row >= 0 and h.included is None
        else ForceItem(fighter.kit[h.row].key if h.row >= 0 else implied_key(fighter, h, place), h.item.id, "mandatory")
        for place, h in enumerate(who.held)
    )  # fmt: skip
    abilities = [
        GainedWord(a, content.abilities[a].name, "gained" if cause else "printed", cause)
        for a, cause in who.abilities.items()
    ]
    lost_by = {a: c.source.name for c in who.of(v.AbilityEffect) for a in c.effect.lose}
    abilities += [
        GainedWord(a, content.abilities[a].name, "lost", lost_by.get(a, ""))
        for a in who.profile.abilities
        if a not in who.abilities and a in content.abilities
    ]
    reminders = tuple(
        dict.fromkeys((c.source.name, c.source.words) for c in who.of(v.ReminderEffect) if c.source.words and _own(c))
    )
    immune = tuple(dict.fromkeys(content.keyword(k) for c in who.of(v.ImmuneEffect) for k in c.effect.keywords))
    at_table = {**_charge_bonus(who), **_powers(who)}
    barred = bool(barring(content.traumas, fighter.traumas))
    may_rise = (not who.elite or barred) and advances(content, who)
    return FighterView(
        key=fighter.key,
        name=fighter.name,
        profile=who.profile.id,
        profile_name=who.profile.name,
        elite=who.elite,
        leader=who.leader,
        mercenary=who.mercenary,
        stats=who.stats,
        movement=who.movement,
        keywords=who.keyword_causes,
        abilities=tuple(abilities),
        counts_as=tuple(sorted(who.counts_as)),
        hands_ranged=who.hands_ranged,
        hands_melee=who.hands_melee,
        kit=kit,
        rating=who.rating,
        scar_limit=(numbers.scar_limit if numbers else 2) + sum(c.effect.add for c in who.of(v.ScarLimitEffect)),
        scars=scars_of(fighter),
        next_advance=marks[fighter.advances] if fighter.advances < len(marks) else None,
        experience_cap=marks[-1] if marks else 0,
        may_be_promoted=may_rise,
        may_learn=may_learn(content, who, fighter),
        reminders=reminders,
        immune=immune,
        facts=at_table,
    )
