"""Views of the list of warbands, of a warband's main page, and of the end of its founding."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guests import limit_sign_up
from accounts.sign_in_forms import SignUpForm, guest_sign_up, sign_in_new
from config.access import login_required
from config.htmx import render_page
from warbands.access import may, warband_for
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Warband
from warbands.pages.addresses import href_of
from warbands.pages.builder import ready_page, warband_page
from warbands.pages.cards import opened_href
from warbands.pages.listing import list_page
from warbands.pages.roster import read_roster
from warbands.pages.states import pin_words
from warbands.pages.widgets import Link
from warbands.services.founding import make_ready
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, respond
from warbands.views.fetch import fresh_roster, whole_number


@login_required
@require_safe
def warband_list(request: HttpRequest) -> HttpResponse:
    page = list_page(request.user, page=whole_number(request, "page"))
    return render_page(request, "warbands/warband_list.html", {"page": page})


@login_required
@require_safe
def warband_show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one warband: the builder to users who may act on it, the roster to users who may only read it."""
    warband = warband_for(request.user, pk, to="read")
    return show_warband(request, warband, opened=request.GET.get("fighter", ""))


def show_warband(
    request: HttpRequest, warband: Warband, *, notice: Notice | None = None, status: int = 200, opened: str = ""
) -> HttpResponse:
    acts = may(request.user, warband, "edit")
    page = warband_page(read_roster(warband), user=request.user, acts=acts, opened=opened)
    context = {"page": page, "notice": notice, "rules_link": _rules_link(warband) if acts else None}
    return render_page(request, "warbands/warband.html", context, status=status)


def _rules_link(warband: Warband) -> Link | None:
    """Return where rules that the warband uses and that changed on this server are compared, None if none did."""
    if not pin_words(warband.terms):
        return None
    return Link(_("See what changed"), href_of("warband-states", warband.pk))


@login_required
@sensitive_post_parameters("password1")
@require_http_methods(["GET", "POST"])
def warband_ready(request: HttpRequest, pk: int) -> HttpResponse:
    """Lock a new warband in. A guest chooses user name and password in the same form and becomes an account."""
    warband = warband_for(request.user, pk, to="edit")
    if not warband.is_founding:
        return redirect("warband-show", pk)
    sign_up = guest_sign_up(request)
    if request.method != "POST":
        return _show_ready(request, warband, sign_up)
    if sign_up is not None and (refused := limit_sign_up(request)):
        return refused
    form = ActForm(request.POST)

    def do() -> Warband:
        with transaction.atomic():
            actor = sign_up.save_account(request) if sign_up is not None else request.user
            return make_ready(warband=warband, actor=actor, **form.once)

    wanting = sign_up is not None and not sign_up.is_valid()
    tried = Attempt(False, 422) if wanting else attempt(request, form, do)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        return _show_ready(request, warband, sign_up, notice, status)

    said = _("{warband} is ready to play.").format(warband=warband.name) if tried.done else ""
    if tried.done and sign_up is not None:
        add_success_message(request, tried.event, said=said)
        return sign_in_new(request, sign_up, onward=warband_address(pk))
    return respond(request, tried, show, onward=warband_address(pk), said=said)


def _show_ready(
    request: HttpRequest,
    warband: Warband,
    sign_up: SignUpForm | None,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    page = ready_page(fresh_roster(warband))
    context = {"page": page, "problems": page.problems, "notice": notice, "token": new_token(), "sign_up": sign_up}
    return render_page(request, "warbands/ready.html", context, status=status)


def warband_address(pk: int, fighter: int | None = None) -> str:
    """Return the roster, with this fighter open."""
    return opened_href(pk, fighter) if fighter else href_of("warband-show", pk)
