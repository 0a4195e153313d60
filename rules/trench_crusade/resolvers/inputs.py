"""The inputs of the table rules: typed, checked against their bounds, and described to callers as JSON Schema.

The names are those of the console (`resolve --list`). Lengths are in inches, bases in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rules.resolvers.normaliser import RuleInput
from rules.translation import gettext as _

Markers = Annotated[int, Meta(ge=0, le=6, description="Markers of one kind; a fighter holds at most six.")]
Spent = Annotated[int, Meta(ge=0, le=12, description="Markers spent on this roll; blood and infection may be mixed.")]
Net = Annotated[int, Meta(ge=-12, le=12, description="+DICE (above 0) or -DICE (below 0) for this roll.")]
Flat = Annotated[int, Meta(ge=-20, le=20, description="Added to the total.")]
Armour = Annotated[int, Meta(ge=-9, le=0, description="What armour adds to the injury total: 0 or less.")]
Base = Annotated[int, Meta(ge=1, le=4, description="Dice that count.")]
Inches = Annotated[float, Meta(ge=0, le=200)]
Count = Annotated[int, Meta(ge=0, le=200)]


ARMOUR_FIELDS = ("armour", "shield", "unignorable_armour")
SAID_BY_KEYWORD = {
    "tough": frozenset({"TOUGH"}), "golem": frozenset({"GOLEM"}), "fear": frozenset({"FEAR"}),
    "polearm": frozenset({"BLOCK", "POLEARM"}),
}  # fmt: skip


def words_of(keywords: Iterable[str]) -> frozenset[str]:
    """Keywords in capitals."""
    return frozenset(" ".join(word.upper().replace("-", " ").split()) for word in keywords)


def negated(keywords: frozenset[str]) -> frozenset[str]:
    """Keywords of weapons that do nothing to a fighter because of one of its own. Source: Keywords of either edition, DEMONIC."""
    return frozenset({"FIRE"}) if "DEMONIC" in keywords else frozenset()


DEFEATS = "DEFEATS NEGATE "  # and a keyword: NEGATE with it does nothing to the attack


def unresisted(keywords: frozenset[str], negates: Iterable[str]) -> frozenset[str]:
    """Keywords of an attack without those that do nothing to its target."""
    return keywords - {word for word in negates if f"{DEFEATS}{word}" not in keywords}


class DiceModifier(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One cause of +DICE or -DICE."""

    dice: Net
    why: Annotated[str, Meta(max_length=200)] = "told"


