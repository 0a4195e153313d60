"""Invented forces of both games of written profiles, as the specification of each tells them, for tests to change in one place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from rules.registry import system

GLOOM, FAR = "gloom-trench", "trench-too-far"


def bands(short: tuple[int, str], *further: tuple[int, str]) -> dict[str, Any]:
    """A weapon's range bands, near to far."""
    found: dict[str, Any] = {}
    for name, (reach, die) in zip(("short", "medium", "long"), (short, *further), strict=False):
        found |= {f"{name}_range": reach, f"{name}_die": die}
    return found


RIFLES = {
    "combat": "D6", "damage": 1, "defence": "D6", "save": "D6", "wounds": 1, "command": 1, "keywords": ["Squad"],
    "models": [
        {"name": "Rifle", "least": 0, "most": 9, "usual": 7},
        {"name": "NCO", "least": 0, "most": 2, "usual": 1, "squad_leader": True, "command": 2},
    ],
    "weapons": [{"name": "Rifle", **bands((8, "D12"), (16, "D8"), (24, "D6"))}],
}  # fmt: skip
MG_TEAM = {
    "combat": "D6", "damage": 1, "defence": "D6", "save": "D6", "wounds": 1, "command": 1,
    "models": [{"name": "Crew", "least": 3, "most": 3, "usual": 3}],
    "weapons": [{"name": "Machine gun", **bands((12, "D12"), (24, "D12"), (36, "D8"))}],
}  # fmt: skip
OFFICER = {
    "combat": "D8", "damage": 2, "defence": "D8", "save": "D8", "wounds": 3, "command": 3,
    "keywords": ["Commander", "Small Unit"], "tactics_range": 6,
    "models": [{"name": "Officer", "least": 1, "most": 1, "usual": 1}],
    "weapons": [{"name": "Pistol", **bands((6, "D8"))}],
}  # fmt: skip


def gloom(**changes: Any) -> dict[str, Any]:
    """Two squads of Test Rifles, a Test MG Team and a Test Officer; `changes` replace keys of the document."""
    return {
        "game": GLOOM,
        "fighters": [
            {"name": "First", "profile": "Test Rifles"},
            {"name": "Second", "profile": "Test Rifles"},
            {"name": "Guns", "profile": "Test MG Team"},
            {"name": "Officer", "profile": "Test Officer"},
        ],
        "profiles": [
            {"kind": "unit", "name": "Test Rifles", "data": deepcopy(RIFLES)},
            {"kind": "unit", "name": "Test MG Team", "data": deepcopy(MG_TEAM)},
            {"kind": "unit", "name": "Test Officer", "data": deepcopy(OFFICER)},
        ],
        **changes,
    }


PLATOON = {"type": "infantry", "quality": "steady", "grenades": True, "bases": [{"count": 4}]}


def far(**changes: Any) -> dict[str, Any]:
    """Test Company: four rifle platoons, one with an LMG stand, an HMG team and a trench mortar."""
    return {
        "game": FAR,
        "fighters": [
            {"name": "Test Company", "profile": "Company"},
            *({"name": f"{n}. Platoon", "profile": "Rifles", "company": "Test Company"} for n in (1, 2, 3)),
            {"name": "4. Platoon", "profile": "Rifles with LMG", "company": "Test Company"},
            {"name": "Guns", "profile": "HMG team", "company": "Test Company"},
            {"name": "Mortar", "profile": "Mortar team", "company": "Test Company"},
        ],
        "profiles": [
            {"kind": "company", "name": "Company", "data": {"commander": "normal"}},
            {"kind": "platoon", "name": "Rifles", "data": deepcopy(PLATOON)},
            {
                "kind": "platoon", "name": "Rifles with LMG",
                "data": {**PLATOON, "bases": [{"count": 4}, {"weapon": "LMG", "kind": "attached", "count": 1}]},
            },
            {"kind": "team", "name": "HMG team", "data": {"kind": "hmg", "quality": "steady"}},
            {"kind": "team", "name": "Mortar team", "data": {"kind": "trench-mortar", "quality": "steady"}},
        ],
        **changes,
    }  # fmt: skip


def profile(document: dict[str, Any], name: str) -> dict[str, Any]:
    """The data of a profile of a document, to be changed in place."""
    found: dict[str, Any] = next(each["data"] for each in document["profiles"] if each["name"] == name)
    return found


def row(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A row of a document, to be changed in place."""
    found: dict[str, Any] = next(each for each in document["fighters"] if each["name"] == name)
    return found


def judged(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict on a document."""
    return system(document["game"]).documents.judge(document)


def codes(document: dict[str, Any], severity: str = "error") -> list[tuple[str, str]]:
    """What was found of one severity: code, and the name of the unit ("" for the force)."""
    return [
        (each["code"], each["fighter"] or "") for each in judged(document)["problems"] if each["severity"] == severity
    ]
