"""Views of share links, of the pages they open, and of the roster as a document."""

from __future__ import annotations

import io
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.access import may, shared, warband_for
from warbands.founding_forms import ShareForm
from warbands.idempotency import new_token
from warbands.models import ImportedFile, ShareLink, Snapshot, Warband
from warbands.pages.roster import read_roster
from warbands.pages.sharing import WatchPage, form_shown, share_page, version_page, watch_page
from warbands.rights import may_act
from warbands.services.documents import export_document, roster_in_form, roster_text
from warbands.services.sharing import revoke_link, share_warband
from warbands.views.acting import Notice, attempt, renewed, respond


@login_required
@require_http_methods(["GET", "POST"])
def warband_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the share links of a warband; make one, or revoke one."""
    warband = warband_for(request.user, pk, to="edit")
    once = {"seen": warband.version, "token": new_token()}
    form = ShareForm(request.POST or None, terms=warband.terms, initial=once)

    def do() -> Any:
        if form.cleaned_data["revoke"]:
            link = ShareLink.objects.live().filter(pk=form.cleaned_data["revoke"], warband=warband).first()
            if link is None:
                raise Http404(_("No such link."))
            return revoke_link(link=link, actor=request.user, **form.once)
        return share_warband(
            warband=warband,
            name=form.cleaned_data["name"] or _("Share link"),
            shows_money=form.cleaned_data["shows_money"],
            shows_notes=form.cleaned_data["shows_notes"],
            actor=request.user,
            **form.once,
        )

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = Warband.objects.select_related("terms", "owner").get(pk=pk)
        revokes = may_act(request.user, warband, "revoke")
        page = share_page(fresh, absolute=request.build_absolute_uri, may_revoke=revokes)
        context = {
            "page": page,
            "form": renewed(form, fresh.version) if form.is_bound else form,
            "notice": notice,
            "shown": form_shown(fresh, request.GET.get("form", "")),
        }
        return render_page(request, "warbands/share.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    return respond(request, attempt(request, form, do), show, onward=reverse("warband-share", args=[pk]))


@login_required
@require_safe
@never_cache
def warband_export(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="edit")
    response = JsonResponse(export_document(warband), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = (
        f'attachment; filename="{slugify(warband.name) or "warband"}-v{warband.version}.json"'
    )
    return response


@login_required
@require_safe
def warband_original(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand out the file or text that the warband was imported from, byte for byte."""
    warband = warband_for(request.user, pk, to="edit")
    kept = ImportedFile.objects.filter(warband=warband).first()
    if kept is None:
        raise Http404(_("This warband was not imported from a file."))
    # Never shown as a page: it is somebody else's file.
    return FileResponse(
        io.BytesIO(bytes(kept.data)), as_attachment=True, filename=kept.name, content_type="application/octet-stream"
    )


@public(reason="Whoever was given the link may read the warband; its owner can revoke it.")
@require_safe
def warband_watch(request: HttpRequest, slug: str) -> HttpResponse:
    link = shared(slug)
    if as_text(request):
        return text_response(roster_text(link.warband, shows_money=link.shows_money))
    return _show_watch(request, watch_page(read_roster(link.warband), link))


@public(reason="Whoever was given the link may read the kept versions of the warband.")
@require_safe
def warband_watch_version(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    link = shared(slug)
    kept = Snapshot.objects.select_related("warband__terms").filter(warband=link.warband, version=version)
    snapshot = (kept if as_text(request) else kept.defer("document")).first()
    if snapshot is None:
        raise Http404(_("No such version."))
    if as_text(request):
        return text_response(roster_text(link.warband, snapshot=snapshot, shows_money=link.shows_money))
    return _show_watch(request, version_page(snapshot, link))


def _show_watch(request: HttpRequest, page: WatchPage) -> HttpResponse:
    response = render_page(request, "warbands/watch.html", {"page": page})
    response["X-Robots-Tag"] = "noindex"
    return response


@login_required
@require_safe
@never_cache
def warband_text(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the roster as plain text that can be pasted anywhere and imported again, or in the form that is asked.

    Only users who may act on the warband get the strongbox and the stash.
    """
    warband = warband_for(request.user, pk, to="read")
    shows_money, form = may(request.user, warband, "edit"), request.GET.get("form", "")
    if not form:
        return text_response(roster_text(warband, shows_money=shows_money))
    try:
        text = roster_in_form(warband, form, shows_money=shows_money)
    except Refusal as refusal:
        raise Http404(str(refusal)) from None
    response = text_response(text)
    if form == "battlescribe":  # other forms are copied off the page
        name = f"{slugify(warband.name) or 'warband'}.ros"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def as_text(request: HttpRequest) -> bool:
    return request.GET.get("as") == "text"


def text_response(text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["X-Robots-Tag"] = "noindex"
    return response
