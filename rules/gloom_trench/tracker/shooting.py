"""The shooting of a unit: weapons at a distance, models that see the target, cover and other modifiers, saves, and
losses.

Source: core rules, Shooting; Splitting Fire; Shooting and Cover; Obscured; Saving Throws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rules.formatting import joined, quantity
from rules.gloom_trench.resolvers import rules
from rules.gloom_trench.resolvers import shooting as shots
from rules.gloom_trench.resolvers.dice import LADDER
from rules.gloom_trench.tracker.activation import undone
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
)
from rules.gloom_trench.tracker.owed import owe, refuse_owing
from rules.gloom_trench.tracker.units import TrackedWeapon, Troop, percent
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.translation import gettext as _
from rules.translation import ngettext

MOST_SHOTS = 2
WAYS = (("open-up", _("Open Up: it stays")), ("advance", _("Advance: it moves, −1")))
SAVES = _("The target's saves")
SPECIAL = _("Special rules")
COVER = _("Where the target stands")
POINTS_SPENT = _("Tactical Points")


# --- questions shared by all attacks on a unit


def target_asks(play: PlayState, target: Troop, attacker: str) -> tuple[Asks, ...]:
    """Return the questions about the target's saves: points of both sides, and a discarded token."""
    asks = [
        Asks(
            "ask_saves",
            _("Who rolls them"),
            "option",
            options=(("1", play.name(target.side)), ("0", _("Rolled with the attack"))),
            usual="1",
            group=SAVES,
        ),
        *own_point(
            play,
            target.side,
            "save_tp",
            _("A point of {side} for a bigger die").format(side=play.name(target.side)),
            SAVES,
        ),
        *enemy_point(
            play, target, "save_enemy_tp", _("A point of {side}: −1").format(side=play.name(attacker)), SAVES, attacker
        ),
    ]
    if target.stress:
        asks.append(Asks("discard", _("A token of {name} is discarded: −1").format(name=target.name), group=SAVES))
    return folded(asks)


def folded(asks: Iterable[Asks]) -> tuple[Asks, ...]:
    """Return these questions folded away: most attacks need none of them."""
    return tuple(replace(ask, quiet=True) for ask in asks)


def special_asks() -> tuple[Asks, ...]:
    return folded((
        Asks("dice_mod", _("Dice: d+1 or d−1"), "number", -4, 4, group=SPECIAL),
        Asks("roll_mod", _("Added to the attack"), "number", -6, 6, group=SPECIAL),
        Asks("save_mod", _("Added to the saves"), "number", -6, 6, group=SPECIAL),
        Asks("ignores_saves", _("No saves allowed, Obscured ignored"), group=SPECIAL),
    ))  # fmt: skip


def cover_asks(play: PlayState, target: Troop, label: str = _("Cover")) -> tuple[Asks, ...]:
    """Return the questions about cover and what makes the target Obscured: own rules by name, others by their number."""
    names = dict.fromkeys(name for troop in play.troops(target.side) for name in troop.obscurings)
    return (
        Asks("cover", label, "option", options=COVERS, chips=True, usual=COVERS[0][0]),
        *(Asks(f"obscured_{place}", _("Obscured by {name}").format(name=name), chips=True) for place, name in enumerate(names)),
        *folded((
            Asks("obscured", _("Other names that obscure"), "number", 0, 6, group=COVER),
            Asks("bound", _("Aimed at the lighter part: models there"), "number", 0, 60, group=COVER),
        )),
    )  # fmt: skip


def obscured_by(play: PlayState, target: Troop, data: Mapping[str, str]) -> list[str]:
    """Return the names of what makes the target Obscured besides its cover."""
    names = list(dict.fromkeys(name for troop in play.troops(target.side) for name in troop.obscurings))
    found = [name for place, name in enumerate(names) if ticked(data, f"obscured_{place}")]
    return [
        *found,
        *(_("further name {place}").format(place=place) for place in range(1, figure(data, "obscured") + 1)),
    ]


def los_asks(troop: Troop, most: int, *, shared: bool = False) -> tuple[Asks, ...]:
    """Return the questions of how many models shoot at the target, weapon by weapon. They stand in view where fire is `shared` out."""
    asks = tuple(
        Asks(
            f"los_{weapon.place}",
            _("{weapon}: models that shoot, {left} left").format(weapon=weapon.name, left=min(weapon.bearers, most)),
            "number",
            0,
            min(weapon.bearers, most),
            usual=str(min(weapon.bearers, most)),
            chips=shared,
        )
        for weapon in troop.weapons
    )
    return asks if shared else folded(asks)


