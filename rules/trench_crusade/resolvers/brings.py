"""What fighters add to an attack besides weapon and profile, and what only the table can apply.

The additions are the `table` effects of the fighters' texts. An effect applies to an attack if all its conditions
hold. A condition that the app cannot know (who is near, what was done before) is a switch that the players set, named
by the effect itself. Texts of other fighters in the warband affect attacker and target through `reach`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes, trait_holds
from rules.fighters.sources import Cause
from rules.resolvers.situation import Toggle
from rules.translation import gettext
from rules.trench_crusade.resolvers.inputs import words_of
from rules.trench_crusade.table_only import MARK, left_words

Whose = Literal["mine", "theirs"]
# Keywords for which the resolver leaves out a modifier.
IGNORING: Mapping[str, str] = {
    "cover": "IGNORE COVER", "long range": "IGNORE LONG RANGE", "elevated": "IGNORE ELEVATED POSITION",
    "off-hand": "IGNORE OFF-HAND WEAPON", "defended obstacle": "IGNORE DEFENDED OBSTACLE", "fear": "IGNORE FEAR", "down": "IGNORE DOWN",
}  # fmt: skip
LOBBED = ("cover", "long range")  # what a grenade ignores if the edition says so of all grenades
# Circumstances of only one kind of attack.
OF_KIND: Mapping[str, str] = {
    "charged": "melee", "diving charge": "melee", "off-hand": "melee", "main hand": "melee", "defended obstacle": "melee", "long range": "ranged",
    "short range": "ranged", "cover": "ranged", "in the open": "ranged", "elevated": "ranged",
}  # fmt: skip
# Circumstances as set by the table: the keys of switches, and whether one must be on (or all off). A Diving Charge is a charge.
SAID: Mapping[str, tuple[tuple[str, ...], bool]] = {
    "charged": (("charged", "diving_charge"), True), "diving charge": (("diving_charge",), True), "off-hand": (("off_hand",), True),
    "main hand": (("off_hand",), False), "defended obstacle": (("defended_obstacle",), True), "long range": (("long_range",), True), "short range": (("long_range",), False),
    "cover": (("cover",), True), "in the open": (("cover",), False), "elevated": (("elevated",), True),
    "direct hit": (("around",), False), "in the blast": (("around",), True), "down": (("down",), True),
    "foe down": (("target_down",), True), "foe standing": (("target_down",), False), "foe to act": (("target_to_act",), True),
    "unmarked": (("own_blood",), False), "foe unmarked": (("target_blood",), False),
}  # fmt: skip
# What is the bearer's own becomes the target's when the bearer is attacked.
TURNED = {"down": "target_down", "target_down": "down", "own_blood": "target_blood", "target_blood": "own_blood"}
SWITCH = "when_"  # prefix of the key of a switch that an effect requires
OWN_BLOOD, FOE_BLOOD = "own_blood", "target_blood"
MOST_MARKERS = 6
# Switches that only effects require, by key.
ASKED: Mapping[str, Toggle] = {
    "long_range": Toggle("long_range", gettext("Long range")), "cover": Toggle("cover", gettext("Cover")), "elevated": Toggle("elevated", gettext("Higher ground")),
    "around": Toggle("around", gettext("In the blast, not hit directly")),
    "target_to_act": Toggle("target_to_act", gettext("The target has yet to act this turn")),
    OWN_BLOOD: Toggle(OWN_BLOOD, gettext("BLOOD MARKERS on me"), 0, MOST_MARKERS),
    FOE_BLOOD: Toggle(FOE_BLOOD, gettext("BLOOD MARKERS on the target"), 0, MOST_MARKERS),
}  # fmt: skip


# What an effect changes in its bearer's own attacks, and in attacks against it.
OF_OWN = (
    "hit", "hit_flat", "injury", "flat", "base_dice", "ignores", "gives", "on_critical", "critical_from", "critical_sooner", "attacks",
    "raised", "reroll", "own_blood", "own_blessing", "more_blood", "more_infection", "all_hit_out", "later_hit", "later_off_hand", "after_hit", "always_off_hand", "by_ranged", "hit_base", "bloodbath", "bloodbath_cost", "fear_immune",
)  # fmt: skip
OF_OTHERS = (
    "hit_against", "injury_against", "flat_against", "gives_against", "negates", "covered", "uncovered", "down_is_minor", "first_down",
    "minor_is_down", "ignores_out", "unmarked", "tough_to_nothing", "minor_is_nothing", "down_is_nothing", "out_is_down", "untouched",
    "stays_up", "tough", "fearsome", "spares", "marks", "armour_beside_shield", "unarmoured", "without", "averts", "unraised", "own_against",
    "keeps_infection",
)  # fmt: skip


def speaks(effect: v.AttackEffect, *, acts: bool) -> bool:
    """Whether an effect says anything of its bearer's own attacks (`acts`), or of attacks against it."""
    bound = effect.most_spent if acts else effect.most_spent_against
    return bound >= 0 or any(getattr(effect, name) for name in (OF_OWN if acts else OF_OTHERS))


