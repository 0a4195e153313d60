"""A club's booklet: asked for once, drawn sheet by sheet, joined with its tags, and kept for a week."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pypdf import PdfReader

from accounts.models import User
from campaigns import booklet as sheets_of_it
from campaigns.booklet import BookletOptions, battles_ahead, booklet_sheets, open_round_of
from campaigns.models import Booklet, Campaign, PrinterLink, ReportCode
from campaigns.models.booklet import SILENT_AFTER
from campaigns.night_sheets import pairings_sheet, scenario_sheet
from campaigns.pages.booklet import booklet_page
from campaigns.services.booklet import start_booklet
from campaigns.services.booklet_drawing import BROKE, STOPPED, make_booklet
from campaigns.services.common import live_sides
from campaigns.services.rounds import open_round
from campaigns.tasks import remove_old_booklets, watch_booklet
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.conftest import person
from tests.pdf_ua import faults_of
from tests.printed import one_page
from tests.scene import rolled_back
from warbands.models import Snapshot
from warbands.print_options import PrintOptions

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]

AT_ONCE = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}
SITE = "https://club.invalid"
SMALL = {"chosen": "1", "rosters": "on", "unlinked": "on", "paper": "A4", "look": "ink"}


@pytest.fixture(scope="module")
def db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The database, open over the whole module and rolled back after it."""
    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture(scope="module")
def founded(db: None) -> c.Club:
    """The club of Cleo with Ada and Ben, founded once. Its sheets of one page are drawn once too."""
    made = c.club(person("cleo"), person("ada"), person("ben"))
    for seat in made.seats.values():
        assert seat.warband is not None
        one_page(seat.warband.name)
    return made


@pytest.fixture(autouse=True)
def _forgotten(founded: c.Club) -> Iterator[None]:
    """No test sees what another one did."""
    with rolled_back():
        yield


@pytest.fixture
def made(founded: c.Club) -> c.Club:
    """That club, read afresh."""
    return replace(founded, campaign=Campaign.objects.get(pk=founded.campaign.pk), seats=dict(founded.seats))


@pytest.fixture
def ada(founded: c.Club) -> Any:
    """She plays."""
    return User.objects.get_by_natural_key("ada")


@pytest.fixture
def ben(founded: c.Club) -> Any:
    """He plays in her campaign."""
    return User.objects.get_by_natural_key("ben")


