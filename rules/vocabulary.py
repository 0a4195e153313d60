"""The words in which packs say who may take what, how many, where it goes, what it asks and what it changes.

Everything here is data: frozen structs that a pack (TOML) is decoded into. `rules.effects` and `rules.checker` interpret them. A new
word is added here once, with a test; new content should almost never need one.

Conventions: ids are ASCII slugs; an empty string or tuple means "not asked"; within one `Trait` or `ItemTest` all parts that are
given must hold; a tuple of them is a list of alternatives.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Currency = Literal["ducats", "glory"]
Stat = Literal["movement", "ranged", "melee", "armour"]


class PackStruct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all structs of a pack: immutable, hashable, and strict about unknown keys."""


class Price(PackStruct, frozen=True):
    """What is asked, in both currencies (whole numbers; the unused one is 0)."""

    ducats: int = 0
    glory: int = 0

    def __str__(self) -> str:
        parts = [f"{self.ducats} ducats"] if self.ducats or not self.glory else []
        if self.glory:
            parts.append(f"{self.glory} glory")
        return " and ".join(parts)

    def __bool__(self) -> bool:
        return bool(self.ducats or self.glory)


class Trait(PackStruct, frozen=True):
    """One test of a fighter. The parts given must all hold.

    `profile` is matched against the fighter's profile and everything it counts as.
    """

    profile: str = ""
    keyword: str = ""
    lacks_keyword: str = ""
    role: str = ""  # elite, troop, mercenary, special
    item: str = ""
    item_keyword: str = ""
    item_group: str = ""
    upgrade: str = ""
    skill: str = ""
    base_at_most_mm: int = 0
    base_from_mm: int = 0


class Holder(PackStruct, frozen=True):
    """Who may carry or take something: one of `only_for` (if any), one of `and_also` (if any), none of `not_for`."""

    only_for: tuple[Trait, ...] = ()
    and_also: tuple[Trait, ...] = ()
    not_for: tuple[Trait, ...] = ()


class ItemTest(PackStruct, frozen=True):
    """One test of an item (with the offer it is or would be held through). The parts given must all hold."""

    item: str = ""
    category: str = ""  # ranged, melee, armour, equipment, field
    slot: str = ""
    group: str = ""
    keyword: str = ""
    lacks_keyword: str = ""
    weapon: bool = False
    restricted: bool = False  # the list entry names who may carry it
    limited: bool = False  # the list entry has a LIMIT
    over_ducats: int | None = None  # dearer than this
    for_glory: bool = False  # the list entry asks glory
    melee_hands: int = 0  # takes so many hands in melee, as printed
    ranged_hands: int = 0  # takes so many hands for shooting, as printed
    carrier_has_item_keyword: str = ""


# --- what a limit may say -------------------------------------------------------------------------------------------------


class CapRises(PackStruct, frozen=True, tag_field="cap", tag="rises"):
    """The maximum becomes `most` once the warband's threshold value reaches `threshold_ducats`."""

    threshold_ducats: int
    most: int


class CapHalf(PackStruct, frozen=True, tag_field="cap", tag="half-of"):
    """The maximum is half the number of active fighters of `profile`, rounded down."""

    profile: str


class CapMatch(PackStruct, frozen=True, tag_field="cap", tag="one-per"):
    """The maximum is the number of active fighters of `profile`."""

    profile: str


class CapOutnumbered(PackStruct, frozen=True, tag_field="cap", tag="outnumbered-by"):
    """Any number, while strictly fewer than the other fighters matching one of `by`. Checked in `scopes`."""

    by: tuple[Trait, ...]
    scopes: tuple[Literal["roster", "purchase"], ...] = ("roster", "purchase")


class CapOthersCost(PackStruct, frozen=True, tag_field="cap", tag="others-cost"):
    """Opens once all other fighters, with their kit, cost so much. Stops a hire only. Source: 1.0, The Great Hunger: The Great Maw."""

    ducats: int


class CapAfter(PackStruct, frozen=True, tag_field="cap", tag="after"):
    """Opens once somebody was hired through the entry `offer`. Stops a hire only: who is on the roster stays when the first is gone."""

    offer: str


Cap = CapRises | CapHalf | CapMatch | CapOutnumbered | CapAfter | CapOthersCost


class GroupCap(PackStruct, frozen=True):
    """A shared maximum over several profiles or over everything matching `who`, on the lists named."""

    id: str
    name: str
    most: int | None = None
    profiles: tuple[str, ...] = ()
    not_more_than_others: bool = False  # the group may not outnumber the fighters outside it (blocks purchases only)
    source: str = ""


