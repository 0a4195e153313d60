"""Activating a company: Disruption, forced orders, the order it takes, whether Defend sticks; marching and moving.

Source: core rules, "Company orders", "Movement", "Shock and Disruption", "Defend", "Unit traits".
"""

from __future__ import annotations

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.trench_too_far.charts import PRONE_INCHES, TEAMS, moves
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import DISRUPTED, FINE, ask, facts
from rules.trench_too_far.resolvers.inputs import (  # fmt: skip
    Company,
    Disruption,
    DisruptionCheck,
    EndActivation,
    March,
    Move,
    OneRoll,
    Order,
    OrderCheck,
    Platoon,
)

MUST_DEFEND, FREE = "must-defend", "free"
NEAR_ENEMY = 12
TANK_NEAR = 8
# Weapons of which one base is meant where no number is told.
ONE_BASE = (*TEAMS, "artillery", "tank-mg", "tank-cannon", "tank-gun-shell", "tank-gun-ap")


def disruption_check(content: HasReadings, data: DisruptionCheck, roller: Roller) -> Resolved:
    """The roll of a company with Shocked platoons when it is activated. Outcomes: disrupted, fine."""
    already = data.disrupted not in (False, "none")
    if already and choice(content, "disruption-roll") == "skipped":
        return Resolved(DISRUPTED, "It is Disrupted already.", effects=facts(disrupted=True, rolled_for=False))
    k = data.shocked_platoons
    if not k:
        outcome = DISRUPTED if already else FINE
        return Resolved(outcome, "No platoon is Shocked.", effects=facts(disrupted=already, rolled_for=False))
    roll = ask(roller, data.roll, "Disruption", k + 1)
    struck = roll <= k
    words = f"{roll} against {k} Shocked: {'Disrupted this turn' if struck else 'no Disruption'}."
    told = facts(disrupted=struck or already, shocked_platoons=k, **({"until": "this-turn"} if struck else {}))
    return Resolved(DISRUPTED if struck or already else FINE, words, (roll,), (roll,), roll, (), told)


def order_check(content: HasReadings, data: OrderCheck, roller: Roller) -> Resolved:
    """Whether a Disrupted company keeps its order. Outcome: the order it has."""
    if data.order == "advance" and data.advance_allowed is False:
        raise Refusal("This company may not Advance.", mend="Give it another order.", code="advance")
    disrupted = data.disrupted not in (False, "none")
    if not disrupted or data.order in ("defend", "recover"):
        why = "Defend and Recover stay open" if disrupted else "It is not Disrupted"
        return Resolved(
            data.order, f"{why}: {data.order.capitalize()}.", effects=facts(order=data.order, order_kept=True)
        )
    roll = ask(roller, data.roll, "Order of a Disrupted company", 4)
    kept = roll >= 4
    order = data.order if kept else "defend"
    words = f"{roll} against 4+: {data.order.capitalize() if kept else 'it falls back on Defend'}."
    return Resolved(order, words, (roll,), (roll,), roll, (), facts(order=order, order_kept=kept))


def is_aggressive(content: HasReadings, data: Company) -> bool:
    """Whether the company counts as Aggressive."""
    if data.aggressive is not None:
        return data.aggressive
    if isinstance(data.platoons, tuple):
        aggressive, whole = sum(each.has("aggressive") for each in data.platoons), len(data.platoons)
    else:
        aggressive, whole = data.aggressive_platoons or 0, data.platoons or 0
        if data.aggressive_platoons and not whole:
            raise Refusal("How many platoons has the company?", mend="Tell platoons.", code="input")
    if not aggressive:
        return False
    how = choice(content, "aggressive-company")
    return how == "any" or (aggressive == whole if how == "all" else 2 * aggressive > whole)


def _bases(data: Company) -> tuple[int, int]:
    """All bases, and those in trenches or cover."""
    if data.bases is not None or not isinstance(data.platoons, tuple):
        return data.bases or 0, data.bases_in_cover
    whole = covered = 0
    for each in data.platoons:
        count = base_count(each)
        whole += count
        covered += count if each.entrenched or each.in_building or each.position == "cover" else 0
    return whole, covered


def base_count(platoon: Platoon) -> int:
    """How many bases it has; 4 where nothing is told, 1 for a team."""
    if platoon.bases is None:
        return 1 if platoon.kind in TEAMS or platoon.weapon in ONE_BASE else 4
    if isinstance(platoon.bases, int):
        return platoon.bases
    return sum(base.count for base in platoon.bases)


