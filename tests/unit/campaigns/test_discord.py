"""A campaign's Discord channel: posted once, edited when something changes, secret, and within Discord's limits. Discord stands on this machine."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.export import exported_data
from campaigns.discord_embeds import MOST_TOTAL, cut, cut_lines, plain, units, within_limits
from campaigns.discord_sending import post_due
from campaigns.models import DiscordPost, DiscordWebhook
from campaigns.services.amend import amend_report
from campaigns.services.answers import confirm_report
from campaigns.services.discord import connect_discord
from campaigns.services.pairing import publish_round
from campaigns.services.rounds import open_round
from notifications.fates import CLAIM_FOR
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.local_services import LocalService
from tests.module_story import story
from warbands.models import Change, Event
from warbands.undo import undo

pytestmark = pytest.mark.django_db

SECRET = "S3cret_" + "x" * 60
PATH = f"api/webhooks/123456789012345678/{SECRET}"
POSTED = (200, {"Content-Type": "application/json"}, b'{"id": "42424242424242424242"}')


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    """Ada and Ben play in Cleo's campaign."""
    return c.club(cleo, ada, ben)


def connected(made: c.Club, service: LocalService, settings: Any) -> DiscordWebhook:
    settings.OUTBOUND_LOCAL = (service.url,)
    return connect_discord(campaign=made.campaign, actor=made.administrator, address=service.url + PATH)


def embeds(service: LocalService) -> list[tuple[str, str, dict[str, Any]]]:
    """What was posted: method, path without the secret, embed."""
    return [
        (asked.method, asked.path.partition(SECRET)[2], json.loads(asked.body)["embeds"][0]) for asked in service.asked
    ]


def test_a_result_is_posted_once_and_edited_when_it_is_confirmed_and_amended(
    made: c.Club, ada: Any, ben: Any, cleo: Any, settings: Any
) -> None:
    evening = open_round(campaign=made.campaign, actor=cleo)
    row = c.mustered(made, ada, ben, round=evening)
    with LocalService(POSTED) as service:
        connected(made, service, settings)
        c.fight(row, by=ada, winner=ada, points={ada: 3, ben: 1})
        assert post_due() == 2  # the result and the standings
        assert post_due() == 0
        confirm_report(battle=c.fresh_battle(row), actor=ben, side=c.side(row, ben))
        data = c.report_data(row, ben, points={ada: 1, ben: 4})
        amend_report(battle=c.fresh_battle(row), actor=cleo, data=data)
        assert post_due() == 2
        told = embeds(service)
    results = [each for each in told if "against" in each[2]["title"]]
    assert [(method, path) for method, path, _ in results] == [
        ("POST", "?wait=true"),
        ("PATCH", "/messages/42424242424242424242"),
    ]
    assert "Not confirmed yet" in results[0][2]["description"]
    assert "The Lantern Wardens won" in results[0][2]["description"]
    assert "The Gallows Choir won" in results[1][2]["description"]
    assert "Not confirmed yet" not in results[1][2]["description"]
    standing = [each[2] for each in told if each not in results]
    assert "4 points" in standing[1]["description"].splitlines()[0]
    assert all(json.loads(asked.body)["allowed_mentions"] == {"parse": []} for asked in service.asked)


def test_a_round_is_posted_and_its_undo_edits_it(made: c.Club, ada: Any, ben: Any, cleo: Any, settings: Any) -> None:
    with LocalService(POSTED) as service:
        connected(made, service, settings)
        publish_round(campaign=made.campaign, actor=cleo, tables=[[made.seat(ada), made.seat(ben)]])
        assert post_due() == 1
        undo(event=Event.objects.get(kind="pair"), actor=cleo)
        assert post_due() == 1
        told, after = embeds(service)
    assert told[2]["title"] == "Round 1: pairings"
    assert "The Lantern Wardens \\(ada\\) – The Gallows Choir \\(ben\\)" in told[2]["description"]
    assert (after[0], after[2]["title"]) == ("PATCH", "Taken back")
    assert DiscordPost.objects.count() == 1


def test_a_first_post_of_unknown_fate_is_never_repeated_and_an_edit_is(
    made: c.Club, ada: Any, ben: Any, cleo: Any, settings: Any
) -> None:
    row = c.mustered(made, ada, ben)
    with LocalService((0, {}, b"")) as service:
        connected(made, service, settings)
        c.fight(row, by=ada, winner=ada)
        post_due()
        confirm_report(battle=c.fresh_battle(row), actor=ben, side=c.side(row, ben))
        post_due(timezone.now() + timedelta(days=1))
        assert len(service.asked) == 2  # result and standings, once each
        assert set(DiscordPost.objects.values_list("state", flat=True)) == {"perhaps"}
        client = Client()
        client.force_login(cleo)
        here = reverse("campaign-discord", args=[made.campaign.pk])
        assert "Perhaps posted" in client.get(here).content.decode()
        service.answers = [POSTED]
        again = DiscordPost.objects.get(key=f"battle:{row.pk}")
        assert client.post(here, {"again": again.pk, "token": "again"}).status_code == 302
        assert post_due() == 1
        again.refresh_from_db()
        assert again.state == "sent"
        DiscordPost.objects.filter(pk=again.pk).update(state="claimed", claimed_at=timezone.now())
        later = timezone.now() + CLAIM_FOR + timedelta(seconds=5)
        assert post_due(later) == 1  # an edit whose process was killed
        assert service.asked[-1].method == "PATCH"


