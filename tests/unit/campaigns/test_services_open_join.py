"""A campaign opens, people take seats, lists are looked at, somebody leaves and comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.deletion import deletion_blockers
from campaigns.latecomers import late_start
from campaigns.models import Battle, Campaign, Seat
from campaigns.pages.feed import newest_events, news_lines
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from campaigns.services.join import (
    accept_list,
    add_seat,
    bring_warband,
    claim_seat,
    join_campaign,
    leave_seat,
    mark_away,
    mark_back,
    renew_claim_link,
    return_list,
    return_to_seat,
    submit_list,
)
from campaigns.services.open import (
    add_administrator,
    archive_campaign,
    change_campaign,
    finish_campaign,
    open_campaign,
    remove_administrator,
    renew_invitation,
    reopen_campaign,
)
from campaigns.services.starting import found_for_seat
from campaigns.settings_schema import house_rule_words, setting_of
from rules.price import Price
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from tests.unit.test_two_presses import meanwhile
from warbands.models import Event, Promise, Warband
from warbands.recording import AlreadyDone
from warbands.services.roster import disband_warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(cleo: Any, ada: Any) -> c.Club:
    """Cleo's campaign with Ada."""
    return c.club(cleo, ada)


def feed(campaign: Campaign) -> list[str]:
    """What the campaign's own history tells."""
    events = Event.objects.filter(subjects__label="campaigns.Campaign", subjects__row_id=campaign.pk).order_by("pk")
    return [event.told for event in events]


def test_who_opens_a_campaign_runs_it_and_has_an_invitation(cleo: Any) -> None:
    campaign = open_campaign(actor=cleo, name="  The Winter at   Gallows Weir ")
    assert campaign.name == "The Winter at Gallows Weir"
    assert [row.user for row in campaign.administrators.all()] == [cleo]
    assert campaign.invitations.count() == 1
    assert (campaign.terms.system, campaign.terms.edition) == ("trench-crusade", "1.0")
    assert feed(campaign) == ["cleo opened The Winter at Gallows Weir."]
    assert setting_of(campaign, "silence_days") == 7


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": " "}, "needs a name"),
        ({"system": "chess"}, "There is no game"),
        ({"edition": "9.9"}, "no edition"),
        ({"dice": "loaded"}, "Dice"),
        ({"settings": {"silence_days": 400}}, "Unanswered reports are confirmed after"),
        ({"settings": {"colour": "red"}}, "no setting"),
        ({"settings": {"tie_break": "arm wrestling"}}, "Level on points"),
        ({"house_rules": {"readings": {"camp": "chaos"}}}, "camp"),
    ],
)
def test_what_does_not_fit_opens_nothing(cleo: Any, wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        open_campaign(actor=cleo, **{"name": "Weir", **wrong})
    assert not Campaign.objects.exists()
    assert not Event.objects.exists()


def test_the_same_form_opens_one_campaign(cleo: Any) -> None:
    open_campaign(actor=cleo, name="Weir", token="t1")
    with pytest.raises(AlreadyDone):
        open_campaign(actor=cleo, name="Weir", token="t1")
    assert Campaign.objects.count() == 1


def test_settings_change_by_leaf_and_are_undone(cleo: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    campaign = change_campaign(campaign=campaign, actor=cleo, settings={"silence_days": "3"}, dice="app", name="Lock")
    assert (campaign.name, campaign.dice, setting_of(campaign, "silence_days")) == ("Lock", "app", 3)
    undo(event=Event.objects.latest("pk"), actor=cleo)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.dice, setting_of(campaign, "silence_days")) == ("Weir", "either", 7)


def test_house_rules_judge_every_warband_anew_and_say_beforehand_what_they_do(
    made: c.Club, cleo: Any, ada: Any
) -> None:
    warband = made.warband(ada)
    assert warband.problem_count == 0
    banned = {"banned": ["lieutenant"]}
    (foreseen,) = preview_house_rules(made.campaign, banned)
    row, now, then = foreseen.warband, len(foreseen.now), len(foreseen.then)
    assert (row.pk, now) == (warband.pk, 0)
    assert then > 0
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules=banned)
    assert made.warband(ada).problem_count == then
    s.assert_reconciled(made.warband(ada))
    assert Event.objects.latest("pk").told.startswith("cleo set the house rules of")
    made.campaign.terms.refresh_from_db()
    assert made.campaign.terms.version == 2
    assert len(house_rule_words(made.campaign)) == 1
    undo(event=Event.objects.latest("pk"), actor=cleo)
    assert made.warband(ada).problem_count == 0
    s.assert_reconciled(made.warband(ada))


