"""What the tracker shows: the board, and the badges and lines of each unit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.formatting import quantity
from rules.tracker.rolls import Armament, Badge, BoardLine
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.translation import gettext, ngettext
from rules.trench_too_far.charts import NAMES, QUALITY, RELIABLE, TANK_CLASS, WEAPON, moves
from rules.trench_too_far.force import COMPANY, PLATOON, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.attack_dice import save_number
from rules.trench_too_far.resolvers.common import many
from rules.trench_too_far.resolvers.fire_inputs import SaveTarget
from rules.trench_too_far.resolvers.tolerance import tolerance_of
from rules.trench_too_far.tracker.allowed import (
    PERMITS,
    active,
    is_ordered,
)
from rules.trench_too_far.tracker.companies import (
    must_defend,
)
from rules.trench_too_far.tracker.move import ORDER_WORDS, POSITION_WORDS, percent
from rules.trench_too_far.tracker.saving import owed
from rules.trench_too_far.tracker.turns import (
    CARDS,
    cards_left,
)
from rules.trench_too_far.tracker.units import (
    FIRE,
    GONE,
    bases,
    commander_alive,
    disrupted,
    has,
    is_disrupted,
    is_fresh,
    is_heavy,
    is_outstanding,
    is_shocked,
    kind_of,
    leader_of,
    leaders,
    now,
    order_of,
    parts_of,
    platoon_of,
    position_of,
    remnant_dice,
    shocked_platoons,
    start_bases,
    type_of,
    vehicles,
)

DISRUPTED_WORDS = {
    "this-turn": gettext("Disrupted this turn"), "until-rallied": gettext("Disrupted until it rallies"), "until-replaced": gettext("Disrupted until its commander is replaced"),
}  # fmt: skip
VEHICLE_STATES = {
    "x": "destroyed",
    "i": "immobilised",
    "d": gettext("Damaged: hits on 6"),
    "id": gettext("immobilised and Damaged: hits on 6"),
}
MOST_NAMED = 4
FIRE_BOXES = 6


# --- the board


def board(content: HasReadings, state: TableState) -> Iterator[BoardLine]:
    """Yield the lines of the board: who is active with which order, the deck, and the progress of each side."""
    current = active(state)
    if current:
        leader = state.fighter(current)
        order = order_of(leader) if is_ordered(state, leader) else ""
        yield BoardLine(leader.name, order.upper() or "ACTIVE", PERMITS[order] if order else gettext("gives its order"))
    if state.facts.get("mode") == CARDS:
        left = cards_left(state)
        extra = " and ".join(name.capitalize() for name in ("rally", "artillery") if name in left)
        yield BoardLine(
            gettext("Deck"),
            gettext("{count} left").format(count=len(left)),
            gettext("{extra} in it").format(extra=extra) if extra else "",
        )
    for side in state.sides:
        heads = leaders(state, side.key)
        if heads:
            late = [each.name for each in heads if not each.acted]
            done = gettext("{number} of {count}").format(number=len(heads) - len(late), count=len(heads))
            yield BoardLine(side.name, done, _side_text(side, late))


def _side_text(side: TableSide, late: list[str]) -> str:
    """Return which units of a side have yet to act, and what is special about the side."""
    parts = [gettext("all have acted")]
    if late:
        more = gettext(" and {number} more").format(number=len(late) - MOST_NAMED) if len(late) > MOST_NAMED else ""
        parts = [gettext("yet to act: {late}{more}").format(late=", ".join(late[:MOST_NAMED]), more=more)]
    if side.facts.get("attacker"):
        parts.append("attacks")
    if side.facts.get("militia"):
        parts.append(gettext("mostly militia"))
    return "; ".join(parts)


# --- badges and lines of a unit


def tolerance(content: HasReadings, state: TableState, fighter: TableFighter) -> int:
    return tolerance_of(content, platoon_of(state, fighter))[0]


def badges(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Yield the short labels that a unit's row shows when it is closed."""
    if fighter.out or not fighter.there:
        return
    kind = kind_of(fighter)
    if owed(fighter):
        yield Badge(gettext("{count} to save").format(count=owed(fighter)["hits"]), "alarm")
    if leader_of(state, fighter).key == fighter.key:
        yield from _leader_badges(state, fighter)
    if kind == COMPANY:
        if not commander_alive(fighter):
            yield Badge("COMMANDER DEAD", "alarm")
        return
    yield from _tank_badges(fighter) if kind == TANKS else _troop_badges(fighter)
    yield from _turn_badges(content, state, fighter)


