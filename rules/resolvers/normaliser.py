"""Normalising an input to the form of its schema.

The schema that `resolve --list` prints is the contract. Two deviations from it are accepted.

- Case, blanks and hyphens of enum words do not matter.
- A field of a nested object may be given next to that object, if only one nested object has such a field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

import msgspec
from msgspec import inspect

from rules.problems import Refusal
from rules.translation import gettext as _

MAX_QUOTED = 60
_SHAPES: Mapping[type, type[inspect.Type]] = {
    dict: inspect.StructType,
    list: inspect.VarTupleType,
    tuple: inspect.VarTupleType,
    str: inspect.LiteralType,
}


class RuleInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base class of every input. Unknown fields are not allowed.

    `also_called`: the names that a game's specification uses for fields; "" for an object that holds the fields of the
    input. `main`: the nested object that takes a field given next to several objects that have it.
    """

    also_called: ClassVar[Mapping[str, str]] = {}
    main: ClassVar[str] = ""

    @classmethod
    def completed(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The fields with those that follow from others."""
        return values


def plain(text: object) -> str:
    """Letters and figures only, in lower case."""
    return re.sub(r"[^a-z0-9]", "", str(text).lower())


def normalised(kind: inspect.Type, value: Any, at: str = "$") -> Any:
    """A value that stands at `at` in the input, in the form of its type. What does not fit otherwise is left for msgspec to refuse.

    Raises Refusal for a word that is not allowed, for an unknown field, and for a field that is given twice.
    """
    kind = bare(kind)
    if isinstance(kind, inspect.UnionType):
        kind = _branch(kind, value)
    if isinstance(kind, inspect.StructType) and isinstance(value, Mapping) and issubclass(kind.cls, RuleInput):
        fields, placed = struct_fields(kind.cls), _placed(kind.cls, value, at)
        return kind.cls.completed({
            name: normalised(fields[name], each, f"{at}.{name}") for name, each in placed.items()
        })  # fmt: skip
    if isinstance(kind, inspect.VarTupleType) and isinstance(value, list | tuple):
        return [normalised(kind.item_type, each, f"{at}[{index}]") for index, each in enumerate(value)]
    if isinstance(kind, inspect.LiteralType) and isinstance(value, str):
        return _word(kind, value, at)
    return value


def bare(kind: inspect.Type) -> inspect.Type:
    """A type without its bounds and descriptions."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


@lru_cache(maxsize=512)
def input_type(struct: type[RuleInput]) -> inspect.StructType:
    """What msgspec knows of a struct."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


@lru_cache(maxsize=512)
def struct_fields(struct: type[RuleInput]) -> Mapping[str, inspect.Type]:
    """The types of a struct's fields by their names in JSON."""
    return {field.encode_name: field.type for field in input_type(struct).fields}


@lru_cache(maxsize=512)
def _nested(struct: type[RuleInput]) -> Mapping[str, frozenset[str]]:
    """The nested objects of a struct, each with the names of its fields."""
    branches = {name: _branch(bare(kind), {}) for name, kind in struct_fields(struct).items()}
    return {
        name: frozenset(struct_fields(kind.cls))
        for name, kind in branches.items()
        if isinstance(kind, inspect.StructType) and issubclass(kind.cls, RuleInput)
    }


def _branch(kind: inspect.Type, value: Any) -> inspect.Type:
    """The branch of a union that a value is meant for; the type itself where it is no union, or where none fits."""
    if not isinstance(kind, inspect.UnionType):
        return kind
    branches = [bare(each) for each in kind.types]
    if isinstance(value, str) and any(isinstance(each, inspect.StrType) for each in branches):
        return kind
    fitting = next((shape for json, shape in _SHAPES.items() if isinstance(value, json)), None)
    return next((each for each in branches if fitting and isinstance(each, fitting)), kind)


def _word(kind: inspect.LiteralType, word: str, at: str) -> Any:
    known = {plain(value): value for value in kind.values if isinstance(value, str)}
    if word not in kind.values and plain(word) not in known:
        raise Refusal(
            _("“{word}” is none of the words that may stand here (at {at}).").format(word=word[:MAX_QUOTED], at=at),
            mend=_("Known: {sorted}.").format(sorted=", ".join(sorted(filter(None, map(str, kind.values)), key=len))),
            code="input",
        )
    return known[plain(word)]


def _placed(struct: type[RuleInput], given: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The fields of a struct by their names in the schema, each where it belongs. Raises Refusal."""
    values: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = {}
    for name, value in _renamed(struct, given, at):
        if name in struct_fields(struct):
            _put(values, name, value, at)
        else:
            _put(inside.setdefault(_holder(struct, name, at), {}), name, value, at)
    for holder, flat in inside.items():
        object_ = values.get(holder, {})
        if not isinstance(object_, Mapping):
            raise Refusal(
                _("`{next}` belongs into an object `{holder}` (at {at}.{holder}).").format(
                    next=next(iter(flat)), holder=holder, at=at
                ),
                code="input",
            )
        values[holder] = dict(object_)
        for name, value in flat.items():
            _put(values[holder], name, value, f"{at}.{holder}")
    return values


def _renamed(struct: type[RuleInput], given: Mapping[str, Any], at: str) -> list[tuple[str, Any]]:
    """The fields by their names in the schema; those of an object that stands for the input are taken out of it."""
    found: list[tuple[str, Any]] = []
    for key, value in given.items():
        name = struct.also_called.get(key, key)
        if not name and not isinstance(value, Mapping):
            raise Refusal(_("`{key}` is an object (at {at}.{key}).").format(key=key, at=at), code="input")
        found += [(name, value)] if name else value.items()
    return found


def _holder(struct: type[RuleInput], name: str, at: str) -> str:
    """The nested object that a field belongs into. Raises Refusal for a field that none has, or several have."""
    holders = [holder for holder, fields in _nested(struct).items() if name in fields]
    if struct.main in holders:
        return struct.main
    if not holders:
        known = ", ".join(struct_fields(struct)) or "none"
        raise Refusal(
            _("No field is called `{name}` (at {at}).").format(name=name[:MAX_QUOTED], at=at),
            mend=_("Known: {known}.").format(known=known),
            code="input",
        )
    if len(holders) > 1:
        raise Refusal(
            _("`{name}` may belong into {what} (at {at}).").format(
                name=name, what=" or ".join(f"`{each}`" for each in holders), at=at
            ),
            mend=_("Write it into the object."),
            code="input",
        )
    return holders[0]


def _put(values: dict[str, Any], name: str, value: Any, at: str) -> None:
    if name in values and values[name] != value:
        raise Refusal(
            _("`{name}` is given twice (at {at}).").format(name=name, at=at), mend=_("Give it once."), code="input"
        )
    values[name] = value
