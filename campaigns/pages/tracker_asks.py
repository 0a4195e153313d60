"""What the players at a table are asked, each question with the buttons that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.pages.tracker_board import OfferView, Press, TableView, is_answered, offer_view, roll_href
from rules.tracker.rolls import Prompt, TableOffer
from rules.tracker.state import TableSide
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class Ask:
    """What the players are asked, with its answers. They are folded away where it is asked `later` in the turn. `tests`: it is a test of
    morale of the user's own side. `offers` are what the game offers the side that is asked.
    """

    kind: str
    words: str
    answer: OfferView | None
    presses: tuple[Press, ...]
    later: bool = False
    tests: bool = False
    offers: tuple[OfferView, ...] = ()


def asks_of(view: TableView) -> tuple[Ask, ...]:
    """Return the questions of the table. Those to another side have no buttons."""
    asks = []
    to_act = any(each.kind == "act" for each in view.tracker.still_open(view.state))
    for index, prompt in enumerate(view.tracker.prompts(view.state)):
        mine = not prompt.side or prompt.side in view.hands
        answer = answer_of(view, prompt, f"q{index}") if prompt.roll and mine else None
        later = to_act and prompt.kind == "morale"
        tests = mine and prompt.kind == "morale"
        presses = _claims(view, prompt) if mine else ()
        offers = _offers(view, prompt, f"q{index}") if mine else ()
        asks.append(Ask(prompt.kind, prompt.words, answer, presses, later, tests, offers))
    return (*asks, *_reserves(view))


def _reserves(view: TableView) -> Iterator[Ask]:
    """Yield for each own side that is not there yet the question when it comes."""
    for side in view.state.sides:
        if _is_late(view, side):
            words = _("{side} is in reserve.").format(side=side.name)
            yield Ask("reserve", words, None, (_arrival(view, side),))


def late_presses(view: TableView) -> list[Press]:
    """Return, for a side of which some wait, one press for all of them, and before anything happened one to let all of it wait."""
    if "there" not in view.tracker.uses:
        return []
    found = []
    for side in (side for side in view.state.sides if side.key in view.hands and not _is_late(view, side)):
        own = [fighter for fighter in view.state.of(side.key) if not fighter.out]
        if sum(not fighter.there for fighter in own) > 1:
            found.append(_arrival(view, side))
        elif len(own) > 1 and view.state.turn == 1 and not any(fighter.touched for fighter in own):
            label = _("{side} comes late").format(side=side.name)
            found.append(Press(f"h{side.key}_late", label, f"side_there {side.key} 0"))
    return found


def _is_late(view: TableView, side: TableSide) -> bool:
    """Return whether all of one's own side wait."""
    own = [fighter for fighter in view.state.of(side.key) if not fighter.out]
    uses = "there" in view.tracker.uses and side.key in view.hands
    return uses and len(own) > 1 and not any(fighter.there for fighter in own)


def _arrival(view: TableView, side: TableSide) -> Press:
    waiting = [each for each in view.state.of(side.key) if not (each.out or each.there)]
    label = _("{side} arrives: all {count}").format(side=side.name, count=len(waiting))
    return Press(f"h{side.key}_all", label, f"side_there {side.key} 1")


def _offers(view: TableView, prompt: Prompt, id_: str) -> tuple[OfferView, ...]:
    found = [offer for offer in view.offers if prompt.is_answered_by(offer)]
    return tuple(offer_view(view, offer, f"{id_}_{place}") for place, offer in enumerate(found))


def answer_of(view: TableView, prompt: Prompt, id_: str) -> OfferView:
    """Return what rolls for a question, or settles it without dice."""
    kind = view.tracker.asked(view.state, prompt.roll)
    given = {**({"side": prompt.side} if prompt.side else {}), **prompt.given}
    label = kind.label if kind.move else _("Roll for me")
    if kind.move and prompt.kind == "initiative":
        label = _("Settle the initiative")
    fighter = prompt.given.get("fighter", "")
    answered = is_answered(kind, given)
    offer = TableOffer(prompt.roll, label, prompt.side, fighter, given, at_once=prompt.at_once or answered)
    shown = offer_view(view, offer, id_)
    if answered or not prompt.at_once:
        return shown
    return replace(shown, modified=Link(_("With modifiers"), roll_href(view.here, prompt.roll, given)))


def _claims(view: TableView, prompt: Prompt) -> tuple[Press, ...]:
    uses, state = view.tracker.uses, view.state
    if prompt.roll and view.campaign.dice == Campaign.Dice.APP:
        return ()
    if prompt.kind == "initiative" and "initiative" in uses:
        words = _("Initiative")
        return tuple(Press(f"i{side.key}", side.name, f"initiative {side.key}", words) for side in state.sides)
    if prompt.kind == "morale" and "morale" in uses:
        name = state.side(prompt.side).name
        return (
            Press(f"h{prompt.side}", _("Held"), f"morale {prompt.side} holds", name),
            Press(f"k{prompt.side}", _("Shaken"), f"morale {prompt.side} shaken", name),
            Press(f"v{prompt.side}", _("Fled"), f"morale {prompt.side} flees", name),
        )
    return ()
