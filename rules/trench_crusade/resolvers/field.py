"""Rolls that concern a whole side or a marker: morale, initiative, scatter, infection, activation in pairs, goetic
casting.

Source: Condensed rules 1.6.3, "Morale Phase", "Markers", "Goetic Powers & Spells"; Turns and actions 1.0, "The Turn
Sequence", "Morale Phase"; core rules 1.0, "Turn", "Morale", "Markers".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.roller import Pool, Resolved, Roller
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.attack import AT_ENEMY
from rules.trench_crusade.resolvers.inputs import Count, DiceModifier, Markers, Net, Success
from rules.trench_crusade.resolvers.success import SUCCESS, changes_of, resolve_success, roll, spent_markers

MOST_MARKERS = 6


class Morale(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A morale test.

    `models`, `down`, `out`: the side's fighters at the start, Down, and Out of Action; leave `models` out to test at
    once.

    `shaken`: it was Shaken already; in the older edition, it failed before, Shaken still or not. `flees`: on a
    failure that leaves the choice, its player takes flight. `shaken_rule`: the optional rule of the older edition is
    in use.
    """

    dice: Net = 0
    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    models: Count | None = None
    down: Count = 0
    out: Count = 0
    leader: bool = False
    shaken: bool = False
    shaken_rule: bool = False
    flees: bool = False
    blood_spent: Annotated[int, Meta(ge=0, le=0, description="Markers do not reach a morale test.")] = 0


