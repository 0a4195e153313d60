"""One press in a post-battle step: dice and decisions that write what is certain, all dice at once, and what undo gives back."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Battle, PostBattle
from campaigns.services.open import change_campaign
from campaigns.services.post_battle import keep_roll
from campaigns.services.task_answers import (
    answer_with_choice,
    answer_with_dice,
    begin,
    confirm_task,
    correct_roll,
    leave_step,
    roll_all,
    undo_task,
)
from rules.dice import SeededDice
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event
from warbands.recording import AlreadyDone

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

OTTLA, ILSE, WREN = "Ottla", "Ilse Brandt", "Wren"


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """A battle that Ben won, in which Ada's leader and two soldiers went out."""
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben, out={ada: [ILSE, OTTLA, WREN]})
    return row


@story
def sequence(row: Battle, ada: Any) -> PostBattle:
    """Ada's sequence after it, begun."""
    return c.begin(row, ada)


def key(made: c.Club, user: Any, name: str = ILSE) -> str:
    """The key of a fighter's task in the first step."""
    return f"{'trauma' if name == ILSE else 'casualty'}-{c.keys(made.warband(user), name)[0]}"


def kinds(since: int) -> list[str]:
    """The events after this one."""
    return list(Event.objects.filter(pk__gt=since).order_by("pk").values_list("kind", flat=True))


def last() -> int:
    return int(Event.objects.latest("pk").pk)


def typed(sequence: PostBattle, task: str, *faces: int, token: str = "") -> tuple[Event, ...]:
    """Type dice in, by the owner."""
    fresh = c.sequence_rows().get(pk=sequence.pk)
    return answer_with_dice(
        post_battle=fresh, task_key=task, source="typed", faces=faces, actor=fresh.side.seat.user, token=token
    )


# --- dice


