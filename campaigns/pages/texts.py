"""Texts to paste into Discord: pairings, results, standings and gazettes, each as messages within its limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.chronicle import result_words
from campaigns.discord import bold, escaped, split
from campaigns.models import AHEAD, REPORTED, Battle, Campaign, Publication, Round, Side
from campaigns.pages.battle_queries import read_battles, sides_of
from campaigns.pages.formatting import on_day, round_words
from campaigns.pages.publications import Issue, written_issue
from campaigns.scenarios import scenario_name
from campaigns.services.common import player_name, side_and_player, side_name
from campaigns.standings import SeatStanding, standings
from rules.formatting import joined
from warbands.pages.widgets import Link

MAX_RESULTS = 30


@dataclass(frozen=True, slots=True)
class TextMessage:
    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Text:
    """One text, as as many messages as it needs."""

    id: str
    title: str
    messages: tuple[TextMessage, ...]


@dataclass(frozen=True, slots=True)
class TextsPage:
    campaign: Link
    texts: tuple[Text, ...]


def texts_page(campaign: Campaign) -> TextsPage:
    """Build the page. At most eighteen queries; the newest gazette costs ten of them."""
    found = Round.objects.live().filter(campaign=campaign).order_by("is_closed", "-number").first()
    battles = _battles(campaign, found)
    given = (
        ("pairings", _("Pairings"), pairings_text(campaign, found, battles)),
        ("results", _("Results"), results_text(campaign, found, battles)),
        ("standings", _("Standings"), standings_text(campaign, standings(campaign))),
        ("gazette", _("Gazette"), gazette_text(campaign)),
    )
    return TextsPage(
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        texts=tuple(_text(key, title, words) for key, title, words in given if words),
    )


def pairings_text(campaign: Campaign, found: Round | None, battles: Sequence[Battle]) -> str:
    """Return the battles that are still to be played, "" if there are none. No queries."""
    ahead = [battle for battle in battles if battle.status in AHEAD]
    byes = [battle for battle in battles if battle.kind == Battle.Kind.BYE]
    if not ahead:
        return ""
    lines = [_head(campaign, _("Pairings"), found)]
    for battle in ahead:
        sides = _(" against ").join(_side(side) for side in sides_of(battle))
        more = [scenario_name(battle)] if battle.scenario_id or battle.scenario_name else []
        if battle.planned_for:
            more.append(on_day(battle.planned_for))
        lines.append("• " + ", ".join([sides, *map(escaped, more)]))
    lines += [
        "• " + _("{side}: no opponent this time").format(side=joined(_side(side) for side in sides_of(battle)))
        for battle in byes
    ]
    return "\n".join(lines)


def results_text(campaign: Campaign, found: Round | None, battles: Sequence[Battle]) -> str:
    """Return the reported results, "" if there are none. No queries."""
    told = [battle for battle in battles if battle.status in REPORTED and battle.kind != Battle.Kind.BYE]
    if not told:
        return ""
    open_words = _("not confirmed yet")
    lines = [_head(campaign, _("Results"), found)]
    for battle in told[:MAX_RESULTS]:
        words = escaped(result_words(battle, sides_of(battle), side_and_player))
        is_open = battle.status in (Battle.Status.REPORTED, Battle.Status.DISPUTED)
        lines.append(f"• {words}" + (f" ({open_words})" if is_open else ""))
    return "\n".join(lines)


def standings_text(campaign: Campaign, rows: Sequence[SeatStanding]) -> str:
    """Return the standings, "" before anybody has played. No queries."""
    if not any(row.games for row in rows):
        return ""
    return "\n".join([_head(campaign, _("Standings"), None), *map(_standing_line, rows)])


def gazette_text(campaign: Campaign) -> str:
    """Return what was published last, "" if nothing was. Ten queries at most."""
    rows = Publication.objects.live().filter(campaign=campaign, published_at__isnull=False).select_related("round")
    row = rows.order_by("-published_at", "-pk").first()
    if row is None:
        return ""
    row.campaign = campaign
    if row.round is not None:
        row.round.campaign = campaign
    return issue_text(written_issue(row))


def issue_text(issue: Issue) -> str:
    """Return a gazette or a closing ceremony as one text. No queries."""
    return "\n\n".join(part for part in _issue_parts(issue) if part)


def _issue_parts(issue: Issue) -> Iterator[str]:
    yield f"{bold(issue.title)}\n{escaped(issue.campaign)}, {escaped(issue.dateline)}"
    yield escaped(issue.opening)
    if issue.champions:
        champion = _("Champion: {name}").format(name=bold(issue.champions))
        yield f"{champion}\n{escaped(issue.champion_words)}"
    for part in issue.paragraphs:
        yield " ".join([bold(part.head), *map(escaped, part.rest)])
    yield "\n".join(f"• {escaped(a.title)}: {bold(a.winner)}, {escaped(a.words)}" for a in issue.awards)
    yield escaped(issue.closing)


def _battles(campaign: Campaign, found: Round | None) -> tuple[Battle, ...]:
    rows = Battle.objects.live().filter(campaign=campaign)
    rows = rows.exclude(status__in=[Battle.Status.CANCELLED, Battle.Status.VOID])
    if found is not None:
        rows = rows.filter(round=found)
    return read_battles(sorted(rows.order_by("-pk").values_list("pk", flat=True)[:60]), [campaign])


def _head(campaign: Campaign, title: str, found: Round | None) -> str:
    words = [bold(f"{campaign.name}: {title}")]
    if found is not None:
        words.append(escaped(round_words(found, campaign.rounds_planned)))
    return "\n".join(words)


def _side(side: Side) -> str:
    """Return the side in bold, with its player."""
    warband, player = side_name(side), player_name(side)
    return bold(warband) if warband == player else f"{bold(warband)} ({escaped(player)})"


def _standing_line(row: SeatStanding) -> str:
    name = bold(row.warband or row.seat.name)
    player = f" ({escaped(row.seat.name)})" if row.warband else ""
    points = ngettext("{count} point", "{count} points", row.points).format(count=row.points)
    record = _("{won} won, {drawn} drawn, {lost} lost").format(won=row.won, drawn=row.drawn, lost=row.lost)
    return f"`{row.place:>2}` {name}{player}: {points}; {record}"


def _text(key: str, title: str, words: str) -> Text:
    parts = split(words)
    labels = (
        [title]
        if len(parts) == 1
        else [
            _("{title}, message {number} of {count}").format(title=title, number=number, count=len(parts))
            for number in range(1, len(parts) + 1)
        ]
    )
    return Text(
        key,
        title,
        tuple(
            TextMessage(f"{key}_{number}", part, label)
            for number, (part, label) in enumerate(zip(parts, labels, strict=True), 1)
        ),
    )
