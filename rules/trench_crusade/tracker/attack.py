"""Attacks at the table of Trench Crusade: with the fighters' own weapons as their rosters tell them, or told by hand.

What an attacker brings and a target meets comes from `table.arms`, exactly as the odds of an attack do; what lies on the table (markers,
Down, Shaken, what has saved it before) goes in by itself. Source: Attacks 1.6; Turns and actions 1.0, Shoot and Fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.content.compiled import Content
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.resolvers.situation import Situation, Toggle
from rules.tracker.acts import Effect
from rules.tracker.rolls import Asks, RollKind
from rules.tracker.state import TableFighter, TableState
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.attack import INJURIES, STRIKES_OTHERS, may_stray
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.defences import defence
from rules.trench_crusade.resolvers.injury import bloodbath_cost
from rules.trench_crusade.resolvers.inputs import ARMOUR_FIELDS, Target
from rules.trench_crusade.resolvers.rules import odds
from rules.trench_crusade.tracker.rolls import (
    WEAPON,
    able,
    fell_words,
    figure,
    held,
    spending,
    suffered,
    taken,
    that_count,
    ticked,
    weapon_words,
)

BY_HAND = "by-hand"
INJURY = (
    Asks("injury_dice", "Dice to injure", "number", -6, 6, group="Injury"),
    Asks("armour", "Armour, empty for the fighter's own", "number", -9, 0, group="Injury"),
    Asks("base_dice", "Base dice", "option", options=(("2", "2"), ("3", "3"), ("4", "4")), usual="2", group="Injury"),
    Asks("injury_blood_spent", "Its markers spent", "number", 0, 12, group="Injury"),
    Asks("injury_blessing_spent", "Its blessings spent", "number", 0, 6, group="Injury"),
    Asks("bloodbath", "Bloodbath", group="Injury"),
)
_WHO = Asks("fighter", "Who attacks", "mine", leads=True)
_WHOM = Asks("target", "Whom", "foe", leads=True)
TOLD = (
    Asks("way", "How", "option", options=(("ranged", "Ranged"), ("melee", "Melee")), usual="ranged"),
    Asks("dice", "Further dice to hit", "number", -6, 6, group="To hit"),
    Asks("long_range", "Long range", group="To hit"),
    Asks("cover", "Cover", group="To hit"),
    Asks("elevated", "From above", group="To hit"),
    Asks("defended_obstacle", "Defended obstacle", group="To hit"),
    Asks("off_hand", "Off-hand", group="To hit"),
    Asks("diving_charge", "Diving charge", group="To hit"),
    Asks("blood_spent", "Attacker's markers spent", "number", 0, 12, group="To hit"),
    Asks("blessing_spent", "Attacker's blessings spent", "number", 0, 6, group="To hit"),
    *WEAPON, *INJURY,
)  # fmt: skip
ATTACK = RollKind(
    "attack", "Attack", "To hit, then to injure; what it does is written down at once.", (_WHO, _WHOM, *TOLD),
    "the dice to hit, then those of the injury",
)  # fmt: skip
# What the table knows already of attacker and target.
KNOWN = ("down", "target_down", "around", "target_to_act", "own_blood", "target_blood")
# Figures that a player sees as at most what lies there: whose markers, and which.
LYING = {
    "blood_spent": ("mine", ("blood", "infection")), "blessing_spent": ("mine", ("blessing",)),
    "injury_blood_spent": ("theirs", ("blood", "infection")), "injury_blessing_spent": ("theirs", ("blessing",)),
}  # fmt: skip
WORDS = {
    "failure": "missed", "success": "hit", "no-effect": "no effect", "minor-hit": "minor hit", "down": "Down", "out-of-action": "out",
}  # fmt: skip

Forces = Callable[[str], Force | None]


@dataclass(frozen=True, slots=True)
class AttackRequest:
    """Everything about an attack with a weapon: who, whom, and how, as far as it is answered."""

    content: Content
    forces: Forces
    state: TableState
    data: Mapping[str, str]

    @property
    def fighter(self) -> TableFighter:
        """Who attacks. Raises Refusal."""
        return able(self.state, self.data.get("fighter", ""), "Who attacks")

    @property
    def target(self) -> TableFighter:
        """Who is attacked. Raises Refusal."""
        return able(self.state, self.data.get("target", ""), "Who is hit")

    def force(self, fighter: TableFighter) -> tuple[Force, str] | None:
        """The force it stands in and its key there; None for a guest's, or one that is on the roster no longer."""
        force = self.forces(fighter.side)
        if force is None or all(row.key != fighter.row for row in force.fighters):
            return None
        return force, fighter.row

    def ways(self) -> tuple[tuple[str, str], ...]:
        """How it may attack: keys and words, those used up left out; none where its roster is not known."""
        fighter = self.fighter
        mine = self.force(fighter)
        if mine is None:
            return ()
        gone = {piece.name for piece in fighter.kit} - {piece.name for piece in fighter.kit if not piece.used}
        known = [arm for arm in arms(self.content, *mine) if arm.name not in gone]
        return tuple((arm.key, f"{arm.name}, {arm.words}" if arm.words else arm.name) for arm in known)

    def is_told(self) -> bool:
        """Whether it is told by hand: so wished, or no roster tells."""
        arm = self.data.get("arm", "")
        return not arm or arm == BY_HAND or self.force(self.fighter) is None or self.force(self.target) is None

    def situation(self, target: TableFighter, *, first: bool = True, around: bool = False) -> Situation:
        """This attack at a target, or as it meets one who stands around in its blast. What is spent belongs to the first of several.

        Raises Refusal.
        """
        mine, theirs = self.force(self.fighter), self.force(target)
        if mine is None or theirs is None:
            raise Refusal(
                f"The roster of {target.name} is not known here.", mend="Tell the attack by hand.", code="roster"
            )
        told = {name: _answered(self.data, name) for name in self.data if name not in _OTHERS}
        told["around"] = int(around)
        if not first:
            told |= dict.fromkeys(LYING, 0) | {"bloodbath": 0}
        told |= {
            "down": int(self.fighter.down),
            "target_down": int(target.down),
            "target_to_act": int(not target.acted),
            "own_blood": self.fighter.markers.get("blood", 0),
            "target_blood": target.markers.get("blood", 0),
        }
        return situation(self.content, mine, self.data["arm"], theirs, told)


