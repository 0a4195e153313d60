"""The service that amends a report.

Changed points affect only the standings; changed deeds, losses and results also affect sequences that have begun.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.battle_result import aftermath_of, standing_report
from campaigns.models import ANSWERED, REPORTED, Battle, PostBattle, Report, Side
from campaigns.report_data import checked_report
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence
from campaigns.serialization import aftermath_json, read_aftermath, read_record
from campaigns.services.common import NothingToDo, for_side, live_sides, rehearsed, settles
from campaigns.services.report_parts import (
    apply_report,
    begun_warbands,
    confirm_if_answered,
    next_number,
    report_rows,
    result_words,
    tell_sides,
    wait_for_answer,
)
from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.parts.post_battle import Aftermath
from rules.price import Price
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.labels import labels_of
from warbands.models import Item
from warbands.recorder import Recorder
from warbands.recording import recording
from warbands.services.consequences import carry_out


@dataclass(frozen=True, slots=True)
class Amendment:
    """The result of an amendment: the report version now in force, what changed at once, and what is left to settle.

    `done` and `open` hold sentences.
    """

    report: Report
    done: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def ripples(self) -> bool:
        return bool(self.done or self.open)


@settles
def amend_report(
    *, battle: Battle, actor: Any, data: Mapping[str, Any], by_side: Side | None = None, token: str = ""
) -> Amendment:
    """Amend a report.

    Changed points affect only the standings. A new deed brings its glory, experience and promotion die in the same
    transaction. An amendment by a side asks the other sides to confirm again. An amendment by an administrator
    (`by_side` None) leaves the answers unchanged. Sequences that have begun are updated: tasks not yet written use
    the new report, and tasks already written are listed.
    """
    sides = live_sides(battle)
    with recording(
        battle.campaign,
        battle,
        *sides,
        *begun_warbands(sides),
        kind="amend",
        actor=actor,
        for_name=for_side(by_side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, sides = report_rows(act, battle, sides)
        if row.status not in REPORTED:
            raise Refusal(_("There is no report to amend."), code="no-report")
        if by_side is not None and row.status in ANSWERED:
            raise Refusal(_("The report is confirmed."), mend=_("An administrator can amend it."), code="confirmed")
        if by_side is not None and row.status == Battle.Status.DISPUTED:
            raise Refusal(_("The report is disputed."), mend=_("An administrator decides it."), code="disputed")
        report = standing_report(row)
        assert report is not None
        checked = checked_report(row, data, sides)
        if checked == report.data:
            raise NothingToDo(Amendment(report, (), ()))
        amendment = amend_within(act, row, sides, report, checked, actor, by_side)
        if by_side is not None:
            for side in sides:
                act.change(side, confirmed_at=None, confirmed_by=None)
            wait_for_answer(act, row, sides, by_side, actor)
            confirm_if_answered(act, row, sides, by_side)
        tell_sides(act, sides)
        act.say(
            _("{{who}} amended the report of {scenario}: {result}.").format(
                scenario=scenario_name(row), result=result_words(sides, checked)
            ),
            done=list(amendment.done),
            open=list(amendment.open),
        )
    return amendment


def preview_amendment(*, battle: Battle, actor: Any, data: Mapping[str, Any], by_side: Side | None = None) -> Amendment:
    """Return what `amend_report` would do, line by line, without saving anything. Raises Refusal as `amend_report` does."""
    return rehearsed(lambda: amend_report(battle=battle, actor=actor, data=data, by_side=by_side))


def amend_within(
    act: Recorder,
    battle: Battle,
    sides: Sequence[Side],
    old: Report,
    data: dict[str, Any],
    actor: Any,
    by_side: Side | None,
) -> Amendment:
    """Add a version of the report inside a running recording, and update every sequence that has begun."""
    report = act.create(
        Report(battle=battle, by=actor, by_side=by_side or old.by_side, number=next_number(battle), data=data)
    )
    apply_report(act, sides, data)
    done: list[str] = []
    left: list[str] = []
    for side in sides:
        sequence = PostBattle.objects.live().filter(side=side, started_at__isnull=False).first()
        if sequence is not None:
            _refuse_unlocked(act, side)
            _Amending(act, battle, side, sequence, done, left).follow(report)
    return Amendment(report, tuple(done), tuple(left))


def _refuse_unlocked(act: Recorder, side: Side) -> None:
    """Raise Refusal for a sequence that began after the warbands to lock were read."""
    if not act.holds(side.warband):
        name = side.warband.name if side.warband is not None else ""
        raise Refusal(
            _("{warband} started its post-battle a moment ago.").format(warband=name),
            mend=_("Check the report and press again."),
            code="stale",
        )


class _Amending:
    """Adapts one side's sequence, which has begun, to another report. `done` and `left` collect the sentences for the user."""

    def __init__(
        self, act: Recorder, battle: Battle, side: Side, post_battle: PostBattle, done: list[str], left: list[str]
    ) -> None:
        self.act, self.battle, self.side, self.post_battle = act, battle, side, post_battle
        self.warband = post_battle.warband = act.row(side.warband)
        self.done, self.left = done, left

    def follow(self, report: Report) -> None:
        """Correct the effects of the old report, and what written steps would have done under the new one; list the rest."""
        post_battle, warband = self.post_battle, self.warband
        before = read_aftermath(post_battle.aftermath)
        now = aftermath_of(self.battle, self.side, report)
        if before == now:
            return
        game, content = warband.terms.game, warband.terms.content
        self._make_up(before, now)
        record = read_record(post_battle.record)
        besides = game.post_battle.amended(content, force_of(warband, gone=True), before, now, record)
        carry_out(self.act, warband, besides.consequences)
        self._tell(f"{line}." for line in besides.done)
        for key in sorted(record.written - set(record.before)):
            self.act.set_leaf(post_battle, ("before", key), aftermath_json(before), field="record")
        self.act.change(post_battle, aftermath=aftermath_json(now))
        self.left += [f"{warband.name}: {line}" for line in besides.stands]
        self.left += _left_open(StepSequence(post_battle), warband.name)
        if post_battle.closed_at is not None and any(s.waits for s in StepSequence(post_battle).standings()):
            self.act.change(post_battle, closed_at=None)
            if self.battle.status == Battle.Status.CLOSED:
                self.act.change(self.battle, status=Battle.Status.CONFIRMED)

    def _make_up(self, before: Aftermath, now: Aftermath) -> None:
        """Reverse the effects that only the old report had, and apply those that only the new one has."""
        game, content = self.warband.terms.game, self.warband.terms.content
        force = force_of(self.warband, gone=True)  # fighters that have died since still did their deeds
        was = list(game.post_battle.result_consequences(content, force, before))
        should = list(game.post_battle.result_consequences(content, force, now))
        gained = [c for c in should if c not in was and not self._was_never_taken_back(c)]
        for consequence in was:
            if consequence not in should:
                self._reverse(consequence, gained)
        carry_out(self.act, self.warband, gained)
        self._tell(told for c in gained if (told := _told(c)))

    def _tell(self, lines: Iterable[str]) -> None:
        self.done += [f"{self.warband.name}: {line}" for line in lines]

    def _was_never_taken_back(self, consequence: Consequence) -> bool:
        """Return whether an earlier amendment failed to take this money back. If so, it is not paid again."""
        if not isinstance(consequence, Money):
            return False
        amount, reason = consequence.amount, consequence.reason
        if self.post_battle.record.get("stood", {}).get(reason) != [amount.ducats, amount.glory]:
            return False
        self.act.set_leaf(self.post_battle, ("stood", reason), None, field="record")
        return True

    def _reverse(self, consequence: Consequence, gained: Sequence[Consequence]) -> None:
        match consequence:
            case Money(amount=amount, reason=reason):
                self._take_back(amount, reason, [c.amount for c in gained if isinstance(c, Money)])
            case LosesItems(items=keys):
                items = Item.objects.live().filter(warband=self.warband, pk__in=keys).exclude(status=Item.Status.HELD)
                for item in items:
                    self.act.change(item, status=Item.Status.HELD, why="")
                    stash = labels_of(self.warband.terms)["stash_within"]
                    self._tell([_("An item that wasn't used up is back in the {stash}.").format(stash=stash)])
            case SetWarband(path=path) if any(isinstance(c, SetWarband) and c.path == path for c in gained):
                pass  # the new value overwrites it
            case _:
                words = _("{warband}: something the first report did stays. An administrator can void the battle.")
                self.left.append(words.format(warband=self.warband.name))

    def _take_back(self, amount: Price, reason: str, gained: Sequence[Price]) -> None:
        warband = self.warband
        is_short = (
            warband.strongbox_ducats + sum(price.ducats for price in gained) < amount.ducats
            or warband.strongbox_glory + sum(price.glory for price in gained) < amount.glory
        )
        if is_short and not warband.is_founding:
            stood = [amount.ducats, amount.glory]
            self.act.set_leaf(self.post_battle, ("stood", reason), stood, field="record")
            self.left.append(
                _("{warband}: {amount} ({reason}) can't be taken back: it was spent since.").format(
                    warband=warband.name, amount=amount, reason=reason
                )
            )
            return
        self.act.pay(amount, reason=_("Amended report: {reason}").format(reason=reason), warband=warband)
        told = _("{amount} returned: {reason}.") if _is_paid(amount) else _("{amount} taken back: {reason}.")
        self._tell([told.format(amount=_plainly(amount), reason=reason)])


