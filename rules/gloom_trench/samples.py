"""Invented starter forces of Gloom Trench 1926, built from the invented sample profiles. None is the publisher's."""

from __future__ import annotations

from typing import Any

from rules.translation import gettext as _


def _unit(profile: str, name: str, **more: Any) -> dict[str, Any]:
    return {"profile": f"sample-{profile}", "name": name, **more}


def _force(name: str, faction: str, *units: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": "gloom-trench", "edition": "core", "faction": faction, "name": name, "scale": "28mm",
        "fighters": list(units),
    }  # fmt: skip


DOCUMENTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "lamplight-column",
        "The Lamplight Column",
        _("Invented: two squads, a machine gun, smoke and a steady officer."),
        _force(
            "The Lamplight Column",
            "Sample Blue",
            _unit("officer", "Major Whitlock"),
            _unit("rifles", "First Rifles"),
            _unit("rifles", "Second Rifles", models={"Rifle": 6}),
            _unit("machine-gun-team", "The Sewing Machine"),
            _unit("smoke-thrower", "Smoke Party"),
        ),
    ),
    (
        "red-ford-company",
        "Red Ford Company",
        _("Invented: raiders ahead, conscripts behind, a gun on the ridge."),
        _force(
            "Red Ford Company",
            "Sample Red",
            _unit("captain", "Captain Orlova"),
            _unit("assault-squad", "The Ferrymen"),
            _unit("conscripts", "Mill Street Levy"),
            _unit("scouts", "Reed Cutters"),
            _unit("trench-gun", "Old Agatha"),
        ),
    ),
)
