"""The phases of a turn: what to do in each, why it cannot end yet, and the step to the next.

Source: core rules, Turn Sequence; Tactical Phase; Turn End.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.formatting import joined, quantity
from rules.gloom_trench.interpretations import MORALE_STRESS, chosen
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker.move import ACTIONS, IDLE, Doing, GloomMove, PlayState
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import RollKind
from rules.tracker.state import TableState
from rules.translation import gettext as _

# Every phase: its name, what to do in it, and the button that ends it ("" if something else does).
PHASES: Mapping[str, tuple[str, str, str]] = {
    "setup": (_("Set up"), _("Place terrain, objectives and units as the scenario says; each side has its first Tactical Points."), _("Begin turn 1")),
    "effects": (_("Tactical Phase: effects"), _("What happens at this point happens now, {second} first."), _("Effects done")),
    "morale": (_("Tactical Phase: morale"), _("Every unit with Stress throws a D8 for each token; a natural 1 costs a model."), _("Morale done")),
    "pool": (_("Tactical Phase: points"), _("Each side throws a D6 for each point of Command; each Commander adds one."), _("Pools filled")),
    "bag": (_("Tactical Phase: bag"), _("A chit for each unit and three of Fog go in."), _("Fill the bag")),
    "initiative": (_("Tactical Phase: initiative"), _("Command D6 each; more successes win a further chit."), ""),
    "draw": (_("Activations"), _("Draw a chit. The third Fog ends the phase at once."), ""),
    "choose": (_("Activations"), _("{chit}: choose a unit."), ""),
    "unit": (_("Activations"), _("{active} is active: {action}."), ""),
    "reaction": (_("Activations: charge"), _("{target} may spend a point: Brace, or Hold and Shoot."), ""),
    "melee": (_("Activations: melee"), _("Defender, then attacker move a D3 into contact; both roll, both save; a draw goes on."), ""),
    "end-effects": (_("End of the turn: effects"), _("What happens at the end happens now, {first} first."), _("Effects done")),
    "end-pool": (_("End of the turn: points"), _("A D6 for each point; only successes stay."), _("Pools checked")),
    "end-tidy": (_("End of the turn: tidying"), _("Chits back to the bag; what lasted this turn comes off the table."), _("Tidied")),
    "end-tea": (_("End of the turn: tea"), _("A cup each, and a look at the objectives. Is it decided?"), _("Begin turn {turn}")),
}  # fmt: skip


def told_phase(play: PlayState) -> tuple[str, str, str]:
    """Return the name, text and button of the phase, with the names of this table."""
    name, words, button = PHASES[play.phase]
    facts, active = play.facts, play.active
    holder = play.state.initiative or str(facts["last_initiative"])
    first = play.name(holder) if holder else _("the winner of a roll-off")
    others = [other.name for other in play.others(str(facts["last_initiative"]))] if facts["last_initiative"] else []
    blanks = {
        "second": joined(others) if others else _("the winner of a roll-off"),
        "first": first,
        "chit": play.name(str(facts["chit"])) if facts["chit"] else "",
        "active": active.name if active else "",
        "action": ACTIONS.get(str(facts["action"]), ""),
        "target": play.troop(str(play.charge["target"])).name if play.charge else "",
        "turn": str(play.state.turn + 1),
    }
    return name, words.format(**blanks), button.format(**blanks)


def due(play: PlayState) -> tuple[tuple[Troop, int], ...]:
    """Return the units that have a morale check to make, and the number of tokens it is for."""
    at_once = chosen(play.content, MORALE_STRESS) == "at-once"
    found = []
    for troop in play.troops():
        wanted = int(troop.facts.get("morale_due") or 0)
        if wanted and troop.stress:
            found.append((troop, troop.stress if at_once else min(wanted, troop.stress)))
    return tuple(found)


def unfilled(play: PlayState) -> tuple[str, ...]:
    """Return the sides whose pool needs dice in this phase, to be filled or checked."""
    facts = play.state
    if play.phase == "pool":
        return tuple(s.key for s in facts.sides if play.troops(s.key) and s.facts.get("filled", 0) != play.state.turn)
    if play.phase == "end-pool":
        return tuple(s.key for s in facts.sides if play.pool(s.key) and s.facts.get("kept", 0) != play.state.turn)
    return ()


def held_up(play: PlayState) -> str:
    """Return why the turn cannot continue yet, or "" if it can."""
    if play.owing:
        return _("{name} has saves to make first.").format(name=play.owing[0].name)
    if play.waiting:
        return _("{name} has losses to place first.").format(name=play.waiting[0].name)
    if play.phase == "morale" and due(play):
        return _("{quantity} a morale check to make.").format(
            quantity=quantity(len(due(play)), _("unit has"), _("units have"))
        )
    if unfilled(play):
        return _("{listed} still {words} to roll.").format(
            listed=joined(play.name(key) for key in unfilled(play)),
            words="has" if len(unfilled(play)) == 1 else "have",
        )
    return ""


# --- the next phase


def _next_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind("next", told_phase(play)[2] or _("Continue"), _("The turn goes on to its next step."), move=True)


NEXT_PHASE = {
    "setup": "effects",
    "morale": "pool",
    "pool": "bag",
    "bag": "initiative",
    "end-pool": "end-tidy",
    "end-tidy": "end-tea",
    "end-tea": "effects",
}


def _refuse_next(play: PlayState, here: str) -> None:
    """Raise Refusal if the turn cannot continue from this phase."""
    if here != play.phase or not PHASES[play.phase][2]:
        raise Refusal(
            _("The table stands at “{told_phase}” by now.").format(told_phase=told_phase(play)[0]),
            mend=_("Look, and go on from there."),
            code="clash",
        )
    if held_up(play):
        raise Refusal(held_up(play), mend=_("Then the turn goes on."), code="phase")


def _phase_after(play: PlayState, here: str) -> str:
    match here:
        case "effects":
            stressed = any(troop.stress for troop in play.troops())
            return "morale" if play.state.turn > 1 and stressed else "pool"
        case "end-effects":
            return "end-pool" if any(play.pool(side.key) for side in play.state.sides) else "end-tidy"
    return NEXT_PHASE[here]


def _next(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    here = data.get("from", play.phase)
    _refuse_next(play, here)
    doing = Doing(play, "next")
    turn = play.state.turn
    to = _phase_after(play, here)
    facts: dict[str, Any] = {}
    message = f"{PHASES[to][0]}."
    if to == "morale":
        for troop in play.troops():
            if troop.stress:
                doing.fact(troop, morale_due=troop.stress)
    match here:
        case "setup":
            message = _("Turn {turn} begins.").format(turn=turn)
        case "end-tea":
            doing.next_turn = True
            message = _("Turn {amount} begins.").format(amount=turn + 1)
            facts = {"last_initiative": play.state.initiative or play.facts["last_initiative"]}
        case "bag":
            chits = {side.key: len(play.troops(side.key)) for side in play.state.sides}
            facts = {"chits": chits, "fog": FOG_CHITS, "drawn": []}
            message = _("The bag holds {bag_words}.").format(bag_words=bag_words(play, chits, FOG_CHITS))
        case "end-tidy":
            facts = {"chits": {}, "fog": 0, "drawn": []}
    return doing.say(message).table(**play.on(phase=to, **facts)).act()


def bag_words(play: PlayState, chits: Mapping[str, int], fog: int) -> str:
    return _("{what}, Fog {fog}").format(
        what=", ".join((f"{play.name(key)} {count}" for key, count in chits.items())), fog=fog
    )


# What a unit owes or has to settle; nothing of it once the turn was finished by hand.
_SETTLED: Mapping[str, Any] = {
    "waiting_damage": 0, "waiting_models": 0, "waiting_bound": -1, "morale_due": 0, "owed": {}, "opposed": "", "aimed": "",
}  # fmt: skip


def laid_down(play: PlayState) -> TableState:
    """Return the table as its next turn finds it after one that was finished by hand: nothing is owed, and nobody is active."""
    state = play.state
    fighters = tuple(
        replace(fighter, facts={**fighter.facts, **_SETTLED}) if fighter.facts.get("models") else fighter
        for fighter in state.fighters
    )
    sides = tuple(
        replace(side, facts={**side.facts, **{f"near_{each.key}": "told" for each in state.of(side.key) if each.out}})
        for side in state.sides
    )
    first = state.initiative or play.facts["last_initiative"]
    facts = {**play.facts, **IDLE, **play.on(phase="effects", chits={}, fog=0, drawn=[], last_initiative=first)}
    return replace(state, fighters=fighters, sides=sides, facts=facts)


MOVES: Mapping[str, GloomMove] = {
    "next": GloomMove(_next_asked, _next),
}
