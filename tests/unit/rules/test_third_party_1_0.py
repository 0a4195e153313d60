"""The Red Brigade, Remnants of Byzantium, the Cadaver Corps and the Disciple of St. Roch in 1.0: off unless they are let in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Money, Recovers, SetWarband
from rules.force import ForceItem
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.registry import system
from rules.trench_crusade import post_battle
from rules.vocabulary import Trait
from tests.unit.rules.evening import after, leaves, run, settle, written
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, game, wardens

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
CONTENT = GAME.content("1.0", house_rules=ALLOWED)
BRIGADE, BYZANTIUM, CORPS = "The Red Brigade", "Remnants of Byzantium", "Cadaver Corps"
LISTS = {
    BRIGADE: ("red-brigade", "New Antioch", "new-antioch"),
    BYZANTIUM: ("remnants-of-byzantium", "New Antioch", "new-antioch"),
    CORPS: ("cadaver-corps", "Heretic Legion", "heretic-legion"),
}
RICH = {"ducats": 3000, "glory": 30}


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


LEADERS = {BRIGADE: row("Lieutenant"), BYZANTIUM: row("Menaulatoi Princeps"), CORPS: row("Technomancer")}
SHOCK = row("Shocktrooper")


def paper(variant: str, *fighters: dict[str, Any], leader: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    people = (leader or LEADERS[variant], *fighters)
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate(people, 1)]
    return {
        "game": "trench-crusade", "edition": "1.0", "faction": LISTS[variant][1], "variant": variant, "budget": RICH,
        "fighters": named, "house_rules": ALLOWED, **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def codes(variant: str, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(variant, *fighters, **more))["problems"])


def views(document: dict[str, Any]) -> list[Any]:
    force, _ = GAME.documents.read_document(document)
    known = GAME.views(CONTENT, force)
    return [known[f.key] for f in force.fighters]


def of(variant: str, cases: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(variant, *case) for case in cases]


# --- whether they may be played, and what they hold


@pytest.mark.parametrize("variant", LISTS)
def test_a_list_is_left_out_unless_the_terms_let_it_in(variant: str) -> None:
    assert codes(variant) == []
    (problem,) = judged(paper(variant, house_rules={}))["problems"]
    assert problem["code"] == "third-party"
    shut = {choice.id: choice for choice in GAME.founding.lists(GAME.content("1.0"))}[LISTS[variant][0]]
    assert (shut.third_party, "third party" in shut.closed) == (True, True)
    assert not {choice.id: choice for choice in GAME.founding.lists(CONTENT)}[LISTS[variant][0]].closed


def visitors(list_id: str) -> list[Any]:
    """The shop that a Disciple of St. Roch brings along."""
    return [
        o for o in CONTENT.lists[list_id].item_offers if o.who.only_for[:1] == (Trait(profile="disciple-of-st-roch"),)
    ]


@pytest.mark.parametrize("variant", LISTS)
def test_whatever_is_its_alone_is_marked(variant: str) -> None:
    list_id, _, base = LISTS[variant]
    army = CONTENT.lists[list_id]
    assert army.army.third_party
    entries = (*army.item_offers, *army.profile_offers, *army.upgrade_offers)
    own = [o for o in entries if set(o.lists) == {list_id}]
    assert len(own) > 8
    assert all(o.third_party for o in own)
    shared = [o for o in army.item_offers if base in o.lists and o not in visitors(list_id)]
    assert shared
    assert not any(o.third_party for o in shared)


@pytest.mark.parametrize(("variant", "items", "profiles"), [(BRIGADE, 55, 21), (BYZANTIUM, 54, 17), (CORPS, 59, 12)])
def test_how_many_entries_a_list_has(variant: str, items: int, profiles: int) -> None:
    army = CONTENT.lists[LISTS[variant][0]]
    assert (len(army.item_offers) - len(visitors(army.army.id)), len(army.profile_offers)) == (items, profiles)


@pytest.mark.parametrize(("sample", "spent"), [("carmine-muster", 699), ("purple-gate", 696), ("quicklime-choir", 698)])
def test_samples_are_legal(sample: str, spent: int) -> None:
    answer = judged(GAME.founding.sample(CONTENT, sample))
    assert (answer["problems"], answer["rating"]["ducats"]) == ([], spent)


@pytest.mark.parametrize(
    ("variant", "item", "price", "limit"),
    of(
        BRIGADE,
        [
            ("molotov-cocktail", Price(5), None), ("blood-cloak", Price(5), 4), ("red-banner", Price(0, 2), 1),
            ("incendiary-grenades", Price(15), 2),
        ],
    )
    + of(
        BYZANTIUM,
        [
            ("grenades", Price(7), 2), ("molotov-cocktail", Price(5), None), ("automatic-rifle", Price(40), 2),
            ("dane-axe", Price(15), 3), ("greek-fire", Price(15), 3), ("phosphorous-rounds", Price(10), 2),
            ("byzantine-war-horn", Price(15), 1), ("musical-instrument", Price(15), 1), ("reinforced-armour", Price(40), None),
        ],
    )
    + of(
        CORPS,
        [
            ("artificial-rebirth", Price(0, 1), None), ("thermal-shielding", Price(5), None), ("melee-chassis", Price(15), None),
            ("essence-extractor", Price(5), 2), ("byzantinium-hearth", Price(10), 2), ("tempered-filigree", Price(40), None),
            ("sonomatic-sculpture", Price(5), None), ("enhanced-agility", Price(5), None), ("unstoppable", Price(5), None),
        ],
    ),
)  # fmt: skip
def test_prices_of_the_armoury(variant: str, item: str, price: Price, limit: int | None) -> None:
    list_id = LISTS[variant][0]
    (offer,) = [o for o in CONTENT.lists[list_id].item_offers if o.item == item and o not in visitors(list_id)]
    assert (offer.price, offer.limit) == (price, limit)


@pytest.mark.parametrize(
    ("variant", "profile", "price"),
    of(
        BRIGADE,
        [
            ("crimson-communicant", Price(75)), ("trench-dog", Price(35)), ("attack-dog", Price(40)), ("guard-dog", Price(40)),
            ("mercy-dog", Price(40)), ("lieutenant", Price(70)), ("shocktrooper", Price(45)),
        ],
    )
    + of(
        BYZANTIUM,
        [
            ("menaulatoi-princeps", Price(75)), ("varangian-warlord", Price(90)), ("varangian-guard", Price(50)),
            ("cataphract", Price(65)), ("sniper-priest", Price(50)), ("yeoman", Price(30)),
        ],
    )
    + of(
        CORPS,
        [
            ("technomancer", Price(80)), ("heretic-priest", Price(80)), ("baptised-heavy-infantry", Price(95)),
            ("phosphor-witch", Price(95)), ("war-hyena", Price(140)), ("witch-coven-matriarch", Price(0, 5)),
            ("wretched", Price(25)),
        ],
    ),
)  # fmt: skip
def test_prices_of_fighters(variant: str, profile: str, price: Price) -> None:
    assert price in [o.price for o in CONTENT.lists[LISTS[variant][0]].profile_offers if o.profile == profile]


@pytest.mark.parametrize(
    ("variant", "profile", "most"),
    of(BRIGADE, [("Crimson Communicant", 1), ("Guard Dog", 1), ("Mercy Dog", 2), ("Shocktrooper", 5)])
    + of(BYZANTIUM, [("Varangian Guard", 4), ("Cataphract", 4), ("Sniper Priest", 1), ("Combat Engineer", 2)])
    + of(
        CORPS,
        [
            ("Baptised Heavy Infantry", 2),
            ("Phosphor Witch", 2),
            ("War Hyena", 2),
            ("Witch Coven Matriarch", 1),
            ("Death Commando", 1),
        ],
    ),
)
def test_so_many_and_no_more(variant: str, profile: str, most: int) -> None:
    others = [row("Heretic Trooper" if variant == CORPS else "Yeoman")] * 4
    assert codes(variant, *others, *[row(profile)] * most) == []
    assert codes(variant, *others, *[row(profile)] * (most + 1)) == ["too-many"]


@pytest.mark.parametrize(
    ("variant", "profile", "kit", "found"),
    of(
        BRIGADE,
        [
            ("Trench Dog", ("Grenades",), []),
            ("Mercy Dog", ("Molotov Cocktail",), []),
            ("Attack Dog", ("Grenades", "Molotov Cocktail"), ["slot-grenade"]),
            ("Guard Dog", ("Gas Mask",), ["banned"]),
            ("Attack Dog", ("Shotgun",), ["banned"]),
            ("Crimson Communicant", ("Sword/Axe",), []),
            ("Crimson Communicant", ("Great Sword/Axe",), []),
            ("Crimson Communicant", ("Great Sword/Axe", "Great Hammer/Maul"), ["hands"]),
            ("Yeoman", ("Blood Cloak",), []),
            ("Yeoman", ("Red Banner",), []),
            ("Yeoman", ("Troop Flag",), ["not-offered"]),
        ],
    )
    + of(
        BYZANTIUM,
        [
            ("Varangian Guard", ("Dane Axe", "Trench Shield"), []),
            ("Varangian Guard", ("Great Sword/Axe", "Trench Shield"), []),
            ("Varangian Guard", ("Great Hammer/Maul", "Trench Shield"), ["hands"]),
            ("Yeoman", ("Dane Axe", "Trench Shield"), ["hands"]),
            ("Varangian Guard", ("War Horn",), []),
            ("Varangian Guard", ("Dane Axe", "Greek Fire"), ["heavy"]),
            ("Yeoman", ("War Horn",), ["only-for"]),
            ("Varangian Guard", ("Musical Instrument",), ["only-for"]),
            ("Varangian Guard", ("Standard Armour",), []),
            ("Varangian Guard", ("Reinforced Armour",), ["only-for"]),
            ("Trench Cleric", ("Reinforced Armour",), ["only-for"]),
            ("Cataphract", ("Trench Shield", "Polearm"), []),
            ("Cataphract", ("Standard Armour",), ["banned"]),
            ("Trench Cleric", ("Machine Armour",), ["banned"]),
            ("Trench Cleric", ("Automatic Pistol",), ["banned"]),
            ("Yeoman", ("Automatic Shotgun",), ["banned"]),
            ("Yeoman", ("Incendiary Grenades",), ["banned"]),
            ("Yeoman", ("Grenade Launcher",), ["banned"]),
            ("Combat Engineer", ("Satchel Charge",), ["banned"]),
            ("Combat Engineer", ("Greek Fire",), []),
            ("Combat Engineer", ("Greek Fire", "Greek Fire"), ["duplicate", "heavy"]),
            ("Yeoman", ("Shotgun", "Phosphorous Rounds"), []),
        ],
    )
    + of(
        CORPS,
        [
            ("Heretic Trooper", ("Machine Gun",), ["banned"]),
            ("Heretic Trooper", ("Heavy Flamethrower",), ["banned"]),
            ("Heretic Trooper", ("Grenade Launcher",), ["banned"]),
            ("Heretic Trooper", ("Anti-Materiel Rifle",), ["banned"]),
            ("Heretic Trooper", ("Flamethrower",), []),
            ("Heretic Trooper", ("Great Sword/Axe",), []),
            ("Heretic Trooper", ("Thermal Shielding",), ["only-for"]),
            ("Heretic Trooper", ("Artificial Rebirth", "Thermal Shielding"), []),
            ("Heretic Trooper", ("Artificial Rebirth", "Gas Mask"), ["banned"]),
            ("Heretic Trooper", ("Artificial Rebirth", "Infernal Brand"), ["banned"]),
            ("Phosphor Witch", ("Artificial Rebirth",), ["only-for"]),
            ("Phosphor Witch", ("Thermal Shielding", "Unstoppable", "Enhanced Agility"), []),
            (
                "Phosphor Witch",
                ("Thermal Shielding", "Unstoppable", "Enhanced Agility", "Sonomatic Sculpture"),
                ["model-limit"],
            ),
            ("Phosphor Witch", ("Melee Chassis",), []),
            ("Phosphor Witch", ("Melee Chassis", "Trench Knife"), ["hands"]),
            ("Baptised Heavy Infantry", ("Artificial Rebirth", "Melee Chassis"), []),
            ("Baptised Heavy Infantry", ("Artificial Rebirth", "Melee Chassis", "Trench Knife"), ["hands"]),
            ("Phosphor Witch", ("Pistol",), ["banned"]),
            ("Phosphor Witch", ("Byzantinium Hearth",), ["only-for"]),
            ("Phosphor Witch", ("Tempered Filigree",), ["only-for"]),
            ("Death Commando", ("Byzantinium Hearth",), ["only-for"]),
            ("Death Commando", ("Artificial Rebirth", "Byzantinium Hearth", "Tempered Filigree"), []),
            ("Death Commando", ("Artificial Rebirth", "Tempered Filigree", "Combat Helmet"), ["banned"]),
            ("Death Commando", ("Artificial Rebirth", "Tempered Filigree", "Standard Armour"), ["slot-armour"]),
            ("Wretched", ("Trench Knife", "Artificial Rebirth"), ["banned"]),
            ("War Hyena", ("Gas Mask",), ["fixed-kit"]),
        ],
    ),
)
def test_what_they_carry(variant: str, profile: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(variant, row(profile, *kit)) == found


@pytest.mark.parametrize(
    ("variant", "profile", "item", "limit"),
    of(BRIGADE, [("Yeoman", "Blood Cloak", 4), ("Yeoman", "Red Banner", 1)])
    + of(
        BYZANTIUM,
        [
            ("Yeoman", "Grenades", 2), ("Yeoman", "Automatic Rifle", 2), ("Yeoman", "Dane Axe", 3), ("Yeoman", "Greek Fire", 3),
            ("Yeoman", "Phosphorous Rounds", 2),
        ],
    ),
)  # fmt: skip
def test_limits_of_the_armoury(variant: str, profile: str, item: str, limit: int) -> None:
    assert codes(variant, *[row(profile, item)] * limit) == []
    assert codes(variant, *[row(profile, item)] * (limit + 1)) == ["warband-limit"]


# --- The Red Brigade


@pytest.mark.parametrize(
    ("priests", "clerics", "found"),
    [(2, 0, []), (1, 1, []), (2, 1, ["group-cap"]), (1, 2, ["group-cap", "too-many"])],
)
def test_two_of_the_clergy_at_most(priests: int, clerics: int, found: list[str]) -> None:
    assert codes(BRIGADE, *[row("Sniper Priest")] * priests, *[row("Trench Cleric")] * clerics) == found


@pytest.mark.parametrize(("dogs", "found"), [(2, []), (3, ["ratio"])])
def test_dogs_are_never_more_than_the_others(dogs: int, found: list[str]) -> None:
    assert codes(BRIGADE, SHOCK, *[row("Attack Dog")] * dogs) == found


def test_grenades_are_cheaper_on_a_dog() -> None:
    dog = judged(paper(BRIGADE, row("Trench Dog", "Grenades")))
    trooper = judged(paper(BRIGADE, row("Shocktrooper", "Grenades")))
    assert (dog["rating"]["ducats"], trooper["rating"]["ducats"]) == (70 + 35 + 5, 70 + 45 + 7)


def test_two_loyal_dogs_and_a_gunslinger() -> None:
    loyal = row("Attack Dog", upgrades=("Man's Best Friend",))
    assert codes(BRIGADE, SHOCK, SHOCK, loyal, loyal) == []
    assert codes(BRIGADE, SHOCK, SHOCK, loyal, loyal, loyal) == ["warband-limit"]
    slinger = row("Lieutenant", "Pistol", "Pistol", upgrades=("Gunslinger",))
    assert judged(paper(BRIGADE, leader=slinger))["rating"]["ducats"] == 70 + 12 + 5
    assert codes(BRIGADE, row("Shocktrooper", upgrades=("Gunslinger",))) == ["only-for"]
    force, _ = GAME.documents.read_document(paper(BRIGADE, leader=slinger))
    pistol = next(
        w for f in GAME.documents.sheet(CONTENT, force).fighters for w in f.weapons if w.name.startswith("Pistol")
    )
    assert "ASSAULT" in pistol.keywords
    assert "IGNORE OFF-HAND WEAPON" in pistol.keywords


def test_the_brigade_trains_its_dogs_otherwise() -> None:
    _, mercy, guard, cloaked = views(
        paper(BRIGADE, row("Mercy Dog"), row("Guard Dog"), row("Shocktrooper", "Blood Cloak"))
    )
    states = {a.id: a.state for a in (*mercy.abilities, *guard.abilities)}
    assert (states["brigade-mercy-dog"], states["mercy-dog"]) == ("gained", "lost")
    assert (states["brigade-guard-dog"], states["guard-dog"]) == ("gained", "lost")
    assert cloaked.has("SKIRMISHER")


REX = replace(KOLYA, key="rex", profile="attack-dog", offer="red-brigade-attack-dog", name="Rex")
BRUNO = replace(KOLYA, key="bruno", kit=(ForceItem("gun", "machine-gun"), ForceItem("mask", "gas-mask")))


def brigade(**known: Any) -> Any:
    return wardens(ILSE, BRUNO, REX, list="red-brigade", **known)


def duties(step: str, force: Any, number: int = 1, **known: Any) -> dict[str, Any]:
    done = game(number, **known)
    return {t.key: t for t in post_battle.tasks(CONTENT, force, done, StepRecord(), step)}


def test_each_deed_of_a_dog_earns_two() -> None:
    deeds = tuple((f"deed-{n}", "rex") for n in range(4))
    for done, glory in ((deeds, 8), (tuple((d, "bruno") for d, _ in deeds), 4)):
        found = post_battle._glory(CONTENT, brigade(), done)
        assert sum(m.amount.glory for m in found if isinstance(m, Money)) == glory


def ways(force: Any) -> dict[str, Any]:
    return {o.value: o for o in run(duties("reinforcements", force)["reinforcements"]).asked.options}


def test_the_living_remember_the_fallen_and_explore_nothing() -> None:
    force = brigade()
    assert list(ways(force)) == ["reinforce", "explore", "remember"]
    assert "none of your fighters died" in ways(force)["remember"].closed
    outcome = settle(duties("trauma", force, out=["bruno"])["casualty-bruno"], (1,))
    assert ("fallen", "bruno") in [s.path for s in leaves(outcome, SetWarband)]
    back = settle(duties("reinforcements", after(force, outcome))["reinforcements"], choices={"way": "remember"})
    (found,) = leaves(back, Recovers)
    assert found.items == ("gun", "mask")
    assert "remember" not in ways(replace(force, list="new-antioch"))
    record = written("reinforcements", choices={"reinforcements": {"way": "remember"}})
    words = post_battle.skipped(CONTENT, force, game(), record, "exploration")
    assert words == "The warband remembers its fallen and explores nothing this time."
    (again,) = post_battle.tasks(CONTENT, force, game(), record, "reinforcements")
    assert settle(again).sentence == "The fallen are remembered: what they carried is back."


def test_no_reinforcements_twice_running() -> None:
    assert ways(brigade(state={"reinforced_last": True}))["reinforce"].closed
    assert not ways(brigade(state={"reinforced_last": True}))["explore"].closed
    assert not ways(brigade())["reinforce"].closed


# --- Remnants of Byzantium

WARLORD = row("Varangian Warlord")
LATE = {"battles": {"fought": 10}}


def test_one_of_two_leads_and_never_both() -> None:
    assert codes(BYZANTIUM, leader=WARLORD) == []
    assert codes(BYZANTIUM, WARLORD) == ["too-many"]
    assert codes(BYZANTIUM, leader=row("Yeoman")) == ["no-leader"]


def test_a_dead_leader_is_followed_by_either() -> None:
    force, _ = GAME.documents.read_document(paper(BYZANTIUM, row("Yeoman"), battles={"fought": 2}))
    camp = replace(force, founding=False, strongbox=Price(200))
    leaders = ("menaulatoi-princeps", "varangian-warlord")
    assert {o.ref: o.state for o in GAME.hire_offers(CONTENT, camp) if o.ref in leaders} == dict.fromkeys(
        leaders, "closed"
    )
    bereft = replace(camp, fighters=camp.fighters[1:])
    assert {o.ref: o.state for o in GAME.hire_offers(CONTENT, bereft) if o.ref in leaders} == dict.fromkeys(
        leaders, "open"
    )


@pytest.mark.parametrize("profile", ["Lieutenant", "Shocktrooper", "Mechanized Heavy Infantry"])
def test_who_does_not_serve_byzantium(profile: str) -> None:
    assert codes(BYZANTIUM, row(profile)) == ["not-offered"]


def test_a_second_priest_comes_with_the_threshold() -> None:
    priests = [row("Sniper Priest")] * 2
    assert codes(BYZANTIUM, *priests, battles={"fought": 4}) == ["too-many"]
    assert codes(BYZANTIUM, *priests, **LATE) == []
    assert codes(BYZANTIUM, *priests, row("Sniper Priest"), **LATE) == ["too-many"]


def test_only_a_princeps_wears_reinforced_armour() -> None:
    assert codes(BYZANTIUM, leader=row("Menaulatoi Princeps", "Reinforced Armour")) == []
    assert codes(BYZANTIUM, leader=row("Varangian Warlord", "Standard Armour")) == ["banned"]
    assert codes(BYZANTIUM, leader=row("Varangian Warlord", "Trench Shield")) == []


def test_one_instrument_whatever_its_kind() -> None:
    horn, drum = row("Varangian Guard", "War Horn"), row("Yeoman", "Musical Instrument")
    assert codes(BYZANTIUM, horn) == codes(BYZANTIUM, drum) == []
    assert codes(BYZANTIUM, horn, drum) == ["warband-limit"]
    assert views(paper(BYZANTIUM, horn))[1].has("FEAR")


def test_four_vanguards_and_four_menaulatoi() -> None:
    vanguard, spear = row("Varangian Guard", upgrades=("Vanguard",)), row("Yeoman", upgrades=("Vanguard", "Menaulatoi"))
    assert codes(BYZANTIUM, *[vanguard] * 2, *[spear] * 2) == []
    assert codes(BYZANTIUM, *[vanguard] * 2, *[spear] * 3) == ["warband-limit"]
    menaulatoi = row("Yeoman", upgrades=("Menaulatoi",))
    assert codes(BYZANTIUM, *[menaulatoi] * 4) == []
    assert codes(BYZANTIUM, *[menaulatoi] * 5) == ["warband-limit"]
    assert codes(BYZANTIUM, row("Varangian Guard", upgrades=("Menaulatoi",))) == ["only-for"]
    assert codes(BYZANTIUM, row("Yeoman", upgrades=("Trench Mole",))) == ["not-offered"]


def test_a_cataphract_is_reconfigured() -> None:
    def engine(upgrade: str, *kit: str) -> dict[str, Any]:
        return row("Cataphract", *kit, upgrades=(upgrade,))

    assert codes(BYZANTIUM, engine("Fire Support Reconfiguration", "Machine Gun")) == []
    assert codes(BYZANTIUM, engine("Fire Support Reconfiguration", "Trench Club")) == ["banned"]
    assert codes(BYZANTIUM, engine("Piston Reconfiguration", "Trench Club")) == []
    assert judged(paper(BYZANTIUM, engine("Piston Reconfiguration")))["rating"]["ducats"] == 75 + 65
    assert judged(paper(BYZANTIUM, engine("Fire Support Reconfiguration")))["rating"]["ducats"] == 75 + 65 + 5
    piston = views(paper(BYZANTIUM, engine("Piston Reconfiguration")))[1]
    assert (piston.stats["melee"].value, piston.stats["ranged"].value, piston.stats["armour"].value) == (1, 0, -1)
    force, _ = GAME.documents.read_document(paper(BYZANTIUM, engine("Fire Support Reconfiguration", "Machine Gun")))
    gun = next(w for f in GAME.documents.sheet(CONTENT, force).fighters for w in f.weapons if w.name == "Machine Gun")
    assert (gun.range_words, gun.causes) == ("24″", ("−12″: Fire Support Reconfiguration",))


def test_varangians_fear_nothing() -> None:
    _, guard = views(paper(BYZANTIUM, row("Varangian Guard")))
    assert guard.has("NEGATE FEAR")
    assert "assault-drill" not in {a.id for a in guard.abilities}


def teams(*pairs: tuple[int, int], leader: dict[str, Any] | None = None, **more: Any) -> list[str]:
    people = [row("Cataphract")] * 4 + [row("Yeoman")] * 4
    document = paper(BYZANTIUM, *people, leader=leader, **more)
    force, _ = GAME.documents.read_document(document)
    keys = [f.key for f in force.fighters]
    force = replace(force, choices={"fireteams": [[keys[a], keys[b]] for a, b in pairs]})
    return sorted(p.code for p in GAME.check(CONTENT, force).problems)


def test_cataphracts_form_a_fireteam_more() -> None:
    plain = ((5, 6), (7, 8))
    assert teams(*plain) == []
    assert teams(*plain, (1, 2)) == []
    assert teams(*plain, (0, 5)) == ["fireteam"] * 2  # no room for it, and somebody twice
    assert teams(*plain, (0, 1), leader=WARLORD) == []
    assert teams(*plain, (1, 2), (3, 4)) == ["fireteam"]
    assert teams(*plain, (1, 2), (3, 4), **LATE) == []
    assert teams(*plain, (1, 2), (2, 3), **LATE) == ["fireteam"]


# --- Cadaver Corps

PRIEST = row("Heretic Priest")


def test_a_technomancer_or_a_priest_leads_and_never_both() -> None:
    assert codes(CORPS, leader=PRIEST) == []
    assert codes(CORPS, PRIEST) == ["too-many"]
    assert codes(CORPS, leader=row("Heretic Trooper")) == ["no-leader"]


@pytest.mark.parametrize("profile", ["Chorister", "Artillery Witch", "War Wolf Assault Beast"])
def test_who_does_not_serve_the_corps(profile: str) -> None:
    assert codes(CORPS, row(profile)) == ["not-offered"]


def test_a_third_witch_comes_with_the_threshold() -> None:
    witches = [row("Phosphor Witch")] * 3
    assert codes(CORPS, *witches, battles={"fought": 2}) == ["too-many"]
    assert codes(CORPS, *witches, **LATE) == []


def test_two_extractors_and_two_hearths() -> None:
    drinker = row("Phosphor Witch", "Essence Extractor")
    leader = row("Technomancer", "Essence Extractor", "Byzantinium Hearth")
    assert codes(CORPS, drinker, leader=leader) == []
    assert codes(CORPS, drinker, drinker, leader=leader) == ["warband-limit"]
    hearth = row("Baptised Heavy Infantry", "Artificial Rebirth", "Byzantinium Hearth")
    assert codes(CORPS, hearth, row("War Hyena"), leader=leader) == []
    assert codes(CORPS, hearth, hearth, leader=leader) == ["warband-limit"]


def test_the_baptised_are_elite_and_burn_hotter() -> None:
    document = paper(CORPS, row("Baptised Heavy Infantry", "Hellblade", "Flamethrower", "Incendiary Grenades"))
    assert judged(document)["problems"] == []
    assert views(document)[1].has("ELITE")
    force, _ = GAME.documents.read_document(document)
    weapons = {w.name: w for w in GAME.documents.sheet(CONTENT, force).fighters[1].weapons}
    assert weapons["Hellblade"].keywords.count("+1 INJURY DICE") == 2
    assert "+1 INJURY DICE: Incandescent" in weapons["Flamethrower"].causes
    assert "+1 INJURY DICE" in weapons["Incendiary Grenades"].keywords
    trooper, _ = GAME.documents.read_document(paper(CORPS, row("Heretic Trooper", "Incendiary Grenades")))
    (plain,) = [
        w for w in GAME.documents.sheet(CONTENT, trooper).fighters[1].weapons if w.name == "Incendiary Grenades"
    ]
    assert "INJURY DICE" not in plain.keywords


def test_what_is_reborn_is_artificial() -> None:
    document = paper(
        CORPS, row("Heretic Trooper", "Artificial Rebirth"), row("War Hyena"), row("Witch Coven Matriarch")
    )
    _, reborn, hyena, matriarch = views(document)
    assert all(reborn.has(k) for k in ("ARTIFICIAL", "NEGATE FEAR", "NEGATE GAS"))
    assert "abiotic-life" in {a.id for a in reborn.abilities}
    assert (hyena.has("NEGATE FIRE"), hyena.has("TOUGH"), hyena.stats["armour"].value) == (True, False, -2)
    assert (matriarch.mercenary, matriarch.movement, matriarch.stats["armour"].value) == (True, "flying", -2)
    filigree = views(paper(CORPS, leader=row("Technomancer", "Tempered Filigree")))[0]
    assert (filigree.stats["armour"].value, filigree.has("NEGATE SHRAPNEL")) == (-2, True)


def corps(**known: Any) -> Any:
    boss = replace(ILSE, profile="technomancer", kit=())
    return wardens(boss, list="cadaver-corps", patron="infernal-noble", **known)


def test_the_corps_scavenges() -> None:
    way = {"mod-1": "done", "dead": "75"}
    outcome = settle(duties("exploration", corps())["exploration"], (1, 1, 2), way)
    assert [m.amount.ducats for m in leaves(outcome, Money)][:2] == [20, 37]
    assert "Scavenge: 37 ducats, half of what the dead were worth." in outcome.will_do
    plain = settle(
        duties("exploration", replace(corps(), list="heretic-legion"))["exploration"], (1, 1, 2), {"mod-1": "done"}
    )
    assert leaves(plain, Money)[0].amount.ducats == 40


def test_the_corps_is_restless() -> None:
    assert ways(corps(state={"reinforced_last": True}))["reinforce"].closed
    assert not ways(corps())["reinforce"].closed


# --- the Disciple of St. Roch

PLAIN = [("New Antioch", "Lieutenant"), ("Trench Pilgrims", "War Prophet"), ("Iron Sultanate", "Yüzbaşı Captain")]


def hired(faction: str, leader: str, *kit: str, count: int = 1, **more: Any) -> list[str]:
    people = [row(leader), *[row("Disciple of St. Roch", *kit)] * count]
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate(people, 1)]
    document = {
        "game": "trench-crusade", "edition": "1.0", "faction": faction, "budget": RICH, "fighters": named, "house_rules": ALLOWED, **more,
    }  # fmt: skip
    return sorted(p["code"] for p in judged(document)["problems"])


@pytest.mark.parametrize(("faction", "leader"), PLAIN)
def test_disciples_come_where_third_parties_may(faction: str, leader: str) -> None:
    assert hired(faction, leader, count=3) == []
    assert hired(faction, leader, house_rules={}) == ["third-party"]


def test_hell_hires_no_disciples() -> None:
    assert hired("Heretic Legion", "Heretic Priest") == ["not-offered"]


@pytest.mark.parametrize(
    "list_id", ["new-antioch", "trench-pilgrims", "iron-sultanate", "nomads-of-al-badia", "red-brigade"]
)
def test_their_shop_goes_with_them(list_id: str) -> None:
    shop = {o.item: (o.price, o.limit) for o in visitors(list_id)}
    assert all(o.third_party for o in visitors(list_id))
    assert shop["crook"] == (Price(25), 2)
    assert shop["fumigator"] == (Price(25), 2)
    assert shop["heavy-fumigator"] == (Price(45), 1)
    assert shop["winged-staff"] == (Price(30), 1)
    assert shop["purgation-ammunition"] == (Price(20), 1)
    assert shop["standard-armour"] == (Price(), None)
    assert shop["misericordia"] == (Price(20), None)
    assert shop["conditioned-machine-armour"] == (Price(50), None)
    (offer,) = [o for o in CONTENT.lists[list_id].profile_offers if o.profile == "disciple-of-st-roch"]
    assert (offer.price, offer.most, offer.hired_as) == (Price(0, 2), None, "mercenary")


@pytest.mark.parametrize(
    ("kit", "found"),
    [
        (("Standard Armour", "Combat Helmet", "Sniper Rifle"), []),
        (("Crook",), []),
        (("Sword/Axe", "Winged Staff"), []),
        (("Fumigator", "Winged Staff"), ["hands"]),
        (("Heavy Fumigator",), []),
        (("Pistol", "Pistol", "Purgation Ammunition"), []),
        (("Purgation Ammunition",), ["only-for"]),
        (("Bolt-Action Rifle", "Bayonet"), []),
        (("Bayonet",), ["only-for"]),
        (("Conditioned Machine Armour",), []),
        (("Conditioned Machine Armour", "Trench Shield"), ["banned"]),
        (("Great Sword/Axe",), ["banned"]),
        (("Machine Gun",), ["banned"]),
        (("Mountaineer Kit",), ["banned"]),
    ],
)
def test_what_a_disciple_buys(kit: tuple[str, ...], found: list[str]) -> None:
    assert hired("New Antioch", "Lieutenant", *kit) == found


@pytest.mark.parametrize(("faction", "leader"), PLAIN)
def test_a_disciple_finds_all_its_pieces_on_sale(faction: str, leader: str) -> None:
    document = {
        "game": "trench-crusade", "edition": "1.0", "faction": faction, "budget": RICH, "house_rules": ALLOWED,
        "fighters": [row(leader, name="A"), row("Disciple of St. Roch", name="B")],
    }  # fmt: skip
    force, _ = GAME.documents.read_document(document)
    camp = replace(force, founding=False, strongbox=Price(200, 5))
    sold = {o.ref for o in GAME.shop.item_offers(CONTENT, camp, camp.fighters[1].key) if o.state == "open"}
    assert len(sold) == 20
    assert {"sniper-rifle", "fumigator", "trench-shield", "knife-dagger"} <= sold


def test_nobody_else_buys_there_and_its_limits_hold() -> None:
    """What other mercenaries carry counts against no LIMIT; what is sold to a mercenary alone does."""
    assert codes(BRIGADE, row("Yeoman", "Crook")) == ["only-for"]
    assert hired("Iron Sultanate", "Yüzbaşı Captain", "Crook", count=2) == []
    assert hired("Iron Sultanate", "Yüzbaşı Captain", "Crook", count=3) == ["warband-limit"]


def test_machine_armour_makes_a_disciple_strong() -> None:
    _, plain, armoured = views(
        paper(BRIGADE, row("Disciple of St. Roch"), row("Disciple of St. Roch", "Conditioned Machine Armour"))
    )
    assert (plain.has("STRONG"), plain.has("NEGATE GAS"), plain.mercenary) == (False, True, True)
    assert (armoured.has("STRONG"), armoured.stats["armour"].value, armoured.stats["base"].value) == (True, -3, 40)


def test_a_visitor_changes_no_price_and_is_let_in_by_the_document() -> None:
    assert CONTENT.any_price["standard-armour"] == Price(15)
    assert CONTENT.any_price["crook"] == Price(25)
    document = {**paper(BRIGADE, row("Disciple of St. Roch")), "variant": None}
    force, _ = GAME.documents.read_document(document)
    assert GAME.documents.write_document(CONTENT, force)["house_rules"] == ALLOWED
    alone = replace(force, fighters=force.fighters[:1])
    assert "house_rules" not in GAME.documents.write_document(CONTENT, alone)


@pytest.mark.parametrize("sample", [s for s, *_ in GAME.founding.samples(CONTENT)])
def test_letting_third_parties_in_makes_no_sample_illegal(sample: str) -> None:
    force, unread = GAME.documents.read_document(GAME.founding.sample(CONTENT, sample))
    problems = GAME.check(CONTENT, force).problems
    assert (unread, problems) == ((), ())
