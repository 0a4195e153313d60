"""A fighter who is named like its profile: no page and no sheet says both."""

from __future__ import annotations

import html
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.services.tracker import begin_table
from tests import campaign_stories as c
from tests.drills import sampled
from warbands.models import ShareLink
from warbands.services.sharing import print_link

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TWICE = re.compile(r"\b(Shocktrooper|Lieutenant|Combat Engineer)( 2)?,?\s+(?:\1\b)")


def words_of(answer: Any) -> str:
    """The words of a page or a PDF in one line."""
    if answer["Content-Type"] == "application/pdf":
        pages = PdfReader(io.BytesIO(answer.content)).pages
        return " ".join(" ".join(page.extract_text().split()) for page in pages)
    found = re.sub(r"<(script|style|select|datalist|title)\b.*?</\1>", " ", answer.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found)).split())


@pytest.mark.parametrize("edition", sampled(["1.6.3", "1.0"], 1, always=["1.0"]))
def test_name_and_profile_alike_are_said_once(client: Client, cleo: Any, ada: Any, ben: Any, edition: str) -> None:
    campaign = c.open_campaign(actor=cleo, name="The Long Wire", system="trench-crusade", edition=edition)
    made = c.Club(campaign, cleo)
    for player in (ada, ben):
        c.joins(made, player, sample="lantern-wardens")
        for profile, name in zip(("shocktrooper", "lieutenant"), ("Shocktrooper", "Lieutenant 2"), strict=True):
            fighter = made.warband(player).fighters.filter(profile_id=profile).first()
            assert fighter is not None
            fighter.name = name
            fighter.save(update_fields=["name"])
    warband = made.warband(ada)
    fighter = warband.fighters.get(name="Shocktrooper")
    battle = c.battle(made, ada, ben, scenario="")
    client.force_login(ada)
    looked = {}

    def look(name: str, *args: Any, query: str = "") -> None:
        answer = client.get(reverse(name, args=args) + query)
        assert answer.status_code == 200, name
        looked[name + query] = words_of(answer)

    look("force-select", battle.pk)
    row = c.mustered(made, ada, ben, scenario="")
    begin_table(battle=row, actor=ada)
    look("warband-show", warband.pk)
    look("roster-download", warband.pk, query="?chosen=1&cards=on")
    look("fighter-hire", warband.pk)
    for name in ("fighter-show", "fighter-dismiss", "kit-buy", "upgrade-buy"):
        look(name, fighter.pk)
    look("battle-show", row.pk)
    look("battle-report", row.pk)
    look("battle-track", row.pk)
    look("battle-sheet", row.pk)
    look("crib-print", query=f"?battle={row.pk}")
    link = print_link(warband)
    assert isinstance(link, ShareLink)
    look("warband-watch", link.slug)
    assert sum("Shocktrooper" in words for words in looked.values()) > 10
    assert {name: TWICE.search(words)[0] for name, words in looked.items() if TWICE.search(words)} == {}  # type: ignore[index]
