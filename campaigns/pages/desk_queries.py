"""What is open in one's campaigns, read once: seats, battles, sequences, captives, rounds; and what of it waits for whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Any, NamedTuple

from django.db.models import Case, Exists, Max, OuterRef, Q, When
from django.urls import reverse
from django.utils import timezone

from campaigns.access import as_seen_by
from campaigns.models import (
    Battle,
    Campaign,
    Capture,
    PostBattle,
    RansomOffer,
    Round,
    Seat,
    Side,
)
from campaigns.pages.battle import since_words
from campaigns.pages.battle_queries import (
    read_battles,
    report_of,
    reports_of,
    sequence_of,
    sides_of,
    tied,
    under_terms,
    with_reports,
)
from campaigns.pages.formatting import against, until
from campaigns.pages.matters import (
    MOST_OPEN,
    NOT_FOUGHT,
    OPEN,
    busy_among,
    captives_of_left_seats,
    has_problems,
    matters_of,
    not_through,
    seats_that_want,
    with_busy,
)
from campaigns.scenarios import scenario_name
from campaigns.sequence import step_places
from campaigns.services.common import is_unclaimed, side_name
from campaigns.services.illegal_rosters import MEND
from campaigns.settings_schema import setting_of
from warbands.models import Delegate, Warband
from warbands.pages.formatting import plural
from warbands.verdicts import judged

AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that waits for somebody, with the one button that goes on with it."""

    key: str
    icon: str
    title: str
    meta: str
    href: str
    label: str
    since: datetime
    campaign: str = ""


@dataclass(frozen=True, slots=True)
class Captive:
    """A fighter to bargain for: as its owner, as its captor, or in the name of the guest who holds it; with the ducats asked and offered."""

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
    """What is open in one's campaigns (or in one of them), as one person sees it.

    `seats` and `battles` are one's own, and in campaigns that one runs those that want an administrator.
    """

    user: Any
    campaigns: tuple[Campaign, ...]
    administered: frozenset[int]
    delegated: frozenset[int]
    seats: tuple[Seat, ...]
    battles: tuple[Battle, ...]
    rounds: tuple[Round, ...]
    busy: frozenset[tuple[int, int]]  # (round, seat): who has a battle in an open round
    captives: tuple[Captive, ...]
    to_mend: tuple[
        Side, ...
    ] = ()  # sides whose roster an administrator asked to be mended, while it has problems still
    left_captives: tuple[Capture, ...] = ()  # of seats that were left, in the campaigns that one runs
    is_cut: bool = False  # whether more wants an administrator than was read
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # where one's begun sequences stand, by id

    def plays(self, side: Side) -> bool:
        """Whether this person plays the side."""
        if side.is_guest:
            return False
        return side.seat.user_id == self.user.pk or self.acts_for(side.warband)

    def acts_for(self, warband: Warband | None) -> bool:
        """Whether this person owns the warband or acts for its owner."""
        return warband is not None and (warband.owner_id == self.user.pk or warband.pk in self.delegated)

    def runs(self, campaign_id: int) -> bool:
        """Whether this person runs the campaign."""
        return campaign_id in self.administered

    def answers(self, battle: Battle) -> bool:
        """Whether a report of the battle would wait for this person: for a side of theirs, or for an administrator."""
        mine = (side for side in sides_of(battle) if self.plays(side))
        return self.runs(battle.campaign_id) or any(side.confirmed_at is None for side in mine)


def _unfinished(battle: Battle) -> bool:
    """Whether a warband is not through with what follows the battle. No queries."""
    sequences = (sequence_of(side) for side in sides_of(battle) if side.warband_id)
    return any(each is not None and each.closed_at is None for each in sequences)


def _campaigns(user: Any) -> list[Campaign]:
    """The campaigns of a person that are not put away, as `campaign_for` reads one. One query."""
    mine = Campaign.objects.joined_by(user).exclude(status=Campaign.Status.ARCHIVED).select_related("terms")
    return list(as_seen_by(user, mine))


