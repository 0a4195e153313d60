"""Trench Crusade at the table: its markers, what activation and morale ask for, and its rolls by the resolvers of the table.

Source: Condensed rules 1.6.3, "Markers", "Morale Phase", LEADER; Turns and actions 1.0, "The Turn Sequence", "Morale Phase".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.content.compiled import Content
from rules.content.play import Play
from rules.dice import TypedDice
from rules.force import FighterView
from rules.problems import Refusal
from rules.table.roller import Resolved, TableDice
from rules.table.tracker import (
    Asks,
    Effect,
    MarkerKind,
    Prompt,
    RollAct,
    RollKind,
    TableFighter,
    TableState,
    Tracker,
)
from rules.trench_crusade.table import field
from rules.trench_crusade.table.field import MOST_MARKERS

MARKERS = (
    MarkerKind("blood", "Blood", "drop", MOST_MARKERS),
    MarkerKind("blessing", "Blessing", "prayer", MOST_MARKERS),
    MarkerKind("infection", "Infection", "virus", MOST_MARKERS),
)
WEAPON_WORDS = ("CRITICAL", "DEADLY", "FIRE", "GAS", "SHRAPNEL", "ARMOUR PIERCING", "IGNORE ARMOUR")
NEVER_FLEES = "other"
NO_TESTS = "no-tests"
ONLY_SHAKEN = ("shaken", NEVER_FLEES)

_INJURY = (
    Asks("injury_dice", "Dice to injure", "number", -6, 6, group="Injury"),
    Asks("armour", "Armour, empty for the fighter's own", "number", -9, 0, group="Injury"),
    Asks("base_dice", "Base dice", "option", options=(("2", "2"), ("3", "3"), ("4", "4")), usual="2", group="Injury"),
    Asks("injury_blood_spent", "Its markers spent", "number", 0, 12, group="Injury"),
    Asks("injury_blessing_spent", "Its blessings spent", "number", 0, 6, group="Injury"),
    Asks("bloodbath", "Bloodbath", group="Injury"),
)
_WEAPON = tuple(
    Asks("word_" + word.lower().replace(" ", "_"), word, group="Weapon") for word in WEAPON_WORDS
)  # fmt: skip


class TrenchTracker(Tracker):
    """The tracker of one edition."""

    markers = MARKERS

    def __init__(self, play: Play) -> None:
        self.play = play

    # --- fighters

    def facts(self, view: FighterView) -> dict[str, Any]:
        """What attack and injury rolls ask of a fighter."""

        def figure(name: str) -> int:
            counted = view.stats.get(name)
            return (counted.value or 0) if counted is not None else 0

        words = {word.name.upper() for word in view.keywords if word.state != "lost"}
        return {
            "ranged": figure("ranged"),
            "melee": figure("melee"),
            "armour": -abs(figure("armour")),
            "leader": view.leader,
            "tough": "TOUGH" in words,
            "golem": "GOLEM" in words,
            "fear": "FEAR" in words,
            "negates": sorted(word.removeprefix("NEGATE ") for word in words if word.startswith("NEGATE ")),
        }

    def activated(self, fighter: TableFighter) -> tuple[TableFighter, str]:
        """Infection breeds on whoever is activated with it."""
        held = fighter.markers.get("infection", 0)
        if not held:
            return fighter, ""
        bred = field.resolve_infection(self.play, field.Infection(infection=held), TableDice(TypedDice(())))
        gained = int(bred.effect("infection_markers", 0))
        told = f" Infection breeds: {held} to {held + gained}." if gained else " Infection stands at its most."
        return self.marked(fighter, {"infection": gained}) if gained else fighter, told

    # --- prompts

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        """Initiative, morale where it is due, who is Shaken, the last turn."""
        found = list(self._turn_prompts(state))
        for side in state.sides:
            own = [fighter for fighter in state.of(side.key) if fighter.there]
            fallen = sum(fighter.down or fighter.out for fighter in own)
            shaken = side.shaken == state.turn
            if side.fled:
                found.append(Prompt("fled", f"{side.name} has fled: the battle is lost to it.", side.key))
                continue
            if shaken:
                found.append(
                    Prompt("shaken", f"{side.name} is Shaken: all its success rolls are RISKY this turn.", side.key)
                )
            due = bool(own) and 2 * fallen >= len(own)
            again = shaken and self.play.morale_failed == "choice"
            if state.morale == NO_TESTS or side.tested == state.turn or not (due or again):
                continue
            words = f"{side.name}: {fallen} of {len(own)} are Down or Out." if due else f"{side.name} was Shaken."
            last = " Another failure and it flees." if self._failed_before(state, side.key) else ""
            found.append(
                Prompt("morale", f"{words} Morale is tested at the end of the turn.{last}", side.key, roll="morale")
            )
        return tuple(found)

    def _failed_before(self, state: TableState, key: str) -> bool:
        """Whether the next failure is the second one, which flees: in a row in the newer edition, ever in the older one's option."""
        if state.morale == NEVER_FLEES:
            return False
        side = state.side(key)
        return side.shaken == state.turn if self.play.morale_failed == "choice" else side.failed

    # --- rolls

    def rolls(self) -> tuple[RollKind, ...]:
        """Attack, injury, any success roll, morale, initiative."""
        optional = "shaken_rule" if self.play.morale_failed == "flees" else "flees"
        words = "Shaken in place of flight, as agreed" if optional == "shaken_rule" else "Flees on a failure"
        return (
            RollKind(
                "attack", "Attack", "To hit, then to injure; what it does is written down at once.",
                (
                    Asks("fighter", "Who attacks", "mine"),
                    Asks("target", "Whom", "foe"),
                    Asks("way", "How", "option", options=(("ranged", "Ranged"), ("melee", "Melee")), usual="ranged"),
                    Asks("dice", "Further dice to hit", "number", -6, 6, group="To hit"),
                    Asks("long_range", "Long range", group="To hit"),
                    Asks("cover", "Cover", group="To hit"),
                    Asks("elevated", "From above", group="To hit"),
                    Asks("defended_obstacle", "Defended obstacle", group="To hit"),
                    Asks("off_hand", "Off-hand", group="To hit"),
                    Asks("diving_charge", "Diving charge", group="To hit"),
                    Asks("blood_spent", "Attacker's markers spent", "number", 0, 12, group="To hit"),
                    Asks("blessing_spent", "Attacker's blessings spent", "number", 0, 6, group="To hit"),
                    *_WEAPON, *_INJURY,
                ),
                "the dice to hit, then those of the injury",
            ),
            RollKind(
                "injury", "Injury", "A fall, a blast, fire: no roll to hit.",
                (
                    Asks("fighter", "Whose hit it is", "mine"),
                    Asks("target", "Who is hit", "anybody"),
                    Asks("critical", "Critical hit", group="Injury"),
                    Asks("melee", "In melee", group="Injury"),
                    *_WEAPON, *_INJURY,
                ),
                "the injury dice",
            ),
            RollKind(
                "success", "Action", "Any success roll: a dash, a climb, an order.",
                (
                    Asks("fighter", "Who", "mine"),
                    Asks("risky", "RISKY"),
                    Asks("dice", "Further dice", "number", -6, 6),
                    Asks("blood_spent", "Its markers spent", "number", 0, 12),
                    Asks("blessing_spent", "Its blessings spent", "number", 0, 6),
                ),
                "two dice, more where dice are added or taken",
            ),
            RollKind(
                "morale", "Morale", "At the end of the turn, where half are Down or Out.",
                (Asks("side", "Whose", "side"), Asks("dice", "Further dice", "number", -6, 6), Asks(optional, words)),
                "two dice, more where dice are added or taken",
            ),
            RollKind("initiative", "Initiative", "Fewest fighters; level sides roll off.", (), "a die for each level side"),
        )  # fmt: skip

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The rule of the table that a roll goes through, and its input. Raises Refusal."""
        if roll == "initiative":
            sides = []
            for side in state.sides:
                own = [fighter for fighter in state.of(side.key) if fighter.fights]
                sides.append({"name": side.name, "on_table": len(own), "down": sum(fighter.down for fighter in own)})
            return "initiative", {"sides": sides}
        if roll == "morale":
            return "morale", self._morale(state, data)
        if roll == "success":
            return "success", self._own(state, data) | {"risky": _ticked(data, "risky")}
        if roll == "injury":
            given = self._injury(state, data, "")
            return "injury", given | {"critical": _ticked(data, "critical"), "melee": _ticked(data, "melee")}
        if roll == "attack":
            return "attack", self._attack(state, data)
        raise Refusal(f"“{roll}” is no roll of this table.", code="unknown-roll")

    def _morale(self, state: TableState, data: Mapping[str, str]) -> dict[str, Any]:
        side = state.side(data.get("side", ""))
        if side.tested == state.turn:
            raise Refusal(f"{side.name} has tested its morale this turn.", code="tested")
        own = [fighter for fighter in state.of(side.key) if fighter.there]
        given: dict[str, Any] = {
            "dice": _figure(data, "dice"),
            "leader": any(fighter.facts.get("leader") and not fighter.out for fighter in own),
            "shaken": self._failed_before(state, side.key),
            "flees": _ticked(data, "flees"),
            "shaken_rule": _ticked(data, "shaken_rule") or state.morale in ONLY_SHAKEN,
        }
        if own:
            given |= {
                "models": len(own),
                "down": sum(fighter.down for fighter in own),
                "out": sum(fighter.out for fighter in own),
            }
        return given

    def _own(self, state: TableState, data: Mapping[str, str]) -> dict[str, Any]:
        """What the roll of a fighter of one's own is subject to."""
        fighter = _able(state, data.get("fighter", ""), "Who rolls")
        return {
            "dice": _figure(data, "dice"),
            "down": fighter.down,
            "shaken": state.side(fighter.side).shaken == state.turn,
            "blood_spent": _figure(data, "blood_spent"),
            "blessing_spent": _figure(data, "blessing_spent"),
            "blood": fighter.markers.get("blood", 0),
            "infection": fighter.markers.get("infection", 0),
            "blessing": fighter.markers.get("blessing", 0),
        }

    def _attack(self, state: TableState, data: Mapping[str, str]) -> dict[str, Any]:
        fighter = _able(state, data.get("fighter", ""), "Who attacks")
        way = data.get("way") or "ranged"
        toggles = ("long_range", "cover", "elevated", "defended_obstacle", "off_hand", "diving_charge")
        given = {
            "kind": way,
            "ranged": int(fighter.facts.get("ranged", 0)),
            "melee": int(fighter.facts.get("melee", 0)),
            **{name: _ticked(data, name) for name in toggles},
        }
        return given | self._own(state, data) | self._injury(state, data, "injury_")

    def _injury(self, state: TableState, data: Mapping[str, str], before: str) -> dict[str, Any]:
        target = _able(state, data.get("target", ""), "Who is hit")
        armour = data.get("armour", "").strip()
        return {
            f"{before}dice": _figure(data, "injury_dice"),
            f"{before}blood_spent": _figure(data, "injury_blood_spent"),
            f"{before}blessing_spent": _figure(data, "injury_blessing_spent"),
            "armour": _figure(data, "armour") if armour else int(target.facts.get("armour", 0)),
            "base_dice": _figure(data, "base_dice", 2),
            "bloodbath": _ticked(data, "bloodbath"),
            "keywords": [word for word in WEAPON_WORDS if _ticked(data, "word_" + word.lower().replace(" ", "_"))],
            "target": {
                "name": target.name[:80],
                "down": target.down,
                "blood": target.markers.get("blood", 0),
                "infection": target.markers.get("infection", 0),
                "blessing": target.markers.get("blessing", 0),
                "tough": bool(target.facts.get("tough")),
                "tough_used": bool(target.facts.get("tough_used")),
                "golem": bool(target.facts.get("golem")),
                "fear": bool(target.facts.get("fear")),
                "negates": list(target.facts.get("negates", ())),
            },
        }

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        """What dice did: markers spent and gained, who goes Down or out, the turn's initiative, morale."""
        dice = ", ".join(str(face) for face in _faces(found))
        fell = f" ({dice})" if dice else ""
        if roll == "initiative":
            side = state.sides[int(found.outcome) - 1]
            return RollAct(roll=roll, told=f"Initiative{fell}: {found.told}", initiative=side.key)
        if roll == "morale":
            side = state.side(data.get("side", ""))
            if found.effect("test") is False:
                raise Refusal(
                    f"No morale test is due for {side.name}.", mend="Half must be Down or Out.", code="not-due"
                )
            outcome = found.outcome
            words = found.told.replace("the warband", side.name)
            if outcome == "flees" and state.morale == NEVER_FLEES:
                outcome, words = "shaken", f"Morale: {found.total}, {side.name} is Shaken; nobody flees here."
            return RollAct(
                roll=roll, told=f"{words}{fell}", side=side.key,
                morale=outcome,  # type: ignore[arg-type]
            )  # fmt: skip
        fighter = state.fighter(data.get("fighter", ""))
        spent = _taken(fighter, _figure(data, "blood_spent"), _figure(data, "blessing_spent"))
        ends = bool(found.effect("activation_ends")) and not fighter.acted
        effects = [Effect(fighter=fighter.key, markers=spent, acted=True if ends else None)]
        if roll == "success":
            return RollAct(
                roll=roll, told=f"{fighter.name}: {found.told}{fell}", fighter=fighter.key, side=fighter.side,
                effects=_told_effects(effects),
            )  # fmt: skip
        target = state.fighter(data.get("target", ""))
        steps = found.steps[1:] if roll == "attack" else (found,)
        effects.append(_suffered(fighter, target, steps))
        who = fighter.name if target.key == fighter.key else f"{fighter.name} at {target.name}"
        return RollAct(
            roll=roll, told=f"{who}: {found.told}{fell}"[:500], fighter=fighter.key, side=fighter.side,
            effects=_told_effects(effects),
        )  # fmt: skip


