"""The shop of a fighter or of the stash: whole kits, then everything for sale, section after section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from rules.force import ForceFighter
from rules.formatting import listed, profile_beside
from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.labels import labels_of
from warbands.models import Fighter
from warbands.pages.addresses import filled, href_of, with_query
from warbands.pages.formatting import asked
from warbands.pages.offers import Button, OfferGroup, OfferRow, grouped, offer_row, opened_row, order_of, standing
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.terms import term_of
from warbands.pages.widgets import Link

HEAVY, OTHER = "Ranged: heavy", "Other"
SHELVES = (HEAVY, "Ranged", "Melee", "Armour", OTHER)
FOLDED = (HEAVY, OTHER)  # shelves from which most fighters take little or nothing
LIKE_KITS, USUAL_KITS = 2, 2  # how many whole kits of each kind are offered
NAMED = 3  # more fighters than this are counted, not named


@dataclass(frozen=True, slots=True)
class OfferPress:
    """The one form of a page of rows: every button of a row belongs to it. `target` is the part that answers it."""

    target: str
    address: str
    token: str
    seen: int
    order: str
    beside: bool = False  # on the builder, beside the roster

    @property
    def form(self) -> str:
        return f"{self.target}_form"


@dataclass(frozen=True, slots=True)
class KitPreset:
    """A whole kit: what it adds and costs. `reason` says what forbids it; `bought` that this page bought it."""

    key: str
    name: str
    words: str
    price_words: str
    offers: tuple[str, ...]
    reason: str
    bought: bool = False


@dataclass(frozen=True, slots=True)
class AlsoFor:
    key: str
    name: str
    profile_name: str


@dataclass(frozen=True, slots=True)
class Shop:
    """One open shop. `kits` and `also` are of a fighter's shop only; `same` are the bare fighters of the same profile."""

    press: OfferPress
    here: str
    find: str
    sections: tuple[Link, ...]
    groups: tuple[OfferGroup, ...]
    kits: tuple[KitPreset, ...]
    bought: tuple[str, ...]
    same_words: str
    same: tuple[str, ...]
    also: tuple[AlsoFor, ...]
    opened: OfferRow | None
    empty_words: str
    verb: str


def shelf_of(offer: Offer) -> str:
    group = offer.group.casefold()
    return next((shelf for shelf in SHELVES[:-1] if group.startswith(shelf.casefold())), SHELVES[-1])


def shelf_words(shelf: str) -> str:
    return {
        "Ranged": _("Ranged"),
        HEAVY: _("Heavy weapons and grenades"),
        "Melee": _("Melee"),
        "Armour": _("Armour"),
    }.get(shelf, _("Other equipment"))


def fighter_shop(
    roster: Roster,
    row: Fighter,
    *,
    find: str = "",
    take: str = "",
    order: Sequence[str] = (),
    bought: Sequence[str] = (),
    target: str = "shop",
    beside: bool = False,
) -> Shop:
    """Build the shop of one fighter on the roster. No queries on top of the roster.

    `order` are the rows that stood on the page that was pressed, `bought` the whole kits that it bought. `target` is the
    part of the page that answers a press.
    """
    key = str(row.pk)
    kit = Counter(item.item for item in roster.views[key].kit)
    offers = roster.item_offers(key)
    taken = Counter({offer.id: kit[offer.ref] for offer in offers if offer.kind == "item"})
    here = href_of("kit-buy", row.pk)
    like = _like(roster, key)
    bare = [fighter for fighter in like if not _bought(fighter)]
    return _shop(
        roster,
        offers,
        taken=taken,
        here=here,
        find=find,
        take=take,
        order=order,
        target=target,
        beside=beside,
        fighter=row.name,
        kits=tuple(_kits(roster, key, like, offers, bought)) if not find else (),
        bare=bare,
        also=_also(roster, key, like),
    )


def stash_shop(roster: Roster, *, find: str = "", take: str = "", order: Sequence[str] = ()) -> Shop:
    """Build the shop that buys for the stash. No queries on top of the roster."""
    offers = roster.item_offers()
    stashed = Counter(item.item for item in roster.force.stash)
    taken = Counter({offer.id: stashed[offer.ref] for offer in offers})
    here = href_of("stash-show", roster.warband.pk)
    return _shop(roster, offers, taken=taken, here=here, find=find, take=take, order=order, target="stash")


