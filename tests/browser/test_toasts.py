"""A message lies on no act: not on the main button of a page, not on the strip under the thumb."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.services import dice_entry
from rules.dice import Draw
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import follow, settle
from tests.browser.rows import act_of, row_of
from tests.conftest import PHONE

pytestmark = pytest.mark.django_db(transaction=True)

# The acts in sight that a toast lies on: what is hit where they are drawn is neither they nor something in them.
COVERED = """() => {
    const found = [];
    for (const act of document.querySelectorAll(".button-main, .strip .button, .strip button")) {
        const box = act.getBoundingClientRect();
        const inSight = box.width && box.top >= 0 && box.bottom <= innerHeight;
        if (!inSight || act.closest("[data-toast]")) continue;
        for (const share of [0.1, 0.5, 0.9]) {
            const hit = document.elementFromPoint(box.left + box.width * share, box.top + box.height / 2);
            if (hit?.closest("[data-toast]")) found.push(act.textContent.trim());
        }
    }
    return found;
}"""


def shown(page: Any, words: str) -> None:
    """Wait for a toast, and find no act beneath it."""
    toast = page.locator("#toasts > .toast").filter(has_text=words)
    toast.wait_for()
    box = toast.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 740
    assert page.evaluate(COVERED) == []


def told(page: Any, words: str) -> None:
    """Wait for the line over the bar that says what just happened, and find it in sight and on no act."""
    line = page.locator("#just_done > .just-done").filter(has_text=words)
    line.wait_for()
    box, bar = line.bounding_box(), page.locator("#budget_bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar["y"] + 1
    assert page.evaluate(COVERED.replace("[data-toast]", ".just-done")) == []


@pytest.mark.parametrize("javascript", [True, False])
def test_no_act_lies_under_the_message_about_a_battle(
    cleo: Any, ada: Any, ben: Any, open_page: Any, javascript: bool
) -> None:
    club = c.club(cleo, ada, ben)
    page = open_page(ada, width=PHONE, javascript=javascript)
    page.goto(reverse("battle-schedule", args=[club.campaign.pk]))
    page.get_by_label("ben").check()
    page.get_by_role("button", name="Set up battle").click()
    if not javascript:
        page.locator("#toasts").get_by_text("set up").wait_for()
        assert page.locator("#toasts").evaluate("e => getComputedStyle(e).position") == "static"
        return
    shown(page, "set up")
    expect(page.locator("main .button-main").first).to_be_visible()
    follow(page.get_by_role("link", name="Set up").first)
    page.locator("details summary", has_text="Choose without rolling").first.click()
    page.locator("#id_scenario").select_option("great-war")
    page.locator("button[name=act][value=scenario]").click()
    shown(page, "Great War")
    page.locator(".strip").get_by_role("button", name="Ready").click()
    shown(page, "ready for")


def test_no_act_lies_under_the_message_about_a_fighter(ada: Any, open_page: Any) -> None:
    warband = s.small_warband(ada)
    page = open_page(ada, width=PHONE)
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    page.evaluate("scrollTo(0, 600)")
    act_of(row_of(page, "Yeoman")).click()
    told(page, "Hired Yeoman")
    page.goto(reverse("kit-buy", args=[s.fighter(warband, "Ottla").pk]))
    page.locator("button[id$=_act]").filter(has_text="Buy").first.click()
    told(page, "Bought")


def test_no_act_lies_under_the_message_about_a_step(
    cleo: Any, ada: Any, ben: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A three and a three ask nothing further: what was rolled can be written."""

    class Threes:
        def draw(self, n: int, sides: int, why: str) -> Draw:
            return Draw(why, sides, (3,) * n, "app")

    monkeypatch.setattr(dice_entry, "AppDice", Threes)
    club = c.club(cleo, ada, ben)
    row = c.mustered(club, ada, ben)
    c.fight(row, ada, winner=ada, out={ada: [c.named_first(club, ada)]})
    sequence = c.begin(row, ada)
    page = open_page(ada, width=PHONE)
    page.goto(reverse("post-battle-show", args=[row.pk, sequence.warband_id]))
    settle(page, page.get_by_role("button", name="Roll for me").first.click)
    page.locator(".task[data-state=written]").wait_for()  # what came of it stands in its place, and is spoken
    assert page.locator("#toasts").inner_text()
    assert page.evaluate(COVERED) == []
