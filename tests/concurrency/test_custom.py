"""Forces of written profiles under two hands at once: the library changes while a unit is taken from it, a chit is drawn from two phones."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Table, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import begin_table, roll_at_table
from rules.dice import SeededDice
from tests import campaign_stories as c
from tests import library_stories as library
from tests import stories as s
from tests.concurrency.test_tracker import folded
from tests.concurrency.test_two_at_once import at_once, kinds
from tests.unit.campaigns.test_custom_games import GAMES, club, left, played, row
from warbands.models import Fighter, Profile
from warbands.reconcile import differences
from warbands.services import library as acts
from warbands.services.camp import use_find
from warbands.services.hire import hire_fighter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_unit_taken_while_its_profile_leaves_the_campaign_keeps_it_or_is_refused(
    ada: Any, ben: Any, cleo: Any
) -> None:
    made = club("gloom-trench", cleo, ada, ben)
    profile = library.shared(library.wrote(ben), made.campaign, ben)
    force = made.warband(ada)
    before = Fighter.objects.filter(warband=force).count()
    results = at_once(
        lambda: hire_fighter(warband=s.fresh(force), offer_id=profile.ident, actor=ada),
        lambda: acts.unshare_profile(profile=library.fresh(profile), actor=ben),
        lambda: acts.unshare_profile(profile=library.fresh(profile), actor=cleo),
        lambda: acts.put_away_profile(profile=library.fresh(profile), actor=ben),
    )
    told = kinds(results)
    assert set(told) <= {"Fighter", "Profile", "Refusal"}
    assert isinstance(results[3], Profile)
    taken = Fighter.objects.filter(warband=force).count() - before
    assert taken == told.count("Fighter")
    if taken:
        assert results[0].state["profile"]["name"] == "Harbour Guard"
    kept = library.fresh(profile)
    assert (kept.terms_id, kept.is_away) == (None, True)
    assert not differences(s.fresh(force))


def test_a_newer_version_is_taken_once_and_whole_while_it_changes(ada: Any, ben: Any, cleo: Any) -> None:
    made = club("gloom-trench", cleo, ada, ben)
    profile = library.wrote(ada)
    force = made.warband(ada)
    unit = hire_fighter(warband=force, offer_id=profile.ident, actor=ada)

    def change(wounds: int) -> Any:
        data = {**library.GUARD, "wounds": wounds}
        return acts.change_profile(profile=library.fresh(profile), actor=ada, name=f"Guard {wounds}", data=data)

    change(2)
    results = at_once(
        lambda: use_find(warband=s.fresh(force), task_key=f"newer-{unit.pk}", actor=ada),
        lambda: use_find(warband=s.fresh(force), task_key=f"newer-{unit.pk}", actor=ada),
        lambda: change(3),
    )
    assert set(kinds(results)) <= {"Event", "Refusal", "Profile"}
    assert kinds(results).count("Event") >= 1
    unit.refresh_from_db()
    copy = unit.state["profile"]
    assert copy["name"] == f"Guard {copy['data']['wounds']}"
    assert copy["version"] == copy["data"]["wounds"]


def test_losses_are_made_good_once(game: str, ada: Any, ben: Any, cleo: Any) -> None:
    made = club(game, cleo, ada, ben)
    battle = played(made, ada, ben, game)
    c.resolve(battle, ada)
    force = made.warband(ada)
    task = f"replace-{row(force, GAMES[game][2]).pk}"
    one = {"how": "some", GAMES[game][4]: 2}
    results = at_once(
        *(lambda: use_find(warband=s.fresh(force), task_key=task, actor=ada, choices=one) for _ in range(3))
    )
    assert kinds(results) == ["Event", "Refusal", "Refusal"]
    assert left(made, ada, game) == GAMES[game][5]


def test_one_chit_is_drawn_where_two_phones_draw(ada: Any, ben: Any, cleo: Any) -> None:
    made = club("gloom-trench", cleo, ada, ben)
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=battle, actor=ada)
    mine, theirs = (str(c.side(battle, user).pk) for user in (ada, ben))

    def do(roll: str, actor: Any = cleo, seed: int = 1, **data: str) -> Any:
        return roll_at_table(battle=battle, actor=actor, roll=roll, data=data, source="app", dice=SeededDice(seed))

    steps: tuple[tuple[str, dict[str, str]], ...] = (
        ("next", {"from": "setup"}), ("next", {"from": "effects"}), ("pool", {"side": mine}), ("pool", {"side": theirs}),
        ("next", {"from": "pool"}), ("next", {"from": "bag"}), ("taken", {"whose": mine}),
    )  # fmt: skip
    for roll, data in steps:
        do(roll, **data)
    drawn = TableAct.objects.count()
    results = at_once(lambda: do("draw", ada, 2), lambda: do("draw", ben, 3), lambda: do("drawn", ada, which="fog"))
    assert kinds(results).count("TableAct") >= 1
    assert set(kinds(results)) <= {"TableAct", "Refusal"}
    assert TableAct.objects.count() == drawn + kinds(results).count("TableAct") == Table.objects.get().version
    state = table_state(battle)
    assert state is not None
    # Each act draws on from the one before it: the app's goes on through the Fog to a side's chit, one drawn by hand is a single chit.
    out: list[str] = []
    for act in TableAct.objects.filter(number__gt=drawn).order_by("number"):
        now = act.data["table"]["facts"]["drawn"]
        fell = now[len(out) :]
        assert (now[: len(out)], bool(fell)) == (out, True)
        assert fell == ["fog"] if act.data["roll"] == "drawn" else set(fell[:-1]) <= {"fog"}
        out = now
    assert state.facts["drawn"] == out
    assert len({chit for chit in out if chit != "fog"}) <= 1  # whoever's it is acts before another is drawn
    assert state == folded(battle)


def test_one_step_of_the_turn_is_left_once(ada: Any, ben: Any, cleo: Any) -> None:
    made = club("gloom-trench", cleo, ada, ben)
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    begin_table(battle=battle, actor=ada)

    def onward(actor: Any) -> Any:
        return roll_at_table(battle=battle, actor=actor, roll="next", data={"from": "setup"}, source="app")

    results = at_once(*(lambda who=who: onward(who) for who in (ada, ben, cleo)))
    assert kinds(results) == ["Refusal", "Refusal", "TableAct"]
    state = table_state(battle)
    assert state is not None
    assert state.facts["phase"] == "effects"
