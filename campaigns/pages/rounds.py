"""The pages of a campaign's rounds, of one round, and for setting up a battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.factions import factions
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat
from campaigns.pages.battle_queries import read_lines, sides_of
from campaigns.pages.formatting import against, battle_state, on_day, round_words, score
from campaigns.pages.matters import away_on, fighting
from campaigns.scenarios import scenario_name
from campaigns.services.common import player_name, side_name
from campaigns.services.rounds import too_far_ahead
from campaigns.settings_schema import setting_of
from rules.formatting import joined
from warbands.pages.formatting import battles_words
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.widgets import Link
from warbands.parsing import read_number


@dataclass(frozen=True, slots=True)
class BattleLine:
    pk: int
    title: str
    href: str
    words: str
    state: str
    state_words: str
    watch: Link | None = None  # where its table is to be watched


def battle_line(battle: Battle, *, with_players: bool = True) -> BattleLine:
    """Return the list entry of a battle that was read with its sides; spectators don't see who plays. No queries."""
    sides, title = sides_of(battle), against(sides_of(battle))
    name = player_name if with_players else side_name
    words = [scenario_name(battle)] if battle.scenario_id or battle.scenario_name else []
    counts = battle.status not in (Battle.Status.CANCELLED, Battle.Status.VOID) and battle.kind != Battle.Kind.BYE
    if counts and (told := score(sides, name)):
        words.append(told)
    elif (players := against(sides, name)) != title:
        words.append(players)
    return BattleLine(
        pk=battle.pk,
        title=title,
        href=reverse("battle-show", args=[battle.pk]),
        words=", ".join(words),
        state=battle.status,
        state_words=battle_state(battle),
    )


