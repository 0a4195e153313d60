"""Rolls of the Trench Crusade tracker other than the attack: their forms, the parsing of answers, and the effects of
injuries.

Source: Condensed rules 1.6.3, "Movement Actions", "Falling", "Terrain", "Goetic Powers & Spells"; Turns and actions
1.0, "Actions"; core rules 1.0, "Movement and terrain".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_crusade.resolvers.field import MOST_MARKERS
from rules.trench_crusade.resolvers.inputs import USED_UP

WEAPON_WORDS = (
    "CRITICAL",
    "DEADLY",
    "FIRE",
    "GAS",
    "SHRAPNEL",
    "ARMOUR PIERCING",
    "IGNORE ARMOUR",
    "INFECTION MARKERS",
)
MOVE = "move"

WEAPON = tuple(Asks("word_" + word.lower().replace(" ", "_"), word, group=gettext("Weapon")) for word in WEAPON_WORDS)
SPENT = (
    Asks("dice", gettext("Further dice"), "number", -6, 6),
    Asks("blood_spent", gettext("Its markers spent"), "number", 0, 12),
    Asks("blessing_spent", gettext("Its blessings spent"), "number", 0, 6),
)
HURT = (
    Asks("injury_dice", gettext("Dice to injure"), "number", -6, 6, group=gettext("If it is hurt")),
    Asks("injury_blood_spent", gettext("Its markers spent"), "number", 0, 12, group=gettext("If it is hurt")),
    Asks("injury_blessing_spent", gettext("Its blessings spent"), "number", 0, 6, group=gettext("If it is hurt")),
)
_WHO = Asks("fighter", gettext("Who"), "mine")
_STOOD = Asks("stood_up", gettext("Stood up in this activation"))


def _inches(name: str, label: str, most: int = 60) -> Asks:
    return Asks(name, gettext("{label}, in inches").format(label=label), "number", 0, most)


MOVES: tuple[RollKind, ...] = tuple(
    RollKind(id_, label, words, (_WHO, *asks), dice, move=dice == "", group=MOVE)
    for id_, label, words, asks, dice in (
        (
            "charge", gettext("Charge"), gettext("How far it gets; a Diving Charge is rolled for as well."),
            (
                _inches("distance", gettext("To its target, empty where not measured"), 12), _STOOD, Asks("heavy", gettext("Carries a HEAVY piece")),
                Asks("unseen", gettext("Does not see its target")), _inches("dive", gettext("Jumps down")), _inches("lands_within", gettext("Lands within"), 12),
                *SPENT, *HURT,
            ),
            gettext("each D6 of its bonus; the pool of the roll if unseen or diving; after a failed dive the injury"),
        ),
        ("dash", gettext("Dash"), gettext("RISKY; once more its movement."), (_STOOD, *SPENT), gettext("two dice, more where dice are added or taken")),
        ("climb", gettext("Climb"), gettext("RISKY; a failure leaves it where it began."), (_inches("height", gettext("How high")), *SPENT), gettext("two dice, or more")),
        (
            "jump", gettext("Jump"), gettext("RISKY; a failure is a fall."),
            (_inches("gap", gettext("The gap")), _inches("rise", gettext("Lands higher by")), _inches("drop", gettext("How deep it falls")), *SPENT, *HURT),
            gettext("two dice, or more; after a failure the injury"),
        ),
        (
            "fall", gettext("Fall"), gettext("Falling, or jumping down."), (_inches("height", gettext("How deep")), Asks("voluntary", gettext("It jumped down")), *HURT),
            gettext("the injury dice"),
        ),
        (
            "dangerous-terrain", gettext("Dangerous ground"), gettext("Crossed, or begun in."),
            (Asks("moved_into", gettext("Moved into it"), usual="1"), Asks("ends_in", gettext("Ends in it"), usual="1"), *SPENT, *HURT, *WEAPON),
            gettext("two dice, or more; after a failure the injury"),
        ),
        (
            "ledge", gettext("Ledge"), gettext("Knocked Down within an inch of an edge."), (_inches("height", gettext("How deep it goes down")), *SPENT, *HURT),
            gettext("two dice, or more; after a failure the injury"),
        ),
        ("stand", gettext("Stand at once"), gettext("RISKY; in the activation in which it went Down."), SPENT, gettext("two dice, or more")),
        (
            "retreat", gettext("Retreat"), gettext("Leaving melee; attacks on it are rolled apart."),
            (
                Asks("enemies", gettext("Enemies within an inch"), "number", 1, 20, usual="1"),
                Asks("struck", gettext("Their attacks put it Down or out")), Asks("clear", gettext("There is room beyond an inch"), usual="1"),
            ),
            "",
        ),
        ("evade", gettext("Evade"), gettext("A SKIRMISHER that is charged."), (Asks("in_melee", gettext("It is in melee")),), gettext("a D6 for the D3")),
    )
)  # fmt: skip
OTHER_POWER = "other"
GOETIC = RollKind(
    "goetic", gettext("Goetic power"), gettext("The markers leave the table, and it works; some powers are rolled for."),
    (
        Asks("fighter", gettext("Who casts"), "mine", leads=True),
        Asks("asked", gettext("BLOOD MARKERS asked"), "number", 0, 36, usual="1"),
        Asks("givers", gettext("Taken from"), "anybody", several=True),
        Asks("action_roll", gettext("The power is rolled for")),
        *SPENT,
    ),
    gettext("none, or two dice where it is rolled for"),
)  # fmt: skip
ASKED = gettext("BLOOD MARKERS asked"), gettext("INFECTION MARKERS asked")
INTO_MELEE = RollKind(
    "shot-into-melee", gettext("Shot into melee"), gettext("Who a shot into melee hits: those within an inch of the target."),
    (Asks("fighter", gettext("Who shoots"), "mine"), Asks("who", gettext("All within an inch, the target too"), "anybody", several=True)),
    gettext("a D6; then one die among those of that side"),
)  # fmt: skip


def casting(state: TableState, data: Mapping[str, str]) -> RollKind:
    """Return the form of a goetic power: the caster's powers, and the markers that the chosen one costs."""
    caster = next((one for one in state.fighters if one.key == data.get("fighter")), None)
    powers = caster.facts.get("powers", ()) if caster else ()
    if not powers:
        return GOETIC
    who, asked, *rest = GOETIC.asks
    options = (
        *((str(place), str(name)) for place, (name, *_) in enumerate(powers)),
        (OTHER_POWER, gettext("Another power")),
    )
    chosen = Asks("power", gettext("Power"), "option", options=options, usual="0", leads=True)
    power = power_of(caster, data) if caster else None
    if power is not None:
        steps, kind = power
        label = ASKED[kind == "infection"]
        asked = Asks("asked", label, "option", options=tuple((str(n), str(n)) for n in steps), usual=str(steps[0]))
    return replace(GOETIC, asks=(who, chosen, asked, *rest))


