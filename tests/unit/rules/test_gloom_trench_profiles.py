"""The kinds of profile of Gloom Trench 1926: what holds in one profile, and what the game brings along."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom.profiles import CustomProfile
from rules.gloom_trench.profile_fields import KINDS, bands
from rules.gloom_trench.profiles import default_profiles, profile_card, read_profile

RIFLES: dict[str, Any] = {
    "keywords": ["Squad"],
    "models": [
        {"name": "Rifle", "least": 4, "most": 9, "usual": 7},
        {"name": "NCO", "squad_leader": True, "command": 2},
    ],
    "weapons": [{"name": "Rifle", "short_range": 8, "short_die": "D12", "medium_range": 16, "medium_die": "D8"}],
}  # fmt: skip


def told(kind: str = "unit", /, **data: Any) -> dict[str, str]:
    """What is wrong, by path."""
    base = RIFLES if kind == "unit" else {}
    return {problem.path: problem.message for problem in read_profile(kind, {**base, **data})[1]}


def test_a_squad_of_rifles_has_every_field_of_its_kind() -> None:
    data, problems = read_profile("unit", RIFLES)
    assert problems == ()
    assert set(data) == {field.key for field in KINDS[0].fields}
    assert data["models"][1]["command"] == 2
    assert data["models"][0]["command"] is None
    assert bands(data["weapons"][0]) == (("short", 8, "D12"), ("medium", 16, "D8"))


def test_keywords_and_weapon_names_come_back_as_they_are_written_elsewhere() -> None:
    models = [{**RIFLES["models"][0], "weapon": "RIFLE"}, RIFLES["models"][1]]
    data, problems = read_profile("unit", {**RIFLES, "keywords": ["squad", "small unit", "Diggers"], "models": models})
    assert problems == ()
    assert data["keywords"] == ["Squad", "Small Unit", "Diggers"]
    assert data["models"][0]["weapon"] == "Rifle"


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"combat": "D10"}, "combat"),
        ({"wounds": 0}, "wounds"),
        ({"damage": 0}, "damage"),
        ({"command": -1}, "command"),
        ({"models": []}, "models"),
        ({"models": [{"name": "Only", "squad_leader": True}]}, "models"),  # a squad of one
        ({"models": RIFLES["models"][:1]}, "models"),  # nobody leads it
        ({"models": [{"name": "Rifle", "least": 5, "most": 4, "usual": 4}, RIFLES["models"][1]]}, "models.0.most"),
        ({"models": [{"name": "Rifle", "least": 2, "most": 4, "usual": 5}, RIFLES["models"][1]]}, "models.0.usual"),
        ({"models": [*RIFLES["models"], {"name": "nco"}]}, "models.2.name"),
        ({"models": [{"name": "A", "weapon": "Bow", "most": 4}, RIFLES["models"][1]]}, "models.0.weapon"),
        ({"weapons": [{"name": "Club"}]}, "weapons.0.short_range"),
        ({"weapons": [{"name": "A", "short_range": 8}]}, "weapons.0.short_die"),
        ({"weapons": [{"name": "A", "short_die": "D6"}]}, "weapons.0.short_range"),
        ({"weapons": [{"name": "A", "medium_range": 8, "medium_die": "D6"}]}, "weapons.0.short_range"),
        ({"weapons": [*RIFLES["weapons"], *RIFLES["weapons"]]}, "weapons.1.name"),
        ({"tactics_range": 6}, "tactics_range"),
        ({"keywords": ["Squad", "Commander"]}, "tactics_range"),
        ({"no_tactics": True}, "no_tactics"),
        ({"special_rules": [{"name": "Odd"}]}, "special_rules.0.text"),
        ({"special_rules": [{"name": "Odd", "effect": "magic"}]}, "special_rules.0.effect"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_told_where_it_stands(changed: dict[str, Any], path: str) -> None:
    assert path in told(**changed)


def test_bands_reach_farther_one_after_the_other() -> None:
    gun = {"name": "A", "short_range": 8, "short_die": "D6", "medium_range": 8, "medium_die": "D6"}
    assert "weapons.0.medium_range" in told(weapons=[gun])
    assert told(weapons=[{**gun, "medium_range": 8.5}]) == {}


def test_a_band_may_be_left_out_where_that_is_meant() -> None:
    gap = {"short_range": 8, "short_die": "D6", "long_range": 30, "long_die": "D6"}
    assert list(told("weapon", **gap)) == ["medium_range"]
    assert told("weapon", **gap, bands_skipped=True) == {}


def test_a_commander_has_tactics_or_says_that_none_are_meant() -> None:
    officer = {"keywords": ["Commander"], "models": [{"name": "Officer"}]}
    assert told(**officer, tactics_range=6) == {}
    assert told(**officer, no_tactics=True) == {}
    assert list(told(**officer, tactics_range=6, no_tactics=True)) == ["no_tactics"]


def test_a_unit_without_a_squad_may_be_led_by_nobody() -> None:
    assert told(keywords=[], models=[{"name": "Crew", "least": 3, "most": 3, "usual": 3}]) == {}


def test_an_unknown_kind_is_none() -> None:
    with pytest.raises(KeyError):
        read_profile("dragon", {})


def test_the_game_brings_invented_samples_marked_as_such_and_one_rule_of_its_book() -> None:
    profiles = default_profiles()
    assert len({profile.id for profile in profiles}) == len(profiles)
    assert [profile.id for profile in profiles if profile.origin == "book"] == ["book-obscuring"]
    for profile in profiles:
        data, problems = read_profile(profile.kind, profile.data)
        assert problems == ()
        assert data == profile.data
        assert profile_card(profile).title == profile.name
        if profile.origin == "sample":
            assert profile.id.startswith("sample-")
            assert profile.name.startswith("Sample ")
    units = [profile.data for profile in profiles if profile.kind == "unit"]
    assert {unit["faction"] for unit in units} == {"Sample Blue", "Sample Red"}
    assert all("Invented" in unit["notes"] for unit in units)


def test_a_card_tells_figures_models_weapons_and_what_is_odd() -> None:
    data, _ = read_profile(
        "unit",
        {
            "models": [{"name": "Scout", "most": 2, "usual": 2}],
            "unit_orders": [{"name": "Run", "text": "Runs."}],
            "points": 5,
        },
    )
    card = profile_card(CustomProfile("x", "unit", "Scouts", data))
    assert card.subtitle == "Unit"
    assert ("Save", "D6") in card.figures
    assert ("Points", "5") in card.figures
    assert ("2 Scout (1 to 2)", "") in card.lines
    assert ("Run", "1 TP. Runs.") in card.lines
    assert len(card.hints) == 3  # small anyway, nobody leads it, no weapon
