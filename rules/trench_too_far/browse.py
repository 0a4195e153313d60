"""The rules pages of A Trench Too Far: its terms in our own words, its quick reference as tables, the readings.

Source: A Trench Too Far core rules.
"""

from __future__ import annotations

from rules.custom.browse import CustomGameBook, Term
from rules.custom.content import CustomContent
from rules.translation import gettext as _
from rules.trench_too_far.interpretations import READINGS
from rules.trench_too_far.reference import reference_parts

SOURCE = "A Trench Too Far, core rules"

TERMS = (
    Term("order", "Move", _("Platoons move or march; one platoon and one team may stay and fire.")),
    Term("order", "Fire", _("Platoons fire from where they stand, teams with their special modes; one of each may move instead.")),
    Term("order", "Assault", _("Platoons close with the enemy at the rate of a march; the others cover them.")),
    Term("order", "Advance", _("Moving and firing in one, on sixes, and only for companies that know how.")),
    Term("order", "Defend", _("No movement; all are at least Prone and harder to shock. It may last into the next turn.")),
    Term("order", "Recover", _("The Shocked test, a commander is replaced, Disruption ends, remnants gather.")),
    Term("troops", "Infantry", _("The common platoon of rifles."), also=("Rifle platoon",)),
    Term("troops", "Militia", _("Short of range, no danger to vehicles, and its lost bases do not come back.")),
    Term("troops", "Heavy infantry", _("Two dice a base near by, and Advance costs its fire nothing.")),
    Term("troops", "Assault troops", _("One die more for each base in an assault.")),
    Term("troops", "Cavalry", _("Fast, two dice a base in an assault; it may dismount for good.")),
    Term("troops", "Engineers", _("Hit on 4+ in an assault, and harder on tanks.")),
    Term("troops", "Remnant", _("Bases gathered on Recover from lost ones: Militia in every way, and always at least Prone.")),
    Term("troops", "Weapons team", _("One base that serves one heavy or special weapon."), also=("Team",)),
    Term("troops", "Tank platoon", _("One to four vehicles, each with its own class, movement and reliability.")),
    Term("troops", "Company", _("A commander with what he leads; platoons stay within 12″ of him.")),
    Term("trait", "Aggressive", _("Tests as Stubborn when it assaults or is assaulted; a company of such platoons may have to.")),
    Term("trait", "Close order", _("Bases touch: no save in the open, steadier in an assault, and it may shrug Shock off.")),
    Term("trait", "Light infantry", _("Spread up to 4″ between bases and 18″ from the commander.")),
    Term("trait", "Infiltration", _("One double move after everybody has deployed.")),
    Term("trait", "Raider", _("Moves in full and fires as usual under Move, Fire or Advance.")),
    Term("trait", "Rifle Drill", _("On Fire a die more, two at full strength.")),
    Term("trait", "Veteran", _("One more Tolerance, and a die more for each base in an assault.")),
    Term("trait", "Scouts", _("Always at least Prone.")),
    Term("state", "Shocked", _("Moves only away, fires at the closest on sixes, until it recovers.")),
    Term("state", "Disrupted", _("The company's orders but Defend and Recover need 4+, and its platoons do not rally by themselves.")),
    Term("state", "Stranded", _("Out of touch with its bases or its commander: it may only come back, or fire at the closest.")),
    Term("state", "Fresh", _("Has lost no base yet, and goes into an assault without a test.")),
    Term("state", "Immobilised", _("A vehicle that cannot move until repaired.")),
    Term("rule-term", "Tolerance", _("How many attack dice a platoon bears before it is Shocked.")),
    Term("rule-term", "Quality", _("Shaky, Uncertain, Steady, Determined or Stubborn: what a platoon tests on.")),
    Term("rule-term", "Outstanding Officer", _("A commander who adds to Tolerance and to assaults.")),
    Term("rule-term", "Harassing fire", _("A machine gun at long reach over its own infantry, on sixes.")),
    Term("rule-term", "Indirect fire", _("Mortars and guns at what they do not see, from half their range on.")),
    Term("rule-term", "Reliability", _("What a vehicle that moves rolls for from the third turn on.")),
    Term("rule-term", "Attached stand", _("A base that goes with a platoon on top of its squads.")),
)  # fmt: skip


def book_of(content: CustomContent) -> CustomGameBook:
    """Return the content of the rules pages under the chosen readings. It is built once per content."""
    kept = content.cache.get("book")
    if not isinstance(kept, CustomGameBook):
        kept = CustomGameBook(TERMS, reference_parts(content), READINGS, SOURCE)
        content.cache["book"] = kept
    return kept
