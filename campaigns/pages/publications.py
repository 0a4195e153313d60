"""The pages of a gazette or a closing ceremony: to read, to edit, and to print as a poster."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.chronicle import Award, Fact, awards, champions, round_facts
from campaigns.models import Campaign, Publication, Round
from campaigns.pages.formatting import edition_words
from campaigns.standings import SeatStanding, standings
from rules.formatting import joined
from warbands.pages.widgets import Link
from warbands.parsing import read_number
from warbands.print_options import PAPERS
from warbands.printing import NOTICE, render_html, render_on_one_page

POSTER_PAPERS = (PAPERS[0], "A3", *PAPERS[1:])
MAX_STANDINGS = 60
SIZES = 4


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Facts that belong together: those of one battle, or the totals."""

    head: str
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Issue:
    """What a publication says. `champions` and `awards` are those of a closing ceremony, `paragraphs` of a gazette."""

    campaign: str
    edition: str
    title: str
    dateline: str
    opening: str
    closing: str
    paragraphs: tuple[Paragraphs, ...] = ()
    champion_title: str = ""
    champions: str = ""
    champion_words: str = ""
    players: str = ""
    awards: tuple[Award, ...] = ()
    standings: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PublicationPage:
    issue: Issue
    is_draft: bool
    back: Link
    edit: Link | None
    prints: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class EditorChoice:
    """A fact or an award that the editor keeps or leaves out."""

    key: str
    words: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class EditPage:
    name: str
    here: str
    back: Link
    choices: tuple[EditorChoice, ...]
    is_closing: bool
    is_published: bool
    show: Link | None
    prints: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Poster:
    """The one sheet that a publication prints as."""

    issue: Issue
    paper: str
    look: str
    title: str
    stamp_words: str
    layout: str = "poster"
    led_by: str = ""
    link_words: str = ""
    qr_svg: SafeString = mark_safe("")
    notice_words: str = ""


def round_of(campaign: Campaign, which: str) -> Round | None:
    """Return the round that an address names ("round-3"), None for "closing". One query or none. Raises Http404."""
    if which == "closing":
        return None
    kind, _dash, number = which.partition("-")
    wanted = read_number(number) if kind == "round" else None
    found = Round.objects.live().filter(campaign=campaign, number=wanted).first() if wanted is not None else None
    if found is None:
        raise Http404(_("Nothing is shown here."))
    found.campaign = campaign
    return found


def publication_of(campaign: Campaign, found: Round | None, *, published: bool = False) -> Publication | None:
    """Return what was written of a round, or of the end of a campaign; None if nothing was, or is published. One query."""
    rows = Publication.objects.live().filter(campaign=campaign, round=found)
    row = (rows.filter(published_at__isnull=False) if published else rows).first()
    if row is not None:
        row.campaign, row.round = campaign, found
    return row


def usual_title(campaign: Campaign, found: Round | None) -> str:
    if found is None:
        return _("The end of {campaign}").format(campaign=campaign.name)[:100]
    return _("Gazette of round {number}").format(number=found.number)


def facts_of(campaign: Campaign, found: Round | None) -> list[Fact]:
    """Return the facts of a gazette, or the awards of a closing ceremony as facts. Six queries at most."""
    if found is not None:
        return round_facts(campaign, found)
    return [Fact(each.key, _award_words(each)) for each in awards(campaign)]


def _award_words(award: Award) -> str:
    return _("{title}: {winner}, {words}").format(title=award.title, winner=award.winner, words=award.words)


def issue_of(
    campaign: Campaign,
    found: Round | None,
    *,
    title: str,
    opening: str,
    closing: str,
    left_out: Collection[str],
    published_at: datetime | None = None,
) -> Issue:
    """Return what a publication says with these words. A ceremony bears the day of its publication, a draft today's.

    Eight queries at most.
    """
    common: dict[str, Any] = {
        "campaign": campaign.name,
        "edition": edition_words(campaign),
        "title": title,
        "opening": opening,
        "closing": closing,
    }
    if found is not None:
        facts = [fact for fact in round_facts(campaign, found) if fact.key not in left_out]
        return Issue(**common, dateline=_dateline(found), paragraphs=_paragraphs(facts))
    first = champions(campaign)
    rows = [row for row in standings(campaign) if row.games][:MAX_STANDINGS]
    return Issue(
        **common,
        dateline=date_format(timezone.localdate(published_at), "j F Y"),
        champions=joined(map(_called, first)),
        champion_title=ngettext("Champion", "Champions", len(first)),
        champion_words=_champion_words(first),
        players=joined(row.seat.name for row in first if row.warband),
        awards=tuple(award for award in awards(campaign) if award.key not in left_out),
        standings=tuple((row.place, _called(row), row.points) for row in rows),
    )


def _called(row: SeatStanding) -> str:
    return row.warband or row.seat.name


