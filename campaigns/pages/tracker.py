"""The page that tracks a battle at the table: the sides, the buttons, the prompts, and the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, Side, Table, TableAct
from campaigns.pages.dice import dice_link
from campaigns.pages.options import SelectOption
from campaigns.pages.tracker_board import (
    BoardGroup,
    OfferView,
    Press,
    TableView,
    board_of,
    is_answered,
    offer_view,
    offers_beside,
    roll_href,
)
from campaigns.pages.tracker_fighters import Pane, pane_of
from campaigns.pages.tracker_log import LOG, MAX_LINES, LogLine, log_line, newest_acts
from campaigns.report_data import mustered
from campaigns.scenarios import scenario_name
from campaigns.services.common import side_name, versus
from campaigns.stream import stream_address
from rules.tracker.rolls import Prompt, TableOffer
from rules.tracker.state import TableSide, TableState, keeper_of, read_state
from warbands.pages.widgets import Link

MAX_STRIP = 2  # actions in the strip, not counting the roll


@dataclass(frozen=True, slots=True)
class Ask:
    kind: str
    words: str
    answer: OfferView | None
    presses: tuple[Press, ...]


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A deed. `who` is "" while nobody has done it."""

    id: str
    name: str
    words: str
    who: str


@dataclass(frozen=True, slots=True)
class TableActs:
    """The actions of a player at an open table, apart from the buttons of the fighters."""

    strip: tuple[Press | Link, ...] = ()
    offers: tuple[OfferView, ...] = ()
    roll: Link | None = None
    end: Press | None = None
    keeping: tuple[Press, ...] = ()
    anew: bool = False
    guests: tuple[SelectOption, ...] = ()
    open_deeds: tuple[SelectOption, ...] = ()
    deed_hands: tuple[tuple[str, tuple[SelectOption, ...]], ...] = ()
    note_side: str = ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table that is set up. `open` says whether the user can act on it now; `may` holds the actions."""

    laid: ClassVar[bool] = True
    title: str
    fighter_word: str  # the game's word for one row of a side
    here: str
    back: Link
    open: bool
    told: str
    version: str
    ended: bool
    quiet: int  # seconds since the last act
    stream: str  # where news of this table is streamed, "" where phones poll
    turn_words: str
    standing: tuple[tuple[str, int], ...]
    sides_words: str
    asks: tuple[Ask, ...]
    board: tuple[BoardGroup, ...]
    panes: tuple[Pane, ...]
    tab: str
    log_href: str
    log: tuple[LogLine, ...]
    more_log: bool
    deeds: tuple[DeedRow, ...]
    may: TableActs
    reopen: Press | None
    report: Link | None
    keeping_words: str
    muster: Link | None
    acts: bool
    dice: Link | None  # the seal of the app's dice


@dataclass(frozen=True, slots=True)
class EmptyTablePage:
    """A battle whose table is not set up. `open` says whether the user may set it up."""

    laid: ClassVar[bool] = False
    title: str
    versus: str
    here: str
    back: Link
    open: bool
    told: str
    muster: Link | None


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
    newest: list[TableAct] | None = None,
) -> TablePage | EmptyTablePage:
    """Build the page. One query for the log, unless the caller gives its `newest` acts.

    `hands` are the sides that the user may act for, `own` those they play. `by_link` is True for readers with the campaign's public link.
    """
    if by_link:
        address = [battle.campaign.slug, battle.pk]
        here, back = reverse("table-watch", args=address), Link("Leave", reverse("battle-watch", args=address))
    else:
        here, back = reverse("battle-track", args=[battle.pk]), Link("Leave", reverse("battle-show", args=[battle.pk]))
    if table is None:
        return _empty(battle, sides, here, back, bool(hands))
    view = _view(battle, read_state(table.state), hands, here)
    tracker, state = view.tracker, view.state
    is_open = battle.status == Battle.Status.MUSTERED and bool(hands)
    plays, is_over = is_open and not state.ended, is_open and state.ended
    ordered = sorted(state.sides, key=lambda side: side.key not in own)
    tab = _tab(state, [side.key for side in ordered], tab, opened)
    newest = newest_acts(table) if newest is None else newest
    return TablePage(
        title=f"Table: {scenario_name(battle)}",
        fighter_word=battle.campaign.terms.game.labels(battle.campaign.terms.content)["fighter"],
        here=here,
        back=back,
        open=plays,
        told=_told(battle, state, bool(hands)),
        version=version_of(table.version, battle.status),
        ended=state.ended or battle.status not in (Battle.Status.SCHEDULED, Battle.Status.MUSTERED),
        quiet=max(0, int((timezone.now() - newest[0].at).total_seconds())),
        stream=stream_address(battle, by_link=by_link),
        turn_words=_turn_words(state),
        standing=tuple((side.name, side.score) for side in ordered) if "score" in tracker.uses else (),
        sides_words=_sides_words(state),
        asks=_asks(view) if plays else (),
        board=board_of(tracker, state),
        panes=tuple(pane_of(view, side.key, own, tab, opened) for side in ordered),
        tab=tab,
        log_href=f"{here}?tab={LOG}",
        log=tuple(log_line(act, index, plays, hands) for index, act in enumerate(newest[:MAX_LINES])),
        more_log=len(newest) > MAX_LINES,
        deeds=_deeds(state) if "deed" in tracker.uses else (),
        may=_table_acts(view, sides, own, [side.key for side in ordered], deed_for) if plays else TableActs(),
        reopen=Press("t_reopen", "Go on with the battle", "reopen") if is_over else None,
        report=Link("Report it", reverse("battle-report", args=[battle.pk])) if is_over else None,
        keeping_words=_keeping_words(state),
        muster=_muster(battle) if hands else None,
        acts=bool(hands),
        dice=dice_link(battle, table, by_link=by_link),
    )


def _view(battle: Battle, state: TableState, hands: frozenset[str], here: str) -> TableView:
    """Return the table as the user sees it. Nobody has buttons once the battle is closed or ended."""
    tracker = battle.campaign.terms.game.battle.tracker(battle.campaign.terms.content)
    if battle.status == Battle.Status.MUSTERED and hands and not state.ended:
        return TableView(tracker, state, hands, here, battle.campaign, tracker.offers(state))
    return TableView(tracker, state, frozenset(), here, battle.campaign, ())


def _tab(state: TableState, keys: Sequence[str], tab: str, opened: str) -> str:
    """Return the tab to show: that of the opened fighter, the requested one, or the first side's."""
    if opened:
        tab = next((fighter.side for fighter in state.fighters if fighter.key == opened), tab)
    return tab if tab in (LOG, *keys) else keys[0]


