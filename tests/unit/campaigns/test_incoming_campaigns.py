"""The site owner brings a campaign file by a page: it is read, people get their accounts, and a task imports it once."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.campaign_file import importing
from campaigns.models import Administrator, Campaign, IncomingCampaign, Seat
from campaigns.models.incoming import KEPT_FOR, MOST_TRIES, SILENT_AFTER
from campaigns.people_forms import CampaignFileForm
from campaigns.services.incoming import keep_incoming, start_import
from campaigns.services.incoming_import import take_up_incoming, work_at_incoming
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.campaign_files import differing, file_of
from tests.emptied import empty_database
from tests.module_story import story
from warbands.models import Event, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HERE = "/site/campaigns/"


@story
def evening(cleo: Any, ada: Any, ben: Any) -> c.Club:
    club = c.club(cleo, ada, ben, starts_on=None)
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada, winner=ada)
    return club


@pytest.fixture
def data(evening: c.Club) -> bytes:
    """The file of the campaign, on a server that has nothing of it but an account named ada."""
    found = file_of(evening.campaign)
    empty_database()
    somebody("ada")
    return found


@pytest.fixture
def olga(data: bytes) -> Any:
    user = somebody("olga")
    user.is_staff = True
    user.save()
    return user


@pytest.fixture
def owner(olga: Any) -> Client:
    client = Client()
    client.force_login(olga)
    return client


def somebody(name: str) -> Any:
    return User.objects.create_user(name, password="x")


def sent(client: Client, data: bytes, name: str = "winter.campaign") -> Any:
    return client.post(HERE, {"file": SimpleUploadedFile(name, data)})


def number_of(row: IncomingCampaign, name: str) -> int:
    return next(each["number"] for each in row.told["people"] if each["name"] == name)


def test_a_file_is_read_settled_imported_and_found_again(owner: Client, olga: Any, data: bytes) -> None:
    assert "Read the file" in owner.get(HERE).content.decode()
    there = sent(owner, data)["Location"]
    assert sent(owner, data)["Location"] == there, "the same file is kept once"
    row = IncomingCampaign.objects.get()
    assert there == reverse("site-campaign", args=[row.pk])
    page = owner.get(there).content.decode()
    assert "1 season, 2 warbands, 1 battle" in page
    assert "There is an account “ada” here." in page
    assert "There is an account “ben” here." not in page
    assert not Campaign.objects.exists()

    who = {f"who_{number_of(row, 'ada')}": " ada ", f"who_{number_of(row, 'cleo')}": "olga"}
    assert owner.post(there, {**who, "act": "import"})["Location"] == there
    assert "The campaign is being imported." in owner.get(there).content.decode()
    again = owner.post(there, {"act": "import"}, follow=True).content.decode()
    assert "This campaign is being imported already." in again
    assert owner.post(there, {"act": "delete"}).status_code == 422
    (key,) = re.findall(r'<div class="progress" id="(\w+)"', owner.get(there).content.decode())
    part_of = {"HX-Request": "true", "HX-Target": f"div#{key}"}
    assert owner.get(there, headers=part_of).content.decode().strip().startswith(f'<div class="progress" id="{key}"')
    work_at_incoming(row.pk)

    part = owner.get(there, headers=part_of).content.decode()
    assert "Show what became of it" in part
    assert "<html" not in part
    assert "It is here." in owner.get(there).content.decode()
    campaign = Campaign.objects.get()
    row.refresh_from_db()
    assert (row.state, row.campaign, row.data) == ("done", campaign, None)
    assert Seat.objects.get(campaign=campaign, user__username="ada").warband.owner.username == "ada"
    free = Seat.objects.get(campaign=campaign, name="ben")
    assert free.user is None
    assert free.claim_token
    assert set(Administrator.objects.live().values_list("user__username", flat=True)) == {"olga"}
    assert list(differing(data, file_of(campaign))) == []

    acts = Event.objects.count()
    assert owner.post(there, {**who, "act": "import"}).status_code == 302, "done is done"
    work_at_incoming(row.pk)
    assert (Campaign.objects.count(), Event.objects.count()) == (1, acts)
    refused = sent(owner, data)
    assert refused.status_code == 422
    assert "on this server already" in refused.content.decode()
    assert owner.post(there, {"act": "delete"})["Location"] == HERE
    assert not IncomingCampaign.objects.exists()
    assert Campaign.objects.exists()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"ada": "nobody"}, "There is no account “nobody”."),
        ({"ada": "ada", "ben": "ada"}, "“ada” stands here twice."),
        ({"ada": "gone"}, "There is no account “gone”."),
        ({"ada": "guest-1"}, "There is no account “guest-1”."),
        ({"ada": "x" * 400}, "There is no account"),
        ({"ada": "<b>"}, "There is no account “&lt;b&gt;”."),
    ],
)
def test_a_wrong_name_is_told_where_it_stands(owner: Client, data: bytes, names: dict[str, str], words: str) -> None:
    User.objects.create_user("gone", is_active=False)
    User.objects.create_user("guest-1", is_guest=True)
    there = sent(owner, data)["Location"]
    row = IncomingCampaign.objects.get()
    answer = owner.post(there, {f"who_{number_of(row, name)}": value for name, value in names.items()})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert page.count(words) >= 2, "above, and at the field"
    assert 'id="wrong"' in page
    row.refresh_from_db()
    assert row.state == "read"


@pytest.mark.parametrize(
    "broken",
    [
        lambda data: b"",
        lambda data: b"PK\x03\x04 a zip",
        lambda data: data[: len(data) // 2],
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: b'{"format": "muster-roll-campaign"}',
    ],
    ids=["empty", "zip", "half", "changed", "not packed"],
)
def test_what_is_no_whole_campaign_file_is_refused(owner: Client, data: bytes, broken: Any) -> None:
    answer = sent(owner, broken(data))
    assert answer.status_code == 422
    assert "file" in answer.content.decode()
    assert not IncomingCampaign.objects.exists()
    assert owner.post(HERE).status_code == 422


def test_a_file_is_not_too_large(owner: Client, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CampaignFileForm, "MOST", len(data) - 1)
    answer = sent(owner, data)
    assert answer.status_code == 422
    assert "more than 32 MB" in answer.content.decode()


def test_a_worker_that_is_killed_leaves_nothing_and_another_goes_on(
    olga: Any, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queued(data, olga)

    class Killed(BaseException):
        pass

    def killed(*args: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(importing, "refuse_unreadable", killed)
        with pytest.raises(Killed):
            work_at_incoming(row.pk)
    assert not Campaign.objects.exists()
    assert not Warband.objects.exists()
    row.refresh_from_db()
    assert row.state == "running"
    assert take_up_incoming(row.pk), "its worker may still be there"
    assert not Campaign.objects.exists()
    silent(row)
    assert not take_up_incoming(row.pk)
    assert Campaign.objects.count() == 1


def test_a_file_that_stops_every_worker_is_given_up(olga: Any, data: bytes) -> None:
    row = queued(data, olga)
    IncomingCampaign.objects.update(tries=MOST_TRIES - 1, state="running")
    silent(row)
    assert not take_up_incoming(row.pk)
    row.refresh_from_db()
    assert (row.state, row.words) == ("refused", "The worker stopped before it was finished. Nothing was saved.")
    assert start_import(row, who={}, actor=olga), "and may be tried again by hand"


def test_what_fails_within_says_so_and_saves_nothing(
    olga: Any, owner: Client, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queued(data, olga, who={1: somebody("dora")})
    User.objects.filter(username="dora").delete()
    work_at_incoming(row.pk)
    row.refresh_from_db()
    assert row.state == "refused"
    assert "no longer here" in owner.get(reverse("site-campaign", args=[row.pk])).content.decode()
    assert not Campaign.objects.exists()


def test_to_everybody_else_the_pages_do_not_exist(olga: Any, data: bytes) -> None:
    row = keep_incoming(io.BytesIO(data), actor=olga)
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    for there in (HERE, reverse("site-campaign", args=[row.pk])):
        assert client.get(there).status_code == 404
        assert client.post(there, {"act": "delete"}).status_code == 404
    assert IncomingCampaign.objects.filter(state="read").exists()


def test_files_go_after_a_week(olga: Any, data: bytes) -> None:
    row = keep_incoming(io.BytesIO(data), actor=olga)
    assert not IncomingCampaign.objects.over().exists()
    IncomingCampaign.objects.update(sent_at=timezone.now() - KEPT_FOR - timedelta(minutes=1))
    assert list(IncomingCampaign.objects.over()) == [row]
    row.delete()
    with pytest.raises(Refusal):
        start_import(row, who={}, actor=olga)


def queued(data: bytes, actor: Any, who: dict[int, Any] | None = None) -> IncomingCampaign:
    row = keep_incoming(io.BytesIO(data), actor=actor)
    assert start_import(row, who=who or {}, actor=actor)
    row.refresh_from_db()
    return row


def silent(row: IncomingCampaign) -> None:
    IncomingCampaign.objects.filter(pk=row.pk).update(told_at=timezone.now() - SILENT_AFTER - timedelta(minutes=1))
