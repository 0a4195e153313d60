"""The pages on which a warband is offered to another person, and on which that person answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.guests import is_guest, keep_address
from config.qr import code_of
from warbands.host import host
from warbands.labels import worth_of
from warbands.models import HandOver, Warband
from warbands.pages.formatting import day
from warbands.pages.rule_links import names_of
from warbands.pages.widgets import Link
from warbands.services.hand_over import may_take


@dataclass(frozen=True, slots=True)
class OfferPage:
    """The owner's page. `waiting` says what an open offer waits for, "" without one; `address` is its link.

    `owner` is the name of the person in whose name an administrator acts, "" for the owner.
    """

    here: str
    back: Link
    name: str
    owner: str
    goes_with: str
    waiting: str
    until: str
    address: str
    drawn: SafeString
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakePage:
    """What the other person sees, or the owner afterwards. `told` says how the offer ended, "" while it is open."""

    here: str
    name: str
    words: str
    giver: str
    made_by: str
    reason: str
    goes_with: str
    until: str
    told: str
    own: Link | None
    sign_in_href: str
    sign_up_href: str


def offer_page(warband: Warband, user: Any, site: str) -> OfferPage:
    """Build the page. Two queries, and those of the host."""
    offers = list(HandOver.objects.filter(warband=warband).select_related("to", "by")[:10])
    waiting = next((each for each in offers if each.is_open), None)
    address = site + reverse("hand-over-take", args=[waiting.code]) if waiting is not None else ""
    return OfferPage(
        here=reverse("warband-hand-over", args=[warband.pk]),
        back=Link(warband.name, reverse("warband-show", args=[warband.pk])),
        name=warband.name,
        owner=str(warband.owner) if warband.owner_id != user.pk else "",
        goes_with=_goes_with(warband),
        waiting=_waiting(waiting) if waiting is not None else "",
        until=day(waiting.open_until) if waiting is not None else "",
        address=address,
        drawn=code_of(address) if address else SafeString(""),
        past=tuple(_ended(each) for each in offers if not each.is_open),
    )


def take_page(offer: HandOver, user: Any) -> TakePage:
    """Build the page of an offer for its reader. One query of the host."""
    warband = offer.warband
    here = reverse("hand-over-take", args=[offer.code])
    sign_in = sign_up = ""
    if is_guest(user):
        sign_up = keep_address(here)
    elif not user.is_authenticated:
        after = urlencode({"next": here})
        sign_in, sign_up = f"{reverse('account_login')}?{after}", f"{reverse('account_signup')}?{after}"
    is_own = user.is_authenticated and user.pk == offer.giver_id
    in_name = offer.by is not None and offer.by_id != offer.giver_id
    return TakePage(
        here=here,
        name=warband.name,
        words=f"{names_of(warband.terms).list_words(warband.list_id)}, {worth_of(warband)}",
        giver=str(offer.giver),
        made_by=str(offer.by) if in_name else "",
        reason=offer.reason,
        goes_with=_goes_with(warband),
        until=day(offer.open_until),
        told="" if offer.is_open else _ended(offer),
        own=Link(_("Open the offer"), reverse("warband-hand-over", args=[warband.pk]))
        if is_own and offer.is_open
        else None,
        sign_in_href=sign_in,
        sign_up_href=sign_up,
    )


def may_read_offer(offer: HandOver, user: Any) -> bool:
    """Return whether an offer's page is for this reader: while it is open, also for whoever has an unnamed link."""
    if user.is_authenticated and user.pk == offer.giver_id:
        return True
    if not offer.is_open:
        return False
    return may_take(offer, user) or (not user.is_authenticated or is_guest(user))


def _waiting(offer: HandOver) -> str:
    if offer.to is not None:
        return _("Offered to {name}.").format(name=offer.to)
    if offer.email:
        return _("Offered to {email}.").format(email=offer.email)
    return _("The first person to open this link can take it over.")


def _ended(offer: HandOver) -> str:
    when = day(offer.settled_at or offer.open_until)
    who = str(offer.to) if offer.to is not None else _("the other person")
    words = {
        HandOver.Status.ACCEPTED: _("{day}: {who} took it over."),
        HandOver.Status.DECLINED: _("{day}: {who} declined."),
        HandOver.Status.WITHDRAWN: _("{day}: withdrawn."),
        HandOver.Status.OPEN: _("{day}: not answered in time."),
    }
    return words[HandOver.Status(offer.status)].format(day=when, who=who)


def _goes_with(warband: Warband) -> str:
    """Return what changes hands: the history, and the place in a campaign where there is one."""
    rows = host().rows_with_owner(warband)
    if rows:
        return _("Its history, links and results go with it, and its place in {campaign}.").format(campaign=rows[0])
    return _("Its history and links go with it.")
