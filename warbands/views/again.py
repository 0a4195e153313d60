"""Views that bring a roster again: choose its file, look at what differs, and take chosen differences over."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.access import warband_for
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import PaperDraft, Warband
from warbands.pages.again import again_page
from warbands.pages.widgets import Link
from warbands.services.again import compare, start_again, take_over
from warbands.transcription_forms import PasteForm
from warbands.views.acting import Notice, add_success_message, attempt, renewed


@login_required
@require_http_methods(["GET", "POST"])
def warband_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a file of a roster that is here already. The next page shows what differs."""
    warband = warband_for(request.user, pk, to="edit")
    if warband.terms.game.text_import is None:
        raise Http404(_("No other program keeps rosters of this game."))
    form = PasteForm(request.POST or None, request.FILES or None, initial={"token": new_token()})
    notice = None
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        try:
            draft = start_again(
                warband=warband, owner=request.user, data=sent["data"], name=str(sent.get("name") or "")
            )
        except Refusal as refusal:
            notice = Notice("problem", refusal.message, refusal.mend)
        else:
            if draft.data.get("fighters"):
                return redirect("warband-again-compare", pk, draft.pk)
            return redirect("paper-settle", draft.pk)
    back = Link(warband.name, reverse("warband-show", args=[pk]))
    context = {"form": renewed(form) if form.is_bound else form, "notice": notice, "back": back, "warband": warband}
    return render_page(request, "warbands/again.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "POST"])
def warband_again_compare(request: HttpRequest, pk: int, draft: int) -> HttpResponse:
    """Show what differs between a roster and its file. A POST takes the chosen differences over."""
    warband = warband_for(request.user, pk, to="edit")
    row = PaperDraft.objects.filter(pk=draft, owner=request.user, again=warband).select_related("again__terms").first()
    if row is None:
        if request.method == "POST":  # pressed twice: the first press took it over
            return redirect("warband-show", pk)
        raise Http404(_("This comparison is over."))
    form = ActForm(request.POST or None)
    chosen = [key[:60] for key in request.POST.getlist("change")][:400]

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = Warband.objects.select_related("terms", "owner").get(pk=pk)
        try:
            found = compare(row, fresh)
        except Refusal:
            return redirect("paper-settle", row.pk)
        page = again_page(row, fresh, found, chosen if request.method == "POST" else None)
        context = {"page": page, "notice": notice, "token": new_token()}
        return render_page(request, "warbands/again_compare.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)

    def do() -> Any:
        return take_over(draft=row, warband=warband, chosen=chosen, actor=request.user, **form.once)

    tried = attempt(request, form, do)
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event)
    return redirect("warband-show", pk)
