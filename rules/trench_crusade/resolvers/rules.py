"""The register of all table rules by name: input, resolver, exact odds, and the order of the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.content.compiled import Content
from rules.problems import Refusal
from rules.resolvers.book import RuleBook
from rules.resolvers.normaliser import struct_fields
from rules.resolvers.odds import Odds, odds_of
from rules.resolvers.roller import Resolved, Roller
from rules.resolvers.rule import TableRule
from rules.translation import gettext as _
from rules.trench_crusade.resolvers import attack, charts, field, injury, inputs, movement, success
from rules.trench_crusade.resolvers.attack import INJURIES, WORST
from rules.trench_crusade.resolvers.attack_odds import attack_odds

CHART = ("failure", "success", "critical")
KEPT = 4096


def _played(resolver: Callable[[Any, Any, Roller], Resolved]) -> Callable[[Content, Any, Roller], Resolved]:
    """A resolver that needs only how the edition plays. Raises Refusal for a pack that does not say."""

    def resolve(content: Content, data: Any, roller: Roller) -> Resolved:
        if content.pack.play is None:
            raise Refusal(_("This edition's pack does not say how it plays at the table."), code="play")
        return resolver(content.pack.play, data, roller)

    return resolve


def _initiative_odds(content: Content, data: field.Initiative) -> Odds:
    """Level sides have the same chance: a roll-off is repeated until one is highest."""
    play = content.pack.play
    assert play is not None
    counts = [side.on_table - (side.down if play.initiative_counts == "standing" else 0) for side in data.sides]
    return _roll_off_odds([index for index, count in enumerate(counts) if count == min(counts)])


def _morale_order_odds(content: Content, data: field.MoraleOrder) -> Odds:
    """The same among the smallest sides, where size says who tests first."""
    play = content.pack.play
    assert play is not None
    if play.morale_order == "initiative":
        return odds_of(lambda roller: field.resolve_morale_order(play, data, roller), ())
    least = min(data.models)
    return _roll_off_odds([index for index, count in enumerate(data.models) if count == least])


def _roll_off_odds(level: list[int]) -> Odds:
    odds = Odds()
    for index in level:
        odds.add(str(index + 1), 0, Fraction(1, len(level)))
    return odds


def _trauma_odds(content: Content, data: charts.TraumaRoll) -> Odds:
    """A result that is rolled again leaves the others in their proportion."""
    found = charts.trauma_odds(content, data)
    odds = Odds()
    for outcome, count in found.items():
        odds.add(outcome, 0, Fraction(count, sum(found.values())))
    return odds


# Field names that rules share. A rule accepts a field that does not apply to it as long as it changes nothing.
SHARED = frozenset({
    "dice", "modifiers", "modifier", "base_dice", "armour", "ignore_armour", "unignorable_armour", "risky", "critical_keyword",
    "keywords", "blood_spent", "blessing_spent", "bloodbath", "target",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class CrusadeRule(TableRule):
    """A rule that ignores shared fields which do not apply to it and change nothing."""

    def read(self, given: Mapping[str, Any]) -> Any:
        idle = SHARED.difference(struct_fields(self.data))
        return TableRule.read(
            self,
            {name: value for name, value in given.items() if name not in idle or not _changes_nothing(name, value)},
        )


def _changes_nothing(name: str, value: Any) -> bool:
    return value in (0, False, "", [], {}, ()) or (name == "base_dice" and value == 2)


class _AttackRule(CrusadeRule):
    """The rule for attacks. The attacks of a list share the fields beside it."""

    __slots__ = ()

    def read(self, given: Mapping[str, Any]) -> Any:
        return CrusadeRule.read(self, attack.shared(given))


POOL = _("the pool of the roll, all its dice at once")
SEED_ACTIONS = "Condensed rules 1.6.3, Action Success Chart; Turns and actions 1.0, Actions"
SEED_MOVES = "Condensed rules 1.6.3, Movement; Turns and actions 1.0, Common Actions"

_ALL = (
    CrusadeRule(
        "success", _("A success roll."), inputs.Success, _played(success.resolve_success), POOL, SEED_ACTIONS, CHART
    ),
    CrusadeRule(
        "injury", _("An injury roll."), inputs.Injury, _played(injury.resolve_injury), POOL,
        "Attacks 1.6, The Injury Roll; core rules 1.0, Injury", INJURIES,
    ),
    _AttackRule(
        "attack", _("An attack, or several: to hit, then injuries."), attack.Attacks, _played(attack.resolve_attack),
        _("a D6 where it goes into a melee; the pool to hit; on a hit the pool of the injury, then one for each fighter caught in a "
        "blast; the same for each further attack"),
        "Attacks 1.6; Turns and actions 1.0, Shoot and Fight", WORST,
    ),
    CrusadeRule(
        "dash", _("A dash."), movement.Dash, _played(movement.resolve_dash), POOL, SEED_MOVES, CHART
    ),
    CrusadeRule(
        "climb", _("Climbing a sheer surface."), movement.Climb, _played(movement.resolve_climb), POOL, SEED_MOVES, CHART
    ),
    CrusadeRule(
        "jump", _("Jumping a gap."), movement.Jump, _played(movement.resolve_jump),
        _("the pool of the roll; after a failure the pool of the injury, where the fall injures"), SEED_MOVES, CHART,
    ),
    CrusadeRule(
        "fall", _("Falling, or jumping down."), movement.Fall, _played(movement.resolve_fall), _("the pool of the injury"),
        "Condensed rules 1.6.3, Falling; core rules 1.0, Movement and terrain", ("unhurt", *INJURIES),
    ),
    CrusadeRule(
        "dangerous-terrain", _("Dangerous ground."), movement.Dangerous, _played(movement.resolve_dangerous),
        _("the pool of the roll; after a failure the pool of the injury"),
        "Condensed rules 1.6.3, Terrain; core rules 1.0, Movement and terrain", CHART,
    ),
    CrusadeRule(
        "charge", _("A charge."), movement.Charge, _played(movement.resolve_charge),
        _("the pool of the risky roll where the target is not seen; then each D6 of the bonus (a D3 is half of one), none for HEAVY carriers; in a Diving Charge that reaches its "
        "pool, and after a failure the pool of the injury"), SEED_MOVES,
    ),
    CrusadeRule(
        "retreat", _("Leaving melee."), movement.Retreat, _played(movement.resolve_retreat),
        _("none; the attacks of the enemies are rolled apart"), SEED_MOVES, ("stays", "moves"),
    ),
    CrusadeRule(
        "evade", _("A SKIRMISHER steps aside."), movement.Evade, _played(movement.resolve_evade), _("a D6 for the D3"),
        "Condensed rules 1.6.3, SKIRMISHER",
    ),
    CrusadeRule(
        "ledge", _("Staying at a ledge when knocked Down."), movement.Ledge, _played(movement.resolve_ledge),
        _("the pool of the roll; after a failure the pool of the injury"), "Condensed rules 1.6.3, Falling", CHART,
    ),
    CrusadeRule(
        "stand", _("Standing up."), movement.Stand, _played(movement.resolve_stand),
        _("none when activated; else the pool of the risky roll"), "Condensed rules 1.6.3, Injury Chart", ("stands", *CHART),
    ),
    CrusadeRule(
        "shot-into-melee", _("Who a shot into melee hits."), field.IntoMelee, _played(field.resolve_into_melee),
        _("a D6; then one die with as many sides as there are fighters to choose from, where more than one"),
        "Attacks 1.6, Shooting into Melee Combat", ("friend", "enemy"),
    ),
    CrusadeRule(
        "scatter", _("How far a missed shot at a point goes astray."), field.Scatter, _played(field.resolve_scatter),
        _("none where the total is told; else the pool to hit"), "Attacks 1.6, Ground-Targeted Attacks",
    ),
    CrusadeRule(
        "infection", _("A fighter with infection markers is activated."), field.Infection, _played(field.resolve_infection),
        "none", "Condensed rules 1.6.3, Markers",
    ),
    CrusadeRule(
        "morale", _("A morale test."), field.Morale, _played(field.resolve_morale), POOL,
        "Condensed rules 1.6.3, Morale Phase; Turns and actions 1.0, Morale Phase", ("flees", "shaken", "holds"),
    ),
    CrusadeRule(
        "morale-order", _("Which of several sides tests morale first."), field.MoraleOrder,
        _played(field.resolve_morale_order),
        _("a D6 for each of the smallest sides in their order, where they are level, again while they are"),
        "Condensed rules 1.6.3, Morale Phase; developer answers, FAQ 1; core rules 1.0, Turn", odds=_morale_order_odds,
    ),
    CrusadeRule(
        "initiative", _("Who has the initiative."), field.Initiative, _played(field.resolve_initiative),
        _("a D6 for each level side in their order, again while they are level"),
        "Condensed rules 1.6.3, Game Turn; Turns and actions 1.0, The Turn Sequence", odds=_initiative_odds,
    ),
    CrusadeRule(
        "activation", _("Two of a fireteam act."), field.Activation, _played(field.resolve_activation), "none",
        "Condensed rules 1.6.3, FIRETEAM", ("ends", "goes-on"),
    ),
    CrusadeRule(
        "goetic", _("Casting a goetic power."), field.Goetic, _played(field.resolve_goetic),
        _("none, or the pool where the power is rolled for"), "Condensed rules 1.6.3, Goetic Powers & Spells",
        (*CHART, "cast"),
    ),
    CrusadeRule(
        "trauma", _("The trauma of an ELITE fighter."), charts.TraumaRoll, charts.resolve_trauma,
        _("tens, then units; both again for a scar that is borne already"), "Campaign rules, trauma chart",
        odds=_trauma_odds,
    ),
    CrusadeRule(
        "survival", _("Whether anybody else lives."), charts.SurvivalRoll, charts.resolve_survival, "a D6",
        "Campaign rules, injuries", ("dies", "survives"),
    ),
    CrusadeRule(
        "skill-advance", _("2D6 on one or two skill tables."), charts.SkillRoll, charts.resolve_skill,
        _("2D6 for each table in the order given"), "Campaign rules, advancement",
    ),
    CrusadeRule(
        "promotion", _("Promotion dice."), charts.PromotionRoll, charts.resolve_promotion,
        _("one D6 after another, fighter by fighter; none once they rose or where the next cannot miss"),
        "Campaign rules, promotions",
    ),
    CrusadeRule(
        "exploration", _("Exploration dice and what they find."), charts.ExplorationRoll, charts.resolve_exploration,
        _("the exploration dice; then one D6 for each die rolled again"), "Campaign rules, exploration",
    ),
)  # fmt: skip
TABLE = RuleBook(_ALL)
RULES = TABLE.rules
table_rules = TABLE.all
rule_named = TABLE.named
resolve = TABLE.resolve
resolve_typed = TABLE.resolve_typed


def odds(content: Content, name: str, given: Mapping[str, Any]) -> Odds:
    """The exact odds of a rule in a situation. Raises Refusal for an input."""
    rule = rule_named(name)
    data = rule.read(given)
    return _odds(content, name, data)


@lru_cache(maxsize=KEPT)
def _odds(content: Content, name: str, data: Any) -> Odds:
    rule = RULES[name]
    if rule.odds is not None:
        return rule.odds(content, data)
    if isinstance(data, attack.Attacks) and (data.attacks or data.caught):
        play = content.pack.play
        assert play is not None
        return attack_odds(play, data.attacks or (data,))
    return odds_of(lambda roller: rule.resolve(content, data, roller), rule.outcomes)
