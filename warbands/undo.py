"""Undo: a new event that reverts the recorded changes of another. `warbands/undo_blockers.py` finds what prevents it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.field_values import Leaf, field_value, leaf_of, plain_value, set_leaf, split_path
from warbands.host import host
from warbands.models import Change, Event, EventSubject, LedgerEntry, Warband
from warbands.models.event import PART_OF, PARTS
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, event_of_token, lock_together, recording, refuse_put_away
from warbands.rights import ACT, act_of_undoing, refuse_undo
from warbands.undo_blockers import leaning_on


def is_live(event: Event) -> bool:
    """Return whether the event is in effect: not undone, or its undo was undone. One query for each link of that chain."""
    return standing(event) is not None


def standing(event: Event) -> Event | None:
    """Return the event that puts this act in effect: itself, or the one that brought it back. None if it is undone."""
    last, live = event, True
    while (later := Event.objects.filter(undoes=last).first()) is not None:
        last, live = later, not live
    return last if live else None


def refusals_to_undo(events: Sequence[Event]) -> dict[int, Refusal]:
    """Return the reasons of rules and host against undoing these acts, by event id. Acts without one are left out."""
    return {**_late_hand_overs(events), **host().undo_refusals(events)}


HAND_OVER = "hand-over"
HAND_OVER_OPEN = timedelta(days=14)


def _late_hand_overs(events: Sequence[Event]) -> dict[int, Refusal]:
    """Return why warbands don't go back or forth any more: nobody gets one unasked, or loses it after two weeks."""
    found = {}
    for event in events:
        if event.kind == "undo" and event.data.get(ACT) == HAND_OVER:
            found[event.pk] = Refusal(
                _("A warband needs the new owner's consent."), mend=_("Offer it again."), code="consent"
            )
        elif event.kind == HAND_OVER and event.at < timezone.now() - HAND_OVER_OPEN:
            found[event.pk] = Refusal(
                _("You can undo this for 14 days."), mend=_("The owner can offer it back."), code="late"
            )
    return found


def refusal_to_undo(event: Event) -> Refusal | None:
    """Return the reason against undoing this act, or None."""
    return refusals_to_undo([event]).get(event.pk)


def refuse_leaned_on(event: Event) -> None:
    """Raise Refusal if a later act depends on this one."""
    if blockers := leaning_on(event):
        raise Refusal(
            _("A later entry depends on this: {entry}").format(entry=blockers[0].told),
            mend=_("Undo that one first."),
            code="leaned-on",
        )


def undo(
    *,
    event: Event,
    actor: Any,
    token: str = "",
    seen: int | None = None,
    by_right: bool = True,
    part_of: Event | None = None,
    guarded: bool = True,
) -> Event:
    """Undo an act with a new event, and return that event. An act that was undone and brought back can be undone again.

    The undos that belong to an act (`PARTS`) are undone with it, in the same transaction.

    `by_right=False` skips the check of rights: the undo is part of an act that the caller has already allowed, such as
    voiding a battle. `part_of` names that act. `guarded=False` skips the reasons of the host against undoing this act.

    Raises:
        Refusal: it is undone already, a later act depends on it (the message names that), or its income has been spent.
        PermissionDenied: the actor may not do that act, and so not undo it.
    """
    target = standing(event)
    if target is None:
        if spent := event_of_token(token):
            raise AlreadyDone(spent)
        raise Refusal(_("This was already undone."), code="undone")
    if guarded and (refusal := refusal_to_undo(target)):
        raise refusal
    if part_of is None:
        _refuse_part(target)
    parts = [Event.objects.get(pk=pk) for pk in reversed(target.data.get(PARTS, ()))]
    with transaction.atomic():
        if parts:
            lock_together(row for each in _with_parts(target) for row in subjects_of(each))
        undone = _undo_one(target, actor, token, seen, by_right, part_of)
        if parts:
            own = [undo(event=each, actor=actor, by_right=False, part_of=undone).pk for each in parts]
            undone.data[PARTS] = own
            undone.save(update_fields=["data"])
    return undone


def _with_parts(event: Event) -> Iterator[Event]:
    """Yield an act, and the acts that belong to it, and those that belong to them."""
    yield event
    for part in Event.objects.filter(pk__in=event.data.get(PARTS, ())):
        yield from _with_parts(part)


def _refuse_part(event: Event) -> None:
    """Raise Refusal for bringing back alone what was undone as part of a larger act that is in effect."""
    if event.undoes_id is None or PART_OF not in event.data:
        return
    links, each = 0, event
    while each.undoes is not None:
        links, each = links + 1, each.undoes
    if links % 2 == 0:
        return  # it is in effect: whoever may undo it on its own may do so again
    whole = Event.objects.filter(pk=event.data[PART_OF]).first()
    if whole is not None and is_live(whole):
        raise Refusal(
            _("This belongs to another entry: {told}").format(told=whole.told), mend=_("Undo that one."), code="part"
        )


def _undone_for(target: Event, subjects: Sequence[Any]) -> str | None:
    """Return "" for the undo of what an administrator did for nobody in particular; else None: the warband's owner is named."""
    owners = {row.owner_id for row in subjects if isinstance(row, Warband)}
    is_nobodys = not target.for_name and target.actor_id is not None and target.actor_id not in owners
    return "" if is_nobodys else None


