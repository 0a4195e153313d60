"""What modifies a shooting attack: the action, cover, Obscured, Small Units, Tactical Points.

Source: core rules, Small Units; Shooting and Cover; Obscured; Advance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import OBSCURED, chosen
from rules.gloom_trench.resolvers.activation import Action
from rules.gloom_trench.resolvers.dice import (
    Count,
    Die,
    Mods,
    Name,
    Spent,
    Stress,
    TargetThrow,
    enemy_point,
    mods,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Cover, Unit, bearing_small, is_small
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput, plain
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

COVERS_THAT_OBSCURE: Mapping[str, str] = {"light": gettext("Light cover"), "heavy": gettext("Heavy cover")}


class ObscuringRule(RuleInput, frozen=True, kw_only=True):
    """Something that makes a unit Obscured: the name of the rule, and its owner."""

    name: Name
    of: Name = ""


Sources = bool | Count | Annotated[tuple[ObscuringRule | Name, ...], Meta(max_length=40)]


class Shooting(Rolling, frozen=True, kw_only=True):
    """What modifies shooting.

    `action`: an Advance takes -1. `cover`: the target's cover; `crossed`: covers in between, from which the defender
    picks `crossed_choice` if the target is in none. `obscured`: names (or the number) of rules that make the target
    Obscured, in addition to its cover. `small`: the target is a Small Unit (or give its models). `tp` and
    `opponent_tp`: Tactical Points of either side; `shooter_stress`: Stress of the shooter.
    """

    also_called = {"ctx": ""}

    die: Die | None = None
    ordered: Action = msgspec.field(name="action", default="none")
    advance: bool = False
    cover: Cover = "none"
    crossed: Annotated[tuple[Cover, ...], Meta(max_length=10)] = ()
    crossed_choice: Cover | None = None
    obscured: Sources = ()
    small: bool | None = None
    target_models: Count | None = None
    target: Unit | None = None
    tp: Spent = False
    opponent_tp: Spent = False
    shooter_stress: Stress | bool | None = None
    dice_mods: Mods = 0
    roll_mods: Mods = 0
    locked: bool = False


def cover_of(data: Shooting) -> Cover:
    """The one cover that counts: the target's own, else the crossed one that the defender picks. Raises Refusal if nobody picked."""
    own = data.cover if data.cover != "none" else data.target.cover if data.target else "none"
    crossed = tuple(dict.fromkeys(each for each in data.crossed if each != "none"))
    if own != "none" or not crossed:
        return own
    if data.crossed_choice is None and len(crossed) > 1:
        raise Refusal(
            gettext("The shot crosses {crossed} cover; the defender picks one.").format(crossed=' and '.join(crossed)),
            mend=gettext("Give it as crossed_choice."), code="input",
        )  # fmt: skip
    picked = data.crossed_choice or crossed[0]
    if picked not in crossed:
        raise Refusal(
            gettext("The shot does not cross {picked} cover.").format(picked=picked),
            mend=gettext("It crosses {crossed}.").format(crossed=", ".join(crossed)),
            code="input",
        )
    return picked


def sources_of(given: Sources, cover: Cover) -> tuple[str, ...]:
    """The differently named sources of Obscured: that of the cover, then those of rules. One name of a cover at most."""
    names: list[str] = [COVERS_THAT_OBSCURE[cover]] if cover in COVERS_THAT_OBSCURE else []
    if isinstance(given, tuple):
        told = [each.name if isinstance(each, ObscuringRule) else each for each in given]
    elif given is True:
        told = [] if names else [gettext("Obscured")]  # if a cover makes it Obscured, “it is Obscured” adds nothing
    else:
        told = [gettext("Source {number}").format(number=number) for number in range(1, int(given) + 1)]
    covered = bool(names)
    for name in told:
        words = " ".join(name.split())
        kind = plain(words).removesuffix("cover")
        if kind in ("light", "heavy", "solid"):
            if covered or kind == "solid":
                continue
            covered, words = True, COVERS_THAT_OBSCURE[kind]
        if words and words.casefold() not in {each.casefold() for each in names}:
            names.append(words)
    return tuple(names)


class ObscuredTotal(RuleInput, frozen=True, kw_only=True):
    """The names of the rules that make a unit Obscured. A cover among them is “Light cover” or “Heavy cover”."""

    sources: Name | Annotated[tuple[ObscuringRule | Name, ...], Meta(max_length=40)] = ()
    cover: Cover = "none"


def obscured_total(content: CustomContent, data: ObscuredTotal, roller: Roller) -> Resolved:
    """Minus one for each name."""
    told = (data.sources,) if isinstance(data.sources, str) else data.sources
    names = sources_of(told, data.cover)
    total = -len(names)
    return Resolved(
        str(total), gettext("{quantity} of Obscured: {total}.").format(quantity=quantity(len(names), 'source'), total=total), total=total,
        modifiers=tuple(("-1", gettext("Obscured: {name}").format(name=name)) for name in names),
        effects=effects(modifier=total, sources=list(names)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aimed:
    """The throw of an attack, the cover that counts, and the dice that Obscured removes under that reading."""

    throw: TargetThrow
    cover: Cover
    fewer: int


def aimed(content: CustomContent, data: Shooting, base: Die) -> Aimed:
    """Every modifier of a shooting roll, in the order of the rules."""
    cover = cover_of(data)
    dice = (*mods(data.dice_mods, gettext("special rule")), *own_point(content, data.tp))
    roll: list[tuple[int, str]] = []
    if data.ordered == "advance" or data.advance:
        roll.append((-1, gettext("Advance")))
    if cover in ("heavy", "solid"):
        roll.append((-1, gettext("{cover} cover").format(cover=cover.capitalize())))
    names = sources_of(data.obscured, cover)
    as_dice = chosen(content, OBSCURED) == "dice"
    if not as_dice:
        roll += [(-1, gettext("Obscured: {name}").format(name=name)) for name in names]
    small = data.small
    if small is None and data.target_models is not None:
        small = data.target_models <= 2
    if small is None and data.target is not None:
        small = bearing_small(data.target) if data.target.models is None else is_small(data.target)
    if small:
        roll.append((-1, gettext("Small Unit")))
    roll += [
        *enemy_point(content, data.opponent_tp, data.shooter_stress),
        *mods(data.roll_mods, gettext("special rule")),
    ]
    return Aimed(
        thrown(content, base, dice, tuple(roll), locked=data.locked), cover, len(names) if as_dice else 0
    )  # fmt: skip


def shoot_modifiers(content: CustomContent, data: Shooting, roller: Roller) -> Resolved:
    """What is added to a shooting roll, and its die if it is known."""
    found = aimed(content, data, data.die or "D8")
    throw = found.throw
    if data.die is None and any(what.startswith("d") for what, _ in throw.modifiers):
        raise Refusal(
            gettext("The die is not given (at $.die)."), mend=gettext("Dice modifiers need one to shift."), code="input"
        )
    return Resolved(
        throw.told() if data.die else f"{throw.modifier:d}", gettext("{modifier:+d} in all.").format(modifier=throw.modifier), total=throw.modifier,
        modifiers=throw.modifiers,
        effects=effects(modifier=throw.modifier, die=throw.die if data.die else None, need=throw.need,
                        cover=found.cover, dice_fewer=found.fewer or None),
    )  # fmt: skip
