"""The table through its services: who may act, what is refused, what is taken back, and the report it fills in."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Battle, Campaign, Table, TableAct
from campaigns.report_prefill import logged_report, otherwise, table_state
from campaigns.services.muster import take_back_ready
from campaigns.services.tracker import (
    act_at_table,
    begin_table,
    dice_wanted,
    lay_anew,
    roll_at_table,
    take_in_muster,
    undo_at_table,
)
from rules.dice import SeededDice
from rules.problems import Refusal
from rules.tracker.state import TableState
from tests import campaign_stories as c
from tests.module_story import story
from warbands.recording import AlreadyDone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EDITIONS = ("1.6.3", "1.0")


class Evening:
    """A mustered battle of Ada against Ben with its table laid."""

    def __init__(self, cleo: Any, ada: Any, ben: Any, **how: Any) -> None:
        self.cleo, self.ada, self.ben = cleo, ada, ben
        scenario = how.pop("scenario", "trench-warfare")
        self.club = c.club(cleo, ada, ben, **how)
        self.battle: Battle = c.mustered(self.club, ada, ben, scenario=scenario)
        begin_table(battle=self.battle, actor=ada)

    @property
    def state(self) -> TableState:
        found = table_state(self.battle)
        assert found is not None
        return found

    def key(self, user: Any) -> str:
        return str(c.side(self.battle, user).pk)

    def own(self, user: Any, place: int = 0) -> str:
        return self.state.of(self.key(user))[place].key

    def act(self, actor: Any, kind: str, **data: Any) -> TableAct:
        token = data.pop("token", "")
        return act_at_table(battle=self.battle, actor=actor, data={"kind": kind, **data}, token=token)

    def mark(self, actor: Any, fighter: str, change: int = 1, **more: Any) -> TableAct:
        return self.act(actor, "marker", fighter=fighter, marker="blood", change=change, **more)


@story(params=EDITIONS)
def evening(request: Any, ada: Any, ben: Any, cleo: Any) -> Evening:
    return Evening(cleo, ada, ben, edition=request.param)


def test_the_table_is_laid_with_what_was_mustered(evening: Evening) -> None:
    state = evening.state
    assert [side.name for side in state.sides] == [evening.club.warband(u).name for u in (evening.ada, evening.ben)]
    went = {key for side in evening.battle.sides.all() for key in side.force["taken"]}
    assert {fighter.key for fighter in state.fighters} == went
    assert len(went) > 8
    assert state.turn_limit >= 4
    assert state.deeds
    assert any(fighter.facts["leader"] for fighter in state.of(evening.key(evening.ada)))
    assert begin_table(battle=evening.battle, actor=evening.ben).pk == Table.objects.get().pk
    assert TableAct.objects.count() == 1


def test_only_a_mustered_battle_has_a_table(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    battle = c.battle(club, ada, ben)
    with pytest.raises(Refusal, match="Not every side is ready"):
        begin_table(battle=battle, actor=ada)
    with pytest.raises(Refusal, match="Tracking hasn"):
        act_at_table(battle=battle, actor=ada, data={"kind": "end"})


def test_each_acts_for_its_own_side_alone(evening: Evening, dora: Any) -> None:
    theirs = evening.own(evening.ben)
    with pytest.raises(Refusal, match="Here it is read only"):
        evening.mark(evening.ada, theirs)
    with pytest.raises(Refusal):
        evening.mark(dora, theirs)
    with pytest.raises(Refusal):
        evening.act(dora, "turn", turn=1)
    evening.mark(evening.ben, theirs)
    in_place = evening.mark(evening.cleo, theirs)
    assert (in_place.for_name, in_place.actor) == (str(evening.ben), evening.cleo)
    assert evening.state.fighter(theirs).markers == {"blood": 2}


def test_a_delegate_acts_in_the_owners_place(evening: Evening, dora: Any) -> None:
    from warbands.services.sharing import add_delegate

    add_delegate(warband=evening.club.warband(evening.ada), username=str(dora), actor=evening.ada)
    act = evening.mark(dora, evening.own(evening.ada))
    assert (act.actor, act.for_name) == (dora, str(evening.ada))


def test_one_phone_keeps_both_once_both_agree(evening: Evening) -> None:
    mine, theirs = evening.key(evening.ada), evening.own(evening.ben)
    evening.act(evening.ada, "keep", side=mine, keeper=mine)
    with pytest.raises(Refusal):
        evening.mark(evening.ada, theirs)
    with pytest.raises(Refusal):
        evening.act(evening.ada, "keep", side=evening.key(evening.ben), keeper=mine)
    evening.act(evening.ben, "keep", side=evening.key(evening.ben), keeper=mine)
    act = evening.mark(evening.ada, theirs)
    assert act.for_name == str(evening.ben)
    evening.mark(evening.ben, theirs)  # its own phone goes on working


def test_a_token_is_used_once(evening: Evening) -> None:
    fighter = evening.own(evening.ada)
    evening.mark(evening.ada, fighter, token="once")
    with pytest.raises(AlreadyDone):
        evening.mark(evening.ada, fighter, token="once")
    assert evening.state.fighter(fighter).markers == {"blood": 1}


def test_a_refusal_leaves_nothing_behind(evening: Evening) -> None:
    fighter, before = evening.own(evening.ada), Table.objects.get()
    for data in ({"kind": "marker", "fighter": fighter, "marker": "blood", "change": -1}, {"kind": "what"}, {},
                 {"kind": "roll", "roll": "attack", "told": "Out"}):  # fmt: skip
        with pytest.raises(Refusal):
            act_at_table(battle=evening.battle, actor=evening.ada, data=data, token="t")
    now = Table.objects.get()
    assert (now.version, now.state) == (before.version, before.state)
    evening.mark(evening.ada, fighter, token="t")  # the token was not spent by a refusal


def test_undo_folds_the_others_anew(evening: Evening) -> None:
    one, other = evening.own(evening.ada), evening.own(evening.ada, 1)
    first = evening.mark(evening.ada, one, 2)
    evening.mark(evening.ada, other)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    state = evening.state
    assert (state.fighter(one).markers, state.fighter(other).markers) == ({}, {"blood": 1})
    with pytest.raises(Refusal, match="already undone"):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    last = TableAct.objects.latest("number")
    assert last.told.startswith("Undone: ")
    assert last.touched == [one]
    with pytest.raises(Refusal):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=last.number)
    with pytest.raises(Refusal):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=1)
    with pytest.raises(Refusal, match="no such entry"):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=99)


def test_undo_of_what_a_later_act_leans_on_names_it(evening: Evening) -> None:
    one = evening.own(evening.ada)
    first = evening.mark(evening.ada, one, 2)
    evening.mark(evening.ada, one, -1)
    with pytest.raises(Refusal, match="depends on it"):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    assert evening.state.fighter(one).markers == {"blood": 1}


def test_the_other_side_does_not_undo_ones_acts(evening: Evening) -> None:
    act = evening.mark(evening.ada, evening.own(evening.ada))
    with pytest.raises(Refusal, match="can undo this"):
        undo_at_table(battle=evening.battle, actor=evening.ben, number=act.number)
    undo_at_table(battle=evening.battle, actor=evening.cleo, number=act.number)


def test_dice_fall_and_do_what_they_say_in_one_act(evening: Evening) -> None:
    mine, theirs = evening.own(evening.ada), evening.own(evening.ben, 1)
    data = {"fighter": mine, "target": theirs, "armour": "0"}
    act = roll_at_table(
        battle=evening.battle, actor=evening.ada, roll="injury", data=data, source="typed", faces=(6, 6)
    )
    assert evening.state.fighter(theirs).out or evening.state.fighter(theirs).down
    assert (act.dice[0]["faces"], act.dice[0]["origin"]) == ([6, 6], "typed")
    undo_at_table(battle=evening.battle, actor=evening.ada, number=act.number)
    assert not evening.state.fighter(theirs).touched


@pytest.mark.parametrize("faces", [(6,), (6, 6, 6), (0, 6), (7, 1), ()])
def test_dice_that_cannot_be_are_refused(evening: Evening, faces: tuple[int, ...]) -> None:
    data = {"fighter": evening.own(evening.ada), "target": evening.own(evening.ben), "armour": "0"}
    with pytest.raises(Refusal):
        roll_at_table(battle=evening.battle, actor=evening.ada, roll="injury", data=data, source="typed", faces=faces)
    assert TableAct.objects.count() == 1


def test_nobody_rolls_for_the_other_side(evening: Evening) -> None:
    data = {"fighter": evening.own(evening.ben), "target": evening.own(evening.ada)}
    with pytest.raises(Refusal, match="read only"):
        roll_at_table(battle=evening.battle, actor=evening.ada, roll="injury", data=data, source="app")


def test_the_campaigns_dice_policy_holds(ada: Any, ben: Any, cleo: Any) -> None:
    evening = Evening(cleo, ada, ben, dice="typed")
    with pytest.raises(Refusal, match="uses real dice"):
        roll_at_table(battle=evening.battle, actor=ada, roll="initiative", data={}, source="app")


def test_a_muster_taken_back_closes_the_table_and_a_new_one_is_laid_anew(evening: Evening) -> None:
    from campaigns.services.muster import make_side_ready, take_force

    gone = evening.own(evening.ada, -1)
    evening.mark(evening.ada, evening.own(evening.ada))
    take_back_ready(side=c.side(evening.battle, evening.ada), actor=evening.ada)
    with pytest.raises(Refusal, match="Not every side is ready"):
        evening.act(evening.ada, "turn", turn=1)
    left = [fighter.key for fighter in evening.state.of(evening.key(evening.ada)) if fighter.key != gone]
    take_force(side=c.side(evening.battle, evening.ada), fighters=left, actor=evening.ada)
    make_side_ready(side=c.side(evening.battle, evening.ada), actor=evening.ada)
    anew = lay_anew(battle=evening.battle, actor=evening.ada)
    assert [fighter.key for fighter in evening.state.of(evening.key(evening.ada))] == left
    assert not evening.state.fighter(left[0]).markers
    undo_at_table(battle=evening.battle, actor=evening.ada, number=anew.number)
    assert evening.state.fighter(left[0]).markers == {"blood": 1}


def test_a_muster_set_right_is_taken_in_and_who_stays_keeps_what_happened(evening: Evening) -> None:
    from campaigns.services.muster import make_side_ready, take_force

    stays, gone = evening.own(evening.ada), evening.own(evening.ada, -1)
    mine, theirs = evening.key(evening.ada), evening.key(evening.ben)
    evening.mark(evening.ada, stays)
    evening.mark(evening.ada, gone)
    evening.act(evening.ada, "acted", fighter=stays)
    evening.act(evening.ben, "score", side=theirs, change=2)
    fallen = evening.act(evening.ben, "out", fighter=evening.own(evening.ben), by=mine)
    with pytest.raises(Refusal, match="at the table already"):
        take_in_muster(battle=evening.battle, actor=evening.ada)

    def muster(keys: list[str]) -> None:
        side = c.side(evening.battle, evening.ada)
        take_back_ready(side=side, actor=evening.ada)
        take_force(side=c.side(evening.battle, evening.ada), fighters=keys, actor=evening.ada)
        make_side_ready(side=c.side(evening.battle, evening.ada), actor=evening.ada)

    everybody = [fighter.key for fighter in evening.state.of(mine)]
    muster([key for key in everybody if key != gone])
    taken = take_in_muster(battle=evening.battle, actor=evening.ada)
    assert "Removed: " in taken.told
    assert [fighter.key for fighter in evening.state.of(mine)] == [key for key in everybody if key != gone]
    kept = evening.state.fighter(stays)
    assert (kept.markers, kept.acted, kept.touched) == ({"blood": 1}, True, True)
    assert evening.state.side(theirs).score == 2
    assert evening.state.fighter(evening.own(evening.ben)).out
    undo_at_table(battle=evening.battle, actor=evening.ben, number=fallen.number)
    assert not evening.state.fighter(evening.own(evening.ben)).out, "an act from before is still undone by itself"
    muster(everybody)
    take_in_muster(battle=evening.battle, actor=evening.ada)
    assert not evening.state.fighter(gone).markers, "who comes back comes fresh"
    undo_at_table(battle=evening.battle, actor=evening.ada, number=taken.number + 2)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=taken.number)
    assert evening.state.fighter(gone).markers == {"blood": 1}
    assert evening.state.fighter(stays).markers == {"blood": 1}


def test_what_tracking_started_over_from_is_not_undone_by_itself(evening: Evening) -> None:
    stays = evening.own(evening.ada)
    marked = evening.mark(evening.ada, stays)
    lay_anew(battle=evening.battle, actor=evening.ada)
    with pytest.raises(Refusal, match="Tracking restarted after this"):
        undo_at_table(battle=evening.battle, actor=evening.ada, number=marked.number)


def test_a_guest_is_kept_by_whoever_plays(ada: Any, cleo: Any) -> None:
    club = c.club(cleo, ada)
    battle = c.battle(club, ada, guests=[("Rita", "HERETIC")])
    from campaigns.services.muster import make_side_ready

    make_side_ready(side=c.side(battle, ada), actor=ada)
    battle = c.fresh_battle(battle)
    begin_table(battle=battle, actor=ada)
    guest = str(c.side(battle, "Rita").pk)
    act = act_at_table(battle=battle, actor=ada, data={"kind": "add", "side": guest, "name": "Gorm"})
    assert act.for_name == "Rita"
    state = table_state(battle)
    assert state is not None
    act_at_table(
        battle=battle,
        actor=ada,
        data={"kind": "out", "fighter": state.of(guest)[0].key, "by": str(c.side(battle, ada).pk)},
    )
    state = table_state(battle)
    assert state is not None
    data = logged_report(battle, state)
    assert guest not in data["out"]
    assert otherwise(state, data) == ()


# --- the report


def played(evening: Evening) -> tuple[str, str]:
    """Ben's second is out by Ada, Ada's first has a deed, Ada's last never came, points 3 to 1."""
    deed = next(deed for deed in evening.state.deeds if not deed.by_warband and not deed.needs_profile)
    out, absent = evening.own(evening.ben, 1), evening.own(evening.ada, -1)
    evening.act(evening.ben, "out", fighter=out, by=evening.key(evening.ada))
    evening.act(evening.ada, "deed", deed=deed.id, side=evening.key(evening.ada), fighter=evening.own(evening.ada))
    evening.act(evening.ada, "there", fighter=absent, now=False)
    evening.act(evening.ada, "score", side=evening.key(evening.ada), change=3)
    evening.act(evening.ben, "score", side=evening.key(evening.ben), change=1)
    evening.act(evening.ada, "end")
    return out, absent