# --- effects: what a profile, ability, item, upgrade, skill, trauma, list rule or lasting find changes ----------------------


class StatEffect(PackStruct, frozen=True, tag_field="effect", tag="stat"):
    """Adds to a characteristic, or sets it. Armour is negative (it is subtracted from injury rolls)."""

    stat: Stat
    add: int = 0
    set: int | None = None


class MovementTypeEffect(PackStruct, frozen=True, tag_field="effect", tag="movement-type"):
    """The fighter moves as `movement` ("infantry" or "flying")."""

    movement: Literal["infantry", "flying"]


class BaseEffect(PackStruct, frozen=True, tag_field="effect", tag="base"):
    """Base size: enlarged to `mm`, or offered as an option (`optional`)."""

    mm: tuple[int, ...]
    optional: bool = False


class BaseChoiceEffect(PackStruct, frozen=True, tag_field="effect", tag="base-choice"):
    """The player picks one of several base sizes; `movement` may go with a choice (same order)."""

    mm: tuple[tuple[int, ...], ...]
    movement: tuple[int, ...] = ()


class KeywordEffect(PackStruct, frozen=True, tag_field="effect", tag="keyword"):
    """Gains and losses of keywords. `last` losses win over every gain."""

    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()
    last: bool = False


class ImmuneEffect(PackStruct, frozen=True, tag_field="effect", tag="immune"):
    """Not affected by these keywords (FEAR, GAS ...), at the table."""

    keywords: tuple[str, ...]


class AbilityEffect(PackStruct, frozen=True, tag_field="effect", tag="ability"):
    """Gains and losses of abilities, optionally only `for_profiles`."""

    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()
    for_profiles: tuple[str, ...] = ()


class Only(PackStruct, frozen=True):
    """Among the items matching `among`, only those matching one of `these` are allowed."""

    among: ItemTest
    these: tuple[ItemTest, ...] = ()


class MayCarryEffect(PackStruct, frozen=True, tag_field="effect", tag="may-carry"):
    """Permission filter for purchases and kit: `ban`, then `only`, then `allow` (lifts a ban), then `veto` (final)."""

    ban: tuple[ItemTest, ...] = ()
    only: tuple[Only, ...] = ()
    allow: tuple[ItemTest, ...] = ()
    veto: tuple[ItemTest, ...] = ()
    for_profiles: tuple[str, ...] = ()


class CarryLimitEffect(PackStruct, frozen=True, tag_field="effect", tag="carry-limit"):
    """At least and at most so many items matching `among` on one fighter. `each` counts copies of the same item."""

    among: ItemTest
    most: int | None = None
    least: int = 0
    each: bool = False


class HandsEffect(PackStruct, frozen=True, tag_field="effect", tag="hands"):
    """Changes the hand budgets (2 ranged and 2 melee by default)."""

    add_ranged: int = 0
    add_melee: int = 0
    set_ranged: int | None = None
    set_melee: int | None = None
    pool: int | None = None  # one budget for everything
    strong_arms: int | None = None  # how many two-handed melee weapons STRONG lets be held in one hand
    strong_for_ranged: bool = False
    in_one_hand: int | None = None  # so many two-handed `in_one_hand_items` take one hand; replaces STRONG
    in_one_hand_items: tuple[ItemTest, ...] = ()
    no_shield_combo: bool = False


class ItemKeywordEffect(PackStruct, frozen=True, tag_field="effect", tag="item-keyword"):
    """Items of the bearer matching one of `items` gain or lose keywords."""

    items: tuple[ItemTest, ...]
    gain: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()


class RangeEffect(PackStruct, frozen=True, tag_field="effect", tag="range"):
    """Items of the bearer matching one of `items` reach so many inches farther."""

    items: tuple[ItemTest, ...]
    add_inches: int


class NoSlotEffect(PackStruct, frozen=True, tag_field="effect", tag="no-weapon-slot"):
    """On an item: it takes no hand and no weapon slot."""


class CountsAsEffect(PackStruct, frozen=True, tag_field="effect", tag="counts-as"):
    """The bearer counts as `profile` wherever a rule names that profile, except for the items named."""

    profile: str = ""
    item: str = ""
    except_items: tuple[str, ...] = ()


class FixedKitEffect(PackStruct, frozen=True, tag_field="effect", tag="fixed-kit"):
    """Nothing may be added, swapped or removed."""


