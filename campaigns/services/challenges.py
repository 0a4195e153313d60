"""The services for what players ask of pairing: challenges, wishes whom to meet, and the days on which they are away."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import OPEN_CHALLENGES, Absence, Challenge, PairingWish, Seat
from campaigns.services.common import for_whom, refuse_unless_running
from campaigns.services.rounds import weekday
from rules.problems import Refusal
from warbands.recording import recording

LONGEST = timedelta(days=400)
MAX_KEPT = 24  # open challenges, wishes and absences of one seat, each


def offer_challenge(*, seat: Seat, other: Seat, actor: Any, words: str = "", token: str = "") -> Challenge:
    """Ask another player for a battle. If they asked first, that challenge is accepted instead.

    Raises Refusal for oneself, for somebody of another campaign or who left, for a second open challenge, and while
    the campaign is over.
    """
    reverse = _open_between(seat, other)
    if reverse is not None and reverse.seat_id == other.pk and reverse.status == Challenge.Status.OFFERED:
        return answer_challenge(challenge=reverse, actor=actor, accepts=True, token=token)
    with recording(
        seat.campaign, seat, kind="challenge", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        campaign, row = act.row(seat.campaign), act.row(seat)
        refuse_unless_running(campaign)
        opponent = _opponent(row, other)
        if _open_between(row, opponent) is not None:
            raise Refusal(_("{name} is already challenged.").format(name=opponent.name), code="again")
        if Challenge.objects.live().filter(seat=row, status__in=OPEN_CHALLENGES).count() >= MAX_KEPT:
            raise Refusal(_("That's enough open challenges."), mend=_("Withdraw one first."), code="count")
        challenge = act.create(
            Challenge(campaign=campaign, seat=row, other=opponent, words=" ".join(words.split())[:200])
        )
        act.also_about(challenge)
        act.say(_("{{who}} challenged {name}.").format(name=opponent.name))
    return challenge


def answer_challenge(*, challenge: Challenge, actor: Any, accepts: bool, token: str = "") -> Challenge:
    """Accept or decline a challenge, for the player who was asked. Raises Refusal if it was answered before."""
    other = challenge.other
    with recording(
        challenge.campaign,
        other,
        challenge,
        kind="challenge",
        actor=actor,
        for_name=for_whom(actor, seat=other),
        token=token,
    ) as act:
        row: Challenge = act.row(challenge)
        if row.status != Challenge.Status.OFFERED:
            raise Refusal(
                _("This challenge is answered: {status}.").format(status=row.get_status_display().lower()),
                code="answered",
            )
        act.change(row, status=Challenge.Status.ACCEPTED if accepts else Challenge.Status.DECLINED)
        told = (
            _("{{who}} accepted the challenge of {name}.")
            if accepts
            else _("{{who}} declined the challenge of {name}.")
        )
        act.say(told.format(name=challenge.seat.name))
    return row


def withdraw_challenge(*, challenge: Challenge, by: Seat, actor: Any, token: str = "") -> Challenge:
    """Withdraw a challenge that no round has set up: the challenger any time, the other player once it is agreed."""
    with recording(
        challenge.campaign, by, challenge, kind="challenge", actor=actor, for_name=for_whom(actor, seat=by), token=token
    ) as act:
        row: Challenge = act.row(challenge)
        if row.status not in OPEN_CHALLENGES:
            raise Refusal(
                _("This challenge is over: {status}.").format(status=row.get_status_display().lower()), code="answered"
            )
        act.change(row, status=Challenge.Status.WITHDRAWN)
        rest = challenge.other if by.pk == challenge.seat_id else challenge.seat
        act.say(_("{{who}} withdrew the challenge with {name}.").format(name=rest.name))
    return row


def make_wish(*, seat: Seat, other: Seat, kind: str, actor: Any, token: str = "") -> PairingWish:
    """Store whom a player wants to meet, or must be kept apart from. Raises Refusal for a second wish about the same player."""
    with recording(
        seat.campaign, seat, kind="wish", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row = act.row(seat)
        opponent = _opponent(row, other)
        if kind not in PairingWish.Kind.values:
            raise Refusal(_("Choose one."), code="kind")
        mine = PairingWish.objects.live().filter(seat=row, is_over=False)
        if mine.filter(other=opponent).exists():
            raise Refusal(
                _("There is a wish about {name} already.").format(name=opponent.name),
                mend=_("Remove it first."),
                code="again",
            )
        if mine.count() >= MAX_KEPT:
            raise Refusal(_("That's enough wishes."), mend=_("Remove one first."), code="count")
        wish = act.create(PairingWish(seat=row, other=opponent, kind=kind))
        act.also_about(wish)
        told = (
            _("{{who}} asked to meet {name}.")
            if kind == PairingWish.Kind.MEET
            else _("{{who}} asked to keep apart from {name}.")
        )
        act.say(told.format(name=opponent.name))
    return wish


def end_wish(*, wish: PairingWish, actor: Any, token: str = "") -> PairingWish:
    with recording(
        wish.seat.campaign,
        wish.seat,
        wish,
        kind="wish",
        actor=actor,
        for_name=for_whom(actor, seat=wish.seat),
        token=token,
    ) as act:
        row: PairingWish = act.row(wish)
        if row.is_over:
            raise Refusal(_("This was removed before."), code="over")
        act.change(row, is_over=True)
        act.say(_("{{who}} removed the wish about {name}.").format(name=wish.other.name))
    return row


def plan_absence(*, seat: Seat, starts_on: date, ends_on: date, actor: Any, token: str = "") -> Absence:
    """Note the days on which a player is away. Raises Refusal for an end before the start, and for more than a year."""
    refuse_days(starts_on, ends_on)
    with recording(
        seat.campaign, seat, kind="absence", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row = act.row(seat)
        refuse_too_many(row)
        absence = act.create(Absence(seat=row, starts_on=starts_on, ends_on=ends_on))
        act.also_about(absence)
        act.say(
            _("{{who}} noted days away, {first} to {last}.").format(first=weekday(starts_on), last=weekday(ends_on))
        )
    return absence


def refuse_days(starts_on: date, ends_on: date) -> None:
    """Raise Refusal for an end before the start, and for more than a year."""
    if ends_on < starts_on:
        raise Refusal(_("The last day is before the first."), code="dates", field="ends_on")
    if ends_on - starts_on > LONGEST:
        raise Refusal(
            _("That's more than a year."), mend=_("Set the player as away instead."), code="dates", field="ends_on"
        )


def refuse_too_many(seat: Seat) -> None:
    """Raise Refusal if a seat has enough days away, those of the past not counted. One query."""
    ahead = Absence.objects.live().filter(seat=seat, is_over=False, ends_on__gte=timezone.localdate())
    if ahead.count() >= MAX_KEPT:
        raise Refusal(_("That's enough absences."), mend=_("Remove one first."), code="count")


def end_absence(*, absence: Absence, actor: Any, token: str = "") -> Absence:
    seat = absence.seat
    with recording(
        seat.campaign, seat, absence, kind="absence", actor=actor, for_name=for_whom(actor, seat=seat), token=token
    ) as act:
        row: Absence = act.row(absence)
        if row.is_over:
            raise Refusal(_("This was removed before."), code="over")
        act.change(row, is_over=True)
        act.say(_("{{who}} removed the days away from {first}.").format(first=weekday(row.starts_on)))
    return row


def _opponent(seat: Seat, other: Seat) -> Seat:
    found: Seat | None = Seat.objects.live().filter(pk=other.pk, campaign=seat.campaign_id).first()
    if found is None or found.status == Seat.Status.LEFT:
        raise Refusal(_("{name} doesn't play in this campaign.").format(name=other.name), code="left")
    if found.pk == seat.pk:
        raise Refusal(_("A player can't play against themselves."), code="sides")
    return found


def _open_between(seat: Seat, other: Seat) -> Challenge | None:
    either = Q(seat=seat, other=other) | Q(seat=other, other=seat)
    return (
        Challenge.objects.live()
        .filter(either, status__in=OPEN_CHALLENGES)
        .select_related("seat", "other", "campaign")
        .first()
    )
