"""The campaign desk. It lists missing, disputed and stuck items with their remedies, then people, rules, rounds and printing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Window
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import HiddenPage
from accounts.site_owner import hidden_words
from campaigns.models import Battle, Campaign, Round, Seat
from campaigns.pages.battle_queries import read_battles, tied, with_reports
from campaigns.pages.booklet import BookletProgress, booklet_progress, latest_booklet
from campaigns.pages.formatting import edition_words
from campaigns.pages.loose_ends import LooseEnd, read_loose_ends
from campaigns.pages.matters import (
    MAX_OPEN,
    Matters,
    busy_among,
    captives_of_left_seats,
    late_sequences,
    matters_of,
    not_through,
    seats_that_want,
    with_busy,
    with_challenges,
)
from campaigns.pages.players import invite_address
from campaigns.sequence import step_places
from campaigns.services.house_rules import still_to_come
from campaigns.settings_schema import house_rule_words
from warbands.pages.formatting import days_words, players_words
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.widgets import Link
from warbands.verdicts import judged

PER_PAGE = 20
MAX_SHEETS = 25


@dataclass(frozen=True, slots=True)
class DeskSheet:
    warband: str
    seat: str
    href: str


@dataclass(frozen=True, slots=True)
class AdministerPage:
    pk: int
    name: str
    words: str
    here: str
    home: Link
    missing_words: str
    matters: Matters
    pager: Pager | None
    has_players: bool
    players_words: str
    players_href: str
    from_paper: bool  # whether the game's warbands can be transcribed from paper
    invite_address: str
    public_address: str
    hidden_words: str  # why the site owner hides the public page, "" where it is shown
    rules_words: str
    rules: tuple[str, ...]
    rules_href: str
    round: Round | None
    round_title: str
    round_words: str
    round_ends_on: str
    rounds_href: str
    sheets: tuple[DeskSheet, ...]
    more_sheets: bool
    more_words: str
    booklet: BookletProgress | None
    booklet_href: str
    status: str
    status_words: str


def administer_page(campaign: Campaign, site: str, *, page: int = 1) -> AdministerPage:
    """Build the campaign desk. At most fourteen queries, plus three if a finished step may have reopened.

    `site` is the base URL for links. Unclosed battles are paginated, oldest first. The needs of seats are on the first page only.
    """
    here = reverse("campaign-administer", args=[campaign.pk])
    round = Round.objects.live().filter(campaign=campaign, is_closed=False).order_by("-number").first()
    rows = Battle.objects.live().filter(not_through([campaign.pk])).order_by("pk")
    part: Slice[Battle] = cut(rows, page, PER_PAGE, here, {})
    battles = read_battles([battle.pk for battle in part.rows], [campaign])
    with_reports(battles)
    seats = _wanting_seats(campaign, round) if part.page == 1 else ()
    loose = read_loose_ends([campaign.pk], MAX_OPEN) if part.page == 1 else ()
    playing = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).order_by()
    every, unclaimed = Window(Count("pk")), Window(Count("pk", filter=Q(user__isnull=True)))
    first = list(playing.order_by("pk").values_list("warband__name", "name", "warband", every, unclaimed)[:MAX_SHEETS])
    players, open_seats = first[0][3:] if first else (0, 0)
    rules = house_rule_words(campaign)
    booklet = latest_booklet(campaign)
    booklet_href = reverse("booklet-print", args=[campaign.pk])
    is_public = campaign.seen_by == Campaign.SeenBy.LINK and campaign.slug
    return AdministerPage(
        pk=campaign.pk,
        name=campaign.name,
        words=edition_words(campaign),
        here=here,
        home=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        missing_words="" if _is_over(round) else _ends(round),
        matters=_matters(campaign, battles, seats, round, loose),
        has_players=bool(players),
        players_words=_("{players}, {open_places} unclaimed").format(
            players=players_words(players), open_places=open_seats
        )
        if open_seats
        else players_words(players),
        players_href=reverse("player-list", args=[campaign.pk]),
        from_paper=campaign.terms.game.text_import is not None,
        invite_address=invite_address(campaign, site),
        public_address=site + reverse("campaign-watch", args=[campaign.slug]) if is_public else "",
        hidden_words=hidden_words(HiddenPage.Kind.CAMPAIGN, campaign.pk) if is_public else "",
        rules_words=_rules_words(campaign, rules),
        rules=rules,
        rules_href=reverse("house-rule-list", args=[campaign.pk]),
        round=round,
        round_title=_("Round {number}").format(number=round.number) if round is not None else _("Rounds"),
        round_words=_ends(round) if round is not None else _("No round is open."),
        round_ends_on=round.ends_on.isoformat() if round is not None and round.ends_on else "",
        rounds_href=reverse("round-arrange", args=[campaign.pk]),
        sheets=tuple(
            DeskSheet(warband, seat, reverse("roster-print", args=[pk]))
            for warband, seat, pk, *__ in first
            if pk is not None
        ),
        more_sheets=players > MAX_SHEETS,
        more_words=_("Only the first {most} are shown. The rest follow once these are done.").format(most=MAX_OPEN)
        if len(seats) == MAX_OPEN
        else "",
        pager=part.pager,
        booklet=booklet_progress(booklet, campaign, "booklet_strip", again=booklet_href)
        if booklet is not None
        else None,
        booklet_href=booklet_href,
        status=campaign.status,
        status_words=campaign.get_status_display(),
    )


def _wanting_seats(campaign: Campaign, round: Round | None) -> tuple[Seat, ...]:
    rounds = [round.pk] if round is not None else []
    wanting = Seat.objects.live().filter(seats_that_want([campaign], rounds)).select_related("warband__terms")
    seats = tied([campaign], with_busy(with_challenges(wanting), rounds).order_by("pk")[:MAX_OPEN])
    judged(seat.warband for seat in seats if seat.status != Seat.Status.LEFT)
    return seats


def _matters(
    campaign: Campaign,
    battles: Sequence[Battle],
    seats: Sequence[Seat],
    round: Round | None,
    loose: Sequence[LooseEnd],
) -> Matters:
    begun = [each for each in late_sequences(battles) if each.sequence.started_at and each.side.warband is not None]
    return matters_of(
        campaign,
        battles=battles,
        seats=seats,
        round=round,
        busy={seat for _, seat in busy_among(seats, [round.pk] if round is not None else [])},
        captives=captives_of_left_seats(seats),
        loose=loose,
        places=step_places((each.sequence, each.side.warband) for each in begun),
    )


def _rules_words(campaign: Campaign, rules: Sequence[str]) -> str:
    coming = still_to_come(campaign.terms)
    words = _("No house rules")
    if rules:
        words = ngettext(
            "{count} house rule, version {version}", "{count} house rules, version {version}", len(rules)
        ).format(count=len(rules), version=campaign.terms.version)
    if not coming:
        return words
    return ngettext("{rules}; {count} change planned", "{rules}; {count} changes planned", len(coming)).format(
        rules=words, count=len(coming)
    )


def _is_over(round: Round | None) -> bool:
    """Return whether a round's last day has passed; then a row of its own says so."""
    return round is not None and round.ends_on is not None and round.ends_on < timezone.localdate()


def _ends(round: Round | None) -> str:
    if round is None or round.ends_on is None:
        return ""
    days = (round.ends_on - timezone.localdate()).days
    if days < 0:
        return _("round {number} ended {days} ago").format(number=round.number, days=days_words(-days))
    if days == 0:
        return _("round {number} ends today").format(number=round.number)
    return _("round {number} ends in {days}").format(number=round.number, days=days_words(days))
