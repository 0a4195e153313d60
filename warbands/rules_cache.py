"""Caches what the rules answer about a roster.

An act asks the same questions as the pages before and after it. A force is an immutable value, so an answer stays valid for the same
force under the same content. A changed roster is another force.
"""

from __future__ import annotations

from functools import lru_cache

from rules.force import Force
from rules.game import Game, GameContent
from rules.parts.offer import Offer
from rules.parts.verdict import Verdict
from warbands.adapters import PRESENT

KEPT = 64


@lru_cache(maxsize=KEPT)
def verdict(game: Game, content: GameContent, force: Force) -> Verdict:
    return game.check(content, force)


@lru_cache(maxsize=KEPT)
def hire_offers(game: Game, content: GameContent, force: Force) -> tuple[Offer, ...]:
    return game.hire_offers(content, force)


@lru_cache(maxsize=KEPT)
def item_offers(game: Game, content: GameContent, force: Force, fighter: str) -> tuple[Offer, ...]:
    """What may be bought for a fighter, or for the stash (""). The most expensive question that a page asks the rules."""
    return game.shop.item_offers(content, force, fighter) if game.shop is not None else ()


@lru_cache(maxsize=KEPT)
def upgrade_offers(game: Game, content: GameContent, force: Force, fighter: str) -> tuple[Offer, ...]:
    return game.shop.upgrade_offers(content, force, fighter) if game.shop is not None else ()


@lru_cache(maxsize=KEPT)
def upgradable(game: Game, content: GameContent, force: Force) -> frozenset[str]:
    """The keys of fighters for whom an upgrade is written. About as expensive as the list of hires."""
    if game.shop is None:
        return frozenset()
    shop = game.shop
    keys = (fighter.key for fighter in force.fighters if fighter.status in PRESENT)
    return frozenset(key for key in keys if shop.upgrade_offers(content, force, key))
