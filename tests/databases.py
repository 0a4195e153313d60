"""Databases beside the one of the test run, and the command line on them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection

from tests.kept_rows import KeptRows, alone
from tests.unit.test_settings import ROOT

# What a process runs after `django.setup()` on an empty database: its tables are made from the models, as are those of the run
# (tests/settings.py), and all migrations count as applied. They take ten seconds one after the other, this takes one.
MAKE_TABLES = """
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
call_command("migrate", run_syncdb=True, verbosity=0)
settings.MIGRATION_MODULES = {}
call_command("migrate", fake=True, verbosity=0)
"""


def url_of_run() -> str:
    """Where the tests of this run are, as a DATABASE_URL."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return _postgres_url(str(given["NAME"]))


def _postgres_url(name: str) -> str:
    given = connection.settings_dict
    host, port = given["HOST"] or "", given["PORT"] or ""
    login = f"{given['USER']}{':' + given['PASSWORD'] if given['PASSWORD'] else ''}@" if given["USER"] else ""
    return f"postgres://{login}{host}{':' + str(port) if port else ''}/{name}"


@contextmanager
def empty_postgres(name: str) -> Iterator[str]:
    """A database of its own on the server of this run, as a DATABASE_URL, for as long as the block."""
    own = f"{connection.settings_dict['NAME']}_{name}"
    server = psycopg.connect(_postgres_url("postgres"), autocommit=True)
    server.execute(f'CREATE DATABASE "{own}"')
    try:
        yield _postgres_url(own)
    finally:
        server.execute(f'DROP DATABASE "{own}" WITH (FORCE)')
        server.close()


def command(url: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py` on a database."""
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    how = {**inherited, "DEVELOPMENT": "1", "DATABASE_URL": url, **environment}
    run = [sys.executable, "manage.py", *words]
    return subprocess.run(run, cwd=ROOT, env=how, capture_output=True, text=True, check=False)


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


def migrated_sqlite(path: Path) -> str:
    """Make a migrated SQLite database there, and return its DATABASE_URL. All migrations run once in a run of the tests; others get copies."""
    assert KeptRows.folder is not None
    kept = KeptRows.folder / "migrated.sqlite3"
    with alone(kept.with_suffix(".lock")):
        if not kept.exists():
            made = kept.with_suffix(".made")
            done = command(sqlite_url(made), "migrate", "-v", "0", "--skip-checks")
            assert done.returncode == 0, done.stderr
            for part in made.parent.glob(f"{made.name}-*"):  # a log of its own would hold what the file lacks
                assert not part.stat().st_size, part.name
            made.rename(kept)
    shutil.copyfile(kept, path)
    return sqlite_url(path)
