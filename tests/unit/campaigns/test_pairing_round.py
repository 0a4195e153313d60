"""A round of twenty in two taps: suggested, changed by names, published as one event, and taken back by one undo."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Absence, Battle, Campaign, Challenge, PairingWish, Round, Seat, Side
from campaigns.pairing.suggest import suggest
from campaigns.pairing_facts import read_facts
from campaigns.services.challenges import (
    answer_challenge,
    end_wish,
    make_wish,
    offer_challenge,
    plan_absence,
    withdraw_challenge,
)
from campaigns.services.open import open_campaign
from campaigns.services.pairing import publish_round
from campaigns.services.rounds import give_bye, open_round, schedule_battle
from rules.problems import Refusal
from tests import stories as s
from tests.conftest import person
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event, Warband
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

COUNT = 20


@story
def campaign(cleo: Any) -> Campaign:
    """Cleo's campaign of twenty seats with warbands that nobody has claimed, the first of them Ada's and Ben's."""
    made = open_campaign(actor=cleo, name="The Long Winter", edition=s.TRENCH_CRUSADE[1])
    bare = {"terms": made.terms, "list_id": "new-antioch", "status": Warband.Status.CAMP}
    warbands = Warband.objects.bulk_create(Warband(name=f"Warband {n}", **bare) for n in range(COUNT))
    Seat.objects.bulk_create(
        Seat(campaign=made, name=f"Player {n:02}", warband=warband) for n, warband in enumerate(warbands)
    )
    return made


@pytest.fixture
def seats(campaign: Campaign) -> list[Seat]:
    return list(Seat.objects.filter(campaign=campaign).select_related("warband", "campaign__terms").order_by("pk"))


@pytest.fixture
def desk(cleo: Any) -> Client:
    client = Client()
    client.force_login(cleo)
    return client


def here(campaign: Campaign) -> str:
    return reverse("round-pair", args=[campaign.pk])


def fields(html: str, method: str) -> list[tuple[str, str]]:
    """The hidden fields of the page's form of this method."""
    form = re.search(rf'<form class="stack" method="{method}".*?</form>', html, re.DOTALL)
    assert form is not None
    return re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])


def sent(html: str, **more: str) -> dict[str, list[str]]:
    """What the button that publishes sends."""
    found: dict[str, list[str]] = {}
    for name, value in fields(html, "post"):
        found.setdefault(name, []).append(value)
    found["starts_on"] = re.findall(r'name="starts_on"[^>]*value="([^"]*)"', html) or [""]
    return {**found, "token": [new_token()], **{name: [value] for name, value in more.items()}}


def tables_of(found: Round) -> list[frozenset[int]]:
    battles = found.battles.live().exclude(kind=Battle.Kind.BYE)
    return [frozenset(battle.sides.live().values_list("seat", flat=True)) for battle in battles]


def test_two_taps_publish_a_round_of_twenty_and_one_undo_takes_it_back(
    desk: Client, campaign: Campaign, cleo: Any
) -> None:
    link = here(campaign)
    assert link in desk.get(reverse("campaign-show", args=[campaign.pk])).content.decode()
    html = desk.get(link).content.decode()  # the first tap
    events = Event.objects.count()
    answer = desk.post(link, sent(html))  # the second
    found = Round.objects.live().get(campaign=campaign)
    assert answer["Location"] == reverse("round-show", args=[campaign.pk, found.number])
    assert Event.objects.count() == events + 1
    met = tables_of(found)
    assert len(met) == COUNT // 2
    assert len(frozenset().union(*met)) == COUNT
    event = Event.objects.latest("pk")
    assert (event.kind, event.told) == ("pair", "cleo paired round 1: 10 battles.")
    undo(event=event, actor=cleo)
    assert not Round.objects.live().filter(campaign=campaign).exists()
    assert not Battle.objects.live().filter(campaign=campaign).exists()


