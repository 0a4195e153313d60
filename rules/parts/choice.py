"""A choice that something on a roster asks for: what may be chosen, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.consequences import Consequence


@dataclass(frozen=True, slots=True)
class ChoiceAsked:
    """A choice to make on hiring, buying or founding; stored under `key` in the row's choices.

    `any_time`: it may also be changed between battles. `summaries` says what each option does. `kind`: one of the options, a text of at
    most `most` characters, or a whole number up to `most`. `at_founding` is False for choices that need something on the roster first.
    """

    key: str
    words: str
    options: tuple[tuple[str, str], ...]
    count: int = 1
    optional: bool = False
    any_time: bool = False
    summaries: tuple[tuple[str, str], ...] = ()
    kind: Literal["options", "text", "number"] = "options"
    most: int = 80
    at_founding: bool = True
    usual: str = ""  # what holds while nothing is chosen


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice of a roster as it stands.

    It is stored at `path` in the state of the warband, of the fighter `fighter` or of the piece `item` (keys). `source` names what asks
    for it. `chosen` is empty while the choice is open; `wrong` says what does not fit.
    """

    row: Literal["warband", "fighter", "item"]
    path: tuple[str, ...]
    asked: ChoiceAsked
    source: str
    chosen: tuple[str, ...] = ()
    fighter: str = ""
    item: str = ""
    wrong: str = ""
    follows: tuple[
        tuple[str, tuple[Consequence, ...]], ...
    ] = ()  # what choosing a value does besides, by value ("": taking it back)

    @property
    def open(self) -> bool:
        """Whether it waits for an answer that must be given."""
        return not self.chosen and not self.asked.optional

    @property
    def chosen_words(self) -> tuple[str, ...]:
        names = dict(self.asked.options)
        return tuple(names.get(value, value) for value in self.chosen)
