"""Every game has every part it says it has, no part grows into another interface of everything, and the page for developers names each."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from rules.game import GameSystem
from rules.registry import systems

ROOT = Path(__file__).resolve().parents[3]
MOST_METHODS = 12
PARTS = {name: hint for name, hint in get_type_hints(GameSystem).items() if name not in ("id", "name")}


def protocol_of(hint: Any) -> type:
    """The protocol of a part, whether or not a game may go without it."""
    hint = next((arg for arg in get_args(hint) if hasattr(arg, "__origin__")), hint)
    return hint.__origin__


def methods_of(protocol: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(protocol, inspect.isfunction) if not name.startswith("_")]


PROTOCOLS = {name: protocol_of(hint) for name, hint in PARTS.items()}


@pytest.mark.parametrize("game", systems(), ids=lambda game: game.id)
def test_a_game_answers_every_method_of_every_part_it_has(game: Any) -> None:
    lacking = [name for name in methods_of(GameSystem) if not callable(getattr(game, name, None))]
    for part, protocol in PROTOCOLS.items():
        held = getattr(game, part)
        assert held is not None or type(None) in get_args(PARTS[part]), part
        lacking += [
            f"{part}.{name}"
            for name in methods_of(protocol)
            if held is not None and not callable(getattr(held, name, None))
        ]
    assert lacking == []


def test_no_part_grows_beyond_what_one_caller_can_hold() -> None:
    sizes = {protocol.__name__: len(methods_of(protocol)) for protocol in (GameSystem, *PROTOCOLS.values())}
    assert {name: size for name, size in sizes.items() if not 2 <= size <= MOST_METHODS} == {}


def test_the_page_for_developers_names_every_part_and_which_may_be_missing() -> None:
    page = (ROOT / "docs" / "developer.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", page, re.MULTILINE))
    assert PARTS.keys() <= rows.keys()
    always = {part for part in PARTS if rows[part] == "every game has it"}
    assert always == {part for part, hint in PARTS.items() if type(None) not in get_args(hint)}


def test_each_part_stands_in_a_module_of_its_name() -> None:
    for part, protocol in PROTOCOLS.items():
        assert getattr(import_module(f"rules.parts.{part}"), protocol.__name__) is protocol
