"""Storage of static files in production: bundled, compressed, with the hash of their content in their name.

In development, each style sheet and script is served unchanged. `collectstatic` copies the files that a page would load
by import, one after the other, into the file that the page names, and leaves those out. There is no other build step.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

Read = Callable[[str], str]

BUNDLES = ("css/app.css", "js/app.js")

SHEET = re.compile(r'@import url\("(?P<name>[^":]+)"\)(?: layer\((?P<layer>[\w-]+)\))?(?P<media>[^;]*);')
ADDRESS = re.compile(r'url\("(?P<name>(?!data:|/|#|\w+:)[^"]+)"\)')
TAKEN = re.compile(r'^import (?:\{(?P<names>[^}]*)\} from )?"\./(?P<name>[\w.-]+)";\n?', re.MULTILINE)
GIVEN = re.compile(r"^export (?=(?:async function|function|const|class) (?P<name>\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|^await\b.*", re.MULTILINE)


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Replaces the first file of each bundle by the bundle, leaves its parts out, and hashes remaining imports in scripts."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 10  # one for each import in the longest chain of scripts that import one another

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        bundled = InMemoryStorage()
        changed = dict(paths)
        for name in BUNDLES:
            if name in paths and not dry_run:
                bundled.save(name, ContentFile(bundle(name, read).encode()))
                changed[name] = (bundled, name)
                with self.open(name, "wb") as file:
                    file.write(bundle(name, read).encode())
        for part in () if dry_run else only_bundled(paths, read):
            del changed[part]  # nobody asks for it here, so it is neither hashed nor compressed
            self.delete(part)
        yield from super().post_process(changed, dry_run, **options)


def bundle(name: str, read: Read) -> str:
    """Return a style sheet or script with all its imports. `read` returns the text of a file. Raises ValueError."""
    return one_sheet(name, read) if name.endswith(".css") else one_script(name, read)


def only_bundled(names: Collection[str], read: Read) -> set[str]:
    """Return the parts of the bundles among these files that no other style sheet or script imports."""
    found = {part for name in BUNDLES if name in names for part in parts(name, read)}
    others = {name for name in names if name.endswith((".css", ".js"))} - found - set(BUNDLES)
    return found.difference(*(parts(name, read) for name in others))


def parts(name: str, read: Read) -> list[str]:
    """Return all imports of a style sheet or script, indirect ones too: each file once, before its first importer."""
    found: list[str] = []
    _gather(name, read, found, ())
    return found[:-1]


def _gather(name: str, read: Read, found: list[str], within: tuple[str, ...]) -> None:
    if name in within:
        raise ValueError(f"{name} imports itself by way of {', '.join(within[within.index(name) + 1 :])}.")
    pattern = SHEET if name.endswith(".css") else TAKEN
    for match in pattern.finditer(read(name)):
        part = _beside(name, match["name"])
        if part not in found:
            _gather(part, read, found, (*within, name))
    found.append(name)


def _beside(name: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


# --- style sheets -----------------------------------------------------------------------------------------------------


def one_sheet(name: str, read: Read) -> str:
    """Return a style sheet with its imports inlined, each in its layer and media query. Its URLs have the same targets."""

    def inlined(sheet: str) -> str:
        def moved(match: re.Match[str]) -> str:
            there = posixpath.relpath(_beside(sheet, match["name"]), posixpath.dirname(name))
            return f'url("{there}")'

        def imported(match: re.Match[str]) -> str:
            text = inlined(_beside(sheet, match["name"]))
            if match["layer"]:
                text = f"@layer {match['layer']} {{\n{text}}}\n"
            media = match["media"].strip()
            return f"@media {media} {{\n{text}}}\n" if media else text

        text = read(sheet)
        pieces, end = [], 0
        for match in SHEET.finditer(text):
            pieces += [ADDRESS.sub(moved, text[end : match.start()]), imported(match)]
            end = match.end()
        return "".join([*pieces, ADDRESS.sub(moved, text[end:])])

    return inlined(name)


# --- scripts ----------------------------------------------------------------------------------------------------------


def one_script(name: str, read: Read) -> str:
    """Return a module with the modules that it imports, each in a separate function that returns its exports.

    Raises ValueError for an unsupported form of import or export, or for modules that import each other.
    """
    return "\n".join(_wrapped(part, read(part)) for part in (*parts(name, read), name))


def _wrapped(name: str, text: str) -> str:
    taken = []
    for match in TAKEN.finditer(text):
        if match["names"]:
            names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match["names"].strip())
            taken.append(f"const {{ {names} }} = {_local(_beside(name, match['name']))};")
    body = TAKEN.sub("", text)
    given = [match["name"] for match in GIVEN.finditer(body)]
    body = GIVEN.sub("", body)
    if left := OTHER.search(body):
        raise ValueError(f"{name} cannot be bundled: {left[0]}")
    head = "\n".join(taken)
    return f"const {_local(name)} = (() => {{\n{head}\n{body}\nreturn {{ {', '.join(given)} }};\n}})();"


def _local(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", posixpath.basename(name).removesuffix(".js"))


def bundled_parts(read: Read) -> Mapping[str, list[str]]:
    """Return, for each bundle, its files other than the one that it is named after."""
    return {name: parts(name, read) for name in BUNDLES}
