"""Moments of a season that are about people: sign-up night, seats, delegates, leaving, starting lists, the club's laptop."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.models import Battle, Capture, Seat, Side
from campaigns.services.battle_setup import choose_scenario
from campaigns.services.join import add_seat, bring_warband
from campaigns.services.muster import make_side_ready
from campaigns.services.open import change_campaign
from campaigns.services.reports import send_report
from campaigns.services.rounds import schedule_battle
from campaigns.standings import standings
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from tests.pressing import sure
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, ShareLink, Warband
from warbands.services.founding import copy_sample, make_ready
from warbands.services.roster import disband_warband
from warbands.services.sharing import add_delegate, share_warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PASSWORD = "a-long-enough-password"
ILSE = "Ilse Brandt"


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def act(client: Client, seat: Seat, name: str, **sent: Any) -> Any:
    """Press a button of a seat's page, and answer what it asks first with yes."""
    return sure(client, reverse("seat-show", args=[seat.pk]), {"act": name, **sent})


def told() -> str:
    return Event.objects.latest("pk").told


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


# --- 3: sign-up night --------------------------------------------------------------------------------------------------


def test_moment_3_twelve_sign_up_behind_one_address_and_each_lands_in_a_seat(made: c.Club) -> None:
    """A QR on the wall, one router, no mail: all twelve sign up within the minute and join on one page."""
    invitation = reverse("campaign-join", args=[c.link(made.campaign)])
    for number in range(12):
        phone = Client(REMOTE_ADDR="203.0.113.7")
        last = phone.get(f"{invitation}?bring=later").content.decode()
        assert 'name="password1"' in last
        sent = {"bring": "later", "username": f"recruit{number}", "password1": PASSWORD, "token": new_token()}
        answer = phone.post(invitation, sent)
        assert (answer.status_code, answer.url) == (302, reverse("campaign-show", args=[made.campaign.pk]))
    seats = Seat.objects.filter(campaign=made.campaign, user__username__startswith="recruit")
    assert seats.count() == 12
    assert not seats.exclude(warband=None).exists()
    assert not EmailAddress.objects.filter(user__username__startswith="recruit").exists()
    assert mail.outbox == []


def test_moment_3_the_invitation_survives_signing_in(made: c.Club, dora: Any) -> None:
    invitation = reverse("campaign-join", args=[c.link(made.campaign)])
    phone = Client()
    last = f"{invitation}?bring=later"
    to_sign_in = phone.get(last).context["page"].sign_in_href
    answer = phone.post(to_sign_in, {"login": "dora", "password": PASSWORD, "next": last})
    assert answer.url == last
    phone.post(invitation, {"bring": "later", "token": new_token()})
    assert Seat.objects.filter(campaign=made.campaign, user=dora).exists()


def test_moment_3_warband_and_patron_follow_later(made: c.Club, dora: Any) -> None:
    phone = signed_in(dora)
    phone.post(reverse("campaign-join", args=[c.link(made.campaign)]), {"bring": "later", "token": new_token()})
    seat = Seat.objects.get(campaign=made.campaign, user=dora)
    here = reverse("seat-found", args=[seat.pk])
    answer = phone.post(f"{here}?list=new-antioch", {"name": "The Late Watch", "token": new_token()})
    assert answer.status_code == 302
    seat.refresh_from_db()
    assert (str(seat.warband), seat.warband.patron) == ("The Late Watch", "")


def test_moment_3_an_administrator_hands_a_reset_link_to_who_left_no_mail(cleo: Any, made: c.Club) -> None:
    recruit = User.objects.create_user("recruit", "", PASSWORD)
    c.joins(made, recruit, sample="third-breach")
    answer = signed_in(cleo).post(reverse("seat-reset", args=[made.seat(recruit).pk]), {"token": new_token()})
    phone = Client()
    page = phone.get(answer.context["address"].removeprefix("http://testserver"), follow=True)
    new = {"password1": "another-long-password-7", "password2": "another-long-password-7"}
    phone.post(page.request["PATH_INFO"], new)
    recruit.refresh_from_db()
    assert recruit.check_password(new["password1"])
    assert mail.outbox == []


