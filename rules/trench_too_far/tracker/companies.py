"""A company: its activation, Disruption, orders, the end of its activation, and events that concern all of it.

Source: core rules, "Company orders", "Shock and Disruption", "Defend", "Recover", "Aggressive".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct, TableJoins
from rules.tracker.rolls import Asks, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext, ngettext
from rules.trench_too_far.charts import NAMES
from rules.trench_too_far.force import COMPANY
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers import orders as rule
from rules.trench_too_far.resolvers.inputs import Company
from rules.trench_too_far.tracker.allowed import (
    ORDERS,
    PERMITS,
    active,
    barred_activation,
    barred_order,
    is_ordered,
    waiting,
)
from rules.trench_too_far.tracker.move import ORDER_WORDS, TooFarMove, UnitMove, fighter_in, named, told
from rules.trench_too_far.tracker.saving import owing
from rules.trench_too_far.tracker.units import (
    COMMAND,
    commander_alive,
    disrupted,
    is_disrupted,
    is_platoon,
    kind_of,
    leader_of,
    leaders,
    markers_at_start,
    members,
    now,
    order_of,
    platoon_of,
    remnant_dice,
    remnant_facts,
    shocked_platoons,
)

MEND_COMPANY = gettext("Name a company, or a unit that is independent.")


def needs_disruption_roll(content: HasReadings, state: TableState, leader: TableFighter) -> bool:
    if not shocked_platoons(state, leader):
        return False
    return not is_disrupted(leader) or choice(content, "disruption-roll") == "rolled"


def must_defend(state: TableState, leader: TableFighter) -> bool:
    """Return whether its last turn forces the company to stay on Defend."""
    return now(state, leader, "must_defend")


def is_keen(content: HasReadings, state: TableState, leader: TableFighter) -> bool:
    """Return whether an enemy within 12" of its commander would force the company to Assault.

    This needs an Aggressive company with a living commander and less than half of its bases in shelter.
    """
    data = company_of(state, leader)
    led = data.platoons if isinstance(data.platoons, tuple) else ()
    whole = sum(rule.base_count(each) for each in led)
    covered = sum(rule.base_count(each) for each in led if each.position in ("cover", "entrenched"))
    return rule.is_aggressive(content, data) and commander_alive(leader) and 2 * covered < whole


def company_of(state: TableState, leader: TableFighter) -> Company:
    led = [each for each in members(state, leader) if each.fights and is_platoon(each)]
    return Company(
        platoons=tuple(platoon_of(state, each) for each in led[:20]), shocked_platoons=0,
        disrupted=disrupted(leader), must_defend_next=must_defend(state, leader),  # type: ignore[arg-type]
        commander_alive=commander_alive(leader), advance_allowed=bool(leader.facts.get("advance")),
    )  # fmt: skip


def has_to_recover(state: TableState, leader: TableFighter) -> bool:
    """Return whether it took the order Recover this turn and has not rolled for it yet."""
    return is_ordered(state, leader) and order_of(leader) == "recover" and not now(state, leader, "recovering")


def _which(state: TableState) -> Asks:
    """Return the question which company or independent unit takes orders."""
    heads = tuple(each.key for side in state.sides for each in leaders(state, side.key))
    return Asks("fighter", gettext("Which"), "mine", only=heads or ("-",))


class CompanyMove(UnitMove):
    """A roll or move of a company or of an independent unit."""

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (_which(state),)


class Begin(CompanyMove):
    id, label = "begin", gettext("Activate")
    words = gettext("A company with Shocked platoons rolls: no more than their number, and it is Disrupted this turn.")
    dice_words = gettext("a D6 where platoons are Shocked")

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_activation(state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        leader = self.able(content, state, data)
        if not needs_disruption_roll(content, state, leader):
            return "", {}
        return "disruption-check", {"shocked_platoons": len(shocked_platoons(state, leader))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        leader = fighter_in(state, data)
        words = gettext("{name} is activated.").format(name=leader.name)
        effects: tuple[Effect, ...] = ()
        if found.outcome:
            words = gettext("{leader} is activated. Disruption: {told}").format(leader=leader.name, told=found.told)
            if found.outcome == "disrupted" and not is_disrupted(leader):
                effects = (Effect(fighter=leader.key, facts={"disrupted": "this-turn"}),)
        if must_defend(state, leader):
            words += gettext(" The last roll keeps it on Defend.")
        return self.act(words, fighter=leader, effects=effects, facts={"active": leader.key}, acting=leader.side)


class Activate(Begin):
    """An activation without a die roll."""

    id, dice_words, move = "activate", "", True

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        reason = super().bar(content, state, fighter)
        if not reason and needs_disruption_roll(content, state, fighter):
            return gettext("Platoons of it are Shocked: roll for Disruption.")
        return reason


class Order(CompanyMove):
    id, label, move = "order", gettext("Order"), True
    words = gettext("What the company does in this activation.")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        asks = (_which(state), Asks("order", gettext("Order"), "option", options=tuple(ORDER_WORDS.items())))
        leader = named(state, data)
        if leader is None or not is_keen(content, state, leader):
            return asks
        return (*asks, Asks("near", gettext('An enemy is within 12" of its commander: Aggressive, it has to Assault')))

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        reason = may_not_order(content, state, fighter)
        if reason or is_disrupted(fighter) != self.move:
            return reason
        if self.move:
            return gettext("It is Disrupted: an order but Defend and Recover is rolled for.")
        return gettext("It is not Disrupted: no die falls.")

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        leader, order = fighter_in(state, data), data.get("order", "")
        why = may_not_order(content, state, leader)
        if why:
            raise Refusal(why, mend=MEND_COMPANY, code="closed")
        if order not in ORDERS:
            raise Refusal(gettext("No order is named."), mend=gettext("Choose one."), code="order")
        closed = closed_order(state, leader, order)
        if closed:
            raise Refusal(closed, mend=gettext("Give it another order."), code="order")
        given = told(company_of(state, leader))
        given |= {"order": order, "commander_near_enemy": ticked(data, "near")}
        return "begin-activation", given

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        leader, wanted, order = fighter_in(state, data), data.get("order", ""), found.outcome
        words = f"{leader.name}: {ORDER_WORDS[order]}."
        forced = found.effect("forced")
        if forced:
            words = f"{leader.name}: {ORDER_WORDS[order]}. {found.modifiers[0][1]}."
        elif found.rolled:
            words = gettext("{leader} wants {order_words}. {told}").format(
                leader=leader.name, order_words=ORDER_WORDS[wanted], told=found.steps[-1].told
            )
        effect = Effect(fighter=leader.key, facts={"order": order, "ordered": state.turn})
        begun: dict[str, Any] = {}
        if active(state) != leader.key:
            begun = {"facts": {"active": leader.key}, "acting": leader.side}
        return self.act(f"{words} {PERMITS[order].capitalize()}.", fighter=leader, effects=(effect,), **begun)


class OrderRoll(Order):
    """The die roll of a Disrupted company for its order."""

    id, label, move = "order-roll", gettext("Order, Disrupted"), False
    words = gettext("Disrupted, it keeps the order on a 4+ (1 in 2), else it falls back on Defend.")
    dice_words = gettext("a D6, none for Defend and Recover")


def may_not_order(content: HasReadings, state: TableState, leader: TableFighter) -> str:
    """Return why a company may not take an order now, or "". The order activates it, unless a roll comes before."""
    if active(state):
        return barred_order(state, leader)
    reason = barred_activation(state, leader)
    if not reason and needs_disruption_roll(content, state, leader):
        return gettext("Platoons of it are Shocked: roll for Disruption.")
    return reason


def closed_order(state: TableState, leader: TableFighter, order: str) -> str:
    """Return why a company may not take an order, or "" if it may."""
    if must_defend(state, leader) and order != "defend":
        return gettext("The last roll keeps it on Defend.")
    if order == "advance" and not leader.facts.get("advance"):
        return gettext("It was never trained to Advance.")
    return ""


class Done(CompanyMove):
    id, label, words, move = "done", gettext("Company done"), gettext("Its activation ends."), True

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        if state.facts.get("active") != fighter.key:
            return gettext("{name} is not active.").format(name=fighter.name)
        if not is_ordered(state, fighter):
            return gettext("{name} has no order yet.").format(name=fighter.name)
        if has_to_recover(state, fighter):
            return gettext("{name} was ordered to Recover. Roll that first.").format(name=fighter.name)
        if state.facts.get("assault"):
            return gettext("The assault is not over.")
        if waits := owing(state):
            return gettext("{name} has saves to make first.").format(name=waits[0].name)
        if (order_of(fighter) == "defend") == self.move:
            return (
                gettext("On Defend it rolls whether it is held there.")
                if self.move
                else gettext("It is not on Defend: no die falls.")
            )
        return ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        leader = self.able(content, state, data)
        return "end-activation", {"order": order_of(leader)}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        leader = fighter_in(state, data)
        facts = {"must_defend": state.turn + 1} if found.effect("must_defend_next") else {}
        words = gettext("{name} is done.").format(name=leader.name) + (
            gettext(" Defend: {told}").format(told=found.told) if found.rolled else ""
        )
        effect = Effect(fighter=leader.key, acted=True, facts=facts)
        return self.act(words, fighter=leader, effects=(effect,), facts={"active": ""}, acting=next_side(state, leader))


class DoneRoll(Done):
    """The end of an activation on Defend. On a 1 the company must stay on Defend."""

    id, move, dice_words = "done-roll", False, gettext("a D6: on a 1 it must Defend next turn")
    words = gettext("On Defend a D6 falls: on a 1 (1 in 6) it must take Defend next turn.")


def next_side(state: TableState, leader: TableFighter) -> str:
    """Return the next side with somebody left to act, or the same side if no other has."""
    keys = [side.key for side in state.sides]
    place = keys.index(leader.side)
    for key in [*keys[place + 1 :], *keys[: place + 1]]:
        if any(each.key != leader.key for each in waiting(state, key)):
            return key
    return ""


class RecoverMove(CompanyMove):
    id, label = "recover", gettext("Recover")
    words = gettext("Shocked platoons test, a dead commander is replaced, Disruption ends, Remnants are placed on 5+.")
    dice_words = gettext("a D6 for each Shocked platoon, then one for each infantry base lost")

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        if state.facts.get("active") != fighter.key or not is_ordered(state, fighter):
            return gettext("{name} is not active.").format(name=fighter.name)
        if order_of(fighter) != "recover":
            return gettext("This takes the order Recover.")
        return gettext("It has recovered this turn.") if now(state, fighter, "recovering") else ""

    def _testing(self, content: HasReadings, state: TableState, leader: TableFighter) -> tuple[TableFighter, ...]:
        if is_disrupted(leader) and choice(content, "disrupted-recover") == "none":
            return ()
        return tuple(each for each in shocked_platoons(state, leader) if kind_of(each) == "platoon")

    def _dice(self, state: TableState, leader: TableFighter) -> int:
        return remnant_dice(state, leader) if kind_of(leader) == COMPANY else 0

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        leader = self.able(content, state, data)
        testing = self._testing(content, state, leader)
        return "recover", {
            "platoons": [{"name": each.name[:110], "quality": each.facts.get("quality", "steady"), "shocked": True} for each in testing],
            "lost": self._dice(state, leader), "commander_alive": commander_alive(leader), "quality": self._quality(state, leader),
        }  # fmt: skip

    def _quality(self, state: TableState, leader: TableFighter) -> str:
        """Return the quality of Remnants, which is that of the platoon that lost most."""
        platoons = [each for each in members(state, leader) if kind_of(each) == "platoon" and not each.joined]
        worst = max(
            platoons,
            key=lambda each: sum(markers_at_start(each.facts).values()) - sum(each.markers.values()),
            default=None,
        )
        return str(worst.facts.get("quality") or "steady") if worst is not None else "steady"

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        leader = fighter_in(state, data)
        testing = self._testing(content, state, leader)
        effects, words = [], []
        for platoon, step in zip(testing, found.steps, strict=False):
            if step.outcome == "passes":
                effects.append(Effect(fighter=platoon.key, facts={"shocked": False}))
                words.append(gettext("{platoon} recovers").format(platoon=platoon.name))
            else:
                words.append(gettext("{platoon} stays Shocked").format(platoon=platoon.name))
        count, placed = self._dice(state, leader), int(found.outcome)
        facts: dict[str, Any] = {"recovering": state.turn, "disrupted": "none"}
        markers = {}
        if kind_of(leader) == COMPANY and not commander_alive(leader):
            facts |= {"replaced": True, "led": False}
            markers = {COMMAND: 1}
            words.append(gettext('a new commander is placed within 2" of a platoon'))
        elif is_disrupted(leader):
            words.append(gettext("it is no longer Disrupted"))
        joins: tuple[TableJoins, ...] = ()
        if count:
            words.append(
                ngettext(
                    "{placed} Remnant base from {count} lost", "{placed} Remnant bases from {count} lost", placed
                ).format(placed=placed, count=count)
            )
        if placed:
            quality = str(found.effect("quality") or "steady")
            joins = (TableJoins(
                key=f"r{leader.key}-{state.turn}", side=leader.side, name=gettext("Remnants, turn {turn}").format(turn=state.turn), profile_name=f"{leader.name}, {NAMES[quality]}"[:80],
                markers={"remnants": placed}, facts={**remnant_facts(leader.key, quality, placed), "recovered": state.turn},
            ),)  # fmt: skip
        counts = {"rolled_for": count} if count else {}
        effects.append(Effect(fighter=leader.key, facts=facts, counts=counts, markers=markers))
        return self.act(
            gettext("{leader} recovers: {what}.").format(
                leader=leader.name, what="; ".join(words) or gettext("nothing to correct")
            ),
            fighter=leader,
            effects=effects,
            joins=joins,
        )


CAUSES = (
    ("medium-artillery", gettext("Medium artillery (5+)")), ("heavy-artillery", gettext("Heavy artillery")), ("gas", gettext("Gas")),
    ("tank-attack", gettext('A tank attacks within 8" (5+)')), ("light-artillery", gettext("Light artillery")),
)  # fmt: skip


class Disrupt(TooFarMove):
    """A move: guns, gas or tanks disrupt a company."""

    id, label = "disrupt", gettext("Disruption")
    words = gettext(
        "What shells, gas or a nearby tank do to a company. Heavy guns and gas disrupt it, medium ones and tanks on a 5+ (1 in 3)."
    )
    dice_words = gettext("a D6 for medium guns and tanks, else none")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        heads = tuple(dict.fromkeys(leader_of(state, each).key for each in state.fighters if each.fights))
        return (
            Asks("struck", gettext("Which company"), "anybody", only=heads),
            Asks("cause", gettext("What"), "option", options=CAUSES),
        )

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        leader, cause = fighter_in(state, data, "struck"), data.get("cause", "")
        if leader_of(state, leader).key != leader.key or not any(each.fights for each in members(state, leader)):
            raise Refusal(
                gettext("{name} is no company on this table.").format(name=leader.name),
                mend=MEND_COMPANY,
                code="closed",
            )
        if cause not in {value for value, _ in CAUSES}:
            raise Refusal(gettext("What struck it is not told."), mend=gettext("Choose a cause."), code="cause")
        return "disruption", {"cause": cause}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        leader = fighter_in(state, data, "struck")
        cause = dict(CAUSES)[data["cause"]].removesuffix(" (5+)")
        struck = found.outcome == "disrupted"
        effects = (Effect(fighter=leader.key, facts={"disrupted": "until-rallied"}),) if struck else ()
        return self.act(f"{cause}, {leader.name}: {found.told}", effects=effects)


COMPANY_PLAYS = (Begin(), Activate(), Order(), OrderRoll(), Done(), DoneRoll(), RecoverMove(), Disrupt())
