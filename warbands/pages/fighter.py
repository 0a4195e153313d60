"""The page of one fighter: characteristics with their causes, weapons, skills and injuries, and life."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from rules.parts.sheet import FighterSheet, HandsLine, WeaponLine
from warbands.adapters import PRESENT
from warbands.labels import word
from warbands.models import Change, Fighter, Item
from warbands.pages.addresses import card_href, href_of
from warbands.pages.camp import CampRow, task_row
from warbands.pages.cards import (
    CardButton,
    Experience,
    FighterCard,
    Stat,
    card_of,
    experience_of,
    kit_href,
    kit_label,
    menu_of,
    profile_and_rating,
    stats_of,
    upgrades_href,
    weapon_facts,
)
from warbands.pages.formatting import clock, day, money
from warbands.pages.history import undone_events
from warbands.pages.roster import Roster
from warbands.pages.widgets import Link
from warbands.undo_blockers import FIGHTER, ITEM

SHORT_LIFE = 8
LONG_LIFE = 200


@dataclass(frozen=True, slots=True)
class LifeLine:
    """One line of a fighter's life, with its date, in the shape that `components/event_row.html` renders."""

    pk: int
    day: str
    time: str
    sentence: str
    dice: str
    undone_words: str
    undo_href: str = ""


@dataclass(frozen=True, slots=True)
class FighterWeapon:
    name: str
    href: str
    facts: str
    effect: str
    causes: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A named thing that a fighter has: our summary, its rules page, and its cause if it is not printed on the profile."""

    name: str
    words: str
    href: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class FighterPage:
    name: str
    back: Link
    meta: str
    role_words: str
    card: FighterCard
    stats: tuple[Stat, ...]
    weapons: tuple[FighterWeapon, ...]
    lines: tuple[Entry, ...]
    hands: tuple[tuple[str, str, str], ...]  # kind of fighting, "used of had", what uses and changes them
    immune: tuple[Entry, ...]
    experience: Experience | None
    acts: bool
    more: tuple[CardButton, ...]
    kit_href: str
    kit_label: str
    lines_label: str
    odds: bool
    tasks: tuple[CampRow, ...]
    upgrades_href: str
    dismiss_href: str
    life: tuple[LifeLine, ...]
    life_count: int
    life_href: str
    notes: str


def fighter_page(roster: Roster, row: Fighter, *, acts: bool, whole_life: bool = False) -> FighterPage:
    """Build the page of one fighter. The roster must also hold the fighters who left. Two queries on top of the roster."""
    key = str(row.pk)
    sheet = roster.sheets[key]
    present = row.status in PRESENT
    may = acts and present
    life, count = _life(roster, row, maximum=LONG_LIFE if whole_life else SHORT_LIFE)
    warband, attacks = roster.warband, roster.game.attacks
    return FighterPage(
        name=row.name,
        back=Link(warband.name, card_href(warband.pk, row.pk) if present else href_of("warband-show", warband.pk)),
        meta=profile_and_rating(row.name, sheet),
        role_words=_role(sheet),
        card=card_of(roster, key, acts=False, whole=True, links=False),
        stats=stats_of(sheet),
        weapons=tuple(_weapon(roster, line) for line in sheet.weapons),
        lines=_entries(roster, sheet),
        hands=tuple(_hands(line) for line in sheet.hands),
        immune=tuple(Entry(keyword, "", roster.names.href_of_name(keyword), cause) for keyword, cause in sheet.immune),
        experience=experience_of(sheet),
        acts=may,
        more=menu_of(roster, row) if may else (),
        kit_href=kit_href(roster, row),
        kit_label=kit_label(roster),
        lines_label="Kit, abilities, skills" if roster.shops else word(warband.terms, "of_fighters", "Rules"),
        odds=present and bool(attacks is not None and attacks.arms(roster.content, roster.force, key)),
        tasks=_tasks(roster, key) if may and not roster.shops else (),
        upgrades_href=upgrades_href(roster, row, alone=True) if may else "",
        dismiss_href=href_of("fighter-dismiss", row.pk),
        life=life,
        life_count=count,
        life_href=href_of("fighter-show", row.pk) + "?life=all#life" if count > len(life) else "",
        notes=row.notes if acts else "",
    )


def _entries(roster: Roster, sheet: FighterSheet) -> tuple[Entry, ...]:
    href = roster.names.href_of_name
    causes = {ability.name: ability.cause for ability in sheet.abilities}
    present = (Entry(name, words, href(name), causes.get(name, "")) for name, words in sheet.lines)
    lost = (ability for ability in sheet.abilities if ability.state == "lost")
    return (
        *present,
        *(Entry(one.name, "", href(one.name), f"lost{': ' if one.cause else ''}{one.cause}") for one in lost),
    )


def _tasks(roster: Roster, key: str) -> tuple[CampRow, ...]:
    tasks = roster.game.post_battle.camp_tasks(roster.content, roster.force)
    return tuple(task_row(roster, task) for task in tasks if task.subject == key)


def _role(sheet: FighterSheet) -> str:
    """Return what the fighter is besides its keywords, which the page shows separately."""
    named = {word.name.casefold() for word in sheet.keywords}
    return ", ".join(role for role in sheet.role_words.split(", ") if role and role.casefold() not in named)


def _hands(line: HandsLine) -> tuple[str, str, str]:
    """Return label, count and causes of hands, for example "2 of 2" and "Bolt-Action Rifle 2; 1 by Lost Arm"."""
    parts = [", ".join(line.uses)] if line.uses else []
    if line.causes:
        parts.append(f"{line.had} by {', '.join(line.causes)}")
    return line.label, f"{line.used} of {line.had}", "; ".join(parts)


def _weapon(roster: Roster, line: WeaponLine) -> FighterWeapon:
    facts, causes = ", ".join(weapon_facts(line)), "; ".join(line.causes)
    return FighterWeapon(line.name, roster.names.href_of_name(line.name), facts, line.effect_words, causes)


def _life(roster: Roster, row: Fighter, *, maximum: int) -> tuple[tuple[LifeLine, ...], int]:
    """Return the newest events that touched the fighter or the items it carried, and their count. Three queries."""
    held = [item.pk for item in roster.items if item.fighter_id == row.pk]
    # Read the items first: each change of who carries an item is recorded under the item's id.
    pieces = list(Item.objects.filter(warband=roster.warband).order_by().values_list("pk", flat=True))
    carried = Q(field="fighter", after=row.pk) | Q(field="fighter", before=row.pk) | Q(field="", row_id__in=held)
    about = Q(label=FIGHTER, row_id=row.pk) | (Q(label=ITEM, row_id__in=pieces) & carried)
    touched = Change.objects.filter(about, event__undoes__isnull=True).select_related("event").order_by("-event_id")
    events = list({change.event_id: change.event for change in touched}.values())[:LONG_LIFE]
    undone = undone_events(roster.warband, [event.pk for event in events])
    lines = [
        LifeLine(
            pk=event.pk,
            day=day(event.at),
            time=clock(event.at),
            sentence=event.told,
            dice=str(event.data.get("dice_words", "")),
            undone_words=f"Undone by {undone[event.pk].who.rstrip(',')}." if event.pk in undone else "",
        )
        for event in events[:maximum]
    ]
    return tuple(lines), len(events)


# --- parting, copying, moving ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Departure:
    """A way for a fighter to leave, in the shape that `components/decision_card.html` renders."""

    value: str
    name: str
    title: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    closed_reason: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PartPage:
    name: str
    meta: str
    here: str
    back_href: str
    ways: tuple[Departure, ...]
    open: bool
    button: str
    seen: int


def part_page(roster: Roster, row: Fighter, *, chosen: str = "") -> PartPage:
    """Build the page that removes a fighter from the roster. No queries on top of the roster."""
    key = str(row.pk)
    offers = roster.game.departures(roster.content, roster.force, key)
    picked = chosen or next((offer.id for offer in offers if offer.state != "closed"), "")
    sheet = roster.sheets[key]
    ways = tuple(
        Departure(
            value=offer.id,
            name="way",
            title=offer.name,
            gains=(f"{money(offer.price)} come back",) if offer.price else (),
            losses=tuple(offer.details) or (f"{sheet.rating_words} leave the roster",),
            closed_reason=f"{offer.reason} {offer.mend}".strip() if offer.state == "closed" else "",
            chosen=offer.id == picked and offer.state != "closed",
        )
        for offer in offers
    )
    return PartPage(
        name=row.name,
        meta=profile_and_rating(row.name, sheet),
        here=href_of("fighter-dismiss", row.pk),
        back_href=card_href(roster.warband.pk, row.pk),
        ways=ways,
        open=any(not way.closed_reason for way in ways),
        button=f"Part with {row.name}",
        seen=roster.warband.version,
    )
