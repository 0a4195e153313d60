"""Rounds, battles set, scenario and attacker, forces, and rosters frozen."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle
from campaigns.pages.battle_sides import read_sides
from campaigns.pages.muster import muster_page
from campaigns.pages.rounds import schedule_page
from campaigns.scenarios import deeds_of
from campaigns.services.battle_setup import (
    choose_attacker,
    choose_scenario,
    keep_setup_choice,
    keep_setup_roll,
    setup_progress,
    take_back_setup_roll,
)
from campaigns.services.fielding import fielded
from campaigns.services.house_rules import change_house_rules
from campaigns.services.muster import make_side_ready, take_back_ready, take_force
from campaigns.services.rounds import (
    cancel_battle,
    close_round,
    give_bye,
    move_battle,
    open_round,
    schedule_battle,
)
from rules.dice import SeededDice
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Snapshot
from warbands.recording import AlreadyDone

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """Their battle, its scenario set."""
    return c.battle(made, ada, ben)


def test_rounds_count_up_and_close(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    first = open_round(campaign=made.campaign, actor=cleo, ends_on=date(2026, 11, 22))
    assert (first.number, Event.objects.latest("pk").told) == (1, "cleo opened round 1. It ends Sun 22 Nov.")
    second = open_round(campaign=made.campaign, actor=cleo)
    assert second.number == 2
    c.battle(made, ada, ben, round=second)
    close_round(round=second, actor=cleo)
    with pytest.raises(Refusal, match="closed"):
        c.battle(made, ada, ben, round=second)
    with pytest.raises(Refusal, match="end before it starts"):
        open_round(campaign=made.campaign, actor=cleo, starts_on=date(2026, 2, 2), ends_on=date(2026, 2, 1))


def test_a_battle_has_two_different_sides(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    guests = [(f"Guest {number}", "") for number in range(15)]
    with pytest.raises(Refusal, match="16 sides or fewer"):
        schedule_battle(campaign=made.campaign, actor=ada, seats=[made.seat(ada), made.seat(ben)], guests=guests)
    with pytest.raises(Refusal, match="two sides"):
        schedule_battle(campaign=made.campaign, actor=cleo, seats=[made.seat(ada)])
    with pytest.raises(Refusal, match="play against themselves"):
        schedule_battle(campaign=made.campaign, actor=cleo, seats=[made.seat(ada), made.seat(ada)])
    with pytest.raises(Refusal, match="needs a name"):
        schedule_battle(campaign=made.campaign, actor=cleo, seats=[made.seat(ada)], guests=[("", "HERETIC")])
    row = schedule_battle(campaign=made.campaign, actor=cleo, seats=[made.seat(ada)], guests=[("Emil", "HERETIC")])
    assert [str(side) for side in row.sides.all()] == ["ada", "Emil"]


def test_a_battle_is_moved_or_called_off_until_it_is_played(row: Battle, ada: Any) -> None:
    assert move_battle(battle=row, actor=ada, planned_for=date(2026, 11, 20)).planned_for == date(2026, 11, 20)
    row = cancel_battle(battle=c.fresh_battle(row), actor=ada, words="Flooded cellar.")
    assert row.status == Battle.Status.CANCELLED
    with pytest.raises(Refusal, match="cancelled"):
        move_battle(battle=row, actor=ada, planned_for=None)


def test_a_bye_gives_points_and_no_win(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"bye_points": 3})
    row = give_bye(campaign=made.campaign, seat=made.seat(ada), actor=cleo)
    assert (c.side(row, ada).points, c.side(row, ada).result) == (3, "none")


def test_who_fought_enough_waits_for_the_others(cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    made = c.club(cleo, ada, ben, dora, settings={"catch_up_at": 1})
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    c.begin(row, ada)
    with pytest.raises(Refusal, match="ada fought 1 battle and waits for the others: ben and dora"):
        c.battle(made, ada, dora)
    closed = {line.name: line.closed for line in schedule_page(made.campaign, cleo, administers=True).others}
    assert closed == {"ada": "has played enough and waits for ben and dora.", "ben": "", "dora": ""}


# --- scenario and attacker


def test_a_scenario_rolled_with_a_typed_die_is_set(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="")
    progress = keep_setup_roll(battle=row, what="scenario", actor=ada, source="typed", faces=[3])
    assert progress.outcome is not None
    row = c.fresh_battle(row)
    assert row.scenario_id == "hill-223"
    assert Event.objects.latest("pk").told == "ada typed in 3 (Scenario, Early). The scenario is Hill 223."
    with pytest.raises(Refusal, match="no dice are needed"):
        keep_setup_roll(battle=row, what="scenario", actor=ben, source="app")
    take_back_setup_roll(battle=row, what="scenario", actor=ada)
    row = c.fresh_battle(row)
    assert (row.scenario_id, row.muster["draws"]) == ("", {})


def test_a_scenario_put_together_by_dice_offers_the_deeds_that_fell(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="")
    keep_setup_roll(battle=row, what="scenario", actor=ada, source="typed", faces=[6])
    keep_setup_roll(battle=c.fresh_battle(row), what="scenario", actor=ada, source="app", dice=SeededDice(1))
    row = c.fresh_battle(row)
    assert row.scenario_id == "random-scenario"
    found = row.muster["found"]
    assert {"deployment", "objective", "deeds"} <= set(found)
    every = {deed.id for deed in row.campaign.terms.game.campaign.deeds(row.campaign.terms.content, row.scenario_id)}
    offered = {deed.id for deed in deeds_of(row)}
    assert set(found["deeds"]) < offered < every


def test_the_apps_roll_for_a_scenario_stands(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="")
    keep_setup_roll(battle=row, what="scenario", actor=ada, source="app", dice=SeededDice(4))
    row = c.fresh_battle(row)
    assert row.scenario_id
    with pytest.raises(Refusal, match="app's dice stay"):
        take_back_setup_roll(battle=row, what="scenario", actor=ada)
    with pytest.raises(AlreadyDone):
        keep_setup_roll(battle=row, what="scenario", actor=ben, source="app", at=0)


def test_a_die_of_seven_is_refused_and_nothing_kept(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="")
    with pytest.raises(Refusal, match="A die shows 1 to 6; the first one says 7"):
        keep_setup_roll(battle=row, what="scenario", actor=ada, source="typed", faces=[7])
    assert c.fresh_battle(row).muster == {}


def test_level_on_battles_a_roll_off_finds_the_attacker(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="supply-raid")
    keep_setup_roll(battle=row, what="attacker", actor=ada, source="typed", faces=[5])
    keep_setup_roll(battle=c.fresh_battle(row), what="attacker", actor=ben, source="typed", faces=[3])
    assert (c.side(row, ada).is_attacker, c.side(row, ben).is_attacker) == (True, False)


def test_who_fought_less_decides_who_attacks(cleo: Any, ada: Any, ben: Any, dora: Any) -> None:
    made = c.club(cleo, ada, ben, dora)
    first = c.mustered(made, ada, ben)
    c.fight(first, by=ada, winner=ada)
    c.resolve(first, ada)
    row = c.battle(made, ada, dora)
    asked = setup_progress(row, "attacker").asked
    assert asked is not None
    keep_setup_choice(battle=row, what="attacker", choice_key=asked.key, value=str(c.side(row, ada).pk), actor=dora)
    assert c.side(row, ada).is_attacker is True
    row = c.fresh_battle(row)
    page = muster_page(row, read_sides(row), None, playable=[])
    assert page.scenario.warning == "The Lantern Wardens played it last time too."


def test_a_scenario_may_be_named_that_the_edition_lacks(row: Battle, ada: Any) -> None:
    row = choose_scenario(battle=row, actor=ada, scenario_name="Our own bridge")
    assert (row.scenario_id, row.scenario_name) == ("", "Our own bridge")
    with pytest.raises(Refusal, match="no such scenario"):
        choose_scenario(battle=row, actor=ada, scenario_id="the-moon")


# --- the force


def test_until_somebody_chooses_everybody_goes(made: c.Club, row: Battle, ada: Any) -> None:
    state = fielded(row, c.side(row, ada))
    assert len(state.taken) == 9
    assert state.problems == ()
    take_force(side=c.side(row, ada), fighters=c.keys(made.warband(ada), "Ilse Brandt", "Ottla"), actor=ada)
    assert len(fielded(row, c.side(row, ada)).taken) == 2
    with pytest.raises(Refusal, match="no longer on the roster"):
        take_force(side=c.side(row, ada), fighters=["999999"], actor=ada)


@pytest.mark.parametrize(("scenario", "most"), [("storming-the-shores", 4), ("great-war", 9)])
def test_a_scenario_may_give_the_defender_half_of_the_attackers(
    made: c.Club, ada: Any, ben: Any, scenario: str, most: int
) -> None:
    row = c.battle(made, ada, ben, scenario=scenario)
    choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    bens = [str(fighter.pk) for fighter in made.warband(ben).fighters.live()]
    assert len(bens) > 5

    def told() -> list[str]:
        return [p.message for p in fielded(row, c.side(row, ben)).problems if p.code == "scenario"]

    assert told() == []  # nobody knows yet how many attack
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert bool(told()) is (most < len(bens))
    take_force(side=c.side(row, ben), fighters=bens[: min(most, len(bens))], actor=ben)
    assert told() == []
    if most < len(bens):
        take_force(side=c.side(row, ben), fighters=bens[: most + 1], actor=ben)
        assert told() == ["Five fighters against nine; Storming the Shores gives the defender four."]
        make_side_ready(side=c.side(row, ben), actor=ben)
        assert "gives the defender four" in str(c.side(row, ben).snapshot.problems)


def test_ready_freezes_a_numbered_snapshot(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    before = made.warband(ada).version
    mine = make_side_ready(side=c.side(row, ada), actor=ada)
    assert (mine.number, mine.snapshot.version) == (1, before + 1)
    assert mine.rating == made.warband(ada).rating_ducats
    assert len(mine.snapshot.document["fighters"]) == 9
    assert c.fresh_battle(row).status == Battle.Status.SCHEDULED
    make_side_ready(side=c.side(row, ben), actor=ben)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    again = make_side_ready(side=c.side(row, ada), actor=ada)
    assert again.snapshot_id == mine.snapshot_id
    assert Snapshot.objects.count() == 2
    s.assert_reconciled(made.warband(ada))


def test_ready_never_refuses_an_illegal_force_but_flags_it(made: c.Club, row: Battle, cleo: Any, ada: Any) -> None:
    change_house_rules(campaign=made.campaign, actor=cleo, house_rules={"threshold_add": -300})
    mine = make_side_ready(side=c.side(row, ada), actor=ada)
    assert mine.snapshot.problems
    assert {"code", "message"} <= set(mine.snapshot.problems[0])
    assert "problem" in Event.objects.latest("pk").told


def test_half_of_the_other_side_is_told_at_muster_and_never_refused(
    made: c.Club, client: Any, ada: Any, ben: Any
) -> None:
    row = c.battle(made, ada, ben, scenario="storming-the-shores")
    choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    roster = [str(pk) for pk in made.warband(ada).fighters.live().values_list("pk", flat=True)]
    brought = made.warband(ben).fighters.live().count()
    assert brought > 2
    client.force_login(ben)
    page, told = reverse("force-select", args=[row.pk]), "gives the defender two."
    assert told not in client.get(page).content.decode()  # nobody knows yet how many attack
    take_force(side=c.side(row, ada), fighters=roster[:5], actor=ada)
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert told in client.get(page).content.decode()
    make_side_ready(side=c.side(row, ben), actor=ben)
    snapshot = c.side(row, ben).snapshot
    assert snapshot is not None
    assert [problem["message"] for problem in snapshot.problems if problem["message"].endswith(told)]
    take_back_ready(side=c.side(row, ben), actor=ben)
    mine = [str(pk) for pk in made.warband(ben).fighters.live().values_list("pk", flat=True)]
    take_force(side=c.side(row, ben), fighters=mine[:2], actor=ben)
    assert told not in client.get(page).content.decode()


def test_a_defender_ready_before_the_attacker_is_told_of_the_half_and_may_muster_anew(
    made: c.Club, client: Any, ada: Any, ben: Any
) -> None:
    row = c.battle(made, ada, ben, scenario="storming-the-shores")
    choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    defenders = [str(fighter.pk) for fighter in made.warband(ben).fighters.live()]
    take_force(side=c.side(row, ben), fighters=defenders[:5], actor=ben)
    make_side_ready(side=c.side(row, ben), actor=ben)
    client.force_login(ben)
    battle_href, muster_href = reverse("battle-show", args=[row.pk]), reverse("force-select", args=[row.pk])
    told = "Five fighters against nine; Storming the Shores gives the defender four."

    def pages() -> list[bool]:
        return [told in client.get(page).content.decode() for page in ("/", battle_href, muster_href)]

    def since() -> list[str]:
        return [problem["message"] for problem in c.side(row, ben).force.get("since") or ()]

    assert pages() == [False] * 3
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert c.fresh_battle(row).status == Battle.Status.MUSTERED
    assert (since(), pages()) == ([told], [True] * 3)
    page = client.get(battle_href).content.decode()
    assert f'<a href="{muster_href}?side={c.side(row, ben).pk}#force">Change your force</a>' in page
    assert "Withdraw Ready" in client.get(muster_href).content.decode()
    take_back_ready(side=c.side(row, ada), actor=ada)
    assert (since(), pages()) == ([], [False] * 3)
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert since() == [told]
    take_back_ready(side=c.side(row, ben), actor=ben)
    assert since() == []
    take_force(side=c.side(row, ben), fighters=defenders[:4], actor=ben)
    make_side_ready(side=c.side(row, ben), actor=ben)
    assert (since(), pages()) == ([], [False] * 3)


def test_a_defender_who_brings_half_or_less_is_told_nothing(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.battle(made, ada, ben, scenario="storming-the-shores")
    choose_attacker(battle=row, actor=ada, side=c.side(row, ada))
    four = [str(fighter.pk) for fighter in made.warband(ben).fighters.live()][:4]
    take_force(side=c.side(row, ben), fighters=four, actor=ben)
    make_side_ready(side=c.side(row, ben), actor=ben)
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert c.side(row, ben).force.get("since") is None
    c.fight(c.fresh_battle(row), by=ada, winner=ada)


def test_ready_is_taken_back_until_the_report(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.mustered(made, ada, ben)
    with pytest.raises(Refusal, match="is ready"):
        take_force(side=c.side(row, ada), fighters=[], actor=ada)
    mine = take_back_ready(side=c.side(row, ada), actor=ada)
    assert (mine.ready_at, mine.snapshot, mine.number) == (None, None, None)
    assert c.fresh_battle(row).status == Battle.Status.SCHEDULED
    make_side_ready(side=c.side(row, ada), actor=ada)
    c.fight(c.fresh_battle(row), by=ada, winner=ada)
    with pytest.raises(Refusal, match="reported"):
        take_back_ready(side=c.side(row, ada), actor=ada)


def test_a_second_battle_asks_for_the_injuries_of_the_first_and_no_more(made: c.Club, ada: Any, ben: Any) -> None:
    first = c.mustered(made, ada, ben)
    c.fight(first, by=ada, winner=ben, out={ada: ["Ilse Brandt"]})
    second = c.battle(made, ada, ben, scenario="supply-raid")
    with pytest.raises(Refusal, match="Finish Hill 223 first"):
        make_side_ready(side=c.side(second, ada), actor=ada)
    open_one = c.begin(first, ada)
    with pytest.raises(Refusal, match="Ilse Brandt"):
        make_side_ready(side=c.side(second, ada), actor=ada)
    (task,) = c.look(open_one).waiting("injuries")
    c.type_in(open_one, task.key, 4, 1)
    c.write(open_one, task.key)
    mine = make_side_ready(side=c.side(second, ada), actor=ada)
    assert mine.number == 2
    assert c.sequence_row(first, ada).closed_at is None


def test_a_list_nobody_accepted_is_flagged_where_the_campaign_looks(cleo: Any, ada: Any, ben: Any) -> None:
    made = c.club(cleo, ada, ben, settings={"lists_looked_at": True})
    row = c.battle(made, ada, ben)
    assert [p.code for p in fielded(row, c.side(row, ada)).warnings] == ["list-not-accepted"]
