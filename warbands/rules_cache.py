"""Caches results of the rules about a roster.

An act needs the same results as the pages before and after it. A force is an immutable value, so a result stays valid
for the same force under the same content. A changed roster is another force.
"""

from __future__ import annotations

from functools import lru_cache

from rules.force import Force
from rules.game import Game, GameContent
from rules.parts.offer import Offer
from rules.parts.sheet import RosterSheet
from rules.parts.shop import WholeKit
from rules.parts.verdict import Verdict

KEPT = 64


@lru_cache(maxsize=KEPT)
def verdict(game: Game, content: GameContent, force: Force) -> Verdict:
    return game.check(content, force)


@lru_cache(maxsize=KEPT)
def sheet(game: Game, content: GameContent, force: Force) -> RosterSheet:
    return game.documents.sheet(content, force)


@lru_cache(maxsize=KEPT)
def hire_offers(game: Game, content: GameContent, force: Force) -> tuple[Offer, ...]:
    return game.hire_offers(content, force)


@lru_cache(maxsize=KEPT)
def hire_offer(game: Game, content: GameContent, force: Force, offer: str) -> Offer | None:
    """Return one offer to hire, None if the list has none with this id. Much cheaper than all of them."""
    return next(iter(game.hire_offers(content, force, (offer,))), None)


@lru_cache(maxsize=KEPT)
def item_offers(game: Game, content: GameContent, force: Force, fighter: str) -> tuple[Offer, ...]:
    """Return the items on offer for a fighter, or for the stash (""). The most expensive call to the rules by a page."""
    return game.shop.item_offers(content, force, fighter) if game.shop is not None else ()


@lru_cache(maxsize=KEPT)
def item_offer(game: Game, content: GameContent, force: Force, fighter: str, offer: str) -> Offer | None:
    """Return one item on offer for a fighter, or for the stash (""). Much cheaper than all of them."""
    offers = game.shop.item_offers(content, force, fighter, (offer,)) if game.shop is not None else ()
    return next(iter(offers), None)


@lru_cache(maxsize=KEPT)
def sells_to(game: Game, content: GameContent, force: Force, fighter: str) -> bool:
    """Return whether a fighter may buy anything."""
    return game.shop is not None and bool(game.shop.item_offers(content, force, fighter, one_is_enough=True))


@lru_cache(maxsize=KEPT)
def whole_kit(
    game: Game, content: GameContent, force: Force, fighters: tuple[str, ...], offers: tuple[str, ...]
) -> WholeKit:
    """Return what buying these offers for each of these fighters costs, and what forbids it."""
    assert game.shop is not None
    return game.shop.whole_kit(content, force, fighters, offers)


@lru_cache(maxsize=KEPT)
def upgrade_offers(game: Game, content: GameContent, force: Force, fighter: str) -> tuple[Offer, ...]:
    return game.shop.upgrade_offers(content, force, fighter) if game.shop is not None else ()
