"""The services for the muster: each side chooses its force, and its roster is frozen as a numbered snapshot.

"Ready" never refuses a roster with problems: it freezes the roster with its problems and shows them to the other
side. It only requires that the injuries of an earlier battle are written, because they decide who can take part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, PostBattle, Side
from campaigns.report_data import mustered
from campaigns.scenarios import scenario_name, scenario_of
from campaigns.sequence import injuries_waiting
from campaigns.serialization import draw_json
from campaigns.services.battle_setup import settle_fallen
from campaigns.services.common import NothingToDo, for_side, live_sides, settles, side_name
from campaigns.services.dice_entry import draw_for, told
from campaigns.services.fielding import (
    Fielded,
    count_attackers,
    fielded,
    locked_side,
    refuse_unless_ahead,
    store_problems_since,
)
from rules.dice import DiceSource, NeedDice
from rules.formatting import joined
from rules.problems import Problem, Refusal
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Snapshot
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, recording
from warbands.services.sharing import take_snapshot


@settles
def take_force(
    *, side: Side, fighters: Iterable[str], actor: Any, reserves: Iterable[str] = (), token: str = ""
) -> Fielded:
    """Choose the fighters that take part, and which of them wait in reserve if the scenario has reserves. The same choice again writes nothing.

    Raises Refusal for a fighter that cannot take part, and once the side is ready.
    """
    with _choosing(side, "force", actor, token) as (act, row):
        keys = list(dict.fromkeys(str(key) for key in fighters))
        state = fielded(row.battle, row, taken=keys)
        known = {each.fighter: each for each in state.rows}
        for key in keys:
            if key not in known:
                raise Refusal(_("A fighter you chose is no longer on the roster."), code="unknown-fighter")
            if known[key].closed:
                raise Refusal(
                    _("{fighter} can't take part: {reason}").format(fighter=known[key].name, reason=known[key].closed),
                    code="cannot-go",
                )
        scenario = scenario_of(row.battle) if row.battle.scenario_id else None
        waiting = [key for key in dict.fromkeys(map(str, reserves)) if key in keys]
        if waiting and not (scenario is not None and scenario.has_reserves):
            raise Refusal(_("This scenario has no reserves."), code="no-reserves")
        if (row.force.get("taken"), row.force.get("reserves") or []) == (keys, waiting):
            raise NothingToDo(state)
        act.set_leaf(row, ("taken",), keys, field="force")
        act.set_leaf(row, ("reserves",), waiting or None, field="force")
        state = fielded(row.battle, row, taken=keys)
        act.say(
            ngettext(
                "{{who}} chose {count} fighter of {side} for {scenario}.",
                "{{who}} chose {count} fighters of {side} for {scenario}.",
                len(keys),
            ).format(count=len(keys), side=side_name(row), scenario=scenario_name(row.battle))
        )
    return state


def keep_muster_roll(
    *,
    side: Side,
    fighter: str,
    actor: Any,
    source: str,
    faces: Sequence[int] = (),
    dice: DiceSource | None = None,
    token: str = "",
) -> bool:
    """Roll whether a fighter takes part (a D6 for a trauma) and store the roll at once. Return True if it does. The roll is final."""
    with _choosing(side, "roll", actor, token) as (act, row):
        asked = next((each for each in fielded(row.battle, row).rows if each.fighter == str(fighter)), None)
        if asked is None or not asked.roll_out_on:
            raise Refusal(_("This fighter has nothing to roll for."), code="no-dice")
        if asked.fighter in row.force.get("rolls", {}):
            raise AlreadyDone(Event.objects.filter(occasion=row.battle.occasion, kind="roll").order_by("-pk").first())
        need = NeedDice(_("Whether {fighter} takes part").format(fighter=asked.name), 1, 6)
        draw = draw_for(row.battle.campaign, need, source, faces, dice)
        by = str(actor) if actor is not None else ""
        act.set_leaf(row, ("rolls", asked.fighter), draw_json(draw, by), field="force")
        goes = draw.faces[0] not in asked.roll_out_on
        act.say(
            _("{who} {rolled} for {name}: takes part.").format(who="{who}", rolled=told(draw), name=asked.name)
            if goes
            else _("{who} {rolled} for {name}: misses this battle.").format(
                who="{who}", rolled=told(draw), name=asked.name
            )
        )
    return goes


def take_back_muster_roll(*, side: Side, fighter: str, actor: Any, token: str = "") -> None:
    """Take back a typed roll for a fighter ("Mistyped"). Only possible until the side is ready."""
    with _choosing(side, "mistyped", actor, token) as (act, row):
        kept = row.force.get("rolls", {}).get(str(fighter))
        if kept is None:
            raise Refusal(_("There is no roll to undo."), code="no-dice")
        if kept["origin"] != "typed":
            raise Refusal(_("The app's dice stay. Only dice you entered can be undone."), code="app-dice")
        act.set_leaf(row, ("rolls", str(fighter)), None, field="force")
        name = Fighter.objects.filter(pk=fighter).values_list("name", flat=True).first() or _("a fighter")
        act.say(_("{{who}} took back {face}, mistyped, for {name}.").format(face=kept["faces"][0], name=name))


@settles
def make_side_ready(*, side: Side, actor: Any, token: str = "", seen: int | None = None) -> Side:
    """Freeze the side's roster and force as a numbered snapshot with all its problems; problems do not prevent it.

    This also fixes the warband's battle number. A guest is ready without a roster. A second call changes nothing.
    Raises Refusal while injuries of an earlier battle are not written.
    """
    battle = side.battle
    subjects: list[Any] = [battle.campaign, battle, *live_sides(battle)]
    if side.warband is not None:
        subjects.append(side.warband)
    with recording(
        *subjects,
        kind="muster",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=battle.occasion,
        token=token,
        seen=seen,
    ) as act:
        row, mine = locked_side(act, battle, side)
        if mine.ready_at is not None:
            raise NothingToDo(mine)
        refuse_unless_ahead(row)
        if mine.warband is not None:
            _refuse_while_injuries_wait(mine)
        sides = [mine if each.pk == mine.pk else each for each in live_sides(row)]
        settle_fallen(act, row, sides)
        freeze_side(act, row, mine, sides)
        flagged = len(mine.snapshot.problems) if mine.snapshot is not None else 0
        name = f"{scenario_name(row)} (v{mine.snapshot.version})" if mine.snapshot is not None else scenario_name(row)
        told = _("{{who}} made {side} ready for {scenario}.")
        if flagged:
            told = ngettext(
                "{{who}} made {side} ready for {scenario}, with {count} problem.",
                "{{who}} made {side} ready for {scenario}, with {count} problems.",
                flagged,
            )
        act.say(told.format(side=side_name(mine), scenario=name, count=flagged))
    return mine


def freeze_side(
    act: Recorder, battle: Battle, side: Side, sides: Sequence[Side], *, taken: Iterable[str] | None = None
) -> None:
    """Store force, snapshot, rating and battle number, inside a recording that locks battle, side and warband.

    `taken` replaces the chosen force.
    """
    if side.warband is not None:
        warband = act.row(side.warband)
        warband.terms = side.warband.terms
        side.warband = warband
        force = act.force(warband)
        state = fielded(battle, side, force, taken=taken)
        snapshot = _take_snapshot(act, side, state, scenario_name(battle))
        stored = {"taken": list(state.taken), "kept_out": list(state.kept_out), "upkeep": state.upkeep_ducats}
        for name, value in {**stored, "flag": None, "since": None}.items():
            act.set_leaf(side, (name,), value, field="force")
        number = force.battles.next_number + _not_begun(side)
        act.change(side, snapshot=snapshot, rating=max(0, state.worth.ducats), number=number)
    act.change(side, ready_at=timezone.now())
    _tell_defenders(act, battle, sides)
    if all(each.ready_at is not None or each.is_guest for each in sides):
        act.change(battle, status=Battle.Status.MUSTERED)


def _tell_defenders(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    """Store with each ready defender the problems that the attackers' force causes. They are for information and
    refuse nothing.

    If no attackers are ready, there are none. Five queries at most for each ready defender in a scenario with
    attackers.
    """
    count = count_attackers(sides)
    for side in sides:
        if side.is_attacker is not False or side.ready_at is None or side.warband is None or side.snapshot is None:
            continue
        problems: list[Problem] = []
        if count is not None:
            force, taken = force_of(side.warband), mustered(side)
            before, now = (
                fielded(battle, side, force, taken=taken, facing=facing).verdict.errors
                for facing in (lambda: None, lambda: count)
            )
            known = {problem.message for problem in before}
            problems = [problem for problem in now if problem.message not in known]
        store_problems_since(act, side, problems)


def _take_snapshot(act: Recorder, side: Side, state: Fielded, reason: str) -> Snapshot:
    warband = act.row(side.warband)
    snapshot = take_snapshot(act, reason) if act.warband.pk == warband.pk else None
    if snapshot is None:  # a recording over two warbands: each has its own version
        terms = warband.terms
        force = act.force(warband)
        snapshot, _ = Snapshot.objects.get_or_create(
            warband=warband,
            version=warband.version + 1,
            defaults={
                "document": terms.game.documents.write_document(terms.content, force),
                "sheet": msgspec.to_builtins(terms.game.documents.sheet(terms.content, force)),
                "reason": reason[:120],
            },
        )
    snapshot.problems = [msgspec.to_builtins(problem) for problem in state.problems]
    snapshot.save(update_fields=["problems"])
    return snapshot


@settles
def take_back_ready(*, side: Side, actor: Any, token: str = "") -> Side:
    """Undo being ready before the battle is reported. The force may be changed again; the snapshot stays in the history."""
    battle = side.battle
    with recording(
        battle.campaign,
        battle,
        *live_sides(battle),
        kind="muster",
        actor=actor,
        for_name=for_side(side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, mine = locked_side(act, battle, side)
        refuse_unless_ahead(row)
        if mine.ready_at is None:
            raise NothingToDo(mine)
        act.change(mine, ready_at=None, snapshot=None, number=None, rating=0)
        act.set_leaf(mine, ("since",), None, field="force")
        _tell_defenders(act, row, [mine if each.pk == mine.pk else each for each in live_sides(row)])
        act.change(row, status=Battle.Status.SCHEDULED)
        act.say(
            _("{{who}} took {side} back from being ready for {scenario}.").format(
                side=side_name(mine), scenario=scenario_name(row)
            )
        )
    return mine


@contextmanager
def _choosing(side: Side, kind: str, actor: Any, token: str) -> Iterator[tuple[Recorder, Side]]:
    """Record one action on a side's force. Raises Refusal once the side is ready."""
    with recording(
        side.battle,
        side,
        kind=kind,
        actor=actor,
        for_name=for_side(side, actor),
        occasion=side.battle.occasion,
        token=token,
    ) as act:
        row, mine = locked_side(act, side.battle, side)
        refuse_unless_ahead(row)
        if mine.ready_at is not None:
            raise Refusal(
                _("{side} is ready.").format(side=side_name(mine)), mend=_("Withdraw Ready first."), code="ready"
            )
        yield act, mine


