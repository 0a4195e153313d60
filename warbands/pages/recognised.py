"""What a file or a text was recognised as, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from warbands.models import PaperDraft
from warbands.services.own_files import EXPORT

FORMAT_WORDS = {
    "battlescribe-ros": gettext_lazy("A roster file of New Recruit or BattleScribe"),
    "battlescribe-rosz": gettext_lazy("A roster file of New Recruit or BattleScribe"),
    "newrecruit-json": gettext_lazy("A roster file of New Recruit"),
    "newrecruit-text": gettext_lazy("A text of New Recruit"),
    "companion-save": gettext_lazy("A save of Trench Companion"),
    "companion-envelope": gettext_lazy("A shared save of Trench Companion"),
    "companion-text": gettext_lazy("A text of Trench Companion"),
    "roster-document": gettext_lazy("An export of this app, with its history"),
    "roster-table": gettext_lazy("A table of this app"),
    "companion-tts": gettext_lazy("An export of Trench Companion for Tabletop Simulator"),
}


def is_undecided(draft: PaperDraft) -> bool:
    """Return whether the draft is of a file of another program whose edition nothing decides."""
    return draft.format in FORMAT_WORDS and draft.format != EXPORT and not draft.why


def recognised_words(draft: PaperDraft) -> str:
    """Return what the file was recognised as and which edition it is read as, with the reason. Empty for a plain text."""
    if draft.format not in FORMAT_WORDS:
        return ""
    words = _("{format}. Read as {edition}: {why}.")
    if is_undecided(draft):
        words = _("{format}. Edition not decided by the file: read as {edition}.")
    elif not draft.why:
        words = _("{format}. Read as {edition}.")
    return words.format(format=FORMAT_WORDS[draft.format], edition=draft.edition, why=draft.why)
