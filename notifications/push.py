"""Push messages: encrypted for one device, signed with the site's own keys (VAPID), and sent to its push service."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parseaddr
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.outbound import outbound_session
from notifications.fates import Fate, fate_of_request
from notifications.models import Notification, PushDevice

KEPT_SECONDS = 24 * 60 * 60  # by the push service, while the device is off
MOST_LETTERS = 600  # of the text: with any letters it fits into one record


def new_private_key() -> str:
    """Return a new private key as base64url, as `VAPID_PRIVATE_KEY` holds it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


@cache
def public_key(private: str) -> str:
    """Return the public key that browsers subscribe with, as base64url; "" without a private key."""
    if not private:
        return ""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    number = int.from_bytes(base64.urlsafe_b64decode(private + "=" * (-len(private) % 4)), "big")
    key = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return _text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def payload(notifications: Sequence[Notification]) -> dict[str, str]:
    """Return what the device shows: title, text, where a press leads, and a tag that replaces the same one shown before."""
    first, count = notifications[0], len(notifications)
    if count == 1:
        body = first.words
        return {"title": first.title[:200], "body": body[:MOST_LETTERS], "url": first.href, "tag": first.key}
    title = ngettext("{count} notification", "{count} notifications", count).format(count=count)
    body = "\n".join(each.title for each in notifications)
    return {"title": title, "body": body[:MOST_LETTERS], "url": reverse("notification-list"), "tag": "digest"}


class Pusher:
    """The connections to push services for one run."""

    def __init__(self) -> None:
        self._session: Any = None

    def send(self, device: PushDevice | None, notifications: Sequence[Notification]) -> Fate:
        """Send to one device. A device that its push service no longer knows is `is_gone`."""
        if device is None:
            return Fate("refused", _("The device was removed."))
        if not settings.VAPID_PRIVATE_KEY:
            return Fate("refused", _("This site has no keys for push messages."))
        from pywebpush import WebPushException, webpush

        if self._session is None:
            self._session = outbound_session()
        about = {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}}
        contact = parseaddr(settings.DEFAULT_FROM_EMAIL)[1] or "muster-roll@localhost"

        def send() -> Any:
            try:
                return webpush(
                    subscription_info=about,
                    data=json.dumps(payload(notifications), ensure_ascii=False),
                    vapid_private_key=settings.VAPID_PRIVATE_KEY,
                    vapid_claims={"sub": f"mailto:{contact}"},
                    ttl=KEPT_SECONDS,
                    headers={"Urgency": "normal"},
                    requests_session=self._session,
                )
            except WebPushException as error:
                if error.response is None:
                    raise _Unencrypted from error
                return error.response

        try:
            return fate_of_request(send)
        except (_Unencrypted, ValueError):
            return Fate("refused", _("The device's keys can't be used."))

    def close(self) -> None:
        if self._session is not None:
            with suppress(OSError):
                self._session.close()
        self._session = None


class _Unencrypted(Exception):
    """The message could not be encrypted, so nothing was sent."""
