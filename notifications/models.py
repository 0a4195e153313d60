"""The models of notifications: what a person is told, how it leaves, to which devices, and when the clock ran its jobs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class Channel(models.TextChoices):
    EMAIL = "email", gettext_lazy("E-mail")
    PUSH = "push", gettext_lazy("My devices")
    DESK = "desk", gettext_lazy("Only here")


class NotificationSettings(models.Model):
    """A person's choices. `channels` maps kinds to channels; kinds that are missing take the default."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notification_settings"
    )
    at_once = models.BooleanField(default=False)
    channels = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return _("Notification settings of {user}").format(user=self.user)


class PushDevice(models.Model):
    """A browser that takes push messages. `endpoint` is the secret address at its push service, `digest` its SHA-256.

    `p256dh` and `auth` are the browser's public key and secret, as base64url. What is sent there can only be read by it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices")
    name = models.CharField(max_length=80)
    endpoint = models.TextField(max_length=1000)
    digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class Notification(models.Model):
    """One thing that a person is told, made in the transaction of the act that it tells of.

    `key` tells the same thing once. `about` is what it is about ("battle:12"), `group` whom it also concerns
    ("campaign:3"), `event` the act. `due_at` is when it leaves, None for those that only stand on the page.
    `prepared_at` is when it became part of messages; `is_dropped` says that it did not hold any more by then.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    words = models.CharField(max_length=500, blank=True)
    href = models.CharField(max_length=200)
    about = models.CharField(max_length=40, blank=True)
    group = models.CharField(max_length=40, blank=True)
    event = models.BigIntegerField(null=True, blank=True)
    channel = models.CharField(max_length=5, choices=Channel, default=Channel.DESK)
    made_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, blank=True)
    prepared_at = models.DateTimeField(null=True, blank=True)
    is_dropped = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="notification_once")]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(prepared_at=None, due_at__isnull=False),
                name="notification_due",
            ),
            models.Index(fields=["group", "made_at"], name="notification_by_group"),
        ]

    def __str__(self) -> str:
        return self.title


class Message(models.Model):
    """What leaves for one address: an e-mail, or a push message to one device, with one notification or a digest.

    It is claimed before it is sent. A claim that nobody settled becomes PERHAPS: it may have left, so it is never sent
    again. It goes back to WAITING only after a certain refusal.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        CLAIMED = "claimed", gettext_lazy("Being sent")
        SENT = "sent", gettext_lazy("Sent")
        REFUSED = "refused", gettext_lazy("Not sent")
        PERHAPS = "perhaps", gettext_lazy("Perhaps sent")
        DROPPED = "dropped", gettext_lazy("Not sent, no longer needed")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_messages")
    channel = models.CharField(max_length=5, choices=Channel)
    device = models.ForeignKey(PushDevice, null=True, blank=True, on_delete=models.SET_NULL, related_name="messages")
    notifications = models.ManyToManyField(Notification, related_name="sent_in")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    claim = models.CharField(max_length=24, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["state", "due_at"],
                condition=models.Q(state__in=["waiting", "claimed"]),
                name="message_at_work",
            )
        ]

    def __str__(self) -> str:
        return _("Message {pk}").format(pk=self.pk)


class ClockJob(models.Model):
    """A job of the clock and when it runs next. Whoever moves `next_at` on runs it."""

    name = models.CharField(max_length=40, unique=True)
    next_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name
