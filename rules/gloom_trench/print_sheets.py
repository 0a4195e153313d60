"""Gloom Trench 1926 on paper: the force sheet, the turn sheet, chits and unit cards to cut out, and the quick reference.

Distances are printed in the force's own unit alone. Dice are told as "D6", "D8", "D12"; the template draws them as shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.custom import check
from rules.custom.content import CustomContent
from rules.custom.parse import slug
from rules.custom.reference import ReferenceSheet, in_columns
from rules.custom.sheet import points_words
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.formatting import profile_beside
from rules.gloom_trench import force as forces
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.interpretations import WHEN_TESTED, chosen
from rules.gloom_trench.profiles import BANDS, COMMANDER, SMALL, SQUAD, has_keyword
from rules.gloom_trench.reference import reference_parts
from rules.gloom_trench.resolvers import units as table
from rules.gloom_trench.resolvers.pool import FOG
from rules.sheets import DrawnSheet, SheetChoice

STRESS_BOXES = 8
TURNS = 8
POOL_BOXES = 20
MOST_PIPS = 9  # more wounds than that are told as a number
MOST_CIRCLES = 60
CARD_LINES, CARD_FOOT = 25, 3.6  # lines of text on a card, and those that its boxes take
CARD_LETTERS = 42  # of a line of a card, reckoned narrow
CONTINUED = ", continued"
UNITS = {"28mm": "″", "15mm": " cm"}
SCALES = {"28mm": "28 mm, distances in inches", "15mm": "15 mm, distances in centimetres"}
FIGURES = (("combat", "Combat"), ("damage", "Damage"), ("defence", "Defence"), ("save", "Save"), ("wounds", "Wounds"), ("command", "Command"))  # fmt: skip
DICE = ("D6", "D8", "D12")

CHOICES = (
    SheetChoice("force", "Force sheet", "every unit with its figures, weapons, rules and boxes", usual=True),
    SheetChoice("turn", "Turn sheet", "the phases, the Tactical Pool, turns, initiative and Fog", usual=True),
    SheetChoice("reference", "Quick reference", "the rules in play on one page", usual=True),
    SheetChoice("chits", "Chits", "to cut out: one for each unit, the initiative, and Fog"),
    SheetChoice("cards", "Unit cards", "63 × 88 mm, to cut out"),
)
TEMPLATES = {choice.id: f"print/gloom_trench/{choice.id}.html" for choice in CHOICES} | {
    "reference": "print/reference.html"
}


@dataclass(frozen=True, slots=True)
class UnitFigure:
    """A characteristic: its label, and what stands there. `die`: it is drawn as one."""

    label: str
    words: str
    die: bool = False


@dataclass(frozen=True, slots=True)
class ModelRow:
    """Models of one profile: a circle for each, with its wounds as pips if it has several. `lost` fell in earlier battles."""

    name: str
    count: int
    circles: tuple[bool, ...]  # whether it is gone already
    more: int  # those beyond the circles drawn
    pips: range
    wounds_words: str
    lost: int
    is_leader: bool
    figures: tuple[UnitFigure, ...]
    keywords: str


@dataclass(frozen=True, slots=True)
class WeaponBandRow:
    """How far a band of a weapon reaches, and its die."""

    reach: str
    die: str


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon with its three bands; a band it lacks is None. `carried` says who has it and how many dice that makes."""

    name: str
    carried: str
    dice: str
    bands: tuple[WeaponBandRow | None, ...]
    special: str


@dataclass(frozen=True, slots=True)
class StressBox:
    """A box for a Stress token. `bar`: the bar stands before it. `tests`: with this many the unit tests."""

    number: int
    bar: bool
    tests: bool


@dataclass(frozen=True, slots=True)
class UnitBlock:
    name: str
    profile_name: str
    faction: str
    keywords: tuple[str, ...]
    rating_words: str
    figures: tuple[UnitFigure, ...]
    models: tuple[ModelRow, ...]
    weapons: tuple[WeaponRow, ...]
    orders: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    stress: tuple[StressBox, ...]
    stress_words: str
    has_leader: bool
    small_words: str


