"""The only place that writes player data.

`recording()` opens one transaction, locks its subjects in a fixed order and writes one `Event`. It records every field that changes,
appends ledger entries, and at its end recomputes the cached values: the strongbox from the ledger, rating and problems
from the roster. An exception inside it rolls everything back. `warbands/undo.py` reverts the recorded changes of an
event.

A recording that gathers (`gathers=True`) takes in those that services open inside it: each becomes a part of the one
event. A part that is refused leaves the others as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.draft_context import current_run
from warbands.models import Event, Warband
from warbands.models.base import Recorded
from warbands.recorder import CACHED, Part, Recorder, Rows, RowsBefore


class AlreadyDone(Exception):
    """The form's one-use token was used before. `event` is the event of that earlier request."""

    def __init__(self, event: Event | None) -> None:
        super().__init__(_("This was already done."))
        self.event = event


class Stale(Refusal):
    """The form was rendered from an older version of the roster. `events` are those since then, oldest first."""

    def __init__(self, events: list[Event]) -> None:
        message = " ".join(event.told for event in events[-3:]) or _("The roster changed.")
        super().__init__(
            _("While this page was open: {message}").format(message=message),
            mend=_("Your choice is kept. Press again to continue."),
            code="stale",
        )
        self.events = events


_gathering: ContextVar[Recorder | None] = ContextVar("gathering", default=None)
_only_parts: ContextVar[bool] = ContextVar("only_parts", default=False)
_last_event: ContextVar[Event | None] = ContextVar("last_event", default=None)


@contextmanager
def only_gathered() -> Iterator[None]:
    """Refuse every act that is no part of a gathered one: what runs here may only be tried."""
    before = _only_parts.set(True)
    try:
        yield
    finally:
        _only_parts.reset(before)


@contextmanager
def _part_of(whole: Recorder, subjects: tuple[Recorded, ...]) -> Iterator[Part]:
    fresh = [whole.row(row) for row in subjects]  # a KeyError: only what the whole act locked
    part = Part(whole, next((row for row in fresh if isinstance(row, Warband)), None))
    kept = RowsBefore(whole)
    try:
        with transaction.atomic():
            yield part
            part.close()
    except BaseException:
        kept.restore()
        raise


@contextmanager
def _gathered(recorder: Recorder) -> Iterator[None]:
    before = _gathering.set(recorder)
    try:
        yield
    finally:
        _gathering.reset(before)


@contextmanager
def recording(
    *subjects: Recorded,
    kind: str,
    actor: Any,
    for_name: str | None = None,
    occasion: str = "",
    token: str = "",
    seen: int | None = None,
    undoes: Event | None = None,
    gathers: bool = False,
) -> Iterator[Recorder]:
    """Record one act on these rows, in one transaction.

    `actor` is a user or None (the app itself). `token` is the form's one-use token. `seen` is the version that the form
    was rendered from: that of the first warband passed in, else of the first row with counted changes. `for_name` is the
    person for whom somebody acts: None means the owner of the first warband if the actor is somebody else, "" means
    nobody. At the end of the act, the rows passed in get their new version, warbands also their cached numbers.
    `gathers` makes the recordings of services called inside it parts of this act; `token` and `seen` are then only its own.

    Raises:
        AlreadyDone: the token was used before.
        Stale: the rows have changed since `seen`.
        Refusal: a subject is gone, the money does not suffice, or an undo conflicts with later acts.
    """
    whole = _gathering.get()
    if whole is not None:
        with _part_of(whole, subjects) as part:
            yield part
        for row in subjects:
            _bring_up_to_date(row, whole.row(row))
        return
    if _only_parts.get() and not gathers:
        raise Refusal(_("You can't try this in a draft."), mend=_("Leave the draft and do it on the roster."))
    _last_event.set(None)
    try:
        with transaction.atomic():
            try:
                rows = _lock(subjects, also_undone=undoes is not None)
            except Refusal:
                _refuse_spent(token)
                raise
            _refuse_spent(token)  # under the lock: another request may have used it while this one waited
            for row in rows.values():
                row.refuse_act(kind if undoes is None else undoes.root.kind)
            fresh = [rows[(row._meta.label, row.pk)] for row in subjects]
            first = next((row for row in fresh if isinstance(row, Warband)), None)
            _refuse_stale(first or next((row for row in fresh if row.counted), None), seen)
            if for_name is None:
                for_name = acted_for(first, actor) if first is not None else ""
            event = Event.objects.create(
                kind=kind,
                actor=actor,
                actor_name=str(actor) if actor is not None else "",
                for_name=for_name,
                occasion=occasion,
                token=token or None,
                undoes=undoes,
            )
            recorder = Recorder(event, rows, first)
            recorder.take_over(subjects)
            if gathers:
                with _gathered(recorder):
                    yield recorder
            else:
                yield recorder
            recorder.close()
    except IntegrityError as error:
        _refuse_conflict(error, token, undoes)
        raise
    _last_event.set(event)
    for row in subjects:
        _bring_up_to_date(row, rows[(row._meta.label, row.pk)])


