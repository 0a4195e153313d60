"""Offers as rows: what is available, at what price, and why not if it is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.text import capfirst, slugify

from rules.parts.choice import ChoiceAsked
from rules.parts.offer import Offer
from warbands.idempotency import new_token
from warbands.pages.cards import Stat
from warbands.pages.formatting import asked

ORDER = {"open": 0, "problem": 1, "closed": 2}
STATES = {"open": "open", "problem": "open_problem", "closed": "closed"}


@dataclass(frozen=True, slots=True)
class Button:
    """The only act of a row: a form that posts, or a link (`href`) if the user must choose something first."""

    label: str
    url: str = ""
    href: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One offer in the shape that `components/offer_row.html` renders."""

    key: str
    id: str
    name: str
    href: str
    held_words: str
    price_words: str
    detail: tuple[str, ...]
    stats: tuple[Stat, ...]
    state: str
    reason: str
    mend: str
    mend_href: str
    action: Button | None
    token: str
    changed: bool = False
    opened: bool = False
    asks: tuple[ChoiceAsked, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferGroup:
    key: str
    name: str
    rows: tuple[OfferRow, ...]


def asks_of(offer: Offer) -> tuple[ChoiceAsked, ...]:
    """Return all choices that an offer asks for. Its own option comes first, under the key "option"."""
    own = (ChoiceAsked("option", offer.option_words or "Choose one", offer.options),) if offer.options else ()
    return (*own, *offer.choices)


def must_choose(offer: Offer) -> bool:
    return any(not asked_for.optional for asked_for in asks_of(offer))


def held_words(offer: Offer) -> str:
    """Return how many the warband has, and the limit if there is one: "2 of 5", "2 held", "any"."""
    if offer.limit is not None:
        return f"{offer.held} of {offer.limit}"
    return f"{offer.held} held" if offer.held else "any"


def offer_row(
    offer: Offer,
    *,
    verb: str,
    url: str,
    fields: Mapping[str, str],
    href: str = "",
    choose_href: str = "",
    opened: str = "",
    changed: str = "",
    with_held: bool = True,
    with_price: bool = True,
    key: str = "",
    fighter: str = "",
) -> OfferRow:
    """Return one offer as a row. If it requires a choice, the button links to `choose_href` instead of posting.

    `fighter` is the name in the page's heading. It is removed from the start of each reason.
    """
    is_open = offer.state != "closed"
    chooses = must_choose(offer)
    action = None
    if is_open:
        by_choosing = bool(choose_href) and chooses
        action = Button(f"{verb}: choose", href=choose_href) if by_choosing else Button(verb, url=url, fields=fields)
    reason, fix = _why(offer, fighter)
    return OfferRow(
        key=f"offer_{slugify(key or offer.id)}",
        id=offer.id,
        name=offer.name,
        href=href,
        held_words=held_words(offer) if with_held else "",
        price_words=asked(offer.price) if with_price else "",
        detail=offer.details,
        stats=(),
        state=STATES[offer.state],
        reason=reason,
        mend=fix,
        mend_href="",
        action=action,
        token=new_token(),
        changed=bool(changed) and changed == offer.id,
        opened=bool(opened) and opened == offer.id and is_open and chooses,
        asks=asks_of(offer),
    )


def _why(offer: Offer, fighter: str) -> tuple[str, str]:
    problem = offer.problems[0] if offer.problems else None
    reason = offer.reason or (problem.message if problem else "")
    fix = offer.mend or (problem.mend if problem else "")
    if offer.state == "problem" and offer.name in fix:
        fix = ""  # returning an item that is not bought yet does not help
    return capfirst(reason.removeprefix(f"{fighter}: ")) if fighter else reason, fix


def order_of(offers: Iterable[Offer], *, find: str = "", closed: bool = True) -> tuple[str, ...]:
    """Return the offer ids in the order of a freshly loaded page: open offers first and closed ones last in each group."""
    wanted = find.casefold().strip()
    shown = [o for o in offers if wanted in o.name.casefold() and (closed or o.state != "closed")]
    return tuple(offer.id for offer in sorted(shown, key=lambda offer: ORDER[offer.state]))


def grouped(
    offers: Iterable[Offer],
    make: Callable[[Offer], OfferRow],
    *,
    find: str = "",
    closed: bool = True,
    order: Sequence[str] = (),
) -> tuple[OfferGroup, ...]:
    """Return the offers under their headings, in the order of the books.

    Within a heading they have the order of `order_of`. After an act they keep the order from before it (`order`): a row keeps its
    place and remains visible, even if it is closed now, until the page is loaded again. New offers come last.
    """
    known = list(offers)
    now = order_of(known, find=find, closed=closed)
    place = {id_: number for number, id_ in enumerate(dict.fromkeys((*order, *now)))}
    groups: dict[str, list[Offer]] = {}
    for offer in known:
        if offer.id in place:
            groups.setdefault(offer.group, []).append(offer)
    return tuple(
        OfferGroup(slugify(name) or "all", name, tuple(make(o) for o in sorted(members, key=lambda o: place[o.id])))
        for name, members in groups.items()
    )


def opened_row(groups: Iterable[OfferGroup]) -> OfferRow | None:
    return next((row for group in groups for row in group.rows if row.opened), None)


def closed_count(offers: Iterable[Offer]) -> int:
    return sum(1 for offer in offers if offer.state == "closed")
