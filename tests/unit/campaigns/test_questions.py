"""What is asked before an act that looks like a slip: once, never as a refusal, and again where other values are sent."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Round, Seat
from campaigns.services.answers import dispute_report
from campaigns.services.house_rules import change_house_rules
from campaigns.services.join import add_seat, mark_away
from campaigns.services.rounds import cancel_battle, open_round, schedule_battle
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from tests.pressing import sure
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.services.founding import copy_sample, make_ready

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def club(ada, ben, cleo):
    return c.club(cleo, ada, ben)


@story
def row(club, ada, ben):
    return c.mustered(club, ada, ben)


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


def asked(answer):
    """The questions of a page, none where it asks nothing."""
    notice = answer.context["notice"] if answer.context is not None else None
    return notice.lines if notice is not None and notice.kind == "question" else ()


def days(number):
    return (timezone.localdate() + timedelta(days=number)).isoformat()


def report(row, winner, points, **more):
    result = winner if isinstance(winner, str) else str(c.side(row, winner).pk)
    figures = {f"points_{c.side(row, user).pk}": str(number) for user, number in points.items()}
    return {"result": result, "kind": "played", "played_on": days(0), "words": "", **figures, **more}


def sends(client, row, sent, mode=""):
    address = reverse("battle-report", args=[row.pk]) + (f"?{mode}=1" if mode else "")
    return client.post(address, {"token": new_token(), **sent})


# --- reports ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"played_on": 400}, "is still to come. Was the battle played on that day?"),
        ({"played_on": 1}, "is still to come"),
        ({"played_on": -340}, "is long ago"),
        ({"points": (1, 4)}, "won with 1 victory points; The Gallows Choir has 4. Is the winner right?"),
        ({"points": (444, 4)}, "The Lantern Wardens has 444 victory points. Is that right?"),
        ({"result": "drawn", "points": (4, 1)}, "is a draw, but the victory points differ"),
    ],
)
def test_a_slip_in_a_report_is_asked_about_and_then_taken(row, mine, ada, ben, sent, words):
    points = sent.get("points", (3, 1))
    form = report(
        row, sent.get("result", ada), {ada: points[0], ben: points[1]}, played_on=days(sent.get("played_on", 0))
    )
    answer = sends(mine, row, form)
    assert answer.status_code == 422
    assert len(asked(answer)) == 1
    assert words in asked(answer)[0]
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    assert sure(mine, reverse("battle-report", args=[row.pk]), form).status_code == 302
    assert c.fresh_battle(row).status == Battle.Status.REPORTED


@pytest.mark.parametrize(
    ("result", "points", "more"),
    [
        ("ada", (3, 1), {}),
        ("ada", (2, 2), {}),
        ("drawn", (2, 2), {}),
        ("none", (2, 1), {}),
        ("ada", (1, 3), {"kind": "conceded"}),
    ],
)
def test_a_report_that_agrees_with_itself_is_taken_at_once(row, mine, ada, ben, result, points, more):
    winner = ada if result == "ada" else result
    assert sends(mine, row, report(row, winner, {ada: points[0], ben: points[1]}, **more)).status_code == 302


def test_another_slip_is_asked_about_anew(row, mine, ada, ben):
    first = sends(mine, row, report(row, ada, {ada: 1, ben: 4}))
    mark = first.context["notice"].checked
    assert f'name="checked" value="{mark}"' in first.content.decode()
    second = sends(mine, row, report(row, ada, {ada: 1, ben: 5}, checked=mark))
    assert asked(second)
    assert asked(second) != asked(first)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED


def test_a_report_sent_twice_is_done_once_and_asks_nothing_the_second_time(row, mine, ada, ben):
    form = report(row, ada, {ada: 3, ben: 1}, token=new_token())
    assert sends(mine, row, form).status_code == 302
    again = sends(mine, row, {**form, f"points_{c.side(row, ada).pk}": "0"})
    assert again.status_code == 200
    assert not asked(again)
    assert Event.objects.filter(kind="report").count() == 1


def test_an_amendment_and_a_decision_are_asked_about_too(row, client, ada, ben, cleo):
    c.fight(row, by=ada, winner=ada, points={ada: 3, ben: 1})
    client.force_login(ada)
    assert asked(sends(client, row, report(row, ada, {ada: 1, ben: 3}), "amend"))
    dispute_report(battle=row, side=c.side(row, ben), actor=ben, words="We drew.")
    client.force_login(cleo)
    assert asked(sends(client, row, report(row, ada, {ada: 1, ben: 3}), "decide"))


def test_points_agreed_against_the_winner_of_a_walk_over_are_asked_about(mine, club, ada, ben):
    row = c.battle(club, ada, ben)
    one, other = c.side(row, ada).pk, c.side(row, ben).pk
    form = {"act": "unplayed", "kind": "walk-over", "winner": str(one), f"points_{one}": "1", f"points_{other}": "3"}
    answer = mine.post(reverse("battle-show", args=[row.pk]), {**form, "token": new_token()})
    assert "gets 3" in asked(answer)[0]
    assert sure(mine, reverse("battle-show", args=[row.pk]), form).status_code == 302


# --- an unclaimed seat, and a dispute -----------------------------------------------------------------------------------


@story
def unclaimed(club, cleo):
    """A seat of somebody without account, with a warband that nobody owns."""
    warband = copy_sample(actor=cleo, owner=None, terms=club.campaign.terms, sample_id="third-breach")
    make_ready(warband=warband, actor=cleo)
    return add_seat(campaign=club.campaign, actor=cleo, name="Kolya", warband=warband)


def against(club, unclaimed, cleo, *users):
    seats = [*(club.seat(user) for user in users), Seat.objects.select_related("warband__terms").get(pk=unclaimed.pk)]
    return schedule_battle(campaign=club.campaign, actor=cleo, seats=seats)


def test_a_report_against_an_unclaimed_seat_is_confirmed_at_once(club, unclaimed, ada, cleo):
    row = against(club, unclaimed, cleo, ada)
    c.fight(row, by=ada, winner=ada)
    fresh = c.fresh_battle(row)
    assert fresh.status == Battle.Status.CONFIRMED
    assert fresh.confirm_by is None
    assert all(side.confirmed_at for side in fresh.sides.live())


def test_a_player_still_answers_where_an_unclaimed_seat_plays_too(club, unclaimed, ada, ben, cleo):
    row = against(club, unclaimed, cleo, ada, ben)
    c.fight(row, by=ada, winner=ada)
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    waiting = [side for side in c.fresh_battle(row).sides.live() if side.confirmed_at is None]
    assert [side.seat.user for side in waiting] == [ben]


def test_no_version_is_chosen_beforehand_in_a_dispute(row, client, ada, ben, cleo):
    c.fight(row, by=ada, winner=ada)
    dispute_report(battle=row, side=c.side(row, ben), actor=ben, words="We drew.", data=c.report_data(row))
    client.force_login(cleo)
    here = reverse("report-confirm", args=[row.pk])
    page = client.get(here).content.decode()
    assert page.count('type="radio" name="version"') == 2
    assert " checked" not in page
    refused = client.post(here, {"act": "decide", "token": new_token()})
    assert refused.status_code == 422
    assert "Choose the version that stands." in refused.content.decode()


# --- setting a battle ---------------------------------------------------------------------------------------------------


def schedules(client, club, *seats, **more):
    sent = {"seat": [seat.pk for seat in seats], "token": new_token(), **more}
    return client.post(reverse("battle-schedule", args=[club.campaign.pk]), sent)


def test_a_pair_with_a_battle_ahead_is_asked_about(client, club, ada, ben, cleo):
    client.force_login(cleo)
    assert schedules(client, club, club.seat(ada), club.seat(ben)).status_code == 302
    again = schedules(client, club, club.seat(ben), club.seat(ada))
    assert asked(again) == ("ben and ada already have a battle to play. Set another one?",)
    assert Battle.objects.live().count() == 1
    address = reverse("battle-schedule", args=[club.campaign.pk])
    assert sure(client, address, {"seat": [club.seat(ben).pk, club.seat(ada).pk]}).status_code == 302
    assert Battle.objects.live().count() == 2


def test_a_rematch_is_asked_about_while_somebody_was_not_met(client, club, ada, ben, cleo, dora):
    c.fight(c.mustered(club, ada, ben), by=ada, winner=ada)
    client.force_login(cleo)
    assert not asked(schedules(client, club, club.seat(ada), club.seat(ben)))
    cancel_battle(battle=Battle.objects.latest("pk"), actor=cleo)
    c.joins(club, dora, "third-breach")
    assert "ada and ben have met" in asked(schedules(client, club, club.seat(ada), club.seat(ben)))[0]
    assert not asked(schedules(client, club, club.seat(ada), club.seat(dora)))


def test_a_battle_ahead_is_found_among_those_fought(client, club, ada, ben, cleo):
    first = open_round(campaign=club.campaign, actor=cleo)
    c.fight(c.mustered(club, ada, ben, round=first), by=ada, winner=ada)
    second = open_round(campaign=club.campaign, actor=cleo)
    c.battle(club, ada, ben, round=second)
    client.force_login(cleo)
    answer = schedules(client, club, club.seat(ada), club.seat(ben))
    assert asked(answer) == ("ada and ben already have a battle to play in round 2. Set another one?",)


def test_the_same_pair_twice_in_a_round_is_asked_about(client, club, ada, ben, cleo):
    found = open_round(campaign=club.campaign, actor=cleo)
    c.fight(c.mustered(club, ada, ben, round=found), by=ada, winner=ada)
    client.force_login(cleo)
    assert "have met in round 1" in asked(schedules(client, club, club.seat(ada), club.seat(ben), round="1"))[0]


def test_a_seat_that_is_away_is_asked_about(client, club, ada, ben, cleo):
    mark_away(seat=club.seat(ben), actor=ben)
    client.force_login(ada)
    assert asked(schedules(client, club, club.seat(ben))) == ("ben is away. Set the battle all the same?",)


def test_a_day_that_looks_mistyped_is_asked_about(client, club, ada, ben, cleo):
    client.force_login(cleo)
    assert (
        "a long time ahead" in asked(schedules(client, club, club.seat(ada), club.seat(ben), planned_for=days(370)))[0]
    )
    assert not asked(schedules(client, club, club.seat(ada), club.seat(ben), planned_for=days(20)))
    row = Battle.objects.live().get()
    moved = client.post(
        reverse("battle-show", args=[row.pk]),
        {"act": "move", "planned_for": days(-370), "round": "", "token": new_token()},
    )
    assert "long ago" in asked(moved)[0]
    rounds = reverse("round-arrange", args=[club.campaign.pk])
    answer = client.post(rounds, {"act": "open", "starts_on": days(0), "ends_on": days(380), "token": new_token()})
    assert "The round ends" in asked(answer)[0]
    assert not Round.objects.exists()


def test_the_plain_form_stands_on_the_open_round(client, club, ada, ben, cleo):
    client.force_login(cleo)
    here = reverse("battle-schedule", args=[club.campaign.pk])
    assert "selected" not in client.get(here).content.decode().partition('id="id_round"')[2].partition("</select>")[0]
    open_round(campaign=club.campaign, actor=cleo)
    assert '<option value="1" selected>' in client.get(here).content.decode()
    assert '<option value="1" selected>' not in client.get(f"{here}?round=").content.decode()


# --- leaving --------------------------------------------------------------------------------------------------------------


def test_ending_a_seat_says_first_what_becomes_of_its_battles(client, club, ada, ben, cleo):
    row = c.battle(club, ada, ben)
    client.force_login(cleo)
    here = reverse("seat-show", args=[club.seat(ben).pk])
    answer = client.post(here, {"act": "leave", "token": new_token()})
    assert "becomes a bye for The Lantern Wardens" in asked(answer)[0]
    assert c.fresh_battle(row).kind == Battle.Kind.PLAYED
    assert sure(client, here, {"act": "leave"}).status_code == 302
    assert c.fresh_battle(row).kind == Battle.Kind.BYE
    assert "A bye for The Lantern Wardens." in Event.objects.filter(kind="leave").latest("pk").told


def test_a_seat_without_battles_ahead_ends_at_once(client, club, ben, cleo):
    client.force_login(cleo)
    assert (
        client.post(reverse("seat-show", args=[club.seat(ben).pk]), {"act": "leave", "token": new_token()}).status_code
        == 302
    )


# --- whose desk ---------------------------------------------------------------------------------------------------------


def test_what_a_campaign_wants_of_its_administrator_stands_on_the_first_page(client, club, ada, ben, cleo):
    late = c.battle(club, ada, ben)
    Battle.objects.filter(pk=late.pk).update(planned_for=timezone.localdate() - timedelta(days=1))
    add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    client.force_login(cleo)
    page = client.get("/").context["page"]
    own = next(wait for wait in page.waits if wait.key.startswith("administer"))
    assert own.href == reverse("campaign-administer", args=[club.campaign.pk])
    assert own.title == "2 things for administrators"
    assert own.meta == "The Winter at Gallows Weir: 2 missing warbands, battles or results"
    desk = client.get(own.href).context["page"]
    assert desk.matters.count == 2
    client.force_login(ada)
    assert not [wait for wait in client.get("/").context["page"].waits if wait.key.startswith("administer")]


def test_a_roster_that_a_house_rule_made_illegal_is_on_two_desks(client, club, ada, ben, cleo):
    change_house_rules(campaign=club.campaign, actor=cleo, house_rules={"elite_cap": 1})
    count = s.fresh(club.warband(ada)).problem_count
    assert count
    client.force_login(ada)
    found = next(wait for wait in client.get("/").context["page"].waits if wait.key.startswith("problems"))
    assert found.title.startswith("Fix The Lantern Wardens: ")
    assert found.href == reverse("warband-show", args=[club.warband(ada).pk])
    client.force_login(cleo)
    desk = client.get(reverse("campaign-administer", args=[club.campaign.pk]))
    assert "The Lantern Wardens" in [matter.title for matter in desk.context["page"].matters.rosters]
    assert "roster" in next(
        wait.meta for wait in client.get("/").context["page"].waits if wait.key.startswith("administer")
    )
