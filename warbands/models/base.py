"""The base class of all recorded rows."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class RecordedQuerySet(models.QuerySet):
    def live(self):
        """Select rows whose creation was not undone."""
        return self.filter(is_undone=False)


class Recorded(models.Model):
    """A row that is written only through `recording()`.

    `lock_rank` orders the locks of one act: campaigns first, then seats, battles and reports, warbands last; rows of
    the same rank in id order. `is_undone` marks a row whose creation was undone; an undo deletes no row. A row with
    `counted` fields has a `version`. It increases with each act that changes one of them, and is saved together with
    the fields in `saved_with_count`. `locked_with` names what is read together with the row when an act locks it.
    """

    lock_rank: ClassVar[int] = 50
    counted: ClassVar[tuple[str, ...]] = ()
    saved_with_count: ClassVar[tuple[str, ...]] = ("version",)
    locked_with: ClassVar[tuple[str, ...]] = ()

    is_undone = models.BooleanField(default=False, editable=False)

    objects = RecordedQuerySet.as_manager()

    class Meta:
        abstract = True

    def refuse_act(self, kind: str) -> None:
        """Raise Refusal if no act of this kind may be about the row any more. Called for each locked subject. No queries."""
