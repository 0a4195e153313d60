"""What only the 1.0 campaign phase does: the hospital at the end of Trauma, ransoms, going home, promotions model by model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.consequences import Leaves, LosesItems, Pays
from rules.force import ForceItem, ForceTrauma
from rules.parts.post_battle import Aftermath
from rules.price import Price
from rules.problems import Refusal
from rules.trench_crusade import post_battle
from tests.unit.rules import evening
from tests.unit.rules.evening import leaves, run, sets, settle, written
from tests.unit.rules.evening_1_0 import ILSE, KOLYA, MAREK, OTTLA, content, game, tasks, wardens

SCARS = (ForceTrauma("t1", "chest-wound", battle=1), ForceTrauma("t2", "hand-wound", battle=1))
MEDIC = evening.fighter("rosa", "combat-medic", "Rosa")
HOSPITAL = (ForceItem("house", "field-hospital", "found"),)


def hospital(*fighters, out=(), record=None):
    force = wardens(*fighters, MEDIC, stash=HOSPITAL)
    return tasks("trauma", force, game(out=out), record).get("hospital")


def test_every_part_that_a_pack_names_is_registered():
    for edition in ("v1_0", "v1_6_3"):
        from rules.content.load import PACKS, load_pack

        pack = load_pack(PACKS / "trench_crusade" / edition)
        assert pack.campaign is not None
        named = {part for step in pack.campaign.steps for part in step.parts}
        assert named <= set(post_battle.PARTS)
        assert named
        known = {step.id for step in pack.campaign.steps}
        assert set(pack.campaign.rules.reinforcements_skip) <= known


def test_the_hospital_waits_for_every_injury_and_needs_no_visit():
    task = hospital(replace(ILSE, traumas=SCARS[:1]), OTTLA, out=("ottla",))
    assert task is not None
    assert (task.optional, task.needs) == (True, ("casualty-ottla",))
    assert hospital(ILSE, OTTLA) is None  # nobody bears a scar


@pytest.mark.parametrize(
    ("faces", "path", "value"), [((3, 4), ("ilse", "traumas", "t1", "scar"), False), ((1, 1), ("ilse", "scars"), 2)]
)
def test_the_hospital_heals_a_scar_or_adds_one(faces, path, value):
    outcome = settle(hospital(replace(ILSE, traumas=SCARS[:1])), faces, {"patient": "ilse"})
    assert sets(outcome)[path] == value


def test_the_hospital_may_change_nothing_or_send_home():
    assert settle(hospital(replace(ILSE, traumas=SCARS[:1])), (2, 3), {"patient": "ilse"}).consequences == ()
    home = settle(hospital(replace(ILSE, traumas=SCARS)), (1, 1), {"patient": "ilse"})
    assert [(c.status, c.kit_to_stash) for c in leaves(home, Leaves)] == [("retired", True)]


def at_a_guests() -> Aftermath:
    """Ilse taken out by a guest, who keeps no books here."""
    lost = game(out=("ilse",))
    return replace(lost, others=tuple(replace(side, guest=True) for side in lost.others))


def test_without_ducats_no_ransom_is_paid():
    task = tasks("trauma", wardens(strongbox=Price(0, 5)), at_a_guests())["trauma-ilse"]
    asked = run(task, (1, 2)).asked
    assert asked is not None
    assert {o.value: bool(o.closed) for o in asked.options} == {"paid": True, "unpaid": False}
    with pytest.raises(Refusal, match="you have no ducats"):
        run(task, (1, 2), {"ransom": "paid", "ducats": 1})


def test_a_ransom_is_no_more_than_the_strongbox_holds():
    task = tasks("trauma", wardens(), at_a_guests())["trauma-ilse"]
    with pytest.raises(Refusal, match="outside 1 to 84"):
        run(task, (1, 2), {"ransom": "paid", "ducats": 85})
    paid = settle(task, (1, 2), {"ransom": "paid", "ducats": 84})
    assert leaves(paid, Pays) == [Pays("choir", Price(ducats=84), "Ransom for Ilse Brandt")]


def test_what_cannot_be_taken_off_goes_home_with_its_bearer():
    fixed = next(i.id for i in content().pack.items if any(type(e).__name__ == "CannotMoveEffect" for e in i.effects))
    bearer = replace(ILSE, traumas=SCARS, kit=(ForceItem("fixed", fixed), ForceItem("axe", "sword-axe")))
    outcome = settle(tasks("trauma", wardens(bearer, OTTLA), game(out=("ilse",)))["trauma-ilse"], (1, 3))
    assert [c.items for c in leaves(outcome, LosesItems)] == [("fixed",)]


def promotions(*fighters, deeds=(), **known):
    return tasks("promotions", wardens(*fighters, **known), game(deeds=deeds))["promotion"]


DEEDS = tuple((name, "ilse") for name in "abc")


def test_each_model_rolls_until_its_own_six():
    task = promotions(ILSE, MAREK, OTTLA, KOLYA, deeds=DEEDS)
    outcome = settle(task, (6, 1, 6), {"dice": {"ottla": 2, "kolya": 2}, "model-0-0": "ottla"})
    assert outcome.sentence == "Ottla and Kolya are promoted."
    assert sets(outcome)["ottla", "promoted"] is True
    assert sets(outcome).get(("", "promotion_misses")) is None  # a six ends the streak at 0 again


def test_the_streak_goes_on_and_the_sixth_die_cannot_fail():
    missed = settle(promotions(ILSE, OTTLA, promotion_misses=3), (1,), {"dice": {"ottla": 1}})
    assert sets(missed)["", "promotion_misses"] == 4
    sure = settle(promotions(ILSE, OTTLA, promotion_misses=5), (), {"dice": {"ottla": 1}})
    assert sure.sentence == "Ottla is promoted."
    assert sets(sure)["", "promotion_misses"] == 0


def test_rolling_stops_when_the_elite_are_full():
    others = tuple(evening.fighter(f"e{n}", "yeoman", f"E{n}", promoted=True) for n in range(3))
    task = promotions(ILSE, MAREK, *others, OTTLA, KOLYA, deeds=DEEDS)
    outcome = settle(task, (6,), {"dice": {"ottla": 2, "kolya": 2}, "model-0-0": "ottla"})
    assert outcome.sentence == "Ottla is promoted."
    assert any("left over are lost" in line for line in outcome.will_do)


def test_experience_comes_after_the_promotions_and_reaches_who_was_promoted():
    force = wardens(ILSE, OTTLA)
    assert tasks("promotions", force, game())["experience"].needs == ("promotion",)
    risen = replace(OTTLA, promoted=True, choices={"promoted_after": 1})
    tally = tasks("promotions", wardens(ILSE, risen), game(), written("promotion"))["experience"]
    assert sets(settle(tally))["ottla", "experience"] == 1


def test_a_deed_of_the_warband_teaches_its_leader():
    deed = next(d.id for d in content().pack.deeds if d.leader_learns)
    tally = tasks("promotions", wardens(ILSE, OTTLA), game(deeds=((deed, ""),)), written("promotion"))["experience"]
    assert sets(settle(tally))["ilse", "experience"] == 2
