"""What the tracker shows: the board, and the badges and lines of each unit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.tracker.rolls import Badge, BoardLine
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_too_far.charts import NAMES, QUALITY, RELIABLE, TANK_CLASS, WEAPON, moves
from rules.trench_too_far.force import COMPANY, TANKS
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
    "this-turn": "Disrupted this turn", "until-rallied": "Disrupted until it rallies", "until-replaced": "Disrupted until its commander is replaced",
}  # fmt: skip
VEHICLE_STATES = {
    "x": "destroyed",
    "i": "immobilised",
    "d": "Damaged: hits on 6",
    "id": "immobilised and Damaged: hits on 6",
}
MOST_NAMED = 4


# --- the board


def board(content: HasReadings, state: TableState) -> Iterator[BoardLine]:
    """Yield the lines of the board: who is active with which order, the deck, and the progress of each side."""
    current = active(state)
    if current:
        leader = state.fighter(current)
        order = order_of(leader) if is_ordered(state, leader) else ""
        yield BoardLine(leader.name, order.upper() or "ACTIVE", PERMITS[order] if order else "gives its order")
    if state.facts.get("mode") == CARDS:
        left = cards_left(state)
        extra = " and ".join(name.capitalize() for name in ("rally", "artillery") if name in left)
        yield BoardLine("Deck", f"{len(left)} left", f"{extra} in it" if extra else "")
    for side in state.sides:
        heads = leaders(state, side.key)
        if heads:
            late = [each.name for each in heads if not each.acted]
            done = f"{len(heads) - len(late)} of {len(heads)}"
            yield BoardLine("Companies", done, _side_text(side, late), side=side.key)


def _side_text(side: TableSide, late: list[str]) -> str:
    """Return which units of a side have yet to act, and what is special about the side."""
    parts = ["all have acted"]
    if late:
        more = f" and {len(late) - MOST_NAMED} more" if len(late) > MOST_NAMED else ""
        parts = [f"yet to act: {', '.join(late[:MOST_NAMED])}{more}"]
    if side.facts.get("attacker"):
        parts.append("attacks")
    if side.facts.get("militia"):
        parts.append("mostly militia")
    return "; ".join(parts)


# --- badges and lines of a unit


def tolerance(content: HasReadings, state: TableState, fighter: TableFighter) -> int:
    return tolerance_of(content, platoon_of(state, fighter))[0]


def badges(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Yield the short labels that a unit's row shows when it is closed."""
    if fighter.out or not fighter.there:
        return
    kind = kind_of(fighter)
    if leader_of(state, fighter).key == fighter.key:
        yield from _leader_badges(state, fighter)
    if kind == COMPANY:
        if not commander_alive(fighter):
            yield Badge("COMMANDER DEAD", "alarm")
        return
    yield from _tank_badges(fighter) if kind == TANKS else _troop_badges(fighter)
    tally = fighter.markers.get(FIRE, 0)
    if tally and kind == "platoon" and not is_shocked(fighter):
        yield Badge(f"fire {tally} of {tolerance(content, state, fighter)}")
    if is_shocked(fighter):
        yield Badge("SHOCKED", "alarm")
    if fighter.facts.get("stranded"):
        yield Badge("stranded", "alarm")
    did = [label for label in ("moved", "fired", "assaulted") if now(state, fighter, label)]
    if did:
        yield Badge(", ".join(did))


def _tank_badges(fighter: TableFighter) -> Iterator[Badge]:
    yield Badge(f"{bases(fighter)} of {start_bases(fighter)}")
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
        yield Badge(f"acts: {order.upper()}" if is_ordered(state, leader) else "acts")
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
        figures = f'saves {TANK_CLASS[vehicle["class"]]}+, {vehicle["movement"]:g}", breaks down below {RELIABLE[vehicle["reliability"]]}+'
        yield f"{vehicle['name']}: {VEHICLE_STATES.get(how, 'runs')}; {figures}; {', '.join(guns) or 'no guns'}"
    if is_shocked(fighter):
        yield "Shocked: straight back, fires at the closest at 6"


