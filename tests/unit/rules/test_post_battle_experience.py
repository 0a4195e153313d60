"""Experience and advancement: the tally, its caps, what others teach, income, and every total of the skill tables."""

from dataclasses import replace

import pytest

from rules.consequences import Money
from rules.force import ForceSkill, ForceTrauma
from rules.price import Price
from rules.problems import Refusal
from rules.trench_crusade.steps.experience import substitute
from tests.unit.rules.evening import (
    ANSELM,
    ILSE,
    MAREK,
    OTTLA,
    after,
    battle,
    content,
    fighter,
    leaves,
    money,
    run,
    sets,
    settle,
    shown,
    tasks,
    wardens,
    written,
)


def tally(force=None, aftermath=None):
    """What the tally sets."""
    found = tasks("experience", force or wardens(), aftermath or battle())
    return sets(settle(found["experience"])) if "experience" in found else {}


# --- the tally


def test_every_elite_that_fought_and_lives_gains_one():
    assert tally() == {("ilse", "experience"): 1, ("marek", "experience"): 1, ("anselm", "experience"): 1}


def test_deeds_give_one_more_however_many():
    aftermath = battle(deeds=[("sniper", "marek"), ("cast-them-down", "marek"), ("bloodletting", "ottla")])
    assert tally(aftermath=aftermath) == {
        ("ilse", "experience"): 1,
        ("marek", "experience"): 2,
        ("anselm", "experience"): 1,
    }


def test_who_never_arrived_gains_nothing():
    assert tally(aftermath=battle(took_part=["ilse", "ottla"])) == {("ilse", "experience"): 1}


def test_who_was_taken_out_and_lives_gains_and_so_does_a_captive():
    force = wardens(replace(ILSE, status="captive"), MAREK)
    assert tally(force, battle(out=["ilse", "marek"])) == {("ilse", "experience"): 1, ("marek", "experience"): 1}


def test_the_dead_gain_nothing():
    assert tally(wardens(replace(ILSE, status="dead"), MAREK)) == {("marek", "experience"): 1}


def test_a_head_wound_of_this_battle_gains_nothing():
    aftermath = battle(out=["ilse"])
    task = tasks("injuries", wardens(), aftermath)["trauma-ilse"]
    hurt = after(wardens(), settle(task, (2, 2)))
    assert ("ilse", "experience") not in tally(hurt, aftermath)


def test_nor_does_one_of_an_earlier_battle_until_promoted_again():
    wound = ForceTrauma("b1-trauma-ilse", "head-wound", battle=1)
    demoted = replace(ILSE, demoted=True, traumas=(wound,))
    assert ("ilse", "experience") not in tally(wardens(demoted, MAREK), battle(2))
    recovered = replace(ILSE, demoted=False, promoted=True, traumas=(wound,), choices={"promoted_after": 1})
    assert tally(wardens(recovered, MAREK), battle(2))["ilse", "experience"] == 1


def test_the_newly_promoted_gain_nothing_this_time():
    new = replace(OTTLA, promoted=True, choices={"promoted_after": 1})
    assert ("ottla", "experience") not in tally(wardens(ILSE, new))
    assert tally(wardens(ILSE, new), battle(2))["ottla", "experience"] == 1


@pytest.mark.parametrize(("before", "now"), [(16, 18), (17, 18)])
def test_experience_stops_at_eighteen(before, now):
    force = wardens(replace(ILSE, experience=before, advances=6))
    assert tally(force, battle(deeds=[("sniper", "ilse")])) == {("ilse", "experience"): now}


def test_at_the_cap_there_is_nothing_to_tally():
    force = wardens(replace(ILSE, experience=18, advances=6))
    assert "experience" not in tasks("experience", force, battle())


def test_limited_potential_stops_at_seven():
    wolf = fighter("wolf", "artillery-witch", promoted=True, experience=6, advances=2)
    force = wardens(wolf, list="heretic-legion", patron="mammon")
    aftermath = battle(2, took_part=["wolf"], deeds=[("sniper", "wolf")])
    assert tally(force, aftermath) == {("wolf", "experience"): 7}
    full = replace(wolf, experience=7, advances=3)
    assert tasks("experience", replace(force, fighters=(full,)), aftermath) == {}


# --- others teach, and money comes in


