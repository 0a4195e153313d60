"""The muster page: scenario, attacker and one side's force."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Campaign, Side
from campaigns.pages.battle_setup import BattleSetup, attacker_setup, scenario_setup
from campaigns.pages.battle_sides import flag_of, flags, since_muster
from campaigns.pages.formatting import against
from campaigns.pages.task_forms import Panel, panel_of, source_words
from campaigns.scenarios import has_attacker, scenario_name, scenario_of
from campaigns.services.common import side_name
from campaigns.services.fielding import Fielded, fielded
from campaigns.services.muster import injuries_first
from rules.dice import NeedDice
from rules.formatting import joined, profile_beside
from rules.parts.battle import MusterRow
from rules.parts.verdict import Limits
from rules.problems import Problem
from warbands.adapters import force_of
from warbands.labels import word, worth_words
from warbands.models import Terms, Warband
from warbands.pages.formatting import clock, day, ducats_words, money
from warbands.pages.house_rules import HouseRule, active_rules
from warbands.pages.widgets import Link, ProblemRow


@dataclass(frozen=True, slots=True)
class ForceRow:
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
    waits: bool = False  # whether it waits in reserve
    words: str = ""  # a note: "lacks 2 Rifle"


@dataclass(frozen=True, slots=True)
class FighterRoll:
    key: str
    name: str
    words: str
    panel: Panel | None = None
    faces: tuple[int, ...] = ()
    source_words: str = ""
    told: str = ""
    mistyped: bool = False


@dataclass(frozen=True, slots=True)
class ForceBar:
    rating_words: str
    over: bool
    fighters_words: str
    fighters_over: bool
    problems: int


@dataclass(frozen=True, slots=True)
class SideTab:
    name: str
    href: str
    current: bool
    state_words: str


@dataclass(frozen=True, slots=True)
class OtherSide:
    name: str
    words: str
    problems: tuple[ProblemRow, ...]


@dataclass(frozen=True, slots=True)
class MusterForce:
    """The side for which the page chooses a force."""

    side_pk: int
    side: str
    tabs: tuple[SideTab, ...]
    rows: tuple[ForceRow, ...]
    reserves: bool  # whether some fighters may wait in reserve
    rolls: tuple[FighterRoll, ...]
    bar: ForceBar
    problems: tuple[ProblemRow, ...]
    odd: tuple[ProblemRow, ...]
    upkeep_words: str
    is_ready: bool
    ready_words: str
    since: tuple[ProblemRow, ...]  # problems that came up after the side was ready
    teams: Link | None  # the page that declares teams
    first: Link | None  # the sequence of an earlier battle with injuries to resolve first
    first_words: str


@dataclass(frozen=True, slots=True)
class MusterPage:
    """A battle's setup, and the force of the side that the user musters, if any."""

    title: str
    back: Link
    here: str
    seen: int | None
    open: bool
    set_up_words: str
    scenario: BattleSetup
    attacker: BattleSetup | None
    force_number: int  # the number of the page section with the force
    force: MusterForce | None
    all_ready: bool
    report_href: str
    table_href: str
    others: tuple[OtherSide, ...]
    rules: tuple[HouseRule, ...]  # the house rules that apply to this force


def muster_page(
    battle: Battle,
    sides: list[Side],
    mine: Side | None,
    *,
    playable: Collection[int],
    chosen: Iterable[str] | None = None,
    typed: Mapping[str, str] | None = None,
    typed_error: str = "",
) -> MusterPage:
    """Build the page. Four queries for two sides; `sides` come from `read_sides`.

    `playable` are the sides that the user may muster, and `mine` is the one shown; they have warbands. `chosen` is a force that was
    submitted and refused. `typed` refills the dice of the task `typed["what"]` (or the fighter `typed["fighter"]`).
    """
    typed = typed or {}
    is_ahead = battle.status in AHEAD
    attacked = has_attacker(battle)
    warband = mine.warband if mine is not None else None
    force = None
    if mine is not None and warband is not None:
        force = _force(battle, mine, warband, _tabs(battle, sides, mine, playable), chosen, typed, typed_error)
    return MusterPage(
        title=f"{word(battle.campaign.terms, 'muster', _('Muster'))}: {against(sides)}",
        back=Link(
            scenario_name(battle) if battle.scenario_id or battle.scenario_name else _("Battle"),
            reverse("battle-show", args=[battle.pk]),
        ),
        here=reverse("force-select", args=[battle.pk]),
        seen=warband.version if warband is not None else None,
        open=is_ahead,
        set_up_words=_set_up_words(sides) if is_ahead else "",
        scenario=scenario_setup(battle, sides, typed, typed_error),
        attacker=attacker_setup(battle, sides, typed, typed_error) if attacked else None,
        force_number=3 if attacked else 2,
        force=force,
        all_ready=battle.status == Battle.Status.MUSTERED,
        report_href=reverse("battle-report", args=[battle.pk]),
        table_href=reverse("battle-track", args=[battle.pk]),
        others=tuple(_other(side) for side in sides if mine is None or side.pk != mine.pk),
        rules=active_rules((warband if warband is not None else battle.campaign).terms),
    )


def _set_up_words(sides: list[Side]) -> str:
    ready = [side_name(side) for side in sides if side.ready_at is not None]
    if not ready:
        return ""
    are = "is" if len(ready) == 1 else "are"
    return _("{ready} {are} ready. Changes here also change their battle and the tracker.").format(
        ready=joined(ready), are=are
    )


def _tabs(battle: Battle, sides: list[Side], mine: Side, playable: Collection[int]) -> tuple[SideTab, ...]:
    if len(playable) < 2:
        return ()
    here = reverse("force-select", args=[battle.pk])
    return tuple(
        SideTab(side_name(side), f"{here}?side={side.pk}", side.pk == mine.pk, "ready" if side.ready_at else "")
        for side in sides
        if side.pk in playable
    )


