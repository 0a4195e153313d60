"""The types of a content pack. A pack is a folder of TOML files, each with tables of the entries below.

Files are merged by table name (`[[profiles]]`, `[[items]]` ...), so authors may divide a pack into files as they like.
Unknown keys and wrong types fail with the file and the field path. Texts are short summaries in our own words.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from rules.content.campaign_entries import (
    CampaignNumbers,
    Deed,
    Lasting,
    Location,
    Patron,
    RandomPart,
    Scenario,
    Trauma,
)
from rules.content.play import EditionPlay
from rules.price import Currency, Price
from rules.vocabulary import Cap, Effect, GroupCap, Holder, PackStruct, RuleText, Slug

# What an entry is for, as somebody who plays would say it.
PURPOSE_WORDS, PURPOSE_LETTERS = 6, 40
Purpose = Annotated[str, msgspec.Meta(max_length=PURPOSE_LETTERS)]


class Hands(PackStruct, frozen=True):
    """The hands an item takes when shooting and when fighting."""

    ranged: int = 0
    melee: int = 0


class Statline(PackStruct, frozen=True):
    """The printed characteristics.

    Movement in inches; ranged and melee in dice (omitted: cannot); armour as a negative number; base in mm.
    """

    movement_inches: int
    movement: Literal["infantry", "flying"] = "infantry"
    ranged: int | None = None
    melee: int | None = None
    armour: int = 0
    base_mm: tuple[int, ...] = (25,)


class Start(PackStruct, frozen=True):
    """What a list starts with, for a campaign or a one-off battle."""

    campaign: Price
    one_off: Price


class ListRule(RuleText, frozen=True):
    """A rule of a faction or variant list."""

    id: Slug
    name: str
    summary: str
    effects: tuple[Effect, ...] = ()
    source: str = ""


class ArmyList(PackStruct, frozen=True):
    """A faction's list or one of its variants. A variant repeats no entries: offers name every list they belong to."""

    id: Slug
    name: str
    keyword: str  # the faction keyword its members carry
    side: Literal["faithful", "hell", "none"]
    start: Start
    patrons: tuple[str, ...]
    short: str = ""
    faction: str = ""  # "" for a faction's own list, else the base faction's id
    temper: str = ""  # its style of play in at most four words
    summary: str = ""  # its style of play in a sentence
    rules: tuple[str, ...] = ()  # ListRule ids in force
    choices: tuple[Effect, ...] = ()
    group_caps: tuple[GroupCap, ...] = ()
    threshold_add: int = 0  # added to every threshold value
    glory_per_reinforcement: int = 0
    mercenaries: bool = True
    samples: tuple[str, ...] = ()
    third_party: bool = False
    book: str = "core"


class OtherList(PackStruct, frozen=True):
    """A list of the game that this pack does not contain (yet), but which opponents, options and IOUs may name."""

    id: Slug
    name: str
    keyword: str
    side: Literal["faithful", "hell", "none"]
    faction: str = ""


class KitSet(PackStruct, frozen=True):
    """Kit that comes with a profile. `fixed` kit is never removed; other kit adds `adds_ducats` to the model's price.

    `one_of`: the player picks one of these alternatives in addition to `items`; with `each_battle`, anew before each
    battle.
    """

    id: Slug
    items: tuple[str, ...] = ()
    fixed: bool = True
    adds_ducats: int = 0
    one_of: tuple[tuple[str, ...], ...] = ()
    each_battle: bool = False


class Ability(RuleText, frozen=True):
    """An ability printed on profiles."""

    id: Slug
    name: str
    summary: str
    action: bool = False
    effects: tuple[Effect, ...] = ()
    source: str = ""


class KitEntry(PackStruct, frozen=True):
    """Kit that fighters of a profile often buy, taken from the ready rosters. `lists`: only there (empty: everywhere)."""

    name: str
    items: tuple[str, ...]
    lists: tuple[str, ...] = ()


