"""Nomads of Al-Badia and Ghazi of the Golden Path: a third party's lists of the Iron Sultanate in 1.0, off unless they are let in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
CONTENT = GAME.content("1.0", house_rules=ALLOWED)
NOMADS, GHAZI = "Nomads of Al-Badia", "Ghazi of the Golden Path"
LISTS = ("nomads-of-al-badia", "ghazi-of-the-golden-path")
RICH = {"ducats": 3000, "glory": 30}


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


CAPTAIN = row("Yüzbaşı Captain")


def paper(variant: str, *fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate((CAPTAIN, *fighters), 1)]
    return {
        "game": "trench-crusade", "edition": "1.0", "faction": "Iron Sultanate", "variant": variant, "budget": RICH, "fighters": named,
        "house_rules": ALLOWED, **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(variant: str, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(variant, *fighters, **more))["problems"])


@pytest.mark.parametrize("variant", [NOMADS, GHAZI])
def test_a_list_is_left_out_unless_the_terms_let_it_in(variant: str) -> None:
    assert codes(variant) == []
    (problem,) = judged(paper(variant, house_rules={}))["problems"]
    assert problem["code"] == "third-party"


@pytest.mark.parametrize("list_id", LISTS)
def test_whatever_is_its_alone_is_marked(list_id: str) -> None:
    army = CONTENT.lists[list_id]
    assert army.army.third_party
    own = [o for o in (*army.item_offers, *army.profile_offers, *army.upgrade_offers) if set(o.lists) == {list_id}]
    assert len(own) > 10
    assert all(o.third_party for o in own)
    shared = [o for o in army.item_offers if "iron-sultanate" in o.lists and not o.id.startswith("visitor-")]
    assert shared
    assert not any(o.third_party for o in shared)


@pytest.mark.parametrize(("list_id", "items", "profiles"), [(LISTS[0], 61, 11), (LISTS[1], 63, 11)])
def test_how_many_entries_a_list_has(list_id: str, items: int, profiles: int) -> None:
    army = CONTENT.lists[list_id]
    assert (len(army.item_offers), len(army.profile_offers)) == (items, profiles)


@pytest.mark.parametrize("sample", ["sand-sea", "golden-road"])
def test_samples_spend_their_money(sample: str) -> None:
    answer = judged(GAME.founding.sample(CONTENT, sample))
    assert (answer["problems"], 0 <= answer["left"]["ducats"] < 20) == ([], True)


@pytest.mark.parametrize(
    ("variant", "profile", "most"),
    [
        (NOMADS, "Archeologist", 2), (NOMADS, "Bedu Sharpshooter", 2), (NOMADS, "Zamburak", 1), (NOMADS, "Janissary", 6),
        (NOMADS, "Sultanate Assassin", 1), (GHAZI, "Teğmen", 2), (GHAZI, "Günahkâr", 4), (GHAZI, "Abrek Sapper", 2),
        (GHAZI, "Shirdal", 1), (GHAZI, "Pairika", 1),
    ],
)  # fmt: skip
def test_so_many_and_no_more(variant: str, profile: str, most: int) -> None:
    assert codes(variant, *[row(profile)] * most) == []
    assert codes(variant, *[row(profile)] * (most + 1)) == ["too-many"]


def test_a_second_zamburak_comes_with_the_threshold() -> None:
    pair = [row("Zamburak")] * 2
    assert codes(NOMADS, *pair, battles={"fought": 3}) == ["too-many"]
    assert codes(NOMADS, *pair, battles={"fought": 9}) == []


@pytest.mark.parametrize(
    ("variant", "profile"),
    [
        (NOMADS, "Jabirean Alchemist"), (NOMADS, "Sultanate Sapper"), (NOMADS, "Brazen Bull"), (NOMADS, "Lion of Jabir"),
        (GHAZI, "Jabirean Alchemist"), (GHAZI, "Brazen Bull"), (GHAZI, "Lion of Jabir"), (GHAZI, "Sultanate Assassin"),
    ],
)  # fmt: skip
def test_who_is_closed_to_a_list(variant: str, profile: str) -> None:
    assert codes(variant, row(profile)) == ["not-offered"]


@pytest.mark.parametrize(
    ("variant", "profile", "kit", "found"),
    [
        (NOMADS, "Zamburak", ("Machine Gun", "Titan Zulfiqar"), ["not-offered"]),
        (NOMADS, "Zamburak", ("Machine Gun", "Great Sword/Axe"), []),
        (NOMADS, "Zamburak", ("Flame Cannon",), []),
        (NOMADS, "Zamburak", ("Flame Cannon", "MURAD Bombard"), ["model-limit"]),
        (NOMADS, "Zamburak", ("Jezzail",), ["banned"]),
        (NOMADS, "Zamburak", ("Standard Armour",), ["banned"]),
        (NOMADS, "Azeb", ("Flame Cannon",), ["only-for"]),
        (NOMADS, "Bedu Sharpshooter", ("Standard Armour", "Rocket-Propelled Grenade"), []),
        (NOMADS, "Bedu Sharpshooter", ("Trench Club",), ["banned"]),
        (NOMADS, "Bedu Sharpshooter", ("Trench Shield",), ["banned", "hands"]),
        (NOMADS, "Azeb", ("Sniper Rifle",), ["only-for"]),
        (NOMADS, "Azeb", ("Alaybozan",), ["not-offered"]),
        (NOMADS, "Azeb", ("Relic Alaybozan", "Heavy Bore Ammunition"), []),
        (NOMADS, "Azeb", ("Jezzail", "Heavy Bore Ammunition"), ["only-for"]),
        (NOMADS, "Azeb", ("Jezzail", "Shaytanic Shard Ammunition"), []),
        (NOMADS, "Azeb", ("Musket", "Shaytanic Shard Ammunition"), ["only-for"]),
        (NOMADS, "Archeologist", ("Jezzail", "Sparkpowder Ammunition"), []),
        (NOMADS, "Azeb", ("Jezzail", "Sparkpowder Ammunition"), ["only-for"]),
        (NOMADS, "Archeologist", ("Siege Jezzail", "Sparkpowder Ammunition", "Heavy Bore Ammunition"), ["model-limit"]),
        (NOMADS, "Azeb", ("Jezzail", "Alchemical Ammunition"), ["not-offered"]),
        (GHAZI, "Günahkâr", ("Marid Pelt",), []),
        (GHAZI, "Azeb", ("Marid Pelt",), ["only-for"]),
        (GHAZI, "Teğmen", ("Anaza Spear",), []),
        (GHAZI, "Günahkâr", ("Anaza Spear",), ["only-for"]),
        (GHAZI, "Teğmen", ("Kayanin Mace",), []),
        (GHAZI, "Azeb", ("Khyber Knife", "Chain Kura"), []),
        (GHAZI, "Azeb", ("Grenades", "Chain Kura"), ["slot-grenade"]),
        (GHAZI, "Azeb", ("Jezzail", "Scrap Shot"), []),
        (GHAZI, "Azeb", ("Musket", "Scrap Shot"), ["only-for"]),
        (GHAZI, "Azeb", ("Jezzail", "Scrap Shot", "Alchemical Ammunition"), ["model-limit"]),
        (GHAZI, "Abrek Sapper", ("Alaybozan",), []),
        (GHAZI, "Günahkâr", ("Reinforced Armour", "Sniper Rifle"), []),
        (GHAZI, "Teğmen", ("Cloak of Alamut",), ["not-offered"]),
        (GHAZI, "Shirdal", ("Gas Mask",), ["fixed-kit"]),
    ],
)
def test_what_they_carry(variant: str, profile: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(variant, row(profile, *kit)) == found


@pytest.mark.parametrize(
    ("variant", "profile", "item", "limit"),
    [
        (NOMADS, "Janissary", "Limpet Mine", 3), (GHAZI, "Azeb", "Chain Kura", 4),
        (GHAZI, "Azeb", "Abus Gun", 2), (GHAZI, "Azeb", "Banner of the Eagle", 1),
    ],
)  # fmt: skip
def test_limits_of_the_armoury(variant: str, profile: str, item: str, limit: int) -> None:
    assert codes(variant, *[row(profile, item)] * limit) == []
    assert codes(variant, *[row(profile, item)] * (limit + 1)) == ["warband-limit"]


def test_two_rockets_cost_ducats_and_the_others_are_found() -> None:
    armed = row("Azeb", "Rocket-Propelled Grenade")
    assert codes(NOMADS, armed, armed) == []
    assert codes(NOMADS, armed, armed, armed) == ["not-offered"]
    assert codes(GHAZI, armed) == ["not-offered"]


def test_shield_training_lets_a_shield_go_with_a_siege_jezzail() -> None:
    kit = ("Siege Jezzail", "Trench Shield")
    assert codes(NOMADS, row("Janissary", *kit, choices={"training": "shield-training"})) == []
    assert codes(NOMADS, row("Janissary", *kit, choices={"training": "counter-charge"})) == ["hands"]


def test_a_captain_of_the_nomads_picks_how_to_lead() -> None:
    document = paper(NOMADS)
    document["fighters"][0] |= {"choices": {"power": "snap-shot"}, "upgrades": ["Janissary Veteran"]}
    assert judged(document)["rating"]["ducats"] == 80
    force, _ = GAME.documents.read_document(document)
    view = GAME.views(CONTENT, force)[force.fighters[0].key]
    assert view.has("STRONG")
    assert "snap-shot" in {a.id for a in view.abilities}
    assert "mubarizun" not in {a.id for a in view.abilities}


def test_azebs_ride_or_skirmish() -> None:
    rider = row("Azeb", upgrades=("Akinji",))
    assert codes(GHAZI, *[rider] * 6) == []
    assert codes(GHAZI, *[rider] * 7) == ["warband-limit"]
    assert codes(GHAZI, row("Azeb", upgrades=("Akinji", "Light Skirmisher"))) == ["excludes"]
    assert codes(NOMADS, rider) == ["not-offered"]


def test_one_discipline_for_a_lieutenant() -> None:
    assert codes(GHAZI, row("Teğmen", upgrades=("Pahlavan",)), row("Teğmen", upgrades=("Pahlavan",))) == []
    assert codes(GHAZI, row("Teğmen", upgrades=("Pahlavan", "Deliler"))) == ["model-limit"]
    assert codes(GHAZI, row("Azeb", upgrades=("Pahlavan",))) == ["model-limit", "only-for"]


def test_a_bey_guides_and_a_hunter_of_djinn_fears_nothing() -> None:
    document = paper(GHAZI, row("Günahkâr", "Marid Pelt"))
    document["fighters"][0]["upgrades"] = ["Akinji-Bey"]
    force, _ = GAME.documents.read_document(document)
    bey, hunter = (GAME.views(CONTENT, force)[f.key] for f in force.fighters)
    assert {a.id: a.state for a in bey.abilities}["mubarizun"] == "lost"
    assert "guiding-strike" in {a.id for a in bey.abilities}
    assert hunter.has("NEGATE FEAR")
    assert hunter.has("INFILTRATOR")


def test_the_shirdal_flies_in_reinforced_armour() -> None:
    force, _ = GAME.documents.read_document(paper(GHAZI, row("Shirdal")))
    view = GAME.views(CONTENT, force)[force.fighters[1].key]
    assert (view.movement, view.stats["movement"].value, view.stats["armour"].value) == ("flying", 8, -2)
    assert view.stats["ranged"].value is None
