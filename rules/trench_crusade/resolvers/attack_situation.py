"""An attack by a fighter of one roster on a fighter of another: the switches and figures the table may set, and the
resolver's input.

Everything that is not calculated is named, so that nobody takes the odds for more than they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.force import Force
from rules.resolvers.situation import Situation, Toggle
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.attack_causes import causes
from rules.trench_crusade.resolvers.attack_input import attack_input
from rules.trench_crusade.resolvers.brings import MOST_MARKERS, left_out, speaks, switches, waiting
from rules.trench_crusade.resolvers.hit import IGNORES
from rules.trench_crusade.resolvers.injury import NO_ROLL, TAKEN_DOWN
from rules.trench_crusade.resolvers.inputs import Attack
from rules.trench_crusade.resolvers.sides import Sides, sides_of


def situation(
    content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
) -> Situation:
    """An attack of one fighter on another, with what the table states, as the resolver's input.

    `told` holds the values of `Situation.toggles` by key. Raises Refusal for an attack that this fighter does not have, KeyError for a
    fighter nobody knows.
    """
    sides = sides_of(content, mine, arm, theirs, told)
    toggles, given = input_of(sides)
    return Situation(
        rule="attack", given=given, toggles=toggles, causes=_causes(content, given), unreckoned=_not_calculated(sides)
    )


def input_of(sides: Sides) -> tuple[tuple[Toggle, ...], Mapping[str, Any]]:
    """What the table may state of an attack, and the resolver's input with what it has stated."""
    toggles = _toggles(sides)
    return toggles, attack_input(sides, {toggle.key: toggle for toggle in toggles})


def _causes(content: Content, given: Mapping[str, Any]) -> tuple[str, ...]:
    """What bears on the first attack, and how many there are."""
    attacks = given.get("attacks", (given,))
    play = content.pack.play
    found = causes(play, msgspec.convert(attacks[0], Attack)) if play is not None else ()
    if len(attacks) == 1:
        return found
    condition = _(", each further one only after a hit") if attacks[1].get("after_hit") else ""
    if attacks[-1].get("all_hit_out"):
        condition += _("; if all hit, the target is Out of Action")
    return (
        _("{count} attacks, one after the other{condition}").format(count=len(attacks), condition=condition),
        *found,
    )


def _not_calculated(sides: Sides) -> tuple[tuple[str, str], ...]:
    """(whose, text) of everything that is not in the odds."""
    item = sides.held.item if sides.held is not None else None
    by_effects = item is not None and any(_reads_terms(effect) for effect in item.effects)
    calculated = item.modifiers if item is not None and by_effects else ()
    terms = (("mine", term) for term in sides.terms.left if term not in calculated)
    texts = left_out(sides.content, sides.mine, sides.theirs, sides.held)
    return tuple(dict.fromkeys((*terms, *texts, *waiting(sides.bearings, sides.attack))))


def _reads_terms(effect: v.Effect) -> bool:
    """Whether an effect of a weapon calculates its printed terms, or names them as known to the table alone."""
    if isinstance(effect, v.ReminderEffect):
        return bool(effect.table_only)
    return isinstance(effect, v.AttackEffect) and speaks(effect, acts=True)


def _toggles(sides: Sides) -> tuple[Toggle, ...]:
    """What the table may state: of the place, then what effects ask for, then of Down, dice and markers."""
    hits_by_itself = "FLAMETHROWER" in sides.known_keywords
    place = tuple(_ranged_place(sides) if sides.kind == "ranged" else _melee_place(sides))
    rest = tuple(_state_and_markers(sides, rolls=not hits_by_itself))
    asked = {toggle.key for toggle in (*place, *rest)}
    further = (toggle for toggle in switches(sides.bearings, sides.attack) if toggle.key not in asked)
    return (*place, *further, *rest)


def _matters(sides: Sides, circumstance: str) -> bool:
    """Whether a circumstance bears on the roll to hit: there is a roll, and nothing ignores it."""
    words = sides.known_keywords
    return "FLAMETHROWER" not in words and not words & IGNORES[circumstance]


def _ranged_place(sides: Sides) -> Iterator[Toggle]:
    play = sides.content.pack.play
    lobbed = "GRENADE" in sides.known_keywords and play is not None and play.grenades_ignore
    if not lobbed and _matters(sides, "long_range"):
        yield Toggle("long_range", _("Long range"))
    if not lobbed and _matters(sides, "cover") and not _is_shielded(sides, "cover"):
        yield Toggle("cover", _("Cover"))
    if _matters(sides, "elevated") and not any(effect.unraised for effect in sides.met):
        yield Toggle("elevated", _("Higher ground"))
    if "SCATTER" in sides.known_keywords and sides.terms.blast:
        yield Toggle("near_miss", _("A near miss still catches the target"))


def _melee_place(sides: Sides) -> Iterator[Toggle]:
    text = sides.mode.text
    one_way = text is not None and not text.by_hands
    if _matters(sides, "off_hand") and not one_way and not sides.acts_with("always_off_hand"):
        yield Toggle("off_hand", _("Off-hand weapon"))
    if _matters(sides, "defended_obstacle") and not _is_shielded(sides, "defended obstacle"):
        yield Toggle("defended_obstacle", _("Defended Obstacle"))
    yield Toggle("charged", _("I charged"))
    yield Toggle("diving_charge", _("Diving Charge"))


def _is_shielded(sides: Sides, by: str) -> bool:
    """Whether it is settled if the target is shielded: it always is, or it never is."""
    return sides.is_bare or by in sides.covered


def _state_and_markers(sides: Sides, *, rolls: bool) -> Iterator[Toggle]:
    """`rolls`: it is rolled to hit."""
    injures = not sides.known_keywords & {NO_ROLL, TAKEN_DOWN}
    if rolls:
        yield Toggle("down", _("I am Down"))
    if sides.mode.text is None or not sides.mode.text.on_down:
        yield Toggle("target_down", _("The target is Down"))
    if rolls:
        yield Toggle("dice", _("Extra dice to hit"), -6, 6)
    if injures:
        yield Toggle("injury_dice", _("Extra dice to injure"), -6, 6)
    if rolls:
        if most := _max_spent(effect.most_spent for effect in sides.acting):
            yield Toggle("blood_spent", _("Markers spent on me"), 0, most)
        yield Toggle("blessing_spent", _("My blessings spent"), 0, MOST_MARKERS)
    if injures:
        if most := _max_spent(effect.most_spent_against for effect in sides.met):
            yield Toggle("injury_blood_spent", _("Markers spent on the target"), 0, most)
        yield Toggle("injury_blessing_spent", _("Its blessings spent"), 0, MOST_MARKERS)
        yield Toggle("bloodbath", _("Bloodbath"))


def _max_spent(bounds: Iterable[int]) -> int:
    """How many BLOOD and INFECTION MARKERS may be spent together, of what texts allow."""
    return min((bound for bound in bounds if bound >= 0), default=2 * MOST_MARKERS)
