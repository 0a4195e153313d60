"""Hash chains: each act of a warband or a campaign as a link whose hash covers the links before it."""

from __future__ import annotations

import uuid

from django.db import models

from warbands.models.event import Event


class Chain(models.Model):
    """The chain of one warband or campaign. `uid` names it on every server; `length` and `head` are those of its last link."""

    label = models.CharField(max_length=60)
    row_id = models.BigIntegerField()
    uid = models.UUIDField(default=uuid.uuid4, unique=True)
    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["label", "row_id"], name="chain_once_per_row")]

    def __str__(self) -> str:
        return f"{self.label} {self.row_id}"


class ChainLink(models.Model):
    """One act in a chain. `event_uid` names the act on every server, the same in each of its chains.

    `digest` is that of what the act recorded, and stays when the act itself is removed: `event` is then None. `hash`
    covers it together with the hash before it. `names` says that the digest covers the name of who acted.

    `here` is the digest of an act that came from another server, with the keys that its rows have in this database; ""
    for acts of this server. Both were compared when the act came, and `hash` goes on to cover `digest`.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="links")
    number = models.PositiveIntegerField()
    event = models.ForeignKey(Event, null=True, on_delete=models.SET_NULL, related_name="links")
    event_uid = models.UUIDField()
    digest = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    names = models.BooleanField(default=True)
    here = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="chain_numbers_once")]

    def __str__(self) -> str:
        return f"{self.chain_id}, {self.number}"
