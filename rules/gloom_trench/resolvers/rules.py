"""The register of all table rules by name: input, resolver, exact odds, and the order of the dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from rules.custom.content import CustomContent
from rules.gloom_trench.resolvers import (
    activation,
    aiming,
    charges,
    dice,
    melee,
    pool,
    saves,
    shooting,
    split_fire,
    units,
    weapons,
)
from rules.gloom_trench.resolvers.inputs import ruled
from rules.resolvers.book import RuleBook
from rules.resolvers.odds import Odds, odds_of
from rules.translation import gettext as _

DICE = "Core rules, Dice Modifiers; Target Number; Rule of One"
POINTS = "Core rules, Tactical Pool"
BAG = "Core rules, Activation Bag; Fog of War Chits"
SHOOTING = "Core rules, Shooting; Shooting and Cover; Obscured; Small Units"
MELEE = "Core rules, Fighting in Melee; Melee and Cover"
STRESS = "Core rules, Stress Test; Make Morale Checks; Rally"
ATTACK_DICE = _("the attack dice, group by group; then a saving die for each hit, where the Save is told")
MELEE_DICE = _(
    "with `moves` a D6 for each D3 (defender, active unit); the active unit's pool; the defender's pool; the defender's saves; the active "
    "unit's saves"
)
MORALE_OUTCOMES = ("destroyed", "loses-models", "holds", "no-check")
TESTED = ("fails", "passes", "no-test")

_ALL = (
    ruled("resolve-dice", _("What a die becomes under modifiers."), dice.ResolveDice, dice.resolve_dice, source=DICE),
    ruled(
        "roll-vs-tn", _("Like dice against 5."), dice.RollVsTn, dice.roll_vs_tn, dice=_("the dice, all at once"), source=DICE
    ),
    ruled(
        "p-success", _("The odds of one die."), dice.PSuccess, dice.resolve_p_success, source=DICE,
        odds=dice.p_success_odds,
    ),
    ruled("roll-d3", "A D3.", dice.SmallDie, dice.roll_d3, dice=_("a D6 for each"), source="Core rules, dice"),
    ruled("roll-d2", "A D2.", dice.SmallDie, dice.roll_d2, dice=_("a D6 for each"), source="Core rules, dice"),
    ruled(
        "scatter", _("Where a point comes down that goes astray."), dice.PointScatter, dice.scatter,
        dice=_("the direction, then the distance, each only where it is a die"), source="Core rules, Random Direction",
        outcomes=("lost", "on-table"),
    ),
    ruled("models", _("The models of a unit."), units.OfUnit, units.resolve_models, source="Core rules, Units and Squads"),
    ruled(
        "is-small", _("Whether a unit is a Small Unit."), units.OfUnit, units.resolve_is_small,
        source="Core rules, Small Units",
    ),
    ruled(
        "unit-command", _("The Command a unit uses."), units.OfUnit, units.resolve_unit_command,
        source="Core rules, Mixed units",
    ),
    ruled(
        "force-command", _("The highest Command of a force."), units.OfForce, units.resolve_force_command, source=POINTS
    ),
    ruled("starting-tp", _("The points a force begins with."), units.OfForce, units.resolve_starting_tp, source=POINTS),
    ruled("chits", _("The chits of a force."), units.OfForce, units.resolve_chits, source=BAG),
    ruled(
        "populate-pool", _("What a pool gains in the Tactical Phase."), pool.PopulatePool, pool.populate_pool,
        dice=_("a D6 for each point of Command"), source=POINTS,
    ),
    ruled(
        "check-pool", _("What is left of a pool at the end of the turn."), pool.CheckPool, pool.check_pool,
        dice=_("a D6 for each point"), source=POINTS,
    ),
    ruled(
        "spend-tp", _("Spending a Tactical Point."), pool.SpendTp, pool.spend_tp, source=POINTS,
        outcomes=get_args(pool.Purpose),
    ),
    ruled(
        "coherent", _("Whether a unit is in coherency."), activation.Coherent, activation.coherent,
        source="Core rules, Squad Leader", outcomes=("no", "yes"),
    ),
    ruled(
        "start-activation", _("A unit is activated."), activation.StartActivation, activation.start_activation,
        dice=_("a D8 (D12 with a point) where a Stress Test is needed"), source=STRESS, outcomes=TESTED,
    ),
    ruled(
        "stress-test", _("A Stress Test."), activation.StressTest, activation.stress_test,
        dice=_("a D8 (D12 with a point) where the test is needed"), source=STRESS, outcomes=TESTED,
    ),
    ruled(
        "rally", _("A Rally."), activation.RallyCheck, activation.rally, dice=_("a D6 for each token"), source=STRESS
    ),
    ruled(
        "morale-check", _("A morale check."), activation.MoraleCheck, activation.morale_check, dice=_("a D8 for each token"),
        source=STRESS, outcomes=MORALE_OUTCOMES,
    ),
    ruled(
        "morale-losses", _("A morale check, told by the models it costs."), activation.MoraleCheck, activation.morale_losses,
        dice=_("a D8 for each token"), source=STRESS,
    ),
    ruled(
        "morale-stress", _("A morale check, told by the Stress that is left."), activation.MoraleCheck,
        activation.morale_stress, dice=_("a D8 for each token"), source=STRESS,
    ),
    ruled(
        "morale-step", _("All morale checks of a turn."), activation.MoraleStep, activation.morale_step,
        dice=_("for each unit in its order a D8 for each token"), source=STRESS, odds=activation.morale_step_odds,
    ),
    ruled(
        "may-use-orders", _("Whether a unit may use Unit Orders."), units.MayUseOrders, units.may_use_orders,
        source="Core rules, Unit Orders", outcomes=("no", "yes"),
    ),
    ruled(
        "may-activate", _("Whether a unit may be activated."), activation.MayActivate, activation.may_activate,
        source="Core rules, Activating Units", outcomes=("no", "yes"),
    ),
    ruled(
        "reactivation", _("Whether units may go a second time."), activation.Reactivation, activation.reactivation,
        source="Core rules, Activating Units", outcomes=("no", "yes"),
    ),
    ruled(
        "take-that-ground", _("How far Take that Ground carries."), activation.Distanced, activation.take_that_ground,
        dice=_("a D6 (D8 with a point)"), source="Core rules, Take that Ground",
    ),
    ruled(
        "range-band", _("The range band of a shot."), weapons.RangeBand, weapons.range_band, source=SHOOTING,
        outcomes=("out-of-range", "long", "medium", "short"),
    ),
    ruled("attack-pool", _("The dice of a shooting attack."), weapons.AttackPool, weapons.attack_pool, source=SHOOTING),
    ruled(
        "shoot-modifiers", _("What modifies a shooting attack."), aiming.Shooting, aiming.shoot_modifiers,
        source=SHOOTING,
    ),
    ruled(
        "obscured-total", _("What Obscured takes from a shot."), aiming.ObscuredTotal, aiming.obscured_total,
        source=SHOOTING,
    ),
    ruled(
        "shoot", _("A shooting attack: hits, or with the target's Save the damage."), shooting.Shoot, shooting.shoot,
        dice=ATTACK_DICE, source=SHOOTING, odds=shooting.shoot_odds,
    ),
    ruled(
        "shoot-hits", _("A shooting attack, told by its hits."), shooting.Shoot, shooting.shoot_hits, dice=ATTACK_DICE,
        source=SHOOTING, odds=shooting.shoot_hits_odds,
    ),
    ruled(
        "shoot-stress", _("A shooting attack, told by the Stress it brings."), shooting.Shoot, shooting.shoot_stress,
        dice=ATTACK_DICE, source=SHOOTING, odds=shooting.shoot_stress_odds,
    ),
    ruled(
        "shoot-losses", _("A shooting attack, told by the models it removes."), shooting.Shoot, shooting.shoot_losses,
        dice=ATTACK_DICE, source=SHOOTING, odds=shooting.shoot_losses_odds,
    ),
    ruled(
        "split-fire", _("Fire at two units."), split_fire.SplitFire, split_fire.split_fire,
        dice=_("for each group in its order ") + ATTACK_DICE, source="Core rules, Splitting Fire",
        odds=split_fire.split_fire_odds,
    ),
    ruled(
        "save", _("Saving throws; the outcome is the damage."), saves.Save, saves.resolve_save,
        dice=_("a saving die for each hit"), source="Core rules, Saving Throws",
    ),
    ruled(
        "save-stress", _("Saving throws, told by the Stress they bring."), saves.Save, saves.resolve_save_stress,
        dice=_("a saving die for each hit"), source="Core rules, Saving Throws",
    ),
    ruled(
        "allocate-damage", _("The models that damage removes."), saves.Allocate, saves.allocate_damage,
        source="Core rules, Removing Models; Mixed units",
        outcomes=("destroyed", "models-lost", "recorded", "nothing"),
    ),
    ruled(
        "charge-move", _("Whether a charge comes into contact."), charges.ChargeMove, charges.charge_move,
        dice=_("a D6 (D8 with a point)"), source="Core rules, Charge", outcomes=("short", "contact"),
    ),
    ruled(
        "charge-reaction", _("Brace for Melee, or Hold and Shoot."), charges.ChargeReaction, charges.charge_reaction,
        dice=_("to hold and shoot as for `shoot`; to brace the charger's pool, where it is told"),
        source="Core rules, Brace for Melee; Hold and Shoot", odds=charges.charge_reaction_odds,
    ),
    ruled(
        "melee-round", _("One round of melee."), melee.MeleeRound, melee.melee_round, dice=MELEE_DICE, source=MELEE,
        outcomes=melee.ROUND, odds=melee.melee_round_odds,
    ),
    ruled(
        "melee-result", _("Who wins a round of melee."), melee.MeleeResult, melee.melee_result, source=MELEE,
        outcomes=(*melee.ROUND, "both-gone"),
    ),
    ruled(
        "melee", _("A melee to its end."), melee.MeleeRound, melee.melee, dice=MELEE_DICE + _("; again for each round"),
        source=MELEE, outcomes=("lose", "win", "both-gone", "stalemate"), odds=melee.melee_odds,
    ),
    ruled(
        "roll-initiative", _("Who has the initiative."), pool.InitiativeRoll, pool.roll_initiative,
        dice=_("A's D6, then B's"), source="Core rules, Roll for Initiative", outcomes=("A", "B", "reroll", "tie"),
    ),
    ruled(
        "initiative", _("One roll for the initiative as A sees it."), pool.InitiativeRoll, pool.single_initiative,
        dice=_("A's D6, then B's"), source="Core rules, Roll for Initiative", outcomes=("lose", "tie", "win"),
    ),
    ruled("fill-bag", _("The chits in the bag."), pool.FillBag, pool.fill_bag, source=BAG),
    ruled(
        "draw-chit", _("The next chit."), pool.DrawChit, pool.draw_chit,
        dice=_("none where draws are told; else for each draw a die with as many sides as chits are left, counted in the bag's order, Fog last"),
        source=BAG,
    ),
    ruled(
        "fog", _("How many activations come before the last Fog."), pool.Fog, pool.play_out,
        dice=_("as for `draw-chit`, to the end"), source=BAG, odds=pool.fog_odds,
    ),
    ruled(
        "chit-drawn", _("Whether a chit that is still in the bag will be drawn."), pool.NextChit, pool.chit_drawn,
        source=BAG, odds=pool.chit_drawn_odds,
    ),
)  # fmt: skip
TABLE = RuleBook(_ALL)
RULES = TABLE.rules
table_rules = TABLE.all
rule_named = TABLE.named
resolve = TABLE.resolve
resolve_typed = TABLE.resolve_typed
resolve_told = TABLE.resolve_told


def odds(content: CustomContent, name: str, given: Mapping[str, Any]) -> Odds:
    """The exact odds of a rule in a situation. Raises Refusal for an input, or where there are too many ways to go."""
    rule = rule_named(name)
    data = rule.read(given)
    if rule.odds is not None:
        return rule.odds(content, data)
    return odds_of(lambda roller: rule.resolve(content, data, roller), rule.outcomes)
