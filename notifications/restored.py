"""Messages of a restored site: what waited at the time of the backup may have left since, so it does not leave again."""

from __future__ import annotations

from django.utils import timezone

from notifications.models import Message, Notification


def hold_waiting() -> None:
    """Mark waiting messages as perhaps sent, and leave due notifications on the page alone. Two queries."""
    open_states = [Message.State.WAITING, Message.State.CLAIMED]
    Message.objects.filter(state__in=open_states).update(
        state=Message.State.PERHAPS, settled_at=timezone.now(), why="Restored from a backup."
    )
    Notification.objects.filter(prepared_at=None, due_at__isnull=False).update(due_at=None)
