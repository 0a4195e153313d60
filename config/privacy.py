"""What this site keeps about people: one entry for each kind of data, with the tables that hold it.

The privacy page is drawn from `KEPT`. A test compares it with the models: every table of the site stands either here
or in `NOT_PERSONAL`, with the reason why it says nothing about a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.access import public


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of data. `tables` are the labels of the models that hold it."""

    key: str
    what: Any
    details: Any
    readers: Any
    how_long: Any
    removal: Any
    tables: tuple[str, ...]


WITH_ACCOUNT = _("Until you delete your account.")
KEPT: tuple[Kept, ...] = (
    Kept(
        "account",
        _("Your account"),
        _("User name, shown name, e-mail addresses, a hash of your password, your second step, and your settings."),
        _("You and the site owner. Your club sees the shown name."),
        WITH_ACCOUNT,
        _("Change it on the page Me, or delete your account there."),
        (
            "accounts.User",
            "account.EmailAddress",
            "account.EmailConfirmation",
            "auth.Group",
            "auth.Permission",
            "mfa.Authenticator",
        ),
    ),
    Kept(
        "sessions",
        _("Being signed in"),
        _("A cookie with a random key. When, from which IP address and with which browser you signed in."),
        _("You and the site owner."),
        _("60 days after signing in, or until you sign out."),
        _("Sign out, also of other browsers on the page Me."),
        ("sessions.Session", "usersessions.UserSession"),
    ),
    Kept(
        "tokens",
        _("Tokens for programs"),
        _("Their names, when they were made and used, and a hash of each."),
        _("You and the site owner."),
        _("Until you delete them or your account."),
        _("Delete them on the page Me."),
        ("accounts.ApiToken",),
    ),
    Kept(
        "changes",
        _("Changes to signing in"),
        _("When your password, your e-mail addresses or your second step were changed."),
        _("You and the site owner."),
        WITH_ACCOUNT,
        _("They are deleted with your account."),
        ("accounts.SecurityNote",),
    ),
    Kept(
        "reset-links",
        _("Reset links"),
        _("Who made a link for a new password for you, and when it was used."),
        _("You and the site owner. The campaign's news says that it was made."),
        WITH_ACCOUNT,
        _("Refuse such links on the page Me."),
        ("accounts.ResetLink",),
    ),
    Kept(
        "warbands",
        _("Warbands and drafts"),
        _("Rosters, notes, files you imported, unfinished imports, drafts, print settings and printed sheets."),
        _("You, your delegates, and anyone with a share link. In a campaign its rules decide."),
        _(
            "Printed sheets 7 days. Drafts and unfinished imports are deleted with your account. Rosters stay, without your name."
        ),
        _("Archive or disband them, revoke links, remove drafts. Deleting your account removes your name."),
        (
            "warbands.Warband",
            "warbands.Fighter",
            "warbands.Item",
            "warbands.Promise",
            "warbands.Snapshot",
            "warbands.KeptSheet",
            "warbands.PrintSetup",
            "warbands.PaperDraft",
            "warbands.RosterDraft",
            "warbands.ImportedFile",
            "warbands.HouseOverlay",
            "campaigns.BulkFile",
            "warbands.ShareLink",
        ),
    ),
    Kept(
        "profiles",
        _("Profiles you write"),
        _("The units of your library."),
        _("You, and the campaigns in which you share them."),
        _("Until you delete your account, archived ones too."),
        _("Delete your account. Shared ones stay in their campaign."),
        ("warbands.Profile",),
    ),
    Kept(
        "history",
        _("History"),
        _("Who changed what and when, with the name shown at that time, and every movement of money."),
        _("Anyone who can read the warband or the campaign."),
        _("As long as the warband or campaign. It makes undo and trust possible."),
        _("It stays, since others rely on it. The name then belongs to no account."),
        (
            "warbands.Event",
            "warbands.EventSubject",
            "warbands.Change",
            "warbands.Chain",
            "warbands.ChainLink",
            "warbands.LedgerEntry",
            "admin.LogEntry",
        ),
    ),
    Kept(
        "rights",
        _("Rights and offers"),
        _("Your delegates, who administers a campaign, and warbands offered to another person."),
        _("The people concerned and the administrators."),
        _("Offers until you delete your account, their e-mail address until they are settled. Rights until removed."),
        _("Remove delegates in the settings, or withdraw the offer."),
        ("warbands.Delegate", "campaigns.Administrator", "warbands.HandOver"),
    ),
    Kept(
        "campaigns",
        _("Places in campaigns"),
        _("Your name there, your results, challenges, wishes and days away."),
        _("The players. Wishes and days away only you and the administrators."),
        _("As long as the campaign."),
        _("Leave the campaign. Results stay under the name of the place."),
        (
            "campaigns.Campaign",
            "campaigns.Seat",
            "campaigns.Side",
            "campaigns.Challenge",
            "campaigns.PairingWish",
            "campaigns.Absence",
            "campaigns.Capture",
            "campaigns.RansomOffer",
            "campaigns.PostBattle",
        ),
    ),
    Kept(
        "notes",
        _("Contact notes"),
        _("What administrators note about how to reach you."),
        _("The campaign's administrators. You find them in your data file."),
        _("Until an administrator removes them or you delete your account."),
        _("Ask the administrator, or delete your account."),
        ("campaigns.ContactNote",),
    ),
    Kept(
        "battles",
        _("Battles and reports"),
        _("Reports, drafts of reports, and each step at the table with who did it."),
        _("The players of the campaign, and anyone with its public link."),
        _("As long as the campaign."),
        _("They stay, since the other players need them."),
        (
            "campaigns.Report",
            "campaigns.ReportDraft",
            "campaigns.Table",
            "campaigns.TableAct",
            "campaigns.Booklet",
        ),
    ),
    Kept(
        "rules_reports",
        _("Reports of changed rules"),
        _("What other rules would change for each warband, with the names of its fighters."),
        _("The site owner."),
        _("A week."),
        _("It is deleted with your warband."),
        ("campaigns.StateReport", "campaigns.StateReportRow"),
    ),
    Kept(
        "campaign_files",
        _("Files of campaigns that move here"),
        _(
            "A campaign of another server, until it is imported: names of people, warbands, battles, notes of administrators."
        ),
        _("The site owner."),
        _("Until the import, and a week at most."),
        _("It is deleted with the account of the site owner who uploaded it."),
        ("campaigns.IncomingCampaign",),
    ),
    Kept(
        "gazettes",
        _("Gazettes and presets"),
        _("What administrators write about a campaign, and settings they keep for the next one."),
        _("Drafts and presets: the administrators. Published words: anyone who sees the campaign."),
        _("As long as the campaign."),
        _("Ask an administrator to change or remove it."),
        ("campaigns.Publication", "campaigns.CampaignPreset"),
    ),
    Kept(
        "regions",
        _("Regions"),
        _("Which places a campaign fights over, and which player held them in which round."),
        _("Anyone who sees the campaign."),
        _("As long as the campaign."),
        _("Ask an administrator to change or remove it."),
        ("campaigns.Region", "campaigns.RegionLink", "campaigns.RegionHold"),
    ),
    Kept(
        "calendar",
        _("Calendar links"),
        _("A secret address of your calendar, if you make one."),
        _("Anyone with the address."),
        _("Until you revoke it or delete your account."),
        _("Revoke it on the page My calendar."),
        ("campaigns.CalendarFeed",),
    ),
    Kept(
        "notifications",
        _("Notifications"),
        _("What we told you, how it was sent, and your choices."),
        _("You. Administrators see their reminders, and what was perhaps sent."),
        _("90 days. Your choices until you delete your account."),
        _("Choose on the page Notifications, or use the link in an e-mail."),
        ("notifications.Notification", "notifications.Message", "notifications.NotificationSettings"),
    ),
    Kept(
        "devices",
        _("Your devices"),
        _("The address and keys of each browser you add. The browser's maker delivers messages and can't read them."),
        _("No one reads it. You can find it in your data file."),
        _("Until you remove the device, or the browser forgets it."),
        _("Remove the device on the page Notifications."),
        ("notifications.PushDevice",),
    ),
    Kept(
        "discord",
        _("Posts in Discord"),
        _("A campaign's secret link to its channel, who connected it, and what was posted there."),
        _("Posts name players and warbands. Anyone in the channel reads them."),
        _("Until an administrator removes the channel. Posts stay in Discord."),
        _("Ask the administrator."),
        ("campaigns.DiscordWebhook", "campaigns.DiscordPost"),
    ),
    Kept(
        "problems",
        _("Reported problems"),
        _("The page without secret parts, the site's version, the roster it showed, your name and your sentence."),
        _("The site owner."),
        _("Until the site owner deletes them. Your name is deleted with your account."),
        _("Ask the site owner."),
        ("warbands.ProblemReport",),
    ),
    Kept(
        "decisions",
        _("Decisions of the site owner"),
        _("Suspended accounts and hidden pages, with the reason and who decided."),
        _("The site owner. You read the reasons that concern you."),
        _("Suspensions until your account is deleted. Hidden pages as a log."),
        _("Ask the site owner to lift it."),
        ("accounts.Suspension", "accounts.HiddenPage"),
    ),
    Kept(
        "work",
        _("Work in the background"),
        _("Which booklet a campaign asked for. It names no one, but error messages in it may."),
        _("The site owner."),
        _("Two weeks."),
        _("Ask the site owner."),
        ("django_tasks_database.DBTaskResult",),
    ),
)

# Tables that say nothing about a person, each with its reason.
NOT_PERSONAL: dict[str, str] = {
    "notifications.ClockJob": "when a job of the site runs next",
    "contenttypes.ContentType": "the list of tables",
    "warbands.Terms": "game, edition and house rules",
    "warbands.OverlayCopy": "a file of dated changes to the rules, as it was read",
    "campaigns.Battle": "scenario and days of a battle; its sides hold the people",
    "campaigns.Round": "number and days of a round",
    "campaigns.Invitation": "a link of a campaign, for anyone",
    "campaigns.PrinterLink": "a link of a campaign, for anyone",
    "campaigns.ReportCode": "a code on a sheet of paper",
    "campaigns.WatchLink": "a link of a battle, for anyone",
    "campaigns.DiceSeed": "a random number",
}


@public(reason="What is kept about people is for everybody to read.")
@require_safe
def privacy_show(request: HttpRequest) -> HttpResponse:
    return render(request, "privacy.html", {"kept": KEPT})
