"""The service that starts a report for the whole site. A background task works it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.models import StateReport
from campaigns.services.state_comparing import warbands_of
from campaigns.tasks import compare_states, watch_report_later
from rules.problems import Refusal
from warbands.models import Terms
from warbands.services.states import known_edition, states_of

MOST_KEPT = 10


def start_report(*, system: str, edition: str, overlays: list[str], actor: Any) -> tuple[StateReport, bool]:
    """Start a report; return it and whether it is new. If one of this game is at work, return that one.

    One whose worker has stopped is replaced. Raises Refusal for a game, edition or overlays that are not there, and if
    there is no warband.
    """
    terms = Terms(system=system, edition=edition)
    wanted = states_of(terms).ordered(known_edition(terms, edition), tuple(overlays))
    try:
        return _started(system, edition, wanted, actor)
    except IntegrityError:  # somebody else began one at the same moment
        return _started(system, edition, wanted, actor)


def _started(system: str, edition: str, wanted: Sequence[str], actor: Any) -> tuple[StateReport, bool]:
    with transaction.atomic():
        at_work = StateReport.objects.select_for_update().filter(system=system, status__in=StateReport.AT_WORK).first()
        if at_work is not None and not at_work.is_silent:
            return at_work, False
        count = warbands_of(system).count()
        if not count:
            raise Refusal(_("No warband of this game is here."), code="nothing")
        if at_work is not None:
            at_work.delete()
        StateReport.objects.over().delete()
        kept = StateReport.objects.order_by("-pk").values_list("pk", flat=True)[: MOST_KEPT - 1]
        StateReport.objects.exclude(pk__in=list(kept)).delete()
        made = StateReport.objects.create(
            system=system, edition=edition, overlays=list(wanted), asked_by=actor, count=count
        )
        compare_states.enqueue(made.pk)
        watch_report_later(made.pk)
    return made, True
