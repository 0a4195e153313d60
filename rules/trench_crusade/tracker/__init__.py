"""The Trench Crusade battle tracker: its markers, the prompts for activation and morale, and its rolls through the
table resolvers.

Source: Condensed rules 1.6.3, "Markers", "Morale Phase", LEADER; Turns and actions 1.0, "The Turn Sequence", "Morale
Phase".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.content.compiled import Content
from rules.content.play import EditionPlay
from rules.dice import TypedDice
from rules.force import FighterView, Force
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, TableDice
from rules.tracker.acts import Effect, RollAct, SideEffect
from rules.tracker.rolls import Asks, Badge, Prompt, RollKind, StillOpen, TableOffer, ticked
from rules.tracker.state import MarkerKind, TableFighter, TableState
from rules.tracker.tracker import Tracker, refuse_unlisted
from rules.translation import gettext as _
from rules.trench_crusade.resolvers import field
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.defences import defence
from rules.trench_crusade.resolvers.field import MOST_MARKERS
from rules.trench_crusade.resolvers.rules import odds
from rules.trench_crusade.tracker import morale
from rules.trench_crusade.tracker.attack_book import attack_book
from rules.trench_crusade.tracker.attack_form import AIMED, ATTACK, INJURY, affords_bloodbath, attack_form
from rules.trench_crusade.tracker.attack_need import needed_words, resolved_by_rows
from rules.trench_crusade.tracker.attack_question import injury_input, told_question, weapon_question, whole_action
from rules.trench_crusade.tracker.attack_request import AttackRequest, Forces, used_up
from rules.trench_crusade.tracker.attack_result import attack_result
from rules.trench_crusade.tracker.attack_run import fact_of
from rules.trench_crusade.tracker.own_rolls import OWN_ROLLS, own_effects, own_question
from rules.trench_crusade.tracker.rolls import (
    GOETIC,
    INTO_MELEE,
    MOVES,
    SPENT,
    WEAPON,
    able,
    casting,
    fell_words,
    figure,
    spending,
    suffered,
    taken,
    that_count,
)

MARKERS = (
    MarkerKind("blood", _("Blood"), "drop", MOST_MARKERS),
    MarkerKind("blessing", _("Blessing"), "prayer", MOST_MARKERS),
    MarkerKind("infection", _("Infection"), "virus", MOST_MARKERS),
)
FALLS = ("jump", "fall", "dangerous-terrain", "ledge")  # moves that may end in an injury


class TrenchCrusadeTracker(Tracker):
    """The tracker of one edition."""

    markers = MARKERS
    apart = True
    relays = True
    reckons = True

    def __init__(self, content: Content, play: EditionPlay, forces: Forces = lambda side: None) -> None:
        self.content, self.play, self.forces = content, play, forces

    def bound(self, forces: Forces) -> TrenchCrusadeTracker:
        """Return the tracker with the rosters attached, so that attacks use the fighters' own weapons."""
        return TrenchCrusadeTracker(self.content, self.play, forces)

    # --- fighters

    def facts(self, view: FighterView) -> dict[str, Any]:
        """Return the facts about a fighter that attack and injury rolls need."""

        def stat(name: str) -> int:
            counted = view.stats.get(name)
            return (counted.value or 0) if counted is not None else 0

        words = {word.name.upper() for word in view.keywords if word.state != "lost"}
        return {
            "ranged": stat("ranged"),
            "melee": stat("melee"),
            "armour": -abs(stat("armour")),
            "leader": view.leader,
            "tough": "TOUGH" in words,
            "golem": "GOLEM" in words,
            "fear": "FEAR" in words,
            "negates": sorted(word.removeprefix("NEGATE ") for word in words if word.startswith("NEGATE ")),
            "movement": stat("movement"),
            **view.facts,
            **{name: True for name, there in {
                "flying": view.movement == "flying",
                "strong": "STRONG" in words,
                "skirmisher": "SKIRMISHER" in words,
                "goetic": any(word.startswith("GOETIC") for word in (*words, *(a.name.upper() for a in view.abilities))),
                "gives_no_blood": bool(words & {"DEMONIC", "BLACK GRAIL"}),
            }.items() if there},
        }  # fmt: skip

    def activated(self, fighter: TableFighter) -> tuple[TableFighter, str]:
        """Apply infection, which spreads on a fighter activated with infection markers."""
        held = fighter.markers.get("infection", 0)
        if not held:
            return fighter, ""
        bred = field.resolve_infection(self.play, field.Infection(infection=held), TableDice(TypedDice(())))
        gained = int(bred.effect("infection_markers", 0))
        told = (
            _(" Infection breeds: {held} to {amount}.").format(held=held, amount=held + gained)
            if gained
            else _(" Infection stands at its most.")
        )
        return self.marked(fighter, {"infection": gained}) if gained else fighter, told

    def handed_over(self, state: TableState, fighter: TableFighter) -> TableState:
        """Pass the turn to act on, but not between the two of a fireteam.

        In the newer edition their joint activation is a choice; who does not take it hands over by a press.
        Source: Condensed rules 1.6.3 and keywords 1.0, FIRETEAM.
        """
        if any(partner.fights and not partner.acted for partner in _partners(state, fighter)):
            return replace(state, acting=fighter.side)
        return super().handed_over(state, fighter)

    def acts_too(self, state: TableState) -> TableFighter | None:
        """Return the second of a fireteam whose first has acted."""
        for fighter in state.of(state.acting):
            if fighter.fights and not fighter.acted and any(each.acted for each in _partners(state, fighter)):
                return fighter
        return None

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        """Return with whom a fighter stands in a fireteam."""
        partners = [partner.name for partner in _partners(state, fighter) if not partner.out]
        return (
            (Badge(_("fireteam: {names}").format(names=", ".join(partners))),) if partners and not fighter.out else ()
        )

    # --- prompts

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        """Return the prompts: initiative, morale if due, who is Shaken, the last turn."""
        found = list(self._turn_prompts(state))
        for side in state.sides:
            if side.fled:
                found.append(
                    Prompt("fled", _("{name} has fled: the battle is lost to it.").format(name=side.name), side.key)
                )
                continue
            if side.shaken == state.turn:
                found.append(
                    Prompt(
                        "shaken",
                        _("{name} is Shaken: all its success rolls are RISKY this turn.").format(name=side.name),
                        side.key,
                    )
                )
            if why := morale.why_due(self.play, state, side):
                last = _(" Another failure and it flees.") if morale.failed_before(self.play, state, side) else ""
                words = _("{why} Morale is tested at the end of the turn.{last}").format(why=why, last=last)
                found.append(Prompt("morale", words, side.key, roll="morale", at_once=True))
        return tuple(found)

    def still_open(self, state: TableState) -> tuple[StillOpen, ...]:
        """Return who has yet to act, and whose morale is still to be tested."""
        due = [
            StillOpen(_("{why} Its morale is not tested.").format(why=why), "morale", side.key)
            for side in state.sides
            if (why := morale.why_due(self.play, state, side))
        ]
        return (*super().still_open(state), *due)

    def morale_words(self, state: TableState, hands: Set[str]) -> str:
        return morale.words_for_devices(self.play, state, hands)

    def words_of(self, fighter: TableFighter) -> tuple[str, ...]:
        return (
            *super().words_of(fighter),
            *(name for name in ("leader", "keeps_infection") if fighter.facts.get(name)),
        )

    # --- rolls

    def rolls(self) -> tuple[RollKind, ...]:
        """Return the rolls that the tracker offers.

        They are attack, injury, any success roll, goetic powers, morale, initiative, and the rolls for movement.
        """
        optional = "shaken_rule" if self.play.morale_failed == "flees" else "flees"
        words = _("Shaken in place of flight, as agreed") if optional == "shaken_rule" else _("Flees on a failure")
        return (
            ATTACK,
            RollKind(
                "injury", _("Injury"), _("A blast, fire, a trap: no roll to hit."),
                (
                    Asks("fighter", _("Whose hit it is"), "mine"),
                    Asks("target", _("Who is hit"), "anybody"),
                    Asks("critical", _("Critical hit"), group=_("Injury")),
                    Asks("melee", _("In melee"), group=_("Injury")),
                    *WEAPON, *INJURY,
                ),
                _("the injury dice"),
            ),
            RollKind(
                "success", _("Action"), _("Any success roll: an order, a search, an ability."),
                (Asks("fighter", _("Who"), "mine"), Asks("risky", "RISKY"), *SPENT),
                _("two dice, more where dice are added or taken"),
            ),
            INTO_MELEE,
            GOETIC,
            RollKind(
                "morale", _("Morale"), _("At the end of the turn, where half are Down or Out."),
                (Asks("side", _("Whose"), "side"), Asks("dice", _("Further dice"), "number", -6, 6), Asks(optional, words)),
                _("two dice, more where dice are added or taken"),
            ),
            RollKind("initiative", _("Initiative"), _("Fewest fighters; level sides roll off."), (), _("a die for each level side")),
            *MOVES,
        )  # fmt: skip

    def asked(self, state: TableState, roll: str) -> RollKind:
        """Return the form of a roll.

        Initiative needs dice only if sides are equal. A Bloodbath is offered only if somebody has enough markers for
        one.
        """
        kind = super().asked(state, roll)
        if roll == "initiative" and self._first(state):
            words = _("{name} has fewest fighters: no die is rolled.").format(name=state.side(self._first(state)).name)
            return replace(kind, words=words, dice_words="", move=True)
        if roll == "injury" and not any(affords_bloodbath(fighter) for fighter in state.fighters if fighter.fights):
            return replace(kind, asks=tuple(asks for asks in kind.asks if asks.name != "bloodbath"))
        return kind

    def _first(self, state: TableState) -> str:
        """Return the side with the fewest fighters, or "" if sides are equal and roll off."""
        standing = self.play.initiative_counts == "standing"
        counts = {
            side.key: sum(not (standing and f.down) for f in state.of(side.key) if f.fights) for side in state.sides
        }
        fewest = [key for key, count in counts.items() if count == min(counts.values())]
        return fewest[0] if len(fewest) == 1 else ""

    def asking(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int] = ()) -> RollKind:
        """Return the form of a roll as answered so far.

        An attack depends on the weapon, a goetic power on its caster.
        """
        if roll == "goetic":
            return casting(state, data)
        return attack_form(self._strike(state, data), rows) if roll == "attack" else self.asked(state, roll)

    def needed(self, cuts: Sequence[int]) -> str:
        return needed_words(cuts)

    def by_results(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int]) -> Resolved:
        """Return an attack whose results players told. Raises NeedResult for the next one, Refusal."""
        if roll != "attack":
            return super().by_results(state, roll, data, rows)
        rule, given = self.question(state, roll, data)
        return resolved_by_rows(self.content, rule, given, rows)

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        """Return the offers: attack and movement for everybody on the table, goetic powers for those who have them."""
        found = []
        for fighter in state.fighters:
            if not fighter.fights:
                continue
            if run := fact_of(state, fighter):
                label = _("{name}: attack {number} of {count}").format(
                    name=fighter.name, number=run["at"], count=run["of"]
                )
                found.append(TableOffer("attack", label, side=fighter.side, given=run["given"], main=True))
            found.append(TableOffer("charge", _("Move"), fighter=fighter.key, quiet=True))
            if fighter.joined or state.side(fighter.side).guest:  # no card of theirs carries their weapons
                found.append(TableOffer("attack", _("Attack"), fighter=fighter.key, quiet=True))
            found.append(TableOffer("success", _("Action"), fighter=fighter.key, quiet=True))
            if fighter.facts.get("goetic"):
                found.append(TableOffer("goetic", _("Goetic power"), fighter=fighter.key, quiet=True))
        return tuple(found)

    def weapon_attacks(self, state: TableState, fighter: TableFighter) -> tuple[TableOffer, ...]:
        """Return a Shoot or Fight for each weapon, and for attacks without one. None for a fighter whose roster is not known."""
        force = self.forces(fighter.side)
        if force is None or all(row.key != fighter.row for row in force.fighters):
            return ()
        words = {"ranged": _("Shoot"), "melee": _("Fight")}
        gone = used_up(fighter)
        return tuple(
            TableOffer("attack", words[arm.kind], fighter=fighter.key, given={"arm": arm.key}, weapon=arm.name)
            for arm in arms(self.content, force, fighter.row)
            if arm.name not in gone
        )

    def chances(self, state: TableState, offer: TableOffer, target: str) -> Mapping[str, Fraction]:
        """Return the exact odds of all attacks that the weapon of an offer makes in one ACTION, all of them at one target."""
        strike = self._strike(state, {"fighter": offer.fighter, "target": target, **offer.given})
        try:
            outcomes: Mapping[str, Fraction] = odds(self.content, "attack", whole_action(strike)).outcomes
        except Refusal:
            return {}
        return outcomes

    def attack_book(self, hands: Set[str], sides: Mapping[str, Force]) -> Mapping[str, Any]:
        return attack_book(self.content, sides, hands)

    def _strike(self, state: TableState, data: Mapping[str, str]) -> AttackRequest:
        return AttackRequest(self.content, self.forces, state, data)

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """Return the table rule that a roll uses, and its input. Raises Refusal."""
        match roll:
            case "initiative":
                return "initiative", _initiative(state)
            case "morale":
                return "morale", morale.input_of_test(self.play, state, data)
            case "success":
                return "success", spending(state, data) | {"risky": ticked(data, "risky")}
            case "injury":
                return "injury", self._injury(state, data)
            case "attack":
                return self._attack(state, data)
        if roll not in OWN_ROLLS:
            raise Refusal(_("“{roll}” is no roll of this table.").format(roll=roll), code="unknown-roll")
        roller = able(state, data.get("fighter", ""), _("Who rolls"))
        falls = roll in FALLS or (roll == "charge" and bool(data.get("dive", "").strip("0 ")))
        return own_question(state, roll, data, injury_input(data, roller, "", self._met(roller) if falls else None))

    def _injury(self, state: TableState, data: Mapping[str, str]) -> dict[str, Any]:
        able(state, data.get("fighter", ""), _("Whose hit is it"))
        target = able(state, data.get("target", ""), _("Who is hit"))
        injury = injury_input(data, target, "", self._met(target))
        return injury | {"critical": ticked(data, "critical"), "melee": ticked(data, "melee")}

    def _attack(self, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        strike = self._strike(state, data)
        if not strike.is_told():
            return weapon_question(strike)
        return told_question(strike, injury_input(data, strike.target, "injury_", self._met(strike.target)))

    def _met(self, fighter: TableFighter) -> dict[str, Any] | None:
        """Return how a fighter's roster meets injuries, whoever deals them, or None if the roster is not known."""
        force = self.forces(fighter.side)
        if force is None or all(row.key != fighter.row for row in force.fighters):
            return None
        return defence(self.content, force, fighter.row)

    def _attack_act(self, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = state.fighter(data.get("fighter", ""))
        strike = self._strike(state, data)
        told, effects, run = attack_result(strike, found)
        ends = not run and bool(found.effect("activation_ends"))
        aimed = SideEffect(side=fighter.side, facts={AIMED: strike.target.key})
        return RollAct(
            roll="attack",
            told=told[:400] + (_team_words(state, fighter) if ends else ""),
            fighter=fighter.key,
            side=fighter.side,
            effects=effects,
            side_effects=(aimed,) if state.side(fighter.side).facts.get(AIMED) != strike.target.key else (),
            done=(not run or ticked(data, "away")) and (ends or ticked(data, "last")),
            then=run.get("given", {}),
        )

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        """Return the effects of a roll.

        They are markers spent and gained, who goes Down or out, the turn's initiative, and morale.
        """
        fell = fell_words(found)
        if roll == "initiative":
            side = state.sides[int(found.outcome) - 1]
            return RollAct(
                roll=roll, told=_("Initiative{fell}: {told}").format(fell=fell, told=found.told), initiative=side.key
            )
        if roll == "morale":
            return morale.result_of_test(state, data, found)
        if roll == "attack":
            return self._attack_act(state, data, found)
        fighter = state.fighter(data.get("fighter", ""))
        told = f"{fighter.name}: {found.told}{fell}"
        if roll in OWN_ROLLS:
            label = self.asked(state, roll).label
            told, effects = f"{fighter.name}, {label}: {found.told}{fell}", own_effects(state, roll, data, found)
        elif roll == "success":
            spent = taken(fighter, figure(data, "blood_spent"), figure(data, "blessing_spent"))
            ends = bool(found.effect("activation_ends")) and not fighter.acted
            effects = (Effect(fighter=fighter.key, markers=spent, acted=True if ends else None),)
        else:
            target = state.fighter(data.get("target", ""))
            effects = (suffered(fighter, target, (found,)),)
            told = f"{fighter.name if target.key == fighter.key else _('{fighter} at {target}').format(fighter=fighter.name, target=target.name)}: {found.told}{fell}"
        ends = bool(found.effect("activation_ends")) and not fighter.acted
        return RollAct(
            roll=roll, told=told[:400] + (_team_words(state, fighter) if ends else ""), fighter=fighter.key,
            side=fighter.side, effects=that_count(effects), done=ends,
        )  # fmt: skip


def _partners(state: TableState, fighter: TableFighter) -> tuple[TableFighter, ...]:
    """Return those with whom a fighter stands in a fireteam."""
    keys = fighter.facts.get("fireteam", ())
    return tuple(other for other in state.of(fighter.side) if other.key in keys)


def _team_words(state: TableState, fighter: TableFighter) -> str:
    """Return what the end of an Activation means for the partner of a fireteam, with a leading blank, "" without one."""
    left = [partner.name for partner in _partners(state, fighter) if partner.fights and not partner.acted]
    if not left:
        return ""
    return _(" If {names} acts with it, that activation ends too.").format(names=", ".join(left))


def _initiative(state: TableState) -> dict[str, Any]:
    if state.initiative:
        raise Refusal(
            _("{name} has the initiative of turn {turn}.").format(
                name=state.side(state.initiative).name, turn=state.turn
            ),
            mend=_("Undo it in the log to roll again."),
            code="done",
        )
    refuse_unlisted(state)
    own = [(side.name, [fighter for fighter in state.of(side.key) if fighter.fights]) for side in state.sides]
    return {"sides": [{"name": n, "on_table": len(all_), "down": sum(f.down for f in all_)} for n, all_ in own]}


@lru_cache(maxsize=32)
def tracker_of(content: Content) -> TrenchCrusadeTracker:
    """Return the tracker of an edition. Raises Refusal if the edition has no rules for play at the table."""
    play = content.pack.play
    if play is None:
        raise Refusal(_("This edition has no rules for the table here."), code="no-play")
    return TrenchCrusadeTracker(content, play)
