"""The columns of a roster on one page: how high each block and rule is, and which of them stand beside each other.

The PDF engine can balance columns itself, but lays everything out a dozen times to do so. Heights are those of
static/css/print/roster.css, in points; a test compares them with what the engine draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _

from rules.browse import RuleEntry
from warbands.print_options import PAPERS, Look, Paper
from warbands.printed_blocks import MARKER_BOXES, PrintedBlock
from warbands.text_measure import BOLD, ITALIC, MM, TEXT, TITLE, lines, width

T = TypeVar("T")

A4, LETTER = PAPERS
PAPER_SIZE = {A4: (210, 297), LETTER: (215.9, 279.4)}  # mm
SIDES, TOP_AND_FOOT, GAP = 20, 20, 4  # mm of both margins, and between columns
BETWEEN = 2.2 * MM


@dataclass(frozen=True, slots=True)
class PrintedLeaf:
    """The blocks of one page, column by column, and the room left below them in points."""

    columns: tuple[tuple[PrintedBlock, ...], ...]
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What the height of a block depends on, besides the block."""

    paper: Paper
    look: Look
    markers: bool
    blank: bool
    marker_label: str = ""  # of the boxes for markers; "" where the game has none

    @property
    def scale(self) -> float:
        return 1.25 if self.look == "large" else 1.0

    @property
    def room(self) -> float:
        """Return the width of the words in a block, in points."""
        whole = PAPER_SIZE[self.paper][0] - SIDES
        column = whole if self.look == "large" else (whole - GAP) / 2
        return (column - 3.8) * MM

    @property
    def page(self) -> float:
        return (PAPER_SIZE[self.paper][1] - TOP_AND_FOOT) * MM


def head_height(title: str, words: Sequence[str], figures: Sequence[tuple[str, str]], frame: PageFrame) -> float:
    """Return the height of the head of page 1 in points: its title, and lines of words beside the figures."""
    s = frame.scale
    whole = (PAPER_SIZE[frame.paper][0] - SIDES - 18) * MM
    beside = whole - sum(
        max(width(value, BOLD) * 12.5 * s, (width(label.upper(), BOLD) + 0.03 * len(label)) * 6.4 * s) + 3 * MM
        for label, value in figures
    )
    told = sum(lines([(line, TEXT)], 8.8 * s, beside) for line in words if line) * 8.8 * 1.2 * s
    return lines([(title, TITLE)], 19 * s, whole - 8 * MM) * 19.5 * s + max(told, 22 * s) + 6 * MM


def leaves_of(blocks: Sequence[PrintedBlock], frame: PageFrame, head: float) -> tuple[PrintedLeaf, ...]:
    """Return the pages of these blocks, with a head on the first. Each is filled column by column; the last is balanced."""
    heights = {id(block): block_height(block, frame) + BETWEEN for block in blocks}
    columns = 1 if frame.look == "large" else 2
    left = list(blocks)
    found: list[PrintedLeaf] = []
    while left:
        room = frame.page - (0 if found else head)
        taken = _filled(left, room, columns, lambda block: heights[id(block)])
        rest = left[sum(map(len, taken)) :]
        if not rest:
            taken = balanced(left, columns, lambda block: heights[id(block)])
        used = max(sum(heights[id(block)] for block in column) for column in taken)
        found.append(PrintedLeaf(tuple(tuple(column) for column in taken), room - used))
        left = rest
    return tuple(found)


def _filled(things: Sequence[T], room: float, columns: int, height: Callable[[T], float]) -> list[list[T]]:
    """Return as many of the things as the columns hold, and at least one."""
    taken: list[list[T]] = [[] for _ in range(columns)]
    at, used = 0, 0.0
    for thing in things:
        if used and used + height(thing) > room:
            at, used = at + 1, 0.0
            if at == columns:
                break
        taken[at].append(thing)
        used += height(thing)
    return taken


def balanced(things: Sequence[T], columns: int, height: Callable[[T], float]) -> list[list[T]]:
    """Return the things in their order in so many columns, the highest of which is as low as it can be."""
    heights = [height(thing) for thing in things]
    low, high = max(heights, default=0.0), sum(heights)
    while high - low > 1:
        room = (low + high) / 2
        if sum(map(len, _filled(things, room, columns, height))) == len(things):
            high = room
        else:
            low = room
    return _filled(things, high + 0.01, columns, height)


TORN_FROM = 0.35  # of a page: rules are torn only where that much of it would stay empty
Bands = tuple[tuple[tuple[RuleEntry, ...], ...], ...]


def rules_in_bands(entries: Sequence[RuleEntry], frame: PageFrame, left: float | None) -> Bands:
    """Return the rules of a roster in bands of columns: one, or two if only a part fits on the page.

    `left` is the room on the page in points, None if it is not known.
    """
    if not entries:
        return ()
    whole = _in_columns(entries, frame)
    if left is None or _band_height(whole, frame) <= left or left < TORN_FROM * frame.page:
        return (whole,)
    count = len(entries) - 1
    while count and _band_height(_in_columns(entries[:count], frame), frame) > left:
        count -= 1
    first, second = _in_columns(entries[:count], frame), _in_columns(entries[count:], frame)
    return (first, second) if count > 2 else (whole,)


