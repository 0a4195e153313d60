"""Injuries after a battle: every band of the trauma chart, scars, re-rolls, captives, and the D6 of everybody else."""

from dataclasses import replace

import pytest

from rules.consequences import Leaves, LosesItems, Taken
from rules.force import ForceTrauma
from rules.parts.post_battle import BattleSide
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.vocabulary import BecomesEffect, Holder, Trait
from tests.unit.rules.evening import (
    ILSE,
    MAREK,
    OTTLA,
    after,
    battle,
    content,
    fighter,
    leaves,
    run,
    sets,
    settle,
    shown,
    tasks,
    wardens,
    written,
)


def trauma_of(key="ilse", force=None, aftermath=None, record=None):
    """The trauma task of a fighter."""
    return tasks("injuries", force or wardens(), aftermath or battle(out=[key]), record)[f"trauma-{key}"]


# --- who rolls what


def test_elites_roll_d66_before_the_others_roll_a_d6():
    found = tasks("injuries", wardens(), battle(out=["kolya", "anselm", "ottla", "ilse"]))
    assert list(found) == ["trauma-ilse", "trauma-anselm", "casualty-ottla", "casualty-kolya"]


def test_nobody_out_means_nothing_to_do():
    assert tasks("injuries", wardens(), battle()) == {}


def test_a_promoted_trooper_rolls_on_the_trauma_chart():
    veteran = replace(OTTLA, promoted=True)
    assert "trauma-ottla" in tasks("injuries", wardens(ILSE, veteran), battle(2, out=["ottla"]))


def test_a_mercenary_rolls_a_d6():
    faris = fighter("faris", "mamluk-faris", offer="mercenary-mamluk-faris", hired_as="mercenary")
    assert list(tasks("injuries", wardens(ILSE, faris), battle(out=["faris"], took_part=["faris"]))) == [
        "casualty-faris"
    ]


# --- the chart, band by band

NOTHING = object()
BANDS = [
    ("severe-nerve-damage", (1, 3)),
    ("chest-wound", (1, 6)),
    ("insomniac", (2, 1)),
    ("shell-shocked", (2, 3)),
    ("paranoid", (2, 5)),
    ("lost-arm", (2, 6)),
    ("leg-wound", (3, 1)),
    ("expensive-treatment", (3, 2)),
    ("possessed", (3, 3)),
    ("muscle-damage", (3, 4)),
]


@pytest.mark.parametrize(("trauma", "faces"), BANDS)
def test_a_wound_is_kept_with_its_scar_and_battle(trauma, faces):
    outcome = settle(trauma_of(), faces)
    kept = {"id": trauma, "scar": True, "details": {}, "battle": 1}
    assert sets(outcome) == {("ilse", "traumas", "b1-trauma-ilse"): kept}
    assert "One scar, 1 of 2." in outcome.will_do
    assert not outcome.grave


def test_every_number_of_the_chart_is_on_it():
    numbers = [tens * 10 + units for tens in range(1, 7) for units in range(1, 7)]
    traumas = content().pack.traumas
    for number in numbers:
        assert sum(t.first <= number <= t.last for t in traumas) == 1, number


def test_the_row_that_was_hit_stands_between_its_neighbours():
    told = shown(run(trauma_of(), (3, 1)))
    assert "[26 Lost Arm] [31 Leg Wound*] [32 Expensive Treatment]" in told


def test_dead_takes_the_kit_with_it_and_says_how_much_leaves():
    outcome = settle(trauma_of(), (1, 1))
    assert outcome.grave
    (gone,) = leaves(outcome, Leaves)
    assert (gone.fighter, gone.status, gone.kit_to_stash) == ("ilse", "dead", False)
    view_before = 70 + 4 + 15  # lieutenant, sword, standard armour
    assert any(f"{view_before} ducats leave the roster" in line for line in outcome.will_do), outcome.will_do
    assert any("Rating" in line for line in outcome.will_do)