def _seats(user: Any, campaigns: Collection[Campaign], rounds: Collection[int]) -> list[Seat]:
    """The seats that one sits in or acts for, with `is_delegated`; of campaigns that one runs also those that want an administrator.

    Of somebody who runs a campaign they are read `with_busy`. One query; up to `MOST_OPEN` seats, one's own first.
    """
    acts = Exists(Delegate.objects.live().filter(user=user, warband=OuterRef("warband")))
    seats = Seat.objects.live().filter(campaign__in=campaigns).annotate(is_delegated=acts).select_related("warband")
    own = Q(user=user) | Q(warband__owner=user) | Q(is_delegated=True)
    run = [each for each in campaigns if each.is_run]  # type: ignore[attr-defined]
    if not run:
        return list(seats.filter(own).order_by("pk")[:MOST_OPEN])
    first = Case(When(own, then=0), default=1)
    wanted = with_busy(seats.filter(own | seats_that_want(run, rounds)), rounds)
    return list(wanted.order_by(first, "pk")[:MOST_OPEN])


class _SeatInBattle(NamedTuple):
    """A seat's part in a battle: what tells whether that battle is to be read."""

    battle: int
    status: str
    round: int | None
    campaign: int
    seat: int
    flag: str | None  # what an administrator made of the problems of its force
    confirmed_at: datetime | None
    sequence: int | None
    is_sequence_undone: bool | None
    closed_at: datetime | None

    @property
    def is_going(self) -> bool:
        """Whether the battle is not through."""
        return self.status in OPEN or self.status == Battle.Status.CONFIRMED

    @property
    def is_left_to_others(self) -> bool:
        """Whether the seat has done its part of a battle that is reported: what is still to do there others do."""
        through = self.sequence is None or self.is_sequence_undone or self.closed_at is not None
        waits = self.status == Battle.Status.REPORTED and self.confirmed_at is None
        return self.status not in AHEAD and through and not waits


def _battles_of(seats: Collection[int], rounds: Collection[int]) -> list[_SeatInBattle]:
    """Where these seats fight: in battles that are not through or in these rounds, or with a roster to be mended. One query."""
    sides = Side.objects.live().filter(battle__is_undone=False, seat__in=seats)
    going = Q(battle__status__in=[*OPEN, Battle.Status.CONFIRMED])
    wanted = going | Q(battle__round__in=rounds) | Q(force__flag__way=MEND)
    rows = sides.filter(wanted).order_by().values_list(
        "battle", "battle__status", "battle__round", "battle__campaign", "seat", "force__flag__way", "confirmed_at", "post_battles",
        "post_battles__is_undone", "post_battles__closed_at",
    )  # fmt: skip
    return [_SeatInBattle(*row) for row in rows]


def _busy(places: Iterable[_SeatInBattle], rounds: Collection[int]) -> frozenset[tuple[int, int]]:
    """Pairs of a round and a seat that has a battle in it, of these rounds. No queries."""
    fought = (each for each in places if each.status not in NOT_FOUGHT)
    return frozenset((each.round, each.seat) for each in fought if each.round is not None and each.round in rounds)


def _battles(campaigns: list[int], administered: list[int]) -> list[int]:
    """Battles, by id, that silence confirms now; and in campaigns that one runs the newest that are not through. One query."""
    wanted = Q(campaign__in=campaigns, status=Battle.Status.REPORTED, confirm_by__lte=timezone.now())
    if administered:
        wanted |= not_through(administered)
    return list(Battle.objects.live().filter(wanted).order_by("-pk").values_list("pk", flat=True)[:MOST_OPEN])


