"""Checks that reject impossible states of a Gloom Trench table: skipped steps, impossible counts, losses of a unit
not destroyed.
"""

from __future__ import annotations

from rules.gloom_trench.tracker.chits import most_chits
from rules.gloom_trench.tracker.move import BEGINNING, MOST_POINTS, POINTS, PlayState
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.tracker.state import TableSide, TableState
from rules.translation import gettext as _


def refuse_steps(before: TableState, state: TableState) -> None:
    """Raise Refusal for an act that belongs to a step which was undone."""
    facts, old = state.facts or BEGINNING, before.facts or BEGINNING
    if facts["at"] != old["at"] and facts["at"] != old["at"] + 1:
        raise Refusal(
            _("It follows on a step that was taken back."), mend=_("Undo the later steps first."), code="step"
        )
    if facts["during"] != old["during"] and facts["during"] != facts["at"] - (facts["at"] != old["at"]):
        raise Refusal(_("It belongs to a step that was taken back."), mend=_("Undo it first."), code="step")


def refuse_side(play: PlayState, side: TableSide, before: TableSide) -> None:
    """Raise Refusal for Tactical Points or chits that a side cannot have, and for losses of a unit that is not out."""
    if not 0 <= int(side.facts.get(POINTS, 0)) <= 2 * MOST_POINTS:
        raise Refusal(
            _("{name} cannot have that many Tactical Points.").format(name=side.name),
            mend=_("Put the pool right."),
            code="pool",
        )
    if not 0 <= play.chits.get(side.key, 0) <= most_chits(play, side.key):
        raise Refusal(
            _("{name} has fewer units than that many chits.").format(name=side.name),
            mend=_("A chit for each unit, one for the initiative."),
            code="bag",
        )
    _refuse_near(before, side, play.state)


def _refuse_near(before: TableSide, side: TableSide, state: TableState) -> None:
    """Raise Refusal if an act names the friends near a destroyed unit but the unit is not out."""
    for name, told in side.facts.items():
        if not name.startswith("near_") or told != "told" or before.facts.get(name) == "told":
            continue
        key = name.removeprefix("near_")
        if not _is_out(state, key):
            raise Refusal(
                _("{name} stands; who was near it when it fell is told.").format(name=state.fighter(key).name),
                mend=_("Undo that first."),
                code="near",
            )


def _is_out(state: TableState, key: str) -> bool:
    return any(fighter.key == key and fighter.out for fighter in state.fighters)


def refuse_unit(troop: Troop) -> None:
    """Raise Refusal for model counts out of range, or for recorded damage that would have removed a model."""
    for model in troop.models:
        if not 0 <= model.left <= model.full:
            raise Refusal(
                _("{name} came with {full} {model_name}; {left} cannot be left.").format(name=troop.name, full=model.full, model_name=model.name, left=model.left), mend=_("Count them again."), code="models"
            )  # fmt: skip
    if not troop.size:
        raise Refusal(
            _("{name} would have no model left.").format(name=troop.name),
            mend=_("Take it out of action instead."),
            code="models",
        )
    recorded, on = int(troop.facts.get("recorded_damage") or 0), str(troop.facts.get("recorded_on") or "")
    if recorded:
        bears = next((model for model in troop.models if model.slug == on), None)
        if bears is None or not bears.left:
            raise Refusal(
                _("Damage on {name} is recorded on a model that stands.").format(name=troop.name),
                mend=_("Say on which sort."),
                code="recorded",
            )
        if recorded >= bears.wounds:
            raise Refusal(
                _("{recorded} damage remove a {name} of {wounds} Wounds.").format(
                    recorded=recorded, name=bears.name, wounds=bears.wounds
                ),
                mend=_("Count that model off."),
                code="recorded",
            )
