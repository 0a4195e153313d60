"""The camp page: promises that are still owed, and finds that may be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.problems import Refusal
from rules.resolution import Asked, Option, Outcome, Progress, Task, advance
from warbands.labels import labels_of
from warbands.models import Promise
from warbands.pages.addresses import href_of
from warbands.pages.roster import Roster
from warbands.pages.widgets import Link
from warbands.promises import waits_for

ASKED = "c-"  # prefix of every field that answers a decision
ROWS = 12  # show more options than this as rows, not as cards


@dataclass(frozen=True, slots=True)
class CampRow:
    """A promise to settle or a find to use. `closed` says why it is not available now."""

    key: str
    title: str
    words: str
    href: str
    label: str
    closed: str = ""
    meta: str = ""


@dataclass(frozen=True, slots=True)
class CampGroup:
    key: str
    name: str
    rows: tuple[CampRow, ...]


@dataclass(frozen=True, slots=True)
class CampPage:
    name: str
    back: Link
    groups: tuple[CampGroup, ...]
    empty_words: str
    links: tuple[Link, ...]


def camp_page(roster: Roster) -> CampPage:
    """Build the camp page: one query on top of the roster."""
    warband = roster.warband
    groups = []
    owed = tuple(promise_row(roster, promise) for promise in open_promises(roster))
    if owed:
        groups.append(CampGroup("owed", _("Rewards to collect"), owed))
    found: dict[str, list[CampRow]] = {}
    for task in roster.game.post_battle.camp_tasks(roster.content, roster.force):
        found.setdefault(task.group, []).append(task_row(roster, task))
    groups += [CampGroup(slugify(name) or "finds", name or _("Finds"), tuple(rows)) for name, rows in found.items()]
    links = [Link(_("Choices"), href_of("choice-list", warband.pk))]
    teams = roster.teams
    if teams is not None:
        links.append(Link(teams.title, href_of("team-list", warband.pk)))
    words = _("No rewards to collect, and no finds to use.")
    if warband.is_founding:
        words = _("Camp begins when the warband is ready to play.")
    return CampPage(
        name=warband.name,
        back=Link(labels_of(warband.terms)["stash"], href_of("stash-show", warband.pk))
        if roster.shops
        else Link(warband.name, href_of("warband-show", warband.pk)),
        groups=tuple(groups),
        empty_words="" if groups else words,
        links=tuple(links),
    )


def task_row(roster: Roster, task: Task) -> CampRow:
    label = _("Use it") if task.closed or advance(task, (), {}).asked is not None else _("Mark as used up")
    return CampRow(
        key=slugify(task.key),
        title=task.title,
        words=task.words,
        href="" if task.closed else find_address(roster, task.key),
        label=_("Open") if task.subject and not roster.shops else label,
        closed=task.closed,
    )


def open_promises(roster: Roster) -> tuple[Promise, ...]:
    """Return the open promises to the warband. One query."""
    return tuple(Promise.objects.live().filter(warband=roster.warband, status=Promise.Status.OPEN))


def promise_row(roster: Roster, promise: Promise) -> CampRow:
    waits = waits_for(roster.warband.terms, roster.force, promise.kind, promise.data)
    return CampRow(
        key=f"promise_{promise.pk}",
        title=promise.words,
        words="",
        href=href_of("promise-settle", promise.pk),
        label=_("Open") if waits else _("Collect"),
        closed=waits,
        meta=_("until {expires}").format(expires=promise.expires) if promise.expires else "",
    )


def find_address(roster: Roster, key: str) -> str:
    return f"{href_of('camp-show', roster.warband.pk)}{key}/"


# --- one task ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindCard:
    id: str
    value: str
    title: str
    words: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    closed_reason: str


@dataclass(frozen=True, slots=True)
class Question:
    """An open decision. `type` is radio, checkbox or number; `name` is the field that answers it."""

    name: str
    words: str
    help: str
    type: str
    cards: tuple[FindCard, ...]
    shares: tuple[tuple[str, str, str, int], ...]  # field, title, words, most
    as_rows: bool
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Made:
    """A decision already made. `href` is the page that changes it."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class CampTaskPage:
    """The page of one promise or find: decisions made, the open decision, or what the act will do."""

    title: str
    name: str
    words: str
    here: str
    back: Link
    told: tuple[str, ...]
    made: tuple[Made, ...]
    kept: tuple[tuple[str, str], ...]
    question: Question | None
    sentence: str
    will_do: tuple[str, ...]
    grave: bool
    closed: str
    stuck: str
    mend: str
    write_label: str
    may_lapse: bool
    seen: int


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers given so far, in the order of the questions, and the progress they lead to."""

    made: tuple[tuple[Asked, Any], ...]
    progress: Progress
    refusal: Refusal | None = None

    @property
    def choices(self) -> dict[str, Any]:
        return {asked.key: value for asked, value in self.made}


def answers_of(task: Task, sent: Mapping[str, Sequence[str]]) -> Answers:
    """Walk a task through the decisions in an address or a form. A decision that does not fit stays open."""
    made: list[tuple[Asked, Any]] = []
    progress = advance(task, (), {})
    while progress.asked is not None:
        asked = progress.asked
        value = _answer(asked, sent)
        if value is None:
            break
        try:
            further = advance(task, (), {**{one.key: kept for one, kept in made}, asked.key: value})
        except Refusal as refusal:
            return Answers(tuple(made), progress, refusal)
        made.append((asked, value))
        progress = further
    return Answers(tuple(made), progress)


def _answer(asked: Asked, sent: Mapping[str, Sequence[str]]) -> Any:
    name = ASKED + asked.key
    if asked.kind == "allot":
        given = {o.value: sent[f"{name}.{o.value}"][-1] for o in asked.options if f"{name}.{o.value}" in sent}
        return given or None
    if name not in sent:
        return None
    values = [value for value in sent[name] if value]
    if asked.kind == "some":
        return values
    return values[-1] if values else None


def _fields(asked: Asked, value: Any) -> list[tuple[str, str]]:
    name = ASKED + asked.key
    if isinstance(value, Mapping):
        return [(f"{name}.{key}", str(count)) for key, count in value.items()]
    if isinstance(value, list):
        return [(name, ""), *((name, str(one)) for one in value)]
    return [(name, str(value))]


def task_page(
    roster: Roster,
    task: Task | None,
    answers: Answers | None,
    *,
    title: str,
    here: str,
    back: Link,
    words: str = "",
    closed: str = "",
    write_label: str = "",
    may_lapse: bool = False,
) -> CampTaskPage:
    """Build the page of one promise or find. No queries.

    `closed` says why there is nothing to decide; `words` replaces the task's own words.
    """
    made: list[Made] = []
    kept: list[tuple[str, str]] = []
    progress = answers.progress if answers else Progress(())
    for asked, value in answers.made if answers else ():
        made.append(Made(f"{asked.words} {answer_words(asked, value)}.", f"{here}?{urlencode(kept)}" if kept else here))
        kept += _fields(asked, value)
    outcome = progress.outcome or Outcome("")
    refusal = answers.refusal if answers else None
    return CampTaskPage(
        title=title,
        name=roster.warband.name,
        words=words or (task.words if task else ""),
        here=here,
        back=back,
        told=tuple(line.words for line in progress.told),
        made=tuple(made),
        kept=tuple(kept),
        question=question_of(progress.asked) if progress.asked is not None and not closed else None,
        sentence=outcome.sentence,
        will_do=outcome.will_do,
        grave=outcome.grave,
        closed=closed,
        stuck=refusal.message if refusal else "",
        mend=refusal.mend if refusal else "",
        write_label=write_label or _("Confirm"),
        may_lapse=may_lapse,
        seen=roster.warband.version,
    )


def question_of(asked: Asked) -> Question:
    name = ASKED + asked.key
    shares: tuple[tuple[str, str, str, int], ...] = ()
    if asked.kind == "allot":
        shares = tuple(
            (f"{name}.{option.value}", option.title, option.words, asked.limits.get(option.value, asked.total))
            for option in asked.options
        )
    types = {"one": "radio", "some": "checkbox", "number": "number", "allot": "number"}
    return Question(
        name=name,
        words=asked.words,
        help=asked.help or _count_words(asked),
        type=types[asked.kind],
        cards=tuple(_card(asked, option) for option in asked.options) if asked.kind in ("one", "some") else (),
        shares=shares,
        as_rows=len(asked.options) > ROWS,
        least=asked.least,
        most=asked.most,
    )


def _card(asked: Asked, option: Option) -> FindCard:
    return FindCard(
        id=f"id_{slugify(asked.key)}_{slugify(option.value)}",
        value=option.value,
        title=option.title,
        words=option.words,
        gains=option.gains,
        losses=option.losses,
        closed_reason=option.closed,
    )


def _count_words(asked: Asked) -> str:
    if asked.kind == "some":
        if asked.least == asked.most:
            return _("Choose {least}.").format(least=asked.least)
        return (
            _("Choose {least} to {most}.").format(least=asked.least, most=asked.most)
            if asked.least
            else _("Choose up to {most}.").format(most=asked.most)
        )
    return _("Share out {total}.").format(total=asked.total) if asked.kind == "allot" else ""


def answer_words(asked: Asked, value: Any) -> str:
    names = {option.value: option.title for option in asked.options}
    if isinstance(value, Mapping):
        return ", ".join(f"{names.get(str(key), key)} {count}" for key, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(names.get(str(one), str(one)) for one in value) or "none"
    return str(names.get(str(value), value))
