"""The desk and the pages of a campaign as a whole: read, acted on, refused, and acted on twice."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.battle_result import battle_side
from campaigns.models import Administrator, Battle, Campaign, Round, Seat
from campaigns.services.join import add_seat
from campaigns.services.open import open_campaign
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def html(response):
    return response.content.decode()


def messages(response):
    return [str(message) for message in response.context["messages"]]


@story
def club(ada, ben, cleo):
    return c.club(cleo, ada, ben)


@story
def row(club, ada, ben):
    return c.mustered(club, ada, ben)


# --- the desk ---------------------------------------------------------------------------------------------------------


def test_a_visitor_is_welcomed(client):
    page = html(client.get("/"))
    assert "Build your warband. Run the campaign. Print the roster." in page
    assert reverse("account_signup") in page
    assert page.count("<h1") == 1


def test_a_new_desk_says_what_to_begin_with(client, dora):
    client.force_login(dora)
    page = html(client.get("/"))
    assert "No warband yet. Start with a ready one or build your own." in page
    assert "Nothing to do." in page


def test_the_desk_holds_what_waits_oldest_first_each_with_one_button(row, client, ada, ben):
    client.force_login(ada)
    assert reverse("battle-report", args=[row.pk]) in html(client.get("/"))
    c.fight(row, ben, ben)
    answer = client.get("/")
    labels = [wait.label for wait in answer.context["page"].waits]
    assert sorted(labels) == ["Read", "Start"]
    assert answer.context["waiting"] == 2
    assert "to do" in html(answer)


def test_a_confirmed_battle_leaves_only_the_sequence_on_the_desk(row, client, ada):
    c.fight(row, ada, ada)
    client.force_login(ada)
    assert [wait.label for wait in client.get("/").context["page"].waits] == ["Start"]
    c.resolve(row, ada)
    assert client.get("/").context["page"].waits == ()


def test_a_round_without_a_battle_waits_for_who_sits_there(client, club, ada, cleo):
    open_round(campaign=club.campaign, actor=cleo, ends_on=date.today() + timedelta(days=9))
    client.force_login(ada)
    waits = client.get("/").context["page"].waits
    assert [wait.title for wait in waits] == ["Round 1: no battle yet"]
    assert waits[0].href.endswith("?round=1")


def test_the_news_tell_of_battles_and_not_of_single_dice(row, client, ada, ben):
    c.fight(row, ben, ben)
    c.resolve(row, ben)
    client.force_login(ada)
    told = [line.sentence for line in client.get("/").context["page"].news]
    assert any("reported" in line for line in told)
    assert not any("rolled" in line or "typed in" in line for line in told)


# --- opening and reading ----------------------------------------------------------------------------------------------


def opening(**more):
    return {
        "name": "The Winter",
        "game": "trench-crusade/1.6.3",
        "starts_on": "2026-09-01",
        "rounds_planned": "12",
        "seen_by": "players",
        "rosters": "open",
        "dice": "either",
        "notes": "",
        "token": "t-1",
        **more,
    }


def test_a_campaign_is_opened_once_and_leads_to_its_desk(client, cleo):
    client.force_login(cleo)
    answer = client.post(reverse("campaign-open"), opening())
    campaign = Campaign.objects.get()
    assert answer.url == reverse("campaign-administer", args=[campaign.pk])
    assert Administrator.objects.filter(campaign=campaign, user=cleo).exists()
    again = client.post(reverse("campaign-open"), opening())
    assert Campaign.objects.count() == 1
    assert "This was done already." in html(again)


def test_a_campaign_without_a_name_is_not_opened_and_keeps_what_was_typed(client, cleo):
    client.force_login(cleo)
    answer = client.post(reverse("campaign-open"), opening(name=" ", notes="Bring biscuits."))
    assert answer.status_code == 422
    assert "The campaign needs a name." in html(answer)
    assert "Bring biscuits." in html(answer)
    assert not Campaign.objects.exists()


def test_the_home_shows_standings_the_round_and_what_waits(client, club, ada, ben, cleo):
    open_round(campaign=club.campaign, actor=cleo)
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, points={ada: 1, ben: 3})
    client.force_login(ada)
    page = html(client.get(reverse("campaign-show", args=[club.campaign.pk])))
    assert "data-mine" in page
    assert "3*" in page
    assert "includes a report that is not confirmed yet" in page
    assert "Confirm Ben" in page or "Confirm ben" in page
    assert "Campaign desk" not in page


def test_standings_sort_by_a_column_in_the_address(client, club, row, ada, ben):
    c.fight(row, ben, ben, points={ada: 5, ben: 3})
    client.force_login(ada)
    here = reverse("campaign-show", args=[club.campaign.pk])
    first = client.get(here).context["page"].table.rows[0].name
    assert first == club.warband(ada).name
    assert client.get(here, {"sort": "won"}).context["page"].table.rows[0].name == club.warband(ben).name


def test_spectators_see_standings_without_ways_into_rosters(client, ada, ben, cleo):
    club = c.club(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)
    page = html(client.get(reverse("campaign-watch", args=[club.campaign.slug])))
    assert club.warband(ada).name in page
    assert reverse("warband-show", args=[club.warband(ada).pk]) not in page


# --- joining ----------------------------------------------------------------------------------------------------------


def test_an_invitation_survives_sign_up_and_sign_in(client, club):
    here = reverse("campaign-join", args=[c.link(club.campaign)])
    page = html(client.get(here))
    assert "cleo invites you." in page
    assert f"{reverse('account_login')}?next=" in page
    refused = client.post(here, {"bring": "later"})
    assert refused.status_code == 422
    assert "You join now and choose a warband later." in html(refused)


def test_signing_up_leads_back_to_the_invitation(client, club):
    here = reverse("campaign-join", args=[c.link(club.campaign)])
    sent = {
        "username": "newcomer",
        "password1": "a-long-enough-password",
        "next": here,
    }
    answer = client.post(f"{reverse('account_signup')}?next={here}", sent)
    assert answer.status_code == 302
    assert answer.url == here


def test_a_warband_that_cannot_come_says_why(client, club, dora):
    s.found(dora, name="Pit Crew", mode=Warband.Mode.ONE_OFF)
    client.force_login(dora)
    page = html(client.get(reverse("campaign-join", args=[c.link(club.campaign)])))
    assert "for single battles only." in page
    assert "Build my own" in page


def test_joining_with_a_warband_takes_a_seat_once(client, club, dora):
    warband = s.found(dora, name="Pit Crew", terms=s.terms())
    client.force_login(dora)
    here = reverse("campaign-join", args=[c.link(club.campaign)])
    sent = {"bring": str(warband.pk), "name": "", "token": "t-1"}
    assert client.post(here, sent).url == reverse("campaign-show", args=[club.campaign.pk])
    assert client.post(here, sent).status_code == 200
    seat = Seat.objects.get(campaign=club.campaign, user=dora)
    assert seat.warband == warband
    assert "You have a place here." in html(client.get(here))


def test_nobody_brings_the_warband_of_another(client, club, ada, dora):
    client.force_login(dora)
    sent = {"bring": str(club.warband(ada).pk), "token": "t-1"}
    answer = client.post(reverse("campaign-join", args=[c.link(club.campaign)]), sent)
    assert answer.status_code == 422
    assert not Seat.objects.filter(campaign=club.campaign, user=dora).exists()


def test_joining_to_found_leads_to_the_founding_and_on_to_the_builder(client, club, dora):
    client.force_login(dora)
    answer = client.post(reverse("campaign-join", args=[c.link(club.campaign)]), {"bring": "found", "token": "t-1"})
    seat = Seat.objects.get(campaign=club.campaign, user=dora)
    found = reverse("seat-found", args=[seat.pk])
    assert answer.url == found
    listed = client.get(found)
    href = next(line.href for faction in listed.context["page"].factions for line in faction.lists if not line.closed)
    form = client.get(href)
    asked = {field.html_name: field.field.choices[0][0] for field in form.context["form"].choice_fields}
    answer = client.post(href, {"name": "The Late Hour", "patron": "", "token": "t-2", **asked})
    warband = Warband.objects.get(owner=dora)
    assert answer.url == reverse("warband-show", args=[warband.pk])
    assert Seat.objects.get(pk=seat.pk).warband == warband
    assert warband.terms_id == club.campaign.terms_id


def test_a_claimed_seat_hands_over_its_warband(client, club, cleo, dora):
    seat = add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    client.force_login(dora)
    here = reverse("seat-claim", args=[seat.claim_token])
    assert "Your place as Kolya is reserved." in html(client.get(here))
    assert client.post(here, {"token": "t-1"}).status_code == 302
    seat.refresh_from_db()
    assert seat.user == dora


# --- people -----------------------------------------------------------------------------------------------------------


def test_an_administrator_adds_a_seat_and_hands_out_its_link(client, club, cleo):
    client.force_login(cleo)
    here = reverse("player-list", args=[club.campaign.pk])
    assert client.post(here, {"act": "add", "names": "Kolya", "token": "t-1"}).url == here
    seat = Seat.objects.get(name="Kolya")
    assert reverse("seat-claim", args=[seat.claim_token]) in html(client.get(here))
    again = client.post(here, {"act": "add", "names": "Kolya", "token": "t-2"})
    assert again.status_code == 422
    assert "already has a player called Kolya" in html(again)


def test_administrators_are_named_and_the_last_one_stays(client, club, ada, cleo):
    client.force_login(cleo)
    here = reverse("player-list", args=[club.campaign.pk])
    assert client.post(here, {"act": "administrator", "username": "nobody", "token": "t-1"}).status_code == 422
    client.post(here, {"act": "administrator", "username": "ADA", "token": "t-2"})
    assert Administrator.objects.live().filter(campaign=club.campaign).count() == 2
    client.post(here, {"act": "administrator-remove", "user": ada.pk, "token": "t-3"})
    refused = client.post(here, {"act": "administrator-remove", "user": cleo.pk, "token": "t-4"})
    assert refused.status_code == 422
    assert "is the only administrator" in html(refused)


def test_the_invite_link_is_renewed(client, club, cleo):
    client.force_login(cleo)
    old = c.link(club.campaign)
    client.post(reverse("player-list", args=[club.campaign.pk]), {"act": "invite", "token": "t-1"})
    assert c.link(club.campaign) != old


def test_a_player_is_away_comes_back_and_leaves(client, club, ada):
    client.force_login(ada)
    here = reverse("seat-show", args=[club.seat(ada).pk])
    client.post(here, {"act": "away", "token": "t-1"})
    assert club.seat(ada).status == Seat.Status.AWAY
    client.post(here, {"act": "back", "token": "t-2"})
    assert club.seat(ada).status == Seat.Status.PLAYING
    client.post(here, {"act": "leave", "token": "t-3"})
    assert club.seat(ada).status == Seat.Status.LEFT


def test_only_an_administrator_brings_a_seat_back(client, club, ada, cleo):
    client.force_login(ada)
    here = reverse("seat-show", args=[club.seat(ada).pk])
    client.post(here, {"act": "leave", "token": "t-1"})
    assert client.post(here, {"act": "return", "token": "t-2"}).status_code == 422
    client.force_login(cleo)
    assert client.post(here, {"act": "return", "token": "t-3"}).status_code == 302
    assert club.seat(ada).status == Seat.Status.PLAYING


def test_nobody_is_asked_for_a_list_that_nobody_checks(client, club, ada):
    client.force_login(ada)
    assert "Send your starting list" not in html(client.get("/"))


def test_a_starting_list_is_sent_in_and_sent_back_with_words(client, ada, ben, cleo):
    club = c.club(cleo, ada, ben, settings={"lists_looked_at": True})
    here = reverse("seat-show", args=[club.seat(ada).pk])
    client.force_login(ada)
    assert "Send your starting list" in html(client.get("/"))
    client.post(here, {"act": "submit", "token": "t-1"})
    assert "Send your starting list" not in html(client.get("/"))
    client.force_login(cleo)
    assert "Check " in html(client.get("/"))
    assert client.post(here, {"act": "return-list", "words": "", "token": "t-2"}).status_code == 422
    client.post(here, {"act": "return-list", "words": "Two snipers is plenty.", "token": "t-3"})
    client.force_login(ada)
    assert "Two snipers is plenty." in html(client.get(here))


# --- rules ------------------------------------------------------------------------------------------------------------


def test_house_rules_are_read_by_players_and_changed_by_administrators(client, club, ada, cleo):
    here = reverse("house-rule-list", args=[club.campaign.pk])
    client.force_login(ada)
    assert "Unanswered reports are confirmed after" in html(client.get(here))
    assert client.get(here, {"edit": "ways"}).status_code == 403
    client.force_login(cleo)
    form = client.get(here, {"edit": "ways"}).context["form"]
    sent = {name: value for name, value in form.initial.items() if value is not None and value is not False}
    client.post(f"{here}?edit=ways", {**sent, "silence_days": "3", "tie_break": "wins", "token": "t-1"})
    campaign = Campaign.objects.get()
    assert campaign.settings["silence_days"] == 3
    assert campaign.settings["tie_break"] == "wins"


def test_a_way_out_of_range_is_refused_at_its_field(client, club, cleo):
    client.force_login(cleo)
    here = reverse("house-rule-list", args=[club.campaign.pk])
    answer = client.post(f"{here}?edit=ways", {"silence_days": "900", "token": "t-1"})
    assert answer.status_code == 422
    assert 'id="id_silence_days_error"' in html(answer)


def test_house_rules_show_what_they_change_before_they_hold(client, club, ada, cleo):
    client.force_login(cleo)
    here = f"{reverse('house-rule-list', args=[club.campaign.pk])}?edit=rules"
    sent = {
        "threshold_add": "50",
        "field_strength_add": "0",
        "banned": "",
        "limits": "",
        "thresholds": "3: 900",
        "field_strengths": "",
        "token": "t-1",
    }
    shown = client.post(here, {**sent, "act": "preview"})
    assert shown.status_code == 200
    assert club.campaign.terms.__class__.objects.get(pk=club.campaign.terms_id).house_rules == {}
    client.post(here, {**sent, "act": "write"})
    rules = Campaign.objects.select_related("terms").get().terms.house_rules
    assert rules == {"threshold_add": 50, "thresholds": {"3": 900}}
    assert "+50" in html(client.get(reverse("house-rule-list", args=[club.campaign.pk])))


def test_a_name_the_books_do_not_know_is_told_at_its_field(client, club, cleo):
    client.force_login(cleo)
    here = f"{reverse('house-rule-list', args=[club.campaign.pk])}?edit=rules"
    answer = client.post(here, {"banned": "Death Ray", "token": "t-1"})
    assert answer.status_code == 422
    assert "“Death Ray” isn&#x27;t in the rules." in html(answer)


def test_what_is_banned_by_name_is_kept_by_id_and_shown_by_name(client, club, cleo):
    client.force_login(cleo)
    here = f"{reverse('house-rule-list', args=[club.campaign.pk])}?edit=rules"
    client.post(here, {"banned": "Machine Gun", "token": "t-1"})
    assert Campaign.objects.select_related("terms").get().terms.house_rules["banned"] == ["machine-gun"]
    assert "Machine Gun" in client.get(here).context["form"].initial["banned"]


# --- rounds and battles -----------------------------------------------------------------------------------------------


def test_rounds_are_opened_moved_closed_and_opened_again(client, club, cleo):
    client.force_login(cleo)
    here = reverse("round-arrange", args=[club.campaign.pk])
    first, last = timezone.localdate().isoformat(), (timezone.localdate() + timedelta(days=21)).isoformat()
    client.post(here, {"act": "open", "starts_on": first, "ends_on": last, "token": "t-1"})
    found = Round.objects.get()
    backwards = {"act": "move", "round": "1", "starts_on": last, "ends_on": first, "token": "t-2"}
    assert client.post(here, backwards).status_code == 422
    client.post(here, {"act": "close", "round": "1", "token": "t-3"})
    found.refresh_from_db()
    assert found.is_closed
    client.post(here, {"act": "reopen", "round": "1", "token": "t-4"})
    found.refresh_from_db()
    assert not found.is_closed


def test_the_rounds_stand_with_their_battles_and_who_has_none(client, club, ada, ben, cleo, dora):
    c.joins(club, dora, "third-breach")
    found = open_round(campaign=club.campaign, actor=cleo)
    row = c.battle(club, ada, ben, round=found)
    client.force_login(cleo)
    page = html(client.get(reverse("round-arrange", args=[club.campaign.pk])))
    assert reverse("battle-show", args=[row.pk]) in page
    assert f"No battle yet: {club.warband(dora).name}." in page
    assert 'name="round" value="1"' in page


def test_the_invite_link_is_a_code_for_the_wall_too(client, club, cleo):
    client.force_login(cleo)
    page = html(client.get(reverse("player-list", args=[club.campaign.pk])))
    assert 'class="qr"' in page
    assert "style=" not in page


def test_a_player_sets_up_a_battle_against_another_or_a_guest(client, club, ada, ben):
    client.force_login(ada)
    here = reverse("battle-schedule", args=[club.campaign.pk])
    answer = client.post(
        here, {"seat": club.seat(ben).pk, "planned_for": timezone.localdate().isoformat(), "token": "t-1"}
    )
    row = Battle.objects.get()
    assert answer.url == reverse("battle-show", args=[row.pk])
    assert [side.seat for side in row.sides.live()] == [club.seat(ada), club.seat(ben)]
    client.post(here, {"guest_name": "Mirko", "guest_keyword": "BLACK GRAIL", "token": "t-2"})
    assert Battle.objects.order_by("pk").last().sides.live().filter(guest_name="Mirko").exists()


@pytest.mark.parametrize(
    ("chosen", "typed", "kept"),
    [
        ("PILGRIM", "", "PILGRIM"),
        ("other", "TRENCH PILGRIMS", "PILGRIM"),
        ("", "the  pilgrims", "PILGRIM"),
        ("other", "trench ghosts", "HERETIC"),
        ("other", " Men of   Metz ", "Men of Metz"),
        ("other", "", ""),
    ],
)
def test_a_guests_faction_is_kept_as_the_editions_keyword(client, club, ada, chosen, typed, kept):
    client.force_login(ada)
    here = reverse("battle-schedule", args=[club.campaign.pk])
    page = html(client.get(here))
    assert '<option value="PILGRIM">Trench Pilgrims</option>' in page
    assert page.count('<option value="HERETIC">') == 3  # once for each guest
    client.post(here, {"guest_name": "Emil", "guest_keyword": chosen, "guest_other": typed, "token": "t"})
    side = Battle.objects.get().sides.live().get(guest_name="Emil")
    assert side.guest_keyword == kept
    side.guest_keyword = typed
    assert battle_side(side.battle, side, {}).faction_keyword == (kept if typed else "")


def test_a_battle_against_nobody_is_refused(client, club, ada):
    client.force_login(ada)
    answer = client.post(reverse("battle-schedule", args=[club.campaign.pk]), {"token": "t-1"})
    assert answer.status_code == 422
    assert "A battle needs at least two sides." in html(answer)


def test_only_an_administrator_gives_a_bye(client, club, ada, cleo):
    here = reverse("battle-schedule", args=[club.campaign.pk])
    client.force_login(cleo)
    client.post(here, {"act": "bye", "seat": club.seat(ada).pk, "token": "t-1"})
    assert Battle.objects.get().kind == Battle.Kind.BYE


def test_the_desk_of_a_campaign_names_what_is_missing_with_its_remedy(client, club, ada, ben, cleo):
    open_round(campaign=club.campaign, actor=cleo)
    add_seat(campaign=club.campaign, actor=cleo, name="Kolya")
    row = c.mustered(club, ada, ben)
    Battle.objects.filter(pk=row.pk).update(planned_for=timezone.localdate() - timedelta(days=1))
    client.force_login(cleo)
    here = reverse("campaign-administer", args=[club.campaign.pk])
    page = client.get(here).context["page"]
    assert [matter.title for matter in page.matters.missing][-1] == "Kolya"
    assert page.matters.missing[0].acts[0].href == reverse("battle-report", args=[row.pk])
    assert page.matters.count


def test_a_campaign_is_ended_opened_again_and_put_away(client, club, cleo):
    client.force_login(cleo)
    here = reverse("campaign-administer", args=[club.campaign.pk])
    for number, (act, status) in enumerate(
        [("finish", "finished"), ("reopen", "running"), ("finish", "finished"), ("archive", "archived")]
    ):
        client.post(here, {"act": act, "token": f"t-{number}"})
        assert Campaign.objects.get().status == status


def test_no_page_shows_a_token_twice(client, club, ada, ben, cleo):
    """A token is spent by its first press: two forms of a page never share one."""
    open_round(campaign=club.campaign, actor=cleo)
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben)
    client.force_login(cleo)
    for address in (
        reverse("player-list", args=[club.campaign.pk]),
        reverse("campaign-administer", args=[club.campaign.pk]),
        reverse("round-arrange", args=[club.campaign.pk]),
        reverse("seat-show", args=[club.seat(ada).pk]),
        reverse("battle-void", args=[row.pk]),
        reverse("report-confirm", args=[row.pk]),
    ):
        tokens = re.findall(r'name="token" value="([^"]+)"', html(client.get(address)))
        assert tokens, address
        assert len(tokens) == len(set(tokens)), address


def test_every_act_of_these_pages_is_an_event(client, cleo):
    client.force_login(cleo)
    open_campaign(actor=cleo, name="The Winter")
    before = Event.objects.count()
    here = reverse("campaign-administer", args=[Campaign.objects.get().pk])
    client.post(here, {"act": "round-open", "token": "t-1"})
    assert Event.objects.count() == before + 1
