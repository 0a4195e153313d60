"""The main page of a warband: the builder for users who may act on it, the roster for users who may only read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext

from rules.formatting import listed
from warbands.event_context import camp_words
from warbands.labels import edition_name, has_shop, mark_of, word
from warbands.models import Fighter, Promise, Warband
from warbands.pages.addresses import href_of
from warbands.pages.cards import CardButton, FighterCard, card_of
from warbands.pages.formatting import day, in_full, sentence
from warbands.pages.history import EventRow, last_events
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pages.roster import Roster
from warbands.pages.widgets import BudgetBar, Link, ProblemRow, Tab, budget_bar, problem_rows, tabs_of, warning_rows


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    name: str
    count_words: str
    cards: tuple[FighterCard, ...]


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
    """The main page of one warband. `acts` says whether the reader may act on it."""

    name: str
    meta: str
    mark: str
    acts: bool
    founding: bool
    tabs: tuple[Tab, ...]
    sections: tuple[Section, ...]
    count: int
    problems: tuple[ProblemRow, ...]
    figures: tuple[tuple[str, str], ...]
    promises: tuple[Promised, ...]
    gone: tuple[LeftFighter, ...]
    empty_words: str
    first_words: str
    legal_words: str
    status_words: str
    rules: tuple[HouseRule, ...]
    hire_href: str
    history_href: str
    seen: int
    more: tuple[CardButton, ...] = ()
    warnings: tuple[ProblemRow, ...] = ()
    recent: tuple[EventRow, ...] = ()
    notes: str = ""
    bar: BudgetBar | None = None
    ready_href: str = ""


def warband_page(roster: Roster, *, user: object, acts: bool, changed: str = "") -> WarbandPage:
    """Build the main page. On top of the roster, at most nine queries for users who may act, one for those who may only read."""
    warband = roster.warband
    may_act = acts and not warband.is_put_away
    page = WarbandPage(
        name=warband.name,
        meta=meta_of(roster),
        mark=mark_of(warband),
        acts=may_act,
        founding=warband.is_founding,
        tabs=tabs_of(warband, "roster", stashed=len(roster.force.stash), acts=acts),
        sections=sections_of(roster, acts=may_act, changed=changed),
        count=len(roster.force.fighters),
        problems=problem_rows(roster, acts=may_act),
        figures=roster.sheet.figures,
        promises=promised(warband, acts=may_act),
        gone=tuple(LeftFighter(row.name, href_of("fighter-show", row.pk), gone_words(row)) for row in roster.gone),
        empty_words="" if roster.force.fighters else _empty_words(roster),
        first_words=word(warband.terms, "hired_first", "Hire the first fighter"),
        legal_words=legal_words(roster),
        status_words=(camp_words(warband) if may_act else status_words(warband)),
        rules=active_rules(warband.terms),
        hire_href=href_of("fighter-hire", warband.pk),
        history_href=href_of("history-show", warband.pk),
        seen=warband.version,
    )
    if acts:
        page = replace(
            page,
            more=menu_of(warband, teams=teams_of(roster) if may_act else ""),
            warnings=warning_rows(roster, acts=may_act),
            recent=last_events(warband, user=user, acts=may_act),
            notes=warband.notes,
        )
    if may_act:
        hire = Link(word(warband.terms, "hire", "Hire"), page.hire_href)
        can_end = warband.is_founding and roster.force.fighters
        page = replace(
            page,
            bar=budget_bar(roster, main=hire, problems_href="#problem_list"),
            ready_href=href_of("warband-ready", warband.pk) if can_end else "",
        )
    return page


def _empty_words(roster: Roster) -> str:
    if not has_shop(roster.warband.terms):
        return "Nobody yet. Your library holds what can be taken."
    return f"Nobody yet. {sentence(in_full(roster.strongbox) + ' lie ready')}"


NAMED = 3


def legal_words(roster: Roster) -> str:
    unarmed = [
        fighter.name for fighter in roster.force.fighters if fighter.active and not roster.sheets[fighter.key].weapons
    ]
    lacks: list[str] = []
    if not has_shop(roster.warband.terms):
        return "Legal. Nothing to mend."  # nothing can be bought here, so no purchase can be forgotten
    if roster.strongbox:
        lacks.append(f"{in_full(roster.strongbox)} left to spend")
    if unarmed:
        who = listed(unarmed) if len(unarmed) <= NAMED else f"{len(unarmed)} fighters"
        lacks.append(f"{who} {'carries' if len(unarmed) == 1 else 'carry'} no weapon")
    return f"Legal. {sentence('; '.join(lacks))}" if lacks else "Legal. Nothing to mend."


def meta_of(roster: Roster) -> str:
    """Return the line under the title: list, patron, who leads the warband, and the edition it uses."""
    warband = roster.warband
    parts = [roster.names.list_words(warband.list_id)]
    if warband.patron:
        parts.append(f"patron {roster.names.name(warband.patron, 'patron', 'patrons')}")
    if warband.owner:
        parts.append(f"led by {warband.owner}")
    parts.append(edition_name(warband.terms.system, warband.terms.edition))
    return "; ".join(parts)


def status_words(warband: Warband) -> str:
    return {
        Warband.Status.FOUNDING: "Still being founded.",
        Warband.Status.CAMP: "In camp.",
        Warband.Status.ARCHIVED: "Archived.",
        Warband.Status.DISBANDED: "Disbanded.",
    }[Warband.Status(warband.status)]


def gone_words(row: Fighter) -> str:
    reason = row.left_reason or row.get_status_display()
    return f"{reason}, {day(row.left_at)}" if row.left_at is not None else reason


def sections_of(
    roster: Roster, *, acts: bool, changed: str = "", links: bool = True, whole: bool = False
) -> tuple[Section, ...]:
    """Return all fighters as cards, in the sections and order of the sheet."""
    groups: dict[str, list[FighterCard]] = {}
    for line in roster.sheet.fighters:
        if any(fighter.key == line.key for fighter in roster.force.fighters):
            card = card_of(roster, line.key, acts=acts, changed=changed, links=links, whole=whole)
            groups.setdefault(line.section, []).append(card)
    cap = roster.limits.elite_cap
    made: list[Section] = []
    for name, cards in groups.items():
        elite = sum(1 for card in cards if card.elite)
        count = f"{elite} of {cap}" if cap is not None and elite == len(cards) else str(len(cards))
        made.append(Section(f"section_{len(made) + 1}", name, count, tuple(cards)))
    return tuple(made)


def teams_of(roster: Roster) -> str:
    """Return the game's name for the teams that this warband may declare, "" if it may declare none."""
    teams = roster.teams
    return teams.title if teams is not None else ""


