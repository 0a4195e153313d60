"""Promotions: the pool of dice, how it may be spread, and the rolls, either until the first six or until each
fighter's own.

Source: Campaign rules 1.6.3, "Non-Elite Promotions"; 1.0, "Promotions & Experience Step".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from rules.consequences import Consequence, SetFighter, SetWarband
from rules.fighters.advancement import OVERCOME
from rules.formatting import dice_words, joined, quantity
from rules.parts.post_battle import Aftermath
from rules.problems import Refusal
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext, ngettext
from rules.trench_crusade.steps.context import StepContext, settled
from rules.vocabulary import PromotionDiceEffect

PROMOTION = "promotion"
SUCCESS = 6
MOST_DICE = 2
MOST_DICE_AFTER_DEED = 3


def tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one task for all promotion dice of the sequence.

    A further task covers dice that an amended report adds after the first was written.
    """
    task = Task(
        PROMOTION,
        gettext("Promotions"),
        partial(resolve_promotion, context),
        words=gettext("At most one fighter rises.")
        if context.rules.promotions == "one"
        else gettext("Each 6 promotes."),
        absorbs=True,
    )
    if PROMOTION not in context.record.written:
        return (task,)
    rose = promoted_here(context)
    found = [
        settled(
            context,
            task,
            gettext("{rose} joined the ELITE.").format(rose=joined(rose)) if rose else gettext("No promotion."),
        )
    ]
    written = further_keys(context)
    for key in written:
        found.append(
            settled(
                context,
                Task(key, gettext("Promotion dice told later"), partial(resolve_promotion, context), absorbs=True),
            )
        )
    more = further_dice(context)
    if more and not (rose and context.rules.promotions == "one"):
        found.append(
            Task(
                f"{PROMOTION}-{len(written) + 2}",
                gettext("One promotion die more")
                if more == 1
                else gettext("{more} promotion dice more").format(more=more),
                partial(resolve_further, context, more),
                words=gettext("The report was amended."),
                absorbs=True,
            )
        )
    return tuple(found)


def promoted_here(context: StepContext) -> list[str]:
    return [f.name for f in context.force.fighters if f.choices.get("promoted_after") == context.aftermath.number]


def told_dice(context: StepContext, aftermath: Aftermath) -> int:
    """Return the promotion dice that a report grants: those for a victory, and one for each deed."""
    return context.rules.victory_dice * aftermath.mine.won + len({deed for deed, _ in aftermath.mine.deeds})


def further_keys(context: StepContext) -> list[str]:
    """Return the tasks of further promotion dice that are already written, in order."""
    found: list[str] = []
    while (key := f"{PROMOTION}-{len(found) + 2}") in context.record.written:
        found.append(key)
    return found


def further_dice(context: StepContext) -> int:
    """Return the promotion dice that an amended report added after the last ones were written."""
    last = [PROMOTION, *further_keys(context)][-1]
    before = context.record.before.get(last, context.aftermath)
    return max(0, told_dice(context, context.aftermath) - told_dice(context, before))


def pool(context: StepContext) -> tuple[tuple[str, int], ...]:
    mine = context.aftermath.mine
    parts = [(gettext("Every warband"), 1)]
    if mine.won and context.rules.victory_dice:
        parts.append((gettext("Battle won"), context.rules.victory_dice))
    if mine.deeds:
        parts.append((gettext("Glorious deeds"), len({deed for deed, _ in mine.deeds})))
    parts += [(source.name, effect.add) for source, effect in context.effects(PromotionDiceEffect)]
    return tuple(parts)


def eligible(context: StepContext) -> tuple[str, ...]:
    """Return the fighters that may be promoted, whether or not they took part.

    The rule speaks of the whole army.
    """
    return tuple(
        f.key
        for f in context.force.fighters
        if f.active and not f.lifeless and f.key in context.views and context.views[f.key].may_be_promoted
    )


def most_dice(context: StepContext, keys: Sequence[str], dice: int) -> dict[str, int]:
    """Return the most dice each fighter may get, including an even spread past two each."""
    if context.rules.promotion_spread == "level":
        most = min(dice, MOST_DICE)
        while most + 1 + (len(keys) - 1) * most <= dice:
            most += 1
        return dict.fromkeys(keys, most)
    level = (dice - 1) // len(keys) if keys else 0
    spread = level + 1 if level >= MOST_DICE else 0
    return {
        key: min(dice, max(MOST_DICE_AFTER_DEED if key in context.deed_doers else MOST_DICE, spread)) for key in keys
    }


