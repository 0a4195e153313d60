"""Learning a skill: the choices it requires, what it gives at once, and how the roster stores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.choices import links_item
from rules.consequences import Consequence, Money, SetFighter
from rules.content.compiled import Content
from rules.content.schema import Skill
from rules.dice import d3
from rules.fighters.foreign import foreign_candidates
from rules.formatting import amount
from rules.price import Price
from rules.resolution import Option, Resolution
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import full_skills, known_skills
from rules.trench_crusade.steps.context import StepContext, fighter_options
from rules.vocabulary import AsksEffect, ChooseEffect, ForeignPickEffect, LinkEffect, OnGainEffect, RaiseLimitEffect


@dataclass
class Lesson:
    """The result of learning a skill: consequences, lines of text, and the choices stored with the skill."""

    does: list[Consequence] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    choices: dict[str, Any] = field(default_factory=dict)


def learn(
    context: StepContext,
    key: str,
    skill: Skill,
    entry: str,
    resolution: Resolution,
    extra: Mapping[str, Any] | None = None,
) -> Lesson:
    """Ask for the skill's choices and return what learning it does.

    It is stored under `entry`, with `extra` among its choices.
    """
    lesson = Lesson()
    _ask(context, key, skill, resolution, lesson, "")
    lesson.choices.update(extra or {})
    kept = {"id": skill.id, "choices": lesson.choices}
    lesson.does.insert(0, SetFighter(key, ("skills", entry), kept, skill.name))
    lesson.lines.insert(0, f"{skill.name}: {skill.words}")
    return lesson


def _ask(context: StepContext, key: str, skill: Skill, resolution: Resolution, lesson: Lesson, within: str) -> None:
    for effect in skill.effects:
        match effect:
            case RaiseLimitEffect(every=False):
                _raise_limit(context, effect, skill, resolution, lesson, within)
            case ChooseEffect(of="skill"):
                _pick_skill(context, key, effect, skill, resolution, lesson, within)
            case AsksEffect() if effect.options:
                answers = tuple(Option(value, value[:1].upper() + value[1:]) for value in effect.options)
                lesson.choices[effect.key] = resolution.choose(f"{within}{effect.key}", effect.words, answers)
            case ForeignPickEffect():
                _pick_ware(context, effect, skill, resolution, lesson, within)
            case LinkEffect():
                tied = link(context, effect, skill.name, resolution, within)
                if tied:
                    lesson.choices["link"] = tied
            case OnGainEffect():
                _gain(context, key, effect, skill, resolution, lesson)


def _raise_limit(
    context: StepContext, effect: RaiseLimitEffect, skill: Skill, resolution: Resolution, lesson: Lesson, within: str
) -> None:
    options = raise_options(context, effect)
    if options:
        words = _("{name}: which entry may the warband have one more of?").format(name=skill.name)
        picked = resolution.choose(f"{within}raise", words, options)
        lesson.choices["raise"] = picked
        lesson.lines.append(_("One more: {next}.").format(next=next(o.title for o in options if o.value == picked)))


def _pick_skill(
    context: StepContext,
    key: str,
    effect: ChooseEffect,
    skill: Skill,
    resolution: Resolution,
    lesson: Lesson,
    within: str,
) -> None:
    fighter = context.fighter(key)
    known = (
        known_skills(context.content, fighter) | full_skills(context.content, context.force, key)
        if fighter
        else frozenset()
    )
    candidates = dict.fromkeys((*effect.options, *skills_of(context.content, effect.tables)))
    options = tuple(
        Option(pick, context.content.skills[pick].name, context.content.skills[pick].words)
        for pick in candidates
        if pick in context.content.skills and (pick not in known or context.content.skills[pick].kind == "exploration")
    )
    if not options:
        return
    picked = resolution.choose(f"{within}{effect.key}", _("{name}: which skill?").format(name=skill.name), options)
    lesson.choices[effect.key] = picked
    chosen = context.content.skills[picked]
    lesson.lines.append(_("With it: {chosen}. {summary}").format(chosen=chosen.name, summary=chosen.words))
    _ask(context, key, chosen, resolution, lesson, f"{within}{effect.key}-")


def _pick_ware(
    context: StepContext, effect: ForeignPickEffect, skill: Skill, resolution: Resolution, lesson: Lesson, within: str
) -> None:
    content = context.content
    wares = foreign_candidates(content, content.lists[context.force.list], effect)
    options = tuple(Option(ware.id, content.items[ware.item].name, str(ware.price)) for ware in wares)
    if options:
        lesson.choices["item"] = resolution.choose(
            f"{within}item", _("{name}: which item?").format(name=skill.name), options
        )


def _gain(
    context: StepContext, key: str, effect: OnGainEffect, skill: Skill, resolution: Resolution, lesson: Lesson
) -> None:
    gained = Price(effect.ducats, effect.glory)
    if gained:
        lesson.does.append(Money(gained, _("{skill} of {name}").format(skill=skill.name, name=context.name(key))))
        lesson.lines.append(_("{amount} join the strongbox at once.").format(amount=amount(gained)))
    experience = effect.experience
    if effect.experience_d3:
        value, draw = d3(resolution.dice, _("{skill}: D3 experience").format(skill=skill.name))
        resolution.tell(_("{faces} on the die is {value} experience.").format(faces=draw.faces[0], value=value), draw)
        experience += value
    fighter = context.fighter(key)
    if experience and fighter:
        now = max(fighter.experience, min(context.experience_cap(key), fighter.experience + experience))
        lesson.does.append(SetFighter(key, ("experience",), now, skill.name))
        lesson.lines.append(_("Experience {experience} to {now}.").format(experience=fighter.experience, now=now))


def skills_of(content: Content, tables: Iterable[str]) -> tuple[str, ...]:
    """Return the skills of some tables and patrons, in their order. "exploration" stands for all exploration skills."""
    found: list[str] = []
    for table in tables:
        if table in content.skill_tables:
            found += [row.skill for row in content.skill_tables[table].rows if row.skill]
        elif table in content.patrons:
            found += content.patrons[table].skills
        elif table.startswith("exploration"):
            found += [skill.id for skill in content.pack.skills if skill.kind == "exploration"]
    return tuple(dict.fromkeys(found))


def raise_options(context: StepContext, effect: RaiseLimitEffect) -> tuple[Option, ...]:
    """Return the limited entries of the own list whose LIMIT can be raised, by offer id."""
    content, found = context.content, []
    if effect.of == "items":
        for offer in content.lists[context.force.list].item_offers:
            limit = content.limit_of(offer.limit, offer.id, offer.item)
            bounds = effect.categories
            if effect.no_glory_items and offer.exploration_only:
                continue
            if limit is not None and (not bounds or content.items[offer.item].category in bounds):
                found.append(
                    Option(
                        offer.id,
                        content.items[offer.item].name,
                        _("LIMIT {limit}, then {number}").format(limit=limit, number=limit + effect.add),
                    )
                )
    else:
        for entry in content.lists[context.force.list].profile_offers:
            most = content.limit_of(entry.most, entry.id, entry.profile)
            profile = content.profiles[entry.profile]
            is_elite = profile.role == "elite" or "ELITE" in profile.keywords
            if entry.hired_as == "own" and most is not None and not (effect.not_elite and is_elite):
                found.append(
                    Option(
                        entry.id,
                        profile.name,
                        _("up to {most}, then {number}").format(most=most, number=most + effect.add),
                    )
                )
    return tuple(found)


def link(
    context: StepContext, effect: LinkEffect, name: str, resolution: Resolution, within: str = ""
) -> str | list[str]:
    """Return the key of the fighter or item that a rule is linked to.

    Return a list of keys if the rule allows several, or "" if there is none to pick.
    """
    options = link_options(context, effect)
    words = (
        _("{name}: for which fighter?").format(name=name)
        if effect.of == "fighter"
        else _("{name}: which piece?").format(name=name)
    )
    most = min(effect.count, len(options))
    if most > 1:
        several = _("{words} Up to {most}.").format(words=words, most=most)
        return list(resolution.choose_some(f"{within}link", several, options, least=1, most=most))
    return resolution.choose(f"{within}link", words, options) if options else ""


def link_options(context: StepContext, effect: LinkEffect) -> tuple[Option, ...]:
    if effect.of == "fighter":
        return fighter_options(
            context, [f.key for f in context.force.fighters if f.active and admits(context, f.key, effect)]
        )
    active = [f.key for f in context.force.fighters if f.active and f.key in context.views]
    owned = [(context.name(key), item) for key in active for item in context.views[key].kit]
    owned += [(_("in the {label}").format(label=context.label("stash")), item) for item in context.force.stash]
    return tuple(
        Option(item.key, context.content.items[item.item].name, who)
        for who, item in owned
        if item.item in context.content.items and links_item(context.content, effect, item.item)
    )


def admits(context: StepContext, key: str, effect: LinkEffect) -> bool:
    """Return whether a fighter passes the test of who may be picked, by profile, role and keyword."""
    view = context.views.get(key)
    profile = context.content.profiles[context.profile_of(key)]

    def passes(trait: Any) -> bool:
        words = {k.name for k in view.keywords if k.state != "lost"} if view else set(profile.keywords)
        if context.is_elite(key):
            words.add("ELITE")
        return (
            trait.profile in ("", profile.id)
            and trait.role in ("", profile.role)
            and (not trait.keyword or trait.keyword in words)
            and (not trait.lacks_keyword or trait.lacks_keyword not in words)
        )

    who = effect.who
    return (
        (not who.only_for or any(passes(t) for t in who.only_for))
        and (not who.and_also or any(passes(t) for t in who.and_also))
        and not any(passes(t) for t in who.not_for)
    )
