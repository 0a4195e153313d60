"""The injury roll: base dice with +DICE and -DICE, flat modifiers, armour, Bloodbath, and what the result does to the target.

Source: Attacks 1.6, "The Injury Roll"; Condensed rules 1.6.3, "Injury Chart"; core rules 1.0, "Injury Rolls".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.roller import Changes, Pool, Resolved, Roller, told_dice, told_flat
from rules.translation import gettext
from rules.trench_crusade.resolvers.inputs import Injury, Resistance, Target, unresisted, words_of
from rules.trench_crusade.resolvers.success import changes_of, checked_spending, spent_markers

MINOR, DOWN, OUT = 2, 7, 9
_CHART = (("out-of-action", OUT), ("down", DOWN), ("minor-hit", MINOR))
MOST_MARKERS = 6
MARKING = ("FIRE", "GAS", "SHRAPNEL")
_Effects = tuple[Mapping[str, Any], ...]
# What a weapon does to an injury and its markers: keywords of the books, and keywords made up for one of their sentences.
INFECTS, INFECTS_MORE, TAKEN_DOWN = "INFECTION MARKERS", "ONE INFECTION MARKER MORE", "TAKEN DOWN"
INFECTS_ALWAYS = "ALWAYS ONE INFECTION MARKER"
NO_ROLL, NO_MARKERS, DOUBLED, SET_SIX = "NO INJURY ROLL", "NO MARKERS", "DOUBLE MARKERS", "ONE DIE IS 6"
TURNED_SIX, TURNED_ONE = "ONE DIE TURNS TO 6", "ONE INJURY DIE TURNS TO 1"
DOWN_FIRST = "DOWN FIRST"
MINOR_IS_DOWN = "MINOR HITS ARE DOWN"
MORE_BLOOD = {"ONE BLOOD MARKER MORE": 1, "TWO BLOOD MARKERS MORE": 2}
PIERCING = {"ARMOUR PIERCING 2": 2, "ARMOUR PIERCING": 1}
NAMES = {
    "no-effect": gettext("No Effect"), "minor-hit": gettext("Minor Hit"), "down": gettext("Down"), "out-of-action": gettext("Out of Action"),
}  # fmt: skip


def bloodbath_cost(target: Target, told: int | None) -> int:
    """Markers that a Bloodbath asks for: six, three while the target is Down, or what a rule says instead."""
    return told if told is not None else 3 if target.down else 6


def resolve_injury(play: EditionPlay, data: Injury, roller: Roller) -> Resolved:
    """Roll on the injury chart, and once more where the result is below `reroll_below`. See `_injury`."""
    found = _injury(play, data, roller)
    is_low = data.reroll_below and RANKS.index(found.outcome) < RANKS.index(data.reroll_below)
    if not is_low or found.total is None:
        return found
    again = _injury(play, data, roller)
    return replace(again, rolled=(*found.rolled, *again.rolled))


RANKS = ("no-effect", "minor-hit", "down", "out-of-action")


def _injury(play: EditionPlay, data: Injury, roller: Roller) -> Resolved:
    """One injury roll, on a target that some weapons put Down before it."""
    keywords = words_of(data.keywords)
    if DOWN_FIRST not in keywords or data.target.down:
        return _on_chart(play, data, roller)
    found = _on_chart(
        play, msgspec.structs.replace(data, target=msgspec.structs.replace(data.target, down=True)), roller
    )
    if found.outcome == "out-of-action":
        return found
    return replace(found, outcome="down", effects=({"goes_down": True}, *found.effects))


def _on_chart(play: EditionPlay, data: Injury, roller: Roller) -> Resolved:
    """Roll on the injury chart. Outcomes: no-effect, minor-hit, down, out-of-action, after what saves the target.

    Effects: `blood_markers` and `infection_markers` gained (never beyond six where the markers are known), `goes_down`, `tough_used`,
    `out_of_action`, `markers_spent`. Raises Refusal when markers are spent that do not lie on the target.
    """
    target = data.target
    keywords = unresisted(words_of(data.keywords), words_of(target.negates))
    cost = bloodbath_cost(target, data.bloodbath_cost) if data.bloodbath else 0
    checked_spending(data.blood_spent + cost, data.blessing_spent, target.blood, target.infection, target.blessing)
    if target.keeps_infection and target.infection is not None and data.blood_spent > (target.blood or 0):
        raise Refusal(gettext("Its INFECTION MARKERS pay only for a Bloodbath."), code="markers")
    if TAKEN_DOWN in keywords:
        return _taken_down(data, keywords)
    changes = injury_changes(play, data, keywords)
    base = max(data.base_dice, 3 if "DEADLY" in keywords else 1) + (1 if data.bloodbath else 0)
    if NO_ROLL in keywords:
        return _unrolled(data, keywords)
    flats = injury_flats(play, data, keywords)
    flat = sum(number for number, _ in flats)
    sixes = 1 if SET_SIX in keywords else 0
    fell = roller.pool(
        Pool(base, changes.net, sixes, TURNED_SIX in keywords, TURNED_ONE in keywords),
        gettext("Injury roll"),
        (MINOR - flat, DOWN - flat, OUT - flat),
    )
    total = fell.total + flat
    row = next((row for row, least in _CHART if total >= least), "no-effect")
    outcome, saved, effects = _suffered(row, data, keywords)
    spent = data.blood_spent + cost
    gained = _markers(outcome, target, keywords)
    placed = placed_markers(
        target, keywords, gained, spent, stays=outcome != "out-of-action", more=_more(data, outcome)
    )
    result = NAMES[row] + (f", {saved}" if saved else "")
    causes = (
        (gettext("+1 base die"), gettext("Bloodbath"), data.bloodbath),
        (gettext("3 base dice"), "DEADLY", "DEADLY" in keywords and data.base_dice < 3),
        (gettext("a die set to 6"), gettext("the weapon"), bool(sixes)),
        (gettext("the lowest die turned to 6"), "told", TURNED_SIX in keywords),
        (gettext("the highest die set to 1"), "told", TURNED_ONE in keywords),
    )
    return Resolved(
        outcome=outcome,
        told=gettext("Injury roll: {total}, {result}{told_markers}.").format(
            total=total, result=result, told_markers=told_markers(placed)
        ),
        rolled=fell.rolled,
        kept=fell.kept,
        total=total,
        modifiers=(
            *told_dice(changes.entries, play.injury_dice),
            *((what, why) for what, why, applies in causes if applies),
            *told_flat(flats),
        ),
        effects=(*effects, *_placed_effects(placed), *spent_markers(spent, data.blessing_spent)),
    )


def _more(data: Injury, outcome: str) -> tuple[int, int]:
    """BLOOD and INFECTION MARKERS that the attacker pays for, on a target that is still there."""
    return (0, 0) if outcome == "out-of-action" else (data.more_blood, data.more_infection)


def _placed_effects(placed: tuple[tuple[str, int], ...]) -> tuple[Mapping[str, Any], ...]:
    used = ({"spares_used": True},) if "spared" in dict(placed) else ()
    return (*({f"{kind}_markers": count} for kind, count in placed), *used)


def injury_changes(play: EditionPlay, data: Injury, keywords: frozenset[str]) -> Changes:
    """Dice that are added to or taken from an injury roll, with their causes."""
    target = data.target
    changes = changes_of(data.dice, data.modifiers)
    if data.critical:
        keen = data.critical_keyword or "CRITICAL" in keywords
        changes = changes.plus(2 if keen else 1, gettext("Critical hit, CRITICAL") if keen else gettext("Critical hit"))
    if target.down and (data.melee or play.down_injury == "all"):
        changes = changes.plus(1, gettext("The target is Down"))
    if data.diving_charge:
        changes = changes.plus(play.diving_injury, gettext("Diving Charge"))
    if data.unarmed:
        changes = changes.plus(-1, gettext("Unarmed"))
    for resistance in _resistances(data, keywords):
        changes = changes.plus(resistance.dice, resistance.why)
    changes = changes.plus(data.blood_spent, gettext("markers spent on the target"))
    return changes.plus(-data.blessing_spent, gettext("BLESSING MARKERS spent"))


def _resistances(data: Injury, keywords: frozenset[str]) -> Iterator[Resistance]:
    """The resistances of the target that count. A keyword that places no marker on it is resisted all the same."""
    printed = words_of(data.keywords)
    for resistance in data.target.resistances:
        keyword, unless = resistance.keyword.upper(), resistance.unless.upper()
        ignored = keyword == "ARMOUR" and _ignores_armour(data, keywords)
        if (not keyword or keyword in printed) and not (unless and unless in printed) and not ignored:
            yield resistance


def _ignores_armour(data: Injury, keywords: frozenset[str]) -> bool:
    return data.ignore_armour or "IGNORE ARMOUR" in keywords


def injury_flats(play: EditionPlay, data: Injury, keywords: frozenset[str]) -> list[tuple[int, str]]:
    """Flat modifiers with their causes. What armour takes off together is capped where the edition caps it."""
    stated = [(data.modifier, data.modifier_why), *((one.number, one.why) for one in data.flats)]
    added = [(number, why) for number, why in stated if number > 0]
    taken = [(number, why) for number, why in stated if number < 0]
    taken += [(number, why) for number, why in _armour(data, keywords) if number]
    over = -sum(number for number, _ in taken) - play.armour_most
    if play.armour_most and over > 0:
        taken.append((over, gettext("No more than −{armour_most} together").format(armour_most=play.armour_most)))
    return [*added, *taken]


def _armour(data: Injury, keywords: frozenset[str]) -> tuple[tuple[int, str], ...]:
    """What armour takes off, and what pierces it."""
    firm = (data.unignorable_armour, gettext("Armour that nothing ignores"))
    if _ignores_armour(data, keywords):
        return (firm,)
    shield = 0 if "IGNORE SHIELD" in keywords else data.shield
    armour = ((data.armour, gettext("Armour")), (shield, gettext("Shield")))
    piercing = next((word for word in PIERCING if word in keywords), "")
    if not piercing:
        return (*armour, firm)
    worn = data.armour + shield + data.unignorable_armour
    return (*armour, (min(PIERCING[piercing], -worn), piercing), firm)


def _suffered(row: str, data: Injury, keywords: frozenset[str]) -> tuple[str, str, _Effects]:
    """What the row comes to for this target: the outcome, what saved it in words, and effects.

    A Machine Armour turns the Down row into a Minor Hit, but not a Down that TOUGH or GOLEM made of worse (developer answer Q5.1).
    Where a Minor Hit is Down, nothing turns a Down into a Minor Hit.
    """
    target = data.target
    if target.untouched and row != "no-effect":
        return "no-effect", gettext("which comes to nothing"), ()
    down: _Effects = () if target.down else ({"goes_down": True},)
    if row == "minor-hit" and _shrugs_off(target):
        return "no-effect", gettext("which does nothing here"), ()
    if row == "minor-hit":
        why = gettext("which is Down by this weapon") if MINOR_IS_DOWN in keywords else gettext("which is Down here")
        falls = MINOR_IS_DOWN in keywords or target.minor_is_down
        return ("down", why, down) if falls else (row, "", ())
    if row == "down":
        return _down(target, down)
    return _out(target, down, bloodbath=data.bloodbath) if row == "out-of-action" else (row, "", ())


def _shrugs_off(target: Target) -> bool:
    """Whether a Minor Hit has No Effect on it."""
    return target.minor_is_nothing or (target.unmarked_minor_is_nothing and not target.blood)


def _down(target: Target, down: _Effects) -> tuple[str, str, _Effects]:
    if target.down_is_nothing:
        return "no-effect", gettext("which does nothing here"), ()
    if target.stays_up and not target.down:
        return "minor-hit", gettext("and stays up"), ()
    if target.minor_is_down:
        return "down", "", down
    if target.down_is_minor or (target.unmarked_down_is_minor and not target.blood):
        return "minor-hit", gettext("taken as a Minor Hit"), ()
    if target.first_down:
        return target.first_down, _first_down_words(target), ({"first_down_used": True},)
    return "down", "", down


def _out(target: Target, down: _Effects, *, bloodbath: bool) -> tuple[str, str, _Effects]:
    if target.ignores_out:
        return "no-effect", gettext("disregarded this once"), ({"ignores_out_used": True},)
    saved: _Effects
    if target.out_is_down:
        return "down", gettext("Down instead"), down
    if target.golem and not bloodbath:
        saved, why = (), gettext("a GOLEM goes Down instead")
    elif target.tough and not target.tough_used:
        saved, why = ({"tough_used": True},), gettext("TOUGH goes Down instead")
    else:
        return "out-of-action", "", ({"out_of_action": True},)
    if target.tough_to_nothing and not target.golem:
        return "no-effect", gettext("TOUGH, then nothing"), saved
    if target.stays_up and not target.down:
        return "minor-hit", gettext("{why}, and stays up").format(why=why), saved
    if target.first_down and target.first_down_tough:
        return target.first_down, _first_down_words(target), (*saved, {"first_down_used": True})
    return "down", why, (*saved, *down)


def _first_down_words(target: Target) -> str:
    return (
        gettext("its first Down, taken as a Minor Hit")
        if target.first_down == "minor-hit"
        else gettext("its first Down, disregarded")
    )


def _markers(outcome: str, target: Target, keywords: frozenset[str]) -> int:
    if outcome == "out-of-action" or target.no_markers or NO_MARKERS in keywords:
        return 0
    gained = {"no-effect": 0, "minor-hit": 1, "down": 2 if target.down else 1}[outcome]
    gained *= 2 if DOUBLED in keywords else 1
    gained += max((count for word, count in MORE_BLOOD.items() if word in keywords), default=0)
    return gained + sum(1 for word in MARKING if word in keywords and not (word == "GAS" and target.golem))


def _taken_down(data: Injury, keywords: frozenset[str]) -> Resolved:
    """A target that goes Down with no roll, with all that a Down result does. Raises Refusal for markers spent on no roll.

    Source: core rules 1.0, "Injury Rolls", on results that a rule brings about.
    """
    if data.blood_spent or data.blessing_spent or data.bloodbath:
        raise Refusal(gettext("It goes Down without an Injury Roll: no markers are spent on one."), code="markers")
    outcome, saved, effects = _suffered("down", data, keywords)
    placed = placed_markers(data.target, keywords, _markers(outcome, data.target, keywords - set(MARKING)), 0)
    words = NAMES["down"] + (f", {saved}" if saved else "")
    return Resolved(
        outcome, gettext("Injury: {words} without a roll{told_markers}.").format(words=words, told_markers=told_markers(placed)),
        effects=(*effects, *_placed_effects(placed)),
    )  # fmt: skip


def placed_markers(
    target: Target,
    keywords: frozenset[str],
    gained: int,
    spent: int,
    *,
    stays: bool = True,
    more: tuple[int, int] = (0, 0),
) -> tuple[tuple[str, int], ...]:
    """What an injury leaves, by the kind of marker: blood, or infection in its place or besides; no more than six of a kind lie there.

    Source: Condensed rules 1.6.3, "Markers"; core rules 1.0, "Infection Markers"; Plague Blade and Pestilent Fang of either edition.
    """
    blood, infection = (0, gained) if INFECTS in keywords else (gained, 0)
    if (gained and INFECTS_MORE in keywords) or (stays and INFECTS_ALWAYS in keywords):
        infection += 1
    blood, infection = blood + more[0], infection + more[1]
    of_blood = min(target.spares, blood)
    of_infection = min(target.spares - of_blood, infection)
    blood, infection = blood - of_blood, infection - of_infection
    held, sick = target.blood or 0, target.infection or 0
    from_blood = min(held, spent)  # blood is spent before infection, as `after` has it
    if target.blood is not None:
        blood = min(blood, MOST_MARKERS - held + from_blood)
    if target.infection is not None:
        infection = min(infection, MOST_MARKERS - max(0, sick - (spent - from_blood)))
    counts = (("blood", blood), ("infection", infection), ("spared", of_blood + of_infection))
    return tuple((kind, count) for kind, count in counts if count)


def told_markers(placed: tuple[tuple[str, int], ...]) -> str:
    """The markers that an injury leaves, in words behind its result."""
    return "".join(f"; {count} {kind.upper()} MARKER{'S' if count != 1 else ''}" for kind, count in placed)


def _unrolled(data: Injury, keywords: frozenset[str]) -> Resolved:
    """A hit that nobody rolls an injury for: its keywords still leave their markers. Raises Refusal for markers spent on no roll."""
    if data.blood_spent or data.blessing_spent or data.bloodbath:
        raise Refusal(gettext("No injury is rolled: no markers are spent on it."), code="markers")
    placed = placed_markers(data.target, keywords, _markers("no-effect", data.target, keywords), 0)
    message = gettext("Injury: none is rolled{told_markers}.").format(told_markers=told_markers(placed))
    return Resolved("no-effect", message, effects=_placed_effects(placed))


def after(target: Target, found: Resolved) -> Target:
    """The target as it stands after an injury, for the next one."""
    changes: dict[str, Any] = {}
    if found.effect("goes_down"):
        changes["down"] = True
    if found.effect("tough_used"):
        changes["tough_used"] = True
    if found.effect("ignores_out_used"):
        changes["ignores_out"] = False
    if found.effect("blood_markers", 0):
        changes |= {"unmarked_down_is_minor": False, "unmarked_minor_is_nothing": False}
    if found.effect("first_down_used"):
        changes |= {"first_down": "", "first_down_tough": False}
    if spared := found.effect("spared_markers", 0):
        changes["spares"] = target.spares - spared
    spent, gained = found.effect("markers_spent", 0), found.effect("blood_markers", 0)
    if target.blood is not None or target.infection is not None:
        blood, infection = target.blood or 0, target.infection or 0
        from_blood = min(blood, spent)
        changes["blood"] = min(MOST_MARKERS, blood - from_blood + gained)
        infected = found.effect("infection_markers", 0)
        if target.infection is not None or infected:
            changes["infection"] = min(MOST_MARKERS, max(0, infection - (spent - from_blood)) + infected)
    if target.blessing is not None:
        changes["blessing"] = max(0, target.blessing - found.effect("blessing_spent", 0))
    return msgspec.structs.replace(target, **changes) if changes else target
