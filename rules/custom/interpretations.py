"""How a game is read where its text leaves a question open: each question a setting of the campaign, with a default and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question. `options` are (what is stored, words); `default` is one of them; `source` names the place in the books."""

    key: str
    default: str
    options: tuple[tuple[str, str], ...]
    words: str
    source: str

    def holds(self, option: str) -> bool:
        """Whether this is one of the options."""
        return any(option == known for known, _ in self.options)


class HasReadings(Protocol):
    """Content that knows what was chosen, by the key of the reading; what is absent stands at its default."""

    @property
    def readings(self) -> Mapping[str, str]: ...


def choice(content: HasReadings, key: str, known: tuple[Reading, ...] = ()) -> str:
    """What is chosen for a reading; its default where nothing is chosen, or nothing that is an option. Raises KeyError for an unknown key."""
    chosen = content.readings.get(key)
    reading = next((reading for reading in known if reading.key == key), None)
    if reading is None:
        return content.readings[key]
    return chosen if chosen is not None and reading.holds(chosen) else reading.default
