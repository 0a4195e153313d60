"""The sides of a battle on the tracker: their fighters, with markers and buttons."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from campaigns.pages.tracker_board import (
    OfferView,
    Press,
    TableView,
    offers_for,
    roll_href,
)
from rules.formatting import profile_beside
from rules.tracker.changes import MOST_SCORE
from rules.tracker.rolls import Badge
from rules.tracker.state import MarkerKind, TableFighter, TableState
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class Step:
    """The − or + button of a marker.

    `ends` says that the marker is at the end of its scale as far as the server knows; unsent presses may have moved it.
    """

    press: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    key: str
    name: str
    icon: str
    figure: int
    most: int
    less: Step | None
    more: Step | None
    about: str
    end_words: str = ""
    waiting_words: str = ""


@dataclass(frozen=True, slots=True)
class HeldPiece:
    icon: str
    name: str
    figure: int


@dataclass(frozen=True, slots=True)
class FighterRow:
    """One fighter. `state` is ready, acted, down, out or away. Without `acts` the row is read-only."""

    key: str
    name: str
    profile: str
    state: str
    words: tuple[Badge, ...]
    held: tuple[HeldPiece, ...]
    acts: bool
    is_open: bool
    unfolds: bool = False
    lines: tuple[str, ...] = ()
    offers: tuple[OfferView, ...] = ()
    markers: tuple[Marker, ...] = ()
    presses: tuple[Press, ...] = ()
    links: tuple[Link, ...] = ()
    out_words: str = ""


@dataclass(frozen=True, slots=True)
class Pane:
    key: str
    label: str
    name: str
    acts: bool
    count_words: str
    score: Marker | None
    fighters: tuple[FighterRow, ...]
    href: str
    current: bool


def pane_of(view: TableView, key: str, own: frozenset[str], tab: str, opened: str) -> Pane:
    side, fighters = view.state.side(key), view.state.of(key)
    mine, played = key in own, len(own)
    acts = key in view.hands
    return Pane(
        key=key,
        label="Mine" if mine and played == 1 else "Theirs" if played == 1 and len(view.state.sides) == 2 else side.name,
        name=side.name,
        acts=acts,
        count_words=str(sum(fighter.fights for fighter in fighters)),
        score=_score(side.key, side.score, side.name, acts) if "score" in view.tracker.uses else None,
        fighters=tuple(_fighter_row(view, fighter, opened) for fighter in fighters),
        href=f"{view.here}?tab={key}",
        current=tab == key,
    )


def _score(key: str, score: int, name: str, acts: bool) -> Marker:
    return Marker(
        key=f"s{key}",
        name="Victory points",
        icon="",
        figure=score,
        most=MOST_SCORE,
        less=Step(f"score {key} -1 {score}", score == 0) if acts else None,
        more=Step(f"score {key} 1 {score}", score == MOST_SCORE) if acts else None,
        about=name,
    )


def _fighter_row(view: TableView, fighter: TableFighter, opened: str = "") -> FighterRow:
    """Return one fighter with its buttons. No queries."""
    tracker, state = view.tracker, view.state
    may_act = fighter.side in view.hands
    lines = tracker.lines(state, fighter)
    can_mark = may_act and fighter.fights and "marker" in tracker.uses
    return FighterRow(
        key=fighter.key,
        name=fighter.name,
        profile=profile_beside(fighter.name, fighter.profile_name),
        state=_condition(fighter),
        words=(*_state_words(fighter, tracker.uses), *tracker.badges(state, fighter)),
        held=tuple(
            HeldPiece(kind.icon, kind.name, fighter.markers[kind.id])
            for kind in tracker.markers_of(fighter)
            if kind.icon and fighter.markers.get(kind.id)
        ),
        acts=may_act,
        is_open=opened == fighter.key,
        unfolds=bool(may_act or lines),
        lines=lines,
        offers=offers_for(view, fighter) if may_act else (),
        markers=tuple(_marker(fighter, kind) for kind in tracker.markers_of(fighter)) if can_mark else (),
        presses=_presses(state, fighter, tracker.uses) if may_act else (),
        links=_links(view, fighter) if may_act and fighter.fights else (),
        out_words=_out_words(state, fighter) if may_act and fighter.out else "",
    )


def _links(view: TableView, fighter: TableFighter) -> tuple[Link, ...]:
    links = []
    if "deed" in view.tracker.uses and any(not deed.side for deed in view.state.deeds):
        query = urlencode({"open": fighter.key, "deed": fighter.key})
        links.append(Link("Deed", f"{view.here}?{query}#t_deeds"))
    if rolls := view.tracker.rolls():
        links.append(Link("Roll", roll_href(view.here, rolls[0].id, {"fighter": fighter.key})))
    return tuple(links)


def _condition(fighter: TableFighter) -> str:
    if fighter.out:
        return "out"
    if not fighter.there:
        return "away"
    if fighter.down:
        return "down"
    return "acted" if fighter.acted else "ready"


def _state_words(fighter: TableFighter, uses: frozenset[str]) -> tuple[Badge, ...]:
    if fighter.out:
        return (Badge("OUT", "alarm"),)
    if not fighter.there:
        return (Badge("not on yet"),)
    words = [Badge("DOWN", "alarm")] if fighter.down else []
    if "acted" in uses:
        words.append(Badge("acted" if fighter.acted else "ready"))
    return tuple(words)


def _out_words(state: TableState, fighter: TableFighter) -> str:
    if fighter.out_by == fighter.side:
        by = "by its own side"
    elif fighter.out_by in {side.key for side in state.sides}:
        by = f"by {state.side(fighter.out_by).name}"
    else:
        by = "by a fall, or unknown"
    return f"Out, {by}."


def _presses(state: TableState, fighter: TableFighter, uses: frozenset[str]) -> tuple[Press, ...]:
    """Return those buttons common to all games that this game uses."""
    key, name = fighter.key, fighter.name
    if fighter.out:
        return _presses_out(state, fighter) if "out" in uses else ()
    if not fighter.there:
        return (Press(f"h{key}", "Comes on", f"there {key} 1", name),) if "there" in uses else ()
    presses = []
    if "acted" in uses:
        presses.append(Press(f"a{key}", "Acted", f"acted {key}", name))
    if "down" in uses:
        down = ("Stand up", f"down {key} 0") if fighter.down else ("Down", f"down {key} 1")
        presses.append(Press(f"d{key}_down", *down, name))
    if "out" in uses:
        presses.append(Press(f"o{key}", "Out", f"out {key} {_only_foe(state, fighter)}", name))
    if "used" in uses:
        presses += [
            Press(f"u{key}_{piece.key}", f"Use {piece.name}", f"used {key} {piece.key}", name)
            for piece in fighter.kit
            if not piece.used
        ]
    if "there" in uses and not fighter.touched:
        presses.append(Press(f"h{key}", "Not on yet", f"there {key} 0", name))
    return tuple(presses)


def _only_foe(state: TableState, fighter: TableFighter) -> str:
    """Return the key of the opposing side, "-" unless there is exactly one."""
    others = [side.key for side in state.sides if side.key != fighter.side]
    return others[0] if len(others) == 1 else "-"


def _presses_out(state: TableState, fighter: TableFighter) -> tuple[Press, ...]:
    key, name = fighter.key, fighter.name
    causes = [(side.key, f"By {side.name}") for side in state.sides if side.key != fighter.side]
    causes += [(fighter.side, "By its own side"), ("", "A fall, or unknown")]
    return (
        *(
            Press(f"o{key}_{index}", label, f"out_by {key} {out_by or '-'}", name)
            for index, (out_by, label) in enumerate(causes)
            if out_by != fighter.out_by
        ),
        Press(f"b{key}", "Back on the table", f"back {key}", name),
    )


def _marker(fighter: TableFighter, kind: MarkerKind) -> Marker:
    count, maximum = fighter.markers.get(kind.id, 0), kind.most
    press = f"marker {fighter.key} {kind.id}"
    return Marker(
        key=f"m{fighter.key}_{kind.id}",
        name=kind.name,
        icon=kind.icon,
        figure=count,
        most=maximum,
        less=Step(f"{press} -1 {count}", count == 0),
        more=Step(f"{press} 1 {count}", count >= maximum),
        about=fighter.name,
        end_words=f"{maximum} is the most" if count >= maximum else "",
    )
