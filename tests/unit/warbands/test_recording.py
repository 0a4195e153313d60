"""One door for writes: nothing half done, nothing twice, nothing unseen; and every act can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from rules.consequences import Leaves, Money, SetFighter
from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from warbands.models import Change, Event, Fighter, Item, LedgerEntry, Warband
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.consequences import carry_out
from warbands.services.roster import note_fighter, rename_fighter
from warbands.undo import is_live
from warbands.undo_blockers import leaning_on, standings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def wardens(ada: Any) -> Warband:
    """A small legal warband of Ada's, still being founded."""
    return s.small_warband(ada)


# --- one act ----------------------------------------------------------------------------------------------------------


def test_what_raises_inside_an_act_leaves_nothing_behind(wardens: Warband, ada: Any) -> None:
    def stumble() -> None:
        with recording(wardens, kind="try", actor=ada) as act:
            act.pay(Price(ducats=5), reason="Nothing")
            act.change(act.warband, name="Somebody Else")
            raise ZeroDivisionError

    before = s.written(wardens)
    with pytest.raises(ZeroDivisionError):
        stumble()
    assert s.written(wardens) == before


def test_an_act_tells_who_did_it_for_whom(wardens: Warband, ben: Any) -> None:
    s.hire(wardens, "Yeoman", "Jonas", actor=ben)
    event = s.last_event(wardens)
    assert event.told == "ben, for ada, hired Jonas, Yeoman, for 35 ducats."


def test_the_owner_acts_for_nobody(wardens: Warband) -> None:
    s.hire(wardens, "Yeoman", "Jonas")
    assert s.last_event(wardens).told.startswith("ada hired Jonas, Yeoman, for 35 ducats")


def test_a_spent_token_has_no_second_effect(wardens: Warband) -> None:
    s.hire(wardens, "Yeoman", "Jonas", token="once")
    before = s.written(wardens)
    with pytest.raises(AlreadyDone) as spent:
        s.hire(wardens, "Yeoman", "Jonas", token="once")
    assert spent.value.event == s.last_event(wardens)
    assert s.written(wardens) == before


def test_a_stale_form_is_told_what_happened_since(wardens: Warband, ben: Any) -> None:
    seen = s.fresh(wardens).version
    s.hire(wardens, "Yeoman", "Jonas", actor=ben)
    before = s.written(wardens)
    with pytest.raises(Stale) as stale:
        s.hire(wardens, "Yeoman", seen=seen)
    assert [event.told for event in stale.value.events] == ["ben, for ada, hired Jonas, Yeoman, for 35 ducats."]
    assert "Jonas" in str(stale.value)
    assert s.written(wardens) == before
    s.hire(wardens, "Yeoman", seen=seen + 1)


def test_versions_count_the_acts_without_gaps(wardens: Warband) -> None:
    s.hire(wardens, "Yeoman")
    s.take_back(wardens)
    numbers = list(wardens.event_subjects.order_by("event_id").values_list("number", flat=True))
    assert numbers == list(range(1, s.fresh(wardens).version + 1))


def test_the_row_passed_in_is_brought_up_to_date(wardens: Warband) -> None:
    before = wardens.version
    s.hire(wardens, "Yeoman")
    assert wardens.version == s.fresh(wardens).version > before
    assert wardens.strongbox_ducats == s.purse(wardens).ducats


def test_below_zero_is_refused_after_the_founding(ada: Any) -> None:
    warband = s.camp(ada)
    before = s.written(warband)
    with pytest.raises(Refusal) as refusal, recording(warband, kind="try", actor=ada) as act:
        act.pay(Price(ducats=s.purse(warband).ducats + 7), reason="Too much")
    assert "7 ducats short" in str(refusal.value)
    assert s.written(warband) == before


