"""After a battle: rolls kept as they fall, choices, outcomes written once, steps in order, closing, and what cannot be fished for."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Battle, Capture, PostBattle
from campaigns.services.answers import confirm_report
from campaigns.services.open import change_campaign
from campaigns.services.post_battle import (
    close_post_battle,
    finish_step,
    keep_choice,
    keep_roll,
    reopen_post_battle,
    start_post_battle,
    take_back_roll,
    write_task,
)
from rules.dice import SeededDice
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event
from warbands.recording import AlreadyDone
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

OTTLA, MATTHIAS, ILSE = "Ottla", "Matthias Kroll", "Ilse Brandt"


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """A battle that Ben won, in which Ada's leader and a soldier went out."""
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE, OTTLA]})
    return row


@story
def sequence(row: Battle, ada: Any) -> PostBattle:
    """Ada's sequence after it, begun."""
    return c.begin(row, ada)


def trauma(made: c.Club, user: Any, name: str = ILSE) -> str:
    """The key of a leader's trauma task."""
    return f"trauma-{c.keys(made.warband(user), name)[0]}"


# --- beginning


def test_a_sequence_begins_from_the_report_and_waits_for_no_answer(made: c.Club, row: Battle, ada: Any) -> None:
    assert row.sides.count() == 2
    sequence = c.begin(row, ada)
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    assert sequence.started_at is not None
    assert sequence.aftermath["number"] == 1
    assert made.warband(ada).state["fought"] == 1
    assert made.warband(ada).state["last_scenario"] == "hill-223"
    s.assert_reconciled(made.warband(ada))


def test_what_the_report_itself_does_happens_once(made: c.Club, row: Battle, ada: Any) -> None:
    c.begin(row, ada)
    events = Event.objects.count()
    start_post_battle(side=c.side(row, ada), actor=ada)
    assert made.warband(ada).state["fought"] == 1
    assert Event.objects.count() == events


def test_nothing_begins_before_the_report_or_for_a_guest(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    unplayed = c.mustered(made, ada, ben)
    with pytest.raises(Refusal, match="no post-battle"):
        start_post_battle(side=c.side(unplayed, ada), actor=ada)
    other = c.mustered(made, ada, guests=[("Emil", "HERETIC")])
    c.fight(other, by=ada, winner=ada)
    with pytest.raises(Refusal, match="Emil has no warband"):
        start_post_battle(side=c.side(other, "Emil"), actor=cleo)


def test_each_sequence_keeps_its_own_number(made: c.Club, row: Battle, ada: Any, ben: Any) -> None:
    c.resolve(row, ada, until="experience")
    c.resolve(row, ben)
    second = c.mustered(made, ada, ben, scenario="supply-raid")
    c.fight(second, by=ada, winner=ada)
    assert c.begin(second, ada).aftermath["number"] == 2
    assert c.sequence_row(row, ada).aftermath["number"] == 1
    c.resolve(row, ada)
    c.resolve(second, ada)
    assert made.warband(ada).state["fought"] == 2
    s.assert_reconciled(made.warband(ada))


# --- rolling


def test_a_typed_roll_is_kept_with_its_source_and_who_typed_it(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    key = trauma(made, ada)
    c.type_in(sequence, key, 3, 1)
    (draw,) = c.sequence_row(row, ada).record["draws"][key]
    assert (draw["faces"], draw["origin"], draw["by"]) == ([3, 1], "typed", "ada")
    assert Event.objects.latest("pk").told == f"ada typed in 3, 1 ({draw['why']}). Ilse Brandt"
    told = c.progress(sequence, key)
    assert told.outcome is not None
    assert [r.name for line in told.told for r in line.rows if r.hit] == ["Leg Wound"]


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((3, 7), "A die shows 1 to 6; the second one says 7"),
        ((0, 1), "A die shows 1 to 6; the first one says 0"),
        ((3,), "Enter 2 dice. You entered 1."),
        ((3, 1, 2), "Enter 2 dice. You entered 3."),
        ((), "You entered 0"),
        (("x", 1), "no face of a die"),
    ],
)
def test_faces_no_die_shows_are_refused_and_nothing_is_kept(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any, faces: Any, words: str
) -> None:
    events = Event.objects.count()
    with pytest.raises(Refusal, match=words):
        c.type_in(sequence, trauma(made, ada), *faces)
    assert c.sequence_row(row, ada).record == {}
    assert Event.objects.count() == events


