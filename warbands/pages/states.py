"""The page of states: which dated changes are played, which there are, and what another state would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.formatting import table_cell
from rules.parts.states import EntryChange, FigureChange, OverlayInfo, WarbandChange
from rules.price import Price
from rules.problems import Problem, Refusal
from rules.registry import system
from warbands.labels import edition_name
from warbands.models import Terms, Warband
from warbands.pages.addresses import with_query
from warbands.pages.book_changes import BookFold, book_folds, differences_words
from warbands.pages.widgets import Link
from warbands.pins import pin_changes
from warbands.services.house_overlays import house_infos
from warbands.services.states import POLICIES, states_of

STATUS_WORDS = {
    "official": gettext_lazy("official"),
    "beta": gettext_lazy("public beta, only if you choose it"),
    "community": gettext_lazy("from the community, not signed"),
    "house": gettext_lazy("by a group, not signed"),
}
POLICY_WORDS = {
    "keep": gettext_lazy("Keep what was paid"),
    "refund": gettext_lazy("Give back what costs less now"),
    "settle": gettext_lazy("Give back, and charge what costs more"),
}
HEADS = (
    gettext_lazy("Warband"),
    gettext_lazy("Fighter"),
    gettext_lazy("Entry"),
    gettext_lazy("What"),
    gettext_lazy("Now"),
    gettext_lazy("Then"),
)


FEW = 3  # warbands that a shared line names
LONG_LIST = 60  # letters of names in a row; longer lists of fighters that several rows share are printed once


@dataclass(frozen=True, slots=True)
class StateChoice:
    """One overlay that may be taken: `taken` now, `checked` on the form."""

    id: str
    title: str
    meta: str
    summary: str
    taken: bool
    checked: bool
    href: str
    file_href: str = ""  # of a file that somebody handed in


@dataclass(frozen=True, slots=True)
class WarbandReport:
    """What another state changes for one warband."""

    name: str
    words: str
    href: str = ""
    worse: bool = False
    lines: tuple[FigureChange, ...] = ()
    problems: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    money_words: str = ""


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a move to another state meets beside the rosters.

    `stop`: the refusal that stops it, `stop_to` where that is settled. `told`: sentences on what else changes.
    """

    stop: Refusal | None = None
    stop_to: Link | None = None
    told: tuple[str, ...] = ()


NOTHING = Foretold()


@dataclass(frozen=True, slots=True)
class StatesPage:
    title: str
    back: Link
    here: str
    edition_words: str
    editions: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    edition: str
    now_words: str
    pin_words: tuple[str, ...]  # of overlays whose files changed since they were chosen, or are gone
    choices: tuple[StateChoice, ...]
    policies: tuple[tuple[str, str], ...]
    may_move: bool
    chosen: tuple[str, ...]
    offered: tuple[str, ...]  # newer official overlays that are not taken
    reports: tuple[WarbandReport, ...] = ()
    same_words: str = ""
    book: tuple[BookFold, ...] = ()
    book_words: str = ""
    looked: bool = False
    table_href: str = ""
    print_href: str = ""
    stop_words: str = ""
    stop_to: Link | None = None
    told: tuple[str, ...] = ()


def states_page(
    terms: Terms,
    edition: str,
    *,
    title: str,
    back: Link,
    here: str,
    may_move: bool,
    chosen: Sequence[str] | None = None,
    changes: Sequence[tuple[Warband, WarbandChange]] | None = None,
    people: Iterable[Any] = (),
    foretold: Foretold = NOTHING,
) -> StatesPage:
    """Build the page for a target edition. One query.

    `changes`: what the chosen overlays would change; None if nobody asked. `people`: whose house overlays are on offer.
    """
    wanted = tuple(terms.overlays if chosen is None else chosen)
    titles = _titles(terms)
    house = house_infos(terms, edition, people)
    page = StatesPage(
        title=title,
        back=back,
        here=here,
        edition_words=edition_name(terms.system, terms.edition),
        editions=tuple((each, edition_name(terms.system, each), each == edition) for each in terms.game.editions()),
        edition=edition,
        now_words=_now_words(terms, titles),
        pin_words=pin_words(terms),
        choices=(
            *state_choices(terms, edition, wanted),
            *(_choice(terms, edition, info, wanted, f"{here}?file={info.id}") for info in house),
        ),
        policies=tuple((key, str(POLICY_WORDS[key])) for key in POLICIES),
        may_move=may_move,
        chosen=wanted,
        offered=tuple(titles[id_] for id_ in newer(terms)),
        stop_words=_stop_words(foretold.stop),
        stop_to=foretold.stop_to if foretold.stop else None,
        told=foretold.told,
    )
    return _with_changes(page, terms, changes) if changes is not None else page


