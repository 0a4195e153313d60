"""The site owner's views of rules. To everybody else these addresses do not exist."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.site_owner import refuse_others
from campaigns.models import StateReport
from campaigns.pages.site import site_tabs
from campaigns.pages.site_rules import bases_of, printed_report, site_report_page, site_rules_page, title_of
from campaigns.services.state_reports import start_report
from config.access import login_required
from config.htmx import render_page
from rules.formatting import table_cell
from rules.problems import Refusal
from warbands.pages.states import HEADS
from warbands.views.acting import Notice
from warbands.views.fetch import whole_number
from warbands.views.states import MOST_TAKEN, states_pdf


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def site_rules(request: HttpRequest) -> HttpResponse:
    """List the reports of the last week. A POST starts one, or leads to the one that is being made."""
    refuse_others(request.user)
    sent = request.POST if request.method == "POST" else request.GET
    base = sent.get("base", "")
    chosen = sent.getlist("with")[:MOST_TAKEN] if request.method == "POST" else None
    notice, status = None, 200
    if chosen is not None:
        try:
            return _start(request, base, chosen)
        except Refusal as refusal:
            notice, status = Notice("problem", refusal.message, refusal.mend), 422
    context = {"tabs": site_tabs("site-rules"), "page": site_rules_page(base, chosen), "notice": notice}
    return render_page(request, "campaigns/site_rules.html", context, status=status)


def _start(request: HttpRequest, base: str, chosen: list[str]) -> HttpResponse:
    if base not in dict(bases_of()):
        raise Refusal(_("Choose an edition."), code="unknown-edition")
    game, _stroke, edition = base.partition("/")
    report, is_new = start_report(system=game, edition=edition, overlays=chosen, actor=request.user)
    if not is_new:
        messages.info(request, _("A report of this game is being made already."))
    return redirect("site-rules-report", report.pk)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def site_rules_report(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show a report and how far it is; `?as=csv` is all of it as a table, `?as=pdf` a part for paper. A POST deletes it."""
    refuse_others(request.user)
    report = get_object_or_404(StateReport.objects.select_related("asked_by"), pk=pk)
    if request.method == "POST":
        report.delete()
        messages.success(request, _("The report is deleted."))
        return redirect("site-rules")
    if request.GET.get("as") == "csv":
        return _table(report)
    if request.GET.get("as") == "pdf":
        return states_pdf(request, title_of(report), printed_report(report, request.GET.get("kind", "")))
    page = site_report_page(report, request.GET.get("kind", ""), whole_number(request, "page"))
    context = {"page": page, "is_asked": request.htmx}  # type: ignore[attr-defined]
    return render_page(request, "campaigns/site_rules_report.html", context, partials=("report_progress",))


class _CsvLine:
    """Hands a line of a table on as it is written."""

    def write(self, text: str) -> str:
        return text


def _table(report: StateReport) -> StreamingHttpResponse:
    """Send the report row by row. A byte order mark tells spreadsheets that it is UTF-8."""

    def lines() -> Iterator[Any]:
        writer = csv.writer(_CsvLine())
        yield "\ufeff" + writer.writerow([str(_("Campaign")), *map(str, HEADS)])
        for place, table in report.rows.values_list("place", "table").iterator(200):  # type: ignore[attr-defined]
            for row in table:
                yield writer.writerow([table_cell(place), *row])

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(title_of(report)) or "rules"}.csv"'
    return response
