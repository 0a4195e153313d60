"""Every cached number of a warband worked out again from its ledger, roster and events; what differs is told."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from django.apps import apps

from warbands.models import Change, EventSubject, Item, Warband
from warbands.recording import CACHED, _leaf, _plain, homeless_items, recompute
from warbands.verdicts import judged


def differences(warband: Warband) -> list[str]:
    """A sentence for each thing that does not add up; an empty list where all is well."""
    (kept,) = judged([Warband.objects.select_related("terms").get(pk=warband.pk)])
    again = deepcopy(kept)
    recompute(again)
    found = [
        f"{name}: the row says {getattr(kept, name)}, ledger and roster say {getattr(again, name)}."
        for name in CACHED
        if getattr(kept, name) != getattr(again, name)
    ]
    if kept.status == Warband.Status.CAMP and (kept.strongbox_ducats < 0 or kept.strongbox_glory < 0):
        found.append("The strongbox is below zero although the founding is over.")
    counted = EventSubject.objects.filter(warband=kept, number__isnull=False)  # others were only told of the act
    numbers = list(counted.order_by("event_id").values_list("number", flat=True))
    if numbers != list(range(1, kept.version + 1)):
        found.append(f"The events are numbered {numbers[-3:]} at their end; the version is {kept.version}.")
    found += [f"{item} is carried by {item.fighter}, who is on the roster no longer." for item in homeless_items(kept)]
    astray = Item.objects.filter(warband=kept, fighter__isnull=False).exclude(fighter__warband=kept)
    found += [f"{item} is carried by a fighter of another warband." for item in astray]
    return found + _unrecorded(kept)


def _unrecorded(warband: Warband) -> list[str]:
    """Fields that hold something else than the last recorded change left in them."""
    mine = EventSubject.objects.filter(warband=warband).values("event_id")
    last: dict[tuple[str, int], dict[tuple[str, str], Change]] = {}
    for change in Change.objects.filter(event__in=mine).exclude(field="").order_by("pk"):
        fields = last.setdefault((change.label, change.row_id), {})
        for field, path in list(fields):
            if field == change.field and (not change.path or not path or _touch(path, change.path)):
                del fields[(field, path)]
        fields[(change.field, change.path)] = change
    found = []
    for label in sorted({label for label, _ in last}):
        if not label.startswith("warbands."):
            continue
        model = apps.get_model(label)
        rows = model._base_manager.in_bulk([pk for name, pk in last if name == label])
        for (name, pk), fields in last.items():
            if name != label or pk not in rows:
                continue
            for (field_name, path), change in fields.items():
                now = _now(rows[pk], field_name, path)
                if now != change.after:
                    where = f"{field_name}/{path}" if path else field_name
                    found.append(f"{label} {pk}, {where}: it is {now!r}, the last act left {change.after!r}.")
    return found


def _now(row: Any, field_name: str, path: str) -> Any:
    field = row._meta.get_field(field_name)
    value = _plain(field, getattr(row, field.attname))
    return _leaf(value, tuple(path.split("/"))) if path else value


def _touch(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")
