"""The services for the table of a battle: set it up, act on it, undo acts.

Each act is one transaction under the table's lock: it reads the state, applies the act by the rules, and appends the act to the log.
Simultaneous requests run one after the other; an act that is no longer possible is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, Value
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.access import Role, known_role, role_at
from campaigns.dice_record import BEGIN
from campaigns.models import Battle, Campaign, Side, Table, TableAct
from campaigns.report_data import mustered
from campaigns.scenarios import deeds_of, scenario_name, scenario_of
from campaigns.serialization import draw_json
from campaigns.services.common import for_whom, live_sides, side_name
from campaigns.services.dice_entry import refuse_other_faces, refuse_source, refuse_told, undone_draws
from campaigns.services.sealed_dice import of_another_act, seal_dice, sealed_dice
from campaigns.stream import announce
from rules.dice import AppDice, DiceSource, Draw, KeptDice, NeedDice, TypedDice
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, causes_by_throw
from rules.resolvers.told import AskedThrow, NeedResult
from rules.tracker.acts import (
    TOLD_FOR,
    AnyAct,
    KeepAct,
    MoraleAct,
    PlayedAct,
    RollAct,
    SceneAct,
    TurnAct,
    read_act,
    write_act,
)
from rules.tracker.relaid import relaid
from rules.tracker.rolls import RollKind, TableOffer, refuse_closed, refuse_unasked
from rules.tracker.state import (
    Consumable,
    TableDeed,
    TableFighter,
    TableSide,
    TableState,
    as_seen,
    keeper_of,
    read_state,
    write_state,
)
from rules.tracker.tracker import Tracker, fold, is_late, refuse_open
from warbands.adapters import force_of, forces_of
from warbands.recording import AlreadyDone

KIT_KINDS = ("kit", "item")  # the kinds that games use for owned equipment
UNDO, SCENE, RELAID = "undo", "scene", "relaid"


class MoreDice(Refusal):
    """Raised when a rule needs dice that were not typed in. `need` describes the missing dice, `draws` holds those rolled so far."""

    def __init__(self, need: NeedDice, draws: Sequence[Draw], left: int) -> None:
        had = sum(len(draw.faces) for draw in draws)
        words = ngettext("{why}: {count} die is needed.", "{why}: {count} dice are needed.", need.count)
        message = words.format(why=need.why, count=need.count)
        if had + left:
            message = _("{message} {count} were entered.").format(message=message, count=had + left)
        super().__init__(message, mend=_("Enter your dice."), code="dice")
        self.need, self.draws = need, tuple(draws)


class MoreResults(Refusal):
    """Raised when a roll needs more results than were told: of several attacks the next one. `rows` are those told so far."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__(_("The next result is missing."), mend=_("Choose what your dice say."), code="told")
        self.rows = tuple(rows)


def begin_table(*, battle: Battle, actor: Any, token: str = "") -> Table:
    """Set up the table with the mustered forces and seal its dice, or return the existing table. About four queries a side.

    Raises Refusal if not every side is ready, or the battle is over.
    """
    with transaction.atomic():
        row = _locked(battle)
        table = Table.objects.filter(battle=row).first()
        if table is not None:
            return table
        _refuse_unless_mustered(row)
        sides = live_sides(row)
        state = fresh_state(row, sides)
        table = Table.objects.create(battle=row, state=write_state(state), version=1)
        seal_dice(table)
        TableAct.objects.create(
            table=table,
            number=1,
            actor=actor,
            token=token,
            data={"kind": BEGIN, "state": write_state(state)},
            told=_("Tracking started: {sides}.").format(sides=", ".join(_brought(row, state, s) for s in state.sides)),
        )
    return table


def lay_anew(*, battle: Battle, actor: Any, token: str = "") -> TableAct:
    """Set up the table again with the forces that are mustered now. The earlier acts stay in the log; undoing this act restores them.

    The seal stays too, so starting over brings nobody other dice, and the rolls left behind count as taken back.
    """
    with _at(battle, token) as at:
        state = fresh_state(at.battle, at.sides)
        data = {"kind": BEGIN, "state": write_state(state)}
        return at.write(actor, state, data, _("Tracking restarted."))


