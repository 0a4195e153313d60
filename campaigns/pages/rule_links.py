"""Links from a battle and its sequences to the rules pages."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Battle
from campaigns.scenarios import deeds_of, scenario_of
from rules.resolution import Option
from warbands.pages.rule_links import RuleLinks, names_of
from warbands.pages.widgets import Link


def rules_of(battle: Battle) -> tuple[Link, ...]:
    """Return links to the rules of a battle's scenario and deeds. No queries if the campaign's terms are loaded."""
    names = names_of(battle.campaign.terms)
    found = [Link(one.name, names.href(one.id, "scenario")) for one in [scenario_of(battle)] if one is not None]
    if found:
        found += [Link(deed.name, names.href(deed.id, "deed")) for deed in deeds_of(battle)]
    return tuple(link for link in found if link.href)


def rules_of_options(names: RuleLinks, options: Iterable[Option]) -> tuple[Link, ...]:
    """Return links to the rules of a decision's options, each once. Options that are rows of a roster have none."""
    found = {o.title: names.href_of_name(o.title) for o in options if not o.value.isdigit()}
    return tuple(Link(title, href) for title, href in found.items() if href)