def test_the_table_fills_in_the_report_and_the_report_stands(evening: Evening) -> None:
    from campaigns.services.reports import send_report

    out, absent = played(evening)
    data = logged_report(evening.battle, evening.state)
    report = send_report(
        battle=evening.battle, actor=evening.ada, data=data, by_side=c.side(evening.battle, evening.ada)
    )
    mine, theirs = evening.key(evening.ada), evening.key(evening.ben)
    assert report.data["out"] == {mine: {}, theirs: {out: mine}}
    assert absent not in report.data["took_part"][mine]
    assert report.data["points"] == {mine: 3, theirs: 1}
    assert (report.data["winner"], len(report.data["deeds"])) == (mine, 1)
    assert otherwise(evening.state, report.data) == ()
    with pytest.raises(Refusal, match="Tracking has ended"):
        evening.act(evening.ada, "reopen")


def test_a_report_that_says_otherwise_is_told(evening: Evening) -> None:
    out, absent = played(evening)
    data = logged_report(evening.battle, evening.state)
    mine, theirs = evening.key(evening.ada), evening.key(evening.ben)
    stood = evening.own(evening.ada, 1)
    data |= {"out": {mine: {stood: theirs}, theirs: {}}, "points": {mine: 2, theirs: 1}, "deeds": []}
    data["took_part"][mine].append(absent)
    lines = otherwise(evening.state, data)
    name = evening.state.fighter
    assert f"The table log has {name(stood).name} standing." in lines
    assert f"The table log has {name(out).name} out." in lines
    assert f"The table log has {name(absent).name} not deployed." in lines
    assert any("with 3 points." in line for line in lines)
    assert len(lines) == 5


