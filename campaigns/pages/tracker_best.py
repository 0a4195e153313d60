"""Who answers a fighter at the table best: the attacks on it by exact odds, as the table stands now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from campaigns.models import Battle
from campaigns.pages.tracker_board import roll_href
from campaigns.pages.unit_best import unit_answers
from rules.problems import Refusal
from rules.tracker.rolls import TableOffer
from rules.tracker.state import TableFighter, TableState
from rules.tracker.tracker import Tracker
from warbands.pages.widgets import Link

MAX_SHOTS = 6


@dataclass(frozen=True, slots=True)
class BestShot:
    """One fighter with its best attack. `link` leads to its form where the reader acts for it.

    A unit has a line for each of its ways to attack, and `odds` leads to the page of its odds.
    """

    who: str
    weapon: str
    words: str
    has_acted: bool
    link: Link | None
    lines: tuple[tuple[str, str], ...] = ()
    odds: Link | None = None


@dataclass(frozen=True, slots=True)
class BestShots:
    """The best attacks on one fighter, best first, who has yet to act before the others."""

    title: str
    key: str
    back: Link
    shots: tuple[BestShot, ...]
    note: str = ""


def best_shots(
    battle: Battle, tracker: Tracker, state: TableState, hands: Collection[str], shown: Collection[str], key: str
) -> BestShots:
    """Return the best attack of each of my fighters on an enemy, or of each enemy on one of mine. No queries but for the forces.

    `shown` are the sides whose rosters the reader may see. Raises Refusal for an unknown fighter.
    """
    here = reverse("battle-track", args=[battle.pk])
    target = state.fighter(key)
    threatened = target.side in hands and any(side.key not in hands for side in state.sides)
    if target.side not in shown:
        raise Refusal(_("This roster is not shown here."), code="not-shown")
    attackers = [
        fighter
        for fighter in state.fighters
        if target.fights
        and fighter.fights
        and fighter.side != target.side
        and (fighter.side not in hands) == threatened
        and fighter.side in shown
    ]
    of_units = battle.campaign.terms.game.unit_attacks is not None
    words = _("Who threatens {name} most") if threatened else _("My best shot at {name}")
    note = _("In the open, all attacks of one ACTION at it.")
    if of_units:
        words = words if threatened else _("My best answer to {name}")
        note = _("Full fire in the open, as all units stand now. Distances stand beside the figures.")
    return BestShots(
        title=words.format(name=target.name),
        key=key,
        back=Link(_("Table"), f"{here}?{urlencode({'open': key})}#f{key}"),
        shots=_of_units(battle, tracker, state, attackers, key)
        if of_units
        else _of_fighters(tracker, state, attackers, target, hands, here),
        note=note,
    )


def _of_fighters(
    tracker: Tracker,
    state: TableState,
    attackers: list[TableFighter],
    target: TableFighter,
    hands: Collection[str],
    here: str,
) -> tuple[BestShot, ...]:
    found = []
    for fighter in attackers:
        best = _best(tracker, state, fighter, target)
        if best is not None:
            offer, outcomes = best
            found.append(
                (_harm(outcomes), _shot(here, fighter, offer, outcomes, target.key, mine=fighter.side in hands))
            )
    found.sort(key=lambda one: (one[1].has_acted, -one[0][0], -one[0][1]))
    return tuple(shot for _rank, shot in found[:MAX_SHOTS])


def _of_units(
    battle: Battle, tracker: Tracker, state: TableState, attackers: list[TableFighter], target: str
) -> tuple[BestShot, ...]:
    """Return the units with all their ways to attack the target, who has yet to act first, who does most before others."""
    terms = battle.campaign.terms
    part = terms.game.unit_attacks
    assert part is not None
    known = {fighter.key: fighter for fighter in attackers}
    shots = []
    for answer in unit_answers(part, terms.content, state, known, target):
        fighter = known[answer.unit]
        query = {"table": str(battle.pk), "mine": fighter.key, "theirs": target, "way": answer.way}
        if answer.distance:
            query["distance"] = answer.distance
        odds = Link(_("Odds"), f"{reverse('odds-show')}?{urlencode(query)}")
        shots.append(
            BestShot(fighter.name, "", "", tracker.has_acted(state, fighter), None, lines=answer.lines, odds=odds)
        )
    return tuple(sorted(shots, key=lambda shot: shot.has_acted)[:MAX_SHOTS])


def _best(
    tracker: Tracker, state: TableState, fighter: TableFighter, target: TableFighter
) -> tuple[TableOffer, Mapping[str, Fraction]] | None:
    ways = [(offer, tracker.chances(state, offer, target.key)) for offer in tracker.weapon_attacks(state, fighter)]
    known = [way for way in ways if way[1]]
    return max(known, key=lambda way: _harm(way[1])) if known else None


def _harm(outcomes: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """Return the chances of Down or Out, and of Out."""
    out = outcomes.get("out-of-action", Fraction(0))
    return out + outcomes.get("down", Fraction(0)), out


def _shot(
    here: str, fighter: TableFighter, offer: TableOffer, outcomes: Mapping[str, Fraction], target: str, *, mine: bool
) -> BestShot:
    down, out = (f"{float(chance) * 100:.0f} %" for chance in _harm(outcomes))
    given = {"fighter": fighter.key, **offer.given, "target": target}
    return BestShot(
        who=fighter.name,
        weapon=offer.weapon,
        words=_("Down or Out {down}, Out {out}").format(down=down, out=out),
        has_acted=fighter.acted,
        link=Link(offer.label, roll_href(here, offer.roll, given)) if mine else None,
    )
