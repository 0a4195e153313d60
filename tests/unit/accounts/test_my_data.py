"""“My data” holds all that is a person's: each column that points to a person has its part of the file, or a reason to have none."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse

from accounts.export import exported_data
from accounts.models import User
from campaigns.models import Challenge, PairingWish
from campaigns.services.tracker import begin_table
from tests import campaign_stories as c
from warbands.models import PrintSetup, Warband
from warbands.services.sharing import add_delegate, share_warband

# Column -> where its rows stand in the file.
IN_FILE = {
    "account.EmailAddress.user": "account.email_addresses",
    "accounts.ApiToken.user": "account.tokens",
    "accounts.ResetLink.user": "account.reset_links",
    "accounts.ResetLink.maker": "account.reset_links_made_for_others",
    "accounts.SecurityNote.user": "account.changes_to_signing_in",
    "accounts.Suspension.user": "account.suspensions",
    "campaigns.Administrator.user": "campaigns.administers",
    "campaigns.Booklet.asked_by": "campaigns.asked_for.booklets",
    "campaigns.BulkFile.sender": "campaigns.roster_files",
    "campaigns.CalendarFeed.user": "campaigns.calendar_link_made",
    "campaigns.ContactNote.about": "campaigns.contact_notes",
    "campaigns.ContactNote.by": "campaigns.contact_notes_written",
    "campaigns.DiscordWebhook.added_by": "campaigns.asked_for.discord",
    "campaigns.IncomingCampaign.sender": "campaigns.asked_for.campaign_files",
    "campaigns.RansomOffer.by": "campaigns.ransoms",
    "campaigns.Report.by": "campaigns.reports",
    "campaigns.ReportDraft.by": "campaigns.report_drafts",
    "campaigns.Seat.user": "campaigns.seats",
    "campaigns.Side.confirmed_by": "campaigns.confirmed",
    "campaigns.StateReport.asked_by": "campaigns.asked_for.rules_reports",
    "campaigns.TableAct.actor": "campaigns.acts_at_tables",
    "mfa.Authenticator.user": "account.second_step",
    "notifications.Message.user": "notifications.told",
    "notifications.Notification.user": "notifications.told",
    "notifications.NotificationSettings.user": "notifications.channels",
    "notifications.PushDevice.user": "notifications.devices",
    "usersessions.UserSession.user": "account.signed_in_on",
    "warbands.Delegate.user": "delegate_for",
    "warbands.Event.actor": "acts",
    "warbands.HandOver.giver": "hand_overs",
    "warbands.HandOver.to": "hand_overs",
    "warbands.HouseOverlay.owner": "house_overlays",
    "warbands.ImportedFile.sender": "imported",
    "warbands.PaperDraft.owner": "paper",
    "warbands.ProblemReport.by": "problems",
    "warbands.Profile.owner": "profiles",
    "warbands.RosterDraft.owner": "drafts",
    "warbands.Warband.owner": "warbands",
}
OFFICE = "what a site owner did to others is the record of the office"
LEFT_OUT = {
    "accounts.HiddenPage.by": OFFICE,
    "accounts.HiddenPage.ended_by": OFFICE,
    "accounts.Suspension.by": OFFICE,
    "accounts.Suspension.ended_by": OFFICE,
    "accounts.User_groups.user": "rights of the office",
    "accounts.User_user_permissions.user": "rights of the office",
    "admin.LogEntry.user": OFFICE,
    "campaigns.BulkFile.actor": "who imports a file: the act stands in the history",
    "warbands.HandOver.by": "who settled it for a player: the act stands in the history",
}


def test_each_column_that_points_to_a_person_has_its_part() -> None:
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.related_model is User
    }
    assert IN_FILE.keys() | LEFT_OUT.keys() == columns, "Say where the rows stand in “My data”."
    assert not IN_FILE.keys() & LEFT_OUT.keys()


def part_of(data: Any, path: str) -> Any:
    for name in path.split("."):
        data = data[name]
    return data


@pytest.mark.django_db
def test_each_part_is_there(ada: Any) -> None:
    for path in {*IN_FILE.values(), "campaigns.challenges", "campaigns.wishes", "share_links", "snapshots"}:
        part_of(exported_data(ada), path)


@pytest.mark.django_db
def test_an_evening_stands_in_it(client: Any, cleo: Any, ada: Any, ben: Any) -> None:
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    begin_table(battle=row, actor=ada)
    c.fight(row, by=ada, winner=ada)
    mine, other = club.seat(ada), club.seat(ben)
    Challenge.objects.create(campaign=club.campaign, seat=mine, other=other, words="On the weir.")
    PairingWish.objects.create(seat=mine, other=other, kind="meet")
    PairingWish.objects.create(seat=other, other=mine, kind="apart")
    warband = Warband.objects.get(seats=mine)
    share_warband(warband=warband, name="For Eve", actor=ada)
    PrintSetup.objects.create(warband=warband, name="Large", options={"type": "large"})
    add_delegate(warband=Warband.objects.get(seats=other), username="ada", actor=ben)

    client.force_login(ada)
    told = client.get(reverse("account-export")).json()
    assert [each["words"] for each in told["campaigns"]["challenges"]] == ["On the weir."]
    assert [each["kind"] for each in told["campaigns"]["wishes"]] == ["meet"]  # another's wish is theirs alone
    assert [each["name"] for each in told["share_links"]] == ["For Eve"]
    assert [each["name"] for each in told["print_setups"]] == ["Large"]
    assert [each["warband"] for each in told["delegate_for"]] == [Warband.objects.get(seats=other).name]
    assert told["campaigns"]["acts_at_tables"]
    assert told["campaigns"]["reports"]
    assert any(each["reason"] for each in told["snapshots"])
    assert any("report" in each["told"] for each in told["acts"])
    assert all("ada" in each["told"] for each in told["acts"])

    client.force_login(ben)
    told = client.get(reverse("account-export")).json()
    assert [each["kind"] for each in told["campaigns"]["wishes"]] == ["apart"]
    assert told["share_links"] == []
    assert told["delegate_for"] == []
