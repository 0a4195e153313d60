"""The frozen content of Trench Crusade editions with overlays under house rules, cached once per process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.content.compiled import Content, compile_content, freeze
from rules.content.house import read_house_rules
from rules.content.load import PackError
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import State, refusal_of, state_of
from rules.translation import gettext as _

GAME = "trench-crusade"
EDITIONS = ("1.0", "1.6.3")  # the default comes first; an edition is named after its pack's folder
DOCUMENT_EDITION = "1.6.3"  # the edition of documents and console calls that name none
KEPT = 32

_kept: dict[Any, Content] = {}


def content_of(
    edition: str,
    overlays: Sequence[str] = (),
    house_rules: Mapping[str, Any] | None = None,
    own: Sequence[Overlay] = (),
) -> Content:
    """Return the content of an edition with these overlays under these house rules. `own` stand in for others of their ids.

    Raises KeyError for an unknown edition or overlay, and Refusal for invalid house rules or overlays that do not fit
    together.
    """
    if edition not in EDITIONS:
        raise KeyError(edition)
    state = _state(edition, overlays, own)
    key = (state, freeze(house_rules or {}))
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)))
        house = read_house_rules(house_rules)
        found = _kept[key] = compile_content(state.pack, house, state.folders, state.tokens)
    return found


def _state(edition: str, overlays: Sequence[str], own: Sequence[Overlay]) -> State:
    try:
        return state_of(GAME, edition, overlays, own)
    except PackError as error:
        raise refusal_of(error) from error


def held_words(edition: str, overlay: str) -> str:
    """Return the sentence about an overlay that the edition holds."""
    return _("“{id}” is part of edition {edition}: naming it changes nothing.").format(id=overlay, edition=edition)


def samples(content: Content) -> tuple[tuple[str, str, str, str], ...]:
    """Return the ready-made rosters as (id, name, list id, words), official lists before third-party ones."""
    foreign = {army.id for army in content.pack.lists if army.third_party}
    ordered = sorted(content.pack.samples, key=lambda sample: sample.list in foreign)
    return tuple((s.id, s.name, s.list, s.words) for s in ordered)


def sample(content: Content, sample_id: str) -> dict[str, Any]:
    """Return the roster document of a sample. Raises KeyError."""
    name = content.samples[sample_id].document
    places = [folder / part for folder in content.folders for part in (name, f"samples/{name}")]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise KeyError(sample_id)
    document: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return {**document, "overlays": list(content.overlays)} if content.overlays else document
