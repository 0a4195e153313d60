"""What is open in one's campaigns, read once: seats, battles, sequences, captives, rounds; and what of it waits for whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from campaigns.models import (
    Administrator,
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
from campaigns.pages.fought import BATTLES, read_battles, read_seats, report_of, reports_of, sequence_of, sides_of, tied
from campaigns.pages.words import against, until
from campaigns.scenarios import scenario_name
from campaigns.sequence import step_places
from campaigns.services.common import side_name
from campaigns.services.flags import MEND
from campaigns.ways import way
from config.written import WrittenQuery
from warbands.judged import judged
from warbands.models import Delegate, Warband
from warbands.pages.words import plural

OPEN = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED, Battle.Status.DISPUTED)
NOT_FOUGHT = (Battle.Status.CANCELLED, Battle.Status.VOID)


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
class Board:
    """Rows of one's running campaigns (or of one of them), as one person sees them."""

    user: Any
    campaigns: tuple[Campaign, ...]
    administered: frozenset[int]
    delegated: frozenset[int]
    seats: tuple[Seat, ...]
    battles: tuple[Battle, ...]
    rounds: tuple[Round, ...]
    busy: frozenset[tuple[int, int]]  # (round, seat): who has a battle in an open round
    captures: tuple[Capture, ...]
    to_mend: tuple[
        Side, ...
    ] = ()  # sides whose roster an administrator asked to be mended, while it has problems still

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


def _unfinished(battle: Battle) -> bool:
    """Whether a warband is not through with what follows the battle. No queries."""
    sequences = (sequence_of(side) for side in sides_of(battle) if side.warband_id)
    return any(each is not None and each.closed_at is None for each in sequences)


def _mine(user: int) -> QuerySet[Campaign]:
    """The campaigns of a person that are not put away, with `is_run`: whether this person runs it."""
    runs = Administrator.objects.live().filter(user=user, campaign=OuterRef("pk"))
    mine = Campaign.objects.joined_by(user).exclude(status=Campaign.Status.ARCHIVED)
    return mine.annotate(is_run=Exists(runs)).select_related("terms")


def _open(campaigns: list[int], open_rounds: list[int]) -> QuerySet[Battle]:
    """Battles that are not through: neither they nor what follows them, nor what somebody was asked to mend after them.

    With the other battles of open rounds, which tell who has no opponent left to find.
    """
    unfinished = Q(post_battles__is_undone=False, post_battles__closed_at=None) | Q(force__flag__way=MEND)
    sides = Side.objects.live().filter(unfinished, battle__campaign__in=campaigns, warband__isnull=False)
    wanted = Q(status__in=OPEN) | Q(pk__in=sides.values("battle")) | Q(round__in=open_rounds)
    return Battle.objects.live().filter(wanted, campaign__in=campaigns).order_by("pk")


def _held(user: int, delegated: list[int], administered: list[int]) -> QuerySet[Capture]:
    """Captives that this person may bargain for, also in a guest's name, with what is asked and offered."""
    theirs = Q(warband__owner=user) | Q(captor__owner=user) | Q(warband__in=delegated) | Q(captor__in=delegated)
    for_guests = Q(captor=None, battle__campaign__in=administered)
    offers = RansomOffer.objects.live().filter(capture=OuterRef("pk"), status=RansomOffer.Status.OPEN).order_by("-pk")
    held = Capture.objects.live().filter(theirs | for_guests, status=Capture.Status.HELD)
    return held.select_related("fighter", "warband", "captor", "battle").annotate(
        asked=Subquery(offers.filter(by_captor=True).values("ducats")[:1]),
        offered=Subquery(offers.filter(by_captor=False).values("ducats")[:1]),
    )


MINE: WrittenQuery[Campaign] = WrittenQuery(_mine)
OPEN_BATTLES: WrittenQuery[Battle] = WrittenQuery(_open)
HELD: WrittenQuery[Capture] = WrittenQuery(_held)
HELD_IN: WrittenQuery[Capture] = WrittenQuery(
    lambda user, delegated, administered, campaign: _held(user, delegated, administered).filter(
        battle__campaign=campaign
    )
)
DELEGATED: WrittenQuery[int] = WrittenQuery(
    lambda user: Delegate.objects.live().filter(user=user).values_list("warband_id", flat=True)
)
ADMINISTERED: WrittenQuery[int] = WrittenQuery(
    lambda user, campaign: (
        Administrator.objects.live().filter(user=user, campaign=campaign).values_list("campaign_id", flat=True)
    )
)
ROUNDS: WrittenQuery[Round] = WrittenQuery(
    lambda campaign: Round.objects.live().filter(campaign=campaign).order_by("number")
)
OPEN_ROUNDS: WrittenQuery[Round] = WrittenQuery(
    lambda campaigns: Round.objects.live().filter(campaign__in=campaigns, is_closed=False).order_by("number")
)


