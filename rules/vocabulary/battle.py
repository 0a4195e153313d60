"""Effects in a battle: attacks, the Charge Bonus, powers, and reminders for the table."""

from __future__ import annotations

from typing import Literal

from rules.vocabulary.base import AimedEffect, EffectWord
from rules.vocabulary.requirements import ItemTest, Trait

Circumstance = Literal[
    "charged", "diving charge", "long range", "short range", "cover", "in the open", "elevated", "off-hand", "main hand",
    "defended obstacle", "down", "foe down", "foe standing", "foe armoured", "foe in armour or shield", "direct hit", "in the blast",
    "foe to act", "unmarked", "foe unmarked",
]  # fmt: skip


Ignored = Literal["cover", "long range", "elevated", "off-hand", "defended obstacle", "fear", "down"]


class AttackEffect(AimedEffect, frozen=True, tag="table"):
    """The modifiers that the bearer brings to an attack, as the odds calculate them.

    The players apply them at the table.

    On its own attacks (a weapon's effects count only for attacks with this weapon):
    - `hit` and `injury` are dice; `hit_flat` and `flat` are added to the totals.
    - `base_dice` of the injury dice count (0: as usual). `first_only`: the effect applies only to the first of several attacks.
    - `ignores` names modifiers to the hit that do not count.
    - `gives` are keywords of the attack. `on_critical` are keywords that it has only on a Critical Success, which
      begins at `critical_from`, or `critical_sooner` points earlier.
    - `attacks` are further attacks with the same weapon. `after_hit`: each only if the one before it hit. Those beyond
      the weapon's own have `later_hit` dice or, with `later_off_hand`, all after the first have the Off-Hand modifier.
    - `always_off_hand`: it is an Off-Hand weapon, whatever else is carried.
    - `by_ranged`: in melee its Ranged Characteristic counts. `hit_base` dice are added up to hit.
    - `raised`: its shots count as made from an Elevated Position.
    - `reroll` names a roll that is rolled again: a missed roll to hit, or an injury below `reroll_below`. `backfires`: a
      1 among the new dice to hit is a Failure, which puts the attacker Down and ends its Activation.
    - `own_blood` are BLOOD MARKERS that the attacker gets (below 0: loses), `own_blessing` BLESSING MARKERS. `own_when`
      says for what: each attack made, each hit, each attack that leaves BLOOD MARKERS ("bled") or markers of either
      kind ("marked"), each BLOOD MARKER it leaves, or a target that is not taken out.
    - `more_blood` and `more_infection` are placed on the target after its injury.
    - `all_hit_out`: if every attack hits a target on a base of at most so many millimetres, it is Out of Action.
    - `bloodbath` changes the cost of a Bloodbath, `bloodbath_cost` sets it. `most_spent` limits the markers spent
      against its roll to hit (-1: no limit).

    On attacks against it:
    - `hit_against`, `injury_against`, `flat_against` and `gives_against` are the same modifiers for the attacker.
    - `negates` are keywords that place no marker on it. `unmarked`: no marker is ever placed on it. `keeps_infection`: INFECTION MARKERS
      on it pay for a Bloodbath and for no other roll.
    - `covered` is the cover that it has everywhere. `uncovered`: it never has cover.
    - `most_spent_against` limits the markers spent on the injury. `fear_immune`: FEAR costs it nothing.
    - `tough`: it has TOUGH. `down_is_minor`: a Down result is a Minor Hit. `minor_is_down`: a Minor Hit is Down. `first_down` is the result
      that replaces the first Down; with `tough_too` it also replaces a Down that TOUGH made of a worse result.
      `tough_to_nothing`: a Down that TOUGH made has No Effect.
    - `minor_is_nothing`: a Minor Hit has No Effect. `down_is_nothing`: a Down too. `out_is_down`: an Out of Action is
      Down, whatever else saves it. `untouched`: any result is No Effect. `stays_up`: a Down result leaves its markers alone.
    - `fearsome`: it has FEAR. `spares`: so many markers are not placed. `marks`: so many are
      placed besides, with `even_missed` by a miss too. `armour_beside_shield`: the most that its armour takes off beside a
      shield. `averts`: the attack misses. `unraised`: an
      Elevated Position adds nothing against it. `own_against` are
      BLOOD MARKERS that the attacker gets, as above.
    - `ignores_out`: the first Out of Action does nothing.
    - `unarmoured`: its Armour Characteristic is 0. `without`: keywords that it does not have then.
    - `unignorable`: an attack never ignores what its own item subtracts from an injury.

    Conditions, all of which must hold (omitted: always):
    - The attack is of `kind`, by a weapon with the keyword `keyword` and without `unless` or `unless_any`, which passes
      one of `items` and none of `not_items`. `natural`: it is made without a weapon, if its own text grants such an
      attack by that alone. `armed`: it is made with one.
    - The bearer has `bearer_keyword`. Its opponent passes one of `foe` and none of `not_foe`.
    - All of these `circumstances` hold ("foe armoured": by more than a shield; "foe in armour or shield": by any of
      them; "in the blast": not hit directly; "unmarked": without a BLOOD MARKER). `with_modifier`: it does not count if
      the attack ignores what they cost.
    - `switch` names a fact that only the players know: the effect counts once it is switched on, up to `most` times.
      `unless_switch`: until it is switched on.

    `per`: it counts once for each BLOOD MARKER on the bearer or on its opponent, or once for every `per_each` of them,
    at most `most` times if `most` is more than one. `reach`: instead of the bearer, it counts for friends (including the bearer), for others of its side, or
    for enemies, if `switch` says that they are near enough. Of these, it counts only for fighters that pass one of `at`
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
    raised: bool = False
    reroll: Literal["", "hit", "injury"] = ""
    reroll_below: Literal["down", "out-of-action"] = "down"
    backfires: bool = False
    own_blood: int = 0
    own_blessing: int = 0
    own_when: Literal["made", "hit", "bled", "marked", "each marker", "not out"] = "hit"
    own_against: int = 0
    more_blood: int = 0
    more_infection: int = 0
    all_hit_out: int = 0
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
    tough: bool = False
    down_is_minor: bool = False
    first_down: Literal["", "minor-hit", "no-effect"] = ""
    tough_too: bool = False
    minor_is_down: bool = False
    tough_to_nothing: bool = False
    minor_is_nothing: bool = False
    down_is_nothing: bool = False
    out_is_down: bool = False
    untouched: bool = False
    stays_up: bool = False
    fearsome: bool = False
    spares: int = 0
    marks: int = 0
    even_missed: bool = False
    armour_beside_shield: int = 0
    averts: bool = False
    unraised: bool = False
    ignores_out: bool = False
    unarmoured: bool = False
    without: tuple[str, ...] = ()
    unmarked: bool = False
    keeps_infection: bool = False
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
    per_each: int = 1
    reach: Literal["", "friends", "others", "enemies"] = ""
    at: tuple[Trait, ...] = ()
    not_at: tuple[Trait, ...] = ()


class NaturalEffect(EffectWord, frozen=True, tag="natural-attack"):
    """An attack that takes no weapon: its name ("": that of its source), its weapon line, and its attacks in one ACTION.

    `later`: attacks after the first are Off-Hand. `by_hands`: one attack for each empty melee hand. `with_weapons`:
    also open to a fighter with melee weapons. `besides`: in addition to plain unarmed attacks, where the edition has
    them. `on_down`: its target is Down. `characteristic` "none": no characteristic counts. `first_keywords`: keywords
    of the first attack only. `foe_base_most_mm`: only against a base of at most so many millimetres (0: any). `slot`:
    only with a piece of this slot.
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
    foe_base_most_mm: int = 0
    slot: str = ""
    characteristic: Literal["", "none"] = ""


