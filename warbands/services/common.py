"""Helpers of the services: they open an act on a warband, find an offer, settle choices, and check names and texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from rules.game import Game, GameContent
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import StartingItem
from rules.parts.offer import Offer
from rules.parts.shop import ShopPart
from rules.price import Price
from rules.problems import Refusal
from rules.visible import refuse_unseen
from warbands.adapters import PRESENT
from warbands.camp_locks import door_of, refuse_shut
from warbands.models import Fighter, Item, Warband
from warbands.parsing import read_number
from warbands.recorder import Recorder
from warbands.recording import recording, refuse_put_away

LONGEST_NAME = 80


@contextmanager
def acting(
    warband: Warband,
    *,
    kind: str,
    actor: Any,
    token: str = "",
    seen: int | None = None,
    occasion: str = "",
) -> Iterator[Recorder]:
    """Record one act on a warband. Raises Refusal if the warband is archived or disbanded."""
    with recording(warband, kind=kind, actor=actor, token=token, seen=seen, occasion=occasion) as act:
        refuse_put_away(act.warband)
        yield act


def game_of(act: Recorder) -> Game:
    return act.warband.terms.game


def shop_of(act: Recorder) -> ShopPart[GameContent]:
    """Return the shop of the warband's game. Only for acts on kit and upgrades, which no game without a shop has."""
    shop = game_of(act).shop
    assert shop is not None
    return shop


def content_of(act: Recorder) -> GameContent:
    return act.warband.terms.content


# --- rows -------------------------------------------------------------------------------------------------------------


def roster_fighter(act: Recorder, fighter: Fighter) -> Fighter:
    """Return the fighter, read again under the lock. Raises Refusal if it is no longer on the roster."""
    fresh = Fighter.objects.live().filter(pk=fighter.pk, warband_id=act.warband.pk).first()
    if fresh is None or fresh.status not in PRESENT:
        raise Refusal(_("{name} is no longer on the roster.").format(name=fighter.name), code="gone")
    return fresh


def held_item(act: Recorder, item: Item) -> Item:
    """Return the item, read again under the lock. Raises Refusal if the warband no longer holds it."""
    fresh = Item.objects.live().filter(pk=item.pk, warband_id=act.warband.pk).select_related("fighter").first()
    if fresh is None or fresh.status != Item.Status.HELD:
        raise Refusal(_("The warband no longer has this item."), code="gone")
    return fresh


def equip(act: Recorder, fighter: Fighter, outfit: Iterable[StartingItem]) -> None:
    """Give a new fighter the swappable kit that comes with its profile."""
    for position, piece in enumerate(outfit):
        act.create(
            Item(
                warband=fighter.warband,
                fighter=fighter,
                item_id=piece.item,
                offer_id=piece.offer,
                origin=Item.Origin.MANDATORY,
                position=position,
                why=_("Came with {name}").format(name=fighter.name)[:200],
            )
        )


def next_position(rows: Any) -> int:
    """Return the position after the last of these rows. One query."""
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return 0 if last is None else last + 1


# --- offers -----------------------------------------------------------------------------------------------------------


def pick(offers: Iterable[Offer], offer_id: str) -> Offer:
    """Return the offer with this id. Raises Refusal if there is none."""
    for offer in offers:
        if offer.id == offer_id:
            return offer
    return on_offer(None)


def on_offer(offer: Offer | None) -> Offer:
    """Return the offer that was found. Raises Refusal if there is none."""
    if offer is None:
        raise Refusal(_("This isn't on offer here."), code="not-offered")
    return offer


def refuse_order(act: Recorder, offer: Offer) -> None:
    """Raise Refusal if an offer cannot be taken: it is closed or locked, or (after the founding) costs too much."""
    if offer.state == "closed" and not any(problem.code == "over-budget" for problem in offer.problems[:1]):
        refuse_closed(offer)
    refuse_shut(act.warband, door_of(offer))
    if not act.warband.is_founding:
        for currency in ("ducats", "glory"):
            asked, held = getattr(offer.price, currency), getattr(act.warband, f"strongbox_{currency}")
            if asked > held:
                words = _("{name} costs {price} glory; you have {left}.")
                if currency == "ducats":
                    words = _("{name} costs {price} d; you have {left}.")
                raise Refusal(
                    words.format(name=offer.name, price=asked, left=held), mend=sentence(offer.mend), code="money"
                )
    refuse_closed(offer)


def refuse_closed(offer: Offer) -> None:
    """Raise Refusal with the offer's own reason if it is closed."""
    if offer.state == "closed":
        raise Refusal(
            sentence(offer.reason) or _("{name} is locked.").format(name=offer.name),
            mend=sentence(offer.mend),
            code="closed",
        )


