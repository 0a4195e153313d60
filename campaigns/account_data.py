"""The data that campaigns hold about a person: the account export, reasons not to delete the account, and password reset links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from accounts.data import AppData
from accounts.models import ResetLink, User
from campaigns.models import (
    Booklet,
    BulkFile,
    CalendarFeed,
    Campaign,
    Challenge,
    ContactNote,
    DiscordWebhook,
    IncomingCampaign,
    PairingWish,
    RansomOffer,
    Report,
    ReportDraft,
    Seat,
    Side,
    StateReport,
    TableAct,
)
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
    """Return the campaigns that a person administers, their seats, and what they sent and asked for. A fixed number of queries."""
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
        "challenges": _challenges(user),
        "wishes": [
            {"campaign": wish.seat.campaign.name, "other": wish.other.name, "kind": wish.kind, "over": wish.is_over}
            for wish in PairingWish.objects.live().filter(seat__user=user).select_related("seat__campaign", "other")
        ],
        "confirmed": list(
            Side.objects.live()
            .filter(confirmed_by=user)
            .order_by("pk")
            .values("battle__campaign__name", "battle_id", "confirmed_at")
        ),
        "ransoms": list(
            RansomOffer.objects.live()
            .filter(by=user)
            .order_by("pk")
            .values("capture__fighter__name", "ducats", "status", "made_at")
        ),
        "contact_notes_written": list(
            ContactNote.objects.filter(by=user).order_by("pk").values("seat__campaign__name", "made_at")
        ),
        "acts_at_tables": list(
            TableAct.objects.filter(actor=user).order_by("pk").values("table__battle_id", "number", "at", "told")
        ),
        "asked_for": _asked_for(user),
        "roster_files": list(BulkFile.objects.filter(sender=user).values("campaign__name", "name", "state", "sent_at")),
        "report_drafts": list(
            ReportDraft.objects.live().filter(by=user).order_by("pk").values("battle_id", "state", "sent_at", "data")
        ),
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


def _challenges(user: Any) -> list[dict[str, Any]]:
    """Return the challenges that a person sent or got. One query."""
    rows = Challenge.objects.live().filter(Q(seat__user=user) | Q(other__user=user))
    return [
        {
            "campaign": each.campaign.name,
            "from": each.seat.name,
            "to": each.other.name,
            "words": each.words,
            "status": each.status,
            "made": each.made_at,
        }
        for each in rows.select_related("campaign", "seat", "other").order_by("pk")
    ]


def _asked_for(user: Any) -> dict[str, Any]:
    """Return the long tasks that a person asked for, and the Discord channels they connected. Four queries."""
    return {
        "booklets": list(Booklet.objects.filter(asked_by=user).values("campaign__name", "status", "asked_at")),
        "rules_reports": list(
            StateReport.objects.filter(asked_by=user).values("system", "edition", "status", "asked_at")
        ),
        "campaign_files": list(IncomingCampaign.objects.filter(sender=user).values("name", "state", "sent_at")),
        "discord": list(DiscordWebhook.objects.filter(added_by=user).values("campaign__name", "added_at")),
    }
