"""Exports a warband as a roster document or as text. The import is in `services.founding.import_document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.adapters import force_of
from warbands.export import document_of
from warbands.models import Snapshot, Warband
from warbands.text_import import text_import_of

TELLS_THE_GONE = (
    "battlescribe",
    "trench-companion",
    "trench-companion-json",
)  # forms that name the dead, or who is missing


def export_document(warband: Warband) -> dict[str, Any]:
    """Return the whole warband as a document for import: roster, money, notes, history and ledger. Eight queries."""
    return document_of(warband)


def roster_document(warband: Warband) -> dict[str, Any]:
    """Return the roster alone as a document, without money, stash, notes, history and ledger. Three queries."""
    return dict(_document(warband, shows_money=False))


def roster_in_form(warband: Warband, form: str, *, shows_money: bool = True) -> str:
    """Return the roster in a form of another program. Three queries. Raises Refusal if its game has no such form."""
    part = text_import_of(warband.terms.game)
    if form not in part.written_forms():
        raise Refusal(_("There is no such form."), code="unknown-form")
    return part.write_form(_document(warband, form, shows_money=shows_money), form)


def left_out_of_form(warband: Warband, form: str) -> tuple[str, ...]:
    """Return what of the roster a form has no place for. Three queries. Raises Refusal as `roster_in_form`."""
    return text_import_of(warband.terms.game).left_out_of_form(_document(warband, form), form)


def _document(warband: Warband, form: str = "", *, shows_money: bool = True) -> Mapping[str, Any]:
    terms = warband.terms
    document: Mapping[str, Any] = terms.game.documents.write_document(
        terms.content, force_of(warband, gone=form in TELLS_THE_GONE)
    )
    if shows_money:
        return {
            **document,
            "record": {"strongbox": {"ducats": warband.strongbox_ducats, "glory": warband.strongbox_glory}},
        }
    return {**document, "stash": [], "record": None}


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
