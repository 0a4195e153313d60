"""The sides of a battle on the tracker: their fighters, with markers and buttons, in the order in which they matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from zlib import crc32

from django.utils.translation import gettext as _

from campaigns.pages.tracker_board import (
    OfferView,
    Press,
    TableView,
    offers_for,
    offers_with,
    roll_href,
)
from rules.formatting import profile_beside
from rules.tracker.changes import MOST_SCORE
from rules.tracker.rolls import Badge, BoardLine
from rules.tracker.state import MarkerKind, TableFighter, TableState
from warbands.pages.widgets import Link

if TYPE_CHECKING:
    from campaigns.pages.tracker_cards import TableCard

PLAIN = ("blood",)  # markers that any attack may leave; the others are folded away while a fighter has none


@dataclass(frozen=True, slots=True)
class MarkerStep:
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
    less: MarkerStep | None
    more: MarkerStep | None
    about: str
    end_words: str = ""
    waiting_words: str = ""


@dataclass(frozen=True, slots=True)
class HeldPiece:
    icon: str
    name: str
    figure: int


@dataclass(frozen=True, slots=True)
class FighterArm:
    """A weapon as it is now, with the attacks that may be made with it now."""

    name: str
    words: str
    acts: tuple[OfferView, ...]


@dataclass(frozen=True, slots=True)
class FighterRow:
    """One fighter. `state` is ready, acted, down, out or away. Without `acts` the row is read-only.

    `now` is its state for a device without a line. `group` is the part of the list in which it stands: open, acted or out. `more` and what follows it are folded away.
    """

    key: str
    name: str
    profile: str
    state: str
    words: tuple[Badge, ...]
    held: tuple[HeldPiece, ...]
    acts: bool
    is_open: bool
    group: str = "open"
    place: int = 0
    unfolds: bool = False
    now: str = ""
    card: TableCard | None = None
    lines: tuple[str, ...] = ()
    tracks: tuple[BoardLine, ...] = ()
    arms: tuple[FighterArm, ...] = ()
    offers: tuple[OfferView, ...] = ()
    markers: tuple[Marker, ...] = ()
    presses: tuple[Press, ...] = ()
    more_offers: tuple[OfferView, ...] = ()
    more_presses: tuple[Press, ...] = ()
    links: tuple[Link, ...] = ()
    more_label: str = ""
    out_words: str = ""
    same: str = ""  # equal for fighters in the same state: see `pooled`
    count: int = 1
    is_pooled: bool = False

    @property
    def kind(self) -> str:
        """Return what fighters with the same profile, figures, kit and upgrades have in common, "" where they stand alone."""
        return self.card.kind if self.card is not None else ""


@dataclass(frozen=True, slots=True)
class FighterGroup:
    """A part of a side's list: those who may act, those who have acted, those who are out. `names` tell who is folded away."""

    key: str
    name: str
    label: str
    rows: tuple[FighterRow, ...]

    @property
    def names(self) -> str:
        return ", ".join(row.name for row in self.rows)

    @property
    def is_open(self) -> bool:
        return any(row.is_open for row in self.rows)


@dataclass(frozen=True, slots=True)
class Pane:
    key: str
    label: str
    name: str
    acts: bool
    count_words: str
    score: Marker | None
    groups: tuple[FighterGroup, ...]
    href: str
    current: bool
    figures_head: str = ""  # what the figures of the closed rows are, on a wide screen

    @property
    def fighters(self) -> tuple[FighterRow, ...]:
        return tuple(row for group in self.groups for row in group.rows)


def pane_of(view: TableView, key: str, own: frozenset[str], tab: str, opened: str) -> Pane:
    side, fighters = view.state.side(key), view.state.of(key)
    mine, played = key in own, len(own)
    acts = key in view.hands
    return Pane(
        key=key,
        label=_("Mine")
        if mine and played == 1
        else _("Theirs")
        if played == 1 and len(view.state.sides) == 2
        else side.name,
        name=side.name,
        acts=acts,
        count_words=str(sum(fighter.fights for fighter in fighters)),
        score=_score(side.key, side.score, side.name, acts) if "score" in view.tracker.uses else None,
        groups=_groups(view, key, tuple(_fighter_row(view, fighter, opened) for fighter in fighters)),
        href=f"{view.here}?tab={key}",
        current=tab == key,
        figures_head=_figures_head(view, fighters),
    )


def _figures_head(view: TableView, fighters: Sequence[TableFighter]) -> str:
    """Return the labels of the figures that most cards of a side show."""
    heads = Counter(
        " ".join(stat.label for stat in card.brief) for card in map(view.cards.get, (f.key for f in fighters)) if card
    )
    return heads.most_common(1)[0][0] if heads else ""


def _groups(view: TableView, side: str, rows: tuple[FighterRow, ...]) -> tuple[FighterGroup, ...]:
    """Return the parts of a side's list. An opened fighter is shown where it stands."""
    labels = {
        "open": _("Still to act") if view.tracker.folds_acted else "",
        "acted": _("Acted"),
        "out": _("Out"),
    }
    found = []
    for key, label in labels.items():
        found.append(FighterGroup(f"{key}{side}", key, label, pooled(row for row in rows if row.group == key)))
    return tuple(found)


