"""The Procession of the Sacred Affliction as a list of its own: every figure of it, its warbands, and its odds."""

from __future__ import annotations

from typing import Any

import pytest

from rules.checker import check
from rules.content.overlays.check import check_overlay
from rules.content.overlays.states import overlays_of
from rules.offers.usual import usual_kits
from rules.offers.whole_kits import whole_kit
from rules.price import Price
from rules.registry import system
from rules.trench_crusade.documents.reader import read_document
from tests.unit.rules.test_usual_kits import bought, hired

GAME = system("trench-crusade")
OVERLAY = "tc-2026-09-procession"
CONTENT: Any = GAME.content("1.0", (OVERLAY,))
NAME = "Procession of the Sacred Affliction"
KNIGHTS, FLOCK = "Knights of Saint Lazarus", "Procession of the Blessed Flock"
LIST = {None: "lazarist-procession", KNIGHTS: "knights-of-saint-lazarus", FLOCK: "procession-of-the-blessed-flock"}

# Name, ducats, Glory, LIMIT, stipulations; * is for ELITE models alone.
ARMOURY = """
Automatic Pistol 20 0 2
Blunderbuss 5 0 - SHIELD COMBO
Bolt-Action Rifle 10 0 - BAYONET LUG
Flamethrower 30 0 2 BAYONET LUG
Musket 5 0 - BAYONET LUG
Pistol 6 0 -
Punt Gun 20 0 1
Semi-Automatic Rifle 15 0 - BAYONET LUG
Shotgun 10 0 - BAYONET LUG, SHIELD COMBO
Sniper Rifle 0 2 -
Submachine Gun 0 2 - BAYONET LUG, SHIELD COMBO
Anti-Tank Hammer 35 0 3
Bayonet 2 0 - SHIELD COMBO
Flail/Scourge 5 0 -
Great Flail/Scourge 15 0 3
Great Hammer/Maul 10 0 -
Great Sword/Axe 12 0 -
Misericordia 15 0 1
Polearm 7 0 - SHIELD COMBO
Sword/Axe 4 0 -
Trench Club 3 0 -
Trench Knife 1 0 -
Incendiary Grenades 15 0 -
Molotov Cocktail 5 0 -
Warcross 5 0 -
Holy Icon Shield 20 0 - SHIELD COMBO
Trench Shield 10 0 - SHIELD COMBO
Holy Icon Armour 30 0 -
Ragged Vestments 10 0 -
Reinforced Armour* 40 0 -
Standard Armour 15 0 -
Bells of Warding* 0 2 1
Blessed Icon 15 0 -
Blessed Millstone 5 0 2
Field Shrine 0 2 -
Gas Mask 5 0 -
Holy Relic* 0 2 -
Incendiary Ammunition 15 0 1
Martyrdom Pills 20 0 3
Medi-kit 5 0 -
Mountaineer Kit 3 0 1
Musical Instrument 15 0 1
Penitent's Phylactery 12 0 2
Troop Flag 0 1 1
"""
OPTIONS = {"Martyrdom Device": (25, 4), "Minenhelm": (10, None)}  # what only prisoners carry
CONSUMABLE = {"Blessed Icon", "Incendiary Ammunition", "Martyrdom Pills"}

# Profile: ducats, least, most, movement, ranged, melee, armour, base, keywords.
PROFILES = {
    "Lazarist Prophet": (90, 1, 1, 6, 2, 2, 0, 32, "PILGRIM ELITE LEADER"),
    "Lazarist Communicant": (100, 0, 1, 6, -3, 2, 0, 40, "PILGRIM ELITE REGENERATE_1 STRONG TOUGH"),
    "Lazarist Castigator": (50, 0, 1, 6, 1, 1, 0, 32, "PILGRIM ELITE"),
    "Leper-Pilgrim": (30, 0, None, 6, 0, 0, 0, 25, "PILGRIM"),
    "Stigmatic Nun": (60, 0, 4, 8, 1, 1, 0, 25, "PILGRIM REGENERATE_1"),
    "Ecclesiastic Prisoner": (20, 0, None, 6, None, -1, 0, 25, "PILGRIM"),
    "Anchorite Shrine": (140, 0, 1, 6, None, 2, -3, 60, "PILGRIM FEAR NEGATE_SHRAPNEL STRONG TOUGH"),
}
VARIANTS = {  # what is otherwise there: ducats, least, most
    KNIGHTS: {"Stigmatic Nun": (60, 1, 6), "Leper-Knight": (50, 1, 3), "Lazarist Communicant": None, "Lazarist Castigator": None},
    FLOCK: {
        "Lazarist Castigator": (50, 1, 3), "Lazarist Communicant": (100, 1, 6), "Stigmatic Nun": (60, 0, 2),
        "Anchorite Shrine": None, "Leper-Pilgrim": None,
    },
}  # fmt: skip
PRICES = {KNIGHTS: {"Automatic Pistol": 15, "Great Sword/Axe": 7}, FLOCK: {}}
WITHOUT = {
    KNIGHTS: {"Flamethrower", "Punt Gun", "Sniper Rifle", "Submachine Gun"},
    FLOCK: {"Automatic Pistol", "Semi-Automatic Rifle", "Sniper Rifle", "Submachine Gun", "Incendiary Grenades", "Reinforced Armour"},
}  # fmt: skip

