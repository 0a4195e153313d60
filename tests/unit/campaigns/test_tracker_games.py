"""The page of a table whose game brings things of its own: a small game of lamps shows that the page needs to know none by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from zlib import compress

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Table, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table, undo_at_table
from rules.dice import DiceSource, SeededDice
from rules.problems import Refusal
from rules.registry import system
from rules.resolvers.roller import Resolved
from rules.tracker.state import TableState
from tests import campaign_stories as c
from tests.fake_tracker import LampTracker, resolve_lamp
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of this module are those of the lamps."""
    game = system("trench-crusade")

    def resolve(content: Any, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        return resolve_lamp(rule, dice)

    monkeypatch.setattr(game.battle, "tracker", lambda content: LampTracker())
    monkeypatch.setattr(game.resolvers, "resolve", resolve)


class Lamps:
    """A table of the lamps between Ada and Ben."""

    def __init__(self, ada: Any, ben: Any, battle: Battle) -> None:
        self.ada, self.ben = ada, ben
        self.battle = battle
        begin_table(battle=self.battle, actor=ada)
        self.here = reverse("battle-track", args=[self.battle.pk])

    @property
    def state(self) -> TableState:
        found = table_state(self.battle)
        assert found is not None
        return found

    def side(self, user: Any) -> str:
        return str(c.side(self.battle, user).pk)

    def own(self, user: Any, place: int = 0) -> str:
        return self.state.of(self.side(user))[place].key

    def client(self, user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client

    def page(self, user: Any, query: str = "") -> str:
        answer = self.client(user).get(self.here + query)
        assert answer.status_code == 200
        return unescape(answer.content.decode())

    def press(self, user: Any, press: str, **fields: Any) -> Any:
        return self.client(user).post(self.here, {"press": press, **fields})

    def roll(self, user: Any, roll: str, **data: str) -> TableAct:
        return roll_at_table(
            battle=self.battle, actor=user, roll=roll, data=data, source="app", dice=SeededDice(len(roll))
        )


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    return c.mustered(c.club(cleo, ada, ben), ada, ben)


@pytest.fixture
def table(ada: Any, ben: Any, battle: Battle) -> Lamps:
    return Lamps(ada, ben, battle)


def presses(page: str) -> list[str]:
    return re.findall(r'name="press" value="([^"]+)"', page)


def panel(page: str, key: str) -> str:
    """What may be pressed for a fighter."""
    return page.partition(f'id="p{key}"')[2].partition("</details>")[0]


def test_the_board_stands_on_the_page_for_both(table: Lamps) -> None:
    for user in (table.ada, table.ben):
        board = table.page(user).partition('id="t_board"')[2].partition('id="t_asks"')[0]
        assert re.search(r"<dt>Oil</dt><dd><b>2</b>", board)
        assert board.count("data-full") == 2
        assert "calm" in board
        assert board.count("<dt>Lit</dt>") == 2
    table.roll(table.ada, "draw")
    board = table.page(table.ben).partition('id="t_board"')[2].partition('id="t_asks"')[0]
    assert (board.count("data-full"), "stirred" in board) == (1, True)


def test_the_frames_buttons_stand_only_where_the_game_has_them(table: Lamps) -> None:
    key = table.own(table.ada)
    page = table.page(table.ada, f"?open={key}")
    kinds = {press.split()[0] for press in presses(page)}
    assert {"marker", "acted", "out", "there", "turn", "do"} <= kinds
    assert not kinds & {"down", "score", "initiative", "pass", "morale", "deed", "used"}
    assert "Victory points" not in page
    assert "Glorious deeds" not in page
    for press in (f"down {key} 1", f"score {table.side(table.ada)} 1 0", f"initiative {table.side(table.ada)}"):
        answer = table.press(table.ada, press)
        assert answer.status_code == 422
        assert "has no such act" in answer.content.decode()


def test_badges_stand_on_the_row_and_lines_in_the_open_panel_of_either_side(table: Lamps) -> None:
    mine, theirs = table.own(table.ada), table.own(table.ben)
    page = table.page(table.ada)
    for key in (mine, theirs):
        row = page.partition(f'id="f{key}"')[2].partition("</summary>")[0]
        assert re.search(r"data-alarm>\s*SOOT", row)
        assert "Soot 2, oil on the table 2" in panel(page, key)
    assert "do " in " ".join(presses(panel(page, mine)))
    assert not presses(panel(page, theirs))


def test_only_ones_own_sides_and_fighters_offers_are_drawn(table: Lamps, cleo: Any) -> None:
    mine, theirs = table.own(table.ada), table.own(table.ben)
    page = table.page(table.ada)
    assert f"do {mine} trim fighter={mine}" in presses(page)
    assert f"do {theirs} trim fighter={theirs}" not in presses(page)
    gather = [table.state.side(table.side(user)).name for user in (table.ada, table.ben)]
    assert f"Gather for {gather[0]}" in page
    assert f"Gather for {gather[1]}" not in page
    assert f"?roll=flare&fighter={mine}&strength=2" in page
    everybody = table.page(cleo)
    for key in (mine, theirs):
        assert f"do {key} trim fighter={key}" in presses(everybody)


def test_a_side_that_nobody_plays_is_anybodys(ada: Any, cleo: Any) -> None:
    club = c.club(cleo, ada)
    battle = c.battle(club, ada, guests=[("Rita", "HERETIC")])
    from campaigns.services.muster import make_side_ready

    make_side_ready(side=c.side(battle, ada), actor=ada)
    battle = c.fresh_battle(battle)
    begin_table(battle=battle, actor=ada)
    client = Client()
    client.force_login(ada)
    assert "Gather for Rita" in client.get(reverse("battle-track", args=[battle.pk])).content.decode()


def test_a_closed_offer_says_why_and_its_press_is_refused(table: Lamps) -> None:
    key = table.own(table.ada)
    for _ in range(2):
        table.roll(table.ada, "trim", fighter=key)
    page = table.page(table.ada, f"?open={key}")
    name = table.state.fighter(key).name
    assert f"Locked: {name} has no soot left." in panel(page, key)
    assert f"do {key} trim fighter={key}" not in presses(page)
    answer = table.press(table.ada, f"do {key} trim fighter={key}")
    assert answer.status_code == 422
    assert f"{name} has no soot left." in unescape(answer.content.decode())


def test_a_move_is_one_press_without_dice_and_goes_back_to_its_fighter(table: Lamps) -> None:
    key = table.own(table.ada)
    answer = table.press(table.ada, f"do {key} trim fighter={key}", token="once")
    assert answer.headers["Location"] == f"{table.here}?open={key}#f{key}"
    act = TableAct.objects.latest("number")
    assert (act.dice, act.data["kind"]) == ([], "roll")
    assert table.state.fighter(key).facts["soot"] == 1
    again = table.press(table.ada, f"do {key} trim fighter={key}", token="once")
    assert "This was done already" in again.content.decode()
    assert table.state.fighter(key).facts["soot"] == 1


def test_a_moves_form_has_no_dice_fields(table: Lamps) -> None:
    page = table.page(table.ada, f"?roll=gather&side={table.side(table.ada)}")
    assert "Roll for me" not in page
    assert "Enter my dice" not in page
    assert re.search(r'<button[^>]*name="source" value="app"[^>]*>Gather</button>', page)


def test_several_are_ticked_and_only_those_it_can_be_are_listed(table: Lamps) -> None:
    one, two, clean = (table.own(table.ada, place) for place in range(3))
    for _ in range(2):
        table.roll(table.ada, "trim", fighter=clean)
    page = table.page(table.ada, f"?roll=gather&side={table.side(table.ada)}")
    ticks = re.findall(r'type="checkbox" name="who" id="id_who_(\w+)"', page)
    assert {one, two} <= set(ticks)
    assert clean not in ticks
    fields = {"roll": "gather", "side": table.side(table.ada), "source": "app"}
    assert table.press(table.ada, "roll", **fields).status_code == 422
    assert table.press(table.ada, "roll", who=[one, clean], **fields).status_code == 422
    assert table.press(table.ada, "roll", who=[one, two], **fields).status_code == 302
    gathered = [fighter.key for fighter in table.state.fighters if fighter.facts.get("gathered")]
    assert gathered == [one, two]


def test_nobody_moves_the_other_sides_fighter(table: Lamps) -> None:
    theirs = table.own(table.ben)
    answer = table.press(table.ada, f"do {theirs} trim fighter={theirs}")
    assert answer.status_code == 422
    assert "Here it is read only" in answer.content.decode()


@pytest.mark.parametrize("press", [
    "do", "do -", "do - unheard-of", "do - draw x=1&y", "do - trim fighter=999999", "do - trim", "do 999999 flare fighter=999999", "do a b c d",
    "do - gather who=1,2,3&side=9", "do - flare strength=9", "do - trim " + "&".join(f"a{n}=1" for n in range(90)), "do - " + "x" * 700,
    "do - trim fighter=%00%ff",
])  # fmt: skip
def test_what_is_no_move_is_a_sentence_and_422(table: Lamps, press: str) -> None:
    if press == "do - draw x=1&y":  # what nobody asked for is left aside
        assert table.press(table.ada, press).status_code == 302
        return
    answer = table.press(table.ada, press)
    assert answer.status_code == 422
    assert TableAct.objects.count() == 1


def test_one_press_of_the_apps_dice_stands_under_the_thumb_with_ones_own_dice_beside(table: Lamps) -> None:
    page = table.page(table.ada)
    strip = page.partition('id="t_strip"')[2]
    assert "do - draw" in presses(strip)
    assert f"{table.here}?roll=draw&typed=1" in page
    assert table.press(table.ada, "do - draw").status_code == 302
    assert TableAct.objects.latest("number").dice[0]["sides"] == 12
    table.roll(table.ada, "draw")
    page = table.page(table.ada)
    assert "Locked: No oil is left." in page
    assert "do - draw" not in presses(page)


def test_where_dice_are_typed_in_no_press_rolls_the_apps(ada: Any, ben: Any, cleo: Any) -> None:
    table = Lamps(ada, ben, c.mustered(c.club(cleo, ada, ben, dice="typed"), ada, ben))
    page = table.page(ada)
    assert "do - draw" not in presses(page)
    assert f"{table.here}?roll=draw&typed=1" in page.partition('id="t_strip"')[2]
    key = table.own(ada)
    assert f"do {key} trim fighter={key}" in presses(page)
    assert table.press(ada, "do - draw").status_code == 422


def test_dice_of_eight_and_twelve_sides_are_typed_in_throw_by_throw(table: Lamps) -> None:
    key = table.own(table.ada)
    fields = {"roll": "flare", "fighter": key, "strength": "1", "source": "typed"}
    first = table.press(table.ada, "roll", **fields).headers["Location"]
    page = table.client(table.ada).get(first).content.decode()
    assert "The spark" in page
    assert 'id="id_face_1_8"' in page
    assert 'id="id_face_1_9"' not in page
    then = table.press(table.ada, "roll", **fields, face_1="8").headers["Location"]
    page = table.client(table.ada).get(then).content.decode()
    assert "The flame" in page
    assert 'id="id_face_2_12"' in page
    assert re.search(r"The spark</span><span class=\"die-figure\">8<", page)
    wrong = table.press(table.ada, "roll", **fields, kept="8", face_1="13", face_2="12").content.decode()
    assert "This die shows 1 to 12, not 13." in unescape(wrong)
    assert 'value="12" checked' in wrong
    assert table.press(table.ada, "roll", **fields, kept="8", face_1="11", face_2="12").status_code == 302
    assert TableAct.objects.latest("number").told.endswith("flares: 31.")
    assert table.state.side(table.side(table.ada)).facts["lit"] == 1


def test_what_the_game_asks_for_is_a_press_to_the_side_that_it_asks(table: Lamps) -> None:
    key = table.own(table.ada)
    act_at_table(battle=table.battle, actor=table.ada, data={"kind": "acted", "fighter": key})
    asked = table.page(table.ada).partition('id="t_asks"')[2].partition('id="t_offers"')[0]
    assert "is sooty." in asked
    assert f"do {key} trim fighter={key}&side={table.side(table.ada)}" in presses(asked)
    asked = table.page(table.ben).partition('id="t_asks"')[2].partition('id="t_offers"')[0]
    assert "is sooty." in asked
    assert not presses(asked)
    assert table.press(table.ada, f"do {key} trim fighter={key}&side={table.side(table.ada)}").status_code == 302
    assert "is sooty." not in table.page(table.ada)


def test_undo_in_the_middle_leaves_what_others_counted_and_draws_the_board_anew(table: Lamps) -> None:
    first = table.roll(table.ada, "draw")
    table.roll(table.ada, "flare", fighter=table.own(table.ada))
    table.roll(table.ben, "flare", fighter=table.own(table.ben))
    undo_at_table(battle=table.battle, actor=table.ben, number=first.number)
    state = table.state
    assert (state.facts["oil"], [side.facts["lit"] for side in state.sides]) == (2, [1, 1])


def test_what_cannot_be_leaves_the_table_as_it_was(table: Lamps) -> None:
    key = table.own(table.ada)
    for _ in range(3):
        table.roll(table.ada, "flare", fighter=key)
    before = Table.objects.get()
    with pytest.raises(Refusal, match="3 lamps lit"):
        table.roll(table.ada, "flare", fighter=key)
    now = Table.objects.get()
    assert (now.version, now.state) == (before.version, before.state)


def test_an_update_draws_anew_whose_offers_changed_though_nothing_befell_them(table: Lamps) -> None:
    client, every = table.client(table.ada), {fighter.key for fighter in table.state.fighters}
    table.roll(table.ben, "draw")  # every fighter's line tells of the oil
    version, seen, asked = "1", set(), 0
    while (answer := client.get(f"{table.here}?since={version}", HTTP_X_TABLE="1")).status_code == 200:
        assert len(compress(answer.content)) < 10_000
        version, asked = answer.headers["X-Table-Version"], asked + 1
        more = "X-Table-More" in answer.headers
        seen |= set(re.findall(r' id="f(\w+)"', answer.content.decode()))
        assert more or version == str(Table.objects.get().version)
        assert 'id="t_board"' in answer.content.decode()
        assert asked < 12
    assert seen == every


def test_a_refused_answer_of_a_phone_names_it_and_the_rest_comes_along(table: Lamps) -> None:
    key = table.own(table.ada)
    for _ in range(2):
        table.roll(table.ada, "trim", fighter=key)
    answer = table.client(table.ada).post(
        f"{table.here}?since=1", {"press": f"do {key} trim fighter={key}", "token": "t"}, HTTP_X_TABLE="1"
    )
    assert answer.status_code == 422
    assert "has no soot left" in answer.content.decode()
    assert len(compress(answer.content)) < 10_000
