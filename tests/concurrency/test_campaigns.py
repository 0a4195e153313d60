"""Two people at once in a campaign: one result, and the other reads who was first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from campaigns.models import Battle, Capture, PostBattle, Report, ReportDraft, Seat, Side
from campaigns.services.answers import confirm_report, confirm_silent, dispute_report
from campaigns.services.battle_setup import keep_setup_roll
from campaigns.services.join import add_seat, claim_seat, join_campaign
from campaigns.services.muster import make_side_ready
from campaigns.services.post_battle import close_post_battle, finish_step, keep_roll, start_post_battle, write_task
from campaigns.services.ransom import accept_price, name_price
from campaigns.services.repairs import put_back
from campaigns.services.report_drafts import hand_out_report_code, refuse_report_draft, send_report_draft
from campaigns.services.reports import send_report
from campaigns.services.void import void_battle
from rules.dice import SeededDice
from tests import campaign_stories as c
from tests import stories as s
from tests.concurrency.test_two_at_once import at_once, kinds
from warbands.models import Event
from warbands.recording import lock_together, recording

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ILSE = "Ilse Brandt"


def events(kind: str) -> int:
    """How many events of a kind there are."""
    return Event.objects.filter(kind=kind).count()


def reported(made: c.Club, ada: Any, ben: Any, **what: Any) -> Battle:
    """A battle that Ben reported and won."""
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben, **what)
    return c.fresh_battle(row)


def test_one_person_who_joins_on_two_phones_takes_one_seat(cleo: Any, ada: Any) -> None:
    made = c.club(cleo)
    token = c.link(made.campaign)

    def join() -> Seat:
        return join_campaign(invitation_token=token, actor=ada)

    one, other = at_once(join, join)
    assert one.pk == other.pk
    assert events("join") == 1


def test_a_seat_is_claimed_by_one_of_two(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo)
    seat = add_seat(campaign=made.campaign, actor=cleo, name="Old Hannes")

    def claim(user: Any) -> Callable[[], Seat]:
        return lambda: claim_seat(claim_token=seat.claim_token, actor=user)

    assert kinds(at_once(claim(ada), claim(ben))) == ["Refusal", "Seat"]


def test_both_sides_ready_at_once_muster_the_battle(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.battle(made, ada, ben)
    sides = c.side(row, ada), c.side(row, ben)
    results = at_once(
        lambda: make_side_ready(side=sides[0], actor=ada), lambda: make_side_ready(side=sides[1], actor=ben)
    )
    assert kinds(results) == ["Side", "Side"]
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    for user in (ada, ben):
        s.assert_reconciled(made.warband(user))


def test_a_battle_is_set_up_while_others_change_their_rosters(cleo: Any, ada: Any, ben: Any) -> None:
    """What points to a locked row does not wait for it: such waits are in no order, and two of them end in a deadlock."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time.")
    made = c.club(cleo, ada, ben)
    held, done = threading.Event(), threading.Event()

    def change() -> None:
        with recording(made.warband(ada), kind="note", actor=ada) as act:
            held.set()
            assert done.wait(30)
            act.say("{who} thought for a while.")

    def set_up() -> Battle:
        assert held.wait(30)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '3s'")
        try:
            return c.battle(made, ben, ada)
        finally:
            done.set()

    assert kinds(at_once(change, set_up)) == ["Battle", "NoneType"]
    s.assert_reconciled(made.warband(ada))


def test_a_scenario_is_rolled_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.battle(made, ada, ben, scenario="")

    def roll(user: Any) -> Callable[[], Any]:
        return lambda: keep_setup_roll(battle=row, what="scenario", actor=user, source="app", at=0, dice=SeededDice(1))

    assert kinds(at_once(roll(ada), roll(ben))) == ["AlreadyDone", "Progress"]
    assert events("roll") == 1


