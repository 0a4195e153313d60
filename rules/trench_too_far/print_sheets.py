"""The printed sheets of A Trench Too Far: the company sheet, platoon cards, order and company cards, and the quick reference.

The sheets print values that players would otherwise add up at the table: Tolerance and assault dice for every number of
bases left. The rules of the table compute them. Distances are in inches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.custom import check
from rules.custom.content import CustomContent
from rules.custom.reference import ReferenceSheet, in_columns
from rules.custom.sheet import points_words
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.sheets import CardPart, CardWishes, DrawnSheet, SheetChoice
from rules.translation import gettext as _
from rules.translation import ngettext
from rules.trench_too_far import force as forces
from rules.trench_too_far.book_weapons import weapon_of
from rules.trench_too_far.charts import NAMES, QUALITY, RELIABLE, TANK_CLASS, moves
from rules.trench_too_far.force_rules import FORCE_RULES
from rules.trench_too_far.print_fit import lines_of, pages_of
from rules.trench_too_far.profile_fields import TEAM_KINDS, TRAITS, TYPES
from rules.trench_too_far.profiles import weapon_words
from rules.trench_too_far.reference import ORDERS, orders_of, reference_parts
from rules.trench_too_far.resolvers.assault import force_of, hits_on
from rules.trench_too_far.resolvers.inputs import Platoon
from rules.trench_too_far.resolvers.tolerance import tolerance_of

TALLY_BOXES = 12
REMNANT_BOXES = 12
TURNS = 8
LEFT_ROW = 5
CARD_NAMES = 220  # letters for the names on a company's card
CARD_LINES = 25  # of text on a card
MINUS = re.compile(r"-(?=\d)")

CHOICES = (
    SheetChoice("companies", _("Company sheet"), _("orders, platoons, teams and tanks with all their boxes"), usual=True),
    SheetChoice("reference", _("Quick reference"), _("the rules in play on one page"), usual=True),
    SheetChoice("orders", _("Order and company cards"), _("to cut out, 63 × 88 mm. For activation by cards, and to put beside a company")),
    SheetChoice("cards", _("Platoon cards"), _("to cut out, 63 × 88 mm. One for each platoon, team and tank platoon")),
)  # fmt: skip
PARTS = (
    CardPart("weapons", _("Weapons")),
    CardPart("left", _("Tolerance and assault dice for the bases left")),
    CardPart("boxes", _("Boxes to tick")),
)
ALL = CardWishes()
TEMPLATES = {choice.id: f"print/trench_too_far/{choice.id}.html" for choice in CHOICES} | {
    "reference": "print/reference.html"
}


@dataclass(frozen=True, slots=True)
class BaseRow:
    """Bases of one kind: a box for each, ticked if it was lost in an earlier battle."""

    name: str
    attached: bool
    boxes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """The values of a platoon with this many bases left."""

    bases: int
    tolerance: int
    dice: int


@dataclass(frozen=True, slots=True)
class PlatoonRow:
    """A platoon as its row on the sheet and its card show it."""

    name: str
    company: str
    kind: str
    quality: str
    traits: str
    carries: str
    move: str
    weapons: tuple[tuple[str, str], ...]
    bases: tuple[BaseRow, ...]
    left: tuple[tuple[Left, ...], ...]  # from full strength down, in rows of `LEFT_ROW`
    assault: str
    tally: range
    rating_words: str


@dataclass(frozen=True, slots=True)
class TeamRow:
    name: str
    company: str
    kind: str
    quality: str
    move: str
    weapon: tuple[str, str]
    is_gone: bool
    rating_words: str


@dataclass(frozen=True, slots=True)
class VehicleRow:
    """A vehicle: its save, its reliability, and what it carries."""

    name: str
    save: str
    reliability: str
    move: str
    arms: str
    is_gone: bool


@dataclass(frozen=True, slots=True)
class TankRows:
    name: str
    company: str
    vehicles: tuple[VehicleRow, ...]
    rating_words: str


@dataclass(frozen=True, slots=True)
class CompanyBlock:
    """A company and all its units. A block without a commander holds the units that belong to no company."""

    name: str
    has_commander: bool
    commander: str
    is_gone: bool
    orders: tuple[tuple[str, bool], ...]  # an order, and whether the company may be given it
    platoons: tuple[PlatoonRow, ...]
    teams: tuple[TeamRow, ...]
    tanks: tuple[TankRows, ...]
    remnants: range
    rating_words: str


@dataclass(frozen=True, slots=True)
class CompanySheet:
    facts: tuple[tuple[str, str], ...]
    figures: tuple[tuple[str, str], ...]
    blocks: tuple[CompanyBlock, ...]
    turns: range


@dataclass(frozen=True, slots=True)
class CutCard:
    """A card to cut out. `mark` shows its kind at a glance, without colour."""

    kind: str  # company, rally, artillery, order
    mark: str
    title: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CutCards:
    """Order and company cards."""

    cards: tuple[CutCard, ...]


@dataclass(frozen=True, slots=True)
class PlatoonCard:
    """A platoon's card.

    Weapons that do not fit on the first card go on the next one. The first card has the figures and boxes.
    """

    row: PlatoonRow
    number: int
    of: int
    weapons: tuple[tuple[str, str], ...]

    @property
    def is_first(self) -> bool:
        """Return whether this is the first card, which has the figures."""
        return self.number == 1


@dataclass(frozen=True, slots=True)
class TankCard:
    """A tank platoon's card, with as many vehicles as fit on it."""

    row: TankRows
    number: int
    of: int
    vehicles: tuple[VehicleRow, ...]


