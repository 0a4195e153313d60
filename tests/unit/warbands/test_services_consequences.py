"""What a resolved rule does is carried out as recorded changes of one act, whatever it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from rules.consequences import (
    Becomes,
    Consequence,
    GainsItem,
    Joins,
    Leaves,
    LosesItems,
    Money,
    Owes,
    Recovers,
    Redeems,
    SetFighter,
    SetWarband,
    Taken,
    ToStash,
)
from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Fighter, Item, Promise, Warband
from warbands.recording import recording
from warbands.services.consequences import carry_out
from warbands.services.promises import settle_promise

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def camped(ada: Any) -> Warband:
    """A small warband of Ada's, ready to play."""
    return s.camp(ada)


def do(warband: Warband, consequences: Iterable[Consequence], **how: Any) -> Event:
    """Carry these out in one act and return its event."""
    with recording(warband, kind="write", actor=warband.owner) as act:
        carry_out(act, warband, consequences, **how)
        act.say("{who} wrote it down.")
    s.assert_reconciled(warband)
    return act.event


def test_states_are_set_leaf_by_leaf(camped: Warband) -> None:
    ottla, before = s.fighter(camped, "Ottla"), s.document(camped)
    event = do(
        camped,
        [
            SetFighter(str(ottla.pk), ("experience",), 3),
            SetFighter(str(ottla.pk), ("traumas", "t1"), {"id": "leg-wound", "scar": True, "details": {}, "battle": 1}),
            SetWarband(("promotion_misses",), 2),
        ],
        occasion="battle:7",
    )
    ottla.refresh_from_db()
    assert (ottla.state["experience"], list(ottla.state["traumas"])) == (3, ["t1"])
    assert s.fresh(camped).state["promotion_misses"] == 2
    assert Event.objects.get(pk=event.pk).occasion == "battle:7"
    s.take_back(event)
    assert s.document(camped) == before
    s.assert_reconciled(camped)


def test_a_state_the_game_does_not_know_is_refused(camped: Warband) -> None:
    ottla, before = s.fighter(camped, "Ottla"), s.written(camped)
    for wrong in (
        SetFighter(str(ottla.pk), ("experience",), "much"),
        SetFighter(str(ottla.pk), ("colour",), "green"),
        SetWarband(("moon",), 1),
    ):
        with pytest.raises(Refusal):
            do(camped, [wrong])
    assert s.written(camped) == before


@pytest.mark.parametrize(("to_stash", "stash"), [(False, []), (True, ["gas-mask"])])
def test_who_dies_takes_its_kit_along_unless_it_is_saved(camped: Warband, to_stash: bool, stash: list[str]) -> None:
    ottla, before = s.fighter(camped, "Ottla"), s.document(camped)
    s.equip(ottla, "Gas Mask")
    before = s.document(camped)
    event = do(camped, [Leaves(str(ottla.pk), "dead", "Third scar", kit_to_stash=to_stash)])
    ottla.refresh_from_db()
    assert (ottla.status, ottla.left_reason) == (Fighter.Status.DEAD, "Third scar")
    assert ottla.left_at is not None
    assert s.kit_of(None, camped) == stash
    assert not Item.objects.filter(fighter=ottla).exists()
    s.take_back(event)
    assert s.document(camped) == before
    assert s.kit_of(ottla) == ["bolt-action-rifle", "gas-mask"]
    s.assert_reconciled(camped)


def test_lost_pieces_are_recovered_as_the_rows_they_were_or_sold_at_once(camped: Warband) -> None:
    ottla = s.fighter(camped, "Ottla")
    (mask,) = s.equip(ottla, "Gas Mask")
    rifle = Item.objects.get(fighter=ottla, origin=Item.Origin.MANDATORY)
    do(camped, [Leaves(str(ottla.pk), "dead", "Third scar")])
    before = s.document(camped)
    event = do(camped, [Recovers((str(mask.pk), str(rifle.pk)), "Found on the field")])
    for row, origin in ((mask, Item.Origin.BOUGHT), (rifle, Item.Origin.FOUND)):
        row.refresh_from_db()
        assert (row.status, row.fighter, row.origin, row.why) == (Item.Status.HELD, None, origin, "Found on the field")
    with pytest.raises(Refusal, match="no longer lost"):
        do(camped, [Recovers((str(mask.pk),), "Again")])
    s.take_back(event)
    assert s.document(camped) == before
    do(camped, [Recovers((str(mask.pk),), "Sold on the field", sold=True), Money(Price(ducats=3), "Gas Mask")])
    mask.refresh_from_db()
    assert (mask.status, s.kit_of(None, camped)) == (Item.Status.SOLD, [])
    s.assert_reconciled(camped)


def test_a_captive_is_reported_to_whoever_keeps_captures(camped: Warband) -> None:
    ottla = s.fighter(camped, "Ottla")
    told: list[tuple[str, str, str]] = []
    event = do(
        camped,
        [Taken(str(ottla.pk), "side-2", "Captured")],
        on_taken=lambda fighter, captor, reason: told.append((fighter.name, captor, reason)),
    )
    ottla.refresh_from_db()
    assert ottla.status == Fighter.Status.CAPTIVE
    assert told == [("Ottla", "side-2", "Captured")]
    s.take_back(event)
    assert s.fighter(camped, "Ottla").status == Fighter.Status.ACTIVE