def check_spread(context: StepContext, keys: Sequence[str], given: Mapping[str, int]) -> None:
    """Refuse a spread of dice that breaks the rule.

    A fighter may get more than two (three after a deed) only once all have two, and nobody may be two ahead.
    """
    counts = {key: given.get(key, 0) for key in keys}
    if context.rules.promotion_spread == "level":
        ahead = max(counts, key=lambda key: counts[key])
        behind = min(counts, key=lambda key: counts[key])
        if counts[ahead] > MOST_DICE and counts[behind] < counts[ahead] - 1:
            raise Refusal(
                gettext("{name} gets die number {counts} only once all have {amount}; {name_2} has {counts_2}.").format(
                    name=context.name(ahead),
                    counts=counts[ahead],
                    amount=counts[ahead] - 1,
                    name_2=context.name(behind),
                    counts_2=counts[behind],
                ),
                code="promotion-spread",
            )
        return
    within = all(n <= (MOST_DICE_AFTER_DEED if key in context.deed_doers else MOST_DICE) for key, n in counts.items())
    if within:
        return
    if min(counts.values()) < MOST_DICE:
        behind = next(key for key, n in counts.items() if n < MOST_DICE)
        raise Refusal(
            gettext("A further die waits until every fighter has {most_dice}; {name} has {counts}.").format(
                most_dice=MOST_DICE, name=context.name(behind), counts=counts[behind]
            ),
            code="promotion-spread",
        )
    if max(counts.values()) - min(counts.values()) > 1:
        ahead = max(counts, key=lambda key: counts[key])
        raise Refusal(
            gettext("{name} is two dice ahead of another. Spread them evenly.").format(name=context.name(ahead)),
            code="promotion-spread",
        )


def promotion_chances(order: Sequence[str], misses: int, streak: int = 5) -> dict[str, Fraction]:
    """Return the exact chance of promotion for each fighter, if dice are rolled in this order (a key for each die).

    `misses` is how many failed in a row so far. After `streak` failures the next die cannot fail.
    """
    chances = {key: Fraction(0) for key in order}
    reached = Fraction(1)
    for place, key in enumerate(order):
        hit = Fraction(1) if misses + place >= streak else Fraction(1, 6)
        chances[key] += reached * hit
        reached *= 1 - hit
    return chances


def percent(chance: Fraction) -> str:
    """Format a chance for players: "30.6 %"."""
    return f"{float(chance) * 100:.1f} %".replace(".0 %", " %")


def resolve_promotion(context: StepContext, resolution: Resolution) -> Outcome:
    """Spread the pool, then roll die by die in the player's order.

    The first six promotes and ends it; unrolled dice are no failures.

    After five failures in a row, carried over from battle to battle, the next die succeeds without a roll. A fighter
    that lost ELITE to a head wound keeps its experience when promoted again; all others begin at 0.
    """
    if context.counted_elites >= context.elite_cap:
        return Outcome(
            gettext("{counted_elites} ELITE fighters of {elite_cap}: no promotion while that lasts.").format(
                counted_elites=context.counted_elites, elite_cap=context.elite_cap
            )
        )
    keys = eligible(context)
    if not keys:
        return Outcome(gettext("No fighter can be promoted."))
    return _spread_and_roll(context, resolution, keys, pool(context), {})


def resolve_further(context: StepContext, dice: int, resolution: Resolution) -> Outcome:
    """Roll the dice added by an amended report, under the same rule and on top of those that failed before."""
    keys = eligible(context)
    if context.counted_elites >= context.elite_cap or not keys:
        return Outcome(gettext("No fighter can be promoted."))
    given = context.record.choices.get(PROMOTION, {}).get("dice", {})
    spent = {key: int(given.get(key) or 0) for key in keys} if isinstance(given, Mapping) else {}
    return _spread_and_roll(context, resolution, keys, ((gettext("Told later"), dice),), spent)


def _dice_words(dice: int, misses: int, streak: int) -> str:
    words = gettext("{quantity}.").format(quantity=quantity(dice, gettext("promotion die"), gettext("promotion dice")))
    if misses:
        words += " " + gettext("{misses} failed in a row so far.").format(misses=misses)
    return words + " " + gettext("After {streak} failures in a row the next die succeeds.").format(streak=streak)


def _chance_words(dice: int, chance: str) -> str:
    return (gettext("Chance: {chance}") if dice < 2 else gettext("Chance with all dice: {chance}")).format(
        chance=chance
    )


