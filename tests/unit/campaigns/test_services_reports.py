"""Reports: sent, confirmed, disputed, decided, amended, voided; and battles nobody played."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from campaigns.battle_sheet import battle_sheet
from campaigns.models import Battle, PostBattle, Report, Side
from campaigns.pages.administer import administer_page
from campaigns.pages.desk_queries import read_board
from campaigns.pages.desk_waits import waits
from campaigns.pages.report import report_page
from campaigns.services.amend import amend_report, preview_amendment
from campaigns.services.answers import confirm_report, confirm_silent, decide_dispute, dispute_report
from campaigns.services.common import live_sides, side_name
from campaigns.services.muster import take_back_ready
from campaigns.services.reports import record_unplayed, send_report
from rules.price import Price
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Item
from warbands.recording import AlreadyDone, recording
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """Their battle, both sides ready."""
    return c.mustered(made, ada, ben)


# --- sending


def test_a_report_holds_where_somebody_is_no_longer_ready_when_it_comes(
    row: Battle, ada: Any, ben: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben takes his roster back after the report has read the sides, and before it has locked them."""
    given = c.report_data(row, ada)
    reads: list[int] = []

    def read(battle: Battle) -> list[Side]:
        found = live_sides(battle)
        reads.append(len(found))
        if len(reads) == 1:
            take_back_ready(side=c.side(row, ben), actor=ben)
        return found

    monkeypatch.setattr("campaigns.services.reports.live_sides", read)
    send_report(battle=row, actor=ada, by_side=c.side(row, ada), data=given)
    assert len(reads) == 2
    assert Report.objects.count() == 1
    assert c.side(row, ben).ready_at is not None
    assert Event.objects.filter(kind="report").count() == 1


def test_a_report_sets_results_and_waits_for_the_other_side(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    report = c.fight(row, by=ben, winner=ada, points={ada: 3, ben: 1}, out={ada: ["Ilse Brandt", "Ottla"]})
    row = c.fresh_battle(row)
    assert row.status == Battle.Status.REPORTED
    assert row.confirm_by is not None
    assert timedelta(days=6) < row.confirm_by - timezone.now() <= timedelta(days=7)
    assert (c.side(row, ada).result, c.side(row, ada).points) == ("won", 3)
    assert (c.side(row, ben).result, c.side(row, ben).points) == ("lost", 1)
    assert c.side(row, ben).confirmed_by == ben
    assert c.side(row, ada).confirmed_at is None
    assert len(report.data["took_part"][str(c.side(row, ada).pk)]) == 9
    assert PostBattle.objects.filter(started_at=None).count() == 2
    told = "ben reported Hill 223: The Lantern Wardens won (The Lantern Wardens 3, The Gallows Choir 1)."
    assert s.last_event(made.warband(ada)).told == told


def test_a_report_turns_no_open_form_of_the_warbands_stale(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    version = made.warband(ada).version
    c.fight(row, by=ben, winner=ada)
    confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    assert made.warband(ada).version == version


def test_a_side_that_never_mustered_is_frozen_by_the_report(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    mine = c.side(row, ben)
    assert mine.snapshot is not None
    assert (mine.number, len(mine.force["taken"])) == (1, 9)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"winner": "999999"}, "the winner is not one of the sides"),
        ({"outcome": "won", "winner": None}, "choose who won"),
        ({"points": {"999999": 3}}, "Victory points"),
        ({"out": {"MINE": {"999999": ""}}}, "did not take part"),
        ({"took_part": {"MINE": ["999999"]}}, "no such fighter"),
        ({"points": {"MINE": 1000}}, "0 to 999"),
        ({"points": {"MINE": -1}}, "0 to 999"),
        ({"points": {"MINE": "three"}}, "0 to 999"),
        ({"points": {"MINE": 2.5}}, "0 to 999"),
        ({"campaign_points": {"MINE": "x"}}, "Campaign points of The Lantern Wardens"),
        ({"deeds": [["walking-on-water", "MINE", ""]]}, "not a deed of this battle"),
        ({"deeds": [["sniper", "MINE", ""]]}, "choose the fighter of"),
        ({"used": {"MINE": ["999999"]}}, "does not hold"),
        ({"sauce": 1}, "has no “sauce”"),
    ],
)
def test_a_report_that_contradicts_itself_names_the_field(
    row: Battle, ada: Any, wrong: dict[str, Any], words: str
) -> None:
    mine = str(c.side(row, ada).pk)

    def at(value: Any) -> Any:
        if isinstance(value, dict):
            return {mine if key == "MINE" else key: at(each) for key, each in value.items()}
        if isinstance(value, list):
            return [at(each) for each in value]
        return mine if value == "MINE" else value

    events = Event.objects.count()
    with pytest.raises(Refusal, match=words):
        send_report(battle=row, actor=ada, by_side=c.side(row, ada), data={**c.report_data(row), **at(wrong)})
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    assert Event.objects.count() == events
    assert not Report.objects.exists()


