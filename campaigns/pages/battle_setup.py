"""The scenario and attacker sections of the muster page. Each shows its result, or the dice or decision that will settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, Side
from campaigns.pages.task_forms import Panel, TaskChoice, ToldLine, choice_of, panel_of, source_words, told_line
from campaigns.scenarios import scenario_of
from campaigns.sequence import run
from campaigns.services.battle_setup import last_scenario, setup_choices, setup_draws, sizes
from campaigns.services.common import side_name
from campaigns.settings_schema import rules_settings
from rules.formatting import joined
from rules.problems import Refusal
from rules.resolution import Task
from warbands.pages.rule_links import RuleLinks, names_of


@dataclass(frozen=True, slots=True)
class BattleSetup:
    """The scenario or attacker section: the result, or the dice or decision that will settle it. `at` counts the rolls so far."""

    what: str
    settled: str
    options: tuple[tuple[str, str], ...]
    told: tuple[ToldLine, ...] = ()
    panel: Panel | None = None
    choice: TaskChoice | None = None
    stuck: str = ""
    at: int = 0
    mistyped: bool = False
    words: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    warning: str = ""


def scenario_setup(battle: Battle, sides: list[Side], typed: Mapping[str, str], error: str) -> BattleSetup:
    """Return the scenario section of the page. One query for each side with a warband."""
    terms = battle.campaign.terms
    own = [side for side in sides if side.warband is not None]
    played = {side.pk: last_scenario(side, battle) for side in own}
    task = terms.game.battle.scenario_task(
        terms.content,
        [_fought(side) + 1 for side in own],
        [name for name in played.values() if name],
        rules_settings(battle.campaign),
        [side_name(side) for side in own],
    )
    scenario = scenario_of(battle) if battle.scenario_id else None
    setup = BattleSetup(
        what="scenario",
        settled=scenario.name if scenario is not None else battle.scenario_name,
        options=tuple((each.id, each.name) for each in terms.game.battle.scenarios(terms.content)),
        warning=_repeat_warning(battle, own, played),
    )
    if scenario is not None:
        lines = (
            ((_("Forces"), scenario.force_words), (_("Length"), scenario.length_words)) if scenario.described else ()
        )
        setup = replace(setup, words=scenario.words, lines=tuple(line for line in lines if line[1]))
    return _with_task(setup, battle, task, typed, error)


def _repeat_warning(battle: Battle, own: list[Side], played: Mapping[int, str]) -> str:
    terms = battle.campaign.terms
    campaign = terms.game.campaign
    if not battle.scenario_id or campaign is None or campaign.repeats_scenarios(terms.content):
        return ""
    again = [side_name(side) for side in own if played[side.pk] == battle.scenario_id]
    return _("{again} played it last time too.").format(again=joined(again)) if again else ""


def attacker_setup(battle: Battle, sides: list[Side], typed: Mapping[str, str], error: str) -> BattleSetup:
    """Return the attacker section of the page. One query."""
    terms = battle.campaign.terms
    task = terms.game.battle.attacker_task(
        terms.content,
        [(str(side.pk), side_name(side), _fought(side)) for side in sides],
        rules_settings(battle.campaign),
        battle.scenario_id,
        sizes([side for side in sides if side.warband is not None]),
    )
    options = tuple((str(side.pk), _("{side} attacks").format(side=side_name(side))) for side in sides)
    settled = next((_("{side} attacks").format(side=side_name(side)) for side in sides if side.is_attacker), "")
    return _with_task(BattleSetup("attacker", settled, options), battle, task, typed, error)


def _fought(side: Side) -> int:
    if side.warband is None:
        return 0
    return int(side.warband.state.get("fought", 0)) + int(side.warband.state.get("credited", 0))


def _with_task(setup: BattleSetup, battle: Battle, task: Task, typed: Mapping[str, str], error: str) -> BattleSetup:
    """Return the setup with the progress of its task: the rolls so far, and the dice or decision needed next."""
    draws, choices = setup_draws(battle, setup.what), setup_choices(battle, setup.what)
    setup = replace(setup, at=len(draws), mistyped=bool(draws) and draws[-1].origin == "typed")
    try:
        progress = run(task, draws, choices)
    except Refusal as refusal:
        return replace(setup, stuck="" if setup.settled else str(refusal))
    names = names_of(battle.campaign.terms)
    stored = battle.muster.get("draws", {}).get(setup.what, ())
    setup = replace(setup, told=_told(progress.told, draws, stored, names))
    if setup.settled:
        return setup
    mine = typed if typed.get("what") == setup.what else {}
    need, asked = progress.need, progress.asked
    return replace(
        setup,
        panel=panel_of(need, battle.campaign, mine, error if mine else "") if need is not None else None,
        choice=choice_of(asked, choices.get(asked.key), mine, names) if asked is not None else None,
    )


def _told(lines: Iterable[Any], kept: Any, stored: Any, names: RuleLinks) -> tuple[ToldLine, ...]:
    shown, spoken = [], 0
    for line in lines:
        source = ""
        if line.draw is not None and spoken < len(stored):
            source, spoken = source_words(stored[spoken]), spoken + 1
        shown.append(told_line(line, line.draw.faces if line.draw is not None else (), source, names))
    for draw, data in list(zip(kept, stored, strict=False))[spoken:]:
        shown.append(ToldLine(draw.why, draw.faces, source_words(data)))
    return tuple(shown)
