"""The site owner's views of campaign files. To everybody else these addresses do not exist."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.site_owner import refuse_others
from campaigns.models import IncomingCampaign
from campaigns.pages.site import site_tabs
from campaigns.pages.site_campaigns import incoming_lines, incoming_page
from campaigns.people_forms import CampaignFileForm
from campaigns.services.incoming import drop_incoming, keep_incoming, named_accounts, start_import
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.views.acting import Notice, told_by


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def site_campaigns(request: HttpRequest) -> HttpResponse:
    """List the campaign files of the last week. A POST checks and keeps one; nothing of it is imported yet."""
    refuse_others(request.user)
    form, notice, status = CampaignFileForm(), None, 200
    if request.method == "POST":
        form, status = CampaignFileForm(request.POST, request.FILES), 422
        if form.is_valid():
            try:
                row = keep_incoming(form.cleaned_data["file"], actor=request.user)
            except Refusal as refusal:
                notice = Notice("problem", refusal.message, refusal.mend)
            else:
                return redirect("site-campaign", row.pk)
        else:
            notice = told_by(form)
    context = {"tabs": site_tabs("site-campaigns"), "form": form, "lines": incoming_lines(), "notice": notice}
    return render_page(request, "campaigns/site_campaigns.html", context, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def site_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a file holds, who is who, and how far its import is. A POST starts the import, or deletes the file."""
    refuse_others(request.user)
    row = get_object_or_404(IncomingCampaign.objects.defer("data").select_related("campaign", "sender"), pk=pk)
    typed: dict[int, str] = {}
    notice = None
    if request.method == "POST":
        typed = {
            person["number"]: request.POST.get(f"who_{person['number']}", "")[:150] for person in row.told["people"]
        }
        try:
            return _act(request, row, typed)
        except Refusal as refusal:
            notice = Notice("problem", refusal.message, refusal.mend, field=refusal.field)
    context = {"page": incoming_page(row, typed), "notice": notice, "is_asked": request.htmx}  # type: ignore[attr-defined]
    return render_page(
        request,
        "campaigns/site_campaign.html",
        context,
        status=422 if notice else 200,
        partials=("import_progress",),
    )


def _act(request: HttpRequest, row: IncomingCampaign, typed: dict[int, str]) -> HttpResponse:
    if request.POST.get("act") == "delete":
        drop_incoming(row)
        messages.success(request, _("The file is deleted."))
        return redirect("site-campaigns")
    if row.state == IncomingCampaign.State.DONE:
        return redirect("site-campaign", row.pk)
    if not start_import(row, who=named_accounts(row, typed), actor=request.user):
        messages.info(request, _("This campaign is being imported already."))
    return redirect("site-campaign", row.pk)
