"""Finds the later acts that depend on an act and must be undone first, for one act or for a whole page of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q

from warbands.field_values import paths_overlap
from warbands.models import Change, Event, EventSubject, Fighter, Item, Profile, Warband

RowKey = tuple[str, int]  # a row's model label and primary key
FIGHTER, ITEM, WARBAND = Fighter._meta.label, Item._meta.label, Warband._meta.label
KEEP = "keep"  # a guest became an account: the same person, so nothing depends on it


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
    later = _LaterEvents.load({(row._meta.label, row.pk)}, min(event.pk for event in events), events)
    return {event.pk: later.standing(event) for event in events}


class WrittenChange(NamedTuple):
    """The fields of a `Change` that decide what depends on it. A page reads hundreds, so they are no model instances."""

    event_id: int
    label: str
    row_id: int
    field: str
    path: str
    before: Any
    after: Any


@dataclass
class _LaterEvents:
    """The events of some rows, starting with one of them, and their changes."""

    events: dict[int, Event] = field(default_factory=dict)
    changes: dict[int, list[WrittenChange]] = field(default_factory=lambda: defaultdict(list))
    carried: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))  # items that a fighter carries now
    undone_by: dict[int, Event] = field(default_factory=dict)
    changed: dict[RowKey, list[WrittenChange]] = field(default_factory=lambda: defaultdict(list))
    about: dict[RowKey, set[int]] = field(default_factory=lambda: defaultdict(set))  # ids of events about a row

    @classmethod
    def load(cls, rows: set[RowKey], since: int, at_hand: Iterable[Event] = ()) -> _LaterEvents:
        """Read the events of these rows from the event `since` on; those `at_hand` are not read again."""
        later = cls()
        if not rows:
            return later
        wanted = reduce(or_, (Q(label=label, row_id=pk) for label, pk in rows))
        subjects = EventSubject.objects.filter(wanted, event_id__gte=since, is_news=False)
        known, about = {event.pk: event for event in at_hand}, set(subjects.values_list("event_id", flat=True))
        later.events = {pk: known[pk] for pk in about & known.keys()} | Event.objects.in_bulk(about - known.keys())
        later.undone_by = {event.undoes_id: event for event in later.events.values() if event.undoes_id}
        later._index_changes()
        later._index_subjects(known)
        later._index_carried([pk for label, pk in rows if label == WARBAND])
        return later

    def _index_changes(self) -> None:
        changes = Change.objects.filter(event__in=self.events).values_list(*WrittenChange._fields)
        for change in starmap(WrittenChange, changes):
            self.changes[change.event_id].append(change)
            self.changed[(change.label, change.row_id)].append(change)

    def _index_subjects(self, known: Mapping[int, Event]) -> None:
        """Note which events are about which rows. The subjects of known events are read again only if they are not prefetched."""
        left = set(self.events)
        for event in known.values():
            if event.pk in left and "subjects" in getattr(event, "_prefetched_objects_cache", ()):
                left.remove(event.pk)
                for subject in event.subjects.all():
                    if not subject.is_news:
                        self.about[(subject.label, subject.row_id)].add(event.pk)
        subjects = EventSubject.objects.filter(event__in=left, is_news=False) if left else EventSubject.objects.none()
        for event_id, label, pk in subjects.values_list("event_id", "label", "row_id"):
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
        found = {pk for change in self.changes.get(event.pk, ()) for pk in self._depending_on(change) if pk > event.pk}
        leaning = (self.events[pk] for pk in sorted(found))
        return [
            other
            for other in leaning
            if other.kind != KEEP and not _belongs_elsewhere(other, event) and self._last(other)[1]
        ]

    def _giving_kit(self, fighter: int) -> Iterator[int]:
        """Yield the events that bought or gave a fighter its items: undoing the hire would leave these without a carrier."""
        for item in self.carried.get(fighter, ()):
            for later in self.changed.get((ITEM, item), ()):
                if not later.field or (later.field == "fighter" and later.after == fighter):
                    yield later.event_id

    def _depending_on(self, change: WrittenChange) -> Iterator[int]:
        """Yield the events that depend on a change, earlier ones and repeated ones among them."""
        row, made = (change.label, change.row_id), _makes(change)
        if made:
            yield from self.about.get(row, ())
        elif change.label == WARBAND and change.field == "status" and change.before == Warband.Status.FOUNDING:
            # once a battle was reported, the founding cannot come back
            yield from (pk for pk in self.about.get(row, ()) if self.events[pk].occasion)
        for later in self.changed.get(row, ()):
            if made or (later.field == change.field and paths_overlap(change.path, later.path)):
                yield later.event_id
        if made and change.label == FIGHTER:
            yield from self._giving_kit(change.row_id)


def _belongs_elsewhere(undoing: Event, event: Event) -> bool:
    """Return whether an undo belongs to an act that is checked separately: a later act, or the event itself."""
    return undoing.undoes_id is not None and undoing.undoes_id >= event.pk


def _makes(change: WrittenChange) -> bool:
    """Return whether a change created its row, or brought it back."""
    return not change.field or (change.field == "is_undone" and change.after is False)
