"""Printed army sheets: a roster as a tagged PDF in A4 or Letter.

The page is built from the game's own `RosterSheet` (or the one in a snapshot), or from the sheets that a game lays out
itself. It is rendered by templates/print and laid out by WeasyPrint, which may open only our static files.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from config.qr import printed_code
from rules.browse import RuleEntry
from rules.force import Force
from rules.parts.sheet import RosterSheet
from rules.sheets import CardWishes, DrawnSheet, SheetChoice
from warbands.adapters import force_of
from warbands.host import host
from warbands.kept_sheets import kept_pdf
from warbands.labels import mark_of, name_of
from warbands.models import Fighter, Promise, Snapshot, Terms, Warband
from warbands.pages.house_rules import active_rules
from warbands.pdf_fonts import with_fonts
from warbands.pdf_process import draw
from warbands.print_options import CardSize, Layout, Look, Paper, PrintOptions
from warbands.printed_blocks import MARKER_BOXES, PrintedBlock, PrintedBlocks, printed_blocks
from warbands.printed_cards import CardFrame, CardLeaf, PrintedCard, card_sheets, cards_of
from warbands.printed_columns import Bands, PageFrame, PrintedLeaf, head_height, leaves_of, rules_in_bands
from warbands.printed_fighters import PrintedFighter, printed_fighter

STASH_LINES = 5  # lines of the stash, the empty ones to write on included
RULED_LINES = 3
FIGHTERS_ON_PAGES = ((8, 1), (15, 2))  # of the layout on one page: up to so many fighters, so many pages
LATEST_BATTLE_COLUMNS = 12
BACK_LINES = 9  # to write on, on the back of a card without a portrait
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
    """Fighters under one heading ("" without one), and their blocks: those who are alike share one."""

    title: str
    fighters: tuple[PrintedFighter, ...]
    blocks: tuple[PrintedBlock, ...]
    leaves: tuple[PrintedLeaf, ...] = ()


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
    head_words: str
    mark: str
    led_by: str
    paper: Paper
    look: Look
    layout: Layout
    with_stash: bool
    with_markers: bool
    with_blank: bool
    markers: str
    stat_labels: tuple[str, ...]
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
    glossary: Bands
    stamp_words: str
    link_words: str
    qr_svg: SafeString
    notice_words: str = field(default_factory=NOTICE.__str__)
    cards: tuple[PrintedCard, ...] = ()
    card_sheets: tuple[CardLeaf, ...] = ()
    card_size: CardSize = "small"
    card_parts: tuple[str, ...] = ()
    back_lines: range = range(BACK_LINES)
    form_prefix: str = ""  # the names of all fields of a sheet to fill in begin with it; "" on paper
    marker_boxes: range = range(MARKER_BOXES)

    @property
    def table_columns(self) -> int:
        """Return how many columns the quick table has: who, the figures, three of a weapon, and one to tick."""
        return 4 + len(self.stat_labels) + self.with_markers


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
    cards = CardWishes(options.card_parts, options.fighters if snapshot is None else None)
    line = _campaign_line(warband)
    return OwnSheetsPage(
        sheets=tuple(game.print_sheets.drawn_sheet(content, force, choice.id, cards) for choice in wanted),
        title=force.name or warband.name,
        mark=mark_of(warband),
        led_by=str(warband.owner) if warband.owner else "",
        paper=options.paper,
        look=options.look,
        where=line.where if line else (),
        stamp_words=_stamp(warband, edition, snapshot),
        link_words=short_link(link),
        qr_svg=printed_code(link, _("Opens this roster")),
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


def short_link(link: str) -> str:
    return link.removeprefix("https://").removeprefix("http://")


def sheet_page(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> SheetPage:
    """Return the page of a warband, current or from `snapshot`. At most seven queries.

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
    with_notes = options.with_notes and not shared
    if shared:
        sheet = _without_money(sheet, labels)
    told = _told(sheet, options, _notes(warband) if with_notes else {})
    led_by = str(warband.owner) if warband.owner else ""
    where = line.where if line else ()
    head_words = _head_words(sheet.list_words, led_by, told.everyone)
    markers = game.campaign.marker_names(content) if game.campaign is not None else ()
    frame = frame_of(options, markers[0] if markers else "")
    head = head_height(
        sheet.title,
        (head_words, " ".join(f"{label} {value}  " for label, value in where)),
        sheet.figures,
        frame,
    )
    told, sections = _fitted(sheet, options, told, head, frame)
    glossary = _glossary(sheet.glossary, told.shared) if options.with_glossary else ()
    last = sections[0].leaves[-1:] if len(sections) == 1 else ()
    bands = rules_in_bands(glossary, frame, last[0].left if last else None)
    blocks = [block for section in sections for block in section.blocks if not block.fighter.gone]
    card_frame = CardFrame(
        options.card_size, options.look, options.paper, options.with_markers, options.card_parts, options.with_backs
    )
    cards: tuple[PrintedCard, ...] = ()
    if options.with_cards:
        cards = cards_of(
            blocks,
            sheet.glossary,
            card_frame,
            with_glossary=options.with_rules_cards,
            blank=options.with_blank_cards,
        )
    return SheetPage(
        sheet=sheet,
        title=sheet.title,
        head_words=head_words,
        mark=mark_of(warband),
        led_by=led_by,
        paper=options.paper,
        look=options.look,
        layout=options.layout,
        with_stash=options.with_stash and not shared,
        with_markers=options.with_markers,
        with_blank=options.with_blank,
        markers=markers[0] if markers else "",
        stat_labels=tuple(stat.label for stat in sections[0].blocks[0].figures) if sections else (),
        stash_label=labels.get("stash", ""),
        battle_label=labels["battle"],
        where=where,
        battles=_battles(sheet, line),
        promises=() if shared else _promises(warband),
        misses=_misses(sheet),
        notes=warband.notes if with_notes else "",
        empty_stash_lines=range(max(2, STASH_LINES - len(sheet.stash))),
        ruled_lines=range(RULED_LINES),
        sections=sections,
        glossary=bands,
        stamp_words=_stamp(warband, sheet.edition_words, snapshot),
        link_words=short_link(link),
        qr_svg=printed_code(link, _("Opens this roster")),
        cards=cards,
        card_sheets=card_sheets(cards, card_frame, backs=options.with_backs),
        card_size=options.card_size,
        card_parts=options.card_parts,
        form_prefix=f"roster-w{warband.pk}-v{(snapshot or warband).version}" if options.with_fields else "",
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


def _head_words(list_words: str, led_by: str, everyone: tuple[str, ...]) -> str:
    words = list_words
    if led_by:
        words += ", " + _("led by {led_by}").format(led_by=led_by)
    if everyone:
        words += ". " + _("Keywords of all: {keywords}").format(keywords=", ".join(everyone))
    return words


def _printed(sheet: RosterSheet, options: PrintOptions) -> Iterator[tuple[str, PrintedFighter]]:
    """Yield the fighters to print, each with its heading. Only the full layout has one for each kind of fighter."""
    for fighter in sheet.fighters:
        gone = fighter.status not in ("active", "captive")
        chosen = gone or options.fighters is None or fighter.key in options.fighters
        if not chosen or (gone and not options.with_gone):
            continue
        title = _("No longer on the roster") if gone else fighter.section if options.layout == "full" else ""
        yield title, printed_fighter(fighter, gone)


def _told(
    sheet: RosterSheet, options: PrintOptions, notes: Mapping[str, str], moved: Collection[tuple[str, str]] = ()
) -> PrintedBlocks:
    once = options.with_glossary and options.layout != "full"
    return printed_blocks([fighter for _title, fighter in _printed(sheet, options)], notes, told_once=once, moved=moved)


def _fitted(
    sheet: RosterSheet, options: PrintOptions, told: PrintedBlocks, head: float, frame: PageFrame
) -> tuple[PrintedBlocks, tuple[PrintedSection, ...]]:
    """Return the blocks and their pages. Where they take too many pages, the longest words move to the rules at the end."""
    sections = _sections(sheet, options, told, head, frame)
    people = sum(len(block.people) for block in told.blocks)
    most = next((pages for fighters, pages in FIGHTERS_ON_PAGES if people <= fighters), None)
    may_move = options.layout == "page" and options.look != "large" and options.with_glossary
    if not may_move or most is None or _pages(sections) <= most:
        return told, sections
    longest = sorted({line for block in told.blocks for line in block.lines}, key=lambda line: (-len(line[1]), line))
    notes = {block.fighter.key: block.notes for block in told.blocks}
    low, high, found = 0, len(longest), (told, sections)
    while low < high:  # the fewest that make room
        count = (low + high) // 2
        tried = _told(sheet, options, notes, longest[: count + 1])
        drawn = _sections(sheet, options, tried, head, frame)
        if _pages(drawn) <= most:
            high, found = count, (tried, drawn)
        else:
            low = count + 1
    return found


def _pages(sections: Iterable[PrintedSection]) -> int:
    return sum(len(section.leaves) for section in sections)


def _sections(
    sheet: RosterSheet, options: PrintOptions, told: PrintedBlocks, head: float, frame: PageFrame
) -> tuple[PrintedSection, ...]:
    groups: dict[str, list[PrintedFighter]] = {}
    for title, fighter in _printed(sheet, options):
        groups.setdefault(title, []).append(fighter)
    sections: list[PrintedSection] = []
    for title, fighters in groups.items():
        keys = {fighter.key for fighter in fighters}
        own = tuple(block for block in told.blocks if block.fighter.key in keys)
        leaves = leaves_of(own, frame, 0 if sections else head) if options.layout == "page" else ()
        sections.append(PrintedSection(title, tuple(fighters), own, leaves))
    return tuple(sections)


def frame_of(options: PrintOptions, marker_label: str = "") -> PageFrame:
    return PageFrame(options.paper, options.look, options.with_markers, options.with_blank, marker_label)


def _notes(warband: Warband) -> dict[str, str]:
    """Return the notes on the fighters by their keys. One query."""
    rows = Fighter.objects.live().filter(warband=warband).exclude(notes="").values_list("pk", "notes")
    return {str(pk): notes for pk, notes in rows}


def _glossary(keywords: tuple[RuleEntry, ...], told_once: tuple[RuleEntry, ...]) -> tuple[RuleEntry, ...]:
    return tuple(sorted((*keywords, *told_once), key=lambda entry: entry.name.lower()))


def render_html(page: Any, template: str = "") -> str:
    """Render the sheet as HTML for WeasyPrint, with the fonts that its letters need. The default template is a roster's."""
    usual = "print/sheets.html" if isinstance(page, OwnSheetsPage) else "print/roster.html"
    return with_fonts(render_to_string(template or usual, {"page": page}))


def render_pdf(html: str) -> bytes:
    return draw((html,))


def render_on_one_page(htmls: Iterable[str]) -> bytes:
    """Return the first of these sheets that takes one page, or the first of those that take the fewest, as PDF."""
    return draw(htmls)


def roster_pdf(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> bytes:
    """Return the roster as PDF, in the game's own layout or the common one. One that was drawn before is not drawn again.

    Raises Refusal if the game does not have one of the sheets.
    """
    page = own_sheets_page(warband, options, link=link, snapshot=snapshot)
    html = render_html(page or sheet_page(warband, options, link=link, snapshot=snapshot, shared=shared))
    return kept_pdf(warband, html, render_pdf)


def file_name(warband: Warband) -> str:
    return f"{slugify(warband.name) or 'warband'}-v{warband.version}.pdf"
