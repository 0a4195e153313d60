"""The page where an administrator brings many roster files to a campaign at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import BulkFile, Campaign
from campaigns.models.bulk_import import SILENT_AFTER
from campaigns.pages.booklet import BookletProgress
from campaigns.services.bulk_import import NEW_SEAT, free_seats, is_ready
from rules.price import Price
from warbands.models import PaperDraft, Terms
from warbands.pages.formatting import money, problems_words
from warbands.pages.recognised import FORMAT_WORDS
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.text_import import explanation_of

State = BulkFile.State
SHOWN = 180


@dataclass(frozen=True, slots=True)
class BulkLine:
    """One file: what it is, whose place it goes to, and what is open. `seats` are the places to choose from."""

    pk: int
    title: str
    file_words: str
    words: str
    state: str  # working, open, ready, refused, imported
    state_words: str
    link: Link | None
    seats: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class BulkImportPage:
    campaign: str
    here: str
    back: Link
    task: BookletProgress | None
    is_stopped: bool
    lines: tuple[BulkLine, ...]
    ready: int
    can_choose: bool
    has_unknown: bool
    untyped_words: str


def bulk_progress(campaign: Campaign) -> BookletProgress | None:
    """Return how far the reading and importing of the files is; None when nothing is under way. One query."""
    rows = BulkFile.objects.filter(campaign=campaign)
    counted = rows.aggregate(count=Count("pk"), at_work=Count("pk", filter=Q(state__in=BulkFile.AT_WORK)))
    count, at_work = counted["count"], counted["at_work"]
    if not at_work:
        return None
    words = ngettext("{at_work} file to go.", "{at_work} files to go.", at_work).format(at_work=at_work)
    here = reverse("bulk-import", args=[campaign.pk])
    return BookletProgress("bulk_progress", words, count - at_work, count, "running", here)


def bulk_import_page(campaign: Campaign, *, unsaved: Mapping[int, str] | None = None) -> BulkImportPage:
    """Build the page. `unsaved` are places chosen but not saved, by file.

    At most four queries, however many files there are.
    """
    found = BulkFile.objects.filter(campaign=campaign).defer("data", "draft__original", "draft__text")
    rows = list(found.select_related("draft__warband", "seat", "sender").order_by("pk")[:SHOWN])
    free = free_seats(campaign) if rows else []
    at_work = [row for row in rows if row.state in BulkFile.AT_WORK]
    now = timezone.now()
    seats = tuple((str(seat.pk), seat.name) for seat in free)
    lines = tuple(_line(row, campaign.terms, seats, unsaved or {}) for row in rows)
    reads_none = campaign.terms.game.text_import is None
    return BulkImportPage(
        campaign=campaign.name,
        here=reverse("bulk-import", args=[campaign.pk]),
        back=Link(_("Players"), reverse("player-list", args=[campaign.pk])),
        task=bulk_progress(campaign) if at_work else None,
        is_stopped=bool(at_work) and max(row.told_at for row in rows) < now - SILENT_AFTER,
        lines=lines,
        ready=sum(is_ready(row) for row in rows),
        can_choose=any(line.seats for line in lines),
        has_unknown=_has_unknown(rows, lines),
        untyped_words=explanation_of(campaign.terms.game) if reads_none else "",
    )


def _has_unknown(rows: Sequence[BulkFile], lines: Sequence[BulkLine]) -> bool:
    """Return whether names of a file wait for an answer."""
    return any(line.state == "open" and row.figures.get("open") for row, line in zip(rows, lines, strict=True))


def _line(row: BulkFile, terms: Terms, free: tuple[tuple[str, str], ...], unsaved: Mapping[int, str]) -> BulkLine:
    figures = row.figures
    seat = (str(row.seat_id), row.seat.name) if row.seat is not None else None
    state, state_words, link = _progress(row)
    chooses = state in ("open", "ready")
    places = tuple(sorted({*free, *([seat] if seat is not None else [])}, key=lambda one: one[1].casefold()))
    return BulkLine(
        pk=row.pk,
        title=str(figures.get("name") or "") or row.name,
        file_words=_file_words(row),
        words=_words(row, terms),
        state=state,
        state_words=state_words,
        link=link,
        seats=(("", _("Choose a place")), *places, (NEW_SEAT, _("A new place"))) if chooses else (),
        chosen=_known_choice(unsaved.get(row.pk), places) or (seat[0] if seat is not None else ""),
    )


def _progress(row: BulkFile) -> tuple[str, str, Link | None]:
    """Return how far a file has come: its state, the state as text, and where it goes on."""
    draft = row.draft
    warband = draft.warband if draft is not None else None
    if row.state == State.REFUSED:
        return "refused", row.words, None
    if row.state in (State.READING, State.IMPORTING):
        return "working", _("Being read") if row.state == State.READING else _("Being imported"), None
    if warband is not None and not warband.is_undone:
        return "imported", _("Imported"), Link(_("Open warband"), reverse("warband-show", args=[warband.pk]))
    if row.state not in (State.READ, State.IMPORTED):
        return "working", _("Waiting"), None
    if draft is None:
        return "refused", _("Its draft was discarded."), None
    return _progress_of_draft(row, draft)


def _progress_of_draft(row: BulkFile, draft: PaperDraft) -> tuple[str, str, Link | None]:
    """Return the same for a file that was read. An export has no page, and without a place there is nobody to go on."""
    if draft.is_export or draft.data.get("fighters"):
        state, words = "ready", _("Everything was read.")
        link = Link(_("Open"), reverse("paper-show", args=[draft.pk]))
    else:
        state, words = "open", _open_words(int(row.figures.get("open") or 0))
        link = Link(_("Check names"), reverse("paper-settle", args=[draft.pk]))
    return state, row.words or words, link if row.seat is not None and not draft.is_export else None


def _known_choice(value: str | None, places: tuple[tuple[str, str], ...]) -> str:
    return value if value is not None and (value == NEW_SEAT or value in dict(places)) else ""


def _open_words(count: int) -> str:
    return ngettext("{count} name to check", "{count} names to check", count).format(count=count)


def _file_words(row: BulkFile) -> str:
    kind = FORMAT_WORDS.get(row.draft.format, "") if row.draft is not None else ""
    return f"{row.name}: {str(kind)[0].lower()}{str(kind)[1:]}" if kind else row.name


def _words(row: BulkFile, terms: Terms) -> str:
    figures = row.figures
    if not figures:
        return ""
    fighters = int(figures.get("fighters") or 0)
    parts = [names_of(terms).list_words(figures["list"]) if figures.get("list") else _("no list found")]
    parts.append(ngettext("{fighters} fighter", "{fighters} fighters", fighters).format(fighters=fighters))
    if figures.get("rating"):
        ducats, glory = figures["rating"]
        parts.append(money(Price(ducats=ducats, glory=glory)))
    if figures.get("problems"):
        parts.append(problems_words(figures["problems"]))
    if row.draft is not None and row.draft.why:
        parts.append(_("read as {edition}: {why}").format(edition=row.draft.edition, why=row.draft.why))
    return ", ".join(str(part) for part in parts)
