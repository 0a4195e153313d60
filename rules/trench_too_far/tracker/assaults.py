"""An assault, blow by blow: the test to attack, the test to stand, blows back and forth, friends that join, and who falls back.

The fact `assault` of the table holds the current fight. `by` and `on` are the keys of the units on both sides; `by`
began it. `step` is "reception", "strike" or "back". Destroyed bases are removed from the units at once.

Source: core rules, "Assaulting", "Tanks: Assault".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from rules.custom.interpretations import HasReadings
from rules.formatting import joined
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, ResultChoice, ResultRow, RollKind, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.assault import BACK_INCHES, DECIDES
from rules.trench_too_far.resolvers.common import chance_of
from rules.trench_too_far.resolvers.several import strikes
from rules.trench_too_far.tracker.allowed import barred_assault
from rules.trench_too_far.tracker.counting import next_result, without_face
from rules.trench_too_far.tracker.firing import may_fire_at, tank_effect
from rules.trench_too_far.tracker.move import TooFarMove, UnitMove, fighter_in, keys_in, named, percent, told
from rules.trench_too_far.tracker.units import (
    bases,
    fighting,
    is_fresh,
    is_platoon,
    kind_of,
    leader_of,
    members,
    now,
    order_of,
    taken_off,
    tanks_of,
    vehicles,
)

RECEPTION, STRIKE, BACK = "reception", "strike", "back"


def fight_of(state: TableState) -> dict[str, Any] | None:
    found = state.facts.get("assault")
    return found if isinstance(found, dict) else None


def standing(state: TableState, keys: list[str]) -> list[TableFighter]:
    """Return those of these units that have anything left."""
    found = [each for key in keys for each in state.fighters if each.key == key]
    return [each for each in found if bases(each)]


def _names(fighters: list[TableFighter]) -> str:
    return ", ".join(each.name for each in fighters)


def helpers(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    """Return the teams and tanks of the company that may join a platoon's assault."""
    found = []
    for each in members(state, leader_of(state, fighter)):
        if each.key == fighter.key or kind_of(each) in (COMPANY, "platoon") or not each.fights:
            continue
        still = kind_of(each) == TANKS and all("i" in how or how == "x" for _, _, how in vehicles(each))
        if not still and not any(now(state, each, what) for what in ("moved", "fired", "assaulted")):
            found.append(each.key)
    return tuple(found)