# Answers that are no switches or figures.
_OTHERS = frozenset({"fighter", "target", "arm", "friend", "caught", "way"})


def _answered(data: Mapping[str, str], name: str) -> int:
    """A switch or a figure as it was answered; what is neither counts as not thrown. Raises Refusal for a figure that is none."""
    if name in LYING or name in ("dice", "injury_dice"):
        return figure(data, name)
    text = str(data[name]).strip().replace("−", "-")
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 4 else int(text.lower() in ("on", "true", "yes"))
    )


# --- what is asked -----------------------------------------------------------------------------------------------------------


def asking(strike: AttackRequest) -> RollKind:
    """The form of an attack as far as it is answered: weapons of who attacks, then what bears on it. An answer that is none counts as open."""
    data = strike.data
    if not _stands(strike, "fighter"):
        return replace(ATTACK, asks=(_WHO, _WHOM))
    ways = strike.ways()
    if not ways:
        return ATTACK
    arm = Asks("arm", "With", "option", options=(*ways, (BY_HAND, "Told by hand")), leads=True)
    leads = (_WHO, arm, _WHOM)
    if not _stands(strike, "target") or data.get("arm") not in dict(arm.options):
        return replace(ATTACK, asks=leads)
    if strike.is_told():
        told = tuple(a for a in TOLD if a.name != "bloodbath" or affords_bloodbath(strike.target))
        return replace(ATTACK, asks=(*leads, *told))
    found = strike.situation(strike.target)
    asks = (
        *leads,
        *_aimed(strike, found),
        *(_ask_of(strike, toggle, found) for toggle in found.toggles if _asked(strike, toggle, found)),
    )
    words = {"mine": "Mine", "theirs": "Theirs"}
    return replace(
        ATTACK,
        asks=asks,
        reckoned=found.causes,
        unreckoned=tuple(f"{words.get(whose, whose)}: {told}" for whose, told in found.unreckoned),
        odds_words=_odds_words(strike, found),
    )