class MayBuyEffect(PackStruct, frozen=True, tag_field="effect", tag="may-buy"):
    """A mercenary that may buy kit all the same, within its own filter."""


class MustCarryEffect(PackStruct, frozen=True, tag_field="effect", tag="must-carry"):
    """On the finished fighter: carries one of `one_of`, carries nothing of `none_of` (items matching `except_items` are fine).

    `melee_hands`: Melee Weapons that fill so many hands together.
    """

    melee_hands: int = 0
    one_of: tuple[ItemTest, ...] = ()
    none_of: tuple[ItemTest, ...] = ()
    except_items: tuple[ItemTest, ...] = ()


class WorthEffect(PackStruct, frozen=True, tag_field="effect", tag="fielded-worth"):
    """A fielded fighter is worth at least so many ducats with its kit, except the profiles named.

    `on_roster`: the warband cannot include such a fighter at all, so it shows whenever the roster is checked.
    """

    least_ducats: int
    on_roster: bool = False
    except_profiles: tuple[str, ...] = ()


class UpgradeAllowanceEffect(PackStruct, frozen=True, tag_field="effect", tag="upgrade-allowance"):
    """So many more upgrades of a special category (0 without such a line), or fewer; `least` must be taken."""

    category: str
    count: int
    least: int = 0


class WaivesExclusionEffect(PackStruct, frozen=True, tag_field="effect", tag="waives-exclusion"):
    """Among these upgrades of the bearer no one excludes another."""

    upgrades: tuple[str, ...]


class UpgradeBudgetEffect(PackStruct, frozen=True, tag_field="effect", tag="upgrade-budget"):
    """The first `free_ducats` of upgrades are free; at most `most_ducats` may be spent."""

    free_ducats: int = 0
    most_ducats: int | None = None


class SwapKitEffect(PackStruct, frozen=True, tag_field="effect", tag="swap-kit"):
    """Mandatory kit set `take` is replaced by the items of `give`."""

    take: tuple[str, ...]
    give: tuple[str, ...]


class KitToStashEffect(PackStruct, frozen=True, tag_field="effect", tag="kit-to-stash"):
    """All kit of the fighter goes to the stash when this is taken."""


class BecomesEffect(PackStruct, frozen=True, tag_field="effect", tag="becomes"):
    """The fighter turns into another profile; `worth_ducats` replaces its worth, the upgrade itself then adds none."""

    profile: str
    worth_ducats: int | None = None
    clears_scars: bool = False
    clears_advancement: bool = False


class EliteCapEffect(PackStruct, frozen=True, tag_field="effect", tag="elite-cap"):
    """The warband may hold so many more ELITE fighters while the bearer lives."""

    add: int


class WarbandItemCapEffect(PackStruct, frozen=True, tag_field="effect", tag="warband-item-cap"):
    """At most so many items matching `among` in the whole warband, stash included."""

    among: ItemTest
    most: int
    ignore: tuple[ItemTest, ...] = ()


class WarbandBanEffect(PackStruct, frozen=True, tag_field="effect", tag="warband-ban"):
    """Items the warband may neither buy nor carry."""

    items: tuple[ItemTest, ...]


class PriceEffect(PackStruct, frozen=True, tag_field="effect", tag="price"):
    """Items (or upgrades of `upgrade_category`) cost `add` ducats more, never below `least_ducats`, warband wide."""

    add_ducats: int
    items: tuple[ItemTest, ...] = ()
    from_ducats: int = 0
    upgrade_category: str = ""
    least_ducats: int = 0


class FirstCopyEffect(PackStruct, frozen=True, tag_field="effect", tag="first-copy"):
    """Of each item matching one of `items` the warband's first copy costs half its ducats, rounded up."""

    items: tuple[ItemTest, ...]


class RaiseLimitEffect(PackStruct, frozen=True, tag_field="effect", tag="raise-limit"):
    """The player picks one limited entry (`of`: items or profiles); its limit rises by `add`. The pick is kept as a choice.

    `categories` and `no_glory_items` bound the pick among items, `not_elite` and `base_below_mm` (0: any) among profiles. `every`:
    nothing is picked, all entries within these bounds rise. `stays`: of a piece that is lost it stays in force, and the piece counts
    against its own LIMIT.
    """

    of: Literal["items", "profiles"]
    add: int = 1
    not_elite: bool = False
    categories: tuple[str, ...] = ()
    no_glory_items: bool = False
    base_below_mm: int = 0
    every: bool = False
    stays: bool = False


