"""The pages of a campaign of forty seats in the middle of its season: at most three screens on a desktop, and eight on a phone."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle
from tests.browser.looks import sideways
from tests.conftest import DESKTOP, PHONE
from tests.forty import Forty, forty

pytestmark = pytest.mark.django_db(transaction=True)

SCREEN = {DESKTOP: 800, PHONE: 740}
SCREENS = {DESKTOP: 3, PHONE: 8}


def addresses(made: Forty) -> dict[str, str]:
    """Every page of the campaign that grows with its seats, rounds and battles."""
    pk, slug = made.campaign.pk, made.campaign.slug
    of = {battle.status: battle for battle in made.battles}
    return {
        "desk": "/",
        **{
            name: reverse(name, args=[pk])
            for name in (
                "campaign-show",
                "campaign-administer",
                "player-list",
                "house-rule-list",
                "round-arrange",
                "round-pair",
                "campaign-overview",
                "challenge-list",
                "booklet-print",
                "battle-schedule",
                "news-list",
                "campaign-calendar",
                "campaign-copy",
                "campaign-discord",
                "campaign-states",
                "campaign-texts",
                "bulk-import",
                "region-list",
                "reminder-list",
            )
        },
        "campaign-show, as a table": reverse("campaign-show", args=[pk]) + "?chart=table",
        "campaign-watch": reverse("campaign-watch", args=[slug]),
        "news-watch": reverse("news-watch", args=[slug]),
        **{
            f"house-rule-list, {part}": reverse("house-rule-list", args=[pk]) + f"?edit={part}"
            for part in ("campaign", "ways", "rules", "readings")
        },
        "publication-edit, gazette": reverse("publication-edit", args=[pk, "round-1"]),
        "round-show": reverse("round-show", args=[pk, 8]),
        "round-show, closed": reverse("round-show", args=[pk, 1]),
        "seat-show": reverse("seat-show", args=[made.seats[0].pk]),
        "seat-repair": reverse("seat-repair", args=[made.seats[0].pk]),
        "battle-show": reverse("battle-show", args=[of[Battle.Status.CLOSED].pk]),
        "report-confirm": reverse("report-confirm", args=[of[Battle.Status.REPORTED].pk]),
    }


def test_no_page_of_forty_seats_is_longer_than_one_scrolls(open_page: Any, cleo: Any) -> None:
    made = forty(cleo)
    page, long = open_page(cleo), []
    for name, address in addresses(made).items():
        answer = page.goto(address)
        assert answer.status == 200, name
        for width, screen in SCREEN.items():
            page.set_viewport_size({"width": width, "height": screen})
            height = int(page.evaluate("document.documentElement.scrollHeight"))
            assert sideways(page) <= 0, f"{name} runs over the edge at {width} px"
            if folder := os.environ.get("FORTY_SHOTS"):
                page.screenshot(path=f"{folder}/{name.replace(' ', '-')}-{width}.png", full_page=True)
            if height > SCREENS[width] * screen:
                long.append(f"{name} at {width} px: {height} px, {height / screen:.1f} screens")
    assert not long, "\n".join(long)
