"""Entries, prices and permissions that a campaign lays over the book: checked with the field named, in force, and never backwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.content.extra import MOST_ENTRIES, MOST_TEXT, faults_of, remembered
from rules.content.house import read_house_rules
from rules.force import Force, ForceFighter, ForceItem
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system

GAME = system("trench-crusade")
EDITION = "1.6.3"
GUN = """
[[items]]
id = "weir-gun"
name = "Weir Gun"
category = "ranged"
slot = "ranged-weapon"
hands = { ranged = 2 }
range_inches = 30
keywords = ["HEAVY"]
weapon = true

[[item_offers]]
id = "new-antioch-weir-gun"
item = "weir-gun"
lists = ["new-antioch"]
price = { ducats = 25 }
limit = 1
"""
DIVER = """
[[profiles]]
id = "weir-diver"
name = "Weir Diver"
role = "troop"
statline = { movement_inches = 5, ranged = 0, melee = 1, base_mm = [32] }
keywords = ["NEW ANTIOCH"]
summary = "Walks the river bed."

[[profile_offers]]
id = "new-antioch-weir-diver"
profile = "weir-diver"
lists = ["new-antioch"]
price = { ducats = 40 }
most = 2
"""
REST = """
[[upgrades]]
id = "weir-lamp"
name = "Weir Lamp"
summary = "Sees in fog."

[[upgrade_offers]]
id = "new-antioch-weir-lamp"
upgrade = "weir-lamp"
lists = ["new-antioch"]
price = { ducats = 5 }

[[skills]]
id = "river-sense"
name = "River Sense"
summary = "Crosses water unhindered."
kind = "patron"
effects = [{ effect = "reminder", when = "movement" }]

[[patrons]]
id = "the-weir-keeper"
name = "The Weir Keeper"
lists = ["new-antioch"]
skills = ["river-sense"]

[[deeds]]
id = "cross-the-weir"
name = "Cross the Weir"
summary = "Stand on the far bank at the end."

