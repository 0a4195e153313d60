"""The editions that a draft offers instead of the one it is read by: those that fit better, or all where nothing decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.import_text import TextRoster
from warbands.import_targets import ImportTarget
from warbands.models import PaperDraft, Terms
from warbands.pages.recognised import is_undecided
from warbands.text_import import roster_of_draft


@dataclass(frozen=True, slots=True)
class OtherEdition:
    edition: str
    name: str
    words: str


def other_editions(
    draft: PaperDraft, roster: TextRoster, terms: Terms, place: ImportTarget | None
) -> tuple[OtherEdition, ...]:
    """Return the editions to offer instead of the chosen one, the best first. No queries.

    They are those in which an unsettled text reads better, or all others where the file decides none.
    """
    if undecided := undecided_editions(draft, terms, place):
        return undecided
    if place is not None or draft.answers:
        return ()
    game, named = terms.game, _named_editions(draft.text, terms.game.editions())
    known = _parts_ways(roster)
    found = []
    for edition in game.editions():
        if edition == draft.edition or (named and edition not in named):
            continue
        there = _parts_ways(roster_of_draft(draft, game, game.content(edition)))
        if edition in named and draft.edition not in named:
            found.append(
                (
                    0,
                    OtherEdition(
                        edition,
                        f"{game.name} {edition}",
                        _("The text names {edition}. It is imported as {chosen}.").format(
                            edition=edition, chosen=draft.edition
                        ),
                    ),
                )
            )
        elif there < known:
            words = ngettext(
                "With {edition}, {count} entry of this text would not fit. With {chosen}, {known} do not.",
                "With {edition}, {count} entries of this text would not fit. With {chosen}, {known} do not.",
                there,
            ).format(edition=edition, count=there, chosen=draft.edition, known=known)
            found.append((1 + there, OtherEdition(edition, f"{game.name} {edition}", words)))
    return tuple(other for _, other in sorted(found, key=lambda pair: pair[0]))


def undecided_editions(draft: PaperDraft, terms: Terms, place: ImportTarget | None) -> tuple[OtherEdition, ...]:
    """Return the other editions where nothing in the file decides between them. No queries."""
    if place is not None or draft.again_id is not None or not is_undecided(draft):
        return ()
    words = _("The file doesn't say which edition it is of. It is read as {edition}.").format(edition=draft.edition)
    return tuple(
        OtherEdition(each, f"{terms.game.name} {each}", words)
        for each in terms.game.editions()
        if each != draft.edition
    )


def _parts_ways(roster: TextRoster) -> int:
    """Return how many things in a text an edition does not know, or knows at another price."""
    return len(roster.reading.open()) + len(roster.remarks) + (not roster.list_id)


def _named_editions(text: str, editions: Sequence[str]) -> frozenset[str]:
    return frozenset(each for each in editions if re.search(rf"(?<![\d.]){re.escape(each)}(?![\d.]*\d)", text))
