"""The services that set the scenario and the attacker of a battle, by a dice roll, a decision or directly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from campaigns.models import REPORTED, Battle, Side
from campaigns.report_data import mustered
from campaigns.scenarios import has_attacker, scenario_name, scenarios
from campaigns.sequence import run
from campaigns.serialization import draw_json, read_draws
from campaigns.services.common import cleaned_name, live_sides, side_name
from campaigns.services.dice_entry import draw_for, told
from campaigns.services.fielding import fielded, locked_side, refuse_unless_ahead, store_problems_since
from campaigns.services.tracker import tell_scenario
from campaigns.settings_schema import rules_settings
from rules.consequences import SetWarband
from rules.dice import DiceSource
from rules.problems import Refusal
from rules.resolution import Outcome, Progress, Task
from warbands.adapters import force_of
from warbands.models import Event, Fighter
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, recording

SETUP = ("scenario", "attacker")


def setup_task(battle: Battle, what: str, sides: Sequence[Side] | None = None) -> Task:
    """Return the task that determines the "scenario" or the "attacker" of a battle. About three queries a side."""
    if what not in SETUP:
        raise Refusal(_("There is no such thing to set up."), code="unknown-task")
    sides = list(sides) if sides is not None else live_sides(battle)
    terms = battle.campaign.terms
    game, content = terms.game, terms.content
    settings = rules_settings(battle.campaign)
    own = [side for side in sides if side.warband is not None]
    if what == "scenario":
        numbers = [force_of(side.warband).battles.next_number for side in own]
        played = [name for name in (last_scenario(side, battle) for side in own) if name]
        return game.battle.scenario_task(content, numbers, played, settings, [side_name(side) for side in own])
    known = {side.pk: force_of(side.warband).battles for side in own}
    fought = [
        (str(side.pk), side_name(side), known[side.pk].fought + known[side.pk].credited if side.pk in known else 0)
        for side in sides
    ]
    return game.battle.attacker_task(content, fought, settings, battle.scenario_id, sizes(own))


def sizes(sides: Sequence[Side]) -> dict[str, int]:
    """Count the fighters on each side's roster that could take part, by side id. One query."""
    own = {side.warband_id: str(side.pk) for side in sides if side.warband_id is not None}
    rows = (
        Fighter.objects.live()
        .filter(warband__in=own, status=Fighter.Status.ACTIVE)
        .exclude(hired_as="item")
        .values("warband")
        .annotate(models=Sum("count"))
    )
    return {own[row["warband"]]: row["models"] for row in rows}


def setup_progress(battle: Battle, what: str) -> Progress:
    """Return the progress of determining the scenario or attacker. About three queries a side. Raises Refusal."""
    return run(setup_task(battle, what), setup_draws(battle, what), setup_choices(battle, what))


def setup_draws(battle: Battle, what: str) -> Any:
    """Return the rolls stored for the scenario or the attacker."""
    return read_draws(battle.muster.get("draws", {}).get(what, ()))


def setup_choices(battle: Battle, what: str) -> dict[str, Any]:
    """Return the decisions stored for the scenario or the attacker, by key."""
    return dict(battle.muster.get("choices", {}).get(what, {}))


def last_scenario(side: Side, battle: Battle) -> str:
    """Return the id of the scenario that a side's warband played last, or "" if there is none. One query.

    Friendly battles and those of campaigns don't count for each other.
    """
    last = (
        Side.objects.live()
        .filter(
            warband=side.warband_id,
            battle__status__in=REPORTED,
            battle__is_undone=False,
            battle__campaign__kind=battle.campaign.kind,
        )
        .exclude(battle=battle)
        .exclude(battle__scenario_id="")
        .order_by("-battle__played_on", "-battle_id")
        .values_list("battle__scenario_id", flat=True)
        .first()
    )
    return str(last or (side.warband.state.get("last_scenario", "") if side.warband is not None else ""))


