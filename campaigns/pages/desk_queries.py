"""Queries for everything open in a user's campaigns: seats, battles, sequences, captives and rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, Exists, Max, OuterRef, Q, When
from django.utils import timezone

from campaigns.access import as_seen_by
from campaigns.models import AHEAD, Battle, Campaign, Capture, RansomOffer, Round, Seat, Side
from campaigns.pages.battle_queries import (
    read_battles,
    sequence_of,
    sides_of,
    tied,
    under_terms,
    with_reports,
)
from campaigns.pages.loose_ends import BATTLE, LooseEnd, read_loose_ends
from campaigns.pages.matters import (
    MAX_OPEN,
    NOT_FOUGHT,
    OPEN,
    busy_among,
    captives_of_left_seats,
    not_through,
    seats_that_want,
    with_busy,
    with_challenges,
)
from campaigns.sequence import step_places
from campaigns.services.illegal_rosters import MEND
from warbands.models import Delegate, Warband
from warbands.verdicts import judged


@dataclass(frozen=True, slots=True)
class Captive:
    """A captive to bargain for, with the ducats asked and offered. The user is its owner or captor, or acts for a guest who holds it."""

    pk: int
    fighter: str
    warband: str
    captor: str
    taken_at: datetime
    is_owner: bool
    is_captor: bool
    for_guest: bool
    asked: int | None = None
    offered: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """Everything open in a user's campaigns, or in one of them.

    `seats` and `battles` are the user's own. From campaigns they administer, those that need an administrator are included.
    """

    user: Any
    campaigns: tuple[Campaign, ...]
    administered: frozenset[int]
    delegated: frozenset[int]
    seats: tuple[Seat, ...]
    battles: tuple[Battle, ...]
    rounds: tuple[Round, ...]
    busy: frozenset[tuple[int, int]]  # (round, seat) for seats with a battle in an open round
    captives: tuple[Captive, ...]
    to_mend: tuple[Side, ...] = ()  # own sides with a roster that an administrator asked to mend and that has problems
    left_captives: tuple[Capture, ...] = ()  # captives of vacated seats in campaigns that the user administers
    loose: tuple[LooseEnd, ...] = ()  # what is left over in campaigns that the user administers
    is_cut: bool = False  # whether more items may need an administrator than were read
    places: Mapping[int, tuple[int, int]] = field(
        default_factory=dict
    )  # sequence id → (number of the current step, number of steps), for the user's own sequences in progress

    def plays(self, side: Side) -> bool:
        if side.is_guest:
            return False
        return side.seat.user_id == self.user.pk or self.acts_for(side.warband)

    def acts_for(self, warband: Warband | None) -> bool:
        return warband is not None and (warband.owner_id == self.user.pk or warband.pk in self.delegated)

    def runs(self, campaign_id: int) -> bool:
        return campaign_id in self.administered

    def answers(self, battle: Battle) -> bool:
        """Return whether a report of the battle would need an answer from this user, as a player or as an administrator."""
        mine = (side for side in sides_of(battle) if self.plays(side))
        return self.runs(battle.campaign_id) or any(side.confirmed_at is None for side in mine)


def _is_open(battle: Battle) -> bool:
    """Return whether the battle, or one of its post-battle sequences, is open. No queries."""
    if battle.status in OPEN:
        return True
    sequences = (sequence_of(side) for side in sides_of(battle) if side.warband_id)
    return any(each is not None and each.closed_at is None for each in sequences)


def _campaigns(user: Any) -> list[Campaign]:
    """Read a user's unarchived campaigns with the same annotations as `campaign_for`. One query."""
    mine = Campaign.objects.joined_by(user).exclude(status=Campaign.Status.ARCHIVED).select_related("terms")
    return list(as_seen_by(user, mine))


def _seats(user: Any, campaigns: Collection[Campaign], rounds: Collection[int]) -> list[Seat]:
    """Read the seats that this user plays, and those that need an administrator in campaigns they administer.

    Seats are annotated with `is_delegated`, and for an administrator by `with_busy`. One query, at most `MAX_OPEN` seats, own seats first.
    """
    acts = Exists(Delegate.objects.live().filter(user=user, warband=OuterRef("warband")))
    seats = Seat.objects.live().filter(campaign__in=campaigns).annotate(is_delegated=acts).select_related("warband")
    seats = with_challenges(seats)
    own = Q(user=user) | Q(warband__owner=user) | Q(is_delegated=True)
    run = [each for each in campaigns if each.is_run]  # type: ignore[attr-defined]
    if not run:
        return list(seats.filter(own).order_by("pk")[:MAX_OPEN])
    first = Case(When(own, then=0), default=1)
    wanted = with_busy(seats.filter(own | seats_that_want(run, rounds)), rounds)
    return list(wanted.order_by(first, "pk")[:MAX_OPEN])


