"""The names at the edges of a crib: few stand in their cell, more than fit there in a line below the table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.formatting import joined
from warbands.text_measure import BOLD, MM, lines

LETTERS = 8  # points
MOST_LINES = 3
WHO, HEADS = 22, 118  # mm for the names of a row, and for those of all columns


class Names:
    """The names of a crib. `told` collects the sentences that list those for whom their cell is too small."""

    def __init__(self, columns: int) -> None:
        self.told: dict[str, None] = {}
        self.head = HEADS / max(1, columns) - 2

    def of_column(self, names: Sequence[str]) -> str:
        return self._shown(names, self.head)

    def of_row(self, names: Sequence[str]) -> str:
        return self._shown(names, WHO)

    def _shown(self, names: Sequence[str], room: float) -> str:
        """Return the names for a cell `room` mm wide: all of them, or the first and how many more."""
        every = joined(names)
        if len(names) < 2 or lines([(every, BOLD)], LETTERS, room * MM) <= MOST_LINES:
            return every
        more = len(names) - 1
        self.told[_("{first} stands also for {others}.").format(first=names[0], others=joined(names[1:]))] = None
        return ngettext("{first} and {count} more", "{first} and {count} more", more).format(first=names[0], count=more)
