"""Muster: scenario, attacker and one side's force on one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from campaigns.models import Battle, Campaign, Side
from campaigns.pages.battle import Flag, flags, since_muster
from campaigns.pages.formatting import against
from campaigns.pages.task_forms import Panel, TaskChoice, ToldLine, choice_of, panel_of, source_words, told_line
from campaigns.scenarios import has_attacker, scenario_name, scenario_of
from campaigns.sequence import run
from campaigns.services.common import listed, side_name
from campaigns.services.muster import Fielded, fielded, injuries_first, last_scenario, setup_draws, sizes
from campaigns.settings_schema import rules_settings
from rules.dice import NeedDice
from rules.formatting import profile_beside
from rules.parts.battle import MusterRow
from rules.parts.verdict import Limits
from rules.problems import Problem, Refusal
from rules.resolution import Task
from warbands.adapters import force_of
from warbands.labels import word, worth_words
from warbands.pages.formatting import clock, day, money, plural
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pages.rule_links import RuleLinks, names_of
from warbands.pages.widgets import Link

AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)


@dataclass(frozen=True, slots=True)
class BattleSetup:
    """Scenario or attacker: what is settled, or the dice or decision that settle it."""

    what: str
    settled: str
    words: str
    lines: tuple[tuple[str, str], ...]
    told: tuple[ToldLine, ...]
    panel: Panel | None
    choice: TaskChoice | None
    stuck: str
    at: int
    mistyped: bool
    options: tuple[tuple[str, str], ...]
    warning: str


@dataclass(frozen=True, slots=True)
class ForceRow:
    """One fighter that may go."""

    key: str
    name: str
    profile: str
    rating: str
    elite: bool
    closed: str
    taken: bool
    upkeep: str
    rolled: str
    stays_out: bool
    waits: bool = False  # in reserve
    words: str = ""  # what else is to be known of it: "lacks 2 Rifle"


@dataclass(frozen=True, slots=True)
class FighterRoll:
    """A fighter that rolls before it goes."""

    key: str
    name: str
    words: str
    panel: Panel | None
    faces: tuple[int, ...]
    source_words: str
    told: str
    mistyped: bool


@dataclass(frozen=True, slots=True)
class ForceBar:
    """What is fielded against what may be."""

    rating_words: str
    over: bool
    fighters_words: str
    fighters_over: bool
    problems: int


@dataclass(frozen=True, slots=True)
class SideTab:
    """A side of the battle at muster."""

    name: str
    href: str
    current: bool
    state_words: str


@dataclass(frozen=True, slots=True)
class OtherSide:
    """What one may see of the others: whether they are ready, and with what problems."""

    name: str
    words: str
    problems: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class MusterPage:
    """The page of one side's muster."""

    pk: int
    title: str
    back: Link
    here: str
    side_pk: int | None
    side: str
    seen: int | None
    tabs: tuple[SideTab, ...]
    open: bool
    set_up_words: str
    scenario: BattleSetup
    attacker: BattleSetup | None
    force_number: int  # which section of the page the force is
    rows: tuple[ForceRow, ...]
    reserves: bool  # whether some of them may wait in reserve
    rolls: tuple[FighterRoll, ...]
    bar: ForceBar | None
    problems: tuple[Flag, ...]
    odd: tuple[Flag, ...]
    upkeep_words: str
    is_ready: bool
    ready_words: str
    since: tuple[Flag, ...]  # what an attacker who mustered later brought about
    all_ready: bool
    report_href: str
    table_href: str
    others: tuple[OtherSide, ...]
    is_guest: bool
    teams: Link | None  # where teams are declared for the battle
    first: Link | None  # the sequence of an earlier battle whose injuries come first
    first_words: str
    rules: tuple[HouseRule, ...]  # the house rules that hold for this force