PER_PAGE = 40
ROUNDS_PER_PAGE = 12
MAX_BATTLES, MAX_IDLE = 12, 24


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round. `starts_on` and `ends_on` are formatted for form fields. An open round lists its newest battles."""

    pk: int
    number: int
    title: str
    words: str
    count_words: str
    href: str
    is_closed: bool
    starts_on: str
    ends_on: str
    battles: tuple[BattleLine, ...]
    idle_words: str


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """The rounds of a campaign, newest first, for administrators who arrange them."""

    campaign: str
    pk: int
    here: str
    rounds: tuple[RoundLine, ...]
    pager: Pager | None
    next_number: int
    unbound: tuple[BattleLine, ...]
    unbound_words: str
    schedule_href: str


def rounds_page(campaign: Campaign, *, page: int = 1) -> RoundsPage:
    """Build the page. At most eight queries. The newest open round shows who has no battle."""
    here = reverse("round-arrange", args=[campaign.pk])
    rounds = Round.objects.live().filter(campaign=campaign).order_by("-number")
    part: Slice[Round] = cut(rounds, page, ROUNDS_PER_PAGE, here, {})
    counts = _counts(part.rows)
    live = Battle.objects.live().filter(campaign=campaign)
    unbound = live.filter(round=None)
    # Read the newest battles of open rounds and of no round. Closed rounds show only a count.
    newest = Battle.objects.none()
    listed_rounds = [found for found in part.rows if not found.is_closed]
    if listed_rounds:
        place = Window(RowNumber(), partition_by="round", order_by="-pk")
        newest = live.filter(round__in=listed_rounds).annotate(place=place).filter(place__lte=MAX_BATTLES)
    loose = list(unbound.order_by("-pk")[: MAX_BATTLES + 1])
    battles = read_lines([*newest, *loose[:MAX_BATTLES]], campaign) if loose or listed_rounds else ()
    idle = _idle(campaign, listed_rounds[:1])
    return RoundsPage(
        campaign=campaign.name,
        pk=campaign.pk,
        here=here,
        rounds=tuple(_round_line(found, campaign, battles, counts, idle) for found in part.rows),
        pager=part.pager,
        next_number=(rounds.aggregate(last=Max("number"))["last"] or 0) + 1,
        unbound=tuple(battle_line(battle) for battle in battles if battle.round_id is None),
        unbound_words=_("The newest {MAX_BATTLES} of them.").format(MAX_BATTLES=MAX_BATTLES)
        if len(loose) > MAX_BATTLES
        else "",
        schedule_href=reverse("battle-schedule", args=[campaign.pk]),
    )


def _counts(rounds: Sequence[Round]) -> dict[int, tuple[int, int]]:
    """Return round id → (number of battles, number not yet played) for these rounds. One query."""
    rows = Battle.objects.live().filter(round__in=rounds).exclude(status=Battle.Status.CANCELLED).order_by()
    counted = rows.values_list("round").annotate(all=Count("pk"), ahead=Count("pk", filter=Q(status__in=AHEAD)))
    return {pk: (every, ahead) for pk, every, ahead in counted}


def _idle(campaign: Campaign, rounds: Sequence[Round]) -> dict[int, str]:
    """Return round id → text naming the seats without a battle in it. One query per round."""
    playing = Seat.objects.live().filter(campaign=campaign, status=Seat.Status.PLAYING, warband__isnull=False)
    playing = playing.exclude(Exists(away_on(timezone.localdate()).filter(seat=OuterRef("pk"))))
    found = {}
    for each in rounds:
        without = playing.exclude(pk__in=fighting([each.pk]).values("seat"))
        names = list(without.order_by("pk").values_list("warband__name", flat=True)[: MAX_IDLE + 1])
        more = _("and others") if len(names) > MAX_IDLE else ""
        words = ", ".join([*names[:MAX_IDLE], *([more] if more else [])])
        found[each.pk] = _("No battle yet: {words}.").format(words=words) if words else ""
    return found


def _round_line(
    found: Round,
    campaign: Campaign,
    battles: Iterable[Battle],
    counts: Mapping[int, tuple[int, int]],
    idle: Mapping[int, str],
) -> RoundLine:
    count, ahead = counts.get(found.pk, (0, 0))
    told = battles_words(count) if count else ""
    if count and ahead:
        told = _("{battles}; {ahead} not played").format(battles=told, ahead=ahead)
    return RoundLine(
        pk=found.pk,
        number=found.number,
        title=_("Round {number}").format(number=found.number),
        words=round_words(found, campaign.rounds_planned),
        count_words=told,
        href=reverse("round-show", args=[campaign.pk, found.number]),
        is_closed=found.is_closed,
        starts_on=found.starts_on.isoformat() if found.starts_on else "",
        ends_on=found.ends_on.isoformat() if found.ends_on else "",
        battles=tuple(battle_line(battle) for battle in battles if battle.round_id == found.pk),
        idle_words=idle.get(found.pk, ""),
    )


@dataclass(frozen=True, slots=True)
class RoundPage:
    campaign: Link
    title: str
    words: str
    battles: tuple[BattleLine, ...]
    pager: Pager | None
    can_set: bool
    schedule_href: str
    previous: Link | None
    next: Link | None
    idle_words: str
    gazette: Link | None
    texts: Link | None  # for administrators, who tell the club


def round_page(campaign: Campaign, found: Round, *, plays: bool, page: int = 1) -> RoundPage:
    """Build the page of a round. At most five queries."""
    here = reverse("round-show", args=[campaign.pk, found.number])
    beside = Round.objects.live().filter(campaign=campaign, number__in=[found.number - 1, found.number + 1])
    numbers = set(beside.values_list("number", flat=True))
    rows = Battle.objects.live().filter(campaign=campaign, round=found).order_by("pk")
    part: Slice[Battle] = cut(rows, page, PER_PAGE, here, {})

    def link(number: int) -> Link | None:
        return (
            Link(_("Round {number}").format(number=number), reverse("round-show", args=[campaign.pk, number]))
            if number in numbers
            else None
        )

    return RoundPage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        title=_("Round {number}").format(number=found.number),
        words=round_words(found, campaign.rounds_planned),
        battles=tuple(battle_line(battle) for battle in reversed(read_lines(part.rows, campaign))),
        pager=part.pager,
        can_set=plays and not found.is_closed and campaign.status == Campaign.Status.RUNNING,
        schedule_href=f"{reverse('battle-schedule', args=[campaign.pk])}?round={found.number}",
        previous=link(found.number - 1),
        next=link(found.number + 1),
        idle_words="" if found.is_closed else _idle(campaign, [found])[found.pk],
        gazette=Link(_("Write the gazette"), reverse("publication-edit", args=[campaign.pk, f"round-{found.number}"]))
        if found.is_closed and campaign.is_run  # type: ignore[attr-defined]
        else None,
        texts=Link(_("Text for your club's chat"), reverse("campaign-texts", args=[campaign.pk]))
        if part.rows and campaign.is_run  # type: ignore[attr-defined]
        else None,
    )


# --- setting up a battle --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatChoice:
    value: str
    name: str
    words: str
    closed: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SchedulePage:
    campaign: Link
    here: str
    pages: Pager | None
    page: int
    previous_page: int
    next_page: int
    mine: tuple[SeatChoice, ...]
    others: tuple[SeatChoice, ...]
    rounds: tuple[tuple[str, str], ...]
    factions: tuple[tuple[str, str], ...]  # (keyword, name) for each faction of the edition
    bye: bool
    guests_words: str
    round_number: str  # the preselected round: the newest open one, or ""


GUESTS = 3
GUESTS_WORDS = {
    "all": gettext_lazy("Guest battles count like any other."),
    "growth": gettext_lazy("Guest battles give experience but don't count in the standings."),
    "nothing": gettext_lazy("Guest battles count neither for the warband nor in the standings."),
}


@dataclass(frozen=True, slots=True)
class GuestRow:
    number: int
    name: str
    keyword: str  # the selected value: a keyword of the edition, OTHER_FACTION or ""
    other: str  # the text typed beside the select field
    open: bool

    @property
    def name_field(self) -> str:
        """Return what tells its name from those of the other guests."""
        return f"guest_name_{self.number}"

    @property
    def faction(self) -> str:
        return self.other if self.keyword in ("", OTHER_FACTION) else self.keyword


OTHER_FACTION = "other"


def guest_rows(names: Sequence[str], keywords: Sequence[str], others: Sequence[str] = ()) -> tuple[GuestRow, ...]:
    """Return the rows for guests with the submitted values."""

    def at(given: Sequence[str], place: int) -> str:
        return given[place].strip() if place < len(given) else ""

    rows = []
    for place in range(max(GUESTS, len(names))):
        name, keyword, other = (at(given, place) for given in (names, keywords, others))
        rows.append(GuestRow(place + 1, name, keyword, other, bool(name or keyword or other)))
    return tuple(rows)


def schedule_page(
    campaign: Campaign, user: Any, *, administers: bool, chosen: Iterable[str] = (), page: int = 1
) -> SchedulePage:
    """Build the page. At most five queries. Players set up battles of their own seat; administrators pick all sides.

    The seats are paginated. Chosen seats and the user's own are on every page.
    """
    here = reverse("battle-schedule", args=[campaign.pk])
    rows = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).select_related("warband")
    keys = [number for key in chosen if (number := read_number(key)) is not None]
    part: Slice[Seat] = cut(rows.order_by("pk"), page, PER_PAGE, here, {})
    pager = part.pager
    beside = rows.filter(Q(pk__in=keys) | Q(user=user)).exclude(pk__in=[seat.pk for seat in part.rows])
    seats = [*beside.order_by("pk"), *part.rows]
    rounds = list(Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("number"))
    mine = next((str(seat.pk) for seat in seats if seat.user_id == user.pk), "")
    ahead, behind = too_far_ahead(campaign)
    lines = [_seat_choice(seat, seat.pk in keys, behind if seat.pk in ahead else []) for seat in seats]
    own = [line for line in lines if not administers and line.value == mine]
    terms = campaign.terms
    return SchedulePage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        here=here,
        pages=pager,
        page=part.page,
        previous_page=part.page - 1 if pager is not None and pager.previous_href else 0,
        next_page=part.page + 1 if pager is not None and pager.next_href else 0,
        mine=tuple(own),
        others=tuple(line for line in lines if line not in own),
        rounds=tuple((str(round.number), _round_title(round)) for round in rounds),
        factions=factions(terms),
        bye=administers,
        guests_words=GUESTS_WORDS[setting_of(campaign, "guests_count")],
        round_number=str(rounds[-1].number) if rounds else "",
    )


def _round_title(round: Round) -> str:
    if round.ends_on:
        return _("Round {number}, ends {day}").format(number=round.number, day=on_day(round.ends_on))
    return _("Round {number}").format(number=round.number)


def _seat_choice(seat: Seat, picked: bool, waits_for: list[str]) -> SeatChoice:
    closed = _("has played enough and waits for {joined}.").format(joined=joined(waits_for)) if waits_for else ""
    if seat.warband is None:
        closed = _("no warband yet.")
    words = seat.warband.name if seat.warband is not None else ""
    if seat.warband is not None:
        fought = int(seat.warband.state.get("fought", 0)) + int(seat.warband.state.get("credited", 0))
        words = ngettext("{warband}, {count} battle fought", "{warband}, {count} battles fought", fought).format(
            warband=words, count=fought
        )
        if seat.warband.is_founding:
            words = _("{warband}, new").format(warband=words)
    if seat.status == Seat.Status.AWAY:
        words = _("{warband}, away").format(warband=words)
    return SeatChoice(str(seat.pk), seat.name, words, closed, picked)
