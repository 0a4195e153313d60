"""Queries whose SQL is kept answer as they would if they were written anew."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.written import WrittenQuery
from tests import stories as s
from warbands.models import Fighter, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def warbands(ada: Any, ben: Any) -> list[int]:
    """The ids of nine warbands: those at even places Ada's, the others Ben's."""
    return [s.found(ben if place % 2 else ada, name=f"Band {place}").pk for place in range(9)]


def named(ids: list[int]) -> QuerySet[Warband]:
    return Warband.objects.filter(pk__in=ids).order_by("-pk")


def owned(user: int, ids: list[int]) -> QuerySet[Warband]:
    fighters = Fighter.objects.filter(warband=OuterRef("pk"))
    either = Q(owner=user) | Q(pk__in=ids)
    return (
        Warband.objects.filter(either)
        .select_related("owner", "terms")
        .annotate(has_fighters=Exists(fighters))
        .order_by("pk")
    )


def test_any_number_of_ids_finds_the_rows_that_the_query_finds(warbands: list[int]) -> None:
    asked = WrittenQuery(named)
    for count in (1, 2, 3, 5, 9, 4, 1):
        ids = warbands[-count:]
        assert asked(ids) == list(named(ids))
        assert asked(set(ids)) == list(named(ids))
    assert asked(warbands[:3]) != asked(warbands[3:6])


def test_many_lengths_of_lists_are_written_few_times(warbands: list[int]) -> None:
    written = []

    def build(ids: list[int]) -> QuerySet[Warband]:
        written.append(len(ids))
        return named(ids)

    asked = WrittenQuery(build)
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 1):
        asked(warbands[:count])
    assert written == [1, 2, 4, 8, 16]


def test_related_rows_and_what_is_annotated_come_along(
    warbands: list[int], ada: Any, ben: Any, django_assert_num_queries: Any
) -> None:
    asked = WrittenQuery(owned)
    Fighter.objects.create(warband_id=warbands[0], profile_id="yeoman", name="Ottla")
    asked(ben.pk, warbands[:2])
    with django_assert_num_queries(1):
        found = asked(ada.pk, warbands[1:2])
        assert {each.owner.username for each in found} == {"ada", "ben"}
        assert {each.terms.system for each in found} == {"trench-crusade"}
    assert found == list(owned(ada.pk, warbands[1:2]))
    assert [each.has_fighters for each in found] == [each.pk == warbands[0] for each in found]


def test_single_values_and_the_first_few_rows_are_found_too(warbands: list[int], ada: Any, ben: Any) -> None:
    names: WrittenQuery[str] = WrittenQuery(
        lambda user: Warband.objects.filter(owner=user).order_by("pk").values_list("name", flat=True)[:2]
    )
    assert names(ada.pk) == ["Band 0", "Band 2"]
    assert names(ben.pk) == ["Band 1", "Band 3"]


def test_an_empty_list_that_leaves_nothing_asks_nothing(warbands: list[int], django_assert_num_queries: Any) -> None:
    asked = WrittenQuery(named)
    for _ in range(2):
        with django_assert_num_queries(0):
            assert asked([]) == []
    assert asked(warbands[:1]) == list(named(warbands[:1]))


def test_an_empty_list_beside_something_else_leaves_that(warbands: list[int], ada: Any) -> None:
    asked = WrittenQuery(owned)
    assert asked(ada.pk, []) == list(owned(ada.pk, []))
    assert len(asked(ada.pk, [])) == 5
    assert len(asked(ada.pk, warbands[1:2])) == 6


def test_what_changes_between_two_askings_is_what_is_in_the_rows(warbands: list[int]) -> None:
    asked = WrittenQuery(named)
    assert asked(warbands[:1])[0].name == "Band 0"
    Warband.objects.filter(pk=warbands[0]).update(name="The Lantern Wardens")
    assert asked(warbands[:1])[0].name == "The Lantern Wardens"


@pytest.mark.parametrize("beyond", [2**63 - 1, 2**63, 10**40, -(2**63), -(10**40), 9_100_000_000_000_000_000])
def test_an_id_that_no_row_can_have_finds_none(beyond: int, warbands: list[int], ada: Any) -> None:
    asked = WrittenQuery(named)
    assert asked([beyond]) == []
    assert asked([warbands[0], beyond, warbands[1]]) == list(named(warbands[:2]))
    assert WrittenQuery(owned)(beyond, []) == []


def test_an_id_that_does_not_stand_in_the_query_is_a_mistake() -> None:
    asked = WrittenQuery(lambda one, other: Warband.objects.filter(pk=one))
    with pytest.raises(ValueError, match="1 of the ids"):
        asked(1, 2)


def test_a_query_that_can_find_nothing_is_a_mistake() -> None:
    asked = WrittenQuery(lambda one: Warband.objects.filter(pk=one, owner__in=[]))
    with pytest.raises(EmptyResultSet):
        asked(1)


@pytest.mark.django_db(transaction=True)
def test_everybody_asks_over_a_connection_of_their_own(ada: Any) -> None:
    asked = WrittenQuery(named)
    ids = [s.found(ada).pk]
    asked(ids)
    answers = []

    def elsewhere() -> None:
        answers.append(asked(ids))
        connection.close()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert answers == [asked(ids)]
