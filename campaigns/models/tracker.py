"""The models for the table of a battle while it is played: its state, and every act that led to it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class Table(models.Model):
    """The table of one battle. `state` is the result of its live acts (see `rules.tracker`), `version` the number of the last act.

    `seal` is the SHA-256 of the seed of the app's dice (see `DiceSeed`). It is "" for tables from before dice were sealed.
    """

    leaves_event: ClassVar[bool] = False  # acts at a table appear in its log, not in the history of warbands

    battle = models.OneToOneField("campaigns.Battle", on_delete=models.CASCADE, related_name="table")
    state = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=0)
    is_ended = models.BooleanField(default=False)
    seal = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"Table of {self.battle}"


class DiceSeed(models.Model):
    """The secret seed of the app's dice at one table, as hexadecimal digits.

    It has a table of its own, so that no page or export that reads a `Table` holds it. It is read in two places: to roll,
    and to open it once the battle is reported (`campaigns/services/sealed_dice.py`). It never changes.
    """

    leaves_event: ClassVar[bool] = False

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="dice_seed")
    seed = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"Dice seed of {self.table_id}"


class WatchLink(models.Model):
    """The link by which anybody watches the table of one battle. `code` is its secret, "" once it is revoked."""

    leaves_event: ClassVar[bool] = False  # it changes nothing of the battle

    battle = models.OneToOneField("campaigns.Battle", on_delete=models.CASCADE, related_name="watch_link")
    code = models.CharField(max_length=24, blank=True, db_index=True)

    def __str__(self) -> str:
        return f"Link to watch {self.battle_id}"


class TableAct(models.Model):
    """One act at the table. Acts are never changed or deleted, only marked as undone.

    `data` is the act: {"kind": "begin", "state": {...}} for the first one, {"kind": "undo", "number": n} for one that
    undoes another. `dice` holds the draws, `touched` the keys of the fighters that the act changed.
    """

    leaves_event: ClassVar[bool] = False

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="acts")
    number = models.PositiveIntegerField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    for_name = models.CharField(max_length=80, blank=True)
    side = models.ForeignKey("campaigns.Side", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    token = models.CharField(max_length=64, blank=True)
    data = models.JSONField(default=dict)
    told = models.CharField(max_length=600)
    dice = models.JSONField(default=list, blank=True)
    touched = models.JSONField(default=list, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undoes")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_act_number_once"),
            models.UniqueConstraint(fields=["token"], condition=~Q(token=""), name="table_act_token_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.told}"
