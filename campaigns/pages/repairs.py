"""The page where an administrator repairs a warband or its place in the standings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Seat
from campaigns.services.repairs import Room, items_of, losable, numbers_of, top_up_room
from warbands.adapters import PRESENT
from warbands.labels import name_of
from warbands.models import EventSubject, Fighter, Item, Warband
from warbands.pages.formatting import clock, day
from warbands.pages.widgets import Link

MAX_VERSIONS = 60


@dataclass(frozen=True, slots=True)
class ScarBearer:
    """A fighter, and the scars that can be taken away: key and name."""

    pk: int
    name: str
    scars: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RepairPage:
    """What can be repaired. `fighters` are those present, with their figures; `gone` those who died or left."""

    title: str
    here: str
    back: Link
    has_warband: bool
    money_words: str
    has_experience: bool
    has_scars: bool
    has_credit: bool
    credited: int
    fighters: tuple[tuple[int, str], ...]
    gone: tuple[tuple[int, str], ...]
    held: tuple[tuple[int, str], ...]
    items: tuple[tuple[str, str], ...]
    versions: tuple[tuple[int, str], ...]
    corrected_points: int
    room: Room | None = None
    room_words: str = ""
    bearers: tuple[ScarBearer, ...] = ()
    scars: tuple[tuple[str, str], ...] = ()
    finds: tuple[tuple[str, str], ...] = ()
    found: tuple[tuple[str, str], ...] = ()
    units: tuple[tuple[str, str], ...] = ()


def repair_page(seat: Seat) -> RepairPage:
    """Build the page. A few queries, none for a seat without a warband."""
    warband = seat.warband
    numbers = numbers_of(warband) if warband is not None else frozenset()
    fighters = list(Fighter.objects.live().filter(warband=warband)) if warband is not None else []
    return RepairPage(
        title=_("Repair {name}").format(name=warband.name if warband is not None else seat.name),
        here=reverse("seat-repair", args=[seat.pk]),
        back=Link(seat.name, reverse("seat-show", args=[seat.pk])),
        has_warband=warband is not None,
        money_words=_("{ducats} d, {glory} g now").format(
            ducats=warband.strongbox_ducats, glory=warband.strongbox_glory
        )
        if warband is not None
        else "",
        has_experience="experience" in numbers,
        has_scars="scars" in numbers,
        has_credit="credited" in numbers,
        credited=int(warband.state.get("credited") or 0) if warband is not None else 0,
        fighters=tuple((row.pk, _figures(row)) for row in fighters if row.status in PRESENT),
        gone=tuple(
            (row.pk, f"{row.name}, {row.get_status_display().lower()}") for row in fighters if row.status not in PRESENT
        ),
        held=tuple(_held(warband)) if warband is not None else (),
        items=tuple(items_of(warband)) if warband is not None else (),
        versions=tuple(_versions(warband)) if warband is not None else (),
        corrected_points=seat.corrected_points,
        **(_by_name(warband, [row for row in fighters if row.status in PRESENT]) if warband is not None else {}),
    )


def _by_name(warband: Warband, fighters: list[Fighter]) -> dict[str, Any]:
    """Return the fields of what is corrected by name: scars and finds of the edition, units, and room for a top-up."""
    terms, room = warband.terms, top_up_room(warband)
    corrections, content = terms.game.corrections, terms.content
    fields: dict[str, Any] = {
        "room": room,
        "room_words": _("Limit of its next battle: {threshold} d. Up to {ducats} d can be given.").format(
            threshold=room.threshold, ducats=room.ducats
        )
        if room is not None
        else "",
        "units": tuple(
            (
                f"{row.pk} {key}",
                _("{unit}: {name}, {left} of {full}").format(unit=row.name, name=name, left=left, full=full),
            )
            for row in fighters
            for key, name, left, full in losable(warband, row)
        ),
    }
    if corrections is not None:
        fields["scars"] = corrections.scar_choices(content)
        fields["bearers"] = tuple(
            ScarBearer(row.pk, row.name, corrections.scars_borne(content, row.state)) for row in fighters
        )
        fields["finds"] = corrections.find_choices(content)
        fields["found"] = corrections.finds_held(content, warband.state)
    return fields


def _figures(fighter: Fighter) -> str:
    figures = [
        words.format(number=number)
        for name, words in (("experience", _("experience {number}")), ("scars", _("scars {number}")))
        if (number := fighter.state.get(name))
    ]
    return ", ".join([fighter.name, *figures])


def _held(warband: Warband) -> list[tuple[int, str]]:
    items = Item.objects.live().filter(warband=warband, status=Item.Status.HELD).select_related("fighter")
    named = [
        (
            item.pk,
            ", ".join([name_of(warband.terms, "item", item.item_id), *([item.fighter.name] if item.fighter else [])]),
        )
        for item in items
    ]
    return sorted(named, key=lambda each: each[1])


def _versions(warband: Warband) -> list[tuple[int, str]]:
    """Return the versions to which the warband can be put back, newest first, with the act that made each. One query."""
    subjects = EventSubject.objects.filter(warband=warband, number__lt=warband.version, is_news=False)
    rows = subjects.select_related("event").order_by("-number")[:MAX_VERSIONS]
    return [
        (
            each.number,
            _("{number}: {when}, {told}").format(
                number=each.number, when=f"{day(each.event.at)} {clock(each.event.at)}", told=each.event.told[:60]
            ),
        )
        for each in rows
        if each.number is not None
    ]
