"""What stands over the fighters of a roster: what a first build lacks, with who can lead it, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.parts.offer import Offer
from warbands.labels import has_shop, word
from warbands.pages.addresses import href_of
from warbands.pages.formatting import in_full
from warbands.pages.hire import hire_address
from warbands.pages.offers import Button, OfferRow, offer_row
from warbands.pages.roster import PROFILE_KINDS, Roster
from warbands.pages.widgets import ProblemRow, problem_rows, warning_rows

NO_LEADER, NO_UNITS = "no-leader", "no-units"


@dataclass(frozen=True, slots=True)
class RosterTop:
    """`lead` says that a leader is missing, over `leaders` who can be hired at once; `problems` tells the rest.

    `empty_words` stands on a roster without fighters.
    """

    empty_words: str
    lead: str
    leaders: tuple[OfferRow, ...]
    problems: tuple[ProblemRow, ...]
    warnings: tuple[ProblemRow, ...]


def roster_top(roster: Roster, *, acts: bool) -> RosterTop:
    """Build what stands over the fighters. No queries. `acts` says whether the reader may act on the warband."""
    leaders = _leaders(roster) if acts else ()
    told = {NO_LEADER} if leaders else set()
    if not roster.force.fighters:
        told.add(NO_UNITS)
    wrong = tuple(one for one in roster.verdict.errors if not one.fighter_key.isdigit() and one.code not in told)
    return RosterTop(
        empty_words="" if roster.force.fighters else _empty_words(roster),
        lead=_lead_words(roster, len(leaders)) if leaders else "",
        leaders=tuple(_leader_row(roster, offer) for offer in leaders),
        problems=problem_rows(roster, wrong) if acts else (),
        warnings=warning_rows(roster, acts=acts) if acts else (),
    )


def _leaders(roster: Roster) -> tuple[Offer, ...]:
    """Return who can be hired to lead, while a new warband has no leader. With nobody on it the rules say nothing of that yet."""
    lacks = not roster.force.fighters or any(problem.code == NO_LEADER for problem in roster.verdict.errors)
    if not roster.warband.is_founding or not lacks:
        return ()
    return tuple(offer for offer in roster.hire_offers() if offer.leads and offer.state != "closed")


def _lead_words(roster: Roster, count: int) -> str:
    can = ngettext("This fighter can lead:", "These {count} can lead:", count).format(count=count)
    return can if not roster.force.fighters else f"{_('You have no leader yet.')} {can}"


def _leader_row(roster: Roster, offer: Offer) -> OfferRow:
    fields = {"offer": offer.id, "seen": str(roster.warband.version), "at": "roster"}
    return offer_row(
        offer,
        verb=word(roster.warband.terms, "hire", _("Hire")),
        done=_("Hired"),
        action=Button(_("Hire"), url=href_of("fighter-hire", roster.warband.pk), fields=fields),
        choose_href=hire_address(roster.warband, take=offer.id),
        href=roster.names.href(offer.ref, *PROFILE_KINDS),
        counted=False,
        key=f"lead-{offer.id}",
    )


def _empty_words(roster: Roster) -> str:
    if not has_shop(roster.warband.terms):
        return _("No units yet. Take some from your library.")
    return _("No fighters yet. You have {money} to spend.").format(money=in_full(roster.strongbox))
