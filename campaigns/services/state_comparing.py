"""Works out what another state of the rules would change for every warband of a game on this site, batch by batch."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Seat, StateReport, StateReportRow
from campaigns.models.state_report import MOST_TRIES, SILENT_AFTER
from rules.formatting import table_cell
from rules.parts.states import StatesPart, WarbandChange
from rules.problems import Refusal
from warbands.adapters import force_of, forces_of
from warbands.models import Terms, Warband
from warbands.pages.states import report_of, rows_of
from warbands.services.states import changes_for, known_edition, states_of

log = logging.getLogger(__name__)

BATCH = 20
BROKE = gettext_lazy("The server log says why.")
STOPPED = gettext_lazy("The worker stopped before it was finished.")


def warbands_of(system: str) -> QuerySet[Warband]:
    """Return every warband of a game that is not put away, in the order in which reports look at them."""
    return Warband.objects.kept().filter(terms__system=system).order_by("terms_id", "pk")


def work_at_report(pk: int) -> None:
    """Write a report from where it stands. Each batch is one transaction with its progress, so nothing is lost or doubled."""
    try:
        while _write_batch(pk):
            pass
    except Refusal as refusal:
        StateReport.objects.filter(pk=pk, status__in=StateReport.AT_WORK).update(
            status=StateReport.Status.FAILED, why=str(refusal)[:300]
        )
    except Exception:
        StateReport.objects.filter(pk=pk, status__in=StateReport.AT_WORK).update(
            status=StateReport.Status.FAILED, why=str(BROKE)
        )
        raise


def take_up_report(pk: int) -> bool:
    """Go on with a report whose worker has stopped; return whether it is still at work and has to be looked at later.

    It is given up where several workers stopped at the same warbands.
    """
    at_work = StateReport.objects.filter(pk=pk, status__in=StateReport.AT_WORK)
    now = timezone.now()
    if at_work.filter(told_at__lt=now - SILENT_AFTER).update(told_at=now, tries=F("tries") + 1):
        if at_work.filter(tries__gte=MOST_TRIES).update(status=StateReport.Status.FAILED, why=str(STOPPED)):
            return False
        work_at_report(pk)
    return at_work.exists()


def _write_batch(pk: int) -> bool:
    """Write the next warbands of a report; return False at its end, or if another worker wrote them meanwhile."""
    report = StateReport.objects.filter(pk=pk, status__in=StateReport.AT_WORK).first()
    if report is None:
        return False
    terms = Terms(system=report.system, edition=report.edition)
    part = states_of(terms)
    wanted = part.ordered(known_edition(terms, report.edition), tuple(report.overlays))
    behind = Q(terms_id__gt=report.last_terms) | Q(terms_id=report.last_terms, pk__gt=report.last_warband)
    warbands = list(warbands_of(report.system).filter(behind).select_related("terms")[:BATCH])
    places = _places(warbands)
    rows = [_row(report, part, warband, change, wanted, places) for warband, change in _forces(warbands)]
    now = timezone.now()
    told: dict[str, Any] = {
        "status": StateReport.Status.RUNNING,
        "done": F("done") + len(rows),
        "told_at": now,
        "tries": 0,
    }
    if warbands:
        told |= {"last_terms": warbands[-1].terms_id, "last_warband": warbands[-1].pk}
    else:
        told |= {"status": StateReport.Status.DONE, "count": report.done}
    with transaction.atomic():
        still = StateReport.objects.filter(
            pk=pk, status__in=StateReport.AT_WORK, last_terms=report.last_terms, last_warband=report.last_warband
        )
        if not still.update(**told):
            return False
        StateReportRow.objects.bulk_create(rows)
    return bool(warbands)


def _forces(warbands: list[Warband]) -> list[tuple[Warband, Any]]:
    """Return each warband with its force; one whose rules are broken has None, and does not stop the others."""
    try:
        forces: dict[int, Any] = dict(forces_of(warbands))
    except Exception:
        forces = {warband.pk: _force(warband) for warband in warbands}
    return [(warband, forces[warband.pk]) for warband in warbands]


def _force(warband: Warband) -> Any:
    try:
        return force_of(warband)
    except Exception:
        log.exception("Warband %s could not be read for a report of its rules", warband.pk)
        return None


def _row(
    report: StateReport,
    part: StatesPart[Any],
    warband: Warband,
    force: Any,
    wanted: tuple[str, ...],
    places: dict[int, str],
) -> StateReportRow:
    row = StateReportRow(report=report, warband=warband, place=places.get(warband.pk, ""))
    try:
        change = changes_for(part, [(warband, force)], wanted, report.edition)[0][1] if force is not None else None
    except Exception:
        log.exception("Warband %s could not be compared with another state of its rules", warband.pk)
        change = None
    if change is None:
        words = _("Not compared. The server log says why.")
        row.kind, row.data = "broken", {"name": warband.name, "words": words}
        row.table = [[table_cell(warband.name), "", "", words, "", ""]]
    else:
        row.kind, row.data = _kind(change), asdict(report_of(warband, change))
        row.table = rows_of(warband.name, change) if row.kind != "same" else []
    return row


def _kind(change: WarbandChange) -> str:
    if change.nothing:
        return "same"
    if any(not problem.warns for problem in change.new):
        return "worse"
    return "missing" if change.missing else "other"


def _places(warbands: list[Warband]) -> dict[int, str]:
    """Return the name of each warband's campaign. One query."""
    seats = Seat.objects.live().filter(warband__in=warbands, campaign__kind=Campaign.Kind.SERIES)
    return dict(seats.exclude(status=Seat.Status.LEFT).values_list("warband_id", "campaign__name"))
