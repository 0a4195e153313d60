"""A club moves from SQLite to PostgreSQL and back by the commands of the manual, also from an older version of the tables."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests import stories as s
from tests.databases import command, empty_postgres, sqlite_url, url_of_run
from tests.unit.test_settings import start

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]
WORD = {"BACKUP_PASSPHRASE": "correct horse battery"}


@contextmanager
def other_kind(tmp_path: Path) -> Iterator[str]:
    """An empty database of the other kind than the run's; SQLite again where there is no PostgreSQL."""
    if connection.vendor == "postgresql":
        yield sqlite_url(tmp_path / "other.sqlite3")
    else:
        yield sqlite_url(tmp_path / "another.sqlite3")


@contextmanager
def same_kind(tmp_path: Path) -> Iterator[str]:
    if connection.vendor == "postgresql":
        with empty_postgres("moved") as url:
            yield url
    else:
        yield sqlite_url(tmp_path / "same.sqlite3")


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()[1:-1]


def test_a_club_moves_there_and_back(ada: Any, tmp_path: Path) -> None:
    s.hire(s.found(ada), "Yeoman")
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert command(url_of_run(), "backup", str(first)).returncode == 0
    with other_kind(tmp_path) as there, same_kind(tmp_path) as back:
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
import django
django.setup()
from django.core.management import call_command
from config.backup import writing
from django.db.migrations.executor import MigrationExecutor
call_command("migrate", verbosity=0)
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
    made = start(OLDER % str(path), DEVELOPMENT="1", DATABASE_URL=sqlite_url(tmp_path / "older.sqlite3"))
    assert made.returncode == 0, made.stderr
    with other_kind(tmp_path) as there:
        taken = command(there, "restore", str(path))
        assert (taken.stderr, taken.returncode) == ("0 warbands looked at, 0 differences.\n", 0)
        shown = command(there, "showmigrations")
        assert re.findall(r"\[ \]", shown.stdout) == []
        again = command(there, "restore", str(path))
        assert (again.returncode, "not empty" in again.stderr) == (2, True)
