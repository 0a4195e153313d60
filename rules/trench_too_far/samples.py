"""Invented forces of A Trench Too Far to start from, built from the invented sample profiles.

None is a published list.
"""

from __future__ import annotations

from typing import Any

from rules.translation import gettext as _


def _unit(profile: str, name: str, company: str = "", **more: Any) -> dict[str, Any]:
    return {"profile": f"sample-{profile}", "name": name, **({"company": company} if company else {}), **more}


def _force(name: str, army: str, period: str, *units: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": "trench-too-far", "edition": "core", "faction": army, "period": period, "name": name,
        "fighters": list(units),
    }  # fmt: skip


FIRST, STORM = "Canal Company", "Quarry Company"
DOCUMENTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "canal-company",
        "The Canal Battalion",
        _("Invented: four rifle platoons with a machine gun and a mortar."),
        _force(
            "The Canal Battalion",
            "Sample Blue",
            "1917",
            _unit("company", FIRST),
            _unit("rifle-platoon-lmg", "Lock Keepers", FIRST),
            _unit("rifle-platoon", "Bargemen", FIRST),
            _unit("rifle-platoon", "Towpath Platoon", FIRST),
            _unit("drilled-platoon", "Old Hands", FIRST),
            _unit("hmg", "Bridge Gun", FIRST),
            _unit("mortar", "The Stovepipe", FIRST),
        ),
    ),
    (
        "quarry-company",
        "The Quarry Raiders",
        _("Invented: storm troops and militia with two light tanks."),
        _force(
            "The Quarry Raiders",
            "Sample Red",
            "1918",
            _unit("storm-company", STORM),
            _unit("assault-platoon", "Stonebreakers", STORM),
            _unit("rifle-platoon", "Hill Platoon", STORM),
            _unit("militia-platoon", "Slate Row Guard", STORM),
            _unit("militia-platoon", "Chapel Guard", STORM),
            _unit("hmg", "Ridge Gun", STORM),
            _unit("light-tanks", "Mole and Badger"),
        ),
    ),
)
