"""The pages where administrators settle a battle later: rosters mustered with problems, and voiding the battle."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import REPORTED, Battle, Side
from campaigns.pages.battle_sides import flag_of, flags, read_sides, settled_words
from campaigns.pages.formatting import against
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name
from campaigns.services.void import followed, voiding_of
from rules.problems import Problem
from warbands.adapters import force_of
from warbands.models import Event
from warbands.models.event import PARTS
from warbands.pages.widgets import Link, ProblemRow


@dataclass(frozen=True, slots=True)
class FlaggedSide:
    """A side that mustered with problems: those problems, how they were settled, and the roster's current problems."""

    pk: int
    name: str
    problems: tuple[ProblemRow, ...]
    settled: str
    now: tuple[ProblemRow, ...]
    now_words: str
    mended: tuple[str, ...]
    roster: Link | None


@dataclass(frozen=True, slots=True)
class FlagPage:
    title: str
    versus: str
    back: Link
    here: str
    sides: tuple[FlaggedSide, ...]
    void: Link | None


def flag_page(battle: Battle) -> FlagPage:
    """Build the page. Two queries, plus two for each side that mustered with problems."""
    sides = read_sides(battle)
    return FlagPage(
        title=scenario_name(battle),
        versus=against(sides),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        here=reverse("flag-settle", args=[battle.pk]),
        sides=tuple(_flagged(side) for side in sides if flags(side)),
        void=Link(_("Void battle"), reverse("battle-void", args=[battle.pk])) if battle.status in REPORTED else None,
    )


def _flagged(side: Side) -> FlaggedSide:
    warband = side.warband
    assert warband is not None
    terms = warband.terms
    force = force_of(warband)
    found = terms.game.check(terms.content, force).problems
    fielding = terms.game.check(terms.content, force, scope="fielding").problems  # if everybody available is fielded
    known = {(problem.code, problem.fighter_key) for problem in found}
    fielded = tuple(problem for problem in fielding if (problem.code, problem.fighter_key) not in known)
    still = known | {(problem.code, problem.fighter_key) for problem in fielded}
    then = side.snapshot.problems if side.snapshot is not None else []
    words = _("Nothing: the roster is legal now.") if not found else ""
    if not found and fielded:
        words = _("The roster is legal. With everyone fielded, it would have these problems.")
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
        roster=Link(_("Open roster"), reverse("warband-show", args=[warband.pk])),
    )


def _now(problem: Problem, warband: int) -> ProblemRow:
    """Return a current problem of the roster with a link to the page that fixes it."""
    href = reverse("warband-show", args=[warband])
    if problem.fighter_key.isdigit():
        href = reverse("kit-buy" if problem.item_key else "fighter-show", args=[problem.fighter_key])
    return flag_of(problem.message, problem.mend, problem.source, problem.fighter, href)


@dataclass(frozen=True, slots=True)
class VoidPage:
    """The consequences of a battle that voiding it would undo; of a void one, those that would come back."""

    title: str
    versus: str
    back: Link
    here: str
    followed: tuple[str, ...]
    closed_words: str
    returns: tuple[str, ...] = ()
    may_return: bool = False
    stands: tuple[str, ...] = ()


def void_page(battle: Battle) -> VoidPage:
    """Build the page. Three queries, a few more for a void battle."""
    sides = read_sides(battle)
    may = battle.status in REPORTED
    voided = voiding_of(battle)
    return VoidPage(
        title=_("Bring the battle back") if voided is not None else _("Void battle"),
        versus=against(sides),
        back=Link(_("Battle"), reverse("battle-show", args=[battle.pk])),
        here=reverse("battle-void", args=[battle.pk]),
        followed=tuple(event.told for event in followed(battle)) if may else (),
        returns=_returns(voided) if voided is not None else (),
        may_return=voided is not None,
        stands=tuple(str(line) for line in voided.data.get("stands", ())) if voided is not None else (),
        closed_words=""
        if may or voided is not None
        else _("This battle is {lower}, so it can't be voided.").format(lower=battle.get_status_display().lower()),
    )


def _returns(voided: Event) -> tuple[str, ...]:
    """Return what undoing a voiding brings back, oldest first. One query."""
    parts = Event.objects.filter(pk__in=voided.data.get(PARTS, ())).select_related("undoes__undoes__undoes")
    return tuple(event.root.told for event in parts.order_by("-pk"))
