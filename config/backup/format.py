"""The lines of a backup file, and what reading checks: nothing of it is believed before its digests are right.

docs/backup-format.md describes the format for people.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from config.backup.age import EncryptedReader, is_encrypted
from config.backup.faults import BackupFault
from config.backup.values import line_of

FORMAT, VERSION = "muster-roll-backup", 1
LONGEST_LINE = 128 * 1024 * 1024  # one row; the largest file that the site keeps is far smaller
GZIP_START = b"\x1f\x8b"
CHANGED = "The file is damaged: its contents don't fit its digests."

Passphrase = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Head:
    """What a backup says of itself: when and by which code it was made, and the migrations of its tables."""

    made: str
    release: str
    database: str
    applied: dict[str, list[str]]


@dataclass(slots=True)
class TableSum:
    """What a table came to: its rows, their digest and the next automatic key."""

    columns: list[str]
    rows: int = 0
    next_number: int | None = None
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> None:
        self.rows += 1
        self.digest.update(line)

    def as_data(self) -> dict[str, Any]:
        return {"rows": self.rows, "sha256": self.digest.hexdigest()}


class LineWriter:
    """Writes the lines of a backup and keeps count."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._whole = hashlib.sha256()
        self.sums: dict[str, TableSum] = {}

    def write(self, value: Any) -> bytes:
        line = line_of(value)
        if len(line) > LONGEST_LINE:
            raise BackupFault("A row is larger than a backup can hold.")
        self._whole.update(line)
        self._target.write(line)
        return line

    def head(self, head: Head) -> None:
        told = {"made": head.made, "release": head.release, "database": head.database, "applied": head.applied}
        self.write({"format": FORMAT, "version": VERSION, **told})

    def table(self, name: str, columns: list[str], rows: Iterable[tuple[Any, ...]], next_number: int | None) -> None:
        found = self.sums[name] = TableSum(columns)
        self.write({"table": name, "columns": columns})
        for row in rows:
            found.add(self.write(list(row)))
        self.write({"end": name, "next": next_number, **found.as_data()})

    def manifest(self) -> None:
        """Write the last line: what all tables came to, and the digest of every line before it."""
        told = {name: found.as_data() for name, found in self.sums.items()}
        self.write({"manifest": told, "sha256": self._whole.hexdigest()})


@contextmanager
def opened(path: Path, passphrase: Passphrase) -> Iterator[IO[bytes]]:
    """Open the lines of a backup; `passphrase` is asked if the file is encrypted.

    Raises:
        BackupFault: the file can't be read, is no backup, or was changed. Also while its lines are read.
    """
    try:
        with path.open("rb") as source:
            start = source.read(64)
            source.seek(0)
            if is_encrypted(start):
                plain: Any = io.BufferedReader(EncryptedReader(source, passphrase()))
                if not plain.peek(2).startswith(GZIP_START):
                    raise BackupFault("What was encrypted is not a backup of this site.")
            elif start.startswith(GZIP_START):
                plain = source
            else:
                raise BackupFault("This is not a backup of this site.")
            with gzip.GzipFile(fileobj=plain, mode="rb") as lines:
                yield cast(IO[bytes], lines)
    except (zlib.error, EOFError, gzip.BadGzipFile):
        raise BackupFault("The file is damaged or cut off.") from None
    except OSError as error:
        raise BackupFault(f"{path} can't be read: {error.strerror or error}.") from None


class LineReader:
    """Reads the lines of a backup in order, and checks counts and digests as it goes."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._whole = hashlib.sha256()
        self.sums: dict[str, TableSum] = {}

    def first(self) -> dict[str, Any]:
        """Return the first line as it stands."""
        return self._object()

    def head(self) -> Head:
        told = self.first()
        if told.get("format") != FORMAT:
            raise BackupFault("This is not a backup of this site.")
        if told.get("version") != VERSION:
            raise BackupFault("The backup has a format that this version does not know. Use the version that made it.")
        applied = told.get("applied")
        texts = [told.get(name) for name in ("made", "release", "database")]
        if not isinstance(applied, dict) or not all(map(_is_names, [*applied.values(), texts])):
            raise BackupFault(CHANGED)
        made, release, database = map(str, texts)
        return Head(made, release, database, applied)

    def tables(self) -> Iterator[tuple[str, list[str], Iterator[list[Any]]]]:
        """Yield name, columns and rows of each table. The rows must be read before going on.

        Raises:
            BackupFault: a count or digest is wrong, or something follows the manifest.
        """
        while True:
            before = self._whole.hexdigest()
            told = self._object()
            if "manifest" in told:
                wanted = {name: found.as_data() for name, found in self.sums.items()}
                if told != {"manifest": wanted, "sha256": before} or self._source.read(1):
                    raise BackupFault(CHANGED)
                return
            name, columns = told.get("table"), told.get("columns", [])
            if not isinstance(name, str) or name in self.sums or not _is_names(columns):
                raise BackupFault(CHANGED)
            found = self.sums[name] = TableSum(columns)
            yield name, columns, self._rows(name, found)
            if found.next_number == OPEN:
                raise BackupFault(CHANGED)

    def _rows(self, name: str, found: TableSum) -> Iterator[list[Any]]:
        found.next_number = OPEN
        while True:
            line = self._line()
            value = _parsed(line)
            if isinstance(value, dict):
                break
            if not isinstance(value, list) or len(value) != len(found.columns):
                raise BackupFault(CHANGED)
            found.add(line)
            yield value
        number = value.pop("next", None)
        if value != {"end": name, **found.as_data()} or not (number is None or (type(number) is int and number > 0)):
            raise BackupFault(CHANGED)
        found.next_number = number

    def _object(self) -> dict[str, Any]:
        value = _parsed(self._line())
        if not isinstance(value, dict):
            raise BackupFault(CHANGED)
        return value

    def _line(self) -> bytes:
        line = self._source.readline(LONGEST_LINE + 1)
        if not line.endswith(b"\n"):
            raise BackupFault("The file is damaged or cut off.")
        self._whole.update(line)
        return line


OPEN = -1  # the next number of a table whose end was not read yet


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BackupFault(CHANGED) from None


def _refuse_constant(word: str) -> None:
    raise ValueError(word)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
