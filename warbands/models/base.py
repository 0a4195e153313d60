"""What all recorded rows share."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class RecordedQuerySet(models.QuerySet):
    """Filter words of recorded rows."""

    def live(self):
        """Rows whose creation was not undone."""
        return self.filter(is_undone=False)


class Recorded(models.Model):
    """A row written only through `recording()`.

    `lock_rank` orders the locks of one act: campaigns first, then seats, battles and reports, warbands last; rows of the same rank
    in id order. `is_undone` marks a row whose creation was undone; nothing is ever deleted from under people.
    """

    lock_rank: ClassVar[int] = 50

    is_undone = models.BooleanField(default=False, editable=False)

    objects = RecordedQuerySet.as_manager()

    class Meta:
        abstract = True
