"""Interpretations of A Trench Too Far: each question that its text leaves open and that changes a result, as a setting."""

from __future__ import annotations

from rules.custom.interpretations import HasReadings, Reading
from rules.custom.interpretations import choice as _choice
from rules.translation import gettext as _


def _reading(source: str, key: str, words: str, *options: tuple[str, str]) -> Reading:
    """Return a reading whose first option is its default."""
    return Reading(key=key, default=options[0][0], options=options, words=words, source=source)


READINGS = (
    _reading(
        "AT-A01", "shock-scope", _("Which attack dice are held against a platoon's Tolerance."),
        ("turn", _("All of the turn, added up")), ("attack", _("Those of one attack")),
    ),
    _reading(
        "AT-A02", "tolerance-bases", _("Which bases make up the Tolerance an attack is held against."),
        ("before", _("Those there when the attack is declared")), ("after", _("Those left after its losses")),
    ),
    _reading(
        "AT-A03", "assault-casualties", _("How the two bases that decide an assault are counted."),
        ("per-roll", _("In one roll")), ("in-all", _("Over the whole fight")),
    ),
    _reading(
        "AT-A04", "beaten-attacker", _("What happens to an attacker beaten by a counterattack."),
        ("shocked", _("Back 8 inches and Shocked, like a defender")), ("steady", _("Back 8 inches, not Shocked")),
    ),
    _reading(
        "AT-A05", "defend-save", _("What digging in on Defend does to the save."),
        ("floor", _("At least Prone, better positions stay")), ("prone", _("Prone, even in cover or trenches")),
    ),
    _reading(
        "AT-A06", "assault-bases", _("Which bases of an engaged platoon fight."),
        ("all", _("All of them")), ("touching", _("Those in contact")),
    ),
    _reading(
        "AT-A07", "shocked-assault", _("Whether a Shocked platoon may assault under Assault orders."),
        ("standard-rate", _("Yes, at its standard rate")), ("no", _("No, it only moves away")),
    ),
    _reading(
        "AT-A08", "team-shock", _("Whether a single weapons team can be Shocked by fire."),
        ("never", "No"), ("as-platoon", _("Yes, like a platoon")),
    ),
    _reading(
        "AT-A09", "disrupted-recover", _("Whether Shocked platoons of a Disrupted company test on Recover."),
        ("test", _("They do")), ("none", _("They do not")),
    ),
    _reading(
        "AT-A10", "leaderless-rally", _("What ends the Disruption of a company whose commander is dead."),
        ("replacement", _("Only a new commander")), ("rally", _("A rally at the end of the turn, too")),
    ),
    _reading(
        "AT-A11", "special-fire", _("Under which orders harassing and indirect fire are open."),
        ("fire", _("Fire only")), ("not-advance", _("Any that lets the team fire, except Advance")),
    ),
    _reading(
        "AT-A12", "heavy-infantry-advance", _("What Heavy infantry is spared on Advance."),
        ("all", _("Every limit on fire")), ("to-hit", _("The 6s alone")),
    ),
    _reading(
        "AT-A13", "tank-cascade", _("A second immobilisation of a tank that is Damaged already."),
        ("cascades", _("Counts as a second Damage: destroyed")), ("stops", _("Leaves it Damaged")),
    ),
    _reading(
        "AT-A14", "forced-order", _("Which forced order wins where both apply."),
        ("defend", _("Defend")), ("assault", _("Assault")),
    ),
    _reading(
        "AT-A14", "forced-assault-check", _("Whether a Disrupted company rolls for an Assault it is forced to."),
        ("rolls", _("It does")), ("none", _("It does not")),
    ),
    _reading(
        "AT-A15", "fall-back", _("How far a defender falls back that fails its test on being assaulted."),
        ("standard", _("Its standard rate")), ("march", _("Its March rate")),
    ),
    _reading(
        "AT-A16", "natural-faces", _("Whether a natural 1 or 6 settles a morale test or a tank's save."),
        ("plain", "No"), ("settle", _("A 1 fails, a 6 passes")),
    ),
    _reading(
        "AT-A17", "tied-initiative", _("What a tie for initiative means."),
        ("reroll", _("Both roll again")), ("tie", _("It stands: the players agree")),
    ),
    _reading("AT-A18", "recover-fire", _("Whether a company on Recover may fire."), ("none", "No"), ("fire", _("Yes"))),
    _reading(
        "AT-A19", "sniper-range", _("How far a sniper shoots."),
        ("sight", _("As far as is seen")), ("rifle", _("As far as a rifle")),
    ),
    _reading(
        "AT-A20", "shocked-melee", _("Whether Shocked troops need 6s in an assault, too."),
        ("plain", _("No, only when firing")), ("sixes", _("Yes")),
    ),
    _reading(
        "AT-A21", "aggressive-tolerance", _("Whether Aggressive adds to Tolerance as Stubborn does."),
        ("none", "No"), ("stubborn", _("Yes, 2")),
    ),
    _reading(
        "AT-A22", "aggressive-company", _("When a company counts as Aggressive."),
        ("most", _("More than half its platoons are")), ("any", _("One platoon is")), ("all", _("All platoons are")),
    ),
    _reading(
        "AT-A23", "officer-reach", _("Which platoons an Outstanding Officer helps."),
        ("in-command", _("Those within command distance")), ("company", _("All of the company")),
    ),
    _reading(
        "AT-A24", "harassing-close", _("Harassing fire at a target within normal range."),
        ("sixes", _("Still hits on 6s")), ("normal", _("Counts as normal fire")),
    ),
    _reading(
        "AT-A25", "remnant-quality", _("The quality of Remnants."),
        ("origin", _("That of the platoon they came from")), ("shaky", _("Shaky")),
    ),
    _reading(
        "AT-A27", "disrupted-this-turn", _("How long a Disruption rolled at activation lasts."),
        ("through-rally", _("Until after the rally")), ("until-rally", _("Until before the rally")),
    ),
    _reading(
        "AT-A28", "tank-attacks", _("How infantry's attacks at tanks are counted."),
        ("base", _("For each base")), ("platoon", _("For the platoon")),
    ),
    _reading(
        "AT-A29", "after-counterattack", _("What happens after a counterattack that does not decide the assault."),
        ("goes-on", _("The attacker rolls again until it is decided")), ("stops", _("The fight ends where it stands")),
    ),
    _reading(
        "AT-A32", "disruption-roll", _("Whether a company that is Disrupted already rolls for its Shocked platoons."),
        ("skipped", "No"), ("rolled", _("Yes")),
    ),
)  # fmt: skip
READING = {reading.key: reading for reading in READINGS}


def choice(content: HasReadings, key: str) -> str:
    """Return the chosen option of a reading. Raises KeyError for a reading that this game does not have."""
    return _choice(content, READING[key].key, READINGS)
