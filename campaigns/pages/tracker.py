"""The table of a battle on a screen: both sides, what may be pressed, what is asked for, the log; and the pieces that an update sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.models import Battle, Campaign, Side, Table, TableAct
from campaigns.pages.tracker_board import (
    BoardGroup,
    BoardOption,
    Look,
    OfferView,
    Press,
    board_of,
    is_answered,
    offer_view,
    offers_beside,
    offers_for,
    roll_href,
)
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name, versus
from campaigns.services.tracker import BEGIN, SCENE, UNDO
from rules.formatting import profile_beside
from rules.tracker.changes import MOST_SCORE
from rules.tracker.rolls import Badge, Prompt, TableOffer
from rules.tracker.state import TableFighter, TableState, keeper_of, read_state
from rules.tracker.tracker import Tracker
from warbands.pages.formatting import clock
from warbands.pages.widgets import Link
from warbands.parsing import read_number

MOST_LINES = 40
MOST_UNDO = 12
# Bytes of one update: what does not fit comes with the next. LEAST_ROWS are left for rows whatever stands beside them; a line of the log
# holds its sentence twice, once for who cannot see which undo it is.
MOST_BYTES, LEAST_ROWS, SUMMARY, LINE = 9_300, 1_500, 700, 520
MOST_NEW = 8
MOST_UNDER = 2  # acts under the thumb, beside the roll
LOG = "log"


@dataclass(frozen=True, slots=True)
class Step:
    """− or + of a marker. `ends`: the scale ends here, as far as the server knows; what waits on a phone may have moved it."""

    press: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """One row of markers, or of victory points."""

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
    """A marker as the closed row shows it."""

    icon: str
    name: str
    figure: int


@dataclass(frozen=True, slots=True)
class FighterRow:
    """One fighter. `state`: ready, acted, down, out, away. Without `acts` it is read only; `unfolds` where there is more to read."""

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
    """One side."""

    key: str
    label: str
    name: str
    mine: bool
    acts: bool
    count_words: str
    score: Marker | None
    fighters: tuple[FighterRow, ...]
    href: str
    current: bool
    guest: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """What the table asks for now, with what answers it."""

    kind: str
    words: str
    answer: OfferView | None
    presses: tuple[Press, ...]


@dataclass(frozen=True, slots=True)
class LogThrow:
    """Dice that fell for an act: what for, the faces, and what changed them with its causes."""

    why: str
    faces: str
    because: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act in the log."""

    number: int
    when: str
    told: str
    who: str
    dice: str
    throws: tuple[LogThrow, ...]
    undone: bool
    undo: Press | None


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A deed and who did it; `open` while nobody has."""

    id: str
    name: str
    words: str
    who: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """The table."""

    pk: int
    title: str
    versus: str
    fighter_word: str  # what one row of a side is called
    here: str
    back: Link
    laid: bool
    open: bool
    told: str
    version: str
    turn_words: str
    turn: int
    standing: tuple[tuple[str, int, bool], ...]
    sides_words: str
    asks: tuple[Ask, ...]
    board: tuple[BoardGroup, ...]
    offers: tuple[OfferView, ...]
    panes: tuple[Pane, ...]
    tab: str
    log_href: str
    log: tuple[LogLine, ...]
    more_log: int
    deeds: tuple[DeedRow, ...]
    open_deeds: tuple[BoardOption, ...]
    deed_hands: tuple[tuple[str, tuple[BoardOption, ...]], ...]
    strip: tuple[Press | Link, ...]
    roll: Link | None
    end: Press | None
    reopen: Press | None
    report: Link | None
    keeping: tuple[Press, ...]
    keeping_words: str
    anew: bool
    guests: tuple[BoardOption, ...]
    note_side: str
    muster: Link | None
    acts: bool


def version_of(version: int, status: str) -> str:
    """What marks a table's state on a screen: its last act, and whether it is closed."""
    return f"{version}{'' if status == Battle.Status.MUSTERED else 'x'}"


