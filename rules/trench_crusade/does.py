"""What the app itself does of the campaign's results, and what only the table can apply and stands on the sheet as a reminder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rules import vocabulary as v
from rules.content import schema as s
from rules.content.compiled import Content
from rules.trench_crusade.steps.exploration import CHANGES

How = Literal["app", "sheet", ""]
WORDS = {"app": "The app does so", "sheet": "A reminder on the sheet", "": "nowhere"}


@dataclass(frozen=True, slots=True)
class Does:
    """One result: under which heading it stands, its name, who does it, and whether a part of it stands on the sheet besides."""

    heading: str
    kind: str
    id: str
    name: str
    how: How
    besides: bool = False


def by_effects(effects: Sequence[Any], words: str) -> tuple[How, bool]:
    """Who does what these effects say: the app as soon as one of them is more than a reminder. `words` are what the sheet prints."""
    reminders = [e for e in effects if isinstance(e, v.ReminderEffect)]
    if len(reminders) < len(effects):
        return "app", bool(reminders) and bool(words)
    return ("sheet" if reminders and words else ""), False


def of_skill(content: Content, skill: s.Skill) -> tuple[How, bool]:
    """Skills: by their effects; the exploration step knows those that change its dice by id."""
    if skill.kind == "exploration" and skill.id in CHANGES:
        return "app", False
    return by_effects(skill.effects, skill.summary)


def of_trauma(trauma: s.Trauma) -> tuple[How, bool]:
    """Traumas: by their effects; a result that does nothing is written down as such."""
    if not trauma.effects:
        return "app", False
    return by_effects(trauma.effects, trauma.summary)


def of_option(content: Content, place: s.Location, option: s.LocationOption | None) -> tuple[How, bool]:
    """Ways of a location: the app hands out the rewards; a lasting find that only the table applies stands on the sheet."""
    rewards = (*place.rewards, *(option.rewards if option else ()))
    done, told = False, False
    for reward in rewards:
        if isinstance(reward, v.LastingReward):
            lasting = content.lasting.get(reward.lasting)
            how, _ = by_effects(lasting.effects, lasting.summary) if lasting else ("", False)
            done, told = done or how == "app", told or how == "sheet"
        else:
            done = True
    return ("app" if done else "sheet" if told else ""), done and told


def of_deed(deed: s.Deed) -> tuple[How, bool]:
    """Deeds: reported by the players, then booked by the app."""
    return ("app" if deed.glory or deed.victory_points or deed.leader_learns else ""), False


def does(content: Content) -> tuple[Does, ...]:
    """Every location option, skill, trauma, deed and patron skill of the edition, with who does it."""
    return tuple(_all(content))


def _all(content: Content) -> Iterator[Does]:
    pack = content.pack
    for rarity in ("common", "rare", "legendary"):
        for place in (x for x in pack.locations if x.rarity == rarity):
            heading = f"{rarity.capitalize()} locations"
            if not place.options:
                yield Does(heading, "location", place.id, place.name, *of_option(content, place, None))
            for option in place.options:
                yield Does(
                    heading,
                    "location",
                    place.id,
                    f"{place.name}, way {option.name}",
                    *of_option(content, place, option),
                )
    of_patrons = {skill: patron.name for patron in pack.patrons for skill in patron.skills}
    for patron in pack.patrons:
        for skill_id in patron.skills:
            skill = content.skills[skill_id]
            yield Does(f"Patron skills, {patron.name}", "skill", skill.id, skill.name, *of_skill(content, skill))
    for skill in pack.skills:
        if skill.id not in of_patrons:
            heading = "Exploration skills" if skill.kind == "exploration" else "Skills"
            yield Does(heading, "skill", skill.id, skill.name, *of_skill(content, skill))
    for trauma in sorted(pack.traumas, key=lambda t: t.first):
        yield Does("Traumas", "trauma", trauma.id, trauma.name, *of_trauma(trauma))
    for deed in pack.deeds:
        yield Does("Glorious deeds", "deed", deed.id, deed.name, *of_deed(deed))


LONG = 9  # words: so many in a row are looked for as a copied sentence


def _written(name: str) -> str:
    """A name as Markdown; a very long one with a space that is spelled out, since it is a name and no sentence."""
    words = name.split(" ")
    if len(words) < LONG - 1:
        return name
    return " ".join(words[:4]) + "&#32;" + " ".join(words[4:])


def told(contents: Iterable[Content]) -> str:
    """The list as a page of the docs, edition by edition."""
    lines = [
        "# What the app does, and what the sheet reminds of",
        "",
        "Every location option, skill, trauma, deed and patron skill, edition by edition. Either the app does what it says (it changes the",
        "roster, the ledger or a later roll, as soon as it is written down), or only the table can apply it and it stands on the sheet as a",
        "reminder. There is no third category, and a test fails for an entry in neither. A star: the app does its part, and what happens at",
        "the table stands on the sheet besides. Glorious deeds are judged by the players; once reported, the app books what they are worth.",
        "",
        "Written by `python manage.py what_it_does`; a test compares it with the packs.",
    ]
    for content in contents:
        lines += ["", f"## {content.pack.name}"]
        listed: dict[str, dict[str, list[str]]] = {}
        for one in does(content):
            name = _written(one.name) + ("*" if one.besides else "")
            listed.setdefault(one.heading, {}).setdefault(one.how, []).append(name)
        for heading, by in listed.items():
            lines += ["", f"### {heading}", ""]
            for how in ("app", "sheet", ""):
                if by.get(how):
                    lines.append(f"- {WORDS[how]} ({len(by[how])}): {'; '.join(sorted(by[how]))}")
    return "\n".join(lines) + "\n"