def test_who_was_out_names_who_did_it_or_nobody(made: c.Club, row: Battle, ada: Any) -> None:
    mine, key = str(c.side(row, ada).pk), c.keys(made.warband(ada), "Ottla")[0]
    data = c.report_data(row)
    with pytest.raises(Refusal, match="the side that did it"):
        send_report(battle=row, actor=ada, by_side=c.side(row, ada), data={**data, "out": {mine: {key: "5"}}})
    report = send_report(battle=row, actor=ada, by_side=c.side(row, ada), data={**data, "out": {mine: {key: None}}})
    assert report.data["out"][mine] == {key: ""}


def test_a_deed_belongs_to_the_battle_and_is_done_once(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    twice = [("sniper", ada, "Ottla"), ("sniper", ben, c.named_first(made, ben))]
    with pytest.raises(Refusal, match="Sniper: only the first fighter gets it"):
        c.fight(row, by=ada, winner=ada, deeds=twice)
    report = c.fight(row, by=ada, winner=ada, deeds=twice[:1])
    assert report.data["deeds"][0][0] == "sniper"


def test_a_deed_of_one_side_is_open_to_that_side_alone(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, edition="1.0")
    row = c.mustered(made, ada, ben, attacker=ada, scenario="supply-raid")
    sides = live_sides(row)
    offered = {line.name: line.groups for line in report_page(row, sides, sides[0], mode="send", given={}).deeds}
    mine, theirs = (side_name(side) for side in sides)
    for deed, names in (("daring-raid", [mine]), ("save-the-supplies", [theirs]), ("personal-revenge", [mine, theirs])):
        if f"deed_{deed}" in offered:
            assert [name for name, _ in offered[f"deed_{deed}"]] == names
    assert {"deed_daring-raid", "deed_save-the-supplies"} <= set(offered)
    on_paper = {deed.name: deed.only for deed in battle_sheet(row, sides, sides, "A4").deeds}
    assert (on_paper["Daring Raid"], on_paper["Save the Supplies!"]) == (mine, theirs)
    wrong = [("daring-raid", ben, c.named_first(made, ben))]
    with pytest.raises(Refusal, match=r"Daring Raid: only the attacker can do it, and .* defends"):
        c.fight(row, by=ada, winner=ada, deeds=wrong)
    right = [("daring-raid", ada, c.named_first(made, ada)), ("save-the-supplies", ben, "")]
    assert len(c.fight(row, by=ada, winner=ada, deeds=right).data["deeds"]) == 2
    with pytest.raises(Refusal, match="only the defender can do it"):
        amend_report(battle=row, actor=cleo, data=c.report_data(row, ada, deeds=[("save-the-supplies", ada, "")]))


def test_while_nobody_attacks_a_deed_of_one_side_is_open_to_all(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, edition="1.0")
    row = c.mustered(made, ada, ben, scenario="supply-raid")
    deeds = [("daring-raid", ben, c.named_first(made, ben))]
    assert c.fight(row, by=ada, winner=ada, deeds=deeds).data["deeds"]


def test_both_reporting_the_same_at_once_confirms(row: Battle, ada: Any, ben: Any) -> None:
    first = c.fight(row, by=ada, winner=ada, points={ada: 2})
    second = c.fight(row, by=ben, winner=ada, points={ada: 2})
    assert first.pk == second.pk
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert Report.objects.count() == 1


def test_the_second_of_two_different_reports_reads_who_was_first(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ada, winner=ada, points={ada: 2})
    with pytest.raises(Refusal, match=r"The Lantern Wardens reported this battle at .* confirm or dispute") as refusal:
        c.fight(row, by=ben, winner=ben)
    assert refusal.value.code == "reported"
    with pytest.raises(AlreadyDone):
        c.fight(row, by=ada, winner=ada, points={ada: 2})


def test_the_winner_is_not_the_higher_score(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ada, winner=ben, points={ada: 9, ben: 0}, campaign_points={str(c.side(row, ada).pk): 1})
    assert (c.side(row, ada).result, c.side(row, ada).points, c.side(row, ada).campaign_points) == ("lost", 9, 1)


@pytest.mark.parametrize(("outcome", "result"), [("drawn", "drawn"), ("none", "none")])
def test_nobody_need_win(row: Battle, ada: Any, outcome: str, result: str) -> None:
    c.fight(row, by=ada, outcome=outcome)
    assert [side.result for side in row.sides.all()] == [result, result]


# --- answers


def test_the_other_side_confirms(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ben, winner=ada)
    assert confirm_report(battle=row, actor=ada, side=c.side(row, ada)).status == Battle.Status.CONFIRMED
    assert Event.objects.latest("pk").told == "ada confirmed the report of Hill 223."
    with pytest.raises(AlreadyDone) as done:
        confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    assert done.value.event is not None


def test_both_confirm_on_one_phone_and_history_says_for_whom(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ben, winner=ada)
    confirm_report(battle=row, actor=ben, side=c.side(row, ada))
    assert Event.objects.latest("pk").told == "ben, for ada, confirmed the report of Hill 223."
    assert c.side(row, ada).confirmed_by == ben


def test_an_administrator_confirms_for_all(row: Battle, ada: Any, cleo: Any) -> None:
    send_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert confirm_report(battle=row, actor=cleo).status == Battle.Status.CONFIRMED


def test_a_guests_report_waits_for_an_administrator(made: c.Club, ada: Any, cleo: Any) -> None:
    row = c.mustered(made, ada, guests=[("Emil", "HERETIC")])
    assert row.status == Battle.Status.MUSTERED
    c.fight(row, by=ada, winner=ada)
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert PostBattle.objects.count() == 1
    assert confirm_report(battle=row, actor=cleo).status == Battle.Status.CONFIRMED


def test_with_three_sides_every_other_or_one_other_confirms(cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    for who, status in (("all", Battle.Status.REPORTED), ("one", Battle.Status.CONFIRMED)):
        for user in (ada, ben, dora):
            user.seats.update(status="left")
        made = c.club(cleo, ada, ben, dora, settings={"confirm_by": who})
        row = c.mustered(made, ada, ben, dora)
        c.fight(row, by=ada, winner=ada)
        assert confirm_report(battle=row, actor=ben, side=c.side(row, ben)).status == status


def test_silence_confirms_after_its_days(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ben, winner=ada)
    assert confirm_silent() == []
    late = timezone.now() + timedelta(days=8)
    assert [each.pk for each in confirm_silent(late)] == [row.pk]
    assert confirm_silent(late) == []
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert (
        Event.objects.latest("pk").told
        == "Silence confirmed the report of Hill 223: no answer from The Lantern Wardens."
    )


def test_the_command_for_silence_says_what_it_did(row: Battle, ada: Any, ben: Any, capsys: Any) -> None:
    c.fight(row, by=ben, winner=ada)
    Battle.objects.filter(pk=row.pk).update(confirm_by=timezone.now() - timedelta(hours=1))
    call_command("confirm_silent")
    assert "Reports confirmed by silence: 1" in capsys.readouterr().out


def test_no_silence_where_the_campaign_waits_for_ever(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"silence_days": 0})
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ada)
    assert confirm_silent(timezone.now() + timedelta(days=999)) == []


