"""Whose roster a file is, by the names in its path and in the roster."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from campaigns.models import Seat

SHORTEST = 3  # letters of a name that is looked for inside a longer one


def guess_seat(path: str, warband: str, seats: Sequence[Seat]) -> Seat | None:
    """Return the one seat whose player's name stands in the file's path or the warband's name; None if none or several do.

    "ada/choir.rosz" and "Ada - Iron Choir.ros" are Ada's; "Adams.ros" is not.
    """
    told = f" {_letters(path.rsplit('.', 1)[0])} {_letters(warband)} "
    found = [seat for seat in seats if len(name := _letters(seat.name)) >= SHORTEST and f" {name} " in told]
    return found[0] if len(found) == 1 else None


def _letters(text: str) -> str:
    """Return the words of a text, small and without accents, with one space between two."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c)).replace("_", " ")))