def _in_columns(entries: Sequence[RuleEntry], frame: PageFrame) -> tuple[tuple[RuleEntry, ...], ...]:
    columns = 2 if frame.look == "large" else 3
    return tuple(map(tuple, balanced(entries, columns, lambda entry: _rule_height(entry, frame))))


def _band_height(band: tuple[tuple[RuleEntry, ...], ...], frame: PageFrame) -> float:
    """Return the height of a band with the heading above it."""
    return rules_height((band,), frame) if band else 0.0


def rules_height(bands: Bands, frame: PageFrame) -> float:
    """Return the height of these bands with the heading of the rules, in points."""
    high = sum(max(sum(_rule_height(entry, frame) for entry in column) for column in band) for band in bands)
    return high + 11.5 * 1.2 * frame.scale + 4.5 * MM


def _rule_height(entry: RuleEntry, frame: PageFrame) -> float:
    columns = 2 if frame.look == "large" else 3
    room = (PAPER_SIZE[frame.paper][0] - SIDES - GAP * (columns - 1)) / columns * MM
    size = 8 * frame.scale
    return lines([(entry.name, BOLD), (entry.words, TEXT)], size, room) * size * 1.16 + 0.5 * MM


def _markers_width(frame: PageFrame) -> float:
    """Return the width in points of the boxes beside a name of those who are alike."""
    s = frame.scale
    labels = (*filter(None, (frame.marker_label,)), _("Down"), _("Out"), _("Deed"))
    said = sum(
        (width(label.upper(), BOLD) + 0.03 * len(label)) * 6.4 * s + 1.6 * MM + width(" ") * 8.8 * s for label in labels
    )
    return said + (len(labels) + (MARKER_BOXES - 1 if frame.marker_label else 0)) * 10 * s


def _person_height(name: str, frame: PageFrame) -> float:
    """Return the height of one of those who are alike: the boxes stand beside the name, or below one that is too long."""
    s = frame.scale
    if (width(name, BOLD) + width(" ")) * 8.8 * s + _markers_width(frame) <= frame.room:
        return 11 * s + 0.7 * MM + 0.6
    return lines([(name, BOLD)], 8.8 * s, frame.room) * 8.8 * 1.1 * s + 11 * s + 0.7 * MM + 0.6


def block_height(block: PrintedBlock, frame: PageFrame) -> float:
    """Return the height of a block in points, without the space below it."""
    s, room = frame.scale, frame.room
    worth = len(block.rating_words) * 5.2 * s + 3 * MM
    title = lines([(block.title, TITLE)], 12 * s, room - worth)
    whole = lines([(block.title, TITLE), (block.who_words, TEXT)], 11.3 * s, room - worth)
    head = max(title, whole) * 13.6 * s + 1 * MM + 0.9
    stats = len(block.figures) * 9.85 * MM
    beside = room - stats - 2 * MM
    said = lines([(block.keyword_words, BOLD)], 8 * s, beside) * 9.2 * s
    said += lines([(block.small_words, TEXT)], 8 * s, beside) * 9 * s
    body = max(said, 11 * s + 0.64 * 10.5 * s + 1.2 * MM) + 0.6 * MM + 1.7 * MM + 0.9
    for weapon in block.weapons:
        name = lines([(weapon.name, BOLD)], 8.8 * s, 26 * MM) * 8.8 * 1.2 * s
        terms = lines([(weapon.terms, TEXT)], 8 * s, room - 39 * MM) * 8 * 1.2 * s
        body += max(name, terms, 10.56 * s) + 0.7 * MM + 0.6
    if frame.blank and not block.fighter.gone:
        body += 5.4 * MM
    runs = [(f"{block.kit_words}.", BOLD)] if block.kit else []
    for line, words in block.lines:
        runs += [(line, BOLD), (words, TEXT)]
    if runs:
        body += lines(runs, 8.1 * s, room) * 8.1 * 1.16 * s + 0.5 * MM
    if block.notes:
        body += lines([(block.notes, ITALIC)], 8.8 * s, room) * 8.8 * 1.16 * s + 0.5 * MM
    if block.fighter.tracks:
        body += 11 * s + 0.6 * MM
    if block.names and frame.markers:
        body += 0.6 * MM + sum(_person_height(name, frame) for name in block.names)
    elif block.names:
        body += lines([(", ".join(block.names), TEXT)], 8.1 * s, room) * 8.1 * 1.16 * s + 0.5 * MM
    elif frame.markers and not block.fighter.gone:
        body += 11 * s + 0.6 * MM
    return head + body + (0.9 if s == 1 else 4) * MM
