"""One rule of a game's table: a name, a typed input, a resolver, and a description for callers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput, input_type, normalised
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _

_PLACED = re.compile(r"(.*) - at `(\$[^`]*)`", re.DOTALL)  # how msgspec ends a message: the place in the input
MOST_WORDS = 160


@dataclass(frozen=True, slots=True)
class TableRule:
    """One rule.

    `resolve(content, data, roller)`. `dice` gives the order in which dice are asked for. `outcomes` begin with the
    worst.
    """

    name: str
    words: str
    data: type[RuleInput]
    resolve: Callable[[Any, Any, Roller], Resolved]
    dice: str
    source: str
    outcomes: tuple[str, ...] = ()
    odds: Callable[[Any, Any], Odds] | None = None

    def read(self, given: Mapping[str, Any]) -> Any:
        """The input, typed. Raises Refusal naming the field and what is allowed there."""
        try:
            return msgspec.convert(normalised(input_type(self.data), given), self.data)
        except msgspec.ValidationError as error:
            placed = _PLACED.fullmatch(str(error))
            message, at = (placed[1], placed[2]) if placed else (str(error), "$")
            raise Refusal(_("{message} (at {at}).").format(message=message[:MOST_WORDS], at=at), code="input") from None

    def told(self) -> dict[str, Any]:
        """The rule as the console prints it, with its input as a JSON Schema that stands alone."""
        schema = _in_one_piece(msgspec.json.schema(self.data))
        fields = schema["properties"]
        fields |= {name: fields.get(field, {"type": "object"}) for name, field in self.data.also_called.items()}
        return {
            "rule": self.name,
            "words": self.words,
            "dice": self.dice,
            "outcomes": list(self.outcomes),
            "source": self.source,
            "input": schema,
        }


def listed_rules(rules: Iterable[TableRule]) -> dict[str, Any]:
    """Return all rules of a game as one document, whose `$defs` hold once what several inputs refer to.

    The references in the inputs are JSON pointers into that document. `told` gives one rule by itself.
    """
    told = [rule.told() for rule in rules]
    shared: dict[str, Any] = {}
    for each in told:
        for name, schema in each["input"].pop("$defs", {}).items():
            if shared.setdefault(name, schema) != schema:
                raise ValueError(f"Two inputs of {each['rule']} and another rule are both called {name}.")
    return {"rules": told, "$defs": dict(sorted(shared.items()))}


def _in_one_piece(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with its root in place of a reference to it, and with every description as one line."""
    kept: dict[str, Any] = {name: _in_line(each) for name, each in schema.get("$defs", {}).items()}
    name = str(schema["$ref"]).rpartition("/")[2]
    root: dict[str, Any] = kept[name]
    if f'"#/$defs/{name}"' not in json.dumps(kept):
        del kept[name]
    return {**root, "$defs": kept} if kept else root


def _in_line(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            name: " ".join(each.split()) if name == "description" and isinstance(each, str) else _in_line(each)
            for name, each in schema.items()
        }
    return [_in_line(each) for each in schema] if isinstance(schema, list) else schema
