"""The Trench Pilgrims through the services: a death that is undone at once or in camp, and one that a Shrine asked for."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Battle, PostBattle
from campaigns.services.post_battle import keep_choice
from rules.consequences import Money
from rules.price import Price
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Warband
from warbands.recording import recording
from warbands.services.camp import use_find
from warbands.services.consequences import carry_out
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TOBIT, NINE = "Old Tobit", "Number Nine"
RISE = "trench-pilgrims-resurrection"


@story(params=["1.6.3", "1.0"])
def edition(request: pytest.FixtureRequest) -> str:
    """Each edition in turn."""
    return str(request.param)


@story
def made(cleo: Any, ada: Any, ben: Any, edition: str) -> c.Club:
    """Cleo's campaign in which Ada leads The Broken Litany and Ben The Gallows Choir."""
    made = c.club(cleo, edition=edition)
    c.joins(made, ada, "broken-litany")
    c.joins(made, ben, "gallows-choir")
    give(made.warband(ada), ada, 100)
    return made


def give(warband: Warband, actor: Any, ducats: int) -> None:
    """Let a warband have so many ducats more."""
    with recording(warband, kind="write", actor=actor) as act:
        carry_out(act, warband, [Money(Price(ducats=ducats), "A gift")])
        act.say("{who} wrote it down.")


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """A battle in which a Pilgrim went out."""
    scenario = "relic-hunt" if made.campaign.terms.edition == "1.0" else "hill-223"
    row = c.mustered(made, ada, ben, scenario=scenario)
    c.fight(row, by=ben, winner=ben, out={ada: [TOBIT]})
    return row


def key(made: c.Club, user: Any, kind: str, name: str) -> str:
    return f"{kind}-{c.keys(made.warband(user), name)[0]}"


def chosen(sequence: PostBattle, task: str, choice: str, value: Any, actor: Any) -> None:
    keep_choice(post_battle=sequence, task_key=task, choice_key=choice, value=value, actor=actor)


def test_a_pilgrim_dies_and_rises(made: c.Club, row: Battle, ada: Any, edition: str) -> None:
    sequence, task = c.begin(row, ada), key(made, ada, "casualty", TOBIT)
    before, purse = s.document(made.warband(ada)), s.purse(made.warband(ada))
    rating, carried = made.warband(ada).rating_ducats, sorted(s.kit_of(c.named(made.warband(ada), TOBIT)))
    assert carried
    c.type_in(sequence, task, 1)
    chosen(sequence, task, "death", RISE, ada)
    event = c.write(sequence, task)
    fallen = c.named(made.warband(ada), TOBIT)
    assert fallen.status == "active"
    if edition == "1.0":
        assert fallen.state["lifeless"] is True
        assert s.purse(made.warband(ada)) == purse
        raised = use_find(warband=made.warband(ada), actor=ada, task_key=f"raise-{fallen.pk}", choices={"way": "raise"})
        assert raised is not None
    risen = c.named(made.warband(ada), TOBIT)
    assert risen.profile_id == "martyr-penitent"
    assert not risen.state.get("lifeless")
    assert s.purse(made.warband(ada)).ducats == purse.ducats - 45
    assert made.warband(ada).rating_ducats == rating - 30 + 45
    assert sorted(s.kit_of(risen)) == carried
    assert [p.code for p in _problems(made.warband(ada))] == []
    s.assert_reconciled(made.warband(ada))
    s.take_back(made.warband(ada), ada)
    if edition == "1.0":
        undo(event=event, actor=ada)
    assert s.document(made.warband(ada)) == before
    s.assert_reconciled(made.warband(ada))


def test_whom_the_wheel_broke_leaves_and_its_kit_stays(made: c.Club, row: Battle, ada: Any) -> None:
    sequence = c.begin(row, ada)
    before = s.document(made.warband(ada))
    victim = c.keys(made.warband(ada), NINE)[0]
    chosen(sequence, "given-up", "given-up", [victim], ada)
    event = c.write(sequence, "given-up")
    assert c.named(made.warband(ada), NINE).status == "dead"
    assert sorted(s.kit_of(None, made.warband(ada))) == ["iron-capirote", "martyrdom-device"]
    s.assert_reconciled(made.warband(ada))
    undo(event=event, actor=ada)
    assert s.document(made.warband(ada)) == before


def test_who_is_not_open_is_refused(made: c.Club, row: Battle, ada: Any) -> None:
    sequence = c.begin(row, ada)
    prophet = c.keys(made.warband(ada), "Mother Perpetua")[0]
    with pytest.raises(Refusal):
        chosen(sequence, "given-up", "given-up", [prophet], ada)


def _problems(warband: Warband) -> Any:
    return warband.terms.game.check(warband.terms.content, force_of(warband)).problems


def test_three_battles_end_closed_and_add_up(cleo: Any, ada: Any, ben: Any, edition: str) -> None:
    made = c.club(cleo, edition=edition)
    c.joins(made, ada, "broken-litany" if edition == "1.0" else "akakios-bell")
    c.joins(made, ben, "gallows-choir")
    scenario = "relic-hunt" if edition == "1.0" else "hill-223"
    for number in (1, 2, 3):
        give(made.warband(ada), ada, 100)
        row = c.mustered(made, ada, ben, scenario=scenario)
        able = [
            f.name
            for f in made.warband(ada).fighters.live().filter(status="active")
            if not f.state.get("misses_battle") and not f.state.get("lifeless")
        ]
        c.fight(row, by=ben, winner=ada if number == 2 else ben, out={ada: able[-2:]})
        c.resolve(row, ada, seed=number, answers={"death": RISE})
        c.resolve(row, ben, seed=number)
        s.assert_reconciled(made.warband(ada))
    assert made.warband(ada).state["fought"] == 3
