"""Two people at once: one result, and the other is told. On real connections, each in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import close_old_connections, connection

from rules.price import Price
from rules.problems import Refusal
from tests import stories as s
from warbands.models import Event, Fighter, LedgerEntry, ShareLink, Snapshot, Warband
from warbands.recording import AlreadyDone, Stale, recording
from warbands.services.founding import found_warband
from warbands.services.hire import hire_fighter
from warbands.services.roster import rename_fighter
from warbands.services.sharing import print_link, take_snapshot
from warbands.undo import undo

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run the acts at the same moment, each on a connection of its own; what each returned or raised, in their order."""
    results: list[Any] = [None] * len(acts)
    gate = threading.Barrier(len(acts))

    def run(place: int, act: Callable[[], Any]) -> None:
        close_old_connections()
        try:
            gate.wait(timeout=30)
            results[place] = act()
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads), "Two acts wait for each other."
    return results


def kinds(results: list[Any]) -> list[str]:
    """The types of the results, sorted."""
    return sorted(type(result).__name__ for result in results)


def test_two_hires_at_once_spend_one_purse_once(ada: Any, ben: Any) -> None:
    warband = s.camp(ada)
    with recording(warband, kind="spend", actor=ada) as act:
        act.pay(Price(ducats=act.warband.strongbox_ducats - 50), reason="Candles")
    offer = s.hire_offer(warband, "Yeoman")

    def hire(person: Any) -> Callable[[], Any]:
        return lambda: hire_fighter(warband=s.fresh(warband), offer_id=offer.id, actor=person)

    results = at_once(hire(ada), hire(ben))
    assert kinds(results) == ["Fighter", "Refusal"]
    left = 50 - offer.price.ducats
    assert f"you have {left}" in str(next(r for r in results if isinstance(r, Refusal)))
    assert s.purse(warband).ducats == left
    s.assert_reconciled(warband)


def test_two_forms_of_one_version_give_one_hire_and_one_stale_form(ada: Any, ben: Any) -> None:
    warband = s.small_warband(ada)
    offer, seen = s.hire_offer(warband, "Yeoman"), s.fresh(warband).version

    def hire(person: Any) -> Callable[[], Any]:
        return lambda: hire_fighter(warband=warband, offer_id=offer.id, actor=person, seen=seen)

    results = at_once(hire(ada), hire(ben))
    assert kinds(results) == ["Fighter", "Stale"]
    stale = next(r for r in results if isinstance(r, Stale))
    assert len(stale.events) == 1
    s.assert_reconciled(warband)


def test_one_token_sent_twice_at_once_has_one_effect(ada: Any) -> None:
    warband = s.small_warband(ada)
    offer = s.hire_offer(warband, "Yeoman")
    count = Fighter.objects.count()

    def hire() -> Any:
        return hire_fighter(warband=warband, offer_id=offer.id, actor=ada, token="once")

    results = at_once(hire, hire, hire)
    assert kinds(results) == ["AlreadyDone", "AlreadyDone", "Fighter"]
    spent = {r.event.pk for r in results if isinstance(r, AlreadyDone)}
    assert spent == {Event.objects.get(token="once").pk}
    assert Fighter.objects.count() == count + 1
    s.assert_reconciled(warband)


def test_one_token_founds_one_warband(ada: Any) -> None:
    terms, others = s.terms(), s.terms()

    def found(under: Any) -> Callable[[], Any]:
        return lambda: found_warband(
            actor=ada, owner=ada, terms=under, list_id="new-antioch", name="The Lantern Wardens", token="once"
        )

    assert kinds(at_once(found(terms), found(others))) == ["AlreadyDone", "Warband"]
    assert Warband.objects.count() == 1


def test_trades_crosswise_do_not_wait_for_each_other(ada: Any, ben: Any) -> None:
    mine, theirs = s.camp(ada), s.camp(ben, name="The Choir")
    held = s.purse(mine).ducats, s.purse(theirs).ducats

    def trade(first: Warband, second: Warband, person: Any, ducats: int) -> Callable[[], Any]:
        def do() -> None:
            for _ in range(5):
                with recording(first, second, kind="trade", actor=person) as act:
                    act.pay(Price(ducats=ducats), reason="Given", warband=first)
                    act.earn(Price(ducats=ducats), reason="Taken", warband=second)
                    act.say("{who} traded.")

        return do

    results = at_once(trade(mine, theirs, ada, 3), trade(theirs, mine, ben, 1))
    assert results == [None, None]
    assert (s.purse(mine).ducats, s.purse(theirs).ducats) == (held[0] - 10, held[1] + 10)
    for warband in (mine, theirs):
        s.assert_reconciled(warband)


def test_two_undo_the_same_act_once(ada: Any) -> None:
    warband = s.small_warband(ada)
    s.hire(warband, "Yeoman")
    event = s.last_event(warband)
    results = at_once(lambda: undo(event=event, actor=ada), lambda: undo(event=event, actor=ada))
    assert kinds(results) == ["Event", "Refusal"]
    assert LedgerEntry.objects.filter(warband=warband, reason__startswith="Undone").count() == 1
    s.assert_reconciled(warband)


def test_acts_on_different_fields_both_stand(ada: Any, ben: Any) -> None:
    warband = s.small_warband(ada)
    ottla, matthias = s.fighter(warband, "Ottla"), s.fighter(warband, "Matthias")
    results = at_once(
        lambda: rename_fighter(fighter=ottla, name="Ottla the Grey", actor=ada),
        lambda: rename_fighter(fighter=matthias, name="Matthias the Red", actor=ben),
    )
    assert kinds(results) == ["Fighter", "Fighter"]
    numbers = list(warband.event_subjects.order_by("event_id").values_list("number", flat=True))
    assert numbers == list(range(1, s.fresh(warband).version + 1))
    s.assert_reconciled(warband)


def test_two_who_print_share_one_link_and_one_version(ada: Any) -> None:
    warband = s.small_warband(ada)
    links = at_once(lambda: print_link(s.fresh(warband)), lambda: print_link(s.fresh(warband)))
    assert {link.pk for link in links} == {ShareLink.objects.get().pk}
    kept = at_once(lambda: take_snapshot(s.fresh(warband)), lambda: take_snapshot(s.fresh(warband)))
    assert {snapshot.pk for snapshot in kept} == {Snapshot.objects.get().pk}