class MoraleOrder(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Two or more sides test morale in the same turn.

    `models`: how many each has; `initiative`: the position, from 1, of the side that has it.
    """

    models: Annotated[tuple[Count, ...], Meta(min_length=2, max_length=8)]
    initiative: Annotated[int, Meta(ge=1, le=8)] = 1


class FightersOfSide(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One side's fighters: those on the table, and how many of them are Down."""

    name: Annotated[str, Meta(max_length=80)] = ""
    on_table: Count = 0
    down: Count = 0


class Initiative(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The roll for the initiative among two or more sides."""

    sides: Annotated[tuple[FightersOfSide, ...], Meta(min_length=2, max_length=8)]


class Scatter(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far a missed shot at a point scatters: give the total of its roll to hit, or the attack to be rolled."""

    total: Annotated[int, Meta(ge=-20, le=36)] | None = None
    dice: Net = 0
    modifiers: Annotated[tuple[DiceModifier, ...], Meta(max_length=40)] = ()
    modifier: Annotated[int, Meta(ge=-20, le=20)] = 0


class IntoMelee(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shot at somebody in melee.

    `friends` and `enemies`: by name, within an inch of the target; the enemies include the target.
    """

    friends: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    enemies: Annotated[tuple[str, ...], Meta(max_length=20)] = ()


class Infection(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The activation of a fighter with infection markers.

    `cured_first`: markers that a rule removes or turns before the infection spreads.
    """

    infection: Markers = 0
    cured_first: Markers = 0
    caught_first: Markers = 0


class Activation(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether two members of a fireteam may act in any order: `together`, and what ended it for one of them."""

    together: bool = True
    failed_risky: bool = False


class Goetic(Success, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The casting of a goetic power that costs BLOOD MARKERS, taken from fighters that may give them.

    `steps`: the numbers of markers that can pay for the power, if given; else from `markers` to `markers_most`.
    `givers`: markers on each fighter they are taken from. `barred`: some of them are DEMONIC or of the BLACK GRAIL.
    `action_roll`: the power requires a roll.
    """

    steps: Annotated[tuple[Annotated[int, Meta(ge=0, le=36)], ...], Meta(max_length=12)] = ()
    markers: Annotated[int, Meta(ge=0, le=36)] = 0
    markers_most: Annotated[int, Meta(ge=0, le=36)] | None = None
    spends: Annotated[int, Meta(ge=0, le=36)] | None = None
    givers: Annotated[tuple[Markers, ...], Meta(max_length=40)] = ()
    barred: bool = False
    action_roll: bool = False


def resolve_morale(play: EditionPlay, data: Morale, roller: Roller) -> Resolved:
    """A morale test: due when half or more of a side are Down or Out of Action, or it was Shaken. Outcomes: holds, shaken, flees.

    A second failure in a row flees. LEADER adds +1 DICE.
    """
    if data.models is not None:
        if data.down + data.out > data.models:
            raise Refusal(_("More fighters are Down or Out of Action than there are."), code="count")
        due = data.models > 0 and 2 * (data.down + data.out) >= data.models
        if not due and not (data.shaken and play.morale_failed == "choice"):
            return Resolved("holds", _("No morale test is due."), effects=({"test": False},))
    changes = changes_of(data.dice, data.modifiers).plus(1 if data.leader else 0, "LEADER")
    found = roll(roller, changes, 0, why=_("Morale"))
    if found.outcome != "failure":
        outcome = "holds"
    elif data.shaken or data.flees or (play.morale_failed == "flees" and not data.shaken_rule):
        outcome = "flees"
    else:
        outcome = "shaken"
    words = {"holds": "it holds", "shaken": "the warband is Shaken", "flees": "the warband flees and loses"}[outcome]
    effects: tuple[Mapping[str, Any], ...] = ()
    if outcome == "flees":
        effects = ({"loses": True},)
    elif outcome == "shaken":
        effects = ({"success_rolls_risky": True},)
    return Resolved(
        outcome,
        _("Morale: {total}, {words}.").format(total=found.total, words=words),
        found.rolled,
        found.kept,
        found.total,
        found.modifiers,
        effects,
    )


def resolve_morale_order(play: EditionPlay, data: MoraleOrder, roller: Roller) -> Resolved:
    """Who tests first: the smaller side, or whom the side with the initiative names. Outcome: the place from 1; "chosen".

    Smallest sides that are level roll a D6 each until one is highest (developer answers, FAQ 1).
    """
    if data.initiative > len(data.models):
        raise Refusal(_("The initiative is with none of these sides."), code="count")
    if play.morale_order == "initiative":
        return Resolved(
            "chosen",
            _("Side {initiative} has the initiative and says who tests first.").format(initiative=data.initiative),
        )
    least = min(data.models)
    level = [place for place, count in enumerate(data.models) if count == least]
    rolled: list[int] = []
    while len(level) > 1:
        faces = {place: roller.die(6, _("Roll-off, Side {number}").format(number=place + 1)) for place in level}
        rolled += faces.values()
        level = [place for place in level if faces[place] == max(faces.values())]
    first = level[0] + 1
    why = _("wins the roll-off") if rolled else _("is the smaller")
    return Resolved(str(first), _("Side {first} {why} and tests first.").format(first=first, why=why), tuple(rolled))


def resolve_initiative(play: EditionPlay, data: Initiative, roller: Roller) -> Resolved:
    """Whoever has fewest fighters left has it; level sides roll a D6 each until one is highest. Outcome: the number of the side, from 1."""
    counts = [side.on_table - (side.down if play.initiative_counts == "standing" else 0) for side in data.sides]
    if any(count < 0 for count in counts):
        raise Refusal(_("More fighters are Down than stand on the table."), code="count")
    level = [place for place, count in enumerate(counts) if count == min(counts)]
    rolled: list[int] = []
    while len(level) > 1:
        faces = {
            place: roller.die(6, _("Roll-off, {name}").format(name=_name(data.sides[place], place))) for place in level
        }
        rolled += faces.values()
        best = max(faces.values())
        level = [place for place in level if faces[place] == best]
    first = level[0]
    gives = _("chooses who begins") if play.initiative_gives == "chooses" else "begins"
    return Resolved(
        str(first + 1), f"{_name(data.sides[first], first)} {gives}.", tuple(rolled),
        effects=({"initiative": _name(data.sides[first], first)}, {play.initiative_gives: True}),
    )  # fmt: skip


def _name(side: FightersOfSide, place: int) -> str:
    return side.name or _("Side {number}").format(number=place + 1)


def resolve_scatter(play: EditionPlay, data: Scatter, roller: Roller) -> Resolved:
    """How far it goes astray: 7 less the total of the missed roll. Outcomes: inches, 0 for a hit."""
    if data.total is not None:
        away = max(0, SUCCESS - data.total)
        return Resolved(str(away), _astray(away), total=data.total, effects=({"scatters": away},))
    changes = changes_of(data.dice, data.modifiers)
    fell = roller.pool(
        Pool(2, changes.net), _("Roll to hit"), tuple(range(2 - data.modifier, SUCCESS - data.modifier + 1))
    )
    total = fell.total + data.modifier
    away = max(0, SUCCESS - total)
    return Resolved(str(away), _astray(away), fell.rolled, fell.kept, total, effects=({"scatters": away},))


def _astray(away: int) -> str:
    return (
        _("It lands {away} inches off; the opponent picks the direction.").format(away=away)
        if away
        else _("It lands where it was aimed.")
    )


def resolve_into_melee(play: EditionPlay, data: IntoMelee, roller: Roller) -> Resolved:
    """Who is shot at: 1-3 a friend, 4-6 an enemy, then one of them at random. Outcomes: friend, enemy."""
    face = roller.die(6, _("Shooting into melee"), (AT_ENEMY,))
    outcome = "enemy" if face >= AT_ENEMY else "friend"
    names = data.enemies if outcome == "enemy" else data.friends
    rolled = [face]
    who = names[0] if names else ""
    if len(names) > 1:
        pick = roller.die(len(names), _("Which {outcome}").format(outcome=outcome))
        rolled.append(pick)
        who = names[pick - 1]
    told = _("{face}: {words} is shot at.").format(
        face=face, words=who or "an " + outcome if outcome == "enemy" else who or "a friend"
    )
    return Resolved(outcome, told, tuple(rolled), (face,), face, effects=({"target": who},) if who else ())


def resolve_infection(play: EditionPlay, data: Infection, roller: Roller) -> Resolved:
    """One more on whoever is activated with at least one, six at most. Outcome: how many lie there then."""
    if data.cured_first > data.infection:
        raise Refusal(_("More infection markers are cured than lie there."), code="markers")
    held = min(MOST_MARKERS, data.infection - data.cured_first + data.caught_first)
    now = min(MOST_MARKERS, held + 1) if held else 0
    gained = now - held
    told = (
        _("{held} to {now} INFECTION MARKERS.").format(held=held, now=now)
        if gained
        else _("{now} INFECTION MARKERS.").format(now=now)
    )
    return Resolved(str(now), told, effects=({"infection_markers": gained},))


def resolve_activation(play: EditionPlay, data: Activation, roller: Roller) -> Resolved:
    """Two of a fireteam: always together in the older edition, if their player wishes in the newer. Outcomes: goes-on, ends."""
    if not data.together and play.fireteam == "together":
        raise Refusal(_("The two of a fireteam are activated together."), code="fireteam")
    if not data.failed_risky:
        return Resolved("goes-on", _("The two act in any order, turn and turn about."))
    both = ({"activation_ends": True}, {"both": data.together})
    told = _("The activation of both ends.") if data.together else _("Its activation ends.")
    return Resolved("ends", told, effects=both)


def resolve_goetic(play: EditionPlay, data: Goetic, roller: Roller) -> Resolved:
    """Casting: the BLOOD MARKERS leave the game, and the power works, without a roll unless it says so.

    Outcomes: cast, or those of a success roll. Raises Refusal where the markers do not suffice or may not be taken.
    """
    if data.barred:
        raise Refusal(_("DEMONIC and BLACK GRAIL fighters give no BLOOD MARKERS to a goetic power."), code="markers")
    spends = _spends(data)
    if data.givers and sum(data.givers) < spends:
        raise Refusal(
            _("{spends} BLOOD MARKERS are asked; {sum} lie there.").format(spends=spends, sum=sum(data.givers)),
            code="markers",
        )
    spent = spent_markers(spends, 0)
    if not data.action_roll:
        if data.blood_spent or data.blessing_spent:
            raise Refusal(_("The power is not rolled for: no markers are spent on a roll."), code="markers")
        return Resolved(
            "cast",
            _("Cast for {spends} BLOOD MARKER{words}.").format(spends=spends, words="S" if spends != 1 else ""),
            effects=spent,
        )
    found = resolve_success(play, data, roller)
    return Resolved(
        found.outcome, found.told, found.rolled, found.kept, found.total, found.modifiers, (*spent, *found.effects)
    )


def _spends(data: Goetic) -> int:
    """How many markers a power is paid with. Raises Refusal for a number that it does not take."""
    if data.steps:
        spends = data.spends if data.spends is not None else data.markers or min(data.steps)
        if spends not in data.steps:
            asked = ", ".join(str(step) for step in sorted(data.steps))
            raise Refusal(
                _("This power is paid with {asked} markers, not with {spends}.").format(asked=asked, spends=spends),
                code="markers",
            )
        return spends
    most = data.markers if data.markers_most is None else data.markers_most
    spends = data.markers if data.spends is None else data.spends
    if not data.markers <= spends <= most:
        raise Refusal(
            _("This power costs {markers} to {most} BLOOD MARKERS; {spends} are spent.").format(
                markers=data.markers, most=most, spends=spends
            ),
            code="markers",
        )
    return spends
