"""A draft of an imported roster as the rules see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.force import Force
from rules.parts.verdict import Verdict
from rules.price import Price
from rules.problems import Problem
from rules.transcription import PaperData, PaperReading, paper_data
from warbands.import_targets import ImportTarget
from warbands.models import PaperDraft, Terms
from warbands.services.founding import own_rules
from warbands.text_import import text_import_of


@dataclass(frozen=True)
class PaperCheck:
    """A draft as the rules see it: what was understood, the unknown names, and the checker's verdict.

    `force` and `verdict` are None while the list is unknown. `keys` maps the force's fighter keys to those of the draft.
    """

    data: PaperData
    reading: PaperReading
    force: Force | None
    verdict: Verdict | None
    keys: Mapping[str, str]

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.verdict.problems if self.verdict is not None else ()


def check_draft(draft: PaperDraft, terms: Terms) -> PaperCheck:
    """Read and check a draft. No queries."""
    game, content = terms.game, terms.content
    data = paper_data(draft.data)
    reading = text_import_of(game).read_paper(content, data)
    keys = {f"f{number}": key for number, key in enumerate(reading.keys, 1)}
    if data.list_id not in {choice.id for choice in game.founding.lists(content)}:
        return PaperCheck(data, reading, None, None, keys)
    force, _ = game.documents.read_document(document_under(terms, reading.document))
    held = None
    if data.ducats is None and data.glory is None and reading.document["founding"]:
        held = game.check(content, force).left
    # Check the force as the rows will have it: with a strongbox, and with every choice written.
    force = replace(force, strongbox=held or Price(ducats=data.ducats or 0, glory=data.glory or 0))
    return PaperCheck(data, reading, force, game.check(content, force), keys)


def document_under(terms: Terms, document: Mapping[str, Any]) -> dict[str, Any]:
    return {**document, "house_rules": dict(terms.in_force), "overlays": list(terms.overlays)}


def terms_of(draft: PaperDraft, place: ImportTarget | None) -> Terms:
    """Return the terms to check a draft under: those of its place or warband, else the plain rules of the book (not saved)."""
    if place is not None:
        return place.terms
    if draft.again is not None:
        return draft.again.terms
    rules = own_rules(draft.system, draft.edition, paper_data(draft.data).list_id)
    return Terms(system=draft.system, edition=draft.edition, house_rules=rules)
