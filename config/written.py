"""Queries that are written once per process: of a wide query, its writing takes several times as long as its answer.

Django writes the SQL of a query anew each time it is asked. What changes between two askings here are only the ids in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import copy
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
Ids = int | Collection[int]

# Stand in the SQL while it is written, where an id will stand. No row ever has such an id, and each fits into a big integer.
MARKS = 9_100_000_000_000_000_000
NOBODY = 0


class WrittenQuery(Generic[Row]):
    """A query whose SQL is kept. `build` makes it from ids and lists of ids, and from nothing else that changes.

    It is called with the same ids and lists of ids, in this order, and answers with the rows. A list may have any length: it is filled up
    to the next power of two with an id that it holds already, so that few texts are kept. An id that no row can have finds none.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build
        self._written: dict[tuple[object, ...], tuple[QuerySet[Any, Row], Any, str, tuple[Any, ...]] | None] = {}

    def __call__(self, *given: Ids) -> list[Row]:
        """The rows. One query; none where an empty list leaves nothing to be found."""
        filled = [[each] if isinstance(each, int) else _filled(each) for each in given]
        lengths = tuple(-1 if isinstance(each, int) else len(ids) for each, ids in zip(given, filled, strict=True))
        key = (connections["default"].vendor, *lengths)
        if key not in self._written:
            self._written[key] = self._write(lengths)
        written = self._written[key]
        if written is None:
            return []
        queryset, compiler, sql, params = written
        flat = [each if -MARKS < each < MARKS else NOBODY for ids in filled for each in ids]
        asked = queryset.all()
        # The compiler knows which columns make which fields; of one asking are only the connection and the ids (each of the type that the
        # database's driver sends a number of this size as).
        again = copy(compiler)
        again.connection = connections[queryset.db]
        filled_in = tuple(type(each)(flat[each - MARKS]) if _is_mark(each) else each for each in params)
        again.as_sql = lambda *args, **kwargs: (sql, filled_in)
        asked.query.get_compiler = lambda *args, **kwargs: again  # type: ignore[method-assign]
        return list(asked)

    def _write(self, lengths: tuple[int, ...]) -> tuple[QuerySet[Any, Row], Any, str, tuple[Any, ...]] | None:
        marks: list[Ids] = []
        count = 0
        for length in lengths:
            marks.append(MARKS + count if length < 0 else [MARKS + count + place for place in range(length)])
            count += abs(length)
        queryset = self._build(*marks)
        compiler = queryset.query.get_compiler(queryset.db)
        try:
            sql, params = compiler.as_sql()
        except EmptyResultSet:
            if 0 in lengths:
                return None
            raise
        missing = {MARKS + place for place in range(count)} - {each for each in params if _is_mark(each)}
        if missing and 0 not in lengths:  # beside an empty list, a whole condition may have fallen away
            raise ValueError(f"{len(missing)} of the ids given do not stand in the query: {sql}")
        return queryset, compiler, sql, tuple(params)


def _filled(ids: Collection[int]) -> list[int]:
    """The ids, with the last one again and again until there are 1, 2, 4, 8 ... of them; none where there are none."""
    found = list(ids)
    return found + found[-1:] * ((1 << (len(found) - 1).bit_length()) - len(found)) if found else found


def _is_mark(value: object) -> bool:
    return isinstance(value, int) and value >= MARKS
