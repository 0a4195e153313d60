"""The services for many roster files at once: bring them, choose their places, import them, leave some out."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import BulkFile, Campaign, Seat
from campaigns.notifications import FOR_YOU
from campaigns.services.common import refuse_unless_running
from campaigns.services.join import add_seat
from campaigns.tasks import take_up_bulk_files
from notifications.services import PersonTold, notify
from rules.import_text import KEPT
from rules.problems import Refusal
from rules.roster_files.folder import entries_of_files
from warbands.models import PaperDraft
from warbands.services.transcription import keep_answers, read_draft, take_if_clear

MOST_KEPT = 120  # files of one campaign that are not imported yet
NEW_SEAT = "new"
State = BulkFile.State
OPEN = (State.READ, State.IMPORTED)  # that of an imported file whose import was undone is open again


def bring_files(*, campaign: Campaign, actor: Any, files: Iterable[tuple[str, bytes]]) -> tuple[int, int]:
    """Keep roster files for a campaign, to be read one after the other.

    Returns:
        How many are new, and how many were here already.

    A file that was refused before is read anew.

    Raises:
        Refusal: the campaign is closed, there are too many files, or an archive is damaged.
    """
    entries = entries_of_files(files)
    with transaction.atomic():
        locked = Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=campaign.pk)
        refuse_unless_running(locked)
        kept = BulkFile.objects.filter(campaign=locked)
        kept.over().delete()
        digests = [hashlib.sha256(entry.data).hexdigest() for entry in entries]
        kept.filter(state=State.REFUSED, digest__in=digests).delete()
        known = set(kept.values_list("digest", flat=True))
        rows = {}
        for entry, digest in zip(entries, digests, strict=True):
            if digest not in known:
                rows[digest] = BulkFile(campaign=locked, sender=actor, name=entry.name, digest=digest, data=entry.data)
        if kept.exclude(state=State.IMPORTED).count() + len(rows) > MOST_KEPT:
            raise Refusal(
                _("More than {most} files wait here.").format(most=MOST_KEPT),
                mend=_("Import or remove some first."),
                code="many",
            )
        BulkFile.objects.bulk_create(rows.values())
        if rows:
            take_up_bulk_files.enqueue(locked.pk)
    return len(rows), len(entries) - len(rows)


def take_up_again(*, campaign: Campaign) -> None:
    """Have the campaign's waiting files worked at, for instance after the worker was stopped."""
    take_up_bulk_files.enqueue(campaign.pk)


def choose_seats(*, campaign: Campaign, actor: Any, chosen: Mapping[int, str], token: str = "") -> None:
    """Choose the places of files: the number of a seat, "new" for a place to be added, or "" for none.

    A new place is called as the roster. Each added place is an act of its own.

    Raises:
        Refusal: a seat is not free, two files are to have the same one, or a place cannot be added.
    """
    rows = _open_rows(campaign, chosen)
    seats = {str(seat.pk): seat for seat in free_seats(campaign)}
    wanted = [value for pk, value in chosen.items() if pk in rows and value not in ("", NEW_SEAT)]
    if len(wanted) != len(set(wanted)):
        raise Refusal(_("Two files have the same place."), mend=_("Give each its own."), code="twice")
    with transaction.atomic():
        for pk, row in rows.items():
            value = chosen[pk]
            seat: Seat | None
            if value == NEW_SEAT:
                name = _new_name(row, campaign)
                seat = add_seat(campaign=campaign, actor=actor, name=name, token=f"{token}.{pk:x}" if token else "")
            elif value and value not in seats:
                raise Refusal(_("This place is taken."), mend=_("Choose another."), code="taken")
            else:
                seat = seats.get(value)
            _place(row, seat)


def _new_name(row: BulkFile, campaign: Campaign) -> str:
    """Return a name for a new place that nobody in the campaign has: that of the roster, or of its file."""
    stem = row.name.rsplit("/", 1)[-1].rsplit(".", 1)[0].strip()
    name = (str(row.figures.get("name") or "") or stem or _("Player"))[:70]
    taken = {
        known.casefold()
        for known in Seat.objects.live()
        .filter(campaign=campaign)
        .exclude(status=Seat.Status.LEFT)
        .values_list("name", flat=True)
    }
    tried, number = name, 1
    while tried.casefold() in taken:
        number += 1
        tried = f"{name} {number}"
    return tried


def _place(row: BulkFile, seat: Seat | None) -> None:
    if row.seat_id != (seat.pk if seat is not None else None):
        BulkFile.objects.filter(pk=row.pk).update(seat=seat, words="")
    if row.draft_id is not None:
        PaperDraft.objects.filter(pk=row.draft_id).update(place=f"seat:{seat.pk}" if seat is not None else "")


