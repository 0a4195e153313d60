"""What waits on the desk: a roster that somebody asked to be mended, and battles in which one has something to do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.access import campaign_for
from campaigns.models import Battle, Round, Side
from campaigns.pages.administer import administer_page
from campaigns.pages.desk_queries import read_board
from campaigns.pages.desk_waits import waits
from campaigns.services.challenges import answer_challenge, offer_challenge
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests.module_story import story
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def asked(row: Battle, user: Any, way: str = "mend") -> Side:
    """A side with a settled flag, of a warband with two problems, in a battle that is long closed."""
    side = c.side(row, user)
    flag = {"way": way, "words": "Two hands each.", "by": "cleo", "at": timezone.now().isoformat()}
    Side.objects.filter(pk=side.pk).update(force={**side.force, "flag": flag})
    Battle.objects.filter(pk=row.pk).update(status=Battle.Status.CLOSED)
    Warband.objects.filter(pk=side.warband_id).update(problem_count=2)
    return side


def to_mend(user: Any) -> list[str]:
    return [wait.title for wait in waits(read_board(user)) if wait.icon == "hammer"]


def test_a_roster_waits_to_be_mended_after_its_battle_is_closed(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    asked(c.mustered(made, ada, ben), ada)
    assert to_mend(ada) == [f"Fix {made.warband(ada).name}: 2 problems"]
    assert to_mend(ben) == to_mend(cleo) == []


def test_what_an_administrator_lets_stand_is_not_to_be_mended(made: c.Club, ada: Any, ben: Any) -> None:
    asked(c.mustered(made, ada, ben), ada, way="stands")
    assert to_mend(ada) == []


def test_a_later_muster_ends_the_wait(made: c.Club, ada: Any, ben: Any) -> None:
    side = asked(c.mustered(made, ada, ben), ada)
    later = c.battle(made, ada, ben)
    assert len(to_mend(ada)) == 1
    Side.objects.filter(battle=later, seat__user=ada).update(ready_at=timezone.now())
    assert to_mend(ada) == []
    Side.objects.filter(battle=later).update(is_undone=True)
    assert len(to_mend(ada)) == 1
    Side.objects.filter(pk=side.pk).update(ready_at=None)
    assert len(to_mend(ada)) == 1


@pytest.mark.parametrize("status", [Battle.Status.VOID, Battle.Status.CANCELLED])
def test_nothing_is_mended_after_a_battle_that_was_not_fought(made: c.Club, ada: Any, ben: Any, status: str) -> None:
    row = c.mustered(made, ada, ben)
    asked(row, ada)
    Battle.objects.filter(pk=row.pk).update(status=status)
    assert to_mend(ada) == []


def test_a_mended_roster_waits_no_more(made: c.Club, ada: Any, ben: Any) -> None:
    side = asked(c.mustered(made, ada, ben), ada)
    Warband.objects.filter(pk=side.warband_id).update(problem_count=0)
    assert to_mend(ada) == []


def test_a_battle_is_read_until_one_has_done_ones_part_of_it(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    evening = open_round(campaign=made.campaign, actor=cleo)
    row = c.mustered(made, ada, ben, round=evening)
    c.fight(row, ada, ada)
    assert [battle.pk for battle in read_board(ada).battles] == [row.pk]  # her sequence
    c.resolve(row, ada)
    board = read_board(ada)
    assert board.battles == ()
    assert board.busy == {(evening.pk, made.seat(ada).pk)}
    assert waits(board) == ()
    c.resolve(row, ben)
    assert [wait.title for wait in waits(read_board(ben))] == ["Confirm ada's report"]
    assert [battle.pk for battle in read_board(cleo).battles] == [row.pk]


def test_challenges_reach_who_answers_them_and_then_who_pairs(made: c.Club, cleo: Any, ada: Any, ben: Any) -> None:
    challenge = offer_challenge(seat=made.seat(ada), other=made.seat(ben), actor=ada)
    assert [wait.title for wait in waits(read_board(ben)) if wait.icon == "crossed-swords"] == ["ada challenged you"]
    assert not [wait for wait in waits(read_board(ada)) if wait.key.startswith("challenge")]
    assert matters(made, cleo) == {}
    answer_challenge(challenge=challenge, accepts=True, actor=ben)
    assert not [wait for wait in waits(read_board(ben)) if wait.key.startswith("challenge")]
    found = matters(made, cleo)
    assert found == {f"agreed_{made.seat(ada).pk}": reverse("round-pair", args=[made.campaign.pk])}
    assert any("1 thing" in wait.title for wait in waits(read_board(cleo)))


def test_a_round_that_is_over_and_a_warband_half_built_wait_for_an_administrator(
    made: c.Club, cleo: Any, ada: Any
) -> None:
    found = open_round(campaign=made.campaign, actor=cleo)
    Round.objects.filter(pk=found.pk).update(ends_on=timezone.localdate() - timedelta(days=1))
    Warband.objects.filter(pk=made.warband(ada).pk).update(status=Warband.Status.FOUNDING)
    keys = matters(made, cleo)
    assert keys["round"] == reverse("round-arrange", args=[made.campaign.pk])
    assert keys[f"building_{made.seat(ada).pk}"] == reverse("seat-show", args=[made.seat(ada).pk])


def matters(made: c.Club, cleo: Any) -> dict[str, str]:
    """What waits on the campaign desk, each with its one press."""
    found = administer_page(campaign_for(cleo, made.campaign.pk, to="administer"), "").matters
    return {matter.key: matter.acts[0].href for part in (found.missing, found.lists, found.rosters) for matter in part}