class FireteamsEffect(PackStruct, frozen=True, tag_field="effect", tag="fireteams"):
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


class LinkEffect(PackStruct, frozen=True, tag_field="effect", tag="link"):
    """The bearer (or the warband) picks one fighter or item; the pick gets `effects_ability` and `gain_keywords`."""

    of: Literal["fighter", "item"]
    who: Holder = Holder()
    items: tuple[ItemTest, ...] = ()
    count: int = 1
    gain_keywords: tuple[str, ...] = ()
    ability: str = ""


class StartingItemsEffect(PackStruct, frozen=True, tag_field="effect", tag="starting-items"):
    """Item offers given free when the warband is founded. `borne`: a fighter must bear each of them then."""

    offers: tuple[str, ...]
    borne: bool = False


class ForeignPickEffect(PackStruct, frozen=True, tag_field="effect", tag="foreign-pick"):
    """The warband (or, with `own`, the bearer) picks `count` items from the lists named that its own list lacks.

    `categories` bounds the pick; `no_profile_only` leaves out entries for one profile only; `limit` copies of it may be had; with `stays`
    the piece never leaves its bearer. The pick is kept as a choice.
    """

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


class OpensOffersEffect(PackStruct, frozen=True, tag_field="effect", tag="opens-offers"):
    """These item offers of other lists are open to the warband, at their price, limit and holder."""

    offers: tuple[str, ...]


class OpensPatronsEffect(PackStruct, frozen=True, tag_field="effect", tag="opens-patrons"):
    """The warband may follow one of these patrons too."""

    patrons: tuple[str, ...]


class BuysFighterEffect(PackStruct, frozen=True, tag_field="effect", tag="buys-fighter"):
    """Buying this item hires a fighter of this profile instead."""

    profile: str


class CannotMoveEffect(PackStruct, frozen=True, tag_field="effect", tag="cannot-be-moved"):
    """Once given, the item stays with its bearer."""


class StaysInStashEffect(PackStruct, frozen=True, tag_field="effect", tag="stays-in-stash"):
    """The item serves the whole warband: it is kept with the stash and given to nobody."""


class CopiesEffect(PackStruct, frozen=True, tag_field="effect", tag="copies"):
    """One fighter may carry so many copies of this item."""

    most: int


class AttachesEffect(PackStruct, frozen=True, tag_field="effect", tag="attaches-to"):
    """The item only works with a carried item of one of these groups."""

    groups: tuple[str, ...]


class ExtraUpgradeEffect(PackStruct, frozen=True, tag_field="effect", tag="extra-upgrade"):
    """The bearer may take one more upgrade of `category`, at any time: of whatever rule or fighter, and outside its LIMIT."""

    category: str


class ChooseEffect(PackStruct, frozen=True, tag_field="effect", tag="choose"):
    """The player picks one of these abilities, rules or upgrades; kept as a choice under `key`."""

    key: str
    of: Literal["ability", "list-rule", "upgrade", "skill"]
    options: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # skills: any of these tables
    count: int = 1


# campaign effects


class ScarLimitEffect(PackStruct, frozen=True, tag_field="effect", tag="scar-limit"):
    """The fighter survives so many more scars."""

    add: int


class ExplorationSkillEffect(PackStruct, frozen=True, tag_field="effect", tag="exploration-skill"):
    """These exploration skills are the warband's for as long as the bearer or find is (repeat for several)."""

    skills: tuple[str, ...]


class ExplorationDiceEffect(PackStruct, frozen=True, tag_field="effect", tag="exploration-dice"):
    """More exploration dice. On an exploration skill: one for each time it is held, asked for after the roll or `before_roll`."""

    add: int
    before_roll: bool = False


class PromotionDiceEffect(PackStruct, frozen=True, tag_field="effect", tag="promotion-dice"):
    """More promotion dice after each battle."""

    add: int


class AfterBattleEffect(PackStruct, frozen=True, tag_field="effect", tag="after-battle"):
    """Income after each battle: fixed, or `dice` D6 times `times`. `fielded`: only if the bearer took part; `standing`: and was not out.

    `per` (plural words): the fixed amount is earned for each of these; how many there were is asked. `if_so`: a question that must be
    answered with yes.
    """

    ducats: int = 0
    glory: int = 0
    dice: int = 0
    times: int = 1
    per: str = ""
    currency: Currency = "ducats"
    fielded: bool = False
    standing: bool = False
    if_so: str = ""


