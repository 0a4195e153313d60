"""A user's desk: tasks waiting for them, their warbands, and news."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.pages.battle_queries import sides_of
from campaigns.pages.desk_queries import Board
from campaigns.pages.desk_waits import Wait, waits
from campaigns.pages.feed import News, newest_events, news_lines
from campaigns.pages.friendly import friendly_waits
from campaigns.pages.hand_overs import hand_over_waits
from warbands.labels import figures_of, mark_of
from warbands.models import Warband
from warbands.pages.formatting import day, problems_words
from warbands.pages.listing import nothing_yet
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link, Tab
from warbands.verdicts import judged

MAX_NEWS = 8
MAX_WARBANDS = 12


@dataclass(frozen=True, slots=True)
class DeskWarband:
    name: str
    href: str
    list_words: str
    mark: str
    figures: str
    state_words: str
    problems_words: str


@dataclass(frozen=True, slots=True)
class DeskPage:
    today: str
    waits: tuple[Wait, ...]
    quiet_words: str
    warbands: tuple[DeskWarband, ...]
    more_warbands: Link | None
    empty_words: str
    found: Link
    samples: Link
    campaigns: tuple[Link, ...]
    news: tuple[News, ...]
    own_places: tuple[Tab, ...]


def desk_page(user: Any, board: Board) -> DeskPage:
    """Build a user's desk from their board. Four queries besides those of the board, one more with friendly battles.

    If there is no warband, add the queries of `nothing_yet`. If a house rule came into force after a warband was judged, add two.
    """
    kept = Warband.objects.held_by(user).kept().select_related("terms", "owner")
    mine = judged(kept.order_by("name", "pk")[: MAX_WARBANDS + 1])
    running = [each for each in board.campaigns if each.status == Campaign.Status.RUNNING]
    found = reverse("warband-found")
    links = tuple(Link(each.name, reverse("campaign-show", args=[each.pk])) for each in running)
    return DeskPage(
        today=day(timezone.now()),
        waits=tuple(
            sorted(
                (*friendly_waits(user), *hand_over_waits(user), *waits(board)), key=lambda wait: (wait.since, wait.key)
            )
        ),
        quiet_words=_quiet(board.rounds, running),
        warbands=tuple(_line(warband, user) for warband in mine[:MAX_WARBANDS]),
        more_warbands=Link(_("All warbands"), reverse("warband-list")) if len(mine) > MAX_WARBANDS else None,
        empty_words="" if mine else nothing_yet(user),
        found=Link(_("Start a warband"), found),
        samples=Link(_("Use a ready warband"), f"{found}#samples"),
        campaigns=links,
        news=news_lines(
            newest_events([each.pk for each in board.campaigns], MAX_NEWS),
            {battle.pk: sides_of(battle) for battle in board.battles},
        ),
        own_places=(
            *(Tab(warband.name, reverse("warband-show", args=[warband.pk])) for warband in mine[:MAX_WARBANDS]),
            *(Tab(link.label, link.href) for link in links),
        ),
    )


def _quiet(rounds: tuple[Any, ...], running: list[Campaign]) -> str:
    if not running:
        return _("Nothing to do.")
    last = max((found.number for found in rounds), default=0)
    return _("Nothing to do until round {last} opens.").format(last=last + 1)


def _line(warband: Warband, user: Any) -> DeskWarband:
    return DeskWarband(
        name=warband.name,
        href=reverse("warband-show", args=[warband.pk]),
        list_words=names_of(warband.terms).list_words(warband.list_id),
        mark=mark_of(warband),
        figures=figures_of(warband),
        state_words=_("new")
        if warband.is_founding
        else ""
        if warband.owner_id == user.pk
        else _("for {owner}").format(owner=warband.owner or _("no opponent yet")),
        problems_words=problems_words(warband.problem_count) if warband.problem_count else "",
    )
