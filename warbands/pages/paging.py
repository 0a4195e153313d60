"""Helpers that split long lists into pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Count, Model, QuerySet, Subquery, Value
from django.utils.translation import gettext as _

from warbands.pages.addresses import with_query

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Pager:
    words: str
    previous_href: str
    previous_words: str
    next_href: str
    next_words: str


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """One page of rows, the total count, and the pager (None if all rows fit on one page)."""

    rows: tuple[Row, ...]
    count: int
    pager: Pager | None
    page: int = 1


def cut(
    rows: QuerySet[Row],
    page: int,
    per_page: int,
    href: str,
    state: Mapping[str, str],
    anchor: str = "",
    name: str = "page",
    counted: QuerySet[Row] | None = None,
) -> Slice[Row]:
    """Return one page of a queryset, in its order. One query; two more for a page beyond the end, which becomes the last page.

    `counted` is a simpler queryset of the same rows, for use when `rows` has annotations.
    """
    every = (rows if counted is None else counted).order_by().annotate(in_all=Value(1)).values("in_all")
    total = every.annotate(total=Count("pk")).values("total")
    page = max(1, page)
    start = (page - 1) * per_page
    part = tuple(rows.annotate(cut_from=Subquery(total))[start : start + per_page])
    count = part[0].cut_from if part else 0  # type: ignore[attr-defined]
    if not part and page > 1 and (count := rows.count()):
        page = -(-count // per_page)
        start = (page - 1) * per_page
        part = tuple(rows[start : start + per_page])
    last = max(1, -(-count // per_page))
    page = min(page, last)
    return Slice(part, count, pager_of(page, last, count, start, len(part), per_page, href, state, anchor, name), page)


def slice_of(rows: Sequence[Any], page: int, per_page: int, href: str, state: Mapping[str, str]) -> Slice[Any]:
    """Return one page of a list. A page beyond the end becomes the last page."""
    last = max(1, -(-len(rows) // per_page))
    page = min(max(1, page), last)
    start = (page - 1) * per_page
    part = tuple(rows[start : start + per_page])
    return Slice(part, len(rows), pager_of(page, last, len(rows), start, len(part), per_page, href, state), page)


def pager_of(
    page: int,
    last: int,
    count: int,
    start: int,
    shown: int,
    per_page: int,
    href: str,
    state: Mapping[str, str],
    anchor: str = "",
    name: str = "page",
) -> Pager | None:
    """Return the pager of a page, None if all rows fit on one page.

    `name` is the page's query parameter, `anchor` the part of the page to link to.
    """
    if last == 1:
        return None

    def address(number: int) -> str:
        return with_query(href, {**state, **({name: str(number)} if number > 1 else {})}, anchor)

    coming = min(per_page, count - start - shown)
    return Pager(
        words=_("Entries {first} to {last} of {count}").format(first=start + 1, last=start + shown, count=count),
        previous_href=address(page - 1) if page > 1 else "",
        previous_words=_("Previous {per_page}").format(per_page=per_page),
        next_href=address(page + 1) if page < last else "",
        next_words=_("Next {coming}").format(coming=coming),
    )
