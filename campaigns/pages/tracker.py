"""The page that tracks a battle at the table: the sides, the buttons, the prompts, and the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Side, Table, TableAct
from campaigns.pages.attack_rows import open_hands, rows_address
from campaigns.pages.dice import dice_link
from campaigns.pages.tracker_asks import Ask, asks_of
from campaigns.pages.tracker_bar import TableActs, last_press, table_acts
from campaigns.pages.tracker_board import (
    BoardGroup,
    Press,
    TableView,
    board_of,
)
from campaigns.pages.tracker_cards import Cards, KeywordNote, cards_of, sides_shown
from campaigns.pages.tracker_fighters import Pane, pane_of
from campaigns.pages.tracker_keeping import keeping_words
from campaigns.pages.tracker_log import (
    LOG,
    MAX_LINES,
    LogLine,
    Shown,
    log_line,
    newest_acts,
    shown_dice,
)
from campaigns.scenarios import scenario_lines, scenario_name, scenario_of
from campaigns.services.common import side_name, versus
from campaigns.stream import stream_address
from rules.tracker.state import TableState, read_state
from rules.tracker.tracker import Tracker
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A deed. `who` is "" while nobody has done it."""

    id: str
    name: str
    words: str
    who: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table that is set up. `open` says whether the user can act on it now; `may` holds the actions."""

    laid: ClassVar[bool] = True
    title: str
    fighter_word: str  # the game's word for one row of a side
    here: str
    back: Link | None
    open: bool
    told: str
    version: str
    ended: bool
    quiet: int  # seconds since the last act
    stream: str  # where news of this table is streamed, "" where phones poll
    turn_words: str
    standing: tuple[tuple[str, int], ...]
    sides_words: str
    whose_words: str
    whose_mine: bool
    asks: tuple[Ask, ...]
    board: tuple[BoardGroup, ...]
    panes: tuple[Pane, ...]
    tab: str
    log_href: str
    shown: Shown | None
    log: tuple[LogLine, ...]
    more_log: bool
    deeds: tuple[DeedRow, ...]
    deeds_open: bool
    scenario: tuple[tuple[str, str], ...]
    keywords: tuple[KeywordNote, ...]
    turn: int
    morale: str  # what a device needs to test morale without a line, as text
    attacks: str  # where the rows of attacks are fetched, "" if there are none
    policy: str  # whose dice the campaign allows
    words: str  # what states and markers are called, for a device without a line
    may: TableActs
    reopen: Press | None
    report: Link | None
    keeping_words: str
    muster: Link | None
    acts: bool
    dice: Link | None  # the seal of the app's dice
    share: Link | None  # the link by which anybody watches


@dataclass(frozen=True, slots=True)
class EmptyTablePage:
    """A battle whose table is not set up. `open` says whether the user may set it up."""

    laid: ClassVar[bool] = False
    title: str
    versus: str
    here: str
    back: Link | None
    open: bool
    told: str
    muster: Link | None


def _words(tracker: Tracker, state: TableState) -> str:
    """Return what states and markers are called: "down:Down|blood:Blood"."""
    states = {"down": _("Down"), "out": _("Out"), "ready": _("as before")}
    acted = {"acted": _("acted")} if "acted" in tracker.uses else {}
    kinds = {kind.id: kind.name for fighter in state.fighters for kind in tracker.markers_of(fighter)}
    return "|".join(f"{key}:{name}" for key, name in (states | acted | kinds).items())


def version_of(version: int, status: str) -> str:
    """Return the version string of a table: the number of its last act, with an "x" once the table is closed."""
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
    code: str = "",
    newest: list[TableAct] | None = None,
    reader: int | None = None,
    with_cards: bool = True,
) -> TablePage | EmptyTablePage:
    """Build the page. One query for the log, unless the caller gives its `newest` acts; two or three more `with_cards`.

    `hands` are the sides that the user may act for, `own` those they play, `reader` is the user's id. `by_link` is True for readers with
    the campaign's public link, `code` that of the battle's own link. The latter shows no accounts, and no rosters that are hidden.
    """
    here, back = _addresses(battle, by_link=by_link, code=code)
    if table is None:
        return _empty(battle, sides, here, back, bool(hands))
    view = _view(battle, read_state(table.state), hands, here)
    tracker, state = view.tracker, view.state
    view = replace(view, opens=sides_shown(battle, sides, hands, by_code=bool(code)))
    cards = cards_of(view, sides, view.opens) if with_cards else Cards()
    view = replace(view, cards=cards.of)
    is_open = battle.status == Battle.Status.MUSTERED and bool(hands)
    plays, is_over = is_open and not state.ended, is_open and state.ended
    ordered = sorted(state.sides, key=lambda side: side.key not in own)
    tab = _tab(state, [side.key for side in ordered], tab, opened)
    newest = newest_acts(table) if newest is None else newest
    return TablePage(
        title=_("Table: {scenario}").format(scenario=scenario_name(battle)),
        fighter_word=battle.campaign.terms.game.labels(battle.campaign.terms.content)["fighter"],
        here=here,
        back=back,
        open=plays,
        told=_told(battle, state, bool(hands)),
        version=version_of(table.version, battle.status),
        ended=state.ended or battle.status not in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED),
        quiet=max(0, int((timezone.now() - newest[0].at).total_seconds())),
        stream=stream_address(battle, by_link=by_link, code=code),
        turn_words=_turn_words(state),
        standing=tuple((side.name, side.score) for side in ordered) if "score" in tracker.uses else (),
        sides_words=_sides_words(state),
        whose_words=_whose_words(view),
        whose_mine=state.acting in hands,
        asks=asks_of(view) if plays else (),
        board=board_of(tracker, state),
        panes=tuple(pane_of(view, side.key, own, tab, opened) for side in ordered),
        tab=tab,
        log_href=f"{here}?tab={LOG}",
        shown=shown_dice(newest, tracker, names=not code),
        log=tuple(log_line(act, index, plays, hands, names=not code) for index, act in enumerate(newest[:MAX_LINES])),
        more_log=len(newest) > MAX_LINES,
        deeds=_deeds(tracker, state),
        deeds_open=bool(deed_for),
        scenario=_scenario(battle, sides),
        keywords=cards.keywords,
        turn=state.turn,
        morale=tracker.morale_words(state, view.hands) if plays else "",
        attacks=rows_address(battle, sides, view.hands),
        words=_words(tracker, state),
        policy=battle.campaign.dice,
        may=table_acts(view, sides, own, [side.key for side in ordered], deed_for, opened, last_press(newest, reader))
        if plays
        else TableActs(),
        reopen=Press("t_reopen", _("Go on with the battle"), "reopen") if is_over else None,
        report=Link(_("Report it"), reverse("battle-report", args=[battle.pk])) if is_over else None,
        keeping_words=keeping_words(state),
        muster=_muster(battle) if hands else None,
        acts=bool(hands),
        dice=dice_link(battle, table, by_link=by_link) if not code else None,
        share=Link(_("Let others watch"), reverse("watch-share", args=[battle.pk])) if hands else None,
    )


def _addresses(battle: Battle, *, by_link: bool, code: str) -> tuple[str, Link | None]:
    """Return the address of the table, and where its page leads back to."""
    if code:
        return reverse("watch-show", args=[code]), None
    if by_link:
        address = [battle.campaign.slug, battle.pk]
        return reverse("table-watch", args=address), Link(_("Leave"), reverse("battle-watch", args=address))
    return reverse("battle-track", args=[battle.pk]), Link(_("Leave"), reverse("battle-show", args=[battle.pk]))


def _scenario(battle: Battle, sides: Sequence[Side]) -> tuple[tuple[str, str], ...]:
    """Return the scenario's conditions and who attacks."""
    scenario = scenario_of(battle) if battle.scenario_id else None
    attackers = [side_name(side) for side in sides if side.is_attacker]
    lines: tuple[tuple[str, str], ...] = ((_("Played"), scenario_name(battle)),) if battle.scenario_name else ()
    if scenario is not None and not scenario.described:
        lines = ((scenario.name, scenario.words),)
    lines += scenario_lines(scenario)
    return (*lines, (_("Attacks"), ", ".join(attackers))) if attackers else lines


