"""The printed sheets of Gloom Trench 1926: force sheet, turn sheet, chits and unit cards to cut out, and quick
reference.

Distances are printed only in the force's own unit. Dice are given as "D6", "D8", "D12"; the template draws them as
shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.custom import check
from rules.custom.content import CustomContent
from rules.custom.reference import ReferenceSheet, in_columns
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.gloom_trench import force as forces
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.print_cards import ALL, PARTS, card_sheet
from rules.gloom_trench.print_units import DICE, SCALES, UnitBlock, reach, scale_of, told, unit_block
from rules.gloom_trench.profile_fields import COMMANDER, has_keyword
from rules.gloom_trench.reference import reference_parts
from rules.gloom_trench.resolvers import units as table
from rules.gloom_trench.resolvers.pool import FOG
from rules.sheets import CardPart, CardWishes, DrawnSheet, SheetChoice
from rules.translation import gettext, ngettext

TURNS = 8
POOL_BOXES = 20

LINE = 120  # letters in a line of a block
Entries = tuple[tuple[str, str], ...]  # names with their words

CHOICES = (
    SheetChoice(
        "force", gettext("Force sheet"), gettext("every unit with its figures, weapons, rules and boxes"), usual=True
    ),
    SheetChoice(
        "turn", gettext("Turn sheet"), gettext("the phases, the Tactical Pool, turns, initiative and Fog"), usual=True
    ),
    SheetChoice("reference", gettext("Quick reference"), gettext("the rules in play on one page"), usual=True),
    SheetChoice("chits", gettext("Chits"), gettext("one to cut out for each unit, for the initiative and for Fog")),
    SheetChoice("cards", gettext("Unit cards"), gettext("to cut out, 63 × 88 mm")),
)
TEMPLATES = {choice.id: f"print/gloom_trench/{choice.id}.html" for choice in CHOICES} | {
    "reference": "print/reference.html"
}


@dataclass(frozen=True, slots=True)
class ForceSheet:
    """The whole force. `facts` are labelled texts, `figures` labelled numbers; `orders` and `rules` are those of several units."""

    facts: tuple[tuple[str, str], ...]
    figures: tuple[tuple[str, str], ...]
    formation: tuple[tuple[str, str], ...]
    units: tuple[UnitBlock, ...]
    orders: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    dice: tuple[str, ...]
    turns: range


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A line of the turn: its name, and what to do."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class TurnSheet:
    """The phases in order, and what players count during them."""

    phases: tuple[tuple[str, tuple[TurnStep, ...]], ...]
    figures: tuple[tuple[str, str], ...]
    pool: range
    turns: range
    fog: range


@dataclass(frozen=True, slots=True)
class Chit:
    """A chit to cut out. `kind` is its shape: round (a), square (b) or cloud (fog)."""

    kind: str
    letter: str
    words: str


@dataclass(frozen=True, slots=True)
class ChitSheet:
    """The chits of a bag: those of both sides, as many as this force has, and the Fog."""

    groups: tuple[tuple[str, str, tuple[Chit, ...]], ...]


def sheet_choices(content: CustomContent) -> tuple[SheetChoice, ...]:
    return CHOICES


def card_parts(content: CustomContent) -> tuple[CardPart, ...]:
    return PARTS


def drawn_sheet(content: CustomContent, force: Force, sheet: str, cards: CardWishes = ALL) -> DrawnSheet:
    """Return one of the sheets. Raises KeyError for an unknown id."""
    choice = {each.id: each for each in CHOICES}[sheet]
    title = f"{FORCE_RULES.name}: {choice.name.lower()}" if sheet == "reference" else choice.name
    data = card_sheet(content, force, cards) if sheet == "cards" else _DRAW[sheet](content, force)
    return DrawnSheet(choice.id, title, TEMPLATES[choice.id], data)


# --- the force ---------------------------------------------------------------------------------------------------------------


def force_block(content: CustomContent, force: Force) -> ForceSheet:
    units, scale = FORCE_RULES.units(force), scale_of(force)
    facts = [(gettext("Scale"), SCALES[scale])]
    if faction := str(force.choices.get("faction") or ""):
        facts.insert(0, (gettext("Faction"), faction))
    if name := _formation_name(force):
        facts.append((gettext("Formation"), name))
    blocks, orders, rules = told_once([unit_block(content, unit, scale) for unit in units])
    return ForceSheet(
        facts=tuple(facts),
        figures=_figures(content, force, units),
        formation=_formation_words(force),
        units=blocks,
        orders=orders,
        rules=rules,
        dice=DICE,
        turns=range(1, TURNS + 1),
    )


def told_once(blocks: Sequence[UnitBlock]) -> tuple[tuple[UnitBlock, ...], Entries, Entries]:
    """Return the blocks, and the orders and rules of several of them, each once. The blocks then have their names alone.

    A name with different words in two units stays in its blocks, and so do words that take no more than a line.
    """
    orders = _shared([block.orders for block in blocks])
    rules = _shared([block.rules for block in blocks])
    named = (
        replace(
            block,
            orders=tuple(entry for entry in block.orders if entry not in orders),
            rules=tuple(entry for entry in block.rules if entry not in rules),
            shared_orders=tuple(name for name, words in block.orders if (name, words) in orders),
            shared_rules=tuple(name for name, words in block.rules if (name, words) in rules),
        )
        for block in blocks
    )
    return tuple(named), orders, rules


def _shared(entries: Sequence[Entries]) -> Entries:
    count = Counter(entry for each in entries for entry in dict.fromkeys(each))
    meanings = Counter(name for name, _words in count)
    return tuple(
        (name, words)
        for (name, words), units in count.items()
        if units > 1 and meanings[name] == 1 and len(f"{name} {words}") > LINE
    )


def _formation_name(force: Force) -> str:
    kept = force.state.get("formation")
    known = {profile.id: profile.name for profile in force.library}
    named = kept.get("name") if isinstance(kept, Mapping) else known.get(str(force.choices.get("formation")))
    return str(named or "")


def _formation_words(force: Force) -> tuple[tuple[str, str], ...]:
    data = forces.formation_of(force)
    if not data:
        return ()
    more = (
        gettext("+{data} TP at the start.").format(data=data["tactical_points"]) if data.get("tactical_points") else ""
    )
    words = " ".join(part for part in (str(data.get("text") or "").strip(), more) if part)
    lines = [(_formation_name(force) or gettext("Formation"), words)]
    if data.get("required"):
        lines.append((gettext("Asks for"), str(data["required"])))
    return tuple(lines)


def _table_force(force: Force, units: Sequence[ForceUnit]) -> table.ForceUnits:
    bonus = int(forces.formation_of(force).get("tactical_points") or 0)
    return table.ForceUnits(units=tuple(told(unit) for unit in units[:100]), formation=bonus or None)


def _figures(content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> tuple[tuple[str, str], ...]:
    all_of_them = _table_force(force, units)
    command = table.force_command(content, all_of_them)
    bonus = all_of_them.formation if isinstance(all_of_them.formation, int) else 0
    limit, rating = check.points_limit(content, force), check.rating(FORCE_RULES.units(force)).ducats
    figures = [
        (gettext("Units"), str(len(units))),
        (gettext("Models"), str(sum(sum(unit.left.values()) for unit in units))),
        (gettext("Command"), str(command)),
        (gettext("Starting TP"), str(command + bonus)),
        (gettext("Chits"), str(sum(unit.on_table for unit in all_of_them.units))),
    ]
    if rating or limit is not None:
        figures.append(
            (
                gettext("Points"),
                str(rating) if limit is None else gettext("{rating} of {limit}").format(rating=rating, limit=limit),
            )
        )
    return tuple(figures)


# --- the turn ----------------------------------------------------------------------------------------------------------------


def turn_sheet(content: CustomContent, force: Force) -> TurnSheet:
    """Return the turn sheet with this force's own figures."""
    units = FORCE_RULES.units(force)
    all_of_them = _table_force(force, units)
    command = table.force_command(content, all_of_them)
    commanders = sum(has_keyword(unit.data, COMMANDER) for unit in units)
    chits = sum(unit.on_table for unit in all_of_them.units)
    gain = f"{command} D6" if command else gettext("no dice")
    plus = (
        ngettext(", and {commanders} for its Commander", ", and {commanders} for its Commanders", commanders).format(
            commanders=commanders
        )
        if commanders
        else ""
    )
    phases = (
        (
            gettext("Tactical Phase"),
            (
                TurnStep(gettext("Effects"), gettext("Whatever happens now. Who lacked the initiative last turn goes first; turn 1: roll off.")),
                TurnStep(gettext("Morale"), gettext("Each unit with Stress: a D8 + Command for each token, all at once. 5 or more takes one off; a natural 1 costs a model and one token.")),
                TurnStep(gettext("Pool"), gettext("Roll {gain}: a Tactical Point for each 5 or more{plus}.").format(gain=gain, plus=plus)),
                TurnStep(gettext("Bag"), gettext("Every chit back in: {chits} here, theirs, and {fog} Fog.").format(chits=chits, fog=FOG)),
                TurnStep(gettext("Initiative"), gettext("Roll {gain}, they roll theirs; more successes wins and adds a chit. A tie goes to who lacked " "it; turn 1: again.").format(gain=gain)),
            ),
        ),
        (
            gettext("Activations"),
            (
                TurnStep(gettext("Draw"), gettext("Own chit: choose a unit that has not acted. Fog: set it aside and draw again.")),
                TurnStep(gettext("Unit"), gettext("Stress for lost coherency or horrors near, then declare, test, orders, act, orders.")),
                TurnStep(gettext("Third Fog"), gettext("The phase ends at once, and so it does when no chit of a player is left.")),
            ),
        ),
        (
            gettext("Turn End"),
            (
                TurnStep(gettext("Effects"), gettext("Whatever happens now, the holder of the initiative first.")),
                TurnStep(gettext("Pool"), gettext("A D6 for each Tactical Point left: 5 or more keeps it.")),
                TurnStep(gettext("Tidy"), gettext("Clear what lasted this turn, count what is left, look at the scenario.")),
                TurnStep(gettext("Tea"), gettext("Put the kettle on.")),
            ),
        ),
    )  # fmt: skip
    figures = tuple(
        each
        for each in _figures(content, force, units)
        if each[0] in (gettext("Command"), gettext("Starting TP"), gettext("Chits"))
    )
    return TurnSheet(phases, figures, range(1, POOL_BOXES + 1), range(1, TURNS + 1), range(FOG))


