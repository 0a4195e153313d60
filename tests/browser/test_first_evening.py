"""A newcomer's first evening on a phone: the home page, building before signing up, the invitation, the password shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from campaigns.models import Seat
from tests import campaign_stories as c
from tests import stories as s
from tests.browser.answered import settle
from tests.browser.looks import examine
from tests.browser.taps import Thumb, promised
from warbands.models import Warband

pytestmark = pytest.mark.django_db(transaction=True)

STRONG = "lantern-wardens-1916"


def lock_in(page: Any, warband: Warband) -> None:
    """From the roster to the account, and to a warband that is ready."""
    page.goto(reverse("warband-ready", args=[warband.pk]))
    page.get_by_label("User name").fill("ottla")
    page.get_by_label("Password", exact=True).fill(STRONG)
    with page.expect_navigation():
        page.locator("main form").filter(has=page.get_by_label("User name")).locator("button.button-main").click()
    account = User.objects.get()
    assert (account.username, account.is_guest) == ("ottla", False)
    assert not s.fresh(warband).is_founding


@pytest.mark.parametrize("javascript", [True, False])
def test_a_stranger_builds_first_and_signs_up_at_the_end(open_page: Callable[..., Any], javascript: bool) -> None:
    page = open_page(javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Start a warband").click()
    page.wait_for_url("**/warbands/new/")
    page.locator("label", has_text="Iron Sultanate").click()
    if not javascript:
        page.get_by_role("button", name="Show its lists").click()
    expect(page.get_by_text("List of Iron Sultanate")).to_be_visible()
    page.locator("label", has_text="New Antioch").first.click()
    if not javascript:
        page.get_by_role("button", name="Show its lists").click()
    expect(page.get_by_text("List of New Antioch")).to_be_visible()
    assert page.get_by_label("Name", exact=True).input_value()
    page.get_by_role("button", name="Create warband").click()
    page.wait_for_url(re.compile(r"/warbands/\d+/hire/"))
    warband = Warband.objects.get()
    for profile in ("Lieutenant", "Yeoman"):
        s.hire(warband, profile)
    lock_in(page, s.fresh(warband))


def test_an_invitation_to_a_ready_warband(open_page: Callable[..., Any], cleo: Any) -> None:
    made = c.club(cleo)
    page = open_page()
    page.goto(reverse("campaign-join", args=[c.link(made.campaign)]))
    thumb = Thumb(page)
    thumb.open(page.get_by_text(re.compile("^Heretic Legion:")))
    thumb.go(page.get_by_role("link", name=re.compile("^Use it.*Gallows Choir")))
    thumb.type(page.get_by_label("User name"), "ottla")
    thumb.type(page.get_by_label("Password", exact=True), STRONG)
    thumb.go(page.get_by_role("button", name="Sign up and join"))
    seat = Seat.objects.get(user__username="ottla")
    assert (seat.warband.name, seat.warband.problem_count) == ("The Gallows Choir", 0)
    thumb.keeps(promised("From an invitation"))


def test_a_password_can_be_shown(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.goto("/accounts/signup/")
    field = page.get_by_label("Password", exact=True)
    field.fill(STRONG)
    page.get_by_role("button", name="Show").click()
    assert field.get_attribute("type") == "text"
    page.get_by_role("button", name="Hide").click()
    assert field.get_attribute("type") == "password"


def test_nothing_moves_under_the_finger_when_a_faction_is_chosen(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.goto("/warbands/new/")
    tile = page.locator("label", has_text="Trench Pilgrims").first
    before = tile.bounding_box()
    settle(page, tile.click)
    expect(page.get_by_text("List of Trench Pilgrims")).to_be_visible()
    assert tile.bounding_box() == before
    assert "faction=trench-pilgrims" in page.url


def test_the_pages_of_the_first_evening_look_right(open_page: Callable[..., Any], axe: Any, cleo: Any) -> None:
    made = c.club(cleo)
    join = reverse("campaign-join", args=[c.link(made.campaign)])
    addresses = ("/", "/warbands/new/", join, f"{join}?bring=later", "/accounts/signup/", "/accounts/login/")
    page = open_page()
    for place, address in enumerate(addresses):
        page.goto(address)
        assert page.locator(".button-main").count() <= 1, address
        examine(page, axe, place)
    page.goto("/warbands/new/?game=trench-crusade/1.0&list=new-antioch")
    page.get_by_role("button", name="Create warband").click()
    page.wait_for_url(re.compile(r"/warbands/\d+/hire/"))
    page.goto(reverse("account-keep"))  # as a guest
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    examine(page, axe, 0)
