"""What a fighter can become or learn for a price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from rules.formatting import profile_beside
from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.formatting import money
from warbands.pages.offers import Button, OfferGroup, OfferRow, grouped, offer_row
from warbands.pages.roster import UPGRADE_KINDS, Roster
from warbands.pages.widgets import BudgetBar, Link, budget_bar


@dataclass(frozen=True, slots=True)
class UpgradeTaken:
    """An upgrade taken, and its way back while founding."""

    key: str
    name: str
    href: str
    words: str
    give_back: Button | None


@dataclass(frozen=True, slots=True)
class UpgradeChoice:
    """A choice made when the fighter was hired, which can still be made otherwise."""

    key: str
    words: str
    options: tuple[tuple[str, str, bool], ...]  # value, words, chosen
    token: str


@dataclass(frozen=True, slots=True)
class UpgradePage:
    """One fighter's upgrades: taken, and on offer."""

    pk: int
    name: str
    profile_words: str
    here: str
    back_href: str
    choices: tuple[UpgradeChoice, ...]
    taken: tuple[UpgradeTaken, ...]
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    empty_words: str
    bar: BudgetBar
    seen: int


def upgrade_page(
    roster: Roster, row: Fighter, *, take: str = "", changed: str = "", order: Sequence[str] = ()
) -> UpgradePage:
    """Build the upgrades page of a fighter on the roster. No queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    fighter, sheet = roster.force.fighter(key), roster.sheets[key]
    here = href_of("upgrade-buy", row.pk)
    offers = roster.upgrade_offers(key)
    fields = {"seen": str(warband.version)}

    def to_take(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb="Take",
            url=here,
            fields={**fields, "offer": offer.id},
            href=roster.names.href(offer.ref, *UPGRADE_KINDS),
            choose_href=f"{here}?{urlencode({'take': offer.id})}#offer_choices",
            opened=take,
            changed=changed,
            fighter=row.name,
        )

    groups = grouped(offers, to_take, order=order)
    called = {offer.id: offer.name for offer in offers}
    taken = []
    for upgrade in fighter.upgrades:
        words = f"for {money(upgrade.paid)}" if upgrade.paid else ""
        if upgrade.option:
            words = f"{roster.names.name(upgrade.option, *UPGRADE_KINDS)} {words}".strip()
        back = None
        if warband.is_founding:
            back = Button(
                f"Return for {money(upgrade.paid)}",
                url=here,
                fields={**fields, "give_back": upgrade.key, "token": new_token()},
            )
        names = roster.names
        taken.append(
            UpgradeTaken(
                upgrade.key,
                called.get(upgrade.offer) or names.name(upgrade.upgrade, *UPGRADE_KINDS),
                names.href(upgrade.upgrade, *UPGRADE_KINDS),
                words,
                back,
            )
        )
    return UpgradePage(
        pk=row.pk,
        name=row.name,
        profile_words=", ".join(filter(None, (profile_beside(row.name, sheet.profile_name), sheet.rating_words))),
        here=here,
        back_href=href_of("warband-show", warband.pk) + f"#fighter_card_{row.pk}",
        choices=choices_of(roster, row),
        taken=tuple(taken),
        groups=groups,
        opened=next((offered for group in groups for offered in group.rows if offered.opened), None),
        empty_words="" if offers else f"No upgrade is written for {sheet.profile_name}.",
        bar=budget_bar(roster, main=Link("Done", href_of("warband-show", warband.pk) + f"#fighter_card_{row.pk}")),
        seen=warband.version,
    )


def choices_of(roster: Roster, row: Fighter) -> tuple[UpgradeChoice, ...]:
    """The choices that the fighter's hire asked for: all of them while founding, later only those still open."""
    made = row.state.get("choices", {})
    found = []
    for asked in roster.choices_to_make(row):
        value = made.get(asked.key, "")
        options = tuple((option, words, option == value) for option, words in asked.options)
        found.append(UpgradeChoice(asked.key, asked.words, options, new_token()))
    return tuple(found)
