"""Fighters join and leave."""

from __future__ import annotations

from typing import Any

import pytest

from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Fighter, Item, Warband
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.copy_fighter import copy_fighter
from warbands.services.hire import hire_fighter, hire_fighters, part_fighter
from warbands.services.roster import disband_warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


def test_a_hire_is_paid_and_brings_its_kit(wardens: Warband) -> None:
    held = s.purse(wardens).ducats
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    assert (jonas.profile_id, jonas.offer_id, jonas.hired_as) == ("yeoman", "new-antioch-yeoman", "own")
    assert s.purse(wardens).ducats == held - 35
    rifle = Item.objects.get(fighter=jonas)
    assert (rifle.item_id, rifle.origin, rifle.paid_ducats) == ("bolt-action-rifle", "mandatory", 0)
    assert s.last_event(wardens).told == "ada hired Jonas, Yeoman, for 35 ducats."
    s.assert_reconciled(wardens)


def test_nameless_fighters_are_told_apart(wardens: Warband) -> None:
    names = [s.hire(wardens, "Yeoman").name for _ in range(3)]
    assert len(set(names)) == 3
    terms = s.fresh(wardens).terms
    assert set(names) <= set(terms.game.founding.fighter_names(terms.content, wardens.list_id, "yeoman"))


def test_three_are_hired_in_one_act_with_one_undo(wardens: Warband, ada: Any) -> None:
    before = s.document(wardens)
    three = hire_fighters(warband=wardens, offer_id=s.hire_offer(wardens, "Yeoman").id, times=3, actor=ada)
    assert len({fighter.name for fighter in three}) == 3
    event = s.last_event(wardens)
    assert event.told.startswith(f"{ada} hired 3 × Yeoman: {three[0].name}, {three[1].name} and {three[2].name}, for ")
    s.assert_reconciled(wardens)
    s.take_back(wardens)
    assert s.document(wardens) == before


def test_three_of_which_one_is_over_the_limit_are_none(wardens: Warband, ada: Any) -> None:
    offer = s.hire_offer(wardens, "Shocktrooper")
    s.hire(wardens, "Shocktrooper")
    for _ in range((offer.limit or 0) - offer.held - 3):
        s.hire(wardens, "Shocktrooper")
    before = s.written(wardens)
    with pytest.raises(Refusal, match="Limit of"):
        hire_fighters(warband=wardens, offer_id=offer.id, times=3, actor=ada)
    assert s.written(wardens) == before


@pytest.mark.parametrize("name", ["x" * 81, "Jo\nnas", "Jo\x00nas", "Jo\u202enas"])
def test_names_that_cannot_be_printed_are_refused(wardens: Warband, name: str) -> None:
    before = s.written(wardens)
    with pytest.raises(Refusal):
        s.hire(wardens, "Yeoman", name)
    assert s.written(wardens) == before


def test_names_keep_letters_of_every_script(wardens: Warband) -> None:
    assert s.hire(wardens, "Yeoman", "  Jürgen   Weiß ").name == "Jürgen Weiß"


def test_what_was_never_on_offer_is_refused(wardens: Warband, ada: Any) -> None:
    before = s.written(wardens)
    with pytest.raises(Refusal, match="isn't on offer"):
        hire_fighter(warband=wardens, offer_id="heretic-legion-heretic-trooper", actor=ada)
    assert s.written(wardens) == before


def test_a_closed_offer_is_refused_with_its_reason(wardens: Warband) -> None:
    offer = s.hire_offer(wardens, "Lieutenant")
    assert offer.state == "closed"
    before = s.written(wardens)
    with pytest.raises(Refusal) as refusal:
        s.hire(wardens, "Lieutenant")
    assert offer.reason.rstrip(".") in str(refusal.value)
    assert s.written(wardens) == before


def test_overspending_while_founding_is_a_problem_and_no_refusal(ada: Any) -> None:
    warband = s.found(ada, budget=Price(ducats=20))
    s.hire(warband, "Yeoman")
    assert s.purse(warband).ducats == -15
    assert s.fresh(warband).problem_count > 0
    s.assert_reconciled(warband)


def test_a_short_purse_refuses_after_the_founding(ada: Any) -> None:
    warband = s.camp(ada)
    s.stock(warband, "Combat Helmet")
    with recording(warband, kind="spend", actor=ada) as act:
        act.pay(Price(ducats=act.warband.strongbox_ducats - 44), reason="Candles")
    before = s.written(warband)
    with pytest.raises(Refusal) as refusal:
        s.hire(warband, "Shocktrooper")
    assert refusal.value.message == "Shocktrooper costs 45 d; you have 44."
    assert refusal.value.mend.startswith("Sell Combat Helmet (+")
    assert s.written(warband) == before


def test_a_short_purse_of_glory_refuses_after_the_founding(ada: Any) -> None:
    warband = s.camp(ada)
    with pytest.raises(Refusal) as refusal:
        s.hire(warband, "Observer")
    assert "glory; you have 0." in refusal.value.message