@dataclass(frozen=True, slots=True)
class Bearing:
    """One `table` effect that may apply to an attack.

    `acts`: it applies to the attack itself, otherwise to how it is met. `at` is the fighter it applies to. `key` and
    `words` are those of its switch ("" if it has no condition), `unless` those of the switch that ends it.
    """

    cause: Cause
    at: Facts
    foe: Facts
    acts: bool
    key: str = ""
    words: str = ""
    unless: str = ""
    unless_words: str = ""

    @property
    def effect(self) -> v.AttackEffect:
        """What it says."""
        effect: v.AttackEffect = self.cause.effect
        return effect

    @property
    def name(self) -> str:
        """What it is called where it is told."""
        return self.cause.source.name


def switch_key(words: str) -> str:
    """The key of a switch that an effect asks for, from its words."""
    return SWITCH + "_".join(re.findall(r"[a-z0-9]+", words.lower()))


@dataclass(frozen=True)
class AttackFacts:
    """An attack as conditions see it: how it is made, with what, and what the table has set."""

    content: Content
    kind: Literal["ranged", "melee"]
    held: CarriedItem | None
    keywords: frozenset[str]
    told: Mapping[str, Any]
    text: str = ""  # the text that gives an attack without a weapon

    @cached_property
    def ignored(self) -> frozenset[str]:
        """The circumstances that cost this attack nothing."""
        words, play = words_of(self.keywords), self.content.pack.play
        lobbed = "GRENADE" in words and play is not None and play.grenades_ignore
        return frozenset(name for name, keyword in IGNORING.items() if (lobbed and name in LOBBED) or keyword in words)

    def having(self, keywords: Iterable[str]) -> AttackFacts:
        """The same with further keywords."""
        return replace(self, keywords=self.keywords | set(keywords))


def bearings(
    content: Content,
    mine: Facts,
    theirs: Facts,
    mates: Iterable[Facts],
    others: Iterable[Facts],
    held: CarriedItem | None,
    *,
    melee: bool,
) -> tuple[Bearing, ...]:
    """Every `table` effect that could count for an attack of one fighter on another: their own, and those of their sides that reach them.

    Of the attacker's weapons only the one in use counts.
    """  # fmt: skip
    found = [*_own(content, mine, theirs, held, acts=True), *_own(content, theirs, mine, None, acts=False)]
    seen: set[tuple[str, str, int]] = set()
    for bearer, whose in (*((x, "mine") for x in (mine, *mates)), *((x, "theirs") for x in (theirs, *others))):
        for place, cause in enumerate(bearer.of(v.AttackEffect)):
            effect: v.AttackEffect = cause.effect
            if not effect.reach or not _carried(effect, bearer):
                continue
            friendly = effect.reach != "enemies"
            acts = (whose == "mine") == friendly
            if not speaks(effect, acts=acts):
                continue
            at, foe = (mine, theirs) if acts else (theirs, mine)
            itself = bearer is at
            key = (whose, cause.source.id, place)
            if (itself and effect.reach == "others") or key in seen:
                continue
            seen.add(key)
            near = itself or (melee and not friendly and bearer is foe)
            found.append(_made(cause, at, foe, acts=acts, near=near))
    return tuple(found)


def _own(content: Content, at: Facts, foe: Facts, held: CarriedItem | None, *, acts: bool) -> Iterator[Bearing]:
    seen: list[Cause] = []
    for cause in at.of(v.AttackEffect):
        if cause.effect.reach or not _carried(cause.effect, at) or not speaks(cause.effect, acts=acts):
            continue
        if acts and is_weapon(content, cause) and (held is None or cause.source.id != held.item.id or cause in seen):
            continue  # only one of two identical pieces is in use
        seen.append(cause)
        yield _made(cause, at, foe, acts=acts, near=False)


def _carried(effect: v.AttackEffect, bearer: Facts) -> bool:
    return not effect.bearer_keyword or effect.bearer_keyword in bearer.keywords


def is_weapon(content: Content, cause: Cause) -> bool:
    """Whether a text stands on a weapon."""
    item = content.items.get(cause.source.id) if cause.source.kind == "item" else None
    return item is not None and item.weapon


