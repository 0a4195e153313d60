"""Standings: counted per seat, places shared, house rules by name, provisional points, guests, voids, byes."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.host import sheet_campaign
from campaigns.models import Battle, Seat, Side
from campaigns.services.answers import confirm_report, dispute_report
from campaigns.services.join import bring_warband, leave_seat
from campaigns.services.open import change_campaign
from campaigns.services.reports import record_unplayed
from campaigns.services.rounds import give_bye
from campaigns.services.void import void_battle
from campaigns.standings import SeatStanding, points_by_day, standings
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.services.roster import disband_warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(cleo: Any, ada: Any, ben: Any, dora: Any) -> c.Club:
    """Cleo's campaign with three players."""
    return c.club(cleo, ada, ben, dora)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """A battle of Ada and Ben, its scenario set."""
    return c.battle(made, ada, ben)


def played(made: c.Club, one: Any, other: Any, winner: Any = None, **what: Any) -> Any:
    """A battle fought and confirmed, nothing resolved after it."""
    row = c.battle(made, one, other)
    c.fight(row, by=one, winner=winner, **what)
    confirm_report(battle=row, actor=made.administrator)
    return row


def table(made: c.Club) -> dict[str, SeatStanding]:
    """The rows by seat name."""
    made.campaign.refresh_from_db()
    return {row.seat.name: row for row in standings(made.campaign)}