def injuries_first(side: Side) -> tuple[PostBattle, tuple[str, ...]] | None:
    """Return the earlier battle's sequence whose injuries are not written, with the tasks that wait there. Return
    None if there is none.

    One query if no sequence is open, two more for each open one.
    """
    earlier = (
        PostBattle.objects.live()
        .filter(warband=side.warband_id, closed_at=None, side__is_undone=False, side__battle__is_undone=False)
        .exclude(side=side)
        .exclude(side__battle__status=Battle.Status.VOID)
        .select_related("warband__terms", "side__battle__campaign__terms")
        .order_by("pk")
    )
    waiting = ((post_battle, injuries_waiting(post_battle)) for post_battle in earlier)
    return next((each for each in waiting if each[1]), None)


def _refuse_while_injuries_wait(side: Side) -> None:
    """Raise Refusal while an earlier battle's injuries are not written. Other steps of its sequence may stay open."""
    if earlier := injuries_first(side):
        post_battle, waits = earlier
        raise Refusal(
            _("Finish {scenario} first: {tasks}.").format(
                scenario=scenario_name(post_battle.side.battle), tasks=joined(waits)
            ),
            mend=_("Finish its first step, then get ready."),
            code="injuries-first",
        )


def _not_begun(side: Side) -> int:
    """Count the reported battles whose sequence has not begun; the roster does not include them yet. One query."""
    return (
        PostBattle.objects.live()
        .filter(warband=side.warband_id, started_at=None, side__is_undone=False)
        .exclude(side=side)
        .exclude(side__battle__status=Battle.Status.VOID)
        .count()
    )
