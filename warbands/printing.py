"""Army sheets on paper: a roster as a tagged PDF in A4 or Letter.

The page is built from the game's own `RosterSheet` (or from the one a snapshot kept), or from the sheets that a game lays out itself; it is
drawn by templates/print and laid out by WeasyPrint, which may open our static files and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, Literal

import msgspec
import segno
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from rules.browse import RuleEntry
from rules.force import Force, GainedWord
from rules.formatting import profile_beside
from rules.parts.sheet import FighterSheet, RosterSheet, WeaponLine
from rules.problems import Refusal
from rules.sheets import DrawnSheet, SheetChoice
from warbands.adapters import force_of
from warbands.host import host
from warbands.labels import name_of
from warbands.models import Fighter, Promise, Snapshot, Terms, Warband
from warbands.pages.house_rules import active_rules
from warbands.pdf_fonts import with_fonts
from warbands.pdf_process import draw

Paper = Literal["A4", "Letter"]
Look = Literal["full", "ink", "large"]
PAPERS: tuple[Paper, ...] = ("A4", "Letter")
LOOKS: tuple[Look, ...] = ("full", "ink", "large")

STASH_LINES = 12  # lines to write on, beside what is there already
RULED_LINES = 14  # as many as the emptiest ledger leaves room for; what needs the room covers them
LATEST_BATTLE_COLUMNS = 12
CARD_LINES, CARD_LETTERS = 25.5, 45  # of text on a card of 63 by 88 mm, and letters of a line, reckoned narrow
CONTINUED = ", continued"
NOTICE = "Unofficial fan software. The game and its names belong to their owners."


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What the person asked for: paper, look, and the parts to print.

    `sheets` are ids of sheets that a game lays out itself; None asks for the usual ones, empty for none.
    """

    paper: Paper = "A4"
    look: Look = "full"
    with_stash: bool = True
    with_glossary: bool = True
    with_gone: bool = False
    sheets: tuple[str, ...] | None = None
    with_cards: bool = False

    @classmethod
    def read(cls, data: Mapping[str, Any], *, paper: str = "A4") -> PrintOptions:
        """Options from a query or a form; unknown words are a Refusal that names the field.

        Ticks arrive as "on" or "1"; without `chosen` in the data nothing was ticked or unticked and the defaults hold.
        """
        chosen_paper, look = str(data.get("paper") or paper), str(data.get("look") or "full")
        if chosen_paper not in PAPERS:
            raise Refusal(f"Paper is A4 or Letter; “{chosen_paper[:20]}” is neither.", code="paper")
        if look not in LOOKS:
            raise Refusal(f"The look is full, ink or large; “{look[:20]}” is none of these.", code="look")
        sheets = _listed(data, "sheet")
        if not data.get("chosen"):
            return cls(paper=chosen_paper, look=look, sheets=sheets or None)  # type: ignore[arg-type]
        ticked = {name: data.get(name) in ("on", "1", "true") for name in ("stash", "glossary", "gone", "cards")}
        return cls(
            chosen_paper,
            look,
            ticked["stash"],
            ticked["glossary"],
            ticked["gone"],
            sheets,
            ticked["cards"],  # type: ignore[arg-type]
        )

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> PrintOptions:
        sheets = kept.get("sheets")
        return cls(**{**kept, "sheets": None if sheets is None else tuple(sheets)})

    def wanted(self, choices: Sequence[SheetChoice]) -> tuple[SheetChoice, ...]:
        """Those of a game's own sheets that were asked for, in the game's order; empty where it has none.

        Raises Refusal where none was chosen, or one that the game does not have.
        """
        if not choices:
            return ()
        if self.sheets is None:
            return tuple(choice for choice in choices if choice.usual)
        known = {choice.id: choice.name for choice in choices}
        for sheet in self.sheets:
            if sheet not in known:
                words = f"Nothing to print is called “{sheet[:40]}”."
                raise Refusal(words, mend=f"There is: {', '.join(known.values())}.", code="sheet")
        if not self.sheets:
            raise Refusal("No sheet was chosen.", mend=f"Tick one: {', '.join(known.values())}.", code="sheet")
        return tuple(choice for choice in choices if choice.id in self.sheets)


