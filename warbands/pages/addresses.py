"""Addresses of rows, many of them on one page: the shape of each is asked for once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from urllib.parse import urlencode

from django.urls import reverse

_MARK = 8_040_201_090


@cache
def _shape(name: str) -> tuple[str, str]:
    head, _, tail = reverse(name, args=[_MARK]).partition(str(_MARK))
    return head, tail


def href_of(name: str, pk: int | str) -> str:
    """The address of a row by the name of its page; as `reverse` says, for a fraction of its price."""
    head, tail = _shape(name)
    return f"{head}{pk}{tail}"


def card_href(warband: int | str, fighter: int | str) -> str:
    return f"{href_of('warband-show', warband)}#fighter_card_{fighter}"


def filled(**values: str) -> dict[str, str]:
    """The values that are not empty, as the query of an address."""
    return {name: value for name, value in values.items() if value}


def with_query(href: str, query: Mapping[str, object], anchor: str = "") -> str:
    """The address with this query and anchor."""
    text = urlencode(query)
    return (f"{href}?{text}" if text else href) + (f"#{anchor}" if anchor else "")
