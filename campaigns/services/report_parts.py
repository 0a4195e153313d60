"""Helpers that the services for reports share: locked rows, results from a report, open answers, and the histories that show an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.battle_result import counts
from campaigns.models import Battle, PostBattle, Side
from campaigns.services.common import is_unclaimed, side_name
from campaigns.services.post_battle import close_battle_if_all_is_done
from campaigns.settings_schema import setting_of
from rules.problems import Refusal
from warbands.models import Event
from warbands.recorder import Recorder


def waits_for(battle: Battle, sides: Sequence[Side], by_side: Side | None) -> list[Side]:
    """Return the sides that still have to answer a report.

    Nobody answers for an unclaimed seat. An administrator answers for a guest, and only if no player answers.
    """
    others = [side for side in sides if (by_side is None or side.pk != by_side.pk) and not is_unclaimed(side)]
    answering = [side for side in others if not side.is_guest] or others
    answered = sum(1 for side in answering if side.confirmed_at is not None)
    enough = {"one": 1, "most": len(answering) // 2 + 1}.get(
        str(setting_of(battle.campaign, "confirm_by")), len(answering)
    )
    if answered >= enough:
        return []
    return [side for side in answering if side.confirmed_at is None]


def report_rows(act: Recorder, battle: Battle, sides: Sequence[Side]) -> tuple[Battle, list[Side]]:
    """Return the locked battle and its locked sides, with their related objects attached."""
    row: Battle = act.row(battle)
    row.campaign = act.row(battle.campaign)
    row.campaign.terms = battle.campaign.terms
    fresh = []
    for given in sides:
        side: Side = act.row(given)
        side.battle = row
        if given.seat_id is not None:
            side.seat = given.seat
        if given.warband is not None:
            side.warband = given.warband
        fresh.append(side)
    return row, fresh


def own(sides: Sequence[Side], side: Side) -> Side:
    return next(each for each in sides if each.pk == side.pk)


def begun_warbands(sides: Sequence[Side]) -> list[Any]:
    begun = PostBattle.objects.live().filter(side__in=[side.pk for side in sides], started_at__isnull=False)
    keys = set(begun.values_list("side_id", flat=True))
    return [side.warband for side in sides if side.pk in keys]


def next_number(battle: Battle) -> int:
    last = battle.reports.order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1


def apply_report(act: Recorder, sides: Sequence[Side], data: Mapping[str, Any]) -> None:
    """Set each side's result and points from a report, including the campaign points that the edition gives for each result.

    A friendly battle brings none.
    """
    played_in = sides[0].battle.campaign
    game, content = played_in.terms.game, played_in.terms.content
    worth = game.campaign.result_points(content) if game.campaign is not None and not played_in.is_friendly else {}
    for side in sides:
        key = str(side.pk)
        if data["outcome"] == "won":
            result = Side.Result.WON if data["winner"] == key else Side.Result.LOST
        else:
            result = Side.Result.DRAWN if data["outcome"] == "drawn" else Side.Result.NONE
        told = data["campaign_points"][key]
        act.change(side, result=result, points=data["points"][key], campaign_points=told + worth.get(str(result), 0))


def wait_for_answer(act: Recorder, battle: Battle, sides: Sequence[Side], by_side: Side | None, actor: Any) -> None:
    days = setting_of(battle.campaign, "silence_days")
    act.change(
        battle,
        status=Battle.Status.REPORTED,
        confirm_by=timezone.now() + timedelta(days=days) if days else None,
    )
    if by_side is not None:
        act.change(own(sides, by_side), confirmed_at=timezone.now(), confirmed_by=actor)
    for side in sides:  # nobody can ever answer for an unclaimed seat
        if side.confirmed_at is None and is_unclaimed(side):
            act.change(side, confirmed_at=timezone.now())


def confirm_all(act: Recorder, battle: Battle, sides: Sequence[Side], actor: Any) -> None:
    for side in sides:
        if side.confirmed_at is None:
            act.change(side, confirmed_at=timezone.now(), confirmed_by=actor)


def confirm_if_answered(act: Recorder, battle: Battle, sides: Sequence[Side], by_side: Side | None) -> None:
    if battle.status == Battle.Status.REPORTED and not waits_for(battle, sides, by_side):
        act.change(battle, status=Battle.Status.CONFIRMED, confirm_by=None)
        close_battle_if_all_is_done(act, battle)


def make_sequences(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    if not counts(battle, list(sides)):
        return
    for side in sides:
        if side.warband is not None:
            act.create(PostBattle(side=side, warband=side.warband))


def refuse_unless_reported(battle: Battle) -> None:
    if battle.status == Battle.Status.DISPUTED:
        raise Refusal(_("The report is disputed."), mend=_("An administrator decides it."), code="disputed")
    if battle.status != Battle.Status.REPORTED:
        raise Refusal(_("There is no report to answer."), code="no-report")


def last_event(battle: Battle, *kinds: str) -> Event | None:
    return Event.objects.filter(occasion=battle.occasion, kind__in=kinds).order_by("-pk").first()


def tell_sides(act: Recorder, sides: Sequence[Side]) -> None:
    """Show the act in the history of every warband of the battle."""
    for side in sides:
        if side.warband is not None:
            act.also_told_to(side.warband)


def result_words(sides: Sequence[Side], data: Mapping[str, Any]) -> str:
    score = ", ".join(f"{side_name(side)} {data['points'][str(side.pk)]}" for side in sides)
    if data["outcome"] == "won":
        winner = next(side for side in sides if str(side.pk) == data["winner"])
        return _("{side} won ({score})").format(side=side_name(winner), score=score)
    return (_("drawn ({score})") if data["outcome"] == "drawn" else _("no winner ({score})")).format(score=score)
