"""Replacement of the keys in a warband's choices: fighters and pieces by key, entries by id or by name.

Database keys mean nothing in a roster document, and a document's keys mean nothing in the database. Links and
fireteams therefore get new keys in both directions. Entry names in a document become the options they mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rules.choices import LINK, OPTION, meant, of_fighter, of_item, of_list
from rules.content.compiled import Content
from rules.fighters.frame import PAIRS
from rules.force import Force, ForceFighter, ForceItem
from rules.legality.roster_state import examine
from rules.parts.choice import Choosing
from rules.vocabulary import Effect, LinkEffect

Keys = Mapping[str, str]


def rekeyed(content: Content, force: Force, fighters: Keys, items: Keys) -> Force:
    """Return the force with new keys in its choices. The rows themselves keep their keys."""

    def links(choices: Mapping[str, Any], effects: Iterable[Effect]) -> dict[str, Any]:
        of = next((e.of for e in effects if isinstance(e, LinkEffect)), "")
        if LINK not in choices or not of:
            return dict(choices)
        return {
            **choices,
            LINK: _called(choices[LINK], fighters if of == "fighter" else _with_implied(items, fighters)),
        }

    def effects_of(table: Mapping[str, Any], id_: str) -> tuple[Effect, ...]:
        return table[id_].effects if id_ in table else ()

    def piece(item: ForceItem) -> ForceItem:
        return replace(item, choices=links(item.choices, effects_of(content.items, item.item)))

    def one(fighter: ForceFighter) -> ForceFighter:
        return replace(
            fighter,
            kit=tuple(piece(i) for i in fighter.kit),
            skills=tuple(
                replace(s, choices=links(s.choices, effects_of(content.skills, s.skill))) for s in fighter.skills
            ),
            upgrades=tuple(
                replace(u, choices=links(u.choices, effects_of(content.upgrades, u.upgrade))) for u in fighter.upgrades
            ),
        )

    choices = dict(force.choices)
    if PAIRS in choices:
        choices[PAIRS] = _called(choices[PAIRS], fighters)
    state = dict(force.state)
    lasting = state.get("lasting")
    if isinstance(lasting, Mapping) and lasting:
        state["lasting"] = {
            key: {**kept, "choices": links(kept.get("choices") or {}, effects_of(content.lasting, str(kept.get("id"))))}
            for key, kept in lasting.items()
        }
    return replace(
        force,
        choices=choices,
        state=state,
        fighters=tuple(one(f) for f in force.fighters),
        stash=tuple(piece(i) for i in force.stash),
    )


class _with_implied(dict[str, str]):  # noqa: N801
    """New keys of pieces. The key of kit that comes with a fighter is built from the fighter's new key."""

    def __init__(self, items: Keys, fighters: Keys) -> None:
        super().__init__(items)
        self.fighters = fighters

    def __missing__(self, key: str) -> str:
        owner, plus, rest = key.partition("+")
        return f"{self.fighters[owner]}{plus}{rest}" if plus and owner in self.fighters else key


def _called(value: Any, keys: Keys) -> Any:
    if isinstance(value, list | tuple):
        return [_called(one, keys) for one in value]
    text = str(value)
    if isinstance(keys, _with_implied):
        return keys[text]
    return keys.get(text, text)


# --- documents -------------------------------------------------------------------------------------------------------------------


def document_keys(force: Force) -> tuple[dict[str, str], dict[str, str]]:
    """Return the keys of fighters and pieces in a roster document.

    A fighter's key is its name if that is unique, else its position. A piece's key is its position.
    """
    count = Counter(f.name for f in force.fighters)
    places = {f"f{n}" for n in range(1, len(force.fighters) + 1)}
    fighters: dict[str, str] = {}
    items: dict[str, str] = {}
    for n, fighter in enumerate(force.fighters, 1):
        own = count[fighter.name] == 1 and fighter.name and fighter.name not in places and "+" not in fighter.name
        fighters[fighter.key] = fighter.name if own else f"f{n}"
        items.update((item.key, f"f{n}-i{m}") for m, item in enumerate(fighter.kit, 1))
    items.update((item.key, f"stash-{m}") for m, item in enumerate(force.stash, 1))
    return fighters, items


def as_written(content: Content, force: Force) -> Force:
    """Return the force with a document's keys in its choices."""
    return rekeyed(content, force, *document_keys(force))


def as_read(content: Content, force: Force) -> Force:
    """Return a document's force with the keys of its rows in its choices, and with options by their values."""
    count = Counter(f.name for f in force.fighters)
    named = {f.name: f.key for f in force.fighters if count[f.name] == 1}
    force = rekeyed(content, force, named, {})
    if force.list not in content.lists:
        return force
    exam = examine(content, force)
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        for asking in of_fighter(content, exam.frame.list, fighter, who):
            force = _understood(content, force, asking.choosing)
    for piece in force.stash:
        for asking in of_item(content, exam.frame.list, piece):
            force = _understood(content, force, asking.choosing)
    for asking in of_list(content, exam.frame, force.choices):
        force = _understood(content, force, asking.choosing)
    return force


def _understood(content: Content, force: Force, choosing: Choosing) -> Force:
    """Return the force with each choice that was given by name or by item stored as the option it means."""
    if not choosing.chosen or not choosing.wrong or choosing.asked.key in (LINK, OPTION):
        return force
    values = [meant(content, choosing.asked, text) for text in choosing.chosen]
    if tuple(values) == choosing.chosen:
        return force
    value: Any = values if choosing.asked.count > 1 else values[0]
    return _with_choice(force, choosing, value)


def _with_choice(force: Force, choosing: Choosing, value: Any) -> Force:
    key = choosing.asked.key
    if choosing.row == "warband":
        return replace(force, choices={**force.choices, key: value})
    if choosing.row == "item" and not choosing.fighter:
        stash = (replace(i, choices={**i.choices, key: value}) if i.key == choosing.item else i for i in force.stash)
        return replace(force, stash=tuple(stash))
    fighter = force.fighter(choosing.fighter)
    if choosing.row == "item":
        kit = (replace(i, choices={**i.choices, key: value}) if i.key == choosing.item else i for i in fighter.kit)
        return force.with_fighter(replace(fighter, kit=tuple(kit)))
    part = choosing.path[0]
    if part == "choices":
        return force.with_fighter(replace(fighter, choices={**fighter.choices, key: value}))
    if part == "skills":
        skills = (
            replace(s, choices={**s.choices, key: value}) if s.key == choosing.path[1] else s for s in fighter.skills
        )
        return force.with_fighter(replace(fighter, skills=tuple(skills)))
    upgrades = (
        replace(u, choices={**u.choices, key: value}) if u.key == choosing.path[1] else u for u in fighter.upgrades
    )
    return force.with_fighter(replace(fighter, upgrades=tuple(upgrades)))
