"""A campaign of a game whose profiles the players write: from the opening over a battle with losses to the standings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle, PostBattle, TableAct
from campaigns.report_prefill import logged_losses, logged_report, otherwise, table_state
from campaigns.services.amend import amend_report
from campaigns.services.answers import confirm_report
from campaigns.services.battle_setup import choose_attacker
from campaigns.services.tracker import begin_table
from campaigns.services.void import void_battle
from campaigns.standings import standings
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.adapters import force_of
from warbands.models import Fighter, Warband
from warbands.reconcile import differences
from warbands.services.camp import use_find
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

GAMES = {
    "gloom-trench": ("lamplight-column", "red-ford-company", "First Rifles", "Rifle", "rifle", 7),
    "trench-too-far": ("canal-company", "quarry-company", "Lock Keepers", "Rifles", "rifles", 4),
}


def club(game: str, administrator: Any, *players: Any, **how: Any) -> c.Club:
    """A campaign whose players brought the game's own samples."""
    campaign = c.open_campaign(actor=administrator, name="The Long Wire", system=game, edition="", **how)
    made = c.Club(campaign, administrator)
    for place, player in enumerate(players):
        c.joins(made, player, sample=GAMES[game][place % 2])
    return made


@story(params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@story
def made(game: str, cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return club(game, cleo, ada, ben)


@story
def battle(made: c.Club, ada: Any, ben: Any) -> Battle:
    """Their battle, both sides ready."""
    return c.mustered(made, ada, ben, scenario="open-battle")


@story
def fought(made: c.Club, battle: Battle, ada: Any, ben: Any, game: str) -> Battle:
    """The same, which Ada won, her first unit two fewer."""
    return reported(made, battle, ada, ben, game)


def row(warband: Warband, name: str) -> Fighter:
    return Fighter.objects.live().get(warband=warband, name=name)


def lost(made: c.Club, battle: Battle, user: Any, game: str, count: int) -> dict[str, Any]:
    """What a report says that the first unit of a side lost."""
    name, part = GAMES[game][2:4]
    fighter = row(made.warband(user), name)
    return {str(c.side(battle, user).pk): {str(fighter.pk): {part: count}}}


def left(made: c.Club, user: Any, game: str) -> int:
    """What is left of that sort in that unit."""
    warband = made.warband(user)
    key = str(row(warband, GAMES[game][2]).pk)
    view = warband.terms.game.views(warband.terms.content, force_of(warband))[key]
    return int((view.facts["left"] or view.facts["counts"])[GAMES[game][3]])


def played(made: c.Club, ada: Any, ben: Any, game: str, count: int = 2) -> Battle:
    """A battle that Ada wins, in which her first unit loses some."""
    return reported(made, c.mustered(made, ada, ben, scenario="open-battle"), ada, ben, game, count)


def reported(made: c.Club, battle: Battle, ada: Any, ben: Any, game: str, count: int = 2) -> Battle:
    """The same of a battle that is mustered."""
    data = c.report_data(battle, ada, points={ada: 5, ben: 3}, losses=lost(made, battle, ada, game, count))
    c.send_report(battle=battle, actor=ada, by_side=c.side(battle, ada), data=data)
    return c.fresh_battle(battle)


def test_carried_losses_are_missing_in_the_next_battle(made: c.Club, game: str, ada: Any, ben: Any) -> None:
    full = GAMES[game][5]
    battle = played(made, ada, ben, game)
    confirm_report(battle=battle, side=c.side(battle, ben), actor=ben)
    sequence = c.resolve(battle, ada)
    assert sequence.closed_at is not None
    assert left(made, ada, game) == full - 2
    assert made.warband(ada).state["fought"] == 1
    c.resolve(battle, ben)
    assert c.fresh_battle(battle).status == Battle.Status.CLOSED
    again = c.mustered(made, ada, ben, scenario="open-battle")
    snapshot = c.side(again, ada).snapshot
    assert snapshot is not None
    assert f"{full - 2} of {full}" in str(snapshot.sheet)
    assert not differences(made.warband(ada))


def test_where_losses_are_reset_nothing_but_the_closing_follows(game: str, ada: Any, ben: Any, cleo: Any) -> None:
    made = club(game, cleo, ada, ben, house_rules={"readings": {"losses": "reset"}})
    battle = played(made, ada, ben, game)
    sequence = c.begin(battle, ada)
    assert [step.id for step in c.look(sequence).steps] == ["close"]
    c.resolve(battle, ada)
    assert left(made, ada, game) == GAMES[game][5]


def test_a_player_may_write_other_losses_than_the_report_tells(
    made: c.Club, fought: Battle, game: str, ada: Any
) -> None:
    key, slug = str(row(made.warband(ada), GAMES[game][2]).pk), GAMES[game][4]
    c.resolve(fought, ada, answers={"otherwise": [key], f"{key}:{slug}": 1})
    assert left(made, ada, game) == GAMES[game][5] - 1


def test_writing_losses_is_undone_whole(made: c.Club, fought: Battle, game: str, ada: Any) -> None:
    sequence = c.begin(fought, ada)
    c.settle(sequence, "losses", None)  # type: ignore[arg-type]
    assert left(made, ada, game) == GAMES[game][5] - 2
    undo(event=s.last_event(made.warband(ada)), actor=ada)
    assert left(made, ada, game) == GAMES[game][5]


def test_losses_are_made_good_on_the_unit_and_that_is_undone(made: c.Club, fought: Battle, game: str, ada: Any) -> None:
    c.resolve(fought, ada)
    key = str(row(made.warband(ada), GAMES[game][2]).pk)
    event = use_find(warband=made.warband(ada), task_key=f"replace-{key}", actor=ada, choices={"how": "all"})
    assert left(made, ada, game) == GAMES[game][5]
    undo(event=event, actor=ada)
    assert left(made, ada, game) == GAMES[game][5] - 2
    some = {"how": "some", GAMES[game][4]: 1}
    use_find(warband=made.warband(ada), task_key=f"replace-{key}", actor=ada, choices=some)
    assert left(made, ada, game) == GAMES[game][5] - 1


def test_a_campaign_may_make_no_losses_good(game: str, ada: Any, ben: Any, cleo: Any) -> None:
    made = club(game, cleo, ada, ben, house_rules={"readings": {"replacements": "none"}})
    battle = played(made, ada, ben, game)
    c.resolve(battle, ada)
    key = str(row(made.warband(ada), GAMES[game][2]).pk)
    with pytest.raises(Refusal):
        use_find(warband=made.warband(ada), task_key=f"replace-{key}", actor=ada, choices={"how": "all"})


def test_a_unit_that_was_destroyed_has_nothing_left_and_stays_behind(
    made: c.Club, battle: Battle, game: str, ada: Any, ben: Any
) -> None:
    c.fight(battle, ada, ben, out={ada: [GAMES[game][2]]})
    c.resolve(battle, ada)
    assert left(made, ada, game) == 0
    warband = made.warband(ada)
    rows = warband.terms.game.battle.muster(warband.terms.content, force_of(warband))
    assert [each.name for each in rows if each.closed] == [GAMES[game][2]]


def test_the_standings_count_the_points(made: c.Club, game: str, ada: Any, ben: Any) -> None:
    played(made, ada, ben, game)
    found = standings(made.campaign)
    assert [(str(each.seat.user), each.points, each.won) for each in found] == [("ada", 5, 1), ("ben", 3, 0)]


def test_three_sides_fight_one_battle(game: str, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    made = club(game, cleo, ada, ben, dora)
    battle = c.mustered(made, ada, ben, dora, scenario="open-battle")
    data = c.report_data(battle, dora, points={ada: 1, ben: 2, dora: 6}, losses=lost(made, battle, ada, game, 1))
    c.send_report(battle=battle, actor=dora, by_side=c.side(battle, dora), data=data)
    for user in (ada, ben, dora):
        c.resolve(battle, user)
    assert left(made, ada, game) == GAMES[game][5] - 1
    assert [str(each.seat.user) for each in standings(made.campaign)] == ["dora", "ben", "ada"]


def test_an_amended_report_leaves_written_losses_and_says_so(
    made: c.Club, fought: Battle, game: str, ada: Any, ben: Any, cleo: Any
) -> None:
    c.resolve(fought, ada)
    data = c.report_data(fought, ben, points={ada: 2, ben: 3}, losses=lost(made, fought, ada, game, 1))
    amendment = amend_report(battle=c.fresh_battle(fought), actor=cleo, data=data)
    assert left(made, ada, game) == GAMES[game][5] - 2
    assert any("losses" in line.lower() for line in (*amendment.open, *amendment.done))
    assert [str(each.seat.user) for each in standings(made.campaign)] == ["ben", "ada"]


def test_a_void_battle_gives_everything_back(made: c.Club, fought: Battle, game: str, ada: Any, cleo: Any) -> None:
    c.resolve(fought, ada)
    void_battle(battle=c.fresh_battle(fought), actor=cleo, words="Played by the wrong rules.")
    assert left(made, ada, game) == GAMES[game][5]
    assert made.warband(ada).state.get("fought", 0) == 0


@pytest.mark.parametrize("told", [{"Cook": 1}, {"count": 99}, {"count": "many"}])
def test_losses_that_cannot_be_are_refused(
    made: c.Club, battle: Battle, told: dict[str, Any], game: str, ada: Any
) -> None:
    fighter = str(row(made.warband(ada), GAMES[game][2]).pk)
    given = {GAMES[game][3] if part == "count" else part: n for part, n in told.items()}
    data = c.report_data(battle, ada, losses={str(c.side(battle, ada).pk): {fighter: given}})
    with pytest.raises(Refusal):
        c.send_report(battle=battle, actor=ada, by_side=c.side(battle, ada), data=data)
    assert not PostBattle.objects.exists()


def test_a_report_begins_with_what_the_table_knows_of_losses(
    made: c.Club, battle: Battle, game: str, ada: Any, ben: Any
) -> None:
    begin_table(battle=battle, actor=ada)
    state = table_state(battle)
    assert state is not None
    assert logged_losses(battle, state) == {}
    key = str(row(made.warband(ada), GAMES[game][2]).pk)
    fallen = [replace(f, out=True, touched=True, markers={}) if f.key == key else f for f in state.fighters]
    state = replace(state, fighters=tuple(fallen))
    data = logged_report(battle, state)
    side = str(c.side(battle, ada).pk)
    assert data["losses"][side][key][GAMES[game][3]] == GAMES[game][5]
    told = {**c.report_data(battle, ben), "losses": data["losses"], "out": data["out"]}
    c.send_report(battle=battle, actor=ada, by_side=c.side(battle, ada), data=told)
    c.resolve(battle, ada)
    assert left(made, ada, game) == 0
    assert otherwise(state, told, logged_losses(battle, state)) == ()
    fewer = {**told, "out": {}, "losses": {side: {key: {GAMES[game][3]: 1}}}}
    assert any("losing" in line for line in otherwise(state, fewer, logged_losses(battle, state)))


def test_all_that_a_table_can_take_away_is_known_to_the_report(battle: Battle, ada: Any, ben: Any) -> None:
    begin_table(battle=battle, actor=ada)
    state = table_state(battle)
    assert state is not None
    nobody = replace(state, fighters=tuple(replace(f, out=True, markers={}) for f in state.fighters))
    losses = logged_losses(battle, nobody)
    assert set(losses) == {str(c.side(battle, user).pk) for user in (ada, ben)}
    c.send_report(
        battle=battle, actor=ada, by_side=c.side(battle, ada), data=c.report_data(battle, losses=losses, outcome="none")
    )


def test_who_is_weakened_is_told_at_muster_and_the_closing_tells_both_columns_alike(
    made: c.Club, fought: Battle, game: str, ada: Any, ben: Any, client: Any
) -> None:
    confirm_report(battle=fought, side=c.side(fought, ben), actor=ben)
    sequence = c.resolve(fought, ada, until="close")
    client.force_login(ada)
    address = reverse("post-battle-resolve", args=[fought.pk, sequence.warband_id, "close"])
    closing = client.get(address).content.decode()
    points, units = re.findall(r'<td class="figure">([^<]*)</td><td class="figure"><b>([^<]*)</b>', closing)
    assert points[0] == points[1]
    assert units[0] == units[1] == str(made.warband(ada).fighter_count)

    c.resolve(fought, ada)
    again = c.battle(made, ada, ben, scenario="open-battle")
    page = client.get(reverse("force-select", args=[again.pk])).content.decode()
    assert f"lacks 2 {GAMES[game][3]}" in page


def test_paper_is_offered_nowhere_in_a_campaign_of_own_profiles(game: str, ada: Any, cleo: Any, client: Any) -> None:
    made = club(game, cleo, ada)
    client.force_login(cleo)
    desk = client.get(reverse("campaign-administer", args=[made.campaign.pk])).content.decode()
    assert "from paper" not in desk


def test_who_attacks_reaches_the_table(ada: Any, ben: Any, cleo: Any) -> None:
    made = club("trench-too-far", cleo, ada, ben)
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    mine, theirs = c.side(battle, ada), c.side(battle, ben)
    choose_attacker(battle=battle, actor=cleo, side=mine)
    begin_table(battle=battle, actor=ada)
    assert attackers(battle) == [True, False]
    choose_attacker(battle=battle, actor=cleo, side=theirs)
    assert attackers(battle) == [False, True]
    assert "attacks." in TableAct.objects.latest("number").told


def attackers(battle: Battle) -> list[bool]:
    state = table_state(battle)
    assert state is not None
    return [side.facts["attacker"] for side in state.sides]
