"""The view where an administrator reminds players of what they have open."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for
from campaigns.forms import ReminderForm
from campaigns.pages.reminders import reminder_page
from campaigns.services.reminders import remind
from campaigns.views.acting import respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.views.acting import Notice, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def reminder_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who has what open. A POST reminds one of them, or all."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"page": reminder_page(campaign, request.user), "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/reminders.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = ReminderForm(request.POST)

    def do() -> Any:
        only = form.cleaned_data["seat"]
        if only is None and request.POST.get("act") != "all":
            raise Refusal(_("Choose something first."))
        return remind(
            campaign=campaign,
            actor=request.user,
            only=None if only is None else [only],
            token=form.cleaned_data["token"],
        )

    return respond(request, tried_form(request, form, do), show, onward=reverse("reminder-list", args=[pk]))