def _spread_and_roll(
    context: StepContext,
    resolution: Resolution,
    keys: Sequence[str],
    parts: Sequence[tuple[str, int]],
    spent: Mapping[str, int],
) -> Outcome:
    """Ask how the dice are spread, on top of those already spent, and roll them."""
    dice = sum(n for _, n in parts)
    misses, streak = context.force.promotion_misses, context.content.campaign.promotion_misses
    resolution.tell(
        _dice_words(dice, misses, streak),
        modifiers=tuple((f"+{n}" if place else str(n), name) for place, (name, n) in enumerate(parts)),
    )
    most = most_dice(context, keys, dice + sum(spent.values()))
    limits = {key: max(0, min(dice, most[key] - spent.get(key, 0))) for key in keys}
    words = gettext("At most 2 dice each (3 after a deed). More only once all have 2, and evenly.")
    if context.rules.promotion_spread == "level":
        words = gettext("A 3rd die only once all have 2, a 4th once all have 3, and so on. Dice left over are lost.")
    options = tuple(
        Option(
            key,
            context.name(key),
            _chance_words(limits[key], percent(_alone(key, limits[key], misses, streak))),
        )
        for key in keys
    )
    given = resolution.allot("dice", gettext("Spread the dice."), options, dice, limits, help=words)
    check_spread(context, keys, {key: given.get(key, 0) + spent.get(key, 0) for key in keys})
    idle = dice - sum(given.values())
    lapse = gettext("{idle} promotion {words}: not given to a fighter, and not kept.").format(
        idle=idle, words=gettext("die lapses") if idle == 1 else gettext("dice lapse")
    )
    if not any(given.values()):
        return Outcome(
            gettext("No die is rolled."), (gettext("The count of failures stays."), *((lapse,) if idle else ()))
        )
    if idle:
        resolution.tell(lapse)
    if context.rules.promotions == "several":
        return _roll_by_model(context, resolution, dict(given), misses, streak)
    return _roll(context, resolution, dict(given), misses, streak)


def _alone(key: str, dice: int, misses: int, streak: int) -> Fraction:
    return promotion_chances([key] * dice, misses, streak)[key]


def _roll(context: StepContext, resolution: Resolution, left: dict[str, int], misses: int, streak: int) -> Outcome:
    before = misses
    for place in range(1, sum(left.values()) + 1):
        open_keys = [key for key, n in left.items() if n]
        key = open_keys[0]
        if len(open_keys) > 1:
            options = tuple(
                Option(
                    k,
                    context.name(k),
                    gettext("{left} left; going on with them {percent}").format(
                        left=left[k], percent=percent(_alone(k, left[k], misses, streak))
                    ),
                )
                for k in open_keys
            )
            key = resolution.choose(
                f"die-{place}", gettext("Whose die is number {place}?").format(place=place), options
            )
        left[key] -= 1
        if misses >= streak:
            resolution.tell(
                gettext("{name}: after {misses} failures this die cannot fail.").format(
                    name=context.name(key), misses=misses
                )
            )
            return _promoted(context, key, before)
        draw = resolution.roll(
            1, 6, gettext("Promotion die {place}: {name}").format(place=place, name=context.name(key))
        )
        hit = draw.total == SUCCESS
        shown = _die_rows(hit=hit)
        if hit:
            resolution.tell(
                gettext("{name}: {total}, promoted.").format(name=context.name(key), total=draw.total), draw, shown
            )
            return _promoted(context, key, before)
        misses += 1
        resolution.tell(
            gettext("{name}: {total}, failed. {misses} in a row.").format(
                name=context.name(key), total=draw.total, misses=misses
            ),
            draw,
            shown,
        )
    lines = [gettext("Failures in a row: {before} to {misses}.").format(before=before, misses=misses)]
    if misses >= streak:
        lines.append(gettext("The next promotion die cannot fail."))
    return Outcome(
        gettext("No promotion."),
        tuple(lines),
        (SetWarband(("promotion_misses",), misses, gettext("promotion dice failed")),),
    )


