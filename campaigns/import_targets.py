"""A seat as the target of an import: from paper, from a document, from pasted text."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.access import seat_for
from campaigns.services.common import refuse_unless_running
from campaigns.services.join import seat_warband
from campaigns.services.opening_score import open_score
from warbands.import_targets import ImportTarget, Score
from warbands.models import Warband
from warbands.recorder import Recorder


def seat_place(user: Any, number: str) -> ImportTarget:
    """Return the seat with this id as an import target, for those who may act for it.

    Raises Http404, PermissionDenied. At most five queries.
    """
    if not (number.isascii() and number.isdigit() and len(number) < 18):
        raise Http404(_("There is no such place."))
    seat = seat_for(user, int(number), to="act")
    campaign = seat.campaign

    def settle(act: Recorder, warband: Warband, score: Score) -> str:
        row = act.row(seat)
        refuse_unless_running(act.row(campaign))
        seat_warband(act, act.row(campaign), row, warband)
        if score.points or score.won or score.drawn or score.lost or not row.opening_points:
            open_score(act, row, score)
        where = campaign.name
        if row.user_id != user.pk:
            where = _("{campaign} for {player}").format(campaign=where, player=row.name)
        if score.points:
            where = ngettext(
                "{campaign}, with {count} victory point", "{campaign}, with {count} victory points", score.points
            ).format(campaign=where, count=score.points)
        return where

    return ImportTarget(
        words=_("for {seat} in {campaign}").format(seat=seat.name, campaign=campaign.name),
        back_label=seat.name,
        back_href=reverse("seat-show", args=[seat.pk]),
        terms=campaign.terms,
        owner=seat.user,
        subjects=(campaign, seat),
        settle=settle,
        facts={"seat": seat.pk},
    )
