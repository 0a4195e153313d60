"""Whole documents told to a rule that asks for less: a company with its commander, a platoon with all its state, a vehicle.

A force keeps more of a platoon than any one rule asks for. Who hands it over whole is understood: what the rule does not ask for is left
out, as long as it is a field of the model; a field nobody knows stays, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.problems import Refusal
from rules.trench_too_far.charts import HEAVY_TEAMS

# What a force keeps of its companies, platoons, weapons teams and vehicles; rules leave out what they do not ask for.
FIELDS = frozenset(
    {
        "name", "type", "quality", "traits", "grenades", "close_combat_weapons", "dismounted", "bases", "current_bases", "start_bases", "position",
        "went_prone_this_turn", "shocked", "fresh", "tally", "dice_tally", "tally_had_indirect", "stranded", "destroyed",
        "advance_allowed", "platoons", "weapons_teams", "tank_platoons", "order", "disrupted", "must_defend_next",
        "lost_infantry_bases", "activated", "commander_alive", "outstanding_officer",
        "class", "movement", "reliability", "machine_guns", "guns", "state", "immobilised", "damaged", "vehicles",
    }
)  # fmt: skip
TEAMS = (
    "teams",
    "weapons_teams",
    "heavy_teams",
    "heavy_weapons_teams",
    "heavy_weapon_teams",
    "heavy_weapons",
    "heavy_weapons_team",
    "hmg_teams",
)
COMMANDER = ("name", "rating", "alive", "replaced")
STATES = ("immobilised", "immobilized", "damaged", "destroyed")
# A weapon that makes a single base with it a weapons team, and the team it makes.
SERVED = {**{team: team for team in HEAVY_TEAMS}, "artillery": "field-artillery", "sniper": "sniper"}


def plain(key: str) -> str:
    """A field's name in the schema's spelling."""
    return key.strip().lower().replace("-", "_").replace(" ", "_")


def _tables(held: Any) -> list[Mapping[str, Any]] | None:
    return held if isinstance(held, list) and all(isinstance(each, Mapping) for each in held) else None


def opened(given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """A table with its own parts as fields: flags, a commander, vehicles, teams, the bases that are left. `known`: those of the rule."""
    told = {raw if raw in known else plain(raw): held for raw, held in given.items()}
    if len(told) < len(given):
        raise Refusal("A field is told twice, in two spellings.", mend="Tell it once.", code="input")
    flags = told.get("flags")
    if isinstance(flags, list) and "flags" not in known and all(isinstance(each, str) for each in flags):
        del told["flags"]
        told = {**dict.fromkeys(map(plain, flags), True), **told}
    commander = told.get("commander")
    if isinstance(commander, Mapping):
        del told["commander"]
        if "commander_alive" in known and "alive" in commander:
            told["commander_alive"] = commander["alive"]
        if "outstanding_officer" in known and isinstance(commander.get("rating"), str):
            outstanding = plain(commander["rating"]) == "outstanding"
            told["outstanding_officer"] = outstanding and commander.get("alive") is not False
        for key, held in commander.items():
            word = plain(key)
            if word not in COMMANDER:
                if "commander_distance" not in known:
                    raise Refusal(
                        f"“{key[:40]}” is nothing a commander has here.", mend="Tell rating and alive.", code="input"
                    )
                told[word if word.startswith("commander_") else f"commander_{word}"] = held
    if "heavy_teams" in known:
        for key in TEAMS:
            if key in told:
                teams = told.pop(key)
                told["heavy_teams"] = len(teams) if isinstance(teams, list) else teams
    if told.get("destroyed") is True and "bases" in known and "destroyed" not in known:
        told = {key: held for key, held in told.items() if key != "current_bases"} | {"bases": 0}
    return _vehicles(_counted(_left(told, known), known), known)


def _counted(told: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Shocked platoons as their number, a company's trait and a vehicle's states as the fields that a rule asks for."""
    platoons = _tables(told.get("platoons"))
    if (
        platoons is not None
        and "platoons" not in known
        and "shocked_platoons" in known
        and "shocked_platoons" not in told
    ):
        told["shocked_platoons"] = sum(each.get("shocked") is True for each in platoons)
        del told["platoons"]
    traits = told.get("traits")
    if (
        isinstance(traits, list)
        and "aggressive" in known
        and "traits" not in known
        and all(isinstance(each, str) for each in traits)
    ):
        told.setdefault("aggressive", True if "aggressive" in map(plain, traits) else None)
        del told["traits"]
    if "state" in known and "class" not in known:
        for each in [each for each in ("immobilised", "immobilized", "damaged") if each in told and each not in known]:
            if not isinstance(told[each], bool):
                raise Refusal(f"“{each}” is neither true nor false.", code="input")
            within = told.get("state") or []
            if isinstance(within, list) and told[each]:
                told["state"] = [*within, each]
            if isinstance(within, list):
                del told[each]
    return told