class _SeatInBattle(NamedTuple):
    """A seat's part in a battle. It decides whether to read that battle."""

    battle: int
    status: str
    round: int | None
    campaign: int
    seat: int
    flag: str | None  # how an administrator settled the problems of its force
    confirmed_at: datetime | None
    sequence: int | None
    is_sequence_undone: bool | None
    closed_at: datetime | None

    @property
    def is_going(self) -> bool:
        return self.status in OPEN or self.status == Battle.Status.CONFIRMED

    @property
    def is_left_to_others(self) -> bool:
        """Return whether the seat has done its part after a battle, so that only others still have something to do."""
        through = self.sequence is None or self.is_sequence_undone or self.closed_at is not None
        waits = self.status == Battle.Status.REPORTED and self.confirmed_at is None
        return self.status not in AHEAD and through and not waits

    def is_wanted(self, administered: Collection[int]) -> bool:
        """Return whether to read the battle for a user who plays this seat and administers these campaigns."""
        if self.flag == MEND:
            return True
        return self.is_going and (self.campaign in administered or not self.is_left_to_others)


def _battles_of(seats: Collection[int], rounds: Collection[int]) -> list[_SeatInBattle]:
    """Read the parts of these seats in battles that are open, in these rounds, or have left them a roster to mend. One query."""
    sides = Side.objects.live().filter(battle__is_undone=False, seat__in=seats)
    going = Q(battle__status__in=[*OPEN, Battle.Status.CONFIRMED])
    wanted = going | Q(battle__round__in=rounds) | Q(force__flag__way=MEND)
    rows = (
        sides.filter(wanted)
        .order_by()
        .values_list(
            "battle",
            "battle__status",
            "battle__round",
            "battle__campaign",
            "seat",
            "force__flag__way",
            "confirmed_at",
            "post_battles",
            "post_battles__is_undone",
            "post_battles__closed_at",
        )
    )
    return [_SeatInBattle(*row) for row in rows]


def _busy(places: Iterable[_SeatInBattle], rounds: Collection[int]) -> frozenset[tuple[int, int]]:
    """Return (round, seat) pairs for seats that have a battle in one of these rounds. No queries."""
    fought = (each for each in places if each.status not in NOT_FOUGHT)
    return frozenset((each.round, each.seat) for each in fought if each.round is not None and each.round in rounds)


def _battles(campaigns: Collection[Campaign], administered: list[int]) -> tuple[list[int], tuple[LooseEnd, ...]]:
    """Return ids of battles whose deadline for confirming the report has passed, and the newest open ones of administered campaigns.

    With them what is left over in administered campaigns. One query at most.
    """
    if not administered and not any(each.is_due for each in campaigns):  # type: ignore[attr-defined]
        return [], ()
    wanted = Q(campaign__in=campaigns, status=Battle.Status.REPORTED, confirm_by__lte=timezone.now())
    if administered:
        wanted |= not_through(administered)
    ends = read_loose_ends(administered, 3 * MAX_OPEN, Battle.objects.live().filter(wanted))
    going = [end.row for end in ends if end.kind == BATTLE]
    return going[:MAX_OPEN], tuple(end for end in ends if end.kind != BATTLE)[:MAX_OPEN]


def _captives(
    user: Any,
    campaigns: list[int] | None,
    delegated: Collection[int],
    warbands: Collection[int],
    administered: list[int],
) -> tuple[Captive, ...]:
    """Read captives lost or held by these warbands, and captives held by guests in administered campaigns.

    `campaigns` restricts the captives to these campaigns; None means no restriction. One query, none for a user without warbands.
    """
    held = Capture.objects.live().filter(status=Capture.Status.HELD).order_by()
    if campaigns is not None:
        held = held.filter(battle__campaign__in=campaigns)
    theirs = held.filter(Q(warband__in=warbands) | Q(captor__in=warbands))
    if administered:
        for_guests = held.filter(captor=None, battle__campaign__in=administered)
        # A union, so that each half finds its rows by its own index.
        theirs = Capture.objects.filter(pk__in=theirs.values("pk").union(for_guests.values("pk")))
    rows = theirs.values(
        "pk",
        "taken_at",
        "captor_name",
        "fighter__name",
        "warband",
        "warband__name",
        "warband__owner",
        "captor",
        "captor__owner",
        "battle__campaign",
        "offers__is_undone",
        "offers__status",
        "offers__by_captor",
        "offers__ducats",
    )
    found: dict[int, Captive] = {}
    for row in rows.order_by("-pk"):
        captive = found.get(row["pk"]) or Captive(
            pk=row["pk"],
            fighter=row["fighter__name"],
            warband=row["warband__name"],
            captor=row["captor_name"],
            taken_at=row["taken_at"],
            is_owner=row["warband__owner"] == user.pk or row["warband"] in delegated,
            is_captor=row["captor"] is not None and (row["captor__owner"] == user.pk or row["captor"] in delegated),
            for_guest=row["captor"] is None and row["battle__campaign"] in administered,
        )
        if row["offers__status"] == RansomOffer.Status.OPEN and not row["offers__is_undone"]:
            price = {"asked" if row["offers__by_captor"] else "offered": row["offers__ducats"]}
            captive = replace(captive, **price)
        found[captive.pk] = captive
    return tuple(found.values())


