"""Fighters that leave the warband for good without dying: unfit, retired, set free or used up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rules.consequences import Consequence, GainsItem, Leaves, LosesItems
from rules.content.campaign_entries import Trauma
from rules.force import ForceFighter
from rules.formatting import amount, joined
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext, ngettext
from rules.trench_crusade.carried_effects import CarriedEffect, has_effect
from rules.trench_crusade.steps.context import StepContext, settled
from rules.trench_crusade.steps.death import death
from rules.vocabulary import CannotMoveEffect, FreedEffect, SacrificeEffect

FREED, GIVEN_UP = "freed", "given-up"


# --- by an injury


def unfit_or_dead(context: StepContext, fighter: ForceFighter, words: str, resolution: Resolution) -> Outcome:
    if context.rules.last_scar == "leaves":
        return _unfit(context, fighter, words)
    return death(context, fighter, resolution, words)


def _unfit(context: StepContext, fighter: ForceFighter, words: str) -> Outcome:
    """Send a fighter with one scar too many home. The warband keeps what it carried and may be taken off it.

    Source: Campaign rules 1.0, "Unfit for Duty".
    """
    items, label = context.content.items, context.label("retired")
    fixed = [piece for piece in fighter.kit if has_effect(items.get(piece.item), CannotMoveEffect)]
    does: list[Consequence] = []
    lines = [
        gettext("{amount} leave the roster.").format(amount=amount(context.rating_of(fighter.key))),
        gettext("What it carried goes to the {label}.").format(label=context.label("stash")),
    ]
    if fixed:
        does.append(
            LosesItems(
                tuple(piece.key for piece in fixed), gettext("Leaves with {fighter}").format(fighter=fighter.name)
            )
        )
        lines.append(
            gettext("Can't be removed: {listed}.").format(listed=joined(items[piece.item].name for piece in fixed))
        )
    does.append(Leaves(fighter.key, "retired", f"{label}. {words}", kit_to_stash=True))
    return Outcome(
        gettext("{words} {fighter} is {label}.").format(words=words, fighter=fighter.name, label=label),
        tuple(lines),
        tuple(does),
        grave=True,
    )


def retire(context: StepContext, fighter: ForceFighter, trauma: Trauma, *, kit_lost: bool) -> Outcome:
    """Retire a fighter that suffered a trauma once too often. Its kit goes to the stash, unless the trauma takes it."""
    lines = (
        gettext("{amount} leave the roster.").format(amount=amount(context.rating_of(fighter.key))),
        gettext("What it carried is lost.")
        if kit_lost
        else gettext("What it carried goes to the {label}.").format(label=context.label("stash")),
    )
    leaves = Leaves(
        fighter.key,
        "retired",
        gettext("{trauma}, once too often").format(trauma=trauma.name),
        kit_to_stash=not kit_lost,
    )
    return Outcome(
        gettext("{name} again: {fighter_name} retires.").format(name=trauma.name, fighter_name=fighter.name),
        lines,
        (leaves,),
        grave=True,
    )


# --- set free by a rule


def freed_task(context: StepContext) -> Task | None:
    """Return one task for all fighters that a rule may set free. It is required once one of them did a deed."""
    bound = [source.fighter for source, _ in context.effects(FreedEffect)]
    mine = context.aftermath.mine
    able = tuple(key for key in context.in_order(bound) if key in mine.took_part and key not in mine.out)
    task = Task(
        FREED,
        gettext("Set free"),
        partial(resolve_freed, context, able),
        words=gettext("Who did a deed or took an enemy ELITE fighter out goes for good."),
        optional=not context.deed_doers.intersection(able),
    )
    if FREED in context.record.written:
        return settled(context, task, gettext("Who earned freedom has it."))
    return task if able else None


def resolve_freed(context: StepContext, able: tuple[str, ...], resolution: Resolution) -> Outcome:
    """Release those who earned their freedom in the battle. What they carry leaves with them.

    Source: Heretic Legion list 1.6.3, "Law of Hell".
    """
    options = tuple(
        Option(
            key, context.name(key), gettext("did a deed") if key in context.deed_doers else gettext("no deed reported")
        )
        for key in able
    )
    picked = resolution.choose_some("freed", gettext("Who earned freedom?"), options, most=len(options))
    if not picked:
        return Outcome(gettext("No one is released."))
    does = tuple(
        Leaves(key, "left", gettext("Set free after battle {number}").format(number=context.aftermath.number))
        for key in picked
    )
    names = joined(context.name(key) for key in picked)
    return Outcome(
        ngettext("{names} goes free.", "{names} go free.", len(picked)).format(names=names),
        (gettext("The kit goes along."),),
        does,
        grave=True,
    )


# --- used up by the rule of another


def given_up_task(context: StepContext) -> Task | None:
    """Return one optional task for all fighters that another fighter's rule used up in the battle."""
    rules = [(source, effect) for source, effect in context.effects(SacrificeEffect) if source.fighter]
    if not rules:
        return None
    able = tuple(f.key for f in context.force.fighters if f.active and _may_be_given_up(context, f, rules))
    name = rules[0][0].name
    any_number = any(effect.any_number for _, effect in rules)
    maximum = len(able) if any_number else len({source.fighter for source, _ in rules})
    stays = not all(effect.kit_lost for _, effect in rules)
    task = Task(
        GIVEN_UP,
        name,
        partial(resolve_given_up, context, name, able, maximum, kit_stays=stays),
        words=gettext("The fighter leaves the roster for good; the kit {words}.").format(
            words="stays" if stays else gettext("goes along")
        ),
        optional=True,
    )
    if GIVEN_UP in context.record.written:
        return settled(context, task, gettext("Saved."))
    return task if able else None