def _stands(strike: AttackRequest, name: str) -> bool:
    return any(fighter.key == strike.data.get(name) and fighter.fights for fighter in strike.state.fighters)


def _aimed(strike: AttackRequest, found: Situation) -> Iterator[Asks]:
    """Whom it goes at besides: further attacks, friends in a melee, those around where a blast lands."""
    state, fighter, target = strike.state, strike.fighter, strike.target
    foes = [other for other in state.fighters if other.side != fighter.side and other.fights and strike.force(other)]
    for place in range(2, len(found.given.get("attacks", (0,))) + 1):
        options = (("", f"{target.name} again"), *((foe.key, foe.name) for foe in foes if foe.key != target.key))
        yield Asks(f"target_{place}", f"Attack {place} at", "option", options=options, group="Further attacks")
    attacks = found.given.get("attacks", (found.given,))
    if _is_ranged(strike) and may_stray(frozenset(attacks[0]["keywords"])):
        friends = [f for f in state.of(fighter.side) if f.fights and f.key != fighter.key]
        options = (("", "The target is not in melee"), *((f.key, f"In melee beside {f.name}") for f in friends))
        yield Asks("friend", "Shot into melee", "option", options=options)
    blasts, strikes = (any(word in one["keywords"] for one in attacks) for word in ("BLAST", STRIKES_OTHERS))
    if blasts or strikes:
        around = tuple(f.key for f in state.fighters if f.fights and f.key != target.key and strike.force(f))
        words, group = ("Caught in the blast", "Blast") if blasts else ("Struck besides", "Others")
        if around:
            yield Asks("caught", words, "anybody", only=around, several=True, group=group)
    if blasts:
        yield Asks("at_point", "Aimed at a point, not at a fighter", group="Blast")
        yield Asks("landed", "It landed there: no roll to hit", group="Blast")


def _is_ranged(strike: AttackRequest) -> bool:
    return strike.data["arm"].endswith(":ranged")


def _asked(strike: AttackRequest, toggle: Toggle, found: Situation) -> bool:
    return toggle.key not in KNOWN and _most(strike, toggle, found) > toggle.least


def affords_bloodbath(target: TableFighter, cost: int | None = None) -> bool:
    """Whether enough markers lie on a target for a Bloodbath: six, three while it is Down, or what a rule says instead."""
    wanted = bloodbath_cost(Target(down=target.down), cost)
    return sum(target.markers.get(name, 0) for name in ("blood", "infection")) >= max(1, wanted)


def _most(strike: AttackRequest, toggle: Toggle, found: Situation) -> int:
    """The most of a figure: no more markers than lie there."""
    if toggle.key == "bloodbath":
        return int(affords_bloodbath(strike.target, found.given.get("bloodbath_cost")))
    whose, names = LYING.get(toggle.key, ("", ()))
    if not whose:
        return toggle.most
    who = strike.fighter if whose == "mine" else strike.target
    return min(12, sum(who.markers.get(name, 0) for name in names))


def _ask_of(strike: AttackRequest, toggle: Toggle, found: Situation) -> Asks:
    if toggle.is_switch:
        return Asks(toggle.key, toggle.words, group="At the table")
    return Asks(
        toggle.key, toggle.words, "number", toggle.least, _most(strike, toggle, found), group="Dice and markers"
    )