def _refuse_spent(token: str) -> None:
    if event := event_of_token(token):
        raise AlreadyDone(event)


def event_just_recorded(token: str | None) -> Event | None:
    """Return the event of the act that just ended, by its form's token. No query if it recorded one."""
    last = _last_event.get()
    return last if token and last is not None and last.token == token else event_of_token(token)


def event_of_token(token: str | None) -> Event | None:
    """Return the event that used a form's one-use token, None if it is unused. One query, none for an empty token."""
    run = current_run()
    if run is not None and token and (event := run.event_of_token(token)):
        return event
    return Event.objects.filter(token=token).first() if token else None


def _refuse_stale(versioned: Any, seen: int | None) -> None:
    if seen is not None and versioned is not None and versioned.version != seen:
        raise Stale(_events_since(versioned, seen))


def _refuse_conflict(error: IntegrityError, token: str, undoes: Event | None) -> None:
    """Raise AlreadyDone or Refusal for a violated constraint; return if it can only be a bug."""
    if event := event_of_token(token):
        raise AlreadyDone(event) from error
    if undoes is not None and Event.objects.filter(undoes=undoes).exists():
        raise Refusal(_("This was already undone."), code="undone") from error
    if undoes is not None:
        raise Refusal(_("Something newer has taken its place."), code="leaned-on") from error


def _bring_up_to_date(row: Any, fresh: Any) -> None:
    names = (*CACHED, "version", "status") if isinstance(row, Warband) else ("version",) if row.counted else ()
    for name in names:
        setattr(row, name, getattr(fresh, name))


def refuse_put_away(warband: Warband) -> None:
    """Raise Refusal if a warband is archived or disbanded, and so read-only."""
    if warband.status == Warband.Status.DISBANDED:
        raise Refusal(
            _("{warband} was disbanded. You can only read it.").format(warband=warband.name),
            mend=_("Undo the disbanding."),
            code="closed",
        )
    if warband.status == Warband.Status.ARCHIVED:
        raise Refusal(
            _("{warband} is archived. You can only read it.").format(warband=warband.name),
            mend=_("Restore it first."),
            code="closed",
        )


def acted_for(warband: Warband, actor: Any) -> str:
    """Return the owner's name if somebody else acts on an owned warband, else ""."""
    return str(warband.owner) if actor is not None and warband.owner_id and warband.owner_id != actor.pk else ""


def lock_together(subjects: Iterable[Recorded]) -> None:
    """Lock the rows of several acts that follow one another in one transaction, so that their order makes no deadlock."""
    _lock(tuple(subjects), also_undone=True)


def lock_rows(keys: Iterable[tuple[str, int]]) -> None:
    """Lock many rows, given by label and id, in the order of `_lock`. Rows that are gone are left out. One query for each kind."""
    by_label: dict[str, set[int]] = {}
    for label, pk in keys:
        by_label.setdefault(label, set()).add(pk)
    for _rank, label in sorted((apps.get_model(label).lock_rank, label) for label in by_label):
        query = apps.get_model(label)._base_manager.select_for_update(no_key=True)
        list(query.filter(pk__in=by_label[label]).order_by("pk").values_list("pk", flat=True))


def _lock(subjects: tuple[Recorded, ...], *, also_undone: bool = False) -> Rows:
    """Lock and re-read the subjects: campaigns, then battles, then warbands, each by id, which prevents deadlocks.

    No act changes a key, so whoever only writes a row that points to a subject need not wait. Such waits come last of all,
    when a transaction ends, and would be in no order.
    """
    wanted = sorted({(type(row).lock_rank, row._meta.label, row.pk) for row in subjects})
    rows: Rows = {}
    for __, label, pk in wanted:
        model = apps.get_model(label)
        query = model._base_manager.select_for_update(of=("self",), no_key=True)
        if model is Warband:
            query = query.select_related("terms", "owner")
        elif model.locked_with:
            query = query.select_related(*model.locked_with)
        row = query.filter(pk=pk).first()
        if row is None or (row.is_undone and not also_undone):
            raise Refusal(_("This no longer exists: it was undone."), code="gone")
        rows[(label, pk)] = row
    return rows


def _events_since(row: Recorded, version: int) -> list[Event]:
    """Return the events of a row after this version, oldest first."""
    events = Event.objects.filter(
        subjects__label=row._meta.label, subjects__row_id=row.pk, subjects__number__gt=version
    )
    return list(events.order_by("pk"))
