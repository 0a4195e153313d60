"""The scenarios and deeds of a battle, from the edition of its campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Side
from rules.parts.battle import DeedChoice, ScenarioChoice


def scenarios(battle: Battle) -> tuple[ScenarioChoice, ...]:
    terms = battle.campaign.terms
    return tuple(terms.game.battle.scenarios(terms.content))


def scenario_of(battle: Battle) -> ScenarioChoice | None:
    """Return the battle's scenario if the edition has it. Parts determined by dice may add an attacker or reserves."""
    found = next((each for each in scenarios(battle) if each.id == battle.scenario_id), None)
    fell = [part for part in (battle.muster.get("found") or {}).values() if isinstance(part, str)]
    if found is None or not fell:
        return found
    return replace(
        found,
        has_attacker=found.has_attacker or any(part in fell for part in found.attacker_with),
        has_reserves=found.has_reserves or any(part in fell for part in found.reserves_with),
    )


def has_attacker(battle: Battle) -> bool:
    """Return whether a side attacks in the battle.

    The scenario decides. A custom scenario, which only the players know, may have an attacker. Nobody attacks before
    a scenario is set.
    """
    found = scenario_of(battle) if battle.scenario_id else None
    return found.has_attacker if found is not None else bool(battle.scenario_name)


def scenario_name(battle: Battle) -> str:
    """Return the name of the battle: its scenario; without one, its kind if it was not played, or its number."""
    found = scenario_of(battle) if battle.scenario_id else None
    otherwise = (
        battle.get_kind_display() if battle.kind != Battle.Kind.PLAYED else _("Battle {pk}").format(pk=battle.pk)
    )
    left = _left_behind(battle, "scenarios").get(battle.scenario_id)
    return (found.name if found else battle.scenario_name or left) or otherwise


def deeds_of(battle: Battle) -> tuple[DeedChoice, ...]:
    """Return the deeds of the battle.

    In a scenario put together by dice, these are the deeds that were rolled and those of every scenario. A battle that
    was played keeps the deeds of its edition where the campaign has moved to another.
    """
    terms = battle.campaign.terms
    if terms.game.campaign is None:
        return ()
    deeds = terms.game.campaign.deeds(terms.content, battle.scenario_id)
    if battle.status not in AHEAD:
        known = {deed.id for deed in deeds}
        left = _left_behind(battle, "deeds").values()
        deeds = (*deeds, *(deed for row in left if (deed := DeedChoice(**row)).id not in known))
    fell = battle.muster.get("found", {}).get("deeds")
    if not fell:
        return deeds
    everywhere = _open_everywhere(battle)
    return tuple(deed for deed in deeds if deed.id in fell or deed.id in everywhere)


def _left_behind(battle: Battle, kind: str) -> Mapping[str, Any]:
    """Return what a move to another state noted of battles played before, by id: names of scenarios, or deeds."""
    found: Mapping[str, Any] = ((battle.campaign.terms.house_rules.get("kept") or {}).get("battles") or {}).get(
        kind, {}
    )
    return found


def deeds_on_paper(battle: Battle) -> tuple[DeedChoice, ...] | None:
    """Return the deeds for a printed sheet.

    Return None if the deeds must be written in by hand: no scenario is chosen, or the books do not list its deeds.
    Those of `deeds_everywhere` apply even then.
    """
    found = scenario_of(battle)
    return deeds_of(battle) if found is not None and found.described else None


def deeds_everywhere(battle: Battle) -> tuple[DeedChoice, ...]:
    everywhere = _open_everywhere(battle)
    return tuple(deed for deed in deeds_of(battle) if deed.id in everywhere)


def _open_everywhere(battle: Battle) -> set[str]:
    terms = battle.campaign.terms
    campaign = terms.game.campaign
    if campaign is None:
        return set()
    lists = [campaign.deeds(terms.content, each.id) for each in scenarios(battle) if each.described]
    return set.intersection(*({deed.id for deed in offered} for offered in lists)) if lists else set()


def open_to(deed: DeedChoice, side: Side) -> bool:
    """Return whether the side may do the deed. Some deeds are only for the attacker or the defender, once these are known."""
    return not deed.side or side.is_attacker in (None, deed.side == "attacker")


def scenario_lines(scenario: ScenarioChoice | None) -> tuple[tuple[str, str], ...]:
    if scenario is None:
        return ()
    lines = (
        (_("Forces"), scenario.force_words),
        (_("Deployment"), scenario.deployment_words),
        (_("Length"), scenario.length_words),
        (_("Victory"), scenario.victory_words),
        (_("Special"), scenario.special_words),
    )
    return tuple(line for line in lines if line[1])
