"""The book of a warband: its roster then and now, every battle, what it learned, and the fallen, as a PDF to keep.

Everything in it comes from events, from versions that were kept, and from reports. Nothing is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.formatting import joined
from rules.parts.sheet import FighterSheet, RosterSheet
from warbands.adapters import force_of
from warbands.host import host
from warbands.kept_sheets import kept_pdf
from warbands.labels import mark_of, word
from warbands.models import Change, Event, Fighter, Snapshot, Warband
from warbands.print_options import Look, Paper
from warbands.printing import NOTICE, render_html, render_pdf

# What is bookkeeping and no story. What happens to pieces stands in the rosters.
LEFT_OUT = frozenset(
    {
        *(
            "muster",
            "report",
            "confirm",
            "dispute",
            "fought",
            "close",
            "amend",
            "decide",
        ),  # a battle's chapter tells it
        *("share", "revoke", "delegate", "lend", "note", "move", "order", "print", "draft"),
        *("buy", "sell", "give", "swap", "stash", "return", "kit"),
    }
)
OPENS = ("report", "fought")  # the first of them begins the chapter of its battle
RECORDED = re.compile(r"^\{who\} \w+: ")
FELL = (Fighter.Status.DEAD,)
WENT = (Fighter.Status.RETIRED, Fighter.Status.LEFT, Fighter.Status.DISMISSED, Fighter.Status.CAPTIVE)


@dataclass(frozen=True, slots=True)
class BattleTold:
    """A battle as its report tells it, for one side. `lines` are labelled: deeds, who was taken out, losses.

    `result` is the word of the result, `score` the points of the sides; both "" where nothing was reported.
    """

    occasion: str
    title: str
    day: date | None
    against: str
    result: str
    score: str
    lines: tuple[tuple[str, str], ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class BookFighter:
    """One entry of a roster, for all who are alike."""

    name: str
    who: str
    worth: str
    kit: str


@dataclass(frozen=True, slots=True)
class BookRoster:
    title: str
    words: str
    fighters: tuple[tuple[BookFighter, ...], ...]  # in two columns


@dataclass(frozen=True, slots=True)
class BookChapter:
    """A battle with what followed it; `battle` is None for what happened between battles."""

    title: str
    words: str
    battle: BattleTold | None
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BookLoss:
    name: str
    who: str
    how: str
    where: str


@dataclass(frozen=True, slots=True)
class WarbandBook:
    title: str
    mark: str
    list_words: str
    span_words: str
    where: tuple[tuple[str, str], ...]
    then: BookRoster | None
    now: BookRoster
    chapters: tuple[BookChapter, ...]
    fallen: tuple[BookLoss, ...]
    gone: tuple[BookLoss, ...]
    gone_label: str
    paper: Paper
    led_by: str
    stamp_words: str
    look: Look = "full"
    layout: str = "book"
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = field(default_factory=NOTICE.__str__)


def warband_book(warband: Warband, paper: Paper) -> WarbandBook:
    """Build the book. Nine queries at most, and those of the host."""
    game, content = warband.terms.game, warband.terms.content
    told = {each.occasion: each for each in host().battles_told(warband)}
    campaign = host().sheet_campaign(warband)
    first = Snapshot.objects.filter(warband=warband).order_by("version").first()
    sheet = game.documents.sheet(content, force_of(warband))
    events = _events(warband)
    fallen, gone = _losses(warband, events, told)
    began = events[0].at if events else timezone.now()
    ended = events[-1].at if events else began
    return WarbandBook(
        title=warband.name,
        mark=mark_of(warband),
        list_words=f"{sheet.list_words}, {sheet.edition_words}",
        span_words=_span(began, ended),
        where=campaign.where if campaign is not None else (),
        then=_roster(_("The first roster"), msgspec.convert(first.sheet, RosterSheet), first.taken_at)
        if first
        else None,
        now=_roster(_("The roster today"), sheet, ended),
        chapters=tuple(_chapters(events, told, warband)),
        fallen=fallen,
        gone=gone,
        gone_label=_("Others who left"),
        paper=paper,
        led_by=str(warband.owner or ""),
        stamp_words=f"{sheet.edition_words}, v{warband.version}",
    )


def book_pdf(warband: Warband, paper: Paper) -> bytes:
    return kept_pdf(warband, render_html(warband_book(warband, paper), "print/book.html"), render_pdf)


def _span(began: datetime, ended: datetime) -> str:
    one, other = (date_format(timezone.localtime(each), "j F Y") for each in (began, ended))
    return one if one == other else _("{began} to {ended}").format(began=one, ended=other)


def _events(warband: Warband) -> list[Event]:
    """Return the events of a warband that stand, oldest first: without undos and what they undid. Two queries."""
    rows = list(Event.objects.filter(subjects__label=Warband._meta.label, subjects__row_id=warband.pk).order_by("pk"))
    undone = dict(Event.objects.filter(undoes__in=[row.pk for row in rows]).values_list("undoes_id", "pk"))

    def stands(pk: int) -> bool:
        return pk not in undone or not stands(undone[pk])

    return [row for row in rows if row.undoes_id is None and stands(row.pk)]


# --- rosters ------------------------------------------------------------------------------------------------------------


def _roster(title: str, sheet: RosterSheet, day: datetime) -> BookRoster:
    there = [fighter for fighter in sheet.fighters if fighter.status in ("active", "captive")]
    rows = [_book_fighter(fighter) for fighter in there]
    half = (len(rows) + 1) // 2
    count = ngettext("{count} on the roster", "{count} on the roster", len(there)).format(count=len(there))
    figures = ", ".join(f"{label} {value}" for label, value in sheet.figures)
    words = f"{date_format(timezone.localtime(day), 'j M Y')}: {count}"
    return BookRoster(title, f"{words}. {figures}" if figures else words, (tuple(rows[:half]), tuple(rows[half:])))


def _book_fighter(fighter: FighterSheet) -> BookFighter:
    carried = [weapon.name for weapon in fighter.weapons if weapon.carried]
    if fighter.short:  # their names are labels
        told = [words for name, words in fighter.short if words not in fighter.role_words and name not in carried]
        kit = "; ".join(filter(None, (*told, ", ".join(dict.fromkeys(carried)))))
    else:
        kit = ", ".join(dict.fromkeys([*carried, *(name for name, _words in fighter.lines)]))
    who = fighter.profile_name if fighter.profile_name != fighter.name else ""
    return BookFighter(
        name=fighter.name,
        who=", ".join(dict.fromkeys(filter(None, (who, fighter.role_words)))),
        worth=fighter.rating_words,
        kit=kit,
    )


# --- chapters -----------------------------------------------------------------------------------------------------------


def _chapters(events: Sequence[Event], told: Mapping[str, BattleTold], warband: Warband) -> Iterator[BookChapter]:
    """Yield a chapter for each battle in the order of the reports, and one for each time between battles.

    What is settled of a battle later on stays with the time in which it was settled.
    """
    label = capfirst(word(warband.terms, "battle", _("battle")))
    groups: list[tuple[str, list[str]]] = [("", [])]
    begun: set[str] = set()
    for event in events:
        occasion = event.occasion if event.occasion in told else ""
        if event.kind in LEFT_OUT and event.kind not in OPENS:
            continue
        if occasion and occasion not in begun:
            begun.add(occasion)
            groups.append((occasion, []))
        elif not occasion and groups[-1][0]:
            groups.append(("", []))
        groups[-1][1].extend(_sentences(event))
    groups += [(occasion, []) for occasion in told if occasion not in begun]
    number = 0
    for occasion, sentences in groups:
        if occasion:
            number += 1
            yield BookChapter(f"{label} {number}", told[occasion].title, told[occasion], tuple(sentences))
        elif sentences:
            yield BookChapter(_("Between battles") if number else _("The beginning"), "", None, tuple(sentences))


def _sentences(event: Event) -> list[str]:
    if event.kind in LEFT_OUT:
        return []
    words = RECORDED.sub("", event.sentence) if event.kind == "write" else event.sentence
    return [words.replace("{who}", event.who)]


# --- the fallen -----------------------------------------------------------------------------------------------------------


def _losses(
    warband: Warband, events: Iterable[Event], told: Mapping[str, BattleTold]
) -> tuple[tuple[BookLoss, ...], tuple[BookLoss, ...]]:
    """Return those who died and those who left in other ways, with the sentences of the events that say so. Two queries."""
    lost = {row.pk: row for row in Fighter.objects.live().filter(warband=warband, status__in=(*FELL, *WENT))}
    standing = {event.pk: event for event in events}
    label = Fighter._meta.label
    changes = Change.objects.filter(label=label, row_id__in=lost, field="status", event__in=standing).order_by("pk")
    ends = {change.row_id: (change.event_id, change.after) for change in changes}
    views: Mapping[str, Any] = warband.terms.game.views(warband.terms.content, force_of(warband, gone=True))
    found: dict[bool, list[BookLoss]] = {True: [], False: []}
    for pk, (event, after) in sorted(ends.items(), key=lambda end: end[1][0]):
        row = lost[pk]
        if after != row.status:
            continue
        battle = told.get(standing[event].occasion)
        view = views.get(str(pk))
        found[row.status in FELL].append(
            BookLoss(
                name=row.name,
                who=view.profile_name if view is not None and view.profile_name != row.name else "",
                how=joined(_sentences(standing[event])) or str(row.get_status_display()),
                where=_battle_words(battle) if battle is not None else "",
            )
        )
    return tuple(found[True]), tuple(found[False])


def _battle_words(battle: BattleTold) -> str:
    return _("{battle}, against {others}").format(battle=battle.title, others=battle.against)
