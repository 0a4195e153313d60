"""Exports a warband as a roster document or as text. The import is in `services.founding.import_document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warbands.adapters import force_of
from warbands.export import document_of
from warbands.models import Snapshot, Warband


def export_document(warband: Warband) -> dict[str, Any]:
    """Return the whole warband as a document for import: roster, money, notes, history and ledger. Eight queries."""
    return document_of(warband)


def roster_text(warband: Warband, *, snapshot: Snapshot | None = None, shows_money: bool = True) -> str:
    """Return the roster, or a snapshot of it, as text that the text import reads. Three queries, none for a snapshot.

    Without `shows_money`, the text contains neither the strongbox nor the stash.
    """
    terms = warband.terms
    document: Mapping[str, Any]
    if snapshot is None:
        force = force_of(warband)
        held = {"strongbox": {"ducats": warband.strongbox_ducats, "glory": warband.strongbox_glory}}
        document = {**terms.game.documents.write_document(terms.content, force), "record": held}
    else:
        document = snapshot.document
    if not shows_money:
        document = {**document, "stash": [], "record": None}
    text: str = terms.game.documents.write_text(terms.content, document)
    return text
