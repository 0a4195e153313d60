"""The threshold that rises by itself, and the fork between reinforcements and exploration."""

from dataclasses import replace

import pytest

from rules.consequences import LosesItems, Money, SetWarband
from rules.force import Battles, ForceItem
from rules.price import Price
from rules.problems import Refusal
from tests.unit.rules.evening import (
    ILSE,
    KOLYA,
    OTTLA,
    after,
    battle,
    content,
    leaves,
    money,
    run,
    sets,
    settle,
    tasks,
    wardens,
    written,
)

STASH = (ForceItem("s1", "trench-shield"), ForceItem("s2", "gas-mask"))


def fork(force=None, aftermath=None, record=None, **house):
    return tasks("fork", force or wardens(stash=STASH), aftermath or battle(), record, **house)["fork"]


def options(**known):
    return {o.value: o for o in run(fork(**known)).asked.options}


# --- threshold


@pytest.mark.parametrize(
    ("number", "list_id", "words"),
    [
        (1, "new-antioch", "Threshold 700 to 800 ducats, field strength 10 to 11."),
        (4, "new-antioch", "Threshold 1000 to 1100 ducats, field strength 13 to 14."),
        (4, "papal-states-intervention-force", "Threshold 800 to 900 ducats, field strength 13 to 14."),
        (11, "new-antioch", "Threshold 1700 to 1800 ducats, field strength 20 to 22."),
    ],
)
def test_the_threshold_of_the_next_battle_is_told(number, list_id, words):
    task = tasks("threshold", wardens(list=list_id), battle(number))["threshold"]
    outcome = settle(task)
    assert outcome.sentence == words
    assert outcome.consequences == ()
    assert task.optional


def test_a_battle_that_does_not_count_raises_nothing():
    outcome = settle(tasks("threshold", wardens(), battle(4, counts=frozenset({"injuries"})))["threshold"])
    assert outcome.sentence == "Threshold 1000 ducats, field strength 13."


def test_house_rules_move_the_threshold():
    assert "800" in settle(tasks("threshold", wardens(), battle(1), threshold_add=100)["threshold"]).sentence


# --- reinforcements


def test_gains_and_losses_of_both_ways_stand_in_figures():
    force = wardens(stash=STASH)
    rating = (70 + 4 + 15) + 50 + 60 + 30 + (45 + 10)  # the yeoman without the kit it came with
    shown = options(force=force)
    reinforce, explore = shown["reinforce"], shown["explore"]
    assert reinforce.gains == (f"fighters and kit for up to {800 - rating} ducats; what is left over lapses",)
    assert reinforce.losses == ("84 ducats", "Trench Shield", "Gas Mask", "exploration and loot this time")
    assert explore.gains == ("30 to 180 ducats of loot, 105 on average", "3 dice", "1 re-roll", "perhaps a location")
    assert "84 ducats and 3 glory" in explore.words


def test_reinforcing_empties_the_strongbox_and_fills_a_purse_up_to_the_raised_threshold():
    force = wardens(stash=STASH)
    outcome = settle(fork(force), choices={"way": "reinforce"})
    assert leaves(outcome, LosesItems)[0].items == ("s1", "s2")
    assert [m.amount for m in leaves(outcome, Money)] == [Price(ducats=-84), Price(ducats=800 - 284)]
    assert sets(outcome)["", "reinforcing"] == {"battle": 1, "ducats": 516}
    assert sets(outcome)["", "reinforced_last"] is True
    done = after(force, outcome)
    assert done.strongbox == Price(516, 3)  # glory is kept
    assert done.stash == ()
    assert outcome.grave


def test_papal_states_stand_two_hundred_below_and_gain_glory():
    force = wardens(ILSE, KOLYA, list="papal-states-intervention-force", stash=())
    outcome = settle(fork(force), choices={"way": "reinforce"})
    assert money(outcome).glory == 4
    assert sets(outcome)["", "reinforcing"]["ducats"] == 600 - 89 - 55


