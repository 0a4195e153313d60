"""Fireteams: the pairs that a warband may declare, those it has declared, and the problems with them.

Pairs are stored in the warband's choice "fireteams", a list of two fighter keys each. The rule that permits a pair is
worked out:
list rules permit a number of pairs of any two fighters; an ability, upgrade or skill permits one pair for its bearer. A
fighter may
be in several pairs, unless the place of one of them is exclusive or the edition allows only one pair per fighter.
Mercenaries
can only be in a pair of their own. A pair is ignored, and is no problem, once one of its fighters has left the roster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules import vocabulary as v
from rules.consequences import Consequence, SetWarband
from rules.fighters.facts import Facts
from rules.fighters.frame import PAIRS, declared_pairs
from rules.fighters.matching import holder_fits
from rules.fighters.sources import EffectSource
from rules.force import ForceFighter
from rules.formatting import first, listed, number
from rules.legality.finding import Finding
from rules.legality.roster_state import RosterState
from rules.legality.thresholds import threshold_reached
from rules.parts.campaign import Teams, TeamSlot
from rules.problems import Refusal
from rules.translation import gettext

TITLE = gettext("Fireteams")
WORDS = gettext("Two fighters each, named before a battle; both gain FIRETEAM. They may change before every battle.")
MEND = gettext("Declare the fireteams again.")
Pair = tuple[str, str]


class FireteamPlace(NamedTuple):
    """A place for one pair. It is opened by `source`, for `bearer` ("" for any two) and a partner that fits."""

    key: str
    source: EffectSource
    bearer: str
    partner: v.Holder
    exclusive: bool


class Declared:
    """The declared pairs whose fighters are both on the roster, and the place of each (None: no room)."""

    def __init__(self, roster: RosterState) -> None:
        self.roster = roster
        self.people: dict[str, tuple[ForceFighter, Facts]] = {f.key: (f, w) for f, w in roster.people if f.active}
        self.pairs: tuple[Pair, ...] = tuple(
            pair for pair in declared_pairs(roster.force) if all(key in self.people for key in pair)
        )
        self.places = places_of(roster)
        numbers = roster.content.pack.campaign
        self.one_each = numbers is not None and numbers.rules.one_fireteam
        self.at: tuple[int | None, ...] = ()
        self._best = -1
        self._try(())

    def _try(self, so_far: tuple[int | None, ...]) -> None:
        """Find the places that seat the most pairs with the fewest fighters in two pairs of which one is exclusive."""
        if self._best == 2 * len(self.pairs):
            return
        if len(so_far) == len(self.pairs):
            score = 2 * sum(n is not None for n in so_far) - len(self.intruders(so_far))
            if score > self._best:
                self.at, self._best = so_far, score
            return
        pair = self.pairs[len(so_far)]
        for n, place in enumerate(self.places):
            if n not in so_far and not self.unfit(place, pair):
                self._try((*so_far, n))
        self._try((*so_far, None))

    def unfit(self, place: FireteamPlace, pair: Pair) -> str:
        """Return the reason why a pair does not fit a place, as a sentence; "" if it fits."""
        if pair[0] == pair[1]:
            return gettext("A fireteam is two different fighters.")
        if place.bearer and place.bearer not in pair:
            return gettext("{name} is for {name_2} and a partner.").format(
                name=place.source.name, name_2=self.name(place.bearer)
            )
        for key in pair:
            fighter, who = self.people[key]
            if key == place.bearer:
                continue
            if who.mercenary:
                return gettext("{name} is a mercenary and joins no fireteam but its own.").format(name=fighter.name)
            if not holder_fits(place.partner, who, self.roster.content):
                return gettext("{name} is no partner that {name_2} allows.").format(
                    name=fighter.name, name_2=place.source.name
                )
        return ""

    def intruders(self, at: tuple[int | None, ...]) -> tuple[tuple[str, FireteamPlace], ...]:
        """Return fighters that are in another pair besides an exclusive one, with the place of the exclusive pair."""
        found = []
        for i, n in enumerate(at):
            if n is None:
                continue
            for key in self.pairs[i]:
                elsewhere = any(key in pair for j, pair in enumerate(self.pairs) if j != i)
                if elsewhere and self.alone(self.places[n], key):
                    found.append((key, self.places[n]))
        return tuple(found)

    def alone(self, place: FireteamPlace, key: str) -> bool:
        """Return whether this place forbids the fighter to be in any other pair."""
        return self.one_each or (place.exclusive and key != place.bearer)

    def no_other(self, place: FireteamPlace, key: str) -> str:
        if self.one_each:
            return gettext("{name} is in two fireteams; a fighter can be in one only.").format(name=self.name(key))
        return gettext("{name} stands in two fireteams; {name_2} allows no other beside it.").format(
            name=self.name(key), name_2=place.source.name
        )

    def name(self, key: str) -> str:
        return self.people[key][0].name

    def words(self, pair: Pair) -> str:
        return listed(self.name(key) for key in pair) if pair[0] != pair[1] else self.name(pair[0])


def places_of(roster: RosterState) -> tuple[FireteamPlace, ...]:
    """Return every place for a pair: those of single fighters, then those of the list."""
    found: list[FireteamPlace] = []
    for fighter, who in roster.people:
        if not fighter.active:
            continue
        for cause in who.of(v.FireteamsEffect):
            if cause.effect.own:
                found += _places(cause.source, cause.effect, fighter.key)
    for cause in roster.frame.of(v.FireteamsEffect):
        need = cause.effect.threshold_ducats
        if not cause.effect.own and (not need or threshold_reached(roster, need)):
            already = sum(1 for place in found if not place.bearer and place.source.id == cause.source.id)
            found += _places(cause.source, cause.effect, "", already)
    return tuple(found)


def _places(source: EffectSource, effect: v.FireteamsEffect, bearer: str, already: int = 0) -> list[FireteamPlace]:
    start = f"{source.id}-{bearer}" if bearer else source.id
    numbers = range(already + 1, already + effect.count + 1)
    return [FireteamPlace(f"{start}-{n}", source, bearer, effect.partner, effect.exclusive) for n in numbers]


def fireteam_findings(roster: RosterState) -> Iterator[Finding]:
    if not declared_pairs(roster.force):
        return
    declared = Declared(roster)
    army = roster.frame.list.army.name
    seated = sum(n is not None for n in declared.at)
    for pair, n in zip(declared.pairs, declared.at, strict=True):
        if n is not None:
            continue
        reasons = list(dict.fromkeys(declared.unfit(place, pair) for place in declared.places))
        if not declared.places:
            text = gettext("{words}: nothing lets this warband form a fireteam.").format(words=declared.words(pair))
        elif "" in reasons:
            text = gettext("{first} {words} declared; {seated} may be formed.").format(
                first=first(number(len(declared.pairs))),
                words=gettext("fireteam is") if len(declared.pairs) == 1 else gettext("fireteams are"),
                seated=number(seated),
            )
        else:
            text = f"{declared.words(pair)}: {reasons[-1]}"
        yield Finding("fireteam", text, MEND, army, subject="-".join(pair))
    told = {declared.no_other(place, key): (key, place) for key, place in declared.intruders(declared.at)}
    for text, (key, place) in told.items():
        yield Finding(
            "fireteam",
            text,
            MEND,
            place.source.where,
            subject=f"{place.key}-{key}",
        )


# --- declaring -----------------------------------------------------------------------------------------------------------------


def teams(roster: RosterState) -> Teams | None:
    """Return the places for pairs, with the possible and the declared members of each.

    Return None if there are no places and no pair was declared.
    """
    declared = Declared(roster)
    if not declared.places and not declared.pairs:
        return None
    slots = []
    for n, place in enumerate(declared.places):
        chosen = next((pair for pair, at in zip(declared.pairs, declared.at, strict=True) if at == n), ("", ""))
        if place.bearer and chosen[1] == place.bearer:
            chosen = (chosen[1], chosen[0])
        slots.append(_slot(declared, place, chosen))
    words = gettext("{words} A fighter can be in one only.").format(words=WORDS) if declared.one_each else WORDS
    return Teams(TITLE, words, tuple(slots), tuple(f.text for f in fireteam_findings(roster)))


def _slot(declared: Declared, place: FireteamPlace, chosen: Pair) -> TeamSlot:
    both = tuple(
        (key, fighter.name)
        for key, (fighter, who) in declared.people.items()
        if key != place.bearer and not who.mercenary and holder_fits(place.partner, who, declared.roster.content)
    )
    bearer = ((place.bearer, declared.name(place.bearer)),) if place.bearer else both
    words = place.source.words
    if place.exclusive:
        words = gettext("{words} The partner joins no other.").format(words=words).strip()
    return TeamSlot(place.key, place.source.name, words, bearer, both, chosen, fixed=bool(place.bearer))


def form(roster: RosterState, picks: Mapping[str, tuple[str, str]]) -> tuple[Consequence, ...]:
    """Return the consequences of declaring exactly these pairs. Raises Refusal for a pair that may not be formed."""
    declared = Declared(roster)
    formed: list[tuple[FireteamPlace, Pair]] = []
    for key, picked in picks.items():
        if any(picked):
            place, pair = _formed(declared, key, *picked)
            if any(set(pair) == set(other) for _, other in formed):
                raise Refusal(
                    gettext("{words} form one fireteam already.").format(words=declared.words(pair)), code="fireteam"
                )
            formed.append((place, pair))
    members = Counter(key for _, pair in formed for key in pair)
    for place, pair in formed:
        for key in pair:
            if members[key] > 1 and declared.alone(place, key):
                raise Refusal(declared.no_other(place, key), mend=gettext("Choose another partner."), code="fireteam")
    pairs = [list(pair) for _, pair in formed]
    if pairs == [list(pair) for pair in declared_pairs(roster.force)]:
        raise Refusal(gettext("These fireteams are declared already."), code="no-change")
    return (SetWarband(("choices", PAIRS), pairs or None, gettext("fireteams declared")),)


def _formed(declared: Declared, key: str, one: str, two: str) -> tuple[FireteamPlace, Pair]:
    """Return the place and the pair to put in it. Raises Refusal if the pair does not fit."""
    place = next((place for place in declared.places if place.key == key), None)
    if place is None:
        raise Refusal(
            gettext("There is no such fireteam to form."),
            mend=gettext("Look at the page again."),
            code="unknown-option",
        )
    pair = (one or place.bearer, two)
    if not all(pair):
        raise Refusal(
            gettext("{name} asks for two fighters; one is named.").format(name=place.source.name), code="wrong-count"
        )
    if not declared.people.keys() >= set(pair):
        raise Refusal(gettext("A fighter named is not on the roster."), code="gone")
    reason = declared.unfit(place, pair)
    if reason:
        raise Refusal(reason, mend=gettext("Choose another partner."), code="fireteam")
    return place, pair


def pairs_in_words(roster: RosterState) -> tuple[tuple[Pair, str, str], ...]:
    """Return the declared pairs: keys, both names, and the rule that permits each ("" if none does)."""
    declared = Declared(roster)
    return tuple(
        (pair, declared.words(pair), declared.places[n].source.name if n is not None else "")
        for pair, n in zip(declared.pairs, declared.at, strict=True)
    )
