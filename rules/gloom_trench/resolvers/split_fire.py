"""Split fire at two units: each group makes a separate attack.

Source: core rules, Splitting Fire.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.resolvers.activation import Action
from rules.gloom_trench.resolvers.dice import Count, Die, Name
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.shooting import Shoot, shoot_odds, shot
from rules.problems import Refusal
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _

MOST_TARGETS = 2
MOST_WAYS = 20_000


class Volley(Shoot, frozen=True, kw_only=True):
    """One part of split fire: its target, and a separate attack. `name`: the unit's."""

    name: Name = ""


class SplitFire(Rolling, frozen=True, kw_only=True):
    """Fire at two units. Each group is a separate attack; `die` and `action` are the defaults for all groups."""

    groups: Annotated[tuple[Volley, ...], Meta(min_length=1, max_length=10)]
    die: Die | None = None
    ordered: Action = msgspec.field(name="action", default="none")
    models: Count | None = None


def _volleys(data: SplitFire) -> tuple[Volley, ...]:
    names = [
        volley.name or (volley.target.name if volley.target else "") or f"#{n}" for n, volley in enumerate(data.groups)
    ]
    if len(set(names)) > MOST_TARGETS:
        raise Refusal(_("Fire is split between two units at most."), mend=_("Choose two of them."), code="targets")
    if data.models is not None and sum(volley.models or 0 for volley in data.groups) > data.models:
        raise Refusal(
            _("The unit has {quantity}; more are told off.").format(quantity=quantity(data.models, "model")),
            mend=_("Each shoots once."),
            code="input",
        )
    return tuple(
        msgspec.structs.replace(
            volley,
            die=volley.die or (None if volley.weapon else data.die),
            ordered=data.ordered if volley.ordered == "none" else volley.ordered,
        )
        for volley in data.groups
    )


def split_fire(content: CustomContent, data: SplitFire, roller: Roller) -> Resolved:
    """Each group's attack, with its saves, one after another."""
    steps = tuple(shot(content, volley, roller) for volley in _volleys(data))
    told = ",".join(step.outcome for step in steps)
    return Resolved(
        told, " ".join(step.told for step in steps), tuple(f for s in steps for f in s.rolled),
        tuple(f for s in steps for f in s.kept), sum(step.total or 0 for step in steps), (),
        effects(hits=[step.effect("hits", 0) for step in steps],
                damage=[step.effect("damage") for step in steps] if steps[0].steps else None,
                stress_delta=[step.effect("stress_delta") for step in steps] if steps[0].steps else None),
        steps,
    )  # fmt: skip


def split_fire_odds(content: CustomContent, data: SplitFire) -> Odds:
    """Every pair of results: the attacks do not touch each other."""
    found: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for volley in _volleys(data):
        each = shoot_odds(content, volley).outcomes
        if len(found) * len(each) > MOST_WAYS:
            raise Refusal(
                _("This has too many ways to go for exact odds."), mend=_("Ask for each target apart."), code="odds"
            )
        found = {(*told, name): share * more for told, share in found.items() for name, more in each.items()}
    odds = Odds()
    for names, share in found.items():
        odds.add(",".join(names), 0, share)
    return odds
