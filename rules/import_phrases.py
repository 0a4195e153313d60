"""Phrases of a pasted roster: the meaning of each, how its line was read, and to whom it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rules.content.names import plain
from rules.import_lines import (
    ORIGIN,
    Cutter,
    PastedLine,
    trimmed,
)
from rules.import_text import (
    ANY,
    FIELD_KINDS,
    KEPT,
    KIT,
    LEFT_OUT,
    NEAREST,
    PASSED_KINDS,
    Lexicon,
    Phrase,
    PhraseMeaning,
    TextFighter,
    TextLine,
    Words,
)
from rules.price import Price
from rules.translation import gettext


@dataclass(slots=True)
class FighterDraft:
    """A fighter that is still being read."""

    fighter: TextFighter
    depth: int
    phrases: list[Phrase] = field(default_factory=list)


def is_passed(phrase: Phrase) -> bool:
    """Return whether the books already imply the phrase: an ability or keyword of the profile."""
    return phrase.meaning is not None and phrase.meaning.kind in PASSED_KINDS


def phrase_text(phrase: Phrase) -> str:
    words = (
        phrase.meaning.name
        if phrase.meaning
        else gettext("{phrase}: kept as a custom entry").format(phrase=phrase.text)
        if phrase.kept
        else gettext("{phrase}: left out").format(phrase=phrase.text)
        if phrase.left_out
        else f"{phrase.text}?"
    )
    words = f"{phrase.count} × {words}" if phrase.count and phrase.count > 1 else words
    detail = ", ".join(x for x in (phrase.origin, phrase.detail) if x)
    return f"{words} ({detail})" if detail else words


def fighter_text(fighter: TextFighter) -> str:
    profile = fighter.profile.meaning.name if fighter.profile.meaning else f"{fighter.profile.text}?"
    words = f"{fighter.name}, {profile}" if fighter.name else profile
    if fighter.count > 1:
        words = f"{fighter.count} × {words}"
    return words


_KIND_WORDS = {
    "locations": "locations",
    "lasting": gettext("lasting effects"),
    "exploration": gettext("exploration skills"),
    "scenario": gettext("the last scenario"),
}
_FIGURES = re.compile(
    r"(?:[\d+\-−]+\s*(?:[\"”″']|mm|in(?:ch(?:es)?)?|h|hands?)?(?:\s*(?:range|hands?))?|(?:one|two|[12])[\s-]?hand(?:ed|s)?|ranged|melee|range)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=8)
def _titles(titles: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the titles that are meant whole, and the beginnings of the others."""
    whole = frozenset(title for title in titles if not title.endswith("*"))
    return whole, tuple(title[:-1] for title in titles if title.endswith("*"))


