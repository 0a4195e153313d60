"""Questions before an action: about a day or a score that looks like a slip, a pair that has already met, a seat that
is given up.

A question never refuses. The page shows it once; pressing again performs the action. Each function returns a list of
sentences, empty if there is nothing to ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Campaign, Round, Seat, Side
from campaigns.scenarios import scenario_name, scenario_of
from campaigns.services.common import live_sides, side_name
from campaigns.services.join import battles_ahead
from campaigns.services.rounds import weekday
from campaigns.settings_schema import setting_of
from config.dates import whole_day
from rules.formatting import joined, quantity

FAR = timedelta(days=300)  # close to a year, to find a mistyped year
MAX_POINTS = 100  # no scenario of any game comes near it; 25 typed twice does


def ask_about_report(
    battle: Battle, sides: Sequence[Side], data: Mapping[str, Any], *, kind: str = "", played_on: date | None = None
) -> list[str]:
    """Return questions about probable slips in a report: its day, and a result that contradicts its victory points.

    `data` is what the form sent; the service refuses unreadable numbers. If a battle was conceded or broken off, its
    result is the agreed one, whatever the points. No queries.
    """
    questions = _about_day_played(played_on)
    points = {side.pk: _figure(data["points"].get(str(side.pk))) for side in sides}
    questions += [
        _("{side_name} has {points} victory points. Is that right?").format(
            side_name=side_name(side), points=points[side.pk]
        )
        for side in sides
        if (points[side.pk] or 0) > MAX_POINTS
    ]
    known = {side.pk: number for side in sides if (number := points[side.pk]) is not None}
    if len(known) < len(sides) or kind not in ("", Battle.Kind.PLAYED) or not _points_decide(battle):
        return questions
    return questions + _about_result(sides, known, data)


def _about_day_played(played_on: date | None) -> list[str]:
    today = timezone.localdate()
    if played_on is None:
        return []
    if played_on > today:
        return [_("{whole} is still to come. Was the battle played on that day?").format(whole=_whole(played_on))]
    return (
        [_("{whole} is long ago. Was the battle played on that day?").format(whole=_whole(played_on))]
        if today - played_on > FAR
        else []
    )


def _points_decide(battle: Battle) -> bool:
    """Return whether more victory points win the scenario. This is assumed for a scenario without information about its winner."""
    scenario = scenario_of(battle) if battle.scenario_id else None
    return scenario is None or scenario.winner not in ("last-standing", "none")


def _about_result(sides: Sequence[Side], points: Mapping[int, int], data: Mapping[str, Any]) -> list[str]:
    best = max(points.values())
    winner = next((side for side in sides if str(side.pk) == data.get("winner")), None)
    if winner is not None and points[winner.pk] < best:
        ahead = next(side for side in sides if points[side.pk] == best)
        return [
            _("{side_name} won with {points} victory points; {side_name_2} has {best}. Is the winner right?").format(
                side_name=side_name(winner), points=points[winner.pk], side_name_2=side_name(ahead), best=best
            )
        ]
    if data.get("outcome") == "drawn" and min(points.values()) < best:
        score = joined(f"{side_name(side)} {points[side.pk]}" for side in sides)
        return [_("The battle is a draw, but the victory points differ: {score}. Is that right?").format(score=score)]
    return []


def _figure(sent: Any) -> int | None:
    text = str(sent if sent is not None else "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def ask_about_unplayed(sides: Sequence[Side], winner: Side | None, points: Mapping[str, Any] | None) -> list[str]:
    """Return questions about probable slips in a battle that was not played to the end and has agreed points. No queries."""
    agreed = {key: _figure(value) for key, value in (points or {}).items()}
    if winner is None or any(number is None for number in agreed.values()):
        return []
    mine = agreed.get(str(winner.pk)) or 0
    ahead = next((side for side in sides if (agreed.get(str(side.pk)) or 0) > mine), None)
    if ahead is None:
        return []
    return [
        _("The battle falls to {side_name} with {quantity}; {side_name_2} gets {agreed}. Is that right?").format(
            side_name=side_name(winner),
            quantity=quantity(mine, "point"),
            side_name_2=side_name(ahead),
            agreed=agreed[str(ahead.pk)],
        )
    ]


def ask_about_schedule(
    campaign: Campaign, seats: Sequence[Seat], *, round: Round | None = None, planned_for: date | None = None
) -> list[str]:
    """Return questions before a battle is scheduled: players who are away, pairs that have already met, an unusual
    day.

    A pair is asked about if they still have a battle to play, if they met in the same round, or if one of them has
    not met everybody yet. Two queries at most.
    """
    questions = [
        _("{seat} is away. Set the battle all the same?").format(seat=seat.name)
        for seat in seats
        if seat.status == Seat.Status.AWAY
    ]
    questions += _about_pairs(campaign, seats, round)
    return questions + ask_about_day(planned_for)


def ask_about_day(planned_for: date | None) -> list[str]:
    """Return questions about a probable slip in the day for which a battle is scheduled. No queries."""
    words = _far(planned_for)
    if planned_for is None or not words:
        return []
    return [_("{whole} is {words}. Set the battle for that day?").format(whole=_whole(planned_for), words=words)]


def _about_pairs(campaign: Campaign, seats: Sequence[Seat], round: Round | None) -> list[str]:
    wanted = {seat.pk: seat for seat in seats}
    if len(wanted) < 2:
        return []
    met: dict[int, dict[int, list[Battle]]] = {pk: {} for pk in wanted}
    for battle, keys in _fought_by(campaign, wanted):
        for one in keys & wanted.keys():
            for other in keys - {one}:
                met[one].setdefault(other, []).append(battle)
    playing = Seat.objects.live().filter(campaign=campaign, status=Seat.Status.PLAYING, warband__isnull=False)
    players = set(playing.values_list("pk", flat=True))
    free = {pk for pk in wanted if players - met[pk].keys() - {pk}}  # those who have not met everybody yet
    questions = []
    for one, other in combinations(wanted, 2):
        battles = met[one].get(other, [])
        meeting = _meeting(battles, round) or (battles[-1] if battles and free & {one, other} else None)
        if meeting is not None:
            questions.append(_pair_words(wanted[one], wanted[other], meeting))
    return questions


def _meeting(battles: Sequence[Battle], round: Round | None) -> Battle | None:
    """Return a pair's battle that is still to be played, else one of this round, else None."""
    ahead = (battle for battle in battles if battle.status in AHEAD)
    in_round = (battle for battle in battles if round is not None and battle.round_id == round.pk)
    return next(ahead, None) or next(in_round, None)


