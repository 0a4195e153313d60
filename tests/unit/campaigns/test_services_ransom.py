"""Captives: prices, acceptance, refusal, freedom."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Battle, Capture, RansomOffer
from campaigns.services.post_battle import finish_step, keep_choice
from campaigns.services.ransom import accept_price, give_up, let_go, name_price, open_offers, refuse_price
from rules.price import Price
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event
from warbands.recording import AlreadyDone, recording
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ILSE = "Ilse Brandt"


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def capture(made: c.Club, ada: Any, ben: Any) -> Capture:
    """Ada's leader, held by Ben since a battle whose sequence is open. Ada has money: she explored."""
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE]})
    sequence = c.begin(row, ada)
    key = f"trauma-{c.keys(made.warband(ada), ILSE)[0]}"
    c.type_in(sequence, key, 1, 2)
    c.write(sequence, key)
    c.resolve(row, ada, seed=3, answers={"way": "explore"})
    assert s.purse(made.warband(ada)).ducats >= 60
    return held()


def held() -> Capture:
    """The capture as the database holds it."""
    return Capture.objects.select_related(
        "fighter", "warband__terms", "warband__owner", "captor__terms", "captor__owner", "battle__campaign__terms"
    ).get()


def test_an_accepted_price_moves_money_and_fighter_in_one_act(
    made: c.Club, capture: Capture, ada: Any, ben: Any
) -> None:
    mine, theirs = s.purse(made.warband(ada)), s.purse(made.warband(ben))
    offer = name_price(capture=capture, by_captor=True, ducats=60, actor=ben)
    assert Event.objects.latest("pk").told == "ben asked 60 ducats for Ilse Brandt."
    accept_price(offer=offer, actor=ada)
    assert s.purse(made.warband(ada)) == Price(mine.ducats - 60, mine.glory)
    assert s.purse(made.warband(ben)) == Price(theirs.ducats + 60, theirs.glory)
    fighter = c.named(made.warband(ada), ILSE)
    assert (fighter.status, fighter.state["traumas"], s.kit_of(fighter)) == ("active", {}, [])
    assert held().status == Capture.Status.RANSOMED
    event = Event.objects.latest("pk")
    assert {subject.warband_id for subject in event.subjects.all()} >= {capture.warband_id, capture.captor_id}
    for user in (ada, ben):
        s.assert_reconciled(made.warband(user))
    with pytest.raises(AlreadyDone):
        accept_price(offer=offer, actor=ada)


def test_a_ransom_is_undone_over_both_ledgers(made: c.Club, capture: Capture, ada: Any, ben: Any) -> None:
    before = s.purse(made.warband(ada)), s.purse(made.warband(ben))
    accept_price(offer=name_price(capture=capture, by_captor=False, ducats=20, actor=ada), actor=ben)
    event = Event.objects.latest("pk")
    assert event.told == (
        "ben settled the ransom: The Lantern Wardens paid The Gallows Choir 20 ducats for Ilse Brandt."
    )
    undo(event=event, actor=ben)
    assert (s.purse(made.warband(ada)), s.purse(made.warband(ben))) == before
    assert held().status == Capture.Status.HELD
    assert c.named(made.warband(ada), ILSE).status == "captive"


def test_a_counter_offer_replaces_only_ones_own(capture: Capture, ada: Any, ben: Any) -> None:
    name_price(capture=capture, by_captor=True, ducats=60, actor=ben)
    name_price(capture=capture, by_captor=False, ducats=30, actor=ada)
    name_price(capture=capture, by_captor=False, ducats=40, actor=ada)
    assert [(o.by_captor, o.ducats) for o in open_offers(capture)] == [(True, 60), (False, 40)]
    old = RansomOffer.objects.get(ducats=30)
    with pytest.raises(Refusal, match="offer is no longer open"):
        accept_price(offer=old, actor=ben)


def test_naming_the_others_price_accepts_it(made: c.Club, capture: Capture, ada: Any, ben: Any) -> None:
    name_price(capture=capture, by_captor=True, ducats=50, actor=ben)
    name_price(capture=capture, by_captor=False, ducats=50, actor=ada)
    assert held().status == Capture.Status.RANSOMED


def test_a_price_binds_only_where_the_purse_covers_it(made: c.Club, capture: Capture, ada: Any, ben: Any) -> None:
    before = s.purse(made.warband(ben))
    offer = name_price(capture=capture, by_captor=True, ducats=5000, actor=ben)
    with pytest.raises(Refusal, match="The ransom costs 5000 ducats; The Lantern Wardens has"):
        accept_price(offer=offer, actor=ada)
    assert held().status == Capture.Status.HELD
    assert s.purse(made.warband(ben)) == before


@pytest.mark.parametrize("ducats", [0, -5, 10_000, "many"])
def test_a_price_is_a_number_of_ducats(capture: Capture, ben: Any, ducats: Any) -> None:
    with pytest.raises(Refusal, match="whole number from 1"):
        name_price(capture=capture, by_captor=True, ducats=ducats, actor=ben)


