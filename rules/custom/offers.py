"""Offers of a force with own profiles: the units it may take, and the ways a unit may leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.content.schema import PURPOSE_LETTERS, PURPOSE_WORDS
from rules.custom import sheet
from rules.custom.force_rules import ForceRules
from rules.custom.profiles import CustomProfile, ProfileKind
from rules.custom.units import copy_of
from rules.force import Force, ForceFighter
from rules.parts.offer import Offer
from rules.price import Price
from rules.translation import gettext as _

ORIGINS = {"book": _("From the game's tables."), "sample": _("Invented sample."), "own": ""}


def hire_offers(rules: ForceRules, force: Force, only: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return every profile that a unit may be taken from: those of the library, then the game's own, grouped by kind.

    `only`: the ids of the profiles to look at (empty: all).
    """
    taken = Counter(unit.profile for unit in rules.units(force))
    profiles = {profile.id: profile for profile in force.library}
    profiles |= {profile.id: profile for profile in rules.profiles.default_profiles() if profile.id not in profiles}
    return tuple(
        _hire(rules, force, kind, profile, taken[profile.id])
        for kind in rules.kinds
        if kind.takes
        for profile in profiles.values()
        if profile.kind == kind.id and (not only or profile.id in only)
    )


def _hire(rules: ForceRules, force: Force, kind: ProfileKind, profile: CustomProfile, taken: int) -> Offer:
    copy = copy_of(profile)
    unit = rules.unit(ForceFighter("", profile.name, profile.id, state={"profile": copy}))
    assert unit is not None
    origin = ORIGINS.get(profile.origin)
    if origin is None:
        origin = _("Shared by {by}.").format(by=profile.by) if profile.by else _("Shared.")
    figures = ", ".join(f"{label} {value}" for label, value in rules.profiles.profile_card(profile).figures)
    armed = [line for line in rules.armed(force, unit) if line.carried]
    weapons = (f"{line.name} {line.short_words or line.range_words}".strip() for line in armed)
    return Offer(
        kind="hire",
        id=profile.id,
        ref=profile.id,
        name=profile.name,
        group=kind.plural,
        price=Price(),
        rating=Price(ducats=unit.worth),
        held=taken,
        purpose=_purpose(sheet.strength_words(unit), [line.name for line in armed]),
        details=tuple(line for line in (figures, sheet.strength_words(unit), *weapons, origin) if line),
        choices=tuple(replace(asked, optional=True) for asked in rules.unit_asks(force, unit) if asked.at_founding),
        state_begins={"profile": copy, "choices": dict(rules.begins_with(force, kind.id))},
    )


def _purpose(strength: str, weapons: Sequence[str]) -> str:
    """Return who a unit is and its first weapon, as much of it as a row has room for: "3 Crew; Machine gun"."""
    with_weapon = [f"{strength}; {name}" for name in weapons[:1] if strength and name not in strength]
    fits = (
        words
        for words in (*with_weapon, strength)
        if len(words.split()) <= PURPOSE_WORDS and len(words) <= PURPOSE_LETTERS
    )
    return next(fits, "")


def departures(force: Force, fighter: str) -> tuple[Offer, ...]:
    """Return the ways a unit may leave: it may be returned while the force is being built, and dismissed at any time."""
    row = force.fighter(fighter)
    if force.founding:
        way, title, detail = "return", _("Take it back"), _("It leaves the force.")
    else:
        way, title, detail = "dismiss", _("Dismiss it"), _("It leaves the force and stays in its history.")
    return (
        Offer(
            kind="dismiss",
            id=way,
            ref=row.profile,
            name=title,
            group="",
            price=Price(),
            rating=Price(),
            details=(detail,),
        ),
    )
