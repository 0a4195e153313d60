"""Effects on what a fighter carries."""

from __future__ import annotations

from rules.vocabulary.base import AimedEffect, EffectWord, PackStruct
from rules.vocabulary.requirements import ItemTest


class Only(PackStruct, frozen=True):
    """Among the items matching `among`, only those matching one of `these` are allowed."""

    among: ItemTest
    these: tuple[ItemTest, ...] = ()


class MayCarryEffect(AimedEffect, frozen=True, tag="may-carry"):
    """Permission filter for purchases and kit: `ban`, then `only`, then `allow` (lifts a ban), then `veto` (final)."""

    ban: tuple[ItemTest, ...] = ()
    only: tuple[Only, ...] = ()
    allow: tuple[ItemTest, ...] = ()
    veto: tuple[ItemTest, ...] = ()


class CarryLimitEffect(EffectWord, frozen=True, tag="carry-limit"):
    """One fighter carries between `least` and `most` items matching `among`. `each` counts copies of the same item."""

    among: ItemTest
    most: int | None = None
    least: int = 0
    each: bool = False


class HandsEffect(EffectWord, frozen=True, tag="hands"):
    """Changes the hand budgets (2 ranged and 2 melee by default)."""

    add_ranged: int = 0
    add_melee: int = 0
    set_ranged: int | None = None
    set_melee: int | None = None
    pool: int | None = None  # one budget for shooting and fighting together
    strong_arms: int | None = None  # how many two-handed melee weapons STRONG allows to be held in one hand
    strong_for_ranged: bool = False
    in_one_hand: int | None = None  # this many two-handed `in_one_hand_items` take one hand; replaces STRONG
    in_one_hand_items: tuple[ItemTest, ...] = ()
    no_shield_combo: bool = False


class ItemKeywordEffect(EffectWord, frozen=True, tag="item-keyword"):
    """Items of the bearer matching one of `items` gain or lose keywords."""

    items: tuple[ItemTest, ...]
    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()


class RangeEffect(EffectWord, frozen=True, tag="range"):
    """Items of the bearer matching one of `items` have this many inches more range."""

    items: tuple[ItemTest, ...]
    add_inches: int


class NoSlotEffect(EffectWord, frozen=True, tag="no-weapon-slot"):
    """For an item: it takes no hand and no weapon slot."""


class FixedKitEffect(EffectWord, frozen=True, tag="fixed-kit"):
    """Nothing may be added to the fighter's kit, swapped or removed."""


class MayBuyEffect(EffectWord, frozen=True, tag="may-buy"):
    """The mercenary may nevertheless buy kit, within its own filter."""


class MustCarryEffect(EffectWord, frozen=True, tag="must-carry"):
    """The finished fighter must carry one of `one_of` and nothing of `none_of` (items matching `except_items` are fine).

    `melee_hands`: it must carry Melee Weapons that together fill this many hands.
    """

    melee_hands: int = 0
    one_of: tuple[ItemTest, ...] = ()
    none_of: tuple[ItemTest, ...] = ()
    except_items: tuple[ItemTest, ...] = ()


class SwapKitEffect(EffectWord, frozen=True, tag="swap-kit"):
    """The items of `give` replace the mandatory kit set `take`."""

    take: tuple[str, ...]
    give: tuple[str, ...]


class KitToStashEffect(EffectWord, frozen=True, tag="kit-to-stash"):
    """All kit of the fighter moves to the stash when this is taken."""


class StartingItemsEffect(EffectWord, frozen=True, tag="starting-items"):
    """Item offers that are free when the warband is founded. `borne`: a fighter must then carry each of them."""

    offers: tuple[str, ...]
    borne: bool = False


class CannotMoveEffect(EffectWord, frozen=True, tag="cannot-be-moved"):
    """Once given to a fighter, the item stays with it."""


class StaysInStashEffect(EffectWord, frozen=True, tag="stays-in-stash"):
    """The item serves the whole warband: it stays in the stash and no fighter can have it."""


class CopiesEffect(EffectWord, frozen=True, tag="copies"):
    """One fighter may carry this many copies of this item."""

    most: int


class AttachesEffect(EffectWord, frozen=True, tag="attaches-to"):
    """The item only works with a carried item of one of these groups."""

    groups: tuple[str, ...]


KitEffect = (
    MayCarryEffect
    | CarryLimitEffect
    | HandsEffect
    | ItemKeywordEffect
    | RangeEffect
    | NoSlotEffect
    | FixedKitEffect
    | MayBuyEffect
    | MustCarryEffect
    | SwapKitEffect
    | KitToStashEffect
    | StartingItemsEffect
    | CannotMoveEffect
    | StaysInStashEffect
    | CopiesEffect
    | AttachesEffect
)