def test_war_stories_teach_one_other_elite():
    teller = fighter("ilse", "lieutenant", "Ilse Brandt", skills=("war-stories",))
    found = tasks("experience", wardens(teller, MAREK, ANSELM, OTTLA), battle())
    key = next(k for k in found if k.startswith("teach-"))
    asked = run(found[key]).asked
    assert [o.value for o in asked.options] == ["marek", "anselm"]
    assert sets(settle(found[key], choices={"pupil": "anselm"})) == {("anselm", "experience"): 1}
    assert found[key].needs == ("experience",)


@pytest.mark.parametrize(
    ("skill", "out", "took_part", "faces", "brought"),
    [
        ("glory-hound", [], ["ilse"], (), Price(0, 1)),
        ("glory-hound", ["ilse"], ["ilse"], (), None),
        ("glory-hound", [], ["marek"], (), None),
        ("favoured-by-god", ["ilse"], ["marek"], (), Price(0, 1)),
        ("pennies-from-heaven", ["ilse"], ["ilse"], (4,), Price(20, 0)),
        ("pennies-from-heaven", [], ["marek"], (), None),
        ("30-pieces-of-silver", [], ["ilse"], (6,), Price(30, 0)),
    ],
)
def test_skills_bring_income_where_their_bearer_was(skill, out, took_part, faces, brought):
    bearer = fighter("ilse", "lieutenant", "Ilse Brandt", skills=(skill,))
    found = tasks("experience", wardens(bearer, MAREK), battle(out=out, took_part=took_part))
    income = [t for k, t in found.items() if k.startswith("income-")]
    if brought is None:
        assert income == []
    else:
        assert money(settle(income[0], faces)) == brought


def test_aureate_skin_asks_how_much_blood_was_shed():
    bearer = fighter("ilse", "heretic-priest", skills=("aureate-skin",))
    found = tasks("experience", wardens(bearer, list="heretic-legion"), battle())
    task = next(t for k, t in found.items() if k.startswith("income-"))
    assert money(settle(task, choices={"count": 7})) == Price(35, 0)
    assert money(settle(task, choices={"count": 0})) == Price()


def test_income_written_stays_listed_when_its_bearer_left():
    bearer = fighter("ilse", "lieutenant", "Ilse Brandt", skills=("glory-hound",))
    force, aftermath = wardens(bearer, MAREK), battle()
    key = next(k for k in tasks("experience", force, aftermath) if k.startswith("income-"))
    gone = wardens(replace(bearer, status="dismissed"), MAREK)
    again = tasks("experience", gone, aftermath, written(key))
    assert settle(again[key]).consequences == ()


def test_what_was_learned_after_the_battle_yields_nothing_for_it():
    learned = ForceSkill("b1-advance-ilse-2", "glory-hound")
    bearer = replace(ILSE, skills=(learned,), experience=2, advances=1)
    assert not [k for k in tasks("experience", wardens(bearer), battle()) if k.startswith("income-")]
    assert [k for k in tasks("experience", wardens(bearer), battle(2)) if k.startswith("income-")]


def test_what_is_bought_in_camp_yields_nothing_for_the_battle_before():
    knight = fighter("ilse", "lieutenant", kit=("knighthood",))
    assert [k for k in tasks("experience", wardens(knight), battle()) if k.startswith("income-")]
    assert not [k for k in tasks("experience", wardens(knight), battle(), written("fork")) if k.startswith("income-")]


# --- advancement: when


@pytest.mark.parametrize(
    ("experience", "advances", "due"),
    [
        (1, 0, []),
        (2, 0, [2]),
        (4, 1, [4]),
        (4, 0, [2, 4]),
        (6, 2, []),
        (7, 2, [7]),
        (10, 3, [10]),
        (14, 4, [14]),
        (18, 5, [18]),
    ],
)
def test_skills_fall_due_at_their_marks(experience, advances, due):
    learner = replace(ILSE, experience=experience, advances=advances)
    found = tasks("experience", wardens(learner), battle(took_part=[]))
    assert [k for k in found if k.startswith("advance-")] == [f"advance-ilse-{mark}" for mark in due]


def test_a_limited_fighter_learns_three_skills():
    witch = fighter("witch", "artillery-witch", promoted=True, experience=18, advances=3)
    assert tasks("experience", wardens(witch, list="heretic-legion"), battle(took_part=[])) == {}


def test_the_second_skill_due_waits_for_the_first():
    found = tasks("experience", wardens(replace(ILSE, experience=4)), battle(took_part=[]))
    assert found["advance-ilse-4"].needs == ("advance-ilse-2",)