def _odds_words(strike: AttackRequest, found: Situation) -> str:
    """The exact odds in a line; "" where there are too many ways to go."""
    try:
        _, given = question(replace(strike, data={**strike.data, "caught": ""}))
        outcomes = odds(strike.content, "attack", given).outcomes
    except Refusal:
        return ""
    told = [f"{words} {float(outcomes[name]) * 100:.1f} %" for name, words in WORDS.items() if outcomes.get(name)]
    return ", ".join(told)


# --- the resolver's input ----------------------------------------------------------------------------------------------------


def question(strike: AttackRequest) -> tuple[str, dict[str, Any]]:
    """The rule and input of an attack with a weapon. Raises Refusal."""
    data, state, fighter = strike.data, strike.state, strike.fighter
    if data["arm"] not in {key for key, _ in strike.ways()}:
        raise Refusal(
            f"{fighter.name} does not attack like that.", mend="Choose one of its weapons.", code="not-offered"
        )
    _refuse_idle_markers(strike)
    planned = []
    for place, target in enumerate(targets(strike)):
        found = strike.situation(target, first=place == 0)
        plain = (
            found.given["attacks"][min(place, len(found.given["attacks"]) - 1)]
            if "attacks" in found.given
            else found.given
        )
        given = {
            **plain,
            "target": _meets(target, plain["target"]),
            "down": fighter.down,
            "shaken": state.side(fighter.side).shaken == state.turn,
            **(held(fighter) if place == 0 else {}),
        }
        if ticked(data, "at_point"):
            given["at_point"] = True
        if ticked(data, "landed"):
            given["automatic_hit"] = True
        if data.get("friend"):
            given |= {"into_melee": True, "friend": _friend(strike, plain)}
        planned.append(given)
    if caught := caught_of(strike):
        planned[0]["caught"] = [_caught(strike, other, planned[0]) for other in caught]
    return "attack", {"attacks": planned} if len(planned) > 1 else planned[0]


def _refuse_idle_markers(strike: AttackRequest) -> None:
    """Raises Refusal for markers told to a roll that this attack does not make: they would leave the table for nothing."""
    offered = {toggle.key for toggle in strike.situation(strike.target).toggles}
    told = [name for name in LYING if figure(strike.data, name)]
    told += ["bloodbath"] if ticked(strike.data, "bloodbath") else []
    if idle := [name for name in told if name not in offered]:
        roll = "injury" if idle[0].startswith("injury") or idle[0] == "bloodbath" else "hit"
        raise Refusal(
            f"No markers are spent on the {roll} of this attack.",
            mend="Take their number back to nought.",
            code="markers",
        )


def targets(strike: AttackRequest) -> tuple[TableFighter, ...]:
    """The target of each attack of the weapon, in order. Raises Refusal."""
    first = strike.target
    count = len(strike.situation(first).given.get("attacks", (0,)))
    others = [strike.data.get(f"target_{place}", "") for place in range(2, count + 1)]
    return (first, *(able(strike.state, key, "Who is hit") if key else first for key in others))


def caught_of(strike: AttackRequest) -> tuple[TableFighter, ...]:
    """Those whom the blast catches besides. Raises Refusal."""
    keys = [key for key in strike.data.get("caught", "").split(",") if key and key != strike.data.get("target")]
    return tuple(able(strike.state, key, "Caught in the blast") for key in keys)


def friend_of(strike: AttackRequest) -> TableFighter | None:
    """The friend in the melee that is shot into. Raises Refusal."""
    key = strike.data.get("friend", "")
    return able(strike.state, key, "Shot into melee") if key else None


def _meets(target: TableFighter, plain: Mapping[str, Any]) -> dict[str, Any]:
    """A target as the table has it: its markers, and what has saved it before. Its key names it, which no two share."""
    return {
        **plain, "name": target.key, "down": target.down, **held(target), "tough_used": bool(target.facts.get("tough_used")),
        "ignores_out": bool(plain.get("ignores_out")) and not target.facts.get("ignores_out_used"),
        **({"first_down": "", "first_down_tough": False} if target.facts.get("first_down_used") else {}),
    }  # fmt: skip


