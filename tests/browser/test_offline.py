"""The table without network: drafts outlive the tab, what was sent goes out once, pages stay readable, and a borrowed computer keeps nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import close
from tests.browser.line import Line
from tests.browser.looks import CONTRAST
from tests.conftest import PASSWORD, PHONE
from tests.served import STOOD_SOONER, at_rest, shorter_pauses
from warbands.models import Event, Fighter

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def line(live_server: Any) -> Iterator[Line]:
    """The way from the browser to the site."""
    there = urlsplit(live_server.url)
    made = Line(str(there.hostname), int(there.port or 0))
    yield made
    made.close()


@pytest.fixture
def device(browser: Any, line: Line, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Return a function that takes a device in hand: a browser context at the far end of the line, signed in with a session cookie."""
    monkeypatch.setattr("config.offline.HashedStatic", StaticFilesStorage)  # the worker keeps bundles, as in production
    contexts: list[Any] = []
    mistakes: list[str] = []

    def take(user: Any = None, **how: Any) -> Any:
        context = browser.new_context(
            base_url=line.url, viewport={"width": PHONE, "height": 740}, reduced_motion="reduce", **how
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": line.url}])
        context.on("weberror", lambda error: mistakes.append(str(error.error)))
        return context

    yield take
    for context in contexts:
        close(context)
    at_rest()
    assert not mistakes, "Scripts failed:\n" + "\n".join(mistakes)


KEPT_PAGES = """async () => {
    const found = [];
    for (const name of (await caches.keys()).filter(name => name.startsWith("pages-"))) {
        found.push(...(await (await caches.open(name)).keys()).map(request => new URL(request.url)));
    }
    return found.map(address => address.pathname + address.search);
}"""


PATIENCE = 1_500  # milliseconds: an `impatient` worker shows a page as it stood after one second, or never


@pytest.fixture
def impatient() -> Iterator[None]:
    """The worker of a device waits a third as long as a club's does until it shows a page as it stood."""
    with shorter_pauses(STOOD_SOONER):
        yield


def wait_until(page: Any, true_of: Callable[[], bool]) -> None:
    """Wait for what no element on the page shows."""
    for _ in range(500):
        if true_of():
            return
        page.wait_for_timeout(20)
    raise AssertionError("It did not come to pass.")


def ready(page: Any) -> None:
    """Wait until the worker has come and kept this page."""
    here = page.evaluate("location.pathname + location.search")
    wait_until(page, lambda: here in page.evaluate(KEPT_PAGES))


def kept(page: Any) -> dict[str, Any]:
    """What the device keeps: names in its storage, and its caches."""
    return page.evaluate("async () => ({storage: Object.keys(localStorage), caches: await caches.keys()})")


def hiring(page: Any, profile: str = "Yeoman") -> Any:
    """The button that hires one."""
    row = page.locator(".offer-line").filter(has=page.locator(".good-name > b", has_text=re.compile(f"^{profile}$")))
    row.evaluate("row => row.scrollIntoView({block: 'center'})")
    return row.locator("[id$=_act]")


def told_of(page: Any, number: int) -> None:
    """Wait until the bar tells of so many fighters."""
    cell = page.locator("#budget_bar .budget-cell").filter(has=page.get_by_text("Fighters", exact=True))
    expect(cell.locator("b").first).to_have_text(re.compile(rf"^{number}\b"))


def yeomen(warband: Any) -> int:
    """How many fighters stand on the roster."""
    return Fighter.objects.live().filter(warband=warband).count()


# --- drafts -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Any:
    """A battle that Ada and Ben have mustered for."""
    club = c.club(cleo, ada, ben)
    return c.mustered(club, ada, ben)


def test_moment_22_a_report_half_typed_outlives_the_tab(battle: Any, ada: Any, device: Any) -> None:
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("battle-report", args=[battle.pk]))
    page.locator("[name=result]").nth(1).check()
    page.locator("input[name^=points]").first.fill("3")
    page.locator("[name=out]").nth(2).check()
    page.get_by_text("Campaign points, date and note").click()
    page.get_by_label("In a sentence").type("Fog from the first tur")
    page.close()  # killed in the middle of a word

    page = phone.new_page()
    page.goto(reverse("battle-report", args=[battle.pk]))
    page.get_by_text(re.compile(r"Draft of \d\d:\d\d on this device\.")).wait_for()
    expect(page.locator("[name=result]").nth(1)).to_be_checked()
    expect(page.locator("input[name^=points]").first).to_have_value("3")
    expect(page.locator("[name=out]").nth(2)).to_be_checked()
    expect(page.get_by_label("In a sentence")).to_have_value("Fog from the first tur")
    expect(page.get_by_label("In a sentence")).to_be_visible()  # what is folded away is unfolded

    with page.expect_navigation():  # a draw with 3 points to none is asked about, and nothing is lost by that
        page.locator(".act-strip button").click()
    assert page.evaluate("Object.keys(localStorage).some(name => name.includes(':draft:'))")
    expect(page.get_by_label("In a sentence")).to_have_value("Fog from the first tur")
    with page.expect_navigation():
        page.locator(".act-strip button").click()
    assert not page.evaluate("Object.keys(localStorage).some(name => name.includes(':draft:'))")
    assert Event.objects.filter(kind="report").count() == 1


