"""Converts values of model fields to JSON values and back, and reads and sets leaves inside JSON fields."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from rules.problems import Refusal

Leaf = tuple[str, ...]  # the path to a value inside nested dictionaries


def plain_value(field: models.Field, value: Any) -> Any:
    """Return a field's value as a JSON value that `to_python` can read back."""
    if value is None or isinstance(value, (bool, int, str, list, dict)):
        return value
    return field.value_to_string(_Holder(field.attname, value))


class _Holder:
    """Carries one attribute for `value_to_string`."""

    def __init__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


def field_value(field: models.Field, plain: Any) -> Any:
    """Return a field's value from its JSON value, the reverse of `plain_value`. Raises Refusal if a related row is gone."""
    if plain is None or not field.is_relation:
        return None if plain is None else field.to_python(deepcopy(plain))
    related = field.related_model._base_manager.filter(pk=field.target_field.to_python(plain)).first()
    if related is None or getattr(related, "is_undone", False):
        raise Refusal(_("What this belonged to no longer exists."), code="leaned-on")
    return related


def leaf_of(data: Any, path: Leaf) -> Any:
    """Return the value at a path, None if there is none."""
    for step in path:
        if not isinstance(data, dict) or step not in data:
            return None
        data = data[step]
    return data


def set_leaf(data: dict[str, Any], path: Leaf, value: Any) -> None:
    """Set the value at a path; None removes it."""
    for step in path[:-1]:
        data = data.setdefault(step, {})
    if value is None:
        data.pop(path[-1], None)
    else:
        data[path[-1]] = value


def split_path(path: str) -> Leaf:
    """Return a recorded path ("skills/s1") as steps; no steps for a whole field ("")."""
    return tuple(path.split("/")) if path else ()


def paths_overlap(one: str, other: str) -> bool:
    """Return whether two recorded paths are equal, or one is inside the other. "" is the whole field."""
    return not one or not other or one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")
