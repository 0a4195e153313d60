"""The force that a side brings to one battle: who is chosen, who takes part, and which problems it has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Seat, Side
from campaigns.services.common import live_sides, side_name
from campaigns.settings_schema import setting_of
from rules.force import Force
from rules.game import GameContent
from rules.parts.battle import MusterRow
from rules.parts.verdict import Verdict
from rules.price import Price
from rules.problems import Problem, Refusal
from warbands.adapters import force_of
from warbands.models import Fighter
from warbands.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Fielded:
    """A side's current force: a row per fighter, the chosen ones, those that a roll keeps out, rolls still to make,
    the checker's verdict."""

    rows: tuple[MusterRow, ...]
    taken: tuple[str, ...]
    kept_out: tuple[str, ...]
    owed: tuple[str, ...]
    upkeep_ducats: int
    verdict: Verdict
    warnings: tuple[Problem, ...]
    listed: tuple[Problem, ...] = ()  # problems of the whole roster, whichever fighters take part

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return all problems: from the checker on this force, from the checker on the whole roster, and from muster itself."""
        return (*self.verdict.errors, *self.listed, *self.warnings)

    @property
    def odd(self) -> tuple[Problem, ...]:
        """Return what is unusual about this force but allowed."""
        return tuple(problem for problem in self.verdict.problems if problem.warns)

    @property
    def worth(self) -> Price:
        """Return the value of the fighters that take part, or the roster's rating if the game does not rate a force."""
        return self.verdict.fielded if self.verdict.fielded is not None else self.verdict.rating


def fielded(
    battle: Battle,
    side: Side,
    force: Force | None = None,
    *,
    taken: Iterable[str] | None = None,
    content: GameContent = None,
    facing: Callable[[], int | None] | None = None,
) -> Fielded:
    """Check a side's force for this battle.

    Until the side has chosen, every fighter that can go is taken. Two queries, or none with `force`. `content`
    replaces the content of its terms. `facing` returns the number of attackers; without it, a defender's battle is
    read in two more queries. Raises Refusal for a side without a warband.
    """
    if side.warband is None:
        raise Refusal(_("{side} has no warband here.").format(side=side_name(side)), code="no-warband")
    game = side.warband.terms.game
    content = content if content is not None else side.warband.terms.content
    force = force if force is not None else force_of(side.warband)
    rows = tuple(game.battle.muster(content, force, battle.scenario_id))
    chosen = _chosen(rows, taken if taken is not None else side.force.get("taken"))
    kept_out, owed = _rolled(chosen, side.force.get("rolls", {}))
    going = [row for row in chosen if row not in kept_out]
    check = partial(
        game.check,
        content,
        force,
        scope="fielding",
        scenario=battle.scenario_id,
        attacker=side.is_attacker,
        facing=(facing or partial(_facing, battle))() if side.is_attacker is False else None,
    )
    verdict = _verdict(check, [row.fighter for row in going], set(side.force.get("reserves", ())))
    upkeep = sum(row.upkeep.ducats for row in going)
    known = {problem.message for problem in verdict.problems}
    return Fielded(
        rows=rows,
        taken=tuple(row.fighter for row in chosen),
        kept_out=tuple(row.fighter for row in kept_out),
        owed=tuple(row.fighter for row in owed),
        upkeep_ducats=upkeep,
        verdict=verdict,
        warnings=(*_fighter_warnings(chosen, owed), *_side_warnings(side, upkeep, force)),
        listed=_warband_errors(game.check(content, force), known),
    )


def _warband_errors(verdict: Verdict, known: Collection[str]) -> tuple[Problem, ...]:
    """Return what is wrong with the warband as a whole, without the messages that are known."""
    return tuple(p for p in verdict.errors if not p.fighter_key and p.message not in known)


def _chosen(rows: Sequence[MusterRow], taken: Iterable[Any] | None) -> list[MusterRow]:
    if taken is None:
        return [row for row in rows if not row.closed]
    keys = {str(key) for key in taken}
    return [row for row in rows if row.fighter in keys]


def _rolled(chosen: Sequence[MusterRow], rolls: Mapping[str, Any]) -> tuple[list[MusterRow], list[MusterRow]]:
    """Return the fighters that a roll keeps out, and those that still have to roll."""
    rolling = [row for row in chosen if row.roll_out_on]
    kept_out = [row for row in rolling if row.fighter in rolls and rolls[row.fighter]["faces"][0] in row.roll_out_on]
    return kept_out, [row for row in rolling if row.fighter not in rolls]


