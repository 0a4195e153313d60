"""The developers' page leads to files that exist, and its recipes name what the tests ask for."""

from __future__ import annotations

import re

from tests.unit.test_settings import ROOT

PAGE = (ROOT / "docs" / "developer.md").read_text(encoding="utf-8")
PLACES = sorted(
    set(re.findall(r"`((?:rules|warbands|campaigns|config|accounts|templates|static|tests|docs)/[\w./]*)`", PAGE))
)
NAMES = re.findall(r"^\d\. `([\w/]+\.py)`, `(\w+)`", PAGE, re.MULTILINE)


def test_there_is_something_to_check() -> None:
    assert len(PLACES) > 50
    assert len(NAMES) >= 5


def test_every_place_on_the_page_exists() -> None:
    assert [place for place in PLACES if not (ROOT / place).exists()] == []


def test_every_function_on_the_page_stands_in_its_file() -> None:
    missing = [
        (place, name)
        for place, name in NAMES
        if not re.search(rf"^(?:def|class) {name}\b", (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_every_command_of_make_on_the_page_is_one() -> None:
    rules = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([\w-]+)`", PAGE)) <= rules
