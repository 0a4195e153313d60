"""The service by which an administrator adds places for several players without an account at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign, Seat
from campaigns.services.common import new_link, refuse_unless_running
from campaigns.services.join import seat_name_in
from rules.formatting import joined
from rules.problems import Refusal
from warbands.recording import recording

MOST_AT_ONCE = 60  # places that are added together


def add_seats(*, campaign: Campaign, actor: Any, names: Sequence[str], token: str = "") -> list[Seat]:
    """Add an unclaimed seat for each of these names, as one event. Raises Refusal if one of them can't be used."""
    with recording(campaign, kind="places", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        if len(names) > MOST_AT_ONCE:
            raise Refusal(_("Up to {most} places at once.").format(most=MOST_AT_ONCE), code="too-many")
        seats = []
        for name in names:
            seats.append(
                act.create(Seat(campaign=row, name=seat_name_in(row, name, field="names"), claim_token=new_link()))
            )
            act.also_about(seats[-1])
        told = ngettext("{{who}} added a place for {names}.", "{{who}} added {count} places: {names}.", len(seats))
        act.say(told.format(count=len(seats), names=joined([seat.name for seat in seats])))
    return seats