def _table_acts(
    view: TableView, sides: Sequence[Side], own: frozenset[str], ordered: Sequence[str], deed_for: str
) -> TableActs:
    tracker, state, hands = view.tracker, view.state, view.hands
    strip, offers = _strip(view)
    going = {key for side in sides for key in mustered(side)}
    on_table = {fighter.row for fighter in state.fighters if not (fighter.joined or state.side(fighter.side).guest)}
    deeds = state.deeds if "deed" in tracker.uses else ()
    return TableActs(
        strip=strip,
        offers=offers,
        roll=Link("Roll", roll_href(view.here, tracker.rolls()[0].id)) if tracker.rolls() else None,
        end=Press("t_end", "End the battle", "end", open=tracker.left_open(state)),
        keeping=_keeping(state, own),
        anew=bool(going) and going != on_table,
        guests=tuple(SelectOption(side.key, side.name) for side in _guests(view)),
        open_deeds=tuple(SelectOption(deed.id, deed.name) for deed in deeds if not deed.side),
        deed_hands=_deed_hands(state, hands, deed_for),
        note_side=next((key for key in ordered if key in hands), ""),
    )


def _guests(view: TableView) -> list[TableSide]:
    return [side for side in view.state.sides if side.guest and side.key in view.hands]


def _empty(battle: Battle, sides: Sequence[Side], here: str, back: Link, may_act: bool) -> EmptyTablePage:
    mustered = battle.status == Battle.Status.MUSTERED
    late = [side_name(side) for side in sides if side.ready_at is None and not side.is_guest]
    if mustered:
        told = "" if may_act else "Tracking hasn't started. The players start it."
    elif late and battle.status == Battle.Status.SCHEDULED:
        told = f"The table opens once all are ready. Not yet: {', '.join(late)}."
    else:
        told = f"This battle is {battle.get_status_display().lower()}; no table was kept of it."
    return EmptyTablePage(
        title=f"Table: {scenario_name(battle)}",
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
        return _("A player withdrew Ready. Tracking continues when all are ready again.")
    if battle.status != Battle.Status.MUSTERED:
        return _("This battle is {status}. Tracking has ended.").format(status=battle.get_status_display().lower())
    if state.ended:
        onward = " Until the report is sent, either side can go on with it." if may_act else ""
        return f"The battle is ended.{onward}"
    return "" if may_act else "You read along; those who play act."


def _turn_words(state: TableState) -> str:
    return f"Turn {state.turn} of {state.turn_limit}" if state.turn_limit else f"Turn {state.turn}"


def _sides_words(state: TableState) -> str:
    parts = []
    if state.initiative:
        parts.append(f"Initiative {state.side(state.initiative).name}")
    if state.acting and not state.ended:
        parts.append(f"{state.side(state.acting).name} acts")
    return ", ".join(parts)


def _asks(view: TableView) -> tuple[Ask, ...]:
    asks = []
    for index, prompt in enumerate(view.tracker.prompts(view.state)):
        mine = not prompt.side or prompt.side in view.hands
        answer = _answer(view, prompt, f"q{index}") if prompt.roll and mine else None
        asks.append(Ask(prompt.kind, prompt.words, answer, _claims(view, prompt) if mine else ()))
    return tuple(asks)


def _answer(view: TableView, prompt: Prompt, id_: str) -> OfferView:
    kind = view.tracker.asked(view.state, prompt.roll)
    given = {**({"side": prompt.side} if prompt.side else {}), **prompt.given}
    label = kind.label if kind.move else "Roll for it"
    fighter = prompt.given.get("fighter", "")
    offer = TableOffer(prompt.roll, label, prompt.side, fighter, given, at_once=is_answered(kind, given))
    return offer_view(view, offer, id_)


def _claims(view: TableView, prompt: Prompt) -> tuple[Press, ...]:
    uses, state = view.tracker.uses, view.state
    if prompt.roll and view.campaign.dice == Campaign.Dice.APP:
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


def _strip(view: TableView) -> tuple[tuple[Press | Link, ...], tuple[OfferView, ...]]:
    """Return at most `MAX_STRIP` actions for the strip, and the offers shown elsewhere."""
    uses, state = view.tracker.uses, view.state
    strip: list[Press | Link] = []
    rest = []
    for offer in offers_beside(view):
        act = offer.press or offer.link
        if offer.main and act is not None and len(strip) < MAX_STRIP:
            strip.append(act)
            rest += [replace(offer, press=None, link=None)] if offer.typed else []
        else:
            rest.append(offer)
    if "pass" in uses:
        strip += [
            Press(f"a{side.key}", f"{side.name} acts", f"pass {side.key}")
            for side in state.sides
            if side.key != state.acting
        ][:1]
    if "turn" in uses and (not state.turn_limit or state.turn < state.turn_limit):
        left = view.tracker.left_open(state)
        strip.append(
            Press("t_turn", f"End turn {state.turn}", f"turn {state.turn}" + (" 1" if left else ""), open=left)
        )
    return tuple(strip[:MAX_STRIP]), tuple(rest)


def _keeping(state: TableState, own: frozenset[str]) -> tuple[Press, ...]:
    """Return buttons for agreeing that one player operates both sides on one phone, and for ending that."""
    played = [side for side in state.sides if not side.open]
    if len(played) < 2:
        return ()
    presses = []
    for side in played:
        if side.key not in own:
            continue
        if side.keeper:
            presses.append(Press(f"n{side.key}", "Each keeps its own", f"keep {side.key} -"))
            continue
        for keeper in played:
            label = "Track both sides on this phone" if keeper.key in own else f"Let {keeper.name} track both sides"
            presses.append(Press(f"k{side.key}_{keeper.key}", label, f"keep {side.key} {keeper.key}"))
    return tuple(presses)


def _keeping_words(state: TableState) -> str:
    for side in state.sides:
        if keeper := keeper_of(state, side.key):
            return f"{state.side(keeper).name} tracks both sides."
    for side in state.sides:
        if side.keeper:
            return f"{side.name} says: {state.side(side.keeper).name} tracks both. Both players must agree."
    return ""


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
                SelectOption(f"{side.key}:", f"{side.name} as a whole"),
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
