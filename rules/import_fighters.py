"""Reads the lines of a pasted roster that name a fighter or its kit."""

from __future__ import annotations

import re
from dataclasses import replace

from rules.content.names import plain
from rules.import_lines import (
    COUNT_LAST,
    PastedLine,
    called,
    replace_line,
    trimmed,
    unquoted,
    unsigned,
)
from rules.import_phrases import FighterDraft, PhraseReader, fighter_text, is_passed
from rules.import_text import (
    ANY,
    FIELD_KINDS,
    KEPT,
    KIT,
    LEFT_OUT,
    NAME_LIKE,
    Phrase,
    PhraseMeaning,
    TextFighter,
)
from rules.price import Price
from rules.translation import gettext

_STATE_LAST = re.compile(r"[\s,;:(\[|/–—-]+(\w+)\s*[)\]]?\s*$")
_ARTICLE_LAST = re.compile(r"\s+(?:the|der|die|das|el|la|le|il)\s*$", re.IGNORECASE)
MOST_WORDS_BESIDE = 8  # of a piece that may hold a name beside a profile
_LINE_TOTAL = re.compile(r"\s*=\s*(\d{1,4}\s*(?:ducats?|pts|points|d)?)\.?$", re.IGNORECASE)

_EXPERIENCE = re.compile(
    r"(?:(\d{1,2})\s*(?:x\s+)?(?:xp|exp|experience)|(?:xp|exp|experience)\s*[:=]?\s*(\d{1,2}))\b(?:\s*/\s*\d+)?",
    re.IGNORECASE,
)

_SCARS = re.compile(
    r"(?:(\d)\s*(?:battle\s+)?scars?|(?:battle\s+)?scars?\s*[:=]?\s*(\d))\b(?:\s*/\s*\d)?$", re.IGNORECASE
)


STATES = {
    "dead": "dead",
    "captive": "captive",
    "retired": "retired",
    "reserve": "active",
}  # section -> status of its fighters

_ITALICS = re.compile(r"\*(?!\*).+(?<!\*)\*|_(?!_).+(?<!_)_")
_BETWEEN = {"-": " - ", ",": ", "}  # separators between the parts of a name

MOST_TRIED = 4  # parts of a line that may be a misspelt profile: a name may hold commas and dashes
LIKE_ITSELF = 0.85  # minimum likeness between part of a phrase and a profile's name, for the rest to count as the fighter's own name


def _several(count: int) -> int:
    return max(1, min(20, count))


