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
from campaigns.pages.options import SelectOption
from campaigns.pages.tracker_asks import Ask, answer_of, asks_of, late_presses
from campaigns.pages.tracker_board import (
    BoardGroup,
    OfferView,
    OpenItem,
    Press,
    TableView,
    board_of,
    offers_beside,
    roll_href,
)
from campaigns.pages.tracker_cards import Cards, KeywordNote, cards_of, sides_shown
from campaigns.pages.tracker_fighters import Pane, done_words, pane_of
from campaigns.pages.tracker_keeping import keeping_presses, keeping_words
from campaigns.pages.tracker_log import (
    LOG,
    MAX_LINES,
    MAX_UNDO,
    LogLine,
    Shown,
    log_line,
    may_be_undone,
    newest_acts,
    shown_dice,
)
from campaigns.report_data import mustered
from campaigns.scenarios import scenario_lines, scenario_name, scenario_of
from campaigns.services.common import side_name, versus
from campaigns.stream import stream_address
from rules.tracker.rolls import StillOpen
from rules.tracker.state import TableSide, TableState, read_state
from rules.tracker.tracker import Tracker
from warbands.pages.widgets import Link

MAX_MORE = 1  # further actions in the bar beside the next one


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A deed. `who` is "" while nobody has done it."""

    id: str
    name: str
    words: str
    who: str


@dataclass(frozen=True, slots=True)
class TableActs:
    """The actions of a player at an open table, apart from the buttons of the fighters.

    The bar holds `undo`, the user's last press, and `next`, the one thing to do now. While a fighter is open who has yet to act, `done`
    takes the place of `next`. `foot` stands below the list.
    """

    undo: Press | None = None
    next: Press | Link | None = None
    done: Press | None = None
    more: tuple[Press | Link, ...] = ()
    foot: tuple[Press | Link, ...] = ()
    offers: tuple[OfferView, ...] = ()
    end: Press | None = None
    keeping: tuple[Press, ...] = ()
    anew: bool = False
    relays: bool = False
    guests: tuple[SelectOption, ...] = ()
    writes_deeds: bool = False
    deed_hands: tuple[tuple[str, tuple[SelectOption, ...]], ...] = ()
    note_side: str = ""


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
    here: str
    back: Link | None
    if code:
        here, back = reverse("watch-show", args=[code]), None
    elif by_link:
        address = [battle.campaign.slug, battle.pk]
        here, back = reverse("table-watch", args=address), Link(_("Leave"), reverse("battle-watch", args=address))
    else:
        here, back = (
            reverse("battle-track", args=[battle.pk]),
            Link(_("Leave"), reverse("battle-show", args=[battle.pk])),
        )
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
        whose_words=_whose_words(view) if state.acting and not state.ended else "",
        whose_mine=state.acting in hands,
        asks=asks_of(view) if plays else (),
        board=board_of(tracker, state),
        panes=tuple(pane_of(view, side.key, own, tab, opened) for side in ordered),
        tab=tab,
        log_href=f"{here}?tab={LOG}",
        shown=shown_dice(newest, tracker, names=not code),
        log=tuple(log_line(act, index, plays, hands, names=not code) for index, act in enumerate(newest[:MAX_LINES])),
        more_log=len(newest) > MAX_LINES,
        deeds=_deeds(state) if "deed" in tracker.uses else (),
        deeds_open=bool(deed_for),
        scenario=_scenario(battle, sides),
        keywords=cards.keywords,
        turn=state.turn,
        morale=tracker.morale_words(state, view.hands) if plays else "",
        attacks=rows_address(battle, sides, view.hands),
        words=_words(tracker, state),
        policy=battle.campaign.dice,
        may=_table_acts(view, sides, own, [side.key for side in ordered], deed_for, opened, _last_press(newest, reader))
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


def _last_press(newest: Sequence[TableAct], reader: int | None) -> TableAct | None:
    """Return the reader's last act that is not undone and can be."""
    if reader is None:
        return None
    return next((act for act in newest[:MAX_UNDO] if act.actor_id == reader and may_be_undone(act)), None)