Row = tuple[int, int, int | None, bool, set[str]]


def printed() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for line in ARMOURY.strip().splitlines():
        words = line.split()
        at = next(n for n, word in enumerate(words) if word.isdigit())
        name = " ".join(words[:at])
        limit = None if words[at + 2] == "-" else int(words[at + 2])
        said = {part for part in " ".join(words[at + 3 :]).split(", ") if part}
        found[name.rstrip("*")] = (int(words[at]), int(words[at + 1]), limit, name.endswith("*"), said)
    return found


def entries(variant: str | None = None) -> dict[str, Any]:
    army = CONTENT.lists[LIST[variant]]
    own = [o for o in army.item_offers if not o.exploration_only and not o.third_party]
    assert len(own) == len({o.item for o in own})
    return {CONTENT.items[o.item].name: o for o in own}


def hires(variant: str | None = None) -> dict[str, Any]:
    army = CONTENT.lists[LIST[variant]]
    profiles = CONTENT.profiles
    return {
        profiles[o.profile].short or profiles[o.profile].name: o for o in army.profile_offers if o.hired_as == "own"
    }


def f(profile: str, *kit: str, up: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(up), **more}


PROPHET, CASTIGATOR, COMMUNICANT = f("Lazarist Prophet"), f("Lazarist Castigator"), f("Lazarist Communicant")
KNIGHT, NUN, SHRINE = f("Leper-Knight", "Standard Armour"), f("Stigmatic Nun"), f("Anchorite Shrine")


