"""The JSON state of roster rows and warbands: validation, and conversion to the typed fields the rules use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from rules.content.compiled import Content
from rules.force import Battles, Force, ForceFighter, ForceSkill, ForceTrauma, ForceUpgrade
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext


class _FighterState(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the state structs: strict about unknown keys."""


class SkillState(_FighterState):
    id: str
    choices: dict[str, Any] = {}


class TraumaState(_FighterState):
    id: str
    scar: bool = True
    details: dict[str, Any] = {}
    battle: int = 0


class UpgradeState(_FighterState):
    """An upgrade taken: its entry, what was paid, the option and choices."""

    id: str
    offer: str = ""
    ducats: int = 0
    glory: int = 0
    option: str = ""
    choices: dict[str, Any] = {}


class FighterState(_FighterState):
    """The state of a roster row.

    `joined`: battles fought when it was hired. `scars`: the count from a paper roster that has no list of traumas.
    """

    experience: int = 0
    advances: int = 0
    promoted: bool = False
    demoted: bool = False
    misses_battle: int = 0
    lifeless: bool = False
    joined: int | None = None
    scars: int | None = None
    skills: dict[str, SkillState] = {}
    traumas: dict[str, TraumaState] = {}
    upgrades: dict[str, UpgradeState] = {}
    choices: dict[str, Any] = {}


class LastingState(_FighterState):
    id: str
    choices: dict[str, Any] = {}


class Reinforcing(_FighterState):
    """Reinforcements in progress: after which battle, and how many ducats were available."""

    battle: int
    ducats: int


class FallenPiece(_FighterState):
    """A piece that a fallen fighter carried.

    It has its row ("" for what came with the profile) and the entry it was bought through.
    """

    item: str
    key: str = ""
    offer: str = ""


class Fallen(_FighterState):
    """A fighter that died after a battle, with what it carried.

    It is recorded until that battle's sequence is closed.
    """

    battle: str
    pieces: list[FallenPiece] = []


class WarbandState(_FighterState):
    """The state of a warband between its battles."""

    fought: int = 0
    credited: int = 0
    promotion_misses: int = 0
    lasting: dict[str, LastingState] = {}
    locations: dict[str, str] = {}
    exploration_skills: dict[str, str] = {}
    choices: dict[str, Any] = {}
    last_scenario: str = ""
    reinforced_last: bool = False
    campaign_points: int = 0  # points in the standings from finds, in addition to those from results
    reinforcing: Reinforcing | None = None
    shop_until: int | str | None = None
    fallen: dict[str, Fallen] = {}


S = TypeVar("S", bound=_FighterState)
T = TypeVar("T")
_NUMBERS = re.compile(r"([0-9]+)")


def in_order(entries: Mapping[str, T]) -> list[tuple[str, T]]:
    """Return what stands under keys in the order of these, since a database may return them in any.

    Numbers count by their size. What came with a roster ("s1") stands before what battles added ("b7-advance-12-1").
    """
    if len(entries) < 2:
        return list(entries.items())
    return sorted(entries.items(), key=lambda entry: (entry[0].startswith("b"), _place(entry[0])))


def _place(key: str) -> list[str | int]:
    return [int(part) if part.isdigit() else part for part in _NUMBERS.split(key)]


def _read(kind: type[S], data: Mapping[str, Any], what: str) -> S:
    try:
        return msgspec.convert(dict(data), kind)
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        place = f" ({at.strip('`')})" if at else ""
        raise Refusal(
            gettext("{what} cannot be read: {words}{place}.").format(what=what, words=words, place=place), code="state"
        ) from error


def _known(table: Mapping[str, Any], id_: str, what: str, place: str) -> None:
    if id_ not in table:
        raise Refusal(
            gettext("No {what} is called “{id}” ({place}).").format(what=what, id=id_, place=place), code="unknown-name"
        )


