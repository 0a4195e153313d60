"""The Red Brigade, Remnants of Byzantium and the Cadaver Corps in 1.0: third parties' lists, off unless they are let in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Money, Recovers, SetWarband
from rules.force import ForceItem
from rules.registry import system
from rules.system import Record
from rules.trench_crusade import post_battle
from rules.vocabulary import Price
from tests.unit.rules.evening import after, leaves, run, settle, written
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, game, wardens

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
CONTENT = GAME.content("1.0", house_rules=ALLOWED)
BRIGADE = "The Red Brigade"
LISTS = {BRIGADE: ("red-brigade", "New Antioch", "new-antioch")}
RICH = {"ducats": 3000, "glory": 30}


def row(profile: str, *kit: Any, upgrades: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"profile": profile, "kit": list(kit), "upgrades": list(upgrades), **more}


LEADERS = {BRIGADE: row("Lieutenant")}
SHOCK = row("Shocktrooper")


def paper(variant: str, *fighters: dict[str, Any], leader: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    people = (leader or LEADERS[variant], *fighters)
    named = [{"name": f"{f['profile']} {n}", **f} for n, f in enumerate(people, 1)]
    return {
        "game": "trench-crusade", "edition": "1.0", "faction": LISTS[variant][1], "variant": variant, "budget": RICH,
        "fighters": named, "house_rules": ALLOWED, **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.judge(json.loads(json.dumps(document)))
    return answer


def codes(variant: str, *fighters: dict[str, Any], **more: Any) -> list[str]:
    return sorted(p["code"] for p in judged(paper(variant, *fighters, **more))["problems"])


def views(document: dict[str, Any]) -> list[Any]:
    force, _ = GAME.read_document(document)
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
    shut = {choice.id: choice for choice in GAME.lists(GAME.content("1.0"))}[LISTS[variant][0]]
    assert (shut.third_party, "third party" in shut.closed) == (True, True)
    assert not {choice.id: choice for choice in GAME.lists(CONTENT)}[LISTS[variant][0]].closed


@pytest.mark.parametrize("variant", LISTS)
def test_whatever_is_its_alone_is_marked(variant: str) -> None:
    list_id, _, base = LISTS[variant]
    army = CONTENT.lists[list_id]
    assert army.army.third_party
    entries = (*army.item_offers, *army.profile_offers, *army.upgrade_offers)
    own = [o for o in entries if set(o.lists) == {list_id}]
    assert len(own) > 8
    assert all(o.third_party for o in own)
    shared = [o for o in army.item_offers if base in o.lists]
    assert shared
    assert not any(o.third_party for o in shared)


@pytest.mark.parametrize(("variant", "items", "profiles"), [(BRIGADE, 55, 20)])
def test_how_many_entries_a_list_has(variant: str, items: int, profiles: int) -> None:
    army = CONTENT.lists[LISTS[variant][0]]
    assert (len(army.item_offers), len(army.profile_offers)) == (items, profiles)


@pytest.mark.parametrize(("sample", "spent"), [("carmine-muster", 696)])
def test_samples_are_legal(sample: str, spent: int) -> None:
    answer = judged(GAME.sample(CONTENT, sample))
    assert (answer["problems"], answer["rating"]["ducats"]) == ([], spent)


@pytest.mark.parametrize(
    ("variant", "item", "price", "limit"),
    of(
        BRIGADE,
        [
            ("molotov-cocktail", Price(5), None), ("blood-cloak", Price(5), 4), ("red-banner", Price(0, 2), 1),
            ("incendiary-grenades", Price(15), 2),
        ],
    ),
)  # fmt: skip
def test_prices_of_the_armoury(variant: str, item: str, price: Price, limit: int | None) -> None:
    (offer,) = [o for o in CONTENT.lists[LISTS[variant][0]].item_offers if o.item == item]
    assert (offer.price, offer.limit) == (price, limit)


@pytest.mark.parametrize(
    ("variant", "profile", "price"),
    of(
        BRIGADE,
        [
            ("crimson-communicant", Price(75)), ("trench-dog", Price(35)), ("attack-dog", Price(40)), ("guard-dog", Price(40)),
            ("mercy-dog", Price(40)), ("lieutenant", Price(70)), ("shocktrooper", Price(45)),
        ],
    ),
)  # fmt: skip
def test_prices_of_fighters(variant: str, profile: str, price: Price) -> None:
    assert price in [o.price for o in CONTENT.lists[LISTS[variant][0]].profile_offers if o.profile == profile]


@pytest.mark.parametrize(
    ("variant", "profile", "most"),
    of(BRIGADE, [("Crimson Communicant", 1), ("Guard Dog", 1), ("Mercy Dog", 2), ("Shocktrooper", 5)]),
)
def test_so_many_and_no_more(variant: str, profile: str, most: int) -> None:
    others = [row("Yeoman")] * 4
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
    ),
)
def test_what_they_carry(variant: str, profile: str, kit: tuple[str, ...], found: list[str]) -> None:
    assert codes(variant, row(profile, *kit)) == found


@pytest.mark.parametrize(
    ("variant", "profile", "item", "limit"), of(BRIGADE, [("Yeoman", "Blood Cloak", 4), ("Yeoman", "Red Banner", 1)])
)
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
    force, _ = GAME.read_document(paper(BRIGADE, leader=slinger))
    pistol = next(w for f in GAME.sheet(CONTENT, force).fighters for w in f.weapons if w.name.startswith("Pistol"))
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
    return {t.key: t for t in post_battle.tasks(CONTENT, force, done, Record(), step)}


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
    assert "nobody of your own died" in ways(force)["remember"].closed
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
