"""A battle on two phones at once: played from the first turn to the report, one of them without a line half-way; and what each state looks like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Error, expect

from campaigns.models import Battle, Report, Table, TableAct
from campaigns.report_prefill import otherwise
from campaigns.services.tracker import act_at_table, begin_table
from tests import campaign_stories as c
from tests.browser.answered import answered, follow
from tests.browser.line import Line
from tests.browser.looks import CONTRAST, Look, examine, put, visit
from tests.browser.phones import IN_STEP, line, phone, state_of
from tests.browser.slowed import slowed
from tests.conftest import PHONE

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    return c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")


def own(battle: Battle, user: Any) -> tuple[Any, ...]:
    return state_of(battle).of(str(c.side(battle, user).pk))


def opened(page: Any, fighter: Any) -> Any:
    """The fighter's part of the page, unfolded."""
    part = page.locator(f"#d{fighter.key}")
    fold = page.locator("details.table-fold:not([open])").filter(has=part)
    if fold.count():  # it has acted, or is out
        fold.locator("> summary").click()
    if part.get_attribute("open") is None:
        part.locator("> summary").click()
    return part


def press(page: Any, fighter: Any, label: str) -> None:
    opened(page, fighter).get_by_role("button", name=label).first.click()


def waits_for(page: Any, true_of: Callable[[], bool]) -> None:
    for _ in range(500):
        if true_of():
            return
        page.wait_for_timeout(20)
    raise AssertionError("It did not come to pass.")


