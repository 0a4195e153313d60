"""A table whose game brings things of its own, on a phone: one press, dice of many sides typed in, and how it looks and fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Battle, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import begin_table, roll_at_table
from rules.dice import DiceSource, SeededDice
from rules.registry import system
from rules.resolvers.roller import Resolved
from tests import campaign_stories as c
from tests.browser.answered import follow
from tests.browser.looks import examine, visit
from tests.browser.phones import line, phone
from tests.browser.rolling import opens
from tests.fake_tracker import LampTracker, resolve_lamp

__all__ = ["line", "phone"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of this module are those of the lamps."""
    game = system("trench-crusade")

    def resolve(content: Any, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        return resolve_lamp(rule, dice)

    monkeypatch.setattr(game.battle, "tracker", lambda content: LampTracker())
    monkeypatch.setattr(game.resolvers, "resolve", resolve)


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    found = c.mustered(c.club(cleo, ada, ben), ada, ben)
    begin_table(battle=found, actor=ada)
    return found


def first(battle: Battle, user: Any) -> Any:
    state = table_state(battle)
    assert state is not None
    return state.of(str(c.side(battle, user).pk))[0]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_move_is_one_press_and_the_dice_are_typed_in_throw_by_throw(
    battle: Battle, ada: Any, phone: Callable[..., Any], javascript: bool
) -> None:
    page = phone(ada, javascript=javascript)
    mine = first(battle, ada)
    page.goto(f"{reverse('battle-track', args=[battle.pk])}?open={mine.key}")
    page.locator(f"#p{mine.key}").get_by_role("button", name="Trim the wick").click()
    page.locator(f"#p{mine.key}").get_by_text("Soot 1").wait_for()
    page.locator("#t_strip").get_by_role("button", name="Draw oil").click()
    page.locator("#t_board").get_by_text("stirred").wait_for()
    page.goto(f"{reverse('battle-track', args=[battle.pk])}?open={mine.key}")
    (opens if javascript else follow)(page.locator(f"#p{mine.key}").get_by_role("link", name="Flare up"))
    expect(page.locator("#id_strength")).to_have_value("2")
    here = page.url
    page.get_by_role("button", name="Enter my dice").click()
    page.get_by_role("heading", name="The roll").wait_for()
    page.locator("#id_face_1_8").check()
    page.get_by_role("button", name="Enter my dice").click()
    page.get_by_text("The flame").wait_for()
    page.get_by_role("button", name="Enter my dice").click()
    page.get_by_text("Enter this die.").first.wait_for()
    for place, face in ((1, 12), (2, 9)):
        page.locator(f"#id_face_{place}_{face}").check()
    page.get_by_role("button", name="Enter my dice").click()
    page.locator("#t_news").get_by_text("flares: 29").wait_for()
    assert (page.url == here) == javascript, "the dice are asked for within the page of the table"
    act = TableAct.objects.latest("number")
    assert [(draw["sides"], draw["origin"]) for draw in act.dice] == [(8, "typed"), (12, "typed")]


def test_what_a_game_adds_is_clean_and_fits(
    battle: Battle, ada: Any, phone: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    mine = first(battle, ada)
    for _ in range(2):
        roll_at_table(battle=battle, actor=ada, roll="trim", data={"fighter": mine.key}, source="app")
        roll_at_table(battle=battle, actor=ada, roll="draw", data={}, source="app", dice=SeededDice(1))
    page = phone(ada)
    here = reverse("battle-track", args=[battle.pk])
    queries = (f"?open={mine.key}", f"?roll=gather&side={mine.side}", f"?roll=flare&fighter={mine.key}&typed=1")
    for place, query in enumerate(queries):
        visit(page, here + query)
        examine(page, axe, place)
