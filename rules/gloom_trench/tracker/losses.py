"""Changes to units outside activations.

They are losses that their owner places, Stress for friends of a destroyed unit, and corrections or guests' figures
entered by hand. Source: core rules, Removing Models; Mixed units; Stress.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rules.formatting import joined, quantity
from rules.gloom_trench.resolvers.dice import LADDER
from rules.gloom_trench.tracker.move import Doing, GloomMove, PlayState, figure
from rules.gloom_trench.tracker.units import Troop, laid_facts
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.tracker.state import TableFighter
from rules.translation import gettext as _

DICE = tuple((die, die) for die in LADDER)
NO_DIE = (("", "none"), *DICE)


def lose_models(doing: Doing, troop: Troop, slug: str, count: int) -> None:
    """Remove whole models of one sort, with the damage recorded on the last of them."""
    model = next(model for model in troop.models if model.slug == slug)
    count = min(count, model.left)
    doing.count(troop, f"{slug}_left", -count)
    recorded = int(troop.facts.get("recorded_damage") or 0)
    if count == model.left and recorded and troop.facts.get("recorded_on") == slug:
        doing.count(troop, "recorded_damage", -recorded)
        doing.fact(troop, recorded_on="")


def _place_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop in play.waiting)
    asks = [Asks("fighter", _("Which unit"), "mine", only=keys, leads=True)]
    if data.get("fighter") in keys:
        troop = play.troop(data["fighter"])
        options = tuple((model.slug, f"{model.name} ({model.left})") for model in troop.standing)
        asks.append(Asks("model", _("First loss"), "option", options=options))
    return RollKind(
        "place",
        _("Place the losses"),
        _("Its owner picks a sort of model; all of it falls on that sort first."),
        tuple(asks),
        move=True,
    )


def _place(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data.get("fighter", ""))
    if not troop.waiting:
        raise Refusal(_("{name} has no losses to place.").format(name=troop.name), mend=_("Continue."), code="done")
    model = next((model for model in troop.standing if model.slug == data.get("model")), None)
    if model is None:
        raise Refusal(
            _("{name} has no such model left.").format(name=troop.name),
            mend=_("Pick one that stands."),
            code="no-choice",
        )
    doing = Doing(play, "place")
    facts = troop.facts
    if facts.get("waiting_models"):
        count = min(int(facts["waiting_models"]), model.left)
        doing.count(troop, "waiting_models", -count)
        if count >= troop.size:
            doing.destroy(troop, "")
        else:
            lose_models(doing, troop, model.slug, count)
            doing.say(_("{troop} loses {count} {model}.").format(troop=troop.name, count=count, model=model.name))
    else:
        damage, bound = int(facts["waiting_damage"]), int(facts.get("waiting_bound", -1))
        doing.count(troop, "waiting_damage", -damage)
        doing.hurt(troop, damage, "", model.slug, bound)
    return doing.act(fighter=troop.key)


# --- friends of a destroyed unit


def unmourned(play: PlayState) -> tuple[Troop, ...]:
    """Return the destroyed units for which the friends near them are not yet entered; none if no friend is left."""
    return tuple(
        Troop(fighter)
        for fighter in play.state.fighters
        if fighter.out
        and play.state.side(fighter.side).facts.get(f"near_{fighter.key}") != "told"
        and play.troops(fighter.side)
    )


def _near_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    rows = unmourned(play)
    gone = next((troop for troop in rows if troop.key == data.get("gone")), rows[0] if rows else None)
    asks: list[Asks] = [
        Asks(
            "gone", _("Which unit fell"), "option", options=tuple((troop.key, troop.name) for troop in rows), leads=True
        )
    ]
    name = gone.name if gone else _("the unit")
    if gone is not None:
        keys = tuple(troop.key for troop in play.troops(gone.side))
        asks.append(Asks("who", _("Within 6 MU of {name}").format(name=name), "anybody", only=keys, several=True))
    words = _("Every friendly unit within 6 MU of {name} takes a token. Tick none where none was.").format(name=name)
    return RollKind("near", _("Who was near"), words, tuple(asks), move=True)


def _near(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    gone = next((troop for troop in unmourned(play) if troop.key == data.get("gone")), None)
    if gone is None:
        raise Refusal(_("That was told already."), mend=_("Look at the log."), code="done")
    doing = Doing(play, "near")
    who = [play.troop(key) for key in dict.fromkeys(data.get("who", "").split(",")) if key]
    for troop in who:
        if troop.side != gone.side or not troop.fighter.fights:
            raise Refusal(
                _("{name} is no friend of {gone_name} on the table.").format(name=troop.name, gone_name=gone.name),
                mend=_("Leave it out."),
                code="no-choice",
            )
        doing.stress(troop, 1)
    doing.side(gone.side, **{f"near_{gone.key}": "told"})
    names = joined(troop.name for troop in who)
    doing.say(
        _("{name} is gone: {names} {words} a token of Stress.").format(
            name=gone.name, names=names, words="takes" if len(who) == 1 else "take"
        )
        if who
        else _("No unit was near {name}.").format(name=gone.name)
    )
    return doing.act(side=gone.side)


# --- corrections by hand


def _recorded_asks(troop: Troop) -> Iterator[Asks]:
    """Yield what is asked of damage that has removed no model yet; nothing where a model bears none."""
    most = max(model.wounds for model in troop.models) - 1
    if most:
        usual = str(troop.facts.get("recorded_damage") or 0)
        yield Asks("recorded", _("Damage recorded"), "number", 0, most, usual=usual)
        options = tuple((model.slug, model.name) for model in troop.models)
        usual = str(troop.facts.get("recorded_on") or "")
        yield Asks("recorded_on", _("Recorded on"), "option", options=options, usual=usual)


def _right_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop in play.troops() if troop.known)
    asks = [Asks("fighter", _("Which unit"), "mine", only=keys, leads=True)]
    if data.get("fighter") in keys:
        troop = play.troop(data["fighter"])
        asks += [
            Asks(f"left_{m.slug}", _("{m} left").format(m=m.name), "number", 0, m.full, usual=str(m.left))
            for m in troop.models
        ]
        asks += _recorded_asks(troop)
        asks.append(Asks("dug_in", _("Dug in"), usual="1" if troop.facts.get("dug_in") else ""))
        asks.append(Asks("acted", _("Activated this turn"), usual="1" if troop.fighter.acted else ""))
        if (troop.had_leader and not troop.has_leader) or (not troop.had_leader and troop.size > 1):
            options = (("", _("none named")), *((model.slug, model.name) for model in troop.standing))
            usual = str(troop.facts.get("keeps_to") or "")
            asks.append(Asks("keeps_to", _("Coherency is kept to a"), "option", options=options, usual=usual))
    return RollKind(
        "right", _("Correct"), _("What's on the table counts. Stress has its own buttons."), tuple(asks), move=True
    )


def _right_counts(doing: Doing, troop: Troop, data: Mapping[str, str]) -> list[str]:
    """Correct how many models of each sort are left. Return the changes as text."""
    parts: list[str] = []
    for model in troop.models:
        now = figure(data, f"left_{model.slug}", model.left)
        if now != model.left:
            parts.append(_("{model} {left} to {now}").format(model=model.name, left=model.left, now=now))
            doing.count(troop, f"{model.slug}_left", now - model.left)
    return parts


def _right_coherency(doing: Doing, troop: Troop, data: Mapping[str, str]) -> list[str]:
    """Correct the sort of model to which coherency is kept. Return the change as text."""
    keeps = data.get("keeps_to")
    if keeps is None or keeps == (troop.facts.get("keeps_to") or ""):
        return []
    doing.fact(troop, keeps_to=keeps)
    name = next(model.name for model in troop.models if model.slug == keeps) if keeps else "nobody"
    return [_("its coherency is kept to {name}").format(name=name)]


def _right(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data.get("fighter", ""))
    if not troop.known:
        raise Refusal(
            _("{name} has no figures yet.").format(name=troop.name), mend=_("Give them first."), code="no-figures"
        )
    asked = {ask.name for ask in _right_asked(play, data).asks}
    doing = Doing(play, "right")
    parts = _right_counts(doing, troop, data)
    parts += _right_recorded(doing, troop, data, "recorded" in asked)
    dug_in, acted = ticked(data, "dug_in"), ticked(data, "acted")
    if dug_in != bool(troop.facts.get("dug_in")):
        doing.fact(troop, dug_in=dug_in)
        parts.append(_("dug in") if dug_in else _("no longer dug in"))
    if "keeps_to" in asked:
        parts += _right_coherency(doing, troop, data)
    if acted != troop.fighter.acted:
        parts.append(_("activated this turn") if acted else _("not activated this turn"))
    if not parts:
        raise Refusal(
            _("Nothing of {name} is different.").format(name=troop.name), mend=_("Change what is wrong."), code="done"
        )
    doing.say(_("Corrected, {name}: {parts}.").format(name=troop.name, parts=", ".join(parts)))
    act = doing.act(fighter=troop.key)
    return with_acted(act, troop, acted) if acted != troop.fighter.acted else act


def _right_recorded(doing: Doing, troop: Troop, data: Mapping[str, str], is_asked: bool) -> list[str]:
    """Correct the recorded damage and return the change as a part of the log's sentence."""
    before, before_on = int(troop.facts.get("recorded_damage") or 0), str(troop.facts.get("recorded_on") or "")
    now = figure(data, "recorded", before) if is_asked else before
    on = (data.get("recorded_on") or before_on or troop.models[0].slug) if now else ""
    if (now, on) == (before, before_on):
        return []
    doing.count(troop, "recorded_damage", now - before)
    doing.fact(troop, recorded_on=on)
    return [_("damage recorded {before} to {now}").format(before=before, now=now)]