def _friend(strike: AttackRequest, plain: Mapping[str, Any]) -> dict[str, Any]:
    friend = friend_of(strike)
    assert friend is not None
    return {
        **dict.fromkeys(ARMOUR_FIELDS, 0),
        **_defended(strike, friend),
    }  # fmt: skip


def _defended(strike: AttackRequest, other: TableFighter) -> dict[str, Any]:
    known = strike.force(other)
    if known is None:
        facts = other.facts
        return {**_meets(other, {}), "armour": int(facts.get("armour", 0))}
    found = defence(strike.content, *known)
    return {
        **_meets(other, found["target"]), **{name: found[name] for name in ARMOUR_FIELDS},
    }  # fmt: skip


def _caught(strike: AttackRequest, other: TableFighter, main: Mapping[str, Any]) -> dict[str, Any]:
    """Another in the blast: its own armour, and the dice that it meets the weapon with in place of the target's."""
    if strike.force(other) is None:
        raise Refusal(
            f"The roster of {other.name} is not known here.", mend="Roll its injury by itself.", code="roster"
        )
    found = strike.situation(other, first=False, around=True)
    plain = found.given["attacks"][0] if "attacks" in found.given else found.given

    def dice(given: Mapping[str, Any]) -> int:
        return sum(modifier["dice"] for modifier in given["injury_modifiers"])

    def flat(given: Mapping[str, Any]) -> int:
        return int(given["injury_modifier"] + sum(one["number"] for one in given["injury_flats"]))

    return {
        "target": _meets(other, plain["target"]), **{name: plain[name] for name in ARMOUR_FIELDS},
        "injury_dice": dice(plain) - dice(main), "injury_modifier": flat(plain) - flat(main),
        "keywords": plain["keywords"], "base_dice": plain["base_dice"],
    }  # fmt: skip


