"""The resolver's input for an attack at the table: with the fighters' own weapons, or as entered by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.problems import Refusal
from rules.tracker.rolls import ticked
from rules.tracker.state import TableFighter
from rules.translation import gettext
from rules.trench_crusade.resolvers.defences import defence
from rules.trench_crusade.resolvers.inputs import ARMOUR_FIELDS
from rules.trench_crusade.tracker.attack_request import LYING, OF_THE_INJURY, AttackRequest
from rules.trench_crusade.tracker.attack_run import AttackRun, planned_attack, run_of
from rules.trench_crusade.tracker.rolls import able, figure, held, payable, spending, weapon_words


def weapon_question(strike: AttackRequest) -> tuple[str, dict[str, Any]]:
    """Return the rule and input of an attack with a weapon; of several attacks of one ACTION the one made now. Raises Refusal."""
    data, state, fighter = strike.data, strike.state, strike.fighter
    if data["arm"] not in {key for key, _ in strike.ways()}:
        raise Refusal(
            gettext("{name} does not attack like that.").format(name=fighter.name),
            mend=gettext("Choose one of its weapons."),
            code="not-offered",
        )
    _refuse_idle_markers(strike)
    stated: dict[str, Any] = {"down": fighter.down, "shaken": state.side(fighter.side).shaken == state.turn}
    if ticked(data, "at_point"):
        stated["at_point"] = True
    if ticked(data, "landed"):
        stated["automatic_hit"] = True
    run = run_of(strike)
    if run.bound_to not in ("", strike.target.key):
        raise Refusal(
            gettext("All attacks with this weapon go at {name}.").format(name=state.fighter(run.bound_to).name),
            mend=gettext("Choose the same target."),
            code="one-target",
        )
    planned = _planned(strike, run, stated)
    if friend := friend_of(strike):
        planned["into_melee"] = True
        if strike.force(friend) is None:
            planned["friend"] = {**dict.fromkeys(ARMOUR_FIELDS, 0), **_defended(strike, friend)}
        else:
            planned["at_friend"] = _planned(at_friend(strike, friend), run, stated)
    return "attack", planned


def _planned(strike: AttackRequest, run: AttackRun, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input of the attack made now, at this target."""
    attack = planned_attack(strike, run)
    planned = {**attack, "target": _meets(strike.target, attack["target"]), **stated, **payable(strike.fighter)}
    if caught := caught_of(strike):
        planned["caught"] = [_caught(strike, other, planned) for other in caught]
    return planned


def at_friend(strike: AttackRequest, friend: TableFighter) -> AttackRequest:
    """Return the same attack at a friend in the melee: nothing is spent on the friend."""
    dropped = {"friend", *OF_THE_INJURY}
    given = {name: answer for name, answer in strike.data.items() if name not in dropped}
    return replace(strike, data={**given, "target": friend.key})


def whole_action(strike: AttackRequest) -> dict[str, Any]:
    """Return the input of all attacks of a weapon in one ACTION at the target, as the table stands now. Raises Refusal."""
    fighter, target = strike.fighter, strike.target
    stated = {"down": fighter.down, "shaken": strike.state.side(fighter.side).shaken == strike.state.turn}
    planned = [
        {**attack, **stated, "target": _meets(target, attack["target"])} for attack in strike.situation(target).attacks
    ]
    return {"attacks": planned} if len(planned) > 1 else planned[0]


def _refuse_idle_markers(strike: AttackRequest) -> None:
    """Raise Refusal for markers spent on a roll that this attack does not make: they would be lost for nothing."""
    offered = {toggle.key for toggle in strike.situation(strike.target).toggles}
    told = [name for name in LYING if figure(strike.data, name)]
    told += ["bloodbath"] if ticked(strike.data, "bloodbath") else []
    if idle := [name for name in told if name not in offered]:
        roll = "injury" if idle[0].startswith("injury") or idle[0] == "bloodbath" else "hit"
        raise Refusal(
            gettext("No markers are spent on the {roll} of this attack.").format(roll=roll),
            mend=gettext("Set their number to 0."),
            code="markers",
        )


