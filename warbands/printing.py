"""Printed army sheets: a roster as a tagged PDF in A4 or Letter.

The page is built from the game's own `RosterSheet` (or the one in a snapshot), or from the sheets that a game lays out
itself. It is rendered by templates/print and laid out by WeasyPrint, which may open only our static files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

import msgspec
import segno
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.browse import RuleEntry
from rules.force import Force
from rules.parts.sheet import RosterSheet
from rules.sheets import DrawnSheet, SheetChoice
from warbands.adapters import force_of
from warbands.host import host
from warbands.labels import mark_of, name_of
from warbands.models import Fighter, Promise, Snapshot, Terms, Warband
from warbands.pages.house_rules import active_rules
from warbands.pdf_fonts import with_fonts
from warbands.pdf_process import draw
from warbands.print_options import Look, Paper, PrintOptions
from warbands.printed_fighters import PrintedCard, PrintedFighter, cards_of, printed_fighter

STASH_LINES = 12  # empty lines to write on, besides the existing entries
RULED_LINES = 14  # as many as fit with the emptiest ledger; longer content covers them
LATEST_BATTLE_COLUMNS = 12
NOTICE = gettext_lazy("Unofficial fan software. The game and its names belong to their owners.")


def sheet_choices(terms: Terms) -> tuple[SheetChoice, ...]:
    """Return the sheets that the game lays out itself; empty if its rosters use the common sheet."""
    sheets = terms.game.print_sheets
    return sheets.sheet_choices(terms.content) if sheets is not None else ()


@dataclass(frozen=True, slots=True)
class SheetCampaign:
    """A campaign's part of a warband's sheet: labelled texts, and the result letter of each battle by its number."""

    where: tuple[tuple[str, str], ...]
    results: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrintedSection:
    title: str
    fighters: tuple[PrintedFighter, ...]


@dataclass(frozen=True, slots=True)
class PrintedBattle:
    number: int
    threshold: int
    field_strength: int
    result: str
    now: bool


@dataclass(frozen=True, slots=True)
class PrintedMisses:
    count: int
    most: int
    boxes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SheetPage:
    sheet: RosterSheet
    title: str
    list_words: str
    mark: str
    led_by: str
    paper: Paper
    look: Look
    with_stash: bool
    stash_label: str
    battle_label: str
    where: tuple[tuple[str, str], ...]
    battles: tuple[PrintedBattle, ...]
    promises: tuple[str, ...]
    misses: PrintedMisses | None
    notes: str
    empty_stash_lines: range
    ruled_lines: range
    sections: tuple[PrintedSection, ...]
    glossary: tuple[RuleEntry, ...]
    stamp_words: str
    link_words: str
    qr_svg: SafeString
    notice_words: str = field(default_factory=NOTICE.__str__)
    cards: tuple[PrintedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnSheetsPage:
    """The context of print/sheets.html: sheets that the game lays out itself. The stamp is the same on every sheet."""

    sheets: tuple[DrawnSheet, ...]
    title: str
    mark: str
    led_by: str
    paper: Paper
    look: Look
    where: tuple[tuple[str, str], ...]
    stamp_words: str
    link_words: str
    qr_svg: SafeString
    notice_words: str = field(default_factory=NOTICE.__str__)


def own_sheets_page(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None
) -> OwnSheetsPage | None:
    """Return the chosen sheets of a warband, current or from `snapshot`; None if its game has no own sheets.

    At most five queries. Raises Refusal if none was chosen, or one that the game does not have.
    """
    game, content = warband.terms.game, warband.terms.content
    wanted = options.wanted(sheet_choices(warband.terms))
    if game.print_sheets is None or not wanted:
        return None
    force: Force = force_of(warband) if snapshot is None else game.documents.read_document(snapshot.document)[0]
    edition = game.documents.sheet(content, force).edition_words
    line = _campaign_line(warband)
    return OwnSheetsPage(
        sheets=tuple(game.print_sheets.drawn_sheet(content, force, choice.id) for choice in wanted),
        title=force.name or warband.name,
        mark=mark_of(warband),
        led_by=str(warband.owner) if warband.owner else "",
        paper=options.paper,
        look=options.look,
        where=line.where if line else (),
        stamp_words=_stamp(warband, edition, snapshot),
        link_words=_short(link),
        qr_svg=qr_code(link),
    )


def _campaign_line(warband: Warband) -> SheetCampaign | None:
    return host().sheet_campaign(warband)


def words_on_paper(warband: Warband) -> list[str]:
    """Return what people wrote on the sheets of a warband: names, notes, promises, campaign. At most five queries."""
    terms, line = warband.terms, _campaign_line(warband)
    rows = Fighter.objects.live().filter(warband=warband).values_list("name", "profile_id", "state")
    promises = Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
    return [
        warband.name,
        warband.notes,
        str(warband.owner or ""),
        *(value for _, value in (line.where if line else ())),
        *promises.values_list("words", flat=True),
        *(
            part
            for name, profile_id, state in rows
            for part in (name, name_of(terms, "profile", profile_id), json.dumps(state, ensure_ascii=False))
        ),
    ]


def _stamp(warband: Warband, edition_words: str, snapshot: Snapshot | None) -> str:
    version, day = (snapshot.version, snapshot.taken_at) if snapshot else (warband.version, timezone.now())
    rules = len(active_rules(warband.terms))
    if rules:
        edition_words = ngettext("{edition} + {count} house rule", "{edition} + {count} house rules", rules).format(
            edition=edition_words, count=rules
        )
    return f"{edition_words}, v{version}, {date_format(timezone.localtime(day), 'j M Y')}"


def _short(link: str) -> str:
    return link.removeprefix("https://").removeprefix("http://")


def sheet_page(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> SheetPage:
    """Return the page of a warband, current or from `snapshot`. At most six queries.

    `link` is the absolute URL of the share page of this version ("" leaves out link and QR code). `shared` leaves out
    what a stranger with the link may not see: money, notes and promises.
    """
    game, content = warband.terms.game, warband.terms.content
    if snapshot is not None:
        sheet = msgspec.convert(snapshot.sheet, RosterSheet)
    else:
        sheet = game.documents.sheet(content, force_of(warband, gone=options.with_gone))
    line = _campaign_line(warband)
    labels = game.labels(content)
    sections = _sections(sheet, options)
    fighters = [fighter for section in sections for fighter in section.fighters if not fighter.gone]
    return SheetPage(
        sheet=_without_money(sheet, labels) if shared else sheet,
        title=sheet.title,
        list_words=sheet.list_words,
        mark=mark_of(warband),
        led_by=str(warband.owner) if warband.owner else "",
        paper=options.paper,
        look=options.look,
        with_stash=options.with_stash and not shared,
        stash_label=labels.get("stash", ""),
        battle_label=labels["battle"],
        where=line.where if line else (),
        battles=_battles(sheet, line),
        promises=() if shared else _promises(warband),
        misses=_misses(sheet),
        notes="" if shared else warband.notes,
        empty_stash_lines=range(max(2, STASH_LINES - len(sheet.stash))),
        ruled_lines=range(RULED_LINES),
        sections=sections,
        glossary=sheet.glossary if options.with_glossary else (),
        stamp_words=_stamp(warband, sheet.edition_words, snapshot),
        link_words=_short(link),
        qr_svg=qr_code(link),
        cards=tuple(card for fighter in fighters for card in cards_of(fighter)) if options.with_cards else (),
    )


def _promises(warband: Warband) -> tuple[str, ...]:
    promises = Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
    return tuple(f"{p.words} ({p.expires})" if p.expires else p.words for p in promises)


def _misses(sheet: RosterSheet) -> PrintedMisses | None:
    if not sheet.misses:
        return None
    count, maximum = sheet.misses
    return PrintedMisses(count, maximum, tuple(n <= count for n in range(1, maximum + 1)))


def _without_money(sheet: RosterSheet, labels: Mapping[str, str]) -> RosterSheet:
    private = {"strongbox", "glory", labels.get("strongbox", "").lower(), labels.get("glory", "").lower()}
    return replace(
        sheet, figures=tuple((label, value) for label, value in sheet.figures if label.lower() not in private)
    )


def _battles(sheet: RosterSheet, line: SheetCampaign | None) -> tuple[PrintedBattle, ...]:
    results = line.results if line else {}
    return tuple(
        PrintedBattle(number, threshold, strength, results.get(number, ""), number == sheet.next_battle)
        for number, threshold, strength in sheet.limits[:LATEST_BATTLE_COLUMNS]
    )


def _sections(sheet: RosterSheet, options: PrintOptions) -> tuple[PrintedSection, ...]:
    groups: dict[str, list[PrintedFighter]] = {}
    for fighter in sheet.fighters:
        gone = fighter.status not in ("active", "captive")
        if gone and not options.with_gone:
            continue
        groups.setdefault(_("No longer on the roster") if gone else fighter.section, []).append(
            printed_fighter(fighter, gone)
        )
    return tuple(PrintedSection(title, tuple(fighters)) for title, fighters in groups.items())


def qr_code(link: str) -> SafeString:
    if not link:
        return mark_safe("")
    code = segno.make(link, error="m", micro=False)
    out = BytesIO()
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, title=_("Opens this roster"))
    return mark_safe(out.getvalue().decode())  # made by the library from our own URL


def render_html(page: Any, template: str = "") -> str:
    """Render the sheet as HTML for WeasyPrint, with the fonts that its letters need. The default template is a roster's."""
    usual = "print/sheets.html" if isinstance(page, OwnSheetsPage) else "print/roster.html"
    return with_fonts(render_to_string(template or usual, {"page": page}))


def render_pdf(html: str) -> bytes:
    return draw(html)


def roster_pdf(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> bytes:
    """Return the roster as PDF, in the game's own layout or the common one.

    Raises Refusal if the game does not have one of the sheets.
    """
    page = own_sheets_page(warband, options, link=link, snapshot=snapshot)
    return render_pdf(render_html(page or sheet_page(warband, options, link=link, snapshot=snapshot, shared=shared)))


def file_name(warband: Warband) -> str:
    return f"{slugify(warband.name) or 'warband'}-v{warband.version}.pdf"
