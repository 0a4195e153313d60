"""The work at roster files that were brought together: each is read into a draft, and imported when it is asked for."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import BulkFile, Campaign, Seat
from campaigns.services.seat_guess import guess_seat
from rules.problems import Refusal
from rules.transcription import paper_data
from warbands.import_targets import place_for
from warbands.models import PaperDraft, Terms
from warbands.services.own_files import OwnFile, own_file, start_export
from warbands.services.paper_check import check_draft
from warbands.services.transcription import bring_from_paper, read_draft, start_reading, take_if_clear

log = logging.getLogger(__name__)

MOST_TRIES = 2  # a file whose reading stops the worker is given up
State = BulkFile.State


def work_at_bulk_files(campaign_pk: int) -> None:
    """Take up the campaign's files until none waits. A file that cannot be read or imported says why; the others go on.

    A file is claimed before it is worked at, so that two workers never have the same one.
    """
    campaign = Campaign.objects.select_related("terms").filter(pk=campaign_pk).first()
    while campaign is not None and (row := _claim(campaign)) is not None:
        try:
            if row.state == State.READING:
                _read(row, campaign)
            else:
                _import(row)
        except Refusal as refusal:
            _stop(row, str(refusal))
        except (Http404, PermissionDenied):
            _set(row, state=State.READ, words=_("You may no longer act for this place."))
        except Exception:
            log.exception("Roster file %s could not be brought", row.pk)
            _stop(row, _("Couldn't be read. The server log says why."))


def _stop(row: BulkFile, words: str) -> None:
    """Say why a file was not read or imported. The data of one that cannot be read is of no more use."""
    if row.state == State.READING:
        _set(row, state=State.REFUSED, words=words[:300], data=None)
    else:
        _set(row, state=State.READ, words=words[:300])


def _claim(campaign: Campaign) -> BulkFile | None:
    """Return the next file for this worker alone, or None. A file that stopped its worker twice is refused."""
    while True:
        row = BulkFile.objects.filter(campaign=campaign).to_take_up().defer("data").first()
        if row is None:
            return None
        is_read = row.state in (State.WAITING, State.READING)
        onward = State.READING if is_read else State.IMPORTING
        if row.tries >= MOST_TRIES:
            gave_up = _("Couldn't be read. It stopped the server twice.")
            onward, words = (State.REFUSED if is_read else State.READ), gave_up
        else:
            words = row.words
        # Whoever changes the row as it was seen has it; another worker changes none and looks again.
        seen = BulkFile.objects.filter(pk=row.pk, state=row.state, tries=row.tries)
        kept = {"data": None} if onward == State.REFUSED else {}
        claimed = seen.update(state=onward, words=words, tries=F("tries") + 1, told_at=timezone.now(), **kept)
        if claimed and onward in (State.READING, State.IMPORTING):
            return BulkFile.objects.select_related("sender", "actor", "draft", "seat").get(pk=row.pk)


def _read(row: BulkFile, campaign: Campaign) -> None:
    """Read a file into a draft which its player or an administrator finishes."""
    terms, data = campaign.terms, bytes(row.data or b"")
    with transaction.atomic():
        own = own_file(data)
        if own is not None:
            draft, figures = _read_export(row, own, data, terms)
        else:
            draft, figures = _read_other(row, data, terms)
        seat = guess_seat(row.name, figures["name"], _free_seats(campaign)) if row.seat_id is None else row.seat
        if seat is not None:
            draft.place = f"seat:{seat.pk}"
            draft.save(update_fields=["place"])
        _set(row, state=State.READ, words="", draft=draft, data=None, figures=figures, seat=seat, tries=0)


def _read_export(row: BulkFile, own: OwnFile, data: bytes, terms: Terms) -> tuple[PaperDraft, dict[str, Any]]:
    """Read a roster that this app exported. It is imported as it stands, so nothing in it is open."""
    if own.is_library:
        raise Refusal(
            _("This is a library of profiles, not a roster."),
            mend=_("Its owner imports it under Warbands, Import."),
            code="library",
        )
    draft = start_export(owner=row.sender, document=own.document, data=data, name=row.name, terms=terms)
    force, problems = terms.game.documents.read_document(own.document)
    verdict = terms.game.check(terms.content, force)
    figures = {
        "name": force.name,
        "list": force.list,
        "fighters": sum(fighter.status == "active" for fighter in force.fighters),
        "open": 0,
        "rating": [verdict.rating.ducats, verdict.rating.glory],
        "problems": len(verdict.problems) + len(problems),
    }
    return draft, figures


def _read_other(row: BulkFile, data: bytes, terms: Terms) -> tuple[PaperDraft, dict[str, Any]]:
    """Read a file of another program, or a text."""
    draft = start_reading(
        owner=row.sender, data=data, name=row.name, terms=terms, has_fixed_edition=True, is_shared=True
    )
    roster = read_draft(draft, terms)
    take_if_clear(draft, terms, roster)
    draft.refresh_from_db()
    figures = figures_of(draft, terms, name=roster.reading.name, list_id=roster.list_id)
    figures["open"] = len(roster.reading.open()) + (not roster.list_id)
    figures["fighters"] = sum(fighter.count for fighter in roster.reading.fighters)
    return draft, figures


def figures_of(draft: PaperDraft, terms: Terms, *, name: str = "", list_id: str = "") -> dict[str, Any]:
    """Return what the page says of a draft's roster: its name, list id, fighters, rating in ducats and glory, and the
    number of problems that the rules see. No queries."""
    data = paper_data(draft.data)
    list_id = list_id or data.list_id
    figures: dict[str, Any] = {
        "name": data.name or name,
        "list": list_id,
        "fighters": len(data.fighters),
        "problems": 0,
    }
    if data.fighters:
        check = check_draft(draft, terms)
        if check.verdict is not None:
            figures |= {
                "rating": [check.verdict.rating.ducats, check.verdict.rating.glory],
                "problems": len(check.problems) + len(check.reading.unread),
            }
    return figures


def _free_seats(campaign: Campaign) -> list[Seat]:
    """Return the seats without a warband for which no other file is meant. One query."""
    taken = BulkFile.objects.filter(campaign=campaign, seat__isnull=False).exclude(state=State.IMPORTED).values("seat")
    seats = Seat.objects.live().filter(campaign=campaign, warband=None).exclude(status=Seat.Status.LEFT)
    return list(seats.exclude(pk__in=taken))


def _import(row: BulkFile) -> None:
    """Import a file's warband. Its draft remembers that in the same transaction, so that it happens once."""
    if row.draft is None or row.seat is None:
        raise Refusal(_("Choose a place first."), code="no-place")
    if row.draft.warband_id is None or row.draft.warband.is_undone:
        place = place_for(row.actor, f"seat:{row.seat_id}")
        bring_from_paper(draft=row.draft, actor=row.actor, place=place)
    _set(row, state=State.IMPORTED, words="", tries=0)


def _set(row: BulkFile, **changed: Any) -> None:
    BulkFile.objects.filter(pk=row.pk).update(told_at=timezone.now(), **changed)
