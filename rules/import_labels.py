"""Reads the lines of a pasted roster that have a label: “Patron: …”, “XP: 4”, “Ducats: 45”."""

from __future__ import annotations

import re
from dataclasses import replace

from rules.content.names import plain
from rules.import_fighters import FighterReader
from rules.import_lines import (
    PastedLine,
    replace_line,
    stat_value,
    trimmed,
)
from rules.import_phrases import fighter_text
from rules.import_text import (
    FIELD_KINDS,
    MOST_COUNTED,
    MOST_HELD,
    NUMBERS,
    Phrase,
    PhraseMeaning,
)
from rules.translation import gettext

PART_OF_TOTAL = re.compile(r"[\s(\[]*\d+\s*(?:/|of)\s*\d+\b[)\]]?")

_SUCH = re.compile(r"(?<=\S)\s+(?:warband|army|roster|list|force)$", re.IGNORECASE)

_NUMBER = re.compile(r"[+]?\s*(\d{1,6})\b")


_FACT_WORDS = {
    "ducats": gettext("ducats held"), "glory": gettext("glory held"), "fought": gettext("battles fought"), "credited": gettext("battles credited"), "misses": gettext("promotions missed"),
    "points": gettext("victory points"), "won": gettext("battles won"), "drawn": gettext("battles drawn"), "lost": gettext("battles lost"),
}  # fmt: skip

KIT_FIELDS = ("kit", "upgrades", "skills", "traumas")
EXTRA_FIELDS = ("scenario", "locations", "lasting", "exploration")
_LIST_SIGNS = re.compile(r"\s*(?:[:;|,()\[\]]|\s[-–—]\s|\s*[–—]\s*|\s+/\s+)\s*")
_FORCES = ("army", "roster", "warband", "force", "list")
_PRESENT = ("active", "alive", "ok", "okay", "fine", "ready", "present", "healthy")
NOBODY = ("none", "no", "nopatron", "nobody", "na")


