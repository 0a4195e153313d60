"""Imports rosters from pasted text or paper, for games in which these contain enough of a roster."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from rules.game import Game, GameContent
from rules.import_text import TextRoster
from rules.parts.text_import import TextImportPart
from rules.problems import Refusal
from warbands.models import PaperDraft

NO_TEXT = gettext_lazy("Games in which you write the profiles can't be imported from paper or text.")
NO_TEXT_MEND = gettext_lazy("Import an exported file, or build the force from your library.")


def text_import_of(game: Game) -> TextImportPart[GameContent]:
    """Return the game's reader of text and paper. Raises Refusal if it has none."""
    if game.text_import is None:
        raise Refusal(NO_TEXT, mend=NO_TEXT_MEND, code="no-text")
    return game.text_import


def roster_of_draft(
    draft: PaperDraft, game: Game, content: GameContent, list_id: str = "", answers: Mapping[str, str] | None = None
) -> TextRoster:
    """Return what a draft's file or text says under this content. Raises Refusal if it cannot be read."""
    part = text_import_of(game)
    if draft.original:
        return part.read_file(content, bytes(draft.original), list_id, answers)
    return part.read_text(content, draft.text, list_id, answers)


def explanation_of(game: Game) -> str:
    return game.text_import.explain_text() if game.text_import is not None else f"{NO_TEXT} {NO_TEXT_MEND}"
