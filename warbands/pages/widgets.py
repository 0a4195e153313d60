"""Parts that several pages of one warband share: budget bar, problems, tabs, lines of the history."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.problems import Problem
from warbands.labels import has_shop, labels_of, worth_words
from warbands.models import Item, Warband
from warbands.pages.addresses import href_of
from warbands.pages.cards import opened_href
from warbands.pages.formatting import figure
from warbands.pages.roster import Roster
from warbands.pages.terms import ExplainedTerm, terms_in


@dataclass(frozen=True, slots=True)
class Link:
    """A link. One with `here` also opens in place: the address of the part that htmx fetches."""

    label: str
    href: str
    here: str = ""


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
    fighter_key: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the bar with the small word over it. `state` is "", wrong or legal; `href` leads to what is wrong.

    `means` explains the words of the game in it.
    """

    label: str
    value: str
    state: str = ""
    href: str = ""
    means: tuple[ExplainedTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class BudgetBar:
    """Up to four figures and the one main act. `seen` is the version of the roster that they tell.

    `stacks`: on a phone the act has a line of its own.
    """

    figures: tuple[Figure, ...]
    main: Link | None
    seen: int = 0
    stacks: bool = False


def budget_bar(roster: Roster, *, main: Link | None) -> BudgetBar:
    """Build the bar: money left, worth against the threshold, number of fighters, problems. No queries."""
    figures = (_purse_figure(roster), _worth(roster), _headcount(roster), rules_figure(len(roster.verdict.errors), ""))
    href = _problems_href(roster)
    return BudgetBar(
        figures=tuple(
            replace(one, href=href) if one.state == "wrong" and one is figures[-1] else one for one in figures if one
        ),
        main=main,
        seen=roster.warband.version,
        stacks=roster.warband.is_founding and main is not None,
    )


def _problems_href(roster: Roster) -> str:
    """Return where the problems stand: in the list over the roster; where all are of fighters, in the block of the first."""
    errors, pk = roster.verdict.errors, roster.warband.pk
    if errors and all(problem.fighter_key.isdigit() for problem in errors):
        return opened_href(pk, errors[0].fighter_key)
    return href_of("warband-show", pk) + "#problem_list"


def _purse_figure(roster: Roster) -> Figure | None:
    """Return the money left to spend, None in games without money."""
    warband, held = roster.warband, roster.strongbox
    if not has_shop(warband.terms):
        return None
    over = held.ducats < 0 or held.glory < 0
    glory = f", {figure(held.glory)} g" if held.glory or warband.budget_glory else ""
    means = terms_in(labels_of(warband.terms), "ducats", *(("glory",) if glory else ()))
    if warband.is_founding and held.ducats < 0:
        return Figure(_("Over"), f"{figure(-held.ducats)} d{glory}", "wrong", means=means)
    return Figure(_("Left"), f"{figure(held.ducats)} d{glory}", "wrong" if over else "", means=means)


def _worth(roster: Roster) -> Figure | None:
    """Return the worth of the roster against the threshold of the next battle.

    With money and while building, the money left says enough. Without a threshold only games without money show it.
    """
    terms, rating, threshold = roster.warband.terms, roster.verdict.rating.ducats, roster.limits.threshold
    labels = labels_of(terms)
    label, means = labels["rating"], terms_in(labels, "rating", "threshold")
    if has_shop(terms):
        hidden = threshold is None or roster.warband.is_founding
        return None if hidden else Figure(label, f"{rating} / {threshold}", means=means)
    if threshold is None:
        words = worth_words(terms, rating)
        return Figure(label, words) if words else None
    return Figure(label, f"{rating} / {threshold}", "wrong" if rating > threshold else "", means=means)


def _headcount(roster: Roster) -> Figure:
    count, strength = roster.game.headcount(roster.content, roster.force), roster.limits.field_strength
    label = capfirst(labels_of(roster.warband.terms).get("fighters", _("fighters")))
    if strength is None:
        return Figure(label, str(count))
    means = terms_in(labels_of(roster.warband.terms), "field_strength")
    return Figure(label, f"{count} / {strength}", means=means)


def rules_figure(problems: int, href: str) -> Figure:
    """Return the figure that says whether the rules are kept."""
    if not problems:
        return Figure(_("Rules"), _("legal"), "legal")
    words = ngettext("{count} problem", "{count} problems", problems).format(count=problems)
    return Figure(_("Rules"), words, "wrong", href)


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
    return ProblemRow(
        sentence=problem.message,
        mend=problem.mend,
        source=problem.source,
        href=href,
        fighter_name=named,
        fighter_key=problem.fighter_key if problem.fighter_key.isdigit() else "",
    )


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
    tabs = [Tab(_("Roster"), href_of("warband-show", pk), current == "roster")]
    if has_shop(warband.terms):
        tabs.append(
            Tab(labels_of(warband.terms)["stash"], href_of("stash-show", pk), current == "stash", stashed),
        )
    tabs.append(Tab(_("History"), href_of("history-show", pk), current == "history"))
    if acts:
        tabs.append(Tab(_("Print"), href_of("roster-print", pk), current == "print"))
    return tuple(tabs)


def stashed(warband: Warband) -> int:
    """Return the number of items in the stash, for pages that do not read the roster. One query."""
    return Item.objects.live().filter(warband=warband, status=Item.Status.HELD, fighter__isnull=True).count()
