"""The state of the page that pairs a round. All of it stands in the address, so it can be reloaded and needs no script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from django.http import QueryDict

from campaigns.pairing.model import Weights
from warbands.parsing import read_number

Keys = tuple[int, ...]
MAX_TABLES = 120
WEIGHTS = ("battles", "score", "rating", "recent", "scenario")
ODD = ("bye", "three", "threes")


@dataclass(frozen=True, slots=True)
class PairingState:
    """What was sent: the tables so far (none: a suggestion is asked for), those that stay, and the name tapped first."""

    tables: tuple[Keys, ...] = ()
    locked: tuple[Keys, ...] = ()
    picked: int = 0
    out: frozenset[int] = frozenset()
    taken_in: frozenset[int] = frozenset()
    odd: Literal["bye", "three", "threes"] = "bye"
    weights: Weights = Weights()
    sets_scenarios: bool = False
    round: str = ""  # the number of an open round, "new", or "" for the usual one

    def swapped(self, one: int, other: int) -> PairingState:
        """Return the state after two players change places. Their tables stay from then on."""
        if one == other:
            return replace(self, picked=0)
        change = {one: other, other: one}
        tables = tuple(tuple(change.get(key, key) for key in table) for table in self.tables)
        touched = [table for table in tables if {one, other} & set(table)]
        kept = [table for table in self.locked if not {one, other} & set(table)]
        return replace(self, tables=tables, locked=(*kept, *touched), picked=0)

    def toggled(self, table: Keys) -> PairingState:
        """Return the state with this table locked, or free again."""
        rest = tuple(each for each in self.locked if set(each) != set(table))
        return replace(self, locked=rest if len(rest) < len(self.locked) else (*rest, table))

    def asked_again(self) -> PairingState:
        """Return the state in which everything but the locked tables is suggested afresh."""
        return replace(self, tables=(), picked=0)

    def left_out(self, key: int) -> PairingState:
        locked = tuple(table for table in self.locked if key not in table)
        return replace(self.asked_again(), out=self.out | {key}, taken_in=self.taken_in - {key}, locked=locked)

    def let_in(self, key: int) -> PairingState:
        return replace(self.asked_again(), out=self.out - {key}, taken_in=self.taken_in | {key})

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Return what a form must send to come back to this state, without its visible fields."""
        found = [("table", keys_text(table)) for table in self.tables]
        found += [("lock", keys_text(table)) for table in self.locked]
        found += [("out", str(key)) for key in sorted(self.out)]
        found += [("in", str(key)) for key in sorted(self.taken_in)]
        return [*found, ("picked", str(self.picked))] if self.picked else found


def keys_text(keys: Keys) -> str:
    return "-".join(str(key) for key in keys)


def read_keys(text: str) -> Keys:
    """Return the keys of a table, () for what is no such list."""
    numbers = [read_number(part) for part in text.split("-")[:16]]
    return tuple(number for number in numbers if number) if all(numbers) else ()


def read_state(sent: QueryDict) -> PairingState:
    """Read the state that an address or a form holds; what cannot be read counts as not sent."""

    def tables(name: str) -> tuple[Keys, ...]:
        return tuple(filter(None, (read_keys(text) for text in sent.getlist(name)[:MAX_TABLES])))

    def keys(name: str) -> frozenset[int]:
        return frozenset(number for text in sent.getlist(name)[:MAX_TABLES] if (number := read_number(text)))

    usual = Weights()
    weights = {name: _weight(sent.get(name), getattr(usual, name)) for name in WEIGHTS}
    odd = sent.get("odd", "bye")
    state = PairingState(
        tables=tables("table"),
        locked=tables("lock"),
        picked=read_number(sent.get("picked", "")) or 0,
        out=keys("out"),
        taken_in=keys("in"),
        odd=odd if odd in ODD else "bye",  # type: ignore[arg-type]
        weights=Weights(**weights),
        sets_scenarios="scenarios" in sent,
        round=sent.get("round", "")[:6],
    )
    return _after_press(state, sent)


def _after_press(state: PairingState, sent: QueryDict) -> PairingState:
    """Return the state after the button that was pressed, if any."""
    if "again" in sent:
        return state.asked_again()
    if tapped := read_number(sent.get("tap", "")):
        return state.swapped(state.picked, tapped) if state.picked else replace(state, picked=tapped)
    if table := read_keys(sent.get("toggle", "")):
        return state.toggled(table)
    if key := read_number(sent.get("leave", "")):
        return state.left_out(key)
    if key := read_number(sent.get("add", "")):
        return state.let_in(key)
    return state


def _weight(sent: str | None, usual: int) -> int:
    number = read_number(sent or "")
    return usual if number is None else min(9, number)
