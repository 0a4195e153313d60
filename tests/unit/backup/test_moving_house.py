"""A club moves from SQLite to PostgreSQL and back by the commands of the manual, also from an older version of the tables."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests import stories as s
from tests.databases import MAKE_TABLES, command, empty_postgres, sqlite_url, url_of_run
from tests.unit.test_settings import start

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]
WORD = {"BACKUP_PASSPHRASE": "correct horse battery"}


@pytest.fixture(autouse=True)
def _from_the_club_server() -> None:
    """Each of these makes all tables several times, in a process of its own: once for both kinds, where both are there."""
    if connection.vendor != "postgresql":
        pytest.skip("From PostgreSQL to SQLite and back: in the run on PostgreSQL.")


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()[1:-1]


def test_a_club_moves_there_and_back(ada: Any, tmp_path: Path) -> None:
    s.hire(s.found(ada), "Yeoman")
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert command(url_of_run(), "backup", str(first)).returncode == 0
    there = sqlite_url(tmp_path / "other.sqlite3")
    with empty_postgres("moved") as back:
        moved = command(there, "restore", str(first), "--send-waiting")
        assert (moved.stderr, moved.returncode) == ("1 warbands looked at, 0 differences.\n", 0)
        sealed = command(there, "backup", str(second), "--encrypt", **WORD)
        assert sealed.returncode == 0, sealed.stderr
        closed = command(back, "restore", str(second), BACKUP_PASSPHRASE="")
        assert (closed.returncode, "needs a passphrase" in closed.stderr) == (2, True)
        assert command(back, "restore", str(second), "--send-waiting", **WORD).returncode == 0
        assert command(back, "backup", str(third)).returncode == 0
    assert lines_of(third) == lines_of(first)


OLDER = """
from config.backup import writing
from django.db.migrations.executor import MigrationExecutor
call_command("migrate", "notifications", "zero", verbosity=0)
import datetime
from django.apps import apps
from accounts.models import User
from config.backup.tables import models_by_table
User.objects.create(username="ada")
mine = {table: model for table, model in models_by_table().items() if model._meta.app_label != "notifications"}
writing.models_by_table = lambda: mine
MigrationExecutor.migration_plan = lambda *_: []
from pathlib import Path
writing.write_backup(Path(%r))
"""


def test_a_backup_of_older_tables_is_brought_to_this_version(tmp_path: Path) -> None:
    path = tmp_path / "older"
    made = start(
        f"import django; django.setup()\n{MAKE_TABLES}\n{OLDER % str(path)}",
        DEVELOPMENT="1",
        DATABASE_URL=sqlite_url(tmp_path / "older.sqlite3"),
    )
    assert made.returncode == 0, made.stderr
    with empty_postgres("older") as there:
        taken = command(there, "restore", str(path))
        assert (taken.stderr, taken.returncode) == ("0 warbands looked at, 0 differences.\n", 0)
        shown = command(there, "showmigrations")
        assert re.findall(r"\[ \]", shown.stdout) == []
        again = command(there, "restore", str(path))
        assert (again.returncode, "not empty" in again.stderr) == (2, True)
