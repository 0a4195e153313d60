"""Reading a campaign file: nothing of it is believed before it was checked."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.campaign_file.contents import IN, OF_ACTS, model_of
from campaigns.campaign_file.writing import FORMAT, VERSION, Person
from config.backup.faults import BackupFault
from config.backup.format import CHANGED, GZIP_START, LineReader
from config.backup.tables import columns_of

NOT_ONE = gettext_lazy("This is not a campaign file.")
MOST_UNPACKED = 512 * 1024 * 1024
MOST_ROWS = 2_000_000
MOST_PEOPLE = 2_000
LABELS = (*IN, *OF_ACTS)


@dataclass(slots=True)
class CampaignHead:
    """What a campaign file says of itself, and the keys of its rows by label, in the order in which they stand there."""

    made: str
    release: str
    campaign: int
    uid: str
    name: str
    people: list[Person]
    states: list[dict[str, Any]]
    partial: frozenset[int]
    keys: dict[str, list[int]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)


class _Limited(io.RawIOBase):
    """The lines of a file, unless they are more than a campaign ever has."""

    def __init__(self, source: IO[bytes], most: int) -> None:
        self._source, self._left = source, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._source.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise BackupFault(_("The file unpacks to more than a campaign ever has."))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def lines_of(data: IO[bytes]) -> Iterator[LineReader]:
    """Open the lines of a campaign file from its beginning.

    Raises:
        BackupFault: it can't be unpacked. Also while its lines are read.
    """
    data.seek(0)
    start = data.read(len(GZIP_START))
    data.seek(0)
    if start != GZIP_START:
        raise BackupFault(str(NOT_ONE))
    try:
        with gzip.GzipFile(fileobj=data, mode="rb") as packed:
            limited = io.BufferedReader(_Limited(cast(IO[bytes], packed), MOST_UNPACKED), 1 << 16)
            yield LineReader(cast(IO[bytes], limited))
    except (zlib.error, EOFError, gzip.BadGzipFile):
        raise BackupFault(_("The file is damaged or cut off.")) from None


def read_whole(data: IO[bytes]) -> CampaignHead:
    """Read a campaign file to its end, and return what it says of itself.

    Raises:
        BackupFault: it is no campaign file, it was changed or cut off, or another version wrote it.
    """
    with lines_of(data) as lines:
        told = _head(lines.first())
        count = 0
        for label, columns, rows in lines.tables():
            _refuse_other_table(label, columns, list(told.rows))
            at = columns.index("id")
            keys: list[int] = []
            for row in rows:
                count += 1
                if count > MOST_ROWS:
                    raise BackupFault(_("The file has more rows than a campaign ever has."))
                if type(row[at]) is not int or not 0 < row[at] < 2**63:
                    raise BackupFault(CHANGED)
                keys.append(row[at])
            if len(set(keys)) != len(keys):
                raise BackupFault(CHANGED)
            told.keys[label], told.rows[label] = keys, len(keys)
    if tuple(told.rows) != LABELS:
        raise BackupFault(_("The file lacks a table. Another version of the site may have written it."))
    if told.campaign not in told.keys["campaigns.Campaign"]:
        raise BackupFault(CHANGED)
    return told


def rows_of(lines: LineReader) -> Iterator[tuple[str, list[str], Iterator[list[Any]]]]:
    """Yield label, columns and rows of each table of a file that `read_whole` has read."""
    lines.first()
    yield from lines.tables()


def _head(head: dict[str, Any]) -> CampaignHead:
    if head.get("format") != FORMAT:
        raise BackupFault(str(NOT_ONE))
    if head.get("version") != VERSION:
        raise BackupFault(_("The file has a format that this version of the site does not know."))
    try:
        campaign = head["campaign"]
        people = [Person(each["number"], each["name"], each["administers"], each["seats"]) for each in head["people"]]
        told = CampaignHead(
            made=head["made"],
            release=head["release"],
            campaign=campaign["key"],
            uid=campaign["uid"],
            name=campaign["name"],
            people=people,
            states=head["states"],
            partial=frozenset(head["partial"]),
        )
        texts = [told.made, told.release, told.uid, told.name, *(person.name for person in people)]
        texts += [seat for person in people for seat in person.seats]
        for state in told.states:
            texts += [state["game"], state["edition"], *(each["id"] for each in state["overlays"])]
            texts += [each["digest"] for each in state["overlays"]]
        numbers = [told.campaign, *told.partial, *(person.number for person in people)]
    except (KeyError, TypeError, IndexError, AttributeError):
        raise BackupFault(CHANGED) from None
    if not all(isinstance(each, str) and len(each) <= 300 and "\0" not in each for each in texts):
        raise BackupFault(CHANGED)
    if not all(type(each) is int for each in numbers) or len(people) > MOST_PEOPLE:
        raise BackupFault(CHANGED)
    if len({person.number for person in people}) != len(people):
        raise BackupFault(CHANGED)
    return told


def _refuse_other_table(label: str, columns: list[str], before: list[str]) -> None:
    if len(before) >= len(LABELS) or label != LABELS[len(before)]:
        raise BackupFault(_("The file has other tables than this version of the site. Bring both to the same release."))
    known = {str(each.column): each for each in model_of(label)._meta.concrete_fields}
    if "id" not in columns or len(set(columns)) != len(columns) or set(columns) - known.keys():
        raise BackupFault(_("The file is of a newer version than this site. Bring the site up to date first."))
    for name in sorted(set(columns_of(model_of(label))) - set(columns)):
        if not (known[name].null or known[name].has_default() or known[name].blank):
            raise BackupFault(
                _("The file is of an older version, and lacks something. Bring the other site up to date first.")
            )
