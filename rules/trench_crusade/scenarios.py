"""The choice of the scenario that two warbands play, and of the attacker.

Source: Campaign rules 1.6.3, "Selecting a Scenario" and "Campaign Stages"; 1.0, "Selecting a Campaign Scenario".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rules.consequences import Consequence, SetWarband
from rules.content.campaign_entries import RandomPart, Stage, StageRow
from rules.content.compiled import Content
from rules.problems import Refusal
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext
from rules.trench_crusade.steps.context import around

RANDOM = "random-scenario"


def stage_for(content: Content, numbers: Sequence[int], settings: Mapping[str, Any]) -> Stage:
    """Return the campaign stage for warbands about to fight battles with these numbers.

    One sentence of the rules gives the choice to the warband with more battles, another to the lower stage. The
    setting "stage" (or "scenario_stage") decides which applies: "more", the printed procedure and the default, or
    "lower". Battle 9 is listed under two headings and is played on the earlier one.
    """
    reading = settings.get("scenario_stage") or settings.get("stage") or content.reading("stage", "more")
    number = min(numbers) if reading == "lower" else max(numbers)
    stages = content.campaign.stages
    return next((s for s in stages if s.first_battle <= number <= s.last_battle), stages[-1])


def scenario_task(
    content: Content,
    numbers: Sequence[int],
    last_played: Sequence[str],
    settings: Mapping[str, Any],
    names: Sequence[str] = (),
) -> Task:
    """Return the task of rolling the scenario.

    The result is `SetWarband(("scenario",), id)`; the parts of a random scenario come with it. `names` are the
    warbands' names, in the order of `numbers`. If the edition lets one warband pick, the task names it.
    """
    repeats = content.campaign.rules.scenarios_repeat
    played: frozenset[str] = frozenset() if repeats else frozenset(last_played)
    rule = "" if repeats else gettext("; no player plays the same scenario twice running")
    return Task(
        "scenario",
        gettext("Scenario"),
        partial(_resolve_scenario, content, tuple(numbers), played, dict(settings), tuple(names)),
        words=gettext("A D6 on the stage's table{rule}.").format(rule=rule),
    )


def _resolve_scenario(
    content: Content,
    numbers: tuple[int, ...],
    played: frozenset[str],
    settings: Mapping[str, Any],
    names: tuple[str, ...],
    resolution: Resolution,
) -> Outcome:
    stage = stage_for(content, numbers, settings)
    if not stage.rows:
        resolution.tell(gettext("{name}: no roll, the scenario is set.").format(name=stage.name))
        return _outcome(content, stage.scenario, ())
    open_rows = [row for row in stage.rows if row.picked or (row.scenario or RANDOM) not in played]
    if not open_rows:
        raise Refusal(
            gettext("Every scenario of {name} was just played by one of the two.").format(name=stage.name),
            code="scenario",
        )
    row = _rolled_row(content, stage, played, resolution)
    if row.picked:
        return _outcome(content, _picked(content, stage, numbers, names, resolution), ())
    scenario = row.scenario or RANDOM
    found = _outcome(content, scenario, _random_parts(content, resolution) if scenario == RANDOM else ())
    if content.campaign.rules.scenario_swap:
        found = replace(found, will_do=(*found.will_do, gettext("Both sides may agree on another of this table.")))
    return found


def _rolled_row(content: Content, stage: Stage, played: frozenset[str], resolution: Resolution) -> StageRow:
    """Roll on the stage's table until the scenario is none that was played last time."""
    names = [
        gettext("a player picks") if r.picked else content.name("scenario", r.scenario or RANDOM) for r in stage.rows
    ]
    rows = tuple(
        TableRow(str(row.roll), gettext("A player picks") if row.picked else name)
        for row, name in zip(stage.rows, names, strict=True)
    )
    why = gettext("Scenario, {stage}").format(stage=stage.name)
    while True:
        draw = resolution.roll(1, 6, why)
        index = next(i for i, row in enumerate(stage.rows) if row.roll == draw.total)
        row, fell = stage.rows[index], f"{stage.name}, {draw.total}: {names[index]}"
        if row.picked or (row.scenario or RANDOM) not in played:
            resolution.tell(f"{fell}.", draw, around(rows, index))
            return row
        resolution.tell(
            gettext("{fell} was played last time, so it is rolled again.").format(fell=fell), draw, around(rows, index)
        )
        why = gettext("Scenario, {stage}, again").format(stage=stage.name)


def _of_stage(content: Content, stage: Stage) -> tuple[Option, ...]:
    ids = [row.scenario for row in stage.rows if row.scenario]
    return tuple(Option(one, content.name("scenario", one)) for one in dict.fromkeys(ids))


