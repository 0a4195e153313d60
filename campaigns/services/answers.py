"""The services that answer a report: confirm it (by a side, an administrator or silence), dispute it, decide a dispute."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.battle_result import standing_report
from campaigns.models import ANSWERED, Battle, Report, Side
from campaigns.report_data import checked_report
from campaigns.scenarios import scenario_name
from campaigns.services.amend import Amendment, amend_within
from campaigns.services.common import for_side, live_sides, side_name
from campaigns.services.post_battle import close_battle_if_all_is_done
from campaigns.services.report_parts import (
    begun_warbands,
    confirm_all,
    confirm_if_answered,
    last_event,
    next_number,
    own,
    refuse_unless_reported,
    report_rows,
    result_words,
    tell_sides,
)
from rules.problems import Refusal
from warbands.recording import AlreadyDone, recording


def confirm_report(
    *,
    battle: Battle,
    actor: Any,
    side: Side | None = None,
    number: int | None = None,
    device_of: Any = None,
    token: str = "",
) -> Battle:
    """Confirm the report for one side, or, with `side` None, for all sides that have not answered.

    Another person may confirm for a side; history then names both. `number` is the report version the user read; any
    other version is refused. `device_of` is the owner of the phone that was used. Raises AlreadyDone if somebody else
    was faster, Refusal if the report is disputed or missing.
    """
    sides = live_sides(battle)
    with recording(
        battle.campaign,
        battle,
        *sides,
        kind="confirm",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, sides = report_rows(act, battle, sides)
        if row.status in ANSWERED:
            raise AlreadyDone(last_event(row, "confirm", "report", "decide"))
        refuse_unless_reported(row)
        report = standing_report(row)
        if number is not None and report is not None and report.number != number:
            raise Refusal(_("The report changed while this page was open."), mend=_("Read it again."), code="amended")
        if side is None:
            confirm_all(act, row, sides, actor)
        else:
            mine = own(sides, side)
            if mine.confirmed_at is not None:
                raise AlreadyDone(last_event(row, "confirm", "report"))
            act.change(mine, confirmed_at=timezone.now(), confirmed_by=actor)
        confirm_if_answered(act, row, sides, report.by_side if report else None)
        tell_sides(act, sides)
        told = _("{{who}} confirmed the report of {scenario}.").format(scenario=scenario_name(row))
        if device_of is not None and device_of != actor:
            told = _("{{who}} confirmed the report of {scenario}, on the device of {user}.").format(
                scenario=scenario_name(row), user=device_of
            )
        act.say(told)
    return row


def overdue(now: datetime | None = None) -> QuerySet[Battle]:
    return Battle.objects.live().filter(status=Battle.Status.REPORTED, confirm_by__lte=now or timezone.now())


def confirm_silent(now: datetime | None = None, *, among: QuerySet[Battle] | None = None) -> list[Battle]:
    """Confirm every report that nobody answered in time; `among` limits it to some battles.

    Each confirmation is a separate event. Disputed reports keep waiting. One query if nothing is overdue. Called by
    the command `confirm_silent` and by pages that show such battles.
    """
    now = now or timezone.now()
    late = overdue(now) if among is None else overdue(now) & among
    confirmed = []
    for battle in late.select_related("campaign__terms").order_by("pk"):
        sides = live_sides(battle)
        try:
            with recording(
                battle.campaign, battle, *sides, kind="confirm", actor=None, occasion=battle.occasion
            ) as act:
                row, sides = report_rows(act, battle, sides)
                if row.status != Battle.Status.REPORTED or row.confirm_by is None or row.confirm_by > now:
                    raise AlreadyDone(None)
                waited = [side_name(side) for side in sides if side.confirmed_at is None]
                act.change(row, status=Battle.Status.CONFIRMED)
                close_battle_if_all_is_done(act, row)
                tell_sides(act, sides)
                act.say(
                    _("Silence confirmed the report of {scenario}: no answer from {players}.").format(
                        scenario=scenario_name(row), players=", ".join(waited)
                    )
                )
        except AlreadyDone:
            continue
        confirmed.append(row)
    return confirmed


def dispute_report(
    *,
    battle: Battle,
    side: Side,
    actor: Any,
    words: str,
    data: Mapping[str, Any] | None = None,
    token: str = "",
) -> Report:
    """Dispute a report with a sentence of explanation; `data` may add the side's own version. An administrator
    decides.

    Only the confirmation waits: sequences continue, and points count as provisional. Raises Refusal if the
    explanation is empty, if the side sent the report itself, or if the report was already confirmed. Raises
    AlreadyDone if it was already disputed.
    """
    words = " ".join(words.split())
    if not words:
        raise Refusal(_("Say in a sentence what differs."), code="no-words", field="dispute_words")
    sides = live_sides(battle)
    with recording(
        battle.campaign,
        battle,
        *sides,
        kind="dispute",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, sides = report_rows(act, battle, sides)
        if row.status in ANSWERED:
            raise Refusal(_("The report is confirmed."), mend=_("An administrator can amend it."), code="confirmed")
        if row.status == Battle.Status.DISPUTED:
            raise AlreadyDone(last_event(row, "dispute"))
        refuse_unless_reported(row)
        if row.campaign.is_friendly:
            raise Refusal(
                _("No administrator decides a friendly battle."), mend=_("Amend the report."), code="friendly"
            )
        report = standing_report(row)
        assert report is not None
        mine = own(sides, side)
        if report.by_side_id == mine.pk:
            raise Refusal(_("This is your own report."), mend=_("Amend it instead."), code="own-report")
        act.change(report, dispute_words=words[:500], disputed_by=mine)
        act.change(row, status=Battle.Status.DISPUTED, confirm_by=None)
        if data is not None:
            act.create(
                Report(
                    battle=row,
                    by=actor,
                    by_side=mine,
                    number=next_number(row),
                    data=checked_report(row, data, sides),
                    stands=False,
                )
            )
        tell_sides(act, sides)
        act.say(
            _("{{who}} disputed the report of {scenario}: “{words}”").format(scenario=scenario_name(row), words=words)
        )
    return report


def decide_dispute(
    *,
    battle: Battle,
    actor: Any,
    version: Report | None = None,
    data: Mapping[str, Any] | None = None,
    words: str = "",
    token: str = "",
) -> Amendment:
    """Decide a dispute and confirm the report: keep it, adopt another side's `version`, or use `data`.

    Raises Refusal if nothing is disputed, AlreadyDone if another administrator was faster.
    """
    if version is not None:
        data = version.data
    sides = live_sides(battle)
    with recording(
        battle.campaign,
        battle,
        *sides,
        *begun_warbands(sides),
        kind="decide",
        for_name="",
        actor=actor,
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, sides = report_rows(act, battle, sides)
        if row.status in ANSWERED:
            raise AlreadyDone(last_event(row, "decide", "confirm"))
        if row.status != Battle.Status.DISPUTED:
            raise Refusal(_("Nothing is disputed here."), code="not-disputed")
        report = standing_report(row)
        assert report is not None
        amendment = Amendment(report, (), ())
        if data is not None:
            amendment = amend_within(act, row, sides, report, checked_report(row, data, sides), actor, by_side=None)
        confirm_all(act, row, sides, actor)
        act.change(row, status=Battle.Status.CONFIRMED, confirm_by=None)
        close_battle_if_all_is_done(act, row)
        tell_sides(act, sides)
        told = _("the report stands") if data is None else result_words(sides, amendment.report.data)
        said = f" “{words.strip()[:200]}”" if words.strip() else ""
        act.say(
            _("{{who}} decided on {scenario}: {told}.{said}").format(scenario=scenario_name(row), told=told, said=said),
            done=list(amendment.done),
            open=list(amendment.open),
        )
    return amendment
