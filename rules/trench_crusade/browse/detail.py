"""The builder for the detail page of one entry: its facts, tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rules.browse import RuleDetail, RuleFact, RuleRef, RuleTable, in_words, named, ref_words
from rules.content.compiled import Content
from rules.content.graph import Mention, mentions
from rules.formatting import number, short_price
from rules.translation import gettext as _
from rules.trench_crusade.namesakes import told_name
from rules.vocabulary import Cap, CapAfter, CapHalf, CapJoins, CapMatch, CapOthersCost, CapOutnumbered, CapRises, Holder

KIND_OF = {
    "lists": "list",
    "profiles": "profile",
    "items": "item",
    "upgrades": "upgrade",
    "abilities": "ability",
    "keywords": "keyword",
    "skills": "skill",
    "traumas": "trauma",
    "rules": "rule",
    "locations": "location",
    "reference": "reference",
    "lasting": "lasting",
    "patrons": "patron",
    "deeds": "deed",
    "scenarios": "scenario",
    "skill_tables": "skill-table",
    "random_parts": "random-part",
}
TABLE_OF = {kind: table for table, kind in KIND_OF.items()}
OFFERED = {
    "profile_offers": ("profiles", "profile"),
    "item_offers": ("items", "item"),
    "upgrade_offers": ("upgrades", "upgrade"),
}


class Detail:
    """A detail page under construction: facts, tables and figures in the order in which the page shows them."""

    def __init__(self, content: Content, entry: Any) -> None:
        self.content, self.entry = content, entry
        self.facts: list[RuleFact] = []
        self.tables: list[RuleTable] = []
        self.figures: dict[str, str | tuple[str, ...]] = {}
        self.offered: dict[str, dict[str, None]] = {}  # by label, the different offers that its figure tells
        self.meanings: dict[str, frozenset[str]] = {}
        self.label_ids: dict[str, str] = {}
        self.text_ids: dict[str, str] = {}
        self.house: list[str] = []
        self.shown: set[tuple[str, str]] = set()
        summary = getattr(entry, "summary", "") or getattr(entry, "temper", "")
        if summary:
            self.figures[_("In short")] = summary

    def fact(self, label: str, values: Sequence[RuleRef] | str, *, figure: bool = True) -> None:
        """Add a fact. A `figure` is compared between editions. An empty fact is left out."""
        if not values:
            return
        refs = named(values) if isinstance(values, str) else tuple(dict.fromkeys(values))
        self.facts.append(RuleFact(label, refs))
        self.shown.update((ref.kind, ref.id) for ref in refs if ref.kind)
        if figure:
            self.figures[label] = in_words(refs)
            self.text_ids.update((ref_words(ref), f"{ref.id} {ref.note}") for ref in refs if ref.kind == "list")

    def offer_figure(self, label: str, line: str, about: str, offer: Any) -> None:
        """Add an offer to the figure of this label. `about`: what the label names, the same in every edition.

        Two offers mean the same if they differ only in how they word whom they are for.
        """
        words = getattr(offer, "who_words", "")
        meaning = line.replace(words, repr(offer.who)) if words and offer.who != Holder() else line
        self.meanings[label] = self.meanings.get(label, frozenset()) | {meaning}
        lines = self.offered.setdefault(label, {})
        lines[line] = None
        told, *more = lines
        for other in more:
            told = _("{known}; or {line}").format(known=told, line=other)
        self.figures[label] = told
        self.label_ids[label] = about

    def table(self, caption: str, heads: Sequence[str], rows: Iterable[Sequence[Sequence[RuleRef] | str]]) -> None:
        """Add a table with a cell for each head. An empty one is left out."""
        cells = tuple(tuple(named(c) if isinstance(c, str) else tuple(c) for c in row) for row in rows)
        if cells:
            self.tables.append(RuleTable(caption, tuple(heads), cells))

    def ref(self, table: str, id_: str, note: str = "") -> RuleRef:
        kind = KIND_OF[table]
        if kind in self.content.display:
            return RuleRef(self.content.name(kind, id_), kind, id_, note)
        name = next((entry.name for entry in getattr(self.content.pack, table) if entry.id == id_), id_)
        return RuleRef(name, kind, id_, note)

    def refs(self, table: str, ids: Iterable[str]) -> tuple[RuleRef, ...]:
        return tuple(self.ref(table, id_) for id_ in dict.fromkeys(ids))

    def list_ref(self, id_: str) -> RuleRef:
        army = self.content.lists[id_].army
        return RuleRef(told_name(self.content, id_), "list", id_, "third-party" if army.third_party else "")

    def mentions(self, table: str) -> tuple[Mention, ...]:
        """Return everything that names the entry. `table` is the pack table that holds the entry."""
        return mentions(self.content).get((table, self.entry.id), ())

    def mentioned_by(self, table: str, by: str) -> tuple[RuleRef, ...]:
        return self.refs(by, (mention.entry.id for mention in self.mentions(table) if mention.table == by))

    def done_by(self, how: tuple[str, bool]) -> None:
        """Say who applies the entry: the app, the table, or both."""
        where, besides = how
        words = {"app": _("applied here once confirmed"), "sheet": _("a reminder on the sheet")}.get(where, "")
        self.fact(
            _("In the app"),
            _("{words}; the rest stands on the sheet").format(words=words) if besides else words,
            figure=False,
        )

    def finish(self) -> RuleDetail:
        return RuleDetail(
            tuple(self.facts),
            tuple(self.tables),
            self.figures,
            tuple(dict.fromkeys(self.house)),
            getattr(self.entry, "third_party", False),
            self.label_ids,
            self.text_ids,
            self.meanings,
        )

    # --- what many kinds have in common

    def keywords(self, label: str, names: Iterable[str]) -> None:
        """Add keywords as printed, each linked to its page."""
        refs = []
        for name in map(self.content.keyword, names):
            known = self.content.keyword_id(name)
            refs.append(RuleRef(name, "keyword" if known else "", known))
        self.fact(label, refs)

    def offers(self, caption: str, offers: Sequence[Any], words: Callable[[Any], tuple[str, str]]) -> None:
        """Add a table of where the entry is sold and for how much.

        Lists with the same price, limit and condition share a row.
        """
        order = {army.id: index for index, army in enumerate(self.content.pack.lists)}
        rows: dict[tuple[str, str, str], list[str]] = {}
        for offer in offers:
            limit, holders = words(offer)
            for list_id in offer.lists:
                if list_id in order:
                    key = (priced(self.content, offer), limit, self._with_ban(offer, list_id, holders))
                    rows.setdefault(key, []).append(list_id)
                    self._figure_of_list(offer, list_id, limit, holders)
        ordered = sorted(rows.items(), key=lambda row: min(order[list_id] for list_id in row[1]))
        self.table(
            caption,
            (_("Lists"), _("Price"), _("Limit"), _("For")),
            (
                (
                    [self.list_ref(x) for x in sorted(lists, key=lambda x: order[x])],
                    price,
                    limit or _("any"),
                    who or "anyone",
                )
                for (price, limit, who), lists in ordered
            ),
        )

    def _with_ban(self, offer: Any, list_id: str, holders: str) -> str:
        if self.content.lists[list_id].shut.get(offered(offer), "") != "banned":
            return holders.removeprefix("; ")
        return _("{holders}; left out by a house rule").format(holders=holders).removeprefix("; ")

    def _figure_of_list(self, offer: Any, list_id: str, limit: str, holders: str) -> None:
        parts = (short_price(offer.price), limit and f"LIMIT {limit}", holders)
        line = ", ".join(part for part in parts if part)
        army = self.content.lists[list_id].army
        base = self.content.lists.get(army.faction)
        label = f"{base.army.short or base.army.name}, {army.name}" if base else told_name(self.content, list_id)
        self.offer_figure(label, line, f"list:{list_id}", offer)

    def named_by(self, table: str, *, skip: Iterable[str] = ()) -> None:
        """Add the other entries that name this one, by kind. Entries the page already shows are left out."""
        skipped = {*skip}
        found: dict[str, dict[RuleRef, None]] = {}
        for mention in self.mentions(table):
            by, id_ = mention.table, mention.entry.id
            if by in OFFERED:
                by, attribute = OFFERED[by]
                id_ = getattr(mention.entry, attribute)
            if by in skipped or by not in KIND_OF:
                continue
            if (KIND_OF[by], id_) not in self.shown and (by, id_) != (table, self.entry.id):
                found.setdefault(by, {})[self.ref(by, id_)] = None
        self.fact(_("Named by"), [ref for by in KIND_OF for ref in found.get(by, ())], figure=False)


# --- words of offers


def offered(offer: Any) -> str:
    """Return the id of what an offer sells: an item, a profile or an upgrade."""
    return str(getattr(offer, "item", "") or getattr(offer, "profile", "") or getattr(offer, "upgrade", ""))


def priced(content: Content, offer: Any) -> str:
    """Return a price, with the printed price where a house rule changes it."""
    before = content.book_prices.get(offer.id)
    note = _(" (house rule; the book: {before})").format(before=short_price(before)) if before is not None else ""
    return f"{short_price(offer.price)}{note}"


def limit_words(content: Content, limit: int | None, *ids: str) -> str:
    """Return a limit ("" for none), with the printed limit where a house rule changes it."""
    now = content.limit_of(limit, *ids)
    words = "" if now is None else str(now)
    return (
        _("{words} (house rule; the book: {what})").format(words=words, what=_("any") if limit is None else limit)
        if now != limit
        else words
    )


def between(minimum: int, maximum: str) -> str:
    """Return a range in words. Either bound may be missing."""
    if not minimum:
        return maximum
    if not maximum:
        return _("{minimum} or more").format(minimum=minimum)
    return (
        _("exactly {minimum}").format(minimum=minimum)
        if maximum == str(minimum)
        else _("{minimum} to {maximum}").format(minimum=minimum, maximum=maximum)
    )


def cap_words(content: Content, cap: Cap) -> str:
    """Return a further limit of an offer that depends on the warband."""
    match cap:
        case CapRises():
            return _("{most} once the threshold reaches {threshold_ducats}").format(
                most=cap.most, threshold_ducats=cap.threshold_ducats
            )
        case CapHalf():
            return _("half as many as {name}").format(name=content.name("profile", cap.profile))
        case CapMatch():
            name = content.name("profile", cap.profile)
            return (
                _("as many as {name}").format(name=name)
                if cap.times == 1
                else _("{times} for each {name}").format(times=number(cap.times), name=name)
            )
        case CapAfter():
            offer = content.profile_offers.get(cap.offer)
            return _("after a first {name}").format(name=content.name("profile", offer.profile)) if offer else ""
        case CapOutnumbered():
            return _("fewer than the others")
        case CapOthersCost():
            return _("once the others are worth {ducats} ducats").format(ducats=cap.ducats)
        case CapJoins():
            return _("{most} if a rule brings one, while the others are worth {ducats} ducats").format(
                most=cap.most, ducats=cap.others_ducats
            )
    return ""


def parts(*words: str) -> str:
    """Join the non-empty parts into one text: "A; B"."""
    return "; ".join(word for word in words if word)


def span(first: int, last: int | None) -> str:
    """Return a range of numbers in words: "3", "3 to 5", "from 3 on"."""
    if last is None:
        return _("from {first} on").format(first=first)
    return str(first) if first == last else _("{first} to {last}").format(first=first, last=last)
