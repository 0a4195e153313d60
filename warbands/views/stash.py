"""Views of the stash and the strongbox."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.access import login_required
from config.htmx import render_page
from warbands.access import may, warband_for
from warbands.labels import has_shop
from warbands.models import Warband
from warbands.pages.offers import row_key
from warbands.pages.parts import stash_parts
from warbands.pages.roster import Roster, read_roster
from warbands.pages.stash import ledger_page, stash_page
from warbands.services.kit import buy_item
from warbands.views.acting import Notice, attempt, respond
from warbands.views.fetch import fresh_roster, whole_number
from warbands.views.offers import OOB, choosing_form, find_of, offer_form, stood_order, take_of
from warbands.views.parts import render_parts


@login_required
@require_http_methods(["GET", "POST"])
def stash_show(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="read")
    if not has_shop(warband.terms):
        raise Http404
    acts = may(request.user, warband, "edit")
    if request.method != "POST":
        return show_stash(request, warband, acts=acts, roster=read_roster(warband))
    if not acts:
        raise PermissionDenied(_("Only the owner and the owner's delegates can change this warband."))
    roster = read_roster(warband)
    wanted = request.POST.get("offer", "")
    offer = roster.item_offer(wanted)
    form = offer_form(request, offer)
    tried = attempt(
        request,
        form,
        lambda: buy_item(
            warband=warband,
            offer_id=form.cleaned_data["offer"],
            choices=getattr(form, "chosen", None),
            actor=request.user,
            **form.once,
        ),
    )

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return show_stash(request, warband, notice, status, acts=True, form=None if tried.done else form)

    said = _("Bought {item}.").format(item=offer.name) if tried.done and offer is not None else ""
    return respond(request, tried, show, onward=f"{request.get_full_path()}#{row_key(wanted)}", said=said)


def show_stash(
    request: HttpRequest,
    warband: Warband,
    notice: Notice | None = None,
    status: int = 200,
    *,
    acts: bool,
    roster: Roster | None = None,
    form: Any = None,
) -> HttpResponse:
    page = stash_page(
        roster or fresh_roster(warband),
        acts=acts,
        find=find_of(request),
        take=take_of(request, form),
        order=stood_order(request),
    )
    context = {
        "page": page,
        "shop": page.shop,
        "bar": page.bar,
        "notice": notice,
        "form": choosing_form(page.shop.opened, form, page.seen) if page.shop else None,
    }
    parts = stash_parts(page)
    return render_parts(request, "warbands/stash.html", context, parts, partial="stash", oob=OOB, status=status)


@login_required
@require_safe
def ledger_list(request: HttpRequest, pk: int) -> HttpResponse:
    warband = warband_for(request.user, pk, to="read")
    if not has_shop(warband.terms):
        raise Http404
    acts = may(request.user, warband, "edit")
    page = ledger_page(warband, page=whole_number(request, "page"), acts=acts)
    return render_page(request, "warbands/ledger.html", {"page": page})
