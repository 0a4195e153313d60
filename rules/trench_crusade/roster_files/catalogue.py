"""The entries of the fan-made game data of edition 1.0 that New Recruit and BattleScribe share: ids, names, links, groups.

`catalogue_1_0.json` holds a node a line: its id, name, kind (upgrade, model, unit, link, group), the node that a link leads to,
and its children. An entry's id in a roster is the way to it: only links lend a segment, and its own id is the last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

UPGRADE, MODEL, UNIT, LINK, GROUP = "u", "m", "n", "l", "g"
TYPES = {UPGRADE: "upgrade", MODEL: "model", UNIT: "unit"}
DEEPEST = 14  # links and groups on one way


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    name: str
    kind: str
    target: int
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CatalogueChoice:
    """An entry that may be selected: the ids by which a roster names it and its group, and the names of its groups."""

    name: str
    kind: str
    entry_id: str
    group_id: str
    groups: tuple[str, ...]
    node: int
    prefix: tuple[str, ...]
    declared: tuple[int, ...]  # children that the last link declares itself

    @property
    def own_id(self) -> str:
        return self.entry_id.rsplit("::", 1)[-1]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One catalogue: what may be selected at the top of its roster, and below each selection."""

    id: str
    name: str
    revision: int
    roots: tuple[int, ...]
    nodes: tuple[Node, ...]

    def top(self) -> list[CatalogueChoice]:
        return [choice for root in self.roots for choice in self._choices(root, (), (), "", 0)]

    def below(self, choice: CatalogueChoice) -> list[CatalogueChoice]:
        """Return everything that may be selected directly below a selection."""
        declared_at = choice.prefix[:-1] if choice.declared else ()
        found = [c for child in choice.declared for c in self._choices(child, declared_at, (), "", 0)]
        for child in self.nodes[choice.node].children:
            found += self._choices(child, choice.prefix, (), "", 0)
        return found

    def _choices(
        self, at: int, prefix: tuple[str, ...], groups: tuple[str, ...], group_id: str, depth: int
    ) -> Iterator[CatalogueChoice]:
        """Yield the entries at a node, through its links and groups."""
        node = self.nodes[at]
        if depth > DEEPEST:
            return
        if node.kind == GROUP:
            named, own = (*groups, node.name), "::".join((*prefix, node.id))
            for child in node.children:
                yield from self._choices(child, prefix, named, own, depth + 1)
        elif node.kind == LINK:
            target = self.nodes[node.target]
            onward = (*prefix, node.id)
            if target.kind == GROUP:
                named, own = (*groups, target.name), "::".join((*onward, target.id))
                for child in target.children:
                    yield from self._choices(child, onward, named, own, depth + 1)
                for child in node.children:
                    yield from self._choices(child, prefix, named, own, depth + 1)
            else:
                yield self._choice(node.target, onward, groups, group_id, node.children)
        else:
            yield self._choice(at, prefix, groups, group_id, ())

    def _choice(
        self, at: int, prefix: tuple[str, ...], groups: tuple[str, ...], group_id: str, declared: tuple[int, ...]
    ) -> CatalogueChoice:
        node = self.nodes[at]
        entry_id = "::".join((*prefix, node.id))
        return CatalogueChoice(node.name, TYPES[node.kind], entry_id, group_id, groups, at, prefix, declared)


@lru_cache(maxsize=1)
def catalogues() -> dict[str, Catalogue]:
    """Return the catalogues by name."""
    with Path(__file__).with_name("catalogue_1_0.json").open(encoding="utf-8") as file:
        data = json.load(file)
    nodes = tuple(Node(id_, name, kind, target, tuple(children)) for id_, name, kind, target, children in data["nodes"])
    return {
        row["name"]: Catalogue(row["id"], row["name"], row["revision"], tuple(row["roots"]), nodes)
        for row in data["catalogues"]
    }
