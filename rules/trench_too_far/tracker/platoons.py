"""Moves of one unit: it moves, drives, lies down, infiltrates, or takes a morale test.

Source: core rules, "Movement", "Company orders", "Tanks: Movement", "Unit traits".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.dice import TypedDice
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, TableDice
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.force import TANKS
from rules.trench_too_far.resolvers.inputs import Move as MoveInput
from rules.trench_too_far.resolvers.orders import movement
from rules.trench_too_far.tracker.allowed import active, barred_move, barred_prone
from rules.trench_too_far.tracker.move import POSITION_WORDS, UnitMove, fighter_in, named, number
from rules.trench_too_far.tracker.units import (
    has,
    is_shocked,
    kind_of,
    leader_of,
    mobile,
    now,
    order_of,
    position_of,
    quality_of,
    type_of,
)

SAME = "-"
HOW = {
    "standard": gettext("Its standard rate"), "march": gettext("March, no enemy within 12\u2033"), "retreat": gettext("Retreat, straight away from the enemy"),
    "crawl": gettext("Crawl prone, 1\u2033"), "relocate": gettext("Relocate, 2\u2033"), "assault": gettext("March rate, towards the enemy"),
}  # fmt: skip


def ways_to_move(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    order = order_of(leader_of(state, fighter))
    if kind_of(fighter) == TANKS:
        return ("standard",)
    if order == "recover":
        return ("relocate",)
    crawls = fighter.facts.get("position") == "prone" and "prone" in positions_open(fighter)
    upright = {"assault": ("assault",), "move": ("standard", "march", "retreat")}.get(order, ("standard",))
    return (*upright, "crawl") if crawls else upright


def inches(content: HasReadings, state: TableState, fighter: TableFighter, how: str) -> tuple[float, str]:
    """Return how far a unit may move, and the reason if it may not move at all."""
    if how == "relocate":
        return 2, ""
    if kind_of(fighter) == TANKS:
        return max((float(vehicle["movement"]) for _, vehicle in mobile(fighter)), default=0), ""
    data = MoveInput(
        kind=type_of(fighter),  # type: ignore[arg-type]
        traits=tuple(fighter.facts.get("traits", ())),
        order=order_of(leader_of(state, fighter)),  # type: ignore[arg-type]
        how="prone" if how == "crawl" else how,  # type: ignore[arg-type]
        shocked=is_shocked(fighter),
        stranded=bool(fighter.facts.get("stranded")),
    )
    result = movement(content, data, TableDice(TypedDice(())))
    return float(result.effect("inches") or 0), str(result.effect("reason") or "")


class PlatoonMove(UnitMove):
    id, label, words, move = "move", gettext("Move"), gettext("How it goes, and where it ends."), True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        who = Asks("fighter", gettext("Who"), "mine", leads=True)
        fighter = named(state, data)
        if fighter is None:
            return (who,)
        ways = tuple((way, _way_label(content, state, fighter, way)) for way in ways_to_move(state, fighter))
        before = position_of(fighter)
        positions = ((SAME, gettext("As it was")), *((each, POSITION_WORDS[each]) for each in positions_open(fighter)))
        usual = before if before in ("closed", "dispersed") else SAME
        asks = (
            who,
            Asks("how", gettext("How"), "option", options=ways, usual=ways[0][0]),
            Asks("position", gettext("Ends"), "option", options=positions, usual=usual),
        )
        mounted = type_of(fighter) == "cavalry"
        return (*asks, Asks("dismount", gettext("Dismounts first, for the rest of the battle"))) if mounted else asks

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        if kind_of(fighter) == TANKS:
            return gettext("Vehicles drive, and may break down.")
        return barred_move(content, state, fighter)

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        facts: dict[str, Any] = {"moved": state.turn}
        parts = []
        if ticked(data, "dismount"):
            if type_of(fighter) != "cavalry":
                raise Refusal(
                    gettext("{name} has no horses to leave.").format(name=fighter.name),
                    mend=gettext("Leave that box empty."),
                    code="dismount",
                )
            facts["dismounted"] = True
            parts.append("dismounts")
        how = data.get("how") or ways_to_move(state, fighter)[0]
        if how not in ways_to_move(state, fighter):
            raise Refusal(
                gettext("{name} does not move like that under its order.").format(name=fighter.name),
                mend=gettext("Choose another way."),
                code="move",
            )
        far, reason = inches(content, state, fighter, how)
        if reason:
            raise Refusal(
                gettext("{fighter} stays: {reason}.").format(fighter=fighter.name, reason=reason),
                mend=gettext("Choose another way."),
                code="move",
            )
        before, position = position_of(fighter), data.get("position") or SAME
        if how == "crawl":
            position = "prone"
        elif position == SAME:
            position = "dispersed" if before == "prone" and how != "relocate" else before
        facts |= _into(state, fighter, before, position)
        verbs = {"retreat": gettext("falls back"), "march": "marches", "crawl": "crawls", "relocate": "relocates"}
        parts.append(f'{verbs.get(how, "moves")} {far:g}"')
        if is_shocked(fighter) and order_of(leader_of(state, fighter)) != "assault":
            parts.append(gettext("straight away from every enemy in sight"))
        if position != before:
            parts.append(gettext("now {position_words}").format(position_words=POSITION_WORDS[position]))
        effect = Effect(fighter=fighter.key, facts=facts)
        return self.act(f"{fighter.name} {', '.join(parts)}.", fighter=fighter, effects=(effect,))


def _way_label(content: HasReadings, state: TableState, fighter: TableFighter, way: str) -> str:
    far, _ = inches(content, state, fighter, way)
    return HOW[way] if way in ("crawl", "relocate") or not far else f'{HOW[way]}: {far:g}"'


def positions_open(fighter: TableFighter) -> tuple[str, ...]:
    """Return the positions in which a unit may end. A unit in Close order stays in it or takes shelter."""
    if has(fighter, "close-order"):
        return ("closed", "cover", "entrenched")
    lies = () if type_of(fighter) == "cavalry" else ("prone",)
    return ("dispersed", "closed", *lies, "cover", "entrenched")


def _into(state: TableState, fighter: TableFighter, before: str, after: str) -> dict[str, Any]:
    """Return the facts after a change of position. Raises Refusal for going prone and getting up in one turn."""
    if after not in (*positions_open(fighter), before):
        raise Refusal(
            gettext("{name} cannot end like that.").format(name=fighter.name),
            mend=gettext("Choose another position."),
            code="position",
        )
    if before == after:
        return {}
    if "prone" in (before, after):
        if now(state, fighter, "prone"):
            raise Refusal(
                gettext("{name} went prone or got up this turn already.").format(name=fighter.name),
                mend=gettext("Once a turn is all; let it crawl, or stay."),
                code="prone",
            )
        return {"position": after, "prone": state.turn}
    return {"position": after}


class Drive(UnitMove):
    """A move of vehicles. From turn 3 on each of them may break down."""

    id, label = "drive", gettext("Drive")
    words = gettext(
        "From turn 3 on every vehicle that moves tests: Unreliable 3+, Stable 2+, Sturdy 1+; 1 less across a trench."
    )
    dice_words = gettext("a D6 for each vehicle that moves, from turn 3 on")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        tanks = tuple(each.key for each in state.fighters if each.fights and kind_of(each) == TANKS)
        fighter = named(state, data)
        vehicles = mobile(fighter) if fighter is not None else []
        return (
            Asks("fighter", gettext("Who"), "mine", only=tanks, leads=True),
            *(
                Asks(f"stays_{index}", gettext("{each} stays").format(each=each["name"]))
                for index, each in vehicles
                if len(vehicles) > 1
            ),
            Asks("crossing", gettext("They cross a trench or the like")),
        )

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_move(content, state, fighter) if kind_of(fighter) == TANKS else gettext("Only vehicles drive.")

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = self.able(content, state, data)
        kinds = [vehicle["reliability"] for _, vehicle in _going(fighter, data)]
        if not kinds:
            raise Refusal(gettext("None of them moves."), mend=gettext("Leave one box empty at least."), code="nobody")
        return "tanks-move", {"kinds": kinds, "crossing": ticked(data, "crossing"), "turn": state.turn}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        going = _going(fighter, data)
        broken = [going[index] for index in found.effect("broken") or ()]
        facts: dict[str, Any] = {"moved": state.turn}
        for index, _ in broken:
            facts[f"v{index}"] = "id" if "d" in str(fighter.facts.get(f"v{index}", "")) else "i"
        across = " across" if ticked(data, "crossing") else ""
        sentences = [
            gettext("{fighter} drives{across}: {vehicle}.").format(
                fighter=fighter.name, across=across, vehicle=", ".join((vehicle["name"] for _, vehicle in going))
            )
        ]
        if found.rolled:
            sentences.append(found.told)
        if broken:
            sentences.append(
                gettext("Immobilised: {vehicle}.").format(vehicle=", ".join((vehicle["name"] for _, vehicle in broken)))
            )
        effect = Effect(fighter=fighter.key, facts=facts)
        return self.act(" ".join(sentences), fighter=fighter, effects=(effect,))


class DriveFree(Drive):
    """A move of vehicles in the first two turns, without a test."""

    id, words, dice_words, move = "drive-free", gettext("In the first two turns nothing breaks down."), "", True

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return super().bar(content, state, fighter) or ("" if state.turn < 3 else gettext("From turn 3 on they test."))


def _going(fighter: TableFighter, data: Mapping[str, str]) -> list[tuple[int, dict[str, Any]]]:
    return [(index, vehicle) for index, vehicle in mobile(fighter) if not ticked(data, f"stays_{index}")]


class Prone(UnitMove):
    id, label, words, move = "prone", gettext("Prone"), gettext("Once a turn, before or after its move."), True

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_prone(state, fighter)

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        lies = position_of(fighter) == "prone"
        effect = Effect(fighter=fighter.key, facts={"position": "dispersed" if lies else "prone", "prone": state.turn})
        return self.act(f"{fighter.name} {'gets up' if lies else 'goes prone'}.", fighter=fighter, effects=(effect,))


class Infiltrate(UnitMove):
    id, label, words, move = (
        "infiltrate",
        gettext("Infiltrate"),
        gettext("Once, after deployment: twice its standard rate."),
        True,
    )

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        if not has(fighter, "infiltration"):
            return gettext("Only infiltrators do.")
        if state.turn > 1 or active(state) or any(each.acted for each in state.fighters):
            return gettext("That is done before anybody acts.")
        return gettext("{name} has infiltrated.").format(name=fighter.name) if fighter.facts.get("infiltrated") else ""

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        far, _ = inches(content, state, fighter, "infiltration")
        effect = Effect(fighter=fighter.key, facts={"infiltrated": True})
        return self.act(
            gettext('{fighter} infiltrates, {far:g}".').format(fighter=fighter.name, far=far),
            fighter=fighter,
            effects=(effect,),
        )


class MoraleMove(UnitMove):
    """A single morale test, for example for the scenario."""

    id, label, dice_words = "morale", gettext("Morale"), "a D6"
    words = gettext("A D6 against the quality of a unit, for what the table agrees on.")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        troops = tuple(each.key for each in state.fighters if each.fights and kind_of(each) != TANKS)
        return (
            Asks("fighter", gettext("Who"), "mine", only=troops),
            Asks("bonus", gettext("Added to the die"), "number", -3, 3),
        )

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return gettext("Vehicles take no morale test.") if kind_of(fighter) == TANKS else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = self.able(content, state, data)
        return "morale-test", {"quality": quality_of(state, fighter), "bonus": number(data, "bonus")}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        return self.act(
            gettext("{fighter}, morale: {told}").format(fighter=fighter.name, told=found.told), fighter=fighter
        )


PLATOON_PLAYS = (PlatoonMove(), Drive(), DriveFree(), Prone(), Infiltrate(), MoraleMove())
