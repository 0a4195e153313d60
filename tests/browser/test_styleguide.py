"""Every component in every state: axe, the narrow phone, both schemes, and the small scripts that move them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import CONTRAST, LOOKS, put, sideways
from tests.drills import WHOLE

pytestmark = pytest.mark.django_db(transaction=True)

STYLEGUIDE = "/styleguide/"
SMALLEST_TARGET = 24
TARGET = 44


def answering(status: int, body: str) -> Callable[[Any], None]:
    """Return a handler that answers a request in the server's place."""
    return lambda route: route.fulfill(status=status, body=body, content_type="text/html")


# The examples of work in progress ask every two seconds, and are given the whole page. A copy of them asks nothing.
REST = "() => document.querySelectorAll('.progress[hx-get]').forEach(one => one.replaceWith(one.cloneNode(true)))"


def test_axe_finds_nothing_and_nothing_runs_over_the_edge(open_page, axe):
    page = open_page()
    page.goto(STYLEGUIDE)
    page.evaluate(REST)
    for place, look in enumerate(LOOKS):
        put(page, look)
        assert sideways(page) <= 0
        axe(page, CONTRAST if place and not WHOLE else "")


STATES = {
    "fighter_card": ("ready", "problem", "misses", "captive", "dead", "readonly"),
    "statline": ("printed", "raised", "lowered", "gained", "lost"),
    "offer_row": ("open", "open_problem", "locked"),
    "step_rails": ("done", "current", "waits", "skipped", "later"),
    "progress_states": ("queued", "running", "done", "failed"),
}
PIECES = {
    "offer_row": ("[data-taken]", "[data-bulk]", "[aria-disabled=true]"),
    "die_input": ("[data-wrong]", "input[type=number]", "[data-hit]", ".modifiers"),
    "decision_card": ("[data-closed]", ":checked", "label:not([data-closed]):not(:has(:checked))"),
    "ledger_row": ("tr[data-direction=in]", "tr[data-direction=out]", "tr[data-direction=undone]"),
    "event_row": ("[data-undone]", ".event-row:has(.button)", ".event-row:not([data-undone]):not(:has(.button))"),
    "toast": ("[data-kind=done]", "[data-kind=told]", "[data-kind=problem] [data-again]"),
    "marker_row": ("[data-waiting]", "[id$=minus]:disabled", "[id$=plus]:disabled"),
    "tracker_parts": (
        "[data-state=ready]",
        "[data-state=acted]",
        "[data-state=down]",
        "[data-state=out]",
        "[data-state=away]",
        "details[open] .marker-row",
        "details[open] .table-lines",
        ".table-board .board-track li[data-full]",
        ".table-offer .button",
        ".table-shut",
        "[data-alarm]",
        ".table-closed",
        "[data-undone]",
        "[data-kind=problem]",
        ".table-strip .button",
    ),
    "standings_states": ("[data-mine]", "[data-withdrawn]", "#standings_empty .empty-state"),
    "problem_lists": ("[data-kind=legal]", ".problem:only-child", "details"),
    "budget_bars": ("[data-state=legal]", "[data-state=wrong]", "a.lost", ".button-main"),
    "line_strips": ("[data-down]", "[data-stood]", "[data-unsent] li + li", "[data-kind=done]", "[data-discard]"),
}


def test_every_component_stands_there_in_every_state(open_page):
    page = open_page()
    page.goto(STYLEGUIDE)
    wanted = [f"#{place} [data-state={state}]" for place, states in STATES.items() for state in states]
    wanted += [f"#{place} {piece}" for place, pieces in PIECES.items() for piece in pieces]
    absent = [selector for selector in wanted if not page.locator(selector).count()]
    assert not absent, absent
    hidden = [state for state in page.locator("#line_strips .notice").all() if not state.is_visible()]
    assert not hidden


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_chosen_scheme_wins_over_the_device(open_page, scheme):
    page = open_page(dark=scheme == "light")
    page.goto(f"{STYLEGUIDE}?scheme={scheme}")
    paper = {"light": "rgb(245, 239, 226)", "dark": "rgb(22, 20, 16)"}
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == paper[scheme]


def test_the_notices_are_clean(phone, axe):
    phone.goto("/notices/")
    axe(phone)
    expect(phone.get_by_text("CC BY 3.0")).to_be_visible()


def test_both_faces_are_loaded_from_our_own_files(phone):
    phone.goto(STYLEGUIDE)
    phone.evaluate("document.fonts.ready")
    loaded = phone.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
    assert {family.strip('"') for family in loaded} == {"Old Standard TT", "IBM Plex Sans Condensed"}


def test_buttons_and_faces_of_dice_are_large_enough_for_a_thumb(phone):
    phone.goto(STYLEGUIDE)
    boxes = phone.evaluate(
        """() => [...document.querySelectorAll('.button, .die-face, .menu > summary, .main-places a, .tabs a')]
            .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
            .filter(([, box]) => box.width)
            .map(([html, box]) => [html, box.width, box.height])"""
    )
    assert len(boxes) > 40
    small = [html for html, width, height in boxes if height < TARGET or width < SMALLEST_TARGET]
    assert not small, small


def test_six_faces_stand_in_one_row_on_the_narrow_phone(phone):
    phone.goto(STYLEGUIDE)
    tops = phone.locator(".die-faces").first.evaluate(
        "faces => [...faces.children].map(face => face.getBoundingClientRect().top)"
    )
    assert len(tops) == 6
    assert len(set(tops)) == 1


