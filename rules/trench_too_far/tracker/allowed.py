"""What a unit may do now, given the order of its company and what its other units have done.

Each answer is a reason why not, or "".

Source: core rules, "Company orders", "Shock and Disruption", "Advance", "Defend", "Recover", "Unit traits".
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.tracker.units import (
    alive,
    bases,
    has,
    is_platoon,
    is_shocked,
    kind_of,
    leader_of,
    leaders,
    members,
    mobile,
    now,
    order_of,
    type_of,
)

ORDERS = ("move", "fire", "assault", "advance", "defend", "recover")
PERMITS = {
    "move": _("all may move; one platoon and one team stay and fire at 5+"),
    "fire": _("fire at 5+; one platoon and one team may move instead"),
    "assault": _("platoons assault; teams cover at 5+, or move"),
    "advance": _("move and fire, at 6; never at vehicles"),
    "defend": _("no move; fire at the closest at 5+; at least Prone"),
    "recover": _("rally, Remnants, 2\u2033 to relocate; no fire"),
}


def active(state: TableState) -> str:
    """Return the key of the active company or unit, or "" if none is active."""
    return str(state.facts.get("active") or "")


def is_ordered(state: TableState, leader: TableFighter) -> bool:
    return now(state, leader, "ordered")


def waiting(state: TableState, side: str) -> tuple[TableFighter, ...]:
    """Return the companies and independent units of a side that have yet to act this turn."""
    return tuple(each for each in leaders(state, side) if not each.acted)


def everybody_acted(state: TableState) -> bool:
    """Return whether nobody is left to act and nobody is active."""
    return not active(state) and not any(waiting(state, side.key) for side in state.sides)


def opened(state: TableState) -> str:
    """Return why nobody may be activated in this turn yet, or "" if activation is possible."""
    if state.facts.get("mode") == "cards":
        return ""
    return "" if state.initiative else _("Initiative isn't decided yet.")


def barred_activation(state: TableState, leader: TableFighter) -> str:
    """Return why a company or independent unit may not be activated now, or ""."""
    if leader_of(state, leader).key != leader.key:
        return _("{name} acts with {name_2}.").format(name=leader.name, name_2=leader_of(state, leader).name)
    if not alive(state, leader):
        return _("Nothing is left of {name}.").format(name=leader.name)
    if not any(each.fights for each in members(state, leader)):
        return _("{name} has not come on yet.").format(name=leader.name)
    if leader.acted:
        return _("{name} has acted this turn.").format(name=leader.name)
    if active(state) == leader.key:
        return _("{name} is active already.").format(name=leader.name)
    if active(state):
        return _("{name} is still active.").format(name=state.fighter(active(state)).name)
    if opened(state):
        return opened(state)
    if state.facts.get("mode") == "cards":
        if not now(state, leader, "card"):
            return _("Its card has not been drawn.")
    elif state.acting and state.acting != leader.side and waiting(state, state.acting):
        return _("{name} is to act.").format(name=state.side(state.acting).name)
    return ""


def barred_order(state: TableState, leader: TableFighter) -> str:
    if active(state) != leader.key:
        return _("{name} is not active.").format(name=leader.name)
    return _("{name} has its order.").format(name=leader.name) if is_ordered(state, leader) else ""


def under_orders(state: TableState, fighter: TableFighter) -> str:
    """Return why a unit may do nothing at all now, or ""."""
    leader = leader_of(state, fighter)
    if fighter.out or (kind_of(fighter) != COMPANY and not bases(fighter)):
        return _("Nothing is left of {name}.").format(name=fighter.name)
    if not fighter.there:
        return _("{name} has not come on yet.").format(name=fighter.name)
    if active(state) != leader.key:
        return _("{name} is not active.").format(name=leader.name)
    if not is_ordered(state, leader):
        return _("{name} has no order yet.").format(name=leader.name)
    if now(state, fighter, "recovered"):
        return _("{name} is back on its feet, and done.").format(name=fighter.name)
    return ""


def is_raider(fighter: TableFighter) -> bool:
    return has(fighter, "raider")


def _others(state: TableState, fighter: TableFighter, what: str) -> str:
    """Return the name of another unit of the same kind (platoon or team) in the company that has done this already, or ""."""
    for each in members(state, leader_of(state, fighter)):
        alike = is_platoon(each) == is_platoon(fighter) and kind_of(each) != COMPANY
        if each.key != fighter.key and alike and now(state, each, what) and not is_raider(each):
            return each.name
    return ""


def barred_fire(content: HasReadings, state: TableState, fighter: TableFighter) -> str:
    if kind_of(fighter) == COMPANY:
        return _("A command base has no fire of its own.")
    reason = under_orders(state, fighter)
    if reason:
        return reason
    if now(state, fighter, "fired"):
        return _("It has fired.")
    if now(state, fighter, "assaulted"):
        return _("It assaults.")
    moved = now(state, fighter, "moved")
    match order_of(leader_of(state, fighter)):
        case "recover" if choice(content, "recover-fire") == "none":
            return _("On Recover no unit fires.")
        case "assault" if is_platoon(fighter):
            failed = now(state, fighter, "failed")
            return "" if failed else _("On Assault a platoon fires only if it would not go in.")
        case "assault" if moved:
            return _("It moved: it covers only from where it stood.")
        case order if not is_raider(fighter):
            return _barred_fire_under(order, state, fighter, moved)
    return ""


def _barred_fire_under(order: str, state: TableState, fighter: TableFighter, moved: bool) -> str:
    """Return why a unit that is not a Raider may not fire under Move, Fire or Advance, or ""."""
    if order == "move":
        if moved:
            return _("It moved: on Move it fires only where it stays.")
        other = _others(state, fighter, "fired")
        return _("{other} has stayed to fire already.").format(other=other) if other else ""
    if order == "fire" and moved:
        return _("It moved instead of firing.")
    if order == "advance" and moved and type_of(fighter) == "hmg":
        return _("An HMG that moves on Advance does not fire.")
    return ""


def barred_move(content: HasReadings, state: TableState, fighter: TableFighter) -> str:
    reason = under_orders(state, fighter)
    if reason:
        return reason
    if now(state, fighter, "moved"):
        return _("It has moved.")
    if now(state, fighter, "assaulted"):
        return _("It assaults.")
    if kind_of(fighter) == TANKS and not mobile(fighter):
        return _("None of its vehicles can move.")
    order = order_of(leader_of(state, fighter))
    if order == "defend":
        return _("On Defend no unit moves.")
    free = kind_of(fighter) == COMPANY or (is_raider(fighter) and order in ("move", "fire", "advance"))
    if free or order not in ("move", "fire", "assault"):
        return ""
    if now(state, fighter, "fired"):
        return _("It stayed to fire.") if order == "move" else _("It has fired.")
    other = _others(state, fighter, "moved") if order == "fire" else ""
    return _("{other} has moved already.").format(other=other) if other else ""


def barred_assault(content: HasReadings, state: TableState, fighter: TableFighter) -> str:
    why = under_orders(state, fighter)
    if why:
        return why
    if kind_of(fighter) != "platoon":
        return _("Only platoons of foot and horse assault; tanks and teams go with them.")
    if order_of(leader_of(state, fighter)) != "assault":
        return _("This takes Assault orders.")
    if now(state, fighter, "assaulted"):
        return _("It has assaulted.")
    if now(state, fighter, "failed"):
        return _("It would not go in this turn.")
    if now(state, fighter, "moved") or now(state, fighter, "fired"):
        return _("It has acted.")
    if fighter.facts.get("stranded"):
        return _("Stranded, it only moves to rejoin.")
    if is_shocked(fighter) and choice(content, "shocked-assault") == "no":
        return _("Shocked, it only moves away.")
    return ""


def barred_prone(state: TableState, fighter: TableFighter) -> str:
    why = under_orders(state, fighter)
    if why:
        return why
    if kind_of(fighter) == TANKS:
        return _("Vehicles do not lie down.")
    if has(fighter, "close-order"):
        return _("Close order goes prone only by Defend.")
    if type_of(fighter) == "cavalry":
        return _("Mounted, it does not lie down.")
    if now(state, fighter, "prone"):
        return _("It went prone or got up this turn already.")
    return ""