def test_a_renewed_invitation_closes_the_old_one(cleo: Any, ada: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    old = c.link(campaign)
    new = renew_invitation(campaign=campaign, actor=cleo)
    with pytest.raises(Refusal, match="is closed"):
        join_campaign(invitation_token=old, actor=ada)
    assert join_campaign(invitation_token=new.token, actor=ada).user == ada


def test_joining_twice_keeps_one_seat(cleo: Any, ada: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    first = join_campaign(invitation_token=c.link(campaign), actor=ada)
    assert join_campaign(invitation_token=c.link(campaign), actor=ada).pk == first.pk
    assert Seat.objects.count() == 1


def test_a_warband_joins_under_the_campaigns_terms(cleo: Any, ada: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir", edition=s.TRENCH_CRUSADE[1])
    warband = s.found(ada)
    seat = join_campaign(invitation_token=c.link(campaign), actor=ada, warband=warband)
    assert seat.warband_id == warband.pk
    assert s.fresh(warband).terms_id == campaign.terms_id
    assert feed(campaign)[-1] == "ada joined Weir with The Lantern Wardens."
    assert s.last_event(warband).told == "ada joined Weir with The Lantern Wardens."
    s.assert_reconciled(warband)


def test_a_warband_that_does_not_fit_is_refused(cleo: Any, ada: Any, ben: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir", edition=s.TRENCH_CRUSADE[1])
    seat = join_campaign(invitation_token=c.link(campaign), actor=ada)
    with pytest.raises(Refusal, match="doesn't belong to"):
        bring_warband(seat=seat, warband=s.found(ben), actor=ada)
    with pytest.raises(Refusal, match="is for single battles"):
        bring_warband(seat=seat, warband=s.found(ada, mode="one-off"), actor=ada)
    mine = s.found(ada, name="Mine")
    bring_warband(seat=seat, warband=mine, actor=ada)
    other = open_campaign(actor=cleo, name="Lock", edition=s.TRENCH_CRUSADE[1])
    elsewhere = join_campaign(invitation_token=c.link(other), actor=ada)
    with pytest.raises(Refusal, match="another campaign"):
        bring_warband(seat=elsewhere, warband=mine, actor=ada)
    seat = Seat.objects.select_related("campaign__terms", "warband").get(pk=seat.pk)
    second = s.found(ada, name="Second")
    with pytest.raises(Refusal, match="plays Mine at the moment"):
        bring_warband(seat=seat, warband=second, actor=ada)
    disband_warband(warband=s.fresh(mine), actor=ada)
    seat = Seat.objects.select_related("campaign__terms", "warband").get(pk=seat.pk)
    assert bring_warband(seat=seat, warband=second, actor=ada).warband_id == second.pk


def test_an_unclaimed_seat_is_claimed_with_its_warband(cleo: Any, dora: Any, ben: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    seat = add_seat(campaign=campaign, actor=cleo, name="Old Hannes")
    warband = found_for_seat(seat=seat, actor=cleo, list_id="new-antioch", name="Lamplighters")
    assert warband.owner is None
    seat.refresh_from_db()
    claimed = claim_seat(claim_token=seat.claim_token, actor=dora)
    assert claimed.user == dora
    assert s.fresh(warband).owner == dora
    with pytest.raises(Refusal, match="can't be claimed"):
        claim_seat(claim_token=seat.claim_token, actor=ben)


def between(act: Callable[[], Any]) -> Any:
    """Something done by somebody else after a press found its link open, and before it holds the lock."""
    return meanwhile(act, 1)


def test_a_claim_link_renewed_while_a_press_waits_is_closed(cleo: Any, dora: Any) -> None:
    seat = add_seat(campaign=open_campaign(actor=cleo, name="Weir"), actor=cleo, name="Old Hannes")
    with between(lambda: renew_claim_link(seat=seat, actor=cleo)) as renewed, pytest.raises(Refusal) as refused:
        claim_seat(claim_token=seat.claim_token, actor=dora)
    assert renewed.happened
    assert refused.value.code == "claim"
    assert Seat.objects.get(pk=seat.pk).user is None


def test_a_seat_that_ended_while_a_press_waits_is_not_claimed(cleo: Any, dora: Any) -> None:
    seat = add_seat(campaign=open_campaign(actor=cleo, name="Weir"), actor=cleo, name="Old Hannes")
    with between(lambda: leave_seat(seat=seat, actor=cleo)) as ended, pytest.raises(Refusal) as refused:
        claim_seat(claim_token=seat.claim_token, actor=dora)
    assert ended.happened
    assert refused.value.code == "claim"
    assert Seat.objects.get(pk=seat.pk).user is None


@pytest.mark.parametrize("left", [False, True], ids=["newcomer", "who left"])
def test_an_invitation_renewed_while_a_press_waits_is_closed(cleo: Any, dora: Any, left: bool) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    token = c.link(campaign)
    if left:
        leave_seat(seat=join_campaign(invitation_token=token, actor=dora), actor=dora)
    with between(lambda: renew_invitation(campaign=campaign, actor=cleo)) as renewed, pytest.raises(Refusal) as refused:
        join_campaign(invitation_token=token, actor=dora)
    assert renewed.happened
    assert refused.value.code == "invitation"
    assert not Seat.objects.filter(user=dora).exclude(status=Seat.Status.LEFT).exists()


def test_who_sits_already_claims_no_second_seat(cleo: Any, ada: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Weir")
    join_campaign(invitation_token=c.link(campaign), actor=ada)
    seat = add_seat(campaign=campaign, actor=cleo, name="Old Hannes")
    with pytest.raises(Refusal, match="already have a place"):
        claim_seat(claim_token=seat.claim_token, actor=ada)
    with pytest.raises(Refusal, match="already has a player called Ada"):
        add_seat(campaign=campaign, actor=cleo, name="Ada")


def test_a_latecomer_gets_budget_credited_battles_and_experience(cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    c.begin(row, ada)
    seat = join_campaign(invitation_token=c.link(made.campaign), actor=dora)
    warband = found_for_seat(seat=seat, actor=dora, list_id="heretic-legion", name="Late Bell")
    assert s.purse(warband).ducats == 800
    from warbands.adapters import force_of

    assert force_of(s.fresh(warband)).battles.next_number == 2
    (promise,) = Promise.objects.filter(warband=warband)
    assert promise.data == {"experience": 1}
    s.assert_reconciled(warband)
    assert late_start(made.campaign, "papal-states-intervention-force").budget == Price(ducats=600, glory=11)


def test_starting_lists_are_sent_in_and_answered(made: c.Club, cleo: Any, ada: Any) -> None:
    assert submit_list(seat=made.seat(ada), actor=ada).list_state == "submitted"
    told = [line.sentence for line in news_lines(newest_events([made.campaign.pk], 5), {})]
    assert told[0] == "ada sent the starting list of The Lantern Wardens."
    with pytest.raises(Refusal, match="what to change"):
        return_list(seat=made.seat(ada), actor=cleo, words=" ")
    row = return_list(seat=made.seat(ada), actor=cleo, words="One rifle too many.")
    assert (row.list_state, row.list_words) == ("returned", "One rifle too many.")
    with pytest.raises(Refusal, match="has not sent a list"):
        accept_list(seat=made.seat(ada), actor=cleo)
    submit_list(seat=made.seat(ada), actor=ada)
    assert accept_list(seat=made.seat(ada), actor=cleo).list_state == "accepted"


def test_away_is_not_left(made: c.Club, cleo: Any, ada: Any) -> None:
    assert mark_away(seat=made.seat(ada), actor=ada).status == Seat.Status.AWAY
    assert mark_back(seat=made.seat(ada), actor=cleo).status == Seat.Status.PLAYING
    assert Event.objects.latest("pk").told == "cleo, for ada, noted: ada is back."


def test_leaving_turns_set_battles_into_byes_and_comes_back_whole(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"bye_points": 2})
    row = c.battle(made, ada, ben)
    leave_seat(seat=made.seat(ada), actor=ada)
    row = c.fresh_battle(row)
    assert (row.kind, row.status) == (Battle.Kind.BYE, Battle.Status.CONFIRMED)
    assert (c.side(row, ben).points, c.side(row, ben).result) == (2, "none")
    assert made.warband(ada).status == Warband.Status.ARCHIVED
    with pytest.raises(Refusal, match="does not play"):
        c.battle(made, ada, ben)
    return_to_seat(seat=made.seat(ada), actor=cleo)
    assert made.warband(ada).status == Warband.Status.CAMP
    assert made.seat(ada).status == Seat.Status.PLAYING


def test_who_left_joins_into_the_old_seat(made: c.Club, ada: Any) -> None:
    leave_seat(seat=made.seat(ada), actor=ada)
    assert join_campaign(invitation_token=c.link(made.campaign), actor=ada).pk == made.seat(ada).pk
    assert made.warband(ada).status == Warband.Status.CAMP


def test_the_last_administrator_stays(made: c.Club, cleo: Any, ada: Any) -> None:
    with pytest.raises(Refusal, match="only administrator"):
        remove_administrator(campaign=made.campaign, user=cleo, actor=cleo)
    assert deletion_blockers(cleo) == [
        "You are the only administrator of The Winter at Gallows Weir. Add another one, or end and archive it."
    ]
    add_administrator(campaign=made.campaign, user=ada, actor=cleo)
    assert deletion_blockers(cleo) == []
    remove_administrator(campaign=made.campaign, user=cleo, actor=ada)
    assert [row.user for row in made.campaign.administrators.live()] == [ada]


def test_a_finished_campaign_sets_nothing_new(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben)
    with pytest.raises(Refusal, match="running"):
        archive_campaign(campaign=made.campaign, actor=cleo)
    finish_campaign(campaign=made.campaign, actor=cleo)
    with pytest.raises(Refusal, match="is over"):
        c.battle(made, ada, ben)
    with pytest.raises(Refusal, match="ended already"):
        finish_campaign(campaign=made.campaign, actor=cleo)
    reopen_campaign(campaign=made.campaign, actor=cleo)
    assert c.battle(made, ada, ben).status == Battle.Status.SCHEDULED
