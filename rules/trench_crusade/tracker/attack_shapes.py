"""What an attack comes to as data: throws that lead to one another, their endings, and the figures apart from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.resolvers.roller import Resolved
from rules.resolvers.tree import Branch
from rules.trench_crusade.resolvers.attack import INJURIES, cut_short, did_miss
from rules.trench_crusade.resolvers.hit import is_roll_to_hit
from rules.trench_crusade.resolvers.inputs import USED_UP

Figures = tuple[int, int, int, int]  # dice and number of the hit, dice and number of the injury
NOTHING: Figures = (0, 0, 0, 0)
HIT, INJURY = 0, 1


@dataclass(frozen=True, slots=True)
class Ending:
    """What one attack does, as a device applies it. `hurts`: an injury was rolled. One that `missed` also ends the Activation of a fighter whose side is Shaken, unless it is `steady`. `critical` is told of weapons that catch others besides. `hangs` are markers of the attacker that hang
    on those that the target gets: when, kind and number.
    """

    outcome: str
    hurts: bool = False
    markers: tuple[tuple[str, int], ...] = ()
    spent: int = 0
    down: bool = False
    out: bool = False
    facts: tuple[str, ...] = ()
    own: tuple[tuple[str, int], ...] = ()
    hangs: tuple[tuple[str, str, int], ...] = ()
    falls: bool = False
    ends: bool = False
    stops: bool = False
    missed: bool = False
    steady: bool = False
    critical: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of a shape: `part` is HIT or INJURY, whose dice and number are added to `net` and taken from the cuts."""

    part: int
    base: int
    net: int
    cuts: tuple[int, ...]
    flags: tuple[int, int, int, int]  # dice set to 6; the lowest turned to 6; the highest to 1; a 1 spoils it
    then: tuple[Throw | Ending, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One attack: `words` choose the row, `adds` are added to it, `beside` where two of them hold at once. `after`: only if the one
    before it hit.
    """

    after: bool
    words: tuple[str, ...]
    rows: tuple[tuple[Throw | Ending, Figures], ...]
    adds: tuple[tuple[str, Figures], ...]
    beside: tuple[tuple[str, str, Figures], ...]


def less(one: Figures, other: Figures) -> Figures:
    return tuple(a - b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


def added(one: Figures, other: Figures) -> Figures:
    return tuple(a + b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


def shape_of(
    calm: Branch | Resolved,
    shaken: Branch | Resolved,
    *,
    catches: bool = False,
    hangs: tuple[tuple[str, str, int], ...] = (),
) -> Throw | Ending:
    """Return the shape of a tree. `shaken` is the tree of a Shaken side where that is not plain from a miss. `catches`: others are struck
    besides, so that it matters whether the hit was a Critical Success."""
    if isinstance(calm, Resolved) or isinstance(shaken, Resolved):
        assert isinstance(calm, Resolved)
        assert isinstance(shaken, Resolved)
        found = _ending(calm)
        if hangs and found.markers:
            found = replace(found, hangs=hangs)
        if catches and any(step.outcome == "critical" for step in calm.steps):
            found = replace(found, critical=True)
        return replace(found, steady=True) if calm is not shaken and not _ending(shaken).ends else found
    throw, pool = calm.throw, calm.throw.pool
    return Throw(
        part=HIT if is_roll_to_hit(throw.why) else INJURY,
        base=pool.base,
        net=pool.net,
        cuts=throw.cuts,
        flags=(pool.sixes, int(pool.turned), int(pool.lowered), int(pool.flawed)),
        then=tuple(
            shape_of(one, other, catches=catches, hangs=hangs)
            for one, other in zip(calm.then, shaken.then, strict=True)
        ),
    )


def _ending(done: Resolved) -> Ending:
    """Return what an attack does to its target and its attacker."""
    hurt = next((step for step in done.steps if step.outcome in INJURIES), None)
    effects = hurt if hurt is not None else done if done.outcome == "failure" else Resolved("", "")
    markers = {kind: effects.summed(f"{kind}_markers") for kind in ("blood", "infection")}
    own = {kind: done.summed(f"own_{kind}_markers") for kind in ("blood", "blessing")}
    facts = tuple(name for name in USED_UP if effects.effect(name))
    out, down = bool(effects.effect("out_of_action")), bool(effects.effect("goes_down"))
    return Ending(
        outcome=done.outcome,
        hurts=hurt is not None,
        markers=tuple((kind, count) for kind, count in markers.items() if count),
        spent=effects.summed("markers_spent") if hurt is not None else 0,
        down=down and not out,
        out=out,
        facts=facts,
        own=tuple((kind, count) for kind, count in own.items() if count),
        falls=bool(done.effect("attacker_down")),
        ends=bool(done.effect("activation_ends")),
        stops=cut_short(done),
        missed=did_miss(done),
    )