@dataclass(frozen=True, slots=True)
class ForceSheet:
    """The whole force. `facts` are labelled texts, `figures` labelled numbers."""

    facts: tuple[tuple[str, str], ...]
    figures: tuple[tuple[str, str], ...]
    formation: tuple[tuple[str, str], ...]
    units: tuple[UnitBlock, ...]
    dice: tuple[str, ...]
    turns: range


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A line of the turn: its name, and what is done."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class TurnSheet:
    """The phases in their order, and what is counted while they last."""

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
    """The chits of a bag: of both sides, as many as this force has, and the Fog."""

    groups: tuple[tuple[str, str, tuple[Chit, ...]], ...]


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit card. A unit with much to say takes several; figures and boxes stand on the first."""

    block: UnitBlock
    number: int
    of: int
    weapons: tuple[WeaponRow, ...]
    texts: tuple[tuple[str, str], ...]

    @property
    def is_first(self) -> bool:
        """Whether the figures stand on it."""
        return self.number == 1


@dataclass(frozen=True, slots=True)
class CardSheet:
    cards: tuple[UnitCard, ...]
    dice: tuple[str, ...]


def sheet_choices(content: CustomContent) -> tuple[SheetChoice, ...]:
    return CHOICES


def drawn_sheet(content: CustomContent, force: Force, sheet: str) -> DrawnSheet:
    """One of the sheets. Raises KeyError for an unknown id."""
    choice = {each.id: each for each in CHOICES}[sheet]
    title = f"{FORCE_RULES.name}: {choice.name.lower()}" if sheet == "reference" else choice.name
    return DrawnSheet(choice.id, title, TEMPLATES[choice.id], _DRAW[choice.id](content, force))


# --- the force ---------------------------------------------------------------------------------------------------------------


def scale_of(force: Force) -> str:
    """The force's scale, 28 mm by default."""
    scale = str(force.choices.get("scale") or "28mm")
    return scale if scale in SCALES else "28mm"


def reach(number: float, scale: str) -> str:
    """A distance in the unit of the scale."""
    return f"{number:g}{UNITS[scale]}"


def told(unit: ForceUnit, *, at_strength: bool = False) -> table.Unit:
    """The unit as input of the rules, without the losses of earlier battles."""
    data, counts = unit.data, unit.counts if at_strength else unit.left
    groups = tuple(
        table.Group(
            name=model["name"], count=min(100, counts.get(model["name"], 0)), command=model.get("command"),
            keywords=("Squad Leader",) if model.get("squad_leader") else (),
        )
        for model in data["models"]
    )  # fmt: skip
    return table.Unit(
        name=unit.name, models=groups, command=data["command"], keywords=tuple(data["keywords"]),
        tactics_range=data.get("tactics_range"),
    )  # fmt: skip