def _undo_one(target: Event, actor: Any, token: str, seen: int | None, by_right: bool, part_of: Event | None) -> Event:
    """Undo one event, without its parts."""
    subjects = subjects_of(target)
    with recording(
        *subjects,
        kind="undo",
        actor=actor,
        for_name=_undone_for(target, subjects),
        occasion=target.occasion,
        token=token,
        seen=seen,
        undoes=target,
    ) as act:
        if by_right:
            refuse_undo(actor, Event.objects.get(pk=target.pk))  # under the lock, so that no right ends in between
        refuse_leaned_on(target)
        put_away = [warband for warband in act.warbands if warband.is_put_away]
        walk_back(act, list(target.changes.order_by("-pk")))
        for warband in put_away:
            refuse_put_away(warband)  # unless the undo brought it back
        _move_money_back(act, target)
        told = _("{{who}} redid: {told}") if target.undoes_id else _("{{who}} undid: {told}")
        data = {ACT: act_of_undoing(target)} | ({PART_OF: part_of.pk} if part_of is not None else {})
        act.say(told.format(told=target.root.told), **data)
    return act.event


def rows_of(events: Any) -> set[tuple[str, int]]:
    """Return the rows that these events were about, by label and id, for `lock_rows`. `events` are ids or a subquery. One query."""
    return set(EventSubject.objects.filter(event_id__in=events, is_news=False).values_list("label", "row_id"))


def subjects_of(event: Event) -> list[Any]:
    """Return the rows that an event was about, without those that only show it as news."""
    subjects = event.subjects.filter(is_news=False).values_list("label", "row_id")
    rows = (apps.get_model(label)._base_manager.filter(pk=pk).first() for label, pk in subjects)
    return [row for row in rows if row is not None]


def _move_money_back(act: Recorder, target: Event) -> None:
    for entry in target.ledger.select_related("warband"):
        reason = (
            entry.reason.removeprefix(_("Undone: "))
            if target.undoes_id
            else _("Undone: {reason}").format(reason=entry.reason)
        )
        act.move_money(entry.warband, -entry.ducats, -entry.glory, reason)
    for warband in act.warbands:
        _refuse_if_spent(warband, target)


def walk_back(act: Recorder, changes: list[Change]) -> None:
    """Restore the values from before these changes (newest first). Raises Refusal if a value has changed since."""
    by_row: dict[tuple[str, int], list[Change]] = {}
    for change in changes:
        by_row.setdefault((change.label, change.row_id), []).append(change)
    rows = [(act.fetch(label, pk), of_row) for (label, pk), of_row in by_row.items()]
    # What ties other rows to a row goes before the row itself, and a row that comes back comes before what is tied to it.
    for row, of_row in sorted(rows, key=lambda each: _turn(each[1])):
        _walk_row_back(act, row, of_row)


def _turn(changes: list[Change]) -> int:
    """Return when a row's turn is: 0 if it comes back, 2 if it goes, else 1."""
    for change in changes:
        if not change.field or (change.field == "is_undone" and change.before is True):
            return 2
        if change.field == "is_undone":
            return 0
    return 1


def _walk_row_back(act: Recorder, row: Any, changes: list[Change]) -> None:
    fields: dict[str, Any] = {}
    now: dict[str, Any] = {}  # plain values of the fields, as far as they are restored
    leaves: list[tuple[str, Leaf, Any]] = []
    for change in changes:
        if not change.field:
            continue
        field = row._meta.get_field(change.field)
        value = now.setdefault(change.field, deepcopy(plain_value(field, getattr(row, field.attname))))
        path = split_path(change.path)
        if leaf_of(value, path) != change.after:
            raise Refusal(_("Something else changed since, so this can't be undone."), code="leaned-on")
        if path:
            set_leaf(value, path, deepcopy(change.before))
            leaves.append((change.field, path, deepcopy(change.before)))
        else:
            now[change.field] = deepcopy(change.before)
            fields[change.field] = None  # set below, once all changes are reverted
    if any(not change.field for change in changes):
        act.write(row, {"is_undone": True}, ())  # it keeps the values that it would come back with
        return
    for name in fields.keys() & now.keys():
        fields[name] = field_value(row._meta.get_field(name), now[name])
    act.write(row, fields, tuple(leaf for leaf in leaves if leaf[0] not in fields))


def _refuse_if_spent(warband: Warband, event: Event) -> None:
    if warband.status != Warband.Status.CAMP or not warband.owes:
        return
    spending = (
        LedgerEntry.objects.filter(warband=warband, event_id__gt=event.pk)
        .filter(Q(ducats__lt=0) | Q(glory__lt=0))
        .exclude(event__undoes=event)
        .select_related("event")
        .order_by("-pk")
    )
    for entry in spending:
        if is_live(entry.event):
            raise Refusal(
                _("What this gained was spent since: {told}").format(told=entry.event.told),
                mend=_("Undo that one first."),
                code="spent",
            )
    raise Refusal(
        _("The strongbox of {warband} would fall below zero.").format(warband=warband.name),
        mend=_("Sell something first."),
        code="spent",
    )