def _heads(segments: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the segments before the kit of a line: those up to a colon or “with”."""
    end = next((n for n, (sign, _text) in enumerate(segments) if n and sign in (":", "with")), len(segments))
    return segments[:end]


class FighterReader(PhraseReader):
    """Reads fighters. The name, kit and prices may stand around the profile in any of the usual orders."""

    def as_fighter(self, line: PastedLine, *, forced: bool = False) -> bool:
        """Read a line that names a profile, with a name, kit and prices around it. Return whether it could be read.

        `forced`: a label says that the line is a fighter.
        """
        if self.target != "fighters" and not forced:
            return False
        if self.label is not None and line.depth <= self.label[1] and not line.bullet:
            self.label = None
        state = self.state_last(line.text)
        if state:
            line = replace_line(line, unsigned(line.text[: state.start()]))
        total = _LINE_TOTAL.search(line.text)
        text = self.parted_by_slashes(line.text[: total.start()] if total else line.text)
        segments = self.with_names(line, self.with_brackets(self.segments(text)))
        index = self.profile_segment(line, segments, forced=forced)
        if index is None and self.is_unknown_fighter(line, segments):
            index = self.likest_head(segments)
        if index is None:
            return False
        self.fighter(replace_line(line, text), segments, index)
        if total and self.current is not None:
            self.add_prices(self.current, (self.price(total[1]),))
        if state and self.current is not None:
            self.flag(self.current, state[1])
        return True

    def state_last(self, text: str) -> re.Match[str] | None:
        """Return the word at the end of a line that says what became of the fighter: "Yeoman (Zofia) [30] dead"."""
        found = _STATE_LAST.search(text)
        if found is None or found[1] != found[1].strip("_") or not text[: found.start()].strip():
            return None
        ends = (text.split()[-n:] for n in (2, 3))
        if any(all(any(map(str.isalpha, w)) for w in end) and self.lexicon.exact(" ".join(end), ANY) for end in ends):
            return None  # it is the last word of a name
        return found if self.words.flags.get(plain(found[1])) in ("dead", "captive", "retired", "promoted") else None

    def parted_by_slashes(self, text: str) -> str:
        """Return "Ada / Lieutenant / Pistol / Revolver" with its parts parted by bars; a name may hold a slash."""
        parts = [part.strip() for part in text.split(" / ")]
        if len(parts) < 3 or not any(self.profile_of(part) for part in parts):
            return text
        return " | ".join(self.joined_by_slashes(parts))

    def with_names(self, line: PastedLine, segments: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the parts of a line with own name and profile apart: "Ada the Lieutenant", "Lieutenant Ada"."""
        heads = _heads(segments)
        if any(self.profile_of(text) for _sign, text in heads) or not (self.name or self.lists or self.drafts):
            return segments
        if line.bullet or (self.current is not None and line.depth > self.current.depth):
            return segments
        for n, (sign, text) in enumerate(heads[:MOST_TRIED]):
            if apart := self.name_apart(text):
                return [*segments[:n], (sign, apart[0]), ("-", apart[1]), *segments[n + 1 :]]
        return segments

    def name_apart(self, text: str) -> tuple[str, str] | None:
        """Return a name and the profile after it, or a profile and the name after it, of a piece that holds both."""
        said, prices = self.money(text, at_end=True)
        words = said.split()
        if not 1 < len(words) <= MOST_WORDS_BESIDE or self.lexicon.exact(said, ANY) is not None:
            return None
        end = text[len(said) :] if prices and text.startswith(said) else ""
        for at in range(1, len(words)):
            name = _ARTICLE_LAST.sub("", " ".join(words[:at]))
            if _ARTICLE_LAST.fullmatch(f" {words[at]}"):
                continue  # it belongs to neither
            if self.profile_of(" ".join(words[at:])) and name[:1].isalpha() and self.name_like(name):
                return name, " ".join(words[at:]) + end
        for at in range(len(words) - 1, 0, -1):
            name = " ".join(words[at:])
            if self.profile_of(" ".join(words[:at])) and name[:1].isupper() and self.name_like(name):
                return " ".join(words[:at]) + end, name
        return None

    def with_brackets(self, segments: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the parts of a line with those together that are much like a profile with words in brackets."""
        for n, (sign, text) in enumerate(segments[1:MOST_TRIED], 1):
            before = segments[n - 1]
            whole = f"{before[1].strip()} ({text.strip()})"
            is_part = sign == "(" and not self.prices(text) and self.profile_of(before[1]) is None
            if is_part and self.nearest(whole, ("profile",)) >= LIKE_ITSELF:
                return [*segments[: n - 1], (before[0], whole), *segments[n + 1 :]]
        return segments

    def is_unknown_fighter(self, line: PastedLine, segments: list[tuple[str, str]]) -> bool:
        """Return whether a line is laid out as a fighter, "Somebody (70): Pistol, Axe", of whom the profile is unknown."""
        heads = _heads(segments)
        if line.bullet or self.label is not None or len(heads) == len(segments):
            return False
        if self.current is not None and line.depth > self.current.depth:
            return False
        is_kit = self.lexicon.exact(self.bare(segments[0][1]), ANY) is not None
        return not is_kit and any(self.money(text)[1] for _sign, text in heads)

    def likest_head(self, segments: list[tuple[str, str]]) -> int:
        """Return the segment before the kit that is most like a profile; the last one if none is."""
        heads = _heads(segments)
        scores = [
            (self.nearest(self.bare(text), ("profile",)), n) for n, (_sign, text) in enumerate(heads[:MOST_TRIED])
        ]
        return max(scores)[1] if max(scores)[0] else len(heads) - 1

    def take_as_fighter(self, line: PastedLine) -> None:
        """Make the pending line a fighter of an unknown profile, since lines of kit stand below it."""
        waiting = self.waiting
        if waiting is None or self.target != "fighters" or line.depth <= waiting[0].depth:
            return
        above, place = waiting
        if above.bullet or (self.current is not None and above.depth > self.current.depth):
            return
        if self.profile_segment(line, self.segments(line.text), forced=False) is not None:
            return  # the line above is a name
        self.waiting = None
        del self.out[place]
        number, part = self.number, self.part
        self.number, self.part = above.number, 0
        segments = self.segments(above.text)
        self.fighter(above, segments, self.likest_head(segments))
        self.number, self.part = number, part

    def named_segment(self, segments: list[tuple[str, str]], *, last: bool = False) -> int | None:
        """Return the index of the first segment that names a profile, or of the last one."""
        named = [index for index, (_sign, said) in enumerate(segments) if self.profile_of(said)]
        return named[-1 if last else 0] if named else None

    def profile_segment(self, line: PastedLine, segments: list[tuple[str, str]], *, forced: bool) -> int | None:
        """Return the index of the segment that names a profile, or is most like one.

        Return None if the line is about something else.
        """
        draft = self.current
        deeper = draft is not None and line.depth > draft.depth and not forced
        first_text = self.bare(segments[0][1])
        first_is_kit = self.lexicon.exact(first_text, KIT) is not None
        heads = _heads(segments)
        index = self.named_segment(heads, last=self.names_first and not line.bullet)
        if index is None and len(heads) < len(segments):
            if not deeper and not first_is_kit and self.label is None:
                index = self.likest_segment(heads, draft, forced=forced)
            if index is None:
                index = self.named_segment(segments)
        if index is not None:
            # Below its fighter, an item may have the name of a profile (a dog). A line in italics is below it too.
            below = deeper or (draft is not None and _ITALICS.fullmatch(line.raw.strip()) is not None)
            return None if below and first_is_kit and self.is_mostly_kit(segments) else index
        if deeper or (not forced and (first_is_kit or self.label is not None)):
            return None
        return self.likest_segment(heads, draft, forced=forced)

    def is_mostly_kit(self, segments: list[tuple[str, str]]) -> bool:
        kit = sum(self.lexicon.exact(self.bare(text), KIT) is not None for _, text in segments)
        return kit * 2 > len(segments)

    def likest_segment(
        self, segments: list[tuple[str, str]], draft: FighterDraft | None, *, forced: bool
    ) -> int | None:
        """Return whichever of the first segments is most like a profile's name; None if none is like enough."""
        scores = [(self.nearest(self.bare(text), ("profile",)), n) for n, (_, text) in enumerate(segments[:MOST_TRIED])]
        score, index = max((each for each in scores if each[0]), default=(0.0, 0))
        least = 0.4 if forced else 0.62 if self.drafts or self.section else 0.8  # the first line is the warband's name
        if score < least:
            return None
        may_be_kit = draft is not None and not forced
        return None if may_be_kit and self.nearest(self.bare(segments[0][1]), KIT) > score else index

    def nearest(self, text: str, kinds: tuple[str, ...]) -> float:
        return next((score for score, _ in self.lexicon.near(text, kinds)[:1]), 0.0)

    def add_prices(self, draft: FighterDraft, prices: tuple[Price, ...]) -> None:
        draft.fighter = replace(draft.fighter, prices=(*draft.fighter.prices, *prices))

    def profile_of(self, text: str) -> PhraseMeaning | None:
        return self.lexicon.exact(self.bare(text), ("profile",))

    def fighter(self, line: PastedLine, segments: list[tuple[str, str]], index: int) -> None:
        text, prices = self.money(segments[index][1], at_end=True)
        count, text = self.count(text, ("profile",))
        profile = self.phrase(trimmed(unsigned(text)), ("profile",), prices=prices)
        if self.answers.get(profile.key) is not None and profile.meaning and profile.meaning.kind != "profile":
            profile = replace(profile, meaning=None)
        beside = self.beside_profile(profile)
        name = self.name_before(line.text, segments, index) or ("" if self.is_kit(beside) else beside)
        fighter = TextFighter(
            line=line.number,
            name=name[:80],
            profile=profile,
            count=_several(count or 1),
            section=self.section,
            prices=prices,
            status=STATES.get(self.section, "active"),
            reserve=self.section == "reserve",
        )
        draft = self.draft_of(fighter, line)
        kept = self.kit_beside(draft, segments[index + 1 :])
        if self.is_kit(beside):  # last, so that the keys of the others do not change
            kept += [self.kit_phrase(part, KIT) for part in self.parts(beside)]
        draft.phrases += [p for p in kept if not is_passed(p)]
        self.note_phrases(line, [profile, *kept], fighter_text(draft.fighter))

    def name_before(self, text: str, segments: list[tuple[str, str]], index: int) -> str:
        """Return the name before the profile, with the signs within it as they are."""
        starts = [0]
        for _sign, said in segments[: index + 1]:
            starts.append(text.find(said.strip(), starts[-1]))
        before = _ARTICLE_LAST.sub("", text[: starts[-1]]) if min(starts) == 0 else ""
        if index and before and not self.money(before)[1]:
            return called(before)
        name = ""
        for sign, said in segments[:index]:
            part = called(self.money(said)[0])
            name = f"{name}{_BETWEEN.get(sign, ' ') if name else ''}{part}" if part else name
        return name

    def draft_of(self, fighter: TextFighter, line: PastedLine) -> FighterDraft:
        """Begin a fighter. A fighter without a name takes its name from the pending line."""
        waiting, self.waiting = self.waiting, None
        if not fighter.name and waiting is not None:
            fighter = replace(fighter, name=called(self.money(waiting[0].text)[0])[:80])
            self.out[waiting[1]] = replace(self.out[waiting[1]], kind="fighter", read_as="a name")
        elif waiting is not None:
            self.waiting = waiting
            self.settle_waiting()
        draft = FighterDraft(fighter, waiting[0].depth if waiting is not None and fighter.name else line.depth)
        self.drafts.append(draft)
        self.bearer, self.label = draft, None
        return draft

    def kit_beside(self, draft: FighterDraft, segments: list[tuple[str, str]]) -> list[Phrase]:
        """Read the text after the profile on its line: flags, a name, kit. Return the kit."""
        kept: list[Phrase] = []
        all_kit = False
        for n, (sign, text) in enumerate(segments):
            all_kit = all_kit or sign in (":", "with")
            if sign != '"' and self.flag(draft, text):
                continue
            if n == 0 and not all_kit and not draft.fighter.name and self.is_name(sign, text):
                draft.fighter = replace(draft.fighter, name=called(self.money(text)[0])[:80])
            else:
                kept += [self.kit_phrase(part, KIT) for part in self.parts(text)]
        return kept

    def is_name(self, sign: str, text: str) -> bool:
        """Return whether the text after a profile is the fighter's name.

        Quoted text always is, even if it resembles kit.
        """
        if sign == '"' and self.lexicon.exact(self.bare(text), KIT) is None:
            return True
        return sign in ("-", "(", '"', ",") and self.name_like(text)

    def beside_profile(self, phrase: Phrase) -> str:
        """Return the rest of an answered phrase without the profile's own name: "Tam" of "Combat Engineer Tam".

        If the profile's name is misspelt, the words that are more like it than the whole phrase count as the name.
        """
        if phrase.meaning is None or self.answers.get(phrase.key) is None:
            return ""
        said = phrase.text.split()
        best, beside = max(self.like_profile(phrase.text, phrase.meaning), LIKE_ITSELF), ""
        for cut_at in range(1, len(said)):
            for part, rest in ((said[:cut_at], said[cut_at:]), (said[cut_at:], said[:cut_at])):
                likeness = self.like_profile(" ".join(part), phrase.meaning)
                if likeness > best:
                    best, beside = likeness, " ".join(rest)
        beside = beside.strip(" ,;:-–—")
        if unquoted(beside) == beside[1:-1]:
            beside = beside[1:-1]
        return beside if any(letter.isalpha() for letter in beside) else ""

    def like_profile(self, text: str, meaning: PhraseMeaning) -> float:
        """Return how like the words are to the name of a profile; 1 if they name one exactly."""
        if self.lexicon.exact(text, ("profile",)) is not None:
            return 1.0
        return max((score for score, near in self.lexicon.near(text, ("profile",)) if near == meaning), default=0.0)

    def career_of(self, draft: FighterDraft, text: str) -> str:
        """Read "4 XP" or "2 scars". Return the fact as words, "" for anything else."""
        for name, pattern in (("experience", _EXPERIENCE), ("scars", _SCARS)):
            if found := pattern.fullmatch(text):
                value = int(found[1] or found[2])
                fighter = draft.fighter
                draft.fighter = replace(fighter, scars=value) if name == "scars" else replace(fighter, experience=value)
                return f"{name} {value}"
        return ""

    def is_career(self, part: str) -> bool:
        return self.current is not None and bool(self.career_of(self.current, trimmed(part)))

    def flag(self, draft: FighterDraft, text: str) -> bool:
        """Read "promoted", "captive", "XP 4" or "2 scars" after a fighter. Return whether it could be read."""
        bare = trimmed(text)
        if match := COUNT_LAST.fullmatch(text.strip()):
            draft.fighter = replace(draft.fighter, count=_several(int(match[1] or match[2])))
            return True
        flag = self.words.flags.get(plain(bare))
        if flag == "promoted":
            draft.fighter = replace(draft.fighter, promoted=True)
        elif flag in ("captive", "dead", "retired"):
            draft.fighter = replace(draft.fighter, status=flag)
        if flag is not None or self.career_of(draft, bare):
            return True
        only_money = not self.money(bare)[0].strip(" -–—:,") or self._only_money.fullmatch(bare)
        if only_money and (prices := self.prices(bare)):
            self.add_prices(draft, prices)
            return True
        return not bare

    def name_like(self, text: str) -> bool:
        """Return whether words beside a profile are a fighter's name rather than kit, known or misspelt."""
        said = self.bare(text)
        if not said or any(self.lexicon.exact(self.bare(part), KIT) for part in self.parts(text)):
            return False
        near = self.lexicon.near(said, KIT)
        return not near or near[0][0] < NAME_LIKE

    def as_kit(self, line: PastedLine) -> bool:
        """Read a line of kit, skills or scars of the fighter above, or of the stash.

        Return whether it could be read.
        """
        draft = self.current
        if draft is None and self.target == "fighters":
            return False
        if self.label is not None and line.depth < self.label[1]:
            self.label = None
        if self.target in ("locations", "lasting", "exploration"):
            self.keep_extras(line, self.target, line.text)
            return True
        if draft is not None and self.flag(draft, line.text):
            self.note(line, "fact", fighter_text(draft.fighter))
            return True
        parts = self.parts(line.text)
        deeper = draft is not None and line.depth > draft.depth
        expected = deeper or self.label is not None or self.target == "stash"
        if not (
            expected
            or any(
                self.lexicon.exact(text, KIT) or self.nearest(text, KIT) >= NAME_LIKE for text in map(self.bare, parts)
            )
        ):
            return False
        self.keep(line, parts, FIELD_KINDS[self.label[0]] if self.label is not None else KIT)
        return True

    def as_answered(self, line: PastedLine) -> bool:
        """Read a stray line that the user has explained: a fighter, kit of the fighter above, or text to leave out.

        Return whether it could be read.
        """
        answer = self.answers.get(f"{line.number}.0")
        if answer is None:
            return False
        if answer in (LEFT_OUT, KEPT):
            self.settle_waiting()
            self.note(line, "left", gettext("kept as a custom entry") if answer == KEPT else gettext("left out"))
            said = self.without_prices(line.text)
            prices = self.prices(line.text)
            key = f"{line.number}.0"
            stray = Phrase(key, line.number, said, ANY, prices=prices, left_out=True, kept=answer == KEPT)
            self.strays.append(self.with_near(stray, ANY))
            return True
        meaning = self.lexicon.by_value(answer, ANY)
        if meaning is None:
            return False
        said = self.without_prices(line.text)
        if meaning.kind == "profile":
            self.answered_fighter(line, Phrase(f"{line.number}.0", line.number, said, ("profile",), meaning=meaning))
            return True
        phrase = Phrase(f"{line.number}.0", line.number, said, ANY, meaning=meaning, prices=self.prices(line.text))
        (self.current.phrases if self.current is not None else self.stash).append(phrase)
        self.note(line, "kit", meaning.name)
        return True

    def answered_fighter(self, line: PastedLine, profile: Phrase) -> None:
        """Add a fighter from a stray line whose profile is now known."""
        beside = self.beside_profile(profile)
        name = "" if self.is_kit(beside) else beside[:80]
        kit = [self.kit_phrase(part, KIT) for part in self.parts(beside)] if beside and not name else []
        status, prices = STATES.get(self.section, "active"), self.prices(line.text)
        fighter = TextFighter(line.number, name, profile, section=self.section, prices=prices, status=status)
        draft = FighterDraft(fighter, line.depth, kit)
        if name:
            self.settle_waiting()
        elif self.waiting is not None:
            waiting, self.waiting = self.waiting, None
            draft.fighter = replace(draft.fighter, name=trimmed(waiting[0].text)[:80])
            self.out[waiting[1]] = replace(self.out[waiting[1]], kind="fighter", read_as="a name")
        self.drafts.append(draft)
        self.bearer, self.target = draft, "fighters"
        self.note(line, "fighter", fighter_text(draft.fighter))