def caught_of(strike: AttackRequest) -> tuple[TableFighter, ...]:
    """Return the other fighters caught in the blast. Raises Refusal."""
    keys = [key for key in strike.data.get("caught", "").split(",") if key and key != strike.data.get("target")]
    return tuple(able(strike.state, key, gettext("Caught in the blast")) for key in keys)


def friend_of(strike: AttackRequest) -> TableFighter | None:
    """Return the friend in the melee that the attack shoots into. Raises Refusal."""
    key = strike.data.get("friend", "")
    return able(strike.state, key, gettext("Shot into melee")) if key else None


def _meets(target: TableFighter, plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return a target as the table has it: its markers, and what has saved it before.

    It is named by its key, which is unique.
    """
    return {
        **plain, "name": target.key, "down": target.down, **held(target), "keeps_infection": bool(target.facts.get("keeps_infection")), "tough_used": bool(target.facts.get("tough_used")),
        "ignores_out": bool(plain.get("ignores_out")) and not target.facts.get("ignores_out_used"),
        **({"first_down": "", "first_down_tough": False} if target.facts.get("first_down_used") else {}),
        **({"spares": 0} if target.facts.get("spares_used") else {}),
    }  # fmt: skip


def _defended(strike: AttackRequest, other: TableFighter) -> dict[str, Any]:
    known = strike.force(other)
    if known is None:
        facts = other.facts
        return {**_meets(other, {}), "armour": int(facts.get("armour", 0))}
    found = defence(strike.content, *known)
    return {**_meets(other, found["target"]), **_armour(found)}


def _armour(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ARMOUR_FIELDS}


def _caught(strike: AttackRequest, other: TableFighter, main: Mapping[str, Any]) -> dict[str, Any]:
    """Return another fighter in the blast, with its own armour.

    It also has the dice that the weapon rolls against it instead of those against the target.
    """
    if strike.force(other) is None:
        raise Refusal(
            gettext("The roster of {name} is not known here.").format(name=other.name),
            mend=gettext("Roll its injury by itself."),
            code="roster",
        )
    plain = strike.situation(other, around=True).attacks[0]
    return {
        "target": _meets(other, plain["target"]), **_armour(plain),
        "injury_modifiers": plain["injury_modifiers"], "injury_flats": plain["injury_flats"],
        "injury_modifier": plain["injury_modifier"] - main["injury_modifier"],
        "keywords": plain["keywords"], "base_dice": plain["base_dice"],
    }  # fmt: skip


def told_question(strike: AttackRequest, injury: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the rule and input of an attack entered by hand; `injury` is the injury roll after a hit.

    Raises Refusal.
    """
    fighter, data = strike.fighter, strike.data
    switches = ("long_range", "cover", "elevated", "defended_obstacle", "off_hand", "diving_charge")
    return "attack", {
        "kind": data.get("way") or "ranged",
        "ranged": int(fighter.facts.get("ranged", 0)),
        "melee": int(fighter.facts.get("melee", 0)),
        **{name: ticked(data, name) for name in switches},
        **spending(strike.state, data, gettext("Who attacks")),
        **injury,
    }


def injury_input(
    data: Mapping[str, str], target: TableFighter, before: str, known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the input of an injury roll entered by hand.

    `before` is the prefix of the names of its dice and markers.

    `known`: how the target's roster meets injuries (see `defence`), None if that is not known. Armour that is entered
    replaces the target's own.
    """
    facts, told = target.facts, data.get("armour", "").strip()
    plain = {
        "tough": bool(facts.get("tough")), "golem": bool(facts.get("golem")), "fear": bool(facts.get("fear")),
        "negates": list(facts.get("negates", ())),
    }  # fmt: skip
    armour = {"armour": int(facts.get("armour", 0))} if known is None else _armour(known)
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
