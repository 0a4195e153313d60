"""Campaigns that start from another one: the next season, copies, presets, and the archive."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Capture, PairingWish, Seat
from campaigns.services.challenges import make_wish
from campaigns.services.join import add_seat, leave_seat
from campaigns.services.open import (
    archive_campaign,
    change_campaign,
    finish_campaign,
    open_campaign,
    reopen_campaign,
    unarchive_campaign,
)
from campaigns.services.presets import remove_preset, save_preset
from campaigns.services.repairs import repair_money
from campaigns.services.rounds import open_round
from campaigns.services.seasons import copy_campaign, found_season
from campaigns.standings import standings
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import library_stories as library
from tests import stories as s
from tests.module_story import story
from warbands.export import document_of
from warbands.idempotency import new_token
from warbands.models import Event, Fighter, Profile, Warband
from warbands.reconcile import differences
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(ada: Any, ben: Any, cleo: Any, dora: Any) -> c.Club:
    """A campaign that has ended after one battle: Ben won, a fighter of Ada's was taken out; Kolya has no account, Dora left."""
    club = c.club(cleo, ada, ben, dora)
    add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    make_wish(actor=cleo, seat=club.seat(ada), other=club.seat(ben), kind="apart")
    leave_seat(seat=club.seat(dora), actor=dora)
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, points={ada: 2, ben: 6}, out={ada: [c.named_first(club, ada)]})
    c.resolve(row, ben)
    c.resolve(row, ada)
    finish_campaign(campaign=club.campaign, actor=cleo)
    club.campaign.refresh_from_db()
    return club


def season(made: c.Club, **how: Any) -> Campaign:
    seats = [seat.pk for seat in Seat.objects.filter(campaign=made.campaign)]
    return found_season(
        campaign=made.campaign, actor=made.administrator, name="Winter II", **{"seats": seats, "carries": True, **how}
    )


def exported(campaign: Campaign) -> str:
    """All warbands of a campaign as exported, and its standings."""
    seats = Seat.objects.live().filter(campaign=campaign, warband__isnull=False)
    documents = [document_of(s.fresh(seat.warband)) for seat in seats.order_by("pk")]
    rows = [(row.seat.pk, row.place, row.points, row.won) for row in standings(campaign)]
    return json.dumps([documents, rows], sort_keys=True, default=str)


def roster(warband: Warband) -> Any:
    """What stands on a roster, in words of the document, without the prices paid and the history."""
    document = document_of(s.fresh(warband))
    record = document.pop("record")
    return json.dumps(
        [document, record["fighters"], record["strongbox"], record["promises"]], sort_keys=True, default=str
    )


