"""What is played once in a run of the tests: the first process that needs it writes its rows down, and the others take them as they are.

The rows lie in the temporary folder of the run, so that no run sees those of another one.
"""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.module_story import rolled_back

Rows = dict[str, list[tuple[Any, ...]]]

# What the site itself keeps in its tables, and what it may forget at any time.
NOBODY_S = {"cache", "django_migrations"}


class KeptRows:
    """The folder of a run in which stories are kept; without one each is played where it is asked for."""

    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A story: by table the rows that it wrote, and what it returned."""

    rows: Rows
    told: Any


def told_once(name: str, play: Callable[[], Any]) -> Any:
    """Return what `play` returns, with its rows in the database, which holds no others: played now, or taken from who played it before."""
    from django.db import connection

    # PostgreSQL counts rows in sequences, which know nothing of rows that are put in with their numbers.
    if KeptRows.folder is None or connection.vendor != "sqlite":
        return play()
    file = KeptRows.folder / f"{name}.pickle"
    with alone(file.with_suffix(".lock")):
        if not file.exists():
            file.write_bytes(pickle.dumps(played(play)))
    kept: Kept = pickle.loads(file.read_bytes())
    put_in(kept.rows)
    return kept.told


def made_once(name: str, make: Callable[[], Any]) -> Any:
    """Return what `make` returns, which may be pickled and needs no database: made now, or by another process of this run before."""
    if KeptRows.folder is None:
        return make()
    file = KeptRows.folder / f"{name}.pickle"
    with alone(file.with_suffix(".lock")):
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))
    return pickle.loads(file.read_bytes())


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Keep other processes waiting that ask for the same lock."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def played(play: Callable[[], Any]) -> Kept:
    """A story with its rows, which are taken back."""
    with rolled_back():
        before = all_rows()
        told = play()
        after = all_rows()
        written = {table: rows for table, rows in after.items() if rows != before[table]}
        full = [table for table in written if before[table]]
        assert not full, f"A story that is kept begins with empty tables: {full}"
        return Kept(written, told)


def all_rows() -> Rows:
    """Every row of the database, by table."""
    from django.db import connection

    with connection.cursor() as cursor:
        tables = sorted({*connection.introspection.table_names(cursor)} - NOBODY_S)
        found: Rows = {}
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found[table] = cursor.fetchall()
        return found


def put_in(rows: Rows) -> None:
    """Write rows that were kept. What they refer to is checked at the end, when all are there."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for table, of_table in rows.items():
            places = ", ".join(["%s"] * len(of_table[0]))
            cursor.executemany(f"INSERT INTO {connection.ops.quote_name(table)} VALUES ({places})", of_table)