def _assaultable(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    """Return the enemies that it may assault. During an assault these are only the enemies in it."""
    fight = fight_of(state)
    return tuple(key for key in may_fire_at(state, fighter) if fight is None or key in fight["on"])


class AssaultMove(UnitMove):
    id, label = "assault", gettext("Assault")
    words = gettext(
        "Fresh, it goes in without a roll; else a morale test. Who would not go in may fire within 8\u2033 at 6."
    )
    dice_words = gettext("a D6 where it has lost bases")
    tells_results = True

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        return without_face(super().counted(content, state, data, rows))

    def counting(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int], form: RollKind
    ) -> RollKind:
        words = (gettext("It stays"), gettext("It goes in"))
        targets = next((asked.only for asked in form.asks if asked.name == "target"), ())
        aimed = {**data, "target": data.get("target") or next(iter(targets), "")}  # whoever it is, the test is the same
        return next_result(form, lambda: self.counted(content, state, aimed, rows), passes=words)

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        able = tuple(each.key for each in state.fighters if each.fights and not barred_assault(content, state, each))
        fighter = named(state, data)
        known = fighter is not None and fighter.key in able
        who = Asks("fighter", gettext("Who"), "mine", only=able or ("-",), leads=True, quiet=known)
        if fighter is None:
            return (who,)
        only = _assaultable(state, fighter) or ("-",)
        target = Asks("target", gettext("Target"), "foe", only=only, chips=True, bare=True)
        beside = helpers(state, fighter)
        return (who, target, *([Asks("with", gettext("With it"), "mine", only=beside, several=True)] if beside else []))

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        """Return the form. A Fresh unit goes in without a die, so one press is enough."""
        fighter = named(state, data)
        form = super().kind(content, state, data)
        return replace(form, move=True, dice_words="") if fighter is not None and is_fresh(fighter) else form

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        fight = fight_of(state)
        if fight is not None and (fight["blows"] or state.fighter(fight["by"][0]).side != fighter.side):
            return gettext("Another assault is under way.")
        return barred_assault(content, state, fighter)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter, target = fighter_in(state, data), fighter_in(state, data, "target")
        self.refuse(content, state, fighter.key)
        if target.key not in _assaultable(state, fighter):
            raise Refusal(
                gettext("{name} cannot be assaulted now.").format(name=target.name),
                mend=gettext("Name an enemy on the table."),
                code="target",
            )
        for key in keys_in(data, "with"):
            if key not in helpers(state, fighter):
                raise Refusal(
                    gettext("{name} cannot go in with it.").format(name=state.fighter(key).name),
                    mend=gettext("Take the tick away."),
                    code="with",
                )
        return "assault-motivation", {"platoon": told(fighting(state, fighter))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter, target = fighter_in(state, data), fighter_in(state, data, "target")
        if found.outcome != "passes":
            effect = Effect(fighter=fighter.key, facts={"failed": state.turn})
            return self.act(
                gettext("{fighter} would assault {target}: {told}").format(
                    fighter=fighter.name, target=target.name, told=found.told
                ),
                fighter=fighter,
                effects=(effect,),
            )
        beside = [state.fighter(key) for key in keys_in(data, "with")]
        together = (fighter, *beside)
        effects = [Effect(fighter=each.key, facts={"assaulted": state.turn}) for each in together]
        fight = fight_of(state) or {
            "by": [],
            "on": [target.key],
            "step": STRIKE if kind_of(target) == TANKS else RECEPTION,
            "blows": 0,
            "by_start": 0,
            "on_start": bases(target),
        }
        fight = {
            **fight,
            "by": [*fight["by"], *(each.key for each in together)],
            "by_start": fight["by_start"] + sum(bases(each) for each in together),
        }
        also = gettext(" with {names}").format(names=_names(beside)) if beside else ""
        far = found.effect("move_inches")
        reach = gettext(', up to {far:g}"').format(far=far) if isinstance(far, (int, float)) else ""
        return self.act(
            gettext("{fighter} assaults {target}{also}{reach}. {told}").format(
                fighter=fighter.name, target=target.name, also=also, reach=reach, told=found.told
            ),
            fighter=fighter,
            effects=effects,
            facts={"assault": fight},
        )


class ReceptionMove(UnitMove):
    id, label = "reception", gettext("Stand")
    words = gettext(
        "In the open a morale test: who fails falls back its standard rate and is Shocked, without a fight."
    )
    dice_words = gettext("a D6, none in trenches, fortifications and buildings")
    tells_results = True

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        return without_face(super().counted(content, state, data, rows))

    def counting(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int], form: RollKind
    ) -> RollKind:
        words = (gettext("It falls back"), gettext("It stands"))
        return next_result(form, lambda: self.counted(content, state, data, rows), passes=words)

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        fight = fight_of(state)
        who = Asks(
            "fighter", gettext("Who"), "mine", only=tuple(fight["on"][:1]) if fight else ("-",), quiet=bool(fight)
        )
        if fight and state.fighter(fight["on"][0]).facts.get("position") != "entrenched":
            return (who, Asks("building", gettext("It is in a building or fortification"), chips=True, leads=True))
        return (who,)

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        """Return the form. Behind works a unit stands without a die."""
        fight, form = fight_of(state), super().kind(content, state, data)
        behind = fight is not None and state.fighter(fight["on"][0]).facts.get("position") == "entrenched"
        return replace(form, move=True, dice_words="") if behind or ticked(data, "building") else form

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        fight = fight_of(state)
        if fight is None or fight["step"] != RECEPTION:
            return gettext("No unit is being assaulted.")
        return (
            ""
            if not whose or whose == fight["on"][0]
            else gettext("{name} is not the one assaulted.").format(name=state.fighter(whose).name)
        )

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = self.able(content, state, data)
        return "assault-reception", {"defender": told(fighting(state, fighter, in_building=ticked(data, "building")))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter, fight = fighter_in(state, data), fight_of(state)
        assert fight is not None
        message = gettext("{fighter} is assaulted. {told}").format(fighter=fighter.name, told=found.told)
        if found.outcome == "passes":
            return self.act(message, fighter=fighter, facts={"assault": {**fight, "step": STRIKE}})
        effects = (Effect(fighter=fighter.key, facts={"shocked": True}),) if is_platoon(fighter) else ()
        return self.act(message, fighter=fighter, effects=effects, facts={"assault": None})


def sides_of(state: TableState) -> tuple[list[TableFighter], list[TableFighter]] | None:
    """Return the units that strike now and the units they strike, or None if nobody strikes."""
    fight = fight_of(state)
    if fight is None or fight["step"] == RECEPTION:
        return None
    by, on = standing(state, fight["by"]), standing(state, fight["on"])
    return (by, on) if fight["step"] == STRIKE else (on, by)


def on_foot(units: list[TableFighter]) -> list[TableFighter]:
    """Return the units that are not vehicles, because a blow destroys only bases."""
    return [each for each in units if kind_of(each) != TANKS]


class AssaultBlowMove(UnitMove):
    """One blow: all units on the side that strikes roll dice, and each hit destroys a base."""

    id, label = "blow", gettext("Strike")
    words = gettext("Two bases destroyed in one blow drive the enemy off; one or none, and it strikes back.")
    dice_words = gettext("the dice of everybody who strikes")
    tells_results = True

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        rule, given = self.question(content, state, data)
        return rules.resolve_told(content, rule, given, rows, at_vehicles=rule == "tank-assault")

    def counting(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int], form: RollKind
    ) -> RollKind:
        found = next_result(form, lambda: self.counted(content, state, data, rows))
        if not found.results or rows:
            return found
        rule, given = self.question(content, state, data)
        if rule == "tank-assault":
            return replace(found, follows=True)
        groups = strikes(content, rules.RULES[rule].read(given).strikers)
        dice = joined(
            gettext("{dice} D6, each {hit} or more ({percent})").format(
                dice=count, hit=hit, percent=percent(chance_of(hit))
            )
            for count, hit in groups
        )
        most = sum(count for count, _hit in groups)
        choices = tuple(ResultChoice(str(n), str(n), "") for n in range(most + 1))
        return replace(
            found,
            need=gettext("Roll {dice}.").format(dice=dice),
            results=(ResultRow(gettext("Hits on my dice"), choices),),
        )

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        both = sides_of(state)
        only = tuple(each.key for each in both[0]) if both else ()
        return (Asks("fighter", gettext("Who"), "mine", only=only or ("-",), quiet=len(only) == 1),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        both = sides_of(state)
        if both is None:
            return gettext("No blow is due.")
        if not both[0] or not both[1]:
            return gettext("One side has no base left in this fight.")
        if all(kind_of(each) == TANKS for each in (*both[0], *both[1])):
            return gettext("Vehicles do not fight each other hand to hand.")
        return (
            ""
            if not whose or whose == both[0][0].key
            else gettext("{name} strikes first for its side.").format(name=both[0][0].name)
        )

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.able(content, state, data)
        both = sides_of(state)
        assert both is not None
        mine, theirs = both
        foot = on_foot(theirs)
        if not foot:
            main = on_foot(mine)[0]
            teams = sum(kind_of(each) == "team" for each in mine if each.key != main.key)
            attacker = told(fighting(state, main, heavy_teams=teams))
            return "tank-assault", {"attacker": attacker, "tanks": [told(tank) for _, tank in tanks_of(theirs[0])]}
        return "assault-strike", {
            "strikers": [told(fighting(state, each)) for each in mine], "enemy_bases": sum(bases(each) for each in foot),
            "why": gettext("Attack") if state.facts["assault"]["step"] == STRIKE else gettext("Counterattack"),
        }  # fmt: skip

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        both, fight = sides_of(state), fight_of(state)
        assert both is not None
        assert fight is not None
        mine, theirs = both
        attacks = fight["step"] == STRIKE
        verb = "strikes" if len(mine) == 1 else "strike"
        message = f"{_names(mine)} {verb} {'at' if attacks else 'back at'} {_names(theirs)}: "
        result, destroyed, hurt = _blow(state, theirs, found, mine[0].side)
        message += result
        left = sum(bases(each) for each in theirs) - destroyed
        if left <= 0 or self._counted(content, fight, destroyed, left) >= DECIDES:
            steady = not attacks and choice(content, "beaten-attacker") != "shocked"
            return self._decided(mine, theirs, hurt, left, message, steady)
        after = None
        if not attacks and choice(content, "after-counterattack") == "stops":
            message += gettext(" The fight ends where it stands.")
        else:
            message += f" {theirs[0].name} {'strikes back' if attacks else 'goes on'}."
            after = {**fight, "blows": fight["blows"] + 1, "step": BACK if attacks else STRIKE}
        return self.act(message, fighter=mine[0], effects=hurt.values(), facts={"assault": after})

    def _counted(self, content: HasReadings, fight: Mapping[str, Any], destroyed: int, left: int) -> int:
        """Return the losses that decide whether the side that was hit breaks."""
        if choice(content, "assault-casualties") == "per-roll":
            return destroyed
        return int(fight["on_start" if fight["step"] == STRIKE else "by_start"]) - left

    def _decided(
        self,
        winners: list[TableFighter],
        losers: list[TableFighter],
        hurt: dict[str, Effect],
        left: int,
        message: str,
        steady: bool,
    ) -> RollAct:
        """Return the act that ends the fight.

        `hurt` is what the last blow did to each loser; `steady` protects the losers from Shock.
        """
        if left > 0:
            verb = "falls" if len(losers) == 1 else "fall"
            message += (
                gettext(' {names} {verb} back {back_inches}".')
                if steady
                else gettext(' {names} {verb} back {back_inches}", Shocked.')
            ).format(names=_names(losers), verb=verb, back_inches=BACK_INCHES)
        else:
            message += gettext(" Nothing is left of {names}.").format(names=_names(losers))
        effects = dict(hurt)
        for each in losers:
            if is_platoon(each) and not steady:
                effect = effects.get(each.key) or Effect(fighter=each.key)
                effects[each.key] = msgspec.structs.replace(effect, facts={**effect.facts, "shocked": True})
        return self.act(message, fighter=winners[0], effects=effects.values(), facts={"assault": None})


def _blow(
    state: TableState, theirs: list[TableFighter], found: Resolved, by: str
) -> tuple[str, int, dict[str, Effect]]:
    """Return a blow as text, how many bases or vehicles it destroyed, and its effects by unit."""
    if any("destroyed" in effect for effect in found.effects):
        destroyed = int(found.effect("destroyed") or 0)
        return found.told, destroyed, _destroyed(theirs, destroyed, by)
    result, effects = tank_effect(state, theirs[0], found, by)
    return result, int(found.effect("tanks_destroyed") or 0), {each.fighter: each for each in effects}


def _destroyed(units: list[TableFighter], count: int, by: str) -> dict[str, Effect]:
    """Return the effects of destroyed bases, taken from the first unit on. A blow does not destroy vehicles."""
    found: dict[str, Effect] = {}
    for each in units:
        markers = taken_off(each, count) if count else {}
        if markers:
            count += sum(markers.values())
            found[each.key] = Effect(fighter=each.key, markers=markers, facts={"by": by})
    return found


class Join(TooFarMove):
    """A move: friends of the assaulted unit join the fight before its first blow."""

    id, label, move = "join", gettext("Friends join"), True
    words = gettext('Unengaged friends of the defender within 6" move in; never on Defend.')

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("who", gettext("Who"), "mine", only=joinable(state) or ("-",), several=True),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return "" if joinable(state) else gettext("No unit may join this fight now.")

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, "")
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fight, keys = fight_of(state), keys_in(data, "who")
        assert fight is not None
        if not keys:
            raise Refusal(gettext("No unit joins yet."), mend=gettext("Tick those that do."), code="nobody")
        closed = next((key for key in keys if key not in joinable(state)), "")
        if closed:
            raise Refusal(
                gettext("{name} cannot join.").format(name=state.fighter(closed).name),
                mend=gettext("Take the tick away."),
                code="with",
            )
        joined = [state.fighter(key) for key in keys]
        now_on = {
            **fight,
            "on": [*fight["on"], *keys],
            "on_start": fight["on_start"] + sum(bases(each) for each in joined),
        }
        first = state.fighter(fight["on"][0])
        return self.act(
            f"{_names(joined)} {'joins' if len(joined) == 1 else 'join'} {first.name}.",
            fighter=first,
            facts={"assault": now_on},
        )


