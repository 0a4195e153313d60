"""One rule of a game's table: a name, a typed input, a resolver, and how it is described to whoever calls it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.table.odds import Odds
from rules.table.roller import Resolved, Roller

_PLACED = re.compile(r"(.*) - at `(\$[^`]*)`", re.DOTALL)  # how msgspec ends a message: where it stands in the input
_STRANGE = "Invalid enum value "
MOST_WORDS = 160


@dataclass(frozen=True, slots=True)
class TableRule:
    """One rule. `resolve(content, data, roller)`; `dice` says in which order dice are asked for; `outcomes` stand worst first."""

    name: str
    words: str
    data: type
    resolve: Callable[[Any, Any, Roller], Resolved]
    dice: str
    source: str
    outcomes: tuple[str, ...] = ()
    odds: Callable[[Any, Any], Odds] | None = None

    def read(self, given: Mapping[str, Any] | bytes) -> Any:
        """The input, typed. Raises Refusal naming the field."""
        try:
            if isinstance(given, bytes):
                return msgspec.json.decode(given, type=self.data)
            return msgspec.convert(given, self.data)
        except msgspec.ValidationError as error:
            placed = _PLACED.fullmatch(str(error))
            words, at = (placed[1], placed[2]) if placed else (str(error), "$")
            if words.startswith(_STRANGE):
                words = f"{words.removeprefix(_STRANGE)[:60]} is none of the words that may stand here"
            raise Refusal(f"{words[:MOST_WORDS]} (at {at}).", code="input") from None
        except msgspec.DecodeError as error:
            raise Refusal(f"This is no JSON: {error}.", code="input") from None

    def told(self) -> dict[str, Any]:
        """The rule as `--list` prints it, its input as JSON Schema."""
        return {
            "rule": self.name,
            "words": self.words,
            "dice": self.dice,
            "outcomes": list(self.outcomes),
            "source": self.source,
            "input": msgspec.json.schema(self.data),
        }