def reach_stops(weapons: Iterable[TrackedWeapon]) -> tuple[tuple[str, str], ...]:
    """Return the distances at which a die of these weapons changes, as figures with their words: ("16", "to 16 MU")."""
    stops = sorted({reach for weapon in weapons for reach, _die in weapon.bands})
    return tuple((f"{stop:g}", _("to {reach:g} MU").format(reach=stop)) for stop in stops)


def seeing(troop: Troop, data: Mapping[str, str]) -> dict[int, int]:
    """Return how many models shoot, by the weapon's index. Raises Refusal for more than carry it."""
    found: dict[int, int] = {}
    for weapon in troop.weapons:
        count = figure(data, f"los_{weapon.place}")
        if not 0 <= count <= weapon.bearers:
            raise Refusal(
                _("{quantity} {name}; {count} do not fit.").format(
                    quantity=quantity(weapon.bearers, _("model bears"), _("models bear")), name=weapon.name, count=count
                ),
                mend=_("Count them."),
                code="number",
            )
        if count:
            found[weapon.place] = count
    if not found:
        raise Refusal(_("No model sees the target."), mend=_("Say how many models do, or cancel."), code="no-dice")
    return found


def saved_as(play: PlayState, target: Troop, data: Mapping[str, str], attacker: str) -> dict[str, Any]:
    """Return the part of a shot's input that concerns its target. Raises Refusal for points that nobody has."""
    refuse_waiting(target)
    spent, enemy = figure(data, "save_tp"), ticked(data, "save_enemy_tp")
    models = target.standing
    return {
        "save_die": target.save, "save_tp": spent, "save_opponent_tp": int(enemy),
        "save_roll_mods": figure(data, "save_mod"), "dug_in": bool(target.facts.get("dug_in")),
        "discard": int(ticked(data, "discard") and bool(target.stress)), "target_stress": target.stress,
        "target_models": target.size, "small": target.small, "wounds": min((m.wounds for m in models), default=1),
        "recorded_damage": int(target.facts.get("recorded_damage") or 0), "cover": data.get("cover") or "none",
        "obscured": obscured_by(play, target, data), "ignores_saves": ticked(data, "ignores_saves"),
        "dice_mods": figure(data, "dice_mod"), "roll_mods": figure(data, "roll_mod"),
    }  # fmt: skip


def refuse_waiting(target: Troop) -> None:
    """Raise Refusal while the target has losses to place or saves to make, because what remains of it is not yet known."""
    refuse_owing(target)
    if target.waiting:
        raise Refusal(
            _("{name} has losses to place first.").format(name=target.name),
            mend=_("Then it can be hit again."),
            code="phase",
        )


def refuse_unpaid(play: PlayState, data: Mapping[str, str], attacker: str, target: Troop, extra: str = "") -> None:
    """Raise Refusal if the pools lack the points of an attack. `extra`: a side that pays one more."""
    bill: dict[str, int] = {extra: 1} if extra else {}
    for side, count in _bill(play, data, attacker, target, saved=True):
        bill[side] = bill.get(side, 0) + count
    for side, count in bill.items():
        enough(play, side, count)


def _bill(
    play: PlayState, data: Mapping[str, str], attacker: str, target: Troop, *, saved: bool
) -> tuple[tuple[str, int], ...]:
    rows = [(attacker, figure(data, "tp")), (enemy_spends(play, attacker, data), 1)]
    if saved:
        rows += [(target.side, figure(data, "save_tp")), (attacker, int(ticked(data, "save_enemy_tp")))]
    return tuple((side, count) for side, count in rows if side and count)


def suffer(
    play: PlayState,
    doing: Doing,
    data: Mapping[str, str],
    found: Resolved,
    attacker: str,
    target: Troop,
    shot: Mapping[str, Any] | None = None,
) -> None:
    """Apply the result of a shot: points paid, Stress, models. Hits without saves are left to the target's owner."""
    hits, damage = int(found.effect("hits", 0)), int(found.effect("damage") or 0)
    bound = figure(data, "bound")
    if hits and found.effect("damage") is None and shot is not None:
        for side, count in _bill(play, {**data, "save_tp": ""}, attacker, target, saved=True):
            doing.pay(side, count)
        owe(doing, target, hits, shot, attacker, bound if bound else -1)
        return
    saved = bool(hits) and not ticked(data, "ignores_saves")
    for side, count in _bill(play, data, attacker, target, saved=saved):
        doing.pay(side, count)
    delta = int(found.effect("stress_delta") or 0) - int(found.effect("discarded") or 0)
    doing.say(
        ngettext("{hits} hit, {damage} damage", "{hits} hits, {damage} damage", hits).format(hits=hits, damage=damage)
        + (_(", Stress {delta:+d}.").format(delta=delta) if delta else ".")
    )
    if delta:
        doing.stress(target, delta)
    doing.hurt(target, damage, attacker, bound=bound if bound else -1)


