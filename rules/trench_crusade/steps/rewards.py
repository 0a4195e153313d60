"""The rewards of a location: their consequences, and the decisions that some of them require."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.consequences import Joins, SetFighter, SetWarband
from rules.dice import d3
from rules.price import Price
from rules.resolution import Option
from rules.translation import gettext
from rules.trench_crusade.carried_effects import known_skills
from rules.trench_crusade.steps.context import fighter_options
from rules.trench_crusade.steps.found_items import free_kit, glory_item, item_choice, items
from rules.trench_crusade.steps.healing import healed, scar_options
from rules.trench_crusade.steps.learning import learn, link, skills_of
from rules.trench_crusade.steps.taking import Taking
from rules.vocabulary import (
    CampaignPointsReward,
    DucatsReward,
    ExperienceReward,
    ExplorationSkillReward,
    FightersReward,
    FreeKitReward,
    GloryItemReward,
    GloryReward,
    HealReward,
    ItemChoiceReward,
    ItemsReward,
    LastingReward,
    LinkEffect,
    OneOfReward,
    PromiseReward,
    Reward,
    SkillReward,
)


def take(taking: Taking, reward: Reward) -> None:
    taking.count += 1
    TAKERS[type(reward)](taking, reward)


# --- money


def _ducats(taking: Taking, reward: DucatsReward) -> None:
    ducats = reward.ducats
    if reward.dice:
        draw = taking.resolution.roll(reward.dice, 6, gettext("{reason}: ducats").format(reason=taking.reason))
        ducats += draw.total * reward.times
        taking.resolution.tell(
            gettext("{total} times {times} is {amount} ducats.").format(
                total=draw.total, times=reward.times, amount=draw.total * reward.times
            ),
            draw,
        )
    taking.earn(Price(ducats=ducats))
    taking.lines.append(gettext("{ducats} ducats join the strongbox.").format(ducats=ducats))


def _one_of(taking: Taking, reward: OneOfReward) -> None:
    words = [_sum_words(one) for one in reward.of]
    options = tuple(Option(str(place), text) for place, text in enumerate(words, 1))
    picked = (
        int(taking.resolution.choose(taking.at, gettext("{reason}: choose one.").format(reason=taking.reason), options))
        - 1
    )
    one = reward.of[picked]
    TAKERS[type(one)](taking, one)


def _sum_words(reward: DucatsReward | GloryReward) -> str:
    """Return a sum as text before it is rolled: "150 ducats", "6D6 x 10 ducats", "3 + D3 glory"."""
    if isinstance(reward, DucatsReward):
        fixed, rolled, what = reward.ducats, f"{reward.dice}D6 x {reward.times}" if reward.dice else "", "ducats"
    else:
        fixed, rolled, what = reward.glory, "D3" if reward.d3 else "", "glory"
    return f"{' + '.join(part for part in (str(fixed) if fixed else '', rolled) if part)} {what}"


def _campaign_points(taking: Taking, reward: CampaignPointsReward) -> None:
    points = reward.victory_points
    if reward.d3:
        value, draw = d3(taking.resolution.dice, gettext("{reason}: D3 points").format(reason=taking.reason))
        taking.resolution.tell(gettext("{faces} on the die is {value}.").format(faces=draw.faces[0], value=value), draw)
        points += value
    if reward.for_glory:
        most = max(0, min(reward.for_glory, taking.strongbox.glory))
        given = taking.resolution.number(
            f"{taking.at}-glory", gettext("{reason}: glory given for points").format(reason=taking.reason), 0, most
        )
        if given:
            taking.earn(Price(glory=-given))
        points += given
    if points:
        before = int(taking.context.force.state.get("campaign_points") or 0)
        taking.does.append(SetWarband(("campaign_points",), before + points, taking.reason))
    taking.lines.append(f"{points} {taking.context.label('campaign_points')}.")


def _glory(taking: Taking, reward: GloryReward) -> None:
    glory = reward.glory
    if reward.d3:
        value, draw = d3(taking.resolution.dice, gettext("{reason}: D3 glory").format(reason=taking.reason))
        taking.resolution.tell(
            gettext("{faces} on the die is {value} glory.").format(faces=draw.faces[0], value=value), draw
        )
        glory += value
    taking.earn(Price(glory=glory))
    taking.lines.append(gettext("{glory} glory join the strongbox.").format(glory=glory))


# --- fighters and skills


def _fighters(taking: Taking, reward: FightersReward) -> None:
    content = taking.context.content
    for offer_id in reward.offers:
        offer = content.profile_offers[offer_id]
        name = content.profiles[offer.profile].name
        taking.does.append(Joins(offer.id, offer.profile, name, taking.reason))
        taking.lines.append(gettext("{name} joins, free of charge.").format(name=name))


def _lasting(taking: Taking, reward: LastingReward) -> None:
    lasting = taking.context.content.lasting[reward.lasting]
    choices: dict[str, str | list[str]] = {}
    for effect in lasting.effects:
        if isinstance(effect, LinkEffect):
            picked = link(taking.context, effect, lasting.name, taking.resolution, f"{taking.at}-")
            if picked:
                choices["link"] = picked
    kept = {"id": lasting.id, "choices": choices}
    taking.does.append(SetWarband(("lasting", taking.entry), kept, taking.reason))
    taking.lines.append(f"{lasting.name}: {lasting.words}")


def _experience(taking: Taking, reward: ExperienceReward) -> None:
    context = taking.context
    pupils = [
        f.key
        for f in context.force.fighters
        if f.active
        and f.key in context.views
        and context.views[f.key].may_learn
        and f.experience < context.experience_cap(f.key)
        and (context.rules.promoted_learn or f.choices.get("promoted_after") != context.aftermath.number)
    ]
    if not pupils:
        taking.lines.append(gettext("No ELITE fighter can gain experience."))
        return
    most = min(reward.count, len(pupils))
    options = fighter_options(context, pupils)
    words = gettext("{reason}: up to {most} gain {experience} experience.").format(
        reason=taking.reason, most=most, experience=reward.experience
    )
    for key in taking.resolution.choose_some(taking.at, words, options, most=most):
        fighter = context.force.fighter(key)
        now = min(context.experience_cap(key), fighter.experience + reward.experience)
        taking.does.append(SetFighter(key, ("experience",), now, taking.reason))
        taking.lines.append(
            gettext("{name}: experience {experience} to {now}.").format(
                name=fighter.name, experience=fighter.experience, now=now
            )
        )


def _skill(taking: Taking, reward: SkillReward) -> None:
    context, content = taking.context, taking.context.content
    active = [f.key for f in context.force.fighters if f.active]
    if not active:
        return
    key = taking.resolution.choose(
        f"{taking.at}-who",
        gettext("{reason}: for which fighter?").format(reason=taking.reason),
        fighter_options(context, active),
    )
    skill_id = reward.skill
    if not skill_id:
        known = known_skills(content, context.force.fighter(key))
        tables = (*content.skill_tables, "exploration")
        options = tuple(
            Option(s, content.skills[s].name, content.skills[s].words)
            for s in skills_of(content, tables)
            if s not in known or content.skills[s].kind == "exploration"
        )
        skill_id = taking.resolution.choose(
            f"{taking.at}-skill", gettext("{reason}: which skill?").format(reason=taking.reason), options
        )
    extra = {"keywords": list(reward.gain_keywords)} if reward.gain_keywords else None
    lesson = learn(context, key, content.skills[skill_id], taking.entry, taking.resolution, extra)
    taking.does.extend(lesson.does)
    taking.lines.extend(
        [
            gettext("{name} learns {skills}.").format(name=context.name(key), skills=content.skills[skill_id].name),
            *lesson.lines,
        ]
    )


def _exploration_skills(taking: Taking, reward: ExplorationSkillReward) -> None:
    for place, skill in enumerate(reward.skills):
        taking.does.append(SetWarband(("exploration_skills", f"{taking.entry}-{place}"), skill, taking.reason))
        taking.lines.append(
            gettext("The warband learns {name}.").format(name=taking.context.content.skills[skill].name)
        )


def _heal(taking: Taking, _: HealReward) -> None:
    context = taking.context
    scarred = [f.key for f in context.force.fighters if f.active and scar_options(context, f)]
    if not scarred:
        taking.lines.append(gettext("No fighter has a scar."))
        return
    words = {key: gettext("{scars} scars").format(scars=context.scars(key)) for key in scarred}
    key = taking.resolution.choose(
        taking.at,
        gettext("{reason}: whose scars heal?").format(reason=taking.reason),
        fighter_options(context, scarred, words),
    )
    scars = [option.value for option in scar_options(context, context.force.fighter(key))]
    taking.does.extend(healed(context, key, scars, taking.reason))
    taking.lines.append(gettext("All scars leave {name}.").format(name=context.name(key)))


def _promise(taking: Taking, reward: PromiseReward) -> None:
    taking.promise(reward.words, reward.expires, reward.lists, reward.glory)


TAKERS: Mapping[type, Callable[[Taking, Any], None]] = {
    DucatsReward: _ducats,
    GloryReward: _glory,
    ItemsReward: items,
    ItemChoiceReward: item_choice,
    FreeKitReward: free_kit,
    GloryItemReward: glory_item,
    FightersReward: _fighters,
    LastingReward: _lasting,
    ExperienceReward: _experience,
    SkillReward: _skill,
    ExplorationSkillReward: _exploration_skills,
    HealReward: _heal,
    CampaignPointsReward: _campaign_points,
    OneOfReward: _one_of,
    PromiseReward: _promise,
}
