"""A roster file that an administrator kept for a place: who is told that it waits, and until when."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.access import campaign_for
from campaigns.kept_drafts import kept_draft_of, with_kept_drafts
from campaigns.models import BulkFile, Campaign, Seat
from campaigns.open_matters import open_matters
from campaigns.pages.administer import administer_page
from campaigns.pages.desk_queries import read_board
from campaigns.pages.desk_waits import waits
from campaigns.services.bulk_import import bring_files, import_ready, leave_file
from campaigns.services.join import add_seat
from campaigns.services.reminders import playing
from notifications.kinds import outdated
from notifications.models import Notification
from tests import campaign_stories as c
from tests import roster_files as files
from tests import stories as s
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _worked_at_once(settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign: Ada has a warband, Ben has a place without one, and nobody has claimed Otto's place."""
    return c.club_with_empty_places(cleo, ada, ben, "Otto")


@pytest.fixture
def campaign(made: c.Club) -> Campaign:
    return Campaign.objects.get(pk=made.campaign.pk)


def roster(name: str, *, is_clear: bool) -> bytes:
    kit = files.weapon("Bolt-Action Rifle", 10) if is_clear else files.weapon("Teapot of Doom", 10)
    return files.as_json(files.roster(files.model("Yeoman", kit, price=30), name=name))


def kept(campaign: Campaign, actor: Any, name: str, *, is_clear: bool = False) -> BulkFile:
    """A file for the place with this name."""
    bring_files(
        campaign=campaign, actor=actor, files=[(f"{name}.json", roster(f"Odd Ones of {name}", is_clear=is_clear))]
    )
    return BulkFile.objects.filter(campaign=campaign, seat__name=name).select_related("draft", "seat").get()


def desk(user: Any) -> dict[str, tuple[str, str]]:
    return {wait.key: (wait.title, wait.href) for wait in waits(read_board(user)) if "kept" in wait.key}


def matters(campaign: Campaign, cleo: Any) -> dict[str, tuple[str, str]]:
    """What the campaign desk tells of places: the words of each row, and its press."""
    found = administer_page(campaign_for(cleo, campaign.pk, to="administer"), "").matters.missing
    return {matter.key: (matter.words, matter.acts[0].href) for matter in found}


def finish(client: Client, row: BulkFile) -> None:
    """Leave out the unknown name, then import the roster."""
    assert row.draft is not None
    here = reverse("paper-settle", args=[row.draft.pk])
    asked = re.search(r'name="(a_[\d.]+)"', client.get(here).content.decode())
    assert asked
    client.post(here, {asked[1]: "-", "list_id": "new-antioch", "act": "go"})
    sent = client.post(reverse("paper-show", args=[row.draft.pk]), {"act": "bring", "token": new_token()})
    assert sent.status_code == 302


def test_the_player_sees_it_wherever_a_warband_is_missing_until_it_is_finished(
    campaign: Campaign, cleo: Any, ben: Any, client: Client
) -> None:
    row = kept(campaign, cleo, "Benedict")
    assert row.draft is not None
    here = reverse("paper-settle", args=[row.draft.pk])
    assert desk(ben) == {f"kept_{row.seat_id}": ("Finish your roster Odd Ones of Benedict", here)}
    client.force_login(ben)
    shown_on = [
        reverse("desk-show"),
        reverse("campaign-show", args=[campaign.pk]),
        reverse("seat-show", args=[row.seat_id]),
        reverse("warband-bring"),
        f"{reverse('warband-bring')}?for=seat:{row.seat_id}",
    ]
    for page in shown_on:
        text = client.get(page).content.decode()
        assert here in text, page
        assert "Odd Ones of Benedict" in text, page
    finish(client, row)
    assert desk(ben) == {}
    for page in shown_on:
        assert here not in client.get(page).content.decode(), page
    assert desk(cleo) == {}


def test_nobody_else_sees_it(campaign: Campaign, cleo: Any, ben: Any, ada: Any, dora: Any, client: Client) -> None:
    row = kept(campaign, cleo, "Benedict")
    assert row.draft is not None
    here = reverse("paper-settle", args=[row.draft.pk])
    for person in (ada, dora):
        client.force_login(person)
        assert desk(person) == {}
        for page in (reverse("desk-show"), reverse("campaign-show", args=[campaign.pk]), reverse("warband-bring")):
            assert here not in client.get(page).content.decode(), (person, page)
        assert client.get(here).status_code == 404
        assert client.get(reverse("seat-show", args=[row.seat_id])).status_code in (403, 404)


def test_a_roster_without_open_names_is_opened_and_imported(campaign: Campaign, cleo: Any, ben: Any) -> None:
    row = kept(campaign, cleo, "Benedict", is_clear=True)
    assert row.draft is not None
    assert desk(ben)[f"kept_{row.seat_id}"][1] == reverse("paper-show", args=[row.draft.pk])
    assert import_ready(campaign=campaign, actor=cleo) == 1
    assert desk(ben) == {}
    warband = Seat.objects.select_related("warband").get(pk=row.seat_id).warband
    undo(event=s.last_event(warband), actor=ben)
    assert list(desk(ben)) == [f"kept_{row.seat_id}"]  # it waits again
    leave_file(campaign=campaign, pk=row.pk)
    BulkFile.objects.filter(pk=row.pk).delete()
    assert desk(ben) == {}