class LabelReader(FighterReader):
    def labelled(self, line: PastedLine, name: str, tail: str) -> bool:
        """Read the text after a label. `name` is the field that the label means. Return whether it could be read."""
        if name in KIT_FIELDS:
            return self.kit_field(line, name, tail)
        if name in EXTRA_FIELDS:
            return self.extra_field(line, name, tail)
        if name in ("experience", "scars"):
            return self.career(line, name, tail)
        if name in NUMBERS:
            return self.fact(line, name, tail)
        if name == "cost":
            return self.whole_price(line, tail)
        readers = {
            "fighter": self.fighter_name,
            "profile": self.profile_field,
            "name": self.warband_name,
            "patron": self.patron_field,
            "list": self.list_field,
            "stash": self.stash_field,
            "record": self.record,
            "status": self.status_field,
            "debt": self.debt_field,
        }
        return name in readers and readers[name](line, tail)

    def kit_field(self, line: PastedLine, name: str, tail: str) -> bool:
        """Read "Equipment: ...", "Skills: ...": kit of the fighter above or of the stash, or a heading above kit.

        Return whether it could be read.
        """
        draft = self.current
        if name == "traumas" and draft is not None and (number := re.fullmatch(r"(\d)(?:\s*/\s*\d)?", tail)):
            draft.fighter = replace(draft.fighter, scars=int(number[1]))
            self.note(line, "fact", gettext("scars {number}").format(number=number[1]))
        elif not tail:
            self.label = (name, line.depth)
            self.note(line, "heading", "a heading")
        elif draft is None and self.target == "fighters":
            return False
        elif stat_value(tail):
            self.note(line, "passed", "a statline")
        else:
            self.keep(line, self.parts(tail), FIELD_KINDS[name])
        return True

    def extra_field(self, line: PastedLine, name: str, tail: str) -> bool:
        if tail:
            self.keep_extras(line, name, tail)
            return True
        self.target, self.section, self.label, self.bearer = name, "", None, None
        self.note(line, "heading", "a heading")
        return True

    def career(self, line: PastedLine, name: str, tail: str) -> bool:
        number = _NUMBER.match(tail)
        if self.current is None or number is None:
            return False
        value = min(int(number[1]), MOST_COUNTED)
        fighter = self.current.fighter
        self.current.fighter = replace(fighter, scars=value) if name == "scars" else replace(fighter, experience=value)
        self.note(line, "fact", f"{name} {number[1]}")
        return True

    def fighter_name(self, line: PastedLine, tail: str) -> bool:
        """Read "Name: Ottla": the name of a fighter, or of the warband before the first fighter.

        Return whether it could be read.
        """
        if not tail:
            return False
        if not self.drafts and not self.section and not self.name:
            return self.warband_name(line, tail)
        self.settle_waiting()
        self.waiting = (replace_line(line, tail), len(self.out))
        self.note(line, "fighter", "a name")
        return True

    def status_field(self, line: PastedLine, tail: str) -> bool:
        """Read "Status: dead" of the fighter above. Return whether it could be read."""
        draft = self.current
        if draft is None or not (plain(tail) in _PRESENT or self.flag(draft, tail)):
            return False
        self.note(line, "fact", fighter_text(draft.fighter))
        return True

    def debt_field(self, line: PastedLine, tail: str) -> bool:
        self.note(line, "passed", gettext("a debt: kept in the original only"))
        return True

    def profile_field(self, line: PastedLine, tail: str) -> bool:
        return bool(tail) and self.as_fighter(replace_line(line, tail), forced=True)

    def warband_name(self, line: PastedLine, tail: str) -> bool:
        self.name = self.without_prices(tail) or self.name
        self.note(line, "fact", gettext("the warband's name"))
        return True

    def patron_field(self, line: PastedLine, tail: str) -> bool:
        if plain(tail) in NOBODY:
            self.note(line, "fact", gettext("no patron"))
        elif tail:
            self.patron = self.phrase(tail, ("patron",))
            self.note_phrases(line, [self.patron], gettext("the patron"))
        return bool(tail)

    def list_field(self, line: PastedLine, tail: str) -> bool:
        return bool(tail) and self.list_words(line, tail, forced=True)

    def stash_field(self, line: PastedLine, tail: str) -> bool:
        if tail:
            self.target, self.bearer, self.section, self.label = "stash", None, "stash", None
            self.keep(line, self.parts(tail), ("item", "upgrade"))
        return bool(tail)

    def record(self, line: PastedLine, tail: str) -> bool:
        """Read "Record: 3-1-2": battles won, drawn and lost, or won and lost. Return whether it could be read."""
        numbers = re.findall(r"\b\d{1,3}\b", tail)
        keys = ("won", "drawn", "lost") if len(numbers) == 3 else ("won", "lost")
        self.facts.update(zip(keys, numbers, strict=False))
        self.note(line, "fact", gettext("battles won and lost"))
        return bool(numbers)

    def whole_price(self, line: PastedLine, tail: str) -> bool:
        """Read the total price of a fighter, or of the warband before the first fighter.

        The prices of the books count; a difference is reported. Return whether it could be read.
        """
        prices = self.prices(tail) if not PART_OF_TOTAL.match(tail) else ()
        draft = self.current
        if prices and draft is not None:
            draft.fighter = replace(draft.fighter, total=prices[0])
        elif prices and not self.drafts:
            self.rating = prices[0]
        self.note(line, "passed", gettext("the books know it"))
        return True

    def fact(self, line: PastedLine, name: str, tail: str) -> bool:
        """Read a number of the warband. Return whether it could be read.

        "700/700" and "45 of 700" are budgets, not the money that the warband holds.
        """
        number = _NUMBER.match(tail)
        if name in ("held", "glory") and number is None:  # "Unlimited", or below zero
            self.note(line, "passed", gettext("not kept: {tail}").format(tail=tail))
            return True
        if name in ("ducats", "money") and (PART_OF_TOTAL.match(tail) or self.drafts):
            self.note(line, "passed", "a total")
            return True
        amounts = self._amount.findall(tail)
        if name == "money" or (len(amounts) > 1 and name != "held"):
            for amount, unit in amounts:
                self.facts["glory" if unit.casefold() in self.words.glory else "ducats"] = amount
            if not amounts and number:
                self.facts["ducats"] = str(min(int(number[1]), MOST_HELD))
            self.note(line, "fact", gettext("the strongbox"))
            return True
        if number is None:
            return False
        key = "ducats" if name == "held" else name
        maximum = MOST_HELD if key in ("ducats", "glory", "points") else MOST_COUNTED
        self.facts[key] = str(min(int(number[1]), maximum))
        self.note(line, "fact", _FACT_WORDS.get(key, key))
        return True

    def as_list(self, line: PastedLine) -> bool:
        """Read a line that names only the game, a faction and its list. Return whether it could be read.

        Once the list is known, "Trench Pilgrim" is a fighter.
        """
        if self.lists and self.lexicon.exact(self.without_prices(line.text), ("profile",)) is not None:
            return False
        return not line.bullet and self.list_words(line, line.text)

    def list_words(self, line: PastedLine, text: str, *, forced: bool = False) -> bool:
        """Read names of lists from a text. The rest of the text must be money, numbers or the game's own name.

        Return whether it could be read.
        """
        kinds = FIELD_KINDS["list"]
        parts = [part for part in self.list_parts(text) if part]
        named = {part: self.lexicon.exact(part, kinds) for part in parts if self.may_be_list(part)}
        lists = [part for part in parts if named.get(part)]
        strange = [part for part in parts if part in named and not named[part]]
        bare = next((part for part in strange if lists and self.lexicon.exact(part, ("patron",))), "")
        if bare:  # "New Antioch, Warrior Saint"
            strange.remove(bare)
        if not forced and not self.names_lists_alone(lists, strange):
            return False
        patron = next((found for part in reversed(parts) if (found := self.patron_in(part))), None)
        patron = patron or (self.lexicon.exact(bare, ("patron",)) if bare else None)
        if patron is not None:
            self.patron = self.phrase(patron.name, ("patron",), patron)
        self.keep_lists(line, [self.phrase(part, kinds, named[part]) for part in (*lists, *strange)])
        return True

    def names_lists_alone(self, lists: list[str], strange: list[str]) -> bool:
        """Return whether a line without a label names lists and nothing unknown.

        The first unknown part becomes the warband's name.
        """
        if lists and len(strange) == 1 and not self.name and not self.drafts:
            self.name = strange.pop()[:80]
        return bool(lists) and not strange

    def may_be_list(self, text: str) -> bool:
        return not (self.patron_in(text) or self.is_title(text) or plain(text) in _FORCES)

    def keep_lists(self, line: PastedLine, phrases: list[Phrase]) -> None:
        known = {p.meaning.id for p in self.lists if p.meaning}
        self.lists += [p for p in phrases if p.meaning is None or p.meaning.id not in known]
        playable = any(p.meaning is None or p.meaning.kind == "list" for p in phrases)
        self.note_phrases(line, phrases, gettext("the list") if playable else gettext("a list that is not played here"))

    def list_parts(self, text: str) -> list[str]:
        """Return the parts of a text that may each name a list, without prices and words such as "Warband"."""
        kinds = FIELD_KINDS["list"]
        text = re.sub(r"\s\d{2,5}$", "", self.money(text)[0])
        parts = [text] if self.lexicon.exact(trimmed(text), kinds) else _LIST_SIGNS.split(text)
        found = self.joined([self.without_prices(part) for part in parts if part.strip()])
        return [
            part if self.lexicon.exact(part, kinds) or self.is_title(part) else _SUCH.sub("", part) for part in found
        ]

    def joined(self, parts: list[str]) -> list[str]:
        """Return the parts of a text with those together that are one list's name: it may hold a dash."""
        found: list[str] = []
        while parts:
            taken = next(
                (
                    n
                    for n in range(min(3, len(parts)), 1, -1)
                    if self.lexicon.exact(" - ".join(parts[:n]), FIELD_KINDS["list"])
                ),
                1,
            )
            found.append(" - ".join(parts[:taken]))
            parts = parts[taken:]
        return found

    def patron_in(self, text: str) -> PhraseMeaning | None:
        label, _, name = text.partition(" ")
        return self.lexicon.exact(name, ("patron",)) if self.words.labels.get(plain(label)) == "patron" else None

    def number_line(self, line: PastedLine) -> bool:
        """Read "4 XP" or "2 scars" on a separate line. Return whether it could be read."""
        fact = self.career_of(self.current, line.text) if self.current is not None else ""
        if fact:
            self.note(line, "fact", fact)
        return bool(fact)
