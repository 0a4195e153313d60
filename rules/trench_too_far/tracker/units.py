"""Units of this game at the table: which facts the tracker stores, how to read them, and how to pass them to the rules.

Bases are markers by their kind, and fire taken this turn is one more marker. Vehicles are facts `v0`, `v1` ... ("",
"i", "d", "id", "x"). A fact that is valid for one turn is stored as the number of that turn, so no later act has to
clear it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.custom.parse import slug
from rules.force import FighterView
from rules.tracker.state import MarkerKind, TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.charts import HEAVY_TEAMS, TANK_WEAPON, TANK_WEAPONS, WEAPON, WEAPONS
from rules.trench_too_far.force import ATTACHED, COMPANY, PLATOON, TANKS, TEAM
from rules.trench_too_far.resolvers.inputs import Base, Platoon, Tank

FIRE = "fire"  # the marker of attack dice counted this turn
COMMAND = "command"  # the marker of a command base
MOST_FIRE = 400
FAR_INCHES = 200  # for a weapon that shoots as far as it can see
POSITIONS = ("closed", "dispersed", "prone", "cover", "entrenched")
BOOK = {slug(each.name): each.id for each in (*WEAPONS, *TANK_WEAPONS)} | {each.id: each.id for each in WEAPONS}
SOUND, GONE = "", "x"
GUEST_BASES = 4


# --- setting up


def facts_of(view: FighterView) -> dict[str, Any]:
    """Return what the tracker stores about a unit, as JSON."""
    given = view.facts
    kind, data = str(given.get("kind", PLATOON)), given.get("data") or {}
    left = {**(given.get("counts") or {}), **(given.get("left") or {})}
    facts: dict[str, Any] = {
        "kind": kind,
        "company": str(given.get("company") or ""),
        "force": dict(given.get("force") or {}),
    }
    if kind == COMPANY:
        facts["commander"] = data.get("commander") or "normal"
    facts["advance"] = bool(given.get("advance"))
    if kind == COMPANY:
        return {
            **facts,
            "parts": [_part(COMMAND, "Command base", left.get("Command base", 1), 1, {})],
        }
    if kind == TANKS:
        return {**facts, "vehicles": _vehicles(data, left)}
    facts |= {"quality": data.get("quality") or "steady", "position": str(given.get("position") or "dispersed")}
    if kind == TEAM:
        weapon = _weapon(data, str(data.get("weapon") or data.get("kind")), str(data.get("kind")))
        part = _part("base", weapon["name"], left.get("Base", 1), 1, weapon)
        return {**facts, "type": data.get("kind"), "parts": [part]}
    return {**facts, **_platoon_facts(data, facts["position"], left)}


def _platoon_facts(data: Mapping[str, Any], position: str, left: Mapping[str, int]) -> dict[str, Any]:
    traits = list(data.get("traits") or ())
    return {
        "position": "closed" if "close-order" in traits and position == "dispersed" else position,
        "type": "rifle" if data.get("type") == "infantry" else data.get("type"),
        "traits": traits,
        **{name: bool(data.get(name)) for name in ("grenades", "close_combat_weapons", "dismounted")},
        "parts": list(_bases(data, left)),
    }


def guest_facts() -> dict[str, Any]:
    """Return the defaults for a guest's unit until it is described: four Steady bases with rifles."""
    parts = [_part("rifles", "Rifles", GUEST_BASES, GUEST_BASES, _weapon({}, "Rifles"))]
    return {
        "kind": PLATOON, "company": "", "force": {}, "advance": True, "quality": "steady", "position": "dispersed", "type": "rifle",
        "traits": [], "grenades": False, "close_combat_weapons": False, "dismounted": False, "parts": parts,
    }  # fmt: skip


def remnant_facts(company: str, quality: str, count: int) -> dict[str, Any]:
    """Return the facts of Remnants. They count as Militia for every purpose, and are always at least Prone."""
    parts = [_part("remnants", "Remnants", count, count, _weapon({}, "Militia arms"))]
    return {
        **guest_facts(),
        "company": company,
        "advance": False,
        "quality": quality,
        "type": "remnant",
        "parts": parts,
    }


