"""The page of one battle: its stage, its sides, its report, and the actions available next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.battle_result import COUNTED_BY
from campaigns.dice_record import taken_back_words
from campaigns.models import AHEAD, REPORTED, Battle, Campaign, Capture, Report, Side
from campaigns.pages.battle_acts import BattleActs, battle_acts
from campaigns.pages.battle_sides import SideLine, read_sides, side_line, since_words
from campaigns.pages.formatting import against, on_day, until
from campaigns.pages.report_lines import ReportLine, fighter_names, report_line
from campaigns.pages.rule_links import rules_of
from campaigns.scenarios import scenario_lines, scenario_name, scenario_of
from campaigns.services.common import side_name, who_answers
from campaigns.services.reports import POINTS_BY
from campaigns.settings_schema import BY_KEY, setting_of
from rules.formatting import joined
from warbands.models import Event
from warbands.pages.formatting import clock, day
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class BattleStage:
    label: str
    words: str
    state: str  # done, current, later, broken


@dataclass(frozen=True, slots=True)
class BattlePage:
    pk: int
    title: str
    versus: str
    campaign: Link
    round: Link | None
    round_words: str  # the round as plain text, where the page does not link to it
    words: str
    stages: tuple[BattleStage, ...]
    scenario: tuple[tuple[str, str], ...]
    scenario_words: str
    rules: tuple[Link, ...]  # links to the rules of its scenario and deeds
    sides: tuple[SideLine, ...]
    report: ReportLine | None
    acts: BattleActs
    since: tuple[tuple[str, str], ...]  # (problems with the user's force since it mustered, link to take it back)
    captures: tuple[Link, ...]
    news: tuple[tuple[str, str], ...]
    may_change: bool  # whether the user may move it, call it off, or record that it was not played
    may_void: bool
    may_return: bool
    void_href: str
    stands: tuple[str, ...]
    points_agreed: tuple[tuple[str, str], ...]
    unplayed_words: tuple[str, ...]
    planned_for: str
    rounds: tuple[tuple[str, str], ...]
    round_number: str
    kind_choices: tuple[tuple[str, str], ...]


def battle_page(battle: Battle, user: Any, *, administers: bool, mine: Side | None) -> BattlePage:
    """Build the page. Eight queries besides fetching the battle, one more if the page offers the battle sheet."""
    sides = read_sides(battle)
    scenario = scenario_of(battle) if battle.scenario_id else None
    is_ahead = battle.status in AHEAD
    plays = administers or mine is not None
    return BattlePage(
        pk=battle.pk,
        title=scenario_name(battle) if scenario is not None or battle.scenario_name else against(sides),
        versus=against(sides),
        campaign=_home(battle),
        round=_round_link(battle),
        round_words="",
        words=capfirst(_when(battle)),
        stages=_stages(battle, sides),
        scenario=scenario_lines(scenario) if scenario and scenario.described else (),
        scenario_words=scenario.words if scenario else "",
        rules=rules_of(battle),
        sides=tuple(side_line(battle, side, user, administers) for side in sides),
        report=_report(battle, sides),
        acts=battle_acts(battle, sides, mine, administers),
        since=_since(battle, mine),
        captures=_captures(battle),
        news=_news(battle),
        may_change=is_ahead and plays,
        may_void=administers and battle.status in REPORTED,
        may_return=administers and battle.status == Battle.Status.VOID,
        void_href=reverse("battle-void", args=[battle.pk]),
        stands=_stands(battle),
        points_agreed=tuple((f"points_{side.pk}", side_name(side)) for side in sides),
        unplayed_words=_unplayed_words(battle),
        planned_for=_planned_for(battle),
        rounds=_open_rounds(battle) if is_ahead else (),
        round_number=str(battle.round.number) if battle.round else "",
        kind_choices=_unplayed_kinds(),
    )


def _planned_for(battle: Battle) -> str:
    return battle.planned_for.isoformat() if battle.planned_for else ""


def _unplayed_kinds() -> tuple[tuple[str, str], ...]:
    """Return how a battle may end without being played."""
    return tuple(choice for choice in Battle.Kind.choices if choice[0] not in (Battle.Kind.PLAYED, Battle.Kind.BYE))


def _report(battle: Battle, sides: list[Side]) -> ReportLine | None:
    """Return the newest report with `stands` set. One query without a report, three with one."""
    reports = Report.objects.live().filter(battle=battle, stands=True).select_related("by", "by_side__seat")
    report = reports.order_by("number", "pk").last()
    if report is None:
        return None
    return report_line(report, battle, sides, fighter_names(sides), taken_back_words(battle, sides))


def _home(battle: Battle) -> Link:
    if battle.campaign.is_friendly:
        return Link(_("Friendly battles"), reverse("friendly-start"))
    return Link(battle.campaign.name, reverse("campaign-show", args=[battle.campaign_id]))


def _round_link(battle: Battle) -> Link | None:
    if battle.round is None:
        return None
    number = battle.round.number
    return Link(_("Round {number}").format(number=number), reverse("round-show", args=[battle.campaign_id, number]))


def _news(battle: Battle) -> tuple[tuple[str, str], ...]:
    events = Event.objects.filter(occasion=battle.occasion, undoes__isnull=True, undone_by__isnull=True)
    newest = events.exclude(kind__in=QUIET).order_by("-pk")[:8]
    return tuple((f"{day(event.at)}, {clock(event.at)}", event.told) for event in newest)


def _open_rounds(battle: Battle) -> tuple[tuple[str, str], ...]:
    rounds = battle.campaign.rounds.live().filter(is_closed=False)
    return tuple(
        (str(number), _("Round {number}").format(number=number)) for number in rounds.values_list("number", flat=True)
    )


def watched_battle_page(battle: Battle) -> BattlePage:
    """Build the page for spectators, without actions (except watching the table), rosters, disputes or captives. Eight queries."""
    page = battle_page(battle, AnonymousUser(), administers=False, mine=None)
    return replace(
        page,
        campaign=Link(battle.campaign.name, reverse("campaign-watch", args=[battle.campaign.slug])),
        round=None,
        round_words=page.round.label if page.round is not None else "",
        sides=tuple(replace(side, href="", problems=(), since=(), settled_words="", after=None) for side in page.sides),
        report=replace(page.report, dispute_words="") if page.report is not None else None,
        acts=BattleActs(_watched(battle)),
        since=(),
        captures=(),
    )


def _watched(battle: Battle) -> Link | None:
    if battle.status != Battle.Status.MUSTERED or battle.campaign.rosters != Campaign.Rosters.OPEN:
        return None
    return Link(_("Watch the table"), reverse("table-watch", args=[battle.campaign.slug, battle.pk]))


QUIET = ("roll", "choose", "step", "fought", "force", "scenario", "attacker", "write", "close", "reopen")


def _when(battle: Battle) -> str:
    if battle.kind == Battle.Kind.BYE:
        return _("a bye, no win")
    if battle.played_on is not None:
        if battle.kind == Battle.Kind.PLAYED:
            return _("played {day}").format(day=on_day(battle.played_on))
        return f"{battle.get_kind_display().lower()}, {on_day(battle.played_on)}"
    return _("set for {day}").format(day=on_day(battle.planned_for)) if battle.planned_for else _("no day set")


def _stands(battle: Battle) -> tuple[str, ...]:
    """List what voiding the battle did not undo. One query for a void battle, none for others."""
    if battle.status != Battle.Status.VOID:
        return ()
    voided = Event.objects.filter(occasion=battle.occasion, kind="void").order_by("-pk").first()
    return tuple(str(line) for line in voided.data.get("stands", ())) if voided is not None else ()


UNPLAYED = (Battle.Kind.WALK_OVER, Battle.Kind.NO_SHOW, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


def _unplayed_words(battle: Battle) -> tuple[str, ...]:
    """Describe how each kind of battle not played to the end counts in this campaign. No queries."""
    words = []
    for kind in UNPLAYED:
        counted = dict(BY_KEY[COUNTED_BY[kind]].options)[setting_of(battle.campaign, COUNTED_BY[kind])]
        key = POINTS_BY.get(kind)
        label = dict(Battle.Kind.choices)[kind]
        if key is None:
            words.append(f"{label}: {counted}.")
            continue
        points = setting_of(battle.campaign, key)
        words.append(
            ngettext(
                "{kind}: {count} point where none are agreed; {counted}.",
                "{kind}: {count} points where none are agreed; {counted}.",
                points,
            ).format(kind=label, count=points, counted=counted)
        )
    return tuple(words)


def _captures(battle: Battle) -> tuple[Link, ...]:
    held = Capture.objects.live().filter(battle=battle, status=Capture.Status.HELD).select_related("fighter")
    return tuple(
        Link(
            _("{fighter} is held by {captor}").format(fighter=capture.fighter.name, captor=capture.captor_name),
            reverse("capture-settle", args=[capture.pk]),
        )
        for capture in held
    )


LABELS = (
    gettext_lazy("Set up"),
    gettext_lazy("Ready"),
    gettext_lazy("Reported"),
    gettext_lazy("Confirmed"),
    gettext_lazy("Finished"),
)
REACHED = {  # status → index of the current stage; an index past the last stage means that all are done
    Battle.Status.SCHEDULED: 1,
    Battle.Status.MUSTERED: 2,
    Battle.Status.REPORTED: 3,
    Battle.Status.DISPUTED: 3,
    Battle.Status.CONFIRMED: 4,
    Battle.Status.CLOSED: 5,
    Battle.Status.VOID: 5,
}


def _stages(battle: Battle, sides: list[Side]) -> tuple[BattleStage, ...]:
    if battle.status == Battle.Status.CANCELLED:
        return (BattleStage(_("Set up"), "", "done"), BattleStage(_("Cancelled"), "", "broken"))
    reached = REACHED[Battle.Status(battle.status)]
    stages = [
        BattleStage(str(label), "", "done" if index < reached else "current" if index == reached else "later")
        for index, label in enumerate(LABELS)
    ]
    if reached < len(stages):
        stages[reached] = replace(stages[reached], words=_stage_words(battle, sides))
    if battle.status == Battle.Status.DISPUTED:
        stages[reached] = replace(stages[reached], label=_("Disputed"), state="broken")
    if battle.status == Battle.Status.VOID:
        stages[-1] = BattleStage(_("Void"), _("counts for nothing"), "broken")
    return tuple(stages)


def _stage_words(battle: Battle, sides: list[Side]) -> str:
    """Describe what the current stage is waiting for."""
    if battle.status == Battle.Status.SCHEDULED:
        musters = [side for side in sides if not side.is_guest]
        return _("{ready} of {sides} ready").format(
            ready=sum(side.ready_at is not None for side in musters), sides=len(musters)
        )
    if battle.status in (Battle.Status.REPORTED, Battle.Status.DISPUTED):
        waiting = [who_answers(side) for side in sides if side.confirmed_at is None]
        if not waiting:
            return ""
        if battle.confirm_by is None:
            return _("waiting for {players}").format(players=joined(waiting))
        return _("waiting for {players} {until_day}").format(
            players=joined(waiting), until_day=until(battle.confirm_by)
        )
    return _sequences_words(sides) if battle.status == Battle.Status.CONFIRMED else ""


def _sequences_words(sides: list[Side]) -> str:
    open_ones = [
        side_name(side) for side in sides for sequence in side.post_battles.all() if sequence.closed_at is None
    ]
    return _("post-battle open: {sides}").format(sides=joined(open_ones)) if open_ones else ""


def _since(battle: Battle, mine: Side | None) -> tuple[tuple[str, str], ...]:
    """Return problems for a side that mustered before the attacker, with a link to take its force back.

    Return nothing once the force can no longer be taken back.
    """
    if battle.status not in AHEAD or mine is None or mine.ready_at is None or not mine.force.get("since"):
        return ()
    return ((since_words(mine), f"{reverse('force-select', args=[battle.pk])}?side={mine.pk}#force"),)
