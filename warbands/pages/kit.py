"""The kit of one fighter: what it carries and the hands that takes, what lies in the stash, what may be bought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from rules.force import ForceItem
from rules.formatting import profile_beside
from rules.parts.offer import Offer
from rules.parts.sheet import WeaponLine
from warbands.idempotency import new_token
from warbands.models import Fighter
from warbands.pages.addresses import href_of
from warbands.pages.cards import Stat, problem_words, stats_of, upgrades_href
from warbands.pages.formatting import money, plural
from warbands.pages.hire import Brief, brief_of
from warbands.pages.offers import Button, OfferGroup, OfferRow, grouped, offer_row
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.widgets import BudgetBar, Link, Tab, budget_bar


@dataclass(frozen=True, slots=True)
class KitPiece:
    """An owned piece with what may be done with it."""

    key: str
    name: str
    href: str
    note: str
    acts: tuple[Button, ...]
    links: tuple[Link, ...]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class KitPage:
    """One fighter's kit. `tab` is the open part of the shop."""

    pk: int
    warband_pk: int
    name: str
    profile_words: str
    here: str
    address: str
    back_href: str
    hands: tuple[tuple[str, int, int, bool], ...]  # where, used, of, too many
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


SHOP = ("Ranged", "Melee", "Armour", "Other")


