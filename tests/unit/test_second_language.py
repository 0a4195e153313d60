"""A second language is a catalogue: in an invented one, no page shows a word of ours that did not pass through gettext."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.drills import WHOLE
from tests.kept_rows import KeptRows
from tests.marked_language import MAIN, ROOT, pieces_of, unmarked
from tests.module_story import rolled_back
from tests.scene import make_scene


def test_a_word_outside_of_the_brackets_is_found() -> None:
    assert list(unmarked("⟦Kit of ⟦the leader⟧⟧: 3 axes, ⟦sold⟧")) == ["axes"]
    assert list(unmarked("⟦12 battles⟧ · 12 × 4″")) == []
    assert pieces_of(iter(["Sword / Axe"])) == {"sword", "axe", "sword / axe"}


@pytest.mark.django_db
@pytest.mark.slow
def test_no_page_shows_a_word_that_a_catalogue_cannot_change(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("The language does not depend on the database.")
    with rolled_back():
        make_scene()
    assert KeptRows.folder is not None
    database = tmp_path / "marked.sqlite3"
    with sqlite3.connect(connection.settings_dict["NAME"]) as tables, sqlite3.connect(database) as copy:
        tables.backup(copy)
    command = [sys.executable, "-m", "tests.marked_language", str(database), str(KeptRows.folder / "scene.pickle")]
    done = subprocess.run(
        [*command, "all"] if WHOLE else command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout)
    assert set(found) >= set(MAIN)
    assert not {key: words for key, words in found.items() if words}
