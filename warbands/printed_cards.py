"""Cards to cut out: one for each kind of fighter, for rules, and empty ones, laid on their sheets, with backs if wanted.

A card is full before a second begins: words that do not fit move to the cards of rules, and the card keeps their names.
Text is measured as static/css/print/cards.css sets it; a test compares this with what the PDF engine draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from django.utils.translation import gettext as _

from rules.browse import RuleEntry
from warbands.print_options import PAPERS, USUAL_CARD_PARTS, CardSize, Look, Paper
from warbands.printed_blocks import PrintedBlock, PrintedWeapon
from warbands.printed_columns import balanced
from warbands.text_measure import BOLD, MM, TEXT, TITLE, Run, lines, width

A4, LETTER = PAPERS
MEASURES = {"small": (63.0, 88.0), "big": (95.0, 138.0)}  # mm
LETTER_SIZE = {"small": 7.5, "big": 10.5}  # points of running text
SHEETS = {  # columns and rows of cards on a sheet
    ("small", A4): (3, 3),
    ("small", LETTER): (4, 2),  # on its side
    ("big", A4): (2, 2),
    ("big", LETTER): (2, 1),
    ("large", A4): (2, 2),
    ("large", LETTER): (2, 2),
}
BLANK_CARDS = 3
ALMOST_EMPTY = 0.75  # of the room on a card of rules
Portrait = Literal["high", "low", "none"]
PORTRAITS: tuple[tuple[Portrait, float], ...] = (("high", 0.62), ("low", 0.35), ("none", 0.0))  # shares of the height


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """One card. `block` is None on a card of rules; without `rules` too, it is empty, to be written on.

    `kit` names what is explained on a card of rules, or nowhere; `told` is explained here.
    """

    block: PrintedBlock | None = None
    weapons: tuple[PrintedWeapon, ...] = ()
    kit: tuple[str, ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    rules: tuple[RuleEntry, ...] = ()
    number: int = 0
    portrait: Portrait = "high"  # the place for one on the back
    back_notes: str = ""

    @property
    def kit_words(self) -> str:
        return ", ".join(self.kit)

    @property
    def title(self) -> str:
        if self.block is not None:
            return self.block.title
        if not self.rules:
            return ""
        return _("Rules, {number}").format(number=self.number) if self.number else _("Rules")


@dataclass(frozen=True, slots=True)
class CardLeaf:
    """One side of a sheet, row by row. A card of None leaves its place empty."""

    rows: tuple[tuple[PrintedCard | None, ...], ...]
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class CardFrame:
    """What the room on a card depends on."""

    size: CardSize
    look: Look
    paper: Paper
    markers: bool
    parts: tuple[str, ...] = USUAL_CARD_PARTS
    backs: bool = False

    @property
    def scale(self) -> float:
        return 1.25 if self.look == "large" and self.size == "small" else 1.0

    @property
    def letters(self) -> float:
        return LETTER_SIZE[self.size] * self.scale

    @property
    def across(self) -> float:
        """Return the width of a line in points."""
        return (MEASURES[self.size][0] - 4) * MM * self.scale

    @property
    def down(self) -> float:
        return (MEASURES[self.size][1] - 3.2) * MM * self.scale

    @property
    def sheet(self) -> tuple[int, int]:
        return SHEETS["large" if self.scale > 1 else self.size, self.paper]


def cards_of(
    blocks: Sequence[PrintedBlock], glossary: Sequence[RuleEntry], frame: CardFrame, *, with_glossary: bool, blank: bool
) -> tuple[PrintedCard, ...]:
    """Return a card for each block, then cards of rules, then empty ones."""
    cards: list[PrintedCard] = []
    moved: dict[str, RuleEntry] = {}
    for block in blocks:
        card, left = _fighter_card(block, frame)
        cards.append(card)
        moved |= {entry.name: entry for entry in left}
    rules = [*moved.values(), *(glossary if with_glossary else ())]
    cards += _rules_cards(sorted(rules, key=lambda entry: entry.name.lower()), frame)
    cards += [PrintedCard()] * (BLANK_CARDS if blank else 0)
    return tuple(cards)


def card_sheets(cards: Sequence[PrintedCard], frame: CardFrame, *, backs: bool) -> tuple[CardLeaf, ...]:
    """Return the sheets of these cards. A back lies behind its front when the sheet is turned over its long side."""
    columns, rows = frame.sheet
    found = []
    left: Iterator[PrintedCard | None] = iter(cards)
    while taken := list(islice(left, columns * rows)):
        taken += [None] * (-len(taken) % columns)
        lying = tuple(tuple(taken[at : at + columns]) for at in range(0, len(taken), columns))
        found.append(CardLeaf(lying))
        if backs:
            on_its_side = frame.paper == LETTER and frame.scale == 1 and frame.size == "small"
            empty: tuple[PrintedCard | None, ...] = (None,) * columns
            turned = lying + (empty,) * (rows - len(lying))
            mirrored = turned[::-1] if on_its_side else tuple(row[::-1] for row in turned)
            found.append(CardLeaf(mirrored, is_back=True))
    return tuple(found)


def _fighter_card(block: PrintedBlock, frame: CardFrame) -> tuple[PrintedCard, list[RuleEntry]]:
    """Return the card of a block, and what found no room on it, longest first."""
    armed = {weapon.name for weapon in block.weapons}
    all_lines = _lines(block, frame)
    named = [name for name, _words in block.fighter.lines if name not in armed]
    moved: list[tuple[str, str]] = []
    room = frame.down - _fixed(block, frame)
    while True:
        told = tuple(line for line in all_lines if line not in moved)
        explained = {name for name, _words in told}
        kit = tuple(name for name in named if name not in explained)
        runs: list[Run] = [(", ".join(kit), BOLD)]
        for name, words in told:
            runs += [(name, BOLD), (words, TEXT)]
        if not told or lines(runs, frame.letters, frame.across) * frame.letters * 1.16 <= room:
            break
        moved.append(max(told, key=lambda line: len(line[1])))
    weapons = block.weapons if "weapons" in frame.parts else ()
    portrait, back_notes = _back(block, frame)
    if frame.backs and "notes" in frame.parts and block.notes != back_notes:
        moved.append((_("Notes"), block.notes))
    left = [(block.title if name == _("Notes") else name, words) for name, words in moved]
    card = PrintedCard(block, weapons, kit, told, portrait=portrait, back_notes=back_notes)
    return card, [RuleEntry("shared", name, name, words) for name, words in left]


def _back(block: PrintedBlock, frame: CardFrame) -> tuple[Portrait, str]:
    """Return how large the place for a portrait is, and the notes below it; "" where they find no room on a back."""
    wanted = block.notes if "notes" in frame.parts else ""
    places = PORTRAITS if "portrait" in frame.parts else PORTRAITS[-1:]
    u, across = frame.letters, frame.across - 2 * MM
    room = frame.down - 8 * MM - 1.16 * u - lines([(block.title, TITLE)], 1.6 * u, across) * 1.6 * 1.2 * u
    room -= lines([(wanted, TITLE)], 1.05 * u, across) * 1.05 * 1.2 * u
    for portrait, share in places:
        if share * frame.down <= room:
            return portrait, wanted
    return places[0][0], ""


def _lines(block: PrintedBlock, frame: CardFrame) -> tuple[tuple[str, str], ...]:
    """Return what a card is to explain: each a bold name and words. Notes stand on the back, if there is one."""
    found: list[tuple[str, str]] = []
    if "rules" in frame.parts:
        found += [line for line in block.fighter.lines if line[1]]
    if "keyword_rules" in frame.parts:
        found += block.fighter.glossary
    if "notes" in frame.parts and block.notes and not frame.backs:
        found.append((_("Notes"), block.notes))
    return tuple(dict.fromkeys(found))


def _fixed(block: PrintedBlock, frame: CardFrame) -> float:
    """Return the height in points of everything on a card of a block but its kit and rules."""
    u, across = frame.letters, frame.across
    rating = width(block.rating_words, BOLD) * 1.2 * u + 3 * MM
    high = lines([(block.title, TITLE)], 1.6 * u, across - rating) * 1.6 * 1.08 * u
    high += max(1, lines([(block.who_words or " ", TEXT)], u, across)) * 1.16 * u + 2.2 * MM
    high += 1.467 * u * 1.05 + 0.87 * u * 1.1 + 2 * MM
    high += lines([(block.keyword_words, BOLD)], u, across) * 1.16 * u
    high += lines([(block.small_words, TEXT)], u, across) * 1.16 * u
    for weapon in block.weapons if "weapons" in frame.parts else ():
        ranged = width(weapon.range_words, BOLD) * 1.174 * u + 2 * MM
        high += lines([(weapon.name, BOLD)], 1.174 * u, across - ranged) * 1.174 * 1.16 * u
        high += lines([(weapon.terms, TEXT)], u, across) * 1.16 * u + 0.8 * MM
    tracks = sum(part in frame.parts for part in ("experience", "scars")) if block.fighter.tracks else 0
    rows = tracks + (1 if frame.markers and not block.names else 0)
    high += rows * 0.56 * u * 1.6 + rows * 0.9 * MM
    if block.names:
        high += lines([(name + "  ▢  ", TEXT) for name in block.names], u * 1.05, across) * 1.5 * u
    return high + 2.4 * MM


def _rules_cards(entries: Sequence[RuleEntry], frame: CardFrame) -> list[PrintedCard]:
    """Return the cards that hold these rules, each full before the next begins. None is left with a few lines only."""
    room = frame.down - 1.6 * 1.1 * frame.letters - 4 * MM
    pieces = [piece for each in entries for piece in _pieces(each, frame, room)]
    pages: list[list[RuleEntry]] = []
    left = 0.0
    for entry in pieces:
        high = _rule_height(entry, frame)
        if high > left:
            pages.append([])
            left = room
        pages[-1].append(entry)
        left -= high
    if len(pages) > 1 and left > ALMOST_EMPTY * room:
        pages = balanced(pieces, len(pages), lambda entry: _rule_height(entry, frame))
    cards = [PrintedCard(rules=tuple(page), number=number) for number, page in enumerate(pages, 1)]
    return cards if len(cards) > 1 else [replace(card, number=0) for card in cards]


def _rule_height(entry: RuleEntry, frame: CardFrame) -> float:
    told = lines([(entry.name, BOLD), (entry.words, TEXT)], frame.letters, frame.across)
    return told * frame.letters * 1.16 + 0.5 * MM


def _pieces(entry: RuleEntry, frame: CardFrame, room: float) -> Iterator[RuleEntry]:
    """Yield a rule, in several parts if one card cannot hold it: somebody's notes may be long."""
    words = entry.words.split()
    while words:
        low, high = 1, len(words)  # how many words one card holds at least, and at most
        while low < high:
            middle = (low + high + 1) // 2
            part = replace(entry, words=" ".join(words[:middle]))
            low, high = (middle, high) if _rule_height(part, frame) <= room else (low, middle - 1)
        yield replace(entry, words=" ".join(words[:low]))
        words = words[low:]
