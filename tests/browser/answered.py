"""Waiting until a page has taken in the answer to what was done on it, by htmx or by a new page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# htmx tells when an answer has been swapped in; a new document has not heard of any question.
LISTEN = """() => {
    if (window.answersOut === undefined) {
        document.addEventListener("htmx:before:request", () => { window.isAsked ? window.answersOut++ : window.isAsked = true; });
        document.addEventListener("htmx:finally:request", () => requestAnimationFrame(() => { window.answersOut--; }));
    }
    window.answersOut = 1;
    window.isAsked = false;
}"""


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