def take_in_muster(*, battle: Battle, actor: Any, token: str = "") -> TableAct:
    """Bring the forces that are mustered now to the table, and keep what happened to those who stay. Undoing this act restores the others.

    About four queries a side. Raises Refusal in a game that has to start over, and while the forces are those at the table.
    """
    with _at(battle, token) as at:
        if not at.tracker.relays:
            words = _("This game starts over after a change of forces.")
            raise Refusal(words, mend=_("Press “Start over”."), code="no-relay")
        fresh = fresh_state(at.battle, at.sides)
        live = _live_acts(at.table)
        state = relaid(_begun(live), at.state, fresh)
        there, now = ({fighter.key: fighter.name for fighter in each.fighters} for each in (at.state, state))
        came = [name for key, name in now.items() if key not in there]
        left = [name for key, name in there.items() if key not in now]
        if state == at.state:
            raise Refusal(_("The same fighters are at the table already."), code="done")
        told = [_("The muster has changed, and tracking goes on.")]
        told += [_("Added: {names}.").format(names=", ".join(came))] if came else []
        told += [_("Removed: {names}.").format(names=", ".join(left))] if left else []
        return at.write(actor, state, {"kind": RELAID, "state": write_state(fresh)}, " ".join(told))


def act_at_table(*, battle: Battle, actor: Any, data: Mapping[str, Any], token: str = "", turn: int = 0) -> TableAct:
    """Apply one act (see `rules.tracker`). About ten queries. `turn` is the turn that the phone showed, 0 if it does not say.

    Two phones may end the same turn: the second press finds it done. Raises Refusal if the act is impossible, or if this person may not act for the side; AlreadyDone if the token was used.
    """
    with _at(battle, token) as at:
        act = read_act(data)
        if isinstance(act, (RollAct, SceneAct)):
            raise Refusal(_("Rolls have a form of their own."), code="input")
        if isinstance(act, TurnAct) and is_late(at.state, turn):
            raise AlreadyDone(None)
        if isinstance(act, PlayedAct) and act.turn < at.state.turn:
            raise AlreadyDone(None)
        refuse_open(at.tracker, at.state, act)
        roll = TOLD_FOR.get(type(act))
        if roll and any(prompt.roll == roll for prompt in at.tracker.prompts(at.state)):
            refuse_told(at.battle, at.table, roll, {"side": act.side} if isinstance(act, MoraleAct) else {})
        return at.do(actor, act)


def roll_at_table(
    *,
    battle: Battle,
    actor: Any,
    roll: str,
    data: Mapping[str, str],
    source: str,
    faces: Sequence[int] = (),
    token: str = "",
    dice: DiceSource | None = None,
    rows: Sequence[int] = (),
    turn: int = 0,
    saw: str = "",
) -> TableAct:
    """Roll at the table with the app's dice or typed ones, and apply the result in the same transaction. A move needs no dice.

    The app's dice come from the table's sealed seed, unless `dice` are given, for demonstrations and tests.
    With the source "told", players tell results in place of faces: `rows` are the rows of the charts that their rolls came to.
    With the source "device", the faces were rolled by a phone without a line. Then, and for its other rolls, `turn` and `saw` say how the
    table stood (see `as_seen`): the roll counts as it fell there, and what it does is added to the table of now.

    Raises Refusal as `act_at_table` does, for impossible or too many dice, for a source that the campaign does not allow, and for typed
    dice if the app's are final. Raises MoreDice for too few dice, MoreResults for too few results.
    """
    with _at(battle, token) as at:
        state = as_seen(at.state, saw, turn)
        tells = at.tracker.asked(state, roll).tells
        if tells:
            refuse_told(at.battle, at.table, tells, data)
        if source == "told":
            refuse_told(at.battle, at.table, roll, data)
            said, throws = _read_results(at.tracker, state, roll, data, rows)
            told = [Draw(throw.why, 6, (), "told") for throw in throws]
            return at.do(actor, _merged(at, at.tracker.rolled(state, roll, data, said), turn, saw), told)
        is_sealed = dice is None and bool(at.table.seal)
        asks_back = not tells and (source in ("typed", "device") or not is_sealed)
        undone = undone_draws(at.table, roll, data) if asks_back else ()

        def own(kind: RollKind) -> DiceSource:
            if is_sealed:
                return sealed_dice(at.table, state, kind, data)
            return KeptDice(undone, dice or AppDice())

        found, draws, notes = _fallen(at.battle, at.tracker, state, roll, data, source, faces, undone, own)
        act = _merged(at, at.tracker.rolled(state, roll, data, found), turn, saw)
        causes = causes_by_throw(found, [len(draw.faces) for draw in draws])
        return at.do(actor, act, draws, causes, notes)


