"""The unclear rules of Gloom Trench 1926, each with its possible readings.

Source: core rules (the public text), numbered as in the specification (GT-A02 to GT-A28). The missing ones do not
change any result: GT-A01 (two names for the same characteristics), GT-A19 (settled by the rule itself), GT-A21 and
GT-A23 (the order of steps).
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings, Reading, choice
from rules.translation import gettext as _

OPPOSITE_DICE = "GT-A02-opposite-dice-modifiers"
POINTS_PER_ROLL = "GT-A03-points-per-roll"
HOLD_SAVE = "GT-A04-hold-and-shoot-save"
SHOOTING_DAMAGE = "GT-A05-shooting-damage"
WHEN_TESTED = "GT-A06-when-tested"
PASSED_REMOVES = "GT-A06-passed-test-removes"
ACTIVATION_ORDER = "GT-A07-activation-order"
UNIT_COMMAND = "GT-A08-unit-command"
MELEE_DAMAGE = "GT-A09-melee-damage"
AGAIN = "GT-A10-second-activation"
RANGE_FROM = "GT-A11-range-from"
NO_SAVE_STRESS = "GT-A12-stress-without-saves"
HOLD_DIE = "GT-A13-hold-and-shoot-die"
SOLID_IN_MELEE = "GT-A14-solid-cover-in-melee"
CHARGE_BONUS = "GT-A15-charge-bonus"
MORALE_STRESS = "GT-A16-stress-during-morale"
LOST_CHITS = "GT-A17-chits-of-lost-units"
OBSCURED = "GT-A18-obscured"
OPPONENT_POINT = "GT-A20-point-against-a-roll"
LOSER_STRESS = "GT-A22-stress-for-a-melee-loser"
DISTANCE_DICE = "GT-A24-distance-dice"
TOKENS_DISCARDED = "GT-A25-tokens-discarded"
MOVED = "GT-A26-distance-charged"
DISTANCE_POINTS = "GT-A27-points-for-distance"
LEADER = "GT-A28-leader-of-a-unit"

READINGS: tuple[Reading, ...] = (
    Reading(
        OPPOSITE_DICE,
        "cancel",
        (
            ("cancel", _("they cancel first")),
            ("first-shifts", _("the first shifts the die, each other becomes a roll modifier")),
        ),
        _("What d+1 and d-1 on the same roll do."),
        "GT-A02",
    ),
    Reading(
        POINTS_PER_ROLL,
        "one",
        (("one", _("one for each player")), ("any", _("as many as the pool holds"))),
        _("How many Tactical Points may go on one roll."),
        "GT-A03",
    ),
    Reading(
        HOLD_SAVE,
        "die",
        (("die", _("d+1, a bigger die")), ("roll", _("+1 on the roll"))),
        _("What the charger's saves gain against Hold and Shoot."),
        "GT-A04",
    ),
    Reading(
        SHOOTING_DAMAGE,
        "one",
        (("one", _("one for each failed save")), ("statline", _("the Damage on the shooter's statline"))),
        _("What a failed save against shooting does."),
        "GT-A05",
    ),
    Reading(
        WHEN_TESTED,
        "over-command",
        (("over-command", _("with more Stress than Command")), ("any-stress", _("with any Stress"))),
        _("When an activated unit tests for Stress."),
        "GT-A06",
    ),
    Reading(
        PASSED_REMOVES,
        "one",
        (("one", _("one token")), ("none", "nothing")),
        _("What a passed Stress Test takes off the unit."),
        "GT-A06",
    ),
    Reading(
        ACTIVATION_ORDER,
        "tokens-first",
        (("tokens-first", _("new tokens count in this test")), ("test-first", _("they are placed after it"))),
        _("Whether tokens gained on activation weigh on the test of this activation."),
        "GT-A07",
    ),
    Reading(
        UNIT_COMMAND,
        "highest",
        (("highest", _("the highest left in it")), ("most-models", _("the one most of its models have"))),
        _("Which Command a unit of several profiles uses."),
        "GT-A08",
    ),
    Reading(
        MELEE_DAMAGE,
        "taken",
        (("taken", _("all that was dealt")), ("counted", _("only what its models could still take"))),
        _("Which damage is compared after a round of melee."),
        "GT-A09",
    ),
    Reading(
        AGAIN,
        "all-others",
        (("all-others", _("once all the others have been")), ("never", "never")),
        _("When a unit may be activated again in a turn."),
        "GT-A10",
    ),
    Reading(
        RANGE_FROM,
        "leader",
        (
            ("leader", _("between leaders, then nominated models, then the closest")),
            ("closest", _("between the closest models")),
        ),
        _("Where the range of an attack is measured once a leader is lost."),
        "GT-A11",
    ),
    Reading(
        NO_SAVE_STRESS,
        "besides",
        (("besides", _("one beside the token for damage")), ("instead", _("that one alone"))),
        _("The Stress of an attack that allows no saves."),
        "GT-A12",
    ),
    Reading(
        HOLD_DIE,
        "locked",
        (("locked", _("stays a D6, d+1 becomes +1")), ("shifts", _("starts as a D6 and may shift"))),
        _("What dice modifiers do to Hold and Shoot."),
        "GT-A13",
    ),
    Reading(
        SOLID_IN_MELEE,
        "both",
        (("both", _("every pool against a unit in it")), ("charger", _("only the charger's pool"))),
        _("Whose melee roll Solid cover makes harder."),
        "GT-A14",
    ),
    Reading(
        CHARGE_BONUS,
        "every-round",
        (("every-round", _("every round of that charge")), ("first-round", _("the first round only"))),
        _("How long a charge adds to the melee roll."),
        "GT-A15",
    ),
    Reading(
        MORALE_STRESS,
        "next-turn",
        (("next-turn", _("next turn")), ("at-once", _("if the unit has not rolled yet"))),
        _("When Stress gained during the morale checks is rolled for."),
        "GT-A16",
    ),
    Reading(
        LOST_CHITS,
        "stay",
        (("stay", _("stay in the bag")), ("leave", _("leave the bag"))),
        _("What happens to the chits of units lost this turn."),
        "GT-A17",
    ),
    Reading(
        OBSCURED,
        "roll",
        (("roll", _("-1 on the roll")), ("dice", _("a die fewer"))),
        _("What each source of Obscured takes from an attack."),
        "GT-A18",
    ),
    Reading(
        OPPONENT_POINT,
        "minus-1",
        (("minus-1", "-1"), ("minus-2", "-2")),
        _("What a Tactical Point takes from the roll of an enemy under Stress."),
        "GT-A20",
    ),
    Reading(
        LOSER_STRESS,
        "yes",
        (("yes", _("as for any unit destroyed")), ("no", "nothing")),
        _("What friends near a unit feel that is removed for losing a melee."),
        "GT-A22",
    ),
    Reading(
        DISTANCE_DICE,
        "plain",
        (("plain", _("read as they fall")), ("rule-of-one", _("a natural 1 adds nothing"))),
        _("How the die of a charge or of Take that Ground is read."),
        "GT-A24",
    ),
    Reading(
        TOKENS_DISCARDED,
        "one",
        (("one", "one"), ("any", _("as many as it has, -1 for each"))),
        _("How many Stress tokens an attacker may discard before a saving roll."),
        "GT-A25",
    ),
    Reading(
        MOVED,
        "shortest",
        (("shortest", _("the shortest way into contact")), ("reach", _("all of its reach"))),
        _("How far a charger has moved when the defender asks whether to react."),
        "GT-A26",
    ),
    Reading(
        DISTANCE_POINTS,
        "one",
        (("one", "one"), ("none", "none")),
        _("Tactical Points paid for a bigger die of a charge or of Take that Ground."),
        "GT-A27",
    ),
    Reading(
        LEADER,
        "nominated",
        (("nominated", _("a model is nominated")), ("squads-only", _("only Squads keep to a leader"))),
        _("Whether a unit without a Squad Leader has to stay near a leader."),
        "GT-A28",
    ),
)


def chosen(content: HasReadings, key: str) -> str:
    """Return the reading of a rule that is in use. Raises KeyError for an unknown rule."""
    return choice(content, key, READINGS)
