"""The computed state of a warband: its list and current rules, its fighters and its pieces.

Fighters come with their facts, and pieces with the armoury entries they were bought through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.content.compiled import Content
from rules.content.schema import ItemOffer, ProfileOffer
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame, frame_of
from rules.fighters.kit import CarriedItem
from rules.fighters.prices import named_entry
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem
from rules.price import Price, add

PRESENT = ("active", "captive")
_MAX_EXAMINED = 32


class RosterState(NamedTuple):
    """The computed state of a warband. `fighters` and `facts` have the same order.

    `sizes` holds the size of each finding against purchases, by its identity. It is empty until a purchase is compared
    with the roster.
    """

    content: Content
    force: Force
    frame: Frame
    fighters: tuple[ForceFighter, ...]
    facts: tuple[Facts, ...]
    sizes: dict[tuple[str, str, str], int]

    @property
    def people(self) -> tuple[tuple[ForceFighter, Facts], ...]:
        return tuple(zip(self.fighters, self.facts, strict=True))

    @property
    def untried(self) -> bool:
        """Return whether the campaign has not begun: no battle was fought or credited."""
        battles = self.force.battles
        return self.force.mode == "campaign" and not battles.fought and not battles.credited


class _Examined(dict[int, tuple[Force, RosterState]]):
    """The states of the last forces under one content, by the `id()` of each force, which never changes."""

    def __init__(self, _content: Content) -> None:
        super().__init__()


def examine(content: Content, force: Force, before: RosterState | None = None) -> RosterState:
    """Compute the state of a warband. It is kept for a while, since one page asks for it dozens of times.

    Fighters of an unknown profile are left out. Raises KeyError for an unknown list.

    `before` is the same warband without the change that is tried out. Fighters that the change does not affect reuse
    their facts. Such a state is not kept.
    """
    if before is not None:
        return _examined(content, force, before)
    recent = content.once(_Examined)
    kept = recent.get(id(force))
    if kept is None or kept[0] is not force:
        if len(recent) >= _MAX_EXAMINED:
            recent.clear()
        kept = recent[id(force)] = force, _examined(content, force, None)
    return kept[1]


def _examined(content: Content, force: Force, before: RosterState | None) -> RosterState:
    frame = frame_of(content, force)
    fighters = [f for f in force.fighters if f.status in PRESENT and f.profile in content.profiles]
    if any(not f.offer for f in fighters):
        fighters = with_offers(content, frame, fighters)
    explicit = force.strongbox is not None
    known = _unchanged(before, frame, explicit) if before is not None else {}
    return RosterState(
        content,
        force,
        frame,
        tuple(fighters),
        tuple([known.get(id(f)) or facts(content, frame, f, explicit=explicit) for f in fighters]),
        {},
    )


def _unchanged(before: RosterState, frame: Frame, explicit: bool) -> dict[int, Facts]:
    """Return the facts that stay valid under this frame, by the `id()` of the fighter."""
    old = before.frame
    if old.key != frame.key or explicit != (before.force.strongbox is not None):
        return {}
    ties = (frame.linked, frame.foreign, frame.firsts.rows, old.linked, old.foreign, old.firsts.rows)
    if not any(ties):
        return dict(zip(map(id, before.fighters), before.facts, strict=True))
    return {
        id(fighter): who
        for fighter, who in before.people
        if frame.linked.get(fighter.key) == old.linked.get(fighter.key)
        and frame.foreign.get(fighter.key) == old.foreign.get(fighter.key)
        and frame.firsts.rows.get(fighter.key) == old.firsts.rows.get(fighter.key)
    }


def with_offers(content: Content, frame: Frame, fighters: Sequence[ForceFighter]) -> list[ForceFighter]:
    """Return the fighters, each with the recruitment entry it was hired through.

    If no entry is stored, leaders get theirs first, and then each fighter gets one that still has room.
    """
    taken: Counter[str] = Counter(f.offer for f in fighters if f.offer)
    possible = {f.key: _entries(content, frame, f) for f in fighters if not f.offer}
    chosen: dict[str, str] = {}

    def choose(key: str, entry: ProfileOffer) -> None:
        chosen[key] = entry.id
        taken[entry.id] += 1

    led = any(o.leader for o in frame.list.profile_offers if taken[o.id])
    for key, entry in _leaders(possible, led=led):
        choose(key, entry)
    for key, entries in possible.items():
        if entries and key not in chosen:
            choose(key, _with_room(entries, taken))
    return [replace(f, offer=chosen[f.key]) if f.key in chosen else f for f in fighters]


def _leaders(possible: Mapping[str, list[ProfileOffer]], *, led: bool) -> list[tuple[str, ProfileOffer]]:
    """Return the fighters who lead, with the entry of each.

    These are the fighters who can only lead, or else the first one who can, unless the warband has a leader.
    """
    only = [(key, entries[0]) for key, entries in possible.items() if entries and all(o.leader for o in entries)]
    if only or led:
        return only
    return [(key, o) for key, entries in possible.items() for o in entries if o.leader][:1]


def _with_room(entries: Sequence[ProfileOffer], taken: Mapping[str, int]) -> ProfileOffer:
    """Return the first entry that still has room, or else the first one.

    Ordinary entries come before those of leaders and of fighters found in exploration.
    """
    ranked = sorted(entries, key=lambda o: (o.leader, o.hired_as == "find"))
    return next((o for o in ranked if o.most is None or taken[o.id] < o.most), ranked[0])


def _entries(content: Content, frame: Frame, fighter: ForceFighter) -> list[ProfileOffer]:
    """Return the entries through which this profile may have joined: those of the list, or else those of exploration."""
    own = list(frame.list.by_profile.get(fighter.profile, ()))
    return own or [o for o in content.pack.profile_offers if o.profile == fighter.profile and o.hired_as == "find"]


def rating_of(roster: RosterState) -> Price:
    """Return what the active fighters with their kit and upgrades are worth."""
    return add(*[who.rating for fighter, who in roster.people if fighter.status == "active"])


def stash_offer(roster: RosterState, piece: ForceItem) -> ItemOffer | None:
    foreign = roster.frame.foreign.get("", ())
    named = named_entry(roster.frame, piece.item, piece.offer, foreign)
    if named is not None:
        return named
    entries = (*roster.frame.list.by_item.get(piece.item, ()), *(o for o in foreign if o.item == piece.item))
    if not entries:
        return None if piece.origin == "bought" else roster.content.finds.get(piece.item)
    return min(entries, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))


def stash_held(roster: RosterState, piece: ForceItem) -> CarriedItem:
    """Return a piece in the stash in the form that item tests take."""
    item, keywords = roster.content.items[piece.item], roster.content.item_keywords[piece.item]
    return CarriedItem(item, -1, piece.origin, keywords, None, stash_offer(roster, piece))