def test_whoever_fled_lost_whatever_the_points(evening: Evening) -> None:
    for place in range((len(evening.state.of(evening.key(evening.ada))) + 1) // 2):
        evening.act(evening.ada, "down", fighter=evening.own(evening.ada, place))
    evening.act(evening.ada, "score", side=evening.key(evening.ada), change=9)
    evening.act(evening.ada, "morale", side=evening.key(evening.ada), outcome="flees")
    assert logged_report(evening.battle, evening.state)["winner"] == evening.key(evening.ben)


def test_a_row_of_several_comes_as_so_many_and_is_out_once_all_are(ada: Any, ben: Any, cleo: Any) -> None:
    from warbands.models import Fighter

    club = c.club(cleo, ada, ben)
    row = Fighter.objects.live().filter(warband=club.warband(ada)).order_by("-position", "-pk").first()
    assert row is not None
    row.count = 3
    row.save()
    battle = c.mustered(club, ada, ben, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    mine = str(c.side(battle, ada).pk)

    def three() -> list[Any]:
        state = table_state(battle)
        assert state is not None
        return [fighter for fighter in state.of(mine) if fighter.row == str(row.pk)]

    assert [fighter.name for fighter in three()] == [f"{row.name} {number}" for number in (1, 2, 3)]
    theirs = str(c.side(battle, ben).pk)
    for fighter in three()[:2]:
        act_at_table(battle=battle, actor=ada, data={"kind": "out", "fighter": fighter.key, "by": theirs})
    state = table_state(battle)
    assert state is not None
    data = logged_report(battle, state)
    assert data["out"][mine] == {}
    assert data["took_part"][mine].count(str(row.pk)) == 1
    act_at_table(battle=battle, actor=ada, data={"kind": "out", "fighter": three()[2].key, "by": theirs})
    state = table_state(battle)
    assert state is not None
    data = logged_report(battle, state)
    assert data["out"][mine] == {str(row.pk): theirs}
    assert otherwise(state, data) == ()


# --- the app's dice stay ------------------------------------------------------------------------------------------------------


def rolling(evening: Evening, seed: int, fighter: str, **data: str) -> TableAct:
    return roll_at_table(
        battle=evening.battle, actor=evening.ada, roll="success", data={"fighter": fighter, **data}, source="app",
        dice=SeededDice(seed),
    )  # fmt: skip


def faces(act: TableAct) -> list[int]:
    return [face for draw in act.dice for face in draw["faces"]]


def test_an_undone_roll_of_the_apps_falls_the_same_at_the_next_try(evening: Evening) -> None:
    ilse, ottla = evening.own(evening.ada), evening.own(evening.ada, 1)
    first = rolling(evening, 1, ilse)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    assert faces(rolling(evening, 2, ottla)) != []  # another fighter's roll is another act
    again = rolling(evening, 3, ilse)
    assert faces(again) == faces(first)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=again.number)
    more = rolling(evening, 4, ilse, dice="1")
    assert faces(more)[: len(faces(first))] == faces(first)
    assert len(faces(more)) == len(faces(first)) + 1


def typing(evening: Evening, fighter: str, *faces: int, **data: str) -> TableAct:
    return roll_at_table(
        battle=evening.battle, actor=evening.ada, roll="success", data={"fighter": fighter, **data}, source="typed",
        faces=faces,
    )  # fmt: skip


def test_no_others_are_typed_in_the_place_of_the_apps_undone_dice(evening: Evening) -> None:
    ilse, ottla = evening.own(evening.ada), evening.own(evening.ada, 1)
    first = rolling(evening, 1, ilse)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    shown = ", ".join(map(str, faces(first)))
    for data in ({}, {"dice": "1"}):
        with pytest.raises(Refusal, match=f"The app rolled {shown} .*these dice stay") as refused:
            typing(evening, ilse, 6, 6, **data)
        assert refused.value.code == "app-dice"
        with pytest.raises(Refusal, match="these dice stay"):
            dice_wanted(battle=evening.battle, roll="success", data={"fighter": ilse, **data})
    assert faces(typing(evening, ottla, 6, 6)) == [6, 6]  # another fighter's roll is another act
    assert faces(rolling(evening, 3, ilse)) == faces(first)
    assert faces(typing(evening, ilse, 6, 6)) == [6, 6]  # what stands is not tried again


def test_typed_dice_that_were_taken_back_are_typed_anew(evening: Evening) -> None:
    ilse = evening.own(evening.ada)
    first = typing(evening, ilse, 1, 1)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    assert faces(typing(evening, ilse, 1, 2)) == [1, 2]


def test_a_campaign_that_rolls_at_the_table_by_now_types_in_its_dice(evening: Evening) -> None:
    ilse = evening.own(evening.ada)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=rolling(evening, 1, ilse).number)
    Campaign.objects.filter(pk=evening.battle.campaign_id).update(dice=Campaign.Dice.TYPED)
    assert faces(typing(evening, ilse, 6, 6)) == [6, 6]


