"""The hiring page: every recruitment entry of the list, with its price, its limit and the reason why it is closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from rules.parts.offer import Offer
from warbands.labels import has_shop, word
from warbands.models import Warband
from warbands.pages.addresses import card_href, filled, href_of, with_query
from warbands.pages.cards import profile_and_rating
from warbands.pages.offers import OfferGroup, OfferRow, closed_count, grouped, offer_row, opened_row
from warbands.pages.roster import PROFILE_KINDS, Roster
from warbands.pages.widgets import BudgetBar, Link, budget_bar


@dataclass(frozen=True, slots=True)
class Brief:
    name: str
    href: str
    words: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class HirePage:
    """What may be hired. `find` and `closed` are the state of the filter; `opened` is the row with open choices."""

    pk: int
    name: str
    here: str
    address: str
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    find: str
    closed: bool
    closed_count: int
    empty_words: str
    verb: str
    library: Link | None
    bar: BudgetBar
    brief: tuple[Brief, ...]
    seen: int


def hire_address(warband: Warband, *, find: str = "", closed: bool = True, take: str = "") -> str:
    query = filled(find=find, set="" if closed else "1", take=take)
    return with_query(href_of("fighter-hire", warband.pk), query, "offer_choices" if take else "")


def hire_page(
    roster: Roster, *, find: str = "", closed: bool = True, take: str = "", changed: str = "", order: Sequence[str] = ()
) -> HirePage:
    """Build the hiring page; `order` as for `grouped`. No queries on top of the roster."""
    warband = roster.warband
    address = hire_address(warband, find=find, closed=closed)
    offers = roster.hire_offers()
    verb = word(warband.terms, "hire", "Hire")

    def row(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb=verb,
            with_price=has_shop(warband.terms),
            url=address,
            fields={"offer": offer.id, "seen": str(warband.version)},
            href=roster.names.href(offer.ref, *PROFILE_KINDS),
            choose_href=hire_address(warband, find=find, closed=closed, take=offer.id),
            opened=take,
            changed=changed,
        )

    groups = grouped(offers, row, find=find, closed=closed, order=order)
    return HirePage(
        pk=warband.pk,
        name=warband.name,
        here=href_of("fighter-hire", warband.pk),
        address=address,
        groups=groups,
        opened=opened_row(groups),
        find=find,
        closed=closed,
        closed_count=closed_count(offers),
        empty_words=f"Nothing called “{find}” is on offer." if find else "Nothing is open to hire.",
        verb=verb,
        library=_library(roster),
        bar=budget_bar(roster, main=Link("Done", href_of("warband-show", warband.pk))),
        brief=brief_of(roster),
        seen=warband.version,
    )


def _library(roster: Roster) -> Link | None:
    """Link to the library, for games in which players write the profiles on offer."""
    if roster.game.profiles is None:
        return None
    return Link(word(roster.warband.terms, "taken_from", "Your library"), reverse("profile-list"))


def brief_of(roster: Roster, *, to: str = "") -> tuple[Brief, ...]:
    """Return the roster, one line for each fighter. Lines link to the fighter's page named `to`, else to its card."""
    return tuple(
        Brief(
            name=line.name,
            href=href_of(to, line.key) if to else card_href(roster.warband.pk, line.key),
            words=profile_and_rating(line.name, line),
            wrong=line.key in roster.problems_by_fighter,
        )
        for line in roster.sheet.fighters
    )
