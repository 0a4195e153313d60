"""The checker: what a roster, one purchase or a fielded force breaks. All findings at once, each with its sentence and its remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.content.compiled import Content
from rules.fighters.views import Views
from rules.force import Force
from rules.legality.fielding import fielding
from rules.legality.finding import problem
from rules.legality.money import money_findings, money_left
from rules.legality.roster import roster_findings
from rules.legality.roster_state import examine, rating_of
from rules.offers.purchase import purchase_problems
from rules.parts.verdict import Scope, Verdict
from rules.price import ZERO, Price
from rules.problems import Problem


def check(
    content: Content,
    force: Force,
    *,
    scope: Scope = "roster",
    wants: Mapping[str, str] | None = None,
    taken: Sequence[str] | None = None,
    scenario: str = "",
    attacker: bool | None = None,
    facing: int | None = None,
) -> Verdict:
    """All problems of the roster, of one purchase (`wants`), or of a fielded force (`taken`: keys of fighters, None for all who can come).

    `facing` is how many fighters the attacker brings, where that is known: some scenarios give the defender half of them.
    For an unknown list, that is the only problem.
    """
    if force.list not in content.lists:
        unknown = Problem("unknown-name", f"No list is called “{force.list}”.", "Choose one of the books' lists.")
        return Verdict((unknown,), ZERO, None, {})
    roster = examine(content, force)
    fielded: Price | None = None
    if scope == "purchase":
        problems = purchase_problems(roster, wants or {})
    else:
        if scope == "fielding":
            found, fielded = fielding(roster, taken, scenario, attacker, facing)
        else:
            found = [*roster_findings(roster), *money_findings(roster)]
        problems = tuple([problem(placed) for placed in found])
    return Verdict(problems, rating_of(roster), money_left(roster), Views(content, force, roster.frame), fielded)


def rating(content: Content, force: Force) -> Price:
    """What the active fighters and their kit are worth; the stash is left out."""
    return rating_of(examine(content, force))
