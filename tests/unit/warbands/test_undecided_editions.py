"""A file that fits both editions: it says so where nobody misses it, and one press reads it by the other one."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.models import Seat
from campaigns.services.join import add_seat
from campaigns.services.open import open_campaign
from warbands.models import PaperDraft, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

COMPANION = """\
## Wardens ##

Faction: Trench Pilgrims
Rating: 80 Ducats | 0 Glory
Patron: None

## Elites ##

Ruth - War Prophet
• Cost: 80 Ducats | 0 Glory
"""
UNDECIDED = "The file doesn't say which edition it is of. It is read as 1.0."


@pytest.fixture
def page(client: Client, ada: Any) -> Client:
    client.force_login(ada)
    return client


def shown_on(page: Client, address: str) -> str:
    return unescape(page.get(address).content.decode())


def bring(page: Client, text: str, query: str = "") -> Any:
    return page.post(reverse("paper-text") + query, {"file": SimpleUploadedFile("list.txt", text.encode())})


def test_one_press_reads_it_by_the_other_edition(page: Client) -> None:
    answer = bring(page, COMPANION)
    draft = PaperDraft.objects.get()
    show, settle = reverse("paper-show", args=[draft.pk]), reverse("paper-settle", args=[draft.pk])
    assert answer.url in (show, settle)
    assert draft.edition == "1.0"
    for here in (show, settle):
        shown = shown_on(page, here)
        assert UNDECIDED in shown, here
        assert "Edition not decided by the file: read as 1.0." in shown
        assert f'action="{settle}"' in shown
        assert "Use Trench Crusade 1.6.3" in shown
    answer = page.post(settle, {"edition": "1.6.3"})
    draft.refresh_from_db()
    assert (draft.edition, draft.why) == ("1.6.3", "you said so")
    for here in (answer.url, show, settle):
        assert UNDECIDED.partition(".")[0] not in shown_on(page, here)
    assert page.post(show, {"act": "bring", "token": "t"}).status_code == 302
    assert Warband.objects.get().terms.edition == "1.6.3"


def test_after_the_press_nothing_open_leads_to_the_fighters(page: Client) -> None:
    bring(page, COMPANION)
    draft = PaperDraft.objects.get()
    expected = reverse("paper-show", args=[draft.pk])
    assert page.post(reverse("paper-settle", args=[draft.pk]), {"edition": "1.6.3"}).url == expected
    draft.refresh_from_db()
    assert [row["profile"] for row in draft.data["fighters"]] == ["War Prophet"]


@pytest.mark.parametrize("said", ["Wardens 1.6.3", "Wardens, Edition 1.0"])
def test_what_the_file_says_itself_is_not_asked(page: Client, said: str) -> None:
    answer = bring(page, COMPANION.replace("Wardens", said))
    shown = shown_on(page, answer.url)
    assert "it names 1." in shown
    assert UNDECIDED.partition(".")[0] not in shown


def test_a_campaign_decides_for_its_places(page: Client, ada: Any) -> None:
    campaign = open_campaign(actor=ada, name="Weir", system="trench-crusade", edition="1.6.3")
    seat = add_seat(campaign=campaign, actor=ada, name="Otto")
    Seat.objects.filter(pk=seat.pk).update(user=ada)
    answer = bring(page, COMPANION, f"?for=seat:{seat.pk}")
    draft = PaperDraft.objects.get()
    assert (draft.edition, draft.why) == ("1.6.3", "the campaign plays it")
    assert "which edition it is of" not in shown_on(page, answer.url)