def test_a_demoted_fighter_learns_nothing():
    demoted = replace(ILSE, demoted=True, experience=4, traumas=(ForceTrauma("t", "head-wound"),))
    assert tasks("experience", wardens(demoted), battle(took_part=[])) == {}


# --- advancement: what


def learn(force=None, faces=(), choices=None, key="ilse", mark=2):
    """Run the advancement of a fighter that has two experience points."""
    force = force or wardens(replace(ILSE, experience=2), MAREK)
    return run(tasks("experience", force, battle(took_part=[]))[f"advance-{key}-{mark}"], faces, choices)


TABLES = [(t.id, row.roll, row.skill) for t in content().pack.skill_tables for row in t.rows if row.skill]


@pytest.mark.parametrize(("table", "total", "skill"), TABLES)
def test_every_total_of_every_table_reaches_its_skill(table, total, skill):
    other = "wildcard" if table != "wildcard" else "ranged"
    low = max(1, total - 6)
    mine, theirs = (low, total - low), (1, 2)
    order = [t.id for t in content().pack.skill_tables]
    faces = (*mine, *theirs) if order.index(table) < order.index(other) else (*theirs, *mine)
    progress = learn(faces=faces, choices={"tables": [table, other], "take": table, "action": "Dash"})
    kept = sets(progress.outcome)["ilse", "skills", "b1-advance-ilse-2"]
    assert kept["id"] == skill
    assert sets(progress.outcome)["ilse", "advances"] == 1
    assert f"[{total} {content().skills[skill].name}*]" in shown(progress)


@pytest.mark.parametrize("faces", [(1, 1), (6, 6)])
def test_two_and_twelve_are_a_skill_of_the_patron(faces):
    choices = {"tables": ["ranged", "wildcard"], "take": "ranged"}
    asked = learn(faces=(*faces, 3, 4), choices=choices).asked
    assert asked.key == "patron-skill"
    assert {o.value for o in asked.options} == set(content().patrons["learned-saint"].skills)
    outcome = learn(faces=(*faces, 3, 4), choices={**choices, "patron-skill": "healing-arts"}).outcome
    assert sets(outcome)["ilse", "skills", "b1-advance-ilse-2"] == {"id": "healing-arts", "choices": {}}


def test_the_same_patron_skill_is_not_had_twice():
    learner = fighter("ilse", "lieutenant", experience=2, skills=("healing-arts",))
    choices = {"tables": ["ranged", "wildcard"], "take": "ranged"}
    asked = learn(wardens(learner), (1, 1, 3, 4), choices).asked
    assert "healing-arts" not in {o.value for o in asked.options}


def test_without_a_patron_the_other_result_can_be_taken():
    force = wardens(replace(ILSE, experience=2), patron="")
    asked = learn(force, (1, 1, 3, 4), {"tables": ["ranged", "wildcard"]}).asked
    assert [bool(o.closed) for o in asked.options] == [True, False]


def table_of(table_id):
    return content().skill_tables[table_id]


@pytest.mark.parametrize(
    ("total", "known", "patron", "roll"),
    [
        (7, {"ranged-proficiency"}, ("a",), 6),  # the next lower
        (7, {"ranged-proficiency", "sharp-eyes"}, ("a",), 5),
        (3, {"hunter"}, ("a",), 2),  # the patron's row counts
        (3, {"hunter"}, (), 4),  # nothing lower is open: the next higher
        (2, set(), (), 3),
        (12, set(), (), 11),
        (12, set(), None, 12),  # no patron yet: the row waits
        (5, {"hunter", "gunslinger", "far-shot"}, (), 6),
        (5, {"hunter", "gunslinger", "far-shot", "sharp-eyes"}, (), 7),
    ],
)
def test_a_known_skill_gives_way_to_the_next_lower_else_the_next_higher(total, known, patron, roll):
    assert substitute(table_of("ranged"), total, frozenset(known), patron).roll == roll


def test_a_table_can_be_learned_out():
    everything = frozenset(row.skill for row in table_of("ranged").rows)
    assert substitute(table_of("ranged"), 7, everything, ()).skill == "none"


def test_a_table_learned_out_is_closed_and_both_let_the_advancement_pass():
    skills = [row.skill for t in ("ranged", "wildcard") for row in table_of(t).rows if row.skill]
    skills += content().patrons["learned-saint"].skills
    learner = fighter("ilse", "lieutenant", experience=2, skills=tuple(skills))
    outcome = learn(wardens(learner), (1, 2, 3, 4), {"tables": ["ranged", "wildcard"]}).outcome
    assert sets(outcome) == {("ilse", "advances"): 1}
    asked = learn(wardens(learner), (1, 2, 3, 4), {"tables": ["melee-and-strength", "wildcard"]}).asked
    assert [bool(o.closed) for o in asked.options] == [False, True]


