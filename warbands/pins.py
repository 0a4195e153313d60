"""What terms pinned: which version of each overlay they were made with, and whether this server still has it.

An overlay is pinned by id, version and digest, and a copy of its files is kept. Where the files on this server changed
later, they are applied and the terms say so until somebody looks at the difference and takes it. Where an overlay is
gone, its copy is applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import overlays_of
from rules.registry import systems
from warbands.models import OverlayCopy, Terms

Pins = dict[str, dict[str, Any]]
MOST_READ = 32
_copies: dict[tuple[str, str, str, str], Overlay] = {}


@dataclass(frozen=True, slots=True)
class PinChange:
    """An overlay that is not as it was pinned. `now` is 0 if this server has it no longer."""

    id: str
    title: str
    was: int
    now: int


def pins_of(system_id: str, edition: str, overlays: Iterable[str]) -> Pins:
    """Return the versions of overlays as this server has them now, and keep copies. One query, more for a new version."""
    known, ids = _known(system_id, edition), tuple(overlays)
    taken = [known[id_] for id_ in ids if id_ in known]
    if taken:
        keep_copies(system_id, edition, taken)
    pins: Pins = {
        overlay.id: {"version": overlay.head.version, "digest": overlay.digest, "title": overlay.head.title}
        for overlay in taken
    }
    if handed_in := [id_ for id_ in ids if id_ not in known]:
        mine = OverlayCopy.objects.filter(system=system_id, edition=edition, handed_in=True, overlay__in=handed_in)
        for row in mine:
            pins[row.overlay] = {
                "version": row.version,
                "digest": row.digest,
                "title": row.title,
                "handed_in": True,
            }
    return pins


def keep_copies(system_id: str, edition: str, overlays: Iterable[Overlay]) -> None:
    """Keep the files of these overlays, unless they are kept already. One query, one more if some are not."""
    mine = OverlayCopy.objects.filter(system=system_id, edition=edition)
    kept = set(mine.values_list("overlay", "digest"))
    OverlayCopy.objects.bulk_create(
        [
            OverlayCopy(
                system=system_id,
                edition=edition,
                overlay=overlay.id,
                version=overlay.head.version,
                digest=overlay.digest,
                title=overlay.head.title[:200],
                files=[list(file) for file in overlay.texts],
            )
            for overlay in overlays
            if (overlay.id, overlay.digest) not in kept
        ],
        ignore_conflicts=True,
    )


def keep_all() -> int:
    """Keep every overlay of this server, and pin terms that know no versions yet. Return how many terms were pinned."""
    for game in systems():
        for edition in game.editions() if game.states is not None else ():
            keep_copies(game.id, edition, _known(game.id, edition).values())
    count = 0
    for terms in Terms.objects.exclude(overlays=[]).filter(pins={}):
        count += Terms.objects.filter(pk=terms.pk, pins={}).update(
            pins=pins_of(terms.system, terms.edition, terms.overlays)
        )
    return count


def pin_changes(terms: Terms) -> tuple[PinChange, ...]:
    """Return the overlays of these terms that are not as they were pinned, or gone. No queries."""
    known = _known(terms.system, terms.edition) if terms.overlays else {}
    found = []
    for id_ in terms.overlays:
        pin, overlay = terms.pins.get(id_) or {}, known.get(id_)
        was = int(pin.get("version") or 0)
        if overlay is None and pin.get("handed_in"):
            continue  # it lies in no folder, and its copy never changes
        if overlay is None:
            found.append(PinChange(id_, str(pin.get("title") or id_), was, 0))
        elif pin and pin.get("digest") != overlay.digest:
            found.append(PinChange(id_, overlay.head.title, was, overlay.head.version))
    return tuple(found)


def pinned_copies(terms: Terms) -> tuple[Overlay, ...]:
    """Return the overlays that changed since these terms pinned them, as they were. A query for each, the first time."""
    found = []
    for each in pin_changes(terms):
        if each.now and (copy := _copy_of(terms.system, terms.edition, each.id, terms.pins[each.id]["digest"])):
            found.append(copy)
    return tuple(found)


def _copy_of(system_id: str, edition: str, overlay: str, digest: str) -> Overlay | None:
    """Return one version of an overlay. One query the first time."""
    key = (system_id, edition, overlay, digest)
    if key not in _copies:
        rows = OverlayCopy.objects.filter(system=system_id, edition=edition, overlay=overlay, digest=digest)
        row = rows.first()
        if row is None or (found := row.read()) is None:
            return None
        if len(_copies) >= MOST_READ:
            del _copies[next(iter(_copies))]
        _copies[key] = found
    return _copies[key]


def _known(system_id: str, edition: str) -> Mapping[str, Overlay]:
    try:
        return overlays_of(system_id, edition)
    except KeyError:
        return {}
