"""One unit: it moves, lies down, breaks down, infiltrates; a bare morale test; and whatever the table has wrong, put right.

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
from rules.tracker.rolls import Asks
from rules.tracker.state import TableFighter, TableState
from rules.trench_too_far.charts import QUALITIES
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.resolvers.inputs import Move as Steps
from rules.trench_too_far.resolvers.orders import movement
from rules.trench_too_far.tracker.allowed import active, barred_move, barred_prone
from rules.trench_too_far.tracker.move import ORDER_WORDS, POSITION_WORDS, TooFarMove, fighter_in, number, ticked
from rules.trench_too_far.tracker.units import (
    has,
    is_shocked,
    kind_of,
    leader_of,
    now,
    order_of,
    parts_of,
    quality_of,
    remnant_dice,
    type_of,
    vehicles,
)

SAME = "-"
HOW = {
    "standard": "Its standard rate", "march": "March, no enemy within 12\u2033", "retreat": "Retreat, straight away from the enemy",
    "crawl": "Crawl prone, 1\u2033", "relocate": "Relocate, 2\u2033", "assault": "March rate, towards the enemy",
}  # fmt: skip


def ways_to_move(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    """How a unit may move under the order it has."""
    order = order_of(leader_of(state, fighter))
    if kind_of(fighter) == TANKS:
        return ("standard",)
    if order == "recover":
        return ("relocate",)
    crawl = (
        ()
        if has(fighter, "close-order") or type_of(fighter) == "cavalry" or fighter.facts.get("position") != "prone"
        else ("crawl",)
    )
    if order == "assault":
        return ("assault", *crawl)
    return ("standard", *(("march", "retreat") if order == "move" else ()), *crawl)


def inches(content: HasReadings, state: TableState, fighter: TableFighter, how: str) -> tuple[float, str]:
    """How far a unit goes, and why not where it does not."""
    if how == "relocate":
        return 2, ""
    order = order_of(leader_of(state, fighter))
    if kind_of(fighter) == TANKS:
        going = (
            float(vehicle["movement"])
            for _, vehicle, state_ in vehicles(fighter)
            if state_ != "x" and "i" not in state_
        )
        return max(going, default=0), ""
    what: dict[str, Any] = {
        "kind": type_of(fighter), "traits": tuple(fighter.facts.get("traits", ())), "order": order, "how": "prone" if how == "crawl" else how,
        "shocked": is_shocked(fighter), "stranded": bool(fighter.facts.get("stranded")),
    }  # fmt: skip
    found = movement(content, Steps(**what), TableDice(TypedDice(())))
    return float(found.effect("inches") or 0), str(found.effect("reason") or "")


class PlatoonMove(TooFarMove):
    """A unit moves."""

    id, label, words, move = "move", "Move", "How it goes, and where it ends.", True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        found = [Asks("fighter", "Who", "mine", leads=True)]
        fighter = next((each for each in state.fighters if each.key == data.get("fighter", "")), None)
        if fighter is None:
            return tuple(found)
        ways = ways_to_move(state, fighter)
        found.append(
            Asks(
                "how",
                "How",
                "option",
                options=tuple((way, _way_words(content, state, fighter, way)) for way in ways),
                usual=ways[0],
            )
        )
        options = tuple((each, POSITION_WORDS[each]) for each in positions_open(fighter))
        place = str(fighter.facts.get("position", "dispersed"))
        usual = place if place in ("closed", "dispersed") else SAME
        found.append(Asks("position", "Ends", "option", options=((SAME, "As it was"), *options), usual=usual))
        if type_of(fighter) == "cavalry":
            found.append(Asks("dismount", "Dismounts first, for the rest of the battle"))
        return tuple(found)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if not whose:
            return ""
        fighter = state.fighter(whose)
        return (
            "Vehicles drive, and may break down." if kind_of(fighter) == TANKS else barred_move(content, state, fighter)
        )

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, fighter_in(state, data).key)
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        facts: dict[str, Any] = {"moved": state.turn}
        words = []
        if ticked(data, "dismount"):
            if type_of(fighter) != "cavalry":
                raise Refusal(f"{fighter.name} has no horses to leave.", mend="Leave that box empty.", code="dismount")
            facts["dismounted"] = True
            words.append("dismounts")
        how = data.get("how") or ways_to_move(state, fighter)[0]
        if how not in ways_to_move(state, fighter):
            raise Refusal(
                f"{fighter.name} does not move like that under its order.", mend="Choose another way.", code="move"
            )
        far, why = inches(content, state, fighter, how)
        if why:
            raise Refusal(f"{fighter.name} stays: {why}.", mend="Choose another way.", code="move")
        before, position = str(fighter.facts.get("position", "dispersed")), data.get("position") or SAME
        if how == "crawl":
            position = "prone"
        elif position == SAME:
            position = "dispersed" if before == "prone" and how != "relocate" else before
        facts |= _into(state, fighter, before, position)
        words.append({
            "retreat": f'falls back {far:g}"', "march": f'marches {far:g}"', "crawl": 'crawls 1"', "relocate": 'relocates 2"',
        }.get(how, f'moves {far:g}"'))  # fmt: skip
        if is_shocked(fighter) and order_of(leader_of(state, fighter)) != "assault":
            words.append("straight away from every enemy in sight")
        if position != before:
            words.append(f"now {POSITION_WORDS[position]}")
        if kind_of(fighter) == COMPANY:
            facts["moved"] = state.turn
        effect = Effect(fighter=fighter.key, facts=facts)
        return self.act(f"{fighter.name} {', '.join(words)}.", fighter=fighter, effects=(effect,))


def _way_words(content: HasReadings, state: TableState, fighter: TableFighter, way: str) -> str:
    far, _ = inches(content, state, fighter, way)
    return HOW[way] if way in ("crawl", "relocate") or not far else f'{HOW[way]}: {far:g}"'


def positions_open(fighter: TableFighter) -> tuple[str, ...]:
    """Where a unit may end: Close order stays closed or behind something, others are never closed unless they were."""
    if has(fighter, "close-order"):
        return ("closed", "cover", "entrenched")
    lies = () if type_of(fighter) == "cavalry" else ("prone",)
    return ("dispersed", "closed", *lies, "cover", "entrenched")


def _into(state: TableState, fighter: TableFighter, before: str, after: str) -> dict[str, Any]:
    """What a change of position leaves. Raises Refusal for going prone and getting up in one turn."""
    if after not in (*positions_open(fighter), before):
        raise Refusal(f"{fighter.name} cannot end like that.", mend="Choose another position.", code="position")
    if before == after:
        return {}
    if "prone" in (before, after):
        if now(state, fighter, "prone"):
            raise Refusal(
                f"{fighter.name} went prone or got up this turn already.",
                mend="Once a turn is all; let it crawl, or stay.",
                code="prone",
            )
        return {"position": after, "prone": state.turn}
    return {"position": after}


class Drive(TooFarMove):
    """A platoon of vehicles moves: from turn 3 on each of them may break down."""

    id, label = "drive", "Drive"
    words = (
        "From turn 3 on every vehicle that moves tests: Unreliable 3+, Stable 2+, Sturdy 1+; 1 less across a trench."
    )
    dice_words = "a D6 for each vehicle that moves, from turn 3 on"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        tanks = tuple(each.key for each in state.fighters if each.fights and kind_of(each) == TANKS)
        found = [Asks("fighter", "Who", "mine", only=tanks, leads=True)]
        fighter = next((each for each in state.fighters if each.key == data.get("fighter", "")), None)
        if fighter is not None and len(_mobile(fighter)) > 1:
            found += [Asks(f"stays_{place}", f"{vehicle['name']} stays") for place, vehicle in _mobile(fighter)]
        return (*found, Asks("crossing", "They cross a trench or the like"))

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if not whose:
            return ""
        fighter = state.fighter(whose)
        return barred_move(content, state, fighter) if kind_of(fighter) == TANKS else "Only vehicles drive."

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = fighter_in(state, data)
        self.refuse(content, state, fighter.key)
        kinds = [vehicle["reliability"] for place, vehicle in _going(fighter, data)]
        if not kinds:
            raise Refusal("None of them moves.", mend="Leave one box empty at least.", code="nobody")
        return "tanks-move", {"kinds": kinds, "crossing": ticked(data, "crossing"), "turn": state.turn}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        going = _going(fighter, data)
        facts: dict[str, Any] = {"moved": state.turn}
        broken = [going[place] for place in found.effect("broken") or ()]
        for place, _ in broken:
            facts[f"v{place}"] = _state_with(str(fighter.facts.get(f"v{place}", "")), "i")
        words = f"{fighter.name} drives{' across' if ticked(data, 'crossing') else ''}: {', '.join(vehicle['name'] for _, vehicle in going)}."
        if found.rolled:
            words += f" {found.told}" + (
                f" Immobilised: {', '.join(vehicle['name'] for _, vehicle in broken)}." if broken else ""
            )
        return self.act(words, fighter=fighter, effects=(Effect(fighter=fighter.key, facts=facts),))


class DriveFree(Drive):
    """The same in the first two turns, where nothing is tested."""

    id, words, dice_words, move = "drive-free", "In the first two turns nothing breaks down.", "", True

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return super().barred(content, state, whose) or ("" if state.turn < 3 else "From turn 3 on they test.")


def _mobile(fighter: TableFighter) -> list[tuple[int, dict[str, Any]]]:
    return [(place, vehicle) for place, vehicle, how in vehicles(fighter) if how != "x" and "i" not in how]


def _going(fighter: TableFighter, data: Mapping[str, str]) -> list[tuple[int, dict[str, Any]]]:
    return [(place, vehicle) for place, vehicle in _mobile(fighter) if not ticked(data, f"stays_{place}")]


def _state_with(state: str, mark: str) -> str:
    return "".join(each for each in "id" if each in {*state, mark})


class Prone(TooFarMove):
    """A unit goes prone or gets up without moving."""

    id, label, words, move = "prone", "Prone", "Once a turn, before or after its move.", True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("fighter", "Who", "mine"),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return barred_prone(state, state.fighter(whose)) if whose else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, fighter_in(state, data).key)
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        lies = fighter.facts.get("position") == "prone"
        effect = Effect(fighter=fighter.key, facts={"position": "dispersed" if lies else "prone", "prone": state.turn})
        return self.act(f"{fighter.name} {'gets up' if lies else 'goes prone'}.", fighter=fighter, effects=(effect,))


class Infiltrate(TooFarMove):
    """Infiltrators go a double move after deployment."""

    id, label, words, move = "infiltrate", "Infiltrate", "Once, after deployment: twice its standard rate.", True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("fighter", "Who", "mine"),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if not whose:
            return ""
        fighter = state.fighter(whose)
        if not has(fighter, "infiltration"):
            return "Only infiltrators do."
        if state.turn > 1 or active(state) or any(each.acted for each in state.fighters):
            return "That is done before anybody acts."
        return f"{fighter.name} has infiltrated." if fighter.facts.get("infiltrated") else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, fighter_in(state, data).key)
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        far, _ = inches(content, state, fighter, "infiltration")
        effect = Effect(fighter=fighter.key, facts={"infiltrated": True})
        return self.act(f'{fighter.name} infiltrates, {far:g}".', fighter=fighter, effects=(effect,))


class MoraleMove(TooFarMove):
    """A bare morale test, for whatever the scenario asks."""

    id, label, words, dice_words = (
        "morale",
        "Morale",
        "A D6 against the quality of a unit, for what the table agrees on.",
        "a D6",
    )

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        troops = tuple(each.key for each in state.fighters if each.fights and kind_of(each) != TANKS)
        return (Asks("fighter", "Who", "mine", only=troops), Asks("bonus", "Added to the die", "number", -3, 3))

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return "Vehicles take no morale test." if whose and kind_of(state.fighter(whose)) == TANKS else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = fighter_in(state, data)
        self.refuse(content, state, fighter.key)
        return "morale-test", {"quality": quality_of(state, fighter), "bonus": number(data, "bonus")}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        return self.act(f"{fighter.name}, morale: {found.told}", fighter=fighter)


# --- putting right

VEHICLE_STATES = (
    ("-", "Sound"), ("i", "Immobilised"), ("d", "Damaged"), ("id", "Immobilised and Damaged"), ("x", "Destroyed"),
)  # fmt: skip
DONE_WORDS = (("-", "Has yet to act"), ("1", "Has acted"))
DISRUPTED_WORDS = (("none", "Not Disrupted"), ("this-turn", "This turn"), ("until-rallied", "Until it rallies"))
DID = (
    ("moved", "Moved this turn"),
    ("fired", "Fired this turn"),
    ("assaulted", "Assaulted this turn"),
    ("failed", "Would not assault this turn"),
)


class Right(TooFarMove):
    """Whatever the table has wrong about a unit."""

    id, label, words, move = (
        "right",
        "Put right",
        "What stands here is what the table says; change what is wrong.",
        True,
    )

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        everybody = tuple(each.key for each in state.fighters)
        found = [Asks("fighter", "Who", "mine", only=everybody, leads=True)]
        fighter = next((each for each in state.fighters if each.key == data.get("fighter", "")), None)
        if fighter is None:
            return tuple(found)
        kind = kind_of(fighter)
        if kind == TANKS:
            found += [
                Asks(f"vehicle_{place}", vehicle["name"], "option", options=VEHICLE_STATES, usual=how or "-")
                for place, vehicle, how in vehicles(fighter)
            ]
        else:
            if fighter.out:  # markers stand in the panel of whoever is on the table
                found += [
                    Asks(f"bases_{part['id']}", part["name"], "number", 0, part["start"], usual="0")
                    for part in parts_of(fighter)
                    if part["start"]
                ]
            options = tuple(
                (each, POSITION_WORDS[each])
                for each in dict.fromkeys((*positions_open(fighter), fighter.facts.get("position", "dispersed")))
            )
            found.append(
                Asks(
                    "position",
                    "Position",
                    "option",
                    options=options,
                    usual=str(fighter.facts.get("position", "dispersed")),
                )
            )
        if kind in ("platoon", TANKS):
            found.append(_box("shocked", "Shocked", bool(fighter.facts.get("shocked"))))
        if kind != COMPANY:
            found.append(
                _box("stranded", "Stranded: out of command, or strung out", bool(fighter.facts.get("stranded")))
            )
        if kind == "platoon":
            found.append(
                _box("indirect", "Mortars or artillery fired at it this turn", now(state, fighter, "indirect"))
            )
        if fighter.facts.get("type") == "cavalry":
            found.append(_box("dismounted", "On foot", bool(fighter.facts.get("dismounted"))))
        if leader_of(state, fighter).key == fighter.key:
            found += self._led(state, fighter)
        if kind != COMPANY:
            found += [_box(what, words, now(state, fighter, what)) for what, words in DID]
        if state.side(fighter.side).guest:
            found.append(
                Asks(
                    "quality",
                    "Quality",
                    "option",
                    options=tuple((each.id, each.name) for each in QUALITIES),
                    usual=quality_of(state, fighter),
                )
            )
            found.append(Asks("full", "Bases at strength", "number", 1, 12, usual=str(parts_of(fighter)[0]["full"])))
        return tuple(found)

    def _led(self, state: TableState, leader: TableFighter) -> list[Asks]:
        orders = (("-", "None yet"), *ORDER_WORDS.items())
        found = [
            Asks("order", "Order", "option", options=orders, usual=order_of(leader) or "-"),
            Asks(
                "disrupted",
                "Disrupted",
                "option",
                options=DISRUPTED_WORDS,
                usual=str(leader.facts.get("disrupted") or "none"),
            ),
            _box("must_defend", "Must Defend this turn", now(state, leader, "must_defend")),
            _box("must_defend_next", "Must Defend next turn", leader.facts.get("must_defend", 0) == state.turn + 1),
            Asks("done", "This turn", "option", options=DONE_WORDS, usual="1" if leader.acted else "-"),
        ]
        if kind_of(leader) == COMPANY:
            found.append(
                Asks(
                    "remnants",
                    "Bases to roll Remnants for",
                    "number",
                    0,
                    remnant_dice(state, leader) + int(leader.facts.get("rolled_for", 0)),
                    usual=str(remnant_dice(state, leader)),
                )
            )
            found.append(
                _box(
                    "ordinary",
                    "Its commander is not Outstanding",
                    leader.facts.get("commander") != "outstanding" or bool(leader.facts.get("replaced")),
                )
            )
        return found

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter_in(state, data)
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        change = _Change(state.turn, fighter)
        words: list[str] = []
        for ask in self.asks(content, state, data):
            if ask.name == "fighter":
                continue
            box = ask.kind == "toggle"
            after = ("1" if ticked(data, ask.name) else "") if box else str(data.get(ask.name) or ask.usual).strip()
            if after == ask.usual:
                continue
            shown = ("yes" if after else "no") if box else dict(ask.options).get(after, after)
            words.append(f"{ask.label} {shown}".replace(":", ","))
            change.put(ask, after)
        if not words:
            raise Refusal("Nothing is different.", mend="Change what is wrong, or go back to the table.", code="done")
        effect = Effect(
            fighter=fighter.key, facts=change.facts, counts=change.counts, markers=change.markers, acted=change.acted
        )
        table: dict[str, Any] = {"facts": {"active": ""}} if change.acted and active(state) == fighter.key else {}
        return self.act(f"{fighter.name}, put right: {'; '.join(words)}.", fighter=fighter, effects=(effect,), **table)


STAMPED = ("moved", "fired", "assaulted", "failed", "indirect", "must_defend")


class _Change:
    """What is put right on a unit, as an effect takes it."""

    def __init__(self, turn: int, fighter: TableFighter) -> None:
        self.turn, self.fighter = turn, fighter
        self.facts: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.markers: dict[str, int] = {}
        self.acted: bool | None = None

    def put(self, ask: Asks, after: str) -> None:
        """One answer that differs from what stands."""
        name, plain = ask.name, "" if after == "-" else after
        if name.startswith("vehicle_"):
            self.facts[f"v{name.removeprefix('vehicle_')}"] = plain
        elif name.startswith("bases_"):
            self.markers[name.removeprefix("bases_")] = int(after) - int(ask.usual)
        elif name in STAMPED:
            self.facts[name] = self.turn if after else 0
        elif name == "must_defend_next":
            self.facts["must_defend"] = self.turn + 1 if after else 0
        elif name == "order":
            self.facts |= {"order": plain, "ordered": self.turn if plain else 0}
        elif name == "done":
            self.acted = bool(plain)
        elif name == "remnants":
            self.counts["rolled_for"] = int(ask.usual) - int(after)
        elif name == "ordinary":
            self.facts |= {"commander": "normal" if after else "outstanding", "replaced": False}
        elif name == "full":
            part = parts_of(self.fighter)[0]
            self.facts["parts"] = [{**part, "full": int(after), "start": int(after)}]
            self.markers[part["id"]] = int(after) - part["start"]
        elif ask.kind == "toggle":
            self.facts[name] = bool(after)
        else:
            self.facts[name] = after


def _box(name: str, label: str, stands: bool) -> Asks:
    return Asks(name, label, usual="1" if stands else "")


PLATOON_PLAYS = (PlatoonMove(), Drive(), DriveFree(), Prone(), Infiltrate(), MoraleMove(), Right())
