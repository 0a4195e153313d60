"""The offers of the tracker: prompts of the table, and what each unit may do now or why it may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.formatting import dice_words, quantity
from rules.resolvers.odds import successes
from rules.tracker.rolls import Awaited, Prompt, TableOffer
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.translation import gettext as _
from rules.trench_too_far.charts import NAMES
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.resolvers.assault import DECIDES
from rules.trench_too_far.resolvers.common import chance_of
from rules.trench_too_far.resolvers.several import strikes
from rules.trench_too_far.tracker.allowed import (
    ORDERS,
    active,
    barred_activation,
    barred_assault,
    barred_fire,
    barred_move,
    barred_prone,
    everybody_acted,
    is_ordered,
    waiting,
)
from rules.trench_too_far.tracker.assaults import (
    RECEPTION,
    STRIKE,
    fight_of,
    joinable,
    on_foot,
    sides_of,
    standing,
)
from rules.trench_too_far.tracker.board import armaments
from rules.trench_too_far.tracker.companies import (
    closed_order,
    has_to_recover,
    is_keen,
    must_defend,
    needs_disruption_roll,
)
from rules.trench_too_far.tracker.firing import may_fire_at
from rules.trench_too_far.tracker.move import ORDER_WORDS, percent
from rules.trench_too_far.tracker.platoons import inches, positions_open, ways_to_move
from rules.trench_too_far.tracker.saving import owed, owing, save_words
from rules.trench_too_far.tracker.turns import (
    CARDS,
    cards_left,
    left_open,
    rallies,
    rally_is_on,
)
from rules.trench_too_far.tracker.units import (
    bases,
    fighting,
    has,
    is_disrupted,
    is_heavy,
    kind_of,
    leader_of,
    now,
    order_of,
    platoon_of,
    remnant_dice,
    shocked_platoons,
)

MOST_LABEL = 40
DOING = ("move", "fire", "assault", "advance")  # the orders under which units do something
SHORT_ORDERS = {
    "move": _("all move; one fires"), "fire": _("all fire on 5+; one moves"), "assault": _("into close combat"),
    "advance": _("move and fire on 6"), "defend": _("stay; Tolerance +2"), "recover": _("Shocked ones test"),
}  # fmt: skip


# --- prompts


def prompts(content: HasReadings, state: TableState) -> Iterator[Prompt]:
    cards = state.facts.get("mode") == CARDS
    if not cards and not state.initiative and len(state.sides) > 1:
        yield Prompt("initiative", _("Turn {turn}: who has the initiative?").format(turn=state.turn), roll="initiative")
    yield from _fight_prompts(content, state)
    for target in owing(state):
        words = f"{target.name}: {save_words(content, target)}."
        yield Prompt("saves", words, target.side, given={"fighter": target.key}, answers=("saves",))
    rallying = _rallying(content, state)
    for side in rallying:
        message = _("{name} rallies: Shocked platoons and Disrupted companies 5+, vehicles 6.").format(name=side.name)
        yield Prompt("rally", message, side.key, "rally")
    if everybody_acted(state) and (state.initiative or cards) and not rallying:
        last = _(", and it was the last") if _is_last_turn(state) else ""
        yield Prompt(
            "limit", _("Turn {turn} is over{last}. Look whether anybody has won.").format(turn=state.turn, last=last)
        )


def _rallying(content: HasReadings, state: TableState) -> list[TableSide]:
    """Return the sides that have yet to rally, once rallying has begun."""
    return [side for side in state.sides if rallies(content, state, side.key)] if rally_is_on(state) else []


def _is_last_turn(state: TableState) -> bool:
    return bool(state.turn_limit) and state.turn >= state.turn_limit


def _fight_prompts(content: HasReadings, state: TableState) -> Iterator[Prompt]:
    fight = fight_of(state)
    if fight is None:
        return
    by, on = standing(state, fight["by"]), standing(state, fight["on"])
    if not by or not on:
        yield Prompt("alarm", _("One side of the assault is gone."), roll="part")
        return
    if fight["step"] == RECEPTION:
        first = on[0]
        message = _("{name} assaults {first_name}: does it stand? {names}, in the open a morale test.").format(
            name=by[0].name, first_name=first.name, names=NAMES[platoon_of(state, first).quality]
        )
        yield Prompt("alarm", message, first.side, "reception", {"fighter": first.key})
        return
    striking = fight["step"] == STRIKE
    mine, theirs = (by, on) if striking else (on, by)
    if not on_foot([*mine, *theirs]):
        yield Prompt("alarm", _("No base is left to strike a blow."), roll="part")
        return
    verb = "at" if striking else _("back at")
    message = _("{mine} strikes {verb} {theirs}: {blow_forecast}").format(
        mine=mine[0].name, verb=verb, theirs=theirs[0].name, blow_forecast=_blow_forecast(content, state, mine, theirs)
    )
    if joinable(state):
        message += _(' Friends within 6" may join first.')
    yield Prompt("alarm", message, mine[0].side, "blow", {"fighter": mine[0].key})


def _blow_forecast(
    content: HasReadings, state: TableState, mine: list[TableFighter], theirs: list[TableFighter]
) -> str:
    """Return the dice of a blow, and how likely it decides the fight."""
    foot = on_foot(theirs)
    if not foot:
        return _("each hit has its save, each failed one damages.")
    groups = strikes(content, tuple(fighting(state, each) for each in mine))
    dice = ", ".join(
        _("{dice} at {hit}{what}").format(dice=dice_words(count), hit=hit, what="" if hit == 6 else "+")
        for count, hit in groups
    )
    needed = min(DECIDES, sum(bases(each) for each in foot))
    hits = successes(*((count, chance_of(hit)) for count, hit in groups))
    return _("{dice}; it is decided in {percent}.").format(dice=dice, percent=percent(sum(hits[needed:], Fraction(0))))


# --- offers


def offers(content: HasReadings, state: TableState) -> Iterator[TableOffer]:
    for target in owing(state):
        label = _("Roll {saves}").format(saves=quantity(int(owed(target)["hits"]), "save"))
        yield TableOffer("saves", label, target.side, given={"fighter": target.key}, main=True)
    yield from _table_offers(content, state)
    for fighter in state.fighters:
        yield from _unit_offers(content, state, fighter)


def _table_offers(content: HasReadings, state: TableState) -> Iterator[TableOffer]:
    current = active(state)
    if not current:
        yield from _offers_between(content, state)
    elif not is_ordered(state, state.fighter(current)):
        yield from _to_order(content, state, state.fighter(current))
    elif fight_of(state):
        yield from _fight_offers(state)
        if joinable(state):
            fight = fight_of(state) or {}
            yield TableOffer("join", _("Friends join"), state.fighter(fight["on"][0]).side)
        yield TableOffer("part", _("End the fight"), at_once=True)
    elif is_ordered(state, state.fighter(current)):
        leader = state.fighter(current)
        given = {"fighter": leader.key}
        closed = ""
        if has_to_recover(state, leader):
            closed = _("It was ordered to Recover. Roll that first.")
            yield TableOffer(
                "recover", _recover_words(content, state, leader), leader.side, given=given, at_once=True, main=True
            )
        if waits := owing(state):
            closed = _("{name} has saves to make first.").format(name=waits[0].name)
        roll = "done-roll" if order_of(leader) == "defend" else "done"
        label = _("Company done") if kind_of(leader) == COMPANY else _("Done")
        idle = _idle_words(state, leader)
        yield TableOffer(roll, label, leader.side, given=given, at_once=True, closed=closed, main=not closed, open=idle)


def _idle_words(state: TableState, leader: TableFighter) -> tuple[str, ...]:
    """Return what the end of a company's order would leave undone: none of its units has done anything."""
    if kind_of(leader) != COMPANY or order_of(leader) not in DOING:
        return ()
    own = [each for each in state.fighters if each.key != leader.key and leader_of(state, each).key == leader.key]
    if any(now(state, each, deed) for each in own for deed in ("fired", "moved", "assaulted")):
        return ()
    return (_("No unit of {name} has done anything yet.").format(name=leader.name),)