def menu_of(warband: Warband, *, teams: str = "") -> tuple[CardButton, ...]:
    """Return the menu beside the title. `teams` is the name of the page that declares them, "" for none."""
    pk, away = warband.pk, warband.is_put_away
    entries = (
        (gettext("Try changes"), "draft-list", not away),
        ("Strongbox", "ledger-list", has_shop(warband.terms)),
        ("PDF roster", "roster-download", True),
        ("Camp", "camp-show", warband.status == Warband.Status.CAMP),
        ("Choices", "choice-list", not away),
        (teams, "team-list", bool(teams)),
        ("Share", "warband-share", True),
        ("As text", "warband-text", True),
        ("Export", "warband-export", True),
        ("Settings", "warband-change", True),
        ("Bring it back", "warband-disband", away),
    )
    menu = [CardButton(label, href_of(name, pk)) for label, name, shown in entries if shown]
    if not away:
        menu.append(CardButton("Disband", href_of("warband-disband", pk), danger=True))
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
    """Build the page that ends the founding. No queries on top of the roster."""
    warband = roster.warband
    left = roster.strongbox
    return ReadyPage(
        name=warband.name,
        back_href=href_of("warband-show", warband.pk),
        here=href_of("warband-ready", warband.pk),
        problems=problem_rows(roster),
        words=(
            *(
                (
                    f"{sentence(in_full(left) + ' stay in the strongbox')}",
                    "From then on nothing is sent back for its full price: kit is sold at half, and a fighter who goes is dismissed.",
                    "Overspending is refused, no longer only told.",
                )
                if has_shop(warband.terms)
                else ("From then on it may be mustered, and who goes is dismissed and remembered.",)
            ),
            "Undo brings the founding back while no later act leans on it.",
        ),
        seen=warband.version,
    )
