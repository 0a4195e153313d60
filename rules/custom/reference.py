"""The data of a quick reference: short tables and lines under headings that fill one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """One block of a reference.

    Each row has as many cells as `head`; the first cell names the row. `lines` (bold word, text) are shown below the
    table.
    """

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSheet:
    """A quick reference with its layout: its columns, and the words that are drawn as dice."""

    columns: tuple[tuple[ReferencePart, ...], ...]
    dice: tuple[str, ...] = ()


def in_columns(parts: tuple[ReferencePart, ...], dice: tuple[str, ...] = ()) -> ReferenceSheet:
    """Return the parts in order, in two columns of about the same height."""
    heights = [_height(part) for part in parts]
    cut = min(range(1, len(parts)), key=lambda n: max(sum(heights[:n]), sum(heights[n:])), default=0)
    return ReferenceSheet((parts[:cut], parts[cut:]), dice)


def _height(part: ReferencePart) -> float:
    """Return the height in lines of text. A column is about sixty letters wide, which the cells of a row share."""
    rows = 0.0
    for row in part.rows:
        share = 60 / len(row)
        rows += max(1.1 * max(1, -(-len(cell) // max(8, share))) for cell in row)
    return 2 + (1 if any(part.head) else 0) + rows + sum(-(-len(f"{name} {words}") // 62) for name, words in part.lines)
