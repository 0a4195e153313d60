"""The doors and one's own page in a browser: axe, phone and desktop, light and dark, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.browser.answered import follow
from tests.browser.looks import examine, visit
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

VISITOR_PAGES = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/password/reset/done/"]
PEOPLES_PAGES = [
    "/account/",
    "/account/delete/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/accounts/reauthenticate/",
    "/account/tokens/",
    "/accounts/2fa/",
    "/accounts/sessions/",
]


def test_axe_finds_nothing_and_nothing_runs_over_the_edge(open_page, ada, axe):
    ada.emailaddress_set.create(email="ada@example.org", primary=True)
    for user, addresses in ((None, VISITOR_PAGES), (ada, PEOPLES_PAGES)):
        page = open_page(user)
        for place, address in enumerate(addresses):
            visit(page, address)
            examine(page, axe, place)


def test_a_page_that_is_not_there_is_clean_too(open_page, axe):
    page = open_page(expected_statuses=(404,))
    page.goto("/no-such-place/")
    axe(page)


@pytest.mark.parametrize("javascript", [True, False])
def test_one_signs_up_signs_out_and_signs_in_again(open_page, axe, javascript):
    page = open_page(javascript=javascript)
    page.goto("/accounts/signup/?next=/account/")
    page.get_by_label("User name").fill("ottla")
    page.get_by_label("Password", exact=True).fill("123")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("alert")).to_be_visible()
    if javascript:
        axe(page)
    page.get_by_label("Password", exact=True).fill("lantern-wardens-1916")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("heading", name="Me", exact=True).wait_for()
    follow(page.get_by_role("button", name="Sign out"))
    page.goto("/accounts/login/?next=/account/")
    page.get_by_label("User name or e-mail").fill("ottla")
    page.get_by_label("Password").fill("lantern-wardens-1916")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Me", exact=True).wait_for()


def test_one_signs_in_by_keyboard_alone(phone, ada):
    phone.goto("/accounts/login/?next=/account/")
    phone.get_by_label("User name or e-mail").focus()
    phone.keyboard.type("ada")
    phone.keyboard.press("Tab")
    phone.keyboard.type(PASSWORD)
    phone.keyboard.press("Enter")
    phone.get_by_role("heading", name="Me", exact=True).wait_for()


def test_the_chosen_colours_are_worn_at_once(signed_in_page, ada):
    page = signed_in_page(ada)
    page.goto("/account/")
    page.get_by_label("Dark", exact=True).check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
