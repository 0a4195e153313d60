"""The data of a roster for cards and paper."""

from __future__ import annotations

from dataclasses import dataclass

from rules.browse import RuleEntry
from rules.force import GainedWord


@dataclass(frozen=True, slots=True)
class WeaponLine:
    name: str
    range_words: str
    hands_words: str
    effect_words: str
    keywords: str
    causes: tuple[str, ...] = ()  # what changed it on this fighter: "GAS: Gas Ammunition"
    carried: bool = True  # False: it could be chosen, but nobody has it
    short_words: str = ""  # its figures on a card, if a card shows fewer than all


@dataclass(frozen=True, slots=True)
class HandsLine:
    """A fighter's hands in one kind of fighting: used, available, what uses them, and what changed their number."""

    label: str
    used: int
    had: int
    uses: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    kind: str = ""  # "ranged" or "melee"; "" where one number of hands serves both


@dataclass(frozen=True, slots=True)
class FighterSheet:
    """One fighter on a card and sheet. `lines` are bold name and short text (kit, abilities, skills, traumas)."""

    key: str
    name: str
    profile_name: str
    role_words: str  # LEADER, ELITE, mercenary ...
    section: str  # the heading it is listed under: "Elite", "Troops", "Mercenaries"
    rating_words: str
    stats: tuple[tuple[str, str, str, str], ...]  # label, value, state (printed|raised|lowered), cause
    keywords: tuple[GainedWord, ...]
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]
    experience: int | None = None  # None: gains none
    experience_cap: int = 0
    advances_at: tuple[int, ...] = ()
    scars: int | None = None
    scar_limit: int = 0
    status: str = "active"
    chosen: tuple[tuple[str, str], ...] = ()  # the entry that asked for a choice, and the chosen value
    hands: tuple[HandsLine, ...] = ()
    abilities: tuple[GainedWord, ...] = ()  # those gained and lost, each with its cause
    immune: tuple[tuple[str, str], ...] = ()  # keywords it is not affected by, and why
    glossary: tuple[RuleEntry, ...] = ()  # the keywords that it and its weapons have, with our summaries
    spent_words: str = ""  # set if it is on the roster with no model left: a sentence on that, and what would help
    short: tuple[
        tuple[str, str], ...
    ] = ()  # the lines and weapons that a card shows, for games in which nothing is bought


@dataclass(frozen=True, slots=True)
class RosterSheet:
    """A whole roster in the terms of its edition."""

    title: str
    list_words: str
    edition_words: str
    figures: tuple[tuple[str, str], ...]  # label, value: strongbox, glory, rating, threshold, field strength
    limits: tuple[tuple[int, int, int], ...]  # battle, threshold, field strength
    fighters: tuple[FighterSheet, ...]
    stash: tuple[tuple[str, str], ...]  # name, price words
    notes: tuple[tuple[str, tuple[str, ...]], ...]  # heading, lines: exploration skills, locations, lasting effects
    misses: tuple[int, int] | None  # promotion misses so far, and their maximum
    glossary: tuple[RuleEntry, ...]
    next_battle: int = 0  # the number of the warband's next battle; 0 where battles are not counted
