"""Views that hand a warband over: the owner's offer, and the page behind its link."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guests import is_guest, keep_address
from accounts.models import User
from config.access import login_required, public
from config.htmx import render_page
from config.limits import too_many_offers
from rules.problems import Refusal
from warbands.access import warband_for
from warbands.forms import ActForm
from warbands.founding_forms import HandOverForm
from warbands.idempotency import new_token
from warbands.models import HandOver, Warband
from warbands.pages.formatting import day
from warbands.pages.hand_over import may_read_offer, offer_page, take_page
from warbands.rights import refuse_act
from warbands.services.hand_over import accept_offer, decline_offer, note_told, offer_warband, withdraw_offer
from warbands.views.acting import Notice, attempt, respond, tried_form

logger = logging.getLogger(__name__)


@login_required
@require_http_methods(["GET", "POST"])
def warband_hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Offer a warband to a person, an e-mail address or by a link; withdraw the offer."""
    warband = warband_for(request.user, pk, to="edit")
    refuse_act(request.user, warband, "hand-over")

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = Warband.objects.select_related("terms", "owner").get(pk=pk)
        context = {
            "page": offer_page(fresh, request.user, _site(request)),
            "notice": notice,
            "token": new_token(),
            "seen": fresh.version,
        }
        return render_page(request, "warbands/hand_over.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = HandOverForm(request.POST)
    to = form.cleaned_data["to"].strip() if form.is_valid() else ""
    if _is_address(to) and (refused := too_many_offers(request)):
        return refused
    tried = tried_form(request, form, lambda: _acted(request, warband, form, to), beside=("to", "reason"))
    if tried.done and tried.result.email and tried.result.is_open:
        _send(request, tried.result)
    return respond(request, tried, show, onward=reverse("warband-hand-over", args=[pk]))


def _acted(request: HttpRequest, warband: Warband, form: HandOverForm, to: str) -> HandOver:
    act, data = form.cleaned_data["act"], form.cleaned_data
    if act == "withdraw":
        offer = HandOver.objects.filter(warband=warband, status=HandOver.Status.OPEN).select_related("warband").first()
        if offer is None:
            raise Refusal(_("There is no open offer."), code="gone")
        return withdraw_offer(offer=offer, actor=request.user, token=data["token"])
    if act not in ("offer", "link"):
        raise Refusal(_("Choose something first."))
    whom: dict[str, Any] = {}
    if act == "offer":
        user = User.objects.with_account().filter(username__iexact=to, is_active=True).first()
        if user is None and not _is_address(to):
            raise Refusal(
                _("No user with that name."),
                mend=_("Use the name they sign in with, or an e-mail address."),
                field="to",
            )
        whom = {"to": user} if user is not None else {"email": to}
    return offer_warband(warband=warband, actor=request.user, reason=data["reason"], **whom, **form.once)


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _send(request: HttpRequest, offer: HandOver) -> None:
    """Send the link of an offer. A failure of the mail server is logged, without the address, and told."""
    link = _site(request) + reverse("hand-over-take", args=[offer.code])
    words = [
        _("{giver} offers you the warband {name}.").format(giver=offer.giver, name=offer.warband.name),
        _("Open this link to answer. It works once, until {day}.").format(day=day(offer.open_until)),
        link,
        _("You don't know {giver}? Then ignore this e-mail.").format(giver=offer.giver),
    ]
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("{name} is offered to you").format(name=offer.warband.name)
    try:
        send_mail(subject, "\n\n".join(words), None, [offer.email])
    except (smtplib.SMTPException, OSError) as error:
        logger.error("An offer of a warband was not mailed: %s", type(error).__name__)
        messages.warning(request, _("The e-mail could not be sent. Give the link away yourself."))


@public(reason="An offer is read before one signs in; taking the warband asks for it.")
@require_http_methods(["GET", "POST"])
def hand_over_take(request: HttpRequest, code: str) -> HttpResponse:
    """Show an offer to the other person, who accepts or declines it; and to its owner how it ended."""
    offers = HandOver.objects.select_related("warband__terms", "warband__owner", "giver", "by", "to")
    offer = offers.filter(code=code, warband__is_undone=False).first()
    if offer is None or not may_read_offer(offer, request.user):
        refusal = Refusal(_("This offer is over, or for another player."), mend=_("Ask the owner for a new one."))
        context = {"title": _("A warband for you"), "refusal": refusal}
        return render_page(request, "campaigns/closed_link.html", context, status=404)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"page": take_page(offer, request.user), "notice": notice, "token": new_token()}
        return render_page(request, "warbands/hand_over_take.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if not request.user.is_authenticated or is_guest(request.user):
        page = take_page(offer, request.user)
        return redirect(page.sign_in_href or keep_address(page.here))
    act = request.POST.get("act", "")
    if act == "seen" and offer.giver_id == request.user.pk:
        note_told(offer)
        return redirect("desk-show")
    form = ActForm(request.POST)

    def do() -> Any:
        once = {"offer": offer, "actor": request.user, "token": form.cleaned_data["token"]}
        if act == "accept":
            return accept_offer(**once)
        if act == "decline":
            return decline_offer(**once)
        raise Refusal(_("Choose something first."))

    tried = attempt(request, form, do)
    onward = reverse("warband-show", args=[offer.warband_id]) if act == "accept" else reverse("desk-show")
    if tried.done:
        messages.success(
            request, _("{name} is yours now.").format(name=offer.warband.name)
        ) if act == "accept" else None
        return redirect(onward)
    return respond(request, tried, show, onward=onward)


def _site(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
