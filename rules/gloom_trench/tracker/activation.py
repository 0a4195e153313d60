"""The activation of a unit: its action, Stress, orders, and actions other than shooting and melee.

Source: core rules, Activating Units; Stress Test; Unit Orders; Actions; Rally; Take that Ground; Dig In.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.gloom_trench.interpretations import ACTIVATION_ORDER, DISTANCE_POINTS, chosen
from rules.gloom_trench.resolvers import activation as testing
from rules.gloom_trench.resolvers import rules
from rules.gloom_trench.resolvers.activation import is_tested
from rules.gloom_trench.resolvers.dice import TargetThrow
from rules.gloom_trench.tracker.move import (
    ACTIONS,
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
from rules.gloom_trench.tracker.units import Troop, percent
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, ResultChoice, ResultRow, RollKind, ticked
from rules.translation import gettext as _

FORCED = "advance"


def _activate_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    side = str(play.facts["chit"])
    keys = tuple(troop.key for troop in play.eligible(side)) if side else ()
    known = data.get("fighter") in keys
    asks = [
        Asks("fighter", _("Which unit"), "mine", only=keys, leads=True, quiet=known),
        Asks("action", _("Action"), "option", options=tuple(ACTIONS.items()), chips=True, leads=True),
        Asks("astray", _("Out of coherency: a token, and it must Advance to close up"), quiet=True, leads=True),
        Asks("horror", _("Incursion or Horrific Terrain within 4 MU: a token"), quiet=True, leads=True),
    ]
    kind = RollKind("activate", _("Activate"), "", (), _("a D8 where a test is due"))
    if known:
        troop = play.troop(data["fighter"])
        asks += (
            replace(ask, chips=True, leads=True)
            for ask in own_point(play, troop.side, label=_("A point on the Stress Test: D12 for D8"))
        )
        asks += enemy_point(play, troop, label=_("A point of an opponent against the Stress Test: −1"))
        kind = _with_test(play, troop, data, kind)
    return replace(kind, asks=tuple(asks))


def _with_test(play: PlayState, troop: Troop, data: Mapping[str, str], kind: RollKind) -> RollKind:
    """Return the form with what the Stress Test needs and its two results, if the test is due."""
    if not _tested(play, troop, data):
        return replace(kind, need=_("{name}: no Stress Test is due.").format(name=troop.name))
    try:
        rule, given = _activate_question(play, {"action": "open-up", **data})
        test = testing.test_at_start(play.content, rules.rule_named(rule).read(given))
        throw = testing.stress_throw(play.content, test)
    except Refusal as refusal:
        return replace(kind, odds_words=refusal.message)
    need = _("{name}, Stress Test: {die}, {needs}.").format(name=troop.name, die=throw.die, needs=needs(throw))
    results = (
        ResultChoice("0", _("Failed"), _("its activation is over")),
        ResultChoice("1", _("Passed"), _("it acts")),
    )
    return replace(
        kind, need=need, odds_words=troop.test_words(play.content), results=(ResultRow(_("My die says"), results),)
    )


def _activate_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("choose", _("An activation"))
    troop = play.troop(data.get("fighter", ""))
    if not troop.known:
        raise Refusal(
            _("{name} has no figures yet.").format(name=troop.name), mend=_("Give them first."), code="no-figures"
        )
    if troop.side != play.facts["chit"]:
        raise Refusal(
            _("The chit is one of {name}.").format(name=play.name(str(play.facts["chit"]))),
            mend=_("One of its units acts."),
            code="not-chit",
        )
    if not troop.fighter.fights:
        raise Refusal(_("{name} is not on the table.").format(name=troop.name), mend=_("Choose another."), code="out")
    if troop.key not in {each.key for each in play.eligible(troop.side)}:
        raise Refusal(
            _("{name} has been activated this turn, and others have not.").format(name=troop.name),
            mend=_("Choose one of them."),
            code="acted",
        )
    if data.get("action") not in ACTIONS:
        raise Refusal(_("No action is declared."), mend=_("Choose one."), code="no-action")
    given = {
        "command": troop.command(play.content), "stress": troop.stress, "coherent": not ticked(data, "astray"),
        "near_horror": ticked(data, "horror"), "action": data["action"],
    }  # fmt: skip
    plainly = _tested(play, troop, data)
    spent, enemy = figure(data, "tp"), enemy_spends(play, troop.side, data)
    if plainly and (spent or enemy):
        enough(play, troop.side, spent)
        if enemy:
            enough(play, enemy, 1)
        given |= {"tp": spent, "opponent_tp": int(bool(enemy))}
    return "start-activation", given


def _tested(play: PlayState, troop: Troop, data: Mapping[str, str]) -> bool:
    """Return whether a test is due with the tokens of this activation. If not, no point is spent on it."""
    tokens = ticked(data, "astray") + ticked(data, "horror")
    counting = tokens if chosen(play.content, ACTIVATION_ORDER) == "tokens-first" else 0
    action: Any = FORCED if ticked(data, "astray") else data.get("action", "none")
    return is_tested(play.content, troop.command(play.content), troop.stress + counting, action)


def _activate(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data["fighter"])
    action = str(found.effect("forced_action") or data["action"])
    doing = Doing(play, "activate")
    doing.acted(troop)
    if troop.facts.get("dug_in"):
        doing.fact(troop, dug_in=False)
    tokens, removed = int(found.effect("tokens", 0)), int(found.effect("removed", 0))
    doing.stress(troop, tokens - removed)
    tested = found.effect("test_needed")
    if tested:
        doing.pay(troop.side, figure(data, "tp"))
        if enemy := enemy_spends(play, troop.side, data):
            doing.pay(enemy, 1)
    doing.say(f"{troop.name}: {ACTIONS[action]}.")
    if tokens:
        doing.say(_("{tokens} more Stress.").format(tokens=tokens))
    if found.outcome == "fails":
        doing.say(_("The Stress Test fails: its activation is over."))
        return doing.table(**play.on(**play.idle())).act(fighter=troop.key)
    if tested:
        doing.say(_("The Stress Test is passed") + (_(", a token comes off.") if removed else "."))
    facts = play.on(phase="unit", active=troop.key, action=action, done=False, chit="")
    return doing.table(**facts).act(fighter=troop.key)


def _begin_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    side = str(play.facts["chit"])
    keys = tuple(troop.key for troop in play.eligible(side)) if side else ()
    asks = (
        Asks("fighter", _("Which unit"), "mine", only=keys),
        Asks("action", _("Action"), "option", options=tuple(ACTIONS.items())),
    )
    return RollKind(
        "begin", _("Activate"), _("In coherency, nothing horrid near, no Stress Test due."), asks, move=True
    )


def _begin(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    """Activate without a die: declared with one press."""
    told = {name: data.get(name, "") for name in ("fighter", "action")}
    rule, given = _activate_question(play, told)
    if _tested(play, play.troop(told["fighter"]), told):
        raise Refusal(_("A Stress Test is due."), mend=_("Activate it with its test."), code="test")
    return _activate(play, told, play.rule(rule, given))


# --- orders


def commander_near(play: PlayState, troop: Troop) -> float | None:
    """Return the farthest distance at which a friendly Commander lets others use orders, or None if there is none."""
    reach = [other.tactics for other in play.troops(troop.side) if other.key != troop.key and other.tactics is not None]
    return max(reach, default=None)


def led(troop: Troop) -> bool:
    """Return whether the unit needs no Commander near for its orders."""
    return troop.has_leader or troop.tactics is not None


def orders_closed(play: PlayState, troop: Troop) -> str:
    """Return why the unit cannot use a Unit Order at any distance, or "" if it may."""
    if not play.pool(troop.side):
        return _("The Tactical Pool is empty.")
    if play.facts["action"] == "dig-in" and play.facts["done"]:
        return _("Its activation ended with digging in.")
    if not led(troop) and commander_near(play, troop) is None:
        return _("It has no Squad Leader, and there is no Commander.")
    return ""


def _order_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    troop = play.active
    keys = (troop.key,) if troop is not None else ()
    options = tuple((str(place), name) for place, name in enumerate(troop.orders)) if troop is not None else ()
    asks = [
        Asks("fighter", _("Which unit"), "mine", only=keys),
        Asks("order", _("Unit Order"), "option", options=options),
    ]
    if troop is not None and not led(troop):
        asks.append(Asks("far", _("MU to the nearest Commander"), "number", 0, 200))
    return RollKind(
        "order", _("Unit Order"), _("One Tactical Point, before or after the action."), tuple(asks), move=True
    )


def _order(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("unit", _("A Unit Order"))
    troop = play.acting(data)
    order = data.get("order", "")
    if not order.isascii() or not order.isdigit() or len(order) > 3 or int(order) >= len(troop.orders):
        raise Refusal(
            _("{name} has no such Unit Order.").format(name=troop.name),
            mend=_("Choose one of its own."),
            code="no-choice",
        )
    if orders_closed(play, troop):
        raise Refusal(orders_closed(play, troop), mend=_("Leave it."), code="closed")
    told: dict[str, Any] = {"active": True, "leader_alive": led(troop), "pool": play.pool(troop.side)}
    if not led(troop):
        if not data.get("far", "").strip():
            raise Refusal(_("How far the Commander is, is not told."), mend=_("Measure, and say it."), code="number")
        told |= {"commander_distance": figure(data, "far"), "tactics_range": commander_near(play, troop)}
    may = play.rule("may-use-orders", told)
    if may.outcome != "yes":
        raise Refusal(may.told, mend=_("Leave it."), code="closed")
    doing = Doing(play, "order").say(
        _("{name} uses {orders}: a point of {name_2}.").format(
            name=troop.name, orders=troop.orders[int(order)], name_2=play.name(troop.side)
        )
    )
    doing.pay(troop.side, 1)
    return doing.table(**play.within()).act(fighter=troop.key)


# --- actions


def undone(play: PlayState, action: str | tuple[str, ...], data: Mapping[str, str]) -> Troop:
    """Return the active unit if it declared this action and has not carried it out. Raises Refusal otherwise."""
    play.must("unit", ACTIONS.get(action, _("This")) if isinstance(action, str) else _("This"))
    troop = play.acting(data)
    wanted = action if isinstance(action, tuple) else (action,)
    if play.facts["action"] not in wanted:
        raise Refusal(
            _("{troop} declared {actions}.").format(troop=troop.name, actions=ACTIONS[str(play.facts["action"])]),
            mend=_("It does that, or nothing."),
            code="action",
        )
    if play.facts["done"]:
        raise Refusal(_("{name} has done that.").format(name=troop.name), mend=_("End its activation."), code="done")
    return troop


def _mine(play: PlayState) -> Asks:
    troop = play.active
    return Asks(
        "fighter", _("Which unit"), "mine", only=(troop.key,) if troop is not None else (), quiet=troop is not None
    )


def distance_point(play: PlayState, side: str) -> tuple[Asks, ...]:
    """Return the question for a bigger distance die, which is free under one reading."""
    if chosen(play.content, DISTANCE_POINTS) == "none":
        return (Asks("tp", _("A D8 for the D6")),)
    return (
        (Asks("tp", _("A point of {name}: a D8 for the D6").format(name=play.name(side))),) if play.pool(side) else ()
    )


def pay_distance(play: PlayState, doing: Doing, side: str, data: Mapping[str, str]) -> None:
    """Pay the point for a bigger distance die."""
    if ticked(data, "tp") and chosen(play.content, DISTANCE_POINTS) != "none":
        doing.pay(side, 1)


def can_pay_distance(play: PlayState, side: str, data: Mapping[str, str]) -> int:
    """Return 1 if the player wants the bigger die, else 0. Raises Refusal if it cannot be paid."""
    if ticked(data, "tp") and chosen(play.content, DISTANCE_POINTS) != "none":
        enough(play, side, 1)
    return int(ticked(data, "tp"))


def _ground_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    extra = distance_point(play, play.active.side) if play.active else ()
    return RollKind(
        "ground", _("Take that Ground"), _("5 MU and the die."), (_mine(play), *extra), _("a D6, or a D8 with a point"),
        results=(counted_row(_("My die says"), 8 if ticked(data, "tp") else 6, least=1),),
    )  # fmt: skip


def _ground_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    troop = undone(play, "take-that-ground", data)
    return "take-that-ground", {"tp": can_pay_distance(play, troop.side, data)}


def _ground(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.acting(data)
    doing = Doing(play, "ground").say(_("{troop}, Take that Ground: {told}").format(troop=troop.name, told=found.told))
    pay_distance(play, doing, troop.side, data)
    return doing.table(**play.within(done=True)).act(fighter=troop.key)


def _rally_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    asks: tuple[Asks, ...] = (_mine(play),)
    odds = ""
    results: tuple[ResultRow, ...] = ()
    if play.active is not None:
        troop = play.active
        results = (counted_row(_("Tokens off on my dice"), troop.stress),)
        asks = (*asks, *own_point(play, troop.side), *enemy_point(play, troop))
        throw = TargetThrow("D6", troop.command(play.content))
        odds = _("{stress} D6, a token off on {need}+, {percent} each.").format(
            stress=troop.stress, need=throw.need, percent=percent(throw.odds)
        )
    return RollKind(
        "rally",
        _("Rally"),
        _("A D6 for each token, Command added; a token off for each success."),
        asks,
        _("a D6 for each token"),
        need=odds,
        results=results,
    )


def _rally_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    troop = undone(play, "rally", data)
    if not troop.stress:
        raise Refusal(_("{name} has no Stress.").format(name=troop.name), mend=_("End its activation."), code="done")
    spent, enemy = figure(data, "tp"), enemy_spends(play, troop.side, data)
    enough(play, troop.side, spent)
    if enemy:
        enough(play, enemy, 1)
    return "rally", {
        "command": troop.command(play.content),
        "stress": troop.stress,
        "tp": spent,
        "opponent_tp": int(bool(enemy)),
    }


def _rally(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.acting(data)
    doing = Doing(play, "rally").say(_("{troop} rallies: {told}").format(troop=troop.name, told=found.told))
    doing.pay(troop.side, figure(data, "tp"))
    if enemy := enemy_spends(play, troop.side, data):
        doing.pay(enemy, 1)
    doing.stress(troop, -int(found.effect("removed", 0)))
    return doing.table(**play.within(done=True)).act(fighter=troop.key)


def _dig_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "dig",
        _("Dig in"),
        _("+1 on its saves until it is activated again. Its activation ends with it."),
        (_mine(play),),
        move=True,
    )


def _dig(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = undone(play, "dig-in", data)
    doing = Doing(play, "dig").say(_("{name} digs in; its activation is over.").format(name=troop.name))
    doing.fact(troop, dug_in=True)
    return doing.table(**play.on(**play.idle())).act(fighter=troop.key)


def _end_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "end", _("End the activation"), _("The next chit is drawn."), (Asks("side", _("Whose"), "side"),), move=True
    )


def end_of(play: PlayState, whose: str) -> dict[str, Any]:
    """Return the facts after the active unit's activation; `whose` is the unit or its side. Raises Refusal if it cannot end now."""
    play.must(("unit", "reaction", "melee"), _("The end of an activation"))
    troop = play.active
    if troop is None:
        raise Refusal(_("No unit is active."), mend=_("Draw a chit."), code="not-active")
    if whose not in ("", troop.side, troop.key):
        raise Refusal(
            _("{name} is active, of {name_2}.").format(name=troop.name, name_2=play.name(troop.side)),
            mend=_("Its player ends that."),
            code="not-yours",
        )
    if play.phase != "unit" and troop.fighter.fights and play.troop(str(play.charge["target"])).fighter.fights:
        raise Refusal(_("The charge is not fought out."), mend=_("Go on with it."), code="phase")
    return play.idle()


def _end(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    after, troop = end_of(play, data.get("side", "")), play.active
    assert troop is not None
    doing = Doing(play, "end").say(_("{name}: its activation is over.").format(name=troop.name))
    return doing.table(**play.on(**after)).act(side=troop.side)


MOVES: Mapping[str, GloomMove] = {
    "activate": GloomMove(_activate_asked, _activate, _activate_question, plainly),
    "begin": GloomMove(_begin_asked, _begin),
    "order": GloomMove(_order_asked, _order),
    "ground": GloomMove(_ground_asked, _ground, _ground_question, plainly),
    "rally": GloomMove(_rally_asked, _rally, _rally_question, plainly),
    "dig": GloomMove(_dig_asked, _dig),
    "end": GloomMove(_end_asked, _end),
}
