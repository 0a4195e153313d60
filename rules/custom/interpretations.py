"""Interpretations of rules that leave a question open. Each is a campaign setting with a default and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question of the rules.

    `options` are (value, label). `default` is one of the values. `source` names the page of the book.
    """

    key: str
    default: str
    options: tuple[tuple[str, str], ...]
    words: str
    source: str

    def holds(self, option: str) -> bool:
        return any(option == known for known, _ in self.options)


class HasReadings(Protocol):
    """Content with the chosen readings by key. A missing key means the default."""

    @property
    def readings(self) -> Mapping[str, str]: ...


def choice(content: HasReadings, key: str, known: tuple[Reading, ...] = ()) -> str:
    """Return the chosen option of a reading, or its default if the choice is not an option.

    Raises KeyError for an unknown key.
    """
    chosen = content.readings.get(key)
    reading = next((reading for reading in known if reading.key == key), None)
    if reading is None:
        return content.readings[key]
    return chosen if chosen is not None and reading.holds(chosen) else reading.default