def _merged(at: _At, act: RollAct, turn: int, saw: str) -> RollAct:
    """Return the act of a roll as it is added to the table of now: whoever went out meanwhile is left alone, and the log says so."""
    if not turn and not saw:
        return act
    gone = [fighter for fighter in at.state.fighters if fighter.out]
    hit = [fighter.name for fighter in gone if any(effect.fighter == fighter.key for effect in act.effects)]
    told = act.told
    for name in hit:
        told += _(" {name} was Out of Action already.").format(name=name)
    keys = {fighter.key for fighter in gone}
    effects = tuple(effect for effect in act.effects if effect.fighter not in keys)
    return msgspec.structs.replace(act, effects=effects, told=told[:500], turn=turn)


def _read_results(
    tracker: Tracker, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int]
) -> tuple[Resolved, list[AskedThrow]]:
    """Return the result of a roll that was told by rows, and its throws. Raises Refusal, or MoreResults for too few rows."""
    _refuse_unfit(tracker, state, roll, data)
    throws: list[AskedThrow] = []
    try:
        found = tracker.by_results(state, roll, data, rows)
    except NeedResult:
        raise MoreResults(rows) from None
    for count in range(len(rows)):
        try:
            tracker.by_results(state, roll, data, rows[:count])
        except NeedResult as need:
            throws.append(need.throw)
    return found, throws


def dice_wanted(*, battle: Battle, roll: str, data: Mapping[str, str], faces: Sequence[int] = ()) -> MoreDice | None:
    """Return the dice that a roll still needs after these faces, None if it needs no more. Eight queries at most; nothing is written.

    Raises Refusal if the roll is impossible, if the faces are invalid for it, or if the app's dice are final for it.
    """
    table = Table.objects.filter(battle=battle).first()
    if table is None:
        raise Refusal(_("Tracking hasn't started."), mend=_("Start tracking first."), code="no-table")
    undone, tracker = undone_draws(table, roll, data), tracker_of(battle, live_sides(battle))
    try:
        _fallen(
            battle, tracker, read_state(table.state), roll, data, "typed", faces, undone, lambda kind: TypedDice(())
        )
    except MoreDice as more:
        return more
    return None


def _fallen(
    battle: Battle,
    tracker: Tracker,
    state: TableState,
    roll: str,
    data: Mapping[str, str],
    source: str,
    faces: Sequence[int],
    undone: Sequence[Draw],
    own: Callable[[RollKind], DiceSource],
) -> tuple[Resolved, list[Draw], list[Mapping[str, Any]]]:
    """Return the result of a roll or move, and its dice, and what counted of each. Raises Refusal, or MoreDice for too few dice.

    `undone` are the app's dice of an undone attempt; `own` gives the app's dice for the roll.
    """
    kind = _refuse_unfit(tracker, state, roll, data)
    rule, given = tracker.question(state, roll, data)
    if not rule:
        return Resolved("", ""), [], []
    if not kind.move:
        refuse_source(battle.campaign, source)
    if source in ("typed", "device"):
        refuse_other_faces(battle, undone, of_another_act(undone, state, kind, data))
    given_faces = source in ("typed", "device")
    typed = TypedDice(faces, "device" if source == "device" else "typed")
    drawing = Drawing(typed if given_faces or kind.move else own(kind))
    terms = battle.campaign.terms
    try:
        found = terms.game.resolvers.resolve(terms.content, rule, given, drawing)
    except NeedDice as need:
        raise MoreDice(need, drawing.draws, len(typed.left)) from None
    if given_faces and typed.left:
        words = _("{count} of the dice are not asked for.")
        raise Refusal(words.format(count=len(typed.left)), mend=_("Enter only those that are rolled."), code="dice")
    return found, drawing.draws, drawing.notes


