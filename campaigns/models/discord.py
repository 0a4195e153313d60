"""The models of a campaign's Discord channel: the secret webhook, and what was posted through it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class DiscordWebhook(models.Model):
    """The webhook by which a campaign's news reach a Discord channel.

    `address` is a secret: whoever has it can post there. It is in no event, export, log or page. `broken` says why
    nothing can be posted any more; "" if it works.
    """

    campaign = models.OneToOneField("campaigns.Campaign", on_delete=models.CASCADE, related_name="discord")
    address = models.CharField(max_length=300)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    added_at = models.DateTimeField(default=timezone.now)
    broken = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return _("Discord of {campaign}").format(campaign=self.campaign)


class DiscordPost(models.Model):
    """One post in the channel: a result ("battle:12"), a round's pairings ("round:3"), or standings ("standings:3").

    `wanted` is the newest act that it should show, `shown` the one that it shows. The first post is claimed, sent once,
    and PERHAPS if its fate is unknown. An edit may be repeated, since it does no harm.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Not posted yet")
        CLAIMED = "claimed", gettext_lazy("Being posted")
        SENT = "sent", gettext_lazy("Posted")
        REFUSED = "refused", gettext_lazy("Not posted")
        PERHAPS = "perhaps", gettext_lazy("Perhaps posted")

    webhook = models.ForeignKey(DiscordWebhook, on_delete=models.CASCADE, related_name="posts")
    key = models.CharField(max_length=40)
    message_id = models.CharField(max_length=24, blank=True)
    wanted = models.BigIntegerField(default=0)
    shown = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    claim = models.CharField(max_length=24, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="discord_post_once")]
        indexes = [
            models.Index(
                fields=["state", "due_at"], condition=Q(state__in=["waiting", "claimed"]), name="discord_at_work"
            )
        ]

    def __str__(self) -> str:
        return self.key