class LootEffect(PackStruct, frozen=True, tag_field="effect", tag="loot"):
    """So many ducats more whenever the warband explores.

    `scavenges`: it gets half the loot of its score, and half of what all who died in the battle were worth, which is asked.
    Source: 1.0, Cadaver Corps: Scavenge.
    """

    ducats: int = 0
    scavenges: bool = False


class ReinforcementsEffect(PackStruct, frozen=True, tag_field="effect", tag="reinforcements"):
    """How the warband may ask for reinforcements: `not_twice` in a row, or `never`."""

    not_twice: bool = False
    never: bool = False


class RecoversFallenEffect(PackStruct, frozen=True, tag_field="effect", tag="recovers-fallen"):
    """After a battle, instead of exploring or reinforcing: the kit of own fighters who died in it comes back, never past LIMIT."""


class DeedGloryEffect(PackStruct, frozen=True, tag_field="effect", tag="deed-glory"):
    """A deed done by a fighter of these profiles earns `glory`; in one battle at most `most_extra` (None: any number) more than it is worth."""

    profiles: tuple[str, ...]
    glory: int
    most_extra: int | None = None


class OnGainEffect(PackStruct, frozen=True, tag_field="effect", tag="on-gain"):
    """At once when gained: ducats, glory, experience, or D3 experience."""

    ducats: int = 0
    glory: int = 0
    experience: int = 0
    experience_d3: bool = False


class OtherExperienceEffect(PackStruct, frozen=True, tag_field="effect", tag="other-experience"):
    """After each battle, `count` other ELITE fighters of the player's choice gain this much experience (0 = every other)."""

    experience: int
    count: int = 1


class DeployPriceEffect(PackStruct, frozen=True, tag_field="effect", tag="deploy-price"):
    """Paid from the strongbox each time the fighter is fielded; adds nothing to the threshold."""

    ducats: int


class MissesBattleEffect(PackStruct, frozen=True, tag_field="effect", tag="misses-next-battle"):
    """The fighter sits the next battle out."""


class BeyondStrengthEffect(PackStruct, frozen=True, tag_field="effect", tag="beyond-field-strength"):
    """The fighter takes the field on top of the field strength. Source: 1.6.3, The Great Hunger: Cradle of Filth."""


class MusterRollEffect(PackStruct, frozen=True, tag_field="effect", tag="muster-roll"):
    """At muster roll a D6: on any of `out_on` the fighter sits this battle out."""

    out_on: tuple[int, ...]


class LosesKitEffect(PackStruct, frozen=True, tag_field="effect", tag="loses-kit"):
    """The fighter loses everything it carries or, with `items`, what matches one of them."""

    items: tuple[ItemTest, ...] = ()


class DiesEffect(PackStruct, frozen=True, tag_field="effect", tag="dies"):
    """The fighter dies."""


class CapturedEffect(PackStruct, frozen=True, tag_field="effect", tag="captured"):
    """The fighter is held by the opponent until ransomed."""


class DemotedEffect(PackStruct, frozen=True, tag_field="effect", tag="demoted"):
    """The fighter stops being ELITE (and gaining experience) until promoted again; it keeps kit, skills and scars."""


class NoExperienceEffect(PackStruct, frozen=True, tag_field="effect", tag="no-experience"):
    """The fighter stays ELITE and gains no experience until a promotion die given to it succeeds; the scar stays."""


class UncountedEliteEffect(PackStruct, frozen=True, tag_field="effect", tag="uncounted-elite"):
    """The fighter is left out of the ELITE count by which promotions are passed over."""


class RetiresEffect(PackStruct, frozen=True, tag_field="effect", tag="retires-on"):
    """Suffered so many times, the fighter retires. `kit_lost`: without leaving its kit behind."""

    times: int
    kit_lost: bool = False


class NoScarForEffect(PackStruct, frozen=True, tag_field="effect", tag="no-scar-for"):
    """These profiles are immune: no scar and no effect."""

    profiles: tuple[str, ...]


class AsksEffect(PackStruct, frozen=True, tag_field="effect", tag="asks"):
    """A detail is asked for when it is gained and kept with it: which hand, which enemy faction, or which enemy warband by its name.

    `rolled`: one of two options falls to a D6, 1-3 the first.
    """

    key: str
    words: str
    of: Literal["options", "factions", "opponent", "warband"] = "options"
    rolled: bool = False
    options: tuple[str, ...] = ()


class RerollInjuryEffect(PackStruct, frozen=True, tag_field="effect", tag="reroll-trauma"):
    """The trauma roll may be rolled again once; the second result stands."""


