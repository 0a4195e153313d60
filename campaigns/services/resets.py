"""Password reset links made by administrators, for clubs without mail."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from accounts.models import ResetLink, User
from accounts.reset import make_reset_link, refuse_unless_by_hand
from campaigns.access import is_administrator
from campaigns.models import Campaign, Seat
from rules.problems import Refusal
from warbands.models import Delegate
from warbands.recording import recording

GROUND = "seat"


def hand_out_reset(*, seat: Seat, actor: Any, token: str = "") -> str:
    """Return the path of a one-time link with which the player of a seat sets a new password. The campaign's news
    mentions it.

    Raises Refusal as `refuse_reset` does.
    """
    with recording(seat.campaign, seat, kind="reset-link", actor=actor, token=token) as act:
        row = act.row(seat)
        user = refuse_reset(row, actor)
        act.say(_("{{who}} made a reset link for {user}.").format(user=user))
        return make_reset_link(user=user, maker=actor, place=seat.campaign.name, ground=f"{GROUND}:{seat.pk}")


def refuse_reset(seat: Seat, actor: Any) -> User:
    """Return the player of a seat for whom this person may make a reset link.

    Raises Refusal for somebody who does not administer the campaign, for an unclaimed or left seat, for people with
    an e-mail address, for those who take no such links, and for those who play, administer or act for others anywhere
    that the actor does not administer.
    """
    if not is_administrator(actor, seat.campaign_id):
        raise Refusal(_("Only the campaign's administrators make reset links."), code="no-administrator")
    if seat.user is None:
        raise Refusal(_("No one has claimed this place."), mend=_("Send the claim link."), code="unclaimed")
    if seat.status == Seat.Status.LEFT:
        raise Refusal(_("{user} has left the campaign.").format(user=seat.user), code="left")
    refuse_unless_by_hand(seat.user, actor)
    mine = Campaign.objects.administered_by(actor).values("pk")
    # With a reset link its user can act everywhere as that player, so one campaign must not give access to others.
    if Campaign.objects.joined_by(seat.user).exclude(pk__in=mine).exists():
        raise Refusal(
            _("{user} also plays in a campaign that you don't administer.").format(user=seat.user),
            mend=_("The site owner can set a new password."),
            code="elsewhere",
        )
    seated = Seat.objects.live().exclude(status=Seat.Status.LEFT).filter(campaign__in=mine, warband__isnull=False)
    acted = Delegate.objects.live().filter(user=seat.user, warband__is_undone=False)
    if acted.exclude(warband__owner=actor).exclude(warband__in=seated.values("warband")).exists():
        raise Refusal(
            _("{user} is a delegate for a warband outside your campaigns.").format(user=seat.user),
            mend=_("The site owner can set a new password."),
            code="elsewhere",
        )
    return seat.user


def refuse_reset_link(link: ResetLink) -> None:
    """Raise Refusal if the maker of a link would no longer be allowed to make it."""
    number = link.ground.partition(":")[2]
    seat = Seat.objects.live().select_related("user").filter(pk=number, campaign__is_undone=False).first()
    if seat is None or seat.user_id != link.user_id:
        raise Refusal(_("This place has another player now."), code="elsewhere")
    refuse_reset(seat, link.maker)
