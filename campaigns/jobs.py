"""The clock's jobs of campaigns: silent confirmations, house rules whose day has come, reminders of deadlines, old booklets."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.discord_sending import post_due
from campaigns.models import Booklet, BulkFile, IncomingCampaign, StateReport
from campaigns.services.answers import confirm_silent
from campaigns.services.deadlines import tell_deadlines
from campaigns.services.house_rules import settle_due_rules
from notifications.clock import DAILY, register_job
from warbands.models import PaperDraft
from warbands.pins import keep_all


def register_jobs() -> None:
    register_job("confirm-silent", timedelta(minutes=5), silent)
    register_job("house-rules", timedelta(hours=1), house_rules)
    register_job("deadlines", timedelta(hours=1), deadlines)
    register_job("discord", timedelta(0), discord)
    register_job("prune-booklets", DAILY, prune_booklets)
    register_job("prune-roster-files", DAILY, prune_roster_files)
    register_job("prune-state-reports", DAILY, prune_state_reports)
    register_job("prune-campaign-files", DAILY, prune_campaign_files)
    register_job("keep-overlays", timedelta(hours=1), keep_overlays)


def silent(now: datetime) -> str:
    confirmed = confirm_silent(now)
    return _("Reports confirmed by silence: {count}.").format(count=len(confirmed)) if confirmed else ""


def house_rules(now: datetime) -> str:
    settled = settle_due_rules()
    return _("Campaigns whose house rules changed: {count}.").format(count=len(settled)) if settled else ""


def deadlines(now: datetime) -> str:
    count = tell_deadlines(now)
    return _("Deadlines close to which people were told: {count}.").format(count=count) if count else ""


def discord(now: datetime) -> str:
    count = post_due(now)
    return _("Discord posts tried: {count}.").format(count=count) if count else ""


def prune_roster_files(now: datetime) -> str:
    """Delete the files of the page of many rosters that nobody took up for two months, with their drafts."""
    old = BulkFile.objects.over()
    drafts = PaperDraft.objects.filter(pk__in=list(old.values_list("draft", flat=True)), warband=None)
    count = old.delete()[0]
    drafts.delete()
    return ngettext("{count} old roster file removed", "{count} old roster files removed", count).format(count=count)


def prune_booklets(now: datetime) -> str:
    Booklet.objects.over().delete()
    return ""


def prune_state_reports(now: datetime) -> str:
    StateReport.objects.over().delete()
    return ""


def prune_campaign_files(now: datetime) -> str:
    IncomingCampaign.objects.over().delete()
    return ""


def keep_overlays(now: datetime) -> str:
    """Keep a copy of each overlay of this server, and pin terms from before versions were pinned."""
    count = keep_all()
    return _("Terms whose overlays were pinned: {count}.").format(count=count) if count else ""
