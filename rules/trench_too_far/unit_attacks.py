"""The exact odds of one unit's attack on another: fire at troops and vehicles, and assaults on both.

The table's own moves say what a unit brings to an attack, and the resolvers work it out. The answers of the page are laid
on the table first: orders, losses, positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.unit_attacks import CustomUnitAttacks, counted, spread_of
from rules.formatting import joined, quantity
from rules.parts.unit_attacks import Spread, UnitAsks, UnitOdds, UnitWay
from rules.problems import Refusal
from rules.resolvers.odds import successes
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _
from rules.trench_too_far.charts import NAMES, POSITIONS, TANK_CLASS, WEAPON
from rules.trench_too_far.force import COMPANY, PLATOON, TANKS
from rules.trench_too_far.force_rules import FORCE_RULES
from rules.trench_too_far.resolvers import assault, assault_odds, rules, tank_odds, tanks
from rules.trench_too_far.resolvers.common import TroopOdds, chance_of
from rules.trench_too_far.resolvers.fire import aim
from rules.trench_too_far.resolvers.tolerance import tolerance_of
from rules.trench_too_far.tracker import tracker_of
from rules.trench_too_far.tracker.firing import FireMove, reach_stops
from rules.trench_too_far.tracker.losing import weapon_ids
from rules.trench_too_far.tracker.move import ORDER_WORDS, percent, told
from rules.trench_too_far.tracker.units import (
    FIRE,
    GONE,
    bases,
    fighting,
    firing,
    is_heavy,
    is_platoon,
    kind_of,
    leader_of,
    platoon_of,
    position_of,
    taken_off,
    tanks_of,
    type_of,
    vehicles,
)

FIRES, ASSAULTS = "fire", "assault"
FIRE_ORDERS = ("fire", "move", "advance", "defend")
MOST_JOINING = 8
MOST_TALLY = 40
MOST_TEAMS = 4
WORST_WORDS = {
    "no-effect": _("No effect"), "immobilised": _("Immobilised"), "damaged": _("Damaged"), "destroyed": _("Destroyed"),
}  # fmt: skip
END_WORDS = {
    "stays": _("My unit does not go in"), "falls-back": _("They fall back without a fight"), "attacker-wins": _("I drive them off"),
    "defender-wins": _("They drive me off"), "goes-on": _("It ends where it stands"),
}  # fmt: skip
BESIDE_WORDS = {"shocked": _("Shocked"), "wiped_out": _("Wiped out"), "jammed": _("My HMG jams")}


class TooFarUnitAttacks(CustomUnitAttacks):
    """The odds of units' attacks under the readings of a content."""

    def ways(self, content: CustomContent, table: TableState, mine: str, theirs: str) -> tuple[UnitWay, ...]:
        unit, target = table.fighter(mine), table.fighter(theirs)
        if not bases(unit) or not bases(target) or kind_of(unit) == COMPANY:
            return ()
        at_tanks = kind_of(target) == TANKS
        hurts = not at_tanks or type_of(unit) not in ("militia", "remnant")
        cases = ((_("Advance"), (("order", "advance"), ("moved", "1"))), (_("in cover"), (("position", "cover"),)))
        found = []
        if hurts and _fires(table, unit, at_tanks):
            found.append(UnitWay(FIRES, _("Fire"), "order", cases[:1] if at_tanks else cases))
        if kind_of(unit) == PLATOON:
            trenches = (_("in trenches"), (("position", "entrenched"),))
            worn = (_("I lost one"), (("mine_lost", "1"),)) if bases(unit) > 1 else None
            found.append(
                UnitWay(ASSAULTS, _("Assault"), cases=tuple(filter(None, (None if at_tanks else trenches, worn))))
            )
        return tuple(found)

    def asks(self, content: CustomContent, table: TableState, mine: str, theirs: str, way: str) -> tuple[UnitAsks, ...]:
        unit, target = table.fighter(mine), table.fighter(theirs)
        asks = _fire_asks(unit, target) if way == FIRES else _assault_asks(unit, target)
        return (*asks, *_state_asks(unit, target, way))

    def odds(
        self, content: CustomContent, table: TableState, mine: str, theirs: str, way: str, told: Mapping[str, str]
    ) -> UnitOdds:
        if way not in {each.key for each in self.ways(content, table, mine, theirs)}:
            raise Refusal(
                _("{name} cannot attack that way.").format(name=table.fighter(mine).name),
                mend=_("Choose another way, or another unit."),
                code="no-choice",
            )
        answers = {each.key: each.answer(told) for each in self.asks(content, table, mine, theirs, way)}
        attack = _UnitAttack(content, _laid(table, mine, theirs, way, answers), mine, theirs, answers)
        at_tanks = kind_of(table.fighter(theirs)) == TANKS
        if way == ASSAULTS:
            return attack.assault_on_tanks() if at_tanks else attack.assault()
        return attack.fire_at_tanks() if at_tanks else attack.fire()

    def likeness(self, content: CustomContent, table: TableState, unit: str) -> str:
        fighter = table.fighter(unit)
        here = {name: value for name, value in told(platoon_of(table, fighter)).items() if name != "name"}
        parts = [(part["weapon"], fighter.markers.get(part["id"], 0)) for part in fighter.facts.get("parts", ())]
        return repr((here, parts, [(vehicle, how) for _n, vehicle, how in vehicles(fighter)], kind_of(fighter)))

    def armour(self, content: CustomContent, table: TableState, unit: str) -> str:
        fighter = table.fighter(unit)
        if kind_of(fighter) == TANKS:
            return joined(
                _("{name}, save {target}+").format(name=NAMES[tank.class_], target=TANK_CLASS[tank.class_])
                for tank in dict.fromkeys(tank for _n, tank in tanks_of(fighter))
            )
        kind = platoon_of(table, fighter)
        if kind_of(fighter) == COMPANY:
            return _("Command base")
        limit, _parts = tolerance_of(content, kind)
        words = NAMES.get(kind.position, kind.position)
        if is_heavy(fighter):
            words = NAMES["cover"]
        elif kind.kind in ("sniper", "remnant") or kind.has("scouts"):
            words = NAMES["prone"]
        if not is_platoon(fighter):
            return words
        return _("{position}, {bases}, Tolerance {limit}").format(
            position=words, bases=quantity(bases(fighter), "base"), limit=limit
        )


