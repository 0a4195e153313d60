"""Units and forces as inputs of table rules, and the values derived from them: Command, models, small, chits,
starting points.

Source: core rules, Unit Profile; Units and Squads; Squad Leader; Small Units; Tactical Pool; Refresh Activation Bag.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import UNIT_COMMAND, chosen
from rules.gloom_trench.resolvers.dice import Command, Count, Die, Distance, Name, Stress
from rules.gloom_trench.resolvers.inputs import effects
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput, plain
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

Wounds = Annotated[int, Meta(ge=1, le=100)]
Damage = Annotated[int, Meta(ge=1, le=100)]
Suffered = Annotated[int, Meta(ge=0, le=10_000)]
Keywords = Annotated[tuple[Name, ...], Meta(max_length=40)]
Cover = Literal["none", "light", "heavy", "solid"]
SMALL_MOST = 2


class Group(RuleInput, frozen=True, kw_only=True):
    """Models of one profile in a unit.

    The unit's values replace fields that are left out. `die`: what their weapon rolls.
    """

    name: Name = ""
    count: Count = 1
    command: Command | None = None
    wounds: Wounds | None = None
    combat: Die | None = None
    defence: Die | None = None
    save: Die | None = None
    keywords: Keywords = ()


class Unit(RuleInput, frozen=True, kw_only=True):
    """A unit on the table. `models`: how many, or its profiles with the number of each.

    `recorded_damage` is on the profile `recorded_on`. `commander_distance`: MU to the nearest friendly Commander,
    with the Tactics `commander_tactics`; `commander_near`: it is within that. `small`: it has the keyword Small Unit.
    """

    name: Name = ""
    keywords: Keywords = ()
    models: Count | Annotated[tuple[Group, ...], Meta(max_length=20)] | None = None
    combat: Die | None = None
    damage: Damage = 1
    defence: Die | None = None
    save: Die | None = None
    wounds: Wounds = 1
    command: Command | None = None
    tactics_range: Distance | None = None
    stress: Stress | None = None
    recorded_damage: Suffered = 0
    recorded_on: Name | None = None
    cover: Cover = "none"
    dug_in: bool = False
    leader_alive: bool | None = None
    active: bool | None = None
    activated: bool = False
    activated_count: Annotated[int, Meta(ge=0, le=100)] = 0
    destroyed: bool = False
    commander_distance: Distance | None = None
    commander_tactics: Distance | None = None
    commander_near: bool = False
    small: bool | None = None

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its profiles; a plain number is one without a name."""
        if isinstance(self.models, tuple):
            return self.models
        return (Group(name=self.name, count=1 if self.models is None else self.models),)

    @property
    def size(self) -> int:
        return sum(group.count for group in self.groups)

    @property
    def on_table(self) -> bool:
        return not self.destroyed and self.size > 0

    @property
    def was_activated(self) -> bool:
        return self.activated or self.activated_count > 0

    def has(self, keyword: str) -> bool:
        """Whether the unit, or a model left in it, bears a keyword."""
        wanted = plain(keyword)
        return any(plain(each) == wanted for each in self.keywords) or any(
            plain(each) == wanted for group in self.groups if group.count for each in group.keywords
        )


class Formation(RuleInput, frozen=True, kw_only=True):
    """What a formation adds to the Tactical Pool at the start."""

    name: Name = ""
    bonus_tactical_points: Count = 0


class ForceUnits(RuleInput, frozen=True, kw_only=True):
    """A force: its units, or the derived values if they are already known."""

    name: Name = ""
    units: Annotated[tuple[Unit, ...], Meta(max_length=100)] = ()
    force_command: Command | None = None
    formation: Count | Formation | None = None


def unit_command(content: CustomContent, unit: Unit) -> int:
    """The Command it uses: the highest among the models left in it, or as the reading says. 0 if nobody has any."""
    told = [(unit.command if group.command is None else group.command, group.count) for group in unit.groups]
    left = [(command, count) for command, count in told if command is not None and count]
    if not left:
        return 0
    if chosen(content, UNIT_COMMAND) == "most-models":
        most: Counter[int] = Counter()
        for command, count in left:
            most[command] += count
        return max(most, key=lambda command: (most[command], command))
    return max(command for command, _ in left)


