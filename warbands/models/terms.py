"""The terms under which a warband and its campaign play: game, edition, overlays, house rules."""

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
from warbands.models.overlay_copy import OverlayCopy


class Terms(Recorded):
    """A game and edition, the overlays taken, and the house rules on top. `version` increases with each change.

    `pins` tells the version and digest of each overlay at the time when it was chosen (see `warbands.pins`).

    `coming` lists changes that take effect later. Each has its "version", the "day" (ISO) or "battle" from which it
    applies, and the "rules" and "readings" that it sets (None: as in the book). A day is the same for everybody. A
    battle is counted for each warband: terms read through a warband know its next battle (`at_battle`), and terms read
    through a campaign know none (0).
    """

    lock_rank = 10
    at_battle = 0

    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    overlays = models.JSONField(default=list, blank=True)
    pins = models.JSONField(default=dict, blank=True)
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
        """Return the frozen content under these terms, from the rules' cache."""
        return self.content_under(self.in_force)

    def content_under(self, house_rules: Mapping[str, Any]) -> GameContent:
        """Return the frozen content with other house rules. An overlay of which nothing is left is left out."""
        try:
            return self.game.content(self.edition, tuple(self.overlays), house_rules)
        except KeyError:
            if self.game.states is None or self.edition not in self.game.editions():
                raise
            return self.game.content(self.edition, self.at_hand, house_rules)

    @property
    def at_hand(self) -> tuple[str, ...]:
        """Return the overlays that can be applied. One query if this server has one of them no longer."""
        part, overlays = self.game.states, tuple(self.overlays)
        if part is None:
            return overlays
        known = part.at_hand(self.edition, overlays)
        if known != overlays:
            OverlayCopy.remember(self.system, self.edition, set(overlays) - set(known))
        return part.at_hand(self.edition, overlays)

    @property
    def in_force(self) -> dict[str, Any]:
        """Return the house rules that apply today; for terms read through a warband, those of its next battle."""
        return self.rules_at(timezone.localdate(), self.at_battle) if self.coming else self.house_rules

    def rules_at(self, day: date, battle: int) -> dict[str, Any]:
        rules: dict[str, Any] = self.house_rules
        for change in self.coming:
            if holds(change, day, battle):
                rules = laid_over(rules, change)
        return rules

    @property
    def mark(self) -> str:
        """Return a short hash of the rules that apply now. Numbers computed under another mark are out of date."""
        holding = [self.system, self.edition, self.overlays, self.in_force]
        return sha256(json.dumps(holding, sort_keys=True).encode()).hexdigest()[:16]


def holds(change: Mapping[str, Any], today: date, battle: int) -> bool:
    if change.get("day"):
        return date.fromisoformat(change["day"]) <= today
    return 0 < change["battle"] <= battle


def laid_over(rules: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules with a change applied. A rule that the change sets to None is as in the book again.

    "kept" lists what was removed but may still be owned, and what once had another price.
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
    """Reads the terms of one warband. It returns a copy, but only if a rule in them depends on the next battle."""

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
    """A warband's foreign key to its terms. Terms read through it know the warband's next battle."""

    forward_related_accessor_class = _TermsOfWarband

    def deconstruct(self) -> Any:
        """Deconstruct it as a plain foreign key, which it is to the database."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.ForeignKey", args, kwargs
