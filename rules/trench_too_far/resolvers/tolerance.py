"""Tolerance: how much fire a platoon can take in a turn, and the Shock that more fire causes.

Source: core rules, "Shock and Disruption", "Advance", "Close order".
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.charts import NAMES
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import ask, facts, given_or, many
from rules.trench_too_far.resolvers.fire_inputs import AddFire, Shock, Tolerance
from rules.trench_too_far.resolvers.inputs import Platoon
from rules.trench_too_far.resolvers.orders import base_count

SHAKES_OFF = 5


def tolerance_of(
    content: HasReadings, platoon: Platoon, bases: int | None = None, indirect: bool = False
) -> tuple[int, list[tuple[int, str]]]:
    """A platoon's Tolerance, and its parts. `indirect`: a mortar or artillery fires at it now."""
    stubborn = platoon.quality == "stubborn" or (
        platoon.has("aggressive") and choice(content, "aggressive-tolerance") == "stubborn"
    )
    officer = platoon.outstanding_officer and (platoon.in_command or choice(content, "officer-reach") == "company")
    shelled = platoon.enemy_to_flank_or_rear or platoon.tally_had_indirect or indirect
    parts = [
        (1, gettext("Outstanding Officer"), officer),
        (2, NAMES["stubborn"], stubborn),
        (1, NAMES["determined"], platoon.quality == "determined" and not stubborn),
        (1, gettext("Veteran"), platoon.has("veteran")),
        (1, gettext("In trenches"), platoon.entrenched and not shelled),
        (2, gettext("Defend"), platoon.order == "defend"),
    ]
    count = given_or(bases, base_count(platoon))
    counted = [(count, gettext("Bases")), *((amount, reason) for amount, reason, holds in parts if holds)]
    return sum(amount for amount, _ in counted), counted


def tolerance(content: HasReadings, data: Tolerance, roller: Roller) -> Resolved:
    """A platoon's Tolerance. Outcome and `total`: the figure."""
    total, parts = tolerance_of(content, data.platoon)
    return Resolved(
        str(total),
        gettext("Tolerance {total}: {listed}.").format(
            total=total, listed=" + ".join((f"{amount} {reason}" for amount, reason in parts))
        ),
        total=total,
        modifiers=tuple((f"{amount:+d}", reason) for amount, reason in parts),
        effects=facts(tolerance=total),
    )


def counted_dice(dice: int, from_advance: bool) -> int:
    """Attack dice that count against Tolerance: on Advance all but the first."""
    return max(0, dice - 1) if from_advance else dice


def add_fire(content: HasReadings, data: AddFire, roller: Roller) -> Resolved:
    """Attack dice added to a platoon's tally, against its Tolerance. Outcomes: exceeds, within."""
    counted = counted_dice(data.dice, data.from_advance)
    tally = data.platoon.tally + counted
    compared = tally if choice(content, "shock-scope") == "turn" else counted
    bases = base_count(data.platoon)
    if choice(content, "tolerance-bases") == "after":
        bases = max(0, bases - data.bases_lost)
    limit = data.tolerance if data.tolerance is not None else tolerance_of(content, data.platoon, bases)[0]
    exceeds = compared > limit
    missing = max(0, limit - compared + 1)
    verdict = (
        gettext("above it.") if exceeds else gettext("{many} short of Shock.").format(many=many(missing, "die", "dice"))
    )
    return Resolved(
        "exceeds" if exceeds else "within",
        gettext("{compared} against Tolerance {limit}: {verdict}").format(
            compared=compared, limit=limit, verdict=verdict
        ),
        total=tally,
        modifiers=((gettext("−1 die"), gettext("Advance: the first attack die is free")),)
        if data.from_advance and data.dice
        else (),
        effects=facts(counted=counted, tally=tally, tolerance=limit, exceeds=exceeds, still_needed=missing),
    )


def shock(content: HasReadings, data: Shock, roller: Roller) -> Resolved:
    """What fire above its Tolerance does to a platoon. Outcomes: shocked, shakes-off, holds, wiped-out."""
    if not data.bases_left:
        return Resolved("wiped-out", gettext("No base is left."), effects=facts(shocked=False))
    if data.team and choice(content, "team-shock") == "never":
        return Resolved("holds", gettext("A single weapons team has no Tolerance."), effects=facts(shocked=False))
    if not data.exceeds:
        return Resolved("holds", gettext("Not above its Tolerance."), effects=facts(shocked=False))
    if "close-order" not in data.traits:
        return Resolved("shocked", gettext("Shocked."), effects=facts(shocked=True))
    if data.bases_left < 2:
        return Resolved("shocked", gettext("One base left shakes nothing off: Shocked."), effects=facts(shocked=True))
    roll = ask(roller, data.roll, gettext("Close order against Shock"), SHAKES_OFF)
    shaken_off = roll >= SHAKES_OFF
    return Resolved(
        "shakes-off" if shaken_off else "shocked",
        (
            gettext("{roll} against 5+: it shakes the Shock off.")
            if shaken_off
            else gettext("{roll} against 5+: Shocked.")
        ).format(roll=roll),
        (roll,),
        (roll,),
        roll,
        (("5+", gettext("Close order")),),
        facts(shocked=not shaken_off),
    )
