"""A quick reference as data: short tables and lines under headings, to fill one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """One block of a reference. `rows` hold as many cells as `head`; the first names the row. `lines` stand below, (bold word, words)."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSheet:
    """A reference laid out: its columns, and the words that are drawn as dice of their shape."""

    columns: tuple[tuple[ReferencePart, ...], ...]
    dice: tuple[str, ...] = ()


def in_columns(parts: tuple[ReferencePart, ...], dice: tuple[str, ...] = ()) -> ReferenceSheet:
    """The parts in their order in two columns of about one height, by the lines that each takes."""
    heights = [_height(part) for part in parts]
    cut = min(range(1, len(parts)), key=lambda n: max(sum(heights[:n]), sum(heights[n:])), default=0)
    return ReferenceSheet((parts[:cut], parts[cut:]), dice)


def _height(part: ReferencePart) -> float:
    """In lines of text; a cell has its share of a column that holds some sixty letters."""
    rows = 0.0
    for row in part.rows:
        share = 60 / len(row)
        rows += max(1.1 * max(1, -(-len(cell) // max(8, share))) for cell in row)
    return 2 + (1 if any(part.head) else 0) + rows + sum(-(-len(f"{name} {words}") // 62) for name, words in part.lines)
