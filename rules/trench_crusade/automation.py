"""The list of all texts of an edition that shows which the app applies itself.

The table applies the others; they are printed on the sheet as reminders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rules import vocabulary as v
from rules.content import campaign_entries as ce
from rules.content import schema as s
from rules.content.compiled import Content
from rules.fighters.kit import CarriedItem
from rules.trench_crusade.resolvers.weapon_lines import terms_of
from rules.trench_crusade.steps.exploration_dice import CHANGES
from rules.trench_crusade.table_only import left_words

How = Literal["app", "sheet", ""]
WORDS = {"app": "The app does so", "sheet": "A reminder on the sheet", "": "nowhere"}


@dataclass(frozen=True, slots=True)
class Does:
    """One text: the heading it is listed under, its name, and who applies it.

    `besides`: a part of it is also printed on the sheet. `named`: the attack odds name the part that is not
    calculated.
    """

    heading: str
    kind: str
    id: str
    name: str
    how: How
    besides: bool = False
    named: bool = False


def is_named(effects: Sequence[Any]) -> bool:
    """Return whether the odds of an attack name what these effects leave to the table."""
    return any(isinstance(e, v.ReminderEffect) and left_words(e, tuple(effects), "whole") for e in effects)


def by_effects(effects: Sequence[Any], words: str) -> tuple[How, bool]:
    """Return who applies these effects: the app if at least one is more than a reminder.

    `words` is the text the sheet prints.
    """
    reminders = [e for e in effects if isinstance(e, v.ReminderEffect)]
    if len(reminders) < len(effects):
        return "app", bool(reminders) and bool(words)
    return ("sheet" if reminders and words else ""), False


def of_skill(content: Content, skill: s.Skill) -> tuple[How, bool]:
    """Return who applies a skill, judged by its effects.

    The exploration step knows the skills that change its dice by id.
    """
    if skill.kind == "exploration" and skill.id in CHANGES:
        return "app", False
    return by_effects(skill.effects, skill.words)


def of_trauma(trauma: ce.Trauma) -> tuple[How, bool]:
    """Return who applies a trauma, judged by its effects. A result without effects is recorded as such."""
    if not trauma.effects:
        return "app", False
    return by_effects(trauma.effects, trauma.words)


def of_option(content: Content, place: ce.Location, option: ce.LocationOption | None) -> tuple[How, bool]:
    """Return who applies an option of a location.

    The app hands out rewards; the sheet prints a lasting find that only the table applies.
    """
    rewards = (*place.rewards, *(option.rewards if option else ()))
    done, told = False, False
    for reward in rewards:
        if isinstance(reward, v.LastingReward):
            lasting = content.lasting.get(reward.lasting)
            how, _ = by_effects(lasting.effects, lasting.words) if lasting else ("", False)
            done, told = done or how == "app", told or how == "sheet"
        else:
            done = True
    return ("app" if done else "sheet" if told else ""), done and told


def of_item(content: Content, item: s.ItemEntry) -> tuple[How, bool]:
    """Return who applies an item, judged by its effects.

    The attack odds read every term of a weapon's line, or name it.
    """
    if item.weapon:
        left = bool(terms_of(content, CarriedItem(item, -1, "", content.item_keywords[item.id], None)).left)
        if not item.effects:
            plain = not item.words or item.words.startswith(PLAIN)
            return ("app" if plain or left else ""), left
        how, besides = by_effects(item.effects, item.words)
        return ("app" if how or left else ""), besides or left or how == "sheet"
    return by_effects(item.effects, item.words) if item.words or item.effects else ("app", False)


PLAIN = "No further rules"


def of_keyword(keyword: s.Keyword) -> tuple[How, bool]:
    """Return who applies a keyword, as the pack states."""
    return ("sheet" if keyword.by == "table" else "app" if keyword.by else ""), keyword.by == "both"


def of_entry(entry: Any) -> tuple[How, bool]:
    """Return who applies a list rule, ability, profile or upgrade, judged by its effects.

    An entry without text yields no answer.
    """
    return by_effects(entry.effects, entry.words) if entry.words or entry.effects else ("app", False)


def of_deed(deed: ce.Deed) -> tuple[How, bool]:
    """Return who applies a deed: the players report it and the app books it."""
    return ("app" if deed.glory or deed.victory_points or deed.leader_learns else ""), False


def does(content: Content) -> tuple[Does, ...]:
    """Return every text of the edition that has a rule in it, with who applies it."""
    return tuple(_all(content))


def _all(content: Content) -> Iterator[Does]:
    yield from _location_lines(content)
    yield from _skill_lines(content)
    pack = content.pack
    for trauma in sorted(pack.traumas, key=lambda t: t.first):
        yield Does("Traumas", "trauma", trauma.id, trauma.name, *of_trauma(trauma), is_named(trauma.effects))
    for deed in pack.deeds:
        yield Does("Glorious deeds", "deed", deed.id, deed.name, *of_deed(deed))
    tables: tuple[tuple[str, str, Iterable[Any]], ...] = (
        ("List rules", "rule", pack.rules),
        ("Profiles", "profile", pack.profiles),
        ("Abilities", "ability", pack.abilities),
        ("Upgrades", "upgrade", pack.upgrades),
        ("Lasting effects", "lasting", pack.lasting),
    )
    for heading, kind, entries in tables:
        for entry in entries:
            yield Does(heading, kind, entry.id, entry.name, *of_entry(entry), is_named(entry.effects))
    for item in pack.items:
        how, besides = of_item(content, item)
        named = is_named(item.effects) or (item.weapon and besides)
        yield Does("Weapons" if item.weapon else "Kit", "item", item.id, item.name, how, besides, named)
    for keyword in pack.keywords:
        yield Does("Keywords", "keyword", keyword.id, keyword.name, *of_keyword(keyword))


def _location_lines(content: Content) -> Iterator[Does]:
    for rarity in ("common", "rare", "legendary"):
        heading = f"{rarity.capitalize()} locations"
        for location in (x for x in content.pack.locations if x.rarity == rarity):
            for option in location.options or (None,):
                name = f"{location.name}, way {option.name}" if option else location.name
                yield Does(heading, "location", location.id, name, *of_option(content, location, option))


def _skill_lines(content: Content) -> Iterator[Does]:
    """Yield the skills of patrons, then all others."""
    pack = content.pack
    patrons = [
        (f"Patron skills, {patron.name}", content.skills[id_]) for patron in pack.patrons for id_ in patron.skills
    ]
    of_patrons = {skill.id for _, skill in patrons}
    others = [skill for skill in pack.skills if skill.id not in of_patrons]
    headings = [("Exploration skills" if skill.kind == "exploration" else "Skills", skill) for skill in others]
    for heading, skill in (*patrons, *headings):
        yield Does(heading, "skill", skill.id, skill.name, *of_skill(content, skill), is_named(skill.effects))


LONG = 9  # words: any run of this many is checked for being a copied sentence


def _written(name: str) -> str:
    """Return a name as Markdown.

    In a very long name one space is written as an entity, since it is a name and not a sentence.
    """
    words = name.split(" ")
    if len(words) < LONG - 1:
        return name
    return " ".join(words[:4]) + "&#32;" + " ".join(words[4:])


def told(parts: Iterable[tuple[str, Iterable[Does]]]) -> str:
    """Return the list as a page of the docs, part by part, each with its heading."""
    lines = [
        "# What the app does, and what the sheet reminds of",
        "",
        "This page lists every entry of the packs, edition by edition. Each one belongs to one of two groups:",
        "",
        "- **The app does so:** it checks the rule, changes the roster or the ledger, or includes it in a roll.",
        "- **A reminder on the sheet:** only the players can apply it at the table.",
        "",
        "\\* The app does its part. What happens at the table stands on the sheet.",
        "",
        "† The odds of an attack include the rest of it. What only the table can know stands on the list of the rules browser.",
        "",
        "Players decide about glorious deeds. Once one is reported, the app adds its reward.",
        "",
        "Written by `python manage.py what_it_does`; a test compares it with the packs.",
    ]
    for title, texts in parts:
        lines += ["", f"## {title}"]
        listed: dict[str, dict[str, list[str]]] = {}
        for one in texts:
            name = _written(one.name) + ("*" if one.besides else "") + ("†" if one.named else "")
            listed.setdefault(one.heading, {}).setdefault(one.how, []).append(name)
        for heading, by in listed.items():
            lines += ["", f"### {heading}", ""]
            for how in ("app", "sheet", ""):
                if names := sorted(set(by.get(how, ()))):
                    lines.append(f"- {WORDS[how]} ({len(names)}): {'; '.join(names)}")
    return "\n".join(lines) + "\n"