def read_board(user: Any, only: Campaign | None = None) -> Board:
    """Read everything open for a user in all their campaigns, or in one read by `campaign_for`. At most thirteen queries.

    Other people's battles and seats are read only in campaigns that the user administers, at most `MAX_OPEN` that need an
    administrator. The exception is battles whose deadline for confirming the report has passed.
    """
    campaigns = (only,) if only is not None else tuple(_campaigns(user))
    ids = [each.pk for each in campaigns]
    administered = [each.pk for each in campaigns if each.is_run]  # type: ignore[attr-defined]
    rounds = tied(campaigns, Round.objects.live().filter(campaign__in=ids, is_closed=False).order_by("number"))
    open_rounds = {each.pk for each in rounds}
    seats = _judged_seats(user, campaigns, open_rounds)
    own = _own(user, seats)
    parts = _battles_of(own.seats, open_rounds)
    others, loose = _battles(campaigns, administered)
    battles = read_battles({*others, *(each.battle for each in parts if each.is_wanted(administered))}, campaigns)
    board = Board(
        user=user,
        campaigns=campaigns,
        administered=frozenset(administered),
        delegated=own.delegated,
        seats=seats,
        battles=tuple(filter(_is_open, battles)),
        rounds=rounds,
        busy=busy_among(seats, open_rounds) if administered else _busy(parts, open_rounds),
        captives=_captives(user, ids if only is not None else None, own.delegated, own.warbands, administered),
        to_mend=_to_mend(user, battles),
        is_cut=bool(administered) and MAX_OPEN in (len(others), len(seats)),
        loose=loose,
        left_captives=tuple(captives_of_left_seats([seat for seat in seats if seat.campaign_id in administered])),
    )
    with_reports(battle for battle in board.battles if board.answers(battle))
    return _with_places(board)


class _Own(NamedTuple):
    """The ids of a user's seats, and of the warbands that they own or act for."""

    seats: set[int]
    warbands: set[int]
    delegated: frozenset[int]


def _own(user: Any, seats: Collection[Seat]) -> _Own:
    delegated = frozenset(seat.warband_id for seat in seats if seat.is_delegated and seat.warband_id)  # type: ignore[attr-defined]
    owned = {seat.warband_id for seat in seats if seat.warband is not None and seat.warband.owner_id == user.pk}
    warbands = owned | delegated
    mine = {seat.pk for seat in seats if seat.user_id == user.pk or seat.warband_id in warbands}
    return _Own(mine, warbands, delegated)


def _judged_seats(user: Any, campaigns: Collection[Campaign], rounds: Collection[int]) -> tuple[Seat, ...]:
    """Return the result of `_seats` with campaigns set and with warbands judged by the rules now in force."""
    seats = tied(campaigns, _seats(user, campaigns, rounds))
    for seat in seats:
        under_terms(seat.warband, seat.campaign)
    judged(seat.warband for seat in seats if seat.status != Seat.Status.LEFT)
    return seats


def _with_places(board: Board) -> Board:
    """Return the board with the current steps of the user's sequences.

    One query if a sequence has begun, three more if a step may have reopened.
    """
    begun = [
        (sequence, side.warband)
        for battle in board.battles
        if battle.status != Battle.Status.VOID
        for side in sides_of(battle)
        if side.warband is not None and board.plays(side) and (sequence := sequence_of(side)) is not None
        if sequence.started_at is not None and sequence.closed_at is None
    ]
    return replace(board, places=step_places(begun))


def _is_to_mend(user: Any, side: Side, warband: Warband) -> bool:
    is_own = user.pk in (warband.owner_id, None if side.is_guest else side.seat.user_id)
    return is_own and (side.force.get("flag") or {}).get("way") == MEND


def _to_mend(user: Any, battles: Iterable[Battle]) -> tuple[Side, ...]:
    """Return the user's sides that an administrator asked to have mended, if problems remain and no later battle was mustered.

    One query if there are any. Two more if a house rule came into force after a warband was judged.
    """
    fought = (battle for battle in battles if battle.status not in NOT_FOUGHT)
    asked = [
        (side, side.warband)
        for battle in fought
        for side in sides_of(battle)
        if side.warband is not None and _is_to_mend(user, side, side.warband)
    ]
    if not asked:
        return ()
    mustered = Side.objects.live().filter(warband__in=[warband.pk for _, warband in asked]).order_by()
    last = dict(mustered.values_list("warband").annotate(Max("ready_at")))
    judged(warband for _, warband in asked)
    return tuple(
        side
        for side, warband in asked
        if warband.problem_count and (side.ready_at is None or side.ready_at == last[warband.pk])
    )