def _turn_badges(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Yield what the turn did to a unit, and what it did itself."""
    kind = kind_of(fighter)
    tally = fighter.markers.get(FIRE, 0)
    if tally and kind == "platoon" and not is_shocked(fighter):
        yield Badge(
            gettext("fire {tally} of {tolerance}").format(tally=tally, tolerance=tolerance(content, state, fighter))
        )
    if is_shocked(fighter):
        yield Badge("SHOCKED", "alarm")
    if fighter.facts.get("stranded"):
        yield Badge("stranded", "alarm")
    did = [label for label in ("moved", "fired", "assaulted") if now(state, fighter, label)]
    if did:
        yield Badge(", ".join(did))


def _tank_badges(fighter: TableFighter) -> Iterator[Badge]:
    yield Badge(gettext("{bases} of {start_bases}").format(bases=bases(fighter), start_bases=start_bases(fighter)))
    for mark, label in (("i", "immobilised"), ("d", "damaged")):
        count = sum(mark in how for _, _, how in vehicles(fighter) if how != GONE)
        if count:
            yield Badge(f"{count} {label}", "alarm")


def _troop_badges(fighter: TableFighter) -> Iterator[Badge]:
    position = POSITION_WORDS[position_of(fighter)]
    yield Badge(position if kind_of(fighter) == "team" else f"{many(bases(fighter), 'base')}, {position}")


def _leader_badges(state: TableState, leader: TableFighter) -> Iterator[Badge]:
    order = order_of(leader)
    if active(state) == leader.key:
        yield Badge(gettext("acts: {order}").format(order=order.upper()) if is_ordered(state, leader) else "acts")
    elif order:
        yield Badge(f"{order.upper()}{', done' if leader.acted else ''}")
    elif leader.acted:
        yield Badge("done")
    if is_disrupted(leader) and commander_alive(leader):
        yield Badge("DISRUPTED", "alarm")


def lines(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[str]:
    """Yield the lines that a unit's row shows when it is open."""
    kind = kind_of(fighter)
    if kind == COMPANY:
        yield from _company_lines(state, fighter)
        return
    if leader_of(state, fighter).key == fighter.key:
        yield from _leader_lines(state, fighter)
    yield from _tank_lines(fighter) if kind == TANKS else _troop_lines(content, state, fighter)


def _tank_lines(fighter: TableFighter) -> Iterator[str]:
    for _, vehicle, how in vehicles(fighter):
        guns = [f"{vehicle['machine_guns']} MG"] if vehicle["machine_guns"] else []
        guns += [gun["name"] for gun in vehicle["guns"]]
        figures = gettext('saves {tank_class}+, {vehicle:g}", breaks down below {reliable}+').format(
            tank_class=TANK_CLASS[vehicle["class"]],
            vehicle=vehicle["movement"],
            reliable=RELIABLE[vehicle["reliability"]],
        )
        yield f"{vehicle['name']}: {VEHICLE_STATES.get(how, 'runs')}; {figures}; {', '.join(guns) or 'no guns'}"
    if is_shocked(fighter):
        yield gettext("Shocked: straight back, fires at the closest at 6")


def _troop_lines(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[str]:
    shocked, is_platoon = is_shocked(fighter), kind_of(fighter) == "platoon"
    yield _figures(content, state, fighter)
    if shocked:
        yield gettext("Shocked: straight back from all it sees, fires at the closest at 6")
    if fighter.facts.get("stranded"):
        yield gettext("Stranded: moves only to rejoin, else stays and fires at the closest")
    if is_platoon and not shocked and not is_fresh(fighter):
        target = 2 if has(fighter, "aggressive") else QUALITY[str(fighter.facts.get("quality") or "steady")]
        yield gettext("Not fresh: {max}+ to assault").format(max=max(1, target - has(fighter, "close-order")))


def _shock_needs(content: HasReadings, limit: int, tally: int) -> str:
    """Return how much more fire it takes to shock a platoon."""
    if choice(content, "shock-scope") != "turn":
        return gettext("{number} dice of one attack shock it").format(number=limit + 1)
    missing = max(0, limit - tally + 1)
    if not missing:
        return gettext("any more fire shocks it")
    return ngettext("{missing} more die shocks it", "{missing} more dice shock it", missing).format(missing=missing)


def _figures(content: HasReadings, state: TableState, fighter: TableFighter) -> str:
    quality = str(fighter.facts.get("quality") or "steady")
    kind = type_of(fighter)
    number, _ = save_number(content, SaveTarget(
        position=fighter.facts.get("position", "dispersed"), always_prone=kind in ("sniper", "remnant") or has(fighter, "scouts"),
        heavy_team=is_heavy(fighter), defend=order_of(leader_of(state, fighter)) == "defend",
    ))  # fmt: skip
    rate = moves(kind)
    traits = [NAMES.get(trait, trait.replace("-", " ").capitalize()) for trait in fighter.facts.get("traits", ())]
    traits += [
        word
        for key, word in (("grenades", "grenades"), ("close_combat_weapons", gettext("close combat weapons")))
        if fighter.facts.get(key)
    ]
    words = gettext(
        '{names} {quality}+; saves {what}; moves {standard_inches:g}", {march_inches:g}" on the march'
    ).format(
        names=NAMES[quality],
        quality=QUALITY[quality],
        what="on " + str(number) + "+" if number else "nothing",
        standard_inches=rate.standard_inches,
        march_inches=rate.march_inches,
    )
    return f"{words}; {', '.join(traits)}" if traits else words


def armaments(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[Armament]:
    """Yield the weapons of a unit with the dice that they throw now, and their range."""
    if fighter.out or kind_of(fighter) in (COMPANY, TANKS):
        return
    for part in parts_of(fighter):
        count, weapon = fighter.markers.get(part["id"], 0), part["weapon"]
        own, book = weapon.get("own"), WEAPON.get(str(weapon.get("id")))
        if own is not None:
            reach, attacks = own.get("range"), int(own.get("attacks") or 0)
        else:
            reach, attacks = (book.range_inches, book.attacks) if book else (None, 0)
        if not attacks or not count:
            continue
        words = gettext("{dice}, to {reach:g}″") if reach else gettext("{dice}, as far as it sees")
        yield Armament(str(part["name"]), words.format(dice=quantity(count * attacks, "die", "dice"), reach=reach))


def tracks(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[BoardLine]:
    """Yield the boxes of its bases, crossed out as they are lost, and those of the fire it has taken, up to its Tolerance."""
    if fighter.out or not fighter.there or kind_of(fighter) == TANKS:
        return
    for part in parts_of(fighter):
        left = fighter.markers.get(part["id"], 0)
        lost = part["start"] - left
        boxes = tuple(("×" if place < lost else str(place + 1), place < lost) for place in range(part["start"]))
        words = gettext("{left} of {full} left").format(left=left, full=part["start"])
        yield BoardLine(str(part["name"]), words=words, track=boxes)
    if kind_of(fighter) == PLATOON and not is_shocked(fighter):
        limit, tally = tolerance(content, state, fighter), fighter.markers.get(FIRE, 0)
        boxes = tuple((str(place), place <= tally) for place in range(1, max(FIRE_BOXES, limit + 2, tally) + 1))
        words = gettext("{tally} of {limit}; {needs}").format(
            tally=tally, limit=limit, needs=_shock_needs(content, limit, tally)
        )
        yield BoardLine(gettext("Fire taken"), words=words, track=boxes, limit=limit)


def _company_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    if not commander_alive(leader):
        yield gettext("Its commander is dead: Recover names another, never Outstanding")
    else:
        yield (
            gettext("Outstanding Officer: +1 Tolerance, +1 die in assaults")
            if is_outstanding(leader)
            else gettext("Commander: an ordinary officer")
        )
    yield from _leader_lines(state, leader)
    count = remnant_dice(state, leader)
    if count:
        likely = percent(1 - Fraction(2, 3) ** count)
        yield ngettext(
            "{count} base lost: Recover rolls for Remnants, at least one {likely}",
            "{count} bases lost: Recover rolls for Remnants, at least one {likely}",
            count,
        ).format(count=count, likely=likely)


def _leader_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    order = order_of(leader)
    if order:
        yield f"{ORDER_WORDS[order]}: {PERMITS[order]}"
    if must_defend(state, leader) and not is_ordered(state, leader):
        yield gettext("The last roll keeps it on Defend this turn")
    elif leader.facts.get("must_defend", 0) == state.turn + 1:
        yield gettext("It must take Defend next turn")
    if is_disrupted(leader):
        yield gettext("{disrupted_words}: orders but Defend and Recover take a 4+, 1 in 2").format(
            disrupted_words=DISRUPTED_WORDS[disrupted(leader)]
        )
    elif not leader.acted and active(state) != leader.key:
        count = len(shocked_platoons(state, leader))
        if count:
            yield gettext("{count} Shocked: Disrupted at its activation in {percent}").format(
                count=count, percent=percent(Fraction(min(6, count), 6))
            )
