"""The hiring page: every recruitment entry of the list as one line, with its price and its limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.labels import has_shop, labels_of, word
from warbands.models import Warband
from warbands.pages.addresses import card_href, filled, href_of, with_query
from warbands.pages.cards import profile_and_rating
from warbands.pages.offers import BULK, Button, OfferGroup, OfferRow, grouped, offer_row, opened_row, order_of, standing
from warbands.pages.roster import PROFILE_KINDS, Roster
from warbands.pages.shop import OfferPress, unarmed
from warbands.pages.terms import ExplainedTerm, term_of
from warbands.pages.widgets import BudgetBar, Link, budget_bar

FEW = 8  # a list of no more entries needs no search


@dataclass(frozen=True, slots=True)
class Brief:
    name: str
    href: str
    words: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class HireRows:
    """What may be hired, as `warbands/parts/hire_rows.html` draws it: on its own page, and under the roster."""

    press: OfferPress
    here: str
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    find: str
    empty_words: str
    verb: str
    library: Link | None


@dataclass(frozen=True, slots=True)
class HirePage:
    pk: int
    name: str
    verb: str
    searches: bool
    hires: HireRows
    bar: BudgetBar
    brief: tuple[Brief, ...]
    seen: int


def hire_address(warband: Warband, *, find: str = "", take: str = "") -> str:
    return with_query(
        href_of("fighter-hire", warband.pk), filled(find=find, take=take), "offer_choices" if take else ""
    )


def hire_rows(
    roster: Roster, *, find: str = "", take: str = "", order: Sequence[str] = (), beside: bool = False
) -> HireRows:
    """Build the rows of hires. `order` are the rows that stood on the page that was pressed. No queries on top of the roster."""
    warband = roster.warband
    offers = roster.hire_offers()
    verb, done = word(warband.terms, "hire", _("Hire")), _("Hired")
    taken = Counter({offer.id: offer.held for offer in offers})

    def row(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb=verb,
            done=done,
            action=Button(verb, name="offer", value=offer.id),
            bulk=Button(f"×{BULK}", name="several", value=offer.id),
            taken=taken[offer.id],
            choose_href=hire_address(warband, find=find, take=offer.id),
            href=roster.names.href(offer.ref, *PROFILE_KINDS),
            opened=take,
            with_price=has_shop(warband.terms),
        )

    groups = grouped(
        offers,
        row,
        stands=standing(offers, order, taken),
        headings=lambda offer: offer.group,
        counts=_counts(roster, offers),
        terms=_terms(roster, offers),
        held_glory=max(0, roster.strongbox.glory),
        glory=term_of(labels_of(warband.terms), "glory"),
        find=find,
        href=lambda offer: roster.names.href(offer.ref, *PROFILE_KINDS),
    )
    return HireRows(
        press=OfferPress(
            target="hire",
            address=hire_address(warband, find=find),
            token=new_token(),
            seen=warband.version,
            order=" ".join(order) if order else order_of(groups),
            beside=beside,
        ),
        here=href_of("fighter-hire", warband.pk),
        groups=groups,
        opened=opened_row(groups),
        find=find,
        empty_words=_("Nothing found for “{find}”.").format(find=find) if find else _("Nothing can be hired now."),
        verb=verb,
        library=_library(roster),
    )


def hire_page(roster: Roster, *, find: str = "", take: str = "", order: Sequence[str] = ()) -> HirePage:
    """Build the hiring page. No queries on top of the roster."""
    hires = hire_rows(roster, find=find, take=take, order=order)
    return HirePage(
        pk=roster.warband.pk,
        name=roster.warband.name,
        verb=word(roster.warband.terms, "hire_more", _("Hire")),
        searches=bool(find) or len(roster.hire_offers()) > FEW,
        hires=hires,
        bar=budget_bar(roster, main=_onward(roster)),
        brief=brief_of(roster),
        seen=roster.warband.version,
    )


def _onward(roster: Roster) -> Link | None:
    """Return the way on from hiring: to the kit of the first fighter without a weapon, else to the roster; from nobody none."""
    if not roster.force.fighters:
        return None
    bare = unarmed(roster) if roster.shops else []
    return Link(_("Equip them"), href_of("kit-buy", bare[0])) if bare else Link(_("Done"), roster.address)


def _counts(roster: Roster, offers: Sequence[Offer]) -> dict[str, str]:
    """Return what stands beside each heading: how many of the group are hired, with the limit of Elite fighters."""
    elite = sum(1 for view in roster.views.values() if view.elite) if roster.shops else 0
    cap = roster.limits.elite_cap
    counts: dict[str, int] = {}
    for offer in offers:
        counts[offer.group] = counts.get(offer.group, 0) + offer.held
    first = next(iter(counts), "")
    told = {name: str(count) if count else "" for name, count in counts.items()}
    if cap is not None and first:
        told[first] = _("{n} of {most}").format(n=elite, most=cap)
    return told


def _terms(roster: Roster, offers: Sequence[Offer]) -> dict[str, ExplainedTerm | None]:
    """Return what explains the first heading, which counts towards the limit of Elite fighters."""
    if roster.limits.elite_cap is None or not offers:
        return {}
    return {offers[0].group: term_of(labels_of(roster.warband.terms), "elites")}


def _library(roster: Roster) -> Link | None:
    """Link to the library, for games in which players write the profiles on offer."""
    if roster.game.profiles is None:
        return None
    return Link(word(roster.warband.terms, "taken_from", _("Your library")), reverse("profile-list"))


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
