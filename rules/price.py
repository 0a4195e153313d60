"""A sum of money: ducats and glory."""

from __future__ import annotations

from typing import Literal

import msgspec

from rules.translation import gettext as _

Currency = Literal["ducats", "glory"]


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A price in both currencies (whole numbers; the unused one is 0)."""

    ducats: int = 0
    glory: int = 0

    def __str__(self) -> str:
        parts = [_("{ducats} ducats").format(ducats=self.ducats)] if self.ducats or not self.glory else []
        if self.glory:
            parts.append(_("{glory} glory").format(glory=self.glory))
        return _(" and ").join(parts)

    def __bool__(self) -> bool:
        return bool(self.ducats or self.glory)


ZERO = Price()


def add(*prices: Price) -> Price:
    """Return the sum of prices."""
    ducats = glory = 0
    for price in prices:
        ducats += price.ducats
        glory += price.glory
    return Price(ducats, glory)
