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


class NaturalEffect(EffectWord, frozen=True, tag="natural-attack"):
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


class ChargeEffect(EffectWord, frozen=True, tag="charge"):
    """The bearer's Charge Bonus: a D3 in place of a D6, or so many `dice` of which the highest counts. `whole`: a D6 whatever else says D3.

    Only while it lacks `lacks_keyword`.
    """

    die: Literal["D6", "D3"] = "D6"
    dice: int = 1
    whole: bool = False
    lacks_keyword: str = ""


class PowerEffect(EffectWord, frozen=True, tag="power"):
    """A power that is paid with markers from the table: as many as one of `steps`, of blood or of infection."""

    steps: tuple[int, ...]
    of: Literal["blood", "infection"] = "blood"


class ReminderEffect(AimedEffect, frozen=True, tag="reminder"):
    """Only the table can apply it; it stands on the sheet. `when` says at which moment; `for_profiles` empty: for all it reaches.

    "turn": an ACTION, a power or what happens at another moment of a turn, which changes neither dice nor result of an attack. `rest`: what is not calculated of a text of which the
    other effects calculate a part; empty: all that is printed of it.
    """

    when: Literal[
        "muster", "deployment", "battle", "attack", "defence", "movement", "morale", "after-battle", "turn"
    ] = "battle"
    rest: str = ""


BattleEffect = AttackEffect | NaturalEffect | ChargeEffect | PowerEffect | ReminderEffect
