"""A shot at the table by keyboard alone: from the row to the told result, the focus where one's fingers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.services.tracker import act_at_table, begin_table
from tests import campaign_stories as c
from tests.browser.phones import line, phone, state_of
from tests.browser.rolling import redrawn

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

FOCUSED = "() => document.activeElement.id || document.activeElement.innerText.trim()"
MOST_TABS = 40


def tab_to(page: Any, words: str) -> None:
    """Press Tab until something is reached whose text begins so."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText.trim()").startswith(words):
            return
    raise AssertionError(f"“{words}” is not reached within {MOST_TABS} tabs")


def test_a_shot_is_told_by_keyboard_and_the_focus_stays_on_the_target(
    ada: Any, ben: Any, cleo: Any, phone: Callable[..., Any]
) -> None:
    battle = c.mustered(c.club(cleo, ada, ben), ada, ben)
    begin_table(battle=battle, actor=ada)
    mine, theirs = (state_of(battle).of(str(c.side(battle, user).pk)) for user in (ada, ben))
    act_at_table(battle=battle, actor=ada, data={"kind": "initiative", "side": mine[0].side})
    page = phone(ada)
    page.goto(reverse("battle-track", args=[battle.pk]))
    page.get_by_text("in sync").wait_for()
    tab_to(page, mine[0].name)
    page.keyboard.press("Enter")
    tab_to(page, "Shoot")
    page.keyboard.press("Enter")
    page.locator("#t_roll[data-here]").wait_for()
    assert page.evaluate(FOCUSED).startswith(mine[0].name), "the form's head"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    for key, target in (("Space", theirs[0]), ("ArrowRight", theirs[1])):
        with redrawn(page):
            page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == f"id_target_{target.key}"
    tab_to(page, "Missed")
    page.keyboard.press("Enter")
    page.locator("#t_news").get_by_text(theirs[1].name).wait_for(state="attached")
    expect(page.locator("#t_roll h2")).to_be_focused()  # the form of the injury comes after the news
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#tracker') !== null"), "back to the start of the page"
