"""How a battle sheet is laid on one leaf: how low its rows are, and what stands on its back.

Heights are those of static/css/print/battle.css, in millimetres; a test compares the pages with what the PDF engine draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from warbands.printed_columns import PAPER_SIZE, SIDES, TOP_AND_FOOT
from warbands.text_measure import BOLD, MM, TEXT, TITLE, Run, lines, width

if TYPE_CHECKING:
    from campaigns.battle_sheet import BattleSheet, SheetRow, SideSheet
    from rules.parts.battle import PaperLine

OWN_ROWS, THEIR_ROWS = (6.2, 4.9, 4.4), (5.0, 4.4, 4.0)  # mm of a row, from loose to dense
SPACING = (1.05, 1.05, 1.0)  # of their lines
NAME = (19, 19, 14)  # points of the name of the side
SCORE, CODE = 92, 18  # mm beside the title
NOTES_MOST = 6
# mm of the steps after the battle, from loose to close: of a step without its heading and lines, and of a line of boxes with the space around it
STEP, STEP_LINE = (3.9, 3.1, 2.4), (8.3, 6.8, 6.8)
STEP_BOXES, STEP_BOX, STEP_HEAD = (
    (92, 92, 84),
    (10.5, 9.7, 9.7),
    42,
)  # mm across; where the steps are closest their headings stand beside the lines
BESIDE = 1  # mm right of each cell
SAFE = 4  # mm
AS_MADE: dict[str, Any] = dict.fromkeys(("density", "steps_close"), 0) | dict.fromkeys(
    ("turns_over", "ends_on_back", "scenario_on_back", "deeds_on_back"), False
)
SAID = " nnnnnnnn" * 9  # as long as the sentence below the heading


@dataclass(frozen=True, slots=True)
class _Leaf:
    """The width and height of a side of paper in mm, and the factor of its letters."""

    across: float
    down: float
    scale: float

    def text(self, runs: Iterable[Run], size: float, room: float, spacing: float = 1.2) -> float:
        """Return the height of running text of `size` points in `room` mm."""
        return lines(runs, size * self.scale, room * MM) * size * self.scale * spacing / MM

    def pieces(self, found: Iterable[float], room: float, high: float) -> float:
        """Return the height of pieces of these widths in mm, none of which is broken, on lines so high."""
        count, at = 0, 0.0
        for piece in found:
            if not count or at + piece > room:
                count, at = count + 1, 0.0
            at += piece
        return count * high

    def wide(self, words: str, size: float, file: str = TEXT) -> float:
        return width(words, file) * size * self.scale / MM


def arranged(sheet: BattleSheet, side: SideSheet) -> SideSheet:
    """Return the sheet of a side, laid out so that it takes one leaf: as loosely as it can be.

    The steps after the battle stay on the front if there is room. What the front cannot hold goes to the back: the last
    fields of the report first, then the words of the scenario, then its deeds. Only a force that fills the front alone,
    as in large print, takes more than one leaf.
    """
    across, down = PAPER_SIZE[sheet.paper]
    leaf = _Leaf(across - SIDES, down - TOP_AND_FOOT - SAFE, 1.25 if sheet.look == "large" else 1.0)
    side = replace(side, **AS_MADE)  # it may have been laid out for other rows
    ending = _ending(leaf, side)
    if side.steps and (notes := _notes(leaf, _front(leaf, sheet, side) + ending + _steps(leaf, side))):
        return replace(side, note_lines=range(min(notes, 3)))
    for density in range(len(OWN_ROWS)):
        tried = replace(side, density=density)
        tried = tried if density == 0 else _without_profiles(leaf, sheet, tried)
        if _front(leaf, sheet, tried) + ending <= leaf.down:
            return _with_back(leaf, tried, 0)[0]
    if not side.steps:
        return tried
    for moved, above in _moved(leaf, sheet, replace(tried, ends_on_back=True)):
        found, fits = _with_back(leaf, moved, ending + above)
        if fits and _front(leaf, sheet, found) <= leaf.down:
            return found
    return _with_back(leaf, side, 0)[0]  # two leaves, with room for all


def _moved(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> Iterator[tuple[SideSheet, float]]:
    """Yield the side with more and more of the battle on its back, and the height of that."""
    yield side, 0
    words = _scenario(leaf, sheet, leaf.across) if sheet.scenario else 0
    if sheet.scenario:
        yield replace(side, scenario_on_back=True), words
    if sheet.deeds or sheet.blank_deeds:
        deeds = _deeds(leaf, sheet, beside=False, dense=True)
        yield replace(side, scenario_on_back=bool(sheet.scenario), deeds_on_back=True), words + deeds


def _with_back(leaf: _Leaf, side: SideSheet, above: float) -> tuple[SideSheet, bool]:
    """Return the sheet with its steps on the back below what stands `above` them, as loosely as they fit; and whether they do."""
    if not side.steps:
        return side, True
    side = replace(side, turns_over=True)
    for close in range(len(STEP)):
        side = replace(side, steps_close=close)
        high = above + _steps(leaf, side)
        if high <= leaf.down:
            break
    return replace(side, note_lines=range(_notes(leaf, high))), high <= leaf.down


def _notes(leaf: _Leaf, above: float) -> int:
    """Return how many lines for notes there is room for below."""
    left = leaf.down - above - 3.4 - 11.5 * 1.2 * leaf.scale / MM
    return max(0, min(NOTES_MOST, int(left / 7.3)))


def _front(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    """Return the height of everything above the last fields of the report."""
    high = _head(leaf, sheet, side) + _won(leaf, side) + 5.4
    heading = 6.4 * 1.2 * leaf.scale / MM
    high += 2 * heading + 0.7 + 1.5
    high += sum(_own_row(leaf, sheet, side, row) for row in side.rows)
    if side.used:
        label = [leaf.wide(_("Used up").upper(), 6.4, BOLD) + 1]
        high += 2.5 + leaf.pieces(
            [*label, *(leaf.wide(piece.words, 8.5) + 9.5 for piece in side.used)], leaf.across, 4.2
        )
    for name, columns in side.others_rows:
        high += leaf.text([(name, TITLE)], 11.5, leaf.across) + 3.4 + 2 * heading + 0.7 + 1.5
        high += max((sum(_their_row(leaf, side, row) for row in column) for column in columns), default=0)
    return high + _tasks(leaf, sheet, side)


def _head(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    beside = leaf.across - SCORE - (CODE if side.qr_svg else 0)
    left = leaf.text([(side.name, TITLE)], NAME[side.density], beside, 1.0) + 0.7
    left += leaf.text([(f"{sheet.title}, {sheet.versus}", TEXT)], 8.8, beside)
    left += sum(leaf.text([(label, BOLD), (words, TEXT)], 8.5, beside) for label, words in side.limits)
    caption = 6.4 * 1.2 * leaf.scale / MM
    right = 2 * caption + 2.4
    right += sum(max(6.0, leaf.text([(each.name, BOLD)], 8, 36, 1.05) + 1.2) for each in side.scored)
    code = 14.8 + 2 * 6.4 * 1.1 * leaf.scale / MM if side.qr_svg else 0
    return max(left, right, code)


def _won(leaf: _Leaf, side: SideSheet) -> float:
    ticks = [
        leaf.wide(words, 8.5) + 9.8 for words in (*(each.name for each in side.scored), _("drawn"), _("no winner"))
    ]
    return 1 + leaf.pieces([leaf.wide(_("Who won").upper(), 6.4, BOLD) + 2, *ticks], leaf.across, 4.3 * leaf.scale)


def _name_room(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    """Return the width of the names of one's own fighters in mm."""
    others = [11, 26, *[8] * (1 + len(side.states)), 25, *([17] if sheet.has_deeds else []), 28]
    return leaf.across - sum(others) - (len(others) + 1) * BESIDE


