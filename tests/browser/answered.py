"""Waiting until a page has taken in the answer to what was done on it, by htmx or by a new page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Error

# htmx tells when an answer has been swapped in; a new document has not heard of any question.
LISTEN = """() => {
    if (window.answersOut === undefined) {
        document.addEventListener("htmx:before:request", () => { window.isAsked ? window.answersOut++ : window.isAsked = true; });
        document.addEventListener("htmx:finally:request", () => requestAnimationFrame(() => { window.answersOut--; }));
    }
    window.answersOut = 1;
    window.isAsked = false;
}"""


def close(context: Any) -> None:
    """Close a browser context. A page that is on its way to another is brought to rest first: Chromium may lose word of the closing."""
    for page in context.pages:
        for _ in range(3):
            try:
                page.goto("about:blank")
                break
            except Error:  # what it was on its way to, or the page that tells of no line, came in between
                continue
    context.close()


@contextmanager
def answered(page: Any) -> Iterator[None]:
    """Send a form within, and leave when what the site answered is on the page."""
    if page.evaluate("typeof htmx === 'undefined'"):
        with page.expect_navigation():
            yield
        return
    page.evaluate(LISTEN)
    with page.expect_response(lambda response: response.request.method == "POST"):
        yield
    page.wait_for_function("() => !window.answersOut")
    page.wait_for_load_state()


def settle(page: Any, act: Callable[[], Any]) -> None:
    """Do something that sends a form, and wait for the answer."""
    with answered(page):
        act()


def follow(way: Any) -> None:
    """Press a link, or a form's button, that leads to another page, and leave when that page and its scripts are there."""
    with way.page.expect_navigation():
        way.click()
