"""Recomputes every cached number of a warband from its ledger, roster and events, and reports differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from django.apps import apps
from django.db import transaction

from warbands.field_values import leaf_of, paths_overlap, plain_value, split_path
from warbands.models import Change, EventSubject, Item, Warband
from warbands.recorder import CACHED, homeless_items, recompute
from warbands.verdicts import judged

# What the rules make of a roster. Another release may judge it otherwise, and nothing is wrong then.
JUDGED = frozenset({"rating_ducats", "rating_glory", "problem_count", "judged_under", "fighter_count"})
LastChanges = Mapping[tuple[str, str], Change]  # the changes of one row, by field and path


def differences(warband: Warband, *, by_this_release: bool = True) -> list[str]:
    """Return a sentence for each inconsistency; an empty list if there is none.

    Without `by_this_release` the row may have been judged by the rules of another one.
    """
    (stored,) = judged([Warband.objects.select_related("terms").get(pk=warband.pk)])
    again = deepcopy(stored)
    recompute(again)
    found = [
        f"{name}: the row says {getattr(stored, name)}, ledger and roster say {getattr(again, name)}."
        for name in CACHED
        if (by_this_release or name not in JUDGED) and getattr(stored, name) != getattr(again, name)
    ]
    if stored.status == Warband.Status.CAMP and stored.owes:
        found.append("The strongbox is below zero although building has ended.")
    counted = EventSubject.objects.filter(warband=stored, number__isnull=False)  # others only show the event
    numbers = list(counted.order_by("event_id").values_list("number", flat=True))
    if numbers != list(range(1, stored.version + 1)):
        found.append(f"The events are numbered {numbers[-3:]} at their end; the version is {stored.version}.")
    found += [
        f"{item} is carried by {item.fighter}, who is on the roster no longer." for item in homeless_items(stored)
    ]
    astray = Item.objects.filter(warband=stored, fighter__isnull=False).exclude(fighter__warband=stored)
    found += [f"{item} is carried by a fighter of another warband." for item in astray]
    return [*found, *_unrecorded(stored)]


def judge_again(keys: Iterable[int]) -> list[Warband]:
    """Write what the rules of this release make of these warbands' rosters. Returns those for which that was something else."""
    changed = []
    for key in keys:
        with transaction.atomic():
            warband = Warband.objects.select_for_update(no_key=True, of=("self",)).select_related("terms").get(pk=key)
            before = [getattr(warband, name) for name in JUDGED]
            recompute(warband)
            if before != [getattr(warband, name) for name in JUDGED]:
                warband.save(update_fields=JUDGED)
                changed.append(warband)
    return changed


def _unrecorded(warband: Warband) -> Iterator[str]:
    """Yield a sentence for each field whose value differs from its last recorded change."""
    last = _last_changes(warband)
    for label in sorted({label for label, _ in last}):
        rows = apps.get_model(label)._base_manager.in_bulk([pk for name, pk in last if name == label])
        for (name, pk), changes in last.items():
            if name == label and pk in rows:
                yield from _row_differences(f"{label} {pk}", rows[pk], changes)


def _last_changes(warband: Warband) -> dict[tuple[str, int], dict[tuple[str, str], Change]]:
    """Return the last change of each field and path, by row. A change replaces earlier ones of overlapping paths.

    Acts that tell several warbands change rows of the others too, and later acts on those need not tell this one. So
    the rows come from this warband's acts, and their changes from all acts. One query, and one for each model.
    """
    events = EventSubject.objects.filter(warband=warband).values("event_id")
    rows: dict[str, set[int]] = {}
    for label, pk in (
        Change.objects.filter(event__in=events).exclude(field="").values_list("label", "row_id").distinct()
    ):
        rows.setdefault(label, set()).add(pk)
    last: dict[tuple[str, int], dict[tuple[str, str], Change]] = {}
    for label in sorted(label for label in rows if label.startswith("warbands.")):
        for change in Change.objects.filter(label=label, row_id__in=rows[label]).exclude(field="").order_by("pk"):
            of_row = last.setdefault((change.label, change.row_id), {})
            for field, path in list(of_row):
                if field == change.field and paths_overlap(path, change.path):
                    del of_row[(field, path)]
            of_row[(change.field, change.path)] = change
    return last


def _row_differences(name: str, row: Any, changes: LastChanges) -> Iterator[str]:
    for (field_name, path), change in changes.items():
        field = row._meta.get_field(field_name)
        now = leaf_of(plain_value(field, getattr(row, field.attname)), split_path(path))
        if now != change.after:
            where = f"{field_name}/{path}" if path else field_name
            yield f"{name}, {where}: it is {now!r}, the last act left {change.after!r}."