@dataclass(frozen=True, slots=True)
class UnitCards:
    """A card for each platoon, team and tank platoon."""

    platoons: tuple[PlatoonCard, ...]
    teams: tuple[TeamRow, ...]
    tanks: tuple[TankCard, ...]
    with_boxes: bool = True


def sheet_choices(content: CustomContent) -> tuple[SheetChoice, ...]:
    return CHOICES


def card_parts(content: CustomContent) -> tuple[CardPart, ...]:
    return PARTS


def drawn_sheet(content: CustomContent, force: Force, sheet: str, cards: CardWishes = ALL) -> DrawnSheet:
    """Return one of the sheets. Raises KeyError for an unknown id."""
    choice = {each.id: each for each in CHOICES}[sheet]
    title = f"{FORCE_RULES.name}: {choice.name.lower()}" if sheet == "reference" else choice.name
    data = unit_cards(content, force, cards) if sheet == "cards" else _DRAW[sheet](content, force)
    return DrawnSheet(choice.id, title, TEMPLATES[choice.id], data)


# --- the company sheet -------------------------------------------------------------------------------------------------------


def company_sheet(content: CustomContent, force: Force) -> CompanySheet:
    """Return every company with its units, then the units that belong to no company."""
    units = FORCE_RULES.units(force)
    blocks = _blocks(content, force, units)
    return CompanySheet(_facts(force, units), _figures(content, force, units), blocks, range(1, TURNS + 1))


