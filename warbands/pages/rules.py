"""The rules browser: every named entry of an edition with our summary, as in the book or under house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.browse import RuleDetail, RuleEntry, RuleRef, differences
from rules.content.names import plain
from rules.parts.states import ChangeTold
from rules.registry import system, systems
from warbands.labels import edition_name
from warbands.models import Terms
from warbands.pages.addresses import filled, with_query
from warbands.pages.paging import Pager, slice_of
from warbands.pages.rule_links import RuleLinks, names_of
from warbands.pages.state_links import state_links
from warbands.pages.widgets import Link, Tab

PER_PAGE = 60
NEAR = 5


@dataclass(frozen=True, slots=True)
class EntryLine:
    name: str
    href: str
    kind: str
    current: bool
    mark: str = ""  # third-party, or the campaign's own


@dataclass(frozen=True, slots=True)
class RuleWord:
    words: str
    href: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class EntryFact:
    label: str
    values: tuple[RuleWord, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table. Each row has one cell for each heading, and each cell holds its words."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, tuple[RuleWord, ...]], ...], ...]  # head, words


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences in another edition. `href` is the page of the entry there."""

    here: str
    there: str
    href: str
    lines: tuple[tuple[str, str, str], ...]  # what, here, there

    @property
    def same(self) -> bool:
        return not self.lines


@dataclass(frozen=True, slots=True)
class RulesPage:
    title: str
    here: str
    game: str
    edition: str
    state: tuple[tuple[str, str], ...]  # query values that name the terms of the house rules, empty for the book
    book_href: str
    house_rules: bool  # the terms have house rules, not only overlays
    editions: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    find: str
    kinds: tuple[Tab, ...]
    kind: str
    lines: tuple[EntryLine, ...]
    count: int
    count_words: str
    pager: Pager | None
    entry: RuleEntry | None = None
    entry_kind: str = ""
    marks: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    facts: tuple[EntryFact, ...] = ()
    tables: tuple[FigureTable, ...] = ()
    compared: tuple[Compared, ...] = ()
    states: tuple[tuple[str, str, bool], ...] = ()  # address, words, chosen: the states of the edition
    states_href: str = ""  # the page that compares two states
    history: tuple[ChangeTold, ...] = ()  # what overlays say of the entry, the oldest first
    library: Link | None = None  # where players write profiles of this game
    elsewhere: tuple[Link, ...] = ()  # the same entry in other editions, if this one lacks it
    back: Link | None = None


def editions() -> tuple[tuple[str, str], ...]:
    """Return every game in each of its editions, the default edition first."""
    return tuple((game.id, edition) for game in systems() for edition in game.editions())


def rules_page(
    game_id: str,
    edition: str,
    *,
    find: str = "",
    kind: str = "",
    page: int = 1,
    entry: RuleEntry | None = None,
    terms: Terms | None = None,
) -> RulesPage:
    """Build the rules browser, under the house rules of `terms` if given. No queries."""
    names = names_under(game_id, edition, terms)
    book = reverse("rule-list", args=[game_id, edition])
    state = dict(parse_qsl(names.terms))
    here = with_query(book, state)
    counted = Counter(one.kind for one in names.entries)
    chosen = kind if kind in counted else ""
    matching = search(names, find, chosen)
    searched = {**state, **filled(find=find)}
    if entry is not None and not find and entry in matching:
        page = matching.index(entry) // PER_PAGE + 1
    part = slice_of(matching, page, PER_PAGE, book, {**searched, **filled(kind=chosen)})
    whole = RulesPage(
        title=edition_name(game_id, edition),
        here=here,
        game=game_id,
        edition=edition,
        state=tuple(state.items()),
        book_href=book,
        house_rules="terms" in state,
        editions=tuple(
            (reverse("rule-list", args=[one, its]), edition_name(one, its), (one, its) == (game_id, edition))
            for one, its in editions()
        ),
        states=state_links(game_id, edition, terms.overlays if terms is not None else ()),
        states_href=reverse("rule-states", args=[game_id, edition]) if system(game_id).states is not None else "",
        find=find,
        kinds=(
            Tab(_("All"), with_query(book, searched), not chosen),
            *(
                Tab(kind_words(name), with_query(book, {**searched, "kind": name}), name == chosen, number)
                for name, number in counted.items()
            ),
        ),
        kind=chosen,
        lines=tuple(_line(names, one, current=one is entry) for one in part.rows),
        count=part.count,
        count_words=ngettext("{count} entry", "{count} entries", part.count).format(count=part.count),
        pager=part.pager,
        library=_library(names, game_id),
    )
    return whole if entry is None else _with_entry(whole, names, entry)


