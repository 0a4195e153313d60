"""The rules pages of Gloom Trench 1926: a glossary in our own words, the quick reference as tables, and the readings.

Source: Gloom Trench 1926 core rules.
"""

from __future__ import annotations

from rules.custom.browse import CustomGameBook, Term
from rules.custom.content import CustomContent
from rules.gloom_trench.interpretations import READINGS
from rules.gloom_trench.reference import reference_parts
from rules.translation import gettext as _

SOURCE = "Gloom Trench 1926, core rules"

TERMS = (
    Term("phase", "Tactical Phase", _("Opens each turn: effects, morale, the Tactical Pool, the bag, the initiative.")),
    Term("phase", "Activations Phase", _("Chits are drawn one by one; each lets its side act with a unit, until the third Fog.")),
    Term("phase", "Turn End", _("Effects end, points left in the pool are rolled for, and the table is tidied.")),
    Term("action", "Advance", _("A move of 5 MU with shooting before or after it, at −1.")),
    Term("action", "Take that Ground", _("A move of 5 MU and a D6 more, and no shot.")),
    Term("action", "Charge", _("5 MU and a D6 towards the closest enemy in sight. With a model within 2 MU, a melee follows.")),
    Term("action", "Open Up", _("Shooting from where the unit stands, without a malus for moving.")),
    Term("action", "Dig In", _("Saves gain +1 until the unit acts again. Orders may only come before it."), also=("Dug In",)),
    Term("action", "Rally", _("A die for each token of Stress; each success takes one off. It needs no Stress Test.")),
    Term("action", "Do Nothing", _("The unit stays as it is.")),
    Term("action", "Brace for Melee", _("For a point, a charged unit takes the charger's +1 away."), also=("Brace",)),
    Term("action", "Hold and Shoot", _("For a point, a charged unit shoots at the charger first, with D6s.")),
    Term("keyword", "Squad", _("Two models or more, one of them a Squad Leader.")),
    Term("keyword", "Squad Leader", _("Leads the squad: ranges are measured from him, and Unit Orders go through him.")),
    Term("keyword", "Commander", _("Brings a point to the pool each turn, and may lend Unit Orders as far as his Tactics reach.")),
    Term("keyword", "Small Unit", _("Harder to hit by shooting. One or two models are one in any case.")),
    Term("keyword", "Tactics", _("How far from a Commander friendly units may use their Unit Orders.")),
    Term("keyword", "Obscured", _("Shots at it take −1 for each source of another name."), also=("Obscuring",)),
    Term("keyword", "Formation", _("How a force is made up; it may add points to the pool at the start.")),
    Term("order", "Unit Order", _("What a unit may do for a Tactical Point, before or after its action.")),
    Term("state", "Stress", _("Tokens of fear. More of them than Command, and the unit tests before it acts.")),
    Term("state", "Stress Test", _("A D8 with Command added and Stress taken off: 5 or more, or the activation is over.")),
    Term("state", "Coherency", _("Every model within 2 MU of a comrade and 6 MU of the leader. Without it, a unit must Advance.")),
    Term("state", "Morale", _("In the Tactical Phase a die for each token; a natural 1 costs a model.")),
    Term("state", "Destroyed", _("No model left, or removed for losing a melee; friends close by take Stress.")),
    Term("rule-term", "Command", _("How well a unit is led. The highest in the force gives the points at the start and the initiative dice.")),
    Term("rule-term", "Tactical Point", _("Buys a bigger die, an order, a longer charge, or a reaction to one."), also=("Tactical Pool", "TP")),
    Term("rule-term", "Chit", _("One in the bag for each unit, and one more for the side with the initiative."), also=("Activation Bag",)),
    Term("rule-term", "Fog of War", _("Three chits of nobody's. The third one drawn ends the phase."), also=("Fog",)),
    Term("rule-term", "Initiative", _("Command in D6s against the opponent's; it adds a chit to the bag.")),
    Term("rule-term", "Target Number", _("Five, always; a natural 1 always fails.")),
    Term("rule-term", "Dice modifier", _("d+1 or d−1: the die grows or shrinks a step, and what is left over is added to the roll.")),
    Term("rule-term", "MU", _("The measure of all distances: an inch at 28 mm, a centimetre at 15 mm."), also=("Measurement unit",)),
    Term("rule-term", "Light cover", _("The target is Obscured.")),
    Term("rule-term", "Heavy cover", _("The target is Obscured and shots take −1; in melee it saves at +1.")),
    Term("rule-term", "Solid cover", _("Shots take −1 and saves have a bigger die. In melee, rolls against it take −1 and it saves at +1.")),
)  # fmt: skip


def book_of(content: CustomContent) -> CustomGameBook:
    """Return the content of these pages, under the readings of the content. Cached with the content."""
    kept = content.cache.get("book")
    if not isinstance(kept, CustomGameBook):
        parts = reference_parts(content, lambda far: f"{far:g}\u00a0MU")
        kept = content.cache["book"] = CustomGameBook(TERMS, parts, READINGS, SOURCE)
    return kept