def test_a_refused_price_leaves_the_captive_where_it_is(capture: Capture, ada: Any, ben: Any) -> None:
    offer = name_price(capture=capture, by_captor=True, ducats=60, actor=ben)
    assert refuse_price(offer=offer, actor=ada).status == RansomOffer.Status.REFUSED
    assert open_offers(capture) == []
    assert held().status == Capture.Status.HELD


def test_a_captor_may_ask_nothing(made: c.Club, capture: Capture, ada: Any, ben: Any) -> None:
    let_go(capture=capture, actor=ben)
    assert held().status == Capture.Status.FREED
    assert c.named(made.warband(ada), ILSE).status == "active"
    with pytest.raises(Refusal, match="no longer held: let go"):
        let_go(capture=capture, actor=ben)
    s.assert_reconciled(made.warband(ada))


def test_an_owner_may_give_a_captive_up(made: c.Club, capture: Capture, ada: Any) -> None:
    give_up(capture=capture, actor=ada)
    assert held().status == Capture.Status.LOST
    assert c.named(made.warband(ada), ILSE).status == "left"
    s.assert_reconciled(made.warband(ada))


def test_an_administrator_bargains_for_an_absent_owner(capture: Capture, cleo: Any) -> None:
    name_price(capture=capture, by_captor=True, ducats=10, actor=cleo)
    assert Event.objects.latest("pk").told == "cleo, for ben, asked 10 ducats for Ilse Brandt."


def test_neither_sequence_waited(capture: Capture, made: c.Club, ada: Any) -> None:
    assert capture.battle is not None
    assert c.sequence_row(capture.battle, ada).closed_at is not None
    assert c.fresh_battle(capture.battle).status == Battle.Status.REPORTED


# --- where captives are settled at once


@story
def at_once(cleo: Any, ada: Any, ben: Any) -> Any:
    """Ada's leader, held by Ben in edition 1.0; another of hers waits for the trauma chart."""
    made = c.club(cleo, ada, ben, edition="1.0")
    row = c.mustered(made, ada, ben, scenario="relic-hunt")
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE]})
    sequence = c.begin(row, ada)
    key = c.keys(made.warband(ada), ILSE)[0]
    c.type_in(sequence, f"trauma-{key}", 1, 2)
    c.write(sequence, f"trauma-{key}")
    return made, sequence, key


def test_the_step_waits_until_both_agree_on_a_ransom(at_once: Any, ada: Any, ben: Any) -> None:
    made, sequence, _ = at_once
    kit = s.kit_of(c.named(made.warband(ada), ILSE))
    assert kit
    with pytest.raises(Refusal, match="Trauma is still open: Ilse Brandt, captive"):
        finish_step(post_battle=sequence, step="trauma", actor=ada)
    with recording(made.warband(ada), kind="camp", actor=ada) as act:
        act.earn(Price(ducats=40), reason="Found")
    mine, theirs = s.purse(made.warband(ada)), s.purse(made.warband(ben))
    name_price(capture=held(), by_captor=False, ducats=20, actor=ada)
    offer = name_price(capture=held(), by_captor=True, ducats=30, actor=ben)
    accept_price(offer=offer, actor=ada)
    assert (s.purse(made.warband(ada)).ducats, s.purse(made.warband(ben)).ducats) == (
        mine.ducats - 30, theirs.ducats + 30,
    )  # fmt: skip
    fighter = c.named(made.warband(ada), ILSE)
    assert (fighter.status, fighter.state["traumas"], s.kit_of(fighter)) == ("active", {}, kit)
    finish_step(post_battle=sequence, step="trauma", actor=ada)
    undo(event=Event.objects.get(kind="ransom"), actor=ben)  # the captor may take its consent back as well
    assert c.named(made.warband(ada), ILSE).status == "captive"
    assert s.purse(made.warband(ben)) == theirs


def test_without_a_ransom_the_captive_is_executed_in_the_owners_sequence(at_once: Any, ada: Any, ben: Any) -> None:
    made, sequence, key = at_once
    name_price(capture=held(), by_captor=True, ducats=30, actor=ben)
    with pytest.raises(Refusal, match="decides this in the post-battle"):
        give_up(capture=held(), actor=ada)
    keep_choice(post_battle=sequence, task_key=f"ransom-{key}", choice_key="ransom", value="unpaid", actor=ada)
    c.write(sequence, f"ransom-{key}")
    assert (held().status, open_offers(held())) == ("lost", [])
    assert c.named(made.warband(ada), ILSE).status == "dead"
    finish_step(post_battle=sequence, step="trauma", actor=ada)
    undo(event=Event.objects.filter(kind="write").latest("pk"), actor=ada)
    assert (held().status, [offer.ducats for offer in open_offers(held())]) == ("held", [30])


def test_a_captor_may_let_go_at_once(at_once: Any, ada: Any, ben: Any) -> None:
    made, sequence, _ = at_once
    let_go(capture=held(), actor=ben)
    assert s.kit_of(c.named(made.warband(ada), ILSE))
    finish_step(post_battle=sequence, step="trauma", actor=ada)