def _troop_lines(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[str]:
    shocked, is_platoon = is_shocked(fighter), kind_of(fighter) == "platoon"
    yield _figures(content, state, fighter)
    yield _weapons(fighter)
    if is_platoon:
        limit, tally = tolerance(content, state, fighter), fighter.markers.get(FIRE, 0)
        needed = "" if shocked else f"; {_shock_needs(content, limit, tally)}"
        yield f"Fire taken {tally} of {limit}{needed}"
    if shocked:
        yield "Shocked: straight back from all it sees, fires at the closest at 6"
    if fighter.facts.get("stranded"):
        yield "Stranded: moves only to rejoin, else stays and fires at the closest"
    if is_platoon and not shocked and not is_fresh(fighter):
        target = 2 if has(fighter, "aggressive") else QUALITY[str(fighter.facts.get("quality") or "steady")]
        yield f"Not fresh: {max(1, target - has(fighter, 'close-order'))}+ to assault"


def _shock_needs(content: HasReadings, limit: int, tally: int) -> str:
    """Return how much more fire it takes to shock a platoon."""
    if choice(content, "shock-scope") != "turn":
        return f"{limit + 1} dice of one attack shock it"
    missing = max(0, limit - tally + 1)
    if not missing:
        return "any more fire shocks it"
    return f"{missing} more {'die shocks' if missing == 1 else 'dice shock'} it"


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
        for key, word in (("grenades", "grenades"), ("close_combat_weapons", "close combat weapons"))
        if fighter.facts.get(key)
    ]
    words = f'{NAMES[quality]} {QUALITY[quality]}+; saves {"on " + str(number) + "+" if number else "nothing"}; moves {rate.standard_inches:g}", {rate.march_inches:g}" on the march'
    return f"{words}; {', '.join(traits)}" if traits else words


def _weapons(fighter: TableFighter) -> str:
    found = []
    for part in parts_of(fighter):
        count, weapon = fighter.markers.get(part["id"], 0), part["weapon"]
        own = weapon.get("own")
        book = WEAPON.get(str(weapon.get("id")))
        if own is not None:
            reach, attacks = own.get("range"), own.get("attacks") or 0
        else:
            reach, attacks = (book.range_inches, book.attacks) if book else (None, 0)
        far = f'{reach:g}", ' if reach else ""
        found.append(
            f"{count} of {part['start']} {part['name']} ({far}{attacks} each)"
            if attacks
            else f"{count} of {part['start']} {part['name']}"
        )
    return "; ".join(found)


def _company_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    if not commander_alive(leader):
        yield "Its commander is dead: Recover names another, never Outstanding"
    else:
        yield (
            "Outstanding Officer: +1 Tolerance, +1 die in assaults"
            if is_outstanding(leader)
            else "Commander: an ordinary officer"
        )
    yield from _leader_lines(state, leader)
    count = remnant_dice(state, leader)
    if count:
        likely = percent(1 - Fraction(2, 3) ** count)
        yield f"{count} {'base' if count == 1 else 'bases'} lost: Recover rolls for Remnants, at least one {likely}"


def _leader_lines(state: TableState, leader: TableFighter) -> Iterator[str]:
    order = order_of(leader)
    if order:
        yield f"{ORDER_WORDS[order]}: {PERMITS[order]}"
    if must_defend(state, leader) and not is_ordered(state, leader):
        yield "The last roll keeps it on Defend this turn"
    elif leader.facts.get("must_defend", 0) == state.turn + 1:
        yield "It must take Defend next turn"
    if is_disrupted(leader):
        yield f"{DISRUPTED_WORDS[disrupted(leader)]}: orders but Defend and Recover take a 4+, 1 in 2"
    elif not leader.acted and active(state) != leader.key:
        count = len(shocked_platoons(state, leader))
        if count:
            yield f"{count} Shocked: Disrupted at its activation in {percent(Fraction(min(6, count), 6))}"
