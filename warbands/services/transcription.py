"""Copies a warband from paper: a draft stores what is typed, page by page, and one act imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.import_text import TextRoster
from rules.price import Price
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from rules.transcription import MOST_FIGHTERS, PaperData, PaperFighter, paper_data
from rules.visible import refuse_unseen
from warbands.import_targets import ImportTarget, Score
from warbands.models import PaperDraft, Terms, Warband
from warbands.recording import event_of_token
from warbands.services.common import clean_text
from warbands.services.founding import import_document, terms_for
from warbands.services.originals import keep_original
from warbands.services.own_files import EXPORT, exported, import_own_roster
from warbands.services.paper_check import PaperCheck, check_draft, document_under, terms_of
from warbands.text_import import roster_of_draft, text_import_of

MOST_DRAFTS = 40
PLAIN = ("", "text", EXPORT)  # formats whose edition is not found out
MOST_OPEN = 300  # names of one file that nobody knows; beyond, it is of another game
LONGEST = 200


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file of another program as somebody sent it: its bytes, name and format, and what told its edition."""

    data: bytes
    name: str
    format: str
    why: str


def start_draft(
    *,
    owner: Any,
    system_id: str,
    edition: str,
    place: str = "",
    data: PaperData | None = None,
    text: str = "",
    answers: Mapping[str, str] | None = None,
    sent: SentFile | None = None,
    is_shared: bool = False,
    again: Warband | None = None,
) -> PaperDraft:
    """Create a draft. `sent` is a file of another program. Raises Refusal if the site does not have this game, or if the person has too many drafts."""
    if system_id not in PACKAGES or edition not in system(system_id).editions():
        raise Refusal(_("There is no such game here."), code="unknown-edition")
    if not is_shared and PaperDraft.objects.filter(owner=owner, warband=None, is_shared=False).count() >= MOST_DRAFTS:
        raise Refusal(
            _("{MOST_DRAFTS} drafts exist already.").format(MOST_DRAFTS=MOST_DRAFTS),
            mend=_("Discard some."),
            code="too-many",
        )
    return PaperDraft.objects.create(
        owner=owner,
        system=system_id,
        edition=edition,
        place=place,
        data=msgspec.to_builtins(_checked(data or PaperData())),
        text=text,
        answers=dict(answers or {}),
        original=sent.data if sent is not None and not text else None,
        original_name=sent.name if sent is not None else "",
        format=sent.format if sent is not None else "",
        why=sent.why[:200] if sent is not None else "",
        is_shared=is_shared,
        is_export=sent is not None and sent.format == EXPORT,
        again=again,
    )


def start_reading(
    *,
    owner: Any,
    data: bytes,
    name: str,
    terms: Terms,
    place: ImportTarget | None = None,
    place_name: str = "",
    has_fixed_edition: bool = False,
    is_shared: bool = False,
    again: Warband | None = None,
) -> PaperDraft:
    """Start a draft of a file or text: one of another program by its own edition, a plain text by that of `terms`.

    A place fixes the edition, as does `has_fixed_edition`. Raises Refusal if it is no roster, or if hardly anything in it
    is known.
    """
    found = text_import_of(terms.game).recognise(data)
    is_plain = found.format == "text"
    is_fixed = place is not None or has_fixed_edition or is_plain
    why = found.why if found.is_decided else ""  # where nothing decides it, the pages say so, and offer the other one
    if is_fixed and not found.is_decided:
        why = _("the roster is of it") if again is not None else _("the campaign plays it")
    elif is_fixed and found.edition != terms.edition:
        why = _("the campaign plays it, though the file is of {edition}").format(edition=found.edition)
    draft = start_draft(
        owner=owner,
        system_id=terms.system,
        edition=terms.edition if is_fixed else found.edition,
        place=place_name,
        text=found.text,
        sent=SentFile(data, name, found.format, "" if is_plain or found.format == EXPORT else why),
        is_shared=is_shared,
        again=again,
    )
    reading = read_draft(draft, terms if has_fixed_edition else terms_of(draft, place)).reading
    if reading.name:  # lists of drafts call it so before its names are settled
        draft.data = {**draft.data, "name": reading.name[:80]}
        draft.save(update_fields=["data"])
    waiting = len(reading.open())
    if waiting > MOST_OPEN:
        raise Refusal(
            _("{waiting} things in this text aren't recognised.").format(waiting=waiting), mend=_("Check the game.")
        )
    return draft


def read_draft(draft: PaperDraft, terms: Terms) -> TextRoster:
    """Return what the draft's file or text says, with the answers so far. Raises Refusal if it cannot be read."""
    return roster_of_draft(draft, terms.game, terms.content, str(draft.data.get("list_id") or ""), draft.answers)


