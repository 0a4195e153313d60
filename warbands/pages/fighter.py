"""The page of one fighter with its history, and the page on which it leaves."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from rules.parts.sheet import FighterSheet
from warbands.adapters import PRESENT
from warbands.models import Change, Fighter, Item
from warbands.pages.addresses import href_of
from warbands.pages.cards import Stat, card_of, opened_href, profile_and_rating, stats_of
from warbands.pages.formatting import clock, day, money
from warbands.pages.history import undone_events
from warbands.pages.panel import FighterPanel, fighter_panel
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
class FighterPage:
    """One fighter on a page of its own, for links from elsewhere: the same panel as on the roster, and its history."""

    name: str
    back: Link
    meta: str
    state: str
    state_words: str
    stats: tuple[Stat, ...]
    short: str  # strength, company and the like, of a unit
    panel: FighterPanel
    life: tuple[LifeLine, ...]
    life_count: int
    life_href: str


def _short_words(sheet: FighterSheet) -> str:
    """Return the short lines of a unit in one line, without its weapons: those have a table of their own below."""
    weapons = {weapon.name for weapon in sheet.weapons}
    return " · ".join(": ".join(filter(None, pair)) for pair in sheet.short if pair[0] not in weapons)


def fighter_page(roster: Roster, row: Fighter, *, acts: bool, whole_life: bool = False) -> FighterPage:
    """Build the page of one fighter. The roster must also hold the fighters who left. Three queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    sheet, card = roster.sheets[key], card_of(roster, key, acts=False)
    present = row.status in PRESENT
    life, count = _life(roster, row, maximum=LONG_LIFE if whole_life else SHORT_LIFE)
    return FighterPage(
        name=row.name,
        back=Link(warband.name, opened_href(warband.pk, row.pk) if present else href_of("warband-show", warband.pk)),
        meta=profile_and_rating(row.name, sheet),
        state=card.state,
        state_words=card.state_words,
        stats=stats_of(sheet),
        short="" if roster.shops else _short_words(sheet),
        panel=fighter_panel(roster, row, acts=acts, notes=acts, links=acts and present),
        life=life,
        life_count=count,
        life_href=href_of("fighter-show", row.pk) + "?life=all#life" if count > len(life) else "",
    )


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
            undone_words=_("Undone by {who}.").format(who=undone[event.pk].who.rstrip(","))
            if event.pk in undone
            else "",
        )
        for event in events[:maximum]
    ]
    return tuple(lines), len(events)


# --- leaving -------------------------------------------------------------------------------------------------------------


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
            gains=(_("{money} come back").format(money=money(offer.price)),) if offer.price else (),
            losses=tuple(offer.details) or (_("{worth} leave the roster").format(worth=sheet.rating_words),),
            closed_reason=f"{offer.reason} {offer.mend}".strip() if offer.state == "closed" else "",
            chosen=offer.id == picked and offer.state != "closed",
        )
        for offer in offers
    )
    return PartPage(
        name=row.name,
        meta=profile_and_rating(row.name, sheet),
        here=href_of("fighter-dismiss", row.pk),
        back_href=opened_href(roster.warband.pk, row.pk),
        ways=ways,
        open=any(not way.closed_reason for way in ways),
        button=_("Dismiss {name}").format(name=row.name),
        seen=roster.warband.version,
    )
