"""How an input is read before it is checked: words in any case, traits as flags, a platoon's fields beside it instead of inside.

A stranger types `{"quality": "Steady (4+)", "veteran": true}` where the schema says `{"platoon": {"quality": "steady", "traits":
["veteran"]}}`. Both mean the same here. What is told twice in two ways is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.table.rule import TableRule
from rules.trench_too_far.table.inputs import Platoon
from rules.trench_too_far.tables import HEAVY_TEAMS

TRAITS = (
    "aggressive", "close_order", "light_infantry", "infiltration", "raider", "rifle_drill", "veteran", "scouts"
)  # fmt: skip
# Other words for a field, for every rule that has the field.
FIELDS = {
    "bases": "bases_left",
    "shocked": "shocked_platoons",
    "wanted": "order",
    "indirect": "tally_had_indirect",
    "mortar": "tally_had_indirect",
    "artillery": "tally_had_indirect",
    "distance_to_enemy": "nearest_enemy",
    "nearest_enemy_distance": "nearest_enemy",
    "closest_enemy": "nearest_enemy",
    "closest_distance": "nearest_enemy",
    "close_order_target": "target_close_order",
    "target_in_close_order": "target_close_order",
    "kind": "type",
    "unit_type": "type",
    "current_bases": "bases",
    "starting_bases": "start_bases",
    "trenches": "in_trenches",
    "in_trench": "in_trenches",
    "entrenched": "in_trenches",
    "building": "in_building",
    "fortification": "in_building",
    "in_fortification": "in_building",
    "outstanding": "outstanding_officer",
    "officer": "outstanding_officer",
    "commander": "outstanding_officer",
    "mortar_or_artillery": "tally_had_indirect",
    "artillery_or_mortar": "tally_had_indirect",
    "had_indirect": "tally_had_indirect",
    "flank": "enemy_to_flank_or_rear",
    "enemy_to_flank": "enemy_to_flank_or_rear",
    "enemy_to_rear": "enemy_to_flank_or_rear",
    "flanked": "enemy_to_flank_or_rear",
    "enemy_flank_or_rear": "enemy_to_flank_or_rear",
    "overhead_protection": "overhead",
    "indirect_fire": "indirect",
    "blind": "indirect",
    "k": "shocked_platoons",
    "shocked_count": "shocked_platoons",
    "command_distance": "distance",
    "gap": "max_gap",
    "heavy_weapon_teams": "heavy_teams",
    "heavy_weapons_teams": "heavy_teams",
    "weapons_teams": "heavy_teams",
    "lost_infantry_bases": "lost",
    "infantry_bases_lost": "lost",
    "crossing_trench": "crossing",
    "modifier": "mod",
    "save_modifier": "mod",
    "tank_class": "class",
    "vehicle_class": "class",
    "reliability": "kind",
    "jam_dice": "dice",
    "target_closed": "target_close_order",
    "failed_assault_motivation": "failed_motivation",
    "commander_enemy_distance": "commander_distance",
    "heavy_team_target": "heavy_team",
    "target_vehicle": "vehicle",
    "is_closest": "closest",
    "enemy_distance": "nearest_enemy",
    "attacking_dice": "dice",
    "count": "dice",
}
# What is read the other way round: the field it stands for, which is then false.
OPPOSITE = {"stationary": "moved", "commander_dead": "commander_alive", "commander_killed": "commander_alive"}
KEYS = ("type", "kind", "quality", "weapon", "position", "order", "class", "cause", "how", "disrupted")
LISTS = ("traits", "state")
SAME = {
    "type": {
        "infantry": "rifle", "rifles": "rifle", "infantry-rifle": "rifle", "rifle-infantry": "rifle", "standard-infantry": "rifle",
        "heavy": "heavy-infantry", "assault-troops": "assault", "assault-infantry": "assault", "engineer": "engineers",
        "remnants": "remnant", "mortar": "trench-mortar", "artillery": "field-artillery", "machine-gun": "hmg",
        "antitank-gun": "anti-tank-gun", "antitank-rifle": "anti-tank-rifle", "snipers": "sniper", "field-gun": "field-artillery",
    },
    "weapon": {
        "rifle": "rifles", "carbine": "carbines", "mortar": "trench-mortar", "field-gun": "field-artillery", "antitank-gun": "anti-tank-gun",
        "at-gun": "anti-tank-gun", "antitank-rifle": "anti-tank-rifle", "at-rifle": "anti-tank-rifle", "tank-ap": "tank-gun-ap",
        "tank-shell": "tank-gun-shell", "tank-gun-shells": "tank-gun-shell", "tank-gun": "tank-gun-shell", "infantry-lmg": "infantry",
    },
    "position": {
        "close-order": "closed", "closed-order": "closed", "closed-order-infantry": "closed", "close": "closed", "none": "dispersed",
        "dispersed-infantry": "dispersed", "open": "dispersed", "in-the-open": "dispersed", "in-cover": "cover",
        "entrenchments": "entrenched", "trench": "entrenched", "trenches": "entrenched", "in-trenches": "entrenched",
    },
    "traits": {"scout": "scouts", "raiders": "raider", "closed-order": "close-order"},
    "class": {"armored-car": "armoured-car", "light-tank": "light", "medium-tank": "medium", "heavy-tank": "heavy"},
    "state": {"none": "fresh", "immobilized": "immobilised", "damage": "damaged"},
    "cause": {
        "commander-is-killed": "commander-killed", "commander": "commander-killed", "tank": "tank-attack", "shocked": "shocked-platoons",
    },
    "disrupted": {"until-rally": "until-rallied"},
}  # fmt: skip
SPELLING = {"immobilized": "immobilised", "immobilized_vehicles": "immobilised_vehicles"}
WRAPPERS = ("ctx", "context", "company", "team", "unit")
PLATOONS = ("platoon", "side", "defender", "attacker", "firer")
# What describes who is fired at, where it stands beside both.
TARGETS_OWN = (
    "position",
    "tally",
    "tally_had_indirect",
    "in_trenches",
    "trenches",
    "entrenched",
    "in_building",
    "building",
)


def _slug(key: str, word: str) -> str:
    """The word in the schema's spelling: "Steady (4+)" as "steady", "Trench mortar" as "trench-mortar"."""
    plain = re.sub(r"[^a-z0-9]+", "-", word.strip().lower()).strip("-")
    if key in ("quality", "class", "position"):
        plain = re.sub(r"-\d$", "", plain)
    if key == "order":
        plain = re.sub(r"-orders?$", "", plain)
    return SAME.get(key, {}).get(plain, plain)


