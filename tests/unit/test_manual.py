"""The manual names buttons, links and headings in bold exactly as they stand on the screen."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rules import registry
from tests import messages, shown

PAGES = ("README.md", "docs/player.md", "docs/administrator.md", "docs/without-network.md")


@cache
def on_screen() -> frozenset[str]:
    """Every text that a page may show: of templates and of modules, and names of games."""
    found = set(messages.messages("django")) | set(messages.messages("rules"))
    for path in shown.template_files():
        found |= {text.words for text in shown.template_sentences(path)}
    for path in shown.python_files():
        found |= {text.words for text in shown.python_sentences(path)} | shown.words_alone(path)
    return frozenset(found) | {game.name for game in registry.systems()}


def named(page: str) -> list[str]:
    """What stands in bold on a page of the manual: not what begins a paragraph and ends in a point or colon, which is a heading."""
    text = (shown.ROOT / page).read_text(encoding="utf-8")
    return [name for name in re.findall(r"\*\*([^*\n]+)\*\*(?!:)", text) if name[-1] not in ".:"]


@pytest.mark.parametrize("page", PAGES)
def test_every_name_in_bold_stands_on_a_page(page: str) -> None:
    names = [name for name in named(page) if not re.search(rf"^\*\*{re.escape(name)}", _paragraphs(page), re.MULTILINE)]
    assert len(names) >= 3
    assert [name for name in names if name not in on_screen()] == []


def _paragraphs(page: str) -> str:
    return (shown.ROOT / page).read_text(encoding="utf-8")
