"""Morale checks of units with Stress, in the Tactical Phase.

Source: core rules, Make Morale Checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.gloom_trench.resolvers.dice import TargetThrow
from rules.gloom_trench.tracker.losses import lose_models
from rules.gloom_trench.tracker.move import (
    Doing,
    GloomMove,
    PlayState,
    counted_row,
    enemy_point,
    enemy_spends,
    enough,
    figure,
    own_point,
)
from rules.gloom_trench.tracker.phases import due
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, ResultRow, RollKind
from rules.translation import gettext


def _morale_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop, _ in due(play))
    asks = [Asks("fighter", gettext("Which unit"), "mine", only=keys, leads=True, quiet=data.get("fighter") in keys)]
    results: tuple[ResultRow, ...] = ()
    tokens = dict.fromkeys(keys, 0) | {troop.key: count for troop, count in due(play)}
    odds = ""
    if data.get("fighter") in tokens:
        troop = play.troop(data["fighter"])
        asks += [*own_point(play, troop.side), *enemy_point(play, troop)]
        asks.append(Asks("ones", gettext("Natural 1s: each costs a model"), "number", 0, tokens[troop.key], chips=True))
        results = (counted_row(gettext("Successes on my dice"), tokens[troop.key]),)
        throw = TargetThrow("D8", troop.command(play.content))
        lost = 1 - (7 / 8) ** tokens[troop.key]
        odds = gettext("{tokens} D8, a token off on {need}+; a model lost: {round:g} %.").format(
            tokens=tokens[troop.key], need=throw.need, round=round(lost * 100, 1)
        )
    return RollKind(
        "morale",
        gettext("Morale check"),
        gettext("A D8 for each token of Stress."),
        tuple(asks),
        gettext("a D8 for each token"),
        need=odds,
        results=results,
    )


def _morale_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("morale", gettext("A morale check"))
    troop = play.troop(data.get("fighter", ""))
    tokens = {each.key: count for each, count in due(play)}.get(troop.key)
    if tokens is None:
        raise Refusal(
            gettext("{name} has no morale check to make.").format(name=troop.name),
            mend=gettext("Go on with the others."),
            code="no-check",
        )
    spent, enemy = figure(data, "tp"), enemy_spends(play, troop.side, data)
    enough(play, troop.side, spent)
    if enemy:
        enough(play, enemy, 1)
    return "morale-check", {
        "command": troop.command(play.content), "stress": tokens, "models": max(1, troop.size), "tp": spent, "opponent_tp": int(bool(enemy)),
    }  # fmt: skip


def _morale(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data["fighter"])
    doing = Doing(play, "morale").say(gettext("{troop}, morale: {told}").format(troop=troop.name, told=found.told))
    doing.pay(troop.side, figure(data, "tp"))
    if enemy := enemy_spends(play, troop.side, data):
        doing.pay(enemy, 1)
    lost = int(found.effect("models_lost", 0))
    doing.stress(troop, -int(found.effect("removed", 0)))
    doing.fact(troop, morale_due=0)
    if lost >= troop.size:
        doing.destroy(troop, "")
    elif lost and len(troop.standing) == 1:
        lose_models(doing, troop, troop.standing[0].slug, lost)
    elif lost:
        doing.count(troop, "waiting_models", lost)
        doing.say(gettext("Its owner says which."))
    return doing.table(**play.within()).act(fighter=troop.key)


def _natural_ones(play: PlayState, data: Mapping[str, str]) -> tuple[Mapping[str, str], int]:
    return {}, figure(data, "ones")


MOVES: Mapping[str, GloomMove] = {
    "morale": GloomMove(_morale_asked, _morale, _morale_question, _natural_ones),
}
