"""The choices that entries on a roster ask of its owner.

A choice is asked for when the entry is taken, and stored with it.

For each effect, this module says which choice it asks for, under which key and with which options. Offers use it to ask
for
choices, the checker to find open ones, and pages to change them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent
from rules.content.names import plain
from rules.content.schema import ItemOffer, ProfileEntry
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_candidates, foreign_key
from rules.fighters.frame import Frame
from rules.fighters.kit import implied_key
from rules.fighters.matching import holder_fits
from rules.fighters.sources import EffectSource, picks, source_of
from rules.force import ForceFighter, ForceItem, ForceSkill
from rules.formatting import first, listed, number
from rules.parts.choice import ChoiceAsked, Choosing
from rules.translation import gettext, ngettext

Person = tuple[ForceFighter, Facts]
OPTION = "option"
BASE, WIDER_BASE, LINK = "base", "base-optional", "link"
TOLD = 4  # a problem names up to this many options; more are counted


class Asking(NamedTuple):
    """A choice, the row that stores it, and the stored value.

    `row` is the index in the fighter's kit (-1: no item asks).
    """

    choosing: Choosing
    source_id: str
    where: str
    row: int = -1


class _ChoiceHolder(NamedTuple):
    """Something on a roster row that has effects, and where its choices are stored."""

    source: EffectSource
    kept: Any
    path: tuple[str, ...]
    row: int = -1


# --- the choice that one effect asks for ---


def asked(
    content: Content,
    army: ListContent,
    effect: v.Effect,
    source: EffectSource,
    people: Sequence[Person] = (),
    stash: Sequence[ForceItem] = (),
) -> ChoiceAsked | None:
    """Return the choice that an effect asks for; None for most effects.

    A link may be tied to any of `people` and `stash`.
    """
    match effect:
        case v.ChooseEffect():
            return _of_entries(content, effect, source)
        case v.RaiseLimitEffect() if not effect.every:
            key = "raise" if source.kind == "skill" else "raise-limit"
            return ChoiceAsked(key, gettext("Which limit rises?"), limited_entries(content, army, effect))
        case v.ForeignPickEffect():
            return _foreign(content, army, effect, source)
        case v.BaseChoiceEffect():
            sizes = tuple((str(n), " × ".join(str(x) for x in mm) + " mm") for n, mm in enumerate(effect.mm))
            return ChoiceAsked(BASE, gettext("Which base?"), sizes, optional=True)
        case v.LinkEffect():
            return _link(content, effect, people, stash)
        case v.AsksEffect() if effect.options:
            return ChoiceAsked(effect.key, effect.words, tuple((o, first(o)) for o in effect.options))
    return None


def _of_entries(content: Content, effect: v.ChooseEffect, source: EffectSource) -> ChoiceAsked | None:
    kind = "rule" if effect.of == "list-rule" else effect.of
    pool = dict.fromkeys(effect.options)
    for table in effect.tables:
        if table in content.skill_tables:
            pool.update((row.skill, None) for row in content.skill_tables[table].rows if row.skill)
        elif table in content.patrons:
            pool.update((skill, None) for skill in content.patrons[table].skills)
    if not pool:
        return None
    words = {
        "list-rule": gettext("{name}: which one?").format(name=source.name),
        "ability": gettext("Which power?"),
        "skill": gettext("Which skill?"),
    }
    options = tuple((one, content.name(kind, one)) for one in pool)
    entries: dict[str, Mapping[str, Any]] = {
        "rule": content.rules, "ability": content.abilities, "skill": content.skills, "upgrade": content.upgrades
    }  # fmt: skip
    known = entries.get(kind, {})
    summaries = tuple((one, known[one].words) for one in pool if one in known and known[one].words)
    return ChoiceAsked(
        effect.key, words.get(effect.of, gettext("Which one?")), options, effect.count, summaries=summaries
    )


def _foreign(
    content: Content, army: ListContent, effect: v.ForeignPickEffect, source: EffectSource
) -> ChoiceAsked | None:
    known: dict[Any, ChoiceAsked | None] = content.cache.setdefault("foreign-asked", {})
    key = (army.army.id, source.kind, source.id, effect)
    if key not in known:
        known[key] = _foreign_asked(content, army, effect, source)
    return known[key]


def _foreign_asked(
    content: Content, army: ListContent, effect: v.ForeignPickEffect, source: EffectSource
) -> ChoiceAsked | None:
    entries = foreign_candidates(content, army, effect)
    if not entries:
        return None
    options = tuple((o.id, f"{content.items[o.item].name}, {o.price}") for o in entries)
    if source.kind != "rule":
        return ChoiceAsked("item", gettext("Which item of another list?"), options, effect.count)
    names = {x.id: x.name for x in content.pack.other_lists}
    whose = " or ".join(names.get(x, content.name("list", x)) for x in effect.lists) or gettext("another list")
    words = gettext("{name}: which item of {whose}?").format(name=source.name, whose=whose)
    return ChoiceAsked(foreign_key(source, effect), words, options, effect.count)


def limited_entries(content: Content, army: ListContent, effect: v.RaiseLimitEffect) -> tuple[tuple[str, str], ...]:
    """Return the entries of the warband's list whose limit may be raised, by id.

    The price distinguishes entries of the same item.
    """
    if effect.of == "items":
        limited = [o for o in army.item_offers if _may_rise(content, effect, o)]
        count = Counter(o.item for o in limited)
        names = {o.id: content.items[o.item].name for o in limited}
        return tuple((o.id, names[o.id] if count[o.item] == 1 else f"{names[o.id]}, {o.price}") for o in limited)
    return tuple(
        (o.id, content.profiles[o.profile].name)
        for o in army.profile_offers
        if content.limit_of(o.most, o.id, o.profile) is not None
        and o.hired_as == "own"
        and not (effect.not_elite and is_elite_profile(content, content.profiles[o.profile]))
    )


def _may_rise(content: Content, effect: v.RaiseLimitEffect, offer: ItemOffer) -> bool:
    """Return whether the effect may raise the limit of this armoury entry."""
    if content.limit_of(offer.limit, offer.id, offer.item) is None or (
        effect.no_glory_items and offer.exploration_only
    ):
        return False
    return not effect.categories or content.items[offer.item].category in effect.categories


def is_elite_profile(content: Content, profile: ProfileEntry) -> bool:
    return profile.role == "elite" or "ELITE" in {content.keyword(k) for k in profile.keywords}


def _link(content: Content, effect: v.LinkEffect, people: Sequence[Person], stash: Sequence[ForceItem]) -> ChoiceAsked:
    if effect.of == "fighter":
        fighters = tuple((f.key, f.name) for f, w in people if f.active and holder_fits(effect.who, w, content))
        return ChoiceAsked(LINK, gettext("For which fighter?"), fighters, effect.count)
    pieces = tuple(
        (piece.key, f"{content.items[piece.item].name}, {where}")
        for where, piece in owned(people, stash)
        if piece.item in content.items and links_item(content, effect, piece.item)
    )
    return ChoiceAsked(LINK, gettext("Which piece?"), pieces, effect.count)


def owned(people: Iterable[Person], stash: Iterable[ForceItem]) -> Iterator[tuple[str, ForceItem]]:
    """Yield every item with the key of its carrier.

    An item that comes with a profile has the same key as in the views.
    """
    for fighter, who in people:
        for place, held in enumerate(who.held):
            own = fighter.kit[held.row] if held.row >= 0 else None
            yield fighter.name, own or ForceItem(implied_key(fighter, held, place), held.item.id, "mandatory")
    for piece in stash:
        yield "stash", piece


def links_item(content: Content, effect: v.LinkEffect, item_id: str) -> bool:
    """Return whether a link may be tied to this kind of item."""
    item = content.items[item_id]
    return not effect.items or any(
        test.item in ("", item.id)
        and test.category in ("", item.category)
        and test.slot in ("", item.slot)
        and (not test.group or test.group in item.groups)
        and (not test.keyword or content.keyword(test.keyword) in content.item_keywords[item.id])
        for test in effect.items
    )


# --- the choices of a fighter, an item or the list ---


def of_fighter(
    content: Content,
    army: ListContent,
    fighter: ForceFighter,
    who: Facts,
    people: Sequence[Person] = (),
    stash: Sequence[ForceItem] = (),
    *,
    own_only: bool = False,
) -> Iterator[Asking]:
    """Yield every choice of one fighter: those of its profile, abilities, upgrades, skills and items.

    `own_only`: only those of its profile and abilities.
    """
    yield from _loadouts(content, fighter, who)
    for holder in _own_holders(content, fighter, who) if own_only else _holders(content, fighter, who):
        for effect in holder.source.effects:
            ask = asked(content, army, effect, holder.source, people, stash)
            if ask is not None:
                yield _asking(fighter, holder, ask)
    if not own_only:
        yield from _larger_base(fighter, who)
        yield from _upgrade_options(content, fighter)


def _loadouts(content: Content, fighter: ForceFighter, who: Facts) -> Iterator[Asking]:
    for kit in who.profile.kit:
        if kit.one_of:
            loads = tuple((str(n), listed(content.name("item", i) for i in alt)) for n, alt in enumerate(kit.one_of))
            ask = ChoiceAsked(f"loadout-{kit.id}", gettext("Which loadout?"), loads, any_time=kit.each_battle)
            source = EffectSource("profile", who.profile.id, who.profile.name, "", who.profile.source, ())
            yield _asking(fighter, _ChoiceHolder(source, fighter.choices, ("choices",)), ask)


def _larger_base(fighter: ForceFighter, who: Facts) -> Iterator[Asking]:
    causes = [c for c in who.of(v.BaseEffect) if c.effect.optional]
    size = max((max(c.effect.mm) for c in causes), default=0)
    if size > max(who.profile.statline.base_mm):
        option = (str(size), gettext("{size} mm").format(size=size))
        ask = ChoiceAsked(WIDER_BASE, gettext("A larger base?"), (option,), optional=True, any_time=True)
        yield _asking(fighter, _ChoiceHolder(causes[0].source, fighter.choices, ("choices",)), ask)


def _upgrade_options(content: Content, fighter: ForceFighter) -> Iterator[Asking]:
    for taken in fighter.upgrades:
        upgrade = content.upgrades.get(taken.upgrade)
        if upgrade is not None and upgrade.options:
            options = tuple((o, content.name("upgrade", o)) for o in upgrade.options)
            source = EffectSource("upgrade", upgrade.id, upgrade.name, "", upgrade.source, ())
            kept = {OPTION: taken.option} if taken.option else {}
            holder = _ChoiceHolder(source, kept, ("upgrades", taken.key))
            yield _asking(fighter, holder, ChoiceAsked(OPTION, gettext("Which one?"), options))


def _own_holders(content: Content, fighter: ForceFighter, who: Facts) -> Iterator[_ChoiceHolder]:
    yield _ChoiceHolder(source_of("profile", who.profile), fighter.choices, ("choices",))
    for ability_id in who.abilities:
        source = source_of("ability", content.abilities[ability_id], who.profile.name)
        yield _ChoiceHolder(source, fighter.choices, ("choices",))


def _holders(content: Content, fighter: ForceFighter, who: Facts) -> Iterator[_ChoiceHolder]:
    yield from _own_holders(content, fighter, who)
    for taken in fighter.upgrades:
        for upgrade_id in (taken.upgrade, taken.option):
            if upgrade_id in content.upgrades:
                path = ("upgrades", taken.key, "choices")
                yield _ChoiceHolder(source_of("upgrade", content.upgrades[upgrade_id]), taken.choices, path)
    for learned in fighter.skills:
        for skill_id in _skills_of(content, learned):
            if skill_id in content.skills:
                path = ("skills", learned.key, "choices")
                yield _ChoiceHolder(source_of("skill", content.skills[skill_id]), learned.choices, path)
    for row, piece in enumerate(fighter.kit):
        if piece.item in content.items:
            yield _piece(content, piece, row)


def _skills_of(content: Content, learned: ForceSkill) -> list[str]:
    effects = content.skills[learned.skill].effects if learned.skill in content.skills else ()
    chosen = [e.key for e in effects if isinstance(e, v.ChooseEffect) and e.of == "skill"]
    return [learned.skill, *(skill for key in chosen for skill in picks(learned.choices, key))]


def _piece(content: Content, piece: ForceItem, row: int = -1) -> _ChoiceHolder:
    return _ChoiceHolder(source_of("item", content.items[piece.item]), piece.choices, (), row)


def of_item(
    content: Content,
    army: ListContent,
    piece: ForceItem,
    people: Sequence[Person] = (),
    stash: Sequence[ForceItem] = (),
) -> Iterator[Asking]:
    """Yield every choice of an item that nobody carries."""
    if piece.item in content.items:
        holder = _piece(content, piece)
        for effect in holder.source.effects:
            found = asked(content, army, effect, holder.source, people, stash)
            if found is not None:
                yield _placed(holder, found, item=piece.key)


def of_list(content: Content, frame: Frame, kept: Any) -> Iterator[Asking]:
    """Yield every choice that the list and its rules ask of the whole warband."""
    for kind in (v.ChooseEffect, v.ForeignPickEffect):
        for cause in frame.of(kind):
            effect = cause.effect
            if cause.source.kind != "rule" or getattr(effect, "own", False):
                continue
            if isinstance(effect, v.ChooseEffect) and effect.of != "list-rule":
                continue
            found = asked(content, frame.list, effect, cause.source)
            if found is not None:
                yield _placed(_ChoiceHolder(cause.source, kept, ("choices",)), found, row="warband")


def _asking(fighter: ForceFighter, holder: _ChoiceHolder, ask: ChoiceAsked) -> Asking:
    if holder.row >= 0:
        return _placed(holder, ask, item=fighter.kit[holder.row].key, fighter=fighter.key)
    return _placed(holder, ask, row="fighter", fighter=fighter.key)


def _placed(holder: _ChoiceHolder, ask: ChoiceAsked, *, row: Any = "item", fighter: str = "", item: str = "") -> Asking:
    chosen = picks(holder.kept, ask.key)
    choosing = Choosing(
        row, (*holder.path, ask.key), ask, holder.source.name, chosen, fighter, item, wrong_words(ask, chosen)
    )
    return Asking(choosing, holder.source.id, holder.source.where, holder.row)


def wrong_words(ask: ChoiceAsked, chosen: tuple[str, ...]) -> str:
    """Return what is wrong with the chosen values; "" if they are fine.

    A link to something that no longer exists is fine.
    """
    if not chosen or ask.key == LINK:
        return ""
    known = {value for value, _ in ask.options}
    strange = [value for value in chosen if value not in known]
    if strange:
        return gettext("“{strange}” is none of the choices").format(strange=strange[0])
    if len(chosen) > ask.count:
        return ngettext("{count} is asked, {count_2} chosen", "{count} are asked, {count_2} chosen", ask.count).format(
            count=first(number(ask.count)), count_2=number(len(chosen))
        )
    return ""


def meant(content: Content, ask: ChoiceAsked, text: str) -> str:
    """Return the option that a text means: by value, by name, or by the item or profile of its entry; else the text itself."""
    for value, words in ask.options:
        if text in (value, words) or plain(text) in (plain(value), plain(words)):
            return value
    for value, _ in ask.options:
        item, profile = content.item_offers.get(value), content.profile_offers.get(value)
        if (item is not None and item.item == text) or (profile is not None and profile.profile == text):
            return value
    return text


def mend_words(ask: ChoiceAsked) -> str:
    """Return the advice for an open choice: its options, or how many there are."""
    if len(ask.options) <= TOLD and ask.count == 1:
        words = listed((words for _, words in ask.options), "or")
        return gettext("Choose {words}").format(words=words) + ("" if words.endswith(("!", "?", ".")) else ".")
    return gettext("Choose {count} of {count_2}.").format(count=number(ask.count), count_2=number(len(ask.options)))
