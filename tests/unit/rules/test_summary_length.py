"""A rule's summary is short: it stands where somebody decides, on a phone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKS = Path(__file__).resolve().parents[3] / "rules" / "content" / "packs"
MOST_WORDS = 25  # in one sentence
LONG_ONES = 115  # summaries of several sentences with more words together: it may sink, and must not rise
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def summaries(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield every summary of a pack with its place."""
    if isinstance(value, dict):
        here = f"{where} {value.get('id', '')}".strip()
        for key, held in value.items():
            if key == "summary" and isinstance(held, str):
                yield here, held
            else:
                yield from summaries(held, here)
    elif isinstance(value, list):
        for held in value:
            yield from summaries(held, where)


FOUND = [
    (f"{path.relative_to(PACKS)}: {where}", words)
    for path in sorted(PACKS.rglob("*.toml"))
    for where, words in summaries(tomllib.loads(path.read_text(encoding="utf-8")))
]


def test_there_is_something_to_check() -> None:
    assert len(FOUND) > 1500


def test_no_sentence_of_a_summary_is_long() -> None:
    long = [
        f"{where}: {sentence}"
        for where, words in FOUND
        for sentence in SENTENCE_END.split(words)
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not long, "\n".join(long)


def test_few_summaries_need_more_than_one_sentence_s_worth_of_words() -> None:
    long = [where for where, words in FOUND if len(words.split()) > MOST_WORDS]
    assert len(long) <= LONG_ONES, "\n".join(long)
