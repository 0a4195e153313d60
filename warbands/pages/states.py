"""The page of states: which dated changes are played, which there are, and what another state would change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.content.overlays.states import TAKEN_AWAY, parsed_state
from rules.parts.states import ChangeTold, EntryChange, FighterChange, OverlayInfo, RosterChange
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from warbands.labels import edition_name
from warbands.models import Terms, Warband
from warbands.pages.addresses import with_query
from warbands.pages.widgets import Link
from warbands.services.states import POLICIES, states_of

STATUS_WORDS = {
    "official": gettext_lazy("official"),
    "beta": gettext_lazy("public beta: on offer, not in force by itself"),
    "community": gettext_lazy("from the community"),
    "house": gettext_lazy("of this table"),
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


@dataclass(frozen=True, slots=True)
class WarbandReport:
    """What another state changes for one warband."""

    name: str
    href: str
    words: str
    worse: bool
    lines: tuple[FighterChange, ...]
    problems: tuple[str, ...]
    mended: tuple[str, ...]
    missing: tuple[str, ...]
    money_words: str


@dataclass(frozen=True, slots=True)
class StatesPage:
    title: str
    back: Link
    here: str
    edition_words: str
    editions: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    edition: str
    now_words: str
    choices: tuple[StateChoice, ...]
    policies: tuple[tuple[str, str], ...]
    may_move: bool
    chosen: tuple[str, ...]
    offered: tuple[str, ...]  # newer official overlays that are not taken
    reports: tuple[WarbandReport, ...] = ()
    same_words: str = ""
    book: tuple[EntryChange, ...] = ()
    looked: bool = False
    table_href: str = ""
    print_href: str = ""


def states_page(
    terms: Terms,
    edition: str,
    *,
    title: str,
    back: Link,
    here: str,
    may_move: bool,
    chosen: Sequence[str] | None = None,
    changes: Sequence[tuple[Warband, RosterChange]] | None = None,
) -> StatesPage:
    """Build the page for a target edition. No queries.

    `changes`: what the chosen overlays would change; None if nobody asked.
    """
    part = states_of(terms)
    infos = part.overlays(edition)
    wanted = tuple(terms.overlays if chosen is None else chosen)
    titles = {info.id: info.title for each in terms.game.editions() for info in part.overlays(each)}
    reports = tuple(report_of(warband, change) for warband, change in changes or ())
    query = "&".join(("look=1", f"edition={edition}", *(f"with={id_}" for id_ in wanted)))
    return StatesPage(
        title=title,
        back=back,
        here=here,
        edition_words=edition_name(terms.system, terms.edition),
        editions=tuple((each, edition_name(terms.system, each), each == edition) for each in terms.game.editions()),
        edition=edition,
        now_words=_("Played now: {titles}.").format(titles=", ".join(titles.get(x, x) for x in terms.overlays))
        if terms.overlays
        else _("Played now: the books as released, without later changes."),
        choices=tuple(_choice(terms, edition, info, wanted) for info in infos if not info.in_base),
        policies=tuple((key, str(POLICY_WORDS[key])) for key in POLICIES),
        may_move=may_move,
        chosen=wanted,
        offered=tuple(titles[id_] for id_ in newer(terms)),
        reports=tuple(report for report in reports if report.words),
        same_words=_same_words(reports) if changes is not None else "",
        book=_book(terms, edition, wanted) if changes is not None else (),
        looked=changes is not None,
        table_href=f"{here}?{query}&as=csv" if changes is not None else "",
        print_href=f"{here}?{query}&as=pdf" if changes is not None else "",
    )


def newer(terms: Terms) -> tuple[str, ...]:
    """Return the official overlays that are newer than what is played, () for a game without any."""
    part = terms.game.states
    if part is None:
        return ()
    return tuple(id_ for id_ in part.newest(terms.edition) if id_ not in terms.overlays)


def _choice(terms: Terms, edition: str, info: OverlayInfo, wanted: Sequence[str]) -> StateChoice:
    address = reverse("rule-states", args=[terms.system, edition])
    return StateChoice(
        info.id,
        info.title,
        f"{date_words(info.date)}, {STATUS_WORDS[info.status]}",
        info.summary,
        info.id in terms.overlays and edition == terms.edition,
        info.id in wanted,
        with_query(address, {"there": f"{edition}+{info.id}"}),
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


def state_links(game_id: str, edition: str, overlays: Sequence[str]) -> tuple[tuple[str, str, bool], ...]:
    """Return the states that the rules browser shows on a press: address, name, and whether it is shown now."""
    part = system(game_id).states
    if part is None or not part.overlays(edition):
        return ()
    book, newest = reverse("rule-list", args=[game_id, edition]), part.newest(edition)
    infos = [info for info in part.overlays(edition) if not info.in_base]
    every = [(_("As released"), ()), *([(_("Newest official"), newest)] if newest else [])]
    every += [(info.title, (info.id,)) for info in infos if (info.id,) != newest]
    every += [
        (_("Before: {title}").format(title=info.title), (f"-{info.id}",))
        for info in part.overlays(edition)
        if info.reversible
    ]
    shown = tuple(overlays)
    found = [(f"{book}?state={','.join(ids)}" if ids else book, words, ids == shown) for words, ids in every]
    if shown and not any(chosen for _href, _words, chosen in found):
        found.append((f"{book}?state={','.join(shown)}", _("Several together"), True))
    return tuple(found)


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


def report_of(warband: Warband, change: RosterChange) -> WarbandReport:
    """Return a warband's report; its `words` are "" if nothing changes."""
    return WarbandReport(
        name=warband.name,
        href=reverse("warband-show", args=[warband.pk]),
        words=_words_of(change),
        worse=any(not problem.warns for problem in change.new),
        lines=change.lines,
        problems=tuple(problem.message for problem in change.new),
        mended=tuple(problem.message for problem in change.gone),
        missing=tuple(f"{row.name} ({row.holder})" if row.holder else row.name for row in change.missing),
        money_words=money_words(change.refund),
    )


