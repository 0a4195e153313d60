"""The form of a roll that opens within the page of a table: opening it, answering it, and telling what dice came to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def opens(way: Any) -> Any:
    """Press what opens the form of a roll in place. Returns the form."""
    page = way.page
    way.click()
    form = page.locator("#t_roll[data-here]")
    form.wait_for()
    page.wait_for_function("() => !document.querySelector('.htmx-request')")
    return form


@contextmanager
def redrawn(page: Any) -> Iterator[None]:
    """Leave once the form stands as it was answered: nothing is asked of the page before that answer."""
    with page.expect_response(lambda answer: "t_roll" in answer.request.headers.get("hx-target", "")):
        yield
    page.wait_for_function("() => !document.querySelector('.htmx-request')")


def chip(page: Any, name: str, value: str, *, redraws: bool = False) -> None:
    """Touch a chip of the form. One that `redraws` is answered with the form anew."""
    touched = page.locator(f"label[for=id_{name}_{value}]")
    if not redraws:
        touched.click()
        return
    with redrawn(page):
        touched.click()
    page.locator(f"#t_roll[data-here] #id_{name}_{value}:checked").wait_for(state="attached")


def tell(page: Any, result: int | str) -> None:
    """Touch a result in the form, as it was counted on one's own dice."""
    page.locator(f"#t_roll #t_result_{result}").click()