def keep_setup_roll(
    *,
    battle: Battle,
    what: str,
    actor: Any,
    source: str,
    faces: Sequence[int] = (),
    at: int | None = None,
    dice: DiceSource | None = None,
    token: str = "",
) -> Progress:
    """Roll for the "scenario" or the "attacker", store the roll at once and set the result. The arguments are those
    of `keep_roll`.

    The app's dice repeat a roll that must be made again. Players may still set another scenario or attacker
    afterwards. Raises Refusal if the scenario has no attacker to roll for.
    """
    with _setting_up(battle, "roll", actor, token) as (act, row, sides):
        _refuse_nobody_attacks(row, what)
        task = setup_task(row, what, sides)
        kept = list(setup_draws(row, what))
        if at is not None and at != len(kept):
            raise AlreadyDone(_last_setup(row, what))
        choices = setup_choices(row, what)
        progress = run(task, tuple(kept), choices)
        fallen = []
        while progress.need is not None:
            fallen.append(draw_for(row.campaign, progress.need, source, faces, dice))
            progress = run(task, (*kept, *fallen), choices)
            if source == "typed":
                break
        if not fallen:
            raise Refusal(_("{task}: no dice are needed now.").format(task=task.title), code="no-dice")
        by = str(actor) if actor is not None else ""
        stored = [*row.muster.get("draws", {}).get(what, ()), *(draw_json(draw, by) for draw in fallen)]
        act.set_leaf(row, ("draws", what), stored, field="muster")
        words = ["{who} " + "; ".join(f"{told(draw)} ({draw.why})" for draw in fallen) + "."]
        outcome = _outcome_of(act, row, what, task, (*kept, *fallen), progress)
        if outcome is not None:
            words.append(_settle(act, row, sides, outcome))
        act.say(" ".join(words), task=what)
    return progress


def take_back_setup_roll(*, battle: Battle, what: str, actor: Any, token: str = "") -> None:
    """Take back the last roll for scenario or attacker, if it was typed in ("Mistyped"), along with what it determined."""
    with _setting_up(battle, "mistyped", actor, token) as (act, row, sides):
        kept = setup_draws(row, what)
        if not kept:
            raise Refusal(_("There is no roll to undo."), code="no-dice")
        if kept[-1].origin != "typed":
            raise Refusal(_("The app's dice stay. Only dice you entered can be undone."), code="app-dice")
        act.set_leaf(row, ("draws", what), row.muster["draws"][what][:-1] or None, field="muster")
        act.set_leaf(row, ("choices", what), None, field="muster")
        if what == "scenario":
            act.change(row, scenario_id="", scenario_name="")
            act.set_leaf(row, ("found",), None, field="muster")
        else:
            for side in sides:
                act.change(side, is_attacker=None)
        faces = ", ".join(str(face) for face in kept[-1].faces)
        act.say(
            _("{who} undid a mistyped roll: {faces} ({why}).").format(who="{who}", faces=faces, why=kept[-1].why),
            task=what,
        )


def keep_setup_choice(
    *, battle: Battle, what: str, choice_key: str, value: Any, actor: Any, token: str = ""
) -> Progress:
    """Store a decision on the scenario or attacker, for example by the side that has fought less and decides who attacks."""
    with _setting_up(battle, "choose", actor, token) as (act, row, sides):
        task = setup_task(row, what, sides)
        draws = setup_draws(row, what)
        kept = {k: v for k, v in setup_choices(row, what).items() if k != choice_key}
        asked = run(task, draws, kept).asked
        if asked is None or asked.key != choice_key:
            raise Refusal(_("{task}: this is not needed now.").format(task=task.title), code="not-asked")
        progress = run(task, draws, {**kept, choice_key: value})
        act.set_leaf(row, ("choices", what), {**kept, choice_key: value}, field="muster")
        words = _("{who} decided.")
        if progress.outcome is not None:
            words = f"{words} {_settle(act, row, sides, progress.outcome)}"
        act.say(words, task=what)
    return progress


def choose_scenario(
    *, battle: Battle, actor: Any, scenario_id: str = "", scenario_name: str = "", token: str = ""
) -> Battle:
    """Set the scenario without rolling: one of the edition, or a custom one by name (its points are then typed in)."""
    with _setting_up(battle, "scenario", actor, token) as (act, row, sides):
        named = (
            cleaned_name(scenario_name[:80], _("A scenario"), field="scenario_name") if scenario_name.strip() else ""
        )
        known = next((each for each in scenarios(row) if each.id == scenario_id), None)
        if scenario_id and known is None:
            raise Refusal(_("This edition has no such scenario."), code="unknown-scenario")
        if known is None and not named:
            raise Refusal(_("Choose a scenario, or name one."), code="no-scenario")
        act.change(row, scenario_id=known.id if known else "", scenario_name="" if known else named)
        act.set_leaf(row, ("found",), None, field="muster")
        _clear_attacker(act, row, sides)
        act.say(_("{{who}} set the scenario: {scenario}.").format(scenario=known.name if known else named))
    return row