# --- a unit's own attack


def shooters_left(play: PlayState, troop: Troop) -> int:
    """Return the number of models that have not shot in this activation."""
    return max(0, troop.size - int(play.facts["models_shot"]))


def targets(play: PlayState, troop: Troop) -> tuple[str, ...]:
    """Return the possible targets: any enemy unit, or after a first volley any other one."""
    return tuple(key for key in play.foes(troop.side) if key != play.facts["shot_at"])


def shooter(play: PlayState, data: Mapping[str, str]) -> Troop | None:
    """Return the unit that shoots: the active one, or the one that is named before any is active. None if there is none."""
    if play.phase != "choose":
        return play.active
    return next((troop for troop in ready_to_shoot(play) if troop.key == data.get("fighter")), None)


def ready_to_shoot(play: PlayState) -> tuple[Troop, ...]:
    """Return the units that may be activated and shoot in one act: no Stress Test is due."""
    if play.phase != "choose":
        return ()
    able = play.eligible(str(play.facts["chit"]))
    return tuple(troop for troop in able if troop.known and troop.weapons and not troop.tests(play.content))


def _declared(play: PlayState, data: Mapping[str, str]) -> str:
    told = data.get("action", "") if play.phase == "choose" else str(play.facts["action"])
    return "advance" if told == "advance" else "open-up"


def _shoot_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    troop = shooter(play, data)
    only = (troop.key,) if troop is not None else tuple(each.key for each in ready_to_shoot(play))
    asks: list[Asks] = [
        Asks("fighter", _("Which unit"), "mine", only=only, leads=troop is None, quiet=troop is not None)
    ]
    kind = RollKind("shoot", _("Shoot"), "", (), "the attack dice, then a save for each hit")
    if troop is not None and troop.fighter.fights:
        keys = targets(play, troop)
        split = ticked(data, "split") or bool(play.facts["shots"])
        asks.append(Asks("target", _("Target"), "foe", only=keys or ("",), leads=True, chips=True))
        asks.append(Asks("distance", _("Distance"), "number", 0, 300, options=reach_stops(troop.weapons), chips=True))
        if play.phase == "choose":
            asks.append(Asks("action", _("Action"), "option", options=WAYS, chips=True, usual=WAYS[0][0]))
        if data.get("target") in keys:
            target = play.troop(data["target"])
            asks += cover_asks(play, target)
            asks += (replace(ask, chips=True) for ask in own_point(play, troop.side, label=_("1 TP: a bigger die")))
            if len(keys) > 1 and shooters_left(play, troop) > 1 and not play.facts["shots"]:
                asks.append(Asks("split", _("Split fire"), chips=True, leads=True))
            asks += los_asks(troop, shooters_left(play, troop), shared=split)
            asks += folded(enemy_point(play, troop, group=POINTS_SPENT))
            asks += [*target_asks(play, target, troop.side), *special_asks()]
            kind = _forecast(play, troop, target, data, kind)
    return replace(kind, asks=tuple(asks))


def _forecast(play: PlayState, troop: Troop, target: Troop, data: Mapping[str, str], kind: RollKind) -> RollKind:
    """Return the form with what to roll, its results, the odds, and what affects them, for a shot as answered so far."""
    if not data.get("distance", "").strip():
        return kind
    usual = {f"los_{w.place}": str(min(w.bearers, shooters_left(play, troop))) for w in troop.weapons}
    told = {**usual, **data}
    try:
        given = _shot(play, troop, target, told)
        spread = rules.odds(play.content, "shoot-losses", given).outcomes
        modifiers = play.rule(
            "shoot-modifiers",
            {name: given[name] for name in _ATTACK if name in given} | {"die": given["groups"][0]["die"]},
        )
        ready = shots.planned(play.content, rules.rule_named("shoot").read(given))
    except Refusal as refusal:
        return replace(kind, odds_words=refusal.message)
    mean = sum(int(lost) * share for lost, share in spread.items())
    words = _("No model lost: {percent}; {mean:.1f} on average.").format(
        percent=percent(spread.get("0", 0)), mean=float(mean)
    )
    pools = ready.pools if ready is not None else ()
    dice = joined(
        _("{count} {die}, each {needs}").format(count=n, die=throw.die, needs=needs(throw)) for n, throw in pools
    )
    need = _("{name} at {target}, to {distance} MU: roll {dice}.").format(
        name=troop.name, target=target.name, distance=data["distance"], dice=dice
    )
    results = counted_row(_("Hits on my dice"), sum(count for count, _throw in pools))
    reckoned = tuple(f"{what} {why}" for what, why in modifiers.modifiers)
    return replace(kind, odds_words=words, reckoned=reckoned, need=need, results=(results,))