def _left(told: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The bases that are left, where those of the start are told beside them."""
    bases, current = told.get("bases"), told.get("current_bases")
    if "bases" not in known or isinstance(current, bool) or not isinstance(current, int) or bases is None:
        return told
    rest = {key: held for key, held in told.items() if key != "current_bases"}
    if isinstance(bases, int) and not isinstance(bases, bool) and bases > current and "start_bases" not in told:
        return {**rest, "bases": current, "start_bases": bases}
    rows = _tables(bases)
    if (
        rows is not None
        and len({str(row.get("weapon")) for row in rows}) == 1
        and not any("count" in row for row in rows)
    ):
        start = {} if "start_bases" in told or len(rows) <= current else {"start_bases": len(rows)}
        return {**rest, **start, "bases": rows[:current]} if current <= len(rows) else told
    return told


def _vehicles(told: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """A tank platoon as one by its machine guns, a company's tank platoons among its platoons."""
    vehicles = _tables(told.get("vehicles"))
    if vehicles and "immobilised_vehicles" in known and "vehicles" not in known and "tanks" not in known:
        told.setdefault("immobilised_vehicles", sum(_stands(each, "immobilised") for each in vehicles))
        del told["vehicles"]
    elif vehicles and "vehicles" not in known:
        if "tanks" in known and "tanks" not in told:
            told["tanks"] = vehicles
            del told["vehicles"]
        elif "machine_guns" in known:
            standing = [each for each in vehicles if not _stands(each, "destroyed")]
            told = {"type": "tank", "machine_guns": [each.get("machine_guns", 0) for each in standing], **told}
            told.setdefault("bases", len(standing))
            del told["vehicles"]
    tanks = _tables(told.get("tank_platoons"))
    if tanks is not None and "platoons" in known and isinstance(told.get("platoons", []), list):
        told["platoons"] = [*told.get("platoons", []), *({"type": "tank", **each} for each in tanks)]
        if "immobilised_vehicles" in known and "immobilised_vehicles" not in told:
            rows = [vehicle for each in tanks for vehicle in _tables(each.get("vehicles")) or ()]
            told["immobilised_vehicles"] = sum(
                _stands(row, "immobilised") and not _stands(row, "destroyed") for row in rows
            )
        del told["tank_platoons"]
    return told


def _stands(vehicle: Mapping[str, Any], state: str) -> bool:
    """Whether a vehicle is in a state, told as a field, in a table or in a list."""
    within = vehicle.get("state")
    if isinstance(within, Mapping):
        return within.get(state) is True
    return vehicle.get(state) is True or (isinstance(within, list) and state in within) or within == state


def states(held: Mapping[str, Any]) -> list[str]:
    """The states that hold of those told as a table. Raises Refusal for what is neither true nor false."""
    for name, stands in held.items():
        if not isinstance(stands, bool):
            raise Refusal(f"“{str(name)[:40]}” is neither true nor false (at $.state).", code="input")
    return [name for name, stands in held.items() if stands]


def asked(told: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """A whole table without those fields of the model that `fields` does not ask for."""
    return {key: held for key, held in told.items() if key in fields or key not in FIELDS}


def vehicle(told: Mapping[str, Any]) -> dict[str, Any]:
    """A vehicle with its states as fields of their own."""
    held = told.get("state")
    if held is None:
        return dict(told)
    names = states(held) if isinstance(held, Mapping) else [held] if isinstance(held, str) else held
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise Refusal(
            "A vehicle's state is a list of words.", mend="Tell immobilised, damaged or destroyed.", code="input"
        )
    rest = {key: what for key, what in told.items() if key != "state"}
    for each in map(plain, names):
        if each in STATES:
            rest["immobilised" if each == "immobilized" else each] = True
        elif each not in ("fresh", "none"):
            raise Refusal(
                f"“{each[:40]}” is no state of a vehicle.", mend="Tell immobilised, damaged or destroyed.", code="input"
            )
    return rest


def typed(told: dict[str, Any]) -> dict[str, Any]:
    """A platoon whose weapon or guns tell what it is: one base with a machine gun is a weapons team, guns alone are a tank's.

    Cavalry that dismounted is infantry from then on. Source: core rules, "Cavalry", "Tanks: Assault".
    """
    if told.get("type") == "cavalry" and told.get("dismounted") is True:
        return {**told, "type": "rifle"}
    if "type" in told:
        return told
    bases, weapon = told.get("bases"), told.get("weapon")
    rows = _tables(bases)
    if rows is not None and len(rows) == 1 and rows[0].get("count", 1) == 1:
        bases, weapon = 1, weapon or rows[0].get("weapon")
    if isinstance(weapon, str) and weapon in SERVED and (bases is None or bases == 1) and not isinstance(bases, bool):
        return {**told, "type": SERVED[weapon]}
    if told.get("machine_guns") is not None and not {"bases", "start_bases", "weapon"} & set(told):
        return {**told, "type": "tank"}
    return told
