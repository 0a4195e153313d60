"""Views of the history of a warband, and of undoing one of its events."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import may, warband_for
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Warband
from warbands.pages.history import history_page, undo_page
from warbands.undo import undo
from warbands.views.acting import Notice, add_success_message, attempt
from warbands.views.fetch import event_for, whole_number


@login_required
@require_safe
def history_show(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="read")
    page = history_page(
        warband,
        user=request.user,
        which=request.GET.get("show", "all"),
        page=whole_number(request, "page"),
        acts=may(request.user, warband, "edit"),
    )
    return render_page(request, "warbands/history.html", {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def event_undo(request: HttpRequest, pk: int) -> HttpResponse:
    home, event = event_for(request.user, pk)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = home
        if request.method == "POST":  # the attempt may have found another version
            fresh = type(home)._base_manager.filter(pk=home.pk).first() or home
        context = {"page": undo_page(event, fresh), "notice": notice, "token": new_token()}
        return render_page(request, "warbands/undo.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = ActForm(request.POST)
    tried = attempt(request, form, lambda: undo(event=event, actor=request.user, **form.once))
    if not tried.done:
        return show(tried.notice, tried.status)
    stands = type(home)._base_manager.filter(pk=home.pk, is_undone=False).exists()
    if not isinstance(home, Warband):
        add_success_message(request, tried.event)
        return redirect("profile-write", home.pk) if stands else redirect("profile-list")
    add_success_message(request, tried.event, warband=home if stands else None)
    if not stands:
        return redirect("warband-list")
    back = request.POST.get("back", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back) if is_ours else redirect("history-show", home.pk)
