"""The services of reports that others may send for a side: the code on its battle sheet, and drafts, which count once somebody accepts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.models import AHEAD, Battle, Campaign, ReportCode, ReportDraft, Side
from campaigns.report_data import checked_report
from campaigns.scenarios import scenario_name
from campaigns.services.common import for_side, live_sides, new_link, refuse_unless_running, side_name
from campaigns.services.report_parts import report_rows
from rules.problems import Refusal
from warbands.recorder import Recorder
from warbands.recording import recording

MOST_WAITING = 20  # drafts of one side; whoever has a code or plays the side cannot fill the database with them


def hand_out_report_code(*, side: Side) -> str:
    """Return the code that is printed on this side's battle sheet. A new one is drawn where none is in use, or it is spent."""
    with transaction.atomic():
        kept = _locked(side)
        if not kept.code or is_spent(kept):
            _renew(kept)
    return kept.code


def renew_report_code(*, side: Side) -> str:
    """Draw a new code for this side and return it. The one before opens nothing from now on."""
    with transaction.atomic():
        kept = _locked(side)
        _renew(kept)
    return kept.code


def revoke_report_code(*, side: Side) -> None:
    """Let the code on this side's battle sheet open nothing from now on."""
    ReportCode.objects.filter(side=side).update(code="")


def is_spent(code: ReportCode) -> bool:
    """Return whether a draft came by this code. One query."""
    return ReportDraft.objects.live().filter(side=code.side_id, code_number=code.number).exists()


def spent_sides(codes: Iterable[ReportCode]) -> frozenset[int]:
    """Return the ids of the sides whose present code is spent. One query, none without codes."""
    numbers = {code.side_id: code.number for code in codes}
    if not numbers:
        return frozenset()
    came = ReportDraft.objects.live().filter(side__in=numbers, code_number__isnull=False)
    return frozenset(side for side, number in came.values_list("side", "code_number") if numbers[side] == number)


def _locked(side: Side) -> ReportCode:
    Side.objects.select_for_update(no_key=True).get(pk=side.pk)
    return ReportCode.objects.get_or_create(side=side)[0]


def _renew(kept: ReportCode) -> None:
    kept.code, kept.number = new_link(), kept.number + 1
    kept.save(update_fields=["code", "number"])


def refuse_code(code: ReportCode, battle: Battle) -> None:
    """Raise Refusal if the code opens nothing now: it is spent, or the battle is not to be reported. At most one query."""
    refuse_unless_running(battle.campaign)
    if battle.status not in AHEAD:
        raise Refusal(
            _("This battle is {status}.").format(status=battle.get_status_display().lower()),
            mend=_("It needs no report."),
            code="not-ahead",
        )
    if battle.status == Battle.Status.SCHEDULED and battle.campaign.rosters == Campaign.Rosters.MUSTER:
        raise Refusal(
            _("Rosters are hidden here until every side is ready."),
            mend=_("Open the code again after that."),
            code="hidden",
        )
    if is_spent(code):
        raise Refusal(
            _("A report was sent with this code. A code works once."),
            mend=_("The player of {side} can print another.").format(side=side_name(code.side)),
            code="spent",
        )


def send_report_draft(
    *,
    side: Side,
    actor: Any,
    data: Mapping[str, Any],
    code: str = "",
    kind: str = "played",
    played_on: date | None = None,
    unread: Sequence[str] = (),
    token: str = "",
) -> ReportDraft:
    """Keep a report for this side as a draft. With a `code`, that is spent by it, and the data must be a whole report.

    Without one the data may be incomplete: whoever accepts the draft fills in the rest. `actor` is None for somebody
    without an account.

    Raises Refusal if the code opens nothing now, if the data contradict each other, or if too many drafts wait.
    """
    battle = side.battle
    others = [each for each in live_sides(battle) if each.pk != side.pk]
    with recording(
        battle.campaign,
        battle,
        side,
        kind="report-draft",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, (mine,) = report_rows(act, battle, [side])
        number = _spend(row, mine, code) if code else None
        refuse_unless_running(row.campaign)
        if row.status not in AHEAD:
            raise Refusal(_("This battle has its report."), mend=_("You can amend that."), code="not-ahead")
        if waiting_drafts(row).filter(side=mine).count() >= MOST_WAITING:
            raise Refusal(
                _("{count} drafts of {side} wait already.").format(count=MOST_WAITING, side=side_name(mine)),
                mend=_("Accept or refuse one first."),
                code="too-many",
            )
        draft: ReportDraft = act.create(
            ReportDraft(
                battle=row,
                side=mine,
                by=actor,
                code_number=number,
                kind=kind,
                played_on=played_on,
                data=checked_report(row, data, [mine, *others]) if code else dict(data),
                unread=list(unread),
            )
        )
        act.also_about(draft)
        _tell_own(act, mine)
        words = _("{{who}} sent a filled-in sheet of {side} for {scenario} as a draft.")
        if code and actor is None:
            words = _("Somebody with the code of {side} sent a draft of its report of {scenario}.")
        elif code:
            words = _("{{who}} sent a draft of the report of {side} on {scenario}.")
        act.say(words.format(side=side_name(mine), scenario=scenario_name(row)))
    return draft


def _spend(battle: Battle, side: Side, code: str) -> int:
    """Return the number of the code, which the new draft takes. The side is locked, so no second draft comes by it."""
    kept = ReportCode.objects.filter(side=side, code=code).first()
    if kept is None:
        raise Refusal(_("This code was revoked."), mend=_("Ask for a new sheet."), code="revoked")
    kept.side = side
    refuse_code(kept, battle)
    return kept.number


def refuse_report_draft(*, draft: ReportDraft, actor: Any, words: str, token: str = "") -> ReportDraft:
    """Refuse a draft, with the reason. Raises Refusal without one, or for a draft that does not wait."""
    words = " ".join(words.split())
    if not words:
        raise Refusal(_("Give a reason."), code="no-words", field="reason")
    side = draft.side
    with recording(
        draft.battle.campaign,
        draft.battle,
        side,
        draft,
        kind="report-refuse",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=draft.battle.occasion,
        token=token,
    ) as act:
        refuse_unless_waiting(act.row(draft))
        act.change(draft, state=ReportDraft.State.REFUSED, refused_words=words[:500])
        _tell_own(act, side)
        act.say(
            _("{{who}} refused a draft of the report of {side}: “{words}”").format(side=side_name(side), words=words)
        )
    return draft


def accept_draft(act: Recorder, draft: ReportDraft) -> None:
    """Mark a draft as accepted, as part of the act that sends its report. Raises Refusal if it does not wait."""
    refuse_unless_waiting(act.row(draft))
    act.change(draft, state=ReportDraft.State.ACCEPTED)


def refuse_unless_waiting(draft: ReportDraft) -> None:
    if draft.is_undone:
        raise Refusal(_("This draft was withdrawn."), code="not-waiting")
    if draft.state != ReportDraft.State.WAITING:
        raise Refusal(
            _("This draft was {state}.").format(state=draft.get_state_display().lower()),
            mend=_("Open the battle to see how it stands."),
            code="not-waiting",
        )


def waiting_drafts(battle: Battle) -> Any:
    """Return the drafts that wait for an answer, with sides and senders: none for a battle that has its report."""
    drafts = ReportDraft.objects.live().filter(battle=battle, state=ReportDraft.State.WAITING)
    if battle.status not in AHEAD:
        return drafts.none()
    return drafts.select_related("side__seat", "side__warband", "by").order_by("pk")


def _tell_own(act: Recorder, side: Side) -> None:
    if side.warband is not None:
        act.also_told_to(side.warband)
