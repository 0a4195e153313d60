"""A finding: a broken rule, worded without the fighter's name so that identical fighters can share it."""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.content.compiled import Content
from rules.force import ForceFighter
from rules.problems import Problem
from rules.translation import gettext as _


class Finding(NamedTuple):
    """A finding with `{who}` in place of the fighter's name.

    `subject` distinguishes findings of the same code, `size` says which of them is worse. `row` is an index in the
    fighter's kit or (with `stash`) in the stash, -1 for none. `spares` are the pieces whose removal would help, by row
    and name, the likeliest first.
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
    moving: bool = False  # the limit depends on other fighters, so hiring those first helps


class Placed(NamedTuple):
    """A finding and the fighter it is about (None: the whole warband)."""

    finding: Finding
    fighter: ForceFighter | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Return the identity of a finding, which is equal for the same finding before and after a change."""
        return (self.finding.code, self.fighter.key if self.fighter else "", self.finding.subject)


def left_out(shut: str, name: str, **place: Any) -> Finding:
    """Return the finding for something on the list that is switched off.

    It comes from a third party, is banned by a house rule, or is kept from rules that are no longer played.
    """
    if shut == "withdrawn":
        words = _("{name} is not in these rules. It stays as an entry of its own.").format(name=name)
        return Finding("banned", words, _("Keep it if the table agrees, or dismiss it."), _("House rules"), **place)
    why = (
        _("comes from a third party and is left out here")
        if shut == "third-party"
        else _("is left out by a house rule")
    )
    return Finding(shut, f"{name} {why}.", _("Dismiss it, or ask for a house rule."), _("House rules"), **place)


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
    """Return the edition's word for the stash and similar terms, for use within a sentence, or else the plain word."""
    return content.pack.labels.get(key, key.replace("_", " "))


def put_away(content: Content, what: str) -> str:
    """Return the advice to take a piece off its bearer, in the edition's words, as the start of a sentence."""
    place = content.pack.labels.get("stash")
    return (
        _("Put {what} into the {place}").format(what=what, place=place)
        if place
        else _("Stash {what}").format(what=what)
    )