def muster_page(
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    *,
    playable: Iterable[int],
    chosen: Iterable[str] | None = None,
    typed: Mapping[str, str] | None = None,
    typed_error: str = "",
) -> MusterPage:
    """Build the page: four queries for two sides, with the sides read by `read_sides`.

    `playable` are the sides this person may muster, `chosen` a force that was sent and refused; `typed` brings back dice for the task
    `typed["what"]` (or the fighter `typed["fighter"]`).
    """
    typed = typed or {}
    may = set(playable)
    here = reverse("force-select", args=[battle.pk])
    ahead = battle.status in AHEAD
    ready = [side_name(side) for side in sides if side.ready_at is not None]
    played = {side.pk: last_scenario(side, battle) for side in sides if side.warband is not None}
    scenario = scenario_of(battle) if battle.scenario_id else None
    force = force_of(mine.warband) if mine is not None and mine.warband is not None else None
    attacked = has_attacker(battle)
    state = fielded(battle, mine, force, taken=chosen) if mine is not None and force is not None else None
    limits = _limits(battle, mine, force)
    first, first_words = _first(mine, ahead)
    return MusterPage(
        pk=battle.pk,
        title=f"Muster: {against(sides)}",
        back=Link(
            scenario_name(battle) if battle.scenario_id or battle.scenario_name else "Battle",
            reverse("battle-show", args=[battle.pk]),
        ),
        here=here,
        side_pk=mine.pk if mine is not None else None,
        side=side_name(mine) if mine is not None else "",
        seen=mine.warband.version if mine is not None and mine.warband is not None else None,
        tabs=tuple(
            SideTab(
                side_name(side),
                f"{here}?side={side.pk}",
                mine is not None and side.pk == mine.pk,
                "ready" if side.ready_at else "",
            )
            for side in sides
            if side.pk in may
        )
        if len(may) > 1
        else (),
        open=ahead,
        set_up_words=f"{listed(ready)} {'is' if len(ready) == 1 else 'are'} ready. What is set here now reaches them, and a table that is laid."
        if ready and ahead
        else "",
        scenario=_scenario(battle, sides, played, typed, typed_error),
        attacker=_attacker(battle, sides, typed, typed_error) if attacked else None,
        force_number=3 if attacked else 2,
        rows=_rows(state, mine) if state is not None and mine is not None else (),
        reserves=scenario is not None and scenario.has_reserves,
        rolls=_rolls(state, mine, battle.campaign, typed, typed_error)
        if state is not None and mine is not None
        else (),
        bar=_bar(state, limits, mine) if state is not None else None,
        problems=_problems(state, mine),
        odd=tuple(_flag(problem) for problem in state.odd) if state is not None else (),
        upkeep_words=f"Fielding them asks {money_of(state.upkeep_ducats)} from the strongbox."
        if state is not None and state.upkeep_ducats
        else "",
        is_ready=mine is not None and mine.ready_at is not None,
        ready_words=_ready_words(mine),
        since=since_muster(mine) if mine is not None and mine.ready_at is not None else (),
        all_ready=battle.status == Battle.Status.MUSTERED,
        report_href=reverse("battle-report", args=[battle.pk]),
        table_href=reverse("battle-track", args=[battle.pk]),
        others=tuple(_other(side) for side in sides if mine is None or side.pk != mine.pk),
        is_guest=mine is not None and mine.is_guest,
        teams=_teams(mine, force),
        first=first,
        first_words=first_words,
        rules=active_rules((mine.warband if mine is not None and mine.warband is not None else battle.campaign).terms),
    )


def _first(mine: Side | None, ahead: bool) -> tuple[Link | None, str]:
    """The way to the injuries that come before this muster, and why. At least one query while the side may muster."""
    if mine is None or mine.warband is None or mine.ready_at is not None or not ahead:
        return None, ""
    found = injuries_first(mine)
    if found is None:
        return None, ""
    post_battle, waits = found
    battle = post_battle.side.battle
    words = f"{scenario_name(battle)} comes first: {listed(waits)}. The rest of its sequence may wait."
    return Link("Go there", reverse("post-battle-show", args=[battle.pk, post_battle.warband_id])), words


def _teams(mine: Side | None, force: Any) -> Link | None:
    if mine is None or force is None or mine.warband is None or mine.ready_at is not None:
        return None
    terms = mine.warband.terms
    campaign = terms.game.campaign
    teams = campaign.teams(terms.content, force) if campaign is not None else None
    return Link(teams.title, reverse("team-list", args=[mine.warband.pk])) if teams is not None else None


