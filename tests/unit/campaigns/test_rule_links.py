"""What battles, reports and decisions name leads to the pages of the rules."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle
from campaigns.pages.rule_links import rules_of, rules_of_options
from campaigns.pages.task_forms import MOST_WORDS, choice_of, summed_up
from rules.registry import systems
from rules.resolution import Asked, Option
from tests import campaign_stories as c
from warbands.models import Terms
from warbands.pages.rule_links import names_of

pytestmark = pytest.mark.django_db

EDITIONS = [(game.id, edition) for game in systems() for edition in game.editions()]


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


@pytest.mark.parametrize(("system", "edition"), EDITIONS)
def test_an_option_says_a_rule_shortly_and_opens_to_the_whole_of_it(system: str, edition: str) -> None:
    names = names_of(Terms(system=system, edition=edition))
    entries = [entry for entry in names.entries if entry.words]
    long = [entry for entry in entries if entry.words != summed_up(entry.words)]
    assert long
    assert [entry.name for entry in entries if len(summed_up(entry.words).split()) > MOST_WORDS] == []
    for entry in long:
        asked = Asked("rule", "one", "Which?", (Option("it", entry.name, entry.words), Option("none", "Nothing")))
        choice = choice_of(asked, None, {}, names)
        assert choice.cards[0].words == summed_up(entry.words)
        assert entry.words in choice.cards[0].rule
        assert (choice.cards[1].rule, choice.links) == ("", ())
