"""The next number that players tell of their own dice: hits, saves, what a damage roll shows, whether a test is passed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.resolvers.told import DAMAGE, AskedThrow, NeedResult
from rules.tracker.rolls import ResultChoice, ResultRow, RollKind
from rules.translation import gettext

DAMAGE_ROWS = (
    ("1", gettext("Immobilised"), "1–2"), ("3", gettext("Damaged"), "3–4"), ("5", gettext("Destroyed"), "5–6"),
)  # fmt: skip


def next_result(form: RollKind, resolve: Callable[[], Resolved], *, passes: tuple[str, str] | None = None) -> RollKind:
    """Return a form with the result that a roll waits for. Without one, or where it cannot be made, the form stays as it is.

    `passes` are the words for one die that fails or passes.
    """
    try:
        resolve()
    except NeedResult as need:
        throw = need.throw
    except Refusal:
        return form
    else:
        return form
    count = throw.pool.base
    if throw.cuts == DAMAGE:
        choices = tuple(ResultChoice(*row) for row in DAMAGE_ROWS)
        return replace(
            form, need=gettext("A damage roll:"), results=(ResultRow(gettext("My die says"), choices),), follows=True
        )
    if passes is not None and count == 1:
        return replace(form, need=f"{throw.why}.", results=(_passed(throw, passes),))
    row = ResultRow(_label(throw), tuple(ResultChoice(str(n), str(n), "") for n in range(count + 1)))
    return replace(form, need=f"{throw.why}: {count} D6.", results=(row,), follows=len(throw.cuts) > 1 or form.follows)


def _label(throw: AskedThrow) -> str:
    return gettext("Saves made") if len(throw.cuts) > 1 else gettext("Hits on my dice")


def _passed(throw: AskedThrow, words: tuple[str, str]) -> ResultRow:
    need = throw.cuts[-1]
    faces = ("1" if need == 2 else f"1–{need - 1}", "6" if need == 6 else f"{need}–6")
    choices = tuple(ResultChoice(str(n), words[n], faces[n]) for n in range(2) if n == 0 or need <= 6)
    return ResultRow(gettext("My die says"), choices)


def without_face(found: Resolved) -> Resolved:
    """Return a test that was told as passed or failed, without the face that stood in for the die: nobody told that one."""
    face, _colon, words = found.told.partition(": ")
    if not found.rolled or not face.startswith(str(found.rolled[0])):
        return found
    return replace(found, told=f"{words[:1].upper()}{words[1:]}")
