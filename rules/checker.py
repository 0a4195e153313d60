"""The checker: finds everything that breaks a rule in a roster, in one purchase or in a fielded force.

It reports all problems at once, each with a sentence and a remedy.
"""

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
from rules.translation import gettext as _


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
    """Return all problems of the roster, of one purchase (`wants`), or of a fielded force.

    `taken` holds the keys of the fielded fighters (None: all who can come). `facing` is the number of fighters that the
    attacker brings,
    where known: some scenarios give the defender half of them. An unknown list is reported as the only problem.
    """
    if force.list not in content.lists:
        unknown = Problem(
            "unknown-name",
            _("No list is called “{list}”.").format(list=force.list),
            _("Choose one of the books' lists."),
        )
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
    """Return the worth of the active fighters and their kit; the stash is left out."""
    return rating_of(examine(content, force))
