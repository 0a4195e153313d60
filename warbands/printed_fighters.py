"""Fighters on paper: a block of the sheet, or cards of 63 by 88 mm to cut out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.force import GainedWord
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet, WeaponLine

CARD_LINES, CARD_LETTERS = 25.5, 45  # lines of text on a card of 63 by 88 mm, and letters in a line, estimated low


@dataclass(frozen=True, slots=True)
class PrintedStat:
    label: str
    value: str
    changed: bool


@dataclass(frozen=True, slots=True)
class PrintedBox:
    number: int
    filled: bool
    advance: bool = False
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class PrintedFighter:
    name: str
    profile_name: str
    role_words: str
    rating_words: str
    status_words: str
    gone: bool
    stats: tuple[PrintedStat, ...]
    keywords: tuple[GainedWord, ...]
    causes: tuple[str, ...]
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]
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


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card of a fighter, 63 by 88 mm. Content that does not fit on the first card continues on further ones."""

    fighter: PrintedFighter
    number: int
    of: int
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]

    @property
    def is_first(self) -> bool:
        return self.number == 1


def printed_fighter(fighter: FighterSheet, gone: bool) -> PrintedFighter:
    tracks = fighter.experience is not None and not gone
    experience, scars = fighter.experience or 0, fighter.scars or 0
    return PrintedFighter(
        name=fighter.name,
        profile_name=profile_beside(fighter.name, fighter.profile_name),
        role_words=fighter.role_words,
        rating_words=fighter.rating_words,
        status_words={"active": "", "captive": _("held captive")}.get(fighter.status, fighter.status),
        gone=gone,
        stats=tuple(_printed_stat(label, value, state) for label, value, state, _ in fighter.stats),
        keywords=fighter.keywords,
        causes=tuple(f"{label} {cause}" for label, _, _, cause in fighter.stats if cause),
        weapons=fighter.weapons,
        lines=fighter.lines,
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


def _printed_stat(label: str, value: str, state: str) -> PrintedStat:
    """Return a characteristic for its box. A long unit moves into the label."""
    if value.endswith(" mm"):
        label, value = _("{label} mm").format(label=label), value.removesuffix(" mm")
    return PrintedStat(label, value, state != "printed")


def cards_of(fighter: PrintedFighter) -> Iterator[PrintedCard]:
    """Yield the cards of a fighter. Content is measured in lines of text, and a card holds `CARD_LINES`."""
    head = 1.4 * _card_lines(fighter.name, 24) + _card_lines(fighter.who_words)
    keywords = _card_lines(" ".join(word.name for word in fighter.keywords), 32) + len(fighter.causes)
    room = CARD_LINES - head - 2.2 - keywords - 3.6 - (4.4 if fighter.tracks else 1.8)
    weapons, lines = list(fighter.weapons), list(fighter.lines)
    bases: dict[str, str] = {}  # the name of a line that goes on on the next card → its own name
    pages: list[tuple[list[WeaponLine], list[tuple[str, str]]]] = []
    while weapons or lines or not pages:
        taken: list[WeaponLine] = []
        said: list[tuple[str, str]] = []
        while weapons and (need := _weapon_lines(weapons[0])) <= room:
            taken.append(weapons.pop(0))
            room -= need
        while lines and not weapons:
            name, words = lines[0]
            need = _card_lines(f"{name} {words}") + 0.3
            if need <= room:
                said.append(lines.pop(0))
                room -= need
                continue
            if room >= 4 and words:
                part, rest = cut_at_a_word(words, int((room - 1) * CARD_LETTERS) - len(name))
                said.append((name, part))
                base = bases.get(name, name)
                more = _("{name}, continued").format(name=base)
                bases[more] = base
                lines[0] = (more, rest)
            break
        pages.append((taken, said))
        room = CARD_LINES - head - 2.2
    for number, (taken, said) in enumerate(pages, 1):
        yield PrintedCard(fighter, number, len(pages), tuple(taken), tuple(said))


def _weapon_lines(weapon: WeaponLine) -> float:
    more = f"{weapon.effect_words} {weapon.keywords}".strip()
    return (
        1.2 * _card_lines(f"{weapon.name} {weapon.range_words} {weapon.hands_words}", 34)
        + (_card_lines(more) if more else 0)
        + 0.4
    )


def _card_lines(words: str, letters: int = 0) -> int:
    return max(1, -(-len(words) // (letters or CARD_LETTERS)))


def cut_at_a_word(words: str, room: int) -> tuple[str, str]:
    at = words.rfind(" ", 0, max(0, room))
    at = at if at > 0 else max(1, room)
    return words[:at].rstrip(), words[at:].lstrip()
