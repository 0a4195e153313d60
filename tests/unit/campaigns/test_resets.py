"""A forgotten password without an e-mail address: the administrator hands out a link."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.services.resets import hand_out_reset
from rules.problems import Refusal
from tests.campaign_stories import club
from warbands.models import Event
from warbands.tokens import new_token

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def ada_without_mail(ada: Any) -> Any:
    """Ada, who left no address."""
    ada.email = ""
    ada.save(update_fields=["email"])
    return ada


def test_the_link_sets_a_new_password_once(client: Client, cleo: Any, ada_without_mail: Any) -> None:
    made = club(cleo, ada_without_mail)
    client.force_login(cleo)
    address = reverse("seat-reset", args=[made.seat(ada_without_mail).pk])
    assert client.get(address).status_code == 200
    answer = client.post(address, {"token": new_token()})
    assert answer["Cache-Control"] == "no-store"
    link = answer.context["address"].removeprefix("http://testserver")
    visitor = Client()
    page = visitor.get(link, follow=True)
    assert page.status_code == 200
    new = {"password1": "another-long-password-7", "password2": "another-long-password-7"}
    visitor.post(page.request["PATH_INFO"], new)
    ada_without_mail.refresh_from_db()
    assert ada_without_mail.check_password(new["password1"])
    again = Client().get(link, follow=True)
    assert b"password1" not in again.content


def test_the_news_tells_of_it(cleo: Any, ada_without_mail: Any) -> None:
    made = club(cleo, ada_without_mail)
    hand_out_reset(seat=made.seat(ada_without_mail), actor=cleo)
    assert Event.objects.filter(kind="reset-link", actor=cleo).exists()


def test_who_has_mail_or_forbids_it_or_runs_the_site_gets_none(cleo: Any, ada: Any) -> None:
    made = club(cleo, ada)
    before = Event.objects.count()
    with pytest.raises(Refusal, match="e-mail"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    ada.email, ada.takes_reset_links = "", False
    ada.save(update_fields=["email", "takes_reset_links"])
    with pytest.raises(Refusal, match="by hand"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    ada.is_staff, ada.takes_reset_links = True, True
    ada.save(update_fields=["is_staff", "takes_reset_links"])
    with pytest.raises(Refusal, match="runs this site"):
        hand_out_reset(seat=made.seat(ada), actor=cleo)
    assert Event.objects.count() == before


def test_a_campaign_of_ones_own_is_no_way_into_those_of_others(cleo: Any, ada_without_mail: Any, ben: Any) -> None:
    club(cleo, ada_without_mail)
    lure = club(ben, ada_without_mail)
    with pytest.raises(Refusal, match="do not administer"):
        hand_out_reset(seat=lure.seat(ada_without_mail), actor=ben)
    assert not Event.objects.filter(kind="reset-link").exists()


def test_only_administrators_hand_it_out(client: Client, cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    made = club(cleo, ada, ben)
    address = reverse("seat-reset", args=[made.seat(ada).pk])
    client.force_login(ben)
    assert client.post(address, {"token": new_token()}).status_code == 403
    client.force_login(dora)
    assert client.post(address, {"token": new_token()}).status_code == 404