def test_items_are_lost_stashed_and_gained(camped: Warband) -> None:
    ottla = s.fighter(camped, "Ottla")
    mask, helmet = s.equip(ottla, "Gas Mask", "Combat Helmet")
    before, held = s.document(camped), s.purse(camped).ducats
    event = do(
        camped,
        [
            LosesItems((str(mask.pk),), "Burnt"),
            ToStash((str(helmet.pk),), "Taken off"),
            GainsItem("trench-shield", "found", "Fallen Knight"),
            GainsItem("gas-mask", "bought", "In a workshop", fighter=str(ottla.pk), paid=Price(ducats=4)),
        ],
    )
    mask.refresh_from_db()
    assert (mask.status, mask.fighter, mask.why) == (Item.Status.LOST, None, "Burnt")
    assert s.kit_of(None, camped) == ["combat-helmet", "trench-shield"]
    assert s.kit_of(ottla) == ["bolt-action-rifle", "gas-mask"]
    assert s.purse(camped).ducats == held - 4
    s.take_back(event)
    assert s.document(camped) == before
    assert s.purse(camped).ducats == held
    s.assert_reconciled(camped)


def test_money_moves_both_ways_but_not_below_zero(camped: Warband) -> None:
    held = s.purse(camped)
    do(camped, [Money(Price(ducats=110, glory=2), "Loot"), Money(Price(ducats=-10), "Upkeep")])
    assert s.purse(camped) == Price(ducats=held.ducats + 100, glory=held.glory + 2)
    before = s.written(camped)
    with pytest.raises(Refusal, match="short"):
        do(camped, [Money(Price(ducats=-10_000), "Ransom")])
    assert s.written(camped) == before


def test_somebody_joins_with_what_comes_with_it(camped: Warband) -> None:
    before = s.document(camped)
    event = do(
        camped,
        [
            Joins("found-survivor-yeoman", "survivor-yeoman", "Survivor Yeoman", "Found"),
            Joins("new-antioch-yeoman", "yeoman", "Ottla", "Found", paid=Price(ducats=3), hired_as="own"),
        ],
    )
    assert s.fighter(camped, "Survivor Yeoman").hired_as == "find"
    assert s.kit_of(s.fighter(camped, "Ottla 2")) == ["bolt-action-rifle"]
    s.take_back(event)
    assert s.document(camped) == before
    s.assert_reconciled(camped)


def test_a_fighter_becomes_another_profile(camped: Warband) -> None:
    ottla = s.fighter(camped, "Ottla")
    event = do(camped, [Becomes(str(ottla.pk), "shocktrooper", "Drilled", offer="new-antioch-shocktrooper")])
    ottla.refresh_from_db()
    assert (ottla.profile_id, ottla.offer_id) == ("shocktrooper", "new-antioch-shocktrooper")
    s.take_back(event)
    assert s.fighter(camped, "Ottla").profile_id == "yeoman"


def test_promises_are_written_down_and_redeemed(camped: Warband, ada: Any) -> None:
    do(camped, [Owes("glory-item", "One glory item of up to 5 glory", "at any trade step", {"most": 5})])
    promise = Promise.objects.get(warband=camped)
    assert (promise.status, promise.data) == ("open", {"most": 5})
    event = do(camped, [Redeems(str(promise.pk), "Taken")])
    promise.refresh_from_db()
    assert promise.status == "settled"
    with pytest.raises(Refusal, match="no longer open"):
        settle_promise(promise=promise, actor=ada)
    s.take_back(event)
    settle_promise(promise=promise, actor=ada, lapsed=True, how="Nobody wanted it")
    assert s.last_event(camped).told == ("ada let lapse: One glory item of up to 5 glory. Nobody wanted it.")
    s.take_back(camped)
    settle_promise(
        promise=promise, actor=ada, consequences=[GainsItem("gas-mask", "granted", "Promised")], token="once"
    )
    assert s.kit_of(None, camped) == ["gas-mask"]
    s.take_back(camped)
    assert Promise.objects.get(pk=promise.pk).status == "open"
    s.assert_reconciled(camped)


def test_what_is_not_there_is_refused_and_nothing_is_written(camped: Warband, ben: Any) -> None:
    theirs = s.fighter(s.small_warband(ben, name="The Choir"), "Ottla")
    rifle = Item.objects.get(fighter=theirs)
    before = s.written(camped)
    for wrong in (
        SetFighter(str(theirs.pk), ("experience",), 1),
        Leaves(str(theirs.pk), "dead", "Wrong side"),
        LosesItems((str(rifle.pk),), "Wrong side"),
        ToStash(("u7",), "No number"),
        Redeems("1", "Never was"),
    ):
        with pytest.raises(Refusal):
            do(camped, [Money(Price(ducats=1), "First"), wrong])
    assert s.written(camped) == before


def test_every_consequence_is_known() -> None:
    """A word added to the vocabulary of consequences needs somebody who carries it out."""
    import inspect
    import typing

    from warbands.services import consequences

    source = inspect.getsource(consequences)
    words = typing.get_args(Consequence)
    assert words
    assert [word.__name__ for word in words if f"case {word.__name__}()" not in source] == []
