"""The log as one JSON object a line, without what says who did something: for programs that collect logs.

Left out are addresses of people and machines, the values in the site's own addresses, and the words of exceptions, which
may hold a value. What remains is enough to find the fault: the route, the kind of exception, and its lines of code.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any

_PERSONAL = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "<e-mail>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "<address>"),
    (re.compile(r"\b(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4}\b"), "<address>"),
)
_PATH = re.compile(r"(?<![\w<])/[^\s'\"]*")


class JsonLines(logging.Formatter):
    """Formats a record as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_people(record.getMessage(), getattr(record, "request", None)),
        }
        if (status := getattr(record, "status_code", None)) is not None:
            told["status"] = status
        if route := _route(getattr(record, "request", None)):
            told["route"] = route
        if record.exc_info and record.exc_info[0]:
            told["exception"] = record.exc_info[0].__name__
            told["at"] = [
                f"{frame.filename.rpartition('/site-packages/')[2]}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(record.exc_info[2])
            ]
        return json.dumps(told, ensure_ascii=False)


def _route(request: Any) -> str:
    match = getattr(request, "resolver_match", None)
    return str(match.route) if match is not None else ""


def _without_people(words: str, request: Any) -> str:
    for pattern, instead in _PERSONAL:
        words = pattern.sub(instead, words)
    return _PATH.sub("<path>", words) if request is not None else words