def _with_changes(page: StatesPage, terms: Terms, changes: Sequence[tuple[Warband, WarbandChange]]) -> StatesPage:
    """Return the page with what the chosen overlays would change."""
    reports = tuple(report_of(warband, change) for warband, change in changes)
    book = _book(terms, page.edition, page.chosen)
    query = "&".join(("look=1", f"edition={page.edition}", *(f"with={id_}" for id_ in page.chosen)))
    return replace(
        page,
        reports=tuple(report for report in reports if report.words),
        same_words=_same_words(reports),
        book=book_folds(book),
        book_words=differences_words(len(book)) if book else "",
        looked=True,
        table_href=f"{page.here}?{query}&as=csv",
        print_href=f"{page.here}?{query}&as=pdf",
    )


def _titles(terms: Terms) -> dict[str, str]:
    """Return the titles of all overlays of the game by id, and of those pinned that are gone."""
    part = states_of(terms)
    titles = {info.id: info.title for each in terms.game.editions() for info in part.overlays(each)}
    return {id_: str(pin.get("title") or id_) for id_, pin in terms.pins.items()} | titles


def _now_words(terms: Terms, titles: Mapping[str, str]) -> str:
    if not terms.overlays:
        return _("Played now: the books as released, without later changes.")
    return _("Played now: {titles}.").format(titles=", ".join(titles.get(id_, id_) for id_ in terms.overlays))


def _stop_words(stop: Refusal | None) -> str:
    return f"{stop.message} {stop.mend}" if stop else ""


def pin_words(terms: Terms) -> tuple[str, ...]:
    """Return a sentence for each overlay that is not as these terms pinned it. No queries for those that are there."""
    told = []
    for each in pin_changes(terms):
        if each.now and each.was != each.now:
            words = _(
                "{title} was version {was} when it was chosen. This server has version {now} now, and applies it."
            )
        elif each.now:
            words = _("{title}: its files changed since it was chosen. This server applies them.")
        elif each.id in terms.at_hand:
            words = _("{title} is no longer on this server. A copy of version {was} is applied.")
        else:
            words = _("{title} is no longer on this server, and there is no copy. It isn't applied.")
        told.append(words.format(title=each.title, was=each.was or 1, now=each.now))
    return tuple(told)


def newer(terms: Terms) -> tuple[str, ...]:
    """Return the official overlays that are newer than what is played, () for a game without any."""
    part = terms.game.states
    if part is None:
        return ()
    return tuple(id_ for id_ in part.newest(terms.edition) if id_ not in terms.overlays)


def state_choices(terms: Terms, edition: str, wanted: Sequence[str]) -> tuple[StateChoice, ...]:
    """Return the overlays of an edition that may be taken. No queries."""
    infos = states_of(terms).overlays(edition)
    return tuple(_choice(terms, edition, info, wanted) for info in infos if not info.in_base)


def _choice(terms: Terms, edition: str, info: OverlayInfo, wanted: Sequence[str], file: str = "") -> StateChoice:
    address = reverse("rule-states", args=[terms.system, edition])
    return StateChoice(
        info.id,
        info.title,
        f"{date_words(info.date)}, {STATUS_WORDS[info.status]}",
        info.summary,
        info.id in terms.overlays and edition == terms.edition,
        info.id in wanted,
        with_query(address, {"there": f"{edition}+{info.id}"}),
        f"{file}&edition={edition}" if file else "",
    )


def read_state(game_id: str, edition: str, overlays: str) -> Terms | None:
    """Return unsaved terms with these overlays (ids with commas between them), None if they are not to be had."""
    taken = [id_ for id_ in overlays.split(",") if id_]
    if not taken or system(game_id).states is None:
        return None
    terms = Terms(system=game_id, edition=edition, overlays=taken)
    try:
        return terms if terms.content else None
    except (KeyError, Refusal):
        return None


def date_words(date: str) -> str:
    """Return a date of an overlay in words: a day, or a month."""
    year, month, *day = date.split("-")
    name = str(MONTHS[int(month)])
    return f"{int(day[0])} {name} {year}" if day else f"{name} {year}"


def _book(terms: Terms, edition: str, wanted: Sequence[str]) -> tuple[EntryChange, ...]:
    there: Any = terms.game.content(edition, tuple(wanted), terms.in_force)
    return states_of(terms).book_changes(terms.content, there)


def _same_words(reports: Iterable[WarbandReport]) -> str:
    same = [report.name for report in reports if not report.words]
    return _("Nothing changes for: {names}.").format(names=", ".join(same)) if same else ""


def report_of(warband: Warband, change: WarbandChange) -> WarbandReport:
    """Return a warband's report; its `words` are "" if nothing changes."""
    return WarbandReport(
        name=warband.name,
        href=reverse("warband-show", args=[warband.pk]),
        words=_words_of(change),
        worse=any(not problem.warns for problem in change.new),
        lines=merged(change.lines),
        problems=told_once(change.new),
        mended=told_once(change.gone),
        missing=tuple(f"{row.name} ({row.holder})" if row.holder else row.name for row in change.missing),
        money_words=money_words(change.refund),
    )