def _with_entry(page: RulesPage, names: RuleLinks, entry: RuleEntry) -> RulesPage:
    detail = names_detail(names, entry)
    return replace(
        page,
        book_href=reverse("rule-show", args=[page.game, page.edition, entry.kind, entry.id]),
        entry=entry,
        entry_kind=kind_words(entry.kind, one=True),
        marks=tuple(filter(None, [_mark(entry)])),
        house=detail.house if detail else (),
        facts=tuple(_fact(names, one) for one in detail.facts) if detail else (),
        tables=tuple(_figures(names, one) for one in detail.tables) if detail else (),
        compared=_compared(page.game, page.edition, entry),
        history=_history(names, entry),
        back=Link(_("Rules"), page.here),
    )


def _history(names: RuleLinks, entry: RuleEntry) -> tuple[ChangeTold, ...]:
    part = system(names.system).states
    return part.history(names.content, entry.kind, entry.id) if part is not None else ()


def _line(names: RuleLinks, entry: RuleEntry, *, current: bool = False) -> EntryLine:
    return EntryLine(entry.name, names.address(entry), kind_words(entry.kind, one=True), current, _mark(entry))


def _library(names: RuleLinks, game_id: str) -> Link | None:
    """Link to the library, if players write profiles for the game."""
    if system(game_id).profiles is None:
        return None
    return Link(_("Your library"), with_query(reverse("profile-list"), {"game": game_id}))


def missing_page(game_id: str, edition: str, kind: str, slug: str, *, terms: Terms | None = None) -> RulesPage:
    """Build the page for an entry that the edition lacks: similar names, and the other editions that have it. No queries."""
    names = names_under(game_id, edition, terms)
    wanted = slug.replace("-", " ")[:60]
    words = [word for word in wanted.split() if len(word) > 2]
    near = [one for one in names.entries if any(plain(word) in plain(one.name) for word in words)] if words else []
    page = rules_page(game_id, edition, terms=terms)
    others = []
    for one, its in editions():
        found = None if (one, its) == (game_id, edition) else find_entry(one, its, kind, slug)
        if found is not None:
            others.append(Link(edition_name(one, its), reverse("rule-show", args=[one, its, kind, slug])))
    near.sort(key=lambda one: (-sum(plain(word) in plain(one.name) for word in words), one.kind != kind, len(one.name)))
    lines = tuple(_line(names, one) for one in near[:NEAR])
    return replace(page, find=wanted, lines=lines, elsewhere=tuple(others), back=Link(_("Rules"), page.here))


def names_under(game_id: str, edition: str, terms: Terms | None = None) -> RuleLinks:
    return names_of(terms if terms is not None else Terms(system=game_id, edition=edition))


def names_detail(names: RuleLinks, entry: RuleEntry) -> RuleDetail | None:
    detail: RuleDetail | None = system(names.system).rulebook.entry(names.content, entry.kind, entry.id)
    return detail


def search(names: RuleLinks, find: str, kind: str = "") -> list[RuleEntry]:
    """Return the entries whose name, short name or other name contains every word of `find`, ignoring case and accents.

    Names that begin with these words come first.
    """
    words = [plain(word) for word in find.split()]
    if find.strip() and not any(words):
        return []
    words = [word for word in words if word]
    whole = "".join(words)
    found = [
        (one, spelling)
        for one, spelling in names.spelled
        if (not kind or one.kind == kind) and all(word in spelling for word in words)
    ]
    found.sort(key=lambda hit: (bool(whole) and not hit[1].startswith(whole), _sorted_under(hit[0].name), hit[0].kind))
    return [one for one, _ in found]


def _sorted_under(name: str) -> str:
    """Return the sort key of a name: without punctuation and accents."""
    return plain(name) or name


def find_entry(game_id: str, edition: str, kind: str, slug: str, terms: Terms | None = None) -> RuleEntry | None:
    """Return the entry at this address, None if there is none."""
    return names_under(game_id, edition, terms).by_id.get((kind, slug))