def table_page(
    battle: Battle,
    sides: Sequence[Side],
    table: Table | None,
    hands: frozenset[str],
    own: frozenset[str],
    *,
    tab: str = "",
    opened: str = "",
    deed_for: str = "",
    by_link: bool = False,
    newest: list[TableAct] | None = None,
) -> TablePage:
    """Build the page: one query for the log, unless its `newest` acts are given. `hands` are the sides this person may act for,
    `own` those they play.

    `by_link`: for whoever has the campaign's public link.
    """
    pk = battle.pk
    if by_link:
        here = reverse("table-watch", args=[battle.campaign.slug, pk])
        back = Link("Leave", reverse("battle-watch", args=[battle.campaign.slug, pk]))
    else:
        here = reverse("battle-track", args=[pk])
        back = Link("Leave", reverse("battle-show", args=[pk]))
    mustered = battle.status == Battle.Status.MUSTERED
    if table is None:
        return _unlaid(battle, sides, here, back, mustered, bool(hands))
    state = read_state(table.state)
    terms = battle.campaign.terms
    tracker = terms.game.battle.tracker(terms.content)
    is_open = mustered and bool(hands)
    plays = is_open and not state.ended
    look = Look(
        tracker, state, hands if plays else frozenset(), here, battle.campaign, tracker.offers(state) if plays else ()
    )
    strip, offers = _strip(look) if plays else ((), ())
    ordered = sorted(state.sides, key=lambda side: side.key not in own)
    if opened:
        tab = next((fighter.side for fighter in state.fighters if fighter.key == opened), tab)
    tab = tab if tab == LOG or tab in {side.key for side in ordered} else ordered[0].key
    if newest is None:
        newest = newest_acts(table)
    acts = newest[: MOST_LINES + 1]
    mine = next((side.key for side in ordered if side.key in hands), "")
    went = {key for side in sides for key in side.force.get("taken", ()) if key not in side.force.get("kept_out", ())}
    brought = {fighter.row for fighter in state.fighters if not (fighter.joined or state.side(fighter.side).guest)}
    return TablePage(
        pk=pk,
        title=f"Table: {scenario_name(battle)}",
        versus=versus(sides),
        fighter_word=terms.game.labels(terms.content)["fighter"],
        here=here,
        back=back,
        laid=True,
        open=plays,
        told=_told(battle, state, mustered, bool(hands)),
        version=version_of(table.version, battle.status),
        turn_words=f"Turn {state.turn}" + (f" of {state.turn_limit}" if state.turn_limit else ""),
        turn=state.turn,
        standing=tuple((side.name, side.score, side.key in own) for side in ordered) if "score" in tracker.uses else (),
        sides_words=_whose(state),
        asks=_asks(look) if plays else (),
        board=board_of(tracker, state),
        offers=offers,
        panes=tuple(_pane(look, side.key, own, tab, opened) for side in ordered),
        tab=tab,
        log_href=f"{here}?tab={LOG}",
        log=tuple(_line(act, state, hands, place, plays) for place, act in enumerate(acts[:MOST_LINES])),
        more_log=max(0, len(acts) - MOST_LINES),
        deeds=_deeds(state) if "deed" in tracker.uses else (),
        open_deeds=tuple(BoardOption(deed.id, deed.name) for deed in state.deeds if not deed.side)
        if plays and "deed" in tracker.uses
        else (),
        deed_hands=_deed_hands(state, hands, deed_for) if plays else (),
        strip=strip,
        roll=Link("Roll", roll_href(here, tracker.rolls()[0].id)) if plays and tracker.rolls() else None,
        end=_end(tracker, state) if plays else None,
        reopen=Press("t_reopen", "Go on with the battle", "reopen") if is_open and state.ended else None,
        report=Link("Report it", reverse("battle-report", args=[pk])) if state.ended and is_open else None,
        keeping=_keeping(state, own) if plays else (),
        keeping_words=_keeping_words(state),
        anew=plays and bool(went) and went != brought,
        guests=tuple(BoardOption(side.key, side.name) for side in state.sides if side.guest and side.key in hands)
        if plays
        else (),
        note_side=mine if plays else "",
        muster=_muster(battle) if hands else None,
        acts=bool(hands),
    )