def _refuse_unfit(tracker: Tracker, state: TableState, roll: str, data: Mapping[str, str]) -> RollKind:
    """Return a roll with its questions. Raises Refusal if it is not possible now, or for an answer that is not offered."""
    if state.ended:
        raise Refusal(_("The battle has ended."), mend=_("Press “Go on with the battle” first."), code="ended")
    kind = tracker.asking(state, roll, data)
    refuse_unasked(state, kind, data)
    refuse_closed(tracker.offers(state), roll, data)
    return kind


def undo_at_table(*, battle: Battle, actor: Any, number: int, token: str = "") -> TableAct:
    """Undo an act; the state is computed again from the other acts. About eight queries.

    Raises Refusal if there is no such act, if it is already undone, if it is not this person's, or if a later act depends on it.
    """
    with _at(battle, token) as at:
        act = TableAct.objects.filter(table=at.table, number=number).first()
        if act is None:
            raise Refusal(_("The log has no such entry."), code="unknown-act")
        if act.undone_by_id is not None:
            raise Refusal(_("This was already undone."), code="undone")
        if act.data.get("kind") in (UNDO, SCENE) or act.number == 1:
            raise Refusal(_("This can't be undone."), code="final")
        before = [each for each in _live_acts(at.table) if each.data.get("kind") == BEGIN]
        if number < before[-1].number:
            raise Refusal(_("Tracking restarted after this."), mend=_("Undo the restart first."), code="restarted")
        hands = hands_of(actor, at.battle, at.sides, at.state)
        if act.side_id is not None and str(act.side_id) not in hands:
            raise Refusal(_("Only {side} can undo this.").format(side=at.name(str(act.side_id))), code="not-yours")
        live = [each for each in _live_acts(at.table) if each.number != number]
        state = _folded(at.tracker, live)
        done = at.write(
            actor,
            state,
            {"kind": UNDO, "number": number},
            _("Undone: {act}").format(act=act.told)[:600],
            side=act.side_id,
        )
        act.undone_by = done
        act.save(update_fields=["undone_by"])
        return done


# --- who may act -------------------------------------------------------------------------------------------------------------


def hands_of(
    actor: Any, battle: Battle, sides: Sequence[Side], state: TableState, role: Role | None = None
) -> frozenset[str]:
    """Return the sides this person may act for: their own, those that nobody plays, and one that they keep by agreement.

    An administrator may act for all sides. One query, none if the person's role is given.
    """
    role = role or role_at(actor, battle)
    if role.runs:
        return frozenset(str(side.pk) for side in sides)
    own = {str(pk) for pk in role.sides}
    if not own:
        return frozenset()
    return frozenset(
        side.key for side in state.sides if side.key in own or side.open or keeper_of(state, side.key) in own
    )


def tracker_of(battle: Battle, sides: Sequence[Side]) -> Tracker:
    """Return the battle's tracker, bound to the mustered forces. The forces are read on first use, in two queries."""
    terms = battle.campaign.terms
    known: dict[str, Force] = {}

    def force(key: str) -> Force | None:
        if not known:
            forces = forces_of(side.warband for side in sides if side.warband is not None)
            known.update({str(side.pk): forces[side.warband_id] for side in sides if side.warband_id is not None})
        return known.get(key)

    return terms.game.battle.tracker(terms.content).bound(force)