def _table_acts(
    view: TableView,
    sides: Sequence[Side],
    own: frozenset[str],
    ordered: Sequence[str],
    deed_for: str,
    opened: str,
    last: TableAct | None,
) -> TableActs:
    tracker, state, hands = view.tracker, view.state, view.hands
    bar = _bar(view, opened)
    going = {key for side in sides for key in mustered(side)}
    on_table = {fighter.row for fighter in state.fighters if not (fighter.joined or state.side(fighter.side).guest)}
    deeds = state.deeds if "deed" in tracker.uses else ()
    return replace(
        bar,
        undo=Press("t_undo", _("Undo"), f"undo {last.number}", last.told) if last is not None else None,
        end=_end(view),
        keeping=keeping_presses(state, own),
        anew=bool(going) and going != on_table,
        relays=tracker.relays,
        guests=tuple(SelectOption(side.key, side.name) for side in _guests(view)),
        writes_deeds=any(not deed.side for deed in deeds),
        deed_hands=_deed_hands(state, hands, deed_for),
        note_side=next((key for key in ordered if key in hands), ""),
    )


def _end(view: TableView) -> Press:
    return Press("t_end", _("End the battle"), "end", open=_still_open(view))


def _still_open(view: TableView) -> tuple[OpenItem, ...]:
    """Return what the end of the turn would lose, each with what settles it."""
    return tuple(OpenItem(each.words, _settling(view, each)) for each in view.tracker.still_open(view.state))


def _settling(view: TableView, open_: StillOpen) -> tuple[OfferView, ...]:
    """Return the buttons that settle one open thing: the list of those who have yet to act, or a morale test."""
    if open_.kind == "act":
        label = _("Choose who acts") if open_.side in view.hands else _("See who is left")
        name = view.state.side(open_.side).name
        return (OfferView(label, name, link=Link(label, f"{view.here}?tab={open_.side}")),)
    if open_.kind != "morale" or open_.side not in view.hands:
        return ()
    label = _("Test morale")
    return (OfferView(label, link=Link(label, "#t_asks")),)


def _guests(view: TableView) -> list[TableSide]:
    return [side for side in view.state.sides if side.guest and side.key in view.hands]


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
    side = view.state.side(view.state.acting)
    others = [each for each in view.state.sides if each.key not in view.hands]
    if side.key not in view.hands:
        return _("{side} acts").format(side=side.name)
    return _("Your act: {side}").format(side=side.name) if others else _("{side} acts").format(side=side.name)


def _bar(view: TableView, opened: str) -> TableActs:
    """Return the bar: the next thing to do, at most `MAX_MORE` others, and what stands below the list or elsewhere."""
    uses, state, tracker = view.tracker.uses, view.state, view.tracker
    main: list[Press | Link] = []
    rest = []
    quiet: list[Press | Link] = []
    for offer in offers_beside(view):
        act = offer.press or offer.link
        if offer.quiet and act is not None:
            quiet.append(act)
        elif offer.main and act is not None and len(main) <= MAX_MORE:
            main.append(act)
            rest += [replace(offer, press=None, link=None)] if offer.typed else []
        else:
            rest.append(offer)
    foot: list[Press | Link] = []
    turn = _turn_press(view)
    onward = main[0] if main else _next(view, turn)
    if turn is not None and turn != onward:
        foot.append(turn)
    if "pass" in uses:
        others = [side for side in state.sides if side.key != state.acting]
        foot += [
            Press(f"a{side.key}", _("Hand over to {side}").format(side=side.name), f"pass {side.key}")
            for side in (others if state.acting else others[:1])
        ]
    foot += late_presses(view)
    if tracker.rolls():
        foot.append(Link(_("Other rolls"), roll_href(view.here, tracker.rolls()[0].id)))
    foot += [*quiet, *_played(view)]
    done = _done(view, opened) if isinstance(onward, Link) and not onward.href.startswith("#") else None
    return TableActs(next=onward, done=done, more=tuple(main[1:]), foot=tuple(foot), offers=tuple(rest))


