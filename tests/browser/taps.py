"""A thumb on a phone that counts, and the figures of docs/minutes.md that it must not exceed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from tests.browser.answered import settle

MINUTES = Path(__file__).parents[2] / "docs" / "minutes.md"

# What docs/minutes.md reckons with: seconds a tap, a page and a typed letter.
A_TAP, A_PAGE, A_LETTER = 2.0, 3.0, 0.5


class Promise(NamedTuple):
    """One row of the table: at most so many taps and pages, in less than so many minutes."""

    taps: int
    pages: int
    under: int


def promised(what: str) -> Promise:
    """Read the row of docs/minutes.md whose first column begins with these words."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in MINUTES.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    (row,) = [row for row in rows if row[0].startswith(what)]
    under = re.fullmatch(r"under (\d+)", row[3])
    assert under is not None, row
    return Promise(int(row[1]), int(row[2]), int(under[1]))


class Thumb:
    """A thumb on a phone that counts: each field or button touched is a tap, each page that opens a page, each letter a letter."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.pages, self.letters = page, 0, 0, 0

    def type(self, field: Any, text: str) -> None:
        """Touch a field and type into it."""
        field.scroll_into_view_if_needed()
        field.fill(text)
        self.taps += 1
        self.letters += len(text)

    def choose(self, field: Any, value: str) -> None:
        """Touch a list and one of its entries."""
        field.select_option(value)
        self.taps += 2

    def tick(self, field: Any) -> None:
        """Touch a box or one of several answers; its own label may lie over it."""
        field.check(force=True)
        self.taps += 1

    def open(self, what: Any) -> None:
        """Unfold a part of the page."""
        what.click()
        self.taps += 1

    def go(self, what: Any) -> None:
        """Press something that opens a page."""
        with self.page.expect_navigation():
            what.click()
        self.taps += 1
        self.pages += 1

    def send(self, button: Any) -> None:
        """Press a button whose form is answered in place, or by a page where it has no htmx."""
        if not button.evaluate("button => button.form.hasAttribute('hx-post')"):
            self.go(button)
            return
        settle(self.page, button.click)
        self.taps += 1

    def keeps(self, promise: Promise) -> None:
        """Fail when any of the figures grew beyond what is promised."""
        seconds = self.taps * A_TAP + self.pages * A_PAGE + self.letters * A_LETTER
        walked = f"{self.taps} taps, {self.pages} pages, {self.letters} letters, {seconds:.0f} seconds"
        assert self.taps <= promise.taps, walked
        assert self.pages <= promise.pages, walked
        assert self.page.locator("h1").count() == 1, "a page within the page"
        assert seconds < promise.under * 60, walked