class PhraseReader(Cutter):
    """Records how each line was read, and turns texts into phrases with their meaning."""

    def __init__(self, lexicon: Lexicon, words: Words, answers: Mapping[str, str]) -> None:
        super().__init__(lexicon, words)
        self.answers = answers
        self.out: list[TextLine] = []
        self.name = ""
        self.lists: list[Phrase] = []
        self.patron: Phrase | None = None
        self.facts: dict[str, str] = {}
        self.rating: Price | None = None
        self.drafts: list[FighterDraft] = []
        self.stash: list[Phrase] = []
        self.extras: list[Phrase] = []
        self.strays: list[Phrase] = []
        self.section = ""
        self.target = "fighters"  # the owner of phrases without a fighter: fighters, stash or the field of an extra
        self.label: tuple[str, int] | None = (
            None  # a label without text, and its indent: lines indented deeper belong to it
        )
        self.waiting: tuple[PastedLine, int] | None = (
            None  # a line that may be the next fighter's name, and its index in `out`
        )
        self.part = 0
        self.number = 0
        self.bearer: FighterDraft | None = None
        self.columns: list[str] = []  # the fields of a table's columns, below its head
        self.names_first = False  # each fighter is "Own name - Yeoman", though the own name may be a profile's too

    @property
    def current(self) -> FighterDraft | None:
        return self.bearer

    def note(self, line: PastedLine, kind: str, read_as: str = "") -> None:
        self.out.append(TextLine(line.number, line.raw, kind, read_as))

    def phrase(
        self,
        text: str,
        kinds: tuple[str, ...],
        meaning: PhraseMeaning | None = None,
        *,
        count: int | None = None,
        prices: tuple[Price, ...] = (),
        origin: str = "",
        detail: str = "",
    ) -> Phrase:
        """Return a phrase of the current line under its own key, with its meaning or its nearest names."""
        self.part += 1
        key = f"{self.number}.{self.part}"
        said = trimmed(text)
        known = Phrase(key, self.number, said, kinds, count, prices, meaning, (), False, origin, detail)
        answer = self.answers.get(key)
        if answer in (LEFT_OUT, KEPT):
            return replace(known, left_out=True, kept=answer == KEPT)
        if answer:
            known = replace(known, meaning=self.lexicon.by_value(answer, (*kinds, *ANY)))
        if known.meaning is None:
            known = replace(known, meaning=self.lexicon.exact(said, kinds))
        if known.meaning is None and set(kinds) <= set(ANY) and "profile" not in kinds:
            known = replace(known, meaning=self.lexicon.exact(said, KIT))
        if known.meaning is None:
            wider = (
                kinds
                if "profile" in kinds or not set(kinds) & set(KIT)
                else tuple(k for k in KIT if k not in PASSED_KINDS)
            )
            known = self.with_near(known, wider)
        return known

    def with_near(self, phrase: Phrase, kinds: tuple[str, ...]) -> Phrase:
        near = self.lexicon.near(phrase.text, kinds)[:NEAREST]
        return replace(phrase, near=tuple(m for _, m in near), likeness=near[0][0] if near else 0.0)

    def note_phrases(self, line: PastedLine, phrases: list[Phrase], words: str) -> None:
        names = [phrase_text(p) for p in phrases]
        is_fighter = bool(phrases) and phrases[0].kinds == ("profile",)
        kind = "open" if any(p.open for p in phrases) else "fighter" if is_fighter else "kit"
        if is_fighter:
            names = names[1:]
        elif (
            words in (gettext("the list"), gettext("a list that is not played here"), gettext("the patron"))
            and kind != "open"
        ):
            kind = "fact"
        if phrases and all(is_passed(p) for p in phrases):
            kind, words = "passed", gettext("the books know it")
        self.note(line, kind, "; ".join(x for x in (words, ", ".join(names)) if x))

    def keep(self, line: PastedLine, parts: list[str], kinds: tuple[str, ...]) -> None:
        self.settle_waiting()
        parts = [part for part in parts if not self.is_career(part)]
        found = [self.kit_phrase(part, kinds) for part in parts]
        kept = [p for p in found if not is_passed(p)]
        if self.current is not None:
            self.current.phrases += kept
        else:
            self.stash += kept
        self.note_phrases(line, found, gettext("the stash") if self.current is None else "")

    def is_career(self, part: str) -> bool:
        """Read "5 XP" among the kit or skills of the fighter above. Return whether it could be read."""
        return False

    def kit_phrase(self, text: str, kinds: tuple[str, ...]) -> Phrase:
        """Return one phrase of kit with its count and prices, and how it was obtained if the text says so."""
        said, prices = self.money(text, at_end=True)
        origin = ""
        if (found := ORIGIN.search(said)) and found.start():
            origin, said = found[1].lower(), said[: found.start()]
        count, said = self.count(said, kinds)
        said = trimmed(said)
        detail = ""
        if _FIGURES.match(said) and self.lexicon.exact(said, KIT) is None:
            return self.phrase(said, kinds, PhraseMeaning("keyword", "", said))
        found = re.fullmatch(r"(.+?)\s*[\[(](.+)[\])]", said) if self.lexicon.exact(said, kinds) is None else None
        if found and self.lexicon.exact(found[1], kinds) is not None:
            said, detail = found[1], found[2]
        return self.phrase(said, kinds, count=count, prices=prices, origin=origin, detail=detail)

    def extras_of(self, tail: str, name: str) -> Iterator[tuple[str, str]]:
        """Yield the extras of a text.

        A location may be followed by the option chosen there: "Moonshine Stash (Sell)".
        """
        for part in [tail] if name == "scenario" else re.split(r"\s*[,;]\s*", tail):
            whole = trimmed(part)
            found = re.fullmatch(r"(.+?)\s*(?:\((.+)\)|:\s*(.+))", whole)
            if found and self.lexicon.exact(whole, FIELD_KINDS[name]) is None:
                yield found[1], (found[2] or found[3] or "").strip()
            elif whole:
                yield whole, ""

    def settle_waiting(self) -> None:
        """Turn the pending line into a stray, since it is not a fighter's name: the user must explain it."""
        if self.waiting is None:
            return
        line, place = self.waiting
        self.waiting = None
        if self.out[place].kind != "open":
            self.out[place] = replace(self.out[place], kind="open", read_as="")
        said = trimmed(self.money(line.text)[0])
        near = tuple(m for _, m in self.lexicon.near(said, ANY)[:NEAREST])
        self.strays.append(Phrase(f"{line.number}.0", line.number, said, ANY, prices=self.prices(line.text), near=near))

    def is_kit(self, text: str) -> bool:
        return bool(text) and all(self.lexicon.exact(self.bare(part), KIT) for part in self.parts(text))

    def is_title(self, text: str) -> bool:
        """Return whether the text is the game's name or a tool's text about itself."""
        said = plain(text)
        whole, beginnings = _titles(self.words.titles)
        return said in whole or said.startswith(beginnings)

    def without_prices(self, text: str) -> str:
        return trimmed(self.money(text)[0])

    def keep_extras(self, line: PastedLine, name: str, text: str) -> None:
        found = [self.phrase(part, FIELD_KINDS[name], detail=detail) for part, detail in self.extras_of(text, name)]
        self.extras += found
        self.note_phrases(line, found, _KIND_WORDS[name])
