"""What the acts of a draft came to, kept so that a page of the draft does not play them again.

An outcome holds the rows that the acts wrote. It is good for one list of acts on one version of the roster, under the
same rules and the same code. Laying it down writes those rows in bulk: five queries, for any number of acts.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from hashlib import sha256
from typing import Any

import msgspec
from django.apps import apps
from django.core import serializers
from django.db import models
from django.utils.translation import get_language

import rules
import warbands
from config.installed import digest_of
from rules.force import Force
from warbands.adapters import libraries_of
from warbands.draft_acts import DraftAct, write_acts
from warbands.models import Change, Event, LedgerEntry, RosterDraft, Warband
from warbands.recorder import CACHED

_WARBAND = Warband._meta.label


class KeptClash(msgspec.Struct, frozen=True):
    """An act that was refused, by its number, and why."""

    number: int
    reason: str
    mend: str


class KeptRows(msgspec.Struct, frozen=True):
    """The rows of one model that were made or changed, as Django serializes them, and which of their fields changed."""

    label: str
    rows: list[dict[str, Any]]
    fields: list[str]


class KeptMovement(msgspec.Struct, frozen=True):
    """A movement of money: positive in, negative out."""

    ducats: int
    glory: int
    reason: str


class DraftOutcome(msgspec.Struct, frozen=True):
    """What a draft's acts came to. `told` are their sentences by number, `marks` fighters by key ("new", "changed").

    `stamp` is of what it holds for.
    """

    stamp: str
    told: dict[str, str] = {}
    clashes: list[KeptClash] = []
    marks: dict[str, str] = {}
    ledger: list[KeptMovement] = []
    rows: list[KeptRows] = []


def stamp_of(acts: Collection[DraftAct], warband: Warband) -> str:
    """Return a digest of all that the outcome of these acts depends on. No queries, one if players write the profiles."""
    terms = warband.terms
    library = repr(libraries_of([warband])[warband.pk]) if terms.game.profiles is not None else ""
    made_of = [digest_of(rules, warbands), warband.version, terms.mark, get_language(), library, write_acts(acts)]
    return sha256(json.dumps(made_of).encode()).hexdigest()[:32]


def kept_outcome(draft: RosterDraft, stamp: str) -> DraftOutcome | None:
    """Return the outcome that is kept with a draft if it has this stamp, else None."""
    kept = draft.outcome
    if not isinstance(kept, dict) or kept.get("stamp") != stamp:
        return None
    return msgspec.convert(kept, DraftOutcome)


def marks_between(before: Force, after: Force) -> dict[str, str]:
    """Return the fighters that differ, by key: "new" or "changed"."""
    was = {fighter.key: fighter for fighter in before.fighters}
    return {
        fighter.key: "changed" if fighter.key in was else "new"
        for fighter in after.fighters
        if fighter != was.get(fighter.key)
    }


class WrittenRows:
    """Which rows a run wrote, and which of their fields: of an outcome that was laid down, and of acts since then."""

    def __init__(self) -> None:
        self._keys: dict[str, set[int]] = {}
        self._fields: dict[str, set[str]] = {_WARBAND: {*CACHED, "version"}}

    def take(self, outcome: DraftOutcome) -> None:
        for kept in outcome.rows:
            self._keys.setdefault(kept.label, set()).update(row["pk"] for row in kept.rows)
            self._fields.setdefault(kept.label, set()).update(kept.fields)

    def note(self, changes: Collection[Change]) -> None:
        for change in changes:
            self._keys.setdefault(change.label, set()).add(change.row_id)
            if change.field:
                self._fields.setdefault(change.label, set()).add(change.field)

    def read(self, warband: Warband) -> list[KeptRows]:
        """Return all these rows as they are now, the warband among them. One query for each model that has some."""
        self._keys.setdefault(_WARBAND, set()).add(warband.pk)
        return [self._read(label) for label in sorted(self._keys)]

    def _read(self, label: str) -> KeptRows:
        model: Any = apps.get_model(label)
        fields = sorted(self._fields.get(label, ()))
        rows = model._base_manager.filter(pk__in=self._keys[label]).order_by("pk")
        # Of a new row everything is kept, of the warband what the acts changed.
        text = serializers.serialize("json", rows, fields=fields if label == _WARBAND else None)
        return KeptRows(label, json.loads(text), fields)


def lay_warband(outcome: DraftOutcome, warband: Warband, version: int) -> bool:
    """Give a warband's row the values that it has in an outcome, and this version. One query.

    Returns False, and writes nothing, if the row has moved on from the version that was read.
    """
    values: dict[str, Any] = {}
    for kept in outcome.rows:
        if kept.label == _WARBAND:
            (row,) = _rows_of(kept)
            values = {name: getattr(row, name) for name in kept.fields}
    found = Warband.objects.filter(pk=warband.pk, version=warband.version)
    return bool(found.update(**{**values, "version": version}))


def lay_rows(outcome: DraftOutcome) -> None:
    """Write the rows of an outcome, except the warband's. One query for each model that has some."""
    for kept in outcome.rows:
        if kept.label != _WARBAND:
            rows = _rows_of(kept)
            type(rows[0])._base_manager.bulk_create(
                rows, update_conflicts=True, unique_fields=["pk"], update_fields=kept.fields or ["is_undone"]
            )


def lay_money(outcome: DraftOutcome, warband: Warband, event: Event) -> None:
    """Write the movements of money of an outcome to the ledger, and their event. Two queries, none for none."""
    if outcome.ledger:
        event.save(force_insert=True)
        LedgerEntry.objects.bulk_create(
            LedgerEntry(warband=warband, event=event, ducats=each.ducats, glory=each.glory, reason=each.reason)
            for each in outcome.ledger
        )


def _rows_of(kept: KeptRows) -> list[models.Model]:
    return [each.object for each in serializers.deserialize("python", kept.rows)]
