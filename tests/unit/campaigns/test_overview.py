"""The overview of a campaign: one table, sorted and filtered by its address, as CSV, with plain rules and their levers."""

from __future__ import annotations

import csv
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle, Campaign, Report, Seat, Side
from campaigns.overview_rules import Figures, signs
from campaigns.pages.overview import overview_page, table_of
from campaigns.services.open import open_campaign
from tests import stories as s
from tests.conftest import person
from tests.module_story import story
from warbands.models import Fighter, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NAMES = ("Ada", "Ben", "Cora", "Dora", "=Emil")
RATINGS = (700, 710, 500, 1000, 690)


@story
def campaign(cleo: Any) -> Campaign:
    """Five seats. Ada beat Ben and took two of his fighters out; they met twice, Cora and Dora once."""
    made = open_campaign(actor=cleo, name="The Long Winter", edition=s.TRENCH_CRUSADE[1])
    seats = []
    for name, rating in zip(NAMES, RATINGS, strict=True):
        warband = Warband.objects.create(
            name=f"Band of {name}", terms=made.terms, list_id="new-antioch", status="camp", rating_ducats=rating
        )
        seats.append(Seat.objects.create(campaign=made, name=name, warband=warband))
    _fought(made, seats[0], seats[1], {"7": "own", "8": "own"})
    _fought(made, seats[0], seats[1], {"9": ""})
    _fought(made, seats[2], seats[3], {})
    Fighter.objects.create(warband=seats[1].warband, profile_id="yeoman", name="Fallen", status=Fighter.Status.DEAD)
    return made


def _fought(campaign: Campaign, one: Seat, other: Seat, out: dict[str, str]) -> None:
    battle = Battle.objects.create(campaign=campaign, status=Battle.Status.CLOSED)
    won, lost = (
        Side.objects.create(battle=battle, seat=seat, warband=seat.warband, result=result, points=points)
        for seat, result, points in ((one, "won", 4), (other, "lost", 1))
    )
    fallen = {key: str(won.pk) if by else "" for key, by in out.items()}
    for number in (1, 2):  # an amended report: only the newest counts
        Report.objects.create(battle=battle, number=number, data={"out": {str(won.pk): {}, str(lost.pk): fallen}})


def players(campaign: Campaign, **how: str) -> list[str]:
    return [row.figures["player"] for row in overview_page(campaign, **how).rows]


def test_every_figure_of_every_warband(campaign: Campaign) -> None:
    rows = {row.figures["player"]: row.figures for row in overview_page(campaign).rows}
    assert [rows["Ada"][key] for key in ("points", "battles", "won", "lost", "kills", "losses")] == [8, 2, 2, 0, 2, 0]
    assert [rows["Ben"][key] for key in ("points", "battles", "won", "lost", "kills", "losses")] == [2, 2, 0, 2, 0, 1]
    assert rows["Dora"]["rating"] == 1000
    assert rows["Ada"]["faction"]


def test_it_is_sorted_both_ways_and_filtered(campaign: Campaign) -> None:
    assert players(campaign)[0] == "Ada"
    assert players(campaign, sort="rating")[0] == "Dora"
    assert players(campaign, sort="-rating")[0] == "Cora"
    assert players(campaign, sort="player") == sorted(NAMES)
    assert players(campaign, sort="-player") == sorted(NAMES, reverse=True)
    assert len(players(campaign, sort="nonsense")) == len(NAMES)
    assert players(campaign, search="band ben") == ["Ben"]
    assert players(campaign, show="ahead") == ["Dora"]
    assert set(players(campaign, show="behind")) == {"Cora"}
    assert players(campaign, show="nonsense", search="nobody") == []
    page = overview_page(campaign, sort="rating")
    assert [column.order for column in page.columns if column.order] == ["descending"]
    assert "sort=-rating" in next(column.href for column in page.columns if column.key == "rating")


def test_the_rules_state_their_thresholds_and_lead_to_a_lever(campaign: Campaign) -> None:
    page = overview_page(campaign)
    assert any("75 %" in line for line in page.rules)
    rows = {row.figures["player"]: row for row in page.rows}
    assert [mark.href for mark in rows["Cora"].marks] == [reverse("seat-repair", args=[rows["Cora"].seat]) + "#topup"]
    assert [mark.href for mark in rows["Dora"].marks] == [reverse("round-pair", args=[campaign.pk]) + "?rating=9"]


def test_the_middle_decides() -> None:
    def row(battles: int = 3, rating: int = 800, unseen: int | None = 0, has_player: bool = True) -> Figures:
        return Figures(battles, rating, unseen, has_player)

    assert signs([row(), row(), row(battles=1)])[2] == ("battles",)
    assert signs([row(), row(), row(battles=2)])[2] == ()
    assert signs([row(), row(), row(rating=600)])[2] == ()
    assert signs([row(), row(), row(rating=599)])[2] == ("poor",)
    assert signs([row(), row(), row(rating=1041)])[2] == ("rich",)
    assert signs([row(), row(), row(unseen=14), row(unseen=None, has_player=False)])[2:] == [("unseen",), ()]
    assert signs([row(rating=1), row(rating=900)]) == [(), ()]  # two have no middle


def test_last_seen_and_what_waits(campaign: Campaign) -> None:
    ada = person("wilma")
    User.objects.filter(pk=ada.pk).update(last_login=timezone.now() - timedelta(days=20))
    Seat.objects.filter(campaign=campaign, name="Ada").update(user=ada)
    battle = Battle.objects.create(campaign=campaign)
    for seat in Seat.objects.filter(campaign=campaign, name__in=("Ada", "Cora")):
        Side.objects.create(battle=battle, seat=seat, warband=seat.warband)
    Warband.objects.filter(name="Band of Cora").update(problem_count=2)
    rows = {row.figures["player"]: row for row in overview_page(campaign).rows}
    assert {key: text for key, text, _ in rows["Ada"].cells}["seen"] == "20 days"
    assert "unseen" in rows["Ada"].signs
    assert rows["Ada"].figures["waits"] == "1 battle to play"
    assert rows["Cora"].figures["waits"] == "roster problems, 1 battle to play"
    assert set(players(campaign, show="waits")) == {"Ada", "Cora"}
    assert players(campaign, show="unseen") == ["Ada"]


def test_it_comes_as_csv_that_no_spreadsheet_runs(client: Client, campaign: Campaign, cleo: Any) -> None:
    client.force_login(cleo)
    answer = client.get(reverse("overview-export", args=[campaign.pk]), {"sort": "player", "q": "band"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="the-long-winter.csv"' in answer["Content-Disposition"]
    lines = list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))
    assert len(lines) == len(NAMES) + 1
    assert lines == table_of(overview_page(campaign, sort="player", search="band"))
    column = lines[0].index("Player")
    assert sorted(line[column] for line in lines[1:]) == sorted([*NAMES[:-1], "'=Emil"])


def test_its_page_leads_there(client: Client, campaign: Campaign, cleo: Any) -> None:
    client.force_login(cleo)
    here = reverse("campaign-overview", args=[campaign.pk])
    assert here in client.get(reverse("campaign-administer", args=[campaign.pk])).content.decode()
    html = client.get(here, {"sort": "-rating", "show": "behind"}).content.decode()
    assert "Band of Cora" in html
    assert 'aria-sort="ascending"' in html