def test_a_draft_is_discarded_by_a_press(battle: Any, ada: Any, device: Any) -> None:
    page = device(ada).new_page()
    page.goto(reverse("battle-report", args=[battle.pk]))
    page.locator("input[name^=points]").first.fill("3")
    page.reload()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("input[name^=points]").first).not_to_have_value("3")
    page.reload()
    expect(page.get_by_role("button", name="Discard")).to_have_count(0)


def test_another_person_does_not_find_the_draft(battle: Any, ada: Any, ben: Any, device: Any, line: Line) -> None:
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("battle-report", args=[battle.pk]))
    page.locator("input[name^=points]").first.fill("3")
    client = Client()
    client.force_login(ben)
    phone.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": line.url}])
    page.reload()
    expect(page.get_by_text(re.compile("^Draft of"))).to_have_count(0)
    expect(page.locator("input[name^=points]").first).not_to_have_value("3")


def test_a_refused_form_keeps_its_draft_until_it_is_accepted(ada: Any, device: Any) -> None:
    ottla = s.fighter(s.small_warband(ada), "Ottla")
    page = device(ada).new_page()
    page.goto(reverse("fighter-rename", args=[ottla.pk]))
    field = page.get_by_label("Name", exact=True)
    field.evaluate("field => field.removeAttribute('maxlength')")
    field.fill("O" * 90)
    page.get_by_role("button", name=re.compile("Rename|Write|Save")).click()
    page.get_by_role("alert").wait_for()
    page.goto(reverse("fighter-rename", args=[ottla.pk]))
    page.get_by_text(re.compile("^Draft of")).wait_for()
    field.fill("Otta")
    page.get_by_role("button", name=re.compile("Rename|Write|Save")).click()
    page.get_by_text("Otta").first.wait_for()
    page.goto(reverse("fighter-rename", args=[ottla.pk]))
    expect(page.get_by_text(re.compile("^Draft of"))).to_have_count(0)


def test_what_a_device_keeps_is_bounded(ada: Any, device: Any) -> None:
    ottla = s.fighter(s.small_warband(ada), "Ottla")
    page = device(ada).new_page()
    page.goto(reverse("fighter-note", args=[ottla.pk]))
    page.evaluate(
        """user => {
            const old = Date.now() - 15 * 24 * 60 * 60 * 1000;
            localStorage.setItem(`muster-roll:${user}:draft:/old/`, JSON.stringify({at: old, values: {}}));
            for (let n = 0; n < 30; n += 1) {
                const values = {notes: ["x".repeat(10000)]};
                localStorage.setItem(`muster-roll:${user}:draft:/${n}/`, JSON.stringify({at: Date.now() - 1000 * n - 1000, values}));
            }
        }""",
        ada.pk,
    )
    page.locator("textarea").fill("Afraid of horses.")
    names = kept(page)["storage"]
    assert f"muster-roll:{ada.pk}:draft:/old/" not in names
    assert f"muster-roll:{ada.pk}:draft:/0/" in names
    assert f"muster-roll:{ada.pk}:draft:/29/" not in names
    assert page.evaluate("Object.entries(localStorage).flat().join('').length") <= 200 * 1024