def power_of(caster: TableFighter, data: Mapping[str, str]) -> tuple[tuple[int, ...], str] | None:
    """Return the numbers of markers that pay for the power being cast, and their kind.

    None for a power entered by hand.
    """
    powers = caster.facts.get("powers", ())
    place = data.get("power", "0") or "0"
    if not powers or not (place.isascii() and place.isdigit()) or int(place) >= len(powers):
        return None
    _, steps, kind = powers[int(place)]
    return tuple(int(step) for step in steps), str(kind)


# --- what was answered -------------------------------------------------------------------------------------------------------


def able(state: TableState, key: str, label: str) -> TableFighter:
    """Return the fighter in the answer. Raises Refusal if there is none, or if it is out or not yet on the table."""
    if not key:
        raise Refusal(gettext("{label}? Choose a fighter.").format(label=label), code="no-fighter")
    fighter = state.fighter(key)
    if fighter.out:
        raise Refusal(
            gettext("{name} is Out of Action and cannot act.").format(name=fighter.name),
            mend=gettext("If that was a slip, undo it in the log."),
            code="out",
        )
    if not fighter.there:
        raise Refusal(
            gettext("{name} is in reserve.").format(name=fighter.name),
            mend=gettext("Press “Arrives” first."),
            code="not-there",
        )
    return fighter


def figure(data: Mapping[str, str], name: str, usual: int = 0) -> int:
    """Return a whole number as typed. Raises Refusal."""
    text = str(data.get(name, "")).strip().replace("−", "-").removeprefix("+")
    if not text:
        return usual
    if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 4:
        raise Refusal(gettext("“{text}” is no whole number.").format(text=text[:12]), code="number")
    return int(text)


