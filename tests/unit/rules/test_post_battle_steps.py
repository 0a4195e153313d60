"""The doors of the sequence: its steps, what is skipped, what a report does at once, closing, scenario and attacker."""

from dataclasses import replace

import msgspec
import pytest

from rules.consequences import LosesItems, Money, SetWarband
from rules.content.compiled import compile_content
from rules.content.house import read_house_rules
from rules.force import Battles, ForceTrauma
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.resolution import Task
from rules.trench_crusade import post_battle
from tests.unit.rules.evening import (
    ILSE,
    MAREK,
    OTTLA,
    after,
    battle,
    content,
    run,
    sets,
    settle,
    shown,
    tasks,
    wardens,
    written,
)

# --- steps


def test_one_camp_step_by_default_and_four_when_strict():
    one = [(s.id, s.kind) for s in post_battle.steps(content(), wardens())]
    assert one == [
        ("injuries", "tasks"),
        ("experience", "tasks"),
        ("promotion", "tasks"),
        ("threshold", "tasks"),
        ("fork", "tasks"),
        ("exploration", "tasks"),
        ("camp", "camp"),
        ("roster", "close"),
    ]
    strict = post_battle.steps(content(camp="strict"), wardens())
    assert [s.id for s in strict[6:]] == ["hire", "trade", "glory", "reallocate", "roster"]
    assert [s.doors for s in strict[6:10]] == [("hire", "buy"), ("buy", "sell"), ("glory",), ("move",)]
    assert "sell" not in strict[6].doors  # sales come after hiring and cannot pay recruits


def test_every_step_answers_and_an_unknown_one_does_not():
    for house in ({}, {"camp": "strict"}):
        for step in post_battle.steps(content(**house), wardens()):
            found = post_battle.tasks(content(**house), wardens(), battle(out=["ilse"]), StepRecord(), step.id)
            assert all(isinstance(t, Task) for t in found)
            assert bool(found) == (step.kind != "camp")
    with pytest.raises(KeyError):
        post_battle.tasks(content(), wardens(), battle(), StepRecord(), "victory-parade")


@pytest.mark.parametrize("step", ["injuries", "experience", "promotion", "exploration"])
def test_a_battle_that_does_not_count_passes_steps_over(step):
    force = wardens()
    assert post_battle.skipped(content(), force, battle(), StepRecord(), step) == ""
    assert "does not count" in post_battle.skipped(content(), force, battle(counts=frozenset()), StepRecord(), step)


def test_reinforcements_skip_exploration_only():
    record = written("fork", choices={"fork": {"way": "reinforce"}})
    for step in post_battle.steps(content(), wardens()):
        words = post_battle.skipped(content(), wardens(), battle(), record, step.id)
        assert bool(words) is (step.id == "exploration"), step.id
    unwritten = StepRecord(choices={"fork": {"way": "reinforce"}})
    assert post_battle.skipped(content(), wardens(), battle(), unwritten, "exploration") == ""


# --- what a report does at once


def result(force=None, aftermath=None):
    return post_battle.result_consequences(content(), force or wardens(), aftermath or battle())


def test_the_battle_is_counted_and_its_scenario_kept():
    assert SetWarband(("fought",), 2, "battle 2") in result(wardens(battles=Battles(1)), battle(2))
    assert SetWarband(("last_scenario",), "hill-223", "battle 2") in result(aftermath=battle(2))
    assert not any(
        c.path == ("fought",) for c in result(aftermath=battle(counts=frozenset())) if isinstance(c, SetWarband)
    )


def test_each_deed_brings_its_glory_once():
    deeds = [("sniper", "marek"), ("dragon-slayer", ""), ("sniper", "marek")]
    moves = [c for c in result(aftermath=battle(deeds=deeds)) if isinstance(c, Money)]
    assert [m.amount.glory for m in moves] == [1, 2]
    assert "Marek" in moves[0].reason
    assert "the warband" in moves[1].reason
    without = battle(deeds=deeds, counts=frozenset({"number"}))
    assert not any(isinstance(c, Money) for c in result(aftermath=without))


def test_what_was_used_up_is_gone():
    assert LosesItems(("g1",), "Used up in battle 1") in result(aftermath=battle(mine={"used_up": ("g1",)}))


@pytest.mark.parametrize(("ducats", "paid"), [(84, [10, 10]), (15, [10, 5]), (0, [])])
def test_treatment_is_paid_for_those_fielded_as_far_as_the_strongbox_reaches(ducats, paid):
    wound = (ForceTrauma("t", "expensive-treatment"),)
    ill = [replace(f, traumas=wound) for f in (ILSE, MAREK, OTTLA)]
    moves = [
        c
        for c in result(wardens(*ill, strongbox=Price(ducats)), battle(took_part=["ilse", "marek"]))
        if isinstance(c, Money)
    ]
    assert [-m.amount.ducats for m in moves] == paid


