"""How word reaches people: by their choices, at most once, with what became of it told, and stopped with one press."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.deletion import delete_account
from accounts.export import exported_data
from config.outbound import OutboundRefused, is_discord_address, is_public, is_push_address, outbound_session
from config.secret_keys import fault_of_push_key
from notifications.clock import RETRY, register_job, run_due
from notifications.models import ClockJob, Message, Notification, NotificationSettings, PushDevice
from notifications.push import new_private_key, public_key
from notifications.sending import CLAIM_FOR, claim, send_due
from notifications.services import (
    PersonTold,
    add_device,
    channel_for,
    choose,
    next_digest,
    notify,
    reachable,
    send_test,
    stop_link,
)
from rules.problems import Refusal
from tests.local_services import BrowserKeys, LocalService
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db


def tell(user: Any, kind: str = "reminder", key: str = "one", **how: Any) -> None:
    """Tell somebody something; a reminder leaves at once."""
    now = how.pop("now", None)
    what = {"title": f"About {key}", "words": "It is open.", "href": "/", **how}
    notify([PersonTold(user=user.pk, kind=kind, key=key, **what)], now)


def confirmed(user: Any) -> Any:
    """A person whose address is confirmed."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def states(user: Any) -> list[str]:
    return list(Message.objects.filter(user=user).values_list("state", flat=True))


@pytest.fixture
def keys() -> BrowserKeys:
    return BrowserKeys()


def device(user: Any, keys: BrowserKeys, endpoint: str = "https://fcm.googleapis.com/fcm/send/abc") -> PushDevice:
    return add_device(user, endpoint=endpoint, p256dh=keys.p256dh, auth=keys.auth, name="Firefox, Android")


# --- e-mail ---------------------------------------------------------------------------------------------------------------


def test_what_is_told_twice_is_told_once_and_leaves_as_one_digest_a_day(ada: Any) -> None:
    confirmed(ada)
    now = timezone.now()
    for key in ("one", "two", "one"):
        tell(ada, "paired", key, now=now)
    assert send_due(now + timedelta(seconds=1)) == 0  # the digest has its hour
    later = next_digest(now)
    assert send_due(later) == 1
    assert send_due(later + timedelta(hours=1)) == 0
    (sent,) = mail.outbox
    assert sent.to == [ada.email]
    assert "2 notifications" in sent.subject
    assert "About one" in sent.body
    assert "About two" in sent.body
    assert "https://club.example/" in sent.body
    assert states(ada) == ["sent"]


def test_a_reminder_waits_for_no_digest(ada: Any) -> None:
    confirmed(ada)
    tell(ada)
    assert send_due() == 1
    assert "About one" in mail.outbox[0].subject


def test_nobody_writes_to_an_address_that_was_not_confirmed(ada: Any) -> None:
    EmailAddress.objects.create(user=ada, email=ada.email, verified=False, primary=True)
    tell(ada)
    assert send_due() == 0
    assert Notification.objects.get(user=ada).channel == "desk"


def test_one_press_stops_e_mails_without_signing_in(ada: Any) -> None:
    confirmed(ada)
    tell(ada)
    send_due()
    (sent,) = mail.outbox
    stop = sent.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://club.example")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    visitor = Client(enforce_csrf_checks=True)
    assert visitor.get(stop).status_code == 200
    tell(ada, key="two")
    assert channel_for(reachable([ada.pk]).get(), "reminder") == "email"  # looking stops nothing
    assert visitor.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert send_due() == 0  # what waited is not sent either
    assert {channel_for(reachable([ada.pk]).get(), kind) for kind in ("paired", "reminder")} == {"desk"}
    assert visitor.get(stop[:-3] + "xxx/").status_code == 404


def test_one_kind_is_stopped_alone(ada: Any) -> None:
    confirmed(ada)
    Client().post(stop_link(ada.pk, "paired"), {"press": "kind"})
    person = reachable([ada.pk]).get()
    assert [channel_for(person, kind) for kind in ("paired", "confirm")] == ["desk", "email"]


