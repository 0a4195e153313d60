"""Views that print: options for a sheet, its PDF, and the PDFs behind a share link."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_sheets
from rules.problems import Refusal
from warbands.access import warband_for
from warbands.book import book_pdf
from warbands.models import PrintSetup, ShareLink, Snapshot, Warband
from warbands.pages.printing import print_page, with_all
from warbands.print_options import PrintOptions
from warbands.printing import file_name, roster_pdf, sheet_choices
from warbands.services.print_setups import drop_print_setup, keep_print_setup
from warbands.services.sharing import printed_path
from warbands.views.acting import Notice


@login_required
@require_http_methods(["GET", "POST"])
def roster_print(request: HttpRequest, pk: int) -> HttpResponse:
    """Show options for paper, look and parts. A POST returns the PDF, and keeps the version it shows and links it from the printed code."""
    warband = warband_for(request.user, pk, to="edit")
    paper = request.user.paper_size  # type: ignore[union-attr]
    here = reverse("roster-print", args=[pk])
    if request.method == "GET":
        setup = PrintSetup.objects.filter(warband=warband, name=_setup_name(request.GET)).first()
        options = PrintOptions.of(setup.options) if setup is not None else PrintOptions(paper=paper)
        page = print_page(warband, options, setup_name=setup.name if setup is not None else "")
        return render_page(request, "warbands/print.html", {"page": page})
    if request.POST.get("drop"):
        drop_print_setup(warband=warband, name=_setup_name(request.POST))
        return redirect(here)
    options = PrintOptions(paper=paper)
    try:
        options = with_all(warband, PrintOptions.read(request.POST, paper=paper))
        options.wanted(sheet_choices(warband.terms))
        if request.POST.get("keep"):
            kept = keep_print_setup(warband=warband, name=request.POST.get("setup", ""), options=options)
            return redirect(f"{here}?{urlencode({'setup': kept.name})}")
        if refused := too_many_sheets(request):
            return refused
        link = ""
        if not request.POST.get("unlinked"):
            link = request.build_absolute_uri(printed_path(warband))
    except Refusal as refusal:
        notice = Notice("problem", refusal.message, refusal.mend)
        page = print_page(warband, options, setup_name=_setup_name(request.POST))
        context = {"page": page, "notice": notice}
        return render_page(request, "warbands/print.html", context, status=422)
    return pdf_response(warband, roster_pdf(warband, options, link=link))


def _setup_name(data: QueryDict) -> str:
    return data.get("setup", "").replace("\x00", "")[:40]  # type: ignore[no-any-return]


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


@login_required
@require_GET
def warband_book(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the book of the warband as PDF."""
    warband = warband_for(request.user, pk, to="read")
    try:
        options = PrintOptions.read(request.GET, paper=request.user.paper_size)  # type: ignore[union-attr]
    except Refusal as refusal:
        return render_page(request, "400.html", {"words": str(refusal)}, status=400)
    if refused := too_many_sheets(request):
        return refused
    return pdf_response(warband, book_pdf(warband, options.paper), f"{slugify(warband.name) or 'warband'}-book.pdf")


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


def pdf_response(warband: Warband, pdf: bytes, name: str = "") -> HttpResponse:
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name or file_name(warband)}"'
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
