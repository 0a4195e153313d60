"""The views of the site owner. To everybody else these addresses do not exist."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import HiddenPage, User
from accounts.security import has_second_step
from accounts.site_owner import end_step_of, lift, refuse_others, suspend, suspension_of
from campaigns.pages.site import (
    hidden_lines,
    page_at,
    people_lines,
    places_of,
    problem_lines,
    site_tabs,
    suspension_log,
)
from campaigns.people_forms import HideForm, ReasonForm, ReportStateForm
from campaigns.services.hiding import hide_page, show_page_again
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.models import ProblemReport
from warbands.parsing import read_number
from warbands.services.problem_reports import settle_problem
from warbands.views.acting import Attempt, Notice, ask_first, tried_form
from warbands.views.fetch import whole_number


@login_required
@never_cache
@require_http_methods(["GET"])
def site_desk(request: HttpRequest) -> HttpResponse:
    """List the problems that people reported."""
    refuse_others(request.user)
    state = request.GET.get("state", "")
    lines, pager = problem_lines(state, whole_number(request, "page"))
    context = {
        "tabs": site_tabs("site-desk"),
        "lines": lines,
        "pager": pager,
        "state": state,
        "states": [("", _("Open")), *ProblemReport.State.choices],
    }
    return render_page(request, "campaigns/site.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def problem_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one report, and set its state. `?as=json` is its roster as a file."""
    refuse_others(request.user)
    report = ProblemReport.objects.select_related("by", "warband").filter(pk=pk).first()
    if report is None:
        raise Http404
    if request.method == "GET" and request.GET.get("as") == "json":
        if report.document is None:
            raise Http404
        response = JsonResponse(report.document, json_dumps_params={"indent": 2, "ensure_ascii": False})
        response["Content-Disposition"] = f'attachment; filename="problem-{pk}.json"'
        return response

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"report": report, "states": ProblemReport.State.choices, "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/site_problem.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = ReportStateForm(request.POST)
    if request.POST.get("act") == "delete":
        asked = ask_first(
            request, [_("The report is deleted with its roster. You can't undo this.")], label=_("Delete")
        )
        return _answer(request, asked or tried_form(request, form, report.delete), show, "site-desk")
    tried = tried_form(
        request,
        form,
        lambda: settle_problem(report=report, state=form.cleaned_data["state"], note=form.cleaned_data["note"]),
        beside=("note",),
    )
    return _answer(request, tried, show, "site-desk")


@login_required
@never_cache
@require_http_methods(["GET"])
def site_people(request: HttpRequest) -> HttpResponse:
    """List people by a part of their name or e-mail address."""
    refuse_others(request.user)
    find = request.GET.get("find", "").strip()[:150]
    lines, pager = people_lines(find, whole_number(request, "page"))
    context = {"tabs": site_tabs("site-people"), "lines": lines, "pager": pager, "find": find}
    return render_page(request, "campaigns/site_people.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def person_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what was done to an account; suspend it, or let the person sign in again."""
    refuse_others(request.user)
    person = User.objects.with_account().filter(pk=pk).first()
    if person is None:
        raise Http404

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "person": person,
            "suspension": suspension_of(person),
            "log": suspension_log(person),
            "places": places_of(person),
            "has_second_step": has_second_step(person),
            "notice": notice,
            "token": new_token(),
        }
        return render_page(request, "campaigns/site_person.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form, actor = ReasonForm(request.POST), _user(request)

    def do() -> Any:
        if request.POST.get("act") == "suspend":
            return suspend(user=person, reason=form.cleaned_data["reason"], actor=actor)
        if request.POST.get("act") == "lift":
            return lift(user=person, actor=actor)
        if request.POST.get("act") == "end-second-step":
            return end_step_of(user=person, reason=form.cleaned_data["reason"], actor=actor)
        raise Refusal(_("Choose something first."))

    return _answer(request, tried_form(request, form, do, beside=("reason",)), show, "person-show", pk)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def site_hidden(request: HttpRequest) -> HttpResponse:
    """List the public pages that are hidden; hide one by its address, or show one again."""
    refuse_others(request.user)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "tabs": site_tabs("site-hidden"),
            "lines": hidden_lines(),
            "notice": notice,
            "token": new_token(),
        }
        return render_page(request, "campaigns/site_hidden.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form, actor = HideForm(request.POST), _user(request)

    def do() -> Any:
        if request.POST.get("act") == "hide":
            kind, row = page_at(form.cleaned_data["address"])
            return hide_page(kind=kind, row=row, reason=form.cleaned_data["reason"], actor=actor)
        key = read_number(request.POST.get("row", ""))
        page = HiddenPage.objects.filter(pk=key).first() if key is not None else None
        if request.POST.get("act") != "show" or page is None:
            raise Refusal(_("Choose something first."))
        return show_page_again(page=page, actor=actor)

    return _answer(request, tried_form(request, form, do, beside=("address", "reason")), show, "site-hidden")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _answer(request: HttpRequest, tried: Attempt, show: Any, *onward: Any) -> HttpResponse:
    if not tried.done:
        answer: HttpResponse = show(tried.notice, tried.status)
        return answer
    messages.success(request, _("Saved."))
    return redirect(*onward)
