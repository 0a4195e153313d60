"""Rows of hires and kit in a browser: found by name, pressed, measured."""

from __future__ import annotations

import re
from typing import Any


def row_of(page: Any, name: str) -> Any:
    """The row of what is called so."""
    return page.locator(".offer-line").filter(
        has=page.locator(".good-name > b", has_text=re.compile(f"^{re.escape(name)}$"))
    )


def act_of(row: Any) -> Any:
    """What is pressed in a row to have one of it: a button, or a link where something must be chosen."""
    return row.locator("[id$=_act]")


def top_of(element: Any) -> float:
    """Where an element begins on the screen."""
    return float(element.bounding_box()["y"])
