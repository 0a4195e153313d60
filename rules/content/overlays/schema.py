"""The types of an overlay: its head, its changes of fields, the entries it withdraws, and those it adds."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rules.vocabulary import PackStruct
from rules.vocabulary.base import Slug

Status = Literal["official", "beta", "community", "house"]
OverlayId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$", max_length=60)]
OverlayDate = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$")]


class OverlayHead(PackStruct, frozen=True, kw_only=True):
    """What an overlay is.

    `base`: the game and edition it is for, as in trench-crusade/1.0; overlays beside a pack are for that pack.
    `date`: a day, or a month where only that is known. `replaces`: overlays that it takes the place of. `after`:
    overlays that are laid first where both are taken. `in_base`: the pack holds it already, so it only tells history;
    taken away again it gives the state before it. `version`: one more for each correction of a released overlay.
    """

    id: OverlayId
    title: str
    date: OverlayDate
    status: Status
    source: str
    summary: str
    replaces: tuple[OverlayId, ...] = ()
    after: tuple[OverlayId, ...] = ()
    in_base: bool = False
    base: str = ""
    version: int = 1


class FieldChange(PackStruct, frozen=True, kw_only=True):
    """One changed field of one entry, and why.

    `field`: a dotted path; within a list an entry's id, its word of effect, or its place. `from` and `to` are the values
    before and after (left out: nothing stands there); lists may `add` and `remove` instead. `only_with`: the change
    holds only if these overlays are taken too. `apply` false: told, but not applied.
    """

    table: str
    entry: str = ""  # "" for a table that is a single one
    field: str
    before: Any | UnsetType = msgspec.field(name="from", default=UNSET)
    after: Any | UnsetType = msgspec.field(name="to", default=UNSET)
    add: tuple[Any, ...] = ()
    remove: tuple[Any, ...] = ()
    reason: str
    source: str = ""
    only_with: tuple[OverlayId, ...] = ()
    apply: bool = True

    @property
    def is_of_list(self) -> bool:
        """Return whether it adds or removes parts of a list, which several overlays may do to the same list."""
        return bool(self.add or self.remove)


class Withdrawn(PackStruct, frozen=True, kw_only=True):
    """One entry that there is no longer, and why."""

    table: str
    entry: Slug
    reason: str
    source: str = ""
    only_with: tuple[OverlayId, ...] = ()


@dataclass(frozen=True, eq=False)
class Overlay:
    """An overlay as its files describe it. `file` names the file of its head; `added` holds (table, entry) rows."""

    head: OverlayHead
    changes: tuple[FieldChange, ...]
    withdrawn: tuple[Withdrawn, ...]
    added: tuple[tuple[str, Any], ...]
    file: str
    folder: Path | None
    digest: str
    texts: tuple[tuple[str, str], ...] = ()  # its files, by name

    @property
    def id(self) -> str:
        return self.head.id


def digest_of(texts: list[bytes]) -> str:
    """Return a short hash of an overlay's files, in the order of their names."""
    return sha256(b"\0".join(texts)).hexdigest()[:16]