def _captives(
    user: Any,
    campaigns: list[int] | None,
    delegated: Collection[int],
    warbands: Collection[int],
    administered: list[int],
) -> tuple[Captive, ...]:
    """Captives of these warbands and held by them, and of guests in campaigns that one runs; in these campaigns or anywhere.

    One query, none where there is nobody to bargain for; two for administrators, where there are any.
    """
    held = Capture.objects.live().filter(status=Capture.Status.HELD).order_by()
    if campaigns is not None:
        held = held.filter(battle__campaign__in=campaigns)
    theirs = held.filter(Q(warband__in=warbands) | Q(captor__in=warbands))
    if administered:
        for_guests = held.filter(captor=None, battle__campaign__in=administered)
        both = theirs.values_list("pk", flat=True).union(for_guests.values_list("pk", flat=True))
        theirs = Capture.objects.filter(pk__in=list(both))
    rows = theirs.values(
        "pk", "taken_at", "captor_name", "fighter__name", "warband", "warband__name", "warband__owner", "captor", "captor__owner",
        "battle__campaign", "offers__is_undone", "offers__status", "offers__by_captor", "offers__ducats",
    )  # fmt: skip
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
    """Read what is open for a person in all campaigns, or in one that `campaign_for` read: thirteen queries at most, whatever there is of it.

    Of other people's battles and seats only those are read that want an administrator, in campaigns that this person runs, up to
    `MOST_OPEN` of them; and those whose report silence confirms now.
    """
    campaigns = (only,) if only is not None else tuple(_campaigns(user))
    ids = [each.pk for each in campaigns]
    administered = [each.pk for each in campaigns if each.is_run]  # type: ignore[attr-defined]
    rounds = tied(campaigns, Round.objects.live().filter(campaign__in=ids, is_closed=False).order_by("number"))
    open_rounds = {each.pk for each in rounds}
    seats = tied(campaigns, _seats(user, campaigns, open_rounds))
    for seat in seats:
        under_terms(seat.warband, seat.campaign)
    judged(seat.warband for seat in seats if seat.status != Seat.Status.LEFT)
    delegated = frozenset(seat.warband_id for seat in seats if seat.is_delegated and seat.warband_id)  # type: ignore[attr-defined]
    owned = {seat.warband_id for seat in seats if seat.warband is not None and seat.warband.owner_id == user.pk}
    mine = {seat.pk for seat in seats if seat.user_id == user.pk or seat.warband_id in owned | delegated}
    places = _battles_of(mine, open_rounds)
    wanted = {
        each.battle
        for each in places
        if each.flag == MEND or (each.is_going and (each.campaign in administered or not each.is_left_to_others))
    }
    others: list[int] = []
    if administered or any(each.is_due for each in campaigns):  # type: ignore[attr-defined]
        others = _battles(ids, administered)
        wanted |= set(others)
    battles = read_battles(wanted, campaigns)
    board = Board(
        user=user,
        campaigns=campaigns,
        administered=frozenset(administered),
        delegated=delegated,
        seats=seats,
        battles=tuple(battle for battle in battles if battle.status in OPEN or _unfinished(battle)),
        rounds=rounds,
        busy=busy_among(seats, open_rounds) if administered else _busy(places, open_rounds),
        captives=_captives(user, ids if only is not None else None, delegated, owned | delegated, administered),
        to_mend=_to_mend(user, battles),
        is_cut=bool(administered) and MOST_OPEN in (len(others), len(seats)),
        left_captives=tuple(captives_of_left_seats(seat for seat in seats if seat.campaign_id in administered)),
    )
    with_reports(battle for battle in board.battles if board.answers(battle))
    return _with_places(board)


def _with_places(board: Board) -> Board:
    """The board with where one's own sequences stand. One query where one began any, and three where a step may be open again."""
    begun = [
        (sequence, side.warband)
        for battle in board.battles
        if battle.status != Battle.Status.VOID
        for side in sides_of(battle)
        if side.warband is not None and board.plays(side) and (sequence := sequence_of(side)) is not None
        if sequence.started_at is not None and sequence.closed_at is None
    ]
    return replace(board, places=step_places(begun))


def _to_mend(user: Any, battles: Iterable[Battle]) -> tuple[Side, ...]:
    """One's sides that an administrator asked to mend, as long as problems stand and no later battle was mustered.

    One query where there are any. Two more where a house rule came into force since a warband was judged.
    """
    asked: list[tuple[Side, Warband]] = []
    for battle in battles:
        for side in sides_of(battle) if battle.status not in NOT_FOUGHT else ():
            warband = side.warband
            if warband is None or (side.force.get("flag") or {}).get("way") != MEND:
                continue
            if user.pk in (warband.owner_id, None if side.is_guest else side.seat.user_id):
                side.battle = battle
                asked.append((side, warband))
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