class ProfileEntry(RuleText, frozen=True):
    """A printed unit entry. `also`: further names on rosters, used if no closer entry has them."""

    id: Slug
    name: str
    role: Literal["elite", "troop", "mercenary", "special"]
    statline: Statline
    keywords: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    kit: tuple[KitSet, ...] = ()
    may_buy: bool = True
    advancement: Literal["full", "limited", "none", "animal"] = "full"
    effects: tuple[Effect, ...] = ()
    purpose: Purpose = ""
    usual_kits: tuple[KitEntry, ...] = ()
    summary: str = ""
    short: str = ""
    also: tuple[str, ...] = ()
    third_party: bool = False
    source: str = ""


class ProfileOffer(PackStruct, frozen=True):
    """One recruitment entry. `most` None: any number. `hired_as` "find": never bought, only found."""

    id: Slug
    profile: str
    lists: tuple[str, ...]
    price: Price
    least: int = 0
    most: int | None = None
    leader: bool = False
    hired_as: Literal["own", "mercenary", "find", "item"] = "own"
    caps: tuple[Cap, ...] = ()
    leads_without: str = ""  # leads only while nobody hired through this other entry is on the roster
    third_party: bool = False


class ItemEntry(RuleText, frozen=True):
    """A weapon, armour or equipment. `modifiers` are table facts in a few words each ("2 attacks", "+1 DICE to hit").

    `stipulations`: what an armoury says of the item besides its keywords, in editions that separate the two (SHIELD
    COMBO); rules that require a keyword of an item also find them. `reference` explains them.
    """

    id: Slug
    name: str
    category: Literal["ranged", "melee", "armour", "equipment", "field"]
    slot: Literal[
        "ranged-weapon",
        "melee-weapon",
        "grenade",
        "armour",
        "shield",
        "headgear",
        "standard",
        "instrument",
        "equipment",
        "field",
        "none",
    ]
    hands: Hands = Hands()
    range_inches: int | None = None
    range_words: str = ""  # used if the range is not a number of inches
    keywords: tuple[str, ...] = ()
    stipulations: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    weapon: bool = False
    usable_in_melee: bool = False
    usable_at_range: bool = False
    built_in: bool = False
    effects: tuple[Effect, ...] = ()
    purpose: Purpose = ""
    summary: str = ""
    short: str = ""
    third_party: bool = False
    source: str = ""


class ItemOffer(PackStruct, frozen=True):
    """One armoury entry. `limit` None: any number in the warband. `hands` overrides the item's own for its holder."""

    id: Slug
    item: str
    lists: tuple[str, ...]
    price: Price
    limit: int | None = None
    who: Holder = Holder()
    who_words: str = ""  # a readable part of a sentence: "ELITE fighters only"
    hands: Hands | None = None
    exploration_only: bool = False
    third_party: bool = False


class Upgrade(RuleText, frozen=True):
    """Something a fighter can become or learn for a price.

    `options`: upgrades of which the player picks one on taking it.

    `also`: further names on rosters, as on `ProfileEntry`.
    """

    id: Slug
    name: str
    summary: str
    category: str = ""  # special categories need an allowance
    effects: tuple[Effect, ...] = ()
    options: tuple[str, ...] = ()
    purpose: Purpose = ""
    short: str = ""
    also: tuple[str, ...] = ()
    third_party: bool = False
    source: str = ""