_ATTACK = ("action", "cover", "obscured", "small", "tp", "opponent_tp", "shooter_stress", "dice_mods", "roll_mods")


def _shot(play: PlayState, troop: Troop, target: Troop, data: Mapping[str, str]) -> dict[str, Any]:
    """Return the input of the attack. Raises Refusal if nothing is in range or too many models shoot."""
    seen = seeing(troop, data)
    if sum(seen.values()) > shooters_left(play, troop):
        raise Refusal(
            _("{shooters_left} models of {name} have not shot; {sum} do not fit.").format(shooters_left=shooters_left(play, troop), name=troop.name, sum=sum(seen.values())), mend=_("Each shoots once."), code="number"
        )  # fmt: skip
    if not data.get("distance", "").strip():
        raise Refusal(_("The distance is not told."), mend=_("Measure from leader to leader, in MU."), code="number")
    distance = figure(data, "distance")
    groups = [
        {"models": min(100, seen[weapon.place] * weapon.per_model), "die": die}
        for weapon in troop.weapons
        if weapon.place in seen and (die := weapon.die_at(distance))
    ]
    if not groups:
        raise Refusal(
            _("{distance} MU is out of range.").format(distance=distance),
            mend=_("Choose a nearer unit, or leave it."),
            code="out-of-range",
        )
    return {
        "groups": groups, "action": _declared(play, data), "tp": figure(data, "tp"),
        "opponent_tp": int(bool(enemy_spends(play, troop.side, data))), "shooter_stress": troop.stress, "damage": troop.damage,
        **saved_as(play, target, data, troop.side),
    }  # fmt: skip


def _aimed(play: PlayState, data: Mapping[str, str]) -> tuple[Troop, Troop]:
    """Return the shooter and its target. Raises Refusal."""
    if play.phase == "choose":
        troop = _at_once(play, data)
    elif play.facts["action"] in ("advance", "open-up") and play.facts["done"] and play.facts["shots"] < MOST_SHOTS:
        play.must("unit", _("A shot"))
        troop = play.acting(data)
    else:
        troop = undone(play, ("advance", "open-up"), data)
    target = play.troop(data.get("target", ""))
    if target.key not in targets(play, troop):
        again = target.key == play.facts["shot_at"]
        raise Refusal(
            _("{name} has shot at {target_name}.").format(name=troop.name, target_name=target.name) if again else _("{name} is no target.").format(name=target.name), mend=_("Choose another unit."), code="no-choice"
        )  # fmt: skip
    return troop, target


def _at_once(play: PlayState, data: Mapping[str, str]) -> Troop:
    """Return the unit that is activated and shoots in one act. Raises Refusal."""
    troop = shooter(play, data)
    if troop is None:
        named = play.troop(data.get("fighter", ""))
        raise Refusal(
            _("{name} cannot shoot before it is activated.").format(name=named.name),
            mend=_("Choose its action first."),
            code="not-active",
        )
    return troop


def _shoot_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    troop, target = _aimed(play, data)
    refuse_unpaid(play, data, troop.side, target)
    return "shoot", without_saves(_shot(play, troop, target, data), data)


def without_saves(given: dict[str, Any], data: Mapping[str, str]) -> dict[str, Any]:
    """Return the input of an attack, up to its hits if the target's owner makes the saves."""
    return {name: told for name, told in given.items() if name != "save_die"} if ticked(data, "ask_saves") else given


def hits_only(play: PlayState, data: Mapping[str, str]) -> tuple[Mapping[str, str], int]:
    """Return what a counted attack adds: players count its hits, and the saves are the owner's."""
    return {"ask_saves": "1"}, 0


