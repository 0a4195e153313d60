"""A reset link by hand: sign-up night needs no mail, so a forgotten password needs an administrator."""

from __future__ import annotations

from typing import Any

from accounts.reset import refuse_unless_by_hand, reset_path
from campaigns.models import Campaign, Seat
from rules.problems import Refusal
from warbands.recording import recording


def hand_out_reset(*, seat: Seat, actor: Any, token: str = "") -> str:
    """The path of a one-time link by which the player of a seat sets a new password. The campaign's news tells of it.

    Raises Refusal for an unclaimed seat, for people with an e-mail address, for those who take no links by hand, and for those who
    play or administer anywhere that the actor does not administer.
    """
    if seat.user is None:
        raise Refusal("Nobody has claimed this seat.", mend="Hand out its claim link.", code="unclaimed")
    refuse_unless_by_hand(seat.user, actor)
    elsewhere = Campaign.objects.joined_by(seat.user).exclude(
        pk__in=Campaign.objects.administered_by(actor).values("pk")
    )
    if elsewhere.exists():
        # Who signs in as somebody plays and administers wherever they do: opening a campaign must not open the others.
        raise Refusal(
            f"{seat.user} is at home in a campaign that you do not administer.",
            mend="Whoever runs this site can set a new password.",
            code="elsewhere",
        )
    with recording(seat.campaign, seat, kind="reset-link", actor=actor, token=token) as act:
        act.say(f"{{who}} made a link by which {seat.user} sets a new password.")
    return reset_path(seat.user)
