"""The list of everything that affects an attack in its situation, as text for a page."""

from __future__ import annotations

from collections.abc import Iterator

from rules.content.play import EditionPlay
from rules.formatting import signed
from rules.translation import gettext as _
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
from rules.trench_crusade.resolvers.inputs import DEFEATS, Attack, Target, words_of
from rules.trench_crusade.resolvers.success import CRITICAL

# What a keyword of the weapon does to the markers of an injury, as text.
LEAVING = (
    (INFECTS, _("INFECTION in place of BLOOD MARKERS")),
    (INFECTS_ALWAYS, _("An INFECTION MARKER more, whatever the injury roll shows")),
    (INFECTS_MORE, _("An INFECTION MARKER more wherever it leaves any")),
    ("ONE BLOOD MARKER MORE", _("A BLOOD MARKER more, whatever the injury roll shows")),
    ("TWO BLOOD MARKERS MORE", _("Two BLOOD MARKERS more, whatever the injury roll shows")),
    (DOUBLED, _("Twice the BLOOD MARKERS of the result")),
    (MINOR_IS_DOWN, _("A Minor Hit by it is Down")),
    (SET_SIX, _("One die of the injury is a 6, unrolled")),
    (TURNED_SIX, _("The lowest die of the injury is turned to 6")),
    (TURNED_ONE, _("The highest die of the injury is set to 1")),
    (DOWN_FIRST, _("The target goes Down before its injury")),
    (NO_ROLL, _("No injury roll: its markers alone")),
    (TAKEN_DOWN, _("No injury roll: the target is taken Down")),
    (f"{DEFEATS}FIRE", _("NEGATE FIRE does nothing against it")),
)


def causes(play: EditionPlay, data: Attack) -> tuple[str, ...]:
    """What bears on the hit first, then on the injury of a plain hit, then what saves the target."""
    keywords = words_of(data.keywords)
    by_itself = hits_by_itself(data, keywords)
    injury = injury_of(data, data.target, keywords, critical=False)
    hit = () if by_itself else hit_changes(play, data, keywords)
    return (
        *((_("It hits by itself"),) if by_itself else ()),
        *(_("{dice} DICE to hit: {why}").format(dice=signed(dice), why=why) for dice, why in hit),
        *(
            _("{dice} {injury_dice} to injure: {why}").format(dice=signed(dice), injury_dice=play.injury_dice, why=why)
            for dice, why in injury_changes(play, injury, keywords).entries
        ),
        *(
            _("{number} to the injury: {why}").format(number=signed(number), why=why)
            for number, why in injury_flats(play, injury, keywords)
        ),
        *_of_the_line(data, keywords, by_itself=by_itself),
        *_of_the_roll(data),
        *_of_markers(data),
        *(_("The target: {text}").format(text=text) for text in _saves(data.target)),
    )


def _of_the_line(data: Attack, keywords: frozenset[str], *, by_itself: bool) -> Iterator[str]:
    """What the weapon does beside dice and numbers."""
    if data.critical_from < CRITICAL and not by_itself:
        yield _("A Critical Success from {critical_from} on").format(critical_from=data.critical_from)
    if (base := max(data.base_dice, 3 if "DEADLY" in keywords else 1)) != 2:
        yield _("The injury is rolled with {base}D6").format(base=base)
    if ("IGNORE ARMOUR" in keywords or data.ignore_armour) and (data.armour or data.shield):
        yield _("Armour is ignored")
    elif "IGNORE SHIELD" in keywords and data.shield:
        yield _("The shield is ignored")
    yield from (text for keyword, text in LEAVING if keyword in keywords)
    if data.critical_keywords and not by_itself:
        yield _("On a Critical Success: {critical_keywords}").format(
            critical_keywords=", ".join(data.critical_keywords)
        )
    if data.bloodbath_cost is not None:
        yield _("A Bloodbath takes {bloodbath_cost} markers").format(bloodbath_cost=data.bloodbath_cost)


def _of_the_roll(data: Attack) -> Iterator[str]:
    """What is set, rolled again or missed whatever the roll."""
    if data.averted:
        yield _("The attack cannot hit this target")
    if data.hit_sixes:
        yield _("One die of the roll to hit is a 6, unrolled")
    if data.reroll_hit:
        yield _("A miss is rolled again") + (_("; a 1 then is a Failure and puts me Down") if data.backfires else "")
    if data.reroll_below:
        yield _("An injury below {names} is rolled again").format(names=NAMES[data.reroll_below])
    if data.near_miss:
        yield _("A miss by up to {near_miss}″ still catches the target").format(near_miss=int(data.near_miss))


# For what the attacker gets markers.
FOR_WHAT = {
    "made": _("for the attack"), "hit": _("for a hit"), "bled": _("if the target gets BLOOD MARKERS"), "marked": _("if the target gets markers"),
    "each marker": _("for each BLOOD MARKER on the target"), "not out": _("if the target is not taken out"),
}  # fmt: skip


def _of_markers(data: Attack) -> Iterator[str]:
    """Markers that stand beside those of the injury, on either side."""
    for one in data.on_attacker:
        yield _("{number} {kind} MARKER on me {for_what}: {why}").format(
            number=signed(one.number), kind=one.kind.upper(), for_what=FOR_WHAT[one.when], why=one.why
        )
    for count, kind in ((data.more_blood, "BLOOD"), (data.more_infection, "INFECTION")):
        if count:
            yield _("{count} {kind} MARKER on the target after the injury").format(count=signed(count), kind=kind)
    if data.miss_marks:
        yield _("{miss_marks} BLOOD MARKER on the target by a miss too").format(miss_marks=signed(data.miss_marks))


def _saves(target: Target) -> Iterator[str]:
    saves = (
        ("TOUGH", target.tough),
        ("GOLEM", target.golem),
        (_("A Down result is a Minor Hit"), target.down_is_minor),
        (_("Without a BLOOD MARKER a Down result is a Minor Hit"), target.unmarked_down_is_minor),
        (_("Its first Down result is a Minor Hit"), target.first_down == "minor-hit"),
        (_("Its first Down result does nothing"), target.first_down == "no-effect"),
        (_("A Minor Hit is Down"), target.minor_is_down),
        (_("A Minor Hit does nothing"), target.minor_is_nothing),
        (_("Without a BLOOD MARKER a Minor Hit does nothing"), target.unmarked_minor_is_nothing),
        (_("A Down result does nothing"), target.down_is_nothing),
        (_("Out of Action is Down"), target.out_is_down),
        (_("Any injury comes to nothing"), target.untouched),
        (_("A Down result leaves markers alone"), target.stays_up),
        (_("Down by TOUGH does nothing"), target.tough_to_nothing),
        (_("The first marker is not placed"), bool(target.spares)),
        (_("Its first Out of Action result does nothing"), target.ignores_out),
        (_("No BLOOD MARKER is placed on it"), target.no_markers),
        (_("INFECTION MARKERS on it pay only for a Bloodbath"), target.keeps_infection),
    )
    return (text for text, applies in saves if applies)
