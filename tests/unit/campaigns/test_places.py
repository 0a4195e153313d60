"""Places for players without an account, added many at once: one event, one undo, and all claim links to copy."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Seat
from campaigns.services.open import open_campaign
from tests.module_story import story
from warbands.models import Event
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def campaign(cleo: Any) -> Campaign:
    return open_campaign(actor=cleo, name="The Long Winter", edition="1.6.3")


def names(campaign: Campaign) -> list[str]:
    return list(Seat.objects.live().filter(campaign=campaign).order_by("pk").values_list("name", flat=True))


def test_a_pasted_list_becomes_a_place_for_each_line(client: Client, campaign: Campaign, cleo: Any) -> None:
    client.force_login(cleo)
    here = reverse("player-list", args=[campaign.pk])
    pasted = "Ilse Brandt\r\n\r\n  Kolya  \r\nOld Hannes\r\n"
    answer = client.post(here, {"act": "add", "names": pasted, "token": "t-1"}, follow=True)
    assert names(campaign) == ["Ilse Brandt", "Kolya", "Old Hannes"]
    page = unescape(answer.content.decode())
    assert "cleo added 3 places: Ilse Brandt, Kolya and Old Hannes." in page or "You added 3 places" in page
    links = page.partition('id="id_claim_links"')[2].partition("</textarea>")[0]
    for seat in Seat.objects.live().filter(campaign=campaign):
        assert f"{seat.name}: http://testserver{reverse('seat-claim', args=[seat.claim_token])}" in links
    event = Event.objects.get(kind="places")
    undo(event=event, actor=cleo)
    assert names(campaign) == []


@pytest.mark.parametrize(
    ("pasted", "told"),
    [
        ("Kolya\nkolya", "already has a player called kolya"),
        ("  \n ", "Enter a name."),
        ("\n".join(f"Player {n}" for n in range(61)), "Up to 60 places at once."),
        ("Kolya\n" + "x" * 81, "up to 80 letters"),
    ],
)
def test_one_wrong_name_adds_none_and_the_list_is_kept(
    client: Client, campaign: Campaign, cleo: Any, pasted: str, told: str
) -> None:
    client.force_login(cleo)
    here = reverse("player-list", args=[campaign.pk])
    answer = client.post(here, {"act": "add", "names": pasted, "token": "t-1"})
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert told in page
    assert pasted.strip() in page
    assert names(campaign) == []
