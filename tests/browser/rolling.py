"""The form of a roll that opens within the page of a table: opening it, answering it, and telling what dice came to."""

from __future__ import annotations

from typing import Any


def opens(way: Any) -> Any:
    """Press what opens the form of a roll in place. Returns the form."""
    page = way.page
    way.click()
    form = page.locator("#t_roll[data-here]")
    form.wait_for()
    page.wait_for_function("() => !document.querySelector('.htmx-request')")
    return form


def chip(page: Any, name: str, value: str, *, redraws: bool = False) -> None:
    """Touch a chip of the form. One that `redraws` is answered with the form anew."""
    if redraws:
        page.evaluate("document.getElementById('t_roll').dataset.before = '1'")
    page.locator(f"label[for=id_{name}_{value}]").click()
    if redraws:
        page.locator("#t_roll[data-here]:not([data-before])").wait_for()


def tell(page: Any, result: int | str) -> None:
    """Touch a result in the form, as it was counted on one's own dice."""
    page.locator(f"#t_roll #t_result_{result}").click()
