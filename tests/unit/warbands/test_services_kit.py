"""Kit changes hands: bought, given, swapped, stashed, sold, returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.consequences import GainsItem, Money, SetWarband
from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Fighter, Item, Warband
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.consequences import carry_out
from warbands.services.kit import buy_item, give_item, swap_item

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


@story
def camped(ada: Any) -> Warband:
    """The same, ready to play."""
    return s.camp(ada)


def test_a_piece_is_bought_for_a_fighter(wardens: Warband) -> None:
    ottla, held = s.fighter(wardens, "Ottla"), s.purse(wardens).ducats
    (mask,) = s.equip(ottla, "Gas Mask")
    assert (mask.fighter_id, mask.item_id, mask.offer_id, mask.origin) == (
        ottla.pk,
        "gas-mask",
        "common-gas-mask",
        "bought",
    )
    assert s.purse(wardens).ducats == held - mask.paid_ducats
    assert s.last_event(wardens).told == f"ada bought a Gas Mask for Ottla, for {mask.paid_ducats} ducats."
    s.assert_reconciled(wardens)


def test_a_piece_is_bought_for_the_stash(wardens: Warband) -> None:
    s.stock(wardens, "Gas Mask")
    assert s.kit_of(None, wardens) == ["gas-mask"]
    assert "for the stash" in s.last_event(wardens).told


def test_buying_is_undone(wardens: Warband) -> None:
    before, held = s.document(wardens), s.purse(wardens)
    s.equip(s.fighter(wardens, "Ottla"), "Gas Mask")
    s.take_back(wardens)
    assert (s.document(wardens), s.purse(wardens)) == (before, held)
    s.assert_reconciled(wardens)


def test_what_is_closed_is_refused_with_its_reason(wardens: Warband) -> None:
    ottla = s.fighter(wardens, "Ottla")
    s.equip(ottla, "Gas Mask")
    offer = s.item_offer(wardens, "Gas Mask", ottla)
    assert offer.state == "closed"
    before = s.written(wardens)
    with pytest.raises(Refusal) as refusal:
        s.equip(ottla, "Gas Mask")
    assert offer.reason.rstrip(".") in str(refusal.value)
    assert s.written(wardens) == before


def test_a_piece_of_another_list_is_refused(wardens: Warband, ada: Any) -> None:
    before = s.written(wardens)
    with pytest.raises(Refusal, match="isn't on offer"):
        buy_item(warband=wardens, offer_id="found-hell-saints-skull", actor=ada)
    assert s.written(wardens) == before


def test_a_fighter_of_another_warband_is_refused(wardens: Warband, ben: Any, ada: Any) -> None:
    theirs = s.small_warband(ben, name="The Choir")
    before = s.written(wardens), s.written(theirs)
    offer = s.item_offer(wardens, "Gas Mask")
    with pytest.raises(Refusal):
        buy_item(warband=wardens, offer_id=offer.id, fighter=s.fighter(theirs, "Ottla"), actor=ada)
    mask = s.stock(wardens, "Gas Mask")
    s.take_back(s.take_back(wardens))
    with pytest.raises(Refusal):
        give_item(item=mask, fighter=s.fighter(theirs, "Ottla"), actor=ada)
    assert s.written(theirs) == before[1]


def test_two_clicks_buy_one_piece_and_a_stale_form_none(wardens: Warband) -> None:
    seen = s.fresh(wardens).version
    s.stock(wardens, "Gas Mask", token="once", seen=seen)
    with pytest.raises(AlreadyDone):
        s.stock(wardens, "Gas Mask", token="once", seen=seen)
    with pytest.raises(Stale):
        s.stock(wardens, "Gas Mask", seen=seen)
    assert s.kit_of(None, wardens) == ["gas-mask"]


def test_a_short_purse_buys_nothing_after_the_founding(camped: Warband, ada: Any) -> None:
    with recording(camped, kind="spend", actor=ada) as act:
        act.pay(Price(ducats=act.warband.strongbox_ducats - 1), reason="Candles")
    before = s.written(camped)
    with pytest.raises(Refusal, match="you have 1"):
        s.stock(camped, "Gas Mask")
    assert s.written(camped) == before


# --- moved ------------------------------------------------------------------------------------------------------------


def test_a_piece_goes_from_hand_to_hand_and_into_the_stash(wardens: Warband) -> None:
    ottla, matthias = s.fighter(wardens, "Ottla"), s.fighter(wardens, "Matthias")
    (mask,) = s.equip(ottla, "Gas Mask")
    before = s.document(wardens)
    s.give(mask, matthias)
    assert "gas-mask" in s.kit_of(matthias)
    assert s.last_event(wardens).told == "ada gave a Gas Mask of Ottla to Matthias."
    s.give(mask, None)
    assert s.last_event(wardens).told == "ada put a Gas Mask of Matthias into the stash."
    s.take_back(wardens)
    s.take_back(next(e for e in reversed(_events(wardens)) if "to Matthias" in e.sentence and e.kind == "give"))
    assert s.document(wardens) == before
    s.assert_reconciled(wardens)


def _events(warband: Warband) -> list[Any]:
    from warbands.models import Event

    return list(Event.objects.filter(subjects__warband=warband).order_by("pk"))


def test_what_is_there_already_is_not_given(wardens: Warband) -> None:
    ottla = s.fighter(wardens, "Ottla")
    (mask,) = s.equip(ottla, "Gas Mask")
    before = s.written(wardens)
    with pytest.raises(Refusal, match="already"):
        s.give(mask, ottla)
    assert s.written(wardens) == before


def test_a_fighter_takes_no_more_than_the_rules_let_it(camped: Warband) -> None:
    ottla = s.fighter(camped, "Ottla")
    s.equip(ottla, "Gas Mask")
    spare = s.stock(camped, "Gas Mask")
    before = s.written(camped)
    with pytest.raises(Refusal):
        s.give(spare, ottla)
    assert s.written(camped) == before


def test_two_pieces_change_places(wardens: Warband, ada: Any) -> None:
    ottla, matthias = s.fighter(wardens, "Ottla"), s.fighter(wardens, "Matthias")
    (mask,) = s.equip(ottla, "Gas Mask")
    (helmet,) = s.equip(matthias, "Combat Helmet")
    before = s.document(wardens)
    swap_item(item=mask, other=helmet, actor=ada)
    assert "combat-helmet" in s.kit_of(ottla)
    assert "gas-mask" in s.kit_of(matthias)
    s.take_back(wardens)
    assert s.document(wardens) == before
    s.assert_reconciled(wardens)


def test_a_full_hand_swaps_with_the_stash(camped: Warband, ada: Any) -> None:
    ottla = s.fighter(camped, "Ottla")
    rifle = Item.objects.get(fighter=ottla, item_id="bolt-action-rifle")
    shotgun = s.stock(camped, "Shotgun")
    swap_item(item=rifle, other=shotgun, actor=ada)
    assert s.kit_of(ottla) == ["shotgun"]
    assert s.kit_of(None, camped) == ["bolt-action-rifle"]


def test_nothing_swaps_with_its_neighbour_in_the_stash(wardens: Warband, ada: Any) -> None:
    mask, helmet = s.stock(wardens, "Gas Mask"), s.stock(wardens, "Combat Helmet")
    with pytest.raises(Refusal, match="same place"):
        swap_item(item=mask, other=helmet, actor=ada)


# --- sold and returned ------------------------------------------------------------------------------------------------


def test_a_return_while_founding_gives_all_that_was_paid(wardens: Warband) -> None:
    held, before = s.purse(wardens), s.document(wardens)
    (mask,) = s.equip(s.fighter(wardens, "Ottla"), "Gas Mask")
    s.send_back(mask)
    assert s.purse(wardens) == held
    assert s.document(wardens) == before
    assert Item.objects.get(pk=mask.pk).status == Item.Status.RETURNED
    s.take_back(wardens)
    assert "gas-mask" in s.kit_of(s.fighter(wardens, "Ottla"))
    s.assert_reconciled(wardens)


def test_mandatory_kit_is_returned_for_what_it_counts(wardens: Warband) -> None:
    held = s.purse(wardens).ducats
    ottla = s.fighter(wardens, "Ottla")
    s.send_back(Item.objects.get(fighter=ottla))
    assert s.purse(wardens).ducats == held + 5
    assert s.kit_of(ottla) == []
    s.assert_reconciled(wardens)


def test_a_sale_in_camp_gives_half(camped: Warband) -> None:
    helmet = s.stock(camped, "Combat Helmet")
    held = s.purse(camped).ducats
    s.sell(helmet)
    assert s.purse(camped).ducats == held + -(-helmet.paid_ducats // 2)
    told = s.last_event(camped).told
    assert told == f"ada sold a Combat Helmet: +{-(-helmet.paid_ducats // 2)} ducats."
    s.take_back(camped)
    assert s.kit_of(None, camped) == ["combat-helmet"]
    s.assert_reconciled(camped)


def test_there_is_a_time_to_return_and_a_time_to_sell(wardens: Warband) -> None:
    mask = s.stock(wardens, "Gas Mask")
    before = s.written(wardens)
    with pytest.raises(Refusal):
        s.sell(mask)
    assert s.written(wardens) == before
    s.ready(wardens)
    before = s.written(wardens)
    with pytest.raises(Refusal):
        s.send_back(mask)
    assert s.written(wardens) == before


def test_what_was_found_is_not_returned(wardens: Warband, ada: Any) -> None:
    with recording(wardens, kind="loot", actor=ada) as act:
        carry_out(act, wardens, [GainsItem("gas-mask", "found", "Behind a wall")])
    with pytest.raises(Refusal):
        s.send_back(Item.objects.get(warband=wardens, origin="found"))


@pytest.mark.parametrize("again", [s.sell, s.send_back, lambda item: s.give(item, None)])
def test_what_is_gone_moves_no_more(camped: Warband, again: Callable[[Item], Any]) -> None:
    helmet = s.stock(camped, "Combat Helmet")
    s.sell(helmet)
    before = s.written(camped)
    with pytest.raises(Refusal, match="no longer has"):
        again(helmet)
    assert s.written(camped) == before


def test_loot_over_the_limit_may_be_carried(camped: Warband, ada: Any) -> None:
    limited = next(
        offer
        for offer in camped.terms.game.shop.item_offers(camped.terms.content, _force(camped))
        if offer.limit == 1 and offer.kind == "item" and offer.group in ("Ranged", "Melee")
    )
    gains = [GainsItem(limited.ref, "looted", "Taken in battle") for _ in range(2)]
    with recording(camped, kind="loot", actor=ada) as act:
        carry_out(act, camped, gains)
    assert s.fresh(camped).problem_count == 0


def _force(warband: Warband) -> Any:
    from warbands.adapters import force_of

    return force_of(s.fresh(warband))


def test_a_dog_bought_in_the_armoury_joins_the_roster(camped: Warband, ada: Any) -> None:
    """Trench Dogs stand among the glory items that exploration opens."""
    with recording(camped, kind="write", actor=ada) as act:
        lasting = {"id": "trench-merchant-trade", "choices": {}}
        shop = next(
            entry.id
            for entry in camped.terms.content.pack.lasting
            if any(getattr(e, "most_glory", 0) >= 1 for e in entry.effects)
        )
        carry_out(act, camped, [SetWarband(("lasting", "l1"), {**lasting, "id": shop}), Money(Price(glory=3), "Deeds")])
        act.say("{who} found a merchant.")
    before, held = s.document(camped), s.purse(camped)
    offer = s.item_offer(camped, "Trench Dog")
    assert offer.kind == "hire"
    dog = buy_item(warband=camped, offer_id=offer.id, actor=ada)
    assert isinstance(dog, Fighter)
    assert (dog.hired_as, dog.offer_id, dog.profile_id) == ("item", "common-trench-dog", "trench-dog")
    assert s.purse(camped).glory == held.glory - offer.price.glory
    s.assert_reconciled(camped)
    s.take_back(camped)
    assert s.document(camped) == before
    s.assert_reconciled(camped)
