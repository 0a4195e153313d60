"""A rule's summary is short: it stands where somebody decides, on a phone. What it leaves out stands in `details`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKS = Path(__file__).resolve().parents[3] / "rules" / "content" / "packs"
MOST_WORDS = 25
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def texts(value: Any, key: str, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a pack under this key, with its place."""
    if isinstance(value, dict):
        here = f"{where} {value.get('id', '')}".strip()
        for name, held in value.items():
            if name == key and isinstance(held, str):
                yield here, held
            else:
                yield from texts(held, key, here)
    elif isinstance(value, list):
        for held in value:
            yield from texts(held, key, where)


PARSED = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(PACKS.rglob("*.toml"))}


def found(key: str) -> list[tuple[str, str]]:
    """Return the texts of all packs under a key, each with its place."""
    return [
        (f"{path.relative_to(PACKS)}: {where}", words)
        for path, pack in PARSED.items()
        for where, words in texts(pack, key)
    ]


SUMMARIES, DETAILS = found("summary"), found("details")


def test_there_is_something_to_check() -> None:
    assert len(SUMMARIES) > 1500
    assert len(DETAILS) > 100


def test_no_sentence_of_a_rule_is_long() -> None:
    long = [
        f"{where}: {sentence}"
        for where, words in (*SUMMARIES, *DETAILS)
        for sentence in SENTENCE_END.split(words)
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not long, "\n".join(long)


def test_no_summary_is_long() -> None:
    long = [where for where, words in SUMMARIES if len(words.split()) > MOST_WORDS]
    assert not long, "\n".join(long)


def test_details_go_on_from_a_summary() -> None:
    whole = {where for where, words in SUMMARIES if words}
    assert [where for where, _ in DETAILS if where not in whole] == []
