"""The intended acts of a draft: calls of services with their plain arguments, as they are stored and read back.

`@draftable` marks a service whose call a draft may hold. Outside of drafts it changes nothing. Inside one, the call is
tried and noted (`warbands/drafting.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from django.db import models
from django.utils.translation import gettext as _

from rules.problems import Refusal
from warbands.draft_context import current_run
from warbands.models import Fighter, Item, Warband

P = ParamSpec("P")
R = TypeVar("R")

# Keys of rows that a draft would make: unlike any that the database gives, and the same each time it is shown.
_FROM, _A_DRAFT, _AN_ACT = 10**15, 10**6, 10**3
MOST_NUMBERS = _A_DRAFT // _AN_ACT - 1
_MADE = re.compile(r"(?<!\d)1\d{15}(?!\d)")
_OWN_WORDS = frozenset({"name", "notes"})  # arguments that people type
_NOT_STORED = frozenset({"actor", "token", "seen", "return"})


class RowRef(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row that an act is about. `pk` may be the key of a row that the draft itself would make."""

    kind: Literal["warband", "fighter", "item"]
    pk: int


class DraftAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One intended act: the service `do` with the arguments `given`.

    `told` is the sentence of its event when it was added, `token` the one-use token of its form.
    """

    number: int
    do: str
    given: dict[str, Any]
    told: str = ""
    token: str = ""


KINDS: dict[str, type[models.Model]] = {"warband": Warband, "fighter": Fighter, "item": Item}
_KIND_OF: dict[type, Any] = {model: kind for kind, model in KINDS.items()}
Plain = str | int | bool | list[str] | None


def read_acts(stored: Any) -> tuple[DraftAct, ...]:
    """Return the acts of a draft as they are stored. Raises msgspec.ValidationError if they are damaged."""
    return msgspec.convert(stored, tuple[DraftAct, ...])


def write_acts(acts: Collection[DraftAct]) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = msgspec.to_builtins(list(acts))
    return written


def made_key(draft: int, number: int, place: int) -> int:
    """Return the key of the row that this act of a draft makes in this place."""
    if not 0 < place < _AN_ACT:
        raise Refusal(_("This change is too large for a draft."), code="too-many")
    return _FROM + draft * _A_DRAFT + number * _AN_ACT + place


def needs(act: DraftAct, draft: int) -> frozenset[int]:
    """Return the numbers of the acts whose rows this act is about."""
    keys = (int(found) - _FROM - draft * _A_DRAFT for found in _MADE.findall(msgspec.json.encode(act.given).decode()))
    return frozenset(key // _AN_ACT for key in keys if 0 < key < _A_DRAFT)


# --- services -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DraftedService:
    """A service that a draft may call."""

    name: str
    call: Callable[..., Any]

    @property
    def stored(self) -> type[msgspec.Struct]:
        return _stored_struct(self.name, self.call)

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call as they are stored."""
        plain = {name: _plain(value) for name, value in arguments.items() if name not in _NOT_STORED}
        stored: dict[str, Any] = msgspec.to_builtins(msgspec.convert(plain, self.stored))
        return stored

    def arguments(self, given: Mapping[str, Any], row_of: Callable[[RowRef], Any], made: Mapping[int, Any]) -> Any:
        """Return stored arguments as the service takes them. `made` are rows by the key that the draft gave them."""
        try:
            read = msgspec.convert(given, self.stored)
        except msgspec.ValidationError as error:
            raise Refusal(_("The app has changed since this was written."), code="unreadable") from error
        return {name: _live(name, getattr(read, name), row_of, made) for name in given}


SERVICES: dict[str, DraftedService] = {}


def draftable(service: Callable[P, R]) -> Callable[P, R]:
    """Mark a service that may be tried in a draft: it rolls no dice, promises nothing, and takes plain arguments."""
    drafted = SERVICES[service.__name__] = DraftedService(service.__name__, service)

    @wraps(service)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        run = current_run()
        if run is None or run.is_playing:
            return service(*args, **kwargs)
        result: R = run.add(drafted, kwargs)
        return result

    return called


@cache
def _stored_struct(name: str, service: Callable[..., Any]) -> type[msgspec.Struct]:
    hints = {key: hint for key, hint in get_type_hints(service).items() if key not in _NOT_STORED}
    fields: list[Any] = [(key, _stored_type(hint) | msgspec.UnsetType, msgspec.UNSET) for key, hint in hints.items()]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, omit_defaults=True)


def _stored_type(hint: Any) -> Any:
    """Return the type in which an argument of this type is stored."""
    if hint is Any:
        return Plain
    if hint in _KIND_OF:
        return RowRef
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        kinds = [NoneType if arg is NoneType else _stored_type(arg) for arg in args]
        return Union[tuple(dict.fromkeys(kinds))]  # noqa: UP007 - made of a list
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[str, _stored_type(args[1])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Collection):
        return list[_stored_type(args[0])]  # type: ignore[misc]
    return hint


def _plain(value: Any) -> Any:
    """Return an argument with rows as references, and collections as JSON has them."""
    if isinstance(value, models.Model):
        return RowRef(_KIND_OF[type(value)], value.pk)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Collection) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value


def _live(name: str, value: Any, row_of: Callable[[RowRef], Any], made: Mapping[int, Any]) -> Any:
    """Return a stored argument with rows in place of references, and the keys of made rows as they are now."""
    if isinstance(value, RowRef):
        return row_of(value)
    if isinstance(value, dict):
        return {key: _live(name, each, row_of, made) for key, each in value.items()}
    if isinstance(value, list):
        return [_live(name, each, row_of, made) for each in value]
    if isinstance(value, str) and made and name not in _OWN_WORDS:
        return _MADE.sub(lambda found: str(made[int(found[0])].pk) if int(found[0]) in made else found[0], value)
    return value
