"""The chits in the bag: drawing them, setting them aside, and correcting them by hand.

Source: core rules, Activation Bag; Fog of War Chits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.gloom_trench.interpretations import LOST_CHITS, chosen
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker import activation
from rules.gloom_trench.tracker.move import FOG, IDLE, Doing, GloomMove, PlayState, figure
from rules.gloom_trench.tracker.phases import bag_words, held_up
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind
from rules.translation import gettext as _


def _draw_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "draw",
        _("Draw a chit"),
        _("Drawn blind from the bag. {as_a_die}").format(as_a_die=_as_a_die(play)).strip(),
        (),
        _("one chit; after Fog the next"),
    )


def _as_a_die(play: PlayState) -> str:
    """Return how to read a die used in place of the bag: 1 to 6 Ada, 7 to 11 Ben, 12 to 14 Fog."""
    rows, reached = [], 0
    for name, count in (*((play.name(key), count) for key, count in play.chits.items()), (_("Fog"), play.fog)):
        if count:
            rows.append(
                f"{reached + 1} {name}"
                if count == 1
                else _("{number} to {number_2} {name}").format(number=reached + 1, number_2=reached + count, name=name)
            )
        reached += count
    return _("On a die of {reached}: {rows}.").format(reached=reached, rows=", ".join(rows)) if reached > 1 else ""


def _standing(play: PlayState) -> dict[str, int]:
    return {side.key: len(play.troops(side.key)) for side in play.state.sides}


def _lost(play: PlayState) -> dict[str, int]:
    """Return the chits of units lost since the bag was filled, for tables where these leave the bag.

    They are the chits in the bag beyond those that units can still use.
    """
    standing = _standing(play)
    spare = {key: 1 if key == play.state.initiative else 0 for key in standing}
    drawn = {key: list(play.facts["drawn"]).count(key) for key in standing}
    return {
        key: min(count, max(0, count + drawn[key] - standing[key] - spare[key])) for key, count in play.chits.items()
    }


def _before(play: PlayState, data: Mapping[str, str]) -> PlayState:
    """Return the table as the chit is drawn: after the end of the activation, if the press ends it too. Raises Refusal."""
    if data.get("end") and play.phase != "draw":
        ended = activation.end_of(play, data.get("end", ""))
        play = replace(play, state=replace(play.state, facts={**play.facts, **ended}))
    play.must("draw", _("A chit"))
    if held := held_up(play):
        raise Refusal(held, mend=_("Then the next chit is drawn."), code="phase")
    return play


def _draw_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play = _before(play, data)
    bag = {f"s{key}": count for key, count in play.chits.items()}
    given: dict[str, Any] = {
        "bag": {**bag, "fog": play.fog},
        "units_left": {f"s{key}": n for key, n in _standing(play).items()},
    }
    if chosen(play.content, LOST_CHITS) == "leave":
        given["lost"] = {f"s{key}": count for key, count in _lost(play).items()}
    return "draw-chit", given


def _draw(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    active = play.active
    play = _before(play, data)
    doing = Doing(play, "draw")
    if active is not None and data.get("end"):
        doing.table(**IDLE).say(_("{name}: its activation is over.").format(name=active.name))
    chits = dict(play.chits)
    if chosen(play.content, LOST_CHITS) == "leave":
        chits = {key: count - _lost(play).get(key, 0) for key, count in chits.items()}
    return _fell(play, doing, _sequence(chits, play.fog, found.rolled, _standing(play)), chits)


def _sequence(chits: Mapping[str, int], fog: int, faces: Sequence[int], standing: Mapping[str, int]) -> list[str]:
    """Return the chits that these dice drew, in order, as the rule draws them one by one."""
    left = {**chits, FOG: fog}
    dice = list(faces)
    found: list[str] = []
    while left[FOG] and sum(left.values()) > left[FOG]:
        total = sum(left.values())
        face = dice.pop(0) if total > 1 else 1
        name = FOG
        for each, count in left.items():
            if face <= count:
                name = each
                break
            face -= count
        left[name] -= 1
        found.append(name)
        if name != FOG and standing.get(name):
            break
    return found


def _fell(play: PlayState, doing: Doing, drawn: Sequence[str], chits: dict[str, int]) -> RollAct:
    fog = play.fog
    phase, whose = "draw", ""
    for name in drawn:
        if name == FOG:
            fog -= 1
            doing.say(
                _("Fog, {what}.").format(
                    what=_("the third: the phase ends at once") if not fog else _nth(FOG_CHITS - fog)
                )
            )
            continue
        chits[name] -= 1
        if play.troops(name):
            phase, whose = "choose", name
            doing.say(_("A chit of {name}.").format(name=play.name(name)))
        else:
            doing.say(_("A chit of {name}, which has no unit left: set aside.").format(name=play.name(name)))
    if not whose and (not fog or not sum(chits.values())):
        phase = "end-effects"
        if fog:
            doing.say(_("No player's chit is left: the phase ends."))
    facts = play.on(phase=phase, chit=whose, chits=chits, fog=fog, drawn=[*play.facts["drawn"], *drawn])
    return doing.table(**facts).act()


def _nth(count: int) -> str:
    return {1: _("the first"), 2: _("the second")}.get(count, _("the third"))


def _drawn_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    options = [(key, _("One of {name}").format(name=play.name(key))) for key, count in play.chits.items() if count]
    options += [(FOG, _("Fog"))] if play.fog else []
    return RollKind(
        "drawn", _("Tell a chit"), _("For chits that lie on the table: say which came out of the bag."),
        (Asks("which", _("Which chit"), "option", options=tuple(options), chips=True),), move=True, tells="draw",
    )  # fmt: skip


def _drawn(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play = _before(play, {})
    which = data.get("which", "")
    left = play.fog if which == FOG else play.chits.get(which, 0)
    if not left:
        raise Refusal(_("No such chit is left in the bag."), mend=_("Say one that is."), code="bag")
    return _fell(play, Doing(play, "drawn"), [which], dict(play.chits))


def _aside_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "aside", _("Put the chit aside"), _("No unit can act with it."), (Asks("side", _("Whose"), "side"),), move=True
    )


def _aside(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("choose", _("Setting a chit aside"))
    side = str(play.facts["chit"])
    if play.eligible(side):
        raise Refusal(
            _("{name} has a unit to activate.").format(name=play.name(side)), mend=_("Choose it."), code="phase"
        )
    doing = Doing(play, "aside").say(
        _("The chit of {name} is put aside: no unit can act.").format(name=play.name(side))
    )
    return doing.table(**play.on(**play.idle())).act(side=side)


def most_chits(play: PlayState, side: str) -> int:
    """Return the most chits a side can have: one for each unit it brought, and one more for the initiative."""
    return len(play.state.of(side)) + 1


def _chits_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    asks = [
        Asks(
            f"chits_{side.key}",
            side.name,
            "number",
            0,
            most_chits(play, side.key),
            usual=str(play.chits.get(side.key, 0)),
        )
        for side in play.state.sides
    ]
    asks.append(Asks("fog", _("Fog"), "number", 1, FOG_CHITS, usual=str(play.fog)))
    return RollKind("chits", _("Put the bag right"), _("What is in the bag now."), tuple(asks), move=True)


def _chits(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must(("draw", "choose", "unit"), _("The bag"))
    chits = {side.key: figure(data, f"chits_{side.key}", play.chits.get(side.key, 0)) for side in play.state.sides}
    fog = figure(data, "fog", play.fog)
    if chits == dict(play.chits) and fog == play.fog:
        raise Refusal(_("The bag holds that already."), mend=_("Say what is different."), code="done")
    doing = Doing(play, "chits").say(_("The bag holds {bag_words}.").format(bag_words=bag_words(play, chits, fog)))
    return doing.table(**play.on(chits=chits, fog=fog)).act()


MOVES: Mapping[str, GloomMove] = {
    "draw": GloomMove(_draw_asked, _draw, _draw_question),
    "drawn": GloomMove(_drawn_asked, _drawn),
    "aside": GloomMove(_aside_asked, _aside),
    "chits": GloomMove(_chits_asked, _chits),
}
