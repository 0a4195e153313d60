"""Captives: who holds them, their ransom, and the fate of those who are not ransomed.

Source: Campaign rules 1.6.3, "Injuries and Battle Scars"; 1.0, "Trauma Step".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rules.choices import links_item
from rules.consequences import Consequence, Home, Leaves, LosesItems, Pays, Taken
from rules.content.campaign_entries import Trauma
from rules.force import ForceFighter
from rules.formatting import joined
from rules.parts.post_battle import BattleSide
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.trench_crusade.steps.context import StepContext, settled
from rules.trench_crusade.steps.death import death
from rules.vocabulary import LinkEffect, LosesKitEffect

UNKNOWN = "unknown"
RANSOM = "ransom"


def capture(context: StepContext, fighter: ForceFighter, trauma: Trauma, resolution: Resolution) -> Outcome:
    """Resolve the capture of a fighter by whoever took it out.

    The edition decides whether the captive's fate is settled at once.
    """
    captor = _asked_captor(context, fighter, resolution)
    if context.rules.captives == "settled":
        return _settled_at_once(context, fighter, captor, resolution)
    does, kit_words = lost_kit(context, fighter, trauma.name)
    holder = captor.name if captor else _("an unknown captor")
    taken = Taken(fighter.key, captor.side if captor else "", trauma.name)
    lines = (_("Held by {holder} until a ransom is agreed and paid.").format(holder=holder), kit_words, _("No scar."))
    return Outcome(
        _("{name} is captured by {holder}.").format(name=fighter.name, holder=holder), lines, (taken, *does), grave=True
    )


def _settled_at_once(
    context: StepContext, fighter: ForceFighter, captor: BattleSide | None, resolution: Resolution
) -> Outcome:
    """Resolve a captive at once: it is ransomed for an agreed sum (a full recovery, with its kit) or executed.

    If the captor plays in this app, it bargains for itself: the fighter is held until both agree. For a guest or an
    unknown captor the losing player enters what was agreed.
    """
    if captor is not None and not captor.guest:
        lines = (
            _("The next roll waits until {name} and you agree on a ransom, or there is none.").format(name=captor.name),
            _("Ransomed it is fully recovered: no scar, and the kit stays."),
        )
        taken = Taken(fighter.key, captor.side, _("Captured"))
        return Outcome(
            _("{name} is captured by {captor_name}.").format(name=fighter.name, captor_name=captor.name),
            lines,
            (taken,),
            grave=True,
        )
    holder, ducats_held = captor.name if captor else _("an unknown captor"), context.strongbox.ducats
    closed = "" if ducats_held else _("you have no ducats.")
    options = (
        Option("paid", _("The ransom is paid"), _("A full recovery; the kit stays."), closed=closed),
        Option(
            "unpaid", _("No ransom"), _("{holder} executes the captive.").format(holder=holder), losses=(fighter.name,)
        ),
    )
    fate = resolution.choose(
        RANSOM,
        _("{holder} holds {name}. Has a ransom been agreed and paid?").format(holder=holder, name=fighter.name),
        options,
    )
    if fate == "unpaid":
        return death(context, fighter, resolution, _("{holder} executes the captive.").format(holder=holder))
    ducats = resolution.number(
        "ducats", _("Ducats of the ransom, as agreed with {holder}").format(holder=holder), 1, ducats_held
    )
    pays = Pays(
        captor.side if captor else "", Price(ducats=ducats), _("Ransom for {fighter}").format(fighter=fighter.name)
    )
    lines = (
        _("{ducats} ducats go to {holder}.").format(ducats=ducats, holder=holder),
        _("A full recovery: no scar, and the kit stays."),
    )
    return Outcome(
        _("{name} is ransomed from {holder} for {ducats} ducats.").format(
            name=fighter.name, holder=holder, ducats=ducats
        ),
        lines,
        (pays,),
    )


def _captor(context: StepContext, fighter: ForceFighter) -> BattleSide | None:
    """Return the side that holds the fighter: the one that the report names, else the only other side."""
    others = context.aftermath.others
    return context.side(context.aftermath.mine.out_by.get(fighter.key, "")) or (others[0] if len(others) == 1 else None)


def _asked_captor(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> BattleSide | None:
    captor, others = _captor(context, fighter), context.aftermath.others
    if captor is not None or not others:
        return captor
    options = (*(Option(side.side, side.name) for side in others), Option(UNKNOWN, _("Unknown")))
    return context.side(resolution.choose("captor", _("Who holds {name}?").format(name=fighter.name), options))


def lost_kit(
    context: StepContext, fighter: ForceFighter, why: str, effect: LosesKitEffect | None = None
) -> tuple[tuple[Consequence, ...], str]:
    """Return the loss of what a fighter carries (all of it, or what the effect names), as consequences and as text.

    Kit that is fixed to its profile has no row and stays.
    """
    items, known = fighter.kit, context.content.items
    if effect is not None and effect.items:
        test = LinkEffect(of="item", items=effect.items)
        items = tuple(i for i in items if i.item in known and links_item(context.content, test, i.item))
    if not items:
        return (), _("{name} carries nothing to lose.").format(name=fighter.name)
    names = joined(context.content.name("item", i.item) for i in items)
    return (LosesItems(tuple(i.key for i in items), why),), _("Lost with it: {names}.").format(names=names)


# --- a ransom that is bargained for


def ransom_tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one task for each captive of this battle with an open ransom. It disappears when the captive comes home."""
    found = []
    for key in context.in_order(k.partition("-")[2] for k in context.record.written if k.startswith("trauma-")):
        fighter = context.fighter(key)
        task = Task(
            key=f"{RANSOM}-{key}",
            title=_("{name}, captive").format(name=context.name(key)),
            resolve=partial(resolve_unransomed, context, key),
            subject=key,
            group=_("Ransom"),
            words=_("Bargain with the captor, or say that there is none."),
        )
        if task.key in context.record.written:
            found.append(settled(context, task, _("No ransom for {name}.").format(name=context.name(key))))
        elif fighter is not None and fighter.status == "captive":
            found.append(task)
    return tuple(found)


def resolve_unransomed(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """Resolve a captive without an agreed ransom.

    It is executed with what it carries, unless something brings it back.
    """
    fighter = context.force.fighter(key)
    chosen = context.record.choices.get(f"trauma-{key}", {}).get("captor", "")
    captor = _captor(context, fighter) or context.side(str(chosen))
    holder = captor.name if captor else _("The captor")
    option = Option(
        "unpaid", _("No ransom"), _("{holder} executes the captive.").format(holder=holder), losses=(fighter.name,)
    )
    resolution.choose(
        RANSOM,
        _("{holder} holds {name}. Once ransomed or released, it returns automatically.").format(
            holder=holder, name=fighter.name
        ),
        (option,),
    )
    outcome = death(context, fighter, resolution, _("{holder} executes the captive.").format(holder=holder))
    if any(isinstance(consequence, Leaves) for consequence in outcome.consequences):
        return outcome
    return replace(outcome, consequences=(Home(key, outcome.sentence), *outcome.consequences))
