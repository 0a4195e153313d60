"""The turn: the initiative, the cards, the rally and repairs at the end, and the next turn.

Source: core rules, "Game sequence", "End of turn", "Tanks: End turn".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct, SideEffect
from rules.tracker.rolls import Asks, ticked
from rules.tracker.state import TableFighter, TableState
from rules.tracker.tracker import MOST_NAMED
from rules.translation import gettext
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.tracker.allowed import active, everybody_acted, waiting
from rules.trench_too_far.tracker.move import TooFarMove
from rules.trench_too_far.tracker.units import (
    commander_alive,
    disrupted,
    kind_of,
    leaders,
    members,
    now,
    shocked_platoons,
    vehicles,
)

INITIATIVE, CARDS = "initiative", "cards"
RALLY_CARD, ARTILLERY_CARD = "rally", "artillery"
CARD_NAMES = {RALLY_CARD: gettext("Rally card"), ARTILLERY_CARD: gettext("Artillery card")}
NOBODY = "-"
MOST_TOLD = 500


def cards_left(state: TableState) -> tuple[str, ...]:
    """Return the cards of this turn that were not drawn yet.

    They are the keys of companies, plus the Rally and Artillery cards if the deck has them.
    """
    late = [leader for side in state.sides for leader in leaders(state, side.key) if not leader.acted]
    return (
        *(leader.key for leader in late if not now(state, leader, "card")),
        *(
            card
            for card in CARD_NAMES
            if state.facts.get(f"{card}_card") and state.facts.get(f"{card}_drawn", 0) != state.turn
        ),
    )


def card_name(state: TableState, card: str) -> str:
    return CARD_NAMES.get(card) or state.fighter(card).name


class SetupMove(TooFarMove):
    id, label, move = "setup", gettext("Set up"), True
    words = gettext("Initiative by dice, or a deck of cards; who attacks, and whose force is mostly militia.")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        attacker = next((side.key for side in state.sides if side.facts.get("attacker")), NOBODY)
        militia = tuple((side.key, side.name) for side in state.sides)
        return (
            Asks(
                "mode", gettext("Who acts next"), "option", options=((INITIATIVE, gettext("Initiative by dice")), (CARDS, gettext("A deck of cards"))),
                usual=str(state.facts.get("mode") or INITIATIVE),
            ),
            Asks("rally", gettext("A Rally card is in the deck"), usual="1" if state.facts.get("rally_card") else ""),
            Asks("artillery", gettext("An Artillery card is in the deck"), usual="1" if state.facts.get("artillery_card") else ""),
            Asks("attacker", gettext("Attacks"), "option", options=((NOBODY, gettext("No one")), *militia), usual=attacker),
            *(
                Asks(f"militia_{side.key}", gettext("{side} is mostly militia").format(side=side.name), usual="1" if side.facts.get("militia") else "")
                for side in state.sides
            ),
        )  # fmt: skip

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return gettext("Somebody is active; change it between two companies.") if active(state) else ""

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        mode, attacker = data.get("mode") or INITIATIVE, data.get("attacker") or NOBODY
        cards = mode == CARDS
        facts = {
            "mode": mode,
            "rally_card": cards and ticked(data, "rally"),
            "artillery_card": cards and ticked(data, "artillery"),
        }
        sides = tuple(
            SideEffect(
                side=side.key, facts={"attacker": side.key == attacker, "militia": ticked(data, f"militia_{side.key}")}
            )
            for side in state.sides
        )
        words = [gettext("A deck of cards says who acts") if cards else gettext("Initiative is rolled for")]
        words += [
            gettext("the {card_names} is in it").format(card_names=CARD_NAMES[card])
            for card in CARD_NAMES
            if facts[f"{card}_card"]
        ]
        words += [gettext("{side} attacks").format(side=side.name) for side in state.sides if side.key == attacker]
        words += [
            gettext("{side} is mostly militia").format(side=side.name)
            for side in state.sides
            if ticked(data, f"militia_{side.key}")
        ]
        return self.act(f"{'; '.join(words)}.", facts=facts, side_effects=sides)


class InitiativeMove(TooFarMove):
    id, label = "initiative", gettext("Initiative")
    words = gettext("A D6 for each side: the attacker adds 1, a side of mostly militia subtracts 1. Ties roll again.")
    dice_words = gettext("a D6 for each side, again after a tie")

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if state.facts.get("mode") == CARDS:
            return gettext("Cards say who acts in this battle.")
        if state.initiative:
            return gettext("{name} has the initiative.").format(name=state.side(state.initiative).name)
        return "" if len(state.sides) > 1 else gettext("There is one side alone.")

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, "")
        names = _names(state)
        return "initiative-of", {"sides": [
            {"name": names[side.key], "attacker": bool(side.facts.get("attacker")), "militia": bool(side.facts.get("militia"))}
            for side in state.sides
        ]}  # fmt: skip

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        winner = next((key for key, name in _names(state).items() if name == found.outcome), "")
        return self.act(gettext("Initiative: {told}").format(told=found.told), initiative=winner)


def _names(state: TableState) -> dict[str, str]:
    """Return names of the sides that are different from each other."""
    found: dict[str, str] = {}
    for side in state.sides:
        name = side.name[:100]
        found[side.key] = f"{name} ({side.key})" if name in found.values() else name
    return found


class DrawCardMove(TooFarMove):
    """A draw of the next card by the app, from those left. The order of the deck is not stored."""

    id, label = "draw", gettext("Draw a card")
    words, dice_words = (
        gettext("One of the cards that are left, blind."),
        gettext("a die with a side for each card left"),
    )

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if state.facts.get("mode") != CARDS:
            return gettext("This battle is run without cards.")
        if active(state):
            return gettext("{name} is still active.").format(name=state.fighter(active(state)).name)
        called = next((each for each in state.fighters if _called(state, each)), None)
        if called is not None:
            return gettext("{name} was drawn and has yet to act.").format(name=called.name)
        return "" if cards_left(state) else gettext("No card is left.")

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, "")
        return "card-draw", {"cards": list(cards_left(state))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self._drawn(state, found.outcome)

    def _drawn(self, state: TableState, card: str) -> RollAct:
        if card not in cards_left(state):
            raise Refusal(
                gettext("That card is not in the deck any more."),
                mend=gettext("Say which one was drawn."),
                code="no-card",
            )
        told = gettext("Drawn: {card_name}; {amount} left.").format(
            card_name=card_name(state, card), amount=len(cards_left(state)) - 1
        )
        if card in CARD_NAMES:
            told += (
                gettext(" Every side rallies now.")
                if card == RALLY_CARD
                else gettext(" The guns fire: roll what they do to a company.")
            )
            return self.act(told, facts={f"{card}_drawn": state.turn})
        leader = state.fighter(card)
        return self.act(told, effects=(Effect(fighter=leader.key, facts={"card": state.turn}),), acting=leader.side)


def _called(state: TableState, fighter: TableFighter) -> bool:
    return now(state, fighter, "card") and not fighter.acted and any(f.fights for f in members(state, fighter))


class InitiativeCardMove(DrawCardMove):
    """A card that the players drew from a deck on the table."""

    id, label, words, dice_words, move = (
        "card",
        gettext("This card was drawn"),
        gettext("From cards of your own."),
        "",
        True,
    )

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        names = {leader: card_name(state, leader) for leader in cards_left(state)}
        options = tuple(
            (key, f"{name} ({state.side(state.fighter(key).side).name})" if key not in CARD_NAMES else name)
            for key, name in names.items()
        )
        return (Asks("card", gettext("Which"), "option", options=options),)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self._drawn(state, data.get("card", ""))


class Pass(TooFarMove):
    """A move: another side acts next, if the players agree."""

    id, label, words, move = "pass", gettext("It acts next"), gettext("Whose company is activated next."), True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("acts", gettext("Who"), "option", options=tuple((side.key, side.name) for side in state.sides)),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return (
            gettext("{name} is still active.").format(name=state.fighter(active(state)).name) if active(state) else ""
        )

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        side = state.side(data.get("acts", ""))
        if state.acting == side.key:
            raise Refusal(gettext("{name} acts already.").format(name=side.name), code="done")
        return self.act(gettext("{name} is to act.").format(name=side.name), acting=side.key)


# --- the end of the turn


def rallying(content: HasReadings, state: TableState, side: str) -> tuple[list[tuple[TableFighter, tuple[TableFighter, ...]]], list[TableFighter], list[tuple[TableFighter, int]]]:  # fmt: skip
    """Return what a side rolls for at the end of a turn.

    These are companies that are not Disrupted with their Shocked platoons, Disrupted companies, and immobilised
    vehicles.
    """
    through = choice(content, "disrupted-this-turn") == "through-rally"
    platoons, companies, still = [], [], []
    for leader in leaders(state, side):
        how = disrupted(leader)
        if how == "none" or (how == "this-turn" and not through):
            platoons.append((leader, shocked_platoons(state, leader)))
        elif how != "until-replaced" or choice(content, "leaderless-rally") == "rally":
            companies.append(leader)
    for fighter in state.of(side):
        if fighter.fights and kind_of(fighter) == TANKS:
            still += [(fighter, place) for place, _, how in vehicles(fighter) if "i" in how]
    return [(leader, shocked) for leader, shocked in platoons if shocked], companies, still


def rallies(content: HasReadings, state: TableState, side: str) -> bool:
    """Return whether a side has anything left to roll for at the end of this turn."""
    if state.side(side).facts.get("rallied", 0) == state.turn:
        return False
    return any(rallying(content, state, side))


def left_open(content: HasReadings, state: TableState) -> tuple[str, ...]:
    """Return what would be lost if the turn ended now, one sentence each."""
    found = [gettext("{name} is still active.").format(name=state.fighter(active(state)).name)] if active(state) else []
    for side in state.sides:
        names = [each.name for each in waiting(state, side.key)]
        if names:
            more = (
                gettext(" and {number} more").format(number=len(names) - MOST_NAMED) if len(names) > MOST_NAMED else ""
            )
            found.append(
                gettext("{name} has {count} still to act: {listed}{more}.").format(
                    name=side.name, count=len(names), listed=", ".join(names[:MOST_NAMED]), more=more
                )
            )
    found += [
        gettext("{name} has not rallied.").format(name=side.name)
        for side in state.sides
        if rallies(content, state, side.key)
    ]
    return tuple(found)


def rally_is_on(state: TableState) -> bool:
    """Return whether rallying has begun: its card was drawn, or everybody has acted."""
    if state.facts.get("mode") == CARDS and state.facts.get("rally_card"):
        return bool(state.facts.get("rally_drawn", 0) == state.turn)
    return everybody_acted(state) and bool(state.initiative or state.facts.get("mode") == CARDS)


class RallyMove(TooFarMove):
    id, label = "rally", gettext("Rally")
    words = gettext("Shocked platoons and Disrupted companies come round on 5+, vehicles move again on a 6.")
    dice_words = gettext("a D6 each, platoons first, then companies, then vehicles")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("side", gettext("Whose"), "side"),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if not whose:
            return ""
        side = state.side(whose)
        if side.facts.get("rallied", 0) == state.turn:
            return gettext("{name} has rallied this turn.").format(name=side.name)
        if not rally_is_on(state):
            by_card = state.facts.get("mode") == CARDS and state.facts.get("rally_card")
            return (
                gettext("The Rally card has not been drawn.")
                if by_card
                else gettext("That comes once everybody has acted.")
            )
        return (
            ""
            if any(rallying(content, state, whose))
            else gettext("{name} has nothing to rally.").format(name=side.name)
        )

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        side = state.side(data.get("side", "")).key
        self.refuse(content, state, side)
        platoons, companies, still = rallying(content, state, side)
        rows: list[dict[str, Any]] = [
            {"name": leader.name[:110], "shocked_platoons": len(shocked)} for leader, shocked in platoons
        ]
        rows += [{"name": leader.name[:110], "disrupted": True, "shocked_platoons": 0} for leader in companies]
        if still:
            rows.append({"name": gettext("Vehicles"), "shocked_platoons": 0, "immobilised_vehicles": len(still)})
        return "end-turn-rally", {"companies": rows}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        side = state.side(data.get("side", ""))
        platoons, companies, still = rallying(content, state, side.key)
        faces = list(found.rolled)
        effects, words = [], []
        for _, shocked in platoons:
            for platoon in shocked:
                if faces.pop(0) >= 5:
                    effects.append(Effect(fighter=platoon.key, facts={"shocked": False}))
                    words.append(platoon.name)
        for leader in companies:
            if faces.pop(0) >= 5:
                effects.append(Effect(fighter=leader.key, facts={"disrupted": "none", **_led_again(leader)}))
                words.append(leader.name)
        for fighter, place in still:
            if faces.pop(0) == 6:
                how = str(fighter.facts.get(f"v{place}", "")).replace("i", "")
                effects.append(Effect(fighter=fighter.key, facts={f"v{place}": how}))
                words.append(
                    gettext("{facts} of {fighter} (it moves again)").format(
                        facts=fighter.facts["vehicles"][place]["name"], fighter=fighter.name
                    )
                )
        listed = ", ".join(words) or "nobody"
        rallied = SideEffect(side=side.key, facts={"rallied": state.turn})
        return self.act(
            gettext("{side} rallies: {listed}.").format(side=side.name, listed=listed),
            side=side.key,
            effects=effects,
            side_effects=(rallied,),
        )


def _led_again(leader: TableFighter) -> dict[str, Any]:
    """Return the facts that give a company a leader again after a rally, if its commander is dead."""
    return {"led": True} if kind_of(leader) == COMPANY and not commander_alive(leader) else {}


class NextTurn(TooFarMove):
    id, label, words, move = (
        "next-turn",
        gettext("Next turn"),
        gettext("Fire taken is wiped off, Disruption of the turn ends."),
        True,
    )

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if active(state):
            return gettext("{name} is still active.").format(name=state.fighter(active(state)).name)
        for side in state.sides:
            left = waiting(state, side.key)
            if left:
                return gettext("{name} has yet to act.").format(name=left[0].name)
        late = next((side for side in state.sides if rally_is_on(state) and rallies(content, state, side.key)), None)
        return gettext("{name} has yet to rally.").format(name=late.name) if late is not None else ""

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self.act(gettext("Turn {amount} begins.").format(amount=state.turn + 1), next_turn=True)


class Skip(TooFarMove):
    """A move that skips the rest of a turn: companies do not act, and rallies are not rolled."""

    id, label, words, move = (
        "skip",
        gettext("End the turn here"),
        gettext("Units that have not acted miss their turn."),
        True,
    )

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return (
            gettext("{name} is still active.").format(name=state.fighter(active(state)).name) if active(state) else ""
        )

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        left = " ".join(left_open(content, state))
        told = (
            gettext("The rest of turn {turn} is left out. Turn {number} begins. {left}")
            .format(turn=state.turn, number=state.turn + 1, left=left)
            .strip()
        )
        return self.act(told[:MOST_TOLD], next_turn=True)


TURN_PLAYS = (
    SetupMove(),
    InitiativeMove(),
    DrawCardMove(),
    InitiativeCardMove(),
    Pass(),
    RallyMove(),
    NextTurn(),
    Skip(),
)
