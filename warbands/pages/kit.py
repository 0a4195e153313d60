"""The kit page of one fighter: items carried and the hands they use, items in the stash, and items for sale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.force import FighterView, ForceItem
from rules.formatting import profile_beside
from rules.parts.sheet import WeaponLine
from warbands.idempotency import new_token
from warbands.models import Fighter, Item
from warbands.pages.addresses import card_href, href_of
from warbands.pages.cards import (
    STATS_ON_A_CARD,
    Stat,
    problem_words,
    profile_and_rating,
    stats_of,
    upgrades_href,
    weapon_facts,
)
from warbands.pages.formatting import money, sentence
from warbands.pages.hire import Brief, brief_of
from warbands.pages.offers import Button, Fold, LockedLine, OfferRow, offer_row
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.shop import Shop, fighter_shop, next_act
from warbands.pages.widgets import BudgetBar, Link, budget_bar


@dataclass(frozen=True, slots=True)
class KitPiece:
    """An owned piece as one line: its rules and acts stand in the opened line."""

    key: str
    name: str
    href: str
    note: str
    worth: str
    words: tuple[str, ...]
    acts: tuple[Button, ...]
    links: tuple[Link, ...]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class KitPage:
    """The kit page of one fighter: what it carries, what lies in the stash, and its shop."""

    pk: int
    name: str
    profile_words: str
    hands_words: str
    back_href: str
    back_label: str
    stats: tuple[Stat, ...]
    problems: tuple[str, ...]
    carried: tuple[KitPiece, ...]
    from_stash: tuple[OfferRow, ...]
    shop: Shop
    bar: BudgetBar
    seen: int
    upgrades_href: str
    labels: Mapping[str, str]
    brief: tuple[Brief, ...]


def kit_page(
    roster: Roster,
    row: Fighter,
    *,
    find: str = "",
    take: str = "",
    order: Sequence[str] = (),
    bought: Sequence[str] = (),
) -> KitPage:
    """Build the kit page of a fighter on the roster; `order` and `bought` as for its shop. No queries on top of the roster."""
    key, warband = str(row.pk), roster.warband
    view, sheet = roster.views[key], roster.sheets[key]
    weapons = {line.name: line for line in sheet.weapons}
    at = f"kit:{row.pk}"
    return KitPage(
        pk=row.pk,
        labels=roster.game.labels(roster.content),
        name=row.name,
        profile_words=profile_and_rating(row.name, sheet),
        hands_words=hands_words(view),
        back_href=card_href(warband.pk, row.pk),
        back_label=warband.name,
        stats=stats_of(sheet)[:STATS_ON_A_CARD],
        problems=problem_words(roster, row),
        carried=tuple(
            piece_of(roster, item, note=_weapon_note(weapons.get(roster.item_name(item))), at=at) for item in view.kit
        ),
        from_stash=tuple(_from_stash(roster, item, key, at) for item in roster.force.stash),
        shop=fighter_shop(roster, row, find=find, take=take, order=order, bought=bought, target="kit"),
        bar=budget_bar(roster, main=next_act(roster, key)),
        seen=warband.version,
        upgrades_href=upgrades_href(roster, row),
        brief=brief_of(roster, to="kit-buy"),
    )


def hands_words(view: FighterView) -> str:
    """Return the hands that a fighter's kit takes: "Hands: ranged 0 of 2, melee 1 of 2."."""
    words = _("Hands: ranged {shooting} of {hands}, melee {fighting} of {arms}.")
    (shooting, hands), (fighting, arms) = view.hands_ranged, view.hands_melee
    return words.format(shooting=shooting, hands=hands, fighting=fighting, arms=arms)


def _weapon_note(line: WeaponLine | None) -> str:
    return ", ".join(weapon_facts(line)) if line is not None else ""


def _from_stash(roster: Roster, item: ForceItem, key: str, at: str) -> OfferRow:
    offer = roster.shop.carry(roster.content, roster.force, item.key, key)
    fields = {"fighter": key, "at": at, "seen": str(roster.warband.version)}
    return offer_row(
        offer,
        verb=_("Give"),
        done=_("Given"),
        action=Button(_("Give"), url=href_of("item-give", item.key), fields=fields),
        href=roster.names.href(item.item, *ITEM_KINDS),
        counted=False,
        with_price=False,
        key=f"stash-{item.key}",
        fighter=roster.force.fighter(key).name,
    )


