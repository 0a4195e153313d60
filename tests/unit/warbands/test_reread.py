"""Edition and list of a file are told with the reason, and a person may correct both."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaigns.services.join import add_seat
from tests import campaign_stories as c
from tests import roster_files as made
from warbands.models import PaperDraft

pytestmark = pytest.mark.django_db

NAMES_A_DATUM = "A roster file of New Recruit. Read as 1.0: the game data is of revision 17."


@pytest.fixture
def page(ada: Any, client: Client) -> Client:
    client.force_login(ada)
    return client


def bring(page: Client, address: str = "/warbands/bring/text/") -> PaperDraft:
    shown = page.get(address).context["form"]
    file = SimpleUploadedFile("choir.json", made.as_json(made.choir()))
    page.post(address, {"token": shown["token"].value(), "file": file})
    return PaperDraft.objects.latest("pk")


def test_the_overview_of_a_clear_file_says_what_it_is_and_why(page: Client) -> None:
    draft = bring(page)
    assert NAMES_A_DATUM in page.get(f"/paper/{draft.pk}/").content.decode()


def test_a_person_may_read_a_file_by_another_edition_and_as_another_list(page: Client) -> None:
    draft = bring(page)
    here = f"/paper/{draft.pk}/text/"
    assert "Wrong edition or list?" in page.get(here).content.decode()
    page.post(here, {"act": "reread", "edition": "1.6.3", "list_id": "new-antioch"})
    draft.refresh_from_db()
    assert (draft.edition, draft.data["list_id"]) == ("1.6.3", "")  # lists of another edition are other lists
    assert "Read as 1.6.3: you said so." in page.get(here).content.decode()
    page.post(here, {"act": "reread", "edition": "1.6.3", "list_id": "papal-states-intervention-force"})
    draft.refresh_from_db()
    assert draft.data["list_id"] == "papal-states-intervention-force"
    page.post(here, {"act": "reread", "edition": "1.6.3", "list_id": "none-such"})
    draft.refresh_from_db()
    assert draft.data["list_id"] == ""


def test_a_campaign_keeps_its_edition(cleo: Any, ben: Any, client: Client) -> None:
    campaign = c.club(cleo, ben).campaign
    seat = add_seat(campaign=campaign, name="Wulf", actor=cleo)
    client.force_login(cleo)
    draft = bring(client, f"/warbands/bring/text/?for=seat:{seat.pk}")
    other = "1.6.3" if draft.edition == "1.0" else "1.0"
    client.post(f"/paper/{draft.pk}/text/", {"act": "reread", "edition": other})
    assert PaperDraft.objects.get().edition == draft.edition
