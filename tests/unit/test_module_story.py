"""Stories told once a module: what one test does, the next one does not find."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from tests.conftest import person
from tests.module_story import Chapter, Stories, story

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TELLINGS: list[str] = []


@story
def guests(ada: Any) -> list[Any]:
    """Ada, renamed, in a list."""
    TELLINGS.append("guests")
    ada.first_name = "Ada the Elder"
    ada.save(update_fields=["first_name"])
    return [ada]


@story(params=["red", "blue"])
def banner(request: pytest.FixtureRequest, guests: list[Any], ben: Any) -> str:
    """Ben bears a colour."""
    TELLINGS.append(request.param)
    ben.last_name = request.param
    ben.save(update_fields=["last_name"])
    return str(request.param)


@pytest.mark.parametrize("time", ["once", "again"])
def test_rows_and_objects_are_as_they_were_told(time: str, guests: list[Any], ada: Any) -> None:
    assert [guest.first_name for guest in guests] == ["Ada the Elder"]
    assert User.objects.get(pk=ada.pk).first_name == "Ada the Elder"
    assert guests[0] is ada  # what was one object in the story is one in the test
    ada.first_name = "Somebody"
    ada.save()
    guests.append("nobody")
    User.objects.create_user("uninvited")


def test_the_tests_before_left_nothing(guests: list[Any]) -> None:
    assert [guest.first_name for guest in guests] == ["Ada the Elder"]
    assert list(User.objects.values_list("username", "first_name")) == [("ada", "Ada the Elder")]
    assert TELLINGS.count("guests") == 1


def test_nobody_sees_a_story_that_was_not_asked_for(django_db_blocker: Any) -> None:
    def names() -> list[str]:
        return list(User.objects.order_by("username").values_list("username", flat=True))

    orla, otto = (Chapter(name, partial(person, name)) for name in ("orla", "otto"))
    standing = Stories(django_db_blocker)
    for chapters, expected in (
        ([orla, otto], ["orla", "otto"]),
        ([orla], ["orla"]),
        ([otto], ["otto"]),
        ([], []),
    ):
        assert sorted(standing.tell(chapters)) == expected
        assert names() == expected
    standing.tell([orla, otto])
    standing.forget()
    assert names() == []


@pytest.mark.parametrize("time", ["once", "again"])
def test_a_story_with_a_parameter_is_told_in_each_way(time: str, banner: str, ben: Any) -> None:
    assert ben.last_name == banner
    assert set(User.objects.values_list("username", flat=True)) == {"ada", "ben"}
    assert TELLINGS.count(banner) == 1


def test_who_only_looks_on_does_not_change_the_story(guests: list[Any], dora: Any) -> None:
    assert {guests[0].username, dora.username} == set(User.objects.values_list("username", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_test_that_commits_is_told_its_own(guests: list[Any], ada: Any) -> None:
    assert not connection.in_atomic_block
    assert guests == [ada]
    assert User.objects.get().first_name == "Ada the Elder"
