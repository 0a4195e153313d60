"""Text for Discord: names that cannot format, mention or link anything there, and messages within its limit."""

from __future__ import annotations

import re

LIMIT = 2000  # UTF-16 units in one message
_FORMATS = re.compile(r"([\\*_~`|<>\[\]#])")
_AT_START = re.compile(r"^(\s*)([-+]|\d+(?=[.)]\s))", re.MULTILINE)
_EMOJI = re.compile(r":(?=\w+:)")
_LINK = re.compile(r"(?i)\b(https?|discord|ftp)(://)")


def escaped(text: str) -> str:
    """Return a name or a sentence as Discord shows it letter by letter: no formatting, mentions, emoji, lists or links."""
    text = _FORMATS.sub(r"\\\1", text)
    text = _AT_START.sub(lambda found: f"{found[1]}{_kept(found[2])}", text)
    text = _EMOJI.sub(r"\\:", text)
    text = _LINK.sub("\\1:\u200b//", text)
    return text.replace("@", "@\u200b")  # the invisible space keeps @everyone from being one


def _kept(start: str) -> str:
    return f"{start}\u200b" if start.isdigit() else f"\\{start}"


def bold(text: str) -> str:
    return f"**{escaped(text)}**"


def length(text: str) -> int:
    """Return the length of a text as Discord counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def split(text: str, limit: int = LIMIT) -> list[str]:
    """Return a text as messages within the limit: cut between paragraphs, else between lines, words, or letters."""
    parts: list[str] = []
    rest = text.strip()
    while length(rest) > limit:
        cut = _cut(rest, limit)
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*parts, rest] if rest else parts


def _cut(text: str, limit: int) -> int:
    """Return after how many letters a text is cut. Nothing that is bold or escaped is torn apart if a line fits."""
    most = _fitting(text, limit)
    for between in ("\n\n", "\n", " "):
        found = text.rfind(between, 1, most + 1)
        if found > most // 4:
            return found
    while most > 1 and (len(text[:most]) - len(text[:most].rstrip("\\"))) % 2:  # never between \ and what it escapes
        most -= 1
    return most


def _fitting(text: str, limit: int) -> int:
    """Return how many letters at the start of a text are within the limit."""
    units = 0
    for place, letter in enumerate(text):
        units += 2 if ord(letter) > 0xFFFF else 1
        if units > limit:
            return place
    return len(text)
