"""Silence confirms: also when somebody looks, so that a club without a timer is not left waiting."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from campaigns.models import Battle, Campaign
from campaigns.services.answers import confirm_silent


def let_silence_confirm(battle: Battle) -> bool:
    """Confirm this battle's report if its day is past. No query where it is not. Returns whether it was confirmed now."""
    return let_silence_confirm_among([battle])


def let_silence_confirm_among(battles: Iterable[Battle]) -> bool:
    """Confirm those of these battles whose day is past. No query where none is. Returns whether any was."""
    late = [battle.pk for battle in battles if _is_late(battle)]
    return bool(late) and bool(confirm_silent(among=Battle.objects.filter(pk__in=late)))


def let_silence_confirm_in(campaign: Campaign) -> None:
    """Confirm what nobody answered in time in a campaign. One query where there is nothing."""
    confirm_silent(among=Battle.objects.filter(campaign=campaign))


def _is_late(battle: Battle) -> bool:
    reported = battle.status == Battle.Status.REPORTED
    return reported and battle.confirm_by is not None and battle.confirm_by <= timezone.now()
