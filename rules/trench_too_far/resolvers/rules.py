"""Every rule of A Trench Too Far by name: its input, its resolver, its exact odds, and the order of its dice."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.resolvers.book import RuleBook
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller
from rules.resolvers.rule import TableRule
from rules.translation import gettext as _
from rules.trench_too_far.resolvers import (
    assault,
    assault_odds,
    attack_dice,
    fire,
    fire_inputs,
    inputs,
    morale,
    orders,
    several,
    tank_inputs,
    tank_odds,
    tanks,
    targets,
    tolerance,
    turn,
)
from rules.trench_too_far.resolvers.answers import EFFECTS
from rules.trench_too_far.resolvers.common import DISRUPTED, FAILS, FINE, PASSES, Readings, odds_by_ways

KEPT = 4096


@dataclass(frozen=True, slots=True)
class TroopRule(TableRule):
    """A rule that also documents the contents of its answer."""

    def told(self) -> dict[str, Any]:
        answers = " ".join(inspect.cleandoc(self.resolve.__doc__ or "").split())
        return {**TableRule.told(self), "answers": answers, "effects": list(EFFECTS[self.name])}


NONE, ONE = "none", "a D6"
BOOK = "Core rules, "


def _rule(
    name: str,
    words: str,
    data: type,
    resolve: Callable[[Any, Any, Roller], Resolved],
    dice: str,
    source: str,
    outcomes: tuple[str, ...] = (),
    odds: Callable[[Any, Any], Odds] | None = None,
) -> TroopRule:
    return TroopRule(name, words, data, resolve, dice, BOOK + source, outcomes, odds)


NERVE = (FAILS, PASSES)
TARGETS = ("none", "6+", "5+", "4+", "3+", "2+")

_ALL = (
    _rule("morale-target", _("What a quality tests on."), inputs.MoraleTarget, morale.morale_target, NONE, _("Figure designations"), TARGETS),
    _rule("morale-test", _("A morale test."), inputs.MoraleTest, morale.morale_test, ONE, _("Figure designations"), NERVE),
    _rule(
        "roll-initiative", _("Which side chooses who acts first."), inputs.InitiativeOfSides, morale.roll_initiative,
        _("a D6 for side A, one for side B, both again after a tie"), _("Game sequence"), ("a", "b", "tie"), morale.initiative_odds,
    ),
    _rule(
        "card-deck", _("The cards of a turn, shuffled."), inputs.Deck, morale.card_deck,
        _("for each card but the last a die with as many sides as cards are left"), _("Game sequence"), odds=morale.deck_odds,
    ),
    _rule(
        "platoon-coherent", _("Whether a platoon's bases stand together."), inputs.PlatoonCoherent, morale.platoon_coherent, NONE,
        _("Company organization; Unit traits"), ("stranded", "coherent"),
    ),
    _rule(
        "in-command", _("Whether a platoon or team is near its command base."), inputs.InCommand, morale.in_command, NONE,
        _("Company organization; Unit traits"), ("stranded", "in-command"),
    ),
    _rule(
        "coherency", _("Whether a platoon is stranded."), inputs.Coherency, morale.coherency, NONE, _("Company organization"),
        ("stranded", "in-command"),
    ),
    _rule(
        "begin-activation", _("What order a company takes."), inputs.Company, orders.begin_activation,
        _("a D6 where platoons are Shocked and it is not Disrupted yet; then a D6 where it is Disrupted and wants neither Defend nor Recover"),
        _("Company orders; Shock and Disruption; Aggressive"), ("choose", "defend", "recover", "move", "fire", "advance", "assault"),
    ),
    _rule(
        "end-activation", _("Whether a company is held to Defend."), inputs.EndActivation, orders.end_activation, _("a D6 on Defend"), _("Defend"),
        ("must-defend", "free"),
    ),
    _rule(
        "defend-stick", _("Whether a company is held to Defend."), inputs.EndActivation, orders.end_activation, _("a D6 on Defend"), _("Defend"),
        ("must-defend", "free"),
    ),
    _rule(
        "save-target", _("What a save must show."), fire_inputs.SaveTarget, attack_dice.save_target, NONE, _("Fire; Snipers; Indirect fire; Defend"), TARGETS
    ),
    _rule(
        "fire-dice", _("How many attack dice a platoon throws."), fire_inputs.FireDice, attack_dice.fire_dice, NONE, _("Fire; Heavy infantry; Rifle Drill")
    ),
    _rule(
        "hit-target", _("What an attack die must show."), fire_inputs.HitTarget, attack_dice.hit_target, NONE,
        _("Fire; Machine guns; Advance; Close order; Raider"), TARGETS,
    ),
    _rule(
        "legal-target", _("Whether a target may be fired at."), fire_inputs.LegalTarget, targets.legal_target, NONE,
        _("Fire; Machine guns; Snipers; Indirect fire; Defend"), ("illegal", "identify", "legal"),
    ),
    _rule(
        "resolve-fire", _("Attack dice, then saves."), fire_inputs.ResolveFire, fire.resolve_fire, _("the attack dice, then a D6 for each hit"),
        _("Fire"), odds=fire.resolve_fire_odds,
    ),
    _rule(
        "fire", _("An attack by fire at troops."), fire_inputs.Fire, fire.fire,
        _("the attack dice weapon by weapon, each HMG apart; a D6 for each hit that may be saved; a D6 where Close order may shake Shock off"),
        _("Fire and its results; Shock and Disruption"), odds=fire.fire_odds
    ),
    _rule(
        "hmg-jam", _("Whether an HMG jams."), fire_inputs.Jam, fire.hmg_jam, _("the dice of the HMG"), _("Machine guns"), ("jammed", "fires")
    ),
    _rule("tolerance", _("A platoon's Tolerance."), fire_inputs.Tolerance, tolerance.tolerance, NONE, _("Shock and Disruption")),
    _rule(
        "add-fire", _("Attack dice added up against Tolerance."), fire_inputs.AddFire, tolerance.add_fire, NONE, _("Shock and Disruption; Advance"),
        ("exceeds", "within")
    ),
    _rule(
        "shock", _("What fire above its Tolerance does to a platoon."), fire_inputs.Shock, tolerance.shock, _("a D6 in Close order with two bases left"),
        _("Shock and Disruption; Close order"), ("wiped-out", "shocked", "shakes-off", "holds"),
    ),
    _rule(
        "disruption", _("What a cause does to a company."), inputs.Disruption, orders.disruption,
        _("a D6 for Shocked platoons, medium artillery and tanks; else none"), _("Shock and Disruption"), (DISRUPTED, FINE),
    ),
    _rule(
        "disruption-check", _("Shocked platoons when a company is activated."), inputs.DisruptionCheck, orders.disruption_check, ONE,
        _("Shock and Disruption"), (DISRUPTED, FINE),
    ),
    _rule(
        "order-check", _("Whether a Disrupted company keeps its order."), inputs.OrderCheck, orders.order_check,
        _("a D6 where it is Disrupted and wants neither Defend nor Recover"), _("Shock and Disruption"),
        ("defend", "recover", "move", "fire", "advance", "assault"),
    ),
    _rule(
        "identify-team", _("Whether a weapons team is made out."), inputs.OneRoll, orders.identify_team, ONE, _("Fire"),
        ("not-identified", "identified"),
    ),
    _rule(
        "indirect-legal", _("Whether a weapon may fire indirectly."), fire_inputs.IndirectLegal, targets.indirect_legal, NONE, _("Indirect fire"),
        ("illegal", "legal"),
    ),
    _rule(
        "assault-motivation", _("Whether a platoon assaults."), inputs.Motivation, assault.assault_motivation,
        _("a D6; none while it is fresh"), _("Assaulting; Close order; Aggressive"), NERVE
    ),
    _rule(
        "assault-reception", _("Whether a contacted defender stands."), inputs.Reception, assault.assault_reception,
        _("a D6; none in trenches, fortifications and buildings"), _("Assaulting; Aggressive"), NERVE
    ),
    _rule(
        "assault-dice", _("How many dice a side throws in an assault."), inputs.Sided, assault.assault_dice, NONE, _("Assaulting; Veteran; Tanks")
    ),
    _rule(
        "assault-hit-target", _("What a side's dice must show in an assault."), inputs.Sided, assault.assault_hit_target, NONE, _("Assaulting"),
        TARGETS
    ),
    _rule(
        "assault-round", _("The fight from contact to its end."), inputs.AssaultRound, assault.assault_round,
        _("the attacker's dice, the defender's, the attacker's ... until it is decided"), _("Assaulting"),
        assault.ENDS, assault_odds.assault_round_odds,
    ),
    _rule(
        "assault", _("A whole assault."), inputs.Assault, assault.assault,
        _("a D6 for the attacker's motivation, none if fresh; a D6 for the defender, none behind works; then as assault-round"), _("Assaulting"),
        assault.ENDS, assault_odds.assault_odds,
    ),
    _rule(
        "recover", _("A company on Recover."), inputs.Recover, turn.recover, _("a D6 for each Shocked platoon, then one for each base lost"),
        _("Recover"), odds=turn.recover_odds,
    ),
    _rule(
        "recover-remnants", _("Remnant bases for lost ones."), inputs.Remnants, turn.recover_remnants, _("a D6 for each base lost"), _("Recover"),
        odds=turn.remnants_odds,
    ),
    _rule(
        "end-turn-rally", _("Rallying at the end of the turn."), inputs.Rally, turn.end_turn_rally,
        _("a D6 for each Shocked platoon of companies that are not Disrupted, company by company; one for each Disrupted company; one for "
        "each immobilised vehicle"), _("End of turn"), odds=turn.rally_odds,
    ),
    _rule(
        "reliability", _("Whether a tank that moves breaks down."), tank_inputs.ReliabilityTest, tanks.reliability, _("a D6 from turn 3 on"),
        _("Tanks: Movement"), ("immobilised", PASSES),
    ),
    _rule("tank-save", _("A hit tank's save."), tank_inputs.TankSave, tanks.tank_save, ONE, _("Tanks: Firing"), (FAILS, "saved")),
    _rule(
        "tank-damage", _("Damage to a tank."), tank_inputs.TankDamage, tanks.tank_damage, _("a D6, or as many as are told, until it is destroyed"),
        _("Tanks: Firing"), tanks.WORST,
    ),
    _rule(
        "tank-fire", _("Fire at tanks."), tank_inputs.TankFire, tanks.tank_fire,
        _("the attack dice weapon by weapon; a D6 for each hit; a D6 for each failed save"), _("Tanks: Firing"), tanks.WORST,
        tank_odds.tank_fire_odds,
    ),
    _rule(
        "tank-assault", _("Troops assault tanks."), tank_inputs.TankAssault, tanks.tank_assault,
        _("the attack dice; a D6 for each hit; a D6 for each failed save"), _("Tanks: Assault"), tanks.WORST, tank_odds.tank_assault_odds,
    ),
    _rule(
        "tank-repair", _("Whether an immobilised vehicle moves again."), tank_inputs.Repair, tanks.tank_repair, ONE, _("Tanks: End turn"),
        ("immobilised", "mobile"),
    ),
    _rule(
        "initiative-of", _("Which of several sides chooses who acts first."), inputs.SidesInitiative, several.initiative_of,
        _("a D6 for each side, again for those who tie for the most"), _("Game sequence"), odds=several.sides_odds,
    ),
    _rule(
        "card-draw", _("One card of those left."), inputs.CardDraw, several.card_draw, _("a die with as many sides as cards are left"),
        _("Game sequence"), odds=several.draw_odds,
    ),
    _rule(
        "tanks-move", _("Whether tanks that move break down."), tank_inputs.TanksMove, several.tanks_move,
        _("a D6 for each from turn 3 on"), _("Tanks: Movement"),
    ),
    _rule(
        "assault-strike", _("One blow of an assault, with everyone who joined."), inputs.Strike, several.strike, _("the dice of those who strike"),
        _("Assaulting"), odds=several.strike_odds,
    ),
    _rule("march", _("Whether a platoon may march."), inputs.March, orders.march, NONE, _("Movement"), ("no-march", "march")),
    _rule("movement", _("How far a platoon may go."), inputs.Move, orders.movement, NONE, _("Movement"), ("stays", "moves")),
)  # fmt: skip
TABLE = RuleBook(_ALL)
RULES = TABLE.rules
table_rules = TABLE.all
rule_named = TABLE.named
resolve = TABLE.resolve
resolve_typed = TABLE.resolve_typed
resolve_told = TABLE.resolve_told


def odds(content: HasReadings, name: str, given: Mapping[str, Any]) -> Odds:
    """The exact odds of a rule in a situation. Raises Refusal for an input."""
    rule = rule_named(name)
    return _odds(Readings(tuple(sorted(content.readings.items()))), name, rule.read(given))


@lru_cache(maxsize=KEPT)
def _odds(content: Readings, name: str, data: Any) -> Odds:
    rule = RULES[name]
    if rule.odds is not None:
        return rule.odds(content, data)
    return odds_by_ways(lambda roller: rule.resolve(content, data, roller), rule.outcomes)
