"""The rights to do and undo the events of a campaign: its rows of the table in `warbands.rights`, and the roles in a campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q

from campaigns.models import (
    Administrator,
    Battle,
    Campaign,
    CampaignPreset,
    Capture,
    PostBattle,
    Publication,
    Region,
    ReportDraft,
    Round,
    Seat,
    Side,
)
from warbands.models import Delegate, Event, Warband
from warbands.models.base import Recorded
from warbands.rights import OWNER, PEOPLE, ActRight, Role, Roles, roles_in

ADMINISTRATOR: Roles = frozenset({"administrator"})
MAKER: Roles = frozenset({"administrator", "maker"})
PLAYERS: Roles = frozenset({"administrator", "player"})

_OF_THE_CAMPAIGN = (
    "open settings invite administrator finish reopen campaign-archive round bye list opening claim-link reset-link house-rules state"
    " seat seat-return flag decide void pair remind discord season campaign-copy preset preset-remove unarchive publish"
    " region region-owner places"
    " repair-money repair-fighter repair-scar repair-find repair-strength repair-topup repair-return repair-item"
    " repair-credit repair-standings repair-version"
)
_OF_A_BATTLE = "friendly cancel scenario attacker report amend confirm dispute"
_OF_A_SIDE = (
    "force muster fought roll mistyped choose-roll step write close price ransom late report-draft report-refuse"
)
ROWS: dict[str, ActRight] = {
    **dict.fromkeys(_OF_THE_CAMPAIGN.split(), ActRight(ADMINISTRATOR, of="campaign")),
    "schedule": ActRight(PLAYERS, of="campaign"),
    **dict.fromkeys(_OF_A_BATTLE.split(), ActRight(PEOPLE, of="battle")),
    **dict.fromkeys(_OF_A_SIDE.split(), ActRight(PEOPLE, of="side")),
    **dict.fromkeys(["bring", "submit", "challenge", "wish", "absence"], ActRight(PEOPLE, of="side")),
    "contact-note": ActRight(frozenset(), of="campaign"),  # its words are nowhere but in the note itself
    "campaign-move": ActRight(frozenset(), of="campaign"),  # it came from a file, with all that happened before
    # By link, or by an administrator. The person who did it may undo it, but a player who was removed may not come
    # back this way.
    **dict.fromkeys(["join", "claim", "leave"], ActRight(MAKER, of="side")),
}


def _return(event: Event, again: bool) -> str:
    return "seat-return" if _ids(event, Seat) else "return"


def _archive(event: Event, again: bool) -> str:
    return "archive" if any(subject.warband_id for subject in event.subjects.all()) else "campaign-archive"


def _choose(event: Event, again: bool) -> str:
    """Return the kind of right for a choice: on a roster, or before or after a battle."""
    return "choose-roll" if event.occasion.startswith("battle:") else "choose"


FINER = {"return": _return, "archive": _archive, "choose": _choose}


# --- roles --------------------------------------------------------------------------------------------------------------


def _ids(event: Event, model: type) -> list[int]:
    label = model._meta.label  # type: ignore[attr-defined]
    return [subject.row_id for subject in event.subjects.all() if subject.label == label]


# The path from each model to its campaign.
_WAYS: tuple[tuple[type[Recorded], str], ...] = (
    (Round, "campaign_id"),
    (CampaignPreset, "campaign_id"),
    (Publication, "campaign_id"),
    (Region, "campaign_id"),
    (Seat, "campaign_id"),
    (Battle, "campaign_id"),
    (Side, "battle__campaign_id"),
    (PostBattle, "side__battle__campaign_id"),
    (Capture, "battle__campaign_id"),
    (ReportDraft, "battle__campaign_id"),
)


def _campaigns(event: Event) -> frozenset[int]:
    """Return the ids of the campaigns of the rows that an event touched. One query per kind of row."""
    found = set(_ids(event, Campaign))
    for model, way in _WAYS:
        if ids := _ids(event, model):
            found |= set(model._base_manager.filter(pk__in=ids).values_list(way, flat=True)) - {None}
    return frozenset(found)


def _runs(user: Any, campaigns: frozenset[int]) -> bool:
    """Return whether this person administers all of these campaigns. False if there are none. One query."""
    live = Administrator.objects.live().filter(user_id=user.pk, campaign__in=campaigns, campaign__is_undone=False)
    return bool(campaigns) and live.count() == len(campaigns)


def in_campaign(user: Any, event: Event) -> list[Roles]:
    """Return the person's roles in the campaign of an event: administrator, player. Three queries."""
    campaigns = _campaigns(event)
    found: set[Role] = {"administrator"} if _runs(user, campaigns) else set()
    seats = Seat.objects.live().filter(user_id=user.pk, campaign__in=campaigns).exclude(status=Seat.Status.LEFT)
    if user.pk and seats.exists():
        found.add("player")
    return [frozenset(found)]


