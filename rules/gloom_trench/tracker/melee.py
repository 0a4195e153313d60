"""A charge: its distance, the defender's reaction, and the rounds of melee until it ends.

Source: core rules, Charge; Brace for Melee; Hold and Shoot; Fighting in Melee.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.formatting import joined, quantity
from rules.gloom_trench.interpretations import LOSER_STRESS, chosen
from rules.gloom_trench.resolvers import rules
from rules.gloom_trench.resolvers.melee import SAVE_OF_ACTIVE, SAVE_OF_DEFENDER
from rules.gloom_trench.resolvers.melee import ready as ready_of
from rules.gloom_trench.tracker.activation import can_pay_distance, distance_point, pay_distance, undone
from rules.gloom_trench.tracker.move import (
    COVERS,
    Doing,
    GloomMove,
    PlayState,
    counted_row,
    enemy_point,
    enemy_spends,
    enough,
    figure,
    needs,
    own_point,
    plainly,
)
from rules.gloom_trench.tracker.owed import refuse_owing
from rules.gloom_trench.tracker.shooting import (
    cover_asks,
    folded,
    hits_only,
    los_asks,
    refuse_unpaid,
    saved_as,
    seeing,
    special_asks,
    suffer,
    target_asks,
    without_saves,
)
from rules.gloom_trench.tracker.units import Troop, percent
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.resolvers.told import NeedResult
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.translation import gettext as _

GAPS = (
    ("7", _("7 or less")),
    *((str(gap), str(gap)) for gap in range(8, 16)),
)  # up to 7 it moves 5 MU at most: no reaction
ROLLED_STEPS = 4  # hits and saves of both sides; more if the moves were rolled too
MOST_SPREAD = 24  # up to this many models on both sides, a page calculates the odds of a whole melee


def _charge_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    troop = play.active
    asks: list[Asks] = [
        Asks(
            "fighter", _("Which unit"), "mine", only=(troop.key,) if troop is not None else (), quiet=troop is not None
        )
    ]
    if troop is not None:
        asks += [
            Asks("target", _("Nearest enemy"), "foe", only=play.foes(troop.side) or ("",), leads=True, chips=True),
            Asks("gap", _("Gap in MU, rounded up"), "number", 0, 60, options=GAPS, chips=True),
            Asks("cover", _("It stands in"), "option", options=COVERS, chips=True, usual=COVERS[0][0]),
            *(replace(ask, chips=True, leads=True) for ask in distance_point(play, troop.side)),
        ]
    odds = ""
    if data.get("gap", "").isdigit() and len(data["gap"]) < 4:
        gap = int(data["gap"])
        plainly, pointed = _reaches(gap, 6), _reaches(gap, 8)
        odds = _("Contact on a D6: {percent}; on a D8: {percent_2}.").format(
            percent=percent(plainly), percent_2=percent(pointed)
        )
    return RollKind(
        "charge",
        _("Charge"),
        _("5 MU and the die have to come within 2 MU."),
        tuple(asks),
        _("a D6, or a D8 with a point"),
        odds_words=odds,
        results=(counted_row(_("My die says"), 8 if ticked(data, "tp") else 6, least=1),) if odds else (),
    )


def _reaches(gap: int, sides: int) -> Fraction:
    return Fraction(max(0, min(sides, sides + 1 - max(1, gap - 7))), sides)


def _charge_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    troop = undone(play, "charge", data)
    if data.get("target") not in play.foes(troop.side):
        raise Refusal(_("That is no unit to charge."), mend=_("Choose an enemy on the table."), code="no-choice")
    if not data.get("gap", "").strip():
        raise Refusal(
            _("The distance is not told."), mend=_("Measure between the closest models, in MU."), code="number"
        )
    return "charge-move", {"gap": figure(data, "gap"), "tp": can_pay_distance(play, troop.side, data)}


def _charge(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop, target = play.acting(data), play.troop(data["target"])
    doing = Doing(play, "charge").say(
        _("{name} charges {target_name}: reach {effect:g} MU.").format(
            name=troop.name, target_name=target.name, effect=float(found.effect("reach"))
        )
    )
    pay_distance(play, doing, troop.side, data)
    if not found.effect("contact"):
        doing.say(_("Too short: no move, the activation is over."))
        return doing.table(**play.on(**play.idle())).act(fighter=troop.key)
    reacts = bool(found.effect("may_react")) and play.pool(target.side) > 0
    charge = {
        "target": target.key, "moved": float(found.effect("moved") or 0), "cover": data.get("cover") or "none", "braced": False, "held": False, "round": 1,
    }  # fmt: skip
    doing.say(_("Contact.") + (_(" {name} may react.").format(name=play.name(target.side)) if reacts else ""))
    facts = play.on(phase="reaction" if reacts else "melee", charge=charge, done=True)
    return doing.table(**facts).act(fighter=troop.key)


# --- reaction


def defender(play: PlayState) -> Troop:
    """Return the unit that is charged. Raises Refusal outside of a charge."""
    if not play.charge:
        raise Refusal(_("No unit is being charged."), mend=_("See what is to do now."), code="phase")
    return play.troop(str(play.charge["target"]))


def _react_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    options = (("none", _("No reaction")), ("brace", _("Brace for Melee, a point")))
    target = defender(play) if play.charge else None
    keys = (target.key,) if target is not None else ()
    asks = (Asks("fighter", _("Who reacts"), "mine", only=keys), Asks("how", _("Reaction"), "option", options=options))
    return RollKind("react", _("React"), _("Braced, the charger has no +1."), asks, move=True)


def _reacting(play: PlayState, data: Mapping[str, str]) -> Troop:
    play.must("reaction", _("A reaction"))
    target = defender(play)
    if data.get("fighter") != target.key:
        raise Refusal(
            _("{name} is charged.").format(name=target.name), mend=_("Only this unit can react."), code="no-choice"
        )
    if not target.fighter.fights:
        raise Refusal(
            _("{name} is no longer on the table.").format(name=target.name), mend=_("End the activation."), code="out"
        )
    return target


def _react(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    target = _reacting(play, data)
    doing = Doing(play, "react")
    how = data.get("how", "")
    if how not in ("none", "brace"):
        raise Refusal(_("No reaction is chosen."), mend=_("Brace, or none."), code="no-choice")
    if how == "brace":
        enough(play, target.side, 1)
        doing.pay(target.side, 1)
    doing.say(
        _("{name} braces for melee.").format(name=target.name)
        if how == "brace"
        else _("{name} does not react.").format(name=target.name)
    )
    return doing.table(**play.on(phase="melee", charge={**play.charge, "braced": how == "brace"})).act(
        fighter=target.key
    )


def _hold_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    asks: list[Asks] = []
    if play.charge and play.active is not None:
        target, charger = defender(play), play.active
        asks = [
            Asks("fighter", _("Who reacts"), "mine", only=(target.key,)),
            *los_asks(target, target.size), *cover_asks(play, charger, _("Cover of the charger")),
        ]  # fmt: skip
        if play.pool(target.side) > 1:
            asks += own_point(play, target.side)
        asks += [*enemy_point(play, target), *target_asks(play, charger, target.side), *special_asks()]
    return RollKind(
        "hold",
        _("Hold and Shoot"),
        _("A point, then a shot with D6 at the charger, whose saves have d+1."),
        tuple(asks),
        _("the attack dice, then a save for each hit"),
    )


def _hold_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    target, charger = _reacting(play, data), play.active
    if charger is None or not charger.fighter.fights:
        raise Refusal(_("The charger is no longer on the table."), mend=_("End the activation."), code="out")
    refuse_unpaid(play, data, target.side, charger, extra=target.side)
    seen = seeing(target, data)
    groups = [{"models": min(100, seen[w.place] * w.per_model), "die": "D6"} for w in target.weapons if w.place in seen]

    given = {
        "reaction": "hold-and-shoot", "pool": play.pool(target.side), "moved": play.charge["moved"], "groups": groups,
        "tp": figure(data, "tp"), "opponent_tp": int(bool(enemy_spends(play, target.side, data))), "shooter_stress": target.stress,
        "damage": target.damage, **saved_as(play, charger, data, target.side),
    }  # fmt: skip
    return "charge-reaction", without_saves(given, data)


def _hold(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    target, charger = _reacting(play, data), play.active
    assert charger is not None
    if found.outcome == "not-allowed":
        raise Refusal(found.told, mend=_("Go on without."), code="closed")
    doing = Doing(play, "hold").say(
        _("{target} holds and shoots at {charger}:").format(target=target.name, charger=charger.name)
    )
    doing.pay(target.side, 1)
    shot = {**saved_as(play, charger, data, target.side), "damage": target.damage, "hold_and_shoot": True}
    suffer(play, doing, data, found, target.side, charger, shot)
    if doing.gone(charger):
        return doing.table(**play.on(**play.idle())).act(fighter=target.key)
    return doing.table(**play.on(phase="melee", charge={**play.charge, "held": True})).act(fighter=target.key)


def _apart_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    troop = play.active
    keys = (troop.key,) if troop is not None else ()
    return RollKind(
        "apart",
        _("No model in contact"),
        _("After the shots no charging model is within 2 MU: no melee."),
        (Asks("fighter", _("Which unit"), "mine", only=keys),),
        move=True,
    )


def _apart(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("melee", _("That"))
    troop = play.acting(data)
    if not play.charge.get("held") or play.charge["round"] != 1:
        raise Refusal(_("The melee is fought out."), mend=_("Fight the round."), code="phase")
    doing = Doing(play, "apart").say(_("No model of {name} is in contact: no melee.").format(name=troop.name))
    return doing.table(**play.on(phase="unit", charge={})).act(fighter=troop.key)


# --- melee


def _fight_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    troop = play.active
    only = (troop.key,) if troop is not None else ()
    asks: list[Asks] = [Asks("fighter", _("Which unit"), "mine", only=only, quiet=troop is not None)]
    rare: list[Asks] = []
    odds = ""
    if troop is not None and play.charge and play.phase == "melee":
        target = defender(play)
        rare.append(Asks("moves", _("Roll the D3 of both moves"), usual="1"))
        asks.append(
            Asks(
                "cover",
                _("The defender stands in"),
                "option",
                options=COVERS,
                chips=True,
                usual=str(play.charge["cover"]),
            )
        )
        for name, own, enemy in (("active", troop, target), ("defender", target, troop)):
            rare += own_point(
                play, own.side, f"{name}_tp", _("Attack: a point of {name}").format(name=play.name(own.side)), own.name
            )
            rare += enemy_point(
                play,
                own,
                f"{name}_enemy",
                _("Attack: a point of {name}, −1").format(name=play.name(enemy.side)),
                own.name,
                enemy.side,
            )
            rare.append(Asks(f"{name}_mod", _("Attack: special rules add"), "number", -6, 6, group=own.name))
            rare += own_point(
                play,
                own.side,
                f"{name}_save_tp",
                _("Saves: a point of {name}").format(name=play.name(own.side)),
                own.name,
            )
            rare += enemy_point(
                play,
                own,
                f"{name}_save_enemy",
                _("Saves: a point of {name}, −1").format(name=play.name(enemy.side)),
                own.name,
                enemy.side,
            )
            if own.stress:
                rare.append(Asks(f"{name}_discard", _("Saves: one of its tokens is discarded, −1"), group=own.name))
        odds = fight_odds(play) if data.get("fighter") else ""
    return RollKind(
        "fight",
        _("Fight a round"),
        _("Both roll, both save; more damage taken loses and is removed."),
        (*asks, *folded(rare)),
        _("both pools, then the saves of defender and attacker"),
        odds_words=odds,
    )


def fight_odds(play: PlayState) -> str:
    """Return the odds of the next round, and of the whole melee if the units are small enough, without points."""
    troop = play.active
    if troop is None or not troop.fighter.fights or not defender(play).fighter.fights:
        return ""
    given = _round(play, troop, defender(play), {})
    try:
        first = rules.odds(play.content, "melee-round", given).outcomes
        words = _("This round: won {percent}, level {percent_2}, lost {percent_3}.").format(
            percent=percent(first.get("win", 0)),
            percent_2=percent(first.get("draw", 0)),
            percent_3=percent(first.get("lose", 0)),
        )
        if troop.size + defender(play).size <= MOST_SPREAD:
            end = rules.odds(play.content, "melee", given).outcomes
            words += _(" In the end: won {percent}.").format(percent=percent(end.get("win", 0)))
    except Refusal as refusal:
        return refusal.message
    return words


def _side(troop: Troop, data: Mapping[str, str], name: str) -> dict[str, Any]:
    return {
        **troop.told(), "tp": figure(data, f"{name}_tp"), "opponent_tp": int(ticked(data, f"{name}_enemy")),
        "roll_mods": figure(data, f"{name}_mod"), "save_tp": figure(data, f"{name}_save_tp"),
        "save_opponent_tp": int(ticked(data, f"{name}_save_enemy")),
        "discard": int(ticked(data, f"{name}_discard") and bool(troop.stress)),
    }  # fmt: skip


def _round(play: PlayState, troop: Troop, target: Troop, data: Mapping[str, str]) -> dict[str, Any]:
    return {
        "active": _side(troop, data, "active"), "defender": _side(target, data, "defender"), "charge": True,
        "braced": bool(play.charge["braced"]), "round": int(play.charge["round"]), "moves": ticked(data, "moves"),
        "cover": data.get("cover") or str(play.charge["cover"]),
    }  # fmt: skip


def _bill(data: Mapping[str, str], troop: Troop, target: Troop, saves: tuple[bool, bool]) -> dict[str, int]:
    """Return the points spent in a round, by side. A save that nobody had to make costs nothing."""
    bill = {troop.side: 0, target.side: 0}
    for name, own, enemy, saved in (("active", troop, target, saves[0]), ("defender", target, troop, saves[1])):
        bill[own.side] += figure(data, f"{name}_tp") + (figure(data, f"{name}_save_tp") if saved else 0)
        bill[enemy.side] += ticked(data, f"{name}_enemy") + (ticked(data, f"{name}_save_enemy") if saved else 0)
    return bill


def _pair(play: PlayState, data: Mapping[str, str]) -> tuple[Troop, Troop]:
    """Return the charger and the defender of the round. Raises Refusal."""
    play.must("melee", _("A round of melee"))
    troop, target = play.acting(data), defender(play)
    if not target.fighter.fights:
        raise Refusal(
            _("{name} is no longer on the table.").format(name=target.name), mend=_("End the activation."), code="out"
        )
    for each in (troop, target):
        refuse_owing(each)
    waiting = next((each for each in (troop, target) if each.waiting), None)
    if waiting is not None:
        raise Refusal(
            _("{name} has losses to place first.").format(name=waiting.name),
            mend=_("Then the next round is fought."),
            code="phase",
        )
    return troop, target


def _fight_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    troop, target = _pair(play, data)
    for side, count in _bill(data, troop, target, (True, True)).items():
        enough(play, side, count)
    return "melee-round", _round(play, troop, target, data)


def _fight(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop, target = _pair(play, data)
    result = str(found.effect("result"))
    by_defender, by_attacker = found.steps[-2], found.steps[-1]  # saves of the defender, then of the active unit
    doing = Doing(play, "fight")
    number = int(play.charge["round"])
    if len(found.steps) > ROLLED_STEPS:
        doing.say(
            _("Round {number}, D3 moves {total} and {total_2}:").format(
                number=number, total=found.steps[0].total, total_2=found.steps[1].total
            )
        )
    else:
        doing.say(_("Round {number}:").format(number=number))
    to_active, to_defender = int(found.effect("damage_to_active")), int(found.effect("damage_to_defender"))
    doing.say(
        _(
            "{name} has {quantity} and takes {to_active} damage, {target_name} has {quantity_2} and takes "
            "{to_defender}."
        ).format(
            name=troop.name,
            quantity=quantity(int(found.effect("hits_active")), "hit"),
            to_active=to_active,
            target_name=target.name,
            quantity_2=quantity(int(found.effect("hits_defender")), "hit"),
            to_defender=to_defender,
        )
    )
    for side, count in _bill(data, troop, target, (bool(by_attacker.rolled), bool(by_defender.rolled))).items():
        doing.pay(side, count)
    mourned = chosen(play.content, LOSER_STRESS) == "yes"
    gone = set(found.effect("removed") or ())
    rows = (("active", troop, to_active, by_attacker, target), ("defender", target, to_defender, by_defender, troop))
    for name, own, damage, saves, enemy in rows:
        if name in gone:
            doing.destroy(own, enemy.side, mourned=mourned or damage >= own.capacity)
            continue
        delta = int(found.effect(f"stress_{name}") or 0) - int(saves.effect("discarded") or 0)
        if delta:
            doing.stress(own, delta)
        doing.hurt(own, damage, enemy.side)
    if result == "draw" and not found.effect("stalemate"):
        doing.say(_("Level: another round."))
        cover = data.get("cover") or str(play.charge["cover"])
        return doing.table(**play.on(charge={**play.charge, "round": number + 1, "cover": cover})).act(
            fighter=troop.key
        )
    if result == "draw":
        doing.say(_("Neither can hurt the other: the melee ends."))
    if doing.gone(troop):
        return doing.table(**play.on(**play.idle())).act(fighter=troop.key)
    return doing.table(**play.on(phase="unit", charge={})).act(fighter=troop.key)


def _fight_told(play: PlayState, data: Mapping[str, str]) -> tuple[Mapping[str, str], Mapping[str, int]]:
    """Return what counted dice of a round add: nobody tells the D3 of the moves, and each side may have saved with a natural 1."""
    ones = {SAVE_OF_DEFENDER: int(ticked(data, "defender_one")), SAVE_OF_ACTIVE: int(ticked(data, "active_one"))}
    return {"moves": ""}, ones


def _fight_counting(play: PlayState, data: Mapping[str, str], rows: Sequence[int], kind: RollKind) -> RollKind:
    """Return the form with the next number to tell: hits of both sides, then the saves of both."""
    more, _ones = _fight_told(play, data)
    try:
        troop, target = _pair(play, {"fighter": play.active.key if play.active else "", **data})
        given = _round(play, troop, target, {**data, **more})
        rules.resolve_told(play.content, "melee-round", given, rows)
        return kind
    except NeedResult as need:
        throw = need.throw
    except Refusal:
        return kind
    ready = rules.rule_named("melee-round").read(given)
    what, _comma, how = throw.why.partition(", ")
    saving = {SAVE_OF_DEFENDER: target, SAVE_OF_ACTIVE: troop}
    if (own := saving.get(what)) is not None:
        ones = (("defender_one", target), ("active_one", troop))[: 1 if own is target else 2]
        asks = [Asks(name, _("{name}: a natural 1 fell").format(name=unit.name), chips=True) for name, unit in ones]
        need_words = _("{name}: {count} on {how}.").format(
            name=own.name, count=quantity(throw.pool.base, "save"), how=how
        )
        row = counted_row(_("Saves that {name} made").format(name=own.name), throw.pool.base)
        return replace(
            kind,
            asks=(*kind.asks, *asks),
            need=need_words,
            results=(row,),
            follows=own is target and rows[-1] > 0,
            odds_words="",
        )
    is_active = not rows
    pools = ready_of(play.content, ready, is_active).pools
    own = troop if is_active else target
    dice = joined(_("{count} {die}, each {needs}").format(count=n, die=t.die, needs=needs(t)) for n, t in pools)
    row = counted_row(_("Hits of {name}").format(name=own.name), sum(n for n, _t in pools))
    need_words = _("{name}: roll {dice}.").format(name=own.name, dice=dice)
    return replace(kind, need=need_words, results=(row,), follows=True)


MOVES: Mapping[str, GloomMove] = {
    "charge": GloomMove(_charge_asked, _charge, _charge_question, plainly),
    "react": GloomMove(_react_asked, _react),
    "hold": GloomMove(_hold_asked, _hold, _hold_question, hits_only),
    "apart": GloomMove(_apart_asked, _apart),
    "fight": GloomMove(_fight_asked, _fight, _fight_question, _fight_told, _fight_counting),
}
