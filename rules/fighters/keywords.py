"""The keywords of a fighter."""

from __future__ import annotations

from collections.abc import Mapping

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.sources import Cause
from rules.force import ForceFighter, GainedWord


def set_keywords(content: Content, who: Facts, fighter: ForceFighter, effects: Mapping[type, list[Cause]]) -> None:
    printed = [content.keyword(k) for k in who.profile.keywords]
    if who.profile.role == "elite" and "ELITE" not in printed and not who.mercenary:
        printed.insert(0, "ELITE")
    words: dict[str, GainedWord] = {k: GainedWord(content.keyword_id(k), k) for k in printed}

    def gain(name: str, cause: str) -> None:
        if name not in words or words[name].state == "lost":
            words[name] = GainedWord(
                content.keyword_id(name),
                name,
                "printed" if name in printed else "gained",
                "" if name in printed else cause,
            )

    def lose(name: str, cause: str) -> None:
        if name in words:
            words[name] = GainedWord(content.keyword_id(name), name, "lost", cause)

    changes: list[Cause] = list(effects.get(v.KeywordEffect, ()))
    for cause in changes:
        if not cause.effect.last:
            for k in cause.effect.lose:
                lose(content.keyword(k), cause.source.name)
    if who.leader:
        gain("LEADER", "Leads the warband")
    if fighter.promoted:
        gain("ELITE", "Promotion")
    for cause in changes:
        for k in cause.effect.gain:
            gain(content.keyword(k), cause.source.name)
    who.kit_keywords = frozenset(k for k, word in words.items() if word.state != "lost")
    for cause in changes:
        if cause.effect.last:
            for k in cause.effect.lose:
                lose(content.keyword(k), cause.source.name)
                if content.keyword(k) != "ELITE":
                    who.kit_keywords -= {content.keyword(k)}
    if fighter.demoted:
        cause_name = next((c.source.name for c in effects.get(v.DemotedEffect, ())), "Demoted")
        lose("ELITE", cause_name)
    elif fighter.promoted or who.profile.role == "elite":
        # promoted again after a head wound, or the wound was undone: the flag on the fighter decides, not the trauma
        gain("ELITE", "Promotion")
    who.keyword_causes = tuple(words.values())
    who.keywords = frozenset(k for k, word in words.items() if word.state != "lost")
    who.elite = "ELITE" in who.keywords
    who.strong = "STRONG" in who.keywords
