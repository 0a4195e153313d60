"""Muster: scenario and attacker, the force of each side, and its roster frozen as a numbered snapshot.

"Ready" never refuses a roster: it freezes it with its problems and shows them to the other side. What it asks for is that the injuries
of an earlier battle are written, since they say who can go at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.db.models import Sum
from django.utils import timezone

from campaigns.models import Battle, PostBattle, Seat, Side
from campaigns.report_data import mustered
from campaigns.scenarios import has_attacker, scenario_name, scenario_of, scenarios
from campaigns.sequence import injuries_waiting, run
from campaigns.serialization import draw_json, read_draws
from campaigns.services.common import NothingToDo, cleaned_name, for_whom, listed, live_sides, settles, side_name
from campaigns.services.dice_entry import draw_for, told
from campaigns.services.tracker import tell_scenario
from campaigns.settings_schema import rules_settings, setting_of
from rules.consequences import SetWarband
from rules.dice import DiceSource, NeedDice
from rules.force import Force
from rules.game import GameContent
from rules.parts.battle import MusterRow
from rules.parts.verdict import Verdict
from rules.problems import Problem, Refusal
from rules.resolution import Outcome, Progress, Task
from warbands.adapters import force_of
from warbands.models import Event, Fighter, Snapshot
from warbands.recording import AlreadyDone, Recorder, recording
from warbands.services.sharing import take_snapshot

AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)
FOUGHT = (Battle.Status.REPORTED, Battle.Status.DISPUTED, Battle.Status.CONFIRMED, Battle.Status.CLOSED)
SETUP = ("scenario", "attacker")


# --- scenario and attacker ---------------------------------------------------------------------------------------------------


def setup_task(battle: Battle, what: str, sides: Sequence[Side] | None = None) -> Task:
    """The task of finding the "scenario" or the "attacker" of a battle. About three queries a side."""
    if what not in SETUP:
        raise Refusal("There is no such thing to set up.", code="unknown-task")
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
    """How many fighters each side's roster holds, whoever could take the field, by side id. One query."""
    own = {side.warband_id: str(side.pk) for side in sides if side.warband_id is not None}
    rows = (
        Fighter.objects.live()
        .filter(warband__in=own, status=Fighter.Status.ACTIVE)
        .exclude(hired_as="item")
        .values("warband")
        .annotate(models=Sum("count"))
    )
    return {own[row["warband"]]: row["models"] for row in rows}


def setup_progress(battle: Battle, what: str, sides: Sequence[Side] | None = None) -> Progress:
    """How far finding the scenario or attacker has come. About three queries a side. Raises Refusal."""
    return run(
        setup_task(battle, what, sides), setup_draws(battle, what), battle.muster.get("choices", {}).get(what, {})
    )


def setup_draws(battle: Battle, what: str) -> Any:
    """The rolls kept for the scenario or the attacker."""
    return read_draws(battle.muster.get("draws", {}).get(what, ()))


