"""Movement, goetic powers and shots into a melee at the table: the resolver's input of each, and its effects.

Source: Condensed rules 1.6.3, "Movement Actions", "Falling", "Terrain", "Goetic Powers & Spells"; Turns and actions
1.0, "Actions"; core rules 1.0, "Movement and terrain".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect
from rules.tracker.rolls import ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_crusade.tracker.rolls import (
    able,
    figure,
    keys_of,
    kinds_paying,
    power_price,
    spending,
    suffered,
    taken,
    weapon_words,
)


@dataclass(frozen=True, slots=True)
class OwnRoll:
    """A roll of one fighter: the answers, what affects the roll, and the injury that could follow."""

    state: TableState
    data: Mapping[str, str]
    fighter: TableFighter
    own: Mapping[str, Any]
    injury: Mapping[str, Any]

    def ticked(self, *names: str) -> dict[str, bool]:
        return {name: ticked(self.data, name) for name in names}

    def figures(self, *names: str) -> dict[str, int]:
        return {name: figure(self.data, name) for name in names}

    def measured(self, name: str) -> dict[str, int]:
        """Return a figure as input, or nothing if it was left out."""
        return self.figures(name) if self.data.get(name, "").strip() else {}

    @property
    def movement(self) -> dict[str, Any]:
        movement = self.fighter.facts.get("movement")
        return {"movement": movement} if movement else {}

    @property
    def flying(self) -> dict[str, bool]:
        return {"flying": bool(self.fighter.facts.get("flying"))}


def own_question(
    state: TableState, roll: str, data: Mapping[str, str], injury: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the rule and input of one of these rolls; `injury` is the injury roll that could follow. Raises Refusal."""
    own = spending(state, data)
    return roll, _INPUTS[roll](OwnRoll(state, data, state.fighter(data["fighter"]), own, injury))


def _charge(asked: OwnRoll) -> dict[str, Any]:
    facts = asked.fighter.facts
    return {
        **asked.movement,
        **asked.measured("distance"),
        **asked.ticked("heavy", "stood_up"),
        **asked.figures("dive", "lands_within"),
        "strong": bool(facts.get("strong")),
        "down": asked.fighter.down,
        "bonus_die": facts.get("charge_die", "D6"),
        "bonus_dice": facts.get("charge_dice", 1),
        "sees": not ticked(asked.data, "unseen"),
        "risky_roll": asked.own,
        "dive_roll": asked.own,
        "injury": asked.injury,
    }


def _dash(asked: OwnRoll) -> dict[str, Any]:
    return {**asked.own, **asked.movement, **asked.ticked("stood_up")}


def _climb(asked: OwnRoll) -> dict[str, Any]:
    return {**asked.own, **asked.flying, **asked.measured("height")}


def _jump(asked: OwnRoll) -> dict[str, Any]:
    measures = asked.figures("gap", "rise", "drop")
    return {**asked.own, **asked.movement, **asked.flying, **measures, "injury": asked.injury}


def _fall(asked: OwnRoll) -> dict[str, Any]:
    return {**asked.injury, **asked.flying, **asked.figures("height"), **asked.ticked("voluntary")}


def _dangerous_terrain(asked: OwnRoll) -> dict[str, Any]:
    injury = {**asked.injury, "keywords": weapon_words(asked.data)}
    return {**asked.own, **asked.flying, **asked.ticked("moved_into", "ends_in"), "injury": injury}


def _ledge(asked: OwnRoll) -> dict[str, Any]:
    return {**asked.own, **asked.figures("height"), "injury": asked.injury}


def _stand(asked: OwnRoll) -> dict[str, Any]:
    if not asked.fighter.down:
        raise Refusal(gettext("{name} stands already.").format(name=asked.fighter.name), code="done")
    return {**asked.own, **asked.movement, "own_activation": True}


def _retreat(asked: OwnRoll) -> dict[str, Any]:
    enemies = figure(asked.data, "enemies", 1)
    return {**asked.movement, **asked.ticked("struck", "clear"), "enemies": enemies, "down": asked.fighter.down}


def _evade(asked: OwnRoll) -> dict[str, Any]:
    if not asked.fighter.facts.get("skirmisher"):
        raise Refusal(gettext("{name} is no SKIRMISHER.").format(name=asked.fighter.name), code="keyword")
    return asked.ticked("in_melee")


def _shot_into_melee(asked: OwnRoll) -> dict[str, Any]:
    near = [asked.state.fighter(key) for key in keys_of(asked.data, "who") if key != asked.fighter.key]
    friends = [other.name[:80] for other in near if other.side == asked.fighter.side]
    enemies = [other.name[:80] for other in near if other.side != asked.fighter.side]
    if not enemies:
        raise Refusal(
            gettext("No enemy stands in that melee."), mend=gettext("Tick the target too."), code="no-fighter"
        )
    return {"friends": friends, "enemies": enemies}


def _goetic(asked: OwnRoll) -> dict[str, Any]:
    givers = [able(asked.state, key, gettext("Taken from")) for key in keys_of(asked.data, "givers")]
    markers, kind, steps = power_price(asked.fighter, asked.data)
    if markers and not givers:
        message = gettext("Whose {kind} MARKERS pay for it?").format(kind=kind.upper())
        raise Refusal(message, mend=gettext("Tick those they are taken from."), code="no-fighter")
    return {
        **asked.own,
        **asked.ticked("action_roll"),
        "markers": markers,
        "steps": steps,
        "givers": [giver.markers.get(kind, 0) if kinds_paying(giver, (kind,)) else 0 for giver in givers],
        "barred": kind == "blood" and any(giver.facts.get("gives_no_blood") for giver in givers),
    }


_INPUTS: Mapping[str, Callable[[OwnRoll], dict[str, Any]]] = {
    "charge": _charge,
    "dash": _dash,
    "climb": _climb,
    "jump": _jump,
    "fall": _fall,
    "dangerous-terrain": _dangerous_terrain,
    "ledge": _ledge,
    "stand": _stand,
    "retreat": _retreat,
    "evade": _evade,
    "shot-into-melee": _shot_into_melee,
    "goetic": _goetic,
}
OWN_ROLLS = frozenset(_INPUTS)


def own_effects(state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> tuple[Effect, ...]:
    """Return the effects of one of these rolls on the fighter, and on those whose markers paid for it."""
    fighter = state.fighter(data["fighter"])
    if roll == "goetic":
        paid = []
        left, kind, _ = power_price(fighter, data)
        for key in keys_of(data, "givers"):
            giver = state.fighter(key)
            gives = min(left, giver.markers.get(kind, 0)) if kinds_paying(giver, (kind,)) else 0
            left -= gives
            paid.append(Effect(fighter=key, markers={kind: -gives}))
        own = taken(fighter, figure(data, "blood_spent"), figure(data, "blessing_spent"))
        ends = bool(found.effect("activation_ends")) and not fighter.acted
        return (*paid, Effect(fighter=fighter.key, markers=own, acted=True if ends else None))
    effect = suffered(fighter, fighter, (found,), by="")
    stands = roll == "stand" and found.outcome != "failure"
    ends = bool(found.effect("activation_ends")) and not fighter.acted and not effect.out
    down = False if stands else effect.down
    return (
        Effect(
            fighter=fighter.key, markers=effect.markers, down=down, out=effect.out, facts=effect.facts,
            acted=True if ends else None,
        ),
    )  # fmt: skip
