"""Guards of the style sheets: what would make a slow phone style a whole page anew after each press."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
SHEETS = sorted(CSS.rglob("*.css"))


def selectors(text: str) -> Iterator[str]:
    """Yield each selector of a style sheet, lists taken apart."""
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for prelude in re.findall(r"([^{};]+)\{", bare):
        if not prelude.strip().startswith("@"):
            yield from (one.strip() for one in split(prelude, ","))


def split(text: str, marks: str) -> list[str]:
    """Return the pieces of a text between these marks, but for marks within brackets."""
    pieces, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign in marks and not depth:
            pieces.append("")
        else:
            pieces[-1] += sign
    return pieces


def names_its_subject(selector: str) -> bool:
    """Return whether the element that a rule styles is named by its tag, class, id or attribute, not just by what it is not."""
    subject = split(selector.strip(), " >+~\n")[-1]
    while re.search(r":(?!is\b|where\b)[\w-]+\([^()]*\)", subject):
        subject = re.sub(r":(?!is\b|where\b)[\w-]+\([^()]*\)", "", subject)
    return bool(
        re.search(r"[\w#.\[]", re.sub(r":(is|where)\(", "(", re.sub(r"::?(?!is\b|where\b)[\w-]+", "", subject)))
    )


def looking() -> list[str]:
    return [one for sheet in SHEETS for one in selectors(sheet.read_text(encoding="utf-8")) if ":has(" in one]


def test_a_rule_that_looks_inside_names_what_it_styles():
    """Where it does not, each change of any page makes the browser style all of that page again."""
    assert not [one for one in looking() if not names_its_subject(one)]


@pytest.mark.parametrize(
    ("selector", "named"),
    [
        (".tracker:has(> [data-here]) > :not([data-here], .stays)", False),
        ("li:has(> [open]) > *", False),
        ("li:has(> [open]) > :is(.fighter, .brief)", True),
        (":root:has(.toasts > .toast)", False),
        ("html:has(.toasts > .toast)", True),
        (".page:has(.tracker) > main", True),
        (".page-head:has(~ .tracker)::after", True),
        (".result:not(:has(:checked)) + .then .button", True),
    ],
)
def test_the_subject_of_a_rule_is_found(selector, named):
    assert names_its_subject(selector) is named


def test_there_is_something_to_check():
    assert len(looking()) > 50
