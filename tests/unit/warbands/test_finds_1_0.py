"""Finds of edition 1.0 written through the services: a dog that joins, points for the campaign, a scar that goes and its trauma that stays."""

from __future__ import annotations

from typing import Any

import pytest

from rules.consequences import SetFighter, SetWarband
from rules.parts.post_battle import StepRecord
from rules.trench_crusade.camp import camp_tasks
from tests import stories as s
from tests.unit.rules.evening import run
from tests.unit.rules.evening_1_0 import faces_for, game
from warbands.adapters import force_of
from warbands.models import Fighter, Warband
from warbands.recording import recording
from warbands.services.consequences import carry_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def warband(ada: Any) -> Warband:
    """A small New Antioch warband of 1.0, in camp."""
    made = s.found(ada, terms=s.terms(edition="1.0"))
    s.hire(made, "Lieutenant", "Ilse Brandt")
    s.equip(s.fighter(made, "Ilse Brandt"), "Sword/Axe")
    s.hire(made, "Yeoman", "Ottla")
    s.hire(made, "Yeoman", "Matthias")
    return s.ready(made)


def explores(warband: Warband, location: str, option: str = "", rolled: tuple[int, ...] = (), **choices: Any) -> None:
    """Explore on plain dice that reach a location, and write what it brings."""
    warband = s.fresh(warband)
    number, faces, table = faces_for(location)
    force, terms = force_of(warband), warband.terms
    aftermath = game(number)
    given = {"mod-1": "done", **table, **({"option": option} if option else {}), **choices}
    record = terms.game.post_battle.tasks(terms.content, force, aftermath, StepRecord(), "exploration")
    outcome = run(record[0], (*faces, *rolled), given).outcome
    writes(warband, outcome.consequences)


def writes(warband: Warband, consequences: Any) -> None:
    with recording(warband, kind="write", actor=warband.owner) as act:
        carry_out(act, warband, consequences)
        act.say("{who} explored.")


def test_a_found_dog_joins_free_and_undo_sends_it_off(warband: Warband) -> None:
    before = s.purse(warband)
    explores(warband, "heavy-weapons-cache", "specialise", **{"reward-1": "trench-dog"})
    dog = Fighter.objects.get(warband=warband, profile_id="trench-dog")
    assert (dog.hired_as, dog.paid_glory, dog.status) == ("item", 0, "active")
    assert s.purse(warband).glory == before.glory
    s.assert_reconciled(warband)
    s.take_back(warband)
    assert not Fighter.objects.live().filter(warband=warband, profile_id="trench-dog").exists()
    s.assert_reconciled(warband)


def test_points_of_finds_add_up(warband: Warband) -> None:
    explores(warband, "treasure-of-the-holies", rolled=(6,))
    assert s.fresh(warband).state["campaign_points"] == 3
    writes(warband, [SetWarband(("locations", "treasure-of-the-holies"), None)])
    explores(warband, "treasure-of-the-holies", rolled=(1,))
    assert s.fresh(warband).state["campaign_points"] == 4
    s.assert_reconciled(warband)


def test_fluids_take_the_scar_and_leave_the_trauma(warband: Warband) -> None:
    ilse = s.fighter(warband, "Ilse Brandt")
    wound = {"id": "leg-wound", "scar": True, "details": {}, "battle": 1}
    fluids = {"id": "curative-fluids", "choices": {}}
    writes(warband, [SetFighter(str(ilse.pk), ("traumas", "t1"), wound), SetWarband(("lasting", "l1"), fluids)])
    fresh = s.fresh(warband)
    task = camp_tasks(fresh.terms.content, force_of(fresh))[0]
    outcome = run(task, (), {"who": str(ilse.pk)}).outcome
    assert outcome is not None
    writes(warband, outcome.consequences)
    state = s.fighter(warband, "Ilse Brandt").state
    assert state["traumas"]["t1"]["scar"] is False
    assert state["traumas"]["t1"]["id"] == "leg-wound"
    assert s.fresh(warband).state["lasting"] == {}
    s.assert_reconciled(warband)
