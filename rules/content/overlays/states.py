"""The overlays there are, and the states of an edition: its pack with none, one or several of them laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.content.check import check_pack
from rules.content.load import PackError, PackFault, load_pack, pack_folder
from rules.content.overlays.apply import Step, laid
from rules.content.overlays.read import read_overlay
from rules.content.overlays.schema import Overlay
from rules.content.schema import Pack
from rules.problems import Refusal
from rules.translation import gettext as _

FOLDER = "overlays"
MOST_STATES = 64
TAKEN_AWAY = "-"  # before an overlay's id: the state before it


@dataclass(frozen=True, eq=False)
class State:
    """An edition with overlays. `folders`: where ready warbands lie, the pack's own first."""

    pack: Pack
    taken: tuple[Overlay, ...]
    folders: tuple[Path, ...]
    tokens: tuple[str, ...]


_packs: dict[tuple[str, str], Pack] = {}
_overlays: dict[tuple[str, str], Mapping[str, Overlay]] = {}
_states: dict[tuple[str, str, tuple[str, ...]], State] = {}
_more: list[Path] = []
_own: dict[tuple[str, str], dict[str, Overlay]] = {}
_found: dict[tuple[str, str, str], Overlay] = {}
_house: set[tuple[str, str, str]] = set()
_skipped: dict[tuple[str, str], tuple[PackFault, ...]] = {}


def look_also_in(folder: Path) -> None:
    """Read overlays from this folder too. It is laid out as the packs are: GAME/EDITION/ID, a folder or a file.

    One that does not fit is left out, and `skipped` says why.
    """
    if folder not in _more:
        _more.append(folder)
        forget()


def take_in(game: str, edition: str, overlay: Overlay) -> None:
    """Add an overlay that lies in no folder, for this process."""
    _own.setdefault((game, edition), {})[overlay.id] = overlay
    forget()


def remember(game: str, edition: str, overlay: Overlay, house: bool = False) -> None:
    """Know an overlay that is kept elsewhere and lies in no folder. One in a folder goes before it.

    `house`: it never lay in a folder, and may be taken like any other. Else it is there only for those who took it.
    """
    _found[game, edition, overlay.id] = overlay
    if house:
        _house.add((game, edition, overlay.id))


def may_be_taken(game: str, edition: str, id_: str) -> Overlay | None:
    """Return an overlay that may be taken now; None if there is none. Raises KeyError, PackError."""
    found = overlays_of(game, edition).get(id_)
    return found or (_found.get((game, edition, id_)) if (game, edition, id_) in _house else None)


def at_hand(game: str, edition: str, id_: str) -> Overlay | None:
    """Return an overlay from a folder, or as it is remembered; None if there is none. Raises KeyError, PackError."""
    return overlays_of(game, edition).get(id_) or _found.get((game, edition, id_))


def skipped(game: str, edition: str) -> tuple[PackFault, ...]:
    """Return the faults of the overlays in other folders that were left out."""
    overlays_of(game, edition)
    return _skipped.get((game, edition), ())


def forget() -> None:
    """Forget what was read, so that files are read anew."""
    _packs.clear()
    _overlays.clear()
    _skipped.clear()
    _states.clear()
    _found.clear()
    _house.clear()


def base_pack(game: str, edition: str) -> Pack:
    """Return the pack of an edition as released. Raises KeyError, PackError."""
    key = (game, edition)
    if key not in _packs:
        _packs[key] = load_pack(pack_folder(game, edition))
    return _packs[key]


def overlays_of(game: str, edition: str) -> Mapping[str, Overlay]:
    """Return the overlays of an edition by id, in the order in which they are laid. Raises KeyError, PackError."""
    key = (game, edition)
    if key not in _overlays:
        folder = pack_folder(game, edition)
        found, faults = _read_all([folder / FOLDER], {})
        if faults:
            raise PackError(faults)
        found = {**found, **_own.get(key, {})}
        known = {overlay.id: overlay for overlay in in_order(found.values())}
        more, left_out = _read_all([each / folder.parent.name / folder.name for each in _more], known)
        waiting, faults = list(more.values()), []
        while waiting:  # one may name another of these folders
            faults, left = [], []
            for overlay in waiting:
                if wrong := _does_not_fit(game, edition, known, overlay):
                    faults += wrong
                    left.append(overlay)
                else:
                    known = {each.id: each for each in in_order((*known.values(), overlay))}
            if len(left) == len(waiting):
                break
            waiting = left
        left_out += faults
        _overlays[key], _skipped[key] = known, tuple(left_out)
    return _overlays[key]


