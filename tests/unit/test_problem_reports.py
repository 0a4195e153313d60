"""Anybody reports a problem in two presses: what is sent is said first, and nothing secret is in it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import override_settings
from django.urls import reverse

from accounts.deletion import delete_account
from accounts.export import exported_data
from config.release import release
from config.shown_address import shown_address, without_addresses
from tests import stories as s
from tests.module_story import story
from tests.scene import Scene, addresses, make_scene
from warbands.idempotency import new_token
from warbands.models import ProblemReport

pytestmark = pytest.mark.django_db
SECRETS = ("slug", "code", "token", "digest")


@story
def scene() -> Scene:
    return make_scene()


def report(client: Any, page: str, words: str = "", **sent: Any) -> Any:
    """Come from a page, and send what the form holds."""
    cache.clear()
    here = reverse("problem-report")
    form = client.get(here, headers={"referer": f"http://testserver{page}"})
    data = {"page": form.context["enclosed"].page, "words": words, "token": form.context["token"], **sent}
    return client.post(here, data)


def test_no_secret_of_any_address_is_shown(scene: Scene) -> None:
    for key, address in addresses(scene).items():
        parts = key.split()[1:]
        shown = shown_address(address)
        if set(parts) & set(SECRETS) and not key.startswith("rule-show"):
            assert "…" in shown, key
        for secret in (scene.link.slug, scene.claim, scene.printer_code, scene.calendar_code, scene.offer_code):
            assert secret not in shown, key
        assert "?" not in shown
    assert shown_address("/warbands/12/stash/?token=abc") == "/warbands/12/stash/"
    assert shown_address("/accounts/password/reset/key/3-d8a1f0-aa/") == "/accounts/password/reset/key/…-…/"
    assert shown_address("/nowhere/Xy12ab34cd56ef78/") == "/nowhere/…/"
    assert shown_address("http://[") == ""
    link = f"https://club.example/s/{scene.link.slug}/"
    assert without_addresses(f"See {link} or /s/{scene.link.slug}/v3/, 1/2 of it") == "See /s/…/ or /s/…/v3/, 1/2 of it"


def test_a_report_holds_page_release_roster_and_the_sentence(scene: Scene) -> None:
    client, page = scene.client("owner"), addresses(scene)["warband-show pk"]
    here = reverse("problem-report")
    form = client.get(here, headers={"referer": f"http://testserver{page}?open=1"}).content.decode()
    for words in (page, scene.wardens.name, release(), "Passwords and secret links are never sent."):
        assert words in form
    with override_settings(SITE_OWNER_EMAIL="owner@club.example"):
        assert report(client, page, f"Wrong price on /s/{scene.link.slug}/ here.").status_code == 302
    found = ProblemReport.objects.get()
    assert (found.by, found.page, found.release) == (scene.users["owner"], page, release())
    assert found.words == "Wrong price on /s/…/ here."
    assert (found.warband, found.roster_version) == (scene.wardens, s.fresh(scene.wardens).version)
    assert found.document is not None
    assert "record" not in found.document  # neither notes nor history
    (sent,) = mail.outbox
    assert sent.to == ["owner@club.example"]
    assert scene.link.slug not in sent.body + str(found.document)
    assert [each["page"] for each in exported_data(scene.users["owner"])["problems"]] == [page]


def test_nobody_sends_a_roster_that_they_may_not_read(scene: Scene) -> None:
    page = addresses(scene)["warband-show pk"]
    for who in ("stranger", "visitor"):
        assert report(scene.client(who), page).status_code == 302
    assert {(row.roster_name, row.document) for row in ProblemReport.objects.all()} == {("", None)}
    assert mail.outbox == []


def test_strangers_report_within_limits_and_two_presses_are_one(client: Any) -> None:
    sent = {"token": new_token(), "page": "/nowhere/", "words": "Twice."}
    here = reverse("problem-report")
    for _press in range(2):
        assert client.post(here, sent).status_code == 302
    assert ProblemReport.objects.count() == 1
    assert report(client, "/", "x" * 1001).status_code == 422
    assert client.get(here, headers={"referer": "https://elsewhere.example/secret"}).context["enclosed"].page == ""
    cache.clear()
    with override_settings(PROBLEM_LIMITS={"user": (1, 60), "address": (1, 60)}):
        assert client.post(here, {**sent, "token": new_token()}).status_code == 302
        assert client.post(here, {**sent, "token": new_token()}).status_code == 429
    cache.clear()


def test_a_report_stays_without_its_sender(ada: Any) -> None:
    made = ProblemReport.objects.create(by=ada, release="x", token="t" * 12)
    assert delete_account(ada) == []
    made.refresh_from_db()
    assert made.by is None


def test_who_reports_comes_back_to_the_page_unless_it_is_secret_or_elsewhere(scene: Scene) -> None:
    client, here = scene.client("owner"), addresses(scene)["warband-show pk"]
    assert report(client, here).url == here
    for page in ("//elsewhere.example/", "https://elsewhere.example/", "/s/…/", reverse("problem-report"), ""):
        assert report(client, page).url == "/"