def test_pressed_twice_it_is_published_once(desk: Client, campaign: Campaign) -> None:
    data = sent(desk.get(here(campaign)).content.decode())
    desk.post(here(campaign), data)
    desk.post(here(campaign), data)
    assert Round.objects.live().filter(campaign=campaign).count() == 1


def test_two_names_change_places_and_their_tables_stay(desk: Client, campaign: Campaign, seats: list[Seat]) -> None:
    html = desk.get(here(campaign)).content.decode()
    before = [set(value.split("-")) for name, value in fields(html, "get") if name == "table"]
    one, other = min(before[0]), min(before[1])
    query = fields(html, "get")
    html = desk.get(here(campaign), _query([*query, ("tap", one)])).content.decode()
    assert 'aria-pressed="true"' in html
    html = desk.get(here(campaign), _query([*fields(html, "get"), ("tap", other)])).content.decode()
    after = [set(value.split("-")) for name, value in fields(html, "get") if name == "table"]
    assert after[0] == before[0] - {one} | {other}
    assert after[1] == before[1] - {other} | {one}
    assert after[2:] == before[2:]
    locked = [set(value.split("-")) for name, value in fields(html, "get") if name == "lock"]
    assert locked == after[:2]
    html = desk.get(here(campaign), _query([*fields(html, "get"), ("again", "1")])).content.decode()
    again = [set(value.split("-")) for name, value in fields(html, "get") if name == "table"]
    assert all(table in again for table in locked)
    desk.post(here(campaign), sent(html))
    found = Round.objects.live().get(campaign=campaign)
    assert {frozenset(map(int, table)) for table in locked} <= set(tables_of(found))


