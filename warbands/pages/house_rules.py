"""House rules and readings of the book that hold under some terms, each by its name and in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warbands.models import Terms
from warbands.pages.names import names_of

AS_IN_THE_BOOK: tuple[Any, ...] = (None, "", [], {}, ())


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One rule that differs from the book: its name, what it is about, and what holds here."""

    name: str
    words: str
    value: str


def active_rules(terms: Terms) -> tuple[HouseRule, ...]:
    """The house rules and readings in force that differ from the book, rules first. No queries."""
    rules = terms.in_force
    if not rules:
        return ()
    given = {**rules, **(rules.get("readings") or {})}
    found = []
    for setting in (each for part in terms.game.house_settings(terms.content) for each in part):
        value = given.get(setting.key, setting.default)
        if value not in AS_IN_THE_BOOK and value != setting.default:
            found.append(HouseRule(label_of(setting), setting.words, setting_words(setting, value, terms)))
    return tuple(found)


def label_of(setting: Any) -> str:
    """A house rule or reading by name: its key in words."""
    return str(setting.key).replace("_", " ").capitalize()


def setting_words(setting: Any, value: Any, terms: Terms) -> str:
    """The value of a house rule or reading in words."""
    if setting.kind == "yes-no":
        return "yes" if value else "no"
    if setting.kind == "choice":
        return dict(setting.options).get(value, str(value))
    if value in (None, "", [], {}, (), 0):
        return "as in the book"
    if setting.kind == "price":
        glory = f", {value.get('glory', 0)} g" if value.get("glory") else ""
        return f"{value.get('ducats', 0)} d{glory}"
    names = names_of(terms)
    if setting.kind == "ids":
        return ", ".join(names.name(str(each)) for each in value)
    if setting.kind == "numbers":
        pairs = [
            (names.name(str(key)) if not str(key).isdigit() else f"battle {key}", number)
            for key, number in value.items()
        ]
        return ", ".join(f"{key} {number}" for key, number in pairs)
    return f"+{value}" if setting.key.endswith("_add") and int(value) > 0 else str(value)