def test_a_webhook_that_is_gone_is_told_and_a_busy_discord_is_asked_later(
    made: c.Club, ada: Any, ben: Any, settings: Any
) -> None:
    row = c.mustered(made, ada, ben)
    busy = (429, {"Retry-After": "3", "Content-Type": "application/json"}, b'{"retry_after": 3}')
    with LocalService(busy) as service:
        webhook = connected(made, service, settings)
        c.fight(row, by=ada, winner=ada)
        post_due()
        assert set(DiscordPost.objects.values_list("state", flat=True)) == {"waiting"}
        service.answers = [(404, {"Content-Type": "application/json"}, b'{"code": 10015}')]
        post_due(timezone.now() + timedelta(seconds=10))
        webhook.refresh_from_db()
        assert "doesn't know this webhook" in webhook.broken
        asked = len(service.asked)
        assert post_due(timezone.now() + timedelta(hours=1)) == 0
    assert len(service.asked) == asked


def test_the_address_is_a_secret(
    made: c.Club, ada: Any, ben: Any, cleo: Any, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client()
    client.force_login(cleo)
    here = reverse("campaign-discord", args=[made.campaign.pk])
    row = c.mustered(made, ada, ben)
    with LocalService((500, {}, b"no")) as service, caplog.at_level(logging.INFO):
        settings.OUTBOUND_LOCAL = (service.url,)
        assert client.post(here, {"act": "connect", "address": service.url + PATH, "token": "c"}).status_code == 302
        assert client.post(here, {"act": "test", "token": "t"}).status_code == 302
        c.fight(row, by=ada, winner=ada)
        assert post_due() == 3
    page = client.get(here).content.decode()
    assert SECRET not in page
    assert f"…{SECRET[-4:]}" in page
    assert SECRET not in caplog.text
    assert SECRET not in json.dumps(exported_data(cleo), default=str)
    assert not Change.objects.filter(label="campaigns.DiscordWebhook").exists()
    assert all(SECRET not in f"{event.sentence}{event.data}" for event in Event.objects.all())
    assert client.post(here, {"act": "remove", "token": "r"}).status_code == 302
    assert not DiscordWebhook.objects.exists()


def test_only_a_webhook_of_discord_is_taken(made: c.Club, cleo: Any) -> None:
    good = f"https://discord.com/{PATH}"
    for wrong in (
        "",
        "https://discord.com/",
        good.replace("discord.com", "discord.com.evil.example"),
        good.replace("discord.com", "127.0.0.1"),
        good.replace("https", "http"),
        good.replace("discord.com", "ada@discord.com"),
        good.replace("discord.com", "discord.com:8080"),
        good + "/../../users/@me",
        good + "?wait=false",
        good.replace(SECRET, "short"),
    ):
        with pytest.raises(Refusal):
            connect_discord(campaign=made.campaign, actor=cleo, address=wrong)
    assert not Event.objects.filter(kind="discord").exists()
    assert connect_discord(campaign=made.campaign, actor=cleo, address=f" {good} ").address == good


def test_what_is_posted_keeps_to_discords_limits() -> None:
    long = "Łódź 🜏 " * 900
    embed = {
        "title": long,
        "description": long,
        "footer": {"text": long},
        "fields": [{"name": long, "value": long, "inline": True}] * 40,
    }
    made = within_limits(embed)
    assert units(made["title"]) <= 256
    assert units(made["description"]) <= 4096
    assert len(made["fields"]) <= 25
    total = units(made["title"]) + units(made["description"]) + units(made["footer"]["text"])
    total += sum(units(field["name"]) + units(field["value"]) for field in made["fields"])
    assert total <= MOST_TOTAL
    assert cut("a" * 10, 10) == "a" * 10
    assert cut("\\*" * 9, 10).rstrip("…").endswith("*")
    lines = cut_lines([f"line {number}" for number in range(2000)], 4096)
    assert units(lines) <= 4096
    assert lines.endswith("more")
    assert plain("@everyone **x** [a](b) <@1>") == r"\@everyone \*\*x\*\* \[a\]\(b\) \<\@1\>"
