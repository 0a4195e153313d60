"""A campaign pins versions: files that change or go are told, their effect is seen before it is taken, and nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from campaigns.jobs import keep_overlays
from campaigns.models import Campaign
from campaigns.services.states import foresee_campaign, move_campaign
from rules.content.overlays import states as known_states
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.known_overlays import forget_files
from warbands.models import Event, OverlayCopy, Terms
from warbands.pins import keep_all, pin_changes
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TEXT = """[overlay]
id = "club-prices"
title = "Club prices"
date = "2026-10"
status = "house"
source = "the club"
summary = "A cheaper Brazen Bull."
version = {version}
after = ["tc-2026-04-iron-sultanate"]

[[changes]]
table = "profile_offers"
entry = "iron-sultanate-brazen-bull"
field = "price"
from = {{ ducats = 100 }}
to = {{ ducats = {price} }}
reason = "Too dear."
"""


class Shelf:
    """The site owner's folder of overlays."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "trench_crusade" / "v1_0" / "club-prices.toml"
        self.file.parent.mkdir(parents=True)

    def put(self, price: int, version: int = 1) -> None:
        self.file.write_text(TEXT.format(price=price, version=version), "utf-8")
        forget_files()

    def remove(self) -> None:
        self.file.unlink()
        forget_files()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    before = list(known_states._more)
    made = Shelf(tmp_path)
    known_states.look_also_in(tmp_path)
    made.put(90)
    yield made
    known_states._more[:] = before
    forget_files()


@pytest.fixture
def made(shelf: Shelf, ada: Any, cleo: Any) -> c.Club:
    club = c.club(cleo, edition="1.0", overlays=("club-prices",))
    c.joins(club, ada, sample="bronze-gate")
    return club


def campaign_of(club: c.Club) -> Campaign:
    return Campaign.objects.select_related("terms").get(pk=club.campaign.pk)


def test_a_file_that_changed_is_told_with_its_effect_and_taken_as_one_act(
    shelf: Shelf, made: c.Club, ada: Any, cleo: Any
) -> None:
    terms = campaign_of(made).terms
    assert (terms.pins["club-prices"]["version"], pin_changes(terms)) == (1, ())
    client, page = Client(), reverse("campaign-states", args=[made.campaign.pk])
    client.force_login(cleo)
    desk = reverse("desk-show")
    assert "changed on this server" not in client.get(desk).content.decode()
    shelf.put(85, version=2)
    told = "Club prices was version 1 when it was chosen. This server has version 2 now, and applies it."
    assert told in client.get(page).content.decode()
    assert "changed on this server" in client.get(desk).content.decode()
    theirs, roster = Client(), reverse("warband-show", args=[made.warband(ada).pk])
    theirs.force_login(ada)
    assert "Rules that this warband uses have changed on this server." in theirs.get(roster).content.decode()
    ((_warband, change),) = foresee_campaign(campaign_of(made), ["club-prices"])
    assert [(line.before, line.after) for line in change.lines if line.label == "price"] == [("90 d", "85 d")]
    before = s.document(made.warband(ada))
    move_campaign(campaign=campaign_of(made), overlays=["club-prices"], policy="keep", actor=cleo)
    assert pin_changes(campaign_of(made).terms) == ()
    assert told not in client.get(page).content.decode()
    with pytest.raises(Refusal, match="played already"):
        move_campaign(campaign=campaign_of(made), overlays=["club-prices"], policy="keep", actor=cleo)
    undo(event=Event.objects.filter(kind="state").latest("pk"), actor=cleo)
    assert [each.was for each in pin_changes(campaign_of(made).terms)] == [1]
    assert s.document(made.warband(ada)) == before


def test_a_changed_file_without_a_new_version_is_told_too(shelf: Shelf, made: c.Club, cleo: Any) -> None:
    shelf.put(85)
    client = Client()
    client.force_login(cleo)
    shown = client.get(reverse("campaign-states", args=[made.campaign.pk])).content.decode()
    assert "Club prices: its files changed since it was chosen." in shown


def test_a_roster_tells_of_changed_rules_once_and_leads_to_them(shelf: Shelf, made: c.Club, ada: Any) -> None:
    shelf.put(85)
    client = Client()
    client.force_login(ada)
    warband = made.warband(ada)
    page = client.get(reverse("warband-show", args=[warband.pk])).content.decode()
    assert page.count("Rules that this warband uses have changed on this server.") == 1
    assert f'href="{reverse("warband-states", args=[warband.pk])}">See what changed' in page


def test_where_a_file_is_gone_its_copy_is_applied_and_every_page_opens(
    shelf: Shelf, made: c.Club, ada: Any, cleo: Any
) -> None:
    warband = made.warband(ada)
    rating = s.document(warband)
    shelf.remove()
    client = Client()
    client.force_login(cleo)
    for page in (
        reverse("campaign-states", args=[made.campaign.pk]),
        reverse("warband-show", args=[warband.pk]),
        reverse("campaign-show", args=[made.campaign.pk]),
        reverse("house-rule-list", args=[made.campaign.pk]),
    ):
        assert client.get(page).status_code == 200, page
    shown = client.get(reverse("campaign-states", args=[made.campaign.pk])).content.decode()
    assert "Club prices is no longer on this server. A copy of version 1 is applied." in shown
    assert s.document(made.warband(ada)) == rating
    content: Any = campaign_of(made).terms.content
    assert content.profile_offers["iron-sultanate-brazen-bull"].price.ducats == 90
    with pytest.raises(Refusal, match="No overlay is called"):
        move_campaign(campaign=campaign_of(made), overlays=["club-prices"], policy="keep", actor=cleo)
    ((_warband, change),) = foresee_campaign(campaign_of(made), [])
    assert [(line.before, line.after) for line in change.lines if line.label == "price"] == [("90 d", "100 d")]
    move_campaign(campaign=campaign_of(made), overlays=[], policy="keep", actor=cleo)
    assert campaign_of(made).terms.pins == {}


def test_where_no_copy_is_left_pages_open_with_a_sentence(shelf: Shelf, made: c.Club, ada: Any, cleo: Any) -> None:
    shelf.remove()
    OverlayCopy.objects.all().delete()
    client = Client()
    client.force_login(cleo)
    shown = client.get(reverse("campaign-states", args=[made.campaign.pk])).content.decode()
    assert "Club prices is no longer on this server, and there is no copy." in shown
    for page in ("warband-show", "fighter-hire"):
        assert client.get(reverse(page, args=[made.warband(ada).pk])).status_code == 200, page


def test_terms_from_before_are_pinned_by_the_clock(shelf: Shelf, made: c.Club) -> None:
    Terms.objects.update(pins={})
    OverlayCopy.objects.all().delete()
    from django.utils import timezone

    assert keep_overlays(timezone.now()) == "Terms whose overlays were pinned: 1."
    assert campaign_of(made).terms.pins["club-prices"]["version"] == 1
    assert OverlayCopy.objects.filter(overlay="club-prices").count() == 1
    count = OverlayCopy.objects.count()
    assert (keep_all(), OverlayCopy.objects.count()) == (0, count)


def test_the_check_on_the_console_tells_what_was_pinned(shelf: Shelf, made: c.Club, capsys: Any) -> None:
    shelf.put(85, version=3)
    call_command("content", "check", "trench-crusade/1.0")
    assert "trench-crusade/1.0+club-prices: is version 3 here; 1 terms chose version 1." in capsys.readouterr().err