def force_block(content: CustomContent, force: Force) -> ForceSheet:
    units, scale = FORCE_RULES.units(force), scale_of(force)
    facts = [("Scale", SCALES[scale])]
    if faction := str(force.choices.get("faction") or ""):
        facts.insert(0, ("Faction", faction))
    if name := _formation_name(force):
        facts.append(("Formation", name))
    return ForceSheet(
        facts=tuple(facts),
        figures=_figures(content, force, units),
        formation=_formation_words(force),
        units=tuple(unit_block(content, unit, scale) for unit in units),
        dice=DICE,
        turns=range(1, TURNS + 1),
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
    more = f"+{data['tactical_points']} TP at the start." if data.get("tactical_points") else ""
    words = " ".join(part for part in (str(data.get("text") or "").strip(), more) if part)
    lines = [(_formation_name(force) or "Formation", words)]
    if data.get("required"):
        lines.append(("Asks for", str(data["required"])))
    return tuple(lines)


def _table_force(force: Force, units: Sequence[ForceUnit]) -> table.Force:
    bonus = int(forces.formation_of(force).get("tactical_points") or 0)
    return table.Force(units=tuple(told(unit) for unit in units[:100]), formation=bonus or None)


def _figures(content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> tuple[tuple[str, str], ...]:
    all_of_them = _table_force(force, units)
    command = table.force_command(content, all_of_them)
    bonus = all_of_them.formation if isinstance(all_of_them.formation, int) else 0
    limit, rating = check.points_limit(content, force), check.rating(FORCE_RULES.units(force)).ducats
    figures = [
        ("Units", str(len(units))),
        ("Models", str(sum(sum(unit.left.values()) for unit in units))),
        ("Command", str(command)),
        ("Starting TP", str(command + bonus)),
        ("Chits", str(sum(unit.on_table for unit in all_of_them.units))),
    ]
    if rating or limit is not None:
        figures.append(("Points", str(rating) if limit is None else f"{rating} of {limit}"))
    return tuple(figures)


def unit_block(content: CustomContent, unit: ForceUnit, scale: str) -> UnitBlock:
    data, at_table = unit.data, told(unit)
    command = table.unit_command(content, at_table)
    models = tuple(_models(unit))
    leaders = [model for model in models if model.is_leader and model.count]
    figures = [*_unit_figures(data)]
    if data.get("tactics_range") is not None:
        figures.append(UnitFigure("Tactics", reach(data["tactics_range"], scale)))
    return UnitBlock(
        name=unit.name,
        profile_name=profile_beside(unit.name, unit.profile_name),
        faction=str(data.get("faction") or ""),
        keywords=tuple(data["keywords"]),
        rating_words=points_words(unit.worth),
        figures=tuple(figures),
        models=models,
        weapons=tuple(_weapons(unit, scale)),
        orders=tuple((order["name"], order["text"]) for order in data["unit_orders"]),
        rules=tuple((rule["name"], _rule_words(rule, scale)) for rule in data["special_rules"]),
        stress=tuple(stress_boxes(content, command)),
        stress_words=_stress_words(content, at_table, command, leaders),
        has_leader=bool(leaders) or has_keyword(data, SQUAD),
        small_words="counts as a Small Unit" if table.is_small(at_table) and not has_keyword(data, SMALL) else "",
    )


def _unit_figures(data: Mapping[str, Any]) -> Iterator[UnitFigure]:
    for key, label in FIGURES:
        yield UnitFigure(label, str(data[key]), die=data[key] in DICE)


def _models(unit: ForceUnit) -> Iterator[ModelRow]:
    for model in unit.data["models"]:
        count = unit.counts.get(model["name"], 0)
        if not count:
            continue
        wounds, left = model.get("wounds") or unit.data["wounds"], unit.left.get(model["name"], count)
        differs = tuple(
            UnitFigure(label, str(model[key]), die=model[key] in DICE)
            for key, label in FIGURES
            if model.get(key) not in (None, "") and model[key] != unit.data[key]
        )
        yield ModelRow(
            name=model["name"],
            count=count,
            circles=tuple(n >= left for n in range(min(count, MOST_CIRCLES))),
            more=max(0, count - MOST_CIRCLES),
            pips=range(wounds if 1 < wounds <= MOST_PIPS else 0),
            wounds_words=f"{wounds} Wounds each" if wounds > MOST_PIPS and wounds == unit.data["wounds"] else "",
            lost=count - left,
            is_leader=bool(model.get("squad_leader")),
            figures=differs,
            keywords=", ".join(model.get("keywords") or ()),
        )


def _weapons(unit: ForceUnit, scale: str) -> Iterator[WeaponRow]:
    """The weapons that somebody left carries; all of the profile if it does not say who carries them."""
    carriers: dict[str, list[tuple[str, int]]] = {}
    chosen_ones = forces.weapons(unit)
    for name, count in unit.left.items():
        if count and chosen_ones.get(name):
            carriers.setdefault(slug(chosen_ones[name]), []).append((name, count))
    for weapon in unit.data["weapons"]:
        who = carriers.get(slug(weapon["name"]), [])
        if carriers and not who:
            continue
        each = weapon.get("dice_per_model") or 1
        dice = sum(count for _, count in who) * each
        alone = len(unit.counts) == 1
        yield WeaponRow(
            name=weapon["name"],
            carried="" if alone else ", ".join(f"{count} {name}" for name, count in who),
            dice=f"{dice}" if who and each == 1 else f"{dice} ({each} a model)" if who else f"{each} a model",
            bands=tuple(
                WeaponBandRow(reach(weapon[f"{band}_range"], scale), weapon[f"{band}_die"])
                if weapon[f"{band}_range"] is not None and weapon[f"{band}_die"]
                else None
                for band in BANDS
            ),
            special=weapon.get("special") or "",
        )


def _rule_words(rule: Mapping[str, Any], scale: str) -> str:
    if rule["text"]:
        return str(rule["text"])
    return f"Friends within {reach(3, scale)} are Obscured." if rule["effect"] == "obscuring" else ""


def stress_boxes(content: CustomContent, command: int) -> Iterator[StressBox]:
    """The boxes of a unit; the bar stands before the first box with which it tests."""
    calm = 0 if chosen(content, WHEN_TESTED) == "any-stress" else command
    for number in range(1, STRESS_BOXES + 1):
        yield StressBox(number, bar=number == calm + 1, tests=number > calm)


def _stress_words(content: CustomContent, unit: table.Unit, command: int, leaders: Sequence[ModelRow]) -> str:
    """What the bar goes by, and what is left of it without the leader."""
    if chosen(content, WHEN_TESTED) == "any-stress":
        return f"test with any; Command {command}"
    if command >= STRESS_BOXES:
        return f"test above {command}"
    words = f"right of the bar: test (Command {command}"
    names = {model.name for model in leaders}
    rest = tuple(group for group in unit.groups if group.name not in names)
    if names and any(group.count for group in rest):
        without = table.unit_command(content, table.Unit(models=rest, command=unit.command))
        if without != command:
            words += f"; {without} without {' and '.join(sorted(names))}"
    return words + ")"


# --- the turn ----------------------------------------------------------------------------------------------------------------


def turn_sheet(content: CustomContent, force: Force) -> TurnSheet:
    """The turn sheet, with this force's own figures."""
    units = FORCE_RULES.units(force)
    all_of_them = _table_force(force, units)
    command = table.force_command(content, all_of_them)
    commanders = sum(has_keyword(unit.data, COMMANDER) for unit in units)
    chits = sum(unit.on_table for unit in all_of_them.units)
    gain = f"{command} D6" if command else "no dice"
    plus = f", and {commanders} for {'its Commander' if commanders == 1 else 'its Commanders'}" if commanders else ""
    phases = (
        (
            "Tactical Phase",
            (
                TurnStep("Effects", "Whatever happens now. Who lacked the initiative last turn goes first; turn 1: roll off."),
                TurnStep("Morale", "Each unit with Stress: a D8 + Command for each token, all at once. 5 or more takes one off; a natural 1 costs a model and one token."),
                TurnStep("Pool", f"Roll {gain}: a Tactical Point for each 5 or more{plus}."),
                TurnStep("Bag", f"Every chit back in: {chits} here, theirs, and {FOG} Fog."),
                TurnStep("Initiative", f"Roll {gain}, they roll theirs; more successes wins and adds a chit. A tie goes to who lacked it; turn 1: again."),
            ),
        ),
        (
            "Activations",
            (
                TurnStep("Draw", "Own chit: choose a unit that has not acted. Fog: set it aside and draw again."),
                TurnStep("Unit", "Stress for lost coherency or horrors near, then declare, test, orders, act, orders."),
                TurnStep("Third Fog", "The phase ends at once, and so it does when no chit of a player is left."),
            ),
        ),
        (
            "Turn End",
            (
                TurnStep("Effects", "Whatever happens now, the holder of the initiative first."),
                TurnStep("Pool", "A D6 for each Tactical Point left: 5 or more keeps it."),
                TurnStep("Tidy", "Clear what lasted this turn, count what is left, look at the scenario."),
                TurnStep("Tea", "Put the kettle on."),
            ),
        ),
    )  # fmt: skip
    figures = tuple(each for each in _figures(content, force, units) if each[0] in ("Command", "Starting TP", "Chits"))
    return TurnSheet(phases, figures, range(1, POOL_BOXES + 1), range(1, TURNS + 1), range(FOG))


# --- to cut out --------------------------------------------------------------------------------------------------------------


def chit_sheet(content: CustomContent, force: Force) -> ChitSheet:
    """Chits for one bag: both sides have as many as this force needs; those the other side does not need stay out."""
    units = sum(unit.on_table for unit in _table_force(force, FORCE_RULES.units(force)).units)
    sides = [
        (f"Side {letter}", f"One for each unit, one for the initiative: {units} + 1.", kind, letter)
        for letter, kind in (("A", "a"), ("B", "b"))
    ]
    groups = [
        (title, words, (*(Chit(kind, letter, "") for _ in range(units)), Chit(kind, letter, "initiative")))
        for title, words, kind, letter in sides
    ]
    fog = ("Fog of War", "The third one drawn ends the phase.", tuple(Chit("fog", "F", "Fog") for _ in range(FOG)))
    return ChitSheet((*groups, fog))


def card_sheet(content: CustomContent, force: Force) -> CardSheet:
    """A card for each unit, more where its weapons and rules need them."""
    scale = scale_of(force)
    cards: list[UnitCard] = []
    for unit in FORCE_RULES.units(force):
        block = unit_block(content, unit, scale)
        pages = list(card_pages(block))
        cards += [UnitCard(block, n, len(pages), weapons, texts) for n, (weapons, texts) in enumerate(pages, 1)]
    return CardSheet(tuple(cards), DICE)


def card_pages(block: UnitBlock) -> Iterator[tuple[tuple[WeaponRow, ...], tuple[tuple[str, str], ...]]]:
    """Weapons and named texts, card by card, by the room that they take: a line of text is one, and a card holds `CARD_LINES`."""
    head = 2 + _lines(block.name, 26) + CARD_FOOT + 3.3 + _lines(f"{block.profile_name}, {', '.join(block.keywords)}")
    head += sum(_lines(f"{m.count} {m.name} {' '.join(f.label for f in m.figures)}  ") for m in block.models)
    weapons, texts = list(block.weapons), [(f"{name}, 1 TP", words) for name, words in block.orders] + list(block.rules)
    room, first = CARD_LINES - head, True
    while first or weapons or texts:
        taken: list[WeaponRow] = []
        while weapons and room >= 1.2 + _weapon_lines(weapons[0]):
            room -= _weapon_lines(weapons[0]) + (0 if taken else 1.2)
            taken.append(weapons.pop(0))
        said: list[tuple[str, str]] = []
        while texts and not weapons:
            name, words = texts[0]
            need = _lines(f"{name} {words}") + 0.3
            if need <= room:
                said.append(texts.pop(0))
                room -= need
                continue
            part, rest = _cut(words, int((room - 1) * CARD_LETTERS) - len(name)) if room >= 4 else ("", words)
            if part:
                said.append((name, part))
                texts[0] = (f"{name.removesuffix(CONTINUED)}{CONTINUED}", rest)
            break
        yield tuple(taken), tuple(said)
        room, first = CARD_LINES - 1 - _lines(block.name, 26), False


def _lines(words: str, letters: int = 0) -> int:
    return max(1, -(-len(words) // (letters or CARD_LETTERS)))


def _weapon_lines(weapon: WeaponRow) -> float:
    """Its row is as high as its die, or as its name in a narrow column; a special rule stands below."""
    row = max(1.8, 1.1 * _lines(f"{weapon.name} {weapon.dice}", 14))
    return row + (_lines(weapon.special) if weapon.special else 0)


def _cut(words: str, room: int) -> tuple[str, str]:
    """As many whole words as fit, and the rest."""
    at = words.rfind(" ", 0, max(0, room))
    at = at if at > 0 else max(1, room)
    return words[:at].rstrip(), words[at:].lstrip()


def reference_sheet(content: CustomContent, force: Force) -> ReferenceSheet:
    """The quick reference in the force's unit of distance."""
    scale = scale_of(force)
    return in_columns(reference_parts(content, lambda number: reach(number, scale)), DICE)


_DRAW: dict[str, Any] = {
    "force": force_block,
    "turn": turn_sheet,
    "chits": chit_sheet,
    "cards": card_sheet,
    "reference": reference_sheet,
}
