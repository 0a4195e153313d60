"""What an event's occasion is called and where it is shown. The rooms above know; they register who can tell."""

from __future__ import annotations

from collections.abc import Callable

from warbands.models import Warband
from warbands.names import has_money

Teller = Callable[[str], tuple[str, str]]

_tellers: dict[str, Teller] = {}

CampTeller = Callable[[Warband], str]
AT_CAMP = "At camp: spending stays open until the next muster."

_camp_tellers: list[CampTeller] = []


def register_camp_words(tell: CampTeller) -> None:
    """Let `tell(warband)` say, in a sentence, what is special about its camp now ("" where nothing is)."""
    if tell not in _camp_tellers:
        _camp_tellers.append(tell)


def camp_words(warband: Warband) -> str:
    """How long money may be spent, for a warband in camp; "" for any other. Queries are the tellers'."""
    if warband.status != Warband.Status.CAMP:
        return ""
    return next(
        (words for tell in _camp_tellers if (words := tell(warband))), AT_CAMP if has_money(warband.terms) else ""
    )


def register_occasion(kind: str, tell: Teller) -> None:
    """Let `tell(occasion)` give words and address ("" for none) of all occasions whose id begins with `kind:`.

    Raises:
        ValueError: another function answers for this kind.
    """
    if _tellers.setdefault(kind, tell) is not tell:
        raise ValueError(f"Two functions tell of {kind!r}.")


def occasion_words(occasion: str) -> tuple[str, str]:
    """Words and address of an occasion ("battle:12"); both "" where nobody knows it. Queries are the teller's."""
    tell = _tellers.get(occasion.partition(":")[0])
    return tell(occasion) if tell is not None else ("", "")
