"""Texts for Discord: escaped, within its limit, and made of what the campaign's pages say."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from campaigns.discord import LIMIT, bold, escaped, length, split
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from warbands.models import Warband


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*The* _Iron_ `Wolves`", r"\*The\* \_Iron\_ \`Wolves\`"),
        ("||secret|| ~~gone~~", r"\|\|secret\|\| \~\~gone\~\~"),
        ("# Big", r"\# Big"),
        ("- list", r"\- list"),
        ("1. first", "1\u200b. first"),
        ("[name](https://evil.example)", "\\[name\\](https:\u200b//evil.example)"),
        ("@everyone <@123> <#4>", "@\u200beveryone \\<@\u200b123\\> \\<\\#4\\>"),
        (":skull:", r"\:skull:"),
        ("Yüzbaşı, 6 : 2", "Yüzbaşı, 6 : 2"),
    ],
)
def test_a_name_is_shown_letter_by_letter(text: str, shown: str) -> None:
    assert escaped(text) == shown
    assert bold(text) == f"**{shown}**"


@given(st.text(alphabet="ab \n\\*😀", max_size=600), st.integers(min_value=20, max_value=80))
def test_no_message_is_too_long_and_nothing_is_lost(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(0 < length(part) <= limit for part in parts)
    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", text)


def test_a_text_is_cut_between_its_lines() -> None:
    lines = [f"• {'x' * 90} {number}" for number in range(60)]
    parts = split("\n".join(lines))
    assert len(parts) == 3
    assert [line for part in parts for line in part.split("\n")] == lines
    assert all(length(part) <= LIMIT for part in parts)


@pytest.mark.django_db
def test_the_page_has_pairings_results_and_standings(ada: Any, ben: Any, cleo: Any, client: Client) -> None:
    club = c.club(cleo, ada, ben)
    found = open_round(campaign=club.campaign, actor=cleo)
    Warband.objects.filter(pk=club.warband(ada).pk).update(name="@everyone *Wardens*")
    here = reverse("campaign-texts", args=[club.campaign.pk])
    client.force_login(ada)
    assert "nothing to paste" in client.get(here).content.decode()
    row = c.mustered(club, ada, ben, round=found)
    pairings = client.get(here).content.decode()
    assert "**@\u200beveryone \\*Wardens\\*** (ada) against **" in pairings
    c.fight(row, ben, ben, points={ada: 2, ben: 6})
    after = client.get(here).content.decode()
    assert "6\u00a0:\u00a02" in after
    assert "not confirmed yet" in after
    assert "6 points" in after
