"""The table of Gloom Trench 1926: the turn with its phases, the bag of chits, activations, shooting, charges and melee, Stress and losses.

The acts stand in `phases`, `activation`, `shooting`, `melee` and `losses`; here is what is told of a table and what is on offer.
Source: core rules, Turn Sequence to Turn End.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.custom.content import CustomContent
from rules.force import FighterView
from rules.formatting import joined, quantity
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker import activation, losses, melee, phases, shooting
from rules.gloom_trench.tracker.move import (
    ACTIONS,
    BEGINNING,
    FOG,
    MOST_POINTS,
    MOST_STRESS,
    POINTS,
    GloomMove,
    PlayState,
)
from rules.gloom_trench.tracker.units import STRESS, Troop, percent, unit_facts
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Badge, BoardLine, Prompt, RollKind, TableOffer
from rules.tracker.state import MarkerKind, TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker

MOVES: Mapping[str, GloomMove] = {
    **phases.MOVES, **activation.MOVES, **shooting.MOVES, **melee.MOVES, **losses.MOVES,
}  # fmt: skip
TABS = ("hits", "dice")
SCALES: Mapping[str, str] = {"28mm": "an inch, at 28 mm", "15mm": "a centimetre, at 15 mm"}
WORDS_OF_ACTION: Mapping[str, str] = {
    "advance": "5 MU before or after shooting, which then takes −1; or only one of both.",
    "open-up": "It shoots and stays where it is.",
    "charge": "5 MU and a D6 at the nearest enemy in sight.",
    "take-that-ground": "5 MU and a D6, no shooting.",
    "dig-in": "Orders first: digging in ends the activation.",
    "rally": "A D6 for each token of Stress.",
    "do-nothing": "Unit Orders only.",
}


class GloomTracker(Tracker):
    """The tracker under the readings of its content."""

    markers = (MarkerKind(STRESS, "Stress", "triangle-alert", MOST_STRESS),)
    uses = frozenset({"marker", "out", "there", "score"})

    def __init__(self, content: CustomContent) -> None:
        self.content = content

    def play(self, state: TableState) -> PlayState:
        return PlayState(self.content, state)

    # --- the table as it begins

    def facts(self, view: FighterView) -> dict[str, Any]:
        return unit_facts(view.facts)

    def set_up(self, state: TableState) -> TableState:
        """Before the first turn: each side with its first Tactical Points, its highest Command and what its formation adds."""
        play = self.play(replace(state, facts=dict(BEGINNING)))
        sides = []
        for side in state.sides:
            added = max((int(f.facts.get("formation_points") or 0) for f in state.of(side.key)), default=0)
            points = min(MOST_POINTS, play.command(side.key) + added)
            sides.append(replace(side, facts={POINTS: points, "filled": 0, "kept": 0}))
        return replace(play.state, sides=tuple(sides))

    # --- rolls and moves

    def rolls(self) -> tuple[RollKind, ...]:
        """Hits from anywhere, and dice for anything; all other rolls are offered when they are due."""
        bare = PlayState(self.content, TableState(sides=()))
        return tuple(MOVES[name].asked(bare, {}) for name in TABS)

    def asked(self, state: TableState, roll: str) -> RollKind:
        return self._move(roll).asked(self.play(state), {})

    def asking(self, state: TableState, roll: str, data: Mapping[str, str]) -> RollKind:
        return self._move(roll).asked(self.play(state), data)

    def _move(self, roll: str) -> GloomMove:
        if roll not in MOVES:
            raise Refusal(f"“{roll}” is no roll of this table.", code="unknown-roll")
        return MOVES[roll]

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        move = self._move(roll)
        return move.question(self.play(state), data) if move.question else ("", {})

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self._move(roll).rolled(self.play(state), data, found)

    # --- what the table asks for

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        """Losses to place, friends of a unit destroyed, a reaction, whose unit is to act, a side without units."""
        if state.ended:
            return ()
        play = self.play(state)
        found: list[Prompt] = []
        for troop in play.waiting:
            facts = troop.facts
            what = (
                quantity(int(facts["waiting_models"]), "model")
                if facts.get("waiting_models")
                else f"{facts['waiting_damage']} damage"
            )
            words = f"{troop.name} has {what} to place: its owner picks who takes it."
            found.append(Prompt("place", words, troop.side, "place", {"fighter": troop.key}))
        for troop in losses.unmourned(play):
            words = f"{troop.name} is gone. Which friends stood within 6 MU?"
            found.append(Prompt("near", words, troop.side, "near", {"gone": troop.key}))
        if play.phase == "choose":
            side = str(play.facts["chit"])
            words = f"{play.name(side)}: choose a unit and its action."
            found.append(Prompt("choose", words, side))
        if play.phase == "reaction" and melee.defender(play).fighter.fights:
            target = melee.defender(play)
            words = f"{target.name} is charged: Brace, Hold and Shoot, or neither?"
            found.append(Prompt("reaction", words, target.side))
        unread = losses.unread(play)
        if unread:
            found.append(
                Prompt(
                    "figures",
                    f"{unread[0].name} has no figures yet.",
                    unread[0].side,
                    "figures",
                    {"fighter": unread[0].key},
                )
            )
        if state.fighters and play.phase != "setup":
            empty = [side.name for side in state.sides if state.of(side.key) and not play.troops(side.key)]
            if empty and len(state.sides) > 1:
                found.append(
                    Prompt(
                        "limit",
                        f"{joined(empty)} {'has' if len(empty) == 1 else 'have'} no unit left: the battle may end.",
                    )
                )
        return tuple(found)

    # --- what is on offer

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        """What comes next, first of all; then what a unit may do, and what puts a mistake right."""
        if state.ended:
            return ()
        play = self.play(state)
        found = [
            TableOffer("place", f"Place losses: {troop.name}", troop.side, given={"fighter": troop.key}, main=True)
            for troop in play.waiting
        ]
        found += [*self._of_phase(play), *self._of_active(play)]
        found += [
            TableOffer("near", "Who was near", troop.side, given={"gone": troop.key}, main=True)
            for troop in losses.unmourned(play)
        ]
        found += [
            TableOffer("points", f"Pool {play.pool(side.key)}: put right", side.key, given={}) for side in state.sides
        ]
        if play.phase in ("draw", "choose", "unit"):
            found.append(TableOffer("chits", "Bag: put right"))
        eligible = {troop.key for troop in play.eligible(str(play.facts["chit"]))} if play.phase == "choose" else set()
        checks = {troop.key: tokens for troop, tokens in phases.due(play)} if play.phase == "morale" else {}
        for troop in play.troops():
            if not troop.known:
                found.append(TableOffer("figures", "Tell its figures", fighter=troop.key, main=True))
                continue
            if troop.key in eligible:
                found += self._actions(play, troop)
            if troop.key in checks:
                label = f"Morale: {checks[troop.key]} D8"
                found.append(TableOffer("morale", label, fighter=troop.key, at_once=True, main=True))
                if play.pool(troop.side) or any(play.pool(other.key) for other in play.others(troop.side)):
                    found.append(TableOffer("morale", "Morale, with a point", fighter=troop.key))
            found.append(TableOffer("right", "Put right", fighter=troop.key))
        return tuple(found)

    def _of_phase(self, play: PlayState) -> list[TableOffer]:
        phase = play.phase
        button, held = phases.told_phase(play)[2], phases.held_up(play)
        found: list[TableOffer] = []
        for key in phases.unfilled(play):
            dice = play.command(key) if phase == "pool" else play.pool(key)
            label = f"{'Fill' if phase == 'pool' else 'Check'} the pool: {dice} D6"
            found.append(TableOffer("pool", label, key, at_once=True, main=True))
        if button:
            found.append(TableOffer("next", button, given={"from": phase}, closed=held, at_once=True, main=True))
        if phase == "morale":
            for troop, tokens in phases.due(play):
                label = f"{troop.name}: {tokens} D8"
                found.append(
                    TableOffer("morale", label, troop.side, given={"fighter": troop.key}, at_once=True, main=True)
                )
        if phase == "initiative":
            points = len(play.state.sides) == 2 and any(play.pool(side.key) for side in play.state.sides)
            found.append(TableOffer("initiative", "Roll for initiative", at_once=True, main=True))
            if points:
                found.append(TableOffer("initiative", "Initiative, with points"))
            found.append(TableOffer("taken", "Say who has it"))
        if phase == "draw":
            found.append(TableOffer("draw", "Draw a chit", closed=held, at_once=True, main=True))
            found.append(TableOffer("drawn", "Tell a chit", closed=held, main=True))
        if phase == "choose":
            side = str(play.facts["chit"])
            if any(troop.known for troop in play.eligible(side)):
                found.append(TableOffer("activate", "Activate a unit", side, main=True))
            elif not play.eligible(side):
                found.append(TableOffer("aside", "Set the chit aside", side, at_once=True, main=True))
        return found

    def _of_active(self, play: PlayState) -> list[TableOffer]:
        """Offers of the unit that is active, for its side under the thumb, and of the unit that it charges."""
        troop = play.active
        if troop is None:
            return []
        found: list[TableOffer] = []
        end = TableOffer("end", "End activation", troop.side, at_once=True, main=True)
        if not troop.fighter.fights:
            return [end]
        given = {"fighter": troop.key}
        side = troop.side
        if play.phase in ("reaction", "melee"):
            target = melee.defender(play)
            if not target.fighter.fights:
                return [end]
            if play.phase == "reaction":
                return self._reactions(target)
            held = next((f"{each.name} has losses to place first." for each in (troop, target) if each.waiting), "")
            fight = {**given, "moves": "1", "cover": str(play.charge["cover"])}
            label = f"Fight round {play.charge['round']}"
            found.append(TableOffer("fight", label, side, given=fight, closed=held, at_once=True, main=True))
            found.append(TableOffer("fight", "Fight, with points", side, given=given, closed=held))
            if play.charge["held"] and play.charge["round"] == 1:
                found.append(TableOffer("apart", "No model in contact", side, given=given, at_once=True, main=True))
            return found
        found += self._deed(play, troop, given)
        if not phases.held_up(play) or not play.waiting:
            found.append(end)
        else:
            found.append(replace(end, closed=phases.held_up(play)))
        shut = activation.orders_closed(play, troop)
        for place, name in enumerate(troop.orders):
            order = {"order": str(place)}
            led = activation.led(troop)
            found.append(TableOffer("order", f"{name}, 1 TP", fighter=troop.key, given=order, closed=shut, at_once=led))
        return found

    def _deed(self, play: PlayState, troop: Troop, given: Mapping[str, str]) -> list[TableOffer]:
        """What the declared action still asks for."""
        action, done, side = str(play.facts["action"]), bool(play.facts["done"]), troop.side
        if action in ("advance", "open-up"):
            left = shooting.shooters_left(play, troop)
            if (
                not troop.weapons
                or not shooting.targets(play, troop)
                or not left
                or int(play.facts["shots"]) >= shooting.MOST_SHOTS
            ):
                return []
            return [TableOffer("shoot", "Split fire" if done else "Shoot", side, given=given, main=True)]
        if done:
            return []
        if action == "charge" and play.foes(side):
            return [TableOffer("charge", "Charge", side, given=given, main=True)]
        if action == "take-that-ground":
            found = [TableOffer("ground", "Roll distance", side, given=given, at_once=True, main=True)]
            return (
                [*found, TableOffer("ground", "Distance, with a D8", side, given={**given, "tp": "1"}, at_once=True)]
                if play.pool(side)
                else found
            )
        if action == "rally" and troop.stress:
            found = [TableOffer("rally", f"Rally: {troop.stress} D6", side, given=given, at_once=True, main=True)]
            pointed = play.pool(side) or any(play.pool(other.key) for other in play.others(side))
            return [*found, TableOffer("rally", "Rally, with a point", side, given=given)] if pointed else found
        if action == "dig-in":
            return [TableOffer("dig", "Dig in", side, given=given, at_once=True, main=True)]
        return []

    def _reactions(self, target: Troop) -> list[TableOffer]:
        given = {"fighter": target.key}
        found = [
            TableOffer("react", "Brace, 1 TP", target.side, given={**given, "how": "brace"}, at_once=True, main=True),
            TableOffer("react", "No reaction", target.side, given={**given, "how": "none"}, at_once=True, main=True),
        ]
        if target.weapons:
            found.append(TableOffer("hold", "Hold and Shoot, 1 TP", target.side, given=given))
        return found

    def _actions(self, play: PlayState, troop: Troop) -> list[TableOffer]:
        """The actions a unit may declare: at once where no test can be due, else by the form that asks for points."""
        found = []
        tests = troop.tests(self.content)
        for action, label in ACTIONS.items():
            if action == "rally" and not troop.stress:
                continue
            at_once = not tests or action == "rally"
            roll = "begin" if at_once else "activate"
            found.append(TableOffer(roll, label, fighter=troop.key, given={"action": action}, at_once=at_once))
        found.append(TableOffer("activate", "Out of coherency, horror, points", fighter=troop.key))
        return found

    # --- what is told

    def left_open(self, state: TableState) -> tuple[str, ...]:
        """What holds the turn up: losses to place, morale checks and dice that are due."""
        held = phases.held_up(self.play(state))
        return (held,) if held else ()

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        """The phase and what it asks, Fog, what was drawn, the odds of the next chit; then pools."""
        play = self.play(state)
        name, words, _ = phases.told_phase(play)
        active = play.active
        if active is not None and play.phase == "unit":
            words = f"{active.name}: {ACTIONS[str(play.facts['action'])]}. {WORDS_OF_ACTION[str(play.facts['action'])]}"
        lines = [BoardLine("Phase", name, words)]
        if play.phase == "setup":
            scales = dict.fromkeys(
                SCALES.get(str(f.facts.get("scale")), "") for f in state.fighters if f.facts.get("scale")
            )
            lines += [BoardLine("1 MU", joined(filter(None, scales)))] if any(scales) else []
        if play.fog or play.facts["drawn"]:
            lines += self._bag(play)
        for side in state.sides:
            units = play.troops(side.key)
            lines.append(
                BoardLine(
                    "Pool",
                    f"{play.pool(side.key)} TP",
                    f"Command {play.command(side.key)}, {quantity(len(units), 'unit')}",
                    side=side.key,
                )
            )
        return tuple(lines)

    def _bag(self, play: PlayState) -> list[BoardLine]:
        names = short_names(play.state)
        drawn = list(play.facts["drawn"])
        fallen = drawn.count(FOG)
        chits = sum(play.chits.values())
        what = ", ".join(f"{names[key]} {count}" for key, count in play.chits.items())
        lines = [BoardLine("Bag", str(chits + play.fog), f"{what}, Fog {play.fog}")]
        if chits and play.fog and play.phase == "draw":
            odds = (f"{names[key]} {percent(Fraction(count, chits))}" for key, count in play.chits.items() if count)
            lines.append(BoardLine("Next unit", "", ", ".join(odds)))
        ends = f"Next draw ends the turn: {percent(Fraction(1, chits + 1))}"
        words = (
            "The phase is over" if not play.fog or not chits else ends if play.fog == 1 else "The third ends the phase"
        )
        lines.append(BoardLine("Fog", "", words, tuple((str(n + 1), n < fallen) for n in range(FOG_CHITS))))
        if drawn:
            lines.append(BoardLine("Drawn", "", "", tuple((names.get(chit, "Fog"), chit != FOG) for chit in drawn)))
        return lines

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        """Strength, and what stands out: active, losses to place, dug in, activated."""
        troop = Troop(fighter)
        if not fighter.fights:
            return ()
        if not troop.known:
            return (Badge("no figures", "alarm"),)
        found = [Badge(f"{troop.size} of {sum(model.full for model in troop.models)}")]
        if troop.waiting:
            found.append(Badge("losses to place", "alarm"))
        if (state.facts or BEGINNING)["active"] == fighter.key:
            found.append(Badge("active"))
        elif fighter.acted:
            found.append(Badge("activated"))
        if troop.facts.get("dug_in"):
            found.append(Badge("dug in"))
        return tuple(found)

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        """Models left, figures, the odds of its Stress Test, damage recorded, weapons."""
        troop = Troop(fighter)
        if not troop.known or fighter.out:
            return ()
        facts, content = troop.facts, self.content
        told = [
            f"{troop.words()}. Command {troop.command(content)}" + (f", Tactics {troop.tactics:g}" if troop.tactics is not None else "")
            + (", Small Unit" if troop.small else ""),
            f"Save {troop.save}, Wounds {facts['wounds']}; Combat {facts['combat']}, Damage {troop.damage}, Defence {facts['defence']}",
        ]  # fmt: skip
        if test := troop.test_words(content):
            told.append(test)
        if facts.get("recorded_damage"):
            on = next((model.name for model in troop.models if model.slug == facts.get("recorded_on")), "")
            told.append(f"Damage recorded: {facts['recorded_damage']}" + (f" on {on}" if on else ""))
        if troop.had_leader and not troop.has_leader:
            keeps = next((model.name for model in troop.models if model.slug == facts.get("keeps_to")), "")
            told.append(
                "Squad Leader lost"
                + (f"; coherency is kept to a {keeps}" if keeps else "; name one for coherency under Put right")
            )
        told += [weapon.words for weapon in troop.weapons]
        return tuple(told)

    # --- what can be

    def checked(self, before: TableState, state: TableState) -> TableState:
        """Raises Refusal for a turn that skips a step, counts that cannot be, and losses of a unit that stands."""
        facts, old = state.facts or BEGINNING, before.facts or BEGINNING
        if facts["at"] != old["at"] and facts["at"] != old["at"] + 1:
            raise Refusal("It follows on a step that was taken back.", mend="Undo the later steps first.", code="step")
        if facts["during"] != old["during"] and facts["during"] != facts["at"] - (facts["at"] != old["at"]):
            raise Refusal("It belongs to a step that was taken back.", mend="Undo it first.", code="step")
        play = self.play(state)
        for side in state.sides:
            if not 0 <= int(side.facts.get(POINTS, 0)) <= 2 * MOST_POINTS:
                raise Refusal(
                    f"{side.name} cannot have that many Tactical Points.", mend="Put the pool right.", code="pool"
                )
            if not 0 <= play.chits.get(side.key, 0) <= phases.most_chits(play, side.key):
                raise Refusal(
                    f"{side.name} has fewer units than that many chits.",
                    mend="A chit for each unit, one for the initiative.",
                    code="bag",
                )
            _refuse_near(before.side(side.key), side, state)
        for fighter in state.fighters:
            if fighter.fights and fighter.facts.get("models"):
                _refuse_unit(Troop(fighter))
        whose = play.active.side if play.active is not None else str(facts["chit"])
        return state if state.acting == whose else replace(state, acting=whose)

    def losses(self, state: TableState) -> Mapping[str, Mapping[str, Any]]:
        """Models lost by the names of their sorts; all that came of a unit that is out."""
        found: dict[str, dict[str, int]] = {}
        for fighter in state.fighters:
            troop = Troop(fighter)
            lost = {model.name: model.full if fighter.out else model.full - model.left for model in troop.models}
            if told := {name: count for name, count in lost.items() if count}:
                found[fighter.key] = told
        return found


def _refuse_near(before: TableSide, side: TableSide, state: TableState) -> None:
    """Raise Refusal if it is told who was near a unit that stands."""
    for name, told in side.facts.items():
        if not name.startswith("near_") or told != "told" or before.facts.get(name) == "told":
            continue
        key = name.removeprefix("near_")
        if not _is_out(state, key):
            raise Refusal(
                f"{state.fighter(key).name} stands; who was near it when it fell is told.",
                mend="Undo that first.",
                code="near",
            )


def short_names(state: TableState) -> dict[str, str]:
    """A short name for each side: the first words that tell it from the others, without an article."""
    words = {
        side.key: [word for word in side.name.split() if word.lower() not in ("the", "a", "an")] or [side.name]
        for side in state.sides
    }
    found: dict[str, str] = {}
    for key, own in words.items():
        others = [other for each, other in words.items() if each != key]
        count = next((n for n in range(1, len(own) + 1) if all(other[:n] != own[:n] for other in others)), len(own))
        found[key] = " ".join(own[:count])[:24]
    return found


def _is_out(state: TableState, key: str) -> bool:
    return any(fighter.key == key and fighter.out for fighter in state.fighters)


def _refuse_unit(troop: Troop) -> None:
    """Raise Refusal for models that are not there, or damage that would have removed one."""
    for model in troop.models:
        if not 0 <= model.left <= model.full:
            raise Refusal(
                f"{troop.name} came with {model.full} {model.name}; {model.left} cannot be left.", mend="Count them again.", code="models"
            )  # fmt: skip
    if not troop.size:
        raise Refusal(f"{troop.name} would have no model left.", mend="Take it out of action instead.", code="models")
    recorded, on = int(troop.facts.get("recorded_damage") or 0), str(troop.facts.get("recorded_on") or "")
    if recorded:
        bears = next((model for model in troop.models if model.slug == on), None)
        if bears is None or not bears.left:
            raise Refusal(
                f"Damage on {troop.name} is recorded on a model that stands.",
                mend="Say on which sort.",
                code="recorded",
            )
        if recorded >= bears.wounds:
            raise Refusal(
                f"{recorded} damage remove a {bears.name} of {bears.wounds} Wounds.",
                mend="Count that model off.",
                code="recorded",
            )


def tracker_of(content: CustomContent) -> GloomTracker:
    return GloomTracker(content)