class CancelsScarEffect(PackStruct, frozen=True, tag_field="effect", tag="cancels-scar"):
    """Once after each battle, 2D6 for an ELITE fighter about to bear a new scar: from `from_total` it is spared the trauma, on double 1
    it bears one scar more. Open while a fighter of one of `needs_profiles` is on the roster. `at_end`: rolled once all injuries are
    settled, for a fighter that bears a scar, of which one is healed."""

    from_total: int
    needs_profiles: tuple[str, ...] = ()
    at_end: bool = False


class CancelsTraumaEffect(PackStruct, frozen=True, tag_field="effect", tag="cancels-trauma"):
    """Used up, this piece turns any result of the trauma chart into a full recovery."""


class CancelsDeathEffect(PackStruct, frozen=True, tag_field="effect", tag="cancels-death"):
    """Used up, this piece cancels a result by which a fighter of the warband would die."""


class FreedEffect(PackStruct, frozen=True, tag_field="effect", tag="freed"):
    """A fighter that leaves for good once it did a deed or took an enemy ELITE fighter out."""


class HealScarsEffect(PackStruct, frozen=True, tag_field="effect", tag="heals-scars"):
    """When used: so many battle scars (None: all) leave one fighter of the player's choice. `trauma_stays`: what they did to it stays."""

    count: int | None = None
    trauma_stays: bool = False


class SparedEffect(PackStruct, frozen=True, tag_field="effect", tag="spared"):
    """Fighters of these profiles make a full recovery from every casualty roll."""

    profiles: tuple[str, ...]


class SaleEffect(PackStruct, frozen=True, tag_field="effect", tag="sale"):
    """The fighter itself may be sold, for `factor` times half its price (2 = full), at any time between battles."""

    factor: int


class ShopCapEffect(PackStruct, frozen=True, tag_field="effect", tag="exploration-shop"):
    """Opens the exploration-only glory items up to this price to the trade step; of several, the highest counts."""

    most_glory: int


class ConsumedEffect(PackStruct, frozen=True, tag_field="effect", tag="spent-after-use"):
    """Used once (per battle for skills, for good for CONSUMABLE kit and finds)."""


class ComesBackEffect(PackStruct, frozen=True, tag_field="effect", tag="comes-back"):
    """Killed after a battle, the bearer stays on the roster lifeless, with its kit; so many ducats bring it back between any battles."""

    ducats: int


class PromotableEffect(PackStruct, frozen=True, tag_field="effect", tag="promotable"):
    """The bearer may be promoted and then learns like anybody, whatever its profile says."""


class SacrificeEffect(PackStruct, frozen=True, tag_field="effect", tag="sacrifice"):
    """In each battle the bearer may use up one fighter of these profiles: afterwards it leaves the roster for good and its kit stays.

    Fighters with one of `not_upgrades` cannot be used so. `any_number`: not one, but as many as the player likes; `kit_lost`: what they
    carried goes with them.
    """

    profiles: tuple[str, ...]
    not_upgrades: tuple[str, ...] = ()
    any_number: bool = False
    kit_lost: bool = False


Circumstance = Literal[
    "charged", "diving charge", "long range", "short range", "cover", "in the open", "elevated", "off-hand", "main hand",
    "defended obstacle", "down", "foe down", "foe standing", "foe armoured", "foe in armour or shield", "direct hit", "in the blast",
    "foe to act", "unmarked", "foe unmarked",
]  # fmt: skip
Ignored = Literal["cover", "long range", "elevated", "off-hand", "defended obstacle", "fear", "down"]


