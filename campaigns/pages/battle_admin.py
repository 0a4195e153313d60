"""What administrators settle about a battle afterwards: rosters mustered with problems, and what voiding would undo."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from campaigns.models import Battle, Side
from campaigns.pages.battle import Flag, flags, read_sides, settled_words
from campaigns.pages.battle_acts import REPORTED
from campaigns.pages.formatting import against
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name
from campaigns.services.void import followed
from rules.problems import Problem
from warbands.adapters import force_of
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class FlaggedSide:
    """A side that was mustered with problems: what they were, how that was settled, and what mending from now on would ask."""

    pk: int
    name: str
    problems: tuple[Flag, ...]
    settled: str
    now: tuple[Flag, ...]
    now_words: str
    mended: tuple[str, ...]
    roster: Link | None


@dataclass(frozen=True, slots=True)
class FlagPage:
    """The problems of a battle's sides."""

    title: str
    versus: str
    back: Link
    here: str
    sides: tuple[FlaggedSide, ...]
    void: Link | None


def flag_page(battle: Battle) -> FlagPage:
    """Build the page: two queries, two more for each side that was mustered with problems."""
    sides = read_sides(battle)
    return FlagPage(
        title=scenario_name(battle),
        versus=against(sides),
        back=Link("Battle", reverse("battle-show", args=[battle.pk])),
        here=reverse("flag-settle", args=[battle.pk]),
        sides=tuple(_flagged(side) for side in sides if flags(side)),
        void=Link("Void the battle", reverse("battle-void", args=[battle.pk])) if battle.status in REPORTED else None,
    )


def _flagged(side: Side) -> FlaggedSide:
    warband = side.warband
    assert warband is not None
    terms = warband.terms
    force = force_of(warband)
    found = terms.game.check(terms.content, force).problems
    fielding = terms.game.check(terms.content, force, scope="fielding").problems  # with everybody who can go
    known = {(problem.code, problem.fighter_key) for problem in found}
    fielded = tuple(problem for problem in fielding if (problem.code, problem.fighter_key) not in known)
    still = known | {(problem.code, problem.fighter_key) for problem in fielded}
    then = side.snapshot.problems if side.snapshot is not None else []
    words = "Nothing: the roster is legal as it stands now." if not found else ""
    if not found and fielded:
        words = "The roster is legal; taken to battle whole, it would ask for this."
    return FlaggedSide(
        pk=side.pk,
        name=side_name(side),
        problems=flags(side),
        settled=settled_words(side),
        now=tuple(_now(problem, warband.pk) for problem in (*found, *fielded)),
        now_words=words,
        mended=tuple(
            str(problem.get("message", ""))
            for problem in then
            if (problem.get("code"), problem.get("fighter_key", "")) not in still
        ),
        roster=Link("Open the roster", reverse("warband-show", args=[warband.pk])),
    )


def _now(problem: Problem, warband: int) -> Flag:
    """A problem of the roster as it is, with the way to where it is mended."""
    href = reverse("warband-show", args=[warband])
    if problem.fighter_key.isdigit():
        href = reverse("kit-buy" if problem.item_key else "fighter-show", args=[problem.fighter_key])
    named = "" if problem.message.startswith(problem.fighter or "\0") else problem.fighter
    return Flag(problem.message, problem.mend, problem.source, href, named)


@dataclass(frozen=True, slots=True)
class VoidPage:
    """What followed a battle, which voiding it undoes."""

    title: str
    versus: str
    back: Link
    here: str
    followed: tuple[str, ...]
    closed_words: str


def void_page(battle: Battle) -> VoidPage:
    """Build the page: three queries."""
    sides = read_sides(battle)
    may = battle.status in REPORTED
    return VoidPage(
        title="Void the battle",
        versus=against(sides),
        back=Link("Battle", reverse("battle-show", args=[battle.pk])),
        here=reverse("battle-void", args=[battle.pk]),
        followed=tuple(event.told for event in followed(battle)) if may else (),
        closed_words="" if may else f"This battle is {battle.get_status_display().lower()}: there is nothing to void.",
    )