def paper(variant: str | None, *fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = {KNIGHTS: (KNIGHT, NUN), FLOCK: (CASTIGATOR, COMMUNICANT), None: ()}[variant]
    named = [{"name": f"{row['profile']} {n}", **row} for n, row in enumerate((PROPHET, *given, *fighters), 1)]
    return {
        "game": "trench-crusade",
        "edition": "1.0",
        "overlays": [OVERLAY],
        "faction": NAME,
        "variant": variant,
        "budget": {"ducats": 2500, "glory": 40},
        "fighters": named,
        **more,
    }


def codes(variant: str | None, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(problem["code"] for problem in GAME.documents.judge(paper(variant, *fighters, **more))["problems"])


# --- every figure


def test_the_overlay_is_sound() -> None:
    assert check_overlay("trench-crusade", "1.0", overlays_of("trench-crusade", "1.0")[OVERLAY]) == ()


def test_the_list_and_its_variants() -> None:
    for variant, list_id in LIST.items():
        army = CONTENT.lists[list_id].army
        assert (army.name, army.side, army.keyword) == (variant or NAME, "faithful", "PILGRIM")
        assert army.start.campaign == Price(700)
        assert CONTENT.faction(list_id) == "lazarist-procession"
        saints = {"warrior-saint", "learned-saint"} | ({"temporal-lord"} if variant == KNIGHTS else set())
        assert set(army.patrons) == saints == {p.id for p in CONTENT.pack.patrons if list_id in p.lists}


def test_every_row_of_the_armoury() -> None:
    rows = printed()
    assert len(rows) == 44
    found = {}
    for name, offer in entries().items():
        item = CONTENT.items[offer.item]
        lugs = {"Flamethrower": {"BAYONET LUG"}, "Blunderbuss": {"SHIELD COMBO"}}  # by the rule of the list
        elite = [trait.keyword for trait in offer.who.only_for] == ["ELITE"]
        said = lugs.get(name, set(item.stipulations))
        found[name] = (offer.price.ducats, offer.price.glory, offer.limit, elite, said)
        assert (name in CONSUMABLE) == ("CONSUMABLE" in item.keywords) or name == "Martyrdom Device"
    options = {name: (row[0], row[2]) for name, row in found.items() if name in OPTIONS}
    assert options == OPTIONS
    assert {name: row for name, row in found.items() if name not in OPTIONS} == rows
    assert [t.profile for t in entries()["Blessed Millstone"].who.only_for] == ["leper-pilgrim"]


@pytest.mark.parametrize("variant", [KNIGHTS, FLOCK])
def test_the_armouries_of_the_variants(variant: str) -> None:
    found = {name: offer.price.ducats for name, offer in entries(variant).items()}
    plain = {name: offer.price.ducats for name, offer in entries().items()}
    assert plain.keys() - found.keys() == WITHOUT[variant]
    assert found == {name: ducats for name, ducats in plain.items() if name not in WITHOUT[variant]} | PRICES[variant]
    assert {n: o.limit for n, o in entries(variant).items()}.items() <= {
        n: o.limit for n, o in entries().items()
    }.items()


def test_every_profile() -> None:
    found = {}
    for name, offer in hires().items():
        profile = CONTENT.profiles[offer.profile]
        line = profile.statline
        figures = (line.movement_inches, line.ranged, line.melee, line.armour, *line.base_mm)
        keywords = {word.replace(" ", "_") for word in profile.keywords}
        found[name] = (offer.price.ducats, offer.least, offer.most, *figures, keywords)
        assert (offer.price.glory, line.movement, offer.leader) == (0, "infantry", name == "Lazarist Prophet")
        assert (profile.role == "elite") == ("ELITE" in keywords)
    assert found == {name: (*row[:-1], set(row[-1].split())) for name, row in PROFILES.items()}
    risen = CONTENT.profiles["lazarist-martyr-penitent"].statline
    assert (risen.movement_inches, risen.ranged, risen.melee, risen.armour, risen.base_mm) == (6, 0, 1, 0, (25,))


@pytest.mark.parametrize("variant", [KNIGHTS, FLOCK])
def test_the_entries_of_the_variants(variant: str) -> None:
    plain = {name: (o.price.ducats, o.least, o.most) for name, o in hires().items()}
    expected = {name: row for name, row in (plain | VARIANTS[variant]).items() if row is not None}
    assert {name: (o.price.ducats, o.least, o.most) for name, o in hires(variant).items()} == expected


def test_what_the_variants_change_in_profiles() -> None:
    knight, plain = CONTENT.profiles["leper-knight"], CONTENT.profiles["lazarist-castigator"]
    assert (knight.statline.melee, knight.statline.ranged, knight.statline.base_mm) == (2, 1, (32,))
    assert (set(plain.abilities) - set(knight.abilities), set(knight.abilities) - set(plain.abilities)) == (
        {"lazarist-whip-of-god"},
        {"knightly-code"},
    )
    flock, prisoner = CONTENT.profiles["blessed-flock-communicant"], CONTENT.profiles["blessed-flock-prisoner"]
    assert (flock.role, "ELITE" in flock.keywords) == ("troop", False)
    assert flock.statline == CONTENT.profiles["lazarist-communicant"].statline
    assert (prisoner.statline.ranged, prisoner.statline.melee) == (-1, -1)


def test_the_items_of_its_own() -> None:
    lines = {
        name: (item.category, max(item.hands.melee, item.hands.ranged), item.range_inches, set(item.keywords))
        for name, offer in entries().items()
        for item in [CONTENT.items[offer.item]]
    }
    assert lines["Great Flail/Scourge"] == ("melee", 2, None, {"+1 DICE", "+1 INJURY DICE", "CUMBERSOME", "HEAVY"})
    assert lines["Holy Icon Armour"][3] == {"-1 INJURY MODIFIER", "IMPERVIOUS"}
    assert lines["Punt Gun"] == ("ranged", 2, 18, {"+1 DICE", "+1 INJURY DICE", "HEAVY", "SHOTGUN", "SHRAPNEL"})
    assert lines["Warcross"] == ("ranged", 0, 8, {"ASSAULT", "IGNORE LONG RANGE"})
    assert lines["Bells of Warding"][3] == {"HELD", "LEADER"}
    assert [lines[name][3] for name in ("Blessed Millstone", "Penitent's Phylactery", "Ragged Vestments")] == [
        set()
    ] * 3


def test_the_upgrades() -> None:
    offers = {o.upgrade: o for o in CONTENT.lists[LIST[None]].upgrade_offers if o.id.startswith("lazarist")}
    found = {id_: (o.price.ducats, o.limit) for id_, o in offers.items()}
    assert found == {"zealot-strength": (5, 3), "lazarist-wrath-of-god": (15, 1), "lazarist-resurrection": (45, None)}


def test_it_hires_what_the_pilgrims_hire_for_glory() -> None:
    def mercenaries(list_id: str) -> set[str]:
        return {o.id for o in CONTENT.lists[list_id].profile_offers if o.hired_as == "mercenary"}

    for list_id in LIST.values():
        assert mercenaries(list_id) == mercenaries("trench-pilgrims") != set()


def test_the_old_variant_stays_as_it_was() -> None:
    old, new = GAME.content("1.0"), CONTENT
    for list_id, army in old.lists.items():
        assert new.lists[list_id].army == army.army
        assert [o.id for o in new.lists[list_id].profile_offers] == [o.id for o in army.profile_offers]
        assert [o.id for o in new.lists[list_id].item_offers] == [o.id for o in army.item_offers]


# --- two lists of one name


def test_a_document_tells_the_list_from_the_variant() -> None:
    pilgrims = {"faction": "Trench Pilgrims", "variant": NAME}
    assert read_document(paper(None))[0].list == "lazarist-procession"
    assert read_document(paper(None) | pilgrims)[0].list == "procession-of-the-sacred-affliction"
    assert read_document(paper(None) | pilgrims | {"overlays": []})[0].list == "procession-of-the-sacred-affliction"
    assert read_document(paper(KNIGHTS))[0].list == "knights-of-saint-lazarus"
    written = GAME.documents.write_document(CONTENT, read_document(paper(None))[0])
    assert (written["faction"], written["variant"]) == (NAME, None)
    assert read_document(paper(None) | {"faction": f"The {NAME}"})[0].list == "lazarist-procession"
    by_id = paper(None) | {"faction": "procession-of-the-sacred-affliction"}
    assert read_document(by_id)[0].list == "procession-of-the-sacred-affliction"


# --- warbands

PILGRIM, PRISONER = "Leper-Pilgrim", "Ecclesiastic Prisoner"
ZEALOT, WRATH = ("Zealot Strength",), ("Wrath of God",)
CASES: list[tuple[str | None, tuple[dict[str, Any], ...], list[str]]] = [
    (None, (CASTIGATOR, COMMUNICANT, SHRINE, *[NUN] * 4, f(PILGRIM), f(PRISONER)), []),
    (None, ([NUN] * 5)[:5], ["too-many"]),
    (None, (SHRINE, SHRINE), ["too-many"]),
    (None, (CASTIGATOR, CASTIGATOR), ["too-many"]),
    (None, (COMMUNICANT, COMMUNICANT), ["too-many"]),
    (None, (PROPHET,), ["too-many"]),
    (None, (f("Leper-Knight", "Standard Armour"),), ["not-offered"]),
    (None, (f("Trench Pilgrim"),), ["not-offered"]),
    (None, (f(PILGRIM, "Iron Capirote"),), ["not-offered"]),
    (None, (f(PILGRIM, "Flamethrower", "Bayonet"),), []),
    (None, (f(PILGRIM, "Blunderbuss", "Bayonet"),), ["only-for"]),
    (None, (f(PILGRIM, "Blunderbuss", "Trench Shield"),), []),
    (None, tuple(f(PILGRIM, "Great Flail/Scourge", up=ZEALOT) for _ in range(3)), []),
    (None, tuple(f(PILGRIM, "Great Flail/Scourge") for _ in range(4)), ["warband-limit"]),
    (None, tuple(f(PILGRIM, up=ZEALOT) for _ in range(4)), ["warband-limit"]),
    (None, (f("Lazarist Castigator", up=ZEALOT), *[f(PILGRIM, up=ZEALOT)] * 3), ["warband-limit"]),
    (None, tuple(f(PILGRIM, up=WRATH) for _ in range(2)), ["warband-limit"]),
    (None, (f(PILGRIM, "Sword/Axe", "Trench Shield", "Warcross", up=WRATH),), []),
    (None, (f(PILGRIM, "Musket", up=WRATH),), ["banned"]),
    (None, (f(PILGRIM, "Ragged Vestments", up=WRATH),), ["banned"]),
    (None, (f("Stigmatic Nun", up=WRATH),), ["only-for"]),
    (None, (f("Stigmatic Nun", "Automatic Pistol", "Pistol", "Warcross"),), []),
    (None, (f("Stigmatic Nun", "Shotgun"),), ["banned"]),
    (None, (f("Stigmatic Nun", "Molotov Cocktail"),), ["banned"]),
    (None, (f("Lazarist Communicant", "Martyrdom Pills"),), ["banned"]),
    (None, tuple(f(PILGRIM, "Blessed Millstone") for _ in range(3)), ["warband-limit"]),
    (None, (f("Lazarist Castigator", "Blessed Millstone"),), ["only-for"]),
    (None, (f(PILGRIM, "Bells of Warding"),), ["only-for"]),
    (None, (f("Lazarist Castigator", "Bells of Warding"),), []),
    (None, tuple(f(PRISONER, "Martyrdom Device", "Minenhelm") for _ in range(4)), []),
    (None, tuple(f(PRISONER, up=("Martyrdom Device", "Minenhelm")) for _ in range(4)), []),
    (None, tuple(f(PRISONER, "Martyrdom Device") for _ in range(5)), ["warband-limit"]),
    (None, (f(PRISONER, "Minenhelm"),), ["needs"]),
    (None, (f(PRISONER, "Trench Club"),), ["banned"]),
    (None, (f(PILGRIM, "Martyrdom Device"),), ["only-for"]),
    (None, (f("Anchorite Shrine", "Polearm"),), ["banned"]),
    (KNIGHTS, (KNIGHT, KNIGHT, *[NUN] * 5, SHRINE, f(PILGRIM), f(PRISONER)), []),
    (KNIGHTS, (KNIGHT, KNIGHT, KNIGHT), ["too-many"]),
    (KNIGHTS, (*[NUN] * 6,), ["too-many"]),
    (KNIGHTS, (f("Leper-Knight", "Trench Shield"),), ["needs"]),
    (KNIGHTS, (f("Leper-Knight", "Ragged Vestments", up=ZEALOT),), []),
    (KNIGHTS, (CASTIGATOR,), ["not-offered"]),
    (KNIGHTS, (COMMUNICANT,), ["not-offered"]),
    (KNIGHTS, (f(PILGRIM, "Automatic Pistol"), f(PILGRIM, "Semi-Automatic Rifle")), []),
    (KNIGHTS, (f(PILGRIM, "Flamethrower"),), ["banned"]),
    (KNIGHTS, (f(PILGRIM, "Punt Gun"),), ["banned"]),
    (KNIGHTS, (f(PILGRIM, "Sniper Rifle"),), ["banned"]),
    (FLOCK, (COMMUNICANT, NUN, NUN, f(PRISONER)), []),
    (FLOCK, (COMMUNICANT, COMMUNICANT), ["too-many"]),
    (FLOCK, (CASTIGATOR, COMMUNICANT, COMMUNICANT), []),
    (FLOCK, (CASTIGATOR, CASTIGATOR, *[COMMUNICANT] * 5), []),
    (FLOCK, (CASTIGATOR, CASTIGATOR, *[COMMUNICANT] * 6), ["too-many"]),
    (FLOCK, (CASTIGATOR, CASTIGATOR, CASTIGATOR), ["too-many"]),
    (FLOCK, (NUN, NUN, NUN), ["too-many"]),
    (FLOCK, (SHRINE,), ["not-offered"]),
    (FLOCK, (f(PILGRIM),), ["not-offered"]),
    (FLOCK, (f(PRISONER, "Musket", "Warcross", "Flail/Scourge", "Ragged Vestments", "Martyrdom Device", "Minenhelm"),), []),
    (FLOCK, (f(PRISONER, "Blunderbuss", "Trench Shield"),), []),
    (FLOCK, (f(PRISONER, "Shotgun"),), ["banned"]),
    (FLOCK, (f(PRISONER, "Sword/Axe"),), ["banned"]),
    (FLOCK, (f(PRISONER, "Standard Armour"),), ["banned"]),
    (FLOCK, (f("Stigmatic Nun", "Automatic Pistol"),), ["banned"]),
    (FLOCK, (f("Lazarist Communicant", "Reinforced Armour"),), ["banned"]),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "fighters", "wrong"), CASES)
def test_a_warband(variant: str | None, fighters: tuple[dict[str, Any], ...], wrong: list[str]) -> None:
    assert codes(variant, *fighters) == wrong


def test_a_variant_asks_for_its_own_kind_of_fighter() -> None:
    alone = {"fighters": [{"name": "Prophet", **PROPHET}]}
    for variant in (KNIGHTS, FLOCK):
        verdict = GAME.documents.judge(paper(variant) | alone)
        assert sorted(problem["code"] for problem in verdict["problems"]) == ["too-few", "too-few"]


def test_a_temporal_lord_is_for_the_knights_alone() -> None:
    assert codes(KNIGHTS, patron="Temporal Lord") == []
    assert codes(None, patron="Temporal Lord") == codes(FLOCK, patron="Temporal Lord") == ["patron"]


def test_the_ratings_add_up() -> None:
    rows = [
        (None, (f(PILGRIM, "Great Flail/Scourge", "Blessed Millstone", up=ZEALOT),), 90 + 30 + 15 + 5 + 5),
        (None, (f(PRISONER, "Martyrdom Device", "Minenhelm"), f(PILGRIM, "Incendiary Grenades")), 90 + 55 + 45),
        (KNIGHTS, (f(PILGRIM, "Automatic Pistol", "Great Sword/Axe"),), 90 + 65 + 60 + 30 + 15 + 7),
        (FLOCK, (f(PRISONER, "Musket", "Ragged Vestments"),), 90 + 50 + 100 + 20 + 5 + 10),
    ]
    for variant, fighters, ducats in rows:
        verdict = GAME.documents.judge(paper(variant, *fighters))
        assert (verdict["problems"], verdict["rating"]["ducats"]) == ([], ducats)


def test_the_ready_warbands_are_legal_and_spend_what_they_may() -> None:
    ready = [row for row in GAME.founding.samples(CONTENT) if row[2] in LIST.values()]
    assert {row[2] for row in ready} == set(LIST.values())
    for sample, *_ in ready:
        verdict = GAME.documents.judge(GAME.founding.sample(CONTENT, sample))
        assert verdict["problems"] == [], sample
        assert 0 <= verdict["left"]["ducats"] < 20, sample


def test_the_usual_kits_make_a_fighter_ready() -> None:
    offered = set()
    for list_id in LIST.values():
        for entry in CONTENT.lists[list_id].profile_offers:
            force = hired(CONTENT, "1.0", list_id, entry)
            for kit in usual_kits(CONTENT, force, "a"):
                offered.add(kit.key)
                assert [p for p in check(CONTENT, bought(CONTENT, force, kit)).problems if p.fighter_key == "a"] == []
                whole = whole_kit(CONTENT, force, ["a"], kit.offers)
                assert (whole.reason, whole.price, kit.price.glory) == ("", kit.price, 0)
    own = [p for p in CONTENT.profiles.values() if p.source.startswith("Carcass Front")]
    assert {f"{p.id}-{n}" for p in own for n, _ in enumerate(p.usual_kits, 1)} - offered == set()
    assert len(offered) > 15


def test_a_martyr_penitent_is_read_by_its_name_and_costs_45() -> None:
    fought = {"battles": {"fought": 2, "credited": 0}}
    verdict = GAME.documents.judge(paper(None, f("Martyr Penitent", "Musket", up=ZEALOT), **fought))
    assert (verdict["problems"], verdict["rating"]["ducats"]) == ([], 90 + 45 + 5 + 5)
    assert (
        read_document(paper(None, f("Martyr Penitent"), **fought))[0].fighters[1].profile == "lazarist-martyr-penitent"
    )
    assert codes(FLOCK, f("Martyr Penitent"), **fought) == ["not-offered"]
