"""What an event's occasion is called and where it is shown. The rooms above know; they register who can tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from warbands.labels import has_money
from warbands.models import Warband

Teller = Callable[[Collection[str]], Mapping[str, tuple[str, str]]]

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
    """Let `tell(occasions)` give words and address ("" for none) of occasions whose id begins with `kind:`, by id.

    Raises:
        ValueError: another function answers for this kind.
    """
    if _tellers.setdefault(kind, tell) is not tell:
        raise ValueError(f"Two functions tell of {kind!r}.")


def occasions_told(occasions: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Words and address of each of these occasions ("battle:12"), by id; both "" where nobody knows it, and for "".

    Queries are the tellers', one asking for each kind, however many occasions.
    """
    wanted = set(occasions)
    told = dict.fromkeys(wanted, ("", ""))
    for kind, tell in _tellers.items():
        if mine := {occasion for occasion in wanted if occasion.partition(":")[0] == kind}:
            told.update(tell(mine))
    return told
