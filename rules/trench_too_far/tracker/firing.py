"""Fire at the table: who fires at whom, how far, what falls, what it leaves on both; and making out a weapons team.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Shock and Disruption", "Tanks: Firing".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, RollKind
from rules.tracker.state import TableFighter, TableState
from rules.trench_too_far.charts import WEAPON
from rules.trench_too_far.force import ATTACHED, COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import TroopOdds
from rules.trench_too_far.resolvers.fire import aim
from rules.trench_too_far.resolvers.targets import special_orders
from rules.trench_too_far.tracker.allowed import barred_fire
from rules.trench_too_far.tracker.move import TooFarMove, fighter_in, number, percent, ticked, told, worked_out
from rules.trench_too_far.tracker.units import (
    FIRE,
    bases,
    firing,
    is_heavy,
    is_platoon,
    kind_of,
    leader_of,
    now,
    order_of,
    parts_of,
    platoon_of,
    taken_off,
    tanks_of,
    type_of,
    weapons_of,
)

MOST_INCHES = 60
NOT_CLOSEST, CLOSEST = "0", "1"
POSITIONS = (
    ("", "As shown"), ("dispersed", "In the open"), ("cover", "In cover"), ("entrenched", "In trenches"),
)  # fmt: skip


def may_fire_at(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    """The enemies on the table."""
    return tuple(
        each.key for each in state.fighters
        if each.side != fighter.side and each.there and bases(each) and not each.out
    )  # fmt: skip


def may_fire(content: HasReadings, state: TableState) -> tuple[str, ...]:
    """Whoever may fire now."""
    return tuple(each.key for each in state.fighters if each.fights and not barred_fire(content, state, each))


def _named(state: TableState, data: Mapping[str, str], name: str) -> TableFighter | None:
    key = data.get(name, "")
    return next((each for each in state.fighters if each.key == key), None)


def _ids(fighter: TableFighter) -> set[str]:
    return {str(weapon.get("id")) for weapon in weapons_of(fighter)}


class FireMove(TooFarMove):
    """Fire of one unit at another, in one act."""

    id, label = "fire", "Fire"
    words = "Attack dice, saves, bases lost, fire taken against Tolerance: all of it falls here."
    dice_words = "the attack dice, then a D6 for each hit that may be saved"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        found = [Asks("fighter", "Who fires", "mine", only=may_fire(content, state) or ("-",), leads=True)]
        firer = _named(state, data, "fighter")
        if firer is None:
            return tuple(found)
        # What is asked hangs on the enemies there are, not on the one chosen: nothing typed in is lost to a form drawn anew.
        foes = [state.fighter(key) for key in may_fire_at(state, firer)]
        found.append(Asks("target", "At whom", "foe", only=tuple(each.key for each in foes) or ("-",)))
        found.append(Asks("distance", "How far, in inches", "number", 0, MOST_INCHES))
        if any(kind_of(each) != TANKS for each in foes):
            found.append(Asks("position", "Where the target is", "option", options=POSITIONS))
        found.append(
            Asks(
                "closest",
                "It is the closest enemy",
                "option",
                options=((CLOSEST, "Yes"), (NOT_CLOSEST, "No, another one is nearer")),
                usual=CLOSEST,
            )
        )
        if bases(firer) > 1 and kind_of(firer) != TANKS:
            found.append(Asks("count", "Bases that fire", "number", 1, bases(firer), usual=str(bases(firer))))
        if any(len(parts_of(each)) > 1 for each in foes):
            found.append(
                Asks(
                    "first",
                    "Nearest to the firer",
                    "option",
                    options=(("", "Its squads"), (ATTACHED, "What is attached to it")),
                )
            )
        if firer.facts.get("type") != "sniper":
            found.append(Asks("near", 'The nearest enemy is within 8"'))
        order = order_of(leader_of(state, firer))
        if special_orders(content, order):
            if "hmg" in _ids(firer):
                found.append(Asks("harassing", 'Harassing fire, up to 30" and over friends: hits on 6'))
            if any(WEAPON[each].indirect for each in _ids(firer) if each in WEAPON):
                found.append(Asks("indirect", "Indirect: it does not see its target"))
                if any(each.facts.get("position") == "cover" for each in foes):
                    found.append(Asks("overhead", "Its cover protects from above"))
        if any(each.facts.get("position") == "entrenched" for each in foes):
            found.append(Asks("flank", "In trenches, with an enemy to its flank or rear"))
        return tuple(found)

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        plain = super().kind(content, state, data)
        if not data.get("target") or not data.get("fighter"):
            return plain
        try:
            return self._told(content, state, data, plain)
        except Refusal as refusal:
            return RollKind(
                plain.id, plain.label, plain.words, plain.asks, plain.dice_words, odds_words=refusal.message
            )

    def _told(self, content: HasReadings, state: TableState, data: Mapping[str, str], plain: RollKind) -> RollKind:
        """The form with the exact odds, and what makes them."""
        measured = {**data, "distance": data.get("distance") or "0"}
        rule, given = self._asked(content, state, measured)
        odds = rules.odds(content, rule, given)
        shares = odds.outcomes
        reckoned: tuple[str, ...] = ()
        if rule == "tank-fire":
            words = ", ".join(f"{name.replace('-', ' ')} {percent(share)}" for name, share in shares.items())
        else:
            target = state.fighter(data["target"])
            lost = [(int(name), share) for name, share in shares.items()]
            words = ", ".join(f"{count} lost {percent(share)}" for count, share in lost if count < 4)
            rest = sum((share for count, share in lost if count > 3), Fraction(0))
            words += f", 4 or more {percent(rest)}" if rest else ""
            also = odds.also if isinstance(odds, TroopOdds) else {}
            words += f"; Shocked {percent(also['shocked'])}" if also.get("shocked") else ""
            words += f"; jams {percent(also['jammed'])}" if also.get("jammed") else ""
            dice = worked_out(
                content,
                "fire-dice",
                {"platoon": given["platoon"], "distance": given["distance"], "harassing": given["harassing"]},
            )
            aimed = aim(content, rules.RULES["fire"].read(given))
            reckoned = (
                dice.told,
                *(_cause(what, why) for what, why in dict.fromkeys((*dice.modifiers, *aimed.modifiers))),
                *(self._against(content, state, target)),
            )
        if not data.get("distance"):
            words = f"{words} (not measured yet)"
        return RollKind(
            plain.id, plain.label, plain.words, plain.asks, plain.dice_words, reckoned=reckoned, odds_words=f"{words}."
        )

    def _against(self, content: HasReadings, state: TableState, target: TableFighter) -> tuple[str, ...]:
        if kind_of(target) != "platoon":
            return ()
        return (worked_out(content, "tolerance", {"platoon": told(platoon_of(state, target))}).told,)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return barred_fire(content, state, state.fighter(whose)) if whose else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer = fighter_in(state, data)
        self.refuse(content, state, firer.key)
        if not str(data.get("distance", "")).strip():
            raise Refusal(
                "The distance is not measured yet.", mend="Tell it in inches; half inches go up.", code="distance"
            )
        rule, given = self._asked(content, state, data)
        self._refuse_illegal(content, state, firer, fighter_in(state, data, "target"), data)
        if rule == "fire" and not worked_out(
            content, "fire-dice", {"platoon": given["platoon"], "distance": given["distance"], "harassing": given["harassing"]}
        ).total:  # fmt: skip
            raise Refusal(
                f"No weapon of {firer.name} reaches that far.",
                mend="Measure again, or name another target.",
                code="range",
            )
        return rule, given

    def _asked(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        if target.key not in may_fire_at(state, firer):
            raise Refusal(f"{target.name} is no target.", mend="Name an enemy on the table.", code="target")
        distance, harassing = number(data, "distance"), ticked(data, "harassing")
        count = number(data, "count", bases(firer)) if kind_of(firer) != TANKS else None
        at_tanks = kind_of(target) == TANKS
        platoon = firing(state, firer, distance, at_tanks=at_tanks, harassing=harassing, count=count)
        if not platoon.bases:
            what = "vehicles" if at_tanks else "troops"
            raise Refusal(f"{firer.name} has nothing that hurts {what}.", mend="Name another target.", code="target")
        if at_tanks:
            given = {
                "platoon": told(platoon),
                "tanks": [told(tank) for _, tank in tanks_of(target)],
                "distance": distance,
            }
            return "tank-fire", given
        told_position = data.get("position", "")
        where = {"position": told_position} if told_position in dict(POSITIONS) and told_position else {}
        aimed = platoon_of(state, target, enemy_to_flank_or_rear=ticked(data, "flank"), **where)
        return "fire", {
            "platoon": told(platoon), "target": told(aimed), "distance": distance, "harassing": harassing,
            "indirect": ticked(data, "indirect"), "overhead": ticked(data, "overhead"),
        }  # fmt: skip

    def _refuse_illegal(
        self,
        content: HasReadings,
        state: TableState,
        firer: TableFighter,
        target: TableFighter,
        data: Mapping[str, str],
    ) -> None:
        """Raise Refusal for a target that may not be fired at, whatever the distance to each weapon."""
        closest = data.get("closest", CLOSEST) != NOT_CLOSEST
        known = firer.facts.get("identified") == f"{state.turn}:{target.key}"
        missed = firer.facts.get("unidentified") == f"{state.turn}:{target.key}"
        given = {
            "order": order_of(leader_of(state, firer)), "type": type_of(firer), "traits": list(firer.facts.get("traits", ())),
            "closest": closest, "enemies_within_8": ticked(data, "near"), "heavy_team": is_heavy(target), "vehicle": False,
            "shocked": bool(firer.facts.get("shocked")), "stranded": bool(firer.facts.get("stranded")), "harassing": ticked(data, "harassing"),
            "indirect": False, "sniper": firer.facts.get("type") == "sniper",
            **({"identified": known} if known or missed else {}),
        }  # fmt: skip
        if given["harassing"]:
            given["weapon"] = "hmg"
        if given["type"] in ("tank", "anti-tank-rifle"):
            given["type"] = "rifle"
        found = worked_out(content, "legal-target", given)
        if found.outcome == "identify":
            raise Refusal(
                f"{target.name} is a weapons team behind nearer enemies, and not made out yet.",
                mend="Roll to make it out first (4+).",
                code="identify",
            )
        if found.outcome == "illegal":
            raise Refusal(found.told, mend="Name another target.", code="target")
        if now(state, firer, "failed") and number(data, "distance") > 8:
            raise Refusal(
                'After refusing to assault it fires within 8" only.', mend="Name a nearer target.", code="target"
            )

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        facts: dict[str, Any] = {"fired": state.turn}
        mine = Effect(fighter=firer.key, facts=facts)
        head = f'{firer.name} fires at {target.name}, {number(data, "distance")}": '
        if kind_of(target) == TANKS:
            words, theirs = tank_effect(state, target, found, firer.side)
            return self.act(head + words, fighter=firer, effects=(mine, *theirs))
        lost = int(found.effect("bases_lost") or 0)
        attached = next((part["id"] for part in reversed(parts_of(target)) if len(parts_of(target)) > 1), "")
        markers = taken_off(target, lost, attached if data.get("first") == ATTACHED else "")
        theirs_facts: dict[str, Any] = {"by": firer.side} if lost else {}
        words = found.told
        if kind_of(target) == "platoon":
            counted = int(found.effect("counted") or 0)
            if counted:
                markers[FIRE] = counted
            if _ids(firer) & {"trench-mortar", "field-artillery"}:
                theirs_facts["indirect"] = state.turn
        if (found.effect("shocked") and is_platoon(target) and not target.facts.get("shocked")) or (
            found.effect("shocked") and kind_of(target) == "team" and choice(content, "team-shock") != "never"
        ):
            theirs_facts["shocked"] = True
        if lost >= bases(target):
            words += f" {_end_words(state, target)}"
        jammed = int(found.effect("hmgs_jammed") or 0)
        if jammed:
            hmg = next((part["id"] for part in parts_of(firer) if part["weapon"].get("id") == "hmg"), "")
            mine = Effect(fighter=firer.key, facts={**facts, "by": ""}, markers=taken_off(firer, jammed, hmg))
        return self.act(
            head + words, fighter=firer, effects=(mine, Effect(fighter=target.key, markers=markers, facts=theirs_facts))
        )


def _cause(what: str, why: str) -> str:
    return f"saves on {what}: {why}" if what[:1].isdigit() else f"{what}: {why}"


def _end_words(state: TableState, target: TableFighter) -> str:
    return (
        f"The commander of {target.name} is dead: Disrupted."
        if kind_of(target) == COMPANY
        else f"{target.name} is gone."
    )


def tank_effect(state: TableState, target: TableFighter, found: Resolved, by: str) -> tuple[str, tuple[Effect, ...]]:
    """What befell vehicles, in words and as effects: any damage shocks their platoon."""
    standing = tanks_of(target)
    facts: dict[str, Any] = {}
    hurt = []
    for (place, before), after in zip(standing, found.state.get("tanks", ()), strict=False):
        how = "x" if after["destroyed"] else ("i" if after["immobilised"] else "") + ("d" if after["damaged"] else "")
        was = ("i" if before.immobilised else "") + ("d" if before.damaged else "")
        if how != was:
            facts[f"v{place}"] = how
            hurt.append(f"{target.facts['vehicles'][place]['name']} {str(after['state']).replace('-', ' ')}")
    if not facts:
        return found.told, ()
    words = f"{found.told} {'; '.join(hurt)}."
    return words, (Effect(fighter=target.key, facts={**facts, "shocked": True, "by": by}),)


class Identify(TooFarMove):
    """A weapons team behind nearer enemies is made out, or not."""

    id, label = "identify", "Make out a team"
    words = "A weapons team that is not the closest enemy is made out on a 4+ (1 in 2); else the fire goes at the closest in sight."
    dice_words = "a D6"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        teams = tuple(each.key for each in state.fighters if each.fights and is_heavy(each))
        return (
            Asks("fighter", "Who fires", "mine", only=may_fire(content, state) or ("-",)), Asks("target", "Which team", "foe", only=teams or ("-",)),
        )  # fmt: skip

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return barred_fire(content, state, state.fighter(whose)) if whose else ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        self.refuse(content, state, firer.key)
        if not is_heavy(target) or target.side == firer.side or not target.fights:
            raise Refusal(f"{target.name} is no enemy weapons team.", mend="Name one.", code="target")
        if firer.facts.get("identified") == f"{state.turn}:{target.key}":
            raise Refusal(f"{target.name} is made out.", mend="Fire at it.", code="done")
        if firer.facts.get("unidentified") == f"{state.turn}:{target.key}":
            raise Refusal(
                f"{firer.name} has looked for {target.name} this turn.", mend="Fire at the closest.", code="done"
            )
        return "identify-team", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        fact = "identified" if found.outcome == "identified" else "unidentified"
        effect = Effect(fighter=firer.key, facts={fact: f"{state.turn}:{target.key}"})
        return self.act(f"{firer.name} looks for {target.name}: {found.told}", fighter=firer, effects=(effect,))


FIRE_PLAYS = (FireMove(), Identify())
