"""The view that brings many roster files to a campaign at once."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for
from campaigns.models import Campaign
from campaigns.pages.bulk_import import bulk_import_page
from campaigns.people_forms import BulkFilesForm, BulkPlacesForm
from campaigns.services.bulk_import import (
    bring_files,
    choose_seats,
    import_ready,
    is_at_work,
    keep_unknown,
    leave_file,
    take_up_again,
    tell_players,
)
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.pages.addresses import with_query
from warbands.views.acting import Notice, attempt

_SEAT = re.compile(r"seat_(\d{1,17})", re.ASCII)


@login_required
@require_http_methods(["GET", "POST"])
def bulk_import(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the files that were brought to a campaign, with what each holds. A POST brings more, or acts on them."""
    campaign = campaign_for(request.user, pk, to="administer")

    def show(notice: Notice | None, status: int, form: BulkFilesForm | None = None) -> HttpResponse:
        page = bulk_import_page(campaign, unsaved=_chosen(request.GET))
        context = {
            "page": page,
            "notice": notice,
            "form": form or BulkFilesForm(),
            "token": new_token(),
            "other_token": new_token(),
            "is_asked": bool(request.htmx) and "bulk_progress" in (request.htmx.target or ""),  # type: ignore[attr-defined]
        }
        return render_page(request, "campaigns/bulk_import.html", context, partials=("bulk_progress",), status=status)

    if request.method != "POST":
        return show(None, 200)
    if request.POST.get("act") == "bring":
        form = BulkFilesForm(request.POST, request.FILES)
        if not form.is_valid():
            return show(None, 422, form)
        try:
            _told_of_files(
                request, *bring_files(campaign=campaign, actor=request.user, files=form.cleaned_data["files"])
            )
        except Refusal as refusal:
            return show(Notice("problem", refusal.message, refusal.mend), 422)
        return redirect("bulk-import", pk)
    tried = attempt(request, BulkPlacesForm(request.POST), lambda: _acted(request, campaign))
    if not tried.done:
        return show(tried.notice, tried.status)
    return redirect(with_query(reverse("bulk-import", args=[pk]), _unsaved(request)))


def _chosen(sent: QueryDict) -> dict[int, str]:
    """Return the places chosen in a form or an address, by the number of the file."""
    return {int(found[1]): value[:20] for name, value in sent.items() if (found := _SEAT.fullmatch(name))}


def _unsaved(request: HttpRequest) -> dict[str, str]:
    """Return the places chosen beside the file that was removed: they are not saved, so the address keeps them."""
    if not request.POST.get("remove"):
        return {}
    return {f"seat_{pk}": value for pk, value in _chosen(request.POST).items() if str(pk) != request.POST["remove"]}


def _told_of_files(request: HttpRequest, new: int, known: int) -> None:
    words = ngettext("{new} file brought.", "{new} files brought.", new).format(new=new)
    if known:
        again = ngettext("{known} was here already.", "{known} were here already.", known).format(known=known)
        words = f"{words} {again}"
    messages.success(request, words)


def _acted(request: HttpRequest, campaign: Campaign) -> Any:
    """Keep the chosen places, then do what was pressed: import all that are ready, remove a file, or read on."""
    act, sent = request.POST.get("act", ""), request.POST
    if act == "again":
        take_up_again(campaign=campaign)
        return None
    remove = sent.get("remove", "")
    if remove:
        if remove.isascii() and remove.isdigit() and len(remove) < 18:
            leave_file(campaign=campaign, pk=int(remove))
        return None
    chosen = _chosen(sent)
    choose_seats(campaign=campaign, actor=request.user, chosen=chosen, token=sent.get("token", ""))
    if act == "custom":
        keep_unknown(campaign=campaign)
    tell_players(campaign=campaign, actor=request.user, chosen=chosen)
    if act == "import":
        count = import_ready(campaign=campaign, actor=request.user)
        if not count and not is_at_work(campaign):
            raise Refusal(_("No file is ready."), mend=_("Choose places, and check the open names."), code="none")
    return None