def test_what_is_certain_after_a_roll_is_one_event_beside_the_roll(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    before = last()
    (event,) = typed(sequence, key(made, ada), 3, 1)
    assert kinds(before) == ["roll", "write"]
    assert event.told == "ada recorded: Ilse Brandt: Leg Wound."
    assert c.sequence_row(row, ada).record["written"] == {key(made, ada): event.pk}
    s.assert_reconciled(made.warband(ada))


def test_refused_dice_leave_nothing_behind(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    before = last()
    with pytest.raises(Refusal):
        typed(sequence, key(made, ada), 3, 7)
    assert kinds(before) == []
    assert c.sequence_row(row, ada).record == {}


def test_one_token_rolls_once(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    typed(sequence, key(made, ada), 3, 1, token="t-1")
    before = last()
    with pytest.raises((AlreadyDone, Refusal)):
        typed(sequence, key(made, ada), 4, 1, token="t-1")
    assert kinds(before) == []


def test_two_phones_at_once_roll_and_write_once(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    first, second = c.sequence_row(row, ada), c.sequence_row(row, ada)
    task = key(made, ada)
    given = {"task_key": task, "actor": ada, "source": "app", "at": 0, "dice": SeededDice(2)}
    answer_with_dice(post_battle=first, token="a", **given)
    kept = c.sequence_row(row, ada).record["draws"][task]
    with pytest.raises((AlreadyDone, Refusal)):
        answer_with_dice(post_battle=second, token="b", **given)
    assert c.sequence_row(row, ada).record["draws"][task] == kept
    assert Event.objects.filter(kind="roll").count() == 1
    assert Event.objects.filter(kind="write").count() <= 1


def test_a_death_waits_for_its_confirmation(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    task = key(made, ada, OTTLA)
    assert typed(sequence, task, 1) == ()
    assert c.named(made.warband(ada), OTTLA).status == "active"
    (event,) = confirm_task(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    assert event.data["grave"] is True
    assert c.named(made.warband(ada), OTTLA).status == "dead"


def test_undo_gives_the_same_die_back(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    task, document = key(made, ada), s.document(made.warband(ada))
    answer_with_dice(post_battle=sequence, task_key=task, actor=ada, source="app", dice=SeededDice(5))
    kept = c.sequence_row(row, ada).record["draws"][task]
    undo_task(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    assert s.document(made.warband(ada)) == document
    with pytest.raises(Refusal, match="needs no dice now"):
        answer_with_dice(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada, source="app")
    with pytest.raises(Refusal, match="app's dice"):
        correct_roll(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    roll_all(post_battle=c.sequence_row(row, ada), step="injuries", actor=ada, dice=SeededDice(9))
    assert c.sequence_row(row, ada).record["draws"][task] == kept
    assert task not in c.sequence_row(row, ada).record["written"]  # it waits for whoever undid it
    confirm_task(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    assert c.sequence_row(row, ada).record["draws"][task] == kept


def test_a_mistyped_die_is_corrected_with_one_press(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    task = key(made, ada)
    typed(sequence, task, 3, 1)
    correct_roll(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada, at=1)
    assert c.sequence_row(row, ada).record["written"] == {}
    assert c.progress(sequence, task).need is not None
    assert c.named(made.warband(ada), ILSE).state["traumas"] == {}


# --- all dice at once


def test_all_roll_with_one_press_each_once(made: c.Club, sequence: PostBattle, row: Battle, ada: Any) -> None:
    typed(sequence, key(made, ada, WREN), 6)
    before = last()
    written = roll_all(post_battle=c.sequence_row(row, ada), step="injuries", actor=ada, dice=SeededDice(5), token="r")
    assert kinds(before).count("roll") == 2
    assert kinds(before).count("write") == len(written)
    draws = c.sequence_row(row, ada).record["draws"]
    assert set(draws) == {key(made, ada), key(made, ada, OTTLA), key(made, ada, WREN)}
    assert draws[key(made, ada, WREN)][0]["origin"] == "typed"
    for token in ("r", "r-2"):
        with pytest.raises((AlreadyDone, Refusal)):
            roll_all(post_battle=c.sequence_row(row, ada), step="injuries", actor=ada, token=token)
    assert c.sequence_row(row, ada).record["draws"] == draws
    s.assert_reconciled(made.warband(ada))


def test_the_app_rolls_nothing_where_the_campaign_rolls_at_the_table(
    made: c.Club, row: Battle, ada: Any, cleo: Any
) -> None:
    change_campaign(campaign=made.campaign, actor=cleo, dice="typed")
    sequence = c.begin(row, ada)
    with pytest.raises(Refusal):
        roll_all(post_battle=sequence, step="injuries", actor=ada)
    assert c.sequence_row(row, ada).record == {}


# --- decisions


def test_a_decision_that_settles_its_task_is_one_event_and_undone_with_it(made: c.Club, row: Battle, ada: Any) -> None:
    sequence, task = c.begin(row, ada), key(made, ada)
    typed(sequence, task, 1, 4)
    asked = c.progress(sequence, task).asked
    assert asked is not None
    before = last()
    with pytest.raises(Refusal):
        answer_with_choice(
            post_battle=c.sequence_row(row, ada), task_key=task, choice_key=asked.key, value="tail", actor=ada
        )
    assert kinds(before) == []
    value = asked.options[0].value
    given = {"task_key": task, "choice_key": asked.key, "value": value, "actor": ada, "token": "c-1"}
    answer_with_choice(post_battle=c.sequence_row(row, ada), **given)
    assert kinds(before) == ["write"]
    with pytest.raises((AlreadyDone, Refusal)):
        answer_with_choice(post_battle=c.sequence_row(row, ada), **given)
    undo_task(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    again = c.progress(sequence, task).asked
    assert again is not None
    assert again.key == asked.key
    assert c.named(made.warband(ada), ILSE).state["traumas"] == {}


# --- steps


def test_a_step_writes_what_is_certain_when_it_is_reached(made: c.Club, row: Battle, ben: Any) -> None:
    begin(side=c.side(row, ben), actor=ben)
    sequence = c.sequence_row(row, ben)
    before = last()
    leave_step(post_battle=sequence, step="injuries", actor=ben, token="n-1")
    assert kinds(before) == ["step", "write"]
    current = c.look(sequence).current()
    assert current is not None
    assert current.id == "experience"
    assert not c.look(sequence).waiting("experience")
    (tally,) = [task.key for task in c.look(sequence).tasks("experience")]
    undo_task(post_battle=c.sequence_row(row, ben), task_key=tally, actor=ben)
    begin(side=c.side(row, ben), actor=ben)  # a second press changes nothing
    assert [task.key for task in c.look(sequence).waiting("experience")] == [tally]
    s.assert_reconciled(made.warband(ben))


def test_a_roll_that_was_kept_before_a_crash_is_offered_for_confirmation(
    made: c.Club, sequence: PostBattle, row: Battle, ada: Any
) -> None:
    task = key(made, ada)
    keep_roll(post_battle=sequence, task_key=task, source="typed", faces=(3, 1), actor=ada)
    (event,) = confirm_task(post_battle=c.sequence_row(row, ada), task_key=task, actor=ada)
    assert c.sequence_row(row, ada).record["written"] == {task: event.pk}
