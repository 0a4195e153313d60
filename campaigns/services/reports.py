"""The services that report a battle, sent by one side or an administrator, or record a battle that was not played to
the end.

A report waits for nothing and is never refused for an illegal roster: the snapshot lists the problems. Each side's
post-battle sequence starts from the report. If both sides report at once and agree, the second report confirms the
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import is_administrator
from campaigns.battle_result import counts, counts_when, standing_report
from campaigns.models import REPORTED, Battle, Report, ReportDraft, Side
from campaigns.report_data import checked_report
from campaigns.scenarios import scenario_name
from campaigns.services.common import (
    again_if_overtaken,
    for_side,
    live_sides,
    refuse_unless_running,
    side_name,
    versus,
)
from campaigns.services.fielding import refuse_unless_ahead
from campaigns.services.muster import freeze_side
from campaigns.services.report_drafts import accept_draft
from campaigns.services.report_parts import (
    apply_report,
    confirm_all,
    confirm_if_answered,
    last_event,
    make_sequences,
    next_number,
    own,
    report_rows,
    result_words,
    tell_sides,
    wait_for_answer,
)
from campaigns.settings_schema import setting_of
from rules.problems import Refusal
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, recording

POINTS_BY = {
    Battle.Kind.WALK_OVER: "walk_over_points",
    Battle.Kind.NO_SHOW: "no_show_points",
    Battle.Kind.CONCEDED: "conceded_points",
    Battle.Kind.BYE: "bye_points",
}
PLAYED = (Battle.Kind.PLAYED, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


@again_if_overtaken
def send_report(
    *,
    battle: Battle,
    actor: Any,
    data: Mapping[str, Any],
    by_side: Side | None = None,
    kind: str = "played",
    played_on: date | None = None,
    draft: ReportDraft | None = None,
    token: str = "",
) -> Report:
    """Report a battle. `by_side` is None for an administrator's report; `Report` describes `data`.

    The roster of a side that never mustered is frozen as it is now. If the other side sent the same report a moment
    ago, this call confirms it. `kind` marks a battle that was conceded or broken off; the campaign's settings say
    what that counts for. `draft` is the draft that becomes this report.

    Raises Refusal if the data contradict each other, or if the other side already reported something else (code
    "reported").
    """
    sides = live_sides(battle)
    warbands = [side.warband for side in _unready(sides)]
    subjects = [battle.campaign, battle, *sides, *warbands, *([draft] if draft is not None else [])]
    with recording(
        *subjects, kind="report", actor=actor, for_name=for_side(by_side, actor), occasion=battle.occasion, token=token
    ) as act:
        row, sides = report_rows(act, battle, sides)
        refuse_unless_running(row.campaign)
        if draft is not None:
            accept_draft(act, draft)
        if kind not in PLAYED:
            raise Refusal(
                _("You can only report a battle that was started."), mend=_("Record it as not played."), code="kind"
            )
        if row.status in REPORTED:
            return _meets_report(act, row, sides, data, by_side, actor)
        refuse_unless_ahead(row)
        act.change(row, kind=kind)
        for side in _unready(sides):
            freeze_side(act, row, side, sides, taken=(data.get("took_part") or {}).get(str(side.pk)))
        checked = checked_report(row, data, sides)
        report = act.create(Report(battle=row, by=actor, by_side=by_side, number=next_number(row), data=checked))
        apply_report(act, sides, checked)
        wait_for_answer(act, row, sides, by_side, actor)
        act.change(row, played_on=played_on or timezone.localdate())
        make_sequences(act, row, sides)
        confirm_if_answered(act, row, sides, by_side)
        tell_sides(act, sides)
        act.say(
            _("{{who}} reported {scenario}: {result}.").format(
                scenario=scenario_name(row), result=result_words(sides, checked)
            )
        )
    return report


@again_if_overtaken
def record_unplayed(
    *,
    battle: Battle,
    kind: str,
    actor: Any,
    winner: Side | None = None,
    points: Mapping[str, int] | None = None,
    by_side: Side | None = None,
    words: str = "",
    token: str = "",
) -> Report:
    """Record a walk-over, a no-show, a concession, an abandoned battle or a bye, with its result and points.

    `winner` is the side that it falls to (for a bye, the side that has it, which is no win). Nobody takes part.
    `points` by side id are the agreed ones; without them the campaign's apply. An administrator's record is confirmed
    at once, a side's record waits for an answer.
    """
    sides = live_sides(battle)
    warbands = [side.warband for side in _unready(sides)]
    with recording(
        battle.campaign,
        battle,
        *sides,
        *(warbands if counts_when(battle, sides, kind) else ()),
        kind="report",
        actor=actor,
        for_name=for_side(by_side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, sides = report_rows(act, battle, sides)
        _refuse_unplayed(row, kind, winner)
        wins = winner is not None and kind != Battle.Kind.BYE
        data: dict[str, Any] = {
            "winner": str(winner.pk) if winner is not None and wins else None,
            "outcome": "won" if wins else "none",
            "points": dict(points) if points is not None else _default_points(row, kind, winner or by_side),
            "took_part": {str(side.pk): [] for side in sides},
            "words": words,
        }
        checked = checked_report(row, data, sides)
        act.change(row, kind=kind, played_on=timezone.localdate())
        if counts(row, sides):
            for side in _unready(sides):
                freeze_side(act, row, side, sides, taken=())
            make_sequences(act, row, sides)
        report = act.create(Report(battle=row, by=actor, by_side=by_side, number=next_number(row), data=checked))
        apply_report(act, sides, checked)
        wait_for_answer(act, row, sides, by_side, actor)
        if by_side is None and (actor is None or is_administrator(actor, row.campaign_id)):
            confirm_all(act, row, sides, actor)
        confirm_if_answered(act, row, sides, by_side)
        tell_sides(act, sides)
        what = row.get_kind_display().lower()
        act.say(
            _("{{who}} recorded {versus} as {kind}: {result}.").format(
                versus=versus(sides), kind=_article(what), result=result_words(sides, checked)
            )
        )
    return report


def _unready(sides: Sequence[Side]) -> list[Side]:
    return [side for side in sides if side.warband is not None and side.ready_at is None]


def _refuse_unplayed(battle: Battle, kind: str, winner: Side | None) -> None:
    if kind not in Battle.Kind.values or kind == Battle.Kind.PLAYED:
        raise Refusal(_("Choose what happened to the battle."), code="kind", field="kind")
    refuse_unless_ahead(battle)
    if kind in (Battle.Kind.WALK_OVER, Battle.Kind.NO_SHOW, Battle.Kind.CONCEDED) and winner is None:
        raise Refusal(_("Choose which side wins it."), code="winner", field="winner")


def _meets_report(
    act: Recorder, battle: Battle, sides: Sequence[Side], data: Mapping[str, Any], by_side: Side | None, actor: Any
) -> Report:
    """Handle a second report of the same battle: confirm the first if the data are the same, raise Refusal if they differ.

    Raises AlreadyDone if there is nothing left to confirm.
    """
    report = standing_report(battle)
    assert report is not None
    mine = own(sides, by_side) if by_side is not None else None
    same = _same(checked_report(battle, data, sides), report.data)
    if same and battle.status == Battle.Status.REPORTED and mine is not None and mine.confirmed_at is None:
        act.change(mine, confirmed_at=timezone.now(), confirmed_by=actor)
        confirm_if_answered(act, battle, sides, report.by_side)
        act.event.kind = "confirm"
        act.event.save(update_fields=["kind"])
        tell_sides(act, sides)
        act.say(_("{{who}} reported the same of {scenario}, which confirms it.").format(scenario=scenario_name(battle)))
        return report
    if same:
        raise AlreadyDone(last_event(battle, "report"))
    by = side_name(report.by_side) if report.by_side is not None else str(report.by or _("An administrator"))
    raise Refusal(
        _("{by} reported this battle at {time}.").format(by=by, time=f"{timezone.localtime(report.sent_at):%H:%M}"),
        mend=_("Read that report, then confirm or dispute it."),
        code="reported",
    )


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two reports agree, ignoring their comments."""

    def bare(data: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **{key: value for key, value in data.items() if key != "words"},
            "deeds": sorted(map(tuple, data["deeds"])),
            "took_part": {key: sorted(value) for key, value in data["took_part"].items()},
        }

    return bare(one) == bare(other)


def _default_points(battle: Battle, kind: str, falls_to: Side | None) -> dict[str, int]:
    if falls_to is None or kind == Battle.Kind.ABANDONED:
        return {}
    return {str(falls_to.pk): setting_of(battle.campaign, POINTS_BY.get(Battle.Kind(kind), "walk_over_points"))}


def _article(words: str) -> str:
    return {"conceded": "conceded", "abandoned": "abandoned"}.get(words, f"a {words}")
