"""The exact odds of one unit's attack on another: shooting, a charge, and Hold and Shoot.

Everything is worked out by the resolvers of the rules; this module asks them, and says what they leave out.
Units lose models in the order of their profile, as in the resolver of melee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.unit_attacks import CustomUnitAttacks, counted, mixed, spread_of
from rules.formatting import joined, quantity
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.interpretations import MOVED, chosen
from rules.gloom_trench.resolvers import melee, rules, saves
from rules.gloom_trench.resolvers import shooting as shots
from rules.gloom_trench.resolvers.charges import CONTACT, REACT_BEYOND
from rules.gloom_trench.tracker.gloom_tracker import GloomTracker
from rules.gloom_trench.tracker.melee import GAPS, MOST_SPREAD
from rules.gloom_trench.tracker.move import COVERS, needs
from rules.gloom_trench.tracker.shooting import WAYS, reach_stops
from rules.gloom_trench.tracker.units import Troop
from rules.parts.unit_attacks import Spread, UnitAsks, UnitOdds, UnitWay
from rules.problems import Refusal
from rules.resolvers.odds import successes
from rules.tracker.state import TableState
from rules.translation import gettext as _

SHOOT, CHARGE, HOLD = "shoot", "charge", "hold"
HEAVY = (_("heavy cover"), (("cover", "heavy"),))
ALL = (
    UnitWay(SHOOT, _("Shoot"), "action", ((_("Advance"), (("action", "advance"),)), HEAVY)),
    UnitWay(CHARGE, _("Charge"), cases=((_("braced"), (("gap", "8"), ("reaction", "brace"))), HEAVY)),
    UnitWay(HOLD, _("Hold and Shoot")),
)
REACTIONS = (("none", _("None")), ("brace", _("Brace for Melee")), ("hold-and-shoot", _("Hold and Shoot")))
MOST_NAMES = 4  # names that obscure a target besides its cover
MOST_SHOTS = 100


class GloomUnitAttacks(CustomUnitAttacks):
    """The odds of units' attacks under the readings of a content."""

    def ways(self, content: CustomContent, table: TableState, mine: str, theirs: str) -> tuple[UnitWay, ...]:
        troop, target = Troop(table.fighter(mine)), Troop(table.fighter(theirs))
        if not (troop.known and target.known and troop.size and target.size):
            return ()
        able = {SHOOT: troop.weapons, CHARGE: True, HOLD: troop.weapons}
        return tuple(way for way in ALL if able[way.key])

    def asks(self, content: CustomContent, table: TableState, mine: str, theirs: str, way: str) -> tuple[UnitAsks, ...]:
        return tuple(_asks(Troop(table.fighter(mine)), Troop(table.fighter(theirs)), way))

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
        duel = _Duel(
            content,
            _thinned(Troop(table.fighter(mine)), int(answers.get("mine_lost", 0))),
            _thinned(Troop(table.fighter(theirs)), int(answers.get("theirs_lost", 0))),
            answers,
        )
        return duel.charged() if way == CHARGE else duel.shot(hold=way == HOLD)

    def likeness(self, content: CustomContent, table: TableState, unit: str) -> str:
        troop = Troop(table.fighter(unit))
        told = {name: value for name, value in troop.told().items() if name != "name"}
        return repr((told, troop.weapons, troop.facts.get("rules"), troop.facts.get("orders"), troop.small))

    def armour(self, content: CustomContent, table: TableState, unit: str) -> str:
        troop = Troop(table.fighter(unit))
        wounds = sorted({model.wounds for model in troop.standing})
        words = _("Save {die}, {models}").format(die=troop.save, models=quantity(troop.size, "model"))
        if wounds and wounds[-1] > 1:
            words += _(", {wounds} Wounds").format(wounds="/".join(str(each) for each in wounds))
        return words + (_(", small") if troop.small else "")


