"""The initiative, decided by dice or entered by the players.

Source: core rules, Roll for Initiative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.gloom_trench.tracker.move import Doing, GloomMove, PlayState, enough, figure, own_point
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind
from rules.translation import gettext


def _dice_of(play: PlayState) -> tuple[tuple[str, int], ...]:
    return tuple((side.key, play.command(side.key)) for side in play.state.sides)


def _initiative_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    rows = _dice_of(play)
    asks = []
    if len(rows) == 2:
        for key, _ in rows:
            asks += list(own_point(play, key, f"tp_{key}"))
    words = ", ".join(f"{play.name(key)} {count}" for key, count in rows)
    return RollKind(
        "initiative", gettext("Roll for the initiative"), gettext("A D6 for each point of the highest Command: {words}.").format(words=words), tuple(asks),
        gettext(" then ").join(gettext("{count} D6 of {side}").format(count=count, side=play.name(key)) for key, count in rows),
    )  # fmt: skip


def _initiative_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("initiative", gettext("The initiative"))
    rows = _dice_of(play)
    if not any(count for _, count in rows):
        raise Refusal(
            gettext("No side has any Command left to roll with."),
            mend=gettext("Say who has the initiative."),
            code="no-dice",
        )
    if len(rows) != 2:
        return "roll-vs-tn", {"die": "D6", "count": sum(count for _, count in rows)}
    (a, dice_a), (b, dice_b) = rows
    for key in (a, b):
        enough(play, key, figure(data, f"tp_{key}"))
    last = play.facts["last_initiative"]
    return "roll-initiative", {
        "dice_a": dice_a, "dice_b": dice_b, "turn": play.state.turn, "last_winner": {a: "A", b: "B"}.get(str(last)),
        "tp_a": figure(data, f"tp_{a}"), "tp_b": figure(data, f"tp_{b}"),
    }  # fmt: skip


def _initiative(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    rows = _dice_of(play)
    doing = Doing(play, "initiative")
    if len(rows) == 2:
        (a, _), (b, _) = rows
        for key in (a, b):
            doing.pay(key, figure(data, f"tp_{key}"))
        doing.say(
            gettext("Initiative: {name} {effect}, {name_2} {effect_2}.").format(
                name=play.name(a),
                effect=found.effect("successes_a"),
                name_2=play.name(b),
                effect_2=found.effect("successes_b"),
            )
        )
        winner = {"A": a, "B": b}.get(found.outcome, "")
    else:
        scores: dict[str, int] = {}
        faces = list(found.rolled)
        for key, count in rows:
            own, faces = faces[:count], faces[count:]
            scores[key] = sum(face >= 5 for face in own)
        doing.say(
            gettext("Initiative: ") + ", ".join(f"{play.name(key)} {score}" for key, score in scores.items()) + "."
        )
        best = [key for key, score in scores.items() if score == max(scores.values())]
        if len(best) > 1 and play.state.turn > 1:
            best = [key for key in best if key != play.facts["last_initiative"]] or best
        winner = best[0] if len(best) == 1 else ""
    if not winner:
        return doing.say(gettext("Level: roll again.")).table(**play.within()).act()
    return _won(play, doing, winner)


def _won(play: PlayState, doing: Doing, winner: str) -> RollAct:
    doing.initiative = winner
    doing.say(gettext("{name} has the initiative and a further chit.").format(name=play.name(winner)))
    chits = {**play.chits, winner: play.chits.get(winner, 0) + 1}
    return doing.table(**play.on(phase="draw", chits=chits)).act()


def _taken_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    options = tuple((side.key, side.name) for side in play.state.sides)
    return RollKind(
        "taken", gettext("Say who has it"), gettext("Where dice cannot decide it, or fell already."),
        (Asks("whose", gettext("Who has the initiative"), "option", options=options),), move=True, tells="initiative",
    )  # fmt: skip


def _taken(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("initiative", gettext("The initiative"))
    return _won(play, Doing(play, "taken"), play.state.side(data.get("whose", "")).key)


MOVES: Mapping[str, GloomMove] = {
    "initiative": GloomMove(_initiative_asked, _initiative, _initiative_question),
    "taken": GloomMove(_taken_asked, _taken),
}
