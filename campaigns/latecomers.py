"""Functions that compute what a player who joins a running campaign starts with."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.models import Campaign, Seat
from rules.force import Battles, Force
from rules.price import Price


@dataclass(frozen=True, slots=True)
class LateStart:
    """The start of a latecomer.

    `battles` is the number of credited battles (those of the warband that has fought most), `budget` the money for
    founding, `experience` the amount to distribute.
    """

    battles: int
    budget: Price | None
    experience: int


def battles_of_leader(campaign: Campaign) -> int:
    """Return the number of battles of the warband that has fought most, including credited ones. One query."""
    rows = Seat.objects.live().filter(campaign=campaign, warband__isnull=False).order_by()
    counts = rows.values_list("warband__state__fought", "warband__state__credited")
    return max((int(fought or 0) + int(credited or 0) for fought, credited in counts), default=0)


def late_start(campaign: Campaign, list_id: str) -> LateStart:
    """Return what a warband of this list starts with now. Nothing is credited while nobody has fought. One query."""
    battles = battles_of_leader(campaign)
    if not battles:
        return LateStart(0, None, 0)
    terms = campaign.terms
    game, content = terms.game, terms.content
    threshold = _campaign_threshold(campaign, battles)
    budget, experience = game.founding.late_start(content, list_id, threshold, battles)
    return LateStart(battles, budget, experience)


def _campaign_threshold(campaign: Campaign, battles: int) -> int:
    """Return the threshold of the next battle from the book's table, without the amounts that some lists subtract from it."""
    terms = campaign.terms
    game, content = terms.game, terms.content
    thresholds = []
    for choice in game.founding.lists(content):
        newcomer = Force(game=terms.system, edition=terms.edition, list=choice.id, battles=Battles(credited=battles))
        thresholds.append(game.limits(content, newcomer).threshold or 0)
    return max(thresholds, default=0)