def last_scenario(side: Side, battle: Battle) -> str:
    """The scenario that a side's warband played last. One query."""
    last = (
        Side.objects.live()
        .filter(warband=side.warband_id, battle__status__in=FOUGHT, battle__is_undone=False)
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
    """Roll for the "scenario" or the "attacker" and keep it at once; where that settles it, it is set. Arguments as in `keep_roll`.

    With the app's dice, a roll that must be made again is. What falls is the choice: another scenario, or the other side, is set
    afterwards. Raises Refusal where a scenario has no attacker to roll for.
    """
    with _setting_up(battle, "roll", actor, token) as (act, row, sides):
        _refuse_nobody_attacks(row, what)
        task = setup_task(row, what, sides)
        kept = list(setup_draws(row, what))
        if at is not None and at != len(kept):
            raise AlreadyDone(_last_setup(row, what))
        choices = row.muster.get("choices", {}).get(what, {})
        progress = run(task, tuple(kept), choices)
        fallen = []
        while progress.need is not None:
            fallen.append(draw_for(row.campaign, progress.need, source, faces, dice))
            progress = run(task, (*kept, *fallen), choices)
            if source == "typed":
                break
        if not fallen:
            raise Refusal(f"{task.title}: no dice are asked for now.", code="no-dice")
        by = str(actor) if actor is not None else ""
        stored = [*row.muster.get("draws", {}).get(what, ()), *(draw_json(draw, by) for draw in fallen)]
        act.set_leaf(row, ("draws", what), stored, field="muster")
        words = [f"{{who}} {'; '.join(f'{told(draw)} ({draw.why})' for draw in fallen)}."]
        outcome = _come_to(act, row, what, task, (*kept, *fallen), progress)
        if outcome is not None:
            words.append(_settle(act, row, sides, outcome))
        act.say(" ".join(words), task=what)
    return progress


def take_back_setup_roll(*, battle: Battle, what: str, actor: Any, token: str = "") -> None:
    """“Mistyped”: take back the last roll for scenario or attacker, if it was typed in. What it had settled is open again."""
    with _setting_up(battle, "mistyped", actor, token) as (act, row, sides):
        kept = setup_draws(row, what)
        if not kept:
            raise Refusal("There is no roll to take back.", code="no-dice")
        if kept[-1].origin != "typed":
            raise Refusal("The app's dice stand: only what was typed in can be mistyped.", code="app-dice")
        act.set_leaf(row, ("draws", what), row.muster["draws"][what][:-1] or None, field="muster")
        act.set_leaf(row, ("choices", what), None, field="muster")
        if what == "scenario":
            act.change(row, scenario_id="", scenario_name="")
            act.set_leaf(row, ("found",), None, field="muster")
        else:
            for side in sides:
                act.change(side, is_attacker=None)
        faces = ", ".join(str(face) for face in kept[-1].faces)
        act.say(f"{{who}} took back {faces}, mistyped ({kept[-1].why}).", task=what)


def keep_setup_choice(
    *, battle: Battle, what: str, choice_key: str, value: Any, actor: Any, token: str = ""
) -> Progress:
    """Keep a decision that finding the scenario or attacker asks for (who fought less decides who attacks)."""
    with _setting_up(battle, "choose", actor, token) as (act, row, sides):
        task = setup_task(row, what, sides)
        draws = setup_draws(row, what)
        kept = {k: v for k, v in row.muster.get("choices", {}).get(what, {}).items() if k != choice_key}
        asked = run(task, draws, kept).asked
        if asked is None or asked.key != choice_key:
            raise Refusal(f"{task.title} does not ask for this now.", code="not-asked")
        progress = run(task, draws, {**kept, choice_key: value})
        act.set_leaf(row, ("choices", what), {**kept, choice_key: value}, field="muster")
        words = "{who} decided."
        if progress.outcome is not None:
            words = f"{{who}} decided. {_settle(act, row, sides, progress.outcome)}"
        act.say(words, task=what)
    return progress


def choose_scenario(
    *, battle: Battle, actor: Any, scenario_id: str = "", scenario_name: str = "", token: str = ""
) -> Battle:
    """Choose the scenario without rolling: one of the edition, or another by its name (its points are typed in)."""
    with _setting_up(battle, "scenario", actor, token) as (act, row, sides):
        named = cleaned_name(scenario_name[:80], "A scenario") if scenario_name.strip() else ""
        known = next((each for each in scenarios(row) if each.id == scenario_id), None)
        if scenario_id and known is None:
            raise Refusal("This edition has no such scenario.", code="unknown-scenario")
        if known is None and not named:
            raise Refusal("Choose a scenario, or name one.", code="no-scenario")
        act.change(row, scenario_id=known.id if known else "", scenario_name="" if known else named)
        act.set_leaf(row, ("found",), None, field="muster")
        _nobody_attacks_any_more(act, row, sides)
        act.say(f"{{who}} set the scenario: {known.name if known else named}.")
    return row


def choose_attacker(*, battle: Battle, actor: Any, side: Side | None, token: str = "") -> Battle:
    """Say who attacks, without rolling; None: the scenario has no attacker."""
    with _setting_up(battle, "attacker", actor, token) as (act, row, sides):
        if side is not None and side.pk not in {each.pk for each in sides}:
            raise Refusal("That is not one of the sides.", code="unknown-side")
        if side is not None:
            _refuse_nobody_attacks(row, "attacker")
        for each in sides:
            act.change(each, is_attacker=None if side is None else each.pk == side.pk)
        act.say(f"{{who}} set: {side_name(side)} attacks." if side is not None else "{who} set: nobody attacks.")
    return row


def setup_warnings(battle: Battle, sides: Sequence[Side] | None = None) -> list[str]:
    """What is odd about a battle's scenario: none chosen, or played by one of the two last time. One query a side."""
    sides = list(sides) if sides is not None else live_sides(battle)
    if not battle.scenario_id:
        return [] if battle.scenario_name else ["No scenario is chosen yet."]
    again = [side_name(s) for s in sides if s.warband is not None and last_scenario(s, battle) == battle.scenario_id]
    return [f"{listed(again)} played {scenario_name(battle)} last time too."] if again else []


# --- the force ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fielded:
    """A side's force as it stands: every fighter's row, who is taken, who a roll kept out, rolls still owed, the checker's answer."""

    rows: tuple[MusterRow, ...]
    taken: tuple[str, ...]
    kept_out: tuple[str, ...]
    owed: tuple[str, ...]
    upkeep_ducats: int
    verdict: Verdict
    warnings: tuple[Problem, ...]
    listed: tuple[Problem, ...] = ()  # what is wrong with the roster as a whole, whoever goes

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong: by the checker on this force and on the roster behind it, and by muster itself."""
        return (*self.verdict.errors, *self.listed, *self.warnings)

    @property
    def odd(self) -> tuple[Problem, ...]:
        """What is odd about this force and allowed."""
        return tuple(problem for problem in self.verdict.problems if problem.warns)


def fielded(
    battle: Battle,
    side: Side,
    force: Force | None = None,
    *,
    taken: Iterable[str] | None = None,
    content: GameContent = None,
    facing: Callable[[], int | None] | None = None,
) -> Fielded:
    """A side's force judged for this battle; until it chose, everybody who can go is taken. Two queries, or none with `force`.

    `content` is other content to judge it by than that of its terms. `facing` tells how many attack; without it a defender's battle is
    asked, in two queries more.
    """
    warband = side.warband
    if warband is None:
        raise Refusal(f"{side_name(side)} has no warband here.", code="no-warband")
    terms = warband.terms
    game, content = terms.game, content if content is not None else terms.content
    force = force if force is not None else force_of(warband)
    rows = tuple(game.battle.muster(content, force, battle.scenario_id))
    chosen = taken if taken is not None else side.force.get("taken")
    wanted = {str(key) for key in chosen} if chosen is not None else {row.fighter for row in rows if not row.closed}
    keys = tuple(row.fighter for row in rows if row.fighter in wanted)
    rolls = side.force.get("rolls", {})
    kept_out = tuple(
        row.fighter
        for row in rows
        if row.fighter in keys and row.fighter in rolls and rolls[row.fighter]["faces"][0] in row.roll_out_on
    )
    owed = tuple(row.fighter for row in rows if row.fighter in keys and row.roll_out_on and row.fighter not in rolls)
    going = tuple(key for key in keys if key not in kept_out)
    faced = (facing() if facing else _attackers(battle)) if side.is_attacker is False else None

    def judged(who: Iterable[str]) -> Verdict:
        return game.check(
            content,
            force,
            scope="fielding",
            taken=who,
            scenario=battle.scenario_id,
            attacker=side.is_attacker,
            facing=faced,
        )

    verdict = judged(going)
    waiting = set(side.force.get("reserves", ()))
    if waiting & set(going):
        # A limit on who starts leaves reserves out, one on who is brought counts them: what is wrong is wrong either way.
        start = {(each.code, each.fighter_key) for each in judged(tuple(k for k in going if k not in waiting)).problems}
        both = tuple(each for each in verdict.problems if (each.code, each.fighter_key) in start)
        verdict = replace(verdict, problems=both)
    upkeep = sum(row.upkeep.ducats for row in rows if row.fighter in going)
    warnings = _warnings(side, rows, keys, owed, upkeep, force)
    told = {problem.message for problem in verdict.problems}
    listed = tuple(p for p in game.check(content, force).errors if not p.fighter_key and p.message not in told)
    return Fielded(rows, keys, kept_out, owed, upkeep, verdict, warnings, listed)


def _attackers(battle: Battle) -> int | None:
    """How many fighters attack, once every attacker has mustered a roster. Two queries."""
    going = attacking(live_sides(battle))
    return None if going is None else sum(Fighter.objects.filter(pk__in=going).values_list("count", flat=True))


def attacking(sides: Iterable[Side]) -> list[int] | None:
    """The fighters who attack, None while an attacker has not mustered a roster (or nobody attacks). No queries."""
    attackers = [side for side in sides if side.is_attacker]
    if not attackers or any(side.ready_at is None or side.is_guest for side in attackers):
        return None
    return [int(key) for side in attackers for key in set(side.force["taken"]) - set(side.force["kept_out"])]


def _warnings(
    side: Side, rows: Sequence[MusterRow], taken: Sequence[str], owed: Sequence[str], upkeep: int, force: Force
) -> tuple[Problem, ...]:
    names = {row.fighter: row.name for row in rows}
    found = [
        Problem("cannot-go", f"{row.name} cannot go: {row.closed}", "Leave the fighter behind.", fighter=row.name,
                fighter_key=row.fighter)
        for row in rows
        if row.closed and row.fighter in taken
    ]  # fmt: skip
    found += [
        Problem("roll-owed", f"{names[key]} rolls before going.", "Roll for the fighter.", fighter=names[key],
                fighter_key=key)
        for key in owed
    ]  # fmt: skip
    held = force.strongbox.ducats if force.strongbox is not None else 0
    if upkeep > held:
        found.append(
            Problem(
                "upkeep",
                f"Fielding these fighters asks {upkeep} ducats; the strongbox holds {held}.",
                "Leave one behind.",
            )
        )
    if side.warband is not None and side.warband.is_founding:
        found.append(
            Problem("founding", f"{side.warband.name} is being founded still.", "Press “Ready to play” on its roster.")
        )
    if (
        side.seat is not None
        and setting_of(side.battle.campaign, "lists_looked_at")
        and side.seat.list_state != Seat.ListState.ACCEPTED
    ):
        found.append(Problem("list-not-accepted", "No administrator has accepted this starting list.", "Send it in."))
    return tuple(found)


def take_force(
    *, side: Side, fighters: Iterable[str], actor: Any, reserves: Iterable[str] = (), token: str = ""
) -> Fielded:
    """Choose the fighters that go, and which of them wait in reserve where the scenario has that.

    Raises Refusal for one that cannot, and once the side is ready.
    """
    with _choosing(side, "force", actor, token) as (act, row):
        keys = list(dict.fromkeys(str(key) for key in fighters))
        state = fielded(row.battle, row, taken=keys)
        known = {each.fighter: each for each in state.rows}
        for key in keys:
            if key not in known:
                raise Refusal("A fighter chosen is on the roster no longer.", code="unknown-fighter")
            if known[key].closed:
                raise Refusal(f"{known[key].name} cannot go: {known[key].closed}", code="cannot-go")
        scenario = scenario_of(row.battle) if row.battle.scenario_id else None
        waiting = [key for key in dict.fromkeys(map(str, reserves)) if key in keys]
        if waiting and not (scenario is not None and scenario.has_reserves):
            raise Refusal("This scenario has no reserves.", code="no-reserves")
        act.set_leaf(row, ("taken",), keys, field="force")
        act.set_leaf(row, ("reserves",), waiting or None, field="force")
        state = fielded(row.battle, row, taken=keys)
        act.say(f"{{who}} chose {len(keys)} fighters of {side_name(row)} for {scenario_name(row.battle)}.")
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
    """Roll whether a fighter goes (a D6 that a trauma asks for), and keep it at once. Returns whether it goes; rolled once, it stands."""
    with _choosing(side, "roll", actor, token) as (act, row):
        asked = next((each for each in fielded(row.battle, row).rows if each.fighter == str(fighter)), None)
        if asked is None or not asked.roll_out_on:
            raise Refusal("This fighter has nothing to roll for.", code="no-dice")
        if asked.fighter in row.force.get("rolls", {}):
            raise AlreadyDone(Event.objects.filter(occasion=row.battle.occasion, kind="roll").order_by("-pk").first())
        need = NeedDice(f"Whether {asked.name} goes", 1, 6)
        draw = draw_for(row.battle.campaign, need, source, faces, dice)
        by = str(actor) if actor is not None else ""
        act.set_leaf(row, ("rolls", asked.fighter), draw_json(draw, by), field="force")
        goes = draw.faces[0] not in asked.roll_out_on
        act.say(f"{{who}} {told(draw)} for {asked.name}, who {'goes' if goes else 'sits this battle out'}.")
    return goes


def take_back_muster_roll(*, side: Side, fighter: str, actor: Any, token: str = "") -> None:
    """“Mistyped”: take back a typed roll for a fighter, until the side is ready."""
    with _choosing(side, "mistyped", actor, token) as (act, row):
        kept = row.force.get("rolls", {}).get(str(fighter))
        if kept is None:
            raise Refusal("There is no roll to take back.", code="no-dice")
        if kept["origin"] != "typed":
            raise Refusal("The app's dice stand: only what was typed in can be mistyped.", code="app-dice")
        act.set_leaf(row, ("rolls", str(fighter)), None, field="force")
        name = Fighter.objects.filter(pk=fighter).values_list("name", flat=True).first() or "a fighter"
        act.say(f"{{who}} took back {kept['faces'][0]}, mistyped, for {name}.")


# --- ready -------------------------------------------------------------------------------------------------------------------


@settles
def make_side_ready(*, side: Side, actor: Any, token: str = "", seen: int | None = None) -> Side:
    """Freeze the side's roster and force as a numbered snapshot, with every problem found; never refuses for those.

    The warband's battle number is fixed here. A guest is ready without a roster. Raises Refusal while injuries of an earlier battle
    wait to be written; ready twice is ready once.
    """
    battle = side.battle
    subjects: list[Any] = [battle.campaign, battle, *live_sides(battle)]
    if side.warband is not None:
        subjects.append(side.warband)
    with recording(
        *subjects,
        kind="muster",
        actor=actor,
        for_name=_for(side, actor),
        occasion=battle.occasion,
        token=token,
        seen=seen,
    ) as act:
        row, mine = _locked(act, battle, side)
        if mine.ready_at is not None:
            raise NothingToDo(mine)
        if row.status not in AHEAD:
            raise Refusal(f"This battle is {row.get_status_display().lower()}.", code="not-ahead")
        if mine.warband is not None:
            _refuse_while_injuries_wait(mine)
        sides = [mine if each.pk == mine.pk else each for each in live_sides(row)]
        _settle_fallen(act, row, sides)
        freeze_side(act, row, mine, sides)
        flagged = len(mine.snapshot.problems) if mine.snapshot is not None else 0
        note = "" if not flagged else f", with {flagged} problem{'s' if flagged > 1 else ''}"
        version = f" (v{mine.snapshot.version})" if mine.snapshot is not None else ""
        act.say(f"{{who}} made {side_name(mine)} ready for {scenario_name(row)}{version}{note}.")
    return mine


def freeze_side(
    act: Recorder, battle: Battle, side: Side, sides: Sequence[Side], *, taken: Iterable[str] | None = None
) -> None:
    """Within an act on battle, side and warband: keep force, snapshot, rating and battle number. `taken` replaces the chosen force."""
    if side.warband is not None:
        warband = act.row(side.warband)
        warband.terms = side.warband.terms
        side.warband = warband
        force = act.force(warband)
        state = fielded(battle, side, force, taken=taken)
        snapshot = take_snapshot_for(act, side, state, scenario_name(battle))
        act.set_leaf(side, ("taken",), list(state.taken), field="force")
        act.set_leaf(side, ("kept_out",), list(state.kept_out), field="force")
        act.set_leaf(side, ("upkeep",), state.upkeep_ducats, field="force")
        act.set_leaf(side, ("flag",), None, field="force")
        act.set_leaf(side, ("since",), None, field="force")
        worth = state.verdict.fielded if state.verdict.fielded is not None else state.verdict.rating
        act.change(
            side,
            snapshot=snapshot,
            rating=max(0, worth.ducats),
            number=force.battles.next_number + _not_begun(side),
        )
    act.change(side, ready_at=timezone.now())
    _tell_defenders(act, battle, sides)
    if all(each.ready_at is not None or each.is_guest for each in sides):
        act.change(battle, status=Battle.Status.MUSTERED)


def _tell_defenders(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    """Keep with each defender who mustered before what the attackers' force makes wrong with it; it is told and refuses nothing.

    Without attackers who are ready, nothing is. Five queries at most for each defender who is ready in a scenario with attackers.
    """
    going = attacking(sides)
    count = None if going is None else sum(Fighter.objects.filter(pk__in=going).values_list("count", flat=True))
    for each in sides:
        if each.is_attacker is not False or each.ready_at is None or each.warband is None or each.snapshot is None:
            continue
        found: list[Problem] = []
        if count is not None:
            known = {str(problem.get("message", "")) for problem in each.snapshot.problems}
            force, taken = force_of(each.warband), mustered(each)
            before, now = (
                fielded(battle, each, force, taken=taken, facing=lambda facing=facing: facing).verdict.errors  # type: ignore[misc]
                for facing in (None, count)
            )
            known |= {problem.message for problem in before}
            found = [problem for problem in now if problem.message not in known]
        told = [msgspec.to_builtins(problem) for problem in found] or None
        if each.force.get("since") != told:
            act.set_leaf(act.row(each), ("since",), told, field="force")


def take_snapshot_for(act: Recorder, side: Side, state: Fielded, reason: str) -> Snapshot:
    """A snapshot of the version this act makes, with the problems of the fielded force."""
    warband = act.row(side.warband)
    kept = take_snapshot(act, reason) if act.warband.pk == warband.pk else None
    if kept is None:  # an act over two warbands: each has its own version
        terms = warband.terms
        force = act.force(warband)
        kept, _ = Snapshot.objects.get_or_create(
            warband=warband,
            version=warband.version + 1,
            defaults={
                "document": terms.game.documents.write_document(terms.content, force),
                "sheet": msgspec.to_builtins(terms.game.documents.sheet(terms.content, force)),
                "reason": reason[:120],
            },
        )
    kept.problems = [msgspec.to_builtins(problem) for problem in state.problems]
    kept.save(update_fields=["problems"])
    return kept


@settles
def take_back_ready(*, side: Side, actor: Any, token: str = "") -> Side:
    """Change one's mind before the battle is reported: the force is open again, the snapshot stays in history."""
    battle = side.battle
    with recording(
        battle.campaign,
        battle,
        *live_sides(battle),
        kind="muster",
        actor=actor,
        for_name=_for(side, actor),
        occasion=battle.occasion,
        token=token,
    ) as act:
        row, mine = _locked(act, battle, side)
        if row.status not in AHEAD:
            raise Refusal(f"This battle is {row.get_status_display().lower()}.", code="not-ahead")
        if mine.ready_at is None:
            raise NothingToDo(mine)
        act.change(mine, ready_at=None, snapshot=None, number=None, rating=0)
        act.set_leaf(mine, ("since",), None, field="force")
        _tell_defenders(act, row, [mine if each.pk == mine.pk else each for each in live_sides(row)])
        act.change(row, status=Battle.Status.SCHEDULED)
        act.say(f"{{who}} took {side_name(mine)} back from being ready for {scenario_name(row)}.")
    return mine


# --- inside ------------------------------------------------------------------------------------------------------------------


def _for(side: Side, actor: Any) -> str:
    return side.guest_name if side.is_guest else for_whom(actor, seat=side.seat, warband=side.warband)


def _locked(act: Recorder, battle: Battle, side: Side) -> tuple[Battle, Side]:
    row: Battle = act.row(battle)
    row.campaign = battle.campaign
    mine: Side = act.row(side)
    mine.battle = row
    if side.seat_id is not None:
        mine.seat = side.seat
    if side.warband is not None:
        mine.warband = side.warband
    return row, mine


class _setting_up:  # noqa: N801
    """One act on scenario and attacker of a battle ahead. Sides that are ready stay so, and are told what it makes wrong with their force."""

    def __init__(self, battle: Battle, kind: str, actor: Any, token: str) -> None:
        self.battle, self.sides = battle, live_sides(battle)
        self.context = recording(battle, *self.sides, kind=kind, actor=actor, occasion=battle.occasion, token=token)

    def __enter__(self) -> tuple[Recorder, Battle, list[Side]]:
        act = self.context.__enter__()
        try:
            row: Battle = act.row(self.battle)
            row.campaign = self.battle.campaign
            sides = [_locked(act, self.battle, side)[1] for side in self.sides]
            if row.status not in AHEAD:
                raise Refusal(f"This battle is {row.get_status_display().lower()}.", code="not-ahead")
            self.act, self.row, self.locked = act, row, sides
            self.before = (row.scenario_id, row.scenario_name, dict(row.muster.get("found") or {}))
        except BaseException as error:
            self.context.__exit__(type(error), error, error.__traceback__)
            raise
        return act, row, sides

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool | None:
        if error is None:
            try:
                self._tell()
            except BaseException as broken:
                self.context.__exit__(type(broken), broken, broken.__traceback__)
                raise
        return self.context.__exit__(kind, error, traceback)

    def _tell(self) -> None:
        """Let those who are ready know, and a table that is laid."""
        row = self.row
        for side in self.locked:
            if side.ready_at is not None and side.warband is not None and side.snapshot is not None:
                _tell_ready(self.act, row, side)
        if self.before != (row.scenario_id, row.scenario_name, dict(row.muster.get("found") or {})):
            tell_scenario(row, self.act.event.actor)


def _tell_ready(act: Recorder, battle: Battle, side: Side) -> None:
    """Keep with a side that is ready what scenario and attacker make wrong with its force since. Five queries."""
    assert side.snapshot is not None
    known = {str(problem.get("message", "")) for problem in side.snapshot.problems}
    now = fielded(battle, side, taken=mustered(side))
    told = [msgspec.to_builtins(problem) for problem in now.verdict.errors if problem.message not in known] or None
    if side.force.get("since") != told:
        act.set_leaf(side, ("since",), told, field="force")


class _choosing:  # noqa: N801
    """One act on a side's force before it is ready."""

    def __init__(self, side: Side, kind: str, actor: Any, token: str) -> None:
        self.side = side
        self.context = recording(
            side.battle,
            side,
            kind=kind,
            actor=actor,
            for_name=_for(side, actor),
            occasion=side.battle.occasion,
            token=token,
        )

    def __enter__(self) -> tuple[Recorder, Side]:
        act = self.context.__enter__()
        try:
            row, mine = _locked(act, self.side.battle, self.side)
            if row.status not in AHEAD:
                raise Refusal(f"This battle is {row.get_status_display().lower()}.", code="not-ahead")
            if mine.ready_at is not None:
                raise Refusal(f"{side_name(mine)} is ready.", mend="Take that back first.", code="ready")
        except BaseException as error:
            self.context.__exit__(type(error), error, error.__traceback__)
            raise
        return act, mine

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool | None:
        return self.context.__exit__(kind, error, traceback)


def _settle(act: Recorder, battle: Battle, sides: Sequence[Side], outcome: Outcome) -> str:
    """Set what a setup task came to; returns it told."""
    found = {"/".join(c.path): c.value for c in outcome.consequences if isinstance(c, SetWarband)}
    if "scenario" in found:
        act.change(battle, scenario_id=found.pop("scenario"), scenario_name="")
        act.set_leaf(battle, ("found",), found or None, field="muster")
        _nobody_attacks_any_more(act, battle, sides)
    if "attacker" in found:
        for side in sides:
            act.change(side, is_attacker=str(side.pk) == found["attacker"])
    return outcome.sentence


def _settle_fallen(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    """Set what dice have come to and nobody has set: whoever presses Ready drops no roll."""
    for what in SETUP:
        settled = battle.scenario_id or battle.scenario_name
        if what == "attacker":
            settled = not has_attacker(battle) or any(side.is_attacker is not None for side in sides)
        if settled or not setup_draws(battle, what):
            continue
        task, draws = setup_task(battle, what, sides), setup_draws(battle, what)
        progress = run(task, draws, battle.muster.get("choices", {}).get(what, {}))
        outcome = _come_to(act, battle, what, task, draws, progress)
        if outcome is not None:
            _settle(act, battle, [act.row(side) for side in sides], outcome)


def _come_to(
    act: Recorder, battle: Battle, what: str, task: Task, draws: Sequence[Any], progress: Progress
) -> Outcome | None:
    """What a roll has come to. Who won the right to choose who attacks attacks, until something else is set."""
    if progress.outcome is not None or progress.asked is None or what != "attacker":
        return progress.outcome
    usual = {progress.asked.key: progress.asked.options[0].value}
    act.set_leaf(battle, ("choices", what), usual, field="muster")
    return run(task, tuple(draws), usual).outcome


def _refuse_nobody_attacks(battle: Battle, what: str) -> None:
    if what != "attacker" or has_attacker(battle):
        return
    if battle.scenario_id:
        raise Refusal(f"Nobody attacks in {scenario_name(battle)}.", code="no-attacker")
    raise Refusal("The scenario says whether anybody attacks.", mend="Set it first.", code="no-attacker")


def _nobody_attacks_any_more(act: Recorder, battle: Battle, sides: Sequence[Side]) -> None:
    """With a scenario that has no attacker, what was settled of one is open again."""
    if has_attacker(battle):
        return
    for side in sides:
        act.change(side, is_attacker=None)
    act.set_leaf(battle, ("draws", "attacker"), None, field="muster")
    act.set_leaf(battle, ("choices", "attacker"), None, field="muster")


def _last_setup(battle: Battle, what: str) -> Event | None:
    return Event.objects.filter(occasion=battle.occasion, kind="roll", data__task=what).order_by("-pk").first()


def injuries_first(side: Side) -> tuple[PostBattle, tuple[str, ...]] | None:
    """The earlier battle's sequence whose injuries are not written, with what waits there: it comes before this muster.

    One query where no sequence is open, two more for each that is.
    """
    earlier = (
        PostBattle.objects.live()
        .filter(warband=side.warband_id, closed_at=None, side__is_undone=False, side__battle__is_undone=False)
        .exclude(side=side)
        .exclude(side__battle__status=Battle.Status.VOID)
        .select_related("warband__terms", "side__battle__campaign__terms")
        .order_by("pk")
    )
    for post_battle in earlier:
        waits = injuries_waiting(post_battle)
        if waits:
            return post_battle, waits
    return None


def _refuse_while_injuries_wait(side: Side) -> None:
    """A second battle may begin while the first one's sequence is open, but its injuries come first."""
    found = injuries_first(side)
    if found is not None:
        post_battle, waits = found
        raise Refusal(
            f"{scenario_name(post_battle.side.battle)} comes first: {listed(waits)}.",
            mend="Write its first step, then muster.",
            code="injuries-first",
        )


def _not_begun(side: Side) -> int:
    """Battles reported whose sequences did not begin yet: they are fought, but the roster does not count them. One query."""
    return (
        PostBattle.objects.live()
        .filter(warband=side.warband_id, started_at=None, side__is_undone=False)
        .exclude(side=side)
        .exclude(side__battle__status=Battle.Status.VOID)
        .count()
    )


__all__ = [
    "Fielded",
    "attacking",
    "choose_attacker",
    "choose_scenario",
    "fielded",
    "freeze_side",
    "injuries_first",
    "keep_muster_roll",
    "keep_setup_choice",
    "keep_setup_roll",
    "last_scenario",
    "make_side_ready",
    "mustered",
    "scenario_of",
    "setup_progress",
    "setup_task",
    "setup_warnings",
    "take_back_muster_roll",
    "take_back_ready",
    "take_back_setup_roll",
    "take_force",
]
