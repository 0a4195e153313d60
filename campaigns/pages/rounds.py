"""Rounds of a campaign, one round, and setting up a battle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from campaigns.factions import factions
from campaigns.models import Battle, Campaign, Round, Seat
from campaigns.pages.fought import BATTLES, read_battles, read_seats, sides_of
from campaigns.pages.words import against, battle_state, on_day, round_words, score
from campaigns.scenarios import scenario_name
from campaigns.services.common import listed
from campaigns.services.rounds import too_far_ahead
from campaigns.ways import way
from warbands.pages.bars import Link
from warbands.pages.words import plural


@dataclass(frozen=True, slots=True)
class BattleLine:
    """One battle in a line."""

    pk: int
    title: str
    href: str
    words: str
    state: str
    state_words: str


def battle_line(battle: Battle) -> BattleLine:
    """A battle read by `read_battles`, as lists show it. No queries."""
    sides = sides_of(battle)
    told = score(sides)
    words = [scenario_name(battle)] if battle.scenario_id or battle.scenario_name else []
    if told and battle.status not in (Battle.Status.CANCELLED, Battle.Status.VOID) and battle.kind != Battle.Kind.BYE:
        words.append(told)
    return BattleLine(
        pk=battle.pk,
        title=against(sides),
        href=reverse("battle-show", args=[battle.pk]),
        words=", ".join(words),
        state=battle.status,
        state_words=battle_state(battle),
    )


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round with its battles. `ends_on` and `starts_on` are as a form shows them."""

    pk: int
    number: int
    title: str
    words: str
    href: str
    is_closed: bool
    starts_on: str
    ends_on: str
    battles: tuple[BattleLine, ...]
    unplayed: int
    idle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """All rounds of a campaign, for those who arrange them."""

    campaign: str
    pk: int
    here: str
    rounds: tuple[RoundLine, ...]
    next_number: int
    planned: int
    unbound: tuple[BattleLine, ...]
    schedule_href: str


def rounds_page(campaign: Campaign) -> RoundsPage:
    """Build the page: six queries."""
    rounds = list(Round.objects.live().filter(campaign=campaign).order_by("-number"))
    seats = read_seats([campaign])
    battles = read_battles(BATTLES(campaign.pk), campaigns=[campaign], seats=seats)
    return RoundsPage(
        campaign=campaign.name,
        pk=campaign.pk,
        here=reverse("round-arrange", args=[campaign.pk]),
        rounds=tuple(round_line(found, campaign, battles, _playing(seats)) for found in rounds),
        next_number=max((found.number for found in rounds), default=0) + 1,
        planned=campaign.rounds_planned,
        unbound=tuple(battle_line(battle) for battle in battles if battle.round_id is None),
        schedule_href=reverse("battle-schedule", args=[campaign.pk]),
    )


def _playing(seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.status == Seat.Status.PLAYING and seat.warband_id is not None]


def round_line(found: Round, campaign: Campaign, battles: Iterable[Battle], seats: Iterable[Seat]) -> RoundLine:
    """One round with those of these battles that belong to it, and the seats that have none. No queries."""
    here = [battle for battle in battles if battle.round_id == found.pk]
    ahead = [battle for battle in here if battle.status in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)]
    counted = [battle for battle in here if battle.status not in (Battle.Status.CANCELLED, Battle.Status.VOID)]
    busy = {side.seat_id for battle in counted for side in sides_of(battle)}
    return RoundLine(
        pk=found.pk,
        number=found.number,
        title=f"Round {found.number}",
        words=round_words(found, campaign.rounds_planned),
        href=reverse("round-show", args=[campaign.pk, found.number]),
        is_closed=found.is_closed,
        starts_on=found.starts_on.isoformat() if found.starts_on else "",
        ends_on=found.ends_on.isoformat() if found.ends_on else "",
        battles=tuple(battle_line(battle) for battle in here),
        unplayed=len(ahead),
        idle=tuple(str(seat.warband) for seat in seats if seat.pk not in busy),
    )


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round: its battles and who has none."""

    campaign: Link
    round: RoundLine
    can_set: bool
    schedule_href: str
    previous: Link | None
    next: Link | None
    idle_words: str


def round_page(campaign: Campaign, found: Round, *, plays: bool) -> RoundPage:
    """Build the page of a round: six queries."""
    numbers = set(Round.objects.live().filter(campaign=campaign).values_list("number", flat=True))
    seats = read_seats([campaign])
    rows = Battle.objects.live().filter(campaign=campaign, round=found).order_by("pk")
    battles = read_battles(rows, campaigns=[campaign], seats=seats)
    line = round_line(found, campaign, battles, _playing(seats))

    def link(number: int) -> Link | None:
        return Link(f"Round {number}", reverse("round-show", args=[campaign.pk, number])) if number in numbers else None

    return RoundPage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        round=line,
        can_set=plays and not found.is_closed and campaign.status == Campaign.Status.RUNNING,
        schedule_href=f"{reverse('battle-schedule', args=[campaign.pk])}?round={found.number}",
        previous=link(found.number - 1),
        next=link(found.number + 1),
        idle_words=f"No battle yet: {', '.join(line.idle)}." if line.idle and not found.is_closed else "",
    )


# --- setting up --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A seat that may fight."""

    value: str
    name: str
    words: str
    closed: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """Setting up a battle: mine against whom, in which round, on what day."""

    campaign: Link
    here: str
    mine: tuple[SeatChoice, ...]
    others: tuple[SeatChoice, ...]
    rounds: tuple[tuple[str, str], ...]
    factions: tuple[tuple[str, str], ...]  # faction keywords of the edition, with the names of their factions
    my_seat: SeatChoice | None
    bye: bool
    guests_words: str


