"""Services that give a warband to another person: the owner offers it, the other person accepts."""

from __future__ import annotations

import secrets
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.guests import is_guest
from rules.problems import Refusal
from warbands.host import host
from warbands.models import HandOver, Warband
from warbands.models.hand_over import OPEN_FOR
from warbands.recording import recording, refuse_put_away
from warbands.rights import refuse_act
from warbands.services.common import acting, clean_text
from warbands.services.roster import change_owner

OPEN = HandOver.Status.OPEN


def offer_warband(
    *,
    warband: Warband,
    actor: Any,
    to: Any = None,
    email: str = "",
    reason: str = "",
    token: str = "",
    seen: int | None = None,
) -> HandOver:
    """Offer a warband to a person, to an e-mail address, or without both to whoever opens the link first.

    An administrator does it in the owner's name, and gives a reason. Raises Refusal if the warband has no owner or is
    offered already, and if the person owns it or cannot take its place in the campaign.
    """
    with acting(warband, kind="hand-over-offer", actor=actor, token=token, seen=seen) as act:
        row = act.warband
        refuse_act(actor, row, "hand-over")
        if row.owner is None:
            raise Refusal(
                _("{name} has no owner.").format(name=row.name), mend=_("Give its claim link away."), code="no-owner"
            )
        words = clean_text(reason, what=_("The reason"), longest=300, field="reason")
        if row.owner_id != actor.pk and not words:
            raise Refusal(_("Give a reason. Its owner reads it."), code="no-words", field="reason")
        _close_old(row)
        if HandOver.objects.filter(warband=row, status=OPEN).exists():
            raise Refusal(_("It is offered already."), mend=_("Withdraw that offer first."), code="again")
        if to is not None:
            _refuse_taker(row, to)
        made = HandOver.objects.create(
            warband=row,
            giver=row.owner,
            by=actor,
            to=to,
            email=email.lower(),
            reason=words,
            code=secrets.token_urlsafe(18),
        )
        whom = (
            str(to) if to is not None else _("an e-mail address") if email else _("the first person to open its link")
        )
        told = _("{{who}} offered {name} to {whom}.").format(name=row.name, whom=whom)
        act.say(f"{told} “{words}”" if words else told)
    return made


def withdraw_offer(*, offer: HandOver, actor: Any, token: str = "") -> HandOver:
    """Withdraw an offer: its link opens nothing from now on. Raises Refusal if it was answered meanwhile."""
    with recording(offer.warband, kind="hand-over-end", actor=actor, token=token) as act:
        refuse_act(actor, act.warband, "hand-over")
        row = _settle(offer, HandOver.Status.WITHDRAWN, is_told=True)
        act.say(_("{{who}} withdrew the offer of {name}.").format(name=act.warband.name))
    return row


def decline_offer(*, offer: HandOver, actor: Any, token: str = "") -> HandOver:
    """Decline an offer. Raises Refusal if it was settled meanwhile or is for somebody else."""
    with recording(offer.warband, kind="hand-over-end", actor=actor, for_name="", token=token) as act:
        _refuse_reader(offer, actor)
        row = _settle(offer, HandOver.Status.DECLINED)
        act.say(_("{{who}} declined the offer of {name}.").format(name=act.warband.name))
    return row


def accept_offer(*, offer: HandOver, actor: Any, token: str = "") -> Warband:
    """Take over a warband with its history, links and place in a campaign. Its money stays as it is.

    Delegates of the former owner lose their rights. Raises Refusal if the offer is over or for somebody else, if the
    warband changed hands meanwhile, and if this person has another place in its campaign.
    """
    warband = offer.warband
    subjects = [*host().rows_with_owner(warband), warband]
    with recording(*subjects, kind="hand-over", actor=actor, for_name="", token=token) as act:
        row = act.row(warband)
        refuse_put_away(row)
        _refuse_reader(offer, actor)
        before = row.owner
        settled = _settle(offer, HandOver.Status.ACCEPTED, to=actor)
        if row.owner_id != settled.giver_id:
            raise Refusal(_("{name} has another owner now.").format(name=row.name), code="gone")
        _refuse_taker(row, actor)
        if [each.pk for each in host().rows_with_owner(row)] != [each.pk for each in subjects[:-1]]:
            raise Refusal(
                _("{name} changed its campaign just now.").format(name=row.name), mend=_("Try again."), code="moved"
            )
        where = host().change_hands(act, row, actor)
        change_owner(act, row, actor)
        told = _("{{who}} took over {name} from {before}.")
        if where:
            told = _("{{who}} took over {name} from {before}, with its place in {where}.")
        act.say(told.format(name=row.name, before=before, where=where))
    warband.refresh_from_db()
    return warband


def note_told(offer: HandOver) -> None:
    """Note that the owner has read how their offer ended."""
    HandOver.objects.filter(pk=offer.pk).update(is_told=True)


def may_take(offer: HandOver, user: Any) -> bool:
    """Return whether an open offer is for this person. Whoever has the link of an offer without a name may take it."""
    return user.is_authenticated and user.pk != offer.giver_id and offer.to_id in (None, user.pk)


def offers_to(user: Any) -> Q:
    """Return a filter for the open offers to this person, by name or by a confirmed e-mail address."""
    since = timezone.now() - OPEN_FOR
    addresses = user.emailaddress_set.filter(verified=True).values("email")
    return Q(status=OPEN, made_at__gt=since) & (Q(to=user) | (Q(to=None, email__in=addresses) & ~Q(email="")))


def _settle(offer: HandOver, status: Any, **fields: Any) -> HandOver:
    """Settle an open offer under the lock of its warband; its e-mail address is forgotten."""
    row = HandOver.objects.filter(pk=offer.pk).select_related("giver", "to").first()
    if row is None or not row.is_open:
        raise Refusal(_("This offer is over."), mend=_("Ask for a new one."), code="settled")
    row.status, row.settled_at, row.email = status, timezone.now(), ""
    for name, value in fields.items():
        setattr(row, name, value)
    row.save(update_fields=["status", "settled_at", "email", *fields])
    return row


def _close_old(warband: Warband) -> None:
    old = HandOver.objects.filter(warband=warband, status=OPEN)
    for each in old:
        if not each.is_open or each.giver_id != warband.owner_id:
            each.status, each.settled_at, each.email = HandOver.Status.WITHDRAWN, timezone.now(), ""
            each.save(update_fields=["status", "settled_at", "email"])


def _refuse_taker(warband: Warband, user: Any) -> None:
    if is_guest(user):
        raise Refusal(_("Taking over needs an account."), mend=_("Choose a user name first."), code="guest")
    if user.pk == warband.owner_id:
        raise Refusal(_("{owner} already owns {name}.").format(owner=user, name=warband.name), code="no-change")
    host().refuse_new_owner(warband, user)


def _refuse_reader(offer: HandOver, user: Any) -> None:
    if not may_take(offer, user):
        raise Refusal(_("This offer is for another player."), code="not-yours")