def test_a_whole_battle_on_two_phones_one_without_line_half_way(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line
) -> None:
    here = reverse("battle-track", args=[battle.pk])
    mine, theirs = phone(ada), phone(ben, by_line=True)
    mine.goto(here)
    mine.get_by_role("button", name="Start tracking").click()
    mine.get_by_text("in sync").wait_for()
    theirs.goto(here)
    theirs.get_by_text("in sync").wait_for()
    ilse, ottla, *_ = own(battle, ada)
    vasek, rosk, *_ = own(battle, ben)

    # Turn 1: initiative is Ada's, told on one phone and read on the other.
    mine.locator("#t_asks").get_by_role("button", name=state_of(battle).sides[0].name).click()
    theirs.locator("#t_head").get_by_text("Initiative").wait_for(timeout=IN_STEP)
    press(mine, ilse, "Acted")
    theirs.locator(f"#f{ilse.key}[data-state=acted]").wait_for(state="attached", timeout=IN_STEP)
    for _ in range(3):  # quickly, one after the other
        press(theirs, vasek, "Blood, one more")
    mine.get_by_role("link", name="Theirs").click()
    mine.locator(f"#f{vasek.key}").get_by_text("3", exact=True).wait_for(timeout=IN_STEP)
    assert state_of(battle).fighter(vasek.key).markers == {"blood": 3}

    # Half-way Ben's line goes. He goes on; nothing reaches Ada, and his phone says so.
    line.cut()
    press(theirs, vasek, "Blood, one less")
    press(theirs, vasek, "Blood, one less")
    press(theirs, rosk, "Down")
    theirs.locator(".table-line").get_by_text(re.compile(r"offline \d:\d\d")).wait_for()
    theirs.locator(f"#m{vasek.key}_blood").get_by_text("waiting: 3 to 1").wait_for(state="attached")
    theirs.locator(f"[data-wait='{rosk.key}']").get_by_text("not sent yet: Down").wait_for(state="attached")
    before = Table.objects.get().version
    press(mine_tab(mine), ottla, "Down")
    mine.locator(f"#f{ottla.key}[data-state=down]").wait_for()
    assert Table.objects.get().version == before + 1
    line.mend()
    theirs.locator(".table-line").get_by_text("in sync").wait_for(timeout=2 * IN_STEP)
    waits_for(theirs, lambda: state_of(battle).fighter(rosk.key).down)
    assert state_of(battle).fighter(vasek.key).markers == {"blood": 1}
    theirs.locator(f"#f{ottla.key}[data-state=down]").wait_for(state="attached", timeout=IN_STEP)
    expect(theirs.locator(".marker-row[data-waiting]")).to_have_count(0)
    expect(theirs.locator("[data-clashes] .notice")).to_have_count(0)

    # Turn 2: both press the turn's end, and it ends once.
    mine.locator("#t_turn").click()
    mine.locator("#t_turn_open").get_by_text(re.compile("still to act")).first.wait_for()
    mine.locator("#t_turn_anyway").click()
    theirs.locator("#t_head").get_by_text("Turn 2 of 5").wait_for(timeout=IN_STEP)
    mine.locator("#t_turn", has_text="End turn 2").wait_for()
    expect(mine.locator("#t_turn_open")).to_have_js_property("open", False)
    assert state_of(battle).turn == 2
    press(theirs, vasek, "Out")
    mine.locator(f"#f{vasek.key}[data-state=out]").wait_for(state="attached", timeout=IN_STEP)

    # A slip is undone from the log; a deed and points are written down.
    mine.get_by_role("link", name="Log").click()
    mine.locator("#note_form input[type=text]").fill("Fog over the wire")
    mine.locator("#note_form button").click()
    mine.locator("#t_log").get_by_text("Fog over the wire").first.wait_for()
    mine_tab(mine)
    press(mine, ilse, "Down")
    mine.locator(f"#f{ilse.key}[data-state=down]").wait_for()
    mine.get_by_role("link", name="Log").click()
    mine.locator("#t_log li", has_text=f"{ilse.name} goes Down").get_by_role("button", name="Undo").click()
    theirs.locator(f"#f{ilse.key}[data-state=ready]").wait_for(state="attached", timeout=2 * IN_STEP)
    mine_tab(mine)
    opened(mine, ilse).get_by_text("Move, action, deed").click()
    opened(mine, ilse).get_by_role("link", name="Deed").click()  # leads to the form on the same page
    deed = next(deed.id for deed in state_of(battle).deeds if not deed.by_warband and not deed.needs_profile)
    mine.locator("#t_deed_options").select_option(deed)
    mine.get_by_role("button", name="Save").click()
    mine.locator(f"#s{c.side(battle, ada).pk}_plus").click()
    waits_for(mine, lambda: state_of(battle).side(str(c.side(battle, ada).pk)).score == 1)
    assert [deed.fighter for deed in state_of(battle).deeds if deed.side] == [ilse.key]

    # The end fills in the report; Ada sends it as it stands, and nothing differs from the log.
    with mine.expect_navigation(url=re.compile("/report/$")):
        mine.locator("#t_end").click()
        mine.locator("#t_end_anyway").click()
    theirs.get_by_text("The battle has ended").wait_for(timeout=IN_STEP)
    expect(mine.locator(f"#id_out_{vasek.key}")).to_be_checked()
    expect(mine.locator("[name=result]:checked")).to_have_attribute("value", str(c.side(battle, ada).pk))
    with mine.expect_navigation():
        mine.locator(".act-strip button").click()
    report = Report.objects.get(battle=battle)
    assert otherwise(state_of(battle), report.data) == ()
    assert list(report.data["out"][str(c.side(battle, ben).pk)]) == [vasek.key]
    with suppress(Error):  # he takes his phone up again; a page that is loaded anew by itself asks anyway
        theirs.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    theirs.get_by_text("Tracking has ended").wait_for()


def mine_tab(page: Any) -> Any:
    """Back to one's own side."""
    page.get_by_role("link", name="Mine").click()
    return page


