"""Roster documents out of a warband. Reading one in is an act of founding (`services.found.import_document`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warbands.adapters import force_of
from warbands.export import document_of
from warbands.models import Snapshot, Warband


def export_document(warband: Warband) -> dict[str, Any]:
    """The whole warband as a document that an import reads: roster, money, notes, history and ledger. Eight queries."""
    return document_of(warband)


def roster_text(warband: Warband, *, snapshot: Snapshot | None = None, shows_money: bool = True) -> str:
    """The roster, or a kept version of it, as the text that bringing a warband reads back. Three queries, none for a kept version.

    Without `shows_money` neither the strongbox nor the stash stands in it.
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
