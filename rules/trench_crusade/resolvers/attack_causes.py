"""The list of everything that affects an attack in its situation, as text for a page."""

from __future__ import annotations

from collections.abc import Iterator

from rules.content.play import EditionPlay
from rules.formatting import signed
from rules.trench_crusade.resolvers.attack import injury_of
from rules.trench_crusade.resolvers.hit import hit_changes, hits_by_itself
from rules.trench_crusade.resolvers.injury import (
    DOUBLED,
    DOWN_FIRST,
    INFECTS,
    INFECTS_ALWAYS,
    INFECTS_MORE,
    MINOR_IS_DOWN,
    NAMES,
    NO_ROLL,
    SET_SIX,
    TAKEN_DOWN,
    TURNED_ONE,
    TURNED_SIX,
    injury_changes,
    injury_flats,
)
from rules.trench_crusade.resolvers.inputs import Attack, Target, words_of
from rules.trench_crusade.resolvers.success import CRITICAL

# What a keyword of the weapon does to the markers of an injury, as text.
LEAVING = (
    (INFECTS, "INFECTION in place of BLOOD MARKERS"),
    (INFECTS_ALWAYS, "An INFECTION MARKER more, whatever the injury roll shows"),
    (INFECTS_MORE, "An INFECTION MARKER more wherever it leaves any"),
    ("ONE BLOOD MARKER MORE", "A BLOOD MARKER more, whatever the injury roll shows"),
    ("TWO BLOOD MARKERS MORE", "Two BLOOD MARKERS more, whatever the injury roll shows"),
    (DOUBLED, "Twice the BLOOD MARKERS of the result"),
    (MINOR_IS_DOWN, "A Minor Hit by it is Down"),
    (SET_SIX, "One die of the injury is a 6, unrolled"),
    (TURNED_SIX, "The lowest die of the injury is turned to 6"),
    (TURNED_ONE, "The highest die of the injury is set to 1"),
    (DOWN_FIRST, "The target goes Down before its injury"),
    (NO_ROLL, "No injury roll: its markers alone"),
    (TAKEN_DOWN, "No injury roll: the target is taken Down"),
)


def causes(play: EditionPlay, data: Attack) -> tuple[str, ...]:
    """What bears on the hit first, then on the injury of a plain hit, then what saves the target."""
    keywords = words_of(data.keywords)
    by_itself = hits_by_itself(data, keywords)
    injury = injury_of(data, data.target, keywords, critical=False)
    hit = () if by_itself else hit_changes(play, data, keywords)
    return (
        *(("It hits by itself",) if by_itself else ()),
        *(f"{signed(dice)} DICE to hit: {why}" for dice, why in hit),
        *(
            f"{signed(dice)} {play.injury_dice} to injure: {why}"
            for dice, why in injury_changes(play, injury, keywords).entries
        ),
        *(f"{signed(number)} to the injury: {why}" for number, why in injury_flats(play, injury, keywords)),
        *_of_the_line(data, keywords, by_itself=by_itself),
        *_of_the_roll(data),
        *_of_markers(data),
        *(f"The target: {text}" for text in _saves(data.target)),
    )


def _of_the_line(data: Attack, keywords: frozenset[str], *, by_itself: bool) -> Iterator[str]:
    """What the weapon does beside dice and numbers."""
    if data.critical_from < CRITICAL and not by_itself:
        yield f"A Critical Success from {data.critical_from} on"
    if (base := max(data.base_dice, 3 if "DEADLY" in keywords else 1)) != 2:
        yield f"The injury is rolled with {base}D6"
    if ("IGNORE ARMOUR" in keywords or data.ignore_armour) and (data.armour or data.shield):
        yield "Armour is ignored"
    elif "IGNORE SHIELD" in keywords and data.shield:
        yield "The shield is ignored"
    yield from (text for keyword, text in LEAVING if keyword in keywords)
    if data.critical_keywords and not by_itself:
        yield f"On a Critical Success: {', '.join(data.critical_keywords)}"
    if data.bloodbath_cost is not None:
        yield f"A Bloodbath takes {data.bloodbath_cost} markers"


def _of_the_roll(data: Attack) -> Iterator[str]:
    """What is set, rolled again or missed whatever the roll."""
    if data.averted:
        yield "The attack cannot hit this target"
    if data.hit_sixes:
        yield "One die of the roll to hit is a 6, unrolled"
    if data.reroll_hit:
        yield "A miss is rolled again" + ("; a 1 then is a Failure and puts me Down" if data.backfires else "")
    if data.reroll_below:
        yield f"An injury below {NAMES[data.reroll_below]} is rolled again"
    if data.near_miss:
        yield f"A miss by up to {int(data.near_miss)}″ still catches the target"


# For what the attacker gets markers.
FOR_WHAT = {
    "made": "for the attack", "hit": "for a hit", "bled": "if the target gets BLOOD MARKERS", "marked": "if the target gets markers",
    "each marker": "for each BLOOD MARKER on the target", "not out": "if the target is not taken out",
}  # fmt: skip


def _of_markers(data: Attack) -> Iterator[str]:
    """Markers that stand beside those of the injury, on either side."""
    for one in data.on_attacker:
        yield f"{signed(one.number)} {one.kind.upper()} MARKER on me {FOR_WHAT[one.when]}: {one.why}"
    for count, kind in ((data.more_blood, "BLOOD"), (data.more_infection, "INFECTION")):
        if count:
            yield f"{signed(count)} {kind} MARKER on the target after the injury"
    if data.miss_marks:
        yield f"{signed(data.miss_marks)} BLOOD MARKER on the target by a miss too"


def _saves(target: Target) -> Iterator[str]:
    saves = (
        ("TOUGH", target.tough),
        ("GOLEM", target.golem),
        ("A Down result is a Minor Hit", target.down_is_minor),
        ("Without a BLOOD MARKER a Down result is a Minor Hit", target.unmarked_down_is_minor),
        ("Its first Down result is a Minor Hit", target.first_down == "minor-hit"),
        ("Its first Down result does nothing", target.first_down == "no-effect"),
        ("A Minor Hit is Down", target.minor_is_down),
        ("A Minor Hit does nothing", target.minor_is_nothing),
        ("Without a BLOOD MARKER a Minor Hit does nothing", target.unmarked_minor_is_nothing),
        ("A Down result does nothing", target.down_is_nothing),
        ("Out of Action is Down", target.out_is_down),
        ("Any injury comes to nothing", target.untouched),
        ("A Down result leaves markers alone", target.stays_up),
        ("Down by TOUGH does nothing", target.tough_to_nothing),
        ("The first marker is not placed", bool(target.spares)),
        ("Its first Out of Action result does nothing", target.ignores_out),
        ("No BLOOD MARKER is placed on it", target.no_markers),
    )
    return (text for text, applies in saves if applies)
