"""Rosters as people write them, legal and not, of every list kept here, with the codes each of them earns.

One line is one rule: what a list of New Antioch or of the Heretic Legion may hold, on one fighter and in all, and what it may not.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
NA, HL = "New Antioch", "Heretic Legion"
Document = dict[str, Any]
RICH: Document = {"budget": {"ducats": 3000, "glory": 60}}
CASES: list[tuple[str, Document, list[str]]] = []


def f(profile: str, *kit: Any, up: tuple[str, ...] | list[str] = (), **more: Any) -> Document:
    return {"name": more.pop("name", profile), "profile": profile, "kit": list(kit), "upgrades": list(up), **more}


def doc(faction: str, variant: str | None, *fighters: Document, **more: Any) -> Document:
    return {
        "game": "trench-crusade",
        "edition": "1.6.3",
        "faction": faction,
        "variant": variant,
        "fighters": list(fighters),
        **more,
    }


def case(name: str, document: Document, *codes: str) -> None:
    CASES.append((name, document, sorted(codes)))


def later(fought: int, credited: int = 0) -> Document:
    return {"battles": {"fought": fought, "credited": credited}}


LT = f("Lieutenant", "Pistol / Revolver", "Sword/Axe", "Standard Armour")


def na(*fs: Document, variant: str | None = None, **more: Any) -> Document:
    return doc(NA, variant, LT, *fs, **more)


PR = f("Heretic Priest", "Pistol / Revolver", "Sword/Axe", "Standard Armour")


def hl(*fs: Document, variant: str | None = None, **more: Any) -> Document:
    return doc(HL, variant, PR, *fs, **more)


# --- New Antioch
case(
    "a plain company",
    na(
        f("Sniper Priest", "Sniper Rifle", "Gas Mask"),
        f("Trench Cleric", "Reinforced Armour", "Sword/Axe", "Trench Shield", "Pistol"),
        f("Combat Medic"),
        f("Mechanised Heavy Infantry", "Machine Gun"),
        f("Yeoman"),
        f("Yeoman"),
        f("Yeoman", up=["Trench Mole"]),
        budget={"ducats": 700, "glory": 0},
    ),
)
case("two ranged 2h", na(f("Yeoman", "Shotgun", "Semi-Automatic Rifle"), **RICH), "hands")
case("2h melee + shield", na(f("Shocktrooper", "Trench Shield", "Greatsword / Greataxe"), **RICH), "hands")
case("polearm+shield", na(f("Shocktrooper", "Trench Shield", "Trench Polearm", "Shotgun"), **RICH))
case(
    "polearm+shield rifle no combo ranged",
    na(f("Shocktrooper", "Trench Shield", "Trench Polearm", "Bolt-Action Rifle"), **RICH),
    "hands",
)
case("bayonet on rifle + sword x2", na(f("Yeoman", "Bayonet", "Sword/Axe", "Knife"), **RICH))
case("bayonet no lug", na(f("Shocktrooper", "Pistol / Revolver", "Bayonet"), **RICH), "only-for")
case("three melee 1h", na(f("Shocktrooper", "Sword/Axe", "Sword/Axe", "Trench Club"), **RICH), "hands")
case("three pistols", na(f("Shocktrooper", "Pistol", "Pistol", "Pistol"), **RICH), "hands")
case("pistol+rifle", na(f("Shocktrooper", "Pistol", "Bolt Action Rifle"), **RICH), "hands")
case(
    "strong greatsword+sword+shield", na(f("Mechanised Heavy Infantry", "Greatsword/Greataxe", "Trench Shield"), **RICH)
)
case(
    "strong greatsword+sword",
    na(f("Mechanised Heavy Infantry", "Greatsword/Greataxe", "Sword/Axe", "Machine Gun"), **RICH),
)
case(
    "strong two greatswords",
    na(f("Mechanised Heavy Infantry", "Greatsword/Greataxe", "Greatsword/Greataxe"), **RICH),
    "hands",
)
case(
    "strong cumbersome polearm + sword",
    na(f("Mechanised Heavy Infantry", "Trench Polearm", "Sword/Axe"), **RICH),
    "hands",
)
case("not strong: two heavy", na(f("Shocktrooper", "Machine Gun", "Double-Handed Blunt Weapon"), **RICH), "heavy")
case("strong two heavy", na(f("Mechanised Heavy Infantry", "Machine Gun", "Double-Handed Blunt Weapon"), **RICH))
case("two grenade types", na(f("Shocktrooper", "Grenades", "Incendiary Grenades"), **RICH), "slot-grenade")
case("engineer satchel + MG", na(f("Combat Engineer", "Satchel Charge", "Machine Gun"), **RICH))
case("yeoman satchel + MG", na(f("Yeoman", "Satchel Charge", "Machine Gun"), **RICH), "heavy")
case("two satchels", na(f("Combat Engineer", "Satchel Charge", "Satchel Charge"), **RICH), "duplicate")
case("engineer shield", na(f("Combat Engineer", "Trench Shield", "Pistol"), **RICH), "banned")
case("engineer armour", na(f("Combat Engineer", "Standard Armour"), **RICH), "slot-armour")
case("engineer second shovel", na(f("Combat Engineer", "Shovel"), **RICH))
case("two gas masks", na(f("Shocktrooper", "Gas Mask", "Gas Mask"), **RICH), "duplicate")
case("two helmets", na(f("Shocktrooper", "Combat Helmet", "Combat Helmet"), **RICH), "slot-headgear")
case("helmet+gasmask", na(f("Shocktrooper", "Combat Helmet", "Gas Mask"), **RICH))
case("two armours", na(f("Trench Cleric", "Standard Armour", "Reinforced Armour"), **RICH), "slot-armour")
case("troop reinforced", na(f("Shocktrooper", "Reinforced Armour"), **RICH), "only-for")
case("troop auto pistol", na(f("Shocktrooper", "Automatic Pistol"), **RICH), "only-for")
case("promoted auto pistol", na(f("Shocktrooper", "Automatic Pistol", promoted=True), **later(2)))
case("machine armour + shield", doc(NA, None, f("Lieutenant", "Machine Armour", "Trench Shield"), **RICH), "banned")
case(
    "machine armour + HBS",
    doc(NA, None, f("Lieutenant", "Machine Armour", "Heavy Ballistic Shield", "Sword/Axe"), **RICH),
)
case("HBS without", doc(NA, None, f("Lieutenant", "Heavy Ballistic Shield"), **RICH), "needs", "only-for")
case(
    "two machine armour bought",
    doc(NA, None, f("Lieutenant", "Machine Armour"), f("Trench Cleric", "Machine Armour"), **RICH),
    "warband-limit",
)
case(
    "machine armour bought + MHI upgrades",
    doc(
        NA,
        None,
        f("Lieutenant", "Machine Armour"),
        f("Mechanised Heavy Infantry", up=["Machine Armour"]),
        f("Mechanised Heavy Infantry", up=["Machine Armour"]),
        **RICH,
    ),
)
case(
    "MHI upgrade + HBS + MG",
    na(f("Mechanised Heavy Infantry", "Heavy Ballistic Shield", "Sword/Axe", up=["Machine Armour"]), **RICH),
)
case(
    "MHI upgrade + trench shield",
    na(f("Mechanised Heavy Infantry", "Trench Shield", up=["Machine Armour"]), **RICH),
    "banned",
)
case("MHI listed reinforced", na(f("Mechanised Heavy Infantry", "Reinforced Armour", "Machine Gun"), **RICH))
case(
    "MHI listed machine armour without upgrade",
    na(f("Mechanised Heavy Infantry", "Machine Armour"), **RICH),
    "only-for",
    "slot-armour",
)
case("medic listed kit", na(f("Combat Medic", "Misericordia", "Medi-Kit", "Gas Mask", "Standard Armour"), **RICH))
case("medic extra", na(f("Combat Medic", "Trench Shield"), **RICH), "fixed-kit")
case("two medics", na(f("Combat Medic"), f("Combat Medic"), **RICH), "too-many")
case("no leader", doc(NA, None, f("Yeoman"), **RICH), "no-leader")
case("two lieutenants", na(LT, **RICH), "too-many")
case("six shocktroopers", na(*[f("Shocktrooper") for _ in range(6)], **RICH), "too-many")
case(
    "four snipers limit",
    na(
        f("Sniper Priest", "Sniper Rifle"),
        f("Sniper Priest", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        **RICH,
    ),
    "warband-limit",
)
case(
    "limit in stash",
    na(
        f("Sniper Priest", "Sniper Rifle"),
        f("Sniper Priest", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        stash=["Sniper Rifle"],
        **RICH,
    ),
    "warband-limit",
)
case(
    "limit found ok",
    na(
        f("Sniper Priest", "Sniper Rifle"),
        f("Sniper Priest", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        stash=[{"item": "Sniper Rifle", "origin": "found"}],
        **later(1),
    ),
)
case(
    "yeoman pistol swap",
    na(f("Yeoman", "Pistol / Revolver", "Sword/Axe", "Trench Shield"), budget={"ducats": 700, "glory": 0}),
)
case("yeoman no ranged", na(f("Yeoman", "Sword/Axe", choices={"returned-yeoman-rifle": True}), **RICH), "needs")
case("moles 2", na(f("Yeoman", up=["Trench Mole"]), f("Yeoman", up=["Trench Mole"]), **RICH))
case(
    "moles 3",
    na(*[f("Yeoman", up=["Trench Mole"]) for _ in range(3)], **later(0), budget={"ducats": 700, "glory": 0}),
    "warband-limit",
)
case("moles 3 at 1000", na(*[f("Yeoman", up=["Trench Mole"]) for _ in range(3)], **later(3)), "warband-limit")
case("moles 3 over 1000", na(*[f("Yeoman", up=["Trench Mole"]) for _ in range(3)], **later(4)))
case("mole on shock", na(f("Shocktrooper", up=["Trench Mole"]), **RICH), "only-for")
case(
    "exploration only at founding",
    na(f("Sniper Priest", "Sniper Rifle", "Sniper Scope"), budget={"ducats": 700, "glory": 5}),
    "not-offered",
)
case("one-off glory scope", na(f("Sniper Priest", "Sniper Rifle", "Sniper Scope"), mode="one-off"))
case("scope without rifle", na(f("Sniper Priest", "Shotgun", "Sniper Scope"), mode="one-off"), "only-for")
case("binoculars yeoman", na(f("Yeoman", "Binoculars"), **RICH), "only-for")
case("instrument on elite", doc(NA, None, f("Lieutenant", "Musical Instrument"), **RICH), "only-for")
case("instrument + flag + shield", na(f("Shocktrooper", "Musical Instrument", "Troop Flag", "Sword"), **RICH), "hands")
case(
    "mercs",
    na(
        f("Combat Biologist"),
        f("Mamluk Faris"),
        f("Observer"),
        f("Witchburner"),
        f("Mendelist Ammo Monk"),
        f("Communicant Anti-Tank Hunter"),
        f("Scripture Guardian", "Greatsword/Greataxe"),
        **RICH,
    ),
)
case("merc without glory", na(f("Observer"), budget={"ducats": 700, "glory": 0}), "over-budget")
case("guardian ranged", na(f("Scripture Guardian", "Shotgun"), **RICH), "banned")
case("guardian two melee", na(f("Scripture Guardian", "Sword", "Sword"), **RICH), "model-limit")
case("guardian bayonet restricted", na(f("Scripture Guardian", "Bayonet"), **RICH), "only-for")
case("mamluk loadout polearm", na(f("Mamluk Faris", "Trench Polearm", "Trench Shield"), **RICH))
case("mamluk greatsword", na(f("Mamluk Faris", "Mamluk Greatsword"), **RICH))
case("mamluk sword pistol", na(f("Mamluk Faris", "Sword/Axe", "Pistol / Revolver"), **RICH))
case("mamluk mixes", na(f("Mamluk Faris", "Mamluk Greatsword", "Trench Shield"), **RICH), "fixed-kit", "hands")
case("heretic merc in NA", na(f("Sin Eater"), **RICH), "not-offered")
case(
    "over budget",
    na(
        *[f("Shocktrooper", "Grenades", "Shotgun", "Standard Armour") for _ in range(5)],
        f("Combat Engineer"),
        f("Yeoman"),
        f("Mechanised Heavy Infantry", "Machine Gun"),
    ),
    "over-budget",
)
case("one-off 900/8", na(f("Observer"), f("Witchburner"), mode="one-off"))
case(
    "one-off over glory",
    na(f("Observer"), f("Communicant Anti-Tank Hunter"), f("Mendelist Ammo Monk"), mode="one-off"),
    "over-budget",
)
case("stash counts budget", na(stash=["Machine Gun"], budget={"ducats": 120, "glory": 0}), "over-budget")
# --- names nobody knows
case("unknown item", na(f("Yeoman", "Macine Gun"), **RICH), "unknown-name")
case("unknown profile", na(f("Yeomen"), **RICH), "unknown-name")
case("unknown upgrade", na(f("Yeoman", up=["Swiss Gard"]), **RICH), "unknown-name")
case("unknown variant", na(variant="Eire Ranger", **RICH), "unknown-name")
case("unknown faction", doc("New Antoich", None, LT), "unknown-name")
case("unknown patron", na(patron="Sain George", **RICH), "unknown-name")
case("wrong patron", na(patron="Mammon", **RICH), "patron")
case("variant of other faction", doc(NA, "Trench Ghosts", PR, **RICH), "not-offered")
# --- Papal States
PS = "Papal States Intervention Force"
LE = f("Lector", "Pistol", "Sword/Axe")
case(
    "papal std",
    doc(
        NA,
        PS,
        LE,
        f("Lieutenant", up=["Swiss Guard"]),
        f("Yeoman", up=["Swiss Guard"]),
        f("Yeoman", up=["Swiss Guard"]),
        f("Shocktrooper", up=["Swiss Guard"]),
        f("Combat Medic", up=["Swiss Guard"]),
        f("Observer"),
        f("Witchburner"),
        stash=[{"item": "Crucifix of the Supreme Pontiff", "origin": "starting"}],
    ),
)
case("papal trench cleric name", doc(NA, PS, f("Trench Cleric", "Pistol")))
case("papal 5 swiss", doc(NA, PS, LE, *[f("Yeoman", up=["Swiss Guard"]) for _ in range(5)], **RICH), "warband-limit")
case("papal swiss on sniper", doc(NA, PS, LE, f("Sniper Priest", up=["Swiss Guard"]), **RICH), "only-for")
case("papal mole", doc(NA, PS, LE, f("Yeoman", up=["Trench Mole"]), **RICH), "not-offered")
case("papal no lector", doc(NA, PS, f("Lieutenant"), **RICH), "no-leader")
case(
    "papal over 500",
    doc(
        NA,
        PS,
        LE,
        f("Lieutenant", "Machine Armour"),
        *[f("Shocktrooper", "Shotgun", "Standard Armour") for _ in range(5)],
    ),
    "over-budget",
)
case(
    "papal glory over 11",
    doc(NA, PS, LE, f("Witchburner"), f("Communicant Anti-Tank Hunter"), f("Mendelist Ammo Monk")),
    "over-budget",
)
case("papal lost crucifix bought again", doc(NA, PS, LE, stash=["Crucifix of the Supreme Pontiff"]))
# --- Eire Rangers
EI = "Eire Rangers"
EL = f("Eire Lieutenant", "Pistol", "Sword/Axe", "Standard Armour")
case(
    "eire std",
    doc(
        NA,
        EI,
        EL,
        f("Shocktrooper", "Shotgun", "Sword/Axe", up=["Fianna"]),
        f("Shocktrooper", "Trench Shield", "Sword", up=["Fianna", "Berserker"]),
        f("Mechanised Heavy Infantry", "Machine Gun"),
        f("Eire Warrior Priest", "Carnyx"),
        f("Combat Engineer", "Satchel Charge"),
    ),
)
case("eire lieutenant short", doc(NA, EI, f("Lieutenant", "Pistol"), f("Trench Cleric"), f("Trench Cleric")))
case("eire berserker lt", doc(NA, EI, f("Lieutenant", "Pistol", up=["Berserker"])))
case("eire berserker no fianna", doc(NA, EI, EL, f("Shocktrooper", up=["Berserker"])), "needs")
case("eire berserker armour", doc(NA, EI, f("Lieutenant", "Standard Armour", up=["Berserker"])), "banned")
case(
    "eire two berserkers",
    doc(NA, EI, f("Lieutenant", up=["Berserker"]), f("Shocktrooper", up=["Fianna", "Berserker"])),
    "warband-limit",
)
case(
    "eire two MHI", doc(NA, EI, EL, f("Mechanised Heavy Infantry"), f("Mechanised Heavy Infantry"), **RICH), "too-many"
)
case("eire MG on yeoman", doc(NA, EI, EL, f("Yeoman", "Machine Gun")), "only-for")
case("eire satchel yeoman", doc(NA, EI, EL, f("Yeoman", "Satchel Charge")), "only-for")
case("eire greatsword lt", doc(NA, EI, f("Lieutenant", "Greatsword/Greataxe")), "only-for")
case("eire reinforced", doc(NA, EI, EL, f("Trench Cleric", "Reinforced Armour")), "not-offered")
case("eire musical", doc(NA, EI, EL, f("Shocktrooper", "Musical Instrument")), "not-offered")
case("eire patron", doc(NA, EI, EL, patron="Temporal Lord"), "patron")
case(
    "eire three clerics",
    doc(NA, EI, EL, f("Trench Cleric"), f("Trench Cleric"), f("Trench Cleric"), **RICH),
    "too-many",
)
# --- Stoßtruppen
ST = "Stosstruppen of the Free State of Prussia"
case(
    "stoss std",
    doc(
        NA,
        "Stoßtruppen",
        LT,
        *[f("Shocktrooper", "Submachine Gun", "Grenades", up=["Rapid Assault"]) for _ in range(4)],
        f("Shocktrooper", "Automatic Pistol", "Automatic Pistol", up=["Forward Positions"]),
        **RICH,
    ),
)
case("stoss 1 shock", doc(NA, ST, LT, f("Shocktrooper")), "too-few")
case("stoss 9 shock", doc(NA, ST, LT, *[f("Shocktrooper") for _ in range(9)], **RICH), "too-many")
case("stoss GL", doc(NA, ST, LT, f("Shocktrooper", "Grenade Launcher"), f("Shocktrooper"), **RICH), "not-offered")
case(
    "stoss 2 MG",
    doc(NA, ST, LT, f("Shocktrooper", "Machine Gun"), f("Shocktrooper", "Machine Gun"), **RICH),
    "warband-limit",
)
case("stoss 5 smg", doc(NA, ST, LT, *[f("Shocktrooper", "Submachine Gun") for _ in range(5)], **RICH), "warband-limit")
case(
    "stoss cleric reinforced",
    doc(NA, ST, LT, f("Trench Cleric", "Reinforced Armour"), f("Shocktrooper"), f("Shocktrooper"), **RICH),
    "only-for",
)
case("stoss lt machine", doc(NA, ST, f("Lieutenant", "Machine Armour"), f("Shocktrooper"), f("Shocktrooper"), **RICH))
case(
    "stoss two sniper",
    doc(NA, ST, LT, f("Sniper Priest"), f("Sniper Priest"), f("Shocktrooper"), f("Shocktrooper"), **RICH),
    "too-many",
)
case(
    "stoss mole",
    doc(NA, ST, LT, f("Yeoman", up=["Trench Mole"]), f("Shocktrooper"), f("Shocktrooper"), **RICH),
    "only-for",
)
case(
    "stoss 3 infiltrators",
    doc(NA, ST, LT, *[f("Shocktrooper", up=["Infiltrator"]) for _ in range(3)], **RICH),
    "warband-limit",
)
case(
    "stoss tanksplitter+shield",
    doc(NA, ST, LT, f("Shocktrooper", "Tank-Splitter Sword", "Trench Shield"), f("Shocktrooper"), **RICH),
    "hands",
)
# --- Alba
AL = "Alba"
case(
    "alba std",
    doc(
        NA,
        AL,
        f("Highland Lieutenant", "Greatsword/Greataxe", "Sword/Axe", "Highland Machine Armour"),
        f("Highland Mechanised Infantry", "Lochaber Axe", "Machine Gun", up=["Highland Machine Armour"]),
        *[f("Shocktrooper", "Greatsword/Greataxe", "Shotgun") for _ in range(3)],
        f("Yeoman", "Bagpipes", "Sword", "Pistol"),
    ),
)
case("alba lt short", doc(NA, AL, f("Lieutenant", "Greatsword", "Sword/Axe")))
case(
    "alba two MG",
    doc(NA, AL, f("Lieutenant"), f("Yeoman", "Machine Gun"), f("Yeoman", "Machine Gun"), **RICH),
    "warband-limit",
)
case(
    "alba two autoshotgun",
    doc(NA, AL, f("Lieutenant"), f("Yeoman", "Automatic Shotgun"), f("Yeoman", "Automatic Shotgun"), **RICH),
    "warband-limit",
)
case("alba musical", doc(NA, AL, f("Lieutenant"), f("Shocktrooper", "Musical Instrument"), **RICH), "not-offered")
case("alba machine armour", doc(NA, AL, f("Lieutenant", "Machine Armour"), **RICH), "not-offered")
case(
    "alba HMA + HBS", doc(NA, AL, f("Lieutenant", "Highland Machine Armour", "Heavy Ballistic Shield", "Sword"), **RICH)
)
case(
    "alba HMA + trench shield",
    doc(NA, AL, f("Lieutenant", "Highland Machine Armour", "Trench Shield", "Sword"), **RICH),
    "banned",
)
case(
    "alba cleric reinforced", doc(NA, AL, f("Lieutenant"), f("Trench Cleric", "Reinforced Armour"), **RICH), "only-for"
)
case("alba greatsword price", doc(NA, AL, f("Lieutenant", "Greatsword/Greataxe"), budget={"ducats": 77, "glory": 0}))
# --- Abyssinia
AB = "Abyssinia"
case(
    "aby std",
    doc(
        NA,
        AB,
        LT,
        f("Holy Warrior", "Shotel", "Anfarro", up=["Chewa"]),
        f("Holy Warrior", "Tabot"),
        f("Combat Medic"),
        f("Combat Medic"),
        f("Shocktrooper", "Shotel", "Anfarro", up=["Chewa"]),
        *[f("Yeoman", up=["Vanguard"]) for _ in range(4)],
        **RICH,
    ),
)
case("aby shotel no chewa", doc(NA, AB, LT, f("Shocktrooper", "Shotel"), **RICH), "only-for")
case("aby yeoman chewa", doc(NA, AB, LT, f("Yeoman", up=["Chewa"]), **RICH), "only-for")
case("aby 5 vanguard", doc(NA, AB, LT, *[f("Yeoman", up=["Vanguard"]) for _ in range(5)], **RICH), "warband-limit")
case(
    "aby 4 heavy",
    doc(
        NA,
        AB,
        LT,
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Grenade Launcher"),
        f("Yeoman", "Grenade Launcher"),
        **RICH,
    ),
    "warband-limit",
)
case(
    "aby 3 heavy + satchels",
    doc(
        NA,
        AB,
        LT,
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Grenade Launcher"),
        f("Combat Engineer", "Satchel Charge"),
        f("Yeoman", "Satchel Charge"),
        **RICH,
    ),
)
case(
    "aby heavy stash",
    doc(
        NA,
        AB,
        LT,
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Machine Gun"),
        f("Yeoman", "Grenade Launcher"),
        stash=["Heavy Shotgun"],
        **RICH,
    ),
    "warband-limit",
)
case(
    "aby MHI machine",
    doc(NA, AB, LT, f("Abyssinian Mechanised Infantry", up=["Machine Armour"]), **RICH),
    "not-offered",
)
case("aby sniper priest", doc(NA, AB, LT, f("Sniper Priest"), **RICH), "not-offered")
case("aby mole", doc(NA, AB, LT, f("Yeoman", up=["Trench Mole"]), **RICH), "not-offered")
case("aby anfarro+helmet", doc(NA, AB, f("Lieutenant", "Anfarro", "Combat Helmet"), **RICH), "slot-headgear")
case("aby tabot on lt", doc(NA, AB, f("Lieutenant", "Tabot"), **RICH), "only-for")
case(
    "aby 5 anfarro",
    doc(NA, AB, f("Lieutenant", "Anfarro"), *[f("Shocktrooper", "Anfarro", up=["Chewa"]) for _ in range(4)], **RICH),
    "warband-limit",
)
# --- Heretic Legion
case(
    "hl std",
    hl(
        f("Death Commando", "Silenced Pistol", "Silenced Pistol", "Tartarus Claws", "Gas Grenades"),
        f("Anointed Heavy Infantry", "Heavy Flamethrower"),
        f("Heretic Trooper", up=["Ranged Legionnaire"]),
        f("Heretic Trooper"),
        f("Wretched", "Trench Club"),
        f("Wretched", "Trench Club"),
    ),
)
case("hl no priest", doc(HL, None, f("Heretic Trooper")), "no-leader")
case("hl legionnaire half 1/1", hl(f("Heretic Trooper", up=["Melee Legionnaire"])), "warband-limit")
case(
    "hl legionnaire 2 of 3",
    hl(
        f("Heretic Trooper", up=["Melee Legionnaire"]),
        f("Heretic Trooper", up=["Melee Legionnaire"]),
        f("Heretic Trooper"),
    ),
    "warband-limit",
)
case(
    "hl legionnaire 2 of 4",
    hl(
        f("Heretic Trooper", up=["Melee Legionnaire"]),
        f("Heretic Trooper", up=["Ranged Legionnaire"]),
        f("Heretic Trooper"),
        f("Heretic Trooper"),
    ),
)
case("hl legionnaire no option", hl(f("Heretic Trooper", up=["Heretic Legionnaire"]), f("Heretic Trooper")))
case("hl wretched equal", hl(f("Heretic Trooper"), f("Wretched", "Knife"), f("Wretched", "Knife")), "ratio")
case("hl wretched fewer", hl(f("Heretic Trooper"), f("Wretched", "Knife")))
case("hl wretched no weapon", hl(f("Heretic Trooper"), f("Wretched")), "needs")
case("hl wretched shovel only", hl(f("Heretic Trooper"), f("Wretched", "Shovel")))
case("hl wretched >10", hl(f("Heretic Trooper"), f("Wretched", "Greatsword/Greataxe")), "banned")
case("hl wretched 10 blunt", hl(f("Heretic Trooper"), f("Wretched", "Double-Handed Blunt Weapon")))
case("hl wretched ranged", hl(f("Heretic Trooper"), f("Wretched", "Pistol", "Knife")), "banned")
case("hl wretched standard armour", hl(f("Heretic Trooper"), f("Wretched", "Knife", "Standard Armour")), "banned")
case("hl two witches", hl(f("Artillery Witch"), f("Artillery Witch")), "too-many")
case("hl two witches at 1000", hl(f("Artillery Witch"), f("Artillery Witch"), **later(3)), "too-many")
case("hl two witches over 1000", hl(f("Artillery Witch"), f("Artillery Witch"), **later(4)))
case("hl witch ranged", hl(f("Artillery Witch", "Pistol")), "banned")
case("hl witch armour", hl(f("Artillery Witch", "Standard Armour", "Sword", "Trench Shield")))
case("hl witch grenades", hl(f("Artillery Witch", "Gas Grenades")), "banned")
case("hl commando rifle", hl(f("Death Commando", "Bolt-Action Rifle")), "banned")
case("hl commando claws shield", hl(f("Death Commando", "Tartarus Claws", "Trench Shield")), "hands")
case("hl commando claws sword", hl(f("Death Commando", "Tartarus Claws", "Sword")), "hands")
case("hl claws on priest", doc(HL, None, f("Heretic Priest", "Tartarus Claws")), "only-for")
case("hl two commandos", hl(f("Death Commando"), f("Death Commando")), "too-many")
case("hl six anointed", hl(*[f("Anointed Heavy Infantry") for _ in range(6)], **RICH), "too-many")
case("hl anointed shield mg", hl(f("Anointed Heavy Infantry", "Machine Gun", "Trench Shield", "Sword")), "hands")
case("hl anointed brand mark second", hl(f("Anointed Heavy Infantry", "Infernal Brand Mark", "Reinforced Armour")))
case("hl contract on priest", doc(HL, None, f("Heretic Priest", "Hellbound Soul Contract")), "only-for")
case("hl four contracts", hl(*[f("Heretic Trooper", "Hellbound Soul Contract") for _ in range(4)]), "warband-limit")
case("hl smg glory", hl(f("Heretic Trooper", "Submachine Gun")), "over-budget")
case("hl incendiary ammo w/o rifle", hl(f("Heretic Trooper", "Shotgun", "Incendiary Ammunition")), "needs")
case("hl warwolf kit", hl(f("War Wolf Assault Beast", "Gas Mask")), "fixed-kit")
case("hl warwolf", hl(f("War Wolf Assault Beast")))
case(
    "hl warlock sineater", hl(f("Goetic Warlock"), f("Sin Eater"), mode="one-off", budget={"ducats": 900, "glory": 10})
)
# --- Naval Raiding Party
NV = "Heretic Naval Raiding Party"
case(
    "naval std",
    hl(
        *[f("Heretic Trooper", "Submachine Gun", up=["Infiltrator"]) for _ in range(3)],
        f("Anointed Heavy Infantry"),
        f("Heretic Trooper", "Submachine Gun"),
        variant=NV,
    ),
)
case(
    "naval 4 infiltrators",
    hl(*[f("Heretic Trooper", up=["Unseen Advance"]) for _ in range(4)], variant=NV),
    "warband-limit",
)
case("naval 2 anointed", hl(f("Anointed Heavy Infantry"), f("Anointed Heavy Infantry"), variant=NV), "too-many")
case("naval 2 witches late", hl(f("Artillery Witch"), f("Artillery Witch"), variant=NV, **later(5)), "too-many")
case("naval wolf", hl(f("War Wolf Assault Beast"), variant=NV), "not-offered")
case("naval infiltrator on chorister", hl(f("Heretic Chorister", up=["Infiltrator"]), variant=NV), "only-for")
# --- Trench Ghosts
TG = "Trench Ghosts"
case(
    "ghosts std",
    doc(
        HL,
        TG,
        f("Heretic Priest", "Tank Palanquin", "Sword", "Pistol"),
        f("Barbed Wire Banshee"),
        f("Anointed Heavy Infantry", "Machine Gun"),
        f("Heretic Trooper", up=["Sarcophagus Mine"]),
        f("Heretic Trooper", up=["Sarcophagus Mine"]),
        f("Heretic Trooper"),
        f("Heretic Trooper", up=["Ranged Legionnaire"]),
    ),
)
case(
    "ghosts 3 mines",
    hl(*[f("Heretic Trooper", up=["Sarcophagus Mine"]) for _ in range(3)], variant=TG),
    "warband-limit",
)
case("ghosts mine kit", hl(f("Heretic Trooper", "Knife", up=["Sarcophagus Mine"]), variant=TG), "banned")
case(
    "ghosts mine not trooper for legionnaire",
    hl(f("Heretic Trooper", up=["Sarcophagus Mine"]), f("Heretic Trooper", up=["Ranged Legionnaire"]), variant=TG),
    "warband-limit",
)
case("ghosts witch", hl(f("Artillery Witch"), variant=TG), "not-offered")
case("ghosts merc", hl(f("Sin Eater"), variant=TG, budget={"ducats": 700, "glory": 6}), "not-offered")
case("ghosts contract", hl(f("Heretic Trooper", "Hellbound Soul Contract"), variant=TG), "banned")
case("ghosts palanquin shield", doc(HL, TG, f("Heretic Priest", "Tank Palanquin", "Trench Shield")), "banned")
case("ghosts palanquin on chorister", hl(f("Barbed Wire Banshee", "Tank Palanquin"), variant=TG), "only-for")
case("ghosts palanquin + armour", doc(HL, TG, f("Heretic Priest", "Tank Palanquin", "Standard Armour")), "slot-armour")
# --- Knights of Avarice
KA = "Knights of Avarice"
MP = f("Heretic Priest of Mammon", "Pistol", "Sword", "Standard Armour")
case(
    "avarice std",
    doc(
        HL,
        KA,
        MP,
        f("Anointed Heavy Infantry", "Coin Hammer", "Gas Grenade Launcher"),
        f("Heretic Trooper", "Siege Jezzail", "Tarnished Armour"),
        f(
            "Heretic Trooper",
            "Heavy Shotgun",
            "Standard Armour",
            "Trench Club",
            "Sword",
            "Combat Helmet",
            "Gas Mask",
            "Shovel",
        ),
        f("Goetic Warlock"),
        choices={"corrupt-merchants-iron-sultanate": "Siege Jezzail", "corrupt-merchants-new-antioch": "Heavy Shotgun"},
        patron="Mammon",
        scope="fielding",
    ),
)
case(
    "avarice guess picks", doc(HL, KA, MP, f("Heretic Trooper", "Siege Jezzail"), f("Heretic Trooper", "Heavy Shotgun"))
)
case(
    "avarice three foreign",
    doc(
        HL,
        KA,
        MP,
        f("Heretic Trooper", "Siege Jezzail"),
        f("Heretic Trooper", "Heavy Shotgun"),
        f("Heretic Trooper", "Satchel Charge"),
    ),
    "not-offered",
)
case("avarice flamer", doc(HL, KA, MP, f("Heretic Trooper", "Flamethrower")), "banned")
case(
    "avarice found flamer",
    doc(HL, KA, MP, f("Heretic Trooper", {"item": "Flamethrower", "origin": "found"}), **later(2)),
    "banned",
)
case("avarice grenades", doc(HL, KA, MP, f("Heretic Trooper", "Grenades")), "banned")
case("avarice commando", doc(HL, KA, MP, f("Death Commando")), "not-offered")
case(
    "avarice poor trooper fielded",
    doc(HL, KA, MP, f("Heretic Trooper", "Bolt-Action Rifle"), f("Wretched", "Knife"), scope="fielding"),
    "fielding",
)
case("avarice poor trooper roster ok", doc(HL, KA, MP, f("Heretic Trooper", "Bolt-Action Rifle")))
case("avarice two warlocks", doc(HL, KA, MP, f("Goetic Warlock"), f("Goetic Warlock"), **RICH), "too-many")
case("avarice warlock kit", doc(HL, KA, MP, f("Goetic Warlock", "Sword", "Trench Shield")), "fixed-kit", "hands")
case("avarice patron", doc(HL, KA, MP, patron="Infernal Noble"), "patron")
case("avarice assassin dagger", doc(HL, KA, f("Heretic Priest", "Assassin's Dagger")), "not-offered")
case("avarice tarnished helmet", doc(HL, KA, f("Heretic Priest", "Tarnished Armour", "Combat Helmet")), "banned")
case("avarice altar two heavy", doc(HL, KA, f("Heretic Priest", "Golden Calf Altar", "Machine Gun")), "heavy")


# --- a force on the table
def many(count: int) -> list[Document]:
    return [f("Yeoman", name=f"Y{n}") for n in range(count)]


case("field strength 10 ok", na(*many(9), scope="fielding", **RICH))
case("field 11", na(*many(10), scope="fielding", **RICH), "field-strength")
case(
    "field threshold",
    na(
        *many(9),
        f("Mechanised Heavy Infantry", "Machine Gun", up=["Machine Armour"]),
        f("Mechanised Heavy Infantry", "Machine Gun"),
        f("Trench Cleric", "Machine Armour"),
        scope="fielding",
        force=["Lieutenant", "Mechanised Heavy Infantry", "Trench Cleric", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"],
        **RICH,
    ),
)
case("roster above threshold", na(*many(20), **later(1)))
case("relic hunt 7", na(*many(8), scope="fielding", scenario="Relic Hunt", **RICH), "scenario")
case(
    "relic hunt MHI 40mm",
    na(f("Mechanised Heavy Infantry", up=["Machine Armour"]), scope="fielding", scenario="Relic Hunt", **RICH),
    "scenario",
)
case(
    "hunt elites all",
    na(
        f("Sniper Priest"),
        f("Yeoman"),
        scope="fielding",
        scenario="Hunt for Heroes",
        force=["Lieutenant", "Yeoman"],
        **RICH,
    ),
    "scenario",
)
case("unknown scenario", na(scope="fielding", scenario="Relic Hund", **RICH), "unknown-name")
case("unknown in force", na(f("Yeoman", name="Bob"), scope="fielding", force=["Bobb"], **RICH), "unknown-name")
case(
    "captive fielded",
    na(f("Yeoman", name="Bob", status="captive"), scope="fielding", force=["Bob"], **later(1)),
    "fielding",
)
case("latecomer credited", na(*many(11), scope="fielding", **later(0, 3)))
# --- one purchase
case("buy ok", na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "item": "Gas Mask"}))
case(
    "buy limit",
    na(
        f("Sniper Priest", "Sniper Rifle"),
        f("Sniper Priest", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        f("Yeoman", name="Bob"),
        scope="purchase",
        wants={"fighter": "Bob", "item": "Sniper Rifle"},
        **RICH,
    ),
    "warband-limit",
)
case(
    "buy elite only",
    na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "item": "Binoculars"}),
    "only-for",
)
case("buy profile", na(scope="purchase", wants={"profile": "Shocktrooper"}))
case("buy second lieutenant", na(scope="purchase", wants={"profile": "Lieutenant"}), "too-many")
case("buy upgrade", na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "upgrade": "Trench Mole"}))
case(
    "buy upgrade later",
    na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "upgrade": "Trench Mole"}, **later(2)),
    "recruitment",
)
case(
    "buy exploration only",
    na(
        f("Sniper Priest", "Sniper Rifle", name="Bob"),
        scope="purchase",
        wants={"fighter": "Bob", "item": "Sniper Scope"},
        budget={"ducats": 500, "glory": 9},
    ),
    "not-offered",
)
case("buy stash", na(scope="purchase", wants={"fighter": "stash", "item": "Machine Gun"}))
case(
    "buy too dear",
    na(
        f("Yeoman", name="Bob"),
        scope="purchase",
        wants={"fighter": "Bob", "item": "Machine Gun"},
        budget={"ducats": 140, "glory": 0},
    ),
    "over-budget",
)
# --- over time
case(
    "dead ignored",
    na(f("Yeoman", status="dead"), f("Shocktrooper", "Automatic Pistol", status="dismissed"), **later(1)),
)
case(
    "elite cap 7",
    na(
        f("Sniper Priest"),
        f("Sniper Priest"),
        f("Trench Cleric"),
        *[f("Yeoman", promoted=True) for _ in range(3)],
        **later(9),
    ),
    "elite-cap",
)
case("headwound keeps elite kit", na(f("Trench Cleric", "Binoculars", traumas=["Head Wound"]), **later(3)))
case("lost arm two handed", na(f("Trench Cleric", "Bolt-Action Rifle", traumas=["Lost Arm"]), **later(3)), "hands")
case("dog at founding", na(f("Trench Dog"), budget={"ducats": 700, "glory": 3}), "not-offered")
case("dog after", na(f("Trench Dog"), **later(4)))
case("golem after", na(f("Golem"), **later(4)))
case("short names", na(f("mechanised heavy infantry", "machine gun"), f("SNIPER PRIEST", "sniper rifle")))
# --- where two rules meet
case(
    "palanquin priest is strong",
    doc(HL, TG, f("Heretic Priest", "Tank Palanquin", "Greatsword/Greataxe", "Sword/Axe", "Machine Gun")),
)
case(
    "palanquin priest in relic hunt",
    doc(HL, TG, f("Heretic Priest", "Tank Palanquin"), scope="fielding", scenario="Relic Hunt"),
)
case("wolf in relic hunt", hl(f("War Wolf Assault Beast"), scope="fielding", scenario="Relic Hunt"), "scenario")
case(
    "second crucifix bought",
    doc(
        NA,
        PS,
        LE,
        stash=[{"item": "Crucifix of the Supreme Pontiff", "origin": "starting"}, "Crucifix of the Supreme Pontiff"],
    ),
    "warband-limit",
)
case("avarice found flamer in stash", doc(HL, KA, MP, stash=[{"item": "Flamethrower", "origin": "found"}], **later(2)))
case("avarice bought flamer in stash", doc(HL, KA, MP, stash=["Flamethrower"]), "banned")
case(
    "ghosts found mark on model",
    hl(f("Heretic Trooper", {"item": "Infernal Brand Mark", "origin": "found"}), variant=TG, **later(2)),
    "banned",
)
case(
    "eire found reinforced on lt",
    doc(NA, EI, f("Lieutenant", {"item": "Reinforced Armour", "origin": "found"}), **later(2)),
    "banned",
)
case(
    "eire found MG on lt",
    doc(NA, EI, f("Lieutenant", {"item": "Machine Gun", "origin": "found"}), **later(2)),
    "only-for",
)
case(
    "eire found anti-materiel on sniper",
    doc(NA, EI, EL, f("Sniper Priest", {"item": "Anti-Materiel Rifle", "origin": "looted"}), **later(2)),
    "banned",
)
case(
    "eire engineer satchel + MHI MG",
    doc(
        NA,
        EI,
        EL,
        f("Combat Engineer", "Satchel Charge", "Automatic Shotgun"),
        f("Mechanised Heavy Infantry", "Machine Gun", "Greatsword"),
    ),
)
case(
    "alba found machine armour on cleric",
    doc(NA, AL, f("Lieutenant"), f("Trench Cleric", {"item": "Machine Armour", "origin": "found"}), **later(2)),
    "banned",
)
case(
    "stoss found machine armour on sniper",
    doc(
        NA,
        ST,
        LT,
        f("Shocktrooper"),
        f("Shocktrooper"),
        f("Sniper Priest", {"item": "Machine Armour", "origin": "found"}),
        **later(2),
    ),
    "only-for",
)
case("golem formulae 60", na(f("Golem", up=["Human Hands", "Inhuman Strength", "Massive Size"]), **later(6)))
case(
    "golem formulae 75",
    na(f("Golem", up=["Human Hands", "Inhuman Strength", "Massive Size", "Gargantuan Size"]), **later(6)),
    "upgrade-budget",
)
case("golem wings + hands", na(f("Golem", up=["Human Hands", "Wings"]), **later(6)), "excludes")
case("golem hypnotic+hawk", na(f("Golem", up=["Hypnotic Eyes", "Hawk Eyes"]), **later(6)), "excludes")
case("golem hypnotic+hawk two heads", na(f("Golem", up=["Hypnotic Eyes", "Hawk Eyes", "Two Heads"]), **later(6)))
case("golem sword without hands", na(f("Golem", "Sword"), **later(6)), "banned")
case("golem sword with hands", na(f("Golem", "Sword", up=["Human Hands"]), **later(6)))
case("dog one-off", na(f("Trench Dog"), f("Guard Dog", up=["Loyal Dog"]), mode="one-off"))
case("two trench dogs", na(f("Trench Dog"), f("Trench Dog", name="Rex"), mode="one-off"), "warband-limit")
case("dog with kit", na(f("Trench Dog", "Gas Mask"), mode="one-off"), "fixed-kit")
case("hellhound in new antioch", na(f("Hellhound"), mode="one-off"), "not-offered")
case("survivor yeoman found", na(f("Survivor Yeoman", "Shotgun"), **later(2)))
case("duplicate upgrade", na(f("Yeoman", up=["Trench Mole", "Infiltrator"])), "duplicate")
case(
    "buy wretched not outnumbered",
    hl(f("Heretic Trooper"), f("Wretched", "Knife"), scope="purchase", wants={"profile": "Wretched"}),
    "ratio",
)
case(
    "buy second witch late",
    hl(f("Artillery Witch"), scope="purchase", wants={"profile": "Artillery Witch"}, **later(4)),
)
case(
    "buy second witch early",
    hl(f("Artillery Witch"), scope="purchase", wants={"profile": "Artillery Witch"}),
    "too-many",
)
case(
    "buy glory item without glory",
    na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "item": "Troop Flag"}),
    "hands",
    "over-budget",
)
case(
    "buy yeoman sniper rifle",
    na(f("Yeoman", name="Bob"), scope="purchase", wants={"fighter": "Bob", "item": "Semi-Automatic Rifle"}),
)
case(
    "buy for medic",
    na(f("Combat Medic", name="Bob"), scope="purchase", wants={"fighter": "Bob", "item": "Sword"}),
    "fixed-kit",
)
case("buy mercenary in ghosts", hl(scope="purchase", wants={"profile": "Sin Eater"}, variant=TG), "not-offered")
case(
    "buy chewa late",
    doc(
        NA,
        AB,
        LT,
        f("Shocktrooper", name="Bob"),
        scope="purchase",
        wants={"fighter": "Bob", "upgrade": "Chewa"},
        **later(5),
    ),
)
case("buy unknown", na(scope="purchase", wants={"item": "Tank"}), "unknown-name")
case("american", na(f("Mechanized Heavy Infantry", "Reinforced Armor", "Machine Gun", up=["Machine Armor"])))
case(
    "storm: two elites stay",
    na(
        f("Trench Cleric"),
        f("Yeoman"),
        scope="fielding",
        scenario="Storming the Shores",
        attacker=True,
        force=["Lieutenant", "Yeoman"],
    ),
    "scenario",
)
case(
    "storm: defender may leave",
    na(
        f("Trench Cleric"),
        f("Yeoman"),
        scope="fielding",
        scenario="Storming the Shores",
        attacker=False,
        force=["Lieutenant", "Yeoman"],
    ),
)
case("supply raid attacker 9", na(*many(8), scope="fielding", scenario="Supply Raid", attacker=True, **RICH))
case(
    "supply raid defender 7", na(*many(6), scope="fielding", scenario="Supply Raid", attacker=False, **RICH), "scenario"
)
case(
    "unknown trauma skill",
    na(f("Trench Cleric", skills=["Parri"], traumas=["Leg Wond"]), **later(2)),
    "unknown-name",
    "unknown-name",
)
case(
    "strongbox in camp ok over LIMIT found carried",
    na(*[f("Yeoman", {"item": "Machine Gun", "origin": "found"}, name=f"M{i}") for i in range(3)], **later(3)),
)
case("captured kit", na(f("Trench Cleric", status="captive"), **later(3)))
case(
    "mole threshold one-off 900",
    na(*[f("Yeoman", up=["Trench Mole"]) for _ in range(3)], mode="one-off"),
    "warband-limit",
)
case("latecomer with two witches", hl(f("Artillery Witch"), f("Artillery Witch"), **later(2, 2)))
case(
    "shield+book of battle prayers",
    na(
        f("Trench Cleric", "Book of Battle Prayers", "Trench Shield", "Sword"),
        mode="one-off",
        budget={"ducats": 900, "glory": 8},
    ),
    "hands",
)
case("ducal without title", doc(NA, None, f("Lieutenant", "Ducal Winged Armour"), mode="one-off"), "only-for")
case(
    "ducal with title",
    doc(
        NA,
        None,
        f("Lieutenant", "Ducal Winged Armour", "Knighthood"),
        mode="one-off",
        budget={"ducats": 900, "glory": 12},
    ),
)
case("rpg with rifle", na(f("Yeoman", "Bolt-Action Rifle", "Rocket-Propelled Grenade"), mode="one-off"))
case("two rpg", na(f("Yeoman", "Rocket-Propelled Grenade", "Rocket-Propelled Grenade"), mode="one-off"), "duplicate")


# --- what paper may say
case("promoted wretched", hl(f("Heretic Trooper"), f("Wretched", "Knife", promoted=True), **later(3)), "promotion")
case("promoted mercenary", na(f("Observer", promoted=True), **later(3)), "promotion")
case("promoted beast", hl(f("War Wolf Assault Beast", promoted=True), **later(3)))
case("three scars", na(f("Trench Cleric", scars=3), **later(3)), "scars")
case("three scars and luck", na(f("Trench Cleric", scars=3, skills=["War Luck"]), **later(3)))
case("three scars of one that died of them", na(f("Trench Cleric", scars=3, status="dead"), **later(3)))
case("dogs listed as kit", na(f("Yeoman", "Trench Dog (Guard Dog)"), stash=["Trench Dog"], mode="one-off"))
case("dogs listed as kit while founding", na(stash=["Trench Dog"], **RICH), "not-offered")
case("a name in the force twice", na(f("Yeoman", name="A"), scope="fielding", force=["A", "A"]), "duplicate")
case("two of a name in the force", na(f("Yeoman", name="A"), f("Yeoman", name="A"), scope="fielding", force=["A", "A"]))
case(
    "bought for the dead",
    na(f("Yeoman", name="A", status="dead"), scope="purchase", wants={"fighter": "A", "item": "Gas Mask"}, **later(3)),
    "only-for",
)
case(
    "a title raises a limit",
    na(
        f(
            "Sniper Priest",
            "Sniper Rifle",
            {"item": "Battlefield Title", "origin": "found", "choices": {"raise-limit": "Sniper Rifle"}},
        ),
        f("Sniper Priest", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        f("Yeoman", "Sniper Rifle"),
        **later(3),
    ),
)


@pytest.mark.parametrize(("document", "codes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_roster_earns_these_codes(document: Document, codes: list[str]) -> None:
    answer = GAME.documents.judge(json.loads(json.dumps(document)))
    assert sorted(p["code"] for p in answer["problems"]) == codes
    assert answer["legal"] == (not codes)


def test_each_problem_reads_well() -> None:
    for name, document, _ in CASES:
        for problem in GAME.documents.judge(json.loads(json.dumps(document)))["problems"]:
            assert not problem["message"][0].islower(), (name, problem)
            assert problem["message"].endswith("."), (name, problem)
            assert "{" not in problem["message"] + problem["mend"], (name, problem)
            assert problem["mend"] == "" or problem["mend"].endswith((".", "?")), (name, problem)
            if problem["code"] != "unknown-name":
                assert problem["source"], (name, problem)


def test_nobody_is_told_that_it_forbids_itself_something() -> None:
    answer = GAME.documents.judge(hl(f("Artillery Witch", "Bolt-Action Rifle")))
    assert [p["message"] for p in answer["problems"]] == [
        "Artillery Witch may not carry Bolt-Action Rifle: its profile rules it out."
    ]


def test_names_each_list_has_no_two_meanings() -> None:
    """Parts of a name with a slash, American spelling, and an upgrade by the name another list gives it."""
    answer = GAME.documents.judge(
        na(f("Mechanized Heavy Infantry", "Reinforced Armor", "Axe"), f("Yeoman", "Revolver", "Dagger"))
    )
    assert answer["problems"] == []
    moles = GAME.documents.judge(doc(NA, "Papal States Intervention Force", LE, f("Yeoman", up=["Trench Mole"])))
    assert [p["code"] for p in moles["problems"]] == ["not-offered"]


def test_a_yeoman_pays_his_rifle_on_top_or_the_price_of_another_gun() -> None:
    for kit, ducats in (
        ([], 35),
        (["Bolt-Action Rifle"], 35),
        (["Bolt-Action Rifle", "Bolt-Action Rifle"], 45),
        (["Semi-Automatic Rifle"], 45),
        (["Shotgun"], 40),
        (["Pistol / Revolver"], 36),
    ):
        answer = GAME.documents.judge(doc(NA, None, f("Lieutenant"), f("Yeoman", *kit)))
        assert answer["rating"]["ducats"] == 70 + ducats, kit
        assert answer["left"]["ducats"] == 700 - 70 - ducats, kit