def begin_activation(content: HasReadings, data: Company, roller: Roller) -> Resolved:
    """What order a company takes. Outcome: the order, or choose where none is named and none is forced.

    Dice: one for its Shocked platoons; one for the order of a Disrupted company.
    """
    if data.bases is not None and data.bases_in_cover > data.bases:
        raise Refusal("More bases are in cover than the company has.", mend="Count again.", code="input")
    shocked = data.shocked_platoons
    if shocked is None:
        shocked = sum(each.shocked for each in data.platoons) if isinstance(data.platoons, tuple) else 0
    whole = len(data.platoons) if isinstance(data.platoons, tuple) else data.platoons
    if whole is not None and shocked > whole:
        raise Refusal("More platoons are Shocked than the company has.", mend="Count again.", code="input")
    # A dead commander leaves the company Disrupted until he is replaced.
    already = data.disrupted not in (False, "none") or not data.commander_alive
    struck = disruption_check(
        content, DisruptionCheck(shocked_platoons=shocked, disrupted=already, roll=data.roll), roller
    )
    disrupted = struck.outcome == DISRUPTED
    bases, covered = _bases(data)
    sheltered = data.half_in_cover if data.half_in_cover is not None else bases > 0 and 2 * covered >= bases
    near = data.commander_near_enemy
    if near is None:
        near = data.commander_distance is not None and data.commander_distance <= NEAR_ENEMY
    near = near and data.commander_alive
    assault = is_aggressive(content, data) and near and not sheltered
    defend_first = choice(content, "forced-order") == "defend" or not assault
    forced: Order = "defend" if data.must_defend_next and defend_first else "assault" if assault else ""
    why = {
        "defend": "The last roll keeps it on Defend", "assault": "Aggressive, its commander within 12\" of the enemy",
    }.get(forced, "")  # fmt: skip
    modifiers = ((forced.capitalize(), why),) if forced else ()
    wanted: Order = forced or data.order
    told = facts(disrupted=disrupted, forced=forced or None)
    rolled = struck.rolled
    if not wanted:
        words = "The player names an order" + ("; other than Defend and Recover it takes a 4+." if disrupted else ".")
        return Resolved("choose", words, rolled, rolled, None, (), (*told, *facts(order=None)), (struck,))
    free = forced == "assault" and choice(content, "forced-assault-check") == "none"
    checked = order_check(
        content,
        OrderCheck(
            order=wanted, disrupted=disrupted and not free, advance_allowed=data.advance_allowed, roll=data.order_roll
        ),
        roller,
    )
    rolled += checked.rolled
    return Resolved(
        checked.outcome, " ".join(part for part in (struck.told, f"{why}." if why else "", checked.told) if part),
        rolled, rolled, checked.total if checked.rolled else struck.total, modifiers, (*told, *checked.effects), (struck, checked),
    )  # fmt: skip


def end_activation(content: HasReadings, data: EndActivation, roller: Roller) -> Resolved:
    """Whether a company is held to Defend in the next turn. Outcomes: must-defend, free."""
    if data.order != "defend":
        return Resolved(FREE, "Only a company on Defend rolls.", effects=facts(must_defend_next=False))
    roll = ask(roller, data.roll, "Does Defend stick", 2)
    stuck = roll == 1
    words = f"{roll}: " + ("it must take Defend next turn." if stuck else "it may take any order next turn.")
    return Resolved(MUST_DEFEND if stuck else FREE, words, (roll,), (roll,), roll, (), facts(must_defend_next=stuck))


def disruption(content: HasReadings, data: Disruption, roller: Roller) -> Resolved:
    """What a cause does to a company. Outcomes: disrupted, fine; `until`: replaced, rallied, this-turn."""
    if data.cause == "shocked-platoons":
        return disruption_check(
            content, DisruptionCheck(shocked_platoons=data.shocked_platoons, roll=data.roll), roller
        )
    if data.cause in ("commander-killed", "heavy-artillery", "gas"):
        until = "replaced" if data.cause == "commander-killed" else "rallied"
        words = "Disrupted until the commander is replaced." if until == "replaced" else "Disrupted until it rallies."
        return Resolved(DISRUPTED, words, effects=facts(disrupted=True, until=until))
    if data.cause == "light-artillery":
        return Resolved(FINE, "Only medium and heavy guns disrupt.", effects=facts(disrupted=False))
    if data.cause == "tank-attack" and data.distance > TANK_NEAR:
        return Resolved(FINE, 'A tank farther than 8" does not disrupt.', effects=facts(disrupted=False))
    roll = ask(roller, data.roll, "Disruption", 5)
    struck = roll >= 5
    words = f"{roll} against 5+: {'Disrupted until it rallies' if struck else 'no Disruption'}."
    told = facts(disrupted=struck, **({"until": "rallied"} if struck else {}))
    return Resolved(DISRUPTED if struck else FINE, words, (roll,), (roll,), roll, (), told)