def sheet_choices(terms: Terms) -> tuple[SheetChoice, ...]:
    """The sheets that the game lays out itself; empty where rosters print from the common sheet."""
    sheets = terms.game.print_sheets
    return sheets.sheet_choices(terms.content) if sheets is not None else ()


def _listed(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """All that a form or a query sends under a name."""
    sent = data.getlist(name) if hasattr(data, "getlist") else data.get(name) or ()
    return (sent,) if isinstance(sent, str) else tuple(str(each) for each in sent)


@dataclass(frozen=True, slots=True)
class SheetCampaign:
    """What a campaign says about a warband on its sheet: labelled words, and the result letter of each battle by its number."""

    where: tuple[tuple[str, str], ...]
    results: Mapping[int, str] = field(default_factory=dict)


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
        """What it is, beside its name: "Yeoman, ELITE; held captive"."""
        what = ", ".join(filter(None, (self.profile_name, self.role_words)))
        return "; ".join(filter(None, (what, self.status_words)))


@dataclass(frozen=True, slots=True)
class PrintedSection:
    title: str
    fighters: tuple[PrintedFighter, ...]


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A fighter on a card of 63 by 88 mm. What the first has no room for goes on upon further ones."""

    fighter: PrintedFighter
    number: int
    of: int
    weapons: tuple[WeaponLine, ...]
    lines: tuple[tuple[str, str], ...]

    @property
    def is_first(self) -> bool:
        return self.number == 1


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
    notice_words: str = NOTICE
    cards: tuple[PrintedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnSheetsPage:
    """Sheets that the game lays out itself, as print/sheets.html draws them; the stamp is that of every sheet."""

    sheets: tuple[DrawnSheet, ...]
    title: str
    led_by: str
    paper: Paper
    look: Look
    where: tuple[tuple[str, str], ...]
    stamp_words: str
    link_words: str
    qr_svg: SafeString
    notice_words: str = NOTICE


def own_sheets_page(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None
) -> OwnSheetsPage | None:
    """The sheets asked for of a warband as it stands, or as `snapshot` kept it; None where its game has none of its own.

    At most five queries. Raises Refusal where none was chosen, or one that the game does not have.
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
    """What people wrote that stands on the sheets of a warband: names, notes, promises, where it plays. At most five queries."""
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
    house = f" + {rules} house rule{'s' if rules != 1 else ''}" if rules else ""
    return f"{edition_words}{house}, v{version}, {date_format(timezone.localtime(day), 'j M Y')}"


def _short(link: str) -> str:
    return link.removeprefix("https://").removeprefix("http://")


def sheet_page(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> SheetPage:
    """The page of a warband as it stands, or as `snapshot` kept it. At most six queries.

    `link` is the absolute address of the version-pinned share page ("" leaves link and code out). `shared` leaves out what a
    stranger with the link is not shown: money, notes and promises.
    """
    game, content = warband.terms.game, warband.terms.content
    if snapshot is not None:
        sheet = msgspec.convert(snapshot.sheet, RosterSheet)
    else:
        sheet = game.documents.sheet(content, force_of(warband, gone=options.with_gone))
    line = _campaign_line(warband)
    labels = game.labels(content)
    promises: tuple[str, ...] = ()
    if not shared:
        open_ones = Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
        promises = tuple(f"{p.words} ({p.expires})" if p.expires else p.words for p in open_ones)
    misses = None
    if sheet.misses:
        count, most = sheet.misses
        misses = PrintedMisses(count, most, tuple(n <= count for n in range(1, most + 1)))
    sections = _sections(sheet, options)
    return SheetPage(
        sheet=_without_money(sheet, labels) if shared else sheet,
        title=sheet.title,
        list_words=sheet.list_words,
        led_by=str(warband.owner) if warband.owner else "",
        paper=options.paper,
        look=options.look,
        with_stash=options.with_stash and not shared,
        stash_label=labels.get("stash", ""),
        battle_label=labels["battle"],
        where=line.where if line else (),
        battles=_battles(sheet, line),
        promises=promises,
        misses=misses,
        notes="" if shared else warband.notes,
        empty_stash_lines=range(max(2, STASH_LINES - len(sheet.stash))),
        ruled_lines=range(RULED_LINES),
        sections=sections,
        glossary=sheet.glossary if options.with_glossary else (),
        stamp_words=_stamp(warband, sheet.edition_words, snapshot),
        link_words=_short(link),
        qr_svg=qr_code(link),
        cards=tuple(card for part in sections for f in part.fighters if not f.gone for card in cards_of(f))
        if options.with_cards
        else (),
    )


def cards_of(fighter: PrintedFighter) -> Iterator[PrintedCard]:
    """The cards of a fighter, by the room that things take: a line of text is one, and a card holds `CARD_LINES`."""
    head = 1.4 * _card_lines(fighter.name, 24) + _card_lines(fighter.who_words)
    keywords = _card_lines(" ".join(word.name for word in fighter.keywords), 32) + len(fighter.causes)
    room = CARD_LINES - head - 2.2 - keywords - 3.6 - (4.4 if fighter.tracks else 1.8)
    weapons, lines = list(fighter.weapons), list(fighter.lines)
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
                lines[0] = (f"{name.removesuffix(CONTINUED)}{CONTINUED}", rest)
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


def _without_money(sheet: RosterSheet, labels: Mapping[str, str]) -> RosterSheet:
    """The sheet without what its owner's purse holds."""
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
        groups.setdefault("No longer on the roster" if gone else fighter.section, []).append(_printed(fighter, gone))
    return tuple(PrintedSection(title, tuple(fighters)) for title, fighters in groups.items())


def _printed(fighter: FighterSheet, gone: bool) -> PrintedFighter:
    tracks = fighter.experience is not None and not gone
    experience, scars = fighter.experience or 0, fighter.scars or 0
    return PrintedFighter(
        name=fighter.name,
        profile_name=profile_beside(fighter.name, fighter.profile_name),
        role_words=fighter.role_words,
        rating_words=fighter.rating_words,
        status_words={"active": "", "captive": "held captive"}.get(fighter.status, fighter.status),
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
    """The characteristic as its box holds it: a long unit goes into the label."""
    if value.endswith(" mm"):
        label, value = f"{label} mm", value.removesuffix(" mm")
    return PrintedStat(label, value, state != "printed")


def qr_code(link: str) -> SafeString:
    """The link as an inline SVG code with its quiet zone, or nothing without a link."""
    if not link:
        return mark_safe("")
    code = segno.make(link, error="m", micro=False)
    out = BytesIO()
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, title="Opens this roster")
    return mark_safe(out.getvalue().decode())  # made from our own address by the library


def render_html(page: Any, template: str = "") -> str:
    """The sheet as HTML, as it is handed to WeasyPrint, with the fonts that its letters need; a roster's where no template is named."""
    usual = "print/sheets.html" if isinstance(page, OwnSheetsPage) else "print/roster.html"
    return with_fonts(render_to_string(template or usual, {"page": page}))


def render_pdf(html: str) -> bytes:
    """A tagged PDF (PDF/UA) of the sheet."""
    return draw(html)


def roster_pdf(
    warband: Warband, options: PrintOptions, *, link: str = "", snapshot: Snapshot | None = None, shared: bool = False
) -> bytes:
    """The roster as PDF: as the game lays it out, or as every roster is. Raises Refusal for sheets that the game does not have."""
    page = own_sheets_page(warband, options, link=link, snapshot=snapshot)
    return render_pdf(render_html(page or sheet_page(warband, options, link=link, snapshot=snapshot, shared=shared)))


def file_name(warband: Warband) -> str:
    """A file name that says whose sheet it is and which version."""
    return f"{slugify(warband.name) or 'warband'}-v{warband.version}.pdf"
