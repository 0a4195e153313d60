"""A push message on a device, handed to its worker through the browser's debugging protocol; and the button that adds the device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from notifications.models import Notification, PushDevice
from notifications.push import payload
from tests.browser.answered import close
from tests.conftest import PHONE
from tests.local_services import BrowserKeys

pytestmark = pytest.mark.django_db(transaction=True)

# Chromium asks Google for a subscription, which tests must not need. What it would answer stands here.
SUBSCRIBES = """(sent) => {
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async function (options) {
        window.askedWith = [options.userVisibleOnly, options.applicationServerKey.length];
        return { toJSON: () => sent };
    };
}"""


@pytest.fixture
def page(browser: Any, live_server: Any, ada: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Ada's phone, which lets the site notify her."""
    monkeypatch.setattr("config.offline.HashedStatic", StaticFilesStorage)
    context = browser.new_context(base_url=live_server.url, viewport={"width": PHONE, "height": 740})
    context.grant_permissions(["notifications"], origin=live_server.url)
    client = Client()
    client.force_login(ada)
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    yield context.new_page()
    close(context)


def delivered(page: Any, data: str) -> None:
    """Hand a decrypted push message to the worker of the site."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def seen(event: dict[str, Any]) -> None:
        found.extend(each["registrationId"] for each in event["registrations"] if not each["isDeleted"])

    session.on("ServiceWorker.workerRegistrationUpdated", seen)
    session.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        page.wait_for_timeout(50)
    address = urlsplit(page.url)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": f"{address.scheme}://{address.netloc}", "registrationId": found[-1], "data": data},
    )


# A browser without windows shows no notifications: the worker's calls are kept where it would make one.
KEEPS = """() => {
    self.told = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
        self.told.push({ title, body, tag, url: data.url });
    };
}"""
PRESSES = """async (url) => {
    const opened = [], closed = [];
    self.clients.openWindow = async (to) => { opened.push(to); };
    const press = new ExtendableEvent("notificationclick");
    press.notification = { data: { url }, close: () => closed.push(true) };
    self.dispatchEvent(press);
    await new Promise((later) => setTimeout(later, 300));
    return [opened, closed.length];
}"""


def shown(page: Any, count: int) -> list[dict[str, str]]:
    """What the worker showed, once it is so much."""
    (worker,) = page.context.service_workers
    for _ in range(100):
        found: list[dict[str, str]] = worker.evaluate("self.told")
        if len(found) == count:
            return found
        page.wait_for_timeout(50)
    raise AssertionError("The device did not show it.")


def test_a_device_is_added_shows_what_it_is_sent_and_leads_to_its_page(page: Any, ada: Any) -> None:
    keys = BrowserKeys()
    sent = {"endpoint": "https://fcm.googleapis.com/x", "keys": {"p256dh": keys.p256dh, "auth": keys.auth}}
    page.goto(reverse("notification-list"))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.evaluate(SUBSCRIBES, sent)
    with page.expect_navigation():
        page.get_by_role("button", name="Notify me on this device").click()
    expect(page.get_by_text("This device is added.")).to_be_visible()
    made = PushDevice.objects.get(user=ada)
    assert made.endpoint == sent["endpoint"]
    expect(page.get_by_role("button", name=f"Remove {made.name}")).to_be_visible()

    told = Notification(title="Confirm by Tuesday", words="Ben reported Łódź.", href="/battles/7/", key="confirm:7:1")
    (worker,) = page.context.service_workers
    worker.evaluate(KEEPS)
    delivered(page, json.dumps(payload([told])))
    site = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    assert shown(page, 1) == [
        {"title": told.title, "body": told.words, "tag": told.key, "url": f"{site}/battles/7/"},
    ]
    delivered(page, json.dumps({"title": "Else", "url": "https://evil.example/"}))
    delivered(page, "no JSON")
    assert [each["url"] for each in shown(page, 3)] == [f"{site}/battles/7/", f"{site}/", f"{site}/"]

    assert worker.evaluate(PRESSES, f"{site}/battles/7/") == [[f"{site}/battles/7/"], 1]