# --- setting the table up --------------------------------------------------------------------------------------------------------


def fresh_state(battle: Battle, sides: Sequence[Side]) -> TableState:
    """Return the state of the table before the first turn: mustered fighters, their consumables, the scenario's deeds and length."""
    terms = battle.campaign.terms
    tracker = terms.game.battle.tracker(terms.content)
    fighters: list[TableFighter] = []
    for side in sides:
        fighters += _fighters(side, tracker)
    bare = TableState(
        sides=tuple(
            TableSide(
                key=str(side.pk),
                name=side_name(side),
                open=side.is_guest or side.seat.user_id is None,
                guest=side.is_guest,
                attacks=side.is_attacker,
            )
            for side in sides
        ),
        fighters=tuple(fighters),
    )
    scene = scene_of(battle)
    return tracker.set_up(
        replace(bare, deeds=scene.deeds, turn_least=scene.turn_least, turn_limit=scene.turn_limit, morale=scene.morale)
    )


def scene_of(battle: Battle) -> SceneAct:
    """Return what the scenario of a battle sets at its table. No queries."""
    scenario = scenario_of(battle) if battle.scenario_id else None
    return SceneAct(
        name=scenario_name(battle)[:80],
        turn_least=scenario.turns_least if scenario is not None else 0,
        turn_limit=scenario.turns_most if scenario is not None else 0,
        morale=scenario.morale if scenario is not None else "",
        deeds=tuple(
            TableDeed(deed.id, deed.name, deed.words, deed.by_warband, deed.needs_profile) for deed in deeds_of(battle)
        ),
    )


def tell_scenario(battle: Battle, actor: Any) -> TableAct | None:
    """Send the scenario of a locked battle to its table; return the act, None without a table or a change. About eight queries."""
    table = Table.objects.select_for_update(no_key=True).filter(battle=battle).first()
    if table is None:
        return None
    sides = live_sides(battle)
    at = _At(battle, sides, table, read_state(table.state), tracker_of(battle, sides), "")
    act = msgspec.structs.replace(scene_of(battle), attackers={str(side.pk): side.is_attacker for side in sides})
    state, told = at.tracker.apply(at.state, act)
    return None if state == at.state else at.write(actor, state, write_act(act), told)


def _fighters(side: Side, tracker: Tracker) -> list[TableFighter]:
    """Read the mustered fighters of a side. Two queries."""
    if side.warband is None:
        return []
    terms = side.warband.terms
    game, content = terms.game, terms.content
    force = force_of(side.warband)
    views = game.views(content, force)
    names = {entry.id: entry.name for entry in game.rulebook.entries(content) if entry.kind in KIT_KINDS}
    spent = game.shop.consumables(content) if game.shop is not None else frozenset()
    went = set(mustered(side))
    waiting = set(side.force.get("reserves", ()))
    found = []
    for fighter in force.fighters:
        if fighter.key not in went or fighter.key not in views:
            continue
        first = TableFighter(
            key=fighter.key,
            side=str(side.pk),
            name=fighter.name,
            profile=fighter.profile,
            profile_name=views[fighter.key].profile_name,
            there=fighter.key not in waiting,
            kit=(
                *(Consumable(item.key, names.get(item.item, item.item)) for item in fighter.kit if item.item in spent),
                *tracker.once_each_turn(views[fighter.key]),
            ),
            facts=tracker.facts(views[fighter.key]),
        )
        found += _models(first, fighter.count) if tracker.apart and fighter.count != 1 else [first]
    return found


def _models(first: TableFighter, count: int) -> list[TableFighter]:
    """Return the single models of a row of several, each with a number in its name. The first one carries the kit."""
    others = [
        replace(first, key=f"{first.key}-{number}", of=first.key, name=f"{first.name} {number}", kit=())
        for number in range(2, count + 1)
    ]
    return [replace(first, name=f"{first.name} 1"), *others][:count]