def _shop(
    roster: Roster,
    offers: Sequence[Offer],
    *,
    taken: Counter[str],
    here: str,
    find: str,
    take: str,
    order: Sequence[str],
    target: str,
    beside: bool = False,
    fighter: str = "",
    kits: tuple[KitPreset, ...] = (),
    bare: Sequence[ForceFighter] = (),
    also: tuple[AlsoFor, ...] = (),
) -> Shop:
    state = filled(find=find)

    def row(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb=_("Buy"),
            done=_("Bought"),
            action=Button(_("Buy"), name="offer", value=offer.id),
            taken=taken[offer.id],
            choose_href=with_query(here, {**state, "take": offer.id}, "offer_choices"),
            href=roster.names.href(offer.ref, *ITEM_KINDS),
            opened=take,
            fighter=fighter,
        )

    groups = grouped(
        offers,
        row,
        stands=standing(offers, order, taken),
        headings=lambda offer: shelf_words(shelf_of(offer)),
        folded=[shelf_words(shelf) for shelf in FOLDED],
        locked_last=True,
        fighter=fighter,
        held_glory=max(0, roster.strongbox.glory),
        glory=term_of(labels_of(roster.warband.terms), "glory"),
        find=find,
        href=lambda offer: roster.names.href(offer.ref, *ITEM_KINDS),
    )
    return Shop(
        press=OfferPress(
            target=target,
            address=with_query(here, state),
            token=new_token(),
            seen=roster.warband.version,
            order=order_of(groups) if not order else " ".join(order),
            beside=beside,
        ),
        here=here,
        find=find,
        sections=tuple(_sections(groups, target)),
        groups=groups,
        kits=kits,
        bought=tuple(kit.key for kit in kits if kit.bought),
        same_words=_same_words(bare),
        same=tuple(one.key for one in bare),
        also=also,
        opened=opened_row(groups),
        empty_words=_empty_words(find, offers),
        verb=_("Buy"),
    )


def _sections(groups: Sequence[OfferGroup], target: str) -> Iterator[Link]:
    """Yield links to the shelves that have rows. One into a folded shelf opens it."""
    for group in groups:
        if group.rows and group.name != shelf_words(HEAVY):
            label = _("Other") if group.name == shelf_words(OTHER) else group.name
            yield Link(label, f"#{target}_{group.key}{'_rows' if group.folds_away else ''}")


def _empty_words(find: str, offers: Sequence[Offer]) -> str:
    if find:
        return _("Nothing found for “{find}”.").format(find=find)
    return "" if offers else _("There is nothing to buy here.")


# --- whole kits ---------------------------------------------------------------------------------------------------------------


def _bought(fighter: ForceFighter) -> list[str]:
    return [item.item for item in fighter.kit if item.origin == "bought"]


def _like(roster: Roster, key: str) -> list[ForceFighter]:
    """Return the other active fighters of the same profile, those with the most kit first."""
    profile = roster.force.fighter(key).profile
    like = [f for f in roster.force.fighters if f.profile == profile and f.key != key and f.active]
    return sorted(like, key=lambda fighter: -len(_bought(fighter)))


def bare_like(roster: Roster, key: str) -> list[str]:
    """Return the keys of the other fighters of the same profile who carry nothing that was bought."""
    return [fighter.key for fighter in _like(roster, key) if not _bought(fighter)]


def lacking(roster: Roster, key: str, like: ForceFighter, offers: Sequence[Offer]) -> tuple[str, ...]:
    """Return the offers that would give a fighter what another of its profile has bought and it lacks."""
    for_sale = sorted((o for o in offers if o.kind == "item"), key=lambda o: o.state != "closed")
    entries = {offer.ref: offer.id for offer in for_sale}
    missing = Counter(_bought(like)) - Counter(item.item for item in roster.force.fighter(key).kit)
    return tuple(entries[item] for item in missing.elements() if item in entries)


def kit_named(roster: Roster, key: str, kit: str) -> tuple[str, ...]:
    """Return the offers of a whole kit by its key on the page, () if it is not offered any more."""
    way, __, ref = kit.partition(":")
    if way == "usual":
        usual = roster.shop.usual_kits(roster.content, roster.force, key)
        return next((each.offers for each in usual if each.key == ref), ())
    like = next((fighter for fighter in _like(roster, key) if fighter.key == ref), None)
    return lacking(roster, key, like, roster.item_offers(key)) if way == "as" and like is not None else ()


