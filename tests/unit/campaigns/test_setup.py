"""Scenario and attacker of a battle: what dice say is set, whoever presses Ready drops nothing, and what is set later reaches everybody."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Table, TableAct
from campaigns.report_prefill import table_state
from campaigns.scenarios import deeds_of
from campaigns.services.battle_setup import choose_attacker, choose_scenario, keep_setup_roll
from campaigns.services.muster import make_side_ready, take_back_ready, take_force
from campaigns.services.tracker import begin_table, undo_at_table
from rules.dice import SeededDice
from rules.problems import Refusal
from rules.registry import system
from rules.tracker.state import TableState
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = pytest.mark.django_db
EDITIONS = ("1.6.3", "1.0")


@story(params=EDITIONS)
def made(request: Any, ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben, edition=request.param)


@story
def battle(made: c.Club, ada: Any, ben: Any) -> Battle:
    return c.battle(made, ada, ben, scenario="")


def ready(battle: Battle, *users: Any) -> Battle:
    for user in users:
        make_side_ready(side=c.side(battle, user), actor=user)
    return c.fresh_battle(battle)


def rolled(battle: Battle, actor: Any, *, what: str = "scenario", seed: int = 0) -> Battle:
    keep_setup_roll(battle=battle, what=what, actor=actor, source="app", dice=SeededDice(seed))
    return c.fresh_battle(battle)


def settled_roll(battle: Battle, actor: Any) -> Battle:
    """A scenario rolled on the stage's table, with a face that leaves no pick to a player."""
    keep_setup_roll(battle=battle, what="scenario", actor=actor, source="typed", faces=(1,))
    return c.fresh_battle(battle)


def state_of(battle: Battle) -> TableState:
    found = table_state(battle)
    assert found is not None
    return found


def page_of(battle: Battle, user: Any) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(reverse("force-select", args=[battle.pk]))


def test_what_the_die_says_is_the_scenario_and_ready_keeps_it(battle: Battle, ada: Any, ben: Any) -> None:
    fell = settled_roll(battle, ada)
    assert fell.scenario_id
    page = page_of(fell, ada)
    assert "Change<span" in page.content.decode()
    assert page.context["page"].scenario.panel is None
    assert page.context["page"].scenario.choice is None
    both = ready(fell, ada, ben)
    assert (both.status, both.scenario_id) == (Battle.Status.MUSTERED, fell.scenario_id)
    begin_table(battle=both, actor=ada)
    scenario = next(
        each
        for each in both.campaign.terms.game.battle.scenarios(both.campaign.terms.content)
        if each.id == both.scenario_id
    )
    state = state_of(both)
    assert state.turn_limit == scenario.turns_most
    assert [deed.id for deed in state.deeds] == [deed.id for deed in deeds_of(both)]


def test_another_may_be_agreed_on_after_the_roll(battle: Battle, ada: Any) -> None:
    fell = settled_roll(battle, ada)
    other = "trench-warfare" if fell.scenario_id != "trench-warfare" else "relic-hunt"
    choose_scenario(battle=fell, actor=ada, scenario_id=other)
    assert c.fresh_battle(battle).scenario_id == other


def test_a_roll_that_nobody_set_is_set_by_ready(battle: Battle, ada: Any, ben: Any) -> None:
    fell = settled_roll(battle, ada)
    Battle.objects.filter(pk=battle.pk).update(scenario_id="")  # as a version that asked once more left it
    assert ready(c.fresh_battle(battle), ada).scenario_id == fell.scenario_id


def test_a_scenario_set_later_reaches_who_is_ready_and_the_table(battle: Battle, ada: Any, ben: Any) -> None:
    both = ready(battle, ada, ben)
    begin_table(battle=both, actor=ada)
    before = state_of(both)
    assert (before.turn_limit, len(before.deeds) > 20) == (0, True)
    choose_scenario(battle=both, actor=ben, scenario_id="trench-warfare")
    told = c.fresh_battle(both)
    assert (told.status, told.scenario_id) == (Battle.Status.MUSTERED, "trench-warfare")
    scenario = next(
        each
        for each in told.campaign.terms.game.battle.scenarios(told.campaign.terms.content)
        if each.id == "trench-warfare"
    )
    state = state_of(told)
    assert (state.turn_limit, state.morale) == (scenario.turns_most, scenario.morale)
    assert [deed.id for deed in state.deeds] == [deed.id for deed in deeds_of(told)]
    assert len(state.deeds) < len(before.deeds)
    act = TableAct.objects.latest("number")
    assert act.told.startswith("The scenario is Trench Warfare.")
    assert Table.objects.get().version == act.number == 2
    with pytest.raises(Refusal):
        undo_at_table(battle=told, actor=ada, number=2)


