"""Restoring a backup into an empty database: checked before anything is written, then written in one transaction."""

from __future__ import annotations

from pathlib import Path

from django.apps import apps
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import DatabaseError, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.backup.faults import BackupFault
from config.backup.format import Head, LineReader, Passphrase, TableSum, opened
from config.backup.hooks import after_restore
from config.backup.tables import (
    FILLED_BY_MIGRATE,
    columns_of,
    insert_rows,
    models_by_table,
    next_number,
    rows_of,
    set_next_number,
)
from config.backup.values import line_of

Applied = set[tuple[str, str]]
DATABASE = "default"


def verify_backup(path: Path, passphrase: Passphrase) -> tuple[Head, dict[str, TableSum]]:
    """Read a whole backup and return what it says of itself, and what each table came to. Writes nothing.

    Raises:
        BackupFault: it is no backup, or it was changed or cut off.
    """
    with opened(path, passphrase) as source:
        reader = LineReader(source)
        head = reader.head()
        for _name, _columns, rows in reader.tables():
            for _row in rows:
                pass
    return head, reader.sums


def restore_backup(path: Path, passphrase: Passphrase, *, holds_messages: bool = True) -> dict[str, TableSum]:
    """Restore a backup into an empty database, and bring it to the version of this code.

    Raises:
        BackupFault: the file is refused, the database is not empty, or what was written is not what the file holds.
    """
    head, sums = verify_backup(path, passphrase)
    wanted = {(app, name) for app, names in head.applied.items() for name in names}
    executor = MigrationExecutor(connections[DATABASE])
    unknown = sorted(wanted - set(executor.loader.disk_migrations))
    if unknown:
        raise BackupFault(
            f"The backup is of a newer version than this code, which lacks {unknown[0][0]} {unknown[0][1]}."
        )
    of = _models_of(executor, wanted)
    _refuse_other_tables(sums, of)
    _refuse_taken(executor, wanted, of)
    _make_tables(executor, wanted)
    try:
        with transaction.atomic(using=DATABASE):
            _write_rows(path, passphrase, of)
            _refuse_difference(sums, of)
    except (DatabaseError, ValueError, OverflowError) as error:
        raise BackupFault(f"The database refused the data, and nothing was saved: {_first_line(error)}") from None
    if wanted != set(executor.loader.disk_migrations):
        call_command("migrate", verbosity=0, database=DATABASE)
    for act in after_restore if holds_messages else ():
        act()
    return sums


def _models_of(executor: MigrationExecutor, wanted: Applied) -> dict[str, type[models.Model]]:
    """Return the models of the backup's version by table."""
    if wanted == set(executor.loader.disk_migrations):
        return models_by_table(apps)
    state: Apps = executor.loader.project_state(_ends(executor, wanted)).apps
    return models_by_table(state)


def _ends(executor: MigrationExecutor, wanted: Applied) -> list[tuple[str, str]]:
    """Return the last of these migrations of each app."""
    graph = executor.loader.graph
    found = []
    for node in sorted(wanted):
        after = {child.key for child in graph.node_map[node].children if child.key[0] == node[0]}
        if not after & wanted:
            found.append(node)
    return found


def _refuse_other_tables(sums: dict[str, TableSum], of: dict[str, type[models.Model]]) -> None:
    if sums.keys() != of.keys():
        name = sorted(sums.keys() ^ of.keys())[0]
        raise BackupFault(f"The tables of the backup are not those of its version: {name}.")
    for table, found in sums.items():
        if sorted(found.columns) != sorted(columns_of(of[table])):
            raise BackupFault(f"The columns of the table {table} are not those of its version.")


def _refuse_taken(executor: MigrationExecutor, wanted: Applied, of: dict[str, type[models.Model]]) -> None:
    connection = connections[DATABASE]
    present = set(connection.introspection.table_names())
    applied = set(MigrationRecorder(connection).applied_migrations())
    if not applied:
        if taken := sorted(present & of.keys()):
            raise BackupFault(f"The database is not empty: it has a table {taken[0]}. Give an empty one.")
        return
    for table, model in models_by_table().items():
        if table in present and table not in FILLED_BY_MIGRATE and _has_rows(model):
            raise BackupFault(f"The database is not empty: there are rows in {table}. Nothing was saved.")
    if applied != wanted:
        raise BackupFault("The database has tables of another version than the backup. Give one without tables.")


def _has_rows(model: type[models.Model]) -> bool:
    with connections[DATABASE].cursor() as cursor:
        cursor.execute(f'SELECT 1 FROM "{model._meta.db_table}" LIMIT 1')
        return cursor.fetchone() is not None


def _make_tables(executor: MigrationExecutor, wanted: Applied) -> None:
    if MigrationRecorder(connections[DATABASE]).applied_migrations():
        return
    if wanted == set(executor.loader.disk_migrations):
        call_command("migrate", verbosity=0, database=DATABASE)
    else:
        executor.migrate(_ends(executor, wanted))


def _write_rows(path: Path, passphrase: Passphrase, of: dict[str, type[models.Model]]) -> None:
    connection = connections[DATABASE]
    with connection.cursor() as cursor:
        for table in FILLED_BY_MIGRATE:
            cursor.execute(f'DELETE FROM "{table}"')
    with opened(path, passphrase) as source:
        reader = LineReader(source)
        reader.head()
        for table, columns, rows in reader.tables():
            insert_rows(of[table], columns, rows, connection)
            number = reader.sums[table].next_number
            if number is not None and isinstance(of[table]._meta.pk, models.AutoField):
                set_next_number(of[table], connection, max(number, _last_number(of[table]) + 1))
    connection.check_constraints()


def _last_number(model: type[models.Model]) -> int:
    with connections[DATABASE].cursor() as cursor:
        cursor.execute(f'SELECT MAX("id") FROM "{model._meta.db_table}"')
        return int(cursor.fetchone()[0] or 0)


def _refuse_difference(sums: dict[str, TableSum], of: dict[str, type[models.Model]]) -> None:
    """Read every row back: it must be the line that the backup holds."""
    for table, model in of.items():
        found = TableSum(sums[table].columns)
        for row in rows_of(model, found.columns, DATABASE):
            found.add(line_of(list(row)))
        if found.as_data() != sums[table].as_data():
            raise BackupFault(f"The rows of {table} read back differently, so nothing was saved.")
        number = next_number(model, connections[DATABASE])
        if number is not None and number < (sums[table].next_number or 0):
            raise BackupFault(f"The numbering of {table} could not be set, so nothing was saved.")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
