"""The chart of a campaign of forty: few lines are named, the rest are grey, others can be chosen, and a table says the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.pages.standing_chart import BEST, MAX_DRAWN, MAX_NAMED, ChartState, standings_chart
from campaigns.standings import standings
from tests.forty import Forty, forty
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def club(cleo: Any) -> Forty:
    return forty(cleo, rounds=3)


def test_mine_and_the_best_are_named_and_the_rest_is_grey(club: Forty, cleo: Any) -> None:
    rows = standings(club.campaign)
    player = rows[30].seat.user
    chart = standings_chart(club.campaign, rows, player)
    assert chart is not None
    assert len(chart.lines) == BEST + 1
    assert [line.mine for line in chart.lines].count(True) == 1
    assert len(chart.lines) + len(chart.grey) == MAX_DRAWN
    assert {line.title for line in chart.lines if not line.mine} == {f"{row.warband}, {row.points}" for row in rows[:5]}
    others = standings_chart(club.campaign, rows, cleo)
    assert others is not None
    assert len(others.lines) == BEST


def test_others_are_chosen_by_the_address(club: Forty, cleo: Any) -> None:
    rows = standings(club.campaign)
    wanted = tuple(row.seat.pk for row in rows[-3:])
    chart = standings_chart(club.campaign, rows, cleo, state=ChartState((*wanted, 10**7)))
    assert chart is not None
    assert {line.title for line in chart.lines} == {f"{row.warband}, {row.points}" for row in rows[-3:]}
    assert {choice.value for choice in chart.choices if choice.is_chosen} == set(wanted)
    every = standings_chart(club.campaign, rows, cleo, state=ChartState(tuple(row.seat.pk for row in rows)))
    assert every is not None
    assert len(every.lines) == MAX_NAMED


def test_the_table_says_what_the_drawing_shows(client: Client, club: Forty, cleo: Any) -> None:
    client.force_login(cleo)
    here, rows = reverse("campaign-show", args=[club.campaign.pk]), standings(club.campaign)
    drawing = client.get(here, {"sort": "-player", "line": rows[7].seat.pk}).content.decode()
    assert drawing.count('class="chart-grey"') == MAX_DRAWN - 1
    link = re.search(r'href="([^"]+)">Show as a table', drawing)
    assert link is not None
    address = link[1].replace("&amp;", "&")
    table = client.get(address).content.decode()
    assert "<svg viewBox" not in table
    last = {row.warband: row.points for row in rows}
    told = re.findall(
        r'<th scope="row">([^<]+)</th>(?:<td class="figure">\d+</td>)*<td class="figure">(\d+)</td></tr>', table
    )
    assert {name: int(points) for name, points in told if name in last} == last
    back = re.search(r'href="([^"]+)">Show as a drawing', table)
    assert back is not None
    assert back[1].replace("&amp;", "&") == f"{here}?sort=-player&line={rows[7].seat.pk}#chart"
    assert client.get(here, {"line": ["x", "99999999999"], "chart": "rubbish", "sort": "nonsense"}).status_code == 200


@pytest.mark.parametrize("key", ["name", "player", "points", "games", "won", "drawn", "lost", "glory"])
def test_the_standings_are_sorted_by_anything_both_ways(client: Client, club: Forty, cleo: Any, key: str) -> None:
    client.force_login(cleo)
    here = reverse("campaign-show", args=[club.campaign.pk])

    def first(sort: str) -> Any:
        page = client.get(here, {"sort": sort, "line": 1}).context["page"]
        columns = [*page.table.columns, *(column.other for column in page.table.columns if column.other)]
        assert len([column for column in columns if column.order]) == 1
        row = page.table.rows[0]
        place = {"name": row.name, "player": row.player}
        row_of = {row.warband: row for row in standings(club.campaign)}
        return place.get(key) or getattr(row_of[row.name], key)

    figures = [
        {"name": row.warband, "player": row.seat.name}.get(key) or getattr(row, key) for row in standings(club.campaign)
    ]
    least, most = min(figures), max(figures)
    assert (first(key), first(f"-{key}")) == ((least, most) if key in ("name", "player") else (most, least))
