"""What a model and a warband of edition 1.0 may have: for each rule the largest roster that keeps it beside the nearest that breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
Document = dict[str, Any]
NA, HL = "The Principality of New Antioch", "Heretic Legion"
EIRE, PRUSSIA, ALBA, ABYSSINIA = (
    "Eire Rangers",
    "Stoßtruppen of the Free State of Prussia",
    "Kingdom of Alba Assault Detachment",
    "Expeditionary Forces of Abyssinia",
)
GHOSTS, AVARICE = "Trench Ghosts", "Knights of Avarice"
LEADERS = {NA: "Lieutenant", HL: "Heretic Priest"}


def fighter(profile: str, *kit: str, up: tuple[str, ...] = ()) -> Document:
    """A model. Kit is bought, or found where the name says so before a colon."""
    pieces: list[str | Document] = []
    for text in kit:
        origin, _, item = text.rpartition(":")
        pieces.append({"item": item, "origin": origin} if origin else item)
    return {"name": profile, "profile": profile, "kit": pieces, "upgrades": list(up)}


def roster(faction: str, *fighters: Document, variant: str | None = None, **more: Any) -> Document:
    """A warband with money enough, under a leader unless one is given."""
    leader = LEADERS[faction]
    led = any(f["profile"] == leader for f in fighters)
    asked = [fighter("Shocktrooper")] * 2 if variant == PRUSSIA else []
    return {
        "game": "trench-crusade",
        "edition": "1.0",
        "faction": faction,
        "variant": variant,
        "budget": {"ducats": 5000, "glory": 60},
        "fighters": [*([] if led else [fighter(leader)]), *asked, *fighters],
        **more,
    }


def codes(document: Document) -> list[str]:
    return sorted(p["code"] for p in GAME.documents.judge(json.loads(json.dumps(document)))["problems"])


LT, YEOMAN, SHOCK, MHI = "Lieutenant", "Yeoman", "Shocktrooper", "Mechanized Heavy Infantry"
LATER: Document = {"battles": {"fought": 4}}

# rule: faction, variant, profile, what it may have, what is one too many, the codes of both together
ON_ONE_MODEL: dict[str, tuple[str, str | None, str, tuple[str, ...], str, list[str]]] = {
    "two 1-Handed ranged weapons": (NA, None, SHOCK, ("Pistol", "Pistol"), "Pistol", ["hands"]),
    "one 2-Handed ranged weapon": (NA, None, SHOCK, ("Bolt-Action Rifle",), "Pistol", ["hands"]),
    "a second rifle": (NA, None, YEOMAN, ("Bolt-Action Rifle",), "Shotgun", ["hands"]),
    "two 1-Handed melee weapons": (NA, None, SHOCK, ("Trench Club", "Sword/Axe"), "Trench Knife", ["hands"]),
    "one 2-Handed melee weapon": (NA, None, SHOCK, ("Polearm",), "Trench Club", ["hands"]),
    "ranged and melee apart": (NA, None, SHOCK, ("Bolt-Action Rifle", "Polearm"), "Pistol", ["hands"]),
    "a bayonet beside two melee weapons": (NA, None, SHOCK, ("Shotgun", "Bayonet", "Trench Club", "Sword/Axe"), "Sword/Axe", ["hands"]),
    "a bayonet needs a lug": (NA, None, SHOCK, ("Heavy Shotgun",), "Bayonet", ["only-for"]),
    "a shield and one of each": (NA, None, SHOCK, ("Trench Shield", "Pistol", "Sword/Axe"), "Sword/Axe", ["hands"]),
    "a shield and a second pistol": (NA, None, SHOCK, ("Trench Shield", "Pistol", "Sword/Axe"), "Pistol", ["hands"]),
    "Shield Combo, ranged": (NA, None, SHOCK, ("Trench Shield", "Submachine Gun"), "Pistol", ["hands"]),
    "no Shield Combo, ranged": (NA, None, SHOCK, ("Trench Shield",), "Bolt-Action Rifle", ["hands"]),
    "Shield Combo, melee": (NA, None, SHOCK, ("Trench Shield", "Polearm"), "Trench Knife", ["hands"]),
    "no Shield Combo, melee": (NA, None, SHOCK, ("Trench Shield",), "Great Hammer/Maul", ["hands"]),
    "one Shield": (NA, None, LT, ("Trench Shield",), "found:Fire Shield", ["slot-shield"]),
    "STRONG holds one 2-Handed melee weapon in a hand": (NA, None, MHI, ("Great Sword/Axe", "Sword/Axe"), "Sword/Axe", ["hands"]),
    "STRONG with something CUMBERSOME": (NA, None, MHI, ("Polearm",), "Sword/Axe", ["hands"]),
    "STRONG with a shield": (NA, None, MHI, ("Great Sword/Axe", "Trench Shield"), "Trench Knife", ["hands"]),
    "HELD leaves one hand for shooting": (NA, None, YEOMAN, ("Musical Instrument", "Pistol"), "Pistol", ["hands"]),
    "HELD and a 2-Handed weapon": (NA, None, YEOMAN, ("Musical Instrument",), "Shotgun", ["hands"]),
    "HELD and a Shield leave no hand": (NA, None, SHOCK, ("Troop Flag", "Trench Shield"), "Sword/Axe", ["hands"]),
    "HELD and a grenade": (NA, None, SHOCK, ("Troop Flag", "Trench Shield", "Frag Grenades"), "Sword/Axe", ["hands"]),
    "the Book of Battle Prayers is HELD": (NA, None, LT, ("found:Book of Battle Prayers", "Sword/Axe"), "Sword/Axe", ["hands"]),
    "one suit of armour": (NA, None, LT, ("Standard Armour",), "Reinforced Armour", ["slot-armour"]),
    "armour on what wears its own": (NA, None, "Combat Engineer", ("Combat Helmet",), "Standard Armour", ["slot-armour"]),
    "one Headgear": (NA, ABYSSINIA, LT, ("Combat Helmet", "Gas Mask"), "Anfarro", ["slot-headgear"]),
    "one type of grenade": (NA, None, SHOCK, ("Frag Grenades",), "Incendiary Grenades", ["slot-grenade"]),
    "one of a kind of grenade": (NA, None, SHOCK, ("Frag Grenades",), "Frag Grenades", ["slot-grenade"]),
    "one Satchel Charge on a model": (NA, None, "Combat Engineer", ("Satchel Charge",), "Satchel Charge", ["duplicate", "heavy"]),
    "no two of one piece of equipment": (NA, None, SHOCK, ("Medi-kit", "Gas Mask", "Shovel", "Mountaineer Kit"), "Gas Mask", ["duplicate"]),
    "one HEAVY item": (NA, None, SHOCK, ("Machine Gun",), "Great Hammer/Maul", ["heavy"]),
    "a HEAVY grenade counts too": (NA, None, SHOCK, ("Satchel Charge",), "Heavy Shotgun", ["heavy"]),
    "HEAVY equipment counts too": (HL, AVARICE, "Heretic Priest", ("Golden Calf Altar",), "Machine Gun", ["heavy"]),
    "ELITE only": (NA, None, YEOMAN, ("Pistol",), "Automatic Pistol", ["only-for"]),
    "ELITE only, equipment": (NA, None, SHOCK, ("Medi-kit",), "Binoculars", ["only-for"]),
    "ELITE only among Heretics": (HL, None, "Heretic Trooper", ("Pistol",), "Silenced Pistol", ["only-for"]),
    "ELITE only, found": (NA, None, YEOMAN, ("found:Lock of Samson's Hair",), "found:Saintly Relic", ["only-for"]),
    "Reinforced Armour for ELITE": (NA, None, SHOCK, ("Standard Armour",), "Reinforced Armour", ["only-for", "slot-armour"]),
    "heavy armour for the Lieutenant": (NA, PRUSSIA, "Trench Cleric", ("Standard Armour",), "Reinforced Armour", ["only-for", "slot-armour"]),
    "no Trench Shield with Machine Armour": (NA, None, LT, ("Machine Armour", "Heavy Ballistic Shield"), "Trench Shield", ["banned", "slot-shield"]),
    "the Heavy Ballistic Shield wants Machine Armour": (NA, None, LT, ("Reinforced Armour",), "Heavy Ballistic Shield", ["needs", "only-for"]),
    "no Shield with the Armour of Cobar": (HL, None, "Heretic Priest", ("found:Armour of Cobar",), "Trench Shield", ["banned"]),
    "no Shield on the Tank Palanquin": (HL, GHOSTS, "Heretic Priest", ("Tank Palanquin",), "Trench Shield", ["banned"]),
    "wings for the titled": (NA, None, LT, ("found:Knighthood", "found:Ducal Winged Armour"), "Trench Shield", ["banned"]),
    "wings for nobody else": (NA, None, LT, ("Sword/Axe",), "found:Ducal Winged Armour", ["only-for"]),
    "a scope goes on a rifle": (NA, None, SHOCK, ("Shotgun",), "found:Sniper Scope", ["only-for"]),
    "claws for Death Commandos": (HL, None, "Heretic Priest", ("Sacrificial Blade",), "Tartarus Claws", ["hands", "only-for"]),
    "contracts for Heretic Troopers": (HL, None, "Chorister", ("Unholy Relic",), "Hellbound Soul Contract", ["only-for"]),
    "bullets for a gun": (NA, EIRE, SHOCK, ("Combat Helmet",), "Armour Piercing Bullets", ["only-for"]),
    "Holy Smoke for Trench Clerics": (NA, PRUSSIA, LT, ("Gas Mask",), "Holy Smoke", ["only-for"]),
    "the Arsenal keeps the Resurrection Engine": (NA, None, LT, ("Sword/Axe",), "found:Resurrection Engine", ["only-for"]),
    "no Hellblade for the Knights of Avarice": (HL, AVARICE, "Heretic Priest", ("Coin Hammer",), "found:Hellblade", ["banned", "hands"]),
    "no Infernal Brand for ghosts": (HL, GHOSTS, "Heretic Priest", ("Unholy Relic",), "found:Infernal Brand", ["banned"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", ON_ONE_MODEL)
def test_the_largest_kit_that_keeps_a_rule(rule: str) -> None:
    faction, variant, profile, kit, _, _ = ON_ONE_MODEL[rule]
    assert codes(roster(faction, fighter(profile, *kit), variant=variant, **LATER)) == []


@pytest.mark.parametrize("rule", ON_ONE_MODEL)
def test_one_piece_more_breaks_it(rule: str) -> None:
    faction, variant, profile, kit, more, expected = ON_ONE_MODEL[rule]
    assert codes(roster(faction, fighter(profile, *kit, more), variant=variant, **LATER)) == expected


# rule: faction, variant, models that keep it, models that break it, the codes
IN_THE_WARBAND: dict[str, tuple[str, str | None, tuple[Document, ...], tuple[Document, ...], list[str]]] = {
    "Limit": (
        NA, None,
        tuple(fighter(SHOCK, "Satchel Charge") for _ in range(3)), (fighter(SHOCK, "Satchel Charge"),), ["warband-limit"],
    ),
    "Limit of a variant": (
        NA, EIRE,
        tuple(fighter("Combat Engineer", "Satchel Charge") for _ in range(4)), (fighter(SHOCK, "Great Sword/Axe"),) * 4, ["warband-limit"],
    ),
    "Limit and finds": (
        NA, None,
        (fighter(SHOCK, "Incendiary Grenades"), fighter(SHOCK, "found:Incendiary Grenades")), (fighter(SHOCK, "found:Incendiary Grenades"),),
        ["warband-limit"],
    ),
    "Limit of a Glory Item that was found": (
        NA, None,
        (fighter(LT, "found:Knighthood"),), (fighter("Trench Cleric", "found:Knighthood"),), ["warband-limit"],
    ),
    "a find that no list sells": (
        HL, None,
        (fighter("Heretic Trooper", "found:Lock of Samson's Hair"),), (fighter("Chorister", "found:Lock of Samson's Hair"),), ["warband-limit"],
    ),
    "no Limit": (HL, None, tuple(fighter("Heretic Trooper", "Shotgun") for _ in range(5)), (fighter("Heretic Trooper", "Machine Gun"),) * 2, ["warband-limit"]),
    "one Machine Armour beside those of Mechanized Heavy Infantry": (
        NA, None,
        (fighter(LT, "Machine Armour"), fighter(MHI, up=("Machine Armour",))), (fighter("Trench Cleric", "Machine Armour"),), ["warband-limit"],
    ),
    "one dog": (NA, None, (fighter("Trench Dog"),), (fighter("Guard Dog"),), ["group-cap"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", IN_THE_WARBAND)
def test_a_warband_within_its_limits(rule: str) -> None:
    faction, variant, kept, _, _ = IN_THE_WARBAND[rule]
    assert codes(roster(faction, *kept, variant=variant, **LATER)) == []


@pytest.mark.parametrize("rule", IN_THE_WARBAND)
def test_a_warband_past_them(rule: str) -> None:
    faction, variant, kept, more, expected = IN_THE_WARBAND[rule]
    assert codes(roster(faction, *kept, *more, variant=variant, **LATER)) == expected


def test_finds_past_the_limit_are_fine_in_the_older_edition() -> None:
    kept = [fighter("Shocktrooper", "Incendiary Grenades"), fighter("Shocktrooper", "Incendiary Grenades")]
    document = roster(NA, *kept, fighter("Shocktrooper", "found:Incendiary Grenades"), **LATER)
    assert codes(document) == ["warband-limit"]
    assert codes(document | {"edition": "1.6.3"}) == []
    assert codes(document | {"house_rules": {"loot_respects_limit": False}}) == []


def test_a_piece_in_the_arsenal_counts_against_the_limit() -> None:
    document = roster(NA, fighter(SHOCK, "Machine Gun"), fighter(MHI, "Machine Gun"), **LATER)
    assert codes(document) == []
    assert codes(document | {"stash": [{"item": "Machine Gun", "origin": "found"}]}) == ["warband-limit"]


def test_a_title_raises_the_limit_of_what_it_names() -> None:
    title = {"item": "Battlefield Title", "origin": "found", "choices": {"raise-limit": "Sniper Rifle"}}
    snipers = [fighter("Sniper Priest", "Sniper Rifle") for _ in range(2)] + [fighter(YEOMAN, "Sniper Rifle")] * 2
    document = roster(NA, fighter(LT), *snipers, **LATER)
    assert codes(document) == ["warband-limit"]
    document["fighters"][0]["kit"].append(title)
    assert codes(document) == []


def test_glory_items_wait_for_a_discovery() -> None:
    document = roster(HL, fighter("Heretic Priest", "Executioner's Axe"))
    assert codes(document) == ["not-offered"]
    assert codes(document | {"mode": "one-off"}) == []
    assert codes(roster(HL, fighter("Heretic Priest", "found:Executioner's Axe"), **LATER)) == []


@pytest.mark.parametrize(
    ("faction", "variant", "profile", "item", "ducats"),
    [
        (NA, None, YEOMAN, "Bolt-Action Rifle", 5),
        (NA, None, SHOCK, "Bolt-Action Rifle", 10),
        (NA, None, SHOCK, "Great Sword/Axe", 12),
        (HL, "Heretic Naval Raiders", "Heretic Trooper", "Submachine Gun", 25),
        (HL, AVARICE, "Heretic Priest", "Tarnished Armour", 25),
    ],
)
def test_what_a_piece_adds_to_the_worth_of_its_model(
    faction: str, variant: str | None, profile: str, item: str, ducats: int
) -> None:
    bare = GAME.documents.judge(roster(faction, fighter(profile), variant=variant))["rating"]["ducats"]
    armed = GAME.documents.judge(roster(faction, fighter(profile, item), variant=variant))["rating"]["ducats"]
    assert armed - bare == ducats


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Trench Polearm", "Polearm"), ("Knife / Dagger", "Trench Knife"), ("Greatsword / Greataxe", "Great Sword/Axe"),
        ("Double-Handed Blunt Weapon", "Great Hammer/Maul"), ("Pistol / Revolver", "Pistol"), ("Medi-Kit", "Medi-kit"), ("Grenades", "Frag Grenades"),
        ("Medikit", "Medi-kit"), ("Anti-Materiel Rifle", "Anti-Material Rifle"),
    ],
)  # fmt: skip
def test_names_of_either_edition_and_source_are_read(old: str, new: str) -> None:
    content = GAME.content("1.0")
    assert content.name("item", str(content.resolve("item", old))) == new
    assert content.resolve("item", old) == content.resolve("item", new)


@pytest.mark.parametrize(
    ("item", "word"),
    [
        ("Gas Mask", "NEGATE GAS"),
        ("Combat Helmet", "NEGATE SHRAPNEL"),
        ("Troop Flag", "LEADER"),
    ],
)
def test_equipment_gives_its_keywords_to_the_model(item: str, word: str) -> None:
    force, problems = GAME.documents.read_document(roster(NA, fighter(YEOMAN, item)))
    assert not problems
    view = next(v for v in GAME.views(GAME.content("1.0"), force).values() if v.profile == "yeoman")
    assert [k.cause for k in view.keywords if k.name == word and k.state == "gained"] == [item]


def test_a_sheet_explains_the_keywords_and_stipulations_it_names() -> None:
    force, _ = GAME.documents.read_document(
        roster(NA, fighter(SHOCK, "Trench Shield", "Submachine Gun", "Combat Helmet"))
    )
    told = {e.name: e.kind for e in GAME.documents.sheet(GAME.content("1.0"), force).glossary}
    assert {"ASSAULT", "+/- INJURY MODIFIER", "NEGATE [KEYWORD]"} <= {
        n for n, kind in told.items() if kind == "keyword"
    }
    assert [n for n, kind in told.items() if kind == "reference"] == ["Bayonet Lug", "Shield Combo", "Headgear"]
    weapon = next(w for f in GAME.documents.sheet(GAME.content("1.0"), force).fighters for w in f.weapons)
    assert weapon.keywords == "ASSAULT, BAYONET LUG, SHIELD COMBO"
