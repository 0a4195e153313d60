"""How an input is read before it is checked: words in any case, traits as flags, a platoon's fields beside it instead of inside.

A stranger types `{"quality": "Steady (4+)", "veteran": true}` where the schema says `{"platoon": {"quality": "steady", "traits":
["veteran"]}}`. Both mean the same here. What is told twice in two ways is refused.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.resolvers.rule import TableRule
from rules.trench_too_far.charts import HEAVY_TEAMS, SAVE
from rules.trench_too_far.resolvers import model
from rules.trench_too_far.resolvers.answers import EFFECTS
from rules.trench_too_far.resolvers.inputs import Base, InitiativeSide, Platoon, RallyCompany, Tank
from rules.trench_too_far.resolvers.synonyms import (
    EITHER,
    FIELDS,
    FLAGS,
    KEYS,
    LISTS,
    OPPOSITE,
    PLATOONS,
    SAME,
    SIDES,
    SPELLING,
    TARGETS_OWN,
    TRAITS,
    TYPES,
    VEHICLES,
    WRAPPERS,
)


def _slug(key: str, word: str) -> str:
    """The word in the schema's spelling: "Steady (4+)" as "steady", "Trench mortar" as "trench-mortar"."""
    plain = re.sub(r"[^a-z0-9]+", "-", word.strip().lower()).strip("-")
    if key in ("quality", "class", "position"):
        plain = re.sub(r"-\d$", "", plain)
    if key == "order":
        plain = re.sub(r"-orders?$", "", plain)
    return SAME.get(key, {}).get(plain, plain)


@cache
def _names(data: Any) -> Mapping[str, Any]:
    """The fields of a struct by the names they have in JSON. Kept: looking a struct over costs more than reading an input."""
    return {each.encode_name: each for each in msgspec.structs.fields(data)}


def _put(into: dict[str, Any], key: str, what: Any) -> None:
    if key in into and into[key] != what:
        raise Refusal(f"“{key}” is told twice, in two ways.", code="input")
    into[key] = what


