"""The prompts and offers of the Gloom Trench tracker, for the phase, the active unit and every other unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.formatting import joined, quantity
from rules.gloom_trench.tracker import activation, losses, melee, opposing, owed, phases, shooting
from rules.gloom_trench.tracker.move import ACTIONS, PlayState
from rules.gloom_trench.tracker.units import Troop
from rules.tracker.rolls import Awaited, Prompt, TableOffer
from rules.translation import gettext as _

# --- prompts


def prompts(play: PlayState) -> Iterator[Prompt]:
    """Yield the prompts of the table.

    They are losses to place, friends of a destroyed unit, the side whose unit acts next, a reaction, missing figures,
    and a side without units.
    """
    for troop in play.waiting:
        models = int(troop.facts.get("waiting_models") or 0)
        what = quantity(models, "model") if models else _("{facts} damage").format(facts=troop.facts["waiting_damage"])
        text = _("{name} has {what} to place: its owner picks who takes it.").format(name=troop.name, what=what)
        yield Prompt("place", text, troop.side, "place", {"fighter": troop.key})
    for troop in play.owing:
        words = f"{troop.name}: {owed.save_words(play, troop)}."
        yield Prompt("saves", words, troop.side, given={"fighter": troop.key}, answers=("save",))
    for troop, side in opposing.may_oppose(play):
        text = _("{name} rolls under Stress: spend a Tactical Point against it?").format(name=troop.name)
        yield Prompt("oppose", text, side, given={"target": troop.key}, answers=("oppose",))
    for troop in losses.unmourned(play):
        text = _("{name} is gone. Which friends stood within 6 MU?").format(name=troop.name)
        yield Prompt("near", text, troop.side, "near", {"gone": troop.key})
    if play.phase == "choose":
        side = str(play.facts["chit"])
        yield Prompt("choose", _("{name}: choose a unit and its action.").format(name=play.name(side)), side)
    if play.phase == "reaction" and melee.defender(play).fighter.fights:
        target = melee.defender(play)
        text = _("{name} is charged: Brace, Hold and Shoot, or neither?").format(name=target.name)
        yield Prompt("reaction", text, target.side, given={"fighter": target.key}, answers=("react", "hold"))
    if unread := losses.unread(play):
        first = unread[0]
        yield Prompt(
            "figures",
            _("{name} has no figures yet.").format(name=first.name),
            first.side,
            "figures",
            {"fighter": first.key},
        )
    yield from _end_prompts(play)


def _end_prompts(play: PlayState) -> Iterator[Prompt]:
    """Say that the battle may end, once a side that had units has none."""
    state = play.state
    if not state.fighters or play.phase == "setup" or len(state.sides) < 2:
        return
    empty = [side.name for side in state.sides if state.of(side.key) and not play.troops(side.key)]
    if empty:
        verb = "has" if len(empty) == 1 else "have"
        yield Prompt(
            "limit", _("{empty} {verb} no unit left: the battle may end.").format(empty=joined(empty), verb=verb)
        )


# --- offers


def offers(play: PlayState) -> Iterator[TableOffer]:
    """Yield the offers: the next step first, then what a unit may do, then corrections."""
    for troop in play.owing:
        hits = quantity(int(troop.owed["hits"]), "save")
        yield TableOffer(
            "save", _("Roll {saves}").format(saves=hits), troop.side, given={"fighter": troop.key}, main=True
        )
    for troop in play.waiting:
        left = int(troop.facts.get("waiting_models") or troop.facts.get("waiting_damage") or 0)
        label = _("Place your {losses}").format(losses=quantity(left, "loss", "losses"))
        yield TableOffer("place", label, troop.side, given={"fighter": troop.key}, main=True)
    for troop in losses.unmourned(play):
        yield TableOffer("near", _("Who was near"), troop.side, given={"gone": troop.key}, main=True)
    yield from _of_phase(play)
    yield from _of_active(play)
    yield from opposing.offers(play)
    for side in play.state.sides:
        yield TableOffer("points", _("Pool {points}: correct").format(points=play.pool(side.key)), side.key, quiet=True)
    if play.phase in ("draw", "choose", "unit"):
        yield TableOffer("chits", _("Bag: correct"), quiet=True)
    yield from _of_units(play)


def _of_units(play: PlayState) -> Iterator[TableOffer]:
    eligible = {troop.key for troop in play.eligible(str(play.facts["chit"]))} if play.phase == "choose" else set()
    checks = {troop.key: tokens for troop, tokens in phases.due(play)} if play.phase == "morale" else {}
    for troop in play.troops():
        if not troop.known:
            yield TableOffer("figures", _("Tell its figures"), fighter=troop.key, main=True)
            continue
        if troop.key in eligible:
            yield from _actions(play, troop)
        if troop.key in checks:
            label = _("Morale: {checks} D8").format(checks=checks[troop.key])
            yield TableOffer("morale", label, fighter=troop.key, at_once=True, main=True)
            if _points_matter(play, troop):
                yield TableOffer("morale", _("Morale, with a point"), fighter=troop.key)
        yield TableOffer("right", _("Correct"), fighter=troop.key, quiet=True)


def _points_matter(play: PlayState, troop: Troop) -> bool:
    """Return whether its own side or another one has a Tactical Point for its roll."""
    return bool(play.pool(troop.side)) or any(play.pool(other.key) for other in play.others(troop.side))


def _of_phase(play: PlayState) -> Iterator[TableOffer]:
    phase = play.phase
    button, held = phases.told_phase(play)[2], phases.held_up(play)
    for key in phases.unfilled(play):
        label = (
            _("Fill the pool: {command} D6").format(command=play.command(key))
            if phase == "pool"
            else _("Check the pool: {pool} D6").format(pool=play.pool(key))
        )
        yield TableOffer("pool", label, key, at_once=True, main=True)
    if button:
        yield TableOffer("next", button, given={"from": phase}, closed=held, at_once=True, main=True)
    match phase:
        case "morale":
            for troop, tokens in phases.due(play):
                label, given = f"{troop.name}: {tokens} D8", {"fighter": troop.key}
                yield TableOffer("morale", label, troop.side, given=given, at_once=True, main=True)
        case "initiative":
            yield TableOffer("initiative", _("Roll for initiative"), at_once=True, main=True)
            if len(play.state.sides) == 2 and any(play.pool(side.key) for side in play.state.sides):
                yield TableOffer("initiative", _("Initiative, with points"))
            yield TableOffer("taken", _("Say who has it"))
        case "draw":
            yield TableOffer("draw", _("Draw a chit"), closed=held, at_once=True, main=True)
            yield TableOffer("drawn", _("Tell a chit"), closed=held, main=True)
        case "choose":
            side = str(play.facts["chit"])
            if not play.eligible(side):
                yield TableOffer("aside", _("Set the chit aside"), side, at_once=True, main=True)


def _of_active(play: PlayState) -> Iterator[TableOffer]:
    """Yield the offers of the active unit to its side, and those of the unit that it charges."""
    troop = play.active
    if troop is None:
        return
    end = replace(TableOffer("end", _("End activation"), troop.side, at_once=True), closed=phases.held_up(play))
    drawing = TableOffer(
        "draw", _("End activation, then draw"), troop.side, given={"end": troop.key}, at_once=True, main=True
    )
    onward = (drawing, end) if sum(play.chits.values()) and not end.closed else (replace(end, main=True),)
    if not troop.fighter.fights:
        yield from onward
        return
    if play.phase in ("reaction", "melee"):
        target = melee.defender(play)
        if not target.fighter.fights:
            yield from onward
        elif play.phase == "reaction":
            yield from _reactions(target)
        else:
            yield from _rounds(play, troop, target)
        return
    yield from _deed(play, troop)
    yield from onward
    closed = activation.orders_closed(play, troop)
    led = activation.led(troop)
    for index, name in enumerate(troop.orders):
        order = {"order": str(index)}
        yield TableOffer("order", f"{name}, 1 TP", fighter=troop.key, given=order, closed=closed, at_once=led)


def _rounds(play: PlayState, troop: Troop, target: Troop) -> Iterator[TableOffer]:
    """Yield the offers of the next round of melee between the active unit and the one it charged."""
    side, given = troop.side, {"fighter": troop.key}
    held = next(
        (_("{name} has losses to place first.").format(name=each.name) for each in (troop, target) if each.waiting), ""
    )
    fight = {**given, "moves": "1", "cover": str(play.charge["cover"])}
    label = _("Fight round {charge}").format(charge=play.charge["round"])
    yield TableOffer("fight", label, side, given=fight, closed=held, at_once=True, main=True)
    yield TableOffer("fight", _("Fight, with points"), side, given=given, closed=held)
    if play.charge["held"] and play.charge["round"] == 1:
        yield TableOffer("apart", _("No model in contact"), side, given=given, at_once=True, main=True)


def _deed(play: PlayState, troop: Troop) -> Iterator[TableOffer]:
    """Yield the offers that the declared action still needs."""
    action, done, side = str(play.facts["action"]), bool(play.facts["done"]), troop.side
    given = {"fighter": troop.key}
    if action in ("advance", "open-up"):
        if _may_shoot(play, troop) and not play.owing:
            left = shooting.shooters_left(play, troop)
            label = _("Shoot with the other {left}").format(left=left) if done else _("Shoot")
            yield TableOffer("shoot", label, side, given={**given, **_aimed(play, troop)}, main=True)
        return
    if done:
        return
    match action:
        case "charge" if play.foes(side):
            yield TableOffer("charge", _("Charge"), side, given=given, main=True)
        case "take-that-ground":
            yield TableOffer("ground", _("Roll distance"), side, given=given, at_once=True, main=True)
            if play.pool(side):
                yield TableOffer("ground", _("Distance, with a D8"), side, given={**given, "tp": "1"}, at_once=True)
        case "rally" if troop.stress:
            yield TableOffer(
                "rally", _("Rally: {stress} D6").format(stress=troop.stress), side, given=given, at_once=True, main=True
            )
            if _points_matter(play, troop):
                yield TableOffer("rally", _("Rally, with a point"), side, given=given)
        case "dig-in":
            yield TableOffer("dig", _("Dig in"), side, given=given, at_once=True, main=True)


def _may_shoot(play: PlayState, troop: Troop) -> bool:
    """Return whether the unit has weapons, targets, models that have not shot, and a volley left."""
    return bool(
        troop.weapons
        and shooting.targets(play, troop)
        and shooting.shooters_left(play, troop)
        and int(play.facts["shots"]) < shooting.MOST_SHOTS
    )


def _aimed(play: PlayState, troop: Troop) -> dict[str, str]:
    """Return the target that a unit shot at last, as the answer to begin with. It is never one that it has to leave out."""
    last = str(troop.facts.get("aimed") or "")
    return {"target": last} if last in shooting.targets(play, troop) else {}


def _reactions(target: Troop) -> Iterator[TableOffer]:
    given: Mapping[str, str] = {"fighter": target.key}
    yield TableOffer("react", _("Brace, 1 TP"), target.side, given={**given, "how": "brace"}, at_once=True, main=True)
    yield TableOffer("react", _("No reaction"), target.side, given={**given, "how": "none"}, at_once=True, main=True)
    if target.weapons:
        yield TableOffer("hold", _("Hold and Shoot, 1 TP"), target.side, given=given)


def _actions(play: PlayState, troop: Troop) -> Iterator[TableOffer]:
    """Yield the actions a unit may declare.

    They are declared directly if no test can be due, else through the form that asks for points.
    """
    tests = troop.tests(play.content)
    if not tests and troop.weapons and play.foes(troop.side):
        arm = troop.weapons[0].name
        yield TableOffer("shoot", _("Shoot"), fighter=troop.key, given=_aimed(play, troop), weapon=arm)
    for action, label in ACTIONS.items():
        if action == "rally" and not troop.stress:
            continue
        at_once = not tests or action == "rally"
        roll = "begin" if at_once else "activate"
        yield TableOffer(roll, label, fighter=troop.key, given={"action": action}, at_once=at_once)
    yield TableOffer("activate", _("Out of coherency, horror, points"), fighter=troop.key, quiet=True)


# --- what the bar waits for


def awaited(play: PlayState) -> Awaited | None:
    """Return what the table waits for: saves, losses, morale, a pool, a unit to choose, a reaction, or the unit that acts."""
    for troop in play.owing:
        words = _("{name} saves: {count} to make").format(name=troop.name, count=troop.owed["hits"])
        return Awaited(troop.side, words, words)
    for troop in play.waiting:
        words = _("{name} places its losses").format(name=troop.name)
        return Awaited(troop.side, words, words)
    if play.phase == "morale" and (due := phases.due(play)):
        words = _("{name} checks morale").format(name=due[0][0].name)
        return Awaited(due[0][0].side, words, words)
    for key in phases.unfilled(play):
        words = _("{name} rolls for its pool").format(name=play.name(key))
        return Awaited(key, words, words)
    if play.phase == "choose":
        side = str(play.facts["chit"])
        count = len(play.eligible(side))
        words = _("{name} chooses: see them").format(name=play.name(side))
        return Awaited(side, _("Choose a unit: {count} left").format(count=count), words)
    if play.phase == "reaction" and melee.defender(play).fighter.fights:
        target = melee.defender(play)
        words = _("{name} may react").format(name=target.name)
        return Awaited(target.side, words, words)
    if (active := play.active) is not None:
        words = _("{name} acts: see it").format(name=active.name)
        return Awaited(active.side, words, words)
    return None