def _shoot(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop, target = _aimed(play, data)
    count = sum(seeing(troop, data).values())
    doing = Doing(play, "shoot").say(
        _("{name} shoots at {target} with {count}:").format(name=troop.name, target=target.name, count=count)
    )
    suffer(play, doing, data, found, troop.side, target, _shot(play, troop, target, data))
    doing.fact(troop, aimed=target.key)
    begun: dict[str, Any] = {}
    if play.phase == "choose":
        doing.acted(troop)
        if troop.facts.get("dug_in"):
            doing.fact(troop, dug_in=False)
        begun = {"phase": "unit", "active": troop.key, "action": _declared(play, data), "chit": ""}
    owes = found.effect("damage") is None and int(found.effect("hits", 0))
    step = play.on if begun or owes else play.within  # a save belongs to its shot, so it is taken back first
    doing.table(**step(done=True, shot_at=target.key, **begun)).tally(shots=1, models_shot=count)
    return doing.act(fighter=troop.key)


# --- hits from anywhere


def _hits_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop in play.troops() if troop.known)
    asks = [
        Asks("target", _("Which unit is hit"), "anybody", only=keys or ("",), leads=True),
        Asks("hits", _("Hits"), "number", 1, 60, usual="1"),
        Asks("cover", _("Cover"), "option", options=COVERS),
    ]
    if data.get("target") in keys:
        target = play.troop(data["target"])
        asks += own_point(
            play, target.side, "save_tp", _("A point of {name} for a bigger die").format(name=play.name(target.side))
        )
    asks += [Asks("save_mod", _("Added to the saves"), "number", -6, 6), Asks("ignores_saves", _("No saves allowed"))]
    return RollKind(
        "hits",
        _("Hits to save"),
        _("Hits that no unit's attack brought: a mine, a special rule."),
        tuple(asks),
        _("a save for each hit"),
    )


def _hits_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    target = play.troop(data.get("target", ""))
    if not target.known or not target.fighter.fights:
        raise Refusal(
            _("{name} cannot be hit.").format(name=target.name), mend=_("Choose a unit on the table."), code="no-choice"
        )
    refuse_waiting(target)
    hits = figure(data, "hits", 1)
    if not 1 <= hits <= 60:
        raise Refusal(_("1 to 60 hits are saved at a time."), mend=_("Say how many."), code="number")
    enough(play, target.side, figure(data, "save_tp"))
    return "save", {
        "hits": hits, "save_die": target.save, "cover": data.get("cover") or "none", "tp": figure(data, "save_tp"),
        "dug_in": bool(target.facts.get("dug_in")), "roll_mods": figure(data, "save_mod"), "ignores_saves": ticked(data, "ignores_saves"),
        "stress": target.stress, "models": target.size, "wounds": min(model.wounds for model in target.standing),
        "recorded_damage": int(target.facts.get("recorded_damage") or 0),
    }  # fmt: skip


def _hits(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    target = play.troop(data["target"])
    doing = Doing(play, "hits").say(_("{target} is hit:").format(target=target.name))
    told = {name: told for name, told in data.items() if name in ("ignores_saves",)}
    if not ticked(data, "ignores_saves"):
        doing.pay(target.side, figure(data, "save_tp"))
    suffer(play, doing, told, found, "", target)
    return doing.act()


# --- dice for anything


def _dice_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    asks = (
        Asks("count", _("How many"), "number", 1, 40, usual="1"),
        Asks("die", _("Dice"), "option", options=tuple((die, die) for die in LADDER)),
        Asks("modifier", _("Added to each"), "number", -8, 8),
    )
    return RollKind(
        "dice",
        _("Dice against 5"),
        _("For whatever else asks for dice; a natural 1 fails."),
        asks,
        _("as many as you say"),
    )


def _dice_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    count = figure(data, "count", 1)
    if not 1 <= count <= 40 or (data.get("die") or "D6") not in LADDER:
        raise Refusal(_("1 to 40 dice are rolled at a time."), mend=_("Say how many, of which kind."), code="number")
    return "roll-vs-tn", {"count": count, "die": data.get("die") or "D6", "modifier": figure(data, "modifier")}


def _dice(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    fell = ", ".join(str(face) for face in found.rolled)
    return Doing(play, "dice").say(f"{len(found.rolled)} {data.get('die') or 'D6'}: {fell}. {found.told}").act()


MOVES: Mapping[str, GloomMove] = {
    "shoot": GloomMove(_shoot_asked, _shoot, _shoot_question, hits_only),
    "hits": GloomMove(_hits_asked, _hits, _hits_question),
    "dice": GloomMove(_dice_asked, _dice, _dice_question),
}
