"""The kit of fighters who died after a battle. It is recorded as they die, for lists that may recover it at the fork.

Source: The Red Brigade 1.6.3, "Remember the Fallen".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.consequences import Consequence, GainsItem, Money, Recovers, SetWarband
from rules.content.schema import ItemOffer
from rules.force import ForceFighter
from rules.formatting import joined, quantity
from rules.price import Price
from rules.resolution import Option, Outcome
from rules.translation import gettext
from rules.trench_crusade.carried_effects import CarriedEffect, count_owned, limit_of
from rules.trench_crusade.steps.context import StepContext
from rules.vocabulary import RecoversFallenEffect

REMEMBER = "remember"
LEAF = "fallen"


@dataclass(frozen=True, slots=True)
class LostPiece:
    """A piece of a fallen fighter. `key` is its row, or "" for kit that came with the profile and has no row."""

    item: str
    key: str = ""
    offer: str = ""


def source_of(context: StepContext) -> CarriedEffect | None:
    """Return the rule that lets the warband recover the kit of its fallen, or None if it has none."""
    return next((source for source, _ in context.effects(RecoversFallenEffect)), None)


def noted(context: StepContext, fighter: ForceFighter) -> tuple[Consequence, ...]:
    """Return the change that records a dying fighter's kit until the sequence is closed.

    It is empty for mercenaries, and for lists that recover no kit.
    """
    rule, view = source_of(context), context.views.get(fighter.key)
    if rule is None or view is None or view.mercenary:
        return ()
    rows = {piece.key: piece for piece in fighter.kit}
    items = context.content.items
    pieces = [
        {"item": piece.item, "key": piece.key if piece.key in rows else "", "offer": piece.offer}
        for piece in view.kit
        if piece.item in items and not items[piece.item].built_in
    ]
    kept = {"battle": context.prefix, "pieces": pieces}
    return (SetWarband((LEAF, fighter.key), kept, rule.name),) if pieces else ()


def _of_this_battle(context: StepContext) -> dict[str, tuple[LostPiece, ...]]:
    """Return the pieces of those who died after this battle, by fighter, in roster order."""
    kept = context.force.state.get(LEAF)
    found: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
    mine = {key: one for key, one in found.items() if isinstance(one, Mapping) and one.get("battle") == context.prefix}
    return {key: tuple(LostPiece(**piece) for piece in mine[key]["pieces"]) for key in context.in_order(mine)}


def _shares(context: StepContext) -> tuple[list[LostPiece], list[tuple[LostPiece, Price]]]:
    """Return the pieces that come back, and those sold because they would exceed their LIMIT, with their prices."""
    content, counts = context.content, Counter[str]()
    back: list[LostPiece] = []
    sold: list[tuple[LostPiece, Price]] = []
    for piece in (piece for pieces in _of_this_battle(context).values() for piece in pieces):
        entry = content.item_offers.get(piece.offer) or content.offer_of(context.force.list, piece.item)
        limit = limit_of(content, context.force, entry) if entry is not None else None
        if limit is not None and count_owned(context.force, piece.item) + counts[piece.item] >= limit:
            sold.append((piece, _sale(context, piece, entry)))
            continue
        counts[piece.item] += 1
        back.append(piece)
    return back, sold


def _sale(context: StepContext, piece: LostPiece, entry: ItemOffer | None) -> Price:
    base = entry.price if entry is not None else context.content.any_price.get(piece.item, Price())
    divisor = context.content.campaign.sale_divisor
    return Price(ducats=-(-base.ducats // divisor), glory=-(-base.glory // divisor))


def _name(context: StepContext, piece: LostPiece) -> str:
    return context.content.items[piece.item].name if piece.item in context.content.items else piece.item


def remember_option(context: StepContext) -> Option | None:
    """Return the third option of the fork with its results, closed if nobody fell.

    None for lists that do not have it.
    """
    rule = source_of(context)
    if rule is None:
        return None
    back, sold = _shares(context)
    fallen = [context.name(key) for key in _of_this_battle(context)]
    gains = [_name(context, piece) for piece in back]
    gains += [
        gettext("{price} for {name}, past its LIMIT").format(price=price, name=_name(context, piece))
        for piece, price in sold
        if price
    ]
    losses = (gettext("exploration and loot this time"),)
    if not fallen:
        return Option(
            REMEMBER, rule.name, "", (), losses, gettext("none of your fighters died with kit in this battle.")
        )
    words = gettext("The kit of {fallen} goes to the {label}. Ducats and {label} are kept.").format(
        fallen=joined(fallen), label=context.label("stash")
    )
    return Option(REMEMBER, rule.name, words, tuple(gains), losses)


def remembered(context: StepContext) -> Outcome:
    """Bring back the kit of the fallen. Each lost piece returns as itself; kit without a row comes as a find."""
    rule = source_of(context)
    assert rule is not None
    back, sold = _shares(context)
    owned = tuple(piece.key for piece in back if piece.key)
    gone = tuple(piece.key for piece, _ in sold if piece.key)
    does: list[Consequence] = [Recovers(owned, rule.name)] if owned else []
    does += [GainsItem(piece.item, "found", rule.name) for piece in back if not piece.key]
    does += [Recovers(gone, gettext("{rule}: sold, past its LIMIT").format(rule=rule.name), sold=True)] if gone else []
    does += [
        Money(price, gettext("{name} sold, past its LIMIT").format(name=_name(context, piece)))
        for piece, price in sold
        if price
    ]
    does.append(SetWarband(("reinforced_last",), False, gettext("no reinforcements")))
    lines = (
        [
            gettext("To the {label}: {listed}.").format(
                label=context.label("stash"), listed=joined(_name(context, piece) for piece in back)
            )
        ]
        if back
        else []
    )
    lines += [
        gettext("{name} would pass its LIMIT: {words}.").format(
            name=_name(context, piece),
            words=gettext("sold for {price}").format(price=price) if price else gettext("given up: it cannot be sold"),
        )
        for piece, price in sold
    ]
    return Outcome(
        gettext("{rule}: {count} back.").format(
            rule=rule.name, count=quantity(len(back), gettext("piece comes"), gettext("pieces come"))
        ),
        tuple(lines),
        tuple(does),
    )


def forgotten(context: StepContext) -> tuple[Consequence, ...]:
    """Return the changes that delete the records of this battle's fallen when the sequence is closed."""
    return tuple(SetWarband((LEAF, key), None, gettext("the sequence is closed")) for key in _of_this_battle(context))
