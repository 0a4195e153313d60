"""The games of units by hand: what own dice did is counted with + and −, and a turn is finished without the app's dice."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Battle, TableAct
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table, undo_at_table
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.tracker.state import TableFighter, TableState, read_state
from tests import campaign_stories as c
from warbands.recording import AlreadyDone

pytestmark = pytest.mark.django_db


def state_of(battle: Battle) -> TableState:
    battle.table.refresh_from_db()
    return read_state(battle.table.state)


def named(battle: Battle, name: str) -> TableFighter:
    return next(fighter for fighter in state_of(battle).fighters if fighter.name == name)


def own(battle: Battle, user: Any) -> tuple[TableFighter, ...]:
    return state_of(battle).of(str(c.side(battle, user).pk))


def laid(cleo: Any, ada: Any, ben: Any, system: str, mine: str, theirs: str) -> Battle:
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system=system, edition=""), cleo)
    c.joins(made, ada, sample=mine)
    c.joins(made, ben, sample=theirs)
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=battle, actor=ada)
    return battle


@pytest.fixture
def wire(ada: Any, ben: Any, cleo: Any) -> Battle:
    return laid(cleo, ada, ben, "gloom-trench", "lamplight-column", "red-ford-company")


def count(battle: Battle, actor: Any, fighter: TableFighter, marker: str, change: int) -> TableAct:
    data = {"kind": "marker", "fighter": fighter.key, "marker": marker, "change": change}
    return act_at_table(battle=battle, actor=actor, data=data)


def test_models_go_one_by_one_and_come_back_by_undo(wire: Battle, ada: Any) -> None:
    unit = next(fighter for fighter in own(wire, ada) if Troop(fighter).models[0].full > 2)
    sort = Troop(unit).models[0]
    act = count(wire, ada, unit, f"{sort.slug}_left", -1)
    assert f"{sort.name.lower()} left {sort.full} to {sort.full - 1}" in act.told
    assert Troop(named(wire, unit.name)).models[0].left == sort.full - 1
    assert not named(wire, unit.name).markers
    with pytest.raises(Refusal, match="is the most"):
        count(wire, ada, unit, f"{sort.slug}_left", 2)
    undo_at_table(battle=wire, actor=ada, number=act.number)
    assert Troop(named(wire, unit.name)).models[0].left == sort.full


def test_a_unit_is_out_with_its_last_model(wire: Battle, ada: Any) -> None:
    unit = own(wire, ada)[0]
    for sort in Troop(unit).models:
        count(wire, ada, unit, f"{sort.slug}_left", -sort.left)
    gone = named(wire, unit.name)
    assert gone.out
    assert not gone.markers


def test_a_turn_is_finished_by_hand_once_whoever_presses(wire: Battle, ada: Any, ben: Any) -> None:
    roll_at_table(battle=wire, actor=ada, roll="next", data={"from": "setup"}, source="app")
    act = act_at_table(battle=wire, actor=ada, data={"kind": "played", "turn": 1})
    assert act.told == "Turn 1 was finished by hand. Turn 2 begins."
    with pytest.raises(AlreadyDone):
        act_at_table(battle=wire, actor=ben, data={"kind": "played", "turn": 1})
    state = state_of(wire)
    assert (state.turn, state.facts["phase"], state.facts["active"]) == (2, "effects", "")
    undo_at_table(battle=wire, actor=ada, number=act.number)
    assert state_of(wire).turn == 1
    assert state_of(wire).facts["phase"] == "effects"


def test_a_turn_by_hand_leaves_nothing_owed_and_nobody_active(ada: Any, ben: Any, cleo: Any) -> None:
    canal = laid(cleo, ada, ben, "trench-too-far", "canal-company", "quarry-company")
    side = str(c.side(canal, ada).pk)
    act_at_table(battle=canal, actor=ada, data={"kind": "initiative", "side": side})
    company = named(canal, "Canal Company")
    roll_at_table(battle=canal, actor=ada, roll="order", data={"fighter": company.key, "order": "fire"}, source="app")
    keepers, hill = named(canal, "Lock Keepers"), named(canal, "Hill Platoon")
    assert state_of(canal).facts["active"]
    act_at_table(battle=canal, actor=ben, data={"kind": "played", "turn": 1})
    state = state_of(canal)
    assert (state.turn, state.facts["active"], state.facts["assault"]) == (2, "", None)
    part = next(iter(hill.markers))
    count(canal, ben, hill, part, -1)
    assert named(canal, hill.name).markers[part] == hill.markers[part] - 1
    assert keepers.key
    with pytest.raises(Refusal):
        act_at_table(battle=canal, actor=ada, data={"kind": "turn", "turn": 2})


def test_trench_crusade_ends_its_turns_by_its_own_button(ada: Any, ben: Any, cleo: Any) -> None:
    battle = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    with pytest.raises(Refusal, match="no such act"):
        act_at_table(battle=battle, actor=ada, data={"kind": "played", "turn": 1})
