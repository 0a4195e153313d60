"""The terms that a warband and its campaign play under: game, edition, overlays, house rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import copy
from datetime import date
from hashlib import sha256
from typing import Any

from django.db import models
from django.db.models.fields.related_descriptors import ForwardManyToOneDescriptor
from django.utils import timezone

from rules.content.extra import remembered
from rules.game import Game, GameContent
from rules.registry import system
from warbands.models.base import Recorded


class Terms(Recorded):
    """Pinned game and edition, overlay ids, and the house rules laid over them. `version` grows with each change.

    `coming` are changes that hold from later on: each has its "version", "day" (ISO) or "battle" from which it holds, and the
    "rules" and "readings" it sets (None: as in the book). A day is the same for everybody; a battle is each warband's own, so that
    terms read off a warband know which battle lies ahead of it (`at_battle`), and terms read off a campaign know none (0).
    """

    lock_rank = 10
    at_battle = 0

    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    overlays = models.JSONField(default=list, blank=True)
    house_rules = models.JSONField(default=dict, blank=True)
    coming = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return f"{self.system} {self.edition}"

    @property
    def game(self) -> Game:
        return system(self.system)

    @property
    def content(self) -> GameContent:
        """The frozen content under these terms, from the cache of the rules."""
        return self.game.content(self.edition, tuple(self.overlays), self.in_force)

    @property
    def in_force(self) -> dict[str, Any]:
        """The house rules that hold today; for terms read from a warband, those of its next battle."""
        return self.rules_at(timezone.localdate(), self.at_battle) if self.coming else self.house_rules

    def rules_at(self, day: date, battle: int) -> dict[str, Any]:
        rules: dict[str, Any] = self.house_rules
        for change in self.coming:
            if holds(change, day, battle):
                rules = laid_over(rules, change)
        return rules

    @property
    def mark(self) -> str:
        """A short hash of what holds now. Numbers worked out under another mark are out of date."""
        holding = [self.system, self.edition, self.overlays, self.in_force]
        return sha256(json.dumps(holding, sort_keys=True).encode()).hexdigest()[:16]


def holds(change: Mapping[str, Any], today: date, battle: int) -> bool:
    if change.get("day"):
        return date.fromisoformat(change["day"]) <= today
    return 0 < change["battle"] <= battle


def laid_over(rules: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """House rules with a change laid over them; what it sets to None is as in the book again.

    "kept" remembers what was taken out and may still be held, and what once had another price.
    """
    result = {key: value for key, value in rules.items() if key != "readings"}
    read = dict(rules.get("readings") or {})
    for target, part in ((result, "rules"), (read, "readings")):
        for key, value in change.get(part, {}).items():
            if value is None:
                target.pop(key, None)
            else:
                target[key] = value
    result.pop("kept", None)
    if kept := remembered(rules, result):
        result["kept"] = kept
    return {**result, "readings": read} if read else result


class _TermsOfWarband(ForwardManyToOneDescriptor):
    """Terms as they hold for one warband. Its own copy, and only where something in them depends on the battle ahead."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        terms = super().__get__(instance, cls)
        if instance is None or terms is None or not terms.coming:
            return terms
        ahead = int(instance.state.get("fought", 0)) + int(instance.state.get("credited", 0)) + 1
        if terms.at_battle != ahead:
            terms = copy(terms)
            terms.at_battle = ahead
            self.field.set_cached_value(instance, terms)
        return terms


class TermsKey(models.ForeignKey):
    """A warband's key to its terms: read through it, they know which battle lies ahead."""

    forward_related_accessor_class = _TermsOfWarband

    def deconstruct(self) -> Any:
        """To the database it is a plain foreign key."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.ForeignKey", args, kwargs
