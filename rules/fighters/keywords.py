"""The keywords of a fighter and of its items: printed, gained and lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ProfileEntry
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import passes_any
from rules.fighters.sources import Cause
from rules.force import ForceFighter, GainedWord
from rules.translation import gettext as _


class Keywords(NamedTuple):
    """The current keywords (`now`), those by which its `kit` is judged, and the cause of each."""

    now: frozenset[str]
    kit: frozenset[str]
    causes: tuple[GainedWord, ...]


class _Tally:
    """The keywords by printed name, while gains and losses are applied."""

    def __init__(self, content: Content, printed: list[str]) -> None:
        self.content = content
        self.printed = printed
        self.words = {name: GainedWord(content.keyword_id(name), name) for name in printed}

    def gain(self, keywords: Iterable[str], cause: str) -> None:
        for name in map(self.content.keyword, keywords):
            if name in self.printed:
                self.words[name] = GainedWord(self.content.keyword_id(name), name)
            elif name not in self.words or self.words[name].state == "lost":
                self.words[name] = GainedWord(self.content.keyword_id(name), name, "gained", cause)

    def lose(self, keywords: Iterable[str], cause: str) -> None:
        for name in map(self.content.keyword, keywords):
            if name in self.words:
                self.words[name] = GainedWord(self.content.keyword_id(name), name, "lost", cause)

    def now(self) -> frozenset[str]:
        return frozenset([name for name, word in self.words.items() if word.state != "lost"])


def keywords_of(
    content: Content,
    fighter: ForceFighter,
    profile: ProfileEntry,
    effects: Mapping[type, list[Cause]],
    *,
    mercenary: bool,
    leader: bool,
) -> Keywords:
    """Return the keywords after all effects. Losses come first, then gains, then the losses that are `last`."""
    printed = [content.keyword(k) for k in profile.keywords]
    if profile.role == "elite" and "ELITE" not in printed and not mercenary:
        printed.insert(0, "ELITE")
    tally = _Tally(content, printed)
    changes = effects.get(v.KeywordEffect, ())
    for cause in changes:
        if not cause.effect.last:
            tally.lose(cause.effect.lose, cause.source.name)
    if leader:
        tally.gain(["LEADER"], _("Leads the warband"))
    if fighter.promoted:
        tally.gain(["ELITE"], _("Promotion"))
    for cause in changes:
        tally.gain(cause.effect.gain, cause.source.name)
    kit = tally.now()
    for cause in changes:
        if cause.effect.last:
            tally.lose(cause.effect.lose, cause.source.name)
            kit -= {content.keyword(k) for k in cause.effect.lose} - {"ELITE"}
    if fighter.demoted:
        tally.lose(["ELITE"], next((c.source.name for c in effects.get(v.DemotedEffect, ())), _("Demoted")))
    elif fighter.promoted or profile.role == "elite":
        # promoted again after a head wound, or the wound was undone: the fighter's flag decides, not the trauma
        tally.gain(["ELITE"], _("Promotion"))
    return Keywords(tally.now(), kit, tuple(tally.words.values()))


def with_item_keywords(
    content: Content, pieces: Sequence[CarriedItem], causes: Iterable[Cause]
) -> Sequence[CarriedItem]:
    """Return the items with the keywords that they gain and lose on this fighter, applying one effect after the other."""
    for cause in causes:
        change: v.ItemKeywordEffect = cause.effect
        gained, lost = ({content.keyword(k) for k in keywords} for keywords in (change.gain, change.lose))
        pieces = [
            msgspec.structs.replace(held, keywords=(held.keywords | gained) - lost)
            if passes_any(change.items, held, None, content)
            else held
            for held in pieces
        ]
    return pieces
