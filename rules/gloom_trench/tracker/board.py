"""The display of the Gloom Trench tracker: the board of the battle, and badges and lines of each unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules.custom.content import CustomContent
from rules.formatting import joined, quantity
from rules.gloom_trench.resolvers.activation import is_tested
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker import phases
from rules.gloom_trench.tracker.move import ACTIONS, BEGINNING, FOG, PlayState
from rules.gloom_trench.tracker.units import Troop, percent
from rules.tracker.names import short_names
from rules.tracker.rolls import Armament, Badge, BoardLine
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext

STRESS_BOXES = 8
SCALES: Mapping[str, str] = {"28mm": gettext("an inch, at 28 mm"), "15mm": gettext("a centimetre, at 15 mm")}
ACTION_TEXT: Mapping[str, str] = {
    "advance": gettext("5 MU before or after shooting, which then takes −1; or only one of both."),
    "open-up": gettext("It shoots and stays where it is."),
    "charge": gettext("5 MU and a D6 at the nearest enemy in sight."),
    "take-that-ground": gettext("5 MU and a D6, no shooting."),
    "dig-in": gettext("Orders first: digging in ends the activation."),
    "rally": gettext("A D6 for each token of Stress."),
    "do-nothing": gettext("Unit Orders only."),
}


def board(play: PlayState) -> Iterator[BoardLine]:
    """Yield the phase and what to do in it, Fog, the drawn chits, the odds of the next chit, then the pools."""
    state = play.state
    name, text, _ = phases.told_phase(play)
    active = play.active
    if active is not None and play.phase == "unit":
        action = str(play.facts["action"])
        text = f"{active.name}: {ACTIONS[action]}. {ACTION_TEXT[action]}"
    yield BoardLine(gettext("Phase"), name, text)
    if play.phase == "setup":
        scales = dict.fromkeys(
            SCALES.get(str(f.facts.get("scale")), "") for f in state.fighters if f.facts.get("scale")
        )
        if any(scales):
            yield BoardLine("1 MU", joined(filter(None, scales)))
    if play.fog or play.facts["drawn"]:
        yield from _bag(play)
    names = short_names(state)
    points = " · ".join(f"{names[side.key]} {play.pool(side.key)}" for side in state.sides)
    if any(side.facts for side in state.sides):
        yield BoardLine(gettext("Points"), "", points)


def _bag(play: PlayState) -> Iterator[BoardLine]:
    names = short_names(play.state)
    drawn = list(play.facts["drawn"])
    fallen = drawn.count(FOG)
    chits = sum(play.chits.values())
    what = ", ".join(f"{names[key]} {count}" for key, count in play.chits.items())
    yield BoardLine(gettext("Bag"), str(chits + play.fog), gettext("{what}, Fog {fog}").format(what=what, fog=play.fog))
    if chits and play.fog and play.phase == "draw":
        odds = (f"{names[key]} {percent(Fraction(count, chits))}" for key, count in play.chits.items() if count)
        yield BoardLine(gettext("Next unit"), "", ", ".join(odds))
    if not play.fog or not chits:
        text = gettext("The phase is over")
    elif play.fog == 1:
        text = gettext("Next draw ends the turn: {percent}").format(percent=percent(Fraction(1, chits + 1)))
    else:
        text = gettext("The third ends the phase")
    yield BoardLine(gettext("Fog"), "", text, tuple((str(n + 1), n < fallen) for n in range(FOG_CHITS)))
    if drawn:
        yield BoardLine(
            gettext("Drawn"), "", "", tuple((names.get(chit, gettext("Fog")), chit != FOG) for chit in drawn)
        )


def badges(state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Yield the unit's strength and its notable states: active, losses to place, dug in, activated."""
    troop = Troop(fighter)
    if not fighter.fights:
        return
    if not troop.known:
        yield Badge(gettext("no figures"), "alarm")
        return
    yield Badge(gettext("{size} of {sum}").format(size=troop.size, sum=sum(model.full for model in troop.models)))
    if troop.waiting:
        yield Badge(gettext("losses to place"), "alarm")
    if troop.owed:
        yield Badge(gettext("{count} to save").format(count=troop.owed["hits"]), "alarm")
    if troop.facts.get("opposed"):
        yield Badge(gettext("−1 on its next roll"), "alarm")
    if (state.facts or BEGINNING)["active"] == fighter.key:
        yield Badge("active")
    elif fighter.acted:
        yield Badge("activated")
    if troop.facts.get("dug_in"):
        yield Badge(gettext("dug in"))


