"""The parts of a task's form: lines with dice and table rows, dice panels, and decisions. The muster and post-battle pages share them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.pages.rule_links import rules_of_options
from campaigns.sequence import is_loss
from rules.dice import NeedDice
from rules.resolution import Asked, Option, Outcome, Told
from warbands.pages.rule_links import RuleLinks
from warbands.pages.widgets import Link
from warbands.parsing import read_number

MAX_FACES = 5
MOST_WORDS = 25  # of an option, before it opens
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")


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
    """One option. `results` says what its press writes; `grave` marks a press that loses a fighter or kit.

    `rule` is the whole rule, if `words` are not all of it; it opens in place. `href` is its page.
    """

    name: str
    value: str
    title: str
    words: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    closed_reason: str
    chosen: bool = False
    results: tuple[str, ...] = ()
    grave: bool = False
    rule: str = ""
    href: str = ""


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
    takes_all: bool = False  # whether one press may give everything to this option


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """A decision. With `at_once` each option is a button that sends it; otherwise the form has a button of its own."""

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

    @property
    def at_once(self) -> bool:
        return self.kind == "one" or (self.kind == "allot" and self.total == 1)


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
        return _("entered by {name}").format(name=by) if by else _("entered by hand")
    return _("rolled by the app for {name}").format(name=by) if by else _("rolled by the app")


def panel_of(need: NeedDice, campaign: Campaign, typed: Mapping[str, str], error: str = "") -> Panel:
    """Return the dice panel that the campaign's dice policy allows. Its fields are named `face_1`, `face_2` …"""
    pressed = "source" not in typed and any(name.startswith("face_") for name in typed)  # a face that is a button
    were_typed = pressed or typed.get("source") == "typed"
    dice = []
    for place in range(1, need.count + 1):
        name = f"face_{place}"
        value = typed.get(name, "")
        legend = need.names[place - 1] if len(need.names) == need.count else _("die {number}").format(number=place)
        if need.count == 1:
            legend = _("your die")
        wrong = ""
        if were_typed:
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
        return _("Enter this die.")
    if not 1 <= (read_number(value) or 0) <= sides:
        return _("This die shows 1 to {sides}, not {value}.").format(sides=sides, value=value.strip()[:6])
    return ""


def choice_of(
    asked: Asked,
    kept: Any,
    typed: Mapping[str, str],
    names: RuleLinks,
    ends: Mapping[str, Outcome] | None = None,
) -> TaskChoice:
    """Return the form of a decision. Its fields are named `choice` (one, some, number) or `share_<option>` (allot).

    `ends` holds the outcomes of those options that settle the task.
    """
    ends = ends or {}
    results = _results(asked, ends)
    chosen = {str(each) for each in (kept if isinstance(kept, (list, tuple)) else [kept]) if each is not None}
    cards = tuple(
        replace(
            _card(option, names),
            chosen=option.value in chosen and not option.closed,
            results=results.get(option.value, ()),
            grave=option.value in ends and is_loss(ends[option.value]),
        )
        for option in asked.options
    )
    plain = not results and not any(_says_more(option) for option in asked.options)
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
        plain=plain,
        count_words=_count_words(asked),
        links=_links(asked, names, () if plain else cards),
    )


def _links(asked: Asked, names: RuleLinks, cards: Sequence[TaskCard]) -> tuple[Link, ...]:
    """Return links to the rules of the options, without those that a card holds whole."""
    folded = {card.href for card in cards if card.rule}
    return tuple(link for link in rules_of_options(names, asked.options) if link.href not in folded)


def summed_up(words: str) -> str:
    """Return the first sentences of a text, as many as a reader takes in at a glance; of one that is longer, its beginning."""
    taken: list[str] = []
    count = 0
    for sentence in SENTENCE_END.split(words):
        count += len(sentence.split())
        if taken and count > MOST_WORDS:
            break
        taken.append(sentence)
    first = " ".join(taken).split()
    return " ".join(first) if len(first) <= MOST_WORDS else f"{' '.join(first[: MOST_WORDS - 1]).rstrip(',;:')} …"


def whole_rule(option: Option, names: RuleLinks) -> str:
    """Return all words of an option and of the rule that it is named for, "" if the option shows all of them."""
    entry = names.by_name.get(option.title.casefold()) if not option.value.isdigit() else None
    known = option.words
    if entry is not None and entry.words not in known:
        known = entry.words if known in entry.words else f"{known} {entry.words}".strip()
    return known if known != summed_up(option.words) else ""


def _shares(asked: Asked, kept: Any, typed: Mapping[str, str]) -> Iterator[Share]:
    stored = kept if isinstance(kept, Mapping) else {}
    for option in asked.options:
        name = f"share_{option.value}"
        maximum = min(asked.limits.get(option.value, asked.total), asked.total)
        sent = typed.get(name, "")
        number = read_number(sent) if sent else None
        number = int(stored.get(option.value, 0)) if number is None else number
        whole = 1 < asked.total <= maximum and not option.closed
        most = maximum - 1 if whole and number != maximum else maximum  # the button for all stands for the last number
        few = tuple((n, n == number) for n in range(most + 1)) if maximum <= MAX_FACES else ()
        yield Share(name, option.value, option.title, option.words, 0, maximum, number, few, option.closed, whole)


def _card(option: Option, names: RuleLinks) -> TaskCard:
    return TaskCard(
        name="choice",
        value=option.value,
        title=option.title,
        words=summed_up(option.words),
        gains=option.gains,
        losses=option.losses,
        closed_reason=option.closed,
        rule=whole_rule(option, names),
        href=names.href_of_name(option.title) if not option.value.isdigit() else "",
    )


def _says_more(option: Option) -> bool:
    """Return whether an option has more to read than its title."""
    return bool(option.words or option.gains or option.losses or option.closed)


def _results(asked: Asked, ends: Mapping[str, Outcome]) -> dict[str, tuple[str, ...]]:
    """Return what the press on each option writes, as far as the option does not say it and the options differ in it."""
    told = [option.value for option in asked.options if option.words or option.gains or option.losses]
    silent = [value for value in ends if value not in told]
    found = {value: ends[value].will_do or (ends[value].sentence,) for value in silent}
    different = len(set(found.values())) > 1
    return {value: lines for value, lines in found.items() if different or is_loss(ends[value])}


def _count_words(asked: Asked) -> str:
    if asked.kind == "some":
        if asked.least == asked.most:
            return _("Choose {number}.").format(number=asked.least)
        if asked.least:
            return _("Choose {least} to {most}.").format(least=asked.least, most=asked.most)
        return _("Choose up to {most}.").format(most=asked.most)
    if asked.kind == "allot" and asked.total > 1:
        return _("{total} to give out.").format(total=asked.total)
    if asked.kind == "number":
        return _("From {least} to {most}.").format(least=asked.least, most=asked.most)
    return ""
