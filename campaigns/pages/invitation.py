"""The page of an invitation: what one joins, the three ways to a warband, and the last step with the account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.guests import is_guest, keep_address
from campaigns.models import Administrator, Campaign, Round, Seat
from campaigns.pages.formatting import edition_words, round_words
from campaigns.pages.house_rules import coming_lines
from campaigns.pages.joining import BROUGHT, FOUND, LATER, Bringable, late_words, own_options
from campaigns.settings_schema import house_rule_words
from warbands.labels import has_shop, labels_of
from warbands.pages.formatting import money
from warbands.pages.ready_warbands import ReadyGroup, ready_groups
from warbands.pages.terms import ExplainedTerm, terms_in

READY = "ready:"  # before the id of a ready warband, as a choice of the form


@dataclass(frozen=True, slots=True)
class JoinPage:
    """The invitation. `bring` is the choice of the last step, "" before; `bring_words` say what it does."""

    campaign: str
    asked_by: str
    facts: tuple[tuple[str, str], ...]
    start_words: str
    house_rules: tuple[str, ...]
    notes: str
    finished: bool
    ready: tuple[ReadyGroup, ...]
    own: tuple[Bringable, ...]
    terms: tuple[ExplainedTerm, ...]
    seat_href: str
    here: str
    bring: str
    bring_words: str
    needs_account: bool
    sign_in_href: str


def join_page(campaign: Campaign, user: Any, here: str, bring: str = "") -> JoinPage:
    """Build the page of an invitation. Eight queries, four for a visitor."""
    administrators = [
        str(row.user)
        for row in Administrator.objects.live().filter(campaign=campaign).select_related("user").order_by("pk")
    ]
    seats = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    found = Round.objects.live().filter(campaign=campaign).order_by("-number").first()
    mine = seats.filter(user=user).first() if user.is_authenticated else None
    facts = [(_("Game"), edition_words(campaign)), (_("Players"), str(seats.count()))]
    if rounds := round_words(found, campaign.rounds_planned):
        facts.insert(1, (_("Round"), rounds))
    terms = campaign.terms
    ready = ready_groups(terms.game, terms.edition, terms.content, overlays=terms.overlays, with_closed=False)
    own = own_options(campaign, user)
    words = _bring_words(bring, ready, own)
    after = f"{here}?{urlencode({'bring': bring})}" if words else here
    return JoinPage(
        campaign=campaign.name,
        asked_by=administrators[0] if administrators else "",
        facts=tuple(facts),
        start_words=late_words(campaign) or _usual_start(campaign),
        house_rules=(*house_rule_words(campaign), *(line.told for line in coming_lines(terms))),
        notes=campaign.notes,
        finished=campaign.status != Campaign.Status.RUNNING,
        ready=ready,
        own=own,
        terms=terms_in(labels_of(terms), "threshold", "field_strength") if has_shop(terms) else (),
        seat_href=reverse("seat-show", args=[mine.pk]) if mine is not None else "",
        here=here,
        bring=bring if words else "",
        bring_words=words,
        needs_account=needs_sign_up(user),
        sign_in_href=keep_address(after)
        if is_guest(user)
        else f"{reverse('account_login')}?{urlencode({'next': after})}",
    )


def needs_sign_up(user: Any) -> bool:
    """Return whether the person chooses a user name and a password with the last step."""
    return not user.is_authenticated or is_guest(user)


def _usual_start(campaign: Campaign) -> str:
    if not has_shop(campaign.terms):
        return ""
    lists = campaign.terms.game.founding.lists(campaign.terms.content)
    return _("You start with {price}.").format(price=money(lists[0].start)) if lists else ""


def _bring_words(bring: str, ready: tuple[ReadyGroup, ...], own: tuple[Bringable, ...]) -> str:
    """Return what the choice does, "" for one that is not on the page."""
    if bring.startswith(READY):
        names = {READY + warband.id: warband.name for group in ready for warband in group.warbands}
        return _("You join with {warband}.").format(warband=names[bring]) if bring in names else ""
    fixed = {
        FOUND: _("You join, then build your own warband."),
        BROUGHT: _("You join, then import your warband."),
        LATER: _("You join now and choose a warband later."),
    }
    mine = {row.value: row.title for row in own if not row.closed_reason}
    return fixed.get(bring) or (_("You join with {warband}.").format(warband=mine[bring]) if bring in mine else "")
