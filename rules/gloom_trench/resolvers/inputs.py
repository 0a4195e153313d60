"""How a rule of this table is asked: typed inputs that also understand what else a stranger might call the same thing.

A struct names in `also` the other words for its fields, in `merged` the objects whose fields may as well stand beside them, in `listed`
the fields of a short form ([8, "D12"]), in `keyed` the fields that the keys and numbers of an object fill ({"Riflemen": 7}), in `named` the field that
a bare text fills, in `spelled` what a text says in words, in `filled` the field an object of counts alone is, in `passed_over` what may
stand there and does not matter to the rule. Choices are read without regard to case, hyphens and blanks ("Open Up", "d8", 8), numbers
with their sign as text too ("+6"), 0 and 1 for no and yes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import msgspec
from msgspec import inspect

from rules.custom.content import CustomContent
from rules.dice import NeedDice, TypedDice
from rules.formatting import dice_words, quantity
from rules.problems import Refusal
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller, TableDice
from rules.resolvers.rule import TableRule


class GloomInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every input shares: nothing unknown in it."""

    also: ClassVar[Mapping[str, str]] = {}
    merged: ClassVar[tuple[str, ...]] = ()
    listed: ClassVar[tuple[str, ...]] = ()
    keyed: ClassVar[tuple[str, str] | None] = None
    named: ClassVar[str] = ""
    spelled: ClassVar[Callable[[str], dict[str, Any] | None] | None] = None
    filled: ClassVar[str] = ""
    passed_over: ClassVar[frozenset[str]] = frozenset()
    specified: ClassVar[tuple[str, ...]] = ()  # other words that the specification of the rules itself uses


class Rolling(GloomInput, frozen=True, kw_only=True):
    """An input of a rule that rolls. `rolls`: natural results that fell already, used instead of dice, in the order of the rule."""

    rolls: int | tuple[int, ...] | None = None


@lru_cache(maxsize=256)
def shape(kind: type) -> inspect.Type:
    """What msgspec knows of a type."""
    return inspect.type_info(kind)


@lru_cache(maxsize=256)
def other_names(kind: type[GloomInput]) -> Mapping[str, str]:
    """Other words for the fields of a struct, those of what it is built on included."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        found.update(each.__dict__.get("also", {}))
    return found


@lru_cache(maxsize=256)
def merged_names(kind: type[GloomInput]) -> frozenset[str]:
    """Objects that may hold fields of this struct, those of what it is built on included."""
    return frozenset(name for each in kind.__mro__ for name in each.__dict__.get("merged", ()))


def tidied(kind: inspect.Type, given: Any, at: str = "$") -> Any:
    """What was given, in the words of the type, standing at `at` in the input.

    Raises Refusal naming the choices for a word that is none of them. What else cannot be understood is left for msgspec to refuse.
    """
    kind = bare(kind)
    if isinstance(kind, inspect.StructType):
        return _struct(kind, given, at)
    if isinstance(kind, inspect.UnionType):
        return _union(kind, given, at)
    if isinstance(kind, inspect.VarTupleType):
        if isinstance(given, dict) and isinstance(given.get("units"), list):
            given = given["units"]
        item = bare(kind.item_type)
        keyed = getattr(item.cls, "keyed", None) if isinstance(item, inspect.StructType) else None
        if keyed and isinstance(given, dict):
            name, count = keyed
            given = [{name: key, **(each if isinstance(each, dict) else {count: each})} for key, each in given.items()]
        if keyed and isinstance(given, list):
            given = [{keyed[1]: each} if type(each) is int else each for each in given]
        return [tidied(item, each, f"{at}[{n}]") for n, each in enumerate(given)] if isinstance(given, list) else given
    if isinstance(kind, inspect.LiteralType):
        return _literal(kind, given, at)
    if isinstance(kind, inspect.IntType) and isinstance(given, str) and (signed := _SIGNED.fullmatch(given.strip())):
        return int(signed[2]) * (1 if signed[1] == "+" else -1)
    if isinstance(kind, inspect.BoolType) and isinstance(given, int) and given in (0, 1):
        return bool(given)
    return given


def bare(kind: inspect.Type) -> inspect.Type:
    """A type without what describes it."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def plain(words: object) -> str:
    """Letters and figures only, small."""
    return re.sub(r"[^a-z0-9]", "", str(words).lower())


_SIGNED = re.compile(r"([+\-−])(\d{1,3})")
_IN_THE_OPEN = ("open", "openground", "intheopen", "no", "nothing")
MOST_QUOTED = 60


def _literal(kind: inspect.LiteralType, given: Any, at: str) -> Any:
    known = {plain(option): option for option in kind.values}
    if given is None or given is False:
        return known.get("none", given)
    if given in kind.values and not isinstance(given, bool):
        return given
    if isinstance(given, bool) or not isinstance(given, str | int):
        return given
    words = plain(given)
    for form in (words, f"d{words}", words.removesuffix("cover"), words.removesuffix("range")):
        if form in known:
            return known[form]
    if "solid" in known and words in _IN_THE_OPEN:
        return known["none"]
    raise Refusal(
        f"“{str(given)[:MOST_QUOTED]}” is none of the words that may stand here (at {at}).",
        mend=f"Known: {', '.join(sorted(map(str, kind.values), key=len))}.", code="input",
    )  # fmt: skip