def weapon_words(data: Mapping[str, str]) -> list[str]:
    """Return the keywords that are ticked."""
    return [word for word in WEAPON_WORDS if ticked(data, "word_" + word.lower().replace(" ", "_"))]


def spending(state: TableState, data: Mapping[str, str], label: str = gettext("Who rolls")) -> dict[str, Any]:
    """Return what affects the roll of the player's own fighter. Raises Refusal."""
    fighter = able(state, data.get("fighter", ""), label)
    return {
        "dice": figure(data, "dice"),
        "down": fighter.down,
        "shaken": state.side(fighter.side).shaken == state.turn,
        "blood_spent": figure(data, "blood_spent"),
        "blessing_spent": figure(data, "blessing_spent"),
        **payable(fighter),
    }


def held(fighter: TableFighter) -> dict[str, int]:
    """Return the markers on a fighter."""
    return {name: fighter.markers.get(name, 0) for name in ("blood", "infection", "blessing")}


def kinds_paying(fighter: TableFighter, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return those of the kinds of marker that may be spent on a roll that is no Bloodbath."""
    return tuple(kind for kind in kinds if not fighter.facts.get(f"keeps_{kind}"))


def payable(fighter: TableFighter) -> dict[str, int]:
    """Return the markers on a fighter that pay for its own rolls."""
    return {kind: held(fighter)[kind] if kind in kinds_paying(fighter, (kind,)) else 0 for kind in held(fighter)}


def power_price(caster: TableFighter, data: Mapping[str, str]) -> tuple[int, str, list[int]]:
    """Return how many markers are spent on a power, their kind, and the numbers it accepts ([] if entered by hand)."""
    power = power_of(caster, data)
    if power is None:
        return figure(data, "asked", 1), "blood", []
    steps, kind = power
    return figure(data, "asked", steps[0]), kind, list(steps)


def keys_of(data: Mapping[str, str], name: str) -> list[str]:
    """Return the keys of fighters in an answer."""
    return [key for key in data.get(name, "").split(",") if key]


# --- the results -------------------------------------------------------------------------------------------------------------


def suffered(
    fighter: TableFighter, target: TableFighter, injuries: Iterable[Resolved], *, by: str | None = None
) -> Effect:
    """Return the effect of injuries on their target: markers spent and gained, and whether it goes Down or out.

    A miss has no effect.
    """
    effects = [effect for injury in injuries for effect in injury.effects]

    def summed(name: str) -> int:
        return sum(int(effect.get(name, 0)) for effect in effects)

    def told(name: str) -> bool:
        return any(effect.get(name) for effect in effects)

    markers = taken(target, summed("markers_spent"), summed("blessing_spent"))
    for kind in ("blood", "infection"):
        there = target.markers.get(kind, 0) + markers.get(kind, 0)
        gained = min(summed(f"{kind}_markers"), MOST_MARKERS - there)
        markers[kind] = markers.get(kind, 0) + gained
    out = told("out_of_action")
    whose = fighter.side if by is None else by
    return Effect(
        fighter=target.key,
        markers={name: count for name, count in markers.items() if count},
        down=True if told("goes_down") and not target.down and not out else None,
        out=out,
        by=whose if out else "",
        facts={name: True for name in USED_UP if told(name)},
    )


def taken(fighter: TableFighter, spent: int, blessed: int) -> dict[str, int]:
    """Return the markers that leave a fighter: blood first, then infection."""
    blood = min(spent, fighter.markers.get("blood", 0))
    found = {"blood": -blood, "infection": blood - spent, "blessing": -blessed}
    return {name: count for name, count in found.items() if count}


def that_count(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return the effects that change something."""
    return tuple(e for e in effects if e.markers or e.out or e.acted is not None or e.facts or e.down is not None)


def fell_words(found: Resolved) -> str:
    """Return the dice of a roll for the log, with a leading space; the dice of each part are listed separately."""
    parts = found.steps if found.steps and not found.rolled else (found,)
    told = [", ".join(str(face) for face in faces_of(part)) for part in parts]
    dice = "; ".join(filter(None, told))
    return f" ({dice})" if dice else ""


def faces_of(found: Resolved) -> tuple[int, ...]:
    """Return every die of a roll, in the order in which they were rolled."""
    if found.steps and not found.rolled:
        return tuple(face for step in found.steps for face in faces_of(step))
    return found.rolled
