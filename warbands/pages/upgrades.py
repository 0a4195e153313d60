"""The page of what a fighter can become or learn for a price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.force import ForceUpgrade
from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.models import Fighter
from warbands.pages.addresses import card_href, href_of, with_query
from warbands.pages.cards import profile_and_rating
from warbands.pages.formatting import money
from warbands.pages.offers import Button, OfferGroup, OfferRow, grouped, offer_row, opened_row, order_of, standing
from warbands.pages.roster import UPGRADE_KINDS, Roster
from warbands.pages.shop import OfferPress
from warbands.pages.widgets import BudgetBar, Link, budget_bar


@dataclass(frozen=True, slots=True)
class UpgradeTaken:
    key: str
    name: str
    href: str
    words: str
    give_back: Button | None


@dataclass(frozen=True, slots=True)
class UpgradeChoice:
    """A choice made when the fighter was hired, which can still be changed."""

    key: str
    words: str
    options: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    token: str


@dataclass(frozen=True, slots=True)
class UpgradePage:
    name: str
    profile_words: str
    here: str
    back_href: str
    back_label: str
    choices: tuple[UpgradeChoice, ...]
    taken: tuple[UpgradeTaken, ...]
    press: OfferPress
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    empty_words: str
    bar: BudgetBar
    seen: int


def upgrade_page(roster: Roster, row: Fighter, *, take: str = "", order: Sequence[str] = ()) -> UpgradePage:
    """Build the upgrades page of a fighter on the roster; `order` as for the hires. No queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    fighter, sheet = roster.force.fighter(key), roster.sheets[key]
    here = href_of("upgrade-buy", row.pk)
    offers = roster.upgrade_offers(key)

    has = {upgrade.offer for upgrade in fighter.upgrades}
    taken = Counter({offer.id: int(offer.id in has) for offer in offers})

    def to_take(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb=_("Take"),
            done=_("Taken"),
            action=Button(_("Take"), name="offer", value=offer.id),
            taken=taken[offer.id],
            choose_href=with_query(here, {"take": offer.id}, "offer_choices"),
            href=roster.names.href(offer.ref, *UPGRADE_KINDS),
            opened=take,
            fighter=row.name,
        )

    groups = grouped(
        offers,
        to_take,
        stands=standing(offers, order, taken),
        headings=lambda offer: offer.group,
        held_glory=max(0, roster.strongbox.glory),
        href=lambda offer: roster.names.href(offer.ref, *UPGRADE_KINDS),
    )
    called = {offer.id: offer.name for offer in offers}
    card = card_href(warband.pk, row.pk)
    return UpgradePage(
        name=row.name,
        profile_words=profile_and_rating(row.name, sheet),
        here=here,
        back_href=card,
        back_label=warband.name,
        choices=choices_of(roster, row),
        taken=tuple(_taken(roster, upgrade, called.get(upgrade.offer), here) for upgrade in fighter.upgrades),
        press=OfferPress(
            "upgrades", here, new_token(), warband.version, " ".join(order) if order else order_of(groups)
        ),
        groups=groups,
        opened=opened_row(groups),
        empty_words="" if offers else _("{profile} has no upgrades.").format(profile=sheet.profile_name),
        bar=budget_bar(roster, main=Link(_("Done"), card)),
        seen=warband.version,
    )


def _taken(roster: Roster, upgrade: ForceUpgrade, called: str | None, here: str) -> UpgradeTaken:
    names, warband = roster.names, roster.warband
    words = _("for {price}").format(price=money(upgrade.paid)) if upgrade.paid else ""
    if upgrade.option:
        words = f"{names.name(upgrade.option, *UPGRADE_KINDS)} {words}".strip()
    back = None
    if warband.is_founding:
        fields = {"seen": str(warband.version), "give_back": upgrade.key, "token": new_token()}
        back = Button(_("Return, +{price}").format(price=money(upgrade.paid)), url=here, fields=fields)
    name, href = called or names.name(upgrade.upgrade, *UPGRADE_KINDS), names.href(upgrade.upgrade, *UPGRADE_KINDS)
    return UpgradeTaken(upgrade.key, name, href, words, back)


def choices_of(roster: Roster, row: Fighter) -> tuple[UpgradeChoice, ...]:
    """Return the choices of the fighter's hire: all while founding, later only the open ones."""
    made = row.state.get("choices", {})
    found = []
    for asked in roster.choices_to_make(row):
        value = made.get(asked.key, "")
        options = tuple((option, words, option == value) for option, words in asked.options)
        found.append(UpgradeChoice(asked.key, asked.words, options, new_token()))
    return tuple(found)
