"""Offers: open, open with the problem they would make, or closed with the reason easiest to change; and what the charge is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.consequences import Becomes, ToStash
from rules.force import Force, ForceItem
from rules.offers import hires, items, leaving, owned, upgrades
from rules.parts.offer import Offer
from rules.price import Price
from rules.problems import Refusal
from tests.unit.rules.weir import codes, content, fighter, fought, stash, verdict, warband

TERMS = content()
PURSE = Price(ducats=100, glory=5)


def hire(force: Force, profile: str) -> Offer:
    return next(o for o in hires.hire_offers(TERMS, force) if o.ref == profile)


def buy(force: Force, item: str, whom: str = "") -> Offer:
    return next(o for o in items.item_offers(TERMS, force, whom) if o.ref == item)


def camp(*fighters, money: Price = PURSE, **more) -> Force:
    """A warband past its founding, with this much in the strongbox."""
    return warband(*fighters, strongbox=money, founding=False, battles=fought(1), **more)


def test_a_hire_is_open_with_its_price_and_what_comes_with_it() -> None:
    offer = hire(warband(), "spear")
    assert (offer.state, offer.price, offer.group, offer.held, offer.limit) == (
        "open",
        Price(ducats=25),
        "Troops",
        0,
        None,
    )
    assert "comes with Rifle" in offer.details


def test_groups_come_in_order_and_offers_keep_the_order_of_the_book() -> None:
    found = hires.hire_offers(TERMS, warband(fighter("m", "monk")))
    assert list(dict.fromkeys(o.group for o in found)) == ["Elite", "Troops", "For glory"]
    elite = [(o.ref, o.state) for o in found if o.group == "Elite"]
    assert elite == [("reeve", "closed"), ("scholar", "open"), ("monk", "closed")]


def test_a_full_entry_is_closed_even_while_founding() -> None:
    offer = hire(warband(), "reeve")
    assert (offer.state, offer.reason, offer.held, offer.limit) == ("closed", "Limit of 1 reached.", 1, 1)


def test_overspending_is_a_problem_while_founding_and_closed_later() -> None:
    poor = warband(budget=Price(ducats=74))
    assert hire(poor, "spear").state == "problem"
    assert hire(poor, "spear").reason == "1 d over budget."
    later = hire(camp(money=Price(ducats=24)), "spear")
    assert (later.state, later.reason) == ("closed", "Spear costs 25 d; you have 24.")
    assert later.problems[0].code == "over-budget"


def test_the_way_out_of_a_short_purse_names_the_smallest_piece_that_is_enough() -> None:
    poor = warband(fighter("a", "spear", "mail", "rope"), budget=Price(ducats=95))
    assert hire(poor, "spear").mend == "Return Mail (+15 d)."
    rich = camp(money=Price(ducats=24), stash=stash("rope", "mail"))
    assert hire(rich, "spear").mend == "Sell Rope (+2 d)."


def test_glory_nobody_was_given_closes_even_while_founding() -> None:
    assert hire(warband(budget=Price(ducats=300)), "ferryman").reason == "Ferryman costs 3 glory; you have 0."
    assert hire(warband(budget=Price(ducats=300)), "ferryman").state == "closed"
    assert hire(warband(budget=Price(ducats=300, glory=2)), "ferryman").state == "problem"


def test_what_depends_on_the_order_of_building_is_a_problem_while_founding_only() -> None:
    assert hire(warband(), "thrall").state == "problem"  # one beside one
    assert hire(camp(), "thrall").state == "closed"
    assert hire(warband(), "guard").state == "problem"  # half of no spears
    assert hire(camp(), "guard").state == "closed"


def test_buying_for_a_fighter_tells_what_it_changes() -> None:
    offer = buy(warband(fighter("a", "spear")), "mail", "a")
    assert (offer.state, offer.price) == ("open", Price(ducats=15))
    assert "armour 0 to −1" in offer.details


def test_hands_are_a_problem_while_founding_and_close_later() -> None:
    assert buy(warband(fighter("a")), "shield", "a").state == "problem"
    later = buy(camp(fighter("a", "spear", "mandatory:rifle")), "shield", "a")
    assert later.state == "closed"
    assert later.reason == "A: Rifle and Shield need three hands for shooting; there are two."
    assert later.mend == "Stash Rifle first."


def test_a_second_suit_is_closed_with_what_to_take_off() -> None:
    offer = buy(warband(fighter("a", "spear", "mail")), "diving-suit", "a")
    assert (offer.state, offer.reason) == ("closed", "Two suits of armour: Mail and Diving Suit. A wears one.")
    assert offer.mend == "Stash Mail first."


def test_of_several_reasons_the_one_easiest_to_change_is_told() -> None:
    offer = buy(camp(fighter("a", "spear", "mandatory:rifle", "mail"), money=Price()), "plate", "a")
    assert offer.state == "closed"
    assert {p.code for p in offer.problems} >= {"slot-armour", "only-for"}
    assert offer.problems[0].code == "slot-armour"


def test_a_spike_needs_the_gun_first() -> None:
    assert buy(warband(fighter("a", "spear", "pistol")), "spike", "a").state == "closed"
    assert buy(warband(fighter("a", "spear", "rifle")), "spike", "a").state == "open"


def test_a_limit_reached_closes_for_the_stash_too() -> None:
    force = warband(fighter("a", "spear", "rope"), stash=stash("rope"))
    offer = buy(force, "rope")
    assert (offer.state, offer.reason, offer.held, offer.limit) == ("closed", "Limit of 2 reached.", 2, 2)


def test_finds_are_closed_without_a_contact_and_open_in_one_off_games() -> None:
    assert buy(camp(), "pearl").reason == "Pearl is only found by exploration."
    assert buy(camp(lasting=("black-market",)), "pearl").state == "open"
    assert buy(warband(mode="one-off"), "pearl").state == "open"


def test_an_item_that_buys_a_fighter_is_a_hire() -> None:
    offer = buy(warband(fighter("a"), fighter("b")), "otter")
    assert (offer.kind, offer.id, offer.ref, offer.price, offer.hired_as) == (
        "hire",
        "w-otter-in-a-box",
        "otter",
        Price(ducats=18),
        "item",
    )
    bought = fighter("o", "otter", offer="w-otter-in-a-box")
    assert codes(warband(fighter("a"), bought)) == []
    assert buy(warband(fighter("a"), fighter("b"), bought), "otter").state == "closed"
    assert verdict(warband(fighter("a"), bought)).rating == Price(ducats=50 + 25 + 18)


def test_nothing_is_sold_to_those_who_keep_their_kit() -> None:
    assert items.item_offers(TERMS, warband(fighter("f", "ferryman")), "f") == ()
    assert items.item_offers(TERMS, warband(fighter("b", "bargee")), "b") != ()


def test_the_hire_asks_for_powers_loadouts_and_bases() -> None:
    assert [c.key for c in hire(warband(), "ferryman").choices] == ["loadout-ferryman-kit"]
    assert [c.key for c in hire(warband(), "otter").choices] == ["base"]
    power = hire(warband(led=False), "reeve").choices[0]
    assert (power.key, [o for o, _ in power.options]) == ("gift", ["speech", "sure-hand"])


def test_the_outfit_is_the_swappable_kit() -> None:
    assert [i.item for i in hires.outfit(TERMS, warband(), "w-spear")] == ["rifle"]
    assert hires.outfit(TERMS, warband(), "w-guard") == ()
    with pytest.raises(Refusal):
        hires.outfit(TERMS, warband(), "w-ferryman", {"loadout-ferryman-kit": "7"})
    with pytest.raises(Refusal):
        hires.outfit(TERMS, warband(), "nothing")


# --- upgrades


def upgrade(force: Force, whom: str, name: str) -> Offer:
    return next(o for o in upgrades.upgrade_offers(TERMS, force, whom) if o.ref == name)


def test_upgrades_are_those_meant_for_the_fighter() -> None:
    found = {o.ref: o for o in upgrades.upgrade_offers(TERMS, warband(fighter("a"), fighter("b")), "a")}
    assert set(found) == {"scout", "veteran", "sworn", "fury", "first-song", "second-song"}
    assert found["scout"].state == "open"
    assert found["veteran"].options == (("veteran-eye", "Keen Veteran"), ("veteran-arm", "Hard Veteran"))
    assert found["fury"].state == "problem"  # asks for another first
    assert found["first-song"].state == "closed"  # no allowance


def test_upgrades_are_bought_at_recruitment_only_unless_the_entry_says_otherwise() -> None:
    veteran = fighter("a", state={"joined": 0})
    recruit = fighter("a", state={"joined": 1})
    assert upgrade(camp(veteran), "a", "scout").state == "closed"
    assert upgrade(camp(veteran), "a", "scout").problems[0].code == "recruitment"
    assert upgrade(camp(recruit), "a", "scout").state == "open"
    assert upgrade(camp(veteran), "a", "sworn").state == "open"
    anytime = content(readings={"upgrades_any_time": True})
    found = {o.ref: o for o in upgrades.upgrade_offers(anytime, camp(veteran), "a")}
    assert found["scout"].state == "open"


def test_free_ducats_shrink_the_price() -> None:
    force = warband(fighter("s", "scholar"))
    assert upgrade(force, "s", "first-song").price == Price(ducats=5)
    sung = warband(fighter("s", "scholar", "tome", upgrades=("first-song",)))
    assert upgrade(sung, "s", "second-song").price == Price(ducats=15)


def test_a_limit_that_moves_with_others_is_a_problem_while_founding() -> None:
    assert upgrade(warband(fighter("a")), "a", "veteran").state == "problem"
    assert upgrade(camp(fighter("a", state={"joined": 1})), "a", "veteran").state == "closed"


def test_what_follows_from_an_upgrade() -> None:
    squire = fighter("s", "squire", "sword", "mail")
    done = upgrades.follows(TERMS, warband(squire), "s", "u-buried")
    assert done == (Becomes("s", "mine", "Buried"), ToStash(("s-0", "s-1"), "Buried"))


# --- owned pieces


def test_giving_follows_the_same_rules_as_buying() -> None:
    force = warband(fighter("a", "spear", "mail"), fighter("b", "spear"), stash=stash("found:diving-suit"))
    assert owned.carry(TERMS, force, "stash-0", "b").state == "open"
    assert owned.carry(TERMS, force, "stash-0", "a").state == "closed"
    assert owned.carry(TERMS, force, "a-0", "b").state == "open"
    assert owned.carry(TERMS, force, "a-0", "").state == "open"


def test_a_piece_that_stays_cannot_be_moved() -> None:
    force = warband(fighter("a", "spear", "diving-suit"), fighter("b"))
    assert owned.carry(TERMS, force, "a-0", "b").reason == "Diving Suit stays with its first owner."
    assert owned.carry(TERMS, force, "a-0", "").state == "closed"


def test_a_found_piece_over_its_limit_may_still_be_carried() -> None:
    force = warband(
        fighter("a", "spear", "rope"), fighter("b", "spear", "rope"), fighter("c"), stash=stash("found:rope")
    )
    assert owned.carry(TERMS, force, "stash-0", "c").state == "open"


def test_sale_is_half_of_the_base_price_rounded_up() -> None:
    force = camp(stash=stash("mail", "banner", "found:trident"))
    assert owned.sale(TERMS, force, "stash-0").price == Price(ducats=8)
    assert owned.sale(TERMS, force, "stash-1").price == Price(glory=1)
    assert owned.sale(TERMS, force, "stash-2").price == Price(ducats=5)
    assert owned.sale(TERMS, warband(stash=stash("mail")), "stash-0").state == "closed"


def test_sale_does_not_look_at_what_was_paid_or_skills() -> None:
    skilled = fighter("s", "scholar", skills=("quartermaster",))
    piece = ForceItem("p", "plate", "bought", "w-plate", Price(ducats=25))
    assert owned.sale(TERMS, camp(skilled, stash=(piece,)), "p").price == Price(ducats=15)


def test_a_refund_is_all_that_was_paid_while_founding_only() -> None:
    piece = ForceItem("p", "mail", "bought", "w-mail", Price(ducats=15))
    assert owned.refund(TERMS, warband(stash=(piece,)), "p").price == Price(ducats=15)
    assert owned.refund(TERMS, camp(stash=(piece,)), "p").state == "closed"
    assert owned.refund(TERMS, warband(stash=stash("found:mail")), "stash-0").state == "closed"
    rifle = warband(fighter("a", "spear", "mandatory:rifle"), strongbox=Price())
    assert owned.refund(TERMS, rifle, "a-0").price == Price(ducats=5)


def ways(force: Force, key: str) -> dict[str, Offer]:
    return {o.id: o for o in leaving.departures(TERMS, force, key)}


def test_the_ways_to_part() -> None:
    hired = fighter("t", "thrall", "sword", paid=Price(ducats=15))
    founding = ways(warband(hired), "t")
    assert (founding["return"].state, founding["return"].price) == ("open", Price(ducats=15))
    assert (founding["dismiss"].state, founding["sell"].state) == ("closed", "closed")
    later = ways(camp(hired), "t")
    assert "return" not in later
    assert (later["sell"].state, later["sell"].price) == ("open", Price(ducats=15))
    assert later["dismiss"].state == "closed"
    scarred = ways(camp(fighter("s", "scholar", scars=2)), "s")
    assert scarred["dismiss"].state == "open"
    assert "sell" not in scarred


def test_a_returned_hire_without_its_rifle_brings_what_is_left_of_it() -> None:
    bare = fighter("a", "spear", paid=Price(ducats=25))
    assert ways(warband(bare, strongbox=Price()), "a")["return"].price == Price(ducats=20)


def test_somebody_gone_has_no_offers() -> None:
    with pytest.raises(Refusal):
        items.item_offers(TERMS, warband(), "nobody")
    with pytest.raises(Refusal):
        owned.sale(TERMS, warband(), "nothing")


# --- one purchase


@pytest.mark.parametrize(
    ("wants", "found"),
    [
        ({"item": "mail", "fighter": "a"}, []),
        ({"item": "plate", "fighter": "a"}, ["only-for"]),
        ({"item": "trident", "fighter": "a"}, ["not-offered"]),
        ({"item": "rope", "fighter": "f"}, ["fixed-kit"]),
        ({"item": "rope"}, []),
        ({"profile": "reeve"}, ["too-many"]),
        ({"profile": "mine"}, ["not-offered"]),
        ({"profile": "scholar"}, []),
        ({"upgrade": "scout", "fighter": "a"}, []),
        ({"upgrade": "scout", "fighter": "reeve"}, ["only-for"]),
        ({"upgrade": "scout", "fighter": "old"}, ["recruitment"]),
    ],
)
def test_one_purchase_is_judged_by_what_it_adds(wants: dict[str, str], found: list[str]) -> None:
    force = camp(fighter("a", state={"joined": 1}), fighter("old", state={"joined": 0}), fighter("f", "ferryman"))
    assert codes(force, TERMS, scope="purchase", wants=wants) == found


def test_standing_problems_do_not_stop_another_purchase() -> None:
    broken = replace(camp(fighter("a", "spear", "mail", "diving-suit")), patron="nobody")
    assert codes(broken, TERMS) != []
    assert codes(broken, TERMS, scope="purchase", wants={"profile": "spear"}) == []
    assert codes(broken, TERMS, scope="purchase", wants={"item": "diving-suit", "fighter": "a"}) != []


def test_every_open_offer_keeps_a_legal_roster_legal() -> None:
    """What is open can be taken, whatever it is: the roster after it has no finding that was not there before."""
    force = warband(fighter("a", "spear", "mail"), fighter("s", "scholar"), fighter("x", "crab"), fighter("b"))
    assert codes(force) == []
    tried = 0
    for key in ("a", "s", "x", "reeve"):
        for offer in items.item_offers(TERMS, force, key):
            if offer.kind == "item" and offer.state == "open":
                row = force.fighter(key)
                piece = ForceItem("new", offer.ref, "bought", offer.id, offer.price)
                assert codes(force.with_fighter(replace(row, kit=(*row.kit, piece)))) == []
                tried += 1
    for offer in hires.hire_offers(TERMS, force):
        if offer.state == "open":
            recruit = fighter("new", offer.ref, offer=offer.id)
            assert set(codes(replace(force, fighters=(*force.fighters, recruit)))) <= {"needs"}
            tried += 1
    assert tried > 20


def test_a_closed_offer_says_what_kind_of_reason_closes_it() -> None:
    found = {o.ref: o for o in items.item_offers(TERMS, warband(fighter("a", "squire"), fighter("s", "scholar")), "a")}
    assert (found["cannon"].state, found["cannon"].lock) == ("closed", "fighter")
    assert hire(warband(), "reeve").lock == "limit"
    assert hire(camp(money=Price(ducats=1)), "spear").lock == "money"
    assert hire(warband(budget=Price(ducats=74)), "spear").lock == "money"


def test_an_offer_says_what_it_is_for() -> None:
    assert hire(warband(), "squire").purpose == "Cheap; carries for the scholar"
