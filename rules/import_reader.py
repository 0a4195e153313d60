"""Reads a pasted roster from top to bottom: facts about the warband, fighters, their kit, and unknown phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rules.content.names import plain
from rules.import_fighters import STATES
from rules.import_labels import KIT_FIELDS, PART_OF_TOTAL
from rules.import_lines import (
    PastedLine,
    cut,
    ready,
    replace_line,
)
from rules.import_tables import TableReader
from rules.import_text import (
    ANY,
    KIT,
    LONGEST_LINE,
    MOST_CHARACTERS,
    MOST_LINES,
    Lexicon,
    TextFighter,
    TextReading,
    Words,
)
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext as _
from rules.visible import without_unseen


def read_text(text: str, lexicon: Lexicon, words: Words, answers: Mapping[str, str] | None = None) -> TextReading:
    """Read a pasted text. `answers` explain phrases by key ("item:bayonet", a name, or "-" to leave the phrase out).

    Raises:
        Refusal: the text is empty, or far longer than a roster.
    """
    if not text.strip():
        raise Refusal(_("There is nothing to read."), mend=_("Paste a roster, one fighter a line."), code="unreadable")
    if len(text) > MOST_CHARACTERS:
        raise Refusal(
            _("The text has {count} characters; a roster has at most {most_characters}.").format(
                count=len(text), most_characters=MOST_CHARACTERS
            ),
            code="unreadable",
        )
    if text.lstrip().startswith("{"):
        raise Refusal(
            _("This is a document, not a text."), mend=_("Import it as a roster document."), code="unreadable"
        )
    if "\0" in text:
        raise Refusal(_("This is no text."), mend=_("Paste words, one fighter a line."), code="unreadable")
    # Pages that rosters are copied from contain invisible characters between words.
    lines = without_unseen(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MOST_LINES:
        raise Refusal(
            _("The text has {count} lines; a roster has at most {most_lines}.").format(
                count=len(lines), most_lines=MOST_LINES
            ),
            code="unreadable",
        )
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise Refusal(
                _("Line {number} has {count} characters; {longest_line} fit.").format(
                    number=number, count=len(line), longest_line=LONGEST_LINE
                ),
                code="unreadable",
            )
    return _TextReader(lexicon, words, answers or {}).read(lines)


_TOTAL = re.compile(
    r"(?:grand\s+)?(?:total|sub-?total|sum|cost|rating|worth|value|spent|remaining|left|budget|limit|threshold|field\s+strength|"
    r"models?|model\s+count|fighters?|size|elites?\s+used)\b",
    re.IGNORECASE,
)


_SEVERAL = re.compile(r"\s{2,}|\s*[|;]\s*|,\s*(?=[^:,]{2,24}:)")

_LEFT_OVER = re.compile(
    r"(\d{1,5})\s*(ducats?|glory)(?:\s+\w+)?\s+(?:left|remaining|unspent|over|saved)\b", re.IGNORECASE
)

_IN_HAND = re.compile(r"(?:[^,]{1,60}, )?([^,]{1,60}) in hand", re.IGNORECASE)
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)


_COMPANION_COST = re.compile(r"• Cost: -?\d{1,6} Ducats \| -?\d{1,6} Glory")  # as Trench Companion writes it

_CALLED = re.compile(r"[•\-*+o]?\s*called:\s*(\S.*)", re.IGNORECASE)


class _TextReader(TableReader):
    """Reads one text from top to bottom."""

    def read(self, lines: list[str]) -> TextReading:
        self.names_first = any(_COMPANION_COST.match(line) for line in lines)
        for number, raw in enumerate(lines, 1):
            line = ready(number, raw)
            self.number, self.part = number, 0
            if not line.text:
                kind = "blank" if not raw.strip() else "passed"
                self.note(line, kind, "" if kind == "blank" else _("a line between parts"))
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
        """Leave out the lines of kit whose fighter is left out."""
        for fighter in fighters:
            if fighter.profile.left_out:
                gone = {phrase.line for phrase in fighter.phrases}
                words = _("left out with {what}").format(what=fighter.name or fighter.profile.text)
                self.out = [replace(x, kind="left", read_as=words) if x.number in gone else x for x in self.out]

    def line(self, line: PastedLine) -> None:
        """Read one line. The possible readings are tried in this order."""
        self.take_as_fighter(line)
        tries = (
            self.as_called,
            self.as_answered,
            self.as_parted,
            self.as_table_row,
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

    def as_called(self, line: PastedLine) -> bool:
        """Read "Called:

        Ilse - the Bold": a name, unchanged, of the fighter above, or of the warband before the first fighter.

        Return whether it could be read.
        """
        found = _CALLED.fullmatch(line.raw.strip())
        if found is None:
            return False
        self.settle_waiting()
        draft = self.current
        if draft is None:
            self.name = found[1]
        else:
            draft.fighter = replace(draft.fighter, name=found[1])
        self.note(line, "fact", _("called {found}").format(found=found[1]))
        return True

    def as_parted(self, line: PastedLine) -> bool:
        """Read a heading that is also a word for a fighter ("## Dead ##"), and the lines below a heading that is ignored.

        Return whether it could be read.
        """
        section = self.words.headings.get(plain(self.heading_of(line)))
        if section in STATES and self.stands_apart(line):
            return self.as_heading(line)
        if self.target != "passed" or section is not None or line.marked:
            return False
        self.note(line, "passed", _("nothing is kept of it"))
        return True

    def heading_of(self, line: PastedLine) -> str:
        """Return the words of a line without the counts and prices after a heading."""
        text = PART_OF_TOTAL.sub("", self.money(line.text)[0])
        return re.sub(r"[\s:([\-–—]*\d*\s*(?:models?|fighters?|units?)?\s*[)\]:]*$", "", text, flags=re.IGNORECASE)

    def stands_apart(self, line: PastedLine) -> bool:
        """Return whether a line is laid out as a heading rather than as a remark on the fighter above."""
        above = self.out[-1].kind if self.out else "blank"
        return not line.bullet and (line.marked or line.text.endswith(":") or above == "blank")

    def as_label(self, line: PastedLine) -> bool:
        """Read "Patron: Warrior Saint", "Equipment: ...", "XP: 4", or a label alone above the lines that belong to it.

        Return whether it could be read.
        """
        if parts := self.labels_of(line.text):
            return self.several(line, parts)
        head, colon, tail = cut(line.text, ":")
        if not colon:
            head, colon, tail = cut(line.text, "=")
        if not colon:
            return self.label_alone(line) or self.number_line(line)
        known, tail = self.label_text(head), tail.strip()
        if known in self.words.headings and not tail:
            return False
        if (known in self.words.passed or self.words.labels.get(known) == "cost") and self.ends_in_profile(line, tail):
            return False
        if known in self.words.passed:
            self.note(line, "passed", _("the books know it"))
            return True
        name = self.words.labels.get(known)
        return name is not None and self.labelled(line, name, tail)

    def ends_in_profile(self, line: PastedLine, tail: str) -> bool:
        """Return whether a line below a heading is a fighter whose own name looks like a label: "Total: 5 - Yeoman"."""
        _name, dash, profile = tail.rpartition(" - ")
        return bool(dash and self.section) and not line.bullet and self.profile_of(profile) is not None

    def label_text(self, text: str) -> str:
        """Return a label in its plain spelling, without prices and counts such as "2 / 5"."""
        return plain(PART_OF_TOTAL.sub("", self.money(text)[0]))

    def label_alone(self, line: PastedLine) -> bool:
        """Read a label alone ("Equipment") above the lines that belong to it. Return whether it could be read."""
        if line.bullet or self.lexicon.exact(line.text, KIT):
            return False
        field = self.words.labels.get(plain(self.money(PART_OF_TOTAL.sub("", line.text))[0]), "")
        if field not in KIT_FIELDS or not self.current:
            return False
        self.settle_waiting()
        self.label = (field, line.depth)
        self.note(line, "heading", "a heading")
        return True

    def labels_of(self, text: str) -> list[str]:
        """Return the parts of a line with several labels, "XP: 6  Scars: 1" or "Rating: 655 | Ducats: 45".

        Return an empty list if it has only one label.
        """
        parts = [part for part in _SEVERAL.split(text) if part.strip()]
        heads = [plain(cut(part, ":")[0]) for part in parts]
        known = all(
            ":" in p and (h in self.words.labels or h in self.words.passed) for p, h in zip(parts, heads, strict=True)
        )
        return parts if len(parts) > 1 and known else []

    def several(self, line: PastedLine, parts: list[str]) -> bool:
        """Read the parts of a line one after the other, and report them together. Return whether they could be read."""
        start = len(self.out)
        for part in parts:
            self.line(replace_line(line, part.strip()))
        told, self.out = self.out[start:], self.out[:start]
        kinds = [x.kind for x in told]
        kind = next((k for k in ("open", "fighter", "kit", "fact", "heading") if k in kinds), "passed")
        self.note(line, kind, "; ".join(x.read_as for x in told if x.read_as))
        return True

    def as_heading(self, line: PastedLine) -> bool:
        """Read ELITE, TROOPS or the stash, with or without counts and prices after it.

        Return whether it could be read.
        """
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
        """Read totals, statlines, links and a tool's text about itself. Return whether it could be read."""
        about_roster = not (_LINK.search(line.text) or self.is_title(line.text))
        if about_roster and (found := _IN_HAND.fullmatch(line.text)) and (held := self.prices(found[1])):
            total = held[0] if len(held) == 1 else Price(sum(p.ducats for p in held), sum(p.glory for p in held))
            self.facts |= {"ducats": str(total.ducats), "glory": str(total.glory)}
            self.note(line, "fact", _("the strongbox"))
            return True
        if about_roster and (found := _LEFT_OVER.match(line.text)):
            self.facts["glory" if found[2].casefold() in self.words.glory else "ducats"] = found[1]
            self.note(line, "fact", _("the strongbox"))
            return True
        read_as = self.passed_as(line) if about_roster else _("not about the roster")
        if read_as:
            self.note(line, "passed", read_as)
        return bool(read_as)

    def passed_as(self, line: PastedLine) -> str:
        """Return the kind of a line that says nothing about the roster; "" for any other line.

        A price below a fighter is added to that fighter.
        """
        text, draft = line.text, self.current
        heads = [plain(part) for part in re.split(r"\s*[|,;]\s*", text)]
        if len(heads) > 2 and all(h in self.words.labels or h in self.words.passed for h in heads):
            return _("the head of a table")
        if self.words.statline.search(text) and self.lexicon.exact(text, ANY) is None:
            return "a statline"
        bare = self.money(text)[0]
        if self._only_money.fullmatch(text.strip()) or not re.search(r"[^\W\d_]", bare):
            if draft is None or line.depth <= draft.depth or not (prices := self.prices(text)):
                return "a total"
            self.add_prices(draft, prices)
            return "a price"
        is_total = _TOTAL.match(text) and re.search(r"\d", text) and self.lexicon.exact(bare, ANY) is None
        return "a total" if is_total and not any(self.profile_of(said) for _sign, said in self.segments(text)) else ""

    def as_unknown(self, line: PastedLine) -> None:
        """Read an unknown line: the warband's name at the top, the name of the fighter below it, or a stray."""
        said = self.without_prices(line.text)
        if not self.name and not self.drafts and not line.bullet and not self.section:
            self.name = said[:80]
            self.note(line, "fact", _("the warband's name"))
            return
        self.settle_waiting()
        self.waiting = (line, len(self.out))
        self.note(line, "open", "")