# --- to cut out --------------------------------------------------------------------------------------------------------------


def chit_sheet(content: CustomContent, force: Force) -> ChitSheet:
    """Return the chits for one bag.

    Both sides get as many as this force needs. Players leave out those that the other side does not need.
    """
    units = sum(unit.on_table for unit in _table_force(force, FORCE_RULES.units(force)).units)
    sides = [
        (
            gettext("Side {letter}").format(letter=letter),
            gettext("One for each unit, one for the initiative: {units} + 1.").format(units=units),
            kind,
            letter,
        )
        for letter, kind in (("A", "a"), ("B", "b"))
    ]
    groups = [
        (title, words, (*(Chit(kind, letter, "") for _ in range(units)), Chit(kind, letter, "initiative")))
        for title, words, kind, letter in sides
    ]
    fog = (
        gettext("Fog of War"),
        gettext("The third one drawn ends the phase."),
        tuple(Chit("fog", "F", gettext("Fog")) for _ in range(FOG)),
    )
    return ChitSheet((*groups, fog))


def reference_sheet(content: CustomContent, force: Force) -> ReferenceSheet:
    """Return the quick reference in the force's unit of distance."""
    scale = scale_of(force)
    return in_columns(reference_parts(content, lambda number: reach(number, scale)), DICE)


_DRAW: dict[str, Any] = {
    "force": force_block,
    "turn": turn_sheet,
    "chits": chit_sheet,
    "reference": reference_sheet,
}