def money_of(ducats: int) -> str:
    """Ducats in words."""
    return plural(ducats, "ducat")


def _limits(battle: Battle, mine: Side | None, force: Any) -> Limits | None:
    if mine is None or force is None or mine.warband is None:
        return None
    terms = mine.warband.terms
    return terms.game.limits(terms.content, force)


def _ready_words(mine: Side | None) -> str:
    if mine is None or mine.ready_at is None:
        return ""
    version = f", roster v{mine.snapshot.version}" if mine.snapshot is not None else ""
    return f"Ready since {day(mine.ready_at)} {clock(mine.ready_at)}{version}."


def _other(side: Side) -> OtherSide:
    if side.is_guest:
        return OtherSide(side_name(side), "a guest; needs no muster", ())
    return OtherSide(
        side_name(side), "ready" if side.ready_at is not None else "not ready yet", (*flags(side), *since_muster(side))
    )


# --- scenario and attacker -------------------------------------------------------------------------------------------------------


def _fought(side: Side) -> int:
    if side.warband is None:
        return 0
    return int(side.warband.state.get("fought", 0)) + int(side.warband.state.get("credited", 0))


def _scenario(
    battle: Battle, sides: list[Side], played: Mapping[int, str], typed: Mapping[str, str], error: str
) -> BattleSetup:
    terms = battle.campaign.terms
    own = [side for side in sides if side.warband is not None]
    task = terms.game.battle.scenario_task(
        terms.content,
        [_fought(side) + 1 for side in own],
        [p for p in played.values() if p],
        rules_settings(battle.campaign),
        [side_name(side) for side in own],
    )
    found = scenario_of(battle) if battle.scenario_id else None
    name = found.name if found is not None else battle.scenario_name
    again = [side_name(side) for side in own if battle.scenario_id and played.get(side.pk) == battle.scenario_id]
    if terms.game.campaign is None or terms.game.campaign.repeats_scenarios(terms.content):
        again = []
    lines: tuple[tuple[str, str], ...] = ()
    if found is not None and found.described:
        lines = tuple(line for line in (("Forces", found.force_words), ("Length", found.length_words)) if line[1])
    return _setup(
        battle,
        "scenario",
        task,
        settled=name,
        words=found.words if found is not None else "",
        lines=lines,
        options=tuple((each.id, each.name) for each in terms.game.battle.scenarios(terms.content)),
        warning=f"{listed(again)} played it last time too." if again else "",
        typed=typed,
        error=error,
    )


def _attacker(battle: Battle, sides: list[Side], typed: Mapping[str, str], error: str) -> BattleSetup:
    terms = battle.campaign.terms
    task = terms.game.battle.attacker_task(
        terms.content,
        [(str(side.pk), side_name(side), _fought(side)) for side in sides],
        rules_settings(battle.campaign),
        battle.scenario_id,
        sizes([side for side in sides if side.warband is not None]),
    )
    attacker = next((side for side in sides if side.is_attacker), None)
    return _setup(
        battle,
        "attacker",
        task,
        settled=f"{side_name(attacker)} attacks" if attacker is not None else "",
        words="",
        lines=(),
        options=tuple((str(side.pk), f"{side_name(side)} attacks") for side in sides),
        warning="",
        typed=typed,
        error=error,
    )