def test_captured_means_held_by_the_side_that_did_it_and_the_kit_is_lost():
    outcome = settle(trauma_of(), (1, 2))
    assert leaves(outcome, Taken) == [Taken("ilse", "choir", "Captured")]
    assert leaves(outcome, LosesItems)[0].items == ("ilse-sword-axe", "ilse-standard-armour")
    assert sets(outcome) == {}  # neither scar nor trauma: once ransomed it is a full recovery
    assert "No scar." in outcome.will_do


def test_captured_among_several_foes_asks_who_holds_it_when_nobody_is_reported():
    foes = [
        BattleSide("choir", "Choir", "heretic-legion", "HERETIC", True),
        BattleSide("wolves", "Wolves", "x", "COURT", False),
    ]
    task = trauma_of(aftermath=battle(out={"ilse": ""}, others=foes))
    assert run(task, (1, 2)).asked.key == "captor"
    assert leaves(settle(task, (1, 2), {"captor": "wolves"}), Taken)[0].captor == "wolves"
    assert leaves(settle(task, (1, 2), {"captor": "unknown"}), Taken)[0].captor == ""


def test_hand_wound_asks_which_hand():
    task = trauma_of()
    progress = run(task, (1, 4))
    assert [o.value for o in progress.asked.options] == ["left", "right"]
    outcome = settle(task, (1, 4), {"detail-hand": "right"})
    assert sets(outcome)["ilse", "traumas", "b1-trauma-ilse"]["details"] == {"hand": "right"}


def test_a_lost_eye_may_happen_twice_and_the_second_retires():
    task = trauma_of(force=wardens(replace(ILSE, traumas=(ForceTrauma("t", "lost-an-eye"),))))
    outcome = settle(task, (1, 5))
    (gone,) = leaves(outcome, Leaves)
    assert (gone.status, gone.kit_to_stash) == ("retired", True)
    assert outcome.grave


def test_the_first_lost_eye_is_a_scar():
    assert sets(settle(trauma_of(), (1, 5)))["ilse", "traumas", "b1-trauma-ilse"]["id"] == "lost-an-eye"


def test_a_sniper_priest_loses_no_eye():
    outcome = settle(trauma_of("marek"), (1, 5))
    assert outcome.consequences == ()


def test_a_head_wound_demotes_and_keeps_the_scar():
    outcome = settle(trauma_of(), (2, 2))
    assert sets(outcome)["ilse", "demoted"] is True
    assert sets(outcome)["ilse", "traumas", "b1-trauma-ilse"]["scar"] is True
    assert leaves(outcome, LosesItems, Leaves) == []


def test_dark_memory_names_the_foe_that_the_report_names_first():
    foes = [
        BattleSide("wolves", "Wolves", "x", "COURT OF THE SERPENT", False),
        BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", True),
    ]
    task = trauma_of(aftermath=battle(out={"ilse": "choir"}, others=foes))
    options = run(task, (2, 4)).asked.options
    assert options[0].value == "HERETIC"
    assert "says the report" in options[0].words
    assert options[-1].value == "unknown"
    details = sets(settle(task, (2, 4), {"detail-faction": "HERETIC"}))["ilse", "traumas", "b1-trauma-ilse"]["details"]
    assert details == {"faction": "HERETIC", "by": "Choir of Brass", "scenario": "hill-223"}


def test_a_fall_blames_nobody():
    task = trauma_of(aftermath=battle(out={"ilse": ""}))
    assert run(task, (6, 6)).asked.options[0].value == "unknown"
    kept = sets(settle(task, (6, 6), {"detail-faction": "unknown"}))["ilse", "traumas", "b1-trauma-ilse"]
    assert (kept["details"]["faction"], kept["scar"]) == ("", False)


def test_every_faction_can_be_blamed_even_those_the_pack_lacks():
    values = {o.value for o in run(trauma_of(), (6, 6)).asked.options}
    assert len(values) >= 6


