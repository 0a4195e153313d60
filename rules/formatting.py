"""Numbers, names, lists and prices as parts of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.price import Price

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAME = frozenset({"Infantry", "Cavalry", "Equipment", "Wretched", "Bereaved", "Faceless", "Ravenous", "Princeps"})
_OWN = {"Knife": "Knives", "Wolf": "Wolves", "Leaf": "Leaves", "Calf": "Calves", "Thief": "Thieves", "Man": "Men", "Yeoman": "Yeomen", "Child": "Children", "Foot": "Feet", "Homunculus": "Homunculi", "Matriarch": "Matriarchs"}  # fmt: skip
# What is not counted itself, and the pieces that it comes in.
_PIECES = {"Armour": "suit", "Armor": "suit", "Ammunition": "load", "Water": "measure", "Fire": "measure", "Smoke": "measure"}  # fmt: skip


def number(count: int) -> str:
    """The number in words up to twelve."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def limit_words(maximum: int) -> str:
    """A limit in words; "none" for 0."""
    return number(maximum) if maximum else "none"


def first(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: Iterable[str], link: str = "and") -> str:
    """The parts as a list in a sentence: "Ada", "Ada and Ben", "Ada, Ben and Cleo"."""
    *front, last = list(parts) or [""]
    return f"{', '.join(front)} {link} {last}" if front else last


def listed(names: Iterable[str], link: str = "and") -> str:
    """Names as a list in a sentence; repeated names are counted: "a Bayonet and two Knives"."""
    return joined((counted(n, name) if n > 1 else name for name, n in Counter(list(names)).items()), link)


def counted(count: int, name: str) -> str:
    """A name with its number in words: "one Yeoman", "three Sacrificial Knives", "two suits of Machine Armour"."""
    piece = _piece(name)
    if piece:
        return f"{number(count)} {piece}{'' if count == 1 else 's'} of {name}"
    return f"{number(count)} {name if count == 1 else plural(name)}"


def quantity(count: int, one: str, many: str = "") -> str:
    """A figure with its noun: "1 hit", "2 hits", "3 dice" (where `many` is "dice")."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def dice_words(count: int) -> str:
    return quantity(count, "die", "dice")


def fighter_count(count: int, which: str = "") -> str:
    """Fighters with their number in words: "one fighter", "three ELITE fighters" (where `which` is "ELITE ")."""
    return f"{number(count)} {which}{'fighter' if count == 1 else 'fighters'}"


def _piece(name: str) -> str:
    """The piece that something comes in which is not counted itself; "" for anything else."""
    head = name.partition(" (")[0].partition(" of ")[0]
    return _PIECES.get(head.rsplit(" ", 1)[-1], "")


def profile_beside(name: str, profile: str) -> str:
    """The profile as it stands beside a fighter's name; nothing where the name says it: "Yeoman", "Yeoman 2"."""
    own, known = name.strip().casefold(), profile.strip().casefold()
    return "" if own == known or own.startswith(f"{known} ") else profile


def plural(name: str) -> str:
    """A plural good enough for names of kit and fighters."""
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
    """A sum in full: "60 ducats", "2 glory", "60 ducats and 2 glory", "nothing"."""
    return str(price) if price else "nothing"


def short_price(price: Price) -> str:
    """A price in short: "45 d", "2 g", "45 d 2 g"."""
    parts = [f"{price.ducats} d"] if price.ducats or not price.glory else []
    if price.glory:
        parts.append(f"{price.glory} g")
    return " ".join(parts)


def figure(value: int) -> str:
    """A whole number with a true minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def signed(value: int, *, plus_zero: bool = False) -> str:
    """A modifier with its sign: "+1", "−2", "0" ("+0" with `plus_zero`)."""
    return f"{'+' if value > 0 or (plus_zero and not value) else ''}{figure(value)}"