def test_a_roll_cannot_be_fished_for(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    key = trauma(made, ada)
    keep_roll(post_battle=sequence, task_key=key, source="app", actor=ada, dice=SeededDice(2))
    kept = c.sequence_row(row, ada).record["draws"][key]
    with pytest.raises(Refusal, match="needs no dice now"):
        keep_roll(post_battle=sequence, task_key=key, source="app", actor=ada)
    with pytest.raises(AlreadyDone) as done:
        keep_roll(post_battle=sequence, task_key=key, source="app", actor=ada, at=0)
    assert done.value.event is not None
    assert done.value.event.kind == "roll"
    with pytest.raises(Refusal, match="app's dice stay"):
        take_back_roll(post_battle=sequence, task_key=key, actor=ada)
    with pytest.raises(Refusal, match=r"[Dd]ice"):
        undo(event=done.value.event, actor=ada)
    event = c.write(sequence, key)
    undo(event=event, actor=ada)
    assert c.sequence_row(row, ada).record["draws"][key] == kept


def test_beginning_anew_meets_the_same_faces(made: c.Club, row: Battle, ada: Any) -> None:
    before = s.document(made.warband(ada))
    sequence = c.begin(row, ada)
    key = trauma(made, ada)
    keep_roll(post_battle=sequence, task_key=key, source="app", actor=ada, dice=SeededDice(2))
    kept = c.sequence_row(row, ada).record["draws"][key]
    undo(event=Event.objects.get(kind="fought"), actor=ada)
    assert c.sequence_row(row, ada).started_at is None
    assert s.document(made.warband(ada)) == before
    assert c.begin(row, ada).record["draws"][key] == kept


def test_mistyped_takes_a_typed_roll_back_as_an_event_until_it_is_written(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    key = trauma(made, ada)
    c.type_in(sequence, key, 3, 1)
    take_back_roll(post_battle=sequence, task_key=key, actor=ada)
    assert Event.objects.latest("pk").told.startswith("ada undid a mistyped roll: 3, 1")
    assert c.sequence_row(row, ada).record == {"draws": {}}
    with pytest.raises(Refusal, match="no roll to undo"):
        take_back_roll(post_battle=sequence, task_key=key, actor=ada)
    c.type_in(sequence, key, 4, 1)
    c.write(sequence, key)
    with pytest.raises(Refusal, match="already done"):
        take_back_roll(post_battle=sequence, task_key=key, actor=ada)


@pytest.mark.parametrize(("policy", "source", "words"), [("app", "typed", "app's dice"), ("typed", "app", "real dice")])
def test_the_campaigns_dice_policy_holds(
    made: c.Club, row: Battle, ada: Any, cleo: Any, policy: str, source: str, words: str
) -> None:
    change_campaign(campaign=made.campaign, actor=cleo, dice=policy)
    sequence = c.begin(row, ada)
    with pytest.raises(Refusal, match=words):
        keep_roll(post_battle=sequence, task_key=trauma(made, ada), source=source, faces=[3, 1], actor=ada)


# --- choosing


def hand_wound(made: c.Club, row: Battle, ada: Any) -> tuple[Any, str, Any]:
    """A sequence in which the leader's hand is hurt and which one is asked."""
    sequence = c.begin(row, ada)
    key = trauma(made, ada)
    c.type_in(sequence, key, 1, 4)
    asked = c.progress(sequence, key).asked
    assert asked is not None
    return sequence, key, asked


def test_a_choice_is_kept_and_may_be_made_anew_until_it_is_written(made: c.Club, row: Battle, ada: Any) -> None:
    sequence, key, asked = hand_wound(made, row, ada)
    first, second = asked.options[0].value, asked.options[1].value
    with pytest.raises(Refusal, match="decide first"):
        c.write(sequence, key)
    with pytest.raises(Refusal, match="not one of the choices"):
        keep_choice(post_battle=sequence, task_key=key, choice_key=asked.key, value="tail", actor=ada)
    with pytest.raises(Refusal, match="not needed now"):
        keep_choice(post_battle=sequence, task_key=key, choice_key="weather", value="rain", actor=ada)
    keep_choice(post_battle=sequence, task_key=key, choice_key=asked.key, value=first, actor=ada)
    keep_choice(post_battle=sequence, task_key=key, choice_key=asked.key, value=second, actor=ada)
    assert c.sequence_row(row, ada).record["choices"][key] == {asked.key: second}
    c.write(sequence, key)
    suffered = c.named(made.warband(ada), ILSE).state["traumas"]
    assert [t["details"] for t in suffered.values()] == [{asked.key.removeprefix("detail-"): second}]


def test_a_mistyped_roll_takes_the_choices_after_it_along(made: c.Club, row: Battle, ada: Any) -> None:
    sequence, key, asked = hand_wound(made, row, ada)
    keep_choice(post_battle=sequence, task_key=key, choice_key=asked.key, value=asked.options[0].value, actor=ada)
    take_back_roll(post_battle=sequence, task_key=key, actor=ada)
    assert c.sequence_row(row, ada).record == {"draws": {}, "choices": {}}


def test_a_choice_stands_once_dice_fell_after_it(made: c.Club, row: Battle, ada: Any) -> None:
    c.resolve(row, ada, until="promotion")
    sequence = c.sequence_row(row, ada)
    asked = c.progress(sequence, "promotion").asked
    assert asked is not None
    assert asked.kind == "allot"
    (one, *_) = [option.value for option in asked.options]
    keep_choice(post_battle=sequence, task_key="promotion", choice_key=asked.key, value={one: 1}, actor=ada)
    c.type_in(sequence, "promotion", 2)
    with pytest.raises(Refusal, match="Dice were rolled since"):
        keep_choice(post_battle=sequence, task_key="promotion", choice_key=asked.key, value={}, actor=ada)


# --- writing


def test_writing_carries_the_outcome_out_in_one_event_of_the_battle(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    key = trauma(made, ada)
    with pytest.raises(Refusal, match="roll the dice first"):
        c.write(sequence, key)
    c.type_in(sequence, key, 3, 1)
    event = c.write(sequence, key)
    assert (event.kind, event.occasion) == ("write", row.occasion)
    assert event.told == "ada recorded: Ilse Brandt: Leg Wound."
    assert event.data["task"] == key
    assert c.sequence_row(row, ada).record["written"] == {key: event.pk}
    assert [t["id"] for t in c.named(made.warband(ada), ILSE).state["traumas"].values()] == ["leg-wound"]
    with pytest.raises(AlreadyDone) as done:
        c.write(sequence, key)
    assert done.value.event == event
    s.assert_reconciled(made.warband(ada))


def test_undoing_what_was_written_makes_it_unwritten(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    before = s.document(made.warband(ada))
    key = trauma(made, ada)
    c.type_in(sequence, key, 3, 1)
    undo(event=c.write(sequence, key), actor=ada)
    assert s.document(made.warband(ada)) == before
    assert c.sequence_row(row, ada).record["written"] == {}
    assert c.progress(sequence, key).outcome is not None
    c.write(sequence, key)
    assert len(c.named(made.warband(ada), ILSE).state["traumas"]) == 1
    s.assert_reconciled(made.warband(ada))


def test_an_undone_task_opens_its_step_again(made: c.Club, row: Battle, ada: Any) -> None:
    sequence = c.resolve(row, ada, until="promotion")
    written = sequence.record["written"]
    soldier = f"casualty-{c.keys(made.warband(ada), OTTLA)[0]}" if _alive(made, ada) else trauma(made, ada)
    undo(event=Event.objects.get(pk=written[soldier]), actor=ada)
    current = c.look(sequence).current()
    assert current is not None
    assert current.id == "injuries"
    with pytest.raises(Refusal, match="Injuries comes first"):
        keep_roll(post_battle=c.sequence_row(row, ada), task_key="promotion", source="app", actor=ada)


def _alive(made: c.Club, user: Any) -> bool:
    return bool(c.named(made.warband(user), OTTLA).status == "active")


def test_a_death_takes_the_fighter_and_the_kit_and_is_undone_whole(
    made: c.Club, sequence: PostBattle, ada: Any
) -> None:
    key = trauma(made, ada)
    before = s.document(made.warband(ada))
    rating = made.warband(ada).rating_ducats
    c.type_in(sequence, key, 1, 1)
    event = c.write(sequence, key)
    assert event.data["grave"] is True
    assert c.named(made.warband(ada), ILSE).status == "dead"
    assert made.warband(ada).rating_ducats < rating
    assert s.kit_of(c.named(made.warband(ada), ILSE)) == []
    assert key in {task.key for task in c.look(sequence).tasks("injuries")}
    undo(event=event, actor=ada)
    assert s.document(made.warband(ada)) == before
    assert made.warband(ada).rating_ducats == rating
    s.assert_reconciled(made.warband(ada))


def test_an_administrator_finishes_for_a_player_and_history_names_both(
    made: c.Club, sequence: PostBattle, ada: Any, cleo: Any
) -> None:
    key = trauma(made, ada)
    c.type_in(sequence, key, 3, 1, actor=cleo)
    assert c.write(sequence, key, actor=cleo).told == "cleo, for ada, recorded: Ilse Brandt: Leg Wound."


def test_a_captured_fighter_is_held_by_the_other_side_and_the_kit_is_gone(
    made: c.Club, sequence: PostBattle, ada: Any, ben: Any
) -> None:
    key = trauma(made, ada)
    c.type_in(sequence, key, 1, 2)
    event = c.write(sequence, key)
    held = Capture.objects.live().get()
    assert (held.fighter.name, held.captor_id, held.captor_name) == (ILSE, made.warband(ben).pk, "The Gallows Choir")
    assert c.named(made.warband(ada), ILSE).status == "captive"
    assert s.kit_of(c.named(made.warband(ada), ILSE)) == []
    undo(event=event, actor=ada)
    assert not Capture.objects.live().exists()
    assert c.named(made.warband(ada), ILSE).status == "active"
    s.assert_reconciled(made.warband(ada))


# --- steps


def test_steps_go_in_the_editions_order(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    with pytest.raises(Refusal, match="Injuries is still open: Ilse Brandt, Ottla"):
        finish_step(post_battle=sequence, step="injuries", actor=ada)
    with pytest.raises(Refusal, match=r"Injuries comes first\. Still open: Ilse Brandt, Ottla"):
        finish_step(post_battle=sequence, step="promotion", actor=ada)
    with pytest.raises(Refusal, match="no such step"):
        finish_step(post_battle=sequence, step="tea", actor=ada)
    states = {row.step.id: row.state for row in c.look(sequence).standings()}
    assert states["injuries"] == "open"
    assert states["experience"] == "waiting"


def test_a_step_finished_twice_is_finished_once(made: c.Club, row: Battle, ben: Any) -> None:
    sequence = c.begin(row, ben)
    finish_step(post_battle=sequence, step="injuries", actor=ben)
    events = Event.objects.count()
    finish_step(post_battle=sequence, step="injuries", actor=ben)
    assert c.sequence_row(row, ben).done == ["injuries"]
    assert Event.objects.count() == events


def test_a_step_passed_over_asks_for_nothing(made: c.Club, row: Battle, ben: Any) -> None:
    sequence = c.resolve(row, ben, answers={"way": "reinforce"}, until="camp")
    states = {each.step.id: (each.state, each.why) for each in c.look(sequence).standings()}
    if "reinforcements" in states["exploration"][1]:
        assert states["exploration"][0] == "skipped"
        with pytest.raises(Refusal, match="no longer part"):
            keep_roll(post_battle=sequence, task_key="exploration", source="app", actor=ben)
    else:
        assert states["exploration"] == ("done", "")


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_sequence_on_seeded_dice_ends_closed_and_adds_up(
    made: c.Club, row: Battle, ada: Any, ben: Any, seed: int
) -> None:
    mine, theirs = c.resolve(row, ada, seed=seed), c.resolve(row, ben, seed=seed + 100)
    assert mine.closed_at is not None
    assert theirs.closed_at is not None
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    confirm_report(battle=row, actor=ada, side=c.side(row, ada))
    assert c.fresh_battle(row).status == Battle.Status.CLOSED
    for user in (ada, ben):
        s.assert_reconciled(made.warband(user))


@pytest.mark.one_database
def test_the_same_dice_lead_to_the_same_roster(cleo: Any, ada: Any, ben: Any) -> None:
    found = []
    for _ in range(2):
        for user in (ada, ben):
            user.seats.update(status="left")
        made = c.club(cleo, ada, ben)
        row = c.mustered(made, ada, ben)
        c.fight(row, by=ben, winner=ben, out={ada: [ILSE, OTTLA]})
        c.resolve(row, ada, seed="weir")
        document = s.document(made.warband(ada))
        found.append(
            [(f["name"], f["experience"], f["traumas"], f["skills"], f["status"]) for f in document["fighters"]]
        )
    assert found[0] == found[1]


def test_closing_waits_for_every_step_and_is_the_last_act(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    with pytest.raises(Refusal, match="Injuries is still open: Ilse Brandt, Ottla"):
        close_post_battle(post_battle=sequence, actor=ada)
    closed = c.resolve(row, ada)
    events = Event.objects.count()
    close_post_battle(post_battle=closed, actor=ada)
    assert Event.objects.count() == events
    with pytest.raises(Refusal, match="is finished"):
        write_task(post_battle=closed, task_key="promotion", actor=ada)
    written = Event.objects.get(pk=closed.record["written"]["promotion"])
    with pytest.raises(Refusal, match="Reopen it first"):
        undo(event=written, actor=ada)
    reopen_post_battle(post_battle=closed, actor=ada)
    assert c.sequence_row(row, ada).closed_at is None
    undo(event=written, actor=ada)
    s.assert_reconciled(made.warband(ada))


def test_camp_stays_open_after_closing(made: c.Club, row: Battle, ada: Any) -> None:
    c.resolve(row, ada, seed=3, answers={"way": "explore"})
    assert s.purse(made.warband(ada)).ducats >= 30
    assert s.hire(made.warband(ada), "Yeoman", "Jonas").name == "Jonas"
    s.assert_reconciled(made.warband(ada))


def test_an_unfinished_sequence_loses_nothing(made: c.Club, row: Battle, ada: Any) -> None:
    sequence, key, asked = hand_wound(made, row, ada)
    again = c.look(sequence)
    assert again.draws(key)[0].faces == (1, 4)
    keep_choice(post_battle=sequence, task_key=key, choice_key=asked.key, value=asked.options[0].value, actor=ada)
    progress = c.progress(sequence, key)
    assert progress.outcome is not None
    assert progress.outcome.will_do