def test_a_written_leaf_is_kept_apart_from_what_is_written_into_it_later(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    before = s.document(wardens)
    with recording(wardens, kind="try", actor=ada) as act:
        act.set_leaf(ottla, ("traumas", "t1"), {"id": "leg-wound", "scar": True, "details": {}, "battle": 1})
        act.set_leaf(ottla, ("traumas", "t1", "scar"), False)
        act.set_leaf(act.warband, ("choices", "a"), {"b": "c"})
        act.set_leaf(act.warband, ("choices", "a", "b"), "d")
    first = Change.objects.filter(event=act.event, path="traumas/t1").get()
    assert first.after["scar"] is True
    s.take_back(act.event)
    assert s.document(wardens) == before
    assert s.fresh(wardens).state["choices"] == {}
    s.assert_reconciled(wardens)


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_is_an_act_of_its_own_and_restores_the_roster(wardens: Warband) -> None:
    before, purse = s.document(wardens), s.purse(wardens)
    s.hire(wardens, "Yeoman", "Jonas")
    hired = s.last_event(wardens)
    undoing = s.take_back(wardens)
    assert undoing.told == f"ada undid: {hired.told}"
    assert (s.document(wardens), s.purse(wardens)) == (before, purse)
    assert not is_live(hired)
    s.assert_reconciled(wardens)


def test_undo_is_undone_and_undone_again(wardens: Warband) -> None:
    empty = s.document(wardens)
    s.hire(wardens, "Yeoman", "Jonas")
    full, hired = s.document(wardens), s.last_event(wardens)
    undoing = s.take_back(hired)
    again = s.take_back(undoing)
    assert s.document(wardens) == full
    assert is_live(hired)
    assert again.told == f"ada redid: {hired.told}"
    s.take_back(hired)  # the act as such, which stands by its being brought back
    assert s.document(wardens) == empty
    assert LedgerEntry.objects.filter(warband=wardens, reason__startswith="Undone: Undone").count() == 0
    s.assert_reconciled(wardens)


def test_what_is_undone_is_not_undone_twice(wardens: Warband) -> None:
    s.hire(wardens, "Yeoman")
    hired = s.last_event(wardens)
    s.take_back(hired)
    before = s.written(wardens)
    with pytest.raises(Refusal, match="already undone"):
        s.take_back(hired)
    assert s.written(wardens) == before


def test_a_spent_token_undoes_once(wardens: Warband, ada: Any) -> None:
    from warbands.undo import undo

    s.hire(wardens, "Yeoman")
    hired = s.last_event(wardens)
    undo(event=hired, actor=ada, token="once")
    with pytest.raises(AlreadyDone):
        undo(event=hired, actor=ada, token="once")


def test_acts_on_other_fields_do_not_stand_in_the_way(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    rename_fighter(fighter=ottla, name="Ottla the Grey", actor=ada)
    renamed = s.last_event(wardens)
    note_fighter(fighter=ottla, notes="Quiet.", actor=ada)
    s.take_back(renamed)
    assert s.fighter(wardens, "Ottla").notes == "Quiet."


def test_a_later_act_on_the_same_field_is_named(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    rename_fighter(fighter=ottla, name="Second", actor=ada)
    first = s.last_event(wardens)
    rename_fighter(fighter=ottla, name="Third", actor=ada)
    second = s.last_event(wardens)
    assert leaning_on(first) == [second]
    with pytest.raises(Refusal, match="renamed Second to Third"):
        s.take_back(first)
    s.take_back(second)
    assert leaning_on(first) == []
    s.take_back(first)
    assert s.fighter(wardens, "Ottla").pk == ottla.pk


def test_the_standing_of_many_events_takes_few_queries(
    wardens: Warband, ada: Any, django_assert_num_queries: Any
) -> None:
    ottla = s.fighter(wardens, "Ottla")
    rename_fighter(fighter=ottla, name="Second", actor=ada)
    rename_fighter(fighter=ottla, name="Third", actor=ada)
    s.hire(wardens, "Yeoman")
    undoing = s.take_back(wardens)
    events = list(Event.objects.filter(subjects__warband=wardens))
    with django_assert_num_queries(4):
        found = standings(events, wardens)
    assert {pk: list(standing.leaning) for pk, standing in found.items() if standing.live} == {
        event.pk: leaning_on(event) for event in events if is_live(event)
    }
    hired = undoing.undoes
    assert hired is not None
    assert found[hired.pk].undone_by == undoing
    assert not found[hired.pk].live


def test_kit_bought_for_a_fighter_leans_on_the_hire(wardens: Warband) -> None:
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    hired = s.last_event(wardens)
    (mask,) = s.equip(jonas, "Gas Mask")
    bought = s.last_event(wardens)
    assert leaning_on(hired) == [bought]
    with pytest.raises(Refusal, match="Gas Mask"):
        s.take_back(hired)
    s.give(mask, None)
    stashed = s.last_event(wardens)
    s.take_back(hired)
    assert s.kit_of(None, wardens) == ["gas-mask"]
    with pytest.raises(Refusal, match="no longer exists"):
        s.take_back(stashed)
    s.assert_reconciled(wardens)


def test_kit_given_to_a_fighter_leans_on_the_hire(wardens: Warband) -> None:
    mask = s.stock(wardens, "Gas Mask")
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    hired = s.last_event(wardens)
    s.give(mask, jonas)
    assert leaning_on(hired) == [s.last_event(wardens)]


def test_mandatory_kit_leaves_and_returns_with_its_fighter(wardens: Warband) -> None:
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    assert s.kit_of(jonas) == ["bolt-action-rifle"]
    undoing = s.take_back(wardens)
    assert Item.objects.live().filter(fighter=jonas).count() == 0
    s.take_back(undoing)
    assert s.kit_of(jonas) == ["bolt-action-rifle"]


def test_mandatory_kit_that_moved_on_leans_on_the_hire(wardens: Warband) -> None:
    jonas = s.hire(wardens, "Yeoman", "Jonas")
    hired = s.last_event(wardens)
    s.give(Item.objects.get(fighter=jonas), None)
    assert leaning_on(hired) == [s.last_event(wardens)]


def test_no_undo_puts_kit_into_dead_hands(ada: Any) -> None:
    warband = s.camp(ada)
    ottla, matthias = s.fighter(warband, "Ottla"), s.fighter(warband, "Matthias")
    mask = s.equip(ottla, "Gas Mask")[0]
    s.give(mask, matthias)
    given = s.last_event(warband)
    with recording(warband, kind="trauma", actor=ada) as act:
        carry_out(act, warband, [Leaves(str(ottla.pk), "dead", "Died of wounds")])
        act.say("{who} buried Ottla.")
    before = s.written(warband)
    with pytest.raises(Refusal, match="Ottla"):
        s.take_back(given)
    assert s.written(warband) == before
    s.assert_reconciled(warband)


def test_income_that_was_spent_is_not_taken_back(ada: Any) -> None:
    warband = s.camp(ada)
    with recording(warband, kind="loot", actor=ada) as act:
        carry_out(act, warband, [Money(Price(ducats=100), "Loot")])
        act.say("{who} took 100 ducats of loot.")
    loot = act.event
    held = s.purse(warband).ducats
    with recording(warband, kind="spend", actor=ada) as act:
        act.pay(Price(ducats=held - 10), reason="Candles")
        act.say("{who} bought candles.")
    with pytest.raises(Refusal, match="candles"):
        s.take_back(loot)
    s.take_back(act.event)
    s.take_back(loot)
    assert s.purse(warband).ducats == held - 100
    s.assert_reconciled(warband)


def test_the_founding_is_undone_last_of_all(ada: Any) -> None:
    warband = s.found(ada)
    founded = s.last_event(warband)
    s.hire(warband, "Yeoman", "Jonas")
    with pytest.raises(Refusal, match="hired Jonas"):
        s.take_back(founded)
    s.take_back(warband)
    s.take_back(founded)
    assert not Warband.objects.live().filter(pk=warband.pk).exists()
    with pytest.raises(Refusal, match="no longer exists"):
        s.hire(warband, "Yeoman")
    s.take_back(founded.undone_by)
    s.hire(warband, "Yeoman")
    assert s.purse(warband).ducats == 665
    s.assert_reconciled(warband)


def test_ready_can_be_undone_and_is_not_brought_back_over_an_empty_purse(ada: Any) -> None:
    warband = s.camp(ada)
    readied = s.last_event(warband)
    s.take_back(readied)
    assert s.fresh(warband).is_founding
    while s.purse(warband).ducats >= 0:
        s.hire(warband, "Yeoman")
    before = s.written(warband)
    with pytest.raises(Refusal):
        s.take_back(readied.undone_by)
    assert s.written(warband) == before


def test_there_is_no_way_back_to_the_founding_once_a_battle_was_entered(ada: Any) -> None:
    warband = s.camp(ada)
    readied = s.last_event(warband)
    with recording(warband, kind="report", actor=ada, occasion="battle:1") as act:
        act.say("{who} reported.")
    assert leaning_on(readied) == [act.event]


def test_leaves_of_one_state_are_undone_apart(wardens: Warband, ada: Any) -> None:
    ottla = s.fighter(wardens, "Ottla")
    events = []
    for key in ("t1", "t2"):
        with recording(wardens, kind="trauma", actor=ada) as act:
            trauma = {"id": "leg-wound", "scar": True, "details": {}, "battle": 1}
            carry_out(act, wardens, [SetFighter(str(ottla.pk), ("traumas", key), trauma)])
            act.say("{who} wrote down a wound of Ottla.")
        events.append(act.event)
    s.take_back(events[0])
    assert list(Fighter.objects.get(pk=ottla.pk).state["traumas"]) == ["t2"]
    s.assert_reconciled(wardens)


def test_a_force_that_was_read_before_a_change_stays_as_it_was(ada: Any) -> None:
    """Answers of the rules are kept under the force they were given for: it must not turn into another one."""
    warband = s.small_warband(ada)
    with recording(warband, kind="test", actor=ada) as act:
        act.set_leaf(act.warband, ("choices", "tale"), "told")
        before = act.force()
        act.set_leaf(act.warband, ("choices", "tale"), "told anew")
        assert before.choices["tale"] == "told"
        assert act.force() != before