def test_both_report_the_same_and_one_report_is_confirmed(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    data = c.report_data(row, ada)
    sides = {user.pk: c.side(row, user) for user in (ada, ben)}

    def report(user: Any) -> Callable[[], Report]:
        return lambda: send_report(battle=row, actor=user, by_side=sides[user.pk], data=data)

    assert kinds(at_once(report(ada), report(ben))) == ["Report", "Report"]
    assert Report.objects.count() == 1
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert PostBattle.objects.count() == 2


def test_both_report_otherwise_and_one_is_told(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    data = {user.pk: c.report_data(row, user) for user in (ada, ben)}
    sides = {user.pk: c.side(row, user) for user in (ada, ben)}

    def report(user: Any) -> Callable[[], Report]:
        return lambda: send_report(battle=row, actor=user, by_side=sides[user.pk], data=data[user.pk])

    results = at_once(report(ada), report(ben))
    assert kinds(results) == ["Refusal", "Report"]
    assert Report.objects.count() == 1


def test_confirming_twice_confirms_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben)
    mine = c.side(row, ada)
    results = at_once(
        lambda: confirm_report(battle=row, actor=ada, side=mine), lambda: confirm_report(battle=row, actor=cleo)
    )
    assert kinds(results) == ["AlreadyDone", "Battle"]
    assert events("confirm") == 1


def test_a_confirmation_and_a_dispute_come_to_one_of_the_two(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben)
    mine = c.side(row, ada)
    results = at_once(
        lambda: confirm_report(battle=row, actor=cleo),
        lambda: dispute_report(battle=row, side=mine, actor=ada, words="No."),
    )
    assert "Refusal" in kinds(results)
    assert c.fresh_battle(row).status in (Battle.Status.CONFIRMED, Battle.Status.DISPUTED)
    assert events("confirm") + events("dispute") == 1


def test_silence_and_an_answer_confirm_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben)
    assert row.confirm_by is not None
    mine, late = c.side(row, ada), row.confirm_by
    at_once(lambda: confirm_silent(late), lambda: confirm_report(battle=row, actor=ada, side=mine))
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert events("confirm") == 1


def test_a_sequence_begun_on_two_devices_begins_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben)
    mine = c.side(row, ada)

    def begin() -> PostBattle:
        return start_post_battle(side=mine, actor=ada)

    assert kinds(at_once(begin, begin)) == ["PostBattle", "PostBattle"]
    assert made.warband(ada).state["fought"] == 1
    assert events("fought") == 1
    s.assert_reconciled(made.warband(ada))


def test_a_roll_and_its_writing_happen_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben, out={ada: [ILSE]})
    sequence = c.begin(row, ada)
    key = f"trauma-{c.keys(made.warband(ada), ILSE)[0]}"

    def roll(first: int) -> Callable[[], Any]:
        return lambda: keep_roll(post_battle=sequence, task_key=key, source="typed", faces=[first, 1], at=0, actor=ada)

    assert kinds(at_once(roll(3), roll(4))) == ["AlreadyDone", "tuple"]
    assert len(c.sequence_row(row, ada).record["draws"][key]) == 1

    def write() -> Event:
        return write_task(post_battle=sequence, task_key=key, actor=ada)

    assert kinds(at_once(write, write)) == ["AlreadyDone", "Event"]
    assert events("write") == 1
    s.assert_reconciled(made.warband(ada))


def test_a_step_is_finished_and_a_sequence_closed_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben)
    sequence = c.begin(row, ada)

    def finish() -> PostBattle:
        return finish_step(post_battle=sequence, step="injuries", actor=ada)

    assert kinds(at_once(finish, finish)) == ["PostBattle", "PostBattle"]
    assert c.sequence_row(row, ada).done == ["injuries"]
    ended = c.resolve(row, ada, until="roster")

    def close() -> PostBattle:
        return close_post_battle(post_battle=ended, actor=ada)

    assert kinds(at_once(close, close)) == ["PostBattle", "PostBattle"]
    assert events("close") == 1
    s.assert_reconciled(made.warband(ada))


def test_both_sides_resolve_at_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben, out={ada: [ILSE]})
    results = at_once(lambda: c.resolve(row, ada, seed=1), lambda: c.resolve(row, ben, seed=2))
    assert kinds(results) == ["PostBattle", "PostBattle"]
    for user in (ada, ben):
        s.assert_reconciled(made.warband(user))


