"""Reads a pack: merges every TOML file of a folder by table name and decodes them into one typed, frozen `Pack`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec

from rules.content.schema import Pack

PACKS = Path(__file__).parent / "packs"


@dataclass(frozen=True, slots=True)
class PackFault:
    """One fault of a pack: its file, its entry (the id, "" if it has none), its field, and what is wrong."""

    file: str
    entry: str
    path: str
    words: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, f"entry {self.entry}" if self.entry else "", self.path) if part)
        return f"{place}: {self.words}"


class PackError(Exception):
    """The error for a pack that cannot be used. `faults` holds all faults, not only the first."""

    def __init__(self, faults: Iterable[PackFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def element_type(hint: Any) -> Any:
    """Return the type of the elements if the field holds a table array (`tuple[X, ...]`), else None."""
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        if (
            len(inner) == 2
            and inner[1] is Ellipsis
            and isinstance(inner[0], type)
            and issubclass(inner[0], msgspec.Struct)
        ):
            return inner[0]
    return None


class _PackReading:
    """A pack while its files are read: its table arrays, its single values with the file of each, and all faults so far."""

    def __init__(self) -> None:
        self.kinds = {field.name: field.type for field in msgspec.structs.fields(Pack)}
        self.values: dict[str, Any] = {}
        self.came_from: dict[str, str] = {}
        self.faults: list[PackFault] = []

    def read(self, file: Path) -> None:
        try:
            data = tomllib.loads(file.read_text("utf-8"))
        except tomllib.TOMLDecodeError as error:
            self.faults.append(PackFault(file.name, "", "", f"the TOML cannot be read: {error}"))
        except UnicodeDecodeError as error:
            self.faults.append(PackFault(file.name, "", "", f"not UTF-8: {error}"))
        else:
            for name, value in data.items():
                self.add(file.name, name, value)

    def add(self, file: str, name: str, value: Any) -> None:
        if name not in self.kinds:
            self.faults.append(PackFault(file, "", f"$.{name}", "no such table"))
        elif (kind := element_type(self.kinds[name])) is None:
            if name in self.came_from:
                self.faults.append(PackFault(file, "", f"$.{name}", f"already given in {self.came_from[name]}"))
            self.values[name], self.came_from[name] = value, file
        elif not isinstance(value, list):
            self.faults.append(PackFault(file, "", f"$.{name}", "an array of tables is expected"))
        else:
            read = [decode_entry(file, name, index, entry, kind) for index, entry in enumerate(value)]
            self.faults += [entry for entry in read if isinstance(entry, PackFault)]
            self.values[name] = (*self.values.get(name, ()), *read)

    def finished(self, folder: str) -> Pack:
        for name, file in self.came_from.items():
            self.values[name] = decode_entry(file, name, None, self.values[name], self.kinds[name])
            if isinstance(self.values[name], PackFault):
                self.faults.append(self.values[name])
        for name in ("game", "edition", "name"):
            if name not in self.came_from:
                self.faults.append(PackFault(folder, "", f"$.{name}", "missing"))
        if self.faults:
            raise PackError(self.faults)
        return Pack(**self.values)


def load_pack(folder: Path) -> Pack:
    """Return the pack in `folder`: all its *.toml files, read in the order of their names.

    Raises PackError with every fault found.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise PackError([PackFault(str(folder.name), "", "", "no TOML file is here")])
    reading = _PackReading()
    for file in files:
        reading.read(file)
    return reading.finished(folder.name)


def decode_entry(file: str, table: str, index: int | None, entry: Any, kind: Any) -> Any:
    """Return one entry of a table as its type, or the fault that prevents it. `index` None: a single table."""
    try:
        return msgspec.convert(entry, kind)
    except msgspec.ValidationError as error:
        return _fault(file, table, index, entry, error)


def _fault(file: str, table: str, index: int | None, entry: Any, error: msgspec.ValidationError) -> PackFault:
    words, _, at = str(error).partition(" - at ")
    inner = re.sub(r"^`\$?|`$", "", at)
    known = str(entry.get("id", "")) if isinstance(entry, dict) else ""
    where = f"$.{table}" if index is None else f"$.{table}[{index}]"
    return PackFault(file, known, where + inner, words)


def pack_folder(game: str, edition: str) -> Path:
    """Return the folder of a base pack, e.g. trench_crusade/v1_6_3. Raises KeyError if there is none."""
    folder = PACKS / game.replace("-", "_") / ("v" + edition.replace(".", "_") if edition[:1].isdigit() else edition)
    if not folder.is_dir():
        raise KeyError(f"{game}/{edition}")
    return folder


def packs() -> tuple[tuple[str, str], ...]:
    """Return all base packs in the tree as (game id, edition id), sorted."""
    found = []
    for folder in sorted(PACKS.glob("*/*")):
        if folder.is_dir() and any(folder.glob("*.toml")):
            edition = folder.name[1:].replace("_", ".") if re.match(r"v\d", folder.name) else folder.name
            found.append((folder.parent.name.replace("_", "-"), edition))
    return tuple(found)
