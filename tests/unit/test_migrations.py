"""All migrations lead to the tables that the models ask for. The tests' own database is made from the models alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.databases import migrated_sqlite, url_of_run


def shape(path: str) -> dict[str, Any]:
    """By table its columns, indexes and foreign keys, and the conditions of its rows, whatever order they were made in."""
    with sqlite3.connect(path) as database:

        def rows(statement: str) -> list[tuple[Any, ...]]:
            return database.execute(statement).fetchall()

        def of_table(table: str) -> tuple[Any, ...]:
            columns = {column[1:5] for column in rows(f"PRAGMA table_xinfo('{table}')")}
            keys = {key[2:7] for key in rows(f"PRAGMA foreign_key_list('{table}')")}
            indexes = {
                (unique, partial, tuple(column[2] for column in rows(f"PRAGMA index_info('{name}')")))
                for _, name, unique, _, partial in rows(f"PRAGMA index_list('{table}')")
            }
            text = rows(f"SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '{table}'")[0][0]
            return columns, keys, indexes, text.count("CHECK")

        tables = [name for (name,) in rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found: dict[str, Any] = {table: of_table(table) for table in tables}
        found["the migrations"] = set(rows("SELECT app, name FROM django_migrations"))
        return found


@pytest.mark.slow
@pytest.mark.django_db
def test_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("compared on SQLite: the migrations are the same on both")
    migrated = tmp_path / "migrated.sqlite3"
    migrated_sqlite(migrated)
    asked, made = shape(url_of_run().removeprefix("sqlite:///")), shape(str(migrated))
    assert made.keys() == asked.keys()
    for name, one in made.items():
        assert one == asked[name], name