def _unlaid(battle: Battle, sides: Sequence[Side], here: str, back: Link, mustered: bool, may: bool) -> TablePage:
    late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
    if mustered:
        told = "" if may else "The table is not laid yet; those who play here lay it."
    elif late and battle.status == Battle.Status.SCHEDULED:
        told = f"The table opens once all are ready. Not yet: {', '.join(late)}."
    else:
        told = f"This battle is {battle.get_status_display().lower()}; no table was kept of it."
    return TablePage(
        pk=battle.pk, title=f"Table: {scenario_name(battle)}", versus=versus(sides), fighter_word="", here=here, back=back, laid=False,
        open=mustered and may, told=told, version=version_of(0, battle.status), turn_words="", turn=0, standing=(),
        sides_words="", asks=(), board=(), offers=(), panes=(), tab="", log_href="", log=(), more_log=0, deeds=(), open_deeds=(),
        deed_hands=(), strip=(), roll=None, end=None, reopen=None, report=None, keeping=(), keeping_words="", anew=False, guests=(),
        note_side="", muster=_muster(battle) if may else None,
        acts=may,
    )  # fmt: skip


def _muster(battle: Battle) -> Link | None:
    if battle.status == Battle.Status.MUSTERED:
        return None
    return Link("See the muster", reverse("force-select", args=[battle.pk]))


def _told(battle: Battle, state: TableState, mustered: bool, may: bool) -> str:
    if battle.status == Battle.Status.SCHEDULED:
        return "The muster was taken back; the table waits until all are ready again."
    if not mustered:
        return f"This battle is {battle.get_status_display().lower()}; its table is closed."
    if state.ended:
        return (
            "The battle is ended. Until the report is sent, either side can go on with it."
            if may
            else "The battle is ended."
        )
    return "" if may else "You read along; those who play act."


def _whose(state: TableState) -> str:
    parts = []
    if state.initiative:
        parts.append(f"Initiative {state.side(state.initiative).name}")
    if state.acting and not state.ended:
        parts.append(f"{state.side(state.acting).name} acts")
    return ", ".join(parts)


# --- what is asked -----------------------------------------------------------------------------------------------------------


def _asks(look: Look) -> tuple[Ask, ...]:
    found = []
    for place, prompt in enumerate(look.tracker.prompts(look.state)):
        mine = not prompt.side or prompt.side in look.hands
        answer = _answer(look, prompt, f"q{place}") if prompt.roll and mine else None
        found.append(Ask(prompt.kind, prompt.words, answer, _said(look, prompt) if mine else ()))
    return tuple(found)


def _answer(look: Look, prompt: Prompt, id_: str) -> OfferView:
    """The roll that answers a prompt, filled in: at once where nothing is left to ask."""
    kind = look.tracker.asked(look.state, prompt.roll)
    given = {**({"side": prompt.side} if prompt.side else {}), **prompt.given}
    label = kind.label if kind.move else "Roll for it"
    fighter = prompt.given.get("fighter", "")
    offer = TableOffer(prompt.roll, label, prompt.side, fighter, given, at_once=is_answered(kind, given))
    return offer_view(look, offer, id_)


def _said(look: Look, prompt: Prompt) -> tuple[Press, ...]:
    """What may be said in place of a roll, where the frame knows how."""
    uses, state = look.tracker.uses, look.state
    if prompt.roll and look.campaign.dice == Campaign.Dice.APP:
        return ()
    if prompt.kind == "initiative" and "initiative" in uses:
        return tuple(Press(f"i{side.key}", side.name, f"initiative {side.key}", "Initiative:") for side in state.sides)
    if prompt.kind == "morale" and "morale" in uses:
        return (
            Press(f"h{prompt.side}", "It held", f"morale {prompt.side} holds", prompt.words),
            Press(f"k{prompt.side}", "Shaken", f"morale {prompt.side} shaken", prompt.words),
            Press(f"v{prompt.side}", "It fled", f"morale {prompt.side} flees", prompt.words),
        )
    return ()


def _strip(look: Look) -> tuple[tuple[Press | Link, ...], tuple[OfferView, ...]]:
    """What stands under the thumb, two at most, and the offers that stand elsewhere."""
    uses, state = look.tracker.uses, look.state
    under: list[Press | Link] = []
    rest = []
    for offer in offers_beside(look):
        act = offer.press or offer.link
        if offer.main and act is not None and len(under) < MOST_UNDER:
            under.append(act)
            rest += [replace(offer, press=None, link=None)] if offer.typed else []
        else:
            rest.append(offer)
    if "pass" in uses:
        under += [
            Press(f"a{side.key}", f"{side.name} acts", f"pass {side.key}")
            for side in state.sides
            if side.key != state.acting
        ][:1]
    if "turn" in uses and (not state.turn_limit or state.turn < state.turn_limit):
        left = look.tracker.left_open(state)
        under.append(
            Press("t_turn", f"End turn {state.turn}", f"turn {state.turn}" + (" 1" if left else ""), open=left)
        )
    return tuple(under[:MOST_UNDER]), tuple(rest)