def test_a_roster_holds_so_many_and_no_more(wardens: Warband, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Fighter.objects.filter(warband=wardens).count()
    monkeypatch.setattr("warbands.services.hire.MOST_FIGHTERS", held + 1)
    s.hire(wardens, "Yeoman")
    with pytest.raises(Refusal, match="holds at most"):
        s.hire(wardens, "Yeoman")
    assert Fighter.objects.filter(warband=wardens).count() == held + 1


def test_the_spent_and_the_stale_hire_nobody(wardens: Warband) -> None:
    s.hire(wardens, "Yeoman", token="once")
    with pytest.raises(AlreadyDone):
        s.hire(wardens, "Yeoman", token="once")
    with pytest.raises(Stale):
        s.hire(wardens, "Yeoman", seen=1)
    assert wardens.fighters.filter(profile_id="yeoman").count() == 3


def test_undo_restores_the_roster(wardens: Warband) -> None:
    before = s.document(wardens)
    s.hire(wardens, "Shocktrooper")
    s.take_back(wardens)
    assert s.document(wardens) == before
    s.assert_reconciled(wardens)


def test_a_disbanded_warband_hires_nobody(wardens: Warband, ada: Any) -> None:
    disband_warband(warband=wardens, actor=ada)
    with pytest.raises(Refusal, match="disbanded"):
        s.hire(wardens, "Yeoman")
    s.take_back(wardens)
    s.hire(wardens, "Yeoman")


# --- copies -----------------------------------------------------------------------------------------------------------


def test_a_copy_has_the_same_kit_and_is_paid_in_full(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    s.equip(ottla, "Gas Mask", "Combat Helmet")
    held = s.purse(wardens).ducats
    worth = sum(item.paid_ducats for item in ottla.items.all()) + ottla.paid_ducats
    (twin,) = copy_fighter(fighter=ottla, actor=ada)
    assert s.kit_of(twin) == s.kit_of(ottla)
    assert s.purse(wardens).ducats == held - worth
    assert twin.name in wardens.terms.game.founding.fighter_names(
        wardens.terms.content, wardens.list_id, ottla.profile_id
    )
    before = s.document(wardens)
    s.take_back(s.take_back(wardens))
    assert s.document(wardens) == before
    s.assert_reconciled(wardens)


def test_a_copy_goes_without_what_is_not_to_be_had(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    offer = None
    for name in ("Machine Gun", "Grenade Launcher", "Sniper Rifle", "Automatic Rifle"):
        if (found := s.item_offer(wardens, name, ottla)).state != "closed" and found.limit:
            offer = found
            break
    assert offer is not None
    assert offer.limit is not None
    s.equip(ottla, offer.name)
    for _ in range(offer.limit - 1):
        s.stock(wardens, offer.name)
    (twin,) = copy_fighter(fighter=ottla, actor=ada)
    assert offer.ref not in s.kit_of(twin)
    event = s.last_event(wardens)
    assert offer.name in event.sentence
    assert event.data["left_out"] == [offer.name]


def test_three_copies_are_one_act_with_three_names(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    s.equip(ottla, "Gas Mask")
    before = s.document(wardens)
    twins = copy_fighter(fighter=ottla, times=3, actor=ada)
    assert [s.kit_of(twin) for twin in twins] == [s.kit_of(ottla)] * 3
    assert len({twin.name for twin in twins} | {"Ottla"}) == 4
    assert f"like {ottla.name}" in s.last_event(wardens).sentence
    s.take_back(wardens)
    assert s.document(wardens) == before
    s.assert_reconciled(wardens)


def test_a_copy_of_the_leader_is_refused(wardens: Warband, ada: Any) -> None:
    before = s.written(wardens)
    with pytest.raises(Refusal):
        copy_fighter(fighter=s.fighter(wardens, "Ilse Brandt"), actor=ada)
    assert s.written(wardens) == before


# --- parting ----------------------------------------------------------------------------------------------------------


def test_a_hire_is_returned_with_its_kit_for_all_that_was_paid(wardens: Warband) -> None:
    held, before = s.purse(wardens), s.document(wardens)
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    s.equip(jonas, "Gas Mask")
    s.part(jonas)
    assert s.purse(wardens) == held
    assert s.document(wardens) == before
    assert Fighter.objects.get(pk=jonas.pk).status == Fighter.Status.RETURNED
    assert set(Item.objects.filter(warband=wardens, why__contains="Jonas").values_list("status", flat=True)) == {
        Item.Status.RETURNED
    }
    s.take_back(wardens)
    assert s.kit_of(s.fighter(wardens, "Jonas")) == ["bolt-action-rifle", "gas-mask"]
    s.assert_reconciled(wardens)


def test_nobody_is_returned_after_the_founding(ada: Any) -> None:
    warband = s.camp(ada)
    before = s.written(warband)
    for way in ("return", "dismiss", "sell", "burn"):
        with pytest.raises(Refusal):
            part_fighter(fighter=s.fighter(warband, "Ottla"), way=way, actor=ada)
    assert s.written(warband) == before


def test_two_scars_open_the_door(ada: Any) -> None:
    warband = s.camp(ada)
    ilse = s.fighter(warband, "Ilse Brandt")
    s.equip(ilse, "Gas Mask")
    with recording(warband, kind="trauma", actor=ada) as act:
        for key, trauma in (("t1", "leg-wound"), ("t2", "hand-wound")):
            act.set_leaf(ilse, ("traumas", key), {"id": trauma, "scar": True, "details": {}, "battle": 1})
    s.part(ilse, "dismiss")
    gone = Fighter.objects.get(pk=ilse.pk)
    assert (gone.status, gone.left_reason) == (Fighter.Status.DISMISSED, "Dismissed")
    assert gone.left_at is not None
    assert "gas-mask" in s.kit_of(None, warband)
    s.take_back(warband)
    assert s.fighter(warband, "Ilse Brandt").left_at is None
    s.assert_reconciled(warband)


def test_who_is_gone_takes_part_in_nothing(wardens: Warband, ada: Any) -> None:
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    s.part(jonas)
    mask = s.stock(wardens, "Gas Mask")
    before = s.written(wardens)
    for act in (lambda: s.give(mask, jonas), lambda: s.part(jonas), lambda: copy_fighter(fighter=jonas, actor=ada)):
        with pytest.raises(Refusal, match="no longer"):
            act()
    assert s.written(wardens) == before
