"""Saves that a unit's owner makes: what an attack leaves to be saved, and the saves with their result.

The attack is written when its hits are known. The unit then holds the hits and how they are saved, until its owner has saved.

Source: core rules, Saving Throws; Shooting (discarding a token); Tactical Pool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.formatting import quantity
from rules.gloom_trench.resolvers import rules, saves
from rules.gloom_trench.tracker.move import (
    Doing,
    GloomMove,
    PlayState,
    counted_row,
    enough,
    figure,
    needs,
    own_point,
)
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.translation import gettext as _

# What an attack says of the target's saves, and what the rule for saves calls it.
OF_SAVES = {
    "save_die": "save_die", "save_opponent_tp": "opponent_tp", "save_roll_mods": "roll_mods", "dug_in": "dug_in", "discard": "discard",
    "cover": "cover", "damage": "damage", "hold_and_shoot": "hold_and_shoot",
}  # fmt: skip


def owe(doing: Doing, target: Troop, hits: int, shot: Mapping[str, Any], by: str, bound: int) -> None:
    """Leave these hits of an attack to be saved by the target's owner."""
    how = {name: shot[asked] for asked, name in OF_SAVES.items() if shot.get(asked)}
    doing.fact(target, owed={"hits": hits, "how": how, "by": by, "bound": bound})
    doing.say(
        _("{hits}; {name} has {saves} to make.").format(
            hits=quantity(hits, "hit"), name=target.name, saves=quantity(hits, "save")
        )
    )


def _given(target: Troop, tp: int) -> dict[str, Any]:
    owed = target.owed
    return {
        **owed["how"], "hits": int(owed["hits"]), "tp": tp, "stress": target.stress, "models": target.size,
        "wounds": min((model.wounds for model in target.standing), default=1),
        "recorded_damage": int(target.facts.get("recorded_damage") or 0),
    }  # fmt: skip


def save_words(play: PlayState, target: Troop, tp: int = 0) -> str:
    """Return the saves that a unit has to make: "3 saves on D6, 5 or more (33.3 %)"."""
    data = rules.rule_named("save").read(_given(target, tp))
    throw = saves.save_throw(play.content, data)
    count = quantity(int(target.owed["hits"]), "save")
    return _("{count} on {die}, {needs}").format(count=count, die=throw.die, needs=needs(throw))


def refuse_owing(target: Troop) -> None:
    """Raise Refusal while the target has saves to make, because what remains of it is not yet known."""
    if target.owed:
        raise Refusal(
            _("{name} has saves to make first.").format(name=target.name),
            mend=_("Its owner rolls them, or tells how many were made."),
            code="phase",
        )


def _save_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop in play.owing)
    target = next((troop for troop in play.owing if troop.key == data.get("fighter", "")), None)
    asks = [Asks("fighter", _("Which unit"), "mine", only=keys, leads=True, quiet=len(keys) == 1)]
    if target is None:
        return RollKind("save", _("Saves"), "", tuple(asks), _("a save for each hit"))
    points = own_point(play, target.side, label=_("1 TP: a bigger die"))
    asks += [_chip(ask) for ask in points]
    asks.append(Asks("one", _("A natural 1 fell"), chips=True))
    try:
        words = save_words(play, target, figure(data, "tp"))
    except Refusal as refusal:
        words = refusal.message
    hits = int(target.owed["hits"])
    return RollKind(
        "save", _("Saves"), "", tuple(asks), need=f"{target.name}: {words}.", results=(counted_row(_("Made on my dice"), hits),)
    )  # fmt: skip


def _chip(ask: Asks) -> Asks:
    """Return a question for a point as a chip that draws the need anew."""
    return Asks(ask.name, ask.label, ask.kind, ask.least, ask.most, leads=True, chips=True)


def _save_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    target = _owner(play, data)
    spent = figure(data, "tp")
    enough(play, target.side, spent)
    return "save", _given(target, spent)


def _owner(play: PlayState, data: Mapping[str, str]) -> Troop:
    target = play.troop(data.get("fighter", ""))
    if not target.owed:
        raise Refusal(_("{name} has no saves to make.").format(name=target.name), mend=_("Continue."), code="done")
    return target


def _save(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    target = _owner(play, data)
    owed = target.owed
    hits, damage = int(owed["hits"]), int(found.effect("damage") or 0)
    made = hits - int(found.effect("failed", 0) or 0)
    delta = int(found.effect("stress_delta") or 0) - int(found.effect("discarded") or 0)
    doing = Doing(play, "save").say(
        _("{name} makes {made} of {saves}: {damage} damage.").format(
            name=target.name, made=made, saves=quantity(hits, "save"), damage=damage
        )
    )
    if delta:
        doing.say(_("Stress {delta:+d}.").format(delta=delta))
        doing.stress(target, delta)
    doing.pay(target.side, figure(data, "tp"))
    doing.fact(target, owed={})
    doing.hurt(target, damage, str(owed["by"]), bound=int(owed["bound"]))
    after = play.idle() if doing.gone(target) and play.facts["active"] == target.key else {}
    return doing.table(**play.on(**after)).act(fighter=target.key)


def _natural_one(play: PlayState, data: Mapping[str, str]) -> tuple[Mapping[str, str], int]:
    return {}, int(ticked(data, "one"))


MOVES: Mapping[str, GloomMove] = {"save": GloomMove(_save_asked, _save, _save_question, _natural_one)}
