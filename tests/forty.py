"""A campaign of forty seats in the middle of its season: rows in the shape that the services give them, written in bulk.

Every player fought each closed round. In the open one some battles are ahead, some are reported, one is disputed and one has a
post-battle that nobody finished. Each battle has its news.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from campaigns.models import Battle, Campaign, PostBattle, Report, Round, Seat, Side
from campaigns.services.open import open_campaign
from tests import stories as s
from warbands.models import Event, EventSubject, Fighter, Warband

SEATS, ROUNDS = 40, 8
LABEL = "campaigns.Campaign"


@dataclass(frozen=True, slots=True)
class Forty:
    """The campaign, its seats in order, and its battles, the oldest first."""

    campaign: Campaign
    seats: tuple[Seat, ...]
    battles: tuple[Battle, ...]

    @property
    def player(self) -> Any:
        return self.seats[17].user


def forty(administrator: Any, *, seats: int = SEATS, rounds: int = ROUNDS, edition: str = s.TRENCH_CRUSADE[1]) -> Forty:
    """Open the campaign and let its season pass."""
    campaign = open_campaign(
        actor=administrator,
        name="The Long Winter at the Gallows Weir",
        edition=edition,
        seen_by=Campaign.SeenBy.LINK,
        rounds_planned=12,
    )
    people = _seats(campaign, seats)
    today = timezone.localdate()
    opened = Round.objects.bulk_create(
        Round(
            campaign=campaign,
            number=number,
            is_closed=number < rounds,
            starts_on=today - timedelta(days=14 * (rounds - number) + 7),
            ends_on=today - timedelta(days=14 * (rounds - number) - 7),
        )
        for number in range(1, rounds + 1)
    )
    battles = [battle for found in opened for battle in _battles(campaign, found, people)]
    return Forty(campaign, tuple(people), tuple(battles))


def _seats(campaign: Campaign, count: int) -> list[Seat]:
    person = get_user_model()
    users = person.objects.bulk_create(
        person(username=f"player-{number:02}", last_login=timezone.now() - timedelta(days=number % 20))
        for number in range(count)
    )
    lists = sorted(campaign.terms.content.lists)
    warbands = Warband.objects.bulk_create(
        Warband(
            name=f"The {('Brass', 'Salt', 'Peat', 'Ashen', 'Gallows')[number % 5]} Company of Saint {number:02}",
            owner=user,
            terms=campaign.terms,
            list_id=lists[number % len(lists)],
            status=Warband.Status.CAMP,
            rating_ducats=700 + (number * 37) % 500,
            strongbox_ducats=number * 3,
            strongbox_glory=number % 7,
            version=9,
            problem_count=1 if number % 13 == 4 else 0,
        )
        for number, user in enumerate(users)
    )
    Fighter.objects.bulk_create(
        Fighter(warband=warband, profile_id="yeoman", name=f"Fallen {warband.pk}", status=Fighter.Status.DEAD)
        for warband in warbands[::3]
    )
    return Seat.objects.bulk_create(
        Seat(
            campaign=campaign,
            user=user,
            name=f"Player {number:02} of the club",
            warband=warband,
            list_state=Seat.ListState.SUBMITTED if number % 17 == 3 else Seat.ListState.ACCEPTED,
        )
        for number, (user, warband) in enumerate(zip(users, warbands, strict=True))
    )


def _battles(campaign: Campaign, found: Round, seats: list[Seat]) -> list[Battle]:
    """The battles of a round. Nobody meets twice; of the open round two in five are ahead."""
    turn, now = found.number, timezone.now()
    order = [seats[0], *seats[1:][turn:], *seats[1:][:turn]]
    pairs = [(order[place], order[-1 - place]) for place in range(len(order) // 2)]
    state = Battle.Status
    open_ones = (state.SCHEDULED, state.REPORTED, state.CONFIRMED, state.CLOSED, state.SCHEDULED)
    rows = []
    for place in range(len(pairs)):
        status = state.CLOSED if found.is_closed else state.DISPUTED if place == 4 else open_ones[place % 5]
        rows.append(
            Battle(
                campaign=campaign,
                round=found,
                status=status,
                scenario_id="hill-223",
                played_on=None if status == state.SCHEDULED else found.starts_on + timedelta(days=place % 3),
                confirm_by=now + timedelta(days=3) if status == state.REPORTED else None,
            )
        )
    sides = []
    battles = Battle.objects.bulk_create(rows)
    for battle, pair in zip(battles, pairs, strict=True):
        fought = battle.status != state.SCHEDULED
        for place, seat in enumerate(pair):
            sides.append(
                Side(
                    battle=battle,
                    seat=seat,
                    warband=seat.warband,
                    place=place + 1,
                    number=turn if fought else None,
                    result=("won", "lost")[(battle.pk + place) % 2] if fought else "",
                    points=(seat.pk * 7 + turn * 3) % 6 if fought else None,
                    confirmed_at=now if fought and not (battle.status == state.REPORTED and place) else None,
                )
            )
    fought = [side for side in Side.objects.bulk_create(sides) if side.number is not None]
    PostBattle.objects.bulk_create(
        PostBattle(
            side=side,
            warband=side.warband,
            started_at=now - timedelta(days=6),
            closed_at=None if side.battle.status == state.CONFIRMED else now,
        )
        for side in fought
    )
    reports = [side for side in fought if side.place == 1]
    Report.objects.bulk_create(
        Report(battle=side.battle, by_side=side, by=side.seat.user, data={"out": {}, "winner": None})
        for side in reports
    )
    _news(campaign, fought)
    return battles


def _news(campaign: Campaign, sides: list[Side]) -> None:
    """Each report, and each answer to one, is told to the campaign, the oldest first."""
    names: dict[int, list[str]] = {}
    for side in sides:
        names.setdefault(side.battle_id, []).append(str(side.warband))
    told = {pk: f"{one} won ({one} 5, {other} 4)" for pk, (one, other) in names.items()}
    events = Event.objects.bulk_create(
        Event(
            kind="report" if side.place == 1 else "confirm",
            actor=side.seat.user,
            actor_name=str(side.seat.user),
            sentence=f"{{who}} reported Hill 223: {told[side.battle_id]}."
            if side.place == 1
            else "{who} confirmed Hill 223.",
            occasion=side.battle.occasion,
        )
        for side in sides
    )
    EventSubject.objects.bulk_create(
        EventSubject(event=event, label=LABEL, row_id=campaign.pk, is_news=True) for event in events
    )
