"""The data that campaigns hold about a person: the account export, reasons not to delete the account, and password reset links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.data import AppData
from accounts.models import ResetLink, User
from campaigns.models import Campaign, Report, Seat
from campaigns.services.open import only_administrator
from campaigns.services.resets import GROUND, refuse_reset_link


class CampaignData(AppData):
    name = "campaigns"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {"campaigns": export_campaigns(user)}

    def deletion_blockers(self, user: User) -> Sequence[str]:
        return only_administrator(user)

    def reset_grounds(self) -> frozenset[str]:
        return frozenset({GROUND})

    def refuse_reset_link(self, link: ResetLink) -> None:
        """Refuse a link if the seat now has another player, or if its maker is no longer an administrator."""
        refuse_reset_link(link)


def export_campaigns(user: Any) -> dict[str, Any]:
    """Return the campaigns that a person administers, their seats and the reports they sent. Three queries."""
    seats = Seat.objects.live().filter(user=user).select_related("campaign", "warband")
    reports = Report.objects.live().filter(by=user).select_related("battle__campaign")
    return {
        "administers": list(Campaign.objects.administered_by(user).values_list("name", flat=True)),
        "seats": [
            {
                "campaign": seat.campaign.name,
                "name": seat.name,
                "warband": seat.warband.name if seat.warband else None,
                "status": seat.status,
                "joined": seat.joined_at,
            }
            for seat in seats
        ],
        "reports": [
            {
                "campaign": report.battle.campaign.name,
                "battle": report.battle_id,
                "number": report.number,
                "sent": report.sent_at,
                "words": report.data.get("words", ""),
            }
            for report in reports
        ],
    }
