"""The main page of a warband: the builder for users who may act on it, the roster for users who may only read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.force import ForceFighter
from rules.formatting import profile_beside
from warbands import rules_cache
from warbands.draft_context import current_run
from warbands.event_context import camp_words
from warbands.host import host
from warbands.idempotency import new_token
from warbands.labels import edition_name, has_shop, labels_of, mark_of, word
from warbands.models import Fighter, Promise, Warband
from warbands.pages.addresses import href_of, with_query
from warbands.pages.cards import CardButton, FighterCard, card_of, kit_href, kit_label, opened_href
from warbands.pages.drafts import DraftRow, drafts_of
from warbands.pages.formatting import day, in_full, sentence
from warbands.pages.history import EventRow, last_events
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pages.panel import fighter_panel, has_names
from warbands.pages.roster import Roster
from warbands.pages.roster_top import RosterTop, roster_top
from warbands.pages.terms import ExplainedTerm, term_of
from warbands.pages.widgets import (
    WANTS_A_HIRE,
    BudgetBar,
    Link,
    ProblemRow,
    Tab,
    budget_bar,
    problem_rows,
    tabs_of,
)


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    name: str
    count_words: str
    cards: tuple[FighterCard, ...]
    term: ExplainedTerm | None = None  # explains the name


@dataclass(frozen=True, slots=True)
class LeftFighter:
    name: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class Promised:
    words: str
    expires: str
    href: str = ""


def promised(warband: Warband, *, acts: bool) -> tuple[Promised, ...]:
    """Return what the warband is still owed, with a link to settle it for users who may act. One query."""
    return tuple(
        Promised(promise.words, promise.expires, href_of("promise-settle", promise.pk) if acts else "")
        for promise in Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
    )


@dataclass(frozen=True, slots=True)
class WarbandPage:
    """The main page of one warband. `acts` says whether the reader may act on it, `opened` whether a fighter is open."""

    name: str
    meta: str
    mark: str
    acts: bool
    founding: bool
    tabs: tuple[Tab, ...]
    sections: tuple[Section, ...]
    count: int
    top: RosterTop
    promises: tuple[Promised, ...]
    gone: tuple[LeftFighter, ...]
    rules: tuple[HouseRule, ...]
    hire: Link | None
    names_href: str
    order_href: str
    history_href: str
    seen: int
    bar: BudgetBar
    opened: bool = False
    more: tuple[CardButton, ...] = ()
    recent: tuple[EventRow, ...] = ()
    drafts: tuple[DraftRow, ...] = ()
    drafts_href: str = ""
    notes: str = ""
    names_token: str = field(default_factory=new_token)
    order_token: str = field(default_factory=new_token)


def warband_page(roster: Roster, *, user: object, acts: bool, opened: str = "") -> WarbandPage:
    """Build the main page. On top of the roster, at most ten queries for users who may act, one for those who may only read.

    `opened` is the key of the fighter whose block is open, "" for none.
    """
    warband = roster.warband
    may_act = acts and not warband.is_put_away
    sections = sections_of(roster, acts=may_act, opened=opened)
    page = WarbandPage(
        name=warband.name,
        meta=f"{meta_of(roster, led_by=not acts)}. {_status_words(warband, may_act=may_act)}",
        mark=mark_of(warband),
        acts=may_act,
        founding=warband.is_founding,
        tabs=tabs_of(warband, "roster", stashed=len(roster.force.stash), acts=acts),
        sections=sections,
        count=len(roster.force.fighters),
        top=roster_top(roster, acts=may_act),
        promises=promised(warband, acts=may_act),
        gone=tuple(LeftFighter(row.name, href_of("fighter-show", row.pk), gone_words(row)) for row in roster.gone),
        rules=active_rules(warband.terms),
        hire=_hire_link(roster) if may_act else None,
        names_href=href_of("fighter-names", warband.pk) if may_act and unnamed(roster) else "",
        order_href=href_of("fighter-move", 0) if may_act and len(roster.force.fighters) > 1 else "",
        history_href=href_of("history-show", warband.pk),
        seen=warband.version,
        bar=builder_bar(roster, may_act=may_act, opened=opened),
        opened=any(card.opened for section in sections for card in section.cards),
    )
    if not acts:
        return page
    return replace(
        page,
        more=menu_of(warband, teams=teams_of(roster) if may_act else ""),
        recent=last_events(warband, user=user, acts=may_act) if current_run() is None else (),
        drafts=drafts_of(warband) if may_act and current_run() is None else (),
        drafts_href=href_of("draft-list", warband.pk),
        notes=warband.notes,
    )


def builder_bar(roster: Roster, *, may_act: bool = True, opened: str = "") -> BudgetBar:
    """Build the bar of the roster, with the next sensible act. No queries. `opened` is the key of the open fighter."""
    return budget_bar(roster, main=next_act(roster, after=opened) if may_act else None)


# --- the next sensible act ------------------------------------------------------------------------------------------------


def next_act(roster: Roster, *, after: str = "") -> Link | None:
    """Return the next sensible act: hire, equip the next fighter without a weapon, fix a problem, or finish.

    `after` is the key of the fighter that is open: the search for the next one begins behind it.
    """
    warband = roster.warband
    if not warband.is_founding:
        return _hire_link(roster)
    if not roster.force.fighters:
        return _hire_link(roster)
    codes = {problem.code for problem in roster.verdict.errors}
    if "no-leader" in codes:
        return Link(_("Hire a leader"), href_of("fighter-hire", warband.pk))
    if codes & WANTS_A_HIRE:
        return _hire_link(roster)
    bare = unequipped(roster, after=after)
    if bare is not None and bare.key == after:
        return Link(kit_label(roster), kit_href(roster, roster.row(after)))
    if bare is not None:
        return Link(_("Next: {name}").format(name=bare.name), opened_href(warband.pk, bare.key))
    if roster.verdict.errors:
        first = roster.verdict.errors[0]
        row = problem_rows(roster, (first,))[0]
        return Link(_("Fix a problem"), row.href or href_of("warband-show", warband.pk) + "#problem_list")
    if (run := current_run()) is not None:
        return Link(_("Review draft"), href_of("draft-show", run.draft.pk))
    return Link(_("Ready to play"), href_of("warband-ready", warband.pk))


def unequipped(roster: Roster, *, after: str = "") -> ForceFighter | None:
    """Return the next fighter without a weapon that could buy one; without a shop the next one with an open choice."""
    order = [line.key for line in roster.sheet.fighters]
    start = order.index(after) + 1 if after in order else 0
    for key in (*order[start:], *order[:start]):
        if any(fighter.key == key and fighter.active and _lacks(roster, key) for fighter in roster.force.fighters):
            return roster.force.fighter(key)
    return None


def _lacks(roster: Roster, key: str) -> bool:
    if not roster.shops:
        return any(problem.code == "choice" for problem in roster.problems_by_fighter.get(key, ()))
    if roster.sheets[key].weapons or roster.force.fighter(key).kit:
        return False
    return rules_cache.sells_to(roster.game, roster.content, roster.force, key)


def _hire_link(roster: Roster) -> Link:
    terms = roster.warband.terms
    usual = _("Hire") if roster.force.fighters else _("Hire the first fighter")
    key = "hire_more" if roster.force.fighters else "hired_first"
    return Link(word(terms, key, usual), href_of("fighter-hire", roster.warband.pk))


def unnamed(roster: Roster) -> bool:
    """Return whether fighters are called like their profile, and the game has names for them."""
    rows = {str(row.pk): row for row in roster.rows}
    return any(
        not profile_beside(line.name, line.profile_name) and has_names(roster, rows[line.key])
        for line in roster.sheet.fighters
        if line.key in rows
    )


def meta_of(roster: Roster, *, led_by: bool = True) -> str:
    """Return the line under the title: list, patron, who leads the warband, and the edition it uses."""
    warband = roster.warband
    parts = [roster.names.list_name(warband.list_id), edition_name(warband.terms.system, warband.terms.edition)]
    if warband.patron:
        patron = roster.names.name(warband.patron, "patron", "patrons")
        parts.append(_("patron {name}").format(name=patron))
    if led_by and warband.owner:
        parts.append(_("led by {name}").format(name=warband.owner))
    return ", ".join(parts)


def _status_words(warband: Warband, *, may_act: bool) -> str:
    if warband.status == Warband.Status.FOUNDING:
        return _("New: kit returns at full price.") if may_act and has_shop(warband.terms) else _("New.")
    if warband.status == Warband.Status.CAMP:
        return camp_words(warband) if may_act else ""
    return {
        Warband.Status.ARCHIVED: _("Archived."),
        Warband.Status.DISBANDED: _("Disbanded."),
    }[Warband.Status(warband.status)]


def gone_words(row: Fighter) -> str:
    reason = row.left_reason or row.get_status_display()
    return f"{reason}, {day(row.left_at)}" if row.left_at is not None else reason


def sections_of(roster: Roster, *, acts: bool, opened: str = "", whole: bool = False) -> tuple[Section, ...]:
    """Return all fighters as blocks, in the sections and order of the sheet.

    The block of the fighter `opened` has its panel. With `whole` all have it, for readers who cannot fetch it.
    """
    groups: dict[str, list[FighterCard]] = {}
    present = {fighter.key for fighter in roster.force.fighters}
    for line in roster.sheet.fighters:
        if line.key not in present:
            continue
        card = card_of(roster, line.key, acts=acts)
        if whole:
            panel = fighter_panel(roster, roster.row(line.key), acts=False, links=False)
            card = replace(card, href="", load_href="", panel=panel)
        elif line.key == opened:
            card = replace(card, panel=fighter_panel(roster, roster.row(line.key), acts=acts, notes=acts), opened=True)
        groups.setdefault(line.section, []).append(card)
    cap = roster.limits.elite_cap
    made: list[Section] = []
    for name, cards in groups.items():
        elite = sum(1 for card in cards if card.elite)
        capped = cap is not None and elite == len(cards)
        count = _("{n} of {most}").format(n=elite, most=cap) if capped else str(len(cards))
        term = term_of(labels_of(roster.warband.terms), "elites") if capped else None
        made.append(Section(f"section_{len(made) + 1}", name, count, tuple(cards), term))
    return tuple(made)


def teams_of(roster: Roster) -> str:
    """Return the game's name for the teams that this warband may declare, "" if it may declare none."""
    teams = roster.teams
    return teams.title if teams is not None else ""


