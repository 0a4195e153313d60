"""Formats numbers, names, lists and prices for use in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.price import Price
from rules.translation import gettext as _

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAME = frozenset({"Infantry", "Cavalry", "Equipment", "Wretched", "Bereaved", "Faceless", "Ravenous", "Princeps"})
_OWN = {"Knife": "Knives", "Wolf": "Wolves", "Leaf": "Leaves", "Calf": "Calves", "Thief": "Thieves", "Man": "Men", "Yeoman": "Yeomen", "Child": "Children", "Foot": "Feet", "Homunculus": "Homunculi", "Matriarch": "Matriarchs"}  # fmt: skip
# Names that are not counted themselves, with the unit that is counted instead.
_PIECES = {"Armour": "suit", "Armor": "suit", "Ammunition": "load", "Water": "measure", "Fire": "measure", "Smoke": "measure"}  # fmt: skip


def number(count: int) -> str:
    """Return the number, as a word up to twelve."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def limit_words(maximum: int) -> str:
    """Return a limit as words; "none" for 0."""
    return number(maximum) if maximum else "none"


def first(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: Iterable[str], link: str = "and") -> str:
    """Join the parts as a list in a sentence: "Ada", "Ada and Ben", "Ada, Ben and Cleo"."""
    *front, last = list(parts) or [""]
    if not front:
        return last
    ends = _("{front} or {last}") if link == "or" else _("{front} and {last}")
    return ends.format(front=", ".join(front), last=last)


def listed(names: Iterable[str], link: str = "and") -> str:
    """Join names as a list in a sentence; repeated names are counted: "a Bayonet and two Knives"."""
    return joined((counted(n, name) if n > 1 else name for name, n in Counter(list(names)).items()), link)


def counted(count: int, name: str) -> str:
    """Return a name with its number as a word: "one Yeoman", "three Sacrificial Knives", "two suits of Machine
    Armour".
    """
    piece = _piece(name)
    if piece:
        return f"{number(count)} {piece}{'' if count == 1 else 's'} of {name}"
    return f"{number(count)} {name if count == 1 else plural(name)}"


def quantity(count: int, one: str, many: str = "") -> str:
    """Return a figure with its noun: "1 hit", "2 hits", "3 dice" (where `many` is "dice")."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def dice_words(count: int) -> str:
    return quantity(count, "die", "dice")


def fighter_count(count: int, which: str = "") -> str:
    """Return a number of fighters as words: "one fighter", "three ELITE fighters" (where `which` is "ELITE ")."""
    return f"{number(count)} {which}{'fighter' if count == 1 else 'fighters'}"


def _piece(name: str) -> str:
    """Return the unit for a name that is not counted itself ("suit"); "" for any other name."""
    head = name.partition(" (")[0].partition(" of ")[0]
    return _PIECES.get(head.rsplit(" ", 1)[-1], "")


def profile_beside(name: str, profile: str) -> str:
    """Return the profile to show beside a fighter's name; "" if the name already contains it: "Yeoman", "Yeoman 2"."""
    own, known = name.strip().casefold(), profile.strip().casefold()
    return "" if own == known or own.startswith(f"{known} ") else profile


def plural(name: str) -> str:
    """Return a plural good enough for names of kit and fighters."""
    if "/" in name:
        link = " / " if " / " in name else "/"
        return link.join(plural(part) for part in name.split(link))
    head, bracket, tail = name.partition(" (")
    if bracket:
        return f"{plural(head)} ({tail}"
    head, of, tail = name.partition(" of ")
    if of:
        return f"{plural(head)} of {tail}"
    front, _, last = name.rpartition(" ")
    if last in _SAME or _piece(name):
        return name
    if last in _OWN:
        return f"{front} {_OWN[last]}".strip()
    if name.endswith(("s", "ch", "sh", "x")):
        return name if name.endswith("s") and not name.endswith("ss") else f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def amount(price: Price) -> str:
    """Return a sum in full: "60 ducats", "2 glory", "60 ducats and 2 glory", "nothing"."""
    return str(price) if price else "nothing"


def short_price(price: Price) -> str:
    """Return a short form of a price: "45 d", "2 g", "45 d 2 g"."""
    parts = [f"{price.ducats} d"] if price.ducats or not price.glory else []
    if price.glory:
        parts.append(f"{price.glory} g")
    return " ".join(parts)


def figure(value: int) -> str:
    """Return a whole number with a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def signed(value: int, *, plus_zero: bool = False) -> str:
    """Return a modifier with its sign: "+1", "−2", "0" ("+0" with `plus_zero`)."""
    return f"{'+' if value > 0 or (plus_zero and not value) else ''}{figure(value)}"


def table_cell(text: str) -> str:
    """Return a text as a cell of a spreadsheet: one that begins like a formula is quoted, a number below zero is not."""
    is_formula = text[:1] in ("=", "+", "@", "\t", "\r") or (text[:1] == "-" and not text[1:2].isdigit())
    return f"'{text}" if is_formula else text
