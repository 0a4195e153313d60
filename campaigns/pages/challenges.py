"""The page of what a player asks of pairing: challenges, wishes whom to meet, and the days away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import OPEN_CHALLENGES, Absence, Campaign, Challenge, PairingWish, Seat
from campaigns.pages.formatting import on_day
from warbands.pages.widgets import Link

MAX_PAST = 12
MAX_OF_EACH = 60
AGREED = gettext_lazy("Agreed. The next paired round sets it up.")


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    pk: int
    title: str
    words: str
    acts: tuple[tuple[str, str], ...]  # value and label of each button
    href: str = ""


@dataclass(frozen=True, slots=True)
class ChallengesPage:
    """`seat` is the player whose page it is, 0 for an administrator who has not chosen one.

    Administrators also see what is open for everybody.
    """

    here: str
    campaign: Link
    title: str
    seat: int
    administers: bool
    is_own: bool
    seats: tuple[tuple[int, str], ...]
    others: tuple[tuple[int, str], ...]
    challenges: tuple[ChallengeLine, ...]
    past: tuple[ChallengeLine, ...]
    wishes: tuple[ChallengeLine, ...]
    absences: tuple[ChallengeLine, ...]
    everybody: tuple[ChallengeLine, ...]
    today: str


def challenges_page(campaign: Campaign, seat: Seat | None, *, administers: bool, user: Any) -> ChallengesPage:
    """Build the page. Four queries, three more for administrators; those who have chosen no player need three fewer."""
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).order_by("name", "pk")
    everyone = tuple(live.values_list("pk", "name"))
    rows = _challenges(campaign, seat) if seat is not None else []
    is_own = seat is not None and seat.user_id == user.pk
    return ChallengesPage(
        here=reverse("challenge-list", args=[campaign.pk]),
        campaign=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        title=_("Challenges and days away"),
        seat=seat.pk if seat is not None else 0,
        administers=administers,
        is_own=is_own,
        seats=everyone if administers else (),
        others=tuple(each for each in everyone if seat is None or each[0] != seat.pk) if seat is not None else (),
        challenges=tuple(_line(each, seat, is_own) for each in rows if seat and each.status in OPEN_CHALLENGES),
        past=tuple(_line(each, seat, is_own) for each in rows if seat and each.status not in OPEN_CHALLENGES)[
            :MAX_PAST
        ],
        wishes=_wishes(seat),
        absences=_absences(seat),
        everybody=tuple(_of_everybody(campaign)) if administers else (),
        today=timezone.localdate().isoformat(),
    )


def _challenges(campaign: Campaign, seat: Seat) -> list[Challenge]:
    mine = Q(seat=seat) | Q(other=seat)
    found = Challenge.objects.live().filter(mine, campaign=campaign).select_related("seat", "other")
    return list(found.order_by("-pk")[:60])


def _of_everybody(campaign: Campaign) -> Iterator[ChallengeLine]:
    """Yield the open challenges, days away and wishes of all players. Three queries."""
    here = reverse("challenge-list", args=[campaign.pk])
    open_ones = Challenge.objects.live().filter(campaign=campaign, status__in=OPEN_CHALLENGES)
    for each in open_ones.select_related("seat", "other").order_by("pk")[:MAX_OF_EACH]:
        is_offered = each.status == Challenge.Status.OFFERED
        words = each.get_status_display() if is_offered else AGREED
        yield _found(here, each.other if is_offered else each.seat, _challenged(each), str(words))
    away = Absence.objects.live().filter(seat__campaign=campaign, is_over=False, ends_on__gte=timezone.localdate())
    for row in away.select_related("seat").order_by("starts_on", "pk")[:MAX_OF_EACH]:
        yield _found(here, row.seat, _("{name} is away").format(name=row.seat.name), _days(row))
    wishes = PairingWish.objects.live().filter(seat__campaign=campaign, is_over=False)
    for wish in wishes.select_related("seat", "other").order_by("pk")[:MAX_OF_EACH]:
        yield _found(here, wish.seat, f"{wish.seat.name}, {wish.other.name}", wish.get_kind_display())


def _found(here: str, seat: Seat, title: str, words: str) -> ChallengeLine:
    return ChallengeLine(seat.pk, title, words, (), f"{here}?seat={seat.pk}")


def _challenged(challenge: Challenge) -> str:
    return _("{one} challenged {other}").format(one=challenge.seat.name, other=challenge.other.name)


def _line(challenge: Challenge, seat: Seat, is_own: bool) -> ChallengeLine:
    """Return a challenge as its player sees it, or as an administrator sees it for the player."""
    mine = challenge.seat_id == seat.pk
    if not is_own:
        title = _challenged(challenge)
    elif mine:
        title = _("You challenged {name}").format(name=challenge.other.name)
    else:
        title = _("{name} challenged you").format(name=challenge.seat.name)
    acts: tuple[tuple[str, str], ...] = ()
    if challenge.status == Challenge.Status.OFFERED:
        acts = (("withdraw", _("Withdraw")),) if mine else (("accept", _("Accept")), ("decline", _("Decline")))
    elif challenge.status == Challenge.Status.ACCEPTED:
        acts = (("withdraw", _("Withdraw")),)
    words = challenge.get_status_display()
    if challenge.status == Challenge.Status.ACCEPTED:
        words = str(AGREED)
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


def _days(absence: Absence) -> str:
    return _("{first} to {last}").format(first=on_day(absence.starts_on), last=on_day(absence.ends_on))


def _absences(seat: Seat | None) -> tuple[ChallengeLine, ...]:
    if seat is None:
        return ()
    live = Absence.objects.live().filter(seat=seat, is_over=False, ends_on__gte=timezone.localdate())
    return tuple(
        ChallengeLine(
            each.pk,
            _days(each),
            "",
            (("away-end", _("Remove")),),
        )
        for each in live
    )
