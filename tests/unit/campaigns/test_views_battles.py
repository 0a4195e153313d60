"""The pages of a battle: muster, report, and the answer to it."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, PostBattle, Report
from campaigns.scenarios import scenario_name
from campaigns.services.answers import dispute_report
from campaigns.services.house_rules import change_house_rules
from campaigns.services.muster import make_side_ready
from campaigns.services.reports import record_unplayed
from campaigns.services.rounds import give_bye
from tests import campaign_stories as c
from tests.module_story import story
from warbands.models import Event, Snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def html(response):
    return response.content.decode()


def htmx(target):
    return {"HX-Request": "true", "HX-Target": f"div#{target}", "HX-Request-Type": "partial"}


@story
def club(ada, ben, cleo):
    return c.club(cleo, ada, ben)


@story
def row(club, ada, ben):
    return c.battle(club, ada, ben)


@story
def mustered(club, ada, ben):
    return c.mustered(club, ada, ben)


@pytest.fixture
def mine(client, ada):
    client.force_login(ada)
    return client


def setup(row):
    return reverse("force-select", args=[row.pk])


def going(page):
    return [row.key for row in page.force.rows if row.taken]


# --- muster -----------------------------------------------------------------------------------------------------------


def test_a_typed_die_finds_the_scenario_and_shows_the_row_it_hit(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    answer = mine.post(
        setup(row), {"act": "roll", "what": "scenario", "source": "typed", "face_1": "2", "at": "0", "token": "t-1"}
    )
    assert answer.status_code == 302
    row.refresh_from_db()
    assert row.scenario_id
    page = mine.get(setup(row))
    assert "data-hit" in html(page)
    assert "entered by" in html(page)
    assert page.context["page"].scenario.mistyped


def test_the_house_rules_that_hold_are_spelt_out_where_forces_are_made(mine, club, row, ada, cleo):
    warband = club.warband(ada)
    places = [setup(row), reverse("warband-show", args=[warband.pk]), reverse("roster-print", args=[warband.pk])]
    assert not any('id="house_rules"' in html(mine.get(place)) for place in places)
    rules = {"elite_cap": 4, "threshold_add": 100, "third_party": False, "readings": {"camp": "strict"}}
    change_house_rules(campaign=club.campaign, actor=cleo, house_rules=rules)
    for place in places:
        page = html(mine.get(place))
        assert "3 house rules" in page, place
        assert "<dt>Most ELITE fighters</dt><dd>How many ELITE fighters a warband may have. Here: 4.</dd>" in page
        assert "Here: +100." in page
        assert "<dt>Money from sales</dt>" in page
        assert "third-party" not in page


def test_a_seven_is_refused_and_nothing_is_kept(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    answer = mine.post(
        setup(row), {"act": "roll", "what": "scenario", "source": "typed", "face_1": "7", "token": "t-1"}
    )
    assert answer.status_code == 422
    assert "This die shows 1 to 6, not 7." in html(answer)
    row.refresh_from_db()
    assert row.muster == {}


def test_mistyped_takes_the_scenario_back(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    mine.post(setup(row), {"act": "roll", "what": "scenario", "source": "typed", "face_1": "2", "token": "t-1"})
    mine.post(setup(row), {"act": "mistyped", "what": "scenario", "token": "t-2"})
    row.refresh_from_db()
    assert row.scenario_id == ""


def test_scenario_and_attacker_can_be_chosen_without_rolling(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    mine.post(setup(row), {"act": "scenario", "scenario": "", "scenario_name": "The Mill", "token": "t-1"})
    row.refresh_from_db()
    assert row.scenario_name == "The Mill"
    mine.post(setup(row), {"act": "attacker", "attacker": str(c.side(row, ben).pk), "token": "t-2"})
    assert c.side(row, ben).is_attacker
    assert not c.side(row, ada).is_attacker


def test_muster_numbers_the_sections_that_are_there(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="trench-warfare")
    number = re.compile(r'class="setup-number">(\d)<')
    assert number.findall(html(mine.get(setup(row)))) == ["1", "2", "3"]
    row = c.battle(club, ada, ben, scenario="relic-hunt")
    assert number.findall(html(mine.get(setup(row)))) == ["1", "2"]


def test_the_bar_follows_who_is_ticked(row, mine, ada):
    page = mine.get(setup(row)).context["page"]
    fewer = going(page)[:-1]
    answer = mine.post(
        setup(row), {"fighter": fewer, "side": page.force.side_pk, "token": "t-1"}, headers=htmx("muster")
    )
    assert answer.status_code == 200
    assert "<html" not in html(answer)
    assert 'id="force_bar" hx-swap-oob="true"' in html(answer)
    assert going(answer.context["page"]) == fewer
    assert c.side(row, ada).force["taken"] == fewer


def test_ready_freezes_the_ticked_force_with_its_problems_and_never_refuses(mine, club, row, ada, cleo):
    change_house_rules(campaign=club.campaign, actor=cleo, house_rules={"threshold_add": -690})
    page = mine.get(setup(row)).context["page"]
    sent = {
        "act": "ready",
        "force_shown": "1",
        "fighter": going(page)[:-1],
        "side": page.force.side_pk,
        "seen": page.seen,
        "token": "t-1",
    }
    assert mine.post(setup(row), sent).url == reverse("battle-show", args=[row.pk])
    side = c.side(row, ada)
    assert side.ready_at is not None
    assert side.force["taken"] == going(page)[:-1]
    assert side.snapshot.problems
    again = mine.post(setup(row), sent)
    assert again.status_code in (200, 422)
    assert Snapshot.objects.filter(warband=side.warband).count() == 1


def test_a_stale_muster_says_what_happened_and_can_go_on(mine, club, ada, ben):
    from tests import stories as s

    row = c.battle(club, ada, ben)
    page = mine.get(setup(row)).context["page"]
    from warbands.services.roster import rename_fighter

    rename_fighter(fighter=s.fighter(club.warband(ada), c.named_first(club, ada)), name="Renamed", actor=ada)
    sent = {"act": "ready", "side": page.force.side_pk, "seen": page.seen, "token": "t-1"}
    answer = mine.post(setup(row), sent)
    assert answer.status_code == 422
    assert "While this page was open" in html(answer)
    assert "Do it anyway" in html(answer)
    assert c.side(row, ada).ready_at is None


def test_ready_can_be_taken_back_until_the_report(mustered, mine, ada):
    mine.post(setup(mustered), {"act": "unready", "side": c.side(mustered, ada).pk, "token": "t-1"})
    assert c.side(mustered, ada).ready_at is None


def test_one_side_does_not_muster_the_other(row, mine, ada, ben):
    theirs = c.side(row, ben)
    mine.post(setup(row), {"act": "ready", "side": theirs.pk, "token": "t-1"})
    assert c.side(row, ben).ready_at is None
    assert mine.get(setup(row), {"side": theirs.pk}).context["page"].force.side_pk == c.side(row, ada).pk


def test_an_administrator_musters_either_side_in_its_place(row, client, ben, cleo):
    client.force_login(cleo)
    page = client.get(setup(row), {"side": c.side(row, ben).pk}).context["page"]
    assert [tab.current for tab in page.force.tabs] == [False, True]
    client.post(setup(row), {"act": "ready", "side": c.side(row, ben).pk, "token": "t-1"})
    assert c.side(row, ben).ready_at is not None
    assert Event.objects.filter(kind="muster").last().for_name


# --- the report -------------------------------------------------------------------------------------------------------


def report(row, **more):
    sides = list(row.sides.live().order_by("place"))
    return {
        "result": str(sides[0].pk),
        f"points_{sides[0].pk}": "3",
        f"points_{sides[1].pk}": "1",
        "kind": "played",
        "played_on": timezone.localdate().isoformat(),
        "words": "",
        "token": "t-1",
        **more,
    }


def address(row, query=""):
    return reverse("battle-report", args=[row.pk]) + query


def test_a_report_is_sent_with_who_was_out_by_whom_and_the_deeds(mustered, mine, ada, ben):
    page = mine.get(address(mustered)).context["page"]
    one, other = c.side(mustered, ada), c.side(mustered, ben)
    down, deed = page.sides[0].fighters[0], next(line for line in page.deeds if ":" in line.groups[0][1][0].value)
    doer = deed.groups[0][1][1].value
    sent = report(mustered, out=[down.tick.value], **{down.by_name: str(one.pk), deed.name: doer})
    assert mine.post(address(mustered), sent).url == reverse("battle-show", args=[mustered.pk])
    data = Report.objects.get().data
    assert data["winner"] == str(one.pk)
    assert data["points"] == {str(one.pk): 3, str(other.pk): 1}
    assert data["out"][str(one.pk)] == {down.key: str(one.pk)}
    assert data["deeds"] == [[deed.name.removeprefix("deed_"), *doer.split(":")]]
    assert Report.objects.get().by_side == one
    assert PostBattle.objects.filter(side=one).exists()


def test_sent_twice_a_report_is_one_report(mustered, mine):
    mine.post(address(mustered), report(mustered))
    again = mine.post(address(mustered), report(mustered))
    assert again.status_code == 200
    assert "This was done already." in html(again)
    assert Report.objects.count() == 1


def test_a_report_without_a_winner_keeps_everything_that_was_ticked(mustered, mine):
    page = mine.get(address(mustered)).context["page"]
    down = page.sides[0].fighters[0]
    answer = mine.post(address(mustered), report(mustered, result="", out=[down.tick.value], words="Rain all day."))
    assert answer.status_code == 422
    assert "Who won? Choose one." in html(answer)
    kept = answer.context["page"]
    assert kept.sides[0].fighters[0].tick.ticked
    assert kept.sides[0].points == "3"
    assert "Rain all day." in html(answer)
    assert not Report.objects.exists()


def test_points_that_are_no_number_name_the_side(mine, club, mustered, ben):
    answer = mine.post(address(mustered), {**report(mustered), f"points_{c.side(mustered, ben).pk}": "many"})
    assert answer.status_code == 422
    assert f"Victory points of {club.warband(ben).name}" in html(answer)
    (tag,) = re.findall(r'<input[^>]*aria-invalid="true"[^>]*>', answer.content.decode())
    assert f'name="points_{c.side(mustered, ben).pk}"' in tag
    assert "autofocus" in tag


def test_both_reporting_the_same_confirms_it_and_another_story_is_told_who_was_first(mustered, client, ada, ben):
    client.force_login(ada)
    client.post(address(mustered), report(mustered))
    client.force_login(ben)
    differs = client.post(
        address(mustered), {**report(mustered, token="t-2"), f"points_{c.side(mustered, ada).pk}": "9"}
    )
    assert differs.status_code == 422
    assert "reported this battle at" in html(differs)
    client.post(address(mustered), report(mustered, token="t-3"))
    mustered.refresh_from_db()
    assert mustered.status == Battle.Status.CONFIRMED


def test_who_took_part_is_per_fighter(mustered, mine, ada):
    one = c.side(mustered, ada)
    page = mine.get(address(mustered)).context["page"]
    came = [tick.value for tick in page.sides[0].took[1:]]
    mine.post(address(mustered), report(mustered, took_shown=[str(one.pk)], took=came))
    assert Report.objects.get().data["took_part"][str(one.pk)] == [value.partition(":")[2] for value in came]


def test_an_unplayed_battle_is_recorded_from_its_page(row, mine, ada):
    here = reverse("battle-show", args=[row.pk])
    sent = {"act": "unplayed", "kind": "no-show", "winner": str(c.side(row, ada).pk), "words": "", "token": "t-1"}
    assert mine.post(here, {**sent, "winner": ""}).status_code == 422
    assert mine.post(here, sent).status_code == 302
    row.refresh_from_db()
    assert row.kind == Battle.Kind.NO_SHOW


def test_a_battle_is_moved_and_called_off_by_those_in_it(row, mine):
    here = reverse("battle-show", args=[row.pk])
    day = timezone.localdate() + timedelta(days=9)
    mine.post(here, {"act": "move", "planned_for": day.isoformat(), "round": "", "token": "t-1"})
    row.refresh_from_db()
    assert row.planned_for == day
    mine.post(here, {"act": "cancel", "words": "Flu.", "token": "t-2"})
    row.refresh_from_db()
    assert row.status == Battle.Status.CANCELLED
    assert "Cancelled" in html(mine.get(here))


# --- the answer -------------------------------------------------------------------------------------------------------


@story
def reported(club, ada, ben):
    row = c.mustered(club, ada, ben)
    c.fight(row, ben, ben, points={ada: 1, ben: 3})
    return c.fresh_battle(row)


def answer_page(row):
    return reverse("report-confirm", args=[row.pk])


def test_confirming_leads_straight_to_ones_own_sequence(mine, club, ada, reported):
    assert "Report by The Gallows Choir" in html(mine.get(answer_page(reported)))
    sent = {"act": "confirm", "side": c.side(reported, ada).pk, "token": "t-1"}
    onward = reverse("post-battle-show", args=[reported.pk, club.warband(ada).pk])
    assert mine.post(answer_page(reported), sent).url == onward
    reported.refresh_from_db()
    assert reported.status == Battle.Status.CONFIRMED
    again = mine.post(answer_page(reported), sent)
    assert again.status_code == 200
    assert "This was done already." in html(again)


def test_an_administrator_confirms_for_the_other_on_one_phone(client, ada, cleo, reported):
    client.force_login(cleo)
    side = c.side(reported, ada)
    assert f"Confirm for {side.warband.name}" in html(client.get(answer_page(reported)))
    client.post(answer_page(reported), {"act": "confirm", "side": side.pk, "token": "t-1"})
    reported.refresh_from_db()
    assert reported.status == Battle.Status.CONFIRMED


def test_who_reported_cannot_answer_for_the_other(client, ada, ben, reported):
    client.force_login(ben)
    assert client.post(answer_page(reported), {"act": "confirm", "side": c.side(reported, ada).pk}).status_code == 403
    assert "or say what differs" not in html(client.get(answer_page(reported))).lower()


def test_a_dispute_asks_for_a_sentence_and_goes_to_the_administrator(client, ada, cleo, reported):
    client.force_login(ada)
    dispute = reverse("report-dispute", args=[reported.pk])
    empty = client.post(dispute, {"words": "", "token": "t-1"})
    assert empty.status_code == 422
    assert empty.content.count(b'id="wrong"') == 1
    client.post(dispute, {"words": "Ottla stood.", "token": "t-2"})
    reported.refresh_from_db()
    assert reported.status == Battle.Status.DISPUTED
    client.force_login(cleo)
    assert "Ottla stood." in html(client.get("/"))
    assert "Ottla stood." in html(client.get(reverse("campaign-administer", args=[reported.campaign_id])))


def test_both_versions_stand_side_by_side_and_an_administrator_decides(client, ada, ben, cleo, reported):
    client.force_login(ada)
    version = report(reported, dispute_words="It was three to two.")
    client.post(address(reported, "?dispute=1"), version)
    client.force_login(cleo)
    page = client.get(answer_page(reported)).context["page"]
    assert page.decides
    assert len(page.versions) == 2
    chosen = page.version_pks[1]
    client.post(answer_page(reported), {"act": "decide", "version": chosen, "words": "Both agree now.", "token": "t-9"})
    reported.refresh_from_db()
    assert reported.status == Battle.Status.CONFIRMED
    assert c.side(reported, ada).points == 3


def test_the_standing_version_can_be_let_stand(client, ada, cleo, reported):
    dispute_report(battle=reported, side=c.side(reported, ada), actor=ada, words="No.")
    client.force_login(cleo)
    first = client.get(answer_page(reported)).context["page"].version_pks[0]
    client.post(answer_page(reported), {"act": "decide", "version": first, "token": "t-1"})
    reported.refresh_from_db()
    assert reported.status == Battle.Status.CONFIRMED
    assert c.side(reported, ada).points == 1


def test_a_player_does_not_decide(client, ada, reported):
    dispute_report(battle=reported, side=c.side(reported, ada), actor=ada, words="No.")
    client.force_login(ada)
    assert not client.get(answer_page(reported)).context["page"].decides
    assert client.post(answer_page(reported), {"act": "decide", "version": "1", "token": "t-1"}).status_code == 403


def test_a_remembered_point_is_amended_and_asks_to_be_confirmed_again(client, ada, ben, reported):
    client.force_login(ben)
    page = client.get(address(reported, "?amend=1")).context["page"]
    assert page.mode == "amend"
    fields = {
        f"points_{c.side(reported, ada).pk}": "2",
        f"points_{c.side(reported, ben).pk}": "3",
        "result": str(c.side(reported, ben).pk),
    }
    client.post(address(reported, "?amend=1"), {**fields, "kind": "played", "token": "t-1"})
    assert c.side(reported, ada).points == 2
    assert c.side(reported, ada).confirmed_at is None


def test_history_offers_undo_only_where_undoing_is_open(client, ada, ben, cleo, club, reported):
    client.force_login(cleo)
    client.post(reverse("battle-void", args=[reported.pk]), {"words": "Wrong table.", "token": "t-1"})
    warband = club.warband(ben)
    client.force_login(ben)
    history = client.get(reverse("history-show", args=[warband.pk])).context["page"]
    lately = client.get(reverse("warband-show", args=[warband.pk])).context["page"].recent
    rows = {row.pk: row for evening in history.evenings for row in evening.events}
    assert "Only the campaign's administrators can do this." in [row.who_can for row in rows.values()]
    assert any("can amend" not in row.who_can and row.undo_href for row in rows.values())
    for row in (*rows.values(), *lately):
        if row.undo_href:
            page = client.get(row.undo_href).context["page"]
            assert not page.closed_words, row.sentence
    final = [row for row in rows.values() if row.who_can.startswith(("A report", "A battle"))]
    assert {row.pk for row in final} <= {row.pk for row in rows.values() if not row.undo_href}
    assert not any("administrator can undo" in row.who_can for row in final)
    shown = {row.pk: (row.undo_href, row.who_can) for row in lately}
    assert shown == {pk: (rows[pk].undo_href, rows[pk].who_can) for pk in shown}


def test_history_of_a_closed_sequence_offers_no_undo(client, ada, club, mustered):
    c.fight(mustered, ada, winner=ada)
    c.resolve(mustered, ada)
    warband = club.warband(ada)
    client.force_login(ada)
    for show in ("", "?show=fighters"):
        page = client.get(reverse("history-show", args=[warband.pk]) + show).context["page"]
        written = [each for evening in page.evenings for each in evening.events if "recorded" in each.sentence]
        assert written
        assert {each.who_can for each in written} == {"This post-battle is finished. Reopen it first."}
        assert not any(each.undo_href for each in written)


def test_a_battle_nobody_played_says_what_it_was(mine, club, ada, ben):
    row = c.battle(club, ada, ben, scenario="")
    record_unplayed(battle=row, actor=ada, kind=Battle.Kind.WALK_OVER, winner=c.side(row, ada))
    page = html(mine.get(reverse("battle-show", args=[row.pk])))
    assert "Walk-over, " in page
    assert scenario_name(c.fresh_battle(row)) == "Walk-over"
    bye = give_bye(campaign=club.campaign, seat=club.seat(ben), actor=club.administrator)
    assert "A bye, no win" in html(mine.get(reverse("battle-show", args=[bye.pk])))
    assert "played " not in page.partition("What happened")[0].partition("<main")[2]


# --- a guest from outside


def test_with_a_guest_the_page_names_who_really_answers(mine, club, ada):
    row = c.battle(club, ada, guests=[("Emil", "HERETIC")])
    page = html(mine.get(reverse("battle-show", args=[row.pk])))
    assert "0 of 1 ready" in page  # a guest keeps no roster here and musters nothing
    assert page.count("Not ready") == 1
    row = c.mustered(club, ada, guests=[("Ulla", "HERETIC")])
    assert "Send to the administrators" in html(mine.get(reverse("battle-report", args=[row.pk])))
    c.fight(row, by=ada, winner=ada)
    page = html(mine.get(reverse("battle-show", args=[row.pk])))
    assert "waiting for an administrator for Ulla" in page
    assert "Sent. An administrator for Ulla can answer" in page


def test_of_three_sides_the_page_names_who_is_not_ready_yet(mine, club, ada, ben, dora):
    c.joins(club, dora)
    row = c.battle(club, ada, ben, dora, scenario="")
    told = f"set up {club.warband(ada)} against {club.warband(ben)} and {club.warband(dora)}."
    assert Event.objects.latest("pk").told.endswith(told)
    make_side_ready(side=c.side(row, ada), actor=ada)
    page = html(mine.get(reverse("battle-show", args=[row.pk])))
    assert f"You are ready. {club.warband(ben)} and {club.warband(dora)} are not." in page
