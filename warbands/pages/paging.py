"""Long lists, cut into pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Pager:
    """Where one is in a long list, and the ways on and back."""

    words: str
    previous_href: str
    previous_words: str
    next_href: str
    next_words: str


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """One page of rows, the count of all, and the pager (None when one page holds all)."""

    rows: tuple[Row, ...]
    count: int
    pager: Pager | None


def cut(rows: QuerySet[Row], page: int, per_page: int, href: str, state: Mapping[str, str]) -> Slice[Row]:
    """One page of a query, newest first: two queries. A page beyond the end is the last one."""
    count = rows.count()
    last = max(1, -(-count // per_page))
    page = min(max(1, page), last)
    start = (page - 1) * per_page
    part = tuple(rows[start : start + per_page])
    return Slice(part, count, pager_of(page, last, count, start, len(part), per_page, href, state))


def pager_of(
    page: int, last: int, count: int, start: int, shown: int, per_page: int, href: str, state: Mapping[str, str]
) -> Pager | None:
    """The pager of a page, None when one page holds all."""
    if last == 1:
        return None

    def address(number: int) -> str:
        query = urlencode({**state, **({"page": str(number)} if number > 1 else {})})
        return f"{href}?{query}" if query else href

    coming = min(per_page, count - start - shown)
    return Pager(
        words=f"Entries {start + 1} to {start + shown} of {count}",
        previous_href=address(page - 1) if page > 1 else "",
        previous_words=f"Previous {per_page}",
        next_href=address(page + 1) if page < last else "",
        next_words=f"Next {coming}",
    )