def fighter_state(content: Content, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of a roster row with defaults filled in. Raises Refusal naming the field."""
    state = _read(FighterState, data, gettext("The fighter's state"))
    for key, skill in state.skills.items():
        _known(content.skills, skill.id, "skill", f"skills.{key}")
    for key, trauma in state.traumas.items():
        _known(content.traumas, trauma.id, "trauma", f"traumas.{key}")
    for key, upgrade in state.upgrades.items():
        _known(content.upgrades, upgrade.id, "upgrade", f"upgrades.{key}")
        if upgrade.option:
            _known(content.upgrades, upgrade.option, "upgrade", f"upgrades.{key}.option")
    for field in ("experience", "advances", "misses_battle"):
        if getattr(state, field) < 0:
            raise Refusal(
                gettext("The fighter's state cannot be read: {field} lies below 0.").format(field=field), code="state"
            )
    built: dict[str, Any] = msgspec.to_builtins(state)
    return {k: x for k, x in built.items() if x is not None or k not in ("joined", "scars")}


def warband_state(content: Content, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of a warband with defaults filled in. Raises Refusal naming the field."""
    state = _read(WarbandState, data, gettext("The warband's state"))
    for key, lasting in state.lasting.items():
        _known(content.lasting, lasting.id, gettext("lasting effect"), f"lasting.{key}")
    for location in state.locations:
        _known(content.locations, location, "location", f"locations.{location}")
    for key, skill in state.exploration_skills.items():
        _known(content.skills, skill, gettext("exploration skill"), f"exploration_skills.{key}")
    if min(state.fought, state.credited, state.promotion_misses, state.campaign_points) < 0:
        raise Refusal(gettext("The warband's state cannot be read: a number lies below 0."), code="state")
    built: dict[str, Any] = msgspec.to_builtins(state)
    return {k: x for k, x in built.items() if x not in (None, {}) or k not in ("reinforcing", "shop_until", "fallen")}


def read_state(content: Content, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
    """Return the fighter with its JSON state copied into the typed fields."""
    skills: Mapping[str, Any] = data.get("skills") or {}
    traumas: Mapping[str, Any] = data.get("traumas") or {}
    upgrades: Mapping[str, Any] = data.get("upgrades") or {}
    return replace(
        fighter,
        experience=data.get("experience", 0),
        advances=data.get("advances", 0),
        promoted=bool(data.get("promoted")),
        demoted=bool(data.get("demoted")),
        misses_battle=data.get("misses_battle") or 0,
        lifeless=bool(data.get("lifeless")),
        scars=data.get("scars"),
        skills=tuple(ForceSkill(k, x["id"], x.get("choices") or {}) for k, x in in_order(skills)),
        traumas=tuple(
            ForceTrauma(k, x["id"], x.get("scar", True), x.get("details") or {}, x.get("battle", 0))
            for k, x in in_order(traumas)
        ),
        upgrades=tuple(
            ForceUpgrade(
                k,
                x["id"],
                x.get("offer", ""),
                Price(ducats=x.get("ducats", 0), glory=x.get("glory", 0)),
                x.get("option", ""),
                x.get("choices") or {},
            )
            for k, x in in_order(upgrades)
        ),
        choices=data.get("choices") or {},
        state=dict(data),
    )


def write_state(content: Content, fighter: ForceFighter) -> dict[str, Any]:
    """Return the JSON state of a roster row for this fighter: the inverse of `read_state`."""
    counted = sum(t.scar for t in fighter.traumas)
    state: dict[str, Any] = {
        "experience": fighter.experience,
        "advances": fighter.advances,
        "promoted": fighter.promoted,
        "demoted": fighter.demoted,
        "misses_battle": fighter.misses_battle,
        "lifeless": fighter.lifeless,
        "skills": {
            x.key or f"s{n}": {"id": x.skill, "choices": dict(x.choices)} for n, x in enumerate(fighter.skills, 1)
        },
        "traumas": {
            x.key or f"t{n}": {"id": x.trauma, "scar": x.scar, "details": dict(x.details), "battle": x.battle}
            for n, x in enumerate(fighter.traumas, 1)
        },
        "upgrades": {
            x.key or f"u{n}": {
                "id": x.upgrade,
                "offer": x.offer,
                "ducats": x.paid.ducats,
                "glory": x.paid.glory,
                "option": x.option,
                "choices": dict(x.choices),
            }
            for n, x in enumerate(fighter.upgrades, 1)
        },
        "choices": dict(fighter.choices),
    }
    if fighter.scars is not None and fighter.scars != counted:
        state["scars"] = fighter.scars
    if fighter.state.get("joined") is not None:
        state["joined"] = fighter.state["joined"]
    return state


def read_warband_state(content: Content, force: Force, data: Mapping[str, Any]) -> Force:
    """Return the force with the warband's JSON state copied into the typed fields."""
    lasting: Mapping[str, Any] = data.get("lasting") or {}
    return replace(
        force,
        battles=Battles(data.get("fought", 0), data.get("credited", 0)),
        promotion_misses=data.get("promotion_misses", 0),
        lasting=tuple(x["id"] for _, x in in_order(lasting)),
        locations=tuple(sorted(data.get("locations") or (), key=lambda place: content.name("location", place))),
        exploration_skills=tuple(skill for _, skill in in_order(data.get("exploration_skills") or {})),
        choices=data.get("choices") or {},
        state=dict(data),
    )


def _lasting_state(force: Force) -> dict[str, Any]:
    """Return the lasting effects under their keys: what was there keeps its key and choices, the rest gets a free one."""
    kept = list((force.state.get("lasting") or {}).items())
    taken = {key for key, _entry in kept}
    found: dict[str, Any] = {}
    for id_ in force.lasting:
        known = next(((key, entry) for key, entry in kept if str(entry.get("id")) == id_), None)
        if known is not None:
            kept.remove(known)
            found[known[0]] = known[1]
        else:
            key = next(name for number in range(1, len(taken) + 2) if (name := f"l{number}") not in taken)
            taken.add(key)
            found[key] = {"id": id_, "choices": {}}
    return found


def write_warband_state(content: Content, force: Force) -> dict[str, Any]:
    """Return the JSON state of a warband for this force: the inverse of `read_warband_state`."""
    places: Mapping[str, str] = force.state.get("locations") or {}
    learned: Mapping[str, str] = force.state.get("exploration_skills") or {}
    skills = dict(learned) if tuple(learned.values()) == force.exploration_skills else {}
    state: dict[str, Any] = {
        "fought": force.battles.fought,
        "credited": force.battles.credited,
        "promotion_misses": force.promotion_misses,
        "lasting": _lasting_state(force),
        "locations": {x: places.get(x, "") for x in force.locations},
        "exploration_skills": skills or {f"e{n}": x for n, x in enumerate(force.exploration_skills, 1)},
        "choices": dict(force.choices),
        "last_scenario": str(force.state.get("last_scenario") or ""),
        "reinforced_last": bool(force.state.get("reinforced_last")),
        "campaign_points": int(force.state.get("campaign_points") or 0),
    }
    for key in ("reinforcing", "shop_until"):
        if force.state.get(key) is not None:
            state[key] = force.state[key]
    return warband_state(content, state)
