"""The services for captives between two warbands: name, accept or refuse a price; release the captive, or give it up.

A price is binding once the other owner accepts it and the strongbox covers it. Money, fighter and capture then change
in one transaction on both warbands, and the fighter returns fully recovered. If the edition holds captives, no
sequence waits and the kit is lost either way. If the edition settles captives at once, the owner's sequence waits and
the kit stays, and the owner decides in the sequence that no ransom is paid.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Capture, RansomOffer
from rules.price import Price
from rules.problems import Refusal
from warbands.labels import labels_of
from warbands.models import Fighter, Item, Warband
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, recording

MOST = 9999


def open_offers(capture: Capture) -> list[RansomOffer]:
    """Return the open prices, at most one per side, newest last. One query."""
    return list(RansomOffer.objects.live().filter(capture=capture, status=RansomOffer.Status.OPEN).select_related("by"))


def name_price(*, capture: Capture, by_captor: bool, ducats: int, actor: Any, token: str = "") -> RansomOffer:
    """Name a price for one side of the negotiation; it replaces that side's earlier price.

    Naming the price that the other side named accepts it. Raises Refusal for a price outside the range 1 to `MOST`,
    and for a captive that is no longer held.
    """
    ducats = _checked(ducats)
    same = next((o for o in open_offers(capture) if o.by_captor != by_captor and o.ducats == ducats), None)
    if same is not None:
        return accept_price(offer=same, actor=actor, token=token)
    with recording(
        *_subjects(capture),
        kind="price",
        actor=actor,
        for_name=_for(capture, by_captor, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        row = _held(act, capture)
        for old in open_offers(row):
            if old.by_captor == by_captor:
                act.change(old, status=RansomOffer.Status.REPLACED)
        offer = act.create(RansomOffer(capture=row, by=actor, by_captor=by_captor, ducats=ducats))
        _tell(act, capture)
        told = _("{{who}} asked {price} for {fighter}.") if by_captor else _("{{who}} offered {price} for {fighter}.")
        act.say(told.format(price=Price(ducats=ducats), fighter=capture.fighter.name))
    return offer


def accept_price(*, offer: RansomOffer, actor: Any, token: str = "") -> RansomOffer:
    """Accept the other side's price: the ransom is paid and the fighter returns, in one transaction on both warbands.

    Raises Refusal if the strongbox does not cover the price or the offer is no longer open, AlreadyDone if it has
    just been paid.
    """
    capture = offer.capture
    warbands = [w for w in (capture.warband, capture.captor) if w is not None]
    with recording(
        *_subjects(capture),
        *warbands,
        kind="ransom",
        actor=actor,
        for_name=_for(capture, not offer.by_captor, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        fresh = RansomOffer.objects.live().select_for_update(no_key=True).filter(pk=offer.pk).first()
        if fresh is not None and fresh.status == RansomOffer.Status.ACCEPTED:
            raise AlreadyDone(None)
        row = _held(act, capture)
        if fresh is None or fresh.status != RansomOffer.Status.OPEN:
            raise Refusal(_("This offer is no longer open."), code="replaced")
        payer: Warband = act.row(capture.warband)
        price = Price(ducats=fresh.ducats)
        if payer.strongbox_ducats < price.ducats:
            raise Refusal(
                _("The ransom costs {price} ducats; {payer} has {held}.").format(
                    price=price.ducats, payer=payer.name, held=payer.strongbox_ducats
                ),
                mend=_("Name a lower price, or sell from the {stash} first.").format(
                    stash=labels_of(payer.terms)["stash_within"]
                ),
                code="money",
            )
        name = capture.fighter.name
        act.pay(price, reason=_("Ransom for {name}").format(name=name), warband=payer)
        if capture.captor is not None:
            act.earn(
                price,
                reason=_("Ransom for {name} of {payer}").format(name=name, payer=payer.name),
                warband=act.row(capture.captor),
            )
        act.change(fresh, status=RansomOffer.Status.ACCEPTED)
        for other in open_offers(row):
            act.change(other, status=RansomOffer.Status.REPLACED)
        _home(act, row)
        act.change(row, status=Capture.Status.RANSOMED, settled_at=timezone.now())
        act.say(
            _("{{who}} settled the ransom: {payer} paid {captor} {price} for {name}.").format(
                payer=payer.name, captor=capture.captor_name, price=price, name=name
            )
        )
    return fresh


def refuse_price(*, offer: RansomOffer, actor: Any, token: str = "") -> RansomOffer:
    """Refuse the other side's price. The captive stays with its captor."""
    capture = offer.capture
    with recording(
        *_subjects(capture),
        kind="price",
        actor=actor,
        for_name=_for(capture, not offer.by_captor, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        _held(act, capture)
        fresh = RansomOffer.objects.live().get(pk=offer.pk)
        if fresh.status != RansomOffer.Status.OPEN:
            raise Refusal(_("This offer is no longer open."), code="replaced")
        act.change(fresh, status=RansomOffer.Status.REFUSED)
        _tell(act, capture)
        act.say(
            _("{{who}} refused {price} for {fighter}.").format(
                price=Price(ducats=fresh.ducats), fighter=capture.fighter.name
            )
        )
    return fresh


def withdraw_price(*, offer: RansomOffer, actor: Any, token: str = "") -> RansomOffer:
    capture = offer.capture
    with recording(
        *_subjects(capture),
        kind="price",
        actor=actor,
        for_name=_for(capture, offer.by_captor, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        _held(act, capture)
        fresh = RansomOffer.objects.live().select_for_update(no_key=True).get(pk=offer.pk)
        if fresh.status != RansomOffer.Status.OPEN:
            raise Refusal(_("This offer is no longer open."), code="replaced")
        act.change(fresh, status=RansomOffer.Status.REPLACED)
        _tell(act, capture)
        act.say(
            _("{{who}} withdrew {price} for {fighter}.").format(
                price=Price(ducats=fresh.ducats), fighter=capture.fighter.name
            )
        )
    return fresh


def let_go(*, capture: Capture, actor: Any, token: str = "") -> Capture:
    """Release the fighter without a ransom; it returns recovered."""
    with recording(
        *_subjects(capture),
        capture.warband,
        kind="ransom",
        actor=actor,
        for_name=_for(capture, True, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        row = _held(act, capture)
        _close_offers(act, row)
        _home(act, row)
        act.change(row, status=Capture.Status.FREED, settled_at=timezone.now())
        if capture.captor is not None:
            act.also_told_to(capture.captor)
        act.say(
            _("{{who}} released {fighter}: {captor} wanted no ransom.").format(
                fighter=capture.fighter.name, captor=capture.captor_name
            )
        )
    return row


def give_up(*, capture: Capture, actor: Any, token: str = "") -> Capture:
    """Give the fighter up; it leaves the roster permanently. Raises Refusal if the owner's sequence decides that."""
    if settled_at_once(capture):
        raise Refusal(
            _("In this edition, the owner decides this in the post-battle."),
            mend=_("Choose it in that step."),
            code="in-sequence",
        )
    with recording(
        *_subjects(capture),
        capture.warband,
        kind="ransom",
        actor=actor,
        for_name=_for(capture, False, actor),
        occasion=_occasion(capture),
        token=token,
    ) as act:
        row = _held(act, capture)
        _close_offers(act, row)
        fighter = Fighter.objects.live().get(pk=capture.fighter_id)
        _lose_kit(act, fighter)
        act.change(
            fighter,
            status=Fighter.Status.LEFT,
            left_at=timezone.now(),
            left_reason=_("Left with {captor}").format(captor=capture.captor_name)[:200],
        )
        act.change(row, status=Capture.Status.LOST, settled_at=timezone.now())
        if capture.captor is not None:
            act.also_told_to(capture.captor)
        act.say(
            _("{{who}} gave up {fighter}; {captor} keeps the captive.").format(
                fighter=fighter.name, captor=capture.captor_name
            )
        )
    return row


def settled_at_once(capture: Capture) -> bool:
    """Return whether the owner's edition settles captives at once, in the sequence, including their kit."""
    terms = capture.warband.terms
    campaign = terms.game.campaign
    return campaign is not None and campaign.captives(terms.content) == "settled"


def close_captures(act: Recorder, warband: Warband) -> None:
    """Settle the captures of fighters that are no longer held, inside a running recording. One query if there are none."""
    held = (
        Capture.objects.live().filter(warband=warband, status=Capture.Status.HELD).select_related("captor", "fighter")
    )
    for capture in held:
        fighter = Fighter.objects.live().get(pk=capture.fighter_id)
        if fighter.status == Fighter.Status.CAPTIVE:
            continue
        _close_offers(act, capture)
        back = fighter.status == Fighter.Status.ACTIVE
        status = Capture.Status.FREED if back else Capture.Status.LOST
        act.change(capture, status=status, settled_at=timezone.now())
        if capture.captor is not None:
            act.also_told_to(capture.captor)


# --- inside ------------------------------------------------------------------------------------------------------------------


def _subjects(capture: Capture) -> list[Any]:
    battle: list[Battle] = [capture.battle] if capture.battle is not None else []
    return [*battle, capture]


def _occasion(capture: Capture) -> str:
    return capture.battle.occasion if capture.battle is not None else ""


def _held(act: Recorder, capture: Capture) -> Capture:
    row: Capture = act.row(capture)
    if row.status != Capture.Status.HELD:
        words = row.get_status_display().lower()
        raise Refusal(
            _("{fighter} is no longer held: {words}.").format(fighter=capture.fighter.name, words=words), code="settled"
        )
    return row


def _home(act: Recorder, capture: Capture) -> None:
    """Return the fighter to the roster, fully recovered and without a scar. In some editions its kit stays lost."""
    fighter = Fighter.objects.live().get(pk=capture.fighter_id)
    if fighter.status != Fighter.Status.CAPTIVE:
        raise Refusal(_("{fighter} is no longer held captive.").format(fighter=fighter.name), code="settled")
    if not settled_at_once(capture):
        _lose_kit(act, fighter)
    act.change(fighter, status=Fighter.Status.ACTIVE)


def _lose_kit(act: Recorder, fighter: Fighter) -> None:
    for item in Item.objects.live().filter(fighter=fighter, status=Item.Status.HELD):
        act.change(
            item,
            fighter=None,
            status=Item.Status.LOST,
            why=_("Taken with {fighter}").format(fighter=fighter.name)[:200],
        )


def _close_offers(act: Recorder, capture: Capture) -> None:
    for offer in open_offers(capture):
        act.change(offer, status=RansomOffer.Status.REFUSED)


def _tell(act: Recorder, capture: Capture) -> None:
    act.also_told_to(capture.warband)
    if capture.captor is not None:
        act.also_told_to(capture.captor)


def _for(capture: Capture, captor: bool, actor: Any) -> str:
    """Return the name of the person represented, or "" if the party's own owner acts."""
    warband = capture.captor if captor else capture.warband
    if warband is None:
        return capture.captor_name if captor else ""
    if actor is None or warband.owner_id == actor.pk:
        return ""
    return str(warband.owner) if warband.owner_id else warband.name


def _checked(ducats: Any) -> int:
    try:
        number = int(ducats)
    except (TypeError, ValueError):
        number = 0
    if not 1 <= number <= MOST:
        raise Refusal(
            _("A ransom is a whole number from 1 to {most} ducats.").format(most=MOST),
            mend=_("Or release the captive for free."),
            code="price",
            field="ducats",
        )
    return number
