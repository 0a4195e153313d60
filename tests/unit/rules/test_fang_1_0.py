"""The Fang of the Seething Black, a third party's Court of 1.0: whom it takes, what its Void teaches, and its own shop."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.registry import system

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
OPEN, SHUT = GAME.content("1.0", house_rules=ALLOWED), GAME.content("1.0")
LIST = "fang-of-the-seething-black"
Row = dict[str, Any]
CASES: list[tuple[str, dict[str, Any], list[str]]] = []


def f(profile: str, *kit: Any, up: tuple[str, ...] = (), **more: Any) -> Row:
    return {"name": profile, "profile": profile, "kit": list(kit), "upgrades": list(up), **more}


def paper(*rows: Row, **more: Any) -> dict[str, Any]:
    more.setdefault("budget", {"ducats": 3000, "glory": 60})
    more.setdefault("house_rules", ALLOWED)
    return {
        "game": "trench-crusade", "edition": "1.0", "faction": "Court of the Seven-Headed Serpent",
        "variant": "Fang of the Seething Black", "fighters": [{**r, "name": f"{r['name']} {n}"} for n, r in enumerate(rows, 1)], **more,
    }  # fmt: skip


def judged(document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = GAME.documents.judge(json.loads(json.dumps(document)))
    return answer


def case(name: str, document: dict[str, Any], *codes: str) -> None:
    CASES.append((name, document, sorted(codes)))


FACELESS = f("Faceless")
CULTIST = f("Cultist")
SAINT = "Desecrated Saint"
ONCE = {"mode": "one-off"}


def fang(*rows: Row, **more: Any) -> dict[str, Any]:
    return paper(FACELESS, *rows, **more)


case("a Faceless leads", paper(FACELESS))
case("a Sorcerer leads", paper(f("Sorcerer")))
case("one of each", fang(f("Sorcerer")))
case("nobody leads", paper(CULTIST), "no-leader")
case("two Faceless", paper(FACELESS, FACELESS), "too-many")
case("two Stalkers", fang(f("Stalker"), f("Stalker")), "too-many")
case("ten Cultists", fang(*[CULTIST] * 10))
case("no Praetor", paper(f("Praetor"), FACELESS), "not-offered")
case("no Wretched", fang(f("Wretched", "Trench Club")), "not-offered")
case("no Yoke Fiends", fang(f("Yoke Fiend")), "not-offered")
case("no hirelings", fang(f("Sin Eater")), "not-offered")
case("no dogs", fang(f("Trench Dog"), **ONCE), "not-offered")
case("a Stalker's pistol", fang(f("Stalker", "Pistol", "Gas Grenades")))
case("a Stalker's second blade", fang(f("Stalker", "Sword/Axe")))
case("a Stalker's greatsword", fang(f("Stalker", "Great Sword/Axe")), "banned", "hands")
case("a Cultist's muzzle", fang(f("Cultist", "Restraining Muzzle")))
case("a Cultist's two guns", fang(f("Cultist", "Pistol", "Pistol")), "model-limit")
case("a Cultist's great gun", fang(f("Cultist", "Serpent Assault Gun")), "banned")
case("a Saint's orphans", fang(f(SAINT, "Orphaned Failures"), **ONCE))
case("a Faceless with orphans", paper(f("Faceless", "Orphaned Failures"), **ONCE), "only-for")
case("three lots of orphans", fang(*[f("Cultist", "Orphaned Failures")] * 3, **ONCE), "warband-limit")
case("a Locust's better form", fang(f("Pit Locust", "Apex Form"), **ONCE))
case("a Saint's better form", fang(f(SAINT, "Apex Form"), **ONCE), "only-for")
case("a dermis for a Cultist", fang(f("Cultist", "Entropital Dermis"), **ONCE), "only-for")
case("no other shop", paper(f("Faceless", "Knighthood"), **ONCE), "not-offered")
case("an instrument", fang(f("Cultist", "Living Instrument"), **ONCE))
case(
    "two instruments",
    fang(f("Cultist", "Living Instrument"), f("Cultist", "Musical Instrument"), **ONCE),
    "warband-limit",
)
case("a power of the Void", paper(f("Faceless", up=("Dust to Dust",))))
case("two of them", paper(f("Faceless", up=("Dust to Dust", "Final Frenzy"))), "model-limit")
case(
    "the same on another",
    fang(f("Hell Knight", up=("Dust to Dust",)), f("Sorcerer", up=("Dust to Dust",))),
    "warband-limit",
)
case("Slavemaster for a Faceless", paper(f("Faceless", up=("Slavemaster",))), "only-for")
case("a horizon", paper(f("Sorcerer", up=("Event Horizon",))))
case("a horizon and an inferno", paper(f("Sorcerer", up=("Event Horizon", "Burning Inferno"))), "excludes")
case("a horizon of a Knight", fang(f("Hell Knight", up=("Event Horizon",))), "only-for")
case("a sin's power", fang(f("Hell Knight", up=("Blind Rage",))), "not-offered")
VOID = f("Cultist", up=("Embraced by the Void", "Final Frenzy"), promoted=True)
LATER = {"battles": {"fought": 2, "credited": 0}}
case("a Void Cultist", fang(VOID, **LATER))
case("one not promoted", fang(f("Cultist", up=("Embraced by the Void",)), **LATER), "only-for")
case("Mammon", fang(patron="Mammon"), "patron")


@pytest.mark.parametrize(("document", "codes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_roster_earns_these_codes(document: dict[str, Any], codes: list[str]) -> None:
    answer = judged(document)
    assert sorted(p["code"] for p in answer["problems"]) == codes, answer["problems"]


def test_it_is_left_out_unless_the_terms_let_it_in() -> None:
    (problem,) = judged(fang(house_rules={}))["problems"]
    assert problem["code"] == "third-party"
    assert SHUT.lists[LIST].closed
    assert not OPEN.lists[LIST].closed


def test_the_books_hold_all_of_it() -> None:
    army = OPEN.lists[LIST]
    assert sorted(o.price.ducats for o in army.profile_offers) == [30, 75, 90, 95, 100, 105, 140]
    assert len(army.item_offers) == 39
    assert sum(o.price.glory for o in army.item_offers if o.exploration_only) == 2 + 3 + 4 + 6 + 8 + 11
    assert sum(o.price.ducats for o in army.item_offers) == 504
    assert sorted(o.price.ducats for o in army.upgrade_offers) == [10, 10, 10, 15, 15, 15, 15, 15, 25]


def test_a_form_and_the_void_show_on_their_bearers() -> None:
    force, _ = GAME.documents.read_document(fang(f("Hell Knight", "Apex Form"), f(SAINT), **ONCE))
    views = GAME.views(OPEN, force)
    _, knight, saint = (views[x.key] for x in force.fighters)
    assert knight.stats["movement"].value == 7
    assert knight.has("SKIRMISHER")
    assert [a.name for a in saint.abilities if a.name.startswith("Aura")] == ["Aura of the Void"]


def test_its_sample_is_legal() -> None:
    answer = judged(GAME.founding.sample(OPEN, "starless-mouth"))
    assert (answer["legal"], answer["rating"]) == (True, {"ducats": 698, "glory": 0})
