"""What each player of a campaign still has to do, in words for a reminder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.kept_drafts import kept_draft_of
from campaigns.models import AHEAD, REPORTED, Battle, Campaign, PostBattle, Seat, Side
from campaigns.services.common import side_and_player, versus
from config.dates import short_day

MOST = 6  # of one player


def open_matters(campaign: Campaign, seats: Iterable[Seat]) -> dict[int, list[str]]:
    """Return what each of these seats has to do, by seat id; those who have nothing are left out. Three queries.

    Seats of `with_kept_drafts` also tell the roster that is kept for them.
    """
    found: dict[int, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.warband is None:
            found[seat.pk].append(_to_start(campaign, seat))
        elif seat.warband.problem_count:
            found[seat.pk].append(_("Fix the roster of {warband}").format(warband=seat.warband.name))
    wanted = {seat.pk for seat in seats}
    live = Side.objects.live().filter(battle__campaign=campaign, battle__is_undone=False)
    going = live.filter(Q(battle__status__in=AHEAD) | Q(battle__status=Battle.Status.REPORTED))
    sides: dict[int, list[Side]] = defaultdict(list)
    for side in going.select_related("battle", "seat", "warband").order_by("battle_id", "place", "pk"):
        sides[side.battle_id].append(side)
    for own in sides.values():
        for side in own:
            if side.seat_id in wanted and (words := _words(side, own)):
                found[side.seat_id].append(words)  # type: ignore[index]
    unfinished = PostBattle.objects.live().filter(
        side__battle__campaign=campaign,
        side__is_undone=False,
        side__battle__is_undone=False,
        side__battle__status__in=REPORTED,
        side__seat__in=wanted,
        closed_at=None,
    )
    for seat_id, name in unfinished.order_by("pk").values_list("side__seat_id", "warband__name"):
        found[seat_id].append(_("Finish the post-battle of {warband}").format(warband=name))
    return {seat: words[:MOST] for seat, words in found.items()}


def _to_start(campaign: Campaign, seat: Seat) -> str:
    """Return how a place comes by its warband: by the roster that is kept for it, if there is one."""
    draft = kept_draft_of(seat, campaign)
    if draft is None or not draft.href:
        return _("Start or import a warband")
    return _("Finish the roster {name} from a file").format(name=draft.name)


def _words(side: Side, sides: list[Side]) -> str:
    battle = side.battle
    if battle.status == Battle.Status.REPORTED:
        if side.confirmed_at is not None:
            return ""
        if battle.confirm_by is None:
            return _("Confirm {versus}").format(versus=versus(sides, side_and_player))
        day = short_day(timezone.localtime(battle.confirm_by).date())
        return _("Confirm {versus} by {day}").format(versus=versus(sides, side_and_player), day=day)
    if battle.status == Battle.Status.MUSTERED:
        return _("Report {versus}").format(versus=versus(sides, side_and_player))
    if battle.planned_for is not None:
        return _("Play {versus} on {day}").format(
            versus=versus(sides, side_and_player), day=short_day(battle.planned_for)
        )
    return _("Play {versus}").format(versus=versus(sides, side_and_player))