def _picked(
    content: Content, stage: Stage, numbers: tuple[int, ...], names: tuple[str, ...], resolution: Resolution
) -> str:
    """Return the scenario picked by the warband with fewer battles. Warbands with equal numbers roll off."""
    called = [
        names[place] if place < len(names) else gettext("Warband {number}").format(number=place + 1)
        for place in range(len(numbers))
    ]
    rolling = [place for place, number in enumerate(numbers) if number == min(numbers)]
    while len(rolling) > 1:
        thrown = []
        for place in rolling:
            draw = resolution.roll(1, 6, gettext("Who picks: {called}").format(called=called[place]))
            resolution.tell(f"{called[place]}: {draw.total}.", draw)
            thrown.append((draw.total, place))
        best = max(total for total, _ in thrown)
        rolling = [place for total, place in thrown if total == best]
    who = called[rolling[0]] if rolling else gettext("The table")
    return resolution.choose("pick", gettext("{who} picks the scenario.").format(who=who), _of_stage(content, stage))


def _outcome(content: Content, scenario: str, parts: Iterable[Consequence]) -> Outcome:
    does = (SetWarband(("scenario",), scenario), *parts)
    found = [c for c in does if isinstance(c, SetWarband)]
    names = {part.id: part.name for part in content.pack.random_parts}
    lines = [
        f"{c.path[0].capitalize()}: {names[c.value]}." for c in found if isinstance(c.value, str) and c.value in names
    ]
    for change in found:
        if change.path == ("deeds",):
            lines.append(
                gettext("Glorious deeds: {listed}.").format(
                    listed=", ".join(content.deeds[deed].name for deed in change.value)
                )
            )
    return Outcome(
        gettext("The scenario is {name}.").format(name=content.name("scenario", scenario)), tuple(lines), does
    )


def _random_parts(content: Content, resolution: Resolution) -> tuple[Consequence, ...]:
    """Roll a D6 each for deployment and objective, then choose the deeds.

    A deployment that the objective rules out is rolled again.
    """
    deployment = _part(content, resolution, "deployment", gettext("Deployment"))
    objective = _part(content, resolution, "objective", gettext("Objective"))
    while deployment.id in objective.not_with or objective.id in deployment.not_with:
        resolution.tell(
            gettext("{name} does not go with {deployment_name}: the deployment is rolled again.").format(
                name=objective.name, deployment_name=deployment.name
            )
        )
        deployment = _part(content, resolution, "deployment", gettext("Deployment again"))
    does = [SetWarband(("deployment",), deployment.id), SetWarband(("objective",), objective.id)]
    deeds = _random_deeds(content, resolution)
    if deeds:
        does.append(SetWarband(("deeds",), deeds))
    return tuple(does)


def _part(content: Content, resolution: Resolution, kind: str, why: str) -> RandomPart:
    parts = sorted((p for p in content.pack.random_parts if p.kind == kind and p.roll), key=lambda p: p.roll)
    draw = resolution.roll(1, 6, why)
    place = next(i for i, part in enumerate(parts) if part.roll == draw.total)
    rows = tuple(TableRow(str(part.roll), part.name) for part in parts)
    resolution.tell(f"{why}, {draw.total}: {parts[place].name}.", draw, around(rows, place))
    return parts[place]


def _random_deeds(content: Content, resolution: Resolution) -> list[str]:
    """Choose one deed of each group: rolled if the group has six, given if it has one."""
    found = []
    for group in sorted({d.random_group for d in content.pack.deeds if d.random_group}):
        deeds = [d for d in content.pack.deeds if d.random_group == group]
        if len(deeds) != 6:
            found.append(deeds[0].id)
            continue
        draw = resolution.roll(1, 6, gettext("Glorious deed, group {group}").format(group=group))
        place = draw.total - 1
        rows = tuple(TableRow(str(i), d.name) for i, d in enumerate(deeds, 1))
        resolution.tell(
            gettext("Group {group}, {total}: {name}.").format(group=group, total=draw.total, name=deeds[place].name),
            draw,
            around(rows, place),
        )
        found.append(deeds[place].id)
    return found


