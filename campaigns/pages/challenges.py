"""The page of what a player asks of pairing: challenges, wishes whom to meet, and the days away."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import OPEN_CHALLENGES, Absence, Campaign, Challenge, PairingWish, Seat
from campaigns.pages.formatting import on_day
from warbands.pages.widgets import Link

MAX_PAST = 12


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    pk: int
    title: str
    words: str
    acts: tuple[tuple[str, str], ...]  # value and label of each button
    href: str = ""


@dataclass(frozen=True, slots=True)
class ChallengesPage:
    """`seat` is the player whose page it is, 0 for an administrator who has not chosen one."""

    here: str
    campaign: Link
    title: str
    seat: int
    administers: bool
    seats: tuple[tuple[int, str], ...]
    others: tuple[tuple[int, str], ...]
    challenges: tuple[ChallengeLine, ...]
    past: tuple[ChallengeLine, ...]
    wishes: tuple[ChallengeLine, ...]
    absences: tuple[ChallengeLine, ...]
    today: str


def challenges_page(campaign: Campaign, seat: Seat | None, *, administers: bool) -> ChallengesPage:
    """Build the page. Four queries, one for an administrator who has chosen no player."""
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).order_by("name", "pk")
    everyone = tuple(live.values_list("pk", "name"))
    rows = _challenges(campaign, seat) if seat is not None else []
    return ChallengesPage(
        here=reverse("challenge-list", args=[campaign.pk]),
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        title=_("Challenges and days away"),
        seat=seat.pk if seat is not None else 0,
        administers=administers,
        seats=everyone if administers else (),
        others=tuple(each for each in everyone if seat is None or each[0] != seat.pk) if seat is not None else (),
        challenges=tuple(_line(each, seat) for each in rows if seat and each.status in OPEN_CHALLENGES),
        past=tuple(_line(each, seat) for each in rows if seat and each.status not in OPEN_CHALLENGES)[:MAX_PAST],
        wishes=_wishes(seat),
        absences=_absences(seat),
        today=timezone.localdate().isoformat(),
    )


def _challenges(campaign: Campaign, seat: Seat) -> list[Challenge]:
    mine = Q(seat=seat) | Q(other=seat)
    found = Challenge.objects.live().filter(mine, campaign=campaign).select_related("seat", "other")
    return list(found.order_by("-pk")[:60])


def _line(challenge: Challenge, seat: Seat) -> ChallengeLine:
    mine = challenge.seat_id == seat.pk
    title = (
        _("You challenged {name}").format(name=challenge.other.name)
        if mine
        else _("{name} challenged you").format(name=challenge.seat.name)
    )
    acts: tuple[tuple[str, str], ...] = ()
    if challenge.status == Challenge.Status.OFFERED:
        acts = (("withdraw", _("Withdraw")),) if mine else (("accept", _("Accept")), ("decline", _("Decline")))
    elif challenge.status == Challenge.Status.ACCEPTED:
        acts = (("withdraw", _("Withdraw")),)
    words = challenge.get_status_display()
    if challenge.status == Challenge.Status.ACCEPTED:
        words = _("Agreed. The next paired round sets it up.")
    if challenge.words:
        words = f"{words} “{challenge.words}”"
    href = reverse("battle-show", args=[challenge.battle_id]) if challenge.battle_id else ""
    return ChallengeLine(challenge.pk, title, words, acts, href)


def _wishes(seat: Seat | None) -> tuple[ChallengeLine, ...]:
    if seat is None:
        return ()
    live = PairingWish.objects.live().filter(seat=seat, is_over=False).select_related("other")
    return tuple(
        ChallengeLine(each.pk, each.other.name, each.get_kind_display(), (("wish-end", _("Remove")),)) for each in live
    )


def _absences(seat: Seat | None) -> tuple[ChallengeLine, ...]:
    if seat is None:
        return ()
    live = Absence.objects.live().filter(seat=seat, is_over=False, ends_on__gte=timezone.localdate())
    return tuple(
        ChallengeLine(
            each.pk,
            _("{first} to {last}").format(first=on_day(each.starts_on), last=on_day(each.ends_on)),
            "",
            (("away-end", _("Remove")),),
        )
        for each in live
    )