def test_the_form_of_a_roll_tells_that_the_apps_dice_stand(evening: Evening, client: Any) -> None:
    ilse = evening.own(evening.ada)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=rolling(evening, 1, ilse).number)
    client.force_login(evening.ada)
    here = reverse("battle-track", args=[evening.battle.pk])
    form = client.get(f"{here}?roll=success&fighter={ilse}&typed=1")
    assert "these dice stay" in form.content.decode()
    assert form.context["page"].panel is None
    sent = {"press": "roll", "roll": "success", "fighter": ilse, "source": "typed", "face_1": "6", "face_2": "6"}
    before = TableAct.objects.count()
    refused = client.post(f"{here}?roll=success", sent)
    assert refused.status_code == 422
    assert "these dice stay" in refused.content.decode()
    assert TableAct.objects.count() == before


def settled(evening: Evening, roll: str, seed: int, **data: str) -> TableAct:
    return roll_at_table(
        battle=evening.battle, actor=evening.ada, roll=roll, data=data, source="app", dice=SeededDice(seed)
    )


def test_no_other_outcome_is_told_in_the_place_of_the_apps_undone_dice(evening: Evening) -> None:
    mine, theirs = evening.key(evening.ada), evening.key(evening.ben)
    first = settled(evening, "initiative", 1)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=first.number)
    for side in (mine, theirs):
        with pytest.raises(Refusal, match="these dice stay"):
            evening.act(evening.ada, "initiative", side=side)
    again = settled(evening, "initiative", 2)
    assert faces(again) == faces(first)
    for key in [fighter.key for fighter in evening.state.of(mine)]:
        evening.act(evening.ada, "down", fighter=key)
    test = settled(evening, "morale", 3, side=mine)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=test.number)
    with pytest.raises(Refusal, match="these dice stay"):
        evening.act(evening.ada, "morale", side=mine, outcome="holds")
    assert faces(settled(evening, "morale", 4, side=mine)) == faces(test)


