"""How a battle sheet is laid on one leaf: how low its rows are, and what stands on its back.

Heights are those of static/css/print/battle.css, in millimetres; a test compares the pages with what the PDF engine draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from warbands.printed_columns import PAPER_SIZE, SIDES, TOP_AND_FOOT
from warbands.text_measure import BOLD, MM, TEXT, TITLE, Run, lines, width

if TYPE_CHECKING:
    from campaigns.battle_sheet import BattleSheet, SheetRow, SideSheet

OWN_ROWS, THEIR_ROWS = (6.2, 5.1, 5.0), (5.0, 4.4, 4.1)  # mm of a row, from loose to dense
NAME = (19, 19, 14)  # points of the name of the side
SCORE, CODE = 92, 18  # mm beside the title
NOTES_MOST = 6
SAFE = 7  # mm
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

    The steps after the battle stay on the front if there is room. The last fields of the report go to the back if not.
    Only large print of a large force takes more than one leaf.
    """
    across, down = PAPER_SIZE[sheet.paper]
    leaf = _Leaf(across - SIDES, down - TOP_AND_FOOT - SAFE, 1.25 if sheet.look == "large" else 1.0)
    after = _steps(leaf, side) if side.steps else 0.0
    for density in range(len(OWN_ROWS)):
        tried = replace(side, density=density)
        tried = tried if density == 0 else _without_profiles(leaf, sheet, tried)
        front, ending = _front(leaf, sheet, tried), _ending(leaf, tried)
        if density == 0 and side.steps and (notes := _notes(leaf, front + ending + after)):
            return replace(tried, note_lines=range(min(notes, 3)))
        if front + ending <= leaf.down:
            break
    else:
        if side.steps:
            tried = replace(tried, ends_on_back=True)
            after += ending
            if front > leaf.down and sheet.scenario:
                tried = replace(tried, scenario_on_back=True)
                after += _scenario(leaf, sheet, leaf.across)
                if _front(leaf, replace(sheet, scenario=()), tried) > leaf.down:  # two leaves, with room for all
                    return replace(side, turns_over=True)
    if not side.steps:
        return tried
    return replace(tried, turns_over=True, back_is_full=after > leaf.down, note_lines=range(_notes(leaf, after)))


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
    return high + _tasks(leaf, sheet)


def _head(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    beside = leaf.across - SCORE - (CODE if side.qr_svg else 0)
    left = leaf.text([(side.name, TITLE)], NAME[side.density], beside, 1.0) + 0.7
    left += leaf.text([(f"{sheet.title}, {sheet.versus}", TEXT)], 8.8, beside)
    left += sum(leaf.text([(label, BOLD), (words, TEXT)], 8.5, beside) for label, words in side.limits)
    caption = 6.4 * 1.2 * leaf.scale / MM
    right = 2 * caption + 1.2
    right += sum(max(5.2, leaf.text([(each.name, BOLD)], 8, 36, 1.05) + 1.2) for each in side.scored)
    code = 14.8 + 2 * 6.4 * 1.1 * leaf.scale / MM if side.qr_svg else 0
    return max(left, right, code)


def _won(leaf: _Leaf, side: SideSheet) -> float:
    ticks = [
        leaf.wide(words, 8.5) + 9.8 for words in (*(each.name for each in side.scored), _("drawn"), _("no winner"))
    ]
    return 1 + leaf.pieces([leaf.wide(_("Who won").upper(), 6.4, BOLD) + 2, *ticks], leaf.across, 4.3 * leaf.scale)


def _name_room(leaf: _Leaf, sheet: BattleSheet, side: SideSheet) -> float:
    """Return the width of the names of one's own fighters in mm."""
    others = 11 + 26 + 8 * (1 + len(side.states)) + 25 + (17 if sheet.has_deeds else 0) + 28
    return leaf.across - others - 3


def _their_room(leaf: _Leaf) -> float:
    return leaf.across / 2 - 2 - 10 - 7 - 20 - 3


def _own_row(leaf: _Leaf, sheet: BattleSheet, side: SideSheet, row: SheetRow) -> float:
    told = leaf.text([(row.name, BOLD), (row.profile, TEXT)], 8.8, _name_room(leaf, sheet, side), 1.05)
    return max(OWN_ROWS[side.density], told + 0.3)


def _their_row(leaf: _Leaf, side: SideSheet, row: SheetRow) -> float:
    told = leaf.text([(row.name, BOLD), (row.profile, TEXT)], 8, _their_room(leaf), 1.05)
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


def _tasks(leaf: _Leaf, sheet: BattleSheet) -> float:
    """Return the height of the scenario and its deeds, which stand beside each other."""
    if not (sheet.deeds or sheet.blank_deeds or sheet.scenario):
        return 0
    room = leaf.across / 2 - 2
    left = _scenario(leaf, sheet, room)
    right = _heading(leaf) + leaf.text([(_("Each once, for the first fighter."), TEXT)], 8, room)
    if sheet.blank_deeds:
        right += len(sheet.blank_deeds) * 6 / (1 if sheet.scenario else 2)
    for deed in sheet.deeds:
        words = " ".join((deed.words, deed.only, _("warband") if deed.by_warband else ""))
        who = "0" * round(40 / leaf.wide("0", 8.2))  # the line for who did it, with its label
        runs = [(deed.name, BOLD), (words, TEXT), (who, TEXT)]
        right += leaf.text(runs, 8.2, room if sheet.scenario else leaf.across) + 1
    return max(left if sheet.scenario else 0, right if sheet.deeds or sheet.blank_deeds else 0)


def _heading(leaf: _Leaf) -> float:
    return 3.4 + 11.5 * 1.2 * leaf.scale / MM


def _scenario(leaf: _Leaf, sheet: BattleSheet, room: float) -> float:
    told = (leaf.text([(label, BOLD), (words, TEXT)], 8.2, room, 1.18) + 0.5 for label, words in sheet.scenario)
    return _heading(leaf) + sum(told)


def _ending(leaf: _Leaf, side: SideSheet) -> float:
    points = [leaf.wide(each.name, 8.5) + 16 for each in side.scored]
    first = leaf.pieces(
        [leaf.wide(_("Campaign points").upper(), 6.4, BOLD) + 2, *points, 45], leaf.across, 5.6 * leaf.scale
    )
    return 1.8 + max(5.6, first) + 2 * 5.8 * leaf.scale


def _steps(leaf: _Leaf, side: SideSheet) -> float:
    """Return the height of the steps after the battle with their heading, without lines for notes."""
    high = 3 + 20 * 1.1 * leaf.scale / MM + leaf.text([(side.name + SAID, TEXT)], 8.8, leaf.across) + 5.4
    for step in side.steps:
        high += 3.9 + 11.5 * 1.2 * leaf.scale / MM
        for row in step.lines:
            told = leaf.text([(row.words, TEXT)], 8.8, leaf.across - 92 - 3.4)
            boxes = leaf.pieces([leaf.wide(box, 8) + 10.5 for box in row.boxes], 90, 6.6)
            high += max(told, boxes, 3.8) + 1.5
    return high