def _mend_waits(board: Board) -> Iterable[Wait]:
    for side in board.to_mend:
        assert side.warband is not None
        flag = side.force["flag"]
        yield Wait(
            f"mend_{side.pk}",
            "hammer",
            f"Mend {side.warband.name}: {plural(side.warband.problem_count, 'problem')}",
            f"{flag['by']}, after {scenario_name(side.battle)}: “{flag['words']}”",
            reverse("warband-show", args=[side.warband_id]),
            "Mend it",
            datetime.fromisoformat(flag["at"]),
            side.battle.campaign.name,
        )


def _roster_waits(board: Board) -> Iterable[Wait]:
    """One's rosters that break a rule of today, whatever made them do so: a house rule, a loss, an act of somebody else."""
    asked = {side.warband_id for side in board.to_mend}
    for seat in board.seats:
        mine = seat.user_id == board.user.pk or board.acts_for(seat.warband)
        running = seat.campaign.status == Campaign.Status.RUNNING and seat.status != Seat.Status.LEFT
        if not (mine and running and has_problems(seat)) or seat.warband_id in asked:
            continue
        assert seat.warband is not None
        yield Wait(
            f"problems_{seat.warband_id}",
            "triangle-alert",
            f"Fix {seat.warband.name}: {plural(seat.warband.problem_count, 'problem')}",
            "",
            reverse("warband-show", args=[seat.warband_id]),
            "Fix",
            timezone.now(),
            seat.campaign.name,
        )


def _administrator_waits(board: Board) -> Iterable[Wait]:
    """What each campaign that one runs wants of its administrators, in a line that leads to its desk."""
    for campaign in board.campaigns:
        if not board.runs(campaign.pk) or campaign.status != Campaign.Status.RUNNING:
            continue
        seats = [seat for seat in board.seats if seat.campaign_id == campaign.pk]
        rounds = [each for each in board.rounds if each.campaign_id == campaign.pk and not each.is_closed]
        found = matters_of(
            campaign,
            battles=[battle for battle in board.battles if battle.campaign_id == campaign.pk],
            seats=seats,
            round=rounds[-1] if rounds else None,
            busy={seat for number, seat in board.busy if rounds and number == rounds[-1].pk},
            captives=[each for each in board.left_captives if each.battle.campaign_id == campaign.pk],
        )
        if found.count or board.is_cut:
            matters = f"{plural(found.count, 'matter')}{' or more' if board.is_cut else ''}"
            yield Wait(
                f"administer_{campaign.pk}",
                "users",
                f"{matters if found.count else 'There may be matters'} for administrators",
                f"{campaign.name}: {found.summary}" if found.count else campaign.name,
                reverse("campaign-administer", args=[campaign.pk]),
                "Open",
                timezone.now(),
                campaign.name,
            )


def waits(board: Board) -> tuple[Wait, ...]:
    """What this person can act on, the oldest promise first. No queries."""
    found = [*_battle_waits(board), *_seat_waits(board), *_round_waits(board), *_captive_waits(board)]
    found += [*_mend_waits(board), *_roster_waits(board), *_administrator_waits(board)]
    return tuple(sorted(found, key=lambda wait: (wait.since, wait.key)))


# --- battles --------------------------------------------------------------------------------------------------------------


def _battle_waits(board: Board) -> Iterable[Wait]:
    for battle in board.battles:
        sides = sides_of(battle)
        mine = [side for side in sides if board.plays(side)]
        if battle.status in AHEAD:
            yield from _ahead(battle, sides, mine)
        elif battle.status == Battle.Status.REPORTED:
            yield from _to_confirm(board, battle, sides, mine)
        elif battle.status == Battle.Status.DISPUTED and board.runs(battle.campaign_id):
            yield _wait(
                battle,
                "decide",
                "scale",
                f"Decide: {against(sides)}",
                _disputed_words(battle),
                "report-confirm",
                "Decide",
                _sent(battle),
            )
        for side in mine:
            sequence = sequence_of(side)
            if (
                sequence is not None
                and sequence.closed_at is None
                and battle.status != Battle.Status.VOID
                and side.warband is not None
            ):
                yield _after(battle, side, sequence, board.places)