def test_where_the_apps_dice_alone_count_no_outcome_is_told(evening: Evening, client: Any) -> None:
    client.force_login(evening.ada)
    here = reverse("battle-track", args=[evening.battle.pk])
    assert client.get(here).context["page"].asks[0].presses
    Campaign.objects.filter(pk=evening.battle.campaign_id).update(dice=Campaign.Dice.APP)
    (ask,) = client.get(here).context["page"].asks
    assert ask.answer is not None
    assert not ask.presses
    with pytest.raises(Refusal, match="uses the app's dice"):
        evening.act(evening.ada, "initiative", side=evening.key(evening.ada))
    settled(evening, "initiative", 1)
    assert evening.state.initiative


def test_what_was_not_undone_or_belongs_to_an_earlier_turn_is_rolled_afresh(evening: Evening) -> None:
    ilse = evening.own(evening.ada)
    seen = {tuple(faces(rolling(evening, seed, ilse))) for seed in range(6)}
    assert len(seen) > 1
    last = rolling(evening, 7, ilse)
    undo_at_table(battle=evening.battle, actor=evening.ada, number=last.number)
    evening.act(evening.ada, "turn", turn=1, anyway=True)
    assert len({tuple(faces(rolling(evening, seed, ilse))) for seed in range(20, 26)}) > 1
    assert faces(rolling(evening, 99, ilse)) == list(SeededDice(99).draw(2, 6, "").faces)


def test_a_piece_is_called_by_its_name(evening: Evening) -> None:
    names = {
        entry.name
        for entry in evening.battle.campaign.terms.game.rulebook.entries(evening.battle.campaign.terms.content)
    }
    pieces = [piece.name for fighter in evening.state.fighters for piece in fighter.kit]
    for item, name in (("satchel-charge", "Satchel Charge"), ("explosive-charges", "Explosive Charges")):
        assert item not in pieces
        assert name in names
    assert set(pieces) <= names