def _suffered(fighter: TableFighter, target: TableFighter, injuries: tuple[Resolved, ...]) -> Effect:
    """What injuries did to their target: markers spent on it and gained, whether it goes Down or out. A miss does nothing."""

    def summed(name: str) -> int:
        return sum(int(effect.get(name, 0)) for injury in injuries for effect in injury.effects)

    def told(name: str) -> bool:
        return any(effect.get(name) for injury in injuries for effect in injury.effects)

    markers = _taken(target, summed("markers_spent"), summed("blessing_spent"))
    held = target.markers.get("blood", 0) + markers.get("blood", 0)
    gained = min(summed("blood_markers"), MOST_MARKERS - held)
    markers["blood"] = markers.get("blood", 0) + gained
    out = told("out_of_action")
    return Effect(
        fighter=target.key,
        markers={name: count for name, count in markers.items() if count},
        down=True if told("goes_down") and not target.down else None,
        out=out,
        by=fighter.side if out else "",
        facts={"tough_used": True} if told("tough_used") else {},
    )


def _taken(fighter: TableFighter, spent: int, blessed: int) -> dict[str, int]:
    """Markers that leave a fighter: blood first, then infection."""
    blood = min(spent, fighter.markers.get("blood", 0))
    found = {"blood": -blood, "infection": blood - spent, "blessing": -blessed}
    return {name: count for name, count in found.items() if count}


