"""The clock's jobs that belong to no other app: sending what is due, and removing what is old."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.deletion import delete_account
from accounts.guests import unused_guests
from notifications.clock import DAILY, register_job
from notifications.models import Message, Notification
from notifications.sending import send_due

KEPT_FOR = timedelta(days=90)


def register_jobs() -> None:
    register_job("send", timedelta(0), send)
    register_job("prune-guests", DAILY, prune_guests)
    register_job("prune-notifications", DAILY, prune_notifications)
    register_job("prune-sessions", DAILY, prune_sessions)


def send(now: datetime) -> str:
    count = send_due(now)
    return ngettext("{count} message tried.", "{count} messages tried.", count).format(count=count) if count else ""


def prune_guests(now: datetime) -> str:
    guests = list(unused_guests(now))
    for guest in guests:
        delete_account(guest)
    return _("Unused guests deleted: {count}.").format(count=len(guests)) if guests else ""


def prune_notifications(now: datetime) -> str:
    """Remove notifications that are older than three months, and messages that nothing refers to any more."""
    old = Notification.objects.filter(made_at__lt=now - KEPT_FOR)
    count = old.count()
    old.delete()
    Message.objects.filter(notifications=None, due_at__lt=now - KEPT_FOR).delete()
    return _("Old notifications deleted: {count}.").format(count=count) if count else ""


def prune_sessions(now: datetime) -> str:
    """Remove sessions that ran out, what was known of their browsers, and the results of tasks that were done weeks ago."""
    call_command("clearsessions", verbosity=0)
    left = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=left).delete()
    call_command("prune_db_task_results", verbosity=0)
    return ""