def choose_attacker(*, battle: Battle, actor: Any, side: Side | None, token: str = "") -> Battle:
    """Set the attacker without rolling. `side` is None if the scenario has no attacker."""
    with _setting_up(battle, "attacker", actor, token) as (act, row, sides):
        if side is not None and side.pk not in {each.pk for each in sides}:
            raise Refusal(_("That is not one of the sides."), code="unknown-side")
        if side is not None:
            _refuse_nobody_attacks(row, "attacker")
        for each in sides:
            act.change(each, is_attacker=None if side is None else each.pk == side.pk)
        act.say(
            _("{{who}} set: {side} attacks.").format(side=side_name(side))
            if side is not None
            else _("{who} set: no attacker.")
        )
    return row


@contextmanager
def _setting_up(battle: Battle, kind: str, actor: Any, token: str) -> Iterator[tuple[Recorder, Battle, list[Side]]]:
    """Record one action on the scenario and attacker of an upcoming battle.

    Sides that are ready stay ready, and the problems that the change causes in their force are stored with them. A
    table that is already set up also receives the new scenario and attacker.
    """
    sides = live_sides(battle)
    with recording(battle, *sides, kind=kind, actor=actor, occasion=battle.occasion, token=token) as act:
        row: Battle = act.row(battle)
        row.campaign = battle.campaign
        locked = [locked_side(act, battle, side)[1] for side in sides]
        refuse_unless_ahead(row)
        before = _scenario_state(row, locked)
        yield act, row, locked
        for side in locked:
            if side.ready_at is not None and side.warband is not None and side.snapshot is not None:
                store_problems_since(act, side, fielded(row, side, taken=mustered(side)).verdict.errors)
        if before != _scenario_state(row, locked):
            tell_scenario(row, act.event.actor)


def _scenario_state(battle: Battle, sides: Sequence[Side]) -> tuple[Any, ...]:
    """Return what the table of a battle is told of its setup: the scenario, its parts, and who attacks."""
    found = dict(battle.muster.get("found") or {})
    return battle.scenario_id, battle.scenario_name, found, [side.is_attacker for side in sides]


def _settle(act: Recorder, battle: Battle, sides: Sequence[Side], outcome: Outcome) -> str:
    found = {"/".join(c.path): c.value for c in outcome.consequences if isinstance(c, SetWarband)}
    if "scenario" in found:
        act.change(battle, scenario_id=found.pop("scenario"), scenario_name="")
        act.set_leaf(battle, ("found",), found or None, field="muster")
        _clear_attacker(act, battle, sides)
    if "attacker" in found:
        for side in sides:
            act.change(side, is_attacker=str(side.pk) == found["attacker"])
    return outcome.sentence


def settle_fallen(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    """Set what the dice have determined and nobody has set yet, so that pressing Ready does not lose a roll."""
    for what in SETUP:
        settled = battle.scenario_id or battle.scenario_name
        if what == "attacker":
            settled = not has_attacker(battle) or any(side.is_attacker is not None for side in sides)
        if settled or not setup_draws(battle, what):
            continue
        task, draws = setup_task(battle, what, sides), setup_draws(battle, what)
        progress = run(task, draws, setup_choices(battle, what))
        outcome = _outcome_of(act, battle, what, task, draws, progress)
        if outcome is not None:
            _settle(act, battle, [act.row(side) for side in sides], outcome)


def _outcome_of(
    act: Recorder, battle: Battle, what: str, task: Task, draws: Sequence[Any], progress: Progress
) -> Outcome | None:
    """Return the outcome of a roll. The side that wins the right to choose the attacker attacks, until another side is set."""
    if progress.outcome is not None or progress.asked is None or what != "attacker":
        return progress.outcome
    default = {progress.asked.key: progress.asked.options[0].value}
    act.set_leaf(battle, ("choices", what), default, field="muster")
    return run(task, tuple(draws), default).outcome


def _refuse_nobody_attacks(battle: Battle, what: str) -> None:
    if what != "attacker" or has_attacker(battle):
        return
    if battle.scenario_id:
        raise Refusal(
            _("There is no attacker in {scenario}.").format(scenario=scenario_name(battle)), code="no-attacker"
        )
    raise Refusal(_("The scenario decides whether there is an attacker."), mend=_("Set it first."), code="no-attacker")


def _clear_attacker(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    if has_attacker(battle):
        return
    for side in sides:
        act.change(side, is_attacker=None)
    act.set_leaf(battle, ("draws", "attacker"), None, field="muster")
    act.set_leaf(battle, ("choices", "attacker"), None, field="muster")


def _last_setup(battle: Battle, what: str) -> Event | None:
    return Event.objects.filter(occasion=battle.occasion, kind="roll", data__task=what).order_by("-pk").first()