def _words_of(change: RosterChange) -> str:
    if change.nothing:
        return ""
    illegal = any(not problem.warns for problem in change.new)
    legal = _("It has new problems then.") if illegal else _("It has no new problem.")
    return _("Worth {before} now, {after} then. {legal}").format(
        before=change.rating_before, after=change.rating_after, legal=legal
    )


def money_words(refund: Price) -> str:
    """Return in words what the bought rows cost less, or more."""
    less = Price(max(0, refund.ducats), max(0, refund.glory))
    more = Price(max(0, -refund.ducats), max(0, -refund.glory))
    told = [_("{less} less").format(less=less)] if less else []
    told += [_("{more} more").format(more=more)] if more else []
    return _("What was bought costs {told}.").format(told=", ".join(told)) if told else ""


def table_of(changes: Iterable[tuple[Warband, RosterChange]]) -> list[list[str]]:
    """Return the report as rows for a spreadsheet, the heads first."""
    rows = [[str(head) for head in HEADS]]
    for warband, change in changes:
        rows += [[warband.name, x.fighter, x.entry, x.label, x.before, x.after] for x in change.lines]
        rows += [[warband.name, p.fighter, p.item, _("new problem"), "", p.message] for p in change.new]
        rows += [[warband.name, p.fighter, p.item, _("no longer a problem"), p.message, ""] for p in change.gone]
        rows += [[warband.name, m.holder, m.name, _("no counterpart"), m.name, ""] for m in change.missing]
        before, after = str(change.rating_before), str(change.rating_after)
        rows.append([warband.name, "", "", _("worth"), before, after])
        rows.append([warband.name, "", "", _("cost difference"), "", money_words(change.refund)])
    return rows


@dataclass(frozen=True, slots=True)
class BookPage:
    """The difference of two states of an edition, entry by entry, and what their overlays say."""

    title: str
    address: str
    here: str
    there: str
    states: tuple[tuple[str, str], ...]
    lines: tuple[EntryChange, ...]
    told: tuple[ChangeTold, ...]
    back_href: str
    count_words: str


def book_page(game_id: str, edition: str, *, here: str, there: str) -> BookPage:
    """Build the page. No queries. Raises KeyError for an unknown state, Refusal where overlays do not fit together."""
    game = system(game_id)
    part = game.states
    if part is None:
        raise KeyError(game_id)
    infos = part.overlays(edition)
    newest = "+".join((edition, *part.newest(edition)))
    one, other = here or edition, there or newest
    (its, taken), (others, also) = (parsed_state(name, game.editions()) for name in (one, other))
    lines = part.book_changes(game.content(its, taken), game.content(others, also))
    said = [
        part.told(each, id_.removeprefix(TAKEN_AWAY)) for each, ids in ((its, taken), (others, also)) for id_ in ids
    ]
    states = [(each, edition_name(game_id, each)) for each in game.editions()]
    states += [(newest, _("{edition}, newest official state").format(edition=edition_name(game_id, edition)))]
    states += [(f"{edition}+{info.id}", info.title) for info in infos if not info.in_base]
    states += [
        (f"{edition}-{info.id}", _("Before: {title}").format(title=info.title)) for info in infos if info.reversible
    ]
    known = {value for value, _words in states}
    states += [(name, name) for name in dict.fromkeys((one, other)) if name not in known]
    return BookPage(
        title=_("Two states of the rules"),
        address=reverse("rule-states", args=[game_id, edition]),
        here=one,
        there=other,
        states=tuple(dict(states).items()),
        lines=lines,
        told=tuple(change for changes in said for change in changes),
        back_href=reverse("rule-list", args=[game_id, edition]),
        count_words=ngettext("{count} difference", "{count} differences", len(lines)).format(count=len(lines)),
    )
