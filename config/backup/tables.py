"""The tables of a backup: their rows in a fixed order, a few at a time, and the next number of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

from config.backup.values import stored_value

# A restored site begins without these: everybody signs in again.
LEFT_OUT = frozenset({"django_session", "usersessions_usersession"})  # both hold the keys that sign people in
# `migrate` fills these by itself, so a database with rows in them may still be empty.
FILLED_BY_MIGRATE = ("auth_permission", "django_content_type")
AT_ONCE, FILES_AT_ONCE = 200, 2  # rows in memory: of ordinary tables, and of those that hold files


def models_by_table(of: Apps = apps) -> dict[str, type[models.Model]]:
    """Return every model that a backup holds, by the name of its table, in the order of these names."""
    found = {model._meta.db_table: model for model in of.get_models(include_auto_created=True) if model._meta.managed}
    return {table: found[table] for table in sorted(found.keys() - LEFT_OUT)}


def columns_of(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def fields_of(model: type[models.Model], columns: list[str]) -> list[models.Field]:
    """Return the fields of these columns in their order: migrations may have added them in another one."""
    fields = {str(field.column): field for field in model._meta.concrete_fields}
    return [fields[column] for column in columns]


def rows_at_once(model: type[models.Model]) -> int:
    holds_files = any(isinstance(field, models.BinaryField) for field in model._meta.concrete_fields)
    return FILES_AT_ONCE if holds_files else AT_ONCE


def rows_of(model: type[models.Model], columns: list[str], alias: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table by primary key. One query, read a few rows at a time."""
    names = [field.attname for field in fields_of(model, columns)]
    rows: QuerySet[Any, Any] = QuerySet(model, using=alias).order_by("pk").values_list(*names)
    return rows.iterator(chunk_size=rows_at_once(model))


def insert_rows(
    model: type[models.Model], columns: list[str], rows: Iterator[list[Any]], connection: BaseDatabaseWrapper
) -> None:
    """Write rows as the lines of a file hold them, a few at a time.

    Raises:
        BackupFault: a value does not belong into its column.
    """
    fields = fields_of(model, columns)
    names = ", ".join(f'"{field.column}"' for field in fields)
    statement = f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({", ".join(["%s"] * len(fields))})'
    with connection.cursor() as cursor:
        while batch := list(islice(rows, rows_at_once(model))):
            values = [
                [stored_value(field, value, connection) for field, value in zip(fields, row, strict=True)]
                for row in batch
            ]
            cursor.executemany(statement, values)


def new_numbers(model: type[models.Model], count: int, connection: BaseDatabaseWrapper) -> list[int]:
    """Take the next automatic keys of a table, in rising order, inside a transaction. Two queries at most."""
    if not count:
        return []
    if connection.vendor == "sqlite":  # its transactions hold the lock on everything
        first = next_number(model, connection) or 1
        set_next_number(model, connection, first + count)
        return list(range(first, first + count))
    table, column = model._meta.db_table, model._meta.pk.column if model._meta.pk else "id"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [f'"{table}"', column, count]
        )
        return sorted(number for (number,) in cursor.fetchall())


def next_number(model: type[models.Model], connection: BaseDatabaseWrapper) -> int | None:
    """Return the next automatic key of a table; None if its keys are not numbers. One query, two on PostgreSQL."""
    if not isinstance(model._meta.pk, models.AutoField):
        return None
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            row = cursor.fetchone()
            return row[0] + 1 if row else 1
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', model._meta.pk.column])
        cursor.execute(f"SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM {cursor.fetchone()[0]}")
        number: int = cursor.fetchone()[0]
        return number


def set_next_number(model: type[models.Model], connection: BaseDatabaseWrapper, number: int) -> None:
    """Let the automatic keys of a table go on with this number."""
    table = model._meta.db_table
    pk = model._meta.pk
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number - 1])
        else:
            found = [f'"{table}"', pk.column if pk else "id", number]
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s, false)", found)
