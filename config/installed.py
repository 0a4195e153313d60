"""A digest of installed code, for what is kept of its results: a new release may come to others."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from types import ModuleType


@cache
def digest_of(*packages: ModuleType) -> str:
    """Return a digest of all files in these packages, compiled ones left out. Reads them once in each process."""
    found = hashlib.sha256()
    for package in packages:
        for path in sorted(Path(package.__file__ or "").parent.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(path.read_bytes())
    return found.hexdigest()
