"""Upgrades: taken with all that follows, and returned while founding."""

from __future__ import annotations

from typing import Any

import pytest

from rules.consequences import SetWarband
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Fighter, Item, Warband
from warbands.recording import AlreadyDone, recording
from warbands.services.consequences import carry_out
from warbands.services.upgrades import buy_upgrade, return_upgrade

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


def upgrades_of(fighter: Fighter) -> dict[str, Any]:
    """The upgrades of a fighter as its state holds them."""
    return Fighter.objects.get(pk=fighter.pk).state["upgrades"]


def test_an_upgrade_is_paid_and_kept_with_its_price(wardens: Warband) -> None:
    ottla, held = s.fighter(wardens, "Ottla"), s.purse(wardens).ducats
    s.upgrade(ottla, "Trench Mole")
    ((key, kept),) = upgrades_of(ottla).items()
    assert key == "u1"
    assert (kept["ducats"], kept["offer"]) == (10, "new-antioch-trench-mole")
    assert s.purse(wardens).ducats == held - 10
    assert s.last_event(wardens).told == "ada gave Ottla the upgrade Trench Mole, for 10 ducats."
    s.assert_reconciled(wardens)


def test_an_upgrade_is_undone(wardens: Warband) -> None:
    before, held = s.document(wardens), s.purse(wardens)
    s.upgrade(s.fighter(wardens, "Ottla"), "Trench Mole")
    s.take_back(wardens)
    assert (s.document(wardens), s.purse(wardens)) == (before, held)
    s.assert_reconciled(wardens)


def test_an_upgrade_is_taken_once_and_by_two_clicks_once(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    offer = s.upgrade_offer(ottla, "Trench Mole")
    buy_upgrade(fighter=ottla, offer_id=offer.id, actor=ada, token="once")
    with pytest.raises(AlreadyDone):
        buy_upgrade(fighter=ottla, offer_id=offer.id, actor=ada, token="once")
    before = s.written(wardens)
    with pytest.raises(Refusal):
        buy_upgrade(fighter=ottla, offer_id=offer.id, actor=ada)
    with pytest.raises(Refusal, match="isn't on offer"):
        buy_upgrade(fighter=ottla, offer_id="eire-rangers-berserker", actor=ada)
    assert s.written(wardens) == before


def test_an_upgrade_is_returned_while_founding(wardens: Warband, ada: Any) -> None:
    before, held = s.document(wardens), s.purse(wardens)
    ottla = s.fighter(wardens, "Ottla")
    s.upgrade(ottla, "Trench Mole")
    return_upgrade(fighter=ottla, key="u1", actor=ada)
    assert (s.document(wardens), s.purse(wardens)) == (before, held)
    s.take_back(wardens)
    assert list(upgrades_of(ottla)) == ["u1"]
    with pytest.raises(Refusal):
        return_upgrade(fighter=ottla, key="u9", actor=ada)
    s.assert_reconciled(wardens)


def test_nothing_is_returned_after_the_founding(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    s.upgrade(ottla, "Trench Mole")
    s.ready(wardens)
    before = s.written(wardens)
    with pytest.raises(Refusal, match="only be returned while building"):
        return_upgrade(fighter=ottla, key="u1", actor=ada)
    assert s.written(wardens) == before


def test_recruits_are_upgraded_after_the_founding_and_veterans_are_not(ada: Any) -> None:
    warband = s.camp(ada)
    with recording(warband, kind="write", actor=ada) as act:
        carry_out(act, warband, [SetWarband(("fought",), 1)])
        act.say("{who} fought.")
    jonas = s.hire(warband, "Yeoman", "Jonas")
    s.upgrade(jonas, "Trench Mole")
    before = s.written(warband)
    with pytest.raises(Refusal):
        s.upgrade(s.fighter(warband, "Ottla"), "Trench Mole")
    assert s.written(warband) == before


def test_machine_armour_takes_the_place_of_what_was_worn(wardens: Warband, ada: Any) -> None:
    heavy = s.hire(wardens, "Mechanised Heavy Infantry", "Kolya")
    worn, before, held = s.kit_of(heavy), s.document(wardens), s.purse(wardens)
    s.upgrade(heavy, "Machine Armour")
    now = s.kit_of(heavy)
    if "reinforced-armour" in worn:
        assert "machine-armour" in now
        assert "reinforced-armour" not in now
        assert Item.objects.get(fighter=heavy, item_id="machine-armour").origin == "mandatory"
    s.assert_reconciled(wardens)
    undoing = s.take_back(wardens)
    assert (s.document(wardens), s.purse(wardens), s.kit_of(heavy)) == (before, held, worn)
    s.take_back(undoing)
    assert s.kit_of(heavy) == now
    return_upgrade(fighter=heavy, key="u1", actor=ada)
    assert (s.document(wardens), s.purse(wardens), s.kit_of(heavy)) == (before, held, worn)
    s.assert_reconciled(wardens)


def test_a_sarcophagus_mine_was_somebody_once(ada: Any) -> None:
    warband, bearer = _with_offer(ada, "Sarcophagus Mine")
    profile, before = bearer.profile_id, s.document(warband)
    s.upgrade(bearer, "Sarcophagus Mine")
    now = Fighter.objects.get(pk=bearer.pk)
    assert now.profile_id == "sarcophagus-mine"
    assert not [item for item in bearer.items.filter(status="held") if item.origin != "mandatory"]
    s.assert_reconciled(warband)
    s.take_back(warband)
    assert Fighter.objects.get(pk=bearer.pk).profile_id == profile
    assert s.document(warband) == before
    s.assert_reconciled(warband)


def _with_offer(ada: Any, name: str) -> tuple[Warband, Fighter]:
    """A warband with a fighter who may take this upgrade now, in whichever list has it."""
    from rules.registry import system

    game = system("trench-crusade")
    for chosen in game.founding.lists(game.content("1.6.3")):
        warband = s.found(ada, list_id=chosen.id, name=chosen.name, terms=s.terms(third_party=True))
        for offer in game.hire_offers(warband.terms.content, _force(warband)):
            if offer.state == "closed" or any(not choice.optional for choice in offer.choices):
                continue
            fighter = s.hire(warband, offer.name)
            offers = game.shop.upgrade_offers(warband.terms.content, _force(warband), str(fighter.pk))
            if any(o.name == name and o.state != "closed" for o in offers):
                return warband, fighter
    raise AssertionError(f"Nobody may take {name}.")


def _force(warband: Warband) -> Any:
    from warbands.adapters import force_of

    return force_of(s.fresh(warband))
