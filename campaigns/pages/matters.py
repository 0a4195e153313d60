"""The matters of a campaign that need an administrator, each with its remedy.

They are missing results, disputed reports, unfinished post-battles, submitted lists and illegal rosters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.kept_drafts import kept_draft_of, with_kept_drafts
from campaigns.models import AHEAD, Absence, Battle, Campaign, Capture, Challenge, PostBattle, Round, Seat, Side
from campaigns.pages.battle_queries import draft_of, report_of, sequence_of, sides_of
from campaigns.pages.formatting import against, ago, on_day, until
from campaigns.pages.loose_ends import BOOKLET, FLAG, VOID, LooseEnd
from campaigns.scenarios import scenario_name
from campaigns.services.common import READY_FOR, is_unclaimed, player_name
from rules.formatting import joined
from warbands.labels import worth_of
from warbands.models import Warband
from warbands.pages.formatting import problems_words
from warbands.pages.widgets import Link

STUCK_AFTER_DAYS = 3
SET_UP_FOR = timedelta(days=14)  # since a battle without a day was set up
MOST_EMPTY = 4  # places without a warband that have a row each
MAX_OPEN = 25  # how many of other people's battles, and how many seats, are read at once for an administrator
OPEN = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED, Battle.Status.DISPUTED)
NOT_FOUGHT = (Battle.Status.CANCELLED, Battle.Status.VOID)


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that needs an administrator, with its remedies. `href` is where its title leads, if it does."""

    key: str
    title: str
    words: str
    acts: tuple[Link, ...]
    href: str = ""


@dataclass(frozen=True, slots=True)
class Matters:
    missing: tuple[Matter, ...]
    disputed: tuple[Matter, ...]
    stuck: tuple[Matter, ...]
    lists: tuple[Matter, ...]
    rosters: tuple[Matter, ...]
    loose: tuple[Matter, ...] = ()
    ahead: tuple[Matter, ...] = ()  # battles whose time has not passed: nothing is missing yet, so they are not counted

    @property
    def count(self) -> int:
        return sum(
            map(len, (self.missing, self.disputed, self.stuck, self.lists, self.rosters, self.loose)),
        )

    @property
    def summary(self) -> str:
        disputed, lists, missing = len(self.disputed), len(self.lists), len(self.missing)
        stuck, rosters, loose = len(self.stuck), len(self.rosters), len(self.loose)
        counted = (
            (disputed, ngettext("{count} disputed report", "{count} disputed reports", disputed)),
            (lists, ngettext("{count} starting list", "{count} starting lists", lists)),
            (
                missing,
                ngettext(
                    "{count} missing warband, battle or result", "{count} missing warbands, battles or results", missing
                ),
            ),
            (stuck, ngettext("{count} unfinished post-battle", "{count} unfinished post-battles", stuck)),
            (rosters, ngettext("{count} roster with problems", "{count} rosters with problems", rosters)),
            (loose, ngettext("{count} thing left over", "{count} things left over", loose)),
        )
        return ", ".join(words.format(count=number) for number, words in counted if number)


def not_through(campaigns: Iterable[int]) -> Q:
    """Return a filter for battles of these campaigns that are open or have an open post-battle sequence."""
    unfinished = PostBattle.objects.live().filter(
        side__battle=OuterRef("pk"), side__is_undone=False, closed_at=None, warband__isnull=False
    )
    ids = list(campaigns)
    return Q(campaign__in=ids, status__in=OPEN) | Q(
        Exists(unfinished), campaign__in=ids, status=Battle.Status.CONFIRMED
    )


def fighting(rounds: Collection[int]) -> QuerySet[Side]:
    """Return the sides of seats with a past or future battle in these rounds."""
    sides = Side.objects.live().filter(battle__round__in=rounds, battle__is_undone=False, seat__isnull=False)
    return sides.exclude(battle__status__in=NOT_FOUGHT).order_by()


def with_busy(seats: QuerySet[Seat], rounds: Collection[int]) -> QuerySet[Seat]:
    """Annotate seats for `busy_among` with whether each has a battle in each of these rounds."""
    return seats.annotate(**{f"busy_{pk}": Exists(fighting([pk]).filter(seat=OuterRef("pk"))) for pk in rounds})


