"""Read-only admin of warbands. Only the services write player data."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from warbands.models import (
    Change,
    Delegate,
    Event,
    Fighter,
    Item,
    LedgerEntry,
    Profile,
    Promise,
    ShareLink,
    Snapshot,
    Terms,
    Warband,
)


class ReadOnly(admin.ModelAdmin):
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ChangeInline(admin.TabularInline):
    model = Change
    extra = 0
    can_delete = False
    fields = readonly_fields = ("label", "row_id", "field", "path", "before", "after")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Warband)
class WarbandAdmin(ReadOnly):
    list_display = ("name", "owner", "list_id", "status", "strongbox_ducats", "strongbox_glory", "version")
    list_filter = ("status", "mode", "terms__system")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")


@admin.register(Event)
class EventAdmin(ReadOnly):
    list_display = ("at", "kind", "told", "occasion")
    list_filter = ("kind",)
    search_fields = ("sentence", "actor_name")
    inlines = (ChangeInline,)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly):
    list_display = ("event", "warband", "ducats", "glory", "reason")
    list_select_related = ("event", "warband")


@admin.register(Profile)
class ProfileAdmin(ReadOnly):
    list_display = ("name", "kind", "system", "owner", "terms", "version", "is_away", "changed_at")
    list_filter = ("system", "kind", "is_away")
    list_select_related = ("owner", "terms")
    search_fields = ("name", "owner__username")


@admin.register(Fighter)
class FighterAdmin(ReadOnly):
    list_display = ("name", "profile_id", "warband", "status", "is_undone")
    list_filter = ("status",)
    list_select_related = ("warband",)
    search_fields = ("name", "warband__name")


@admin.register(Item)
class ItemAdmin(ReadOnly):
    list_display = ("item_id", "warband", "fighter", "origin", "status", "is_undone")
    list_filter = ("status", "origin")
    list_select_related = ("warband", "fighter")


admin.site.register([Terms, Delegate, Promise, ShareLink, Snapshot], ReadOnly)
