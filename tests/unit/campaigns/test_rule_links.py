"""What battles, reports and decisions name leads to the pages of the rules."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle
from campaigns.pages.rule_links import rules_of, rules_of_options
from rules.resolution import Option
from tests import campaign_stories as c
from warbands.models import Terms
from warbands.pages.rule_links import names_of

pytestmark = pytest.mark.django_db


def test_a_battle_leads_to_its_scenario_and_deeds(client: Any, cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    battle = c.mustered(made, ada, ben)
    Battle.objects.filter(pk=battle.pk).update(scenario_id="armoured-train")
    battle = c.fresh_battle(battle)
    links = {link.label: link.href for link in rules_of(battle)}
    edition = battle.campaign.terms.edition
    assert links["Armoured Train"] == reverse(
        "rule-show", args=["trench-crusade", edition, "scenario", "armoured-train"]
    )
    assert len(links) > 1
    client.force_login(ada)
    page = unescape(client.get(reverse("battle-show", args=[battle.pk])).content.decode())
    assert all(f'href="{href}"' in page for href in links.values())


def test_decisions_lead_to_what_their_options_name_and_never_from_fighters() -> None:
    names = names_of(Terms(system="trench-crusade", edition="1.6.3"))
    options = (Option("moonshine-stash", "Moonshine Stash"), Option("12", "Champion"), Option("x", "Nobody knows this"))
    assert [link.label for link in rules_of_options(names, options)] == ["Moonshine Stash"]