def _roll_by_model(
    context: StepContext, resolution: Resolution, left: dict[str, int], misses: int, streak: int
) -> Outcome:
    """Roll the dice of one fighter after another, each until its own six. Stop altogether once the ELITE are full.

    A fighter barred from experience by a wound overcomes it with its six and takes no place among the ELITE.
    """
    before, room, rolled = misses, context.elite_cap - context.counted_elites, 0
    rose: list[str] = []
    while left and room > 0:
        key = next(iter(left))
        if len(left) > 1:
            options = tuple(Option(k, context.name(k), dice_words(n)) for k, n in left.items())
            key = resolution.choose(f"model-{len(rose)}-{rolled}", gettext("Whose dice are rolled next?"), options)
        for _ in range(left.pop(key)):
            rolled += 1
            misses = _misses_after(context, resolution, key, rolled, misses, streak)
            if not misses:
                rose.append(key)
                room -= 0 if context.barred(key) else 1
                break
    does: list[Consequence] = []
    lines: list[str] = []
    for key in rose:
        told, done = _risen(context, key)
        does += done
        lines += told
    if misses != before:
        does.append(SetWarband(("promotion_misses",), misses, gettext("promotion dice")))
    if left:
        lines.append(
            gettext("{elite_cap} ELITE fighters: the dice left over are lost.").format(elite_cap=context.elite_cap)
        )
    lines.append(gettext("Failures in a row: {before} to {misses}.").format(before=before, misses=misses))
    if misses >= streak:
        lines.append(gettext("The next promotion die cannot fail."))
    return Outcome(_risen_words(context, rose), tuple(lines), tuple(does))


def _misses_after(context: StepContext, resolution: Resolution, key: str, number: int, misses: int, streak: int) -> int:
    """Roll one promotion die and return the failures in a row after it.

    The result is 0 for a success, which is certain after a full streak of failures.
    """
    if misses >= streak:
        resolution.tell(
            gettext("{name}: after {misses} failures this die cannot fail.").format(
                name=context.name(key), misses=misses
            )
        )
        return 0
    draw = resolution.roll(
        1, 6, gettext("Promotion die {number}: {name}").format(number=number, name=context.name(key))
    )
    hit = draw.total == SUCCESS
    misses = 0 if hit else misses + 1
    words = "a success" if hit else gettext("failed. {misses} in a row").format(misses=misses)
    resolution.tell(f"{context.name(key)}: {draw.total}, {words}.", draw, _die_rows(hit=hit))
    return misses


def _die_rows(*, hit: bool) -> tuple[TableRow, ...]:
    return TableRow("1-5", gettext("Fails"), not hit), TableRow("6", gettext("Promoted"), hit)


def _risen_words(context: StepContext, rose: list[str]) -> str:
    promoted = [context.name(key) for key in rose if not context.barred(key)]
    overcame = [context.name(key) for key in rose if context.barred(key)]
    words = (
        [
            ngettext("{promoted} is promoted.", "{promoted} are promoted.", len(promoted)).format(
                promoted=joined(promoted)
            )
        ]
        if promoted
        else []
    )
    words += [gettext("{overcame} may learn again.").format(overcame=joined(overcame))] if overcame else []
    return " ".join(words) or gettext("No promotion.")


def _risen(context: StepContext, key: str) -> tuple[list[str], list[Consequence]]:
    barred = context.barred(key)
    if barred:
        does: list[Consequence] = [
            SetFighter(key, ("traumas", t.key, "details", OVERCOME), True, gettext("promotion die")) for t in barred
        ]
        return [gettext("{name} gains experience again; the scar stays.").format(name=context.name(key))], does
    does = [
        SetFighter(key, ("promoted",), True, "promotion"),
        SetFighter(key, ("choices", "promoted_after"), context.aftermath.number, "promotion"),
        SetFighter(key, ("experience",), 0, "promotion"),
    ]
    learns = gettext("; what this battle taught comes next") if context.rules.promoted_learn else ""
    return [
        gettext("{name} gains ELITE. Experience begins at 0{learns}.").format(name=context.name(key), learns=learns)
    ], does


def _promoted(context: StepContext, key: str, before: int) -> Outcome:
    fighter = context.fighter(key)
    assert fighter is not None
    does: list[Consequence] = [
        SetFighter(key, ("promoted",), True, "promotion"),
        SetFighter(key, ("choices", "promoted_after"), context.aftermath.number, "promotion"),
    ]
    lines = [
        gettext("{name} gains ELITE ({amount} of {elite_cap}).").format(
            name=fighter.name, amount=context.elites + 1, elite_cap=context.elite_cap
        )
    ]
    if fighter.demoted:
        does.append(SetFighter(key, ("demoted",), False, "promotion"))
        lines.append(
            gettext("The head wound is overcome; experience stays at {experience}.").format(
                experience=fighter.experience
            )
        )
    else:
        does.append(SetFighter(key, ("experience",), 0, "promotion"))
        lines.append(gettext("Experience begins at 0; nothing is gained this time."))
    does.append(SetWarband(("promotion_misses",), 0, "a promotion"))
    lines.append(gettext("Failures in a row: {before} to 0.").format(before=before))
    return Outcome(gettext("{name} is promoted.").format(name=fighter.name), tuple(lines), tuple(does))