def _names(data: Any) -> dict[str, Any]:
    """The fields of a struct by the names they have in JSON."""
    return {each.encode_name: each for each in msgspec.structs.fields(data)}


def _put(into: dict[str, Any], key: str, what: Any) -> None:
    if key in into and into[key] != what:
        raise Refusal(f"“{key}” is told twice, in two ways.", code="input")
    into[key] = what


def worded(given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """One table with fields and words in the schema's spelling; `known` are the fields that the rule has anywhere."""
    told: dict[str, Any] = {}
    traits: list[Any] = []
    for raw, held in given.items():
        key = raw if raw in known else raw.strip().lower().replace("-", "_").replace(" ", "_")
        key = SPELLING.get(key, key)
        if key not in known and key in FIELDS and FIELDS[key] in known:
            key = FIELDS[key]
            if key == "outstanding_officer" and isinstance(held, str):
                held = held.strip().lower() == "outstanding"
        elif key not in known and key in OPPOSITE and isinstance(held, bool):
            key, held = OPPOSITE[key], not held
        elif key not in known and key in TRAITS and isinstance(held, bool) and "traits" in known:
            if held:
                traits.append(key.replace("_", "-"))
            continue
        elif (
            key not in known and key in ("defend", "defending", "on_defend", "defend_order") and isinstance(held, bool)
        ):
            if not held:
                continue
            key, held = "order", "defend"
        if key in KEYS and isinstance(held, str):
            held = _slug(key, held)
        if key in LISTS and isinstance(held, str):
            held = [held]
        if key == "state" and isinstance(held, Mapping):
            held = [name for name, stands in held.items() if stands is True]
        if key in LISTS and isinstance(held, list):
            held = [_slug(key, each) if isinstance(each, str) else each for each in held]
        if key in ("save_target", "hit_target") and isinstance(held, str):
            held = _target(held)
        if key == "position" and held in ("building", "fortification"):
            _put(told, "in_building", True)
            held = "cover" if held == "building" else "entrenched"
        if key == "bases" and isinstance(held, list):
            held = [worded({"weapon": each}, {"weapon": 0}) if isinstance(each, str) else _inner(each) for each in held]
        if key in ("platoons", "tanks", "companies", "strikers", "sides") and isinstance(held, list):
            held = [_inner(each) for each in held]
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


def _inner(each: Any) -> Any:
    return worded(each, dict.fromkeys(INNER)) if isinstance(each, Mapping) else each


def _target(word: str) -> Any:
    """4 for "4+"; None for "none"."""
    plain = word.strip().lower()
    if plain in ("none", "no", "-", ""):
        return None
    return int(plain.rstrip("+")) if re.fullmatch(r"[1-7]\+?", plain) else word


def _gathered(given: Mapping[str, Any]) -> dict[str, Any]:
    """A fight by fire with all that is told of its target in one place."""
    told: dict[str, Any] = {}
    target: dict[str, Any] = {}
    for raw, held in given.items():
        key = raw.strip().lower().replace("-", "_").replace(" ", "_")
        if key in ("target", "defender"):
            for name, what in (held if isinstance(held, Mapping) else {"position": held}).items():
                _put(target, name, what)
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
    for raw, held in given.items():
        key = raw.strip().lower()
        if key in ("attackers", "defenders") and key[:-1] in own:
            _put(told, key[:-1], held)
        elif key in ("target", "tank", "vehicle") and isinstance(held, Mapping) and "tanks" in own:
            _put(told, "tanks", [held])
        elif key == "target" and isinstance(held, Mapping) and ("target_close_order" in own or "heavy_team" in own):
            target = worded(held, dict.fromkeys(INNER))
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
    return told


def arranged(given: Mapping[str, Any], data: Any, main: str) -> dict[str, Any]:
    """The input as the schema has it. `main` names the field that holds the platoon, "" where there is none."""
    own = _names(data)
    inner = _names(Platoon) if main else {}
    known = {**inner, **own}
    flat: dict[str, Any] = {}
    nested: dict[str, Any] = {}
    for key, held in (_gathered(given) if "target" in own else _aimed_at(given, own)).items():
        plain = key.strip().lower()
        inside = bool(main) and plain not in own and plain in (*PLATOONS, "team", "unit")
        if isinstance(held, Mapping) and main and (plain == main or inside):
            for name, what in worded(held, known).items():
                _put(nested, name, what)
        elif isinstance(held, Mapping) and plain in (*WRAPPERS, *PLATOONS) and plain not in own:
            for name, what in worded(held, known).items():
                _put(flat, name, what)
        elif isinstance(held, Mapping) and plain in own and plain != "state":
            flat[plain] = worded(held, inner or dict.fromkeys(INNER))
        else:
            for name, what in worded({key: held}, known).items():
                if name == "traits" and name in flat and isinstance(what, list) and isinstance(flat[name], list):
                    flat[name] = [*flat[name], *what]
                else:
                    _put(flat, name, what)
    if not main:
        return flat
    for key in [key for key in flat if key not in own and key in inner]:
        what = flat.pop(key)
        if key == "traits" and isinstance(what, list) and isinstance(nested.get(key, []), list):
            nested[key] = [*nested.get(key, []), *what]
        else:
            _put(nested, key, what)
    for key in [key for key in nested if key not in inner and key in own]:
        _put(flat, key, nested.pop(key))
    if nested:
        flat[main] = nested
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
        """The rule as `--list` prints it, with a line on what else is understood."""
        told = TableRule.told(self)
        also = "Words are read in any case; traits may be told as flags (veteran: true); what stands in ctx may stand beside it."
        if self.main:
            also += f" The fields of {self.main} may stand beside it, too."
        return {**told, "also": also}
