"""Worked examples of overlays: verdicts before and after, each overlay alone, and what is in force on a day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.content.overlays.states import in_force, on_offer, overlays_of
from rules.registry import system

GAME = system("trench-crusade")
EXAMPLES = json.loads((Path(__file__).parent / "overlay_examples.json").read_text("utf-8"))
HISTORY = {id_ for id_, overlay in overlays_of(GAME.id, "1.0").items() if overlay.head.in_base}
KNOWN = set(overlays_of(GAME.id, "1.0"))
CASES = [case for case in EXAMPLES["cases"] if KNOWN.issuperset(case["overlays"])]


def verdict(roster: dict[str, Any], overlays: list[str]) -> dict[str, Any]:
    answer = GAME.documents.judge({**roster, "overlays": overlays})
    return {**answer, "problem_codes": sorted({problem["code"] for problem in answer["problems"]})}


def agrees(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    told = {key: sorted(set(value)) if key == "problem_codes" else value for key, value in wanted.items()}
    assert {key: found[key] for key in told} == told


def test_there_is_something_to_check() -> None:
    assert len(CASES) >= 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_roster_before_and_after(case: dict[str, Any]) -> None:
    agrees(verdict(case["roster"], []), case["before"])
    agrees(verdict(case["roster"], case["overlays"]), case["after"])
    for overlay, wanted in case.get("single", {}).items():
        agrees(verdict(case["roster"], [overlay]), wanted)


@pytest.mark.parametrize("pin", EXAMPLES["pins"], ids=lambda pin: pin["as_of"])
def test_what_is_in_force_on_a_day(pin: dict[str, Any]) -> None:
    assert {*in_force(GAME.id, "1.0", pin["as_of"])} == {*pin["in_force"]} & (KNOWN - HISTORY)
    if "on_offer" in pin:
        assert {*on_offer(GAME.id, "1.0", pin["as_of"])} == {*pin["on_offer"]} & KNOWN
