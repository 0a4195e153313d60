"""A battle before it is fought: scenarios, deeds, the muster, and the paper sheet."""

from __future__ import annotations

from dataclasses import dataclass

from rules.price import Price


@dataclass(frozen=True, slots=True)
class ScenarioChoice:
    """A scenario as muster and report need it. `described` False: only its name is known; points are typed in."""

    id: str
    name: str
    described: bool
    words: str
    force_words: str
    length_words: str
    victory_words: str
    deployment_words: str
    special_words: str
    has_attacker: bool
    morale: str  # loses, no-tests, other, ""
    winner: str  # points, last-standing, other, none
    deeds: tuple[str, ...]
    attacker_with: tuple[str, ...] = ()  # parts found by dice that bring an attacker to it
    has_reserves: bool = False  # some fighters wait beside the table and come on later
    reserves_with: tuple[str, ...] = ()  # parts found by dice that bring reserves
    needs_enemy_rating: bool = False
    turns_least: int = 0  # 0: the scenario sets none
    turns_most: int = 0


@dataclass(frozen=True, slots=True)
class DeedChoice:
    """A glorious deed on offer in a battle. `needs_profile`: done by a fighter of this profile alone; empty for anybody.

    `side`: "attacker" or "defender" where that side alone does it, else "".
    """

    id: str
    name: str
    words: str
    glory: int
    by_warband: bool
    needs_profile: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class MusterRow:
    """One fighter at muster: whether it can go (`closed` says why not), what it costs to field, what it is worth fielded."""

    fighter: str
    name: str
    profile_name: str
    rating: Price
    closed: str = ""
    upkeep: Price = Price()
    roll_out_on: tuple[int, ...] = ()  # a D6 on any of these faces keeps it out of this battle
    elite: bool = False
    words: str = ""  # what else is to be known of it before it goes


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One line of a paper battle sheet: what is written there, and a labelled box for each thing to write."""

    words: str
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperStep:
    """One step of the post-battle sequence as the paper battle sheet prints it, in the order of the rules."""

    label: str
    lines: tuple[PaperLine, ...]
