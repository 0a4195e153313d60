"""Every page of allauth that this site has: in our frame, without inline script or style."""

import re

import pytest
from django.urls import NoReverseMatch, get_resolver, reverse

pytestmark = pytest.mark.django_db

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", re.IGNORECASE)
# These open only in the middle of something that this site does not use, or for somebody without a password.
IN_PASSING = {"account_confirm_login_code", "account_set_password"}


def names():
    return sorted(name for name in get_resolver().reverse_dict if isinstance(name, str) and name.startswith("account_"))


def page_of(client, name):
    try:
        address = reverse(name)
    except NoReverseMatch:
        address = reverse(name, kwargs={"uidb36": "1", "key": "spent"} if "from_key" in name else {"key": "spent"})
    return client.get(address)


def test_there_is_something_to_check():
    assert {"account_login", "account_signup", "account_email", "account_reset_password"} <= set(names())


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("signed_in", [False, True])
def test_a_page_stands_in_our_frame_without_inline_script_or_style(client, ada, name, signed_in):
    if signed_in:
        client.force_login(ada)
        ada.emailaddress_set.create(email="ada@example.org", primary=True, verified=False)
    answer = page_of(client, name)
    if answer.status_code == 302:  # not open in this state; the other one draws it
        assert answer.url
        return
    html = answer.content.decode()
    assert answer.status_code == 200
    assert not INLINE.search(html)
    assert html.count("<h1") == 1
    assert 'href="/static/css/app.css"' in html


@pytest.mark.parametrize("name", [name for name in names() if name not in IN_PASSING])
def test_each_page_is_drawn_for_visitors_or_for_people_signed_in(client, ada, name):
    visitor = page_of(client, name).status_code
    client.force_login(ada)
    signed_in = page_of(client, name).status_code
    assert 200 in (visitor, signed_in), (name, visitor, signed_in)


def test_a_person_without_a_password_may_choose_one(client, ada):
    ada.set_unusable_password()
    ada.save(update_fields=["password"])
    client.force_login(ada)
    html = client.get("/accounts/password/set/").content.decode()
    assert "Choose a password" in html
    assert not INLINE.search(html)