def _blocks(content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> tuple[CompanyBlock, ...]:
    companies = forces.companies(units)
    known = {company.key for company in companies}
    blocks = [_block(content, force, units, company) for company in companies]
    alone = [u for u in units if u.kind != forces.COMPANY and str(u.fighter.choices.get("company") or "") not in known]
    if alone:
        blocks.append(_block(content, force, alone, None))
    return tuple(blocks)


def _facts(force: Force, units: Sequence[ForceUnit]) -> tuple[tuple[str, str], ...]:
    asked = [(_("Army"), force.choices.get("faction")), (_("Period"), force.choices.get("period"))]
    found = [(label, str(words)) for label, words in asked if words]
    initiative = []
    if force.choices.get("attacker") == "yes":
        initiative.append(_("+1, attacker"))
    if forces.mostly_militia(force, units):
        initiative.append(_("−1, mostly militia"))
    return (*found, (_("Initiative"), "; ".join(initiative) or "D6"))


def _figures(content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> tuple[tuple[str, str], ...]:
    kinds = [unit.kind for unit in units]
    vehicles = sum(forces.bases(unit) for unit in units if unit.kind == forces.TANKS)
    bases = sum(forces.bases(unit) for unit in units if unit.kind != forces.TANKS)
    limit, rating = check.points_limit(content, force), check.rating(FORCE_RULES.units(force)).ducats
    figures = [
        (_("Companies"), str(kinds.count(forces.COMPANY))),
        (_("Platoons"), str(kinds.count(forces.PLATOON))),
        (_("Teams"), str(kinds.count(forces.TEAM))),
        (_("Vehicles"), str(vehicles)),
        (_("Bases"), str(bases)),
    ]
    if rating or limit is not None:
        figures.append(
            (_("Points"), str(rating) if limit is None else _("{rating} of {limit}").format(rating=rating, limit=limit))
        )
    return tuple(figures)


def _block(content: CustomContent, force: Force, units: Sequence[ForceUnit], company: ForceUnit | None) -> CompanyBlock:
    own = forces.of_company(units, company.key) if company is not None else tuple(units)
    outstanding = company is not None and company.data["commander"] == "outstanding"
    name = company.name if company is not None else ""
    may = {"advance": company is not None and forces.advance_allowed(force, company)}
    return CompanyBlock(
        name=name or _("Independent"),
        has_commander=company is not None,
        commander=_("outstanding officer") if outstanding else "officer",
        is_gone=company is not None and not forces.bases(company),
        orders=tuple((label, may.get(key, True)) for key, label in ORDERS),
        platoons=tuple(platoon_row(content, u, name, outstanding) for u in own if u.kind == forces.PLATOON),
        teams=tuple(team_row(u, name) for u in own if u.kind == forces.TEAM),
        tanks=tuple(tank_rows(u, name) for u in own if u.kind == forces.TANKS),
        remnants=range(REMNANT_BOXES),
        rating_words=points_words(company.worth) if company is not None else "",
    )


def told(unit: ForceUnit, outstanding: bool, bases: int) -> Platoon:
    """Return the platoon as input of the rules: with this many bases left, in the open and without an order."""
    data = unit.data
    kind: Any = "rifle" if data["type"] == "infantry" or data["dismounted"] else data["type"]
    return Platoon(
        kind=kind, quality=data["quality"], traits=tuple(data["traits"]), bases=bases, grenades=data["grenades"],
        close_combat_weapons=data["close_combat_weapons"], outstanding_officer=outstanding,
    )  # fmt: skip


def platoon_row(content: CustomContent, unit: ForceUnit, company: str, outstanding: bool) -> PlatoonRow:
    """Return the platoon with its Tolerance and assault dice for every number of bases."""
    data, most = unit.data, unit.strength
    named = dict(TRAITS)
    carries = [
        words
        for key, words in (("grenades", "grenades"), ("close_combat_weapons", _("close combat weapons")), ("dismounted", "dismounted"))
        if data[key]
    ]  # fmt: skip
    whole = told(unit, outstanding, most)
    fight = force_of(content, whole)
    on, why = hits_on(content, whole)
    kind = "infantry" if data["dismounted"] else data["type"]
    return PlatoonRow(
        name=unit.name,
        company=company,
        kind=dict(TYPES)[data["type"]],
        quality=_quality(data),
        traits=", ".join(named[trait] for trait in data["traits"]),
        carries=", ".join(carries),
        move=_rates(data, kind),
        weapons=tuple(_weapons(data, [base["weapon"] for base in data["bases"]])),
        bases=tuple(_bases(unit)),
        left=tuple(
            tuple(Left(n, tolerance_of(content, whole, n)[0], fight.dice(n)) for n in range(top, max(0, top - LEFT_ROW), -1))
            for top in range(most, 0, -LEFT_ROW)
        ),
        assault=f"{on}+" + (f", {why.lower()}" if why else ""),
        tally=range(1, TALLY_BOXES + 1),
        rating_words=points_words(unit.worth),
    )  # fmt: skip


def _bases(unit: ForceUnit) -> Iterator[BaseRow]:
    for name, count in unit.counts.items():
        left = unit.left.get(name, count)
        attached = name.endswith(", attached")
        yield BaseRow(name.removesuffix(", attached"), attached, tuple(n >= left for n in range(count)))


def team_row(unit: ForceUnit, company: str) -> TeamRow:
    data = unit.data
    weapon = next(iter(_weapons(data, [data["weapon"]])), (data["weapon"], ""))
    return TeamRow(
        name=unit.name,
        company=company,
        kind=dict(TEAM_KINDS)[data["kind"]],
        quality=_quality(data),
        move=_rates(data, data["kind"]),
        weapon=weapon,
        is_gone=not forces.bases(unit),
        rating_words=points_words(unit.worth),
    )


def tank_rows(unit: ForceUnit, company: str) -> TankRows:
    """Return the rows of a tank platoon.

    Vehicles with the same name share their losses; the last ones are lost first.
    """
    seen: dict[str, int] = {}
    rows = []
    for vehicle in unit.data["vehicles"]:
        name = vehicle["name"]
        seen[name] = seen.get(name, 0) + 1
        guns = vehicle["machine_guns"]
        arms = [ngettext("{guns} machine gun", "{guns} machine guns", guns).format(guns=guns)] if guns else []
        arms += [": ".join(filter(None, each)) for each in _weapons(unit.data, vehicle["guns"])]
        rows.append(
            VehicleRow(
                name=name,
                save=f"{NAMES[vehicle['class']]} {TANK_CLASS[vehicle['class']]}+",
                reliability=f"{NAMES[vehicle['reliability']]} {RELIABLE[vehicle['reliability']]}+",
                move=f"{vehicle['movement']:g}″",
                arms="; ".join(arms) or _("no guns"),
                is_gone=seen[name] > unit.left.get(name, 1),
            )
        )
    return TankRows(unit.name, company, tuple(rows), points_words(unit.worth))


def _quality(data: Mapping[str, Any]) -> str:
    return f"{NAMES[data['quality']]} {QUALITY[data['quality']]}+"


def _rates(data: Mapping[str, Any], kind: str) -> str:
    """Return the standard rate and the march rate, from the profile or else from the table."""
    table = moves(kind)
    move = table.standard_inches if data.get("move") is None else data["move"]
    march = table.march_inches if data.get("march") is None else data["march"]
    return _("{move:g}″, march {march:g}″").format(move=move, march=march)


def _weapons(data: Mapping[str, Any], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each weapon once with what it does. An unknown name is listed without a description."""
    for name in dict.fromkeys(names):
        try:
            yield name, MINUS.sub("−", weapon_words(weapon_of(data, name)))
        except KeyError:
            yield name, ""


# --- to cut out --------------------------------------------------------------------------------------------------------------


def order_cards(content: CustomContent, force: Force) -> CutCards:
    """Return a card for each company, Rally and Artillery, and one for each order."""
    units = FORCE_RULES.units(force)
    cards = [
        CutCard("company", str(n), company.name, ((_("Company"), _strength(units, company)),))
        for n, company in enumerate(forces.companies(units), 1)
    ]
    cards.append(
        CutCard(
            "rally",
            "R",
            _("Rally"),
            (
                (
                    _("When drawn"),
                    _("Shocked platoons and Disrupted companies roll to rally now instead of at the end of the turn."),
                ),
            ),
        )
    )
    cards.append(
        CutCard(
            "artillery",
            "A",
            _("Artillery"),
            ((_("When drawn"), _("Guns off the table fire now, as the scenario says.")),),
        )
    )
    cards += [CutCard("order", label[:2], label, words) for label, words in orders_of(content)]
    return CutCards(tuple(cards))  # fmt: skip


def _strength(units: Sequence[ForceUnit], company: ForceUnit) -> str:
    """Return the names of the units in a company, as far as they fit on the card."""
    own = forces.of_company(units, company.key)
    names = ", ".join(unit.name for unit in own) or _("none yet")
    if len(names) <= CARD_NAMES:
        return names
    kinds = [(forces.PLATOON, "platoon"), (forces.TEAM, _("weapons team")), (forces.TANKS, _("tank platoon"))]
    counted = [(sum(unit.kind == kind for unit in own), word) for kind, word in kinds]
    return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counted if n)


def unit_cards(content: CustomContent, force: Force, wishes: CardWishes = ALL) -> UnitCards:
    """Return a card for each wanted platoon, team and tank platoon, company by company."""
    units = [unit for unit in FORCE_RULES.units(force) if unit.kind == forces.COMPANY or wishes.takes(unit.key)]
    blocks = _blocks(content, force, units)
    return UnitCards(
        tuple(card for block in blocks for row in block.platoons for card in platoon_cards(_wanted(row, wishes))),
        tuple(row if wishes.wants("weapons") else replace(row, weapon=("", "")) for b in blocks for row in b.teams),
        tuple(card for block in blocks for row in block.tanks for card in tank_cards(row)),
        wishes.wants("boxes"),
    )


def _wanted(row: PlatoonRow, wishes: CardWishes) -> PlatoonRow:
    return replace(
        row,
        weapons=row.weapons if wishes.wants("weapons") else (),
        left=row.left if wishes.wants("left") else (),
        bases=row.bases if wishes.wants("boxes") else (),
    )


def platoon_cards(row: PlatoonRow) -> Iterator[PlatoonCard]:
    """Yield the cards of a platoon, split by the space that its weapons take: the unit is a line of text, and a card holds `CARD_LINES`."""
    head = 1.4 * lines_of(row.name, 26) + 1.6
    figures = lines_of(f"{row.kind}, {row.quality}; {row.traits}; {row.carries}") + 2 + 4.6 * len(row.left)
    boxes = 1.5 * (1 + sum(lines_of(base.name, 24) for base in row.bases))
    needs = [lines_of(" ".join(weapon)) + 0.4 for weapon in row.weapons]
    pages = pages_of(needs, CARD_LINES - head - figures - boxes, max(CARD_LINES - head, 15))
    for n, (start, end) in enumerate(pages, 1):
        yield PlatoonCard(row, n, len(pages), row.weapons[start:end])


def tank_cards(row: TankRows) -> Iterator[TankCard]:
    """Yield the cards of a tank platoon, split by the space that its vehicles take."""
    room = CARD_LINES - 1.4 * lines_of(row.name, 26) - 3.4
    needs = [lines_of(f"{v.name} {v.save}; {v.reliability}; {v.move}") + lines_of(v.arms) + 2.6 for v in row.vehicles]
    pages = pages_of(needs, room, max(room, 12))
    for n, (start, end) in enumerate(pages, 1):
        yield TankCard(row, n, len(pages), row.vehicles[start:end])


def reference_sheet(content: CustomContent, force: Force) -> ReferenceSheet:
    return in_columns(reference_parts(content))


_DRAW: dict[str, Any] = {
    "companies": company_sheet,
    "reference": reference_sheet,
    "orders": order_cards,
}