def pooled(rows: Iterable[FighterRow]) -> tuple[FighterRow, ...]:
    """Return the rows of one list: of those that are alike in all but their names, the first stands for all. One that is open stands apart."""
    alike: dict[tuple[str, str], list[str]] = {}
    listed = tuple(rows)
    for row in listed:
        if row.kind and not row.is_open:
            alike.setdefault((row.kind, row.same), []).append(row.key)
    found = []
    for row in listed:
        keys = alike.get((row.kind, row.same), []) if not row.is_open else []
        head = not keys or keys[0] == row.key
        found.append(replace(row, count=len(keys) if head and keys else 1, is_pooled=not head))
    return tuple(found)


def _same(fighter: TableFighter) -> str:
    """Return a short word for the state of a fighter, equal for those in the same state."""
    facts = sorted(f"{name} {fact}" for name, fact in fighter.facts.items() if fact)
    kit = sorted((piece.name, piece.used) for piece in fighter.kit)
    marks = sorted(fighter.markers.items())
    state = (fighter.there, fighter.acted, fighter.down, fighter.out, fighter.out_by, marks, kit, facts)
    return f"{crc32(repr(state).encode()):x}"


def _score(key: str, score: int, name: str, acts: bool) -> Marker:
    return Marker(
        key=f"s{key}",
        name=_("Victory points"),
        icon="",
        figure=score,
        most=MOST_SCORE,
        less=MarkerStep(f"score {key} -1 {score}", score == 0) if acts else None,
        more=MarkerStep(f"score {key} 1 {score}", score == MOST_SCORE) if acts else None,
        about=name,
    )


def _fighter_row(view: TableView, fighter: TableFighter, opened: str = "") -> FighterRow:
    """Return one fighter with its buttons. No queries."""
    tracker, state = view.tracker, view.state
    may_act = fighter.side in view.hands
    lines = tracker.lines(state, fighter)
    row = FighterRow(
        key=fighter.key,
        name=fighter.name,
        profile=profile_beside(fighter.name, fighter.profile_name),
        state=_condition(fighter),
        place=state.fighters.index(fighter),
        group=_group_key(view, fighter),
        words=(*_state_words(fighter, tracker.uses), *tracker.badges(state, fighter)),
        held=tuple(
            HeldPiece(kind.icon, kind.name, fighter.markers[kind.id])
            for kind in tracker.markers_of(fighter)
            if kind.icon and fighter.markers.get(kind.id)
        ),
        acts=may_act,
        is_open=opened == fighter.key,
        now=" ".join(tracker.words_of(fighter)),
        unfolds=bool(may_act or lines or (fighter.side in view.opens and not fighter.joined)),
        card=view.cards.get(fighter.key),
        lines=lines,
        tracks=tracker.tracks(state, fighter),
        arms=_arms(view, fighter, may_act=may_act),
        more_label=_("Move, action, deed") if "deed" in tracker.uses else _("More"),
        same=_same(fighter),
    )
    return _with_buttons(view, fighter, row) if may_act else row


def _with_buttons(view: TableView, fighter: TableFighter, row: FighterRow) -> FighterRow:
    """Return the row of a fighter for whom the user may act. Markers that it does not have fold away if some are plain."""
    tracker = view.tracker
    kinds = tracker.markers_of(fighter) if fighter.fights and "marker" in tracker.uses else ()
    folds = any(kind.id in PLAIN for kind in kinds)
    shown = [kind for kind in kinds if not folds or kind.id in PLAIN or fighter.markers.get(kind.id)]
    main, more = _presses(view, fighter)
    return replace(
        row,
        offers=offers_for(view, fighter, quiet=False),
        markers=tuple(_marker(fighter, kind, tracker.figure_of(fighter, kind)) for kind in shown),
        presses=main,
        more_offers=offers_for(view, fighter, quiet=True),
        more_presses=(*more, *(_first_marker(fighter, kind) for kind in kinds if kind not in shown)),
        links=_links(view, fighter) if fighter.fights else (),
        out_words=_out_words(view.state, fighter) if fighter.out else "",
    )


def _group_key(view: TableView, fighter: TableFighter) -> str:
    """Return the part of the list in which a fighter stands."""
    if fighter.out:
        return "out"
    return "acted" if view.tracker.folds_acted and view.tracker.has_acted(view.state, fighter) else "open"


def _arms(view: TableView, fighter: TableFighter, *, may_act: bool) -> tuple[FighterArm, ...]:
    """Return the weapons of a fighter where the game shows them as they are now."""
    return tuple(
        FighterArm(arm.name, arm.words, offers_with(view, fighter, arm.name) if may_act else ())
        for arm in view.tracker.armaments(view.state, fighter)
    )


