"""The table of a battle on a screen: both sides, what may be pressed, what is asked for, the log; and the pieces that an update sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.models import Battle, Campaign, Side, Table, TableAct
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name, versus
from campaigns.services.table import BEGIN, UNDO
from rules.problems import Refusal
from rules.table.tracker import RollKind, TableFighter, TableState, Tracker, keeper_of, read_state
from warbands.numbers import read_number
from warbands.pages.bars import Link
from warbands.pages.words import clock

MOST_LINES = 40
MOST_UNDO = 12
# Bytes of one update: what does not fit comes with the next. Besides rows and lines there are head, prompts, score and strip.
MOST_ROWS, SUMMARY, LINE = 5_000, 500, 350
MOST_NEW = 8
LOG = "log"


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the table's one form: its words, and what is sent. `id` keeps the focus on it when it is drawn anew."""

    id: str
    label: str
    press: str
    about: str = ""  # whom it is about, for who cannot see


@dataclass(frozen=True, slots=True)
class Step:
    """− or + of a marker."""

    press: str


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
class Held:
    """A marker as the closed row shows it."""

    icon: str
    name: str
    figure: int


@dataclass(frozen=True, slots=True)
class FighterRow:
    """One fighter. `state`: ready, acted, down, out, away. Without `acts` it is read only."""

    key: str
    name: str
    profile: str
    state: str
    words: tuple[str, ...]
    held: tuple[Held, ...]
    acts: bool
    is_open: bool
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
    link: Link | None
    presses: tuple[Press, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act in the log."""

    number: int
    when: str
    told: str
    who: str
    dice: str
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
class Choice:
    """An option of a select."""

    value: str
    words: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class TablePage:
    """The table."""

    pk: int
    title: str
    versus: str
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
    panes: tuple[Pane, ...]
    tab: str
    log_href: str
    log: tuple[LogLine, ...]
    more_log: int
    deeds: tuple[DeedRow, ...]
    open_deeds: tuple[Choice, ...]
    deed_hands: tuple[tuple[str, tuple[Choice, ...]], ...]
    strip: tuple[Press, ...]
    roll: Link | None
    end: Press | None
    report: Link | None
    keeping: tuple[Press, ...]
    keeping_words: str
    anew: bool
    guests: tuple[Choice, ...]
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
) -> TablePage:
    """Build the page: one query for the log. `hands` are the sides this person may act for, `own` those they play."""
    pk, here = battle.pk, reverse("battle-track", args=[battle.pk])
    back = Link("Leave", reverse("battle-show", args=[pk]))
    mustered = battle.status == Battle.Status.MUSTERED
    if table is None:
        return _unlaid(battle, sides, here, back, mustered, bool(hands))
    state = read_state(table.state)
    terms = battle.campaign.terms
    tracker = terms.game.tracker(terms.content)
    is_open = mustered and bool(hands)
    plays = is_open and not state.ended
    ordered = sorted(state.sides, key=lambda side: side.key not in own)
    if opened:
        tab = next((fighter.side for fighter in state.fighters if fighter.key == opened), tab)
    tab = tab if tab == LOG or tab in {side.key for side in ordered} else ordered[0].key
    acts = list(TableAct.objects.filter(table=table).select_related("actor").order_by("-number")[: MOST_LINES + 1])
    mine = next((side.key for side in ordered if side.key in hands), "")
    went = {key for side in sides for key in side.force.get("taken", ()) if key not in side.force.get("kept_out", ())}
    brought = {fighter.key for fighter in state.fighters if not state.side(fighter.side).guest}
    return TablePage(
        pk=pk,
        title=f"Table: {scenario_name(battle)}",
        versus=versus(sides),
        here=here,
        back=back,
        laid=True,
        open=plays,
        told=_told(battle, state, mustered, bool(hands)),
        version=version_of(table.version, battle.status),
        turn_words=f"Turn {state.turn}" + (f" of {state.turn_limit}" if state.turn_limit else ""),
        turn=state.turn,
        standing=tuple((side.name, side.score, side.key in own) for side in ordered),
        sides_words=_whose(state),
        asks=_asks(tracker, state, hands, here) if plays else (),
        panes=tuple(
            _pane(tracker, state, side.key, own, hands if plays else frozenset(), here, tab, opened, len(own))
            for side in ordered
        ),
        tab=tab,
        log_href=f"{here}?tab={LOG}",
        log=tuple(_line(act, state, hands, place, plays) for place, act in enumerate(acts[:MOST_LINES])),
        more_log=max(0, len(acts) - MOST_LINES),
        deeds=_deeds(state),
        open_deeds=tuple(Choice(deed.id, deed.name) for deed in state.deeds if not deed.side) if plays else (),
        deed_hands=_deed_hands(state, hands, deed_for) if plays else (),
        strip=_strip(state) if plays else (),
        roll=Link("Roll", f"{here}?roll=attack") if plays and tracker.rolls() else None,
        end=_end(state) if is_open else None,
        report=Link("Report it", reverse("battle-report", args=[pk])) if state.ended and is_open else None,
        keeping=_keeping(state, own) if plays else (),
        keeping_words=_keeping_words(state),
        anew=plays and bool(went) and went != brought,
        guests=tuple(Choice(side.key, side.name) for side in state.sides if side.guest and side.key in hands)
        if plays
        else (),
        note_side=mine if plays else "",
        muster=None if mustered else Link("See the muster", reverse("force-select", args=[pk])),
        acts=bool(hands),
    )


def _unlaid(battle: Battle, sides: Sequence[Side], here: str, back: Link, mustered: bool, may: bool) -> TablePage:
    late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
    if mustered:
        told = ""
    elif late and battle.status == Battle.Status.SCHEDULED:
        told = f"The table opens once all are ready. Not yet: {', '.join(late)}."
    else:
        told = f"This battle is {battle.get_status_display().lower()}; no table was kept of it."
    return TablePage(
        pk=battle.pk, title=f"Table: {scenario_name(battle)}", versus=versus(sides), here=here, back=back, laid=False,
        open=mustered and may, told=told, version=version_of(0, battle.status), turn_words="", turn=0, standing=(),
        sides_words="", asks=(), panes=(), tab="", log_href="", log=(), more_log=0, deeds=(), open_deeds=(),
        deed_hands=(), strip=(), roll=None, end=None, report=None, keeping=(), keeping_words="", anew=False, guests=(),
        note_side="", muster=None if mustered else Link("See the muster", reverse("force-select", args=[battle.pk])),
        acts=may,
    )  # fmt: skip


def _told(battle: Battle, state: TableState, mustered: bool, may: bool) -> str:
    if battle.status == Battle.Status.SCHEDULED:
        return "The muster was taken back; the table waits until all are ready again."
    if not mustered:
        return f"This battle is {battle.get_status_display().lower()}; its table is closed."
    if state.ended:
        return "The battle is ended. The report is filled in from here."
    return "" if may else "You read along; those who play act."


def _whose(state: TableState) -> str:
    parts = []
    if state.initiative:
        parts.append(f"Initiative {state.side(state.initiative).name}")
    if state.acting and not state.ended:
        parts.append(f"{state.side(state.acting).name} acts")
    return ", ".join(parts)


# --- what is asked -----------------------------------------------------------------------------------------------------------


def _asks(tracker: Tracker, state: TableState, hands: frozenset[str], here: str) -> tuple[Ask, ...]:
    found = []
    for prompt in tracker.prompts(state):
        link: Link | None = None
        presses: tuple[Press, ...] = ()
        if prompt.kind == "initiative":
            link = Link("Roll for it", f"{here}?roll={prompt.roll}")
            presses = tuple(
                Press(f"i{side.key}", side.name, f"initiative {side.key}", "Initiative:") for side in state.sides
            )
        elif prompt.kind == "morale" and prompt.side in hands:
            link = Link("Test", f"{here}?roll={prompt.roll}&side={prompt.side}")
            presses = (
                Press(f"h{prompt.side}", "It held", f"morale {prompt.side} holds", prompt.words),
                Press(f"k{prompt.side}", "Shaken", f"morale {prompt.side} shaken", prompt.words),
                Press(f"v{prompt.side}", "It fled", f"morale {prompt.side} flees", prompt.words),
            )
        found.append(Ask(prompt.kind, prompt.words, link, presses))
    return tuple(found)


def _strip(state: TableState) -> tuple[Press, ...]:
    presses = [
        Press(f"a{side.key}", f"{side.name} acts", f"pass {side.key}")
        for side in state.sides
        if side.key != state.acting
    ][:1]
    if not state.turn_limit or state.turn < state.turn_limit:
        presses.append(Press("t_turn", f"End turn {state.turn}", f"turn {state.turn}"))
    return tuple(presses)


def _end(state: TableState) -> Press:
    if state.ended:
        return Press("t_end", "Take it up again", "reopen")
    return Press("t_end", "End the battle", "end")


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


def _pane(
    tracker: Tracker,
    state: TableState,
    key: str,
    own: frozenset[str],
    hands: frozenset[str],
    here: str,
    tab: str,
    opened: str,
    played: int,
) -> Pane:
    side, fighters = state.side(key), state.of(key)
    mine = key in own
    label = "Mine" if mine and played == 1 else "Theirs" if played == 1 and len(state.sides) == 2 else side.name
    left = sum(fighter.fights for fighter in fighters)
    return Pane(
        key=key,
        label=label,
        name=side.name,
        mine=mine,
        acts=key in hands,
        count_words=str(left),
        score=_score(side.key, side.score, side.name, key in hands),
        fighters=tuple(fighter_row(tracker, state, fighter, hands, here, opened) for fighter in fighters),
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
        most=999,
        less=Step(f"score {key} -1 {score}") if acts and score > 0 else None,
        more=Step(f"score {key} 1 {score}") if acts else None,
        about=name,
    )


def fighter_row(
    tracker: Tracker, state: TableState, fighter: TableFighter, hands: frozenset[str], here: str, opened: str = ""
) -> FighterRow:
    """One fighter with what may be pressed for it. No queries."""
    words: list[str] = []
    if fighter.out:
        words.append("OUT")
    elif not fighter.there:
        words.append("not on yet")
    else:
        words += ["DOWN"] if fighter.down else []
        words += ["acted"] if fighter.acted else ["ready"]
    condition = (
        "out"
        if fighter.out
        else "away"
        if not fighter.there
        else "down"
        if fighter.down
        else "acted"
        if fighter.acted
        else "ready"
    )
    acts = fighter.side in hands
    held = tuple(
        Held(kind.icon, kind.name, fighter.markers[kind.id]) for kind in tracker.markers if fighter.markers.get(kind.id)
    )
    key, name = fighter.key, fighter.name
    markers: tuple[Marker, ...] = ()
    presses: list[Press] = []
    links: list[Link] = []
    out_words = ""
    if acts and fighter.out:
        others = [side for side in state.sides if side.key != fighter.side]
        by = state.side(fighter.out_by).name if fighter.out_by in {side.key for side in others} else ""
        own_words = "by its own side" if fighter.out_by == fighter.side else "by a fall, or nobody knows"
        out_words = f"Out of Action, {f'by {by}' if by else own_words}."
        picks = [(side.key, f"By {side.name}") for side in others]
        picks += [(fighter.side, "By its own side"), ("", "A fall, or unknown")]
        presses = [
            Press(f"o{key}_{place}", label, f"out_by {key} {by_key or '-'}", name)
            for place, (by_key, label) in enumerate(picks)
            if by_key != fighter.out_by
        ]
        presses.append(Press(f"b{key}", "Back on the table", f"back {key}", name))
    elif acts and not fighter.there:
        presses = [Press(f"h{key}", "Comes on", f"there {key} 1", name)]
    elif acts:
        markers = tuple(_marker(fighter, kind.id, kind.name, kind.icon, kind.most) for kind in tracker.markers)
        by_key = next((side.key for side in state.sides if side.key != fighter.side), "")
        by_key = by_key if len(state.sides) == 2 else ""
        presses.append(Press(f"a{key}", "Acted", f"acted {key}", name))
        down = ("Stand up", f"down {key} 0") if fighter.down else ("Down", f"down {key} 1")
        presses.append(Press(f"d{key}_down", *down, name))
        presses.append(Press(f"o{key}", "Out", f"out {key} {by_key or '-'}", name))
        presses += [
            Press(f"u{key}_{piece.key}", f"Use {piece.name}", f"used {key} {piece.key}", name)
            for piece in fighter.kit
            if not piece.used
        ]
        if not fighter.touched:
            presses.append(Press(f"h{key}", "Not on yet", f"there {key} 0", name))
        if any(not deed.side for deed in state.deeds):
            links.append(Link("Deed", f"{here}?{urlencode({'open': key, 'deed': key})}#t_deeds"))
        if tracker.rolls():
            links.append(Link("Roll", f"{here}?{urlencode({'roll': 'attack', 'fighter': key})}"))
    return FighterRow(
        key=key,
        name=name,
        profile=fighter.profile_name,
        state=condition,
        words=tuple(words),
        held=held,
        acts=acts,
        is_open=opened == key,
        markers=markers,
        presses=tuple(presses),
        links=tuple(links),
        out_words=out_words,
    )


def _marker(fighter: TableFighter, kind: str, name: str, icon: str, most: int) -> Marker:
    held, key = fighter.markers.get(kind, 0), fighter.key
    return Marker(
        key=f"m{key}_{kind}",
        name=name,
        icon=icon,
        figure=held,
        most=most,
        less=Step(f"marker {key} {kind} -1 {held}") if held > 0 else None,
        more=Step(f"marker {key} {kind} 1 {held}") if held < most else None,
        about=fighter.name,
        end_words=f"{most} is the most" if held >= most else "",
    )


def _deeds(state: TableState) -> tuple[DeedRow, ...]:
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    return tuple(
        DeedRow(deed.id, deed.name, deed.words, names.get(deed.fighter or deed.side, "")) for deed in state.deeds
    )


def _deed_hands(state: TableState, hands: frozenset[str], chosen: str) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Who may be named for a deed: fighters of one's sides, and the sides themselves."""
    return tuple(
        (
            side.name,
            (
                Choice(f"{side.key}:", f"{side.name} as a whole"),
                *(
                    Choice(f"{side.key}:{fighter.key}", fighter.name, fighter.key == chosen)
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
        and act.data.get("kind") != UNDO
        and (act.side_id is None or str(act.side_id) in hands)
    )
    return LogLine(
        number=act.number,
        when=clock(act.at),
        told=act.told,
        who=who,
        dice="" if not act.dice else "typed in" if typed else "rolled by the app",
        undone=act.undone_by_id is not None,
        undo=Press(f"l{act.number}_undo", "Undo", f"undo {act.number}", act.told) if may else None,
    )


# --- an update ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Update:
    """What an update holds: fighters to draw anew, lines of the log, whether the deeds changed, and up to which version it goes."""

    page: TablePage
    rows: tuple[tuple[FighterRow, bool], ...]  # with whether what may be pressed is drawn anew too
    lines: tuple[LogLine, ...]
    deeds: bool
    version: str


def acts_since(table: Table, since: int) -> list[TableAct]:
    """The acts after this number, oldest first. One query."""
    return list(TableAct.objects.filter(table=table, number__gt=since).order_by("number"))


def asks_for_reload(acts: Sequence[TableAct]) -> bool:
    """Whether an update would not do: the table was laid anew, another phone keeps a side, a fighter came to the table, the end."""
    kinds = {act.data.get("kind") for act in acts}
    return bool(kinds & {BEGIN, "keep", "add", "end", "reopen"}) or (UNDO in kinds and _undid(acts))


def _undid(acts: Sequence[TableAct]) -> bool:
    numbers = [act.data["number"] for act in acts if act.data.get("kind") == UNDO]
    if not numbers:
        return False
    undone = TableAct.objects.filter(table=acts[0].table_id, number__in=numbers).values_list("data", flat=True)
    return any(data.get("kind") in (BEGIN, "keep", "add", "end", "reopen") for data in undone)


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


def update_of(page: TablePage, acts: Sequence[TableAct], offset: int, sizes: Mapping[str, int]) -> Update:
    """The update that these acts ask for, as much of it as fits. `sizes` are bytes by fighter key, `offset` as `read_since` tells it."""
    touched: dict[str, bool] = {}
    taken: list[TableAct] = []
    total = 0
    version = page.version
    for act in acts:
        if len(taken) == MOST_NEW:
            version = str(taken[-1].number)
            break
        keys = act.touched[offset:]
        for done, key in enumerate(keys):
            weight = SUMMARY if without_panel(act) else sizes.get(key, SUMMARY)
            if touched and total + weight > MOST_ROWS:
                version = f"{act.number - 1}.{offset + done}"
                break
            total += 0 if key in touched else weight
            touched[key] = touched.get(key, False) or not without_panel(act)
        else:
            taken.append(act)
            total += LINE
            offset = 0
            continue
        break
    rows = {row.key: row for pane in page.panes for row in pane.fighters}
    undone = {act.data.get("number") for act in taken if act.data.get("kind") == UNDO}
    numbers = {act.number for act in taken} | undone
    return Update(
        page=page,
        rows=tuple((rows[key], panel) for key, panel in touched.items() if key in rows),
        lines=tuple(line for line in reversed(page.log) if line.number in numbers),
        deeds=any(act.data.get("kind") in ("deed", UNDO) for act in taken),
        version=version,
    )


# --- a roll ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a roll asks for, as a form shows it."""

    name: str
    id: str
    label: str
    kind: str  # toggle, number, select
    least: int
    most: int
    given: str
    options: tuple[tuple[str, tuple[Choice, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class RollPage:
    """The form of a roll."""

    pk: int
    title: str
    here: str
    back: Link
    tabs: tuple[tuple[str, str, bool], ...]
    id: str
    label: str
    words: str
    dice_words: str
    groups: tuple[tuple[str, tuple[Field, ...]], ...]
    allow_app: bool
    allow_typed: bool
    faces: str


def roll_page(
    battle: Battle, state: TableState, hands: frozenset[str], roll: str, given: Mapping[str, str]
) -> RollPage:
    """Build the form of a roll; `given` stands in its fields. No queries. Raises Refusal for an unknown roll."""
    terms = battle.campaign.terms
    kinds = terms.game.tracker(terms.content).rolls()
    kind = next((kind for kind in kinds if kind.id == roll), None)
    if kind is None:
        raise Refusal(f"“{roll[:40]}” is no roll of this table.", code="unknown-roll")
    here = reverse("battle-track", args=[battle.pk])
    opened = given.get("fighter", "")
    more = f"&{urlencode({'fighter': opened})}" if opened else ""
    dice = battle.campaign.dice
    return RollPage(
        pk=battle.pk,
        title=f"Roll: {kind.label}",
        here=f"{here}?roll={kind.id}",
        back=Link("Table", here + (f"?{urlencode({'open': opened})}#f{opened}" if opened else "")),
        tabs=tuple((each.label, f"{here}?roll={each.id}{more}", each.id == kind.id) for each in kinds),
        id=kind.id,
        label=kind.label,
        words=kind.words,
        dice_words=kind.dice_words,
        groups=_groups(kind, state, hands, given),
        allow_app=dice != Campaign.Dice.TYPED,
        allow_typed=dice != Campaign.Dice.APP,
        faces=given.get("faces", ""),
    )


def _groups(
    kind: RollKind, state: TableState, hands: frozenset[str], given: Mapping[str, str]
) -> tuple[tuple[str, tuple[Field, ...]], ...]:
    found: dict[str, list[Field]] = {}
    for asked in kind.asks:
        told = str(given.get(asked.name, asked.usual))
        options: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
        if asked.kind == "option":
            options = (("", tuple(Choice(value, words, value == told) for value, words in asked.options)),)
        elif asked.kind == "side":
            own = [side for side in state.sides if side.key in hands]
            options = (("", tuple(Choice(side.key, side.name, side.key == told) for side in own)),)
        elif asked.kind in ("mine", "foe", "anybody"):
            options = _named(asked.kind, state, hands, told)
        shape = asked.kind if asked.kind in ("toggle", "number") else "select"
        field = Field(asked.name, f"id_{asked.name}", asked.label, shape, asked.least, asked.most, told, options)
        found.setdefault(asked.group, []).append(field)
    return tuple((group, tuple(fields)) for group, fields in found.items())


def _named(
    kind: str, state: TableState, hands: frozenset[str], told: str
) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    groups = []
    for side in sorted(state.sides, key=lambda side: (side.key in hands) == (kind == "foe")):
        if kind == "mine" and side.key not in hands:
            continue
        if kind == "foe" and side.key in hands and len(hands) < len(state.sides):
            continue
        rows = [fighter for fighter in state.of(side.key) if fighter.fights]
        groups.append((side.name, tuple(Choice(f.key, _named_words(f), f.key == told) for f in rows)))
    return tuple(group for group in groups if group[1])


def _named_words(fighter: TableFighter) -> str:
    marks = ", ".join(f"{kind} {count}" for kind, count in fighter.markers.items())
    parts = [part for part in ("Down" if fighter.down else "", marks) if part]
    return fighter.name + (f" ({'; '.join(parts)})" if parts else "")


def faces_of(text: str) -> tuple[int, ...]:
    """Dice as they were typed in: "4 5 1", "4,5,1" or "451". Raises Refusal for anything else."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and len(words[0]) > 1:
        words = list(words[0])
    if any(not (word.isascii() and word.isdigit()) or len(word) > 3 for word in words):
        raise Refusal("Dice are typed in as figures, like 4 5 1.", code="impossible-face")
    return tuple(int(word) for word in words[:40])


def data_of(given: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a roll as they were sent."""
    return {str(name): str(found)[:80] for name, found in given.items()}
