"""Fighters on paper: what blocks of a roster and cards say of one."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.force import GainedWord
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet, WeaponLine


@dataclass(frozen=True, slots=True)
class PrintedStat:
    """A characteristic. `unit` is set for a long one ("mm"); `value` then comes without it."""

    label: str
    value: str
    changed: bool
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PrintedBox:
    number: int
    filled: bool
    advance: bool = False
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class PrintedFighter:
    key: str
    name: str
    profile: str
    profile_name: str  # "" where the name says it already
    role_words: str
    rating_words: str
    status_words: str
    gone: bool
    stats: tuple[PrintedStat, ...]
    keywords: tuple[GainedWord, ...]
    causes: tuple[str, ...]
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]
    glossary: tuple[tuple[str, str], ...]  # the keywords that it and its weapons have, in words
    tracks: bool
    experience: int
    experience_cap: int
    experience_boxes: tuple[PrintedBox, ...]
    scars: int
    scar_limit: int
    scar_boxes: tuple[PrintedBox, ...]

    @property
    def who_words(self) -> str:
        """Return the description next to its name: "Yeoman, ELITE; held captive"."""
        what = ", ".join(filter(None, (self.profile_name, self.role_words)))
        return "; ".join(filter(None, (what, self.status_words)))


def printed_fighter(fighter: FighterSheet, gone: bool) -> PrintedFighter:
    tracks = fighter.experience is not None and not gone
    experience, scars = fighter.experience or 0, fighter.scars or 0
    return PrintedFighter(
        key=fighter.key,
        name=fighter.name,
        profile=fighter.profile_name,
        profile_name=profile_beside(fighter.name, fighter.profile_name),
        role_words=fighter.role_words,
        rating_words=fighter.rating_words,
        status_words={"active": "", "captive": _("held captive")}.get(fighter.status, fighter.status),
        gone=gone,
        stats=tuple(_printed_stat(label, value, state) for label, value, state, _ in fighter.stats),
        keywords=fighter.keywords,
        causes=tuple(_cause(label, cause) for label, _, _, cause in fighter.stats if cause),
        weapons=fighter.weapons,
        lines=fighter.lines,
        glossary=tuple((entry.name, entry.words) for entry in fighter.glossary),
        tracks=tracks,
        experience=experience,
        experience_cap=fighter.experience_cap,
        experience_boxes=tuple(
            PrintedBox(n, n <= experience, advance=n in fighter.advances_at)
            for n in range(1, fighter.experience_cap + 1)
        ),
        scars=scars,
        scar_limit=fighter.scar_limit,
        scar_boxes=tuple(
            PrintedBox(n, n <= scars, fatal=n > fighter.scar_limit) for n in range(1, fighter.scar_limit + 2)
        ),
    )


def _cause(label: str, cause: str) -> str:
    """Return what changed a characteristic, without the value that stands in its box: "Ar: Trench Shield −1"."""
    parts = cause.rpartition(" = ")[2]
    return _("{label}: {cause}").format(label=label, cause=parts.removeprefix("0, "))


def _printed_stat(label: str, value: str, state: str) -> PrintedStat:
    """Return a characteristic for its box. A long unit stands apart from its value."""
    if value.endswith(" mm"):
        return PrintedStat(label, value.removesuffix(" mm"), state != "printed", "mm")
    return PrintedStat(label, value, state != "printed")
