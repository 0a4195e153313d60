"""A choice that an entry on a roster asks for: its options, and its current state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.consequences import Consequence


@dataclass(frozen=True, slots=True)
class ChoiceAsked:
    """A choice to make on hiring, buying or founding; stored under `key` in the row's choices.

    `any_time`: it may also be changed between battles. `summaries` says what each option does. `kind`: one of the
    options, a text of at most `most` characters, or a whole number up to `most`. `at_founding` is False for choices
    that need something on the roster first.
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
    usual: str = ""  # the value that applies while nothing is chosen


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice of a roster in its current state.

    It is stored at `path` in the state of the warband, of the fighter `fighter` or of the item `item` (keys). `source`
    names the entry that asks for it. `chosen` is empty while the choice is open; `wrong` says what does not fit.
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
    ] = ()  # further consequences of choosing a value, by value ("": removing the choice)

    @property
    def open(self) -> bool:
        """Return whether the choice still needs an answer."""
        return not self.chosen and not self.asked.optional

    @property
    def chosen_words(self) -> tuple[str, ...]:
        names = dict(self.asked.options)
        return tuple(names.get(value, value) for value in self.chosen)