def _brought(battle: Battle, state: TableState, side: TableSide) -> str:
    labels = battle.campaign.terms.game.labels(battle.campaign.terms.content)
    count = len(state.of(side.key))
    return _("{side} with {count} {fighters}").format(
        side=side.name, count=count, fighters=labels["fighter"] if count == 1 else labels["fighters"]
    )


# --- inside ------------------------------------------------------------------------------------------------------------------


class Drawing:
    def __init__(self, source: DiceSource) -> None:
        self._source = source
        self.draws: list[Draw] = []
        self.notes: list[Mapping[str, Any]] = []

    def draw(self, n: int, sides: int, why: str) -> Draw:
        draw = self._source.draw(n, sides, why)
        self.draws.append(draw)
        self.notes.append({})
        return draw

    def note(self, kept: tuple[int, ...], cuts: tuple[int, ...]) -> None:
        self.notes[-1] = {"kept": list(kept), "cuts": list(cuts)}


@dataclass
class _At:
    battle: Battle
    sides: list[Side]
    table: Table
    state: TableState
    tracker: Tracker
    token: str

    def name(self, key: str) -> str:
        return next((side_name(side) for side in self.sides if str(side.pk) == key), _("The opponent"))

    def do(
        self,
        actor: Any,
        act: AnyAct,
        draws: Sequence[Draw] = (),
        causes: Sequence[str] = (),
        notes: Sequence[Mapping[str, Any]] = (),
    ) -> TableAct:
        """Apply an act of this person and append it to the log. `causes` says for each draw what changed it, `notes` what counted."""
        role = known_role(actor, self.battle)
        hands = hands_of(actor, self.battle, self.sides, self.state, role)
        owner = self.tracker.owner(self.state, act)
        own = {str(pk) for pk in role.sides}
        if owner and owner not in hands:
            words = _("{side} tracks its own side. Here it is read only.")
            raise Refusal(words.format(side=self.name(owner)), code="not-yours")
        if not hands:
            raise Refusal(_("Only the players of this battle can act here."), code="not-yours")
        if isinstance(act, KeepAct) and owner not in own and not role.runs:
            words = _("Only {side} can say who tracks its side.")
            raise Refusal(words.format(side=self.name(owner)), code="not-yours")
        state, told = self.tracker.apply(self.state, act)
        side = next((side for side in self.sides if str(side.pk) == owner), None)
        pk = side.pk if side else None
        return self.write(actor, state, write_act(act), told, side=pk, draws=draws, causes=causes, notes=notes)

    def write(
        self,
        actor: Any,
        state: TableState,
        data: Mapping[str, Any],
        told: str,
        *,
        side: int | None = None,
        draws: Sequence[Draw] = (),
        causes: Sequence[str] = (),
        notes: Sequence[Mapping[str, Any]] = (),
    ) -> TableAct:
        before, after = _shown(self.tracker, self.state), _shown(self.tracker, state)
        touched = [key for key, shown in after.items() if before.get(key) != shown]
        whose = next((each for each in self.sides if each.pk == side), None)
        by = str(actor) if actor is not None else ""
        for_name = ""
        if whose is not None:
            for_name = side_name(whose) if whose.is_guest else for_whom(actor, seat=whose.seat, warband=whose.warband)
        act = TableAct.objects.create(
            table=self.table,
            number=self.table.version + 1,
            actor=actor,
            for_name=for_name[:80],
            side_id=side,
            token=self.token,
            data=dict(data),
            told=told[:600],
            dice=[
                draw_json(draw, by) | ({"because": cause} if cause else {}) | dict(note)
                for draw, cause, note in zip(
                    draws, causes or [""] * len(draws), notes or [{}] * len(draws), strict=True
                )
            ],
            touched=touched,
        )
        self.table.state, self.table.version, self.table.is_ended = write_state(state), act.number, state.ended
        self.table.save(update_fields=["state", "version", "is_ended"])
        announce(self.table)
        act.sides_read = self.sides  # type: ignore[attr-defined]
        return act


