"""The services for contact notes: administrators write and remove them, and they follow the person they are about."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaigns.access import is_administrator
from campaigns.models import ContactNote, Seat
from rules.problems import Refusal
from warbands.recording import recording
from warbands.services.common import clean_text

MAX_KEPT = 20
LONGEST = 500


def notes_on(seat: Seat) -> QuerySet[ContactNote]:
    """Return the notes about the present player of a seat. Those about an earlier one are not for their successor's page."""
    about = Q(about=None) | Q(about=seat.user_id) if seat.user_id is not None else Q(about=None)
    return ContactNote.objects.filter(about, seat=seat).select_related("by")


def notes_about(user: Any) -> QuerySet[ContactNote]:
    """Return all notes about a person, in every campaign."""
    unclaimed = Q(about=None, seat__user=user)
    return ContactNote.objects.filter(Q(about=user) | unclaimed).select_related("seat__campaign")


def add_contact_note(*, seat: Seat, words: str, actor: Any, token: str = "") -> ContactNote:
    """Write a note about the player of a seat. Raises Refusal for an empty one, PermissionDenied for other people."""
    with recording(seat.campaign, seat, kind="contact-note", actor=actor, for_name="", token=token) as act:
        row = act.row(seat)
        _refuse_others(row, actor)
        text = clean_text(words, what=_("The note"), longest=LONGEST, field="note")
        if not text:
            raise Refusal(_("Write the note first."), code="no-words", field="note")
        if notes_on(row).count() >= MAX_KEPT:
            raise Refusal(_("That's enough notes."), mend=_("Remove one first."), code="count")
        note = ContactNote.objects.create(seat=row, about_id=row.user_id, by=actor, words=text)
        act.say(_("{{who}} wrote a contact note about {name}.").format(name=row.name))
    return note


def remove_contact_note(*, seat: Seat, note: ContactNote | None, actor: Any, token: str = "") -> None:
    """Delete a note for good. Raises Refusal if it is gone already."""
    with recording(seat.campaign, seat, kind="contact-note", actor=actor, for_name="", token=token) as act:
        row = act.row(seat)
        _refuse_others(row, actor)
        found = notes_on(row).filter(pk=note.pk).first() if note is not None else None
        if found is None:
            raise Refusal(_("This note is removed already."), code="gone")
        found.delete()
        act.say(_("{{who}} removed a contact note about {name}.").format(name=row.name))


def keep_with_person(seat: Seat) -> None:
    """Let the notes on a seat be about its present player, before somebody else gets it."""
    if seat.user_id is not None:
        ContactNote.objects.filter(seat=seat, about=None).update(about=seat.user_id)


def _refuse_others(seat: Seat, actor: Any) -> None:
    if not is_administrator(actor, seat.campaign_id):
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
