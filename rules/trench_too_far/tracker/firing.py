"""Fire at the table: who fires at whom and how far, what is lost, what happens to both units; and identifying a weapons team.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Shock and Disruption", "Tanks: Firing".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.formatting import joined, quantity
from rules.problems import Refusal
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, ResultChoice, ResultRow, RollKind, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.charts import TANK_WEAPON, WEAPON
from rules.trench_too_far.force import ATTACHED, COMPANY, TANKS
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import TroopOdds, chance_of
from rules.trench_too_far.resolvers.fire import JAM_ONES, aim
from rules.trench_too_far.resolvers.targets import CLOSE_INCHES, special_orders
from rules.trench_too_far.tracker.allowed import barred_fire
from rules.trench_too_far.tracker.counting import next_result
from rules.trench_too_far.tracker.losing import losses_of, weapon_ids
from rules.trench_too_far.tracker.move import UnitMove, fighter_in, named, number, percent, told, worked_out
from rules.trench_too_far.tracker.saving import hits_of, owed, settled
from rules.trench_too_far.tracker.units import (
    GONE,
    bases,
    firing,
    is_heavy,
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
HEAVY_INCHES = 12  # heavy infantry has a second die up to here
NOT_CLOSEST, CLOSEST = "0", "1"
CLOSEST_OPTIONS = ((CLOSEST, gettext("Yes")), (NOT_CLOSEST, gettext("No, another one is nearer")))
FIRST_OPTIONS = (("", gettext("Its squads")), (ATTACHED, gettext("What is attached to it")))
BESIDE = {"shocked": gettext("Shocked"), "jammed": "jams"}
LOOKED = (("identified", True), ("unidentified", False))
POSITIONS = (
    ("", gettext("As shown")), ("dispersed", gettext("In the open")), ("cover", gettext("In cover")), ("entrenched", gettext("In trenches")),
)  # fmt: skip


def may_fire_at(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    return tuple(
        each.key for each in state.fighters
        if each.side != fighter.side and each.there and bases(each) and not each.out
    )  # fmt: skip


def may_fire(content: HasReadings, state: TableState) -> tuple[str, ...]:
    return tuple(each.key for each in state.fighters if each.fights and not barred_fire(content, state, each))


class FireMove(UnitMove):
    id, label = "fire", gettext("Fire")
    words = gettext("Attack dice, saves, bases lost, fire taken against Tolerance: all of it falls here.")
    dice_words = gettext("the attack dice, then a D6 for each hit that may be saved")
    tells_results = True

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        able, firer = may_fire(content, state), named(state, data)
        known = firer is not None and firer.key in able
        who = Asks("fighter", gettext("Who fires"), "mine", only=able or ("-",), leads=True, quiet=known)
        return (who, *_questions(content, state, firer)) if firer is not None else (who,)

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        form = super().kind(content, state, data)
        if not data.get("target") or not data.get("fighter"):
            return form
        try:
            odds, reckoned = self._forecast(content, state, data)
            form = replace(form, reckoned=reckoned)
            if not data.get("distance"):
                return replace(form, odds_words=gettext("{odds} (not measured yet).").format(odds=odds))
            return replace(self._with_results(content, state, data, form), odds_words=f"{odds}.")
        except Refusal as refusal:
            return replace(form, odds_words=refusal.message)

    def _with_results(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], form: RollKind
    ) -> RollKind:
        """Return the form with what to roll, and the hits to choose from."""
        rule, given = self.input_of(content, state, data)
        if rule != "fire":
            return form
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        groups = aim(content, rules.RULES["fire"].read(given)).groups
        by_need: dict[int, int] = {}
        for group in groups:
            by_need[group.hit] = by_need.get(group.hit, 0) + group.dice
        dice = joined(
            gettext("{dice} D6, each {hit} or more ({percent})").format(
                dice=count, hit=hit, percent=percent(chance_of(hit))
            )
            for hit, count in by_need.items()
        )
        need = gettext('{name} at {target}, to {distance}": roll {dice}.').format(
            name=firer.name, target=target.name, distance=data["distance"], dice=dice
        )
        choices = tuple(ResultChoice(str(n), str(n), "") for n in range(sum(group.dice for group in groups) + 1))
        return replace(form, need=need, results=(ResultRow(gettext("Hits on my dice"), choices),) if groups else ())

    def _forecast(
        self, content: HasReadings, state: TableState, data: Mapping[str, str]
    ) -> tuple[str, tuple[str, ...]]:
        """Return the exact odds, and the figures they come from."""
        rule, given = self.input_of(content, state, {**data, "distance": data.get("distance") or "0"})
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

    def counting(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int], form: RollKind
    ) -> RollKind:
        if not data.get("distance") or form.results:
            return form
        return next_result(replace(form, follows=True), lambda: self.counted(content, state, data, rows))

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_fire(content, state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer = self.able(content, state, data)
        _refuse_owing(state, data)
        if not str(data.get("distance", "")).strip():
            raise Refusal(
                gettext("The distance is not measured yet."),
                mend=gettext("Give it in inches; half inches are rounded up."),
                code="distance",
            )
        rule, given = self.input_of(content, state, data)
        self._refuse_illegal(content, state, firer, fighter_in(state, data, "target"), data)
        if rule == "fire" and not _fire_dice(content, given).total:
            raise Refusal(
                gettext("No weapon of {name} reaches that far.").format(name=firer.name),
                mend=gettext("Measure again, or name another target."),
                code="range",
            )
        return rule, given

    def input_of(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
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
            "closest": data.get("nearest", CLOSEST) != NOT_CLOSEST,
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
        head = gettext('{firer} fires at {target}, {data}": ').format(
            firer=firer.name, target=target.name, data=number(data, "distance")
        )
        if kind_of(target) == TANKS:
            message, effects = tank_effect(state, target, found, firer.side)
            mine = Effect(fighter=firer.key, facts={"fired": state.turn, "aimed": target.key})
        else:
            message, effects = found.told, (self._hit(content, state, data, found),)
            if int(found.effect("bases_lost") or 0) >= bases(target):
                message += f" {_end_text(target)}"
            mine = _fired(state, firer, target, int(found.effect("hmgs_jammed") or 0))
        return self.act(head + message, fighter=firer, effects=(mine, *effects))

    def _hit(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> Effect:
        """Return the effect on the target: its losses, or the saves that its owner has to make."""
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        if "owed" in found.state:
            return Effect(fighter=target.key, facts={"owed": dict(found.state["owed"])})
        return losses_of(content, state.turn, firer, target, data.get("first", ""), found)

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        """Return fire whose hits players counted. What its target may save is left to its owner. Raises NeedResult, Refusal."""
        rule, given = self.question(content, state, data)
        if rule != "fire":
            return rules.resolve_told(content, rule, given, rows, at_vehicles=True)
        rolls, jams = hits_of(content, given, rows, JAM_ONES if ticked(data, "jams") else 0)
        given = {**given, "rolls": list(rolls)}
        if (found := settled(content, given)) is not None:
            return found
        hits = rows[0]
        left = {"given": given, "hits": hits, "by": data["fighter"], "first": data.get("first", "")}
        target = fighter_in(state, data, "target")
        words = gettext("{hits}; {name} rolls for them.").format(hits=quantity(hits, "hit"), name=target.name)
        if jams:
            words += gettext(" Then the HMG jams and is removed.")
        return Resolved(str(hits), words, effects=({"hmgs_jammed": jams},), state={"owed": left})


def _questions(content: HasReadings, state: TableState, firer: TableFighter) -> Iterator[Asks]:
    """Yield the questions about an attack.

    They depend on all enemies present and not on the chosen one, so the form keeps its answers when it is rendered
    again. What most attacks do not need is folded away.
    """
    foes = [state.fighter(key) for key in may_fire_at(state, firer)]
    positions = {each.facts.get("position") for each in foes}
    only = tuple(each.key for each in sorted(foes, key=lambda each: kind_of(each) == COMPANY))
    yield Asks("target", gettext("Target"), "foe", only=only or ("-",), leads=True, chips=True, bare=True)
    stops = reach_stops(firer, at_tanks=any(kind_of(each) == TANKS for each in foes))
    yield Asks("distance", gettext("How far"), "number", 0, MOST_INCHES, options=stops, chips=True)
    weapons = weapon_ids(firer)
    special = special_orders(content, order_of(leader_of(state, firer)))
    if special and "hmg" in weapons:
        yield Asks("harassing", gettext('Harassing fire, up to 30" and over friends: hits on 6'), chips=True)
    if special and any(WEAPON[each].indirect for each in weapons if each in WEAPON):
        yield Asks("indirect", gettext("Indirect: it does not see its target"), chips=True)
    if "hmg" in weapons:
        yield Asks("jams", gettext("Three natural 1s or more fell: it jams"), chips=True)
    for asks in _folded_questions(firer, foes, special and "cover" in positions, "entrenched" in positions):
        yield replace(asks, quiet=True)


def _folded_questions(
    firer: TableFighter, foes: Sequence[TableFighter], overhead: bool, trenches: bool
) -> Iterator[Asks]:
    if any(kind_of(each) != TANKS for each in foes):
        yield Asks("position", gettext("Where the target is"), "option", options=POSITIONS, usual="")
    yield Asks("nearest", gettext("It is the closest enemy"), "option", options=CLOSEST_OPTIONS, usual=CLOSEST)
    if bases(firer) > 1 and kind_of(firer) != TANKS:
        yield Asks("count", gettext("Bases that fire"), "number", 1, bases(firer), usual=str(bases(firer)))
    if any(len(parts_of(each)) > 1 for each in foes):
        yield Asks("first", gettext("Nearest to the firer"), "option", options=FIRST_OPTIONS)
    if firer.facts.get("type") != "sniper":
        yield Asks("near", gettext('The nearest enemy is within 8"'))
    if overhead and any(WEAPON[each].indirect for each in weapon_ids(firer) if each in WEAPON):
        yield Asks("overhead", gettext("Its cover protects from above"))
    if trenches:
        yield Asks("flank", gettext("In trenches, with an enemy to its flank or rear"))


def _stops_of(weapon: Mapping[str, Any], *, at_tanks: bool) -> set[float]:
    """Return the distances in inches at which the dice of one weapon change; 0 for a range that it lacks."""
    id_ = str(weapon.get("id"))
    own, book = weapon.get("own"), WEAPON.get(id_)
    stops: set[float] = set()
    if own is not None:
        names = ("range", "close_range", "harassing_range", *(("tank_range",) if at_tanks else ()))
        stops |= {float(own[name]) for name in names if own.get(name)}
    elif book is not None:
        stops |= {book.range_inches or MOST_INCHES, book.close_range_inches, book.harassing_inches}
    if at_tanks and id_ in TANK_WEAPON:
        stops.add(TANK_WEAPON[id_].range_inches)
    return stops


def reach_stops(firer: TableFighter, *, at_tanks: bool) -> tuple[tuple[str, str], ...]:
    """Return the distances at which the dice of a unit change, as figures with their words: ("18", "to 18″").

    The first is 8", within which the closest enemy has to be the target.
    """
    stops: set[float] = {CLOSE_INCHES}
    for weapon in weapons_of(firer):
        stops |= _stops_of(weapon, at_tanks=at_tanks)
    if at_tanks and any(str(weapon.get("id")) not in TANK_WEAPON for weapon in weapons_of(firer)):
        stops.add(TANK_WEAPON["infantry"].range_inches)
    if type_of(firer) == "heavy-infantry":
        stops.add(HEAVY_INCHES)
    found = sorted(stop for stop in stops if stop)
    return tuple((f"{ceil(stop)}", gettext("to {stop:g}″").format(stop=stop)) for stop in found)


def _fire_dice(content: HasReadings, given: Mapping[str, Any]) -> Resolved:
    return worked_out(content, "fire-dice", {name: given[name] for name in ("platoon", "distance", "harassing")})


def _losses_text(odds: Odds) -> str:
    lost = [(int(name), share) for name, share in odds.outcomes.items()]
    parts = [
        gettext("{count} lost {percent}").format(count=count, percent=percent(share))
        for count, share in lost
        if count < 4
    ]
    many = sum((share for count, share in lost if count > 3), Fraction(0))
    if many:
        parts.append(gettext("4 or more {percent}").format(percent=percent(many)))
    also = odds.also if isinstance(odds, TroopOdds) else {}
    beside = [f"; {label} {percent(also[name])}" for name, label in BESIDE.items() if also.get(name)]
    return ", ".join(parts) + "".join(beside)


def _fired(state: TableState, firer: TableFighter, target: TableFighter, jammed: int) -> Effect:
    """Return the effect of firing on the firer, with this many of its HMGs jammed."""
    facts = {"fired": state.turn, "aimed": target.key}
    if not jammed:
        return Effect(fighter=firer.key, facts=facts)
    hmg = next((part["id"] for part in parts_of(firer) if part["weapon"].get("id") == "hmg"), "")
    return Effect(fighter=firer.key, facts={**facts, "by": ""}, markers=taken_off(firer, jammed, hmg))


def _refuse_owing(state: TableState, data: Mapping[str, str]) -> None:
    """Raise Refusal for a target whose owner has saves to make: what remains of it is not yet known."""
    target = named(state, data, "target")
    if target is not None and owed(target):
        raise Refusal(
            gettext("{name} has saves to make first.").format(name=target.name),
            mend=gettext("Its owner rolls them, or tells how many were made."),
            code="owed",
        )


def _cause(what: str, reason: str) -> str:
    return (
        gettext("saves on {what}: {reason}").format(what=what, reason=reason)
        if what[:1].isdigit()
        else f"{what}: {reason}"
    )


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
    id, label = "identify", gettext("Make out a team")
    words = gettext(
        "A weapons team that is not the closest enemy is spotted on a 4+ (1 in 2). If not, the fire goes at the closest in sight."
    )
    dice_words = "a D6"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        teams = tuple(each.key for each in state.fighters if each.fights and is_heavy(each))
        return (
            Asks("fighter", gettext("Who fires"), "mine", only=may_fire(content, state) or ("-",)),
            Asks("target", gettext("Which team"), "foe", only=teams or ("-",)),
        )

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return barred_fire(content, state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        firer, target = fighter_in(state, data), fighter_in(state, data, "target")
        self.refuse(content, state, firer.key)
        if not is_heavy(target) or target.side == firer.side or not target.fights:
            raise Refusal(
                gettext("{name} is no enemy weapons team.").format(name=target.name),
                mend=gettext("Name one."),
                code="target",
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
        return self.act(
            gettext("{firer} looks for {target}: {told}").format(firer=firer.name, target=target.name, told=found.told),
            fighter=firer,
            effects=(effect,),
        )


FIRE_PLAYS = (FireMove(), Identify())
