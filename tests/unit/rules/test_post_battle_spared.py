"""What softens injuries: the field hospital, the resurrection engine, freedom for the Wretched; and scars known only by their number."""

from __future__ import annotations

from dataclasses import replace

from rules.consequences import Leaves, LosesItems
from rules.force import Force
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from tests.unit.rules.evening import (
    ILSE,
    OTTLA,
    after,
    battle,
    fighter,
    leaves,
    run,
    sets,
    settle,
    tasks,
    wardens,
    written,
)

MEDIC = fighter("grete", "combat-medic", "Grete")
WARD = fighter("ward", "yeoman", "Ward", kit=("field-hospital",))
LEG = (3, 1)
DEAD = (1, 1)


def trauma(force: Force, aftermath: Aftermath | None = None, record: StepRecord | None = None, key: str = "ilse"):
    return tasks("injuries", force, aftermath or battle(out=[key]), record)[f"trauma-{key}"]


# --- the field hospital


def test_a_field_hospital_spares_a_scar_on_seven():
    force = wardens(ILSE, MEDIC, WARD)
    done = settle(trauma(force), [*LEG, 3, 4], {"hospital": "use"})
    assert after(force, done).fighter("ilse").traumas == ()


def test_below_seven_it_does_not_help():
    force = wardens(ILSE, MEDIC, WARD)
    done = settle(trauma(force), [*LEG, 2, 4], {"hospital": "use"})
    assert [t.trauma for t in after(force, done).fighter("ilse").traumas] == ["leg-wound"]
    assert after(force, done).fighter("ilse").scars is None


def test_a_double_one_costs_a_scar_more():
    force = wardens(ILSE, MEDIC, WARD)
    done = settle(trauma(force), [*LEG, 1, 1], {"hospital": "use"})
    hurt = after(force, done).fighter("ilse")
    assert (len(hurt.traumas), hurt.scars) == (1, 2)
    marked = replace(ILSE, traumas=fighter("x", "yeoman", traumas=("chest-wound",)).traumas)
    worse = settle(trauma(wardens(marked, MEDIC, WARD)), [*LEG, 1, 1], {"hospital": "use"})
    assert leaves(worse, Leaves)[0].status == "dead"


def test_it_may_be_kept_for_another_and_serves_once_after_a_battle():
    marek = fighter("marek", "sniper-priest", "Marek")
    force, fought = wardens(ILSE, marek, MEDIC, WARD), battle(out=["ilse", "marek"])
    kept = settle(trauma(force, fought), LEG, {"hospital": "leave"})
    assert ("ilse", "traumas", "b1-trauma-ilse") in sets(kept)
    spent = written("trauma-ilse", choices={"trauma-ilse": {"hospital": "use"}})
    settle(trauma(force, fought, spent, "marek"), LEG)  # asks nothing
    free = written("trauma-ilse", choices={"trauma-ilse": {"hospital": "leave"}})
    assert run(trauma(force, fought, free, "marek"), LEG).asked.key == "hospital"


def test_it_needs_a_medic_and_a_scar():
    settle(trauma(wardens(ILSE, WARD)), LEG)
    settle(trauma(wardens(ILSE, MEDIC, WARD)), (6, 3))  # hardened leaves no scar


# --- the resurrection engine


def test_an_engine_cancels_a_death_and_is_gone():
    keeper = replace(OTTLA, kit=fighter("k", "yeoman", kit=("resurrection-engine",)).kit)
    force = wardens(ILSE, keeper)
    lives = settle(trauma(force), DEAD, {"engine": "use"})
    assert [type(c) for c in lives.consequences] == [LosesItems]
    saved = after(force, lives)
    assert saved.fighter("ilse").status == "active"
    assert saved.fighter("ilse").traumas == ()
    assert saved.fighter("ottla").kit == ()
    dies = settle(trauma(force), DEAD, {"engine": "rest"})
    assert leaves(dies, Leaves)[0].status == "dead"


def test_an_engine_serves_troops_and_a_third_scar_too():
    engine = fighter("k", "yeoman", kit=("resurrection-engine",)).kit
    force = wardens(ILSE, OTTLA, stash=engine)
    casualty = tasks("injuries", force, battle(out=["ottla"]))["casualty-ottla"]
    assert after(force, settle(casualty, [1], {"engine": "use"})).fighter("ottla").active
    scarred = replace(ILSE, traumas=fighter("x", "yeoman", traumas=("chest-wound", "paranoid")).traumas)
    third = settle(trauma(wardens(scarred, stash=engine)), LEG, {"engine": "use"})
    assert [type(c) for c in third.consequences] == [LosesItems]


# --- scars brought from paper


def test_a_scar_is_added_to_those_that_were_only_counted():
    veteran = replace(ILSE, scars=1)
    force = wardens(veteran, MEDIC)
    once = after(force, settle(trauma(force), LEG))
    assert once.fighter("ilse").scars == 2
    third = settle(trauma(once, battle(2, out=["ilse"])), (1, 6))
    assert leaves(third, Leaves)[0].status == "dead"


# --- the Law of Hell


def legion(*, deeds=(), out=()):
    wretched = [fighter(k, "wretched", k.capitalize(), kit=("trench-club",)) for k in ("mote", "grub")]
    priest = fighter("priest", "heretic-priest", "Brazen")
    force = wardens(priest, *wretched, list="heretic-legion", patron="mammon")
    mine = BattleSide("wardens", "Choir", "heretic-legion", "HERETIC", False, took_part=("priest", "mote", "grub"), out=tuple(out),
                      out_by=dict.fromkeys(out, "foe"), deeds=tuple(deeds))  # fmt: skip
    return force, Aftermath("b1", 1, "hill-223", mine, (BattleSide("foe", "Foe", "new-antioch", "NEW ANTIOCH", True),))


def test_a_wretched_that_did_a_deed_goes_free_with_its_kit():
    force, fought = legion(deeds=[("sniper", "mote")])
    task = tasks("injuries", force, fought)["freed"]
    assert not task.optional
    free = after(force, settle(task, (), {"freed": ["mote"]}))
    assert (free.fighter("mote").status, free.fighter("grub").status, free.stash) == ("left", "active", ())


def test_who_took_an_elite_out_is_asked_for_without_pressing():
    force, fought = legion(out=["grub"])
    found = tasks("injuries", force, fought)
    assert found["freed"].optional
    assert [o.value for o in run(found["freed"]).asked.options] == ["mote"]
    assert settle(found["freed"], (), {"freed": []}).consequences == ()
    assert "freed" not in tasks("injuries", wardens(), battle(out=["ilse"]))


def test_freedom_written_stays_listed():
    force, fought = legion(deeds=[("sniper", "mote")])
    gone = after(force, settle(tasks("injuries", force, fought)["freed"], (), {"freed": ["mote", "grub"]}))
    again = tasks("injuries", gone, fought, written("freed"))["freed"]
    assert settle(again).consequences == ()