def told_once(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return each sentence once, with the fighters whom it is about where it names none of them."""
    whose: dict[str, list[str]] = {}
    for problem in problems:
        names = whose.setdefault(problem.message, [])
        if problem.fighter and problem.fighter not in problem.message:
            names.append(problem.fighter)
    return tuple(f"{', '.join(dict.fromkeys(names))}: {words}" if names else words for words, names in whose.items())


def merged(lines: Iterable[FigureChange]) -> tuple[FigureChange, ...]:
    """Return the differences with each told once, for all fighters for whom it is the same. Those of one fighter stand together."""
    whose: dict[tuple[str, str, str, str], list[str]] = {}
    for line in lines:
        whose.setdefault(_told(line), []).append(line.fighter)
    return tuple(FigureChange(", ".join(dict.fromkeys(names)), *told) for told, names in whose.items())


@dataclass(frozen=True, slots=True)
class PartedReport:
    """The report of a warband on paper: what is the same for others too stands apart, and `shared_words` says so.

    `groups`: a name for each group of fighters that several rows are about, and the fighters' names.
    """

    report: WarbandReport
    lines: tuple[FigureChange, ...]
    shared_words: str
    groups: tuple[tuple[str, str], ...] = ()


def parted(reports: Sequence[WarbandReport]) -> tuple[tuple[PartedReport, ...], tuple[FigureChange, ...]]:
    """Return the reports with what is theirs alone, and what is the same for several, with the warbands' names.

    Prices and offers stay with each warband.
    """
    own_labels = {_("price"), _("on the list")}
    whose: dict[tuple[str, str, str, str], list[str]] = {}
    for report in reports:
        for line in report.lines:
            if line.label not in own_labels:
                whose.setdefault(_told(line), []).append(report.name)
    shared = {told: names for told, names in whose.items() if len(names) > 1}
    printed = []
    for report in reports:
        own = tuple(line for line in report.lines if _told(line) not in shared)
        count = len(report.lines) - len(own)
        words = ngettext(
            "{count} more difference stands at the end.", "{count} more differences stand at the end.", count
        )
        printed.append(PartedReport(report, own, words.format(count=count) if count else ""))
    lines = (FigureChange(_warbands_words(names, len(reports)), *told) for told, names in shared.items())
    return tuple(printed), tuple(sorted(lines, key=lambda line: line.entry))


def grouped(printed: PartedReport) -> PartedReport:
    """Return the report with each long list of names that several rows share told once, as a numbered group."""
    often = Counter(line.fighter for line in printed.lines if len(line.fighter) > LONG_LIST)
    shared = (names for names, count in often.items() if count > 1)
    groups = {names: _("Group {number}").format(number=number) for number, names in enumerate(shared, 1)}
    lines = tuple(replace(line, fighter=groups.get(line.fighter, line.fighter)) for line in printed.lines)
    return replace(printed, lines=lines, groups=tuple((group, names) for names, group in groups.items()))


def _warbands_words(names: Sequence[str], everybody: int) -> str:
    """Return the names of a few warbands, and the number of many."""
    if len(names) == everybody:
        return _("all")
    if len(names) > FEW:
        return ngettext("{count} warband", "{count} warbands", len(names)).format(count=len(names))
    return ", ".join(names)


def _told(line: FigureChange) -> tuple[str, str, str, str]:
    return line.entry, line.label, line.before, line.after


def _words_of(change: WarbandChange) -> str:
    if change.nothing:
        return ""
    illegal = any(not problem.warns for problem in change.new)
    legal = _("It would have new problems.") if illegal else _("It would have no new problems.")
    return _("Worth {before} now, {after} after the change. {legal}").format(
        before=change.rating_before, after=change.rating_after, legal=legal
    )


def money_words(refund: Price) -> str:
    """Return in words what the bought rows cost less, or more."""
    less = Price(max(0, refund.ducats), max(0, refund.glory))
    more = Price(max(0, -refund.ducats), max(0, -refund.glory))
    told = [_("{less} less").format(less=less)] if less else []
    told += [_("{more} more").format(more=more)] if more else []
    return _("What was bought costs {told}.").format(told=", ".join(told)) if told else ""


def table_of(changes: Iterable[tuple[Warband, WarbandChange]]) -> list[list[str]]:
    """Return the report as rows for a spreadsheet, the heads first."""
    rows = [[str(head) for head in HEADS]]
    for warband, change in changes:
        rows += rows_of(warband.name, change)
    return rows


def rows_of(name: str, change: WarbandChange) -> list[list[str]]:
    """Return what differs for one warband as rows for a spreadsheet."""
    rows = [[name, x.fighter, x.entry, x.label, x.before, x.after] for x in change.lines]
    rows += [[name, p.fighter, p.item, _("new problem"), "", p.message] for p in change.new]
    rows += [[name, p.fighter, p.item, _("no longer a problem"), p.message, ""] for p in change.gone]
    rows += [[name, m.holder, m.name, _("no counterpart"), m.name, ""] for m in change.missing]
    rows.append([name, "", "", _("worth"), str(change.rating_before), str(change.rating_after)])
    rows.append([name, "", "", _("cost difference"), "", money_words(change.refund)])
    return [[table_cell(cell) for cell in row] for row in rows]
