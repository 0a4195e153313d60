"""What history calls the battle an act belongs to, and where it leads; and what camp says while a battle is mustered for."""

from __future__ import annotations

from collections.abc import Collection

from django.urls import reverse

from campaigns.models import Battle, Side
from campaigns.scenarios import scenario_name
from warbands.models import Warband


def battle_words(occasions: Collection[str]) -> dict[str, tuple[str, str]]:
    """The words and the address of battles' occasions ("battle:12"), by occasion; none for one that is not there. One query."""
    numbers = {
        number for occasion in occasions if (number := occasion.partition(":")[2]).isdecimal() and len(number) < 19
    }
    battles = Battle.objects.select_related("campaign__terms").filter(pk__in=numbers)
    return {battle.occasion: (scenario_name(battle), reverse("battle-show", args=[battle.pk])) for battle in battles}


def camp_words(warband: Warband) -> str:
    """What a warband in camp reads once it is mustered for a battle: the frozen roster fights it. One query; "" before."""
    side = (
        Side.objects.live()
        .filter(
            warband=warband,
            ready_at__isnull=False,
            battle__is_undone=False,
            battle__status__in=[Battle.Status.SCHEDULED, Battle.Status.MUSTERED],
        )
        .select_related("battle__campaign__terms", "snapshot")
        .order_by("-ready_at")
        .first()
    )
    if side is None:
        return ""
    version = f" as version {side.snapshot.version}" if side.snapshot is not None else ""
    return f"Mustered for {scenario_name(side.battle)}{version}. What changes now counts once that battle is fought."
