"""What may heal or worsen a scar once all injuries of the battle are settled.

Source: Campaign rules 1.0, "Field Hospital".
"""

from __future__ import annotations

from functools import partial

from rules.consequences import SetFighter
from rules.resolution import Desk, Option, Outcome, Task
from rules.trench_crusade.lookup import Source
from rules.trench_crusade.steps.context import Scene, fighter_options, settled
from rules.trench_crusade.steps.healing import healed, scar_options
from rules.trench_crusade.steps.injuries import unfit_or_dead
from rules.vocabulary import CancelsScarEffect

HOSPITAL = "hospital"
NOBODY = "nobody"


def tasks(scene: Scene) -> tuple[Task, ...]:
    """One optional task where the warband owns such a place, has somebody to run it, and bears scars."""
    source = _source(scene)
    title = source.name if source else "Hospital"
    task = Task(HOSPITAL, title, partial(resolve_hospital, scene, source), words="2D6 for one scar.", optional=True)
    if HOSPITAL in scene.record.written:
        return (settled(scene, task),)
    return (task,) if source is not None and scarred(scene) else ()


def _source(scene: Scene) -> Source | None:
    active = [f.key for f in scene.force.fighters if f.active]
    here = {scene.profile_of(key) for key in active}
    here.update(profile for key in active if key in scene.views for profile in scene.views[key].counts_as)
    for source in scene.sources:
        effect = source.effect
        if not isinstance(effect, CancelsScarEffect) or not effect.at_end:
            continue
        if not effect.needs_profiles or here & set(effect.needs_profiles):
            return source
    return None


def scarred(scene: Scene) -> tuple[str, ...]:
    """Who bears a scar, in roster order."""
    return tuple(f.key for f in scene.force.fighters if f.active and scene.scars(f.key))


def resolve_hospital(scene: Scene, source: Source | None, desk: Desk) -> Outcome:
    """Roll 2D6 for one scarred fighter: a scar heals, nothing happens or, on double 1, one scar is added."""
    assert source is not None
    assert isinstance(source.effect, CancelsScarEffect)
    words = {key: f"{scene.scars(key)} of {scene.scar_limit(key)} scars" for key in scarred(scene)}
    options = (*fighter_options(scene, words, words), Option(NOBODY, "Nobody"))
    key = desk.choose("patient", f"{source.name}: who is treated?", options)
    if key == NOBODY:
        return Outcome(f"{source.name} treats nobody.")
    fighter = scene.force.fighter(key)
    draw = desk.roll(2, 6, f"{source.name} for {fighter.name}")
    if draw.total >= source.effect.from_total:
        desk.tell(f"{draw.total}: a scar heals.", draw)
        scars = scar_options(scene, fighter)
        scar = scars[0].value if len(scars) == 1 else desk.choose("scar", "Which scar heals?", scars)
        return Outcome(
            f"{source.name} heals a scar of {fighter.name}.",
            (),
            tuple(healed(scene, key, (scar,), source.name, scar_only=True)),
        )
    if draw.faces != (1, 1):
        desk.tell(f"{draw.total}: nothing changes.", draw)
        return Outcome(f"{source.name} cannot help {fighter.name}.")
    desk.tell("Double 1: one scar more.", draw)
    borne, limit = scene.scars(key) + 1, scene.scar_limit(key)
    if borne > limit:
        return unfit_or_dead(scene, fighter, f"{source.name}: one scar too many.", desk)
    return Outcome(
        f"{source.name} leaves {fighter.name} another scar.",
        (f"Scars {borne} of {limit}.",),
        (SetFighter(key, ("scars",), borne, source.name),),
    )
