"""Functions that decide which events are news of a campaign: its own, and those events of its battles that others want to read."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Battle, Campaign
from warbands.models import Event
from warbands.models.base import Recorded

# Events of a sequence that concern only its owner; a death among them is news nevertheless.
QUIET = (
    "roll",
    "choose",
    "step",
    "fought",
    "write",
    "force",
    "scenario",
    "attacker",
    "muster-roll",
    "claim-link",
    "report-draft",
    "report-refuse",
    "wish",
    "absence",
    "hand-over-offer",
    "hand-over-end",
    "contact-note",
)


def is_loud(event: Event) -> bool:
    return event.kind not in QUIET or (event.kind == "write" and bool(event.data.get("grave")))


def campaign_of_act(event: Event, rows: Iterable[Recorded]) -> list[tuple[str, int]]:
    """Return the campaign for which a battle's event is news, as (label, id). One query if the battle is not among the rows."""
    kind, _, number = event.occasion.partition(":")
    if kind != "battle" or not number.isdigit() or event.undoes_id or not is_loud(event):
        return []
    known = {row.pk: row.campaign_id for row in rows if isinstance(row, Battle)}
    campaign = known.get(int(number)) or Battle.objects.filter(pk=number).values_list("campaign_id", flat=True).first()
    return [(Campaign._meta.label, campaign)] if campaign is not None else []