def test_only_a_certain_refusal_is_tried_again_and_no_address_is_logged(
    ada: Any, ben: Any, cleo: Any, dora: Any, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    answers = {"ada": "250 ok", "ben": "451 later", "cleo": "550 nobody here", "dora": "drop"}
    with MailServer(lambda address: answers[address.partition("@")[0]]) as server, caplog.at_level(logging.DEBUG):
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        for user in (ada, ben, cleo, dora):
            tell(confirmed(user))
        assert send_due() == 4
        assert [states(user) for user in (ada, ben, cleo, dora)] == [["sent"], ["waiting"], ["refused"], ["perhaps"]]
        answers["ben"] = "250 ok"
        assert send_due() == 0  # not yet
        assert send_due(timezone.now() + timedelta(minutes=2)) == 1
        assert states(ben) == ["sent"]
        assert sorted(each["To"] for each in server.mails) == sorted(user.email for user in (ada, ben, dora))
    assert "@" not in caplog.text
    page = Client()
    page.force_login(dora)
    assert "Perhaps sent" in page.get(reverse("notification-list")).content.decode()


def test_a_mail_server_that_is_down_gets_everything_later(ada: Any, ben: Any, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with MailServer() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
    for user in (ada, ben):
        tell(confirmed(user))
    assert send_due() == 1  # one try tells that it is down
    assert {*states(ada), *states(ben)} == {"waiting"}


def test_a_claim_that_nobody_settles_is_perhaps_sent_and_never_sent_again(ada: Any) -> None:
    confirmed(ada)
    tell(ada)
    send_due()
    message = Message.objects.get()
    Message.objects.update(state="waiting")
    assert claim(message.pk) is not None
    assert claim(message.pk) is None  # nobody else
    assert send_due(timezone.now() + timedelta(minutes=1)) == 0
    send_due(timezone.now() + CLAIM_FOR + timedelta(seconds=1))
    assert states(ada) == ["perhaps"]
    assert send_due(timezone.now() + timedelta(days=9)) == 0
    assert len(mail.outbox) == 1


def test_making_messages_asks_no_more_for_forty_people_than_for_one(
    ada: Any, django_assert_max_num_queries: Any
) -> None:
    from tests.conftest import person

    people = [confirmed(person(f"p{number}")) for number in range(40)]
    told = [PersonTold(user.pk, "paired", "k", "T", "", "/") for user in people]
    with django_assert_max_num_queries(2):
        notify(told)
    from notifications.sending import prepare

    with django_assert_max_num_queries(13):
        assert prepare(timezone.now() + timedelta(days=2)) == 40


# --- push -----------------------------------------------------------------------------------------------------------------


def test_a_push_message_is_read_by_its_device_alone_and_signed_by_the_site(
    ada: Any, keys: BrowserKeys, settings: Any
) -> None:
    import base64
    import json

    from py_vapid import Vapid02

    with LocalService() as service:
        settings.OUTBOUND_LOCAL = (service.url,)
        device(ada, keys, f"{service.url}send/ada")
        tell(ada, title="Cleo reminds you: Łódź", words="Confirm by Tuesday.", href="/battles/7/")
        assert send_due() == 1
    (asked,) = service.asked
    assert states(ada) == ["sent"]
    assert keys.read(asked.body) == {
        "title": "Cleo reminds you: Łódź",
        "body": "Confirm by Tuesday.",
        "url": "/battles/7/",
        "tag": "one",
    }
    assert b"Tuesday" not in asked.body
    assert asked.headers["content-encoding"] == "aes128gcm"
    assert int(asked.headers["ttl"]) > 3600
    assert Vapid02.verify(asked.headers["authorization"])
    claims = asked.headers["authorization"].partition("t=")[2].split(",")[0].split(".")[1]
    told = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert told["aud"] == service.url.rstrip("/")
    assert told["sub"].startswith("mailto:")
    assert public_key(settings.VAPID_PRIVATE_KEY) in asked.headers["authorization"]


def test_a_device_that_is_gone_is_forgotten_and_a_busy_service_is_asked_later(
    ada: Any, keys: BrowserKeys, settings: Any
) -> None:
    with LocalService((429, {"Retry-After": "120"}, b""), (410, {}, b"")) as service:
        settings.OUTBOUND_LOCAL = (service.url,)
        device(ada, keys, f"{service.url}send/ada")
        tell(ada)
        send_due()
        assert states(ada) == ["waiting"]
        assert send_due(timezone.now() + timedelta(seconds=100)) == 0
        assert send_due(timezone.now() + timedelta(seconds=130)) == 1
    assert states(ada) == ["refused"]
    assert not PushDevice.objects.exists()


def test_a_service_that_goes_silent_gets_nothing_twice(ada: Any, keys: BrowserKeys, settings: Any) -> None:
    with LocalService((0, {}, b"")) as service:
        settings.OUTBOUND_LOCAL = (service.url,)
        device(ada, keys, f"{service.url}send/ada")
        tell(ada)
        send_due()
        send_due(timezone.now() + timedelta(days=3))
    assert len(service.asked) == 1
    assert states(ada) == ["perhaps"]


def test_no_redirect_is_followed(ada: Any, keys: BrowserKeys, settings: Any) -> None:
    with LocalService() as elsewhere, LocalService((307, {"Location": elsewhere.url}, b"")) as service:
        settings.OUTBOUND_LOCAL = (service.url, elsewhere.url)
        device(ada, keys, f"{service.url}send/ada")
        tell(ada)
        send_due()
    assert elsewhere.asked == []
    assert states(ada) == ["refused"]


REFUSED = (
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/x",
    "https://ada@fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilnotify.windows.com/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://fcm.googleapis.com\\@evil.example/x",
    "file:///etc/passwd",
    "https://discord.com.evil.example/api/webhooks/1/x",
    "https://cdn.discord.com/api",
    "//discord.com/",
    "https://fcm.googleapis.com:99999/x",
    "",
)


def test_the_server_calls_known_push_services_and_discord_alone() -> None:
    for host in (
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "db5p.notify.windows.com",
        "web.push.apple.com",
    ):
        assert is_push_address(f"https://{host}/x")
    assert is_discord_address("https://discord.com/api/webhooks/1/x")
    session = outbound_session()
    for address in REFUSED:
        assert not is_push_address(address), address
        assert not is_discord_address(address), address
        with pytest.raises(OutboundRefused):
            session.post(address)


def test_a_name_that_leads_into_a_private_network_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_public("142.250.74.10")
    for ip in ("127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "100.64.0.1", "::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "224.0.0.1", "0.0.0.0"):  # fmt: skip
        assert not is_public(ip), ip
    with LocalService() as service:
        port = service.server.server_port
        found = __import__("socket").getaddrinfo("127.0.0.1", port, type=1)
        monkeypatch.setattr("socket.getaddrinfo", lambda *args, **how: found)
        with pytest.raises(OutboundRefused):
            outbound_session().post("https://discord.com/api/webhooks/1/x")
    assert service.asked == []


def test_keys_that_are_none_are_refused(ada: Any, keys: BrowserKeys) -> None:
    good = {"endpoint": "https://fcm.googleapis.com/x", "p256dh": keys.p256dh, "auth": keys.auth, "name": "A"}
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AA"}, {"p256dh": "¤" * 87}, {"endpoint": "https://10.0.0.1/x"}):
        with pytest.raises(Refusal):
            add_device(ada, **{**good, **wrong})
    for number in range(10):
        add_device(ada, **{**good, "endpoint": f"https://fcm.googleapis.com/{number}"})
    with pytest.raises(Refusal):
        add_device(ada, **good)


def test_a_browser_belongs_to_whoever_added_it_last(ada: Any, ben: Any, keys: BrowserKeys) -> None:
    device(ada, keys)
    device(ben, keys)
    assert [each.user for each in PushDevice.objects.all()] == [ben]


def test_a_site_key_is_made_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_keys")
    made = capsys.readouterr().out.strip().removeprefix("VAPID_PRIVATE_KEY=")
    assert fault_of_push_key(made) == fault_of_push_key("") == fault_of_push_key(new_private_key()) == ""
    assert len(public_key(made)) == 87
    for wrong in ("secret", "A" * 43, "_" * 43, "¤"):
        assert fault_of_push_key(wrong)


# --- the page -------------------------------------------------------------------------------------------------------------


def test_choices_are_kept_and_what_waits_follows_them(ada: Any, keys: BrowserKeys) -> None:
    confirmed(ada)
    device(ada, keys)
    tell(ada, "paired")
    assert Notification.objects.get().channel == "push"
    client = Client()
    client.force_login(ada)
    page = client.get(reverse("notification-list")).context["page"]
    sent = {f"kind-{choice.key}": "email" for choice in page.choices}
    assert client.post(reverse("notification-list"), {**sent, "pace": "hourly", "press": "save"}).status_code == 422
    assert client.post(reverse("notification-list"), {**sent, "pace": "at-once", "press": "save"}).status_code == 302
    assert send_due() == 1
    assert len(mail.outbox) == 1


def test_a_device_is_added_and_removed_from_the_page(ada: Any, ben: Any, keys: BrowserKeys) -> None:
    client, other = Client(), Client()
    client.force_login(ada)
    other.force_login(ben)
    what = {"endpoint": "https://web.push.apple.com/abc", "keys": {"p256dh": keys.p256dh, "auth": keys.auth}}
    where = reverse("device-add")
    assert client.post(where, {**what, "name": "iPhone"}, content_type="application/json").status_code == 200
    made = PushDevice.objects.get()
    for wrong in ("{", "[]", "null", '{"endpoint": 1, "keys": {}}', '{"endpoint": "https://x", "keys": {"p256dh": "", "auth": ""}}'):  # fmt: skip
        assert client.post(where, wrong, content_type="application/json").status_code == 422
    other.post(reverse("notification-list"), {"press": f"remove-{made.pk}"})
    assert PushDevice.objects.exists()  # only one's own
    client.post(reverse("notification-list"), {"press": f"remove-{made.pk}"})
    assert not PushDevice.objects.exists()


def test_a_persons_data_holds_it_and_the_account_takes_it_away(ada: Any, keys: BrowserKeys) -> None:
    confirmed(ada)
    device(ada, keys)
    choose(ada, channels={"paired": "push"}, at_once=True)
    tell(ada, "paired")
    send_test(ada)
    data = exported_data(ada)["notifications"]
    assert data["devices"][0]["endpoint"] == "https://fcm.googleapis.com/fcm/send/abc"
    assert "About one" in [each["title"] for each in data["told"]]
    assert delete_account(ada) == []
    for model in (Notification, Message, NotificationSettings, PushDevice):
        assert not model.objects.exists()


# --- the clock ------------------------------------------------------------------------------------------------------------


def test_a_job_runs_once_in_its_time_and_one_that_fails_is_tried_again_soon(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ran: list[str] = []

    def fails(now: Any) -> str:
        ran.append("fails")
        raise ValueError("no")

    monkeypatch.setattr("notifications.clock._jobs", {})
    register_job("works", timedelta(hours=1), lambda now: ran.append("works") or "done")
    register_job("fails", timedelta(hours=1), fails)
    now = timezone.now()
    assert run_due(now) == [("works", "done")]
    assert run_due(now + timedelta(minutes=1)) == []
    run_due(now + RETRY)
    assert ran == ["fails", "works", "fails"]
    assert ClockJob.objects.count() == 2
    assert "The job fails failed" in caplog.text


def test_the_clock_brings_everything_that_has_its_hour_under_one_command(ada: Any) -> None:
    confirmed(ada)
    tell(ada)
    call_command("clock", verbosity=0)
    assert len(mail.outbox) == 1
    names = set(ClockJob.objects.values_list("name", flat=True))
    assert names >= {"send", "confirm-silent", "house-rules", "deadlines", "prune-guests", "prune-booklets"}
    assert connection.in_atomic_block
