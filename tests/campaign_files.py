"""Campaign files in tests: written, read line by line, and compared without what differs from server to server."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps

from accounts.models import User
from campaigns.campaign_file.writing import write_campaign
from campaigns.models import Campaign
from config.backup.values import line_of

MARK = re.compile(r"⟦(#?)([A-Za-z]+\.[A-Za-z]+) (-?[0-9]+)⟧")
# Who is whom here, the digests with the keys of this server, and one-use tokens. Links of places without a player are new.
OWN = {
    "warbands.ChainLink": {"here"},
    "campaigns.Seat": {"claim_token"},
    "campaigns.Table": {"seal"},
}
BY_ACT = {"warbands.EventSubject", "warbands.Change", "warbands.LedgerEntry", "warbands.ChainLink"}
OF_PEOPLE = {"campaigns.Administrator", "warbands.Delegate"}


def file_of(campaign: Campaign) -> bytes:
    target = io.BytesIO()
    write_campaign(campaign, target)
    return target.getvalue()


def lines_of(data: bytes) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


def file_from(lines: list[Any]) -> bytes:
    """A file of these lines, with the digests that they need: what somebody makes who knows the format."""
    import hashlib

    whole, sums, out = hashlib.sha256(), {}, []
    label, table, count = "", hashlib.sha256(), 0
    for line in lines:
        if isinstance(line, dict) and "table" in line:
            label, table, count = line["table"], hashlib.sha256(), 0
        elif isinstance(line, list):
            table.update(line_of(line))
            count += 1
        elif isinstance(line, dict) and "end" in line:
            line = {"end": label, "next": None, "rows": count, "sha256": table.hexdigest()}
            sums[label] = {"rows": count, "sha256": table.hexdigest()}
        elif isinstance(line, dict) and "manifest" in line:
            line = {"manifest": sums, "sha256": whole.hexdigest()}
        out.append(line_of(line))
        whole.update(out[-1])
    return gzip.compress(b"".join(out), mtime=0)


def tables_of(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """The rows of a file by table, as columns and values."""
    found: dict[str, list[dict[str, Any]]] = {}
    columns: list[str] = []
    label = ""
    for line in lines_of(data):
        if isinstance(line, dict) and "table" in line:
            label, columns = line["table"], line["columns"]
            found[label] = []
        elif isinstance(line, list):
            found[label].append(dict(zip(columns, line, strict=True)))
    return found


def in_places(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """The rows of a file with each key as the place of its row in its table, without what is of one server alone."""
    tables = tables_of(data)
    moves = {row["id"] for row in tables["warbands.Event"] if row["kind"] == "campaign-move"}
    tables["warbands.Event"] = [row for row in tables["warbands.Event"] if row["id"] not in moves]
    for label in BY_ACT:
        tables[label] = [row for row in tables[label] if row["event_id"] not in moves]
    for label in OF_PEOPLE:
        del tables[label]
    places = {label: {row["id"]: place for place, row in enumerate(rows)} for label, rows in tables.items()}

    def place(label: str, key: int) -> Any:
        return places.get(label, {}).get(key, "elsewhere")

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return MARK.sub(lambda found: f"<{found[1]}{found[2]} {place(found[2], int(found[3]))}>", value)
        if isinstance(value, list):
            return [read(each) for each in value]
        if isinstance(value, dict):
            return {read(name): read(each) for name, each in value.items()}
        return value

    return {label: [_row(label, row, place, read) for row in rows] for label, rows in tables.items()}


def _row(
    label: str, row: dict[str, Any], place: Callable[[str, int], Any], read: Callable[[Any], Any]
) -> dict[str, Any]:
    found = {}
    for field in apps.get_model(label)._meta.concrete_fields:
        value, target = row[str(field.column)], field.related_model
        if target is User or str(field.column) in OWN.get(label, ()):
            continue
        if field.primary_key:
            value = place(label, value)
        elif target is not None and value is not None:
            value = place(target._meta.label, value)
        elif field.name == "row_id":
            value = place(row["label"], value) if row["label"] not in OF_PEOPLE else "of a person"
        elif label == "warbands.Change" and field.name in ("before", "after") and _is_of_a_person(row):
            value = "a person"
        elif label == "warbands.Chain" and row["label"] == "campaigns.Campaign" and field.name in ("length", "head"):
            continue  # one link longer
        found[field.name] = read(value)
    return found


def _is_of_a_person(row: dict[str, Any]) -> bool:
    field = apps.get_model(row["label"])._meta.get_field(row["field"]) if row["field"] else None
    return field is not None and field.related_model is User


def differing(first: bytes, second: bytes) -> Iterator[str]:
    """What differs between two files, table by table; nothing if they tell of the same."""
    ours, theirs = in_places(first), in_places(second)
    for label in ours:
        if len(ours[label]) != len(theirs[label]):
            yield f"{label}: {len(ours[label])} rows, and {len(theirs[label])}"
        for one, other in zip(ours[label], theirs[label], strict=False):
            for name, value in one.items() if len(ours[label]) == len(theirs[label]) else ():
                if other[name] != value:
                    yield f"{label}.{name}: {value!r:.300}, and {other[name]!r:.300}"