def _read_all(places: Iterable[Path], known: Mapping[str, Overlay]) -> tuple[dict[str, Overlay], list[PackFault]]:
    """Read the overlays in these folders; return them by id, and every fault."""
    found: dict[str, Overlay] = {}
    faults: list[PackFault] = []
    for place in (entry for where in places for entry in entries_in(where)):
        try:
            overlay = read_overlay(place)
        except PackError as error:
            faults += error.faults
            continue
        if overlay.id != (place.name if place.is_dir() else place.stem):
            faults.append(PackFault(overlay.file, overlay.id, "$.overlay.id", _("is not the name of its file")))
        elif overlay.id in found or overlay.id in known:
            faults.append(PackFault(overlay.file, overlay.id, "$.overlay.id", _("there is one of this id already")))
        else:
            found[overlay.id] = overlay
    return found, faults


def unknown_of(overlay: Overlay, known: Mapping[str, Overlay]) -> list[PackFault]:
    """Return a fault for each overlay that this one names and that is not there, and one where its id is taken."""
    fields = {
        "after": overlay.head.after,
        "replaces": overlay.head.replaces,
        "only_with": [
            *(id_ for change in overlay.changes for id_ in change.only_with),
            *(id_ for row in overlay.withdrawn for id_ in row.only_with),
        ],
    }
    faults = [
        PackFault(
            overlay.file, overlay.id, f"$.overlay.{field}" if field != "only_with" else "$.changes.only_with",
            _("names itself") if id_ == overlay.id else _("no overlay is called {id}").format(id=id_),
        )
        for field, ids in fields.items()
        for id_ in ids
        if id_ == overlay.id or id_ not in known
    ]  # fmt: skip
    if overlay.id in known and known[overlay.id].digest != overlay.digest:
        faults.append(PackFault(overlay.file, overlay.id, "$.overlay.id", _("there is one of this id already")))
    return faults


def _does_not_fit(game: str, edition: str, known: Mapping[str, Overlay], overlay: Overlay) -> list[PackFault]:
    """Return what is wrong with an overlay from another folder, beside the ones that are known."""
    if unknown := unknown_of(overlay, known):
        return unknown
    try:
        in_order((*known.values(), overlay))
        state = laid(base_pack(game, edition), [Step(overlay, back=overlay.head.in_base)], (), known.values())
        if overlay.head.status == "official" and not overlay.head.in_base:
            _beside_the_official(game, edition, known, overlay)
    except PackError as error:
        return list(error.faults)
    before = set(check_pack(base_pack(game, edition)))
    return [PackFault(overlay.file, "", "", fault) for fault in check_pack(state) if fault not in before]


def _beside_the_official(game: str, edition: str, known: Mapping[str, Overlay], overlay: Overlay) -> None:
    """Lay an official overlay beside the others in force, since new campaigns take them all. Raises PackError."""
    taken = in_order((*_official(known.values(), overlay), overlay))
    pairs = [(earlier, o.id) for o in taken for earlier in _before(o)]
    laid(base_pack(game, edition), [Step(o) for o in taken], pairs)


def _official(known: Iterable[Overlay], beside: Overlay) -> list[Overlay]:
    """Return the official overlays that are taken beside this one."""
    official = [o for o in known if o.head.status == "official" and not o.head.in_base]
    replaced = {other for o in (*official, beside) for other in o.head.replaces}
    return [o for o in official if o.id not in replaced]