def shelf_of(offer: Offer) -> str:
    """The tab under which an item offer stands."""
    for shelf in SHOP[:-1]:
        if offer.group.casefold().startswith(shelf.casefold()):
            return shelf
    return SHOP[-1]


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
    """Build the kit page of a fighter on the roster; `order` as `grouped` has it. No queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    view, sheet = roster.views[key], roster.sheets[key]
    here = href_of("kit-buy", row.pk)
    offers = roster.item_offers(key)
    shelves = [shelf for shelf in SHOP if any(shelf_of(offer) == shelf for offer in offers)]
    open_shelf = next((shelf for shelf in shelves if shelf.casefold() == tab.casefold()), shelves[0] if shelves else "")
    state = {**({"tab": open_shelf.casefold()} if open_shelf else {}), **({} if closed else {"set": "1"})}
    address = f"{here}?{urlencode(state)}"
    fields = {"seen": str(warband.version)}

    def to_buy(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb="Buy",
            url=address,
            fields={**fields, "offer": offer.id},
            href=roster.names.href(offer.ref, *ITEM_KINDS),
            choose_href=f"{here}?{urlencode({**state, 'take': offer.id})}#offer_choices",
            opened=take,
            changed=changed,
            fighter=row.name,
        )

    on_shelf = [offer for offer in offers if shelf_of(offer) == open_shelf]
    groups = grouped(on_shelf, to_buy, closed=closed, order=order)
    notes = {line.name: line for line in sheet.weapons}
    pieces = tuple(
        piece_of(
            roster, item, note=_weapon_note(notes, roster.item_name(item)), at=f"kit:{row.pk}:{open_shelf.casefold()}"
        )
        for item in view.kit
    )
    at = f"kit:{row.pk}:{open_shelf.casefold()}"
    return KitPage(
        pk=row.pk,
        labels=roster.game.labels(roster.content),
        warband_pk=warband.pk,
        name=row.name,
        profile_words=", ".join(filter(None, (profile_beside(row.name, sheet.profile_name), sheet.rating_words))),
        here=here,
        address=address,
        back_href=href_of("warband-show", warband.pk) + f"#fighter_card_{row.pk}",
        hands=(
            ("ranged", *view.hands_ranged, _too_many(view.hands_ranged)),
            ("melee", *view.hands_melee, _too_many(view.hands_melee)),
        ),
        stats=stats_of(sheet),
        problems=problem_words(roster, row),
        carried=pieces,
        from_stash=tuple(_from_stash(roster, item, key, at) for item in roster.force.stash),
        tabs=tuple(
            Tab(shelf, f"{here}?{urlencode({**state, 'tab': shelf.casefold()})}#to_buy", shelf == open_shelf)
            for shelf in shelves
        ),
        groups=groups,
        opened=next((offered for group in groups for offered in group.rows if offered.opened), None),
        shop_words="" if offers else "Nothing is open to buy.",
        closed=closed,
        closed_count=sum(1 for offer in on_shelf if offer.state == "closed"),
        bar=budget_bar(roster, main=Link("Done", href_of("warband-show", warband.pk) + f"#fighter_card_{row.pk}")),
        seen=warband.version,
        upgrades_href=upgrades_href(roster, row, alone=True),
        closed_href=closed_href(here, open_shelf, closed),
        closed_words="Leave out what is closed" if closed else "Show what is closed",
        brief=brief_of(roster, to="kit-buy"),
    )


def closed_href(here: str, shelf: str, closed: bool) -> str:
    """The address of the same shelf with closed offers left out, or shown again."""
    query = {"tab": shelf.casefold(), **({"set": "1"} if closed else {})}
    return f"{here}?{urlencode(query)}#to_buy"


def _too_many(hands: tuple[int, int]) -> bool:
    return hands[0] > hands[1]


def _weapon_note(lines: Mapping[str, WeaponLine], name: str) -> str:
    line = lines.get(name)
    if line is None:
        return ""
    hands = line.hands_words
    if hands.isdigit():
        hands = plural(int(hands), "hand")
    words = [line.range_words, hands, line.keywords]
    return "; ".join(word for word in words if word and word not in ("-", "–"))


def _from_stash(roster: Roster, item: ForceItem, key: str, at: str) -> OfferRow:
    offer = roster.shop.carry(roster.content, roster.force, item.key, key)
    row = offer_row(
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
    return row


def piece_of(roster: Roster, item: ForceItem, *, at: str, note: str = "") -> KitPiece:
    """An owned piece and its acts: put away, sent back while founding, sold later. `at` names the page the answer goes to."""
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
    links = []
    if owned.fighter_id:
        links.append(Link("Swap", href_of("item-swap", owned.pk)))
    else:
        links.append(Link("Give", href_of("item-give", owned.pk)))
    return KitPiece(
        f"piece_{owned.pk}",
        roster.item_name(item),
        href,
        note or owned_words(roster, item),
        tuple(acts),
        tuple(links),
        wrong,
    )


def owned_words(roster: Roster, item: ForceItem) -> str:
    """How a piece came to the warband: "bought for 5 d", "found, Fallen Knight"."""
    owned = roster.item_row(item.key)
    if item.origin == "bought":
        return f"bought for {money(item.paid)}"
    words = owned.get_origin_display().lower() if owned else "comes with the fighter"
    return f"{words}, {owned.why}" if owned and owned.why else words


# --- giving and swapping --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivePage:
    """Who may take a piece, and why the others may not."""

    pk: int
    name: str
    words: str
    back_href: str
    here: str
    rows: tuple[OfferRow, ...]
    seen: int


def give_page(roster: Roster, item: ForceItem, holder: str) -> GivePage:
    """Build the page that gives a piece to somebody. No queries on top of the roster."""
    pk = int(item.key)
    here = href_of("item-give", pk)
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
        rows.append(_named(row, fighter.name, profile_beside(fighter.name, roster.sheets[fighter.key].profile_name)))
    rows.sort(key=lambda row: row.state == "closed")
    return GivePage(
        pk=pk,
        name=roster.item_name(item),
        words=owned_words(roster, item),
        back_href=home_of(roster, holder),
        here=here,
        rows=tuple(rows),
        seen=roster.warband.version,
    )


def _named(row: OfferRow, name: str, profile: str) -> OfferRow:
    return replace(row, name=name, price_words=profile)


def home_of(roster: Roster, holder: str) -> str:
    """The page where a piece lies: its fighter's kit, or the stash."""
    return href_of("kit-buy", holder) if holder else href_of("stash-show", roster.warband.pk)


@dataclass(frozen=True, slots=True)
class SwapPage:
    """Which piece a carried one may change places with."""

    pk: int
    name: str
    holder_name: str
    back_href: str
    here: str
    others: tuple[tuple[str, str], ...] = field(default=())  # item key, words
    seen: int = 0


def swap_page(roster: Roster, item: ForceItem, holder: str) -> SwapPage:
    """Build the page that swaps a carried piece. No queries on top of the roster."""
    others = [(other.key, f"{roster.item_name(other)}, stash") for other in roster.force.stash]
    for fighter in roster.force.fighters:
        if fighter.key != holder and fighter.active:
            others += [
                (other.key, f"{roster.item_name(other)}, {fighter.name}")
                for other in fighter.kit
                if other.key.isdigit()
            ]
    return SwapPage(
        pk=int(item.key),
        name=roster.item_name(item),
        holder_name=roster.force.fighter(holder).name if holder else "",
        back_href=home_of(roster, holder),
        here=href_of("item-swap", item.key),
        others=tuple(others),
        seen=roster.warband.version,
    )
