"""How an open page is looked at: on a phone and a desktop, light and dark. Each page in one way, the next page in the next; in all under `make drills`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.conftest import DESKTOP, PHONE
from tests.drills import WHOLE

# What axe finds otherwise in the other scheme, where it has looked at everything in the first.
CONTRAST = ", runOnly: ['color-contrast']"


class Look(NamedTuple):
    """A screen."""

    width: int
    dark: bool


LOOKS = (Look(PHONE, False), Look(DESKTOP, True), Look(PHONE, True), Look(DESKTOP, False))


def looks(place: int) -> Sequence[Look]:
    """The looks that a page gets by its place in a list."""
    return LOOKS if WHOLE else (LOOKS[place % len(LOOKS)],)


def put(page: Any, look: Look) -> None:
    """Let an open page be seen on such a screen."""
    page.set_viewport_size({"width": look.width, "height": 740 if look.width < 700 else 900})
    page.emulate_media(color_scheme="dark" if look.dark else "light")


def visit(page: Any, address: str) -> Any:
    """Open a page on a phone, and return the answer."""
    put(page, LOOKS[0])
    return page.goto(address)


def sideways(page: Any) -> int:
    """By how many pixels a page runs over the edge."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def fits(page: Any) -> None:
    """Fail where an open page runs over the edge of a phone or a desktop."""
    for width in (PHONE, DESKTOP):
        put(page, Look(width, dark=False))
        assert sideways(page) <= 0, f"{page.url} runs over the edge of {width} px"


def examine(page: Any, axe: Callable[[Any], None], place: int) -> None:
    """Fail where an open page runs over an edge, or axe finds something in the looks of its place."""
    fits(page)
    for look in looks(place):
        put(page, look)
        axe(page)