class AttackEffect(PackStruct, frozen=True, tag_field="effect", tag="table"):
    """What the bearer brings to an attack, as the odds calculate it; the table applies it.

    On its own attacks (a weapon's effects count for attacks with this weapon alone): `hit` and `injury` are dice, `hit_flat` and `flat`
    are added to the totals, and of the injury's dice `base_dice` count (0: as ever), with `first_only` on the first of several attacks
    alone; `ignores` names modifiers to the hit that do not count; `gives` are keywords the attack has, `on_critical` those that it has on
    a Critical Success alone, which begins at `critical_from`, or `critical_sooner` points before; `attacks` are further attacks with the
    same weapon, with `after_hit` each only where the one before it hit, and those beyond the weapon's own at `later_hit` dice or, with
    `later_off_hand`, all after the first at the Off-Hand modifier; `always_off_hand`: it is an Off-Hand weapon whatever else is carried;
    `by_ranged`: in melee its Ranged Characteristic counts; `hit_base` dice are added up to hit; `bloodbath` changes what a Bloodbath
    takes, `bloodbath_cost` sets it; `most_spent` bounds the markers spent against its roll to hit (-1: no bound).
    On attacks against it: `hit_against`, `injury_against`, `flat_against`, `gives_against`; `negates` are keywords that place no marker on
    it; `covered` is what shields it wherever it stands, `uncovered`: nothing does; `most_spent_against` bounds the markers spent on the
    injury; `fear_immune`: FEAR costs it nothing; `down_is_minor`: a Down result is a Minor Hit; `first_down` is what the first one comes
    to, with `tough_too` the one that TOUGH made of worse as well; `minor_is_down`: a Minor Hit is Down; `ignores_out`: the first Out of
    Action does nothing; `unmarked`: no marker is ever placed on it; `unignorable`: what its own piece takes off an injury is never
    ignored.

    Only for attacks of `kind`, by weapons with the keyword `keyword` and without `unless` or `unless_any`, that pass one of `items` and
    none of `not_items` (`natural`: made without a weapon, where its own text brings such an attack by that alone; `armed`: with one),
    while the bearer has `bearer_keyword` and its opponent passes one of `foe` and none of `not_foe`, in all of these `circumstances` ("foe
    armoured": by more than a shield; "foe in armour or shield": by any of them; "in the blast": not hit directly; "unmarked": without a
    BLOOD MARKER; `with_modifier`: not where the attack ignores what these cost it); left out: for all. `switch` names what only the table
    knows: it counts once thrown, up to `most` times; `unless_switch`: until then. `per`: once for each BLOOD MARKER on the bearer or on
    its opponent, at most `most` of them where that is more than one. `reach`: it counts for friends (the bearer too), for others of its
    side, or for enemies, instead of the bearer, where `switch` says that they are near enough; of these only for who passes one of `at`
    and none of `not_at`.
    """

    hit: int = 0
    hit_flat: int = 0
    injury: int = 0
    flat: int = 0
    base_dice: int = 0
    first_only: bool = False
    ignores: tuple[Ignored, ...] = ()
    gives: tuple[str, ...] = ()
    on_critical: tuple[str, ...] = ()
    critical_from: int = 0
    critical_sooner: int = 0
    attacks: int = 0
    after_hit: bool = False
    later_hit: int = 0
    later_off_hand: bool = False
    always_off_hand: bool = False
    by_ranged: bool = False
    hit_base: int = 0
    bloodbath: int = 0
    bloodbath_cost: int = 0
    most_spent: int = -1
    hit_against: int = 0
    injury_against: int = 0
    flat_against: int = 0
    gives_against: tuple[str, ...] = ()
    negates: tuple[str, ...] = ()
    covered: tuple[Literal["cover", "defended obstacle", "defended obstacle against charges"], ...] = ()
    uncovered: bool = False
    most_spent_against: int = -1
    fear_immune: bool = False
    down_is_minor: bool = False
    first_down: Literal["", "minor-hit", "no-effect"] = ""
    tough_too: bool = False
    minor_is_down: bool = False
    ignores_out: bool = False
    unmarked: bool = False
    unignorable: bool = False
    kind: Literal["", "ranged", "melee"] = ""
    keyword: str = ""
    unless: str = ""
    unless_any: tuple[str, ...] = ()
    items: tuple[ItemTest, ...] = ()
    not_items: tuple[ItemTest, ...] = ()
    natural: bool = False
    armed: bool = False
    bearer_keyword: str = ""
    foe: tuple[Trait, ...] = ()
    not_foe: tuple[Trait, ...] = ()
    circumstances: tuple[Circumstance, ...] = ()
    with_modifier: bool = False
    switch: str = ""
    unless_switch: str = ""
    most: int = 1
    per: Literal["", "own blood", "foe blood"] = ""
    reach: Literal["", "friends", "others", "enemies"] = ""
    at: tuple[Trait, ...] = ()
    not_at: tuple[Trait, ...] = ()
    for_profiles: tuple[str, ...] = ()


