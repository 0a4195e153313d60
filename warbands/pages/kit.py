"""The kit page of one fighter: items carried and the hands they use, items in the stash, and items for sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.force import ForceItem
from rules.formatting import profile_beside
from rules.parts.sheet import WeaponLine
from warbands.idempotency import new_token
from warbands.models import Fighter
from warbands.pages.addresses import card_href, filled, href_of, with_query
from warbands.pages.cards import Stat, problem_words, profile_and_rating, stats_of, upgrades_href, weapon_facts
from warbands.pages.formatting import money
from warbands.pages.hire import Brief, brief_of
from warbands.pages.offers import Button, OfferGroup, OfferRow, offer_row
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.shop import SHELVES, shelf_of, shop_of
from warbands.pages.widgets import BudgetBar, Link, Tab, budget_bar


@dataclass(frozen=True, slots=True)
class KitPiece:
    key: str
    name: str
    href: str
    note: str
    acts: tuple[Button, ...]
    links: tuple[Link, ...]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class KitPage:
    """The kit page of one fighter. `tab` is the open part of the shop."""

    name: str
    profile_words: str
    address: str
    back_href: str
    hands: tuple[tuple[str, int, int, bool], ...]  # where, used, total, too many
    stats: tuple[Stat, ...]
    problems: tuple[str, ...]
    carried: tuple[KitPiece, ...]
    from_stash: tuple[OfferRow, ...]
    tabs: tuple[Tab, ...]
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    shop_words: str
    closed: bool
    closed_count: int
    bar: BudgetBar
    seen: int
    upgrades_href: str
    closed_href: str
    closed_words: str
    labels: Mapping[str, str]
    brief: tuple[Brief, ...]


def kit_page(
    roster: Roster,
    row: Fighter,
    *,
    tab: str = "",
    take: str = "",
    closed: bool = True,
    changed: str = "",
    order: Sequence[str] = (),
) -> KitPage:
    """Build the kit page of a fighter on the roster; `order` as for `grouped`. No queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    view, sheet = roster.views[key], roster.sheets[key]
    here = href_of("kit-buy", row.pk)
    offers = roster.item_offers(key)
    filled_shelves = {shelf_of(offer) for offer in offers}
    shelves = [shelf for shelf in SHELVES if shelf in filled_shelves]
    shelf = next((shelf for shelf in shelves if shelf.casefold() == tab.casefold()), shelves[0] if shelves else "")
    shop = shop_of(
        roster,
        offers,
        shelves=shelves,
        shelf=shelf,
        here=here,
        anchor="to_buy",
        closed=closed,
        take=take,
        changed=changed,
        order=order,
        fighter=row.name,
    )
    weapons = {line.name: line for line in sheet.weapons}
    at = f"kit:{row.pk}:{shelf.casefold()}"
    card = card_href(warband.pk, row.pk)
    return KitPage(
        labels=roster.game.labels(roster.content),
        name=row.name,
        profile_words=profile_and_rating(row.name, sheet),
        address=shop.address,
        back_href=card,
        hands=tuple(
            (where, used, had, used > had)
            for where, (used, had) in (("ranged", view.hands_ranged), ("melee", view.hands_melee))
        ),
        stats=stats_of(sheet),
        problems=problem_words(roster, row),
        carried=tuple(
            piece_of(roster, item, note=_weapon_note(weapons.get(roster.item_name(item))), at=at) for item in view.kit
        ),
        from_stash=tuple(_from_stash(roster, item, key, at) for item in roster.force.stash),
        tabs=shop.tabs,
        groups=shop.groups,
        opened=shop.opened,
        shop_words="" if offers else "Nothing is open to buy.",
        closed=closed,
        closed_count=shop.closed_count,
        bar=budget_bar(roster, main=Link("Done", card)),
        seen=warband.version,
        upgrades_href=upgrades_href(roster, row, alone=True),
        closed_href=closed_href(here, shelf, closed),
        closed_words="Leave out what is closed" if closed else "Show what is closed",
        brief=brief_of(roster, to="kit-buy"),
    )


def closed_href(here: str, shelf: str, closed: bool) -> str:
    return with_query(here, {"tab": shelf.casefold(), **filled(set="1" if closed else "")}, "to_buy")


def _weapon_note(line: WeaponLine | None) -> str:
    return "; ".join(weapon_facts(line)) if line is not None else ""