def _told_effects(effects: list[Effect]) -> tuple[Effect, ...]:
    """Those that do something."""
    return tuple(e for e in effects if e.markers or e.out or e.acted is not None or e.facts or e.down is not None)


def _faces(found: Resolved) -> tuple[int, ...]:
    if found.steps:
        return tuple(face for step in found.steps for face in _faces(step))
    return found.rolled


def _able(state: TableState, key: str, label: str) -> TableFighter:
    if not key:
        raise Refusal(f"{label}? Choose a fighter.", code="no-fighter")
    fighter = state.fighter(key)
    if fighter.out:
        raise Refusal(
            f"{fighter.name} is Out of Action and cannot act.",
            mend="If that was a slip, undo it in the log.",
            code="out",
        )
    if not fighter.there:
        raise Refusal(f"{fighter.name} has not come on yet.", mend="Bring it on first.", code="not-there")
    return fighter


def _ticked(data: Mapping[str, str], name: str) -> bool:
    return data.get(name, "") not in ("", "0", "false")


def _figure(data: Mapping[str, str], name: str, usual: int = 0) -> int:
    text = str(data.get(name, "")).strip().replace("−", "-").removeprefix("+")
    if not text:
        return usual
    if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 4:
        raise Refusal(f"“{text[:12]}” is no whole number.", code="number")
    return int(text)


@lru_cache(maxsize=32)
def tracker_of(content: Content) -> TrenchTracker:
    """The tracker of an edition. Raises Refusal where the edition says nothing of play at the table."""
    play = content.pack.play
    if play is None:
        raise Refusal("This edition has no rules for the table here.", code="no-play")
    return TrenchTracker(play)
