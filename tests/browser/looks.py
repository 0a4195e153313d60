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
    widen(page, look.width)
    page.emulate_media(color_scheme="dark" if look.dark else "light")


def widen(page: Any, width: int) -> None:
    """Give an open page this width. One that has it already is not laid out anew."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 740 if width < 700 else 900})


def visit(page: Any, address: str) -> Any:
    """Open a page on a phone, and return the answer."""
    put(page, LOOKS[0])
    return page.goto(address)


def sideways(page: Any) -> int:
    """By how many pixels a page runs over the edge."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def fits(page: Any, last: int = DESKTOP) -> None:
    """Fail where an open page runs over the edge of a phone or a desktop. It is left as wide as `last` says."""
    for width in sorted((PHONE, DESKTOP), key=last.__eq__):
        widen(page, width)
        assert sideways(page) <= 0, f"{page.url} runs over the edge of {width} px"


# What is pressed: links that are words of a sentence, and boxes inside a label that is pressed, do not count.
SMALL_TARGETS = """() => [...document.querySelectorAll(
  'a.button, button, summary, select, input:not([type=hidden]), textarea, .chip, .choice, .tabs a, .jumps a, .main-nav a')]
  .filter(each => each.matches('.chip, .choice') || !each.closest('label, .chip, .choice, .visually-hidden'))
  .map(each => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.width && box.height && box.height < 43.5)
  .map(([each, box]) => `${(each.innerText || each.name || each.tagName).trim().slice(0, 30)}: ${Math.round(box.height)} px`)"""
MAIN_ACTS = """() => [...document.querySelectorAll('.button-main')]
  .filter(each => each.getBoundingClientRect().height && !each.hasAttribute('aria-disabled'))
  .map(each => each.innerText.trim())"""


def thumbs(page: Any) -> None:
    """Fail where something on an open page is too low for a thumb, or where several acts claim to be the next one."""
    put(page, LOOKS[0])
    small, acts = page.evaluate(SMALL_TARGETS), page.evaluate(MAIN_ACTS)
    assert not small, f"{page.url} has targets under 44 px: {small}"
    assert len(acts) < 2, f"{page.url} has {len(acts)} main acts: {acts}"


def examine(page: Any, axe: Callable[[Any], None], place: int) -> None:
    """Fail where an open page runs over an edge, or axe finds something in the looks of its place."""
    seen = looks(place)
    fits(page, seen[0].width)
    for look in seen:
        put(page, look)
        axe(page)