def test_a_ransom_is_paid_once(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = reported(made, ada, ben, out={ada: [ILSE]})
    sequence = c.begin(row, ada)
    key = f"trauma-{c.keys(made.warband(ada), ILSE)[0]}"
    c.type_in(sequence, key, 1, 2)
    c.write(sequence, key)
    c.resolve(row, ada, seed=3, answers={"way": "explore"})
    capture = Capture.objects.select_related(
        "fighter", "warband__terms", "warband__owner", "captor__terms", "captor__owner", "battle__campaign__terms"
    ).get()
    offer = name_price(capture=capture, by_captor=True, ducats=20, actor=ben)
    before = s.purse(made.warband(ada)).ducats, s.purse(made.warband(ben)).ducats

    def accept(user: Any) -> Callable[[], Any]:
        return lambda: accept_price(offer=offer, actor=user)

    assert kinds(at_once(accept(ada), accept(cleo))) == ["AlreadyDone", "RansomOffer"]
    assert (s.purse(made.warband(ada)).ducats, s.purse(made.warband(ben)).ducats) == (before[0] - 20, before[1] + 20)
    for user in (ada, ben):
        s.assert_reconciled(made.warband(user))


def test_two_reports_sent_at_once_by_one_code_are_one_draft(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    code, data = hand_out_report_code(side=c.side(row, ada)), c.report_data(row, ada)
    sides = [c.side(row, ada) for _ in range(2)]

    def send(side: Side) -> Callable[[], ReportDraft]:
        return lambda: send_report_draft(side=side, actor=None, data=data, code=code)

    assert kinds(at_once(*(send(side) for side in sides))) == ["Refusal", "ReportDraft"]
    assert ReportDraft.objects.count() == 1
    assert events("report-draft") == 1


def test_a_draft_accepted_and_refused_at_once_is_one_of_both(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    mine, data = c.side(row, ada), c.report_data(row, ada)
    draft = send_report_draft(side=mine, actor=ada, data=data)
    one, other = (ReportDraft.objects.select_related("battle__campaign__terms", "side__seat").get() for _ in range(2))
    results = at_once(
        lambda: send_report(battle=row, actor=ada, by_side=mine, data=data, draft=one),
        lambda: refuse_report_draft(draft=other, actor=cleo, words="No"),
    )
    draft.refresh_from_db()
    assert "Refusal" in kinds(results)
    assert (draft.state == "accepted") is (Report.objects.count() == 1)


def test_a_battle_is_voided_while_a_later_one_goes_on(cleo: Any, ada: Any, ben: Any) -> None:
    """Unwinding takes acts of the later battle back. It waits for that battle before it locks a warband, as every act does."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time.")
    made = c.club(cleo, ada, ben)
    first = c.mustered(made, ada, ben)
    c.fight(first, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.resolve(first, ada)
    c.resolve(first, ben)
    later = c.mustered(made, ada, ben)
    c.fight(later, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.resolve(later, ada)
    held = threading.Event()

    def go_on() -> None:
        with transaction.atomic():
            lock_together([later])
            held.set()
            wait_for_a_lock()
            lock_together([made.warband(ada)])

    def void() -> Any:
        assert held.wait(30)
        return void_battle(battle=first, actor=cleo, words="Wrong night.", unwinds=True)

    assert kinds(at_once(go_on, void)) == ["NoneType", "Voided"]
    s.assert_reconciled(made.warband(ada))


def wait_for_a_lock() -> None:
    """Return when another connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        for _ in range(600):
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.05)
    raise AssertionError("Nobody waits.")


def test_a_warband_is_put_back_while_its_battle_goes_on(cleo: Any, ada: Any, ben: Any) -> None:
    """Putting back takes a post-battle's acts back. It waits for the battle before it locks the warband."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time.")
    made = c.club(cleo, ada, ben)
    version = made.warband(ada).version
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, until="threshold")
    held = threading.Event()

    def go_on() -> None:
        with transaction.atomic():
            lock_together([row])
            held.set()
            wait_for_a_lock()
            lock_together([made.warband(ada)])

    def back() -> Any:
        assert held.wait(30)
        return put_back(seat=made.seat(ada), version=version, actor=cleo, words="Wrong list.")

    assert kinds(at_once(go_on, back)) == ["NoneType", "PutBack"]
    s.assert_reconciled(made.warband(ada))
