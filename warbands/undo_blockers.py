"""Which later acts depend on an act, so that they must be undone before it. For one act, or for a page of them at once."""

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
    """Whether an act stands, the act that last undid it or brought it back, and the later acts that depend on it, oldest first."""

    event: Event
    live: bool
    undone_by: Event | None
    leaning: tuple[Event, ...]


def leaning_on(event: Event) -> list[Event]:
    """The later acts that stand and changed something that this event wrote, or its rows, oldest first. Five queries."""
    rows = set(event.subjects.filter(is_news=False).values_list("label", "row_id"))
    return list(_LaterEvents.load(rows, event.pk).standing(event).leaning)


def standings(events: Iterable[Event], row: Warband | Profile) -> dict[int, EventStanding]:
    """How each of these events of a warband or a profile stands, by id. Four queries, however many events.

    Acts that touched other warbands, profiles or a battle too may have dependents there; `leaning_on` looks everywhere.
    """
    events = list(events)
    if not events:
        return {}
    later = _LaterEvents.load({(row._meta.label, row.pk)}, min(event.pk for event in events))
    return {event.pk: later.standing(event) for event in events}


@dataclass
class _LaterEvents:
    """The events on some rows from one of them on, with what they changed."""

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
        """The last event of the chain that undid this one and brought it back, and whether the event stands."""
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
        """The events that touched the row of this change, or items that its fighter carries. No others can depend on it."""
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
            return bool(other.occasion) and row in subjects  # once a battle was entered, the founding cannot come back
        return any(self._touches(later, change) for later in self.changes.get(other.pk, ()))

    def _touches(self, later: Change, change: Change) -> bool:
        """Whether a later change overwrote this one, or gave an item to the fighter that it made."""
        made = _makes(change)
        if later.label == change.label and later.row_id == change.row_id:
            return made or (later.field == change.field and paths_overlap(change.path, later.path))
        if not made or change.label != FIGHTER or later.label != ITEM:
            return False
        # An item bought for or given to the fighter: undoing the hire would leave it without a carrier.
        came = not later.field or (later.field == "fighter" and later.after == change.row_id)
        return came and later.row_id in self.carried.get(change.row_id, ())


def _belongs_elsewhere(undoing: Event, event: Event) -> bool:
    """Whether a later undo belongs to an act that is judged by itself: a later one, or the event."""
    return undoing.undoes_id is not None and undoing.undoes_id >= event.pk


def _makes(change: Change) -> bool:
    """Whether a change made its row, or brought it back."""
    return not change.field or (change.field == "is_undone" and change.after is False)