def _done(view: TableView, opened: str) -> Press | None:
    """Return the press that ends the activation of the opened fighter."""
    fighter = next((each for each in view.state.fighters if each.key == opened and each.side in view.hands), None)
    if fighter is None or not fighter.fights or fighter.acted or "acted" not in view.tracker.uses:
        return None
    return Press("t_done", done_words(view, fighter), f"acted {fighter.key}")


def _played(view: TableView) -> list[Press]:
    """Return the press for a turn whose dice were counted without the app, in games that end turns by themselves."""
    state = view.state
    if "played" not in view.tracker.uses or (state.turn_limit and state.turn >= state.turn_limit):
        return []
    label = _("Turn {turn} finished by hand").format(turn=state.turn)
    return [Press("t_played", label, f"played {state.turn}")]


def _turn_press(view: TableView) -> Press | None:
    """Return the button that ends the turn, None in the last one and in games that end turns by themselves."""
    state = view.state
    if "turn" not in view.tracker.uses or (state.turn_limit and state.turn >= state.turn_limit):
        return None
    left = _still_open(view)
    label = _("End turn {turn}").format(turn=state.turn)
    return Press("t_turn", label, f"turn {state.turn}" + (" 1" if left else ""), open=left)


def _next(view: TableView, turn: Press | None) -> Press | Link | None:
    """Return the one thing to do now, in words that name it."""
    state, here = view.state, view.here
    due = {prompt.kind: prompt for prompt in view.tracker.prompts(state)}
    if "initiative" in due:
        answer = answer_of(view, due["initiative"], "t_next") if due["initiative"].roll else None
        if answer and answer.press and view.tracker.asked(state, due["initiative"].roll).move:
            return answer.press
        return Link(_("Who has the initiative?"), "#t_asks")
    if (awaited := view.tracker.awaited(state)) is not None:
        words = awaited.own_words if awaited.side in view.hands else awaited.words
        fighter = awaited.fighter if awaited.side in view.hands else ""
        return Link(words, f"{here}?open={fighter}#f{fighter}" if fighter else f"{here}?tab={awaited.side}")
    left = [each for each in view.tracker.still_open(state) if each.kind == "act"]
    if not left:
        tests = [each for each in view.tracker.still_open(state) if each.kind == "morale"]
        if tests and "morale" in view.tracker.uses:
            side = state.side(tests[0].side)
            theirs = all(each.side not in view.hands for each in tests)
            words = _("{side} tests morale first").format(side=side.name) if theirs else _("Test morale first")
            return Link(words, "#t_asks")
        return turn or (_end(view) if state.turn_limit and state.turn >= state.turn_limit else None)
    acting = next((each.side for each in left if each.side == state.acting), left[0].side)
    if acting not in view.hands:
        words = _("{side} chooses: see them").format(side=state.side(acting).name)
        return Link(words, f"{here}?tab={acting}")
    if partner := view.tracker.acts_too(state):
        return Link(_("Fireteam: {name} acts too").format(name=partner.name), f"{here}?tab={acting}")
    count = sum(each.fights and not each.acted for each in state.of(acting))
    return Link(_("Choose who acts: {count} left").format(count=count), f"{here}?tab={acting}")


def _deeds(state: TableState) -> tuple[DeedRow, ...]:
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    return tuple(
        DeedRow(deed.id, deed.name, deed.words, names.get(deed.fighter or deed.side, "")) for deed in state.deeds
    )


def _deed_hands(
    state: TableState, hands: frozenset[str], chosen: str
) -> tuple[tuple[str, tuple[SelectOption, ...]], ...]:
    """Return the options for who did a deed: the fighters of the user's sides, and the sides themselves."""
    return tuple(
        (
            side.name,
            (
                SelectOption(f"{side.key}:", _("{side} as a whole").format(side=side.name)),
                *(
                    SelectOption(f"{side.key}:{fighter.key}", fighter.name, fighter.key == chosen)
                    for fighter in state.of(side.key)
                    if fighter.there
                ),
            ),
        )
        for side in state.sides
        if side.key in hands
    )
