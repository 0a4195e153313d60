"""A report put right: points change the standings alone; deeds, losses and results reach into sequences that have begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.battle_result import aftermath_of, standing_report
from campaigns.models import Battle, PostBattle, Report, Side
from campaigns.report_data import checked_report
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence
from campaigns.serialization import aftermath_json, read_aftermath, read_record
from campaigns.services.common import NothingToDo, live_sides, plural, rehearsed, settles
from campaigns.services.report_parts import (
    ANSWERED,
    REPORTED,
    apply_report,
    begun_warbands,
    confirm_if_answered,
    for_side,
    next_number,
    report_rows,
    result_words,
    tell_sides,
    wait_for_answer,
)
from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.price import Price
from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.labels import labels_of
from warbands.models import Item
from warbands.recording import Recorder, recording
from warbands.services.consequences import carry_out


@dataclass(frozen=True, slots=True)
class Amendment:
    """A report put right: the version that stands now, what that did at once, and what is left to settle, each in a sentence."""

    report: Report
    done: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def ripples(self) -> bool:
        """Whether more than the standings change."""
        return bool(self.done or self.open)


@settles
def amend_report(
    *, battle: Battle, actor: Any, data: Mapping[str, Any], by_side: Side | None = None, token: str = ""
) -> Amendment:
    """Put a report right. Points change the standings alone; a deed brings glory, experience and a promotion die, all in this act.

    A side's amendment asks the others to confirm again; an administrator's (`by_side` None) leaves the answers as they are. Sequences
    that have begun take up the change: what they had not written is asked for as it is now, what they had is listed.
    """
    sides = live_sides(battle)
    with recording(
        battle.campaign, battle, *sides, *begun_warbands(sides), kind="amend", actor=actor, for_name=for_side(by_side, actor),
        occasion=battle.occasion, token=token,
    ) as act:  # fmt: skip
        row, sides = report_rows(act, battle, sides)
        if row.status not in REPORTED:
            raise Refusal("There is no report to amend.", code="no-report")
        if by_side is not None and row.status in ANSWERED:
            raise Refusal("The report is confirmed.", mend="An administrator can amend it.", code="confirmed")
        if by_side is not None and row.status == Battle.Status.DISPUTED:
            raise Refusal("The report is disputed.", mend="An administrator decides it.", code="disputed")
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
            f"{{who}} amended the report of {scenario_name(row)}: {result_words(sides, checked)}.",
            done=list(amendment.done),
            open=list(amendment.open),
        )
    return amendment


def preview_amendment(*, battle: Battle, actor: Any, data: Mapping[str, Any], by_side: Side | None = None) -> Amendment:
    """What `amend_report` would do, line by line; nothing is kept. Raises Refusal as it would."""
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
    """Within an act: a further version of the report, taken up by every sequence that has begun."""
    report = act.create(
        Report(battle=battle, by=actor, by_side=by_side or old.by_side, number=next_number(battle), data=data)
    )
    apply_report(act, sides, data)
    done: list[str] = []
    left: list[str] = []
    for side in sides:
        sequence = PostBattle.objects.live().filter(side=side, started_at__isnull=False).first()
        if sequence is not None:
            _take_up(act, battle, side, sequence, report, done, left)
    return Amendment(report, tuple(done), tuple(left))


def _take_up(
    act: Recorder,
    battle: Battle,
    side: Side,
    post_battle: PostBattle,
    report: Report,
    done: list[str],
    left: list[str],
) -> None:
    """Let a sequence that has begun live with another report.

    What the report itself does is made up for, and so is what steps that were written would have done by it; the rest is listed.
    """
    warband = act.row(side.warband)
    post_battle.warband = warband
    before = read_aftermath(post_battle.aftermath)
    now = aftermath_of(battle, side, report)
    if before == now:
        return
    game, content = warband.terms.game, warband.terms.content
    force = force_of(warband, gone=True)  # who died since did its deeds all the same
    was = list(game.post_battle.result_consequences(content, force, before))
    should = list(game.post_battle.result_consequences(content, force, now))
    lost = [c for c in was if c not in should]
    gained = [c for c in should if c not in was and not _stood_before(act, post_battle, c)]
    for consequence in lost:
        _reverse(act, side, post_battle, consequence, gained, done, left)
    carry_out(act, warband, gained)
    done += [f"{warband.name}: {_told(c)}." for c in gained if _told(c)]
    record = read_record(post_battle.record)
    besides = game.post_battle.amended(content, force_of(warband, gone=True), before, now, record)
    carry_out(act, warband, besides.consequences)
    done += [f"{warband.name}: {line}." for line in besides.done]
    for key in sorted(record.written - set(record.before)):
        act.set_leaf(post_battle, ("before", key), aftermath_json(before), field="record")
    act.change(post_battle, aftermath=aftermath_json(now))
    left += [f"{warband.name}: {line}" for line in besides.stands]
    left += _left_open(StepSequence(post_battle), warband.name)
    if post_battle.closed_at is not None and any(s.waits for s in StepSequence(post_battle).standings()):
        act.change(post_battle, closed_at=None)
        if battle.status == Battle.Status.CLOSED:
            act.change(battle, status=Battle.Status.CONFIRMED)


def _stood_before(act: Recorder, post_battle: PostBattle, consequence: Consequence) -> bool:
    """Whether this money was never taken back when an earlier amendment should have: then it is not paid again."""
    if not isinstance(consequence, Money):
        return False
    amount, reason = consequence.amount, consequence.reason
    if post_battle.record.get("stood", {}).get(reason) != [amount.ducats, amount.glory]:
        return False
    act.set_leaf(post_battle, ("stood", reason), None, field="record")
    return True


def _reverse(
    act: Recorder,
    side: Side,
    post_battle: PostBattle,
    consequence: Consequence,
    gained: Sequence[Consequence],
    done: list[str],
    left: list[str],
) -> None:
    warband = act.row(side.warband)
    match consequence:
        case Money(amount=amount, reason=reason):
            brought = [c.amount for c in gained if isinstance(c, Money)]
            short = (
                warband.strongbox_ducats + sum(price.ducats for price in brought) < amount.ducats
                or warband.strongbox_glory + sum(price.glory for price in brought) < amount.glory
            )
            if short and not warband.is_founding:
                act.set_leaf(post_battle, ("stood", reason), [amount.ducats, amount.glory], field="record")
                left.append(f"{warband.name}: {amount} for {reason} were spent since; that stands.")
                return
            act.pay(amount, reason=f"Amended report: {reason}", warband=warband)
            told = "comes back" if amount.ducats < 0 or amount.glory < 0 else "taken back"
            done.append(f"{warband.name}: {_plainly(amount)}, {reason}, {told}.")
        case LosesItems(items=keys):
            for item in Item.objects.live().filter(warband=warband, pk__in=keys).exclude(status=Item.Status.HELD):
                act.change(item, status=Item.Status.HELD, why="")
                done.append(
                    f"{warband.name}: a piece that was not used up is back in the {labels_of(warband.terms)['stash_within']}."
                )
        case SetWarband(path=path) if any(isinstance(c, SetWarband) and c.path == path for c in gained):
            pass  # set anew by what takes its place
        case _:
            left.append(f"{warband.name}: something the first report did stands; an administrator can void the battle.")


def _plainly(amount: Price) -> str:
    """An amount without its sign."""
    return str(Price(ducats=abs(amount.ducats), glory=abs(amount.glory)))


def _told(consequence: Consequence) -> str:
    match consequence:
        case Money(amount=amount, reason=reason):
            paid = "paid: " if amount.ducats < 0 or amount.glory < 0 else ""
            return f"{paid}{_plainly(amount)}, {reason}"
        case LosesItems(items=keys):
            return f"{plural(len(keys), 'piece')} used up"
    return ""


def _left_open(sequence: StepSequence, name: str) -> list[str]:
    """What an amendment leaves to settle in a sequence: tasks asked for anew, and written ones that would come out otherwise now."""
    left = [
        f"{name}, {standing.step.label}: now waiting: {', '.join(standing.waits)}."
        for standing in sequence.standings()
        if standing.step.id in sequence.post_battle.done and standing.waits
    ]
    for step in sequence.steps:
        for task in sequence.tasks(step.id):
            if sequence.out_of_date(step.id, task):
                left.append(
                    f"{name}, {step.label}: {task.title} was written before this; undo it and write it again to take it in."
                )
    return left
