"""Reading what a rule of the table is told: in its own words, or in those a stranger might use for the same thing.

A struct names in `also` other words for its fields, in `raised` what may as well stand on an object inside it, and in `sunk` what may as
well stand beside such an object. Case, hyphens and blanks in a name do not matter, and null says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from rules.problems import Refusal
from rules.resolvers.rule import TableRule
from rules.trench_crusade.resolvers.inputs import RuleInput

# Names that rules share (docs: interchange formats). Where one bears on nothing, it may stand there as long as it says nothing.
SHARED = frozenset({
    "dice", "modifiers", "modifier", "base_dice", "armour", "ignore_armour", "unignorable_armour", "risky", "critical_keyword",
    "keywords", "blood_spent", "blessing_spent", "bloodbath", "target",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class CrusadeRule(TableRule):
    """A rule whose input is read generously."""

    def read(self, given: Mapping[str, Any] | bytes) -> Any:
        """The input, typed. Raises Refusal naming the field."""
        if isinstance(given, bytes):
            try:
                given = msgspec.json.decode(given)
            except msgspec.DecodeError as error:
                raise Refusal(f"This is no JSON: {error}.", code="input") from None
        if isinstance(given, Mapping):
            given = worded(self.data, given)
            fields = self.data.__struct_fields__  # type: ignore[attr-defined]
            given = {
                key: value
                for key, value in given.items()
                if key in fields or not (key in SHARED and _says_nothing(key, value))
            }
        return TableRule.read(self, given)


def _says_nothing(key: str, value: Any) -> bool:
    return value in (0, False, "", [], {}, ()) or (key == "base_dice" and value == 2)


@lru_cache(maxsize=256)
def other_names(kind: type) -> Mapping[str, str]:
    """Other words for the fields of a struct, those of what it is built on included."""
    return _along(kind, "also")


@lru_cache(maxsize=256)
def _along(kind: type, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        found.update(each.__dict__.get(name, {}))
    return found


def _single(kind: type) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(kind, "single", ())
    return names


@lru_cache(maxsize=256)
def _types(kind: type) -> Mapping[str, inspect.Type]:
    shape = inspect.type_info(kind)
    return {each.encode_name: each.type for each in shape.fields} if isinstance(shape, inspect.StructType) else {}


def worded(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """An object in the words of its struct. Raises Refusal for what is told twice; what nobody knows is left for msgspec to refuse."""
    types = _types(kind)
    found: dict[str, Any] = {}
    for key, value in given.items():
        name = _name(kind, types, key)
        if value is None and name in types and not _takes_null(types[name]):
            continue
        if name in _single(kind) and isinstance(value, int | str) and not isinstance(value, bool):
            value = [value]
        _put(found, name, _read(types[name], value) if name in types else value)
    for name, (inside, field) in _along(kind, "sunk").items():
        if name in found and isinstance(held := found.get(inside, {}), Mapping):
            sunk = {**held}
            _put(sunk, field, found.pop(name))
            found[inside] = _read(types[inside], sunk)
    for inside, names in _along(kind, "raised").items():
        held = found.get(inside)
        if isinstance(held, Mapping):
            held = held if inside in types else {_name(kind, names, key): value for key, value in held.items()}
            found[inside] = {name: value for name, value in held.items() if name not in names}
            for name, here in names.items():
                if name in held:
                    _put(found, here, _read(types[here], held[name]))
            if inside not in types and not found[inside]:
                del found[inside]
    return found


def _name(kind: type, types: Mapping[str, Any], key: str) -> str:
    words = key.strip().lower().replace("-", "_").replace(" ", "_")
    if key in types or words in types:
        return key if key in types else words
    return other_names(kind).get(words, words if words in SHARED or words in _along(kind, "sunk") else key)


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    if name in found and found[name] != value:
        raise Refusal(f"`{name}` is told twice.", mend="Say it once.", code="input")
    found[name] = value


def _bare(kind: inspect.Type) -> inspect.Type:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def _takes_null(kind: inspect.Type) -> bool:
    kind = _bare(kind)
    return isinstance(kind, inspect.UnionType) and any(isinstance(each, inspect.NoneType) for each in kind.types)


def _read(kind: inspect.Type, value: Any) -> Any:
    kind = _bare(kind)
    if isinstance(kind, inspect.UnionType):
        kind = next((part for each in kind.types if isinstance(part := _bare(each), inspect.StructType)), kind)
    if isinstance(kind, inspect.StructType) and issubclass(kind.cls, RuleInput) and isinstance(value, Mapping):
        return worded(kind.cls, value)
    if isinstance(kind, inspect.VarTupleType) and isinstance(value, list):
        return [_read(kind.item_type, each) for each in value]
    return value
