"""What campaigns hold about one person: the export of an account, reasons not to delete it, and links that reset a password."""

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
        """Refuse a link if the seat has another player by now, or its maker is no administrator any more."""
        refuse_reset_link(link)


def export_campaigns(user: Any) -> dict[str, Any]:
    """Export campaigns administered, seats held and reports sent. Three queries."""
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