def read_board(user: Any) -> Board:
    """Read everything that is open in one's campaigns: at most sixteen queries, whatever there is of it, and fewer where there is little."""
    delegated = frozenset(DELEGATED(user.pk))
    campaigns = tuple(MINE(user.pk))
    ids = [each.pk for each in campaigns]
    rounds = tied(campaigns, OPEN_ROUNDS(ids))
    open_rounds = {each.pk for each in rounds}
    seats = read_seats(campaigns)
    battles = read_battles(OPEN_BATTLES(ids, open_rounds), campaigns=campaigns, seats=seats)
    administered = frozenset(each.pk for each in campaigns if each.is_run)  # type: ignore[attr-defined]
    return _with_places(
        Board(
            user=user,
            campaigns=campaigns,
            administered=administered,
            delegated=delegated,
            seats=seats,
            battles=tuple(battle for battle in battles if battle.status in OPEN or _unfinished(battle)),
            rounds=rounds,
            busy=frozenset(
                (battle.round_id, side.seat_id)
                for battle in battles
                if battle.round_id in open_rounds and battle.status not in NOT_FOUGHT
                for side in sides_of(battle)
                if side.seat_id is not None
            ),
            captures=tuple(HELD(user.pk, delegated, administered)),
            to_mend=_to_mend(user, battles),
        )
    )


def read_campaign(campaign: Campaign, user: Any) -> Board:
    """Read one campaign whole, closed rounds and battles too: fourteen queries at most, eight for a spectator (`user` None)."""
    watching = user is None
    delegated: frozenset[int] = frozenset()
    administered: frozenset[int] = frozenset()
    if not watching:
        delegated = frozenset(DELEGATED(user.pk))
        administered = frozenset(ADMINISTERED(user.pk, campaign.pk))
    mine = (campaign,)
    seats = read_seats(mine)
    battles = read_battles(BATTLES(campaign.pk), campaigns=mine, seats=seats)
    fought = [battle for battle in battles if battle.status not in NOT_FOUGHT]
    rounds = tied(mine, ROUNDS(campaign.pk))
    board = Board(
        user=user,
        campaigns=mine,
        administered=administered,
        delegated=delegated,
        seats=seats,
        battles=battles,
        rounds=rounds,
        busy=frozenset(
            (battle.round_id, side.seat_id)
            for battle in fought
            for side in sides_of(battle)
            if battle.round_id and side.seat_id
        ),
        captures=() if watching else tuple(HELD_IN(user.pk, delegated, administered, campaign.pk)),
    )
    return board if watching else _with_places(board)


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


def waits(board: Board) -> tuple[Wait, ...]:
    """What this person can act on, the oldest promise first. No queries."""
    found = [*_battle_waits(board), *_seat_waits(board), *_round_waits(board), *_capture_waits(board)]
    found += _mend_waits(board)
    return tuple(sorted(found, key=lambda wait: (wait.since, wait.key)))


# --- battles --------------------------------------------------------------------------------------------------------------


def _battle_waits(board: Board) -> Iterable[Wait]:
    for battle in board.battles:
        sides = sides_of(battle)
        mine = [side for side in sides if board.plays(side)]
        if battle.status in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED):
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
    report = report_of(battle)
    open_sides = [side for side in sides if side.confirmed_at is None]
    who = f"{report.by}'s" if report is not None and report.by is not None else "the"
    meta = ", ".join(part for part in (scenario_name(battle), until(battle.confirm_by)) if part)
    for side in mine:
        if side.confirmed_at is None:
            yield _wait(
                battle, "confirm", "scale", f"Confirm {who} report", meta, "report-confirm", "Read it", _sent(battle)
            )
            return
    unattended = [
        side
        for side in open_sides
        if side.is_guest or (side.seat.user_id is None and (side.warband is None or side.warband.owner_id is None))
    ]
    if board.runs(battle.campaign_id) and open_sides and len(unattended) == len(open_sides):
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
    if seat.list_state != Seat.ListState.OPEN or not way(seat.campaign, "lists_looked_at"):
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


def _capture_waits(board: Board) -> Iterable[Wait]:
    for capture in board.captures:
        asked, offered = capture.asked, capture.offered  # type: ignore[attr-defined]
        is_owner, is_captor = board.acts_for(capture.warband), board.acts_for(capture.captor)
        for_guest = capture.captor_id is None and capture.battle is not None and board.runs(capture.battle.campaign_id)
        title = ""
        if is_owner and asked is not None:
            title = f"{capture.captor_name} asks {plural(asked, 'ducat')} for {capture.fighter.name}"
        elif (is_captor or for_guest) and offered is not None:
            title = f"{capture.warband.name} offers {plural(offered, 'ducat')} for {capture.fighter.name}"
        elif asked is None and offered is None and is_captor:
            title = f"You hold {capture.fighter.name}: name a price"
        elif asked is None and offered is None and is_owner:
            title = f"{capture.fighter.name} is held by {capture.captor_name}"
        if title:
            here = reverse("capture-settle", args=[capture.pk])
            meta = f"for {capture.captor_name}" if for_guest and not is_owner else capture.warband.name
            yield Wait(f"capture_{capture.pk}", "handcuffs", title, meta, here, "Bargain", capture.taken_at)
