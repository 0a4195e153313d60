"""What stands under keys in the state of a roster is read in one order, however the database returns the keys."""

from __future__ import annotations

from rules.registry import system
from rules.trench_crusade.roster import in_order
from tests.unit.rules.evening import content, wardens

KEYS = ["s1", "s2", "s10", "trauma-9", "b7", "b7-advance-9-1", "b7-advance-12-1", "b9-advance-3-1", "b10-advance-2-1"]


def test_keys_stand_in_the_order_in_which_they_came() -> None:
    for given in (KEYS, KEYS[::-1], sorted(KEYS, key=lambda key: (len(key), key))):
        assert [key for key, _ in in_order(dict.fromkeys(given))] == KEYS
    moved = [key.replace("b7", "b107").replace("b9", "b109").replace("b10-", "b110-") for key in KEYS]
    assert [key for key, _ in in_order(dict.fromkeys(sorted(moved)))] == moved


def test_a_roster_reads_alike_whatever_order_the_database_returns() -> None:
    game, rules = system("trench-crusade").state, content()
    places, skills = list(rules.locations)[:4], list(rules.skills)[:3]
    keys = ["s1", "b7-advance-9-1", "b10-advance-9-1"]
    learned = {key: {"id": skill} for key, skill in zip(keys, skills, strict=True)}
    state = {"locations": dict.fromkeys(places, "once"), "exploration_skills": dict(zip(keys, skills, strict=True))}
    member = wardens().fighters[0]
    one, other = (
        game.read_state(rules, member, {"skills": dict(order)})
        for order in (learned.items(), reversed(learned.items()))
    )
    assert [learned.skill for learned in one.skills] == [learned.skill for learned in other.skills] == skills
    first, second = (
        game.read_warband_state(rules, wardens(), {name: dict(order(found.items())) for name, found in state.items()})
        for order in (list, reversed)
    )
    assert first.locations == second.locations
    assert first.exploration_skills == second.exploration_skills == tuple(skills)