def joinable(state: TableState) -> tuple[str, ...]:
    """Return the friends of the assaulted unit that may still join: before its first blow, not on Defend, not Shocked, not stranded."""
    fight = fight_of(state)
    if fight is None or fight["step"] != BACK or fight["blows"] != 1:
        return ()
    return tuple(
        each.key
        for each in state.of(state.fighter(fight["on"][0]).side)
        if each.key not in fight["on"] and _may_join(state, each)
    )


def _may_join(state: TableState, fighter: TableFighter) -> bool:
    held_up = fighter.facts.get("shocked") or fighter.facts.get("stranded")
    stands = fighter.fights and kind_of(fighter) in ("platoon", "team") and bases(fighter)
    return bool(stands) and not held_up and order_of(leader_of(state, fighter)) != "defend"


class LeaveAssaultMove(TooFarMove):
    """A move that ends a fight which the players resolved without the app."""

    id, label, move = "part", gettext("End the fight"), True
    words = gettext("The assault is over as the table says; correct its effects on the units.")

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return "" if fight_of(state) else gettext("No assault is under way.")

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        self.refuse(content, state, "")
        return self.act(gettext("The assault is over."), facts={"assault": None})


ASSAULT_PLAYS = (AssaultMove(), ReceptionMove(), AssaultBlowMove(), Join(), LeaveAssaultMove())
