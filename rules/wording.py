"""Small pieces of sentences: lists of names, numbers in words, who may hold something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rules.content.compiled import Content
from rules.vocabulary import Holder, Price, Trait

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAME = frozenset({"Infantry", "Cavalry", "Armour", "Ammunition", "Equipment", "Wretched"})  # words without a plural


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
    counted = [f"{number(n)} {plural(name)}" if n > 1 else name for name, n in Counter(list(names)).items()]
    if len(counted) < 2:
        return "".join(counted)
    return f"{', '.join(counted[:-1])} {link} {counted[-1]}"


def plural(name: str) -> str:
    """A plural good enough for names of kit and fighters."""
    head, slash, tail = name.partition(" / ")
    if slash:
        return f"{plural(head)} / {plural(tail)}"
    head, bracket, tail = name.partition(" (")
    if bracket:
        return f"{plural(head)} ({tail}"
    head, of, tail = name.partition(" of ")
    if of:
        return f"{plural(head)} of {tail}"
    if name.rsplit(" ", 1)[-1] in _SAME:
        return name
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