def _is_paid(amount: Price) -> bool:
    return amount.ducats < 0 or amount.glory < 0


def _plainly(amount: Price) -> str:
    return str(Price(ducats=abs(amount.ducats), glory=abs(amount.glory)))


def _told(consequence: Consequence) -> str:
    match consequence:
        case Money(amount=amount, reason=reason):
            told = _("{amount} paid: {reason}.") if _is_paid(amount) else _("{amount} received: {reason}.")
            return told.format(amount=_plainly(amount), reason=reason)
        case LosesItems(items=keys):
            return ngettext("{count} item used up.", "{count} items used up.", len(keys)).format(count=len(keys))
    return ""


def _left_open(sequence: StepSequence, name: str) -> list[str]:
    """Return what an amendment leaves to settle in a sequence: new tasks, and written tasks whose result would now differ."""
    left = [
        _("{name}, {step}: now to do: {tasks}.").format(
            name=name, step=standing.step.label, tasks=", ".join(standing.waits)
        )
        for standing in sequence.standings()
        if standing.step.id in sequence.post_battle.done and standing.waits
    ]
    for step in sequence.steps:
        for task in sequence.tasks(step.id):
            if sequence.out_of_date(step.id, task):
                left.append(
                    _(
                        "{name}, {step}: {task} was written before this; undo it and write it again to take it in."
                    ).format(name=name, step=step.label, task=task.title)
                )
    return left
