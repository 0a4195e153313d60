"""The charts of the campaign as single rolls: trauma, survival, skills, promotion, exploration.

The sequence itself is in `steps`.

Source: Campaign rules 1.6.3, "Injuries and Battle Scars", "Experience and Advancement", "Non-Elite Promotions",
"Exploration"; campaign rules 1.0, "Trauma Step", "Promotions and Experience", "Exploration".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from rules.content.compiled import Content
from rules.content.names import nearest, plain
from rules.formatting import listed
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.roller import Pool, Resolved, Roller
from rules.translation import gettext
from rules.trench_crusade.steps.experience import NO_SKILL, substitute
from rules.vocabulary import DiesEffect, RetiresEffect

Name = Annotated[str, Meta(max_length=120)]


class TraumaRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The D66 of an ELITE fighter Out of Action.

    `suffered`: its traumas, by name or id; `scars` so far; `scar_limit`: how many it survives.
    """

    suffered: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    scars: Annotated[int, Meta(ge=0, le=9)] = 0
    scar_limit: Annotated[int, Meta(ge=0, le=9)] | None = None


class SurvivalRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The D6 of every other fighter Out of Action."""


class SkillRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """2D6 on one or two skill tables, by name or id.

    `known`: skills the fighter has. `patron_open`: its patron has one left to teach.
    """

    tables: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
    known: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()
    patron_open: bool = True


class PromotionRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Promotion dice in the order of rolling: how many each fighter has.

    `missed`: dice in a row that failed before; `elite`: how many ELITE fighters there are.
    """

    dice: Annotated[tuple[Annotated[int, Meta(ge=0, le=12)], ...], Meta(max_length=30)]
    missed: Annotated[int, Meta(ge=0, le=20)] = 0
    elite: Annotated[int, Meta(ge=0, le=20)] = 0


class ExplorationRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Exploration dice after a number of battles.

    `extra`: dice of skills. `reroll`: dice rolled again, by position from 1, in that order.

    `add`: what skills add to the total or to dice. `table`: the chosen table, if there is a choice. `known`: places
    found before.
    """

    battles: Annotated[int, Meta(ge=1, le=60)] = 1
    extra: Annotated[int, Meta(ge=0, le=6)] = 0
    reroll: Annotated[tuple[Annotated[int, Meta(ge=1, le=12)], ...], Meta(max_length=12)] = ()
    add: Annotated[int, Meta(ge=-12, le=12)] = 0
    table: Name = ""
    known: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()


def _ids(entries: Mapping[str, Any], names: tuple[str, ...], what: str) -> frozenset[str]:
    """The ids of names or ids as people write them. Raises Refusal with the nearest names for one that nobody knows."""
    spellings = {plain(key): key for key in entries} | {plain(entry.name): key for key, entry in entries.items()}
    found = set()
    for name in names:
        key = spellings.get(plain(name))
        if key is None:
            near = nearest(name, spellings, {key: entry.name for key, entry in entries.items()})
            mend = gettext(" Is it {near}?").format(near=listed(near, "or")) if near else ""
            raise Refusal(
                gettext("No {what} is called “{name}”.{mend}").format(what=what, name=name, mend=mend),
                code="unknown-name",
            )
        found.add(key)
    return frozenset(found)


def _skill_table(tables: Mapping[str, Any], name: str) -> str:
    """The id of a skill table by its name or id, with or without "Skills", "Table" and what stands behind "and". Raises Refusal."""
    wanted = plain(
        " ".join(word for word in name.split() if plain(word) not in ("skill", "skills", "table", "and", ""))
    )
    begun = [
        key for key in tables if wanted and wanted in (plain(key.replace("-and-", "-")), plain(key.partition("-")[0]))
    ]
    if len(begun) == 1:
        return begun[0]
    (found,) = _ids(tables, (name,), gettext("skill table"))
    return found


def resolve_trauma(content: Content, data: TraumaRoll, roller: Roller) -> Resolved:
    """Roll on the trauma chart; a scar that is borne already is rolled again. Outcome: the trauma's id.

    Effects: `trauma` (its name), `scar`, `scars`, `dies` or `leaves` for a scar too many. Raises Refusal for a name nobody knows.
    """
    suffered = _ids(content.traumas, data.suffered, "trauma")
    limit = content.campaign.scar_limit if data.scar_limit is None else data.scar_limit
    rolled: list[int] = []
    while True:
        tens, units = roller.die(6, gettext("Trauma, tens")), roller.die(6, gettext("Trauma, units"))
        rolled += (tens, units)
        number = tens * 10 + units
        trauma = content.trauma_at(number)
        if not (trauma.scar and not trauma.repeatable and trauma.id in suffered):
            break
    effects: list[Mapping[str, Any]] = [{"trauma": trauma.name}, {"scar": trauma.scar}]
    told = f"{number}: {trauma.name}."
    scars = data.scars + (1 if trauma.scar else 0)
    if any(isinstance(effect, DiesEffect) for effect in trauma.effects):
        effects.append({"dies": True})
    elif any(isinstance(e, RetiresEffect) and trauma.id in suffered and e.times <= 2 for e in trauma.effects):
        effects.append({"leaves": True})
    elif trauma.scar:
        effects.append({"scars": scars})
        if scars > limit:
            effects.append({content.campaign.rules.last_scar: True})
            told += gettext(" Scar {scars} of {limit}: it is too many.").format(scars=scars, limit=limit)
    return Resolved(trauma.id, told, tuple(rolled), (tens, units), number, effects=tuple(effects))


def trauma_odds(content: Content, data: TraumaRoll) -> Mapping[str, int]:
    """How many of the faces that count lead to each trauma; those that are rolled again are left out."""
    suffered = _ids(content.traumas, data.suffered, "trauma")
    found: dict[str, int] = {}
    for number in (tens * 10 + units for tens in range(1, 7) for units in range(1, 7)):
        trauma = content.trauma_at(number)
        if not (trauma.scar and not trauma.repeatable and trauma.id in suffered):
            found[trauma.id] = found.get(trauma.id, 0) + 1
    return found


def resolve_survival(content: Content, data: SurvivalRoll, roller: Roller) -> Resolved:
    """The D6 of a fighter that is not ELITE. Outcomes: dies, survives."""
    dies_on = content.campaign.troop_dies_on
    face = roller.die(6, gettext("Survival"), (max(dies_on) + 1,))
    outcome = "dies" if face in dies_on else "survives"
    effects = ({"dies": True},) if outcome == "dies" else ()
    return Resolved(
        outcome,
        gettext("Survival: {face}, it {outcome}.").format(face=face, outcome=outcome),
        (face,),
        (face,),
        face,
        effects=effects,
    )


def resolve_skill(content: Content, data: SkillRoll, roller: Roller) -> Resolved:
    """2D6 on each table; a known skill gives way to the next lower one, else the next higher. Outcome: the skill's id, or patron.

    Of two tables the outcome names the first; both stand in steps, for the player takes one. Raises Refusal for an unknown name.
    """
    skills = _ids(content.skills, data.known, "skill")
    steps = []
    for name in data.tables:
        table = content.skill_tables[_skill_table(content.skill_tables, name)]
        fell = roller.pool(Pool(2, 0), table.name, tuple(range(3, 13)))
        patron = ("open",) if data.patron_open else ()
        row = substitute(table, fell.total, skills, patron, content.campaign.rules.patron_row_counts)
        outcome = "none" if row.skill == NO_SKILL else row.skill or "patron"
        title = content.skills[row.skill].name if row.skill in content.skills else outcome
        steps.append(
            Resolved(
                outcome, f"{table.name}, {fell.total}: {title}.", fell.rolled, fell.kept, fell.total,
                effects=({"skill": title}, {"row": row.roll}),
            )
        )  # fmt: skip
    if len(steps) == 1:
        return steps[0]
    return Resolved(
        steps[0].outcome, " ".join(step.told for step in steps), tuple(f for step in steps for f in step.rolled),
        steps[0].kept, steps[0].total, steps=tuple(steps),
    )  # fmt: skip


def resolve_promotion(content: Content, data: PromotionRoll, roller: Roller) -> Resolved:
    """Roll promotion dice fighter by fighter, one by one; a six promotes. Outcome: how many rise.

    After so many failures in a row the next die is a six without a roll. Effects: `promoted` (places from 1), `missed` for next time.
    """
    numbers = content.campaign
    several = numbers.rules.promotions == "several"
    missed, elite = data.missed, data.elite
    promoted: list[int] = []
    rolled: list[int] = []
    for place, dice in enumerate(data.dice, 1):
        for _ in range(dice):
            if elite >= numbers.elite_cap or (promoted and not several):
                break
            sure = missed >= numbers.promotion_misses
            face = 6 if sure else roller.die(6, gettext("Promotion, fighter {place}").format(place=place), (6,))
            if not sure:
                rolled.append(face)
            if face == 6:
                promoted.append(place)
                missed = 0
                elite += 1
                break
            missed += 1
    effects: tuple[Mapping[str, Any], ...] = ({"promoted": promoted}, {"missed": missed})
    told = (
        gettext("Fighter {listed} joins the ELITE.").format(listed=", ".join(map(str, promoted)))
        if promoted
        else gettext("No promotion.")
    )
    return Resolved(str(len(promoted)), told, tuple(rolled), effects=effects)


def resolve_exploration(content: Content, data: ExplorationRoll, roller: Roller) -> Resolved:
    """Exploration dice by battles fought, with re-rolls; the exact total finds places. Outcome: the place's id, several with +, or nothing.

    Effects: `table` and `location` for each place, `loot` in ducats. Raises Refusal for a table that is not open.
    """
    band = next(
        b
        for b in content.campaign.exploration
        if b.first <= data.battles and (b.last is None or data.battles <= b.last)
    )
    tables = _open_tables(content, data, band.tables)
    rolled, faces, total = _explored(data, band.dice + data.extra, roller)
    total += data.add
    found_before = _ids(content.locations, data.known, "location")
    found = [
        place
        for place in content.pack.locations
        if place.rarity in tables and place.score == total and place.id not in found_before
    ]
    loot = max(0, total) * content.campaign.loot_ducats_per_point
    effects: list[Mapping[str, Any]] = [{"loot": loot}]
    for location in found:
        effects.append({"location": location.name, "table": location.rarity})
    names = " or ".join(location.name for location in found) or gettext("nothing new")
    outcome = "+".join(location.id for location in found) or "nothing"
    return Resolved(
        outcome,
        gettext("{total}: {names}; {loot} ducats of loot.").format(total=total, names=names, loot=loot),
        rolled,
        faces,
        total,
        effects=tuple(effects),
    )


def _open_tables(content: Content, data: ExplorationRoll, tables: tuple[str, ...]) -> tuple[str, ...]:
    """The tables on which the roll counts, of those open. Raises Refusal."""
    if data.table:
        if data.table.casefold() not in tables:
            raise Refusal(
                gettext("Open after {battles} battles: {tables}.").format(
                    battles=data.battles, tables=", ".join(tables)
                ),
                code="exploration",
            )
        return (data.table.casefold(),)
    if content.campaign.rules.exploration_table == "chosen" and len(tables) > 1:
        raise Refusal(
            gettext("The table is chosen before the dice fall: {tables}.").format(tables=" or ".join(tables)),
            code="exploration",
        )
    return tables


def _explored(data: ExplorationRoll, count: int, roller: Roller) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """So many exploration dice: all that were rolled, those that count, and their sum. Raises Refusal."""
    if not data.reroll:  # only the sum matters
        fell = roller.pool(Pool(count, 0), gettext("Exploration"), tuple(range(count + 1, 6 * count + 1)))
        return fell.rolled, fell.rolled, fell.total
    faces = [roller.die(6, gettext("Exploration")) for _ in range(count)]
    rolled = list(faces)
    for number in data.reroll:
        if number > count:
            raise Refusal(
                gettext("There are {count} dice; die {number} cannot be rolled again.").format(
                    count=count, number=number
                ),
                code="exploration",
            )
        faces[number - 1] = roller.die(6, gettext("Exploration, die {number} again").format(number=number))
        rolled.append(faces[number - 1])
    return tuple(rolled), tuple(faces), sum(faces)
