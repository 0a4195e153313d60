"""What a location option or an IOU hands out."""

from __future__ import annotations

from rules.price import Currency
from rules.vocabulary.base import PackStruct
from rules.vocabulary.requirements import ItemTest


class DucatsReward(PackStruct, frozen=True, tag_field="reward", tag="ducats"):
    """Ducats now: fixed plus `dice` D6 times `times`."""

    ducats: int = 0
    dice: int = 0
    times: int = 1


class GloryReward(PackStruct, frozen=True, tag_field="reward", tag="glory"):
    """Glory now: fixed plus, with `d3`, a D3."""

    glory: int = 0
    d3: bool = False


class ItemsReward(PackStruct, frozen=True, tag_field="reward", tag="items"):
    """All of these items join the stash as finds. `within_limit`: not past LIMIT; `else_price`: then their price instead."""

    items: tuple[str, ...]
    own_list_only: bool = False
    within_limit: bool = False
    else_price: bool = False
    counts_as: str = ""


class ItemChoiceReward(PackStruct, frozen=True, tag_field="reward", tag="item-choice"):
    """One item of the player's choice: of `items`, or of the own armoury (or of `lists`) matching `among`.

    `from_face`: only if a D6, rolled first, shows at least this. `glory_items`: only what is never sold without a find.
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

    `lists` names the armouries instead, `others` takes those of every other faction; their holders and limits hold. `most_items`: no
    more than so many (0: any number). `glory_items`: only what is never sold without a find; `weapons_less`: each weapon counts so much
    less, one at the least.
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
    """One glory item may be bought now, at its price, if that is no higher than this."""

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
    """All scars leave one fighter, at once."""


class CampaignPointsReward(PackStruct, frozen=True, tag_field="reward", tag="campaign-points"):
    """Points for the standings of the campaign: fixed, a D3, or as many glory (up to `for_glory`) as the player gives for them, one each."""

    victory_points: int = 0
    d3: bool = False
    for_glory: int = 0


class PromiseReward(PackStruct, frozen=True, tag_field="reward", tag="iou"):
    """Kept as an IOU: told in `words`, until `expires` ("" never). `gives` is what it hands out once it is settled (no dice)."""

    words: str
    expires: str = ""
    lists: tuple[str, ...] = ()
    glory: int = 0
    gives: tuple[ItemChoiceReward | FreeKitReward | GloryItemReward, ...] = ()


class OneOfReward(PackStruct, frozen=True, tag_field="reward", tag="one-of"):
    """One of these sums, as the player picks."""

    of: tuple[DucatsReward | GloryReward, ...]


Reward = (
    DucatsReward | GloryReward | ItemsReward | ItemChoiceReward | FreeKitReward | GloryItemReward | FightersReward | LastingReward
    | ExperienceReward | SkillReward | ExplorationSkillReward | HealReward | CampaignPointsReward | PromiseReward
    | OneOfReward
)  # fmt: skip
