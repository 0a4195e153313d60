"""The field hospital, which may heal or worsen a scar once all injuries of the battle are settled.

Source: Campaign rules 1.0, "Field Hospital".
"""

from __future__ import annotations

from functools import partial

from rules.consequences import SetFighter
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import CarriedEffect
from rules.trench_crusade.steps.context import StepContext, fighter_options, settled
from rules.trench_crusade.steps.departures import unfit_or_dead
from rules.trench_crusade.steps.healing import healed, scar_options
from rules.vocabulary import CancelsScarEffect

HOSPITAL = "hospital"
NOBODY = "nobody"


def tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one optional task if the warband owns a hospital, has somebody to run it, and has scars."""
    source = _source(context)
    title = source.name if source else _("Hospital")
    task = Task(
        HOSPITAL, title, partial(resolve_hospital, context, source), words=_("2D6 for one scar."), optional=True
    )
    if HOSPITAL in context.record.written:
        return (settled(context, task),)
    return (task,) if source is not None and scarred(context) else ()


def _source(context: StepContext) -> CarriedEffect | None:
    here = {profile for f in context.force.fighters if f.active for profile in context.profiles_of(f.key)}
    for source, effect in context.effects(CancelsScarEffect):
        if effect.at_end and (not effect.needs_profiles or here.intersection(effect.needs_profiles)):
            return source
    return None


def scarred(context: StepContext) -> tuple[str, ...]:
    return tuple(f.key for f in context.force.fighters if f.active and context.scars(f.key))


def resolve_hospital(context: StepContext, source: CarriedEffect | None, resolution: Resolution) -> Outcome:
    """Roll 2D6 for one scarred fighter: a scar heals, nothing happens or, on double 1, one scar is added."""
    assert source is not None
    assert isinstance(source.effect, CancelsScarEffect)
    words = {
        key: _("{scars} of {scar_limit} scars").format(scars=context.scars(key), scar_limit=context.scar_limit(key))
        for key in scarred(context)
    }
    options = (*fighter_options(context, words, words), Option(NOBODY, _("No one")))
    key = resolution.choose("patient", _("{name}: who is treated?").format(name=source.name), options)
    if key == NOBODY:
        return Outcome(_("{name} treats no one.").format(name=source.name))
    fighter = context.force.fighter(key)
    draw = resolution.roll(2, 6, _("{source} for {fighter}").format(source=source.name, fighter=fighter.name))
    if draw.total >= source.effect.from_total:
        resolution.tell(_("{total}: a scar heals.").format(total=draw.total), draw)
        scars = scar_options(context, fighter)
        scar = scars[0].value if len(scars) == 1 else resolution.choose("scar", _("Which scar heals?"), scars)
        return Outcome(
            _("{name} heals a scar of {fighter_name}.").format(name=source.name, fighter_name=fighter.name),
            (),
            tuple(healed(context, key, (scar,), source.name, scar_only=True)),
        )
    if draw.faces != (1, 1):
        resolution.tell(_("{total}: nothing changes.").format(total=draw.total), draw)
        return Outcome(_("{name} cannot help {fighter_name}.").format(name=source.name, fighter_name=fighter.name))
    resolution.tell(_("Double 1: one scar more."), draw)
    borne, limit = context.scars(key) + 1, context.scar_limit(key)
    if borne > limit:
        return unfit_or_dead(context, fighter, _("{name}: one scar too many.").format(name=source.name), resolution)
    return Outcome(
        _("{name} leaves {fighter_name} another scar.").format(name=source.name, fighter_name=fighter.name),
        (_("Scars {borne} of {limit}.").format(borne=borne, limit=limit),),
        (SetFighter(key, ("scars",), borne, source.name),),
    )
