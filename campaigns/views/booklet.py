"""The views of a campaign's booklet, which holds all sheets in one file."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from campaigns.access import campaign_by_printer_link, campaign_for
from campaigns.booklet import BookletOptions
from campaigns.models import Booklet, Campaign
from campaigns.pages.booklet import booklet_page, latest_booklet
from campaigns.pages.printer_link import printer_link_page, printer_page
from campaigns.services.booklet import start_booklet
from campaigns.services.printer_link import hand_out_printer_link, revoke_printer_link
from campaigns.views.acting import site_of
from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.views.acting import Notice

PARTIALS = ("booklet_progress", "booklet_strip")


@login_required
@require_http_methods(["GET", "POST"])
def booklet_print(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the contents of the booklet and show its progress. A POST starts it, or redirects to the one that is being drawn."""
    campaign = campaign_for(request.user, pk, to="administer")
    paper = request.user.paper_size  # type: ignore[union-attr]
    if request.method != "POST":
        page = booklet_page(campaign, None, paper)
        return render_page(request, "campaigns/booklet.html", {"page": page}, partials=PARTIALS)
    options = None
    try:
        options = BookletOptions.read(request.POST, paper=paper)
        latest = latest_booklet(campaign)
        at_work = latest is not None and latest.status in Booklet.AT_WORK and not latest.is_silent
        if not at_work and (refused := too_many_sheets(request)):
            return refused
        __, is_new = start_booklet(campaign=campaign, actor=request.user, options=options, site=site_of(request))
    except Refusal as refusal:
        context = {
            "page": booklet_page(campaign, options, paper),
            "notice": Notice("problem", refusal.message, refusal.mend),
        }
        return render_page(request, "campaigns/booklet.html", context, status=422)
    if not is_new:
        messages.info(request, _("A booklet is being created already."))
    return redirect("booklet-print", pk)


@login_required
@require_GET
def booklet_download(request: HttpRequest, pk: int) -> HttpResponse:
    return _file_of(campaign_for(request.user, pk, to="administer"))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def printer_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the link for whoever stands at the printer. A POST hands it out, or revokes it."""
    campaign = campaign_for(request.user, pk, to="administer")
    press = request.POST.get("press")
    if press == "hand-out":
        hand_out_printer_link(campaign=campaign)
    elif press == "revoke":
        revoke_printer_link(campaign=campaign)
    if request.method == "POST":
        return redirect("printer-link", pk)
    context = {"page": printer_link_page(campaign, site_of(request))}
    return render_page(request, "campaigns/printer_link.html", context)


@public(reason="Whoever was given the secret link of a club's booklet prints it, until the link is revoked.")
@never_cache
@require_safe
def printer_show(request: HttpRequest, code: str) -> HttpResponse:
    """Show the progress of the latest booklet to whoever has the campaign's link, and its file once it is there."""
    page = printer_page(campaign_by_printer_link(code), code)
    response = render_page(request, "campaigns/printer.html", {"page": page}, partials=("printer_progress",))
    response["X-Robots-Tag"] = "noindex"
    return response


@public(reason="The file of that link.")
@require_safe
def printer_download(request: HttpRequest, code: str) -> HttpResponse:
    response = _file_of(campaign_by_printer_link(code))
    response["X-Robots-Tag"] = "noindex"
    return response


def _file_of(campaign: Campaign) -> HttpResponse:
    """Return the file of the campaign's booklet. One query. Raises Http404 if there is none."""
    found = Booklet.objects.kept().filter(campaign=campaign, status=Booklet.Status.DONE).defer(None).first()
    if found is None or found.pdf is None:
        raise Http404(_("This campaign has no booklet."))
    response = HttpResponse(bytes(found.pdf), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slugify(campaign.name) or "campaign"}-booklet.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
