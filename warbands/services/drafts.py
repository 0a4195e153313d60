"""Services of drafts: start, rename and drop one, remove changes from it, keep new ones, and apply it to the roster."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import to_builtins

from rules.problems import Refusal
from warbands.draft_acts import needs, read_acts, write_acts
from warbands.drafting import KIND, DraftPlayer, DraftRun
from warbands.models import Event, RosterDraft, Warband
from warbands.recording import AlreadyDone, Stale, event_of_token, recording, refuse_put_away
from warbands.services.common import clean_name

MOST_DRAFTS = 5
LONGEST_NAME = 60


def start_draft(*, warband: Warband, actor: Any, name: str = "", token: str = "") -> RosterDraft:
    """Start an empty draft of a warband. A second press of the same form returns the draft that the first one started.

    Raises:
        Refusal: the warband has the most drafts that it can have, or is archived or disbanded.
    """
    refuse_put_away(warband)
    with transaction.atomic():
        locked = Warband.objects.select_for_update(of=("self",), no_key=True).get(pk=warband.pk)
        drafts = list(RosterDraft.objects.filter(warband=locked))
        if token and (started := next((draft for draft in drafts if draft.token == token), None)):
            return started
        if len(drafts) >= MOST_DRAFTS:
            raise Refusal(
                _("A warband has at most {count} drafts.").format(count=MOST_DRAFTS),
                mend=_("Drop one first."),
                code="too-many",
            )
        called = _checked_name(name) if name.strip() else _free_name({draft.name for draft in drafts})
        return RosterDraft.objects.create(
            warband=locked, owner=actor, name=called, base=locked.version, token=token or None
        )


def _checked_name(name: str) -> str:
    cleaned = clean_name(name)
    if len(cleaned) > LONGEST_NAME:
        raise Refusal(
            _("The name has {length} characters; {most} fit.").format(length=len(cleaned), most=LONGEST_NAME),
            code="text",
            field="name",
        )
    return cleaned


def _free_name(taken: set[str]) -> str:
    numbers = (_("Draft {number}").format(number=number) for number in range(1, MOST_DRAFTS + 2))
    return next(name for name in numbers if name not in taken)


def rename_draft(*, draft: RosterDraft, name: str) -> RosterDraft:
    """Rename a draft. Raises Refusal if the name is empty or too long."""
    draft.name = _checked_name(name)
    _write(draft, name=draft.name)
    return draft


def drop_draft(*, draft: RosterDraft) -> None:
    """Delete a draft. The roster stays as it is."""
    draft.delete()


def keep_acts(run: DraftRun) -> None:
    """Store what was added while a draft ran, and what its acts came to. At most one query; the run is rolled back.

    If something was added, the caller holds the draft's lock.
    """
    outcome = to_builtins(run.outcome)
    if run.added:
        _write(
            run.draft,
            acts=write_acts(run.acts),
            base=run.real_version,
            last_number=run.added[-1].number,
            revision=F("revision") + len(run.added),
            outcome=outcome,
        )
    elif outcome is not None:
        RosterDraft.objects.filter(pk=run.draft.pk, revision=run.draft.revision).update(outcome=outcome)


def remove_acts(*, draft: RosterDraft, numbers: set[int]) -> int:
    """Remove changes from a draft, with those that are about rows which they would make. Returns how many went.

    A number that is not in the draft is ignored, so pressing twice removes nothing else.
    """
    with transaction.atomic():
        locked = RosterDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk).first()
        if locked is None:
            return 0
        acts = read_acts(locked.acts)
        going = {act.number for act in acts if act.number in numbers}
        for act in acts:  # in order: an act only needs earlier ones
            if needs(act, locked.pk) & going:
                going.add(act.number)
        if going:
            stay = [act for act in acts if act.number not in going]
            _write(locked, acts=write_acts(stay), revision=F("revision") + 1)
    return len(going)


def _write(draft: RosterDraft, **values: Any) -> None:
    RosterDraft.objects.filter(pk=draft.pk).update(changed_at=timezone.now(), **values)


def apply_draft(
    *, draft: RosterDraft, actor: Any, revision: int | None, token: str = "", seen: int | None = None
) -> Event:
    """Do everything in a draft on the roster, as one act with one event, and delete the draft.

    `revision` and `seen` are those of the draft and the roster that the form showed.

    Raises:
        AlreadyDone, Stale: as `recording`; Stale also if the draft itself has changed.
        Refusal: the draft is empty, or one of its changes is refused. Then nothing is written.
    """
    import_module("warbands.services.draftable")
    with transaction.atomic():
        locked = RosterDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk).first()
        if locked is None:
            if event := event_of_token(token):
                raise AlreadyDone(event)
            raise Refusal(_("This draft is gone: it was applied or dropped."), code="gone")
        if revision is not None and locked.revision != revision:
            raise Stale([])
        acts = read_acts(locked.acts)
        if not acts:
            raise Refusal(_("This draft has no changes yet."), code="no-change")
        player = DraftPlayer(locked, actor, for_real=True)
        with recording(draft.warband, kind=KIND, actor=actor, token=token, seen=seen, gathers=True) as recorder:
            for act in acts:
                try:
                    player.play(recorder, act)
                except Refusal as refusal:
                    raise _clash(act.told, refusal) from refusal
            done = [sentence_of(part) for part in recorder.parts]
            recorder.say(
                _("{who} applied the draft “{name}”: {changes}").format(
                    who="{who}", name=locked.name, changes=f"{'; '.join(done)}."
                ),
                parts=done,
            )
        locked.delete()
    return recorder.event


def _clash(told: str, refusal: Refusal) -> Refusal:
    return Refusal(
        _("“{change}” doesn't work any more: {reason}").format(change=sentence_of(told), reason=refusal.message),
        mend=_("Remove it from the draft, or fix the roster first."),
        code="clash",
    )


def sentence_of(told: str) -> str:
    """Return what an act does, from the sentence of its event: without the person, and without the full stop."""
    return told.removeprefix("{who} ").removesuffix(".")
