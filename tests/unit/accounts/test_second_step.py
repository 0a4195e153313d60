"""The second step at sign-in: apps, recovery codes, browsers, notices of changes, and what helps when all is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.guests import new_guest
from accounts.models import SecurityNote, User
from accounts.second_step import SecondStep
from accounts.sessions import device_name
from tests import stories as s
from tests.conftest import PASSWORD
from tests.drills import sampled

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0"


def code_of(secret: str) -> str:
    """The app's code of this half minute, which still counts in the next one."""
    _before, now, _after = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


def signed_in(person: Any, agent: str = FIREFOX) -> Client:
    client = Client(headers={"user-agent": agent})
    answer = client.post(reverse("account_login"), {"login": person.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def with_app(person: Any) -> tuple[Client, str]:
    client = signed_in(person)
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked.url.startswith(reverse("account_reauthenticate"))  # a browser left open is not enough
    client.post(asked.url, {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    secret: str = page.context["form"].secret
    assert client.post(reverse("mfa_activate_totp"), {"code": "000 000"}).status_code == 200
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert answer.url == reverse("mfa_view_recovery_codes")
    return client, secret


def test_with_an_app_the_password_alone_opens_nothing(ada: Any) -> None:
    _client, secret = with_app(ada)
    other = signed_in(ada)
    assert other.get(reverse("account-show")).status_code == 302  # the second step is still to come
    assert "Type the code of your app" in other.get(reverse("mfa_authenticate")).text
    wrong = other.post(reverse("mfa_authenticate"), {"code": "123456"})
    assert "That code isn&#x27;t right" in wrong.text
    kept = Authenticator.objects.get(user=ada, type="totp")
    assert secret not in str(kept.data)
    code = code_of(secret)
    done = other.post(reverse("mfa_authenticate"), {"code": f"{code[:3]} {code[3:]}"})
    assert done.status_code == 302
    assert other.get(reverse("account-show")).status_code == 200


def test_a_recovery_code_signs_in_once(ada: Any) -> None:
    client, _secret = with_app(ada)
    text = client.get(reverse("mfa_download_recovery_codes")).text
    codes = re.findall(r"^\d{8}$", text, re.M)
    assert len(codes) == 10
    first = signed_in(ada)
    assert first.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 302
    assert first.get(reverse("account-show")).status_code == 200
    second = signed_in(ada)
    assert second.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 200
    assert second.get(reverse("account-show")).status_code == 302


def test_after_five_wrong_codes_the_right_one_waits(ada: Any) -> None:
    _client, secret = with_app(ada)
    other = signed_in(ada)
    for _attempt in range(6):
        answer = other.post(reverse("mfa_authenticate"), {"code": "123456"})
    assert "Try again in five minutes" in answer.text
    assert other.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 200


def test_secrets_outlive_a_new_key_of_the_site_but_not_its_loss(settings: Any) -> None:
    kept = SecondStep().encrypt("JBSWY3DPEHPK3PXP")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key of the site, quite long"
    assert SecondStep().decrypt(kept) == "JBSWY3DPEHPK3PXP"
    settings.SECRET_KEY_FALLBACKS = []
    lost = {SecondStep().decrypt(kept) for _time in range(3)}
    assert len(lost) == 3
    assert "" not in lost


def test_every_change_is_told_by_mail_and_at_the_next_sign_in(
    ada: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        client, _secret = with_app(ada)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_deactivate_totp"))
        answer = client.post(
            reverse("account_change_password"),
            {"oldpassword": PASSWORD, "password1": "an-even-longer-one", "password2": "an-even-longer-one"},
        )
    assert answer.status_code == 302
    kinds = [note.kind for note in SecurityNote.objects.filter(user=ada).order_by("pk")]
    assert kinds == ["app-added", "app-removed", "password"]
    assert [message.subject for message in mail.outbox] == ["Muster Roll: A change to how you sign in"] * 3
    assert "Your password was changed." in mail.outbox[-1].body
    assert client.get(reverse("account-show")).text.count("Your password was changed.") == 1
    fresh = Client()
    page = fresh.post(
        reverse("account_login"), {"login": ada.username, "password": "an-even-longer-one"}, follow=True
    ).text
    assert "Your password was changed." in page
    again = Client().post(
        reverse("account_login"), {"login": ada.username, "password": "an-even-longer-one"}, follow=True
    )
    assert "Your password was changed." not in again.text


def test_a_password_set_on_the_console_is_told_but_a_first_one_is_not(ada: Any) -> None:
    assert not SecurityNote.objects.exists()
    person = User.objects.get(pk=ada.pk)
    person.set_password("from the console, and long")
    person.save()
    person.first_name = "Ada"
    person.save()
    assert [note.kind for note in person.security_notes.all()] == ["password"]


def test_a_better_hash_is_no_new_password(ada: Any, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    signed_in(ada)
    assert User.objects.get(pk=ada.pk).password.startswith("pbkdf2")
    assert not SecurityNote.objects.exists()


def test_browsers_are_listed_and_signed_out_one_by_one_or_all(ada: Any, ben: Any) -> None:
    here, there, third = signed_in(ada), signed_in(ada, EDGE), signed_in(ada)
    theirs = signed_in(ben)
    lines = here.get(reverse("usersessions_list")).context["lines"]
    assert [line.is_here for line in lines] == [True, False, False]
    assert {line.device for line in lines} == {"Firefox, Linux", "Edge, Windows"}
    edge = next(line for line in lines if line.device == "Edge, Windows")
    assert "signed out already" in theirs.post(reverse("usersessions_list"), {"row": edge.pk}, follow=True).text
    assert there.get(reverse("account-show")).status_code == 200
    assert "1 browser signed out" in here.post(reverse("usersessions_list"), {"row": edge.pk}, follow=True).text
    assert there.get(reverse("account-show")).status_code == 302
    assert here.post(reverse("usersessions_list"), {"row": "many"}).status_code == 422
    here.post(reverse("usersessions_list"), {"row": "others"})
    assert third.get(reverse("account-show")).status_code == 302
    assert here.get(reverse("account-show")).status_code == 200
    assert theirs.get(reverse("account-show")).status_code == 200


def test_a_session_from_before_the_list_is_shown(ada: Any) -> None:
    client = Client(headers={"user-agent": "a robot"})
    client.force_login(ada)
    lines = client.get(reverse("usersessions_list")).context["lines"]
    assert [(line.is_here, line.device) for line in lines] == [(True, "Unknown browser")]
    assert device_name(EDGE) == "Edge, Windows"


def test_the_site_owner_turns_a_lost_second_step_off_with_a_reason(ada: Any, ben: Any) -> None:
    with_app(ada)
    User.objects.filter(pk=ben.pk).update(is_staff=True)
    owner, where = signed_in(ben), reverse("person-show", args=[ada.pk])
    assert "Turn off their second step" in owner.get(where).text
    assert owner.post(where, {"act": "end-second-step", "reason": " ", "token": "one"}).status_code == 422
    assert Authenticator.objects.filter(user=ada).exists()
    answer = owner.post(where, {"act": "end-second-step", "reason": "Lost her phone, I called her", "token": "two"})
    assert answer.status_code == 302
    page = signed_in(ada).get(reverse("account-show")).text
    assert "Your second step was turned off. ben did it. “Lost her phone, I called her”" in page
    assert owner.post(where, {"act": "end-second-step", "reason": "Again", "token": "three"}).status_code == 422


def test_a_guest_sets_up_no_second_step(client: Client) -> None:
    client.force_login(new_guest())
    for name in ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "usersessions_list"):
        assert client.get(reverse(name)).status_code == 302, name
    assert not Authenticator.objects.exists()


def as_guest(ada: Any) -> tuple[Client, Any, str]:
    """A guest with a warband who gave Ada's password, and what her app is set up with."""
    _client, secret = with_app(ada)
    client, guest = Client(), new_guest()
    client.force_login(guest)
    warband = s.found(guest, name="The Turf Cutters")
    form = {"act": "sign-in", "old-login": ada.username, "old-password": PASSWORD}
    onward = client.post(reverse("account-keep"), {**form, "next": reverse("warband-show", args=[warband.pk])})
    assert onward.url == reverse("mfa_authenticate")
    return client, warband, secret


def test_a_guests_warbands_go_along_once_the_second_step_is_passed(ada: Any) -> None:
    client, warband, secret = as_guest(ada)
    assert "Type the code of your app" in client.get(reverse("mfa_authenticate")).text
    assert client.post(reverse("mfa_authenticate"), {"code": "123456"}).status_code == 200
    assert not ada.warbands.exists()
    done = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert done.url == reverse("warband-show", args=[warband.pk])
    assert list(ada.warbands.all()) == [warband]
    assert not User.objects.filter(is_guest=True).exists()
    assert client.get(done.url).status_code == 200
    assert client.get(reverse("account-show")).status_code == 200


def test_a_guest_who_stops_at_the_second_step_keeps_the_warbands_and_may_go_back_to_it(ada: Any) -> None:
    client, warband, secret = as_guest(ada)
    assert client.get(reverse("warband-show", args=[warband.pk])).status_code == 200
    warband.refresh_from_db()
    assert warband.owner.is_guest
    assert not ada.warbands.exists()
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert list(ada.warbands.all()) == [warband]


def test_a_sign_in_that_waits_is_not_taken_over_by_who_begins_as_a_guest(ada: Any) -> None:
    _client, secret = with_app(ada)
    other = signed_in(ada)
    assert other.post("/warbands/new/", {"name": "The Turf Cutters"}).status_code == 302
    other.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not ada.warbands.exists()
    assert User.objects.get(is_guest=True).warbands.count() == 1


def hostile_answers() -> Iterator[str]:
    """What a script may send in place of a key's answer."""
    part = "AAAA"
    names = ("clientDataJSON", "authenticatorData", "signature", "userHandle", "attestationObject")
    whole = {"id": part, "rawId": part, "type": "public-key", "response": dict.fromkeys(names, part)}
    yield from ("", "{", "null", "[]", "1", '"x"', "{}", "[" * 3000, json.dumps(whole), "x" * 70_000)
    wrong = (None, 1, [], {}, "x", "é", "=" * 10, "MQ", "e30", part * 1000)
    for value in wrong:
        yield from (json.dumps({**whole, name: value}) for name in whole)
        yield from (json.dumps({**whole, "response": {**whole["response"], name: value}}) for name in names)  # type: ignore[dict-item]


def test_whatever_is_sent_in_place_of_a_key_gets_an_answer(ada: Any) -> None:
    visitor = Client()
    mine, _secret = with_app(ada)
    half_way = signed_in(ada)
    for client, name in (
        (visitor, "mfa_login_webauthn"),
        (mine, "mfa_add_webauthn"),
        (mine, "mfa_reauthenticate_webauthn"),
        (half_way, "mfa_authenticate"),
    ):
        for answer in sampled(hostile_answers(), 20):
            cache.clear()  # the limits of an address and an account
            client.get(reverse(name), headers={"accept": "application/json"})  # so that an answer is awaited
            assert client.post(reverse(name), {"credential": answer, "name": "x"}).status_code in (200, 302), answer[
                :99
            ]
    assert visitor.get(reverse("account-show")).status_code == 302
    assert half_way.get(reverse("account-show")).status_code == 302
    assert not Authenticator.objects.filter(user=ada, type=Authenticator.Type.WEBAUTHN).exists()


def test_a_leaked_password_is_refused_where_the_site_owner_asks_for_it(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only five characters of its hash are sent. While the service is silent, the list of common ones decides."""
    import httpx
    from pwned_passwords_django import api

    asked = []

    def answer(self: Any, url: str, **_how: Any) -> httpx.Response:
        asked.append(url)
        request = httpx.Request("GET", url)
        if len(asked) > 1:
            raise httpx.ConnectError("no line", request=request)
        return httpx.Response(
            200, text="6F6F2A11D6C9B9B1B7B9A3F3F6A3C1B2D9E:3\r\n" + suffix + ":120\r\n", request=request
        )

    import hashlib

    digest = hashlib.sha1(b"a-leaked-password-77", usedforsecurity=False).hexdigest().upper()
    suffix = digest[5:]
    monkeypatch.setattr(httpx.Client, "get", answer)
    settings.AUTH_PASSWORD_VALIDATORS = [
        *settings.AUTH_PASSWORD_VALIDATORS,
        {"NAME": "accounts.validators.LeakedPasswordValidator"},
    ]
    form = {"username": "newcomer", "password1": "a-leaked-password-77"}
    page = client.post(reverse("account_signup"), form)
    assert "known from a leak" in page.text
    assert set(asked) == {f"{api.PwnedPasswords.api_endpoint}{digest[:5]}"}
    assert client.post(reverse("account_signup"), {**form, "password1": "a-quite-unheard-of-one"}).status_code == 302