@pytest.mark.parametrize(("worth", "is_open"), [(799, True), (800, False), (900, False)])
def test_reinforcements_are_closed_from_the_raised_threshold_on(worth, is_open):
    rich = replace(ILSE, kit=(), paid=Price(worth), profile="lieutenant")
    force = wardens(rich)
    from rules.fighters.views import views as fighter_views
    from rules.parts.post_battle import StepRecord
    from rules.trench_crusade.steps.context import StepContext
    from rules.trench_crusade.steps.reinforcements import reinforce_option

    views = dict(fighter_views(content(), force))
    views["ilse"] = replace(views["ilse"], rating=Price(worth))
    option = reinforce_option(StepContext(content(), force, battle(), StepRecord(), views))
    assert (option.closed == "") is is_open
    if not is_open:
        assert str(worth) in option.closed


def test_a_list_may_forbid_reinforcements_twice_running():
    import msgspec

    from rules.content.compiled import compile_content
    from rules.content.house import read_house_rules
    from rules.parts.post_battle import StepRecord
    from rules.trench_crusade import post_battle
    from rules.vocabulary import ReinforcementsEffect

    pack = content().pack
    first = next(one for one in pack.lists if one.id == "new-antioch")
    rule = msgspec.structs.replace(
        pack.rules[0], id="lean-times", name="Lean Times", effects=(ReinforcementsEffect(not_twice=True),)
    )
    lists = tuple(msgspec.structs.replace(one, rules=("lean-times",)) if one is first else one for one in pack.lists)
    special = compile_content(
        msgspec.structs.replace(pack, rules=(*pack.rules, rule), lists=lists), read_house_rules({})
    )
    for last, closed in ((False, False), (True, True)):
        force = wardens(state={"reinforced_last": last})
        (task,) = post_battle.tasks(special, force, battle(2), StepRecord(), "fork")
        option = run(task).asked.options[0]
        assert bool(option.closed) is closed


def test_a_closed_way_is_refused():
    dear = [replace(ILSE, key=f"e{i}", name=f"E{i}") for i in range(10)]
    with pytest.raises(Refusal, match="must be below the threshold of 800"):
        run(fork(wardens(*dear)), choices={"way": "reinforce"})


# --- exploring


def test_exploring_keeps_everything():
    outcome = settle(fork(), choices={"way": "explore"})
    assert outcome.consequences == (SetWarband(("reinforced_last",), False, "no reinforcements"),)


def test_a_battle_that_does_not_count_for_exploration_leaves_a_third_way():
    aftermath = battle(counts=frozenset({"injuries", "number"}))
    shown = options(aftermath=aftermath)
    assert shown["explore"].closed
    assert settle(fork(aftermath=aftermath), choices={"way": "neither"}).sentence == "The warband stays in camp."


@pytest.mark.parametrize(
    ("number", "credited", "dice"),
    [(1, 0, 3), (2, 0, 3), (3, 0, 4), (5, 0, 4), (6, 0, 5), (9, 0, 5), (10, 0, 6), (6, 4, 3)],
)
def test_credited_battles_count_for_the_threshold_but_not_for_dice(number, credited, dice):
    force = wardens(battles=Battles(number - credited, credited))
    assert f"{dice} dice" in options(force=force, aftermath=battle(number))["explore"].gains
    assert settle(tasks("threshold", force, battle(number))["threshold"]).will_do[0].startswith(f"Battle {number + 1}")


def test_a_written_fork_stays_as_it_was():
    record = written("fork", choices={"fork": {"way": "reinforce"}})
    done = after(wardens(stash=STASH), settle(fork(), choices={"way": "reinforce"}))
    outcome = settle(fork(done, record=record))
    assert outcome.sentence == "Reinforcements are on their way."
    assert outcome.consequences == ()


def test_the_poorest_may_always_explore():
    assert not options(force=wardens(OTTLA))["explore"].closed