def worded(given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """One table with fields and words in the schema's spelling; `known` are the fields that the rule has anywhere."""
    told: dict[str, Any] = {}
    traits: list[Any] = []
    for raw, held in model.opened(given, known).items():
        key = raw if raw in known else model.plain(raw)
        key = SPELLING.get(key, key)
        if key not in known and key in FIELDS and FIELDS[key] in known:
            key = FIELDS[key]
            if key == "outstanding_officer" and isinstance(held, str):
                held = held.strip().lower() == "outstanding"
        elif key not in known and (other := next((each for each in EITHER.get(key, ()) if each in known), None)):
            key = other
        elif key not in known and key in OPPOSITE and isinstance(held, bool):
            key, held = OPPOSITE[key], not held
        elif key not in known and key in TRAITS and isinstance(held, bool) and "traits" in known:
            if held:
                traits.append(key.replace("_", "-"))
            continue
        elif key not in known and key in TYPES and isinstance(held, bool) and "type" in known:
            if not held:
                continue
            key, held = "type", TYPES[key]
        elif key == "mode" and key not in known and isinstance(held, str) and "harassing" in known:
            key = model.plain(held)
            if key in ("normal", "direct"):
                continue
            held = True
            if key not in ("harassing", "indirect") or key not in known:
                raise Refusal(
                    f"“{key[:40]}” is no mode of fire here.", mend="Tell harassing or indirect.", code="input"
                )
        elif key in ("in_the_open", "open") and key not in known and isinstance(held, bool) and "position" in known:
            if not held:
                continue
            key, held = "position", "dispersed"
        elif key == "sniper" and key not in known and isinstance(held, bool) and "weapon" in known:
            if not held:
                continue
            key, held = "weapon", "sniper"
        elif (
            key not in known
            and key in ("defend", "defending", "on_defend", "defend_order", "defend_orders")
            and isinstance(held, bool)
        ):
            if not held:
                continue
            key, held = "order", "defend"
        if key in KEYS and isinstance(held, str):
            held = _slug(key, held)
        if key in LISTS and isinstance(held, str):
            held = [held]
        if key == "state" and isinstance(held, Mapping):
            held = model.states(held)
        if key in LISTS and isinstance(held, list):
            held = [_slug(key, each) if isinstance(each, str) else each for each in held]
        if key in ("save_target", "hit_target") and isinstance(held, str):
            held = _target(held)
        if key == "traits" and isinstance(held, list):
            for each in [each for each in held if isinstance(each, str) and each in FLAGS]:
                field, what = FLAGS[each]
                if field in known:
                    held = [other for other in held if other != each]
                    _put(told, field, what)
        if key == "position" and held in ("building", "fortification"):
            _put(told, "in_building", True)
            held = "cover" if held == "building" else "entrenched"
        if key == "bases" and isinstance(held, list):
            held = [worded({"weapon": each}, {"weapon": 0}) if isinstance(each, str) else _base(each) for each in held]
        if key == "companies" and isinstance(held, list) and "with_rally" in known:
            held = [each.get("name", each) if isinstance(each, Mapping) else each for each in held]
        elif key in ROWS and isinstance(held, list):
            held = [_row(each, ROWS[key]) for each in held]
        _put(told, key, held)
    if traits:
        before = told.get("traits", [])
        told["traits"] = [*(before if isinstance(before, list) else [before]), *traits]
    return told


INNER = {
    *_names(Platoon),
    *("count", "distance", "class", "immobilised", "destroyed", "shocked_platoons", "disrupted", "commander_alive", "immobilised_vehicles"),
    *("militia", "save_modifier"),
}  # fmt: skip


# What stands in the lists of an input.
ROWS = {"platoons": Platoon, "strikers": Platoon, "tanks": Tank, "companies": RallyCompany, "sides": InitiativeSide}


def _row(each: Any, data: Any) -> Any:
    if not isinstance(each, Mapping):
        return each
    known = _names(data)
    told = worded(model.vehicle(each) if data is Tank else each, known)
    return model.asked(model.typed(told) if data is Platoon else told, known)


def _base(each: Any) -> Any:
    """A base of a platoon. Its `kind` (a squad, an attached stand) is the force's matter, unless it names the weapon."""
    if not isinstance(each, Mapping):
        return each
    told = {key: held for key, held in each.items() if model.plain(key) not in ("kind", "type")}
    if "weapon" not in map(model.plain, told):
        named = [held for key, held in each.items() if model.plain(key) in ("kind", "type")]
        told |= {"weapon": named[0]} if named else {}
    return worded(told, _names(Base))


def _target(word: str) -> Any:
    """4 for "4+"; None for "none"."""
    plain = word.strip().lower()
    if plain in ("none", "no", "-", ""):
        return None
    return int(plain.rstrip("+")) if re.fullmatch(r"[1-7]\+?", plain) else word


def _at_vehicles() -> Refusal:
    return Refusal("Fire at vehicles goes by saves of their own.", mend="Ask tank-fire.", code="input")


def _gathered(given: Mapping[str, Any]) -> dict[str, Any]:
    """A fight by fire with all that is told of its target in one place."""
    told: dict[str, Any] = {}
    target: dict[str, Any] = {}
    for raw, held in given.items():
        key = model.plain(raw)
        if key in ("target", "defender"):
            for name, what in (held if isinstance(held, Mapping) else {"position": held}).items():
                _put(target, name, what)
            if {"class", "reliability", "vehicles"} & set(map(model.plain, target)):
                raise _at_vehicles()
        elif key in ("tank", "tanks", "vehicle", "vehicles", "class"):
            raise _at_vehicles()
        elif key.startswith("target_"):
            _put(target, key.removeprefix("target_"), held)
        elif key in TARGETS_OWN:
            _put(target, key, held)
        else:
            told[raw] = held
    return {**told, "target": target} if target else told


def _aimed_at(given: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A target that is told as a table, for rules that ask of it a few things only; sides in the plural."""
    told: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    aimed: dict[str, Any] = {}
    for raw, held in given.items():
        key = model.plain(raw)
        side, _, rest = key.partition("_")
        if side in ("attacker", "defender") and rest and key not in own and side in own:
            parts.setdefault(side, {})[rest] = held
        elif "target_close_order" in own and key in ("close_order", "closed") and isinstance(held, bool):
            _put(told, "target_close_order", held)
        elif "target_close_order" in own and (
            key in ("target_position", "position") or (key == "target" and isinstance(held, str))
        ):
            if isinstance(held, str) and _slug("position", held) not in SAVE:
                raise Refusal(f"“{held[:40]}” is no position.", mend=f"Known: {', '.join(SAVE)}.", code="input")
            _put(told, "target_close_order", _slug("position", held) == "closed" if isinstance(held, str) else held)
        elif "heavy_team" in own and key.startswith("target_") and key not in own and key not in FIELDS:
            aimed[key.removeprefix("target_")] = held
        elif key in ("attackers", "defenders") and key[:-1] in own:
            _put(told, key[:-1], held)
        elif key in ("target", "tank", "vehicle") and isinstance(held, Mapping) and "tanks" in own:
            _put(told, "tanks", [held])
        elif key == "target" and isinstance(held, Mapping) and ("target_close_order" in own or "heavy_team" in own):
            target = model.typed(worded(held, dict.fromkeys(INNER)))
            if "target_close_order" in own and (
                "close-order" in target.get("traits", ()) or target.get("position") == "closed"
            ):
                _put(told, "target_close_order", True)
            if "heavy_team" in own and (target.get("type") in HEAVY_TEAMS or target.get("heavy_team") is True):
                _put(told, "heavy_team", True)
            if "vehicle" in own and target.get("type") == "tank":
                _put(told, "vehicle", True)
        else:
            _put(told, raw, held)
    if aimed:
        for name, what in _aimed_at({"target": aimed}, own).items():
            _put(told, name, what)
    for side, fields in parts.items():
        before = told.get(side, {})
        if not isinstance(before, Mapping) or set(fields) & set(before):
            raise Refusal(f"The {side} is told twice, in two ways.", code="input")
        told[side] = {**before, **fields}
    return told


def _unwrapped(given: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in ctx as if it stood beside it."""
    told: dict[str, Any] = {}
    for raw, held in given.items():
        inside = isinstance(held, Mapping) and model.plain(raw) in ("ctx", "context")
        for name, what in held.items() if inside else ((raw, held),):
            _put(told, name, what)
    return told


def _flattened(held: Mapping[str, Any], inner: Mapping[str, Any]) -> Mapping[str, Any]:
    """A side with its platoon as one table."""
    platoon = held.get("platoon")
    if not isinstance(platoon, Mapping) or "platoon" in inner:
        return held
    told = dict(platoon)
    for name, what in held.items():
        if name != "platoon":
            _put(told, name, what)
    return told


def arranged(given: Mapping[str, Any], data: Any, main: str) -> dict[str, Any]:
    """The input as the schema has it. `main` names the field that holds the platoon, "" where there is none."""
    own = _names(data)
    inner = _names(Platoon) if main else {}
    known = {**inner, **own}
    flat: dict[str, Any] = {}
    nested: dict[str, Any] = {}
    beside: dict[str, Any] = {}
    given = _unwrapped(given)
    for key, held in (_gathered(given) if "target" in own else _aimed_at(given, own)).items():
        word = model.plain(key)
        inside = bool(main) and word not in own and word in (*PLATOONS, "team", "unit")
        if isinstance(held, Mapping) and main and (word == main or inside):
            for name, what in model.asked(worded(_flattened(held, inner), known), known).items():
                _put(nested, name, what)
        elif (
            isinstance(held, Mapping)
            and word in (*WRAPPERS, *PLATOONS, *(() if main else VEHICLES))
            and word not in own
        ):
            for name, what in model.asked(worded(held, known), known).items():
                _put(flat, name, what)
        elif isinstance(held, Mapping) and word in own and word != "state":
            fields = inner or dict.fromkeys(INNER)
            told = worded(_flattened(held, inner), fields)
            flat[word] = model.typed(model.asked(told, _names(Platoon))) if word in SIDES else told
        elif word == "team" and main and word not in own and isinstance(held, str):
            _put(beside, "weapon", held)
        else:
            _put(beside, key, held)
    for name, what in worded(beside, known).items():
        if name == "traits" and name in flat and isinstance(what, list) and isinstance(flat[name], list):
            flat[name] = [*flat[name], *what]
        else:
            _put(flat, name, what)
    if not main:
        return model.typed(flat) if {"type", "weapon"} <= set(own) else flat
    for key in [key for key in flat if key not in own and key in inner]:
        what = flat.pop(key)
        if key == "traits" and isinstance(what, list) and isinstance(nested.get(key, []), list):
            nested[key] = [*nested.get(key, []), *what]
        else:
            _put(nested, key, what)
    for key in [key for key in nested if key not in inner and key in own]:
        _put(flat, key, nested.pop(key))
    if nested:
        flat[main] = model.typed(nested)
    return flat


@dataclass(frozen=True, slots=True)
class TroopRule(TableRule):
    """A rule of this game. `main`: the field whose own fields may stand beside it."""

    main: str = ""

    def read(self, given: Mapping[str, Any] | bytes) -> Any:
        """The input, typed. Raises Refusal naming the field."""
        if isinstance(given, bytes):
            try:
                given = msgspec.json.decode(given)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Refusal(f"This is no JSON: {error}.", code="input") from None
        if not isinstance(given, Mapping):
            raise Refusal("The input is no JSON object.", code="input")
        return TableRule.read(self, arranged(given, self.data, self.main))

    def told(self) -> dict[str, Any]:
        """The rule as the console prints it, with what its answer holds."""
        answers = " ".join(inspect.cleandoc(self.resolve.__doc__ or "").split())
        return {**TableRule.told(self), "answers": answers, "effects": list(EFFECTS[self.name])}


def other_names(data: Any, main: str) -> dict[str, str]:
    """Other names for fields of a rule: by the name the field they stand for."""
    own = _names(data)
    parts = [Platoon] if main or set(SIDES) & set(own) else []
    fields = set(own).union(*(_names(part) for part in parts))
    found = {name: field for name, field in FIELDS.items() if name not in fields and field in fields}
    for name, either in EITHER.items():
        field = next((each for each in either if each in fields), None)
        if name not in fields and name not in found and field is not None:
            found[name] = field
    return dict(sorted(found.items()))