def _query(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def test_left_out_and_taken_in_again(desk: Client, campaign: Campaign, seats: list[Seat]) -> None:
    gone = str(seats[3].pk)
    html = desk.get(here(campaign), {"leave": gone}).content.decode()
    assert len([1 for name, _ in fields(html, "get") if name == "table"]) == COUNT // 2  # nine battles and a bye
    assert "Left out" in html
    html = desk.get(here(campaign), _query([*fields(html, "get"), ("add", gone)])).content.decode()
    assert "Left out" not in html


def test_what_an_address_cannot_mean_is_no_fault(desk: Client, campaign: Campaign) -> None:
    for query in (
        "table=x&lock=--&picked=abc&out=-3&odd=seven&battles=99999999999999999999&round=no",
        "tap=999999999999999999&picked=1",
        "table=1-2&table=1-2&toggle=0",
        "lock=999999999999999999-1&again=1",
    ):
        assert desk.get(f"{here(campaign)}?{query}").status_code == 200
    answer = desk.post(here(campaign), {"token": new_token(), "table": "1-1", "round": "new"})
    assert answer.status_code == 422


def test_who_met_and_who_is_away_are_asked_about(
    desk: Client, campaign: Campaign, seats: list[Seat], cleo: Any
) -> None:
    schedule_battle(campaign=campaign, actor=cleo, seats=seats[:2])
    plan_absence(seat=seats[2], starts_on=date(2026, 1, 1), ends_on=date(2026, 12, 31), actor=cleo)
    keys = f"{seats[0].pk}-{seats[1].pk}", f"{seats[2].pk}-{seats[3].pk}"
    data = {
        "table": list(keys),
        "round": "new",
        "starts_on": "2026-06-01",
        "ends_on": "2026-06-14",
        "in": str(seats[2].pk),
    }
    answer = desk.post(here(campaign), {**data, "token": new_token()})
    words = answer.content.decode()
    assert answer.status_code == 422
    assert "Player 00 and Player 01 have met once. Pair them again?" in words
    assert "Player 02 is away. Pair them all the same?" in words
    mark = re.search(r'name="checked" value="(\w+)"', words)
    assert mark is not None
    assert desk.post(here(campaign), {**data, "token": new_token(), "checked": mark[1]}).status_code == 302
    assert len(tables_of(Round.objects.live().get(campaign=campaign))) == 2


def test_a_round_takes_in_agreed_challenges(campaign: Campaign, seats: list[Seat], cleo: Any) -> None:
    offered = offer_challenge(seat=seats[4], other=seats[9], actor=cleo, words="Bring dice")
    answer_challenge(challenge=offered, actor=cleo, accepts=True)
    facts = read_facts(campaign, round=None, starts_on=None, ends_on=None)
    assert facts.challenges == {(seats[4].pk, seats[9].pk)}
    found = publish_round(campaign=campaign, actor=cleo, tables=[[seats[4], seats[9]], [seats[0]]])
    offered.refresh_from_db()
    assert offered.status == Challenge.Status.PAIRED
    assert offered.battle in found.battles.live()
    with pytest.raises(Refusal, match="over"):
        withdraw_challenge(challenge=offered, by=seats[4], actor=cleo)
    undo(event=Event.objects.get(kind="pair"), actor=cleo)
    offered.refresh_from_db()
    assert (offered.status, offered.battle) == (Challenge.Status.ACCEPTED, None)


def test_players_challenge_each_other(campaign: Campaign, seats: list[Seat]) -> None:
    """Through the page: offered, declined, offered the other way round, which accepts; only those two may answer."""
    ada, ben, dora = (person(name) for name in ("wilma", "bruno", "thea"))
    for seat, user in zip(seats, (ada, ben, dora), strict=False):
        Seat.objects.filter(pk=seat.pk).update(user=user)
    page = reverse("challenge-list", args=[campaign.pk])

    def press(user: Any, **data: Any) -> int:
        client = Client()
        client.force_login(user)
        return client.post(page, {"token": new_token(), **data}).status_code

    assert press(ada, act="offer", other=seats[1].pk) == 302
    first = Challenge.objects.get()
    assert press(ada, act="offer", other=seats[1].pk) == 422  # open already
    assert press(dora, act="accept", row=first.pk) == 422  # not asked
    assert press(dora, act="withdraw", row=first.pk) == 422
    assert press(dora, act="accept", row=first.pk, seat=seats[1].pk) == 403  # nobody acts from another seat
    assert press(ben, act="withdraw", row=first.pk) == 422  # who is asked declines
    assert press(ben, act="decline", row=first.pk) == 302
    assert press(ben, act="offer", other=seats[0].pk) == 302
    assert press(ada, act="offer", other=seats[1].pk) == 302  # asked too: that is a yes
    second = Challenge.objects.latest("pk")
    assert (second.seat, second.status) == (seats[1], Challenge.Status.ACCEPTED)
    assert press(ada, act="withdraw", row=second.pk) == 302
    assert press(ada, act="offer", other=seats[0].pk) == 422  # oneself
    assert press(ada, act="away", starts_on="2026-12-02", ends_on="2026-12-01") == 422
    assert press(ada, act="away", starts_on="2026-12-01", ends_on="2026-12-24") == 302
    assert press(ada, act="away-end", row=Absence.objects.get().pk) == 302
    assert press(ada, act="meet", other=seats[2].pk) == 302
    assert press(ada, act="wish-end", row=PairingWish.objects.get().pk) == 302
    assert press(ada, act="rubbish") == 422


def test_wishes_and_absences_feed_the_suggestion(campaign: Campaign, seats: list[Seat], cleo: Any) -> None:
    make_wish(seat=seats[0], other=seats[19], kind="meet", actor=cleo)
    apart = make_wish(seat=seats[1], other=seats[2], kind="apart", actor=cleo)
    first = date(2026, 6, 1)
    plan_absence(seat=seats[5], starts_on=first - timedelta(days=3), ends_on=first + timedelta(days=30), actor=cleo)
    plan_absence(seat=seats[6], starts_on=first, ends_on=first + timedelta(days=2), actor=cleo)
    facts = read_facts(campaign, round=None, starts_on=first, ends_on=first + timedelta(days=13))
    assert [(each.seat, each.is_away) for each in facts.left_out] == [(seats[5], True)]
    assert list(facts.notes) == [seats[6].pk]
    known = {player.key: player for player in facts.players}
    assert known[seats[0].pk].wants == {seats[19].pk}
    assert known[seats[1].pk].avoids == {seats[2].pk}
    tables = {frozenset(table.players) for table in suggest(facts.players).tables}
    assert frozenset({seats[0].pk, seats[19].pk}) in tables
    end_wish(wish=apart, actor=cleo)
    with pytest.raises(Refusal, match="removed before"):
        end_wish(wish=apart, actor=cleo)


def test_an_administrator_sees_what_all_players_asked_for(desk: Client, campaign: Campaign, seats: list[Seat]) -> None:
    page = reverse("challenge-list", args=[campaign.pk])

    def press(seat: Seat, **data: Any) -> None:
        assert desk.post(page, {"token": new_token(), "seat": seat.pk, **data}).status_code == 302

    assert desk.get(page).context["page"].everybody == ()
    press(seats[0], act="offer", other=seats[1].pk)
    press(seats[2], act="away", starts_on="2099-12-01", ends_on="2099-12-24")
    press(seats[3], act="apart", other=seats[4].pk)
    shown = desk.get(page, {"seat": seats[1].pk}).context["page"]
    assert [line.title for line in shown.everybody] == [
        f"{seats[0].name} challenged {seats[1].name}",
        f"{seats[2].name} is away",
        f"{seats[3].name}, {seats[4].name}",
    ]
    assert shown.everybody[0].href.endswith(f"?seat={seats[1].pk}")  # who has to answer
    assert [line.title for line in shown.challenges] == [f"{seats[0].name} challenged {seats[1].name}"]


def test_facts_count_battles_byes_and_meetings(campaign: Campaign, seats: list[Seat], cleo: Any) -> None:
    found = open_round(campaign=campaign, actor=cleo)
    schedule_battle(campaign=campaign, actor=cleo, seats=seats[:3], round=found)
    give_bye(campaign=campaign, actor=cleo, seat=seats[3], round=found)
    void = schedule_battle(campaign=campaign, actor=cleo, seats=seats[4:6], round=found)
    Battle.objects.filter(pk=void.pk).update(status=Battle.Status.VOID)
    facts = read_facts(campaign, round=None, starts_on=None, ends_on=None)
    known = {player.key: player for player in facts.players}
    assert known[seats[0].pk].met == {seats[1].pk: 1, seats[2].pk: 1}
    assert known[seats[0].pk].last == {seats[1].pk, seats[2].pk}
    assert [known[seat.pk].games for seat in seats[:6]] == [1, 1, 1, 0, 0, 0]
    assert [known[seat.pk].byes for seat in seats[2:5]] == [0, 1, 0]
    in_round = read_facts(campaign, round=found, starts_on=None, ends_on=None)
    assert {each.seat for each in in_round.left_out} == set(seats[:4])


def test_scenarios_are_set_where_asked(desk: Client, campaign: Campaign) -> None:
    html = desk.get(here(campaign), {"scenarios": "1"}).content.decode()
    desk.post(here(campaign), sent(html))
    battles = Battle.objects.live().filter(campaign=campaign)
    assert len(battles) == COUNT // 2
    assert all(battle.scenario_id for battle in battles)


def test_refused_rounds_leave_nothing(campaign: Campaign, seats: list[Seat], cleo: Any) -> None:
    for tables in ([], [[seats[0]]], [[seats[0], seats[1]], [seats[1], seats[2]]]):
        with pytest.raises(Refusal):
            publish_round(campaign=campaign, actor=cleo, tables=tables)
    with pytest.raises(Refusal, match="no such scenario"):
        publish_round(campaign=campaign, actor=cleo, tables=[seats[:2]], scenario_ids={0: "nowhere"})
    assert not Round.objects.filter(campaign=campaign, is_undone=False).exists()
    assert not Side.objects.live().filter(battle__campaign=campaign).exists()
