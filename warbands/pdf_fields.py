"""Reads the fields of a PDF that somebody filled in, in a process of its own with little time and memory.

A PDF from outside may be broken, or made to use up the machine. The reader is not trusted with that: whatever it does, the
system ends it after `SECONDS` of work or beyond `MEMORY` bytes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

MOST_BYTES = 3_000_000
MOST_FIELDS = 3000
MOST_LETTERS = 2000  # of one value
SECONDS, MEMORY = 2, 400_000_000
WAIT = 15  # seconds on the clock, on a machine that is busy

Fault = Literal["large", "no-pdf", "encrypted", "no-fields", "many-fields", "broken"]


class UnreadablePdf(Exception):
    """A PDF whose fields cannot be read; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


def read_fields(content: bytes) -> dict[str, str | bool]:
    """Return the value of each field by its name: a text, or whether a box is ticked. Raises UnreadablePdf."""
    if len(content) > MOST_BYTES:
        raise UnreadablePdf("large")
    if b"%PDF-" not in content[:1024]:
        raise UnreadablePdf("no-pdf")
    root = Path(__file__).resolve().parents[1]
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__], cwd=root, input=content, capture_output=True, timeout=WAIT, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise UnreadablePdf("broken") from error
    if "fault" in answer:
        raise UnreadablePdf(answer["fault"])
    fields: dict[str, str | bool] = answer["fields"]
    return fields


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _fields_of(content: bytes) -> dict[str, str | bool]:
    from pypdf import PdfReader
    from pypdf.errors import PdfReadError

    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted:
            raise UnreadablePdf("encrypted")
        form = reader.root_object.get("/AcroForm")
        fields = form.get_object().get("/Fields") if form is not None else None
        if not fields:
            raise UnreadablePdf("no-fields")
        return _values(fields.get_object())
    except (PdfReadError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise UnreadablePdf("broken") from error


def _values(fields: Any) -> dict[str, str | bool]:
    """Return the values of the fields of the first level, where all fields of our sheets are."""
    if len(fields) > MOST_FIELDS:
        raise UnreadablePdf("many-fields")
    found: dict[str, str | bool] = {}
    for each in fields:
        field = each.get_object()
        name, value = str(field.get("/T", "")), field.get("/V", "")
        value = value.get_object() if hasattr(value, "get_object") else value
        if field.get("/FT") == "/Btn":
            found[name] = str(value) not in ("", "/Off", "Off", "None")
        elif field.get("/FT") == "/Tx":
            found[name] = "" if value is None else str(value)[:MOST_LETTERS]
    return found


def _answer(content: bytes) -> dict[str, Any]:
    try:
        return {"fields": _fields_of(content)}
    except UnreadablePdf as unreadable:
        return {"fault": unreadable.fault}
    except Exception:  # a reader of files from outside can fail in any way
        return {"fault": "broken"}


if __name__ == "__main__":
    _limit()
    import logging

    logging.disable()
    sys.stdout.write(json.dumps(_answer(sys.stdin.buffer.read())))
