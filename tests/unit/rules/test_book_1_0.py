"""What the publisher's book 1.0.2 says where other sources of 1.0 say something else. W: Warbands, R: Digital Rulebook, by page."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade.normal_form import normal_form

GAME = system("trench-crusade")
NEW_ANTIOCH, PILGRIMS, SULTANATE = "new-antioch", "trench-pilgrims", "iron-sultanate"
HERETICS, GRAIL, COURT = "heretic-legion", "cult-of-the-black-grail", "court-of-the-seven-headed-serpent"
EVERY = (NEW_ANTIOCH, PILGRIMS, SULTANATE, HERETICS, GRAIL, COURT)


@cache
def book() -> dict[str, dict[str, Any]]:
    """The pack in normal form: kind -> id -> entry."""
    form = normal_form(GAME.content("1.0"))
    return {kind: {row["id"]: row for row in form[kind]} for kind in ("profiles", "kit", "upgrades")}


def profile(ident: str) -> dict[str, Any]:
    return book()["profiles"][ident]


def kit(ident: str) -> dict[str, Any]:
    return book()["kit"][ident]


def offer(entry: dict[str, Any], faction: str, variant: str | None = None) -> dict[str, Any] | None:
    """The official entry on one list."""
    rows = [o for o in entry["offers"] if (o["faction"], o["variant"]) == (faction, variant) and "third_party" not in o]
    return rows[0] if rows else None


def price(row: dict[str, Any] | None) -> tuple[int, int] | None:
    return (row["price"]["ducats"], row["price"]["glory"]) if row else None


def carried(ident: str) -> list[str]:
    """What comes with a profile."""
    return sorted(i for k in GAME.content("1.0").profiles[ident].kit for i in k.items)


KEYWORDS = [
    ("W32", "combat-engineer", "NEGATE MINED", True), ("W34", "combat-medic", "NEGATE FEAR", True),
    ("W59", "anchorite-shrine", "NEGATE SHRAPNEL", True), ("W85", "sultanate-sapper", "NEGATE MINED", True),
    ("W170", "desecrated-saint", "IGNORE OFF-HAND", True), ("W183", "sin-eater", "DEMONIC", True),
    ("W183", "sin-eater", "HERETIC", False),
]  # fmt: skip
COMES_WITH = [
    ("W34", "combat-medic", ["gas-mask", "medi-kit", "misericordia", "standard-armour"]),
    ("W59", "anchorite-shrine", ["bonebreaker-mace", "catherine-wheel"]),
    ("W168", "pit-locust", []),
    ("W182", "scripture-guardian", ["combat-helmet", "reinforced-armour"]),
]
ABILITIES = [
    ("W34", "combat-medic", {"Expert Medic", "Finish the Fallen"}),
    ("W27", "lieutenant", {"Hold Your Fire!"}),
    ("W85", "sultanate-sapper", {"Set Mine", "Fortify", "Defuse Mine", "Forward Positions"}),
    ("W183", "sin-eater", {"Devour the Guilty", "Purge"}),
]
OFFERS = [  # page, item, faction, variant, (ducats, glory), Limit
    ("W25", "troop-flag", NEW_ANTIOCH, None, (0, 1), None),
    ("W75", "troop-flag", SULTANATE, None, (0, 1), 1),
    ("W106", "troop-flag", HERETICS, None, (0, 1), 1),
    ("W130", "troop-flag", GRAIL, None, (0, 1), 1),
    ("W75", "musical-instrument", SULTANATE, None, (15, 0), 1),
    ("W106", "binoculars", HERETICS, None, (10, 0), None),
    ("W106", "hellbound-soul-contract", HERETICS, None, (5, 0), 3),
    ("W39", "dum-dum-bullets", NEW_ANTIOCH, "kingdom-of-alba-assault-detachment", None, 3),
    ("W43", "misericordia", NEW_ANTIOCH, "expeditionary-forces-of-abyssinia", (15, 0), 2),
    ("R127", "rocket-propelled-grenade", GRAIL, None, (0, 2), 1),
    ("R126", "rocket-propelled-grenade", SULTANATE, None, (0, 2), 2),
    ("W105", "bolt-action-rifle", HERETICS, None, (10, 0), None),
]
ITEMS = [  # page, item, field, value
    ("W26", "heavy-ballistic-shield", "keywords", ["COVER"]),
    ("W46", "holy-water-of-lalibela", "keywords", ["CONSUMABLE"]),
    ("W67", "trench-mortar", "range_inches", 36),
    ("W78", "marid-shovel", "keywords", ["HEAVY"]),
    ("W152", "ophidian-rifle", "keywords", ["HEAVY"]),
    ("R128", "armour-of-the-fly", "keywords", ["-2 INJURY MODIFIER", "FLYING", "NEGATE SHRAPNEL"]),
    ("R130", "book-of-battle-prayers", "keywords", ["HELD"]),
    ("R131", "cruel-helmet", "keywords", ["HEAVY", "NEGATE SHRAPNEL"]),
    ("R132", "ducal-winged-armour", "keywords", ["-3 INJURY MODIFIER", "FLYING"]),
    ("R133", "executioners-axe", "keywords", ["+2 INJURY DICE", "CLEAVE 2", "CRITICAL"]),
    ("R136", "locust-spitter", "range_inches", 18),
    ("W92", "hashashin-leaf", "category", "equipment"),
    ("W123", "tarnished-armour", "category", "armour"),
    ("W131", "compound-eyes-helmet", "category", "equipment"),
    ("W131", "grail-devotee", "category", "equipment"),
    ("W102", "sultanate-grand-cannon", "keywords", ["+2 INJURY DICE", "DEPLOYABLE", "HEAVY", "IGNORE ARMOUR"]),
]


@pytest.mark.parametrize(("page", "ident", "keyword", "has"), KEYWORDS)
def test_keywords_of_profiles(page: str, ident: str, keyword: str, has: bool) -> None:
    assert (keyword in profile(ident)["keywords"]) is has, page


@pytest.mark.parametrize(("page", "ident", "pieces"), COMES_WITH)
def test_kit_that_comes_with_a_profile(page: str, ident: str, pieces: list[str]) -> None:
    assert carried(ident) == sorted(pieces), page


@pytest.mark.parametrize(("page", "ident", "names"), ABILITIES)
def test_names_of_abilities(page: str, ident: str, names: set[str]) -> None:
    content = GAME.content("1.0")
    assert {content.name("ability", a) for a in content.profiles[ident].abilities} == names, page
    assert content.name("ability", "parasite-host") == "Parasite Host"  # W136


@pytest.mark.parametrize(("page", "item", "faction", "variant", "asked", "limit"), OFFERS)
def test_rows_of_armouries(
    page: str, item: str, faction: str, variant: str | None, asked: tuple[int, int] | None, limit: int | None
) -> None:
    row = offer(kit(item), faction, variant)
    assert row is not None, page
    assert row["limit"] == limit, page
    assert asked in (None, price(row)), page


@pytest.mark.parametrize(("page", "item", "field", "value"), ITEMS)
def test_profiles_of_battlekit(page: str, item: str, field: str, value: Any) -> None:
    found = kit(item)[field]
    assert (sorted(found) if isinstance(found, list) else found) == (
        sorted(value) if isinstance(value, list) else value
    ), page


def test_the_combat_medic_costs_65_on_every_list_of_new_antioch() -> None:
    assert {price(o) for o in profile("combat-medic")["offers"]} == {(65, 0)}  # W34


def test_the_scripture_guardian_shoots_at_nothing_on_any_list() -> None:
    assert profile("scripture-guardian")["statline"]["ranged"] is None  # W182
    assert {o["faction"] for o in profile("scripture-guardian")["offers"]} == set(EVERY)


def test_who_of_the_variants_is_there_and_how_often() -> None:
    assert offer(profile("mendelist-ammo-monk"), PILGRIMS, "war-pilgrimage-of-saint-methodius") is None  # W64
    tenth = offer(profile("ecclesiastic-prisoner"), PILGRIMS, "cavalcade-of-the-tenth-plague")
    assert tenth is not None
    assert tenth["most"] == 2  # W69
    avarice = [o for o in profile("goetic-warlock")["offers"] if o["variant"] == "knights-of-avarice"]
    assert sum(o["most"] for o in avarice) == 2  # W120
    acolyte = next(o for o in book()["upgrades"]["infiltrator"]["offers"] if o["variant"] == "fidai-of-alamut")
    assert acolyte["limit"] == 3  # W90


# --- who may take what, on rosters


def fighter(profile: str, *pieces: Any, **more: Any) -> dict[str, Any]:
    return {"name": more.pop("name", profile), "profile": profile, "kit": list(pieces), "upgrades": [], **more}


def judged(faction: str, *fighters: dict[str, Any], variant: str | None = None, **more: Any) -> dict[str, Any]:
    return GAME.documents.judge({
        "game": "trench-crusade", "edition": "1.0", "faction": faction, "variant": variant, "fighters": list(fighters),
        "budget": {"ducats": 3000, "glory": 60}, **more,
    })  # fmt: skip


def told(answer: dict[str, Any], name: str) -> list[str]:
    """The codes of what is said of one fighter."""
    return [p["code"] for p in answer["problems"] if p["fighter"] == name]


GUARDIAN = "Scripture Guardian"


@pytest.mark.parametrize(
    ("faction", "pieces", "codes"),
    [
        (HERETICS, ("Hellblade",), []),
        (PILGRIMS, ("Misericordia", "Trench Club"), []),
        (COURT, ("Headtaker", "Sword/Axe"), []),
        (COURT, ("Hellblade",), []),
        (COURT, ("Malebranche Sword",), []),
        (NEW_ANTIOCH, ("Sword/Axe", "Trench Club"), []),
        (NEW_ANTIOCH, (), ["needs"]),
        (NEW_ANTIOCH, ("Sword/Axe",), ["needs"]),
        (NEW_ANTIOCH, ("Sword/Axe", "Trench Club", "Pistol"), ["banned"]),
    ],
)
def test_a_scripture_guardian_fills_both_hands_with_melee_weapons(
    faction: str, pieces: tuple[str, ...], codes: list[str]
) -> None:
    content = GAME.content("1.0")
    owned = [p for p in pieces if isinstance(content.resolve("item", p, faction), str)]
    assert owned == list(pieces)
    assert told(judged(faction, fighter(GUARDIAN, *pieces)), GUARDIAN) == codes  # W182


def test_holy_icon_armour_is_for_everyone_of_the_sacred_affliction() -> None:
    answer = judged(
        PILGRIMS, fighter("Trench Pilgrim", "Holy Icon Armour"), variant="Procession of the Sacred Affliction"
    )
    assert told(answer, "Trench Pilgrim") == []  # W62


def test_an_artillery_witch_may_have_a_mountaineer_kit() -> None:
    answer = judged(HERETICS, fighter("Artillery Witch", "Mountaineer Kit"))
    assert told(answer, "Artillery Witch") == []  # W106, W116


def test_the_heavy_ballistic_shield_goes_with_machine_armour_only() -> None:
    row = offer(kit("heavy-ballistic-shield"), NEW_ANTIOCH)
    assert row is not None
    assert "Winged" not in row["who"]  # W25, W26
    worn = judged(NEW_ANTIOCH, fighter("Lieutenant", "Machine Armour", "Heavy Ballistic Shield"))
    assert told(worn, "Lieutenant") == []
    found = [{"item": x, "origin": "found"} for x in ("Ducal Winged Armour", "Knighthood")]
    assert told(judged(NEW_ANTIOCH, fighter("Lieutenant", *found, "Heavy Ballistic Shield")), "Lieutenant") != []


def test_a_pit_locust_has_its_armour_of_its_own() -> None:
    plain = judged(COURT, fighter("Pit Locust"))
    assert told(plain, "Pit Locust") == []
    assert profile("pit-locust")["statline"]["armour"] == -2  # W168
    assert told(judged(COURT, fighter("Pit Locust", "Reinforced Armour")), "Pit Locust") != []
    force, _ = GAME.documents.read_document(
        {"game": "trench-crusade", "edition": "1.0", "faction": COURT, "fighters": [fighter("Pit Locust")]}
    )
    (view,) = GAME.views(GAME.content("1.0"), force).values()
    assert view.stats["armour"].value == -2


def test_a_sin_eater_counts_among_the_demonic_of_the_court() -> None:
    praetor = fighter("Praetor", "Sword/Axe")
    alone = judged(COURT, praetor, fighter("Wretched", "Trench Club"))
    beside = judged(COURT, praetor, fighter("Sin Eater"), fighter("Wretched", "Trench Club"))
    assert "ratio" in [p["code"] for p in alone["problems"]]
    assert "ratio" not in [p["code"] for p in beside["problems"]]  # W183
    sinned = {"choices": {"sin": "Pride"}}
    codes = [
        p["code"]
        for p in judged(COURT, praetor, fighter("Sin Eater"), fighter("Wretched", "Trench Club"), **sinned)["problems"]
    ]
    assert codes == []


# --- list rules


AVARICE = "Knights of Avarice"


@pytest.mark.parametrize(
    ("pieces", "codes"),
    [((), ["needs"]), (("Semi-Automatic Rifle", "Standard Armour"), ["needs"]), (("Machine Gun",), [])],
)
def test_mammon_takes_nobody_under_80_ducats(pieces: tuple[str, ...], codes: list[str]) -> None:
    answer = judged(HERETICS, fighter("Heretic Trooper", *pieces), fighter("Wretched", "Trench Club"), variant=AVARICE)
    assert told(answer, "Heretic Trooper") == codes  # W120
    assert told(answer, "Wretched") == []


def test_what_mammon_asks_stands_beside_the_hire() -> None:
    force, _ = GAME.documents.read_document({
        "game": "trench-crusade", "edition": "1.0", "faction": HERETICS, "variant": AVARICE, "fighters": [],
    })  # fmt: skip
    offers = {o.name: o for o in GAME.hire_offers(GAME.content("1.0"), force)}
    assert "Mammon's Chosen: worth at least 80 ducats with its kit" in offers["Heretic Trooper"].details
    assert not any("Mammon's Chosen" in line for line in offers["Wretched"].details)
    assert not any("Mammon's Chosen" in line for line in offers["Goetic Warlock"].details)


CRUCIFIX = "Supreme Pontiff's Crucifix"


def test_somebody_bears_the_crucifix_when_the_papal_force_is_recruited() -> None:
    papal = "Papal States Intervention Force"
    bare = judged(NEW_ANTIOCH, fighter("Lector"), variant=papal)
    assert [p["code"] for p in bare["problems"]] == ["too-few"]  # W35
    for given in (CRUCIFIX, {"item": CRUCIFIX, "origin": "starting"}):
        assert judged(NEW_ANTIOCH, fighter("Lector", given), variant=papal)["problems"] == []
    later = judged(NEW_ANTIOCH, fighter("Lector"), variant=papal, battles={"fought": 1})
    assert later["problems"] == []  # a lost one need not be replaced


def test_wrath_of_god_leaves_grenades() -> None:
    content = GAME.content("1.0")
    procession = "Procession of the Sacred Affliction"
    pilgrim = fighter("Trench Pilgrim", "Molotov Cocktail")
    pilgrim["upgrades"] = ["Wrath of God"]
    assert content.items["molotov-cocktail"].slot == "grenade"
    assert told(judged(PILGRIMS, pilgrim, variant=procession), "Trench Pilgrim") == []
    pilgrim["kit"] = ["Musket"]
    assert told(judged(PILGRIMS, pilgrim, variant=procession), "Trench Pilgrim") == ["banned"]


def test_a_fighter_is_in_one_fireteam() -> None:
    pairs = {"fireteams": [["A", "B"], ["A", "C"]]}
    people = [fighter("Yeoman", name=n) for n in "ABC"]
    for edition, codes in (("1.0", ["fireteam"]), ("1.6.3", [])):
        answer = GAME.documents.judge({
            "game": "trench-crusade", "edition": edition, "faction": NEW_ANTIOCH,
            "fighters": [fighter("Lieutenant"), *people], "choices": pairs,
        })  # fmt: skip
        assert [p["code"] for p in answer["problems"]] == codes, edition


# --- names of the book


@pytest.mark.parametrize(
    ("kind", "said", "ident", "faction"),
    [
        ("upgrade", "Trench Mole", "infiltrator", NEW_ANTIOCH),  # W30
        ("upgrade", "Forward Positions", "infiltrator", "stosstruppen-of-the-free-state-of-prussia"),  # W41
        ("upgrade", "Unseen Advance", "infiltrator", "heretic-naval-raiding-party"),  # W124
        ("upgrade", "Assassin Acolytes", "infiltrator", "fidai-of-alamut"),  # W90
        ("upgrade", "Flanking", "vanguard", "expeditionary-forces-of-abyssinia"),  # W44
        ("upgrade", "Maddening Buzzing", "maddening-buzz", GRAIL),  # W139
        ("upgrade", "Regenerative Tissue", "regenerative-tissue", "house-of-wisdom"),  # W97
        ("upgrade", "Two Heads", "two-heads", "house-of-wisdom"),  # W97
        ("profile", "Whirling Dervish", "dervish", "fidai-of-alamut"),  # W90
    ],
)
def test_names_of_the_book_are_read(kind: str, said: str, ident: str, faction: str) -> None:
    assert GAME.content("1.0").resolve(kind, said, faction) == ident


def test_no_sentence_of_new_antioch_stands_on_another_list() -> None:
    for item in ("bolt-action-rifle", "mountaineer-kit"):
        row = offer(kit(item), HERETICS)
        assert row is not None
        assert row["who"] == "anyone"  # W105, W106


def test_what_does_not_count_for_line_of_sight() -> None:
    (entry,) = [e for e in GAME.content("1.0").pack.reference if e.id == "line-of-sight"]
    assert all(word in entry.words for word in ("Base", "hands", "feet", "carries"))  # R30
    assert not any(word in entry.words for word in ("arms", "legs"))


def test_an_entry_parted_in_two_still_finds_what_was_bought_through_it() -> None:
    row = fighter("Yeoman", {"item": "Troop Flag", "origin": "bought", "offer": "common-troop-flag"})
    assert told(judged(NEW_ANTIOCH, fighter("Lieutenant"), row), "Yeoman") == []
    with pytest.raises(Refusal):
        GAME.documents.judge({"game": "trench-crusade", "edition": "1.0", "faction": NEW_ANTIOCH, "fighters": "none"})
