"""The data that campaigns hold about a person: the account export, reasons not to delete the account, and password reset links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.data import AppData
from accounts.models import ResetLink, User
from campaigns.models import BulkFile, CalendarFeed, Campaign, Report, Seat
from campaigns.services.contact_notes import notes_about
from campaigns.services.invited import is_invitation
from campaigns.services.open import only_administrator
from campaigns.services.resets import GROUND, refuse_reset_link


class CampaignData(AppData):
    name = "campaigns"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {"campaigns": export_campaigns(user)}

    def deletion_blockers(self, user: User) -> Sequence[str]:
        return only_administrator(user)

    def delete_own(self, user: User) -> None:
        """Delete the notes about the person, files they brought, and their calendar link: a row that stays without a name must not open one."""
        CalendarFeed.objects.filter(user=user).delete()
        BulkFile.objects.filter(sender=user).delete()
        notes_about(user).delete()

    def invites(self, path: str) -> bool:
        return is_invitation(path)

    def reset_grounds(self) -> frozenset[str]:
        return frozenset({GROUND})

    def refuse_reset_link(self, link: ResetLink) -> None:
        """Refuse a link if the seat now has another player, or if its maker is no longer an administrator."""
        refuse_reset_link(link)


def export_campaigns(user: Any) -> dict[str, Any]:
    """Return the campaigns that a person administers, their seats and the files and reports they sent. Seven queries."""
    seats = Seat.objects.live().filter(user=user).select_related("campaign", "warband").prefetch_related("absences")
    reports = Report.objects.live().filter(by=user).select_related("battle__campaign")
    feed = CalendarFeed.objects.filter(user=user).first()
    return {
        "calendar_link_made": feed.made_at if feed is not None and feed.code else None,
        "administers": list(Campaign.objects.administered_by(user).values_list("name", flat=True)),
        "seats": [
            {
                "campaign": seat.campaign.name,
                "name": seat.name,
                "warband": seat.warband.name if seat.warband else None,
                "status": seat.status,
                "joined": seat.joined_at,
                "away": [[each.starts_on, each.ends_on] for each in seat.absences.all() if not each.is_undone],
            }
            for seat in seats
        ],
        "contact_notes": [
            {"campaign": note.seat.campaign.name, "written": note.made_at, "words": note.words}
            for note in notes_about(user)
        ],
        "roster_files": list(BulkFile.objects.filter(sender=user).values("campaign__name", "name", "state", "sent_at")),
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
