"""Reads a pasted roster from top to bottom: facts of the warband, fighters, their kit, and what nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rules.content.names import plain
from rules.import_lines import (
    COUNT_LAST,
    ORIGIN,
    Cutter,
    PastedLine,
    cut,
    ready,
    replace_line,
    stat_value,
    trimmed,
    unquoted,
)
from rules.import_text import (
    ANY,
    FIELD_KINDS,
    KIT,
    LEFT_OUT,
    LONGEST_LINE,
    MOST_CHARACTERS,
    MOST_COUNTED,
    MOST_HELD,
    MOST_LINES,
    NAME_LIKE,
    NEAREST,
    NUMBERS,
    PASSED_KINDS,
    Lexicon,
    Phrase,
    PhraseMeaning,
    TextFighter,
    TextLine,
    TextReading,
    Words,
)
from rules.price import Price
from rules.problems import Refusal
from rules.visible import without_unseen

_TOTAL = re.compile(
    r"(?:grand\s+)?(?:total|sub-?total|sum|cost|rating|worth|value|spent|remaining|left|budget|limit|threshold|field\s+strength|"
    r"models?|model\s+count|fighters?|size|elites?\s+used)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"[\s(\[]*\d+\s*(?:/|of)\s*\d+\b[)\]]?")
_SEVERAL = re.compile(r"\s{2,}|\s*[|;]\s*|,\s*(?=[^:,]{2,24}:)")
_SUCH = re.compile(r"(?<=\S)\s+(?:warband|army|roster|list|force)$", re.IGNORECASE)
_LEFT_OVER = re.compile(
    r"(\d{1,5})\s*(ducats?|glory)(?:\s+\w+)?\s+(?:left|remaining|unspent|over|saved)\b", re.IGNORECASE
)
_LINE_TOTAL = re.compile(r"\s*=\s*(\d{1,4}\s*(?:ducats?|pts|points|d)?)\.?$", re.IGNORECASE)
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_NUMBER = re.compile(r"[+]?\s*(\d{1,6})\b")
_FIGURES = re.compile(
    r"(?:[\d+\-−]+\s*(?:[\"”″']|mm|in(?:ch(?:es)?)?|h|hands?)?(?:\s*(?:range|hands?))?|(?:one|two|[12])[\s-]?hand(?:ed|s)?|ranged|melee|range)$",
    re.IGNORECASE,
)
_EXPERIENCE = re.compile(
    r"(?:(\d{1,2})\s*(?:xp|exp|experience)|(?:xp|exp|experience)\s*[:=]?\s*(\d{1,2}))\b(?:\s*/\s*\d+)?", re.IGNORECASE
)
_SCARS = re.compile(
    r"(?:(\d)\s*(?:battle\s+)?scars?|(?:battle\s+)?scars?\s*[:=]?\s*(\d))\b(?:\s*/\s*\d)?$", re.IGNORECASE
)
_KIND_WORDS = {
    "locations": "locations",
    "lasting": "lasting effects",
    "exploration": "exploration skills",
    "scenario": "the last scenario",
}
_FACT_WORDS = {
    "ducats": "ducats held", "glory": "glory held", "fought": "battles fought", "credited": "battles credited", "misses": "promotions missed",
    "points": "victory points", "won": "battles won", "drawn": "battles drawn", "lost": "battles lost",
}  # fmt: skip


STATES = {
    "dead": "dead",
    "captive": "captive",
    "retired": "retired",
    "reserve": "active",
}  # section -> how its fighters are

NOBODY = ("none", "no", "nopatron", "nobody", "na")
_BETWEEN = {"-": " - ", ",": ", "}  # signs that stood between the parts of a name

LIKE_ITSELF = (
    0.85  # how like a part of a phrase is to a profile's name, at the least, for the rest to be somebody's own name
)

_CALLED = re.compile(r"[•\-*+o]?\s*called:\s*(\S.*)", re.IGNORECASE)


@dataclass(slots=True)
class _Draft:
    """A fighter while it is being read."""

    fighter: TextFighter
    depth: int
    phrases: list[Phrase] = field(default_factory=list)


def read_text(text: str, lexicon: Lexicon, words: Words, answers: Mapping[str, str] | None = None) -> TextReading:
    """Read a pasted text. `answers` say by phrase key what a phrase means ("item:bayonet", a name, or "-" to leave it out).

    Raises:
        Refusal: there is nothing to read, or far more than a roster holds.
    """
    if not text.strip():
        raise Refusal("There is nothing to read.", mend="Paste a roster, one fighter a line.", code="unreadable")
    if len(text) > MOST_CHARACTERS:
        raise Refusal(
            f"The text has {len(text)} characters; a roster has at most {MOST_CHARACTERS}.", code="unreadable"
        )
    if text.lstrip().startswith("{"):
        raise Refusal("This is a document, not a text.", mend="Read it in as a roster document.", code="unreadable")
    if "\0" in text:
        raise Refusal("This is no text.", mend="Paste words, one fighter a line.", code="unreadable")
    # Pages that rosters are copied from put characters between words that nobody sees.
    lines = without_unseen(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MOST_LINES:
        raise Refusal(f"The text has {len(lines)} lines; a roster has at most {MOST_LINES}.", code="unreadable")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise Refusal(f"Line {number} has {len(line)} characters; {LONGEST_LINE} fit.", code="unreadable")
    return _TextReader(lexicon, words, answers or {}).read(lines)


class _TextReader(Cutter):
    """Reads one text from top to bottom."""

    def __init__(self, lexicon: Lexicon, words: Words, answers: Mapping[str, str]) -> None:
        super().__init__(lexicon, words)
        self.answers = answers
        self.out: list[TextLine] = []
        self.name = ""
        self.lists: list[Phrase] = []
        self.patron: Phrase | None = None
        self.facts: dict[str, str] = {}
        self.rating: Price | None = None
        self.drafts: list[_Draft] = []
        self.stash: list[Phrase] = []
        self.extras: list[Phrase] = []
        self.strays: list[Phrase] = []
        self.section = ""
        self.target = "fighters"  # where phrases without a fighter go: fighters, stash or the field of an extra
        self.label: tuple[str, int] | None = (
            None  # a label that stood alone, and how deep: what follows deeper belongs to it
        )
        self.waiting: tuple[PastedLine, int] | None = (
            None  # a line that may be the next fighter's name, and its place in `out`
        )
        self.part = 0
        self.number = 0
        self.bearer: _Draft | None = None

    # --- the walk down the text

    def read(self, lines: list[str]) -> TextReading:
        """All lines."""
        for number, raw in enumerate(lines, 1):
            line = ready(number, raw)
            self.number, self.part = number, 0
            if not line.text:
                kind = "blank" if not raw.strip() else "passed"
                self.note(line, kind, "" if kind == "blank" else "a line between parts")
                continue
            self.line(line)
        self.settle_waiting()
        fighters = tuple(replace(d.fighter, phrases=tuple(d.phrases)) for d in self.drafts)
        self.leave_with_fighters(fighters)
        return TextReading(
            name=self.name,
            lists=tuple(self.lists),
            patron=self.patron,
            facts=self.facts,
            rating=self.rating,
            fighters=fighters,
            stash=tuple(self.stash),
            extras=tuple(self.extras),
            strays=tuple(self.strays),
            lines=tuple(sorted(self.out, key=lambda x: x.number)),
        )

    def leave_with_fighters(self, fighters: tuple[TextFighter, ...]) -> None:
        """Lines of kit whose fighter is left out are left out with it."""
        for fighter in fighters:
            if fighter.profile.left_out:
                gone = {phrase.line for phrase in fighter.phrases}
                words = f"left out with {fighter.name or fighter.profile.text}"
                self.out = [replace(x, kind="left", read_as=words) if x.number in gone else x for x in self.out]

    def line(self, line: PastedLine) -> None:
        """One line with words on it: the readings in the order in which they are tried."""
        tries = (
            self.as_called,
            self.as_answered,
            self.as_parted,
            self.as_label,
            self.as_list,
            self.as_heading,
            self.as_furniture,
            self.as_fighter,
            self.as_kit,
        )
        for read in tries:
            if read(line):
                return
        self.as_unknown(line)

    def note(self, line: PastedLine, kind: str, read_as: str = "") -> None:
        self.out.append(TextLine(line.number, line.raw, kind, read_as))

    # --- lines about the warband

    def as_called(self, line: PastedLine) -> bool:
        """ "Called: Ilse - the Bold": a name as it stands, of the fighter above, before the first of them of the warband."""
        found = _CALLED.fullmatch(line.raw.strip())
        if found is None:
            return False
        self.settle_waiting()
        draft = self.current
        if draft is None:
            self.name = found[1]
        else:
            draft.fighter = replace(draft.fighter, name=found[1])
        self.note(line, "fact", f"called {found[1]}")
        return True

    def as_parted(self, line: PastedLine) -> bool:
        """A heading that also is a word for a fighter ("## Dead ##"), and what stands below one that nothing is kept of."""
        section = self.words.headings.get(plain(self.heading_of(line)))
        if section in STATES and self.stands_apart(line):
            return self.as_heading(line)
        if self.target != "passed" or section is not None or line.marked:
            return False
        self.note(line, "passed", "nothing is kept of it")
        return True

    def heading_of(self, line: PastedLine) -> str:
        """The words of a line without the counts and prices that stand behind a heading."""
        text = _OF.sub("", self.money(line.text)[0])
        return re.sub(r"[\s:([\-–—]*\d*\s*(?:models?|fighters?|units?)?\s*[)\]:]*$", "", text, flags=re.IGNORECASE)

    def stands_apart(self, line: PastedLine) -> bool:
        """Whether a line is laid out as a heading rather than as a word about the fighter above."""
        above = self.out[-1].kind if self.out else "blank"
        return not line.bullet and (line.marked or line.text.endswith(":") or above == "blank")

    def as_label(self, line: PastedLine) -> bool:
        """ "Patron: Warrior Saint", "Equipment: ...", "XP: 4", or a label alone over what belongs to it."""
        if parts := self.labels_of(line.text):
            return self.several(line, parts)
        head, colon, tail = cut(line.text, ":")
        if not colon:
            head, colon, tail = cut(line.text, "=")
        known = plain(_OF.sub("", self.money(head)[0])) if colon else ""
        if not colon:
            label = (
                ""
                if line.bullet or self.lexicon.exact(line.text, KIT)
                else plain(self.money(_OF.sub("", line.text))[0])
            )
            if (
                label in self.words.labels
                and self.words.labels[label] in ("kit", "upgrades", "skills", "traumas")
                and self.current
            ):
                self.settle_waiting()
                self.label = (self.words.labels[label], line.depth)
                self.note(line, "heading", "a heading")
                return True
            return self.number_line(line)
        if known in self.words.passed:
            if known in self.words.headings and not tail.strip():
                return False
            self.note(line, "passed", "the books know it")
            return True
        name = self.words.labels.get(known)
        if name is None:
            return False
        if known in self.words.headings and not tail.strip():
            return False
        return self.labelled(line, name, tail.strip())

    def labels_of(self, text: str) -> list[str]:
        """The parts of a line with several labels, "XP: 6  Scars: 1" or "Rating: 655 | Ducats: 45"; none where it has one."""
        parts = [part for part in _SEVERAL.split(text) if part.strip()]
        heads = [plain(cut(part, ":")[0]) for part in parts]
        known = all(
            ":" in p and (h in self.words.labels or h in self.words.passed) for p, h in zip(parts, heads, strict=True)
        )
        return parts if len(parts) > 1 and known else []

    def several(self, line: PastedLine, parts: list[str]) -> bool:
        """Read the parts of a line one after the other, and tell them together."""
        start = len(self.out)
        for part in parts:
            self.line(replace_line(line, part.strip()))
        told, self.out = self.out[start:], self.out[:start]
        kinds = [x.kind for x in told]
        kind = next((k for k in ("open", "fighter", "kit", "fact", "heading") if k in kinds), "passed")
        self.note(line, kind, "; ".join(x.read_as for x in told if x.read_as))
        return True

    def number_line(self, line: PastedLine) -> bool:
        """ "4 XP" or "2 scars" on a line of their own."""
        draft = self.current
        if draft is None:
            return False
        found = _EXPERIENCE.fullmatch(line.text)
        if found:
            draft.fighter = replace(draft.fighter, experience=int(found[1] or found[2]))
            self.note(line, "fact", f"experience {draft.fighter.experience}")
            return True
        found = _SCARS.fullmatch(line.text)
        if found:
            draft.fighter = replace(draft.fighter, scars=int(found[1] or found[2]))
            self.note(line, "fact", f"scars {draft.fighter.scars}")
            return True
        return False

    def labelled(self, line: PastedLine, name: str, tail: str) -> bool:
        """What a label is followed by."""
        draft = self.current
        if name in ("kit", "upgrades", "skills", "traumas"):
            if name == "traumas" and draft is not None and (number := re.fullmatch(r"(\d)(?:\s*/\s*\d)?", tail)):
                draft.fighter = replace(draft.fighter, scars=int(number[1]))
                self.note(line, "fact", f"scars {number[1]}")
                return True
            if not tail:
                self.label = (name, line.depth)
                self.note(line, "heading", "a heading")
                return True
            if draft is None and self.target == "fighters":
                return False
            if stat_value(tail):
                self.note(line, "passed", "a statline")
                return True
            self.keep(line, self.parts(tail), FIELD_KINDS[name])
            return True
        if name == "cost":
            return self.whole_price(line, tail)
        if name in ("experience", "scars"):
            number = _NUMBER.match(tail)
            if draft is None or number is None:
                return False
            value = min(int(number[1]), MOST_COUNTED)
            if name == "scars":
                draft.fighter = replace(draft.fighter, scars=value)
            else:
                draft.fighter = replace(draft.fighter, experience=value)
            self.note(line, "fact", f"{name} {number[1]}")
            return True
        if name == "fighter":  # "Name: Ottla" while fighters are being listed
            if not tail:
                return False
            if not self.drafts and not self.section and not self.name:
                self.name = trimmed(self.money(tail)[0])
                self.note(line, "fact", "the warband's name")
                return True
            self.settle_waiting()
            self.waiting = (replace_line(line, tail), len(self.out))
            self.note(line, "fighter", "a name")
            return True
        if name == "profile":
            return bool(tail) and self.as_fighter(replace_line(line, tail), forced=True)
        if name == "name":
            self.name = trimmed(self.money(tail)[0]) or self.name
            self.note(line, "fact", "the warband's name")
            return True
        if name == "patron":
            if not tail:
                return False
            if plain(tail) in NOBODY:
                self.note(line, "fact", "no patron")
                return True
            phrase = self.phrase(tail, ("patron",))
            self.patron = phrase
            self.told(line, [phrase], "the patron")
            return True
        if name == "list":
            if not tail:
                return False
            self.list_words(line, tail, forced=True)
            return True
        if name in ("scenario", "locations", "lasting", "exploration"):
            if not tail:
                self.target, self.section, self.label = name, "", None
                self.bearer = None
                self.note(line, "heading", "a heading")
                return True
            found = [self.phrase(part, FIELD_KINDS[name], detail=detail) for part, detail in self.extras_of(tail, name)]
            self.extras += found
            self.told(line, found, _KIND_WORDS.get(name, name))
            return True
        if name == "stash":
            if not tail:
                return False
            self.target, self.bearer, self.section, self.label = "stash", None, "stash", None
            self.keep(line, self.parts(tail), ("item", "upgrade"))
            return True
        if name in NUMBERS:
            return self.fact(line, name, tail)
        if name in ("record",):
            won = re.findall(r"\b\d{1,3}\b", tail)
            for key, number in zip(("won", "drawn", "lost") if len(won) == 3 else ("won", "lost"), won, strict=False):
                self.facts[key] = number
            self.note(line, "fact", "battles won and lost")
            return bool(won)
        return False

    def whole_price(self, line: PastedLine, tail: str) -> bool:
        """What a fighter, or before the first of them the warband, costs with everything. The books count, and what differs is told."""
        prices = self.prices(tail) if not _OF.match(tail) else ()
        draft = self.current
        if prices and draft is not None:
            draft.fighter = replace(draft.fighter, total=prices[0])
        elif prices and not self.drafts:
            self.rating = prices[0]
        self.note(line, "passed", "the books know it")
        return True

    def fact(self, line: PastedLine, name: str, tail: str) -> bool:
        """A number of the warband. "700/700" and "45 of 700" are budgets, not what is held."""
        if name == "held":
            found = _NUMBER.match(tail)
            if found is None:  # "Unlimited", or below nothing
                self.note(line, "passed", f"not kept: {tail}")
                return True
            self.facts["ducats"] = str(min(int(found[1]), MOST_HELD))
            self.note(line, "fact", _FACT_WORDS["ducats"])
            return True
        if name == "glory" and _NUMBER.match(tail) is None:
            self.note(line, "passed", f"not kept: {tail}")
            return True
        if name in ("ducats", "money") and (_OF.match(tail) or self.drafts):
            self.note(line, "passed", "a total")
            return True
        amounts = self._amount.findall(tail)
        if name == "money" or len(amounts) > 1:
            for number, unit in amounts:
                self.facts["glory" if unit.casefold() in self.words.glory else "ducats"] = number
            if not amounts and (number := _NUMBER.match(tail)):
                self.facts["ducats"] = str(min(int(number[1]), MOST_HELD))
            self.note(line, "fact", "the strongbox")
            return True
        number = _NUMBER.match(tail)
        if number is None:
            return False
        most = MOST_HELD if name in ("ducats", "glory", "points") else MOST_COUNTED
        self.facts[name] = str(min(int(number[1]), most))
        self.note(line, "fact", _FACT_WORDS.get(name, name))
        return True

    def extras_of(self, tail: str, name: str) -> Iterator[tuple[str, str]]:
        """Locations may carry what was chosen there: "Moonshine Stash (Sell)"."""
        for part in [tail] if name == "scenario" else re.split(r"\s*[,;]\s*", tail):
            whole = trimmed(part)
            found = re.fullmatch(r"(.+?)\s*(?:\((.+)\)|:\s*(.+))", whole)
            if found and self.lexicon.exact(whole, FIELD_KINDS[name]) is None:
                yield found[1], (found[2] or found[3] or "").strip()
            elif whole:
                yield whole, ""

    def as_list(self, line: PastedLine) -> bool:
        """A line that names nothing but the game, a faction and its list. Once one is known, "Trench Pilgrim" is a fighter."""
        if self.lists and self.lexicon.exact(trimmed(self.money(line.text)[0]), ("profile",)) is not None:
            return False
        return not line.bullet and self.list_words(line, line.text)

    def list_words(self, line: PastedLine, text: str, *, forced: bool = False) -> bool:
        """Read names of lists from a text; what else stands there must be money, numbers or the game's own name."""
        kinds = FIELD_KINDS["list"]
        text = re.sub(r"\s\d{2,5}$", "", self.money(text)[0])
        whole = self.lexicon.exact(trimmed(text), kinds)
        parts = (
            [text]
            if whole
            else [p for p in re.split(r"\s*(?:[:;|,()\[\]]|\s[-–—]\s|\s*[–—]\s*|\s+/\s+)\s*", text) if p.strip()]
        )
        found: list[tuple[str, PhraseMeaning]] = []
        strange: list[str] = []
        patron: PhraseMeaning | None = None
        for part in parts:
            said = trimmed(self.money(part)[0])
            if self.lexicon.exact(said, kinds) is None and not self.is_title(said):
                said = _SUCH.sub("", said)  # "New Antioch Warband"
            if self.words.labels.get(plain(said.partition(" ")[0])) == "patron":
                patron = self.lexicon.exact(said.partition(" ")[2], ("patron",))
                if patron is not None:
                    continue
            if not said or self.is_title(said) or plain(said) in ("army", "roster", "warband", "force", "list"):
                continue
            meaning = self.lexicon.exact(said, kinds)
            if meaning is None:
                strange.append(said)
            else:
                found.append((said, meaning))
        if not forced and found and len(strange) == 1 and not self.name and not self.drafts:
            self.name, strange = strange[0][:80], []
        if not forced and (strange or not found):
            return False
        if patron is not None:
            self.patron = self.phrase(patron.name, ("patron",), patron)
        phrases = []
        for said, meaning in found:
            phrases.append(self.phrase(said, kinds, meaning))
        for said in strange:
            phrases.append(self.phrase(said, kinds))
        known = {p.meaning.id for p in self.lists if p.meaning}
        self.lists += [p for p in phrases if p.meaning is None or p.meaning.id not in known]
        playable = any(p.meaning is None or p.meaning.kind == "list" for p in phrases)
        self.told(line, phrases, "the list" if playable else "a list that nobody plays here")
        return True

    def as_heading(self, line: PastedLine) -> bool:
        """ELITE, TROOPS, the stash: with or without counts and prices behind."""
        text = self.heading_of(line)
        section = self.words.headings.get(plain(text))
        if (
            section is None
            or (section in STATES and not self.stands_apart(line))
            or (line.bullet and self.lexicon.exact(text, KIT) is not None)
        ):
            return False
        self.settle_waiting()
        self.section, self.label, self.bearer = section, None, None
        self.target = section if section in ("stash", "locations", "lasting", "exploration", "passed") else "fighters"
        self.note(line, "heading", "a heading")
        return True

    def as_furniture(self, line: PastedLine) -> bool:
        """Totals, statlines, links and what a tool writes of itself."""
        text = line.text
        if _LINK.search(text) or self.is_title(text):
            self.note(line, "passed", "not about the roster")
            return True
        if found := _LEFT_OVER.match(text):
            self.facts["glory" if found[2].casefold() in self.words.glory else "ducats"] = found[1]
            self.note(line, "fact", "the strongbox")
            return True
        head = [plain(part) for part in re.split(r"\s*[|,;]\s*", text)]
        if len(head) > 2 and all(h in self.words.labels or h in self.words.passed for h in head):
            self.note(line, "passed", "the head of a table")
            return True
        if self.words.statline.search(text) and self.lexicon.exact(text, ANY) is None:
            self.note(line, "passed", "a statline")
            return True
        bare = self.money(text)[0]
        if self._only_money.fullmatch(text.strip()) or not re.search(r"[^\W\d_]", bare):
            draft = self.current
            if draft is not None and line.depth > draft.depth and (prices := self.prices(text)):
                draft.fighter = replace(draft.fighter, prices=(*draft.fighter.prices, *prices))
                self.note(line, "passed", "a price")
            else:
                self.note(line, "passed", "a total")
            return True
        if _TOTAL.match(text) and re.search(r"\d", text) and self.lexicon.exact(bare, ANY) is None:
            self.note(line, "passed", "a total")
            return True
        return False

    def is_title(self, text: str) -> bool:
        """Whether the text is the game's name or what a tool says of itself."""
        said = plain(text)
        return any(
            said == title or (title.endswith("*") and said.startswith(title[:-1])) for title in self.words.titles
        )

    # --- fighters

    @property
    def current(self) -> _Draft | None:
        """The fighter that lines below belong to."""
        return self.bearer

    def as_fighter(self, line: PastedLine, *, forced: bool = False) -> bool:
        """A line that names a profile, with a name, kit and prices around it in any of the usual orders."""
        if self.target != "fighters" and not forced:
            return False
        draft = self.current
        deeper = draft is not None and line.depth > draft.depth
        if self.label is not None and line.depth <= self.label[1] and not line.bullet:
            self.label = None
        total = _LINE_TOTAL.search(line.text)
        segments = self.segments(line.text[: total.start()] if total else line.text)
        place = next((n for n, s in enumerate(segments) if self.profile_of(s[1])), None)
        if place is not None and deeper and not forced and self.belongs(segments, line):
            return False
        if place is None:
            if deeper and not forced:
                return False
            if not forced and (self.lexicon.exact(self.bare(segments[0][1]), KIT) or self.label is not None):
                return False
            scored = [
                (score, n)
                for n, s in enumerate(segments[:2])
                for score, _ in self.lexicon.near(self.bare(s[1]), ("profile",))[:1]
            ]
            best = max(scored, default=(0.0, 0))
            kit_like = max((score for score, m in self.lexicon.near(self.bare(segments[0][1]), KIT)[:1]), default=0.0)
            least = 0.4 if forced else 0.62 if self.drafts or self.section else 0.8  # on top stands the warband's name
            if best[0] < least or (kit_like > best[0] and draft is not None and not forced):
                return False
            place = best[1]
        self.fighter(line, segments, place)
        if total and self.current is not None:
            taken = self.current
            taken.fighter = replace(taken.fighter, prices=(*taken.fighter.prices, self.price(total[1])))
        return True

    def belongs(self, segments: list[tuple[str, str]], line: PastedLine) -> bool:
        """Whether a deeper line that names a profile is a piece of kit of the same name (a dog) under its fighter."""
        return self.lexicon.exact(self.bare(segments[0][1]), KIT) is not None and len(segments) == 1

    def profile_of(self, text: str) -> PhraseMeaning | None:
        """The profile that a segment names by itself."""
        return self.lexicon.exact(self.bare(text), ("profile",))

    def fighter(self, line: PastedLine, segments: list[tuple[str, str]], place: int) -> None:
        """Take a fighter in."""
        said, prices = self.money(segments[place][1], at_end=True)
        count, said = self.count(said, ("profile",))
        said = trimmed(said)
        name_parts = [unquoted(trimmed(self.money(s[1])[0])) for s in segments[:place]]
        profile = self.phrase(said, ("profile",), prices=prices)
        if self.answers.get(profile.key) is not None and profile.meaning and profile.meaning.kind != "profile":
            profile = replace(profile, meaning=None)
        beside = self.beside_profile(profile)
        name = ""
        for (sign, _), part in zip(segments, name_parts, strict=False):
            name = f"{name}{_BETWEEN.get(sign, ' ') if name else ''}{part}" if part else name
        name = name or ("" if self.is_kit(beside) else beside)
        fighter = TextFighter(
            line=line.number, name=name[:80], profile=profile,
            count=max(1, min(20, count or 1)), section=self.section, prices=prices, status=STATES.get(self.section, "active"),
        )  # fmt: skip
        waiting, self.waiting = self.waiting, None
        if not fighter.name and waiting is not None:
            fighter = replace(fighter, name=unquoted(trimmed(self.money(waiting[0].text)[0]))[:80])
            self.out[waiting[1]] = replace(self.out[waiting[1]], kind="fighter", read_as="a name")
        elif waiting is not None:
            self.waiting = waiting
            self.settle_waiting()
        draft = _Draft(fighter, waiting[0].depth if waiting is not None and fighter.name else line.depth)
        self.drafts.append(draft)
        self.bearer, self.label = draft, None
        kept: list[Phrase] = []
        after = segments[place + 1 :]
        all_kit = False
        for n, (sign, text) in enumerate(after):
            all_kit = all_kit or sign in (":", "with")
            if self.flag(draft, text):
                continue
            alone = len(after) == 1 or (len(after) > 1 and n == 0)
            called = (
                sign == '"' and self.lexicon.exact(self.bare(text), KIT) is None
            )  # in quotes, whatever it is close to
            if (
                not draft.fighter.name
                and not all_kit
                and alone
                and (called or (sign in ("-", "(", '"', ",") and self.name_like(text)))
            ):
                draft.fighter = replace(draft.fighter, name=unquoted(trimmed(self.money(text)[0]))[:80])
                continue
            kept += [self.kit_phrase(part, KIT) for part in self.parts(text)]
        if self.is_kit(beside):  # last, so that the keys of the others stay what they were
            kept += [self.kit_phrase(part, KIT) for part in self.parts(beside)]
        draft.phrases += [p for p in kept if not _is_passed(p)]
        self.told(line, [profile, *kept], _fighter_words(draft.fighter))

    def beside_profile(self, phrase: Phrase) -> str:
        """What stands beside the profile's own name in a phrase that somebody answered: "Tam" of "Combat Engineer Tam".

        The name may be misspelt; then the words that are liker to it than the whole phrase are taken for it.
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

    def is_kit(self, text: str) -> bool:
        """Whether a text names nothing but kit."""
        return bool(text) and all(self.lexicon.exact(self.bare(part), KIT) for part in self.parts(text))

    def like_profile(self, text: str, meaning: PhraseMeaning) -> float:
        """How like words are to the name of a profile, 1 where they name one exactly."""
        if self.lexicon.exact(text, ("profile",)) is not None:
            return 1.0
        return max((score for score, near in self.lexicon.near(text, ("profile",)) if near == meaning), default=0.0)

    def flag(self, draft: _Draft, text: str) -> bool:
        """Take in "promoted", "captive", "XP 4" or "2 scars" behind a fighter."""
        said = trimmed(text)
        if match := COUNT_LAST.fullmatch(text.strip()):
            draft.fighter = replace(draft.fighter, count=max(1, min(20, int(match[1] or match[2]))))
            return True
        flag = self.words.flags.get(plain(said))
        if flag is not None:
            if flag == "promoted":
                draft.fighter = replace(draft.fighter, promoted=True)
            elif flag in ("captive", "dead", "retired"):
                draft.fighter = replace(draft.fighter, status=flag)
            return True
        if found := _EXPERIENCE.fullmatch(said):
            draft.fighter = replace(draft.fighter, experience=int(found[1] or found[2]))
            return True
        if found := _SCARS.fullmatch(said):
            draft.fighter = replace(draft.fighter, scars=int(found[1] or found[2]))
            return True
        bare = not self.money(said)[0].strip(" -–—:,") or self._only_money.fullmatch(said)
        if bare and (prices := self.prices(said)):
            draft.fighter = replace(draft.fighter, prices=(*draft.fighter.prices, *prices))
            return True
        return not said

    def name_like(self, text: str) -> bool:
        """Whether words beside a profile are a fighter's name rather than kit, known or misspelt."""
        said = self.bare(text)
        if not said or any(self.lexicon.exact(self.bare(part), KIT) for part in self.parts(text)):
            return False
        near = self.lexicon.near(said, KIT)
        return not near or near[0][0] < NAME_LIKE

    # --- kit

    def as_kit(self, line: PastedLine) -> bool:
        """A line of kit, skills or scars of the fighter above, or of the stash."""
        draft = self.current
        if draft is None and self.target == "fighters":
            return False
        if self.label is not None and line.depth < self.label[1]:
            self.label = None
        if self.target in ("locations", "lasting", "exploration"):
            found = [
                self.phrase(part, FIELD_KINDS[self.target], detail=d)
                for part, d in self.extras_of(line.text, self.target)
            ]
            self.extras += found
            self.told(line, found, _KIND_WORDS[self.target])
            return True
        kinds = FIELD_KINDS[self.label[0]] if self.label is not None else KIT
        if draft is not None and self.flag(draft, line.text):
            self.note(line, "fact", _fighter_words(draft.fighter))
            return True
        parts = self.parts(line.text)
        known = any(self.lexicon.exact(self.bare(part), KIT) for part in parts)
        near = max((score for part in parts for score, _ in self.lexicon.near(self.bare(part), KIT)[:1]), default=0.0)
        deeper = draft is not None and line.depth > draft.depth
        if not (known or deeper or self.label is not None or self.target == "stash" or near >= NAME_LIKE):
            return False
        self.keep(line, parts, kinds)
        return True

    def keep(self, line: PastedLine, parts: list[str], kinds: tuple[str, ...]) -> None:
        """Take phrases in for the fighter above or the stash."""
        self.settle_waiting()
        found = [self.kit_phrase(part, kinds) for part in parts]
        kept = [p for p in found if not _is_passed(p)]
        if self.current is not None:
            self.current.phrases += kept
        else:
            self.stash += kept
        self.told(line, found, "the stash" if self.current is None else "")

    def kit_phrase(self, text: str, kinds: tuple[str, ...]) -> Phrase:
        """One phrase of kit with its count and prices, and how it was come by where the text says so."""
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

    # --- what is left

    def as_answered(self, line: PastedLine) -> bool:
        """A line that stood alone and was answered: a fighter, kit of the one above, or left out."""
        answer = self.answers.get(f"{line.number}.0")
        if answer is None:
            return False
        if answer == LEFT_OUT:
            self.settle_waiting()
            self.note(line, "left", "left out")
            said = trimmed(self.money(line.text)[0])
            stray = Phrase(f"{line.number}.0", line.number, said, ANY, left_out=True)
            self.strays.append(self.with_near(stray, ANY))
            return True
        meaning = self.lexicon.by_value(answer, ANY)
        if meaning is None:
            return False
        said = trimmed(self.money(line.text)[0])
        if meaning.kind == "profile":
            profile = Phrase(f"{line.number}.0", line.number, said, ("profile",), meaning=meaning)
            beside = self.beside_profile(profile)
            name = "" if self.is_kit(beside) else beside[:80]
            kit = [self.kit_phrase(part, KIT) for part in self.parts(beside)] if beside and not name else []
            draft = _Draft(
                TextFighter(
                    line.number,
                    name,
                    profile,
                    section=self.section,
                    prices=self.prices(line.text),
                    status=STATES.get(self.section, "active"),
                ),
                line.depth,
            )
            if name:
                self.settle_waiting()
            elif self.waiting is not None:
                waiting, self.waiting = self.waiting, None
                draft.fighter = replace(draft.fighter, name=trimmed(waiting[0].text)[:80])
                self.out[waiting[1]] = replace(self.out[waiting[1]], kind="fighter", read_as="a name")
            draft.phrases += kit
            self.drafts.append(draft)
            self.bearer, self.target = draft, "fighters"
            self.note(line, "fighter", _fighter_words(draft.fighter))
            return True
        phrase = Phrase(f"{line.number}.0", line.number, said, ANY, meaning=meaning, prices=self.prices(line.text))
        (self.current.phrases if self.current is not None else self.stash).append(phrase)
        self.note(line, "kit", meaning.name)
        return True

    def as_unknown(self, line: PastedLine) -> None:
        """A line nobody knows: the warband's name on top, the name of the fighter below it, or a stray."""
        said = trimmed(self.money(line.text)[0])
        if not self.name and not self.drafts and not line.bullet and not self.section:
            self.name = said[:80]
            self.note(line, "fact", "the warband's name")
            return
        self.settle_waiting()
        self.waiting = (line, len(self.out))
        self.note(line, "open", "")

    def settle_waiting(self) -> None:
        """A line that turned out to be no fighter's name is a stray: somebody has to say what it is."""
        if self.waiting is None:
            return
        line, place = self.waiting
        self.waiting = None
        if self.out[place].kind != "open":
            self.out[place] = replace(self.out[place], kind="open", read_as="")
        said = trimmed(self.money(line.text)[0])
        near = tuple(m for _, m in self.lexicon.near(said, ANY)[:NEAREST])
        self.strays.append(Phrase(f"{line.number}.0", line.number, said, ANY, prices=self.prices(line.text), near=near))

    # --- phrases

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
        """A phrase of the present line under its own key, with what it means or its nearest names."""
        self.part += 1
        key = f"{self.number}.{self.part}"
        said = trimmed(text)
        known = Phrase(key, self.number, said, kinds, count, prices, meaning, (), False, origin, detail)
        answer = self.answers.get(key)
        if answer == LEFT_OUT:
            return replace(known, left_out=True)
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
        """The phrase with its nearest names of these kinds."""
        near = self.lexicon.near(phrase.text, kinds)[:NEAREST]
        return replace(phrase, near=tuple(m for _, m in near), likeness=near[0][0] if near else 0.0)

    def told(self, line: PastedLine, phrases: list[Phrase], words: str) -> None:
        """Note what a line was read as."""
        names = [_phrase_words(p) for p in phrases]
        is_fighter = bool(phrases) and phrases[0].kinds == ("profile",)
        kind = "open" if any(p.open for p in phrases) else "fighter" if is_fighter else "kit"
        if is_fighter:
            names = names[1:]
        elif words in ("the list", "a list that nobody plays here", "the patron") and kind != "open":
            kind = "fact"
        if phrases and all(_is_passed(p) for p in phrases):
            kind, words = "passed", "the books know it"
        self.note(line, kind, "; ".join(x for x in (words, ", ".join(names)) if x))


def _is_passed(phrase: Phrase) -> bool:
    """Whether the books say it anyway: an ability or keyword of the profile."""
    return phrase.meaning is not None and phrase.meaning.kind in PASSED_KINDS


def _phrase_words(phrase: Phrase) -> str:
    """A phrase as it was read."""
    words = (
        phrase.meaning.name if phrase.meaning else f"{phrase.text}: left out" if phrase.left_out else f"{phrase.text}?"
    )
    words = f"{phrase.count} × {words}" if phrase.count and phrase.count > 1 else words
    detail = ", ".join(x for x in (phrase.origin, phrase.detail) if x)
    return f"{words} ({detail})" if detail else words


def _fighter_words(fighter: TextFighter) -> str:
    """A fighter in a few words."""
    profile = fighter.profile.meaning.name if fighter.profile.meaning else f"{fighter.profile.text}?"
    words = f"{fighter.name}, {profile}" if fighter.name else profile
    if fighter.count > 1:
        words = f"{fighter.count} × {words}"
    return words
