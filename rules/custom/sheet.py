"""A force of written profiles as cards and paper show it: one block for each unit, in the words of its own profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.browse import RuleEntry
from rules.custom.content import CustomContent
from rules.custom.parse import slug
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind
from rules.custom.units import ForceUnit
from rules.force import GainedWord
from rules.parts.sheet import FighterSheet, RosterSheet, WeaponLine

POINTS = "Points"  # told as what the unit is worth, and no characteristic
Card = Callable[[CustomProfile], ProfileCard]


def points_words(points: int) -> str:
    """Points short: "40 pts", "1 pt"; "" for none."""
    return f"{points} {'pt' if points == 1 else 'pts'}" if points else ""


def strength_words(unit: ForceUnit) -> str:
    """Who stands in the unit: "7 Rifleman, 1 NCO", and "5 of 7 Rifleman" where losses are carried."""
    parts = []
    for name, n in unit.counts.items():
        left = unit.left[name]
        parts.append(f"{left} of {n} {name}" if left < n else f"{n} {name}")
    return ", ".join(parts)


def unit_sheet(
    unit: ForceUnit,
    kind: ProfileKind | None,
    card: ProfileCard,
    keywords: Sequence[str] = (),
    chosen: Sequence[tuple[str, str]] = (),
    glossary: Sequence[RuleEntry] = (),
    weapons: Sequence[WeaponLine] = (),
    lines: Sequence[tuple[str, str]] = (),
    told_short: Sequence[tuple[str, str]] = (),
    spent_words: str = "",
) -> FighterSheet:
    """One unit as card and sheet show it. `lines` are what neither strength nor weapons tell; `told_short`: those of them for a card."""
    strength = (("Strength", strength_words(unit)),) if unit.counts else ()
    carried = tuple((weapon.name, weapon.short_words or weapon.range_words) for weapon in weapons if weapon.carried)
    return FighterSheet(
        key=unit.key,
        name=unit.name,
        profile_name=unit.profile_name,
        role_words=card.subtitle,
        section=kind.plural if kind is not None else "Units",
        rating_words=points_words(unit.worth),
        stats=tuple((label, value, "printed", "") for label, value in card.figures if label != POINTS),
        keywords=tuple(GainedWord(slug(word), word) for word in keywords),
        weapons=tuple(weapons),
        lines=(*strength, *lines),
        status=unit.fighter.status,
        chosen=tuple(chosen),
        glossary=tuple(glossary),
        spent_words=spent_words if unit.spent else "",
        short=(*strength, *told_short, *carried),
    )


def sheet_of(
    content: CustomContent,
    title: str,
    list_words: str,
    edition_words: str,
    figures: Sequence[tuple[str, str]],
    rows: Sequence[FighterSheet],
    glossary: Sequence[RuleEntry],
    notes: Sequence[tuple[str, tuple[str, ...]]] = (),
    next_battle: int = 0,
) -> RosterSheet:
    """The whole force."""
    return RosterSheet(
        title=title,
        list_words=list_words,
        edition_words=edition_words,
        figures=tuple(figures),
        limits=(),
        fighters=tuple(rows),
        stash=(),
        notes=tuple(notes),
        misses=None,
        glossary=tuple(glossary),
        next_battle=next_battle,
    )


def as_profile(unit: ForceUnit) -> CustomProfile:
    """The unit's own copy as a profile."""
    return CustomProfile(unit.profile, unit.kind, unit.profile_name, unit.data, version=unit.version)
