"""Events: what happened, who did it, and every recorded field that it changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

# Keys in the data of an event: the ids of the undos that belong to it, oldest first, and of the act that an undo belongs to.
# They are written once both acts are there, and no digest covers them: they are keys of this database, as `undoes` is.
PARTS, PART_OF = "undoings", "belongs_to"


class Event(models.Model):
    """One act as a sentence, with everything that an undo needs. Append-only.

    `sentence` contains `{who}` in place of the person. `occasion` is an id that campaigns/ maps to its battle
    ("battle:12"). `token` is the one-use token of the form; it is unique, so that two clicks have one effect. `data`
    holds dice rolls and other details for the history.
    """

    kind = models.CharField(max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor_name = models.CharField(max_length=150, blank=True)
    for_name = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    sentence = models.CharField(max_length=400)
    occasion = models.CharField(max_length=40, blank=True, db_index=True)
    token = models.CharField(max_length=64, null=True, blank=True, unique=True)
    undoes = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by")
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.told

    @property
    def who(self) -> str:
        """Return the person's name for the history: "Ben", or "Ben, for Ada,"."""
        name = self.actor_name or _("The club")
        return _("{name}, for {for_name},").format(name=name, for_name=self.for_name) if self.for_name else name

    @property
    def told(self) -> str:
        return self.sentence.replace("{who}", self.who)

    @property
    def root(self) -> Event:
        """Return the act at the start of a chain of undos; the event itself if it is no undo. One query for each link."""
        event = self
        while event.undoes is not None:
            event = event.undoes
        return event


class EventSubject(models.Model):
    """A row that an event was about. `warband` is set if it is a warband: the event counts in its history.

    `number` is the warband's version after the event. `is_news` marks a row that only shows the event as news: the act
    did not lock or change it, and an undo ignores it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="subjects")
    label = models.CharField(max_length=60)
    row_id = models.BigIntegerField()
    warband = models.ForeignKey(
        "warbands.Warband", null=True, blank=True, on_delete=models.CASCADE, related_name="event_subjects"
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    is_news = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["label", "row_id", "event"], name="event_subject_by_row")]
        constraints = [
            models.UniqueConstraint(
                fields=["warband", "number"], condition=Q(warband__isnull=False), name="event_numbers_once_per_warband"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} {self.row_id}"


class Change(models.Model):
    """One recorded change: `field` of a row (or the leaf `path` inside a JSON field) changed from `before` to `after`.

    `field` "" means that the event created the row.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="changes")
    label = models.CharField(max_length=60)
    row_id = models.BigIntegerField()
    field = models.CharField(max_length=60, blank=True)
    path = models.CharField(max_length=200, blank=True)  # "skills/s1", "" for the whole field
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["label", "row_id"])]

    def __str__(self) -> str:
        return f"{self.label} {self.row_id} {self.field}/{self.path}"
