"""The findings of the checker (`Problem`) and the error that stops one action (`Refusal`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of the checker. It informs; it never stops an action by itself.

    `code` is stable and listed in docs/problem-codes.md. `fighter` and `item` are names as a player reads them,
    `fighter_key` and
    `item_key` the keys of the rows concerned (empty if the finding concerns the whole warband). A finding of severity
    "warning" is
    unusual but allowed: it makes nothing illegal and does not count as a problem.
    """

    code: str
    message: str
    mend: str = ""
    source: str = ""
    fighter: str = ""
    item: str = ""
    fighter_key: str = ""
    item_key: str = ""
    severity: Literal["error", "warning"] = "error"

    @property
    def warns(self) -> bool:
        return self.severity == "warning"


class Refusal(Exception):
    """The refusal of one action. The message is the sentence the player reads; `mend` says what would help.

    `field` names the one value that it is about, if there is one, as forms name it.

    Services let it roll back their transaction. Pages show it beside the form (422); the console exits with status 1.
    """

    def __init__(self, message: str, *, mend: str = "", code: str = "refused", field: str = "") -> None:
        super().__init__(f"{message} {mend}".strip())
        self.message = message
        self.mend = mend
        self.code = code
        self.field = field