# --- questions


def _fires(table: TableState, unit: TableFighter, at_tanks: bool) -> bool:
    """Return whether any weapon of a unit has an effect on vehicles or on troops."""
    return bool(firing(table, unit, 0, at_tanks=at_tanks).bases)


def _fire_asks(unit: TableFighter, target: TableFighter) -> Iterator[UnitAsks]:
    at_tanks = kind_of(target) == TANKS
    orders = (*FIRE_ORDERS, "assault") if kind_of(unit) != PLATOON else FIRE_ORDERS
    yield UnitAsks("order", _("My order"), tuple((order, ORDER_WORDS[order]) for order in orders), usual="fire")
    stops = reach_stops(unit, at_tanks=at_tanks)
    yield UnitAsks("distance", _("Distance"), stops, usual=stops[0][0])
    yield UnitAsks("moved", _("It has moved"))
    if at_tanks:
        return
    yield _position_asks(target)
    yield UnitAsks("defend", _("They are on Defend"))
    if "hmg" in weapon_ids(unit):
        yield UnitAsks("harassing", _("Harassing fire: hits on 6"))
    if any(WEAPON[each].indirect for each in weapon_ids(unit) if each in WEAPON):
        yield UnitAsks("indirect", _("Indirect: I do not see them"))
        yield UnitAsks("overhead", _("Their cover protects from above"))
    yield UnitAsks("flank", _("An enemy to their flank or rear"))
    if bases(unit) > 1 and kind_of(unit) != TANKS:
        yield UnitAsks("count", _("Bases that fire"), least=1, most=bases(unit), usual=str(bases(unit)))
    yield UnitAsks("tally", _("Fire they took this turn"), most=MOST_TALLY, usual=str(target.markers.get(FIRE, 0)))


def _position_asks(target: TableFighter) -> UnitAsks:
    options = tuple((rated.id, rated.name) for rated in POSITIONS)
    return UnitAsks("position", _("They are"), options, usual=position_of(target))


