"""While another connection holds the database: what the person sees, with and without script, and that the next press works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections
from django.urls import reverse
from playwright.sync_api import expect

from tests import stories as s
from tests.conftest import DESKTOP, PHONE
from tests.drills import WHOLE
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's connections, opened from now on, wait a moment only."""
    monkeypatch.setitem(connections.databases["default"]["OPTIONS"], "timeout", 0.2)


@pytest.fixture
def lock() -> Iterator[Any]:
    """A second connection that can hold the whole database."""
    other = connection.copy()
    other.connect()
    yield other.cursor()
    other.close()


def hire_button(page: Any) -> Any:
    return page.locator(".offer-line").filter(has_text="Yeoman").first.locator("[id$=_act]")


def yeomen(warband: Warband) -> int:
    return Fighter.objects.filter(warband=warband, profile_id="yeoman").count()


def test_with_script_a_toast_tells_it_and_offers_to_try_again(ada: Any, open_page: Any, lock: Any, axe: Any) -> None:
    warband = s.small_warband(ada)
    before = yeomen(warband)
    page = open_page(ada, expected_statuses=(503,))
    page.goto(reverse("fighter-hire", args=[warband.pk]))
    lock.execute("BEGIN IMMEDIATE")
    hire_button(page).click()
    page.locator("#toasts").get_by_text("It counts only once.").wait_for()
    expect(page.locator("[data-down]")).to_be_hidden()
    expect(page.locator("[data-unsent]")).to_be_hidden()
    axe(page)
    lock.execute("ROLLBACK")
    assert yeomen(warband) == before
    page.locator("#toasts").get_by_role("button", name="Try again").click()
    page.locator("#just_done").get_by_text("Hired Yeoman").wait_for()
    assert yeomen(warband) == before + 1


BY_SCRIPT = [(True, PHONE), (False, DESKTOP), (True, DESKTOP), (False, PHONE)]


@pytest.mark.parametrize(("javascript", "width"), BY_SCRIPT if WHOLE else BY_SCRIPT[:2])
def test_a_plain_form_can_be_sent_again_from_the_page_that_tells_it(
    ada: Any, open_page: Any, lock: Any, axe: Any, javascript: bool, width: int
) -> None:
    warband = s.small_warband(ada)
    page = open_page(ada, expected_statuses=(503,), javascript=javascript, width=width)
    page.goto(reverse("warband-change", args=[warband.pk]))
    page.get_by_label("Name", exact=True).first.fill("The Tallow Wardens")
    lock.execute("BEGIN IMMEDIATE")
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("heading", name="The server is busy").wait_for()
    if javascript:
        axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lock.execute("ROLLBACK")
    assert s.fresh(warband).name == "The Lantern Wardens"
    page.get_by_role("button", name="Send again").click()
    page.locator("#toasts").get_by_text("The Tallow Wardens").first.wait_for()
    assert s.fresh(warband).name == "The Tallow Wardens"
    if javascript:
        expect(page.locator("[data-unsent]")).to_be_hidden()
