"""Usual kits: offered as a whole, without what the fighter has, and only where list, terms, holder and hands allow all of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.checker import check
from rules.force import Force, ForceFighter, ForceItem
from rules.offers import items
from rules.offers.hires import outfit
from rules.offers.usual import usual_kits
from rules.offers.whole_kits import whole_kit
from rules.parts.shop import UsualKit
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from tests.drills import WHOLE, sampled
from tests.unit.rules.weir import content, fighter, warband

TERMS = content()


def names(*kit: str, **house: object) -> list[str]:
    force = warband(fighter("s", "scholar"), fighter("a", "squire", *kit))
    return [each.name for each in usual_kits(content(**house), force, "a")]


def test_a_kit_names_its_offers_its_items_and_its_price() -> None:
    force = warband(fighter("s", "scholar"), fighter("a", "squire"))
    kit = usual_kits(TERMS, force, "a")[0]
    prices = {offer.id: offer.price.ducats for offer in items.item_offers(TERMS, force, "a")}
    assert (kit.key, kit.name, kit.items) == ("squire-1", "Rifle and sword", ("Rifle", "Sword"))
    assert kit.price == Price(ducats=sum(prices[offer] for offer in kit.offers))


def test_two_hands_a_holder_and_the_list_keep_a_kit_back() -> None:
    assert names() == ["Rifle and sword"]


def test_what_a_fighter_has_is_not_bought_again() -> None:
    force = warband(fighter("s", "scholar"), fighter("a", "squire", "rifle"))
    assert usual_kits(TERMS, force, "a")[0].items == ("Sword",)
    assert names("rifle", "sword") == []


def test_a_banned_item_keeps_its_kit_back() -> None:
    assert names(banned=["sword"]) == []


def test_a_profile_without_kits_has_none_and_a_stranger_is_refused() -> None:
    assert usual_kits(TERMS, warband(), "reeve") == ()
    with pytest.raises(Refusal):
        usual_kits(TERMS, warband(), "nobody")


GAME = system("trench-crusade")
ALLOWED = {"third_party": True}
LISTS = [(edition, list_id) for edition in GAME.editions() for list_id in GAME.content(edition).lists]
SETTLED_LATER = {"choice", "too-few"}  # a power or an upgrade that the fighter still has to take


def hired(content: Any, edition: str, list_id: str, entry: Any) -> Force:
    """A new warband of one fighter, hired through this entry with the kit that comes with it."""
    bare = Force(GAME.id, edition, list_id, budget=Price(ducats=9999, glory=99))
    kit = [ForceItem(f"m{n}", given.item, "mandatory") for n, given in enumerate(outfit(content, bare, entry.id))]
    recruit = ForceFighter("a", "A", entry.profile, entry.id, content.hire_price(entry), hired_as=entry.hired_as)
    return replace(bare, fighters=(replace(recruit, kit=tuple(kit)),))


def bought(content: Any, force: Force, kit: UsualKit) -> Force:
    row = force.fighters[0]
    pieces = [ForceItem(f"n{n}", content.item_offers[o].item, "bought", o) for n, o in enumerate(kit.offers)]
    return replace(force, fighters=(replace(row, kit=(*row.kit, *pieces)),))


def test_a_list_that_is_closed_here_has_no_usual_kits() -> None:
    content: Any = GAME.content("1.0")
    entry = next(o for o in content.lists["red-brigade"].profile_offers if o.profile == "yeoman")
    assert usual_kits(content, hired(content, "1.0", "red-brigade", entry), "a") == ()


@pytest.mark.parametrize(("edition", "list_id"), sampled(LISTS, 8, always=[("1.0", "eire-rangers")]))
def test_a_usual_kit_makes_a_new_fighter_ready_and_costs_no_glory(edition: str, list_id: str) -> None:
    content: Any = GAME.content(edition, house_rules=ALLOWED)
    for entry in content.lists[list_id].profile_offers:
        if entry.hired_as not in ("own", "mercenary"):
            continue
        force = hired(content, edition, list_id, entry)
        kits = usual_kits(content, force, "a")
        assert len(kits) <= 2
        for kit in kits:
            found = [p for p in check(content, bought(content, force, kit)).problems if p.fighter_key == "a"]
            assert {p.code for p in found} <= SETTLED_LATER, (entry.profile, kit.name, found)
            whole = whole_kit(content, force, ["a"], kit.offers)
            assert (whole.reason, whole.price) == ("", kit.price)
            assert (kit.price.glory, kit.price.ducats > 0) == (0, True)


@pytest.mark.parametrize("edition", GAME.editions())
@pytest.mark.skipif(not WHOLE, reason="every list: under make drills")
def test_every_usual_kit_is_offered_somewhere(edition: str) -> None:
    content: Any = GAME.content(edition, house_rules=ALLOWED)
    offered = {
        kit.key
        for list_id, army in content.lists.items()
        for entry in army.profile_offers
        if entry.hired_as in ("own", "mercenary")
        for kit in usual_kits(content, hired(content, edition, list_id, entry), "a")
    }
    known = {f"{p.id}-{n}" for p in content.profiles.values() for n, _ in enumerate(p.usual_kits, 1)}
    assert known - offered == set()