def test_a_dispute_waits_for_the_administrator_and_nothing_else_does(
    made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    c.fight(row, by=ben, winner=ben, out={ada: ["Ottla"]})
    with pytest.raises(Refusal, match="in a sentence"):
        dispute_report(battle=row, side=c.side(row, ada), actor=ada, words="  ")
    with pytest.raises(Refusal, match="your own report"):
        dispute_report(battle=row, side=c.side(row, ben), actor=ben, words="No.")
    dispute_report(battle=row, side=c.side(row, ada), actor=ada, words="Ottla stood.", data=c.report_data(row, ben))
    row = c.fresh_battle(row)
    assert (row.status, row.confirm_by) == (Battle.Status.DISPUTED, None)
    with pytest.raises(Refusal, match="disputed"):
        confirm_report(battle=row, actor=ben, side=c.side(row, ben))
    with pytest.raises(AlreadyDone):
        dispute_report(battle=row, side=c.side(row, ada), actor=ada, words="Ottla stood.")
    assert confirm_silent(timezone.now() + timedelta(days=99)) == []
    open_one = c.begin(row, ada)
    assert open_one.aftermath["mine"]["out"] == c.keys(made.warband(ada), "Ottla")
    version = Report.objects.get(stands=False)
    amendment = decide_dispute(battle=row, actor=cleo, version=version, words="The log agrees.")
    assert Event.objects.latest("pk").told.startswith("cleo decided on Hill 223:")
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert amendment.report.data["out"][str(c.side(row, ada).pk)] == {}
    assert c.sequence_row(row, ada).aftermath["mine"]["out"] == []


def test_a_decision_may_let_the_report_stand(row: Battle, ada: Any, ben: Any, cleo: Any) -> None:
    report = c.fight(row, by=ben, winner=ben)
    dispute_report(battle=row, side=c.side(row, ada), actor=ada, words="I won.")
    assert decide_dispute(battle=row, actor=cleo).report.pk == report.pk
    assert c.side(row, ben).result == "won"
    with pytest.raises(AlreadyDone):
        decide_dispute(battle=row, actor=cleo)


def test_a_report_and_its_answers_are_not_undone(row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ben, winner=ben)
    with pytest.raises(Refusal, match="can amend it"):
        undo(event=Event.objects.latest("pk"), actor=ben)
    confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    with pytest.raises(Refusal, match="A confirmation can't be undone"):
        undo(event=Event.objects.latest("pk"), actor=ada)


# --- amending


def test_amended_points_change_the_standings_alone(made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any) -> None:
    c.fight(row, by=ben, winner=ben, points={ben: 3})
    confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    c.begin(row, ben)
    before = s.purse(made.warband(ben))
    amendment = amend_report(battle=row, actor=cleo, data=c.report_data(row, ben, points={ben: 4}))
    assert (amendment.done, amendment.open) == ((), ())
    assert c.side(row, ben).points == 4
    assert s.purse(made.warband(ben)) == before
    assert c.fresh_battle(row).status == Battle.Status.CONFIRMED
    assert [r.number for r in Report.objects.all()] == [1, 2]


@pytest.mark.parametrize("is_disputed", [False, True])
def test_a_sequence_that_began_after_the_warbands_to_lock_were_read_is_no_crash(
    made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any, is_disputed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the lock another request may begin a sequence: its warband is not locked, so the report stays as it was."""
    c.fight(row, by=ben, winner=ben, points={ben: 3})
    if is_disputed:
        dispute_report(battle=row, side=c.side(row, ada), actor=ada, words="I won.")
    c.begin(row, ben)
    data = c.report_data(row, ada, out={ben: [made.warband(ben).fighters.order_by("pk").first().name]})
    for module in ("amend", "answers"):
        monkeypatch.setattr(f"campaigns.services.{module}.begun_warbands", lambda sides: [])
    with pytest.raises(Refusal, match="started its post-battle a moment ago"):
        (decide_dispute if is_disputed else amend_report)(battle=row, actor=cleo, data=data)
    assert Report.objects.count() == 1
    monkeypatch.undo()
    (decide_dispute if is_disputed else amend_report)(battle=row, actor=cleo, data=data)
    assert Report.objects.count() == 2


def test_an_own_amendment_asks_for_the_answer_again(row: Battle, ada: Any, ben: Any, dora: Any, cleo: Any) -> None:
    c.fight(row, by=ben, winner=ben, points={ben: 3})
    amend_report(battle=row, actor=ben, by_side=c.side(row, ben), data=c.report_data(row, ben, points={ben: 2}))
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert c.side(row, ben).confirmed_at is not None
    confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    with pytest.raises(Refusal, match="An administrator can amend it"):
        amend_report(battle=row, actor=ben, by_side=c.side(row, ben), data=c.report_data(row, ben))


def experience(warband: Any, name: str) -> int:
    """What a fighter has learned."""
    return int(s.fighter(warband, name).state["experience"])


def test_a_deed_remembered_later_brings_glory_experience_and_a_promotion_die(
    made: c.Club, row: Battle, ada: Any, cleo: Any
) -> None:
    c.fight(row, by=ada, winner=ada)
    sequence = c.resolve(row, ada, seed=2)
    assert sequence.closed_at is not None
    before, learned = s.purse(made.warband(ada)).glory, experience(made.warband(ada), "Ilse Brandt")
    data = c.report_data(row, ada, deeds=[("sniper", ada, "Ilse Brandt")])
    listed = preview_amendment(battle=row, actor=cleo, data=data)
    assert s.purse(made.warband(ada)).glory == before
    amendment = amend_report(battle=row, actor=cleo, data=data)
    assert (listed.done, listed.open) == (amendment.done, amendment.open)
    assert amendment.done == (
        "The Lantern Wardens: 1 glory received: Sniper, by Ilse Brandt.",
        f"The Lantern Wardens: Ilse Brandt: experience {learned} to {learned + 1}.",
    )
    assert amendment.open == (
        "The Lantern Wardens, Experience: now to do: Ilse Brandt: skill at 2.",
        "The Lantern Wardens, Promotions: now to do: One promotion die more.",
    )
    assert s.purse(made.warband(ada)).glory == before + 1
    assert experience(made.warband(ada), "Ilse Brandt") == learned + 1
    sequence = c.sequence_row(row, ada)
    assert sequence.closed_at is None
    c.resolve(row, ada, seed=1)
    assert c.look(sequence).is_written("promotion-2")
    s.assert_reconciled(made.warband(ada))
    gone = amend_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    assert s.purse(made.warband(ada)).glory == before
    assert experience(made.warband(ada), "Ilse Brandt") == learned
    assert any("taken back" in line for line in gone.done)
    assert gone.open == (
        "The Lantern Wardens: Ilse Brandt learned a skill at 2 experience and keeps it, unless that is undone.",
        "The Lantern Wardens: The promotion dice were rolled with more of them than there are now; "
        "what they came to stands.",
    )
    s.assert_reconciled(made.warband(ada))


def test_a_deed_told_twice_over_brings_its_glory_once_though_it_was_spent_between(
    made: c.Club, row: Battle, ada: Any, cleo: Any
) -> None:
    done = c.report_data(row, ada, deeds=[("sniper", ada, "Ottla")])
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.begin(row, ada)
    with recording(made.warband(ada), kind="spend", actor=ada) as act:
        act.pay(Price(glory=1), reason="A candle")
    amend_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    again = amend_report(battle=row, actor=cleo, data=done)
    assert again.done == ()
    assert s.purse(made.warband(ada)).glory == 0
    s.assert_reconciled(made.warband(ada))


def test_an_injury_of_somebody_who_was_not_out_stays_listed_and_is_flagged(
    made: c.Club, row: Battle, ada: Any, cleo: Any
) -> None:
    c.fight(row, by=ada, winner=ada, out={ada: ["Ottla"]})
    sequence = c.begin(row, ada)
    key = f"casualty-{c.keys(made.warband(ada), 'Ottla')[0]}"
    c.type_in(sequence, key, 1)
    death = c.write(sequence, key)
    amendment = amend_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    assert amendment.open == (
        "The Lantern Wardens, Injuries: Ottla was written before this; undo it and write it again to take it in.",
    )
    assert key in [task.key for task in c.look(sequence).tasks("injuries")]
    undo(event=death, actor=ada)
    assert [task.key for task in c.look(sequence).waiting("injuries")] == []
    assert s.fighter(made.warband(ada), "Ottla").status == "active"
    s.assert_reconciled(made.warband(ada))


def test_one_deed_put_for_another_moves_the_glory_along(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.begin(row, ada)
    assert s.purse(made.warband(ada)).glory == 1
    amendment = amend_report(
        battle=row, actor=cleo, data=c.report_data(row, ada, deeds=[("dragon-slayer", ada, "Ottla")])
    )
    assert s.purse(made.warband(ada)).glory == 2
    assert amendment.done == (
        "The Lantern Wardens: 1 glory taken back: Sniper, by Ottla.",
        "The Lantern Wardens: 2 glory received: Dragon Slayer, by Ottla.",
    )
    assert amendment.open == ()
    s.assert_reconciled(made.warband(ada))


def test_glory_spent_since_stands_and_is_told(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.begin(row, ada)
    with recording(made.warband(ada), kind="spend", actor=ada) as act:
        act.pay(Price(glory=1), reason="A candle")
    amendment = amend_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    assert amendment.done == ()
    assert amendment.open == (
        "The Lantern Wardens: 1 glory (Sniper, by Ottla) can't be taken back: it was spent since.",
    )
    assert s.purse(made.warband(ada)).glory == 0
    s.assert_reconciled(made.warband(ada))


def test_kit_that_was_not_used_up_comes_back(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    mine = str(c.side(row, ada).pk)
    item = Item.objects.live().filter(warband=made.warband(ada), status="held", fighter__isnull=False).first()
    assert item is not None
    c.fight(row, by=ada, winner=ada, used={mine: [str(item.pk)]})
    c.begin(row, ada)
    item.refresh_from_db()
    assert item.status == Item.Status.LOST
    amend_report(battle=row, actor=cleo, data=c.report_data(row, ada, points={ada: 2}, used={mine: [str(item.pk)]}))
    item.refresh_from_db()
    assert item.status == Item.Status.LOST
    amendment = amend_report(battle=row, actor=cleo, data=c.report_data(row, ada))
    assert any("back in the stash" in line for line in amendment.done)
    item.refresh_from_db()
    assert (item.status, item.fighter) == (Item.Status.HELD, None)
    s.assert_reconciled(made.warband(ada))


def test_a_fighter_out_after_all_opens_the_injuries_again(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada)
    amendment = amend_report(battle=row, actor=cleo, data=c.report_data(row, ada, out={ada: ["Ottla"]}))
    assert any("Injuries: now to do: Ottla" in line for line in amendment.open)
    sequence = c.sequence_row(row, ada)
    assert sequence.closed_at is None
    current = c.look(sequence).current()
    assert current is not None
    assert current.id == "injuries"
    of = len(c.look(sequence).steps)
    assert len(sequence.done) > 3
    desk = waits(read_board(ada))
    titles = [wait.title for wait in desk if wait.key == f"after_{sequence.pk}"]
    assert titles == [f"Post-battle, step 1 of {of}"]
    PostBattle.objects.filter(pk=sequence.pk).update(started_at=timezone.now() - timedelta(days=4))
    stuck = [matter.words for matter in administer_page(made.campaign, "").matters.stuck]
    assert stuck == [f"ada, after Hill 223: step 1 of {of}, 4 days ago"]


# --- not played


def test_a_walk_over_gives_the_agreed_points_and_nothing_follows(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.battle(made, ada, ben)
    mine = c.side(row, ada)
    record_unplayed(battle=row, kind="walk-over", actor=cleo, winner=mine, points={str(mine.pk): 2})
    row = c.fresh_battle(row)
    assert (row.status, row.kind) == (Battle.Status.CLOSED, Battle.Kind.WALK_OVER)
    assert (c.side(row, ada).result, c.side(row, ada).points) == ("won", 2)
    assert not PostBattle.objects.exists()
    assert c.side(row, ada).number is None


def test_a_sides_word_on_a_no_show_waits_to_be_confirmed(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben)
    with pytest.raises(Refusal, match="which side"):
        record_unplayed(battle=row, kind="no-show", actor=ada, by_side=c.side(row, ada))
    record_unplayed(battle=row, kind="no-show", actor=ada, winner=c.side(row, ada), by_side=c.side(row, ada))
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    confirm_report(battle=row, actor=ben, side=c.side(row, ben))
    assert c.fresh_battle(row).status == Battle.Status.CLOSED


def test_a_bye_falls_to_a_side_and_is_no_win(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"bye_points": 2})
    row = c.battle(made, ada, ben)
    record_unplayed(battle=row, kind="bye", actor=cleo, winner=c.side(row, ada))
    assert [(side.result, side.points) for side in row.sides.all()] == [("none", 2), ("none", 0)]


def test_a_conceded_battle_counts_as_the_campaign_says(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"conceded_counts": "all"})
    row = c.mustered(made, ada, ben)
    send_report(battle=row, actor=ada, by_side=c.side(row, ada), data=c.report_data(row, ada), kind="conceded")
    assert PostBattle.objects.count() == 2