def identify_team(content: HasReadings, data: OneRoll, roller: Roller) -> Resolved:
    """Whether a weapons team behind closer targets may be fired at. Outcomes: not-identified, identified."""
    roll = ask(roller, data.roll, "Identification", 4)
    found = roll >= 4
    words = f"{roll} against 4+: " + (
        "it may be fired at." if found else "the fire goes at the closest target in sight."
    )
    return Resolved(
        "identified" if found else "not-identified", words, (roll,), (roll,), roll, (),
        facts(identified=found, target="team" if found else "closest"),
    )  # fmt: skip


def march(content: HasReadings, data: March, roller: Roller) -> Resolved:
    """Whether a platoon may march, and how far. Outcomes: no-march, march; `total` is the rate, its standard one where it may not."""
    rate = moves(data.kind)
    why = ""
    if data.kind == "tank":
        raise Refusal("Tanks have their own movement and no march.", mend="Use movement.", code="input")
    if data.order != "move":
        why = "marching takes Move orders"
    elif data.nearest_enemy is not None and data.nearest_enemy <= NEAR_ENEMY:
        why = 'an enemy is within 12"'
    elif data.shocked or data.stranded or data.prone:
        why = "it is " + ("Shocked" if data.shocked else "stranded" if data.stranded else "prone")
    inches = rate.standard_inches if why else rate.march_inches
    words = f"No march: {why}." if why else f'It may march {inches:g}".'
    return Resolved(
        "no-march" if why else "march", words, total=int(inches),
        effects=facts(may_march=not why, rate=inches, march_rate=rate.march_inches),
    )  # fmt: skip


def movement(content: HasReadings, data: Move, roller: Roller) -> Resolved:
    """How far a platoon may go. Outcomes: stays, moves; `total` in inches."""
    kind = "rifle" if data.kind == "cavalry" and data.dismounted else data.kind
    if kind == "tank":
        return _tank_movement(data)
    rate = moves(kind)
    inches, why = rate.standard_inches, ""
    if data.how == "infiltration":
        if "infiltration" not in data.traits:
            why = "only infiltrators move after deployment"
        inches = 2 * rate.standard_inches
    elif data.how == "prone":
        why = "mounted cavalry does not go prone" if kind == "cavalry" else ""
        if "close-order" in data.traits:
            why = "Close order goes prone only by Defend"
        inches = PRONE_INCHES
    elif data.how == "march":
        done = march(
            content,
            March(
                kind=kind,
                order=data.order,
                nearest_enemy=data.nearest_enemy,
                shocked=data.shocked,
                stranded=data.stranded,
            ),
            roller,
        )
        why = done.told.removeprefix("No march: ").rstrip(".") if done.outcome == "no-march" else ""
        inches = rate.march_inches
    elif data.how == "retreat":
        why = "" if data.order == "move" else "a retreat takes Move orders"
        inches = rate.march_inches
    elif data.how == "assault" or data.order == "assault":
        no = data.shocked and choice(content, "shocked-assault") == "no"
        why = "Shocked, it only moves away" if no else ""
        inches = rate.standard_inches if data.shocked else rate.march_inches
        if data.how == "assault" and data.order != "assault":
            why = "this takes Assault orders"
    if not why and data.how in ("standard", "prone"):
        raider = "raider" in data.traits and data.order == "fire"
        why = {
            "defend": "on Defend nobody moves", "recover": "on Recover it only relocates 2\"",
        }.get(data.order, "")  # fmt: skip
        if data.order == "fire" and not raider:
            return _moved(inches, "On Fire, one platoon and one weapons team may move instead of firing.", True)
    if why:
        return Resolved("stays", f"It stays: {why}.", total=0, effects=facts(inches=0, reason=why))
    words = {
        "retreat": "straight away from the enemy", "infiltration": "after deployment", "prone": "prone",
    }.get(data.how, "straight away from all enemies it sees" if data.shocked and data.order != "assault" else "")  # fmt: skip
    return _moved(inches, f'It may move {inches:g}" {words}'.strip() + ".", False)


def _moved(inches: float, words: str, instead: bool) -> Resolved:
    return Resolved("moves", words, total=int(inches), effects=facts(inches=inches, instead_of_firing=instead))


def _tank_movement(data: Move) -> Resolved:
    if data.immobilised:
        return Resolved("stays", "It is immobilised.", total=0, effects=facts(inches=0, reason="immobilised"))
    if data.how != "standard":
        raise Refusal("Tanks move at their own score and no faster.", mend="Ask for a standard move.", code="input")
    if data.movement is None:
        raise Refusal("A tank has a movement score of its own.", mend="Tell movement, 4 to 12.", code="input")
    return _moved(data.movement, f'It may move {data.movement:g}".', False)