def test_results_points_and_games_are_counted_per_seat(made: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    played(made, ada, ben, winner=ada, points={ada: 3, ben: 1})
    played(made, ben, dora, points={ben: 2, dora: 2})
    rows = table(made)
    assert [(r.won, r.drawn, r.lost, r.games, r.points) for r in rows.values()] == [
        (1, 0, 0, 1, 3),
        (0, 1, 1, 2, 3),
        (0, 1, 0, 1, 2),
    ]
    assert [(name, r.place, r.is_shared) for name, r in rows.items()] == [
        ("ada", 1, True),
        ("ben", 1, True),
        ("dora", 3, False),
    ]


@pytest.mark.parametrize(
    ("rule", "order"),
    [("wins", ["ada", "ben", "dora"]), ("games", ["ada", "ben", "dora"]), ("meeting", ["ada", "ben", "dora"])],
)
def test_a_house_rule_parts_the_level_by_name(
    made: c.Club, ada: Any, ben: Any, dora: Any, rule: str, order: list[str]
) -> None:
    played(made, ada, ben, winner=ada, points={ada: 3, ben: 1})
    played(made, ben, dora, points={ben: 2, dora: 2})
    change_campaign(campaign=made.campaign, actor=made.administrator, settings={"tie_break": rule})
    rows = table(made)
    assert [(name, row.place) for name, row in rows.items()] == list(zip(order, (1, 2, 3), strict=True))
    assert rows["ada"].parted_by
    assert not rows["dora"].parted_by


def test_campaign_points_count_as_the_campaign_says(made: c.Club, row: Battle, ada: Any) -> None:
    c.fight(row, by=ada, winner=ada, points={ada: 3}, campaign_points={str(c.side(row, ada).pk): 10})
    for what, points in (("both", 13), ("victory", 3), ("campaign", 10)):
        change_campaign(campaign=made.campaign, actor=made.administrator, settings={"points": what})
        assert table(made)["ada"].points == points


def test_points_are_provisional_until_confirmed(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    c.fight(row, by=ada, winner=ada, points={ada: 3})
    assert (table(made)["ada"].points, table(made)["ada"].provisional) == (3, 3)
    dispute_report(battle=row, side=c.side(row, ben), actor=ben, words="No.")
    assert table(made)["ada"].provisional == 3


def test_a_void_counts_for_nothing_and_a_bye_is_no_win(made: c.Club, ada: Any, ben: Any) -> None:
    row = played(made, ada, ben, winner=ada, points={ada: 3})
    void_battle(battle=row, actor=made.administrator, words="Wrong night.")
    change_campaign(campaign=made.campaign, actor=made.administrator, settings={"bye_points": 2})
    made.campaign.refresh_from_db()
    give_bye(campaign=made.campaign, seat=made.seat(ada), actor=made.administrator)
    row = table(made)["ada"]
    assert (row.won, row.games, row.points) == (0, 0, 2)


def test_a_walk_over_is_a_win_and_no_game(made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any) -> None:
    record_unplayed(battle=row, kind="walk-over", actor=cleo, winner=c.side(row, ada))
    rows = table(made)
    assert (rows["ada"].won, rows["ada"].games, rows["ben"].lost) == (1, 0, 1)


def test_guests_count_as_the_campaign_says(made: c.Club, ada: Any) -> None:
    row = c.battle(made, ada, guests=[("Emil", "HERETIC")])
    c.fight(row, by=ada, winner=ada, points={ada: 4})
    assert table(made)["ada"].points == 0
    change_campaign(campaign=made.campaign, actor=made.administrator, settings={"guests_count": "all"})
    assert table(made)["ada"].points == 4


def test_a_second_warband_and_a_seat_that_was_left_keep_their_row(made: c.Club, ada: Any, ben: Any) -> None:
    played(made, ada, ben, winner=ada, points={ada: 3, ben: 1})
    leave_seat(seat=made.seat(ben), actor=ben)
    disband_warband(warband=made.warband(ada), actor=ada)
    bring_warband(seat=made.seat(ada), warband=s.found(ada, name="Second"), actor=ada)
    rows = table(made)
    assert (rows["ada"].points, rows["ben"].points, rows["ben"].has_left) == (3, 1, True)


def test_points_over_time(made: c.Club, ada: Any, ben: Any) -> None:
    played(made, ada, ben, winner=ada, points={ada: 3, ben: 1})
    ((_, points),) = points_by_day(made.campaign, standings(made.campaign))
    assert points == {made.seat(ada).pk: 3, made.seat(ben).pk: 1, made.seats["dora"].pk: 0}


def test_the_queries_do_not_grow_with_the_battles(made: c.Club, ada: Any, ben: Any) -> None:
    counts = []
    for _ in range(2):
        played(made, ada, ben, winner=ada)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            standings(made.campaign)
        counts.append(len(captured))
    assert counts[0] == counts[1] == 2


@pytest.mark.parametrize("points", ["both", "victory", "campaign"])
@pytest.mark.parametrize("guests", ["all", "growth"])
def test_what_the_database_sums_is_what_a_count_row_by_row_comes_to(
    made: c.Club, ada: Any, points: str, guests: str
) -> None:
    change_campaign(
        campaign=made.campaign, actor=made.administrator,
        settings={"guests_count": guests, "points": points, "tie_break": "meeting"},
    )  # fmt: skip
    made.campaign.refresh_from_db()
    chance = random.Random(16)
    seats = [made.seat(name) for name in made.seats]
    Seat.objects.filter(pk=seats[0].pk).update(opening_points=2, opening_won=1, opening_games=1)
    for number in range(60):
        battle = Battle.objects.create(
            campaign=made.campaign, status=chance.choice(Battle.Status.values), kind=chance.choice(Battle.Kind.values),
            is_undone=number % 9 == 0, played_on=date(2026, 1, 1) + timedelta(days=chance.randrange(9)),
        )  # fmt: skip
        results = chance.choice([("won", "lost"), ("lost", "won"), ("drawn", "drawn"), ("none", "none")])
        for place, seat in enumerate(chance.sample(seats, 2)):
            other = {"seat": None, "guest_name": "Emil"} if place and number % 5 == 0 else {"seat": seat}
            Side.objects.create(
                battle=battle, place=place + 1, result=results[place], points=chance.choice([None, 0, 1, 3]),
                campaign_points=chance.choice([None, 0, 2]), is_undone=chance.random() < 0.1, **other,
            )  # fmt: skip
    counted = ["reported", "disputed", "confirmed", "closed"]
    expected = {
        seat.pk: [seat.opening_won, 0, 0, seat.opening_games, seat.opening_points, 0] for seat in Seat.objects.all()
    }
    met: dict[tuple[int, int], int] = {}
    for battle in Battle.objects.filter(is_undone=False, status__in=counted):
        sides = [side for side in battle.sides.all() if not side.is_undone]
        if guests != "all" and any(side.seat_id is None for side in sides):
            continue
        for side in (each for each in sides if each.seat_id is not None):
            tally, extra = side.points or 0, side.campaign_points or 0
            scored = {"both": tally + extra, "victory": tally, "campaign": extra}[points]
            row, bye = expected[side.seat_id], battle.kind == "bye"
            for place, result in enumerate(("won", "drawn", "lost")):
                row[place] += side.result == result and not bye
            row[3] += battle.kind in ("played", "conceded", "abandoned")
            row[4] += scored
            row[5] += scored if battle.status in ("reported", "disputed") else 0
            for other in sides:
                if other.seat_id not in (None, side.seat_id) and {side.result, other.result} == {"won", "lost"}:
                    pair = (side.seat_id, other.seat_id)
                    met[pair] = met.get(pair, 0) + (1 if side.result == "won" else -1)
    rows = standings(made.campaign)
    assert {r.seat.pk: [r.won, r.drawn, r.lost, r.games, r.points, r.provisional] for r in rows} == expected
    assert any(r.provisional for r in rows)
    for row in rows:
        for other, balance in row.met.items():
            assert met[row.seat.pk, other] == balance
    totals = points_by_day(made.campaign, rows)
    assert totals[-1][1] == {pk: row[4] for pk, row in expected.items()}
    assert [day for day, _ in totals] == sorted({day for day, _ in totals})


@pytest.mark.parametrize(
    ("edition", "scenario", "label", "points"),
    [("1.6.3", "hill-223", "Victory points", "0"), ("1.0", "relic-hunt", "Campaign Victory Points", "15")],
)
def test_a_sheet_tells_the_points_that_the_campaign_counts(
    cleo: Any, ada: Any, ben: Any, edition: str, scenario: str, label: str, points: str
) -> None:
    made = c.club(cleo, ada, ben, edition=edition)
    c.fight(c.mustered(made, ada, ben, scenario=scenario), by=ada, winner=ada)
    line = sheet_campaign(made.warband(ada))
    assert line is not None
    assert dict(line.where)[label] == points
