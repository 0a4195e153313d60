"""Checks overlays before anybody plays with them: each alone, beside those it names, and all that may be taken together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from rules.content.check import check_pack
from rules.content.load import PackError
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import TAKEN_AWAY, overlays_of, state_of, unknown_of
from rules.translation import gettext as _


def check_overlay(game: str, edition: str, overlay: Overlay, others: Iterable[Overlay] = ()) -> tuple[str, ...]:
    """Return everything wrong with an overlay on this edition: alone, and beside each overlay that it names.

    `others`: overlays that no folder holds, and that it may name.
    """
    more = {each.id: each for each in others}
    if unknown := unknown_of(overlay, {**more, **overlays_of(game, edition)}):
        return tuple(str(fault) for fault in unknown)
    if overlay.head.in_base:
        if not any(change.apply for change in overlay.changes):
            return ()
        return _faults_of(game, edition, (TAKEN_AWAY + overlay.id,), (overlay,))
    beside = {*(c.only_with for c in overlay.changes), *(w.only_with for w in overlay.withdrawn)} - {()}
    own = (overlay, *more.values())
    found = list(_faults_of(game, edition, (overlay.id,), own))
    for ids in sorted(beside):
        found += _faults_of(game, edition, (overlay.id, *ids), own)
    return tuple(dict.fromkeys(found))


def check_together(game: str, edition: str, overlay: Overlay | None = None) -> tuple[str, ...]:
    """Return why two overlays of this edition do not fit together, and what is wrong where all are taken.

    `overlay`: only pairs with this one.
    """
    known = {**overlays_of(game, edition), **({overlay.id: overlay} if overlay else {})}
    own = (overlay,) if overlay else ()
    free = [o for o in known.values() if not o.head.in_base]
    found: list[str] = []
    for one, other in combinations(free, 2):
        if overlay and overlay.id not in (one.id, other.id):
            continue
        if one.id in other.head.replaces or other.id in one.head.replaces:
            continue
        found += _faults_of(game, edition, (one.id, other.id), own, whole=False)
    replaced = {other for o in free for other in o.head.replaces}
    found += _faults_of(game, edition, tuple(o.id for o in free if o.id not in replaced), own)
    return tuple(dict.fromkeys(found))


def check_all(game: str, edition: str) -> tuple[str, ...]:
    """Return everything wrong with the overlays of an edition."""
    known = overlays_of(game, edition)
    alone: Iterable[str] = (fault for overlay in known.values() for fault in check_overlay(game, edition, overlay))
    return tuple(dict.fromkeys((*alone, *(check_together(game, edition) if len(known) > 1 else ()))))


def _faults_of(
    game: str, edition: str, tokens: tuple[str, ...], own: tuple[Overlay, ...], whole: bool = True
) -> tuple[str, ...]:
    try:
        state = state_of(game, edition, tokens, own)
    except PackError as error:
        return tuple(str(fault) for fault in error.faults)
    except KeyError as error:
        return (_("{overlay} names the overlay {error}, which is not there").format(overlay=tokens[0], error=error),)
    return tuple(f"{tokens[0]}: {fault}" for fault in check_pack(state.pack, *state.folders)) if whole else ()
