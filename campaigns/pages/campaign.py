"""The home page of a campaign, for its members and for spectators."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Campaign, Region, Round, Seat, Table
from campaigns.pages.battle_queries import read_lines, sides_of
from campaigns.pages.desk_queries import Board
from campaigns.pages.desk_waits import Wait, waits
from campaigns.pages.feed import News, battles_of, newest_events, news_lines
from campaigns.pages.formatting import closed_words, edition_words, on_day, round_words
from campaigns.pages.publications import published_links
from campaigns.pages.rounds import BattleLine, battle_line
from campaigns.pages.seasons import season_links
from campaigns.pages.standing import StandingsTable, standings_table
from campaigns.pages.standing_chart import Chart, ChartState, standings_chart
from campaigns.services.house_rules import still_to_come
from campaigns.settings_schema import house_rule_words
from campaigns.standings import standings
from warbands.pages.widgets import Link

MAX_NEWS = 6
MAX_BATTLES = 6


@dataclass(frozen=True, slots=True)
class CampaignPage:
    pk: int
    name: str
    words: str
    round_words: str
    rules_words: str
    rules_href: str
    notes: str
    finished_words: str
    season_words: str
    seasons: tuple[Link, ...]
    publications: tuple[Link, ...]
    waits: tuple[Wait, ...]
    table: StandingsTable
    chart: Chart | None
    round_title: str
    round: Link | None
    battles: tuple[BattleLine, ...]
    battles_empty: str
    set_up: Link | None
    pair: Link | None
    news: tuple[News, ...]
    all_news: Link
    more: tuple[Link, ...]
    desk: Link | None
    administers: bool
    invite: Link | None = None  # while nobody plays: an administrator's act in place of pairing and setting up


def _invite(campaign: Campaign) -> Link:
    return Link(_("Invite players"), reverse("player-list", args=[campaign.pk]))


def _set_up(campaign: Campaign, found: Round | None) -> Link:
    href = reverse("battle-schedule", args=[campaign.pk])
    if found is not None and not found.is_closed:
        href = f"{href}?round={found.number}"
    return Link(_("Set up a battle"), href)


def _round_link(found: Round) -> Link:
    href = reverse("round-show", args=[found.campaign_id, found.number])
    return Link(_("Round {number}").format(number=found.number), href)


def campaign_page(board: Board, *, sort: str = "", page: int = 1, chart: ChartState | None = None) -> CampaignPage:
    """Build the home page of a campaign from its board. At most ten queries besides those of the board."""
    campaign, user = board.campaigns[0], board.user
    runs = board.runs(campaign.pk)
    mine = next((seat for seat in board.seats if seat.user_id == user.pk and seat.status != Seat.Status.LEFT), None)
    found = max(board.rounds, key=lambda each: each.number, default=None) or _round(campaign)
    running = campaign.status == Campaign.Status.RUNNING
    rows = standings(campaign)
    here = reverse("campaign-show", args=[campaign.pk])
    may_set = running and (runs or (mine is not None and mine.warband_id is not None))
    return CampaignPage(
        **_common(campaign, found, watched=False),
        all_news=Link(_("All news"), reverse("news-list", args=[campaign.pk])),
        chart=standings_chart(campaign, rows, user, state=chart, here=here, keeps=_kept(sort, page)),
        rules_href=reverse("house-rule-list", args=[campaign.pk]),
        waits=waits(board),
        table=standings_table(campaign, rows, user, sort=sort, page=page, here=here, keeps=_lines(chart)),
        round=_round_link(found) if found is not None else None,
        invite=_invite(campaign) if running and runs and not rows else None,
        set_up=_set_up(campaign, found) if may_set and rows else None,
        pair=Link(_("Pair a round"), reverse("round-pair", args=[campaign.pk])) if running and runs and rows else None,
        more=tuple(_more_links(campaign, mine, runs)),
        desk=Link(_("Campaign desk"), reverse("campaign-administer", args=[campaign.pk])) if runs else None,
        administers=runs,
    )


def _more_links(campaign: Campaign, mine: Seat | None, runs: bool) -> Iterator[Link]:
    yield Link(_("House rules"), reverse("house-rule-list", args=[campaign.pk]))
    if campaign.terms.game.states is not None:
        yield Link(_("Newer rules"), reverse("campaign-states", args=[campaign.pk]))
    if campaign.terms.game.profiles is not None:
        query = urlencode({"game": campaign.terms.system, "whose": "shared"})
        yield Link(_("Shared profiles"), f"{reverse('profile-list')}?{query}")
    yield Link(_("Regions"), reverse("region-list", args=[campaign.pk]))
    yield Link(_("Texts for Discord"), reverse("campaign-texts", args=[campaign.pk]))
    if mine is not None:
        yield Link(_("My place"), reverse("seat-show", args=[mine.pk]))
    yield Link(_("Calendar"), reverse("campaign-calendar", args=[campaign.pk]))
    if mine is not None or runs:
        yield Link(_("Challenges and days away"), reverse("challenge-list", args=[campaign.pk]))
    if runs:
        yield Link(_("Overview"), reverse("campaign-overview", args=[campaign.pk]))
        yield Link(_("Players"), reverse("player-list", args=[campaign.pk]))
        yield Link(_("Rounds"), reverse("round-arrange", args=[campaign.pk]))
        if campaign.status != Campaign.Status.RUNNING:
            yield Link(_("Closing ceremony"), reverse("publication-edit", args=[campaign.pk, "closing"]))
        yield Link(_("Next season, copies and presets"), reverse("campaign-copy", args=[campaign.pk]))


def watch_page(campaign: Campaign, *, sort: str = "", page: int = 1, chart: ChartState | None = None) -> CampaignPage:
    """Build the home page for spectators, without actions and links to rosters. At most twelve queries."""
    rows = standings(campaign)
    common = _common(campaign, _round(campaign), watched=True)
    tables = _tables_under_way(campaign)
    common["battles"] = tuple(
        replace(
            line, href=reverse("battle-watch", args=[campaign.slug, line.pk]), watch=_watch_link(campaign, line, tables)
        )
        for line in common["battles"]
    )
    here = reverse("campaign-watch", args=[campaign.slug])
    has_regions = Region.objects.live().filter(campaign=campaign, is_away=False).exists()
    return CampaignPage(
        **common,
        all_news=Link(_("All news"), reverse("news-watch", args=[campaign.slug])),
        chart=standings_chart(campaign, rows, None, state=chart, here=here, keeps=_kept(sort, page)),
        rules_href="",
        waits=(),
        table=standings_table(
            campaign, rows, None, sort=sort, page=page, here=here, rosters=False, keeps=_lines(chart)
        ),
        round=None,
        set_up=None,
        pair=None,
        more=(Link(_("Regions"), reverse("region-watch", args=[campaign.slug])),) if has_regions else (),
        desk=None,
        administers=False,
    )


def _kept(sort: str, page: int) -> dict[str, str]:
    """Return the part of the address that says how the standings are shown."""
    return {**({"sort": sort} if sort else {}), **({"page": str(page)} if page > 1 else {})}


def _lines(chart: ChartState | None) -> list[tuple[str, str]]:
    return chart.query() if chart is not None else []


def _tables_under_way(campaign: Campaign) -> frozenset[int]:
    """Return the ids of the battles whose tables are played at, where spectators may see them. One query, or none."""
    if campaign.rosters != Campaign.Rosters.OPEN:
        return frozenset()
    played = Table.objects.filter(battle__campaign=campaign, battle__status=Battle.Status.MUSTERED, is_ended=False)
    return frozenset(played.filter(battle__is_undone=False).values_list("battle", flat=True))


def _watch_link(campaign: Campaign, line: BattleLine, tables: Collection[int]) -> Link | None:
    if line.pk not in tables:
        return None
    return Link(_("Watch the table"), reverse("table-watch", args=[campaign.slug, line.pk]))


def _round(campaign: Campaign) -> Round | None:
    """Return the newest open round, or else the newest round, or None. One query."""
    return Round.objects.live().filter(campaign=campaign).order_by("is_closed", "-number").first()


def _begins(campaign: Campaign, found: Round | None) -> str:
    if found is not None or not campaign.starts_on:
        return ""
    return _("begins {on_day}").format(on_day=on_day(campaign.starts_on))


def _common(campaign: Campaign, found: Round | None, *, watched: bool) -> dict[str, Any]:
    """Return the fields of the page that players and spectators share. Two queries, up to two more for later seasons and rounds."""
    season_words, seasons = season_links(campaign, public=watched)
    battles = Battle.objects.live().filter(campaign=campaign).exclude(status=Battle.Status.CANCELLED)
    if found is not None:
        battles = battles.filter(round=found)
    events = newest_events([campaign.pk], MAX_NEWS)
    told = read_lines(battles.order_by("-pk")[:MAX_BATTLES], campaign, battles_of(events))
    listed = [battle for battle in told if battle.status != Battle.Status.CANCELLED]
    if found is not None:
        listed = [battle for battle in listed if battle.round_id == found.pk]
    newest = listed[:MAX_BATTLES]
    sides = {battle.pk: sides_of(battle) for battle in told}
    rules, coming = len(house_rule_words(campaign)), still_to_come(campaign.terms)
    return {
        "pk": campaign.pk,
        "name": campaign.name,
        "words": edition_words(campaign),
        "round_words": round_words(found, campaign.rounds_planned) or _begins(campaign, found),
        "rules_words": _rules_words(rules, len(coming)),
        "notes": campaign.notes,
        "finished_words": closed_words(campaign),
        "season_words": season_words,
        "seasons": seasons,
        "publications": published_links(campaign, public=watched) if _may_have_published(campaign, found) else (),
        "round_title": _("Round {number}").format(number=found.number) if found is not None else _("Battles"),
        "battles": tuple(battle_line(battle, with_players=not watched) for battle in reversed(newest)),
        "news": news_lines(events, sides, watched=campaign if watched else None),
        "battles_empty": _("No battles in this round yet.") if found is not None else _("No battles yet."),
    }


def _may_have_published(campaign: Campaign, found: Round | None) -> bool:
    """Return whether there can be a gazette or a ceremony: a round has been closed, or the campaign has ended."""
    return campaign.status != Campaign.Status.RUNNING or (found is not None and (found.number > 1 or found.is_closed))


def _rules_words(rules: int, coming: int) -> str:
    words = ngettext("{count} house rule", "{count} house rules", rules).format(count=rules)
    if not rules:
        words = _("no house rules")
    if not coming:
        return words
    return ngettext("{rules}, {count} change planned", "{rules}, {count} changes planned", coming).format(
        rules=words, count=coming
    )