def test_a_minor_wound_misses_the_next_battle_and_is_a_scar():
    outcome = settle(trauma_of(aftermath=battle(3, out=["ilse"])), (3, 5))
    assert sets(outcome)["ilse", "misses_battle"] == 4
    assert sets(outcome)["ilse", "traumas", "b3-trauma-ilse"]["scar"] is True


@pytest.mark.parametrize("faces", [(3, 6), (4, 1), (5, 5), (6, 1), (6, 2)])
def test_full_recovery_leaves_nothing(faces):
    outcome = settle(trauma_of(), faces)
    assert outcome.consequences == ()
    assert "No scar." in outcome.will_do


def test_hardened_stays_with_the_fighter_without_a_scar():
    kept = sets(settle(trauma_of(), (6, 3)))["ilse", "traumas", "b1-trauma-ilse"]
    assert (kept["id"], kept["scar"]) == ("hardened", False)


@pytest.mark.parametrize(("face", "gain"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_bitter_lessons_give_d3_experience(face, gain):
    outcome = settle(trauma_of(force=wardens(replace(ILSE, experience=2))), (6, 4, face))
    assert sets(outcome) == {("ilse", "experience"): 2 + gain}


def test_bitter_lessons_stop_at_the_cap():
    outcome = settle(trauma_of(force=wardens(replace(ILSE, experience=17))), (6, 4, 6))
    assert sets(outcome) == {("ilse", "experience"): 18}


def test_robbed_loses_the_kit_alone():
    outcome = settle(trauma_of(), (6, 5))
    assert sets(outcome) == {}
    assert leaves(outcome, LosesItems)[0].items == ("ilse-sword-axe", "ilse-standard-armour")
    assert outcome.grave


# --- scars that cannot be had twice, and the third


def test_a_scar_borne_already_is_rolled_again_and_said():
    scarred = replace(ILSE, traumas=(ForceTrauma("t", "leg-wound"),))
    progress = run(trauma_of(force=wardens(scarred)), (3, 1, 3, 1, 2, 5))
    assert progress.outcome.sentence == "Ilse Brandt: Paranoid."
    assert "rolled again" in shown(progress)
    assert [d.faces for d in progress.draws] == [(3, 1), (3, 1), (2, 5)]


def test_a_result_without_a_scar_may_recur():
    hardened = replace(ILSE, traumas=(ForceTrauma("t", "hardened", scar=False),))
    assert settle(trauma_of(force=wardens(hardened)), (6, 3)).sentence == "Ilse Brandt: Hardened."


def test_the_third_scar_kills():
    scarred = replace(ILSE, traumas=(ForceTrauma("a", "leg-wound"), ForceTrauma("b", "paranoid")))
    outcome = settle(trauma_of(force=wardens(scarred)), (2, 6))
    assert leaves(outcome, Leaves)[0].status == "dead"
    assert outcome.sentence.startswith("Third scar: Lost Arm.")
    assert outcome.grave


@pytest.mark.parametrize("skill", ["war-luck", "endure-the-suffering"])
def test_a_raised_limit_bears_the_third_scar(skill):
    scarred = fighter("ilse", "lieutenant", "Ilse Brandt", skills=(skill,), traumas=("leg-wound", "paranoid"))
    outcome = settle(trauma_of(force=wardens(scarred)), (2, 6))
    assert leaves(outcome, Leaves) == []
    assert "One scar, 3 of 3." in outcome.will_do


def test_a_result_without_a_scar_does_not_kill_at_the_limit():
    scarred = fighter("ilse", "lieutenant", "Ilse Brandt", traumas=("leg-wound", "paranoid"))
    assert leaves(settle(trauma_of(force=wardens(scarred)), (6, 3)), Leaves) == []
    assert leaves(settle(trauma_of(force=wardens(scarred)), (1, 2)), Leaves) == []


# --- optional re-rolls


@pytest.mark.parametrize("skill", ["healing-arts", "tis-but-a-scratch"])
def test_a_skill_lets_the_second_result_stand(skill):
    task = trauma_of(force=wardens(fighter("ilse", "lieutenant", "Ilse Brandt", skills=(skill,))))
    assert run(task, (1, 1)).asked.key == "re-roll"
    assert settle(task, (1, 1), {"re-roll": "keep"}).grave
    assert settle(task, (1, 1, 4, 4), {"re-roll": "again"}).consequences == ()


def test_two_such_skills_grant_one_re_roll():
    both = fighter("ilse", "lieutenant", "Ilse Brandt", skills=("healing-arts", "tis-but-a-scratch"))
    outcome = settle(trauma_of(force=wardens(both)), (1, 3, 1, 6), {"re-roll": "again"})
    assert outcome.sentence == "Ilse Brandt: Chest Wound."


def test_somebody_elses_skill_grants_nothing():
    priest = fighter("anselm", "trench-cleric", skills=("healing-arts",))
    assert settle(trauma_of(force=wardens(ILSE, priest)), (1, 6)).sentence == "Ilse Brandt: Chest Wound."


# --- everybody else


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_a_trooper_dies_on_1_and_2(face):
    task = tasks("injuries", wardens(), battle(out=["kolya"]))["casualty-kolya"]
    progress = run(task, (face,))
    dead = face <= 2
    assert [c.status for c in leaves(progress.outcome, Leaves)] == (["dead"] if dead else [])
    assert progress.outcome.grave is dead
    assert f"[1-2 Dies{'*' if dead else ''}] [3-6 Survives{'' if dead else '*'}]" in shown(progress)


@pytest.mark.parametrize("face", [1, 3])
def test_a_golem_that_is_killed_stays_lifeless_with_its_kit_and_goes_nowhere(face):
    force = wardens(ILSE, fighter("adam", "golem", kit=("sword-axe",)))
    outcome = settle(tasks("injuries", force, battle(out=["adam"]))["casualty-adam"], (face,))
    assert leaves(outcome, Leaves) == []
    if face == 3:
        assert sets(outcome) == {}
        return
    assert sets(outcome) == {("adam", "lifeless"): True}
    fallen = after(force, outcome)
    assert fallen.fighter("adam").lifeless
    assert [piece.item for piece in fallen.fighter("adam").kit] == ["sword-axe"]
    told = tasks("injuries", fallen, battle(out=["adam"]), written("casualty-adam"))["casualty-adam"]
    assert settle(told).sentence == "Adam is lifeless."
    (row,) = [row for row in system("trench-crusade").battle.muster(content(), fallen) if row.fighter == "adam"]
    assert row.closed == "Adam is lifeless until revived."


def test_the_dead_leave_with_their_kit_and_the_amount_is_said():
    outcome = settle(tasks("injuries", wardens(), battle(out=["kolya"]))["casualty-kolya"], (1,))
    force = after(wardens(), outcome)
    assert force.fighter("kolya").status == "dead"
    assert any("Trench Shield" in line for line in outcome.will_do)
    assert any("55 ducats leave the roster" in line for line in outcome.will_do)  # shocktrooper 45, shield 10


def test_eternal_debt_spares_the_wretched_without_a_die():
    priest = fighter("priest", "heretic-priest", skills=("eternal-debt",))
    wretch, trooper = fighter("wretch", "wretched"), fighter("trooper", "heretic-trooper")
    force = wardens(priest, wretch, trooper, list="heretic-legion", patron="mammon")
    found = tasks("injuries", force, battle(out=["wretch", "trooper"]))
    assert settle(found["casualty-wretch"]).consequences == ()
    assert run(found["casualty-trooper"]).need is not None


# --- after it was written


def test_a_written_trauma_stays_listed_and_changes_nothing():
    force, aftermath = wardens(), battle(out=["ilse"])
    progress = run(trauma_of(force=force, aftermath=aftermath), (2, 2))
    done = after(force, progress.outcome)
    record = written("trauma-ilse", draws={"trauma-ilse": progress.draws})
    again = tasks("injuries", done, aftermath, record)
    assert list(again) == ["trauma-ilse"]  # still a D66, though she is not ELITE now
    outcome = settle(again["trauma-ilse"])
    assert outcome.consequences == ()
    assert outcome.sentence == "Ilse Brandt: Head Wound."


@pytest.mark.parametrize("faces", [(1, 1), (1, 2)])
def test_the_dead_and_the_captured_stay_listed(faces):
    force, aftermath = wardens(), battle(out=["ilse", "kolya"])
    progress = run(trauma_of(force=force, aftermath=aftermath), faces)
    record = written("trauma-ilse", draws={"trauma-ilse": progress.draws})
    done = after(force, progress.outcome)
    assert list(tasks("injuries", done, aftermath, record)) == ["trauma-ilse", "casualty-kolya"]
    gone = replace(done, fighters=tuple(f for f in done.fighters if f.key != "ilse"))
    found = tasks("injuries", gone, aftermath, record)
    assert set(found) == {"trauma-ilse", "casualty-kolya"}
    assert settle(found["trauma-ilse"]).consequences == ()


def test_a_trooper_promoted_since_keeps_its_written_casualty_roll():
    aftermath = battle(out=["ottla"])
    promoted = replace(OTTLA, promoted=True, choices={"promoted_after": 1})
    found = tasks("injuries", wardens(ILSE, promoted), aftermath, written("casualty-ottla"))
    assert list(found) == ["casualty-ottla"]


def test_kept_dice_resolve_the_same_on_another_device():
    task = trauma_of(force=wardens(fighter("ilse", "lieutenant", "Ilse Brandt", skills=("healing-arts",))))
    first = run(task, (1, 1))
    from rules.resolution import advance

    again = advance(task, first.draws, {})
    assert again.asked == first.asked
    assert again.draws == first.draws


def test_a_typed_seven_is_refused():
    with pytest.raises(Refusal, match="A die shows 1 to 6"):
        run(trauma_of(), (7, 1))


# --- a list that calls its dead back


def test_a_list_that_sells_a_return_is_asked_before_the_death_is_written():
    base = content()
    upgrade = replace_struct(
        base.pack.upgrades[0],
        id="martyr",
        name="Martyr",
        summary="Comes back as another.",
        effects=(BecomesEffect(profile="shocktrooper", clears_scars=True, clears_advancement=True),),
        options=(),
    )
    offer = replace_struct(
        base.pack.upgrade_offers[0],
        id="martyr-offer",
        upgrade="martyr",
        lists=("new-antioch",),
        price=Price(ducats=20),
        who=Holder(only_for=(Trait(profile="yeoman"),)),
        raises="at-once",
    )
    from rules.content.compiled import compile_content
    from rules.content.house import read_house_rules
    from rules.parts.post_battle import StepRecord
    from rules.trench_crusade import post_battle

    pack = replace_struct(
        base.pack, upgrades=(*base.pack.upgrades, upgrade), upgrade_offers=(*base.pack.upgrade_offers, offer)
    )
    special = compile_content(pack, read_house_rules({}))
    scarred = replace(OTTLA, skills=MAREK.skills, traumas=(ForceTrauma("a", "leg-wound"),))
    force = wardens(ILSE, scarred, fighter("kolya", "shocktrooper"))
    found = {
        t.key: t for t in post_battle.tasks(special, force, battle(out=["ottla", "kolya"]), StepRecord(), "injuries")
    }
    assert run(found["casualty-ottla"], (1,)).asked.key == "death"
    assert settle(found["casualty-ottla"], (1,), {"death": "die"}).grave
    back = settle(found["casualty-ottla"], (1,), {"death": "martyr-offer"})
    assert sets(back)["ottla", "traumas", "a"] is None
    assert not leaves(back, Leaves)
    assert settle(found["casualty-kolya"], (1,)).grave  # no such offer for a shocktrooper


def replace_struct(entry, **changes):
    """A pack entry with some fields changed."""
    import msgspec

    return msgspec.structs.replace(entry, **changes)