def _recover_words(content: HasReadings, state: TableState, leader: TableFighter) -> str:
    """Return the button of Recover, with what it rolls."""
    testing = len(shocked_platoons(state, leader))
    if testing:
        return _("Recover: test {platoons}").format(platoons=quantity(testing, "platoon"))
    count = remnant_dice(state, leader)
    return _("Recover: roll for {bases} lost").format(bases=quantity(count, "base")) if count else _("Recover")


def _offers_between(content: HasReadings, state: TableState) -> Iterator[TableOffer]:
    """Yield the offers while nobody is active."""
    cards = state.facts.get("mode") == CARDS
    yield from _next_leader_offers(content, state, cards)
    if everybody_acted(state) and (state.initiative or cards):
        if not _rallying(content, state) and not _is_last_turn(state):
            yield TableOffer("next-turn", _("Turn {number}").format(number=state.turn + 1), at_once=True, main=True)
        return
    for side in state.sides if state.initiative and not cards else ():
        if side.key != state.acting and waiting(state, side.key):
            yield TableOffer("pass", _("{side} acts").format(side=side.name), given={"acts": side.key}, at_once=True)
    if state.initiative or cards:
        yield TableOffer(
            "skip", _("End turn {turn} here").format(turn=state.turn), at_once=True, open=left_open(content, state)
        )
    if not state.initiative:
        yield TableOffer("setup", _("Set up"))