def _pair_words(one: Seat, other: Seat, battle: Battle) -> str:
    where = _(" in round {number}").format(number=battle.round.number) if battle.round is not None else ""
    if battle.status in AHEAD:
        return _("{one} and {other} already have a battle to play{where}. Set another one?").format(
            one=one.name, other=other.name, where=where
        )
    return _("{one} and {other} have met{where}: {scenario_name}. Set another battle between them?").format(
        one=one.name, other=other.name, where=where, scenario_name=scenario_name(battle)
    )


def _fought_by(campaign: Campaign, seats: Iterable[int]) -> list[tuple[Battle, set[int]]]:
    """Return the battles of these seats that count as a meeting, oldest first, each with the ids of its seats. One query."""
    mine = Side.objects.live().filter(seat__in=list(seats)).values("battle")
    rows = (
        Side.objects.live()
        .filter(battle__campaign=campaign, battle__in=mine, battle__is_undone=False, seat__isnull=False)
        .exclude(battle__status__in=[Battle.Status.CANCELLED, Battle.Status.VOID])
        .exclude(battle__kind=Battle.Kind.BYE)
        .select_related("battle__round", "battle__campaign__terms")
        .order_by("battle_id", "pk")
    )
    found: dict[int, tuple[Battle, set[int]]] = {}
    for side in rows:
        found.setdefault(side.battle_id, (side.battle, set()))[1].add(side.seat_id)
    return list(found.values())


def ask_about_round(starts_on: date | None, ends_on: date | None) -> list[str]:
    """Return questions about probable slips in the days of a round. No queries."""
    days = ((verb, day) for verb, day in (("starts", starts_on), ("ends", ends_on)) if day is not None)
    return [
        _("The round {verb} {whole}, {words}. Is that right?").format(verb=verb, whole=_whole(day), words=words)
        for verb, day in days
        if (words := _far(day))
    ]


def ask_about_leaving(seat: Seat) -> list[str]:
    """Return sentences about the unplayed battles of a seat whose player leaves. One query, and one per battle."""
    points = setting_of(seat.campaign, "bye_points")
    questions = []
    for battle in battles_ahead(seat):
        rest = [side for side in live_sides(battle) if side.seat_id != seat.pk]
        when = _(" on {weekday}").format(weekday=weekday(battle.planned_for)) if battle.planned_for else ""
        others = joined(side_name(side) for side in rest)
        if len(rest) > 1:
            questions.append(_("The battle{when} goes on between {others}.").format(when=when, others=others))
        else:
            questions.append(
                _("The battle{when} becomes a bye for {others}, with {quantity}.").format(
                    when=when, others=others, quantity=quantity(points, "point")
                )
            )
    return questions


def _far(day: date | None) -> str:
    """Return how far a planned day is from today, "" if it is not unusual."""
    if day is None or abs(day - timezone.localdate()) <= FAR:
        return ""
    return _("long ago") if day < timezone.localdate() else _("a long time ahead")


def _whole(day: date) -> str:
    return whole_day(day)
