"""The read-only API, version 1: what a person may read on the pages, as JSON, for programs of their own.

A program sends `Authorization: Bearer TOKEN`; `accounts/tokens.py` makes tokens. Names and meanings of a version do not
change; fields may be added. The description in OpenAPI stands at `openapi.json` below the same address, open to anybody.
A fault answers with its status and `{"detail": "a sentence"}`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Path, Query, Schema
from ninja.errors import AuthenticationError, HttpError
from ninja.security import HttpBearer

from accounts.models import User
from accounts.tokens import user_of
from campaigns.access import campaign_for
from campaigns.models import Battle, Campaign, Round, Seat, Side
from campaigns.standings import standings
from config.limits import seconds_to_wait
from warbands.access import may, warband_for
from warbands.models import Event, Terms, Warband
from warbands.services.documents import export_document, roster_document

PER_PAGE = 100
SETTLED = (Battle.Status.CONFIRMED, Battle.Status.CLOSED)


class Token(HttpBearer):
    """Reads the token of a request and counts it against the limit of its person."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        person = user_of(token)
        if person is None or person.is_guest:
            return None
        most, seconds = settings.API_LIMIT
        wait = seconds_to_wait(f"api:{person.pk}", most=most, seconds=seconds, now=time.time())
        if wait:
            raise HttpError(429, _("Too many requests. Try again in {wait} seconds.").format(wait=wait))
        return person


api = NinjaAPI(
    title="Muster Roll",
    version="1.0.0",
    description="Read-only. Send `Authorization: Bearer TOKEN`; you make tokens on the page Me.",
    auth=Token(),
    docs_url=None,  # its page would fetch scripts from elsewhere
    urls_namespace="v1",
)


# --- what is answered -----------------------------------------------------------------------------------------------------


class PersonOut(Schema):
    user_name: str
    name: str


class PinnedOut(Schema):
    """What is played: the id of the game, its edition, and the ids of dated overlays."""

    game: str
    edition: str
    overlays: list[str]


class WarbandOut(PinnedOut):
    id: int
    name: str
    list_id: str
    status: str
    version: int
    value_ducats: int
    value_glory: int
    ducats: int
    glory: int
    fighters: int
    problems: int


class WarbandsOut(Schema):
    warbands: list[WarbandOut]
    next_after: int | None


class EventOut(Schema):
    id: int
    at: datetime
    kind: str
    who: str
    words: str
    undoes: int | None


class EventsOut(Schema):
    events: list[EventOut]
    next_before: int | None


class CampaignOut(PinnedOut):
    id: int
    name: str
    status: str
    season: int


class PlaceOut(Schema):
    id: int
    name: str
    status: str
    warband: str
    warband_id: int | None


class RoundOut(Schema):
    number: int
    starts_on: date | None
    ends_on: date | None
    is_closed: bool


class CampaignDetailOut(CampaignOut):
    places: list[PlaceOut]
    rounds: list[RoundOut]


class StandingOut(Schema):
    place: int
    is_shared: bool
    place_id: int
    name: str
    warband: str
    games: int
    won: int
    drawn: int
    lost: int
    campaign_points: int
    unconfirmed_points: int


class BattleSideOut(Schema):
    """`result` and the points are null until the result is confirmed."""

    place_id: int | None
    name: str
    warband: str
    result: str | None
    victory_points: int | None
    campaign_points: int | None


class BattleOut(Schema):
    id: int
    status: str
    kind: str
    round: int | None
    scenario_id: str
    played_on: date | None
    sides: list[BattleSideOut]


class BattlesOut(Schema):
    battles: list[BattleOut]
    next_before: int | None


# --- addresses --------------------------------------------------------------------------------------------------------------


@api.get("/me", response=PersonOut)
def me(request: HttpRequest) -> Any:
    """Whose token this is."""
    person = _person(request)
    return {"user_name": person.username, "name": str(person)}


@api.get("/warbands", response=WarbandsOut)
def warbands(request: HttpRequest, after: int = Query(0, ge=0, lt=2**63)) -> Any:
    """The warbands that you own or act for, archived ones too, by id. `next_after` leads to the next page."""
    held = Warband.objects.held_by(_person(request)).filter(pk__gt=after)
    found = list(held.select_related("terms").order_by("pk")[: PER_PAGE + 1])
    return {"warbands": [_warband(row) for row in found[:PER_PAGE]], "next_after": _next(found)}


@api.get("/warbands/{warband_id}", response=dict[str, Any])
def warband(request: HttpRequest, warband_id: int = Path(ge=1, lt=2**63)) -> Any:
    """A roster document, as this site reads and writes it.

    With its record (money, notes, history, ledger) if you may change the warband, and without if you may only read it.
    """
    person = _person(request)
    row = warband_for(person, warband_id)
    return export_document(row) if may(person, row, "edit") else roster_document(row)


@api.get("/warbands/{warband_id}/history", response=EventsOut)
def warband_history(
    request: HttpRequest, warband_id: int = Path(ge=1, lt=2**63), before: int = Query(2**63 - 1, ge=1, lt=2**63)
) -> Any:
    """What happened to a warband, the newest first. `next_before` leads to older events."""
    row = warband_for(_person(request), warband_id)
    about = Event.objects.filter(subjects__warband=row, pk__lt=before)
    found = list(about.order_by("-pk").distinct()[: PER_PAGE + 1])
    return {"events": [_event(event) for event in found[:PER_PAGE]], "next_before": _next(found)}


