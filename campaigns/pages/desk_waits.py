"""The tasks waiting for a user in their campaigns, one line each with a button to continue. No queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import TypeVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.kept_drafts import KeptDraft, kept_draft_of
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat, Side
from campaigns.pages.battle_queries import (
    draft_of,
    report_of,
    reports_of,
    sequence_of,
    sides_of,
)
from campaigns.pages.battle_sides import since_words
from campaigns.pages.desk_queries import Board
from campaigns.pages.formatting import against, until, versus
from campaigns.pages.matters import (
    Matters,
    has_problems,
    matters_of,
)
from campaigns.scenarios import scenario_name
from campaigns.services.common import is_unclaimed, side_name
from campaigns.settings_schema import setting_of
from config.dates import short_day
from warbands.pages.formatting import ducats_words, problems_words
from warbands.pages.states import newer
from warbands.pins import pin_changes


@dataclass(frozen=True, slots=True)
class Wait:
    """One line of the list, which is sorted by `since`, oldest first."""

    key: str
    icon: str
    title: str
    meta: str
    href: str
    label: str
    since: datetime
    campaign: str = ""


def _mend_waits(board: Board) -> Iterable[Wait]:
    for side in board.to_mend:
        assert side.warband is not None
        flag = side.force["flag"]
        yield Wait(
            f"mend_{side.pk}",
            "hammer",
            _("Fix {name}: {problem_count}").format(
                name=side.warband.name, problem_count=problems_words(side.warband.problem_count)
            ),
            _("{flag}, after {scenario_name}: “{flag_2}”").format(
                flag=flag["by"], scenario_name=scenario_name(side.battle), flag_2=flag["words"]
            ),
            reverse("warband-show", args=[side.warband_id]),
            _("Fix roster"),
            datetime.fromisoformat(flag["at"]),
            side.battle.campaign.name,
        )


def _roster_waits(board: Board) -> Iterable[Wait]:
    asked = {side.warband_id for side in board.to_mend}
    for seat in board.seats:
        mine = seat.user_id == board.user.pk or board.acts_for(seat.warband)
        running = seat.campaign.status == Campaign.Status.RUNNING and seat.status != Seat.Status.LEFT
        if not (mine and running and has_problems(seat)) or seat.warband_id in asked:
            continue
        assert seat.warband is not None
        yield Wait(
            f"problems_{seat.warband_id}",
            "triangle-alert",
            _("Fix {name}: {problem_count}").format(
                name=seat.warband.name, problem_count=problems_words(seat.warband.problem_count)
            ),
            "",
            reverse("warband-show", args=[seat.warband_id]),
            _("Fix"),
            timezone.now(),
            seat.campaign.name,
        )


def _administrator_waits(board: Board) -> Iterable[Wait]:
    for campaign in board.campaigns:
        if not board.runs(campaign.pk) or campaign.status != Campaign.Status.RUNNING:
            continue
        matters = _matters(board, campaign)
        if not matters.count and not board.is_cut:
            continue
        number = matters.count
        title = ngettext("{count} thing for administrators", "{count} things for administrators", number)
        if board.is_cut:
            title = _("{count} or more things for administrators")
        if not number:
            title = _("There may be more for administrators")
        yield Wait(
            f"administer_{campaign.pk}",
            "users",
            title.format(count=number),
            f"{campaign.name}: {matters.summary}" if matters.count else campaign.name,
            reverse("campaign-administer", args=[campaign.pk]),
            _("Open"),
            timezone.now(),
            campaign.name,
        )


def _rules_waits(board: Board) -> Iterable[Wait]:
    """Offer newer official rules to administrators, unless their campaign stays with what it plays."""
    for campaign in board.campaigns:
        if campaign.status != Campaign.Status.RUNNING or not board.runs(campaign.pk):
            continue
        if changed := pin_changes(campaign.terms):
            query = "&".join(("look=1", *(f"with={id_}" for id_ in campaign.terms.overlays)))
            yield Wait(
                f"pins_{campaign.pk}",
                "book-open",
                _("Rules of {campaign} changed on this server").format(campaign=campaign.name),
                ", ".join(each.title for each in changed),
                f"{reverse('campaign-states', args=[campaign.pk])}?{query}",
                _("Look"),
                timezone.now(),
                campaign.name,
            )
        if setting_of(campaign, "newer_rules") == "stay" or not (found := newer(campaign.terms)):
            continue
        query = "&".join(f"with={id_}" for id_ in (*campaign.terms.overlays, *found))
        yield Wait(
            f"rules_{campaign.pk}",
            "book-open",
            _("Newer official rules for {campaign}").format(campaign=campaign.name),
            _("See what they would change. Nothing changes by itself."),
            f"{reverse('campaign-states', args=[campaign.pk])}?{query}",
            _("Look"),
            timezone.now(),
            campaign.name,
        )


Row = TypeVar("Row", Battle, Round, Seat)


def _of(rows: Iterable[Row], campaign: Campaign) -> list[Row]:
    return [row for row in rows if row.campaign_id == campaign.pk]


def _matters(board: Board, campaign: Campaign) -> Matters:
    rounds = [each for each in _of(board.rounds, campaign) if not each.is_closed]
    return matters_of(
        campaign,
        battles=_of(board.battles, campaign),
        seats=_of(board.seats, campaign),
        round=rounds[-1] if rounds else None,
        busy={seat for number, seat in board.busy if rounds and number == rounds[-1].pk},
        captives=[each for each in board.left_captives if each.battle.campaign_id == campaign.pk],
        loose=[each for each in board.loose if each.campaign == campaign.pk],
    )


def waits(board: Board) -> tuple[Wait, ...]:
    lines = [*_battle_waits(board), *_seat_waits(board), *_round_waits(board), *_captive_waits(board)]
    lines += [*_mend_waits(board), *_roster_waits(board), *_administrator_waits(board), *_rules_waits(board)]
    return tuple(sorted(lines, key=lambda wait: (wait.since, wait.key)))


def _battle_waits(board: Board) -> Iterable[Wait]:
    for battle in board.battles:
        sides = sides_of(battle)
        mine = [side for side in sides if board.plays(side)]
        if battle.status in AHEAD:
            yield from _drafts(battle, sides if board.runs(battle.campaign_id) else mine)
            yield from _ahead(battle, sides, mine)
        elif battle.status == Battle.Status.REPORTED and board.answers(battle):
            yield from _to_confirm(battle, sides, mine)
        elif battle.status == Battle.Status.DISPUTED and board.runs(battle.campaign_id):
            title, meta = _("Decide: {against}").format(against=against(sides)), _disputed_words(battle)
            yield _wait(battle, "decide", "scale", title, meta, "report-confirm", _("Decide"), _sent(battle))
        if battle.status != Battle.Status.VOID:
            yield from _after(battle, mine, board.places)


def _wait(battle: Battle, key: str, icon: str, title: str, meta: str, name: str, label: str, since: datetime) -> Wait:
    return Wait(
        f"{key}_{battle.pk}", icon, title, meta, reverse(name, args=[battle.pk]), label, since, battle.campaign.name
    )


def _sent(battle: Battle) -> datetime:
    report = report_of(battle)
    return report.sent_at if report is not None else battle.created_at


def _drafts(battle: Battle, sides: list[Side]) -> Iterable[Wait]:
    """Yield a line for each of these sides with a draft of its report that waits to be accepted."""
    for side in sides:
        if (found := draft_of(side)) is None:
            continue
        pk, sent_at = found
        yield Wait(
            f"draft_{pk}",
            "scale",
            _("Accept a report of {scenario_name}").format(scenario_name=scenario_name(battle)),
            _("a draft for {side}").format(side=side_name(side)),
            f"{reverse('battle-report', args=[battle.pk])}?draft={pk}",
            _("Read"),
            sent_at,
            battle.campaign.name,
        )


def _ahead(battle: Battle, sides: list[Side], mine: list[Side]) -> Iterable[Wait]:
    for side in mine:
        if side.ready_at is not None and (words := since_words(side)):
            meta = _("{side_name} was made ready before the attacker. Keep it, or withdraw Ready.").format(
                side_name=side_name(side)
            )
            key = f"since{side.pk}"
            yield _wait(battle, key, "triangle-alert", words, meta, "force-select", _("Open"), side.ready_at)
    planned = battle.planned_for
    since = timezone.make_aware(datetime.combine(planned, time(12))) if planned else battle.created_at
    if battle.status == Battle.Status.MUSTERED and mine:
        title, meta = (
            _("Report {scenario_name}").format(scenario_name=scenario_name(battle)),
            _("{against}, all ready").format(against=against(sides)),
        )
        yield _wait(battle, "report", "crossed-swords", title, meta, "battle-report", _("Report"), since)
        return
    meta = _("set for {day}").format(day=short_day(planned)) if planned else _("no date yet")
    for side in mine:
        if side.ready_at is None:
            others = [side_name(other) for other in sides if other.pk != side.pk]
            title = versus(side_name(side), ", ".join(others))
            yield _wait(battle, f"muster{side.pk}", "crossed-swords", title, meta, "force-select", _("Set up"), since)


def _to_confirm(battle: Battle, sides: list[Side], mine: list[Side]) -> Iterable[Wait]:
    open_sides = [side for side in sides if side.confirmed_at is None]
    if any(side.confirmed_at is None for side in mine):
        report = report_of(battle)
        who = f"{report.by}'s" if report is not None and report.by is not None else "the"
        title = _("Confirm {who} report").format(who=who)
    elif open_sides and all(side.is_guest or is_unclaimed(side) for side in open_sides):
        title = _("Confirm for {join}").format(join=", ".join(side_name(side) for side in open_sides))
    else:
        return
    meta = ", ".join(part for part in (scenario_name(battle), until(battle.confirm_by)) if part)
    yield _wait(battle, "confirm", "scale", title, meta, "report-confirm", _("Read"), _sent(battle))


def _disputed_words(battle: Battle) -> str:
    words = [report.dispute_words for report in reports_of(battle) if report.dispute_words]
    return f"“{words[-1]}”" if words else "disputed"


def _after(battle: Battle, mine: list[Side], places: Mapping[int, tuple[int, int]]) -> Iterable[Wait]:
    for side in mine:
        sequence = sequence_of(side)
        if sequence is None or sequence.closed_at is not None or side.warband is None:
            continue
        title, label, since = _("Post-battle, not started"), _("Start"), sequence.made_at
        if sequence.started_at is not None:
            step, steps = places[sequence.pk]
            title, label, since = (
                _("Post-battle, step {step} of {steps}").format(step=step, steps=steps),
                _("Continue"),
                sequence.started_at,
            )
        meta = f"{side.warband.name}, {scenario_name(battle)}"
        href = reverse("post-battle-show", args=[battle.pk, side.warband_id])
        yield Wait(f"after_{sequence.pk}", "scar-wound", title, meta, href, label, since, battle.campaign.name)


def _seat_waits(board: Board) -> Iterable[Wait]:
    for seat in board.seats:
        if seat.campaign.status != Campaign.Status.RUNNING or seat.status == Seat.Status.LEFT:
            continue
        if seat.user_id == board.user.pk:
            yield from _own_seat_waits(seat)
        if board.runs(seat.campaign_id) and seat.list_state == Seat.ListState.SUBMITTED:
            yield _seat_wait(
                seat, "list", "scale", _("Check {seat}'s list").format(seat=seat.name), seat.campaign.name, _("Check")
            )


def _own_seat_waits(seat: Seat) -> Iterable[Wait]:
    campaign = seat.campaign.name
    if challenged_by := getattr(seat, "challenged_by", None):
        yield Wait(
            f"challenge_{seat.pk}",
            "crossed-swords",
            _("{name} challenged you").format(name=challenged_by),
            campaign,
            reverse("challenge-list", args=[seat.campaign_id]),
            _("Answer"),
            seat.challenged_at,  # type: ignore[attr-defined]
            campaign,
        )
    draft = kept_draft_of(seat)
    if seat.warband is None and draft is not None and draft.href:
        yield _kept_wait(seat, draft)
    elif seat.warband is None:
        yield _seat_wait(seat, "bring", "users", _("Import a warband"), campaign, _("Choose"))
    elif seat.warband.is_founding:
        title = _("Finish building {name}").format(name=seat.warband.name)
        meta = _("{campaign}, before your first battle").format(campaign=campaign)
        wait = _seat_wait(seat, "found", "hammer", title, meta, _("Continue building"))
        yield replace(wait, href=reverse("warband-show", args=[seat.warband_id]))
    elif _may_send_list(seat):
        meta = _("{campaign}, before the first battle").format(campaign=campaign)
        yield _seat_wait(seat, "list", "pencil", _("Send your starting list"), meta, _("Send list"))
    if seat.list_state == Seat.ListState.RETURNED:
        yield _seat_wait(seat, "list", "pencil", _("Your list was returned"), f"“{seat.list_words}”", _("Read"))


def _kept_wait(seat: Seat, draft: KeptDraft) -> Wait:
    """Return the line of a roster that an administrator brought for the player, who finishes it."""
    return Wait(
        f"kept_{seat.pk}",
        "pencil",
        _("Finish your roster {name}").format(name=draft.name),
        _("{campaign}, from a file an administrator brought").format(campaign=seat.campaign.name),
        draft.href,
        _("Check names") if draft.has_open else _("Import"),
        draft.since,
        seat.campaign.name,
    )


def _seat_wait(seat: Seat, key: str, icon: str, title: str, meta: str, label: str) -> Wait:
    here = reverse("seat-show", args=[seat.pk])
    return Wait(f"{key}_{seat.pk}", icon, title, meta, here, label, seat.joined_at, seat.campaign.name)


def _may_send_list(seat: Seat) -> bool:
    """Return whether the seat may submit its starting list: administrators want it, it is not submitted, and no battle was fought."""
    if seat.list_state != Seat.ListState.OPEN or not setting_of(seat.campaign, "lists_looked_at"):
        return False
    return seat.warband is not None and not seat.warband.state.get("fought")


def _round_waits(board: Board) -> Iterable[Wait]:
    for round in board.rounds:
        if round.is_closed or round.campaign.status != Campaign.Status.RUNNING:
            continue
        ends = _("ends {day}").format(day=short_day(round.ends_on)) if round.ends_on else _("no end date")
        starts = timezone.make_aware(datetime.combine(round.starts_on or timezone.localdate(), time(0)))
        wait = Wait(
            f"round_{round.pk}",
            "calendar",
            _("Round {number}: no battle yet").format(number=round.number),
            f"{round.campaign.name}, {ends}",
            f"{reverse('battle-schedule', args=[round.campaign_id])}?round={round.number}",
            _("Set up"),
            starts,
            round.campaign.name,
        )
        for seat in board.seats:
            fits = (
                seat.campaign_id == round.campaign_id
                and seat.user_id == board.user.pk
                and seat.status == Seat.Status.PLAYING
            )
            if fits and seat.warband_id and (round.pk, seat.pk) not in board.busy:
                yield wait


def _captive_waits(board: Board) -> Iterable[Wait]:
    for captive in board.captives:
        unpriced = captive.asked is None and captive.offered is None
        title = ""
        if captive.is_owner and captive.asked is not None:
            title = _("{captor} wants {asked} for {fighter}").format(
                captor=captive.captor, asked=ducats_words(captive.asked), fighter=captive.fighter
            )
        elif (captive.is_captor or captive.for_guest) and captive.offered is not None:
            title = _("{warband} offers {offered} for {fighter}").format(
                warband=captive.warband, offered=ducats_words(captive.offered), fighter=captive.fighter
            )
        elif unpriced and captive.is_captor:
            title = _("You hold {fighter} captive: set a ransom").format(fighter=captive.fighter)
        elif unpriced and captive.is_owner:
            title = _("{fighter} is held by {captor}").format(fighter=captive.fighter, captor=captive.captor)
        if title:
            here = reverse("capture-settle", args=[captive.pk])
            meta = (
                _("for {captor}").format(captor=captive.captor)
                if captive.for_guest and not captive.is_owner
                else captive.warband
            )
            yield Wait(f"capture_{captive.pk}", "handcuffs", title, meta, here, _("Decide"), captive.taken_at)