def told_question(strike: AttackRequest, injury: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The rule and input of an attack told by hand; `injury` is what a hit would be. Raises Refusal."""
    fighter, data = strike.fighter, strike.data
    switches = ("long_range", "cover", "elevated", "defended_obstacle", "off_hand", "diving_charge")
    return "attack", {
        "kind": data.get("way") or "ranged",
        "ranged": int(fighter.facts.get("ranged", 0)),
        "melee": int(fighter.facts.get("melee", 0)),
        **{name: ticked(data, name) for name in switches},
        **spending(strike.state, data, "Who attacks"),
        **injury,
    }


def injury_input(
    data: Mapping[str, str], target: TableFighter, before: str, known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """An injury on a target as it is told by hand. `before` is what stands before the names of its dice and markers.

    `known`: how its roster meets injuries (see `defence`), None where nobody knows. Armour that is told takes the place of its own.
    """
    facts, told = target.facts, data.get("armour", "").strip()
    plain = {
        "tough": bool(facts.get("tough")), "golem": bool(facts.get("golem")), "fear": bool(facts.get("fear")),
        "negates": list(facts.get("negates", ())),
    }  # fmt: skip
    armour = {"armour": int(facts.get("armour", 0))} if known is None else {name: known[name] for name in ARMOUR_FIELDS}
    return {
        f"{before}dice": figure(data, "injury_dice"),
        f"{before}blood_spent": figure(data, "injury_blood_spent"),
        f"{before}blessing_spent": figure(data, "injury_blessing_spent"),
        **({"armour": figure(data, "armour")} if told else armour),
        "base_dice": figure(data, "base_dice", 2),
        "bloodbath": ticked(data, "bloodbath"),
        "keywords": weapon_words(data),
        "target": _meets(target, plain if known is None else known["target"]),
    }


# --- what it did -------------------------------------------------------------------------------------------------------------


def rolled(strike: AttackRequest, found: Resolved) -> tuple[str, tuple[Effect, ...]]:
    """An attack in a sentence, and what it did to the attacker and to everybody who was hit."""
    data, fighter = strike.data, strike.fighter
    spent = taken(fighter, figure(data, "blood_spent"), figure(data, "blessing_spent"))
    ends = bool(found.effect("activation_ends")) and not fighter.acted
    effects = [Effect(fighter=fighter.key, markers=spent, acted=True if ends else None)]
    by_hand = strike.is_told()
    planned = (strike.target,) if by_hand else targets(strike)
    weapon = "" if by_hand else _weapon_words(data["arm"], dict(strike.ways()).get(data["arm"], ""))
    hurt: dict[str, list[Resolved]] = {}
    told = []
    steps = iter(found.steps if len(planned) > 1 else (found,))
    gone: set[str] = set()
    for place, target in enumerate(planned):
        if target.key in gone:
            continue
        done = next(steps, None)
        if done is None:
            break
        words, hits = _one(strike, target, done, with_blast=place == 0 and not by_hand)
        told.append(words)
        for key, injury in hits:
            hurt.setdefault(key, []).append(injury)
            if injury.effect("out_of_action"):
                gone.add(key)
    for key, injuries in hurt.items():
        effects.append(suffered(fighter, strike.state.fighter(key), injuries))
    return f"{fighter.name}{weapon} {' '.join(told)}", that_count(_joined(effects))


def _weapon_words(arm: str, words: str) -> str:
    return " unarmed" if arm.startswith("unarmed:") else f" with {words.rpartition(', ')[0] or words}"


def _one(
    strike: AttackRequest, target: TableFighter, done: Resolved, *, with_blast: bool
) -> tuple[str, list[tuple[str, Resolved]]]:
    """One attack in words, and whom it hurt how."""
    steps = list(done.steps)
    at = target
    told = []
    if steps and steps[0].outcome in ("friend", "enemy"):
        into = steps.pop(0)
        told.append(f"{into.told}{fell_words(into)}")
        friend = friend_of(strike)
        at = friend if into.outcome == "friend" and friend is not None else target
    injuries = [step for step in steps if step.outcome in INJURIES]
    hit = next((step for step in steps if step.outcome not in INJURIES), None)
    at_point = with_blast and ticked(strike.data, "at_point")
    if injuries:
        told.append(f"{hit.told}{fell_words(hit)}" if hit else done.told)
    else:
        told.append(f"{done.told}{fell_words(done)}")
    hurt = [] if at_point else [at]
    hurt += caught_of(strike) if with_blast else ()
    pairs = list(zip((one.key for one in hurt), injuries, strict=False))
    names = {one.key: one.name for one in hurt}
    plain = len(pairs) == 1 and pairs[0][0] == target.key
    told += [f"{'' if plain else f'{names[key]}: '}{injury.told}{fell_words(injury)}" for key, injury in pairs]
    return f"{'at a point' if at_point else f'at {target.name}'}: {' '.join(told)}", pairs


def _joined(effects: list[Effect]) -> Iterator[Effect]:
    """Where somebody is hurt by its own blast, what it spent and what it suffers are one effect."""
    found: dict[str, Effect] = {}
    for effect in effects:
        before = found.get(effect.fighter)
        if before is None:
            found[effect.fighter] = effect
            continue
        marks = {
            name: before.markers.get(name, 0) + effect.markers.get(name, 0)
            for name in {*before.markers, *effect.markers}
        }
        found[effect.fighter] = Effect(
            fighter=effect.fighter, markers={name: count for name, count in marks.items() if count},
            down=effect.down, out=effect.out, by=effect.by, acted=None if effect.out else before.acted, facts=effect.facts,
        )  # fmt: skip
    yield from found.values()
