"""The views of a report that comes in as a draft: by the code on a battle sheet, by a filled sheet, and the answer to it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import battle_for, may_answer_for, report_code_for, report_draft_for
from campaigns.filled_sheet import read_filled_sheet, sheet_refusal
from campaigns.models import Battle, ReportCode, ReportDraft
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.report_drafts import code_report_page
from campaigns.report_forms import FilledSheetForm, RefuseDraftForm, ReportForm, sent_report
from campaigns.scenarios import deeds_of
from campaigns.services.common import side_name
from campaigns.services.report_drafts import refuse_code, refuse_report_draft, send_report_draft
from campaigns.settings_schema import setting_of
from campaigns.views.acting import add_success_message
from campaigns.views.reports import show_draft
from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_code_tries, too_many_sheets
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.pdf_fields import MOST_BYTES
from warbands.views.acting import Notice, attempt, renewed, tried_form


@public(reason="The code on a battle sheet is for whoever holds it, if the campaign allows that; others must sign in.")
@never_cache
@require_http_methods(["GET", "POST"])
def report_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """Show the form of a report to whoever has the code of a side's battle sheet. A POST keeps it as a draft and spends the code."""
    if refused := too_many_code_tries(request):
        return refused
    kept = report_code_for(code)
    entitled = may_answer_for(request.user, kept.side)
    if not entitled and not setting_of(kept.side.battle.campaign, "code_without_account"):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise PermissionDenied(_("Only the player of this side and the administrators can use this code."))
    response = _code_form(request, kept, entitled)
    response["X-Robots-Tag"] = "noindex"
    return response


def _code_form(request: HttpRequest, kept: ReportCode, entitled: bool) -> HttpResponse:
    side, battle = kept.side, kept.side.battle
    try:
        refuse_code(kept, battle)
    except Refusal as refusal:
        if request.method != "POST" or refusal.code != "spent":  # a form sent twice is told that it was done
            context = {"title": _("Report by code"), "refusal": refusal}
            return render_page(request, "campaigns/closed_link.html", context, status=410)
    sides = read_sides(battle)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        sent = sent_report(request.POST) if request.method == "POST" else None
        context = {
            "page": code_report_page(side, sides, kept.code, sent),
            "notice": notice,
            "token": new_token(),
        }
        return render_page(request, "campaigns/report.html", context, partials=["report"], status=status)

    if request.method != "POST":
        return show(None, 200)
    form = ReportForm(request.POST)

    def do() -> Any:
        return send_report_draft(
            side=next(each for each in sides if each.pk == side.pk),
            actor=request.user if request.user.is_authenticated else None,
            data=form.report_data(sides, [deed.id for deed in deeds_of(battle)]),
            code=kept.code,
            kind=form.cleaned_data["kind"] or "played",
            played_on=form.cleaned_data["played_on"],
            token=form.cleaned_data["token"],
        )

    tried = tried_form(request, form, do, beside=("played_on", "words"))
    if not tried.done and tried.status != 200:
        return show(tried.notice, tried.status)
    if entitled and tried.done:
        return redirect(f"{reverse('battle-report', args=[battle.pk])}?draft={tried.result.pk}")
    return render_page(request, "campaigns/draft_sent.html", {"name": side_name(side)})


@login_required
@require_POST
def report_draft_refuse(request: HttpRequest, pk: int, draft: int) -> HttpResponse:
    """Refuse a draft of a report, with a reason."""
    battle = battle_for(request.user, pk, to="play")
    row = report_draft_for(request.user, battle, draft)
    form = RefuseDraftForm(request.POST)
    tried = tried_form(
        request,
        form,
        lambda: refuse_report_draft(
            draft=row, actor=request.user, words=form.cleaned_data["reason"], token=form.cleaned_data["token"]
        ),
        beside=("reason",),
    )
    if not tried.done and tried.notice is not None and tried.notice.field:
        return show_draft(request, battle, row, tried.notice, tried.status)
    if not tried.done:
        refusal = Refusal(tried.notice.words if tried.notice else "", mend=tried.notice.mend if tried.notice else "")
        context = {"title": _("A draft of a report"), "refusal": refusal}
        return render_page(request, "campaigns/closed_link.html", context, status=tried.status)
    add_success_message(request, tried.event)
    return redirect("battle-show", pk)


@login_required
@require_http_methods(["GET", "POST"])
def sheet_bring(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a battle sheet that was filled in on a screen, and keep what it says as a draft of the report."""
    battle = battle_for(request.user, pk, to="play")
    form = FilledSheetForm(request.POST or None, request.FILES or None, initial={"token": new_token()})

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "form": renewed(form) if form.is_bound else form,
            "notice": notice,
            "back_href": reverse("battle-show", args=[pk]),
            "print_href": reverse("battle-print", args=[pk]),
            "here": reverse("sheet-bring", args=[pk]),
        }
        return render_page(request, "campaigns/sheet_bring.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if refused := too_many_sheets(request):
        return refused
    tried = attempt(request, form, lambda: _bring(request, battle, form))
    if not tried.done:
        return show(tried.notice, tried.status)
    return redirect(f"{reverse('battle-report', args=[pk])}?draft={tried.result.pk}")


def _bring(request: HttpRequest, battle: Battle, form: FilledSheetForm) -> ReportDraft:
    upload = form.cleaned_data["file"]
    if (upload.size or 0) > MOST_BYTES:
        raise sheet_refusal("large")
    sides = read_sides(battle)
    filled = read_filled_sheet(upload.read(), battle, sides)
    side = next(each for each in sides if each.pk == filled.side)
    if not may_answer_for(request.user, side):
        raise Refusal(
            _("This sheet is of {side}.").format(side=side_name(side)),
            mend=_("Its player or an administrator can bring it."),
            code="not-yours",
        )
    return send_report_draft(
        side=side,
        actor=request.user,
        data=filled.data,
        kind=filled.kind,
        played_on=filled.played_on,
        unread=filled.unread,
        token=form.cleaned_data["token"],
    )
