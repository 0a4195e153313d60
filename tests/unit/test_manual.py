"""The manual names buttons, links and headings in bold exactly as they stand on the screen."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rules import registry
from tests import messages, shown

pytestmark = pytest.mark.slow

PAGES = ("README.md", "docs/player.md", "docs/administrator.md", "docs/without-network.md")


@cache
def on_screen() -> frozenset[str]:
    """Every text that a page may show: of templates and of modules, and names of games."""
    found = set(messages.messages("django")) | set(messages.messages("rules"))
    for path in shown.template_files():
        found |= {text.words for text in shown.template_sentences(path)}
    for of_module in shown.module_texts().values():
        found |= {text.words for text in of_module.sentences} | of_module.alone
    return frozenset(found) | {game.name for game in registry.systems()}


def stands_on_screen(name: str) -> bool:
    """Whether a page may show this text, as it is or with a value filled in."""
    return name in on_screen() or any(pattern.fullmatch(name) for pattern in with_values())


@cache
def with_values() -> tuple[re.Pattern[str], ...]:
    """The texts of buttons into which a value is put, such as "Create {called}": at least one whole word of them is fixed."""
    values = re.compile(r"%\(\w+\)s|\{\w*\}")
    short = [
        text
        for text in on_screen()
        if values.search(text) and len(text.split()) <= 4 and re.match(r"[A-Z]\w{2,} ", text)
    ]
    return tuple(re.compile(r"[\w ]+".join(re.escape(part) for part in values.split(text))) for text in short)


def named(page: str) -> list[str]:
    """What stands in bold on a page of the manual, but for what begins a paragraph and ends in a point or colon: a heading."""
    text = (shown.ROOT / page).read_text(encoding="utf-8")
    return [name for name in re.findall(r"\*\*([^*\n]+)\*\*(?!:)", text) if name[-1] not in ".:"]


@pytest.mark.parametrize("page", PAGES)
def test_every_name_in_bold_stands_on_a_page(page: str) -> None:
    text = (shown.ROOT / page).read_text(encoding="utf-8")
    opening = set(re.findall(r"^\*\*([^*\n]+)\*\*", text, re.MULTILINE))
    names = [name for name in named(page) if name not in opening]
    assert len(names) >= 3
    assert [name for name in names if not stands_on_screen(name)] == []