def test_the_campaign_desk_names_those_of_places_without_an_account_too(campaign: Campaign, cleo: Any) -> None:
    before = matters(campaign, cleo)
    rows = [kept(campaign, cleo, name) for name in ("Otto", "Benedict")]
    found = matters(campaign, cleo)
    for row in rows:
        assert row.draft is not None
        assert row.seat is not None
        words, href = found[f"kept_{row.seat_id}"]
        assert words == f"the kept roster Odd Ones of {row.seat.name} has names to check"
        assert href == reverse("paper-settle", args=[row.draft.pk])
        assert f"empty_{row.seat_id}" in before
        assert f"empty_{row.seat_id}" not in found
    assert any("2 things" in wait.title for wait in waits(read_board(cleo)))


def test_many_kept_rosters_are_one_row_that_leads_to_the_files(campaign: Campaign, cleo: Any) -> None:
    for number in range(5):
        add_seat(campaign=campaign, actor=cleo, name=f"Place {number}")
        kept(campaign, cleo, f"Place {number}")
    found = matters(campaign, cleo)
    assert found["kept"] == (
        "Place 0, Place 1, Place 2, Place 3 and Place 4",
        reverse("bulk-import", args=[campaign.pk]),
    )
    assert not [key for key in found if key.startswith("kept_")]


def test_a_reminder_names_it(campaign: Campaign, cleo: Any, ben: Any) -> None:
    row = kept(campaign, cleo, "Benedict")
    words = open_matters(campaign, playing(campaign))
    assert words[row.seat_id or 0] == ["Finish the roster Odd Ones of Benedict from a file"]
    other = Seat.objects.get(campaign=campaign, name="Otto")
    assert words[other.pk] == ["Start or import a warband"]


def test_saving_the_place_tells_its_player_once_and_no_more_when_it_is_finished(
    campaign: Campaign, cleo: Any, ben: Any, client: Client
) -> None:
    row = kept(campaign, cleo, "Benedict")
    client.force_login(cleo)
    page = reverse("bulk-import", args=[campaign.pk])
    for act in ("keep", "keep"):
        client.post(page, {"act": act, "token": new_token(), f"seat_{row.pk}": str(row.seat_id)})
    told = list(Notification.objects.filter(user=ben, about__startswith="draft:"))
    assert [(each.title, each.kind) for each in told] == [("cleo brought a roster for you", "for-you")]
    assert "Odd Ones of Benedict" in told[0].words
    assert told[0].due_at is None or told[0].due_at > timezone.now()  # with the day's digest
    assert outdated(told) == set()
    client.force_login(ben)
    finish(client, row)
    assert outdated(told) == {told[0].pk}


def test_nobody_is_told_of_a_file_that_moved_to_another_place(
    campaign: Campaign, cleo: Any, ben: Any, client: Client
) -> None:
    row = kept(campaign, cleo, "Benedict")
    client.force_login(cleo)
    page = reverse("bulk-import", args=[campaign.pk])
    client.post(page, {"act": "keep", "token": new_token(), f"seat_{row.pk}": str(row.seat_id)})
    otto = Seat.objects.get(campaign=campaign, name="Otto")
    client.post(page, {"act": "keep", "token": new_token(), f"seat_{row.pk}": str(otto.pk)})
    told = list(Notification.objects.filter(user=ben, about__startswith="draft:"))
    assert outdated(told) == {each.pk for each in told} != set()
    assert desk(ben) == {}


def test_the_desks_ask_as_often_for_many_kept_rosters_as_for_none(
    campaign: Campaign, cleo: Any, ben: Any, client: Client
) -> None:
    def queries(person: Any, page: str) -> int:
        client.force_login(person)
        with CaptureQueriesContext(connection) as counted:
            assert client.get(page).status_code == 200
        return len(counted)

    pages = [
        (ben, reverse("desk-show")),
        (ben, reverse("campaign-show", args=[campaign.pk])),
        (cleo, reverse("campaign-administer", args=[campaign.pk])),
        (cleo, reverse("reminder-list", args=[campaign.pk])),
        (cleo, reverse("desk-show")),
    ]
    for person, page in pages:
        queries(person, page)  # what is worked out once
    before = [queries(person, page) for person, page in pages]
    for name in ("Benedict", "Otto"):
        kept(campaign, cleo, name)
    assert [queries(person, page) for person, page in pages] == before
    seats = list(with_kept_drafts(Seat.objects.filter(campaign=campaign)).select_related("campaign__terms"))
    assert sum(kept_draft_of(seat) is not None for seat in seats) == 2
