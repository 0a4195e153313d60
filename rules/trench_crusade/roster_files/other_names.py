"""What other programs call the entries of the books: ids of their data, and names that a variant gives."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Names by id or by another name, each in a table of `other_names.toml`.

    `models` and `groups`: ids of the data that New Recruit and BattleScribe share. `renamed`: names in lower case.
    `companion`: ids of Trench Companion whose words are not their entry's name. `ranks`: upgrades that are a rank with a choice below. `shapes`: for a kind of fighter,
    the kind and the choice that make it; `turned`: the other way round. `likely`: another thing here that does the same. `raised`: the revision of each catalogue from which on it
    is of edition 1.0. `old_spellings`: what Trench Companion misspelt in the playtest's days. `older`, `newer`: names in the
    game data that went with the playtest rules, and that came with 1.0.
    """

    models: Mapping[str, str]
    renamed: Mapping[str, str]
    groups: Mapping[str, str]
    companion: Mapping[str, str]
    ranks: Mapping[str, str]
    shapes: Mapping[str, str]
    turned: Mapping[str, str]
    spellings: Mapping[str, str]
    likely: Mapping[str, str]
    part_of: Mapping[str, list[str]]
    packages: Mapping[str, list[str]]
    enemies: Mapping[str, str]
    raised: Mapping[str, int]
    old_spellings: tuple[str, ...]
    older: tuple[str, ...]
    newer: tuple[str, ...]


@lru_cache(maxsize=1)
def other_names() -> OtherNames:
    with Path(__file__).with_name("other_names.toml").open("rb") as file:
        return OtherNames(**tomllib.load(file))
