"""Views that print: options for a sheet, its PDF, and the PDFs behind a share link."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.access import warband_for
from warbands.models import ShareLink, Snapshot, Warband
from warbands.pages.printing import print_page
from warbands.print_options import PrintOptions
from warbands.printing import file_name, roster_pdf, sheet_choices
from warbands.services.sharing import print_link, take_snapshot
from warbands.views.acting import Notice


@login_required
@require_http_methods(["GET", "POST"])
def roster_print(request: HttpRequest, pk: int) -> HttpResponse:
    """Show options for paper, look and parts. A POST returns the PDF, and keeps the version it shows and links it from the printed code."""
    warband = warband_for(request.user, pk, to="edit")
    paper = request.user.paper_size  # type: ignore[union-attr]
    if request.method == "GET":
        return render_page(request, "warbands/print.html", {"page": print_page(warband, PrintOptions(paper=paper))})
    try:
        options = PrintOptions.read(request.POST, paper=paper)
        options.wanted(sheet_choices(warband.terms))
        if refused := too_many_sheets(request):
            return refused
        link = ""
        if not request.POST.get("unlinked"):
            snapshot = take_snapshot(warband, _("Printed"))
            share = print_link(warband)
            link = request.build_absolute_uri(reverse("warband-watch-version", args=[share.slug, snapshot.version]))
    except Refusal as refusal:
        notice = Notice("problem", refusal.message, refusal.mend)
        context = {"page": print_page(warband, PrintOptions(paper=paper)), "notice": notice}
        return render_page(request, "warbands/print.html", context, status=422)
    return pdf_response(warband, roster_pdf(warband, options, link=link))


@login_required
@require_GET
def roster_download(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the PDF of the current roster. Writes nothing: the code is printed only if this version is already kept and linked."""
    warband = warband_for(request.user, pk, to="read")
    try:
        options = PrintOptions.read(request.GET, paper=request.user.paper_size)  # type: ignore[union-attr]
        options.wanted(sheet_choices(warband.terms))
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    shared = not may_edit(request, warband)
    return pdf_response(warband, roster_pdf(warband, options, link=kept_link(request, warband), shared=shared))


@public(reason="A share link is for whoever has it; revoked it answers 404.")
@require_GET
def watch_download(request: HttpRequest, slug: str, version: int | None = None) -> HttpResponse:
    share = get_object_or_404(
        ShareLink.objects.live().select_related("warband__terms", "warband__owner"), slug=slug, is_revoked=False
    )
    warband: Warband = share.warband
    snapshot = None
    if version is not None:
        snapshot = get_object_or_404(Snapshot, warband=warband, version=version)
        link = request.build_absolute_uri(reverse("warband-watch-version", args=[slug, version]))
    else:
        link = request.build_absolute_uri(reverse("warband-watch", args=[slug]))
    try:
        options = PrintOptions.read(request.GET)
        options.wanted(sheet_choices(warband.terms))
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    return pdf_response(
        warband, roster_pdf(warband, options, link=link, snapshot=snapshot, shared=not share.shows_money)
    )


def pdf_response(warband: Warband, pdf: bytes) -> HttpResponse:
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{file_name(warband)}"'
    return response


def kept_link(request: HttpRequest, warband: Warband) -> str:
    """Return the absolute address of the current version if it is kept and linked; else an empty string. Two queries."""
    share = ShareLink.objects.live().filter(warband=warband, for_print=True, is_revoked=False).first()
    if share is None or not Snapshot.objects.filter(warband=warband, version=warband.version).exists():
        return ""
    return request.build_absolute_uri(reverse("warband-watch-version", args=[share.slug, warband.version]))


def may_edit(request: HttpRequest, warband: Warband) -> bool:
    try:
        warband_for(request.user, warband.pk, to="edit")
    except PermissionDenied:
        return False
    return True