# --- sent without line ------------------------------------------------------------------------------------------------------


def test_moment_22_a_hire_without_network_goes_out_once_when_it_is_back(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    phone.set_offline(True)
    page.get_by_text("You're offline.").first.wait_for()
    hiring(page).click()
    page.locator("#toasts").get_by_text("is saved on this device and is sent when you're back online").wait_for()
    hiring(page).click()  # an impatient thumb
    expect(page.locator(".unsent li")).to_have_count(1)
    assert yeomen(warband) == 3
    phone.set_offline(False)
    page.locator("#toasts").get_by_text("Hired Yeoman").wait_for()
    assert yeomen(warband) == 4
    expect(page.locator("[data-down]")).to_be_hidden()
    expect(page.locator("[data-unsent]")).to_be_hidden()
    told_of(page, 4)  # the page is the one of after the hire
    hiring(page).click()
    told_of(page, 5)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert yeomen(warband) == 5
    s.assert_reconciled(warband)


def test_moment_22_a_hire_whose_answer_was_lost_is_not_done_twice(ada: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    line.loses_answers_to = b"POST "
    hiring(page).click()
    page.locator("#toasts").get_by_text("is saved on this device").wait_for()
    assert yeomen(warband) == 4  # it had arrived
    line.mend()
    page.close()
    page = phone.new_page()
    page.goto("/")
    page.locator("#toasts").get_by_text("This was done already.").wait_for()
    assert yeomen(warband) == 4
    expect(page.locator("[data-unsent]")).to_be_hidden()
    s.assert_reconciled(warband)


def test_three_hires_without_line_all_go_out(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    phone.set_offline(True)
    for profile in ("Yeoman", "Shocktrooper"):
        hiring(page, profile).click()
        page.locator(".unsent").get_by_text(profile).wait_for()
    phone.set_offline(False)
    told_of(page, 5)
    assert yeomen(warband) == 5


def test_a_late_act_that_is_refused_says_why_and_is_not_tried_again(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    phone.set_offline(True)
    hiring(page).click()
    page.locator("#toasts").get_by_text("is saved on this device").wait_for()
    s.hire(warband, "Yeoman", "Hedvig")  # from the laptop
    phone.set_offline(False)
    page.locator("#toasts").get_by_text("was sent but not done. While this page was open").wait_for()
    assert yeomen(warband) == 4
    page.reload()
    page.wait_for_load_state("networkidle")
    assert yeomen(warband) == 4
    expect(page.locator("[data-unsent]")).to_be_hidden()


def test_what_waits_can_be_dropped(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    phone.set_offline(True)
    hiring(page).click()
    page.locator(".unsent").get_by_role("button", name="Discard").click()
    expect(page.locator("[data-unsent]")).to_be_hidden()
    phone.set_offline(False)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert yeomen(warband) == 3


@pytest.mark.parametrize("arrives", [False, True], ids=["never-arrived", "answer-lost"])
def test_moment_22_a_whole_page_form_is_kept_by_the_worker(ada: Any, device: Any, line: Line, arrives: bool) -> None:
    ottla = s.fighter(s.small_warband(ada), "Ottla")
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("fighter-show", args=[ottla.pk]))
    ready(page)
    page.goto(reverse("fighter-rename", args=[ottla.pk]))
    page.get_by_label("Name", exact=True).fill("Otta")
    if arrives:
        line.loses_answers_to = b"POST "
    else:
        line.cut()
    page.get_by_role("button", name=re.compile("Rename|Write|Save")).click()
    page.locator(".unsent").get_by_role("link").wait_for()
    ottla.refresh_from_db()
    assert ottla.name == ("Otta" if arrives else "Ottla")
    line.mend()
    page.goto(reverse("fighter-show", args=[ottla.pk]))
    page.locator("#toasts").get_by_text("already" if arrives else "Otta").first.wait_for()
    ottla.refresh_from_db()
    assert ottla.name == "Otta"
    assert Event.objects.filter(kind="rename").count() == 1
    assert not [name for name in kept(page)["storage"] if ":draft:" in name]


def test_without_a_worker_the_next_page_finds_what_was_not_sent(ada: Any, device: Any, line: Line) -> None:
    ottla = s.fighter(s.small_warband(ada), "Ottla")
    page = device(ada, service_workers="block").new_page()
    page.goto(reverse("fighter-rename", args=[ottla.pk]))
    page.get_by_label("Name", exact=True).fill("Otta")
    line.cut()
    page.get_by_role("button", name=re.compile("Rename|Write|Save")).click()
    page.wait_for_url("chrome-error://**")
    line.mend()
    page.wait_for_timeout(600)  # nobody types an address faster
    page.goto(reverse("fighter-show", args=[ottla.pk]))
    page.locator("#toasts").get_by_text("Otta").first.wait_for()
    ottla.refresh_from_db()
    assert ottla.name == "Otta"


@pytest.mark.parametrize("arrives", [False, True], ids=["never-arrived", "answer-lost"])
def test_moment_22_a_roll_after_the_battle_falls_once(
    battle: Any, ada: Any, device: Any, line: Line, arrives: bool
) -> None:
    name = Fighter.objects.live().filter(warband=c.side(battle, ada).warband).order_by("position").first().name
    c.fight(battle, by=ada, winner=ada, out={ada: [name]})
    sequence = c.begin(battle, ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("post-battle-resolve", args=[battle.pk, sequence.warband_id, "injuries"]))
    if arrives:
        line.loses_answers_to = b"POST "
    else:
        line.cut()
    page.get_by_role("button", name="Roll for me").first.click()
    page.locator("#toasts").get_by_text("is saved on this device").wait_for()
    assert Event.objects.filter(kind="roll").count() == int(arrives)
    line.mend()
    page.reload()
    page.locator("#toasts").get_by_text(re.compile("already|was sent")).first.wait_for()
    assert Event.objects.filter(kind="roll").count() == 1


def test_moment_22_an_exploration_half_typed_and_sent_without_line(
    battle: Any, ada: Any, device: Any, line: Line
) -> None:
    c.fight(battle, by=ada, winner=ada)
    sequence = c.resolve(battle, ada, answers={"way": "explore"}, until="exploration")
    address = reverse("post-battle-resolve", args=[battle.pk, sequence.warband_id, "exploration"])
    rolled = Event.objects.filter(kind="roll").count()
    phone = device(ada)
    page = phone.new_page()
    page.goto(address)

    def dice() -> list[Any]:
        """The four of each die, or the field it is typed into."""
        shown = page.locator("article.task .dice").first
        return shown.locator("input[type=number]").all() or shown.locator("input[value='4']").all()

    def show_four(die: Any) -> None:
        if die.get_attribute("type") == "number":
            die.fill("4")
        else:
            die.check(force=True)

    show_four(dice()[0])
    page.close()  # killed after the first die

    page = phone.new_page()
    page.goto(address)
    page.get_by_text(re.compile("^Draft of")).wait_for()
    expect(dice()[0]).to_have_value("4")
    assert dice()[0].get_attribute("type") == "number" or dice()[0].is_checked()
    for die in dice()[1:]:
        show_four(die)
    line.loses_answers_to = b"POST "
    last = page.locator("article.task .dice").first.locator("button[value='4']")  # of few dice the last one sends
    (last if last.count() else page.get_by_role("button", name="Enter my dice").first).click()
    page.locator("#toasts").get_by_text("is saved on this device").wait_for()
    assert Event.objects.filter(kind="roll").count() == rolled + 1
    line.mend()
    page.close()

    page = phone.new_page()
    page.goto("/")
    page.locator("#toasts").get_by_text("This was done already.").wait_for()
    assert Event.objects.filter(kind="roll").count() == rolled + 1
    page.goto(address)
    expect(page.get_by_text(re.compile("^Draft of"))).to_have_count(0)
    faces = [draw["faces"] for draw in c.sequence_row(battle, ada).record["draws"]["exploration"]]
    assert {face for drawn in faces for face in drawn} == {4}


def test_moment_22_a_report_sent_without_line_arrives_once(battle: Any, ada: Any, device: Any, line: Line) -> None:
    phone = device(ada)
    page = phone.new_page()
    address = reverse("battle-report", args=[battle.pk])
    page.goto(address)
    ready(page)
    page.locator("[name=result]").nth(0).check()
    page.locator("input[name^=points]").first.fill("3")
    page.locator("[name=out]").nth(1).check()
    line.cut()
    page.locator(".act-strip button").click()
    page.get_by_text("Offline copy from").wait_for()  # back on the form, as it was
    page.locator(".unsent").get_by_role("link").wait_for()
    expect(page.locator("input[name^=points]").first).to_have_value("3")
    page.close()
    line.mend()
    page = phone.new_page()
    page.goto("/")
    page.locator("[data-toast]").wait_for()
    assert Event.objects.filter(kind="report").count() == 1
    report = battle.reports.get()
    assert sorted(report.data["points"].values()) == [0, 3]
    page.reload()
    page.wait_for_load_state("networkidle")
    assert battle.reports.count() == 1
    assert kept(page)["storage"] == []


def test_a_force_chosen_without_line_is_sent_as_it_was_left(
    ada: Any, ben: Any, cleo: Any, device: Any, line: Line
) -> None:
    club = c.club(cleo, ada, ben)
    coming = c.battle(club, ada, ben)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("force-select", args=[coming.pk]))
    line.cut()
    ticks = page.locator("#force_form [name=fighter]")
    for place in range(3):
        ticks.nth(place).click()
        page.locator(".unsent li").wait_for()
    wanted = [ticks.nth(place).is_checked() for place in range(ticks.count())]
    expect(page.locator(".unsent li")).to_have_count(1)
    line.mend()
    page.reload()
    page.locator("#toasts [data-toast]").first.wait_for()
    page.reload()
    assert [ticks.nth(place).is_checked() for place in range(ticks.count())] == wanted
    expect(page.get_by_text(re.compile("^Draft of"))).to_have_count(0)


# --- pages without line -----------------------------------------------------------------------------------------------------


def test_moment_22_the_roster_stays_readable_and_says_how_old_it_is(ada: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    line.cut()
    page.close()
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    page.get_by_text(re.compile(r"Offline copy from\s+\d\d:\d\d")).wait_for()
    page.get_by_role("heading", name="The Lantern Wardens").wait_for()
    page.locator(".unit h3", has_text="Ottla").wait_for()
    assert page.locator("body").evaluate("body => getComputedStyle(body).fontFamily").startswith('"IBM Plex')
    page.goto("/warbands/")  # never opened here
    page.get_by_role("heading", name="Offline").wait_for()
    page.locator("[data-kept-pages]").get_by_role("link", name="The Lantern Wardens").click()
    page.get_by_text("Offline copy from").wait_for()
    line.mend()
    page.get_by_role("link", name="Refresh").click()
    page.get_by_text("Offline copy from").wait_for(state="hidden")


@pytest.mark.usefixtures("impatient")
def test_a_slow_line_shows_the_page_as_it_stood(ada: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    page = device(ada).new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    line.is_slow = True
    page.goto(reverse("warband-show", args=[warband.pk]))
    page.get_by_text("Offline copy from").wait_for()


def test_fragments_and_refusals_are_never_kept_as_pages(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    page = device(ada).new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    ready(page)
    page.get_by_label("Find a fighter by name or by what it does").type("yeom")
    page.wait_for_url("**find=yeom**")
    page.goto("/account/")
    page.goto(reverse("warband-list"))
    ready(page)
    hire = reverse("fighter-hire", args=[warband.pk])
    assert set(page.evaluate(KEPT_PAGES)) == {hire, reverse("warband-list")}
    assert "<html" in page.evaluate("async address => (await (await caches.match(address)).text())", hire)


def test_pages_of_somebody_else_are_never_shown(ada: Any, ben: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    page.goto(reverse("fighter-note", args=[s.fighter(warband, "Ottla").pk]))
    page.locator("textarea").fill("Afraid of horses.")
    page.goto("/account/")
    with page.expect_response(lambda response: "/logout/" in response.url) as answer:
        page.get_by_role("button", name="Sign out").click()
    assert answer.value.header_value("clear-site-data") == '"cache", "storage"'
    page.wait_for_load_state("networkidle")
    assert kept(page) == {"storage": [], "caches": []}
    line.cut()
    with pytest.raises(Exception, match="net::ERR"):
        page.goto(reverse("warband-show", args=[warband.pk]))


@pytest.mark.usefixtures("impatient")
def test_whoever_signs_in_next_sees_nothing_of_the_former_reader_on_a_slow_line(
    ada: Any, ben: Any, device: Any, line: Line
) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    page.goto("/")
    ready(page)
    phone.clear_cookies(name="sessionid")  # the session ends, nobody signs out
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail").fill("ben")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/")
    for address in ("/", reverse("warband-show", args=[warband.pk])):
        line.is_slow = True
        with suppress(Exception):
            page.goto(address, timeout=PATIENCE)
        line.cut()
        # Ben's own page as it stood, or none.
        page.get_by_text("Offline copy from").or_(page.get_by_role("heading", name="Offline")).first.wait_for()
        expect(page.get_by_text("The Lantern Wardens")).to_have_count(0)
        line.mend()


@pytest.mark.usefixtures("impatient")
def test_on_a_device_without_session_nothing_of_the_former_reader_is_shown_on_a_slow_line(
    ada: Any, device: Any, line: Line
) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    phone.clear_cookies()
    line.is_slow = True
    with suppress(Exception):
        page.goto(reverse("warband-show", args=[warband.pk]), timeout=PATIENCE)
    line.cut()
    page.get_by_role("heading", name="Offline").wait_for()
    expect(page.get_by_text("The Lantern Wardens")).to_have_count(0)
    line.mend()


def test_a_session_that_ended_elsewhere_leaves_no_pages_either(ada: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    phone.clear_cookies()
    page.goto("/rules/")
    wait_until(page, lambda: page.evaluate(KEPT_PAGES) == [])
    line.cut()
    page.goto(reverse("warband-show", args=[warband.pk]))
    page.get_by_role("heading", name="Offline").wait_for()
    expect(page.get_by_text("The Lantern Wardens")).to_have_count(0)


# --- not my computer --------------------------------------------------------------------------------------------------------


def test_moment_21_this_is_not_my_computer_leaves_nothing(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    laptop = device()
    page = laptop.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("This is not my computer").check()
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    (session,) = [cookie for cookie in laptop.cookies() if cookie["name"] == "sessionid"]
    assert session["expires"] == -1  # it ends with the browser
    with page.expect_response("**/warbands/*/") as answer:
        page.goto(reverse("warband-show", args=[warband.pk]))
    assert "no-store" in answer.value.headers["cache-control"]
    page.goto(reverse("fighter-note", args=[s.fighter(warband, "Ottla").pk]))
    page.locator("textarea").fill("Afraid of horses.")
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    laptop.set_offline(True)
    hiring(page).click()
    page.locator("#toasts").get_by_text("Not sent").wait_for()
    laptop.set_offline(False)
    assert kept(page) == {"storage": [], "caches": []}
    wait_until(page, lambda: page.evaluate("sessionStorage.length") == 0)  # a press is kept for a moment, against slips
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_one_s_own_computer_stays_signed_in(ada: Any, device: Any) -> None:
    phone = device()
    page = phone.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    (session,) = [cookie for cookie in phone.cookies() if cookie["name"] == "sessionid"]
    assert session["expires"] > 0


# --- the rest ---------------------------------------------------------------------------------------------------------------


def test_the_strip_tells_when_the_line_is_down(ada: Any, device: Any) -> None:
    phone = device(ada)
    page = phone.new_page()
    page.goto("/")
    strip = page.locator("[data-down]")
    expect(strip).to_be_hidden()
    phone.set_offline(True)
    strip.wait_for(state="visible")
    phone.set_offline(False)
    strip.wait_for(state="hidden")


def test_without_script_nothing_changes(ada: Any, device: Any) -> None:
    warband = s.small_warband(ada)
    page = device(ada, java_script_enabled=False).new_page()
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    expect(page.locator("[data-strip]").get_by_text("You're offline.")).to_be_hidden()
    hiring_button = page.locator(".offer-line").filter(has_text="Yeoman").first.locator("[id$=_act]")
    hiring_button.click()
    page.locator("#just_done").get_by_text("Hired Yeoman").wait_for()
    assert yeomen(warband) == 4


def test_what_is_told_without_line_is_clean(ada: Any, device: Any, line: Line, axe: Any) -> None:
    warband = s.small_warband(ada)
    page = device(ada).new_page()

    def clean() -> None:
        axe(page)
        page.emulate_media(color_scheme="dark")
        axe(page, CONTRAST)
        page.emulate_media(color_scheme="light")

    page.goto(reverse("fighter-hire", args=[warband.pk]))
    ready(page)
    line.cut()
    hiring(page).click()
    page.locator(".unsent li").wait_for()
    clean()
    page.goto("/warbands/")
    page.get_by_role("heading", name="Offline").wait_for()
    page.locator("[data-kept-pages] a").first.wait_for()
    clean()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_nothing_asks_in_the_background(ada: Any, device: Any, line: Line) -> None:
    warband = s.small_warband(ada)
    page = device(ada).new_page()
    page.clock.install()
    page.goto(reverse("warband-show", args=[warband.pk]))
    ready(page)
    page.wait_for_load_state("networkidle")
    before = len(line.asked)
    page.clock.fast_forward(10 * 60 * 1000)
    page.wait_for_load_state("networkidle")
    assert len(line.asked) == before


# --- at the table -----------------------------------------------------------------------------------------------------------


def laid(battle: Any, user: Any) -> tuple[Any, ...]:
    """The fighters of a side, the table laid."""
    begin_table(battle=battle, actor=user)
    state = table_state(battle)
    assert state is not None
    return state.of(str(c.side(battle, user).pk))


def test_a_kept_page_belongs_to_its_whole_address(battle: Any, ada: Any, device: Any, line: Line) -> None:
    ilse, ottla, *_ = laid(battle, ada)
    here = reverse("battle-track", args=[battle.pk])
    page = device(ada).new_page()
    page.goto(f"{here}?roll=success&fighter={ilse.key}")
    ready(page)
    line.cut()
    page.goto(f"{here}?roll=success&fighter={ottla.key}")  # never opened here
    page.get_by_role("heading", name="Offline").wait_for()
    assert ilse.name not in page.locator("form#t_roll").all_text_contents()
    page.goto(f"{here}?roll=success&fighter={ilse.key}")
    page.get_by_text("Offline copy from").wait_for()
    expect(page.locator("#t_roll [name=fighter]")).to_have_value(ilse.key)


def test_a_roll_sent_without_line_falls_once_and_the_table_is_in_step_again(
    battle: Any, ada: Any, device: Any, line: Line
) -> None:
    ilse, ottla, *_ = laid(battle, ada)
    here = reverse("battle-track", args=[battle.pk])
    phone = device(ada)
    page = phone.new_page()
    page.goto(f"{here}?roll=success&fighter={ilse.key}")
    phone.set_offline(True)
    page.get_by_role("button", name="Roll for me").click()
    page.locator(".unsent").get_by_text("Roll for me").wait_for()
    phone.set_offline(False)
    page.locator("[data-tracker]").wait_for()
    assert TableAct.objects.filter(data__kind="roll").count() == 1
    act_at_table(battle=battle, actor=ada, data={"kind": "down", "fighter": ottla.key})  # from another phone
    page.locator(f"#f{ottla.key}[data-state=down]").wait_for(state="attached", timeout=6_000)
    assert "roll=" not in page.url


def test_of_presses_that_count_on_from_one_another_none_goes_out_after_a_refused_one(
    battle: Any, ada: Any, device: Any, line: Line
) -> None:
    ilse, ottla, *_ = laid(battle, ada)
    phone = device(ada)
    page = phone.new_page()
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    phone.set_offline(True)
    page.locator(f"#d{ilse.key} > summary").click()
    for _ in range(3):
        page.locator(f"#m{ilse.key}_blood_plus").click()
    page.locator(f"#d{ottla.key} > summary").click()
    page.locator(f"#m{ottla.key}_blood_plus").click()
    page.locator(".unsent li").nth(3).wait_for()
    act_at_table(battle=battle, actor=ada, data={"kind": "out", "fighter": ilse.key})
    page.goto(f"about:blank#{ilse.key}")
    phone.set_offline(False)
    page.goto(reverse("campaign-show", args=[battle.campaign_id]))  # another page sends them
    page.locator("#toasts .toast").nth(3).wait_for()
    told = page.locator("#toasts").text_content()
    assert told.count("It followed a press that was not done.") == 2
    assert "Out of Action" in told
    state = table_state(battle)
    assert state is not None
    assert state.fighter(ottla.key).markers == {"blood": 1}
    act_at_table(battle=battle, actor=ada, data={"kind": "back", "fighter": ilse.key})
    page.reload()
    page.wait_for_load_state("networkidle")
    state = table_state(battle)
    assert state is not None
    assert state.fighter(ilse.key).markers == {}


def test_a_table_opened_again_without_line_still_knows_its_attacks(
    battle: Battle, ada: Any, ben: Any, device: Any, line: Line
) -> None:
    ilse, *_ = laid(battle, ada)
    page = device(ada).new_page()
    here = f"{reverse('battle-track', args=[battle.pk])}?open={ilse.key}"

    def rows() -> list[str]:
        return [address for address in page.evaluate(KEPT_PAGES) if "/attacks/" in address]

    page.goto(here)
    ready(page)
    wait_until(page, lambda: len(rows()) == 1)
    older = rows()
    assert older[0] == page.locator("#t_head").get_attribute("data-attacks")
    # A changed roster has other rows, which take their place.
    warband = c.side(battle, ben).warband
    warband.__class__.objects.filter(pk=warband.pk).update(version=warband.version + 1)
    page.reload()
    wait_until(page, lambda: len(rows()) == 1 and rows() != older)
    line.cut()
    page.reload()
    page.get_by_text("Offline copy from").wait_for()
    page.locator("[data-tracker][data-no-line]").wait_for(state="attached")
    page.locator(f"#d{ilse.key} .arm a").last.click()
    page.locator("#t_roll[data-away]").get_by_role("button", name="Roll for me").click()
    page.locator("#t_thrown .face").first.wait_for()
    page.goto(reverse("rule-list"))  # never opened here: the pages that were
    page.locator("[data-kept-pages] a").first.wait_for()
    assert not page.locator("[data-kept-pages] a[href*='/attacks/']").count()
    # What stands beside a page goes with it.
    line.mend()
    page.goto(here)
    page.evaluate(
        "async (here) => { for (const name of await caches.keys()) if (name.startsWith('pages-')) await (await caches.open(name)).delete(here); }",
        here,
    )
    page.goto(reverse("battle-show", args=[battle.pk]))
    wait_until(page, lambda: not rows())