@contextmanager
def _at(battle: Battle, token: str) -> Iterator[_At]:
    """Lock the table and read its state. Raises Refusal; AlreadyDone if the token was used."""
    with transaction.atomic():
        row = _locked(battle)
        row.role_of = getattr(battle, "role_of", (None, None))  # type: ignore[attr-defined]
        spent = Exists(TableAct.objects.filter(token=token)) if token else Value(False)
        table = Table.objects.filter(battle=row).annotate(is_spent=spent).first()
        if table is not None and table.is_spent:
            raise AlreadyDone(None)
        if table is None:
            raise Refusal(_("Tracking hasn't started."), mend=_("Start tracking first."), code="no-table")
        _refuse_unless_mustered(row)
        sides = live_sides(row)
        yield _At(row, sides, table, read_state(table.state), tracker_of(row, sides), token)


def _shown(tracker: Tracker, state: TableState) -> dict[str, tuple[Any, ...]]:
    """Return what the page shows of each fighter: its state, badges, lines and offers. A phone redraws only those that differ."""
    offers: dict[str, list[TableOffer]] = {}
    for offer in tracker.offers(state):
        offers.setdefault(offer.fighter, []).append(offer)
    return {
        fighter.key: (
            fighter,
            tracker.badges(state, fighter),
            tracker.lines(state, fighter),
            tracker.tracks(state, fighter),
            tracker.armaments(state, fighter),
            tracker.has_acted(state, fighter),
            offers.get(fighter.key, []),
        )
        for fighter in state.fighters
    }


def _locked(battle: Battle) -> Battle:
    """Lock the battle's row, so that the report, the muster and all acts at the table wait for each other."""
    row = (
        Battle.objects.select_for_update(of=("self",), no_key=True).select_related("campaign__terms").get(pk=battle.pk)
    )
    if row.campaign.status != Campaign.Status.RUNNING:
        words = _("{campaign} is over.").format(campaign=row.campaign.name)
        raise Refusal(words, mend=_("An administrator can open it again."), code="finished")
    return row


def _refuse_unless_mustered(battle: Battle) -> None:
    if battle.status == Battle.Status.SCHEDULED:
        raise Refusal(_("Not every side is ready."), mend=_("The table opens once all are."), code="not-ready")
    if battle.status != Battle.Status.MUSTERED:
        words = _("This battle is {status}. Tracking has ended.")
        raise Refusal(words.format(status=battle.get_status_display().lower()), code="closed")


def _live_acts(table: Table) -> list[TableAct]:
    """Return the acts that are not undone, in order. One query."""
    acts = TableAct.objects.filter(table=table, undone_by=None).order_by("number")
    return [act for act in acts if act.data.get("kind") != UNDO]


def _begun(acts: Sequence[TableAct]) -> TableState:
    """Return the table as it was set up last, with the forces of the last muster."""
    return read_state(next(act.data["state"] for act in reversed(acts) if act.data.get("kind") in (BEGIN, RELAID)))


def _folded(tracker: Tracker, acts: Sequence[TableAct]) -> TableState:
    """Return the state after these acts. Raises Refusal naming the first act that depends on the one left out."""
    begun = max((place for place, act in enumerate(acts) if act.data.get("kind") == BEGIN), default=0)
    first = state = read_state(acts[begun].data["state"])
    for act in acts[begun + 1 :]:
        if act.data.get("kind") == RELAID:
            fresh = read_state(act.data["state"])
            first, state = fresh, relaid(first, state, fresh)
            continue
        try:
            # What the player saw was checked at that time. Without an earlier act the figures may differ.
            plain = {key: found for key, found in act.data.items() if key != "was"}
            state = fold(tracker, state, [read_act(plain)])
        except Refusal as refusal:
            words = _("“{act}” depends on it: {reason}").format(act=act.told, reason=refusal.message)
            raise Refusal(words, mend=_("Undo that first."), code="leans") from None
    return state