def _made(cause: Cause, at: Facts, foe: Facts, *, acts: bool, near: bool) -> Bearing:
    effect: v.AttackEffect = cause.effect
    of_weapon = cause.source.kind == "item" and any(h.item.id == cause.source.id and h.item.weapon for h in at.held)
    before = (
        ""
        if of_weapon and acts
        else f"{cause.source.name}: "
        if acts
        else gettext("Target, {source}: ").format(source=cause.source.name)
    )
    words = "" if near or not effect.switch else before + effect.switch
    unless = before + effect.unless_switch if effect.unless_switch else ""
    return Bearing(
        cause, at, foe, acts, switch_key(words) if words else "", words, switch_key(unless) if unless else "", unless
    )


def bears(one: Bearing, blow: AttackFacts) -> bool:
    """Whether all holds that an effect asks for of the attack, what the table says apart."""
    effect, content = one.effect, blow.content
    return (
        _bears_on_keywords(effect, blow.keywords)
        and _bears_on_kind(one, blow)
        and _bears_on_weapon(effect, blow)
        and _passes(one.foe, effect.foe, effect.not_foe, content)
        and _passes(one.at, effect.at, effect.not_at, content)
    )


def _bears_on_keywords(effect: v.AttackEffect, keywords: frozenset[str]) -> bool:
    barred = {effect.unless, *effect.unless_any} - {""}
    return (not effect.keyword or effect.keyword in keywords) and not barred & keywords


def _bears_on_kind(one: Bearing, blow: AttackFacts) -> bool:
    """Whether the kind of attack is right, and what the target wears."""
    effect = one.effect
    return (
        effect.kind in ("", blow.kind)
        and not (effect.natural and not _is_natural(one, blow))
        and all(OF_KIND.get(word, blow.kind) == blow.kind for word in effect.circumstances)
        and ("foe armoured" not in effect.circumstances or wears_armour(one.foe))
        and ("foe in armour or shield" not in effect.circumstances or is_protected(one.foe))
    )


def _bears_on_weapon(effect: v.AttackEffect, blow: AttackFacts) -> bool:
    held = blow.held
    if held is None:
        return not effect.armed and not effect.items
    fits = not effect.items or any(item_passes(test, held, None, blow.content) for test in effect.items)
    return fits and not any(item_passes(test, held, None, blow.content) for test in effect.not_items)


def _is_natural(one: Bearing, blow: AttackFacts) -> bool:
    """Whether an attack is made without a weapon; a text that brings one itself means that one."""
    if any(isinstance(effect, v.NaturalEffect) for effect in one.cause.source.effects):
        return blow.text == one.cause.source.id
    return blow.held is None


def _passes(who: Facts, tests: tuple[v.Trait, ...], bars: tuple[v.Trait, ...], content: Content) -> bool:
    there = not tests or any(trait_holds(trait, who, content) for trait in tests)
    return there and not any(trait_holds(trait, who, content) for trait in bars)


def wears_armour(who: Facts) -> bool:
    """Whether anything but a shield takes off from injuries on it."""
    shields = sum(
        effect.add
        for held in who.held
        if held.item.slot == "shield"
        for effect in held.item.effects
        if isinstance(effect, v.StatEffect) and effect.stat == "armour"
    )
    return (who.stats["armour"].value or 0) < shields


def is_protected(who: Facts) -> bool:
    """Whether it has an Armour Characteristic that takes anything off, wears armour or carries a shield."""
    return (who.stats["armour"].value or 0) < 0 or any(held.item.slot in ("armour", "shield") for held in who.held)


def times(one: Bearing, blow: AttackFacts) -> int:
    """How often an effect counts: not at all where it does not bear on the attack, where its switch is not thrown, or once it is spent."""
    effect = one.effect
    if not bears(one, blow) or not all(_said(word, one, blow) for word in effect.circumstances):
        return 0
    if one.unless and blow.told.get(one.unless):
        return 0
    count = 1
    if one.key:
        count = max(0, min(1 if effect.per else effect.most, int(blow.told.get(one.key) or 0)))
    if effect.per:
        markers = int(blow.told.get(_marked(one)) or 0) // effect.per_each
        count *= min(markers, effect.most) if effect.most > 1 else markers
    return count


def _said(word: str, one: Bearing, blow: AttackFacts) -> bool:
    """Whether the table says so, and it counts."""
    if word not in SAID:
        return True
    if one.effect.with_modifier and word in blow.ignored:
        return False
    keys, thrown = SAID[word]
    return any(blow.told.get(key if one.acts else TURNED.get(key, key)) for key in keys) is thrown


def conditions(one: Bearing) -> set[str]:
    """The keys of what an effect asks of the table: circumstances, its switches, and markers that it counts."""
    found = {one.key, one.unless} - {""}
    for word in one.effect.circumstances:
        found |= {key if one.acts else TURNED.get(key, key) for key in SAID.get(word, ((), True))[0]}
    return found | ({_marked(one)} if one.effect.per else set())