GUESTS = 3
GUESTS_WORDS = {
    "all": "A battle against a guest counts like any other.",
    "growth": "A battle against a guest counts for the warband's own growth, not for the standings.",
    "nothing": "A battle against a guest counts neither for the warband nor for the standings.",
}


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A place for somebody from outside."""

    number: int
    name: str
    keyword: str  # as chosen: a keyword of the edition, OTHER_FACTION or ""
    other: str  # what was typed beside it
    open: bool

    @property
    def faction(self) -> str:
        """The faction as it was said: chosen, or typed where none was chosen."""
        return self.other if self.keyword in ("", OTHER_FACTION) else self.keyword


OTHER_FACTION = "other"


def guest_rows(names: Sequence[str], keywords: Sequence[str], others: Sequence[str] = ()) -> tuple[GuestRow, ...]:
    """The places for guests, as they were filled in."""

    def at(given: Sequence[str], place: int) -> str:
        return given[place].strip() if place < len(given) else ""

    rows = []
    for place in range(max(GUESTS, len(names))):
        name, keyword, other = (at(given, place) for given in (names, keywords, others))
        rows.append(GuestRow(place + 1, name, keyword, other, bool(name or keyword or other)))
    return tuple(rows)


def schedule_page(
    campaign: Campaign, user: Any, *, administers: bool, chosen: Iterable[str] = (), today: date | None = None
) -> SchedulePage:
    """Build the page: two queries. A player stands on one side; an administrator picks both."""
    seats = list(
        Seat.objects.live()
        .filter(campaign=campaign)
        .exclude(status=Seat.Status.LEFT)
        .select_related("warband", "user")
        .order_by("pk")
    )
    rounds = Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("number")
    picked = set(chosen)
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    ahead, behind = too_far_ahead(campaign, seats)
    lines = [_seat_choice(seat, picked, behind if seat.pk in ahead else []) for seat in seats]
    my_line = next((line for line in lines if mine is not None and line.value == str(mine.pk)), None)
    terms = campaign.terms
    return SchedulePage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        here=reverse("battle-schedule", args=[campaign.pk]),
        mine=(my_line,) if my_line is not None and not administers else (),
        others=tuple(line for line in lines if administers or line is not my_line),
        rounds=tuple(
            (str(found.number), f"Round {found.number}" + (f", ends {on_day(found.ends_on)}" if found.ends_on else ""))
            for found in rounds
        ),
        factions=factions(terms),
        my_seat=my_line,
        bye=administers,
        guests_words=GUESTS_WORDS[way(campaign, "guests_count")],
    )


def _seat_choice(seat: Seat, picked: set[str], waits_for: list[str]) -> SeatChoice:
    closed = f"fought enough and waits for {listed(waits_for)}." if waits_for else ""
    if seat.warband is None:
        closed = "no warband yet."
    words = seat.warband.name if seat.warband is not None else ""
    if seat.warband is not None:
        fought = int(seat.warband.state.get("fought", 0)) + int(seat.warband.state.get("credited", 0))
        words += f", {plural(fought, 'battle')} fought"
        if seat.warband.is_founding:
            words += ", founding"
    if seat.status == Seat.Status.AWAY:
        words += ", away"
    return SeatChoice(str(seat.pk), seat.name, words, closed, str(seat.pk) in picked)