def _next_leader_offers(content: HasReadings, state: TableState, cards: bool) -> Iterator[TableOffer]:
    """Yield the offer for the next activation: the only unit that may act, or a card."""
    able = [each for side in state.sides for each in waiting(state, side.key) if not barred_activation(state, each)]
    if len(able) == 1:
        yield from _to_order(content, state, able[0])
    called = any(now(state, each, "card") and not each.acted and each.fights for each in state.fighters)
    if cards and cards_left(state) and not called:
        yield TableOffer("draw", _("Draw a card"), at_once=True, main=True)
        yield TableOffer("card", _("A card of mine"))


def _to_order(content: HasReadings, state: TableState, leader: TableFighter) -> Iterator[TableOffer]:
    """Yield the orders of the one company that may take them, for its side; or the roll that comes before."""
    if not active(state) and needs_disruption_roll(content, state, leader):
        label = _("Activate {name}").format(name=leader.name)[:MOST_LABEL]
        yield TableOffer("begin", label, leader.side, given={"fighter": leader.key}, at_once=True, main=True)
        return
    for offer in _order_offers(content, state, leader):
        given = {"fighter": leader.key, **offer.given}
        yield replace(
            offer, fighter="", side=leader.side, given=given, words=SHORT_ORDERS.get(offer.given.get("order", ""), "")
        )


def _fight_offers(state: TableState) -> Iterator[TableOffer]:
    """Yield what the current assault waits for, placed under the thumb of the player who has to roll."""
    fight = fight_of(state) or {}
    both = sides_of(state)
    if fight["step"] == RECEPTION:
        first = state.fighter(fight["on"][0])
        works = first.facts.get("position") == "entrenched"
        yield TableOffer(
            "reception", _("Does it stand?"), first.side, given={"fighter": first.key}, at_once=works, main=True
        )
    elif both and both[0] and on_foot([*both[0], *both[1]]):
        label = _("Strike") if fight["step"] == STRIKE else _("Strike back")
        yield TableOffer("blow", label, both[0][0].side, given={"fighter": both[0][0].key}, at_once=True, main=True)


