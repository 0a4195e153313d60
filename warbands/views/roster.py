"""Views of the list of warbands, of a warband's main page, and of the end of its founding."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import may, warband_for
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Warband
from warbands.pages.builder import ready_page, warband_page
from warbands.pages.listing import list_page
from warbands.pages.roster import read_roster
from warbands.services.founding import make_ready
from warbands.views.acting import Notice, attempt, respond
from warbands.views.fetch import fresh_roster, whole_number


@login_required
@require_safe
def warband_list(request: HttpRequest) -> HttpResponse:
    page = list_page(request.user, page=whole_number(request, "page"))
    return render_page(request, "warbands/warband_list.html", {"page": page})


@login_required
@require_safe
def warband_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one warband: the builder to users who may act on it, the roster to users who may only read it."""
    warband = warband_for(request.user, pk, to="read")
    return show_warband(request, warband, changed=request.GET.get("changed", ""))


def show_warband(
    request: HttpRequest, warband: Warband, *, notice: Notice | None = None, status: int = 200, changed: str = ""
) -> HttpResponse:
    acts = may(request.user, warband, "edit")
    page = warband_page(read_roster(warband), user=request.user, acts=acts, changed=changed)
    context = {"page": page, "bar": page.bar, "notice": notice, "problems": page.problems}
    return render_page(request, "warbands/warband.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def warband_ready(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    if not warband.is_founding:
        return redirect("warband-show", pk)
    if request.method != "POST":
        return _show_ready(request, warband)
    form = ActForm(request.POST)
    tried = attempt(request, form, lambda: make_ready(warband=warband, actor=request.user, **form.once))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show_ready(request, warband, notice, status)

    return respond(
        request, tried, show, onward=warband_address(pk), said=f"{warband.name} is ready to play." if tried.done else ""
    )


def _show_ready(
    request: HttpRequest, warband: Warband, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    page = ready_page(fresh_roster(warband))
    context = {"page": page, "problems": page.problems, "notice": notice, "token": new_token()}
    return render_page(request, "warbands/ready.html", context, status=status)


def warband_address(pk: int, fighter: int | None = None) -> str:
    here = reverse("warband-show", args=[pk])
    return f"{here}?changed={fighter}#fighter_card_{fighter}" if fighter else here
