"""Hires copies of a fighter: the same profile, with the same bought kit and upgrades as far as they are on offer."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from rules.force import ForceFighter
from rules.parts.offer import Offer
from rules.problems import Refusal
from warbands.draft_acts import draftable
from warbands.labels import has_shop, listed, word
from warbands.models import Fighter
from warbands.recorder import Recorder
from warbands.rules_cache import hire_offer, item_offer, upgrade_offers
from warbands.services.common import acting, content_of, game_of, on_offer, paid_words, roster_fighter
from warbands.services.hire import enlist
from warbands.services.kit import place_order
from warbands.services.names import free_fighter_name
from warbands.services.upgrades import take_upgrade

MOST_COPIES = 6


@draftable
def copy_fighter(
    *, fighter: Fighter, actor: Any, name: str = "", times: int = 1, token: str = "", seen: int | None = None
) -> list[Fighter]:
    """Hire copies of this fighter, with the same bought kit and upgrades as far as they are on offer and affordable.

    Returns the new fighters. The event's sentence names the kit and upgrades that they could not have. A name is for a single copy.

    Raises:
        Refusal: the profile itself is not on offer so many times.
    """
    with acting(fighter.warband, kind="hire", actor=actor, token=token, seen=seen) as act:
        original = roster_fighter(act, fighter)
        twins, left_out = [], []
        for _number in range(max(1, min(times, MOST_COPIES))):
            twin, missing = _copy(act, original, name if times == 1 else "")
            twins.append(twin)
            left_out += [one for one in missing if one not in left_out]
        act.say(_said(act, original, twins, left_out), left_out=left_out)
    return twins


def _copy(act: Recorder, original: Fighter, name: str) -> tuple[Fighter, list[str]]:
    """Hire one copy. Returns it, and the names of what it could not have."""
    force = act.force()
    model = force.fighter(str(original.pk))
    offer = on_offer(hire_offer(game_of(act), content_of(act), force, original.offer_id))
    chosen = original.state.get("choices", {})
    choices = {choice.key: chosen[choice.key] for choice in offer.choices if choice.key in chosen}
    wanted = name or free_fighter_name(act.warband, original.profile_id, {fighter.name for fighter in force.fighters})
    twin = enlist(act, force, offer, name=wanted, choices=choices)
    return twin, _copy_upgrades(act, model, twin) + _copy_kit(act, model, twin)


def _said(act: Recorder, original: Fighter, twins: list[Fighter], left_out: list[str]) -> str:
    terms = act.warband.terms
    without = _(", without {things}").format(things=listed(left_out)) if left_out else ""
    paid = f", {paid_words(act.spent)}" if has_shop(terms) else ""
    return _("{{who}} {hired} {names}, like {original}{without}{paid}.").format(
        hired=word(terms, "hired", _("hired")),
        names=listed([twin.name for twin in twins]),
        original=original.name,
        without=without,
        paid=paid,
    )


def _copy_upgrades(act: Recorder, model: ForceFighter, twin: Fighter) -> list[str]:
    """Buy the upgrades of the model for its twin. Returns the names of those that are not available."""
    left_out = []
    for upgrade in model.upgrades:
        force = act.force()
        offers = upgrade_offers(game_of(act), content_of(act), force, str(twin.pk))
        offer = next((offer for offer in offers if offer.id == upgrade.offer), None)
        if offer is None or not _can_pay(act, offer):
            left_out.append(offer.name if offer else upgrade.upgrade)
            continue
        try:
            take_upgrade(act, force, twin, offer, option=upgrade.option, choices=upgrade.choices)
        except Refusal:
            left_out.append(offer.name)
    return left_out


def _copy_kit(act: Recorder, model: ForceFighter, twin: Fighter) -> list[str]:
    """Buy the model's bought kit for its twin. Returns the names of the items that are not available."""
    left_out = []
    for item in model.kit:
        if item.origin != "bought" or not item.offer:
            continue
        offer = item_offer(game_of(act), content_of(act), act.force(), str(twin.pk), item.offer)
        if offer is None or offer.kind == "hire" or not _can_pay(act, offer):
            left_out.append(offer.name if offer else item.item)
            continue
        place_order(act, offer, fighter=twin, choices=item.choices)
    return left_out


def _can_pay(act: Recorder, offer: Offer) -> bool:
    """Return whether an order would succeed: the offer is not closed, and the strongbox holds enough."""
    if offer.state == "closed":
        return False
    held = act.warband.strongbox
    return act.warband.is_founding or (held.ducats >= offer.price.ducats and held.glory >= offer.price.glory)