def _assault_asks(unit: TableFighter, target: TableFighter) -> Iterator[UnitAsks]:
    yield UnitAsks("teams", _("Weapons teams beside me"), most=MOST_TEAMS)
    if kind_of(target) == TANKS:
        yield UnitAsks("anti_tank_rifles", _("With anti-tank rifles"))
        return
    yield _position_asks(target)
    yield UnitAsks("building", _("They are in a building or fortification"))
    yield UnitAsks("defend", _("They are on Defend"))
    yield UnitAsks("joining", _("Bases that join them"), most=MOST_JOINING)


def _state_asks(unit: TableFighter, target: TableFighter, way: str) -> Iterator[UnitAsks]:
    yield UnitAsks("mine_shocked", _("I am Shocked"), usual=str(int(bool(unit.facts.get("shocked")))))
    if way == ASSAULTS and kind_of(target) != TANKS:
        yield UnitAsks("theirs_shocked", _("They are Shocked"), usual=str(int(bool(target.facts.get("shocked")))))
    if bases(unit) > 1:
        yield UnitAsks("mine_lost", _("My bases lost before"), most=bases(unit) - 1)
    if bases(target) > 1:
        yield UnitAsks("theirs_lost", _("Their bases lost before"), most=bases(target) - 1)


# --- the table under the answers


def _laid(table: TableState, mine: str, theirs: str, way: str, told: Mapping[str, str]) -> TableState:
    """Return the table as the answers say it is."""
    order = told.get("order", "assault" if way == ASSAULTS else "fire")
    table = _ordered(table, mine, order)
    if told.get("defend") == "1":
        table = _ordered(table, theirs, "defend")
    elif "defend" in told:
        leader = leader_of(table, table.fighter(theirs))
        if leader.facts.get("order") == "defend":
            table = _ordered(table, theirs, "")
    moved = table.turn if told.get("moved") == "1" else 0
    table = _changed(table, mine, moved=moved, shocked=told.get("mine_shocked") == "1")
    if "theirs_shocked" in told:
        table = _changed(table, theirs, shocked=told["theirs_shocked"] == "1")
    if "position" in told:
        table = _changed(table, theirs, position=told["position"])
    if "tally" in told and kind_of(table.fighter(theirs)) == PLATOON:
        unit = table.fighter(theirs)
        table = table.with_fighter(replace(unit, markers={**unit.markers, FIRE: int(told["tally"])}))
    for key, name in ((mine, "mine_lost"), (theirs, "theirs_lost")):
        table = table.with_fighter(_reduced(table.fighter(key), int(told.get(name) or 0)))
    return table


def _ordered(table: TableState, key: str, order: str) -> TableState:
    return _changed(table, leader_of(table, table.fighter(key)).key, order=order)


def _changed(table: TableState, key: str, **facts: Any) -> TableState:
    fighter = table.fighter(key)
    return table.with_fighter(replace(fighter, facts={**fighter.facts, **facts}))


def _reduced(unit: TableFighter, lost: int) -> TableFighter:
    """Return a unit that has lost so many more bases or vehicles."""
    if kind_of(unit) == TANKS:
        standing = [place for place, _vehicle, how in vehicles(unit) if how != GONE]
        return replace(unit, facts={**unit.facts, **{f"v{place}": GONE for place in standing[:lost]}})
    gone = taken_off(unit, lost)
    return replace(unit, markers={name: count + gone.get(name, 0) for name, count in unit.markers.items()})


# --- the odds