def _end(tracker: Tracker, state: TableState) -> Press:
    left = tracker.left_open(state)
    return Press("t_end", "End the battle", "end", open=left)


def _keeping(state: TableState, own: frozenset[str]) -> tuple[Press, ...]:
    """What somebody may say about one phone for both."""
    found = []
    played = [side for side in state.sides if not side.open]
    if len(played) < 2:
        return ()
    for side in played:
        if side.key not in own:
            continue
        if side.keeper:
            found.append(Press(f"n{side.key}", "Each keeps its own", f"keep {side.key} -"))
            continue
        for keeper in played:
            label = "I keep both" if keeper.key in own else f"{keeper.name} may keep both"
            found.append(Press(f"k{side.key}_{keeper.key}", label, f"keep {side.key} {keeper.key}"))
    return tuple(found)


def _keeping_words(state: TableState) -> str:
    asked = [side for side in state.sides if side.keeper]
    for side in state.sides:
        keeper = keeper_of(state, side.key)
        if keeper:
            return f"{state.side(keeper).name} keeps both sides."
    if asked:
        side = asked[0]
        return f"{side.name} says: {state.side(side.keeper).name} keeps both. The other side has not agreed yet."
    return ""


# --- sides and fighters ------------------------------------------------------------------------------------------------------