class UpgradeOffer(PackStruct, frozen=True):
    """One upgrade entry: its lists, its holders and its price. Upgrades are taken at recruitment unless `any_time`.

    `name`: the lists' name for this entry if it differs from the upgrade's name; both are accepted. `raises`: never
    bought, but taken when its holder dies after a battle; paid for at once, or in the next camp, until when the dead
    fighter lies lifeless. `rule`: open only while this rule of the list is in force, if a list chooses among several.
    `earned`: in a campaign it is won in battle, so nobody pays for it or is founded with it, but its price counts.
    `leads`: its holder leads the warband. `opened`: open only while an effect of the warband names it.
    """

    id: Slug
    upgrade: str
    lists: tuple[str, ...]
    price: Price
    who: Holder = Holder()
    limit: int | None = None
    limit_counts: Holder = Holder()  # only holders matching this count towards the limit (empty: all)
    caps: tuple[Cap, ...] = ()
    excludes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    needs_waived_for: tuple[str, ...] = ()
    any_time: bool = False
    raises: Literal["", "at-once", "in-camp"] = ""
    earned: bool = False
    rule: str = ""
    name: str = ""
    leads: bool = False
    opened: bool = False
    third_party: bool = False


class Keyword(RuleText, frozen=True):
    """A keyword as printed (capitals), with its meaning in a sentence or two.

    `by`: who applies it: the app, the table, or both in part.
    """

    id: Slug
    name: str
    summary: str
    by: Literal["", "app", "table", "both"] = ""
    source: str = ""


class Skill(RuleText, frozen=True):
    """A campaign skill. `kind` is its category. `most` None: any number of fighters of a warband may have it.

    `who`: the fighters that may learn it.
    """

    id: Slug
    name: str
    summary: str
    kind: Literal["model", "exploration", "patron", "special"] = "model"
    most: int | None = None
    who: Holder = Holder()
    effects: tuple[Effect, ...] = ()
    source: str = ""


class SkillRow(PackStruct, frozen=True):
    """One row of a skill table: the 2D6 total, and the skill ("" = a patron skill of the player's choice)."""

    roll: int
    skill: str = ""


class SkillTable(PackStruct, frozen=True):
    """A table of skills rolled with 2D6."""

    id: Slug
    name: str
    rows: tuple[SkillRow, ...]


class Sample(PackStruct, frozen=True):
    """A ready roster to copy: fighters as (name, profile, kit, upgrades)."""

    id: Slug
    name: str
    list: str
    words: str
    document: str  # file name beside the pack, a roster document (docs: formats)


class Note(PackStruct, frozen=True):
    """A difference between two sources: which reading the pack uses, and why."""

    about: str
    words: str
    setting: str = ""


class TableOnly(PackStruct, frozen=True):
    """One kind of thing that only the players at the table can know, so that no odds include it."""

    id: Slug
    words: str


class Pack(PackStruct, frozen=True):
    """A whole edition, as its files describe it."""

    game: str
    edition: str
    name: str
    currency_names: tuple[Currency, ...] = ("ducats", "glory")
    mercenaries_share_rules: bool = (
        True  # list rules apply to mercenaries; if not, they get only the bans of those rules
    )
    labels: dict[str, str] = {}  # the edition's own terms for things that pages name, overriding those of the game
    campaign: CampaignNumbers | None = None
    play: EditionPlay | None = None
    lists: tuple[ArmyList, ...] = ()
    other_lists: tuple[OtherList, ...] = ()
    rules: tuple[ListRule, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    abilities: tuple[Ability, ...] = ()
    profiles: tuple[ProfileEntry, ...] = ()
    profile_offers: tuple[ProfileOffer, ...] = ()
    items: tuple[ItemEntry, ...] = ()
    item_offers: tuple[ItemOffer, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    upgrade_offers: tuple[UpgradeOffer, ...] = ()
    skills: tuple[Skill, ...] = ()
    skill_tables: tuple[SkillTable, ...] = ()
    traumas: tuple[Trauma, ...] = ()
    locations: tuple[Location, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    patrons: tuple[Patron, ...] = ()
    deeds: tuple[Deed, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    random_parts: tuple[RandomPart, ...] = ()
    samples: tuple[Sample, ...] = ()
    reference: tuple[Keyword, ...] = ()  # quick-reference entries that are not keywords
    table_only: tuple[TableOnly, ...] = ()
    notes: tuple[Note, ...] = ()