def _wait(battle: Battle, key: str, icon: str, title: str, meta: str, name: str, label: str, since: datetime) -> Wait:
    return Wait(
        f"{key}_{battle.pk}", icon, title, meta, reverse(name, args=[battle.pk]), label, since, battle.campaign.name
    )


def _sent(battle: Battle) -> datetime:
    report = report_of(battle)
    return report.sent_at if report is not None else battle.created_at


def _ahead(battle: Battle, sides: list[Side], mine: list[Side]) -> Iterable[Wait]:
    since = battle.created_at
    if battle.planned_for is not None:
        since = timezone.make_aware(datetime.combine(battle.planned_for, time(12)))
    when = (
        f"set for {battle.planned_for:%a} {battle.planned_for.day} {battle.planned_for:%b}"
        if battle.planned_for
        else "no day yet"
    )
    for side in mine:
        if side.ready_at is not None and (words := since_words(side)):
            meta = f"{side_name(side)} mustered before the attacker. It can be taken back, or stand."
            yield _wait(
                battle, f"since{side.pk}", "triangle-alert", words, meta, "force-select", "Look at it", side.ready_at
            )
    if battle.status == Battle.Status.MUSTERED and mine:
        title = f"Report {scenario_name(battle)}"
        yield _wait(
            battle,
            "report",
            "crossed-swords",
            title,
            f"{against(sides)}, all are ready",
            "battle-report",
            "Report",
            since,
        )
        return
    for side in mine:
        if side.ready_at is None:
            others = [side_name(other) for other in sides if other.pk != side.pk]
            title = f"{side_name(side)} v {', '.join(others)}"
            yield _wait(battle, f"muster{side.pk}", "crossed-swords", title, when, "force-select", "Set up", since)


def _to_confirm(board: Board, battle: Battle, sides: list[Side], mine: list[Side]) -> Iterable[Wait]:
    if not board.answers(battle):
        return
    meta = ", ".join(part for part in (scenario_name(battle), until(battle.confirm_by)) if part)
    if any(side.confirmed_at is None for side in mine):
        report = report_of(battle)
        who = f"{report.by}'s" if report is not None and report.by is not None else "the"
        yield _wait(
            battle, "confirm", "scale", f"Confirm {who} report", meta, "report-confirm", "Read it", _sent(battle)
        )
        return
    open_sides = [side for side in sides if side.confirmed_at is None]
    unattended = [side for side in open_sides if side.is_guest or is_unclaimed(side)]
    if open_sides and len(unattended) == len(open_sides):
        names = ", ".join(side_name(side) for side in unattended)
        yield _wait(
            battle, "confirm", "scale", f"Confirm for {names}", meta, "report-confirm", "Read it", _sent(battle)
        )


def _disputed_words(battle: Battle) -> str:
    words = [report.dispute_words for report in reports_of(battle) if report.dispute_words]
    return f"“{words[-1]}”" if words else "disputed"


def _after(battle: Battle, side: Side, sequence: PostBattle, places: Mapping[int, tuple[int, int]]) -> Wait:
    assert side.warband is not None
    meta = f"{side.warband.name}, {scenario_name(battle)}"
    href = reverse("post-battle-show", args=[battle.pk, side.warband_id])
    if sequence.started_at is None:
        return Wait(
            f"after_{sequence.pk}",
            "scar-wound",
            "Post-battle, not begun",
            meta,
            href,
            "Begin",
            sequence.made_at,
            battle.campaign.name,
        )
    place = places[sequence.pk]
    title = f"Post-battle, step {place[0]} of {place[1]}"
    return Wait(
        f"after_{sequence.pk}", "scar-wound", title, meta, href, "Go on", sequence.started_at, battle.campaign.name
    )


# --- seats, rounds, captives --------------------------------------------------------------------------------------------------