def piece_of(roster: Roster, item: ForceItem, *, at: str, note: str = "") -> KitPiece:
    """Return an owned item with its acts: put away, return while founding, sell later. `at` names the page that shows the answer."""
    owned = roster.item_row(item.key)
    entry = roster.names.entry(item.item, *ITEM_KINDS)
    name, href = roster.item_name(item), roster.names.href(item.item, *ITEM_KINDS)
    wrong = next(
        (problem.mend or problem.message for problem in roster.verdict.errors if problem.item_key == item.key), ""
    )
    got = owned_words(roster, item)
    words = tuple(line for line in (entry.words if entry else "", sentence(got)) if line)
    worth = money(item.paid) if item.origin == "bought" else ""
    if owned is None:
        return KitPiece(f"piece_{item.key}", name, href, note or got, worth, words, (), (), wrong)
    acts = tuple(_acts_of(roster, item, owned, at))
    links = [give_link(item, at)]
    if owned.fighter_id:
        links.append(Link(_("Swap…"), href_of("item-swap", owned.pk)))
    return KitPiece(f"piece_{owned.pk}", name, href, note or got, worth, words, acts, tuple(links), wrong)


def _acts_of(roster: Roster, item: ForceItem, owned: Item, at: str) -> Iterator[Button]:
    """Yield the buttons that return or sell a piece, and put it away."""
    game, content, force = roster.game, roster.content, roster.force
    fields = {"at": at, "seen": str(roster.warband.version)}

    def button(label: str, act: str) -> Button:
        return Button(label, url=href_of(act, owned.pk), fields={**fields, "token": new_token()})

    refund = roster.shop.refund(content, force, item.key)
    if refund.state != "closed":
        yield button(_("Return, +{price}").format(price=money(refund.price)), "item-return")
    elif (sale := roster.shop.sale(content, force, item.key)).state != "closed":
        yield button(_("Sell, +{price}").format(price=money(sale.price)), "item-sell")
    if owned.fighter_id and roster.shop.carry(content, force, item.key, "").state != "closed":
        yield button(_("To the {stash}").format(stash=game.labels(content)["stash_within"]), "item-stash")


def owned_words(roster: Roster, item: ForceItem) -> str:
    """Return how the warband got an item: "bought for 5 d", "found, Fallen Knight"."""
    owned = roster.item_row(item.key)
    if item.origin == "bought":
        return _("bought for {price}").format(price=money(item.paid))
    words = owned.get_origin_display().lower() if owned else _("comes with the fighter")
    return f"{words}, {owned.why}" if owned and owned.why else words


def give_link(item: ForceItem, at: str) -> Link:
    """Return the link that gives an item to another fighter. `at` names the page on which it opens in place."""
    there = href_of("item-give", item.key)
    return Link(_("Give to…"), there, f"{there}?at={at}")


# --- giving and swapping --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivePage:
    """Who can take an item: `rows`, and folded into one line, the others."""

    name: str
    here: str
    words: str
    back_href: str
    rows: tuple[OfferRow, ...]
    seen: int
    others: Fold | None = None


def give_page(roster: Roster, item: ForceItem, holder: str) -> GivePage:
    """Build the page that gives an item to another fighter. No queries on top of the roster."""
    here = href_of("item-give", item.key)
    rows = []
    for fighter in roster.force.fighters:
        if fighter.key == holder or not fighter.active:
            continue
        offer = roster.shop.carry(roster.content, roster.force, item.key, fighter.key)
        fields = {"fighter": fighter.key, "seen": str(roster.warband.version)}
        row = offer_row(
            offer,
            verb=_("Give"),
            done=_("Given"),
            action=Button(_("Give"), url=here, fields=fields),
            counted=False,
            with_price=False,
            key=f"to-{fighter.key}",
            fighter=fighter.name,
        )
        profile = profile_beside(fighter.name, roster.sheets[fighter.key].profile_name)
        what = row.reason if offer.state != "open" else profile
        rows.append(replace(row, name=fighter.name, what=what, words=(), rules=()))
    locked = [row for row in rows if row.action is None]
    lines = tuple(LockedLine(row.name, "", row.what, "") for row in locked)
    words = ngettext("{n} other fighter can’t take it", "{n} other fighters can’t take it", len(locked))
    return GivePage(
        name=roster.item_name(item),
        here=here,
        words=owned_words(roster, item),
        back_href=home_of(roster, holder),
        rows=tuple(row for row in rows if row.action is not None),
        seen=roster.warband.version,
        others=Fold("others", words.format(n=len(locked)), lines, open=False) if locked else None,
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
    others = [(other.key, _("{piece}, stash").format(piece=roster.item_name(other))) for other in roster.force.stash]
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