def _union(kind: inspect.UnionType, given: Any, at: str) -> Any:
    types = [bare(each) for each in kind.types]
    structs = [each for each in types if isinstance(each, inspect.StructType)]
    rows = [each for each in types if isinstance(each, inspect.VarTupleType)]
    literals = [each for each in types if isinstance(each, inspect.LiteralType)]
    if structs and (
        isinstance(given, dict) or (_asked(structs[0]).listed and isinstance(given, list if literals else list | str))
    ):
        return tidied(structs[0], given, at)
    words = literals or any(isinstance(each, inspect.StrType) for each in types)
    if structs and isinstance(given, str) and (_asked(structs[0]).named or _asked(structs[0]).spelled) and not words:
        return tidied(structs[0], given, at)
    if rows and isinstance(given, list | dict):
        return tidied(rows[0], given, at)
    counts = any(isinstance(each, inspect.IntType | inspect.FloatType) for each in types)
    if literals and (isinstance(given, str) or (not counts and isinstance(given, int) and not isinstance(given, bool))):
        said = _asked(structs[0]).spelled if structs else None
        read = said(given) if said and isinstance(given, str) else None
        return tidied(literals[0], given, at) if read is None else tidied(structs[0], read, at)
    return given


def _asked(kind: inspect.StructType) -> type[GloomInput]:
    found: Any = kind.cls
    return found  # type: ignore[no-any-return]


def _struct(kind: inspect.StructType, given: Any, at: str) -> Any:
    struct = _asked(kind)
    if struct.spelled and isinstance(given, str):
        read = struct.spelled(given)
        given = given if read is None else read
    if struct.named and isinstance(given, str):
        given = {struct.named: given}
    if struct.listed and isinstance(given, str):
        given = [float(part) if re.fullmatch(r"\d+(\.\d+)?", part) else part for part in re.split(r"[\s/,:]+", given)]
    if struct.listed and isinstance(given, list) and len(given) == len(struct.listed):
        given = dict(zip(struct.listed, given, strict=True))
    if not isinstance(given, dict):
        return given
    fields = {each.encode_name: each.type for each in kind.fields}
    if struct.filled and given and not any(_name(struct, fields, key) in fields for key in given):
        given = {struct.filled: given} if all(type(each) is int for each in given.values()) else given
    flat: dict[str, Any] = {}
    for key, each in given.items():
        if key in struct.passed_over and key not in fields and _name(struct, fields, key) in given:
            continue  # another word for what is told already, and told for no more than that
        if key not in fields and key in merged_names(struct) and isinstance(each, dict):
            for inner, value in each.items():
                _put(flat, _name(struct, fields, inner), value)
        else:
            _put(flat, _name(struct, fields, key), each)
    return {
        key: tidied(fields[key], each, f"{at}.{key}") if key in fields else each
        for key, each in flat.items()
        if key in fields or key not in struct.passed_over
    }


def _name(struct: type[GloomInput], fields: Mapping[str, Any], key: Any) -> str:
    words = str(key).strip().lower().replace("-", "_").replace(" ", "_")
    return str(key) if key in fields else words if words in fields else other_names(struct).get(words, str(key))


def _put(flat: dict[str, Any], name: str, value: Any) -> None:
    if name in flat:
        raise Refusal(f"“{name}” is told twice.", mend="Say it once.", code="input")
    flat[name] = value


@dataclass(frozen=True, slots=True)
class GloomRule(TableRule):
    """A rule whose input is read generously, and whose dice may stand in the input (`rolls`)."""

    def read(self, given: Mapping[str, Any] | bytes) -> Any:
        """The input, typed. Raises Refusal naming the field."""
        if isinstance(given, bytes):
            try:
                given = msgspec.json.decode(given)
            except msgspec.DecodeError as error:
                raise Refusal(f"This is no JSON: {error}.", code="input") from None
        if isinstance(given, Mapping):
            given = tidied(shape(self.data), dict(given))
        return TableRule.read(self, given)

    def told(self) -> dict[str, Any]:
        """The rule as the console prints it: each parameter also by the name that the specification has for it."""
        told = TableRule.told(self)
        fields = told["input"]["properties"]
        for name in getattr(self.data, "specified", ()):
            field = other_names(self.data).get(name)
            fields[name] = fields[field] if field else {"type": "object"}
        return told


def ruled(
    name: str,
    words: str,
    data: type[GloomInput],
    resolve: Callable[[Any, Any, Roller], Resolved],
    *,
    dice: str = "none",
    source: str,
    outcomes: tuple[str, ...] = (),
    odds: Callable[[Any, Any], Odds] | None = None,
) -> GloomRule:
    """A rule that takes its dice from `rolls` where they are told."""

    def resolved(content: CustomContent, given: Any, roller: Roller) -> Resolved:
        fell = getattr(given, "rolls", None)
        if fell is None or not isinstance(roller, TableDice):
            return resolve(content, given, roller)
        if isinstance(roller.source, TypedDice) and roller.source.left:
            # Told in both places: the same faces, or how many of them.
            typed_too = tuple(roller.source.left)
            if fell in (len(typed_too), typed_too) or (fell,) == typed_too:
                return resolve(content, msgspec.structs.replace(given, rolls=None), roller)
            raise Refusal("The dice stand in `rolls` already.", mend="Tell them once.", code="dice")
        typed = TypedDice((fell,) if isinstance(fell, int) else fell)
        try:
            done = resolve(content, given, TableDice(typed))
        except NeedDice as need:
            raise Refusal(
                f"{need.why}: {dice_words(need.count)} of {need.sides} sides {'is' if need.count == 1 else 'are'} asked for, {len(typed.left)} are left in `rolls`.",
                code="dice",
            ) from None
        if typed.left:
            raise Refusal(
                f"{quantity(len(typed.left), 'die in `rolls` is', 'dice in `rolls` are')} not asked for.",
                mend="Leave out what is not rolled.", code="dice",
            )  # fmt: skip
        return done

    return GloomRule(name, words, data, resolved, dice, source, outcomes, odds)


def effects(**told: Any) -> tuple[Mapping[str, Any], ...]:
    """One-key tables, without what is None."""
    return tuple({name: each} for name, each in told.items() if each is not None)
