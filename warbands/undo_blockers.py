"""Which later acts lean on an act, so that it cannot be undone before them. For one act, or for a page of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q

from warbands.models import Change, Event, EventSubject, Fighter, Item, Profile, Warband


def _label(model: type) -> str:
    return f"{model._meta.app_label}.{model._meta.object_name}"  # type: ignore[attr-defined]


Row = tuple[str, int]  # a row's label and id
FIGHTER, ITEM, WARBAND = _label(Fighter), _label(Item), _label(Warband)


@dataclass(frozen=True, slots=True)
class EventStanding:
    """How an act stands: whether it is live, the act that undid it (or brought it back) last, and what leans on it, oldest first."""

    event: Event
    live: bool
    undone_by: Event | None
    leaning: tuple[Event, ...]


def leaning_on(event: Event) -> list[Event]:
    """Live later events that changed something this event wrote, or its rows, oldest first. Five queries."""
    rows = set(event.subjects.filter(is_news=False).values_list("label", "row_id"))
    return list(_Later.load(rows, event.pk).standing(event).leaning)


def standings(events: Iterable[Event], row: Warband | Profile) -> dict[int, EventStanding]:
    """How each of these events of a warband or a profile stands, by id. Four queries, however many events.

    Acts that touched other warbands, profiles or a battle too may be leaned on from there; `leaning_on` looks everywhere.
    """
    events = list(events)
    if not events:
        return {}
    later = _Later.load({(_label(type(row)), row.pk)}, min(event.pk for event in events))
    return {event.pk: later.standing(event) for event in events}


@dataclass
class _Later:
    """The events on some rows since one of them, with what they changed."""

    events: dict[int, Event]
    changes: dict[int, list[Change]]
    subjects: dict[int, set[Row]]
    carried: dict[int, set[int]]  # fighter id: ids of the held items it carries now
    undone_by: dict[int, Event] = field(default_factory=dict)
    changed: dict[Row, list[int]] = field(default_factory=dict)  # ids of the events that changed a row
    about: dict[Row, list[int]] = field(default_factory=dict)  # and of those that are about it

    @classmethod
    def load(cls, rows: set[Row], since: int) -> _Later:
        if not rows:
            return cls({}, {}, {}, {})
        wanted = reduce(or_, (Q(label=label, row_id=pk) for label, pk in rows))
        later = EventSubject.objects.filter(wanted, event_id__gte=since, is_news=False).select_related("event")
        events = {subject.event_id: subject.event for subject in later}
        changes: dict[int, list[Change]] = {}
        for change in Change.objects.filter(event__in=events):
            changes.setdefault(change.event_id, []).append(change)
        subjects: dict[int, set[Row]] = {}
        for event_id, label, pk in EventSubject.objects.filter(event__in=events, is_news=False).values_list(
            "event_id", "label", "row_id"
        ):
            subjects.setdefault(event_id, set()).add((label, pk))
        warbands = [pk for label, pk in rows if label == WARBAND]
        carried: dict[int, set[int]] = {}
        held = Item.objects.live().filter(warband__in=warbands, status=Item.Status.HELD, fighter__isnull=False)
        for item_id, fighter_id in held.values_list("pk", "fighter_id"):
            carried.setdefault(fighter_id, set()).add(item_id)
        found = cls(events, changes, subjects, carried)
        found.undone_by = {event.undoes_id: event for event in events.values() if event.undoes_id}
        for pk, mine in changes.items():
            for touched in {(change.label, change.row_id) for change in mine}:
                found.changed.setdefault(touched, []).append(pk)
        for pk, named in subjects.items():
            for touched in named:
                found.about.setdefault(touched, []).append(pk)
        return found

    def standing(self, event: Event) -> EventStanding:
        """How the event stands."""
        last, live = event, True
        while last.pk in self.undone_by:
            last, live = self.undone_by[last.pk], not live
        leaning = self._leaning(last) if live else []
        return EventStanding(event, live, None if last is event else last, tuple(leaning))

    def _leaning(self, event: Event) -> list[Event]:
        found: set[int] = set()
        for change in self.changes.get(event.pk, []):
            for pk in self._near(change):
                if pk > event.pk and pk not in found and self._leans(change, self.events[pk]):
                    found.add(pk)
        leaning = (self.events[pk] for pk in sorted(found))
        return [other for other in leaning if not self._stands_for_another(other, event) and self._live(other)]

    def _near(self, change: Change) -> Iterator[int]:
        """The events that touched the row of this change, or kit that its fighter carries: no others can lean on it."""
        row = (change.label, change.row_id)
        yield from self.changed.get(row, ())
        if _makes(change) or change.label == WARBAND:
            yield from self.about.get(row, ())
        for item in self.carried.get(change.row_id, ()) if change.label == FIGHTER else ():
            yield from self.changed.get((ITEM, item), ())

    def _live(self, event: Event) -> bool:
        live = True
        while event.pk in self.undone_by:
            event, live = self.undone_by[event.pk], not live
        return live

    def _stands_for_another(self, other: Event, event: Event) -> bool:
        """Whether `other` (a later undo) belongs to an act that is judged by itself: a later one, or the event."""
        undoes = other.undoes_id
        return undoes is not None and undoes >= event.pk

    def _leans(self, change: Change, other: Event) -> bool:
        """Whether the later event touched what this change wrote."""
        made = _makes(change)
        if made and (change.label, change.row_id) in self.subjects.get(other.pk, ()):
            return True
        if change.label == WARBAND and change.field == "status" and change.before == Warband.Status.FOUNDING:
            # Once a battle was entered there is no way back to the founding.
            return bool(other.occasion) and (WARBAND, change.row_id) in self.subjects.get(other.pk, ())
        for later in self.changes.get(other.pk, []):
            if later.label == change.label and later.row_id == change.row_id:
                if made or (later.field == change.field and _overlap(change.path, later.path)):
                    return True
            elif made and change.label == FIGHTER and later.label == ITEM:
                # Kit bought for or given to the fighter: taking the hire back would leave it in nobody's hands.
                came = not later.field or (later.field == "fighter" and later.after == change.row_id)
                if came and later.row_id in self.carried.get(change.row_id, ()):
                    return True
        return False


def _makes(change: Change) -> bool:
    """Whether a change made its row, or brought it back."""
    return not change.field or (change.field == "is_undone" and change.after is False)


def _overlap(one: str, other: str) -> bool:
    """Whether one leaf path is the other, or lies inside it."""
    return not one or not other or one == other or one.startswith(other + "/") or other.startswith(one + "/")