class NaturalEffect(PackStruct, frozen=True, tag_field="effect", tag="natural-attack"):
    """An attack that takes no weapon: how it is called ("" as what gives it), its line, and its attacks in one ACTION.

    `later`: attacks after the first are Off-Hand. `by_hands`: one attack for each melee hand that holds nothing. `with_weapons`: open to
    a fighter with melee weapons too. `besides`: beside plain unarmed attacks, where the edition has those. `on_down`: its target is Down. `characteristic` "none": no characteristic counts. `first_keywords`:
    of the first attack alone.
    """

    name: str = ""
    kind: Literal["ranged", "melee"] = "melee"
    range_inches: int = 0
    hit: int = 0
    injury: int = 0
    flat: int = 0
    attacks: int = 1
    later: Literal["", "off-hand"] = ""
    by_hands: bool = False
    keywords: tuple[str, ...] = ()
    first_keywords: tuple[str, ...] = ()
    with_weapons: bool = False
    besides: bool = False
    on_down: bool = False
    characteristic: Literal["", "none"] = ""


class ListedEffect(PackStruct, frozen=True, tag_field="effect", tag="listed"):
    """What the text says stands in the pack's own data (offers, limits, profiles, kit, weapon lines): nothing is left to be applied."""


class ChargeEffect(PackStruct, frozen=True, tag_field="effect", tag="charge"):
    """The bearer's Charge Bonus: a D3 in place of a D6, or so many `dice` of which the highest counts. `whole`: a D6 whatever else says D3.

    Only while it lacks `lacks_keyword`.
    """

    die: Literal["D6", "D3"] = "D6"
    dice: int = 1
    whole: bool = False
    lacks_keyword: str = ""


class PowerEffect(PackStruct, frozen=True, tag_field="effect", tag="power"):
    """A power that is paid with markers from the table: as many as one of `steps`, of blood or of infection."""

    steps: tuple[int, ...]
    of: Literal["blood", "infection"] = "blood"


class ReminderEffect(PackStruct, frozen=True, tag_field="effect", tag="reminder"):
    """Only the table can apply it; it stands on the sheet. `when` says at which moment; `for_profiles` empty: for all it reaches.

    "turn": an ACTION, a power or what happens at another moment of a turn, which changes neither dice nor result of an attack. `rest`: what is not calculated of a text of which the
    other effects calculate a part; empty: all that is printed of it.
    """

    when: Literal[
        "muster", "deployment", "battle", "attack", "defence", "movement", "morale", "after-battle", "turn"
    ] = "battle"
    rest: str = ""
    for_profiles: tuple[str, ...] = ()


Effect = (
    StatEffect | MovementTypeEffect | BaseEffect | BaseChoiceEffect | KeywordEffect | ImmuneEffect | AbilityEffect | MayCarryEffect
    | CarryLimitEffect | HandsEffect | ItemKeywordEffect | RangeEffect | NoSlotEffect | CountsAsEffect | FixedKitEffect | MayBuyEffect
    | MustCarryEffect | WorthEffect | UpgradeAllowanceEffect | WaivesExclusionEffect | UpgradeBudgetEffect
    | SwapKitEffect | KitToStashEffect | BecomesEffect
    | EliteCapEffect | WarbandItemCapEffect | WarbandBanEffect | PriceEffect | FirstCopyEffect | RaiseLimitEffect | FireteamsEffect | LinkEffect
    | StartingItemsEffect | ForeignPickEffect | OpensOffersEffect | OpensPatronsEffect | BuysFighterEffect
    | CannotMoveEffect | StaysInStashEffect | CopiesEffect | AttachesEffect
    | ExtraUpgradeEffect | ChooseEffect | ScarLimitEffect | ExplorationSkillEffect | ExplorationDiceEffect | PromotionDiceEffect
    | AfterBattleEffect | LootEffect | ReinforcementsEffect | RecoversFallenEffect | DeedGloryEffect
    | OnGainEffect | OtherExperienceEffect | DeployPriceEffect | BeyondStrengthEffect | MissesBattleEffect | MusterRollEffect
    | LosesKitEffect | DiesEffect | CapturedEffect | DemotedEffect | NoExperienceEffect | UncountedEliteEffect | RetiresEffect | NoScarForEffect | AsksEffect
    | RerollInjuryEffect | CancelsScarEffect | CancelsTraumaEffect | CancelsDeathEffect | FreedEffect | HealScarsEffect | SparedEffect | SaleEffect | ShopCapEffect | ConsumedEffect | ComesBackEffect | PromotableEffect | SacrificeEffect | AttackEffect | NaturalEffect | ListedEffect | ChargeEffect
    | PowerEffect | ReminderEffect
)  # fmt: skip


# --- rewards: what a location option, or an IOU, hands out --------------------------------------------------------------


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

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