def _marked(one: Bearing) -> str:
    return OWN_BLOOD if (one.effect.per == "own blood") == one.acts else FOE_BLOOD


def switches(found: Iterable[Bearing], blow: AttackFacts) -> tuple[Toggle, ...]:
    """What the table has to say for these effects: their own switches, and the circumstances and markers that nothing else asks about."""
    toggles: dict[str, Toggle] = {}
    for one in found:
        effect = one.effect
        if not bears(one, blow):
            continue
        for word in effect.circumstances:
            for key in SAID.get(word, ((), True))[0]:
                turned = key if one.acts else TURNED.get(key, key)
                if turned in ASKED and not (effect.with_modifier and word in blow.ignored):
                    toggles.setdefault(turned, ASKED[turned])
        if effect.per:
            toggles.setdefault(_marked(one), ASKED[_marked(one)])
        if one.key:
            most = 1 if effect.per else effect.most
            known = toggles.get(one.key)
            if known is None or known.most < most:
                toggles[one.key] = Toggle(one.key, one.words, 0, most)
        if one.unless:
            toggles.setdefault(one.unless, Toggle(one.unless, one.unless_words))
    return tuple(toggles.values())


@dataclass(frozen=True)
class Brought:
    """Everything that applies to one attack, combined: (number, cause) of dice and numbers, and what changes how it
    is read.
    """

    hit: tuple[tuple[int, str], ...] = ()
    injury: tuple[tuple[int, str], ...] = ()
    flats: tuple[tuple[int, str], ...] = ()
    flats_against: tuple[tuple[int, str], ...] = ()
    hit_flat: int = 0
    keywords: frozenset[str] = frozenset()
    counting: tuple[tuple[Bearing, int], ...] = ()

    def of(self, *, acts: bool) -> Iterator[v.AttackEffect]:
        """The effects that count for the attacker (`acts`) or for the target."""
        return (one.effect for one, _ in self.counting if one.acts == acts)


def brought(found: tuple[Bearing, ...], blow: AttackFacts) -> Brought:
    """What these effects come to. Keywords that they give count for what others ask of the attack's keywords."""
    given: set[str] = set()
    for one in found:
        effect = one.effect
        words = (*effect.gives, *(IGNORING[word] for word in effect.ignores)) if one.acts else effect.gives_against
        if words and times(one, blow):
            given.update(words)
    full = blow.having(given)
    counting = tuple((one, count) for one in found if (count := times(one, full)))
    own, against = (tuple(pair for pair in counting if pair[0].acts is acts) for acts in (True, False))
    return Brought(
        hit=_numbers((one, (one.effect.hit if one.acts else one.effect.hit_against) * n) for one, n in counting),
        injury=_numbers(
            (one, (one.effect.injury if one.acts else one.effect.injury_against) * n) for one, n in counting
        ),
        flats=_numbers((one, one.effect.flat * n) for one, n in own),
        flats_against=_numbers((one, one.effect.flat_against * n) for one, n in against),
        hit_flat=sum(one.effect.hit_flat * n for one, n in own),
        keywords=frozenset(given),
        counting=counting,
    )


def _numbers(found: Iterable[tuple[Bearing, int]]) -> tuple[tuple[int, str], ...]:
    """The numbers that change anything, with their causes."""
    return tuple((number, one.name) for one, number in found if number)


# --- what the app does not calculate ---------------------------------------------------------------------------------------


def waiting(found: Iterable[Bearing], blow: AttackFacts) -> Iterator[tuple[str, str]]:
    """What counts only once its switch is thrown, and is not: (whose, words). Modes of the weapon in use stand by their switch alone."""
    for one in found:
        if one.acts and is_weapon(blow.content, one.cause):
            continue
        if one.key and bears(one, blow) and not blow.told.get(one.key):
            whose = "mine" if one.acts else "theirs"
            words = one.words.removeprefix(gettext("Target, "))
            yield whose, gettext("{words} (counts once switched on)").format(words=words)


def left_out(content: Content, mine: Facts, theirs: Facts, held: CarriedItem | None) -> tuple[tuple[str, str], ...]:
    """What either side's texts change that is not in the odds: (whose, words). Of the attacker's weapons, that of the one in use."""
    found: list[tuple[str, str]] = []
    for whose, who, moments in (("mine", mine, ("attack", "battle")), ("theirs", theirs, ("defence", "battle"))):
        for cause in who.of(v.ReminderEffect):
            source, effect = cause.source, cause.effect
            if effect.when not in moments:
                continue
            if whose == "mine" and is_weapon(content, cause) and (held is None or held.item.id != source.id):
                continue
            words = left_words(effect, source.effects, source.words)
            if words:
                found.append((whose, f"{source.name} {MARK}: {words}"))
    return tuple(dict.fromkeys(found))