def _view(battle: Battle, state: TableState, hands: frozenset[str], here: str) -> TableView:
    """Return the table as the user sees it. Nobody has buttons once the battle is closed or ended."""
    tracker = battle.campaign.terms.game.battle.tracker(battle.campaign.terms.content)
    if hands := open_hands(battle, state, hands):
        return TableView(tracker, state, hands, here, battle.campaign, tracker.offers(state))
    return TableView(tracker, state, frozenset(), here, battle.campaign, ())


def _tab(state: TableState, keys: Sequence[str], tab: str, opened: str) -> str:
    """Return the tab to show: that of the opened fighter, the requested one, or the first side's."""
    if opened:
        tab = next((fighter.side for fighter in state.fighters if fighter.key == opened), tab)
    return tab if tab in (LOG, *keys) else keys[0]


def _empty(battle: Battle, sides: Sequence[Side], here: str, back: Link | None, may_act: bool) -> EmptyTablePage:
    mustered = battle.status == Battle.Status.MUSTERED
    late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
    if mustered:
        told = "" if may_act else _("Tracking hasn't started. The players start it.")
    elif late and battle.status == Battle.Status.SCHEDULED:
        told = _("The table opens once everyone is ready. Not ready yet: {sides}.").format(sides=", ".join(late))
    else:
        words = _("This battle is {status}. It was not tracked.")
        told = words.format(status=battle.get_status_display().lower())
    return EmptyTablePage(
        title=_("Table: {scenario}").format(scenario=scenario_name(battle)),
        versus=versus(sides),
        here=here,
        back=back,
        open=mustered and may_act,
        told=told,
        muster=_muster(battle) if may_act else None,
    )


