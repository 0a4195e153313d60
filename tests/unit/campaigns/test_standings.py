"""Standings: counted per seat, places shared, house rules by name, provisional points, guests, voids, byes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.paper import campaign_line
from campaigns.services.answers import confirm_report, dispute_report
from campaigns.services.join import bring_warband, leave_seat
from campaigns.services.open import change_campaign
from campaigns.services.reports import record_unplayed
from campaigns.services.rounds import give_bye
from campaigns.services.void import void_battle
from campaigns.standings import Standing, standings, standings_over_time
from tests import campaign_stories as c
from tests import stories as s
from warbands.services.roster import disband_warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def made(cleo: Any, ada: Any, ben: Any, dora: Any) -> c.Club:
    """Cleo's campaign with three players."""
    return c.club(cleo, ada, ben, dora)


def played(made: c.Club, one: Any, other: Any, winner: Any = None, **what: Any) -> Any:
    """A battle fought and confirmed, nothing resolved after it."""
    row = c.battle(made, one, other)
    c.fight(row, by=one, winner=winner, **what)
    confirm_report(battle=row, actor=made.administrator)
    return row


def table(made: c.Club) -> dict[str, Standing]:
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


def test_campaign_points_count_as_the_campaign_says(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben)
    c.fight(row, by=ada, winner=ada, points={ada: 3}, campaign_points={str(c.side(row, ada).pk): 10})
    for what, points in (("both", 13), ("victory", 3), ("campaign", 10)):
        change_campaign(campaign=made.campaign, actor=made.administrator, settings={"points": what})
        assert table(made)["ada"].points == points


def test_points_are_provisional_until_confirmed(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben)
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


def test_a_walk_over_is_a_win_and_no_game(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.battle(made, ada, ben)
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
    ((_, points),) = standings_over_time(made.campaign)
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
    assert counts[0] == counts[1] <= 4


@pytest.mark.parametrize(
    ("edition", "scenario", "label", "points"),
    [("1.6.3", "hill-223", "Victory points", "0"), ("1.0", "relic-hunt", "Campaign Victory Points", "15")],
)
def test_a_sheet_tells_the_points_that_the_campaign_counts(
    cleo: Any, ada: Any, ben: Any, edition: str, scenario: str, label: str, points: str
) -> None:
    made = c.club(cleo, ada, ben, edition=edition)
    c.fight(c.mustered(made, ada, ben, scenario=scenario), by=ada, winner=ada)
    line = campaign_line(made.warband(ada))
    assert line is not None
    assert dict(line.where)[label] == points
