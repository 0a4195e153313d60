"""Notes of the administrators about a player: how to reach them, and what to keep in mind."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class ContactNote(models.Model):
    """One note on a seat, for administrators alone.

    `about` is the person who had the seat then, None for a player without an account. The note stands in that
    person's data file and goes with their account. A removed note is deleted, and no event holds its words.
    """

    seat = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="contact_notes")
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    words = models.CharField(max_length=500)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.seat)