def _asks(troop: Troop, target: Troop, way: str) -> Iterator[UnitAsks]:
    if way == SHOOT:
        yield UnitAsks("action", _("Action"), WAYS, usual=WAYS[0][0])
        stops = reach_stops(troop.weapons)
        yield UnitAsks("distance", _("Distance"), stops, usual=stops[0][0] if stops else "")
    if way == CHARGE:
        yield UnitAsks("gap", _("Gap in MU, rounded up"), GAPS, usual=GAPS[0][0])
        yield UnitAsks("reaction", _("Their reaction"), REACTIONS, usual=REACTIONS[0][0])
    yield UnitAsks("cover", _("They stand in"), COVERS, usual=COVERS[0][0])
    if way == CHARGE:
        yield UnitAsks("mine_cover", _("I stand in"), COVERS, usual=COVERS[0][0])
        yield UnitAsks("far_tp", _("A point of mine on the distance: D8"))
    yield UnitAsks("tp", _("A point of mine: a bigger die"))
    yield UnitAsks("opponent_tp", _("A point of theirs, as I have Stress: −1"))
    if way == CHARGE:
        yield UnitAsks("their_tp", _("A point of theirs: a bigger die"))
    yield UnitAsks("save_tp", _("A point of theirs on the saves: a bigger die"))
    yield UnitAsks("save_opponent_tp", _("A point of mine, as they have Stress: saves −1"))
    yield UnitAsks("discard", _("I discard a Stress token of theirs: saves −1"))
    yield UnitAsks("dug_in", _("They have dug in"), usual=str(int(bool(target.facts.get("dug_in")))))
    if way != CHARGE:
        yield UnitAsks("ignores_saves", _("No saves allowed"))
        yield UnitAsks("obscured", _("Further names that obscure them"), most=MOST_NAMES)
        for weapon in troop.weapons:
            words = _("{weapon}: models that shoot").format(weapon=weapon.name)
            yield UnitAsks(f"los_{weapon.place}", words, most=weapon.bearers, usual=str(weapon.bearers))
    if troop.size > 1:
        yield UnitAsks("mine_lost", _("My models lost before"), most=troop.size - 1)
    if target.size > 1:
        yield UnitAsks("theirs_lost", _("Their models lost before"), most=target.size - 1)


def _thinned(troop: Troop, lost: int) -> Troop:
    """Return a unit that has lost so many more models, in the order of its profile, but never its last one."""
    facts = dict(troop.facts)
    lost = min(lost, troop.size - 1)
    for model in troop.standing:
        gone = min(lost, model.left)
        facts[f"{model.slug}_left"] = model.left - gone
        lost -= gone
    return Troop(replace(troop.fighter, facts=facts))