def _their_room(leaf: _Leaf) -> float:
    return leaf.across / 2 - 2 - (10 + 7 + 20) - 4 * BESIDE


def _own_row(leaf: _Leaf, sheet: BattleSheet, side: SideSheet, row: SheetRow) -> float:
    told = leaf.text([(row.name, BOLD), (row.profile, TEXT)], 8.8, _name_room(leaf, sheet, side), SPACING[side.density])
    return max(OWN_ROWS[side.density], told + 0.3)


def _their_row(leaf: _Leaf, side: SideSheet, row: SheetRow) -> float:
    told = leaf.text(
        [(row.name, BOLD), (row.profile, TEXT)], 8, _their_room(leaf), 1.2 if row.profile else SPACING[side.density]
    )
    return max(THEIR_ROWS[side.density], told + 0.3)


def _without_profiles(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> SideSheet:
    """Return a dense sheet: a profile that would take a second line is left out, as the name tells who it is."""

    def kept(rows: Sequence[SheetRow], size: float, room: float) -> Iterator[SheetRow]:
        for row in rows:
            fits = lines([(row.name, BOLD), (row.profile, TEXT)], size * leaf.scale, room * MM) <= 1
            yield row if fits else replace(row, profile="")

    others = tuple(
        (name, tuple(tuple(kept(column, 8, _their_room(leaf))) for column in columns))
        for name, columns in side.others_rows
    )
    own = tuple(kept(side.rows, 8.8, _name_room(leaf, sheet, side)))
    return replace(side, rows=own, others_rows=others)


def _tasks(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    """Return the height of the scenario and its deeds on the front, where they stand beside each other."""
    scenario = bool(sheet.scenario) and not side.scenario_on_back
    left = _scenario(leaf, sheet, leaf.across / 2 - 2) if scenario else 0
    has_deeds = bool(sheet.deeds or sheet.blank_deeds) and not side.deeds_on_back
    return max(left, _deeds(leaf, sheet, beside=scenario, dense=side.density == 2) if has_deeds else 0)


def _deeds(leaf: _Leaf, sheet: BattleSheet, *, beside: bool, dense: bool) -> float:
    """Return the height of the deeds, in half of the width `beside` the scenario or in all of it."""
    room = leaf.across / 2 - 2 if beside else leaf.across
    high = _heading(leaf) + leaf.text([(_("Each once, for the first fighter."), TEXT)], 8, room)
    if sheet.blank_deeds:
        high += len(sheet.blank_deeds) * 6 / (1 if beside else 2)
    spacing, around, line = (1.1, 0.7, 29) if dense else (1.2, 1.7, 35)
    who = "0" * round(line / leaf.wide("0", 8.2))  # the line for who did it, with its label
    for deed in sheet.deeds:
        words = " ".join((deed.words, deed.only, _("warband") if deed.by_warband else ""))
        high += leaf.text([(deed.name, BOLD), (words, TEXT), (who, TEXT)], 8.2, room, spacing) + around
    return high


def _heading(leaf: _Leaf) -> float:
    return 3.4 + 11.5 * 1.2 * leaf.scale / MM


def _scenario(leaf: _Leaf, sheet: BattleSheet, room: float) -> float:
    told = (leaf.text([(label, BOLD), (words, TEXT)], 8.2, room, 1.18) + 0.5 for label, words in sheet.scenario)
    return _heading(leaf) + sum(told)


def _ending(leaf: _Leaf, side: SideSheet) -> float:
    points = [leaf.wide(each.name, 8.5) + 16 for each in side.scored]
    first = leaf.pieces([leaf.wide(_("Campaign points").upper(), 6.4, BOLD) + 2, *points, 45], leaf.across, 5.6)
    return 1.8 + max(5.6, first) + 2 * 5.6


def _steps(leaf: _Leaf, side: SideSheet) -> float:
    """Return the height of the steps after the battle with their heading, without lines for notes."""
    close = side.steps_close
    has_heading_beside = close == len(STEP) - 1
    room = leaf.across - STEP_BOXES[close] - 3.4 - (STEP_HEAD * leaf.scale if has_heading_beside else 0)
    high = 3 + (14 if has_heading_beside else 20) * 1.1 * leaf.scale / MM
    high += leaf.text([(side.name + SAID, TEXT)], 8.8, leaf.across) + 5.4
    for number, step in enumerate(side.steps, 1):
        inside = sum(_step_line(leaf, side, row, room) for row in step.lines)
        if has_heading_beside:
            inside = max(inside, leaf.text([(f"{number} {step.label}", TITLE)], 10, STEP_HEAD * leaf.scale - 4) + 0.6)
        else:
            inside += 11.5 * 1.2 * leaf.scale / MM
        high += STEP[close] + inside
    return high


def _step_line(leaf: _Leaf, side: SideSheet, row: PaperLine, room: float) -> float:
    close = side.steps_close
    # a field has room for a number of several digits, and is less high than the largest box
    wide, high = (14.1, min(7.5, STEP_LINE[close])) if side.form_prefix else (STEP_BOX[close], STEP_LINE[close])
    boxes = leaf.pieces([leaf.wide(box, 8) + wide for box in row.boxes], STEP_BOXES[close], high)
    told = leaf.text([(row.words, TEXT)], 8.8, room)
    return max(told + (0.9 if close else 1.5), boxes)