[[scenarios]]
id = "the-weir"
name = "The Weir"
summary = "Hold the gates."
deeds = ["cross-the-weir"]
"""


def content(**house: Any) -> Any:
    return GAME.content(EDITION, (), house)


def plain_pack() -> Any:
    return content().pack


def force(*fighters: ForceFighter, **how: Any) -> Force:
    return Force("trench-crusade", EDITION, "new-antioch", fighters=fighters, strongbox=Price(ducats=200), **how)


def yeoman(key: str = "f1", paid: int = 30, *kit: ForceItem) -> ForceFighter:
    return ForceFighter(
        key,
        "Ottla",
        "yeoman",
        "new-antioch-yeoman" if "new-antioch-yeoman" in content().profile_offers else offer_id(),
        Price(ducats=paid),
        kit=kit,
    )


def offer_id() -> str:
    return next(o.id for o in plain_pack().profile_offers if o.profile == "yeoman" and "new-antioch" in o.lists)


def item_offer(made: Any, item: str, list_id: str = "new-antioch") -> Any:
    return next(o for o in made.lists[list_id].item_offers if o.item == item)


# --- entries of one's own


def test_an_item_of_the_campaigns_own_is_sold_limited_and_judged():
    made = content(extra=GUN)
    (offer,) = [o for o in GAME.shop.item_offers(made, force(yeoman()), "f1") if o.ref == "weir-gun"]
    assert (offer.price, offer.limit) == (Price(ducats=25), 1)
    assert "Added by this campaign." in offer.details
    armed = yeoman("f1", 30, ForceItem("i1", "weir-gun", "bought", "new-antioch-weir-gun", Price(ducats=25)))
    twice = yeoman("f2", 30, ForceItem("i2", "weir-gun", "bought", "new-antioch-weir-gun", Price(ducats=25)))
    codes = {p.code for p in GAME.check(made, force(armed)).problems}
    assert "warband-limit" not in codes
    assert "not-offered" not in codes
    assert "warband-limit" in {p.code for p in GAME.check(made, force(armed, twice)).problems}
    assert GAME.check(made, force(armed)).views["f1"].rating == Price(ducats=55)  # 30 without its rifle, and the gun


def test_a_profile_upgrade_patron_skill_deed_and_scenario_of_ones_own_are_in_play():
    made = content(extra=DIVER + REST)
    assert [o.price for o in GAME.hire_offers(made, force()) if o.ref == "weir-diver"] == [Price(ducats=40)]
    diver = ForceFighter("f1", "Nis", "weir-diver", "new-antioch-weir-diver", Price(ducats=40))
    assert GAME.views(made, force(diver))["f1"].stats["melee"].value == 1
    assert "weir-lamp" in {o.ref for o in GAME.shop.upgrade_offers(made, force(diver), "f1")}
    (plain_list,) = [x for x in GAME.founding.lists(made) if x.id == "new-antioch"]
    assert ("the-weir-keeper", "The Weir Keeper") in plain_list.patrons
    assert "the-weir" in {x.id for x in GAME.battle.scenarios(made)}
    assert "cross-the-weir" in {d.id for d in GAME.campaign.deeds(made, "the-weir")}
    told = GAME.rulebook.entry(made, "profile", "weir-diver")
    assert told is not None
    assert any(table.caption == "Hired by" for table in told.tables)
    assert {e.id for e in GAME.rulebook.entries(made) if e.own} >= {"weir-diver", "weir-lamp", "the-weir"}


def test_the_samples_check_and_print_under_every_kind_of_house_rule():
    made = content(
        extra=GUN + DIVER + REST, prices={"yeoman": {"ducats": 33}}, limits={"bayonet": 1}, banned=["machine-gun"]
    )
    for sample_id, *_ in GAME.founding.samples(made):
        read, _ = GAME.documents.read_document(GAME.founding.sample(made, sample_id))
        GAME.check(made, read)
        GAME.documents.sheet(made, read)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[items", "cannot be read"),
        ("[[profils]]\nid='x'", "profils: no table of this name"),
        ("items = 3", "items: entries are written as [[items]]"),
        ("[[items]]\nid = 'x'\nname = 'X'\ncategory = 'sword'\nslot = 'none'", "items[0] (x).category: Invalid enum value 'sword'"),
        ("[[items]]\nid = 'Weir Gun'\nname = 'X'\ncategory = 'ranged'\nslot = 'none'", "items[0] (Weir Gun).id"),
        ("[[items]]\nid = 'x'\nname = 'X'\ncategory = 'ranged'\nslot = 'none'\nweight = 3", "items[0] (x): Object contains unknown field `weight`"),
        (GUN.replace("25", "-1"), "item_offers[0] (new-antioch-weir-gun).price.ducats: -1 is not from 0"),
        (GUN.replace("25", "9" * 30), "price.ducats: 99999999999999999999 is not from 0 to 9999"),
        (GUN.replace('item = "weir-gun"', 'item = "no-gun"'), "no-gun, which is no entry of items"),
        (GUN.replace('lists = ["new-antioch"]', 'lists = ["atlantis"]'), "atlantis, which is no entry of lists"),
        (GUN.replace('lists = ["new-antioch"]', "lists = []"), "item_offers (new-antioch-weir-gun): lists: names no list"),
        (GUN.replace("weir-gun", "machine-gun"), "items (machine-gun): id: an entry of this id is in the book already"),
        (GUN + GUN, "items (weir-gun): id: stands twice"),
        (GUN.replace("Weir Gun", "x" * 401), "items[0] (weir-gun).name: 401 characters; 400 fit"),
        (GUN.replace("Weir Gun", "a\\u0007b"), "items[0] (weir-gun).name: holds signs that cannot be printed"),
        (GUN.replace("ranged = 2", "ranged = 60"), "items (weir-gun): hands: from 0 to 6"),
        (DIVER.replace("[32]", "[]"), "profiles (weir-diver): statline.base_mm"),
        ("[[skill_tables]]\nid = 'river'\nname = 'River'\nrows = [{ roll = 2, skill = '' }]", "skill_tables (river): rows"),
        ("x = " + "[" * 3000 + "]" * 3000, "Own entries"),
        ("#" * (MOST_TEXT + 1), "16000 fit"),
        ("".join(f"[[keywords]]\nid = 'k{n}'\nname = 'K{n}'\nsummary = ''\n" for n in range(MOST_ENTRIES + 1)), "61 entries; 60 fit"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_field(text, says):
    faults = faults_of(plain_pack(), text)
    assert any(says in fault for fault in faults), faults
    assert faults_of(plain_pack(), GUN) == ()


def test_house_rules_that_name_nothing_are_told_by_setting():
    faults = GAME.rulebook.check_house_rules(
        EDITION,
        {
            "banned": ["bayonet", "no-such"],
            "limits": {"bayonet": -1},
            "prices": {"no-such": {"ducats": 1}},
            "allowed": ["bayonet"],
        },
    )
    assert faults["banned"] == ("Banned: “no-such” isn't in the rules of this edition.",)
    assert faults["limits"] == ("Changed limits: bayonet is -1, but needs a number from 0 to 9999.",)
    assert faults["prices"] == ("Changed prices: “no-such” isn't in the rules of this edition.",)
    assert faults["allowed"][0].startswith("Third-party entries allowed: Bayonet isn't")
    assert (
        GAME.rulebook.check_house_rules(EDITION, {"banned": ["bayonet"], "allowed": ["red-brigade"], "extra": GUN})
        == {}
    )


@pytest.mark.parametrize(
    "given",
    [
        {"prices": {"bayonet": 3}}, {"prices": {"bayonet": {"gold": 1}}}, {"prices": {"bayonet": {"ducats": -1}}},
        {"prices": {"bayonet": {"ducats": True}}}, {"prices": [1]}, {"extra": ["x"]}, {"kept": {"withdrawn": [1]}}, {"kept": 3},
        {"banned": 3}, {"limits": {"bayonet": "many"}},
    ],
)  # fmt: skip
def test_house_rules_of_the_wrong_shape_are_refused(given):
    with pytest.raises(Refusal, match="House rules"):
        read_house_rules(given)


# --- prices


def test_a_price_holds_for_an_entry_everywhere_or_for_one_offer():
    everywhere = content(prices={"bayonet": {"ducats": 3}})
    assert {o.price for o in everywhere.pack.item_offers if o.item == "bayonet"} == {Price(ducats=3)}
    one = item_offer(content(), "bayonet")
    single = content(prices={one.id: {"glory": 1}, "bayonet": {"ducats": 4}})
    assert single.item_offers[one.id].price == Price(glory=1)
    (offer,) = [o for o in GAME.shop.item_offers(everywhere, force(yeoman()), "f1") if o.ref == "bayonet"]
    assert offer.price == Price(ducats=3)
    assert "House rule: 3 ducats (in the book: 2 ducats)." in offer.details


def test_what_was_bought_is_never_repriced():
    entry = item_offer(content(), "bayonet").id
    bought = force(yeoman("f1", 30, ForceItem("i1", "bayonet", "bought", entry, Price(ducats=2))))
    before = GAME.views(content(), bought)["f1"].rating
    dearer = {"prices": {"bayonet": {"ducats": 9}, "yeoman": {"ducats": 50}}}
    assert GAME.views(content(**dearer), bought)["f1"].rating == before
    # bought at the changed price, it keeps that when the book's price is back
    late = force(yeoman("f1", 55, ForceItem("i1", "bayonet", "bought", entry, Price(ducats=9))))
    worth = GAME.views(content(**dearer), late)["f1"].rating
    back = {"kept": remembered(dearer, {})}
    assert back["kept"] == {"priced": ["bayonet", "yeoman"]}
    assert GAME.views(content(**back), late)["f1"].rating == worth
    assert worth.ducats == before.ducats + 27
    # and the next one costs what the book says
    assert item_offer(content(**back), "bayonet").price == Price(ducats=2)


def test_a_repriced_piece_sells_for_half_of_what_was_paid():
    entry = item_offer(content(), "trench-shield").id
    held = force(yeoman("f1", 30, ForceItem("i1", "trench-shield", "bought", entry, Price(ducats=10))), founding=False)
    assert GAME.shop.sale(content(prices={"trench-shield": {"ducats": 40}}), held, "i1").price == Price(ducats=5)


# --- taking back, letting in


def test_an_entry_taken_out_again_is_sold_to_nobody_and_still_known_to_who_holds_it():
    kept = remembered({"extra": GUN + DIVER}, {"extra": DIVER})
    assert [row[1]["id"] for row in kept["withdrawn"]] == ["weir-gun", "new-antioch-weir-gun"]
    made = content(extra=DIVER, kept=kept)
    held = force(yeoman("f1", 30, ForceItem("i1", "weir-gun", "bought", "new-antioch-weir-gun", Price(ducats=25))))
    assert GAME.state.unknown(made, held) == ()
    assert GAME.state.unknown(content(extra=DIVER), held) == ("weir-gun",)
    assert "weir-gun" not in {o.ref for o in GAME.shop.item_offers(made, held, "f1")}
    assert "banned" in {p.code for p in GAME.check(made, held).problems}
    assert GAME.documents.sheet(made, held).fighters[0].weapons
    # laid down anew, it is sold again
    assert "weir-gun" in {o.ref for o in GAME.shop.item_offers(content(extra=GUN, kept=kept), held, "")}
    assert "withdrawn" not in remembered({"extra": DIVER, "kept": kept}, {"extra": GUN + DIVER})


def test_one_third_partys_list_is_let_in_alone():
    made = content(allowed=["red-brigade"])
    assert not made.lists["red-brigade"].closed
    others = [x for x in made.lists.values() if x.army.third_party and x.army.id != "red-brigade"]
    assert all(x.closed for x in others)
    assert content().lists["red-brigade"].closed


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Bayonet", "bayonet"),
        ("bayonet", "bayonet"),
        ("  YEOMAN ", "yeoman"),
        ("Red Brigade", "red-brigade"),
        ("no such", ""),
        ("New Antioch: no such", ""),
        ("", ""),
    ],
)
def test_house_rules_find_what_a_name_means(text, means):
    found = GAME.campaign.house_target(content(), text)
    assert found == means or (means == "red-brigade" and found == "")


def test_one_lists_offer_is_named_so_that_it_is_found_again():
    entry = item_offer(content(), "bayonet").id
    called = GAME.campaign.house_target_name(content(), entry)
    assert GAME.campaign.house_target(content(), called) == entry
    assert GAME.campaign.house_target_name(content(), "bayonet") == "Bayonet"
    assert GAME.campaign.house_target_name(content(), "no-such") == "no-such"


def test_the_example_of_the_docs_is_sound():
    page = (Path(__file__).parents[3] / "docs" / "administrator.md").read_text("utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    assert "weir-gun" in example
    assert faults_of(plain_pack(), example) == ()


def test_a_shield_that_takes_no_hand_is_not_named_among_those_that_do() -> None:
    kit = [
        ForceItem(f"i{number}", item, "bought", "", Price())
        for number, item in enumerate(["trench-shield", "greatsword-greataxe", "sword-axe"])
    ]
    held = force(yeoman("f1", 30, *kit), founding=False)

    def asking(cost: bool) -> list[str]:
        rules = content(readings={"shields_cost_hands": cost})
        return [problem.message for problem in GAME.check(rules, held).problems if problem.code == "hands"]

    assert any("Trench Shield" in message for message in asking(True))
    freed = asking(False)
    assert freed
    assert not any("Trench Shield" in message for message in freed)
