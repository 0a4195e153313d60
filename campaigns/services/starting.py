"""Starts a warband for a seat: one that its player builds, or a ready one. A latecomer gets what the others have earned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import ngettext

from campaigns.latecomers import LateStart, late_start
from campaigns.models import Campaign, Seat
from campaigns.services.common import for_whom, refuse_unless_running
from campaigns.services.join import bring_warband
from warbands.models import Promise, Warband
from warbands.recording import recording
from warbands.services.founding import copy_sample, found_warband, sample_list


def found_for_seat(
    *,
    seat: Seat,
    actor: Any,
    list_id: str,
    name: str,
    patron: str = "",
    choices: Mapping[str, Any] | None = None,
    token: str = "",
) -> Warband:
    """Start a warband for a seat and bring it. Records separate events in one transaction. Raises Refusal.

    A latecomer gets the campaign's current budget, credited battles, and experience to distribute.
    """
    campaign = seat.campaign
    refuse_unless_running(campaign)
    start = late_start(campaign, list_id)
    with transaction.atomic():
        warband = found_warband(
            actor=actor,
            owner=seat.user,
            terms=campaign.terms,
            list_id=list_id,
            name=name,
            patron=patron,
            mode="campaign",
            choices=dict(choices or {}),
            budget=start.budget,
            credited=start.battles,
            token=token,
        )
        bring_warband(seat=seat, warband=warband, actor=actor)
        _promise_experience(campaign, seat, warband, start, actor)
    return warband


def use_ready_for_seat(*, seat: Seat, actor: Any, sample_id: str, token: str = "") -> Warband:
    """Take a ready warband for a seat and bring it, as `found_for_seat` does. Raises Refusal if it may not play here."""
    campaign = seat.campaign
    refuse_unless_running(campaign)
    start = late_start(campaign, sample_list(campaign.terms, sample_id))
    with transaction.atomic():
        warband = copy_sample(
            actor=actor,
            owner=seat.user,
            terms=campaign.terms,
            sample_id=sample_id,
            budget=start.budget,
            credited=start.battles,
            token=token,
        )
        bring_warband(seat=seat, warband=warband, actor=actor)
        _promise_experience(campaign, seat, warband, start, actor)
    return warband


def _promise_experience(campaign: Campaign, seat: Seat, warband: Warband, start: LateStart, actor: Any) -> None:
    """Promise a latecomer the experience that the others have gained meanwhile."""
    if not start.experience:
        return
    with recording(campaign, warband, kind="late", actor=actor, for_name=for_whom(actor, seat=seat)) as act:
        words = ngettext(
            "{count} experience to share among your fighters, for joining late.",
            "{count} experience to share among your fighters, for joining late.",
            start.experience,
        )
        act.create(
            Promise(
                warband=act.row(warband),
                kind="late-experience",
                words=words.format(count=start.experience),
                data={"experience": start.experience},
            )
        )
        told = ngettext(
            "{{who}} joined {campaign} late: {count} battle is credited.",
            "{{who}} joined {campaign} late: {count} battles are credited.",
            start.battles,
        )
        act.say(told.format(campaign=campaign.name, count=start.battles))