def entries_in(folder: Path) -> list[Path]:
    """Return the overlays in a folder: folders with TOML files, and single TOML files."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if p.suffix == ".toml" or (p.is_dir() and any(p.glob("*.toml"))))


def in_order(overlays: Iterable[Overlay]) -> tuple[Overlay, ...]:
    """Return overlays in the order in which they are laid: by stated order, then by date and id.

    Raises PackError if the stated order goes in a circle.
    """
    left = sorted(overlays, key=lambda overlay: (overlay.head.date, overlay.id))
    done: list[Overlay] = []
    while left:
        waiting = {overlay.id for overlay in left}
        following = next((o for o in left if waiting.isdisjoint({*_before(o)} - {o.id})), None)
        if following is None:
            words = _("the order (after) of these goes in a circle: {ids}").format(ids=", ".join(sorted(waiting)))
            raise PackError([PackFault(left[0].file, left[0].id, "$.overlay.after", words)])
        left.remove(following)
        done.append(following)
    return tuple(done)


def _before(overlay: Overlay) -> set[str]:
    """Return the overlays that an overlay says come before it."""
    beside = (*(c.only_with for c in overlay.changes), *(w.only_with for w in overlay.withdrawn))
    return {*overlay.head.after, *(id_ for ids in beside for id_ in ids)}


def state_of(game: str, edition: str, tokens: Sequence[str] = (), own: Sequence[Overlay] = ()) -> State:
    """Return a state of an edition. `tokens`: ids of overlays; one with a minus before it is the state before that one.

    `own`: overlays that no folder holds, such as those of a table.

    Raises KeyError for an unknown edition or overlay, PackError where they do not fit together.
    """
    known = {**overlays_of(game, edition), **{overlay.id: overlay for overlay in own}}
    wanted = {token: _wanted(game, edition, known, token.removeprefix(TAKEN_AWAY)) for token in tokens}
    forward = in_order(o for token, o in wanted.items() if not token.startswith(TAKEN_AWAY) and not o.head.in_base)
    back = [o for token, o in wanted.items() if token.startswith(TAKEN_AWAY)]
    named = (*(TAKEN_AWAY + o.id for o in back), *(o.id for o in forward))
    key = (game, edition, (*named, *(o.digest for o in own)))
    if key not in _states:
        if len(_states) >= MOST_STATES:
            del _states[next(iter(_states))]
        _states[key] = _made(game, edition, forward, back, named)
    return _states[key]


def _wanted(game: str, edition: str, known: Mapping[str, Overlay], id_: str) -> Overlay:
    overlay = known.get(id_) or at_hand(game, edition, id_)
    if overlay is None:
        raise KeyError(id_)
    return overlay


def _made(
    game: str, edition: str, forward: Sequence[Overlay], back: Sequence[Overlay], named: tuple[str, ...]
) -> State:
    faults = [*_not_before(back), *_replaced(forward)]
    if faults:
        raise PackError(faults)
    pairs = [(earlier, o.id) for o in forward for earlier in _before(o)]
    steps = [*(Step(o, back=True) for o in back), *(Step(o) for o in forward)]
    pack = base_pack(game, edition)
    folders = (pack_folder(game, edition), *(o.folder for o in forward if o.folder is not None))
    others = overlays_of(game, edition).values()
    return State(laid(pack, steps, pairs, others) if steps else pack, tuple(forward), folders, named)


def _not_before(back: Sequence[Overlay]) -> list[PackFault]:
    words = _("this edition does not hold it, so there is no state before it")
    unknown = _("too little is known of the state before it")
    return [
        PackFault(o.file, o.id, "$.overlay.in_base", unknown if o.head.in_base else words)
        for o in back
        if not o.head.in_base or not any(change.apply for change in o.changes)
    ]


def _replaced(forward: Sequence[Overlay]) -> list[PackFault]:
    ids = {overlay.id for overlay in forward}
    return [
        PackFault(o.file, o.id, "$.overlay.replaces", _("takes the place of {other}; take one").format(other=other))
        for o in forward
        for other in o.head.replaces
        if other in ids
    ]


def newest_official(game: str, edition: str) -> tuple[str, ...]:
    """Return the overlays that the newest official state of an edition takes."""
    return in_force(game, edition, "9999-12-31")


def in_force(game: str, edition: str, day: str) -> tuple[str, ...]:
    """Return the official overlays that have a date up to this day and none that replaces them. The pack's own are left out."""
    known = [o for o in overlays_of(game, edition).values() if o.head.date <= day]
    official = [o for o in known if o.head.status == "official" and not o.head.in_base]
    replaced = {other for o in official for other in o.head.replaces}
    return tuple(o.id for o in official if o.id not in replaced)


def on_offer(game: str, edition: str, day: str = "9999-12-31") -> tuple[str, ...]:
    """Return the overlays up to this day that a table may take or leave, since they are not official."""
    return tuple(
        o.id
        for o in overlays_of(game, edition).values()
        if o.head.date <= day and o.head.status != "official" and not o.head.in_base
    )


def parsed_state(text: str, editions: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return the edition and the overlays of a state's name, such as 1.0+one+two or 1.0-three. Raises KeyError."""
    first, *taken = text.split("+")
    edition = max((e for e in editions if first == e or first.startswith(e + TAKEN_AWAY)), key=len, default="")
    if not edition:
        raise KeyError(first)
    back = first.removeprefix(edition)
    return edition, (*((back,) if back else ()), *taken)


def refusal_of(error: PackError) -> Refusal:
    """Return the no for overlays that do not fit together, with every fault."""
    return Refusal(" ".join(f"{fault}." for fault in error.faults), code="overlay")