def in_battle(user: Any, event: Event) -> list[Roles]:
    """Return the person's roles in the battle of an event: owner if they play a side, administrator of its campaign. Four queries."""
    found: set[Role] = {"administrator"} if _runs(user, _campaigns(event)) else set()
    battles = _ids(event, Battle)
    acted = Delegate.objects.live().filter(user_id=user.pk).values("warband")
    mine = Q(seat__user_id=user.pk) | Q(warband__owner_id=user.pk) | Q(warband__in=acted)
    if user.pk and Side.objects.live().filter(mine, battle__in=battles).exists():
        found.add("owner")
    return [frozenset(found)]


def _of_both_parties(
    user: Any, roles: Iterable[Roles], warbands: Collection[Warband], behind: Iterable[Warband]
) -> Roles:
    """Return the roles on a negotiation: those on the warbands that it changed, and those on the other party's."""
    parties = [roles_in(user, each) for each in behind if each not in warbands]
    return frozenset().union(*roles, *parties)


def on_side(user: Any, event: Event) -> list[Roles]:
    """Return the person's roles on each side that an event changed.

    The sides are those of the warbands it changed, else of its sequence or captive, else of its seats. A warband
    whose history only mentions the event does not count. A negotiation about a captive belongs to both parties: both
    agreed to it, and both may take it back. The player of a warband's seat counts as its owner. Up to four queries,
    and two for each warband.
    """
    runs = ADMINISTRATOR if _runs(user, _campaigns(event)) else frozenset()
    seats = list(Seat.objects.filter(pk__in=_ids(event, Seat)).select_related("warband"))
    sides = list(Side.objects.filter(pk__in=_ids(event, Side)).select_related("seat", "warband"))
    mine = [seat for seat in seats if _holds(user, seat)]
    played = {seat.warband_id for seat in mine} | {side.warband_id for side in sides if _holds(user, side.seat)}
    behind = _behind(event)
    warbands = _changed(event) or behind
    if warbands:
        roles = [roles_in(user, each) | runs | _owner_if(each.pk in played) for each in warbands]
        is_bargain = _ids(event, Capture) and not _ids(event, PostBattle)
        return [_of_both_parties(user, roles, warbands, behind)] if is_bargain else roles
    if seats:
        return [runs | _owner_if(seat in mine) | _for_seat(user, seat) for seat in seats]
    return [runs | _owner_if(_holds(user, side.seat)) for side in sides] or [runs]


def _owner_if(holds: bool) -> Roles:
    return OWNER if holds else frozenset()


def _holds(user: Any, seat: Seat | None) -> bool:
    return seat is not None and seat.user_id is not None and seat.user_id == user.pk


def _for_seat(user: Any, seat: Seat) -> Roles:
    return roles_in(user, seat.warband) if seat.warband is not None else frozenset()


def _changed(event: Event) -> list[Warband]:
    """Return the warbands that an event changed; if it changed none, those whose history mentions it."""
    subjects = [subject for subject in event.subjects.all() if subject.warband is not None]
    return [subject.warband for subject in [each for each in subjects if each.number is not None] or subjects]


def _behind(event: Event) -> list[Warband]:
    """Return the warbands of the sequences and captives that an event touched without changing their rosters. Two queries."""
    sequences = PostBattle.objects.filter(pk__in=_ids(event, PostBattle)).select_related("warband")
    captures = Capture.objects.filter(pk__in=_ids(event, Capture)).select_related("warband", "captor")
    found = [sequence.warband for sequence in sequences]
    return found + [each for capture in captures for each in (capture.warband, capture.captor) if each is not None]


ROLES = {"campaign": in_campaign, "battle": in_battle, "side": on_side}
