"""Reading a pack: every TOML file of a folder, merged by table name and decoded into one typed, frozen `Pack`."""

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
    """One mistake of a pack: in which file, in which entry (its id, "" where it has none), at which field, and what is wrong."""

    file: str
    entry: str
    path: str
    words: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, f"entry {self.entry}" if self.entry else "", self.path) if part)
        return f"{place}: {self.words}"


class PackError(Exception):
    """A pack cannot be used. `faults` holds everything that was found, not only the first."""

    def __init__(self, faults: Iterable[PackFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def element_type(hint: Any) -> Any:
    """The type of the elements where a field holds a table array (`tuple[X, ...]`), else None."""
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


def load_pack(folder: Path) -> Pack:
    """The pack in `folder`: all its *.toml files, read in the order of their names. Raises PackError with every fault found."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise PackError([PackFault(str(folder.name), "", "", "no TOML file is here")])
    fields = {field.name: field for field in msgspec.structs.fields(Pack)}
    tables: dict[str, list[Any]] = {}
    single: dict[str, Any] = {}
    came_from: dict[str, str] = {}
    faults: list[PackFault] = []
    for file in files:
        try:
            data = tomllib.loads(file.read_text("utf-8"))
        except tomllib.TOMLDecodeError as error:
            faults.append(PackFault(file.name, "", "", f"the TOML cannot be read: {error}"))
            continue
        except UnicodeDecodeError as error:
            faults.append(PackFault(file.name, "", "", f"not UTF-8: {error}"))
            continue
        for name, value in data.items():
            if name not in fields:
                faults.append(PackFault(file.name, "", f"$.{name}", "no such table"))
                continue
            kind = element_type(fields[name].type)
            if kind is None:
                if name in single:
                    faults.append(PackFault(file.name, "", f"$.{name}", f"already given in {came_from[name]}"))
                single[name], came_from[name] = value, file.name
                continue
            if not isinstance(value, list):
                faults.append(PackFault(file.name, "", f"$.{name}", "an array of tables is expected"))
                continue
            for place, entry in enumerate(value):
                try:
                    tables.setdefault(name, []).append(msgspec.convert(entry, kind))
                except msgspec.ValidationError as error:
                    faults.append(_fault(file.name, name, place, entry, error))
    values: dict[str, Any] = {name: tuple(entries) for name, entries in tables.items()}
    for name, value in single.items():
        try:
            values[name] = msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            faults.append(_fault(came_from[name], name, None, value, error))
    for name in ("game", "edition", "name"):
        if name not in single:
            faults.append(PackFault(folder.name, "", f"$.{name}", "missing"))
    if faults:
        raise PackError(faults)
    return Pack(**values)


def decode_entry(file: str, table: str, place: int, entry: Any, kind: type) -> Any:
    """One entry of a table as its type, or the fault that keeps it from being one."""
    try:
        return msgspec.convert(entry, kind)
    except msgspec.ValidationError as error:
        return _fault(file, table, place, entry, error)


def _fault(file: str, table: str, place: int | None, entry: Any, error: msgspec.ValidationError) -> PackFault:
    words, _, at = str(error).partition(" - at ")
    inner = re.sub(r"^`\$?|`$", "", at)
    known = str(entry.get("id", "")) if isinstance(entry, dict) else ""
    where = f"$.{table}" if place is None else f"$.{table}[{place}]"
    return PackFault(file, known, where + inner, words)


def pack_folder(game: str, edition: str) -> Path:
    """The folder of a base pack, e.g. trench_crusade/v1_6_3. Raises KeyError where there is none."""
    folder = PACKS / game.replace("-", "_") / ("v" + edition.replace(".", "_") if edition[:1].isdigit() else edition)
    if not folder.is_dir():
        raise KeyError(f"{game}/{edition}")
    return folder


def packs() -> tuple[tuple[str, str], ...]:
    """All base packs in the tree as (game id, edition id), sorted."""
    found = []
    for folder in sorted(PACKS.glob("*/*")):
        if folder.is_dir() and any(folder.glob("*.toml")):
            edition = folder.name[1:].replace("_", ".") if re.match(r"v\d", folder.name) else folder.name
            found.append((folder.parent.name.replace("_", "-"), edition))
    return tuple(found)