def _muster(battle: Battle) -> Link | None:
    if battle.status == Battle.Status.MUSTERED:
        return None
    return Link(_("See the forces"), reverse("force-select", args=[battle.pk]))


def _told(battle: Battle, state: TableState, may_act: bool) -> str:
    if battle.status == Battle.Status.SCHEDULED:
        return _("A player withdrew Ready. Tracking continues when everyone is ready again.")
    if battle.status != Battle.Status.MUSTERED:
        return _("This battle is {status}. Tracking has ended.").format(status=battle.get_status_display().lower())
    if state.ended:
        if may_act:
            return _("The battle has ended. Until the report is sent, either side can go on with it.")
        return _("The battle has ended.")
    return "" if may_act else _("You are watching. Only the players can act.")


def _turn_words(state: TableState) -> str:
    if state.turn_limit:
        return _("Turn {turn} of {limit}").format(turn=state.turn, limit=state.turn_limit)
    return _("Turn {turn}").format(turn=state.turn)


def _sides_words(state: TableState) -> str:
    return _("Initiative: {side}").format(side=state.side(state.initiative).name) if state.initiative else ""


def _whose_words(view: TableView) -> str:
    if not view.state.acting or view.state.ended:
        return ""
    side = view.state.side(view.state.acting)
    others = [each for each in view.state.sides if each.key not in view.hands]
    if side.key not in view.hands:
        return _("{side} acts").format(side=side.name)
    return _("Your act: {side}").format(side=side.name) if others else _("{side} acts").format(side=side.name)


def _deeds(tracker: Tracker, state: TableState) -> tuple[DeedRow, ...]:
    if "deed" not in tracker.uses:
        return ()
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    return tuple(
        DeedRow(deed.id, deed.name, deed.words, names.get(deed.fighter or deed.side, "")) for deed in state.deeds
    )