def _may_be_given_up(
    context: StepContext, fighter: ForceFighter, rules: Iterable[tuple[CarriedEffect, SacrificeEffect]]
) -> bool:
    profiles, upgrades = context.profiles_of(fighter.key), {upgrade.upgrade for upgrade in fighter.upgrades}
    return any(
        source.fighter != fighter.key
        and profiles.intersection(effect.profiles)
        and not upgrades.intersection(effect.not_upgrades)
        for source, effect in rules
    )


def resolve_given_up(
    context: StepContext,
    name: str,
    able: tuple[str, ...],
    maximum: int,
    resolution: Resolution,
    *,
    kit_stays: bool = True,
) -> Outcome:
    """Remove the fighters that the battle used up.

    Their kit, including what came with their profiles, goes to the stash or is lost.

    Source: Trench Pilgrims list 1.6.3 and 1.0, "Broken on the Wheel"; Goetic Powers List 1.0, "Slavemaster".
    """
    options = tuple(Option(key, context.name(key)) for key in able)
    picked = resolution.choose_some(
        "given-up", gettext("{name}: who?").format(name=name), options, most=min(maximum, len(options))
    )
    if not picked:
        return Outcome(gettext("No fighter."))
    does: list[Consequence] = []
    for key in picked:
        if kit_stays:
            does += _kit_without_row(context, key, name)
        does.append(
            Leaves(
                key,
                "dead",
                gettext("{name}, battle {number}").format(name=name, number=context.aftermath.number),
                kit_to_stash=kit_stays,
            )
        )
    names = joined(context.name(key) for key in picked)
    leave = "leaves" if len(picked) == 1 else "leave"
    kit = gettext("The kit stays.") if kit_stays else gettext("The kit goes along.")
    return Outcome(
        f"{name}: {names}.",
        (gettext("{names} {leave} the roster for good.").format(names=names, leave=leave), kit),
        tuple(does),
        grave=True,
    )


def _kit_without_row(context: StepContext, key: str, why: str) -> list[Consequence]:
    """Return the kit that came with the profile and can be taken off the fighter."""
    view = context.views.get(key)
    rows = {piece.key for piece in context.force.fighter(key).kit}
    pieces = [piece.item for piece in (view.kit if view else ()) if piece.key not in rows]
    items = context.content.items
    return [GainsItem(item, "found", why) for item in pieces if item in items and not items[item].built_in]
