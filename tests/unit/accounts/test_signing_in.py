"""Signing up, in and out, passwords, limits; the demo's buttons."""

import re

import pytest
from django.core import mail

from accounts.models import User
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

STRONG = "lantern-wardens-1916"


def sign_up(client, name, **more):
    return client.post("/accounts/signup/", {"username": name, "password1": STRONG, "email": "", **more})


def test_a_name_and_a_password_are_enough_to_sign_up(client):
    answer = sign_up(client, "ottla")
    assert answer.status_code == 302
    assert User.objects.get().username == "ottla"
    assert client.get("/account/").status_code == 200


def test_nobody_enlists_as_the_double_of_somebody(client, ada):
    assert sign_up(client, "ａｄａ").status_code != 302
    assert sign_up(client, "ADA").status_code != 302
    assert User.objects.count() == 1


def test_an_address_given_at_sign_up_is_confirmed_by_mail(client):
    sign_up(client, "ottla", email="ottla@example.org")
    address = re.search(r"https?://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)[1]
    assert b"Yes, confirm it" in client.get(address).content
    client.post(address)
    assert User.objects.get().emailaddress_set.get().verified


def test_a_mail_server_that_is_down_keeps_nobody_out(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert sign_up(client, "ottla", email="ottla@example.org").status_code == 302
    assert User.objects.filter(username="ottla").exists()


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org"])
def test_one_signs_in_by_name_or_by_address(client, ada, login):
    answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()


def test_twelve_people_behind_one_address_all_get_in(client):
    for number in range(12):
        assert sign_up(client, f"player{number}").status_code == 302
        client.logout()
    assert User.objects.count() == 12


def test_guessing_one_password_is_stopped_even_for_the_right_one(client, ada):
    for number in range(6):
        client.post("/accounts/login/", {"login": "ada", "password": f"guess {number}"})
    answer = client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_forgotten_password_is_replaced_by_the_link_in_a_mail(client, ada):
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    link = re.search(r"http://testserver(\S+)", mail.outbox[0].body)[1]
    form = client.get(link, follow=True)
    assert b"New password" in form.content
    done = client.post(form.redirect_chain[-1][0], {"password1": STRONG, "password2": STRONG}, follow=True)
    assert b"Password changed" in done.content
    assert client.post("/accounts/login/", {"login": "ada", "password": STRONG}).status_code == 302


def test_the_demo_buttons_are_there_in_development(client):
    page = client.get("/accounts/login/").content.decode()
    assert "Development only" in page
    assert "leads The Lantern Wardens" in page


def test_the_demo_buttons_are_gone_in_production(client, ada, settings):
    settings.DEVELOPMENT = False
    assert "Development only" not in client.get("/accounts/login/").content.decode()
    assert client.post("/account/demo-login/", {"name": "ada"}).status_code == 404
    assert "_auth_user_id" not in client.session


def test_a_demo_button_signs_in(client, ada):
    answer = client.post("/account/demo-login/", {"name": "ada", "next": "/account/"})
    assert (answer.status_code, answer.url) == (302, "/account/")
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_a_demo_button_leads_nowhere_outside(client, ada):
    answer = client.post("/account/demo-login/", {"name": "ada", "next": "https://elsewhere.example/"})
    assert answer.url == "/"


def test_only_the_demos_people_have_buttons(client):
    User.objects.create_superuser("root", password=PASSWORD)
    assert client.post("/account/demo-login/", {"name": "root"}).status_code == 404


def test_a_demo_button_without_the_demo_says_what_to_run(client):
    answer = client.post("/account/demo-login/", {"name": "ada"}, follow=True)
    assert b"manage.py demo" in answer.content


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("/join/nowhere/", "?next=%2Fjoin%2Fnowhere%2F"),
        ("/accounts/signup/?next=/join/nowhere/", "?next=%2Fjoin%2Fnowhere%2F"),
        ("/accounts/signup/", ""),
        ("/", ""),
    ],
)
def test_the_way_in_at_the_head_of_a_page_leads_back_to_the_page(client, address, leads):
    assert f'<a class="button" href="/accounts/login/{leads}">Sign in</a>' in client.get(address).content.decode()


def test_an_invitation_survives_a_wrong_password(client):
    User.objects.create_user("ottla", password="cellar-hammer-9")
    form = {"login": "ottla", "password": "wrong", "next": "/join/nowhere/"}
    again = client.post("/accounts/login/", form).content.decode()
    assert '<input type="hidden" name="next" value="/join/nowhere/">' in again
    assert "User name and password don&#x27;t match." in again
    assert client.post("/accounts/login/", {**form, "password": "cellar-hammer-9"}).url == "/join/nowhere/"


def wrong(client, times, login="ada", **extra):
    for number in range(times):
        client.post("/accounts/login/", {"login": login, "password": f"guess {number}"}, **extra)


def signs_in(client, login="ada", **extra):
    answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD}, **extra)
    return answer.status_code == 302


def test_wrong_passwords_elsewhere_keep_nobody_out(client, ada):
    wrong(client, 12, REMOTE_ADDR="203.0.113.5")
    assert not signs_in(client, REMOTE_ADDR="203.0.113.5")
    assert signs_in(client, REMOTE_ADDR="198.51.100.7")


def test_wrong_passwords_from_one_address_are_bounded_for_one_account_by_whatever_name(client, ada):
    wrong(client, 3, "ada")
    wrong(client, 2, "ADA@example.org")
    assert not signs_in(client, "Ada")
    assert not signs_in(client, "ada@example.org")


def test_wrong_passwords_for_one_account_keep_nobody_else_at_that_address_out(client, ada, ben):
    wrong(client, 6)
    assert signs_in(client, "ben")


def test_all_faults_of_a_sign_up_are_told_at_once(client, ada):
    form = {"username": "ada", "password1": "123", "email": "nowhere"}
    errors = client.post("/accounts/signup/", form).context["form"].errors.get_json_data()
    assert {name: [fault["code"] for fault in faults] for name, faults in errors.items()} == {
        "username": ["username_taken"],
        "email": ["invalid"],
        "password1": ["password_too_short", "password_too_common", "password_entirely_numeric"],
    }
    page = client.post("/accounts/signup/", form).content.decode()
    for words in ("already uses that name", "too short", "too common", "entirely numeric"):
        assert words in page


def test_a_password_like_a_name_that_is_refused_is_told_too(client):
    form = {"username": "lantern wardens!", "password1": "lantern wardens", "email": ""}
    errors = client.post("/accounts/signup/", form).context["form"].errors.as_data()
    assert [fault.code for fault in errors["password1"]] == ["password_too_similar"]


def test_a_new_password_has_all_its_faults_told_at_once(client, ada):
    client.force_login(ada)
    form = {"oldpassword": PASSWORD, "password1": "123", "password2": "1234"}
    errors = client.post("/accounts/password/change/", form).context["form"].errors
    assert set(errors) == {"password1", "password2"}
