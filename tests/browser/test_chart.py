"""The labels of the standings chart as they are drawn: inside the drawing, none over another, the whole name behind each."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from campaigns.models import Battle, Seat
from campaigns.pages.text_width import ELLIPSIS, shortened, width_of
from campaigns.services.answers import confirm_report
from tests import campaign_stories as c
from tests.conftest import DESKTOP, PHONE, person
from warbands.models import Warband

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = [
    "W" * 80,
    "The Most Holy and Undefeated Company of Saint Methodius under the Bell at the Weir",
    "i" * 80,
    "MMMMMMMMMMMMMMMMMMMMMMM Wanderers of the Western Wall and the Wide White Wold WWWW",
    "Çağrı Şahin'in Bölüğü: İnönü Muhafızları ve Gümüş Süvariler Öncü Kıtası ẞẞẞ ÜÜÜ öö",
    "鉄と血の行進、夜の鐘の守り人たち、塹壕の聖者と灰の騎士団、終わりなき冬の遠征",
    "Short",
    "Орден железной зари и чёрного колокола у Гремящей плотины, рота вторая, знамённая",
]
MEASURE = """svg => {
    const inside = svg.viewBox.baseVal;
    return [...svg.querySelectorAll("text:not(.chart-tick)")].map(text => {
        const box = text.getBBox();
        return [text.lastChild.textContent, box.x + box.width - inside.width, box.y, box.y + box.height,
                text.querySelector("title").textContent];
    });
}"""


@pytest.fixture
def campaign(cleo: Any) -> Any:
    """Eight warbands with names of eighty letters, and two days of battles that leave them close together."""
    players = [person(f"player{n}") for n in range(len(NAMES))]
    made = c.club(cleo, *players[:4])
    for player in players[4:]:
        c.joins(made, player)
    for battle_day in (date(2026, 9, 5), date(2026, 9, 12)):
        for one, other in zip(players[::2], players[1::2], strict=True):
            row = c.battle(made, one, other)
            c.fight(row, by=one, winner=one)
            confirm_report(battle=row, actor=cleo)
            Battle.objects.filter(pk=row.pk).update(played_on=battle_day)
    for player, name in zip(players, NAMES, strict=True):
        warband = Seat.objects.get(campaign=made.campaign, user=player).warband
        Warband.objects.filter(pk=warband.pk).update(name=name)
    return made.campaign


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_labels_stay_in_the_drawing_and_apart(campaign: Any, cleo: Any, open_page: Any, width: int) -> None:
    page = open_page(cleo, width=width)
    seats = Seat.objects.filter(campaign=campaign).values_list("pk", flat=True)
    page.goto(f"{reverse('campaign-show', args=[campaign.pk])}?{urlencode([('line', pk) for pk in seats])}")
    page.evaluate("document.fonts.ready")
    chart = page.locator(".chart svg").first
    labels = chart.evaluate(MEASURE)
    assert len(labels) == len(NAMES)
    assert [words for words, over, *_ in labels if over > 0] == []
    spans = sorted((top, bottom) for _, _, top, bottom, _ in labels)
    # A box is taller than its letters, by how much depends on the font that has them.
    assert all(after[0] >= before[1] - 2.5 for before, after in pairwise(spans)), spans
    assert {title.rsplit(", ", 1)[0] for *_, title in labels} == set(NAMES)
    cut = [words for words, *_ in labels if ELLIPSIS in words]
    assert len(cut) == len(NAMES) - 1
    assert all(words.rsplit(" ", 1)[1].isdigit() for words, *_ in labels)


def test_words_are_cut_only_where_they_are_too_wide() -> None:
    assert shortened("Choir of Brass", most=1000) == "Choir of Brass"
    assert shortened("W" * 80, most=1000).endswith(ELLIPSIS)
    assert all(width_of(shortened(name, most=1000)) <= 1000 for name in NAMES)
    assert shortened("Saint Methodius, second company", most=width_of("Saint Methodius,…")) == "Saint Methodius…"
