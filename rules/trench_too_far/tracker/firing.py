"""Fire at the table: who fires at whom and how far, what is lost, what happens to both units; and identifying a weapons team.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Shock and Disruption", "Tanks: Firing".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, RollKind, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.charts import WEAPON
from rules.trench_too_far.force import ATTACHED, COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import TroopOdds
from rules.trench_too_far.resolvers.fire import aim
from rules.trench_too_far.resolvers.targets import CLOSE_INCHES, special_orders
from rules.trench_too_far.tracker.allowed import barred_fire
from rules.trench_too_far.tracker.move import UnitMove, fighter_in, named, number, percent, told, worked_out
from rules.trench_too_far.tracker.units import (
    FIRE,
    GONE,
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
    vehicle_state,
    weapons_of,
)

MOST_INCHES = 60
NOT_CLOSEST, CLOSEST = "0", "1"
CLOSEST_OPTIONS = ((CLOSEST, "Yes"), (NOT_CLOSEST, "No, another one is nearer"))
FIRST_OPTIONS = (("", "Its squads"), (ATTACHED, "What is attached to it"))
BESIDE = {"shocked": "Shocked", "jammed": "jams"}
LOOKED = (("identified", True), ("unidentified", False))
POSITIONS = (
    ("", "As shown"), ("dispersed", "In the open"), ("cover", "In cover"), ("entrenched", "In trenches"),
)  # fmt: skip


def may_fire_at(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    return tuple(
        each.key for each in state.fighters
        if each.side != fighter.side and each.there and bases(each) and not each.out
    )  # fmt: skip


def may_fire(content: HasReadings, state: TableState) -> tuple[str, ...]:
    return tuple(each.key for each in state.fighters if each.fights and not barred_fire(content, state, each))


def _weapon_ids(fighter: TableFighter) -> set[str]:
    return {str(weapon.get("id")) for weapon in weapons_of(fighter)}


class FireMove(UnitMove):
    id, label = "fire", "Fire"
    words = gettext("Attack dice, saves, bases lost, fire taken against Tolerance: all of it falls here.")
    dice_words = "the attack dice, then a D6 for each hit that may be saved"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        who = Asks("fighter", "Who fires", "mine", only=may_fire(content, state) or ("-",), leads=True)
        firer = named(state, data)
        return (who, *_questions(content, state, firer)) if firer is not None else (who,)

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        form = super().kind(content, state, data)
        if not data.get("target") or not data.get("fighter"):
            return form
        try:
            odds, reckoned = self._forecast(content, state, data)
        except Refusal as refusal:
            return replace(form, odds_words=refusal.message)
        unmeasured = "" if data.get("distance") else " (not measured yet)"
        return replace(form, reckoned=reckoned, odds_words=f"{odds}{unmeasured}.")

    def _forecast(
        self, content: HasReadings, state: TableState, data: Mapping[str, str]
    ) -> tuple[str, tuple[str, ...]]:
        """Return the exact odds, and the figures they come from."""
        rule, given = self._input(content, state, {**data, "distance": data.get("distance") or "0"})
        odds = rules.odds(content, rule, given)
        if rule == "tank-fire":
            return ", ".join(f"{name.replace('-', ' ')} {percent(share)}" for name, share in odds.outcomes.items()), ()
        dice = _fire_dice(content, given)
        aimed = aim(content, rules.RULES["fire"].read(given))
        target = platoon_of(state, state.fighter(data["target"]))
        against = kind_of(state.fighter(data["target"])) == "platoon"
        reckoned = (
            dice.told,
            *(_cause(what, reason) for what, reason in dict.fromkeys((*dice.modifiers, *aimed.modifiers))),
            *((worked_out(content, "tolerance", {"platoon": told(target)}).told,) if against else ()),
        )
        return _losses_text(odds), reckoned

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_fire(content, state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer = self.able(content, state, data)
        if not str(data.get("distance", "")).strip():
            raise Refusal(
                gettext("The distance is not measured yet."),
                mend=gettext("Give it in inches; half inches are rounded up."),
                code="distance",
            )
        rule, given = self._input(content, state, data)
        self._refuse_illegal(content, state, firer, fighter_in(state, data, "target"), data)
        if rule == "fire" and not _fire_dice(content, given).total:
            raise Refusal(
                gettext("No weapon of {name} reaches that far.").format(name=firer.name),
                mend=gettext("Measure again, or name another target."),
                code="range",
            )
        return rule, given

    def _input(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """Return the rule and its input. Raises Refusal if the target cannot be fired at."""
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        if target.key not in may_fire_at(state, firer):
            raise Refusal(
                gettext("{name} is no target.").format(name=target.name),
                mend=gettext("Name an enemy on the table."),
                code="target",
            )
        distance, harassing = number(data, "distance"), ticked(data, "harassing")
        count = number(data, "count", bases(firer)) if kind_of(firer) != TANKS else None
        at_tanks = kind_of(target) == TANKS
        platoon = firing(state, firer, distance, at_tanks=at_tanks, harassing=harassing, count=count)
        if not platoon.bases:
            what = "vehicles" if at_tanks else "troops"
            raise Refusal(
                gettext("{name} has nothing that hurts {what}.").format(name=firer.name, what=what),
                mend=gettext("Name another target."),
                code="target",
            )
        given: dict[str, Any] = {"platoon": told(platoon)}
        if at_tanks:
            return "tank-fire", {**given, "tanks": [told(tank) for _, tank in tanks_of(target)], "distance": distance}
        position = data.get("position", "")
        where = {"position": position} if position and position in dict(POSITIONS) else {}
        aimed = platoon_of(state, target, enemy_to_flank_or_rear=ticked(data, "flank"), **where)
        return "fire", {
            **given,
            "target": told(aimed),
            "distance": distance,
            "harassing": harassing,
            "indirect": ticked(data, "indirect"),
            "overhead": ticked(data, "overhead"),
        }

    def _refuse_illegal(
        self,
        content: HasReadings,
        state: TableState,
        firer: TableFighter,
        target: TableFighter,
        data: Mapping[str, str],
    ) -> None:
        """Raise Refusal for a target that is not allowed, whatever the distance to each weapon."""
        seen = _looked_for(state, firer, target)
        kind, harassing = type_of(firer), ticked(data, "harassing")
        result = worked_out(content, "legal-target", {
            "order": order_of(leader_of(state, firer)),
            "type": "rifle" if kind in ("tank", "anti-tank-rifle") else kind,
            "traits": list(firer.facts.get("traits", ())),
            "closest": data.get("closest", CLOSEST) != NOT_CLOSEST,
            "enemies_within_8": ticked(data, "near"),
            "heavy_team": is_heavy(target),
            "shocked": bool(firer.facts.get("shocked")),
            "stranded": bool(firer.facts.get("stranded")),
            "harassing": harassing,
            "sniper": firer.facts.get("type") == "sniper",
            **({"weapon": "hmg"} if harassing else {}),
            **({"identified": seen} if seen is not None else {}),
        })  # fmt: skip
        if result.outcome == "identify":
            raise Refusal(
                gettext("{name} is a weapons team behind nearer enemies, and not made out yet.").format(
                    name=target.name
                ),
                mend=gettext("Roll to make it out first (4+)."),
                code="identify",
            )
        if result.outcome == "illegal":
            raise Refusal(result.told, mend=gettext("Name another target."), code="target")
        if now(state, firer, "failed") and number(data, "distance") > CLOSE_INCHES:
            raise Refusal(
                gettext('After refusing to assault it fires within 8" only.'),
                mend=gettext("Name a nearer target."),
                code="target",
            )

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        head = f'{firer.name} fires at {target.name}, {number(data, "distance")}": '
        if kind_of(target) == TANKS:
            message, effects = tank_effect(state, target, found, firer.side)
            mine = Effect(fighter=firer.key, facts={"fired": state.turn})
        else:
            message, effects = found.told, (_hit(content, state, firer, target, data, found),)
            if int(found.effect("bases_lost") or 0) >= bases(target):
                message += f" {_end_text(target)}"
            mine = _fired(state, firer, int(found.effect("hmgs_jammed") or 0))
        return self.act(head + message, fighter=firer, effects=(mine, *effects))


def _questions(content: HasReadings, state: TableState, firer: TableFighter) -> Iterator[Asks]:
    """Yield the questions about an attack.

    They depend on all enemies present and not on the chosen one, so the form keeps its answers when it is rendered
    again.
    """
    foes = [state.fighter(key) for key in may_fire_at(state, firer)]
    positions = {each.facts.get("position") for each in foes}
    yield Asks("target", "Target", "foe", only=tuple(each.key for each in foes) or ("-",))
    yield Asks("distance", "How far, in inches", "number", 0, MOST_INCHES)
    if any(kind_of(each) != TANKS for each in foes):
        yield Asks("position", "Where the target is", "option", options=POSITIONS)
    yield Asks("closest", "It is the closest enemy", "option", options=CLOSEST_OPTIONS, usual=CLOSEST)
    if bases(firer) > 1 and kind_of(firer) != TANKS:
        yield Asks("count", "Bases that fire", "number", 1, bases(firer), usual=str(bases(firer)))
    if any(len(parts_of(each)) > 1 for each in foes):
        yield Asks("first", "Nearest to the firer", "option", options=FIRST_OPTIONS)
    if firer.facts.get("type") != "sniper":
        yield Asks("near", 'The nearest enemy is within 8"')
    if special_orders(content, order_of(leader_of(state, firer))):
        yield from _special_questions(firer, "cover" in positions)
    if "entrenched" in positions:
        yield Asks("flank", "In trenches, with an enemy to its flank or rear")


def _special_questions(firer: TableFighter, any_cover: bool) -> Iterator[Asks]:
    weapons = _weapon_ids(firer)
    if "hmg" in weapons:
        yield Asks("harassing", 'Harassing fire, up to 30" and over friends: hits on 6')
    if any(WEAPON[each].indirect for each in weapons if each in WEAPON):
        yield Asks("indirect", "Indirect: it does not see its target")
        if any_cover:
            yield Asks("overhead", "Its cover protects from above")


def _fire_dice(content: HasReadings, given: Mapping[str, Any]) -> Resolved:
    return worked_out(content, "fire-dice", {name: given[name] for name in ("platoon", "distance", "harassing")})


def _losses_text(odds: Odds) -> str:
    lost = [(int(name), share) for name, share in odds.outcomes.items()]
    parts = [f"{count} lost {percent(share)}" for count, share in lost if count < 4]
    many = sum((share for count, share in lost if count > 3), Fraction(0))
    if many:
        parts.append(f"4 or more {percent(many)}")
    also = odds.also if isinstance(odds, TroopOdds) else {}
    beside = [f"; {label} {percent(also[name])}" for name, label in BESIDE.items() if also.get(name)]
    return ", ".join(parts) + "".join(beside)


def _hit(
    content: HasReadings,
    state: TableState,
    firer: TableFighter,
    target: TableFighter,
    data: Mapping[str, str],
    found: Resolved,
) -> Effect:
    lost = int(found.effect("bases_lost") or 0)
    attached = next((part["id"] for part in reversed(parts_of(target)) if len(parts_of(target)) > 1), "")
    markers = taken_off(target, lost, attached if data.get("first") == ATTACHED else "")
    facts: dict[str, Any] = {"by": firer.side} if lost else {}
    if kind_of(target) == "platoon":
        counted = int(found.effect("counted") or 0)
        if counted:
            markers[FIRE] = counted
        if _weapon_ids(firer) & {"trench-mortar", "field-artillery"}:
            facts["indirect"] = state.turn
    if found.effect("shocked") and _may_be_shocked(content, target):
        facts["shocked"] = True
    return Effect(fighter=target.key, markers=markers, facts=facts)


def _may_be_shocked(content: HasReadings, target: TableFighter) -> bool:
    if kind_of(target) == "team":
        return choice(content, "team-shock") != "never"
    return is_platoon(target) and not target.facts.get("shocked")


def _fired(state: TableState, firer: TableFighter, jammed: int) -> Effect:
    """Return the effect of firing on the firer, with this many of its HMGs jammed."""
    if not jammed:
        return Effect(fighter=firer.key, facts={"fired": state.turn})
    hmg = next((part["id"] for part in parts_of(firer) if part["weapon"].get("id") == "hmg"), "")
    return Effect(fighter=firer.key, facts={"fired": state.turn, "by": ""}, markers=taken_off(firer, jammed, hmg))


def _cause(what: str, reason: str) -> str:
    return f"saves on {what}: {reason}" if what[:1].isdigit() else f"{what}: {reason}"


def _end_text(target: TableFighter) -> str:
    if kind_of(target) == COMPANY:
        return gettext("The commander of {name} is dead: Disrupted.").format(name=target.name)
    return gettext("{name} is gone.").format(name=target.name)


def tank_effect(state: TableState, target: TableFighter, found: Resolved, by: str) -> tuple[str, tuple[Effect, ...]]:
    """Return the damage to vehicles as a message and as effects. Any damage shocks their platoon."""
    facts: dict[str, Any] = {}
    hurt = []
    for (index, before), after in zip(tanks_of(target), found.state.get("tanks", ()), strict=False):
        was = vehicle_state(before.immobilised, before.damaged)
        now_is = GONE if after["destroyed"] else vehicle_state(after["immobilised"], after["damaged"])
        if now_is != was:
            facts[f"v{index}"] = now_is
            hurt.append(f"{target.facts['vehicles'][index]['name']} {str(after['state']).replace('-', ' ')}")
    if not facts:
        return found.told, ()
    effect = Effect(fighter=target.key, facts={**facts, "shocked": True, "by": by})
    return f"{found.told} {'; '.join(hurt)}.", (effect,)


def _looked_for(state: TableState, firer: TableFighter, target: TableFighter) -> bool | None:
    """Return whether the firer identified a weapons team this turn, or None if it has not tried."""
    key = f"{state.turn}:{target.key}"
    return next((seen for fact, seen in LOOKED if firer.facts.get(fact) == key), None)


class Identify(UnitMove):
    id, label = "identify", "Make out a team"
    words = gettext(
        "A weapons team that is not the closest enemy is spotted on a 4+ (1 in 2). If not, the fire goes at the closest in sight."
    )
    dice_words = "a D6"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        teams = tuple(each.key for each in state.fighters if each.fights and is_heavy(each))
        return (
            Asks("fighter", "Who fires", "mine", only=may_fire(content, state) or ("-",)),
            Asks("target", "Which team", "foe", only=teams or ("-",)),
        )

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_fire(content, state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        self.refuse(content, state, firer.key)
        if not is_heavy(target) or target.side == firer.side or not target.fights:
            raise Refusal(
                gettext("{name} is no enemy weapons team.").format(name=target.name), mend="Name one.", code="target"
            )
        seen = _looked_for(state, firer, target)
        if seen:
            raise Refusal(
                gettext("{name} is made out.").format(name=target.name), mend=gettext("Fire at it."), code="done"
            )
        if seen is not None:
            raise Refusal(
                gettext("{name} has looked for {target_name} this turn.").format(
                    name=firer.name, target_name=target.name
                ),
                mend=gettext("Fire at the closest."),
                code="done",
            )
        return "identify-team", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        fact = "identified" if found.outcome == "identified" else "unidentified"
        effect = Effect(fighter=firer.key, facts={fact: f"{state.turn}:{target.key}"})
        return self.act(f"{firer.name} looks for {target.name}: {found.told}", fighter=firer, effects=(effect,))


FIRE_PLAYS = (FireMove(), Identify())
