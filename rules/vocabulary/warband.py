"""Effects on what the warband may have: limits, prices, other lists, upgrades and fireteams."""

from __future__ import annotations

from typing import ClassVar, Literal

from rules.vocabulary.base import EffectWord
from rules.vocabulary.requirements import Holder, ItemTest


class WorthEffect(EffectWord, frozen=True, tag="fielded-worth"):
    """A fielded fighter is worth at least so many ducats with its kit, except the profiles named.

    `on_roster`: the warband cannot include such a fighter at all, so it shows whenever the roster is checked.
    """

    least_ducats: int
    on_roster: bool = False
    except_profiles: tuple[str, ...] = ()


class UpgradeAllowanceEffect(EffectWord, frozen=True, tag="upgrade-allowance"):
    """So many more upgrades of a special category (0 without such a line), or fewer; `least` must be taken."""

    category: str
    count: int
    least: int = 0


class WaivesExclusionEffect(EffectWord, frozen=True, tag="waives-exclusion"):
    """Among these upgrades of the bearer no one excludes another."""

    upgrades: tuple[str, ...]


class UpgradeBudgetEffect(EffectWord, frozen=True, tag="upgrade-budget"):
    """The first `free_ducats` of upgrades are free; at most `most_ducats` may be spent."""

    free_ducats: int = 0
    most_ducats: int | None = None


class ExtraUpgradeEffect(EffectWord, frozen=True, tag="extra-upgrade"):
    """The bearer may take one more upgrade of `category`, at any time: of whatever rule or fighter, and outside its LIMIT."""

    category: str


class EliteCapEffect(EffectWord, frozen=True, tag="elite-cap"):
    """The warband may hold so many more ELITE fighters while the bearer lives."""

    add: int


class WarbandItemCapEffect(EffectWord, frozen=True, tag="warband-item-cap"):
    """At most so many items matching `among` in the whole warband, stash included."""

    among: ItemTest
    most: int
    ignore: tuple[ItemTest, ...] = ()


class WarbandBanEffect(EffectWord, frozen=True, tag="warband-ban"):
    """Items the warband may neither buy nor carry."""

    items: tuple[ItemTest, ...]


class PriceEffect(EffectWord, frozen=True, tag="price"):
    """Items (or upgrades of `upgrade_category`) cost `add` ducats more, never below `least_ducats`, warband wide."""

    warband_wide: ClassVar[bool] = True
    add_ducats: int
    items: tuple[ItemTest, ...] = ()
    from_ducats: int = 0
    upgrade_category: str = ""
    least_ducats: int = 0


class FirstCopyEffect(EffectWord, frozen=True, tag="first-copy"):
    """Of each item matching one of `items` the warband's first copy costs half its ducats, rounded up."""

    items: tuple[ItemTest, ...]


class RaiseLimitEffect(EffectWord, frozen=True, tag="raise-limit"):
    """The player picks one limited entry (`of`: items or profiles); its limit rises by `add`. The pick is kept as a choice.

    `categories` and `no_glory_items` bound the pick among items, `not_elite` and `base_below_mm` (0: any) among profiles. `every`:
    nothing is picked, all entries within these bounds rise. `stays`: of a piece that is lost it stays in force, and the piece counts
    against its own LIMIT.
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
    """The warband (or, with `own`, the bearer with one partner) may form so many fireteams of two.

    `partner`: whom a partner, or each of the two, must match. `threshold_ducats`: only once the warband's threshold value reaches it.
    Source: 1.0, Remnants of Byzantium: Cataphract Formations.
    """

    count: int
    kind: str = "standard"
    own: bool = False
    partner: Holder = Holder()
    exclusive: bool = False
    threshold_ducats: int = 0


class ForeignPickEffect(EffectWord, frozen=True, tag="foreign-pick"):
    """The warband (or, with `own`, the bearer) picks `count` items from the lists named that its own list lacks.

    `categories` bounds the pick; `no_profile_only` leaves out entries for one profile only; `limit` copies of it may be had; with `stays`
    the piece never leaves its bearer. The pick is kept as a choice.
    """

    warband_wide: ClassVar[bool] = True
    lists: tuple[str, ...]  # empty: any other faction's
    count: int = 1
    categories: tuple[str, ...] = ()
    not_slots: tuple[str, ...] = ()
    no_profile_only: bool = False
    own: bool = False
    stays: bool = False
    limit: int | None = None
    beats_own_filter: tuple[str, ...] = ()  # profiles whose own filter gives way to the pick
    held_for_some: bool = False  # what the own list sells to some fighters only counts as lacking


class OpensOffersEffect(EffectWord, frozen=True, tag="opens-offers"):
    """These item offers of other lists are open to the warband, at their price, limit and holder."""

    warband_wide: ClassVar[bool] = True
    offers: tuple[str, ...]


class OpensPatronsEffect(EffectWord, frozen=True, tag="opens-patrons"):
    """The warband may follow one of these patrons too."""

    patrons: tuple[str, ...]


class BuysFighterEffect(EffectWord, frozen=True, tag="buys-fighter"):
    """Buying this item hires a fighter of this profile instead."""

    profile: str


class ShopCapEffect(EffectWord, frozen=True, tag="exploration-shop"):
    """Opens the exploration-only glory items up to this price to the trade step; of several, the highest counts."""

    warband_wide: ClassVar[bool] = True
    most_glory: int


class ListedEffect(EffectWord, frozen=True, tag="listed"):
    """What the text says stands in the pack's own data (offers, limits, profiles, kit, weapon lines): nothing is left to be applied."""


WarbandEffect = (
    WorthEffect
    | UpgradeAllowanceEffect
    | WaivesExclusionEffect
    | UpgradeBudgetEffect
    | ExtraUpgradeEffect
    | EliteCapEffect
    | WarbandItemCapEffect
    | WarbandBanEffect
    | PriceEffect
    | FirstCopyEffect
    | RaiseLimitEffect
    | FireteamsEffect
    | ForeignPickEffect
    | OpensOffersEffect
    | OpensPatronsEffect
    | BuysFighterEffect
    | ShopCapEffect
    | ListedEffect
)