def lines(content: CustomContent, fighter: TableFighter) -> Iterator[str]:
    """Yield the models left, figures, the odds of the unit's Stress Test, recorded damage, weapons."""
    troop = Troop(fighter)
    if not troop.known or fighter.out:
        return
    facts = troop.facts
    tactics = gettext(", Tactics {tactics:g}").format(tactics=troop.tactics) if troop.tactics is not None else ""
    small = gettext(", Small Unit") if troop.small else ""
    yield gettext("{words}. Command {command}{tactics}{small}").format(
        words=troop.words(), command=troop.command(content), tactics=tactics, small=small
    )
    if not fighter.profile:  # a guest's unit has no card that shows its figures
        yield (
            gettext("Save {save}, Wounds {facts}; Combat {facts_2}, Damage {damage}, Defence {facts_3}").format(
                save=troop.save,
                facts=facts["wounds"],
                facts_2=facts["combat"],
                damage=troop.damage,
                facts_3=facts["defence"],
            )
        )
    if test := troop.test_words(content):
        yield test
    if facts.get("recorded_damage"):
        on = _model_name(troop, "recorded_on")
        yield gettext("Damage recorded: {facts}").format(facts=facts["recorded_damage"]) + (
            gettext(" on {on}").format(on=on) if on else ""
        )
    if troop.had_leader and not troop.has_leader:
        keeps = _model_name(troop, "keeps_to")
        coherency = (
            gettext("coherency is kept to a {keeps}").format(keeps=keeps)
            if keeps
            else gettext("name one for coherency under Correct")
        )
        yield gettext("Squad Leader lost; {coherency}").format(coherency=coherency)


def tracks(content: CustomContent, fighter: TableFighter) -> Iterator[BoardLine]:
    """Yield the casualty boxes of each sort of model, and the Stress of a unit with the limit of its tests."""
    troop = Troop(fighter)
    if not troop.known or fighter.out:
        return
    for model in troop.models:
        lost = model.full - model.left
        boxes = tuple(("×" if place < lost else str(place + 1), place < lost) for place in range(model.full))
        left = gettext("{left} of {full} left").format(left=model.left, full=model.full)
        yield BoardLine(model.name, words=left, track=boxes)
    if troop.stress:
        command = troop.command(content)
        boxes = tuple((str(place), place <= troop.stress) for place in range(1, max(STRESS_BOXES, troop.stress) + 1))
        limit = next((token for token in range(1, len(boxes) + 1) if is_tested(content, command, token, "none")), 0)
        words = (
            gettext("{count}, a test from {limit} on").format(count=troop.stress, limit=limit)
            if limit
            else str(troop.stress)
        )
        yield BoardLine(gettext("Stress"), words=words, track=boxes, limit=max(0, limit - 1))


def armaments(fighter: TableFighter) -> Iterator[Armament]:
    """Yield the weapons with the dice that they throw now, and the die at each range."""
    troop = Troop(fighter)
    if fighter.out:
        return
    for weapon in troop.weapons:
        dice = quantity(weapon.bearers * weapon.per_model, "die", "dice")
        bands = " · ".join(gettext("to {reach:g} MU {die}").format(reach=reach, die=die) for reach, die in weapon.bands)
        yield Armament(weapon.name, f"{dice}; {bands}")


def _model_name(troop: Troop, fact: str) -> str:
    """Return the name of the models that a fact of the unit refers to, or "" if it refers to none."""
    return next((model.name for model in troop.models if model.slug == troop.facts.get(fact)), "")
