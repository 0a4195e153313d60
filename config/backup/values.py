"""How a value of a row stands in a backup, and how it goes back into either database."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from django.db import models

from config.backup.faults import BackupFault


def line_of(value: Any) -> bytes:
    """Return a value as one line of JSON: equal for equal rows, whichever database they were read from."""
    dumps = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    text = dumps(value, default=_plain)
    if "e+" in text or "-0.0" in text:  # perhaps a number that PostgreSQL writes in another way than SQLite
        text = dumps(_evened(json.loads(text)))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # half a character, as a file that somebody sent may hold one
        return dumps(json.loads(text), ensure_ascii=True).encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"A backup has no form for a {type(value).__name__}.")


def _evened(value: Any) -> Any:
    if isinstance(value, float) and (abs(value) >= 1e16 or value == 0):
        return int(value) if value else 0.0
    if isinstance(value, list):
        return [_evened(each) for each in value]
    return {key: _evened(each) for key, each in value.items()} if isinstance(value, dict) else value


def stored_value(field: models.Field, value: Any, connection: Any) -> Any:
    """Return what the database driver takes for a value out of a backup.

    Raises:
        BackupFault: it is not a value of this field.
    """
    if value is None and isinstance(field, models.JSONField) and not field.null:
        return connection.ops.adapt_json_value(None, None)
    if value is None and field.null:
        return None
    try:
        return field.get_db_prep_save(_read(field, value), connection)
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise BackupFault(f"The column {field.column} has a value that doesn't belong there.") from None


def _read(field: models.Field, value: Any) -> Any:
    if isinstance(field, models.ForeignKey):
        return _read(field.target_field, value)
    if isinstance(field, models.JSONField):
        return value
    if isinstance(field, models.BooleanField):
        return _of(bool, value)
    if isinstance(field, models.IntegerField):
        if isinstance(value, bool):
            raise TypeError
        return _of(int, value)
    text = _of(str, value)
    if isinstance(field, models.BinaryField):
        return b64decode(text, validate=True)
    if isinstance(field, models.DateTimeField):
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if isinstance(field, models.DateField):
        return date.fromisoformat(text)
    return UUID(text) if isinstance(field, models.UUIDField) else text


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value
