"""The table of Gloom Trench 1926 as its acts see it, and the builder that records what they do.

An act that advances the turn (a phase, a chit, an activation, a round of melee) increases the fact `at` by one. An
act within a step names that step in `during`. The turn can therefore be undone only from its end, and no act is left
in a step that was undone. Counted values go up and down, and can be undone at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.custom.content import CustomContent
from rules.dice import TypedDice
from rules.formatting import quantity
from rules.gloom_trench.interpretations import POINTS_PER_ROLL, chosen
from rules.gloom_trench.resolvers.dice import TargetThrow
from rules.gloom_trench.resolvers.rules import resolve
from rules.gloom_trench.tracker.units import STRESS, Troop, percent
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct, SideEffect, TableEffect
from rules.tracker.rolls import Asks, ResultChoice, ResultRow, RollKind
from rules.tracker.state import TableSide, TableState
from rules.translation import gettext as _

MOST_STRESS = 20
MOST_POINTS = 60
POINTS = "tactical_points"
FOG = "fog"
COVERS = (("none", _("None")), ("light", _("Light")), ("heavy", _("Heavy")), ("solid", _("Solid")))
ACTIONS: Mapping[str, str] = {
    "advance": _("Advance"),
    "open-up": _("Open Up"),
    "charge": _("Charge"),
    "take-that-ground": _("Take that Ground"),
    "dig-in": _("Dig In"),
    "rally": _("Rally"),
    "do-nothing": _("Do Nothing"),
}
BEGINNING: Mapping[str, Any] = {
    "phase": "setup", "at": 0, "during": 0, "chits": {}, "fog": 0, "drawn": [], "chit": "", "active": "", "action": "", "done": False,
    "shots": 0, "models_shot": 0, "shot_at": "", "charge": {}, "last_initiative": "",
}  # fmt: skip
OPPOSED = frozenset(
    {"activate", "shoot", "rally", "morale", "hold"}
)  # the rolls that an opponent's point can be spent against
IDLE: Mapping[str, Any] = {
    "active": "", "action": "", "done": False, "shots": 0, "models_shot": 0, "shot_at": "", "charge": {}, "chit": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayState:
    """A state with the content it is played under."""

    content: CustomContent
    state: TableState

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return the facts of the table, or the initial ones if it has none yet."""
        return self.state.facts or BEGINNING

    @property
    def phase(self) -> str:
        return str(self.facts["phase"])

    @property
    def chits(self) -> Mapping[str, int]:
        """Return the chits in the bag, by side."""
        found: Mapping[str, int] = self.facts["chits"]
        return found

    @property
    def fog(self) -> int:
        return int(self.facts["fog"])

    @property
    def charge(self) -> Mapping[str, Any]:
        """Return the charge in progress: target, gap, cover, braced, round, held."""
        found: Mapping[str, Any] = self.facts["charge"]
        return found

    @property
    def active(self) -> Troop | None:
        """Return the active unit, even if it has been destroyed."""
        return self.troop(str(self.facts["active"])) if self.facts["active"] else None

    @property
    def waiting(self) -> tuple[Troop, ...]:
        """Return the units whose owner has losses to place."""
        return tuple(troop for troop in self.troops() if troop.waiting)

    @property
    def owing(self) -> tuple[Troop, ...]:
        """Return the units whose owner has saves to make."""
        return tuple(troop for troop in self.troops() if troop.owed)

    def troop(self, key: str) -> Troop:
        """Return a unit. Raises Refusal."""
        return Troop(self.state.fighter(key))

    def troops(self, side: str = "") -> tuple[Troop, ...]:
        """Return the units on the table, of one side or all."""
        return tuple(Troop(fighter) for fighter in self.state.fighters if fighter.fights and side in ("", fighter.side))

    def foes(self, side: str) -> tuple[str, ...]:
        """Return the keys of units on the table that are not of this side and have known figures."""
        return tuple(troop.key for troop in self.troops() if troop.side != side and troop.known)

    def command(self, side: str) -> int:
        """Return the highest Command of a side's units on the table."""
        return max((troop.command(self.content) for troop in self.troops(side)), default=0)

    def pool(self, side: str) -> int:
        return int(self.state.side(side).facts.get(POINTS, 0))

    def others(self, side: str) -> tuple[TableSide, ...]:
        return tuple(other for other in self.state.sides if other.key != side)

    def name(self, side: str) -> str:
        return self.state.side(side).name

    def rule(self, name: str, given: Mapping[str, Any]) -> Resolved:
        return resolve(self.content, name, given, TypedDice(()))

    def on(self, **facts: Any) -> dict[str, Any]:
        """Return the facts of an act that advances the turn."""
        return {"at": int(self.facts["at"]) + 1, **facts}

    def within(self, **facts: Any) -> dict[str, Any]:
        """Return the facts of an act that belongs to this step."""
        return {"during": int(self.facts["at"]), **facts}

    def idle(self, chits: Mapping[str, int] | None = None) -> dict[str, Any]:
        """Return the facts after an activation: the next chit, or the end of the phase if no player's chit is left."""
        left = self.chits if chits is None else chits
        return {**IDLE, "phase": "draw" if sum(left.values()) else "end-effects"}

    def eligible(self, side: str) -> tuple[Troop, ...]:
        """Return the units of a side that may be activated now."""
        own = self.troops(side)
        if not own:
            return ()
        waiting = tuple(troop for troop in own if not troop.fighter.acted)
        again = self.rule("reactivation", {"units": [troop.fighter.acted for troop in own]}).effect("allowed")
        return own if again else waiting

    def must(self, phase: str | tuple[str, ...], what: str) -> None:
        """Raise Refusal outside these phases."""
        if self.phase not in (phase if isinstance(phase, tuple) else (phase,)):
            raise Refusal(
                _("{what} does not come now.").format(what=what), mend=_("See what is to do now."), code="phase"
            )

    def acting(self, data: Mapping[str, str]) -> Troop:
        """Return the active unit if it is the one in the form and has not been destroyed. Raises Refusal otherwise."""
        troop = self.troop(data.get("fighter", ""))
        if self.facts["active"] != troop.key:
            raise Refusal(
                _("{name} is not the active unit.").format(name=troop.name),
                mend=_("A chit comes first."),
                code="not-active",
            )
        if not troop.fighter.fights:
            raise Refusal(
                _("{name} is no longer on the table.").format(name=troop.name),
                mend=_("End its activation."),
                code="out",
            )
        return troop