def _force(
    battle: Battle,
    mine: Side,
    warband: Warband,
    tabs: tuple[SideTab, ...],
    chosen: Iterable[str] | None,
    typed: Mapping[str, str],
    typed_error: str,
) -> MusterForce:
    terms = warband.terms
    force = force_of(warband)
    state = fielded(battle, mine, force, taken=chosen)
    is_ready = mine.ready_at is not None
    scenario = scenario_of(battle) if battle.scenario_id else None
    campaign = terms.game.campaign
    teams = campaign.teams(terms.content, force) if campaign is not None and not is_ready else None
    first, first_words = (None, "") if is_ready or battle.status not in AHEAD else _first(mine)
    return MusterForce(
        side_pk=mine.pk,
        side=side_name(mine),
        tabs=tabs,
        rows=_rows(state, mine, terms),
        reserves=scenario is not None and scenario.has_reserves,
        rolls=_rolls(state, mine, battle.campaign, typed, typed_error),
        bar=_bar(state, terms, terms.game.limits(terms.content, force)),
        problems=flags(mine) if is_ready else tuple(map(_flag, state.problems)),
        odd=tuple(map(_flag, state.odd)),
        upkeep_words=_("Fielding them costs {price}.").format(price=ducats_words(state.upkeep_ducats))
        if state.upkeep_ducats
        else "",
        is_ready=is_ready,
        ready_words=_ready_words(mine),
        since=since_muster(mine) if is_ready else (),
        teams=Link(teams.title, reverse("team-list", args=[warband.pk])) if teams is not None else None,
        first=first,
        first_words=first_words,
    )


def _first(mine: Side) -> tuple[Link | None, str]:
    """Return a link to the injuries to resolve before this muster, and the reason. At least one query."""
    earlier = injuries_first(mine)
    if earlier is None:
        return None, ""
    post_battle, waits = earlier
    battle = post_battle.side.battle
    words = _("{battle} comes first: {tasks}. You can do its other steps later.").format(
        battle=scenario_name(battle), tasks=joined(waits)
    )
    return Link(_("Open post-battle"), reverse("post-battle-show", args=[battle.pk, post_battle.warband_id])), words


def _ready_words(mine: Side) -> str:
    if mine.ready_at is None:
        return ""
    since = f"{day(mine.ready_at)} {clock(mine.ready_at)}"
    if mine.snapshot is None:
        return _("Ready since {moment}.").format(moment=since)
    return _("Ready since {moment}, roster v{version}.").format(moment=since, version=mine.snapshot.version)


def _other(side: Side) -> OtherSide:
    if side.is_guest:
        return OtherSide(side_name(side), _("a guest"), ())
    return OtherSide(
        side_name(side),
        _("ready") if side.ready_at is not None else _("not ready yet"),
        (*flags(side), *since_muster(side)),
    )


def _rows(state: Fielded, mine: Side, terms: Terms) -> tuple[ForceRow, ...]:
    rolls = mine.force.get("rolls", {})
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
            upkeep=_("costs {price} to field").format(price=money(row.upkeep)) if row.upkeep else "",
            rolled=_("rolled {faces}").format(faces=rolls[row.fighter]["faces"][0]) if row.fighter in rolls else "",
            stays_out=row.fighter in state.kept_out,
        )
        for row in state.rows
    )


def _rolls(
    state: Fielded, mine: Side, campaign: Campaign, typed: Mapping[str, str], error: str
) -> tuple[FighterRoll, ...]:
    stored = mine.force.get("rolls", {})
    return tuple(
        _roll(row, stored.get(row.fighter), campaign, typed, error)
        for row in state.rows
        if row.roll_out_on and not row.closed
    )


def _roll(
    row: MusterRow, stored: Mapping[str, Any] | None, campaign: Campaign, typed: Mapping[str, str], error: str
) -> FighterRoll:
    faces = "-".join(str(face) for face in sorted({row.roll_out_on[0], row.roll_out_on[-1]}))
    words = _("D6: on {faces}, {name} misses this battle.").format(faces=faces, name=row.name)
    if stored is None:
        mine = typed if typed.get("fighter") == row.fighter else {}
        panel = panel_of(NeedDice(words, 1, 6), campaign, mine, error if mine else "")
        return FighterRoll(row.fighter, row.name, words, panel)
    stays_out = stored["faces"][0] in row.roll_out_on
    return FighterRoll(
        row.fighter,
        row.name,
        words,
        faces=tuple(stored["faces"]),
        source_words=source_words(stored),
        told=_("{name} misses this battle.").format(name=row.name)
        if stays_out
        else _("{name} takes part.").format(name=row.name),
        mistyped=stored.get("origin") == "typed",
    )


def _bar(state: Fielded, terms: Terms, limits: Limits) -> ForceBar:
    worth, threshold, strength = state.worth, limits.threshold, limits.field_strength
    going = len([key for key in state.taken if key not in state.kept_out])
    return ForceBar(
        rating_words=_("{worth} of {threshold} {unit}").format(
            worth=worth.ducats, threshold=threshold, unit=word(terms, "worth", "d")
        )
        if threshold is not None
        else worth_words(terms, worth.ducats, worth.glory),
        over=threshold is not None and worth.ducats > threshold,
        fighters_words=_("{going} of {strength}").format(going=going, strength=strength)
        if strength is not None
        else str(going),
        fighters_over=strength is not None and going > strength,
        problems=len(state.problems),
    )


def _flag(problem: Problem) -> ProblemRow:
    href = f"#force_{problem.fighter_key}" if problem.fighter_key else ""
    return flag_of(problem.message, problem.mend, problem.source, problem.fighter, href)