def _facing(battle: Battle) -> int | None:
    return count_attackers(live_sides(battle))


def _verdict(check: Callable[..., Verdict], going: Sequence[str], reserves: set[str]) -> Verdict:
    """Check the fighters that take part.

    A limit on fighters at the start excludes reserves; a limit on fighters brought includes them. So only what is
    wrong both with and without the reserves is a problem.
    """
    verdict = check(taken=going)
    if reserves.isdisjoint(going):
        return verdict
    start = check(taken=[key for key in going if key not in reserves])
    codes = {(each.code, each.fighter_key) for each in start.problems}
    return replace(verdict, problems=tuple(p for p in verdict.problems if (p.code, p.fighter_key) in codes))


def count_attackers(sides: Iterable[Side]) -> int | None:
    """Count the attacking fighters, or return None while an attacker has not mustered a roster or nobody attacks. One query."""
    going = attacking(sides)
    return None if going is None else sum(Fighter.objects.filter(pk__in=going).values_list("count", flat=True))


def attacking(sides: Iterable[Side]) -> list[int] | None:
    """Return the keys of the attacking fighters, or None while an attacker has not mustered a roster or nobody attacks. No queries."""
    attackers = [side for side in sides if side.is_attacker]
    if not attackers or any(side.ready_at is None or side.is_guest for side in attackers):
        return None
    return [int(key) for side in attackers for key in set(side.force["taken"]) - set(side.force["kept_out"])]


def _fighter_warnings(taken: Sequence[MusterRow], owed: Sequence[MusterRow]) -> list[Problem]:
    warnings = [
        Problem(
            "cannot-go",
            _("{fighter} can't take part: {reason}").format(fighter=row.name, reason=row.closed),
            _("Leave the fighter behind."),
            fighter=row.name,
            fighter_key=row.fighter,
        )
        for row in taken
        if row.closed
    ]
    warnings += [
        Problem(
            "roll-owed",
            _("{fighter} must roll before taking part.").format(fighter=row.name),
            _("Roll for the fighter."),
            fighter=row.name,
            fighter_key=row.fighter,
        )
        for row in owed
    ]
    return warnings


def _side_warnings(side: Side, upkeep: int, force: Force) -> list[Problem]:
    warnings = []
    held = force.strongbox.ducats if force.strongbox is not None else 0
    if upkeep > held:
        message = _("Fielding these fighters costs {price} ducats; you have {held}.").format(price=upkeep, held=held)
        warnings.append(Problem("upkeep", message, _("Leave one behind.")))
    if side.warband is not None and side.warband.is_founding:
        message = _("{warband} isn't finished yet.").format(warband=side.warband.name)
        warnings.append(Problem("founding", message, _("Press “Finish and lock in” on its roster.")))
    if (
        side.seat is not None
        and setting_of(side.battle.campaign, "lists_looked_at")
        and side.seat.list_state != Seat.ListState.ACCEPTED
    ):
        message = _("No administrator has accepted this starting list.")
        warnings.append(Problem("list-not-accepted", message, _("Send it.")))
    return warnings


def store_problems_since(act: Recorder, side: Side, problems: Iterable[Problem]) -> None:
    """Store with a ready side the problems that are not in its snapshot yet."""
    assert side.snapshot is not None
    known = {str(problem.get("message", "")) for problem in side.snapshot.problems}
    since = [msgspec.to_builtins(problem) for problem in problems if problem.message not in known] or None
    if side.force.get("since") != since:
        act.set_leaf(act.row(side), ("since",), since, field="force")


def locked_side(act: Recorder, battle: Battle, side: Side) -> tuple[Battle, Side]:
    """Return the locked rows of a battle and one of its sides, with their related objects attached."""
    row: Battle = act.row(battle)
    row.campaign = battle.campaign
    mine: Side = act.row(side)
    mine.battle = row
    if side.seat_id is not None:
        mine.seat = side.seat
    if side.warband is not None:
        mine.warband = side.warband
    return row, mine


def refuse_unless_ahead(battle: Battle) -> None:
    """Raise Refusal for a battle that has been reported, cancelled or voided."""
    if battle.status not in AHEAD:
        raise Refusal(
            _("This battle is {status}.").format(status=battle.get_status_display().lower()),
            code="not-ahead",
        )
