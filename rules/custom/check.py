"""The checker for games with own profiles: choices, points, and the findings of the game itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rules.custom.content import CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.units import ForceUnit
from rules.force import FighterView, Force
from rules.formatting import quantity
from rules.parts.verdict import Scope, Verdict
from rules.price import Price
from rules.problems import Problem
from rules.translation import gettext as _


def check(
    rules: ForceRules, content: CustomContent, force: Force, scope: Scope = "roster", taken: Sequence[str] | None = None
) -> Verdict:
    """Return all problems of the force, or of the part of it that is fielded (`taken`)."""
    if scope == "fielding" and taken is not None:
        force = replace(force, fighters=tuple(f for f in force.fighters if f.key in taken))
    units = rules.units(force)
    problems = (
        *_wrong_choices(rules, force),
        *rules.findings(force, units),
        *_over_points(content, force, units, fielding=scope == "fielding"),
    )
    worth = rating(units)
    return Verdict(
        problems=tuple(sorted(problems, key=lambda problem: problem.warns)),
        rating=worth,
        left=None,
        views=views(rules, force),
        fielded=worth if scope == "fielding" else None,
    )


def rating(units: Sequence[ForceUnit]) -> Price:
    """Return the points of these units, as whole "ducats"."""
    return Price(ducats=sum(unit.worth for unit in units))


def points_limit(content: CustomContent, force: Force) -> int | None:
    """Return the campaign's points limit or the force's own, whichever is lower, or None if there is none."""
    own = str(force.choices.get("points_limit") or "")
    limits = [int(own)] if own.isdecimal() and int(own) else []
    limits += [content.points_limit] if content.points_limit else []
    return min(limits) if limits else None


def _over_points(
    content: CustomContent, force: Force, units: Sequence[ForceUnit], *, fielding: bool
) -> Iterator[Problem]:
    """Yield a problem if the force is over the points limit.

    It is a warning while a force is built, and an error at muster if the campaign sets the limit.
    """
    limit, points = points_limit(content, force), rating(units).ducats
    if limit is None or points <= limit:
        return
    binds = fielding and content.points_limit is not None and points > content.points_limit
    yield Problem(
        "points-limit",
        _("{quantity}; the limit is {limit}.").format(quantity=quantity(points, "point"), limit=limit),
        _("Leave {quantity} behind.").format(quantity=quantity(points - limit, "point")),
        _("Own setting: points limit"),
        severity="error" if binds else "warning",
    )


def _wrong_choices(rules: ForceRules, force: Force) -> Iterator[Problem]:
    for choosing in rules.choices(force):
        if choosing.wrong:
            yield Problem(
                "choice",
                choosing.wrong,
                _("Choose again: {rstrip}.").format(rstrip=choosing.asked.words.rstrip(".?")),
                rules.name,
                force.fighter(choosing.fighter).name if choosing.fighter else "",
                fighter_key=choosing.fighter,
            )


def views(rules: ForceRules, force: Force) -> Mapping[str, FighterView]:
    """Return every unit by key. `facts` holds its profile, counts and losses."""
    return {unit.key: _view(rules, force, unit) for unit in rules.units(force, active=False)}


def _view(rules: ForceRules, force: Force, unit: ForceUnit) -> FighterView:
    return FighterView(
        key=unit.key,
        name=unit.name,
        profile=unit.profile,
        profile_name=unit.profile_name,
        elite=False,
        leader=False,
        mercenary=False,
        stats={},
        rating=Price(ducats=unit.worth),
        facts={
            "kind": unit.kind,
            "name": unit.profile_name,
            "data": dict(unit.data),
            "counts": dict(unit.counts),
            "weapons": {},
            "company": str(unit.fighter.choices.get("company") or ""),
            "left": dict(unit.left) if unit.lost else {},
            **rules.unit_facts(force, unit),
        },
    )


def unit_problem(unit: ForceUnit, code: str, message: str, mend: str, source: str, *, warns: bool = False) -> Problem:
    """Return a problem about one unit."""
    return Problem(
        code, message, mend, source, fighter=unit.name, fighter_key=unit.key, severity="warning" if warns else "error"
    )