def attacker_task(
    content: Content,
    sides: Sequence[tuple[str, str, int]],
    settings: Mapping[str, Any],
    scenario: str = "",
    sizes: Mapping[str, int] | None = None,
) -> Task:
    """Return the task that decides who attacks. The result is `SetWarband(("attacker",), side id)`.

    In one edition the side with fewer battles decides, else a roll-off does. In another the scenario decides: `sizes`
    are the numbers of fighters on each side's roster, and if they are equal or nothing is stated, the winner of a
    roll-off chooses. A scenario that contradicts "fewer battles" takes precedence, unless the setting "attacker" is
    "fewer-battles": then only sides with equal numbers of battles roll.
    """
    entry = content.scenarios.get(scenario)
    by = entry.attacker_by if entry is not None else ""
    everywhere = content.campaign.rules.attacker == "scenario"
    reading = settings.get("attacker") or content.reading("attacker", "scenario")
    if not everywhere and (not by or reading == "fewer-battles"):
        return Task(
            "attacker",
            gettext("Attacker"),
            partial(_resolve_attacker, tuple(sides)),
            words=gettext("Fewer battles decides; else a roll-off."),
        )
    larger = by == "larger-warband"
    return Task(
        "attacker",
        gettext("Attacker"),
        partial(_resolve_by_scenario, tuple(sides), dict(sizes or {}) if larger else {}, everywhere or not larger),
        words=gettext("The larger warband attacks; else a roll-off.")
        if larger
        else gettext("A roll-off; its winner chooses."),
    )


def _resolve_by_scenario(
    sides: tuple[tuple[str, str, int], ...], sizes: Mapping[str, int], chooses: bool, resolution: Resolution
) -> Outcome:
    """Let the largest side attack. Among equal sides the winner of a roll-off attacks, or chooses who does."""
    most = max((sizes.get(side_id, 0) for side_id, _, _ in sides), default=0)
    largest = [side for side in sides if sizes.get(side[0], 0) == most]
    if len(largest) == 1:
        side_id, name, _ = largest[0]
        counts = ", ".join(f"{one} {sizes.get(key, 0)}" for key, one, _ in sides)
        words = (gettext("The larger warband: {counts}.").format(counts=counts),)
        return Outcome(gettext("{name} attacks.").format(name=name), words, (SetWarband(("attacker",), side_id),))
    winner = _rolled_off(largest, resolution)
    if not chooses:
        return Outcome(
            gettext("{winner} attacks.").format(winner=winner[1]),
            (gettext("The roll-off decided."),),
            (SetWarband(("attacker",), winner[0]),),
        )
    names = {
        side_id: name for side_id, name, _ in (winner, *sides)
    }  # attacking is listed first, as the winner's usual answer
    options = tuple(Option(side_id, gettext("{name} attacks").format(name=name)) for side_id, name in names.items())
    picked = resolution.choose(
        "attacker", gettext("{winner} won the roll-off and chooses who attacks.").format(winner=winner[1]), options
    )
    return Outcome(
        gettext("{names} attacks.").format(names=names[picked]),
        (gettext("{winner} chose.").format(winner=winner[1]),),
        (SetWarband(("attacker",), picked),),
    )


def _rolled_off(sides: Sequence[tuple[str, str, int]], resolution: Resolution) -> tuple[str, str, int]:
    """Return the winner of a roll-off. Ties roll again."""
    rolling = list(sides)
    while len(rolling) > 1:
        thrown = []
        for side_id, name, _ in rolling:
            draw = resolution.roll(1, 6, gettext("Roll-off: {name}").format(name=name))
            resolution.tell(f"{name}: {draw.total}.", draw)
            thrown.append((draw.total, side_id))
        best = max(total for total, _ in thrown)
        rolling = [side for side in rolling if (best, side[0]) in thrown]
        if len(rolling) > 1:
            resolution.tell(gettext("A tie: those who tied roll again."))
    return rolling[0]


def _resolve_attacker(sides: tuple[tuple[str, str, int], ...], resolution: Resolution) -> Outcome:
    fewest = min(fought for _, _, fought in sides)
    behind = [side for side in sides if side[2] == fewest]
    names = {side_id: name for side_id, name, _ in sides}
    if len(behind) == 1:
        decider = behind[0][1]
        options = tuple(Option(side_id, gettext("{name} attacks").format(name=name)) for side_id, name, _ in sides)
        picked = resolution.choose(
            "attacker",
            gettext("{decider} has fought fewer battles and decides who attacks.").format(decider=decider),
            options,
        )
        return Outcome(
            gettext("{names} attacks.").format(names=names[picked]),
            (gettext("{decider} chose.").format(decider=decider),),
            (SetWarband(("attacker",), picked),),
        )
    winner = _rolled_off(behind, resolution)
    return Outcome(
        gettext("{winner} attacks.").format(winner=winner[1]),
        (gettext("The roll-off decided."),),
        (SetWarband(("attacker",), winner[0]),),
    )
