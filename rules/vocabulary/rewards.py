"""The rewards of a location option or an IOU."""

from __future__ import annotations

from rules.price import Currency
from rules.vocabulary.base import PackStruct
from rules.vocabulary.requirements import ItemTest


class DucatsReward(PackStruct, frozen=True, tag_field="reward", tag="ducats"):
    """Ducats at once: fixed plus `dice` D6 times `times`."""

    ducats: int = 0
    dice: int = 0
    times: int = 1


class GloryReward(PackStruct, frozen=True, tag_field="reward", tag="glory"):
    """Glory at once: fixed plus, with `d3`, a D3."""

    glory: int = 0
    d3: bool = False


class ItemsReward(PackStruct, frozen=True, tag_field="reward", tag="items"):
    """All of these items join the stash as finds.

    `within_limit`: not beyond LIMIT; `else_price`: otherwise their price.
    """

    items: tuple[str, ...]
    own_list_only: bool = False
    within_limit: bool = False
    else_price: bool = False
    counts_as: str = ""


class ItemChoiceReward(PackStruct, frozen=True, tag_field="reward", tag="item-choice"):
    """One item of the player's choice: of `items`, or of the own armoury (or of `lists`) matching `among`.

    `from_face`: only if a D6, rolled first, shows at least this. `glory_items`: only items that are never sold without
    a find.
    """

    items: tuple[str, ...] = ()
    among: tuple[ItemTest, ...] = ()
    most_ducats: int | None = None
    most_glory: int | None = None
    own_list_only: bool = True
    lists: tuple[str, ...] = ()
    within_limit: bool = False
    else_price: bool = False
    optional: bool = False
    from_face: int = 0
    glory_items: bool = False


class FreeKitReward(PackStruct, frozen=True, tag_field="reward", tag="free-kit"):
    """Any items of the own armoury up to this total, free of charge (or, with `paying`, at their price).

    `lists` names other armouries instead, `others` means those of every other faction; their holders and limits apply.
    `most_items`: at most this many items (0: any number). `glory_items`: only items that are never sold without a find;
    `weapons_less`: each weapon counts as this much cheaper, but at least one.
    """

    currency: Currency
    most: int
    categories: tuple[str, ...] = ()
    within_limit: bool = True
    paying: bool = False
    lists: tuple[str, ...] = ()
    others: bool = False
    most_items: int = 0
    glory_items: bool = False
    weapons_less: int = 0


class GloryItemReward(PackStruct, frozen=True, tag_field="reward", tag="glory-item-purchase"):
    """One glory item may be bought at once, at its price, if the price is at most this."""

    most_glory: int


class FightersReward(PackStruct, frozen=True, tag_field="reward", tag="fighters"):
    """Fighters join free of charge, through these offers."""

    offers: tuple[str, ...]


class LastingReward(PackStruct, frozen=True, tag_field="reward", tag="lasting"):
    """The warband keeps this lasting effect."""

    lasting: str


class ExperienceReward(PackStruct, frozen=True, tag_field="reward", tag="experience"):
    """Up to `count` ELITE fighters of the player's choice gain experience."""

    experience: int
    count: int


class SkillReward(PackStruct, frozen=True, tag_field="reward", tag="skill"):
    """A fighter of the player's choice gains a skill (`skill`, or any of its tables when empty)."""

    skill: str = ""
    gain_keywords: tuple[str, ...] = ()


class ExplorationSkillReward(PackStruct, frozen=True, tag_field="reward", tag="exploration-skill"):
    """The warband learns these exploration skills for good (a skill may be held several times)."""

    skills: tuple[str, ...]


class HealReward(PackStruct, frozen=True, tag_field="reward", tag="heal-scars"):
    """One fighter loses all its scars, at once."""


class CampaignPointsReward(PackStruct, frozen=True, tag_field="reward", tag="campaign-points"):
    """Points for the campaign standings: fixed, a D3, or one for each glory (up to `for_glory`) that the player pays."""

    victory_points: int = 0
    d3: bool = False
    for_glory: int = 0


class PromiseReward(PackStruct, frozen=True, tag_field="reward", tag="iou"):
    """The warband gets an IOU, described by `words`, until `expires` ("" never).

    `gives` are its rewards once it is settled (no dice).
    """

    words: str
    expires: str = ""
    lists: tuple[str, ...] = ()
    glory: int = 0
    gives: tuple[ItemChoiceReward | FreeKitReward | GloryItemReward, ...] = ()


class OneOfReward(PackStruct, frozen=True, tag_field="reward", tag="one-of"):
    """One of these sums, as the player chooses."""

    of: tuple[DucatsReward | GloryReward, ...]


Reward = (
    DucatsReward | GloryReward | ItemsReward | ItemChoiceReward | FreeKitReward | GloryItemReward | FightersReward | LastingReward
    | ExperienceReward | SkillReward | ExplorationSkillReward | HealReward | CampaignPointsReward | PromiseReward
    | OneOfReward
)  # fmt: skip