def with_acted(act: RollAct, troop: Troop, acted: bool) -> RollAct:
    """Return the act with a statement of whether the unit has been activated."""
    rows = {effect.fighter: effect for effect in act.effects}
    rows[troop.key] = msgspec.structs.replace(rows.get(troop.key, Effect(fighter=troop.key)), acted=acted)
    return msgspec.structs.replace(act, effects=tuple(rows.values()))


# --- a guest's unit


def unread(play: PlayState) -> tuple[TableFighter, ...]:
    """Return the units on the table without figures."""
    return tuple(troop.fighter for troop in play.troops() if not troop.known)


def _figures_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(fighter.key for fighter in unread(play))
    asks = (
        Asks("fighter", _("Which unit"), "mine", only=keys),
        Asks("count", _("Models"), "number", 1, 40, usual="5"),
        Asks("leader", _("One of them is its Squad Leader")),
        Asks("commander", _("A Commander")),
        Asks("tactics", _("Tactics, MU"), "number", 0, 60),
        Asks("command", _("Command"), "number", 0, 10, usual="1"),
        *(Asks(name, name.capitalize(), "option", options=DICE, usual="D6") for name in ("combat", "defence", "save")),
        Asks("damage", _("Damage"), "number", 1, 20, usual="1"),
        Asks("wounds", _("Wounds"), "number", 1, 20, usual="1"),
        *(
            asks
            for band in ("short", "medium", "long")
            for asks in (
                Asks(
                    f"{band}_range",
                    _("{band} range, MU").format(band=band.capitalize()),
                    "number",
                    0,
                    200,
                    group=_("Weapon"),
                ),
                Asks(
                    f"{band}_die",
                    _("{band} die").format(band=band.capitalize()),
                    "option",
                    options=NO_DIE,
                    group=_("Weapon"),
                ),
            )
        ),
        Asks("per_model", _("Dice for each model"), "number", 1, 12, usual="1", group=_("Weapon")),
    )
    return RollKind(
        "figures",
        _("Tell its figures"),
        _("What a guest's unit is, once; the rules go by it from then on."),
        asks,
        move=True,
    )