def test_the_substitution_is_told():
    learner = fighter("ilse", "lieutenant", experience=2, skills=("ranged-proficiency",))
    told = shown(learn(wardens(learner), (4, 3, 3, 4), {"tables": ["ranged", "wildcard"]}))
    assert "7 is taken, so 6: Sharp Eyes" in told


@pytest.mark.parametrize("tables", [["ranged"], ["ranged", "ranged"], ["ranged", "wildcard", "stealth-and-speed"]])
def test_exactly_two_tables_are_chosen(tables):
    with pytest.raises(Refusal, match="Choose 2"):
        learn(choices={"tables": tables})


def test_one_table_is_told_as_one():
    with pytest.raises(Refusal, match="Choose 2; 1 is chosen"):
        learn(choices={"tables": ["ranged"]})


# --- skills that ask


PATRON_ROLL = {"tables": ["ranged", "wildcard"], "take": "ranged"}


def by_patron(taught, patron="learned-saint", force=None, **choices):
    force = force or wardens(replace(ILSE, experience=2), patron=patron)
    return learn(force, (1, 1, 3, 4), {**PATRON_ROLL, "patron-skill": taught, **choices})


def test_knowledge_of_science_raises_one_limit_of_the_armoury():
    asked = by_patron("knowledge-of-science").asked
    assert asked.key == "raise"
    offers = content().item_offers
    assert asked.options
    assert all(offers[o.value].limit is not None for o in asked.options)
    pick = asked.options[0].value
    kept = sets(by_patron("knowledge-of-science", **{"raise": pick}).outcome)["ilse", "skills", "b1-advance-ilse-2"]
    assert kept["choices"] == {"raise": pick}


def test_organisational_skills_raise_a_limited_profile_that_is_not_elite():
    asked = by_patron("organisational-skills").asked
    names = {content().profile_offers[o.value].profile for o in asked.options}
    assert "combat-engineer" in names
    assert not names & {"lieutenant", "sniper-priest", "trench-cleric", "yeoman"}
    assert all(content().profile_offers[o.value].hired_as == "own" for o in asked.options)


def test_walk_with_god_picks_any_skill_and_asks_what_that_one_asks():
    asked = by_patron("walk-with-god").asked
    values = {o.value for o in asked.options}
    assert {"duplicate", "parry", "war-stories"} <= values
    assert by_patron("walk-with-god", skill="skill-and-expertise").asked.key == "skill-action"
    outcome = by_patron("walk-with-god", skill="duplicate").outcome
    assert sets(outcome)["ilse", "skills", "b1-advance-ilse-2"] == {
        "id": "walk-with-god",
        "choices": {"skill": "duplicate"},
    }


def test_a_skill_picked_through_another_counts_as_known():
    walker = fighter(
        "ilse", "lieutenant", experience=2, skills=(ForceSkill("k", "walk-with-god", {"skill": "ranged-proficiency"}),)
    )
    told = shown(learn(wardens(walker), (4, 3, 3, 4), {"tables": ["ranged", "wildcard"]}))
    assert "7 is taken, so 6" in told


def test_an_unsecured_loan_pays_at_once():
    priest = fighter("ilse", "heretic-priest", experience=2)
    force = wardens(priest, list="heretic-legion", patron="mammon")
    outcome = by_patron("unsecured-loan", force=force).outcome
    assert money(outcome) == Price(100, 0)
    assert len(leaves(outcome, Money)) == 1


def test_a_written_skill_stays_listed_and_the_next_falls_due():
    force = wardens(replace(ILSE, experience=4))
    aftermath = battle(took_part=[])
    progress = learn(force, (4, 3, 3, 4), {"tables": ["ranged", "wildcard"], "take": "ranged"})
    done = after(force, progress.outcome)
    record = written("advance-ilse-2", draws={"advance-ilse-2": progress.draws})
    found = tasks("experience", done, aftermath, record)
    assert list(found) == ["advance-ilse-2", "advance-ilse-4"]
    assert settle(found["advance-ilse-2"]).sentence == "Ilse Brandt learned Ranged Proficiency."
    assert settle(found["advance-ilse-2"]).consequences == ()
    assert found["advance-ilse-4"].needs == ()
