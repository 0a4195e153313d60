"""Writing a backup: one moment of the database, while people go on playing."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from django.db import connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config.backup.age import EncryptedWriter
from config.backup.faults import BackupFault
from config.backup.format import Head, LineWriter, TableSum
from config.backup.tables import columns_of, models_by_table, next_number, rows_of
from config.release import release

SNAPSHOT = "backup"  # the alias of the connection that sees one moment


def write_backup(path: Path, *, passphrase: str = "") -> dict[str, TableSum]:
    """Write all data of the site to a new file, encrypted if there is a passphrase. Returns what each table came to.

    The file appears under its name once it is whole. People may go on writing: the backup holds the moment it began.

    Raises:
        BackupFault: the file exists or can't be written, or the database is not that of this code.
    """
    if path.exists():
        raise BackupFault(f"{path} exists already. Give the backup another name.")
    try:
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise BackupFault(f"{path} can't be written: {error.strerror or error}.") from None
    try:
        with _of_one_moment(), _lines_into(handle, passphrase) as lines:
            _write_tables(lines)
        os.link(part, path)  # refuses where a file of this name has appeared since
    except FileExistsError:
        raise BackupFault(f"{path} exists already. Another backup may be running.") from None
    except OSError as error:
        raise BackupFault(f"{path} can't be written: {error.strerror or error}.") from None
    finally:
        Path(part).unlink(missing_ok=True)
    return lines.sums


@contextmanager
def _lines_into(handle: int, passphrase: str) -> Iterator[LineWriter]:
    with os.fdopen(handle, "wb") as target:  # readable for this user only, as temporary files are
        sealed = EncryptedWriter(target, passphrase) if passphrase else None
        packed = gzip.GzipFile(filename="", fileobj=sealed or target, mode="wb", compresslevel=6, mtime=0)
        yield LineWriter(cast(IO[bytes], packed))
        packed.close()
        if sealed:
            sealed.close()
        target.flush()
        os.fsync(target.fileno())


@contextmanager
def _of_one_moment() -> Iterator[None]:
    """Open a connection of its own that sees the database as it is now, and keeps no writer waiting."""
    connection = connections["default"].copy(SNAPSHOT)
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"  # a reader; the site's own take the lock
    connections[SNAPSHOT] = connection
    try:
        with transaction.atomic(using=SNAPSHOT):
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        connection.close()
        del connections[SNAPSHOT]


def _write_tables(lines: LineWriter) -> None:
    connection = connections[SNAPSHOT]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupFault(
            "The database is not of the version of this code. Run migrate first, or use the code that the site ran with."
        )
    applied: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        applied.setdefault(app, []).append(name)
    lines.head(Head(timezone.now().isoformat(timespec="seconds"), release(), connection.vendor, applied))
    for table, model in models_by_table().items():
        columns = columns_of(model)
        lines.table(table, columns, rows_of(model, columns, SNAPSHOT), next_number(model, connection))
    lines.manifest()
