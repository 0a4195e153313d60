"""A finding without the fighter's name in it, so that equal fighters share it."""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.content.compiled import Content
from rules.force import ForceFighter
from rules.problems import Problem


class Finding(NamedTuple):
    """A finding with `{who}` where the fighter's name goes.

    `subject` tells two findings of the same code apart, `size` says which of them is worse. `row` is an index in the fighter's kit
    or (with `stash`) in the stash, -1 for none. `spares` are the pieces whose removal would help, the likeliest first, by row and name.
    """

    code: str
    text: str
    mend: str = ""
    source: str = ""
    item: str = ""
    row: int = -1
    subject: str = ""
    size: int = 1
    item_key: str = ""
    spares: tuple[tuple[int, str], ...] = ()
    moving: bool = False  # the limit depends on other fighters: hiring those first helps


class Placed(NamedTuple):
    """A finding with the fighter it concerns (None: the whole warband)."""

    finding: Finding
    fighter: ForceFighter | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Equal for the same finding before and after a change."""
        return (self.finding.code, self.fighter.key if self.fighter else "", self.finding.subject)


def left_out(shut: str, name: str, **place: Any) -> Finding:
    """The finding for something on the list that is switched off here: from a third party, or banned by a house rule."""
    why = "comes from a third party and is left out here" if shut == "third-party" else "is left out by a house rule"
    return Finding(shut, f"{name} {why}.", "Let it go, or ask for it to be allowed.", "House rules", **place)


def problem(placed: Placed) -> Problem:
    finding, fighter = placed
    name = (fighter.name or fighter.profile) if fighter else ""
    key = finding.item_key
    if not key and fighter and 0 <= finding.row < len(fighter.kit):
        key = fighter.kit[finding.row].key
    return Problem(
        code=finding.code,
        message=finding.text.replace("{who}", name),
        mend=finding.mend.replace("{who}", name),
        source=finding.source,
        fighter=name,
        item=finding.item,
        fighter_key=fighter.key if fighter else "",
        item_key=key,
    )


def label_of(content: Content, key: str) -> str:
    """The edition's word for the stash and the like within a sentence, else the plain one."""
    return content.pack.labels.get(key, key.replace("_", " "))


def put_away(content: Content, what: str) -> str:
    """The advice to take a piece off its bearer, in the edition's words; it begins a sentence."""
    place = content.pack.labels.get("stash")
    return f"Put {what} into the {place}" if place else f"Stash {what}"
