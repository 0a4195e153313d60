"""Hires fighters, and lets them leave in the ways that the rules offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.force import Force
from rules.formatting import listed, profile_beside
from rules.parts.offer import Offer
from rules.problems import Refusal
from warbands.draft_acts import draftable
from warbands.labels import has_shop, word
from warbands.models import Fighter, Item, Warband
from warbands.recorder import Recorder
from warbands.rules_cache import hire_offer
from warbands.services.common import (
    acting,
    clean_name,
    content_of,
    equip,
    free_name,
    game_of,
    next_position,
    on_offer,
    paid_words,
    pick,
    refuse_closed,
    refuse_order,
    roster_fighter,
    settle_choices,
    shop_of,
    total_of,
)
from warbands.services.names import free_fighter_name

MOST_FIGHTERS = 120  # as many as a document may contain; no real roster has that many

PARTED = {
    "return": Fighter.Status.RETURNED,
    "dismiss": Fighter.Status.DISMISSED,
    "sell": Fighter.Status.SOLD,
}


@draftable
def hire_fighter(
    *,
    warband: Warband,
    offer_id: str,
    actor: Any,
    name: str = "",
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Fighter:
    """Hire one fighter through an offer. Raises Refusal as `hire_fighters`."""
    (fighter,) = hire_fighters(
        warband=warband, offer_id=offer_id, actor=actor, name=name, choices=choices, token=token, seen=seen
    )
    return fighter


@draftable
def hire_fighters(
    *,
    warband: Warband,
    offer_id: str,
    actor: Any,
    times: int = 1,
    name: str = "",
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> tuple[Fighter, ...]:
    """Hire fighters through one offer in one act: pay for each, and give it the swappable kit of its profile.

    Without a name, each gets one from the names of its list that nobody on the roster has.

    Raises:
        Refusal: not on offer, closed, a choice is missing, or (after the founding) the strongbox holds too little. Then
            nobody is hired.
    """
    with acting(warband, kind="hire", actor=actor, token=token, seen=seen) as act:
        fighters = []
        for _turn in range(times):
            force = act.force()
            offer = on_offer(hire_offer(game_of(act), content_of(act), force, offer_id))
            fighters.append(enlist(act, force, offer, name=name, choices=choices))
        act.say("{who} " + _told(act, offer, fighters))
    return tuple(fighters)


def _told(act: Recorder, offer: Offer, fighters: list[Fighter]) -> str:
    took = word(act.warband.terms, "hired", "hired")
    paid = paid_words(act.spent) if has_shop(act.warband.terms) else ""
    if len(fighters) > 1:
        given = [fighter.name for fighter in fighters if not fighter.name.startswith(offer.name)]
        names = f": {listed(given)}" if given else ""
        return f"{took} {len(fighters)} × {offer.name}{names}{', ' + paid if paid else ''}."
    who = called(fighters[0].name, offer.name)
    return f"{took} {who}{',' if paid and ',' in who else ''}{' ' + paid if paid else ''}."


def enlist(
    act: Recorder,
    force: Force,
    offer: Offer,
    *,
    name: str = "",
    choices: Mapping[str, Any] | None = None,
) -> Fighter:
    """Add the fighter of an offer to the roster inside an act: row, mandatory kit, payment. Returns the fighter."""
    refuse_order(act, offer)
    if len(force.fighters) >= MOST_FIGHTERS:
        raise Refusal(
            _("A roster holds at most {n} fighters.").format(n=MOST_FIGHTERS),
            mend=_("Dismiss one first."),
            code="too-many",
        )
    settled = settle_choices(offer.choices, choices)
    game, content = game_of(act), content_of(act)
    warband = act.warband
    fighter: Fighter = act.create(
        Fighter(
            warband=warband,
            profile_id=offer.ref,
            offer_id=offer.id,
            hired_as=offer.hired_as,
            name=clean_name(name) if name.strip() else given_name(act, force, offer),
            position=next_position(Fighter.objects.filter(warband=warband)),
            paid_ducats=offer.price.ducats,
            paid_glory=offer.price.glory,
            state=game.state.fighter_state(
                content,
                {
                    **offer.state_begins,
                    "choices": {**offer.state_begins.get("choices", {}), **settled},
                    "joined": force.battles.fought,
                },
            ),
        )
    )
    if game.shop is not None:
        equip(act, fighter, game.shop.outfit(content, force, offer.id, settled))
    act.pay(offer.price, reason=_("Hired {fighter}").format(fighter=called(fighter.name, offer.name)))
    return fighter


def given_name(act: Recorder, force: Force, offer: Offer) -> str:
    """Return a name of the list's manner that nobody on the roster has. At most one query."""
    taken = {fighter.name for fighter in force.fighters}
    return free_fighter_name(act.warband, offer.ref, taken) or free_name(act.warband, offer.name)


