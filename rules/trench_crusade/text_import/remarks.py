"""The differences between a pasted text and the books: prices, and what was inferred rather than read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.content.compiled import Content
from rules.fighters.views import views
from rules.import_text import Phrase, PhraseMeaning, TextFighter, TextReading
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext as _
from rules.trench_crusade.documents.reader import RosterReader
from rules.trench_crusade.documents.schema import decode
from rules.trench_crusade.text_import.document import listed_as_promoted, location_option, trauma_details


def remarks_of(content: Content, reading: TextReading, document: Mapping[str, Any], list_id: str) -> tuple[str, ...]:
    """Return the differences between the text and the books, one sentence each."""
    if not list_id:
        return ()
    found: list[str] = []
    if not any(phrase.meaning for phrase in reading.lists):
        found.append(
            _("No list is named; the profiles are those of {name}.").format(name=content.name("list", list_id))
        )
    ratings = ratings_of(content, document)
    present: list[Price | None] = []
    row = 0
    for fighter in (fighter for fighter in reading.fighters if not fighter.profile.left_out):
        own = ratings[row : row + fighter.count]
        if fighter.is_counted:
            present += own
        row += fighter.count
        found += _fighter_remarks(content, list_id, fighter, own[0] if own else None)
    found += _option_remarks(content, reading)
    for phrase in reading.stash:
        found += _price_remarks(content, list_id, phrase, _("in the stash"))
    if ratings and not reading.open():
        found += _total_remarks(reading, [rating for rating in present if rating is not None])
    return tuple(found)


def _option_remarks(content: Content, reading: TextReading) -> list[str]:
    """Return a remark for each location whose option, as the text tells it, is none that the books have there."""
    return [
        _("{location}: “{option}” is no option there, and is left out.").format(
            location=phrase.meaning.name, option=phrase.detail
        )
        for phrase in reading.extras
        if phrase.meaning is not None
        and phrase.meaning.kind == "location"
        and phrase.detail
        and not location_option(content, phrase.meaning.id, phrase.detail)
    ]


def _total_remarks(reading: TextReading, ratings: Iterable[Price]) -> list[str]:
    said, known = reading.rating, tuple(ratings)
    ours = Price(sum(rating.ducats for rating in known), sum(rating.glory for rating in known))
    if said is None or _agrees(said, {ours}):
        return []
    return [_("The text says that all are worth {said}, the books {ours}.").format(said=said, ours=ours)]


def ratings_of(content: Content, document: Mapping[str, Any]) -> list[Price | None]:
    """Return the rating of each fighter by the books; empty if the document holds more than a roster can."""
    try:
        data = decode({k: x for k, x in document.items() if k not in ("unread", "record")})
    except Refusal:
        return []
    force = RosterReader(content, data).force()
    known = views(content, force)
    rated = {f.key: known[f.key].rating for f in force.fighters if f.key in known}
    return [rated.get(f"f{n}") for n in range(1, len(document["fighters"]) + 1)]


def _fighter_remarks(content: Content, list_id: str, fighter: TextFighter, rating: Price | None) -> list[str]:
    found: list[str] = []
    name = fighter.name or fighter.profile.text
    if listed_as_promoted(content, fighter) and not fighter.promoted:
        found.append(_("{name} stands among the ELITE: read as promoted.").format(name=name))
    if fighter.reserve:
        found.append(_("{name} stands among the reserves: read as on the roster.").format(name=name))
    if fighter.section == "captive":
        found.append(_("{name} is lost or captured: read as captive.").format(name=name))
    if fighter.profile.meaning is not None and rating is not None:
        found += _rating_remarks(content, list_id, fighter, fighter.profile.meaning, rating)
    for phrase in fighter.phrases:
        found += _price_remarks(content, list_id, phrase, name)
        if phrase.meaning is not None and phrase.meaning.kind == "trauma" and phrase.detail:
            strange = trauma_details(content, phrase.meaning.id, phrase.detail)[1]
            if strange:
                found.append(
                    _("{meaning} of {name}: “{strange}” says nothing the books ask for.").format(
                        meaning=phrase.meaning.name, name=name, strange=strange
                    )
                )
    return found


def _rating_remarks(
    content: Content, list_id: str, fighter: TextFighter, profile: PhraseMeaning, rating: Price
) -> list[str]:
    """Return remarks if the text prices a fighter differently, with all it carries or alone."""
    found: list[str] = []
    name = fighter.name or fighter.profile.text
    total = fighter.total
    if total is not None and not _agrees(total, _multiples({rating}, fighter.count), nothing_agrees=False):
        found.append(
            _("{name}: the text says {total} with everything, the books {rating}.").format(
                name=name, total=total, rating=rating
            )
        )
    offers = content.lists[list_id].by_profile.get(profile.id, ())
    known = {offer.price for offer in offers} | {content.hire_price(offer) for offer in offers} | {rating}
    every = _multiples(known, fighter.count)
    if fighter.prices and not any(_agrees(price, every) for price in fighter.prices):
        alone = _(", {price} without kit").format(price=offers[0].price) if offers and offers[0].price != rating else ""
        found.append(
            _("{name}: the text says {prices}, the books {rating}{alone}.").format(
                name=name, prices=fighter.prices[0], rating=rating, alone=alone
            )
        )
    return found


def _multiples(prices: Iterable[Price], count: int) -> set[Price]:
    return {Price(price.ducats * n, price.glory * n) for price in prices for n in (1, count)}


def _agrees(price: Price, known: set[Price], *, nothing_agrees: bool = True) -> bool:
    """Return whether a price is among the known ones, or matches one of them in the only currency it names."""
    if price in known:
        return True
    if (price.glory and price.ducats) or not (price or nothing_agrees):
        return False
    return any(price.ducats == p.ducats if price.ducats else price.glory == p.glory for p in known)


def _price_remarks(content: Content, list_id: str, phrase: Phrase, where: str) -> list[str]:
    if not phrase.prices or phrase.meaning is None or phrase.meaning.kind not in ("item", "upgrade"):
        return []
    army, ref = content.lists[list_id], phrase.meaning.id
    offers: Sequence[Any] = army.by_item.get(ref, ()) if phrase.meaning.kind == "item" else army.by_upgrade.get(ref, ())
    for_other = [o for o in army.upgrade_offers if content.name("upgrade", o.upgrade) == phrase.meaning.name]
    known = {o.price for o in (*offers, *for_other)}
    if not known:
        return []
    if ref in content.swappable:
        known.add(Price(ducats=content.swappable[ref]))
    every = _multiples(known, phrase.count or 1) | {Price()}
    if any(_agrees(price, every) for price in phrase.prices):
        return []
    price = min(known, key=lambda p: (p.glory, p.ducats))
    return [
        _("{meaning} ({where}): the text says {prices}, the list {price}.").format(
            meaning=phrase.meaning.name, where=where, prices=phrase.prices[0], price=price
        )
    ]
