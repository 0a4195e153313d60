"""The Trench Pilgrims on paper: what their lists hold in either edition, and every rule of theirs from both sides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.force import FighterView
from rules.price import Price
from rules.registry import system

GAME = system("trench-crusade")
EDITIONS = ("1.6.3", "1.0")
CONTENT = {edition: GAME.content(edition) for edition in EDITIONS}
LISTS = (
    "trench-pilgrims",
    "procession-of-the-sacred-affliction",
    "cavalcade-of-the-tenth-plague",
    "war-pilgrimage-of-saint-methodius",
)
VARIANTS = {
    "": None,
    "procession": "Procession of the Sacred Affliction",
    "cavalcade": "Cavalcade of the Tenth Plague",
    "methodius": "War Pilgrimage of Saint Methodius",
}
Row = dict[str, Any]


def f(profile: str, *kit: str, up: tuple[str, ...] = (), **more: Any) -> Row:
    return {"profile": profile, "kit": list(kit), "upgrades": list(up), **more}


PROPHET = f("War Prophet")
CASTIGATOR = f("Castigator")
PILGRIM = f("Trench Pilgrim")
NUN = f("Stigmatic Nun", "Standard Armour")
SHRINE = f("Anchorite Shrine")
PRISONER = f("Ecclesiastic Prisoner")
COMMUNICANT = f("Communicant")


def paper(edition: str, variant: str, *fighters: Row, **more: Any) -> dict[str, Any]:
    named = [{"name": f"{row['profile']} {n}", **row} for n, row in enumerate((PROPHET, *fighters), 1)]
    document = {
        "game": "trench-crusade",
        "edition": edition,
        "faction": "Trench Pilgrims",
        "variant": VARIANTS[variant],
        "budget": {"ducats": 2000, "glory": 40},
        "fighters": named,
        **more,
    }
    answer: dict[str, Any] = json.loads(json.dumps(document))
    return answer


def codes(edition: str, variant: str, *fighters: Row, **more: Any) -> list[str]:
    verdict = GAME.documents.judge(paper(edition, variant, *fighters, **more))
    return sorted({problem["code"] for problem in verdict["problems"]})


def rated(edition: str, variant: str, *fighters: Row, **more: Any) -> int:
    verdict = GAME.documents.judge(paper(edition, variant, *fighters, **more))
    assert verdict["problems"] == []
    return int(verdict["rating"]["ducats"])


# --- what the lists hold

TOTALS = {  # recruitment entries with their ducats and glory, armoury entries with theirs, those with a LIMIT, upgrades without formulae
    ("1.6.3", "trench-pilgrims"): ((13, 470, 24), (47, 420, 35), 17, 3),
    ("1.6.3", "procession-of-the-sacred-affliction"): ((13, 470, 24), (46, 463, 31), 17, 4),
    ("1.6.3", "cavalcade-of-the-tenth-plague"): ((13, 370, 27), (48, 425, 35), 17, 2),
    ("1.6.3", "war-pilgrimage-of-saint-methodius"): ((11, 385, 19), (62, 785, 35), 21, 2),
    ("1.0", "trench-pilgrims"): ((13, 470, 24), (48, 425, 35), 18, 3),
    ("1.0", "procession-of-the-sacred-affliction"): ((13, 470, 24), (47, 468, 31), 18, 4),
    ("1.0", "cavalcade-of-the-tenth-plague"): ((13, 370, 27), (49, 430, 35), 18, 2),
    ("1.0", "war-pilgrimage-of-saint-methodius"): ((10, 370, 17), (61, 830, 29), 22, 2),
}


@pytest.mark.parametrize(("edition", "list_id"), TOTALS)
def test_the_totals_of_each_list(edition: str, list_id: str) -> None:
    army = CONTENT[edition].lists[list_id]
    hires = [o for o in army.profile_offers if o.hired_as in ("own", "mercenary")]
    wares = army.item_offers
    upgrades = [o for o in army.upgrade_offers if all(t.profile != "golem" for t in o.who.only_for)]
    found = (
        (len(hires), sum(o.price.ducats for o in hires), sum(o.price.glory for o in hires)),
        (len(wares), sum(o.price.ducats for o in wares), sum(o.price.glory for o in wares)),
        sum(o.limit is not None for o in wares),
        len([o for o in upgrades if o.id != "common-loyal-dog"]),
    )
    assert found == TOTALS[edition, list_id]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_they_start_with_and_who_their_patrons_are(edition: str) -> None:
    one_off = {"1.6.3": Price(900, 8), "1.0": Price(800, 6)}[edition]
    patrons = CONTENT[edition].pack.patrons
    for list_id in LISTS:
        army = CONTENT[edition].lists[list_id].army
        assert (army.start.campaign, army.start.one_off, army.keyword) == (Price(700), one_off, "PILGRIM")
        allowed = {p.id for p in patrons if list_id in p.lists}
        assert allowed == set(army.patrons)
        assert allowed == ({"learned-saint"} if "methodius" in list_id else {"learned-saint", "warrior-saint"})


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_samples_are_legal_and_spend_what_they_may(edition: str) -> None:
    samples = [s for s in GAME.founding.samples(CONTENT[edition]) if s[2] in LISTS]
    assert sorted(s[2] for s in samples) == sorted((*LISTS, "trench-pilgrims"))
    for sample, *_ in samples:
        verdict = GAME.documents.judge(GAME.founding.sample(CONTENT[edition], sample))
        assert verdict["problems"] == [], sample
        assert 0 <= verdict["left"]["ducats"] < 20, sample


# --- each rule: the smallest roster that keeps it, the nearest that breaks it, and what is told

Case = tuple[str, tuple[Row, ...], tuple[Row, ...], str]
MG = "Machine Gun"


def _device(count: int) -> tuple[Row, ...]:
    return tuple(f("Ecclesiastic Prisoner", "Martyrdom Device") for _ in range(count))


def _guns(*weapons: str) -> tuple[Row, ...]:
    return tuple(f("Trench Pilgrim", weapon) for weapon in weapons)


RULES: dict[str, Case] = {
    "one Castigator": ("", (CASTIGATOR,), (CASTIGATOR, CASTIGATOR), "too-many"),
    "one Communicant": ("", (COMMUNICANT,), (COMMUNICANT, COMMUNICANT), "too-many"),
    "four Nuns": ("", (NUN,) * 4, (NUN,) * 5, "too-many"),
    "one Shrine": ("", (SHRINE,), (SHRINE, SHRINE), "too-many"),
    "a Shrine buys nothing": ("", (SHRINE,), (f("Anchorite Shrine", "Sword/Axe"),), "banned"),
    "a prisoner carries nothing": ("", (PRISONER,), (f("Ecclesiastic Prisoner", "Trench Club"),), "banned"),
    "a prisoner wears its capirote": ("", (PRISONER,), (f("Ecclesiastic Prisoner", "Gas Mask"),), "banned"),
    "devices are for prisoners": ("", _device(1), (f("Trench Pilgrim", "Martyrdom Device"),), "only-for"),
    "four devices": ("", _device(4), _device(5), "warband-limit"),
    "a Nun shoots pistols": ("", (f("Stigmatic Nun", "Automatic Pistol"),), (f("Stigmatic Nun", "Shotgun"),), "banned"),
    "a Nun throws crosses": (
        "", (f("Stigmatic Nun", "Warcross"),), (f("Stigmatic Nun", "Incendiary Grenades"),), "banned",
    ),
    "a cross bars grenades": (
        "", (f("Trench Pilgrim", "Warcross"),), (f("Trench Pilgrim", "Warcross", "Molotov Cocktail"),), "slot-grenade",
    ),
    "hammers are for the ELITE": (
        "", (f("Castigator", "Anti-Tank Hammer"),), (f("Trench Pilgrim", "Anti-Tank Hammer"),), "only-for",
    ),
    "icon shields are for the ELITE": (
        "", (f("Castigator", "Holy Icon Shield"),), (f("Trench Pilgrim", "Holy Icon Shield"),), "only-for",
    ),
    "reinforced armour is for the ELITE": (
        "", (f("Castigator", "Reinforced Armour"),), (f("Trench Pilgrim", "Reinforced Armour"),), "only-for",
    ),
    "relics are for the ELITE": ("", (f("Castigator", "Holy Relic"),), (f("Trench Pilgrim", "Holy Relic"),), "only-for"),
    "two Punt Guns": ("", _guns("Punt Gun", "Punt Gun"), _guns("Punt Gun", "Punt Gun", "Punt Gun"), "warband-limit"),
    "a Punt Gun fills both hands": (
        "", (f("Trench Pilgrim", "Punt Gun"),), (f("Trench Pilgrim", "Punt Gun", "Trench Shield"),), "hands",
    ),
    "one capirote or one cross": (
        "", (f("Castigator", "Iron Capirote"),), (f("Communicant", "Iron Capirote"),), "slot-headgear",
    ),
    "one Pilgrim with Zealot Strength": (
        "",
        (f("Trench Pilgrim", up=("Zealot Strength",)), f("Castigator", up=("Zealot Strength",))),
        (f("Trench Pilgrim", up=("Zealot Strength",)), f("Trench Pilgrim", up=("Zealot Strength",))),
        "warband-limit",
    ),
    "Nuns have no Zealot Strength": (
        "", (f("Castigator", up=("Zealot Strength",)),), (f("Stigmatic Nun", up=("Zealot Strength",)),), "only-for",
    ),
    "Wrath of God is the Procession's": (
        "", (PILGRIM,), (f("Trench Pilgrim", up=("Wrath of God",)),), "not-offered",
    ),
    # Procession of the Sacred Affliction
    "no capirotes": (
        "procession", (f("Trench Pilgrim", "Gas Mask"),), (f("Trench Pilgrim", "Iron Capirote"),), "banned",
    ),
    "hammers for all, three of them": (
        "procession", _guns(*("Anti-Tank Hammer",) * 3), _guns(*("Anti-Tank Hammer",) * 4), "warband-limit",
    ),
    "one Punt Gun": ("procession", _guns("Punt Gun"), _guns("Punt Gun", "Punt Gun"), "warband-limit"),
    "no Machine Guns": ("procession", _guns("Musket"), _guns(MG), "not-offered"),
    "three with Zealot Strength": (
        "procession",
        (f("Trench Pilgrim", up=("Zealot Strength",)),) * 3,
        (f("Trench Pilgrim", up=("Zealot Strength",)),) * 4,
        "warband-limit",
    ),
    "one with Wrath of God": (
        "procession",
        (f("Castigator", up=("Wrath of God",)),),
        (f("Castigator", up=("Wrath of God",)), f("Trench Pilgrim", up=("Wrath of God",))),
        "warband-limit",
    ),
    "Wrath of God bears a shield, no armour": (
        "procession",
        (f("Trench Pilgrim", "Holy Icon Shield", up=("Wrath of God",)),),
        (f("Trench Pilgrim", "Standard Armour", up=("Wrath of God",)),),
        "banned",
    ),
    "Wrath of God does not shoot": (
        "procession",
        (f("Trench Pilgrim", "Sword/Axe", up=("Wrath of God",)),),
        (f("Trench Pilgrim", "Musket", up=("Wrath of God",)),),
        "banned",
    ),
    # Cavalcade of the Tenth Plague
    "two prisoners": ("cavalcade", (PRISONER,) * 2, (PRISONER,) * 3, "too-many"),
    "lambs for all but prisoners": (
        "cavalcade",
        (f("Trench Pilgrim", "Sacrificial Lamb"), f("Anchorite Shrine", "Sacrificial Lamb")),
        (f("Ecclesiastic Prisoner", "Sacrificial Lamb"),),
        "banned",
    ),
    "one lamb each": (
        "cavalcade",
        (f("Trench Pilgrim", "Sacrificial Lamb"),),
        (f("Trench Pilgrim", "Sacrificial Lamb", "Sacrificial Lamb"),),
        "duplicate",
    ),
    "lambs are the Cavalcade's": ("", (PILGRIM,), (f("Trench Pilgrim", "Sacrificial Lamb"),), "not-offered"),
    "a Shrine takes a lamb and no more": (
        "cavalcade", (f("Anchorite Shrine", "Sacrificial Lamb"),), (f("Anchorite Shrine", "Gas Mask"),), "banned",
    ),
    # War Pilgrimage of Saint Methodius
    "two Shrines": ("methodius", (SHRINE,) * 2, (SHRINE,) * 3, "too-many"),
    "three Nuns": ("methodius", (NUN,) * 3, (NUN,) * 4, "too-many"),
    "no Communicants": ("methodius", (CASTIGATOR,), (COMMUNICANT,), "not-offered"),
    "no hired Communicants": ("methodius", (f("Witchburner"),), (f("Communicant Anti-Tank Hunter"),), "not-offered"),
    "no devices": ("methodius", (PRISONER,), _device(1), "banned"),
    "one gun for the Wheel": (
        "methodius",
        (f("Anchorite Shrine", "Trench Mortar"),),
        (f("Anchorite Shrine", "Trench Mortar", "Gas Censer"),),
        "model-limit",
    ),
    "the Wheel or a gun": (
        "methodius",
        (f("Anchorite Shrine", "Catherine Wheel"),),
        (f("Anchorite Shrine", "Catherine Wheel", "Gas Censer"),),
        "model-limit",
    ),
    "two pieces of its own": (
        "methodius",
        (f("Anchorite Shrine", "Piston Legs", "Holy Diesel Engine"),),
        (f("Anchorite Shrine", "Piston Legs", "Holy Diesel Engine", "Wrathful Cherub Face"),),
        "model-limit",
    ),
    "one of each that is named once": (
        "methodius",
        (f("Anchorite Shrine", "Sacred Geometry"), SHRINE),
        (f("Anchorite Shrine", "Sacred Geometry"), f("Anchorite Shrine", "Sacred Geometry")),
        "warband-limit",
    ),
    "a Shrine carries only what is made for it": (
        "methodius", (f("Anchorite Shrine", "Heavy Flamethrower"),), (f("Anchorite Shrine", "Flamethrower"),), "banned",
    ),
    "its guns are its own": (
        "methodius", (f("Anchorite Shrine", "Gas Censer"),), (f("Trench Pilgrim", "Gas Censer"),), "only-for",
    ),
    "two Machine Guns": ("methodius", _guns(MG, MG), _guns(MG, MG, "Automatic Rifle", "Automatic Rifle"), "warband-limit"),
    "no rising from the dead": (
        "methodius", (PILGRIM,), (f("Trench Pilgrim", up=("martyr-penitent-resurrection",)),), "not-offered",
    ),
}  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_from_both_sides(edition: str, rule: str) -> None:
    variant, kept, broken, code = RULES[rule]
    assert codes(edition, variant, *kept) == []
    assert code in codes(edition, variant, *broken)


def test_icon_shields_are_for_all_and_icon_armour_for_the_elite_of_1_6_3_alone() -> None:
    shielded = (f("Trench Pilgrim", "Holy Icon Shield"), f("Castigator", "Holy Icon Armour"))
    for edition in EDITIONS:
        assert codes(edition, "procession", *shielded) == []
        armoured = codes(edition, "procession", f("Trench Pilgrim", "Holy Icon Armour"))
        assert armoured == (["only-for"] if edition == "1.6.3" else [])


def test_a_prophet_leads_and_no_warband_has_two() -> None:
    for edition in EDITIONS:
        for variant in VARIANTS:
            assert codes(edition, variant) == []
            assert "too-many" in codes(edition, variant, PROPHET)
            document = paper(edition, variant)
            document["fighters"] = [{"name": "Alone", **PILGRIM}]
            assert {p["code"] for p in GAME.documents.judge(document)["problems"]} == {"no-leader"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_founded_risen_but_after_a_battle_it_may_be_so(edition: str) -> None:
    risen = f("Trench Pilgrim", "Musket", up=("martyr-penitent-resurrection", "Zealot Strength"))
    later = {"battles": {"fought": 1, "credited": 0}}
    for variant in ("", "procession"):
        assert codes(edition, variant, risen) == ["recruitment"]
        assert codes(edition, variant, risen, **later) == []
        plain, alone = (rated(edition, variant, *rows, **later) for rows in ((risen,), ()))
        assert plain - alone == 45 + 5 + 5  # the risen, its strength, its musket
    assert codes(edition, "cavalcade", risen, **later) == ["not-offered"]
    assert "only-for" in codes(edition, "", f("Castigator", up=("martyr-penitent-resurrection",)), **later)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_the_lists_ask_for_the_same_thing(edition: str) -> None:
    hammer, shield = f("Castigator", "Anti-Tank Hammer"), f("Castigator", "Holy Icon Shield")
    assert rated(edition, "", hammer) == rated(edition, "procession", hammer) == 165
    assert (rated(edition, "", shield), rated(edition, "procession", shield)) == (130, 150)
    assert rated(edition, "methodius", f("Trench Pilgrim", "Machine Gun")) == 160
    assert rated(edition, "", f("Trench Pilgrim", "Machine Gun")) == 110  # for glory
    assert (rated(edition, "", COMMUNICANT), rated(edition, "cavalcade", COMMUNICANT)) == (180, 80)
    assert rated(edition, "methodius", SHRINE) == rated(edition, "", SHRINE) == 220
    assert rated(edition, "methodius", f("Anchorite Shrine", "Punt Gun")) == 230
    assert rated(edition, "methodius", f("Trench Pilgrim", "Punt Gun")) == 130


def test_saint_methodius_clothes_its_nuns_in_either_way() -> None:
    bare = f("Stigmatic Nun", "Sword/Axe")
    assert rated("1.6.3", "methodius", bare) == 80 + 65 + 4
    assert codes("1.6.3", "methodius", f("Stigmatic Nun", "Standard Armour", "Standard Armour")) == ["slot-armour"]
    assert codes("1.0", "methodius", bare) == ["needs"]
    assert rated("1.0", "methodius", f("Stigmatic Nun", "Sword/Axe", "Standard Armour")) == 80 + 50 + 4 + 15


def test_the_ammo_monk_follows_saint_methodius_in_1_6_3_alone() -> None:
    monk = f("Mendelist Ammo Monk")
    assert codes("1.6.3", "methodius", monk) == []
    assert codes("1.0", "methodius", monk) == ["not-offered"]


# --- what shows on the model


def shown(edition: str, variant: str, row: Row, **more: Any) -> FighterView:
    force, unread = GAME.documents.read_document(paper(edition, variant, row, **more))
    assert unread == ()
    views = GAME.views(CONTENT[edition], force)
    return next(view for view in views.values() if view.name.endswith(" 2"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_changes_a_model_shows_on_it(edition: str) -> None:
    strong = shown(edition, "", f("Trench Pilgrim", up=("Zealot Strength",)))
    assert strong.has("STRONG")
    assert strong.stats["base"].value == (32 if edition == "1.0" else 25)
    aimed = shown(edition, "methodius", f("Anchorite Shrine", "Punt Gun", "Sacred Geometry"))
    assert (aimed.stats["ranged"].value, aimed.stats["ranged"].printed) == (1, 0)
    assert shown(edition, "", SHRINE).stats["ranged"].value is None
    clad = shown(edition, "", f("Castigator", "Reinforced Armour", "Holy Icon Shield", "trench-polearm"))
    assert clad.stats["armour"].value == -3
    assert clad.hands_melee == (2, 2)  # the shield goes with the polearm
    later = {"battles": {"fought": 1, "credited": 0}}
    risen = shown(edition, "", f("Trench Pilgrim", up=("martyr-penitent-resurrection",)), **later)
    assert (risen.profile, risen.stats["melee"].value, risen.rating.ducats) == ("martyr-penitent", 1, 45)
    assert "trench-pilgrim" in risen.counts_as


def test_the_later_edition_writes_keywords_where_the_earlier_has_words() -> None:
    for row, lost in (
        (f("Trench Pilgrim", "Iron Capirote"), {"NEGATE FEAR", "NEGATE SHRAPNEL"}),
        (COMMUNICANT, {"NEGATE FEAR", "NEGATE GAS", "NEGATE SHRAPNEL"}),
        (PRISONER, {"NEGATE FEAR", "NEGATE SHRAPNEL"}),
    ):
        now = shown("1.0", "", row)
        assert {k.name for k in now.keywords if k.name.startswith("NEGATE")} == lost
        assert shown("1.6.3", "", row).immune == ("FEAR",)
    assert shown("1.0", "cavalcade", CASTIGATOR).has("TOUGH")
    assert not shown("1.0", "", CASTIGATOR).has("TOUGH")
    assert not shown("1.6.3", "cavalcade", CASTIGATOR).has("TOUGH")
    assert shown("1.0", "", f("Sister of Saint Cosmas")).has("NEGATE FEAR")


def test_the_prophet_of_the_cavalcade_strikes_and_heals_nobody() -> None:
    for edition, strikes in (("1.6.3", "wrath-of-god"), ("1.0", "day-of-his-wrath")):
        document = paper(edition, "cavalcade")
        force, _ = GAME.documents.read_document(document)
        (prophet,) = GAME.views(CONTENT[edition], force).values()
        has = {a.id for a in prophet.abilities if a.state != "lost"}
        assert strikes in has
        assert "laying-on-hands" not in has


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_a_hallowed_shrine_may_be_promoted(edition: str) -> None:
    assert not shown(edition, "methodius", SHRINE).may_be_promoted
    assert shown(edition, "methodius", f("Anchorite Shrine", "Hallowed Anchorite")).may_be_promoted
    elite = {"battles": {"fought": 3, "credited": 0}}
    risen = {"promoted": True, "experience": 3}
    hallowed = f("Anchorite Shrine", "Hallowed Anchorite", **risen)
    assert codes(edition, "methodius", hallowed, **elite) == []
    assert codes(edition, "methodius", f("Anchorite Shrine", **risen), **elite) == ["promotion"]
    assert shown(edition, "methodius", hallowed, **elite).experience_cap == 18
    assert "promotion" in codes(edition, "", f("Ecclesiastic Prisoner", **risen), **elite)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_dog_brings_a_bomb_to_all_but_saint_methodius(edition: str) -> None:
    for list_id in LISTS:
        wares = CONTENT[edition].lists[list_id].by_item
        assert ("trench-dog-martyrdom-dog" in wares) == ("methodius" not in list_id)
        assert "trench-dog" in wares
        assert "trench-dog-guard-dog" in wares


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_risen_pilgrim_may_be_written_by_what_it_is_now(edition: str) -> None:
    later = {"battles": {"fought": 1, "credited": 0}}
    alone = rated(edition, "", **later)
    for row in (f("Martyr-Penitent", "Musket"), f("Martyr-Penitent", "Musket", up=("martyr-penitent-resurrection",))):
        assert rated(edition, "", row, **later) - alone == 45 + 5
    assert shown(edition, "", f("Martyr-Penitent"), **later).stats["melee"].value == 1
    assert codes(edition, "", f("Martyr-Penitent")) == ["recruitment"]
    assert "not-offered" in codes(edition, "cavalcade", f("Martyr-Penitent"), **later)