def take_if_clear(draft: PaperDraft, terms: Terms, roster: TextRoster) -> bool:
    """Turn what was read into fighters if nothing in it is open; return whether it was so."""
    if roster.reading.open() or not roster.list_id:
        return False
    take_text(draft=draft, data=text_import_of(terms.game).paper_of(terms.content, roster))
    return True


def keep_warband(*, draft: PaperDraft, data: PaperData) -> PaperDraft:
    def change(kept: PaperData) -> None:
        for name in PaperData.__struct_fields__:
            if name != "fighters":
                setattr(kept, name, getattr(data, name))

    return _change(draft, change)


def keep_fighter(*, draft: PaperDraft, fighter: PaperFighter) -> PaperDraft:
    """Store what was typed about one fighter: replace the fighter with its key, or append a new one.

    Raises Refusal if there are too many fighters.
    """

    def change(kept: PaperData) -> None:
        for number, known in enumerate(kept.fighters):
            if known.key == fighter.key:
                kept.fighters[number] = fighter
                return
        if len(kept.fighters) >= MOST_FIGHTERS:
            raise Refusal(
                _("A paper roster holds {MOST_FIGHTERS} fighters or fewer.").format(MOST_FIGHTERS=MOST_FIGHTERS),
                code="too-many",
            )
        kept.fighters.append(fighter)

    return _change(draft, change)


def leave_fighter(*, draft: PaperDraft, key: str) -> PaperDraft:
    def change(kept: PaperData) -> None:
        kept.fighters = [fighter for fighter in kept.fighters if fighter.key != key]

    return _change(draft, change)


def keep_answers(*, draft: PaperDraft, answers: Mapping[str, str], list_id: str = "") -> PaperDraft:
    with transaction.atomic():
        row = _locked(draft)
        row.answers = {key: value[:LONGEST] for key, value in answers.items() if value}
        row.data = {**row.data, "list_id": list_id or row.data.get("list_id", "")}
        row.save(update_fields=["answers", "data", "changed_at"])
    return row


def take_text(*, draft: PaperDraft, data: PaperData) -> PaperDraft:
    """Replace the draft's fighters by those of the interpreted text. The text stays, so that this can be repeated."""
    with transaction.atomic():
        row = _locked(draft)
        row.data = msgspec.to_builtins(_checked(data))
        row.save(update_fields=["data", "changed_at"])
    return row


def read_by(*, draft: PaperDraft, edition: str, list_id: str = "") -> PaperDraft:
    """Read the draft's text by another edition of its game or as another list, and clear answers and fighters.

    Raises Refusal if there is no such edition.
    """
    if edition not in system(draft.system).editions():
        raise Refusal(_("There is no such edition of this game here."), code="unknown-edition")
    with transaction.atomic():
        row = _locked(draft)
        if edition != row.edition:
            row.edition, row.why = edition, _("you said so") if row.format not in PLAIN else ""
        row.answers, row.data = {}, msgspec.to_builtins(PaperData(list_id=list_id))
        row.save(update_fields=["edition", "why", "answers", "data", "changed_at"])
    return row


def discard_draft(*, draft: PaperDraft) -> None:
    PaperDraft.objects.filter(pk=draft.pk, owner=draft.owner).delete()


def _change(draft: PaperDraft, change: Callable[[PaperData], None]) -> PaperDraft:
    """Read the draft again and change it, so that two open pages do not overwrite each other's fighters."""
    with transaction.atomic():
        row = _locked(draft)
        data = paper_data(row.data)
        change(data)
        row.data, row.is_export = msgspec.to_builtins(_checked(data)), False
        row.save(update_fields=["data", "is_export", "changed_at"])
    draft.data, draft.is_export = row.data, row.is_export
    return row


def _locked(draft: PaperDraft) -> PaperDraft:
    row = PaperDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk, owner_id=draft.owner_id).first()
    if row is None:
        raise Refusal(_("This draft was discarded."), code="gone")
    return row