def _seat_waits(board: Board) -> Iterable[Wait]:
    for seat in board.seats:
        running = seat.campaign.status == Campaign.Status.RUNNING
        if not running or seat.status == Seat.Status.LEFT:
            continue
        here = reverse("seat-show", args=[seat.pk])
        mine = seat.user_id == board.user.pk
        if mine and seat.warband_id is None:
            yield Wait(
                f"bring_{seat.pk}",
                "users",
                "Bring a warband",
                seat.campaign.name,
                here,
                "Choose",
                seat.joined_at,
                seat.campaign.name,
            )
        elif mine and seat.warband is not None and seat.warband.is_founding:
            founded = reverse("warband-show", args=[seat.warband_id])
            yield Wait(
                f"found_{seat.pk}", "hammer", f"{seat.warband.name} is being founded", f"for {seat.campaign.name}", founded, "Build on",
                seat.joined_at, seat.campaign.name,
            )  # fmt: skip
        elif mine and _may_send_list(seat):
            yield Wait(
                f"list_{seat.pk}",
                "pencil",
                "Send in your starting list",
                f"{seat.campaign.name}, before the first battle",
                here,
                "Send it in",
                seat.joined_at,
                seat.campaign.name,
            )
        if mine and seat.list_state == Seat.ListState.RETURNED:
            yield Wait(
                f"list_{seat.pk}",
                "pencil",
                "Your list was sent back",
                f"“{seat.list_words}”",
                here,
                "Read it",
                seat.joined_at,
                seat.campaign.name,
            )
        if board.runs(seat.campaign_id) and seat.list_state == Seat.ListState.SUBMITTED:
            yield Wait(
                f"list_{seat.pk}",
                "scale",
                f"Look at {seat.name}'s list",
                seat.campaign.name,
                here,
                "Look",
                seat.joined_at,
                seat.campaign.name,
            )


def _may_send_list(seat: Seat) -> bool:
    """Whether an administrator wants to see the starting list of a warband that has not fought, and nobody sent it in."""
    if seat.list_state != Seat.ListState.OPEN or not setting_of(seat.campaign, "lists_looked_at"):
        return False
    return seat.warband is not None and not seat.warband.state.get("fought")


def _round_waits(board: Board) -> Iterable[Wait]:
    for found in board.rounds:
        if found.is_closed or found.campaign.status != Campaign.Status.RUNNING:
            continue
        for seat in board.seats:
            fits = (
                seat.campaign_id == found.campaign_id
                and seat.user_id == board.user.pk
                and seat.status == Seat.Status.PLAYING
            )
            if fits and seat.warband_id and (found.pk, seat.pk) not in board.busy:
                ends = (
                    f"ends {found.ends_on:%a} {found.ends_on.day} {found.ends_on:%b}" if found.ends_on else "no end set"
                )
                href = f"{reverse('battle-schedule', args=[found.campaign_id])}?round={found.number}"
                yield Wait(
                    f"round_{found.pk}", "calendar", f"Round {found.number}: no battle yet", f"{found.campaign.name}, {ends}", href, "Set up",
                    _start_of(found), found.campaign.name,
                )  # fmt: skip


def _start_of(found: Round) -> datetime:
    day = found.starts_on or timezone.localdate()
    return timezone.make_aware(datetime.combine(day, time(0)))


def _captive_waits(board: Board) -> Iterable[Wait]:
    for captive in board.captives:
        unpriced = captive.asked is None and captive.offered is None
        title = ""
        if captive.is_owner and captive.asked is not None:
            title = f"{captive.captor} asks {plural(captive.asked, 'ducat')} for {captive.fighter}"
        elif (captive.is_captor or captive.for_guest) and captive.offered is not None:
            title = f"{captive.warband} offers {plural(captive.offered, 'ducat')} for {captive.fighter}"
        elif unpriced and captive.is_captor:
            title = f"You hold {captive.fighter}: name a price"
        elif unpriced and captive.is_owner:
            title = f"{captive.fighter} is held by {captive.captor}"
        if title:
            here = reverse("capture-settle", args=[captive.pk])
            meta = f"for {captive.captor}" if captive.for_guest and not captive.is_owner else captive.warband
            yield Wait(f"capture_{captive.pk}", "handcuffs", title, meta, here, "Bargain", captive.taken_at)