def test_moonshine_is_spent_by_the_battle_and_manna_is_not():
    kept = {"m": {"id": "moonshine", "choices": {}}, "p": {"id": "pot-of-manna", "choices": {}}}
    force = wardens(lasting=("moonshine", "pot-of-manna"), state={"lasting": kept})
    spent = [c for c in result(force) if isinstance(c, SetWarband) and c.path[0] == "lasting"]
    assert [(c.path, c.value) for c in spent] == [(("lasting", "m"), None)]


# --- closing


def close(force, aftermath=None, record=None):
    return settle(tasks("roster", force, aftermath or battle(), record)["close"])


def test_closing_tells_before_and_after_and_the_next_battle():
    outcome = close(wardens(), battle(mine={"rating": 400}))
    assert outcome.will_do[0] == "Rating 284 ducats; 400 took the field."
    assert "Strongbox 84 ducats and 3 glory." in outcome.will_do
    assert "Battle 2: 800 ducats, 11 fighters." in outcome.will_do


@pytest.mark.parametrize(("held", "lapses"), [(40, 40), (521, 521), (600, 521), (0, 0)])
def test_what_is_left_of_reinforcements_lapses(held, lapses):
    purse = {"battle": 1, "ducats": 521}
    outcome = close(wardens(strongbox=Price(held, 3), state={"reinforcing": purse}))
    moves = [c.amount for c in outcome.consequences if isinstance(c, Money)]
    assert moves == ([Price(ducats=-lapses)] if lapses else [])
    assert sets(outcome)["", "reinforcing"] is None


def test_who_sat_this_battle_out_is_fit_again_and_who_misses_the_next_is_not():
    force = wardens(replace(ILSE, misses_battle=3), replace(MAREK, misses_battle=4))
    outcome = close(force, battle(3))
    assert sets(outcome) == {("ilse", "misses_battle"): 0}
    assert "Marek: misses the next battle." in outcome.will_do


def test_closing_names_what_the_sequence_left():
    aftermath = battle(out=["ilse"])
    hurt = after(wardens(), settle(tasks("injuries", wardens(), aftermath)["trauma-ilse"], (3, 1)))
    assert "Ilse Brandt: Leg Wound." in close(hurt, aftermath).will_do


# --- a whole evening, step by step, on one roster


def test_a_whole_sequence_from_injuries_to_the_closed_roster():
    force, aftermath = (
        wardens(replace(ILSE, experience=1), *wardens().fighters[1:]),
        battle(2, out=["ilse", "kolya"], won=True),
    )
    done: set[str] = set()

    def write(step, key, faces=(), choices=None):
        nonlocal force
        task = tasks(step, force, aftermath, written(*done))[key]
        assert set(task.needs) <= done
        force = after(force, settle(task, faces, choices))
        done.add(key)

    write("injuries", "trauma-ilse", (3, 1))
    write("injuries", "casualty-kolya", (2,))
    write("experience", "experience")
    write("experience", "advance-ilse-2", (4, 3, 3, 4), {"tables": ["ranged", "wildcard"], "take": "ranged"})
    write("promotion", "promotion", (1, 6), {"dice": {"ottla": 2}})
    write("threshold", "threshold")
    write("fork", "fork", (), {"way": "explore"})
    write("exploration", "exploration", (2, 2, 3), {"mod-1": "done"})
    write("roster", "close")
    ilse, ottla = force.fighter("ilse"), force.fighter("ottla")
    assert (ilse.experience, ilse.advances, [t.trauma for t in ilse.traumas]) == (2, 1, ["leg-wound"])
    assert ottla.promoted
    assert force.fighter("kolya").status == "dead"
    assert force.strongbox == Price(154, 3)
    for step in ("injuries", "experience", "promotion", "threshold", "fork", "exploration", "roster"):
        for task in tasks(step, force, aftermath, written(*done)).values():
            assert settle(task).consequences == (), task.key


# --- scenario


def scenario(numbers, faces=(), played=(), settings=None):
    return run(post_battle.scenario_task(content(), numbers, played, settings or {}), faces)


def chosen(progress):
    return {c.path[0]: c.value for c in progress.outcome.consequences}


@pytest.mark.parametrize(
    ("number", "face", "expected"),
    [
        (1, 1, "claim-no-mans-land"),
        (3, 5, "supply-raid"),
        (4, 1, "hunt-for-heroes"),
        (9, 2, "armoured-train"),
        (10, 3, "from-below"),
        (11, 1, "trench-warfare"),
    ],
)
def test_the_stage_comes_from_the_battle_counts(number, face, expected):
    assert chosen(scenario([number, number], (face,))) == {"scenario": expected}


