"""Scenarios and deeds of a battle, as the edition of its campaign knows them."""

from __future__ import annotations

from dataclasses import replace

from campaigns.models import Battle, Side
from rules.system import DeedChoice, ScenarioChoice


def scenarios(battle: Battle) -> tuple[ScenarioChoice, ...]:
    """Every scenario of the campaign's edition."""
    terms = battle.campaign.terms
    return tuple(terms.game.scenarios(terms.content))


def scenario_of(battle: Battle) -> ScenarioChoice | None:
    """The battle's scenario, if it is chosen and the edition knows it; with an attacker where a part that dice found brings one."""
    found = next((each for each in scenarios(battle) if each.id == battle.scenario_id), None)
    if found is None or found.has_attacker:
        return found
    fell = battle.muster.get("found", {}).values()
    return replace(found, has_attacker=any(part in fell for part in found.attacker_with))


def scenario_name(battle: Battle) -> str:
    """What the battle is called: its scenario; without one what became of it, or its number."""
    found = scenario_of(battle) if battle.scenario_id else None
    otherwise = battle.get_kind_display() if battle.kind != Battle.Kind.PLAYED else f"Battle {battle.pk}"
    return (found.name if found else battle.scenario_name) or otherwise


def deeds_of(battle: Battle) -> tuple[DeedChoice, ...]:
    """The glorious deeds on offer in the battle; of a scenario put together by dice, those that fell and those open everywhere."""
    terms = battle.campaign.terms
    deeds = tuple(terms.game.deeds(terms.content, battle.scenario_id))
    fell = battle.muster.get("found", {}).get("deeds")
    if not fell:
        return deeds
    lists = [terms.game.deeds(terms.content, each.id) for each in scenarios(battle) if each.described]
    everywhere = set.intersection(*({deed.id for deed in offered} for offered in lists))
    return tuple(deed for deed in deeds if deed.id in fell or deed.id in everywhere)


def open_to(deed: DeedChoice, side: Side) -> bool:
    """Whether the side may do the deed: some are the attacker's or the defender's alone, once it is known who that is."""
    return not deed.side or side.is_attacker in (None, deed.side == "attacker")