def test_the_next_season_carries_people_and_warbands_and_leaves_the_first_as_it_is(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    before = exported(made.campaign)
    old = {name: roster(made.warband(user)) for name, user in (("ada", ada), ("ben", ben))}
    new = season(made)
    assert exported(made.campaign) == before
    assert (new.continues_id, new.season, new.status) == (made.campaign.pk, 2, "running")
    assert new.terms_id != made.campaign.terms_id
    assert new.terms.house_rules == made.campaign.terms.house_rules
    seats = {seat.name: seat for seat in Seat.objects.live().filter(campaign=new).select_related("warband__terms")}
    assert set(seats) == {"ada", "ben", "Kolya"}  # Dora had left
    assert seats["Kolya"].claim_token
    assert seats["Kolya"].warband is None
    for name in ("ada", "ben"):
        warband = s.fresh(seats[name].warband)
        assert warband.copied_from_id == made.seat({"ada": ada, "ben": ben}[name]).warband_id
        assert warband.terms_id == new.terms_id
        assert str(warband.owner) == name
        assert roster(warband) == old[name]
        assert not differences(warband)
    assert [row.points for row in standings(new)] == [0, 0, 0]
    assert PairingWish.objects.live().filter(seat=seats["ada"], other=seats["ben"], kind="apart").exists()


def test_an_undo_takes_all_of_a_season_back_until_somebody_acts_in_it(made: c.Club, cleo: Any) -> None:
    new = season(made)
    event = Event.objects.get(kind="season")
    opened = open_round(campaign=new, actor=cleo)
    with pytest.raises(Refusal, match="depends on this"):
        undo(event=event, actor=cleo)
    undo(event=Event.objects.get(kind="round"), actor=cleo)
    undo(event=event, actor=cleo)
    assert opened.pk
    assert not Campaign.objects.live().filter(pk=new.pk).exists()
    assert not Seat.objects.live().filter(campaign=new).exists()
    assert not Warband.objects.live().filter(copied_from__isnull=False).exists()
    assert season(made).season == 2  # and it can be started again


def test_money_stays_behind_where_the_administrator_says_so(made: c.Club, ada: Any, cleo: Any) -> None:
    repair_money(seat=made.seat(ada), ducats=30, glory=2, words="Agreed", actor=cleo)
    old = made.warband(ada)
    new = season(made, keeps_ducats=False)
    copy = Warband.objects.get(copied_from=old, seats__campaign=new)
    assert (copy.strongbox_ducats, copy.strongbox_glory) == (0, old.strongbox_glory) != (0, 0)
    assert not differences(copy)


def test_new_warbands_are_started_by_their_players(made: c.Club, ada: Any) -> None:
    new = season(made, carries=False)
    assert set(Seat.objects.live().filter(campaign=new).values_list("warband", flat=True)) == {None}
    assert not Warband.objects.filter(copied_from__isnull=False).exists()


def test_a_captive_stays_with_the_copy_of_its_captor(made: c.Club, ada: Any, ben: Any) -> None:
    mine, theirs = made.warband(ada), made.warband(ben)
    fighter = Fighter.objects.live().filter(warband=mine, status="active").last()
    assert fighter is not None
    Fighter.objects.filter(pk=fighter.pk).update(status="captive")
    Capture.objects.create(fighter=fighter, warband=mine, captor=theirs, captor_name=theirs.name)
    season(made)
    held = Capture.objects.exclude(warband=mine).get(fighter__name=fighter.name)
    assert held.captor is not None
    assert held.captor.copied_from_id == theirs.pk
    assert held.fighter.warband.copied_from_id == mine.pk


def test_a_season_needs_an_ended_campaign_people_and_no_other_next_season(made: c.Club, ben: Any, cleo: Any) -> None:
    with pytest.raises(Refusal, match="No player is chosen"):
        season(made, seats=[])
    new = season(made)
    with pytest.raises(Refusal, match="has a next season already"):
        season(made)
    with pytest.raises(Refusal, match="still running"):
        found_season(campaign=new, actor=cleo, name="III", seats=[], carries=True)


@pytest.mark.parametrize(
    ("game", "sample"), [("gloom-trench", "lamplight-column"), ("trench-too-far", "canal-company")]
)
def test_every_game_has_next_seasons(ada: Any, cleo: Any, game: str, sample: str) -> None:
    club = c.Club(open_campaign(actor=cleo, name="The Long Wire", system=game, edition=""), cleo)
    c.joins(club, ada, sample=sample)
    finish_campaign(campaign=club.campaign, actor=cleo)
    new = season(club)
    copy = Warband.objects.get(copied_from=club.warband(ada), seats__campaign=new)
    assert roster(copy) == roster(club.warband(ada))


def test_profiles_are_shared_again_in_the_next_season(ada: Any, ben: Any, cleo: Any) -> None:
    """Those of people who come along. Units keep their copies, and an undo shares the profiles where they were."""
    club = library.circle(cleo, ada, ben)
    own, theirs, kept = (
        library.shared(library.wrote(user, name), club, user)
        for user, name in ((ada, "Harbour Guard"), (ben, "Dock Watch"), (ben, "Old Crew"))
    )
    Profile.objects.filter(pk=kept.pk).update(owner=None)  # its writer's account is gone
    finish_campaign(campaign=club, actor=cleo)
    (seat,) = Seat.objects.live().filter(campaign=club, user=ada)
    new = found_season(campaign=club, actor=cleo, name="II", seats=[seat.pk], carries=True)
    terms = dict(Profile.objects.values_list("pk", "terms"))
    assert terms == {own.pk: new.terms_id, theirs.pk: club.terms_id, kept.pk: new.terms_id}
    (event,) = Event.objects.filter(kind="season")
    undo(event=event, actor=cleo)
    assert set(Profile.objects.values_list("terms", flat=True)) == {club.terms_id}


def test_a_copy_has_the_settings_and_with_people_the_seats(made: c.Club, cleo: Any) -> None:
    change = {"silence_days": 3, "tie_break": "wins"}
    Campaign.objects.filter(pk=made.campaign.pk).update(status="running")
    change_campaign(campaign=made.campaign, actor=cleo, settings=change, rounds_planned=8)
    bare = copy_campaign(campaign=made.campaign, actor=cleo, name="Copy")
    whole = copy_campaign(campaign=made.campaign, actor=cleo, name="Copy 2", with_people=True)
    for each in (bare, whole):
        assert (each.settings, each.rounds_planned, each.continues_id) == (
            {**made.campaign.settings, **change},
            8,
            None,
        )
        assert not each.battles.exists()
    assert [Seat.objects.filter(campaign=each).count() for each in (bare, whole)] == [0, 3]


def test_a_preset_starts_a_campaign_with_its_settings(made: c.Club, ada: Any, cleo: Any, client: Client) -> None:
    Campaign.objects.filter(pk=made.campaign.pk).update(settings={"silence_days": 2}, rounds_planned=9)
    made.campaign.refresh_from_db()
    preset = save_preset(campaign=made.campaign, name="House style", actor=cleo)
    client.force_login(cleo)
    shown = client.get(reverse("campaign-open"), {"preset": preset.pk})
    assert b"House style" in shown.content
    assert b'value="9"' in shown.content
    sent = {
        "name": "Spring",
        "game": f"{made.campaign.terms.system}/{made.campaign.terms.edition}",
        "preset": preset.pk,
        "rounds_planned": 9,
        "seen_by": "players",
        "rosters": "open",
        "dice": "either",
        "token": new_token(),
    }
    assert client.post(reverse("campaign-open"), sent).status_code == 302
    spring = Campaign.objects.get(name="Spring")
    assert (spring.settings["silence_days"], spring.rounds_planned) == (2, 9)
    client.force_login(ada)  # she administers nothing together with Cleo
    assert b"House style" not in client.get(reverse("campaign-open")).content
    assert client.post(reverse("campaign-open"), {**sent, "token": new_token()}).status_code == 422
    remove_preset(preset=preset, actor=cleo)
    undo(event=Event.objects.get(kind="preset-remove"), actor=cleo)
    preset.refresh_from_db()
    assert not preset.is_away


def test_ours_fit_every_game(cleo: Any, client: Client) -> None:
    client.force_login(cleo)
    for key in ("ours-short", "ours-book", "ours-league", "ours-fog"):
        page = client.get(reverse("campaign-open"), {"preset": key}).content.decode()
        assert f'name="preset" value="{key}"' in page
        assert "trench-too-far/" in page
        assert "trench-crusade/1.0" in page


def test_the_page_starts_a_season_and_tells_both_campaigns(made: c.Club, ada: Any, cleo: Any, client: Client) -> None:
    here = reverse("campaign-copy", args=[made.campaign.pk])
    client.force_login(cleo)
    page = client.get(here).content.decode()
    assert "season 2" in page
    assert "Kolya" in page
    assert "dora" not in page
    sent = {
        "act": "season",
        "name": "Winter II",
        "warbands": "carried",
        "strongbox": ["ducats"],
        "seats": [made.seat(ada).pk],
        "token": new_token(),
    }
    assert client.post(here, {**sent, "seats": [999999]}).status_code == 422
    answer = client.post(here, sent)
    new = Campaign.objects.get(name="Winter II")
    assert answer.url == reverse("campaign-administer", args=[new.pk])
    assert client.post(here, sent).status_code == 200  # pressed twice: said, not done again
    assert Campaign.objects.filter(continues=made.campaign).count() == 1
    old_page = client.get(reverse("campaign-show", args=[made.campaign.pk])).content.decode()
    new_page = client.get(reverse("campaign-show", args=[new.pk])).content.decode()
    assert "Next season: Winter II" in old_page
    assert f"Season 2 of {made.campaign.name}" in new_page
    client.force_login(ada)
    warband = Warband.objects.get(copied_from__isnull=False)
    history = client.get(reverse("history-show", args=[warband.pk])).content.decode()
    assert f"Before that: {warband.name}" in history
    assert (
        f"Goes on as: {warband.name}"
        in client.get(reverse("history-show", args=[warband.copied_from_id])).content.decode()
    )


def test_an_archived_campaign_is_read_only_and_out_of_the_lists_and_comes_back(
    made: c.Club, ada: Any, cleo: Any, client: Client
) -> None:
    archive_campaign(campaign=made.campaign, actor=cleo)
    for act in (
        lambda: change_campaign(campaign=made.campaign, actor=cleo, name="Other"),
        lambda: add_seat(campaign=made.campaign, actor=cleo, name="Late"),
        lambda: save_preset(campaign=made.campaign, actor=cleo, name="Late"),
    ):
        with pytest.raises(Refusal, match="archived"):
            act()
    client.force_login(ada)
    lists = reverse("campaign-list")
    assert made.campaign.name not in client.get(lists).content.decode()
    assert made.campaign.name in client.get(lists, {"show": "archive"}).content.decode()
    assert client.get(reverse("campaign-show", args=[made.campaign.pk])).status_code == 200
    assert season(made).season == 2  # which changes nothing in the archive
    unarchive_campaign(campaign=made.campaign, actor=cleo)
    made.campaign.refresh_from_db()
    assert made.campaign.status == "finished"
    assert made.campaign.name in client.get(lists).content.decode()


@pytest.mark.parametrize("name", ["round-pair", "round-arrange", "player-list"])
def test_the_pages_of_an_ended_campaign_offer_nothing_new(client: Client, made: c.Club, cleo: Any, name: str) -> None:
    client.force_login(cleo)
    here = reverse(name, args=[made.campaign.pk])
    offered = ("Publish round", ">Open round", ">Add places", ">New link")
    ended = client.get(here).content.decode()
    assert "This campaign is finished." in ended
    assert not [words for words in offered if words in ended]
    reopen_campaign(campaign=made.campaign, actor=cleo)
    running = client.get(here).content.decode()
    assert "This campaign is finished." not in running
    assert [words for words in offered if words in running]
