"""Which scenario two warbands play, and who attacks.

Source: Campaign rules 1.6.3, "Selecting a Scenario" and "Campaign Stages".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rules.consequences import Consequence, SetWarband
from rules.content.compiled import Content
from rules.content.schema import RandomPart, Stage
from rules.desk import Desk, Option, Outcome, TableRow, Task
from rules.problems import Refusal
from rules.trench_crusade.lookup import Book, book
from rules.trench_crusade.steps.scene import around

RANDOM = "random-scenario"


def stage_for(known: Book, numbers: Sequence[int], settings: Mapping[str, Any]) -> Stage:
    """The campaign stage for warbands about to fight battles with these numbers.

    One sentence gives the choice to the warband with more battles, another to the lower stage; the setting "stage" (or
    "scenario_stage") says which is read: "more", the printed procedure and the default, or "lower". Battle 9 stands under two
    headings and is played on the earlier one.
    """
    reading = settings.get("scenario_stage") or settings.get("stage") or known.content.reading("stage", "more")
    number = min(numbers) if reading == "lower" else max(numbers)
    stages = known.campaign.stages
    return next((s for s in stages if s.first_battle <= number <= s.last_battle), stages[-1])


def scenario_task(
    content: Content, numbers: Sequence[int], last_played: Sequence[str], settings: Mapping[str, Any]
) -> Task:
    """Rolling the scenario. It comes back as `SetWarband(("scenario",), id)`; the parts of a random one stand beside it."""
    return Task(
        "scenario",
        "Scenario",
        partial(_resolve_scenario, book(content), tuple(numbers), frozenset(last_played), dict(settings)),
        words="A D6 on the stage's table; nobody plays the same scenario twice running.",
    )


def _resolve_scenario(
    known: Book, numbers: tuple[int, ...], played: frozenset[str], settings: Mapping[str, Any], desk: Desk
) -> Outcome:
    stage = stage_for(known, numbers, settings)
    if not stage.rows:
        desk.tell(f"{stage.name}: no roll, the scenario is set.")
        return _outcome(known, stage.scenario, ())
    open_rows = [row for row in stage.rows if (row.scenario or RANDOM) not in played]
    if not open_rows:
        raise Refusal(f"Every scenario of {stage.name} was just played by one of the two.", code="scenario")
    rows = tuple(TableRow(str(row.roll), known.scenario_name(row.scenario or RANDOM)) for row in stage.rows)
    why = f"Scenario, {stage.name}"
    while True:
        draw = desk.roll(1, 6, why)
        place = next(i for i, row in enumerate(stage.rows) if row.roll == draw.total)
        scenario = stage.rows[place].scenario or RANDOM
        name = known.scenario_name(scenario)
        if scenario not in played:
            desk.tell(f"{stage.name}, {draw.total}: {name}.", draw, around(rows, place))
            break
        desk.tell(
            f"{stage.name}, {draw.total}: {name} was played last time, so it is rolled again.",
            draw,
            around(rows, place),
        )
        why = f"Scenario, {stage.name}, again"
    return _outcome(known, scenario, _random_parts(known, desk) if scenario == RANDOM else ())


def _outcome(known: Book, scenario: str, parts: Iterable[Consequence]) -> Outcome:
    does = (SetWarband(("scenario",), scenario), *parts)
    found = [c for c in does if isinstance(c, SetWarband)]
    names = {part.id: part.name for part in known.pack.random_parts}
    lines = [
        f"{c.path[0].capitalize()}: {names[c.value]}." for c in found if isinstance(c.value, str) and c.value in names
    ]
    for change in found:
        if change.path == ("deeds",):
            lines.append(f"Glorious deeds: {', '.join(known.deeds[deed].name for deed in change.value)}.")
    return Outcome(f"The scenario is {known.scenario_name(scenario)}.", tuple(lines), does)


def _random_parts(known: Book, desk: Desk) -> tuple[Consequence, ...]:
    """Deployment and objective by a D6 each; a deployment that the objective rules out is rolled again; then the deeds."""
    deployment = _part(known, desk, "deployment", "Deployment")
    objective = _part(known, desk, "objective", "Objective")
    while deployment.id in objective.not_with or objective.id in deployment.not_with:
        desk.tell(f"{objective.name} does not go with {deployment.name}: the deployment is rolled again.")
        deployment = _part(known, desk, "deployment", "Deployment again")
    does = [SetWarband(("deployment",), deployment.id), SetWarband(("objective",), objective.id)]
    deeds = _random_deeds(known, desk)
    if deeds:
        does.append(SetWarband(("deeds",), deeds))
    return tuple(does)


def _part(known: Book, desk: Desk, kind: str, why: str) -> RandomPart:
    parts = sorted((p for p in known.pack.random_parts if p.kind == kind and p.roll), key=lambda p: p.roll)
    draw = desk.roll(1, 6, why)
    place = next(i for i, part in enumerate(parts) if part.roll == draw.total)
    rows = tuple(TableRow(str(part.roll), part.name) for part in parts)
    desk.tell(f"{why}, {draw.total}: {parts[place].name}.", draw, around(rows, place))
    return parts[place]


def _random_deeds(known: Book, desk: Desk) -> list[str]:
    """One deed of each group: rolled where the group has six, given where it has one."""
    found = []
    for group in sorted({d.random_group for d in known.pack.deeds if d.random_group}):
        deeds = [d for d in known.pack.deeds if d.random_group == group]
        if len(deeds) != 6:
            found.append(deeds[0].id)
            continue
        draw = desk.roll(1, 6, f"Glorious deed, group {group}")
        place = draw.total - 1
        rows = tuple(TableRow(str(i), d.name) for i, d in enumerate(deeds, 1))
        desk.tell(f"Group {group}, {draw.total}: {deeds[place].name}.", draw, around(rows, place))
        found.append(deeds[place].id)
    return found


def attacker_task(content: Content, sides: Sequence[tuple[str, str, int]], settings: Mapping[str, Any]) -> Task:
    """Who attacks: the side with fewer battles decides, else a roll-off. The result is `SetWarband(("attacker",), side id)`."""
    return Task(
        "attacker",
        "Attacker",
        partial(_resolve_attacker, tuple(sides)),
        words="Fewer battles decides; else a roll-off.",
    )


def _resolve_attacker(sides: tuple[tuple[str, str, int], ...], desk: Desk) -> Outcome:
    fewest = min(fought for _, _, fought in sides)
    behind = [side for side in sides if side[2] == fewest]
    names = {side_id: name for side_id, name, _ in sides}
    if len(behind) == 1:
        decider = behind[0][1]
        options = tuple(Option(side_id, f"{name} attacks") for side_id, name, _ in sides)
        picked = desk.choose("attacker", f"{decider} has fought fewer battles and decides who attacks.", options)
        return Outcome(f"{names[picked]} attacks.", (f"{decider} chose.",), (SetWarband(("attacker",), picked),))
    rolling = behind
    while len(rolling) > 1:
        thrown = []
        for side_id, name, _ in rolling:
            draw = desk.roll(1, 6, f"Roll-off: {name}")
            desk.tell(f"{name}: {draw.total}.", draw)
            thrown.append((draw.total, side_id))
        best = max(total for total, _ in thrown)
        rolling = [side for side in rolling if (best, side[0]) in thrown]
        if len(rolling) > 1:
            desk.tell("A tie: those who tied roll again.")
    winner = rolling[0]
    return Outcome(f"{winner[1]} attacks.", ("The roll-off decided.",), (SetWarband(("attacker",), winner[0]),))