def test_the_twelfth_battle_is_the_great_war_without_a_roll():
    assert chosen(scenario([12, 12])) == {"scenario": "great-war"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "armoured-train"),
        ({"scenario_stage": "more"}, "armoured-train"),
        ({"scenario_stage": "lower"}, "hunt-for-heroes"),
    ],
)
def test_of_two_contradicting_sentences_a_setting_picks_one(settings, expected):
    assert chosen(scenario([3, 4], (2,), settings=settings))["scenario"] == expected


def test_nobody_plays_the_same_scenario_twice_running():
    progress = scenario([1, 1], (1, 2, 4), played=["claim-no-mans-land", "hunt-for-heroes"])
    assert chosen(progress) == {"scenario": "relic-hunt"}
    assert shown(progress).count("so it is rolled again") == 2


def test_a_random_scenario_is_made_of_its_parts():
    found = chosen(scenario([1, 1], (6, 2, 1, 1, 6)))
    assert found["scenario"] == "random-scenario"
    assert (found["deployment"], found["objective"]) == ("standard-deployment", "attritional-battle")
    assert len(found["deeds"]) == 3
    assert "victorious" in found["deeds"]


def test_over_the_top_does_not_go_with_a_chance_encounter():
    progress = scenario([1, 1], (6, 1, 4, 1, 3, 1, 1))
    assert chosen(progress)["deployment"] == "flank-attack"
    assert "does not go with Chance Encounter" in shown(progress)


def test_a_stage_whose_every_row_was_just_played_is_refused():
    pack = content().pack
    stage = msgspec.structs.replace(pack.campaign.stages[0], rows=pack.campaign.stages[0].rows[:1])
    campaign = msgspec.structs.replace(pack.campaign, stages=(stage,))
    special = compile_content(msgspec.structs.replace(pack, campaign=campaign), read_house_rules({}))
    task = post_battle.scenario_task(special, [1, 1], ["claim-no-mans-land"], {})
    with pytest.raises(Refusal, match="just played"):
        run(task, (1,))


# --- attacker

SIDES = [("w", "Wardens", 3), ("c", "Choir", 2)]


def test_fewer_battles_decides_who_attacks():
    task = post_battle.attacker_task(content(), SIDES, {})
    asked = run(task).asked
    assert asked.words.startswith("Choir has fought fewer battles")
    assert chosen(run(task, (), {"attacker": "w"})) == {"attacker": "w"}


def test_equal_counts_roll_off_and_ties_roll_again():
    task = post_battle.attacker_task(content(), [("w", "Wardens", 2), ("c", "Choir", 2)], {})
    assert chosen(run(task, (4, 4, 2, 5))) == {"attacker": "c"}


LEVEL = [("w", "Wardens", 2), ("c", "Choir", 2)]


@pytest.mark.parametrize("scenario", ["trench-warfare", "storming-the-shores"])
def test_a_scenario_that_names_the_larger_warband_goes_before_fewer_battles(scenario):
    larger = run(post_battle.attacker_task(content(), SIDES, {}, scenario, {"w": 9, "c": 8}))
    assert larger.asked is None
    assert chosen(larger) == {"attacker": "w"}
    assert "Wardens 9, Choir 8" in larger.outcome.will_do[0]
    level = post_battle.attacker_task(content(), SIDES, {}, scenario, {"w": 9, "c": 9})
    assert chosen(run(level, (2, 5))) == {"attacker": "c"}  # the die decides by itself


def test_the_raid_is_chosen_by_whoever_wins_the_roll_off():
    raid = post_battle.attacker_task(content(), SIDES, {}, "supply-raid", {"w": 9, "c": 8})
    asked = run(raid, (6, 3)).asked
    assert asked.words == "Wardens won the roll-off and chooses who attacks."
    assert chosen(run(raid, (6, 3), {"attacker": "c"})) == {"attacker": "c"}


@pytest.mark.parametrize("scenario", ["great-war", "hill-223", ""])
def test_where_the_scenario_is_silent_fewer_battles_decides(scenario):
    assert (
        "fewer battles" in run(post_battle.attacker_task(content(), SIDES, {}, scenario, {"w": 9, "c": 8})).asked.words
    )


@pytest.mark.parametrize("scenario", ["trench-warfare", "supply-raid"])
def test_a_campaign_may_let_fewer_battles_decide_everywhere(scenario):
    task = post_battle.attacker_task(content(), SIDES, {"attacker": "fewer-battles"}, scenario, {"w": 9, "c": 8})
    assert run(task).asked.words.startswith("Choir has fought fewer battles")
    assert chosen(
        run(post_battle.attacker_task(content(), LEVEL, {"attacker": "fewer-battles"}, scenario), (4, 1))
    ) == {"attacker": "w"}


def test_only_an_edition_with_two_answers_asks_which_is_read():
    game = system("trench-crusade")
    keys = {
        edition: {s.key for s in game.rulebook.house_settings(game.content(edition))[1]} for edition in game.editions()
    }
    assert {edition for edition, found in keys.items() if "attacker" in found} == {"1.6.3"}