def menu_of(warband: Warband, *, teams: str = "") -> tuple[CardButton, ...]:
    """Return the menu beside the title. `teams` is the name of the page that declares them, "" for none."""
    pk, away = warband.pk, warband.is_put_away
    entries = (
        (_("Try changes"), "draft-list", not away),
        (_("Strongbox"), "ledger-list", has_shop(warband.terms)),
        (_("PDF roster"), "roster-download", True),
        (_("Camp"), "camp-show", warband.status == Warband.Status.CAMP),
        (_("Choices"), "choice-list", not away),
        (teams, "team-list", bool(teams)),
        (_("Share"), "warband-share", True),
        (_("Book"), "warband-book", True),
        (_("Export"), "warband-export", True),
        (_("Settings"), "warband-change", True),
        (_("Restore"), "warband-disband", away),
    )
    menu = [CardButton(label, href_of(name, pk)) for label, name, shown in entries if shown]
    if warband.terms.game.profiles is not None:
        href = with_query(reverse("profile-list"), {"game": warband.terms.system})
        menu.insert(1, CardButton(_("Library"), href))
    menu += [CardButton(label, href) for label, href in host().warband_links(warband)]
    if not away:
        menu.append(CardButton(_("Disband"), href_of("warband-disband", pk), danger=True))
    return tuple(menu)


# --- ready ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadyPage:
    name: str
    back_href: str
    here: str
    problems: tuple[ProblemRow, ...]
    words: tuple[str, ...]
    seen: int


def ready_page(roster: Roster) -> ReadyPage:
    """Build the page that ends building. No queries on top of the roster."""
    warband = roster.warband
    return ReadyPage(
        name=warband.name,
        back_href=href_of("warband-show", warband.pk),
        here=href_of("warband-ready", warband.pk),
        problems=problem_rows(roster),
        words=tuple(_ready_words(roster)),
        seen=warband.version,
    )


def _ready_words(roster: Roster) -> Iterator[str]:
    """Yield what changes with the press that ends building."""
    if has_shop(roster.warband.terms):
        yield _("{money} stay in the strongbox.").format(money=sentence(in_full(roster.strongbox)).rstrip("."))
        yield _("After this, kit sells back at half price.")
        yield _("You can no longer overspend.")
    else:
        yield _("After this, you can play battles with it.")
    yield _("You can undo this until something later depends on it.")
