"""The Trench Pilgrims in the campaign: who rises from the dead and when, who is broken on the wheel, and what they find."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Becomes, GainsItem, Joins, Leaves, Money
from rules.content.compiled import Content
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceTrauma, ForceUpgrade
from rules.legality.fielding import absent
from rules.legality.roster_state import examine
from rules.offers.upgrades import upgrade_offers
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.resolution import Outcome, Task
from rules.trench_crusade import camp, post_battle
from rules.trench_crusade.steps.death import RAISED_BY
from rules.trench_crusade.steps.promotion import eligible
from tests.unit.rules.evening import after, fighter, leaves, money, run, sets, settle, written

GAME = system("trench-crusade")
EDITIONS = ("1.6.3", "1.0")
INJURIES = {"1.6.3": "injuries", "1.0": "trauma"}
RISE = "trench-pilgrims-resurrection"

PROPHET = fighter("eli", "war-prophet", "Elias")
TOBIT = fighter("tobit", "trench-pilgrim", "Tobit", offer="trench-pilgrims-trench-pilgrim", kit=("musket",))
PRISONER = fighter("nine", "ecclesiastic-prisoner", "Number Nine", kit=("martyrdom-device",))
SHRINE = fighter("shrine", "anchorite-shrine", "The Shrine")
NUN = fighter("agnes", "stigmatic-nun", "Agnes")
ROSTER = (PROPHET, TOBIT, PRISONER, SHRINE, NUN)


def content(edition: str) -> Content:
    return GAME.content(edition)


def band(edition: str, *fighters: ForceFighter, **known: Any) -> Force:
    base: dict[str, Any] = {
        "list": "trench-pilgrims",
        "name": "The Broken Litany",
        "patron": "learned-saint",
        "founding": False,
        "strongbox": Price(100, 5),
        "battles": Battles(1),
        "fighters": fighters or ROSTER,
    }
    base.update(known)
    return Force("trench-crusade", edition, **base)


def battle(*out: str) -> Aftermath:
    mine = BattleSide(
        side="mine",
        name="The Broken Litany",
        list="trench-pilgrims",
        faction_keyword="PILGRIM",
        won=False,
        took_part=tuple(f.key for f in ROSTER),
        out=out,
        out_by=dict.fromkeys(out, "choir"),
    )
    choir = BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", True)
    return Aftermath("b1", 1, "hill-223", mine, (choir,))


def tasks(edition: str, force: Force, *out: str, step: str = "", record: StepRecord | None = None) -> dict[str, Task]:
    found = post_battle.tasks(content(edition), force, battle(*out), record or StepRecord(), step or INJURIES[edition])
    return {task.key: task for task in found}


def dies(edition: str, force: Force, way: str, key: str = "tobit") -> Outcome:
    return settle(tasks(edition, force, key)[f"casualty-{key}"], (1,), {"death": way})


# --- who rises


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_death_of_a_pilgrim_waits_for_the_decision(edition: str) -> None:
    progress = run(tasks(edition, band(edition), "tobit")["casualty-tobit"], (1,))
    assert progress.outcome is None
    assert progress.asked is not None
    assert progress.asked.key == "death"
    assert [o.value for o in progress.asked.options] == ["die", RISE]
    gone = dies(edition, band(edition), "die")
    assert [(x.fighter, x.status, x.kit_to_stash) for x in leaves(gone, Leaves)] == [("tobit", "dead", False)]
    assert not leaves(gone, Money)


def test_in_1_6_3_it_is_paid_at_once_and_scars_and_skills_go() -> None:
    scarred = replace(
        TOBIT,
        promoted=True,
        experience=5,
        advances=2,
        skills=fighter("x", "trench-pilgrim", skills=("champion",)).skills,
        traumas=(ForceTrauma("t1", "leg-wound", battle=1), ForceTrauma("t2", "facial-scar", scar=False, battle=1)),
        scars=1,
        upgrades=(ForceUpgrade("u", "zealot-strength", "trench-pilgrim-zealot-strength", Price(5)),),
    )
    force = band("1.6.3", PROPHET, scarred)
    risen = settle(tasks("1.6.3", force, "tobit")["trauma-tobit"], (1, 1), {"death": RISE})
    assert money(risen) == Price(-45)
    assert leaves(risen, Becomes) == [Becomes("tobit", "martyr-penitent", "Martyr-Penitent Resurrection")]
    changed = sets(risen)
    assert changed["tobit", "traumas", "t1"] is None
    assert changed["tobit", "traumas", "t2"] is None
    assert (changed["tobit", "scars"], changed["tobit", "experience"], changed["tobit", "advances"]) == (0, 0, 0)
    assert not leaves(risen, Leaves)
    now = after(force, risen).fighter("tobit")
    assert [u.upgrade for u in now.upgrades] == ["zealot-strength", "martyr-penitent-resurrection"]
    assert [i.item for i in now.kit] == ["musket"]
    assert now.skills == ()
    assert now.promoted


def test_in_1_0_it_lies_lifeless_until_the_camp_raises_it() -> None:
    force = band("1.0")
    laid = dies("1.0", force, RISE)
    assert not leaves(laid, Money)
    assert not leaves(laid, Leaves)
    lying = after(force, laid)
    assert lying.fighter("tobit").lifeless
    assert "lifeless" in absent(examine(content("1.0"), lying), "tobit")
    (task,) = [t for t in camp.camp_tasks(content("1.0"), lying) if t.key == "raise-tobit"]
    raised = settle(task, (), {"way": "raise"})
    assert money(raised) == Price(-45)
    changed = sets(raised)
    assert changed["tobit", "lifeless"] is False
    assert changed["tobit", "choices", RAISED_BY] is None
    assert leaves(raised, Becomes)[0].profile == "martyr-penitent"
    again = after(lying, raised)
    assert not [t for t in camp.camp_tasks(content("1.0"), again) if t.key.startswith("raise-")]
    assert leaves(settle(task, (), {"way": "let-go"}), Leaves)[0].status == "dead"


def test_a_body_that_the_camp_did_not_raise_is_lost_when_the_roster_closes() -> None:
    lying = after(band("1.0"), dies("1.0", band("1.0"), RISE))
    closed = settle(tasks("1.0", lying, step="roster")["close"])
    assert [(x.fighter, x.status) for x in leaves(closed, Leaves)] == [("tobit", "dead")]
    called = written("reinforcements", choices={"reinforcements": {"way": "reinforce"}})
    held = settle(tasks("1.0", lying, step="roster", record=called)["close"])
    assert not leaves(held, Leaves)  # there was no camp: it waits for the next


def test_reinforcements_and_an_empty_purse_raise_nobody() -> None:
    lying = after(band("1.0"), dies("1.0", band("1.0"), RISE))
    for force in (
        replace(lying, strongbox=Price(44)),
        replace(lying, state={"reinforcing": {"battle": 1, "ducats": 200}}, strongbox=Price(200)),
    ):
        (task,) = [t for t in camp.camp_tasks(content("1.0"), force) if t.key == "raise-tobit"]
        asked = run(task).asked
        assert asked is not None
        assert [bool(o.closed) for o in asked.options] == [True, False]
        with pytest.raises(Refusal, match="is closed"):
            settle(task, (), {"way": "raise"})


def test_the_lifeless_are_neither_promoted_nor_learn() -> None:
    lying = after(band("1.0"), dies("1.0", band("1.0"), RISE))
    scene = post_battle.step_context(content("1.0"), lying, battle("tobit"), StepRecord())
    assert eligible(scene) == ("agnes",)
    assert eligible(replace(scene, force=band("1.0"))) == ("tobit", "agnes")
    elite = replace(lying.fighter("tobit"), promoted=True)
    assert not post_battle.step_context(
        content("1.0"), lying.with_fighter(elite), battle("tobit"), StepRecord()
    ).learns("tobit")


def test_44_ducats_raise_nobody_in_1_6_3() -> None:
    poor = band("1.6.3", strongbox=Price(44))
    asked = run(tasks("1.6.3", poor, "tobit")["casualty-tobit"], (1,)).asked
    assert asked is not None
    assert [bool(o.closed) for o in asked.options] == [False, True]
    exactly = band("1.6.3", strongbox=Price(45))
    assert money(dies("1.6.3", exactly, RISE)) == Price(-45)


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_rises_twice_and_only_pilgrims_rise(edition: str) -> None:
    risen = replace(
        TOBIT,
        profile="martyr-penitent",
        upgrades=(ForceUpgrade("u", "martyr-penitent-resurrection", RISE, Price(45)),),
    )
    for key, force in (
        ("tobit", band(edition, PROPHET, risen)),
        ("agnes", band(edition)),
        ("nine", band(edition)),
        ("tobit", band(edition, list="cavalcade-of-the-tenth-plague")),
        ("tobit", band(edition, list="war-pilgrimage-of-saint-methodius")),
    ):
        outcome = settle(tasks(edition, force, key)[f"casualty-{key}"], (1,))
        assert [x.status for x in leaves(outcome, Leaves)] == ["dead"]
    procession = band(edition, list="procession-of-the-sacred-affliction")
    assert run(tasks(edition, procession, "tobit")["casualty-tobit"], (1,)).asked is not None


@pytest.mark.parametrize("edition", EDITIONS)
def test_rising_is_never_for_sale(edition: str) -> None:
    force = band(edition, founding=True, strongbox=Price(500), battles=Battles(0))
    offered = {o.ref for o in upgrade_offers(content(edition), force, "tobit")}
    assert "zealot-strength" in offered
    assert "martyr-penitent-resurrection" not in offered


# --- who is broken on the wheel


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shrine_may_have_broken_one_whose_kit_stays(edition: str) -> None:
    found = tasks(edition, band(edition))
    task = found["given-up"]
    assert task.optional
    asked = run(task).asked
    assert asked is not None
    assert {o.value for o in asked.options} == {"tobit", "nine"}
    outcome = settle(task, (), {"given-up": ["nine"]})
    (gone,) = leaves(outcome, Leaves)
    assert (gone.fighter, gone.status, gone.kit_to_stash) == ("nine", "dead", True)
    assert [x.item for x in leaves(outcome, GainsItem)] == ["iron-capirote"]
    assert settle(task, (), {"given-up": []}).consequences == ()
    with pytest.raises(Refusal):
        settle(task, (), {"given-up": ["tobit", "nine"]})


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_broken_without_a_shrine_or_under_saint_methodius(edition: str) -> None:
    assert "given-up" not in tasks(edition, band(edition, PROPHET, TOBIT))
    cloister = replace(SHRINE, profile="methodius-anchorite-shrine")
    mild = band(edition, PROPHET, TOBIT, cloister, list="war-pilgrimage-of-saint-methodius")
    assert "given-up" not in tasks(edition, mild)


def test_in_1_0_the_wrathful_are_never_broken() -> None:
    angry = replace(TOBIT, upgrades=(ForceUpgrade("u", "wrath-of-god", "sacred-affliction-wrath-of-god", Price(15)),))
    for edition, open_to in (("1.6.3", True), ("1.0", False)):
        force = band(edition, PROPHET, angry, SHRINE, list="procession-of-the-sacred-affliction")
        assert ("given-up" in tasks(edition, force)) is open_to


# --- what they find, and what is used up


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("list_id", "offer"),
    [
        ("trench-pilgrims", "found-ecclesiastic-prisoner"),
        ("cavalcade-of-the-tenth-plague", "found-ecclesiastic-prisoner"),
        ("procession-of-the-sacred-affliction", "found-sacred-affliction-ecclesiastic-prisoner"),
    ],
)
def test_the_survivor_is_a_prisoner(edition: str, list_id: str, offer: str) -> None:
    task = tasks(edition, band(edition, list=list_id), step="exploration")["exploration"]
    outcome = settle(task, (3, 3, 3), {"mod-1": "done"})
    assert [(x.offer, x.paid) for x in leaves(outcome, Joins)] == [(offer, Price())]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_they_use_up_is_gone_for_good(edition: str) -> None:
    carried = replace(TOBIT, kit=(ForceItem("icon", "blessed-icon"), ForceItem("pills", "martyrdom-pills")))
    force = band(edition, PROPHET, carried, PRISONER)
    used = {t.key for t in camp.camp_tasks(content(edition), force)}
    assert {"used-icon", "used-pills", "used-nine-martyrdom-device"} <= used