def _from_stash(roster: Roster, item: ForceItem, key: str, at: str) -> OfferRow:
    offer = roster.shop.carry(roster.content, roster.force, item.key, key)
    return offer_row(
        offer,
        verb="Give",
        url=href_of("item-give", item.key),
        fields={"fighter": key, "at": at, "seen": str(roster.warband.version)},
        href=roster.names.href(item.item, *ITEM_KINDS),
        with_held=False,
        with_price=False,
        key=f"stash-{item.key}",
        fighter=roster.force.fighter(key).name,
    )


def piece_of(roster: Roster, item: ForceItem, *, at: str, note: str = "") -> KitPiece:
    """Return an owned item with its acts: put away, return while founding, sell later. `at` names the page that shows the answer."""
    owned = roster.item_row(item.key)
    href = roster.names.href(item.item, *ITEM_KINDS)
    wrong = next(
        (problem.mend or problem.message for problem in roster.verdict.errors if problem.item_key == item.key), ""
    )
    if owned is None:
        return KitPiece(
            f"piece_{item.key}", roster.item_name(item), href, note or "comes with the fighter", (), (), wrong
        )
    game, content, force = roster.game, roster.content, roster.force
    fields = {"at": at, "seen": str(roster.warband.version)}

    def button(label: str, name: str) -> Button:
        return Button(label, url=href_of(name, owned.pk), fields={**fields, "token": new_token()})

    acts = []
    if owned.fighter_id and roster.shop.carry(content, force, item.key, "").state != "closed":
        acts.append(button(f"To the {game.labels(content)['stash_within']}", "item-stash"))
    refund = roster.shop.refund(content, force, item.key)
    if refund.state != "closed":
        acts.append(button(f"Return for {money(refund.price)}", "item-return"))
    elif (sale := roster.shop.sale(content, force, item.key)).state != "closed":
        acts.append(button(f"Sell for {money(sale.price)}", "item-sell"))
    label, name = ("Swap", "item-swap") if owned.fighter_id else ("Give", "item-give")
    links = (Link(label, href_of(name, owned.pk)),)
    return KitPiece(
        f"piece_{owned.pk}", roster.item_name(item), href, note or owned_words(roster, item), tuple(acts), links, wrong
    )


def owned_words(roster: Roster, item: ForceItem) -> str:
    """Return how the warband got an item: "bought for 5 d", "found, Fallen Knight"."""
    owned = roster.item_row(item.key)
    if item.origin == "bought":
        return f"bought for {money(item.paid)}"
    words = owned.get_origin_display().lower() if owned else "comes with the fighter"
    return f"{words}, {owned.why}" if owned and owned.why else words


# --- giving and swapping --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivePage:
    name: str
    words: str
    back_href: str
    rows: tuple[OfferRow, ...]
    seen: int


def give_page(roster: Roster, item: ForceItem, holder: str) -> GivePage:
    """Build the page that gives an item to another fighter. No queries on top of the roster."""
    here = href_of("item-give", item.key)
    rows = []
    for fighter in roster.force.fighters:
        if fighter.key == holder or not fighter.active:
            continue
        offer = roster.shop.carry(roster.content, roster.force, item.key, fighter.key)
        row = offer_row(
            offer,
            verb="Give",
            url=here,
            fields={"fighter": fighter.key, "seen": str(roster.warband.version)},
            with_held=False,
            with_price=False,
            key=f"to-{fighter.key}",
        )
        profile = profile_beside(fighter.name, roster.sheets[fighter.key].profile_name)
        rows.append(replace(row, name=fighter.name, price_words=profile))
    rows.sort(key=lambda row: row.state == "closed")
    return GivePage(
        name=roster.item_name(item),
        words=owned_words(roster, item),
        back_href=home_of(roster, holder),
        rows=tuple(rows),
        seen=roster.warband.version,
    )


def home_of(roster: Roster, holder: str) -> str:
    return href_of("kit-buy", holder) if holder else href_of("stash-show", roster.warband.pk)


@dataclass(frozen=True, slots=True)
class SwapPage:
    name: str
    holder_name: str
    back_href: str
    here: str
    others: tuple[tuple[str, str], ...]  # item key, words


def swap_page(roster: Roster, item: ForceItem, holder: str) -> SwapPage:
    """Build the page that swaps a carried item. No queries on top of the roster."""
    others = [(other.key, f"{roster.item_name(other)}, stash") for other in roster.force.stash]
    for fighter in roster.force.fighters:
        if fighter.key != holder and fighter.active:
            others += [
                (other.key, f"{roster.item_name(other)}, {fighter.name}")
                for other in fighter.kit
                if other.key.isdigit()
            ]
    return SwapPage(
        name=roster.item_name(item),
        holder_name=roster.force.fighter(holder).name if holder else "",
        back_href=home_of(roster, holder),
        here=href_of("item-swap", item.key),
        others=tuple(others),
    )
