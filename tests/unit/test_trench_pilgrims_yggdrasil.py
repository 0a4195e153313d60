"""The Children of Yggdrasil, a third party's list of Trench Pilgrims in 1.0: out unless let in, and each rule from both sides."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Leaves
from rules.force import Battles, Force
from rules.offers.upgrades import upgrade_offers
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade import post_battle
from tests.unit.rules.evening import fighter, leaves, run, settle

GAME = system("trench-crusade")
ALLOWED: dict[str, Any] = {"third_party": True}
OPEN = GAME.content("1.0", house_rules=ALLOWED)
LIST = "children-of-yggdrasil"
SAGAS = ["saga-giant-slayer", "saga-headhunter", "saga-storied"]
Row = dict[str, Any]


def f(profile: str, *kit: str, up: tuple[str, ...] = (), **more: Any) -> Row:
    return {"profile": profile, "kit": list(kit), "upgrades": list(up), **more}


CHIEFTAIN, HUSCARL, GIANT, PILGRIM = f("Chieftain"), f("Huscarl"), f("Captive Giant"), f("Trench Pilgrim")


def codes(*fighters: Row, **more: Any) -> list[str]:
    named = [{"name": f"{row['profile']} {n}", **row} for n, row in enumerate((CHIEFTAIN, *fighters), 1)]
    document = {
        "game": "trench-crusade",
        "edition": "1.0",
        "faction": "Trench Pilgrims",
        "variant": "Children of Yggdrasil",
        "budget": {"ducats": 2000, "glory": 40},
        "choices": {"sagas": SAGAS},
        "house_rules": ALLOWED,
        "fighters": named,
        **more,
    }
    return sorted({p["code"] for p in GAME.documents.judge(json.loads(json.dumps(document)))["problems"]})


def test_it_is_left_out_unless_the_terms_let_it_in() -> None:
    assert codes() == []
    assert codes(house_rules={}) == ["third-party"]
    with pytest.raises(Refusal, match="third party"):
        GAME.founding.start(GAME.content("1.0"), LIST, "campaign")
    assert GAME.founding.start(OPEN, LIST, "one-off")[0] == Price(ducats=800, glory=6)


def test_the_totals_of_the_list() -> None:
    army = OPEN.lists[LIST]
    hires = [o for o in army.profile_offers if o.hired_as in ("own", "mercenary")]
    assert (len(hires), sum(o.price.ducats for o in hires), sum(o.price.glory for o in hires)) == (14, 490, 26)
    wares = [o for o in army.item_offers if not o.id.startswith("visitor-")]  # a mercenary's own shop
    assert (len(wares), sum(o.price.ducats for o in wares), sum(o.price.glory for o in wares)) == (50, 498, 34)
    assert len([o for o in army.upgrade_offers if o.earned]) == 8


SAGA = "saga-giant-slayer"
RULES: dict[str, tuple[tuple[Row, ...], tuple[Row, ...], str]] = {
    "three Huscarls": ((HUSCARL,) * 3, (HUSCARL,) * 4, "too-many"),
    "one Giant": ((GIANT,), (GIANT, GIANT), "too-many"),
    "no Prophets": ((PILGRIM,), (f("War Prophet"),), "not-offered"),
    "no Communicants": ((HUSCARL,), (f("Communicant"),), "not-offered"),
    "no Shrines": ((GIANT,), (f("Anchorite Shrine"),), "not-offered"),
    "no capirotes": ((f("Trench Pilgrim", "Combat Helmet"),), (f("Trench Pilgrim", "Iron Capirote"),), "banned"),
    "no pills": ((f("Trench Pilgrim", "Gas Mask"),), (f("Trench Pilgrim", "Martyrdom Pills"),), "banned"),
    "shields of the North": (
        (f("Trench Pilgrim", "Trench Shield (Nordic)"),),
        (f("Trench Pilgrim", "trench-shield"),),
        "only-for",
    ),
    "a Huscarl keeps its armour": (
        (f("Huscarl", "Stormbreaker Shield"),),
        (f("Huscarl", "Standard Armour"),),
        "banned",
    ),
    "the Stormbreaker is theirs": (
        (f("Huscarl", "Stormbreaker Shield"),),
        (f("Castigator", "Stormbreaker Shield"),),
        "only-for",
    ),
    "henbrane is for Troops": ((f("Trench Pilgrim", "Henbrane"),), (f("Castigator", "Henbrane"),), "only-for"),
    "two doses of henbrane": (
        (f("Trench Pilgrim", "Henbrane"),) * 2,
        (f("Trench Pilgrim", "Henbrane"),) * 3,
        "warband-limit",
    ),
    "a Giant carries nothing": ((GIANT,), (f("Captive Giant", "Geirr"),), "fixed-kit"),
    "one banner": (
        (f("Trench Pilgrim", "Blood Eagle Banner"),),
        (f("Trench Pilgrim", "Blood Eagle Banner"),) * 2,
        "warband-limit",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_from_both_sides(rule: str) -> None:
    kept, broken, code = RULES[rule]
    assert codes(*kept) == []
    assert code in codes(*broken)


def test_sagas_are_chosen_three_at_a_time_and_told_once_each() -> None:
    assert codes(choices={}) == ["choice"]
    assert codes(choices={"sagas": [*SAGAS, "saga-fleet-of-foot"]}) == ["choice"]
    once = {"mode": "one-off"}
    done = f("Trench Pilgrim", up=(SAGA,))
    assert codes(done, **once) == []
    assert codes(done, done, **once) == ["warband-limit"]
    assert codes(f("Trench Pilgrim", up=(SAGA, "saga-storied")), **once) == ["excludes"]
    assert codes(f("Trench Pilgrim", up=("saga-fleet-of-foot",)), **once) == ["not-offered"]


def test_a_saga_is_bought_one_off_and_won_in_a_campaign() -> None:
    orm = fighter("orm", "trench-pilgrim", "Orm", offer="trench-pilgrims-trench-pilgrim")
    chief = fighter("yrsa", "chieftain", "Yrsa", offer="yggdrasil-chieftain")
    force = Force(
        "trench-crusade", "1.0", LIST, strongbox=Price(50), budget=Price(700), fighters=(chief, orm), choices={"sagas": SAGAS}
    )  # fmt: skip

    def saga(now: Force) -> Any:
        return next(o for o in upgrade_offers(OPEN, now, "orm") if o.ref == SAGA)

    founded = saga(force)
    assert founded.state == "closed"
    later = replace(force, founding=False, battles=Battles(1))
    won = saga(later)
    assert (won.state, won.price, won.rating) == ("open", Price(), Price(10))
    bought = saga(replace(force, mode="one-off"))
    assert (bought.state, bought.price) == ("open", Price(10))


def test_the_sample_is_legal_and_spends_what_it_may() -> None:
    verdict = GAME.documents.judge({**GAME.founding.sample(OPEN, "ninth-wave"), "house_rules": ALLOWED})
    assert verdict["problems"] == []
    assert 0 <= verdict["left"]["ducats"] < 20


def test_the_banner_may_cost_one_of_their_own_but_not_its_bearer() -> None:
    orm = fighter("orm", "trench-pilgrim", "Orm", kit=("blood-eagle-banner",))
    eir = fighter("eir", "stigmatic-nun", "Eir", kit=("sword-axe",))
    chief = fighter("yrsa", "chieftain", "Yrsa")
    force = Force(
        "trench-crusade", "1.0", LIST, founding=False, strongbox=Price(5), battles=Battles(1), fighters=(chief, orm, eir)
    )  # fmt: skip
    mine = BattleSide("mine", "The Ninth Wave", LIST, "PILGRIM", False, took_part=("yrsa", "orm", "eir"))
    aftermath = Aftermath("b1", 1, "relic-hunt", mine, ())
    (task,) = [t for t in post_battle.tasks(OPEN, force, aftermath, StepRecord(), "trauma") if t.key == "given-up"]
    asked = run(task).asked
    assert asked is not None
    assert [o.value for o in asked.options] == ["eir"]
    (gone,) = leaves(settle(task, (), {"given-up": ["eir"]}), Leaves)
    assert (gone.fighter, gone.kit_to_stash) == ("eir", True)