@dataclass(frozen=True, slots=True)
class GloomMove:
    """A roll or move: its form, the table rule it uses ("" rolls nothing), and its effect."""

    asked: Callable[[PlayState, Mapping[str, str]], RollKind]
    rolled: Callable[[PlayState, Mapping[str, str], Resolved], RollAct]
    question: Callable[[PlayState, Mapping[str, str]], tuple[str, dict[str, Any]]] | None = None
    told: Told | None = None
    # Returns the form with the next result to tell, after those told so far.
    counting: Callable[[PlayState, Mapping[str, str], Sequence[int], RollKind], RollKind] | None = None


# --- results that players count on their own dice

# Answers to add to the form's when a result is told, and the natural ones among the dice that failed.
Told = Callable[[PlayState, Mapping[str, str]], tuple[Mapping[str, str], int | Mapping[str, int]]]


def plainly(play: PlayState, data: Mapping[str, str]) -> tuple[Mapping[str, str], int]:
    """Return nothing to add: the numbers say it all."""
    return {}, 0


def counted_row(label: str, most: int, *, least: int = 0) -> ResultRow:
    """Return the results of like dice: how many succeeded."""
    return ResultRow(label, tuple(ResultChoice(str(n), str(n), "") for n in range(least, most + 1)))


def needs(throw: TargetThrow) -> str:
    """Return what a die of a throw has to show, and how likely that is: "6 or more (37.5 %)"."""
    if throw.need > throw.sides:
        return _("no face is enough")
    return _("{need} or more ({percent})").format(need=throw.need, percent=percent(throw.odds))


# --- answers


