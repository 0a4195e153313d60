"""The models of a campaign: people, rounds, battles, reports, and what follows a battle."""

from campaigns.models.battle import AHEAD, ANSWERED, REPORTED, Battle, Report, Side
from campaigns.models.booklet import Booklet, PrinterLink
from campaigns.models.bulk_import import BulkFile
from campaigns.models.calendar import CalendarFeed
from campaigns.models.campaign import Administrator, Campaign, Invitation, Round, Seat
from campaigns.models.contact_note import ContactNote
from campaigns.models.discord import DiscordPost, DiscordWebhook
from campaigns.models.incoming import IncomingCampaign
from campaigns.models.pairing import OPEN_CHALLENGES, Absence, Challenge, PairingWish
from campaigns.models.post_battle import Capture, PostBattle, RansomOffer
from campaigns.models.preset import CampaignPreset
from campaigns.models.publication import Publication
from campaigns.models.region import Region, RegionHold, RegionLink
from campaigns.models.report_draft import ReportCode, ReportDraft
from campaigns.models.state_report import StateReport, StateReportRow
from campaigns.models.tracker import DiceSeed, Table, TableAct, WatchLink

__all__ = [
    "AHEAD",
    "ANSWERED",
    "OPEN_CHALLENGES",
    "REPORTED",
    "Absence",
    "Administrator",
    "Battle",
    "Booklet",
    "BulkFile",
    "CalendarFeed",
    "Campaign",
    "CampaignPreset",
    "Capture",
    "Challenge",
    "ContactNote",
    "DiceSeed",
    "DiscordPost",
    "DiscordWebhook",
    "IncomingCampaign",
    "Invitation",
    "PairingWish",
    "PostBattle",
    "PrinterLink",
    "Publication",
    "RansomOffer",
    "Region",
    "RegionHold",
    "RegionLink",
    "Report",
    "ReportCode",
    "ReportDraft",
    "Round",
    "Seat",
    "Side",
    "StateReport",
    "StateReportRow",
    "Table",
    "TableAct",
    "WatchLink",
]