@pytest.fixture
def cleo(founded: c.Club) -> Any:
    """She administers."""
    return founded.administrator


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rosters of one short page, so that a test of the booklet does not wait for the sheets."""
    monkeypatch.setattr(sheets_of_it, "roster_pdf", lambda warband, options, link="": one_page(warband.name))


@pytest.fixture
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def asked(made: c.Club, **how: Any) -> Booklet:
    options = BookletOptions(**{"with_links": False, **how})
    row, _ = start_booklet(campaign=made.campaign, actor=made.administrator, options=options, site=SITE)
    return row


def reader(row: Booklet) -> PdfReader:
    row = Booklet.objects.get(pk=row.pk)
    assert row.pdf is not None, row.why
    return PdfReader(io.BytesIO(bytes(row.pdf)))


# --- the task --------------------------------------------------------------------------------------------------------------------


@pytest.mark.one_database
def test_it_holds_every_roster_and_the_battles_ahead(
    settings: Any, made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    settings.TASKS = AT_ONCE
    evening = open_round(campaign=made.campaign, actor=cleo)
    c.battle(made, ada, ben, round=evening)
    row = Booklet.objects.get(pk=asked(made, with_battles=True).pk)
    assert (row.status, row.done, row.count, row.left_out) == ("done", 3, 3, [])
    pdf = reader(row)
    names = [made.warband(ada).name, made.warband(ben).name]
    assert [entry.title for entry in pdf.outline] == [f"{names[0]} against {names[1]}", *names]
    text = " ".join(page.extract_text() for page in pdf.pages)
    assert all(name.upper() in text.upper() for name in names)
    assert "WHO WON" in text
    assert row.pages == len(pdf.pages)


def test_a_sheet_that_fails_is_named_and_the_rest_is_made(
    settings: Any, monkeypatch: pytest.MonkeyPatch, made: c.Club, ada: Any, ben: Any
) -> None:
    settings.TASKS = AT_ONCE
    bad, good = made.warband(ada).name, made.warband(ben).name

    def draw(warband: Any, options: Any, link: str = "") -> bytes:
        if warband.name == bad:
            raise ValueError("a font is missing")
        return one_page(warband.name)

    monkeypatch.setattr(sheets_of_it, "roster_pdf", draw)
    row = Booklet.objects.get(pk=asked(made).pk)
    assert (row.status, row.done, row.count) == ("done", 2, 2)
    assert row.left_out == [{"name": bad, "why": BROKE}]
    assert [entry.title for entry in reader(row).outline] == [good]
    page = booklet_page(made.campaign, None, "A4")
    assert page.task is not None
    assert page.task.words == "The booklet is ready: 1 sheet on 1 page. 1 sheet left out."
    assert [sheet.name for sheet in page.left_out] == [bad]


def test_without_any_sheet_it_says_why(settings: Any, monkeypatch: pytest.MonkeyPatch, made: c.Club) -> None:
    settings.TASKS = AT_ONCE

    def refuse(*_: Any, **__: Any) -> bytes:
        raise Refusal("This roster is of no known edition.")

    monkeypatch.setattr(sheets_of_it, "roster_pdf", refuse)
    row = Booklet.objects.get(pk=asked(made).pk)
    assert (row.status, row.why) == ("failed", "No sheet could be created.")
    assert {entry["why"] for entry in row.left_out} == {"This roster is of no known edition."}
    assert asked(made).pk != row.pk


def test_a_worker_that_stops_leaves_a_word(monkeypatch: pytest.MonkeyPatch, made: c.Club) -> None:
    def stop(*_: Any, **__: Any) -> bytes:
        raise SystemExit(1)

    monkeypatch.setattr(sheets_of_it, "roster_pdf", stop)
    row = asked(made)
    with pytest.raises(SystemExit):
        make_booklet(row.pk)
    row.refresh_from_db()
    assert (row.status, row.why) == ("failed", STOPPED)


def test_its_progress_is_kept_while_it_is_drawn(monkeypatch: pytest.MonkeyPatch, made: c.Club) -> None:
    seen: list[tuple[str, int, int]] = []

    def look(warband: Any, options: Any, link: str = "") -> bytes:
        row = Booklet.objects.get()
        seen.append((row.status, row.done, row.count))
        return one_page(warband.name)

    monkeypatch.setattr(sheets_of_it, "roster_pdf", look)
    make_booklet(asked(made).pk)
    assert seen == [("running", 0, 2), ("running", 1, 2)]


def test_one_that_was_replaced_is_left_at_once(monkeypatch: pytest.MonkeyPatch, made: c.Club) -> None:
    drawn: list[str] = []

    def replace(warband: Any, options: Any, link: str = "") -> bytes:
        drawn.append(warband.name)
        Booklet.objects.all().delete()
        return one_page(warband.name)

    monkeypatch.setattr(sheets_of_it, "roster_pdf", replace)
    make_booklet(asked(made).pk)
    assert len(drawn) == 1
    assert not Booklet.objects.exists()


@pytest.mark.usefixtures("quick")
def test_links_keep_the_versions_they_open(made: c.Club, ada: Any, ben: Any) -> None:
    make_booklet(asked(made).pk)
    assert not Snapshot.objects.filter(reason="Printed").exists()
    make_booklet(asked(made, with_links=True).pk)
    kept = {snapshot.warband_id for snapshot in Snapshot.objects.filter(reason="Printed")}
    assert kept == {made.warband(ada).pk, made.warband(ben).pk}


# --- asking ----------------------------------------------------------------------------------------------------------------------


def test_one_is_at_work_at_a_time(made: c.Club) -> None:
    first = asked(made)
    again, is_new = start_booklet(campaign=made.campaign, actor=None, options=BookletOptions(), site=SITE)
    assert (again.pk, is_new) == (first.pk, False)
    assert DBTaskResult.objects.filter(task_path="campaigns.tasks.draw_booklet").count() == 1


def test_one_whose_worker_fell_silent_is_replaced(made: c.Club) -> None:
    first = asked(made)
    Booklet.objects.update(status="running", told_at=timezone.now() - timedelta(minutes=11))
    page = booklet_page(made.campaign, None, "A4")
    assert page.task is not None
    assert (page.task.state, page.is_at_work) == ("failed", False)
    second = asked(made)
    assert list(Booklet.objects.values_list("pk", flat=True)) == [second.pk] != [first.pk]


@pytest.mark.usefixtures("quick")
def test_old_ones_are_removed(made: c.Club, cleo: Any, dora: Any) -> None:
    row = asked(made)
    make_booklet(row.pk)
    assert asked(made).pk != row.pk
    assert not Booklet.objects.filter(pk=row.pk).exists()
    other = c.club(dora)
    old = Booklet.objects.create(campaign=other.campaign, status="done", asked_at=timezone.now() - timedelta(days=8))
    later = DBTaskResult.objects.filter(task_path="campaigns.tasks.remove_old_booklets").latest("enqueued_at")
    assert later.run_after is not None
    assert later.run_after > timezone.now() + timedelta(days=6)
    remove_old_booklets.call()
    assert not Booklet.objects.filter(pk=old.pk).exists()
    assert Booklet.objects.filter(campaign=made.campaign).exists()


def test_nothing_to_print_is_refused(made: c.Club, dora: Any) -> None:
    for options, words in (
        (BookletOptions(with_rosters=False), "Choose what to print"),
        (BookletOptions(with_rosters=False, with_battles=True), "no battle of an open round"),
    ):
        with pytest.raises(Refusal, match=words):
            start_booklet(campaign=made.campaign, actor=None, options=options, site=SITE)
    with pytest.raises(Refusal, match="no player has a warband"):
        start_booklet(campaign=c.club(dora).campaign, actor=None, options=BookletOptions(), site=SITE)
    assert not Booklet.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_a_seat_that_was_left_is_not_printed(made: c.Club, ada: Any, ben: Any) -> None:
    made.seat(ada).__class__.objects.filter(pk=made.seat(ada).pk).update(status="left")
    names = [sheet.name for sheet in booklet_sheets(made.campaign, BookletOptions(), SITE)]
    assert names == [made.warband(ben).name]


def test_its_sheets_are_for_paper(made: c.Club) -> None:
    assert BookletOptions.read({**SMALL, "fields": "on"}).sheets.with_fields is False
    assert "fields" not in {tick.value for tick in booklet_page(made.campaign, None, "A4").options.ticks}


def test_options_survive_being_kept() -> None:
    options = BookletOptions(PrintOptions("Letter", "large", False, False, True), True, True, False, True)
    assert BookletOptions.of(options.plain()) == options


# --- the page --------------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick", "fresh_limits")
def test_from_the_button_to_the_file(client: Client, made: c.Club, cleo: Any) -> None:
    here, file = (reverse(name, args=[made.campaign.pk]) for name in ("booklet-print", "booklet-download"))
    client.force_login(cleo)
    assert client.get(file).status_code == 404
    assert client.post(here, SMALL).headers["Location"] == here
    waiting = client.get(here).content.decode()
    assert "Queued: 2 sheets." in waiting
    assert 'hx-trigger="every 2s"' in waiting
    assert "Refresh" in waiting
    assert 'name="rosters"' not in waiting
    assert client.get(file).status_code == 404
    again = client.post(here, SMALL, follow=True).content.decode()
    assert "A booklet is being created already." in again
    assert Booklet.objects.count() == 1
    make_booklet(Booklet.objects.get().pk)
    part = client.get(here, headers={"HX-Request": "true", "HX-Target": "div#booklet_progress"}).content.decode()
    assert "<html" not in part
    assert f'href="{file}"' in part
    assert "Create the booklet again" in part
    assert 'hx-trigger="every 2s"' not in part
    answer = client.get(file)
    assert answer["Content-Type"] == "application/pdf"
    assert len(PdfReader(io.BytesIO(answer.content)).pages) == 2


@pytest.mark.usefixtures("quick")
def test_the_desk_shows_it_in_a_strip_of_its_own(client: Client, made: c.Club, cleo: Any) -> None:
    client.force_login(cleo)
    desk = reverse("campaign-administer", args=[made.campaign.pk])
    here = reverse("booklet-print", args=[made.campaign.pk])
    assert f'href="{here}"' in client.get(desk).content.decode()
    row = asked(made)
    assert 'id="booklet_strip"' in client.get(desk).content.decode()
    make_booklet(row.pk)
    strip = client.get(here, headers={"HX-Request": "true", "HX-Target": "div#booklet_strip"}).content.decode()
    assert strip.count('id="booklet_strip"') == 1
    assert "The booklet is ready" in strip
    assert "<form" not in strip


@pytest.mark.usefixtures("fresh_limits")
@pytest.mark.parametrize("sent", [{"paper": "A3"}, {"look": "loud"}, {"rosters": ""}])
def test_what_no_form_sends_is_refused_in_words(client: Client, made: c.Club, cleo: Any, sent: dict[str, str]) -> None:
    client.force_login(cleo)
    answer = client.post(reverse("booklet-print", args=[made.campaign.pk]), {**SMALL, **sent})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Booklet.objects.exists()


def test_letters_that_no_font_has_are_named_before_it_is_made(made: c.Club, ada: Any, cleo: Any) -> None:
    assert booklet_page(made.campaign, None, "A4").letter_words == ""
    fighter = made.warband(ada).fighters.first()
    assert fighter is not None
    fighter.name = "Ото 漢"
    fighter.save(update_fields=["name"])
    assert booklet_page(made.campaign, None, "A4").letter_words == "Our fonts don't have 漢. It prints as “?”."
    evening = open_round(campaign=made.campaign, actor=cleo)
    c.battle(made, ada, guests=[("Ken 剣", "PILGRIM")], round=evening)
    told = booklet_page(made.campaign, None, "A4").letter_words
    assert "漢" in told
    assert "剣" in told


def test_its_page_asks_for_the_open_round_once(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    c.battle(made, ada, ben, round=open_round(campaign=made.campaign, actor=cleo))
    with CaptureQueriesContext(connection) as captured:
        page = booklet_page(made.campaign, None, "A4")
    assert [choice.words for choice in page.what if choice.value == "battles"] == [
        "The battle sheets of round 1: 1 battle to come"
    ]
    assert sum('FROM "campaigns_round"' in query["sql"] for query in captured) == 1


# --- a club night ------------------------------------------------------------------------------------------------------------------


NIGHT = {"with_standings": True, "with_pairings": True, "with_scenarios": True, "with_blank_battles": True}


@pytest.mark.one_database
def test_a_night_holds_its_parts_in_the_order_in_which_they_are_used(
    settings: Any, made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    settings.TASKS = AT_ONCE
    c.battle(made, ada, ben, round=open_round(campaign=made.campaign, actor=cleo), scenario="claim-no-mans-land")
    row = asked(made, with_rosters=False, **NIGHT)
    pdf = reader(row)
    assert [entry.title for entry in pdf.outline] == ["Standings", "Pairings", "Scenarios", "Empty battle sheet"]
    standings, pairings, scenarios, blank, back = ("".join(page.extract_text().split()) for page in pdf.pages)
    names = ["".join(made.warband(player).name.split()) for player in (ada, ben)]
    assert all(name in sheet for name in names for sheet in (standings, pairings))
    assert not any(name in blank + back for name in names)
    assert "WHOWON" in blank
    assert "Afterthebattle" in back
    assert faults_of(bytes(Booklet.objects.get(pk=row.pk).pdf)) == []
    (found,) = scenario_sheet(made.campaign, ahead_of(made), PrintOptions()).parts
    assert found.name in "".join(pdf.pages[2].extract_text().splitlines())
    assert all("".join(deed.name.split()) in scenarios for deed in found.deeds)
    assert found.deeds


def ahead_of(made: c.Club) -> Any:
    return battles_ahead(open_round_of(made.campaign)).select_related("campaign__terms")


def test_without_a_chosen_scenario_all_of_the_edition_are_told(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    every = scenario_sheet(made.campaign, [], PrintOptions()).parts
    assert len(every) == len(made.campaign.terms.game.battle.scenarios(made.campaign.terms.content)) > 1
    c.battle(made, ada, ben, round=open_round(campaign=made.campaign, actor=cleo), scenario="")
    assert scenario_sheet(made.campaign, ahead_of(made), PrintOptions()).parts == every


def test_pairings_tell_results_and_who_has_no_battle(made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    c.joins(made, dora, sample="third-breach")
    evening = open_round(campaign=made.campaign, actor=cleo)
    row = c.mustered(made, ada, ben, round=evening)
    table = pairings_sheet(made.campaign, evening, PrintOptions()).pairings
    assert table is not None
    assert table.idle == (made.warband(dora).name,)
    assert [(pairing.sides, pairing.result) for pairing in table.rows] == [
        ((made.warband(ada).name, made.warband(ben).name), "")
    ]
    c.fight(row, ada, ada)
    table = pairings_sheet(made.campaign, evening, PrintOptions()).pairings
    assert table is not None
    assert table.rows[0].result


def test_a_part_without_anything_to_show_is_not_offered_nor_printed(made: c.Club) -> None:
    offered = {choice.value for choice in booklet_page(made.campaign, None, "A4").what}
    assert offered == {"standings", "scenarios", "rosters", "blank_battles"}
    names = [sheet.name for sheet in booklet_sheets(made.campaign, BookletOptions(with_rosters=False, **NIGHT), SITE)]
    assert names == ["Standings", "Scenarios", "Empty battle sheet"]


@pytest.mark.usefixtures("quick")
def test_a_booklet_whose_worker_was_killed_is_drawn_by_the_next_one(made: c.Club) -> None:
    row = asked(made)
    waiting = DBTaskResult.objects.get(task_path="campaigns.tasks.watch_booklet")
    assert waiting.run_after is not None
    assert waiting.run_after > timezone.now() + SILENT_AFTER
    Booklet.objects.update(status="running", done=1, told_at=timezone.now())
    watch_booklet.call(row.pk)  # somebody is at work: only look again later
    assert Booklet.objects.get().status == "running"
    assert DBTaskResult.objects.filter(task_path="campaigns.tasks.watch_booklet").count() == 2
    Booklet.objects.update(told_at=timezone.now() - SILENT_AFTER - timedelta(seconds=1))
    watch_booklet.call(row.pk)
    row.refresh_from_db()
    assert (row.status, row.done, row.count) == ("done", 2, 2)
    assert DBTaskResult.objects.filter(task_path="campaigns.tasks.watch_booklet").count() == 2
    watch_booklet.call(row.pk)
    assert DBTaskResult.objects.filter(task_path="campaigns.tasks.watch_booklet").count() == 2


def test_each_battle_sheet_bears_its_own_code_if_the_maker_may_hand_it_out(
    monkeypatch: pytest.MonkeyPatch, made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    evening = open_round(campaign=made.campaign, actor=cleo)
    row = c.battle(made, ada, ben, round=evening)
    shown: list[Any] = []
    monkeypatch.setattr(sheets_of_it, "battle_sheet_pdf", lambda sheet: shown.append(sheet) or b"")
    options = BookletOptions(PrintOptions(look="ink"), with_rosters=False, with_battles=True)

    def links(maker: Any, **how: Any) -> list[str]:
        shown.clear()
        for sheet in booklet_sheets(made.campaign, replace(options, **how), SITE, maker):
            sheet.draw()
        assert [sheet.look for sheet in shown] == ["ink"]
        return [side.link_words for side in shown[0].sides]

    assert links(None) == ["", ""]  # whoever asked for it has no account any more
    assert links(cleo, with_codes=False) == ["", ""]
    assert not ReportCode.objects.exists()
    own = [side.seat.user_id == ada.pk for side in live_sides(row)]  # type: ignore[union-attr]
    assert [bool(link) for link in links(ada)] == own
    every = links(cleo)
    codes = {code.side_id: code.code for code in ReportCode.objects.all()}
    assert every == [f"club.invalid/report/{codes[side.pk]}/" for side in live_sides(row)]
    assert links(cleo) == every  # a second booklet does not close the codes of the first
    assert "codes" in {choice.value for choice in booklet_page(made.campaign, None, "A4").options.ticks}


# --- the link for the printer --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_the_helper_at_the_printer_opens_the_latest_booklet_until_the_link_is_revoked(
    client: Client, made: c.Club, cleo: Any
) -> None:
    share = reverse("printer-link", args=[made.campaign.pk])
    client.force_login(cleo)
    client.post(share, {"press": "hand-out"})
    code = PrinterLink.objects.get(campaign=made.campaign).code
    client.post(share, {"press": "hand-out"})
    assert PrinterLink.objects.get(campaign=made.campaign).code == code
    assert code in client.get(share).content.decode()
    helper = Client()
    page, file = (reverse(name, args=[code]) for name in ("printer-show", "printer-download"))
    assert "No booklet is here." in helper.get(page).content.decode()
    assert helper.get(file).status_code == 404
    row = asked(made)
    waiting = helper.get(page).content.decode()
    assert "Queued: 2 sheets." in waiting
    assert f'hx-get="{page}"' in waiting
    make_booklet(row.pk)
    done = helper.get(page)
    assert f'href="{file}"' in done.content.decode()
    assert done["X-Robots-Tag"] == "noindex"
    answer = helper.get(file)
    assert answer.content.startswith(b"%PDF")
    assert answer["Cache-Control"] == "private, no-store"
    client.post(share, {"press": "revoke"})
    assert [helper.get(there).status_code for there in (page, file)] == [404, 404]
    client.post(share, {"press": "hand-out"})
    assert PrinterLink.objects.get(campaign=made.campaign).code not in ("", code)
