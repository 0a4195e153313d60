"""Activating a company: Disruption, forced orders, the order it takes, whether Defend holds it; marching and moving.

Source: core rules, "Company orders", "Movement", "Shock and Disruption", "Defend", "Unit traits".
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _
from rules.trench_too_far.charts import PRONE_INCHES, TEAMS, moves
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import DISRUPTED, FINE, ask, facts, is_disrupted, one_die
from rules.trench_too_far.resolvers.inputs import (
    Company,
    Disruption,
    DisruptionCheck,
    EndActivation,
    March,
    Move,
    OneRoll,
    Order,
    OrderCheck,
    Platoon,
)

MUST_DEFEND, FREE = "must-defend", "free"
NEAR_ENEMY = 12
TANK_NEAR = 8
# Weapons that imply one base if no number is given.
ONE_BASE = (*TEAMS, "artillery", "tank-mg", "tank-cannon", "tank-gun-shell", "tank-gun-ap")


def disruption_check(content: HasReadings, data: DisruptionCheck, roller: Roller) -> Resolved:
    """The roll of a company with Shocked platoons when it is activated. Outcomes: disrupted, fine."""
    already = is_disrupted(data.disrupted)
    if already and choice(content, "disruption-roll") == "skipped":
        return Resolved(DISRUPTED, _("It is Disrupted already."), effects=facts(disrupted=True, rolled_for=False))
    shocked = data.shocked_platoons
    if not shocked:
        outcome = DISRUPTED if already else FINE
        return Resolved(outcome, _("No platoon is Shocked."), effects=facts(disrupted=already, rolled_for=False))
    roll = ask(roller, data.roll, _("Disruption"), shocked + 1)
    fails = roll <= shocked
    disrupted = fails or already
    message = _("{roll} against {shocked} Shocked: {words}.").format(
        roll=roll, shocked=shocked, words=_("Disrupted this turn") if fails else _("no Disruption")
    )
    until = {"until": "this-turn"} if fails else {}
    outcome = DISRUPTED if disrupted else FINE
    return one_die(roll, outcome, message, disrupted=disrupted, shocked_platoons=shocked, **until)


def order_check(content: HasReadings, data: OrderCheck, roller: Roller) -> Resolved:
    """Whether a Disrupted company keeps its order. Outcome: the order it has."""
    if data.order == "advance" and data.advance_allowed is False:
        raise Refusal(_("This company may not Advance."), mend=_("Give it another order."), code="advance")
    disrupted = is_disrupted(data.disrupted)
    if not disrupted or data.order in ("defend", "recover"):
        reason = _("Defend and Recover stay open") if disrupted else _("It is not Disrupted")
        return Resolved(
            data.order, f"{reason}: {data.order.capitalize()}.", effects=facts(order=data.order, order_kept=True)
        )
    roll = ask(roller, data.roll, _("Order of a Disrupted company"), 4)
    keeps = roll >= 4
    order = data.order if keeps else "defend"
    result = data.order.capitalize() if keeps else _("it falls back on Defend")
    return one_die(
        roll, order, _("{roll} against 4+: {result}.").format(roll=roll, result=result), order=order, order_kept=keeps
    )


def is_aggressive(content: HasReadings, data: Company) -> bool:
    if data.aggressive is not None:
        return data.aggressive
    if isinstance(data.platoons, tuple):
        aggressive, platoons = sum(each.has("aggressive") for each in data.platoons), len(data.platoons)
    else:
        aggressive, platoons = data.aggressive_platoons or 0, data.platoons or 0
        if data.aggressive_platoons and not platoons:
            raise Refusal(_("How many platoons has the company?"), mend=_("Give platoons."), code="input")
    needed = choice(content, "aggressive-company")
    if needed == "any":
        return aggressive > 0
    return aggressive > 0 and (aggressive == platoons if needed == "all" else 2 * aggressive > platoons)


def _is_sheltered(data: Company) -> bool:
    """Whether at least half of its bases are in trenches or cover."""
    if data.half_in_cover is not None:
        return data.half_in_cover
    if data.bases is not None or not isinstance(data.platoons, tuple):
        bases, covered = data.bases or 0, data.bases_in_cover
    else:
        bases = sum(base_count(each) for each in data.platoons)
        covered = sum(
            base_count(each)
            for each in data.platoons
            if each.entrenched or each.in_building or each.position == "cover"
        )
    return bases > 0 and 2 * covered >= bases


def base_count(platoon: Platoon) -> int:
    """How many bases it has; if nothing is said, 4 or, for a team, 1."""
    if platoon.bases is None:
        return 1 if platoon.kind in TEAMS or platoon.weapon in ONE_BASE else 4
    if isinstance(platoon.bases, int):
        return platoon.bases
    return sum(base.count for base in platoon.bases)


def _shocked_platoons(data: Company) -> int:
    """How many of its platoons are Shocked. Raises Refusal for more than it has."""
    platoons = len(data.platoons) if isinstance(data.platoons, tuple) else data.platoons
    shocked = data.shocked_platoons
    if shocked is None:
        shocked = sum(each.shocked for each in data.platoons) if isinstance(data.platoons, tuple) else 0
    if platoons is not None and shocked > platoons:
        raise Refusal(_("More platoons are Shocked than the company has."), mend=_("Count again."), code="input")
    return shocked


def _forced_order(content: HasReadings, data: Company) -> tuple[Order, str]:
    """The order a company has to take, and why; "" if it may choose."""
    near = data.commander_near_enemy
    if near is None:
        near = data.commander_distance is not None and data.commander_distance <= NEAR_ENEMY
    assault = is_aggressive(content, data) and near and data.commander_alive and not _is_sheltered(data)
    if data.must_defend_next and (choice(content, "forced-order") == "defend" or not assault):
        return "defend", _("The last roll keeps it on Defend")
    return ("assault", _('Aggressive, its commander within 12" of the enemy')) if assault else ("", "")


def begin_activation(content: HasReadings, data: Company, roller: Roller) -> Resolved:
    """What order a company takes. Outcome: the order, or choose where none is named and none is forced.

    Dice: one for its Shocked platoons; one for the order of a Disrupted company.
    """
    if data.bases is not None and data.bases_in_cover > data.bases:
        raise Refusal(_("More bases are in cover than the company has."), mend=_("Count again."), code="input")
    # A company without a living commander is Disrupted until the commander is replaced.
    already = is_disrupted(data.disrupted) or not data.commander_alive
    shocked = _shocked_platoons(data)
    check = disruption_check(
        content, DisruptionCheck(shocked_platoons=shocked, disrupted=already, roll=data.roll), roller
    )
    disrupted = check.outcome == DISRUPTED
    forced, reason = _forced_order(content, data)
    effects = facts(disrupted=disrupted, forced=forced or None)
    wanted: Order = forced or data.order
    if not wanted:
        message = _("The player names an order") + (
            _("; other than Defend and Recover it takes a 4+.") if disrupted else "."
        )
        return Resolved("choose", message, check.rolled, check.rolled, None, (), effects + facts(order=None), (check,))
    free = forced == "assault" and choice(content, "forced-assault-check") == "none"
    order = order_check(
        content,
        OrderCheck(
            order=wanted, disrupted=disrupted and not free, advance_allowed=data.advance_allowed, roll=data.order_roll
        ),
        roller,
    )
    rolled = check.rolled + order.rolled
    return Resolved(
        order.outcome,
        " ".join(part for part in (check.told, f"{reason}." if reason else "", order.told) if part),
        rolled,
        rolled,
        order.total if order.rolled else check.total,
        ((forced.capitalize(), reason),) if forced else (),
        effects + order.effects,
        (check, order),
    )


def end_activation(content: HasReadings, data: EndActivation, roller: Roller) -> Resolved:
    """Whether a company is held to Defend in the next turn. Outcomes: must-defend, free."""
    if data.order != "defend":
        return Resolved(FREE, _("Only a company on Defend rolls."), effects=facts(must_defend_next=False))
    roll = ask(roller, data.roll, _("Does Defend stick"), 2)
    if roll == 1:
        return one_die(roll, MUST_DEFEND, _("1: it must take Defend next turn."), must_defend_next=True)
    return one_die(roll, FREE, _("{roll}: it may take any order next turn.").format(roll=roll), must_defend_next=False)


def disruption(content: HasReadings, data: Disruption, roller: Roller) -> Resolved:
    """What a cause does to a company. Outcomes: disrupted, fine; `until`: replaced, rallied, this-turn."""
    match data.cause:
        case "shocked-platoons":
            return disruption_check(
                content, DisruptionCheck(shocked_platoons=data.shocked_platoons, roll=data.roll), roller
            )
        case "commander-killed":
            message = _("Disrupted until the commander is replaced.")
            return Resolved(DISRUPTED, message, effects=facts(disrupted=True, until="replaced"))
        case "heavy-artillery" | "gas":
            message = _("Disrupted until it rallies.")
            return Resolved(DISRUPTED, message, effects=facts(disrupted=True, until="rallied"))
        case "light-artillery":
            return Resolved(FINE, _("Only medium and heavy guns disrupt."), effects=facts(disrupted=False))
        case "tank-attack" if data.distance > TANK_NEAR:
            return Resolved(FINE, _('A tank farther than 8" does not disrupt.'), effects=facts(disrupted=False))
    roll = ask(roller, data.roll, _("Disruption"), 5)
    if roll < 5:
        return one_die(roll, FINE, _("{roll} against 5+: no Disruption.").format(roll=roll), disrupted=False)
    message = _("{roll} against 5+: Disrupted until it rallies.").format(roll=roll)
    return one_die(roll, DISRUPTED, message, disrupted=True, until="rallied")


def identify_team(content: HasReadings, data: OneRoll, roller: Roller) -> Resolved:
    """Whether a weapons team behind closer targets may be fired at. Outcomes: not-identified, identified."""
    roll = ask(roller, data.roll, _("Identification"), 4)
    if roll >= 4:
        return one_die(
            roll,
            "identified",
            _("{roll} against 4+: it may be fired at.").format(roll=roll),
            identified=True,
            target="team",
        )
    message = _("{roll} against 4+: the fire goes at the closest target in sight.").format(roll=roll)
    return one_die(roll, "not-identified", message, identified=False, target="closest")


def _march_barred(data: March | Move, prone: bool = False) -> str:
    if data.order != "move":
        return _("marching takes Move orders")
    if data.nearest_enemy is not None and data.nearest_enemy <= NEAR_ENEMY:
        return _('an enemy is within 12"')
    states = ((_("Shocked"), data.shocked), ("stranded", data.stranded), ("prone", prone))
    return next((_("it is {label}").format(label=label) for label, holds in states if holds), "")


def march(content: HasReadings, data: March, roller: Roller) -> Resolved:
    """Whether a platoon may march, and how far. Outcomes: no-march, march; `total` is the rate, its standard one where it may not."""
    rate = moves(data.kind)
    if data.kind == "tank":
        raise Refusal(_("Tanks have their own movement and no march."), mend=_("Use movement."), code="input")
    reason = _march_barred(data, data.prone)
    inches = rate.standard_inches if reason else rate.march_inches
    return Resolved(
        "no-march" if reason else "march",
        _("No march: {reason}.").format(reason=reason)
        if reason
        else _('It may march {inches:g}".').format(inches=inches),
        total=int(inches),
        effects=facts(may_march=not reason, rate=inches, march_rate=rate.march_inches),
    )


def _rate_and_bar(content: HasReadings, data: Move, kind: str) -> tuple[float, str]:
    """How far a platoon goes in its way of moving, and why it may not move that way."""
    rate = moves(kind)
    match data.how:
        case "infiltration":
            bar = "" if "infiltration" in data.traits else _("only infiltrators move after deployment")
            return 2 * rate.standard_inches, bar
        case "prone" if "close-order" in data.traits:
            return PRONE_INCHES, _("Close order goes prone only by Defend")
        case "prone":
            return PRONE_INCHES, _("mounted cavalry does not go prone") if kind == "cavalry" else ""
        case "march":
            return rate.march_inches, _march_barred(data)
        case "retreat":
            return rate.march_inches, "" if data.order == "move" else _("a retreat takes Move orders")
        case "assault" if data.order != "assault":
            return rate.march_inches, _("this takes Assault orders")
    if data.order != "assault":
        return rate.standard_inches, ""
    if not data.shocked:
        return rate.march_inches, ""
    return rate.standard_inches, _("Shocked, it only moves away") if choice(content, "shocked-assault") == "no" else ""


def movement(content: HasReadings, data: Move, roller: Roller) -> Resolved:
    """How far a platoon may go. Outcomes: stays, moves; `total` in inches."""
    kind = "rifle" if data.kind == "cavalry" and data.dismounted else data.kind
    if kind == "tank":
        return _tank_movement(data)
    inches, reason = _rate_and_bar(content, data, kind)
    if not reason and data.how in ("standard", "prone"):
        if data.order == "fire" and "raider" not in data.traits:
            return _moved(inches, _("On Fire, one platoon and one weapons team may move instead of firing."), True)
        reason = {"defend": _("on Defend no unit moves"), "recover": _('on Recover it only relocates 2"')}.get(
            data.order, ""
        )
    if reason:
        return Resolved(
            "stays", _("It stays: {reason}.").format(reason=reason), total=0, effects=facts(inches=0, reason=reason)
        )
    away = _("straight away from all enemies it sees") if data.shocked and data.order != "assault" else ""
    way = {
        "retreat": _("straight away from the enemy"),
        "infiltration": _("after deployment"),
        "prone": "prone",
    }.get(data.how, away)
    return _moved(inches, _('It may move {inches:g}" {way}').format(inches=inches, way=way).strip() + ".", False)


def _moved(inches: float, message: str, instead: bool) -> Resolved:
    return Resolved("moves", message, total=int(inches), effects=facts(inches=inches, instead_of_firing=instead))


def _tank_movement(data: Move) -> Resolved:
    if data.immobilised:
        return Resolved("stays", _("It is immobilised."), total=0, effects=facts(inches=0, reason="immobilised"))
    if data.how != "standard":
        raise Refusal(
            _("Tanks move at their own score and no faster."), mend=_("Ask for a standard move."), code="input"
        )
    if data.movement is None:
        raise Refusal(_("A tank has a movement score of its own."), mend=_("Give movement, 4 to 12."), code="input")
    return _moved(data.movement, _('It may move {movement:g}".').format(movement=data.movement), False)