@dataclass(frozen=True, slots=True)
class _UnitAttack:
    """Two units on a table that stands as the answers say."""

    content: CustomContent
    table: TableState
    mine: str
    theirs: str
    told: Mapping[str, str]

    @property
    def unit(self) -> TableFighter:
        return self.table.fighter(self.mine)

    @property
    def target(self) -> TableFighter:
        return self.table.fighter(self.theirs)

    def _fire_input(self) -> dict[str, Any]:
        data = {**self.told, "fighter": self.mine, "target": self.theirs}
        if "count" in data and int(data["count"]) > bases(self.unit):
            data["count"] = str(bases(self.unit))
        _rule, given = FireMove().input_of(self.content, self.table, data)
        return given

    def _refuse_silent(self, dice: int) -> None:
        if not dice:
            raise Refusal(
                _("No weapon of {name} fires at them so far, under this order.").format(name=self.unit.name),
                mend=_("Choose a nearer distance, or another order."),
                code="range",
            )

    def fire(self) -> UnitOdds:
        """Return the odds of fire at troops. Raises Refusal if it may not be made."""
        given = self._fire_input()
        aimed = aim(self.content, rules.RULES["fire"].read(given))
        self._refuse_silent(sum(group.dice for group in aimed.groups))
        odds = rules.odds(self.content, "fire", given)
        assert isinstance(odds, TroopOdds)
        lost = counted(_("Bases they lose"), odds.outcomes)
        saves = chance_of(aimed.save)
        spreads = (
            spread_of(_("Hits"), successes(*((group.dice, chance_of(group.hit)) for group in aimed.groups))),
            spread_of(
                _("Saves made"), successes(*((group.dice, chance_of(group.hit) * saves) for group in aimed.groups))
            ),
            lost,
        )
        by_need: dict[int, int] = {}
        for group in aimed.groups:
            by_need[group.hit] = by_need.get(group.hit, 0) + group.dice
        need = _("Roll {dice}.").format(dice=joined(_dice(count, hit) for hit, count in by_need.items()))
        need += " " + (
            _("Each hit is saved on {save} or more.").format(save=aimed.save) if aimed.save else _("There is no save.")
        )
        shocked = odds.also.get("shocked", Fraction(0))
        words = _("{mean} bases lost on average").format(mean=_mean(lost))
        return UnitOdds(
            rule="fire",
            given=given,
            need=need,
            short=_("{words}; Shocked {shocked}").format(words=words, shocked=percent(shocked)) if shocked else words,
            lead=_mean(lost),
            harm=(lost.mean, odds.also.get("wiped_out", Fraction(0))),
            spreads=spreads,
            chances=tuple((words, odds.also[name]) for name, words in BESIDE_WORDS.items() if name in odds.also),
            causes=tuple(f"{what}: {why}" for what, why in dict.fromkeys(aimed.modifiers)),
            unreckoned=tuple(self._unreckoned()),
        )

    def fire_at_tanks(self) -> UnitOdds:
        """Return the odds of fire at vehicles. Raises Refusal if it may not be made."""
        given = self._fire_input()
        data = rules.RULES["tank-fire"].read(given)
        shots = tanks.fire_shots(self.content, data)
        self._refuse_silent(sum(shot.dice for shot in shots))
        return self._at_tanks("tank-fire", given, shots)

    def assault_on_tanks(self) -> UnitOdds:
        """Return the odds of one blow at vehicles."""
        attacker = fighting(self.table, self.unit, heavy_teams=int(self.told["teams"]))
        given = {
            "attacker": told(attacker),
            "tanks": [told(tank) for _n, tank in tanks_of(self.target)],
            "anti_tank_rifles": self.told.get("anti_tank_rifles") == "1",
        }
        shots = tanks.assault_shots(self.content, rules.RULES["tank-assault"].read(given))
        return self._at_tanks("tank-assault", given, shots)

    def _at_tanks(self, rule: str, given: Mapping[str, Any], shots: tuple[tanks.TankShot, ...]) -> UnitOdds:
        odds = rules.odds(self.content, rule, given)
        hit, saved, failed = tank_odds.failed_saves(self.content, shots, [tank for _n, tank in tanks_of(self.target)])
        worst = odds.outcomes
        destroyed = worst.get("destroyed", Fraction(0))
        shocked = 1 - worst.get("no-effect", Fraction(0))
        names = tuple((words, worst.get(name, Fraction(0))) for name, words in WORST_WORDS.items())
        dice = joined(_dice(shot.dice, shot.hit) for shot in shots)
        saves = joined(
            _("{name} {target}+, with {modifier:+d}").format(
                name=NAMES[tank.class_], target=TANK_CLASS[tank.class_], modifier=shot.modifier
            )
            for shot in dict.fromkeys(shots)
            for tank in dict.fromkeys(tank for _n, tank in tanks_of(self.target))
        )
        return UnitOdds(
            rule=rule,
            given=given,
            need=_("Roll {dice}. Saves: {saves}.").format(dice=dice, saves=saves),
            short=_("destroyed {destroyed}; hurt {shocked}").format(
                destroyed=percent(destroyed), shocked=percent(shocked)
            ),
            lead=_whole_percent(destroyed),
            harm=(destroyed, shocked),
            spreads=(
                Spread(_("The worst that a vehicle suffers"), names, is_count=False),
                spread_of(_("Hits"), hit),
                spread_of(_("Saves made"), saved),
                spread_of(_("Damage rolls"), failed),
            ),
            chances=((_("Destroyed"), destroyed), (_("Shocked"), shocked)),
            causes=tuple(
                _("{modifier:+d} to the save: {name}").format(modifier=s.modifier, name=s.label)
                for s in shots
                if s.modifier
            ),
            unreckoned=tuple(self._unreckoned()),
        )

    def assault(self) -> UnitOdds:
        """Return the odds of a whole assault on troops. Raises Refusal if it cannot be made."""
        building = self.told.get("building") == "1"
        given = {
            "attacker": told(fighting(self.table, self.unit, heavy_teams=int(self.told["teams"]))),
            "defender": told(fighting(self.table, self.target, in_building=building)),
            "joining_bases": int(self.told["joining"]),
        }
        data = rules.RULES["assault"].read(given)
        odds = rules.odds(self.content, "assault", given)
        assert isinstance(odds, TroopOdds)
        mine_lost, theirs_lost = assault_odds.assault_losses(self.content, data)
        ends = tuple((END_WORDS[name], share) for name, share in odds.outcomes.items())
        wins = odds.also.get("attacker_prevails", Fraction(0))
        mine, theirs = (assault.force_of(self.content, side) for side in (data.attacker, data.defender))
        lost = spread_of(_("Bases they lose"), theirs_lost) if theirs_lost else None
        need = _("I roll {mine}. They roll {theirs}.").format(
            mine=_dice(mine.dice(mine.bases), mine.hit), theirs=_dice(theirs.dice(theirs.bases), theirs.hit)
        )
        return UnitOdds(
            rule="assault",
            given=given,
            need=need,
            short=_("driven off {wins}").format(wins=percent(wins)),
            lead=_whole_percent(wins),
            harm=(wins, odds.also.get("defender_wiped_out", Fraction(0))),
            spreads=(
                Spread(_("How it ends"), ends, is_count=False),
                *((lost,) if lost is not None else ()),
                spread_of(_("Bases I lose"), mine_lost),
            ),
            chances=(
                (_("I drive them off"), wins),
                (_("They are wiped out"), odds.also.get("defender_wiped_out", Fraction(0))),
                (_("I am wiped out"), odds.also.get("attacker_wiped_out", Fraction(0))),
            ),
            causes=tuple(self._assault_causes(data)),
            unreckoned=tuple(self._unreckoned()),
        )

    def _assault_causes(self, data: Any) -> Iterator[str]:
        moved = assault.is_fresh(data.attacker)
        yield _("I am Fresh: no test to go in.") if moved else _("I have lost bases: a morale test to go in.")
        behind = data.defender.entrenched or data.defender.in_building
        yield _("Behind works: they stand without a test.") if behind else _("In the open: they test to stand.")
        for side in (data.attacker, data.defender):
            target, why = assault.hits_on(self.content, side)
            if why:
                yield _("{name} hits on {target} or more: {why}").format(name=side.name, target=target, why=why)

    def _unreckoned(self) -> Iterator[tuple[str, str]]:
        """Yield what only the table knows: who is closest, and what was looked for."""
        if is_heavy(self.target) and self.told.get("order"):
            yield "theirs", _("If others stand closer, firing at a weapons team takes a 4+ first.")


def _dice(count: int, hit: int) -> str:
    return _("{count} D6, each {hit} or more ({percent})").format(count=count, hit=hit, percent=percent(chance_of(hit)))


def _mean(spread: Spread) -> str:
    return f"{float(spread.mean):.1f}"


def _whole_percent(share: Fraction) -> str:
    return f"{float(share) * 100:.0f} %"


UNIT_ATTACKS = TooFarUnitAttacks(FORCE_RULES, tracker_of, ("company", "platoon", "team", "tanks"))
