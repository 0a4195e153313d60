"""The frozen content of Trench Crusade editions under house rules, cached once per process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.content.compiled import Content, compile_content, freeze
from rules.content.house import read_house_rules
from rules.content.load import load_pack, pack_folder
from rules.content.schema import Pack

GAME = "trench-crusade"
EDITIONS = ("1.0", "1.6.3")  # the default comes first; an edition is named after its pack's folder
DOCUMENT_EDITION = "1.6.3"  # the edition of documents and console calls that name none
KEPT = 32

_packs: dict[str, Pack] = {}
_kept: dict[Any, Content] = {}


def content_of(edition: str, overlays: Sequence[str] = (), house_rules: Mapping[str, Any] | None = None) -> Content:
    """Return the content of an edition under these house rules.

    Raises KeyError for an unknown edition or overlay, and Refusal for invalid house rules.
    """
    if edition not in EDITIONS:
        raise KeyError(edition)
    if overlays:
        raise KeyError(overlays[0])
    key = (edition, tuple(overlays), freeze(house_rules or {}))
    found = _kept.get(key)
    if found is None:
        if edition not in _packs:
            _packs[edition] = load_pack(pack_folder(GAME, edition))
        if len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)))
        found = _kept[key] = compile_content(_packs[edition], read_house_rules(house_rules), pack_folder(GAME, edition))
    return found


def samples(content: Content) -> tuple[tuple[str, str, str, str], ...]:
    """Return the ready-made rosters as (id, name, list id, words), official lists before third-party ones."""
    foreign = {army.id for army in content.pack.lists if army.third_party}
    ordered = sorted(content.pack.samples, key=lambda sample: sample.list in foreign)
    return tuple((s.id, s.name, s.list, s.words) for s in ordered)


def sample(content: Content, sample_id: str) -> dict[str, Any]:
    """Return the roster document of a sample. Raises KeyError."""
    name = content.samples[sample_id].document
    if content.folder is None:
        raise KeyError(sample_id)
    file = content.folder / name
    if not file.is_file():
        file = content.folder / "samples" / name
    document: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return document
