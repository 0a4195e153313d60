"""The text that New Recruit copies: one fighter a line, its kit after a colon.

The layout is known from other games' lists. It carries no ids, and an own name stands before the fighter's.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rules.import_text import KIT, Lexicon
from rules.price import Price
from rules.roster_files.file_roster import Counter, FileEntry, FileFighter, FileRoster, number, words
from rules.roster_files.reading import price_of
from rules.translation import gettext as _
from rules.trench_crusade.roster_files.game_data import (
    NOTHING_CHOSEN,
    PROMOTED,
    ROLL,
    SECTIONS,
    SHAPES,
    comes_along,
    feared,
    found_entry,
    is_fireteam,
    is_switch,
    names_of,
    turn_fighter,
)
from rules.trench_crusade.roster_files.other_names import other_names

_COSTS = re.compile(r"\s*-?\d+(?:\.\d+)?\s*[A-Za-z][A-Za-z ]*")
LONGEST_COSTS, MOST_CUTS = 120, 6  # letters of the costs in brackets; dashes that a name is tried at
_COST = re.compile(r"(-?\d+)(?:\.\d+)?\s*(ducats?|glory(?: points?)?|pts|points)", re.IGNORECASE)
_COUNT = re.compile(r"^(\d{1,3})x\s+")
_BULLET = re.compile(r"^\s*[•\-*]\s+")
_HEADING, _RULER = re.compile(r"#{1,6}\s|#{2}"), re.compile(r"[\W_]+")
_WEALTH = {"unleveraged glory": "glory", "warchest of ducats": "ducats"}
_STATE_KINDS = ("patron", "location", "exploration", "lasting", "skill")


def read_new_recruit_text(text: str, lexicon: Lexicon) -> FileRoster:
    """Return the roster of the text. `lexicon` tells names that hold a comma or a dash from several names."""
    return _Text(lexicon).read(text)


def cost_of(text: str) -> tuple[str, Price | None]:
    """Return a text without the costs in brackets at its end, and the costs."""
    text = text.strip()
    at = text.rfind("[") if text.endswith("]") else -1
    inside = text[at + 1 : -1] if at >= 0 else ""
    named = [part for part in inside[:LONGEST_COSTS].split(",") if part.strip()]
    if not named or len(inside) > LONGEST_COSTS or not all(_COSTS.fullmatch(part) for part in named):
        return text, None
    ducats = glory = 0
    for amount, name in _COST.findall(inside):
        if name.lower().startswith("glory"):
            glory += number(amount, least=-10_000)
        else:
            ducats += number(amount, least=-10_000)
    return text[:at].strip(), Price(ducats=ducats, glory=glory)


class _Text:
    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon, self.roster, self.counter = lexicon, FileRoster(), Counter()
        self.section = ""
        self.is_begun = False  # a heading was read
        self.unit: FileFighter | None = None

    def read(self, text: str) -> FileRoster:
        for index, raw in enumerate(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
            self.counter.one()
            line = words(raw, 4_000)
            if line:
                self.line(str(index), line, first=not (self.roster.lists or self.is_begun))
        self.roster.check()
        return self.roster

    def line(self, place: str, line: str, *, first: bool) -> None:
        if _HEADING.match(line):
            self.heading(place, line)
        elif _RULER.fullmatch(line):
            self.roster.note(place, line, _("a line between parts"))
        elif first and self.title(place, line):
            return
        elif line.lower().startswith(("created with", "https://", "http://")):
            self.roster.note(place, line, _("the other program's own line"))
        elif self.section == "configuration":
            self.configuration(place, line)
        elif _BULLET.match(line) and self.unit is not None:
            self.inside_unit(place, _BULLET.sub("", line))
        else:
            self.fighter(place, line)

    def heading(self, place: str, line: str) -> None:
        self.is_begun = True
        said, price = cost_of(line.lstrip("# "))
        plain = said.strip("+ ").lower()
        if line.lstrip("# ").startswith("++"):
            if price is not None and self.roster.rating is None:
                self.roster.rating = price
        else:
            self.section = SECTIONS.get(plain, plain)
        self.roster.note(place, line, _("a heading"))

    def title(self, place: str, line: str) -> bool:
        """Read "New Antioch - Second Sortie - [506 Ducats]": catalogue, name of the list, total."""
        said, price = cost_of(line)
        parts = said.rstrip(" -").split(" - ")
        if len(parts) < 2:
            return False
        at = 1
        for cut in range(1, min(len(parts), MOST_CUTS)):
            if self.lexicon.exact(" - ".join(parts[:cut]), ("list", "other-list")):
                at = cut
        self.roster.lists.append(FileEntry(place, " - ".join(parts[:at]), ("list", "other-list")))
        self.roster.name = words(" - ".join(parts[at:]))
        self.roster.rating = price
        return True

    def configuration(self, place: str, line: str) -> None:
        head, _colon, tail = line.partition(":")
        said, _price = cost_of(head)
        plain = said.lower()
        if plain.startswith("pile of stuff"):
            self.roster.note(place, said, _("the stash"))
            for name, count, cost in self.pieces(tail):
                if is_switch(name):
                    self.roster.note(place, name, _("a switch of the other program"))
                else:
                    self.roster.stash.append(FileEntry(place, name, ("item",), count, cost, *names_of(name)))
        elif plain == "warband variant":
            self.roster.note(place, said, _("a heading"))
            for name, _count, _cost in self.pieces(tail, ("list",)):
                kinds = ("list", "other-list")
                if self.lexicon.exact(name, kinds) or len(self.roster.lists) < 2:
                    self.roster.lists.append(FileEntry(place, name, kinds))
                else:
                    self.roster.note(place, name, _("what the variant permits"))
        elif plain == "campaign rules":
            self.roster.note(place, said, _("a heading"))
            for name, count, _cost in self.pieces(tail, _STATE_KINDS):
                self.state(place, name, count)
        else:
            self.roster.note(place, line, _("a choice of the list"))

    def state(self, place: str, name: str, count: int) -> None:
        plain = name.lower()
        if plain in ("enabled", "disabled", "equipment only"):
            self.roster.note(place, name, _("a switch of the other program"))
        elif plain in _WEALTH:
            self.roster.facts[_WEALTH[plain]] = count
            self.roster.note(place, f"{name} {count}", _("the strongbox"))
        elif self.roster.patron is None and self.lexicon.exact(name, ("patron",)):
            self.roster.patron = FileEntry(place, name, ("patron",))
        elif name.endswith("?"):
            self.roster.note(place, name, _("a choice of the list"))
        else:
            self.roster.extras.append(found_entry(place, name, ("location", "exploration", "lasting", "skill")))

    def fighter(self, place: str, line: str) -> None:
        head, tail = self.head_of(line)
        said, total = cost_of(head)
        count, said = _counted(said)
        own, profile = self.named(said)
        base = other_names().renamed.get(profile.lower(), profile)
        promoted = False
        for prefix in PROMOTED[1:]:
            if profile.lower().startswith(f"{prefix} "):
                base, promoted = profile[len(prefix) :].strip(), True
        if total is None and self.roster.rating is not None:
            total = Price()  # the program leaves out what costs nothing
        each = Price(ducats=total.ducats // count, glory=total.glory // count) if total is not None else None
        fighter = FileFighter(
            profile=FileEntry(place, profile, ("profile",), 1, None, (profile, base)),
            name=own,
            count=count,
            section=self.section if self.section in ("elite", "mercenary") else "troop",
            promoted=promoted,
            total=each,
        )
        self.roster.fighters.append(fighter)
        self.unit = fighter
        self.entries(place, tail, fighter)

    def inside_unit(self, place: str, line: str) -> None:
        """Read "• 1x Mamluk Faris [4 Glory Points]: …", the model inside the unit above."""
        assert self.unit is not None
        head, tail = self.head_of(line)
        said, _price = cost_of(head)
        _count, said = _counted(said)
        if self.lexicon.exact(said, ("profile",)) or said == self.unit.profile.text:
            self.roster.note(place, said, _("the fighter inside this unit"))
            self.entries(place, tail, self.unit)
        else:
            self.entries(place, line, self.unit)

    def head_of(self, line: str) -> tuple[str, str]:
        """Split a line at the colon before the kit. An own name may hold one too: costs or a known name end the head."""
        cuts = [(line[: found.start()], line[found.end() :]) for found in re.finditer(r":\s", f"{line} ")]
        for head, tail in cuts[:4]:
            said = cost_of(head)
            if said[1] is not None or self.known(self.named(_counted(said[0])[1])[1]):
                return head, tail
        if self.known(self.named(_counted(cost_of(line)[0])[1])[1]):
            return line, ""
        return cuts[0] if cuts else (line, "")

    def named(self, said: str) -> tuple[str, str]:
        """Return own name and fighter's name of "Own name - Unit": the last dash before a name that is known."""
        parts = said.split(" - ")
        for cut in range(len(parts) - 1, max(0, len(parts) - MOST_CUTS), -1):
            tail = " - ".join(parts[cut:])
            if self.known(tail) or tail.lower() in other_names().renamed:
                return words(" - ".join(parts[:cut])), tail
        if len(parts) > 1 and not self.known(said):
            return words(" - ".join(parts[:-1])), parts[-1]
        return "", said

    def known(self, name: str) -> bool:
        if self.lexicon.exact(name, ("profile",)):
            return True
        return any(
            name.lower().startswith(f"{prefix} ") and self.lexicon.exact(name[len(prefix) :], ("profile",)) is not None
            for prefix in PROMOTED[1:]
        )

    def entries(self, place: str, tail: str, fighter: FileFighter) -> None:
        pieces = self.pieces(tail)
        while pieces:
            name, count, cost = pieces.pop(0)
            plain = name.lower()
            if (rank := other_names().ranks.get(plain)) and pieces:
                chosen, _count, _cost = pieces.pop(0)
                name, plain = rank.format(chosen=chosen), ""
                self.roster.note(place, chosen, _("part of what stands above it"))
            if plain in PROMOTED:
                fighter.promoted = True
                self.roster.note(place, name, _("promoted"))
            elif plain == "experience":
                fighter.experience = count // fighter.count
                self.roster.note(place, f"{name} {count}", _("experience"))
            elif plain in ("scar", "scars", "scar(s)"):
                fighter.scars = count // fighter.count
                self.roster.note(place, f"{name} {count}", _("scars"))
            elif turn_fighter(fighter, plain) or plain in SHAPES:
                self.roster.note(place, name, _("what kind of fighter it is"))
            elif cost is None and comes_along(fighter, name):
                self.roster.note(place, name, _("what the profile comes with"))
            elif is_fireteam(name):
                self.roster.note(place, name, _("a fireteam"))
            elif plain == NOTHING_CHOSEN or is_switch(name):
                self.roster.note(place, name, _("a switch of the other program"))
            elif (enemy := feared(name)) and fighter.entries:
                fighter.entries[-1] = replace(fighter.entries[-1], detail=enemy)
                self.roster.note(place, name, _("part of what stands above it"))
            else:
                kinds: tuple[str, ...] = KIT
                if ROLL.search(name):
                    name, kinds = ROLL.sub("", name), ("skill", "trauma")
                fighter.entries.append(FileEntry(place, name, kinds, count, cost, *names_of(name)))

    def pieces(self, tail: str, kinds: tuple[str, ...] = KIT) -> list[tuple[str, int, Price | None]]:
        """Return names, counts and costs. A name that holds a comma is one name where the books have it."""
        parts = [piece for piece in re.split(r",\s+(?![^\[]*\])", tail.strip()) if piece.strip()]
        found: list[tuple[str, int, Price | None]] = []
        while parts:
            taken = 1
            for several in range(min(4, len(parts)), 1, -1):
                name, _cost = cost_of(", ".join(parts[:several]))
                if self.lexicon.exact(_counted(name)[1], kinds):
                    taken = several
                    break
            name, cost = cost_of(", ".join(parts[:taken]))
            count, name = _counted(name)
            found.append((words(name), count, price_of(cost.ducats, cost.glory) if cost else None))
            parts = parts[taken:]
        return found


def _counted(said: str) -> tuple[int, str]:
    found = _COUNT.match(said)
    return (max(1, number(found[1], least=1)), said[found.end() :].strip()) if found else (1, said.strip())
