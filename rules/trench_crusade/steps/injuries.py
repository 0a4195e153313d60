"""Injuries: the D66 trauma of every ELITE fighter taken Out of Action, and the D6 of everybody else.

Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from rules.choices import links_item
from rules.consequences import Becomes, Consequence, GainsItem, Home, Leaves, LosesItems, Money, Pays, SetFighter, Taken
from rules.content.schema import Trauma, UpgradeOffer
from rules.dice import d3, d66
from rules.force import ForceFighter, ForceItem
from rules.formatting import amount, first, joined
from rules.parts.post_battle import BattleSide
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.trench_crusade.steps.context import StepContext, around, settled
from rules.trench_crusade.steps.fallen import noted
from rules.vocabulary import (
    AsksEffect,
    BecomesEffect,
    CancelsDeathEffect,
    CancelsScarEffect,
    CancelsTraumaEffect,
    CannotMoveEffect,
    CapturedEffect,
    ComesBackEffect,
    DemotedEffect,
    DiesEffect,
    Effect,
    FreedEffect,
    LinkEffect,
    LosesKitEffect,
    MissesBattleEffect,
    NoExperienceEffect,
    NoScarForEffect,
    OnGainEffect,
    RerollInjuryEffect,
    RetiresEffect,
    SacrificeEffect,
    SparedEffect,
)

UNKNOWN = "unknown"
FREED, HOSPITAL, ENGINE, RANSOM, GIVEN = "freed", "hospital", "engine", "ransom", "given-up"
RAISED_BY = "raised_by"  # the upgrade entry by which a dead fighter may be raised in camp, among its choices
CHART = "Trauma of "
INJURY_KEYS = ("trauma-", "casualty-")
AT_ONCE = (OnGainEffect, LosesKitEffect, CapturedEffect, DiesEffect, MissesBattleEffect, NoScarForEffect, RetiresEffect)


def tasks(context: StepContext) -> tuple[Task, ...]:
    """One task for each fighter taken Out of Action, in roster order: ELITE fighters first or, where the edition has it so, the others.

    Where captives are settled at once, a capture that has fallen, and then its ransom, come before anything else is rolled.
    """
    settled_before = [key.partition("-")[2] for key in sorted(context.record.written) if key.startswith(INJURY_KEYS)]
    out = context.in_order(
        (*context.aftermath.mine.out, *settled_before)
    )  # an amended report may know better who was out
    elites = [key for key in out if f"trauma-{key}" in context.record.written or context.was_elite(key)]
    charted = [_trauma_task(context, key) for key in elites if f"casualty-{key}" not in context.record.written]
    diced = [
        _casualty_task(context, key) for key in out if key not in elites or f"casualty-{key}" in context.record.written
    ]
    if context.rules.troops_first:
        first = tuple(task.key for task in diced if task is not None and task.key not in context.record.written)
        charted = [task and replace(task, needs=(*task.needs, *first)) for task in charted]
    order = (*diced, *charted) if context.rules.troops_first else (*charted, *diced)
    found = [task for task in (*order, _given_up_task(context), _freed_task(context)) if task is not None]
    if context.rules.captives != "settled":
        return tuple(found)
    held = _ransom_tasks(context)
    open_ones = [task.key for task in held if task.key not in context.record.written]
    before = [key for key in (*open_ones, _bargain(context)) if key]
    return (*(replace(task, needs=(*task.needs, *(key for key in before if key != task.key))) for task in found), *held)


def _bargain(context: StepContext) -> str:
    """The key of an unwritten task whose last roll on the chart was a capture, "" where there is none."""
    for key, draws in context.record.draws.items():
        if not key.startswith("trauma-") or key in context.record.written:
            continue
        charted = [draw for draw in draws if len(draw.faces) == 2 and draw.why.startswith(CHART)]
        if charted:
            tens, units = charted[-1].faces
            if any(isinstance(e, CapturedEffect) for e in context.book.trauma_at(tens * 10 + units).effects):
                return key
    return ""


def _ransom_tasks(context: StepContext) -> tuple[Task, ...]:
    """One task for each captive of this battle whose ransom the two owners bargain over; it goes when the captive comes home."""
    found = []
    for key in context.in_order(k.partition("-")[2] for k in context.record.written if k.startswith("trauma-")):
        fighter = context.fighter(key)
        task = Task(
            key=f"{RANSOM}-{key}",
            title=f"{context.name(key)}, captive",
            resolve=partial(resolve_unransomed, context, key),
            subject=key,
            group="Ransom",
            words="Bargain with the captor, or say that there is none.",
        )
        if task.key in context.record.written:
            found.append(settled(context, task, f"No ransom for {context.name(key)}."))
        elif fighter is not None and fighter.status == "captive":
            found.append(task)
    return tuple(found)


def resolve_unransomed(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """The end of a captive for whom no ransom is agreed: executed, and with it what it carries, unless something calls it back.

    Source: Campaign rules 1.0, "Trauma Step".
    """
    fighter = context.force.fighter(key)
    held_by = _captor_told(context, fighter)
    holder = held_by.name if held_by else "The captor"
    option = Option("unpaid", "No ransom", f"{holder} executes the captive.", losses=(fighter.name,))
    resolution.choose(
        RANSOM, f"{holder} holds {fighter.name}. Once paid for or let go, it comes home by itself.", (option,)
    )
    outcome = death(context, fighter, resolution, f"{holder} executes the captive.")
    if any(isinstance(consequence, Leaves) for consequence in outcome.consequences):
        return outcome
    return replace(outcome, consequences=(Home(key, outcome.sentence), *outcome.consequences))


def _captor_told(context: StepContext, fighter: ForceFighter) -> BattleSide | None:
    """Who holds the fighter by the report, or by what its player chose."""
    captor = context.side(context.aftermath.mine.out_by.get(fighter.key, ""))
    if captor is None and len(context.aftermath.others) == 1:
        captor = context.aftermath.others[0]
    return captor or context.side(str(context.record.choices.get(f"trauma-{fighter.key}", {}).get("captor", "")))


def _freed_task(context: StepContext) -> Task | None:
    """Whom a rule sets free: one task for all of them, which must be settled once one of them did a deed."""
    bound = [s.fighter for s in context.sources if isinstance(s.effect, FreedEffect)]
    mine = context.aftermath.mine
    able = [k for k in context.in_order(bound) if k in mine.took_part and k not in mine.out]
    task = Task(
        FREED,
        "Set free",
        partial(resolve_freed, context, tuple(able)),
        words="Who did a deed or took an enemy ELITE fighter out goes for good.",
        optional=not context.deed_doers.intersection(able),
    )
    if FREED in context.record.written:
        return settled(context, task, "Who earned freedom has it.")
    return task if able else None


def resolve_freed(context: StepContext, able: tuple[str, ...], resolution: Resolution) -> Outcome:
    """Let those go who earned their freedom in the battle; what they carry goes with them.

    Source: Heretic Legion list 1.6.3, "Law of Hell".
    """
    options = tuple(
        Option(key, context.name(key), "did a deed" if key in context.deed_doers else "no deed reported")
        for key in able
    )
    picked = resolution.choose_some("freed", "Who earned freedom?", options, most=len(options))
    if not picked:
        return Outcome("Nobody is set free.")
    does = tuple(Leaves(key, "left", f"Set free after battle {context.aftermath.number}") for key in picked)
    names = joined(context.name(key) for key in picked)
    return Outcome(f"{names} {'goes' if len(picked) == 1 else 'go'} free.", ("The kit goes along.",), does, grave=True)


def _given_up_task(context: StepContext) -> Task | None:
    """Who was used up in the battle by the rule of another: one optional task for all bearers of such a rule."""
    bearers = [s for s in context.sources if isinstance(s.effect, SacrificeEffect) and s.fighter]
    if not bearers:
        return None
    able = [
        f.key
        for f in context.force.fighters
        if f.active and any(s.fighter != f.key and _may_be_given_up(context, f, s.effect) for s in bearers)
    ]
    name, most = bearers[0].name, len({s.fighter for s in bearers})
    rules = [s.effect for s in bearers if isinstance(s.effect, SacrificeEffect)]
    if any(rule.any_number for rule in rules):
        most = len(able)
    stays = not all(rule.kit_lost for rule in rules)
    task = Task(
        GIVEN,
        name,
        partial(resolve_given_up, context, name, tuple(able), most, kit_stays=stays),
        words=f"Whoever it was leaves the roster for good; the kit {'stays' if stays else 'goes along'}.",
        optional=True,
    )
    if GIVEN in context.record.written:
        return settled(context, task, "Written down.")
    return task if able else None


def _may_be_given_up(context: StepContext, fighter: ForceFighter, effect: Effect) -> bool:
    assert isinstance(effect, SacrificeEffect)
    profiles = {context.profile_of(fighter.key), *_counts_as(context, fighter.key)}
    return bool(profiles & set(effect.profiles)) and not any(u.upgrade in effect.not_upgrades for u in fighter.upgrades)


def resolve_given_up(
    context: StepContext, name: str, able: tuple[str, ...], most: int, resolution: Resolution, *, kit_stays: bool = True
) -> Outcome:
    """Let those go whom the battle used up; what they carried goes to the stash, also what came with them, or is lost with them.

    Source: Trench Pilgrims list 1.6.3 and 1.0, "Broken on the Wheel"; Goetic Powers List 1.0, "Slavemaster".
    """
    options = tuple(Option(key, context.name(key)) for key in able)
    picked = resolution.choose_some("given-up", f"{name}: who?", options, most=min(most, len(options)))
    if not picked:
        return Outcome("Nobody.")
    does: list[Consequence] = []
    for key in picked:
        view = context.views.get(key)
        rows = {piece.key for piece in context.force.fighter(key).kit}
        for piece in view.kit if view and kit_stays else ():
            item = context.book.items.get(piece.item)
            if item is not None and piece.key not in rows and not item.built_in:
                does.append(GainsItem(piece.item, "found", name))
        does.append(Leaves(key, "dead", f"{name}, battle {context.aftermath.number}", kit_to_stash=kit_stays))
    names = joined(context.name(key) for key in picked)
    leave = "leaves" if len(picked) == 1 else "leave"
    kit = "The kit stays." if kit_stays else "The kit goes along."
    return Outcome(f"{name}: {names}.", (f"{names} {leave} the roster for good.", kit), tuple(does), grave=True)


def _trauma_task(context: StepContext, key: str) -> Task | None:
    task = Task(
        key=f"trauma-{key}",
        title=context.name(key),
        resolve=partial(resolve_trauma, context, key),
        subject=key,
        group="ELITE, D66",
        words=f"Scars {context.scars(key)} of {context.scar_limit(key)}.",
    )
    if task.key in context.record.written:
        return settled(context, task, _trauma_recalled(context, key))
    fighter = context.fighter(key)
    return task if fighter and fighter.active else None


def _casualty_task(context: StepContext, key: str) -> Task | None:
    faces = context.book.campaign.troop_dies_on
    task = Task(
        key=f"casualty-{key}",
        title=context.name(key),
        resolve=partial(resolve_casualty, context, key),
        subject=key,
        group="Troops, D6",
        words=f"Dies on {_faces(faces)}.",
    )
    fighter = context.fighter(key)
    if task.key in context.record.written:
        lives = fighter is not None and fighter.status == "active"
        fate = "lies lifeless" if fighter and fighter.lifeless else "survives" if lives else "died of the wounds"
        return settled(context, task, f"{context.name(key)} {fate}.")
    return task if fighter and fighter.active else None


def _trauma_recalled(context: StepContext, key: str) -> str:
    fighter = context.fighter(key)
    suffered = next((t for t in (fighter.traumas if fighter else ()) if context.wrote(t)), None)
    if suffered and suffered.trauma in context.book.traumas:
        return f"{context.name(key)}: {context.book.traumas[suffered.trauma].name}."
    if fighter is not None and fighter.status != "active":
        words = {"dead": "died of the wounds", "captive": "was captured", "retired": "left the roster"}
        return f"{fighter.name} {words.get(fighter.status, 'has left the roster')}."
    return f"{context.name(key)}: written down."


def _faces(faces: tuple[int, ...]) -> str:
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"


# --- the trauma chart


def resolve_trauma(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """Roll on the trauma chart for an ELITE fighter and say what becomes of it.

    A scar that it bears already and cannot bear twice is rolled again. One optional re-roll, where a skill grants it, comes before
    anything is written; its result stands. Two skills that grant one do not add up.

    Source: Campaign rules 1.6.3, "Injuries and Battle Scars"; developer answer Q14.8 ('Tis but a Scratch).
    """
    name = context.name(key)
    trauma = _viable(context, key, resolution, f"{CHART}{name}")
    granted = [s.name for s in context.sources if s.fighter == key and isinstance(s.effect, RerollInjuryEffect)]
    if granted:
        keep = Option("keep", f"Keep {trauma.name}", trauma.summary)
        again = Option("again", "Roll again", "The second result stands.")
        if resolution.choose("re-roll", f"{joined(granted)} lets {name} roll again, once.", (keep, again)) == "again":
            trauma = _viable(context, key, resolution, f"{CHART}{name}, rolled again")
    undone = _undone(context, key, trauma, resolution)
    if undone is not None:
        return undone
    return _suffer(context, key, trauma, resolution)


def _undone(context: StepContext, key: str, trauma: Trauma, resolution: Resolution) -> Outcome | None:
    """The result turned into a full recovery by a piece that is used up for it, where the player takes it; None otherwise."""
    piece = _piece_with(context, CancelsTraumaEffect)
    if piece is None or not (trauma.scar or trauma.effects):
        return None
    thing, name = context.book.items[piece.item].name, context.name(key)
    options = (
        Option("rest", f"Keep {trauma.name}", trauma.summary),
        Option("use", f"Use the {thing}", "A full recovery.", losses=(thing,)),
    )
    if resolution.choose(ENGINE, f"{trauma.name}: use the {thing} for {name}?", options) != "use":
        return None
    lost = LosesItems((piece.key,), f"Used for {name}")
    return Outcome(f"{thing}: {name} recovers fully.", (f"{trauma.name} is undone.",), (lost,))


def _piece_with(context: StepContext, kind: type[Effect]) -> ForceItem | None:
    """A piece of the stash or of an active fighter with such an effect."""
    items = context.book.items
    owned = [*context.force.stash, *(i for f in context.force.fighters if f.active for i in f.kit)]
    return next((i for i in owned if i.item in items and any(isinstance(e, kind) for e in items[i.item].effects)), None)


def _viable(context: StepContext, key: str, resolution: Resolution, why: str) -> Trauma:
    chart = context.book.pack.traumas
    rows = tuple(TableRow(_band(t), t.name) for t in chart)
    while True:
        number, draw = d66(resolution.dice, why)
        trauma = context.book.trauma_at(number)
        shown = around(rows, chart.index(trauma))
        if not _is_impossible(context, key, trauma):
            resolution.tell(f"{number}: {trauma.name}.", draw, shown)
            return trauma
        resolution.tell(
            f"{number}: {trauma.name}, which {context.name(key)} bears already. That is rolled again.", draw, shown
        )
        why = f"{CHART}{context.name(key)}, instead of a second {trauma.name}"


def _band(trauma: Trauma) -> str:
    return str(trauma.first) if trauma.first == trauma.last else f"{trauma.first}-{trauma.last}"


def _is_immune(context: StepContext, key: str, trauma: Trauma) -> bool:
    profile = context.profile_of(key)
    return any(isinstance(e, NoScarForEffect) and profile in e.profiles for e in trauma.effects)


def _leaves_scar(trauma: Trauma) -> bool:
    return trauma.scar and not any(isinstance(e, CapturedEffect) for e in trauma.effects)


def _is_impossible(context: StepContext, key: str, trauma: Trauma) -> bool:
    if trauma.repeatable or not _leaves_scar(trauma) or _is_immune(context, key, trauma):
        return False
    fighter = context.fighter(key)
    return any(t.trauma == trauma.id for t in (fighter.traumas if fighter else ()))


def _suffer(context: StepContext, key: str, trauma: Trauma, resolution: Resolution) -> Outcome:
    fighter = context.fighter(key)
    assert fighter is not None
    name = fighter.name
    if _is_immune(context, key, trauma):
        return Outcome(f"{trauma.name} leaves no mark on {name}.", ("No scar, no effect.",))
    if any(isinstance(e, DiesEffect) for e in trauma.effects):
        return death(context, fighter, resolution, f"{trauma.name} ends the story of {name}.")
    scar = _leaves_scar(trauma)
    borne, limit = context.scars(key) + (1 if scar else 0), context.scar_limit(key)
    if scar:
        spared = _hospital(context, fighter, resolution)
        if spared is True:
            return Outcome(f"{name}: {trauma.name} is mended in time.", ("No scar, no effect.",))
        borne += 1 if spared is False else 0
    if scar and borne > limit:
        return unfit_or_dead(context, fighter, f"{_ordinal(borne)} scar: {trauma.name}.", resolution)
    suffered_before = sum(1 for t in fighter.traumas if t.trauma == trauma.id)
    for effect in trauma.effects:
        if isinstance(effect, RetiresEffect) and suffered_before + 1 >= effect.times:
            return _retirement(context, fighter, trauma, kit_lost=effect.kit_lost)
    if any(isinstance(e, CapturedEffect) for e in trauma.effects):
        if context.rules.captives == "settled":
            return _ransom(context, fighter, resolution)
        return _capture(context, fighter, trauma, resolution)
    return _wound(context, fighter, trauma, resolution, scar=scar, borne=borne, limit=limit)


def _hospital(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> bool | None:
    """Whether a field hospital spares the fighter this scar: True it does, False it adds another, None it is not used or does nothing.

    Once for the whole warband after each battle.
    """
    source = next((s for s in context.sources if isinstance(s.effect, CancelsScarEffect)), None)
    if source is None or not isinstance(source.effect, CancelsScarEffect) or source.effect.at_end:
        return None
    effect, written = source.effect, context.record.written
    used = any(
        context.record.choices.get(task, {}).get(HOSPITAL) == "use" for task in written if task.startswith("trauma-")
    )
    here = {
        p for f in context.force.fighters if f.active for p in (context.profile_of(f.key), *_counts_as(context, f.key))
    }
    if used or (effect.needs_profiles and not here & set(effect.needs_profiles)):
        return None
    options = (
        Option("leave", "Leave it", f"{source.name} stays free for another."),
        Option("use", f"Use {source.name}", f"2D6: from {effect.from_total} no scar, double 1 one more."),
    )
    if resolution.choose(HOSPITAL, f"{source.name} may save {fighter.name} from this scar.", options) != "use":
        return None
    draw = resolution.roll(2, 6, f"{source.name} for {fighter.name}")
    if draw.total >= effect.from_total:
        resolution.tell(f"{draw.total}: the scar is avoided.", draw)
        return True
    if draw.faces == (1, 1):
        resolution.tell("Double 1: one scar more.", draw)
        return False
    resolution.tell(f"{draw.total}: it does not help.", draw)
    return None


def _counts_as(context: StepContext, key: str) -> tuple[str, ...]:
    view = context.views.get(key)
    return tuple(view.counts_as) if view else ()


def _wound(
    context: StepContext,
    fighter: ForceFighter,
    trauma: Trauma,
    resolution: Resolution,
    *,
    scar: bool,
    borne: int,
    limit: int,
) -> Outcome:
    key, name = fighter.key, fighter.name
    details: dict[str, Any] = {}
    lines = [trauma.summary]
    does: list[Consequence] = []
    grave = False
    for effect in trauma.effects:
        if isinstance(effect, AsksEffect):
            details.update(_asked(context, key, trauma, effect, resolution))
        elif isinstance(effect, MissesBattleEffect):
            does.append(SetFighter(key, ("misses_battle",), context.next_number, trauma.name))
            lines.append(f"{name} sits out battle {context.next_number}.")
        elif isinstance(effect, DemotedEffect):
            does.append(SetFighter(key, ("demoted",), True, trauma.name))
            lines.append("No experience, from this battle on, until promoted again; a promotion die is open at once.")
        elif isinstance(effect, LosesKitEffect):
            lost = lost_kit(context, fighter, trauma.name, effect)
            does.extend(lost[0])
            lines.append(lost[1])
            grave = grave or bool(lost[0])
        elif isinstance(effect, NoExperienceEffect):
            lines.append("Still ELITE, but no experience from this battle on, until a promotion die shows 6.")
        elif isinstance(effect, OnGainEffect):
            does.extend(_gained(context, key, trauma, effect, resolution, lines))
    if scar or any(not isinstance(effect, AT_ONCE) for effect in trauma.effects):
        kept = {"id": trauma.id, "scar": scar, "details": details, "battle": context.aftermath.number}
        does.insert(0, SetFighter(key, ("traumas", f"{context.prefix}-trauma-{key}"), kept, trauma.name))
    if scar and (fighter.scars is not None or borne > context.scars(key) + 1):
        does.append(SetFighter(key, ("scars",), borne, trauma.name))  # scars known by their number alone
    lines.append(f"One scar, {borne} of {limit}." if scar else "No scar.")
    return Outcome(f"{name}: {trauma.name}.", tuple(lines), tuple(does), grave=grave)


def _gained(
    context: StepContext, key: str, trauma: Trauma, effect: OnGainEffect, resolution: Resolution, lines: list[str]
) -> list[Consequence]:
    does: list[Consequence] = []
    fighter = context.fighter(key)
    assert fighter is not None
    gain = effect.experience
    if effect.experience_d3:
        value, draw = d3(resolution.dice, f"{trauma.name}: D3 experience")
        resolution.tell(f"{draw.faces[0]} on the die is {value} experience.", draw)
        gain += value
    if gain:
        cap = context.experience_cap(key)
        now = max(fighter.experience, min(cap, fighter.experience + gain))
        does.append(SetFighter(key, ("experience",), now, trauma.name))
        lines.append(f"Experience {fighter.experience} to {now}" + (", the most it can have." if now == cap else "."))
    if effect.ducats or effect.glory:
        does.append(Money(Price(effect.ducats, effect.glory), f"{trauma.name} of {fighter.name}"))
        lines.append(f"{amount(Price(effect.ducats, effect.glory))} join the strongbox.")
    return does


def _asked(
    context: StepContext, key: str, trauma: Trauma, effect: AsksEffect, resolution: Resolution
) -> dict[str, Any]:
    """The detail a trauma asks for. A foe is asked for by faction keyword; whoever the report names stands first."""
    if effect.of == "options" and effect.rolled:
        draw = resolution.roll(1, 6, effect.words)
        fallen = effect.options[(draw.total - 1) * len(effect.options) // 6]
        resolution.tell(f"{draw.total}: {fallen}.", draw)
        return {effect.key: fallen}
    if effect.of == "options":
        options = tuple(Option(value, value[:1].upper() + value[1:]) for value in effect.options)
        return {effect.key: resolution.choose(f"detail-{effect.key}", effect.words, options)}
    book, by = context.book, context.side(context.aftermath.mine.out_by.get(key, ""))
    sides = sorted(context.aftermath.others, key=lambda side: side is not by)
    found: dict[str, Option] = {}
    for side in sides:
        said = "took it out, says the report" if side is by else "in this battle"
        word = side.name if effect.of == "warband" else side.faction_keyword
        found.setdefault(word, Option(word, word, f"{side.name}: {said}"))
    if effect.of == "factions":
        known = [one.keyword for one in book.pack.lists if not one.faction]
        known += [one.keyword for one in book.pack.other_lists if not one.faction]
        for word in (*effect.options, *known):
            found.setdefault(word, Option(word, word))
    nobody = Option(UNKNOWN, "Nobody to blame", "A fall, the own side, or unknown: then it has no effect at the table.")
    nobody_reported = context.aftermath.mine.out_by.get(key) == ""
    options = (nobody, *found.values()) if nobody_reported else (*found.values(), nobody)
    picked = resolution.choose(f"detail-{effect.key}", effect.words, options)
    foe = "" if picked == UNKNOWN else picked
    if effect.of == "warband":
        return {effect.key: foe, "scenario": context.aftermath.scenario}
    named = next((side.name for side in sides if side.faction_keyword == foe), "")
    return {effect.key: foe, "by": named, "scenario": context.aftermath.scenario}


def lost_kit(
    context: StepContext, fighter: ForceFighter, why: str, effect: LosesKitEffect | None = None
) -> tuple[tuple[Consequence, ...], str]:
    """The loss of what a fighter carries (all of it, or what the effect names), as consequences and in words.

    Kit fixed to its profile is no row and stays.
    """
    items = fighter.kit
    if effect is not None and effect.items:
        test, known = LinkEffect(of="item", items=effect.items), context.book.items
        items = tuple(i for i in items if i.item in known and links_item(context.book.content, test, i.item))
    if not items:
        return (), f"{fighter.name} carries nothing to lose."
    names = joined(context.book.items[i.item].name if i.item in context.book.items else i.item for i in items)
    return (LosesItems(tuple(i.key for i in items), why),), f"Lost with it: {names}."


def _capture(context: StepContext, fighter: ForceFighter, trauma: Trauma, resolution: Resolution) -> Outcome:
    """Held by whoever took the fighter out. The kit is lost either way; the ransom makes it a full recovery without a scar."""
    others = context.aftermath.others
    captor = context.side(context.aftermath.mine.out_by.get(fighter.key, ""))
    if captor is None and len(others) == 1:
        captor = others[0]
    if captor is None and others:
        options = (*(Option(side.side, side.name) for side in others), Option(UNKNOWN, "Unknown"))
        captor = context.side(resolution.choose("captor", f"Who holds {fighter.name}?", options))
    does, kit_words = lost_kit(context, fighter, trauma.name)
    holder = captor.name if captor else "an unknown captor"
    taken = Taken(fighter.key, captor.side if captor else "", trauma.name)
    lines = (f"Held by {holder} until a ransom is agreed and paid.", kit_words, "No scar.")
    return Outcome(f"{fighter.name} is captured by {holder}.", lines, (taken, *does), grave=True)


def _ransom(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> Outcome:
    """The captive's fate, settled at once: ransomed for what both agree on (a full recovery, kit and all), or executed.

    A captor with books of its own bargains for itself: the fighter is held until both agree. For a guest or nobody known the
    loser writes down what was agreed.

    Source: Campaign rules 1.0, "Trauma Step".
    """
    others = context.aftermath.others
    captor = context.side(context.aftermath.mine.out_by.get(fighter.key, ""))
    if captor is None and len(others) == 1:
        captor = others[0]
    if captor is None and others:
        sides = (*(Option(side.side, side.name) for side in others), Option(UNKNOWN, "Unknown"))
        captor = context.side(resolution.choose("captor", f"Who holds {fighter.name}?", sides))
    if captor is not None and not captor.guest:
        lines = (
            f"The next roll waits until {captor.name} and you agree on a ransom, or there is none.",
            "Ransomed it is fully recovered: no scar, and the kit stays.",
        )
        taken = Taken(fighter.key, captor.side, "Captured")
        return Outcome(f"{fighter.name} is captured by {captor.name}.", lines, (taken,), grave=True)
    holder, held = captor.name if captor else "an unknown captor", context.strongbox.ducats
    closed = "" if held else f"the {context.label('strongbox')} holds no ducats."
    options = (
        Option("paid", "The ransom is paid", "A full recovery; the kit stays.", closed=closed),
        Option("unpaid", "No ransom", f"{holder} executes the captive.", losses=(fighter.name,)),
    )
    fate = resolution.choose(RANSOM, f"{holder} holds {fighter.name}. Is a ransom agreed and paid?", options)
    if fate == "unpaid":
        return death(context, fighter, resolution, f"{holder} executes the captive.")
    ducats = resolution.number("ducats", f"Ducats of the ransom, as agreed with {holder}", 1, held)
    pays = Pays(captor.side if captor else "", Price(ducats=ducats), f"Ransom for {fighter.name}")
    lines = (f"{ducats} ducats go to {holder}.", "A full recovery: no scar, and the kit stays.")
    return Outcome(f"{fighter.name} is ransomed from {holder} for {ducats} ducats.", lines, (pays,))


def unfit_or_dead(context: StepContext, fighter: ForceFighter, words: str, resolution: Resolution) -> Outcome:
    """What one scar too many does to a fighter, as the edition has it."""
    if context.rules.last_scar == "leaves":
        return _unfit(context, fighter, words)
    return death(context, fighter, resolution, words)


def _unfit(context: StepContext, fighter: ForceFighter, words: str) -> Outcome:
    """A fighter with one scar too many goes home; what it carried and may be taken off it stays with the warband.

    Source: Campaign rules 1.0, "Unfit for Duty".
    """
    items, label = context.book.items, context.label("retired")
    fixed = [
        piece
        for piece in fighter.kit
        if piece.item in items and any(isinstance(e, CannotMoveEffect) for e in items[piece.item].effects)
    ]
    does: list[Consequence] = []
    lines = [
        f"{amount(context.rating_of(fighter.key))} leave the roster.",
        f"What it carried goes to the {context.label('stash')}.",
    ]
    if fixed:
        does.append(LosesItems(tuple(piece.key for piece in fixed), f"Leaves with {fighter.name}"))
        lines.append(f"Not to be taken off it: {joined(items[piece.item].name for piece in fixed)}.")
    does.append(Leaves(fighter.key, "retired", f"{label}. {words}", kit_to_stash=True))
    return Outcome(f"{words} {fighter.name} is {label}.", tuple(lines), tuple(does), grave=True)


def _retirement(context: StepContext, fighter: ForceFighter, trauma: Trauma, *, kit_lost: bool) -> Outcome:
    """Blinded twice over, a fighter retires; it walks home, so its kit goes to the stash, unless the trauma takes that too."""
    lines = (
        f"{amount(context.rating_of(fighter.key))} leave the roster.",
        "What it carried is lost." if kit_lost else f"What it carried goes to the {context.label('stash')}.",
    )
    leaves = Leaves(fighter.key, "retired", f"{trauma.name}, once too often", kit_to_stash=not kit_lost)
    return Outcome(f"{trauma.name} again: {fighter.name} retires.", lines, (leaves,), grave=True)


def _ordinal(count: int) -> str:
    return {1: "First", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth"}.get(count, f"Scar number {count}, one")


# --- death


def death(context: StepContext, fighter: ForceFighter, resolution: Resolution, words: str) -> Outcome:
    """The death of a fighter and the loss of its kit, in amounts; first the decisions where a piece or a rule can call it back."""
    engine = _engine(context, fighter, resolution)
    if engine is not None:
        return engine
    back = _revival(context, fighter, resolution)
    if back is not None:
        return laid_out(context, fighter, back, words) if back.raises == "in-camp" else revived(context, fighter, back)
    waits = _comes_back(context, fighter, words)
    if waits is not None:
        return waits
    worth, before = context.rating_of(fighter.key), context.rating
    kit = joined(context.book.items[i.item].name for i in fighter.kit if i.item in context.book.items)
    lines = [
        f"{fighter.name} dies, and the kit with it: {amount(worth)} leave the roster.",
        f"{first(context.label('rating'))} {before.ducats} to {before.ducats - worth.ducats} ducats.",
    ]
    if kit:
        lines.insert(1, f"Lost: {kit}.")
    kept = noted(context, fighter)
    if kept:
        lines.append("The kit may be recovered at the fork.")
    does = (*kept, Leaves(fighter.key, "dead", f"{words} Battle {context.aftermath.number}."))
    return Outcome(f"{words} {fighter.name} dies.", tuple(lines), does, grave=True)


def _comes_back(context: StepContext, fighter: ForceFighter, words: str) -> Outcome | None:
    """The death of a fighter that can be brought back between battles: it stays on the roster, lifeless, with its kit."""
    source = next(
        (s for s in context.sources if s.fighter == fighter.key and isinstance(s.effect, ComesBackEffect)), None
    )
    if source is None or not isinstance(source.effect, ComesBackEffect):
        return None
    lines = (
        "It keeps its place on the roster and its kit, and fights no more until then.",
        f"{source.name}: {source.effect.ducats} ducats bring it back between any battles, in camp.",
    )
    does = (SetFighter(fighter.key, ("lifeless",), True, f"{words} Battle {context.aftermath.number}."),)
    return Outcome(f"{words} {fighter.name} lies lifeless.", lines, does, grave=True)


def _engine(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> Outcome | None:
    """The death undone by a piece that is used up for it, where the warband owns one and the player takes it."""
    piece = _piece_with(context, CancelsDeathEffect)
    if piece is None:
        return None
    name = context.book.items[piece.item].name
    options = (
        Option("rest", "Let it rest", "The fighter dies."),
        Option("use", f"Use the {name}", "The result is cancelled.", losses=(name,)),
    )
    if resolution.choose(ENGINE, f"{fighter.name} would die. Use the {name}?", options) != "use":
        return None
    lost = LosesItems((piece.key,), f"Used for {fighter.name}")
    return Outcome(f"{name}: {fighter.name} lives.", ("The result is cancelled, scar and all.",), (lost,))


def _revival(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> UpgradeOffer | None:
    """The upgrade that brings a fallen fighter back in another shape, if its list sells one to it and the player takes it."""
    book, profile = context.book, context.profile_of(fighter.key)
    offers = [
        offer
        for offer in book.pack.upgrade_offers
        if offer.raises
        and context.force.list in offer.lists
        and (not offer.who.only_for or any(trait.profile == profile for trait in offer.who.only_for))
    ]
    if not offers:
        return None
    held = context.strongbox
    options = [Option("die", "Let it rest", "The fighter dies and its kit is lost.")]
    for offer in offers:
        short = offer.price.ducats > held.ducats or offer.price.glory > held.glory
        closed = f"it asks {offer.price}; the {context.label('strongbox')} holds {held}." if short else ""
        upgrade = book.upgrades[offer.upgrade]
        if offer.raises == "in-camp":
            words = f"{offer.price} are paid in the next camp, or the fighter is lost then."
            options.append(Option(offer.id, f"Lay it out: {upgrade.name}", words))
            continue
        options.append(
            Option(
                offer.id,
                upgrade.name,
                upgrade.summary,
                losses=(str(offer.price),) if offer.price else (),
                closed=closed,
            )
        )
    picked = resolution.choose("death", f"{fighter.name} has fallen. What becomes of the body?", options)
    return next((offer for offer in offers if offer.id == picked), None)


def laid_out(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer, words: str) -> Outcome:
    """The death of a fighter that may be raised in the next camp: until then it lies lifeless, with its kit."""
    upgrade = context.book.upgrades[offer.upgrade]
    does = (
        SetFighter(fighter.key, ("lifeless",), True, f"{words} Battle {context.aftermath.number}."),
        SetFighter(fighter.key, ("choices", RAISED_BY), offer.id, upgrade.name),
    )
    lines = (f"{upgrade.name}: {offer.price}, in the next camp.", "Until then it lies lifeless, with its kit.")
    return Outcome(f"{words} {fighter.name} lies lifeless.", lines, does, grave=True)


def revived(context: StepContext, fighter: ForceFighter, offer: UpgradeOffer) -> Outcome:
    """The return of a dead fighter through such an entry: paid for, in its new shape, rid of what that clears."""
    key, upgrade = fighter.key, context.book.upgrades[offer.upgrade]
    kept = {
        "id": offer.upgrade,
        "offer": offer.id,
        "ducats": offer.price.ducats,
        "glory": offer.price.glory,
        "option": "",
        "choices": {},
    }
    does: list[Consequence] = [SetFighter(key, ("upgrades", f"{context.prefix}-revived-{key}"), kept, upgrade.name)]
    if fighter.lifeless:
        does += [
            SetFighter(key, ("lifeless",), False, upgrade.name),
            SetFighter(key, ("choices", RAISED_BY), None, upgrade.name),
        ]
    lines = [upgrade.summary, "Its kit stays."]
    effects = [e for e in upgrade.effects if isinstance(e, BecomesEffect)]
    does += [Becomes(key, e.profile, upgrade.name) for e in effects]
    if any(e.clears_scars for e in effects):
        does += [SetFighter(key, ("traumas", t.key), None, upgrade.name) for t in fighter.traumas]
        if fighter.scars is not None:
            does.append(SetFighter(key, ("scars",), 0, upgrade.name))
        if fighter.demoted:
            does.append(SetFighter(key, ("demoted",), False, upgrade.name))
        if fighter.misses_battle:
            does.append(SetFighter(key, ("misses_battle",), 0, upgrade.name))
        lines.append("All scars leave it.")
    if any(e.clears_advancement for e in effects):
        does += [SetFighter(key, ("skills", s.key), None, upgrade.name) for s in fighter.skills]
        does += [SetFighter(key, (leaf,), 0, upgrade.name) for leaf in ("experience", "advances")]
        lines.append("Experience and skills are gone.")
    if offer.price:
        does.append(Money(Price(-offer.price.ducats, -offer.price.glory), f"{upgrade.name}: {fighter.name}"))
    return Outcome(f"{fighter.name} returns: {upgrade.name}.", tuple(lines), tuple(does))


# --- everybody else


def resolve_casualty(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """A D6 for a fighter that is not ELITE: it lives, or dies with its kit. A spared profile needs no die.

    Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
    """
    fighter = context.fighter(key)
    assert fighter is not None
    profile = context.profile_of(key)
    view = context.views.get(key)
    counts_as = {profile, *(view.counts_as if view else ())}
    for source in context.sources:
        if isinstance(source.effect, SparedEffect) and counts_as & set(source.effect.profiles):
            return Outcome(f"{fighter.name} recovers fully: {source.name}.", ("No die is needed.",))
    draw = resolution.roll(1, 6, f"Does {fighter.name} live?")
    dies_on = context.book.campaign.troop_dies_on
    lives_on = tuple(face for face in range(1, 7) if face not in dies_on)
    dies = draw.total in dies_on
    rows = (TableRow(_faces(dies_on), "Dies", dies), TableRow(_faces(lives_on), "Survives", not dies))
    resolution.tell(f"{draw.total}: {fighter.name} {'dies' if dies else 'lives to fight on'}.", draw, rows)
    if dies:
        return death(context, fighter, resolution, f"{draw.total} on the die.")
    return Outcome(f"{fighter.name} survives.", ("No ill effects.",))
