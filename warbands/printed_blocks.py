"""Blocks of a printed roster: a fighter, or several who are alike, with its weapons in words and the rules told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.browse import RuleEntry
from rules.force import GainedWord
from rules.parts.sheet import WeaponLine
from warbands import text_measure
from warbands.printed_fighters import PrintedFighter, PrintedStat

MARKER_BOXES = 6
WHO_ROOM = 45 * text_measure.MM  # of the first column of the quick table, in points


@dataclass(frozen=True, slots=True)
class PrintedWeapon:
    """A weapon as one line: its name, its range, and everything else in words."""

    name: str
    range_words: str
    terms: str


@dataclass(frozen=True, slots=True)
class PrintedBlock:
    """One block of the roster. `names` holds those of all fighters who are alike; empty for a block of one fighter.

    `kit` names what is explained elsewhere on the sheet; `lines` are explained here.
    """

    fighter: PrintedFighter
    title: str
    who_words: str
    names: tuple[str, ...]
    figures: tuple[PrintedStat, ...]
    keywords: tuple[GainedWord, ...]
    small_words: str
    weapons: tuple[PrintedWeapon, ...]
    kit: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    notes: str = ""

    @property
    def rating_words(self) -> str:
        rating = self.fighter.rating_words
        return _("{rating} each").format(rating=rating) if self.names and rating else rating

    @property
    def keyword_words(self) -> str:
        return ", ".join(word.name for word in self.keywords)

    @property
    def people(self) -> range:
        return range(len(self.names) or 1)

    @property
    def rows(self) -> tuple[PrintedWeapon, ...]:
        """Return the weapons as rows of the quick table, which has one for a fighter without any."""
        return self.weapons or (PrintedWeapon("–", "", ""),)

    @property
    def kit_and_rules(self) -> str:
        """Return the names of its kit, abilities, skills and scars, without their words."""
        armed = {weapon.name for weapon in self.weapons}
        return ", ".join(name for name, _words in self.fighter.lines if name not in armed)

    @property
    def has_room_for_kit(self) -> bool:
        """Return whether `kit_and_rules` stands below the name in the quick table: two lines, or one for each weapon."""
        taken = text_measure.lines(((self.kit_and_rules, text_measure.TEXT),), 8, WHO_ROOM)
        return taken <= max(2, len(self.rows))

    @property
    def kit_words(self) -> str:
        return ", ".join(self.kit)


@dataclass(frozen=True, slots=True)
class PrintedBlocks:
    """The blocks of a roster, the rules told once for all of them, and the keywords that all fighters have."""

    blocks: tuple[PrintedBlock, ...]
    shared: tuple[RuleEntry, ...]
    everyone: tuple[str, ...]


def pooled(fighters: Sequence[PrintedFighter], notes: Mapping[str, str]) -> list[list[PrintedFighter]]:
    """Return the fighters in their order, with those in one group who are alike in all but the name.

    Fighters with a track of their own (experience, scars), a note, or a place off the roster stand alone.
    """
    groups: dict[Any, list[PrintedFighter]] = {}
    for fighter in fighters:
        alone = fighter.tracks or fighter.scars or fighter.gone or fighter.status_words or notes.get(fighter.key)
        key = fighter.key if alone else replace(fighter, key="", name="", profile_name=fighter.profile)
        groups.setdefault(key, []).append(fighter)
    return list(groups.values())


def printed_blocks(
    fighters: Sequence[PrintedFighter],
    notes: Mapping[str, str],
    *,
    told_once: bool,
    moved: Collection[tuple[str, str]] = (),
) -> PrintedBlocks:
    """Return the blocks of these fighters.

    With `told_once`, words that two blocks or more would repeat are taken out of the blocks, and so are keywords that
    all fighters have. So are the entries `moved`, for which there is no room in the blocks.
    """
    groups = pooled(fighters, notes)
    said = Counter(line for group in groups for line in set(group[0].lines) if line[1])
    shared = {line for line, times in said.items() if (told_once and times > 1) or line in moved}
    everyone: set[str] = set()
    if told_once and len(groups) > 1:
        everyone = set.intersection(*({word.name for word in group[0].keywords if _is_usual(word)} for group in groups))
    return PrintedBlocks(
        tuple(_block(group, shared, everyone, notes.get(group[0].key, "")) for group in groups),
        tuple(RuleEntry("shared", name, name, words) for name, words in sorted(shared)),
        tuple(sorted(everyone)),
    )


def _is_usual(word: GainedWord) -> bool:
    return word.state == "printed"


def _block(
    group: Sequence[PrintedFighter], shared: set[tuple[str, str]], everyone: set[str], notes: str
) -> PrintedBlock:
    first = group[0]
    alike = len(group) > 1
    title = _("{profile} × {count}").format(profile=first.profile, count=len(group)) if alike else first.name
    armed = {weapon.name for weapon in first.weapons}
    keywords = {word.name for word in first.keywords}
    roles = ", ".join(role for role in first.role_words.split(", ") if role not in keywords)
    return PrintedBlock(
        fighter=first,
        title=title,
        who_words="; ".join(
            filter(None, (", ".join(filter(None, ("" if alike else first.profile_name, roles))), first.status_words))
        ),
        names=tuple(fighter.name for fighter in group) if alike else (),
        figures=tuple(stat for stat in first.stats if not stat.unit),
        keywords=tuple(word for word in first.keywords if word.name not in everyone),
        small_words="; ".join(
            (*first.causes, *(f"{stat.label} {stat.value} {stat.unit}" for stat in first.stats if stat.unit))
        ),
        weapons=tuple(PrintedWeapon(weapon.name, weapon.range_words, terms_of(weapon)) for weapon in first.weapons),
        kit=tuple(name for name, words in first.lines if name not in armed and (not words or (name, words) in shared)),
        lines=tuple((name, words) for name, words in first.lines if words and (name, words) not in shared),
        notes=notes,
    )


def terms_of(weapon: WeaponLine) -> str:
    """Return all that is said of a weapon beside its range: "2 hands, +1 dice to hit, Assault"."""
    hands = weapon.hands_words
    if hands.isdigit():
        hands = ngettext("{count} hand", "{count} hands", int(hands)).format(count=hands)
    parts = ("" if hands == "–" else hands, weapon.effect_words, spoken(weapon.keywords))
    return "; ".join(filter(None, parts))


def spoken(words: str) -> str:
    """Return keywords in capitals as words: "BAYONET LUG, BLAST 3″" becomes "Bayonet Lug, Blast 3″"."""
    return " ".join(
        word.capitalize() if word.isupper() and word.strip(",").isalpha() else word for word in words.split()
    )