def command_of(content: CustomContent, command: int | None, unit: Unit | None) -> int:
    """Command as given, else the unit's. Raises Refusal if neither is known."""
    if command is not None:
        return command
    if unit is None:
        raise Refusal(
            gettext("The Command is not given (at $.command)."),
            mend=gettext("Give it, or give the unit."),
            code="input",
        )
    return unit_command(content, unit)


def stress_of(stress: int | None, unit: Unit | None) -> int:
    """Stress as given, else the unit's. Raises Refusal if neither is known."""
    if stress is not None:
        return stress
    if unit is None or unit.stress is None:
        raise Refusal(
            gettext("The Stress is not given (at $.stress)."), mend=gettext("Give it, or give the unit."), code="input"
        )
    return unit.stress


def force_command(content: CustomContent, force: ForceUnits) -> int:
    """The highest Command of a unit still on the table."""
    if force.force_command is not None:
        return force.force_command
    return max((unit_command(content, unit) for unit in force.units if unit.on_table), default=0)


def is_small(unit: Unit) -> bool:
    """Two models or fewer, or the keyword."""
    return bearing_small(unit) or unit.size <= SMALL_MOST


def bearing_small(unit: Unit) -> bool:
    """Whether it is one whatever its models say: the keyword."""
    return unit.small is True or unit.has("Small Unit")


class OfUnit(RuleInput, frozen=True, kw_only=True):
    """A unit. `lost`: models it has lost since."""

    also_called = {"u": "unit"}

    unit: Unit | None = None
    models: Count | Annotated[tuple[Group, ...], Meta(max_length=20)] | None = None
    command: Command | None = None
    keywords: Keywords = ()
    lost: Count = 0

    @property
    def meant(self) -> Unit:
        """The unit, told in one piece or field by field. Raises Refusal where nothing is told."""
        if self.unit is not None:
            return self.unit
        if self.models is None and self.command is None and not self.keywords:
            raise Refusal(gettext("No unit is given (at $.unit)."), mend=gettext("Give its models."), code="input")
        return Unit(models=self.models, command=self.command, keywords=self.keywords)


class OfForce(RuleInput, frozen=True, kw_only=True):
    """A force, as one object or field by field. `initiative`: it has won it this turn."""

    also_called = {"f": "force"}

    force: ForceUnits | None = None
    units: Count | Annotated[tuple[Unit, ...], Meta(max_length=100)] | None = None
    force_command: Command | None = None
    formation: Count | Formation | None = None
    initiative: bool = False

    @property
    def meant(self) -> ForceUnits:
        """The force. Raises Refusal where nothing is told."""
        if self.force is not None:
            if self.formation is not None:
                raise Refusal(
                    gettext("The formation is given twice."), mend=gettext("Give it within the force."), code="input"
                )
            return self.force
        if self.units is None and self.force_command is None:
            raise Refusal(gettext("No force is given (at $.force)."), mend=gettext("Give its units."), code="input")
        units = self.units if isinstance(self.units, tuple) else (Unit(models=1),) * (self.units or 0)
        return ForceUnits(units=units, force_command=self.force_command, formation=self.formation)


def resolve_models(content: CustomContent, data: OfUnit, roller: Roller) -> Resolved:
    left = max(0, data.meant.size - data.lost)
    return Resolved(str(left), f"{quantity(left, 'model')}.", total=left, effects=effects(models=left))


def resolve_is_small(content: CustomContent, data: OfUnit, roller: Roller) -> Resolved:
    """Whether shooting at it takes -1 for its size."""
    unit = data.meant
    left = max(0, unit.size - data.lost)
    small = bearing_small(unit) or left <= SMALL_MOST
    return Resolved(
        "yes" if small else "no", (gettext("{models}: a Small Unit.") if small else gettext("{models}: no Small Unit.")).format(models=quantity(left, "model")),
        total=left, effects=effects(small=small, models=left, modifier=-1 if small else 0),
    )  # fmt: skip