@api.get("/campaigns", response=list[CampaignOut])
def campaigns(request: HttpRequest) -> Any:
    """The campaigns that you administer or have a place in, the newest first."""
    joined = Campaign.objects.joined_by(_person(request)).select_related("terms").order_by("-pk")
    return [_campaign(row) for row in joined]


@api.get("/campaigns/{campaign_id}", response=CampaignDetailOut)
def campaign(request: HttpRequest, campaign_id: int = Path(ge=1, lt=2**63)) -> Any:
    """A campaign with its places and rounds."""
    row = campaign_for(_person(request), campaign_id)
    seats = Seat.objects.live().filter(campaign=row).select_related("warband").order_by("pk")
    rounds = Round.objects.live().filter(campaign=row).order_by("number")
    return {**_campaign(row), "places": [_place(seat) for seat in seats], "rounds": [_round(each) for each in rounds]}


@api.get("/campaigns/{campaign_id}/standings", response=list[StandingOut])
def campaign_standings(request: HttpRequest, campaign_id: int = Path(ge=1, lt=2**63)) -> Any:
    """The standings, the best first."""
    return [
        {
            "place": row.place,
            "is_shared": row.is_shared,
            "place_id": row.seat.pk,
            "name": row.seat.name,
            "warband": row.warband,
            "games": row.games,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "campaign_points": row.points,
            "unconfirmed_points": row.provisional,
        }
        for row in standings(campaign_for(_person(request), campaign_id))
    ]


@api.get("/campaigns/{campaign_id}/battles", response=BattlesOut)
def campaign_battles(
    request: HttpRequest, campaign_id: int = Path(ge=1, lt=2**63), before: int = Query(2**63 - 1, ge=1, lt=2**63)
) -> Any:
    """The battles of a campaign, the newest first. `next_before` leads to older ones."""
    row = campaign_for(_person(request), campaign_id)
    listed = Battle.objects.live().filter(campaign=row, pk__lt=before).select_related("round")
    found = list(listed.order_by("-pk")[: PER_PAGE + 1])
    sides: dict[int, list[Side]] = {}
    for side in Side.objects.live().filter(battle__in=found).select_related("seat", "warband").order_by("place", "pk"):
        sides.setdefault(side.battle_id, []).append(side)
    lines = [_battle(battle, sides.get(battle.pk, ())) for battle in found[:PER_PAGE]]
    return {"battles": lines, "next_before": _next(found)}


# --- rows as data -------------------------------------------------------------------------------------------------------------


def _person(request: HttpRequest) -> User:
    person: User = request.auth  # type: ignore[attr-defined]
    return person


def _next(found: list[Any]) -> int | None:
    """Return the id from which the next page goes on, None if this is the last."""
    return found[PER_PAGE - 1].pk if len(found) > PER_PAGE else None


def _pinned(terms: Terms) -> dict[str, Any]:
    return {"game": terms.system, "edition": terms.edition, "overlays": list(terms.overlays)}


def _warband(row: Warband) -> dict[str, Any]:
    return {
        **_pinned(row.terms),
        "id": row.pk,
        "name": row.name,
        "list_id": row.list_id,
        "status": row.status,
        "version": row.version,
        "value_ducats": row.rating_ducats,
        "value_glory": row.rating_glory,
        "ducats": row.strongbox_ducats,
        "glory": row.strongbox_glory,
        "fighters": row.fighter_count,
        "problems": row.problem_count,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "id": event.pk,
        "at": event.at,
        "kind": event.kind,
        "who": event.who,
        "words": event.told,
        "undoes": event.undoes_id,
    }


def _campaign(row: Campaign) -> dict[str, Any]:
    return {**_pinned(row.terms), "id": row.pk, "name": row.name, "status": row.status, "season": row.season}


def _place(seat: Seat) -> dict[str, Any]:
    return {
        "id": seat.pk,
        "name": seat.name,
        "status": seat.status,
        "warband": seat.warband.name if seat.warband else "",
        "warband_id": seat.warband_id,
    }


def _round(row: Round) -> dict[str, Any]:
    return {"number": row.number, "starts_on": row.starts_on, "ends_on": row.ends_on, "is_closed": row.is_closed}


def _battle(battle: Battle, sides: Iterable[Side]) -> dict[str, Any]:
    settled = battle.status in SETTLED
    return {
        "id": battle.pk,
        "status": battle.status,
        "kind": battle.kind,
        "round": battle.round.number if battle.round else None,
        "scenario_id": battle.scenario_id,
        "played_on": battle.played_on,
        "sides": [
            {
                "place_id": side.seat_id,
                "name": side.seat.name if side.seat else side.guest_name,
                "warband": side.warband.name if side.warband else "",
                "result": side.result if settled else None,
                "victory_points": side.points if settled else None,
                "campaign_points": side.campaign_points if settled else None,
            }
            for side in sides
        ],
    }


# --- faults ---------------------------------------------------------------------------------------------------------------------


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, _fault: Any) -> HttpResponse:
    answer = api.create_response(request, {"detail": _told("token")}, status=401)
    answer["WWW-Authenticate"] = "Bearer"
    return answer


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, fault: Any) -> HttpResponse:
    return api.create_response(request, {"detail": str(fault) or _told("nothing")}, status=404)


@api.exception_handler(PermissionDenied)
def _refused(request: HttpRequest, fault: Any) -> HttpResponse:
    return api.create_response(request, {"detail": str(fault) or _told("right")}, status=403)


def _told(what: str) -> str:
    return {
        "token": _("Send a token of yours: Authorization: Bearer TOKEN."),
        "nothing": _("There is nothing here."),
        "right": _("You may not read this."),
    }[what]