class SeriesEffect(EffectWord, frozen=True, tag="series"):
    """One ACTION brings an attack of this kind with each weapon, or with each of `items` in this order.

    `off_hand`: those after the first are Off-Hand.
    """

    kind: Literal["ranged", "melee"] = "melee"
    items: tuple[ItemTest, ...] = ()
    off_hand: bool = False


class FightsWithEffect(EffectWord, frozen=True, tag="fights-with"):
    """Items of the bearer matching one of `items` are also used for Melee Attacks."""

    items: tuple[ItemTest, ...]


class ChargeEffect(EffectWord, frozen=True, tag="charge"):
    """The bearer's Charge Bonus: a D3 instead of a D6, or several `dice` of which the highest counts.

    `whole`: a D6, even if another effect says D3. The effect only applies while the bearer lacks `lacks_keyword`.
    """

    die: Literal["D6", "D3"] = "D6"
    dice: int = 1
    whole: bool = False
    lacks_keyword: str = ""


class PowerEffect(EffectWord, frozen=True, tag="power"):
    """A power that is paid for with markers from the table, of blood or of infection: as many as one of `steps`."""

    steps: tuple[int, ...]
    of: Literal["blood", "infection"] = "blood"


class ReminderEffect(AimedEffect, frozen=True, tag="reminder"):
    """A rule that only the players can apply; it appears on the sheet.

    `when` says at which moment; "turn": an ACTION, a power or an event at another moment of a turn, which changes
    neither dice nor result of an attack. `for_profiles` empty: for all that the effect reaches. `rest`: the part of the
    text that other effects do not calculate; empty: the whole printed text. `table_only` is the entry of the pack's list
    of things that only the table can know, to which that part belongs. `once`: it may be used once in an Activation, and
    the battle tracker keeps whether it was.
    """

    when: Literal[
        "muster", "deployment", "battle", "attack", "defence", "movement", "morale", "after-battle", "turn"
    ] = "battle"
    rest: str = ""
    table_only: str = ""
    once: bool = False


BattleEffect = (
    AttackEffect | NaturalEffect | SeriesEffect | FightsWithEffect | ChargeEffect | PowerEffect | ReminderEffect
)