def figure(data: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """Return a number of the form. Raises Refusal if it is invalid."""
    told = str(data.get(name, "")).strip().replace("−", "-")
    if not told:
        return otherwise
    try:
        return int(told)
    except ValueError:
        raise Refusal(
            _("“{told}” is no whole number.").format(told=told[:12]), mend=_("Write figures."), code="number"
        ) from None


def own_point(play: PlayState, side: str, name: str = "tp", label: str = "", group: str = "") -> tuple[Asks, ...]:
    """Return the question for a point on the player's own roll, if the pool has one."""
    pool = play.pool(side)
    label = label or _("A point of {name} for a bigger die").format(name=play.name(side))
    if not pool:
        return ()
    if chosen(play.content, POINTS_PER_ROLL) == "one":
        return (Asks(name, label, group=group),)
    return (Asks(name, label, "number", 0, pool, group=group),)


def enemy_point(
    play: PlayState, troop: Troop, name: str = "enemy_tp", label: str = "", group: str = "", whose: str = ""
) -> tuple[Asks, ...]:
    """Return the question for an opponent's point against a unit under Stress."""
    others = [other for other in play.others(troop.side) if play.pool(other.key) and whose in ("", other.key)]
    if not troop.stress or not others or (name == "enemy_tp" and troop.facts.get("opposed")):
        return ()
    if len(others) == 1:
        return (
            Asks(
                name,
                label or _("A point of {others} against {troop}: −1").format(others=others[0].name, troop=troop.name),
                group=group,
            ),
        )
    options = (("", "nobody"), *((other.key, other.name) for other in others))
    return (
        Asks(
            name,
            label or _("A point against {troop}: −1").format(troop=troop.name),
            "option",
            options=options,
            group=group,
        ),
    )


def enemy_spends(play: PlayState, side: str, data: Mapping[str, str], name: str = "enemy_tp", whose: str = "") -> str:
    """Return the side that spends a point against this side's roll, or "" for none.

    Raises Refusal for an unknown side.
    """
    told = str(data.get(name, ""))
    if told in ("", "0", "false"):
        return _promised(play, data) if name == "enemy_tp" else ""
    if whose:
        return whose
    others = [other for other in play.others(side) if play.pool(other.key)]
    return others[0].key if len(others) == 1 else play.state.side(told).key


def _promised(play: PlayState, data: Mapping[str, str]) -> str:
    """Return the side that has promised a point against the unit that rolls, or "" for none."""
    roller = next((troop for troop in play.troops() if troop.key == data.get("fighter")), None)
    side = str(roller.facts.get("opposed") or "") if roller is not None and roller.stress else ""
    return side if side and play.pool(side) else ""


def enough(play: PlayState, side: str, count: int) -> None:
    """Raise Refusal if a side's pool holds fewer points."""
    if count > play.pool(side):
        raise Refusal(
            _("{name} has {quantity}; {count} cannot be spent.").format(name=play.name(side), quantity=quantity(play.pool(side), _('Tactical Point')), count=count),
            mend=_("Spend fewer."), code="pool",
        )  # fmt: skip


# --- effects of an act


@dataclass
class Doing:
    """The effects of an act, collected sentence by sentence and figure by figure."""

    play: PlayState
    roll: str
    said: list[str] = field(default_factory=list)
    _markers: dict[str, int] = field(default_factory=dict)
    _facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    _counts: dict[str, dict[str, int]] = field(default_factory=dict)
    _acted: set[str] = field(default_factory=set)
    _out: dict[str, str] = field(default_factory=dict)
    _sides: dict[str, tuple[dict[str, Any], dict[str, int]]] = field(default_factory=dict)
    _table: dict[str, Any] = field(default_factory=dict)
    _table_counts: dict[str, int] = field(default_factory=dict)
    next_turn: bool = False
    initiative: str = ""

    def say(self, *words: str) -> Doing:
        self.said.extend(word for word in words if word)
        return self

    def stress(self, troop: Troop, change: int) -> None:
        """Add or remove Stress tokens, within what a unit can hold."""
        now = troop.stress + self._markers.get(troop.key, 0)
        self._markers[troop.key] = max(0, min(MOST_STRESS, now + change)) - troop.stress

    def fact(self, troop: Troop, **facts: Any) -> None:
        self._facts.setdefault(troop.key, {}).update(facts)

    def count(self, troop: Troop, name: str, change: int) -> None:
        if change:
            counts = self._counts.setdefault(troop.key, {})
            counts[name] = counts.get(name, 0) + change

    def acted(self, troop: Troop) -> None:
        self._acted.add(troop.key)

    def destroy(self, troop: Troop, by: str, *, mourned: bool = True) -> None:
        """Remove a unit from the table. With `mourned`, the table asks for the friends near it."""
        self._out[troop.key] = by
        self.side(troop.side, **{f"near_{troop.key}": "" if mourned else "told"})
        self.say(_("{name} is destroyed.").format(name=troop.name))

    def gone(self, troop: Troop) -> bool:
        """Return whether this act destroys the unit."""
        return troop.key in self._out

    def hurt(self, troop: Troop, damage: int, by: str, first: str = "", bound: int = -1) -> None:
        """Apply damage to a unit: models lost, damage recorded, or left for its owner to place."""
        if damage <= 0 or self.gone(troop):
            return
        if damage >= troop.capacity and not 0 <= bound < troop.size:
            self.destroy(troop, by)
            return
        self.laid(troop, troop.hurt(damage, first, bound), by, bound)

    def laid(self, troop: Troop, done: Any, by: str, bound: int = -1) -> None:
        """Apply damage as it was allocated."""
        lost = {model.slug: model.left - done.left[model.slug] for model in troop.models}
        if not any(done.left.values()):
            self.destroy(troop, by)
            return
        for model in troop.models:
            self.count(troop, f"{model.slug}_left", -lost[model.slug])
        facts = troop.facts
        self.count(troop, "recorded_damage", done.recorded - int(facts.get("recorded_damage") or 0))
        if done.on != (facts.get("recorded_on") or ""):
            self.fact(troop, recorded_on=done.on)
        if done.waiting:
            self.count(troop, "waiting_damage", done.waiting)
            kept = -1 if bound < 0 else max(0, bound - sum(lost.values()))
            if kept != int(facts.get("waiting_bound", -1)):
                self.fact(troop, waiting_bound=kept)
        self._say_losses(troop, done, lost)

    def _say_losses(self, troop: Troop, done: Any, lost: Mapping[str, int]) -> None:
        names = [counted_models(lost[model.slug], model.name) for model in troop.models if lost[model.slug]]
        if names:
            self.say(_("{troop} loses {names}.").format(troop=troop.name, names=" and ".join(names)))
        if done.recorded and done.recorded != int(troop.facts.get("recorded_damage") or 0):
            self.say(_("{recorded} damage stays on {name}.").format(recorded=done.recorded, name=troop.name))
        if done.waiting:
            self.say(
                _("{name} has {waiting} damage for its owner to place.").format(name=troop.name, waiting=done.waiting)
            )
        if troop.has_leader and not any(model.leader and done.left[model.slug] for model in troop.models):
            self.say(_("Its Squad Leader is lost."))

    def side(self, key: str, **facts: Any) -> None:
        self._sides.setdefault(key, ({}, {}))[0].update(facts)

    def pay(self, key: str, count: int) -> None:
        """Spend Tactical Points. A negative number gains them, up to what a pool holds."""
        if count < 0:
            count = -min(-count, max(0, MOST_POINTS - self.play.pool(key)))
        if count:
            counts = self._sides.setdefault(key, ({}, {}))[1]
            counts[POINTS] = counts.get(POINTS, 0) - count
            if -counts[POINTS] > self.play.pool(key):
                enough(self.play, key, -counts[POINTS])

    def table(self, **facts: Any) -> Doing:
        self._table.update(facts)
        return self

    def tally(self, **counts: int) -> Doing:
        self._table_counts.update(counts)
        return self

    def act(self, *, side: str = "", fighter: str = "") -> RollAct:
        """Return the act. `side` or `fighter` says whose it is. A point promised against a unit goes with its roll."""
        if fighter and self.roll in OPPOSED and self.play.troop(fighter).facts.get("opposed"):
            self.fact(self.play.troop(fighter), opposed="")
        told = " ".join(self.said)
        keys = dict.fromkeys([*self._markers, *self._facts, *self._counts, *self._acted, *self._out])
        effects = tuple(self._effect(key) for key in keys)
        return RollAct(
            roll=self.roll, told=told if len(told) <= 500 else told[:499] + "…", side=side, fighter=fighter,
            effects=tuple(effect for effect in effects if effect is not None),
            side_effects=tuple(
                SideEffect(side=key, facts=facts, counts=counts) for key, (facts, counts) in self._sides.items()
            ),
            table=TableEffect(facts=self._table, counts=self._table_counts, next_turn=self.next_turn),
            initiative=self.initiative,
        )  # fmt: skip

    def _effect(self, key: str) -> Effect | None:
        acted = True if key in self._acted else None
        if key in self._out:
            return Effect(fighter=key, out=True, by=self._out[key], acted=acted)
        change = self._markers.get(key, 0)
        found = Effect(
            fighter=key, markers={STRESS: change} if change else {}, facts=self._facts.get(key, {}),
            counts=self._counts.get(key, {}), acted=acted,
        )  # fmt: skip
        return found if found.markers or found.facts or found.counts or acted else None


def counted_models(number: int, name: str) -> str:
    """Return a number of models as text, e.g. "2 Rifle". Players name their models, so names stay as written."""
    return f"{number} {name}"
