"""A quick reference as data: short tables and lines under headings, to fill one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """One block of a reference. `rows` hold as many cells as `head`; the first names the row. `lines` (bold word, text) stand below."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSheet:
    """A laid-out reference: its columns, and the words that are drawn as dice of their shape."""

    columns: tuple[tuple[ReferencePart, ...], ...]
    dice: tuple[str, ...] = ()


def in_columns(parts: tuple[ReferencePart, ...], dice: tuple[str, ...] = ()) -> ReferenceSheet:
    """The parts in order, in two columns of about the same height."""
    heights = [_height(part) for part in parts]
    cut = min(range(1, len(parts)), key=lambda n: max(sum(heights[:n]), sum(heights[n:])), default=0)
    return ReferenceSheet((parts[:cut], parts[cut:]), dice)


def _height(part: ReferencePart) -> float:
    """In lines of text. A column holds about sixty letters, which the cells of a row share."""
    rows = 0.0
    for row in part.rows:
        share = 60 / len(row)
        rows += max(1.1 * max(1, -(-len(cell) // max(8, share))) for cell in row)
    return 2 + (1 if any(part.head) else 0) + rows + sum(-(-len(f"{name} {words}") // 62) for name, words in part.lines)
