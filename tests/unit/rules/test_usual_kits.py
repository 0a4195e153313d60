"""Usual kits: offered as a whole, without what the fighter has, and only where list, terms, holder and hands allow all of it."""

from __future__ import annotations

import pytest

from rules.offers import items
from rules.offers.usual import usual_kits
from rules.price import Price
from rules.problems import Refusal
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