def test_a_deed_that_was_done_stays_when_the_scenario_comes_later(battle: Battle, ada: Any, ben: Any) -> None:
    from campaigns.services.tracker import act_at_table

    both = ready(battle, ada, ben)
    begin_table(battle=both, actor=ada)
    state = state_of(both)
    mine = state.of(str(c.side(both, ada).pk))[0]
    deed = next(d for d in state.deeds if not d.by_warband and not d.needs_profile)
    act_at_table(battle=both, actor=ada, data={"kind": "deed", "deed": deed.id, "side": mine.side, "fighter": mine.key})
    choose_scenario(battle=both, actor=ada, scenario_id="claim-no-mans-land")
    assert [(d.id, d.fighter) for d in state_of(both).deeds if d.side] == [(deed.id, mine.key)]


def test_no_attacker_is_rolled_where_the_scenario_has_none_or_is_not_known(battle: Battle, ada: Any) -> None:
    with pytest.raises(Refusal, match="The scenario decides whether there is an attacker"):
        rolled(battle, ada, what="attacker")
    assert page_of(battle, ada).context["page"].attacker is None
    choose_scenario(battle=battle, actor=ada, scenario_id="claim-no-mans-land")
    bare = c.fresh_battle(battle)
    with pytest.raises(Refusal, match="There is no attacker in Claim"):
        rolled(bare, ada, what="attacker")
    with pytest.raises(Refusal, match="There is no attacker"):
        choose_attacker(battle=bare, actor=ada, side=c.side(bare, ada))
    assert page_of(bare, ada).context["page"].attacker is None


def test_an_attacker_goes_with_the_scenario_that_had_one(battle: Battle, ada: Any) -> None:
    choose_scenario(battle=battle, actor=ada, scenario_id="trench-warfare")
    row = c.fresh_battle(battle)
    assert page_of(row, ada).context["page"].attacker is not None
    choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    choose_scenario(battle=row, actor=ada, scenario_id="claim-no-mans-land")
    assert [side.is_attacker for side in row.sides.all()] == [None, None]


def test_whoever_wins_the_roll_off_attacks_unless_another_is_set(battle: Battle, ada: Any, ben: Any) -> None:
    choose_scenario(battle=battle, actor=ada, scenario_id="supply-raid")
    row = rolled(c.fresh_battle(battle), ada, what="attacker", seed=2)
    assert sorted(bool(side.is_attacker) for side in row.sides.all()) in ([False, True], [False, False])
    if any(side.is_attacker for side in row.sides.all()):
        assert page_of(row, ada).context["page"].attacker.settled


def test_reserves_are_marked_where_the_scenario_has_them_and_wait_beside_the_table(
    battle: Battle, ada: Any, ben: Any
) -> None:
    choose_scenario(battle=battle, actor=ada, scenario_id="relic-hunt")
    row = c.fresh_battle(battle)
    page = page_of(row, ada)
    keys = [each.key for each in page.context["page"].force.rows if each.taken]
    assert f'name="reserve" id="id_reserve_{keys[0]}"' in page.content.decode()
    take_force(side=c.side(row, ada), fighters=keys, reserves=keys[6:], actor=ada)
    assert "most" not in " ".join(each.words for each in page_of(row, ada).context["page"].force.problems)
    both = ready(row, ada, ben)
    begin_table(battle=both, actor=ada)
    there = {fighter.key: fighter.there for fighter in state_of(both).of(str(c.side(both, ada).pk))}
    assert there == {key: key not in keys[6:] for key in keys}


def test_no_reserves_where_the_scenario_has_none(battle: Battle, ada: Any) -> None:
    choose_scenario(battle=battle, actor=ada, scenario_id="claim-no-mans-land")
    row = c.fresh_battle(battle)
    page = page_of(row, ada)
    assert 'name="reserve"' not in page.content.decode()
    keys = [each.key for each in page.context["page"].force.rows if each.taken]
    with pytest.raises(Refusal, match="no reserves"):
        take_force(side=c.side(row, ada), fighters=keys, reserves=keys[:1], actor=ada)


def test_what_is_set_later_is_told_to_who_is_ready(battle: Battle, ada: Any, ben: Any) -> None:
    row = ready(battle, ada)
    choose_scenario(battle=row, actor=ben, scenario_id="relic-hunt")
    told = page_of(c.fresh_battle(row), ada)
    assert "changed after you were ready" in told.content.decode() or not told.context["page"].force.since
    take_back_ready(side=c.side(row, ada), actor=ada)
    assert not c.side(row, ada).force.get("since")


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_scenario_tells_of_forces_and_length_stands_in_sentences(edition: str) -> None:
    game = system("trench-crusade")
    found = game.battle.scenarios(game.content(edition))
    told = [words for each in found for words in (each.force_words, each.length_words) if words]
    assert len(told) > len(found)
    for words in told:
        assert words[0].isupper() or words[0].isdigit(), words
        assert not re.search("; [A-Z][a-z]* ", words), words