@dataclass(frozen=True, slots=True)
class _Duel:
    """Two units with the answers about an attack of the first on the second."""

    content: CustomContent
    mine: Troop
    theirs: Troop
    told: Mapping[str, str]

    def number(self, name: str) -> int:
        return int(self.told.get(name) or 0)

    # --- shooting

    def shot(self, *, hold: bool) -> UnitOdds:
        """Return the odds of shooting, or of Hold and Shoot. Raises Refusal if no weapon reaches."""
        given = self._shot_input(hold=hold)
        read = rules.rule_named("shoot").read(given)
        ready = shots.planned(self.content, read)
        assert ready is not None
        assert ready.save is not None
        spreads = (
            counted(_("Hits"), self._odds("shoot-hits", given)),
            spread_of(_("Saves made"), self._saved(ready)),
            counted(_("Models they lose"), self._lost(self.theirs, self._odds("shoot", given))),
            counted(_("Stress they get"), self._odds("shoot-stress", given)),
        )
        dice = joined(
            _("{count} {die}, each {needs}").format(count=count, die=throw.die, needs=needs(throw))
            for count, throw in ready.pools
        )
        throw = None if ready.save.ignores_saves else saves.save_throw(self.content, ready.save)
        need = _("Roll {dice}.").format(dice=dice)
        if throw is not None:
            need += " " + _("Each hit is saved on a {die}, {needs}.").format(die=throw.die, needs=needs(throw))
        lost = spreads[2]
        end = lost.at_least(self.theirs.size)
        return UnitOdds(
            rule="shoot",
            given=given,
            need=need,
            short=_("{mean} models lost on average; none {none}").format(
                mean=_mean(lost), none=_percent(dict(lost.shares)["0"])
            ),
            lead=_mean(lost),
            harm=(lost.mean, end),
            spreads=spreads,
            chances=((_("Destroyed"), end), (_("It gets Stress"), spreads[3].at_least(1))),
            causes=(
                *(f"{what} {why}" for what, why in dict.fromkeys(m for _n, t in ready.pools for m in t.modifiers)),
                *(
                    _("{what} {why} (save)").format(what=what, why=why)
                    for what, why in (throw.modifiers if throw else ())
                ),
            ),
            unreckoned=tuple(self._unreckoned(hold=hold)),
        )

    def _shot_input(self, *, hold: bool) -> dict[str, Any]:
        target = self.theirs
        distance = float(self.told.get("distance") or 0)
        groups = []
        for weapon in self.mine.weapons:
            die = "D6" if hold else weapon.die_at(distance)
            models = min(self.number(f"los_{weapon.place}"), weapon.bearers)
            if die and models:
                groups.append({"models": min(MOST_SHOTS, models * weapon.per_model), "die": die})
        if not groups:
            raise Refusal(
                _("No model of {name} reaches so far.").format(name=self.mine.name),
                mend=_("Choose a nearer distance, or more models."),
                code="out-of-range",
            )
        return {
            "groups": groups,
            "action": self.told.get("action", "none"),
            "hold_and_shoot": hold,
            "cover": self.told["cover"],
            "tp": self.number("tp"),
            "opponent_tp": self.number("opponent_tp"),
            "shooter_stress": max(self.mine.stress, self.number("opponent_tp")),
            "damage": self.mine.damage,
            "obscured": [_("further name {place}").format(place=place) for place in range(self.number("obscured"))],
            "save_die": target.save,
            "save_tp": self.number("save_tp"),
            "save_opponent_tp": self.number("save_opponent_tp"),
            "discard": self.number("discard"),
            "target_stress": max(target.stress, self.number("save_opponent_tp"), self.number("discard")),
            "target_models": target.size,
            "small": target.small,
            "dug_in": bool(self.number("dug_in")),
            "wounds": min(model.wounds for model in target.standing),
            "recorded_damage": int(target.facts.get("recorded_damage") or 0),
            "ignores_saves": bool(self.number("ignores_saves")),
        }

    def _odds(self, rule: str, given: Mapping[str, Any]) -> Mapping[str, Fraction]:
        return rules.odds(self.content, rule, given).outcomes

    def _saved(self, ready: shots.Shot) -> tuple[Fraction, ...]:
        """Return the chances of so many saves made: of so many dice that hit and are saved."""
        assert ready.save is not None
        made = Fraction(0) if ready.save.ignores_saves else saves.save_throw(self.content, ready.save).odds
        return successes(*((count, throw.odds * made) for count, throw in ready.pools))

    def _lost(self, unit: Troop, damages: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Return the chances of models lost for those of the damage."""
        side = _side(unit)
        return mixed((share, {str(melee.after(side, int(name))[3]): Fraction(1)}) for name, share in damages.items())

    # --- a charge

    def charged(self) -> UnitOdds:
        """Return the odds of a charge: contact, the reaction, the first round, and the melee to its end."""
        gap = self.number("gap")
        contact = self._odds("charge-move", {"gap": gap, "tp": self.number("far_tp")}).get("contact", Fraction(0))
        reaction = self.told["reaction"]
        reacts = chosen(self.content, MOVED) == "reach" or gap - CONTACT > REACT_BEYOND
        notes = []
        if reaction != "none" and not reacts:
            reaction = "none"
            notes.append(_("They cannot react: I move 5 MU or less."))
        starts, shot_down = self._arrivals(reaction)
        given = self._round(self.mine, braced=reaction == "brace")
        spreads, ends, first = self._fought(starts, braced=reaction == "brace")
        won = ends.get("win", Fraction(0))
        size = self.theirs.size
        lost = next(spread for spread in spreads if spread.is_count)
        names = {
            "win": _("I win"), "lose": _("They win"), "draw": _("Another round"), "both-gone": _("Both are gone"),
            "stalemate": _("Neither can hurt the other"), "shot-down": _("Shot down as I charge"),
        }  # fmt: skip
        ended = Spread(_("In the end, once in contact"), tuple((names[k], s) for k, s in ends.items()), False)
        opened = Spread(_("After the first round"), tuple((names[k], s) for k, s in first.items()), False)
        whole = (ended,) if ends else ()
        lead = contact * (won if ends else first.get("win", Fraction(0)))
        chances = [(_("Contact"), contact), (_("Contact, and I win"), lead)]
        if shot_down:
            chances.append((_("Shot down as I charge"), shot_down))
        if not ends:
            notes.append(_("So many models fight that only the first round is worked out."))
        return UnitOdds(
            rule="melee-round",
            given=given,
            need=self._melee_need(given),
            short=_("contact {contact}, then won {won}").format(
                contact=_percent(contact), won=_percent(won if ends else first.get("win", Fraction(0)))
            ),
            lead=_percent(lead),
            harm=(lead * size, lead),
            spreads=(*whole, opened, *spreads),
            chances=tuple(chances),
            causes=(*notes, *self._melee_causes(given)),
            unreckoned=tuple(self._unreckoned(hold=False, charge=True)) if lost else (),
        )

    def _arrivals(self, reaction: str) -> tuple[tuple[tuple[Fraction, Troop], ...], Fraction]:
        """Return my unit as it comes into contact, with the chance of each, and the chance that it is shot down before."""
        if reaction != "hold-and-shoot" or not self.theirs.weapons:
            return ((Fraction(1), self.mine),), Fraction(0)
        usual = {f"los_{weapon.place}": str(weapon.bearers) for weapon in self.theirs.weapons}
        back = _Duel(self.content, self.theirs, self.mine, {**usual, "cover": self.told["mine_cover"]})
        found = []
        shot_down = Fraction(0)
        for damage, share in self._odds("shoot", back._shot_input(hold=True)).items():
            groups, recorded, on, _lost = melee.after(_side(self.mine), int(damage))
            facts = {**self.mine.facts, **{f"{group.name}_left": group.count for group in groups}}
            facts |= {"recorded_damage": recorded, "recorded_on": groups[on].name if on is not None else ""}
            after = Troop(replace(self.mine.fighter, facts=facts))
            if after.size:
                found.append((share, after))
            else:
                shot_down += share
        return tuple(found), shot_down

    def _round(self, mine: Troop, *, braced: bool) -> dict[str, Any]:
        active = {
            **mine.told(), "tp": self.number("tp"), "opponent_tp": self.number("opponent_tp"),
            "cover": self.told["mine_cover"], "stress": max(mine.stress, self.number("opponent_tp")),
        }  # fmt: skip
        defender = {
            **self.theirs.told(), "tp": self.number("their_tp"), "save_tp": self.number("save_tp"),
            "save_opponent_tp": self.number("save_opponent_tp"), "discard": self.number("discard"),
            "dug_in": bool(self.number("dug_in")),
            "stress": max(self.theirs.stress, self.number("save_opponent_tp"), self.number("discard")),
        }  # fmt: skip
        return {
            "active": active, "defender": defender, "charge": True, "braced": braced, "cover": self.told["cover"],
        }  # fmt: skip

    def _fought(
        self, starts: tuple[tuple[Fraction, Troop], ...], *, braced: bool
    ) -> tuple[tuple[Spread, ...], dict[str, Fraction], dict[str, Fraction]]:
        """Return the first round by number, the ends of the melee ({} if too many models fight), and those of the first round."""
        hits, theirs, mine, ends, first = [], [], [], [], []
        arrived = sum((share for share, _unit in starts), Fraction(0))
        whole = self.mine.size + self.theirs.size <= MOST_SPREAD
        for share, unit in starts:
            given = self._round(unit, braced=braced)
            data = rules.rule_named("melee-round").read(given)
            active, defender = melee.ready(self.content, data, True), melee.ready(self.content, data, False)
            hits.append((share / arrived, _numbered(successes(*((n, throw.odds) for n, throw in active.pools)))))
            theirs.append((share / arrived, self._falls(data.defender, active, defender, data.active.damage)))
            mine.append((share / arrived, self._falls(data.active, defender, active, data.defender.damage)))
            first.append((share, _settled(self.content, data)))
            if whole:
                ends.append((share, self._odds("melee", given)))
        lost = ({"shot-down": 1 - arrived},) if arrived != 1 else ()
        spreads = (
            counted(_("My hits, first round"), mixed(hits)),
            counted(_("Models they lose, first round"), mixed(theirs)),
            counted(_("Models I lose, first round"), mixed(mine)),
        )
        return spreads, _joined(mixed(ends), *(lost if whole else ())), _joined(mixed(first), *lost)

    def _falls(
        self, target: melee.MeleeUnit, attacker: melee.Ready, defender: melee.Ready, damage: int
    ) -> dict[str, Fraction]:
        """Return the chances of models that one side loses in a round."""
        failed = melee.spread(self.content, attacker, defender)
        return mixed(
            (share, {str(melee.after(target, count * damage)[3]): Fraction(1)}) for count, share in enumerate(failed)
        )

    def _melee_need(self, given: Mapping[str, Any]) -> str:
        data = rules.rule_named("melee-round").read(given)
        words = []
        for is_active, label in ((True, _("I roll {dice}.")), (False, _("They roll {dice}."))):
            pools = melee.ready(self.content, data, is_active).pools
            dice = joined(
                _("{count} {die}, each {needs}").format(count=n, die=throw.die, needs=needs(throw))
                for n, throw in pools
            )
            words.append(label.format(dice=dice))
        return " ".join(words)

    def _melee_causes(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        data = rules.rule_named("melee-round").read(given)
        found: dict[str, None] = {}
        for is_active, whose in ((True, _("mine")), (False, _("theirs"))):
            ready = melee.ready(self.content, data, is_active)
            for what, why in (pair for _n, throw in ready.pools for pair in throw.modifiers):
                found[f"{what} {why} ({whose})"] = None
            for what, why in saves.save_throw(self.content, ready.save).modifiers:
                found[_("{what} {why} ({whose}, save)").format(what=what, why=why, whose=whose)] = None
        return tuple(found)

    # --- what is left out

    def _unreckoned(self, *, hold: bool, charge: bool = False) -> Iterator[tuple[str, str]]:
        """Yield the texts that only the table can add: special rules, the words of weapons, unit orders."""
        for whose, troop in (("mine", self.mine), ("theirs", self.theirs)):
            for rule in troop.facts.get("rules") or ():
                if rule["effect"] != "obscuring":
                    yield whose, str(rule["name"])
            for row in troop.facts.get("weapons") or ():
                used = whose == "mine" and not charge
                if row.get("special") and used:
                    yield whose, f"{row['name']}: {row['special']}"
        for order in self.mine.orders if not hold else ():
            yield "mine", _("Unit order: {name}").format(name=order)
        if len({model.wounds for model in self.theirs.standing}) > 1:
            yield "theirs", _("Its models differ in Wounds. Those named first are counted as lost first.")
        if self.told.get("reaction") == "hold-and-shoot":
            yield "mine", _("After the shots a model must still be within 2 MU.")


def _side(troop: Troop) -> melee.MeleeUnit:
    side: melee.MeleeUnit = (
        rules.rule_named("melee-round").read({"active": troop.told(), "defender": troop.told()}).active
    )
    return side


def _settled(content: CustomContent, data: melee.MeleeRound) -> dict[str, Fraction]:
    """Return what a round comes to, with who is left: a level round in which one side falls is no draw."""
    return mixed(
        (share, {outcome: Fraction(1)}) for (outcome, _damage), share in melee.round_ways(content, data).items()
    )


def _numbered(shares: tuple[Fraction, ...]) -> dict[str, Fraction]:
    return {str(number): share for number, share in enumerate(shares) if share}


def _joined(first: dict[str, Fraction], *more: Mapping[str, Fraction]) -> dict[str, Fraction]:
    for each in more:
        first.update(each)
    return first


def _mean(spread: Spread) -> str:
    return f"{float(spread.mean):.1f}"


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.0f} %"


UNIT_ATTACKS = GloomUnitAttacks(FORCE_RULES, GloomTracker, ("unit",))