def _kits(
    roster: Roster, key: str, like: Sequence[ForceFighter], offers: Sequence[Offer], bought: Sequence[str]
) -> Iterator[KitPreset]:
    """Yield the kits that like fighters carry, then the usual ones. Those just bought stay where they are."""
    names = {offer.id: offer.name for offer in offers}
    seen: set[tuple[str, ...]] = set()
    count = 0
    for fighter in like:
        kit, parts = f"as:{fighter.key}", lacking(roster, key, fighter, offers)
        called = _("As {name}").format(name=fighter.name)
        if kit in bought or (parts and tuple(sorted(parts)) not in seen and count < LIKE_KITS):
            count += 1
            seen.add(tuple(sorted(parts)))
            yield _preset(roster, key, kit, called, parts, names, bought)
    usual = {f"usual:{each.key}": each for each in roster.shop.usual_kits(roster.content, roster.force, key)}
    for kit in dict.fromkeys((*(one for one in bought if one.startswith("usual:")), *usual)):
        each = usual.get(kit)
        if each is None:
            yield KitPreset(kit, _("Usual kit"), "", "", (), "", bought=True)
        elif tuple(sorted(each.offers)) not in seen and count < LIKE_KITS + USUAL_KITS:
            count += 1
            seen.add(tuple(sorted(each.offers)))
            yield _preset(roster, key, kit, each.name or _("Usual kit"), each.offers, names, bought)


@dataclass(frozen=True, slots=True)
class FirstKits:
    """The whole kits of a fighter who has bought nothing yet, for its open block. `same` are its bare likes."""

    kits: tuple[KitPreset, ...]
    same: tuple[str, ...]
    same_words: str
    token: str = field(default_factory=new_token)


def first_kits(roster: Roster, row: Fighter) -> FirstKits | None:
    """Return the whole kits that a bare fighter may buy in one press; None for others. No queries."""
    key = str(row.pk)
    fighter = roster.force.fighter(key)
    if not roster.shops or not fighter.active or _bought(fighter):
        return None
    like = _like(roster, key)
    kits = tuple(_kits(roster, key, like, roster.item_offers(key), ()))
    bare = [one for one in like if not _bought(one)]
    return FirstKits(kits, tuple(one.key for one in bare), _same_words(bare)) if kits else None


def _preset(
    roster: Roster,
    key: str,
    kit: str,
    called: str,
    parts: tuple[str, ...],
    names: dict[str, str],
    bought: Sequence[str],
) -> KitPreset:
    if not parts:
        return KitPreset(kit, called, "", "", (), "", bought=True)
    judged = roster.whole_kit((key,), parts)
    words = _("adds {items}").format(items=", ".join(names.get(part, part) for part in parts))
    reason = f"{judged.reason} {judged.mend}".strip()
    return KitPreset(kit, called, words, asked(judged.price), parts, reason, bought=kit in bought)


def _same_words(bare: Sequence[ForceFighter]) -> str:
    if not bare:
        return ""
    if len(bare) > NAMED:
        return _("Same for the other {n} without kit").format(n=len(bare))
    return _("Same for {names}").format(names=listed(one.name for one in bare))


def _also(roster: Roster, key: str, like: Sequence[ForceFighter]) -> tuple[AlsoFor, ...]:
    """Return everybody else who may buy, like fighters first."""
    known = {fighter.key for fighter in like}
    others = [f for f in roster.force.fighters if f.active and f.key not in known and f.key != key]
    return tuple(
        AlsoFor(f.key, f.name, profile_beside(f.name, roster.sheets[f.key].profile_name)) for f in (*like, *others)
    )


# --- who is next --------------------------------------------------------------------------------------------------------------


def unarmed(roster: Roster) -> list[str]:
    """Return the keys of the active fighters without a weapon, in the order of the sheet."""
    active = {fighter.key for fighter in roster.force.fighters if fighter.active}
    return [line.key for line in roster.sheet.fighters if line.key in active and not line.weapons]


def next_act(roster: Roster, after: str = "") -> Link:
    """Return the way on: to the next fighter without a weapon; if there is none, to the end of building or the roster."""
    if not roster.shops:
        return Link(_("Done"), roster.address)
    order = [line.key for line in roster.sheet.fighters]
    place = order.index(after) if after in order else -1
    bare = [key for key in unarmed(roster) if key != after]
    coming = sorted(bare, key=lambda key: (order.index(key) < place, order.index(key)))
    if coming:
        name = roster.force.fighter(coming[0]).name
        return Link(_("Next: {name}").format(name=name), href_of("kit-buy", coming[0]))
    if roster.warband.is_founding and roster.force.fighters:
        return Link(_("Ready to play"), href_of("warband-ready", roster.warband.pk))
    return Link(_("Done"), roster.address)
