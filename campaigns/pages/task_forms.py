"""The parts of a task's form: lines with dice and table rows, dice panels, and decisions. The muster and post-battle pages share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.models import Campaign
from campaigns.pages.rule_links import rules_of_options
from rules.dice import NeedDice
from rules.resolution import Asked, Told
from warbands.pages.rule_links import RuleLinks
from warbands.pages.widgets import Link
from warbands.parsing import read_number

MAX_FACES = 5
APP_WORDS, TYPED_WORDS = "rolled by the app", "typed in"


@dataclass(frozen=True, slots=True)
class RowLine:
    """A row of the table used to look up a roll."""

    label: str
    words: str
    hit: bool
    href: str = ""


@dataclass(frozen=True, slots=True)
class Modifier:
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One line about the progress so far, with its dice and the table rows around the result."""

    words: str
    faces: tuple[int, ...] = ()
    source_words: str = ""
    rows: tuple[RowLine, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class DieAsked:
    name: str
    legend: str
    sides: int
    value: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    prompt: str
    dice: tuple[DieAsked, ...]
    allow_app: bool
    allow_typed: bool
    typed_error: str = ""
    rows: tuple[RowLine, ...] = ()
    faces: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    told: str = ""
    source_words: str = ""


@dataclass(frozen=True, slots=True)
class TaskCard:
    name: str
    value: str
    title: str
    words: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    closed_reason: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Share:
    """One line of an allotment, with the number allotted to this option."""

    name: str
    value: str
    title: str
    words: str
    least: int
    most: int
    given: int
    faces: tuple[tuple[int, bool], ...]  # (number, chosen) for each button; empty if there are too many for buttons
    closed_reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskChoice:
    key: str
    kind: str
    words: str
    help: str
    cards: tuple[TaskCard, ...]
    shares: tuple[Share, ...]
    total: int
    least: int
    most: int
    number: str
    plain: bool  # whether the options have only titles, so that one row of choices is enough
    count_words: str
    links: tuple[Link, ...] = ()  # links to the rules of the options


def answer_words(asked: Asked, value: Any) -> str:
    names = {option.value: option.title for option in asked.options}
    if isinstance(value, Mapping):
        return (
            ", ".join(
                f"{names.get(str(key), key)} {count}" for key, count in value.items() if str(count) not in ("", "0")
            )
            or "none"
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(names.get(str(each), str(each)) for each in value) or "none"
    return str(names.get(str(value), value))


def told_line(line: Told, faces: tuple[int, ...], source: str, names: RuleLinks) -> ToldLine:
    """Return a resolver's line for the page. Table rows link to their rules pages."""
    return ToldLine(
        words=line.words,
        faces=faces,
        source_words=source,
        rows=tuple(RowLine(row.label, row.name, row.hit, names.href_of_name(row.name)) for row in line.rows),
        modifiers=tuple(Modifier(what, why) for what, why in line.modifiers),
    )


def source_words(kept: Mapping[str, Any]) -> str:
    """Return the origin of a stored roll: "rolled by the app for Ada", "typed in by Ada"."""
    by = str(kept.get("by", ""))
    if kept.get("origin") == "typed":
        return f"{TYPED_WORDS} by {by}" if by else TYPED_WORDS
    return f"{APP_WORDS} for {by}" if by else APP_WORDS


def panel_of(need: NeedDice, campaign: Campaign, key: str, typed: Mapping[str, str], error: str = "") -> Panel:
    """Return the dice panel that the campaign's dice policy allows. Its fields are named `face_1`, `face_2` …"""
    dice = []
    for place in range(1, need.count + 1):
        name = f"face_{place}"
        value = typed.get(name, "")
        legend = (
            need.names[place - 1] if len(need.names) == need.count else "the die" if need.count == 1 else f"die {place}"
        )
        wrong = ""
        if typed.get("source") == "typed":
            wrong = face_error(value, need.sides)
        dice.append(DieAsked(f"{name}", legend, need.sides, value, wrong))
    return Panel(
        prompt=need.why,
        dice=tuple(dice),
        allow_app=campaign.dice != Campaign.Dice.TYPED,
        allow_typed=campaign.dice != Campaign.Dice.APP,
        typed_error="" if any(die.error for die in dice) else error,
    )


def face_error(value: str, sides: int) -> str:
    """Return the error in a typed face, "" if it is valid."""
    if not value.strip():
        return "This die is missing."
    if not 1 <= (read_number(value) or 0) <= sides:
        return f"A die shows 1 to {sides}; this one says {value.strip()[:6]}."
    return ""


def choice_of(asked: Asked, kept: Any, typed: Mapping[str, str], names: RuleLinks) -> TaskChoice:
    """Return the form of a decision. Its fields are named `choice` (one, some, number) or `share_<option>` (allot)."""
    chosen = {str(each) for each in (kept if isinstance(kept, (list, tuple)) else [kept]) if each is not None}
    cards = tuple(
        TaskCard(
            name="choice",
            value=option.value,
            title=option.title,
            words=option.words,
            gains=option.gains,
            losses=option.losses,
            closed_reason=option.closed,
            chosen=option.value in chosen and not option.closed,
        )
        for option in asked.options
    )
    return TaskChoice(
        key=asked.key,
        kind=asked.kind,
        words=asked.words,
        help=asked.help,
        cards=cards if asked.kind in ("one", "some") else (),
        shares=tuple(_shares(asked, kept, typed)) if asked.kind == "allot" else (),
        total=asked.total,
        least=asked.least,
        most=asked.most,
        number=typed.get("choice", "") or (str(kept) if isinstance(kept, int) else ""),
        plain=not any(option.words or option.gains or option.losses or option.closed for option in asked.options),
        count_words=_count_words(asked),
        links=rules_of_options(names, asked.options),
    )


def _shares(asked: Asked, kept: Any, typed: Mapping[str, str]) -> Iterator[Share]:
    stored = kept if isinstance(kept, Mapping) else {}
    for option in asked.options:
        name = f"share_{option.value}"
        maximum = min(asked.limits.get(option.value, asked.total), asked.total)
        sent = typed.get(name, "")
        number = read_number(sent) if sent else None
        number = int(stored.get(option.value, 0)) if number is None else number
        few = tuple((n, n == number) for n in range(maximum + 1)) if maximum <= MAX_FACES else ()
        yield Share(name, option.value, option.title, option.words, 0, maximum, number, few, option.closed)


def _count_words(asked: Asked) -> str:
    if asked.kind == "some":
        if asked.least == asked.most:
            return f"Choose {asked.least}."
        return f"Choose {asked.least} to {asked.most}." if asked.least else f"Choose up to {asked.most}."
    if asked.kind == "allot":
        return f"{asked.total} to give out."
    if asked.kind == "number":
        return f"From {asked.least} to {asked.most}."
    return ""
