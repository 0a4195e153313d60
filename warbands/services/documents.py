"""Roster documents out of a warband. Reading one in is an act of founding (`services.found.import_document`)."""

from __future__ import annotations

from typing import Any

from warbands.export import document_of
from warbands.models import Warband


def export_document(warband: Warband) -> dict[str, Any]:
    """The whole warband as a document that an import reads: roster, money, notes, history and ledger. Eight queries."""
    return document_of(warband)
