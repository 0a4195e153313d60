"""The kinds of profile of A Trench Too Far: what holds in one profile, and the book's tables as profiles."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom.profiles import CustomProfile
from rules.trench_too_far.book_weapons import weapon_of
from rules.trench_too_far.charts import MOVEMENT, TANK_CLASSES, TANK_WEAPON, WEAPONS
from rules.trench_too_far.profile_fields import KINDS
from rules.trench_too_far.profiles import default_profiles, profile_card, read_profile

GUN = {"name": "Mountain gun", "range": 24, "attacks": 2, "tank_range": 24, "tank_attacks": 1, "tank_save": -1}


def told(kind: str, /, **data: Any) -> dict[str, str]:
    """What is wrong, by path."""
    return {problem.path: problem.message for problem in read_profile(kind, data)[1]}


def card(kind: str, /, **data: Any) -> Any:
    return profile_card(CustomProfile("x", kind, "X", read_profile(kind, data)[0]))


def test_every_kind_reads_with_nothing_filled_in_or_says_what_is_missing() -> None:
    wanting = {kind.id: told(kind.id) for kind in KINDS}
    assert {kind for kind, problems in wanting.items() if problems} == {"movement"}


def test_a_platoon_is_four_squads_with_the_weapon_of_its_type() -> None:
    data, problems = read_profile("platoon", {"type": "heavy-infantry"})
    assert problems == ()
    assert data["bases"] == [{"weapon": "Heavy infantry arms", "kind": "squad", "count": 4}]
    assert set(data) == {field.key for field in KINDS[1].fields}


def test_weapons_are_named_as_the_book_or_the_profile_names_them() -> None:
    data, problems = read_profile(
        "platoon", {"bases": [{"weapon": "lmg"}, {"weapon": "mountain GUN"}], "weapons": [GUN]}
    )
    assert problems == ()
    assert [base["weapon"] for base in data["bases"]] == ["LMG", "Mountain gun"]
    assert weapon_of(data, "Mountain gun")["attacks"] == 2
    assert weapon_of(data, "LMG")["attacks"] == 2
    with pytest.raises(KeyError):
        weapon_of(data, "Catapult")


def test_a_weapon_of_its_own_goes_before_the_books() -> None:
    data, problems = read_profile("team", {"kind": "hmg", "weapons": [{**GUN, "name": "HMG", "attacks": 6}]})
    assert problems == ()
    assert weapon_of(data, data["weapon"])["attacks"] == 6


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        ("platoon", {"type": "wizards"}, "type"),
        ("platoon", {"quality": "fearless"}, "quality"),
        ("platoon", {"traits": ["flying"]}, "traits"),
        ("platoon", {"traits": ["close-order", "light-infantry"]}, "traits"),
        ("platoon", {"bases": []}, "bases"),
        ("platoon", {"bases": [{"count": 5}]}, "bases"),
        ("platoon", {"bases": [{"count": 3}, {"count": 2}]}, "bases"),
        ("platoon", {"bases": [{"kind": "attached", "weapon": "LMG"}]}, "bases"),
        ("platoon", {"bases": [{"weapon": "Catapult"}]}, "bases.0.weapon"),
        ("platoon", {"dismounted": True}, "dismounted"),
        ("platoon", {"weapons": [GUN, GUN]}, "weapons.1.name"),
        ("company", {"commander": "brilliant"}, "commander"),
        ("team", {"kind": "catapult"}, "kind"),
        ("team", {"weapon": "Catapult"}, "weapon"),
        ("tanks", {"vehicles": []}, "vehicles"),
        ("tanks", {"vehicles": [{"name": "T"}] * 5}, "vehicles"),
        ("tanks", {"vehicles": [{"name": "T", "movement": 3}]}, "vehicles.0.movement"),
        ("tanks", {"vehicles": [{"name": "T", "movement": 13}]}, "vehicles.0.movement"),
        ("tanks", {"vehicles": [{"name": "T", "machine_guns": -1}]}, "vehicles.0.machine_guns"),
        ("tanks", {"vehicles": [{"name": "T", "guns": ["Catapult"]}]}, "vehicles.0.guns"),
        ("weapon", {"attacks": 0}, "attacks"),
        ("weapon", {"close_range": 8}, "close_attacks"),
        ("weapon", {"range": 8, "close_range": 8, "close_attacks": 2}, "close_range"),
        ("weapon", {"tank_range": 8}, "tank_attacks"),
        ("weapon", {"tank_attacks": 1}, "tank_range"),
        ("weapon", {"militia": True, "tank_range": 6, "tank_attacks": 1}, "militia"),
        ("weapon", {"harassing_range": 30}, "harassing"),
        ("weapon", {"range": 24, "harassing": True, "harassing_range": 20}, "harassing_range"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_told_where_it_stands(kind: str, data: dict[str, Any], path: str) -> None:
    assert path in told(kind, **data)


def test_attached_stands_do_not_count_as_squads() -> None:
    bases = [{"count": 4}, {"kind": "attached", "weapon": "LMG", "count": 2}]
    assert told("platoon", bases=bases) == {}
    assert ("Bases", "6") in card("platoon", bases=bases).figures


def test_cavalry_may_begin_on_foot_and_then_moves_so() -> None:
    assert told("platoon", type="cavalry", dismounted=True) == {}
    assert ("Move", "8″ / 10″") in card("platoon", type="cavalry").figures
    assert ("Move", "4″ / 6″") in card("platoon", type="cavalry", dismounted=True).figures
    assert ("Move", "5″ / 6″") in card("platoon", move=5).figures


def test_cards_hint_at_what_is_odd() -> None:
    assert card("platoon", bases=[{"count": 3}]).hints == ("Under strength: 3 of four squads.",)
    assert "Recover" in card("platoon", type="remnant").hints[0]
    assert "rare" in card("platoon", type="militia", traits=["veteran"]).hints[0]


def test_the_books_tables_come_as_profiles_with_its_figures() -> None:
    book = {profile.id: profile.data for profile in default_profiles() if profile.origin == "book"}
    for weapon in WEAPONS:
        data = book[f"book-{weapon.id}"]
        assert (data["range"], data["attacks"]) == (weapon.range_inches, weapon.attacks)
        tank = TANK_WEAPON.get(weapon.id)
        assert data["tank_range"] == (tank.range_inches if tank else None)
        assert data["tank_save"] == (tank.save_modifier if tank else None)
    for rate in MOVEMENT:
        assert book[f"book-move-{rate.id}"] == {"move": rate.standard_inches, "march": rate.march_inches}
    assert book["book-anti-tank-rifle"]["attacks"] == 0
    classes = {profile.data["class"] for profile in default_profiles() if profile.kind == "vehicle"}
    assert classes == {rated.id for rated in TANK_CLASSES}


def test_samples_are_marked_as_invented_and_pass_their_kind() -> None:
    profiles = default_profiles()
    assert len({profile.id for profile in profiles}) == len(profiles)
    for profile in profiles:
        data, problems = read_profile(profile.kind, profile.data)
        assert problems == ()
        assert data == profile.data
        assert profile_card(profile).title == profile.name
        if profile.origin == "sample":
            assert profile.id.startswith("sample-")
            assert profile.name.startswith("Sample ")
            assert profile.kind == "vehicle" or "Invented" in profile.data["notes"]
    assert {kind.id for kind in KINDS} == {profile.kind for profile in profiles}
