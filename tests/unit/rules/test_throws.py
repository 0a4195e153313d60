"""What dice are rolled for, in words: which die, what it needs, which of them count, and what changed them."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import Draw, SeededDice
from rules.registry import system
from rules.resolvers.roller import causes_by_throw


class Heard:
    """Seeded dice that remember what they were asked for."""

    def __init__(self) -> None:
        self.source, self.draws = SeededDice(5), []

    def draw(self, n: int, sides: int, why: str) -> Draw:
        self.draws.append(self.source.draw(n, sides, why))
        return self.draws[-1]


def fallen(game: str, rule: str, given: dict[str, Any], edition: str = "") -> list[tuple[str, str]]:
    """The throws of a rule: why, and what changed them."""
    found = system(game)
    heard = Heard()
    done = found.resolvers.resolve(found.content(edition or found.document_edition()), rule, given, heard)
    causes = causes_by_throw(done, [len(draw.faces) for draw in heard.draws])
    assert len(causes) == len(heard.draws)
    return [(draw.why, cause) for draw, cause in zip(heard.draws, causes, strict=True)]


def test_a_volley_of_gloom_trench_names_its_dice_what_they_need_and_why() -> None:
    shot = {
        "groups": [{"models": 5, "die": "D8"}, {"models": 1, "die": "D12"}], "action": "advance", "cover": "light", "save_die": "D6", "target_models": 8,
    }  # fmt: skip
    assert fallen("gloom-trench", "shoot-losses", shot) == [
        ("To hit, D8, 7+", "−1 Advance, −1 Obscured: Light cover"),
        ("To hit, D12, 7+", ""),
        ("Save, D6, 5+", ""),
    ]


def test_fire_of_a_trench_too_far_names_hits_and_saves() -> None:
    shot = {
        "platoon": {"bases": 4, "type": "rifle", "order": "fire"},
        "target": {"bases": 4, "position": "prone"},
        "distance": 8,
    }
    assert fallen("trench-too-far", "fire", shot) == [
        ("Attack, 5+", "hits on 5+ Rifles, 5+ Prone"),
        ("Save, 5+", ""),
    ]


@pytest.mark.parametrize("edition", ["1.6.3", "1.0"])
def test_a_pool_of_trench_crusade_says_which_dice_count(edition: str) -> None:
    shot = {
        "kind": "ranged",
        "ranged": 3,
        "cover": True,
        "automatic_hit": False,
        "armour": -2,
        "target": {"down": True},
    }
    throws = fallen("trench-crusade", "attack", shot, edition)
    assert throws[0] == ("Roll to hit, the best 2 of 4", "+3 DICE Ranged Characteristic, −1 DICE Cover")
    assert throws[1][0].startswith("Injury")
    assert "−2 Armour" in throws[1][1]
