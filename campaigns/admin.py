"""The read-only admin classes of campaigns. Only services write player data."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from campaigns.models import (
    Absence,
    Administrator,
    Battle,
    Booklet,
    Campaign,
    Capture,
    Challenge,
    Invitation,
    PairingWish,
    PostBattle,
    RansomOffer,
    Report,
    ReportDraft,
    Round,
    Seat,
    Side,
    Table,
    TableAct,
)
from warbands.admin import ReadOnly


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    list_display = ("name", "status", "seen_by", "rosters", "dice", "created_at")
    list_filter = ("status",)
    search_fields = ("name",)


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ("name", "campaign", "user", "warband", "status", "is_undone")
    list_filter = ("status",)
    list_select_related = ("campaign", "user", "warband")


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    list_display = ("__str__", "campaign", "scenario_id", "status", "kind", "played_on", "confirm_by")
    list_filter = ("status", "kind")
    list_select_related = ("campaign",)


@admin.register(Side)
class SideAdmin(ReadOnly):
    list_display = ("__str__", "battle", "warband", "number", "result", "points", "confirmed_at")
    list_select_related = ("battle", "seat", "warband")


@admin.register(PostBattle)
class PostBattleAdmin(ReadOnly):
    list_display = ("__str__", "started_at", "closed_at", "is_undone")
    list_select_related = ("side", "warband")


@admin.register(Capture)
class CaptureAdmin(ReadOnly):
    list_display = ("__str__", "warband", "captor", "status", "taken_at", "is_undone")
    list_filter = ("status",)
    list_select_related = ("fighter", "warband", "captor")


@admin.register(Booklet)
class BookletAdmin(ReadOnly):
    list_display = ("__str__", "asked_by", "status", "done", "count", "asked_at")
    list_select_related = ("campaign", "asked_by")
    exclude = ("pdf",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Booklet]:
        return super().get_queryset(request).defer("pdf")


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("__str__", "version", "is_ended", "begun_at")
    list_select_related = ("battle",)


@admin.register(TableAct)
class TableActAdmin(ReadOnly):
    list_display = ("__str__", "table", "actor", "for_name", "at")
    list_select_related = ("table__battle", "actor")


admin.site.register(
    [Absence, Administrator, Challenge, Invitation, PairingWish, RansomOffer, Report, ReportDraft, Round], ReadOnly
)