def _links(view: TableView, fighter: TableFighter) -> tuple[Link, ...]:
    links = []
    if "deed" in view.tracker.uses and any(not deed.side for deed in view.state.deeds):
        query = urlencode({"open": fighter.key, "deed": fighter.key})
        links.append(Link(_("Deed"), f"{view.here}?{query}#t_deeds"))
    rolls = view.tracker.rolls()
    if rolls and not any(offer.quiet for offer in view.offers if offer.fighter == fighter.key):
        links.append(Link(_("Roll"), roll_href(view.here, rolls[0].id, {"fighter": fighter.key})))
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
        return (Badge(_("OUT"), "alarm"),)
    if not fighter.there:
        return (Badge(_("in reserve")),)
    words = [Badge(_("DOWN"), "alarm")] if fighter.down else []
    if "acted" in uses and fighter.acted:
        words.append(Badge(_("acted")))
    return tuple(words)


def _out_words(state: TableState, fighter: TableFighter) -> str:
    if fighter.out_by == fighter.side:
        return _("Out, by its own side.")
    if fighter.out_by in {side.key for side in state.sides}:
        return _("Out, by {side}.").format(side=state.side(fighter.out_by).name)
    return _("Out, by a fall, or unknown.")


def _presses(view: TableView, fighter: TableFighter) -> tuple[tuple[Press, ...], tuple[Press, ...]]:
    """Return those buttons common to all games that this game uses: the main ones, and those folded away."""
    state, uses = view.state, view.tracker.uses
    key, name = fighter.key, fighter.name
    if fighter.out:
        return (_presses_out(state, fighter) if "out" in uses else ()), ()
    if not fighter.there:
        return ((Press(f"h{key}", _("Arrives"), f"there {key} 1", name),) if "there" in uses else ()), ()
    presses, more = [], []
    if "down" in uses:
        down = (_("Stand up"), f"down {key} 0") if fighter.down else (_("Down"), f"down {key} 1")
        presses.append(Press(f"d{key}_down", *down, name))
    if "out" in uses:
        presses.append(Press(f"o{key}", _("Out"), f"out {key} {_only_foe(state, fighter)}", name))
    if "acted" in uses:  # hidden while the fighter has acted, so that the end of a turn leaves the panel as it is
        presses.append(Press(f"a{key}", _("Acted"), f"acted {key}", name, bar=_done_here(fighter)))
    if "used" in uses:
        more += [
            Press(f"u{key}_{piece.key}", _("Use {piece}").format(piece=piece.name), f"used {key} {piece.key}", name)
            for piece in fighter.kit
            if not piece.used
        ]
    if "there" in uses and not fighter.touched:
        more.append(Press(f"h{key}", _("In reserve"), f"there {key} 0", name))
    return tuple(presses), tuple(more)


def hands_over(view: TableView, fighter: TableFighter) -> bool:
    """Return whether it is another player's turn once this fighter has acted."""
    done = replace(fighter, acted=True)
    after = view.tracker.handed_over(view.state.with_fighter(done), done).acting
    return bool(after) and after not in view.hands


def done_words(view: TableView, fighter: TableFighter) -> str:
    """Return what the bar says while a fighter is open who has yet to act."""
    words = _done_here(fighter)
    return _("{what}: their turn").format(what=words) if hands_over(view, fighter) else words


def _done_here(fighter: TableFighter) -> str:
    """Return what the bar says of a fighter, whoever acts next: only the bar knows that once others have acted."""
    return _("{name} is done").format(name=fighter.name)


def _only_foe(state: TableState, fighter: TableFighter) -> str:
    """Return the key of the opposing side, "-" unless there is exactly one."""
    others = [side.key for side in state.sides if side.key != fighter.side]
    return others[0] if len(others) == 1 else "-"


def _presses_out(state: TableState, fighter: TableFighter) -> tuple[Press, ...]:
    key, name = fighter.key, fighter.name
    causes = [(side.key, _("By {side}").format(side=side.name)) for side in state.sides if side.key != fighter.side]
    causes += [(fighter.side, _("By its own side")), ("", _("A fall, or unknown"))]
    return (
        *(
            Press(f"o{key}_{index}", label, f"out_by {key} {out_by or '-'}", name)
            for index, (out_by, label) in enumerate(causes)
            if out_by != fighter.out_by
        ),
        Press(f"b{key}", _("Back on the table"), f"back {key}", name),
    )


def _first_marker(fighter: TableFighter, kind: MarkerKind) -> Press:
    label = _("+1 {marker}").format(marker=kind.name)
    return Press(f"m{fighter.key}_{kind.id}_plus", label, f"marker {fighter.key} {kind.id} 1 0", fighter.name)


def _marker(fighter: TableFighter, kind: MarkerKind, count: int) -> Marker:
    maximum = kind.most
    press = f"marker {fighter.key} {kind.id}"
    return Marker(
        key=f"m{fighter.key}_{kind.id}",
        name=kind.name,
        icon=kind.icon,
        figure=count,
        most=maximum,
        less=MarkerStep(f"{press} -1 {count}", count == 0),
        more=MarkerStep(f"{press} 1 {count}", count >= maximum),
        about=fighter.name,
        end_words=_("{most} is the most").format(most=maximum) if count >= maximum else "",
    )