def busy_among(seats: Iterable[Seat], rounds: Collection[int]) -> frozenset[tuple[int, int]]:
    """Return (round id, seat id) pairs for seats that have a battle in the round. Needs `with_busy` on the seats. No queries."""
    return frozenset((pk, seat.pk) for seat in seats for pk in rounds if getattr(seat, f"busy_{pk}"))


def with_challenges(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Annotate seats with their oldest challenge that waits for an answer, with whom they agreed on a battle, and the
    roster that is kept for them."""
    offered = Challenge.objects.live().filter(other=OuterRef("pk"), status=Challenge.Status.OFFERED).order_by("pk")
    return with_kept_drafts(seats).annotate(
        challenged_by=Subquery(offered.values("seat__name")[:1]),
        challenged_at=Subquery(offered.values("made_at")[:1]),
        agreed_with=Subquery(_agreed().order_by("pk").values("other__name")[:1]),
        is_away_today=Exists(away_on(timezone.localdate()).filter(seat=OuterRef("pk"))),
    )


def away_on(day: date) -> QuerySet[Absence]:
    """Return the absences that cover a day."""
    return Absence.objects.live().filter(is_over=False, starts_on__lte=day, ends_on__gte=day)


def _agreed() -> QuerySet[Challenge]:
    """Return the challenges of the outer query's seat that were accepted and not yet set up."""
    return Challenge.objects.live().filter(seat=OuterRef("pk"), status=Challenge.Status.ACCEPTED)


def seats_that_want(campaigns: Iterable[Campaign], rounds: Collection[int]) -> Q:
    """Return a filter for seats of these campaigns that need an administrator. `rounds` are the open rounds."""
    held = Capture.objects.live().filter(status=Capture.Status.HELD)
    left = Q(status=Seat.Status.LEFT)
    wanted = Q(list_state=Seat.ListState.SUBMITTED) | (
        ~left & (Q(warband__isnull=True) | Q(warband__problem_count__gt=0) | Q(warband__status=Warband.Status.FOUNDING))
    )
    wanted |= ~left & Exists(_agreed())
    wanted |= left & (
        Exists(held.filter(warband=OuterRef("warband"))) | Exists(held.filter(captor=OuterRef("warband")))
    )
    if rounds:
        wanted |= Q(status=Seat.Status.PLAYING, warband__isnull=False) & ~Q(pk__in=fighting(rounds).values("seat"))
    found = Q(campaign__in=[campaign.pk for campaign in campaigns]) & wanted
    for campaign in campaigns:
        if campaign.terms.coming:  # a rule may have come into force after the problems were counted
            found |= Q(campaign=campaign) & ~left & ~Q(warband__judged_under=campaign.terms.mark)
    return found


class LateSequence(NamedTuple):
    battle: Battle
    side: Side
    sequence: PostBattle
    since: datetime


def late_sequences(battles: Iterable[Battle]) -> list[LateSequence]:
    """Return the unfinished sequences of these battles that an administrator has to finish. No queries.

    They began (or were made) `STUCK_AFTER_DAYS` ago or earlier, or nobody with an account plays the side.
    """
    late = timezone.now() - timedelta(days=STUCK_AFTER_DAYS)
    found = []
    for battle in battles:
        for side in sides_of(battle) if battle.status != Battle.Status.VOID else ():
            sequence = sequence_of(side)
            if sequence is None or sequence.closed_at is not None or side.warband is None:
                continue
            since = sequence.started_at or sequence.made_at
            if since <= late or is_unclaimed(side):
                found.append(LateSequence(battle, side, sequence, since))
    return found


def captives_of_left_seats(seats: Iterable[Seat]) -> list[Capture]:
    """Read captives lost or held by vacated seats, for an administrator to decide about. One query, none without such a seat."""
    gone = [seat for seat in seats if seat.status == Seat.Status.LEFT and seat.warband_id]
    if not gone:
        return []
    warbands, campaigns = [seat.warband_id for seat in gone], {seat.campaign_id for seat in gone}
    held = Capture.objects.live().filter(
        Q(warband__in=warbands) | Q(captor__in=warbands), status=Capture.Status.HELD, battle__campaign__in=campaigns
    )
    return list(held.select_related("fighter", "warband", "captor", "battle").order_by("pk"))


def matters_of(
    campaign: Campaign,
    *,
    battles: Sequence[Battle],
    seats: Sequence[Seat],
    round: Round | None,
    busy: Collection[int],
    captives: Iterable[Capture],
    loose: Iterable[LooseEnd] = (),
    places: Mapping[int, tuple[int, int]] | None = None,
) -> Matters:
    """Return everything that needs an administrator, from rows already read. No queries.

    `battles` are open and come from `read_battles`. `seats` have judged warbands. `round` is the open round, `busy` are the seats with
    a battle in it. `places` maps the id of each late sequence to its step; None hides the steps.
    """
    playing = [seat for seat in seats if seat.status != Seat.Status.LEFT]
    left = {seat.warband_id: seat for seat in seats if seat.status == Seat.Status.LEFT and seat.warband_id}
    return Matters(
        missing=tuple(_missing(campaign, battles, round, playing, busy)),
        ahead=tuple(_ahead(battle) for battle in battles if battle.status in AHEAD and not _is_due(battle, round)),
        disputed=tuple(_disputed(battle) for battle in battles if battle.status == Battle.Status.DISPUTED),
        stuck=(
            *(_stuck(late, places) for late in late_sequences(battles)),
            *(_left_behind(capture, left) for capture in captives),
        ),
        lists=tuple(_list_matter(seat) for seat in playing if seat.list_state == Seat.ListState.SUBMITTED),
        rosters=(
            *(_roster_matter(seat) for seat in playing if has_problems(seat)),
            *(_flag_matter(end) for end in loose if end.kind == FLAG),
        ),
        loose=tuple(_loose_matter(campaign, end) for end in loose if end.kind in (VOID, BOOKLET)),
    )


def has_problems(seat: Seat) -> bool:
    """Return whether the seat's warband plays with an illegal roster. No queries for a judged warband."""
    return seat.warband is not None and not seat.warband.is_founding and bool(seat.warband.problem_count)


def _missing(
    campaign: Campaign, battles: Iterable[Battle], round: Round | None, seats: Sequence[Seat], busy: Collection[int]
) -> Iterable[Matter]:
    for battle in battles:
        if battle.status in AHEAD and _is_due(battle, round):
            yield _ahead(battle)
        elif battle.status == Battle.Status.REPORTED:
            yield _unconfirmed(battle)
    if round is not None:
        yield from _round_matters(campaign, round, seats, busy)
    if campaign.status == Campaign.Status.RUNNING:  # elsewhere nobody joins or plays any more
        empty = [seat for seat in seats if seat.warband_id is None and _kept(seat) is None]
        if len(empty) > MOST_EMPTY:
            yield _empty_seats(campaign, empty)
        yield from _kept_matters(campaign, seats)
        for seat in seats:
            yield from _seat_matters(campaign, seat, tells_empty=len(empty) <= MOST_EMPTY)


def _unconfirmed(battle: Battle) -> Matter:
    open_sides = [player_name(side) for side in sides_of(battle) if side.confirmed_at is None]
    words = _("reported; {joined} can answer {until}").format(joined=joined(open_sides), until=until(battle.confirm_by))
    act = Link(_("Confirm for this player"), reverse("report-confirm", args=[battle.pk]))
    return Matter(f"answer_{battle.pk}", against(sides_of(battle)), _with_players(battle, words.strip()), (act,))


def _round_matters(campaign: Campaign, round: Round, seats: Sequence[Seat], busy: Collection[int]) -> Iterator[Matter]:
    """Yield who has no battle in the open round, and that its last day has passed."""
    idle = joined(seat.name for seat in seats if _is_ready_to_play(seat) and seat.pk not in busy)
    if idle:
        href = f"{reverse('battle-schedule', args=[campaign.pk])}?round={round.number}"
        yield Matter(
            "idle",
            _("No battle in round {number}").format(number=round.number),
            idle,
            (Link(_("Set up a battle"), href),),
        )
    if round.ends_on is not None and round.ends_on < timezone.localdate():
        words = _("ended {on_day}").format(on_day=on_day(round.ends_on))
        acts = (Link(_("Close or extend"), reverse("round-arrange", args=[campaign.pk])),)
        yield Matter("round", _("Round {number} is over").format(number=round.number), words, acts)


def _empty_seats(campaign: Campaign, seats: Sequence[Seat]) -> Matter:
    """Return one row for many places without a warband, as at the start of a season."""
    acts = (
        Link(_("All players"), reverse("player-list", args=[campaign.pk])),
        Link(_("Reminders"), reverse("reminder-list", args=[campaign.pk])),
    )
    return Matter("empty", _("No warband yet"), joined(seat.name for seat in seats), acts)


def _kept(seat: Seat) -> int | None:
    """Return the kept roster of a seat of `with_kept_drafts`, if there is one."""
    return getattr(seat, "kept_draft", None)


def _kept_matters(campaign: Campaign, seats: Iterable[Seat]) -> Iterator[Matter]:
    """Yield the rosters from files that are kept for places without a warband: a row each, or one for many."""
    waiting = [(seat, draft) for seat in seats if seat.warband_id is None and (draft := kept_draft_of(seat, campaign))]
    page = reverse("bulk-import", args=[campaign.pk])
    if len(waiting) > MOST_EMPTY:
        names = joined(seat.name for seat, _draft in waiting)
        yield Matter("kept", _("Kept rosters to finish"), names, (Link(_("Open files"), page),))
        return
    for seat, draft in waiting:
        told = _("the kept roster {name} has names to check") if draft.has_open else _("the kept roster {name} is read")
        acts = (Link(_("Check names") if draft.has_open else _("Open"), draft.href or page),)
        yield Matter(f"kept_{seat.pk}", seat.name, told.format(name=draft.name), acts)


def _seat_matters(campaign: Campaign, seat: Seat, *, tells_empty: bool) -> Iterator[Matter]:
    """Yield what keeps a place from playing: an agreed battle without a round, a warband that is missing or being built."""
    if agreed_with := getattr(seat, "agreed_with", None):
        title = _("{seat} and {name} agreed on a battle").format(seat=seat.name, name=agreed_with)
        acts = (Link(_("Pair a round"), reverse("round-pair", args=[campaign.pk])),)
        yield Matter(f"agreed_{seat.pk}", title, _("waits for a round"), acts)
    acts = (Link(_("Open place"), reverse("seat-show", args=[seat.pk])),)
    since = ago(seat.joined_at)
    if seat.warband is not None and seat.warband.is_founding:
        words = _("{name} is still being built, joined {ago}").format(name=seat.warband.name, ago=since)
        yield Matter(f"building_{seat.pk}", seat.name, words, acts)
    if seat.warband_id is None and _kept(seat) is None and tells_empty:
        yield Matter(f"empty_{seat.pk}", seat.name, _("no warband yet, joined {ago}").format(ago=since), acts)


def _ahead(battle: Battle) -> Matter:
    when = _("set for {on_day}").format(on_day=on_day(battle.planned_for)) if battle.planned_for else _("no date")
    act = Link(_("Report for this player"), reverse("battle-report", args=[battle.pk]))
    if (draft := _waiting_draft(battle)) is not None:
        when = _("a report sent by code")
        act = Link(_("Read the draft"), f"{reverse('battle-report', args=[battle.pk])}?draft={draft}")
    return Matter(
        f"ahead_{battle.pk}",
        against(sides_of(battle)),
        _with_players(battle, when),
        (act,),
        reverse("battle-show", args=[battle.pk]),
    )


def _with_players(battle: Battle, words: str) -> str:
    """Return words about a battle after the names of its players, unless its title has them already."""
    players = against(sides_of(battle), player_name)
    if players == against(sides_of(battle)):
        return words
    return _("{players}: {words}").format(players=players, words=words)


def _waiting_draft(battle: Battle) -> int | None:
    return next((found[0] for side in sides_of(battle) if (found := draft_of(side)) is not None), None)


def _is_due(battle: Battle, round: Round | None) -> bool:
    """Return whether a battle that was not reported should have been: its day or round is over, or it was set up or
    ready long ago. A draft of its report is always due. No queries."""
    today = timezone.localdate()
    if _waiting_draft(battle) is not None:
        return True
    if battle.planned_for is not None:
        return battle.planned_for < today
    if round is not None and battle.round_id == round.pk and round.ends_on is not None and round.ends_on < today:
        return True
    ready = [side.ready_at for side in sides_of(battle)]
    if ready and all(at is not None and at < timezone.now() - READY_FOR for at in ready):
        return True
    return battle.created_at < timezone.now() - SET_UP_FOR


def _is_ready_to_play(seat: Seat) -> bool:
    """Return whether a seat could play now. Needs `with_challenges` to know of days away."""
    plays = seat.status == Seat.Status.PLAYING and seat.warband_id is not None
    return plays and not getattr(seat, "is_away_today", False)


def _disputed(battle: Battle) -> Matter:
    report = report_of(battle)
    words = f"“{report.dispute_words}”" if report is not None and report.dispute_words else _("disputed")
    words = _with_players(battle, words)
    acts = (Link(_("Decide"), reverse("report-confirm", args=[battle.pk])),)
    return Matter(f"disputed_{battle.pk}", against(sides_of(battle)), words, acts)


def _stuck(late: LateSequence, places: Mapping[int, tuple[int, int]] | None) -> Matter:
    place = (places or {}).get(late.sequence.pk)
    step = (
        _("step {place} of {place_2}").format(place=place[0], place_2=place[1])
        if place is not None
        else _("not begun")
        if places is not None
        else _("to do")
    )
    href = reverse("post-battle-show", args=[late.battle.pk, late.side.warband_id])
    words = _("{player}, after {scenario_name}: {step}, {when}").format(
        player=player_name(late.side),
        scenario_name=scenario_name(late.battle),
        step=step,
        when=ago(late.since),
    )
    return Matter(
        f"stuck_{late.sequence.pk}", str(late.side.warband), words, (Link(_("Finish for this player"), href),)
    )


def _left_behind(capture: Capture, left: Mapping[int | None, Seat]) -> Matter:
    seat = left.get(capture.warband_id) or left[capture.captor_id]
    words = _("held by {captor_name}; {seat} left").format(captor_name=capture.captor_name, seat=seat.name)
    acts = (Link(_("Decide"), reverse("capture-settle", args=[capture.pk])),)
    return Matter(f"captive_{capture.pk}", capture.fighter.name, words, acts)


def _list_matter(seat: Seat) -> Matter:
    words = f"{seat.warband.name}, {worth_of(seat.warband)}" if seat.warband is not None else ""
    return Matter(f"list_{seat.pk}", seat.name, words, (Link(_("Check list"), reverse("seat-show", args=[seat.pk])),))


def _roster_matter(seat: Seat) -> Matter:
    assert seat.warband is not None
    words = f"{seat.name}, {problems_words(seat.warband.problem_count)}"
    acts = (Link(_("Open roster"), reverse("warband-show", args=[seat.warband_id])),)
    return Matter(f"roster_{seat.pk}", seat.warband.name, words, acts)


def _flag_matter(end: LooseEnd) -> Matter:
    acts = (Link(_("Decide"), reverse("flag-settle", args=[end.row])),)
    words = _("was ready with problems on {on_day}").format(on_day=on_day(end.at.date()))
    name = ", ".join(end.words)
    return Matter(f"flag_{end.row}_{name}", name, words, acts, reverse("battle-show", args=[end.row]))


def _loose_matter(campaign: Campaign, end: LooseEnd) -> Matter:
    words = " ".join(end.words)
    if end.kind == BOOKLET:
        acts = (Link(_("Print again"), reverse("booklet-print", args=[campaign.pk])),)
        return Matter(f"booklet_{end.row}", _("The booklet failed"), words, acts)
    acts = (Link(_("Open battle"), reverse("battle-show", args=[end.row])),)
    return Matter(f"void_{end.row}", _("A void battle left something standing"), words, acts)
