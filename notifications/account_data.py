"""The notifications that the site keeps of a person: in the account export, and deleted with the account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accounts.data import AppData
from accounts.models import User
from notifications.models import Message, Notification, NotificationSettings, PushDevice


class NotificationData(AppData):
    name = "notifications"

    def exports(self, user: User) -> Mapping[str, Any]:
        return {"notifications": export_notifications(user)}

    def delete_own(self, user: User) -> None:
        """Delete everything, also where the row of the account stays."""
        for model in (Message, Notification, NotificationSettings, PushDevice):
            model._base_manager.filter(user=user).delete()


def export_notifications(user: User) -> dict[str, Any]:
    """Return what a person was told, how it left, their choices and their devices. Five queries."""
    settings = NotificationSettings.objects.filter(user=user).first()
    return {
        "at_once": bool(settings and settings.at_once),
        "channels": dict(settings.channels) if settings else {},
        "devices": [
            {"name": device.name, "endpoint": device.endpoint, "added": device.added_at}
            for device in user.push_devices.all()
        ],
        "told": [
            {
                "kind": each.kind,
                "title": each.title,
                "words": each.words,
                "made": each.made_at,
                "seen": each.seen_at,
                "channel": each.channel,
                "sent": [
                    {"channel": message.channel, "state": message.state, "at": message.settled_at}
                    for message in each.sent_in.all()
                ],
            }
            for each in user.notifications.prefetch_related("sent_in").order_by("pk")
        ],
    }