def import_ready(*, campaign: Campaign, actor: Any) -> int:
    """Have every file imported that has a place and nothing open. Return how many there are."""
    with transaction.atomic():
        rows = BulkFile.objects.select_for_update(of=("self",), no_key=True).filter(
            campaign=campaign, state__in=OPEN, seat__isnull=False
        )
        ready = [row.pk for row in rows.select_related("draft__warband").defer("data") if is_ready(row)]
        BulkFile.objects.filter(pk__in=ready).update(
            state=State.QUEUED, actor=actor, words="", tries=0, told_at=timezone.now()
        )
        if ready:
            take_up_bulk_files.enqueue(campaign.pk)
    return len(ready)


def keep_unknown(*, campaign: Campaign) -> int:
    """Keep the unknown names of all open files as custom entries. Return how many files have nothing open now.

    A name for which there is a guess stays open: somebody decides it. Such a file is read again by the next page.
    """
    done = 0
    rows = BulkFile.objects.filter(campaign=campaign, state=State.READ, draft__warband=None).select_related("draft")
    for row in rows.defer("data"):
        draft = row.draft
        if draft is None or draft.is_export or draft.data.get("fighters"):
            continue
        roster = read_draft(draft, campaign.terms)
        unknown = [phrase.key for _whose, phrase in roster.reading.open() if phrase.guess is None]
        if not unknown:
            continue
        draft = keep_answers(draft=draft, answers={**draft.answers, **dict.fromkeys(unknown, KEPT)})
        roster = read_draft(draft, campaign.terms)
        done += take_if_clear(draft, campaign.terms, roster)
        figures = {**row.figures, "open": len(roster.reading.open()) + (not roster.list_id)}
        BulkFile.objects.filter(pk=row.pk).update(figures=figures)
    return done


def tell_players(*, campaign: Campaign, actor: Any, chosen: Collection[int]) -> None:
    """Tell the players whose place one of these files goes to that its roster has names to check. Each is told once.

    Three queries, one if there is nobody to tell.
    """
    rows = BulkFile.objects.filter(campaign=campaign, state__in=OPEN, pk__in=chosen, draft__warband=None)
    rows = rows.filter(draft__isnull=False, seat__user__isnull=False, seat__warband=None).exclude(seat__user=actor)
    told = []
    for row in rows.select_related("draft", "seat").defer("data"):
        if is_ready(row) or row.draft is None or row.seat is None or row.seat.user_id is None:
            continue
        told.append(
            PersonTold(
                user=row.seat.user_id,
                kind=FOR_YOU,
                key=f"for:draft:{row.draft.pk}:{row.seat.pk}",
                title=_("{actor} brought a roster for you").format(actor=actor),
                words=_("{name}, in {campaign}: some names need a check. Then import it.").format(
                    name=row.figures.get("name") or row.name, campaign=campaign.name
                ),
                href=reverse("paper-settle", args=[row.draft.pk]),
                about=f"draft:{row.draft.pk}",
                group=f"campaign:{campaign.pk}",
            )
        )
    notify(told)


def is_at_work(campaign: Campaign) -> bool:
    """Whether files of the campaign wait or are being worked at. One query."""
    return BulkFile.objects.filter(campaign=campaign, state__in=BulkFile.AT_WORK).exists()


def is_ready(row: BulkFile) -> bool:
    """Whether the file has a place and a draft with fighters, and is not imported, or no longer."""
    draft = row.draft
    if row.state not in OPEN or row.seat_id is None or draft is None:
        return False
    is_read = draft.is_export or bool(draft.data.get("fighters"))
    return is_read and (draft.warband is None or draft.warband.is_undone)


def leave_file(*, campaign: Campaign, pk: int) -> None:
    """Remove a file and its draft from the campaign. A file that is being worked at stays."""
    with transaction.atomic():
        row = (
            BulkFile.objects.select_for_update(of=("self",), no_key=True)
            .filter(campaign=campaign, pk=pk)
            .defer("data")
            .first()
        )
        if row is None:
            return
        if row.state in (State.READING, State.QUEUED, State.IMPORTING):
            raise Refusal(_("This file is being read."), mend=_("Wait a moment."), code="at-work")
        if row.draft_id is not None:
            PaperDraft.objects.filter(pk=row.draft_id, warband=None).delete()
        row.delete()


def free_seats(campaign: Campaign) -> list[Seat]:
    """Return the seats that have no warband yet. One query."""
    seats = Seat.objects.live().filter(campaign=campaign, warband=None).exclude(status=Seat.Status.LEFT)
    return list(seats.order_by("name"))


def _open_rows(campaign: Campaign, chosen: Mapping[int, str]) -> dict[int, BulkFile]:
    rows = BulkFile.objects.filter(campaign=campaign, state__in=OPEN, pk__in=list(chosen)).defer("data")
    return {row.pk: row for row in rows}
