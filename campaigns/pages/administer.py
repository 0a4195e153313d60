"""The campaign desk: what is missing, disputed or stuck, each with its remedy; then people, rules, rounds and paper."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, Capture, PostBattle, Round, Seat, Side
from campaigns.pages.booklet import Progress, booklet_progress, latest_booklet
from campaigns.pages.fought import read_battles, read_seats, report_of, sequence_of, sides_of
from campaigns.pages.players import invite_address
from campaigns.pages.rounds import BattleLine, battle_line
from campaigns.pages.words import against, ago, days_since, edition_words, on_day, until
from campaigns.scenarios import scenario_name
from campaigns.sequence import step_places
from campaigns.services.common import listed, side_name
from campaigns.services.house_rules import still_to_come
from campaigns.ways import house_rule_words
from warbands.names import word, worth_of
from warbands.pages.bars import Link
from warbands.pages.words import plural

STUCK_AFTER_DAYS = 3


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that wants an administrator, with its remedies."""

    key: str
    title: str
    words: str
    acts: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A roster that can be printed for somebody."""

    warband: str
    seat: str
    href: str


@dataclass(frozen=True, slots=True)
class AdministerPage:
    """The desk of those who run a campaign."""

    pk: int
    name: str
    words: str
    here: str
    home: Link
    missing_words: str
    missing: tuple[Matter, ...]
    disputed: tuple[Matter, ...]
    stuck: tuple[Matter, ...]
    lists: tuple[Matter, ...]
    quiet: bool
    players_words: str
    players_href: str
    from_paper: bool  # whether the game's warbands can be typed off paper
    invite_address: str
    public_address: str
    rules_words: str
    rules: tuple[str, ...]
    rules_href: str
    round: Round | None
    round_title: str
    round_words: str
    round_ends_on: str
    rounds_href: str
    sheets: tuple[Sheet, ...]
    booklet: Progress | None
    booklet_href: str
    status: str
    status_words: str
    battles: tuple[BattleLine, ...]


def administer_page(campaign: Campaign, site: str) -> AdministerPage:
    """Build the desk: twelve queries at most, thirteen where somebody left. `site` is the address that links begin with."""
    found = Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("-number").first()
    unfinished = Side.objects.live().filter(
        post_battles__is_undone=False, post_battles__closed_at=None, warband__isnull=False
    )
    wanted = Q(
        status__in=[Battle.Status.SCHEDULED, Battle.Status.MUSTERED, Battle.Status.REPORTED, Battle.Status.DISPUTED]
    )
    seats = list(read_seats([campaign]))
    rows = Battle.objects.live().filter(wanted | Q(pk__in=unfinished.values("battle")), campaign=campaign)
    battles = list(read_battles(rows.order_by("pk"), campaigns=[campaign], seats=seats))
    busy = set()
    if found is not None:
        fighting = Side.objects.live().filter(battle__is_undone=False, battle__round=found, seat__isnull=False)
        busy = set(
            fighting.exclude(battle__status__in=[Battle.Status.CANCELLED, Battle.Status.VOID]).values_list(
                "seat_id", flat=True
            )
        )
    playing = [seat for seat in seats if seat.status != Seat.Status.LEFT]
    missing = tuple(_missing(campaign, battles, found, playing, busy))
    disputed = tuple(_disputed(battle) for battle in battles if battle.status == Battle.Status.DISPUTED)
    stuck = (*_stuck(battles), *_left_behind(seats))
    lists = tuple(_list_matter(seat) for seat in playing if seat.list_state == Seat.ListState.SUBMITTED)
    rules, coming = house_rule_words(campaign), still_to_come(campaign.terms)
    to_come = f"; {plural(len(coming), 'change')} to come" if coming else ""
    booklet = latest_booklet(campaign)
    booklet_href = reverse("booklet-print", args=[campaign.pk])
    unclaimed = sum(1 for seat in playing if seat.user_id is None)
    return AdministerPage(
        pk=campaign.pk,
        name=campaign.name,
        words=edition_words(campaign),
        here=reverse("campaign-administer", args=[campaign.pk]),
        home=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        missing_words=_ends(found),
        missing=missing,
        disputed=disputed,
        stuck=stuck,
        lists=lists,
        quiet=not (missing or disputed or stuck or lists),
        players_words=plural(len(playing), "player") + (f", {unclaimed} unclaimed" if unclaimed else ""),
        players_href=reverse("player-list", args=[campaign.pk]),
        from_paper=bool(word(campaign.terms, "paper", "Paper")),
        invite_address=invite_address(campaign, site),
        public_address=site + reverse("campaign-watch", args=[campaign.slug])
        if campaign.seen_by == Campaign.SeenBy.LINK and campaign.slug
        else "",
        rules_words=f"{plural(len(rules), 'house rule')}, version {campaign.terms.version}{to_come}"
        if rules
        else f"None: the book as it stands{to_come}",
        rules=rules,
        rules_href=reverse("house-rule-list", args=[campaign.pk]),
        round=found,
        round_title=f"Round {found.number}" if found is not None else "Rounds",
        round_words=_ends(found) or ("" if found is not None else "No round is open."),
        round_ends_on=found.ends_on.isoformat() if found is not None and found.ends_on else "",
        rounds_href=reverse("round-arrange", args=[campaign.pk]),
        sheets=tuple(
            Sheet(seat.warband.name, seat.name, reverse("roster-print", args=[seat.warband_id]))
            for seat in playing
            if seat.warband is not None
        ),
        booklet=booklet_progress(booklet, campaign, "booklet_strip", again=booklet_href)
        if booklet is not None
        else None,
        booklet_href=booklet_href,
        status=campaign.status,
        status_words=campaign.get_status_display(),
        battles=tuple(battle_line(battle) for battle in battles),
    )


def _ends(found: Round | None) -> str:
    if found is None or found.ends_on is None:
        return ""
    days = (found.ends_on - timezone.localdate()).days
    if days < 0:
        return f"round {found.number} ended {plural(-days, 'day')} ago"
    return f"round {found.number} ends {'today' if days == 0 else 'in ' + plural(days, 'day')}"


def _missing(
    campaign: Campaign, battles: list[Battle], found: Round | None, seats: list[Seat], busy: set[int]
) -> list[Matter]:
    matters = []
    for battle in battles:
        here = reverse("battle-show", args=[battle.pk])
        if battle.status in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED):
            when = f"set for {on_day(battle.planned_for)}" if battle.planned_for else "no day set"
            acts: tuple[Link, ...] = (
                Link("Report for them", reverse("battle-report", args=[battle.pk])),
                Link("Open", here),
            )
            matters.append(Matter(f"ahead_{battle.pk}", against(sides_of(battle)), when, acts))
        elif battle.status == Battle.Status.REPORTED:
            open_sides = [side_name(side) for side in sides_of(battle) if side.confirmed_at is None]
            words = f"reported, waits for {listed(open_sides)} {until(battle.confirm_by)}".strip()
            acts = (Link("Confirm for them", reverse("report-confirm", args=[battle.pk])),)
            matters.append(Matter(f"answer_{battle.pk}", against(sides_of(battle)), words, acts))
    if found is not None:
        idle = [
            seat
            for seat in seats
            if seat.status == Seat.Status.PLAYING and seat.warband_id is not None and seat.pk not in busy
        ]
        if idle:
            href = f"{reverse('battle-schedule', args=[campaign.pk])}?round={found.number}"
            matters.append(
                Matter(
                    "idle",
                    f"No battle in round {found.number}",
                    listed(seat.name for seat in idle),
                    (Link("Set one up", href),),
                )
            )
    for seat in seats:
        if seat.warband_id is None:
            href = reverse("seat-show", args=[seat.pk])
            matters.append(
                Matter(
                    f"empty_{seat.pk}",
                    seat.name,
                    f"no warband yet, seated {ago(seat.joined_at)}",
                    (Link("Open the seat", href),),
                )
            )
    return matters


def _disputed(battle: Battle) -> Matter:
    report = report_of(battle)
    words = f"“{report.dispute_words}”" if report is not None and report.dispute_words else "disputed"
    return Matter(
        f"disputed_{battle.pk}",
        against(sides_of(battle)),
        words,
        (Link("Decide", reverse("report-confirm", args=[battle.pk])),),
    )


def _stuck(battles: list[Battle]) -> list[Matter]:
    """Sequences that nobody went on with. One query where there are any, and three where a step may be open again."""
    late = timezone.now() - timedelta(days=STUCK_AFTER_DAYS)
    stuck: list[tuple[Battle, Side, PostBattle, datetime]] = []
    for battle in battles:
        if battle.status == Battle.Status.VOID:
            continue
        for side in sides_of(battle):
            sequence = sequence_of(side)
            if sequence is None or sequence.closed_at is not None or side.warband is None:
                continue
            since = sequence.started_at or sequence.made_at
            if since <= late:
                stuck.append((battle, side, sequence, since))
    places = step_places(
        (sequence, side.warband) for _, side, sequence, _ in stuck if sequence.started_at and side.warband is not None
    )
    matters = []
    for battle, side, sequence, since in stuck:
        place = places.get(sequence.pk)
        step = f"step {place[0]} of {place[1]}" if place is not None else "not begun"
        href = reverse("post-battle-show", args=[battle.pk, side.warband_id])
        words = f"after {scenario_name(battle)}: {step}, {plural(days_since(since), 'day')}"
        matters.append(Matter(f"stuck_{sequence.pk}", str(side.warband), words, (Link("Finish for them", href),)))
    return matters


def _left_behind(seats: list[Seat]) -> list[Matter]:
    """Captives between a seat that was left and others: somebody has to decide. One query where a seat was left, else none."""
    gone = {seat.warband_id: seat for seat in seats if seat.status == Seat.Status.LEFT and seat.warband_id}
    if not gone:
        return []
    held = Capture.objects.live().filter(
        Q(warband__in=gone) | Q(captor__in=gone), status=Capture.Status.HELD, battle__campaign=seats[0].campaign_id
    )
    return [
        Matter(
            f"captive_{capture.pk}",
            capture.fighter.name,
            f"held by {capture.captor_name}; {(gone.get(capture.warband_id) or gone[capture.captor_id]).name} left",
            (Link("Decide", reverse("capture-settle", args=[capture.pk])),),
        )
        for capture in held.select_related("fighter", "warband", "captor").order_by("pk")
    ]


def _list_matter(seat: Seat) -> Matter:
    words = f"{seat.warband.name}, {worth_of(seat.warband)}" if seat.warband is not None else ""
    return Matter(f"list_{seat.pk}", seat.name, words, (Link("Look at it", reverse("seat-show", args=[seat.pk])),))
