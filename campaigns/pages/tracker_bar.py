"""What the players of an open table can do beside the fighters' own buttons: the bar with the next act, and what stands below the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from campaigns.models import Side, TableAct
from campaigns.pages.options import SelectOption
from campaigns.pages.tracker_asks import answer_of, late_presses
from campaigns.pages.tracker_board import OfferView, OpenItem, Press, TableView, offers_beside, roll_href
from campaigns.pages.tracker_fighters import done_words, hands_over
from campaigns.pages.tracker_keeping import keeping_presses
from campaigns.pages.tracker_log import MAX_UNDO, may_be_undone
from campaigns.report_data import mustered
from rules.tracker.rolls import Awaited, Prompt, StillOpen
from rules.tracker.state import TableSide, TableState
from warbands.pages.widgets import Link

MAX_MORE = 1  # further actions in the bar beside the next one


@dataclass(frozen=True, slots=True)
class TableActs:
    """The actions of a player at an open table, apart from the buttons of the fighters.

    The bar holds `undo`, the user's last press, and `next`, the one thing to do now. While a fighter is open who has yet to act, `done`
    takes the place of `next`; after those of `passing` it is another player's turn. `foot` stands below the list.
    """

    undo: Press | None = None
    next: Press | Link | None = None
    done: Press | None = None
    passing: str = ""
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


def table_acts(
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


def _bar(view: TableView, opened: str) -> TableActs:
    """Return the bar: the next thing to do, at most `MAX_MORE` others, and what stands below the list or elsewhere."""
    main, rest, quiet = _sorted_offers(view)
    foot: list[Press | Link] = []
    turn = _turn_press(view)
    onward = main[0] if main else _next(view, turn)
    if turn is not None and turn != onward:
        foot.append(turn)
    foot += [*_hand_over(view), *late_presses(view)]
    if rolls := view.tracker.rolls():
        foot.append(Link(_("Other rolls"), roll_href(view.here, rolls[0].id)))
    foot += [*quiet, *_played(view)]
    done = _done(view, opened) if isinstance(onward, Link) and not onward.href.startswith("#") else None
    return TableActs(
        next=onward, done=done, passing=_passing(view), more=tuple(main[1:]), foot=tuple(foot), offers=tuple(rest)
    )


def _sorted_offers(view: TableView) -> tuple[list[Press | Link], list[OfferView], list[Press | Link]]:
    """Return what the bar holds of the offers of no fighter, the offers that stand elsewhere, and what stands below the list."""
    main: list[Press | Link] = []
    rest: list[OfferView] = []
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
    return main, rest, quiet


def _hand_over(view: TableView) -> list[Press]:
    """Return the buttons that let another side act."""
    if "pass" not in view.tracker.uses:
        return []
    others = [side for side in view.state.sides if side.key != view.state.acting]
    return [
        Press(f"a{side.key}", _("Hand over to {side}").format(side=side.name), f"pass {side.key}")
        for side in (others if view.state.acting else others[:1])
    ]


def _turn_press(view: TableView) -> Press | None:
    """Return the button that ends the turn, None in the last one and in games that end turns by themselves."""
    state = view.state
    if "turn" not in view.tracker.uses or (state.turn_limit and state.turn >= state.turn_limit):
        return None
    left = _still_open(view)
    label = _("End turn {turn}").format(turn=state.turn)
    return Press("t_turn", label, f"turn {state.turn}" + (" 1" if left else ""), open=left)


def _done(view: TableView, opened: str) -> Press | None:
    """Return the press that ends the activation of the opened fighter."""
    fighter = next((each for each in view.state.fighters if each.key == opened and each.side in view.hands), None)
    if fighter is None or not fighter.fights or fighter.acted or "acted" not in view.tracker.uses:
        return None
    return Press("t_done", done_words(view, fighter), f"acted {fighter.key}")


def _passing(view: TableView) -> str:
    """Return the keys of the user's fighters who have yet to act and then hand over."""
    if "acted" not in view.tracker.uses:
        return ""
    waiting = (each for each in view.state.fighters if each.side in view.hands and each.fights and not each.acted)
    return " ".join(each.key for each in waiting if hands_over(view, each))


def _played(view: TableView) -> list[Press]:
    """Return the press for a turn whose dice were counted without the app, in games that end turns by themselves."""
    state = view.state
    if "played" not in view.tracker.uses or (state.turn_limit and state.turn >= state.turn_limit):
        return []
    label = _("Turn {turn} finished by hand").format(turn=state.turn)
    return [Press("t_played", label, f"played {state.turn}")]


def _next(view: TableView, turn: Press | None) -> Press | Link | None:
    """Return the one thing to do now, in words that name it."""
    state = view.state
    due = {prompt.kind: prompt for prompt in view.tracker.prompts(state)}
    if "initiative" in due:
        return _settle_initiative(view, due["initiative"])
    if (awaited := view.tracker.awaited(state)) is not None:
        return _see_awaited(view, awaited)
    left = [each for each in view.tracker.still_open(state) if each.kind == "act"]
    if not left:
        return _end_the_turn(view, turn)
    return _choose_who_acts(view, next((each.side for each in left if each.side == state.acting), left[0].side))


def _settle_initiative(view: TableView, prompt: Prompt) -> Press | Link:
    answer = answer_of(view, prompt, "t_next") if prompt.roll else None
    if answer and answer.press and view.tracker.asked(view.state, prompt.roll).move:
        return answer.press
    return Link(_("Who has the initiative?"), "#t_asks")


def _see_awaited(view: TableView, awaited: Awaited) -> Link:
    if awaited.side not in view.hands:
        return Link(awaited.words, f"{view.here}?tab={awaited.side}")
    fighter = awaited.fighter
    href = f"{view.here}?open={fighter}#f{fighter}" if fighter else f"{view.here}?tab={awaited.side}"
    return Link(awaited.own_words, href)


def _end_the_turn(view: TableView, turn: Press | None) -> Press | Link | None:
    """Return what is left once everybody has acted: tests of morale, then the next turn or the end of the battle."""
    state = view.state
    tests = [each for each in view.tracker.still_open(state) if each.kind == "morale"]
    if tests and "morale" in view.tracker.uses:
        theirs = all(each.side not in view.hands for each in tests)
        side = state.side(tests[0].side)
        words = _("{side} tests morale first").format(side=side.name) if theirs else _("Test morale first")
        return Link(words, "#t_asks")
    return turn or (_end(view) if state.turn_limit and state.turn >= state.turn_limit else None)


def _choose_who_acts(view: TableView, acting: str) -> Link:
    href = f"{view.here}?tab={acting}"
    if acting not in view.hands:
        return Link(_("{side} chooses: see them").format(side=view.state.side(acting).name), href)
    if partner := view.tracker.acts_too(view.state):
        return Link(_("Fireteam: {name} acts too").format(name=partner.name), href)
    count = sum(each.fights and not each.acted for each in view.state.of(acting))
    return Link(_("Choose who acts: {count} left").format(count=count), href)


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


def last_press(newest: Sequence[TableAct], reader: int | None) -> TableAct | None:
    """Return the reader's last act that is not undone and can be."""
    if reader is None:
        return None
    return next((act for act in newest[:MAX_UNDO] if act.actor_id == reader and may_be_undone(act)), None)


def _guests(view: TableView) -> list[TableSide]:
    return [side for side in view.state.sides if side.guest and side.key in view.hands]


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
