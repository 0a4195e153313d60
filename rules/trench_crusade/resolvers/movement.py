"""Movement that needs dice: charging, dashing, climbing, jumping, falling, dangerous ground, ledges, standing up,
evading.

Lengths are in inches. Source: Condensed rules 1.6.3, "Movement Actions", "Falling", "Terrain"; Turns and actions 1.0,
"Actions"; core rules 1.0, "Movement and terrain".
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.roller import Resolved, Roller, told_dice
from rules.translation import gettext
from rules.trench_crusade.resolvers.injury import resolve_injury
from rules.trench_crusade.resolvers.inputs import Inches, Injury, Success, words_of
from rules.trench_crusade.resolvers.success import resolve_success

Movement = Annotated[float, Meta(ge=0, le=36, description="Movement Characteristic in inches.")]


class Risky(Success, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A success roll that is risky by nature."""

    risky: bool = True


def refuse_down(down: bool, act: str) -> None:
    """Raises Refusal for whoever is Down: it moves by no ACTION of its own.

    Source: Attacks 1.6, "The Injury Roll"; core rules 1.0, "Down".
    """
    if down:
        raise Refusal(
            gettext("No model {act} while Down.").format(act=act), mend=gettext("Stand up first."), code="down"
        )


def refuse_unrolled(data: Success) -> None:
    """Raises Refusal for markers told where nothing is rolled."""
    if data.blood_spent or data.blessing_spent:
        raise Refusal(gettext("Nothing is rolled here: no markers are spent."), code="markers")


