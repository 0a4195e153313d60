"""The effects of one result of the trauma chart on the fighter that suffers it.

Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.consequences import Consequence, Money, SetFighter
from rules.content.campaign_entries import Trauma
from rules.content.compiled import Content
from rules.dice import d3
from rules.force import ForceFighter
from rules.formatting import amount
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.steps.captivity import UNKNOWN, capture, lost_kit
from rules.trench_crusade.steps.context import StepContext
from rules.trench_crusade.steps.death import death
from rules.trench_crusade.steps.departures import retire, unfit_or_dead
from rules.vocabulary import (
    AsksEffect,
    CancelsScarEffect,
    CapturedEffect,
    DemotedEffect,
    DiesEffect,
    LosesKitEffect,
    MissesBattleEffect,
    NoExperienceEffect,
    NoScarForEffect,
    OnGainEffect,
    RetiresEffect,
)

HOSPITAL = "hospital"
AT_ONCE = (OnGainEffect, LosesKitEffect, CapturedEffect, DiesEffect, MissesBattleEffect, NoScarForEffect, RetiresEffect)


def is_immune(context: StepContext, fighter: ForceFighter, trauma: Trauma) -> bool:
    profile = context.profile_of(fighter.key)
    return any(isinstance(e, NoScarForEffect) and profile in e.profiles for e in trauma.effects)


def leaves_scar(trauma: Trauma) -> bool:
    """Return whether a trauma counts as a scar by itself. A capture does not."""
    return trauma.scar and not has_effect(trauma, CapturedEffect)


def suffer(context: StepContext, fighter: ForceFighter, trauma: Trauma, resolution: Resolution) -> Outcome:
    """Resolve a trauma: nothing, death, one scar too many, retirement, capture or a wound."""
    if is_immune(context, fighter, trauma):
        return Outcome(
            _("{name} leaves no mark on {fighter_name}.").format(name=trauma.name, fighter_name=fighter.name),
            (_("No scar, no effect."),),
        )
    if has_effect(trauma, DiesEffect):
        return death(
            context,
            fighter,
            resolution,
            _("{name} ends the story of {fighter_name}.").format(name=trauma.name, fighter_name=fighter.name),
        )
    scars = context.scars(fighter.key)
    if leaves_scar(trauma):
        new_scars = _scars_after_treatment(context, fighter, resolution)
        if not new_scars:
            return Outcome(
                _("{name}: {trauma_name} is repaired in time.").format(name=fighter.name, trauma_name=trauma.name),
                (_("No scar, no effect."),),
            )
        scars += new_scars
        if scars > context.scar_limit(fighter.key):
            return unfit_or_dead(
                context,
                fighter,
                _("{ordinal} scar: {trauma}.").format(ordinal=_ordinal(scars), trauma=trauma.name),
                resolution,
            )
    times = 1 + sum(suffered.trauma == trauma.id for suffered in fighter.traumas)
    for effect in trauma.effects:
        if isinstance(effect, RetiresEffect) and times >= effect.times:
            return retire(context, fighter, trauma, kit_lost=effect.kit_lost)
    if has_effect(trauma, CapturedEffect):
        return capture(context, fighter, trauma, resolution)
    return _wound(context, fighter, trauma, resolution, scars)


def _ordinal(count: int) -> str:
    return {1: _("First"), 2: _("Second"), 3: _("Third"), 4: _("Fourth"), 5: _("Fifth")}.get(
        count, _("Scar number {count}, one").format(count=count)
    )


# --- a field hospital


def _scars_after_treatment(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> int:
    """Return how many scars a new one becomes: 1, or 0 or 2 if a field hospital is used.

    It can be used once after each battle.
    """
    found = _free_hospital(context)
    if found is None:
        return 1
    name, from_total = found
    options = (
        Option("leave", _("Leave it"), _("{name} stays free for another.").format(name=name)),
        Option(
            "use",
            _("Use {name}").format(name=name),
            _("2D6: from {from_total} no scar, double 1 one more.").format(from_total=from_total),
        ),
    )
    if (
        resolution.choose(
            HOSPITAL, _("{name} may save {fighter} from this scar.").format(name=name, fighter=fighter.name), options
        )
        != "use"
    ):
        return 1
    draw = resolution.roll(2, 6, _("{name} for {fighter}").format(name=name, fighter=fighter.name))
    if draw.total >= from_total:
        resolution.tell(_("{total}: the scar is avoided.").format(total=draw.total), draw)
        return 0
    if draw.faces == (1, 1):
        resolution.tell(_("Double 1: one scar more."), draw)
        return 2
    resolution.tell(_("{total}: it does not help.").format(total=draw.total), draw)
    return 1


def _free_hospital(context: StepContext) -> tuple[str, int] | None:
    """Return the name of an unused field hospital and the total from which it helps, or None if there is none."""
    found = context.effects(CancelsScarEffect)
    if not found or found[0][1].at_end:
        return None
    source, effect = found[0]
    written = [task for task in context.record.written if task.startswith("trauma-")]
    if any(context.record.choices.get(task, {}).get(HOSPITAL) == "use" for task in written):
        return None
    here = {profile for f in context.force.fighters if f.active for profile in context.profiles_of(f.key)}
    if effect.needs_profiles and not here.intersection(effect.needs_profiles):
        return None
    return source.name, effect.from_total


# --- a wound


@dataclass(slots=True)
class _Wound:
    """The combined effects of a trauma, collected one by one."""

    lines: list[str]
    does: list[Consequence] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    grave: bool = False


def _wound(context: StepContext, fighter: ForceFighter, trauma: Trauma, resolution: Resolution, scars: int) -> Outcome:
    """Resolve a trauma that the fighter survives. `scars` is how many it has from now on."""
    key, scar = fighter.key, leaves_scar(trauma)
    wound = _Wound([trauma.words])
    for effect in trauma.effects:
        _apply(context, fighter, trauma, effect, resolution, wound)
    if scar or any(not isinstance(effect, AT_ONCE) for effect in trauma.effects):
        stored = {"id": trauma.id, "scar": scar, "details": wound.details, "battle": context.aftermath.number}
        wound.does.insert(0, SetFighter(key, ("traumas", f"{context.prefix}-trauma-{key}"), stored, trauma.name))
    if scar and (fighter.scars is not None or scars > context.scars(key) + 1):
        wound.does.append(SetFighter(key, ("scars",), scars, trauma.name))  # scars known only by their number
    wound.lines.append(
        _("One scar, {scars} of {scar_limit}.").format(scars=scars, scar_limit=context.scar_limit(key))
        if scar
        else _("No scar.")
    )
    return Outcome(f"{fighter.name}: {trauma.name}.", tuple(wound.lines), tuple(wound.does), grave=wound.grave)


def _apply(
    context: StepContext, fighter: ForceFighter, trauma: Trauma, effect: Any, resolution: Resolution, wound: _Wound
) -> None:
    key, why = fighter.key, trauma.name
    match effect:
        case AsksEffect():
            wound.details.update(_detail(context, key, effect, resolution))
        case MissesBattleEffect():
            wound.does.append(SetFighter(key, ("misses_battle",), context.next_number, why))
            wound.lines.append(
                _("{name} sits out battle {next_number}.").format(name=fighter.name, next_number=context.next_number)
            )
        case DemotedEffect():
            wound.does.append(SetFighter(key, ("demoted",), True, why))
            wound.lines.append(
                _("No experience, from this battle on, until promoted again; a promotion die is open at once.")
            )
        case LosesKitEffect():
            lost, words = lost_kit(context, fighter, why, effect)
            wound.does.extend(lost)
            wound.lines.append(words)
            wound.grave = wound.grave or bool(lost)
        case NoExperienceEffect():
            wound.lines.append(_("Still ELITE, but no experience from this battle on, until a promotion die shows 6."))
        case OnGainEffect():
            _gain(context, fighter, trauma, effect, resolution, wound)


def _gain(
    context: StepContext,
    fighter: ForceFighter,
    trauma: Trauma,
    effect: OnGainEffect,
    resolution: Resolution,
    wound: _Wound,
) -> None:
    gain = effect.experience
    if effect.experience_d3:
        value, draw = d3(resolution.dice, _("{trauma}: D3 experience").format(trauma=trauma.name))
        resolution.tell(_("{faces} on the die is {value} experience.").format(faces=draw.faces[0], value=value), draw)
        gain += value
    if gain:
        cap = context.experience_cap(fighter.key)
        now = max(fighter.experience, min(cap, fighter.experience + gain))
        wound.does.append(SetFighter(fighter.key, ("experience",), now, trauma.name))
        end = _(", the most it can have.") if now == cap else "."
        wound.lines.append(
            _("Experience {experience} to {now}{end}").format(experience=fighter.experience, now=now, end=end)
        )
    money = Price(effect.ducats, effect.glory)
    if money:
        wound.does.append(Money(money, _("{trauma} of {fighter}").format(trauma=trauma.name, fighter=fighter.name)))
        wound.lines.append(_("{amount} join the strongbox.").format(amount=amount(money)))


def _detail(context: StepContext, key: str, effect: AsksEffect, resolution: Resolution) -> dict[str, Any]:
    """Return the detail that a trauma asks for: one of its options, chosen or rolled, or the foe to blame."""
    if effect.of != "options":
        return _foe(context, key, effect, resolution)
    if effect.rolled:
        draw = resolution.roll(1, 6, effect.words)
        fallen = effect.options[(draw.total - 1) * len(effect.options) // 6]
        resolution.tell(f"{draw.total}: {fallen}.", draw)
        return {effect.key: fallen}
    options = tuple(Option(value, value[:1].upper() + value[1:]) for value in effect.options)
    return {effect.key: resolution.choose(f"detail-{effect.key}", effect.words, options)}


def _known_factions(content: Content) -> list[str]:
    """Return the keywords of all factions: those with a list here first, then those that the books only name."""
    listed = [army.keyword for army in content.pack.lists if not army.faction]
    return [*listed, *(army.keyword for army in content.pack.other_lists if not army.faction)]


def _foe(context: StepContext, key: str, effect: AsksEffect, resolution: Resolution) -> dict[str, Any]:
    """Return the foe to blame: a warband by its name or a faction by its keyword.

    The one named in the report is offered first.
    """
    reported = context.aftermath.mine.out_by.get(key)
    by = context.side(reported or "")
    sides = sorted(context.aftermath.others, key=lambda side: side is not by)
    options: dict[str, Option] = {}
    for side in sides:
        why = _("took it out, says the report") if side is by else _("in this battle")
        value = side.name if effect.of == "warband" else side.faction_keyword
        options.setdefault(value, Option(value, value, f"{side.name}: {why}"))
    if effect.of == "factions":
        for value in (*effect.options, *_known_factions(context.content)):
            options.setdefault(value, Option(value, value))
    nobody = Option(UNKNOWN, _("No enemy"), _("A fall, your own side, or unknown: it then has no effect at the table."))
    shown = (nobody, *options.values()) if reported == "" else (*options.values(), nobody)
    picked = resolution.choose(f"detail-{effect.key}", effect.words, shown)
    foe = "" if picked == UNKNOWN else picked
    if effect.of == "warband":
        return {effect.key: foe, "scenario": context.aftermath.scenario}
    named = next((side.name for side in sides if side.faction_keyword == foe), "")
    return {effect.key: foe, "by": named, "scenario": context.aftermath.scenario}