def test_eighteen_boxes_of_experience_stand_in_one_row_on_the_narrow_phone(phone):
    phone.goto(STYLEGUIDE)
    row = phone.get_by_role("img", name="Experience 4 of 18").first
    tops = row.evaluate("row => [...row.children].map(box => box.getBoundingClientRect().top)")
    assert len(tops) == 18
    assert len(set(tops)) == 1


def test_a_toast_closes_and_a_menu_closes_on_escape(phone):
    phone.goto(STYLEGUIDE)
    toasts = phone.locator("#toast [data-toast]")
    before = toasts.count()
    toasts.first.get_by_role("button", name="Close").click()
    expect(toasts).to_have_count(before - 1)

    menu = phone.locator(".page-head [data-menu]")
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Settings")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Settings")).to_be_hidden()
    assert menu.locator("summary").evaluate("summary => summary === document.activeElement")


def test_a_failed_request_becomes_a_toast_and_swaps_nothing(open_page):
    page = open_page(expected_statuses=(500, 429, 403))
    page.goto(STYLEGUIDE)
    page.evaluate(
        """() => {
            const form = document.createElement("form");
            form.setAttribute("hx-post", "/refused/");
            form.setAttribute("hx-target", "#ground");
            form.innerHTML = '<button id="press">Press</button>';
            document.getElementById("buttons").append(form);
            htmx.process(form);
        }"""
    )
    ground = page.locator("#ground").inner_text()
    for status, words in ((500, "Not sent"), (429, "Too many attempts"), (403, "you don't have access")):
        page.route("**/refused/", answering(status, "<p>no</p>"))
        page.locator("#press").click()
        page.locator("#toasts").get_by_text(words).wait_for()
        page.unroute("**/refused/")
    expect(page.locator("#ground")).to_have_text(ground, use_inner_text=True)


def test_an_answer_of_422_is_shown_and_its_summary_takes_the_focus(phone):
    phone.goto(STYLEGUIDE)
    phone.evaluate(
        """() => {
            const form = document.createElement("form");
            form.id = "asked";
            form.setAttribute("hx-post", "/asked/");
            form.setAttribute("hx-target", "#asked");
            form.innerHTML = '<button id="press">Press</button>';
            document.getElementById("buttons").append(form);
            htmx.process(form);
        }"""
    )
    answer = '<form id="asked"><div role="alert" tabindex="-1" autofocus>Look again.</div></form>'
    phone.route("**/asked/", answering(422, answer))
    phone.locator("#press").click()
    phone.locator("#asked [role=alert]").wait_for()
    assert phone.locator("#asked [role=alert]").evaluate("summary => summary === document.activeElement")


def test_toasts_swapped_out_of_band_keep_their_live_region(phone):
    phone.goto(STYLEGUIDE)
    phone.evaluate(
        """() => {
            document.getElementById("toasts").kept = true;
            const form = document.createElement("form");
            form.setAttribute("hx-post", "/hired/");
            form.setAttribute("hx-target", "#hired");
            form.innerHTML = '<p id="hired">none</p><button id="press">Press</button>';
            document.getElementById("buttons").append(form);
            htmx.process(form);
        }"""
    )
    answer = (
        '<p id="hired">one</p>'
        '<div id="toasts" role="status" hx-swap-oob="innerHTML"><div data-toast><p>Jonas joins.</p></div></div>'
    )
    phone.route("**/hired/", answering(200, answer))
    phone.locator("#press").click()
    phone.locator("#toasts").get_by_text("Jonas joins.").wait_for()
    expect(phone.locator("#hired")).to_have_text("one", use_inner_text=True)
    expect(phone.locator("#toasts")).to_have_count(1)
    assert phone.evaluate("document.getElementById('toasts').kept") is True


def test_a_slow_answer_makes_the_pressed_button_busy_and_moves_nothing(phone):
    phone.goto(STYLEGUIDE)
    phone.evaluate(
        """() => {
            const form = document.createElement("form");
            form.setAttribute("hx-post", "/slow/");
            form.setAttribute("hx-target", "#slow");
            form.innerHTML = '<p id="slow">before</p><button class="button" id="press">Hire for 45 d</button>';
            document.getElementById("buttons").append(form);
            htmx.process(form);
        }"""
    )
    held = []
    phone.route("**/slow/", lambda route: held.append(route))
    button = phone.locator("#press")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.click()
    phone.locator("#press[aria-busy=true]").wait_for()
    assert button.bounding_box() == before
    held[0].fulfill(status=200, body='<p id="slow">after</p>', content_type="text/html")
    phone.locator("#press:not([aria-busy])").wait_for()


def test_without_script_a_toast_cannot_be_closed_and_a_menu_still_opens(open_page):
    page = open_page(javascript=False)
    page.goto(STYLEGUIDE)
    expect(page.locator("#toast [data-close]").first).to_be_hidden()
    page.locator(".page-head [data-menu] summary").click()
    expect(page.locator(".page-head").get_by_role("link", name="Settings")).to_be_visible()
    expect(page.get_by_role("link", name="Refresh").first).to_be_visible()


def test_the_skip_link_is_the_first_stop_and_leads_to_the_content(phone):
    phone.goto("/notices/")
    phone.keyboard.press("Tab")
    assert phone.evaluate("document.activeElement.textContent") == "Skip to content"
    phone.keyboard.press("Enter")
    assert phone.evaluate("document.activeElement.id") == "content"