def _pane(look: Look, key: str, own: frozenset[str], tab: str, opened: str) -> Pane:
    state, hands, here = look.state, look.hands, look.here
    side, fighters = state.side(key), state.of(key)
    mine, played = key in own, len(own)
    label = "Mine" if mine and played == 1 else "Theirs" if played == 1 and len(state.sides) == 2 else side.name
    left = sum(fighter.fights for fighter in fighters)
    return Pane(
        key=key,
        label=label,
        name=side.name,
        mine=mine,
        acts=key in hands,
        count_words=str(left),
        score=_score(side.key, side.score, side.name, key in hands) if "score" in look.tracker.uses else None,
        fighters=tuple(fighter_row(look, fighter, opened) for fighter in fighters),
        href=f"{here}?tab={key}",
        current=tab == key,
        guest=side.guest,
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


def fighter_row(look: Look, fighter: TableFighter, opened: str = "") -> FighterRow:
    """One fighter with what may be pressed for it. No queries."""
    tracker, state, here = look.tracker, look.state, look.here
    uses, key = tracker.uses, fighter.key
    acts = fighter.side in look.hands
    held = tuple(
        HeldPiece(kind.icon, kind.name, fighter.markers[kind.id])
        for kind in tracker.markers_of(fighter)
        if kind.icon and fighter.markers.get(kind.id)
    )
    lines = tracker.lines(state, fighter)
    markers: tuple[Marker, ...] = ()
    offers: tuple[OfferView, ...] = ()
    presses: tuple[Press, ...] = ()
    links: list[Link] = []
    if acts and fighter.fights and "marker" in uses:
        markers = tuple(
            _marker(fighter, kind.id, kind.name, kind.icon, kind.most) for kind in tracker.markers_of(fighter)
        )
    if acts:
        offers = offers_for(look, fighter)
        presses = _presses(state, fighter, uses)
    if acts and fighter.fights:
        if "deed" in uses and any(not deed.side for deed in state.deeds):
            links.append(Link("Deed", f"{here}?{urlencode({'open': key, 'deed': key})}#t_deeds"))
        if tracker.rolls():
            links.append(Link("Roll", roll_href(here, tracker.rolls()[0].id, {"fighter": key})))
    return FighterRow(
        key=key,
        name=fighter.name,
        profile=profile_beside(fighter.name, fighter.profile_name),
        state=_condition(fighter),
        words=(*_state_words(fighter, uses), *tracker.badges(state, fighter)),
        held=held,
        acts=acts,
        is_open=opened == key,
        unfolds=bool(acts or lines),
        lines=lines,
        offers=offers,
        markers=markers,
        presses=presses,
        links=tuple(links),
        out_words=_out_words(state, fighter) if acts and fighter.out else "",
    )


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
        by = "by a fall, or nobody knows"
    return f"Out of Action, {by}."


def _presses(state: TableState, fighter: TableFighter, uses: frozenset[str]) -> tuple[Press, ...]:
    """The frame's own buttons for a fighter, as far as the game has them."""
    key, name = fighter.key, fighter.name
    others = [side for side in state.sides if side.key != fighter.side]
    if fighter.out:
        if "out" not in uses:
            return ()
        picks = [(side.key, f"By {side.name}") for side in others]
        picks += [(fighter.side, "By its own side"), ("", "A fall, or unknown")]
        return (
            *(
                Press(f"o{key}_{place}", label, f"out_by {key} {by_key or '-'}", name)
                for place, (by_key, label) in enumerate(picks)
                if by_key != fighter.out_by
            ),
            Press(f"b{key}", "Back on the table", f"back {key}", name),
        )
    if not fighter.there:
        return (Press(f"h{key}", "Comes on", f"there {key} 1", name),) if "there" in uses else ()
    presses = []
    if "acted" in uses:
        presses.append(Press(f"a{key}", "Acted", f"acted {key}", name))
    if "down" in uses:
        down = ("Stand up", f"down {key} 0") if fighter.down else ("Down", f"down {key} 1")
        presses.append(Press(f"d{key}_down", *down, name))
    if "out" in uses:
        by_key = others[0].key if len(others) == 1 else "-"
        presses.append(Press(f"o{key}", "Out", f"out {key} {by_key}", name))
    if "used" in uses:
        presses += [
            Press(f"u{key}_{piece.key}", f"Use {piece.name}", f"used {key} {piece.key}", name)
            for piece in fighter.kit
            if not piece.used
        ]
    if "there" in uses and not fighter.touched:
        presses.append(Press(f"h{key}", "Not on yet", f"there {key} 0", name))
    return tuple(presses)


def _marker(fighter: TableFighter, kind: str, name: str, icon: str, most: int) -> Marker:
    held, key = fighter.markers.get(kind, 0), fighter.key
    return Marker(
        key=f"m{key}_{kind}",
        name=name,
        icon=icon,
        figure=held,
        most=most,
        less=Step(f"marker {key} {kind} -1 {held}", held == 0),
        more=Step(f"marker {key} {kind} 1 {held}", held >= most),
        about=fighter.name,
        end_words=f"{most} is the most" if held >= most else "",
    )


def _deeds(state: TableState) -> tuple[DeedRow, ...]:
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    return tuple(
        DeedRow(deed.id, deed.name, deed.words, names.get(deed.fighter or deed.side, "")) for deed in state.deeds
    )


def _deed_hands(
    state: TableState, hands: frozenset[str], chosen: str
) -> tuple[tuple[str, tuple[BoardOption, ...]], ...]:
    """Who may be named for a deed: fighters of one's sides, and the sides themselves."""
    return tuple(
        (
            side.name,
            (
                BoardOption(f"{side.key}:", f"{side.name} as a whole"),
                *(
                    BoardOption(f"{side.key}:{fighter.key}", fighter.name, fighter.key == chosen)
                    for fighter in state.of(side.key)
                    if fighter.there
                ),
            ),
        )
        for side in state.sides
        if side.key in hands
    )


# --- the log -----------------------------------------------------------------------------------------------------------------


def _line(act: TableAct, state: TableState, hands: frozenset[str], place: int, plays: bool) -> LogLine:
    who = str(act.actor) if act.actor is not None else ""
    if who and act.for_name:
        who = f"{who}, for {act.for_name}"
    typed = [draw for draw in act.dice if draw.get("origin") == "typed"]
    may = (
        plays
        and place < MOST_UNDO
        and act.undone_by_id is None
        and act.number > 1
        and act.data.get("kind") not in (UNDO, SCENE)
        and (act.side_id is None or str(act.side_id) in hands)
    )
    return LogLine(
        number=act.number,
        when=clock(act.at),
        told=act.told,
        who=who,
        dice="" if not act.dice else "typed in" if typed else "rolled by the app",
        throws=tuple(
            LogThrow(draw["why"], " ".join(map(str, draw["faces"])), draw.get("because", "")) for draw in act.dice
        ),
        undone=act.undone_by_id is not None,
        undo=Press(f"l{act.number}_undo", "Undo", f"undo {act.number}", act.told) if may else None,
    )


# --- an update ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Update:
    """What an update holds: fighters to draw anew, lines of the log, and up to which version it goes."""

    rows: tuple[tuple[FighterRow, bool], ...]  # with whether what may be pressed is drawn anew too
    lines: tuple[LogLine, ...]
    version: str


def newest_acts(table: Table, since: int | None = None) -> list[TableAct]:
    """The newest acts, the latest first: as many as the log shows, and all those after this number. One query."""
    count = max(MOST_LINES + 1, table.version - since if since is not None else 0)
    return list(TableAct.objects.filter(table=table).select_related("actor").order_by("-number")[:count])


def asks_for_reload(acts: Sequence[TableAct]) -> bool:
    """Whether an update would not do: the table was laid anew, another phone keeps a side, a fighter came to the table, the end."""
    kinds = {act.data.get("kind") for act in acts}
    return any(_redraws(act.data) for act in acts) or (UNDO in kinds and _undid(acts))


def _redraws(data: Mapping[str, Any]) -> bool:
    """Whether an act changes more of the page than rows that stand on it."""
    return data.get("kind") in (BEGIN, SCENE, "keep", "add", "end", "reopen") or bool(
        (data.get("table") or {}).get("joins")
    )


def _undid(acts: Sequence[TableAct]) -> bool:
    numbers = [act.data["number"] for act in acts if act.data.get("kind") == UNDO]
    if not numbers:
        return False
    undone = TableAct.objects.filter(table=acts[0].table_id, number__in=numbers).values_list("data", flat=True)
    return any(_redraws(data) for data in undone)


def read_since(since: str) -> tuple[int, int] | None:
    """The version that a phone holds: the last act it has whole, and how many fighters of the next; None for what is none."""
    whole, _, part = since.rstrip("x").partition(".")
    number, offset = read_number(whole), read_number(part or "0")
    if number is None or offset is None or number < 1 or offset < 0:
        return None
    return number, offset


def without_panel(act: TableAct) -> bool:
    """Whether an act changes nothing that may be pressed for a fighter: the turn's end, which touches many."""
    return act.data.get("kind") == "turn"


def _line_weight(act: TableAct) -> int:
    weight = LINE + 2 * len(act.told.encode())
    return 2 * weight if act.data.get("kind") == UNDO else weight


def tells_deeds(acts: Sequence[TableAct]) -> bool:
    """Whether these acts may have changed who did which deed."""
    return any(act.data.get("kind") in ("deed", UNDO) for act in acts)


def update_of(page: TablePage, acts: Sequence[TableAct], offset: int, sizes: Mapping[str, int], beside: int) -> Update:
    """The update that these acts ask for, as much of it as fits.

    `sizes` are bytes by fighter key, `beside` those of everything else in it, `offset` as `read_since` tells it.
    """
    room = max(LEAST_ROWS, MOST_BYTES - beside)
    touched: dict[str, bool] = {}
    weights: dict[str, int] = {}
    taken: list[TableAct] = []
    total = 0
    version = page.version
    for act in acts:
        if len(taken) == MOST_NEW or (taken and total + _line_weight(act) > room):
            version = str(taken[-1].number)
            break
        total += _line_weight(act)
        keys = act.touched[offset:]
        for done, key in enumerate(keys):
            weight = SUMMARY if without_panel(act) else sizes.get(key, SUMMARY)
            more = max(0, weight - weights.get(key, 0))
            if touched and total + more > room:
                version = f"{act.number - 1}.{offset + done}"
                break
            total += more
            weights[key] = max(weight, weights.get(key, 0))
            touched[key] = touched.get(key, False) or not without_panel(act)
        else:
            taken.append(act)
            offset = 0
            continue
        break
    rows = {row.key: row for pane in page.panes for row in pane.fighters}
    undone = {act.data.get("number") for act in taken if act.data.get("kind") == UNDO}
    numbers = {act.number for act in taken} | undone
    return Update(
        rows=tuple((rows[key], panel) for key, panel in touched.items() if key in rows),
        lines=tuple(line for line in reversed(page.log) if line.number in numbers),
        version=version,
    )
