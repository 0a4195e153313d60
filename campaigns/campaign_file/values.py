"""Checks each value of a campaign file before it is written: what a form would refuse, no file brings in either."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection, models
from django.utils.translation import gettext as _

from config.backup.faults import BackupFault

DEEPEST = 40  # lists and objects within one another
LONGEST_TEXT = 1_000_000
LARGEST_FILE = 16 * 1024 * 1024 * 4 // 3  # in base64
LARGEST_NUMBER = 2**63


def refuse_value(field: models.Field, value: Any) -> None:
    """Raise BackupFault for a value that the site itself would never write into this field."""
    if value is None:
        if not field.null and not isinstance(field, models.JSONField):
            raise _fault(field)
        return
    if isinstance(field, models.JSONField):
        _refuse_json(field, value, 0)
    elif isinstance(value, str):
        most = LARGEST_FILE if isinstance(field, models.BinaryField) else LONGEST_TEXT
        if isinstance(field, models.CharField):
            most = field.max_length or most
        if len(value) > most or _is_unclean(value):
            raise _fault(field)
        choices = _choices(field)
        if choices and value not in choices and not (field.blank and not value):
            raise _fault(field)
    elif isinstance(value, int) and not isinstance(value, bool):
        least, largest = _range(field)
        if not least <= value <= largest:
            raise _fault(field)
    elif not isinstance(value, bool):
        raise _fault(field)


def _fault(field: models.Field) -> BackupFault:
    return BackupFault(
        _("The file has a value that doesn't belong into {label}, {field}.").format(
            label=field.model._meta.label, field=field.name
        )
    )


def _is_unclean(text: str) -> bool:
    return "\0" in text or any("\ud800" <= each <= "\udfff" for each in text)


@cache
def _choices(field: models.Field) -> frozenset[str]:
    return frozenset(str(value) for value, _ in field.flatchoices) if field.choices else frozenset()


@cache
def _range(field: models.Field) -> tuple[int, int]:
    if not isinstance(field, models.IntegerField):
        return -LARGEST_NUMBER, LARGEST_NUMBER - 1
    least, most = connection.ops.integer_field_range(field.get_internal_type())
    return (-LARGEST_NUMBER if least is None else least), (LARGEST_NUMBER - 1 if most is None else most)


def _refuse_json(field: models.Field, value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise _fault(field)
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT or _is_unclean(value):
            raise _fault(field)
    elif isinstance(value, dict):
        for key, each in value.items():
            _refuse_json(field, key, depth + 1)
            _refuse_json(field, each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            _refuse_json(field, each, depth + 1)
    elif isinstance(value, int | float) and abs(value) >= LARGEST_NUMBER:
        raise _fault(field)
