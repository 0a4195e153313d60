"""Reads an overlay from a folder, a single file or a text, and names every fault with file, entry and field."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from rules.content.load import PackError, PackFault, decode_entry, element_type
from rules.content.overlays.schema import FieldChange, Overlay, OverlayHead, Withdrawn, digest_of
from rules.content.schema import Pack
from rules.translation import gettext as _

OWN_TABLES = {"changes": FieldChange, "withdrawn": Withdrawn}
MOST_BYTES = 2_000_000
KINDS = {field.name: field.type for field in msgspec.structs.fields(Pack)}


def read_overlay(place: Path) -> Overlay:
    """Return the overlay in a folder of TOML files, or in one file. Raises PackError with every fault found."""
    files = sorted(place.glob("*.toml")) if place.is_dir() else [place]
    if not files:
        raise PackError([PackFault(place.name, "", "", _("no TOML file is here"))])
    named = []
    for file in files:
        name = f"{place.name}/{file.name}" if place.is_dir() else file.name
        try:
            named.append((name, _bytes_of(file)))
        except OSError as error:
            words = _("the file cannot be read: {error}").format(error=error.strerror)
            raise PackError([PackFault(name, "", "", words)]) from None
    return read_texts(named, place if place.is_dir() else None)


def _bytes_of(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def read_texts(named: Sequence[tuple[str, bytes]], folder: Path | None = None) -> Overlay:
    """Return the overlay in these files, given as (name, text). Raises PackError with every fault found."""
    reading = _OverlayReading()
    for name, text in named:
        reading.read(name, text)
    head = reading.finished(named[0][0])
    return Overlay(
        head,
        tuple(reading.changes),
        tuple(reading.withdrawn),
        tuple(reading.added),
        reading.head_file,
        folder,
        digest_of([text for _name, text in named]),
        tuple((name, text.decode("utf-8")) for name, text in named),
    )


class _OverlayReading:
    """An overlay while its files are read."""

    def __init__(self) -> None:
        self.head: Any = None
        self.head_file = ""
        self.changes: list[FieldChange] = []
        self.withdrawn: list[Withdrawn] = []
        self.added: list[tuple[str, Any]] = []
        self.faults: list[PackFault] = []

    def read(self, file: str, text: bytes) -> None:
        if len(text) > MOST_BYTES:
            words = _("the file is too large; {most} MB is the most").format(most=MOST_BYTES // 1_000_000)
            self.faults.append(PackFault(file, "", "", words))
            return
        try:
            data = tomllib.loads(text.decode("utf-8"))
        except tomllib.TOMLDecodeError as error:
            self.faults.append(PackFault(file, "", "", _("the TOML cannot be read: {error}").format(error=error)))
        except RecursionError:
            self.faults.append(PackFault(file, "", "", _("the TOML cannot be read: it is nested too deeply")))
        except UnicodeDecodeError as error:
            self.faults.append(PackFault(file, "", "", _("not UTF-8: {error}").format(error=error)))
        else:
            for table, value in data.items():
                self.table(file, table, value)

    def table(self, file: str, table: str, value: Any) -> None:
        if table == "overlay":
            self.overlay(file, value)
        elif table in OWN_TABLES:
            self.rows(file, table, value, OWN_TABLES[table])
        elif table in KINDS and (kind := element_type(KINDS[table])) is not None:
            self.rows(file, table, value, kind)
        else:
            self.faults.append(PackFault(file, "", f"$.{table}", _("no such table")))

    def overlay(self, file: str, value: Any) -> None:
        if self.head_file:
            words = _("already given in {file}").format(file=self.head_file)
            self.faults.append(PackFault(file, "", "$.overlay", words))
            return
        self.head_file = file
        read = decode_entry(file, "overlay", None, value, OverlayHead)
        self.head = read
        if isinstance(read, PackFault):
            self.faults.append(read)

    def rows(self, file: str, table: str, value: Any, kind: Any) -> None:
        if not isinstance(value, list):
            self.faults.append(PackFault(file, "", f"$.{table}", _("an array of tables is expected")))
            return
        for index, given in enumerate(value):
            read = decode_entry(file, table, index, given, kind)
            if isinstance(read, PackFault):
                named = given.get("entry", "") if isinstance(given, dict) and table in OWN_TABLES else read.entry
                self.faults.append(PackFault(read.file, str(named), read.path, read.words))
            elif isinstance(read, FieldChange):
                self.faults += _unfit(file, index, read)
                self.changes.append(read)
            elif isinstance(read, Withdrawn):
                self.withdrawn.append(read)
            else:
                self.added.append((table, read))

    def finished(self, file: str) -> OverlayHead:
        if not self.head_file:
            self.faults.append(PackFault(file, "", "$.overlay", _("missing")))
        if self.faults:
            raise PackError(self.faults)
        head: OverlayHead = self.head
        return head


def _unfit(file: str, index: int, change: FieldChange) -> list[PackFault]:
    """Return what is wrong with a change by itself."""
    place = f"$.changes[{index}]"
    faults = []
    has_value = change.before is not msgspec.UNSET or change.after is not msgspec.UNSET
    if change.is_of_list and has_value:
        words = _("either from and to, or add and remove")
        faults.append(PackFault(file, change.entry, place, words))
    if change.apply and not change.is_of_list and not has_value:
        faults.append(PackFault(file, change.entry, place, _("changes nothing: give from and to, or add and remove")))
    if not change.field:
        faults.append(PackFault(file, change.entry, f"{place}.field", _("is empty")))
    if not change.reason.strip():
        faults.append(PackFault(file, change.entry, f"{place}.reason", _("is empty")))
    return faults
