"""Helpers that confirm overdue reports when somebody opens a page, so that a club without a scheduled job does not wait for ever."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from campaigns.models import Battle, Campaign
from campaigns.services.answers import confirm_silent


def let_silence_confirm(battle: Battle) -> bool:
    """Confirm this battle's report if it is overdue; return whether it was. No query if it is not overdue."""
    return let_silence_confirm_among([battle])


def let_silence_confirm_among(battles: Iterable[Battle]) -> bool:
    """Confirm the overdue reports among these battles; return whether there were any. No query if there are none."""
    late = [battle.pk for battle in battles if _is_late(battle)]
    return bool(late) and bool(confirm_silent(among=Battle.objects.filter(pk__in=late)))


def let_silence_confirm_in(campaign: Campaign) -> None:
    """Confirm the overdue reports of a campaign. One query if there are none."""
    confirm_silent(among=Battle.objects.filter(campaign=campaign))


def _is_late(battle: Battle) -> bool:
    reported = battle.status == Battle.Status.REPORTED
    return reported and battle.confirm_by is not None and battle.confirm_by <= timezone.now()