def _bands(data: Mapping[str, str]) -> list[list[Any]]:
    """Return the range and the die of each band that is filled in. Raises Refusal unless the ranges grow."""
    bands: list[list[Any]] = []
    for band in ("short", "medium", "long"):
        reach, die = figure(data, f"{band}_range"), data.get(f"{band}_die", "")
        if reach and die:
            if bands and reach <= bands[-1][0]:
                raise Refusal(_("Ranges grow from band to band."), mend=_("Put the nearer one first."), code="number")
            bands.append([reach, die])
    return bands


def _figures(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data.get("fighter", ""))
    if troop.known:
        raise Refusal(
            _("The losses of {name} are placed.").format(name=troop.name),
            mend=_("Correct the unit if something is wrong."),
            code="done",
        )
    count = figure(data, "count", 5)
    if not 1 <= count <= 40:
        raise Refusal(_("A unit has 1 to 40 models."), mend=_("Count them."), code="number")
    leading = ticked(data, "leader")
    models: list[dict[str, Any]] = []
    base = {"weapon": "", "keywords": []}
    if count - leading:
        models.append({"slug": "model", "name": _("Model"), "full": count - leading, "leader": False, **base})
    if leading:
        models.append({"slug": "leader", "name": _("Squad Leader"), "full": 1, "leader": True, **base})
    bands = _bands(data)
    commander = ticked(data, "commander")
    facts = {
        **{name: data.get(name) or "D6" for name in ("combat", "defence", "save")},
        "damage": figure(data, "damage", 1), "wounds": figure(data, "wounds", 1), "command": figure(data, "command", 1),
        "tactics": figure(data, "tactics") if commander else None,
        "keywords": [word for word, holds in (("Squad", leading), ("Commander", commander)) if holds],
        "models": models, "orders": [], "rules": [], "formation_points": 0,
        "weapons": [{"name": _("Weapon"), "bands": bands, "dice": figure(data, "per_model", 1)}] if bands else [],
        **laid_facts(models),
    }  # fmt: skip
    doing = Doing(play, "figures").say(
        _("{name}: {quantity}, Command {facts}, Save {facts_2}.").format(
            name=troop.name, quantity=quantity(count, "model"), facts=facts["command"], facts_2=facts["save"]
        )
    )
    doing.fact(troop, **facts)
    return doing.act(fighter=troop.key)


MOVES: Mapping[str, GloomMove] = {
    "place": GloomMove(_place_asked, _place),
    "near": GloomMove(_near_asked, _near),
    "right": GloomMove(_right_asked, _right),
    "figures": GloomMove(_figures_asked, _figures),
}
