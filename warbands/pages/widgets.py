"""Parts that several pages of one warband share: budget bar, problems, tabs, lines of the history."""

from __future__ import annotations

from dataclasses import dataclass

from rules.problems import Problem
from warbands.labels import has_shop, labels_of, word, worth_words
from warbands.models import Item, Warband
from warbands.pages.addresses import href_of
from warbands.pages.formatting import figure
from warbands.pages.roster import Roster


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    href: str


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    href: str
    current: bool = False
    count: int = 0


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem as the problem list shows it. `href` links to where the user can fix it."""

    sentence: str
    mend: str
    source: str
    href: str
    fighter_name: str


@dataclass(frozen=True, slots=True)
class BudgetBar:
    money_words: str
    over: bool
    glory_words: str
    fighters_words: str
    fighters_over: bool
    problems: int
    problems_href: str
    rating_words: str
    main: Link | None
    rating_label: str = "Rating"
    fighters_label: str = "fighters"


def budget_bar(roster: Roster, *, main: Link | None, problems_href: str = "") -> BudgetBar:
    """Build the budget bar: money left to spend, number of fighters, problems. No queries."""
    held, limits, warband = roster.strongbox, roster.limits, roster.warband
    terms = warband.terms
    spends, strength = has_shop(terms), limits.field_strength
    count = roster.game.headcount(roster.content, roster.force)
    with_glory = held.glory or warband.budget_glory or roster.verdict.rating.glory
    return BudgetBar(
        money_words=_money_left(warband) if spends else "",
        over=held.ducats < 0 or held.glory < 0,
        glory_words=f"{figure(held.glory)} g" if with_glory else "",
        fighters_words=_counted(warband, count) if strength is None else f"{count} of {strength}",
        fighters_over=False,  # only the fielded force has a limit, so nothing turns red in camp
        problems=len(roster.verdict.errors),
        problems_href=problems_href or href_of("warband-show", warband.pk) + "#problem_list",
        rating_words=_rating_words(roster, spends=spends),
        main=main,
        rating_label=labels_of(terms)["rating"],
        fighters_label="" if terms.game.profiles is not None and strength is None else "fighters",
    )


def _money_left(warband: Warband) -> str:
    ducats = warband.strongbox_ducats
    if warband.is_founding:
        return f"{figure(abs(ducats))} d {'over' if ducats < 0 else 'left'}"
    return f"{figure(ducats)} d"


def _rating_words(roster: Roster, *, spends: bool) -> str:
    """Return the rating and the threshold of the next battle.

    If `spends`, return "" while founding or without a threshold, because the money says enough.
    """
    terms, rating, threshold = roster.warband.terms, roster.verdict.rating.ducats, roster.limits.threshold
    if not spends:
        unit = word(terms, "worth", "")
        return worth_words(terms, rating) if threshold is None else f"{rating} of {threshold} {unit}"
    return "" if threshold is None or roster.warband.is_founding else f"{rating} of {threshold}"


def _counted(warband: Warband, count: int) -> str:
    """Return a count with the game's own noun, if it has one. Nothing else in the bar says what is counted."""
    own = word(warband.terms, "row" if count == 1 else "rows", "")
    return f"{count} {own}" if own else str(count)


def warning_rows(roster: Roster, *, acts: bool = True) -> tuple[ProblemRow, ...]:
    return problem_rows(roster, tuple(found for found in roster.verdict.problems if found.warns), acts=acts)


def problem_rows(
    roster: Roster, problems: tuple[Problem, ...] | None = None, *, acts: bool = True
) -> tuple[ProblemRow, ...]:
    """Return the problems of the roster, each with a link to where it can be fixed."""
    return tuple(
        _problem(roster, problem, acts) for problem in (roster.verdict.errors if problems is None else problems)
    )


def _problem(roster: Roster, problem: Problem, acts: bool) -> ProblemRow:
    named = problem.fighter if problem.fighter and not problem.message.startswith(problem.fighter) else ""
    href = (_fix_href(roster, problem) if acts else "") or _card_anchor(problem)
    return ProblemRow(sentence=problem.message, mend=problem.mend, source=problem.source, href=href, fighter_name=named)


def _card_anchor(problem: Problem) -> str:
    return f"#fighter_card_{problem.fighter_key}" if problem.fighter_key.isdigit() else ""


def _fix_href(roster: Roster, problem: Problem) -> str:
    """Return the page on which a user who may act can fix a problem, "" if there is none."""
    key, pk = problem.fighter_key, roster.warband.pk
    if problem.code == "choice" or (key and not roster.shops and key in roster.choosing):
        return href_of("choice-list", pk) + f"#choices_{key or 'warband'}"
    if problem.code == "fireteam":
        return href_of("team-list", pk)
    if key.isdigit():
        return href_of("kit-buy", key) if problem.item_key else ""
    return href_of("fighter-hire", pk) if problem.code in WANTS_A_HIRE else ""


WANTS_A_HIRE = frozenset({"no-leader", "too-few", "no-units", "no-commander"})


def tabs_of(warband: Warband, current: str, *, stashed: int, acts: bool = True) -> tuple[Tab, ...]:
    """Return the pages of one warband as tabs, the current one marked. `stashed` is the number of items in the stash."""
    pk = warband.pk
    tabs = [Tab("Roster", href_of("warband-show", pk), current == "roster")]
    if has_shop(warband.terms):
        tabs.append(
            Tab(labels_of(warband.terms)["stash"], href_of("stash-show", pk), current == "stash", stashed),
        )
    tabs.append(Tab("History", href_of("history-show", pk), current == "history"))
    if acts:
        tabs.append(Tab("Print", href_of("roster-print", pk), current == "print"))
    return tuple(tabs)


def stashed(warband: Warband) -> int:
    """Return the number of items in the stash, for pages that do not read the roster. One query."""
    return Item.objects.live().filter(warband=warband, status=Item.Status.HELD, fighter__isnull=True).count()