def test_markers_of_two_phones_are_added_and_what_the_cap_refuses_stands_in_view(
    battle: Battle, ada: Any, ben: Any, cleo: Any, phone: Callable[..., Any], line: Line
) -> None:
    begin_table(battle=battle, actor=ada)
    vasek = own(battle, ben)[0]
    page = phone(ben, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    line.cut()
    for _ in range(4):
        press(page, vasek, "Blood, one more")
    page.locator(".table-line").get_by_text(re.compile("offline")).wait_for()
    last = page.locator("[data-group=open] > li:visible > details").last
    last.locator("> summary").click()
    last.evaluate("row => row.scrollIntoView({block: 'end'})")
    act_at_table(
        battle=battle, actor=cleo, data={"kind": "marker", "fighter": vasek.key, "marker": "blood", "change": 4}
    )
    line.mend()
    page.locator("[data-clashes] .notice").nth(1).wait_for()
    told = page.locator("[data-clashes]").text_content()
    assert "holds 6 blood; 6 is the most" in told
    assert "followed a press that was not done" in told
    assert state_of(battle).fighter(vasek.key).markers == {"blood": 6}
    page.locator(f"#m{vasek.key}_blood[data-figure='6']").wait_for(state="attached")
    box = page.locator("[data-clashes] .notice").first.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < page.viewport_size["height"] / 2
    expect(page.locator("[data-clashes] .notice").first).to_have_attribute("role", "alert")
    page.get_by_role("button", name="Seen").first.click()
    expect(page.locator("[data-clashes] .notice")).to_have_count(1)


def test_a_marker_is_taken_off_again_while_the_line_is_down(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line
) -> None:
    begin_table(battle=battle, actor=ada)
    vasek = own(battle, ben)[0]
    page = phone(ben, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    opened(page, vasek)
    row = page.locator(f"#m{vasek.key}_blood")
    less, more = row.get_by_role("button").all()
    expect(less).to_be_disabled()
    line.cut()
    for _ in range(6):
        more.click()
    expect(more).to_be_disabled()
    for _ in range(5):
        less.click()
    expect(row.locator("output")).to_have_text("1")
    line.mend()
    waits_for(page, lambda: state_of(battle).fighter(vasek.key).markers == {"blood": 1})
    page.locator(f"#m{vasek.key}_blood[data-figure='1']").wait_for(state="attached")
    waits_for(page, lambda: page.locator(".marker-row[data-waiting]").count() == 0)
    expect(page.locator("[data-clashes] .notice")).to_have_count(0)


def test_an_answer_that_was_lost_is_not_done_twice(
    battle: Battle, ada: Any, phone: Callable[..., Any], line: Line
) -> None:
    begin_table(battle=battle, actor=ada)
    ilse = own(battle, ada)[0]
    page = phone(ada, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    opened(page, ilse)
    line.loses_answers_to = b"POST "
    press(page, ilse, "Blood, one more")
    waits_for(page, lambda: state_of(battle).fighter(ilse.key).markers == {"blood": 1})
    page.locator(".table-line").get_by_text(re.compile("offline")).wait_for()
    line.mend()
    page.locator(f"#m{ilse.key}_blood[data-figure='1']").wait_for(state="attached")
    waits_for(page, lambda: page.locator(".marker-row[data-waiting]").count() == 0)
    assert TableAct.objects.count() == 2
    expect(page.locator("[data-clashes] .notice")).to_have_count(0)


@pytest.mark.parametrize("javascript", [True, False])
def test_it_works_by_thumb_with_and_without_script(
    battle: Battle, ada: Any, phone: Callable[..., Any], javascript: bool
) -> None:
    begin_table(battle=battle, actor=ada)
    ilse = own(battle, ada)[0]
    page = phone(ada, javascript=javascript)
    page.goto(f"{reverse('battle-track', args=[battle.pk])}?open={ilse.key}")
    for label in ("Blood, one more", "Acted", "Down"):
        if javascript:
            with page.expect_response(lambda response: response.request.method == "POST"):
                press(page, ilse, label)
            waits_for(page, lambda: page.locator(".marker-row[data-waiting], .tracker [aria-busy]").count() == 0)
        else:  # a press on the page that is about to be left is lost
            with page.expect_navigation():
                press(page, ilse, label)
        expect(page.locator(f"#d{ilse.key}")).to_have_js_property("open", True)
    found = state_of(battle).fighter(ilse.key)
    assert (found.markers, found.acted, found.down) == ({"blood": 1}, True, True)
    for box in [button.bounding_box() for button in page.locator(f"#p{ilse.key} .button:visible").all()]:
        assert box["height"] >= 48
        assert box["width"] >= 48
    if not javascript:
        follow(page.get_by_role("link", name="Refresh"))
        page.get_by_role("link", name="Log").click()
        follow(page.get_by_role("button", name="Undo").first)
        assert not state_of(battle).fighter(ilse.key).down


def test_a_full_table_is_clean_and_fits(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    begin_table(battle=battle, actor=ada)
    mine = own(battle, ada)
    for place, fighter in enumerate(mine):
        kind = ("down", "out", "acted", "down")[place % 4]
        act_at_table(battle=battle, actor=ada, data={"kind": kind, "fighter": fighter.key})
    page = phone(ada)
    visit(page, f"{reverse('battle-track', args=[battle.pk])}?open={mine[0].key}")
    page.get_by_text("in sync").wait_for()
    examine(page, axe, 0)
    examine(page, axe, 1)
    visit(page, f"{reverse('battle-track', args=[battle.pk])}?roll=attack")
    examine(page, axe, 1)


def test_a_weak_phone_answers_a_press_at_once(battle: Battle, ada: Any, phone: Callable[..., Any], line: Line) -> None:
    begin_table(battle=battle, actor=ada)
    ilse = own(battle, ada)[0]
    page = phone(ada, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    opened(page, ilse)
    line.cut()  # what is seen now is the phone's own doing
    answered = """(id) => new Promise((done) => {
        const button = document.getElementById(id), figure = document.querySelector(`#${id.replace(/_plus$/, "")} output`);
        const start = performance.now();
        const look = () => (figure?.textContent === "1" || button.ariaBusy === "true"
            ? done(performance.now() - start) : setTimeout(look, 5));
        button.click();
        look();
    })"""
    with slowed(page, 6):
        assert page.evaluate(answered, f"m{ilse.key}_blood_plus") < 250
        assert page.evaluate(answered, f"d{ilse.key}_down") < 250
    line.mend()
    waits_for(page, lambda: state_of(battle).fighter(ilse.key).down)
    page.locator(f"#f{ilse.key}[data-state=down]").wait_for(state="attached")
    waits_for(page, lambda: page.locator(".tracker [aria-busy]").count() == 0)
    expect(page.locator(f"#m{ilse.key}_blood output")).to_have_text("1")


def test_a_figure_that_counted_too_soon_goes_back_when_the_press_is_refused(
    battle: Battle, ada: Any, cleo: Any, phone: Callable[..., Any], line: Line
) -> None:
    begin_table(battle=battle, actor=ada)
    ilse = own(battle, ada)[0]
    page = phone(ada, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    opened(page, ilse)
    line.cut()
    press(page, ilse, "Blood, one more")
    expect(page.locator(f"#m{ilse.key}_blood output")).to_have_text("1")
    press(page, ilse, "Out")
    act_at_table(battle=battle, actor=cleo, data={"kind": "out", "fighter": ilse.key})
    line.mend()
    page.locator("[data-clashes] .notice").nth(1).wait_for()
    assert state_of(battle).fighter(ilse.key).out
    waits_for(page, lambda: page.locator(".tracker [aria-busy]").count() == 0)


def test_with_initiative_and_morale_asked_nothing_overlaps_and_the_strip_is_at_hand(
    battle: Battle, ada: Any, phone: Callable[..., Any], axe: Callable[..., None]
) -> None:
    begin_table(battle=battle, actor=ada)
    for fighter in own(battle, ada)[:5]:
        act_at_table(battle=battle, actor=ada, data={"kind": "down", "fighter": fighter.key})
    page = phone(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    expect(page.locator("#t_asks .table-ask")).to_have_count(2)
    axe(page)
    put(page, Look(PHONE, dark=True))
    axe(page, CONTRAST)
    boxes = [one.bounding_box() for one in page.locator("#t_asks .button").all()]
    for place, one in enumerate(boxes):
        assert min(one["width"], one["height"]) >= 48
        assert one["x"] + one["width"] <= PHONE
        for other in boxes[place + 1 :]:
            apart = (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or one["y"] + one["height"] <= other["y"]
                or other["y"] + other["height"] <= one["y"]
            )
            assert apart
    shown = [one for one in page.locator("#t_strip .button").all() if one.is_visible()]
    assert shown
    for one in shown:  # what ends a turn all the same is folded away
        box = one.bounding_box()
        assert box["height"] >= 48
        assert 500 < box["y"] < 740 - box["height"] + 1


def looks(request: Any) -> bool:
    """Whether a form of a roll asks how it goes on."""
    return "source=look" in (request.post_data or "")


@contextmanager
def slow(page: Any, which: Callable[[Any], bool]) -> Iterator[None]:
    """Let these requests wait until the end."""
    held: list[Any] = []
    page.route("**/table/**", lambda route: held.append(route) if which(route.request) else route.continue_())
    yield
    page.unroute("**/table/**")
    for route in held:
        with suppress(Error):  # the page wants no answer any more
            route.continue_()


def test_an_attack_with_ones_own_weapon_is_rolled_with_two_thumbs_presses(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any]
) -> None:
    begin_table(battle=battle, actor=ada)
    mine = own(battle, ada)[1]
    page = phone(ada)
    page.goto(f"{reverse('battle-track', args=[battle.pk])}?open={mine.key}")
    foes = own(battle, ben)
    page.locator(f"#k{mine.key}").get_by_role("link", name=re.compile("^(Shoot|Fight)")).first.click()
    form = page.locator("#t_roll[data-here]")
    form.wait_for()
    expect(form.locator("[name=target]:checked"), "no one is chosen before somebody was aimed at").to_have_count(0)
    form.get_by_role("button", name="Roll for me").click()
    expect(form.get_by_text("Choose one first.")).to_be_visible()
    expect(form.locator("[name=target]").first).to_be_focused()
    with answered(page):
        form.locator(f"#id_target_{foes[0].key}").check(force=True)
    odds = form.locator(".table-odds").text_content()
    with answered(page):
        form.locator(".chip input[type=checkbox]").first.check(force=True)
    waits_for(page, lambda: form.locator(".table-odds").text_content() != odds)
    with page.expect_event("requestfailed", looks), slow(page, looks):
        form.locator(f"#id_target_{foes[1].key}").check(force=True)
        form.get_by_role("button", name="Roll for me").click()
        page.locator("#t_news").get_by_text(foes[1].name).wait_for()
    expect(form, "what was asked before it was sent does not bring it back").to_have_count(0)
    expect(page.locator("#t_thrown .face").first).to_be_visible()
    assert state_of(battle).fighter(mine.key).acted
    assert TableAct.objects.latest("number").data["roll"] == "attack"


def test_any_fact_of_any_fighter_is_read_without_a_request(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], line: Line
) -> None:
    begin_table(battle=battle, actor=ada)
    page = phone(ada, by_line=True)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    line.cut()
    taps = {ada: 1, ben: 2}
    for user, most in taps.items():
        fighter, walked = own(battle, user)[0], 0
        if user == ben:
            page.get_by_role("link", name="Theirs").click()
            walked += 1
        page.locator(f"#d{fighter.key} > summary").click()
        walked += 1
        part = page.locator(f"#d{fighter.key}")
        expect(part.locator(".statline .stat")).not_to_have_count(0)
        expect(part.locator(".arm").first).to_be_visible()
        expect(part.locator("dl.entries dd").first).to_be_visible()
        assert walked <= most


def test_a_result_of_ones_own_dice_is_told_and_hands_over(
    battle: Battle, ada: Any, ben: Any, phone: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    begin_table(battle=battle, actor=ada)
    mine, foe = own(battle, ada)[1], own(battle, ben)[0]
    page, theirs = phone(ada), phone(ben)
    here = reverse("battle-track", args=[battle.pk])
    theirs.goto(here)
    page.goto(f"{here}?open={mine.key}")
    page.locator(f"#k{mine.key}").get_by_role("link", name=re.compile("^(Shoot|Fight)")).first.click()
    form = page.locator("#t_roll[data-here]")
    form.wait_for()
    with answered(page):
        form.locator(f"#id_target_{foe.key}").check(force=True)
    form.get_by_text(re.compile("or more hits")).wait_for()
    examine(page, axe, 0)
    form.get_by_role("button", name=re.compile("^Down")).click()
    page.locator("#t_news").get_by_text("has acted").wait_for()
    theirs.locator("#t_news").get_by_text("has acted").wait_for(timeout=IN_STEP)
    state = state_of(battle)
    assert state.fighter(foe.key).down
    assert state.fighter(mine.key).acted
    still = sum(not fighter.acted for fighter in state.of(mine.side))
    expect(page.locator(f"#k{mine.key}")).to_be_visible()  # it keeps its place until it is closed
    expect(page.locator(".group-head [data-count]").first).to_have_text(str(still))
    assert {draw["origin"] for draw in TableAct.objects.latest("number").dice} == {"told"}
    page.locator("#t_undo").click()
    waits_for(page, lambda: not state_of(battle).fighter(foe.key).down)
    assert not state_of(battle).fighter(mine.key).acted
