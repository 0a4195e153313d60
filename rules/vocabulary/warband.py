"""Effects on what the warband may have: limits, prices, other lists, upgrades and fireteams."""

from __future__ import annotations

from typing import ClassVar, Literal

from rules.vocabulary.base import EffectWord
from rules.vocabulary.requirements import Holder, ItemTest


class WorthEffect(EffectWord, frozen=True, tag="fielded-worth"):
    """A fielded fighter must be worth at least this many ducats with its kit, except the profiles named.

    `on_roster`: the warband cannot include a cheaper fighter at all, so every check of the roster reports it.
    """

    least_ducats: int
    on_roster: bool = False
    except_profiles: tuple[str, ...] = ()


class UpgradeAllowanceEffect(EffectWord, frozen=True, tag="upgrade-allowance"):
    """The warband may take this many more (or fewer) upgrades of a special category; without this effect it may take none.

    It must take at least `least`. With `others_ducats` it may take them while all other fighters with their kit cost
    this much; what it has stays.
    """

    category: str
    count: int
    least: int = 0
    others_ducats: int = 0


class WaivesExclusionEffect(EffectWord, frozen=True, tag="waives-exclusion"):
    """The bearer may combine these upgrades, although they exclude each other."""

    upgrades: tuple[str, ...]


class UpgradeBudgetEffect(EffectWord, frozen=True, tag="upgrade-budget"):
    """The first `free_ducats` of upgrades are free; at most `most_ducats` may be spent."""

    free_ducats: int = 0
    most_ducats: int | None = None


class ExtraUpgradeEffect(EffectWord, frozen=True, tag="extra-upgrade"):
    """The bearer may take one more upgrade of `category`, at any time: of any rule or fighter, and outside its LIMIT."""

    category: str


class EliteCapEffect(EffectWord, frozen=True, tag="elite-cap"):
    """The warband may have this many more ELITE fighters while the bearer lives."""

    add: int


class WarbandItemCapEffect(EffectWord, frozen=True, tag="warband-item-cap"):
    """The whole warband, stash included, may have at most this many items matching `among`."""

    among: ItemTest
    most: int
    ignore: tuple[ItemTest, ...] = ()


class WarbandItemBalanceEffect(EffectWord, frozen=True, tag="warband-item-balance"):
    """The whole warband, stash included, may have no more items matching `among` than items matching `beside`.

    Source: Carcass Front, Heretic Naval Raiders: The Leviathan Shoal.
    """

    among: ItemTest
    beside: ItemTest


class WarbandBanEffect(EffectWord, frozen=True, tag="warband-ban"):
    """Items the warband may neither buy nor carry."""

    items: tuple[ItemTest, ...]


class PriceEffect(EffectWord, frozen=True, tag="price"):
    """Items (or upgrades of `upgrade_category`) cost `add` ducats more, but at least `least_ducats`, for the whole warband."""

    warband_wide: ClassVar[bool] = True
    add_ducats: int
    items: tuple[ItemTest, ...] = ()
    from_ducats: int = 0
    upgrade_category: str = ""
    least_ducats: int = 0


class FirstCopyEffect(EffectWord, frozen=True, tag="first-copy"):
    """The warband's first copy of each item matching one of `items` costs half its ducats, rounded up."""

    items: tuple[ItemTest, ...]


class RaiseLimitEffect(EffectWord, frozen=True, tag="raise-limit"):
    """The player picks one limited entry (`of`: items or profiles); its limit rises by `add`.

    The pick is stored as a choice.

    `categories` and `no_glory_items` restrict the pick among items, `not_elite` and `base_below_mm` (0: any) among
    profiles. `every`: there is no pick; the limits of all entries within these bounds rise. `stays`: the effect of a
    lost item remains in force, and the item counts against its own LIMIT.
    """

    warband_wide: ClassVar[bool] = True
    of: Literal["items", "profiles"]
    add: int = 1
    not_elite: bool = False
    categories: tuple[str, ...] = ()
    no_glory_items: bool = False
    base_below_mm: int = 0
    every: bool = False
    stays: bool = False


class FireteamsEffect(EffectWord, frozen=True, tag="fireteams"):
    """The warband (or, with `own`, the bearer with one partner) may form this many fireteams of two.

    `partner`: the requirement for the partner, or for both members. `threshold_ducats`: only once the warband's
    threshold value reaches it. Source: 1.0, Remnants of Byzantium: Cataphract Formations.
    """

    count: int
    kind: str = "standard"
    own: bool = False
    partner: Holder = Holder()
    exclusive: bool = False
    threshold_ducats: int = 0


class ForeignPickEffect(EffectWord, frozen=True, tag="foreign-pick"):
    """The warband (or, with `own`, the bearer) picks `count` items from the named lists that its own list lacks.

    `categories` restricts the pick; `no_profile_only` excludes entries for one profile only; the warband may have
    `limit` copies of the item; with `stays` it never leaves its bearer. The pick is stored as a choice.
    """

    warband_wide: ClassVar[bool] = True
    lists: tuple[str, ...]  # empty: the lists of all other factions
    count: int = 1
    categories: tuple[str, ...] = ()
    not_slots: tuple[str, ...] = ()
    no_profile_only: bool = False
    own: bool = False
    stays: bool = False
    limit: int | None = None
    beats_own_filter: tuple[str, ...] = ()  # profiles whose own filter does not apply to the pick
    held_for_some: bool = False  # an item that the own list sells only to some fighters counts as lacking


class OpensOffersEffect(EffectWord, frozen=True, tag="opens-offers"):
    """These item offers of other lists are open to the warband, at their price, limit and holder."""

    warband_wide: ClassVar[bool] = True
    offers: tuple[str, ...]


class OpensUpgradesEffect(EffectWord, frozen=True, tag="opens-upgrades"):
    """These upgrade entries, which are `opened` only so, are open to the warband.

    Source: Carcass Front, House of Wisdom: Whispering Zij.
    """

    warband_wide: ClassVar[bool] = True
    offers: tuple[str, ...]


class OpensPatronsEffect(EffectWord, frozen=True, tag="opens-patrons"):
    """The warband may also follow one of these patrons."""

    patrons: tuple[str, ...]


class BuysFighterEffect(EffectWord, frozen=True, tag="buys-fighter"):
    """Buying this item hires a fighter of this profile instead."""

    profile: str


class ShopCapEffect(EffectWord, frozen=True, tag="exploration-shop"):
    """Opens the exploration-only glory items up to this price in the trade step.

    If there are several, the highest price counts.
    """

    warband_wide: ClassVar[bool] = True
    most_glory: int


class ListedEffect(EffectWord, frozen=True, tag="listed"):
    """The pack's own data (offers, limits, profiles, kit, weapon lines) already contains the text.

    Nothing else applies it.
    """


WarbandEffect = (
    WorthEffect
    | UpgradeAllowanceEffect
    | WaivesExclusionEffect
    | UpgradeBudgetEffect
    | ExtraUpgradeEffect
    | EliteCapEffect
    | WarbandItemCapEffect
    | WarbandItemBalanceEffect
    | WarbandBanEffect
    | PriceEffect
    | FirstCopyEffect
    | RaiseLimitEffect
    | FireteamsEffect
    | ForeignPickEffect
    | OpensOffersEffect
    | OpensUpgradesEffect
    | OpensPatronsEffect
    | BuysFighterEffect
    | ShopCapEffect
    | ListedEffect
)