def _checked(data: PaperData) -> PaperData:
    """Return the data if all its texts are printable and short enough. Raises Refusal otherwise."""
    for fighter in data.fighters:
        fighter.name = clean_text(fighter.name, what=_("The fighter's name"), longest=80, field="name")
        refuse_unseen(fighter.name, _("The fighter's name"), field="name")
        fighter.profile = clean_text(fighter.profile, what=_("The profile"), longest=LONGEST, field="profile")
        fighter.notes = clean_text(fighter.notes, what=_("The note"), longest=2000, lines=True, field="notes")
        for text in (
            *(p.text for p in fighter.kit),
            *fighter.skills,
            *(x for w in fighter.wounds for x in (w.text, w.detail)),
        ):
            clean_text(text, what=_("An entry"), longest=LONGEST)
    data.name = clean_text(data.name, what=_("The warband's name"), longest=80, field="name")
    refuse_unseen(data.name, _("The warband's name"), field="name")
    data.notes = clean_text(data.notes, what=_("The note"), longest=4000, lines=True, field="notes")
    for text in (
        data.patron,
        data.last_scenario,
        *data.locations,
        *data.exploration,
        *data.lasting,
        *(p.text for p in data.stash),
    ):
        clean_text(text, what=_("An entry"), longest=LONGEST)
    try:
        msgspec.convert(msgspec.to_builtins(data), PaperData)
    except msgspec.ValidationError as error:
        words, __, at = str(error).partition(" - at ")
        raise Refusal(
            _("This can't be saved ({place}): {words}.").format(place=at.strip("`$."), words=words), code="unreadable"
        ) from None
    return data


# --- check and import -------------------------------------------------------------------------------------------------


def bring_from_paper(
    *, draft: PaperDraft, actor: Any, place: ImportTarget | None = None, leave_out: bool = False, token: str = ""
) -> Warband:
    """Import the warband in one act, which one undo reverts completely. The draft stays and can then be used again.

    An illegal roster is not refused. With `leave_out`, unknown names are left out.

    Raises:
        Refusal: no list is chosen, the roster is empty, names are unknown, or the draft was imported already.
    """
    with transaction.atomic():
        row = _locked(draft)
        if row.warband is not None and not row.warband.is_undone and event_of_token(token) is None:
            raise Refusal(
                _("{name} was imported already.").format(name=row.warband.name), mend=_("Undo that first."), code="done"
            )
        if row.is_export:
            warband = import_own_roster(actor=actor, owner=row.owner, document=exported(row), place=place, token=token)
            check = None
        else:
            check = check_draft(row, terms_of(row, place))
            warband = _import(row, check, actor, place, leave_out=leave_out, token=token)
        keep_original(row, warband, actor, check)
        row.warband = warband
        row.save(update_fields=["warband", "changed_at"])
    return warband


def _import(
    row: PaperDraft, check: PaperCheck, actor: Any, place: ImportTarget | None, *, leave_out: bool, token: str
) -> Warband:
    terms = terms_of(row, place)
    if check.force is None:
        raise Refusal(_("Choose the list first."), mend=_("It is beside the warband's name."), code="no-list")
    if check.reading.unread and not leave_out:
        first = check.reading.unread[0]
        count = len(check.reading.unread)
        message = first.message
        if count > 1:
            more = ngettext("{count} more name is not recognised.", "{count} more names are not recognised.", count - 1)
            message = f"{message} {more.format(count=count - 1)}"
        raise Refusal(message, mend=_("Decide, or tick to skip them."), code="unknown-name")
    if not check.reading.document["fighters"]:
        raise Refusal(_("No fighters yet."), mend=_("Add a fighter."), code="empty")
    if place is None:
        terms = terms_for(terms.system, terms.edition, terms.house_rules, terms.overlays)
    document = document_under(terms, _with_record(check, captives=place is not None))
    return import_document(
        actor=actor,
        owner=place.owner if place is not None else row.owner,
        terms=terms,
        document=document,
        kind="paper",
        source="file" if row.original else "text" if row.text else "paper",
        place=place,
        score=score_of(check.data),
        token=token,
    )


def score_of(data: PaperData) -> Score:
    return Score(
        points=data.points,
        games=max(data.fought, data.won + data.drawn + data.lost),
        won=data.won,
        drawn=data.drawn,
        lost=data.lost,
    )


def _with_record(check: PaperCheck, *, captives: bool) -> dict[str, Any]:
    """Return the document with strongbox and notes in the form of an import.

    Without `captives`, captives become active, since outside a campaign nobody can hold them.
    """
    data, document = check.data, dict(check.reading.document)
    rows = [dict(row) for row in document["fighters"]]
    if not captives:
        for row in rows:
            row["status"] = "active" if row["status"] == "captive" else row["status"]
    document["fighters"] = rows
    notes = {fighter.key: fighter.notes for fighter in data.fighters}
    record: dict[str, Any] = {
        "notes": data.notes,
        "fighters": [
            {"name": row["name"], "notes": notes.get(key, "")}
            for row, key in zip(rows, check.reading.keys, strict=True)
        ],
    }
    left = (check.verdict.left if check.verdict is not None else None) or Price()
    if not document["founding"]:
        left = Price()
    if not document["founding"] or data.ducats is not None or data.glory is not None:
        record["strongbox"] = {
            "ducats": left.ducats if data.ducats is None else data.ducats,
            "glory": left.glory if data.glory is None else data.glory,
        }
    document["record"] = record
    return document
