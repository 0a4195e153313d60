"""The success roll: 2D6 with +DICE and -DICE; 7 succeeds, 12 is critical, and failing a risky one ends the activation.

Source: Condensed rules 1.6.3, "Action Success Chart"; Turns and actions 1.0, "Actions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.roller import FLAW, Changes, Pool, Resolved, Roller, told_dice, told_flat
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.inputs import DiceModifier, Success, words_of

SUCCESS, CRITICAL = 7, 12


def changes_of(dice: int, modifiers: tuple[DiceModifier, ...], why: str = "told") -> Changes:
    """What an input tells about dice, the net number first."""
    changes = Changes().plus(dice, why)
    for modifier in modifiers:
        changes = changes.plus(modifier.dice, modifier.why)
    return changes


def checked_spending(
    spent: int, blessing_spent: int, blood: int | None, infection: int | None, blessing: int | None
) -> None:
    """Raises Refusal when more markers are spent than lie there. Nothing is checked where nothing is known."""
    if (blood is not None or infection is not None) and spent > (blood or 0) + (infection or 0):
        held = (blood or 0) + (infection or 0)
        raise Refusal(
            _("{spent} markers are spent, but only {held} lie there.").format(spent=spent, held=held), code="markers"
        )
    if blessing is not None and blessing_spent > blessing:
        raise Refusal(
            _("{blessing_spent} BLESSING MARKERS are spent, but only {blessing} lie there.").format(
                blessing_spent=blessing_spent, blessing=blessing
            ),
            code="markers",
        )


def spent_markers(spent: int, blessing_spent: int) -> tuple[Mapping[str, Any], ...]:
    """The effects of spending: spent markers leave the table."""
    found: list[Mapping[str, Any]] = []
    if spent:
        found.append({"markers_spent": spent})
    if blessing_spent:
        found.append({"blessing_spent": blessing_spent})
    return tuple(found)


def roll(
    roller: Roller,
    changes: Changes,
    flat: int,
    *,
    base: int = 2,
    risky: bool = False,
    why: str = _("Success roll"),
    critical_from: int = CRITICAL,
    sixes: int = 0,
    flawed: bool = False,
    cuts: tuple[int, ...] = (),
) -> Resolved:
    """Roll and read the chart. `critical_from`: the total of a Critical Success. Outcomes: failure, success, critical.

    `sixes` dice are set to 6. `flawed`: a 1 on any die is a failure, told by the effect `flawed`. `cuts` are further
    totals from which something else follows.
    """
    critical_from = max(SUCCESS, critical_from)
    parts = {SUCCESS, critical_from, *cuts}
    spoilt = (FLAW + 1,) if flawed else ()
    fell = roller.pool(
        Pool(base, changes.net, sixes, flawed=flawed), why, (*spoilt, *sorted(part - flat for part in parts))
    )
    is_flawed = flawed and fell.total <= FLAW
    total = sum(fell.kept) + flat if is_flawed else fell.total + flat
    outcome = "critical" if total >= critical_from else "success" if total >= SUCCESS else "failure"
    if is_flawed:
        outcome = "failure"
    ends = risky and outcome == "failure"
    told = {
        "failure": _("{why}: {total} fails."),
        "success": _("{why}: {total} succeeds."),
        "critical": _("{why}: {total} is a Critical Success."),
    }[outcome]
    if ends:
        told = _("{why}: {total} fails; the activation ends.")
    return Resolved(
        outcome=outcome,
        told=told.format(why=why, total=total),
        rolled=fell.rolled,
        kept=fell.kept,
        total=total,
        modifiers=(
            *told_dice(changes.entries),
            *(((_("a die set to 6"), "told"),) if sixes else ()),
            *told_flat(((flat, "told"),) if flat else ()),
        ),
        effects=({"flawed": True}, {"activation_ends": True})
        if is_flawed
        else ({"activation_ends": True},)
        if ends
        else (),
    )


def resolve_success(play: EditionPlay, data: Success, roller: Roller) -> Resolved:
    """A success roll of any kind.

    Raises Refusal when more markers are spent than the fighter holds.
    """
    checked_spending(data.blood_spent, data.blessing_spent, data.blood, data.infection, data.blessing)
    changes = own_changes(data.dice, data.modifiers, data.down, data.blood_spent, data.blessing_spent)
    risky = data.risky or data.shaken or "RISKY" in words_of(data.keywords)
    found = roll(roller, changes, data.modifier, base=data.base_dice, risky=risky)
    return with_effects(found, spent_markers(data.blood_spent, data.blessing_spent))


def own_changes(
    dice: int, modifiers: tuple[DiceModifier, ...], down: bool, blood_spent: int, blessing_spent: int
) -> Changes:
    """What any success roll is subject to: what is told, being Down, and markers spent by either side."""
    changes = changes_of(dice, modifiers)
    changes = changes.plus(-1 if down else 0, _("Down"))
    changes = changes.plus(-blood_spent, _("markers spent by the opponent"))
    return changes.plus(blessing_spent, _("BLESSING MARKERS spent"))


def with_effects(found: Resolved, more: tuple[Mapping[str, Any], ...]) -> Resolved:
    """The same with further effects."""
    if not more:
        return found
    return Resolved(
        found.outcome, found.told, found.rolled, found.kept, found.total, found.modifiers, (*found.effects, *more),
        found.steps, found.state,
    )  # fmt: skip