def _setup(
    battle: Battle,
    what: str,
    task: Task,
    *,
    settled: str,
    words: str,
    lines: tuple[tuple[str, str], ...],
    options: tuple[tuple[str, str], ...],
    warning: str,
    typed: Mapping[str, str],
    error: str,
) -> BattleSetup:
    kept, choices = setup_draws(battle, what), battle.muster.get("choices", {}).get(what, {})
    told: tuple[ToldLine, ...] = ()
    panel, choice, stuck = None, None, ""
    mine = typed if typed.get("what") == what else {}
    try:
        progress = run(task, kept, choices)
    except Refusal as refusal:
        stuck = "" if settled else str(refusal)
    else:
        stored = battle.muster.get("draws", {}).get(what, ())
        told = _told(progress.told, kept, stored, names_of(battle.campaign.terms))
        if not settled and progress.need is not None:
            panel = panel_of(progress.need, battle.campaign, what, mine, error if mine else "")
        if not settled and progress.asked is not None:
            choice = choice_of(progress.asked, choices.get(progress.asked.key), mine, names_of(battle.campaign.terms))
    return BattleSetup(
        what=what,
        settled=settled,
        words=words,
        lines=lines,
        told=told,
        panel=panel,
        choice=choice,
        stuck=stuck,
        at=len(kept),
        mistyped=bool(kept) and kept[-1].origin == "typed",
        options=options,
        warning=warning,
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


# --- the force -------------------------------------------------------------------------------------------------------------------


def _rows(state: Fielded, mine: Side) -> tuple[ForceRow, ...]:
    rolls = mine.force.get("rolls", {})
    assert mine.warband is not None
    terms = mine.warband.terms
    return tuple(
        ForceRow(
            key=row.fighter,
            name=row.name,
            profile=profile_beside(row.name, row.profile_name),
            rating=worth_words(terms, row.rating.ducats, row.rating.glory),
            elite=row.elite,
            closed=row.closed,
            taken=row.fighter in state.taken and not row.closed,
            waits=row.fighter in mine.force.get("reserves", ()),
            words=row.words,
            upkeep=f"asks {money(row.upkeep)} to field" if row.upkeep else "",
            rolled=f"rolled {rolls[row.fighter]['faces'][0]}" if row.fighter in rolls else "",
            stays_out=row.fighter in state.kept_out,
        )
        for row in state.rows
    )


def _rolls(
    state: Fielded, mine: Side, campaign: Campaign, typed: Mapping[str, str], error: str
) -> tuple[FighterRoll, ...]:
    kept = mine.force.get("rolls", {})
    return tuple(
        _roll(row, kept.get(row.fighter), campaign, typed, error)
        for row in state.rows
        if row.roll_out_on and not row.closed
    )


def _roll(
    row: MusterRow, kept: Mapping[str, Any] | None, campaign: Campaign, typed: Mapping[str, str], error: str
) -> FighterRoll:
    faces = "-".join(str(face) for face in sorted({row.roll_out_on[0], row.roll_out_on[-1]}))
    words = f"A D6: on {faces}, {row.name} sits this battle out."
    if kept is not None:
        out = kept["faces"][0] in row.roll_out_on
        told = f"{row.name} sits this battle out." if out else f"{row.name} goes."
        return FighterRoll(
            row.fighter,
            row.name,
            words,
            None,
            tuple(kept["faces"]),
            source_words(kept),
            told,
            kept.get("origin") == "typed",
        )
    mine = typed if typed.get("fighter") == row.fighter else {}
    panel = panel_of(NeedDice(words, 1, 6), campaign, row.fighter, mine, error if mine else "")
    return FighterRoll(row.fighter, row.name, words, panel, (), "", "", False)


def _bar(state: Fielded, limits: Limits | None, mine: Side | None) -> ForceBar:
    worth = state.verdict.fielded if state.verdict.fielded is not None else state.verdict.rating
    going = len([key for key in state.taken if key not in state.kept_out])
    assert mine is not None
    assert mine.warband is not None
    terms = mine.warband.terms
    threshold = limits.threshold if limits is not None else None
    strength = limits.field_strength if limits is not None else None
    return ForceBar(
        rating_words=f"{worth.ducats} of {threshold} {word(terms, 'worth', 'd')}"
        if threshold is not None
        else worth_words(terms, worth.ducats, worth.glory),
        over=threshold is not None and worth.ducats > threshold,
        fighters_words=f"{going} of {strength}" if strength is not None else str(going),
        fighters_over=strength is not None and going > strength,
        problems=len(state.problems),
    )


def _problems(state: Fielded | None, mine: Side | None) -> tuple[Flag, ...]:
    if mine is not None and mine.ready_at is not None:
        return flags(mine)
    return tuple(_flag(problem) for problem in state.problems) if state is not None else ()


def _flag(problem: Problem) -> Flag:
    href = f"#force_{problem.fighter_key}" if problem.fighter_key else ""
    named = "" if problem.message.startswith(problem.fighter or "\0") else problem.fighter
    return Flag(problem.message, problem.mend, problem.source, href, named)
