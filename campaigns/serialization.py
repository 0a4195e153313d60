"""Conversion of rules values to and from JSON: draws, step records, battle results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from typing import Any

from rules.dice import Draw
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord


def draw_json(draw: Draw, by: str) -> dict[str, Any]:
    """Return a draw as JSON: its reason, dice, faces and origin, who rolled or typed it, and which sealed throw it is."""
    data = {"why": draw.why, "sides": draw.sides, "faces": list(draw.faces), "origin": draw.origin, "by": by}
    return data | ({"identity": list(draw.identity)} if draw.identity else {})


def read_draw(data: Mapping[str, Any]) -> Draw:
    return Draw(data["why"], data["sides"], tuple(data["faces"]), data["origin"], tuple(data.get("identity", ())))


def read_draws(kept: Sequence[Mapping[str, Any]]) -> tuple[Draw, ...]:
    return tuple(read_draw(data) for data in kept)


def read_record(data: Mapping[str, Any]) -> StepRecord:
    return StepRecord(
        draws={key: read_draws(kept) for key, kept in data.get("draws", {}).items()},
        choices=deepcopy(data.get("choices", {})),  # an act changes the stored ones in place
        written=frozenset(data.get("written", {})),
        before={key: read_aftermath(told) for key, told in data.get("before", {}).items()},
    )


def aftermath_json(aftermath: Aftermath) -> dict[str, Any]:
    data = asdict(aftermath)
    data["counts"] = sorted(aftermath.counts)
    return data


def read_aftermath(data: Mapping[str, Any]) -> Aftermath:
    return Aftermath(
        battle=data["battle"],
        number=data["number"],
        scenario=data["scenario"],
        mine=_read_side(data["mine"]),
        others=tuple(_read_side(other) for other in data["others"]),
        counts=frozenset(data["counts"]),
    )


def _read_side(data: Mapping[str, Any]) -> BattleSide:
    return BattleSide(
        **{
            **data,
            "took_part": tuple(data["took_part"]),
            "out": tuple(data["out"]),
            "deeds": tuple((deed, fighter) for deed, fighter in data["deeds"]),
            "used_up": tuple(data["used_up"]),
            "losses": {key: dict(lost) for key, lost in data.get("losses", {}).items()},
        }
    )
