"""The models of a report that others may send for a side: the code on its battle sheet, and the drafts that came in."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models.battle import Battle, Side
from warbands.models.base import Recorded


class ReportCode(models.Model):
    """The code on the battle sheet of one side. Whoever has it may send one report of the battle, as a draft.

    `code` is the secret, "" once it is revoked. `number` counts the codes that this side had: a draft names the number of
    the code that it came by, which is spent by that.
    """

    leaves_event: ClassVar[bool] = False  # it changes nothing of the battle

    side = models.OneToOneField(Side, on_delete=models.CASCADE, related_name="report_code")
    code = models.CharField(max_length=24, blank=True, db_index=True)
    number = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return _("Report code of side {pk}").format(pk=self.side_id)


class ReportDraft(Recorded):
    """A report of one side that counts for nothing until its player or an administrator accepts it.

    `data` has the form of `Report.data`; what the sender left open is missing. `unread` holds sentences on what could not
    be read. `code_number` is the number of the code that it came by, None for one that somebody with an account brought.
    `by` is that person, None for somebody without an account.
    """

    lock_rank = 33

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        REFUSED = "refused", gettext_lazy("Refused")

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="report_drafts")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="report_drafts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    code_number = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Battle.Kind, default=Battle.Kind.PLAYED)
    played_on = models.DateField(null=True, blank=True)
    data = models.JSONField(default=dict)
    unread = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    refused_words = models.CharField(max_length=500, blank=True)
    sent_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["side", "code_number"],
                condition=Q(is_undone=False, code_number__isnull=False),
                name="one_draft_per_report_code",
            )
        ]

    def __str__(self) -> str:
        return _("Report draft {pk}").format(pk=self.pk)
