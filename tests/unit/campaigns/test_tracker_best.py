"""The best attacks on a fighter at the table: who is listed, in what order, and that the figures are those of the form."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaigns.pages.tracker_best import best_shots
from campaigns.services.tracker import act_at_table
from tests.module_story import story
from tests.unit.campaigns.test_tracker_attack import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story(params=["1.6.3", "1.0"])
def fight(request: Any, ada: Any, ben: Any, cleo: Any) -> Fight:
    return Fight(cleo, ada, ben, request.param)


def listed(fight: Fight, user: Any, target: str) -> Any:
    hands = {fight.own(user).side}
    return best_shots(fight.battle, fight.tracker, fight.state, hands, [side.key for side in fight.state.sides], target)


def percent(words: str) -> list[int]:
    return [int(figure) for figure in re.findall(r"(\d+) %", words)]


def test_my_fighters_are_listed_by_the_chance_of_down_or_out_who_acted_last(fight: Fight) -> None:
    foe = fight.own(fight.ben)
    page = listed(fight, fight.ada, foe.key)
    assert page.title == f"My best shot at {foe.name}"
    names = {fighter.name for fighter in fight.state.of(fight.own(fight.ada).side)}
    assert page.shots
    assert {shot.who for shot in page.shots} <= names
    chances = [percent(shot.words) for shot in page.shots]
    assert chances == sorted(chances, reverse=True)
    best = next(fighter for fighter in fight.state.fighters if fighter.name == page.shots[0].who)
    act_at_table(battle=fight.battle, actor=fight.ada, data={"kind": "acted", "fighter": best.key})
    after = listed(fight, fight.ada, foe.key)
    assert after.shots[0].who != best.name
    assert [shot.has_acted for shot in after.shots] == sorted(shot.has_acted for shot in after.shots)


def test_the_figures_are_those_of_the_table_as_it_stands(fight: Fight) -> None:
    foe = fight.own(fight.ben)

    def figures() -> list[int]:
        return sorted(percent(shot.words)[0] for shot in listed(fight, fight.ada, foe.key).shots)

    before = figures()
    act_at_table(battle=fight.battle, actor=fight.ben, data={"kind": "down", "fighter": foe.key})
    assert figures() > before, "it is easier to injure on the ground"
    act_at_table(battle=fight.battle, actor=fight.ben, data={"kind": "out", "fighter": foe.key})
    assert not listed(fight, fight.ada, foe.key).shots


def test_on_mine_the_enemies_are_listed_without_their_forms(fight: Fight) -> None:
    mine = fight.own(fight.ada)
    page = listed(fight, fight.ada, mine.key)
    assert page.title == f"Who threatens {mine.name} most"
    assert {shot.who for shot in page.shots} <= {foe.name for foe in fight.state.of(fight.own(fight.ben).side)}
    assert not any(shot.link for shot in page.shots)


def test_the_card_asks_for_them_by_one_request_and_without_a_script_by_a_page(fight: Fight) -> None:
    foe = fight.own(fight.ben)
    assert f'hx-get="{fight.here}?best={foe.key}"' in fight.page(fight.ada, "")
    client = Client()
    client.force_login(fight.ada)
    part = unescape(client.get(f"{fight.here}?best={foe.key}", headers={"HX-Request": "true"}).content.decode())
    assert part.lstrip().startswith(f'<div class="table-best" id="t_best_{foe.key}"')
    assert f"target={foe.key}" in part
    assert "<h1" in fight.page(fight.ada, f"?best={foe.key}")
    assert client.get(f"{fight.here}?best=nobody").status_code == 302
