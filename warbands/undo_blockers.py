"""Finds the later acts that depend on an act and must be undone first, for one act or for a whole page of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q

from warbands.field_values import paths_overlap
from warbands.models import Change, Event, EventSubject, Fighter, Item, Profile, Warband

RowKey = tuple[str, int]  # a row's model label and primary key
FIGHTER, ITEM, WARBAND = Fighter._meta.label, Item._meta.label, Warband._meta.label


@dataclass(frozen=True, slots=True)
class EventStanding:
    """Whether an act is in effect, the last act that undid it or brought it back, and its dependents, oldest first."""

    event: Event
    live: bool
    undone_by: Event | None
    leaning: tuple[Event, ...]


def leaning_on(event: Event) -> list[Event]:
    """Return the later acts in effect that changed values or rows written by this event, oldest first. Five queries."""
    rows = set(event.subjects.filter(is_news=False).values_list("label", "row_id"))
    return list(_LaterEvents.load(rows, event.pk).standing(event).leaning)


def standings(events: Iterable[Event], row: Warband | Profile) -> dict[int, EventStanding]:
    """Return the standing of each of these events of a warband or a profile, by id. Four queries for any number.

    Acts that also touched other warbands, profiles or a battle may have dependents there; `leaning_on` finds those too.
    """
    events = list(events)
    if not events:
        return {}
    later = _LaterEvents.load({(row._meta.label, row.pk)}, min(event.pk for event in events))
    return {event.pk: later.standing(event) for event in events}


@dataclass
class _LaterEvents:
    """The events of some rows, starting with one of them, and their changes."""

    events: dict[int, Event] = field(default_factory=dict)
    changes: dict[int, list[Change]] = field(default_factory=lambda: defaultdict(list))
    subjects: dict[int, set[RowKey]] = field(default_factory=lambda: defaultdict(set))
    carried: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))  # items that a fighter carries now
    undone_by: dict[int, Event] = field(default_factory=dict)
    changed: dict[RowKey, set[int]] = field(
        default_factory=lambda: defaultdict(set)
    )  # ids of events that changed a row
    about: dict[RowKey, set[int]] = field(default_factory=lambda: defaultdict(set))  # ids of events about a row

    @classmethod
    def load(cls, rows: set[RowKey], since: int) -> _LaterEvents:
        later = cls()
        if not rows:
            return later
        wanted = reduce(or_, (Q(label=label, row_id=pk) for label, pk in rows))
        subjects = EventSubject.objects.filter(wanted, event_id__gte=since, is_news=False).select_related("event")
        later.events = {subject.event_id: subject.event for subject in subjects}
        later.undone_by = {event.undoes_id: event for event in later.events.values() if event.undoes_id}
        later._index_changes()
        later._index_subjects()
        later._index_carried([pk for label, pk in rows if label == WARBAND])
        return later

    def _index_changes(self) -> None:
        for change in Change.objects.filter(event__in=self.events):
            self.changes[change.event_id].append(change)
            self.changed[(change.label, change.row_id)].add(change.event_id)

    def _index_subjects(self) -> None:
        subjects = EventSubject.objects.filter(event__in=self.events, is_news=False)
        for event_id, label, pk in subjects.values_list("event_id", "label", "row_id"):
            self.subjects[event_id].add((label, pk))
            self.about[(label, pk)].add(event_id)

    def _index_carried(self, warbands: list[int]) -> None:
        carried = Item.objects.live().filter(warband__in=warbands, status=Item.Status.HELD, fighter__isnull=False)
        for item_id, fighter_id in carried.values_list("pk", "fighter_id"):
            self.carried[fighter_id].add(item_id)

    def standing(self, event: Event) -> EventStanding:
        last, live = self._last(event)
        leaning = self._leaning(last) if live else []
        return EventStanding(event, live, None if last is event else last, tuple(leaning))

    def _last(self, event: Event) -> tuple[Event, bool]:
        """Return the last event of the chain of undos of this one, and whether the event is in effect."""
        live = True
        while event.pk in self.undone_by:
            event, live = self.undone_by[event.pk], not live
        return event, live

    def _leaning(self, event: Event) -> list[Event]:
        found = {
            pk
            for change in self.changes.get(event.pk, ())
            for pk in self._near(change)
            if pk > event.pk and self._leans(change, self.events[pk])
        }
        leaning = (self.events[pk] for pk in sorted(found))
        return [other for other in leaning if not _belongs_elsewhere(other, event) and self._last(other)[1]]

    def _near(self, change: Change) -> Iterator[int]:
        """Yield the events that touched the row of this change, or items that its fighter carries.

        No others can depend on it.
        """
        row = (change.label, change.row_id)
        yield from self.changed.get(row, ())
        if _makes(change) or change.label == WARBAND:
            yield from self.about.get(row, ())
        for item in self.carried.get(change.row_id, ()) if change.label == FIGHTER else ():
            yield from self.changed.get((ITEM, item), ())

    def _leans(self, change: Change, other: Event) -> bool:
        row, subjects = (change.label, change.row_id), self.subjects.get(other.pk, ())
        if _makes(change) and row in subjects:
            return True
        if change.label == WARBAND and change.field == "status" and change.before == Warband.Status.FOUNDING:
            return bool(other.occasion) and row in subjects  # once a battle was reported, the founding cannot come back
        return any(self._touches(later, change) for later in self.changes.get(other.pk, ()))

    def _touches(self, later: Change, change: Change) -> bool:
        """Return whether a later change overwrote this one, or gave an item to the fighter that it created."""
        made = _makes(change)
        if later.label == change.label and later.row_id == change.row_id:
            return made or (later.field == change.field and paths_overlap(change.path, later.path))
        if not made or change.label != FIGHTER or later.label != ITEM:
            return False
        # An item bought for or given to the fighter: undoing the hire would leave it without a carrier.
        came = not later.field or (later.field == "fighter" and later.after == change.row_id)
        return came and later.row_id in self.carried.get(change.row_id, ())


def _belongs_elsewhere(undoing: Event, event: Event) -> bool:
    """Return whether an undo belongs to an act that is checked separately: a later act, or the event itself."""
    return undoing.undoes_id is not None and undoing.undoes_id >= event.pk


def _makes(change: Change) -> bool:
    """Return whether a change created its row, or brought it back."""
    return not change.field or (change.field == "is_undone" and change.after is False)
