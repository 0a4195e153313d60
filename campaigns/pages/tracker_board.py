"""The game-specific parts of the tracker: the board that everybody sees, and the rolls and moves on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from rules.tracker.names import short_names
from rules.tracker.rolls import BoardLine, RollKind, TableOffer
from rules.tracker.state import TableFighter, TableState
from rules.tracker.tracker import Tracker
from warbands.pages.widgets import Link

if TYPE_CHECKING:
    from campaigns.pages.tracker_cards import TableCard

TYPED = "typed"  # the query parameter for typed dice


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An unfinished thing in a sentence, with the buttons that settle it."""

    words: str
    acts: tuple[OfferView, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the tracker's single form, with its label and the submitted value. `id` keeps the focus on it after an update.

    `open` lists unfinished things that pressing it would lose. The button then shows them first, with `label_anyway` below. `bar` is
    what the button says in the bar, while its fighter is open; `words` stand small under the label.
    """

    id: str
    label: str
    press: str
    about: str = ""  # the fighter or side it concerns, for screen readers
    open: tuple[OpenItem, ...] = ()
    label_anyway: str = field(default_factory=lambda: _("End all the same"))
    bar: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class OfferView:
    """A roll or move on offer: a button, a link to a form, or closed with a reason.

    `typed` links to typing in the player's dice, `modified` to the questions that a press leaves out. `keeps`: a phone keeps the form of
    the link, to tell results while its line is down.
    """

    label: str
    about: str = ""
    press: Press | None = None
    link: Link | None = None
    typed: Link | None = None
    modified: Link | None = None
    closed: str = ""
    main: bool = False
    quiet: bool = False
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """The lines of the board that belong to one side. `name` is "" for lines that belong to no side."""

    name: str
    lines: tuple[BoardLine, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one user sees it. `hands` are the sides they may act for, `here` is its URL, `offers` are the current ones.

    `opens` are the sides whose fighters open as cards; `cards` holds these if the whole page is drawn.
    """

    tracker: Tracker
    state: TableState
    hands: frozenset[str]
    here: str
    campaign: Campaign
    offers: tuple[TableOffer, ...]
    opens: frozenset[str] = frozenset()
    cards: Mapping[str, TableCard] = field(default_factory=dict)


def board_of(tracker: Tracker, state: TableState) -> tuple[BoardGroup, ...]:
    """Return the lines that everybody sees: first those that belong to no side, then one group per side. No queries."""
    lines = tracker.board(state)
    groups = [BoardGroup("", tuple(line for line in lines if not line.side))]
    groups += [BoardGroup(side.name, tuple(line for line in lines if line.side == side.key)) for side in state.sides]
    return tuple(group for group in groups if group.lines)


def roll_href(here: str, roll: str, given: Mapping[str, str] | None = None, *, typed: bool = False) -> str:
    """Return the URL of a roll's form with these answers. With `typed` it opens at the dice."""
    return f"{here}?{urlencode({'roll': roll, **(given or {}), **({TYPED: '1'} if typed else {})})}"


def is_answered(kind: RollKind, given: Mapping[str, str]) -> bool:
    return all(asked.name in given for asked in kind.asks)


def offers_for(view: TableView, fighter: TableFighter, *, quiet: bool) -> tuple[OfferView, ...]:
    """Return a fighter's offers: the quiet ones, which are folded away, or the others. Those of a weapon stand on its line."""
    own = [offer for offer in view.offers if offer.fighter == fighter.key and not offer.weapon]
    return _views(view, [offer for offer in own if offer.quiet == quiet])


def offers_with(view: TableView, fighter: TableFighter, weapon: str) -> tuple[OfferView, ...]:
    """Return the offers that a fighter makes with a weapon."""
    return _views(view, [offer for offer in view.offers if offer.fighter == fighter.key and offer.weapon == weapon])


def offers_beside(view: TableView) -> tuple[OfferView, ...]:
    """Return the offers to the table and to the user's sides, without those that stand with a question alone."""
    prompts = view.tracker.prompts(view.state)
    beside = [offer for offer in view.offers if not offer.fighter and (not offer.side or offer.side in view.hands)]
    return _views(view, [o for o in beside if o.main or not any(prompt.is_answered_by(o) for prompt in prompts)])


def _views(view: TableView, offers: Sequence[TableOffer]) -> tuple[OfferView, ...]:
    if view.campaign.dice == Campaign.Dice.APP:  # players may not enter results of physical dice
        offers = [offer for offer in offers if not view.tracker.asked(view.state, offer.roll).tells]
    return tuple(
        replace(
            offer_view(view, offer, f"e{offer.fighter}_{offer.roll}_{slugify(offer.weapon)}{place}"), quiet=offer.quiet
        )
        for place, offer in enumerate(offers)
    )


def _shared_side(view: TableView, offer: TableOffer) -> str:
    """Return the side of an offer in short, if one phone acts for several and its offer would not tell whose it is."""
    if offer.fighter or not offer.side or len(view.hands) < 2:
        return ""
    return short_names(view.state)[offer.side] if offer.quiet or offer.side != view.state.acting else ""


def _about(view: TableView, offer: TableOffer) -> str:
    if offer.fighter:
        return view.state.fighter(offer.fighter).name
    return view.state.side(offer.side).name if offer.side else ""


def offer_view(view: TableView, offer: TableOffer, id_: str) -> OfferView:
    """Return an offer in the form that the campaign's dice policy allows. `id_` is the id of its button."""
    shared = _shared_side(view, offer)
    if shared:
        offer = replace(offer, words=offer.words or shared)
    about = "" if shared else _about(view, offer)
    if offer.closed:
        return OfferView(offer.label, about, closed=offer.closed, main=offer.main)
    whose = {"fighter": offer.fighter} if offer.fighter else {"side": offer.side} if offer.side else {}
    given = {**whose, **offer.given}
    label = _("{side}: {label}").format(side=shared, label=offer.label) if shared else offer.label
    if not offer.at_once:
        form = Link(label, roll_href(view.here, offer.roll, given))
        return OfferView(offer.label, about, link=form, main=offer.main, keeps=offer.roll in view.tracker.kept_forms)
    act = f"do {offer.fighter or '-'} {offer.roll} {urlencode(given)}".strip()
    press = Press(id_, offer.label, act, about, tuple(OpenItem(words) for words in offer.open), words=offer.words)
    if view.tracker.asked(view.state, offer.roll).move:
        return OfferView(offer.label, about, press=press, main=offer.main)
    counted = bool(view.tracker.asking(view.state, offer.roll, given).results)
    keeps = counted and offer.roll in view.tracker.kept_forms
    typed = Link(label, roll_href(view.here, offer.roll, given, typed=not counted))
    if view.campaign.dice == Campaign.Dice.TYPED:
        return OfferView(offer.label, about, link=typed, main=offer.main, keeps=keeps)
    own = typed if view.campaign.dice != Campaign.Dice.APP else None
    return OfferView(offer.label, about, press=press, typed=own, main=offer.main, keeps=keeps)
