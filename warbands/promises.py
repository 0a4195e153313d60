"""The game's rules for promises: how the player settles one, and why it cannot be settled yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.force import Force
from rules.resolution import Task
from warbands.models import Terms


def settling_task(terms: Terms, force: Force, kind: str, data: Mapping[str, Any]) -> Task | None:
    """Return the task with which the player settles a promise of this kind; None if it cannot be settled now."""
    campaign = terms.game.campaign
    return campaign.redeem(terms.content, force, kind, data) if campaign is not None else None


def waits_for(terms: Terms, force: Force, kind: str, data: Mapping[str, Any]) -> str:
    """Return why a promise of this kind cannot be settled now; "" if it can."""
    campaign = terms.game.campaign
    if campaign is None:
        return _("This isn't known here.")
    return campaign.waits_for(terms.content, force, kind, data)