class Dash(Risky, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dash. `movement`: how far it may then go; halved if the fighter stood up in this activation."""

    movement: Movement | None = None
    stood_up: bool = False


class Climb(Risky, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A climb up or down a sheer surface, in inches, with the movement left."""

    height: Inches | None = None
    movement_left: Movement | None = None
    flying: bool = False


class Jump(Risky, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A jump over a gap; `rise` is how much higher it lands, `drop` how deep the gap is if it falls."""

    gap: Inches | None = None
    rise: Inches = 0
    drop: Inches = 0
    movement: Movement | None = None
    movement_left: Movement | None = None
    flying: bool = False
    injury: Injury = Injury()


class Fall(Injury, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fall, in inches. `voluntary`: the fighter jumped down. `flying`: it flies."""

    height: Inches = 0
    voluntary: bool = False
    flying: bool = False


class Dangerous(Success, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dangerous ground: `moved_into` or started in.

    `injury` is the roll after a failure. `keywords` are the ground's.
    """

    moved_into: bool = True
    ends_in: bool = True
    flying: bool = False
    injury: Injury = Injury()


class Charge(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A charge at an enemy `distance` inches away.

    `heavy`: it carries a HEAVY item. `stood_up`: movement and bonus are halved.

    The Charge Bonus is a `bonus_die`, or the highest of `bonus_dice` such dice. `dive`: it jumps down that far and
    lands `lands_within` inches of the target, a Diving Charge, which `dive_roll` rolls for; `injury` is the roll of
    its fall.
    """

    movement: Movement = 6
    distance: Inches | None = None
    heavy: bool = False
    strong: bool = False
    stood_up: bool = False
    sees: bool = True
    down: bool = False
    bonus: Annotated[int, Meta(ge=-12, le=12)] = 0
    bonus_die: Literal["D6", "D3"] = "D6"
    bonus_dice: Annotated[int, Meta(ge=1, le=3)] = 1
    keywords: tuple[str, ...] = ()
    risky_roll: Risky = Risky()
    dive: Inches = 0
    lands_within: Inches = 0
    dive_roll: Risky = Risky()
    injury: Injury = Injury()


class Evade(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A SKIRMISHER that is charged steps aside. It may not while in melee."""

    in_melee: bool = False


class Ledge(Success, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter knocked Down within an inch of a ledge tries to stay on it; `height` is how far down it goes."""

    height: Inches = 0
    injury: Injury = Injury()


class Stand(Risky, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Standing up: when activated, or in the same activation in which the fighter went Down."""

    own_activation: bool = False
    movement: Movement | None = None


class Retreat(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Leaving melee.

    `enemies`: how many are within an inch. `down`: it is Down. `struck`: their attacks put it Down or Out of Action.

    `clear`: there is a place to end more than an inch from all of them.
    """

    enemies: Annotated[int, Meta(ge=1, le=20)] = 1
    movement: Movement = 6
    down: bool = False
    struck: bool = False
    clear: bool = True


def resolve_retreat(play: EditionPlay, data: Retreat, roller: Roller) -> Resolved:
    """What enemies may do before a retreat, and how far it goes. Outcomes: moves, stays. No dice: their attacks are rolled apart.

    Raises Refusal for a fighter that is Down before it begins.
    """
    refuse_down(data.down and not data.struck, "retreats")
    each = gettext("Each") if data.enemies > 1 else gettext("The")
    if play.retreat_attacks == "melee-attack":
        words = gettext("{each} enemy makes a Melee Attack first.").format(each=each)
    else:
        words = gettext("{each} enemy may Fight first: one weapon, one attack.").format(each=each)
    attacks: tuple[Mapping[str, Any], ...] = ({"attacks_first": data.enemies},)
    if data.struck:
        return Resolved(
            "stays", gettext("{words} Down or Out of Action, it does not retreat.").format(words=words), effects=attacks
        )
    if not data.clear and play.retreat_attacks == "one-fight":
        return Resolved(
            "stays",
            gettext("{words} Nowhere is more than an inch from all enemies: it stays.").format(words=words),
            effects=attacks,
        )
    moves = gettext("Then it moves up to {movement:g} inches.").format(movement=data.movement)
    return Resolved("moves", f"{words} {moves}", effects=(*attacks, {"moves": data.movement}))


def resolve_dash(play: EditionPlay, data: Dash, roller: Roller) -> Resolved:
    """A dash: risky; a success moves the fighter once more. Outcomes: failure, success, critical. Raises Refusal for one who is Down."""
    refuse_down(data.down, "dashes")
    found = resolve_success(play, msgspec.structs.replace(data, risky=True), roller)
    if found.outcome == "failure" or data.movement is None:
        return found
    return _more(found, {"moves": data.movement / (2 if data.stood_up else 1)})


def resolve_climb(play: EditionPlay, data: Climb, roller: Roller) -> Resolved:
    """A climb: risky; a failure leaves the fighter below. What is low enough is stepped over without a roll.

    Raises Refusal where the movement does not reach, and for one who is Down.
    """
    refuse_down(data.down, "climbs")
    if data.height is not None and data.movement_left is not None and data.height > data.movement_left:
        raise Refusal(gettext("The movement left does not clear the height."), code="movement")
    if data.flying:
        refuse_unrolled(data)
        return Resolved("success", gettext("Fliers climb without a roll."))
    if data.height is not None and data.height <= play.climb_free_to:
        refuse_unrolled(data)
        return Resolved("success", gettext("{height:g} inches: no roll.").format(height=data.height))
    found = resolve_success(play, msgspec.structs.replace(data, risky=True), roller)
    return _more(found, {"stays": play.climb_failed}) if found.outcome == "failure" else found


def resolve_jump(play: EditionPlay, data: Jump, roller: Roller) -> Resolved:
    """A jump over a gap: risky; a failure is a fall. Outcomes: success, critical, failure.

    Raises Refusal for a gap wider than half the Movement Characteristic, or than the movement left clears, or too high a landing, and for
    one who is Down.
    """
    refuse_down(data.down, "jumps")
    length = (data.gap or 0) + (data.rise if play.jump_up == "adds-height" else 0)
    if play.jump_up == "extra-inch" and data.rise > 1:
        raise Refusal(gettext("A jump lands at most an inch higher."), code="movement")
    cost = length + (1 if play.jump_up == "extra-inch" and data.rise >= 0.5 else 0)
    if data.movement is not None:
        most = data.movement if data.flying else data.movement / 2
        if length > most:
            raise Refusal(
                gettext("The gap needs {length:g} inches; this fighter jumps {most:g}.").format(
                    length=length, most=most
                ),
                code="movement",
            )
    if data.movement_left is not None and cost > data.movement_left:
        raise Refusal(
            gettext("The jump costs {cost:g} inches; {movement_left:g} are left.").format(
                cost=cost, movement_left=data.movement_left
            ),
            code="movement",
        )
    if data.flying:
        refuse_unrolled(data)
        return Resolved("success", gettext("Fliers jump without a roll."), effects=({"costs": cost},))
    found = resolve_success(play, msgspec.structs.replace(data, risky=True), roller)
    if found.outcome != "failure":
        return _more(found, {"costs": cost})
    fall = resolve_fall(play, _fall(data.injury, data.drop, flying=data.flying), roller)
    return _then(found, fall, ({"falls": data.drop},))


def resolve_fall(play: EditionPlay, data: Fall, roller: Roller) -> Resolved:
    """A fall: from some height on an injury roll, +1 DICE for every whole 3 inches. Outcomes: unhurt, or those of an injury.

    Who jumped down does so in its own activation, which going Down ends where the edition has it so.
    """
    if data.flying and play.flying_rolls:
        return Resolved("unhurt", gettext("Fliers come down unhurt."))
    free, counts = play.fall_from, not play.fall_from_counts
    if data.voluntary:
        free, counts = max(free, play.jump_down_free_to), play.jump_down_free_counts
    if data.height < free or (counts and data.height == free):
        return Resolved("unhurt", gettext("{height:g} inches: no harm.").format(height=data.height))
    dice = math.floor(data.height / 3)
    given = {name: getattr(data, name) for name in Injury.__struct_fields__}
    found = resolve_injury(play, Injury(**{**given, "dice": data.dice + dice}), roller)
    height = (
        told_dice(((dice, gettext("A fall of {height:g} inches").format(height=data.height)),), play.injury_dice)
        if dice
        else ()
    )
    told = tuple(m for m in found.modifiers if m[1] != "told") if not data.dice else found.modifiers
    found = replaced(found, modifiers=(*height, *told))
    if data.voluntary and found.effect("goes_down") and play.downed_in_own_activation == "ends":
        return _more(found, {"activation_ends": True})
    return found


def resolve_dangerous(play: EditionPlay, data: Dangerous, roller: Roller) -> Resolved:
    """Dangerous ground: a success roll, and on a failure an injury roll with the keywords of the ground.

    Outcomes: failure (with the injury among the steps), success, critical.
    """
    if data.flying and not (play.flying_rolls and (data.ends_in or not data.moved_into)):
        refuse_unrolled(data)
        return Resolved("success", gettext("Fliers pass over it."))
    risky = data.risky or data.moved_into or play.dangerous_start == "risky"
    found = resolve_success(play, msgspec.structs.replace(data, risky=risky), roller)
    if found.outcome != "failure":
        return found
    ground = msgspec.structs.replace(data.injury, keywords=(*data.injury.keywords, *data.keywords))
    injury = resolve_injury(play, ground, roller)
    ends = play.dangerous_failed_ends and not found.effect("activation_ends")
    return _then(found, injury, ({"activation_ends": True},) if ends else ())


def resolve_charge(play: EditionPlay, data: Charge, roller: Roller) -> Resolved:
    """A charge: Movement and a D6, HEAVY carriers without it. Outcomes: reaches, short, or the distance where none is told.

    A Diving Charge that reaches is rolled for: a success makes the next attack a diving one, a failure falls and is Down.
    Raises Refusal for a target that cannot be charged: beyond 12 inches, or unseen where the edition asks for sight; for a jump
    that makes no Diving Charge; and for one who is Down.
    """
    refuse_down(data.down or data.risky_roll.down or data.dive_roll.down, "charges")
    if data.dive:
        _refuse_dive(play, data)
    if data.distance is not None and data.distance > 12:
        raise Refusal(gettext("A charge is declared at an enemy within 12 inches."), code="movement")
    steps: tuple[Resolved, ...] = ()
    if not data.sees:
        if play.charge_unseen == "no":
            raise Refusal(gettext("A charge needs line of sight to its target."), code="movement")
        blind = resolve_success(play, msgspec.structs.replace(data.risky_roll, risky=True), roller)
        if blind.outcome == "failure":
            return blind
        steps = (blind,)
    charged = _charged(play, data, steps, roller)
    return _dived(play, data, charged, roller) if data.dive and charged.outcome != "short" else charged


def _charged(play: EditionPlay, data: Charge, steps: tuple[Resolved, ...], roller: Roller) -> Resolved:
    """How far a charge gets, after the `steps` before it. Outcomes as of `resolve_charge`."""
    slow = _is_slow(data)
    faces = () if slow else _bonus(data, roller)
    face = max((_worth(each, data.bonus_die) for each in faces), default=0)
    length = (data.movement + face + data.bonus) / (2 if data.stood_up else 1)
    if play.charge_most:
        length = min(length, play.charge_most)
    outcome, suffix = f"{length:g}", ""
    if data.distance is not None:
        reached = length + 1 >= data.distance
        outcome, suffix = ("reaches", gettext(", in melee")) if reached else ("short", gettext(", too short"))
    return Resolved(
        outcome,
        gettext("Charge: {length:g} inches{suffix}.").format(length=length, suffix=suffix),
        (*(face for step in steps for face in step.rolled), *faces),
        (max(faces),) if faces else (),
        face or None,
        ((gettext("no charge bonus"), "HEAVY"),) if slow else (),
        ({"moves": length},),
        steps,
    )


def _is_slow(data: Charge) -> bool:
    """Whether a HEAVY item costs it the Charge Bonus."""
    keywords = words_of(data.keywords)
    return (data.heavy or "HEAVY" in keywords) and not (data.strong or "STRONG" in keywords)


def _bonus(data: Charge, roller: Roller) -> tuple[int, ...]:
    cuts = (3, 5) if data.bonus_die == "D3" else ()
    return tuple(
        roller.die(6, gettext("Charge bonus, {bonus_die}").format(bonus_die=data.bonus_die), cuts)
        for _ in range(data.bonus_dice)
    )


def _worth(face: int, die: str) -> int:
    """What a face of a D6 counts: half of it, rounded up, for a D3."""
    return (face + 1) // 2 if die == "D3" else face


def _refuse_dive(play: EditionPlay, data: Charge) -> None:
    if data.dive < play.diving_least or (play.diving_most and data.dive > play.diving_most):
        most = (
            gettext(" to {diving_most:g}").format(diving_most=play.diving_most)
            if play.diving_most
            else gettext(" or more")
        )
        raise Refusal(
            gettext("A Diving Charge jumps down {diving_least:g}{most} inches.").format(
                diving_least=play.diving_least, most=most
            ),
            code="movement",
        )
    if data.lands_within > play.diving_within:
        raise Refusal(
            gettext("A Diving Charge lands within {diving_within:g} inches of its target.").format(
                diving_within=play.diving_within
            ),
            code="movement",
        )


def _dived(play: EditionPlay, data: Charge, charged: Resolved, roller: Roller) -> Resolved:
    """The roll of a Diving Charge: the next attack dives, or a fall with its injury, and Down."""
    found = resolve_success(play, msgspec.structs.replace(data.dive_roll, risky=True), roller)
    if found.outcome != "failure":
        return replaced(
            charged, told=f"{charged.told} {found.told}", rolled=(*charged.rolled, *found.rolled),
            effects=(*charged.effects, *found.effects, {"diving_charge": True}), steps=(*charged.steps, found),
        )  # fmt: skip
    fall = resolve_fall(play, _fall(data.injury, data.dive), roller)
    down: tuple[Mapping[str, Any], ...] = () if fall.outcome == "out-of-action" else ({"goes_down": True},)
    return Resolved(
        "failure", f"{charged.told} {found.told} {fall.told}", (*charged.rolled, *found.rolled, *fall.rolled), found.kept,
        found.total, found.modifiers, (*found.effects, {"falls": data.dive}, *down, *_without(fall.effects, "goes_down")),
        (*charged.steps, found, fall),
    )  # fmt: skip


def _without(effects: tuple[Mapping[str, Any], ...], name: str) -> tuple[Mapping[str, Any], ...]:
    return tuple(effect for effect in effects if name not in effect)


def resolve_evade(play: EditionPlay, data: Evade, roller: Roller) -> Resolved:
    """A SKIRMISHER's D3 inches, as half a D6 rounded up. Outcomes: 1, 2, 3. Raises Refusal in melee."""
    if data.in_melee:
        raise Refusal(gettext("A model in melee does not step aside."), code="movement")
    face = roller.die(6, gettext("Evading, D3"), (3, 5))
    inches = (face + 1) // 2
    return Resolved(
        str(inches),
        gettext("It steps {inches} inches aside.").format(inches=inches),
        (face,),
        (face,),
        face,
        effects=({"moves": inches},),
    )


def resolve_ledge(play: EditionPlay, data: Ledge, roller: Roller) -> Resolved:
    """Staying at a ledge when knocked Down there; a failure falls. Outcomes: failure, success, critical."""
    found = resolve_success(play, msgspec.structs.replace(data, risky=data.risky or play.ledge == "risky"), roller)
    if found.outcome != "failure":
        return found
    fall = resolve_fall(play, _fall(data.injury, data.height), roller)
    down = ({"falls": data.height}, {"goes_down": True})
    return _then(found, replaced(fall, effects=_without(fall.effects, "goes_down")), down)


def resolve_stand(play: EditionPlay, data: Stand, roller: Roller) -> Resolved:
    """Standing up. When activated it needs no roll and halves all movement. Outcomes: stands, or those of a risky roll.

    Raises Refusal where the edition lets nobody stand up in the activation in which it went Down.
    """
    half: tuple[Mapping[str, Any], ...] = ({"movement_halved": True},)
    if data.movement is not None:
        half = (*half, {"moves": data.movement / 2})
    if not data.own_activation:
        return Resolved("stands", gettext("It stands up; its movement is halved in this activation."), effects=half)
    if play.downed_in_own_activation == "ends":
        raise Refusal(
            gettext("Going Down in its own activation ended that; it stands up when next activated."), code="movement"
        )
    found = resolve_success(play, msgspec.structs.replace(data, risky=True), roller)
    return found if found.outcome == "failure" else _more(found, *half)


def _fall(injury: Injury, height: float, *, flying: bool = False) -> Fall:
    given = {name: getattr(injury, name) for name in Injury.__struct_fields__}
    return Fall(height=height, flying=flying, **given)


def replaced(found: Resolved, **changes: Any) -> Resolved:
    """A result with some fields replaced."""
    return dataclasses.replace(found, **changes)


def _more(found: Resolved, *effects: Mapping[str, Any]) -> Resolved:
    return replaced(found, effects=(*found.effects, *effects))


def _then(first: Resolved, then: Resolved, effects: tuple[Mapping[str, Any], ...]) -> Resolved:
    """A failed roll and what follows it: the first one's outcome, both in steps."""
    return Resolved(
        first.outcome, f"{first.told} {then.told}", (*first.rolled, *then.rolled), first.kept, first.total,
        first.modifiers, (*first.effects, *effects, *then.effects), (first, then),
    )  # fmt: skip