def resolve_unit_command(content: CustomContent, data: OfUnit, roller: Roller) -> Resolved:
    command = unit_command(content, data.meant)
    return Resolved(
        str(command),
        gettext("Command {command}.").format(command=command),
        total=command,
        effects=effects(command=command),
    )


def resolve_force_command(content: CustomContent, data: OfForce, roller: Roller) -> Resolved:
    command = force_command(content, data.meant)
    return Resolved(
        str(command),
        gettext("Command {command}.").format(command=command),
        total=command,
        effects=effects(command=command),
    )


def resolve_starting_tp(content: CustomContent, data: OfForce, roller: Roller) -> Resolved:
    """The points a force begins with: its highest Command, and what a formation adds."""
    force = data.meant
    command = force_command(content, force)
    bonus = force.formation.bonus_tactical_points if isinstance(force.formation, Formation) else force.formation or 0
    told = tuple(
        each
        for each in ((f"{command:+d}", gettext("highest Command")), (f"{bonus:+d}", "formation"))
        if each[0] != "+0"
    )
    return Resolved(
        str(command + bonus), gettext("{quantity} to start with.").format(quantity=quantity(command + bonus, gettext('Tactical Point'))), total=command + bonus,
        modifiers=told, effects=effects(pool=command + bonus, command=command, formation=bonus),
    )  # fmt: skip


def resolve_chits(content: CustomContent, data: OfForce, roller: Roller) -> Resolved:
    """The chits of a force: one for each unit on the table, one more with the initiative."""
    units = sum(unit.on_table for unit in data.meant.units)
    chits = units + data.initiative
    return Resolved(
        str(chits), f"{quantity(chits, 'chit')}.", total=chits,
        modifiers=(("+1", "initiative"),) if data.initiative else (), effects=effects(chits=chits, units=units),
    )  # fmt: skip


class Commander(RuleInput, frozen=True, kw_only=True):
    """A friendly Commander: the distance to it in MU, and its Tactics."""

    distance: Distance
    tactics_range: Distance


class MayUseOrders(RuleInput, frozen=True, kw_only=True):
    """Whether a unit may use a Unit Order now.

    Distances are in MU. `commander_near`: a Commander is near enough; `commanders`: several of them; `pool`: its
    player's points, if known.
    """

    unit: Unit | None = None
    active: bool | None = None
    leader_alive: bool | None = None
    commander_distance: Distance | None = None
    tactics_range: Distance | None = None
    commander_near: bool = False
    commanders: Annotated[tuple[Commander, ...], Meta(max_length=20)] = ()
    pool: Count | None = None


def _commander_near(data: MayUseOrders, unit: Unit) -> bool:
    """Whether a friendly Commander is within their Tactics."""
    distance = data.commander_distance if data.commander_distance is not None else unit.commander_distance
    reach = data.tactics_range if data.tactics_range is not None else unit.commander_tactics
    if reach is None and not unit.has("Commander"):
        # Tactics X belongs to a Commander: given with a distance to a Commander, it is that Commander's.
        reach = unit.tactics_range
    if data.commander_near or unit.commander_near:
        return True
    if distance is not None and reach is not None and distance <= reach:
        return True
    return any(each.distance <= each.tactics_range for each in data.commanders)


def may_use_orders(content: CustomContent, data: MayUseOrders, roller: Roller) -> Resolved:
    """Active, and with a Squad Leader left or within the Tactics of a friendly Commander."""
    unit = data.unit or Unit()
    active = data.active if data.active is not None else unit.active is not False
    leader = data.leader_alive if data.leader_alive is not None else unit.leader_alive
    if leader is None:
        leader = unit.has("Squad Leader")
    itself = unit.has("Commander") and unit.tactics_range is not None
    allowed = False
    if not active:
        message = gettext("Only the active unit uses Unit Orders.")
    elif data.pool == 0:
        message = gettext("The Tactical Pool is empty.")
    elif leader or itself or _commander_near(data, unit):
        allowed = True
        message = gettext("It may: ") + (
            gettext("it has a Squad Leader.") if leader else gettext("a Commander is near enough.")
        )
    else:
        message = gettext("It has no Squad Leader, and no Commander is near enough.")
    return Resolved("yes" if allowed else "no", message, effects=effects(allowed=allowed, price=1 if allowed else None))