def _champion_words(rows: list[SeatStanding]) -> str:
    """Return the figures by which the champion leads: points, wins, and the tie-break that decided."""
    if not rows:
        return ""
    first = rows[0]
    words = _("{points} points; {won} won, {drawn} drawn, {lost} lost").format(
        points=first.points, won=first.won, drawn=first.drawn, lost=first.lost
    )
    if len(rows) > 1:
        return _("{points} points each").format(points=first.points)
    return f"{words}; {first.parted_by}" if first.parted_by else words


def _dateline(found: Round) -> str:
    day = found.ends_on or found.starts_on
    words = _("Round {number}").format(number=found.number)
    return f"{words}, {date_format(day, 'j F Y')}" if day is not None else words


def _paragraphs(facts: list[Fact]) -> tuple[Paragraphs, ...]:
    grouped: dict[int, list[str]] = {}
    for fact in facts:
        grouped.setdefault(fact.battle, []).append(fact.words)
    return tuple(Paragraphs(words[0], tuple(words[1:])) for words in grouped.values())


def written_issue(row: Publication) -> Issue:
    """Return what a publication says. Eight queries at most; its campaign and round should be loaded."""
    return issue_of(
        row.campaign,
        row.round,
        title=row.title,
        opening=row.opening,
        closing=row.closing,
        left_out=row.left_out,
        published_at=row.published_at,
    )


def publication_page(row: Publication, *, public: bool, edits: bool = False) -> PublicationPage:
    """Build the page on which a publication is read. Eight queries at most."""
    campaign, which = row.campaign, row.which
    if public:
        back = reverse("campaign-watch", args=[campaign.slug])
        pdf = reverse("publication-watch-print", args=[campaign.slug, which])
    else:
        back = reverse("campaign-show", args=[campaign.pk])
        pdf = reverse("publication-print", args=[campaign.pk, which])
    edit = Link(_("Edit"), reverse("publication-edit", args=[campaign.pk, which])) if edits else None
    return PublicationPage(
        issue=written_issue(row),
        is_draft=row.published_at is None,
        back=Link(campaign.name, back),
        edit=edit,
        prints=print_links(pdf),
    )


def print_links(pdf: str) -> tuple[Link, ...]:
    return tuple(Link(_("Poster, {paper}").format(paper=paper), f"{pdf}?paper={paper}") for paper in POSTER_PAPERS)


def edit_page(campaign: Campaign, found: Round | None, row: Publication | None, left_out: Collection[str]) -> EditPage:
    """Build the page on which it is edited. Six queries at most."""
    which = f"round-{found.number}" if found is not None else "closing"
    show = reverse("publication-show", args=[campaign.pk, which])
    pdf = reverse("publication-print", args=[campaign.pk, which])
    facts = facts_of(campaign, found)
    return EditPage(
        name=usual_title(campaign, found),
        here=reverse("publication-edit", args=[campaign.pk, which]),
        back=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        choices=tuple(EditorChoice(fact.key, fact.words, fact.key not in left_out) for fact in facts),
        is_closing=found is None,
        is_published=row is not None and row.published_at is not None,
        show=Link(_("Read it"), show) if row is not None else None,
        prints=print_links(pdf) if row is not None else (),
    )


def poster_pdf(row: Publication, paper: str) -> bytes:
    """Return a publication as one sheet for the wall, in letters as large as fit on it. Eight queries at most.

    What does not fit in the smallest letters either goes on as few pages as it can, in the largest letters for that.
    """
    issue = written_issue(row)
    return render_on_one_page(
        render_html(poster_of(issue, paper, smaller), "print/poster.html") for smaller in range(SIZES)
    )


def poster_of(issue: Issue, paper: str, smaller: int = 0) -> Poster:
    """Return the sheet, with letters that are so many steps smaller than usual. No queries."""
    return Poster(
        issue=issue,
        paper=paper,
        look=f"poster-A3-{smaller}" if paper == "A3" else f"poster-{smaller}",
        title=issue.title,
        stamp_words=f"{issue.campaign}, {issue.edition}",
        notice_words=str(NOTICE),
    )


def published_links(campaign: Campaign, *, public: bool) -> tuple[Link, ...]:
    """Return links to everything that a campaign has published, the ceremony first. One query."""
    rows = Publication.objects.live().filter(campaign=campaign, published_at__isnull=False).select_related("round")
    name, key = ("publication-watch", campaign.slug) if public else ("publication-show", campaign.pk)
    ordered = sorted(rows, key=lambda row: -(row.round.number if row.round is not None else 10_000))
    return tuple(Link(row.title, reverse(name, args=[key, row.which])) for row in ordered)


def sent_left_out(choices: Mapping[str, str] | Collection[str], kept: Collection[str]) -> list[str]:
    """Return the keys that were shown and are not kept any more."""
    return sorted(set(choices) - set(kept))
