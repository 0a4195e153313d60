"""Services for the upgrades of a fighter: buy one, and return it while founding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from rules.force import Force
from rules.parts.offer import Offer
from rules.price import Price
from rules.problems import Refusal
from warbands.draft_acts import draftable
from warbands.labels import name_of
from warbands.models import Change, Event, Fighter
from warbands.recorder import Recorder
from warbands.rules_cache import upgrade_offers
from warbands.services.common import (
    acting,
    content_of,
    game_of,
    paid_words,
    pick,
    refuse_order,
    roster_fighter,
    settle_choices,
    settle_option,
    shop_of,
)
from warbands.services.consequences import carry_out
from warbands.undo import standing, walk_back
from warbands.undo_blockers import leaning_on


@draftable
def buy_upgrade(
    *,
    fighter: Fighter,
    offer_id: str,
    actor: Any,
    option: str = "",
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Fighter:
    """Buy an upgrade for a fighter through an offer, with all its effects (kit stashed or swapped, another profile).

    Raises:
        Refusal: not on offer, closed, an option or choice is missing, or (after the founding) too little money.
    """
    with acting(fighter.warband, kind="upgrade", actor=actor, token=token, seen=seen) as act:
        taker = roster_fighter(act, fighter)
        force = act.force()
        offer = pick(upgrade_offers(game_of(act), content_of(act), force, str(taker.pk)), offer_id)
        take_upgrade(act, force, taker, offer, option=option, choices=choices)
        act.say(
            _("{{who}} gave {taker} the upgrade {offer}, {paid}.").format(
                taker=taker.name, offer=offer.name, paid=paid_words(offer.price)
            )
        )
    fighter.refresh_from_db()
    return fighter


def take_upgrade(
    act: Recorder,
    force: Force,
    fighter: Fighter,
    offer: Offer,
    *,
    option: str = "",
    choices: Mapping[str, Any] | None = None,
) -> str:
    """Add the upgrade of an offer inside an act. Returns its key in the fighter's state."""
    refuse_order(act, offer)
    picked, settled = settle_option(offer, option), settle_choices(offer.choices, choices)
    key = free_key(fighter.state.get("upgrades", {}), "u")
    follows = shop_of(act).follows(content_of(act), force, str(fighter.pk), offer.id, picked, settled)
    act.set_leaf(
        fighter,
        ("upgrades", key),
        {
            "id": offer.ref,
            "offer": offer.id,
            "ducats": offer.price.ducats,
            "glory": offer.price.glory,
            "option": picked,
            "choices": settled,
        },
    )
    act.pay(offer.price, reason=_("{offer} for {fighter}").format(offer=offer.name, fighter=fighter.name))
    carry_out(act, act.warband, follows)
    return key


def free_key(taken: Mapping[str, Any], letter: str) -> str:
    """Return a short unused key: the letter and one more than the highest number so far."""
    numbers = [int(key[len(letter) :]) for key in taken if key.startswith(letter) and key[len(letter) :].isdigit()]
    return f"{letter}{max(numbers, default=0) + 1}"


@draftable
def return_upgrade(*, fighter: Fighter, key: str, actor: Any, token: str = "", seen: int | None = None) -> Fighter:
    """Return an upgrade of a fighter while founding, for a full refund. Its effects are reverted.

    Raises:
        Refusal: the founding is over, the fighter lacks this upgrade, or a later act depends on its effects.
    """
    with acting(fighter.warband, kind="return", actor=actor, token=token, seen=seen) as act:
        holder = roster_fighter(act, fighter)
        upgrade = holder.state.get("upgrades", {}).get(key)
        if upgrade is None:
            raise Refusal(_("{name} doesn't have this upgrade.").format(name=holder.name), code="gone")
        if not act.warband.is_founding:
            raise Refusal(_("Upgrades can only be returned while building."), code="closed")
        name = name_of(act.warband.terms, "upgrade", upgrade["id"])
        taken = _taking(holder, key)
        if taken is not None:
            if leaning := leaning_on(taken):
                raise Refusal(
                    _("Something later depends on it: {entry}").format(entry=leaning[0].told),
                    mend=_("Undo that one first."),
                    code="leaned-on",
                )
            walk_back(act, list(taken.changes.order_by("-pk")))
        elif _follows_from(act, holder, key, upgrade):
            raise Refusal(
                _("{upgrade} changed the profile of {name}.").format(upgrade=name, name=holder.name),
                mend=_("Return the fighter instead."),
                code="closed",
            )
        else:
            act.set_leaf(holder, ("upgrades", key), None)
        paid = Price(ducats=upgrade.get("ducats", 0), glory=upgrade.get("glory", 0))
        act.earn(paid, reason=_("Returned {name} of {holder}").format(name=name, holder=holder.name))
        act.say(
            _("{{who}} returned the upgrade {name} of {holder}: +{paid}.").format(
                name=name, holder=holder.name, paid=paid
            )
        )
    fighter.refresh_from_db()
    return fighter


def _taking(fighter: Fighter, key: str) -> Event | None:
    """Return the event that bought this upgrade and did nothing else; None if the upgrade came with a larger act."""
    change = (
        Change.objects.filter(
            label=fighter._meta.label, row_id=fighter.pk, field="state", path=f"upgrades/{key}", before__isnull=True
        )
        .select_related("event")
        .order_by("-pk")
        .first()
    )
    if change is None:
        return None
    event = change.event
    while event.undoes is not None:
        event = event.undoes
    return standing(event) if event.kind == "upgrade" else None


def _follows_from(act: Recorder, fighter: Fighter, key: str, upgrade: Mapping[str, Any]) -> bool:
    """Return whether the upgrade had further effects when it was bought."""
    force = act.force()
    member = force.fighter(str(fighter.pk))
    bare = replace(member, upgrades=tuple(u for u in member.upgrades if u.key != key))
    return bool(
        shop_of(act).follows(
            content_of(act),
            force.with_fighter(bare),
            member.key,
            upgrade.get("offer", ""),
            upgrade.get("option", ""),
            upgrade.get("choices", {}),
        )
    )
