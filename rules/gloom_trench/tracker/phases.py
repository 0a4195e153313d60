"""The steps of a turn that are nobody's activation: Tactical Phase, bag and chits, end of the turn.

Source: core rules, Turn Sequence; Tactical Phase; Activation Bag; Fog of War Chits; Roll for Initiative; Turn End.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.formatting import joined, quantity
from rules.gloom_trench.interpretations import LOST_CHITS, MORALE_STRESS, chosen
from rules.gloom_trench.resolvers.dice import Throw
from rules.gloom_trench.resolvers.pool import FOG as FOG_CHITS
from rules.gloom_trench.tracker.move import (
    ACTIONS,
    FOG,
    MOST_POINTS,
    Doing,
    GloomMove,
    PlayState,
    enemy_point,
    enemy_spends,
    enough,
    figure,
    own_point,
)
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind

# Every phase: its name, what is to be done in it, and the button that goes on from it ("" where something else does).
PHASES: Mapping[str, tuple[str, str, str]] = {
    "setup": ("Set up", "Place terrain, objectives and units as the scenario says; each side has its first Tactical Points.", "Begin turn 1"),
    "effects": ("Tactical Phase: effects", "What happens at this point happens now, {second} first.", "Effects done"),
    "morale": ("Tactical Phase: morale", "Every unit with Stress throws a D8 for each token; a natural 1 costs a model.", "Morale done"),
    "pool": ("Tactical Phase: points", "Each side throws a D6 for each point of Command; each Commander adds one.", "Pools filled"),
    "bag": ("Tactical Phase: bag", "A chit for each unit and three of Fog go in.", "Fill the bag"),
    "initiative": ("Tactical Phase: initiative", "Command D6 each; more successes win a further chit.", ""),
    "draw": ("Activations", "Draw a chit. The third Fog ends the phase at once.", ""),
    "choose": ("Activations", "{chit}: choose a unit.", ""),
    "unit": ("Activations", "{active} is active: {action}.", ""),
    "reaction": ("Activations: charge", "{target} may spend a point: Brace, or Hold and Shoot.", ""),
    "melee": ("Activations: melee", "Defender, then attacker move a D3 into contact; both roll, both save; a draw goes on.", ""),
    "end-effects": ("End of the turn: effects", "What happens at the end happens now, {first} first.", "Effects done"),
    "end-pool": ("End of the turn: points", "A D6 for each point; only successes stay.", "Pools checked"),
    "end-tidy": ("End of the turn: tidying", "Chits back to the bag; what lasted this turn comes off the table.", "Tidied"),
    "end-tea": ("End of the turn: tea", "A cup each, and a look at the objectives. Is it decided?", "Begin turn {turn}"),
}  # fmt: skip


def told_phase(play: PlayState) -> tuple[str, str, str]:
    """Name, text and button of the phase, with the names of this table."""
    name, words, button = PHASES[play.phase]
    facts, active = play.facts, play.active
    holder = play.state.initiative or str(facts["last_initiative"])
    first = play.name(holder) if holder else "whoever wins a roll-off"
    others = [other.name for other in play.others(str(facts["last_initiative"]))] if facts["last_initiative"] else []
    blanks = {
        "second": joined(others) if others else "whoever wins a roll-off",
        "first": first,
        "chit": play.name(str(facts["chit"])) if facts["chit"] else "",
        "active": active.name if active else "",
        "action": ACTIONS.get(str(facts["action"]), ""),
        "target": play.troop(str(play.charge["target"])).name if play.charge else "",
        "turn": str(play.state.turn + 1),
    }
    return name, words.format(**blanks), button.format(**blanks)


def due(play: PlayState) -> tuple[tuple[Troop, int], ...]:
    """Units that have a morale check to make, and for how many tokens."""
    at_once = chosen(play.content, MORALE_STRESS) == "at-once"
    found = []
    for troop in play.troops():
        wanted = int(troop.facts.get("morale_due") or 0)
        if wanted and troop.stress:
            found.append((troop, troop.stress if at_once else min(wanted, troop.stress)))
    return tuple(found)


def unfilled(play: PlayState) -> tuple[str, ...]:
    """Sides whose pool waits for dice in this phase: to be filled, or to be checked."""
    facts = play.state
    if play.phase == "pool":
        return tuple(s.key for s in facts.sides if play.troops(s.key) and s.facts.get("filled", 0) != play.state.turn)
    if play.phase == "end-pool":
        return tuple(s.key for s in facts.sides if play.pool(s.key) and s.facts.get("kept", 0) != play.state.turn)
    return ()


def held_up(play: PlayState) -> str:
    """Why the turn cannot go on yet, "" if it can."""
    if play.waiting:
        return f"{play.waiting[0].name} has losses to place first."
    if play.phase == "morale" and due(play):
        return f"{quantity(len(due(play)), 'unit has', 'units have')} a morale check to make."
    if unfilled(play):
        return f"{joined(play.name(key) for key in unfilled(play))} still {'has' if len(unfilled(play)) == 1 else 'have'} to roll."
    return ""


# --- going on


def _next_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind("next", told_phase(play)[2] or "Go on", "The turn goes on to its next step.", move=True)


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
    """Raise Refusal if the turn cannot go on from this phase."""
    if here != play.phase or not PHASES[play.phase][2]:
        raise Refusal(
            f"The table stands at “{told_phase(play)[0]}” by now.", mend="Look, and go on from there.", code="clash"
        )
    if held_up(play):
        raise Refusal(held_up(play), mend="Then the turn goes on.", code="phase")


def _next(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    here = data.get("from", play.phase)
    _refuse_next(play, here)
    doing = Doing(play, "next")
    turns = play.state.turn
    to = NEXT_PHASE.get(here, "")
    facts: dict[str, Any] = {}
    message = ""
    match here:
        case "setup":
            message = f"Turn {turns} begins."
        case "end-tea":
            doing.next_turn = True
            message = f"Turn {turns + 1} begins."
            facts = {"last_initiative": play.state.initiative or play.facts["last_initiative"]}
        case "effects":
            stressed = [troop for troop in play.troops() if troop.stress]
            to = "morale" if turns > 1 and stressed else "pool"
            for troop in stressed if to == "morale" else ():
                doing.fact(troop, morale_due=troop.stress)
        case "bag":
            chits = {side.key: len(play.troops(side.key)) for side in play.state.sides}
            facts = {"chits": chits, "fog": FOG_CHITS, "drawn": []}
            message = f"The bag holds {_bag_words(play, chits, FOG_CHITS)}."
        case "end-effects":
            to = "end-pool" if any(play.pool(side.key) for side in play.state.sides) else "end-tidy"
        case "end-tidy":
            facts = {"chits": {}, "fog": 0, "drawn": []}
    return doing.say(message or f"{PHASES[to][0]}.").table(**play.on(phase=to, **facts)).act()


def _bag_words(play: PlayState, chits: Mapping[str, int], fog: int) -> str:
    return f"{', '.join(f'{play.name(key)} {count}' for key, count in chits.items())}, Fog {fog}"


# --- morale


def _morale_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(troop.key for troop, _ in due(play))
    asks = [Asks("fighter", "Which unit", "mine", only=keys, leads=True)]
    tokens = dict.fromkeys(keys, 0) | {troop.key: count for troop, count in due(play)}
    odds = ""
    if data.get("fighter") in tokens:
        troop = play.troop(data["fighter"])
        asks += [*own_point(play, troop.side), *enemy_point(play, troop)]
        throw = Throw("D8", troop.command(play.content))
        lost = 1 - (7 / 8) ** tokens[troop.key]
        odds = f"{tokens[troop.key]} D8, a token off on {throw.need}+; a model lost: {round(lost * 100, 1):g} %."
    return RollKind(
        "morale", "Morale check", "A D8 for each token of Stress.", tuple(asks), "a D8 for each token", odds_words=odds
    )


def _morale_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("morale", "A morale check")
    troop = play.troop(data.get("fighter", ""))
    tokens = {each.key: count for each, count in due(play)}.get(troop.key)
    if tokens is None:
        raise Refusal(f"{troop.name} has no morale check to make.", mend="Go on with the others.", code="no-check")
    spent, enemy = figure(data, "tp"), enemy_spends(play, troop.side, data)
    enough(play, troop.side, spent)
    if enemy:
        enough(play, enemy, 1)
    return "morale-check", {
        "command": troop.command(play.content), "stress": tokens, "models": max(1, troop.size), "tp": spent, "opponent_tp": int(bool(enemy)),
    }  # fmt: skip


def _morale(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    troop = play.troop(data["fighter"])
    doing = Doing(play, "morale").say(f"{troop.name}, morale: {found.told}")
    doing.pay(troop.side, figure(data, "tp"))
    if enemy := enemy_spends(play, troop.side, data):
        doing.pay(enemy, 1)
    lost = int(found.effect("models_lost", 0))
    doing.stress(troop, -int(found.effect("removed", 0)))
    doing.fact(troop, morale_due=0)
    if lost >= troop.size:
        doing.destroy(troop, "")
    elif lost and len(troop.standing) == 1:
        lose_models(doing, troop, troop.standing[0].slug, lost)
    elif lost:
        doing.count(troop, "waiting_models", lost)
        doing.say("Its owner says which.")
    return doing.table(**play.within()).act(fighter=troop.key)


def lose_models(doing: Doing, troop: Troop, slug: str, count: int) -> None:
    """Whole models of one sort removed, with what was recorded on the last of them."""
    model = next(model for model in troop.models if model.slug == slug)
    count = min(count, model.left)
    doing.count(troop, f"{slug}_left", -count)
    recorded = int(troop.facts.get("recorded_damage") or 0)
    if count == model.left and recorded and troop.facts.get("recorded_on") == slug:
        doing.count(troop, "recorded_damage", -recorded)
        doing.fact(troop, recorded_on="")


# --- the pool


def _pool_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    ending = play.phase == "end-pool"
    return RollKind(
        "pool", "Check the pool" if ending else "Fill the pool",
        "A point stays for each success." if ending else "A point for each success, and one for each Commander.",
        (Asks("side", "Whose", "side"),), "a D6 for each point" if ending else "a D6 for each point of Command",
    )  # fmt: skip


def commanders(play: PlayState, side: str) -> int:
    return sum(troop.has("Commander") for troop in play.troops(side))


def _pool_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must(("pool", "end-pool"), "The pool")
    side = play.state.side(data.get("side", ""))
    if side.key not in unfilled(play):
        raise Refusal(f"{side.name} has nothing to roll for its pool now.", mend="Go on.", code="done")
    if play.phase == "end-pool":
        return "check-pool", {"pool": play.pool(side.key)}
    return "populate-pool", {
        "pool": play.pool(side.key), "command": play.command(side.key), "commanders_on_table": commanders(play, side.key),
    }  # fmt: skip


def _pool(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    side = play.state.side(data["side"])
    doing = Doing(play, "pool")
    now = min(MOST_POINTS, int(found.effect("pool", 0)))
    doing.pay(side.key, play.pool(side.key) - now)
    doing.side(side.key, **{"kept" if play.phase == "end-pool" else "filled": play.state.turn})
    return doing.say(f"{side.name}: {found.told}").table(**play.within()).act(side=side.key)


# --- the initiative


def _dice_of(play: PlayState) -> tuple[tuple[str, int], ...]:
    return tuple((side.key, play.command(side.key)) for side in play.state.sides)


def _initiative_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    rows = _dice_of(play)
    asks = []
    if len(rows) == 2:
        for key, _ in rows:
            asks += list(own_point(play, key, f"tp_{key}"))
    words = ", ".join(f"{play.name(key)} {count}" for key, count in rows)
    return RollKind(
        "initiative", "Roll for the initiative", f"A D6 for each point of the highest Command: {words}.", tuple(asks),
        f"{' then '.join(f'{count} D6 of {play.name(key)}' for key, count in rows)}",
    )  # fmt: skip


def _initiative_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("initiative", "The initiative")
    rows = _dice_of(play)
    if not any(count for _, count in rows):
        raise Refusal("No side has any Command left to roll with.", mend="Say who has the initiative.", code="no-dice")
    if len(rows) != 2:
        return "roll-vs-tn", {"die": "D6", "count": sum(count for _, count in rows)}
    (a, dice_a), (b, dice_b) = rows
    for key in (a, b):
        enough(play, key, figure(data, f"tp_{key}"))
    last = play.facts["last_initiative"]
    return "roll-initiative", {
        "dice_a": dice_a, "dice_b": dice_b, "turn": play.state.turn, "last_winner": {a: "A", b: "B"}.get(str(last)),
        "tp_a": figure(data, f"tp_{a}"), "tp_b": figure(data, f"tp_{b}"),
    }  # fmt: skip


def _initiative(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    rows = _dice_of(play)
    doing = Doing(play, "initiative")
    if len(rows) == 2:
        (a, _), (b, _) = rows
        for key in (a, b):
            doing.pay(key, figure(data, f"tp_{key}"))
        doing.say(
            f"Initiative: {play.name(a)} {found.effect('successes_a')}, {play.name(b)} {found.effect('successes_b')}."
        )
        winner = {"A": a, "B": b}.get(found.outcome, "")
    else:
        scores: dict[str, int] = {}
        faces = list(found.rolled)
        for key, count in rows:
            own, faces = faces[:count], faces[count:]
            scores[key] = sum(face >= 5 for face in own)
        doing.say("Initiative: " + ", ".join(f"{play.name(key)} {score}" for key, score in scores.items()) + ".")
        best = [key for key, score in scores.items() if score == max(scores.values())]
        if len(best) > 1 and play.state.turn > 1:
            best = [key for key in best if key != play.facts["last_initiative"]] or best
        winner = best[0] if len(best) == 1 else ""
    if not winner:
        return doing.say("Level: roll again.").table(**play.within()).act()
    return _won(play, doing, winner)


def _won(play: PlayState, doing: Doing, winner: str) -> RollAct:
    doing.initiative = winner
    doing.say(f"{play.name(winner)} has the initiative and a further chit.")
    chits = {**play.chits, winner: play.chits.get(winner, 0) + 1}
    return doing.table(**play.on(phase="draw", chits=chits)).act()


def _taken_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    options = tuple((side.key, side.name) for side in play.state.sides)
    return RollKind(
        "taken", "Say who has it", "Where dice cannot decide it, or fell already.",
        (Asks("whose", "Who has the initiative", "option", options=options),), move=True, tells="initiative",
    )  # fmt: skip


def _taken(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("initiative", "The initiative")
    return _won(play, Doing(play, "taken"), play.state.side(data.get("whose", "")).key)


# --- chits


def _draw_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "draw",
        "Draw a chit",
        f"Out of the bag, nobody knows which. {_as_a_die(play)}".strip(),
        (),
        "one chit; after Fog the next",
    )


def _as_a_die(play: PlayState) -> str:
    """How the chits are counted where a die stands for the bag: 1 to 6 Ada, 7 to 11 Ben, 12 to 14 Fog."""
    rows, reached = [], 0
    for name, count in (*((play.name(key), count) for key, count in play.chits.items()), ("Fog", play.fog)):
        if count:
            rows.append(f"{reached + 1} {name}" if count == 1 else f"{reached + 1} to {reached + count} {name}")
        reached += count
    return f"On a die of {reached}: {', '.join(rows)}." if reached > 1 else ""


def _standing(play: PlayState) -> dict[str, int]:
    return {side.key: len(play.troops(side.key)) for side in play.state.sides}


def _lost(play: PlayState) -> dict[str, int]:
    """Chits of units lost since the bag was filled, where those leave the bag: what is in it beyond the units that can still use one."""
    standing = _standing(play)
    spare = {key: 1 if key == play.state.initiative else 0 for key in standing}
    drawn = {key: list(play.facts["drawn"]).count(key) for key in standing}
    return {
        key: min(count, max(0, count + drawn[key] - standing[key] - spare[key])) for key, count in play.chits.items()
    }


def _draw_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must("draw", "A chit")
    if play.waiting:
        raise Refusal(held_up(play), mend="Then the next chit is drawn.", code="phase")
    bag = {f"s{key}": count for key, count in play.chits.items()}
    given: dict[str, Any] = {
        "bag": {**bag, "fog": play.fog},
        "units_left": {f"s{key}": n for key, n in _standing(play).items()},
    }
    if chosen(play.content, LOST_CHITS) == "leave":
        given["lost"] = {f"s{key}": count for key, count in _lost(play).items()}
    return "draw-chit", given


def _draw(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    chits = dict(play.chits)
    if chosen(play.content, LOST_CHITS) == "leave":
        chits = {key: count - _lost(play).get(key, 0) for key, count in chits.items()}
    return _fell(play, Doing(play, "draw"), _sequence(chits, play.fog, found.rolled, _standing(play)), chits)


def _sequence(chits: Mapping[str, int], fog: int, faces: Sequence[int], standing: Mapping[str, int]) -> list[str]:
    """The chits that these dice drew, in their order: what the rule draws, told one by one."""
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
            doing.say(f"Fog, {'the third: the phase ends at once' if not fog else _nth(FOG_CHITS - fog)}.")
            continue
        chits[name] -= 1
        if play.troops(name):
            phase, whose = "choose", name
            doing.say(f"A chit of {play.name(name)}.")
        else:
            doing.say(f"A chit of {play.name(name)}, which has no unit left: set aside.")
    if not whose and (not fog or not sum(chits.values())):
        phase = "end-effects"
        if fog:
            doing.say("No player's chit is left: the phase ends.")
    facts = play.on(phase=phase, chit=whose, chits=chits, fog=fog, drawn=[*play.facts["drawn"], *drawn])
    return doing.table(**facts).act()


def _nth(count: int) -> str:
    return {1: "the first", 2: "the second"}.get(count, "the third")


def _drawn_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    options = [(key, f"One of {play.name(key)}") for key, count in play.chits.items() if count]
    options += [(FOG, "Fog")] if play.fog else []
    return RollKind(
        "drawn", "Tell a chit", "For chits that lie on the table: say which came out of the bag.",
        (Asks("which", "Which chit", "option", options=tuple(options)),), move=True, tells="draw",
    )  # fmt: skip


def _drawn(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("draw", "A chit")
    if play.waiting:
        raise Refusal(held_up(play), mend="Then the next chit is drawn.", code="phase")
    which = data.get("which", "")
    left = play.fog if which == FOG else play.chits.get(which, 0)
    if not left:
        raise Refusal("No such chit is left in the bag.", mend="Say one that is.", code="bag")
    return _fell(play, Doing(play, "drawn"), [which], dict(play.chits))


def _aside_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    return RollKind(
        "aside", "Set the chit aside", "Nobody can be activated with it.", (Asks("side", "Whose", "side"),), move=True
    )


def _aside(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must("choose", "Setting a chit aside")
    side = str(play.facts["chit"])
    if play.eligible(side):
        raise Refusal(f"{play.name(side)} has a unit to activate.", mend="Choose it.", code="phase")
    doing = Doing(play, "aside").say(f"The chit of {play.name(side)} is set aside: nobody can be activated.")
    return doing.table(**play.on(**play.idle())).act(side=side)


# --- put right by hand


def _pool_now_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    side = next((side for side in play.state.sides if side.key == data.get("side")), play.state.sides[0])
    return RollKind(
        "points", "Put the pool right", "For points spent or gained beside the table.",
        (Asks("side", "Whose", "side", leads=True), Asks("now", "Tactical Points", "number", 0, MOST_POINTS, usual=str(play.pool(side.key)))),
        move=True,
    )  # fmt: skip


def _pool_now(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    side = play.state.side(data.get("side", ""))
    before, now = play.pool(side.key), figure(data, "now", play.pool(side.key))
    if now == before:
        raise Refusal(f"{side.name} has {before} already.", mend="Say another number.", code="done")
    doing = Doing(play, "points").say(f"{side.name}: Tactical Points {before} to {now}.")
    doing.pay(side.key, before - now)
    return doing.act(side=side.key)


def most_chits(play: PlayState, side: str) -> int:
    """Chits that a side can have: one for each unit it brought, one more for the initiative."""
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
    asks.append(Asks("fog", "Fog", "number", 1, FOG_CHITS, usual=str(play.fog)))
    return RollKind("chits", "Put the bag right", "What is in the bag now.", tuple(asks), move=True)


def _chits(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    play.must(("draw", "choose", "unit"), "The bag")
    chits = {side.key: figure(data, f"chits_{side.key}", play.chits.get(side.key, 0)) for side in play.state.sides}
    fog = figure(data, "fog", play.fog)
    if chits == dict(play.chits) and fog == play.fog:
        raise Refusal("The bag holds that already.", mend="Say what is different.", code="done")
    doing = Doing(play, "chits").say(f"The bag holds {_bag_words(play, chits, fog)}.")
    return doing.table(**play.on(chits=chits, fog=fog)).act()


MOVES: Mapping[str, GloomMove] = {
    "next": GloomMove(_next_asked, _next),
    "morale": GloomMove(_morale_asked, _morale, _morale_question),
    "pool": GloomMove(_pool_asked, _pool, _pool_question),
    "initiative": GloomMove(_initiative_asked, _initiative, _initiative_question),
    "taken": GloomMove(_taken_asked, _taken),
    "draw": GloomMove(_draw_asked, _draw, _draw_question),
    "drawn": GloomMove(_drawn_asked, _drawn),
    "aside": GloomMove(_aside_asked, _aside),
    "points": GloomMove(_pool_now_asked, _pool_now),
    "chits": GloomMove(_chits_asked, _chits),
}