def called(name: str, profile_name: str) -> str:
    """Return the fighter's name and profile: "Jonas, Shocktrooper"; the profile alone if it has no own name."""
    return f"{name}, {profile_name}" if profile_beside(name, profile_name) else name


@draftable
def part_fighter(*, fighter: Fighter, way: str, actor: Any, token: str = "", seen: int | None = None) -> Fighter:
    """Let a fighter leave in one of the offered ways: "return" (while founding), "dismiss" or "sell".

    Kit that came with the fighter leaves with it. A return also refunds the price paid for its bought kit; otherwise
    the bought kit goes to the stash.

    Raises:
        Refusal: this way of leaving is closed or not on offer now.
    """
    with acting(fighter.warband, kind=way if way in PARTED else "dismiss", actor=actor, token=token, seen=seen) as act:
        leaving = roster_fighter(act, fighter)
        game, content = game_of(act), content_of(act)
        force = act.force()
        offer = pick(game.departures(content, force, str(leaving.pk)), way)
        refuse_closed(offer)
        if way not in PARTED:
            raise Refusal(_("This isn't on offer here."), code="not-offered")
        brought = [offer.price]
        for item in Item.objects.live().filter(fighter=leaving, status=Item.Status.HELD):
            if item.origin == Item.Origin.MANDATORY:
                status = Item.Status.RETURNED if way == "return" else Item.Status.LOST
                act.change(item, fighter=None, status=status)
                continue
            refund = shop_of(act).refund(content, force, str(item.pk)) if way == "return" else None
            if refund is not None and refund.state != "closed":
                act.change(item, fighter=None, status=Item.Status.RETURNED)
                act.earn(refund.price, reason=_("Returned {piece}").format(piece=refund.name))
                brought.append(refund.price)
            else:
                act.change(item, fighter=None)
        act.change(leaving, status=PARTED[way], left_at=timezone.now(), left_reason=str(_REASONS[way]))
        act.earn(offer.price, reason=f"{_REASONS[way]}: {leaving.name}")
        total = total_of(brought)
        act.say(str(_SAID[way, bool(total)]).format(who="{who}", name=leaving.name, total=total))
    fighter.status = PARTED[way]
    return fighter


_REASONS = {
    "return": gettext_lazy("Hire taken back"),
    "dismiss": gettext_lazy("Dismissed"),
    "sell": gettext_lazy("Sold"),
}
# How a fighter left, and whether money came back → what the history says.
_SAID = {
    ("return", False): gettext_lazy("{who} took back the hire of {name}."),
    ("return", True): gettext_lazy("{who} took back the hire of {name}: +{total}."),
    ("dismiss", False): gettext_lazy("{who} dismissed {name}."),
    ("dismiss", True): gettext_lazy("{who} dismissed {name}: +{total}."),
    ("sell", False): gettext_lazy("{who} sold {name}."),
    ("sell", True): gettext_lazy("{who} sold {name}: +{total}."),
}