def _unit_offers(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[TableOffer]:
    key = fighter.key
    if fighter.fights or (kind_of(fighter) == COMPANY and not fighter.out):
        leader = leader_of(state, fighter)
        if leader.key == key:
            yield from _leader_offers(content, state, fighter)
        if active(state) == leader.key and is_ordered(state, leader) and not fight_of(state):
            yield from _acting_offers(content, state, fighter)
        early = state.turn == 1 and not active(state) and not any(each.acted for each in state.fighters)
        if early and has(fighter, "infiltration") and not fighter.facts.get("infiltrated"):
            yield TableOffer("infiltrate", _("Infiltrate"), fighter=key, at_once=True)
    yield TableOffer("right", _("Correct"), fighter=key, quiet=True)


def _leader_offers(content: HasReadings, state: TableState, leader: TableFighter) -> Iterator[TableOffer]:
    key = leader.key
    if not active(state):
        why = barred_activation(state, leader)
        if not why and needs_disruption_roll(content, state, leader):
            yield TableOffer("begin", _("Activate"), fighter=key, at_once=True, main=True)
        elif not why:
            yield from _order_offers(content, state, leader)
        elif not leader.acted:
            yield TableOffer("order", _("Give an order"), fighter=key, closed=why)
        return
    if active(state) != key:
        return
    if not is_ordered(state, leader):
        yield from _order_offers(content, state, leader)
    elif has_to_recover(state, leader):
        yield TableOffer("recover", _("Recover"), fighter=key, at_once=True, main=True)


def _order_offers(content: HasReadings, state: TableState, leader: TableFighter) -> Iterator[TableOffer]:
    key = leader.key
    if must_defend(state, leader):
        roll = "order-roll" if is_disrupted(leader) else "order"
        yield TableOffer(roll, _("Defend, as it must"), fighter=key, given={"order": "defend"}, at_once=True, main=True)
        return
    if is_disrupted(leader):
        yield TableOffer("order-roll", _("Give an order, 4+ keeps it"), fighter=key, main=True)
        return
    keen = is_keen(content, state, leader)
    for order in ORDERS:
        closed = closed_order(state, leader, order)
        asks = keen and order != "assault"
        yield TableOffer(
            "order",
            ORDER_WORDS[order],
            fighter=key,
            given={"order": order},
            at_once=not asks,
            closed=closed,
            main=order == "assault" and keen,
        )


def _fire_offers(content: HasReadings, state: TableState, fighter: TableFighter, order: str) -> Iterator[TableOffer]:
    closed = barred_fire(content, state, fighter)
    if not closed or order not in ("recover", "assault"):
        given, arm = _aimed(state, fighter), next((arm.name for arm in armaments(content, state, fighter)), "")
        yield TableOffer(
            "fire", _("Fire"), fighter=fighter.key, given=given, closed=closed, main=not closed, weapon=arm
        )
    if not closed and _teams_to_find(state, fighter):
        yield TableOffer("identify", _("Make out a team"), fighter=fighter.key)


def _acting_offers(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[TableOffer]:
    key, order, kind = fighter.key, order_of(leader_of(state, fighter)), kind_of(fighter)
    if order == "assault" and kind == "platoon":
        closed = barred_assault(content, state, fighter)
        yield TableOffer("assault", _("Assault"), fighter=key, closed=closed, main=not closed)
    if kind != COMPANY:
        yield from _fire_offers(content, state, fighter, order)
    closed = barred_move(content, state, fighter)
    if kind == TANKS:
        yield TableOffer("drive-free" if state.turn < 3 else "drive", _("Drive"), fighter=key, closed=closed)
    elif not closed:
        yield from _move_offers(content, state, fighter)
    elif order != "defend":
        yield TableOffer("move", _("Move"), fighter=key, closed=closed)
    if kind != COMPANY and not barred_prone(state, fighter) and "prone" in positions_open(fighter):
        lies = fighter.facts.get("position") == "prone"
        yield TableOffer("prone", _("Get up") if lies else _("Go prone"), fighter=key, at_once=True)


def _aimed(state: TableState, fighter: TableFighter) -> dict[str, str]:
    """Return the target that a unit fired at last, as the answer to begin with."""
    last = str(fighter.facts.get("aimed") or "")
    return {"target": last} if last in may_fire_at(state, fighter) else {}


def _move_offers(content: HasReadings, state: TableState, fighter: TableFighter) -> Iterator[TableOffer]:
    way = ways_to_move(state, fighter)[0]
    far, reason = inches(content, state, fighter, way)
    if fighter.facts.get("position", "dispersed") in ("dispersed", "closed") and not reason:
        given = {"how": way, "position": "-"}
        yield TableOffer("move", _('Move {far:g}"').format(far=far), fighter=fighter.key, given=given, at_once=True)
    yield TableOffer("move", _("Move and \u2026"), fighter=fighter.key)


def _teams_to_find(state: TableState, fighter: TableFighter) -> bool:
    """Return whether there is an enemy weapons team that this unit has not tried to identify this turn."""
    seen = {fighter.facts.get("identified"), fighter.facts.get("unidentified")}
    return any(
        is_heavy(each) and each.fights and each.side != fighter.side and f"{state.turn}:{each.key}" not in seen
        for each in state.fighters
    )


# --- what the bar waits for


def awaited(content: HasReadings, state: TableState) -> Awaited | None:
    """Return what the table waits for: saves, an assault, the unit that acts, or a company to take its order."""
    for target in owing(state):
        words = _("{name} saves: {count} to make").format(name=target.name, count=owed(target)["hits"])
        return Awaited(target.side, words, words)
    if (fight := fight_of(state)) is not None:
        first = state.fighter(fight["on"][0] if fight["step"] != STRIKE else fight["by"][0])
        words = _("{name} fights: see it").format(name=first.name)
        return Awaited(first.side, words, words, first.key)
    if current := active(state):
        leader = state.fighter(current)
        own = _("{name}’s order") if not is_ordered(state, leader) else _("{name} acts")
        return Awaited(
            leader.side, own.format(name=leader.name), _("{name} acts: see it").format(name=leader.name), current
        )
    able = [each for side in state.sides for each in waiting(state, side.key) if not barred_activation(state, each)]
    if not able:
        return None
    side, words = able[0].side, _("{name} chooses: see them").format(name=state.side(able[0].side).name)
    if len(able) == 1:
        return Awaited(side, _("{name}’s order").format(name=able[0].name), words, able[0].key)
    return Awaited(side, _("Whose order is it? {count} left").format(count=len(able)), words)
