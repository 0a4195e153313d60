"""The Iron Sultanate in both editions: its variants, its Bulls, Lions and Assassins, what Alchemists make, and what others take from it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from rules.force import ForceUpgrade
from rules.price import Price
from rules.registry import system

GAME = system("trench-crusade")
BOTH = ("1.6.3", "1.0")
CONTENT = {edition: GAME.content(edition) for edition in BOTH}
LISTS = ("iron-sultanate", "fidai-of-alamut", "house-of-wisdom", "defenders-of-the-iron-wall")
RICH = {"ducats": 3000, "glory": 30}
PICKED = {"weapon-collections-new-antioch": "heavy-shotgun", "weapon-collections-trench-pilgrims": "anti-tank-hammer"}


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


CAPTAIN, ALCHEMIST, MASTER, SILAHDAR = (
    row(p) for p in ("Yüzbaşı Captain", "Jabirean Alchemist", "Master Assassin", "Silahdar")
)
LEADERS = {None: CAPTAIN, "Fida'i of Alamut": MASTER, "House of Wisdom": ALCHEMIST, "Iron Wall": SILAHDAR}
FIDAI, HOUSE, WALL = "Fida'i of Alamut", "House of Wisdom", "Iron Wall"


def paper(edition: str, variant: str | None, *fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate((LEADERS[variant], *fighters), 1)]
    document = {
        "game": "trench-crusade", "edition": edition, "faction": "Iron Sultanate", "variant": variant, "budget": RICH, "fighters": named,
    }  # fmt: skip
    if variant == HOUSE:
        document["choices"] = PICKED
    return {**document, **more}


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(edition: str, variant: str | None, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(edition, variant, *fighters, **more))["problems"])


def force_of(edition: str, variant: str | None, *fighters: dict[str, Any], **more: Any) -> Any:
    return GAME.documents.read_document(paper(edition, variant, *fighters, **more))[0]


# --- what there is


@pytest.mark.parametrize(
    ("edition", "list_id", "items", "profiles"),
    [
        ("1.6.3", "iron-sultanate", 50, 11), ("1.6.3", "fidai-of-alamut", 46, 8), ("1.6.3", "house-of-wisdom", 50, 11),
        ("1.6.3", "defenders-of-the-iron-wall", 52, 10),
        ("1.0", "iron-sultanate", 51, 11), ("1.0", "fidai-of-alamut", 48, 8), ("1.0", "house-of-wisdom", 52, 11),
        ("1.0", "defenders-of-the-iron-wall", 53, 10),
    ],
)  # fmt: skip
def test_how_many_entries_a_list_has(edition: str, list_id: str, items: int, profiles: int) -> None:
    army = CONTENT[edition].lists[list_id]
    assert (len(army.item_offers), len(army.profile_offers)) == (items, profiles)
    assert sum(o.hired_as == "mercenary" for o in army.profile_offers) == 3


@pytest.mark.parametrize("edition", BOTH)
def test_what_the_lists_are_founded_with(edition: str) -> None:
    one_off = Price(900, 8) if edition == "1.6.3" else Price(800, 6)
    for list_id in LISTS:
        assert GAME.founding.start(CONTENT[edition], list_id, "campaign") == (Price(ducats=700), ())
        assert GAME.founding.start(CONTENT[edition], list_id, "one-off")[0] == one_off
        assert CONTENT[edition].lists[list_id].army.patrons == ("sublime-gate",)


@pytest.mark.parametrize("edition", BOTH)
def test_samples_spend_their_money(edition: str) -> None:
    ours = [s for s in GAME.founding.samples(CONTENT[edition]) if s[2] in LISTS]
    assert Counter(s[2] for s in ours) == {
        "iron-sultanate": 2, "fidai-of-alamut": 1, "house-of-wisdom": 1, "defenders-of-the-iron-wall": 1,
    }  # fmt: skip
    for sample, *_ in ours:
        answer = judged(GAME.founding.sample(CONTENT[edition], sample))
        assert (answer["legal"], 0 <= answer["left"]["ducats"] <= 25) == (True, True), sample


# --- who may be hired

HIRED: list[tuple[str, str | None, str, int]] = [
    (e, v, p, n)
    for e in BOTH
    for v, p, n in [
        (None, "Jabirean Alchemist", 1), (None, "Sultanate Assassin", 1), (None, "Brazen Bull", 1), (None, "Janissary", 6),
        (None, "Lion of Jabir", 2), (None, "Sultanate Sapper", 2), (FIDAI, "Sultanate Assassin", 2), (FIDAI, "Dervish", 4),
        (FIDAI, "Sultanate Sapper", 2), (HOUSE, "Jabirean Alchemist", 1), (HOUSE, "Lion of Jabir", 3), (HOUSE, "Fāris", 2),
        (HOUSE, "Brazen Bull", 1), (WALL, "Sultanate Sapper", 4), (WALL, "Janissary Officer", 2),
        (WALL, "Sipahi Automaton Cavalry", 1), (WALL, "Jabirean Alchemist", 1), (WALL, "Brazen Bull", 1),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("edition", "variant", "profile", "most"), HIRED)
def test_so_many_and_no_more(edition: str, variant: str | None, profile: str, most: int) -> None:
    assert codes(edition, variant, *[row(profile)] * most) == []
    assert codes(edition, variant, *[row(profile)] * (most + 1)) == ["too-many"]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("variant", "profile"),
    [
        (FIDAI, "Jabirean Alchemist"), (FIDAI, "Brazen Bull"), (FIDAI, "Lion of Jabir"), (FIDAI, "Janissary"),
        (HOUSE, "Sultanate Assassin"), (HOUSE, "Janissary"), (HOUSE, "Yüzbaşı Captain"),
        (WALL, "Lion of Jabir"), (WALL, "Sultanate Assassin"), (WALL, "Yüzbaşı Captain"), (None, "Takwin Homunculus"),
    ],
)  # fmt: skip
def test_who_is_closed_to_a_list(edition: str, variant: str | None, profile: str) -> None:
    assert codes(edition, variant, row(profile)) == ["not-offered"]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize("variant", list(LEADERS))
def test_whoever_leads_has_leader(edition: str, variant: str | None) -> None:
    force = force_of(edition, variant)
    assert GAME.views(CONTENT[edition], force)[force.fighters[0].key].has("LEADER")
    nobody = {**paper(edition, variant), "fighters": []}
    assert "no-leader" in {p["code"] for p in judged(nobody)["problems"]}


@pytest.mark.parametrize("edition", BOTH)
def test_of_two_alchemists_one_leads(edition: str) -> None:
    force = force_of(edition, HOUSE, row("Jabirean Alchemist"))
    views = GAME.views(CONTENT[edition], force)
    assert [views[f.key].has("LEADER") for f in force.fighters] == [True, False]


@pytest.mark.parametrize("edition", BOTH)
def test_one_homunculus_for_each_alchemist(edition: str) -> None:
    creature = row("Takwin Homunculus")
    assert codes(edition, HOUSE, creature) == []
    assert codes(edition, HOUSE, creature, creature) == ["too-many"]
    assert codes(edition, HOUSE, row("Jabirean Alchemist"), creature, creature) == []
    assert codes(edition, HOUSE, row("Jabirean Alchemist"), creature, creature, creature) == ["too-many"]


# --- what they carry


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "found"),
    [
        (("Titan Zulfiqar", "Flame Cannon"), []),
        (("Titan Zulfiqar", "Titan Zulfiqar"), []),
        (("Titan Zulfiqar", "Flame Cannon", "MURAD Bombard"), ["model-limit"]),
        (("Machine Gun",), []),
        (("Jezzail",), ["banned"]),
        (("Trench Club",), ["banned"]),
        (("Marid Shovel", "Standard Armour"), []),
    ],
)
def test_a_bull_wields_heavy_weapons_and_two_of_its_own(edition: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, None, row("Brazen Bull", *kit)) == found


def test_only_1_0_takes_the_common_shovel_from_the_bull() -> None:
    assert codes("1.6.3", None, row("Brazen Bull", "Shovel")) == []
    assert codes("1.0", None, row("Brazen Bull", "Shovel")) == ["banned"]


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "found"),
    [(("Standard Armour", "Wind Amulet"), []), (("Trench Shield",), ["banned"]), (("Gas Mask",), ["banned"]), (("Knife / Dagger",), ["banned"])],
)  # fmt: skip
def test_a_lion_wears_armour_and_an_amulet(edition: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, None, row("Lion of Jabir", *kit)) == found


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("variant", "profile", "item", "found"),
    [
        (None, "Sultanate Sapper", "Alaybozan", []), (None, "Azeb", "Alaybozan", ["only-for"]),
        (None, "Azeb", "Titan Zulfiqar", ["only-for"]), (None, "Jabirean Alchemist", "Incendiary Grenades", []),
        (None, "Azeb", "Incendiary Grenades", ["only-for"]), (None, "Sultanate Assassin", "Assassin's Dagger", []),
        (None, "Janissary", "Assassin's Dagger", ["only-for"]), (None, "Janissary", "Sniper Rifle", []),
        (None, "Azeb", "Sniper Rifle", ["only-for"]), (None, "Janissary", "Reinforced Armour", []),
        (None, "Sultanate Sapper", "Reinforced Armour", ["only-for"]), (None, "Janissary", "Halberd-Gun", ["only-for"]),
        (None, "Azeb", "Alchemical Ammunition", ["only-for"]), (None, "Azeb", "Grenades", []),
        (FIDAI, "Sultanate Assassin", "Golden Khanjar", []), (FIDAI, "Dervish", "Golden Khanjar", ["only-for"]),
        (FIDAI, "Sultanate Assassin", "Bow of Alamut", []), (FIDAI, "Dervish", "Sniper Rifle", []),
        (FIDAI, "Sultanate Assassin", "Incendiary Grenades", ["not-offered"]),
        (HOUSE, "Fāris", "Alchemist Armour", []), (HOUSE, "Fāris", "Halberd-Gun", []),
        (WALL, "Sultanate Sapper", "Explosive Charges", []), (WALL, "Azeb", "Explosive Charges", ["only-for"]),
        (WALL, "Brazen Bull", "Iron Wall Kalkan", []), (WALL, "Azeb", "Iron Wall Kalkan", ["only-for"]),
        (WALL, "Jabirean Alchemist", "Cloak of Alamut", ["not-offered"]), (WALL, "Azeb", "Wind Amulet", ["not-offered"]),
        (WALL, "Sultanate Sapper", "Anqa Guard", []), (WALL, "Azeb", "Anqa Guard", ["only-for"]),
    ],
)  # fmt: skip
def test_what_is_reserved(edition: str, variant: str | None, profile: str, item: str, found: list[str]) -> None:
    assert codes(edition, variant, row(profile, item)) == found


@pytest.mark.parametrize("edition", BOTH)
def test_ammunition_of_the_alchemists_goes_with_the_guns_named(edition: str) -> None:
    for gun in ("Jezzail", "Siege Jezzail"):
        assert codes(edition, None, row("Azeb", gun, "Alchemical Ammunition")) == []
    assert codes(edition, None, row("Azeb", "Musket", "Alchemical Ammunition")) == ["only-for"]
    assert codes(edition, None, row("Sultanate Sapper", "Alaybozan", "Alchemical Ammunition")) == []
    assert codes(edition, None, row("Sultanate Assassin", "Halberd-Gun", "Alchemical Ammunition")) == []


@pytest.mark.parametrize("edition", BOTH)
def test_the_silahdar_opens_what_sappers_have(edition: str) -> None:
    leader = row("Silahdar", "Alaybozan", "Explosive Charges")
    document = {**paper(edition, WALL), "fighters": [{"name": "Ömer", **leader}]}
    assert [p["code"] for p in judged(document)["problems"]] == []
    force = force_of(edition, WALL)
    view = GAME.views(CONTENT[edition], force)[force.fighters[0].key]
    assert view.has("STRONG")
    assert "mubarizun" not in {a.id for a in view.abilities}


def test_a_dervish_gets_reinforced_armour_by_promotion_in_one_edition() -> None:
    wears = row("Dervish", "Reinforced Armour")
    assert codes("1.6.3", FIDAI, wears) == ["only-for"]
    assert codes("1.6.3", FIDAI, {**wears, "promoted": True}) == []
    assert codes("1.0", FIDAI, wears) == ["banned"]
    assert codes("1.0", FIDAI, {**wears, "promoted": True}) == ["banned"]


@pytest.mark.parametrize("edition", BOTH)
def test_a_dervish_is_a_janissary_without_its_strength(edition: str) -> None:
    force = force_of(edition, FIDAI, row("Dervish"))
    view = GAME.views(CONTENT[edition], force)[force.fighters[1].key]
    assert not view.has("STRONG")
    assert {a.id for a in view.abilities} == {"counter-charge", "whirling-dervishes"}
    heavy = ("Double-Handed Blunt Weapon", "Siege Jezzail")
    assert "heavy" in codes(edition, FIDAI, row("Dervish", *heavy))
    assert codes(edition, None, row("Janissary", *heavy)) == []


@pytest.mark.parametrize("edition", BOTH)
def test_leaf_and_elixir_lend_a_keyword(edition: str) -> None:
    heavy = ("Double-Handed Blunt Weapon", "Siege Jezzail")
    assert codes(edition, FIDAI, row("Dervish", *heavy, "Hashashin Leaf")) == []
    assert codes(edition, FIDAI, *[row("Dervish", "Hashashin Leaf")] * 4) == []
    assert codes(edition, FIDAI, *[row("Azeb" if edition == "1.0" else "Assassin Acolyte", "Hashashin Leaf")] * 5) == [
        "warband-limit"
    ]
    force = force_of(edition, HOUSE, row("Fāris", "Elixir of Al-Khidr"))
    assert GAME.views(CONTENT[edition], force)[force.fighters[1].key].has("TOUGH")
    assert codes(edition, HOUSE, row("Brazen Bull", "Elixir of Al-Khidr")) != []
    sealed = row("Takwin Homunculus", "Elixir of Al-Khidr", upgrades=("Seal of Solomon",))
    assert codes(edition, HOUSE, sealed) in (["banned"], ["only-for"])


@pytest.mark.parametrize("edition", BOTH)
def test_limits_of_the_armouries(edition: str) -> None:
    wears = row("Fāris", "Alchemist Armour")
    assert codes(edition, HOUSE, wears, wears) == []
    leader = {**ALCHEMIST, "kit": ["Alchemist Armour"]}
    three = {
        **paper(edition, HOUSE),
        "fighters": [{"name": n, **f} for n, f in (("A", leader), ("B", wears), ("C", wears))],
    }
    assert [p["code"] for p in judged(three)["problems"]] == ["warband-limit"]
    one = {**paper(edition, None, row("Jabirean Alchemist", "Alchemist Armour"))}
    assert judged(one)["legal"]
    one["fighters"][0]["kit"] = ["Alchemist Armour"]
    assert [p["code"] for p in judged(one)["problems"]] == ["warband-limit"]


@pytest.mark.parametrize("edition", BOTH)
def test_two_grand_cannons_wait_in_the_stash_of_the_wall(edition: str) -> None:
    cannon = "Sultanate Grand Cannon"
    assert codes(edition, WALL, stash=[cannon, cannon]) == []
    assert codes(edition, WALL, stash=[cannon] * 3) != []
    assert codes(edition, WALL, row("Brazen Bull", cannon), stash=[cannon]) == []
    assert codes(edition, WALL, row("Azeb", cannon)) == ["only-for"]
    assert codes(edition, FIDAI, stash=[cannon]) == ["not-offered"]


def test_in_1_0_a_bull_carries_one_grand_cannon() -> None:
    pair = row("Brazen Bull", "Sultanate Grand Cannon", "Sultanate Grand Cannon")
    assert codes("1.6.3", WALL, pair) == []
    assert codes("1.0", WALL, pair) == ["model-limit"]


# --- upgrades


@pytest.mark.parametrize("edition", BOTH)
def test_azebs_skirmish_and_some_infiltrate(edition: str) -> None:
    light = row("Azeb", upgrades=("Skirmisher",))
    assert codes(edition, None, *[light] * 5) == []
    acolyte = row("Assassin Acolyte" if edition == "1.6.3" else "Azeb", upgrades=("Infiltrator",))
    assert codes(edition, FIDAI, *[acolyte] * 3) == []
    assert codes(edition, FIDAI, *[acolyte] * 4) == ["warband-limit"]
    assert codes(edition, None, row("Azeb", upgrades=("Infiltrator",))) == ["not-offered"]


def test_three_kavasses_strike_harder() -> None:
    for edition, profile, upgrade in (("1.6.3", "Kavass", "Melee Might"), ("1.0", "Azeb", "Kavass")):
        raised = row(profile, upgrades=(upgrade,))
        assert codes(edition, HOUSE, *[raised] * 3) == []
        assert codes(edition, HOUSE, *[raised] * 4) == ["warband-limit"]
        force = force_of(edition, HOUSE, raised)
        assert GAME.views(CONTENT[edition], force)[force.fighters[1].key].stats["melee"].value == 0
    assert codes("1.6.3", HOUSE, row("Kavass", upgrades=("Skirmisher",))) == ["not-offered"]
    assert codes("1.0", HOUSE, row("Azeb", upgrades=("Skirmisher",))) == []
    assert codes("1.0", HOUSE, row("Azeb", upgrades=("Skirmisher", "Kavass"))) == ["excludes"]


def test_a_lion_is_brave_in_one_edition_and_fierce_in_the_other() -> None:
    brave = force_of("1.6.3", None, row("Lion of Jabir", upgrades=("Fierce and Brave",)))
    assert not GAME.views(CONTENT["1.6.3"], brave)[brave.fighters[1].key].has("FEAR")
    fierce = force_of("1.0", None, row("Lion of Jabir", upgrades=("Fierce Lion",)))
    assert GAME.views(CONTENT["1.0"], fierce)[fierce.fighters[1].key].has("FEAR")


def test_the_captain_may_be_a_veteran_in_1_0() -> None:
    document = paper("1.0", None)
    document["fighters"][0]["upgrades"] = ["Janissary Veteran"]
    answer = judged(document)
    assert (answer["legal"], answer["rating"]["ducats"]) == (True, 80)
    force, _ = GAME.documents.read_document(document)
    view = GAME.views(CONTENT["1.0"], force)[force.fighters[0].key]
    assert view.has("STRONG")
    assert "counter-charge" in {a.id for a in view.abilities}


@pytest.mark.parametrize("edition", BOTH)
def test_one_art_for_each_assassin_and_none_twice(edition: str) -> None:
    art = {x: row("Sultanate Assassin", upgrades=(x,)) for x in ("Mirage of Time", "Secret Paths")}
    assert codes(edition, FIDAI, *art.values()) == []
    assert codes(edition, FIDAI, art["Secret Paths"], art["Secret Paths"]) == ["warband-limit"]
    both = row("Sultanate Assassin", upgrades=tuple(art))
    assert codes(edition, FIDAI, both) == ["excludes", "model-limit"]
    assert codes(edition, FIDAI, row("Dervish", upgrades=("Secret Paths",))) == ["only-for"]
    assert "not-offered" in codes(edition, None, art["Secret Paths"])
    swift = force_of(edition, FIDAI, row("Sultanate Assassin", upgrades=("Thunderbolt of Alamut",)))
    assert GAME.views(CONTENT[edition], swift)[swift.fighters[1].key].stats["movement"].value == 8


@pytest.mark.parametrize("edition", BOTH)
def test_one_secret_for_each_alchemist_and_none_twice(edition: str) -> None:
    document = paper(edition, HOUSE, row("Jabirean Alchemist", upgrades=("Medicine",)))
    assert judged(document)["legal"]
    document["fighters"][0]["upgrades"] = ["Medicine"]
    assert [p["code"] for p in judged(document)["problems"]] == ["warband-limit"]
    document["fighters"][0]["upgrades"] = ["Secrets of Takwin"]
    assert judged(document)["legal"]
    document["fighters"][1]["kit"] = ["Medi-Kit"]
    assert [p["code"] for p in judged(document)["problems"]] == ["banned"]
    assert codes(edition, HOUSE, row("Fāris", upgrades=("Medicine",))) == ["only-for"]


def test_geographers_send_others_ahead_and_look_twice() -> None:
    for edition, secret in (("1.6.3", "Cartography and Geography"), ("1.0", "Cartography & Geometry")):
        scholar = row("Jabirean Alchemist", upgrades=(secret,))
        force = force_of(edition, HOUSE, scholar, row("Fāris"), row("Brazen Bull"))
        bearer, guard, bull = force.fighters[1:]
        (taken,) = bearer.upgrades
        sent = force.with_fighter(_with_link(bearer, taken, guard.key))
        views = GAME.views(CONTENT[edition], sent)
        assert [views[f.key].has("INFILTRATOR") for f in sent.fighters] == [False, False, True, False]
        offers = {
            o.id: o for o in GAME.shop.upgrade_offers(CONTENT[edition], force_of(edition, HOUSE, row("Fāris")), "f1")
        }
        asked = offers["house-of-wisdom-cartography-and-geography"].choices[0]
        assert bull.key not in {value for value, _ in asked.options}


def _with_link(bearer: Any, taken: ForceUpgrade, target: str) -> Any:
    return replace(bearer, upgrades=(replace(taken, choices={"link": [target]}),))


# --- what Alchemists make


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("formulae", "found"),
    [
        (("Human Hands", "Inhuman Strength"), []),
        (("Human Hands", "Wings"), ["excludes"]),
        (("Massive Size", "Wings"), ["excludes"]),
        (("Hawk Eyes", "Hypnotic Eyes"), ["excludes"]),
        (("Hawk Eyes", "Hypnotic Eyes", "Two Heads"), []),
        (("Gargantuan Size",), ["needs"]),
        (("Human Hands", "Inhuman Strength", "Massive Size", "Gargantuan Size"), []),
        (("Wings", "Elemental Resistance", "Regenerative Tissue", "Startling Speed", "Terrifying Appearance"), []),
    ],
)
def test_formulae_of_a_homunculus(edition: str, formulae: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, HOUSE, row("Takwin Homunculus", upgrades=formulae)) == found


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("kit", "formulae", "found"),
    [
        (("Trench Club",), (), ["banned"]),
        (("Trench Club", "Trench Shield"), ("Human Hands",), []),
        (("Grenades",), ("Human Hands",), ["banned"]),
        (("Alaybozan",), ("Human Hands",), ["only-for"]),
        (("Halberd-Gun",), ("Human Hands",), ["only-for"]),
        (("Gas Mask",), ("Human Hands",), ["banned"]),
        (("Gas Mask",), ("Seal of Solomon",), []),
        (("Standard Armour",), ("Human Hands", "Seal of Solomon"), ["banned"]),
        (("Titan Zulfiqar",), ("Human Hands", "Inhuman Strength", "Massive Size"), ["only-for"]),
        (("Titan Zulfiqar",), ("Human Hands", "Inhuman Strength", "Massive Size", "Gargantuan Size"), []),
        (("Titan Zulfiqar", "Flame Cannon"), ("Human Hands", "Inhuman Strength", "Massive Size", "Gargantuan Size"), ["model-limit"]),
        (("Trench Club", "Trench Club", "Trench Club"), ("Human Hands",), ["hands"]),
        (("Trench Club", "Trench Club", "Trench Club"), ("Human Hands", "Additional Arm"), []),
    ],
)  # fmt: skip
def test_what_formulae_open(edition: str, kit: tuple[str, ...], formulae: tuple[str, ...], found: list[str]) -> None:
    assert codes(edition, HOUSE, row("Takwin Homunculus", *kit, upgrades=formulae)) == found


@pytest.mark.parametrize("edition", BOTH)
def test_a_homunculus_pays_for_its_formulae_and_takes_them_at_any_time(edition: str) -> None:
    answer = judged(paper(edition, HOUSE, row("Takwin Homunculus", upgrades=("Wings", "Hawk Eyes"))))
    assert answer["rating"]["ducats"] == 55 + 40 + 30 + 10
    assert all(
        o.any_time
        for o in CONTENT[edition].lists["house-of-wisdom"].upgrade_offers
        if CONTENT[edition].upgrades[o.upgrade].category in ("alchemical-formulae", "human-hands")
    )


@pytest.mark.parametrize("edition", BOTH)
def test_the_studied_book_makes_formulae_cheaper(edition: str) -> None:
    force = force_of(edition, HOUSE, row("Takwin Homunculus"))
    key = force.fighters[1].key

    def prices(one: Any) -> dict[str, int]:
        return {o.ref: o.price.ducats for o in GAME.shop.upgrade_offers(CONTENT[edition], one, key)}

    before, after = prices(force), prices(replace(force, lasting=("studied-alchemy",)))
    assert len(before) == 15
    assert after == {name: max(5, price - 5) for name, price in before.items()}


# --- what comes from elsewhere, and what others take from here


@pytest.mark.parametrize("edition", BOTH)
def test_collected_weapons_come_once_and_as_their_own_list_says(edition: str) -> None:
    armed = row("Fāris", "Heavy Shotgun")
    assert codes(edition, HOUSE, armed) == []
    assert codes(edition, HOUSE, armed, armed) == ["warband-limit"]
    assert codes(edition, HOUSE, row("Fāris", "Bolt-Action Rifle")) == ["not-offered"]
    assert codes(edition, HOUSE, row("Fāris", "Heavy Shotgun", "Anti-Tank Hammer")) in ([], ["heavy"])
    assert codes(edition, None, row("Janissary", "Heavy Shotgun")) == ["not-offered"]
    other = {**PICKED, "weapon-collections-new-antioch": "jezzail"}
    assert codes(edition, HOUSE, choices=other) == ["choice"]


@pytest.mark.parametrize("edition", BOTH)
def test_nobody_collects_what_only_a_yeoman_could_carry(edition: str) -> None:
    asked = next(choice for choice in GAME.founding.lists(CONTENT[edition]) if choice.id == "house-of-wisdom").choices
    options = {option for choice in asked for option, _ in choice.options}
    assert "trench-pilgrims-punt-gun" in options
    assert "yeoman-bolt-action-rifle" not in options


@pytest.mark.parametrize("edition", BOTH)
def test_the_alchemist_who_leads_is_told_from_the_one_beside(edition: str) -> None:
    empty = replace(force_of(edition, HOUSE), fighters=())
    told = {o.id: o.details[0] for o in GAME.hire_offers(CONTENT[edition], empty) if o.ref == "jabirean-alchemist"}
    assert told == {
        "house-of-wisdom-leading-alchemist": "as the leader",
        "iron-sultanate-jabirean-alchemist": "beside the leader",
    }
    plain = replace(empty, list="iron-sultanate")
    assert "leader" not in str([o.details for o in GAME.hire_offers(CONTENT[edition], plain)])


@pytest.mark.parametrize("edition", BOTH)
def test_the_secrets_stand_under_the_name_of_their_rule(edition: str) -> None:
    force = force_of(edition, HOUSE, row("Jabirean Alchemist"))
    groups = {o.group for o in GAME.shop.upgrade_offers(CONTENT[edition], force, force.fighters[1].key)}
    assert groups == {"Secrets of the House of Wisdom"}


@pytest.mark.parametrize("edition", BOTH)
def test_nothing_is_let_go_that_is_not_taken_yet(edition: str) -> None:
    def homunculus(force: Any) -> Any:
        offers = GAME.hire_offers(CONTENT[edition], force)
        return next(o for o in offers if o.ref == "takwin-homunculus")

    one = force_of(edition, HOUSE, row("Takwin Homunculus"))
    assert "one for each Jabirean Alchemist" in homunculus(one).reason
    assert "go" not in homunculus(one).mend
    two = force_of(edition, HOUSE, row("Jabirean Alchemist"), row("Takwin Homunculus"), row("Takwin Homunculus"))
    assert homunculus(two).reason == "Limit of 2 reached."
    key = one.fighters[1].key
    gargantuan = next(o for o in GAME.shop.upgrade_offers(CONTENT[edition], one, key) if o.ref == "gargantuan-size")
    assert "needs Human Hands, Massive Size and Inhuman Strength first." in gargantuan.reason
    assert gargantuan.mend == ""


@pytest.mark.parametrize("edition", BOTH)
def test_what_a_homunculus_may_not_buy_goes_to_someone_else(edition: str) -> None:
    force = force_of(edition, HOUSE, row("Takwin Homunculus"))
    offers = GAME.shop.item_offers(CONTENT[edition], force, force.fighters[1].key)
    closed = next(o for o in offers if o.ref == "shotgun")
    assert "rules it out" in closed.reason
    assert closed.mend == "Give it to someone else."


@pytest.mark.parametrize("edition", BOTH)
def test_knights_of_avarice_take_a_piece_of_the_sultanate(edition: str) -> None:
    picked = {"corrupt-merchants-iron-sultanate": "siege-jezzail", "corrupt-merchants-new-antioch": "heavy-shotgun"}
    knight = row("Anointed Heavy Infantry", "Siege Jezzail")
    document = {
        "game": "trench-crusade", "edition": edition, "faction": "Heretic Legion", "variant": "Knights of Avarice", "budget": RICH,
        "choices": picked, "fighters": [{"name": "A", **row("Heretic Priest of Mammon")}, {"name": "B", **knight}],
    }  # fmt: skip
    found = {p["code"] for p in judged(document)["problems"]}
    assert "not-offered" not in found
    document["choices"] = {**picked, "corrupt-merchants-iron-sultanate": "jezzail"}
    assert "not-offered" in {p["code"] for p in judged(document)["problems"]}


@pytest.mark.parametrize("edition", BOTH)
def test_finds_of_the_sultanate(edition: str) -> None:
    places = {p.id: p for p in CONTENT[edition].pack.locations}
    survivor = [o for o in places["survivor"].options if "iron-sultanate" in o.lists]
    assert [r.offers for o in survivor for r in o.rewards] == [("found-azeb",)]
    nest = [o for o in places["snipers-nest"].options if "iron-sultanate" in o.lists]
    assert [r.items for o in nest for r in o.rewards] == [("siege-jezzail", "alchemical-ammunition", "cloak-of-alamut")]
    study = [o for o in places["jabirean-alchemical-books"].options if o.lists == ("house-of-wisdom",)]
    assert len(study) == 1


@pytest.mark.parametrize("edition", BOTH)
def test_the_sublime_gate_teaches_six_skills(edition: str) -> None:
    gate = next(p for p in CONTENT[edition].pack.patrons if p.id == "sublime-gate")
    assert set(LISTS) <= set(gate.lists)
    assert set(gate.skills) == {
        "gures", "imported-wares", "janissary-training", "rightly-guided", "sultans-favour", "sword-of-allah",
    }  # fmt: skip


def test_the_sultans_favour_raises_one_limit() -> None:
    chosen = {"skill": "sultans-favour", "choices": {"raise": "iron-sultanate-lion-of-jabir"}}
    captain = {**CAPTAIN, "name": "Turhan", "skills": [chosen]}
    lions = [{"name": f"L{n}", **row("Lion of Jabir")} for n in range(3)]
    document = {**paper("1.6.3", None), "fighters": [captain, *lions]}
    assert [p["code"] for p in judged(document)["problems"]] == []
    captain["skills"] = []
    assert [p["code"] for p in judged(document)["problems"]] == ["too-many"]


@pytest.mark.parametrize("edition", BOTH)
def test_damascus_armour_stays_and_bears_a_scar(edition: str) -> None:
    worn = {"item": "Damascus Armour", "origin": "bought"}
    plain = force_of(edition, None, row("Jabirean Alchemist"))
    clad = force_of(edition, None, row("Jabirean Alchemist", worn))
    views = [GAME.views(CONTENT[edition], f)[f.fighters[1].key] for f in (plain, clad)]
    assert views[1].scar_limit == views[0].scar_limit + 1
    assert views[1].stats["armour"].value == -2
    piece = clad.fighters[1].kit[0]
    assert "stays" in GAME.shop.carry(CONTENT[edition], clad, piece.key, "").reason


@pytest.mark.parametrize("edition", BOTH)
def test_the_killing_squad_is_one_fireteam(edition: str) -> None:
    teams = [
        e.count
        for rule in CONTENT[edition].lists["fidai-of-alamut"].rules
        for e in rule.effects
        if type(e).__name__ == "FireteamsEffect"
    ]
    assert teams == [1]