def _part(ident: str, name: Any, start: int, full: int, weapon: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": ident, "name": name, "start": int(start), "full": int(full), "weapon": dict(weapon)}


def _bases(data: Mapping[str, Any], left: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for base in data.get("bases") or ():
        weapon = str(base.get("weapon") or "Squad")
        name = f"{weapon}, attached" if base.get("kind") == ATTACHED else weapon
        part, count = slug(name), int(base.get("count") or 0)
        if part in found:
            found[part]["full"] += count
        else:
            found[part] = _part(part, name, 0, count, _weapon(data, weapon))
    for row in sorted(found.values(), key=lambda each: str(each["name"]).endswith(", attached")):
        yield {**row, "start": min(int(left.get(row["name"], row["full"])), row["full"])}


def _weapon(data: Mapping[str, Any], name: str, served: str = "") -> dict[str, Any]:
    """Return a weapon as it is fired: `id` is the book's weapon it counts as, `own` holds the figures if the player wrote them."""
    own = next((each for each in data.get("weapons") or () if slug(str(each.get("name"))) == slug(name)), None)
    if own is None:
        return {
            "id": BOOK.get(str(slug(name)), served if served in WEAPON or served in TANK_WEAPON else "rifles"),
            "name": name,
        }
    figures = {key: value for key, value in own.items() if key in _FIGURES and value is not None}
    return {"id": _goes_by(own, served), "name": str(own["name"]), "own": figures}


_FIGURES = (
    "range", "attacks", "close_range", "close_attacks", "tank_range", "tank_attacks", "tank_save", "harassing_range"
)  # fmt: skip


def _goes_by(own: Mapping[str, Any], served: str) -> str:
    """Return the book's weapon that a player's own weapon counts as."""
    for flag, ident in (
        ("militia", "militia"), ("jams", "hmg"), ("harassing", "hmg"), ("artillery", "field-artillery"), ("mortar", "trench-mortar"),
    ):  # fmt: skip
        if own.get(flag):
            return ident
    if own.get("indirect"):
        return "trench-mortar"
    return served if served in WEAPON or served in TANK_WEAPON else "rifles"


def _vehicles(data: Mapping[str, Any], left: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the vehicles that take part. Of vehicles of the same kind, only those that are left."""
    came: dict[str, int] = {}
    found = []
    for vehicle in data.get("vehicles") or ():
        name = str(vehicle["name"])
        came[name] = came.get(name, 0) + 1
        if came[name] <= int(left.get(name, came[name])):
            found.append({
                "name": name, "class": vehicle.get("class") or "light", "movement": vehicle.get("movement") or 6,
                "reliability": vehicle.get("reliability") or "stable", "machine_guns": int(vehicle.get("machine_guns") or 0),
                "guns": [_weapon(data, str(gun), "tank-cannon") for gun in vehicle.get("guns") or ()],
            })  # fmt: skip
    return found


def markers_at_start(facts: Mapping[str, Any]) -> dict[str, int]:
    return {part["id"]: part["start"] for part in facts.get("parts", ()) if part["start"]}


# --- the state of a unit


def kind_of(fighter: TableFighter) -> str:
    return str(fighter.facts.get("kind", PLATOON))


def type_of(fighter: TableFighter) -> str:
    """Return its type by the rules' name. Cavalry on foot are riflemen, and a command base is a team."""
    kind = kind_of(fighter)
    if kind == COMPANY:
        return "lmg"  # a single base that is neither a platoon, which can be Shocked, nor a heavy weapon
    if kind == TANKS:
        return "tank"
    told = str(fighter.facts.get("type") or "rifle")
    return "rifle" if told == "cavalry" and fighter.facts.get("dismounted") else told


def is_platoon(fighter: TableFighter) -> bool:
    """Return whether it is a platoon of infantry or of tanks."""
    return kind_of(fighter) in (PLATOON, TANKS)


def is_heavy(fighter: TableFighter) -> bool:
    return kind_of(fighter) == TEAM and type_of(fighter) in HEAVY_TEAMS


def parts_of(fighter: TableFighter) -> list[dict[str, Any]]:
    return list(fighter.facts.get("parts", ()))


def markers_of(fighter: TableFighter) -> tuple[MarkerKind, ...]:
    found = tuple(
        MarkerKind(part["id"], part["name"], "", part["start"]) for part in parts_of(fighter) if part["start"]
    )
    return (*found, MarkerKind(FIRE, gettext("Fire taken"), "", MOST_FIRE)) if kind_of(fighter) == PLATOON else found


def bases(fighter: TableFighter) -> int:
    """Return the bases that are left, or the vehicles that are left of a tank unit."""
    if kind_of(fighter) == TANKS:
        return sum(1 for _, _, state in vehicles(fighter) if state != GONE)
    return sum(count for name, count in fighter.markers.items() if name != FIRE)


def start_bases(fighter: TableFighter) -> int:
    """Return the number of bases it had when this battle began."""
    if kind_of(fighter) == TANKS:
        return len(fighter.facts.get("vehicles", ()))
    return sum(part["start"] for part in parts_of(fighter))


def is_fresh(fighter: TableFighter) -> bool:
    """Return whether it has all the bases it began with."""
    return bases(fighter) >= start_bases(fighter)


def vehicles(fighter: TableFighter) -> list[tuple[int, dict[str, Any], str]]:
    """Return its vehicles: (index, vehicle, state)."""
    told = fighter.facts.get("vehicles", ())
    return [(place, vehicle, str(fighter.facts.get(f"v{place}", SOUND))) for place, vehicle in enumerate(told)]


def vehicle_state(immobilised: bool, damaged: bool) -> str:
    """Return the state of a vehicle that is not destroyed, as its fact stores it."""
    return ("i" if immobilised else "") + ("d" if damaged else "")


def mobile(fighter: TableFighter) -> list[tuple[int, dict[str, Any]]]:
    """Return its vehicles that can move, with their indices."""
    return [(index, vehicle) for index, vehicle, state in vehicles(fighter) if state != GONE and "i" not in state]


def position_of(fighter: TableFighter) -> str:
    return str(fighter.facts.get("position", "dispersed"))


def has(fighter: TableFighter, trait: str) -> bool:
    return trait in fighter.facts.get("traits", ())


def now(state: TableState, fighter: TableFighter, what: str) -> bool:
    """Return whether something happened to it, or it did something, in this turn."""
    return bool(fighter.facts.get(what, 0) == state.turn)


def is_shocked(fighter: TableFighter) -> bool:
    return bool(fighter.facts.get("shocked")) and not fighter.out


# --- companies


def leader_of(state: TableState, fighter: TableFighter) -> TableFighter:
    """Return the company that a unit belongs to. An independent unit is its own leader."""
    key = str(fighter.facts.get("company") or "")
    found = next((each for each in state.fighters if each.key == key), None) if key else None
    return found if found is not None and kind_of(found) == COMPANY and found.side == fighter.side else fighter


def members(state: TableState, leader: TableFighter) -> tuple[TableFighter, ...]:
    """Return all units that act together with it, itself first."""
    rest = tuple(
        each for each in state.of(leader.side) if each.key != leader.key and leader_of(state, each).key == leader.key
    )
    return (leader, *rest)


def leaders(state: TableState, side: str) -> tuple[TableFighter, ...]:
    """Return the companies and independent units of a side that have somebody on the table."""
    own = state.of(side)
    heads = {leader_of(state, each).key for each in own if each.fights and (kind_of(each) != COMPANY or bases(each))}
    return tuple(each for each in own if each.key in heads)


def alive(state: TableState, fighter: TableFighter) -> bool:
    """Return whether anything is left of a unit. For a company: whether anything is left of any of its units."""
    if bases(fighter):
        return True
    if kind_of(fighter) != COMPANY:
        return False
    return any(bases(each) for each in members(state, fighter)[1:])


def commander_alive(leader: TableFighter) -> bool:
    """Return whether the command base of a company is alive. An independent unit has no commander to lose."""
    return kind_of(leader) != COMPANY or bool(leader.markers.get(COMMAND))


def is_outstanding(leader: TableFighter) -> bool:
    return (
        kind_of(leader) == COMPANY and commander_alive(leader) and leader.facts.get("commander") == "outstanding" and not leader.facts.get("replaced")
    )  # fmt: skip


def disrupted(leader: TableFighter) -> str:
    """Return the Disruption: none, until-replaced, until-rallied or this-turn."""
    if not commander_alive(leader) and not leader.facts.get("led"):
        return "until-replaced"
    return str(leader.facts.get("disrupted") or "none")


def is_disrupted(leader: TableFighter) -> bool:
    return disrupted(leader) != "none"


def order_of(leader: TableFighter) -> str:
    """Return the order it follows until it takes the next one, or "" before the first."""
    return str(leader.facts.get("order") or "")


def shocked_platoons(state: TableState, leader: TableFighter) -> tuple[TableFighter, ...]:
    return tuple(each for each in members(state, leader) if each.fights and is_platoon(each) and is_shocked(each))


def remnant_dice(state: TableState, leader: TableFighter) -> int:
    """Return how many lost infantry bases were not rolled for yet.

    Militia, Remnants, cavalry and heavy weapons never count.
    """
    lost = sum(
        part["start"] - each.markers.get(part["id"], 0)
        for each in members(state, leader)
        if kind_of(each) == PLATOON and type_of(each) not in ("militia", "remnant", "cavalry") and not each.joined
        for part in parts_of(each)
        if part["weapon"].get("id") not in HEAVY_TEAMS
    )
    return max(0, int(lost) - int(leader.facts.get("rolled_for", 0)))


# --- inputs for the rules


def platoon_of(state: TableState, fighter: TableFighter, **more: Any) -> Platoon:
    """Return a unit as input of the rules, with the number of its bases."""
    leader = leader_of(state, fighter)
    kind = kind_of(fighter)
    told: dict[str, Any] = {
        "name": fighter.name, "kind": type_of(fighter), "quality": quality_of(state, fighter),
        "traits": tuple(fighter.facts.get("traits", ())), "bases": min(40, bases(fighter)), "start_bases": max(bases(fighter), full_bases(fighter)),
        "order": order_of(leader), "position": fighter.facts.get("position", "dispersed"), "shocked": is_shocked(fighter),
        "stranded": bool(fighter.facts.get("stranded")), "fresh": is_fresh(fighter), "moved": now(state, fighter, "moved"),
        "failed_motivation": now(state, fighter, "failed"), "grenades": bool(fighter.facts.get("grenades")),
        "close_combat_weapons": bool(fighter.facts.get("close_combat_weapons")),
        "outstanding_officer": kind == PLATOON and is_outstanding(leader), "in_command": not fighter.facts.get("stranded"),
        "tally": min(MOST_FIRE, fighter.markers.get(FIRE, 0)), "tally_had_indirect": now(state, fighter, "indirect"),
    }  # fmt: skip
    if kind == TANKS:
        told["machine_guns"] = tuple(vehicle["machine_guns"] for _, vehicle, how in vehicles(fighter) if how != GONE)
    return Platoon(**{**told, **more})


def quality_of(state: TableState, fighter: TableFighter) -> str:
    """Return its quality. A command base has that of the first platoon it leads."""
    if kind_of(fighter) != COMPANY:
        return str(fighter.facts.get("quality") or "steady")
    led = (each for each in members(state, fighter)[1:] if kind_of(each) == PLATOON)
    return next((str(each.facts.get("quality")) for each in led), "steady")


def full_bases(fighter: TableFighter) -> int:
    """Return the bases at full strength, which are more than it began with if it carried losses from earlier battles."""
    return start_bases(fighter) if kind_of(fighter) == TANKS else sum(part["full"] for part in parts_of(fighter))


def fighting(state: TableState, fighter: TableFighter, **more: Any) -> Platoon:
    """Return a unit in an assault as input of the rules, with the weapons of its bases."""
    if kind_of(fighter) != PLATOON:
        return platoon_of(state, fighter, **more)
    stands = tuple(
        _base(str(part["weapon"].get("id", "rifles")), fighter.markers.get(part["id"], 0), False)
        for part in parts_of(fighter)
        if fighter.markers.get(part["id"])
    )
    return platoon_of(state, fighter, bases=stands, **more)


def firing(
    state: TableState,
    fighter: TableFighter,
    distance: float,
    *,
    at_tanks: bool = False,
    harassing: bool = False,
    count: int | None = None,
) -> Platoon:
    """Return a unit that fires, with the first `count` of its bases.

    Weapons with no effect on this target are left out.
    """
    found: list[Base] = []
    if kind_of(fighter) == TANKS:
        for _, vehicle, how in vehicles(fighter):
            if how == GONE:
                continue
            damaged = "d" in how
            if vehicle["machine_guns"] and not at_tanks:
                found.append(Base(weapon="tank-mg", count=vehicle["machine_guns"], damaged=damaged))
            for gun in vehicle["guns"]:
                found += _aimed(gun, 1, distance, at_tanks, harassing, damaged)
    else:
        left = bases(fighter) if count is None else count
        for part in parts_of(fighter):
            fires = min(left, fighter.markers.get(part["id"], 0))
            left -= fires
            if fires:
                found += _aimed(part["weapon"], fires, distance, at_tanks, harassing, False)
    if kind_of(fighter) == TANKS:  # one vehicle brings several weapons, so its bases here are more than its vehicles
        return platoon_of(state, fighter, bases=tuple(found), start_bases=None)
    return platoon_of(state, fighter, bases=tuple(found))


def _aimed(
    weapon: Mapping[str, Any], count: int, distance: float, at_tanks: bool, harassing: bool, damaged: bool
) -> list[Base]:
    """Return this many bases that fire one weapon, or none if it has no effect on this target."""
    ident, own = str(weapon.get("id", "rifles")), weapon.get("own")
    if own is not None:
        figures = _own_at_tanks(own) if at_tanks else _own_at_troops(own, distance, harassing)
        known = ident if ident in TANK_WEAPON or not at_tanks else "infantry"
        return [_base(known, count, damaged, **figures)] if figures else []
    if ident not in TANK_WEAPON if at_tanks else ident == "anti-tank-rifle":
        return [Base(weapon="militia", count=count)] if ident == "militia" else []
    return [_base(ident, count, damaged)]


def _own_at_tanks(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a player's own weapon against vehicles, or none if it has no effect on them."""
    if own.get("tank_range") is None or not own.get("tank_attacks"):
        return {}
    return {"range": own["tank_range"], "attacks": own["tank_attacks"], "save_modifier": own.get("tank_save") or 0}


def _own_at_troops(own: Mapping[str, Any], distance: float, harassing: bool) -> dict[str, Any]:
    """Return the figures of a player's own weapon against troops, or none if it has no attacks."""
    close = own.get("close_attacks") and distance <= float(own.get("close_range") or 0)
    attacks = int((own["close_attacks"] if close else own.get("attacks")) or 0)
    reach = (own.get("harassing_range") if harassing else 0) or own.get("range", FAR_INCHES)
    return {"range": reach, "attacks": attacks} if attacks else {}


def _base(weapon: str, count: int, damaged: bool, **more: Any) -> Base:
    return Base(**{"weapon": weapon, "count": count, "damaged": damaged, **more})


def weapons_of(fighter: TableFighter) -> list[Mapping[str, Any]]:
    if kind_of(fighter) == TANKS:
        return [gun for _, vehicle, how in vehicles(fighter) if how != GONE for gun in vehicle["guns"]]
    return [part["weapon"] for part in parts_of(fighter) if fighter.markers.get(part["id"]) and part["weapon"]]


def tanks_of(fighter: TableFighter) -> tuple[tuple[int, Tank], ...]:
    """Return its vehicles that are not destroyed, with their indices."""
    return tuple(
        (place, Tank(class_=vehicle["class"], immobilised="i" in how, damaged="d" in how))
        for place, vehicle, how in vehicles(fighter)
        if how != GONE
    )


def taken_off(fighter: TableFighter, count: int, first: str = "") -> dict[str, int]:
    """Return which bases are removed for this many losses: first the kind `first` (the nearest), then squads before attached ones."""
    found: dict[str, int] = {}
    for part in sorted(parts_of(fighter), key=lambda each: each["id"] != first):
        goes = min(count, fighter.markers.get(part["id"], 0))
        if goes:
            found[part["id"]] = -goes
            count -= goes
    return found


def with_turn_swept(state: TableState) -> TableState:
    """Return the state at the start of a turn: no fire taken, no Disruption of the turn, nobody active, no fight."""
    fighters = []
    for fighter in state.fighters:
        markers = {name: count for name, count in fighter.markers.items() if name != FIRE}
        facts = fighter.facts
        if facts.get("disrupted") == "this-turn":
            facts = {**facts, "disrupted": "none"}
        fighters.append(replace(fighter, markers=markers, facts=facts))
    return replace(state, fighters=tuple(fighters), facts={**state.facts, "active": "", "assault": None})
