"""The house rules and readings of the book that are in force under some terms, each with its name and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.content.extra import entries_named
from warbands.labels import house_target_name
from warbands.models import Terms

AS_IN_THE_BOOK: tuple[Any, ...] = (None, "", [], {}, ())


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One rule that differs from the book: its name, its subject, and its value here."""

    name: str
    words: str
    value: str


def active_rules(terms: Terms) -> tuple[HouseRule, ...]:
    """Return the house rules and readings in force that differ from the book, rules first. No queries."""
    rules = terms.in_force
    if not rules:
        return ()
    given = {**rules, **(rules.get("readings") or {})}
    found = []
    for setting in (each for part in terms.game.rulebook.house_settings(terms.content) for each in part):
        value = given.get(setting.key, setting.default)
        if value not in AS_IN_THE_BOOK and value != setting.default:
            found.append(HouseRule(label_of(setting), setting.words, setting_words(setting, value, terms)))
    return tuple(found)


def label_of(setting: Any) -> str:
    """Return the label of a house rule or reading, else its key as words."""
    return setting.label or str(setting.key).replace("_", " ").capitalize()


def price_text(price: Any) -> str:
    """Return a price of the house rules: "45 d", "2 g", "45 d 2 g"."""
    ducats, glory = int(price.get("ducats", 0)), int(price.get("glory", 0))
    parts = ([f"{ducats} d"] if ducats or not glory else []) + ([f"{glory} g"] if glory else [])
    return " ".join(parts)


def own_entries_words(terms: Terms, text: str) -> str:
    """Return the names of a campaign's own entries, without entries that are offers or parts of other entries."""
    named = [entry.name for entry in entries_named(text)]
    return ", ".join(named) if named else _("offers alone")


def setting_words(setting: Any, value: Any, terms: Terms) -> str:
    if setting.kind == "yes-no":
        return _("yes") if value else _("no")
    if setting.kind == "choice":
        return dict(setting.options).get(value, str(value))
    if value in (*AS_IN_THE_BOOK, 0):
        return _("as in the book")
    return _changed_value(setting, value, terms)


def _changed_value(setting: Any, value: Any, terms: Terms) -> str:
    match setting.kind:
        case "price":
            return ", ".join([f"{value.get('ducats', 0)} d", *([f"{value['glory']} g"] if value.get("glory") else [])])
        case "entries":
            return own_entries_words(terms, str(value))
        case "ids":
            return ", ".join(_target_name(terms, each) for each in value)
        case "battles" | "numbers":
            return ", ".join(f"{_target_name(terms, key)} {number}" for key, number in value.items())
        case "prices":
            return ", ".join(f"{_target_name(terms, key)} {price_text(price)}" for key, price in value.items())
    return f"+{value}" if setting.key.endswith("_add") and int(value) > 0 else str(value)


def _target_name(terms: Terms, target: Any) -> str:
    return (
        _("battle {target}").format(target=target) if str(target).isdigit() else house_target_name(terms, str(target))
    )
