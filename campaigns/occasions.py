"""What history calls the battle an act belongs to, and where it leads; and what camp says while a battle is mustered for."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse

from campaigns.models import Battle, Side
from campaigns.scenarios import scenario_name
from warbands.models import Warband


def battle_words(occasion: str) -> tuple[str, str]:
    """The words and the address of a battle's occasion ("battle:12"); empty for one that is not there. At most two queries."""
    number = occasion.partition(":")[2]
    battle = Battle.objects.select_related("campaign__terms").filter(pk=number).first() if number.isdigit() else None
    if battle is None:
        return "", ""
    try:
        address = reverse("battle-show", args=[battle.pk])
    except NoReverseMatch:
        address = ""
    return scenario_name(battle), address


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