def settle_choices(asked: Iterable[ChoiceAsked], answers: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the answers in their stored form: one value each, or a list for a choice of several options.

    Raises Refusal, which names the missing or unknown answer.
    """
    left = dict(answers or {})
    settled: dict[str, Any] = {}
    for choice in asked:
        value = left.pop(choice.key, None)
        if value not in (None, "", [], ()):
            settled[choice.key] = (
                _settled_options(choice, value) if choice.kind == "options" else _settled_text(choice, value)
            )
        elif not choice.optional:
            raise Refusal(_("Choose first: {choice}").format(choice=choice.words), code="choice")
    if left:
        raise Refusal(_("“{value}” isn't asked for here.").format(value=next(iter(left))), code="unknown-option")
    return settled


def _settled_options(choice: ChoiceAsked, value: Any) -> str | list[str]:
    """Return the picked option or options in their stored form. Raises Refusal if one is unknown or the count is wrong."""
    values = [str(v) for v in value] if isinstance(value, (list, tuple, set)) else [str(value)]
    known = {option for option, __ in choice.options}
    for option in values:
        if option not in known:
            raise Refusal(_("“{value}” isn't one of the choices.").format(value=option), code="unknown-option")
    if len(values) != choice.count and not (choice.optional and len(values) < choice.count):
        raise Refusal(
            _("{choice}: choose {n}; you chose {chosen}.").format(
                choice=choice.words, n=choice.count, chosen=len(values)
            ),
            code="wrong-count",
        )
    return values if choice.count > 1 else values[0]


def _settled_text(choice: ChoiceAsked, value: Any) -> str:
    """Return a text or number in its stored form. Raises Refusal if it is invalid."""
    what = choice.words.rstrip(".?")
    if choice.kind == "text":
        line = " ".join(clean_text(str(value), what=what, longest=choice.most).split())
        refuse_unseen(line, what)
        return line
    number = read_number(str(value))
    if number is None or not 1 <= number <= choice.most:
        raise Refusal(
            _("{field}: enter a whole number from 1 to {most}.").format(field=what, most=choice.most), code="number"
        )
    return str(number)


def settle_option(offer: Offer, option: str) -> str:
    """Return the picked option, "" if the offer has none. Raises Refusal if the option is missing or unknown."""
    if not offer.options:
        if option:
            raise Refusal(_("“{value}” isn't asked for here.").format(value=option), code="unknown-option")
        return ""
    if option not in {value for value, __ in offer.options}:
        raise Refusal(_("Choose first: {choice}").format(choice=offer.option_words or offer.name), code="choice")
    return option


# --- words ------------------------------------------------------------------------------------------------------------


def sentence(words: str) -> str:
    words = words.strip()
    if not words:
        return ""
    words = words[0].upper() + words[1:]
    return words if words[-1] in ".?" else words + "."


def clean_text(text: str, *, what: str, longest: int, lines: bool = False, field: str = "") -> str:
    """Return the text in NFC, stripped. Raises Refusal, about the form's `field`, if it is too long or has control characters."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n") if lines else text).strip()
    if any(_is_control(c) and not (lines and c in "\n\t") for c in text):
        raise Refusal(_("{field}: one character can't be printed.").format(field=what), code="text", field=field)
    if len(text) > longest:
        raise Refusal(
            _("{field}: {count} characters; at most {most}.").format(field=what, count=len(text), most=longest),
            code="text",
            field=field,
        )
    return text


def _is_control(character: str) -> bool:
    """Return whether this is a control character, a surrogate, or a mark that changes the direction of the text."""
    return (
        unicodedata.category(character) in ("Cc", "Cs")
        or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


def clean_name(name: str, *, what: str = "", field: str = "name") -> str:
    """Return a name as one line. Raises Refusal, about the form's `field`, if it is empty, too long, or has invisible characters."""
    what = what or _("The name")
    name = " ".join(clean_text(name, what=what, longest=10_000, field=field).split())
    if len(name) > LONGEST_NAME:
        raise Refusal(
            _("{field}: {count} characters; at most {most}.").format(field=what, count=len(name), most=LONGEST_NAME),
            code="text",
            field=field,
        )
    if not name:
        raise Refusal(_("{field} is empty.").format(field=what), code="text", field=field)
    refuse_unseen(name, what, field=field)
    return name


def free_name(warband: Warband, wanted: str) -> str:
    """Return the name, with a number added if a fighter on the roster already has that name. One query."""
    taken = set(Fighter.objects.live().filter(warband=warband, status__in=PRESENT).values_list("name", flat=True))
    wanted = wanted[:LONGEST_NAME]
    if wanted not in taken:
        return wanted
    number = 2
    while (name := f"{wanted[: LONGEST_NAME - 5]} {number}") in taken:
        number += 1
    return name


def total_of(prices: Sequence[Price]) -> Price:
    return Price(ducats=sum(price.ducats for price in prices), glory=sum(price.glory for price in prices))


def paid_words(price: Price) -> str:
    """Return a price as part of a sentence: "for 45 ducats", or "at no charge"."""
    return _("for {price}").format(price=price) if price else _("at no charge")
