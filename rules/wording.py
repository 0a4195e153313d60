"""Small pieces of sentences: lists of names, numbers in words, who may hold something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rules.content.compiled import Content
from rules.vocabulary import Holder, Price, Trait

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAME = frozenset({"Infantry", "Cavalry", "Equipment", "Wretched", "Bereaved", "Faceless", "Ravenous", "Princeps"})
_OWN = {"Knife": "Knives", "Wolf": "Wolves", "Leaf": "Leaves", "Calf": "Calves", "Thief": "Thieves", "Man": "Men", "Yeoman": "Yeomen", "Child": "Children", "Foot": "Feet", "Homunculus": "Homunculi", "Matriarch": "Matriarchs"}  # fmt: skip
# What is not counted itself, and the pieces that it comes in.
_PIECES = {"Armour": "suit", "Armor": "suit", "Ammunition": "load", "Water": "measure", "Fire": "measure", "Smoke": "measure"}  # fmt: skip


def number(count: int) -> str:
    """The number in words up to twelve."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def limit_words(most: int) -> str:
    """A limit in words; "none" for 0."""
    return number(most) if most else "none"


def first(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def listed(names: Iterable[str], link: str = "and") -> str:
    """Names as a list in a sentence; repeated ones are counted."""
    found = [counted(n, name) if n > 1 else name for name, n in Counter(list(names)).items()]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {link} {found[-1]}"


def counted(count: int, name: str) -> str:
    """A name with its number in words: "one Yeoman", "three Sacrificial Knives", "two suits of Machine Armour"."""
    piece = _piece(name)
    if piece:
        return f"{number(count)} {piece}{'' if count == 1 else 's'} of {name}"
    return f"{number(count)} {name if count == 1 else plural(name)}"


def _piece(name: str) -> str:
    """The piece that something comes in which is not counted itself; "" for anything else."""
    head = name.partition(" (")[0].partition(" of ")[0]
    return _PIECES.get(head.rsplit(" ", 1)[-1], "")


def dice_words(count: int) -> str:
    """So many dice: "1 die", "3 dice"."""
    return "1 die" if count == 1 else f"{count} dice"


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


def price_words(price: Price) -> str:
    """A price in full words: "45 ducats", "2 glory"."""
    return str(price)


def _trait(trait: Trait, content: Content) -> str:
    """A trait as a noun phrase: whom it means."""
    parts: list[str] = []
    whom = {"elite": "ELITE fighters", "troop": "troops", "mercenary": "mercenaries"}.get(trait.role, trait.role)
    if trait.keyword:
        parts.append(f"{content.keyword(trait.keyword)} {whom or 'fighters'}")
    elif trait.role:
        parts.append(whom)
    if trait.lacks_keyword:
        parts.append(f"{'' if parts else 'fighters '}without {content.keyword(trait.lacks_keyword)}")
    if trait.profile:
        parts.append(content.name("profile", trait.profile))
    carried = []
    if trait.item:
        carried.append(content.name("item", trait.item))
    if trait.item_keyword:
        carried.append(f"a weapon with {content.keyword(trait.item_keyword)}")
    if trait.item_group:
        carried.append(f"a {trait.item_group.replace('-', ' ')}")
    if carried:
        parts.append(f"{'' if parts else 'fighters '}carrying {listed(carried)}")
    if trait.upgrade:
        parts.append(f"{'' if parts else 'fighters '}with {content.name('upgrade', trait.upgrade)}")
    if trait.skill:
        parts.append(f"{'' if parts else 'fighters '}with {content.name('skill', trait.skill)}")
    if trait.base_at_most_mm:
        parts.append(f"bases of {trait.base_at_most_mm} mm or less")
    if trait.base_from_mm:
        parts.append(f"bases of {trait.base_from_mm} mm or more")
    return " ".join(part.strip() for part in parts)


def traits(many: Sequence[Trait], content: Content, link: str = "or") -> str:
    """Alternatives in words."""
    return listed((_trait(t, content) for t in many), link)


def holder_words(holder: Holder, content: Content, given: str = "") -> str:
    """Who may hold something, as a readable sentence part; "anyone" where nothing is asked."""
    if given:
        return given
    parts = []
    if holder.only_for:
        parts.append(f"{traits(holder.only_for, content)} only")
    if holder.and_also:
        parts.append(f"{'and ' if parts else ''}{traits(holder.and_also, content)} only")
    if holder.not_for:
        parts.append(f"not for {traits(holder.not_for, content)}")
    return "; ".join(parts) if parts else "anyone"
