"""The page on which anybody reports a problem with the site."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.guests import is_guest
from config.access import public
from config.htmx import render_page
from config.limits import too_many_problems
from config.shown_address import HIDDEN, shown_address
from warbands.founding_forms import ProblemForm
from warbands.idempotency import new_token
from warbands.services.problem_reports import LONGEST, enclosed_with, send_problem
from warbands.views.acting import Notice, tried_form


@public(reason="Strangers meet problems too, signing up among them.")
@never_cache
@require_http_methods(["GET", "POST"])
def problem_report(request: HttpRequest) -> HttpResponse:
    """Show what a report about the page one comes from would send, and send it."""
    page = request.POST.get("page", "") if request.method == "POST" else _page_before(request)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "enclosed": enclosed_with(request.user, page),
            "who": str(request.user) if request.user.is_authenticated and not is_guest(request.user) else "",
            "words": request.POST.get("words", "")[:LONGEST],
            "longest": LONGEST,
            "notice": notice,
            "token": new_token(),
        }
        return render_page(request, "warbands/problem_report.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if refused := too_many_problems(request):
        return refused
    form = ProblemForm(request.POST)

    def do() -> object:
        data = form.cleaned_data
        site = f"{request.scheme}://{request.get_host()}"
        return send_problem(user=request.user, address=page, words=data["words"], token=data["token"], site=site)

    tried = tried_form(request, form, do, beside=("words",))
    if not tried.done:
        return show(tried.notice, tried.status)
    messages.success(request, _("Sent to the site owner. Thank you."))
    return redirect(page if _leads_back(request, page) else "desk-show")


def _leads_back(request: HttpRequest, page: str) -> bool:
    """Return whether the page one came from can be opened again: it is one of ours, and no part of it was left out."""
    is_ours = page.startswith("/") and url_has_allowed_host_and_scheme(page, allowed_hosts={request.get_host()})
    return is_ours and HIDDEN not in page and page != reverse("problem-report")


def _page_before(request: HttpRequest) -> str:
    """Return the address of the page from which one came, if it is one of ours and has nothing secret."""
    before = urlsplit(request.META.get("HTTP_REFERER", ""))
    return shown_address(before.path) if before.netloc == request.get_host() else ""
