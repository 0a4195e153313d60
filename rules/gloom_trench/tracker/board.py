"""The display of the Gloom Trench tracker: the board of the battle, and badges and lines of each unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules.custom.content import CustomContent
from rules.formatting import joined, quantity
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker import phases
from rules.gloom_trench.tracker.move import ACTIONS, BEGINNING, FOG, PlayState
from rules.gloom_trench.tracker.units import Troop, percent
from rules.tracker.rolls import Badge, BoardLine
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext

SCALES: Mapping[str, str] = {"28mm": "an inch, at 28 mm", "15mm": "a centimetre, at 15 mm"}
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
    yield BoardLine("Phase", name, text)
    if play.phase == "setup":
        scales = dict.fromkeys(
            SCALES.get(str(f.facts.get("scale")), "") for f in state.fighters if f.facts.get("scale")
        )
        if any(scales):
            yield BoardLine("1 MU", joined(filter(None, scales)))
    if play.fog or play.facts["drawn"]:
        yield from _bag(play)
    for side in state.sides:
        text = f"Command {play.command(side.key)}, {quantity(len(play.troops(side.key)), 'unit')}"
        yield BoardLine("Pool", f"{play.pool(side.key)} TP", text, side=side.key)


def _bag(play: PlayState) -> Iterator[BoardLine]:
    names = short_names(play.state)
    drawn = list(play.facts["drawn"])
    fallen = drawn.count(FOG)
    chits = sum(play.chits.values())
    what = ", ".join(f"{names[key]} {count}" for key, count in play.chits.items())
    yield BoardLine("Bag", str(chits + play.fog), f"{what}, Fog {play.fog}")
    if chits and play.fog and play.phase == "draw":
        odds = (f"{names[key]} {percent(Fraction(count, chits))}" for key, count in play.chits.items() if count)
        yield BoardLine("Next unit", "", ", ".join(odds))
    if not play.fog or not chits:
        text = "The phase is over"
    elif play.fog == 1:
        text = f"Next draw ends the turn: {percent(Fraction(1, chits + 1))}"
    else:
        text = "The third ends the phase"
    yield BoardLine("Fog", "", text, tuple((str(n + 1), n < fallen) for n in range(FOG_CHITS)))
    if drawn:
        yield BoardLine("Drawn", "", "", tuple((names.get(chit, "Fog"), chit != FOG) for chit in drawn))


def short_names(state: TableState) -> dict[str, str]:
    """Return a short name for each side: the first words that distinguish it from the others, without an article."""
    words = {
        side.key: [word for word in side.name.split() if word.lower() not in ("the", "a", "an")] or [side.name]
        for side in state.sides
    }
    found: dict[str, str] = {}
    for key, own in words.items():
        others = [other for each, other in words.items() if each != key]
        count = next((n for n in range(1, len(own) + 1) if all(other[:n] != own[:n] for other in others)), len(own))
        found[key] = " ".join(own[:count])[:24]
    return found


def badges(state: TableState, fighter: TableFighter) -> Iterator[Badge]:
    """Yield the unit's strength and its notable states: active, losses to place, dug in, activated."""
    troop = Troop(fighter)
    if not fighter.fights:
        return
    if not troop.known:
        yield Badge("no figures", "alarm")
        return
    yield Badge(f"{troop.size} of {sum(model.full for model in troop.models)}")
    if troop.waiting:
        yield Badge("losses to place", "alarm")
    if (state.facts or BEGINNING)["active"] == fighter.key:
        yield Badge("active")
    elif fighter.acted:
        yield Badge("activated")
    if troop.facts.get("dug_in"):
        yield Badge("dug in")


def lines(content: CustomContent, fighter: TableFighter) -> Iterator[str]:
    """Yield the models left, figures, the odds of the unit's Stress Test, recorded damage, weapons."""
    troop = Troop(fighter)
    if not troop.known or fighter.out:
        return
    facts = troop.facts
    tactics = f", Tactics {troop.tactics:g}" if troop.tactics is not None else ""
    small = ", Small Unit" if troop.small else ""
    yield f"{troop.words()}. Command {troop.command(content)}{tactics}{small}"
    yield (
        f"Save {troop.save}, Wounds {facts['wounds']}; "
        f"Combat {facts['combat']}, Damage {troop.damage}, Defence {facts['defence']}"
    )
    if test := troop.test_words(content):
        yield test
    if facts.get("recorded_damage"):
        on = _model_name(troop, "recorded_on")
        yield f"Damage recorded: {facts['recorded_damage']}" + (f" on {on}" if on else "")
    if troop.had_leader and not troop.has_leader:
        keeps = _model_name(troop, "keeps_to")
        coherency = f"coherency is kept to a {keeps}" if keeps else "name one for coherency under Correct"
        yield f"Squad Leader lost; {coherency}"
    for weapon in troop.weapons:
        yield weapon.words


def _model_name(troop: Troop, fact: str) -> str:
    """Return the name of the models that a fact of the unit refers to, or "" if it refers to none."""
    return next((model.name for model in troop.models if model.slug == troop.facts.get(fact)), "")