# --- 4: seats, claims, delegates -----------------------------------------------------------------------------------------


def test_moment_4_a_seat_without_account_plays_and_is_claimed_with_its_results(
    made: c.Club, cleo: Any, ada: Any, ben: Any, dora: Any
) -> None:
    seat = add_seat(campaign=made.campaign, actor=cleo, name="Old Wat")
    warband = copy_sample(actor=cleo, owner=None, terms=made.campaign.terms, sample_id="third-breach")
    make_ready(warband=warband, actor=cleo)
    bring_warband(seat=seat, warband=warband, actor=cleo)
    battle = _fought(made, cleo, seat, ada)
    assert {row.seat.name: row.won for row in standings(made.campaign)} == {"Old Wat": 1, "ada": 0, "ben": 0}
    seat.refresh_from_db()
    answer = signed_in(dora).post(reverse("seat-claim", args=[seat.claim_token]), {"token": new_token()})
    assert answer.status_code == 302
    seat.refresh_from_db()
    assert (seat.user, s.fresh(warband).owner) == (dora, dora)
    assert {row.seat.user: row.won for row in standings(made.campaign)} == {dora: 1, ada: 0, ben: 0}
    assert battle.sides.live().filter(seat=seat, result=Side.Result.WON).exists()
    assert signed_in(dora).get(reverse("warband-show", args=[warband.pk])).status_code == 200


def _fought(made: c.Club, actor: Any, seat: Seat, against: Any) -> Battle:
    """The administrator enters everything for a seat that nobody holds, and it wins."""

    battle = schedule_battle(campaign=made.campaign, actor=actor, seats=[seat, made.seat(against)])
    choose_scenario(battle=battle, actor=actor, scenario_id=c.SCENARIO)
    for side in battle.sides.live().order_by("pk"):
        fresh = Side.objects.select_related("battle__campaign__terms", "seat__user", "warband__terms").get(pk=side.pk)
        make_side_ready(side=fresh, actor=actor)
    mine = battle.sides.live().get(seat=seat)
    data = {"winner": str(mine.pk), "points": {}, "out": {}, "deeds": []}
    send_report(battle=c.fresh_battle(battle), actor=actor, by_side=mine, data=data)
    return c.fresh_battle(battle)


