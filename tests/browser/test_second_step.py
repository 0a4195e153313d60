"""Second steps in the browser: a passkey of a virtual device, an app's code, and the list of browsers."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.urls import reverse
from playwright.sync_api import expect

from tests.conftest import PASSWORD

REFUSED = re.compile(r"That key (isn't one of yours, or it took too long|could not be read)\. Try again\.")

pytestmark = pytest.mark.django_db(transaction=True)


def with_device(page: Any) -> Any:
    """Give the page a device that holds passkeys and always says yes."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    line.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return line


def confirm(page: Any) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def altering(part: str, broken: list[str]) -> Callable[[Any], None]:
    """Pass requests on, with one bit of this part of a key's answer turned. `broken` gets the part each time."""

    def pass_on(route: Any) -> None:
        sent = dict(parse_qsl(route.request.post_data or "", keep_blank_values=True))
        if route.request.method != "POST" or not sent.get("credential"):
            route.continue_()
            return
        answer = json.loads(sent["credential"])
        raw = bytearray(urlsafe_b64decode(answer["response"][part] + "=="))
        raw[-1 if part != "clientDataJSON" else raw.index(b'"challenge":"') + 20] ^= 1
        answer["response"][part] = urlsafe_b64encode(raw).decode().rstrip("=")
        broken.append(part)
        route.continue_(post_data=urlencode({**sent, "credential": json.dumps(answer)}))

    return pass_on


def refuse_broken_signatures(page: Any, ada: Any, site: str) -> None:
    """Everything about the key's answer is right but for one bit: of the signature, of what is signed, or of the challenge in it."""
    for part in ("signature", "authenticatorData", "clientDataJSON"):
        broken: list[str] = []
        page.route("**/accounts/**", altering(part, broken))
        page.context.clear_cookies()
        page.goto(site + reverse("account_login"))
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_text(REFUSED)).to_be_visible()
        page.goto(site + reverse("account_login"))
        page.get_by_label("User name or e-mail").fill(ada.username)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("button", name="Use a passkey or security key").click()
        expect(page.get_by_text(REFUSED)).to_be_visible()
        assert broken == [part, part]
        page.goto(site + reverse("account-show"))
        expect(page.get_by_role("heading", name="Second step")).to_be_visible()
        page.unroute("**/accounts/**")


def test_a_passkey_is_added_named_and_signs_in_without_a_password(
    ada: Any, live_server: Any, open_page: Callable[..., Any], axe: Callable[..., None]
) -> None:
    page = open_page(ada)
    line = with_device(page)
    page.goto(live_server.url + reverse("mfa_index"))
    axe(page)
    page.get_by_role("link", name="Add a key").click()
    confirm(page)
    page.get_by_label("Name").fill("Ada's phone")
    page.get_by_label("Sign in with it alone").check()
    axe(page)
    page.get_by_role("button", name="Add a key").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.locator("main code")).to_have_count(10)
    axe(page)
    kept = Authenticator.objects.get(user=ada, type=Authenticator.Type.WEBAUTHN)
    assert kept.data["name"] == "Ada's phone"
    page.goto(live_server.url + reverse("mfa_list_webauthn"))
    expect(page.get_by_text("Passkey, added on")).to_be_visible()
    axe(page)

    page.context.clear_cookies()
    page.goto(live_server.url + reverse("account_login"))
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(live_server.url + "/")
    page.goto(live_server.url + reverse("account-show"))
    expect(page.get_by_text("A passkey or security key was added.")).to_be_visible()

    page.context.clear_cookies()
    page.goto(live_server.url + reverse("account_login"))
    page.get_by_label("User name or e-mail").fill(ada.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Use a passkey or security key").click()
    page.wait_for_url(live_server.url + "/")

    refuse_broken_signatures(page, ada, live_server.url)

    page.context.clear_cookies()
    line.send("WebAuthn.disable")  # the phone is lost
    line.send("WebAuthn.enable")
    page.goto(live_server.url + reverse("account_login"))
    page.get_by_label("User name or e-mail").fill(ada.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    [code, *_more] = Authenticator.objects.get(user=ada, type="recovery_codes").wrap().get_unused_codes()
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(live_server.url + "/")


def test_an_app_is_set_up_and_another_browser_signed_out(
    ada: Any, live_server: Any, open_page: Callable[..., Any], axe: Callable[..., None]
) -> None:
    page = open_page(ada, dark=True)
    page.goto(live_server.url + reverse("account-show"))
    page.get_by_role("link", name="Second step and passkeys").click()
    page.get_by_role("link", name="Add an app").click()
    confirm(page)
    axe(page)
    secret = page.locator("main code").inner_text()
    _before, now, _after = yield_hotp_counters_from_time()
    code = format_hotp_value(hotp_value(secret, now))
    page.get_by_label("Code that the app shows").fill(code)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto(live_server.url + reverse("usersessions_list"))
    expect(page.get_by_text("This browser", exact=True)).to_be_visible()
    axe(page)
