"""The vocabulary of packs: who may take an entry, how many, where it is stored, what choice it asks for and what it changes.

Everything here is data: frozen structs that a pack (TOML) is decoded into. `rules.fighters` and `rules.checker`
interpret them. A new word is added here once, with a test; new content should almost never need one.

Conventions: ids are ASCII slugs; an empty string or tuple means "not required"; within one `Trait` or `ItemTest` all
parts that are given must hold; a tuple of them is a list of alternatives.
"""

from __future__ import annotations

from rules.vocabulary.base import *
from rules.vocabulary.battle import *
from rules.vocabulary.battle import BattleEffect
from rules.vocabulary.campaign import *
from rules.vocabulary.campaign import CampaignEffect
from rules.vocabulary.fighter import *
from rules.vocabulary.fighter import FighterEffect
from rules.vocabulary.kit import *
from rules.vocabulary.kit import KitEffect
from rules.vocabulary.limits import *
from rules.vocabulary.requirements import *
from rules.vocabulary.rewards import *
from rules.vocabulary.warband import *
from rules.vocabulary.warband import WarbandEffect

Effect = FighterEffect | KitEffect | WarbandEffect | CampaignEffect | BattleEffect
