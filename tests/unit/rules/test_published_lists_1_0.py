"""Rosters of edition 1.0, legal and not: for each rule of a list the smallest warband that keeps it and the nearest that breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
CONTENT = GAME.content("1.0")
Document = dict[str, Any]
RICH: Document = {"budget": {"ducats": 3000, "glory": 60}}
CASES: list[tuple[str, Document, list[str]]] = []
PS, EI, ST, AL, AB = (
    "Papal States Intervention Force",
    "Eire Rangers",
    "Stoßtruppen of the Free State of Prussia",
    "Kingdom of Alba Assault Detachment",
    "Expeditionary Forces of Abyssinia",
)
NR, TG, KA = "Heretic Naval Raiders", "Trench Ghosts", "Knights of Avarice"


def f(profile: str, *kit: Any, up: tuple[str, ...] | list[str] = (), **more: Any) -> Document:
    return {"name": more.pop("name", profile), "profile": profile, "kit": list(kit), "upgrades": list(up), **more}


def doc(faction: str, variant: str | None, *fighters: Document, **more: Any) -> Document:
    shown = {"game": "trench-crusade", "edition": "1.0", "faction": faction, "variant": variant}
    return {**shown, "fighters": list(fighters), **RICH, **more}


def na(*fs: Document, variant: str | None = None, **more: Any) -> Document:
    leader = () if variant == PS else (f("Lieutenant"),)
    return doc("New Antioch", variant, *leader, *fs, **more)


def hl(*fs: Document, variant: str | None = None, **more: Any) -> Document:
    return doc("Heretic Legions", variant, f("Heretic Priest"), *fs, **more)


def case(name: str, document: Document, *codes: str) -> None:
    CASES.append((name, document, sorted(codes)))


def later(fought: int) -> Document:
    return {"battles": {"fought": fought, "credited": 0}}


def some(count: int, *args: Any, **more: Any) -> list[Document]:
    return [f(*args, **more, name=f"{args[0]} {n}") for n in range(1, count + 1)]


CLERIC = f("Trench Cleric", {"item": "crucifix-of-the-supreme-pontiff", "origin": "starting"})

# --- New Antioch
case("700 ducats are 700", na(f("Sniper Priest", "Sniper Rifle"), budget={"ducats": 155, "glory": 0}))
case("and not one more", na(f("Sniper Priest", "Sniper Rifle"), budget={"ducats": 154, "glory": 0}), "over-budget")
case("a lieutenant leads", doc("New Antioch", None, f("Yeoman")), "no-leader")
case("one cleric", na(f("Trench Cleric")))
case("two clerics", na(*some(2, "Trench Cleric")), "too-many")
case("two sniper priests", na(*some(2, "Sniper Priest")))
case("three sniper priests", na(*some(3, "Sniper Priest")), "too-many")
case("five shocktroopers", na(*some(5, "Shocktrooper")))
case("six shocktroopers", na(*some(6, "Shock Trooper")), "too-many")
case("two engineers", na(*some(2, "Combat Engineer")))
case("three engineers", na(*some(3, "Combat Engineer")), "too-many")
case("one medic", na(f("Combat Medic")))
case("two medics", na(*some(2, "Combat Medic")), "too-many")
case("three mechanized", na(*some(3, "Mechanized Heavy Infantry")))
case("four mechanized", na(*some(4, "Mechanized Heavy Infantry")), "too-many")
case("a yeoman without a gun", na(f("Yeoman")))
case("an engineer behind a shield", na(f("Combat Engineer", "Trench Shield", "Pistol")))
case("an engineer in other armour", na(f("Combat Engineer", "Standard Armour")), "slot-armour")
case("an engineer with one heavy weapon", na(f("Combat Engineer", "Satchel Charge")))
case("an engineer with two", na(f("Combat Engineer", "Satchel Charge", "Machine Gun")), "heavy")
case("a medic buys a weapon", na(f("Combat Medic", "Misericordia", "Pistol")))
case("a medic in other armour", na(f("Combat Medic", "Standard Armour", "Standard Armour")), "slot-armour")
case("mechanized in machine armour", na(*some(3, "Mechanized Heavy Infantry", up=["Machine Armour"])))
case("a yeoman in machine armour", na(f("Yeoman", up=["Machine Armour"])), "only-for")
case("two moles", na(*some(2, "Yeoman", up=["Trench Mole"])))
case("three moles", na(*some(3, "Yeoman", up=["Trench Mole"]), budget={"ducats": 700, "glory": 0}), "warband-limit")
case("three moles at 1000", na(*some(3, "Yeoman", up=["Trench Mole"]), **later(3)))
case("a mole of a shocktrooper", na(f("Shocktrooper", up=["Trench Mole"])), "only-for")
case(
    "every mercenary of the faithful",
    na(
        f("Mamluk Faris", "Greatsword"),
        f("Observer"),
        f("Witchburner"),
        f("Mendelist Ammo Monk"),
        f("Combat Biologist"),
        f("Communicant Anti-Tank Hunter"),
        f("Scripture Guardian", "Great Hammer/Maul"),
    ),
)
case("two observers", na(*some(2, "Observer")), "too-many")
case("a mercenary of the other side", na(f("Goetic Warlock")), "not-offered")
case("a guardian with two blades", na(f("Scripture Guardian", "Sword/Axe", "Trench Club")))
case("a guardian with a gun", na(f("Scripture Guardian", "Pistol", "Trench Club", "Trench Club")), "banned")
case("a guardian with bare hands", na(f("Scripture Guardian")), "needs")
case("a witchburner counts among six ELITE", na(f("Witchburner"), f("Trench Cleric"), *some(2, "Sniper Priest")))
case(
    "seven ELITE with a witchburner",
    na(f("Witchburner"), f("Trench Cleric"), *some(2, "Sniper Priest"), *some(2, "Yeoman", promoted=True), **later(2)),
    "elite-cap",
)
case("a promoted mercenary", na(f("Observer", promoted=True), **later(2)))

# --- Papal States
case("500 ducats and 11 glory", doc("New Antioch", PS, CLERIC, f("Observer"), budget={"ducats": 500, "glory": 11}))
case("a cleric is enough", na(CLERIC, variant=PS))
case("no cleric", doc("New Antioch", PS, f("Lieutenant")), "no-leader", "too-few")
case("no mole far from home", na(CLERIC, f("Yeoman", up=["Trench Mole"]), variant=PS), "not-offered")
case(
    "four guards and the lieutenant",
    na(CLERIC, f("Lieutenant", up=["Swiss Guard"]), *some(4, "Yeoman", up=["Swiss Guard"]), variant=PS),
)
case("five guards", na(CLERIC, *some(5, "Yeoman", up=["Swiss Guard"]), variant=PS), "warband-limit")
case("a guard for hire", na(CLERIC, f("Observer", up=["Swiss Guard"]), variant=PS), "only-for")

# --- Éire Rangers
case("two warrior priests", na(*some(2, "Trench Cleric"), variant=EI))
case("three warrior priests", na(*some(3, "Trench Cleric"), variant=EI), "too-many")
case("four engineers of Éire", na(*some(4, "Combat Engineer"), variant=EI))
case("five engineers of Éire", na(*some(5, "Combat Engineer"), variant=EI), "too-many")
case("one mechanized of Éire", na(f("Mechanized Heavy Infantry", "Machine Gun"), variant=EI))
case("two mechanized of Éire", na(*some(2, "Mechanized Heavy Infantry"), variant=EI), "too-many")
case("three great swords", na(*some(3, "Yeoman", "Great Sword/Axe"), variant=EI))
case("four great swords", na(*some(4, "Yeoman", "Great Sword/Axe"), variant=EI), "warband-limit")
case("mechanized with a great sword", na(f("Mechanized Heavy Infantry", "Great Sword/Axe"), variant=EI), "only-for")
case("a heavy gun of Éire", na(f("Yeoman", "Machine Gun"), variant=EI), "only-for")
case("a heavy maul of Éire", na(f("Yeoman", "Great Hammer/Maul"), variant=EI), "only-for")
case("an engineer's satchel charge", na(f("Combat Engineer", "Satchel Charge"), variant=EI))
case("a yeoman's satchel charge", na(f("Yeoman", "Satchel Charge"), variant=EI), "only-for")
case("reinforced armour of Éire", na(f("Trench Cleric", "Reinforced Armour"), variant=EI), "not-offered")
case("a fianna", na(f("Shocktrooper", up=["Fianna"]), variant=EI))
case("a fianna of a yeoman", na(f("Yeoman", up=["Fianna"]), variant=EI), "only-for")
case("a berserker", na(f("Shocktrooper", "Trench Shield", up=["Fianna", "Berserker"]), variant=EI))
case(
    "a berserker in armour", na(f("Shocktrooper", "Standard Armour", up=["Fianna", "Berserker"]), variant=EI), "banned"
)
case("a berserker that is no fianna", na(f("Shocktrooper", up=["Berserker"]), variant=EI), "needs")
case("two berserkers", na(*some(2, "Shocktrooper", up=["Fianna", "Berserker"]), variant=EI), "warband-limit")
case("the learned saint", na(variant=EI, patron="Learned Saint"))
case("another patron", na(variant=EI, patron="Warrior Saint"), "patron")

# --- Stoßtruppen
TWO = some(2, "Shocktrooper")
case("two shocktroopers of Prussia", na(*TWO, variant=ST))
case("one shocktrooper of Prussia", na(f("Shocktrooper"), variant=ST), "too-few")
case("eight shocktroopers of Prussia", na(*some(8, "Shocktrooper"), variant=ST))
case("nine shocktroopers of Prussia", na(*some(9, "Shocktrooper"), variant=ST), "too-many")
case("one sniper of Prussia", na(*TWO, f("Sniper Priest"), variant=ST))
case("two snipers of Prussia", na(*TWO, *some(2, "Sniper Priest"), variant=ST), "too-many")
case("no mole of Prussia", na(*TWO, f("Yeoman", up=["Trench Mole"]), variant=ST), "only-for")
case("four submachine guns", na(*some(4, "Shocktrooper", "Submachine Gun"), variant=ST))
case("five submachine guns", na(*some(5, "Shocktrooper", "Submachine Gun"), variant=ST), "warband-limit")
case("a shocktrooper's automatic pistol", na(*some(2, "Shocktrooper", "Automatic Pistol"), variant=ST))
case("a grenade launcher of Prussia", na(*TWO, f("Yeoman", "Grenade Launcher"), variant=ST), "banned")
case("two forward positions", na(*some(2, "Shocktrooper", up=["Forward Positions"]), variant=ST))
case("three forward positions", na(*some(3, "Shocktrooper", up=["Forward Positions"]), variant=ST), "warband-limit")
case("a fast shocktrooper", na(*some(2, "Shocktrooper", up=["Rapid Assault"]), variant=ST))
case("a fast yeoman", na(*TWO, f("Yeoman", up=["Rapid Assault"]), variant=ST), "only-for")
case("a cleric with holy smoke", na(*TWO, f("Trench Cleric", "Holy Smoke"), variant=ST))
case("a sniper with holy smoke", na(*TWO, f("Sniper Priest", "Holy Smoke"), variant=ST), "only-for")

# --- Alba
case("two greatswords on a STRONG trooper", na(f("Shocktrooper", "Great Sword/Axe", "Sword/Axe"), variant=AL))
case("one machine gun of Alba", na(f("Yeoman", "Machine Gun"), variant=AL))
case("two machine guns of Alba", na(*some(2, "Yeoman", "Machine Gun"), variant=AL), "warband-limit")
case("a cleric of Alba in reinforced armour", na(f("Trench Cleric", "Reinforced Armour"), variant=AL), "only-for")

# --- Abyssinia
case("a cleric and two holy warriors", na(f("Trench Cleric"), *some(2, "Holy Warrior"), variant=AB))
case("two clerics of Abyssinia", na(*some(2, "Trench Cleric"), variant=AB), "too-many")
case("three holy warriors", na(*some(3, "Holy Warrior"), variant=AB), "too-many")
case("no sniper priest", na(f("Sniper Priest"), variant=AB), "not-offered")
case("two medics of Abyssinia", na(*some(2, "Combat Medic", "Misericordia"), variant=AB))
case("three medics of Abyssinia", na(*some(3, "Combat Medic"), variant=AB), "too-many")
case("four vanguards", na(*some(4, "Yeoman", up=["Vanguard"]), variant=AB))
case("five vanguards", na(*some(5, "Yeoman", up=["Vanguard"]), variant=AB), "warband-limit")
case("no machine armour", na(f("Mechanized Heavy Infantry", up=["Machine Armour"]), variant=AB), "not-offered")
case("a chewa", na(f("Shocktrooper", "Shotel", up=["Chewa"]), f("Trench Cleric", up=["Chewa"]), variant=AB))
case("a chewa of a yeoman", na(f("Yeoman", up=["Chewa"]), variant=AB), "only-for")
HEAVY = [f("Yeoman", gun, name=gun) for gun in ("Machine Gun", "Grenade Launcher", "Heavy Flamethrower")]
case("three heavy guns", na(*HEAVY, f("Combat Engineer", "Satchel Charge"), variant=AB))
case("four heavy guns", na(*HEAVY, f("Yeoman", "Heavy Shotgun"), variant=AB), "warband-limit")

# --- Heretic Legions
case("a priest leads", doc("Heretic Legion", None, f("Heretic Trooper")), "no-leader")
case("one of each", hl(f("Death Commando"), f("Chorister"), f("War Wolf Assault Beast"), f("Artillery Witch")))
case("two choristers", hl(*some(2, "Heretic Chorister")), "too-many")
case("five anointed", hl(*some(5, "Anointed Heavy Infantry")))
case("six anointed", hl(*some(6, "Anointed Heavy Infantry")), "too-many")
case("two witches", hl(*some(2, "Artillery Witch"), budget={"ducats": 700, "glory": 0}), "too-many")
case("two witches at 1000", hl(*some(2, "Artillery Witch"), **later(3)))
case(
    "half of them legionnaires", hl(*some(2, "Heretic Trooper"), *some(2, "Heretic Trooper", up=["Melee Legionnaire"]))
)
case(
    "more legionnaires than troopers",
    hl(f("Heretic Trooper"), *some(2, "Heretic Trooper", up=["Ranged Legionnaire"])),
    "warband-limit",
)
case("wretched outnumber the rest", hl(*some(3, "Wretched", "Trench Knife")))
case("an unarmed wretched", hl(f("Wretched")), "needs")
case("a wretched with a rifle", hl(f("Wretched", "Bolt-Action Rifle")))
case("a wretched with a dearer gun", hl(f("Wretched", "Semi-Automatic Rifle")), "banned")
case("a wretched with a thing of glory", hl(f("Wretched", "Automatic Rifle")), "banned")
case("a commando with its pistol", hl(f("Death Commando", "Silenced Pistol", "Gas Grenades")))
case("a commando with a shotgun", hl(f("Death Commando", "Shotgun")), "banned")
case("a witch with a gun", hl(f("Artillery Witch", "Pistol")), "banned")
case("every mercenary of hell", hl(f("Goetic Warlock"), f("Sin Eater"), f("Scripture Guardian", "Polearm")))
case("two warlocks", hl(*some(2, "Goetic Warlock")), "too-many")
case("a promoted wretched", hl(f("Wretched", "Trench Knife", promoted=True), **later(2)), "promotion")
case("a promoted war wolf", hl(f("War Wolf Assault Beast", promoted=True), **later(2)), "promotion")
case("a promoted witch", hl(f("Artillery Witch", promoted=True), **later(2)))

# --- Naval Raiders
case("two anointed raiders", hl(*some(2, "Anointed Heavy Infantry"), variant=NR))
case("three anointed raiders", hl(*some(3, "Anointed Heavy Infantry"), variant=NR), "too-many")
case("two raiding witches at 1000", hl(*some(2, "Artillery Witch"), variant=NR, **later(3)), "too-many")
case("no war wolf", hl(f("War Wolf Assault Beast"), variant=NR), "not-offered")
case("three infiltrators", hl(*some(3, "Heretic Trooper", up=["Unseen Infiltrator"]), variant=NR))
case("four infiltrators", hl(*some(4, "Heretic Trooper", up=["Unseen Infiltrator"]), variant=NR), "warband-limit")
case("an ELITE infiltrator", hl(f("Chorister", up=["Unseen Infiltrator"]), variant=NR), "only-for")
case("by its old name", hl(variant="Heretic Naval Raiding Party"))

# --- Trench Ghosts
case("a chorister among ghosts", hl(f("Chorister"), variant=TG))
case("a banshee in its place", hl(f("Barbed Wire Banshee"), variant=TG))
case("both", hl(f("Chorister"), f("Barbed Wire Banshee"), variant=TG), "group-cap")
case("no mercenary", hl(f("Sin Eater"), variant=TG), "not-offered")
case("nothing ARTIFICIAL", hl(f("Artillery Witch"), variant=TG), "not-offered")
case("no brand", hl(f("Heretic Trooper", "Infernal Brand"), variant=TG), "banned")
case("two mines", hl(*some(2, "Heretic Trooper", up=["Sarcophagus Mine"]), variant=TG))
case("three mines", hl(*some(3, "Heretic Trooper", up=["Sarcophagus Mine"]), variant=TG), "warband-limit")
case(
    "a mine with a rifle", hl(f("Heretic Trooper", "Bolt-Action Rifle", up=["Sarcophagus Mine"]), variant=TG), "banned"
)
case(
    "a mine counts as a trooper",
    hl(f("Heretic Trooper", up=["Sarcophagus Mine"]), f("Heretic Trooper", up=["Ranged Legionnaire"]), variant=TG),
)

# --- Knights of Avarice
TOLL = {"choices": {"corrupt-merchants-iron-sultanate": "jezzail", "corrupt-merchants-new-antioch": "heavy-shotgun"}}
RIFLE = f("Heretic Trooper", "Machine Gun")


def ka(*fs: Document, **more: Any) -> Document:
    return hl(*fs, variant=KA, **{**TOLL, **more})


case("two merchants", ka())
case("no commando", ka(f("Death Commando")), "not-offered")
case("two warlocks of Mammon", ka(*some(2, "Goetic Warlock")))
case("three warlocks of Mammon", ka(*some(3, "Goetic Warlock")), "too-many")
case(
    "one foreign gun",
    ka(f("Heretic Trooper", "Heavy Shotgun", "Standard Armour", "Trench Polearm", "Combat Helmet", "Gas Mask")),
)
case(
    "two copies of it",
    ka(*some(2, "Heretic Trooper", "Heavy Shotgun", "Standard Armour", "Trench Polearm", "Combat Helmet", "Gas Mask")),
    "warband-limit",
)
case("a gun not chosen", ka(f("Heretic Trooper", "Sniper Rifle", "Standard Armour")), "not-offered")
case(
    "fire",
    ka(f("Chorister", "Standard Armour"), f("Heretic Trooper", "Flamethrower", "Standard Armour", "Combat Helmet")),
    "banned",
)
case("what gives fire", ka(f("Heretic Trooper", "Pistol", "Incendiary Ammunition")), "banned", "needs")
case("shrapnel", ka(f("Heretic Trooper", "Frag Grenades")), "banned", "needs")
case("a knight of 79 ducats", ka(f("Chorister", "Sword/Axe", "Combat Helmet", "Infernal Brand")), "needs")
case("Mammon alone", ka(patron="Infernal Noble"), "patron")
case("a rich knight and a wretched fielded", ka(RIFLE, f("Wretched", "Trench Knife"), scope="fielding"))
case(
    "a knight of 79 ducats fielded",
    ka(f("Chorister", "Sword/Axe", "Combat Helmet", "Infernal Brand"), scope="fielding"),
    "fielding",
)
case("a knight of 80 ducats fielded", ka(f("Chorister", "Standard Armour"), scope="fielding"))


@pytest.mark.parametrize(("document", "codes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_roster_earns_these_codes(document: Document, codes: list[str]) -> None:
    answer = GAME.documents.judge(json.loads(json.dumps(document)))
    assert sorted(p["code"] for p in answer["problems"]) == codes, [p["message"] for p in answer["problems"]]
    assert answer["legal"] == (not codes)


def test_each_problem_reads_well() -> None:
    for name, document, _ in CASES:
        for problem in GAME.documents.judge(json.loads(json.dumps(document)))["problems"]:
            assert not problem["message"][0].islower(), (name, problem)
            assert problem["message"].endswith("."), (name, problem)
            assert "{" not in problem["message"] + problem["mend"], (name, problem)
            assert problem["source"] or problem["code"] == "over-budget", (name, problem)


def ducats(*fighters: Document, variant: str | None = None) -> int:
    """What a warband of New Antioch is worth beside its Lieutenant of 70 ducats."""
    return int(GAME.documents.judge(na(*fighters, variant=variant))["rating"]["ducats"]) - 70


def test_the_first_melee_weapon_of_each_kind_costs_half_in_alba() -> None:
    """Cold Steel, rounded up, over Claymore Smiths; what is bought later costs its price."""
    assert ducats(f("Yeoman", "Sword/Axe"), variant=AL) == 30 + 2
    assert ducats(f("Yeoman", "Sword/Axe"), f("Yeoman", "Sword/Axe"), variant=AL) == 60 + 2 + 4
    assert ducats(f("Yeoman", "Great Sword/Axe"), f("Yeoman", "Great Sword/Axe"), variant=AL) == 60 + 4 + 7
    assert ducats(f("Yeoman", "Polearm", "Trench Knife"), variant=AL) == 30 + 4 + 1
    assert ducats(f("Yeoman", "Pistol"), f("Yeoman", "Pistol"), variant=AL) == 60 + 12
    assert ducats(f("Yeoman", "Sword/Axe")) == 30 + 4


def test_a_shop_in_alba_asks_half_until_one_is_bought() -> None:
    def asked(*fighters: Document) -> int:
        force, problems = GAME.documents.read_document(na(*fighters, variant=AL))
        assert problems == ()
        return next(o.price.ducats for o in GAME.shop.item_offers(CONTENT, force) if o.ref == "sword-axe")

    assert asked() == 2
    assert asked(f("Yeoman", "Sword/Axe")) == 4
    assert asked(f("Scripture Guardian", "Sword/Axe")) == 2  # no rule of the list is for mercenaries


def test_the_second_warlock_opens_after_the_first() -> None:
    def open_to(*fighters: Document) -> dict[str, bool]:
        force, _ = GAME.documents.read_document(ka(*fighters))
        return {str(o.price): o.state == "open" for o in GAME.hire_offers(CONTENT, force) if o.ref == "goetic-warlock"}

    assert open_to() == {"110 ducats": True, "4 glory": False}
    assert open_to(f("Goetic Warlock")) == {"110 ducats": False, "4 glory": True}
    assert GAME.documents.judge(ka(f("Goetic Warlock"), f("Goetic Warlock")))["rating"] == {
        "ducats": 80 + 110,
        "glory": 4,
    }


def views(document: Document) -> dict[str, Any]:
    force, problems = GAME.documents.read_document(document)
    assert problems == ()
    return {view.name: view for view in GAME.check(CONTENT, force).views.values()}


def test_ghosts_gain_their_keywords_and_highlanders_are_strong() -> None:
    ghost = views(hl(f("Heretic Trooper"), variant=TG))["Heretic Trooper"]
    assert all(ghost.has(word) for word in ("FEAR", "NEGATE DIFFICULT TERRAIN", "NEGATE GAS"))
    alba = views(na(f("Shocktrooper"), f("Mechanized Heavy Infantry"), f("Observer"), variant=AL))
    assert alba["Shocktrooper"].has("STRONG")
    assert alba["Shocktrooper"].has("IGNORE DEFENDED OBSTACLE")
    assert not alba["Observer"].has("IGNORE DEFENDED OBSTACLE")  # rules of the list pass mercenaries by
    heavy = alba["Mechanized Heavy Infantry"].stats
    assert (heavy["ranged"].value, heavy["melee"].value, heavy["base"].value) == (0, 1, 40)


def test_what_variants_change_on_clerics_and_lieutenants() -> None:
    def abilities(variant: str | None, name: str = "Trench Cleric") -> set[str]:
        return {
            a.name
            for a in views(na(CLERIC if variant == PS else f(name), variant=variant))[name].abilities
            if a.state != "lost"
        }

    plain = {"God is With Us!", "Onward Christian Soldiers!"}
    assert abilities(None) == plain
    assert abilities(PS) == plain | {"Arise and be Healed!"}
    assert abilities(AB, "Holy Warrior") == plain | {"Arise and be Healed!", "Blessed Psalm"}
    assert len(abilities(EI)) == 3
    assert "Onward Christian Soldiers!" not in abilities(EI)
    assert "SKIRMISHER" in {k.name for k in views(na(variant=EI))["Lieutenant"].keywords}
    assert views(na(variant=EI))["Lieutenant"].abilities == ()


def test_prussia_throws_farther_and_its_shocktroopers_lose_a_drill() -> None:
    trooper = views(na(*some(2, "Shocktrooper"), variant=ST))["Shocktrooper 1"]
    assert {a.name: a.state for a in trooper.abilities} == {"Shock Charge": "printed", "Assault Drill": "lost"}


HIRES = {
    "new-antioch": (8, 7),
    "papal-states-intervention-force": (8, 7),
    "eire-rangers": (8, 7),
    "stosstruppen-of-the-free-state-of-prussia": (8, 7),
    "kingdom-of-alba-assault-detachment": (8, 7),
    "expeditionary-forces-of-abyssinia": (8, 7),
    "heretic-legion": (8, 3),
    "heretic-naval-raiding-party": (7, 3),
    "trench-ghosts": (7, 0),
    "knights-of-avarice": (7, 4),
}
PRICES = {  # profile: ducats, glory
    "lieutenant": (70, 0), "trench-cleric": (60, 0), "yeoman": (30, 0), "sniper-priest": (50, 0), "shocktrooper": (45, 0),
    "combat-engineer": (80, 0), "combat-medic": (65, 0), "mechanised-heavy-infantry": (85, 0), "heretic-priest": (80, 0),
    "death-commando": (90, 0), "heretic-chorister": (65, 0), "heretic-trooper": (30, 0), "anointed-heavy-infantry": (95, 0),
    "artillery-witch": (100, 0), "war-wolf-assault-beast": (145, 0), "wretched": (25, 0), "mamluk-faris": (0, 4), "observer": (0, 3),
    "witchburner": (0, 5), "mendelist-ammo-monk": (0, 2), "combat-biologist": (0, 3), "communicant-anti-tank-hunter": (0, 5),
    "scripture-guardian": (0, 7), "goetic-warlock": (0, 4), "sin-eater": (0, 6),
}  # fmt: skip


@pytest.mark.parametrize("list_id", HIRES)
def test_each_list_hires_so_many_of_its_own_and_for_pay(list_id: str) -> None:
    offers = CONTENT.lists[list_id].profile_offers
    own = [o for o in offers if o.hired_as == "own"]
    assert (len(own), len([o for o in offers if o.hired_as == "mercenary"])) == HIRES[list_id]
    for offer in offers:
        ids = {offer.profile} | {
            e.profile for e in CONTENT.profiles[offer.profile].effects if getattr(e, "profile", "")
        }
        known = [PRICES[i] for i in ids if i in PRICES]
        if offer.id != "knights-of-avarice-goetic-warlock-of-avarice" and offer.profile not in (
            "holy-warrior",
            "barbed-wire-banshee",
        ):
            assert known == [(offer.price.ducats, offer.price.glory)], offer.id


def test_what_the_lists_are_founded_with() -> None:
    money = {i: (c.army.start.campaign.ducats, c.army.start.campaign.glory) for i, c in CONTENT.lists.items()}
    assert money.pop("papal-states-intervention-force") == (500, 11)
    assert set(money.values()) == {(700, 0)}
    assert CONTENT.lists["papal-states-intervention-force"].army.threshold_add == -200


@pytest.mark.parametrize("sample", [s[0] for s in GAME.founding.samples(CONTENT)])
def test_the_samples_are_legal_and_spend_what_they_may(sample: str) -> None:
    answer = GAME.documents.judge(GAME.founding.sample(CONTENT, sample))
    assert answer["problems"] == []
    assert 0 <= answer["left"]["ducats"] < 20


def test_every_list_has_a_sample_and_both_factions_two() -> None:
    lists = [s[2] for s in GAME.founding.samples(CONTENT)]
    assert set(lists) == set(CONTENT.lists)
    assert lists.count("new-antioch") == lists.count("heretic-legion") == 2


def test_a_golem_comes_with_hands_and_never_gets_tough() -> None:
    def golem(*formulas: str) -> Document:
        return na(f("Homunculus", up=list(formulas)), **later(3))

    assert GAME.documents.judge(golem("Human Hands", "Inhuman Strength", "Massive Size"))["legal"]
    assert not GAME.documents.judge(golem("Inhuman Strength"))["legal"]
    assert not GAME.documents.judge(golem("Human Hands", "Wings"))["legal"]
    assert not GAME.documents.judge(golem("Human Hands", "Elemental Resistance", "Regenerative"))["legal"]  # 65 ducats
    grown = views(golem("Human Hands", "Inhuman Strength", "Massive Size"))["Homunculus"]
    assert grown.has("GOLEM")
    assert grown.has("STRONG")
    assert not grown.has("TOUGH")
    assert (grown.stats["base"].value, grown.stats["melee"].value) == (50, 1)


def test_the_arsenal_holds_the_first_copy_where_nobody_does() -> None:
    def left(*fighters: Document, stash: tuple[str, ...]) -> int:
        return int(GAME.documents.judge(na(*fighters, variant=AL, stash=list(stash)))["left"]["ducats"])

    assert left(stash=("Sword/Axe",)) == 3000 - 70 - 2
    assert left(stash=("Sword/Axe", "Sword/Axe")) == 3000 - 70 - 2 - 4
    assert left(f("Yeoman", "Sword/Axe"), stash=("Sword/Axe",)) == 3000 - 100 - 2 - 4


def test_grenades_of_prussia_reach_farther_but_not_those_of_mercenaries() -> None:
    force, problems = GAME.documents.read_document(
        na(*some(2, "Shocktrooper", "Frag Grenades"), f("Combat Biologist"), variant=ST)
    )
    assert problems == ()
    ranges = {
        w.name: w.range_words for fighter in GAME.documents.sheet(CONTENT, force).fighters for w in fighter.weapons
    }
    assert (ranges["Frag Grenades"], ranges["Gas Grenades"]) == ("12″", "8″")
