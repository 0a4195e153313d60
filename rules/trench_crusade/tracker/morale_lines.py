"""A test of morale as rows that are read without any rule, and when one is due.

Source: Condensed rules 1.6.3, "Morale Phase", LEADER; Turns and actions 1.0, "Morale Phase".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.content.compiled import Content
from rules.resolvers.roller import Resolved
from rules.resolvers.tree import Branch, tree_of
from rules.translation import gettext
from rules.trench_crusade.resolvers.field import Morale, resolve_morale
from rules.trench_crusade.tracker.attack_shapes import HIT, NOTHING, Ending, Figures, Line, Throw

MOST_FIGHTERS = 60
LEADER = "s:leader"  # the side's leader stands
FAILED = "s:failed"  # its next failure is the second
ONLY_SHAKEN, NEVER_FLEES = "m:shaken", "m:other"  # what the scenario says of morale
SHAKEN_RULE, FLEES = "shaken_rule", "flees"  # what the players may agree on, by edition
_LEADS: Figures = (1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class MoraleLines:
    """The test as one line, whose endings are `holds`, `shaken` and `flees`.

    `asks` is what the form asks, by name and words. `due` says by the number of fighters how many must be Down or out. `again`: a side
    that is Shaken tests as well. `lasts`: for how many turns a failure counts towards flight, 0 for the whole battle.
    """

    line: Line
    asks: tuple[tuple[str, str], ...]
    due: tuple[int, ...]
    again: bool
    lasts: int


def morale_lines(content: Content) -> MoraleLines:
    """Return the rows of a test of morale in this edition."""
    play = content.pack.play
    assert play is not None
    again = play.morale_failed == "choice"
    asks = (
        (FLEES, gettext("Flees on a failure"))
        if again
        else (SHAKEN_RULE, gettext("Shaken in place of flight, as agreed"))
    )
    words = (FAILED, ONLY_SHAKEN, NEVER_FLEES, asks[0])

    def shape(held: frozenset[str]) -> Throw | Ending:
        tested = Morale(
            shaken=FAILED in held and NEVER_FLEES not in held,
            flees=FLEES in held,
            shaken_rule=bool(held & {SHAKEN_RULE, ONLY_SHAKEN, NEVER_FLEES}),
        )
        return _shape(tree_of(lambda roller: resolve_morale(play, tested, roller)), never_flees=NEVER_FLEES in held)

    rows = tuple((shape(held), NOTHING) for held in _subsets(words))
    return MoraleLines(
        line=Line(False, words, rows, ((LEADER, _LEADS),), ()),
        asks=(asks,),
        due=tuple(_least(content, count) for count in range(MOST_FIGHTERS + 1)),
        again=again,
        lasts=1 if again else 0,
    )


def _subsets(words: tuple[str, ...]) -> Iterator[frozenset[str]]:
    """Yield the words that hold, for every number whose bits are the words."""
    for bits in range(2 ** len(words)):
        yield frozenset(word for place, word in enumerate(words) if bits >> place & 1)


def _least(content: Content, count: int) -> int:
    """Return how many of so many fighters must be Down or out before a test is due."""
    play = content.pack.play
    assert play is not None
    for fallen in range(count + 1):
        tested = Morale(models=count, out=fallen)
        found = tree_of(lambda roller, tested=tested: resolve_morale(play, tested, roller))  # type: ignore[misc]
        if isinstance(found, Branch):
            return fallen
    return count + 1


def _shape(found: Branch | Resolved, *, never_flees: bool) -> Throw | Ending:
    if isinstance(found, Resolved):
        return Ending("shaken" if found.outcome == "flees" and never_flees else found.outcome)
    pool = found.throw.pool
    then = tuple(_shape(each, never_flees=never_flees) for each in found.then)
    return Throw(HIT, pool.base, pool.net, found.throw.cuts, (0, 0, 0, 0), then)
