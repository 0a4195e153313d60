"""What is played once in a run: others find the rows and objects of who played it, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from tests import stories as s
from tests.conftest import person
from tests.kept_rows import KeptRows, all_rows, told_once
from tests.module_story import rolled_back
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.django_db

on_sqlite = pytest.mark.skipif(
    "postgres" in settings.DATABASES["default"]["ENGINE"], reason="There a story is played each time."
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of its own."""
    monkeypatch.setattr(KeptRows, "folder", tmp_path)
    return tmp_path


class Play:
    """A story that counts how often it is played."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Warband:
        self.times += 1
        return s.small_warband(person("ada"))


@on_sqlite
def test_who_comes_later_finds_what_was_played(folder: Path) -> None:
    play = Play()
    with rolled_back():
        first = told_once("evening", play)
        as_played = all_rows()
    assert not User.objects.exists()
    again = told_once("evening", play)
    assert play.times == 1
    assert all_rows() == as_played
    assert (again.pk, again.name, again.owner.username) == (first.pk, first.name, "ada")
    assert Fighter.objects.filter(warband=again).count() == 3
    s.assert_reconciled(again)
    s.hire(s.fresh(again), "Yeoman", "Hedvig")  # and it goes on from there
    assert Fighter.objects.filter(warband=again).count() == 4


@on_sqlite
def test_what_is_kept_is_what_playing_it_leaves(folder: Path) -> None:
    with rolled_back():
        s.small_warband(person("ada"))
        played = {table: len(rows) for table, rows in all_rows().items()}
    told_once("evening", Play())
    assert {table: len(rows) for table, rows in all_rows().items()} == played


@on_sqlite
def test_stories_of_two_names_are_two(folder: Path) -> None:
    assert told_once("ada", lambda: person("ada").username) == "ada"
    with rolled_back(), pytest.raises(AssertionError, match="begins with empty tables"):
        told_once("ben", lambda: person("ben").username)


def test_without_a_folder_a_story_is_played_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeptRows, "folder", None)
    play: Any = Play()
    for _ in range(2):
        with rolled_back():
            told_once("evening", play)
    assert play.times == 2


def test_a_run_has_its_folder() -> None:
    assert KeptRows.folder is not None
    assert KeptRows.folder.is_dir()