def test_moment_4_a_delegate_acts_and_history_names_both(made: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    warband = made.warband(ada)
    address = reverse("warband-show", args=[warband.pk])
    assert signed_in(dora).get(address).status_code == 404
    add_delegate(warband=warband, username="dora", actor=ada)
    phone = signed_in(dora)
    fighter = s.fighter(made.warband(ada), ILSE)
    sent = {"name": "Ilse the Grey", "token": new_token(), "seen": made.warband(ada).version}
    phone.post(reverse("fighter-rename", args=[fighter.pk]), sent)
    fighter.refresh_from_db()
    assert fighter.name == "Ilse the Grey"
    assert told().startswith("dora, for ada,")
    assert "dora, for ada," in text(signed_in(ada).get(reverse("history-show", args=[warband.pk])))
    row = c.mustered(made, ada, ben)
    send_report(battle=row, actor=dora, by_side=c.side(row, ada), data=c.report_data(row, ada))
    assert told().startswith("dora, for ada,")


def test_moment_4_standings_rows_are_seats_and_a_second_warband_keeps_the_row(made: c.Club, ada: Any, ben: Any) -> None:
    c.fight(c.mustered(made, ada, ben), ada, ada)
    disband_warband(warband=made.warband(ada), actor=ada)
    seat = made.seat(ada)
    second = copy_sample(actor=ada, owner=ada, terms=made.campaign.terms, sample_id="third-breach")
    make_ready(warband=second, actor=ada)
    assert act(signed_in(ada), seat, "bring", bring=str(second.pk)).status_code == 302
    rows = {row.seat.pk: row for row in standings(made.campaign)}
    assert len(rows) == 2
    assert (rows[seat.pk].won, rows[seat.pk].games, rows[seat.pk].seat.warband_id) == (1, 1, second.pk)


# --- 15: leaving -----------------------------------------------------------------------------------------------------------


def _captive(made: c.Club, owner: Any, captor: Any) -> Capture:
    row = c.mustered(made, owner, captor)
    name = c.named_first(made, owner)
    c.fight(row, by=captor, winner=captor, out={owner: [name]})
    sequence = c.begin(row, owner)
    task = f"trauma-{c.keys(made.warband(owner), name)[0]}"
    c.type_in(sequence, task, 1, 2)
    c.write(sequence, task)
    return Capture.objects.live().latest("pk")


def test_moment_15_results_stay_fixtures_become_byes_and_the_warband_is_archived(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    c.fight(c.mustered(made, ada, ben), ada, ada)
    fixture = c.battle(made, ada, ben)
    seat, before = made.seat(ada), {row.seat.pk: (row.won, row.lost, row.games) for row in standings(made.campaign)}
    assert act(signed_in(ada), seat, "leave").status_code == 302
    assert {row.seat.pk: (row.won, row.lost, row.games) for row in standings(made.campaign)} == before
    assert c.fresh_battle(fixture).kind == Battle.Kind.BYE
    assert made.seat(ada).status == Seat.Status.LEFT
    assert made.warband(ada).status == Warband.Status.ARCHIVED
    assert act(signed_in(cleo), seat, "return").status_code == 302
    assert made.seat(ada).status == Seat.Status.PLAYING
    assert made.warband(ada).status == Warband.Status.CAMP


def test_moment_15_leaving_can_be_undone_whole(made: c.Club, ada: Any, ben: Any) -> None:
    fixture = c.battle(made, ada, ben)
    act(signed_in(ada), made.seat(ada), "leave")
    undo(event=Event.objects.get(kind="leave"), actor=ada)
    assert made.seat(ada).status == Seat.Status.PLAYING
    assert made.warband(ada).status == Warband.Status.CAMP
    assert c.fresh_battle(fixture).kind == Battle.Kind.PLAYED


@pytest.mark.parametrize("leaver", ["owner", "captor"])
def test_moment_15_captives_both_ways_ask_for_a_decision(
    made: c.Club, ada: Any, ben: Any, cleo: Any, leaver: str
) -> None:
    capture = _captive(made, ada, ben)
    act(signed_in(ada if leaver == "owner" else ben), made.seat(ada if leaver == "owner" else ben), "leave")
    here = reverse("capture-settle", args=[capture.pk])
    desk = signed_in(cleo).get(reverse("campaign-administer", args=[made.campaign.pk]))
    assert here in text(desk)
    assert desk.context["page"].matters.stuck
    left = made.seat(ada if leaver == "owner" else ben)
    words = f"{capture.fighter} of {made.warband(ada)}, held by {made.warband(ben)}"
    assert words in text(signed_in(cleo).get(reverse("seat-show", args=[left.pk])))
    role, move = ("captor", "let-go") if leaver == "captor" else ("owner", "give-up")
    answer = signed_in(cleo).post(here, {"role": role, "act": move, "token": new_token()})
    assert answer.status_code == 302
    capture.refresh_from_db()
    assert capture.status != Capture.Status.HELD
    status = Fighter.objects.get(pk=capture.fighter_id).status
    assert (status == Fighter.Status.ACTIVE) == (leaver == "captor")
    assert here not in text(signed_in(cleo).get(reverse("campaign-administer", args=[made.campaign.pk])))


def test_moment_15_away_is_not_left(made: c.Club, ada: Any, ben: Any) -> None:
    fixture = c.battle(made, ada, ben)
    assert act(signed_in(ada), made.seat(ada), "away").status_code == 302
    assert made.seat(ada).status == Seat.Status.AWAY
    assert made.warband(ada).status == Warband.Status.CAMP
    assert c.fresh_battle(fixture).kind == Battle.Kind.PLAYED
    assert act(signed_in(ada), made.seat(ada), "back").status_code == 302
    assert made.seat(ada).status == Seat.Status.PLAYING


# --- 20: starting lists and who sees them --------------------------------------------------------------------------------------


def test_moment_20_a_starting_list_is_submitted_returned_with_a_comment_and_accepted(
    made: c.Club, ada: Any, cleo: Any
) -> None:
    change_campaign(campaign=made.campaign, actor=cleo, settings={"lists_looked_at": True})
    seat, player, runs = made.seat(ada), signed_in(ada), signed_in(cleo)
    assert act(player, seat, "submit").status_code == 302
    desk = runs.get(reverse("campaign-administer", args=[made.campaign.pk]))
    assert reverse("seat-show", args=[seat.pk]) in text(desk)
    assert act(runs, seat, "return-list").status_code == 422
    assert act(player, seat, "accept").status_code == 422
    act(runs, seat, "return-list", words="Two snipers is plenty.")
    assert "Two snipers is plenty." in text(player.get(reverse("seat-show", args=[seat.pk])))
    assert made.seat(ada).list_state == Seat.ListState.RETURNED
    act(player, seat, "submit")
    act(runs, seat, "accept", words="Well drilled.")
    assert made.seat(ada).list_state == Seat.ListState.ACCEPTED


@pytest.mark.parametrize(
    ("rosters", "stranger_to_it", "before", "mustered"),
    [("open", 200, 200, 200), ("opponents", 404, 200, 200), ("muster", 404, 404, 200)],
)
def test_moment_20_rosters_are_seen_as_the_campaign_says(
    cleo: Any, ada: Any, ben: Any, dora: Any, rosters: str, stranger_to_it: int, before: int, mustered: int
) -> None:
    """Ben meets Ada; Dora plays in the same campaign and meets neither."""
    made = c.club(cleo, ada, ben, dora, rosters=rosters)
    address = reverse("warband-show", args=[made.warband(ada).pk])

    def seen(user: Any) -> int:
        return int(signed_in(user).get(address).status_code)

    row = c.battle(made, ada, ben)
    assert (seen(dora), seen(ben)) == (stranger_to_it, before)
    for player in (ada, ben):
        make_side_ready(side=c.side(row, player), actor=player)
    assert (seen(dora), seen(ben), seen(cleo), seen(ada)) == (stranger_to_it, mustered, 200, 200)


# --- 21: the club's laptop -------------------------------------------------------------------------------------------------------


def test_moment_21_a_share_link_prints_without_signing_in_until_it_is_revoked(ada: Any) -> None:
    warband = s.small_warband(ada)
    link = share_warband(warband=warband, actor=ada)
    address = reverse("watch-download", args=[link.slug])
    laptop = Client()
    answer = laptop.get(address)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert (answer.status_code, answer["Content-Type"], body[:5]) == (200, "application/pdf", b"%PDF-")
    assert "sessionid" not in laptop.cookies
    ShareLink.objects.filter(pk=link.pk).update(is_revoked=True)
    assert laptop.get(address).status_code == 404


def test_moment_21_administrators_print_for_those_absent(made: c.Club, ada: Any, cleo: Any, dora: Any) -> None:
    warband = made.warband(ada)
    desk = signed_in(cleo).get(reverse("campaign-administer", args=[made.campaign.pk]))
    assert reverse("roster-print", args=[warband.pk]) in text(desk)
    answer = signed_in(cleo).get(reverse("roster-download", args=[warband.pk]))
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert (answer.status_code, body[:5]) == (200, b"%PDF-")
    assert signed_in(dora).get(reverse("roster-download", args=[warband.pk])).status_code == 404
