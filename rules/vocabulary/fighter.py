"""Effects on the fighter itself: its profile, characteristics, keywords and abilities."""

from __future__ import annotations

from typing import ClassVar, Literal

from rules.vocabulary.base import AimedEffect, EffectWord
from rules.vocabulary.requirements import Holder, ItemTest

Stat = Literal["movement", "ranged", "melee", "armour"]


class StatEffect(EffectWord, frozen=True, tag="stat"):
    """Adds to a characteristic, or sets it. Armour is negative (it is subtracted from injury rolls)."""

    stat: Stat
    add: int = 0
    set: int | None = None


class MovementTypeEffect(EffectWord, frozen=True, tag="movement-type"):
    """The fighter moves as `movement` ("infantry" or "flying")."""

    movement: Literal["infantry", "flying"]


class BaseEffect(EffectWord, frozen=True, tag="base"):
    """The base is enlarged to `mm`, or this size is an option (`optional`)."""

    mm: tuple[int, ...]
    optional: bool = False


class BaseChoiceEffect(EffectWord, frozen=True, tag="base-choice"):
    """The player picks one of several base sizes. `movement` may give the movement of each, in the same order."""

    mm: tuple[tuple[int, ...], ...]
    movement: tuple[int, ...] = ()


class KeywordEffect(AimedEffect, frozen=True, tag="keyword"):
    """The fighter gains and loses keywords. `last` losses override every gain."""

    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()
    last: bool = False


class ImmuneEffect(EffectWord, frozen=True, tag="immune"):
    """These keywords (FEAR, GAS ...) do not affect the fighter at the table."""

    keywords: tuple[str, ...]


class AbilityEffect(AimedEffect, frozen=True, tag="ability"):
    """The fighter gains and loses abilities, optionally only `for_profiles`."""

    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()


class CountsAsEffect(EffectWord, frozen=True, tag="counts-as"):
    """The bearer counts as `profile` wherever a rule names that profile, except for the items named."""

    profile: str = ""
    item: str = ""
    except_items: tuple[str, ...] = ()


class BecomesEffect(EffectWord, frozen=True, tag="becomes"):
    """The fighter changes into another profile.

    `worth_ducats` replaces its worth; the upgrade itself then adds none.
    """

    profile: str
    worth_ducats: int | None = None
    clears_scars: bool = False
    clears_advancement: bool = False


class ChooseEffect(EffectWord, frozen=True, tag="choose"):
    """The player picks one of these abilities, rules or upgrades. The pick is stored as a choice under `key`."""

    key: str
    of: Literal["ability", "list-rule", "upgrade", "skill"]
    options: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # skills: any of these tables
    count: int = 1


class LinkEffect(EffectWord, frozen=True, tag="link"):
    """The bearer (or the warband) picks one fighter or item, which gets `effects_ability` and `gain_keywords`."""

    warband_wide: ClassVar[bool] = True
    of: Literal["fighter", "item"]
    who: Holder = Holder()
    items: tuple[ItemTest, ...] = ()
    count: int = 1
    gain_keywords: tuple[str, ...] = ()
    ability: str = ""


FighterEffect = (
    StatEffect
    | MovementTypeEffect
    | BaseEffect
    | BaseChoiceEffect
    | KeywordEffect
    | ImmuneEffect
    | AbilityEffect
    | CountsAsEffect
    | BecomesEffect
    | ChooseEffect
    | LinkEffect
)
