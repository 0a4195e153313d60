"""What campaigns hold about one person, as plain data for the export of an account."""

from __future__ import annotations

from typing import Any

from campaigns.models import Campaign, Report, Seat


def export_campaigns(user: Any) -> dict[str, Any]:
    """Campaigns run, seats held and reports sent. Three queries."""
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