def _mark(entry: RuleEntry) -> str:
    return _("this campaign's own") if entry.own else _("third-party") if entry.third_party else ""


def _word(names: RuleLinks, ref: RuleRef) -> RuleWord:
    entry = names.by_id.get((ref.kind, ref.id)) if ref.kind else None
    return RuleWord(ref.words, names.address(entry) if entry else "", ref.note)


def _fact(names: RuleLinks, fact: Any) -> EntryFact:
    return EntryFact(fact.label, tuple(_word(names, ref) for ref in fact.values))


def _figures(names: RuleLinks, table: Any) -> FigureTable:
    rows = tuple(
        tuple((head, tuple(_word(names, ref) for ref in cell)) for head, cell in zip(table.heads, row, strict=True))
        for row in table.rows
    )
    return FigureTable(table.caption, table.heads, rows)


def _compared(game_id: str, edition: str, entry: RuleEntry) -> tuple[Compared, ...]:
    own = find_entry(game_id, edition, entry.kind, entry.id)
    mine = names_detail(names_under(game_id, edition), own) if own else None
    if mine is None:
        return ()
    found = []
    for other in system(game_id).editions():
        names = names_under(game_id, other)
        same = None if other == edition else names.by_id.get((entry.kind, entry.id))
        theirs = names_detail(names, same) if same is not None else None
        if same is None or theirs is None:
            continue
        lines = [(one.label, one.here or "–", one.there or "–") for one in differences(mine, theirs)]
        if plain(same.name) != plain(entry.name):
            lines.insert(0, (_("Name"), entry.name, same.name))
        found.append(Compared(edition, other, names.address(same), tuple(lines)))
    return tuple(found)


KIND_WORDS: Mapping[str, tuple[Any, Any]] = {
    "kit": (gettext_lazy("Kit"), gettext_lazy("kit")),
    "item": (gettext_lazy("Kit"), gettext_lazy("kit")),
    "profile": (gettext_lazy("Profiles"), gettext_lazy("profile")),
    "upgrade": (gettext_lazy("Upgrades"), gettext_lazy("upgrade")),
    "keyword": (gettext_lazy("Keywords"), gettext_lazy("keyword")),
    "ability": (gettext_lazy("Abilities"), gettext_lazy("ability")),
    "skill": (gettext_lazy("Skills"), gettext_lazy("skill")),
    "trauma": (gettext_lazy("Traumas"), gettext_lazy("trauma")),
    "location": (gettext_lazy("Locations"), gettext_lazy("location")),
    "patron": (gettext_lazy("Patrons"), gettext_lazy("patron")),
    "deed": (gettext_lazy("Deeds"), gettext_lazy("glorious deed")),
    "scenario": (gettext_lazy("Scenarios"), gettext_lazy("scenario")),
    "list": (gettext_lazy("Lists"), gettext_lazy("list")),
    "rule": (gettext_lazy("Rules"), gettext_lazy("rule")),
    "reference": (gettext_lazy("In short"), gettext_lazy("quick reference")),
    "lasting": (gettext_lazy("Lasting finds"), gettext_lazy("lasting find")),
    "skill-table": (gettext_lazy("Skill tables"), gettext_lazy("skill table")),
    "random-part": (gettext_lazy("Random parts"), gettext_lazy("part of a random scenario")),
    "table": (gettext_lazy("Tables"), gettext_lazy("table")),
    "action": (gettext_lazy("Actions"), gettext_lazy("action")),
    "order": (gettext_lazy("Orders"), gettext_lazy("order")),
    "phase": (gettext_lazy("Phases"), gettext_lazy("phase")),
    "state": (gettext_lazy("States"), gettext_lazy("state")),
    "trait": (gettext_lazy("Traits"), gettext_lazy("trait")),
    "troops": (gettext_lazy("Troops"), gettext_lazy("troops")),
    "rule-term": (gettext_lazy("Terms"), gettext_lazy("term")),
    "reading": (gettext_lazy("Readings"), gettext_lazy("reading")),
}


def kind_words(kind: str, *, one: bool = False) -> str:
    many, single = KIND_WORDS.get(kind, (kind.replace("-", " ").capitalize(), kind.replace("-", " ")))
    return str(single if one else many)