class FlatModifier(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One cause of a number added to the injury total, or subtracted from it."""

    number: Flat
    why: Annotated[str, Meta(max_length=200)] = "told"


class Resistance(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """-DICE on injuries of one kind ("" for all kinds), except by weapons with the keyword `unless`."""

    dice: Annotated[int, Meta(ge=-6, le=6)] = -1
    keyword: str = ""
    unless: str = ""
    why: Annotated[str, Meta(max_length=200)] = _("Resistance")


# What saves a target once in a battle, as an injury tells that it is used up.
USED_UP = ("tough_used", "ignores_out_used", "first_down_used", "spares_used")


class Target(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The target of an injury or an attack.

    `blood`, `infection`, `blessing`: markers on it; leave them out if they are not known, and nothing is checked
    against them. `tough_used`: TOUGH has saved it before. `down_is_minor`: its armour turns a Down result into a
    Minor Hit. `unmarked_down_is_minor`: the same, while no BLOOD MARKER is on it. `ignores_out`: the first Out of
    Action result does nothing to it. `negates`: keywords of weapons that do nothing to it. `first_down`: what its
    first Down result becomes; with `first_down_tough` also a Down result that TOUGH or GOLEM made of a worse one.
    Leave out what is used up. `tough_to_nothing`: a Down that TOUGH made has No Effect. `minor_is_nothing`,
    `unmarked_minor_is_nothing` (while no BLOOD MARKER is on it), `down_is_nothing`: such a result has No Effect.
    `out_is_down`: Out of Action is Down. `untouched`: every result is No Effect. `stays_up`: a Down result only leaves
    its markers. `spares`: so many markers are not placed. `minor_is_down`: a Minor Hit is Down, regardless of other rules. `no_markers`: no BLOOD
    MARKER is placed on it. `keeps_infection`: INFECTION MARKERS on it pay only for a Bloodbath. `keywords` are its own: TOUGH, GOLEM, FEAR, BLOCK, DEMONIC and NEGATE with a keyword mean
    the same as their fields. `base`: millimetres.
    """

    name: Annotated[str, Meta(max_length=80)] = ""
    down: bool = False
    tough: bool = False
    tough_used: bool = False
    golem: bool = False
    fear: bool = False
    polearm: bool = False
    blood: Markers | None = None
    infection: Markers | None = None
    blessing: Markers | None = None
    down_is_minor: bool = False
    ignores_out: bool = False
    unmarked_down_is_minor: bool = False
    first_down: Literal["", "minor-hit", "no-effect"] = ""
    first_down_tough: bool = False
    minor_is_down: bool = False
    tough_to_nothing: bool = False
    minor_is_nothing: bool = False
    unmarked_minor_is_nothing: bool = False
    down_is_nothing: bool = False
    out_is_down: bool = False
    untouched: bool = False
    stays_up: bool = False
    spares: Markers = 0
    no_markers: bool = False
    keeps_infection: bool = False
    resistances: Annotated[tuple[Resistance, ...], Meta(max_length=20)] = ()
    negates: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    base: Annotated[int, Meta(ge=20, le=200)] | None = None

    def __post_init__(self) -> None:
        words = words_of(self.keywords)
        for field, named in SAID_BY_KEYWORD.items():
            if words & named:
                msgspec.structs.force_setattr(self, field, True)
        more = {word.removeprefix("NEGATE ") for word in words if word.startswith("NEGATE ")} | negated(words)
        if more - set(self.negates):
            msgspec.structs.force_setattr(self, "negates", tuple(sorted(more | set(self.negates))))


class Friend(Target, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A friend that a shot into a melee may hit: its own armour, and the markers that are then spent on it."""

    armour: Armour = 0
    shield: Annotated[int, Meta(ge=-3, le=0)] = 0
    unignorable_armour: Armour = 0
    injury_blood_spent: Spent = 0
    injury_blessing_spent: Markers = 0
    bloodbath: bool = False


class Success(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A success roll.

    `risky`: failing it ends the activation; all rolls of a Shaken warband are risky. `down`: the roller is Down.
    """

    dice: Net = 0
    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    modifier: Flat = 0
    base_dice: Base = 2
    risky: bool = False
    shaken: bool = False
    down: bool = False
    blood_spent: Spent = 0
    blessing_spent: Markers = 0
    blood: Markers | None = None
    infection: Markers | None = None
    blessing: Markers | None = None
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()


class Injury(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An injury roll against a target.

    `critical`: the hit was a Critical Success. `melee`: it comes from a melee attack. `diving_charge`: it comes from
    a Diving Charge. `modifier_why` names the cause of the flat modifier; `flats` are further ones.
    `unignorable_armour` counts even against what ignores armour.

    `keywords` are the weapon's: FIRE, GAS, SHRAPNEL, CRITICAL, DEADLY, IGNORE ARMOUR, IGNORE SHIELD, ARMOUR PIERCING,
    ARMOUR PIERCING 2; INFECTION MARKERS (instead of blood), ONE INFECTION MARKER MORE (if it leaves any), ALWAYS ONE
    INFECTION MARKER, ONE INJURY DIE TURNS TO 1 (the highest, after the roll), ONE BLOOD MARKER MORE or TWO BLOOD MARKERS MORE (whatever the roll), DOUBLE MARKERS (the result
    leaves twice as many), NO MARKERS, TAKEN DOWN (no roll: the target is Down), MINOR HITS ARE DOWN, NO INJURY ROLL
    (a hit only brings its markers), ONE DIE IS 6 (one of the dice is set, not rolled), ONE DIE TURNS TO 6 (the
    lowest, after the roll), DEFEATS NEGATE FIRE (NEGATE FIRE does nothing to it; GAS and SHRAPNEL likewise).
    """

    dice: Net = 0
    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    modifier: Flat = 0
    modifier_why: Annotated[str, Meta(max_length=200)] = "told"
    flats: Annotated[tuple[FlatModifier, ...], Meta(max_length=40)] = ()
    base_dice: Base = 2
    armour: Armour = 0
    shield: Annotated[int, Meta(ge=-3, le=0)] = 0
    unignorable_armour: Armour = 0
    ignore_armour: bool = False
    critical: bool = False
    critical_keyword: bool = False
    melee: bool = False
    diving_charge: bool = False
    unarmed: bool = False
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    blood_spent: Spent = 0
    blessing_spent: Markers = 0
    bloodbath: bool = False
    bloodbath_cost: Annotated[int, Meta(ge=0, le=12)] | None = None
    more_blood: Markers = 0
    more_infection: Markers = 0
    reroll_below: Literal["", "minor-hit", "down", "out-of-action"] = ""
    target: Target = Target()


class OnAttacker(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Markers of a `kind` that an attack places on the attacker (below 0: takes off it), and when.

    `when`: by each attack; by each hit; each time the target gets BLOOD MARKERS, or markers of either kind; for each
    BLOOD MARKER on the target; where it is not taken out.
    """

    number: Annotated[int, Meta(ge=-6, le=6)]
    kind: Literal["blood", "blessing"] = "blood"
    when: Literal["made", "hit", "bled", "marked", "each marker", "not out"] = "hit"
    why: Annotated[str, Meta(max_length=200)] = "told"


class Caught(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another fighter in the blast: its own armour and state, its own markers spent.

    `keywords`, `base_dice`, `injury_modifiers` and `injury_flats`: those of its injury, if they differ from those of the fighter hit
    directly.
    """

    target: Target = Target()
    armour: Armour = 0
    shield: Annotated[int, Meta(ge=-3, le=0)] = 0
    unignorable_armour: Armour = 0
    injury_dice: Net = 0
    injury_modifier: Flat = 0
    injury_blood_spent: Spent = 0
    injury_blessing_spent: Markers = 0
    bloodbath: bool = False
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] | None = None
    base_dice: Base | None = None
    injury_modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] | None = None
    injury_flats: Annotated[tuple[FlatModifier, ...], Meta(max_length=40)] | None = None


class AgainstDown(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What differs in an attack if an earlier attack has put the target Down. See `Attack`."""

    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    injury_modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    injury_modifier: Flat = 0
    injury_modifier_why: Annotated[str, Meta(max_length=200)] = "told"
    base_dice: Base = 2
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    critical_keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()


class Attack(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ranged or melee attack: the roll to hit and, after a hit, the injury.

    `dice`, `modifiers`, `modifier`, `blood_spent` (markers of the attacker), `blessing_spent` belong to the hit;
    `injury_dice`, `injury_modifiers`, `injury_modifier`, `injury_blood_spent` and `injury_blessing_spent` (markers of
    the target) to the injury, and so do `base_dice`, armour and Bloodbath. `ranged` and `melee` are the attacker's
    characteristics. `pistol`: a pistol used in melee; `by_ranged`: a melee attack by the Ranged Characteristic.
    `distance` and `range` give long range, and `higher_by` the elevation, unless `long_range` and `elevated` say so
    themselves. `into_melee`: a D6 first decides whether the attack goes at the target or at a friend: `at_friend` is the
    attack as it then is, else it is this one on `friend`. `caught` are
    further fighters in a blast, each with its own armour. `critical_from`: the total from which its hit is a Critical
    Success; `critical_keywords` are the weapon's only on a Critical Success. `after_hit`: one of several attacks that
    is made only if the one before it hit. `against_down`: replaces the attack's own values if an earlier attack has
    put the target Down. `aimed` false: the target is not aimed at, but is in the blast.

    `hit_sixes` dice of the roll to hit are set to 6. `reroll_hit`: a miss is rolled again; `backfires`: a 1 among the new
    dice is a failure, puts the attacker Down and ends its activation. `reroll_below`: an injury below this result is
    rolled again. `averted`: the attack misses whatever the roll. `near_miss`: a miss that scatters at most so many inches
    injures the target in the blast (`in_blast` then replaces the attack's own values), one of at most `direct_miss`
    inches directly. `on_attacker` are markers for the attacker. `more_blood` and `more_infection` are placed
    with the injury; `miss_marks` BLOOD MARKERS by a miss. `all_hit_out`: if this and all attacks of the list before it hit, the target is Out of Action.
    """

    kind: Literal["ranged", "melee"] = "ranged"
    ranged: Net = 0
    melee: Net = 0
    weapon: Annotated[str, Meta(max_length=80)] = ""
    dice: Net = 0
    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    modifier: Flat = 0
    risky: bool = False
    shaken: bool = False
    down: bool = False
    blood_spent: Spent = 0
    blessing_spent: Markers = 0
    blood: Markers | None = None
    infection: Markers | None = None
    blessing: Markers | None = None
    long_range: bool = False
    distance: Inches | None = None
    range: Inches | None = None
    cover: bool = False
    elevated: bool = False
    higher_by: Annotated[float, Meta(ge=-100, le=100)] | None = None
    defended_obstacle: bool = False
    off_hand: bool = False
    diving_charge: bool = False
    charged: bool = False
    unarmed: bool = False
    pistol: bool = False
    by_ranged: bool = False
    fear_immune: bool = False
    grenade: bool = False
    automatic_hit: bool = False
    at_point: bool = False
    scatters: bool = False
    into_melee: bool = False
    friend: Friend | None = None
    at_friend: Attack | None = None
    caught: Annotated[tuple[Caught, ...], Meta(max_length=30)] = ()
    keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    critical_keyword: bool = False
    critical_from: Annotated[int, Meta(ge=2, le=12)] = 12
    aimed: bool = True
    critical_keywords: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    after_hit: bool = False
    against_down: AgainstDown | None = None
    hit_sixes: Annotated[int, Meta(ge=0, le=1)] = 0
    reroll_hit: bool = False
    backfires: bool = False
    reroll_below: Literal["", "minor-hit", "down", "out-of-action"] = ""
    averted: bool = False
    near_miss: Inches = 0
    direct_miss: Inches = 0
    in_blast: AgainstDown | None = None
    on_attacker: Annotated[tuple[OnAttacker, ...], Meta(max_length=20)] = ()
    more_blood: Markers = 0
    more_infection: Markers = 0
    miss_marks: Markers = 0
    all_hit_out: bool = False
    injury_dice: Net = 0
    injury_modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    injury_modifier: Flat = 0
    injury_modifier_why: Annotated[str, Meta(max_length=200)] = "told"
    injury_flats: Annotated[tuple[FlatModifier, ...], Meta(max_length=40)] = ()
    hit_base: Base = 2
    base_dice: Base = 2
    armour: Armour = 0
    shield: Annotated[int, Meta(ge=-3, le=0)] = 0
    unignorable_armour: Armour = 0
    ignore_armour: bool = False
    injury_blood_spent: Spent = 0
    injury_blessing_spent: Markers = 0
    bloodbath: bool = False
    bloodbath_cost: Annotated[int, Meta(ge=0, le=12)] | None = None
    target: Target = Target()
