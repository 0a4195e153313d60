"""An assault blow by blow: the nerve to go in, the nerve to stand, blows to and fro, friends that join, and who falls back.

The fight under way stands in the table's fact `assault`: `by` and `on` are the keys of both sides, whoever began first; `step` is
"reception", "strike" or "back". Bases that fall are told off the units at once.

Source: core rules, "Assaulting", "Tanks: Assault".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks
from rules.tracker.state import TableFighter, TableState
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import BACK_INCHES, DECIDES
from rules.trench_too_far.tracker.allowed import barred_assault
from rules.trench_too_far.tracker.firing import may_fire_at, tank_effect
from rules.trench_too_far.tracker.move import TooFarMove, fighter_in, keys_in, ticked, told
from rules.trench_too_far.tracker.units import (
    bases,
    fighting,
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
    """The assault under way, None where there is none."""
    found = state.facts.get("assault")
    return found if isinstance(found, dict) else None


def standing(state: TableState, keys: list[str]) -> list[TableFighter]:
    """Those of them that have anything left."""
    found = [each for key in keys for each in state.fighters if each.key == key]
    return [each for each in found if bases(each)]


def _names(fighters: list[TableFighter]) -> str:
    return ", ".join(each.name for each in fighters)


def helpers(state: TableState, fighter: TableFighter) -> tuple[str, ...]:
    """Teams and tanks of the company that may go in with a platoon."""
    found = []
    for each in members(state, leader_of(state, fighter)):
        if each.key == fighter.key or kind_of(each) in (COMPANY, "platoon") or not each.fights:
            continue
        still = kind_of(each) == TANKS and all("i" in how or how == "x" for _, _, how in vehicles(each))
        if not still and not any(now(state, each, what) for what in ("moved", "fired", "assaulted")):
            found.append(each.key)
    return tuple(found)


class AssaultMove(TooFarMove):
    """A platoon goes in, if it dares."""

    id, label = "assault", "Assault"
    words = "Fresh, it goes in without a roll; else a morale test. Who would not go in may fire within 8\u2033 at 6."
    dice_words = "a D6 where it has lost bases"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        able = tuple(each.key for each in state.fighters if each.fights and not barred_assault(content, state, each))
        found = [Asks("fighter", "Who", "mine", only=able or ("-",), leads=True)]
        fighter = next((each for each in state.fighters if each.key == data.get("fighter", "")), None)
        if fighter is None:
            return tuple(found)
        foes = may_fire_at(state, fighter)
        fight = fight_of(state)
        if fight is not None:
            foes = tuple(key for key in foes if key in fight["on"])
        found.append(Asks("target", "Whom", "foe", only=foes or ("-",)))
        beside = helpers(state, fighter)
        if beside:
            found.append(Asks("with", "With it", "mine", only=beside, several=True))
        return tuple(found)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        if not whose:
            return ""
        fight = fight_of(state)
        if fight is not None and (fight["blows"] or state.fighter(fight["by"][0]).side != state.fighter(whose).side):
            return "Another assault is under way."
        return barred_assault(content, state, state.fighter(whose))

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter, target = fighter_in(state, data), fighter_in(state, data, "target")
        self.refuse(content, state, fighter.key)
        fight = fight_of(state)
        if target.key not in may_fire_at(state, fighter) or (fight is not None and target.key not in fight["on"]):
            raise Refusal(f"{target.name} cannot be assaulted now.", mend="Name an enemy on the table.", code="target")
        for key in keys_in(data, "with"):
            if key not in helpers(state, fighter):
                raise Refusal(
                    f"{state.fighter(key).name} cannot go in with it.", mend="Take the tick away.", code="with"
                )
        return "assault-motivation", {"platoon": told(fighting(state, fighter))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter, target = fighter_in(state, data), fighter_in(state, data, "target")
        if found.outcome != "passes":
            effect = Effect(fighter=fighter.key, facts={"failed": state.turn})
            return self.act(
                f"{fighter.name} would assault {target.name}: {found.told}", fighter=fighter, effects=(effect,)
            )
        beside = [state.fighter(key) for key in keys_in(data, "with")]
        effects = [Effect(fighter=each.key, facts={"assaulted": state.turn}) for each in (fighter, *beside)]
        fight = fight_of(state)
        keys = [fighter.key, *(each.key for each in beside)]
        if fight is not None:
            now_on = {
                **fight,
                "by": [*fight["by"], *keys],
                "by_start": fight["by_start"] + sum(bases(each) for each in (fighter, *beside)),
            }
        else:
            now_on = {
                "by": keys, "on": [target.key], "step": STRIKE if kind_of(target) == TANKS else RECEPTION, "blows": 0,
                "by_start": sum(bases(each) for each in (fighter, *beside)), "on_start": bases(target),
            }  # fmt: skip
        also = f" with {_names(beside)}" if beside else ""
        far = found.effect("move_inches")
        reach = f', up to {far:g}"' if isinstance(far, (int, float)) else ""
        return self.act(
            f"{fighter.name} assaults {target.name}{also}{reach}. {found.told}",
            fighter=fighter,
            effects=effects,
            facts={"assault": now_on},
        )


class ReceptionMove(TooFarMove):
    """The assaulted stand, or do not."""

    id, label = "reception", "Stand"
    words = "In the open a morale test: who fails falls back its standard rate and is Shocked, without a fight."
    dice_words = "a D6, none in trenches, fortifications and buildings"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        fight = fight_of(state)
        found = [Asks("fighter", "Who", "mine", only=tuple(fight["on"][:1]) if fight else ("-",))]
        if fight and state.fighter(fight["on"][0]).facts.get("position") != "entrenched":
            found.append(Asks("building", "It is in a building or fortification"))
        return tuple(found)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        fight = fight_of(state)
        if fight is None or fight["step"] != RECEPTION:
            return "Nobody is being assaulted."
        return "" if not whose or whose == fight["on"][0] else f"{state.fighter(whose).name} is not the one assaulted."

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        fighter = fighter_in(state, data)
        self.refuse(content, state, fighter.key)
        return "assault-reception", {"defender": told(fighting(state, fighter, in_building=ticked(data, "building")))}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter, fight = fighter_in(state, data), fight_of(state)
        assert fight is not None
        if found.outcome == "passes":
            return self.act(
                f"{fighter.name} is assaulted. {found.told}",
                fighter=fighter,
                facts={"assault": {**fight, "step": STRIKE}},
            )
        effects = (Effect(fighter=fighter.key, facts={"shocked": True}),) if is_platoon(fighter) else ()
        return self.act(
            f"{fighter.name} is assaulted. {found.told}", fighter=fighter, effects=effects, facts={"assault": None}
        )


def sides_of(state: TableState) -> tuple[list[TableFighter], list[TableFighter]] | None:
    """Who strikes now, and at whom; None where nobody does."""
    fight = fight_of(state)
    if fight is None or fight["step"] == RECEPTION:
        return None
    by, on = standing(state, fight["by"]), standing(state, fight["on"])
    return (by, on) if fight["step"] == STRIKE else (on, by)


def on_foot(units: list[TableFighter]) -> list[TableFighter]:
    """Those of them that are no vehicles: what a blow destroys."""
    return [each for each in units if kind_of(each) != TANKS]


class AssaultBlowMove(TooFarMove):
    """One blow: everybody on the side that strikes rolls, each hit destroys a base."""

    id, label = "blow", "Strike"
    words = "Two bases destroyed in one blow drive the enemy off; one or none, and it strikes back."
    dice_words = "the dice of everybody who strikes"

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        both = sides_of(state)
        only = tuple(each.key for each in both[0]) if both else ()
        return (Asks("fighter", "Who", "mine", only=only or ("-",)),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        both = sides_of(state)
        if both is None:
            return "No blow is due."
        if not both[0] or not both[1]:
            return "One side has nobody left in this fight."
        if all(kind_of(each) == TANKS for each in (*both[0], *both[1])):
            return "Vehicles do not fight each other hand to hand."
        return "" if not whose or whose == both[0][0].key else f"{both[0][0].name} strikes first for its side."

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        striker = fighter_in(state, data)
        self.refuse(content, state, striker.key)
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
            "why": "Attack" if state.facts["assault"]["step"] == STRIKE else "Counterattack",
        }  # fmt: skip

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        both, fight = sides_of(state), fight_of(state)
        assert both is not None
        assert fight is not None
        mine, theirs = both
        attacks = fight["step"] == STRIKE
        head = f"{_names(mine)} {'strikes' if len(mine) == 1 else 'strike'} {'at' if attacks else 'back at'} {_names(theirs)}: "
        if "destroyed" in {name for table in found.effects for name in table}:
            destroyed = int(found.effect("destroyed") or 0)
            hurt = _destroyed(theirs, destroyed, mine[0].side)
            words = found.told
        else:
            destroyed = int(found.effect("tanks_destroyed") or 0)
            words, effects = tank_effect(state, theirs[0], found, mine[0].side)
            hurt = {each.fighter: each for each in effects}
        left = sum(bases(each) for each in theirs) - destroyed
        start = int(fight["on_start" if attacks else "by_start"])
        counted = destroyed if choice(content, "assault-casualties") == "per-roll" else start - left
        if left <= 0 or counted >= DECIDES:
            return self._decided(content, state, fight, theirs, hurt, left, head + words)
        following: dict[str, Any] | None = {**fight, "blows": fight["blows"] + 1, "step": BACK if attacks else STRIKE}
        if not attacks and choice(content, "after-counterattack") == "stops":
            following, words = None, f"{words} The fight ends where it stands."
        else:
            words = f"{words} {theirs[0].name} {'strikes back' if attacks else 'goes on'}."
        return self.act(head + words, fighter=mine[0], effects=hurt.values(), facts={"assault": following})

    def _decided(
        self, content: HasReadings, state: TableState, fight: Mapping[str, Any], losers: list[TableFighter],
        hurt: dict[str, Effect], left: int, words: str,
    ) -> RollAct:  # fmt: skip
        both = sides_of(state)
        assert both is not None
        steady = fight["step"] == BACK and choice(content, "beaten-attacker") != "shocked"
        if left > 0:
            words += f' {_names(losers)} {"falls" if len(losers) == 1 else "fall"} back {BACK_INCHES}"'
            words += "." if steady else ", Shocked."
        else:
            words += f" Nothing is left of {_names(losers)}."
        effects = dict(hurt)
        for each in losers:
            if is_platoon(each) and not steady:
                had = effects.get(each.key)
                facts = {**(had.facts if had else {}), "shocked": True}
                effects[each.key] = Effect(fighter=each.key, markers=had.markers if had else {}, facts=facts)
        return self.act(words, fighter=both[0][0], effects=effects.values(), facts={"assault": None})


def _destroyed(units: list[TableFighter], count: int, by: str) -> dict[str, Effect]:
    """Bases that fall, from the first unit on; vehicles fall to other weapons."""
    found: dict[str, Effect] = {}
    for each in units:
        markers = taken_off(each, count) if count else {}
        if markers:
            count += sum(markers.values())
            found[each.key] = Effect(fighter=each.key, markers=markers, facts={"by": by})
    return found


class Join(TooFarMove):
    """Friends of the assaulted move in before their first blow."""

    id, label, words, move = (
        "join",
        "Friends join",
        'Unengaged friends of the defender within 6" move in; never on Defend.',
        True,
    )

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("who", "Who", "mine", only=joinable(state) or ("-",), several=True),)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return "" if joinable(state) else "Nobody may join this fight now."

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.refuse(content, state, "")
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fight, keys = fight_of(state), keys_in(data, "who")
        assert fight is not None
        if not keys:
            raise Refusal("Nobody joins yet.", mend="Tick whoever does.", code="nobody")
        closed = next((key for key in keys if key not in joinable(state)), "")
        if closed:
            raise Refusal(f"{state.fighter(closed).name} cannot join.", mend="Take the tick away.", code="with")
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
    """Friends of the assaulted that may still move in: before its first blow, under no Defend, neither Shocked nor stranded."""
    fight = fight_of(state)
    if fight is None or fight["step"] != BACK or fight["blows"] != 1:
        return ()
    first = state.fighter(fight["on"][0])
    return tuple(
        each.key for each in state.of(first.side)
        if each.fights and kind_of(each) in ("platoon", "team") and each.key not in fight["on"] and not each.facts.get("shocked")
        and not each.facts.get("stranded") and order_of(leader_of(state, each)) != "defend" and bases(each)
    )  # fmt: skip


class LeaveAssaultMove(TooFarMove):
    """The table ends a fight that it played otherwise."""

    id, label, words, move = (
        "part",
        "End the fight",
        "The assault is over as the table says; what it did is put right on the units.",
        True,
    )

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return "" if fight_of(state) else "No assault is under way."

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        self.refuse(content, state, "")
        return self.act("The assault is over.", facts={"assault": None})


ASSAULT_PLAYS = (AssaultMove(), ReceptionMove(), AssaultBlowMove(), Join(), LeaveAssaultMove())
